/* SPDX-License-Identifier: Apache-2.0 */
/* Subscripts: Warp 1.19 Adjoint.eval_subscript, recurse_subscript, strip_indices, eval_indices,
 * emit_indexing, emit_Slice and eval_const_slice. lower_expr.c calls lower_subscript for a read,
 * lower_attr.c and lower_assign.c call the others for targets of stores. Tiles: lower_tile.c.
 *
 * A chain of subscripts is taken apart into groups of indices, one per pair of brackets, and an
 * array takes as many indices as it has dimensions, over several groups if need be. What is left
 * indexes the element. For a: array2d(dtype=vec3), m: mat33:
 *
 *     x = a[i][1][2]   ->   CALL %2, @wp::address, %a, %0, %1
 *                           CALL %5, @wp::load, %2
 *                           CALL %4, @wp::extract, %5, %3
 *     v = m[0:2]       ->   CALL %8, @wp::slice_t, %9, %10, %11
 *                           CALL %12, @wp::extract<2, 3>, %m, %8
 *     r = a[i, ::2]    ->   CALL %14, @wp::slice_t, %15, %16, %13
 *                           CALL %17, @wp::view, %a, %0, %14
 *
 * As the target of a store, an element of vectors, matrices or structs is an array slot
 * (lower_slot.c) instead of a loaded value. */
#include "ir/lower.h"

enum { SUBSCRIPTS_MAX = 16 }; /* pairs of brackets in one chain */

/* wp.adjoint[x], which is no subscript of a value: any attribute `adjoint`, as in Warp. */
bool is_adjoint_subscript(const lower *l, const node *n)
{
    const node *v = AST(Subscript, n)->value;
    return v->kind == AST_Attribute && AST(Attribute, v)->attr == l->names->s_adjoint;
}

/* The indices in one pair of brackets. */
static index_list own_indices(lower *l, const ast_Subscript *n)
{
    if (n->slice->kind == AST_Tuple) {
        const node_list *e = &AST(Tuple, n->slice)->elts;
        return (index_list){(const node **)e->v, e->n};
    }
    const node **one = ARENA_ARRAY(&l->c->ir, const node *, 1);
    one[0] = n->slice;
    return (index_list){one, 1};
}

/* The indices of n groups as one list: a[i][j] is a[i, j]. */
static index_list join_indices(lower *l, const index_list *groups, uint32_t n)
{
    index_list all = {0};
    for (uint32_t i = 0; i < n; i++)
        all.n += groups[i].n;
    all.v = ARENA_ARRAY(&l->c->ir, const node *, all.n);
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < groups[i].n; k++)
            all.v[at++] = groups[i].v[k];
    WEFT_ASSERT(at == all.n);
    return all;
}

/* How many of the groups hold the indices of an array of type t. They have to add up to its
 * dimensions: a[i, j][k] is an error for a 1D array of vectors, and a[i][j, k] for a 2D one, since
 * one pair of brackets would index both the array and its element. */
static uint32_t groups_of(lower *l, const node *at, const index_list *groups, uint32_t n,
                          const type *t)
{
    WEFT_ASSERT(n > 0 && t->kind == TYPE_ARRAY);
    const uint32_t count = (uint32_t)t->ndim;
    uint32_t k = 0, taken = 0;
    if (groups[0].n > count)
        builtin_refuse_rank(l->c, span_of(l, at), t, groups[0].n), lower_fail(l);
    while (k < n && taken < count)
        taken += groups[k++].n;
    if (taken != count)
        lower_error(l, at, STRADDLING_INDICES, taken, count);
    return k;
}

/* The chain is met from its last pair of brackets inwards, so the groups are reversed first. An
 * array whose indices are all there, with some left for the element, is indexed here; the last
 * indexing is left to the caller, since a read and a store differ there. */
