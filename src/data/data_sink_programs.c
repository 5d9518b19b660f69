/* A folder for each record: DIR/ID_CATEGORY/ with NAME.py, NAME.cu, Makefile and metadata.json.
 * They are brought to the disk together when their shard ends, as files of one record each are. */
#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "data/data_record.h"
#include "data/data_sink_internal.h"
#include "data/json_peek.h"
#include "standalone/standalone.h"

enum { PYTHON, CUDA, MAKEFILE, METADATA, FILES };

typedef struct parts {
    str file[FILES];
    str name; /* of the kernel */
} parts;

/* FOLDER/NAME.py and so on, in s->paths. */
static const char *path_of(data_sink *s, uint64_t index, str name, int file)
{
    static const char *const ends[FILES] = {".py", ".cu", "Makefile", "metadata.json"};
    strbuf b;
    sb_init(&b, s->paths.m);
    record_put_folder(&b, s->o, index);
    SB_LIT(&b, "/");
    if (file == PYTHON || file == CUDA)
        sb_str(&b, name);
    sb_c(&b, ends[file]);
    const char *path = sink_path(s, sb_view(&b));
    sb_clear(&b);
    return path;
}

int programs_open(data_sink *s)
{
    strbuf b;
    const char *path = sink_path(s, STR(STANDALONE_SHIM));
    int error = make_folders(&s->paths, s->o->output);
    for (uint32_t c = 0; c < s->o->ncategories; c++)
        sha256_start(&s->category_hash[c]);
    if (error)
        return sink_fail(s, s->o->output, error);
    if (!s->o->cpu_shim)
        return 0;
    sb_init(&b, s->paths.m);
    standalone_put_shim(&b);
    error = atomic_file_put(&s->paths, path, sb_view(&b), false);
    sb_clear(&b);
    return error ? sink_fail(s, path, error) : 0;
}

/* The files of a record of record_put_program, which is well-formed. */
static parts take_apart(str record)
{
    parts p;
    size_t sizes[FILES];
    const char *at = record.p;
    for (int i = 0; i < FILES; i++) {
        char *end;
        sizes[i] = (size_t)strtoull(at, &end, 10);
        at = end + 1;
    }
    const char *line = memchr(at, '\n', (size_t)(record.p + record.n - at));
    p.name = (str){at, (size_t)(line - at)};
    at = line + 1;
    for (int i = 0; i < FILES; i++) {
        p.file[i] = (str){at, sizes[i]};
        at += sizes[i];
    }
    return p;
}

static int write_one(data_sink *s, uint64_t index, str record)
{
    const parts p = take_apart(record);
    strbuf b;
    sb_init(&b, s->paths.m);
    record_put_folder(&b, s->o, index);
    const char *folder = sink_path(s, sb_view(&b));
    sb_clear(&b);
    int error = make_folders(&s->paths, folder);
    if (error)
        return sink_fail(s, folder, error);
    for (int i = 0; i < FILES; i++) {
        const char *path = path_of(s, index, p.name, i);
        error = atomic_file_put(&s->paths, path, p.file[i], false);
        if (error)
            return sink_fail(s, path, error);
    }
    files_count(s, index, record);
    return DATA_OK;
}

int programs_write(data_sink *s, const data_piece *piece)
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
    return DATA_OK;
}

/* --- reading ------------------------------------------------------------------------------- */

static int read_file(data_sink *s, uint64_t index, str name, int file, str *text)
{
    const char *path = path_of(s, index, name, file);
    const int error = file_read(&s->paths, path, text);
    return error && error != ENOENT ? sink_fail(s, path, error) : error;
}

static str keep(data_sink *s, strbuf *b)
{
    const str text = {arena_dup(&s->paths, b->p, b->n), b->n};
    sb_clear(b);
    return text;
}

/* The record as it was made. */
static str put_together(data_sink *s, const parts *p)
{
    strbuf b;
    sb_init(&b, s->paths.m);
    for (int i = 0; i < FILES; i++) {
        sb_uint(&b, p->file[i].n);
        sb_char(&b, ' ');
    }
    sb_str(&b, p->name);
    SB_LIT(&b, "\n");
    for (int i = 0; i < FILES; i++)
        sb_str(&b, p->file[i]);
    return keep(s, &b);
}

/* metadata.json with the source among its members, as other records have it. */
static str with_source(data_sink *s, const parts *p)
{
    strbuf b;
    sb_init(&b, s->paths.m);
    SB_LIT(&b, "{\"python_source\": ");
    json_string(&b, p->file[PYTHON]);
    SB_LIT(&b, ", ");
    sb_put(&b, p->file[METADATA].p + 1, p->file[METADATA].n - 1);
    return keep(s, &b);
}

int programs_read(data_sink *s, uint64_t index, str *record, str *heard)
{
    parts p = {0};
    str name;
    strbuf b;
    int error = read_file(s, index, STR(""), METADATA, &p.file[METADATA]);
    if (error)
        return error;
    sb_init(&b, s->paths.m);
    if (!p.file[METADATA].n || p.file[METADATA].p[0] != '{' ||
        !json_peek(p.file[METADATA], "metadata.kernel_name", &name) ||
        !json_peek_string(name, &b) || memchr(b.p, '/', b.n)) {
        sb_clear(&b);
        return ENOENT;
    }
    p.name = keep(s, &b);
    for (int i = 0; i < METADATA && !error; i++)
        error = read_file(s, index, p.name, i, &p.file[i]);
    if (error)
        return error;
    *record = put_together(s, &p);
    *heard = with_source(s, &p);
    return 0;
}
