/* SPDX-License-Identifier: Apache-2.0 */
/* What each parameter of a kernel is, by what the code does with its integers.
 *
 *     i = edges[t]; x[i] = ...                   edges: indices of x, dimension 0
 *     for k in range(rows[r], rows[r + 1])       rows: offsets; k: indices of what it indexes
 *     if t >= n: return                          n: a bound of the launch
 *     t % width                                  width: a divisor
 *
 * One pass over the intermediate form in the order of the text, functions included: each variable
 * gets a fact, which says what its number comes from, and each use of a variable adds to the roles
 * of the parameters it comes from. Loops are passed once, so what only a second round would show is
 * not seen. A role is a hint: src/standalone judges the inputs that come of it. */
#include "inputs/inputs.h"

enum { PARAMS_MAX = 64, DEPTH_MAX = 8, UNITS_MAX = 256, REACH_MAX = 4096, RESULTS_MAX = 8 };

/* A number that is `at_zero` + `slope` times the launch's index of dimension `dim`. */
typedef struct line {
    bool known;
    double at_zero, slope; /* slope 0: a constant */
    uint32_t dim;
    uint64_t plus; /* integers passed by value that were added to the index */
} line;

/* Where the number of a variable comes from; sets of parameters are bits. */
typedef struct fact {
    uint64_t exact;   /* it is their number, but for conversions and min, max, clamp */
    uint64_t part;    /* they are in what it was computed from */
    uint64_t offsets; /* the difference of two elements of these, or a part of it */
    uint32_t array;   /* an array, or a pointer to an element: the parameter's index + 1 */
    uint32_t above;   /* dimensions that views have consumed */
    uint8_t tid;      /* dimensions of the launch whose index it is */
    bool value;       /* a number passed by value, as it is */
    uint64_t shifted; /* it is their number, shifted down by so many bits */
    uint8_t bits;
    line line;
} fact;

typedef struct analysis {
    arena *a;
    inputs_role *roles;
    inputs_reach *reach;
    const ir_module *m;
    uint32_t units; /* passed so far */
} analysis;

/* A function's pass: facts of its variables. */
typedef struct pass {
    analysis *of;
    const ir_unit *u;
    fact *facts;
    uint32_t depth;
} pass;

/* results: RESULTS_MAX facts, which are widened. */
static void pass_unit(analysis *of, const ir_unit *u, const fact *params, uint32_t depth,
                      fact *results);

/* --- operands -------------------------------------------------------------------------------- */

static ir_arg arg_of(const pass *p, const ir_stmt *s, uint32_t i)
{
    WEFT_ASSERT(i < s->nargs);
    return p->u->args.v[s->args + i];
}

/* Is it an integer of the source, `4`, `wp.uint8(4)` or a member of an enum, that int32 holds? */
static bool is_integer(const value *v)
{
    return value_is_number(v) && v->kind != VALUE_BOOL && !value_has_f(v) && v->i <= INT32_MAX &&
           v->i >= -INT32_MAX;
}

/* A number of the source. */
static fact constant_fact(const value *v)
{
    fact f = {0};
    if (is_integer(v))
        f.line = (line){.known = true, .at_zero = (double)v->i};
    else if (value_is_number(v) && value_has_f(v))
        f.line = (line){.known = true, .at_zero = v->f};
    return f;
}

/* A part of a struct is what the struct is. */
static fact fact_of(const pass *p, ir_arg a)
{
    if (ir_kind(a) == IR_ARG_VAR && p->u->vars.v[ir_index(a)].constant)
        return constant_fact(p->u->vars.v[ir_index(a)].constant);
    if (ir_kind(a) == IR_ARG_PLACE) {
        uint32_t root = ir_place_root(p->u, ir_index(a));
        return root == UINT32_MAX ? (fact){0} : p->facts[ir_whole_var(p->u, root)];
    }
    return ir_kind(a) == IR_ARG_VAR ? p->facts[ir_whole_var(p->u, ir_index(a))] : (fact){0};
}

/* Is it an integer of the source? */
static bool literal_of(const pass *p, ir_arg a, int64_t *out)
{
    if (ir_kind(a) != IR_ARG_VAR)
        return false;
    const value *v = p->u->vars.v[ir_index(a)].constant;
    if (!v || !is_integer(v))
        return false;
    *out = (int64_t)v->i;
    return true;
}

