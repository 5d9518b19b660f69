/* SPDX-License-Identifier: Apache-2.0 */
/* Progress, ends and figures of runs, from what src/make and src/store count:
 *
 *     STATUS_REFUSED, "it holds another data set"
 *     ->   WEFT_ERROR "out: it holds another data set", WEFT_BAD_ARGUMENT
 *
 * Arrays in the public structs lie on the stack: they live until the callback returns. */
#include "api/run_report.h"

#include <string.h>

#include "api/api.h"
#include "base/c_locale.h"
#include "base/run_status.h"
#include "record/record_name.h"

/* Candidates that were executed and did not pass: the others were refused before, or for a
 * structure that is there already.
 *
 *     refused 10: compile 2, duplicate 3, inadequate 5   ->   5 */
static uint64_t failed_to_verify(const store_stats *s)
{
    static const stats_rejection others[] = {
        STATS_REJECT_COMPILE, STATS_REJECT_SIZE,   STATS_REJECT_EXCLUDED, STATS_REJECT_DUPLICATE,
        STATS_REJECT_NEAR,    STATS_REJECT_DEFECT, STATS_REJECT_LONG};
    uint64_t n = stats_rejected(s);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        n -= s->rejected[others[i]];
    return n;
}

/* The reasons for which candidates were refused at least once, into an array of STATS_REJECTIONS;
 * returns their number. */
static size_t count_refused(const store_stats *s, weft_count *out)
{
    size_t n = 0;
    for (uint32_t i = 0; i < STATS_REJECTIONS; i++)
        if (s->rejected[i])
            out[n++] = (weft_count){stats_rejection_name(i), s->rejected[i], 0};
    return n;
}

/* A candidate that was dropped as a duplicate had passed its proof: it counts as verified.
 *
 *     verified = records + duplicates + near duplicates + failed
 *     failed   = all that was refused, less what was refused for another reason than its proof */
bool run_report_progress(void *arg, const make_progress *p)
{
    const run_reporter *t = arg;
    const store_stats *s = &p->result->stats;
    weft_count refused[STATS_REJECTIONS];
    if (!t->c->progress)
        return true;
    const uint64_t good =
        stats_records(s) + s->rejected[STATS_REJECT_DUPLICATE] + s->rejected[STATS_REJECT_NEAR];
    const uint64_t failed = failed_to_verify(s);
    const weft_progress so_far = {.done = p->done,
                                  .total = p->result->rows,
                                  .kept = p->result->kept,
                                  .verified = t->o->no_verify ? 0 : good + failed,
                                  .failed = failed,
                                  .refused = refused,
                                  .refused_count = count_refused(s, refused)};
    return t->c->progress(t->c->arg, &so_far) == 0;
}

/* For record_options: passes a note on. */
void run_report_note(void *arg, const char *text)
{
    const run_reporter *t = arg;
    callbacks_say(t->c, WEFT_NOTE, "%s", text);
}

/* A stream whose reader went away ended well, as for any filter in a pipe.
 *
 *     STATUS_CLOSED      weft generate ... | head -1     WEFT_OK
 *     STATUS_EXHAUSTED   no new structure is left        WEFT_FAILED
 *     an errno           the disk is full                WEFT_IO_ERROR */
weft_status run_report_end(const run_reporter *t, const store_outcome *r, int end)
{
    const weft_callbacks *c = t->c;
    const char *message = r->message ? r->message : "";
    switch (end) {
    case STATUS_OK:
    case STATUS_CLOSED: return WEFT_OK;
    case STATUS_STOPPED: return callbacks_fail(c, WEFT_STOPPED, "interrupted");
    case STATUS_MEMORY:
        return callbacks_fail(c, WEFT_NO_MEMORY, "out of memory, or no thread could be started");
    case STATUS_BROKEN:
        return callbacks_fail(c, WEFT_FAILED, "no candidate for a sample was good: %s", message);
    case STATUS_EXHAUSTED: return callbacks_fail(c, WEFT_FAILED, "%s", message);
    case STATUS_REFUSED:
        return callbacks_fail(c, WEFT_BAD_ARGUMENT, "%s: %s", t->o->output,
                              r->message ? message : "refused");
    default:
        return callbacks_fail(c, WEFT_IO_ERROR, "cannot write '%s': %s",
                              *r->failed ? r->failed : "standard output", error_text(end));
    }
}

