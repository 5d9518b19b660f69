/* A file for each record. One by one, an fsync for each file would take longer than making it: they
 * are brought to the disk together when their shard ends. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/io.h"
#include "record/record_name.h"
#include "store/writer_internal.h"

static uint32_t category_of(const store_writer *s, uint64_t index)
{
    return (uint32_t)(index % s->o->ncategories);
}

/* DIR/CATEGORY/ID.json */
static const char *record_path(store_writer *s, uint64_t index)
{
    strbuf name;
    sb_init(&name, s->paths.m);
    sb_c(&name, gen_category_name(s->o->categories[category_of(s, index)]));
    SB_LIT(&name, "/");
    record_put_id(&name, s->o->seed, index);
    SB_LIT(&name, ".json");
    const char *path = writer_path(s, sb_view(&name));
    sb_clear(&name);
    return path;
}

int files_open(store_writer *s)
{
    for (uint32_t c = 0; c < s->o->ncategories; c++) {
        sha256_start(&s->category_hash[c]);
        const char *folder = writer_path(s, str_c(gen_category_name(s->o->categories[c])));
        const int error = make_folders(&s->paths, folder);
        if (error)
            return writer_fail(s, folder, error);
    }
    return 0;
}

void files_count(store_writer *s, uint64_t index, str text)
{
    const uint32_t c = category_of(s, index);
    s->shard.bytes += text.n;
    sha256_add(&s->hash, text.p, text.n);
    s->categories[c].rows++;
    s->categories[c].bytes += text.n;
    sha256_add(&s->category_hash[c], text.p, text.n);
}

int files_write(store_writer *s, const record_batch *piece)
{
    uint64_t begin = 0;
    for (uint32_t i = 0; i < piece->n; i++) {
        const arena_mark mark = arena_save(&s->paths);
        const str text = {piece->text.p + begin, piece->ends[i] - begin};
        const char *path = record_path(s, piece->first + i);
        const int error = atomic_file_put(&s->paths, path, text, false);
        if (error)
            return writer_fail(s, path, error);
        arena_rewind(&s->paths, mark);
        files_count(s, piece->first + i, text);
        begin = piece->ends[i];
    }
    return STATUS_OK;
}

int files_end(store_writer *s)
{
    const int fd = io_open(s->o->output, O_RDONLY | O_DIRECTORY);
    shard_finish_hash(&s->shard, &s->hash);
    int error = fd < 0 || io_syncfs(fd) != 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return error ? writer_fail(s, s->o->output, error) : STATUS_OK;
}

/* What was written of a record, and what may be listened to; an error is told but for ENOENT. */
static int read_record(store_writer *s, uint64_t index, str *text, str *heard)
{
    if (s->o->format == STORE_STANDALONE)
        return programs_read(s, index, text, heard);
    const char *path = record_path(s, index);
    const int error = file_read(&s->paths, path, text);
    *heard = *text;
    return error && error != ENOENT ? writer_fail(s, path, error) : error;
}

static int read_records(store_writer *s, uint64_t first, uint64_t rows, bool *there)
{
    *there = true;
    for (uint64_t i = first; i < first + rows; i++) {
        const arena_mark mark = arena_save(&s->paths);
        str text, heard;
        const int error = read_record(s, i, &text, &heard);
        if (error) {
            *there = false;
            return error == ENOENT ? STATUS_OK : error;
        }
        files_count(s, i, text);
        s->shard.rows++;
        if (s->hear)
            s->hear(s->hear_arg, heard);
        arena_rewind(&s->paths, mark);
    }
    return STATUS_OK;
}

/* Categories go on behind the shard only if it is whole. */
int files_reread(store_writer *s, const store_shard *told, bool *whole)
{
    store_shard categories[GEN_CATEGORY_COUNT];
    sha256 hashes[GEN_CATEGORY_COUNT];
    const uint64_t each = store_shard_rows(s->o), before = s->number * each;
    const uint64_t left = s->r->rows - before;
    memcpy(categories, s->categories, sizeof categories);
    memcpy(hashes, s->category_hash, sizeof hashes);
    const int error = read_records(s, s->r->first + before, left < each ? left : each, whole);
    if (error)
        return error;
    shard_finish_hash(&s->shard, &s->hash);
    if (told &&
        (s->shard.bytes != told->bytes || memcmp(s->shard.sha256, told->sha256, SHA256_HEX) != 0))
        *whole = false;
    if (!*whole) {
        memcpy(s->categories, categories, sizeof categories);
        memcpy(s->category_hash, hashes, sizeof hashes);
    }
    return STATUS_OK;
}
