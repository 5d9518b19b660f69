/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of shards. `jsonl`: JSON lines, DIR/data/train-00000-of-00003.jsonl, packed or not. A
 * shard gets its name when it is whole and on the disk, so that no reader ever sees half of one.
 *
 *     {"id": "7-000000000", "python_source": "import warp as wp\n\n\n@wp.kernel\ndef ...", ...}
 *     {"id": "7-000000001", ...}
 *
 * A run with the option --compress gets the same lines in train-00000-of-00003.jsonl.zst or .gz.
 * `parquet`: rows of these lines in train-00000-of-00003.parquet, made and read by another process
 * (parquet_pipe.h). */
#include <errno.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "base/run_status.h"
#include "store/manifest.h"
#include "store/store_format.h"
#include "store/writer.h"
#include "store/writer_internal.h"

#define DATA "data" /* the folder of shards */

static const char *data_path(arena *a, const record_options *o)
{
    return path_join(a, o->output, STR(DATA));
}

static int prepare(arena *a, const record_options *o, const char **at)
{
    return make_folders(a, *at = data_path(a, o));
}

static void retract(arena *a, const record_options *o)
{
    io_rmdir(data_path(a, o));
}

static int each_folder(arena *a, const record_options *o, int (*visit)(void *, const char *),
                       void *arg, const char **at)
{
    return visit(arg, *at = data_path(a, o));
}

/* --- writing and reading again ------------------------------------------------------------- */

static int open_shards(store_writer *s)
{
    const char *at;
    shard_file_init(&s->file, s->paths.m, s->o->compress);
    line_reader_init(&s->reader, s->paths.m);
    const int error = prepare(&s->paths, s->o, &at);
    return error ? writer_fail(s, at, error) : 0;
}

/* The fields of a row are those of the options, whatever the lines have. */
static int open_parquet(store_writer *s)
{
    const int error = open_shards(s);
    card_put_schema(&s->fields, s->o);
    if (!error)
        shard_file_use_parquet(&s->file, sb_cstr(&s->fields));
    return error;
}

static const char *shard_path(store_writer *s)
{
    strbuf name;
    sb_init(&name, s->paths.m);
    store_put_shard_name(&name, s->o, s->r->rows, s->number);
    const char *path = writer_path(s, sb_view(&name));
    sb_clear(&name);
    return path;
}

static int begin_shard(store_writer *s)
{
    const char *path = shard_path(s);
    const int error = shard_file_open(&s->file, &s->paths, path);
    return error ? writer_fail(s, path, error) : STATUS_OK;
}

static int write_shard(store_writer *s, const record_batch *batch)
{
    const int error = shard_file_write(&s->file, batch->text);
    return error ? writer_fail(s, s->file.file.path, error) : STATUS_OK;
}

static int end_shard(store_writer *s)
{
    WEFT_ASSERT(s->file.open);
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
        switch (line_reader_next(&s->reader, &line)) {
        case LINE_GOOD:
            s->shard.rows++;
            if (s->on_line)
                s->on_line(s->on_line_arg, line);
            break;
        case LINE_FAILED: return s->reader.error;
        case LINE_END:
        case LINE_DAMAGED: return 0;
        default: break;
        }
    }
}

/* Lines that are cut, long or damaged are not counted, so that such a shard is not whole. One that
 * is not there is no error. */
static int reread_shard(store_writer *s, const store_shard *stated, bool *whole)
{
    WEFT_ASSERT(stated); /* without it there is nothing to compare a shard with */
    const char *path = shard_path(s);
    *whole = false;
    int error = line_reader_open(&s->reader, path, line_reader_kind_of(path), &s->hash);
    if (!error) {
        error = read_lines(s);
        s->shard.bytes = s->reader.bytes;
        line_reader_close(&s->reader);
    }
    if (error)
        return error == ENOENT ? STATUS_OK : writer_fail(s, path, error);
    shard_put_hash(&s->shard, &s->hash);
    *whole = shard_is_same(&s->shard, stated);
    return STATUS_OK;
}

/* Both differ in what their files hold, and so in how they are opened. */
#define OF_SHARDS(open_with)                                                                       \
    {                                                                                              \
        .open = open_with, .begin = begin_shard, .write = write_shard, .end = end_shard,           \
        .reread = reread_shard, .prepare = prepare, .retract = retract,                            \
        .each_folder = each_folder, .claim = DATA                                                  \
    }

const store_format store_format_jsonl = OF_SHARDS(open_shards);
const store_format store_format_parquet = OF_SHARDS(open_parquet);
