/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors, matrices, quaternions and transforms as compile-time values: construction as Warp's
 * Python classes do it, components, and arithmetic by component. Examples:
 *
 *     wp.vec3(1.0)                       (1, 1, 1): one number fills a vector
 *     wp.mat22(1.0, 2.0, 3.0, 4.0)[1]    (3, 4): a row
 *     2.0 * wp.vec2(1.0, 0.5)            (2, 1)
 *     1.0 / wp.vec2(1.0, 0.5)            unknown
 *
 * Components are doubles (rounded to the scalar type) or 64-bit integers, in c->module. As in
 * Python a composite is an object, and all its names see when a component is assigned. */
#include <math.h>

#include "sema/sema.h"

/* Number of components; a matrix is stored by rows. */
static uint32_t count_of(const type *t)
{
    WEFT_ASSERT(type_is_composite(t));
    return (uint32_t)(t->kind == TYPE_MAT ? t->rows * t->cols : t->rows);
}

/* float16 and bfloat16 are kept with float32's digits; the text writes them as Warp does. */
double round_to(const type *t, double x)
{
    return t->kind == TYPE_FLOAT64 ? x : (double)(float)x;
}

/* All components zero. Needs: a composite type of known size. */
value composite_new(ctx *c, const type *t)
{
    WEFT_ASSERT(type_is_composite(t) && t->rows >= 0);
    value v = {.kind = VALUE_COMPOSITE, .type = t};
    size_t n = count_of(t);
    if (type_is_float(t->elem))
        v.elems = arena_zero(&c->module, n * sizeof *v.elems);
    else
        v.ielems = arena_zero(&c->module, n * sizeof *v.ielems);
    return v;
}

/* Component i as a double; integers beyond 2^53 are rounded. */
double composite_get(const value *v, uint32_t i)
{
    WEFT_ASSERT(v->kind == VALUE_COMPOSITE && i < count_of(v->type));
    return type_is_float(v->type->elem) ? v->elems[i] : (double)v->ielems[i];
}

/* Writes a component of a composite that composite_new has just made. A double beyond the integers
 * of 64 bits leaves it zero. */
void composite_set(const value *v, uint32_t i, double x)
{
    WEFT_ASSERT(v->kind == VALUE_COMPOSITE && i < count_of(v->type));
    if (type_is_float(v->type->elem))
        ((double *)(uintptr_t)v->elems)[i] = round_to(v->type->elem, x);
    else if (x > -9.2e18 && x < 9.2e18)
        ((int64_t *)(uintptr_t)v->ielems)[i] = (int64_t)x;
}

/* Like composite_set, but an integer keeps all 64 bits in an integer composite. */
static void set_number(const value *v, uint32_t i, const value *x)
{
    WEFT_ASSERT(value_is_real(x));
    if (type_is_float(v->type->elem) || value_has_f(x))
        composite_set(v, i, value_to_double(x));
    else
        ((int64_t *)(uintptr_t)v->ielems)[i] = (int64_t)x->i;
}

static size_t bytes_of(const value *v)
{
    return count_of(v->type) *
           (type_is_float(v->type->elem) ? sizeof *v->elems : sizeof *v->ielems);
}

value composite_copy(ctx *c, const value *v)
{
    const value copy = composite_new(c, v->type);
    composite_assign(&copy, v);
    return copy;
}

void composite_assign(const value *to, const value *from)
{
    WEFT_ASSERT(to->kind == VALUE_COMPOSITE && from->kind == VALUE_COMPOSITE);
    WEFT_ASSERT(to->type == from->type);
    if (bytes_of(to))
        memmove((void *)(uintptr_t)to->elems, from->elems, bytes_of(to));
}

/* The place of an index in a composite: v[i], m[i, j]. -1: there is none, or it is not one. */
static int64_t component_at(const type *t, const value *index)
{
    const bool is_mat = t->kind == TYPE_MAT, is_pair = index->kind == VALUE_TUPLE && index->n == 2;
    const value *parts[] = {is_pair ? &index->items[0] : index, is_pair ? &index->items[1] : index};
    const int sizes[] = {t->rows, t->cols};
    int64_t at = 0;
    if (is_mat != is_pair)
        return -1;
    for (int i = 0; i < (is_mat ? 2 : 1); i++) {
        if (!value_is_int(parts[i]) || parts[i]->i < -sizes[i] || parts[i]->i >= sizes[i])
            return -1;
        at = at * (i ? sizes[i] : 0) + (int64_t)parts[i]->i + (parts[i]->i < 0 ? sizes[i] : 0);
    }
    return at;
}

bool composite_set_item(const value *v, const value *index, const value *x)
{
    const int64_t at = component_at(v->type, index);
    if (at < 0 || !value_is_real(x))
        return false;
    set_number(v, (uint32_t)at, x);
    return true;
}

bool composite_is_lost(const program *p, const value *v)
{
    bool lost = false;
    for (uint32_t i = 0; i < p->lost.n && !lost; i++)
        lost = p->lost.v[i] == v->elems;
    return lost;
}

/* Component i as Python sees it: a float, a bool or an int. */
static value component(const value *v, uint32_t i)
{
    WEFT_ASSERT(i < count_of(v->type));
    if (type_is_float(v->type->elem))
        return value_float(v->elems[i]);
    if (v->type->elem->kind == TYPE_BOOL)
        return value_bool(v->ielems[i] != 0);
    return value_int(v->ielems[i]);
}

