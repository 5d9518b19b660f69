/* SPDX-License-Identifier: Apache-2.0 */
/* The error function and its complement. Example: erf(1) is 0x1.af767a741088bp-1, and erfc(1) is 1
 * less that, but erfc(6) keeps all its digits although erf(6) rounds to 1.
 *
 * For |x| < 6, x = a + h with a = i / 16, and erfc(a + h) = erfc(a) - 2 / sqrt(pi) e^(-a^2) s,
 * where s is the integral of e^(-2 a t - t^2) for t from 0 to h, |h| <= 1/32; its Taylor series is
 * summed up. erfc(a) and the factor are a table's (fmath_erfc.def, 97 rows). From 6 on erf is 1,
 * and from 4 on erfc is a continued fraction (Abramowitz and Stegun 7.1.14).
 *
 * Where erfc is smallest in the table's range, near 4, the doubles in the series cause an error of
 * about 2^-61 of the result. */
#include "base/assert.h"
#include "fmath/fmath.h"
#include "fmath/fmath_internal.h"

enum {
    STEPS = 16,
    ERF_IS_1 = 6,
    SERIES_END = 4,
    DEPTH = 40
}; /* rows for each unit of x; from where erf is 1; where erfc's fraction begins; its depth */

typedef struct erfc_row {
    pair at, slope; /* erfc(a), and by what factor it falls */
} erfc_row;

static const erfc_row rows[] = {
#define ROW(hi, lo, slope, slope_lo) {{hi, lo}, {slope, slope_lo}},
#include "fmath/fmath_erfc.def"
#undef ROW
};

/* s = h - a h^2 + ...; the first two terms as pairs, the third and those behind it as doubles. The
 * Taylor coefficients g_n of the integrand follow from each other, (n + 1) g_(n+1) = -2 a g_n - 2
 * g_(n-1); here they are times h^(n + 1). The sum ends where two terms in a row are below 2^-76 of
 * h. */
static pair integral(double a, double h)
{
    WEFT_ASSERT(a >= 0 && fabs(h) <= 1.0 / 32);
    const double end = fabs(h) * 0x1p-76;
    double before = h, g = -2 * a * h * h, rest = 0; /* times h^(n + 1) */
    for (int n = 1; fabs(before) + fabs(g) > end; n++) {
        const double next = -2 * h * (a * g + h * before) / (n + 1);
        before = g;
        g = next;
        rest += g / (n + 2);
    }
    const pair second = pair_mul_double(pair_of_product(h, h), -a);
    return pair_add(pair_add_double(second, rest), (pair){h, 0});
}

/* For 0 <= x <= ERF_IS_1: *at is erfc(a), and erfc(x) is less by *fallen. erf needs 1 - erfc(a) +
 * fallen, without rounding in between. */
static void complement(double x, pair *at, pair *fallen)
{
    WEFT_ASSERT(x >= 0 && x <= ERF_IS_1);
    const int i = (int)rint(x * STEPS);
    const double a = (double)i / STEPS;
    *at = rows[i].at;
    *fallen = pair_mul(rows[i].slope, integral(a, x - a));
}

/* Near 0 erf(x) is 2 / sqrt(pi) x; x is scaled there, as the errors of products would be
 * subnormal. */
double fmath_erf(double x)
{
    pair at, fallen;
    const double size = fabs(x);
    if (!(size < ERF_IS_1))
        return size != size ? x + x : copysign(1, x);
    if (size < 0x1p-300) /* where errors of products would be lost */
        return fmath_rounded(pair_mul_double(rows[0].slope, x * 0x1p+800), -800);
    complement(size, &at, &fallen);
    const pair rest = pair_add_double(pair_neg(at), 1);
    return copysign(fmath_rounded(pair_add(rest, fallen), 0), x);
}

/* erfc(x) = e^(-x^2) / sqrt(pi) / (x + (1/2) / (x + 1 / (x + (3/2) / (x + ...)))), from the 40th
 * denominator upwards, which is more than enough at x = 4. */
static double complement_far(double x)
{
    WEFT_ASSERT(x >= SERIES_END);
    static const pair factor = {BY_ROOT_PI_HI, BY_ROOT_PI_LO};
    int exponent;
    pair bottom = {x, 0};
    for (int n = DEPTH; n > 0; n--)
        bottom = pair_add_double(pair_div((pair){n * 0.5, 0}, bottom), x);
    const pair e = fmath_exp_pair(pair_neg(pair_of_product(x, x)), &exponent);
    return fmath_rounded(pair_div(pair_mul(e, factor), bottom), exponent);
}

/* Beyond 27.3 the result is less than half of the smallest subnormal number. erfc(-x) = 2 -
 * erfc(x). */
double fmath_erfc(double x)
{
    pair at, fallen;
    if (!(x < SERIES_END))
        return x != x ? x + x : x > 27.3 ? 0 : complement_far(x);
    if (x < -ERF_IS_1)
        return 2;
    complement(fabs(x), &at, &fallen);
    const pair r = pair_add(at, pair_neg(fallen));
    return fmath_rounded(x < 0 ? pair_add_double(pair_neg(r), 2) : r, 0);
}
