/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of one pair, in four steps; the first that fails ends it.
 *
 * 1. The forward text of the first device equals the reference on CHECK_INPUTS input sets. 2. The
 * inputs kill enough mutants of that text (check_mutant.c). 3. The forward text of the other device
 * equals the reference on the same sets. 4. The backward texts pass the dot-product test
 * (check_adjoint.c).
 *
 * The order is by cost: most candidates that the generator throws away fail in step 2. An example
 * of a result, in a record of the generator:
 *
 *     "verification": {"status": "exact", "class": "", "inputs": 3, "forward_error": 0.0,
 *                      "mutants": 17, "killed": 17, ...} */
#include "check/check.h"

#include <stdarg.h>

#include "base/assert.h"
#include "base/format.h"
#include "check/check_internal.h"

checker *check_new(ctx *c)
{
    checker *k = ARENA_NEW(&c->perm, checker);
    k->c = c;
    arena_init(&k->a, &c->mem);
    sb_init(&k->error, &c->mem);
    return k;
}

/* Keeps the first verdict: later steps may fail as a consequence. */
bool check_end(checker *k, check_status status, check_reason reason, const char *fmt, ...)
{
    va_list args;
    WEFT_ASSERT(status == CHECK_FAILED || status == CHECK_CANNOT);
    if (k->r->reason)
        return false;
    k->r->status = status;
    k->r->reason = check_reason_name(reason);
    va_start(args, fmt);
    format_text_v(k->r->detail, sizeof k->r->detail, fmt, args);
    va_end(args);
    return false;
}

/* Step 1, of one device: what fails there need not be run on the other. The first input set has an
 * ordinary number of threads, the others few. */
static bool prove_first(checker *k)
{
    stage_clock *clock = k->c->clock;
    stage_switch(clock, STAGE_VERIFY_READ);
    for (int d = 0; d < EMIT_DEVICES; d++)
        k->forward[d] = k->backward[d] = NULL;
    /* The CPU text if there is one. */
    if (!check_read(k, k->s->forward[0].n ? 0 : 1, false))
        return false;
    k->reference = k->s->reference ? k->s->reference : interp_new(k->c, k->s->kernel);
    for (k->nsets = 0; k->nsets < CHECK_INPUTS; k->nsets++) {
        stage_switch(clock, STAGE_VERIFY);
        if (!check_draw(k, 0, k->nsets > 0, &k->sets[k->nsets]))
            return false;
        stage_switch(clock, STAGE_VERIFY_FORWARD);
        if (!check_forward(k, k->nsets))
            return false;
    }
    return true;
}

/* Step 3: the text of the other device on the same inputs. */
static bool prove_second(checker *k)
{
    WEFT_ASSERT(k->nsets >= 1);
    stage_clock *clock = k->c->clock;
    if (!k->s->forward[0].n)
        return true;
    stage_switch(clock, STAGE_VERIFY_READ);
    if (!check_read(k, 1, false))
        return false;
    stage_switch(clock, STAGE_VERIFY_FORWARD);
    for (uint32_t i = 0; k->forward[1] && i < k->nsets; i++)
        if (!check_device(k, i, 1))
            return false;
    return true;
}

/* Further sets for texts that somebody may have changed (weft validate). They share the last place
 * among the sets, since nothing looks at them again. Every second set lies near the literals of the
 * source, where a changed constant shows. */
static void prove_more(checker *k)
{
    WEFT_ASSERT(k->nsets <= CHECK_INPUTS_MAX);
    stage_switch(k->c->clock, STAGE_VERIFY_FORWARD);
    for (uint32_t i = 0; i < k->s->more; i++) {
        if (i == 1)
            check_literals(k);
        if (!check_draw(k, i % 2, i % 2 == 0, &k->sets[CHECK_INPUTS_MAX - 1]) ||
            !check_forward(k, CHECK_INPUTS_MAX - 1))
            return;
    }
}

/* All steps in order. k->r holds the verdict, which check_begin has set to CHECK_FORWARD. */
static void prove(checker *k)
{
    if (!prove_first(k))
        return;
    stage_switch(k->c->clock, STAGE_VERIFY_MUTANTS);
    if (!k->s->no_mutants && !check_adequacy(k))
        return;
    /* Inputs that kill few mutants prove little, so the adjoint is not tested with them. */
    const bool adequate = check_is_adequate(k->r);
    if ((!adequate && k->s->adequate_only) || !prove_second(k) || (!adequate && !k->s->gradients))
        return;
    stage_switch(k->c->clock, STAGE_VERIFY_READ);
    for (int d = 0; d < EMIT_DEVICES; d++)
        if (!check_read(k, d, true))
            return;
    stage_switch(k->c->clock, STAGE_VERIFY_ADJOINT);
    if (check_adjoint(k))
        prove_more(k);
}

/* Forgets the pair before, and selects the stream of this one. */
void check_begin(checker *k, const check_subject *s, check_result *r)
{
    WEFT_ASSERT(s->kernel != NULL);
    *r = (check_result){.status = CHECK_FORWARD};
    arena_reset(&k->a);
    k->s = s;
    k->r = r;
    k->literals.n = k->literals.cap = 0;
    k->drawn = 0;
    /* Not the generator's stream of this sample. */
    k->draws = rng_stream(~s->seed, s->index);
}

/* The time is counted as verification, whatever stage the caller is in. */
void check_pair(checker *k, const check_subject *s, check_result *r)
{
    const work_stage before = stage_switch(k->c->clock, STAGE_VERIFY);
    check_begin(k, s, r);
    prove(k);
    stage_switch(k->c->clock, before);
}

/* Nine of ten, in integers. No mutants at all count as adequate: there was no forward text. */
bool check_is_adequate(const check_result *r)
{
    WEFT_ASSERT(r->killed <= r->mutants);
    return (uint64_t)r->killed * 10 >= (uint64_t)r->mutants * 9;
}

bool check_is_wrong(const check_result *r)
{
    return r->status == CHECK_WARP_DIFFERS ||
           (r->status == CHECK_FAILED && check_reason_find(r->reason) == CHECK_REASON_ADJOINT);
}

const char *check_status_name(check_status s)
{
    static const char *const names[] = {[CHECK_EXACT] = "exact",
                                        [CHECK_WARP_DIFFERS] = "warp_differs",
                                        [CHECK_NONDIFFERENTIABLE] = "nondifferentiable",
                                        [CHECK_FORWARD] = "forward",
                                        [CHECK_FAILED] = "failed",
                                        [CHECK_CANNOT] = "cannot"};
    WEFT_ASSERT(s < CHECK_STATUSES);
    return names[s];
}

/* Ids by check_reason. */
static const char *const reasons[] = {
#define REASON(ID, id, sentence) id,
#include "check/check_reason.def"
#undef REASON
};

const char *check_reason_name(check_reason r)
{
    WEFT_ASSERT(r < CHECK_REASONS);
    return reasons[r];
}

check_reason check_reason_find(const char *id)
{
    uint32_t r = 0;
    while (r < CHECK_REASONS && strcmp(reasons[r], id) != 0)
        r++;
    return (check_reason)r;
}
