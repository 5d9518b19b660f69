/* SPDX-License-Identifier: Apache-2.0 */
/* Places: how storage is reached from a variable, step by step. Warp 1.19 _LValueOrigin, its
 * emit_pointer and emit_adjoint_pointer, and emit_addressable_reference. The chains are ir_place in
 * ir.h; the files that lower subscripts, attributes and calls build them here.
 *
 * Lowering notes for a variable which place it stands for (var_info.origin), so that a reference to
 * it, a store, or its adjoint can name the storage itself. With a function f(p: wp.ref[wp.vec3]):
 *
 *     f(ps[i].pos)   ->   forward:  CALL %1, @wp::address, %ps, %0
 *                                   MOVE %2, &%ps[%0].pos
 *                                   CALL_VOID @f_0, %2
 *                         reverse:  ADJ_CALL adj @f_0, %2, adj &adj %ps[%0].pos
 *
 * &%ps[%0].pos is ADDRESS(FIELD(ELEMENT(VAR ps, i), pos)). The adjoint of a place is the same chain
 * from the root's adjoint. */
#include "ir/lower.h"

/* A chain's first node: the variable itself or, with `is_ref`, what it refers to. */
uint32_t lower_place_local(lower *l, uint32_t v, bool is_ref)
{
    const ir_place_kind kind = is_ref ? IR_PLACE_DEREF : IR_PLACE_VAR;
    return ir_add_place(l->c, l->u,
                        (ir_place){.kind = (uint8_t)kind, .base = v, .type = var_value_type(l, v)});
}

uint32_t lower_place_field(lower *l, uint32_t base, const sym *field, const type *t)
{
    WEFT_ASSERT(base < l->u->places.n && t);
    return ir_add_place(
        l->c, l->u, (ir_place){.kind = IR_PLACE_FIELD, .base = base, .field = field, .type = t});
}

/* A step by indices. They are appended to the unit's operands (u->args), where the place refers to
 * them. */
uint32_t lower_place_index(lower *l, ir_place_kind kind, uint32_t base, const uint32_t *idx,
                           uint32_t n, const type *t)
{
    WEFT_ASSERT(base < l->u->places.n && n <= UINT8_MAX);
    const ir_place p = {.kind = (uint8_t)kind,
                        .base = base,
                        .indices = l->u->args.n,
                        .nindices = (uint8_t)n,
                        .type = t};
    for (uint32_t i = 0; i < n; i++)
        VEC_PUSH(&l->c->ir, &l->u->args, arg_var(idx[i]));
    return ir_add_place(l->c, l->u, p);
}

/* A reference and an array with an origin are what their origin says. Any other variable that a
 * Python name is bound to is storage of its own: it may be a copy (p = ps[i].pos), and p.x = 1.0
 * must change the copy. A variable without a name has the origin it was made with, if any. */
uint32_t lower_origin_of(lower *l, uint32_t v)
{
    const type *t = var_type(l, v);
    const uint32_t origin = info_of(l, v)->origin;
    if (t->kind == TYPE_REF || (t->kind == TYPE_ARRAY && origin != NO_PLACE))
        return origin;
    for (uint32_t i = 0; i < l->scope.n; i++)
        if (l->scope.v[i].var == v)
            return lower_place_local(l, v, false);
    return origin;
}

/* The first node of the adjoint's chain. A variable that is an expression of its own (ir_is_bare,
 * such as the storage that wp.adjoint[x] names) has no variable for its adjoint and stays. */
static ir_place adjoint_root(const lower *l, const ir_place *root)
{
    WEFT_ASSERT(ir_place_is_root(root));
    ir_place p = *root;
    if (p.kind == IR_PLACE_DEREF)
        p.kind = IR_PLACE_ADJ_DEREF;
    else if (p.kind == IR_PLACE_VAR && !ir_is_bare(l->u, p.base))
        p.kind = IR_PLACE_ADJ;
    return p;
}

/* Copies the chain: nodes may be shared with chains that keep the root as it is. */
uint32_t lower_place_adjoint(lower *l, uint32_t place)
{
    WEFT_ASSERT(place < l->u->places.n);
    ir_place p = l->u->places.v[place];
    if (ir_place_is_root(&p))
        p = adjoint_root(l, &p);
    else
        p.base = lower_place_adjoint(l, p.base);
    return ir_add_place(l->c, l->u, p);
}

