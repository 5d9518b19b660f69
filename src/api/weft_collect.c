/* SPDX-License-Identifier: Apache-2.0 */
/* weft_collect: kernels of folders and packages as a data set, by collect/.
 *
 *     {.output = "set"}, {"src", "warp"}   ->   kernels found, records, and why others are none */
#include <string.h>

#include "api/api.h"
#include "api/run_options.h"
#include "base/c_locale.h"
#include "base/run_status.h"
#include "collect/collect.h"
#include "record/spdx.h"
#include "weft_collect.h"

/* One call of weft_collect. */
typedef struct collect_request {
    mem m;
    arena a;
    weft_collect_options w;
    weft_callbacks c;
    collect_options o;
    weft_collected found;
    weft_status status;
} collect_request;

/* False stops the run. */
static bool on_progress(void *arg, uint64_t done, uint64_t of)
{
    const collect_request *r = arg;
    const weft_progress progress = {.done = done, .total = of};
    return !r->c.progress || r->c.progress(r->c.arg, &progress) == 0;
}

/* What collecting shares with generating is checked by the same functions. */
static weft_status read_options(collect_request *r)
{
    const weft_collect_options *w = &r->w;
    const weft_generate_options run = {.size = sizeof run,
                                       .output = w->output,
                                       .devices = w->devices,
                                       .no_backward = w->no_backward,
                                       .no_verify = w->no_verify,
                                       .near = w->near,
                                       .compress = w->compress,
                                       .jobs = w->jobs,
                                       .shard_rows = w->shard_rows,
                                       .license = w->license,
                                       .messages = w->messages,
                                       .tasks = w->tasks,
                                       .warp = w->warp,
                                       .format = w->format,
                                       .cpu_shim = w->cpu_shim,
                                       .mix = "exercise=1", /* none of a composed one's fields */
                                       .count = 1};
    if (!w->output)
        return callbacks_misuse(&r->c, "--output is missing");
    str near, unknown = w->licenses ? spdx_unknown_id(&r->a, w->licenses, &near) : STR("");
    if (unknown.n)
        return callbacks_misuse(&r->c, "--licenses: SPDX has no id '%.*s'%s%.*s%s", (int)unknown.n,
                                unknown.p, near.n ? ": did you mean '" : "", (int)near.n, near.p,
                                near.n ? "'?" : "");
    weft_status status = run_options_read(&r->a, &run, &r->c, &r->o.record);
    if (status == WEFT_OK)
        status =
            run_options_exclude(&r->a, w->exclude, w->exclude_count, true, &r->c, &r->o.record);
    r->o.record.collected = true;
    r->o.record.count = 0;
    r->o.dirs = w->include_dirs;
    r->o.ndirs = w->include_dir_count;
    r->o.licenses = w->licenses;
    r->o.resume = w->resume;
    r->o.progress = on_progress;
    r->o.arg = r;
    return status;
}

static void take_counts(weft_collected *out, const collect_outcome *found)
{
    _Static_assert(sizeof out->skipped / sizeof *out->skipped >= COLLECT_SKIPS, "room for all");
    _Static_assert(sizeof out->proofs / sizeof *out->proofs > CHECK_STATUSES, "room for all");
    out->files = found->files;
    out->unlicensed = found->unlicensed;
    out->kernels = found->kernels;
    out->records = found->records;
    out->seconds = found->seconds;
    out->complete = found->complete;
    out->unloaded = found->unloaded;
    for (int i = 1; i < COLLECT_SKIPS; i++)
        if (found->skipped[i])
            out->skipped[out->skipped_count++] = (weft_count){
                .name = collect_skip_name((collect_skip)i), .records = found->skipped[i]};
    for (int i = 0; i <= CHECK_STATUSES; i++)
        if (found->status[i])
            out->proofs[out->proof_count++] = (weft_count){
                .name = i < CHECK_STATUSES ? check_status_name((check_status)i) : "not_run",
                .records = found->status[i]};
}

static void run(void *arg)
{
    collect_request *r = arg;
    collect_outcome found;
    if ((r->status = read_options(r)) != WEFT_OK)
        return;
    callbacks_begin(&r->c);
    const int end = collect_run(&r->a, &r->o, &found);
    r->status = found.can_resume
                    ? callbacks_fail(&r->c, WEFT_STOPPED,
                                     "interrupted; the same command with --resume goes on from "
                                     "there")
                    : callbacks_end(&r->c, r->o.record.output, found.message, end);
    if (r->status == WEFT_OK && found.unread)
        callbacks_say(&r->c, WEFT_CAUTION,
                      "%llu Python file%s left out: %s not recognised as a licence",
                      (unsigned long long)found.unread, found.unread == 1 ? " is" : "s are",
                      found.unread_licenses);
    if (r->status == WEFT_OK && found.custom_license)
        callbacks_say(&r->c, WEFT_CAUTION,
                      "%llu Python file%s left out: %s, and what that allows is not known",
                      (unsigned long long)found.custom, found.custom == 1 ? " is" : "s are",
                      found.custom_license);
    take_counts(&r->found, &found);
}

weft_status weft_collect(const char *const *paths, size_t count,
                         const weft_collect_options *options, const weft_callbacks *callbacks,
                         weft_collected *out)
{
    collect_request r = {.status = WEFT_NO_MEMORY};
    if (!paths || !count || !options || !out || out->size < sizeof out->size ||
        !api_take_options(&r.w, sizeof r.w, options) || !callbacks_take(&r.c, callbacks))
        return WEFT_BAD_ARGUMENT;
    mem_init(&r.m);
    r.m.waiting = r.c.waiting;
    r.m.waiting_arg = r.c.arg;
    arena_init(&r.a, &r.m);
    r.o.paths = paths;
    r.o.npaths = count;
    if (!mem_try(&r.m, run, &r))
        r.status = callbacks_fail(&r.c, WEFT_NO_MEMORY, "out of memory");
    mem_clear(&r.m);
    api_give(out, out->size, &r.found, sizeof r.found);
    return r.status;
}
