/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel is about: which formulas go with which patterns, and which of both, or which
 * algorithms, can give kernels of a category. All pairs are listed once, so that a draw costs a
 * search in a table.
 *
 *     nested_loop   clamped_window with blur_sum, pairs_in_chunks with gravity_force, ...
 */
#include "compose/compose_internal.h"
#include "profile/profile.h"

/* The number of a seed, and the sum of the weights up to it. */
typedef struct row {
    uint32_t seed, sum;
} row;

enum { BUCKETS = 256 };

/* The row of a number is found between two starts: the number's upper bits are its bucket. */
typedef struct rows {
    row *v;
    uint32_t n, cap;
    uint32_t shift;
    uint32_t *starts; /* BUCKETS and one: the first row whose sum is above the bucket's numbers */
} rows;

/* What few of the seeds have: those that do are listed once more, so that a wish finds them. Of
 * several that a wish names one is looked for: with a larger share what nothing else brings. */
static const struct {
    profile_feature feature;
    uint8_t share;
} seldom[] = {{PROFILE_TILE, 40},     {PROFILE_ELSE, 5},        {PROFILE_WHERE, 4},
              {PROFILE_WIDE, 4},      {PROFILE_BITS, 6},        {PROFILE_LAUNCH_3D, 4},
              {PROFILE_WHILE, 4},     {PROFILE_SWIZZLE, 1},     {PROFILE_UPDATES, 1},
              {PROFILE_TRANSFORM, 3}, {PROFILE_TUPLE_RETURN, 4}};
enum { SELDOM = sizeof seldom / sizeof *seldom };
_Static_assert(SELDOM == (int)SEEDS_SELDOM, "a composer notes which of them are wished");

struct seeds {
    seed_facts *all;
    uint32_t nall, cap;
    rows pairs[GEN_CATEGORY_COUNT], algorithms[GEN_CATEGORY_COUNT];
    rows having[2][SELDOM][GEN_CATEGORY_COUNT]; /* pairs, algorithms */
    rows moving[GEN_CATEGORY_COUNT];            /* algorithms of any field */
};

/* --- which formulas fit ----------------------------------------------------------------------- */

int binding_corners(lib_binding b)
{
    return b == BIND_TRIANGLES || b == BIND_TRIANGLE_TABLE ? 3
           : b == BIND_QUADS || b == BIND_QUAD_TABLE       ? 4
                                                           : 0;
}

const lib_param *formula_reach(const lib_formula *f)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->params[i].of && f->params[i].of->reach && f->params[i].place == PLACE_UNIFORM)
            return &f->params[i];
    return NULL;
}

/* Do only others count that touch it? A cutoff beside that would mean nothing. */
static bool touches(const lib_formula *f)
{
    bool is = false;
    for (uint32_t i = 0; i < f->nparams; i++)
        is |= f->params[i].of && f->params[i].of->touch;
    return is;
}

