/* SPDX-License-Identifier: Apache-2.0 */
/* The files beside the data: manifest.json (manifest.c), and README.md, the data set's card
 * (card.c, card_fields.c). For runs (make_run), and for `weft split`, which writes both in part.
 * The last lines of a manifest:
 *
 *     "first_index": 0,
 *     "rows": 4,
 *     "shards": [
 *       {"file": "data/train-00000-of-00001.jsonl", "rows": 4, "bytes": 84017, "sha256": "13f4..."}
 *     ] */
#ifndef WEFT_STORE_MANIFEST_H
#define WEFT_STORE_MANIFEST_H

#include "base/vec.h"
#include "record/record_shape.h"
#include "store/writer.h"

/* The shards of a run by number; those behind the last are missing. */
typedef VEC(store_shard) store_shards;

/* A manifest names the shards that are on the disk. With a file for each record, only that of a
 * complete run names something: the categories' folders. */
void manifest_put(strbuf *b, const record_options *o, const store_outcome *r,
                  const store_shards *shards);
void manifest_put_complete(strbuf *b, const record_options *o, const store_outcome *r,
                           const store_shards *shards, const store_shard *categories);

/* What a run finds in its output folder: nothing (it may start), a manifest that is not its own (it
 * must not touch the folder), its own unfinished run (--resume goes on), or its own finished
 * set. */
typedef enum manifest_kind {
    MANIFEST_NONE,
    MANIFEST_STRANGE, /* of another command or version, or no manifest of ours */
    MANIFEST_UNFINISHED,
    MANIFEST_COMPLETE
} manifest_kind;

/* Reads DIR/manifest.json. What it names goes to *found, if it is complete: shards, or categories
 * with a file for each record. A reason for MANIFEST_STRANGE is left in r->message. 0 or an errno
 * value. */
int manifest_look(arena *a, const record_options *o, store_outcome *r, manifest_kind *kind,
                  store_shards *found);

/* One of the manifest's "shards". */
void manifest_put_shard(strbuf *b, const char *file, uint64_t rows, uint64_t bytes,
                        const char hash[SHA256_HEX], bool first);
/* The card's front matter up to `configs`; NULL: the usual licence. synthetic: some kernels were
 * made. */
void card_put_head(strbuf *b, uint64_t rows, const char *license, bool synthetic);
/* card_fields.c: what a record's fields are, for programs and for people. */
void card_put_features(strbuf *b, const record_options *o);
void card_put_fields(strbuf *b, const record_options *o);
/* The same of records that have these fields. */
void card_put_shape_features(strbuf *b, const record_shape *s);
void card_put_shape_fields(strbuf *b, const record_shape *s);
/* The same for programs that make tables: as weft_record_fields gives it. o NULL: every field. */
void card_put_schema(strbuf *b, const record_options *o);
void card_put(strbuf *b, const record_options *o, const store_outcome *r);

/* First heading of a data set's README.md. */
#define CARD_TITLE "# Python to CUDA pairs of Warp kernels"

#endif