uint32_t lower_subscript_target(lower *l, const node *n, index_list *rest, bool as_target)
{
    index_list groups[SUBSCRIPTS_MAX];
    uint32_t count = 0;
    const node *base = n;
    while (base->kind == AST_Subscript && !is_adjoint_subscript(l, base)) {
        if (count == SUBSCRIPTS_MAX)
            lower_error(l, n, TOO_DEEP);
        groups[count++] = own_indices(l, AST(Subscript, base));
        base = AST(Subscript, base)->value;
    }
    for (uint32_t i = 0; i < count / 2; i++) {
        index_list t = groups[i];
        groups[i] = groups[count - 1 - i];
        groups[count - 1 - i] = t;
    }
    operand o =
        as_target && base->kind != AST_Name ? lower_store_target(l, base) : lower_expr(l, base);
    if (!is_var(o))
        lower_error(l, base, NOT_INDEXABLE);
    uint32_t target = o.var, first = 0;
    for (uint32_t level = 0; level < count; level++) {
        const type *t = var_value_type(l, target);
        index_list all = join_indices(l, groups + first, count - first);
        if (t->kind != TYPE_ARRAY || all.n <= (uint32_t)t->ndim)
            break;
        index_list head = {all.v, (uint32_t)t->ndim};
        target = lower_indexing(l, n, target, head, as_target).var;
        first += groups_of(l, n, groups + first, count - first, t);
    }
    first += tile_chain(l, n, &target, groups + first, count - first);
    *rest = join_indices(l, groups + first, count - first);
    return target;
}

/* A bound that has to be a constant integer. It is cut to 32 bits, which slice_t holds. */
int64_t const_bound(lower *l, const node *n)
{
    uint32_t v = lower_value(l, n);
    const value *k = var_constant(l, v);
    if (!k)
        lower_error(l, n, SLICE_NOT_CONSTANT);
    if (k->kind != VALUE_INT && k->kind != VALUE_BOOL && k->kind != VALUE_ENUM)
        lower_error(l, n, SLICE_NOT_INTEGER);
    return k->i > INT32_MAX ? INT32_MAX : k->i < INT32_MIN ? INT32_MIN : (int64_t)k->i;
}

/* One bound of CPython's slice.indices: negative ones count from the end. */
static int64_t clamp_bound(int64_t v, int length, int64_t lo, int64_t hi)
{
    WEFT_ASSERT(lo <= hi && length >= 0);
    if (v < 0)
        return v + length > lo ? v + length : lo;
    return v < hi ? v : hi;
}

/* A slice with constant bounds as start, stop and step: CPython's slice.indices(length).
 * length < 0: unknown (an array that is unpacked with a star). Then the bounds are taken as written
 * and must need no length: an upper bound, nothing negative. */
void const_slice(lower *l, const node *at, int length, int64_t out[3])
{
    const ast_Slice *n = AST(Slice, at);
    int64_t step = n->step ? const_bound(l, n->step) : 1;
    if (step == 0)
        lower_error(l, at, SLICE_ZERO_STEP);
    out[2] = step;
    if (length < 0) {
        if (step < 0 || !n->upper)
            lower_error(l, at, STARRED_ARRAY_BOUNDS);
        out[0] = n->lower ? const_bound(l, n->lower) : 0;
        out[1] = const_bound(l, n->upper);
        if (out[0] < 0 || out[1] < 0)
            lower_error(l, at, STARRED_ARRAY_BOUNDS);
        return;
    }
    int64_t lo = step > 0 ? 0 : -1, hi = step > 0 ? length : length - 1;
    out[0] = n->lower ? clamp_bound(const_bound(l, n->lower), length, lo, hi) : step > 0 ? lo : hi;
    out[1] = n->upper ? clamp_bound(const_bound(l, n->upper), length, lo, hi) : step > 0 ? hi : lo;
}

static call_arg int_arg(lower *l, int64_t i)
{
    value *v = arena_alloc(&l->c->ir, sizeof *v);
    *v = value_int(i);
    return (call_arg){.kind = ARG_VALUE, .constant = v};
}

static uint32_t call_slice(lower *l, const node *at, const call_arg args[3])
{
    return call_builtin_args(l, at, l->names->b_slice, args, 3, 0).var;
}

/* v[3] of a vec3, v[0.5]: Warp writes them, and the text reads what is not there, or cuts the
 * number. A constant that is computed may belong to a branch that is never taken. */
