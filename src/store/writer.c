/* Which form a data set has, and how it is cut. */
#include "store/writer_internal.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* Far below 500 MB: the mean record has some 10 kB, or 18 kB for both devices. */
enum { SHARD_ROWS = 25000, SHARD_ROWS_BOTH = 12500 };

uint64_t store_shard_rows(const record_options *o)
{
    const uint64_t usual = o->devices == EMIT_FOR_BOTH ? SHARD_ROWS_BOTH : SHARD_ROWS;
    return o->shard_rows ? o->shard_rows : usual;
}

uint64_t store_shard_count(const record_options *o, uint64_t rows)
{
    const uint64_t each = store_shard_rows(o);
    return rows / each + (rows % each > 0);
}

void store_put_shard_name(strbuf *b, const record_options *o, uint64_t rows, uint64_t number)
{
    sb_printf(b, "data/train-%05llu-of-%05llu.jsonl%s", (unsigned long long)number,
              (unsigned long long)store_shard_count(o, rows), pack_extension(o->compress));
}

const char *writer_path(store_writer *s, str name)
{
    const size_t n = strlen(s->o->output);
    char *path = arena_alloc(&s->paths, n + name.n + 2);
    memcpy(path, s->o->output, n);
    path[n] = '/';
    memcpy(path + n + 1, name.p, name.n);
    path[n + 1 + name.n] = 0;
    return path;
}

int writer_fail(store_writer *s, const char *path, int error)
{
    snprintf(s->r->failed, sizeof s->r->failed, "%s", path);
    return error;
}

bool shard_is_same(const store_shard *a, const store_shard *b)
{
    return a->rows == b->rows && a->bytes == b->bytes &&
           memcmp(a->sha256, b->sha256, SHA256_HEX) == 0;
}

void shard_finish_hash(store_shard *shard, const sha256 *hash)
{
    sha256 end = *hash;
    uint8_t digest[SHA256_SIZE];
    sha256_finish(&end, digest);
    sha256_hex(digest, shard->sha256);
}

store_writer *writer_open(arena *a, const record_options *o, store_outcome *r, int *error)
{
    store_writer *s = ARENA_NEW(a, store_writer);
    s->o = o;
    s->r = r;
    arena_init(&s->paths, a->m);
    *error = 0;
    if (!o->output)
        return s;
    if (o->format == STORE_STANDALONE) {
        *error = programs_open(s);
    } else if (o->format == STORE_FILES) {
        *error = files_open(s);
    } else {
        const char *data = writer_path(s, STR("data"));
        shard_file_init(&s->file, a->m, o->compress);
        lines_init(&s->reader, a->m);
        *error = writer_fail(s, data, make_folders(&s->paths, data));
    }
    return *error ? NULL : s;
}

static void start_shard(store_writer *s, uint64_t number)
{
    arena_reset(&s->paths);
    s->number = number;
    s->shard = (store_shard){0};
    sha256_start(&s->hash);
}

int writer_begin(store_writer *s, uint64_t number)
{
    start_shard(s, number);
    return s->o->output && s->o->format == STORE_JSONL ? jsonl_begin(s) : STATUS_OK;
}

void writer_listen(store_writer *s, void (*hear)(void *, str), void *arg)
{
    s->hear = hear;
    s->hear_arg = arg;
}

int writer_write(store_writer *s, const record_batch *piece)
{
    s->shard.rows += piece->n;
    if (s->o->output)
        return s->o->format == STORE_JSONL   ? jsonl_write(s, piece)
               : s->o->format == STORE_FILES ? files_write(s, piece)
                                             : programs_write(s, piece);
    if (s->o->take)
        return s->o->take(s->o->take_arg, piece->text, piece->ends, piece->n);
    const int error = write_fully(STDOUT_FILENO, piece->text);
    return error == EPIPE ? STATUS_CLOSED : error;
}

int writer_end(store_writer *s, store_shard *shard)
{
    int error = STATUS_OK;
    if (s->o->output)
        error = s->o->format == STORE_JSONL ? jsonl_end(s) : files_end(s);
    s->shard.state = SHARD_WHOLE;
    *shard = s->shard;
    return error;
}

int writer_reread(store_writer *s, uint64_t number, const store_shard *told, bool *whole)
{
    start_shard(s, number);
    return s->o->format == STORE_JSONL ? jsonl_reread(s, told, whole)
                                       : files_reread(s, told, whole);
}

const store_shard *writer_categories(store_writer *s)
{
    for (uint32_t c = 0; c < s->o->ncategories; c++) {
        s->categories[c].state = SHARD_WHOLE;
        shard_finish_hash(&s->categories[c], &s->category_hash[c]);
    }
    return s->categories;
}

void writer_close(store_writer *s)
{
    shard_file_clear(&s->file);
    lines_clear(&s->reader);
}
