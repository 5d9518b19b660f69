/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a program, as a folder, as a record and as a line of JSON.
 *
 *     folder   NAME.py, NAME.cu, Makefile, metadata.json
 *     record   these texts one after another; the last line, metadata.json, has their sizes
 *     line     metadata.json with the other texts as further members
 *
 * For the folder 7-000000002_loop, whose metadata.json has "file_bytes": {"cuda": 10891,
 * "makefile": 783, "python": 283}, the record is 283 bytes of Python, 10,891 of CUDA, 783 of the
 * Makefile, and then metadata.json. The writer makes records in this form (record_write.c), store/
 * writes them as folders, validate/ and report/ read folders as lines.
 *
 * Names come from metadata.json, so they are checked: none may lead out of the folder. */
#include "record/bundle.h"

#include <errno.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "base/json.h"
#include "base/json_peek.h"
#include "record/record_name.h"

/* One row for each file, in the order in which a record has them. metadata.json has no fields: it
 * cannot state its own hash and size. */
static const struct {
    const char *end; /* of the file's name, behind the kernel's; or all of it */
    bool named;      /* the kernel's name comes first */
    record_field text, name, sha256, bytes; /* the fields that describe the file */
} rows[BUNDLE_FILES] = {
    [BUNDLE_PYTHON] = {".py", true, FIELD_LINE_PYTHON, FIELD_FILES_PYTHON, FIELD_FILE_SHA256_PYTHON,
                       FIELD_FILE_BYTES_PYTHON},
    [BUNDLE_CUDA] = {".cu", true, FIELD_LINE_CUDA, FIELD_FILES_CUDA, FIELD_FILE_SHA256_CUDA,
                     FIELD_FILE_BYTES_CUDA},
    [BUNDLE_MAKEFILE] = {"Makefile", false, FIELD_LINE_MAKEFILE, FIELD_FILES_MAKEFILE,
                         FIELD_FILE_SHA256_MAKEFILE, FIELD_FILE_BYTES_MAKEFILE},
    [BUNDLE_METADATA] = {"metadata.json", false, FIELD_TOP, FIELD_TOP, FIELD_TOP, FIELD_TOP},
};

/* gen_category_find also accepts other spellings; the comparison leaves one name per folder. */
bool bundle_folder_read(str name, uint64_t *seed, uint64_t *index, gen_category *c)
{
    const char *bar = name.n ? memchr(name.p, '_', name.n) : NULL;
    if (!bar)
        return false;
    const str id = {name.p, (size_t)(bar - name.p)}, category = {bar + 1, name.n - id.n - 1};
    return record_read_id(id, seed, index) && gen_category_find(category, c) &&
           str_eq(str_c(gen_category_name(*c)), category);
}

const char *bundle_file_name(arena *a, str name, bundle_file file)
{
    WEFT_ASSERT(file < BUNDLE_FILES && (name.n || !rows[file].named));
    const str end = str_c(rows[file].end);
    return arena_printf(a, "%.*s%.*s", rows[file].named ? (int)name.n : 0, name.p, (int)end.n,
                        end.p);
}

bool bundle_is_file_name(str name, bundle_file file, str is)
{
    const str end = str_c(rows[file].end);
    const size_t n = rows[file].named ? name.n : 0;
    return is.n == n + end.n && str_eq((str){is.p, n}, (str){name.p, n}) &&
           str_eq((str){is.p + n, end.n}, end);
}

record_field bundle_text_field(bundle_file file)
{
    WEFT_ASSERT(file < BUNDLE_METADATA);
    return rows[file].text;
}

record_field bundle_name_field(bundle_file file)
{
    WEFT_ASSERT(file < BUNDLE_METADATA);
    return rows[file].name;
}

record_field bundle_sha256_field(bundle_file file)
{
    return rows[file].sha256;
}

record_field bundle_bytes_field(bundle_file file)
{
    return rows[file].bytes;
}

/* Letters, digits and underscores only: no slash and no dots, so the name cannot lead elsewhere.
 * With an ending it stays below the 255 bytes that file systems allow. */
static bool is_name(str s)
{
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.p[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
            c != '_')
            return false;
    }
    return s.n > 0 && s.n < 200;
}

/* The kernel's name; empty: it is missing, or is no name for a file. */
static str read_name(arena *a, str metadata)
{
    str raw, name = {0};
    strbuf b;
    sb_init(&b, a->m);
    if (json_peek(metadata, "metadata.kernel_name", &raw) && json_peek_string(raw, &b) &&
        is_name(sb_view(&b)))
        name = (str){arena_dup(a, b.p, b.n), b.n};
    sb_clear(&b);
    return name;
}

/* Begins at the end, as the last line has the sizes of the files before it. The sizes must add up
 * to exactly what precedes that line; each is compared with what is left, so no sum can overflow.
 */
