/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of tiles as a whole: arithmetic, mapping and reducing by a function, sorting, tiles made
 * of a block's threads, stacks. Examples:
 *
 *     w = wp.tile_map(wp.sin, u)      wp::tile_unary_map(wp::sin, var_9), in the shape of u
 *     z = wp.tile_sum(w)              wp::tile_sum(var_11), a tile of one element
 *
 * A function given to tile_map or tile_reduce is resolved for the element types here, by the same
 * means as a call of it in the kernel. */
#include <math.h>

#include "base/assert.h"
#include "builtin/rule_tile.h"
#include "builtin/rules.h"

/* Warp's default is 256. */
int64_t tile_block_dim(const rule_call *k)
{
    return k->r->block_dim ? k->r->block_dim : 256;
}

/* Warp 1.19 tile_value_func: one value per thread becomes a tile of block_dim elements. A vector's
 * or matrix' elements are dimensions in front of that, unless preserve_type keeps them whole. */
static bool from_threads(rule_call *k)
{
    const type *x = rule_type(k, 0);
    const value *v = rule_value(k, 1);
    bool whole = k->arg[1] && (!v || v->i); /* preserve_type; a variable counts as true */
    int64_t shape[3];
    int n = 0;
    if (!x)
        return tile_refuse(k, "a value is wanted");
    /* Warp 1.17 to 1.19 raise: a Reference has no name for tile_dispatch_func. */
    if (k->arg[0]->kind == ARG_VAR && k->arg[0]->type->kind == TYPE_REF)
        return tile_refuse_advised(k, "Warp makes no tile of an element or a field in place",
                                   "assign it to a variable first: x = a[i]");
    bool split = !whole && type_is_composite(x) && x->kind != TYPE_TRANSFORM;
    /* A vec3 of 256 threads is a 3 x 256 tile. */
    if (split)
        shape[n++] = x->rows;
    if (split && x->kind == TYPE_MAT)
        shape[n++] = x->cols;
    shape[n++] = tile_block_dim(k);
    return tile_gives(k, split ? x->elem : x, shape, n);
}
const result_rule rule_tile_from_threads = {from_threads, 0, false};

/* Warp 1.19 tile_dispatch_func. */
bool dispatch_tile_from_threads(rule_call *k)
{
    const type *x = rule_type(k, 0), *elem = k->plan->result_types[0]->elem;
    /* elem != x says that the composite was split. */
    bool is_mat = elem != x && x->kind == TYPE_MAT;
    rule_pass(k, 0);
    if (is_mat) {
        rule_template_int(k, x->rows);
        rule_template_int(k, x->cols);
    }
    rule_template_type(k, elem);
    if (elem != x && !is_mat)
        rule_template_int(k, x->rows);
    return true;
}

/* Warp 1.19 untile_value_func: the opposite; every thread gets its element. */
static bool untile(rule_call *k)
{
    const type *t = tile_operand(k, "a");
    if (!t)
        return false;
    /* Each thread takes one column. */
    if (t->dims[t->ndim - 1] != tile_block_dim(k) || t->ndim > 3)
        return tile_refuse(k, "the last extent must be the block's number of threads");
    if (t->ndim == 1)
        return rule_gives(k, t->elem);
    int rows = (int)t->dims[0];
    return rule_gives(k, t->ndim == 2 ? type_vec(k->c, t->elem, rows)
                                      : type_mat(k->c, t->elem, rows, (int)t->dims[1]));
}
const result_rule rule_untile = {untile, 0, false};

/* The shape of a reduced tile. */
static const int64_t one[] = {1};

static const type *apply(rule_call *k, const type *const *types, uint32_t n, value *chosen);

/* Warp 1.19 tile_sum_value_func and its like: sum, minimum, maximum. */
static bool reduced(rule_call *k)
{
    const type *t = tile_operand(k, "a");
    return t && tile_gives(k, t->elem, one, 1);
}
const result_rule rule_tile_reduced = {reduced, 0, false};

/* Warp 1.19 tile_reduce_value_func: reduced by a function of two elements. Structs need one that
 * gives their own type. */
