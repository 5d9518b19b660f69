/* SPDX-License-Identifier: Apache-2.0 */
/* weft_merge: the folders of a run's parts (generate --shard I/N) read, put in order, and joined by
 * curate/merge.c into the data set that one machine makes.
 *
 *     generate --count 40 --shard 1/2 --output p1     generate --count 40 --shard 2/2 --output p2
 *     merge p1 p2 --output all    ->   the files that generate --count 40 --output all writes
 *
 * Sets that no run of parts made are joined instead: collected ones with each other and with
 * generated ones, as weft dedup writes them. The first of two equal structures stays.
 *
 * A part is known by the command that its folder records. Everything is checked before the first
 * file is written: all parts present once, of one run, their indexes without a gap, the same PTX
 * compiler, the same --exclude. */
#include <errno.h>
#include <string.h>

#include "api/api.h"
#include "api/run_options.h"
#include "api/run_report.h"
#include "base/c_locale.h"
#include "base/file.h"
#include "base/json_peek.h"
#include "base/run_status.h"
#include "curate/merge.h"
#include "curate/split.h"
#include "store/dataset_files.h"
#include "store/store_command.h"

enum { MEMORY_MB = 256, MEMORY_MOST = 1 << 20 };

/* One call. */
typedef struct merge_request {
    mem m;
    arena a;
    const char *const *folders;
    weft_merge_options w;
    weft_callbacks c;
    void (*made)(void *arg, const weft_generated *made);
    merge_options merge;
    ptx_tools tools;
    weft_status status;
} merge_request;

/* The command without --shard: the same for all parts of one run.
 *
 *     generate --count 40 --seed 7 --shard 2/2   ->   generate --count 40 --seed 7 */
static const char *whole_command(arena *a, const char *command)
{
    return store_command_without(a, command, " --shard ");
}

/* A message that begins with the folder that is at fault. */
static weft_status refuse(const merge_request *r, const merge_part *p, const char *what)
{
    return callbacks_fail(&r->c, WEFT_BAD_ARGUMENT, "%s: %s", p->folder, what);
}

/* Puts the parts in order; each must be there once, and be of one run.
 *
 *     folders   p2 (part 2 of 2), p1 (part 1 of 2)   ->   p1, p2
 *               p1 (part 1 of 2)                     ->   part 2 of 2 is missing */
static weft_status order_parts(merge_request *r)
{
    arena *a = &r->a;
    merge_part *parts = r->merge.parts;
    const uint32_t n = r->merge.nparts;
    WEFT_ASSERT(n > 0);
    merge_part *sorted = ARENA_ARRAY(a, merge_part, n);
    const char *command = whole_command(a, parts[0].command);
    memset(sorted, 0, n * sizeof *sorted);
    for (uint32_t i = 0; i < n; i++) {
        const merge_part *p = &parts[i];
        WEFT_ASSERT(p->part >= 1 && p->folder);
        if (i && p->parts == 1 && parts[0].parts == 1)
            return callbacks_fail(&r->c, WEFT_BAD_ARGUMENT,
                                  "%s and %s are whole data sets, not parts of one run; to join "
                                  "them: weft dedup %s %s --output DIR",
                                  parts[0].folder, p->folder, parts[0].folder, p->folder);
        if (strcmp(whole_command(a, p->command), command) != 0 || p->parts != parts[0].parts)
            return refuse(r, p, "it is part of another run than the first folder");
        if (p->part <= n && sorted[p->part - 1].folder)
            return refuse(r, p, "another folder is the same part");
        if (p->part <= n)
            sorted[p->part - 1] = *p;
    }
    for (uint32_t i = 0; i < parts[0].parts; i++)
        if (i >= n || !sorted[i].folder)
            return callbacks_fail(&r->c, WEFT_BAD_ARGUMENT, "part %u of %u is missing", i + 1,
                                  parts[0].parts);
    memcpy(parts, sorted, n * sizeof *parts);
    return WEFT_OK;
}

