/* SPDX-License-Identifier: Apache-2.0 */
/* Assignments: Warp 1.19 Adjoint.emit_Assign, _store_subscript, _store_attribute,
 * resolve_attribute_store_aggregate, store_ref_param_value, make_adjoint_target_var. The form of
 * the target decides:
 *
 *     q = v             CALL %10, @wp::copy, %v
 *     s = a + b         no statement: s is bound to the sum's variable
 *     y[i] = e          CALL_VOID @wp::array_store, %y, %0, %3
 *     p.m = e           FIELD_SET %p, .m, %7
 *     v.x = 3.0         CALL_VOID @wp::assign_inplace, %v, %9, %8
 *     a[i].pos.x = e    SLOT_STORE %a, .pos[%4], %1, %0   (lower_slot.c)
 *
 * With enable_vector_component_overwrites, `v.x = 3.0` makes a changed copy of v instead
 * (assign_copy), and the name v is bound to it. */
#include "base/format.h"
#include "ir/lower.h"

/* Is the name a parameter annotated wp.ref[T]? Assignments to such a name write through it; they do
 * not bind it anew. */
bool is_ref_param(const lower *l, const sym *name, uint32_t *var)
{
    for (uint32_t i = 0; i < l->code->nparams; i++) {
        if (l->code->params[i].name == name && l->code->params[i].is_ref) {
            *var = l->u->params[i];
            return true;
        }
    }
    return false;
}

uint32_t copy_reference(lower *l, const node *at, uint32_t v)
{
    return var_type(l, v)->kind == TYPE_REF ? call1(l, at, l->names->b_copy, v) : v;
}

void store_ref_param(lower *l, const node *at, uint32_t ref, uint32_t rhs)
{
    WEFT_ASSERT(var_type(l, ref)->kind == TYPE_REF);
    rhs = load(l, rhs);
    if (!type_equal(var_value_type(l, ref), var_type(l, rhs)))
        refuse_store(l, at, var_value_type(l, ref), rhs);
    FORWARD(l, STORE_REF, arg_var(ref), arg_var(rhs));
}

/* The storage of a variable's adjoint as a variable of its own. An array that is part of something
 * has its adjoint within that thing's adjoint; everything else has "adj_x". */
static uint32_t bare_adjoint(lower *l, uint32_t v)
{
    const bool array =
        var_value_type(l, v)->kind == TYPE_ARRAY && warp_has(l->c->warp, WARP_ADJOINT_BY_ORIGIN);
    const uint32_t origin = info_of(l, v)->origin;
    const type *t = array ? var_value_type(l, v) : var_type(l, v);
    const uint32_t place =
        array && origin != NO_PLACE
            ? lower_place_adjoint(l, origin)
            : ir_add_place(l->c, l->u, (ir_place){.kind = IR_PLACE_ADJ, .base = v, .type = t});
    return lower_place_var(l, t, place);
}

/* `x` or `x.field` as a storage expression: Warp's is_adjoint attribute access. */
static uint32_t adjoint_source(lower *l, const node *x)
{
    if (x->kind != AST_Attribute)
        return lower_value(l, x);
    uint32_t base = adjoint_source(l, AST(Attribute, x)->value);
    const struct_field *f = find_field(var_value_type(l, base), AST(Attribute, x)->attr);
    if (!f)
        refuse_field(l, x, AST(Attribute, x)->attr, var_value_type(l, base));
    const uint32_t v = add_part(l, base, f), origin = lower_origin_of(l, base);
    if (origin != NO_PLACE)
        info_of(l, v)->origin = lower_place_field(l, origin, f->name, f->type);
    det_track_field(l, v, base, f->name, f->type);
    return v;
}

operand lower_adjoint_target(lower *l, const node *x)
{
    const uint32_t from = adjoint_source(l, x), out = bare_adjoint(l, from);
    det_track_adjoint(l, span_of(l, x), out, from);
    return operand_var(out);
}

/* Is the subscripted chain of lhs rooted in wp.adjoint[...]? */
static bool rooted_in_adjoint(const lower *l, const node *lhs)
{
    for (const node *n = lhs;;) {
        if (n->kind == AST_Subscript) {
            if (is_adjoint_subscript(l, n))
                return true;
            n = AST(Subscript, n)->value;
        } else if (n->kind == AST_Attribute) {
            n = AST(Attribute, n)->value;
        } else {
            return false;
        }
    }
}

