/* SPDX-License-Identifier: Apache-2.0 */
/* Writing records that have a file or a folder of their own (formats `files` and `standalone`).
 *
 *     batch of records   ->   each to the place that its index says, e.g. DIR/loop/7-000000042.json
 *
 * An fsync for each record would take longer than making it, so they are brought to the disk
 * together when their shard ends. Sizes and hashes are taken of a shard, whose records count as one
 * text, and of each category, for the manifest. */
#include "store/writer_each.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"
#include "base/run_status.h"
#include "store/writer.h"
#include "store/writer_internal.h"

static const store_each *each_of(const store_writer *s)
{
    return store_format_of(s->o)->each;
}

/* The path of a record, in s->paths. */
static const char *place_of(store_writer *s, uint64_t index)
{
    WEFT_ASSERT(index >= s->r->first && index - s->r->first < s->r->rows);
    strbuf name;
    sb_init(&name, s->paths.m);
    each_of(s)->put_name(&name, s->o, index);
    const char *path = writer_path(s, sb_view(&name));
    sb_clear(&name);
    return path;
}

int writer_each_open(store_writer *s)
{
    const char *at = s->o->output;
    for (uint32_t c = 0; c < s->o->ncategories; c++)
        sha256_start(&s->category_hash[c]);
    const int error = store_format_of(s->o)->prepare(&s->paths, s->o, &at);
    return error ? writer_fail(s, at, error) : 0;
}

/* There is nothing to open: each record opens its own file. */
int writer_each_begin(store_writer *s)
{
    (void)s;
    return STATUS_OK;
}

/* Categories take turns by index: record_options has them in this order. */
static void count(store_writer *s, uint64_t index, str text)
{
    const uint64_t c = index % s->o->ncategories;
    s->shard.bytes += text.n;
    sha256_add(&s->hash, text.p, text.n);
    s->categories[c].rows++;
    s->categories[c].bytes += text.n;
    sha256_add(&s->category_hash[c], text.p, text.n);
}

/* Writes one record to its place. EINVAL: the text has no form that the format knows, which records
 * of our own always have. */
static int write_one(store_writer *s, uint64_t index, str text)
{
    const store_each *each = each_of(s);
    const char *at = s->o->output;
    store_one one;
    const int error = each->take(&s->paths, text, &one)
                          ? each->save(&s->paths, place_of(s, index), &one, &at)
                          : EINVAL;
    if (error)
        return writer_fail(s, at, error);
    count(s, index, text);
    return STATUS_OK;
}

int writer_each_write(store_writer *s, const record_batch *batch)
{
    uint64_t begin = 0;
    for (uint32_t i = 0; i < batch->n; i++) {
        WEFT_ASSERT(begin <= batch->ends[i] && batch->ends[i] <= batch->text.n);
        const arena_mark mark = arena_save(&s->paths);
        const str text = {batch->text.p + begin, batch->ends[i] - begin};
        const int error = write_one(s, batch->first + i, text);
        if (error)
            return error;
        arena_rewind(&s->paths, mark);
        begin = batch->ends[i];
    }
    return STATUS_OK;
}

/* syncfs, one call for all files of the shard. Only then may a note say that the shard is whole. */
int writer_each_end(store_writer *s)
{
    const int fd = io_open(s->o->output, O_RDONLY | O_DIRECTORY);
    shard_put_hash(&s->shard, &s->hash);
    int error = fd < 0 || io_syncfs(fd) != 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return error ? writer_fail(s, s->o->output, error) : STATUS_OK;
}

/* --- reading again ------------------------------------------------------------------------- */

/* Calls the writer's callback with a record as a line of JSON. */
static void report_line(store_writer *s, const store_one *one)
{
    strbuf line;
    if (!s->on_line)
        return;
    sb_init(&line, s->paths.m);
    each_of(s)->put_line(&line, one);
    s->on_line(s->on_line_arg, sb_view(&line));
    sb_clear(&line);
}

/* *there is false if one of them is missing; the rest is then not read. */
static int read_records(store_writer *s, uint64_t first, uint64_t rows, bool *there)
{
    *there = true;
    for (uint64_t i = first; i < first + rows; i++) {
        const arena_mark mark = arena_save(&s->paths);
        const char *at;
        store_one one;
        const int error = each_of(s)->load(&s->paths, place_of(s, i), &one, &at);
        if (error) {
            *there = false;
            return error == ENOENT ? STATUS_OK : writer_fail(s, at, error);
        }
        count(s, i, one.text);
        s->shard.rows++;
        report_line(s, &one);
        arena_rewind(&s->paths, mark);
    }
    return STATUS_OK;
}

/* The hashes of the categories run over all shards in order. If this shard is not whole it will be
 * written again, so they go back to where they were before it. */
int writer_each_reread(store_writer *s, const store_shard *stated, bool *whole)
{
    WEFT_ASSERT(s->number * store_shard_rows(s->o) < s->r->rows);
    store_shard categories[GEN_CATEGORY_COUNT];
    sha256 hashes[GEN_CATEGORY_COUNT];
    const uint64_t each = store_shard_rows(s->o), before = s->number * each;
    const uint64_t left = s->r->rows - before;
    memcpy(categories, s->categories, sizeof categories);
    memcpy(hashes, s->category_hash, sizeof hashes);
    const int error = read_records(s, s->r->first + before, left < each ? left : each, whole);
    if (error)
        return error;
    shard_put_hash(&s->shard, &s->hash);
    if (stated && (s->shard.bytes != stated->bytes ||
                   memcmp(s->shard.sha256, stated->sha256, SHA256_HEX) != 0))
        *whole = false;
    if (!*whole) {
        memcpy(s->categories, categories, sizeof categories);
        memcpy(s->category_hash, hashes, sizeof hashes);
    }
    return STATUS_OK;
}