static bool folded(rule_call *k)
{
    const type *t = tile_operand(k, "a");
    if (!t)
        return false;
    const type *pair[] = {t->elem, t->elem};
    value chosen;
    const type *r = apply(k, pair, 2, &chosen);
    if (t->elem->kind == TYPE_STRUCT && (!r || !type_equal(r, t->elem)))
        return tile_refuse(k, "the function does not make one element of two");
    return reduced(k);
}
const result_rule rule_tile_folded = {folded, 0, false};

/* tile_argmin and tile_argmax give an index. */
static bool position(rule_call *k)
{
    return tile_operand(k, "a") && tile_gives(k, type_scalar(k->c, TYPE_INT32), one, 1);
}
const result_rule rule_tile_position = {position, 0, false};

/* Warp 1.19 tile_sum_axis_value_func: the tile without the dimension `axis`. Threads read each
 * other's elements, so the tile is shared. */
static bool reduced_axis(rule_call *k)
{
    const type *t = tile_operand(k, "a");
    int64_t axis, shape[TYPE_DIMS_MAX];
    int n = 0;
    if (!t)
        return false;
    /* tile_reduce with an axis: whether the function has an adjoint matters, not its result. */
    if (k->row->params[0].type->kind == TYPE_CALLABLE) {
        const type *pair[] = {t->elem, t->elem};
        value chosen;
        apply(k, pair, 2, &chosen);
    }
    if (!tile_constant(k, "axis", &axis) || axis < 0 || axis >= t->ndim)
        return tile_refuse(k, "axis must be a constant and a dimension of the tile");
    type_tile_share(k->c, t);
    for (int d = 0; d < t->ndim; d++)
        if (d != axis)
            shape[n++] = t->dims[d];
    /* Of a 1-D tile one element is left. */
    return n ? tile_gives(k, t->elem, shape, n) : tile_gives(k, t->elem, one, 1);
}
const result_rule rule_tile_reduced_axis = {reduced_axis, 0, false};

/* The axis is a template argument: wp::tile_sum_axis<1>(t). */
bool dispatch_tile_sum_axis(rule_call *k)
{
    int64_t axis;
    tile_constant(k, "axis", &axis);
    rule_pass(k, 0);
    rule_template_int(k, axis);
    return true;
}

/* The value where folding with `op` begins (Warp 1.19 tile_reduce_axis_dispatch_func): 1 for mul,
 * the largest number for min, the smallest for max, else 0, which is not used if op has no
 * identity. */
static value identity_of(const char *op, const type *t)
{
    WEFT_ASSERT(t->kind <= TYPE_FLOAT64 || (strcmp(op, "min") != 0 && strcmp(op, "max") != 0));
    value v = value_int(strcmp(op, "mul") == 0);
    bool is_min = strcmp(op, "min") == 0, is_max = strcmp(op, "max") == 0;
    if ((is_min || is_max) && type_is_float(t)) {
        v = value_float(is_min ? (double)INFINITY : (double)-INFINITY);
    } else if (is_min || is_max) {
        /* As in is_in_range of rule_tile.c. */
        int bits = 8 << ((t->kind - TYPE_INT8) / 2);
        bool is_signed = (t->kind - TYPE_INT8) % 2 == 0;
        __int128 half = (__int128)1 << (bits - 1);
        v = value_int(is_min ? (is_signed ? half - 1 : 2 * half - 1) : (is_signed ? -half : 0));
    }
    return value_scalar(t, &v);
}

/* Two constants follow the arguments: the identity of the operation, and whether there is one. */
bool dispatch_tile_reduce_axis(rule_call *k)
{
    static const char *const known[] = {"add", "mul", "min", "max"};
    const value *op = rule_value(k, 0);
    const char *name = op && op->kind == VALUE_BUILTIN ? builtin_name(op->p)->s : "";
    bool has_identity = false;
    for (int i = 0; i < 4; i++)
        has_identity |= strcmp(known[i], name) == 0;
    rule_pass_all(k);
    if (!warp_has(k->c->warp, WARP_REDUCE_IDENTITY))
        return true;
    rule_pass_const(k, identity_of(name, rule_type(k, 1)->elem));
    /* Is the value above an identity of op? For other functions it is not. */
    rule_pass_const(k, value_bool(has_identity));
    return true;
}

