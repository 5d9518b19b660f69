/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the records of all parts by index, and compares what it read with the manifests: rows and
 * SHA-256 of each shard, or of each category with files of one record.
 *
 *     parts [0, 50) and [50, 100)   ->   records 0, 1, ..., 99
 *
 * A shard is known to be whole only at its end, when its records have been given out: the caller
 * must be able to discard them until merge_finish has succeeded. */
#include "curate/merge_read.h"

#include <errno.h>
#include <stdio.h>

#include "base/file.h"
#include "base/run_status.h"
#include "record/record_name.h"

int merge_refuse(merge_reader *in, const char *path, const char *what)
{
    strbuf b;
    in->refused = true;
    sb_init(&b, in->a->m);
    sb_c(&b, path);
    SB_LIT(&b, ": ");
    sb_c(&b, what);
    in->r->run.message = arena_dup(in->a, b.p, b.n);
    sb_clear(&b);
    return STATUS_REFUSED;
}

int merge_fail(merge_reader *in, const char *path, int error)
{
    snprintf(in->r->run.failed, sizeof in->r->run.failed, "%s", path);
    return error;
}

/* Finishes a copy of the state, which stays usable. */
static bool is_hash(const sha256 *hash, const char hex[SHA256_HEX])
{
    uint8_t digest[SHA256_SIZE];
    char is[SHA256_HEX];
    sha256 end = *hash;
    sha256_finish(&end, digest);
    sha256_hex(digest, is);
    return memcmp(is, hex, SHA256_HEX) == 0;
}

/* --- lines --------------------------------------------------------------------------------- */

static const merge_shard *shard_now(const merge_reader *in)
{
    WEFT_ASSERT(in->part < in->m->nparts && in->shard < in->m->parts[in->part].shards.n);
    return &in->m->parts[in->part].shards.v[in->shard];
}

/* Closes the shard and compares it with its row of the manifest. */
static int end_shard(merge_reader *in)
{
    WEFT_ASSERT(in->open);
    const merge_shard *s = shard_now(in);
    line_reader_close(&in->lines);
    in->open = false;
    in->shard++;
    if (in->row != s->rows || !is_hash(&in->hash, s->sha256))
        return merge_refuse(in, s->path,
                            "it is damaged: its SHA-256 is not what the manifest says");
    return STATUS_OK;
}

/* Goes on to the next part when the shards of this one are read; a part without rows has none. */
static int open_shard(merge_reader *in)
{
    WEFT_ASSERT(!in->open && in->part < in->m->nparts);
    while (in->shard == in->m->parts[in->part].shards.n) {
        in->part++;
        WEFT_ASSERT(in->part < in->m->nparts); /* there is a next record */
        in->shard = 0;
    }
    const char *path = shard_now(in)->path;
    sha256_start(&in->hash);
    const int error = line_reader_open(&in->lines, path, line_reader_kind_of(path), &in->hash);
    in->open = !error;
    in->row = 0;
    return error ? merge_fail(in, path, error) : STATUS_OK;
}

/* The next line, across shards and parts. A line that the reader rejects means that the shard is
 * not what the manifest describes. */
static int next_line(merge_reader *in, merge_record *record)
{
    for (;;) {
        str line = {0};
        int status = in->open ? STATUS_OK : open_shard(in);
        if (status != STATUS_OK)
            return status;
        switch (line_reader_next(&in->lines, &line)) {
        case LINE_GOOD:
            in->row++;
            *record = (merge_record){.text = {line.p, line.n + 1}, .stated = line};
            return STATUS_OK;
        case LINE_FAILED: return merge_fail(in, shard_now(in)->path, in->lines.error);
        case LINE_END:
            status = end_shard(in);
            if (status != STATUS_OK)
                return status;
            break;
        default: return merge_refuse(in, shard_now(in)->path, "it is damaged");
        }
    }
}

/* The last shard must end here. It is still open: its last line has been read, its end has not. */
static int finish_lines(merge_reader *in)
{
    str line;
    if (!in->open)
        return STATUS_OK;
    if (line_reader_next(&in->lines, &line) != LINE_END)
        return merge_refuse(in, shard_now(in)->path, "it holds more than the manifest says");
    return end_shard(in);
}