static void set_fact(pass *p, ir_arg to, fact f)
{
    if (ir_kind(to) == IR_ARG_VAR)
        p->facts[ir_whole_var(p->u, ir_index(to))] = f;
}

/* --- uses ------------------------------------------------------------------------------------ */

static void add_use(analysis *of, uint64_t params, inputs_use use)
{
    for (uint32_t i = 0; i < PARAMS_MAX; i++)
        if (params >> i & 1)
            of->roles[i].uses |= use;
}

static void add_target(inputs_role *r, uint32_t array, uint32_t dim, bool exact)
{
    for (uint32_t k = 0; k < r->ntargets; k++)
        if (r->targets[k].param == array && r->targets[k].dim == dim) {
            r->targets[k].exact &= exact;
            return;
        }
    if (r->ntargets == INPUTS_TARGETS)
        return;
    r->targets[r->ntargets].param = array;
    r->targets[r->ntargets].dim = dim;
    r->targets[r->ntargets++].exact = exact;
}

/* A test whether there is an array: `if bias:`. */
static void use_truth(pass *p, ir_arg a)
{
    const fact f = fact_of(p, a);
    if (f.array && f.array <= PARAMS_MAX && !f.above && !f.exact && !f.part)
        p->of->roles[f.array - 1].uses |= INPUTS_OPTIONAL;
}

/* `index` indexes a dimension of the array. */
static void use_index(pass *p, const fact *array, uint32_t dim, const fact *index)
{
    const uint64_t all = index->exact | index->part;
    if (!array->array || dim >= 4)
        return;
    add_use(p->of, all, INPUTS_INDEX);
    for (uint32_t i = 0; i < PARAMS_MAX; i++)
        if (all >> i & 1)
            add_target(&p->of->roles[i], array->array - 1, dim, index->exact >> i & 1);
}

/* Indices from operand `first` on, of the array at operand `array`. */
static void use_indices(pass *p, const ir_stmt *s, uint32_t array, uint32_t first, uint32_t n)
{
    const fact a = fact_of(p, arg_of(p, s, array));
    for (uint32_t i = 0; i < n && first + i < s->nargs; i++) {
        const fact index = fact_of(p, arg_of(p, s, first + i));
        use_index(p, &a, a.above + i, &index);
    }
}

/* The same operands are where something is stored. */
static void use_places(pass *p, const ir_stmt *s, uint32_t first, uint32_t n)
{
    for (uint32_t i = 0; i < n && first + i < s->nargs; i++) {
        const fact index = fact_of(p, arg_of(p, s, first + i));
        add_use(p->of, index.exact | index.part, INPUTS_PLACES);
    }
}

/* a + times * b, where at most one dimension is in them. */
static line line_sum(line a, line b, double times)
{
    const bool one = !(a.slope != 0) || !(b.slope != 0) || (a.dim == b.dim && !a.plus && !b.plus);
    return (line){.known = a.known && b.known && one,
                  .at_zero = a.at_zero + times * b.at_zero,
                  .slope = a.slope + times * b.slope,
                  .dim = a.slope != 0 ? a.dim : b.dim,
                  .plus = a.plus | b.plus};
}

/* An index plus an integer that is passed by value: `x_offset + i`. */
static line line_moved(line index, const fact *by)
{
    index.known &= !(index.slope < 1 || index.slope > 1) && by->value && by->exact && !by->part;
    index.plus |= by->exact;
    return index;
}

static line line_scaled(line a, double by)
{
    a.at_zero *= by;
    a.slope *= by;
    return a;
}

/* The line of a builtin's result. */
static line line_of(str name, line a, line b)
{
    const bool by_constant = b.known && !(b.slope != 0);
    if (str_eq(name, STR("add")) || str_eq(name, STR("sub")))
        return line_sum(a, b, name.p[0] == 'a' ? 1 : -1);
    if (str_eq(name, STR("mul")) && a.known && by_constant)
        return line_scaled(a, b.at_zero);
    if (str_eq(name, STR("mul")) && b.known && a.known && !(a.slope != 0))
        return line_scaled(b, a.at_zero);
    if (str_eq(name, STR("lshift")) && a.known && by_constant && !(a.slope != 0) &&
        b.at_zero >= 0 && b.at_zero < 31)
        return line_scaled(a, (double)(1u << (unsigned)b.at_zero));
    if ((str_eq(name, STR("div")) || str_eq(name, STR("floordiv"))) && a.known && by_constant &&
        b.at_zero != 0)
        return line_scaled(a, 1 / b.at_zero);
    return (line){0};
}