bool bundle_split(arena *a, str record, bundle *out)
{
    size_t last = record.n ? record.n - 1 : 0; /* where the last line begins */
    const char *at = record.p;
    *out = (bundle){0};
    while (last && record.p[last - 1] != '\n')
        last--;
    const str metadata = {record.p + last, record.n - last};
    str sizes;
    if (!json_peek(metadata, record_fields[FIELD_FILE_BYTES].name, &sizes))
        return false;
    for (int i = 0; i < BUNDLE_METADATA; i++) {
        str raw;
        uint64_t n;
        if (!json_peek(sizes, record_fields[rows[i].bytes].name, &raw) ||
            !json_peek_count(raw, &n) || n > (size_t)(metadata.p - at))
            return false;
        out->file[i] = (str){at, n};
        at += n;
    }
    out->file[BUNDLE_METADATA] = metadata;
    WEFT_ASSERT(at <= metadata.p);
    out->name = read_name(a, metadata);
    return at == metadata.p && out->name.n;
}

/* A missing file gives an empty text with p = NULL and no error: the caller decides which files
 * must be there. */
static int load_one(arena *a, const char *path, str *text)
{
    const int error = file_read(a, path, text);
    if (!error)
        return 0;
    *text = (str){0};
    return error == ENOENT || error == ENOTDIR || error == EISDIR ? 0 : error;
}

/* metadata.json comes first, as it has the kernel's name, without which the names of the .py and
 * .cu files are not known. */
int bundle_load(arena *a, const char *folder, bundle *out, const char **path)
{
    *out = (bundle){0};
    *path = path_join(a, folder, str_c(rows[BUNDLE_METADATA].end));
    int error = load_one(a, *path, &out->file[BUNDLE_METADATA]);
    out->name = read_name(a, out->file[BUNDLE_METADATA]);
    for (bundle_file i = 0; i < BUNDLE_METADATA && !error; i++) {
        if (rows[i].named && !out->name.n)
            continue;
        *path = path_join(a, folder, str_c(bundle_file_name(a, out->name, i)));
        error = load_one(a, *path, &out->file[i]);
    }
    return error;
}

/* An empty file is there: its text has no bytes, but p is not NULL. */
bool bundle_is_whole(const bundle *p)
{
    for (int i = 0; i < BUNDLE_FILES; i++)
        if (!p->file[i].p)
            return false;
    return p->name.n > 0;
}

/* metadata.json is written last: a folder without it is no record, so a killed run leaves none that
 * lacks a text. Durable after the caller's syncfs. */
int bundle_store(arena *a, const char *folder, const bundle *p, const char **path)
{
    WEFT_ASSERT(bundle_is_whole(p));
    *path = folder;
    int error = make_folders(a, folder);
    for (bundle_file i = 0; i < BUNDLE_FILES && !error; i++) {
        *path = path_join(a, folder, str_c(bundle_file_name(a, p->name, i)));
        error = atomic_file_put(a, *path, p->file[i], false);
    }
    return error;
}

void bundle_remove(arena *a, const char *folder, const bundle *p)
{
    for (bundle_file i = 0; i < BUNDLE_FILES; i++)
        io_unlink(path_join(a, folder, str_c(bundle_file_name(a, p->name, i))));
    io_rmdir(folder);
}

void bundle_put_record(strbuf *b, const bundle *p)
{
    for (int i = 0; i < BUNDLE_FILES; i++)
        sb_str(b, p->file[i]);
}

/* {..., "standalone": {...}}\n  ->  {..., "standalone": {...}, "python_source": "...", ...}\n
 *
 * The closing brace is cut off and written again behind the texts, so metadata.json is not parsed:
 * what is wrong in it is found by whoever reads the line. */
void bundle_put_line(strbuf *b, const bundle *p)
{
    str metadata = p->file[BUNDLE_METADATA];
    const bool ends = metadata.n && metadata.p[metadata.n - 1] == '\n';
    metadata.n -= ends;
    const bool is_object =
        metadata.n > 2 && metadata.p[0] == '{' && metadata.p[metadata.n - 1] == '}';
    sb_put(b, metadata.p, metadata.n - is_object);
    for (int i = 0; i < BUNDLE_METADATA && is_object; i++) {
        if (!p->file[i].p)
            continue;
        record_field_put_key(b, rows[i].text, false);
        json_string(b, p->file[i]);
    }
    if (is_object)
        SB_LIT(b, "}");
    if (ends || !metadata.p)
        SB_LIT(b, "\n");
}

/* metadata.json is what stands before the first text. */
bool bundle_of_line(arena *a, str line, bundle *out)
{
    str raw;
    strbuf text;
    bool good = true;
    *out = (bundle){.name = {0}};
    sb_init(&text, a->m);
    for (int i = 0; i < BUNDLE_METADATA && good; i++) {
        text.n = 0;
        good =
            json_peek(line, record_fields[rows[i].text].name, &raw) && json_peek_string(raw, &text);
        out->file[i] = (str){good ? arena_dup(a, text.p, text.n) : NULL, text.n};
        if (i || !good)
            continue;
        text.n = 0;
        record_field_put_key(&text, rows[i].text, false);
        good = (size_t)(raw.p - line.p) >= text.n; /* else nothing stands before it */
        const size_t before = good ? (size_t)(raw.p - line.p) - text.n : 0;
        text.n = 0;
        sb_put(&text, line.p, before);
        SB_LIT(&text, "}\n");
        out->file[BUNDLE_METADATA] = (str){arena_dup(a, text.p, text.n), text.n};
    }
    text.n = 0;
    good = good && json_peek(line, "metadata.kernel_name", &raw) && json_peek_string(raw, &text);
    out->name = (str){arena_dup(a, text.p, text.n), text.n};
    sb_clear(&text);
    return good;
}