const lib_param *formula_position(const lib_formula *f)
{
    const bool same = str_eq(f->field->other.one, f->field->element.one);
    bool aims = false; /* a ray goes on, and what it meets may be far from its start */
    for (uint32_t i = 0; i < f->nparams && !same; i++)
        aims |= f->params[i].of->unit_length && f->params[i].place == PLACE_ELEMENT;
    for (uint32_t i = 0; i < f->nparams && !aims; i++) {
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

bool seeds_fit(const lib_pattern *pattern, const lib_formula *f)
{
    const uint32_t corner_places =
        1u << PLACE_FIRST | 1u << PLACE_SECOND | 1u << PLACE_THIRD | 1u << PLACE_FOURTH;
    const bool same = str_eq(f->field->other.one, f->field->element.one);
    /* A share goes to each corner; a whole goes anywhere else. */
    if (f->result->share != (pattern->into == LIB_INTO_CORNERS))
        return false;
    if (pattern->one && (f->random || f->trivial || library_is_whole(f->result->type)))
        return false;
    if (pattern->means.n && !library_means(f->result, pattern->means))
        return false;
    if (f->field->dims != pattern->dims ||
        (pattern->kind != LIB_KIND_ANY && same != (pattern->kind == LIB_KIND_SAME)))
        return false;
    if ((pattern->clamps && f->inner) || !words_name_element(pattern->of, f->field))
        return false;
    if (pattern->traits.space && f->traits.space && pattern->traits.space != f->traits.space)
        return false;
    if (pattern->traits.tiles && f->result->type != LIB_FLOAT) /* whose entries are numbers */
        return false;
    if (pattern->position && (!formula_position(f) || touches(f)))
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

static plan_facts facts_of(const plan *p, gen_category category)
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
    for (uint8_t i = 0; p->same && i < p->nargs; i++)
        if (p->args[i].role == ROLE_QUANTITY)
            f.vectors |= p->args[i].of->type >= LIB_VEC && p->args[i].of->type <= LIB_VEC4;
    for (uint8_t i = 0; category == GEN_SCALAR_PARAM && i < p->nargs; i++)
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

/* Has it a trait that one part is enough for? Asked for each ending and filter that is drawn. */
static bool has_trait(const plan *p, gen_category category)
{
    const bool random = category == GEN_RANDOM_MATH;
    const lib_traits *t = p->pattern ? &p->pattern->traits : &p->algorithm->traits;
    bool has =
        random ? t->random : t->atomics || (p->pattern && p->pattern->into != LIB_INTO_ELEMENT);
    for (uint8_t i = 0; i < p->nfilters && !has; i++)
        has = random ? p->filters[i].part->traits.random : p->filters[i].part->traits.atomics;
    for (uint8_t i = 0; i < p->nsteps && !has; i++) {
        const plan_step *s = &p->steps[i];
        const lib_traits *f = &s->f->traits, *e = s->ending.part ? &s->ending.part->traits : f;
        has = random ? f->random || e->random : f->atomics || e->atomics;
    }
    return has;
}

bool plan_is_of_category(const plan *p, gen_category category)
{
    if (category == GEN_ATOMIC || category == GEN_RANDOM_MATH)
        return has_trait(p, category);
    const plan_facts f = facts_of(p, category);
    return is_of_category(&f, category, false);
}

/* --- the tables ------------------------------------------------------------------------------- */

static void add_row(mem *m, rows *r, uint32_t seed, uint32_t weight)
{
    if (r->n == r->cap) {
        r->cap = r->cap ? 2 * r->cap : 256;
        r->v = mem_resize(m, r->v, mem_mul(m, r->cap, sizeof *r->v));
    }
    r->v[r->n] = (row){seed, (r->n ? r->v[r->n - 1].sum : 0) + weight};
    r->n++;
}

/* Its number. */
static uint32_t add_seed(mem *m, seeds *s, kernel_seed seed)
{
    if (s->nall == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 256;
        s->all = mem_resize(m, s->all, mem_mul(m, s->cap, sizeof *s->all));
    }
    s->all[s->nall].seed = seed;
    seed_see(&s->all[s->nall]);
    return s->nall++;
}

static uint32_t uniforms_of(const lib_param *params, uint32_t n)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++)
        found += params[i].of &&
                 (params[i].place == PLACE_UNIFORM || (params[i].shape && !*params[i].shape));
    return found;
}

enum { GAINED = 6 }; /* so much less often than those that have it themselves */

/* Do endings or filters give the kernel what the category asks for: an atomic that adds the result
 * to a sum, elements that chance leaves out? */
static bool may_gain(const library *l, gen_category category, const lib_quantity *result,
                     bool guarded, const lib_field *f)
{
    if (category != GEN_ATOMIC && category != GEN_RANDOM_MATH)
        return false;
    return (result && part_may_give(l, result, category)) ||
           (category == GEN_RANDOM_MATH && f->dims < 3 && !f->all && guarded);
}

/* Has what the seed is about the feature, or a form of it? */
static bool seed_has(const seed_facts *s, profile_feature feature)
{
    const uint64_t bit = UINT64_C(1) << feature, where = UINT64_C(1) << PROFILE_WHERE;
    const uint64_t wanted = feature == PROFILE_ELSE ? bit | where : bit;
    const lib_formula *f = s->seed.formula;
    const bool formed =
        f && ((feature == PROFILE_ELSE && f->splits) || (feature == PROFILE_WHERE && f->is_one));
    return formed || s->features[CHOICE_NONE] & wanted;
}

/* Has it a value that gradients go through? */
static bool has_floats(const lib_algorithm *a)
{
    bool in = false, out = false;
    for (uint32_t i = 0; i < a->nparams; i++) {
        const lib_quantity *q = a->params[i].of;
        if (q && !library_is_whole(q->type))
            *(a->params[i].place >= PLACE_OUT ? &out : &in) = true;
    }
    return in && out;
}

/* The same of a seed. */
static bool seed_is_smooth(const kernel_seed *s)
{
    if (s->algorithm)
        return has_floats(s->algorithm);
    bool in = false;
    for (uint32_t i = 0; i < s->formula->nparams; i++) {
        const lib_type t = s->formula->params[i].of->type;
        in |= !library_is_whole(t);
    }
    const lib_type t = s->formula->result->type;
    return in && !library_is_whole(t);
}

/* Lists a seed by its category, and by what few have. */
static void list_seed(mem *m, seeds *s, uint32_t seed, int category, uint32_t weight)
{
    enum { SMOOTH = 5 }; /* so much more often than what has no gradient */
    const seed_facts *facts = &s->all[seed];
    const int kind = facts->seed.algorithm != NULL;
    add_row(m, kind ? &s->algorithms[category] : &s->pairs[category], seed, weight);
    for (int i = 0; i < SELDOM; i++)
        if (seed_has(facts, seldom[i].feature))
            add_row(m, &s->having[kind][i][category], seed,
                    seed_is_smooth(&facts->seed) ? SMOOTH * weight : weight);
}

static void list_pair(mem *m, seeds *s, const library *l, const lib_pattern *pattern,
                      const lib_formula *f, uint32_t weight)
{
    plan_facts facts = {.uniforms = uniforms_of(f->params, f->nparams), .steps = 1};
    add_traits(&facts, &pattern->traits, 0);
    add_traits(&facts, &f->traits, pattern->traits.loops);
    facts.atomics |= pattern->into != LIB_INTO_ELEMENT;
    const uint32_t seed = add_seed(m, s, (kernel_seed){.pattern = pattern, .formula = f});
    for (int k = 0; k < GEN_CATEGORY_COUNT; k++) {
        const gen_category category = (gen_category)k;
        if (is_of_category(&facts, category, true))
            list_seed(m, s, seed, k, weight);
        else if (pattern->into == LIB_INTO_ELEMENT &&
                 may_gain(l, category, f->result, pattern->guarded, f->field))
            list_seed(m, s, seed, k, (weight + GAINED - 1) / GAINED);
    }
}

static uint32_t share_of(const lib_field *f)
{
    enum { USUAL = 4 };
    return f->share ? f->share : USUAL;
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
            list_pair(m, s, l, pattern, f, pattern->share * (share + OWN / n) * share_of(f->field));
    }
}