/* Among the lengths of the dimension, which rise; of too many the last one gives way to a longer
 * one. */
static void add_length(inputs_reach *reach, uint32_t dim, int64_t length)
{
    int64_t *all = reach->dim[dim].lengths;
    uint32_t *n = &reach->dim[dim].n, at = 0;
    while (at < *n && all[at] < length)
        at++;
    if (at < *n && all[at] == length)
        return;
    if (*n == INPUTS_LENGTHS) {
        if (at == *n)
            all[at - 1] = length;
        return;
    }
    memmove(all + at + 1, all + at, (*n - at) * sizeof *all);
    all[at] = length;
    ++*n;
}

/* The sum of the index and the parameter meets a number. */
static void add_meet(inputs_role *r, uint32_t dim, int64_t at)
{
    for (uint32_t k = 0; k < r->nmeets; k++)
        if (r->meets[k] == at)
            return;
    r->uses |= INPUTS_ADDED;
    r->dim = dim;
    if (r->nmeets < INPUTS_MEETS)
        r->meets[r->nmeets++] = at;
}

/* Where a thread's index meets a number (in a comparison, a difference, a remainder): launches that
 * reach it have both cases. */
static void use_reach(pass *p, const fact *f, const fact *g)
{
    const line d = line_sum(f->line, g->line, -1);
    if (!d.known || !(d.slope != 0) || d.dim >= INPUTS_DIMS)
        return;
    const double at = -d.at_zero / d.slope;
    if (!(at >= 0 && at <= REACH_MAX))
        return;
    if (!d.plus)
        add_length(p->of->reach, d.dim, (int64_t)at + 2);
    for (uint32_t i = 0; i < PARAMS_MAX; i++)
        if (d.plus >> i & 1)
            add_meet(&p->of->roles[i], d.dim, (int64_t)at);
}

static void use_scale(pass *p, const fact *f, const fact *number);

/* Where a thread's index is held below or above a number: min(x, 255), clamp(x, 0, 255); and how
 * large other numbers are held. */
static void use_limits(pass *p, const ir_stmt *s, uint32_t first)
{
    const fact f = fact_of(p, arg_of(p, s, first));
    for (uint32_t i = first + 1; i < s->nargs; i++) {
        const fact g = fact_of(p, arg_of(p, s, i));
        use_reach(p, &f, &g);
        use_scale(p, &f, &g);
        use_scale(p, &g, &f);
    }
}

/* How large the numbers are that a number of the source is compared with. */
static void use_scale(pass *p, const fact *f, const fact *number)
{
    const double scale = __builtin_fabs(number->line.at_zero);
    if (!number->line.known || number->line.slope != 0 || !(scale > 0))
        return;
    for (uint32_t i = 0; i < PARAMS_MAX; i++) {
        inputs_role *r = &p->of->roles[i];
        if (!((f->exact | f->part) >> i & 1))
            continue;
        r->scale = scale > r->scale ? scale : r->scale;
        r->little = !(r->little > 0) || scale < r->little ? scale : r->little;
    }
}

/* Both ways: a number compared with a literal, or with a thread's index. */
static void use_comparison(pass *p, ir_arg left, ir_arg right)
{
    int64_t x;
    const fact f = fact_of(p, left), g = fact_of(p, right);
    use_scale(p, &f, &g);
    add_use(p->of, f.exact & g.exact, INPUTS_ROWS);
    for (uint32_t i = 0; i < PARAMS_MAX; i++) {
        inputs_role *r = &p->of->roles[i];
        /* What is made of zeros is mostly 0, too. */
        if ((f.exact | f.part) >> i & 1 && g.line.known && !(g.line.slope != 0) &&
            !(g.line.at_zero != 0))
            r->uses |= INPUTS_ZERO;
        if (!(f.exact >> i & 1))
            continue;
        if (literal_of(p, right, &x)) {
            const bool first = !(r->uses & INPUTS_LITERAL);
            r->least = first || x < r->least ? x : r->least;
            r->most = first || x > r->most ? x : r->most;
            r->uses |= INPUTS_LITERAL;
        } else if (g.tid) {
            r->uses |= INPUTS_BOUND;
            r->dim = (uint32_t)__builtin_ctz(g.tid);
        }
    }
}

