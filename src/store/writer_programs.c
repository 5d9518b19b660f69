/* A folder for each record: DIR/ID_CATEGORY/ with NAME.py, NAME.cu, Makefile and metadata.json.
 * They are brought to the disk together when their shard ends, as files of one record each are. */
#include <errno.h>

#include "base/file.h"
#include "record/bundle.h"
#include "record/record_name.h"
#include "standalone/standalone.h"
#include "store/writer_internal.h"

static const char *folder_of(store_writer *s, uint64_t index)
{
    strbuf b;
    sb_init(&b, s->paths.m);
    record_put_folder(&b, s->o, index);
    const char *path = writer_path(s, sb_view(&b));
    sb_clear(&b);
    return path;
}

int programs_open(store_writer *s)
{
    strbuf b;
    const char *path = writer_path(s, STR(STANDALONE_SHIM));
    int error = make_folders(&s->paths, s->o->output);
    for (uint32_t c = 0; c < s->o->ncategories; c++)
        sha256_start(&s->category_hash[c]);
    if (error)
        return writer_fail(s, s->o->output, error);
    if (!s->o->cpu_shim)
        return 0;
    sb_init(&b, s->paths.m);
    standalone_put_shim(&b);
    error = atomic_file_put(&s->paths, path, sb_view(&b), false);
    sb_clear(&b);
    return error ? writer_fail(s, path, error) : 0;
}

static int write_one(store_writer *s, uint64_t index, str record)
{
    bundle p;
    const char *path = s->o->output;
    const int error = bundle_split(&s->paths, record, &p)
                          ? bundle_store(&s->paths, folder_of(s, index), &p, &path)
                          : EINVAL;
    if (error)
        return writer_fail(s, path, error);
    files_count(s, index, record);
    return STATUS_OK;
}

int programs_write(store_writer *s, const record_batch *piece)
{
    uint64_t begin = 0;
    for (uint32_t i = 0; i < piece->n; i++) {
        const arena_mark mark = arena_save(&s->paths);
        const str record = {piece->text.p + begin, piece->ends[i] - begin};
        const int error = write_one(s, piece->first + i, record);
        if (error)
            return error;
        arena_rewind(&s->paths, mark);
        begin = piece->ends[i];
    }
    return STATUS_OK;
}

int programs_read(store_writer *s, uint64_t index, str *record, str *heard)
{
    bundle p;
    const char *path;
    strbuf b;
    const int error = bundle_load(&s->paths, folder_of(s, index), &p, &path);
    if (error)
        return writer_fail(s, path, error);
    if (!bundle_is_whole(&p))
        return ENOENT;
    sb_init(&b, s->paths.m);
    bundle_put_record(&b, &p);
    *record = (str){arena_dup(&s->paths, b.p, b.n), b.n};
    b.n = 0;
    bundle_put_line(&b, &p);
    *heard = (str){arena_dup(&s->paths, b.p, b.n), b.n};
    sb_clear(&b);
    return 0;
}
