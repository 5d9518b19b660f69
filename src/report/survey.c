/* SPDX-License-Identifier: Apache-2.0 */
/* Surveys data sets (weft stats and weft report): reads files one after the other, line by line,
 * and adds each record to the sums.
 *
 *     shards and files   ->   survey: records, tallies, ranges, problems
 *
 * A line that is no record, or a packed file that is damaged, is a problem of that line or file,
 * and the rest goes on. A file that cannot be opened or read at all ends the survey with an errno
 * value: then the disk or a name is wrong, and figures without that file would be wrong too. */
#include "report/survey.h"

#include <errno.h>

#include "base/run_status.h"
#include "record/record_options.h"
#include "store/dataset_files.h"

/* A survey in work. */
typedef struct survey_work {
    const survey_options *o;
    survey *s;
    dataset_list list; /* all files of all paths, listed before the first is read */
    line_reader lines; /* one for all files, so that its buffer is allocated once */
    uint64_t taken;    /* lines of all files so far */
    const char *what;  /* the path that `status` is about */
    int status;        /* STATUS_..., or an errno value; not STATUS_OK: the survey ends */
} survey_work;

/* Counts a problem and passes it to the caller; line 0: it is about the whole file. */
static void report_problem(survey_work *w, const char *file, uint64_t line, str reason)
{
    WEFT_ASSERT(reason.n);
    const survey_problem p = {file, line, reason};
    w->s->problems++;
    if (w->o->report)
        w->o->report(w->o->arg, &p);
}

/* --- files --------------------------------------------------------------------------------- */

/* Adds the files of a path to the list. Where a folder's manifest is damaged, the files that lie in
 * the folder are taken instead, and the damage is reported. */
static int list_path(survey_work *w, const char *path)
{
    const uint32_t before = w->list.files.n;
    const char *other = dataset_refuse_program(path);
    if (other) {
        report_problem(w, path, 0, str_c(other));
        return 0;
    }
    int error = dataset_add(&w->list, w->s->a, path, &w->what);
    if (error == EINVAL) {
        report_problem(w, w->what, 0, STR("the manifest is damaged"));
        w->list.files.n = before;
        w->what = path;
        error = dataset_add_found(&w->list, w->s->a, path);
    }
    if (!error && w->list.files.n == before && !dataset_is_empty(w->s->a, path))
        report_problem(w, path, 0, STR("no records in this folder"));
    return error;
}

/* --- lines --------------------------------------------------------------------------------- */

/* Counts one line as a record, or reports what is wrong with it. A record's size is that of its
 * line with the line's end, or for a program in files the sum of these files. */
static void take_line(survey_work *w, survey_file *f, line_status status, str line)
{
    WEFT_ASSERT(status < LINE_DAMAGED); /* there is a line */
    survey *s = w->s;
    f->rows++;
    s->why.n = 0;
    if (status == LINE_LONG) {
        report_problem(w, f->path, f->rows, STR("the line is too long"));
        return;
    }
    if (w->lines.kind == LINE_READER_BUNDLE && !line.n) {
        report_problem(w, f->path, 0, STR("metadata.json is missing, or empty"));
        return;
    }
    const uint64_t bytes =
        w->lines.kind == LINE_READER_BUNDLE ? w->lines.bytes : line.n + (status != LINE_CUT);
    if (!survey_add(s, line, bytes)) {
        report_problem(w, f->path, f->rows, sb_view(&s->why));
        return;
    }
    f->bytes += bytes;
    if (w->o->record)
        w->o->record(w->o->arg, line, s->json);
}

/* Reads a file to its end. Every 64 lines, counted over all files, it calls o->progress, which may
 * stop the survey. A packed file that breaks off is a problem of that file; what was read before
 * counts. */
static void read_lines(survey_work *w, survey_file *f)
{
    enum { ASK_EVERY = 64 };
    for (;;) {
        str line;
        const line_status status = line_reader_next(&w->lines, &line);
        if (status == LINE_FAILED) {
            w->status = w->lines.error;
            w->what = f->path;
        } else if (status == LINE_DAMAGED) {
            report_problem(w, f->path, f->rows + 1,
                           STR("what was packed is damaged or breaks off here"));
        }
        if (status >= LINE_DAMAGED)
            return;
        take_line(w, f, status, line);
        if (++w->taken % ASK_EVERY == 0 && w->o->progress && !w->o->progress(w->o->arg, w->s)) {
            w->status = STATUS_STOPPED;
            return;
        }
    }
}

/* Adds the file to the list of files read, with the rows and bytes that were counted. */
static void read_file(survey_work *w, const dataset_file *file)
{
    survey_file f = {.path = file->path};
    w->status = line_reader_open(&w->lines, file->path, file->kind, NULL);
    if (w->status) {
        w->what = file->path;
        return;
    }
    read_lines(w, &f);
    line_reader_close(&w->lines);
    if (!f.rows && !w->status)
        report_problem(w, f.path, 0, STR("the file is empty"));
    VEC_PUSH(w->s->a, &w->s->files, f);
}

/* --- all ----------------------------------------------------------------------------------- */

static void run_guarded(void *arg)
{
    survey_work *w = arg;
    survey_init(w->s, w->s->a);
    line_reader_init(&w->lines, w->s->a->m);
    for (uint32_t i = 0; i < w->o->npaths && !w->status; i++)
        w->status = list_path(w, w->o->paths[i]);
    for (uint32_t i = 0; i < w->list.files.n && !w->status; i++)
        read_file(w, &w->list.files.v[i]);
    if (!w->status)
        survey_finish(w->s);
}

/* Lists and tallies live in `a`; what only reading needs, the reader and the tree of the record in
 * work, is freed here however the survey ends. */
int survey_run(arena *a, const survey_options *o, survey *s, const char **message)
{
    survey_work w = {.o = o, .s = s, .lines = {.fd = -1}, .what = ""};
    *s = (survey){.a = a};
    if (!mem_try(a->m, run_guarded, &w))
        w.status = STATUS_MEMORY;
    line_reader_clear(&w.lines);
    survey_clear(s);
    *message = w.what;
    return w.status;
}
