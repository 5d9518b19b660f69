/* SPDX-License-Identifier: Apache-2.0 */
/* Plans that are near to a wish: kernels are to have the features and the lengths that real ones
 * have (profile/profile.h).
 *
 *     wish "19 gather guard"   ->   of some plans one that gathers and has a guard
 *
 * What a plan's kernel will have follows from its templates, whose facts are found once, and from
 * its arguments; nothing is written for the plans that are thrown away. So it is an estimate. */
#include "compose/compose_internal.h"
#include "profile/profile.h"

static uint64_t bit(profile_feature f)
{
    return UINT64_C(1) << f;
}

/* --- facts of templates ----------------------------------------------------------------------- */

/* The parameters that are arrays where the statements stand. */
static uint32_t arrays_of(const lib_param *params, const lib_binding *bindings, uint32_t n,
                          const sym **out)
{
    uint32_t arrays = 0;
    for (uint32_t i = 0; i < n; i++) {
        const bool scalar =
            params[i].of
                ? params[i].place == PLACE_UNIFORM || (params[i].shape && !*params[i].shape)
                : bindings[i] == BIND_MESH || bindings[i] == BIND_BVH || bindings[i] == BIND_GRID ||
                      bindings[i] == BIND_CHOSEN;
        if (!scalar)
            out[arrays++] = params[i].name;
    }
    return arrays;
}

void library_profile(library *l)
{
    const lib_words *w = &l->words;
    const sym *arrays[LIB_PARAMS];
    const sym *const words[] = {w->thread, w->at,    w->guard,   w->finish, w->value,
                                w->zero,   w->count, w->scatter, w->maybe,  w->any_of};
    profile_template t = {.warp = w->wp,
                          .words = words,
                          .nwords = sizeof words / sizeof *words,
                          .at = w->at,
                          .scatter = w->scatter,
                          .count = w->count,
                          .arrays = arrays};
    for (uint32_t i = 0; i < l->formulas.n; i++) {
        lib_formula *f = l->formulas.v[i];
        t.narrays = 0;
        for (uint32_t k = 0; k < f->nparams; k++)
            if (f->params[k].place == PLACE_WHOLE)
                arrays[t.narrays++] = f->params[k].name;
        profile_part(&t, f->body, f->nbody, &f->facts);
    }
    for (uint32_t i = 0; i < l->patterns.n; i++) {
        lib_pattern *p = l->patterns.v[i];
        t.narrays = arrays_of(p->params, p->bindings, p->nparams, arrays);
        profile_part(&t, p->body, p->nbody, &p->facts);
    }
    for (uint32_t i = 0; i < l->endings.n + l->filters.n; i++) {
        lib_part *p = i < l->endings.n ? l->endings.v[i] : l->filters.v[i - l->endings.n];
        t.narrays = arrays_of(p->params, p->bindings, p->nparams, arrays);
        profile_part(&t, p->body, p->nbody, &p->facts);
    }
    for (uint32_t i = 0; i < l->algorithms.n; i++) {
        lib_algorithm *a = l->algorithms.v[i];
        t.narrays = arrays_of(a->params, a->bindings, a->nparams, arrays);
        profile_part(&t, a->body, a->nbody, &a->facts);
    }
}

/* --- facts of plans --------------------------------------------------------------------------- */

static void add_part(profile_facts *all, const profile_facts *part)
{
    all->features |= part->features;
    all->numbers[PROFILE_LINES] += part->numbers[PROFILE_LINES];
}

/* What the type of an argument shows. */
static uint64_t features_of_type(lib_type t)
{
    switch (t) {
    case LIB_VEC:
    case LIB_VEC2:
    case LIB_VEC3:
    case LIB_VEC4: return bit(PROFILE_VECTOR);
    case LIB_MAT22:
    case LIB_MAT33: return bit(PROFILE_MATRIX);
    case LIB_INT64: return bit(PROFILE_WIDE);
    case LIB_QUAT:
    case LIB_TRANSFORM:
    case LIB_SPATIAL: return bit(PROFILE_TRANSFORM);
    default: return 0;
    }
}

