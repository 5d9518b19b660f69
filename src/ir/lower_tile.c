/* SPDX-License-Identifier: Apache-2.0 */
/* Subscripts of tiles: the tile branches of Warp 1.19 Adjoint.eval_indices, emit_indexing,
 * _store_subscript and emit_AugAssign, and resolve_tile_int_index. lower_index.c calls it for
 * reads, lower_assign.c and lower_augassign.c for stores.
 *
 * The form of the indices decides the builtin: all dimensions by integers give an element
 * (tile_extract), fewer or slices a view (tile_view), another tile a gather (tile_slice_indexed).
 * For t = wp.tile_load(a, shape=(4, 4)):
 *
 *     y = t[1, -1]   ->   CALL %12, @wp::tile_extract, %3, %9, %11        (%11 is 3)
 *     x = t[1]       ->   CALL %7, @wp::tile_view<...>, %3, %6, %8        (%8 is 0)
 *
 * The shape of a tile is part of its type, so a constant index is checked and a negative one
 * wrapped here. */
#include "ir/lower.h"

static const builtin *tile_builtin(lower *l, const char *name)
{
    return builtin_find(l->c, sym_c(&l->c->syms, name));
}

static call_arg tile_call_int(lower *l, int64_t i)
{
    value *v = arena_alloc(&l->c->ir, sizeof *v);
    *v = value_int(i);
    return (call_arg){.kind = ARG_VALUE, .constant = v};
}

static uint32_t typed_constant(lower *l, const type *t, int64_t i)
{
    uint32_t v = add_constant(l, value_int(i));
    l->u->vars.v[v].type = t;
    return v;
}

/* i < 0 ? i + length : i, for an index known only at run time. The constants have the index's type,
 * since operators take equal types. */
static uint32_t wrap_index(lower *l, const node *at, uint32_t idx, int64_t length)
{
    const type *t = var_value_type(l, idx);
    uint32_t zero = typed_constant(l, t, 0);
    uint32_t len = typed_constant(l, t, length);
    uint32_t negative = compare_less(l, idx, zero);
    uint32_t sum = call2(l, at, l->names->operators[OP_Add], idx, len);
    uint32_t args[] = {negative, sum, idx};
    return call_builtin(l, at, l->names->b_where, args, 3).var;
}

/* Warp 1.19 resolve_tile_int_index. A tile as an index is passed on; so is one beyond the tile's
 * dimensions, which indexes the element (a tile of vectors). */
static uint32_t tile_int_index(lower *l, const node *at, uint32_t idx, const type *tile,
                               uint32_t dim)
{
    WEFT_ASSERT(tile->kind == TYPE_TILE);
    const type *t = var_value_type(l, idx);
    if (t->kind == TYPE_TILE)
        return idx;
    if (!type_is_integer(t))
        lower_error(l, at, BAD_INDEX_TYPE, (int)t->pyname.n, t->pyname.p);
    if ((int)dim >= tile->ndim)
        return idx;
    int64_t length = tile->dims[dim];
    const value *k = var_constant(l, idx);
    if (!k)
        return wrap_index(l, at, idx, length);
    int64_t given = (int64_t)k->i, wrapped = given < 0 ? given + length : given;
    if (wrapped < 0 || wrapped >= length)
        lower_error(l, at, TILE_INDEX_RANGE, (long long)given, dim, (long long)length);
    return wrapped == given ? idx : add_constant(l, value_int(wrapped));
}

/* A slice of a tile has constant bounds: they decide the shape of the view. */
static uint32_t tile_slice(lower *l, const node *at)
{
    const ast_Slice *n = AST(Slice, at);
    int64_t b[3];
    b[2] = n->step ? const_bound(l, n->step) : 1;
    if (b[2] == 0)
        lower_error(l, at, SLICE_ZERO_STEP);
    b[0] = n->lower ? const_bound(l, n->lower) : SLICE_BEGIN;
    b[1] = n->upper ? const_bound(l, n->upper) : SLICE_END;
    call_arg args[] = {tile_call_int(l, b[0]), tile_call_int(l, b[1]), tile_call_int(l, b[2])};
    return call_builtin_args(l, at, l->names->b_slice, args, 3, 0).var;
}

uint32_t *tile_indices(lower *l, const type *tile, index_list indices)
{
    WEFT_ASSERT(tile->kind == TYPE_TILE);
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, indices.n + 1);
    for (uint32_t i = 0; i < indices.n; i++) {
        const node *n = indices.v[i];
        vars[i] = n->kind == AST_Slice ? tile_slice(l, n)
                                       : tile_int_index(l, n, lower_value(l, n), tile, i);
    }
    return vars;
}