/* --- calls ----------------------------------------------------------------------------------- */

static bool is(str name, const char *word)
{
    return str_eq(name, str_c(word));
}

/* All that the operands from `first` on come from, none of it exactly. */
static fact mixed(const pass *p, const ir_stmt *s, uint32_t first)
{
    fact out = {0};
    for (uint32_t i = first; i < s->nargs; i++) {
        const fact f = fact_of(p, arg_of(p, s, i));
        out.part |= f.exact | f.part;
        out.tid |= f.tid;
    }
    return out;
}

/* range(begin, end), or range(end): bounds of a loop, and what its variable comes from. */
static fact range_fact(pass *p, const ir_stmt *s, uint32_t first)
{
    fact out = {0};
    const fact a = fact_of(p, arg_of(p, s, first));
    if (s->nargs == first + 1) {
        add_use(p->of, (a.exact | a.part) & ~a.offsets, INPUTS_COUNT);
        add_use(p->of, a.offsets, INPUTS_OFFSETS);
        return out;
    }
    const fact b = fact_of(p, arg_of(p, s, first + 1));
    add_use(p->of, (b.exact & ~a.exact) | (b.part & ~a.part), INPUTS_COUNT);
    add_use(p->of, a.exact & b.exact, INPUTS_OFFSETS);
    out.exact = a.exact & b.exact;
    out.part = (a.exact | a.part | b.part) & ~out.exact;
    return out;
}

/* One of two values: what both are for sure, and what either is in part. */
static fact either(const pass *p, ir_arg left, ir_arg right)
{
    const fact f = fact_of(p, left), g = fact_of(p, right);
    return (fact){.exact = f.exact | g.exact, .part = f.part | g.part, .tid = f.tid | g.tid};
}

/* What a builtin reads of a volume or stores: vec3f, int32, or float32 (0), by its name, by its
 * result, which is the operand before the callee, or by the value, which is the last one. */
static unsigned values_of_volume(const pass *p, const ir_stmt *s, str name, uint32_t first)
{
    const bool store = str_starts(name, "volume_store");
    const unsigned stored = store ? INPUTS_STORED : 0;
    if (is(name, "volume_lookup_v") || is(name, "volume_sample_v") || is(name, "volume_store_v"))
        return stored | INPUTS_VECTORS;
    if (is(name, "volume_lookup_i") || is(name, "volume_sample_i") || is(name, "volume_store_i"))
        return stored | INPUTS_INTEGERS;
    const bool open = is(name, "volume_lookup") || is(name, "volume_sample");
    const ir_arg x = arg_of(p, s, is(name, "volume_store") ? s->nargs - 1u : 0);
    if ((!is(name, "volume_store") && (!open || first != 2)) || ir_kind(x) != IR_ARG_VAR)
        return stored;
    const type *t = type_strip_ref(p->u->vars.v[ir_index(x)].type);
    return stored | (t->kind == TYPE_VEC     ? INPUTS_VECTORS
                     : t->kind == TYPE_INT32 ? INPUTS_INTEGERS
                                             : 0u);
}

/* What an atomic operation compares an array's elements with, its last operands:
 * `atomic_max(flag, i, 1)` changes a flag that is 0. */
static void use_update(pass *p, const ir_stmt *s, uint32_t first, bool swaps)
{
    enum { MOST = 1 << 20 };
    const fact a = fact_of(p, arg_of(p, s, first));
    const uint32_t last = s->nargs - 1u, compared = swaps ? last - 1 : last;
    if (!a.array || a.array > PARAMS_MAX)
        return;
    inputs_role *r = &p->of->roles[a.array - 1];
    for (uint32_t i = compared; i <= last; i++) {
        const line x = fact_of(p, arg_of(p, s, i)).line;
        if (!x.known || x.slope != 0 || !(__builtin_fabs(x.at_zero) < MOST))
            continue;
        const int64_t at = (int64_t)x.at_zero;
        const bool none = !(r->uses & INPUTS_LITERAL);
        r->least = none || at < r->least ? at : r->least;
        r->most = none || at > r->most ? at : r->most;
        r->uses |= INPUTS_LITERAL;
    }
}

