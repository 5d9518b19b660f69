/* numpy.finfo and numpy.iinfo at compile time. An example: `BIG = np.finfo(np.float32).max` makes
 * BIG the float32 number 3.4028235e38. The result is an object whose attributes are the limits; an
 * attribute that is not listed here is unknown. */
#include <float.h>

#include "sema/sema.h"

static value limits_object(evaluator *e)
{
    namespace *ns = ns_new(e->c, NS_OBJECT, NULL, (str){"", 0});
    ns->mod = e->env->mod;
    return (value){.kind = VALUE_OBJECT, .ns = ns};
}

static void set(evaluator *e, const value *object, const char *name, value v)
{
    ns_set(e->c, object->ns, sym_c(&e->c->syms, name), v);
}

/* Limits of float32 are numpy's own float32 numbers, those of float64 are Python's. */
static value number(const type *t, double x)
{
    if (t->kind == TYPE_FLOAT64)
        return value_float(x);
    return (value){.kind = VALUE_SCALAR, .n = RAW_NUMPY32, .type = t, .f = x};
}

/* The numpy type in question. Python float is numpy float64; any other Python type counts as int64.
 */
static const type *asked_type(evaluator *e, const py_call *a)
{
    if (a->nargs != 1)
        return NULL;
    const value *v = &a->args[0];
    if (v->kind == VALUE_PYTYPE)
        return type_scalar(e->c, v->n == SP_py_float ? TYPE_FLOAT64 : TYPE_INT64);
    return numpy_type(e->c, v);
}

value call_finfo(evaluator *e, const py_call *a)
{
    const type *t = asked_type(e, a);
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

value call_iinfo(evaluator *e, const py_call *a)
{
    const type *t = asked_type(e, a);
    if (!t || !type_is_integer(t))
        return unknown("weft knows the limits of integer types only");
    const int bits = 8 << (t->kind - TYPE_INT8) / 2;
    const bool is_signed = (t->kind - TYPE_INT8) % 2 == 0;
    const value out = limits_object(e);
    set(e, &out, "max", value_int(((i128)1 << (bits - is_signed)) - 1));
    set(e, &out, "min", value_int(is_signed ? -((i128)1 << (bits - 1)) : 0));
    set(e, &out, "bits", value_int(bits));
    return out;
}
