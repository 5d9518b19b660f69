/* A record's texts, executed on inputs of the validation's own, against its source. */
#include "data/validate_record.h"

/* Inputs are not those that the record was made with. */
#define FRESH UINT64_C(0x9e3779b97f4a7c15)

enum { MORE = 3 }; /* rounds of further inputs for the forward texts */

static void describe(const record_view *r, check_arg *args)
{
    for (uint32_t i = 0; i < r->nargs; i++)
        args[i] = (check_arg){r->args[i].shape, r->args[i].mag};
}

static bool tell_result(const check_result *p, strbuf *why)
{
    const char *reason = p->reason ? p->reason : "";
    sb_c(why, p->status == CHECK_CANNOT ? "cannot be executed (" : "is not proved (");
    sb_c(why, reason);
    SB_LIT(why, ")");
    if (p->detail[0]) {
        SB_LIT(why, ": ");
        sb_c(why, p->detail);
    }
    return false;
}

static void prove(record_judge *j, const record_view *r, uint64_t seed, bool backward,
                  check_result *p)
{
    check_arg args[GEN_ARGS_MAX];
    check_subject subject = {.kernel = j->compiled.kernel,
                             .launch = r->launch,
                             .args = args,
                             .forward = {r->texts.forward[EMIT_CPU], r->texts.forward[EMIT_CUDA]},
                             .seed = seed,
                             .index = r->index,
                             .no_mutants = true};
    for (int d = 0; d < EMIT_DEVICES && backward; d++)
        subject.backward[d] = r->texts.backward[d];
    describe(r, args);
    check_pair(j->checker, &subject, p);
}

/* On other inputs another class of gradients may come out: then those that the record was made with
 * decide. */
static bool agrees(record_judge *j, const record_view *r, const check_result *fresh, strbuf *why)
{
    check_result own;
    if (verification_agrees(r->verification, fresh))
        return true;
    prove(j, r, r->seed, true, &own);
    if (verification_agrees(r->verification, &own))
        return true;
    SB_LIT(why, "metadata.verification says something else than what is found: ");
    sb_c(why, check_status_name(own.status));
    if (own.class) {
        SB_LIT(why, ", ");
        sb_c(why, own.class);
    }
    return false;
}

/* A change of a text may show on few inputs only. */
static bool prove_more(record_judge *j, const record_view *r, strbuf *why)
{
    check_result p;
    for (uint64_t round = 2; round < 2 + MORE; round++) {
        prove(j, r, r->seed ^ FRESH * round, false, &p);
        if (p.status == CHECK_FAILED || p.status == CHECK_CANNOT)
            return tell_result(&p, why);
    }
    return true;
}

bool judge_execution(record_judge *j, const record_view *r, strbuf *why)
{
    check_result p;
    if (r->nargs != j->compiled.kernel->code.nparams) {
        SB_LIT(why, "cannot be executed: metadata.arguments are not the kernel's");
        return false;
    }
    if (!j->checker)
        j->checker = check_new(&j->p.c);
    prove(j, r, r->seed ^ FRESH, true, &p);
    if (p.status == CHECK_FAILED && check_reason_find(p.reason) == CHECK_REASON_ADJOINT)
        prove(j, r, r->seed, true, &p); /* the record speaks of its own inputs */
    if (p.status == CHECK_FAILED || p.status == CHECK_CANNOT)
        return tell_result(&p, why);
    return agrees(j, r, &p, why) && prove_more(j, r, why);
}
