/* The files beside the data: manifest.json, and README.md, the data set's card. */
#ifndef WEFT_DATA_DATA_MANIFEST_H
#define WEFT_DATA_DATA_MANIFEST_H

#include "data/data_sink.h"

void manifest_put(strbuf *b, const data_options *o, const data_result *r, const data_sink *s);
/* Does the manifest in the folder name this command? DATA_OK, also when there is none;
 * DATA_REFUSED with r->message; or an errno value. */
int manifest_check(arena *a, const data_options *o, data_result *r);
/* One of the manifest's "shards". */
void data_put_shard(strbuf *b, const char *file, uint64_t rows, uint64_t bytes,
                    const char hash[SHA256_HEX], bool first);
/* The card's front matter up to `configs`. */
void card_put_head(strbuf *b, uint64_t rows);
void card_put(strbuf *b, const data_options *o, const data_result *r);

/* First heading of a data set's README.md. */
#define CARD_TITLE "# Python to CUDA pairs of Warp kernels"

#endif
