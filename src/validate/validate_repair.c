/* Repair pairs: the broken source is compiled, or run, and has to give the diagnostic that the
 * record states, which has to show the defect that it names. */
#include "validate/validate_record.h"

enum { MEMORY_LIMIT = 512 << 20 };

static bool say(strbuf *why, const char *what)
{
    sb_c(why, what);
    return false;
}

/* What the repairer lacks, the record_validator lacks. */
static bool is_shown(record_validator *rv, const repair_subject *s)
{
    bool shown;
    rv->has_repairer = rv->has_repairer || repairer_init(&rv->repairer, MEMORY_LIMIT);
    if (rv->has_repairer && repair_try(&rv->repairer, s, &shown))
        return shown;
    rv->p.c.mem.over_limit = rv->has_repairer && rv->repairer.p.c.mem.over_limit;
    mem_fail(&rv->p.c.mem);
}

bool validate_repair_runs(const record_view *r)
{
    return defect_shown_by(r->defect, "run") || defect_shown_by(r->defect, "order");
}

/* The repairer shows the defect again, and what it says must be the record's diagnostic to the
 * byte. */
bool validate_repair(record_validator *rv, const record_view *r, strbuf *why)
{
    check_arg args[GEN_ARGS_MAX];
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag};
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
    return str_eq(r->diagnostic, sb_view(&rv->repairer.diagnostic)) ||
           say(why, "the diagnostic is not what weft says of the broken source");
}
