/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel is about: which formulas go with which patterns, and which of both, or which
 * algorithms, can give kernels of a category. All pairs are listed once, so that a draw costs a
 * search in a table.
 *
 *     nested_loop   clamped_window with blur_sum, pairs_in_chunks with gravity_force, ...
 */
#include "compose/compose_internal.h"

/* A seed, and the sum of the weights up to it. */
typedef struct row {
    kernel_seed s;
    uint32_t sum;
} row;

typedef struct rows {
    row *v;
    uint32_t n, cap;
} rows;

struct seeds {
    rows pairs[GEN_CATEGORY_COUNT], algorithms[GEN_CATEGORY_COUNT];
};

/* --- which formulas fit ----------------------------------------------------------------------- */

int binding_corners(lib_binding b)
{
    return b == BIND_TRIANGLES || b == BIND_TRIANGLE_TABLE ? 3
           : b == BIND_QUADS || b == BIND_QUAD_TABLE       ? 4
                                                           : 0;
}

const lib_param *formula_position(const lib_formula *f)
{
    const bool same = str_eq(f->field->other.one, f->field->element.one);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const lib_param *p = &f->params[i];
        const bool place = (p->of->type == LIB_VEC || p->of->type == LIB_VEC3) &&
                           str_eq(p->of->unit, STR("m")) && p->place == PLACE_ELEMENT &&
                           !p->of->uniform;
        bool both = false;
        for (uint32_t k = 0; k < f->nparams; k++)
            both |= f->params[k].of == p->of && f->params[k].place == PLACE_OTHER;
        if (place && (both || !same))
            return p;
    }
    return NULL;
}

bool formula_is_random(const library *l, const lib_formula *f)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->params[i].of->id == l->words.random_state)
            return true;
    return false;
}

bool pattern_wants_position(const lib_pattern *pattern)
{
    for (uint32_t i = 0; i < pattern->nparams; i++)
        if (pattern->bindings[i] == BIND_POSITION)
            return true;
    return false;
}

bool seeds_fit(const lib_pattern *pattern, const lib_formula *f)
{
    const uint32_t corner_places =
        1u << PLACE_FIRST | 1u << PLACE_SECOND | 1u << PLACE_THIRD | 1u << PLACE_FOURTH;
    const bool same = str_eq(f->field->other.one, f->field->element.one);
    /* A share goes to each corner; a whole goes anywhere else. */
    if (f->result->share != (pattern->into == LIB_INTO_CORNERS))
        return false;
    if (pattern->means.n && !library_means(f->result, pattern->means))
        return false;
    if (f->field->dims != pattern->dims ||
        (pattern->kind != LIB_KIND_ANY && same != (pattern->kind == LIB_KIND_SAME)))
        return false;
    if (pattern->traits.space && f->traits.space && pattern->traits.space != f->traits.space)
        return false;
    if (pattern_wants_position(pattern) && !formula_position(f))
        return false;
    /* What adds up over neighbours is not asked of a single one. */
    if (same && !pattern->sums && f->result->sums && f->places & 1u << PLACE_OTHER)
        return false;
    const int corners = pattern->nparams ? binding_corners(pattern->bindings[0]) : 0;
    if (f->places & corner_places && corners != f->field->corners)
        return false;
    return !(f->places & ~(pattern->gives | 1u << PLACE_WHOLE)) &&
           (!pattern->needs || f->places & pattern->needs) && (!pattern->sums || f->result->sums) &&
           (!pattern->opposite || f->opposite) &&
           !(pattern->into == LIB_INTO_FIRST && f->opposite) &&
           !(pattern->into == LIB_INTO_GROUP && !f->field->grouped);
}

/* --- categories ------------------------------------------------------------------------------- */

typedef struct plan_facts {
    uint32_t loops, branches, chain, math, uniforms, functions, steps;
    bool atomics, random, vectors, matrices;
} plan_facts;

static void add_traits(plan_facts *f, const lib_traits *t, uint32_t depth)
{
    if (t->loops + depth > f->loops)
        f->loops = t->loops + depth;
    f->branches += t->branches;
    if (t->chain > f->chain)
        f->chain = t->chain;
    f->math += t->math;
    f->atomics |= t->atomics;
    f->random |= t->random;
    f->vectors |= t->vectors;
    f->matrices |= t->matrices;
}

