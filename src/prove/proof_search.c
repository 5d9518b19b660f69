/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for inputs with which a kernel of somebody's proves (proof_search.h):
 *
 *     by the roles of the parameters, two threads    ->   index out of bounds: x is made longer
 *     the same, x longer                             ->   9 of 21 mutants killed
 *     positive numbers, beside those                 ->   20 of 21: adequate
 *
 * Trials are those of src/inputs; each is proved, and the best stays. The work is bounded by steps,
 * not by time, so that all machines end at the same inputs. */
#include "prove/proof_search.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "check/check_found.h"

/* Trials in which each parameter is varied on its own: where no inputs have ended well yet, and
 * where some have. */
enum { SEARCH_ERRORS = 600, SEARCH_MIXED = 400 };

/* SEARCH_WORK: steps of all runs of a kernel, its texts and their mutants too, after which no other
 * inputs are tried, but for a few: two to four seconds. SEARCH_MORE: times as many where none have
 * ended well yet. TRIAL_WORK: what a trial costs beside. TILE_WORK: of tiles a step costs more. */
enum {
    SEARCH_WORK = 250000000,
    SEARCH_MORE = 3,
    SEARCH_FEW = 6,
    TRIAL_WORK = 100000,
    TILE_WORK = 2
};

/* How much a result says: the more, the better. Of two that judge no gradient, the one whose inputs
 * tell more. */
static double worth_of(const check_result *r)
{
    if (r->status == CHECK_CANNOT || r->status == CHECK_FAILED)
        return 0;
    if (r->status == CHECK_FORWARD)
        return 1 + (double)r->killed / (r->mutants + 1);
    if (!check_is_adequate(r)) /* it is judged nevertheless */
        return (r->status == CHECK_WARP_DIFFERS ? 2.5 : 2) + (double)r->killed / (3.0 * r->mutants);
    return r->undecided ? 2.5 : 3;
}

/* The state of a search. */
typedef struct search {
    proof_search *of;
    check_subject whole; /* with all texts */
    proof_plan plan;     /* of the best proof */
    VEC(uint64_t) tried; /* hashes of inputs */
    strbuf why;
    uint64_t work; /* steps so far */
    uint32_t turn; /* which alternative gives way next, once there are as many as can be */
    bool any;
} search;

/* Has the search taken as many steps as it may? More where an array may still be made longer. */
static bool is_spent(const search *p)
{
    const char *why = p->any ? p->of->best.reason : "";
    const bool good = !why || check_reason_find(why) == CHECK_REASON_FUEL;
    return p->tried.n >= SEARCH_FEW && p->work > (uint64_t)SEARCH_WORK * (good ? 1 : SEARCH_MORE);
}

/* Is an adjoint wrong that is looked for? No other inputs make it right. */
static bool found_wrong(const search *p)
{
    const check_result *r = &p->of->best;
    return p->of->gradients && r->unjudged && !r->unordered &&
           check_reason_find(r->unjudged) == CHECK_REASON_ADJOINT;
}

/* Would no other inputs change the verdict, or is the work for it spent? The limit depends on the
 * kernel alone, so that all machines end at the same inputs. Whatever adequate inputs leave, such
 * as a gradient that cannot be executed, does not hang on them. */
static bool is_over(const search *p)
{
    const check_result *r = &p->of->best;
    if (!p->any)
        return false;
    return worth_of(r) == 3 || check_differs(r) || is_spent(p) || found_wrong(p) ||
           (r->status == CHECK_CANNOT && check_reason_find(r->reason) == CHECK_REASON_MISSING) ||
           (!r->reason && check_is_adequate(r));
}

/* Have these inputs been tried? They count as tried from now on. */
static bool was_tried(search *p, const proof_inputs *in)
{
    uint64_t hash = XXH3_64bits(in->launch.p, in->launch.n);
    for (uint32_t i = 0; i < p->plan.k.kernel->code.nparams; i++) {
        const check_arg *a = &in->args[i];
        hash = XXH3_64bits_withSeed(a->shape.p, a->shape.n, hash);
        hash = XXH3_64bits_withSeed(a->values.p, a->values.n, hash + (uint64_t)a->mag);
    }
    for (uint32_t i = 0; i < p->tried.n; i++)
        if (p->tried.v[i] == hash)
            return true;
    VEC_PUSH(&p->of->c->module, &p->tried, hash);
    return false;
}

/* Executes a plan, with longer arrays as long as that helps; it becomes the best if it is better.
 */
static void try_plan(search *p, proof_plan *plan)
{
    proof_search *o = p->of;
    proof_inputs in;
    check_result r;
    check_subject s;
    plan->growths = 0;
    do {
        s = p->whole; /* check_found may drop texts */
        s.args = in.args;
        s.launch = in.launch = plan_state(plan, in.args);
        if (was_tried(p, &in))
            return;
        check_found(o->checker, &s, &r, &p->why);
        p->work += (plan->k.tile_extent ? TILE_WORK : 1) * r.work + TRIAL_WORK;
    } while ((r.reason || r.unjudged) && !is_spent(p) &&
             plan_grow(plan, r.outside_set, &r.outside));
    if (p->any && worth_of(&r) <= worth_of(&p->of->best) && !check_differs(&r))
        return;
    p->any = true;
    p->plan = *plan;
    o->best = r;
    o->why = (str){arena_dup(&o->c->module, p->why.p, p->why.n), p->why.n};
    o->inputs = in;
}