static uint64_t features_of_dims(uint32_t dims)
{
    return (dims > 1 ? bit(PROFILE_LAUNCH_2D) | bit(PROFILE_ARRAY_2D) : 0) |
           (dims > 2 ? bit(PROFILE_LAUNCH_3D) : 0);
}

static void add_arguments(profile_facts *all, const plan *p)
{
    uint32_t outputs = 0;
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        outputs += a->written;
        if (a->of)
            all->features |= features_of_type(a->of->type);
        if (a->shape && strchr(a->shape, ','))
            all->features |= bit(PROFILE_ARRAY_2D);
    }
    if (outputs > 1)
        all->features |= bit(PROFILE_OUTPUTS);
    all->numbers[PROFILE_LINES] += p->nargs + 3u + outputs;
}

/* A step is statements of the kernel, or a call of a function. */
static void add_steps(profile_facts *all, const plan *p)
{
    for (uint8_t i = 0; i < p->nsteps; i++) {
        const plan_step *s = &p->steps[i];
        if (s->function) {
            all->features |= bit(PROFILE_OWN_CALLS);
            all->numbers[PROFILE_LINES]++;
        } else {
            profile_facts facts = s->f->facts;
            if (s->choice)
                facts.features = choice_features(s->f, s->choice);
            add_part(all, &facts);
        }
        if (joint_is_second(p, i))
            all->features |= bit(PROFILE_OWN_CALLS) | bit(PROFILE_TUPLE_RETURN);
        if (s->ending.part)
            add_part(all, &s->ending.part->facts);
        if (s->repeat)
            all->features |= bit(PROFILE_LOOP);
    }
}

static profile_facts facts_of(const plan *p)
{
    profile_facts all = {0};
    add_part(&all, p->pattern ? &p->pattern->facts : &p->algorithm->facts);
    add_steps(&all, p);
    for (uint8_t i = 0; i < p->nfilters; i++)
        add_part(&all, &p->filters[i].part->facts);
    add_arguments(&all, p);
    if (p->guard != GUARD_NONE)
        all.features |= bit(PROFILE_GUARD) | bit(PROFILE_BRANCH);
    all.features |= features_of_dims(p->dims);
    if (p->pattern && p->pattern->into != LIB_INTO_ELEMENT && !p->pattern->traits.tiles)
        all.features |= bit(PROFILE_ATOMIC);
    if (p->random)
        all.features |= bit(PROFILE_RANDOM);
    if (p->over == LIB_OVER_ACTIVE)
        all.features |= bit(PROFILE_GATHER);
    if (p->over == LIB_OVER_WORLDS)
        all.features |= bit(PROFILE_LAUNCH_2D);
    if (p->over == LIB_OVER_FLAT)
        all.features &= ~(bit(PROFILE_LAUNCH_2D) | bit(PROFILE_LAUNCH_3D));
    return all;
}

/* --- difficulty ------------------------------------------------------------------------------- */

/* Difficulty is in what is computed, rather than in its length: 5 is an algorithm with branches and
 * functions of its own in loops that are nested or depend on data. */
static uint32_t level_of(const plan *p, uint32_t lines)
{
    enum { SHORT = 14, LONG = 20, WHOLE = 30 }; /* lines */
    profile_facts all = {0};
    add_part(&all, p->pattern ? &p->pattern->facts : &p->algorithm->facts);
    add_steps(&all, p);
    const uint64_t f = all.features;
    const bool loops = f & (bit(PROFILE_LOOP) | bit(PROFILE_WHILE));
    const bool hard = loops && f & (bit(PROFILE_NESTED_LOOP) | bit(PROFILE_LOADED_BOUND) |
                                    bit(PROFILE_WHILE) | bit(PROFILE_LOOP_EXIT));
    const bool branches = f & (bit(PROFILE_BRANCH) | bit(PROFILE_ELSE));
    const bool calls = f & bit(PROFILE_OWN_CALLS);
    if (hard && branches && (calls || lines >= WHOLE))
        return 5;
    if (hard && (branches || calls || lines > LONG))
        return 4;
    if (hard || (loops && (branches || calls || lines > SHORT)) || (branches && calls) ||
        lines > LONG)
        return 3;
    return loops || branches || calls || lines > SHORT ? 2 : 1;
}

