/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and dimensions, made when the body needs them; the signature is written last. An array
 * over the launch, added by a load, becomes
 *
 *     x = xs[i]   ->   def kernel(xs: wp.array(dtype=float), ...)
 *
 * and an index is put together so that it is in bounds by what it ranges over:
 *
 *     the dimension of a loop        x[k]                   k from range(x.shape[0])
 *     a neighbour of the thread      x[wp.min(i + 1, n - 1)]
 *     no variable ranges over it     x[i, 2]                of a fixed dimension; else element 0
 */
#include "gen/gen_arg.h"

#include "gen/gen_coverage.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* Each dimension has a letter, by which a promise of shapes names it: the launch comes first, so it
 * is n, m, p, q. Where there is no room the last one is given again. */
uint8_t dim_new(gen *g, dim_kind kind, int size)
{
    WEFT_ASSERT(size >= 0 && size <= UINT8_MAX);
    if (g->params.ndims == DIMS_MAX)
        return (uint8_t)(DIMS_MAX - 1);
    gdim *d = &g->params.dims[g->params.ndims];
    *d = (gdim){
        .kind = (uint8_t)kind, .size = (uint8_t)size, .letter = "nmpqrstuvwxy"[g->params.ndims]};
    return (uint8_t)g->params.ndims++;
}

/* Redirects writing to a scratch buffer, so that a name can be put together. One at a time: the
 * buffer is the end of `whole`. */
static strbuf *scratch_open(gen *g, size_t *begin)
{
    strbuf *saved = g->text.out;
    WEFT_ASSERT(saved != &g->text.whole); /* names are put together one at a time */
    g->text.out = &g->text.whole;
    *begin = g->text.whole.n;
    return saved;
}

/* The text since scratch_open, kept in the pool; writing goes on where it was. */
static str scratch_close(gen *g, strbuf *saved, size_t begin)
{
    str s = pool_take(g, &g->text.whole, begin);
    g->text.whole.n = begin;
    g->text.out = saved;
    return s;
}

/* A new argument with a name of its role. */
static garg *arg_new(gen *g, arg_mode mode, gtype t, name_role role)
{
    WEFT_ASSERT(g->params.nargs < GEN_ARGS_MAX && !g->defs.in_helper);
    garg *a = &g->params.args[g->params.nargs++];
    *a = (garg){.t = t, .mode = (uint8_t)mode};
    a->name = name_new(g, role);
    return a;
}

bool can_add_scalar(const gen *g)
{
    return g->params.scalars > 0 && !g->defs.in_helper && g->params.nargs + 4 < GEN_ARGS_MAX;
}

bool can_add_input(const gen *g)
{
    return g->params.inputs > 0 && !g->defs.in_helper && g->params.nargs + 4 < GEN_ARGS_MAX;
}

/* What inputs are promised to stay below. */
static int input_mag(gtype t)
{
    return gt_is_float(t) ? MAG_INPUT : MAG_INT_INPUT;
}

/* Needs: can_add_scalar. */
gvar *arg_scalar(gen *g, gtype t)
{
    name_role role = t.kind != GK_SCALAR ? role_of_local(t)
                     : gt_is_float(t)    ? NAME_SCALAR
                                         : NAME_INT;
    garg *a = arg_new(g, ARG_SCALAR, t, role);
    a->mag = (int8_t)input_mag(t);
    WEFT_ASSERT(g->params.scalars);
    g->params.scalars--;
    return var_add(g, a->name, t, bound_of(a->mag, LOW_NONE), V_GLOBAL | V_SHARED);
}

/* How the source writes the size of a dimension: "n", as a new argument; or "x.shape[0]", "len(x)"
 * of an array that has this dimension. Once chosen it stays. */
