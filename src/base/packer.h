/* Compression of a stream, piece by piece. The bytes depend on what is written and on the method,
 * not on time or place. */
#ifndef WEFT_BASE_PACKER_H
#define WEFT_BASE_PACKER_H

#include "base/str.h"

typedef enum pack_method { PACK_NONE, PACK_ZSTD, PACK_GZIP } pack_method;

/* Takes packed bytes; 0 or an errno value. */
typedef int pack_put(void *arg, str bytes);

typedef struct packer {
    pack_method method;
    void *stream; /* of the library; NULL: not begun */
    strbuf out;
} packer;

/* "", ".zst", ".gz"; and "", "zstd", "gzip" */
const char *pack_extension(pack_method m);
const char *pack_name(pack_method m);

/* Takes no memory yet; m is for the buffer. */
void packer_init(packer *p, mem *m, pack_method method);
/* 0, ENOMEM or what put says. */
int packer_write(packer *p, str text, pack_put *put, void *arg);
/* Ends the stream; the next write begins another. */
int packer_end(packer *p, pack_put *put, void *arg);
/* Gives back what is not the mem's; may be called twice. */
void packer_clear(packer *p);

#endif
