/* SPDX-License-Identifier: Apache-2.0 */
/* Plans the inputs of a kernel that nobody states, by the roles of its parameters (src/inputs):
 *
 *     i = wp.tid()                          launch "n"
 *     if i >= count: return                 count: values "n-1:n+1"
 *     for k in range(rows[i], rows[i + 1])  rows: values "rising:2", and one longer than n
 *         y[i] += x[cols[k]]                cols: values "0:n", as x has the shape "n"
 *
 * A plan states sizes by letters, so each set of inputs has other ones. Where an index goes beyond
 * an array all the same, the caller asks for a longer one and tries again. */
#include "collect/collect_plan.h"

#include "base/format.h"

/* USUAL: so long launches are without a reach. */
enum { LONGEST = 4096, GROWTHS = 60, FIRST_GROWTH = 17, LARGE = 1 << 24, USUAL = 9 };

static const char letters[] = "nmpq";

/* Is the kernel one for wp.launch_tiled? It has tiles, and no values of single threads in them. */
static bool is_tiled(const ir_unit *u)
{
    static const char *const by_thread[] = {"tile", "untile", "tile_from_thread", "block_dim"};
    bool tiles = false;
    for (uint32_t i = 0; i < u->callees.n; i++) {
        const str name = u->callees.v[i].native.name;
        tiles |= str_starts(name, "tile");
        if (STR_IS_IN(name, by_thread))
            return false;
    }
    return tiles;
}

/* Arrays begin with the launch's letters: x[i, j] of a launch "n,m" is "n,m" long. */
void plan_init(collect_plan *p, ctx *c, const compiled_kernel *k)
{
    const code *f = &k->kernel->code;
    const int dim = k->ir->kernel->launch_dim;
    WEFT_ASSERT(f->nparams <= SAMPLE_ARGS_MAX);
    *p = (collect_plan){.c = c,
                        .k = k->kernel,
                        .ndim = dim < 1             ? 1
                                : dim > LAUNCH_DIMS ? LAUNCH_DIMS
                                                    : dim,
                        .alternatives = 1};
    inputs_reach reach;
    p->roles = inputs_roles(&c->module, k->ir, &reach);
    for (int d = 0; d < INPUTS_DIMS; d++)
        p->reach[d] = reach.dim[d].n ? reach.dim[d].lengths[reach.dim[d].n - 1] : 0;
    p->tiled = p->ndim < LAUNCH_DIMS && is_tiled(k->ir->kernel);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        p->params[i].rank = t->kind == TYPE_ARRAY && t->ndim <= LAUNCH_DIMS ? t->ndim : 0;
    }
}

/* --- numbers ------------------------------------------------------------------------------- */

static str text(const collect_plan *p, const char *form, long long a, long long b)
{
    return str_c(arena_printf(&p->c->module, form, a, b));
}

/* What a variant of the plan changes. */
typedef struct plan_trial {
    bool positive; /* floats */
    bool small;    /* integers that are no index are 1 or 2 */
    bool wide;     /* integers of arrays that are no index may be below zero */
    bool absent;   /* arrays whose presence the code tests are missing */
    bool zeros;    /* some floats are zero */
    bool rising;   /* integers of arrays rise: sorted, or each its own place */
    int size;      /* an integer passed by value is a size of the launch: 1 for the first one */
    int mag;
} plan_trial;

/* An integer that is passed by value. No two of them should be equal, so the i-th gets numbers of
 * its own. */
static str value_text(const collect_plan *p, const inputs_role *r, uint32_t i, plan_trial t)
{
    static const uint8_t starts[] = {5, 3, 7, 2, 6, 4, 8, 9};
    const int from = starts[i % sizeof starts];
    if (r->uses & INPUTS_BOUND && (int)r->dim < p->ndim && !t.small)
        return str_c(arena_printf(&p->c->module, "%c-1:%c+1", letters[r->dim], letters[r->dim]));
    if (r->uses & INPUTS_SHIFT)
        return STR("1:5");
    if (t.size) {
        const char of = letters[(t.size - 1) % p->ndim];
        return str_c(arena_printf(&p->c->module, "%c:%c+1", of, of));
    }
    if (r->uses & INPUTS_LITERAL && !(r->uses & (INPUTS_COUNT | INPUTS_INDEX | INPUTS_DIVISOR)) &&
        r->least > -LARGE && r->most < LARGE)
        return text(p, "%lld:%lld", r->least, r->most + 2);
    if (t.small)
        return STR("1:3");
    if (r->uses & (INPUTS_DIVISOR | INPUTS_STRIDE | INPUTS_COUNT | INPUTS_INDEX))
        return text(p, "%lld:%lld", from, from + 2);
    return text(p, "%lld:%lld", 0, 8);
}

/* The range of indexes: the shortest dimension that they index. Those that are part of a sum stay
 * small. */
