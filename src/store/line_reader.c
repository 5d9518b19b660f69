/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a file of records: plain, packed by zstd or gzip, or a whole file or program as one
 * line.
 *
 *     "a\nbb\nc" (end)   ->   LINE_GOOD "a", LINE_GOOD "bb", LINE_CUT "c", LINE_END
 *
 * Lines are searched in one buffer, `text`:
 *
 *     0 ....... at ............ seen ............ n
 *       given     the line in     not searched
 *       out       work, so far    for a newline
 *
 * fill() moves the line in work to the front and appends a chunk, plain as it is read or unpacked
 * from `raw`. Memory is bounded by LINE_MAX_BYTES and a chunk: of a longer line the text is dropped
 * as it comes in, and LINE_LONG stands for it.
 *
 * A read error and damage of packed data are kept apart: the first means that the disk or pipe
 * failed (`error`), the second that the file was made wrong or cut short (`damaged`), and both are
 * returned only after the lines before them. */
#include "store/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"
#include "record/bundle.h"

/* Bytes per read, and of unpacked text per step. */
enum { CHUNK = 1 << 18 };

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

line_reader_kind line_reader_kind_of(const char *path)
{
    return ends_with(path, ".zst")       ? LINE_READER_ZSTD
           : ends_with(path, ".gz")      ? LINE_READER_GZIP
           : ends_with(path, ".json")    ? LINE_READER_WHOLE
           : ends_with(path, ".parquet") ? LINE_READER_PARQUET
                                         : LINE_READER_PLAIN;
}

void line_reader_init(line_reader *r, mem *m)
{
    *r = (line_reader){.fd = -1};
    sb_init(&r->text, m);
    arena_init(&r->files, m);
}

/* Gets the state of the unpacker ready for a new file: made once, then reset. GZIP_ONLY makes zlib
 * refuse streams without a gzip header. False: memory ran out. */
static bool start_unpacking(line_reader *r)
{
    enum { GZIP_ONLY = 16 + MAX_WBITS };
    WEFT_ASSERT(r->kind <= LINE_READER_BUNDLE);
    if (r->kind != LINE_READER_ZSTD && r->kind != LINE_READER_GZIP)
        return true;
    if (!r->raw)
        r->raw = mem_alloc(r->text.m, CHUNK);
    if (r->kind == LINE_READER_ZSTD) {
        if (!r->zstd && !(r->zstd = ZSTD_createDCtx()))
            return false;
        ZSTD_DCtx_reset(r->zstd, ZSTD_reset_session_only);
        return true;
    }
    if (r->has_gzip)
        return inflateReset(&r->gzip) == Z_OK;
    r->gzip = (z_stream){0};
    r->has_gzip = inflateInit2(&r->gzip, GZIP_ONLY) == Z_OK;
    return r->has_gzip;
}

/* All of a program at once; one that is too long is passed over, as a line is. */
static int read_program(line_reader *r, const char *folder)
{
    bundle p;
    const char *path;
    uint64_t bytes = 0;
    arena_reset(&r->files);
    const int error = bundle_load(&r->files, folder, &p, &path);
    for (int i = 0; i < BUNDLE_FILES; i++)
        bytes += p.file[i].n;
    r->ended = true;
    r->skipping = error == EFBIG || bytes > LINE_MAX_BYTES;
    if (r->skipping)
        return 0;
    for (int i = 0; i < BUNDLE_FILES && r->hash; i++)
        if (p.file[i].n)
            sha256_add(r->hash, p.file[i].p, p.file[i].n);
    r->bytes = bytes;
    if (!error)
        bundle_put_line(&r->text, &p);
    return r->error = error;
}

/* The file at r->fd is read by the process; lines come from its pipe, in r->fd's place. */
static int open_parquet(line_reader *r, const struct stat *st)
{
    const int file = r->fd;
    r->bytes = (uint64_t)st->st_size;
    int error = r->hash ? parquet_hash(file, r->hash, &r->bytes) : 0;
    if (!error)
        error = parquet_decode(&r->parquet, file);
    io_close(file);
    r->fd = error ? -1 : r->parquet.fd;
    return error;
}

