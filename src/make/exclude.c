/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the kernels that no sample may be like (--exclude): parses all Python it finds and keeps
 * the fingerprint of each kernel's structure.
 *
 *     tests/, eval.jsonl   ->   sorted fingerprints, their number, and a SHA-256 over them
 *
 * maker.c looks up each candidate by exclude_has. A structure does not depend on names and on
 * values of constants, so renamed copies of a benchmark's kernels stay out as well.
 *
 * Benchmarks come in many forms, so reading is lenient: what cannot be parsed is noted and passed
 * over. */
#include "make/exclude.h"
#include "similar/structure.h"

#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/folder_walk.h"
#include "base/io.h"
#include "base/json_peek.h"
#include "driver/pipeline.h"
#include "similar/json_python.h"
#include "store/line_reader.h"
#include "syntax/parser.h"

/* A folder, whatever the path that leads to it. */
typedef struct folder_id {
    dev_t device;
    ino_t number;
} folder_id;

/* All of one exclude_read. */
typedef struct excluder {
    pipeline p;
    structurer *structurer;
    const char *const *paths;
    uint32_t npaths;
    exclude_note *note;
    void *arg;
    exclude_set *out;
    line_reader lines;
    json_python json;
    arena texts;      /* of a file */
    const char *file; /* in work, and its line */
    uint64_t line;
    bool cut;               /* a line of it was no JSON */
    VEC(fingerprint) found; /* in p.c.perm, as all that stays */
    VEC(folder_id) folders; /* that have been read */
    int error;
    const char *failed;
} excluder;

/* --- Python -------------------------------------------------------------------------------- */

/* As structure_each calls it for each kernel of a file. */
static void keep(void *arg, const structure *s)
{
    excluder *e = arg;
    VEC_PUSH(&e->p.c.perm, &e->found, s->structure);
    e->out->kernels++;
}

/* Counts a text that cannot be parsed, and calls the caller's `note`. */
static void note_text(excluder *e, const char *why)
{
    e->out->unread++;
    if (e->note)
        e->note(e->arg, e->file, e->line, why);
}

/* False: it is no Python; the first error is in the context. */
static bool read_python(excluder *e, str text, bool decoded)
{
    pipeline_reset(&e->p);
    ctx *c = &e->p.c;
    source *src = ARENA_NEW(&c->module, source);
    src->path = e->file;
    src->text = text;
    src->decoded = decoded;
    const ast_Module *m = parse_snippet(c, src);
    if (m)
        structure_each(e->structurer, m, keep, e);
    return m != NULL;
}

static void note_no_python(excluder *e)
{
    const ctx *c = &e->p.c;
    note_text(e, c->diags.n ? c->diags.v[0].text : "no Python");
}

/* --- JSON ---------------------------------------------------------------------------------- */

/* As json_python_each calls them: for a string that may be Python, and for one that is not. */
static bool read_found(void *arg, str text)
{
    return read_python(arg, text, true);
}

static void note_unread(void *arg, const char *why)
{
    if (why)
        note_text(arg, why);
    else
        note_no_python(arg);
}

/* Reads the JSON values of a line, or of a whole file. Of a text that is cut off, the values before
 * the cut count. */
static void read_values(excluder *e, str text)
{
    const str mark = STR("\xef\xbb\xbf"); /* of the byte order */
    size_t at = text.n >= mark.n && memcmp(text.p, mark.p, mark.n) == 0 ? mark.n : 0;
    str v;
    while (json_peek_value(text, &at, &v))
        json_python_each(&e->json, v);
    if (at == text.n)
        return;
    if (e->cut) /* one note for a file is enough */
        e->out->unread++;
    else
        note_text(e, "no JSON, or cut off");
    e->cut = true;
    json_python_each(&e->json, (str){text.p + at, text.n - at});
}

/* 0, also where lines are damaged, which is noted; or an errno value. */
static int read_lines(excluder *e)
{
    str line;
    for (;;) {
        switch (line_reader_next(&e->lines, &line)) {
        case LINE_GOOD:
        case LINE_CUT:
            e->line++;
            read_values(e, line);
            break;
        case LINE_LONG:
            e->line++;
            note_text(e, "a line longer than 16 MiB");
            break;
        case LINE_DAMAGED:
            note_text(e, "what was packed is damaged or breaks off behind it");
            return 0;
        case LINE_END: return 0;
        default: return e->lines.error;
        }
    }
}

/* LINE_READER_WHOLE gives a file as a single line, for .json; other kinds give lines. */
static int read_json(excluder *e, line_reader_kind kind)
{
    int error = line_reader_open(&e->lines, e->file, kind, NULL);
    if (error)
        return error;
    e->line = 0;
    error = read_lines(e);
    line_reader_close(&e->lines);
    return error;
}

/* --- files --------------------------------------------------------------------------------- */

static bool is_json(const char *name)
{
    return path_is_json_lines(name) || path_ends_with(name, ".parquet") ||
           path_ends_with(name, ".json");
}

/* By the ending of its name; a file that was named on the command line may have any. */
static int read_file(excluder *e, const char *path)
{
    e->file = path;
    e->line = 0;
    e->cut = false;
    e->out->files++;
    if (is_json(path))
        return read_json(e, path_ends_with(path, ".json") ? LINE_READER_WHOLE
                                                          : line_reader_kind_of(path));
    str text;
    arena_reset(&e->texts);
    const int error = file_read(&e->texts, path, &text);
    if (error)
        return error;
    if (!read_python(e, text, false))
        note_no_python(e);
    return 0;
}