/* target, indices..., rhs: the arguments of every storing builtin. */
static uint32_t *store_args(lower *l, uint32_t target, const uint32_t *indices, uint32_t n,
                            uint32_t rhs)
{
    uint32_t *v = ARENA_ARRAY(&l->c->ir, uint32_t, n + 2);
    v[0] = target;
    for (uint32_t i = 0; i < n; i++)
        v[1 + i] = indices[i];
    v[n + 1] = rhs;
    return v;
}

/* Points the (first) name bound to `from` at `to`. */
static void rebind(lower *l, uint32_t from, uint32_t to)
{
    WEFT_ASSERT(from != NO_VAR && to != NO_VAR);
    for (uint32_t i = 0; i < l->scope.n; i++) {
        if (l->scope.v[i].var == from) {
            l->scope.v[i].var = to;
            return;
        }
    }
}

/* A component of a vector, matrix or quaternion in a variable. */
static void assign_component(lower *l, const node *at, uint32_t target, const uint32_t *idx,
                             uint32_t n, uint32_t rhs)
{
    WEFT_ASSERT(type_is_composite(var_value_type(l, target)));
    uint32_t *args = store_args(l, target, idx, n, rhs);
    if (l->job->out->options.enable_vector_component_overwrites > 0) {
        operand out = call_builtin(l, at, l->names->b_assign_copy, args, n + 2);
        rebind(l, target, out.var);
    } else {
        call_builtin(l, at, l->names->b_assign_inplace, args, n + 2);
    }
}

/* *b(target, indices) = rhs, where b returns a pointer into the target. */
static void store_through(lower *l, const node *at, const builtin *b, uint32_t target,
                          const uint32_t *idx, uint32_t n, uint32_t rhs)
{
    operand ref = call_builtin(l, at, b, store_args(l, target, idx, n, rhs), n + 1);
    call2(l, at, l->names->b_store, ref.var, rhs);
}

void store_subscript(lower *l, const node *lhs, uint32_t target, const uint32_t *indices,
                     uint32_t n, uint32_t rhs)
{
    const type *t = var_value_type(l, target);
    if (t->kind == TYPE_ARRAY) {
        call_array_store(l, lhs, store_args(l, target, indices, n, rhs), n + 2);
    } else if (type_is_composite(t)) {
        if (rooted_in_adjoint(l, lhs))
            store_through(l, lhs, l->names->b_index, target, indices, n, rhs);
        else if (var_type(l, target)->kind == TYPE_REF)
            store_through(l, lhs, l->names->b_indexref, target, indices, n, rhs);
        else
            assign_component(l, lhs, target, indices, n, rhs);
    } else if (t->kind == TYPE_TILE) {
        store_tile(l, lhs, target, indices, n, rhs);
    } else {
        lower_error(l, lhs, NOT_STORABLE, (int)t->pyname.n, t->pyname.p);
    }
}

/* A chain of struct fields that starts at a local variable, as one dotted variable; or NO_VAR. */
static uint32_t member_lvalue(lower *l, const node *n)
{
    if (n->kind != AST_Attribute)
        return NO_VAR;
    const ast_Attribute *a = AST(Attribute, n);
    uint32_t base;
    if (a->value->kind == AST_Name) {
        operand o = lower_expr(l, a->value);
        base = is_var(o) ? o.var : NO_VAR;
    } else {
        base = member_lvalue(l, a->value);
    }
    const struct_field *f = base == NO_VAR ? NULL : find_field(var_type(l, base), a->attr);
    return f ? add_part(l, base, f) : NO_VAR;
}

/* For `p.q.x = e` with p a local variable: the dotted variable "var_p.q", if q is a struct, so that
 * the store goes into p itself. Anything else is a target with places and slots. */
uint32_t store_aggregate(lower *l, const node *n)
{
    uint32_t v = member_lvalue(l, n);
    if (v != NO_VAR && var_type(l, v)->kind == TYPE_STRUCT)
        return v;
    operand o = lower_store_target(l, n);
    if (!is_var(o))
        refuse_object(l, n, o);
    return o.var;
}

/* The reverse list runs backwards: the field's adjoint is first added to that of rhs, then cleared,
 * since the value that the field had before had no influence on later reads. */
