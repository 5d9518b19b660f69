/* SPDX-License-Identifier: Apache-2.0 */
/* Dual numbers: a value and its derivative in one direction, both in double whatever the kind in
 * memory, so that a tangent is the true derivative and not that of rounded steps.
 *
 *     x = (3, 1)              the variable, which moves with speed 1
 *     mul_dual(x, x)          (9, 6)
 *     sin_dual((0, 2))        (0, 2)
 *
 * The names are those of arith_number.h with the kind `dual`, so that a body compiled for duals
 * computes tangents (arith_template.h). They do not use the
 * formulas of the adjoints, so that each can be checked against the other. */
#ifndef WEFT_ARITH_DUAL_H
#define WEFT_ARITH_DUAL_H

#include <math.h>
#include <stdbool.h>

#include "fmath/fmath.h"

/* v: the value; d: its derivative. */
typedef struct num_dual {
    double v, d;
} num_dual;

/* f(x) with the value and the slope of f at x.v: what does not move has no derivative, even where
 * the slope is not finite. */
static inline num_dual chain_dual(num_dual x, double result, double slope)
{
    return (num_dual){result, x.d != 0 ? x.d * slope : 0};
}

/* The same of f(a, b), with the partial derivatives. */
static inline num_dual chain2_dual(num_dual a, num_dual b, double result, double by_a, double by_b)
{
    return (num_dual){result, (a.d != 0 ? a.d * by_a : 0) + (b.d != 0 ? b.d * by_b : 0)};
}

/* A constant: it does not move. */
static inline num_dual from_dual(double x)
{
    return (num_dual){x, 0};
}

static inline bool moves_dual(num_dual x)
{
    return x.d != 0;
}

/* Comparisons look at values only, so a body takes the same branch as for values. Where equal
 * values move apart, the body reports a kink (KINK_IF). */
static inline bool less_dual(num_dual a, num_dual b)
{
    return a.v < b.v;
}

static inline bool equal_dual(num_dual a, num_dual b)
{
    return a.v == b.v;
}

/* Linear in both: no chain rule is needed, and an infinite value does not spoil the derivative. */
static inline num_dual add_dual(num_dual a, num_dual b)
{
    return (num_dual){a.v + b.v, a.d + b.d};
}

static inline num_dual sub_dual(num_dual a, num_dual b)
{
    return (num_dual){a.v - b.v, a.d - b.d};
}

static inline num_dual mul_dual(num_dual a, num_dual b)
{
    return chain2_dual(a, b, a.v * b.v, b.v, a.v);
}

/* (a / b)' = a' / b - a b' / b^2. The last term is divided twice, since b^2 may overflow or
 * vanish where a / b / b does not. */
static inline num_dual div_dual(num_dual a, num_dual b)
{
    return chain2_dual(a, b, a.v / b.v, 1 / b.v, -a.v / b.v / b.v);
}

static inline num_dual neg_dual(num_dual a)
{
    return (num_dual){-a.v, -a.d};
}

/* What is no NaN wins. */
static inline num_dual min_dual(num_dual a, num_dual b)
{
    return a.v <= b.v || b.v != b.v ? a : b;
}

static inline num_dual max_dual(num_dual a, num_dual b)
{
    return a.v >= b.v || b.v != b.v ? a : b;
}

/* At zero the slope is that of the right side; the bodies report a kink there. */
static inline num_dual abs_dual(num_dual x)
{
    return x.v < 0 ? neg_dual(x) : x;
}

/* The slope 1 / (2 sqrt(x)) is infinite at zero, and NaN below. */
static inline num_dual sqrt_dual(num_dual x)
{
    const double r = sqrt(x.v);
    return chain_dual(x, r, 0.5 / r);
}

/* r^3 = x, hence 3 r^2 r' = x'. */
static inline num_dual cbrt_dual(num_dual x)
{
    const double r = fmath_cbrt(x.v);
    return chain_dual(x, r, 1 / (3 * r * r));
}

/* sin' = cos, cos' = -sin; sinh and cosh below are each other's derivatives. */
static inline num_dual sin_dual(num_dual x)
{
    return chain_dual(x, fmath_sin(x.v), fmath_cos(x.v));
}

static inline num_dual cos_dual(num_dual x)
{
    return chain_dual(x, fmath_cos(x.v), -fmath_sin(x.v));
}

/* tan' = 1 + tan^2. */
static inline num_dual tan_dual(num_dual x)
{
    const double r = fmath_tan(x.v);
    return chain_dual(x, r, 1 + r * r);
}

