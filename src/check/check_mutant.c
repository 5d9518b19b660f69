/* Do the inputs tell the kernel from a wrong one? Mutants of the forward text are run on the input
 * sets until one gives another result or a fault; three that need no run are judged by the
 * results: all outputs zero, all outputs the same, a copy of an input. */
#include "check/check_internal.h"

enum { MUTANTS_MAX = 512, MUTANTS_RUN = 20, FUEL = 100000 };

/* --- mutants that need no run -------------------------------------------------------------- */

static bool is_changed(const check_inputs *in, const check_slot *s)
{
    return !check_slot_same(s, in->initial, in->expected);
}

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

enum { PLAIN_ZERO = 1, PLAIN_CONSTANT = 2, PLAIN_COPY = 4, PLAIN_COUNT = 3 };

/* Which of the three a set cannot tell. The constant is what the first set's first result is. */
static unsigned plain_survivors(const check_inputs *first, const check_inputs *in)
{
    unsigned zero = PLAIN_ZERO, same = PLAIN_CONSTANT, copy = PLAIN_COPY;
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
    return any ? zero | same | copy : PLAIN_ZERO | PLAIN_CONSTANT | PLAIN_COPY;
}

/* --- mutants that are run ------------------------------------------------------------------ */

static bool tells(checker *k, textvm *vm, check_inputs *in)
{
    textvm_error e = {0};
    return !check_run_text(k, vm, in, FUEL, &e) ||
           !check_states_equal(in, in->expected, in->values.bytes);
}

typedef struct campaign {
    checker *k;
    textvm *vm;
    textvm_mutant *alive; /* those that no set has told yet */
    uint32_t n;
    unsigned plain;
} campaign;

static void face(campaign *m, check_inputs *in)
{
    uint32_t left = 0;
    m->plain &= plain_survivors(&m->k->sets[0], in);
    for (uint32_t i = 0; i < m->n; i++) {
        textvm_mutate(m->vm, &m->alive[i]);
        if (!tells(m->k, m->vm, in))
            m->alive[left++] = m->alive[i];
    }
    textvm_mutate(m->vm, NULL);
    m->n = left;
}

static void count(const campaign *m, check_result *r)
{
    const uint32_t plain = (m->plain & 1) + (m->plain >> 1 & 1) + (m->plain >> 2 & 1);
    r->killed = r->mutants - m->n - plain;
}

/* Too few are told, but not so few that more inputs would hardly help. */
static bool hopeful(const check_result *r)
{
    return !check_is_adequate(r) && (uint64_t)r->killed * 2 >= (uint64_t)r->mutants;
}

/* Of many mutants some: drawn one from each of as many stretches of the text. */
static uint32_t choose(checker *k, textvm_mutant *all, uint32_t n)
{
    if (n <= MUTANTS_RUN)
        return n;
    for (uint32_t i = 0; i < MUTANTS_RUN; i++) {
        const uint32_t from = i * n / MUTANTS_RUN, to = (i + 1) * n / MUTANTS_RUN;
        all[i] = all[from + rng_below(&k->draws, to - from)];
    }
    return MUTANTS_RUN;
}

bool check_adequacy(checker *k)
{
    campaign m = {.k = k, .vm = k->forward[0] ? k->forward[0] : k->forward[1], .plain = 7};
    check_result *r = k->r;
    if (!m.vm)
        return true;
    m.alive = ARENA_ARRAY(&k->a, textvm_mutant, MUTANTS_MAX);
    m.n = textvm_mutants(m.vm, m.alive, MUTANTS_MAX);
    m.n = choose(k, m.alive, m.n > MUTANTS_MAX ? MUTANTS_MAX : m.n);
    r->mutants = m.n + PLAIN_COUNT;
    for (uint32_t i = k->nsets; i-- > 0;) /* the small ones first */
        face(&m, &k->sets[i]);
    count(&m, r);
    for (uint32_t i = 1; hopeful(r) && k->nsets < CHECK_SETS_MUTANTS; i++) {
        const uint32_t level = i & 1 ? i / 2 + 1 : 0; /* large ones, and other scalars */
        check_inputs *in = &k->sets[k->nsets];
        if (!check_draw(k, level, false, in) || !check_forward(k, k->nsets))
            return false;
        k->nsets++;
        face(&m, in);
        count(&m, r);
    }
    return true;
}