/* A vector: each lane is one of the operands, `wp.vec2i(a, b)[side]`. */
static fact lanes_fact(const pass *p, const ir_stmt *s, uint32_t first)
{
    fact out = {0};
    for (uint32_t i = first; i < s->nargs; i++) {
        const fact f = fact_of(p, arg_of(p, s, i));
        out.exact |= f.exact;
        out.part |= f.part;
        out.tid |= f.tid;
    }
    return out;
}

/* Bits that a number of the source selects: `flags & 4`. */
static void use_bits(pass *p, const fact *f, const fact *mask)
{
    const line l = mask->line;
    if (!l.known || l.slope != 0 || !(l.at_zero > 0 && l.at_zero <= INT32_MAX))
        return;
    for (uint32_t i = 0; i < PARAMS_MAX; i++) {
        const uint64_t bits = f->exact >> i & 1     ? (uint64_t)l.at_zero
                              : f->shifted >> i & 1 ? (uint64_t)l.at_zero << f->bits
                                                    : 0;
        if (bits)
            p->of->roles[i].uses |= INPUTS_BITS;
        p->of->roles[i].mask |= (uint32_t)(bits & INT32_MAX);
    }
}

/* A quotient by a number of the source, `n / 64` or `(end - start) // 3`: one that is not zero
 * wants a number as large. */
static void use_quotient(pass *p, const fact *f, double by)
{
    enum { MOST = 1 << 12 };
    for (uint32_t i = 0; by >= 2 && by <= MOST && i < PARAMS_MAX; i++) {
        uint32_t *per = &p->of->roles[i].per;
        if ((f->exact | f->offsets) >> i & 1 && (uint32_t)by > *per)
            *per = (uint32_t)by;
    }
}

/* Indexes of voxels: integers behind the id of a volume. */
static void use_voxel(pass *p, const ir_stmt *s, uint32_t first)
{
    for (uint32_t i = first + 1; i < s->nargs && i < first + 4; i++) {
        const fact f = fact_of(p, arg_of(p, s, i));
        add_use(p->of, f.exact | f.part, INPUTS_VOXEL);
    }
}

/* Uses of a builtin's operands, of which a and b are the first. */
static void use_operands(pass *p, const ir_stmt *s, str name, uint32_t first, const fact *a,
                         const fact *b)
{
    if (str_starts(name, "mesh_") || str_starts(name, "tile_mesh_"))
        add_use(p->of, a->exact, INPUTS_MESH);
    if (str_starts(name, "bvh_") || str_starts(name, "tile_bvh_"))
        add_use(p->of, a->exact, INPUTS_BVH);
    if (str_starts(name, "hash_grid_"))
        add_use(p->of, a->exact, INPUTS_GRID);
    if (str_starts(name, "volume_"))
        add_use(p->of, a->exact, INPUTS_VOLUME | values_of_volume(p, s, name, first));
    if (str_starts(name, "volume_lookup") || str_starts(name, "volume_store"))
        use_voxel(p, s, first);
    if (is(name, "bit_and")) {
        use_bits(p, a, b);
        use_bits(p, b, a);
    }
    if (str_starts(name, "tile_cholesky") || str_starts(name, "tile_lower_solve") ||
        str_starts(name, "tile_upper_solve"))
        for (uint32_t i = first; i < s->nargs; i++)
            add_use(p->of, fact_of(p, arg_of(p, s, i)).exact, INPUTS_PIVOTS);
    if (is(name, "isfinite") || is(name, "isnan") || is(name, "isinf"))
        add_use(p->of, a->exact | a->part, INPUTS_FINITE);
    if (is(name, "mod") || is(name, "floordiv") || is(name, "div"))
        add_use(p->of, b->exact | b->part, INPUTS_DIVISOR);
    if (is(name, "lshift") || is(name, "rshift"))
        add_use(p->of, b->exact | b->part, INPUTS_SHIFT);
    if (is(name, "mul"))
        add_use(p->of, a->exact | b->exact, INPUTS_STRIDE);
    if (is(name, "atomic_max") || is(name, "atomic_min") || is(name, "atomic_cas"))
        use_update(p, s, first, name.p[7] == 'c');
    if (str_starts(name, "array_store") || str_starts(name, "atomic_"))
        use_indices(p, s, first, first + 1, s->nargs - first - 2);
    if (str_starts(name, "array_store"))
        use_places(p, s, first + 1, s->nargs - first - 2);
    if (is(name, "lower_bound") && a->array && a->array <= PARAMS_MAX)
        add_use(p->of, UINT64_C(1) << (a->array - 1), INPUTS_OFFSETS);
    if (is(name, "sub") || is(name, "mod"))
        use_reach(p, a, b);
    if (is(name, "mul") && arg_of(p, s, first) == arg_of(p, s, first + 1)) /* a square turns at 0 */
        use_reach(p, a, &(fact){.line = {.known = true}});
}