/* The categories that have records, into an array with room for all: nothing is allocated. */
static size_t count_categories(const store_stats *s, weft_count *out)
{
    size_t n = 0;
    for (int i = 0; i < GEN_CATEGORY_COUNT; i++)
        if (s->records[i])
            out[n++] = (weft_count){gen_category_name((gen_category)i), s->records[i], s->bytes[i]};
    return n;
}

/* Likewise for the kinds of proof. */
static size_t count_proofs(const store_stats *s, weft_count *out)
{
    WEFT_ASSERT(s && out);
    size_t n = 0;
    for (uint32_t i = 0; i < CHECK_STATUSES; i++) {
        const uint64_t records = stats_proved(s, (check_status)i);
        if (records)
            out[n++] = (weft_count){check_status_name((check_status)i), records, 0};
    }
    return n;
}

/* Likewise for what kernels are. */
static size_t count_kinds(const store_stats *s, weft_count *out)
{
    size_t n = 0;
    for (int i = 0; i < RECORD_KINDS; i++)
        if (s->kinds[i])
            out[n++] = (weft_count){record_kind_name((record_kind)i), s->kinds[i], 0};
    return n;
}

/* The figures point to arrays of this call: `made` has to copy what it keeps. */
void run_report_made(const run_reporter *t, arena *a, store_outcome *r, uint64_t moved,
                     void (*made)(void *arg, const weft_generated *made))
{
    WEFT_ASSERT(made && a);
    weft_count categories[GEN_CATEGORY_COUNT], proofs[CHECK_STATUSES], refused[STATS_REJECTIONS],
        kinds[RECORD_KINDS];
    const store_stats *s = &r->stats;
    const record_format_row *format = record_format_of(t->o);
    strbuf timings, first;
    sb_init(&timings, a->m);
    sb_init(&first, a->m);
    record_put_id(&first, t->o->seed, r->first);
    if (t->o->timings)
        stage_report(&r->clock, &timings);
    const weft_generated figures = {.rows = r->rows,
                                    .bytes = r->bytes,
                                    .kept = r->kept,
                                    .was_there = r->was_there,
                                    .seconds = r->seconds,
                                    .categories = categories,
                                    .category_count = count_categories(s, categories),
                                    .proofs = proofs,
                                    .proof_count = count_proofs(s, proofs),
                                    .mutants = s->mutants,
                                    .killed = s->killed,
                                    .refused = refused,
                                    .refused_count = count_refused(s, refused),
                                    .suspects = s->suspects,
                                    .suspect = s->suspect,
                                    .sample = r->sample,
                                    .timings = t->o->timings ? sb_cstr(&timings) : NULL,
                                    .moved = moved,
                                    .shards = format->shards,
                                    .next = t->o->cpu_shim && format->next_cpu ? format->next_cpu
                                                                               : format->next,
                                    .first = r->rows ? sb_cstr(&first) : NULL,
                                    .kinds = kinds,
                                    .kind_count = count_kinds(s, kinds)};
    made(t->c->arg, &figures);
    sb_clear(&first);
    sb_clear(&timings);
}

/* They are no failure of the run, whose records are good, but worth a report. */
void run_report_suspects(const run_reporter *t, const store_outcome *r)
{
    if (r->stats.suspects)
        callbacks_say(t->c, WEFT_CAUTION,
                      "candidates that failed in a way that points to a bug in weft, and were not "
                      "written: %llu. The first: %s",
                      (unsigned long long)r->stats.suspects, r->stats.suspect);
}