int line_reader_open(line_reader *r, const char *path, line_reader_kind kind, sha256 *hash)
{
    struct stat st;
    WEFT_ASSERT(r->fd < 0); /* closed, or never opened */
    r->text.n = r->at = r->seen = r->raw_at = r->raw_n = 0;
    r->ended = r->skipping = r->damaged = r->in_frame = false;
    r->bytes = 0;
    r->error = 0;
    r->kind = kind;
    r->hash = hash;
    if (!start_unpacking(r))
        return r->error = ENOMEM;
    if (kind == LINE_READER_BUNDLE)
        return read_program(r, path);
    r->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : io_open_ready(path);
    if (r->fd < 0 || io_fstat(r->fd, &st) < 0)
        r->error = errno;
    else if (S_ISDIR(st.st_mode))
        r->error = EISDIR;
    if (!r->error && kind == LINE_READER_PARQUET)
        r->error = open_parquet(r, &st);
    if (r->error)
        line_reader_close(r);
    else
        r->waits = kind == LINE_READER_PARQUET || !S_ISREG(st.st_mode);
    return r->error;
}

/* Standard input has descriptor 0 and stays open: it is not this reader's. */
void line_reader_close(line_reader *r)
{
    if (r->parquet.child)
        parquet_drop(&r->parquet); /* closes fd */
    else if (r->fd > STDIN_FILENO)
        io_close(r->fd);
    r->fd = -1;
}

void line_reader_clear(line_reader *r)
{
    line_reader_close(r);
    ZSTD_freeDCtx(r->zstd);
    r->zstd = NULL;
    if (r->has_gzip)
        inflateEnd(&r->gzip);
    r->has_gzip = false;
}

/* Up to CHUNK bytes of the file; 0 at its end and after a failure. */
static size_t read_some(line_reader *r, char *to)
{
    ssize_t n;
    do
        n = r->waits ? io_read_ready(r->fd, to, CHUNK, r->text.m) : io_read(r->fd, to, CHUNK);
    while (n < 0 && errno == EINTR && !r->waits);
    if (n < 0)
        r->error = errno;
    if (n <= 0)
        return 0;
    if (r->kind == LINE_READER_PARQUET) /* not the file's own bytes */
        return (size_t)n;
    if (r->hash)
        sha256_add(r->hash, to, (size_t)n);
    r->bytes += (uint64_t)n;
    return (size_t)n;
}

/* What the process says of the file when there are no more lines. */
static void end_parquet(line_reader *r)
{
    const int error = parquet_end(&r->parquet); /* closes fd */
    r->fd = -1;
    r->damaged = error == EILSEQ;
    r->error = r->damaged ? 0 : error;
}

/* Plain text is read where lines are searched, without a copy. */
static void fill_plain(line_reader *r)
{
    const size_t n = read_some(r, r->text.p + r->text.n);
    r->text.n += n;
    r->ended = n == 0;
    if (r->ended && r->kind == LINE_READER_PARQUET && !r->error)
        end_parquet(r);
}

/* Unpacks from raw into text, at most CHUNK bytes. ZSTD_decompressStream returns 0 where a frame
 * ends and else how much it would like to read next. A frame that is not finished when the file
 * ends is damage; fill_unpacked looks at in_frame. */
static void unpack_zstd(line_reader *r)
{
    ZSTD_inBuffer in = {r->raw, r->raw_n, r->raw_at};
    ZSTD_outBuffer out = {r->text.p + r->text.n, CHUNK, 0};
    const size_t left = ZSTD_decompressStream(r->zstd, &out, &in);
    r->raw_at = in.pos;
    r->in_frame = left != 0;
    r->damaged = r->ended = ZSTD_isError(left);
    if (!r->damaged)
        r->text.n += out.pos;
}

/* As unpack_zstd. A file may consist of several members, one after another: each is begun by a
 * reset of the state. Z_BUF_ERROR is no damage: it means that inflate needs more input or room. */