/* What a builtin makes of its operands, which begin at `first`; uses of them are noted. */
static fact builtin_fact(pass *p, const ir_stmt *s, str name, uint32_t first)
{
    static const char *const keep[] = {"load",   "copy",    "int",       "int32",  "int64",
                                       "uint32", "min",     "max",       "clamp",  "uint64",
                                       "float",  "float32", "iter_next", "extract"};
    const uint32_t n = s->nargs - first;
    if (n == 0)
        return (fact){0};
    const fact a = fact_of(p, arg_of(p, s, first));
    const fact b = n > 1 ? fact_of(p, arg_of(p, s, first + 1)) : (fact){0};
    if (is(name, "address") || is(name, "view")) {
        use_indices(p, s, first, first + 1, n - 1);
        fact out = {.array = a.array, .above = a.above + n - 1};
        if (is(name, "address") && a.array && a.array <= PARAMS_MAX)
            out.exact = UINT64_C(1) << (a.array - 1);
        return out;
    }
    if (is(name, "range"))
        return range_fact(p, s, first);
    if (is(name, "unot") || is(name, "where"))
        use_truth(p, arg_of(p, s, first));
    if (is(name, "where") && n == 3)
        return either(p, arg_of(p, s, first + 1), arg_of(p, s, first + 2));
    if (is(name, "min") || is(name, "max") || is(name, "clamp"))
        use_limits(p, s, first);
    if (STR_IS_IN(name, keep)) {
        fact out = a;
        out.array = is(name, "copy") ? a.array : 0;
        out.exact |= is(name, "extract") ? 0 : b.exact;
        out.line.known &= n == 1;
        return out;
    }
    use_operands(p, s, name, first, &a, &b);
    if (is(name, "volume_voxel_count"))
        return (fact){.line = {.known = true, .at_zero = INPUTS_VOXELS}};
    if (str_starts(name, "volume_lookup"))
        return (fact){0}; /* what stands in a voxel says nothing of where it is */
    fact out = is(name, "vec_t") ? lanes_fact(p, s, first) : mixed(p, s, first);
    if (is(name, "mod") && b.line.known && !(b.line.slope < 0 || b.line.slope > 0))
        out.part = 0; /* the divisor bounds it: k % 3 says nothing of k */
    out.line = line_of(name, a.line, b.line);
    const bool by_constant = b.line.known && !(b.line.slope != 0);
    if (is(name, "rshift") && by_constant && b.line.at_zero >= 0 && b.line.at_zero < 32) {
        out.shifted = a.exact;
        out.bits = (uint8_t)b.line.at_zero;
        use_quotient(p, &a, (double)(UINT32_C(1) << out.bits));
    }
    if ((is(name, "div") || is(name, "floordiv")) && by_constant) {
        out.offsets = a.offsets;
        use_quotient(p, &a, b.line.at_zero);
    }
    if (is(name, "tile_load") && a.array && a.array <= PARAMS_MAX)
        out.exact = UINT64_C(1) << (a.array - 1);
    if (is(name, "sub"))
        out.offsets = a.exact & b.exact;
    if (is(name, "floordiv") && b.value && b.exact && !b.part)
        out.line = a.line; /* as if it were 1: trials that reach have such a divisor, too */
    if (is(name, "add") && a.line.known != b.line.known)
        out.line = a.line.known ? line_moved(a.line, &b) : line_moved(b.line, &a);
    return out;
}