static plan_facts facts_of(const plan *p)
{
    plan_facts f = {.steps = p->nsteps};
    add_traits(&f, p->pattern ? &p->pattern->traits : &p->algorithm->traits, 0);
    f.atomics |= p->pattern && p->pattern->into != LIB_INTO_ELEMENT;
    f.branches += p->guard != GUARD_NONE;
    for (uint8_t i = 0; i < p->nfilters; i++)
        add_traits(&f, &p->filters[i].part->traits, 0);
    for (uint8_t i = 0; i < p->nsteps; i++) {
        const plan_step *s = &p->steps[i];
        const bool is_main = p->pattern && i >= p->main && i < p->main + p->nmains;
        add_traits(&f, &s->f->traits, is_main ? p->pattern->traits.loops : s->repeat > 0);
        f.functions += s->function;
        if (s->ending.part)
            add_traits(&f, &s->ending.part->traits, 0);
    }
    for (uint8_t i = 0; i < p->nargs; i++)
        f.uniforms += p->args[i].role == ROLE_QUANTITY && p->args[i].axis == AXIS_NONE;
    return f;
}

/* May a kernel stand for the category? Most kernels may for several. A seed that lacks little may,
 * since guards, steps and endings add to it. */
static bool is_of_category(const plan_facts *f, gen_category category, bool may)
{
    const int parts = (f->loops > 0) + (f->branches > 0) + (f->vectors || f->matrices) +
                      f->atomics + (f->functions > 0) + (f->steps > 2) + (f->math > 1);
    const uint32_t lacks = may;
    switch (category) {
    case GEN_ARITHMETIC: return !f->loops && !f->random && !f->atomics;
    case GEN_CONDITIONAL: return f->branches + lacks > 0;
    case GEN_LOOP: return f->loops == 1;
    case GEN_MATH: return f->math > 0;
    case GEN_VECTOR: return f->vectors;
    case GEN_MATRIX: return f->matrices;
    case GEN_ATOMIC: return f->atomics;
    case GEN_NESTED_LOOP: return f->loops > 1;
    case GEN_MULTI_CONDITIONAL: return f->branches + lacks > 1 || f->chain > 1;
    case GEN_COMBINED: return parts + 2 * (int)lacks > 3;
    case GEN_SCALAR_PARAM: return f->uniforms + lacks > 1;
    case GEN_RANDOM_MATH: return f->random;
    case GEN_CATEGORY_COUNT: break;
    }
    return false;
}

bool plan_is_of_category(const plan *p, gen_category category)
{
    const plan_facts f = facts_of(p);
    return is_of_category(&f, category, false);
}

/* --- the tables ------------------------------------------------------------------------------- */

static void add_row(mem *m, rows *r, kernel_seed s, uint32_t weight)
{
    if (r->n == r->cap) {
        r->cap = r->cap ? 2 * r->cap : 256;
        r->v = mem_resize(m, r->v, mem_mul(m, r->cap, sizeof *r->v));
    }
    r->v[r->n] = (row){s, (r->n ? r->v[r->n - 1].sum : 0) + weight};
    r->n++;
}

static uint32_t uniforms_of(const lib_param *params, uint32_t n)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++)
        found += params[i].of &&
                 (params[i].place == PLACE_UNIFORM || (params[i].shape && !*params[i].shape));
    return found;
}

static void list_pair(mem *m, seeds *s, const lib_pattern *pattern, const lib_formula *f,
                      uint32_t weight)
{
    plan_facts facts = {.uniforms = uniforms_of(f->params, f->nparams), .steps = 1};
    add_traits(&facts, &pattern->traits, 0);
    add_traits(&facts, &f->traits, pattern->traits.loops);
    facts.atomics |= pattern->into != LIB_INTO_ELEMENT;
    for (int k = 0; k < GEN_CATEGORY_COUNT; k++)
        if (is_of_category(&facts, (gen_category)k, true))
            add_row(m, &s->pairs[k], (kernel_seed){.pattern = pattern, .formula = f}, weight);
}