/* Do the best inputs kill two mutants of three, so that others beside them will do the rest? */
static bool is_base(const search *p)
{
    return !p->of->best.reason && p->of->best.killed * 3 >= p->of->best.mutants * 2;
}

static void try_alone(search *p, const inputs_trial *trial)
{
    proof_plan plan = p->plan;
    plan.alternatives = 0;
    plan_set(&plan, 0, trial);
    try_plan(p, &plan);
}

/* A trial alone; with `beside`, or where the best inputs are good, beside these. */
static void try_trial(search *p, const inputs_trial *trial, bool beside)
{
    proof_plan plan = p->plan;
    if (!p->any || p->of->best.reason || (!beside && !is_base(p)))
        plan.alternatives = 0;
    const bool full = plan.alternatives == PLAN_ALTERNATIVES;
    plan_set(&plan, full ? 1 + p->turn++ % (PLAN_ALTERNATIVES - 1) : plan.alternatives, trial);
    try_plan(p, &plan);
}

/* Do adequate inputs leave open what others may judge? So does a gradient that is nothing here but
 * rounding, kinks or too long, and one of threads that store to one place, which has no meaning. */
static bool is_open(const search *p)
{
    if (worth_of(&p->of->best) == 3 || p->of->best.reason || !check_is_adequate(&p->of->best))
        return false;
    if (!p->of->best.unjudged)
        return p->of->best.undecided;
    const check_reason why = check_reason_find(p->of->best.unjudged);
    return p->of->best.unordered || why == CHECK_REASON_ROUNDING || why == CHECK_REASON_FUEL;
}

/* Other inputs, each alone, for what the best ones leave open. */
static void improve(search *p, uint32_t size)
{
    enum { MORE = 32, APART = 4 };
    inputs_trial trials[INPUTS_TRIALS];
    const uint32_t n = inputs_trials(&p->plan.k, trials);
    if (!is_open(p))
        return;
    p->work = 0;
    for (uint32_t i = 0; i < APART && worth_of(&p->of->best) < 3; i++) {
        const inputs_trial apart = {
            .roles = true, .size = size, .apart = true, .seed = i, .positive = i & 2};
        try_alone(p, &apart);
    }
    for (uint32_t i = 0; i < n + MORE && worth_of(&p->of->best) < 3 && !is_spent(p); i++) {
        inputs_trial trial = i < n ? trials[i] : inputs_mixed_trial(&p->plan.k, 1 + i - n, true);
        trial.size = size < trial.size ? trial.size : size;
        trial.seed = i < n ? 0 : 1 + i - n;
        try_alone(p, &trial);
    }
}

/* Trials by roles, of this size; or else of their own, which are larger. */
static void try_roles(search *p, uint32_t size, uint32_t seeds)
{
    inputs_trial trials[INPUTS_TRIALS];
    const uint32_t n = inputs_trials(&p->plan.k, trials);
    for (uint32_t i = 0; i < seeds * n && !is_over(p); i++) {
        inputs_trial trial = trials[i % n];
        trial.seed = i / n;
        trial.size = size < trial.size ? trial.size : size;
        if (!trial.odd) /* texts of plans have no NaN */
            try_trial(p, &trial, false);
    }
}

/* The trials of src/inputs until one set of plans is executed and judged; the best stays.
 * A difference on any of them is a failure. Small launches come first, but that tiles want several
 * blocks. */
static void search_inputs(search *p)
{
    enum { SMALL = 2, TILES = 1, SEEDS = 2, GUESSES = 8, COSTLY = SEARCH_WORK / 32 };
    const uint32_t size = p->plan.k.tile_extent ? TILES : SMALL;
    bool costly = size == TILES;
    try_roles(p, size, SEEDS);
    for (uint32_t i = 0; i < GUESSES && !is_over(p); i++) {
        const inputs_trial guess = {
            .size = size, .small_ints = i & 1, .positive = i & 2, .square = i & 4};
        try_trial(p, &guess, false);
    }
    try_roles(p, 0, 1);
    for (uint32_t mix = 1;
         !is_over(p) && mix <= (p->of->best.reason ? SEARCH_ERRORS : SEARCH_MIXED); mix++) {
        inputs_trial mixed = inputs_mixed_trial(&p->plan.k, mix, costly);
        const uint64_t work = p->work;
        mixed.seed = mix;
        try_trial(p, &mixed, mix % 2);
        costly |= p->work - work > COSTLY;
    }
    improve(p, size);
}

void proof_search_run(proof_search *o)
{
    check_shared texts = {.forward = {NULL}};
    search p = {.of = o,
                .whole = {.kernel = o->kernel->kernel,
                          .reference = interp_new(o->c, o->kernel->kernel),
                          .texts = &texts,
                          .seed = o->seed,
                          .index = o->index,
                          .gradients = o->gradients,
                          .foreign = true}};
    memcpy(p.whole.forward, o->forward, sizeof p.whole.forward);
    memcpy(p.whole.backward, o->backward, sizeof p.whole.backward);
    sb_init(&p.why, &o->c->mem);
    plan_init(&p.plan, o->c, o->kernel);
    search_inputs(&p);
    sb_clear(&p.why);
}