static void store_field(lower *l, const ast_Attribute *lhs, uint32_t aggregate,
                        const struct_field *f, uint32_t rhs)
{
    WEFT_ASSERT(f && var_type(l, aggregate)->kind == TYPE_STRUCT);
    rhs = copy_reference(l, &lhs->base, rhs);
    if (!type_equal(var_type(l, rhs), f->type))
        refuse_store(l, &lhs->base, f->type, rhs);
    ir_arg field = arg_field(l, f->name);
    FORWARD(l, FIELD_SET, arg_var(aggregate), field, arg_var(rhs));
    REVERSE(l, ADJ_FIELD_CLEAR, arg_adj(aggregate), field);
    if (is_differentiable(f->type))
        REVERSE(l, ADJ_FIELD_TAKE, arg_adj(rhs), arg_adj(aggregate), field);
}

/* t.p = v or t.q = v, where t is a variable: a reference is an error. */
static void store_transform_part(lower *l, const ast_Attribute *lhs, uint32_t aggregate,
                                 uint32_t rhs)
{
    bool p = lhs->attr == l->names->s_p;
    if (!p && lhs->attr != l->names->s_q)
        lower_error(l, &lhs->base, BAD_TRANSFORM_PART, lhs->attr->s);
    if (var_type(l, aggregate)->kind == TYPE_REF)
        lower_error(l, &lhs->base, TRANSFORM_PART_OF_ELEMENT, lhs->attr->s);
    const builtin *b =
        p ? l->names->b_transform_set_translation : l->names->b_transform_set_rotation;
    call2(l, &lhs->base, b, aggregate, rhs);
}

void store_attribute(lower *l, const ast_Attribute *lhs, uint32_t aggregate, uint32_t rhs)
{
    const type *t = var_value_type(l, aggregate);
    bool is_ref = var_type(l, aggregate)->kind == TYPE_REF;
    if (t->kind == TYPE_VEC || t->kind == TYPE_QUAT) {
        uint32_t index = component_index(l, &lhs->base, lhs->attr, t);
        if (is_ref)
            store_through(l, &lhs->base, l->names->b_indexref, aggregate, &index, 1, rhs);
        else
            assign_component(l, &lhs->base, aggregate, &index, 1, rhs);
        return;
    }
    if (t->kind == TYPE_TRANSFORM) {
        store_transform_part(l, lhs, aggregate, rhs);
        return;
    }
    const struct_field *f = find_field(t, lhs->attr);
    if (f && !is_ref) {
        store_field(l, lhs, aggregate, f, rhs);
        return;
    }
    if (!f && t->kind == TYPE_STRUCT)
        refuse_field(l, &lhs->base, lhs->attr, t);
    operand attr = lower_attribute(l, lhs, operand_var(aggregate), false, false);
    if (!is_var(attr))
        lower_error(l, &lhs->base, NOT_A_VALUE);
    bool ref = var_type(l, attr.var)->kind == TYPE_REF;
    call2(l, &lhs->base, ref ? l->names->b_store : l->names->b_assign, attr.var, rhs);
}

/* A name keeps its type. Types that Warp erases to a common one (type_erasure_join) fit each other;
 * a name whose first statement failed fits any. */
static void check_rebind(lower *l, const node *at, const sym *name, const type *t)
{
    const binding *b = scope_find(l, &l->scope, name);
    if (!b || (b->var == NO_VAR && !b->value))
        return;
    if (b->var == NO_VAR)
        lower_error(l, at, REBOUND_FUNCTION, name->s);
    const type *old = var_type(l, b->var);
    if (!type_equal(old, t) && !type_erasure_join(old, t))
        refuse_rebinding(l, at, name, old, t);
}

/* f = g, for functions: no statement, but a name in scope, which stays with this function. */
static void assign_function(lower *l, const ast_Assign *n, const sym *name, const value *v)
{
    if (v->kind != VALUE_FUNC && v->kind != VALUE_BUILTIN && v->kind != VALUE_GRAD)
        refuse_object(l, n->value, operand_value(v));
    const binding *b = scope_find(l, &l->scope, name);
    if (b && (b->var != NO_VAR || !b->value || b->value->p != v->p))
        lower_error(l, &n->base, REBOUND_FUNCTION, name->s);
    scope_set(l, name, NO_VAR, v);
}

/* `b = a` copies: a later in-place change of b must not change a. Values of other expressions have
 * a variable of their own, which the name takes. */