/* A function of the program: its parameters have the facts of the operands. Several results are
 * behind those. */
static fact function_fact(pass *p, const ir_stmt *s, const ir_unit *u, uint32_t first)
{
    fact params[PARAMS_MAX] = {0}, results[RESULTS_MAX] = {0};
    for (uint32_t i = 0; i < u->nparams && i < PARAMS_MAX && first + i < s->nargs; i++)
        params[i] = fact_of(p, arg_of(p, s, first + i));
    if (p->depth < DEPTH_MAX && p->of->units++ < UNITS_MAX)
        pass_unit(p->of, u, params, p->depth + 1, results);
    else
        results[0] = mixed(p, s, first);
    for (uint32_t k = 0; u->nreturns > 1 && k < u->nreturns && k < RESULTS_MAX; k++)
        if (first + u->nparams + k < s->nargs)
            set_fact(p, arg_of(p, s, first + u->nparams + k), results[k]);
    return results[0];
}

/* A thread's index. */
static fact index_fact(uint32_t dim)
{
    return (fact){.tid = (uint8_t)(1u << dim), .line = {.known = true, .slope = 1, .dim = dim}};
}

/* Does it set its second operand to the next element of a query? */
static bool is_query_next(str name)
{
    return (str_starts(name, "hash_grid_query") || str_starts(name, "mesh_query") ||
            str_starts(name, "bvh_query")) &&
           name.n > 5 && memcmp(name.p + name.n - 5, "_next", 5) == 0;
}

/* Does it set an element of its first operand, or change it: `v[k] = x`, `v[k] += x`? */
static bool is_inplace(str name)
{
    static const char end[] = "_inplace";
    const size_t n = sizeof end - 1;
    return name.n > n && memcmp(name.p + name.n - n, end, n) == 0;
}

/* A vector of the kernel's own is what its elements are. */
static void add_lane(pass *p, const ir_stmt *s, uint32_t at)
{
    const fact x = fact_of(p, arg_of(p, s, s->nargs - 1u));
    fact whole = fact_of(p, arg_of(p, s, at));
    whole.exact |= x.exact;
    whole.part |= x.part;
    whole.tid |= x.tid;
    whole.line.known = false;
    set_fact(p, arg_of(p, s, at), whole);
}

/* A call with a result (`first` 1) or without (0). */
static void pass_call(pass *p, const ir_stmt *s, uint32_t first)
{
    const ir_callee *f = &p->u->callees.v[ir_index(arg_of(p, s, first))];
    const str name = f->native.name;
    if (ir_is_tid(f)) {
        for (uint32_t i = 0; i < s->nargs; i++)
            if (i != first)
                set_fact(p, arg_of(p, s, i), index_fact(i > first ? i - first - 1 : 0));
        return;
    }
    if (is(name, "assign") && s->nargs > first + 2) {
        set_fact(p, arg_of(p, s, first + 1), mixed(p, s, first + 2));
        return;
    }
    if (is_inplace(name) && s->nargs > first + 2) {
        add_lane(p, s, first + 1);
        return;
    }
    const ir_unit *unit = f->unit;
    uint32_t at = first + 1;
    if (s->nargs > at && ir_kind(arg_of(p, s, at)) == IR_ARG_CALLEE) { /* tile_map(g, a, b) */
        const ir_callee *g = &p->u->callees.v[ir_index(arg_of(p, s, at++))];
        unit = ir_mapped_unit(p->of->m, g->func, p->u, &p->u->args.v[s->args + at], s->nargs - at);
    }
    const fact out = unit ? function_fact(p, s, unit, at) : builtin_fact(p, s, name, at);
    if (is_query_next(name) && s->nargs > first + 2)
        set_fact(p, arg_of(p, s, first + 2), out);
    if (first)
        set_fact(p, arg_of(p, s, 0), out);
}

/* --- a unit ---------------------------------------------------------------------------------- */

/* What one of several results is, beside what other returns make it. */
static void add_result(pass *p, ir_arg a, fact *result)
{
    const fact f = fact_of(p, a);
    result->exact |= f.exact;
    result->part |= f.part;
    result->tid |= f.tid;
}