static void dim_name(gen *g, uint8_t dim)
{
    gdim *d = &g->params.dims[dim];
    /* Where the signature is full, the shape of the array is the only way. */
    if (d->owner && (below(g, 2) || g->params.nargs + 2 >= GEN_ARGS_MAX)) {
        size_t begin;
        strbuf *saved = scratch_open(g, &begin);
        /* len() of an array is its first dimension. */
        const bool length = d->axis == 0 && below(g, 6) == 0;
        if (length) {
            mark_used(g, FN_len);
            W(g, "len(");
        }
        put(g, g->params.args[d->owner - 1].name);
        if (length) {
            W(g, ")");
        } else {
            W(g, ".shape[");
            sb_uint(g->text.out, d->axis);
            W(g, "]");
        }
        d->text = scratch_close(g, saved, begin);
        return;
    }
    /* At least 1, since a dimension of a launch or an array is. */
    garg *a = arg_new(g, ARG_DIM, g->in, NAME_SIZE);
    a->dim[0] = dim;
    a->mag = LOG_DIM;
    d->text = a->name;
    var_add(g, a->name, g->in, bound_of(LOG_DIM, LOW_POS), V_GLOBAL | V_SHARED);
}

/* Fixed sizes are literals; others get a name when they are first needed. */
void dim_put_size(gen *g, uint8_t dim)
{
    WEFT_ASSERT(dim < g->params.ndims);
    gdim *d = &g->params.dims[dim];
    if (d->kind == DIM_FIXED) {
        sb_uint(g->text.out, d->size);
        return;
    }
    if (!d->text.n)
        dim_name(g, dim);
    put(g, d->text);
}

/* The innermost variable that ranges over the dimension, or NULL. */
gvar *index_of(gen *g, uint8_t dim)
{
    WEFT_ASSERT(dim != NO_DIM);
    /* From the newest on, which is the innermost loop's or a computed bin. */
    for (uint32_t i = g->scope.nvars; i-- > g->scope.base;)
        if (g->scope.vars[i].dim == dim)
            return &g->scope.vars[i];
    return NULL;
}

/* The last index of a dimension. */
void dim_put_last(gen *g, uint8_t dim)
{
    const gdim *d = &g->params.dims[dim];
    if (d->kind == DIM_FIXED) {
        sb_uint(g->text.out, d->size - 1u);
        return;
    }
    dim_put_size(g, dim);
    W(g, " - 1");
}

/* An index beside the thread's own. Each form stays in bounds for any size of 1 or more. */
static void put_neighbour(gen *g, uint8_t dim, gvar *v)
{
    static const struct {
        const char *before, *after;
        enum { NOTHING, SIZE, LAST } then;
    } forms[] = {{"wp.max(", " - 1, 0)", NOTHING}, {"wp.min(", " + 1, ", LAST},
                 {"(", " + 1) % ", SIZE},          {"wp.max(", " - 2, 0)", NOTHING},
                 {"wp.clamp(", " - 1, 0, ", LAST}, {"wp.min(", " + 2, ", LAST},
                 {"(", " + 3) % ", SIZE}};
    static const gen_fn fns[] = {FN_max, FN_min, FN_COUNT, FN_max, FN_clamp, FN_min, FN_COUNT};
    uint32_t k = below(g, 7);
    /* The text names the builtin, so its production has to be counted by hand. */
    if (fns[k] < FN_COUNT)
        mark_used_type(g, fns[k], g->in);
    sb_c(g->text.out, forms[k].before);
    var_put(g, v);
    sb_c(g->text.out, forms[k].after);
    if (forms[k].then == SIZE)
        dim_put_size(g, dim);
    /* The size itself may become an argument now. */
    if (forms[k].then == LAST) {
        dim_put_last(g, dim);
        W(g, ")");
    }
}

/* No variable of a loop that Warp unrolls gets a neighbour: the index would be a constant
 * expression. */
void put_index(gen *g, uint8_t dim, int neighbours)
{
    WEFT_ASSERT(dim < g->params.ndims);
    const gdim *d = &g->params.dims[dim];
    gvar *v = index_of(g, dim);
    /* Element 0 is there in each array: dimensions are at least 1. */
    if (!v) {
        sb_uint(g->text.out, d->kind == DIM_FIXED ? below(g, d->size) : 0);
        return;
    }
    if (neighbours && chance(g, (uint32_t)neighbours) && !(v->flags & V_FIXED))
        put_neighbour(g, dim, v);
    else
        var_put(g, v);
}