static void warn_of_index(lower *l, const type *t, const node *n, uint32_t dim, uint32_t v)
{
    const bool negated = n->kind == AST_UnaryOp;
    const bool literal =
        n->kind == AST_Constant || (negated && AST(UnaryOp, n)->operand->kind == AST_Constant);
    const value *k = var_constant(l, v);
    const type *index = var_value_type(l, v);
    const int length = dim ? t->cols : t->rows;
    if (type_is_float(index))
        diag_warning(l->c, span_of(l, n), DIAG_INDEX_TYPE, "", index->pyname.p);
    if (literal && k && k->kind == VALUE_INT && (k->i >= length || k->i < -length) &&
        dim < (t->kind == TYPE_MAT ? 2u : 1u))
        diag_warning(l->c, span_of(l, n), DIAG_INDEX_RANGE, (long long)k->i, t->pyname.p, length,
                     t->kind != TYPE_MAT ? "components"
                     : dim               ? "columns"
                                         : "rows");
}

/* An index of a vector, matrix or the like in dimension `dim`. The bounds of its slices are
 * constants, since they decide the type of the result (mat23f for m[0:2]). */
static uint32_t composite_index(lower *l, const type *t, const node *n, uint32_t dim)
{
    WEFT_ASSERT(type_is_composite(t));
    if (n->kind != AST_Slice) {
        const uint32_t v = lower_value(l, n);
        warn_of_index(l, t, n, dim, v);
        return v;
    }
    if (dim >= (t->kind == TYPE_MAT ? 2u : 1u))
        lower_error(l, n, TOO_MANY_INDICES, (int)t->pyname.n, t->pyname.p);
    int64_t b[3];
    const_slice(l, n, dim == 0 ? t->rows : t->cols, b);
    call_arg args[] = {int_arg(l, b[0]), int_arg(l, b[1]), int_arg(l, b[2])};
    return call_slice(l, n, args);
}

uint32_t *lower_indices(lower *l, const type *target, index_list indices)
{
    if (target->kind == TYPE_TILE)
        return tile_indices(l, target, indices);
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, indices.n);
    for (uint32_t i = 0; i < indices.n; i++) {
        vars[i] = type_is_composite(target) ? composite_index(l, target, indices.v[i], i)
                                            : lower_value(l, indices.v[i]);
        const type *t = var_value_type(l, vars[i]);
        if (t->kind == TYPE_STR)
            lower_error(l, indices.v[i], STRING_INDEX);
        if (target->kind == TYPE_ARRAY && type_is_float(t))
            lower_error(l, indices.v[i], BAD_INDEX_TYPE, (int)t->pyname.n, t->pyname.p);
    }
    return vars;
}

static call_arg slice_bound(lower *l, const node *n, int64_t open)
{
    return n ? arg_of_var(l, lower_value(l, n)) : int_arg(l, open);
}

/* Warp 1.19 emit_Slice: a slice of an array; bounds may be variables. An open end
 * is one of two special numbers, SLICE_BEGIN and SLICE_END. */
operand lower_slice(lower *l, const node *at)
{
    const ast_Slice *n = AST(Slice, at);
    call_arg args[3];
    args[0] = slice_bound(l, n->lower, SLICE_BEGIN);
    args[1] = slice_bound(l, n->upper, SLICE_END);
    args[2] = slice_bound(l, n->step, 1);
    const value *step = args[2].constant;
    if (n->step && step && value_is_number(step) && step->kind != VALUE_FLOAT && step->i == 0)
        lower_error(l, at, SLICE_ZERO_STEP);
    return operand_var(call_slice(l, at, args));
}

static bool all_integers(lower *l, const uint32_t *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!type_is_integer(var_value_type(l, v[i])))
            return false;
    return true;
}

static uint32_t *with_first(lower *l, uint32_t first, const uint32_t *rest, uint32_t n)
{
    uint32_t *v = ARENA_ARRAY(&l->c->ir, uint32_t, n + 1);
    v[0] = first;
    if (n)
        memcpy(v + 1, rest, n * sizeof *v);
    return v;
}

static void load_all(lower *l, uint32_t *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        v[i] = load(l, v[i]);
}

/* All dimensions by integers: a reference to the element (address), or a slot if parts of it may be
 * stored. Fewer indices, or slices: an array over the same memory (view). Either notes its origin,
 * so that a wp.ref argument or a store can name the storage. */