/* Warp 1.19 tile_dot_value_func: the sum of products of scalars, or of the dots of vectors. */
static bool dot(rule_call *k)
{
    const type *a = tile_operand(k, "a"), *b = a ? tile_operand(k, "b") : NULL;
    if (!b)
        return false;
    if (!tile_same_shape(a, b))
        return tile_refuse(k, "both tiles must have the same shape");
    const type *s = type_scalar_of(a->elem);
    if (!type_equal(a->elem, b->elem) || !s)
        return rule_mixed(k, a->elem, b->elem);
    return tile_gives(k, s, one, 1);
}
const result_rule rule_tile_dot = {dot, 0, false};

/* Both tiles have one shape and one element type. */
static bool check_pair(rule_call *k, const type *a, const type *b)
{
    if (!tile_same_shape(a, b))
        return tile_refuse(k, "both tiles must have the same shape");
    return type_equal(a->elem, b->elem) || rule_mixed(k, a->elem, b->elem);
}

/* Warp 1.19 tile_axpy_value_func: dest += alpha * src, in place. */
static bool axpy(rule_call *k)
{
    const type *alpha = rule_type(k, 0), *src = tile_operand(k, "src");
    const type *dest = src ? tile_operand(k, "dest") : NULL;
    if (!dest || !check_pair(k, dest, src))
        return false;
    if (type_scalar_of(dest->elem) != alpha)
        return rule_refuse_store(k, alpha, dest->elem);
    return rule_gives(k, NULL);
}
const result_rule rule_tile_axpy = {axpy, 0, false};

/* Warp 1.19 tile_sort_value_func: sorts keys and values in place, both in shared memory. */
static bool sort(rule_call *k)
{
    const type *keys = tile_operand(k, "keys"), *values = keys ? tile_operand(k, "values") : NULL;
    if (!values)
        return false;
    type_kind e = keys->elem->kind;
    if (e != TYPE_FLOAT32 && !(e >= TYPE_INT32 && e <= TYPE_UINT64))
        return tile_refuse(k, "keys must be float32 or 32- or 64-bit integers");
    type_tile_share(k->c, keys);
    type_tile_share(k->c, values);
    return tile_same_shape(keys, values) ? rule_gives(k, NULL)
                                         : tile_refuse(k, "both tiles must have the same shape");
}
const result_rule rule_tile_sort = {sort, 0, false};

/* Warp 1.19 tile_scan_inclusive_value_func and its like. */
static bool scan(rule_call *k)
{
    const type *t = tile_operand(k, "a");
    if (!t)
        return false;
    type_kind e = t->elem->kind;
    if (e != TYPE_FLOAT32 && e != TYPE_INT32 && e != TYPE_UINT32)
        return tile_refuse(k, "the elements must be float32, int32 or uint32");
    return tile_gives(k, t->elem, t->dims, t->ndim);
}
const result_rule rule_tile_scan = {scan, 0, false};

/* ---- functions over elements ---- */

enum { MAP_MAX = 16 };

/* The type of a tile's elements, or of the value itself. */
static const type *element(const type *t)
{
    return t->kind == TYPE_TILE ? t->elem : t;
}

/* Warp 1.19 _is_tile_map_element_type_supported. */
static bool is_mappable(const type *t)
{
    return (type_is_scalar(t) && t->kind != TYPE_BOOL) || t->kind == TYPE_VEC ||
           t->kind == TYPE_MAT || t->kind == TYPE_STRUCT;
}

/* What the function `op`, the first argument, gives for elements of these types; *chosen: the
 * overload, as a value. NULL: no overload fits. A builtin without adjoint makes the whole call one
 * without. */
static const type *apply(rule_call *k, const type *const *types, uint32_t n, value *chosen)
{
    const value *op = rule_value(k, 0);
    if (op && op->kind == VALUE_FUNC && k->r->user)
        return k->r->user->result(k->r->user->data, op, types, n, chosen);
    if (!op || op->kind != VALUE_BUILTIN || n > MAP_MAX)
        return NULL;
    call_arg args[MAP_MAX];
    for (uint32_t i = 0; i < n; i++)
        args[i] = (call_arg){.kind = ARG_VAR, .type = types[i]};
    call_request r = {.fn = op->p, .args = args, .nargs = n, .at = k->r->at};
    call_plan plan;
    *chosen = *op;
    /* builtin_accepts first: a function that does not fit is refused by the caller, in its own
     * words. */
    if (!builtin_accepts(k->c, &r) || !builtin_resolve(k->c, &r, &plan) || plan.nresults != 1)
        return NULL;
    if (!plan.differentiable)
        k->plan->differentiable = false;
    return plan.result_types[0];
}

