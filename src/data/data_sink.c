/* Sinks. A shard holds a fixed number of rows, so that the number of shards, and with it their
 * names, are known from the start; each gets its name when it is whole and on the disk. */
#define _XOPEN_SOURCE 700 /* sync */
#include "data/data_sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* Far below 500 MB: the mean record has some 10 kB, or 18 kB for both devices. */
enum { SHARD_ROWS = 25000, SHARD_ROWS_BOTH = 12500 };

uint64_t data_shard_rows(const data_options *o)
{
    const uint64_t usual = o->devices == EMIT_FOR_BOTH ? SHARD_ROWS_BOTH : SHARD_ROWS;
    return o->shard_rows ? o->shard_rows : usual;
}

struct data_sink {
    arena *a;
    const data_options *o;
    VEC(data_shard) shards;
    uint64_t shard_rows, nshards;
    shard_file file;
    sha256 category_hash[GEN_CATEGORY_COUNT];
    const char *sample;
};

static const char *format_path(data_sink *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static const char *format_path(data_sink *s, const char *fmt, ...)
{
    char buf[4096];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    return arena_dup(s->a, buf, n > 0 && (size_t)n < sizeof buf ? (size_t)n : 0);
}

/* --- shards of JSON lines ------------------------------------------------------------------ */

static int shard_open(data_sink *s)
{
    data_shard shard = {0};
    shard.file = format_path(s, "data/train-%05u-of-%05llu.jsonl%s", s->shards.n,
                             (unsigned long long)s->nshards, pack_extension(s->o->compress));
    VEC_PUSH(s->a, &s->shards, shard);
    const char *path = format_path(s, "%s/%s", s->o->output, shard.file);
    if (!s->sample)
        s->sample = path;
    return shard_file_open(&s->file, s->a, path);
}

static int shard_close(data_sink *s)
{
    data_shard *shard = &s->shards.v[s->shards.n - 1];
    const int err = shard_file_close(&s->file, true);
    shard->bytes = s->file.bytes;
    memcpy(shard->sha256, s->file.sha256, SHA256_HEX);
    return err;
}

static int write_shards(data_sink *s, const data_piece *piece)
{
    uint64_t begin = 0;
    int err = 0;
    for (uint32_t i = 0; i < piece->n && !err;) {
        if (!s->file.open && (err = shard_open(s)) != 0)
            break;
        data_shard *shard = &s->shards.v[s->shards.n - 1];
        uint64_t room = s->shard_rows - shard->rows;
        uint32_t n = piece->n - i < room ? piece->n - i : (uint32_t)room;
        i += n;
        shard->rows += n;
        str text = {piece->text.p + begin, piece->ends[i - 1] - begin};
        begin = piece->ends[i - 1];
        err = shard_file_write(&s->file, text);
        if (!err && shard->rows == s->shard_rows)
            err = shard_close(s);
    }
    return err;
}

/* --- a file each --------------------------------------------------------------------------- */

static int write_files(data_sink *s, const data_piece *piece)
{
    uint64_t begin = 0;
    for (uint32_t i = 0; i < piece->n; i++) {
        uint64_t index = piece->first + i;
        uint32_t c = (uint32_t)(index % s->o->ncategories);
        str text = {piece->text.p + begin, piece->ends[i] - begin};
        begin = piece->ends[i];
        char id[48];
        snprintf(id, sizeof id, "%llu-%09llu", (unsigned long long)s->o->seed,
                 (unsigned long long)index);
        arena_mark mark = arena_save(s->a);
        const char *path = format_path(s, "%s/%s/%s.json", s->o->output,
                                       gen_category_name(s->o->categories[c]), id);
        int err = atomic_file_put(s->a, path, text, false);
        if (err)
            return err;
        s->shards.v[c].rows++;
        s->shards.v[c].bytes += text.n;
        sha256_add(&s->category_hash[c], text.p, text.n);
        if (s->sample)
            arena_rewind(s->a, mark);
        else
            s->sample = path;
    }
    return 0;
}

static int open_files(data_sink *s)
{
    for (uint32_t c = 0; c < s->o->ncategories; c++) {
        data_shard shard = {.file = gen_category_name(s->o->categories[c])};
        VEC_PUSH(s->a, &s->shards, shard);
        sha256_start(&s->category_hash[c]);
        int err = make_folders(s->a, format_path(s, "%s/%s", s->o->output, shard.file));
        if (err)
            return err;
    }
    return 0;
}

static void close_files(data_sink *s)
{
    uint8_t digest[SHA256_SIZE];
    for (uint32_t c = 0; c < s->shards.n; c++) {
        sha256_finish(&s->category_hash[c], digest);
        sha256_hex(digest, s->shards.v[c].sha256);
    }
    /* One by one, an fsync for each file would take longer than making it. */
    sync();
}

/* --- all ----------------------------------------------------------------------------------- */

data_sink *sink_open(arena *a, const data_options *o, uint64_t rows, int *error)
{
    data_sink *s = ARENA_NEW(a, data_sink);
    s->a = a;
    s->o = o;
    *error = 0;
    if (!o->output)
        return s;
    s->shard_rows = data_shard_rows(o);
    s->nshards = (rows + s->shard_rows - 1) / s->shard_rows;
    if (o->format == DATA_FILES) {
        *error = open_files(s);
    } else {
        shard_file_init(&s->file, a->m, o->compress);
        *error = make_folders(a, format_path(s, "%s/data", o->output));
    }
    return *error ? NULL : s;
}

int sink_write(data_sink *s, const data_piece *piece)
{
    if (s->o->output)
        return s->o->format == DATA_FILES ? write_files(s, piece) : write_shards(s, piece);
    if (s->o->take)
        return s->o->take(s->o->take_arg, sb_view(&piece->text), piece->ends, piece->n);
    int err = write_fully(STDOUT_FILENO, sb_view(&piece->text));
    return err == EPIPE ? DATA_CLOSED : err;
}

int sink_close(data_sink *s, bool keep)
{
    int err = 0;
    if (s->file.open && keep)
        err = shard_close(s);
    shard_file_clear(&s->file);
    if (s->o->output && s->o->format == DATA_FILES && keep)
        close_files(s);
    return err;
}

const data_shard *sink_shards(const data_sink *s, uint32_t *n)
{
    *n = s->shards.n;
    return s->shards.v;
}

const char *sink_sample(const data_sink *s)
{
    return s->sample;
}
