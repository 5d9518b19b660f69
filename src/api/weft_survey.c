/* SPDX-License-Identifier: Apache-2.0 */
/* weft_stats and weft_report: data sets counted by report/, as a table, as members of a JSON
 * object, or as a page. The first lines of a table:
 *
 *     20 records in 1 file, 211.8 kB (211775 bytes)
 *     bytes a record: min 5094, median 8785, mean 10589, max 22761 */
#include <string.h>

#include "api/api.h"
#include "api/callbacks.h"
#include "base/c_locale.h"
#include "base/run_status.h"
#include "make/make.h"
#include "report/report.h"
#include "store/store_command.h"

/* One call of weft_stats or weft_report. */
typedef struct survey_request {
    mem m;
    arena a;
    const char *const *paths;
    size_t npaths;
    weft_callbacks c;
    bool json;
    weft_report_options o;
    bool stopped; /* by `problem` */
    void (*write)(void *arg, const char *text, size_t size);
    weft_status status;
} survey_request;

/* The copy of the reason lasts for the call only: a data set may have many problems. */
static void on_problem(void *arg, const survey_problem *p)
{
    survey_request *r = arg;
    WEFT_ASSERT(p->file);
    if (!r->c.problem || r->stopped)
        return;
    const arena_mark mark = arena_save(&r->a);
    const weft_problem problem = {.file = p->file,
                                  .line = p->line,
                                  .id = "",
                                  .check = "",
                                  .reason = arena_dup(&r->a, p->reason.p, p->reason.n)};
    r->stopped = r->c.problem(r->c.arg, &problem) != 0;
    arena_rewind(&r->a, mark);
}

/* False ends the survey. */
static bool on_progress(void *arg, const survey *so_far)
{
    const survey_request *r = arg;
    const weft_progress progress = {.done = so_far->records};
    return !r->stopped && (!r->c.progress || r->c.progress(r->c.arg, &progress) == 0);
}

/* Damaged records are counted and reported, and do not end the survey.
 *
 *     two damaged records   ->   the table of the others, and WEFT_INPUT_ERRORS */
static weft_status report_end(const survey_request *r, int end, const survey *s,
                              const char *message)
{
    switch (end) {
    case STATUS_OK: return s->problems ? WEFT_INPUT_ERRORS : WEFT_OK;
    case STATUS_STOPPED: return WEFT_STOPPED;
    case STATUS_MEMORY: return callbacks_fail(&r->c, WEFT_NO_MEMORY, "out of memory");
    default:
        return callbacks_fail(&r->c, WEFT_IO_ERROR, "cannot read '%s': %s", message,
                              error_text(end));
    }
}

/* Nothing is handed over after a failure: half a table is worse than none. */
static void give(const survey_request *r, const strbuf *text)
{
    if (r->write && (r->status == WEFT_OK || r->status == WEFT_INPUT_ERRORS))
        r->write(r->c.arg, text->p, text->n);
}

/* --- figures --------------------------------------------------------------------------------- */

/* For mem_try: weft_stats. */
static void count(void *arg)
{
    survey_request *r = arg;
    survey s;
    strbuf text;
    const char *message;
    const survey_options o = {.paths = r->paths,
                              .npaths = (uint32_t)r->npaths,
                              .report = on_problem,
                              .progress = on_progress,
                              .arg = r};
    sb_init(&text, &r->m);
    const int end = survey_run(&r->a, &o, &s, &message);
    r->status = report_end(r, end, &s, message);
    if (r->status == WEFT_OK || r->status == WEFT_INPUT_ERRORS) {
        if (r->json)
            survey_put_json(&text, &s);
        else
            survey_put_table(&text, &s);
    }
    give(r, &text);
    sb_clear(&text);
}

/* --- the page -------------------------------------------------------------------------------- */

/* For --measure: the options of the run that made the set, from its command. --exclude is left out,
 * as the excluded files need not be on this machine. */
static bool read_command(void *arg, const char *command, record_options *o)
{
    survey_request *r = arg;
    const char *bare = store_command_without(&r->a, command, " --exclude ");
    const bool good = store_read_command(&r->a, bare, ".", o) && store_is_command(&r->a, bare, o);
    o->jobs = api_jobs(0);
    return good;
}

/* How many records the page shows. */
static uint32_t samples_of(const weft_report_options *o)
{
    if (o->samples == WEFT_REPORT_NO_SAMPLES)
        return 0;
    return o->samples ? (uint32_t)o->samples : SAMPLES;
}

/* For mem_try: weft_report. */
static void put_page(void *arg)
{
    survey_request *r = arg;
    survey s;
    strbuf page;
    const char *message;
    const report_options o = {.path = r->paths[0],
                              .samples = samples_of(&r->o),
                              .report = on_problem,
                              .progress = on_progress,
                              .read_command = r->o.measure ? read_command : NULL,
                              .arg = r};
    sb_init(&page, &r->m);
    const int end = report_run(&r->a, &o, &s, &page, &message);
    r->status = report_end(r, end, &s, message);
    if (s.records || !s.problems) /* a page of problems alone shows nothing */
        give(r, &page);
    sb_clear(&page);
}

/* --- both ------------------------------------------------------------------------------------ */

/* Both calls: checks what the caller gave and runs within one mem. */
static weft_status start(survey_request *r, void (*what)(void *), const weft_callbacks *callbacks)
{
    if (!r->paths || !r->npaths || r->npaths > UINT32_MAX || !callbacks_take(&r->c, callbacks))
        return WEFT_BAD_ARGUMENT;
    for (size_t i = 0; i < r->npaths; i++)
        if (!r->paths[i])
            return WEFT_BAD_ARGUMENT;
    mem_init(&r->m);
    r->m.waiting = r->c.waiting;
    r->m.waiting_arg = r->c.arg;
    arena_init(&r->a, &r->m);
    if (!mem_try(&r->m, what, r))
        r->status = callbacks_fail(&r->c, WEFT_NO_MEMORY, "out of memory");
    mem_clear(&r->m);
    return r->status;
}

/* The figures come as one text, as a table or as members of a JSON object. */
weft_status weft_stats(const char *const *paths, size_t n, int json,
                       const weft_callbacks *callbacks,
                       void (*write)(void *arg, const char *text, size_t size))
{
    survey_request r = {.paths = paths, .npaths = n, .json = json != 0, .write = write};
    return start(&r, count, callbacks);
}

/* One data set as a page of HTML. */
weft_status weft_report(const char *path, const weft_report_options *options,
                        const weft_callbacks *callbacks,
                        void (*write)(void *arg, const char *page, size_t size))
{
    survey_request r = {.paths = &path, .npaths = 1, .write = write};
    if ((options && !api_take_options(&r.o, sizeof r.o, options)) ||
        r.o.samples < WEFT_REPORT_NO_SAMPLES || r.o.samples > SAMPLES_MAX)
        return WEFT_BAD_ARGUMENT;
    return start(&r, put_page, callbacks);
}