/* Writes the types of the operands after op: a, b or a, *args; returns their number, at most
 * MAP_MAX. */
static uint32_t map_operands(rule_call *k, const type **types)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < k->row->nparams; i++) {
        const call_arg *a = k->arg[i];
        if (!a)
            continue;
        uint32_t many = a->kind == ARG_VARS ? a->n : 1;
        for (uint32_t j = 0; j < many && n < MAP_MAX; j++)
            types[n++] = rule_arg_type(k->c, a->kind == ARG_VARS ? &a->items[j] : a);
    }
    return n;
}

/* Warp 1.19 tile_unary_map_value_func, tile_binary_map_value_func, tile_n_map_value_func: the
 * tiles have the shape of the first, other operands are the same for all elements. */
static bool map(rule_call *k)
{
    const type *types[MAP_MAX], *t = tile_operand(k, "a");
    value chosen;
    uint32_t n = map_operands(k, types);
    if (!t)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (types[i]->kind == TYPE_TILE && !tile_same_shape(t, types[i]))
            return tile_refuse(k, "all tiles must have the same shape");
        if (types[i]->kind != TYPE_TILE && !is_mappable(types[i]))
            return tile_refuse(k, "an operand must be a tile, scalar, vector, matrix or struct");
        types[i] = element(types[i]);
    }
    const type *elem = apply(k, types, n, &chosen);
    if (!elem || !is_mappable(elem))
        return tile_refuse(k, "the function does not take such elements");
    return tile_gives(k, elem, t->dims, t->ndim);
}
const result_rule rule_tile_map = {map, 0, false};

/* Passes the overload of op that fits the elements, then the operands. */
bool dispatch_tile_map(rule_call *k)
{
    const type *types[MAP_MAX];
    uint32_t n = map_operands(k, types);
    for (uint32_t i = 0; i < n; i++)
        types[i] = element(types[i]);
    value *chosen = ARENA_NEW(&k->c->scratch, value);
    apply(k, types, n, chosen);
    rule_pass_arg(k, &(call_arg){.kind = ARG_VALUE, .constant = chosen});
    for (uint32_t i = 1; i < k->row->nparams; i++)
        rule_pass(k, i);
    return true;
}

/* ---- operators ---- */

/* Warp 1.19 tile_unary_value_func: -t and its like. */
static bool unary(rule_call *k)
{
    const type *t = tile_operand(k, "x");
    if (t && t->elem->kind == TYPE_STRUCT)
        return tile_refuse(k, "structs have no operators");
    return t && tile_gives(k, t->elem, t->dims, t->ndim);
}
const result_rule rule_tile_unary = {unary, 0, false};

/* Warp 1.19 tile_binary_map_value_func without an op: both are tiles, of one type. */
static bool binary(rule_call *k)
{
    const type *a = tile_operand(k, "a"), *b = a ? tile_operand(k, "b") : NULL;
    return b && check_pair(k, a, b) && tile_gives(k, a->elem, a->dims, a->ndim);
}
const result_rule rule_tile_binary = {binary, 0, false};

/* binary, and the elements are no structs. */
static bool bitwise(rule_call *k)
{
    if (!binary(k))
        return false;
    return k->plan->result_types[0]->elem->kind != TYPE_STRUCT ||
           tile_refuse(k, "structs have no bits");
}
const result_rule rule_tile_bitwise = {bitwise, 0, false};

/* Has a type more than one scalar, as operators on tiles take it? */
static bool is_wide(const type *t)
{
    return t->kind == TYPE_VEC || t->kind == TYPE_MAT;
}

/* Warp 1.19 tile_mul_value_func, tile_div_value_func: one operand may be no tile, and one of the
 * two element types must be a scalar. The result has the wider element. */
