/* SPDX-License-Identifier: Apache-2.0 */
/* numpy.finfo and numpy.iinfo at compile time. Examples:
 *
 *     BIG = np.finfo(np.float32).max      3.4028235e+38 in the text of a kernel
 *     LAST = np.iinfo(np.int32).max       2147483647
 *
 * The result is an object whose attributes are the limits; an attribute that is not listed here is
 * unknown. */
#include <float.h>

#include "sema/sema.h"

/* An object without attributes, of no class. */
static value limits_object(evaluator *e)
{
    namespace *ns = ns_new(e->c, NS_OBJECT, NULL, (str){"", 0});
    ns->mod = e->env->mod;
    return (value){.kind = VALUE_OBJECT, .ns = ns};
}

/* Adds an attribute. */
static void set(evaluator *e, const value *object, const char *name, value v)
{
    WEFT_ASSERT(object->kind == VALUE_OBJECT);
    ns_set(e->c, object->ns, sym_c(&e->c->syms, name), v);
}

/* Limits of float32 are numpy's own float32 numbers, which print with the digits that float32
 * needs; those of float64 are Python's. */
static value number(const type *t, double x)
{
    if (t->kind == TYPE_FLOAT64)
        return value_float(x);
    return (value){.kind = VALUE_SCALAR, .n = RAW_NUMPY32, .type = t, .f = x};
}

/* The numpy type in question. Python float is numpy float64; any other Python type counts as int64.
 */
static const type *queried_type(evaluator *e, const py_call *a)
{
    if (a->nargs != 1)
        return NULL;
    const value *v = &a->args[0];
    if (v->kind == VALUE_PYTYPE)
        return type_scalar(e->c, v->n == SP_py_float ? TYPE_FLOAT64 : TYPE_INT64);
    return numpy_type(e->c, v);
}

/* float16 has limits too in numpy; weft has no number that prints as numpy's float16. */
value call_finfo(evaluator *e, const py_call *a)
{
    const type *t = queried_type(e, a);
    if (!t || (t->kind != TYPE_FLOAT32 && t->kind != TYPE_FLOAT64))
        return unknown("weft knows the limits of float32 and float64 only");
    const bool wide = t->kind == TYPE_FLOAT64;
    const value out = limits_object(e);
    set(e, &out, "eps", number(t, wide ? DBL_EPSILON : (double)FLT_EPSILON));
    set(e, &out, "max", number(t, wide ? DBL_MAX : (double)FLT_MAX));
    set(e, &out, "min", number(t, wide ? -DBL_MAX : -(double)FLT_MAX));
    set(e, &out, "tiny", number(t, wide ? DBL_MIN : (double)FLT_MIN));
    set(e, &out, "smallest_normal", number(t, wide ? DBL_MIN : (double)FLT_MIN));
    set(e, &out, "bits", value_int(wide ? 64 : 32));
    return out;
}

/* The kinds of integer types alternate in type_kind, signed before unsigned, with the size
 * doubling: bits and sign follow from the position. */
value call_iinfo(evaluator *e, const py_call *a)
{
    const type *t = queried_type(e, a);
    if (!t || !type_is_integer(t))
        return unknown("weft knows the limits of integer types only");
    /* Position 0 and 1: 8 bits; 2 and 3: 16 bits; and so on. */
    const int bits = 8 << (t->kind - TYPE_INT8) / 2;
    const bool is_signed = (t->kind - TYPE_INT8) % 2 == 0;
    const value out = limits_object(e);
    set(e, &out, "max", value_int(((i128)1 << (bits - is_signed)) - 1));
    set(e, &out, "min", value_int(is_signed ? -((i128)1 << (bits - 1)) : 0));
    set(e, &out, "bits", value_int(bits));
    return out;
}
