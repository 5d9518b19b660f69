/* SPDX-License-Identifier: Apache-2.0 */
/* Checks repair records, for validate_work.c: the broken source is compiled, or run, and must show
 * the defect that the record names by the very diagnostic that it states. What a defect does to a
 * source, and how it shows, is in make/repair.h; this file only runs it again:
 *
 *     broken source, defect of the record   ->   diagnostic, compared byte for byte */
#include "validate/validate_record.h"

/* Of compiling one broken source, in bytes; the same as that of validate_source.c. */
enum { MEMORY_LIMIT = 512 << 20 };

static bool say(strbuf *why, const char *what)
{
    sb_c(why, what);
    return false;
}

/* The repairer has a mem of its own. When that fails, the failure is passed on to the validator's
 * mem, with its cause: a record over the limit is the record's problem, a machine without memory
 * ends the run (check_with_compiler in validate_work.c). mem_fail does not return. */
static _Noreturn void fail_as_repairer(record_validator *rv)
{
    rv->p.c.mem.over_limit = rv->has_repairer && rv->repairer.p.c.mem.over_limit;
    mem_fail(&rv->p.c.mem);
}

static void start_repairer(record_validator *rv)
{
    rv->has_repairer = rv->has_repairer || repairer_init(&rv->repairer, MEMORY_LIMIT);
    if (!rv->has_repairer)
        fail_as_repairer(rv);
}

static bool is_shown(record_validator *rv, const repair_subject *s)
{
    bool shown;
    start_repairer(rv);
    if (!repair_try(&rv->repairer, s, &shown))
        fail_as_repairer(rv);
    return shown;
}

static bool runs(defect_kind k)
{
    return defect_shown_by(k, "run") || defect_shown_by(k, "order");
}

/* Defects that only running the source shows belong to the check `execution`, those that compiling
 * shows to `source`. */
bool validate_repair_runs(const record_view *r)
{
    return runs(r->defect) && (!r->two_defects || runs(r->second));
}

/* Both defects are planted again, in the kinds that the record states: the second must be the one
 * that its stream draws, and the source with both the record's. */
static bool is_broken_twice(record_validator *rv, const record_view *r, repair_subject s)
{
    bool shown;
    rng stream = repair_stream(r->seed, r->index, r->attempt);
    const defect_kind kinds[2] = {r->defect, r->second};
    const uint32_t step = rng_below(&stream, DEFECTS - 1);
    s.source = r->source;
    start_repairer(rv);
    if (!repair_plant_two(&rv->repairer, &s, kinds, &stream, &shown))
        fail_as_repairer(rv);
    return (r->defect + 1 + step) % DEFECTS == r->second && shown &&
           str_eq(r->broken, sb_view(&rv->repairer.two[0]));
}

/* The repairer shows the defect again, and what it says must be the record's diagnostic to the
 * byte. */
bool validate_repair(record_validator *rv, const record_view *r, strbuf *why)
{
    check_arg args[SAMPLE_ARGS_MAX];
    WEFT_ASSERT(r->is_repair && r->defect < DEFECTS && r->nargs <= SAMPLE_ARGS_MAX);
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag, r->args[i].values};
    if (str_eq(r->broken, r->source))
        return say(why, "the broken source is the right one");
    const repair_subject subject = {.kind = r->defect,
                                    .source = r->broken,
                                    .kernel = r->kernel,
                                    .launch = r->launch,
                                    .args = args,
                                    .nargs = r->nargs,
                                    .seed = r->seed,
                                    .index = r->index};
    if (r->two_defects && !is_broken_twice(rv, r, subject))
        return say(why, "the broken source is not what weft makes of the two defects");
    if (!r->two_defects && !is_shown(rv, &subject)) {
        SB_LIT(why, "the broken source does not show the defect '");
        sb_c(why, defect_name(r->defect));
        return say(why, "'");
    }
    const bool told = !r->is_messages || task_shows(r->task, TASK_BLOCK_DIAGNOSTIC);
    return !told || str_eq(r->diagnostic, sb_view(&rv->repairer.diagnostic)) ||
           say(why, "the diagnostic is not what weft says of the broken source");
}