/* "[i, j]" */
static void put_indexes(gen *g, const garg *a, int neighbours)
{
    W(g, "[");
    for (int k = 0; k < a->rank; k++) {
        if (k)
            W(g, ", ");
        put_index(g, a->dim[k], neighbours);
    }
    W(g, "]");
}

void put_own_index(gen *g, const garg *a)
{
    put(g, a->name);
    put_indexes(g, a, 0);
}

/* Looks at the inputs from a random one on. Loads what no variable holds yet, so stencils appear:
 * x[i] and x[wp.min(i + 1, n - 1)]. */
bool put_neighbour_load(gen *g, gtype t)
{
    /* One more than there are, so that the draw is defined without arguments. */
    uint32_t at = below(g, g->params.nargs + 1);
    for (uint32_t k = 0; k < g->params.nargs; k++) {
        const garg *a = &g->params.args[(at + k) % g->params.nargs];
        if (a->mode != ARG_IN || !gt_same(a->t, t) || !index_of(g, a->dim[0]))
            continue;
        put(g, a->name);
        put_indexes(g, a, 60);
        return true;
    }
    return false;
}

/* Gives the array its dimensions. The first array of a dimension owns it: its shape names the
 * size. */
static void array_place(gen *g, garg *a, const uint8_t *dims, int rank)
{
    WEFT_ASSERT(rank >= 1 && rank <= RANK_MAX);
    a->rank = (uint8_t)rank;
    for (int k = 0; k < rank; k++) {
        a->dim[k] = dims[k];
        gdim *d = &g->params.dims[dims[k]];
        /* A dimension without an owner can be named by an argument alone. */
        if (!d->owner) {
            d->owner = (uint8_t)(a - g->params.args + 1);
            d->axis = (uint8_t)k;
        }
    }
}

/* An array with a name of the role, which holds numbers within the bound of inputs. */
static garg *array_new(gen *g, gtype t, arg_mode mode, const uint8_t *dims, int rank,
                       name_role role)
{
    garg *a = arg_new(g, mode, t, role);
    a->mag = (int8_t)input_mag(t);
    array_place(g, a, dims, rank);
    return a;
}

garg *arg_named(gen *g, arg_mode mode, gtype t, const uint8_t *dims, int rank, name_role role)
{
    return array_new(g, t, mode, dims, rank, role);
}

static name_role role_of_array(gtype t)
{
    if (t.kind == GK_SCALAR)
        return gt_is_float(t) ? NAME_SCALAR_ARRAY : NAME_INT_ARRAY;
    static const uint8_t roles[] = {NAME_SCALAR_ARRAY, NAME_VEC_ARRAY, NAME_MAT_ARRAY,
                                    NAME_QUAT_ARRAY, NAME_XFORM_ARRAY};
    return (name_role)roles[t.kind];
}

garg *arg_output(gen *g, gtype t, arg_mode mode, const uint8_t *dims, int rank)
{
    return array_new(g, t, mode, dims, rank, NAME_OUTPUT);
}

/* Outputs and a third of the inputs range over the whole launch; other inputs over one of its
 * dimensions. */
garg *arg_structs(gen *g, uint8_t record, arg_mode mode)
{
    WEFT_ASSERT(record < g->defs.nrecords && g->params.nargs < GEN_ARGS_MAX);
    grecord *r = &g->defs.records[record];
    const uint8_t all[RANK_MAX] = {0, 1, 2, 3}, one = (uint8_t)below(g, g->params.launch_dims);
    const bool out = mode == ARG_STRUCTS_OUT, whole = out || below(g, 3) == 0;
    garg *a = &g->params.args[g->params.nargs++];
    *a = (garg){.mode = (uint8_t)mode, .op = record, .t = r->fields[0].t};
    a->name = name_wanted(g, r->many, out ? NAME_OUTPUT : NAME_VEC_ARRAY);
    array_place(g, a, whole ? all : &one, whole ? g->params.launch_dims : 1);
    a->mag = (int8_t)input_mag(g->s);
    return a;
}

garg *arg_table(gen *g, gtype t, const uint8_t *dims, int rank)
{
    if (g->params.inputs)
        g->params.inputs--;
    return array_new(g, t, ARG_IN, dims, rank, role_of_array(t));
}

