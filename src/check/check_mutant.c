/* SPDX-License-Identifier: Apache-2.0 */
/* Mutation analysis: would these inputs show that a kernel is wrong?
 *
 *     var_4 = wp::sub(var_1, var_2)    mutants:  the result negated; the operands exchanged
 *     wp::array_store(y, i, var_4)     mutants:  the index one larger; no store
 *
 * A mutant is the forward text with one instruction changed in memory (textvm_mutants). Inputs kill
 * a mutant when its result differs from the kernel's, or when it ends with an error. A kernel whose
 * mutants survive has inputs that prove little; the generator replaces it.
 *
 * Three trivial mutants need no run, because the expected results alone decide: a kernel that
 * writes zeros, one that writes the same value everywhere, and one that copies an input. They judge
 * the kernel more than its inputs: somebody's kernel, which may just fill an array, is spared. */
#include "base/assert.h"
#include "check/check_internal.h"

/* Of up to MUTANTS_MAX mutants MUTANTS_RUN are run: running is a quarter of a proof's time. */
enum { MUTANTS_MAX = 512, MUTANTS_RUN = 20, FUEL = 100000 };

/* --- mutants that need no run -------------------------------------------------------------- */

/* Does the launch write to it, with another value than was there? */
static bool is_changed(const check_inputs *in, const check_slot *s)
{
    return !check_slot_same(s, in->initial, in->expected);
}

/* Are all scalars of the slot zero? */
static bool is_zero(const check_slot *s, const uint8_t *bytes)
{
    const type_kind kind = (type_kind)s->scalar;
    const size_t width = layout_size(type_scalar_of(s->elem));
    for (size_t i = 0; i < s->lanes; i++) {
        const num x = num_load(kind, bytes + check_lane(s, width, i));
        if (kind >= TYPE_FLOAT16 ? x.f != 0 : x.i != 0)
            return false;
    }
    return true;
}

/* Are all elements `same`? */
static bool is_constant(const check_slot *s, const uint8_t *bytes, const uint8_t *same)
{
    const size_t width = layout_size(s->elem), n = s->lanes * layout_size(type_scalar_of(s->elem));
    const size_t stride = s->stride ? s->stride : width;
    const uint8_t *item = bytes + s->at;
    for (size_t i = 0; i < n; i += width, item += stride)
        if (memcmp(item, same, width) != 0)
            return false;
    return true;
}

/* Needs: slots of the same type and size. */
static bool holds_same(const check_slot *s, const uint8_t *a, const check_slot *t, const uint8_t *b)
{
    WEFT_ASSERT(s->elem == t->elem && s->lanes == t->lanes);
    const size_t width = layout_size(s->elem), run = (size_t)lane_count(s->elem);
    const size_t scalar = layout_size(type_scalar_of(s->elem));
    if (!s->stride && !t->stride)
        return memcmp(a + s->at, b + t->at, s->lanes * scalar) == 0;
    for (size_t i = 0; i < s->lanes; i += run)
        if (memcmp(a + check_lane(s, scalar, i), b + check_lane(t, scalar, i), width) != 0)
            return false;
    return true;
}

/* Is it what an array of the same type held before? */
static bool is_copy(const check_inputs *in, const check_slot *s)
{
    for (uint32_t i = 0; i < in->nslots; i++) {
        const check_slot *other = &in->slots[i];
        if (!other->by_value && other->elem == s->elem && other->lanes == s->lanes &&
            holds_same(other, in->initial, s, in->expected))
            return true;
    }
    return false;
}

enum { TRIVIAL_ZERO = 1, TRIVIAL_CONSTANT = 2, TRIVIAL_COPY = 4, TRIVIAL_COUNT = 3 };

/* Which trivial mutants survive a set, as bits. The constant is the first set's first result. A set
 * without a changed array kills none. */
static unsigned trivial_survivors(const check_inputs *first, const check_inputs *in)
{
    unsigned zero = TRIVIAL_ZERO, same = TRIVIAL_CONSTANT, copy = TRIVIAL_COPY;
    bool any = false;
    for (uint32_t i = 0; i < in->nslots; i++) {
        const check_slot *s = &in->slots[i];
        if (!is_changed(in, s))
            continue;
        any = true;
        zero *= is_zero(s, in->expected);
        same *= is_constant(s, in->expected, first->expected + first->slots[i].at);
        copy *= is_copy(in, s);
    }
    return any ? zero | same | copy : TRIVIAL_ZERO | TRIVIAL_CONSTANT | TRIVIAL_COPY;
}

/* --- mutants that are run ------------------------------------------------------------------ */

/* Does the input set kill the mutant that the text machine holds now? The state to compare with is
 * the reference's, since the unchanged text equals it. */
static bool kills(checker *k, textvm *vm, check_inputs *in)
{
    textvm_error e = {0};
    return !check_run_text(k, vm, in, FUEL, &e) ||
           !check_states_equal(in, in->expected, in->values.bytes);
}

/* A mutation analysis over the input sets. */
typedef struct mutation_run {
    checker *k;
    textvm *vm;
    textvm_mutant *alive; /* those that no set has killed yet */
    uint32_t n;
    unsigned trivial;
} mutation_run;