static void assign_name(lower *l, const ast_Assign *n, const sym *name, operand rhs)
{
    uint32_t ref;
    if (is_ref_param(l, name, &ref) && is_var(rhs)) {
        store_ref_param(l, &n->base, ref, rhs.var);
        return;
    }
    if (rhs.kind == OPERAND_VALUE) {
        assign_function(l, n, name, rhs.value);
        return;
    }
    uint32_t out;
    if (rhs.kind == OPERAND_VARS) {
        out = call_builtin(l, &n->base, l->names->b_tuple, rhs.vars, rhs.n).var;
    } else {
        if (!is_var(rhs))
            lower_error(l, n->value, NO_VALUE);
        check_rebind(l, &n->base, name, var_value_type(l, rhs.var));
        bool is_ref = var_type(l, rhs.var)->kind == TYPE_REF;
        out = n->value->kind == AST_Name || is_ref ? call1(l, &n->base, l->names->b_copy, rhs.var)
                                                   : rhs.var;
        if (var_type(l, out)->kind == TYPE_ARRAY)
            info_of(l, out)->origin = info_of(l, rhs.var)->origin;
        det_track_alias(l, out, rhs.var);
    }
    scope_set(l, name, out, NULL);
}

/* The value to store: a copy of what a reference refers to, or the reference itself in releases
 * that leave it to the store. */
static uint32_t stored_value(lower *l, const node *at, uint32_t v)
{
    return warp_has(l->c->warp, WARP_VALUE_COPIED_FIRST) ? copy_reference(l, at, v) : v;
}

/* wp.adjoint[x] = e stores to the adjoint; else a slot of an array element, if there is one. */
static void assign_subscript(lower *l, const ast_Assign *n, const node *lhs, operand rhs)
{
    if (!is_var(rhs))
        refuse_object(l, n->value, rhs);
    if (is_adjoint_subscript(l, lhs)) {
        operand target = lower_adjoint_target(l, AST(Subscript, lhs)->slice);
        FORWARD(l, MOVE, arg_var(target.var), arg_var(rhs.var));
        return;
    }
    if (!warp_has(l->c->warp, WARP_TARGET_SLOTS) && lower_slot_write(l, lhs, rhs.var))
        return;
    uint32_t v = stored_value(l, &n->base, rhs.var);
    index_list rest;
    uint32_t target =
        lower_subscript_target(l, lhs, &rest, warp_has(l->c->warp, WARP_TARGET_SLOTS));
    uint32_t *idx = lower_indices(l, var_value_type(l, target), rest);
    const array_slot *slot = select_slot(l, lhs, target, idx, rest.n, NULL);
    if (slot)
        store_slot(l, lhs, slot, v, IR_UPDATE_STORE);
    else
        store_subscript(l, lhs, target, idx, rest.n, v);
}

/* p.m = e, v.x = e, a[i].pos = e: a slot if the part is in an array's element, else the attribute
 * of a variable. */
static void assign_attribute(lower *l, const ast_Assign *n, const ast_Attribute *lhs, operand rhs)
{
    if (!is_var(rhs))
        refuse_object(l, n->value, rhs);
    if (!warp_has(l->c->warp, WARP_TARGET_SLOTS) && lower_slot_write(l, &lhs->base, rhs.var))
        return;
    uint32_t v = stored_value(l, &n->base, rhs.var);
    uint32_t aggregate = store_aggregate(l, lhs->value);
    const array_slot *slot = select_slot(l, &lhs->base, aggregate, NULL, 0, lhs->attr);
    if (slot)
        store_slot(l, &lhs->base, slot, v, IR_UPDATE_STORE);
    else
        store_attribute(l, lhs, aggregate, v);
}

