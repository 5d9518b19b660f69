/* SPDX-License-Identifier: Apache-2.0 */
/* e^x, and the hyperbolic functions, which are made of it. Example: exp(1) is
 * 0x1.5bf0a8b145769p+1.
 *
 * x = n * ln2 / 64 + r with |r| <= ln2 / 128, so that e^x = 2^(n / 64) * e^r: the first factor is
 * a table's entry (fmath_exp.def, 64 rows) times a power of two, the second a Taylor polynomial
 * (the method of Tang, "Table-driven implementation of the exponential function", 1989). ln2 / 64
 * is subtracted in two parts, the first of 32 bits, so that its product with n is exact (Cody and
 * Waite).
 *
 * Terms up to r^2 / 2 are pairs; those that follow are 2^-25 of the sum at most, and a double
 * holds 53 bits of them: an error below 2^-76. The first term that is left out, r^9 / 9!, is below
 * 2^-86. */
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "fmath/fmath.h"
#include "fmath/fmath_internal.h"

enum { STEPS = 64 }; /* rows of the table */

static const pair powers[STEPS] = {
#define ROW(hi, lo) {hi, lo},
#include "fmath/fmath_exp.def"
#undef ROW
};

/* e^r - 1, not e^r, so that expm1_pair loses nothing for small r. */
static pair grown(pair r)
{
    const double x = r.hi, square = x * x;
    const double rest =
        square * x *
        (1.0 / 6 +
         x * (1.0 / 24 + x * (1.0 / 120 + x * (1.0 / 720 + x * (1.0 / 5040 + x / 40320)))));
    pair half = pair_scale(pair_mul(r, r), 0.5);
    half = pair_add_double(half, rest);
    return pair_add_less(r, half);
}

/* Reduces x: returns r of the head of this file, and 2^(n / 64) as *power * 2^*exponent. n is at
 * most 1100 * 93, so n * LN2_BY_64_1 has 49 bits. */
static pair reduced(pair x, const pair **power, int *exponent)
{
    const double n = rint(x.hi * (STEPS / 0x1.62e42fefa39efp-1));
    const int whole = (int)n, step = whole & (STEPS - 1);
    const pair low = pair_of_product(n, -LN2_BY_64_2);
    *power = &powers[step];
    *exponent = (whole - step) / STEPS;
    pair r =
        pair_of_sum(x.hi - n * LN2_BY_64_1, low.hi); /* the difference and the product are exact */
    return pair_renormalize(r.hi, r.lo + (x.lo + low.lo));
}

/* power * e^r = power + power * (e^r - 1). */
pair fmath_exp_pair(pair x, int *exponent)
{
    WEFT_ASSERT(fabs(x.hi) < 1100);
    const pair *power;
    const pair r = reduced(x, &power, exponent);
    return pair_add_less(*power, pair_mul(*power, grown(r)));
}

/* 2^exponent, a normal number: its bits are put together, which is faster than ldexp. */
static double power_of_two(int exponent)
{
    WEFT_ASSERT(exponent > -1023 && exponent < 1024);
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* r * 2^exponent, a subnormal number. These are multiples of 2^-1074, so it is rounded to an
 * integer in that unit; rounding first to 53 bits would round twice. */
static double rounded_to_subnormal(pair r, int exponent)
{
    const double hi = ldexp(r.hi, exponent + 1074), lo = ldexp(r.lo, exponent + 1074);
    double n = rint(hi);
    const double rest = hi - n + lo;
    n += rest > 0.5 ? 1 : rest < -0.5 ? -1 : 0;
    return ldexp(n, -1074);
}

/* hi + lo is the pair rounded; multiplying by a power of two is exact for normal results. */
double fmath_rounded(pair r, int exponent)
{
    double x = r.hi + r.lo;
    if (exponent)
        x = exponent > -1022 && exponent < 1024 ? x * power_of_two(exponent) : ldexp(x, exponent);
    return fabs(x) < 0x1p-1022 ? rounded_to_subnormal(r, exponent) : x;
}

/* The limits are the logarithms of the largest double and of half of the smallest one. */
double fmath_exp(double x)
{
    int exponent;
    if (!(x < 709.79))
        return x + INFINITY; /* NaN stays NaN */
    if (x < -745.14)
        return 0;
    const pair r = fmath_exp_pair((pair){x, 0}, &exponent);
    return fmath_rounded(r, exponent);
}

/* e^x - 1 for 0 <= x < 45. Near 0 it is grown(r) alone, so that no digits cancel. */
static pair expm1_pair(double x)
{
    WEFT_ASSERT(x >= 0 && x < 45);
    int exponent;
    const pair *power;
    const pair r = reduced((pair){x, 0}, &power, &exponent), g = grown(r);
    if (power == powers && exponent == 0)
        return g;
    const pair p = pair_scale(*power, power_of_two(exponent));
    return pair_add(pair_add_double(p, -1), pair_mul(p, g));
}

enum { NO_INVERSE = 40 }; /* from here on, e^-x is nothing beside e^x */

/* e^x / 2, and infinity where that is too large: sinh and cosh are finite a little further than
 * exp. */
static double half_exp(double x)
{
    int exponent;
    if (!(x < 710.5))
        return x + INFINITY;
    const pair r = fmath_exp_pair((pair){x, 0}, &exponent);
    return fmath_rounded(r, exponent - 1);
}

/* (m + m / (m + 1)) / 2 where m = e^x - 1: accurate for small x, where e^x - e^-x would cancel. */
double fmath_sinh(double x)
{
    const double size = fabs(x);
    if (!(size < NO_INVERSE))
        return copysign(half_exp(size), x);
    if (size < 0x1p-28)
        return x;
    const pair m = expm1_pair(size), r = pair_add(m, pair_div(m, pair_add_double(m, 1)));
    return copysign(fmath_rounded(r, -1), x);
}

/* 1 + m^2 / (2 m + 2) where m = e^x - 1. */
double fmath_cosh(double x)
{
    const double size = fabs(x);
    if (!(size < NO_INVERSE))
        return half_exp(size);
    const pair m = expm1_pair(size);
    const pair r = pair_div(pair_mul(m, m), pair_add_double(m, 1));
    return fmath_rounded(pair_add_double(pair_scale(r, 0.5), 1), 0);
}

/* m / (m + 2) where m = e^(2x) - 1; from 20 on it rounds to 1. */
double fmath_tanh(double x)
{
    const double size = fabs(x);
    if (!(size < NO_INVERSE / 2))
        return size != size ? x + x : copysign(1, x);
    if (size < 0x1p-28)
        return x;
    const pair m = expm1_pair(2 * size);
    return copysign(fmath_rounded(pair_div(m, pair_add_double(m, 2)), 0), x);
}