/* Indexes of the parts must follow each other without a gap, up to the run's count.
 *
 *     parts of 20 rows each:   first 0, 20; next is 40 at the end, which must be --count */
static weft_status check_run(const merge_request *r)
{
    uint64_t next = 0;
    const merge_part *parts = r->merge.parts;
    for (uint32_t i = 0; i < r->merge.nparts; i++) {
        uint64_t rows = 0;
        for (uint32_t k = 0; k < parts[i].shards.n; k++)
            rows += parts[i].shards.v[k].rows;
        if (parts[i].first != next || rows != parts[i].rows)
            return refuse(r, &parts[i], "its indexes do not go on where the part before ends");
        next += rows;
    }
    return next == r->merge.o.count ? WEFT_OK
                                    : refuse(r, &parts[0], "the parts are not the whole run");
}

/* The first folder that cannot be read, or holds no part of a run, ends the merge. */
static weft_status look_at_parts(merge_request *r)
{
    const char *message;
    for (uint32_t i = 0; i < r->merge.nparts; i++) {
        dataset_place place;
        if (!dataset_look(r->folders[i], &place) && !place.there)
            return callbacks_fail(&r->c, WEFT_IO_ERROR, "cannot read '%s': %s", r->folders[i],
                                  error_text(ENOENT));
        const int error = merge_look(&r->a, r->folders[i], &r->merge.parts[i], &message);
        if (error != STATUS_OK)
            return callbacks_fail(&r->c, error > 0 ? WEFT_IO_ERROR : WEFT_INPUT_ERRORS, "%s",
                                  message);
    }
    return WEFT_OK;
}

/* The run that the parts are of, with what it excludes. */
static weft_status read_run(merge_request *r)
{
    const merge_part *first = &r->merge.parts[0];
    record_options *o = &r->merge.o;
    const run_packages packages = {r->w.package_dirs, r->w.package_dir_count, r->w.warp_include};
    const char *command = whole_command(&r->a, first->command);
    if (!store_read_command(&r->a, command, r->w.output, o))
        return refuse(r, first, "its command cannot be read");
    o->jobs = api_jobs(0);
    weft_status status = check_run(r);
    if (status == WEFT_OK)
        status = run_options_open_ptx(&r->a, &r->tools, &packages, &r->c, o);
    if (status == WEFT_OK)
        status = run_options_exclude(&r->a, r->w.exclude, r->w.exclude_count, true, &r->c, o);
    if (status != WEFT_OK || store_is_command(&r->a, command, o))
        return status;
    return refuse(r, first, "it was made with another --exclude than is given here");
}

/* Merging writes into a new folder and cannot be resumed: an interrupted one starts again.
 *
 *     errno of a shard    WEFT_IO_ERROR        damaged part      WEFT_INPUT_ERRORS
 *     output not empty    WEFT_BAD_ARGUMENT    interrupted       WEFT_STOPPED */
static weft_status report_end(const merge_request *r, const run_reporter *t,
                              const merge_result *found, int end)
{
    if (end > 0 && end != EINTR)
        return callbacks_fail(&r->c, WEFT_IO_ERROR, "'%s': %s", found->run.failed, error_text(end));
    if (end == STATUS_REFUSED)
        return callbacks_fail(&r->c, found->taken ? WEFT_BAD_ARGUMENT : WEFT_INPUT_ERRORS, "%s",
                              found->run.message ? found->run.message : "refused");
    if (end == STATUS_STOPPED || end == EINTR) /* EINTR: while it waited for a pipe */
        return callbacks_fail(&r->c, WEFT_STOPPED, "interrupted; the same command begins anew");
    return run_report_end(t, &found->run, end);
}

