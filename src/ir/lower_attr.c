/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes: Warp 1.19 Adjoint.emit_Attribute, vector_component_index, transform_component,
 * resolve_type_attribute and resolve_static_expression.
 *
 *     p.m        a field: a reference to it            MOVE %0, &%p.m
 *                and in the reverse list               ADJ_FIELD_ADD adj %p, .m, adj %0
 *     v.x        a component: its value                CALL %2, @wp::extract, %v, %1
 *     t.p        a transform's part: its value         by wp::transform_get_translation
 *     v.length   of the type: a number, no statement
 *     wp.PI      of an object: a constant, no statement
 */
#include "ir/lower.h"

const struct_field *find_field(const type *t, const sym *name)
{
    if (t->kind != TYPE_STRUCT)
        return NULL;
    const uint32_t i = struct_find_field(t->st, name);
    return i < t->st->nfields ? &t->st->fields[i] : NULL;
}

/* A field of a builtin object that kernels may read (native.def). */
static const struct_field *native_field(const type *t, const sym *name)
{
    if (t->kind != TYPE_NATIVE)
        return NULL;
    for (uint32_t i = 0; i < t->native->nfields; i++)
        if (t->native->fields[i].name == name)
            return &t->native->fields[i];
    return NULL;
}

bool has_floats(const type *t)
{
    const type *s = type_scalar_of(t);
    return s && type_is_float(s);
}

/* Does it have an adjoint worth adding up? */
bool is_differentiable(const type *t)
{
    return t->kind == TYPE_STRUCT || has_floats(t);
}

uint32_t component_index(lower *l, const node *at, const sym *attr, const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_VEC || t->kind == TYPE_QUAT);
    static const char letters[] = "xyzw";
    const char *p = attr->len == 1 ? memchr(letters, attr->s[0], 4) : NULL;
    if (!p || p - letters >= t->rows)
        lower_error(l, at, BAD_COMPONENT, attr->s, (int)t->pyname.n, t->pyname.p);
    return add_constant(l, value_int(p - letters));
}

/* Attributes of modules and classes become constants, those of other objects are numbers without a
 * variable, as `v.length` is. */
static bool holds_constants(const value *object)
{
    return object->kind != VALUE_OBJECT && object->kind != VALUE_STRUCT_INSTANCE;
}

/* A number or a vector becomes a constant variable; other values stay objects of compile time. */
static operand constant_or_object(lower *l, value v)
{
    if (value_is_number(&v)) {
        if (v.kind == VALUE_ENUM)
            v = value_int(v.i);
        return operand_var(add_constant(l, v));
    }
    if (v.kind == VALUE_COMPOSITE)
        return operand_var(add_constant(l, v));
    return operand_value(keep_value(l, v));
}

/* Warp 1.19 resolve_type_attribute on the type of a variable: `v.dtype`, `v.length`, `a.ndim`. */
static bool type_attribute(lower *l, const type *t, const sym *attr, operand *out)
{
    value v = value_type(t);
    value result;
    if (!value_getattr(l->c, &v, attr, &result) || result.kind == VALUE_UNKNOWN)
        return false;
    *out = operand_value(keep_value(l, result));
    return true;
}

/* An attribute of a module, a type, an enum, ...: looked up, nothing is emitted. */
static operand object_attribute(lower *l, const ast_Attribute *n, const value *object, bool soft)
{
    value v;
    if (!value_getattr(l->c, object, n->attr, &v)) {
        if (soft)
            return (operand){.kind = OPERAND_NONE};
        refuse_attribute(l, n, object);
    }
    if (v.kind == VALUE_UNKNOWN) {
        if (soft)
            return (operand){.kind = OPERAND_NONE};
        refuse_value(l, &n->base, n->attr->s, &v);
    }
    if (object->kind == VALUE_WARP && is_only_called(&v))
        lower_error(l, &n->base, UNCALLED_BUILTIN, n->attr->s, n->attr->s);
    if (value_is_numpy(&v))
        check_reference(l, &n->base, n->attr, &v);
    return holds_constants(object) ? constant_or_object(l, v) : operand_value(keep_value(l, v));
}