/* The dimensions of a new input array: some of those that indexes in scope range over. The
 * innermost is most likely (85 percent, the outer ones 65), so that inputs vary where they are
 * used; now and then two are exchanged, or one of fixed size is added. Returns the rank. */
static int choose_dims(gen *g, uint8_t dims[RANK_MAX])
{
    uint8_t scope[RANK_MAX];
    int n = 0, rank = 0;
    for (uint32_t i = g->scope.nvars; i-- > g->scope.base && n < 3;) {
        uint8_t d = g->scope.vars[i].dim;
        /* Each dimension once, though several variables may range over it. */
        bool seen = d == NO_DIM;
        for (int k = 0; k < n; k++)
            seen |= scope[k] == d;
        if (!seen)
            scope[n++] = d;
    }
    /* From the outermost on, so that rows come before columns; k is 0 for the innermost. */
    for (int k = n; k-- > 0;)
        if (n == 1 || chance(g, k ? 65 : 85))
            dims[rank++] = scope[k];
    if (!rank && n)
        dims[rank++] = scope[0];
    /* x[j, i]: a transposed access. */
    if (rank == 2 && below(g, 4) == 0) {
        uint8_t d = dims[0];
        dims[0] = dims[1];
        dims[1] = d;
    }
    /* A last dimension of some channels, read at a fixed index. Without any index in scope it is
     * the only one. */
    if ((rank < RANK_MAX && below(g, 14) == 0) || !rank)
        dims[rank++] = dim_new(g, DIM_FIXED, 2 + (int)below(g, 5));
    return rank;
}

/* What an array may hold when the body wants t: in a sixteenth of the cases a type that a cast
 * makes t of, as people store counts in small integers. */
static gtype stored_type(gen *g, gtype t)
{
    static const uint8_t ints[] = {GS_U8, GS_I16, GS_I8, GS_U16, GS_I64, GS_U32};
    static const uint8_t floats[] = {GS_F16, GS_F64, GS_I32, GS_I32};
    if (t.kind != GK_SCALAR || below(g, 16))
        return t;
    if (t.sc == GS_I32)
        return gt_scalar(ints[below(g, 6)]);
    if (t.sc == GS_F32)
        return gt_scalar(floats[below(g, 4)]);
    return t;
}

/* The variable outlives its block if all its indexes do: then it is the same element everywhere. */
gvar *arg_element(gen *g, garg *a, int flags)
{
    WEFT_ASSERT(a >= g->params.args && a < g->params.args + g->params.nargs);
    size_t begin;
    strbuf *saved = scratch_open(g, &begin);
    /* Global if no index belongs to a block. */
    int outer = V_GLOBAL;
    for (int k = 0; k < a->rank; k++) {
        gvar *v = index_of(g, a->dim[k]);
        if (v && !(v->flags & V_GLOBAL))
            outer = 0;
    }
    put_own_index(g, a);
    str s = scratch_close(g, saved, begin);
    gvar *v = var_add(g, s, a->t, bound_of(a->mag, LOW_NONE), flags | outer);
    v->arg = (uint8_t)(a - g->params.args + 1);
    return v;
}

/* An array of another type is cast where it is read: "float(counts[i])". The variable is the
 * cast. */
gvar *arg_input(gen *g, gtype t)
{
    uint8_t dims[RANK_MAX];
    int rank = choose_dims(g, dims);
    /* The name says what the values are for, so its role is that of t. */
    gtype held = stored_type(g, t);
    garg *a = array_new(g, held, ARG_IN, dims, rank, role_of_array(t));
    gvar *v = arg_element(g, a, 0);
    g->params.inputs--;
    if (gt_same(held, t))
        return v;
    size_t begin;
    strbuf *saved = scratch_open(g, &begin);
    put_cast(g, t);
    put(g, (str){v->s, v->n});
    W(g, ")");
    str s = scratch_close(g, saved, begin);
    v->s = s.p;
    v->n = (uint8_t)s.n;
    v->t = t;
    /* What was unsigned is not negative after the conversion. 32 and 64 bits might not fit, so
     * nothing is known of those. */
    v->low = held.sc == GS_U8 || held.sc == GS_U16 ? LOW_ZERO : LOW_NONE;
    return v;
}

