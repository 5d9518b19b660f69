/* Elements, components and fields: reading them, and the places that assignments go to. */
#include "interp/interp_internal.h"

place element_place(interp *in, const node *at, const array_view *a, const rvalue *index,
                    uint32_t n)
{
    int64_t offset = a->offset;
    for (uint32_t i = 0; i < n; i++) {
        if (!index[i].type || !type_is_scalar(index[i].type) || type_is_float(index[i].type))
            interp_fail(in, at, "cannot execute an index that is no integer");
        const int64_t j = index[i].n.i;
        if (j < 0 || j >= a->shape[i])
            interp_fail(in, at,
                        "array '%s': index %lld is out of bounds: dimension %u has size %lld",
                        a->data->name, (long long)j, i, (long long)a->shape[i]);
        offset += j * a->strides[i];
    }
    return (place){a->elem, a->data->bytes + offset};
}

static uint32_t eval_indices(interp *in, const node *slice, rvalue *index)
{
    if (slice->kind != AST_Tuple) {
        index[0] = interp_value(in, slice);
        return 1;
    }
    const node_list *elts = &AST(Tuple, slice)->elts;
    if (elts->n > LAUNCH_DIMS)
        interp_fail(in, slice, "too many indices");
    for (uint32_t i = 0; i < elts->n; i++)
        index[i] = interp_value(in, elts->v[i]);
    return elts->n;
}

/* Fewer indices than dimensions: the array of what is left. */
static rvalue partial(interp *in, const array_view *a, const place *p, uint32_t n)
{
    array_view *view = ARENA_NEW(&in->arena, array_view);
    *view = (array_view){.data = a->data, .elem = a->elem, .ndim = a->ndim - (int)n};
    for (int i = 0; i < view->ndim; i++) {
        view->shape[i] = a->shape[i + (int)n];
        view->strides[i] = a->strides[i + (int)n];
    }
    view->offset = p->bytes - a->data->bytes;
    return (rvalue){.type = type_array(in->c, ARRAY_PLAIN, a->elem, view->ndim), .array = view};
}

static int64_t component(interp *in, const node *at, const rvalue *index, int64_t n)
{
    if (!type_is_scalar(index->type) || type_is_float(index->type))
        interp_fail(in, at, "cannot execute an index that is no integer");
    const int64_t i = index->n.i < 0 ? index->n.i + n : index->n.i;
    if (i < 0 || i >= n)
        interp_fail(in, at, "component %lld is out of bounds: there are %lld",
                    (long long)index->n.i, (long long)n);
    return i;
}

/* The part of a composite that indices name. */
static place composite_part(interp *in, const node *at, place whole, const rvalue *index,
                            uint32_t n)
{
    const type *t = whole.type;
    const int64_t size = (int64_t)layout_size(t->elem);
    if (t->kind == TYPE_MAT && n == 1) {
        const int64_t row = component(in, at, &index[0], t->rows);
        return (place){type_vec(in->c, t->elem, t->cols), whole.bytes + row * t->cols * size};
    }
    if (t->kind == TYPE_MAT && n == 2) {
        const int64_t row = component(in, at, &index[0], t->rows);
        const int64_t col = component(in, at, &index[1], t->cols);
        return (place){t->elem, whole.bytes + (row * t->cols + col) * size};
    }
    if (t->kind == TYPE_MAT || n != 1)
        interp_fail(in, at, "cannot execute so many indices");
    return (place){t->elem, whole.bytes + component(in, at, &index[0], t->rows) * size};
}

static bool named_part(interp *in, place whole, const sym *attr, place *out)
{
    const type *t = whole.type;
    const size_t size = type_is_composite(t) ? layout_size(t->elem) : 0;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        if (t->st->fields[i].name == attr) {
            *out = (place){t->st->fields[i].type, whole.bytes + layout_field(t->st, i)};
            return true;
        }
    const char *axis = attr->len == 1 ? strchr("xyzw", attr->s[0]) : NULL;
    const int lane = !axis || !*axis ? t->rows : *axis == 'w' ? 3 : *axis - 'x';
    if ((t->kind == TYPE_VEC || t->kind == TYPE_QUAT) && lane < t->rows) {
        *out = (place){t->elem, whole.bytes + (size_t)lane * size};
        return true;
    }
    if (t->kind != TYPE_TRANSFORM || attr->len != 1 || !strchr("pq", attr->s[0]))
        return false;
    const bool rotation = attr->s[0] == 'q';
    *out = (place){rotation ? type_quat(in->c, t->elem) : type_vec(in->c, t->elem, 3),
                   whole.bytes + (rotation ? 3 * size : 0)};
    return true;
}

/* A place for reading only: of a value's own bytes. */
static place reading(const rvalue *v)
{
    return (place){v->type, (uint8_t *)(uintptr_t)v->bytes};
}