/* v.x: a value, and where v stands for a place also a component of it. */
static operand vector_component(lower *l, const ast_Attribute *n, uint32_t aggregate, const type *t)
{
    uint32_t index = component_index(l, &n->base, n->attr, t);
    uint32_t out = call2(l, &n->base, l->names->b_extract, aggregate, index);
    const uint32_t origin = lower_origin_of(l, aggregate);
    if (origin != NO_PLACE)
        info_of(l, out)->origin =
            lower_place_index(l, IR_PLACE_COMPONENT, origin, &index, 1, var_value_type(l, out));
    return operand_var(out);
}

/* Transforms have .p and .q only. */
static void check_transform_part(lower *l, const ast_Attribute *n)
{
    if (n->attr != l->names->s_p && n->attr != l->names->s_q)
        lower_error(l, &n->base, BAD_TRANSFORM_PART, n->attr->s);
}

static operand transform_part(lower *l, const ast_Attribute *n, uint32_t aggregate)
{
    check_transform_part(l, n);
    const builtin *b = n->attr == l->names->s_p ? l->names->b_transform_get_translation
                                                : l->names->b_transform_get_rotation;
    uint32_t out = call1(l, &n->base, b, aggregate);
    const uint32_t origin = lower_origin_of(l, aggregate);
    if (origin != NO_PLACE)
        info_of(l, out)->origin = lower_place_field(l, origin, n->attr, var_value_type(l, out));
    return operand_var(out);
}

/* A field as it is laid out: its C++ label and its type. A pointer (array.ptr) is a number in
 * Python: what it points at in C++ is `pointee`, NULL for all else. */
typedef struct field_access {
    const sym *label;
    const type *type, *pointee;
} field_access;

/* A struct's field, a builtin object's, or an array's shape or ptr. False: there is none. */
static bool find_access(lower *l, const type *t, const sym *attr, field_access *f)
{
    *f = (field_access){.label = attr};
    const struct_field *field = find_field(t, attr);
    if (!field)
        field = native_field(t, attr);
    if (field) {
        f->type = field->type;
        return true;
    }
    if (t->kind == TYPE_ARRAY && attr == l->names->s_shape) {
        f->type = type_native(l->c, "shape_t");
        return f->type != NULL;
    }
    const bool has_data =
        t->kind == TYPE_ARRAY && (t->array_class == ARRAY_PLAIN || t->array_class == ARRAY_FIXED);
    if (has_data && strcmp(attr->s, "ptr") == 0) {
        f->label = sym_c(&l->c->syms, "data");
        f->type = type_scalar(l->c, TYPE_UINT64);
        f->pointee = t->elem;
        return true;
    }
    return false;
}

/* out = pointer to the field. If the aggregate stands for a place, the pointer goes to that place,
 * so that a store through it reaches the original; otherwise to the member of its variable. */
static void emit_field_pointer(lower *l, uint32_t out, uint32_t aggregate, const field_access *f)
{
    const bool of_array = var_value_type(l, aggregate)->kind == TYPE_ARRAY;
    const uint32_t origin = of_array ? NO_PLACE : lower_origin_of(l, aggregate);
    if (origin == NO_PLACE) {
        const bool is_ref = var_type(l, aggregate)->kind == TYPE_REF, cast = f->pointee != NULL;
        const ir_op op = is_ref ? cast ? IR_FIELD_PTR_REF_CAST : IR_FIELD_PTR_REF
                         : cast ? IR_FIELD_PTR_CAST
                                : IR_FIELD_PTR;
        ir_arg args[4] = {arg_var(out), arg_var(aggregate), arg_field(l, f->label)};
        if (cast)
            args[3] = ir_arg_type(l->c, l->u, f->type);
        add_forward(l, op, args, cast ? 4 : 3);
        return;
    }
    WEFT_ASSERT(!f->pointee); /* only arrays have pointers */
    const uint32_t field = lower_place_field(l, origin, f->label, f->type);
    info_of(l, out)->origin = field;
    FORWARD(l, MOVE, arg_var(out), arg_place(lower_place_pointer(l, field)));
}

