/* SPDX-License-Identifier: Apache-2.0 */
/* Warp's builtins called from Python code at compile time. Examples:
 *
 *     UP = wp.normalize(wp.vec3(0.0, 2.0, 0.0))     vec3(0, 1, 0)
 *     Q = wp.quat_identity()                        quat(0, 0, 0, 1)
 *     wp.noise(1, 2.0)                              unknown: weft does not run it here
 *
 * Computed in single precision, as warp-lang's native library does. Only the functions that module
 * constants are commonly made with are here; a call of any other is unknown. */
#include <math.h>

#include "sema/sema.h"

static const char not_run[] = "weft does not run this builtin at compile time";

/* A float32 vector of this length; 0: of any. */
static bool is_vec(const value *v, int rows)
{
    return v->kind == VALUE_COMPOSITE && v->type->kind == TYPE_VEC &&
           v->type->elem->kind == TYPE_FLOAT32 && (rows == 0 || v->type->rows == rows);
}

/* Component i in single precision. Needs: a composite of floats. */
static float item(const value *v, int i)
{
    WEFT_ASSERT(v->kind == VALUE_COMPOSITE && type_is_float(v->type->elem));
    return (float)v->elems[i];
}

/* The order of the sum is that of Warp's native dot: from the first component on. */
static float dot(const value *a, const value *b)
{
    WEFT_ASSERT(a->type->rows == b->type->rows);
    float sum = item(a, 0) * item(b, 0);
    for (int i = 1; i < a->type->rows; i++)
        sum += item(a, i) * item(b, i);
    return sum;
}

/* The zero vector stays zero, as in Warp. */
static value normalize(ctx *c, const value *v)
{
    value r = composite_new(c, v->type);
    float length = sqrtf(dot(v, v));
    for (int i = 0; i < v->type->rows && length > 0; i++)
        composite_set(&r, (uint32_t)i, (double)(item(v, i) / length));
    return r;
}

/* Needs: vectors of length 3. */
static value cross(ctx *c, const value *a, const value *b)
{
    WEFT_ASSERT(a->type->rows == 3 && b->type->rows == 3);
    value r = composite_new(c, a->type);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        composite_set(&r, (uint32_t)i, (double)(item(a, j) * item(b, k) - item(a, k) * item(b, j)));
    }
    return r;
}

/* (axis * sin(angle / 2), cos(angle / 2)); the axis is not normalized, as in Warp's native
 * function. */
static value quat_from_axis_angle(ctx *c, const value *axis, double angle)
{
    WEFT_ASSERT(axis->type->rows == 3);
    value r = composite_new(c, type_quat(c, axis->type->elem));
    float half = (float)angle * 0.5f, s = sinf(half);
    for (int i = 0; i < 3; i++)
        composite_set(&r, (uint32_t)i, (double)(item(axis, i) * s));
    composite_set(&r, 3, (double)cosf(half));
    return r;
}

/* The identity is zero but for one component: w of a quaternion, rotation w of a transform. */
static value identity(ctx *c, const type *t, uint32_t one)
{
    value r = composite_new(c, t);
    composite_set(&r, one, 1.0);
    return r;
}

/* Builtins on vectors, quaternions and transforms, by name and types of the arguments. */
static value vector_builtin(ctx *c, const char *name, const py_call *a)
{
    const value *x = a->nargs ? &a->args[0] : NULL, *y = a->nargs > 1 ? &a->args[1] : NULL;
    const type *f = type_scalar(c, TYPE_FLOAT32);
    if (!x && strcmp(name, "quat_identity") == 0)
        return identity(c, type_quat(c, f), 3);
    if (!x && strcmp(name, "transform_identity") == 0)
        return identity(c, type_transform(c, f), 6);
    if (!x || !is_vec(x, 0))
        return unknown(not_run);
    if (strcmp(name, "normalize") == 0)
        return normalize(c, x);
    if (strcmp(name, "length") == 0)
        return value_float((double)sqrtf(dot(x, x)));
    if (y && y->kind == VALUE_COMPOSITE && y->type == x->type && strcmp(name, "dot") == 0)
        return value_float((double)dot(x, y));
    if (y && is_vec(x, 3) && is_vec(y, 3) && strcmp(name, "cross") == 0)
        return cross(c, x, y);
    if (y && is_vec(x, 3) && value_is_real(y) && strcmp(name, "quat_from_axis_angle") == 0)
        return quat_from_axis_angle(c, x, value_to_double(y));
    return unknown(not_run);
}

/* Builtins of one Python float, which Warp takes for a float32. */
static value float_builtin(const char *name, float x)
{
    static const struct {
        const char *name;
        float (*f)(float);
    } rows[] = {{"sqrt", sqrtf},   {"sin", sinf},   {"cos", cosf}, {"tan", tanf}, {"exp", expf},
                {"floor", floorf}, {"ceil", ceilf}, {"log", logf}, {"abs", fabsf}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return value_float((double)rows[i].f(x));
    if (strcmp(name, "radians") == 0)
        return value_float((double)(x * 0.01745329251994329577f));
    if (strcmp(name, "degrees") == 0)
        return value_float((double)(x * 57.29577951308232087680f));
    return unknown(not_run);
}

/* wp.NAME(...) in Python code. min and max of integers are Python's; keyword arguments are not
 * evaluated. */
value run_builtin(evaluator *e, const sym *name, const py_call *a)
{
    py_call own = *a;
    for (uint32_t i = 0; i < a->nargs; i++)
        if (a->args[i].kind == VALUE_UNKNOWN)
            return a->args[i];
    if (own.inexact || own.nkwargs)
        return own.inexact ? own.unpacked : unknown(not_run);
    bool is_min = strcmp(name->s, "min") == 0, is_max = strcmp(name->s, "max") == 0;
    if ((is_min || is_max) && a->nargs == 2 && value_is_int(&a->args[0]) &&
        value_is_int(&a->args[1])) {
        own.id = is_min ? SP_min : SP_max;
        return call_minmax(e, &own);
    }
    if (a->nargs == 1 && a->args[0].kind == VALUE_FLOAT)
        return float_builtin(name->s, (float)a->args[0].f);
    return vector_builtin(e->c, name->s, a);
}
