/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of a run: takes records in the order of their indexes, shard after shard, and hands
 * them to the format's functions (store_format.h), to a function of the caller, or to standard
 * output. For make_run and make_resume, which call for each shard either
 *
 *     writer_begin, writer_write (one batch or more), writer_end     to write it, or
 *     writer_reread                                                  if an earlier run has */
#include "store/writer.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/run_status.h"
#include "store/store_format.h"
#include "store/writer_internal.h"

const char *writer_path(store_writer *s, str name)
{
    WEFT_ASSERT(s->o->output);
    const size_t n = strlen(s->o->output);
    char *path = arena_alloc(&s->paths, n + name.n + 2);
    memcpy(path, s->o->output, n);
    path[n] = '/';
    memcpy(path + n + 1, name.p, name.n);
    path[n + 1 + name.n] = 0;
    return path;
}

/* EINTR: the caller wants the run to end, and it did not wait for another process any longer. */
int writer_fail(store_writer *s, const char *path, int error)
{
    if (error == EINTR)
        return STATUS_STOPPED;
    snprintf(s->r->failed, sizeof s->r->failed, "%s", path);
    return error;
}

store_writer *writer_open(arena *a, const record_options *o, store_outcome *r, int *error)
{
    store_writer *s = ARENA_NEW(a, store_writer);
    s->o = o;
    s->r = r;
    arena_init(&s->paths, a->m);
    sb_init(&s->fields, a->m);
    *error = 0;
    if (!o->output)
        return s;
    *error = store_format_of(o)->open(s);
    return *error ? NULL : s;
}

/* What writing and reading again have in common. */
static void start_shard(store_writer *s, uint64_t number)
{
    arena_reset(&s->paths);
    s->number = number;
    s->shard = (store_shard){0};
    sha256_start(&s->hash);
}

int writer_begin(store_writer *s, uint64_t number)
{
    WEFT_ASSERT(number < store_shard_count(s->o, s->r->rows));
    start_shard(s, number);
    return s->o->output ? store_format_of(s->o)->begin(s) : STATUS_OK;
}

void writer_on_reread(store_writer *s, void (*on_line)(void *, str), void *arg)
{
    s->on_line = on_line;
    s->on_line_arg = arg;
}

/* To the folder, else to the caller's function, else to standard output. A reader that has gone
 * (EPIPE) ends the run without an error message: STATUS_CLOSED. */
int writer_write(store_writer *s, const record_batch *piece)
{
    s->shard.rows += piece->n;
    WEFT_ASSERT(piece->n && s->shard.rows <= store_shard_rows(s->o));
    WEFT_ASSERT(piece->ends[piece->n - 1] == piece->text.n);
    if (s->o->output)
        return store_format_of(s->o)->write(s, piece);
    if (s->o->take)
        return s->o->take(s->o->take_arg, piece->text, piece->ends, piece->n);
    const int error = write_until(STDOUT_FILENO, piece->text, s->paths.m);
    return error == EPIPE ? STATUS_CLOSED : error;
}

int writer_end(store_writer *s, store_shard *shard)
{
    int error = STATUS_OK;
    WEFT_ASSERT(s->shard.rows);
    if (s->o->output)
        error = store_format_of(s->o)->end(s);
    s->shard.state = SHARD_WHOLE;
    *shard = s->shard;
    return error;
}

int writer_reread(store_writer *s, uint64_t number, const store_shard *stated, bool *whole)
{
    WEFT_ASSERT(s->o->output && number < store_shard_count(s->o, s->r->rows));
    start_shard(s, number);
    return store_format_of(s->o)->reread(s, stated, whole);
}

const store_shard *writer_categories(store_writer *s)
{
    for (uint32_t c = 0; c < s->o->ncategories; c++) {
        s->categories[c].state = SHARD_WHOLE;
        shard_put_hash(&s->categories[c], &s->category_hash[c]);
    }
    return s->categories;
}

void writer_close(store_writer *s)
{
    shard_file_clear(&s->file);
    line_reader_clear(&s->reader);
    sb_clear(&s->fields);
}
