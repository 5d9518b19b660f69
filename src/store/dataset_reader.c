/* SPDX-License-Identifier: Apache-2.0 */
/* Records of data sets, file after file.
 *
 *     {"a.jsonl", "DIR"}   ->   a.jsonl:1, a.jsonl:2, ..., the records of DIR's files, DATASET_END
 *
 * A line must look like a JSON object ({...}); whether it is one is for the caller to find. */
#include "store/dataset_reader.h"

#include <errno.h>
#include <unistd.h>

#include "base/io.h"

/* An errno value is about a path, which the caller puts into its own sentence. */
static int fail(dataset_reader *r, const char *path, int error)
{
    r->message = arena_dup(r->a, path, strlen(path));
    return error;
}

/* "FILE:LINE: what is wrong"; without the line if it is 0. */
static int damaged(dataset_reader *r, const char *path, uint64_t line, const char *what)
{
    strbuf b;
    sb_init(&b, r->a->m);
    sb_c(&b, path);
    if (line) {
        SB_LIT(&b, ":");
        sb_uint(&b, line);
    }
    SB_LIT(&b, ": ");
    sb_c(&b, what);
    r->message = arena_dup(r->a, b.p, b.n);
    sb_clear(&b);
    return DATASET_DAMAGED;
}

int dataset_open(dataset_reader *r, arena *a, const char *const *paths, uint32_t n)
{
    *r = (dataset_reader){.a = a};
    line_reader_init(&r->lines, a->m);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t before = r->list.files.n;
        const char *what = dataset_refuse_program(paths[i]);
        if (what)
            return damaged(r, paths[i], 0, what);
        const int error = dataset_add(&r->list, a, paths[i], &what);
        if (error == EINVAL)
            return damaged(r, what, 0, "no manifest of a data set, or a damaged one");
        if (error)
            return fail(r, what, error);
        r->is_empty = r->list.files.n == before;
        if (r->is_empty)
            return damaged(r, paths[i], 0, "no records in this folder");
    }
    return 0;
}

static bool is_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool dataset_reads_input(const dataset_reader *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->list.files.n && !any; i++)
        any = is_input(r->list.files.v[i].path);
    return any;
}

int dataset_copy_input(dataset_reader *r, atomic_file *to)
{
    enum { CHUNK = 1 << 16 };
    char chunk[CHUNK];
    ssize_t n;
    WEFT_ASSERT(!r->open && r->at == 0 && !to->error);
    while ((n = io_read_ready(STDIN_FILENO, chunk, sizeof chunk, r->a->m)) > 0)
        if (atomic_file_write(to, (str){chunk, (size_t)n}))
            return to->error;
    r->input = to->temp;
    return n < 0 ? errno : 0;
}

/* Opens the file at r->at; its lines count from 1. */
static int open_file(dataset_reader *r)
{
    WEFT_ASSERT(!r->open && r->at < r->list.files.n);
    const dataset_file *f = &r->list.files.v[r->at];
    const char *path = r->input && is_input(f->path) ? r->input : f->path;
    const int error = line_reader_open(&r->lines, path, f->kind, NULL);
    r->open = !error;
    r->line = 0;
    if (!error && !r->input && is_input(f->path))
        sb_str(&r->lines.text, r->begun);
    return error ? fail(r, f->path, error) : 0;
}

static bool is_blank(str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!strchr(" \t\r", s.p[i]))
            return false;
    return true;
}

/* 0 for a line that may be a record; for any other the error that it stands for. A last line
 * without its newline (LINE_CUT) is accepted: editors write such files, and the braces show that it
 * is whole. */
static int report_line(dataset_reader *r, line_status status, str text)
{
    WEFT_ASSERT(r->open && r->line && status != LINE_END);
    const char *path = r->list.files.v[r->at].path;
    switch (status) {
    case LINE_FAILED: return fail(r, path, r->lines.error);
    case LINE_DAMAGED:
        return damaged(r, path, r->line, "what was packed is damaged or breaks off here");
    case LINE_LONG: return damaged(r, path, r->line, "a line longer than 16 MiB");
    default:
        return is_blank(text) || text.p[0] != '{' || text.p[text.n - 1] != '}'
                   ? damaged(r, path, r->line, "no JSON object")
                   : 0;
    }
}

/* Files are opened one after another. A carriage return before the newline is not part of the text,
 * as files may come from Windows. */
int dataset_next(dataset_reader *r, dataset_record *record)
{
    while (r->at < r->list.files.n) {
        const int error = r->open ? 0 : open_file(r);
        if (error)
            return error;
        str text = {0};
        const line_status status = line_reader_next(&r->lines, &text);
        if (status == LINE_END) {
            line_reader_close(&r->lines);
            r->open = false;
            r->at++;
            continue;
        }
        r->line++;
        if (text.n && text.p[text.n - 1] == '\r')
            text.n--;
        *record = (dataset_record){r->list.files.v[r->at].path, r->line, text};
        return report_line(r, status, text);
    }
    return DATASET_END;
}

/* The list of files is kept, so both passes see the same files. */
void dataset_rewind(dataset_reader *r)
{
    WEFT_ASSERT(r->a); /* dataset_open has been called */
    line_reader_close(&r->lines);
    r->open = false;
    r->at = 0;
}

void dataset_close(dataset_reader *r)
{
    if (r->a)
        line_reader_clear(&r->lines);
    *r = (dataset_reader){0};
}