/* The values that a tuple target unpacks. */
static uint32_t *unpack(lower *l, const ast_Assign *n, const ast_Tuple *lhs)
{
    uint32_t count = lhs->elts.n;
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, count + 1);
    if (n->value->kind == AST_Tuple) {
        const node_list *e = &AST(Tuple, n->value)->elts;
        uint32_t *all = ARENA_ARRAY(&l->c->ir, uint32_t, e->n + 1);
        for (uint32_t i = 0; i < e->n; i++)
            all[i] = lower_value(l, e->v[i]);
        if (e->n != count)
            lower_error(l, &n->base, UNPACK_COUNT, count, plural_s(count), e->n, plural_s(e->n));
        return all;
    }
    operand rhs;
    if (n->value->kind == AST_Call) {
        set_line(l, n->value);
        rhs = lower_call(l, AST(Call, n->value), count);
    } else {
        rhs = lower_expr(l, n->value);
    }
    if (rhs.kind == OPERAND_VARS) {
        if (rhs.n != count)
            lower_error(l, &n->base, UNPACK_COUNT, count, plural_s(count), rhs.n, plural_s(rhs.n));
        memcpy(vars, rhs.vars, count * sizeof *vars);
        return vars;
    }
    if (!is_var(rhs) || var_type(l, rhs.var)->kind != TYPE_TUPLE)
        refuse_unpacking(l, n->value, is_var(rhs) ? var_value_type(l, rhs.var) : NULL, count);
    const type *t = var_type(l, rhs.var);
    if (t->nitems != count)
        lower_error(l, &n->base, UNPACK_COUNT, count, plural_s(count), t->nitems,
                    plural_s(t->nitems));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = add_constant(l, value_int(i));
        vars[i] = call2(l, &n->base, l->names->b_extract, rhs.var, index);
    }
    return vars;
}

/* f, g = module.f, module.g binds names to functions. False: the values are no functions. */
static bool assign_functions(lower *l, const ast_Assign *n, const ast_Tuple *lhs)
{
    if (n->value->kind != AST_Tuple || AST(Tuple, n->value)->elts.n != lhs->elts.n)
        return false;
    const node_list *e = &AST(Tuple, n->value)->elts;
    value v;
    const sym *missing;
    for (uint32_t i = 0; i < e->n; i++)
        if (lhs->elts.v[i]->kind != AST_Name || !static_path(l, e->v[i], &v, &missing) || missing ||
            (v.kind != VALUE_FUNC && v.kind != VALUE_BUILTIN))
            return false;
    for (uint32_t i = 0; i < e->n; i++) {
        operand f = lower_expr(l, e->v[i]);
        if (f.kind != OPERAND_VALUE)
            return false;
        assign_function(l, n, AST(Name, lhs->elts.v[i])->id, f.value);
    }
    return true;
}

/* Values are all evaluated before the first name is bound, so `a, b = b, a` swaps. Stores through
 * reference parameters write at once: references among the values are loaded before. */
static void assign_tuple(lower *l, const ast_Assign *n, const ast_Tuple *lhs)
{
    if (assign_functions(l, n, lhs))
        return;
    uint32_t *vars = unpack(l, n, lhs);
    bool any_ref = false;
    uint32_t ref;
    for (uint32_t i = 0; i < lhs->elts.n; i++) {
        if (lhs->elts.v[i]->kind != AST_Name)
            lower_error(l, lhs->elts.v[i], UNPACK_TARGET);
        any_ref |= is_ref_param(l, AST(Name, lhs->elts.v[i])->id, &ref);
    }
    for (uint32_t i = 0; any_ref && i < lhs->elts.n; i++)
        vars[i] = load(l, vars[i]);
    for (uint32_t i = 0; i < lhs->elts.n; i++) {
        const sym *name = AST(Name, lhs->elts.v[i])->id;
        if (is_ref_param(l, name, &ref)) {
            store_ref_param(l, &n->base, ref, vars[i]);
            continue;
        }
        check_rebind(l, lhs->elts.v[i], name, var_type(l, vars[i]));
        scope_set(l, name, vars[i], NULL);
    }
}

/* The value comes before the target's indices, as in Python. */
void lower_assign(lower *l, const ast_Assign *n)
{
    if (n->targets.n != 1)
        lower_error(l, &n->base, CHAINED_ASSIGNMENT);
    if (n->value->kind == AST_List)
        lower_error(l, n->value, LIST_VALUE);
    const node *lhs = n->targets.v[0];
    if (lhs->kind == AST_Tuple) {
        assign_tuple(l, n, AST(Tuple, lhs));
        return;
    }
    operand rhs = lower_expr(l, n->value);
    switch (lhs->kind) {
    case AST_Subscript: assign_subscript(l, n, lhs, rhs); return;
    case AST_Name: assign_name(l, n, AST(Name, lhs)->id, rhs); return;
    case AST_Attribute: assign_attribute(l, n, AST(Attribute, lhs), rhs); return;
    default: lower_error(l, lhs, UNSUPPORTED_TARGET);
    }
}