rvalue interp_subscript(interp *in, const ast_Subscript *n)
{
    const rvalue base = interp_any(in, n->value);
    rvalue index[LAUNCH_DIMS];
    if (!base.type)
        interp_fail(in, &n->base, "cannot execute this subscript");
    const uint32_t count = eval_indices(in, n->slice, index);
    if (base.type->kind == TYPE_TUPLE)
        return base.items[component(in, &n->base, &index[0], base.type->nitems)];
    if (base.type->kind == TYPE_ARRAY) {
        if (count > (uint32_t)base.array->ndim)
            interp_fail(in, &n->base, "array '%s' has no %u dimensions", base.array->data->name,
                        count);
        const place p = element_place(in, &n->base, base.array, index, count);
        return count < (uint32_t)base.array->ndim ? partial(in, base.array, &p, count)
                                                  : rvalue_load(&in->arena, p.type, p.bytes);
    }
    if (!type_is_composite(base.type))
        interp_fail(in, &n->base, "cannot execute this subscript");
    const place p = composite_part(in, &n->base, reading(&base), index, count);
    return rvalue_load(&in->arena, p.type, p.bytes);
}

static rvalue shape_of(interp *in, const array_view *a)
{
    rvalue sizes[LAUNCH_DIMS];
    for (int i = 0; i < a->ndim; i++)
        sizes[i] = rvalue_num(type_scalar(in->c, TYPE_INT32), (num){.i = a->shape[i]});
    return make_tuple(in, sizes, (uint32_t)a->ndim);
}

rvalue interp_attribute(interp *in, const ast_Attribute *n)
{
    value v;
    if (interp_constant(in, &n->base, &v)) {
        rvalue r;
        if (rvalue_constant(in->c, &in->arena, &v, &r))
            return r;
        value *object = ARENA_NEW(&in->arena, value);
        *object = v;
        return (rvalue){.object = object};
    }
    const rvalue base = interp_value(in, n->value);
    place p;
    if (base.type->kind == TYPE_ARRAY && strcmp(n->attr->s, "shape") == 0)
        return shape_of(in, base.array);
    if ((type_is_composite(base.type) || base.type->kind == TYPE_STRUCT) &&
        named_part(in, reading(&base), n->attr, &p))
        return rvalue_load(&in->arena, p.type, p.bytes);
    interp_fail(in, &n->base, "cannot execute the attribute '%s'", n->attr->s);
}

/* A variable's own bytes, taken anew so that no other value shares them. */
static place variable_place(interp *in, const ast_Name *n)
{
    variable *var = find_variable(in, n->id);
    if (!var)
        interp_fail(in, &n->base, "'%s' is read before anything is assigned to it", n->id->s);
    const type *t = var->value.type;
    if (!t || (!type_is_composite(t) && t->kind != TYPE_STRUCT))
        interp_fail(in, &n->base, "'%s' has no parts that can be assigned to", n->id->s);
    var->value = rvalue_load(&in->arena, t, var->value.bytes);
    return reading(&var->value);
}

place interp_place(interp *in, const node *target)
{
    rvalue index[LAUNCH_DIMS];
    place p;
    if (target->kind == AST_Name)
        return variable_place(in, AST(Name, target));
    if (target->kind == AST_Attribute) {
        const place whole = interp_place(in, AST(Attribute, target)->value);
        if ((type_is_composite(whole.type) || whole.type->kind == TYPE_STRUCT) &&
            named_part(in, whole, AST(Attribute, target)->attr, &p))
            return p;
        interp_fail(in, target, "cannot execute an assignment to this attribute");
    }
    if (target->kind != AST_Subscript)
        interp_fail(in, target, "cannot execute an assignment to this");
    const rvalue base = interp_value(in, AST(Subscript, target)->value);
    const uint32_t n = eval_indices(in, AST(Subscript, target)->slice, index);
    if (base.type->kind == TYPE_ARRAY) {
        if (n != (uint32_t)base.array->ndim)
            interp_fail(in, target, "cannot execute an assignment to a part of an array");
        return element_place(in, target, base.array, index, n);
    }
    const place whole = interp_place(in, AST(Subscript, target)->value);
    if (!type_is_composite(whole.type))
        interp_fail(in, target, "cannot execute an assignment to this");
    return composite_part(in, target, whole, index, n);
}

static void assign_items(interp *in, const node *target, const node_list *names, const rvalue *v)
{
    if (!v->type || v->type->kind != TYPE_TUPLE || v->type->nitems != names->n)
        interp_fail(in, target, "cannot take this value apart into %u targets", names->n);
    for (uint32_t i = 0; i < names->n; i++)
        interp_assign(in, names->v[i], v->items[i]);
}

void interp_assign(interp *in, const node *target, rvalue v)
{
    if (target->kind == AST_Name) {
        set_variable(in, AST(Name, target)->id, v);
    } else if (target->kind == AST_Tuple) {
        assign_items(in, target, &AST(Tuple, target)->elts, &v);
    } else {
        const place p = interp_place(in, target);
        if (!rvalue_store(p.type, p.bytes, &v))
            interp_fail(in, target, "a value of another type cannot be stored here");
    }
}