/* v[i]: a number, or a row of a matrix, with Python's negative indices. */
value composite_item(ctx *c, const value *v, int64_t i)
{
    const type *t = v->type;
    if (i < 0)
        i += t->rows;
    if (i < 0 || i >= t->rows) {
        may_raise_named(c, NULL);
        return unknown("the index is out of range");
    }
    if (t->kind != TYPE_MAT)
        return component(v, (uint32_t)i);
    value row = composite_new(c, type_vec(c, t->elem, t->cols));
    for (int k = 0; k < t->cols; k++) {
        value x = component(v, (uint32_t)(i * t->cols + k));
        set_number(&row, (uint32_t)k, &x);
    }
    return row;
}

/* Appends the numbers in v, sequences and composites unpacked. False: there are more than cap, or
 * something is no number. */
static bool flatten(ctx *c, const value *v, value *out, uint32_t *n, uint32_t cap, int depth)
{
    WEFT_ASSERT(*n <= cap);
    if (value_is_real(v)) {
        if (*n == cap)
            return false;
        out[(*n)++] = *v;
        return true;
    }
    if (v->kind == VALUE_COMPOSITE) {
        for (uint32_t i = 0; i < count_of(v->type); i++) {
            value x = component(v, i);
            if (!flatten(c, &x, out, n, cap, depth))
                return false;
        }
        return true;
    }
    const value *items;
    uint32_t count;
    if (depth > 3 || v->kind == VALUE_UNKNOWN || !value_iterate(c, v, &items, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!flatten(c, &items[i], out, n, cap, depth + 1))
            return false;
    return true;
}

/* A transform made from a position alone, or from nothing, has the rotation (0, 0, 0, 1). */
static void set_identity_rotation(const value *v)
{
    if (v->type->kind == TYPE_TRANSFORM)
        composite_set(v, 6, 1.0);
}

/* t(...) in Python. The arguments are flattened to numbers, whose count decides:
 *
 *     wp.vec3()                     zeros
 *     wp.vec3(1.0)                  one number fills vectors and matrices
 *     wp.vec3(1.0, 2.0, 3.0)        all numbers, from numbers, sequences or other composites
 *     wp.mat22((1, 2), (3, 4))      rows
 *     wp.transform(p, q)            position and rotation, also by keyword in this order
 *     wp.transform(p)               the identity rotation
 *
 * Any other count raises in Python and is unknown here. */
value composite_make(ctx *c, const type *t, const py_call *call)
{
    if (t->generic || count_of(t) > 4096)
        return unknown("a generic type has no values");
    const uint32_t want = count_of(t);
    value v = composite_new(c, t);
    value *numbers = ARENA_ARRAY(&c->module, value, want);
    uint32_t n = 0;
    for (uint32_t i = 0; i < call->nargs; i++)
        if (!flatten(c, &call->args[i], numbers, &n, want, 0))
            return unknown("its arguments are not known at compile time");
    for (uint32_t i = 0; i < call->nkwargs; i++)
        if (!flatten(c, &call->kwargs[i], numbers, &n, want, 0))
            return unknown("its arguments are not known at compile time");
    /* One number fills vectors and matrices, not quaternions and transforms. */
    bool fill = n == 1 && want > 1 && (t->kind == TYPE_VEC || t->kind == TYPE_MAT);
    if ((n == 3 || n == 0) && t->kind == TYPE_TRANSFORM)
        set_identity_rotation(&v);
    /* No argument leaves all components zero. */
    else if (n != want && n != 0 && !fill)
        return unknown("the number of arguments does not fit the type");
    for (uint32_t i = 0; i < (fill ? want : n); i++)
        set_number(&v, i, &numbers[fill ? 0 : i]);
    return v;
}

/* A composite times or divided by a number. A number divided by a composite is unknown. */
static value scale(ctx *c, ast_op op, const value *v, const value *by, bool by_left)
{
    WEFT_ASSERT(v->kind == VALUE_COMPOSITE && value_is_real(by));
    if (by_left && op != OP_Mult)
        return unknown("the operator's result is not known at compile time");
    value r = composite_new(c, v->type);
    double s = round_to(v->type->elem, value_to_double(by));
    if (op == OP_Div && s == 0)
        return unknown("division by zero");
    for (uint32_t i = 0; i < count_of(v->type); i++) {
        double x = composite_get(v, i);
        composite_set(&r, i, op == OP_Div ? x / s : x * s);
    }
    return r;
}

/* Sums and differences of equal types, products with a number. Products of two composites (a matrix
 * by a vector) are unknown. */
value composite_binary(ctx *c, ast_op op, const value *a, const value *b)
{
    /* Quotients of integer composites are not evaluated. */
    bool scales = op == OP_Mult ||
                  (op == OP_Div && a->kind == VALUE_COMPOSITE && type_is_float(a->type->elem));
    if (scales && a->kind == VALUE_COMPOSITE && value_is_real(b) && a->type->kind != TYPE_TRANSFORM)
        return scale(c, op, a, b, false);
    if (scales && b->kind == VALUE_COMPOSITE && value_is_real(a) && b->type->kind != TYPE_TRANSFORM)
        return scale(c, op, b, a, true);
    if ((op == OP_Add || op == OP_Sub) && a->kind == b->kind && a->type == b->type) {
        value r = composite_new(c, a->type);
        for (uint32_t i = 0; i < count_of(a->type); i++) {
            double x = composite_get(a, i), y = composite_get(b, i);
            composite_set(&r, i, op == OP_Add ? x + y : x - y);
        }
        return r;
    }
    return unknown("the operator's result is not known at compile time");
}