/* Functions whose names begin with tile and that do not return a tile. */
static bool gives_no_tile(const char *name)
{
    static const char *const others[] = {"tile_extract", "tile_store", "tile_assign",
                                         "tile_stack",   "tile_sort",  "tile_scatter",
                                         "tile_axpy",    "tile_query"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return true;
    return false;
}

/* Is the expression a tile, by its form alone (Warp 1.19 _tile_type_probe)? Lowering it here would
 * emit its statements twice, since the indices are lowered afterwards. */
static bool probe_tile(lower *l, const node *n)
{
    if (n->kind == AST_Name) {
        const binding *b = scope_find(l, &l->scope, AST(Name, n)->id);
        return b && b->var != NO_VAR && var_value_type(l, b->var)->kind == TYPE_TILE;
    }
    if (n->kind == AST_BinOp)
        return probe_tile(l, AST(BinOp, n)->left) || probe_tile(l, AST(BinOp, n)->right);
    if (n->kind == AST_UnaryOp)
        return probe_tile(l, AST(UnaryOp, n)->operand);
    if (n->kind != AST_Call || AST(Call, n)->func->kind != AST_Attribute)
        return false;
    const sym *name = AST(Attribute, AST(Call, n)->func)->attr;
    return strncmp(name->s, "tile", 4) == 0 && builtin_find(l->c, name) && !gives_no_tile(name->s);
}

/* Does a tile indexed by this group stay a tile that can be indexed again? */
static bool group_is_view(lower *l, index_list group)
{
    for (uint32_t i = 0; i < group.n; i++)
        if (group.v[i]->kind == AST_Slice || probe_tile(l, group.v[i]))
            return true;
    return false;
}

/* A group is applied if it leaves a view: a[::-1][::2] is two views in turn, which one list of
 * indices cannot express. A group of integers is left in the list, so that t[i][j] is one
 * tile_extract, unless it leaves a row that a later group slices or gathers from: t[2][idx]. */
uint32_t tile_chain(lower *l, const node *at, uint32_t *target, const index_list *groups,
                    uint32_t n)
{
    uint32_t done = 0;
    while (done + 1 < n && var_value_type(l, *target)->kind == TYPE_TILE) {
        const int rank = var_value_type(l, *target)->ndim;
        bool view = group_is_view(l, groups[done]), later = false;
        for (uint32_t i = done + 1; i < n; i++)
            later |= group_is_view(l, groups[i]);
        if (!view && !((int)groups[done].n < rank && later))
            break;
        *target = lower_indexing(l, at, *target, groups[done++], false).var;
    }
    return done;
}

static bool any_of_kind(lower *l, const uint32_t *idx, uint32_t n, type_kind k)
{
    for (uint32_t i = 0; i < n; i++)
        if (var_value_type(l, idx[i])->kind == k)
            return true;
    return false;
}

/* name(target, (indices...)): the indices are one tuple argument. */
static operand call_with_tuple(lower *l, const node *at, const char *name, uint32_t target,
                               const uint32_t *idx, uint32_t n)
{
    call_arg *items = ARENA_ARRAY(&l->c->ir, call_arg, n + 1);
    for (uint32_t i = 0; i < n; i++)
        items[i] = arg_of_var(l, idx[i]);
    call_arg args[] = {arg_of_var(l, target), {.kind = ARG_VARS, .items = items, .n = n}};
    return call_builtin_args(l, at, tile_builtin(l, name), args, 2, 0);
}

/* first, rest..., extra: n + 2 arguments. */
static uint32_t *prepend(lower *l, uint32_t first, const uint32_t *rest, uint32_t n, uint32_t extra)
{
    uint32_t *v = ARENA_ARRAY(&l->c->ir, uint32_t, n + 2);
    v[0] = first;
    for (uint32_t i = 0; i < n; i++)
        v[i + 1] = rest[i];
    v[n + 1] = extra;
    return v;
}

operand index_tile(lower *l, const node *at, uint32_t target, const uint32_t *idx, uint32_t n)
{
    const type *t = var_value_type(l, target);
    if (any_of_kind(l, idx, n, TYPE_TILE))
        return call_with_tuple(l, at, "tile_slice_indexed", target, idx, n);
    if (any_of_kind(l, idx, n, TYPE_SLICE) || (int)n < t->ndim)
        return call_with_tuple(l, at, "tile_view", target, idx, n);
    return call_builtin(l, at, tile_builtin(l, "tile_extract"), prepend(l, target, idx, n, 0),
                        n + 1);
}

/* t[i, j] = x is assign(t, i, j, x); t[0:2] = u is a view of t and tile_assign(view, u), where u is
 * a tile of the view's shape. */
void store_tile(lower *l, const node *at, uint32_t target, const uint32_t *idx, uint32_t n,
                uint32_t rhs)
{
    const type *t = var_value_type(l, target);
    if (any_of_kind(l, idx, n, TYPE_TILE))
        lower_error(l, at, TILE_STORE, "through an index tile");
    if (!any_of_kind(l, idx, n, TYPE_SLICE) && (int)n >= t->ndim) {
        call_builtin(l, at, l->names->b_assign, prepend(l, target, idx, n, rhs), n + 2);
        return;
    }
    const type *r = var_value_type(l, rhs);
    if (r->kind != TYPE_TILE)
        lower_error(l, at, TILE_STORE, "of a value that is no tile into a view");
    uint32_t view = call_with_tuple(l, at, "tile_view", target, idx, n).var;
    const type *v = var_value_type(l, view);
    if (v->ndim != r->ndim || memcmp(v->dims, r->dims, (size_t)v->ndim * sizeof *v->dims) != 0)
        lower_error(l, at, TILE_STORE, "of another shape into a view");
    call2(l, at, tile_builtin(l, "tile_assign"), view, rhs);
}

/* Only single elements have in-place updates. NULL: the operator has none either. */
const builtin *tile_inplace(lower *l, const node *at, ast_op op, uint32_t target,
                            const uint32_t *idx, uint32_t n)
{
    bool view = any_of_kind(l, idx, n, TYPE_TILE) || any_of_kind(l, idx, n, TYPE_SLICE) ||
                (int)n < var_value_type(l, target)->ndim;
    if (view)
        lower_error(l, at, TILE_STORE, "by an augmented assignment to a view");
    switch ((int)op) {
    case OP_Add: return tile_builtin(l, "tile_add_inplace");
    case OP_Sub: return tile_builtin(l, "tile_sub_inplace");
    case OP_BitAnd: return tile_builtin(l, "tile_bit_and_inplace");
    case OP_BitOr: return tile_builtin(l, "tile_bit_or_inplace");
    case OP_BitXor: return tile_builtin(l, "tile_bit_xor_inplace");
    default: return NULL;
    }
}