/* An algorithm that leaves no room for guards, endings and steps is the same kernel each time, so
 * it is drawn less often. An integer more has no gradient. */
static void list_algorithm(mem *m, seeds *s, const library *l, const lib_algorithm *a)
{
    enum { TILES = 3, GUARDED = 3 };
    plan_facts facts = {.uniforms = uniforms_of(a->params, a->nparams)};
    const uint32_t weight = a->share * (has_floats(a) ? 2u : 1u) * (a->guarded ? GUARDED : 1u) *
                            (a->result ? 2u : 1u) * (a->traits.tiles ? TILES : 1u) *
                            share_of(a->field);
    add_traits(&facts, &a->traits, 0);
    facts.vectors |= a->any; /* as what is drawn for it has */
    const uint32_t seed = add_seed(m, s, (kernel_seed){.algorithm = a});
    const lib_quantity *result = a->result ? a->result->result : NULL;
    for (int k = 0; k < GEN_CATEGORY_COUNT; k++) {
        const gen_category category = (gen_category)k;
        if (is_of_category(&facts, category, true)) {
            list_seed(m, s, seed, k, weight);
            if (a->any)
                add_row(m, &s->moving[category], seed, weight);
        } else if (!a->traits.tiles && may_gain(l, category, result, a->guarded, a->field))
            list_seed(m, s, seed, k, (weight + GAINED - 1) / GAINED);
    }
}

static void index_rows(mem *m, rows *r)
{
    if (!r->n)
        return;
    while ((r->v[r->n - 1].sum - 1) >> r->shift >= BUCKETS)
        r->shift++;
    r->starts = mem_alloc(m, (BUCKETS + 1) * sizeof *r->starts);
    uint32_t at = 0;
    for (uint64_t i = 0; i <= BUCKETS; i++) {
        while (at + 1 < r->n && r->v[at].sum <= i << r->shift)
            at++;
        r->starts[i] = at;
    }
}

const seeds *seeds_new(library *l)
{
    mem *m = &l->c.mem;
    seeds *s = mem_alloc(m, sizeof *s);
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < l->patterns.n; i++)
        list_pairs(m, s, l, l->patterns.v[i]);
    for (uint32_t i = 0; i < l->algorithms.n; i++)
        list_algorithm(m, s, l, l->algorithms.v[i]);
    for (int k = 0; k < GEN_CATEGORY_COUNT; k++) {
        index_rows(m, &s->pairs[k]);
        index_rows(m, &s->algorithms[k]);
        index_rows(m, &s->moving[k]);
        for (int i = 0; i < SELDOM; i++) {
            index_rows(m, &s->having[0][i][k]);
            index_rows(m, &s->having[1][i][k]);
        }
    }
    return s;
}

