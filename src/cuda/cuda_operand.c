/* SPDX-License-Identifier: Apache-2.0 */
/* What operands of the intermediate form stand for: variables, constants, and places. For the
 * readers of statements (cuda_read.c, cuda_read_call.c, cuda_adjoint.c).
 *
 *     PLACE ELEMENT(VAR a, [i])    ->   CX_ELEMENT(a, i)
 *     PLACE ADDRESS(FIELD(s, p))   ->   CX_FIELD(s, p): a reference is the place it refers to
 *     VAR 3, a constant            ->   CX_CONST
 *
 * An operand is read as a place, for what is written or passed by reference, or as a value, where a
 * place gets a load around it: x[i] is element(x, i) as a place and load(element(x, i)) as a value.
 * What has no form here is reported, and a zero stands for it, so that reading can go on. */
#include "cuda/cuda_operand.h"

#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

/* Member `field` of the place `base`: of a struct or a query's result, the p and q of a
 * transformation, the shape of an array. Reports other members of arrays, wp.array.ptr and the
 * like. */
cx *cuda_member(cuda_fn *f, cx *base, str field)
{
    WEFT_ASSERT(base && base->type);
    const type *t = base->type;
    cx *e = cx_unary(f, CX_FIELD, NULL, base);
    e->name = field;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        if (str_eq(sym_str(t->st->fields[i].name), field))
            e->type = t->st->fields[i].type;
    for (uint32_t i = 0; t->kind == TYPE_NATIVE && i < t->native->nfields; i++)
        if (str_eq(sym_str(t->native->fields[i].name), field))
            e->type = t->native->fields[i].type;
    if (t->kind == TYPE_TRANSFORM && str_eq(field, STR("p")))
        e->type = type_vec(f->c, t->elem, 3);
    if (t->kind == TYPE_TRANSFORM && str_eq(field, STR("q")))
        e->type = type_quat(f->c, t->elem);
    if (t->kind == TYPE_ARRAY && str_eq(field, STR("shape")))
        return cx_unary(f, CX_SHAPE, type_native(f->c, "shape_t"), base);
    if (!e->type) {
        if (t->kind == TYPE_ARRAY)
            cuda_unsupported(f, "an array's address");
        else
            cuda_unsupported_type(f, t);
        e->type = cuda_int(f);
    }
    return e;
}

/* A variable of the intermediate form that is a constant: Warp's text declares it with its value.
 * The node keeps the variable for cuda_table.c. */
static cx *constant_of(cuda_fn *f, uint32_t var)
{
    const ir_var *v = &f->u->vars.v[var];
    cx *e = cx_new(f, CX_CONST, v->type, 0);
    e->k = v->constant;
    e->var = var;
    return e;
}

static cx *unreadable(cuda_fn *f)
{
    cuda_unsupported(f, "this expression");
    return cx_number(f, 0);
}

static cx *place_of(cuda_fn *f, uint32_t place, cx *item);

/* Where a variable, or its adjoint, is kept. */
static cx *storage(cuda_fn *f, uint32_t var, bool adjoint)
{
    const ir_var *v = &f->u->vars.v[var];
    switch ((ir_var_kind)v->kind) {
    case IR_VAR_DECLARED:
    case IR_VAR_PARAM: return cx_var(f, adjoint ? f->u->vars.n + var : var);
    case IR_VAR_PART: return cuda_member(f, storage(f, v->index, adjoint), sym_str(v->field));
    case IR_VAR_PLACE: return place_of(f, v->index, NULL); /* which says if it is an adjoint */
    default: return unreadable(f);
    }
}

/* What a place begins with. A constant has no adjoint. */
static cx *root_of(cuda_fn *f, uint32_t var, bool adjoint)
{
    const ir_var *v = &f->u->vars.v[var];
    return v->constant && !adjoint ? constant_of(f, var) : storage(f, var, adjoint);
}

/* The place `base` at the indices of p. Its type follows from the kind: an array of fewer
 * dimensions for a view, a row of a matrix, else the element's. */
static cx *access_of(cuda_fn *f, const ir_place *p, cx_kind kind, cx *base)
{
    const type *t = base->type, *result = t->elem;
    if (kind == CX_VIEW)
        result = type_array(f->c, ARRAY_PLAIN, t->elem, t->ndim - (int)p->nindices);
    if (kind == CX_COMPONENT && t->kind == TYPE_MAT && p->nindices == 1)
        result = type_vec(f->c, t->elem, t->cols);
    cx *e = cx_new(f, kind, result ? result : cuda_int(f), p->nindices + 1u);
    e->args[0] = base;
    for (uint32_t i = 0; i < p->nindices; i++)
        e->args[i + 1] = root_of(f, ir_index(f->u->args.v[p->indices + i]), false);
    return e;
}

/* A member of a place. x, y, z and w of vectors and quaternions are components. */
static cx *member_of(cuda_fn *f, cx *base, const sym *field)
{
    const type *t = base->type;
    if (t->kind != TYPE_VEC && t->kind != TYPE_QUAT)
        return cuda_member(f, base, sym_str(field));
    WEFT_ASSERT(strchr("xyzw", field->s[0]));
    cx *e = cx_new(f, CX_COMPONENT, t->elem, 2);
    e->args[0] = base;
    e->args[1] = cx_number(f, strchr("xyzw", field->s[0]) - "xyzw");
    return e;
}

/* The tree of a place. `item`: what a place of a statement's element begins with, or NULL. GUARDED
 * places have no plain form. */
