/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a report (weft report): surveys the records, chooses samples on the way, reads stats.json
 * and manifest.json beside them, and writes one HTML page.
 *
 *     DIR   ->   <!DOCTYPE html>...
 *
 * The records are read once and not kept: their figures go to a survey, and a fixed number of lines
 * to the samples. The page is written when all records have been read, since its first section
 * needs the totals. */
#include "report/report.h"

#include <errno.h>

#include "base/file.h"
#include "base/json_tree.h"
#include "base/run_status.h"
#include "report/report_program.h"
#include "report/report_speed.h"

/* A report in work. */
typedef struct report_work {
    const report_options *o;
    survey *s; /* the caller's, filled while the records are read */
    arena *a;  /* of the page's parts, and of the trees of the two JSON files */
    strbuf *b; /* the page is appended here */
    samples samples;
    report_programs programs;
    const json_value *stats, *manifest; /* NULL: there is none, or it is damaged */
    int status;                         /* STATUS_..., or an errno value */
    const char *message;                /* the path that an errno value is about */
} report_work;

/* The three functions below are the callbacks of survey_run; `arg` is the report_work. The first
 * two pass on to the caller's own, which may be NULL. */

static void on_problem(void *arg, const survey_problem *p)
{
    const report_work *w = arg;
    if (w->o->report)
        w->o->report(w->o->arg, p);
}

static bool on_progress(void *arg, const survey *s)
{
    const report_work *w = arg;
    return !w->o->progress || w->o->progress(w->o->arg, s);
}

static void on_record(void *arg, str line, const json_value *json)
{
    report_work *w = arg;
    samples_take(&w->samples, line, json);
}

/* A JSON object beside the data; NULL if there is none. A damaged file, or one that holds another
 * value, is reported as a problem ("no JSON object: the file is left out"); one that cannot be read
 * sets w->status and ends the report. ENOTDIR: o->path is a file, which has nothing beside it. */
static const json_value *read_beside(report_work *w, const char *name)
{
    WEFT_ASSERT(!w->status);
    strbuf path, why;
    str text;
    sb_init(&path, w->a->m);
    sb_init(&why, w->a->m);
    sb_printf(&path, "%s/%s", w->o->path, name);
    const int error = file_read(w->a, sb_cstr(&path), &text);
    const json_value *json = error ? NULL : json_read(w->a, text, &why);
    if (!error && !json_is(json, JSON_TYPE_OBJECT)) {
        if (json) /* of another type: json_read has no reason */
            SB_LIT(&why, "no JSON object");
        SB_LIT(&why, ": the file is left out");
        const survey_problem p = {sb_cstr(&path), 0, sb_view(&why)};
        w->s->problems++;
        on_problem(w, &p);
        json = NULL;
    }
    if (error && error != ENOENT && error != ENOTDIR) {
        w->status = error;
        w->message = arena_dup(w->a, path.p, path.n);
    }
    return json;
}

/* Reads the two JSON files, measures the speed where the options request it, and writes the page.
 * Runs in a guard of the arena's memory, after the whole survey. */
static void finish(void *arg)
{
    report_work *w = arg;
    report_speed *speed = NULL;
    w->stats = read_beside(w, "stats.json");
    if (!w->status)
        w->manifest = read_beside(w, "manifest.json");
    if (!w->status && w->o->read_command) {
        speed = ARENA_NEW(w->a, report_speed);
        w->status = report_measure(w->a, w->o, w->s, w->manifest, speed);
    }
    if (w->status)
        return;
    report_page page = {.b = w->b,
                        .a = w->a,
                        .o = w->o,
                        .s = w->s,
                        .samples = &w->samples,
                        .programs = &w->programs,
                        .stats = w->stats,
                        .manifest = w->manifest,
                        .speed = speed};
    report_put_page(&page);
    if (page.stopped)
        w->status = STATUS_STOPPED;
}

/* The survey guards its own memory (survey_run), and finish() is guarded here: memory that runs out
 * in either ends as STATUS_MEMORY. */
int report_run(arena *a, const report_options *o, survey *s, strbuf *b, const char **message)
{
    report_work w = {
        .o = o, .s = s, .a = a, .b = b, .samples = {.a = a, .wanted = o->samples}, .message = ""};
    const survey_options so = {.paths = &o->path,
                               .npaths = 1,
                               .report = on_problem,
                               .progress = on_progress,
                               .record = on_record,
                               .arg = &w};
    w.status = survey_run(a, &so, s, &w.message);
    if (!w.status && !mem_try(a->m, finish, &w))
        w.status = STATUS_MEMORY;
    report_programs_clear(&w.programs);
    *message = w.message;
    return w.status;
}