/* Was the folder's set collected, or made of other sets? Its records are no run's, then. */
static bool is_composed(merge_request *r, const char *folder)
{
    str text, schema;
    return file_read(&r->a, path_join(&r->a, folder, STR("manifest.json")), &text) == 0 &&
           json_peek(text, "schema", &schema) &&
           (str_eq(schema, STR("\"" DEDUP_SCHEMA "\"")) ||
            str_eq(schema, STR("\"" SPLIT_SCHEMA "\"")));
}

/* False stops the run. */
static bool on_join(void *arg, uint64_t records)
{
    const merge_request *r = arg;
    const weft_progress progress = {.done = records};
    return !r->c.progress || r->c.progress(r->c.arg, &progress) == 0;
}

/* Sets written one after another, without duplicates. */
static void join(merge_request *r)
{
    dedup all;
    split_result found;
    const split_options o = {.paths = r->folders,
                             .npaths = r->merge.nparts,
                             .output = r->w.output,
                             .dedup = &all,
                             .merge = true,
                             .ratios = split_none(),
                             .progress = on_join,
                             .arg = r};
    if (r->w.exclude_count) {
        r->status = callbacks_fail(&r->c, WEFT_BAD_ARGUMENT,
                                   "--exclude goes with the parts of a run, and these are sets");
        return;
    }
    dedup_init(&all, &r->m, 0);
    callbacks_begin(&r->c);
    const int end = split_run(&r->a, &o, &found);
    r->status = callbacks_end(&r->c, o.output, found.message, end);
    if (r->status == WEFT_OK && r->made) {
        /* no categories: the command tells a joined set by that */
        const weft_generated made = {.rows = found.rows,
                                     .bytes = found.bytes,
                                     .moved = all.duplicates,
                                     .seconds = found.seconds};
        r->made(r->c.arg, &made);
    }
    dedup_clear(&all);
}

/* In the order of the file's head; every step reports its own failure. */
static void merge(void *arg)
{
    merge_request *r = arg;
    merge_result found;
    run_reporter t = {.c = &r->c, .o = &r->merge.o};
    for (uint32_t i = 0; i < r->merge.nparts; i++)
        if (is_composed(r, r->folders[i])) {
            join(r);
            return;
        }
    r->merge.parts = ARENA_ARRAY(&r->a, merge_part, r->merge.nparts);
    r->merge.memory = (r->w.memory_mb ? r->w.memory_mb : MEMORY_MB) << 20;
    if ((r->status = look_at_parts(r)) != WEFT_OK || (r->status = order_parts(r)) != WEFT_OK ||
        (r->status = read_run(r)) != WEFT_OK)
        return;
    r->merge.o.progress = run_report_progress;
    r->merge.o.progress_arg = &t;
    callbacks_begin(&r->c);
    const int end = merge_run(&r->a, &r->merge, &found);
    r->status = report_end(r, &t, &found, end);
    if (r->status == WEFT_OK && r->made)
        run_report_made(&t, &r->a, &found.run, found.moved, r->made);
}

/* One mem for the whole call: nothing of it stays. */
weft_status weft_merge(const char *const *folders, size_t count, const weft_merge_options *options,
                       const weft_callbacks *callbacks,
                       void (*made)(void *arg, const weft_generated *made))
{
    merge_request r = {.folders = folders, .made = made};
    if (!folders || !count || count > UINT32_MAX || !options ||
        !api_take_options(&r.w, sizeof r.w, options) || !callbacks_take(&r.c, callbacks) ||
        !r.w.output || r.w.memory_mb > MEMORY_MOST)
        return WEFT_BAD_ARGUMENT;
    mem_init(&r.m);
    r.m.waiting = r.c.waiting;
    r.m.waiting_arg = r.c.arg;
    arena_init(&r.a, &r.m);
    r.merge.nparts = (uint32_t)count;
    if (!mem_try(&r.m, merge, &r))
        r.status = callbacks_fail(&r.c, WEFT_NO_MEMORY, "out of memory");
    ptx_tools_close(&r.tools);
    mem_clear(&r.m);
    return r.status;
}
