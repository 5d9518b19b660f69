/* SPDX-License-Identifier: Apache-2.0 */
/* weft_split and weft_dedup: records of data sets written into a new one, by curate/. Options are
 * checked here, so that callers from C and the program get the same sentences:
 *
 *     .ratios = "90,20"   ->   --ratios '90,20': they do not add up to 100  (WEFT_USAGE) */
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "api/callbacks.h"
#include "base/c_locale.h"
#include "base/run_status.h"
#include "curate/split.h"

/* One call of weft_split or weft_dedup. */
typedef struct subset_request {
    mem m;
    arena a;
    weft_subset_options w;
    weft_callbacks c;
    bool dedup;      /* else split */
    split_options o; /* what curate/ gets of w */
    weft_subset found;
    weft_status status; /* of the task, once it has run */
} subset_request;

/* False stops the run. */
static bool on_progress(void *arg, uint64_t records)
{
    const subset_request *r = arg;
    const weft_progress progress = {.done = records};
    return !r->c.progress || r->c.progress(r->c.arg, &progress) == 0;
}

/* Split and dedup share their options; dedup needs neither a folder nor ratios. */
static weft_status read_options(subset_request *r)
{
    const weft_subset_options *w = &r->w;
    if (w->license && !record_is_license(w->license))
        return callbacks_misuse(&r->c, "--license wants an id such as mit or cc0-1.0, not '%s'",
                                w->license);
    if (w->shard_rows > INT64_MAX || w->compress < WEFT_PLAIN || w->compress > WEFT_GZIP)
        return callbacks_misuse(&r->c, "unknown compression, or too many rows");
    if (w->near != 0 && !(w->near >= 0.5 && w->near <= 1.0))
        return callbacks_misuse(&r->c, "a similarity that counts as near is from 0.5 to 1");
    r->o.output = w->output;
    r->o.license = w->license;
    r->o.repack = w->repack != 0;
    r->o.compress = (pack_method)w->compress;
    r->o.shard_rows = w->shard_rows;
    r->o.progress = on_progress;
    r->o.arg = r;
    r->o.ratios = split_none();
    if (r->dedup)
        return WEFT_OK;
    if (!w->output)
        return callbacks_misuse(&r->c, "--output wants a folder");
    if (!w->ratios)
        return callbacks_misuse(&r->c, "--ratios is missing");
    const char *wrong = split_read_ratios(str_c(w->ratios), &r->o.ratios);
    return wrong ? callbacks_misuse(&r->c, "--ratios '%s': %s", w->ratios, wrong) : WEFT_OK;
}

/* Figures of each part, and what is left in all. */
static void take_parts(subset_request *r, const split_result *found)
{
    weft_subset *out = &r->found;
    WEFT_ASSERT(r->o.ratios.n <= sizeof out->parts / sizeof *out->parts);
    out->records = out->left = found->rows;
    out->seconds = found->seconds;
    out->part_count = r->o.ratios.n;
    for (uint32_t i = 0; i < out->part_count; i++) {
        out->parts[i].name = split_name(&r->o.ratios, i);
        out->parts[i].records = found->part[i].rows;
        out->parts[i].bytes = found->part[i].bytes;
    }
}

/* Figures of duplicates, and the same as JSON for callers that pass them on. */
static void take_dedup(subset_request *r, const dedup *w)
{
    weft_subset *out = &r->found;
    strbuf json;
    out->records = w->records;
    out->duplicates = w->duplicates;
    out->nears = w->nears;
    out->unread = w->unread;
    sb_init(&json, &r->m);
    dedup_put_json(&json, w);
    WEFT_ASSERT(json.n < sizeof out->json);
    snprintf(out->json, sizeof out->json, "%s", sb_cstr(&json));
    sb_clear(&json);
}

/* Under mem_try. The figures are taken whatever the end was: *out then says how far it came. */
static void run(void *arg)
{
    subset_request *r = arg;
    split_result found;
    dedup w;
    if ((r->status = read_options(r)) != WEFT_OK)
        return;
    if (r->dedup) {
        dedup_init(&w, &r->m, (uint32_t)(r->w.near * MINHASH_UNIT + 0.5));
        r->o.dedup = &w;
    }
    callbacks_begin(&r->c);
    const int end = split_run(&r->a, &r->o, &found);
    r->status = callbacks_end(&r->c, r->o.output, found.message, end);
    take_parts(r, &found);
    if (r->dedup) {
        take_dedup(r, &w);
        dedup_clear(&w);
    }
}

/* Both calls: checks what the caller gave, runs within one mem, fills *out whatever the end was. */
static weft_status start(subset_request *r, const char *const *paths, size_t count,
                         const weft_subset_options *options, const weft_callbacks *callbacks,
                         weft_subset *out)
{
    if (!paths || !count || count > UINT32_MAX || !options || !out ||
        out->size < sizeof out->size || !api_take_options(&r->w, sizeof r->w, options) ||
        !callbacks_take(&r->c, callbacks))
        return WEFT_BAD_ARGUMENT;
    mem_init(&r->m);
    r->m.waiting = r->c.waiting;
    r->m.waiting_arg = r->c.arg;
    arena_init(&r->a, &r->m);
    r->o.paths = paths;
    r->o.npaths = (uint32_t)count;
    if (!mem_try(&r->m, run, r))
        r->status = callbacks_fail(&r->c, WEFT_NO_MEMORY, "out of memory");
    mem_clear(&r->m);
    api_give(out, out->size, &r->found, sizeof r->found);
    return r->status;
}

/* Parts by ratios; each record goes to one of them. */
weft_status weft_split(const char *const *paths, size_t count, const weft_subset_options *options,
                       const weft_callbacks *callbacks, weft_subset *out)
{
    subset_request r = {.dedup = false};
    return start(&r, paths, count, options, callbacks, out);
}

/* Without an output it counts what it would leave out. */
weft_status weft_dedup(const char *const *paths, size_t count, const weft_subset_options *options,
                       const weft_callbacks *callbacks, weft_subset *out)
{
    subset_request r = {.dedup = true};
    return start(&r, paths, count, options, callbacks, out);
}