static bool scaled(rule_call *k)
{
    const type *a = rule_type(k, 0), *b = rule_type(k, 1);
    bool a_tile = a->kind == TYPE_TILE, b_tile = b->kind == TYPE_TILE;
    const type *t = a_tile ? a : b, *ea = element(a), *eb = element(b);
    /* The operand that is no tile must be a value that the elements can be multiplied by. */
    if (!(a_tile && b_tile) && !type_is_scalar(a_tile ? b : a) && !is_wide(a_tile ? b : a))
        return tile_refuse(k, "the other operand must be a scalar, vector or matrix");
    if (a_tile && b_tile && !tile_same_shape(a, b))
        return tile_refuse(k, "both tiles must have the same shape");
    const type *sa = type_scalar_of(ea), *sb = type_scalar_of(eb);
    if (!sa || sa != sb)
        return rule_mixed(k, ea, eb);
    if (!type_is_scalar(ea) && !type_is_scalar(eb))
        return tile_refuse(k, "one operand must be made of scalars");
    /* A scalar times a vector is a vector. */
    const type *elem = is_wide(ea) ? ea : is_wide(eb) ? eb : t->elem;
    return tile_gives(k, elem, t->dims, t->ndim);
}
const result_rule rule_tile_scaled = {scaled, 0, false};

/* Warp 1.19 tile_mul_const_first_dispatch_func: C++ has the tile first. */
bool dispatch_tile_swapped(rule_call *k)
{
    rule_pass(k, 1);
    rule_pass(k, 0);
    return true;
}

/* Warp 1.19 tile_inplace_tile_value_func: a += b of two tiles. */
static bool inplace_tile(rule_call *k)
{
    const type *a = tile_operand(k, "a"), *b = a ? tile_operand(k, "b") : NULL;
    return b && check_pair(k, a, b) && rule_gives(k, NULL);
}
const result_rule rule_tile_inplace_tile = {inplace_tile, 0, false};

/* ---- stacks, queries of a block ---- */

/* Warp 1.19 tile_stack_value_func: the capacity is part of the type. */
static bool stack(rule_call *k)
{
    int64_t capacity;
    const type *t = rule_dtype_arg(k);
    if (!t)
        return false;
    if (!tile_constant(k, "capacity", &capacity) || capacity < 1 || capacity > INT32_MAX)
        return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), "capacity");
    return rule_gives(k, type_stack(k->c, t, (int)capacity));
}
const result_rule rule_tile_stack = {stack, 0, false};

/* wp::tile_stack<float, 16>() */
bool dispatch_tile_stack(rule_call *k)
{
    rule_template_value(k, rule_value(k, k->row->dtype_at));
    rule_template_int(k, k->plan->result_types[0]->rows);
    return true;
}

/* The stack that is the first argument; NULL after a diagnostic. */
static const type *stack_operand(rule_call *k)
{
    const type *t = rule_type(k, 0);
    if (t && t->kind == TYPE_STACK)
        return t;
    tile_refuse(k, "the first argument must be a wp.tile_stack");
    return NULL;
}

/* Gives the slot of the pushed value, -1 where the stack is full. */
static bool stack_push(rule_call *k)
{
    const type *t = stack_operand(k), *v = tile_type(k, "value");
    if (t && !type_equal(t->elem, v))
        return rule_refuse_store(k, v, t->elem);
    return t && rule_gives(k, type_scalar(k->c, TYPE_INT32));
}
const result_rule rule_tile_stack_push = {stack_push, 0, false};

/* Gives the value and its slot. */
static bool stack_pop(rule_call *k)
{
    const type *t = stack_operand(k);
    if (!t)
        return false;
    const type *results[] = {t->elem, type_scalar(k->c, TYPE_INT32)};
    return rule_gives_all(k, results, 2);
}
const result_rule rule_tile_stack_pop = {stack_pop, 2, false};

static bool stack_clear(rule_call *k)
{
    return stack_operand(k) && rule_gives(k, NULL);
}
const result_rule rule_tile_stack_clear = {stack_clear, 0, false};

static bool stack_count(rule_call *k)
{
    return stack_operand(k) && rule_gives(k, type_scalar(k->c, TYPE_INT32));
}
const result_rule rule_tile_stack_count = {stack_count, 0, false};

/* Warp 1.19 bvh_query_next_tiled_value_func: one index per thread. */
static bool query_next(rule_call *k)
{
    int64_t shape[] = {tile_block_dim(k)};
    return tile_gives(k, type_scalar(k->c, TYPE_INT32), shape, 1);
}
const result_rule rule_tile_query_next = {query_next, 0, false};