static str index_text(const collect_plan *p, const inputs_role *r, bool sentinel)
{
    const int from = sentinel ? -1 : 0;
    int dim = -1;
    for (uint32_t i = 0; i < r->ntargets; i++) {
        const plan_param *of = &p->params[r->targets[i].param];
        if (!r->targets[i].exact)
            return text(p, "%lld:%lld", from, 2);
        /* Letters behind the launch's stand for smaller sizes. */
        if (!of->sizes[r->targets[i].dim] && (int)r->targets[i].dim > dim)
            dim = (int)r->targets[i].dim;
    }
    if (dim < 0 || dim >= LAUNCH_DIMS)
        return text(p, "%lld:%lld", from, 2);
    return str_c(arena_printf(&p->c->module, "%d:%c", from, letters[dim]));
}

/* The integers of an array. */
static str items_text(const collect_plan *p, const inputs_role *r, plan_trial t)
{
    enum { LITERALS = 1 << 12 };
    const bool literal = r->uses & INPUTS_LITERAL;
    if (r->uses & INPUTS_OFFSETS)
        return STR("rising:2");
    if (r->uses & INPUTS_INDEX)
        return t.small ? STR("0:2") : index_text(p, r, literal && r->least <= 0);
    if (literal && r->most - r->least < LITERALS && r->least > -LARGE && r->most < LARGE)
        return text(p, "%lld:%lld", r->least - 1, r->most + 2);
    if (r->uses & INPUTS_DIVISOR)
        return STR("1:8");
    if (r->uses & INPUTS_SHIFT)
        return STR("0:6");
    if (r->uses & INPUTS_COUNT || t.small)
        return STR("0:4");
    if (t.wide)
        return STR("-5:6");
    return STR("0:61");
}

/* Has the type integers anywhere? */
static bool has_integers(const type *t)
{
    const type *scalar = type_scalar_of(t->kind == TYPE_ARRAY ? t->elem : t);
    const type *st = t->kind == TYPE_ARRAY ? t->elem : t;
    if (scalar)
        return type_is_integer(scalar);
    for (uint32_t i = 0; st->kind == TYPE_STRUCT && i < st->st->nfields; i++)
        if (has_integers(st->st->fields[i].type))
            return true;
    return false;
}

/* Ids of objects go before all else: no range of integers is one. */
static str form_text(const collect_plan *p, uint32_t i, plan_trial t)
{
    const type *of = p->k->code.params[i].type;
    const inputs_role *r = &p->roles[i];
    if (r->uses & INPUTS_MESH)
        return STR("mesh");
    if (r->uses & INPUTS_BVH)
        return STR("bvh");
    if (r->uses & INPUTS_GRID)
        return STR("grid");
    if (r->uses & INPUTS_VOLUME)
        return r->uses & INPUTS_VECTORS    ? STR("volume.vec3")
               : r->uses & INPUTS_INTEGERS ? STR("volume.int")
                                           : STR("volume");
    if (t.absent && r->uses & INPUTS_OPTIONAL && of->kind == TYPE_ARRAY)
        return STR("none");
    if (!has_integers(of))
        return t.zeros ? STR("zeros") : STR("");
    if (t.rising && of->kind == TYPE_ARRAY)
        return r->uses & INPUTS_OFFSETS ? STR("rising:3") : STR("rising:1");
    return type_is_integer(of) ? value_text(p, r, i, t) : items_text(p, r, t);
}

/* mag: the one that the argument states, which need not stand here. */
static str values_text(const collect_plan *p, uint32_t i, plan_trial t, int mag)
{
    str out = form_text(p, i, t);
    if (t.positive)
        out = str_c(arena_printf(&p->c->module, "%.*s+", (int)out.n, out.p));
    if (t.mag != mag)
        out = str_c(arena_printf(&p->c->module, "%.*s^%d", (int)out.n, out.p, t.mag));
    return out;
}

/* --- sizes --------------------------------------------------------------------------------- */

static str shape_text(const collect_plan *p, const plan_param *of)
{
    char b[LAUNCH_DIMS * 8];
    size_t n = 0;
    for (int d = 0; d < of->rank; d++) {
        if (of->sizes[d])
            n += (size_t)format_text(b + n, sizeof b - n, d ? ",%lld" : "%lld",
                                     (long long)of->sizes[d]);
        else
            n += (size_t)format_text(b + n, sizeof b - n, d ? ",%c" : "%c", letters[d]);
    }
    return (str){arena_dup(&p->c->module, b, n), n};
}

