/* SPDX-License-Identifier: Apache-2.0 */
/* weft_validate: data sets checked by validate/, what is wrong with them handed to the caller as it
 * is found, and the figures of each check at the end.
 *
 *     record 7 of a.jsonl is not JSON
 *     ->   o.problem({"a.jsonl", 7, id "", check "schema", reason "not JSON: ..."})
 *     ->   out.checks[] {"schema", problems 1}, ..., status WEFT_OK: what was found is in `out`
 *
 * Threads of validate/ report to the calling thread, so the caller's functions need no locks. */
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "api/callbacks.h"
#include "base/c_locale.h"
#include "base/run_status.h"
#include "collect/files.h"
#include "launch/device.h"
#include "validate/validate.h"

/* One call. */
typedef struct validation {
    weft_validate_options o;
    validate_options options;
    weft_callbacks say; /* o.message and o.arg, for callbacks_fail */
    weft_validation found;
    mem m;
    arena a;
    device device;
    bool stop; /* the caller returned other than 0: nothing more is reported */
    weft_status status;
} validation;

/* A copy with a NUL behind it, for the caller. */
static const char *terminated(validation *v, str s)
{
    return arena_dup(&v->a, s.p, s.n);
}

/* Copies last for the call only. After the caller stopped the task, nothing more is reported. */
static void on_problem(void *arg, const validate_problem *p)
{
    validation *v = arg;
    WEFT_ASSERT(p->file && p->check < VALIDATE_CHECKS);
    if (v->stop || !v->o.problem)
        return;
    const arena_mark mark = arena_save(&v->a);
    const weft_problem problem = {.file = p->file,
                                  .line = p->line,
                                  .id = terminated(v, p->id),
                                  .check = validate_check_name(p->check),
                                  .reason = terminated(v, p->reason)};
    v->stop = v->o.problem(v->o.arg, &problem) != 0;
    arena_rewind(&v->a, mark);
}

/* False ends the checks.
 *
 *     the function of the caller returned 1   ->   v->stop, and then WEFT_STOPPED */
static bool on_progress(void *arg, const validate_result *r)
{
    validation *v = arg;
    if (!v->stop && v->o.progress)
        v->stop = v->o.progress(v->o.arg, r->records) != 0;
    return !v->stop;
}

/* Every check is listed, whether it ran or not.
 *
 *     {"schema", problems 1, done 1}, ..., {"device", problems 0, done 0} */
static void take_figures(weft_validation *out, const validate_result *r, unsigned checks)
{
    _Static_assert(VALIDATE_CHECKS <= sizeof out->checks / sizeof *out->checks, "room for all");
    out->records = r->records;
    out->ok = r->ok;
    out->files = r->files;
    out->bytes = r->bytes;
    out->problems = r->problems;
    out->seconds = r->seconds;
    out->check_count = VALIDATE_CHECKS;
    for (int i = 0; i < VALIDATE_CHECKS; i++) {
        out->checks[i].name = validate_check_name((validate_check)i);
        out->checks[i].what = validate_check_what((validate_check)i);
        out->checks[i].problems = r->bad[i];
        out->checks[i].done = checks >> i & 1;
    }
}

/* A data set with problems is a success: they are in the figures. */
static weft_status report_end(validation *v, const validate_result *r, int end)
{
    weft_validation *out = &v->found;
    const char *path = r->message ? r->message : "";
    const char *why = end > 0 ? error_text(end) : "stopped";
    if (v->stop)
        return WEFT_STOPPED;
    if (end == STATUS_OK)
        return WEFT_OK;
    if (end == STATUS_MEMORY)
        return callbacks_fail(&v->say, WEFT_NO_MEMORY,
                              "out of memory, or no thread could be started");
    snprintf(out->message, sizeof out->message, "cannot read '%.150s': %s", path, why);
    return callbacks_fail(&v->say, WEFT_IO_ERROR, "cannot read '%s': %s", path, why);
}

/* A device serves one thread: with one there is a single job. It is opened here, under mem_try, and
 * closed by weft_validate whatever the end was. found.lost says why nothing
 * more ran on a device that was lost on the way. */
static void run(void *arg)
{
    validation *v = arg;
    validate_result r;
    const char *why = NULL;
    if (v->o.device) {
        if (!device_open(&v->device, &v->a, v->o.package_dirs, (uint32_t)v->o.package_dir_count,
                         &why)) {
            snprintf(v->found.message, sizeof v->found.message, "%.250s", why);
            v->status = callbacks_fail(&v->say, WEFT_IO_ERROR, "--device cuda: %s", why);
            return;
        }
        v->options.device = &v->device;
        v->options.checks |= 1u << VALIDATE_DEVICE;
        v->options.jobs = 1;
    }
    v->options.ndirs =
        files_site_folders(&v->a, v->o.package_dirs, v->o.package_dir_count, &v->options.dirs);
    const int end = validate_run(&v->a, &v->options, &r);
    take_figures(&v->found, &r, v->options.checks);
    v->status = report_end(v, &r, end);
    if (v->o.device && v->device.gpu.lost)
        snprintf(v->found.lost, sizeof v->found.lost, "%.500s", v->device.gpu.why);
}

/* False: there is no such check. */
static bool choose_checks(validation *v)
{
    str unknown;
    if (validate_choose_checks(v->o.checks, &v->options.checks, &unknown))
        return true;
    const int n = (int)(unknown.n < 100 ? unknown.n : 100);
    const char *fmt = unknown.n ? "unknown check '%.*s'" : "no check given%.*s";
    const char *names[VALIDATE_CHECKS];
    int known = 0;
    snprintf(v->found.message, sizeof v->found.message, fmt, n, unknown.p);
    for (int i = 0; i < VALIDATE_CHECKS; i++)
        if (i != VALIDATE_DEVICE)
            names[known++] = validate_check_name((validate_check)i);
    callbacks_unknown(&v->say, "check", unknown, v->o.checks, names, known);
    return false;
}

/* The figures are given whatever the end was, also the message of a wrong argument. */
weft_status weft_validate(const char *const *paths, size_t count,
                          const weft_validate_options *options, weft_validation *out)
{
    validation v = {.found = {.size = sizeof v.found}, .status = WEFT_BAD_ARGUMENT};
    if (!paths || !count || count > UINT32_MAX || !out || out->size < sizeof out->size ||
        !api_take_options(&v.o, sizeof v.o, options))
        return WEFT_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (!paths[i])
            return WEFT_BAD_ARGUMENT;
    v.say = (weft_callbacks){.message = v.o.message, .arg = v.o.arg};
    v.options = (validate_options){.report = on_problem,
                                   .progress = on_progress,
                                   .arg = &v,
                                   .paths = paths,
                                   .npaths = (uint32_t)count,
                                   .jobs = api_jobs(v.o.jobs)};
    if (choose_checks(&v)) {
        mem_init(&v.m);
        arena_init(&v.a, &v.m);
        if (!mem_try(&v.m, run, &v))
            v.status = callbacks_fail(&v.say, WEFT_NO_MEMORY, "out of memory");
        if (v.o.device)
            device_close(&v.device);
        mem_clear(&v.m);
    }
    api_give(out, out->size, &v.found, sizeof v.found);
    return v.status;
}