/* The reference, and how its adjoint reaches the aggregate's: it is added if the field has a
 * gradient; otherwise, as for arrays, the field's adjoint is set. */
static operand field_reference(lower *l, uint32_t aggregate, const field_access *f)
{
    WEFT_ASSERT(f->label && f->type);
    uint32_t out = add_var(l, type_ref(l->c, f->type));
    emit_field_pointer(l, out, aggregate, f);
    det_track_field(l, out, aggregate, f->label, f->type);
    ir_arg args[4] = {arg_adj(aggregate), arg_field(l, f->label), arg_adj(out)};
    if (f->pointee)
        args[3] = ir_arg_type(l->c, l->u, f->pointee);
    add_reverse(l,
                is_differentiable(f->type) ? IR_ADJ_FIELD_ADD
                : f->pointee               ? IR_ADJ_FIELD_SET_CAST
                                           : IR_ADJ_FIELD_SET,
                args, f->pointee ? 4 : 3);
    return operand_var(out);
}

/* A store target inside an array element. */
static bool slot_attribute(lower *l, const ast_Attribute *n, uint32_t aggregate, const type *t,
                           operand *out)
{
    const array_slot *slot = select_slot(l, &n->base, aggregate, NULL, 0, n->attr);
    if (!slot)
        return false;
    uint32_t origin = lower_origin_of(l, aggregate);
    if (origin != NO_PLACE && (t->kind == TYPE_VEC || t->kind == TYPE_QUAT)) {
        const uint32_t index = component_index(l, &n->base, n->attr, t);
        origin = lower_place_index(l, IR_PLACE_COMPONENT, origin, &index, 1, slot->type);
    } else if (origin != NO_PLACE) {
        origin = lower_place_field(l, origin, n->attr, slot->type);
    }
    *out = operand_var(slot_reference(l, *slot, origin));
    return true;
}

/* Warp 1.19 emit_Attribute of a constant struct: a constant again, of the field's type. */
static operand constant_field(lower *l, const struct_field *f, value v)
{
    if (type_is_scalar(f->type) && value_is_number(&v))
        v = value_scalar(f->type, &v);
    if (v.kind == VALUE_STRUCT_INSTANCE)
        return operand_var(add_constant(l, v));
    return constant_or_object(l, v);
}

/* Warp reads `size` of the type, a class attribute that is 0. */
static void warn_of_size(lower *l, const node *at, const type *t)
{
    diag_warning(l->c, span_of(l, at), DIAG_ARRAY_SIZE,
                 t->ndim == 1 ? "x.shape[0]" : "x.shape[0] * x.shape[1]");
}

/* In Warp's order: constants, slots, components and fields, then attributes of the type. A field
 * named `length` or `dtype` therefore hides the type's. A scalar constant is its own attribute:
 * Warp does so for `IntEnum.A.value`. */
