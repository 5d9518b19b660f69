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
static bool is_shown(record_validator *rv, const repair_subject *s)
{
    bool shown;
    rv->has_repairer = rv->has_repairer || repairer_init(&rv->repairer, MEMORY_LIMIT);
    if (rv->has_repairer && repair_try(&rv->repairer, s, &shown))
        return shown;
    rv->p.c.mem.over_limit = rv->has_repairer && rv->repairer.p.c.mem.over_limit;
    mem_fail(&rv->p.c.mem);
}

/* Defects that only running the source shows belong to the check `execution`, those that compiling
 * shows to `source`. */
bool validate_repair_runs(const record_view *r)
{
    return defect_shown_by(r->defect, "run") || defect_shown_by(r->defect, "order");
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
    if (!is_shown(rv, &subject)) {
        SB_LIT(why, "the broken source does not show the defect '");
        sb_c(why, defect_name(r->defect));
        return say(why, "'");
    }
    const bool told = !r->is_messages || task_shows(r->task, TASK_BLOCK_DIAGNOSTIC);
    return !told || str_eq(r->diagnostic, sb_view(&rv->repairer.diagnostic)) ||
           say(why, "the diagnostic is not what weft says of the broken source");
}