/* --- files and folders --------------------------------------------------------------------- */

const char *merge_place(arena *a, const record_options *o, const char *folder, uint64_t index)
{
    strbuf b;
    sb_init(&b, a->m);
    store_format_of(o)->each->put_name(&b, o, index);
    const char *path = path_join(a, folder, sb_view(&b));
    sb_clear(&b);
    return path;
}

/* Starts the sums of the part: one hash for each category, over its records in order. */
static void start_part(merge_reader *in)
{
    memset(in->rows, 0, sizeof in->rows);
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        sha256_start(&in->hashes[c]);
}

/* The part's records against what its manifest says of each category. */
static int end_part(merge_reader *in)
{
    WEFT_ASSERT(in->part < in->m->nparts);
    const record_options *o = &in->m->o;
    const merge_part *p = &in->m->parts[in->part];
    for (uint32_t i = 0; i < p->shards.n; i++) {
        const merge_shard *s = &p->shards.v[i];
        uint32_t c = 0;
        while (c < o->ncategories && strcmp(gen_category_name(o->categories[c]), s->file) != 0)
            c++;
        if (c == o->ncategories || in->rows[c] != s->rows || !is_hash(&in->hashes[c], s->sha256))
            return merge_refuse(in, s->path,
                                "it is damaged: its SHA-256 is not what the manifest says");
    }
    in->part++;
    start_part(in);
    return STATUS_OK;
}

/* A missing file refuses the part; any other error of reading is an I/O error. */
static int read_one(merge_reader *in, const char *path, merge_record *record)
{
    const store_each *each = store_format_of(&in->m->o)->each;
    const char *at;
    const int error = each->load(&in->record, path, &in->one, &at);
    if (error == ENOENT)
        return merge_refuse(in, path, each->missing);
    if (error)
        return merge_fail(in, at, error);
    record->text = in->one.text;
    record->stated = in->one.metadata;
    return STATUS_OK;
}

/* The path of a record follows from its index, so no folder is listed. A record's category is its
 * index modulo the number of categories, as in record_put_folder. */
static int next_file(merge_reader *in, merge_record *record)
{
    WEFT_ASSERT(in->part < in->m->nparts && in->index < in->m->o.count);
    const record_options *o = &in->m->o;
    const merge_part *p = &in->m->parts[in->part];
    while (in->index == p->first + p->rows) {
        const int status = end_part(in);
        if (status != STATUS_OK)
            return status;
        p = &in->m->parts[in->part];
    }
    arena_reset(&in->record);
    const char *path = merge_place(&in->record, o, p->folder, in->index);
    const int status = read_one(in, path, record);
    if (status != STATUS_OK)
        return status;
    const uint64_t c = in->index++ % o->ncategories;
    sha256_add(&in->hashes[c], record->text.p, record->text.n);
    in->rows[c]++;
    return STATUS_OK;
}

/* Also parts behind the last record, which have no rows, are compared. */
static int finish_files(merge_reader *in)
{
    while (in->part < in->m->nparts) {
        const int status = end_part(in);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* --- both ---------------------------------------------------------------------------------- */

static bool has_lines(const merge_reader *in)
{
    return record_format_of(&in->m->o)->shards;
}

void merge_reader_init(merge_reader *in, arena *a, const merge_options *m, merge_result *r)
{
    *in = (merge_reader){.a = a, .m = m, .r = r};
    line_reader_init(&in->lines, a->m);
    arena_init(&in->record, a->m);
    start_part(in);
}

int merge_next(merge_reader *in, merge_record *record)
{
    return has_lines(in) ? next_line(in, record) : next_file(in, record);
}

int merge_finish(merge_reader *in)
{
    return has_lines(in) ? finish_lines(in) : finish_files(in);
}

/* The records are read twice: for their structures, then to write them. */
void merge_restart(merge_reader *in)
{
    if (in->open)
        line_reader_close(&in->lines);
    in->open = false;
    in->part = in->shard = 0;
    in->row = in->index = 0;
    start_part(in);
}

void merge_reader_clear(merge_reader *in)
{
    if (in->a)
        line_reader_clear(&in->lines);
}
