/* SPDX-License-Identifier: Apache-2.0 */
/* zstd and gzip behind one interface, for data sets (packer.h). Headers carry no time, name or
 * system, so equal input gives equal bytes; levels are fixed, as they would change the bytes. zlib
 * and zstd allocate for themselves: packer_clear gives that back.
 *
 *     packer_write("{...}\n") 25,000 times, packer_end   ->   one gzip member, or one zstd frame */
#include "base/packer.h"

#include "base/assert.h"

#include <errno.h>
#include <stdlib.h>

#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

enum {
    ZSTD_LEVEL = 3,
    GZIP_LEVEL = 6,
    GZIP_WINDOW = 16 + MAX_WBITS,
    GZIP_MEMORY = 8,
    ROOM = 1 << 17 /* bytes of packed output that are passed on at once */
};

/* A stream of zlib and the header that it writes: one without time, name and system. */
typedef struct gzip_stream {
    z_stream z;
    gz_header header;
} gzip_stream;

const char *pack_extension(pack_method m)
{
    return m == PACK_ZSTD ? ".zst" : m == PACK_GZIP ? ".gz" : "";
}

const char *pack_name(pack_method m)
{
    return m == PACK_ZSTD ? "zstd" : m == PACK_GZIP ? "gzip" : "";
}

void packer_init(packer *p, mem *m, pack_method method)
{
    *p = (packer){.method = method};
    sb_init(&p->out, m);
}

/* NULL: no memory. The checksum makes damage visible when a file is unpacked, as gzip's does. */
static void *zstd_new(void)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    if (c) {
        ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, ZSTD_LEVEL);
        ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1); /* as gzip does: damage is detected */
    }
    return c;
}

/* NULL: no memory. os 255 means unknown: the default would write the system that weft was built
 * for. */
static void *gzip_new(void)
{
    enum { UNKNOWN_SYSTEM = 255 };
    gzip_stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->header.os = UNKNOWN_SYSTEM;
    if (deflateInit2(&s->z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) ==
        Z_OK)
        return deflateSetHeader(&s->z, &s->header), s;
    free(s);
    return NULL;
}

/* One step: takes some of *text and fills p->out. *done: all of it was taken, or with `end` all
 * was written. */
static int zstd_step(packer *p, str *text, bool end, bool *done)
{
    ZSTD_inBuffer in = {text->p, text->n, 0};
    ZSTD_outBuffer out = {p->out.p, ROOM, 0};
    /* left is what the stream still has to write, or an error. */
    const size_t left =
        ZSTD_compressStream2(p->stream, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
    p->out.n = out.pos;
    *text = (str){text->p + in.pos, text->n - in.pos};
    *done = end ? left == 0 : text->n == 0;
    return ZSTD_isError(left) ? ENOMEM : 0;
}

/* The same by zlib, whose counts are 32 bits wide. A stream that has ended is reset for the next
 * one. Z_BUF_ERROR only means that there was nothing to do. */
static int gzip_step(packer *p, str *text, bool end, bool *done)
{
    enum { MOST = 1 << 30 };
    gzip_stream *s = p->stream;
    const size_t n = text->n < MOST ? text->n : MOST;
    s->z.next_in = (const Bytef *)text->p;
    s->z.avail_in = (uInt)n;
    s->z.next_out = (Bytef *)p->out.p;
    s->z.avail_out = ROOM;
    const int status = deflate(&s->z, end ? Z_FINISH : Z_NO_FLUSH);
    const size_t taken = n - s->z.avail_in;
    p->out.n = ROOM - s->z.avail_out;
    *text = (str){text->p + taken, text->n - taken};
    *done = end ? status == Z_STREAM_END : text->n == 0;
    if (end && *done) {
        /* deflateReset forgets the header. */
        deflateReset(&s->z);
        deflateSetHeader(&s->z, &s->header);
    }
    return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR ? 0 : ENOMEM;
}

/* Feeds the stream until all is taken (or, at the end, written), one buffer of packed bytes at a
 * time. The stream is made by the first call. */
static int run(packer *p, str text, bool end, pack_put *put, void *arg)
{
    /* Not packed: the bytes are passed on as they are. */
    if (p->method == PACK_NONE)
        return text.n ? put(arg, text) : 0;
    if (!p->stream)
        p->stream = p->method == PACK_ZSTD ? zstd_new() : gzip_new();
    if (!p->stream)
        return ENOMEM;
    for (bool done = false; !done;) {
        WEFT_ASSERT(p->method == PACK_ZSTD || p->method == PACK_GZIP);
        p->out.n = 0;
        if (p->out.cap < ROOM)
            sb_grow(&p->out, ROOM);
        int error = p->method == PACK_ZSTD ? zstd_step(p, &text, end, &done)
                                           : gzip_step(p, &text, end, &done);
        if (!error && p->out.n)
            error = put(arg, sb_view(&p->out));
        if (error)
            return error;
    }
    return 0;
}

/* Nothing to write must not begin a stream. */
int packer_write(packer *p, str text, pack_put *put, void *arg)
{
    return text.n ? run(p, text, false, put, arg) : 0;
}

/* A stream without any data is written too: an empty shard is a valid file. */
int packer_end(packer *p, pack_put *put, void *arg)
{
    return run(p, (str){"", 0}, true, put, arg);
}

void packer_clear(packer *p)
{
    if (p->stream && p->method == PACK_ZSTD) {
        ZSTD_freeCCtx(p->stream);
    } else if (p->stream) {
        deflateEnd(&((gzip_stream *)p->stream)->z);
        free(p->stream);
    }
    p->stream = NULL;
}