static operand index_array(lower *l, const node *at, uint32_t target, uint32_t *idx, uint32_t n,
                           bool as_target)
{
    const type *t = var_value_type(l, target);
    bool ints = all_integers(l, idx, n);
    for (uint32_t i = 0; as_target && i < n; i++) {
        const type *it = var_value_type(l, idx[i]);
        if (!type_is_integer(it) && it->kind != TYPE_SLICE)
            lower_error(l, at, BAD_INDEX_TYPE, (int)it->pyname.n, it->pyname.p);
    }
    if (warp_has(l->c->warp, WARP_INDICES_LOADED_FIRST))
        load_all(l, idx, n);
    uint32_t origin;
    if ((int)n == t->ndim && ints) {
        if (as_target && type_is_array(t) &&
            (type_is_composite(t->elem) || t->elem->kind == TYPE_STRUCT)) {
            origin = lower_origin_of(l, target);
            if (origin != NO_PLACE)
                origin = lower_place_index(l, IR_PLACE_ELEMENT, origin, idx, n, t->elem);
            const array_slot whole = {target, idx, n, slot_item(l, t->elem), t->elem};
            return operand_var(slot_reference(l, whole, origin));
        }
        operand out =
            call_builtin(l, at, l->names->b_address, with_first(l, target, idx, n), n + 1);
        det_track_element(l, out.var, target);
        if ((origin = lower_origin_of(l, target)) != NO_PLACE)
            info_of(l, out.var)->origin =
                lower_place_index(l, IR_PLACE_ELEMENT, origin, idx, n, t->elem);
        return out;
    }
    operand out = call_builtin(l, at, l->names->b_view, with_first(l, target, idx, n), n + 1);
    if (is_var(out))
        det_track_view(l, out.var, target, idx, n);
    if (is_var(out) && (origin = lower_origin_of(l, target)) != NO_PLACE)
        info_of(l, out.var)->origin =
            lower_place_index(l, IR_PLACE_VIEW, origin, idx, n, var_value_type(l, out.var));
    return out;
}

/* A part of a vector, matrix, quaternion or transform: a slot if the value is itself the slot of an
 * array and the part is a target, else a copy (extract). A copy keeps the origin of the storage it
 * came from, as far as a place can express it: integer indices only. */
static operand index_value(lower *l, const node *at, uint32_t target, uint32_t *idx, uint32_t n,
                           bool as_target)
{
    const type *t = var_value_type(l, target);
    const array_slot *slot = as_target ? select_slot(l, at, target, idx, n, NULL) : NULL;
    uint32_t origin;
    if (slot) {
        origin = lower_origin_of(l, target);
        if (origin != NO_PLACE)
            origin = lower_place_index(l, IR_PLACE_COMPONENT, origin, idx,
                                       t->kind == TYPE_MAT ? n : 1, slot->type);
        return operand_var(slot_reference(l, *slot, origin));
    }
    operand out = call_builtin(l, at, l->names->b_extract, with_first(l, target, idx, n), n + 1);
    if (is_var(out) && (origin = lower_origin_of(l, target)) != NO_PLACE &&
        all_integers(l, idx, n)) {
        bool matrix = t->kind == TYPE_MAT && (n == 1 || n == 2);
        bool vector =
            (t->kind == TYPE_VEC || t->kind == TYPE_QUAT || t->kind == TYPE_TRANSFORM) && n == 1;
        if (matrix || vector)
            info_of(l, out.var)->origin = lower_place_index(l, IR_PLACE_COMPONENT, origin, idx, n,
                                                            var_value_type(l, out.var));
    }
    return out;
}

operand lower_indexing(lower *l, const node *at, uint32_t target, index_list indices,
                       bool as_target)
{
    const type *t = var_value_type(l, target);
    uint32_t *idx = lower_indices(l, t, indices);
    if (t->kind == TYPE_TILE)
        return index_tile(l, at, target, idx, indices.n);
    if (t->kind == TYPE_ARRAY)
        return index_array(l, at, target, idx, indices.n, as_target);
    return index_value(l, at, target, idx, indices.n, as_target);
}

operand lower_subscript(lower *l, const node *n)
{
    if (is_adjoint_subscript(l, n))
        return lower_adjoint_target(l, AST(Subscript, n)->slice);
    index_list rest;
    uint32_t target = lower_subscript_target(l, n, &rest, false);
    return lower_indexing(l, n, target, rest, false);
}
