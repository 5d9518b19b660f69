/* Data sets checked, and what is wrong with them handed to the caller. */
#include <stdio.h>

#include "api/api.h"
#include "base/c_locale.h"
#include "validate/validate.h"

typedef struct validation {
    const weft_validate_options *o;
    weft_validation *out;
    arena arena;
    bool stop;
} validation;

static const char *terminated(validation *v, str s)
{
    return arena_dup(&v->arena, s.p, s.n);
}

static void on_problem(void *arg, const validate_problem *p)
{
    validation *v = arg;
    if (v->stop || !v->o->problem)
        return;
    const arena_mark mark = arena_save(&v->arena);
    const weft_problem problem = {.file = p->file,
                                  .line = p->line,
                                  .id = terminated(v, p->id),
                                  .check = validate_check_name(p->check),
                                  .reason = terminated(v, p->reason)};
    v->stop = v->o->problem(v->o->arg, &problem) != 0;
    arena_rewind(&v->arena, mark);
}

static bool on_progress(void *arg, const validate_result *r)
{
    validation *v = arg;
    if (!v->stop && v->o->progress)
        v->stop = v->o->progress(v->o->arg, r->records) != 0;
    return !v->stop;
}

/* The caller's struct may be older than ours. */
static void give(const validation *v, weft_validation *out)
{
    const size_t size = out->size;
    memcpy(out, v->out, size < sizeof *v->out ? size : sizeof *v->out);
    out->size = size;
}

static weft_status run(validation *v, const validate_options *o)
{
    validate_result r;
    const int end = validate_run(&v->arena, o, &r);
    weft_validation *out = v->out;
    out->records = r.records;
    out->ok = r.ok;
    out->files = r.files;
    out->bytes = r.bytes;
    out->problems = r.problems;
    if (v->stop)
        return WEFT_STOPPED;
    if (end == STATUS_OK)
        return WEFT_OK;
    if (end == STATUS_MEMORY)
        return WEFT_NO_MEMORY;
    snprintf(out->message, sizeof out->message, "cannot read '%.150s': %s",
             r.message ? r.message : "", end > 0 ? error_text(end) : "stopped");
    return WEFT_IO_ERROR;
}

weft_status weft_validate(const char *const *paths, size_t count,
                          const weft_validate_options *options, weft_validation *out)
{
    weft_validate_options w;
    weft_validation found = {.size = sizeof found};
    validation v = {.o = &w, .out = &found};
    validate_options o = {.report = on_problem, .progress = on_progress, .arg = &v, .paths = paths};
    str unknown;
    if (!paths || !count || count > UINT32_MAX || !out || out->size < sizeof out->size ||
        !api_take_options(&w, sizeof w, options))
        return WEFT_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (!paths[i])
            return WEFT_BAD_ARGUMENT;
    weft_status status = WEFT_BAD_ARGUMENT;
    if (validate_choose_checks(w.checks, &o.checks, &unknown)) {
        mem m;
        mem_init(&m);
        arena_init(&v.arena, &m);
        o.npaths = (uint32_t)count;
        o.jobs = api_jobs(w.jobs);
        status = run(&v, &o);
        mem_clear(&m);
    } else {
        snprintf(found.message, sizeof found.message,
                 unknown.n ? "unknown check '%.*s'" : "no check given%.*s",
                 (int)(unknown.n < 100 ? unknown.n : 100), unknown.p);
    }
    give(&v, out);
    return status;
}