static const seed_facts *draw_row(composer *c, const rows *r)
{
    const uint32_t at = below(c, r->v[r->n - 1].sum), bucket = at >> r->shift;
    uint32_t low = r->starts[bucket], high = r->starts[bucket + 1]; /* the first row above */
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (r->v[middle].sum > at)
            high = middle;
        else
            low = middle + 1;
    }
    return &c->l->seeds->all[r->v[low].seed];
}

/* One of the rows of `having` that the kernel is wished for; -1: none. */
static int wished_row(composer *c)
{
    int found = -1;
    uint32_t all = 0;
    for (uint32_t k = 0; k < c->nwished; k++) {
        const int i = c->wished[k];
        all += seldom[i].share;
        if (below(c, all) < seldom[i].share)
            found = i;
    }
    return found;
}

/* Wishes it no more than what moving values has: no loops, no mathematics, no functions? */
static bool wants_moves(const composer *c)
{
    static const profile_feature others[] = {
        PROFILE_LOOP,         PROFILE_WHILE,   PROFILE_NESTED_LOOP, PROFILE_LOADED_BOUND,
        PROFILE_LOOP_EXIT,    PROFILE_ATOMIC,  PROFILE_SCATTER,     PROFILE_OWN_CALLS,
        PROFILE_TUPLE_RETURN, PROFILE_GENERIC, PROFILE_TILE,        PROFILE_OBJECT,
        PROFILE_MATH,         PROFILE_CHOICE,  PROFILE_PRODUCTS,    PROFILE_WHERE,
        PROFILE_TERNARY,      PROFILE_BITS,    PROFILE_RANDOM,      PROFILE_SWIZZLE,
        PROFILE_WIDE,         PROFILE_SMALL,   PROFILE_FLOAT64,     PROFILE_STATIC};
    bool wants = c->wish != NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        wants &= !wish_names(c, others[i]);
    return wants;
}

/* Whether a kernel is a whole algorithm is drawn once: else those few that have much of what wishes
 * name would be taken again and again. Later attempts move values less often: in some categories
 * few kernels do nothing else. */
void seeds_begin(composer *c, gen_category category)
{
    enum { SHARE = 34, SELDOM_SHARE = 30, PAIRS = 36, MOVING = 90 }; /* percent */
    c->nwished = 0;
    for (int i = 0; i < SELDOM; i++) {
        const profile_feature f = seldom[i].feature;
        const rows(*having)[SELDOM][GEN_CATEGORY_COUNT] = c->l->seeds->having;
        const bool wished =
            wish_names(c, f) || (f == PROFILE_WHERE && wish_names(c, PROFILE_TERNARY));
        if (wished && (having[0][i][category].n || having[1][i][category].n))
            c->wished[c->nwished++] = (uint8_t)i;
    }
    const bool rare = wish_names(c, PROFILE_WHILE) || wish_names(c, PROFILE_LOOP_EXIT) ||
                      wish_names(c, PROFILE_BITS);
    c->whole = chance(c, wish_names(c, PROFILE_TILE)           ? 88
                         : wish_names(c, PROFILE_TUPLE_RETURN) ? PAIRS
                         : rare                                ? SELDOM_SHARE
                                                               : SHARE);
    c->moving = wants_moves(c) && chance(c, MOVING >> c->ease);
}

static const seed_facts *draw_seed(composer *c, gen_category category)
{
    enum { LISTED = 70 }; /* percent */
    const rows *pairs = &c->l->seeds->pairs[category], *whole = &c->l->seeds->algorithms[category];
    WEFT_ASSERT(pairs->n || whole->n);
    if (c->moving && c->l->seeds->moving[category].n)
        return draw_row(c, &c->l->seeds->moving[category]);
    const int wished = wished_row(c);
    const rows *having_pairs = wished >= 0 ? &c->l->seeds->having[0][wished][category] : pairs,
               *having_whole = wished >= 0 ? &c->l->seeds->having[1][wished][category] : whole;
    if (chance(c, LISTED >> c->ease)) {
        pairs = having_pairs->n ? having_pairs : pairs;
        whole = having_whole->n ? having_whole : whole;
    }
    return draw_row(c, whole->n && (!pairs->n || c->whole) ? whole : pairs);
}

/* Of some seeds the nearest to the wish. */
kernel_seed seeds_draw(composer *c, gen_category category)
{
    enum { SEEDS = 4, CHOOSY = 7 };
    const int most = wished_row(c) >= 0 ? CHOOSY : SEEDS;
    const seed_facts *best = draw_seed(c, category);
    uint32_t nearest = wish_of_seed(c, best);
    for (int i = 1; i < most >> c->ease && nearest; i++) {
        const seed_facts *s = draw_seed(c, category);
        const uint32_t d = wish_of_seed(c, s);
        if (d < nearest) {
            nearest = d;
            best = s;
        }
    }
    return best->seed;
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