/* A member of an array's element, `ps[i].pos`: the indices begin at operand `first`. */
static fact slot_fact(pass *p, const ir_stmt *s, uint32_t array, uint32_t first)
{
    const fact a = fact_of(p, arg_of(p, s, array));
    use_indices(p, s, array, first, s->nargs - first);
    return (fact){.exact = a.array && a.array <= PARAMS_MAX ? UINT64_C(1) << (a.array - 1) : 0};
}

/* A struct of the kernel's own comes from all of its members. */
static void add_member(pass *p, ir_arg to, ir_arg from)
{
    const fact f = fact_of(p, from);
    fact whole = fact_of(p, to);
    whole.part |= f.exact | f.part;
    whole.tid |= f.tid;
    set_fact(p, to, whole);
}

static void pass_stmt(pass *p, const ir_stmt *s, fact *results)
{
    switch (s->op) {
    case IR_CALL:
    case IR_CALL_LIST: pass_call(p, s, 1); break;
    case IR_SLOT_PTR: set_fact(p, arg_of(p, s, 0), slot_fact(p, s, 1, 3)); break;
    case IR_SLOT_STORE:
        (void)slot_fact(p, s, 0, 3);
        use_places(p, s, 3, s->nargs - 3u);
        break;
    case IR_SLOT_ATOMIC: (void)slot_fact(p, s, 1, 4); break;
    case IR_FIELD_SET: add_member(p, arg_of(p, s, 0), arg_of(p, s, 2)); break;
    case IR_CALL_VOID: pass_call(p, s, 0); break;
    case IR_COMPARE:
        if (s->nargs >= 4) {
            use_comparison(p, arg_of(p, s, 1), arg_of(p, s, 3));
            use_comparison(p, arg_of(p, s, 3), arg_of(p, s, 1));
            const fact f = fact_of(p, arg_of(p, s, 1)), g = fact_of(p, arg_of(p, s, 3));
            use_reach(p, &f, &g);
        }
        break;
    case IR_IF:
    case IR_IF_NOT: use_truth(p, arg_of(p, s, 0)); break;
    case IR_MOVE:
    case IR_FIELD_PTR:
    case IR_FIELD_PTR_REF: set_fact(p, arg_of(p, s, 0), fact_of(p, arg_of(p, s, 1))); break;
    case IR_RETURN_VALUE: add_result(p, arg_of(p, s, 0), results); break;
    case IR_SET_RET:
        if (ir_index(arg_of(p, s, 0)) < RESULTS_MAX)
            add_result(p, arg_of(p, s, 1), &results[ir_index(arg_of(p, s, 0))]);
        break;
    default: break;
    }
}

static void pass_unit(analysis *of, const ir_unit *u, const fact *params, uint32_t depth,
                      fact *results)
{
    pass p = {of, u, arena_zero(of->a, (u->vars.n + 1) * sizeof *p.facts), depth};
    WEFT_ASSERT(depth <= DEPTH_MAX);
    for (uint32_t i = 0; i < u->nparams && i < PARAMS_MAX; i++)
        p.facts[u->params[i]] = params[i];
    for (uint32_t i = 0; i < u->forward.n; i++)
        pass_stmt(&p, &u->stmts.v[u->forward.v[i].stmt], results);
}

inputs_role *inputs_roles(arena *a, const ir_module *m, inputs_reach *reach)
{
    const ir_unit *u = m->kernel;
    fact params[PARAMS_MAX] = {0}, none[RESULTS_MAX] = {0};
    const uint32_t n = u->nparams < PARAMS_MAX ? PARAMS_MAX : u->nparams;
    inputs_reach unused;
    analysis of = {.a = a, .m = m, .roles = arena_zero(a, n * sizeof *of.roles)};
    of.reach = reach ? reach : &unused;
    *of.reach = (inputs_reach){0};
    for (uint32_t i = 0; i < u->nparams && i < PARAMS_MAX; i++) {
        const type *t = u->vars.v[u->params[i]].type;
        params[i].value = type_is_integer(t);
        if (t->kind == TYPE_ARRAY)
            params[i].array = i + 1;
        else
            params[i].exact = UINT64_C(1) << i;
        if (t->kind == TYPE_STRUCT)
            params[i].array = i + 1;
    }
    pass_unit(&of, u, params, 0, none);
    return of.roles;
}