/* Clamped to [-1, 1], as Warp's asin and acos are. */
static inline num_dual asin_dual(num_dual x)
{
    if (x.v > 1 || x.v < -1)
        return from_dual(copysign(1.57079632679489661923, x.v));
    return chain_dual(x, fmath_asin(x.v), 1 / sqrt((1 - x.v) * (1 + x.v)));
}

/* acos' = -asin'. (1 - x)(1 + x) keeps digits near 1 that 1 - x^2 loses. */
static inline num_dual acos_dual(num_dual x)
{
    if (x.v > 1 || x.v < -1)
        return from_dual(x.v > 0 ? 0 : 3.14159265358979323846);
    return chain_dual(x, fmath_acos(x.v), -1 / sqrt((1 - x.v) * (1 + x.v)));
}

/* atan' = 1 / (1 + x^2). */
static inline num_dual atan_dual(num_dual x)
{
    return chain_dual(x, fmath_atan(x.v), 1 / (1 + x.v * x.v));
}

/* With h = hypot(x, y): by y it is x / h^2, by x it is -y / h^2, each divided twice, since h^2
 * may overflow. */
static inline num_dual atan2_dual(num_dual y, num_dual x)
{
    const double h = fmath_hypot(x.v, y.v);
    return chain2_dual(y, x, fmath_atan2(y.v, x.v), x.v / h / h, -y.v / h / h);
}

static inline num_dual sinh_dual(num_dual x)
{
    return chain_dual(x, fmath_sinh(x.v), fmath_cosh(x.v));
}

static inline num_dual cosh_dual(num_dual x)
{
    return chain_dual(x, fmath_cosh(x.v), fmath_sinh(x.v));
}

/* tanh' = 1 / cosh^2, which has no cancellation where tanh is near 1, unlike 1 - tanh^2. */
static inline num_dual tanh_dual(num_dual x)
{
    const double c = fmath_cosh(x.v);
    return chain_dual(x, fmath_tanh(x.v), 1 / c / c);
}

/* Its own derivative. */
static inline num_dual exp_dual(num_dual x)
{
    const double r = fmath_exp(x.v);
    return chain_dual(x, r, r);
}

static inline num_dual log_dual(num_dual x)
{
    return chain_dual(x, fmath_log(x.v), 1 / x.v);
}

/* a^b: by a it is b a^(b - 1), by b it is a^b log(a). At zeros, where the factors would be 0 times
 * infinity, the limits are written out. */
static inline num_dual pow_dual(num_dual a, num_dual b)
{
    const double r = fmath_pow(a.v, b.v);
    const double by_a = a.d == 0 || b.v == 0 ? 0 : b.v * fmath_pow(a.v, b.v - 1);
    const double by_b = b.d == 0 || (a.v == 0 && b.v > 0) ? 0 : r * fmath_log(a.v);
    return chain2_dual(a, b, r, by_a, by_b);
}

/* log2(x) = log(x) / log(2). The constants here and in log10_dual are the logarithms of the
 * bases. */
static inline num_dual log2_dual(num_dual x)
{
    return chain_dual(x, fmath_log2(x.v), 1 / (x.v * 0.69314718055994530942));
}

static inline num_dual log10_dual(num_dual x)
{
    return chain_dual(x, fmath_log10(x.v), 1 / (x.v * 2.30258509299404568402));
}

/* erf' = 2 / sqrt(pi) exp(-x^2); erfc = 1 - erf has the negative slope. */
static inline num_dual erf_dual(num_dual x)
{
    return chain_dual(x, fmath_erf(x.v), 1.1283791670955125739 * fmath_exp(-x.v * x.v));
}

static inline num_dual erfc_dual(num_dual x)
{
    return chain_dual(x, fmath_erfc(x.v), -1.1283791670955125739 * fmath_exp(-x.v * x.v));
}

/* mod(a, b) = a - b trunc(a / b), where the quotient is constant between jumps. */
static inline num_dual mod_dual(num_dual a, num_dual b)
{
    return chain2_dual(a, b, fmod(a.v, b.v), 1, -trunc(a.v / b.v));
}

/* Steps: the derivative is zero; at a jump the callers report a kink. */
#define DUAL_FLAT(name)                                                                            \
    static inline num_dual name##_dual(num_dual x)                                                 \
    {                                                                                              \
        return from_dual(name(x.v));                                                               \
    }

DUAL_FLAT(floor)
DUAL_FLAT(ceil)
DUAL_FLAT(trunc)
DUAL_FLAT(round)
DUAL_FLAT(rint)

/* a where its sign is the one wanted already, else -a: the slope by a is 1 or -1, that by b is 0.
 */
static inline num_dual copysign_dual(num_dual a, num_dual b)
{
    return signbit(a.v) == signbit(b.v) ? a : neg_dual(a);
}

#endif