/* Has the folder been read, by this path or another one? Links may lead back to a folder. The
 * search is linear: benchmarks have few folders. */
static bool was_read(excluder *e, const struct stat *st)
{
    for (uint32_t i = 0; i < e->folders.n; i++)
        if (e->folders.v[i].device == st->st_dev && e->folders.v[i].number == st->st_ino)
            return true;
    const folder_id id = {st->st_dev, st->st_ino};
    VEC_PUSH(&e->p.c.perm, &e->folders, id);
    return false;
}

static int read_path(excluder *e, const char *path, bool named);

/* In the order of file_list; the set does not depend on it, since it is sorted in the end. */
static int read_folder(excluder *e, const char *path)
{
    const char *const *names;
    uint32_t n;
    int error = file_list(&e->p.c.perm, path, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++)
        error = read_path(e, path_join(&e->p.c.perm, path, str_c(names[i])), false);
    return error;
}

/* In a folder only regular files are read: a pipe may never have anything to read. One that is
 * `named` by the user is waited for. */
static int read_path(excluder *e, const char *path, bool named)
{
    struct stat st;
    int error = 0;
    if (io_stat(path, &st) != 0)
        error = !named && errno == ENOENT ? 0 : errno; /* a link to nothing is nothing */
    else if (S_ISDIR(st.st_mode))
        error = was_read(e, &st) ? 0 : read_folder(e, path);
    else if (named || (S_ISREG(st.st_mode) && (path_ends_with(path, ".py") || is_json(path))))
        error = read_file(e, path);
    if (error && !e->error) {
        e->error = error;
        e->failed = path;
    }
    return error;
}

/* --- the set ------------------------------------------------------------------------------- */

static int by_digits(const void *a, const void *b)
{
    const fingerprint *x = a, *y = b;
    return fingerprint_less(*x, *y) ? -1 : fingerprint_less(*y, *x);
}

/* The certificate of the set: SHA-256 over its fingerprints in hex, one a line, sorted. It does not
 * depend on the order in which files are read. */
static void sign(const fingerprint *v, uint64_t n, char hex[SHA256_HEX])
{
    sha256 hash;
    uint8_t digest[SHA256_SIZE];
    char line[FINGERPRINT_HEX + 1];
    line[FINGERPRINT_HEX] = '\n';
    sha256_start(&hash);
    for (uint64_t i = 0; i < n; i++) {
        fingerprint_hex(v[i], line);
        sha256_add(&hash, line, sizeof line);
    }
    sha256_finish(&hash, digest);
    sha256_hex(digest, hex);
}

/* Sorted and each once, for exclude_has. */
static void finish(excluder *e)
{
    fingerprint *v = e->found.v;
    uint32_t n = 0;
    if (e->found.n)
        qsort(v, e->found.n, sizeof *v, by_digits);
    for (uint32_t i = 0; i < e->found.n; i++) {
        WEFT_ASSERT(!n || !fingerprint_less(v[i], v[n - 1]));
        if (!n || !fingerprint_eq(v[n - 1], v[i]))
            v[n++] = v[i];
    }
    e->found.n = n;
    sign(v, n, e->out->sha256);
}

static void read_all(void *arg)
{
    excluder *e = arg;
    e->structurer = structurer_new(&e->p.c);
    line_reader_init(&e->lines, &e->p.c.mem);
    e->json = (json_python){.read = read_found, .unread = note_unread, .arg = e};
    sb_init(&e->json.text, &e->p.c.mem);
    arena_init(&e->texts, &e->p.c.mem);
    for (uint32_t i = 0; i < e->npaths && !e->error; i++)
        read_path(e, e->paths[i], true);
    finish(e);
}

typedef struct copying {
    arena *a;
    excluder *e;
    const char **failed;
} copying;

/* The set outlives the excluder, whose memory is given back. */
static void copy(void *arg)
{
    copying *k = arg;
    excluder *e = k->e;
    fingerprint *v = ARENA_ARRAY(k->a, fingerprint, e->found.n);
    if (e->found.n)
        memcpy(v, e->found.v, e->found.n * sizeof *v);
    e->out->v = v;
    e->out->n = e->found.n;
    if (e->failed)
        *k->failed = arena_dup(k->a, e->failed, strlen(e->failed));
}

int exclude_read(arena *a, const char *const *paths, uint32_t n, exclude_note *note, void *arg,
                 exclude_set *out, const char **failed)
{
    const pipeline_options options = {0};
    excluder e = {
        .paths = paths, .npaths = n, .note = note, .arg = arg, .out = out, .lines = {.fd = -1}};
    copying k = {a, &e, failed};
    *out = (exclude_set){0};
    *failed = n ? paths[0] : "";
    const bool done = pipeline_init(&e.p, &options) && mem_try(&e.p.c.mem, read_all, &e) &&
                      mem_try(a->m, copy, &k);
    line_reader_clear(&e.lines);
    pipeline_clear(&e.p);
    return done ? e.error : ENOMEM;
}

/* A binary search. */
bool exclude_has(const exclude_set *s, fingerprint f)
{
    WEFT_ASSERT(s->v || !s->n);
    uint64_t low = 0, high = s->n;
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (fingerprint_eq(s->v[mid], f))
            return true;
        if (fingerprint_less(s->v[mid], f))
            low = mid + 1;
        else
            high = mid;
    }
    return false;
}