/* Formulas that meet others, and those with frames and matrices, weigh more; patterns that few
 * formulas fit are not drowned by those that all do. */
static void list_pairs(mem *m, seeds *s, const library *l, const lib_pattern *pattern)
{
    const uint32_t ALONE = 1, MET = 3, FRAMES = 4, OWN = 30;
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->formulas.n; i++)
        n += seeds_fit(pattern, l->formulas.v[i]);
    for (uint32_t i = 0; i < l->formulas.n; i++) {
        const lib_formula *f = l->formulas.v[i];
        const bool met = f->places & ~(uint32_t)LIB_ALONE;
        const uint32_t share = f->traits.matrices ? FRAMES + met : met ? MET : ALONE;
        if (seeds_fit(pattern, f))
            list_pair(m, s, pattern, f, pattern->share * (share + OWN / n));
    }
}

/* Has it a value that gradients go through? */
static bool has_floats(const lib_algorithm *a)
{
    bool in = false, out = false;
    for (uint32_t i = 0; i < a->nparams; i++) {
        const lib_quantity *q = a->params[i].of;
        if (q && q->type != LIB_INT && q->type != LIB_UINT)
            *(a->params[i].place >= PLACE_OUT ? &out : &in) = true;
    }
    return in && out;
}

/* People have algorithms with frames or matrices more often than the library does; and an integer
 * more has no gradient. */
static void list_algorithm(mem *m, seeds *s, const lib_algorithm *a)
{
    enum { TILES = 6 };
    plan_facts facts = {.uniforms = uniforms_of(a->params, a->nparams)};
    const uint32_t weight = a->share * (has_floats(a) ? 3u : 1u) * (a->traits.matrices ? 2u : 1u) *
                            (a->result ? 2u : 1u) * (a->traits.tiles ? TILES : 1u);
    add_traits(&facts, &a->traits, 0);
    for (int k = 0; k < GEN_CATEGORY_COUNT; k++)
        if (is_of_category(&facts, (gen_category)k, true))
            add_row(m, &s->algorithms[k], (kernel_seed){.algorithm = a}, weight);
}

seeds *seeds_new(mem *m, const library *l)
{
    seeds *s = mem_alloc(m, sizeof *s);
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < l->patterns.n; i++)
        list_pairs(m, s, l, l->patterns.v[i]);
    for (uint32_t i = 0; i < l->algorithms.n; i++)
        list_algorithm(m, s, l->algorithms.v[i]);
    return s;
}

static kernel_seed draw_row(composer *c, const rows *r)
{
    const uint32_t at = below(c, r->v[r->n - 1].sum);
    uint32_t low = 0, high = r->n - 1; /* the first row whose sum is above */
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (r->v[middle].sum > at)
            high = middle;
        else
            low = middle + 1;
    }
    return r->v[low].s;
}

static kernel_seed draw_seed(composer *c, gen_category category)
{
    enum { ALGORITHMS = 25 }; /* percent */
    const rows *pairs = &c->seeds->pairs[category], *whole = &c->seeds->algorithms[category];
    WEFT_ASSERT(pairs->n || whole->n);
    return draw_row(c, whole->n && (!pairs->n || chance(c, ALGORITHMS)) ? whole : pairs);
}

/* Of some seeds the nearest to the wish. */
kernel_seed seeds_draw(composer *c, gen_category category)
{
    enum { SEEDS = 4 };
    kernel_seed best = draw_seed(c, category);
    uint32_t nearest = wish_of_seed(c, &best);
    for (int i = 1; i < SEEDS >> c->ease && nearest; i++) {
        const kernel_seed s = draw_seed(c, category);
        const uint32_t d = wish_of_seed(c, &s);
        if (d < nearest) {
            nearest = d;
            best = s;
        }
    }
    return best;
}

const lib_pattern *seeds_pattern(composer *c, const lib_formula *f)
{
    const library *l = c->l;
    const lib_pattern *found = NULL;
    uint32_t all = 0;
    for (uint32_t i = 0; i < l->patterns.n; i++) {
        const lib_pattern *p = l->patterns.v[i];
        if (!seeds_fit(p, f))
            continue;
        all += p->share;
        if (below(c, all) < p->share)
            found = p;
    }
    return found;
}
