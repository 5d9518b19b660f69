/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Python's math module, and of the functions of numpy that do the same on numbers. An
 * example:
 *
 *     HALF_TURN = math.radians(180.0)     3.141592653589793
 *     math.sqrt(-1.0)                     unknown: Python raises ValueError
 *
 * Computed in double, as Python does. */
#include <math.h>

#include "fmath/fmath.h"
#include "sema/sema.h"

static const char not_known[] = "the function's result is not known at compile time";
static const double pi = 3.141592653589793;

/* The failure of a call: the reason of its first unknown argument if there is one. */
static value first_unknown(const py_call *a)
{
    for (uint32_t i = 0; i < a->nargs; i++)
        if (a->args[i].kind == VALUE_UNKNOWN)
            return a->args[i];
    return unknown(not_known);
}

/* Functions of one argument. NaN for an id that has no such form; call_math refuses it then. */
static double math1(special_id id, double x) /* flat switch */
{
    switch (id) {
    case SP_math_sqrt:
    case SP_np_sqrt: return sqrt(x);
    case SP_math_sin:
    case SP_np_sin: return sin(x);
    case SP_math_cos:
    case SP_np_cos: return cos(x);
    case SP_math_tan: return tan(x);
    case SP_math_asin: return asin(x);
    case SP_math_acos: return acos(x);
    case SP_math_atan: return atan(x);
    case SP_math_sinh: return sinh(x);
    case SP_math_cosh: return cosh(x);
    case SP_math_tanh: return tanh(x);
    case SP_math_exp:
    case SP_np_exp: return exp(x);
    case SP_math_log:
    case SP_np_log: return log(x);
    case SP_math_log2: return log2(x);
    case SP_math_log10: return log10(x);
    case SP_math_fabs: return fabs(x);
    case SP_math_degrees:
    case SP_np_rad2deg: return x * (180.0 / pi);
    case SP_math_radians:
    case SP_np_deg2rad: return x * (pi / 180.0);
    default: return NAN;
    }
}

/* Functions of two arguments. math.log(x, base) is the quotient of two logarithms, as in CPython.
 */
static double math2(special_id id, double x, double y)
{
    switch (id) {
    case SP_math_atan2: return atan2(x, y);
    case SP_math_pow: return pow(x, y);
    case SP_math_hypot: return fmath_hypot(x, y); /* CPython has its own, which rounds as ours */
    case SP_math_fmod: return fmod(x, y);
    case SP_math_copysign: return copysign(x, y);
    case SP_math_log: return log(x) / log(y);
    default: return NAN;
    }
}

static bool is_of_numpy(special_id id)
{
    return id >= SP_np_sqrt && id <= SP_np_rad2deg;
}

/* Any special of the two tables above. math's give a Python float, NumPy's a numpy.float64. Of a
 * numpy.float32 NumPy's compute in single precision, which is not evaluated. */
value call_math(evaluator *e, const py_call *a)
{
    const bool numpy = is_of_numpy(a->id);
    (void)e;
    for (uint32_t i = 0; numpy && i < a->nargs; i++)
        if (a->args[i].kind == VALUE_SCALAR)
            return unknown(not_known);
    for (uint32_t i = 0; i < a->nargs; i++)
        if (!value_is_real(&a->args[i]))
            return first_unknown(a);
    if (a->nargs < 1 || a->nargs > 2)
        return unknown(not_known);
    double x = value_to_double(&a->args[0]);
    double r = a->nargs == 1 ? math1(a->id, x) : math2(a->id, x, value_to_double(&a->args[1]));
    const double y = a->nargs == 2 ? value_to_double(&a->args[1]) : 0;
    const bool overflows = isinf(r) && isfinite(x) && isfinite(y) && a->id != SP_math_degrees &&
                           a->id != SP_math_hypot;
    /* Out of the domain, and of the range of floats, Python raises. */
    return (isnan(r) && !isnan(x)) || (overflows && !numpy) ? unknown(not_known)
                                                            : value_of_numpy(value_float(r), numpy);
}

/* math.floor, ceil and trunc, which return an int. The limit 1e38 keeps the conversion within 128
 * bits; it also refuses NaN. */
value call_math_int(evaluator *e, const py_call *a)
{
    (void)e;
    if (a->nargs != 1 || !value_is_real(&a->args[0]))
        return first_unknown(a);
    if (value_is_int(&a->args[0]))
        return value_int(a->args[0].i);
    double x = a->args[0].f;
    if (!(fabs(x) < 1e38))
        return unknown(not_known);
    x = a->id == SP_math_floor ? floor(x) : a->id == SP_math_ceil ? ceil(x) : trunc(x);
    return value_int((__int128)x);
}

/* math.isnan, isinf and isfinite. */
value call_math_test(evaluator *e, const py_call *a)
{
    (void)e;
    if (a->nargs != 1 || !value_is_real(&a->args[0]))
        return first_unknown(a);
    double x = value_to_double(&a->args[0]);
    return value_bool(a->id == SP_math_isnan   ? isnan(x)
                      : a->id == SP_math_isinf ? isinf(x)
                                               : isfinite(x));
}

/* math.gcd of any number of integers, by Euclid's algorithm; gcd() is 0. */
value call_gcd(evaluator *e, const py_call *a)
{
    __int128 r = 0;
    (void)e;
    for (uint32_t i = 0; i < a->nargs; i++) {
        if (!value_is_int(&a->args[i]))
            return first_unknown(a);
        __int128 x = a->args[i].i < 0 ? -a->args[i].i : a->args[i].i;
        while (x) {
            __int128 rest = r % x;
            r = x;
            x = rest;
        }
    }
    return value_int(r);
}
