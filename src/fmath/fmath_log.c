/* SPDX-License-Identifier: Apache-2.0 */
/* Logarithms, and powers, which are made of them. Example: log(10) is 0x1.26bb1bbb55516p+1.
 *
 * x = 2^e * m with m in [0.7, 1.42), and a number c of 12 bits with |m c - 1| < 1/128 is in a
 * table (fmath_log.def, 93 rows) together with -log(c): log(x) = e ln2 - log(c) + log(1 + r),
 * where r = m c - 1 is exact as a pair (the method of Tang, "Table-driven implementation of the
 * logarithm function", 1990). Terms up to r^3 / 3 of log(1 + r) are pairs, the others doubles:
 * they are 2^-23 of r, so the error is about 2^-76. Near 1, c is 1 and e is 0, so that small
 * results keep their digits. */
#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"
#include "fmath/fmath.h"
#include "fmath/fmath_internal.h"

enum { FIRST = 90, ROWS = 93 }; /* row i is for m next to (FIRST + i) / 128 */

typedef struct log_row {
    double c;
    pair log; /* -log(c) */
} log_row;

static const log_row rows[ROWS] = {
#define ROW(c, hi, lo) {c, {hi, lo}},
#include "fmath/fmath_log.def"
#undef ROW
};

/* log(1 + r) by its Taylor polynomial of degree 11; the next term is below 2^-87. */
static pair log_near_1(pair r)
{
    static const pair third = {THIRD_HI, THIRD_LO};
    const double x = r.hi, square = x * x;
    const double rest =
        square * square *
        (-1.0 / 4 +
         x * (1.0 / 5 +
              x * (-1.0 / 6 +
                   x * (1.0 / 7 + x * (-1.0 / 8 + x * (1.0 / 9 + x * (-1.0 / 10 + x / 11)))))));
    const pair r2 = pair_mul(r, r), r3 = pair_mul(pair_mul(r2, r), third);
    pair sum = pair_add_double(r3, rest);
    sum = pair_add_less(pair_scale(r2, -0.5), sum);
    return pair_add_less(r, sum);
}

/* The natural logarithm of a finite x > 0. e * LN2_1 is exact, as LN2_1 has 42 bits. */
static pair log_pair(double x)
{
    WEFT_ASSERT(x > 0 && x < INFINITY);
    int e;
    double m = frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1) { /* sqrt(1/2) */
        m *= 2;
        e--;
    }
    const log_row *row = &rows[(int)rint(m * 128) - FIRST];
    WEFT_ASSERT(row >= rows && row < rows + ROWS);
    const pair product = pair_of_product(m, row->c);
    const pair sum = log_near_1(pair_of_sum(product.hi - 1, product.lo));
    const pair whole = pair_renormalize(e * LN2_1, e * LN2_2); /* the first product is exact */
    return pair_add_less(pair_add_less(whole, row->log), sum);
}

/* The result for an x that is no positive finite number: -infinity, infinity or NaN. */
static double log_of_other(double x)
{
    if (x == 0)
        return -INFINITY;
    return x > 0 ? x : x != x ? x + x : (double)NAN;
}

double fmath_log(double x)
{
    if (!(x > 0 && x < INFINITY))
        return log_of_other(x);
    return fmath_rounded(log_pair(x), 0);
}

/* Exact powers of two give exact results: the product is rounded once, from 100 bits. */
double fmath_log2(double x)
{
    static const pair factor = {BY_LN2_HI, BY_LN2_LO};
    if (!(x > 0 && x < INFINITY))
        return log_of_other(x);
    return fmath_rounded(pair_mul(log_pair(x), factor), 0);
}

double fmath_log10(double x)
{
    static const pair factor = {BY_LN10_HI, BY_LN10_LO};
    if (!(x > 0 && x < INFINITY))
        return log_of_other(x);
    return fmath_rounded(pair_mul(log_pair(x), factor), 0);
}

/* --- powers -------------------------------------------------------------------------------- */

/* Is y an odd integer? Only then is the sign of x kept. From 2^53 on all doubles are even. */
static bool is_odd(double y)
{
    return fabs(y) < 0x1p53 && y == trunc(y) && ((int64_t)y & 1);
}

/* x^y for x >= 0, neither NaN: e^(y log(x)). The error of the logarithm grows by |y log(x)| < 746,
 * so 76 bits become 66, which is enough for 0.51 units. Far outside of the range the pairs are not
 * tried. */
static double power_of_size(double x, double y)
{
    int exponent;
    if (x == 1)
        return 1;
    if (x == 0 || x == INFINITY || fabs(y) == INFINITY)
        return (x > 1) == (y > 0) ? INFINITY : 0;
    const pair log = log_pair(x);
    const double estimate = log.hi * y;
    if (estimate > 710)
        return INFINITY;
    if (estimate < -746)
        return 0;
    const pair r = fmath_exp_pair(pair_mul_double(log, y), &exponent);
    return fmath_rounded(r, exponent);
}

/* Signs and special cases of C's Annex F (F.10.4.4): pow(-2, 3) is -8, pow(-2, 0.5) NaN, pow(NaN,
 * 0) 1. */
double fmath_pow(double x, double y)
{
    if (x == 1 || y == 0)
        return 1;
    if (x != x || y != y)
        return x + y;
    const double r = power_of_size(fabs(x), y);
    if (!signbit(x))
        return r;
    if (x < 0 && x > -INFINITY && fabs(y) < INFINITY && y != trunc(y))
        return (double)NAN;
    return is_odd(y) ? -r : r;
}
