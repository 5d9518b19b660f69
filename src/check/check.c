/* The judgement of one pair: forward proved on several input sets, the inputs measured by
 * mutants, the adjoint tested. */
#include "check/check.h"

#include <stdarg.h>

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

bool check_end(checker *k, check_status status, check_reason reason, const char *fmt, ...)
{
    va_list args;
    if (k->r->reason)
        return false;
    k->r->status = status;
    k->r->reason = check_reason_name(reason);
    va_start(args, fmt);
    format_text_v(k->r->detail, sizeof k->r->detail, fmt, args);
    va_end(args);
    return false;
}

/* Of one device: what it cannot prove need not be run on the other. */
static bool prove_first(checker *k)
{
    stage_clock *clock = k->c->clock;
    stage_switch(clock, STAGE_VERIFY_READ);
    for (int d = 0; d < EMIT_DEVICES; d++)
        k->forward[d] = k->backward[d] = NULL;
    if (!check_read(k, k->s->forward[0].n ? 0 : 1, false))
        return false;
    k->reference = interp_new(k->c, k->s->kernel);
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

/* The text of the other device on the same inputs. */
static bool prove_second(checker *k)
{
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

/* Sets that tell a changed text; the last place among the sets serves all of them. */
static void prove_more(checker *k)
{
    stage_switch(k->c->clock, STAGE_VERIFY_FORWARD);
    for (uint32_t i = 0; i < k->s->more; i++) {
        if (i == 1)
            check_literals(k);
        if (!check_draw(k, i % 2, i % 2 == 0, &k->sets[CHECK_INPUTS_MAX - 1]) ||
            !check_forward(k, CHECK_INPUTS_MAX - 1))
            return;
    }
}

static void prove(checker *k)
{
    if (!prove_first(k))
        return;
    stage_switch(k->c->clock, STAGE_VERIFY_MUTANTS);
    if (!k->s->no_mutants && !check_adequacy(k))
        return;
    /* Inputs that tell little prove little: the adjoint is not looked at then. */
    const bool adequate = check_is_adequate(k->r);
    if ((!adequate && k->s->adequate_only) || !prove_second(k) || !adequate)
        return;
    stage_switch(k->c->clock, STAGE_VERIFY_READ);
    for (int d = 0; d < EMIT_DEVICES; d++)
        if (!check_read(k, d, true))
            return;
    stage_switch(k->c->clock, STAGE_VERIFY_ADJOINT);
    if (check_adjoint(k))
        prove_more(k);
}

void check_begin(checker *k, const check_subject *s, check_result *r)
{
    *r = (check_result){.status = CHECK_FORWARD};
    arena_reset(&k->a);
    k->s = s;
    k->r = r;
    k->literals.n = k->literals.cap = 0;
    /* Not the generator's stream of this sample. */
    k->draws = rng_stream(~s->seed, s->index);
}

void check_pair(checker *k, const check_subject *s, check_result *r)
{
    const work_stage before = stage_switch(k->c->clock, STAGE_VERIFY);
    check_begin(k, s, r);
    prove(k);
    stage_switch(k->c->clock, before);
}

bool check_is_adequate(const check_result *r)
{
    return (uint64_t)r->killed * 10 >= (uint64_t)r->mutants * 9;
}

const char *check_status_name(check_status s)
{
    static const char *const names[] = {[CHECK_EXACT] = "exact",
                                        [CHECK_WARP_DIFFERS] = "warp_differs",
                                        [CHECK_NONDIFFERENTIABLE] = "nondifferentiable",
                                        [CHECK_FORWARD] = "forward",
                                        [CHECK_FAILED] = "failed",
                                        [CHECK_CANNOT] = "cannot"};
    return names[s];
}

static const char *const reasons[] = {
#define REASON(ID, id, sentence) id,
#include "check/check_reason.def"
#undef REASON
};

const char *check_reason_name(check_reason r)
{
    return reasons[r];
}

check_reason check_reason_find(const char *id)
{
    uint32_t r = 0;
    while (r < CHECK_REASONS && strcmp(reasons[r], id) != 0)
        r++;
    return (check_reason)r;
}