/* Runs the mutants that are alive on a set, and keeps those that survive it. */
static void run_mutants(mutation_run *m, check_inputs *in)
{
    uint32_t left = 0;
    m->trivial &= trivial_survivors(&m->k->sets[0], in);
    for (uint32_t i = 0; i < m->n; i++) {
        textvm_mutate(m->vm, &m->alive[i]);
        if (!kills(m->k, m->vm, in))
            m->alive[left++] = m->alive[i];
    }
    textvm_mutate(m->vm, NULL); /* the text is the kernel's again */
    WEFT_ASSERT(left <= m->n);
    m->n = left;
}

/* Sets r->killed; `trivial` has a bit for each trivial mutant that is alive. */
static void count_killed(const mutation_run *m, check_result *r)
{
    const uint32_t trivial = (m->trivial & 1) + (m->trivial >> 1 & 1) + (m->trivial >> 2 & 1);
    WEFT_ASSERT(m->n + trivial <= r->mutants);
    r->killed = r->mutants - m->n - trivial;
}

/* The plans that sets take turns among. */
static uint32_t count_plans(const check_subject *s)
{
    uint32_t most = check_count_alternatives(s->launch);
    for (uint32_t i = 0; i < s->kernel->code.nparams; i++) {
        const uint32_t shapes = check_count_alternatives(s->args[i].shape),
                       values = check_count_alternatives(s->args[i].values);
        most = shapes > most ? shapes : most;
        most = values > most ? values : most;
    }
    return most;
}

/* Too few are killed, but at least half, or by a part of the plans: else more inputs seldom help.
 */
static bool more_inputs_may_help(const checker *k)
{
    const check_result *r = k->r;
    return !check_is_adequate(r) &&
           ((uint64_t)r->killed * 2 >= (uint64_t)r->mutants || k->nsets < count_plans(k->s));
}

/* Of many mutants some: drawn one from each of as many stretches of the text, so that all parts of
 * it are tested. Returns how many; they lead the list. */
static uint32_t sample_mutants(checker *k, textvm_mutant *all, uint32_t n)
{
    if (n <= MUTANTS_RUN)
        return n;
    for (uint32_t i = 0; i < MUTANTS_RUN; i++) {
        const uint32_t from = i * n / MUTANTS_RUN, to = (i + 1) * n / MUTANTS_RUN;
        all[i] = all[from + rng_below(&k->draws, to - from)];
    }
    return MUTANTS_RUN;
}

/* All mutants of the text, into m; those that several proofs share are drawn once. */
static void draw_mutants(mutation_run *m)
{
    const checker *k = m->k;
    check_shared *shared = k->s->texts;
    m->alive = ARENA_ARRAY(&m->k->a, textvm_mutant, MUTANTS_MAX);
    if (shared && shared->mutants) {
        m->n = shared->nmutants;
        memcpy(m->alive, shared->mutants, m->n * sizeof *m->alive);
        return;
    }
    m->n = textvm_mutants(m->vm, m->alive, MUTANTS_MAX);
    m->n = m->n > MUTANTS_MAX ? MUTANTS_MAX : m->n;
    /* The generator's kernels keep them, so that its choices stay those of earlier sets. */
    if (k->s->foreign)
        m->n = textvm_drop_signs(
            m->vm, m->alive,
            textvm_drop_idle(m->vm, m->alive, textvm_drop_even(m->vm, m->alive, m->n)));
    if (!shared)
        return;
    textvm_mutant *kept = ARENA_ARRAY(&k->c->module, textvm_mutant, m->n + 1);
    memcpy(kept, m->alive, m->n * sizeof *kept);
    shared->mutants = kept;
    shared->nmutants = m->n;
}

/* Runs the sample on all sets. While too few mutants are killed, further sets are drawn, which pass
 * the forward proof like the others. False: that proof failed. */
bool check_adequacy(checker *k)
{
    WEFT_ASSERT(k->nsets >= 1);
    mutation_run m = {.k = k,
                      .vm = k->forward[0] ? k->forward[0] : k->forward[1],
                      .trivial = k->s->foreign ? 0 : 7};
    check_result *r = k->r;
    const uint32_t most_sets = k->s->foreign ? CHECK_SETS_FOREIGN : CHECK_SETS_MUTANTS;
    if (!m.vm)
        return true;
    draw_mutants(&m);
    m.n = sample_mutants(k, m.alive, m.n);
    r->mutants = m.n + (k->s->foreign ? 0 : TRIVIAL_COUNT);
    for (uint32_t i = k->nsets; i-- > 0;) /* the small ones first */
        run_mutants(&m, &k->sets[i]);
    count_killed(&m, r);
    for (uint32_t i = 1; more_inputs_may_help(k) && k->nsets < most_sets; i++) {
        const uint32_t level = i & 1 ? i / 2 + 1 : 0; /* large ones, and other scalars */
        check_inputs *in = &k->sets[k->nsets];
        if (!check_draw(k, level, false, in) || !check_forward(k, k->nsets))
            return false;
        k->nsets++;
        run_mutants(&m, in);
        count_killed(&m, r);
    }
    return true;
}