const char *compose_level_words(uint32_t level)
{
    static const char *const words[GEN_LEVELS] = {
        "one idea in up to 14 lines: no loop, no branch, no function of its own",
        "a branch, a loop or a function; or up to 20 lines",
        "branches in a loop, or functions with branches; or more than 20 lines",
        "loops that are nested or depend on data, with branches or functions",
        "a whole algorithm: such loops with branches and functions"};
    WEFT_ASSERT(level >= 1 && level <= GEN_LEVELS);
    return words[level - 1];
}

/* What cannot be: arithmetic has no loops, a loop is not the easiest thing. */
unsigned compose_levels(gen_category category)
{
    enum { ALL = 0x3e, NOT_1 = ALL & ~2, TO_3 = 0xe, TO_4 = 0x1e, FROM_3 = 0x38 };
    switch (category) {
    case GEN_ARITHMETIC: return TO_3;
    case GEN_MATRIX:
    case GEN_ATOMIC:
    case GEN_RANDOM_MATH: return TO_4;
    case GEN_LOOP:
    case GEN_MULTI_CONDITIONAL:
    case GEN_COMBINED: return NOT_1;
    case GEN_NESTED_LOOP: return FROM_3;
    default: return ALL;
    }
}

uint32_t wish_level(const composer *c, uint32_t lines)
{
    return level_of(&c->p, lines);
}

/* --- wishes ----------------------------------------------------------------------------------- */

/* What a pattern with a formula, or an algorithm, settles alone. */
static uint64_t settled(void)
{
    return bit(PROFILE_GATHER) | bit(PROFILE_SCATTER) | bit(PROFILE_LOADED_BOUND) |
           bit(PROFILE_LOOP) | bit(PROFILE_WHILE) | bit(PROFILE_NESTED_LOOP) |
           bit(PROFILE_LOOP_EXIT) | bit(PROFILE_ELSE) | bit(PROFILE_LAUNCH_2D) |
           bit(PROFILE_LAUNCH_3D) | bit(PROFILE_ATOMIC) | bit(PROFILE_TILE) | bit(PROFILE_OBJECT) |
           bit(PROFILE_TRANSFORM) | bit(PROFILE_MATRIX) | bit(PROFILE_RANDOM) | bit(PROFILE_BITS) |
           bit(PROFILE_DIVISION) | bit(PROFILE_SWIZZLE) | bit(PROFILE_MATH) | bit(PROFILE_SHAPE) |
           bit(PROFILE_WHERE) | bit(PROFILE_TERNARY) | bit(PROFILE_UPDATES) |
           bit(PROFILE_TUPLE_RETURN);
}

static uint64_t features_of_params(const lib_param *params, uint32_t n)
{
    uint64_t features = 0;
    for (uint32_t i = 0; i < n; i++)
        if (params[i].of)
            features |= features_of_type(params[i].of->type);
    return features;
}

/* wp.where may be written as a conditional expression, or with branches (compose_form.c). */
static uint64_t as_wished(const profile_wish *w, uint64_t features)
{
    const uint64_t where = bit(PROFILE_WHERE);
    if (!(features & where))
        return features;
    if (w->wanted & bit(PROFILE_TERNARY))
        return (features & ~where) | bit(PROFILE_TERNARY);
    if (w->wanted & bit(PROFILE_ELSE) && !(w->wanted & where))
        return (features & ~where) | bit(PROFILE_ELSE) | bit(PROFILE_BRANCH);
    return features;
}

/* How the wish would have a formula that returns early. */
static step_choice wished_choice(const profile_wish *w)
{
    return w->wanted & (bit(PROFILE_WHERE) | bit(PROFILE_TERNARY)) ? CHOICE_ONE
           : w->wanted & bit(PROFILE_ELSE)                         ? CHOICE_SPLIT
                                                                   : CHOICE_NONE;
}