static operand variable_attribute(lower *l, const ast_Attribute *n, uint32_t aggregate,
                                  bool as_target)
{
    const type *t = var_value_type(l, aggregate);
    const value *k = var_constant(l, aggregate);
    operand out;
    if (k && k->kind == VALUE_STRUCT_INSTANCE && t->kind == TYPE_NATIVE) {
        const struct_field *f = native_field(t, n->attr);
        if (f)
            return operand_var(add_constant(l, k->items[f - t->native->fields]));
    } else if (k && k->kind == VALUE_STRUCT_INSTANCE) {
        const struct_field *f = find_field(t, n->attr);
        if (f)
            return constant_field(l, f, k->items[f - t->st->fields]);
    } else if (k && k->kind != VALUE_COMPOSITE) {
        return operand_var(aggregate);
    }
    if (as_target && slot_attribute(l, n, aggregate, t, &out))
        return out;
    if (t->kind == TYPE_VEC || t->kind == TYPE_QUAT) {
        if (n->attr->len == 1)
            return vector_component(l, n, aggregate, t);
    } else if (t->kind == TYPE_TRANSFORM) {
        if (n->attr == l->names->s_p || n->attr == l->names->s_q)
            return transform_part(l, n, aggregate);
    } else {
        field_access f;
        if (find_access(l, t, n->attr, &f))
            return field_reference(l, aggregate, &f);
    }
    if (type_attribute(l, t, n->attr, &out)) {
        if (t->kind == TYPE_ARRAY && strcmp(n->attr->s, "size") == 0)
            warn_of_size(l, &n->base, t);
        return out;
    }
    refuse_method(l, &n->base, n->attr, t);
    if (t->kind == TYPE_VEC || t->kind == TYPE_QUAT)
        lower_error(l, &n->base, BAD_COMPONENT, n->attr->s, (int)t->pyname.n, t->pyname.p);
    if (t->kind == TYPE_TRANSFORM)
        check_transform_part(l, n);
    refuse_field(l, &n->base, n->attr, t);
}

operand lower_attribute(lower *l, const ast_Attribute *n, operand aggregate, bool as_target,
                        bool soft)
{
    if (aggregate.kind == OPERAND_NONE)
        aggregate = soft ? lower_soft(l, n->value) : lower_expr(l, n->value);
    if (aggregate.kind == OPERAND_NONE && soft)
        return aggregate;
    if (aggregate.kind == OPERAND_VALUE)
        return object_attribute(l, n, aggregate.value, soft);
    if (!is_var(aggregate))
        lower_error(l, &n->base, NOT_A_VALUE);
    return variable_attribute(l, n, aggregate.var, as_target);
}

/* Lowers each step of the chain as a target, so that slots reach from the array to the part. */
operand lower_store_target(lower *l, const node *n)
{
    if (!warp_has(l->c->warp, WARP_TARGET_SLOTS))
        return lower_expr(l, n);
    if (n->kind == AST_Attribute) {
        operand aggregate = lower_store_target(l, AST(Attribute, n)->value);
        return lower_attribute(l, AST(Attribute, n), aggregate, true, false);
    }
    if (n->kind == AST_Subscript && !is_adjoint_subscript(l, n)) {
        index_list rest;
        uint32_t target = lower_subscript_target(l, n, &rest, true);
        return lower_indexing(l, n, target, rest, true);
    }
    return lower_expr(l, n);
}

/* The dotted names of n, outermost last; false when it does not start at a name. */
static bool collect_path(const node *n, const sym **path, uint32_t max, uint32_t *count)
{
    uint32_t k = 0;
    for (; n->kind == AST_Attribute; n = AST(Attribute, n)->value) {
        if (k + 1 >= max)
            return false;
        path[k++] = AST(Attribute, n)->attr;
    }
    if (n->kind != AST_Name)
        return false;
    path[k++] = AST(Name, n)->id;
    for (uint32_t i = 0; i < k / 2; i++) {
        const sym *t = path[i];
        path[i] = path[k - 1 - i];
        path[k - 1 - i] = t;
    }
    *count = k;
    return true;
}

bool static_path(lower *l, const node *n, value *out, const sym **missing)
{
    WEFT_ASSERT(n);
    enum { PATH_MAX_PARTS = 32 };
    const sym *path[PATH_MAX_PARTS];
    uint32_t count;
    *missing = NULL;
    if (!collect_path(n, path, PATH_MAX_PARTS, &count) || scope_find(l, &l->scope, path[0]))
        return false;
    const bool is_set = env_lookup(l->code->env, path[0], out) && out->kind != VALUE_NONE;
    if (!is_set && !warp_or_python_name(l->c, path[0], out))
        return false;
    for (uint32_t i = 1; i < count; i++) {
        value next;
        if (value_getattr(l->c, out, path[i], &next)) {
            *out = next;
        } else if (i + 1 < count) {
            return false;
        } else {
            *missing = path[i];
        }
    }
    return true;
}