/* Productions of the signature. */
static void cover_argument(gen *g, const garg *a)
{
    WEFT_ASSERT(a->mode <= ARG_DIM || a->mode == ARG_STRUCT ||
                (a->rank >= 1 && a->rank <= RANK_MAX));
    static const gen_thing ranks[] = {THING_RANK_1, THING_RANK_2, THING_RANK_3, THING_RANK_4};
    switch ((arg_mode)a->mode) {
    case ARG_SCALAR: cover_type(g, THING_ARG_SCALAR, a->t); return;
    case ARG_DIM: cover(g, THING_ARG_SIZE); return;
    case ARG_STRUCT: cover(g, THING_ARG_STRUCT); return;
    case ARG_STRUCTS_IN: cover(g, THING_ARG_STRUCTS_IN); break;
    case ARG_STRUCTS_OUT: cover(g, THING_ARG_STRUCTS_OUT); break;
    case ARG_IN: cover_type(g, THING_ARG_INPUT, a->t); break;
    case ARG_OWN: cover_type(g, THING_ARG_OUTPUT, a->t); break;
    case ARG_ATOMIC: cover_type(g, THING_ARG_SHARED, a->t); break;
    }
    cover(g, ranks[a->rank - 1]);
}

static void put_argument(gen *g, const garg *a)
{
    cover_argument(g, a);
    put(g, a->name);
    W(g, ": ");
    if (a->mode == ARG_STRUCT)
        put(g, g->names.taken[a->dim[0]]);
    else if (is_record_array(a))
        put_record_array_type(g, &g->defs.records[a->op], a->rank);
    else if (a->mode <= ARG_DIM)
        put_type(g, a->t);
    else
        put_array_type(g, a->t, a->rank);
}

/* Where an argument stands. Rows are kinds of arguments in the orders that people put them in:
 * structs, inputs, scalars, sizes, outputs. The first order is the commonest, hence thrice. */
static int rank_of_argument(const gen *g, const garg *a, uint32_t order)
{
    static const uint8_t ranks[][5] = {{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4},
                                       {1, 2, 0, 3, 4}, {3, 0, 2, 1, 4}, {0, 1, 3, 4, 2},
                                       {0, 1, 3, 3, 2}, {4, 2, 1, 0, 3}};
    const uint8_t *row = ranks[order];
    switch ((arg_mode)a->mode) {
    case ARG_STRUCT: return row[0];
    case ARG_STRUCTS_IN:
    case ARG_IN: return row[1];
    case ARG_SCALAR: return row[2];
    case ARG_DIM: return row[3];
    case ARG_OWN:
    case ARG_STRUCTS_OUT:
    /* Before everything else, whatever the order. */
    case ARG_ATOMIC: return g->names.style.outputs_first ? -1 : row[4];
    }
    return 0;
}

static void swap_arguments(gen *g, uint32_t i, uint32_t k)
{
    const garg a = g->params.args[i];
    g->params.args[i] = g->params.args[k];
    g->params.args[k] = a;
}

/* Shuffles, then sorts by insertion: those of one kind stand in any order. */
static void sort_arguments(gen *g)
{
    const uint32_t order = below(g, 8);
    for (uint32_t i = 1; i < g->params.nargs; i++)
        swap_arguments(g, i, below(g, i + 1));
    for (uint32_t i = 1; i < g->params.nargs; i++)
        for (uint32_t k = i; k && rank_of_argument(g, &g->params.args[k - 1], order) >
                                      rank_of_argument(g, &g->params.args[k], order);
             k--)
            swap_arguments(g, k - 1, k);
}

/* Wrapped, each argument has a line of its own with a comma behind it, as formatters write it. */
void put_arguments(gen *g, bool lines)
{
    sort_arguments(g);
    for (uint32_t i = 0; i < g->params.nargs; i++) {
        if (lines)
            W(g, "\n    ");
        put_argument(g, &g->params.args[i]);
        if (lines)
            W(g, ",");
        else if (i + 1 < g->params.nargs)
            W(g, ", ");
    }
    if (lines)
        W(g, "\n");
}