static cx *place_of(cuda_fn *f, uint32_t place, cx *item)
{
    WEFT_ASSERT(place < f->u->places.n);
    const ir_place *p = &f->u->places.v[place];
    switch ((ir_place_kind)p->kind) {
    case IR_PLACE_VAR:
    case IR_PLACE_DEREF: return root_of(f, p->base, false);
    case IR_PLACE_ADJ:
    case IR_PLACE_ADJ_DEREF: return root_of(f, p->base, true);
    case IR_PLACE_ITEM: return item;
    case IR_PLACE_FIELD: return member_of(f, place_of(f, p->base, item), p->field);
    case IR_PLACE_ELEMENT: return access_of(f, p, CX_ELEMENT, place_of(f, p->base, item));
    case IR_PLACE_VIEW: return access_of(f, p, CX_VIEW, place_of(f, p->base, item));
    case IR_PLACE_ITEM_AT:
    case IR_PLACE_COMPONENT: return access_of(f, p, CX_COMPONENT, place_of(f, p->base, item));
    case IR_PLACE_ADDRESS: return place_of(f, p->base, item);
    case IR_PLACE_OFFSET:
    case IR_PLACE_GUARDED: break;
    }
    return unreadable(f);
}

/* The part of the element that the statement's place `access` names. */
cx *cuda_slot_place(cuda_fn *f, cx *element, ir_arg access)
{
    return place_of(f, ir_index(access), element);
}

/* A variable's label may stand for a place (cuda_fn.named): a reference to part of a struct, an
 * item of a tuple. It is looked up once and kept, so that all uses share one node. */
static cx *variable(cuda_fn *f, uint32_t i, bool adjoint)
{
    const ir_var *v = &f->u->vars.v[i];
    if (v->constant && !adjoint)
        return constant_of(f, i);
    cx **known = adjoint ? &f->named_adj[i] : &f->named[i];
    if (!*known)
        *known = storage(f, i, adjoint);
    return *known;
}

cx *cuda_operand_place(cuda_fn *f, ir_arg a)
{
    WEFT_ASSERT(ir_kind(a) != IR_ARG_LITERAL);
    const uint32_t i = ir_index(a);
    switch (ir_kind(a)) {
    case IR_ARG_VAR: return variable(f, i, false);
    case IR_ARG_ADJ:
    case IR_ARG_ADJ_PTR: return variable(f, i, true);
    case IR_ARG_PLACE: return place_of(f, i, NULL);
    default: return unreadable(f);
    }
}

/* Arrays and shapes are not loaded: they are pointers and sizes in the printed text. */
cx *cuda_operand_value(cuda_fn *f, ir_arg a)
{
    cx *e = cuda_operand_place(f, a);
    const uint32_t i = ir_index(a);
    const bool is_ref = ir_kind(a) == IR_ARG_VAR && f->u->vars.v[i].type->kind == TYPE_REF;
    if (e->kind == CX_ELEMENT || e->kind == CX_FIELD || e->kind == CX_COMPONENT ||
        (is_ref && e->kind == CX_VAR))
        return e->type->kind == TYPE_ARRAY || type_is_shape(e->type)
                   ? e
                   : cx_unary(f, CX_LOAD, e->type, e);
    return e;
}

const ir_callee *cuda_callee(const cuda_fn *f, ir_arg a)
{
    WEFT_ASSERT(ir_is_callee(a));
    return &f->u->callees.v[ir_index(a)];
}

static bool is_void_call(const ir_stmt *s)
{
    return s->op == IR_CALL_VOID || s->op == IR_CALL_VOID_LIST || s->op == IR_ADJ_CALL;
}

bool cuda_sets_element(const ir_unit *u, const ir_stmt *s)
{
    const ir_arg *a = u->args.v + s->args;
    return is_void_call(s) && s->nargs > 3 && ir_is_callee(a[0]) && ir_kind(a[1]) == IR_ARG_VAR &&
           type_strip_ref(u->vars.v[ir_index(a[1])].type)->kind == TYPE_TILE &&
           str_eq(u->callees.v[ir_index(a[0])].native.name, STR("assign"));
}

str cuda_called_name(const ir_unit *u, const ir_stmt *s)
{
    const bool result = s->op == IR_CALL || s->op == IR_CALL_LIST;
    if (!result && !is_void_call(s))
        return (str){NULL, 0};
    WEFT_ASSERT(s->nargs > result);
    const ir_arg a = u->args.v[s->args + result];
    return !ir_is_callee(a)          ? (str){NULL, 0}
           : cuda_sets_element(u, s) ? STR("tile_set")
                                     : u->callees.v[ir_index(a)].native.name;
}

/* The function whose text runs. In the backward text a call of the forward part is replayed by the
 * function that @wp.func_replay gives, if there is one. */
const ir_unit *cuda_called(const cuda_fn *f, ir_arg a)
{
    const ir_unit *u = cuda_callee(f, a)->unit;
    if (ir_kind(a) != IR_ARG_CALLEE_REPLAY || !u->func->custom_replay)
        return u;
    const ir_module *m = f->job->m;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.v[i]->func == u->func->custom_replay)
            return m->funcs.v[i];
    return u;
}

bool cuda_is_default_level(const cuda_fn *f, str name, ir_arg last)
{
    if (ir_kind(last) != IR_ARG_VAR || !str_eq(name, STR("texture_sample")))
        return false;
    const value *v = f->u->vars.v[ir_index(last)].constant;
    return v && value_is_number(v) && (value_has_f(v) ? v->f < 0 : v->i < 0);
}
