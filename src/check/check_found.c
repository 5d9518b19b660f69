/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of a kernel that was found (check_found.h):
 *
 *     both texts agree, 20 of 20 mutants killed    ->   exact, ""
 *     a backward text of wp.func_grad              ->   forward, "the adjoint differs: ..."
 *     no backward text                             ->   forward, "it has no backward text"
 *     threads that store to one element            ->   forward, "... the order of its threads" */
#include "check/check_found.h"

bool check_differs(const check_result *r)
{
    if (r->status != CHECK_FAILED)
        return false;
    const check_reason why = check_reason_find(r->reason);
    return why == CHECK_REASON_TEXT || why == CHECK_REASON_FORWARD || why == CHECK_REASON_DEVICES;
}

/* May the forward texts alone be proved, where both are not? Not if the source itself failed, or a
 * text differs from it. */
static bool forward_may_hold(const check_result *r)
{
    if (r->status != CHECK_FAILED && r->status != CHECK_CANNOT)
        return false;
    return !check_differs(r) && check_reason_find(r->reason) != CHECK_REASON_REFERENCE;
}

/* Did the adjoint differ because threads store to one element? The last of them has the tangent,
 * and all have the adjoint. No inputs were meant so. *why: says it. */
static bool is_unordered(checker *k, const check_subject *s, const char *unjudged, strbuf *why)
{
    check_result r;
    if (check_reason_find(unjudged) != CHECK_REASON_ADJOINT || check_source(k, s, true, &r) ||
        r.reason)
        return false;
    why->n = 0;
    sb_c(why, r.detail);
    return true;
}

void check_found(checker *k, check_subject *s, check_result *r, strbuf *why)
{
    why->n = 0;
    check_pair(k, s, r);
    const bool backward = s->backward[EMIT_CPU].n || s->backward[EMIT_CUDA].n;
    if (backward && forward_may_hold(r)) {
        const char *unjudged = r->reason;
        const check_result first = *r;
        sb_c(why, r->detail);
        const bool unordered = is_unordered(k, s, unjudged, why);
        memset(s->backward, 0, sizeof s->backward);
        check_pair(k, s, r);
        r->unjudged = unjudged;
        if (!r->outside.array) {
            r->outside = first.outside;
            r->outside_set = first.outside_set;
        }
        r->unordered = unordered;
    }
    if (r->status == CHECK_FAILED || r->status == CHECK_CANNOT)
        why->n = 0;
    if (r->reason) {
        sb_c(why, r->detail);
    } else if (!check_is_adequate(r)) {
        why->n = 0;
        sb_printf(why, "the inputs tell %u of %u mutants: too few to judge the gradient", r->killed,
                  r->mutants);
    } else if (r->status == CHECK_FORWARD && !why->n) {
        sb_c(why, CHECK_NO_BACKWARD);
    }
}
