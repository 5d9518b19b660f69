/* SPDX-License-Identifier: Apache-2.0 */
/* Compression of a stream, piece by piece, for the shards of data sets (store/). The bytes depend
 * on what is written and on the method, not on time or place, nor on the sizes of the pieces.
 * Example:
 *
 *     packer_init(&p, m, PACK_ZSTD);
 *     packer_write(&p, text, put, to);     calls put(to, bytes) now and then
 *     packer_end(&p, put, to);
 *     packer_clear(&p);
 */
#ifndef WEFT_BASE_PACKER_H
#define WEFT_BASE_PACKER_H

#include "base/str.h"

typedef enum pack_method { PACK_NONE, PACK_ZSTD, PACK_GZIP } pack_method;

/* Takes packed bytes; 0 or an errno value. */
typedef int pack_put(void *arg, str bytes);

typedef struct packer {
    pack_method method;
    void *stream; /* of the library; NULL: not begun */
    strbuf out;   /* packed bytes that wait for put */
} packer;

/* "", ".zst", ".gz": what is added to a file's name. */
const char *pack_extension(pack_method m);
/* "", "zstd", "gzip": what manifests call the method. */
const char *pack_name(pack_method m);

/* Takes no memory yet; m is for the buffer. */
void packer_init(packer *p, mem *m, pack_method method);
/* Packs text. Returns 0, ENOMEM or what put returned. */
int packer_write(packer *p, str text, pack_put *put, void *arg);
/* Ends the stream and passes the rest on; the next write begins another. */
int packer_end(packer *p, pack_put *put, void *arg);
/* Frees what the compression libraries hold; may be called twice. */
void packer_clear(packer *p);

#endif
