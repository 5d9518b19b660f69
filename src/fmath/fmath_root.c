/* SPDX-License-Identifier: Apache-2.0 */
/* The cube root, and the length of a vector of two. Examples: cbrt(-27) is -3, hypot(3e200, 4e200)
 * is 5e200 although the squares overflow. */
#include "base/assert.h"
#include "fmath/fmath.h"
#include "fmath/fmath_internal.h"

/* The cube root of m in [1/8, 1): three steps of Halley's method, each of which triples the number
 * of right digits, from a parabola's estimate; then one of Newton's with the rest computed in
 * pairs. */
static pair cube_root(double m)
{
    WEFT_ASSERT(m >= 0.125 && m < 1);
    double y = 0.396 + m * (1.09 - 0.497 * m);
    for (int i = 0; i < 3; i++) {
        const double cube = y * y * y;
        y *= (cube + 2 * m) / (2 * cube + m);
    }
    const pair cube = pair_mul_double(pair_of_product(y, y), y);
    const double rest = pair_add_double(pair_neg(cube), m).hi;
    return pair_renormalize(y, rest / (3 * y * y));
}

/* x = m * 2^(3 third) with m in [1/8, 1). */
double fmath_cbrt(double x)
{
    int e;
    if (x == 0 || !(fabs(x) < INFINITY))
        return x + x;
    const double m = frexp(fabs(x), &e);
    const int third = (e + 3000 + 2) / 3 - 1000; /* of e, rounded up */
    return copysign(fmath_rounded(cube_root(ldexp(m, e - 3 * third)), third), x);
}

/* Scaled by a power of two, so that nothing overflows; the sum of the exact squares is a pair. */
double fmath_hypot(double x, double y)
{
    int e;
    const double a = fabs(x), b = fabs(y), most = a > b ? a : b;
    if (a == INFINITY || b == INFINITY)
        return INFINITY;
    if (a != a || b != b)
        return x + y;
    if (most == 0)
        return 0;
    frexp(most, &e);
    const double u = ldexp(a, -e), v = ldexp(b, -e);
    const pair sum = pair_add(pair_of_product(u, u), pair_of_product(v, v));
    return fmath_rounded(pair_sqrt(sum), e);
}