uint32_t lower_place_pointer(lower *l, uint32_t place)
{
    const ir_place p = {
        .kind = IR_PLACE_ADDRESS, .base = place, .type = l->u->places.v[place].type};
    return ir_add_place(l->c, l->u, p);
}

/* Warp 1.19 _emit_materialized_view: the view gets a name, in a statement of its own. */
static uint32_t name_view(lower *l, uint32_t place, prelude *before)
{
    WEFT_ASSERT(before->n < PRELUDE_MAX);
    const type *t = l->u->places.v[place].type;
    const ir_var v = {.kind = IR_VAR_VIEW, .type = t, .index = l->labels++};
    const uint32_t var = add_named(l, v);
    before->var[before->n] = var;
    before->place[before->n++] = place;
    return lower_place_local(l, var, false);
}

/* The adjoint of a place, with the views on the way to it named. At most PRELUDE_MAX views get a
 * name. */
static uint32_t through_views(lower *l, uint32_t place, prelude *before)
{
    ir_place p = l->u->places.v[place];
    if (ir_place_is_root(&p))
        return lower_place_adjoint(l, place);
    p.base = through_views(l, p.base, before);
    const uint32_t adjoint = ir_add_place(l->c, l->u, p);
    return p.kind == IR_PLACE_VIEW && before->n < PRELUDE_MAX ? name_view(l, adjoint, before)
                                                              : adjoint;
}

/* The last step gets no name even if it is a view: the pointer is to what it selects. */
uint32_t lower_place_adjoint_pointer(lower *l, uint32_t place, prelude *before)
{
    ir_place last = l->u->places.v[place];
    if (ir_place_is_root(&last))
        return lower_place_pointer(l, lower_place_adjoint(l, place));
    last.base = through_views(l, last.base, before);
    return lower_place_pointer(l, ir_add_place(l->c, l->u, last));
}

uint32_t lower_place_var(lower *l, const type *t, uint32_t place)
{
    return add_named(l, (ir_var){.kind = IR_VAR_PLACE, .type = t, .index = place});
}

static uint32_t reference_to(lower *l, uint32_t origin, const type *t)
{
    WEFT_ASSERT(origin != NO_PLACE);
    const uint32_t r = lower_place_var(l, type_ref(l->c, t), lower_place_pointer(l, origin));
    info_of(l, r)->origin = origin;
    return r;
}

/* Warp 1.19 emit_addressable_reference: a reference to the storage that the expression `n` names,
 * for a wp.ref parameter of type `expected` (NULL: any). v is its variable if it has been lowered,
 * else NO_VAR. Only names, subscripts and attributes can have storage.
 * A name is its own storage even if its value came from an array. */
uint32_t addressable(lower *l, const node *at, const node *n, uint32_t v, const type *expected)
{
    if (v == NO_VAR) {
        if (!n || (n->kind != AST_Name && n->kind != AST_Subscript && n->kind != AST_Attribute))
            lower_error(l, at, NOT_ADDRESSABLE);
        v = lower_value(l, n);
    }
    bool named = n && n->kind == AST_Name;
    if (named && var_constant(l, v))
        lower_error(l, at, REF_TO_CONSTANT, AST(Name, n)->id->s);
    const uint32_t origin = info_of(l, v)->origin;
    if (var_type(l, v)->kind == TYPE_REF) {
        if (origin == NO_PLACE)
            lower_error(l, at, NOT_ADDRESSABLE);
    } else if (origin != NO_PLACE && !named) {
        v = reference_to(l, origin, var_type(l, v));
    } else if (named) {
        v = reference_to(l, lower_place_local(l, v, false), var_type(l, v));
    } else {
        lower_error(l, at, NOT_ADDRESSABLE);
    }
    if (expected && !type_equal(var_type(l, v)->elem, expected->elem))
        lower_error(l, at, REF_TYPE, (int)expected->elem->pyname.n, expected->elem->pyname.p,
                    (int)var_value_type(l, v)->pyname.n, var_value_type(l, v)->pyname.p);
    return v;
}