/* What each way changes. */
static const plan_trial ways[PLAN_WAYS] = {
    {.mag = 1},
    {.mag = 1, .positive = true},
    {.mag = 1, .small = true},
    {.mag = 3},
    {.mag = 1, .small = true, .positive = true},
    {.mag = 0},
    {.mag = 2, .wide = true},
    {.mag = 2, .positive = true, .wide = true},
    {.mag = -1, .small = true},
    {.mag = -2, .positive = true},
    {.mag = 4, .positive = true},
    {.mag = 5, .wide = true},
    {.mag = 7, .positive = true},
    {.mag = -4, .positive = true},
    {.mag = 1, .absent = true},
    {.mag = 1, .absent = true, .zeros = true},
    {.mag = 1, .zeros = true},
    {.mag = 1, .rising = true},
    {.mag = 9, .rising = true},
    {.mag = 1, .rising = true, .positive = true},
    {.mag = 1, .size = 1},
    {.mag = 1, .size = 2},
    {.mag = 1, .size = 3},
};

void plan_set_way(collect_plan *p, int way)
{
    WEFT_ASSERT(way >= 0 && way < PLAN_WAYS);
    p->alternatives = 1;
    p->far[0] = 0;
    for (uint32_t i = 0; i < p->k->code.nparams; i++)
        p->params[i].way[0] = (uint8_t)way;
}

void plan_fork(collect_plan *p, uint32_t from)
{
    const uint32_t to = p->alternatives++;
    WEFT_ASSERT(from < to && to < PLAN_ALTERNATIVES);
    p->far[to] = p->far[from];
    for (uint32_t i = 0; i < p->k->code.nparams; i++)
        p->params[i].way[to] = p->params[i].way[from];
}

unsigned plan_can_be_far(const collect_plan *p)
{
    unsigned dims = 0;
    for (int d = 0; d < p->ndim; d++)
        dims |= p->reach[d] > USUAL ? 1u << d : 0;
    return dims;
}

/* Texts of all alternatives, "A|B"; only A where all are A. */
static str join(const collect_plan *p, const str *all)
{
    str out = all[0];
    bool same = true;
    for (uint32_t i = 1; i < p->alternatives; i++) {
        same &= str_eq(all[i], all[0]);
        out = str_c(
            arena_printf(&p->c->module, "%.*s|%.*s", (int)out.n, out.p, (int)all[i].n, all[i].p));
    }
    return same ? all[0] : out;
}

/* "n,m=257" */
static str launch_text(const collect_plan *p, uint32_t alternative)
{
    char b[LAUNCH_DIMS * 16];
    size_t n = 0;
    for (int d = 0; d < p->ndim; d++) {
        n += (size_t)format_text(b + n, sizeof b - n, d ? ",%c" : "%c", letters[d]);
        if (p->far[alternative] >> d & 1)
            n += (size_t)format_text(b + n, sizeof b - n, "=%lld", (long long)p->reach[d]);
    }
    if (p->tiled)
        n += (size_t)format_text(b + n, sizeof b - n, ",256");
    return (str){arena_dup(&p->c->module, b, n), n};
}

str plan_state(collect_plan *p, check_arg *args)
{
    str all[PLAN_ALTERNATIVES];
    for (uint32_t i = 0; i < p->k->code.nparams; i++) {
        const plan_param *of = &p->params[i];
        const int mag = ways[of->way[0]].mag;
        for (uint32_t a = 0; a < p->alternatives; a++)
            all[a] = values_text(p, i, ways[of->way[a]], mag);
        args[i] = (check_arg){shape_text(p, of), mag, join(p, all)};
    }
    for (uint32_t a = 0; a < p->alternatives; a++)
        all[a] = launch_text(p, a);
    return join(p, all);
}

/* A struct's arrays grow together. An index of -3 needs three items, since it counts from the end;
 * an index of a row counts dimensions from its own first one. Sizes differ by parameter, so that a
 * mixed-up array shows. */
bool plan_grow(collect_plan *p, const interp_outside *o)
{
    const code *f = &p->k->code;
    if (!o->array || p->growths++ >= GROWTHS)
        return false;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        plan_param *of = &p->params[i];
        if (!str_eq(sym_str(f->params[i].name), (str){o->array, strcspn(o->array, ".")}))
            continue;
        if (t->kind == TYPE_STRUCT && !of->rank) {
            of->rank = LAUNCH_DIMS;
            for (int d = 0; d < LAUNCH_DIMS; d++)
                of->sizes[d] = FIRST_GROWTH / (d + 1);
        }
        const int above = t->kind == TYPE_ARRAY && t->ndim > o->ndim ? t->ndim - o->ndim : 0;
        const int64_t least = o->index < 0 ? -o->index : o->index + 1;
        int64_t *size = &of->sizes[above + (int)o->dim];
        const int64_t grown = *size ? 2 * *size : FIRST_GROWTH + i;
        if (least > LONGEST)
            return false;
        *size = grown < least ? least + i % 4 : grown;
        *size = *size < LONGEST ? *size : LONGEST;
        return true;
    }
    return false;
}
