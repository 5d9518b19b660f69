/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of types: functions of warp.types that module code calls. Examples:
 *
 *     wp.types.type_size(wp.mat33)             9
 *     wp.types.type_length(wp.mat33)           3
 *     wp.types.type_scalar_type(wp.vec3h)      float16
 *     wp.types.type_is_float(wp.int32)         False
 *
 * They follow the functions of the same names in Warp 1.19 types.py. */
#include "sema/sema.h"

/* The failure of a query: the reason of an unknown argument, else that it is no Warp type. */
static value no_type(const py_call *a)
{
    bool known = a->nargs && a->args[0].kind != VALUE_UNKNOWN;
    return a->nargs && !known ? a->args[0] : unknown("the argument is no Warp type");
}

/* Number of scalars in a value of the type. */
static int length_of(const type *t)
{
    return t->kind == TYPE_MAT ? t->rows * t->cols : type_is_composite(t) ? t->rows : 1;
}

/* Bytes of a scalar of the type; 0: it is no scalar. */
int scalar_bytes(const type *t)
{
    static const unsigned char sizes[] = {
        [TYPE_BOOL] = 1,   [TYPE_INT8] = 1,    [TYPE_UINT8] = 1,    [TYPE_INT16] = 2,
        [TYPE_UINT16] = 2, [TYPE_INT32] = 4,   [TYPE_UINT32] = 4,   [TYPE_INT64] = 8,
        [TYPE_UINT64] = 8, [TYPE_FLOAT16] = 2, [TYPE_BFLOAT16] = 2, [TYPE_FLOAT32] = 4,
        [TYPE_FLOAT64] = 8};
    return type_is_scalar(t) ? sizes[t->kind] : 0;
}

/* The row of specials.def selects the query. type_length of a matrix is its number of rows, as
 * len() has it; type_size counts all components. */
value call_type_query(evaluator *e, const py_call *a)
{
    const type *t = a->nargs ? value_as_type(e->c, &a->args[0]) : NULL;
    if (!t)
        return no_type(a);
    const type *scalar = type_scalar_of(t);
    switch (a->id) {
    case SP_type_to_warp: return value_type(t);
    case SP_type_scalar_type: return scalar ? value_type(scalar) : no_type(a);
    case SP_type_size:
    case SP_type_length:
        return scalar ? value_int(a->id == SP_type_length && t->kind == TYPE_MAT ? t->rows
                                                                                 : length_of(t))
                      : no_type(a);
    case SP_type_size_in_bytes:
        return scalar ? value_int(length_of(t) * scalar_bytes(scalar)) : no_type(a);
    case SP_type_repr: return value_str(e->c, t->pyname.p, t->pyname.n);
    case SP_type_is_float: return value_bool(type_is_float(t));
    case SP_type_is_int: return value_bool(type_is_integer(t));
    case SP_type_is_scalar: return value_bool(type_is_float(t) || type_is_integer(t));
    case SP_is_array: return value_bool(t->kind == TYPE_ARRAY);
    case SP_type_is_vector: return value_bool(t->kind == TYPE_VEC);
    case SP_type_is_matrix: return value_bool(t->kind == TYPE_MAT);
    case SP_type_is_quaternion: return value_bool(t->kind == TYPE_QUAT);
    case SP_type_is_transformation: return value_bool(t->kind == TYPE_TRANSFORM);
    default: return no_type(a);
    }
}

/* wp.types.types_equal(a, b). Generic types equal themselves alone. */
value call_types_equal(evaluator *e, const py_call *a)
{
    const type *x = a->nargs == 2 ? value_as_type(e->c, &a->args[0]) : NULL;
    const type *y = a->nargs == 2 ? value_as_type(e->c, &a->args[1]) : NULL;
    return x && y ? value_bool(type_equal(x, y)) : no_type(a);
}

/* The Warp type of a numpy scalar type, or NULL. The ids of numpy's types stand in this order in
 * specials.def. */
const type *numpy_type(ctx *c, const value *v)
{
    static const unsigned char kinds[] = {TYPE_BOOL,   TYPE_INT8,    TYPE_UINT8,   TYPE_INT16,
                                          TYPE_UINT16, TYPE_INT32,   TYPE_UINT32,  TYPE_INT64,
                                          TYPE_UINT64, TYPE_FLOAT16, TYPE_FLOAT32, TYPE_FLOAT64};
    if (v->kind != VALUE_SPECIAL || v->n < SP_np_bool || v->n > SP_np_float64)
        return NULL;
    return type_scalar(c, (type_kind)kinds[v->n - SP_np_bool]);
}

/* wp.dtype_from_numpy(np.float32). */
value call_dtype_from_numpy(evaluator *e, const py_call *a)
{
    const type *t = a->nargs ? numpy_type(e->c, &a->args[0]) : NULL;
    return t ? value_type(t) : no_type(a);
}

/* warp.types.np_dtype_to_warp_type[v] */
value index_numpy_types(ctx *c, const value *v)
{
    const type *t = numpy_type(c, v);
    return t ? value_type(t) : unknown("the numpy type is not known");
}
