/* Shards of JSON lines. Each gets its name when it is whole and on the disk. */
#include <errno.h>

#include "store/writer_internal.h"

static const char *shard_path(store_writer *s)
{
    strbuf name;
    sb_init(&name, s->paths.m);
    store_put_shard_name(&name, s->o, s->r->rows, s->number);
    const char *path = writer_path(s, sb_view(&name));
    sb_clear(&name);
    return path;
}

int jsonl_begin(store_writer *s)
{
    const char *path = shard_path(s);
    const int error = shard_file_open(&s->file, &s->paths, path);
    return error ? writer_fail(s, path, error) : STATUS_OK;
}

int jsonl_write(store_writer *s, const record_batch *piece)
{
    const int error = shard_file_write(&s->file, piece->text);
    return error ? writer_fail(s, s->file.file.path, error) : STATUS_OK;
}

int jsonl_end(store_writer *s)
{
    const int error = shard_file_close(&s->file, true);
    s->shard.bytes = s->file.bytes;
    memcpy(s->shard.sha256, s->file.sha256, SHA256_HEX);
    return error ? writer_fail(s, s->file.file.path, error) : STATUS_OK;
}

/* Reads lines up to the end of what can be read; an errno value, or 0. */
static int read_lines(store_writer *s)
{
    str line;
    for (;;) {
        switch (lines_next(&s->reader, &line)) {
        case LINE_GOOD:
            s->shard.rows++;
            if (s->hear)
                s->hear(s->hear_arg, line);
            break;
        case LINE_FAILED: return s->reader.error;
        case LINE_END:
        case LINE_DAMAGED: return 0;
        default: break;
        }
    }
}

int jsonl_reread(store_writer *s, const store_shard *told, bool *whole)
{
    const char *path = shard_path(s);
    *whole = false;
    int error = lines_open(&s->reader, path, lines_kind_of(path), &s->hash);
    if (!error) {
        error = read_lines(s);
        s->shard.bytes = s->reader.bytes;
        lines_close(&s->reader);
    }
    if (error)
        return error == ENOENT ? STATUS_OK : writer_fail(s, path, error);
    shard_finish_hash(&s->shard, &s->hash);
    *whole = shard_is_same(&s->shard, told);
    return STATUS_OK;
}