static void unpack_gzip(line_reader *r)
{
    z_stream *z = &r->gzip;
    if (!r->in_frame)
        inflateReset(z);
    z->next_in = (const Bytef *)r->raw + r->raw_at;
    z->avail_in = (uInt)(r->raw_n - r->raw_at);
    z->next_out = (Bytef *)r->text.p + r->text.n;
    z->avail_out = CHUNK;
    const int status = inflate(z, Z_NO_FLUSH);
    r->raw_at = r->raw_n - z->avail_in;
    r->in_frame = status != Z_STREAM_END;
    r->damaged = r->ended = status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR;
    if (!r->damaged)
        r->text.n += CHUNK - z->avail_out;
}

/* Unpacks at most CHUNK bytes, so that a small file which unpacks to a huge one needs no more
 * memory than another. */
static void fill_unpacked(line_reader *r)
{
    WEFT_ASSERT(r->raw && r->raw_at <= r->raw_n && r->raw_n <= CHUNK);
    if (r->raw_at == r->raw_n) {
        r->raw_at = 0;
        r->raw_n = read_some(r, r->raw);
        if (!r->raw_n) {
            r->ended = true;
            r->damaged = r->in_frame && !r->error;
            return;
        }
    }
    if (r->kind == LINE_READER_ZSTD)
        unpack_zstd(r);
    else
        unpack_gzip(r);
}

/* Appends up to CHUNK bytes of text, or sets `ended`. Lines that were given out are dropped from
 * the front first, so that the buffer stays as long as the longest line and a chunk. */
static void fill(line_reader *r)
{
    strbuf *b = &r->text;
    if (r->at) {
        memmove(b->p, b->p + r->at, b->n - r->at);
        b->n -= r->at;
        r->seen -= r->at;
        r->at = 0;
    }
    if (b->cap - b->n < CHUNK)
        sb_grow(b, CHUNK);
    WEFT_ASSERT(!r->ended && b->cap - b->n >= CHUNK);
    if (r->kind == LINE_READER_ZSTD || r->kind == LINE_READER_GZIP)
        fill_unpacked(r);
    else
        fill_plain(r);
}

/* Is the file one line, whatever newlines it has? */
static bool is_one_line(const line_reader *r)
{
    return r->kind == LINE_READER_WHOLE || r->kind == LINE_READER_BUNDLE;
}

/* What is left when the file has ended: its last line has no newline, so it is LINE_CUT. A file
 * that is one line by its kind is good if it ends in a newline, which is then no part of the line.
 * Each call returns one status; LINE_END comes when nothing is left. */
static line_status take_rest(line_reader *r, str *line)
{
    const bool skipped = r->skipping;
    if (r->error)
        return LINE_FAILED;
    if (r->damaged) {
        r->damaged = false;
        r->text.n = r->at = r->seen = 0;
        return LINE_DAMAGED;
    }
    *line = (str){r->text.p + r->at, r->text.n - r->at};
    r->at = r->seen = r->text.n;
    r->skipping = false;
    if (skipped)
        return LINE_LONG;
    if (!line->n)
        return LINE_END;
    if (!is_one_line(r) || line->p[line->n - 1] != '\n')
        return LINE_CUT;
    line->n--;
    return LINE_GOOD;
}

/* `seen` remembers how far was searched for a newline: a long line that comes in many chunks is
 * searched once and not once for each chunk. */
line_status line_reader_next(line_reader *r, str *line)
{
    for (;;) {
        WEFT_ASSERT(r->at <= r->seen && r->seen <= r->text.n);
        const size_t n = r->text.n - r->seen;
        const char *end = n && !is_one_line(r) ? memchr(r->text.p + r->seen, '\n', n) : NULL;
        if (end) {
            const bool skipped = r->skipping;
            *line = (str){r->text.p + r->at, (size_t)(end - r->text.p) - r->at};
            r->at = r->seen = (size_t)(end - r->text.p) + 1;
            r->skipping = false;
            return skipped || line->n > LINE_MAX_BYTES ? LINE_LONG : LINE_GOOD;
        }
        r->seen = r->text.n;
        if (r->text.n - r->at > LINE_MAX_BYTES) {
            r->skipping = true;
            r->text.n = r->at = r->seen = 0;
        }
        if (r->ended)
            return take_rest(r, line);
        fill(r);
    }
}