/* What the seed has whatever is added; `of_formula`: what its formula has. */
static uint64_t features_of_seed(const kernel_seed *s, uint64_t of_formula)
{
    const lib_algorithm *a = s->algorithm;
    if (a)
        return a->facts.features | features_of_dims(a->dims) |
               features_of_params(a->params, a->nparams);
    const bool atomic = s->pattern->into != LIB_INTO_ELEMENT && !s->pattern->traits.tiles;
    return s->pattern->facts.features | of_formula | features_of_dims(s->pattern->dims) |
           (atomic ? bit(PROFILE_ATOMIC) : 0) | features_of_type(s->formula->result->type) |
           features_of_params(s->formula->params, s->formula->nparams);
}

void seed_see(seed_facts *s)
{
    const lib_formula *f = s->seed.formula;
    const uint64_t plain = features_of_seed(&s->seed, f ? f->facts.features : 0);
    s->features[CHOICE_NONE] = plain;
    s->features[CHOICE_SPLIT] =
        f && f->splits ? features_of_seed(&s->seed, choice_features(f, CHOICE_SPLIT)) : plain;
    s->features[CHOICE_ONE] =
        f && f->is_one ? features_of_seed(&s->seed, choice_features(f, CHOICE_ONE)) : plain;
}

uint32_t wish_of_seed(const composer *c, const seed_facts *s)
{
    const profile_wish *w = c->wish;
    return w ? profile_difference(w, as_wished(w, s->features[wished_choice(w)]), settled()) : 0;
}

/* Has the plan what the wish insists on, as far as it shows? */
static bool is_allowed(const profile_wish *w, const plan *p, const profile_facts *f)
{
    const uint32_t lines = f->numbers[PROFILE_LINES];
    return (!w->levels || w->levels >> level_of(p, lines) & 1) && lines >= w->least &&
           (!w->most || lines <= w->most);
}

bool wish_names(const composer *c, profile_feature feature)
{
    return c->wish && c->wish->wanted >> feature & 1;
}

/* Later attempts are less choosy: the nearest kernels may all be there already. */
bool wish_draw(composer *c, const gen_request *q)
{
    enum { PLANS = 6, MORE = 28, EASE = 3, LIMITED = 48, FAR = 1 << 16 };
    /* What few plans have: if the wish names it, some more are drawn. */
    const uint64_t seldom = bit(PROFILE_TUPLE_RETURN) | bit(PROFILE_GENERIC) | bit(PROFILE_ELSE) |
                            bit(PROFILE_WHERE) | bit(PROFILE_TERNARY);
    const profile_wish *w = c->wish = q->wish;
    const uint32_t ease = q->attempt < EASE ? q->attempt : EASE;
    c->ease = (uint8_t)ease;
    uint32_t nearest = UINT32_MAX;
    seeds_begin(c, q->category);
    if (!w)
        return plan_draw(c, q);
    c->docstrings = w->wanted >> PROFILE_DOCSTRING & 1;
    c->options = w->wanted >> PROFILE_OPTIONS & 1;
    const bool limited = w->levels || w->least || w->most;
    uint64_t lacks = w->wanted & seldom;
    for (int i = 0; (i <= PLANS >> ease || (lacks && i < MORE >> ease) ||
                     (nearest >= FAR && i < LIMITED && limited)) &&
                    nearest && plan_draw(c, q);
         i++) {
        profile_facts f = facts_of(&c->p);
        f.features = as_wished(w, f.features);
        lib_type generic;
        if (wish_names(c, PROFILE_GENERIC) && generic_type(c, &c->p, &generic))
            f.features |= bit(PROFILE_GENERIC);
        const uint32_t d = profile_distance(w, &f) + (is_allowed(w, &c->p, &f) ? 0 : FAR);
        if (d >= nearest)
            continue;
        nearest = d;
        lacks = w->wanted & seldom & ~f.features;
        plan_copy(&c->best, &c->p);
    }
    plan_copy(&c->p, &c->best);
    c->p.generic = nearest != UINT32_MAX && wish_names(c, PROFILE_GENERIC) &&
                   generic_type(c, &c->p, &c->p.generic_type);
    return nearest != UINT32_MAX;
}

str wish_text(composer *c, const gen_request *q)
{
    strbuf b;
    if (!q->wish)
        return STR("");
    sb_init(&b, c->m);
    profile_put_wish(&b, q->wish);
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}
