/* SPDX-License-Identifier: Apache-2.0 */
/* Arc functions: all are the angle of a point. Example: asin(x) is the angle of (sqrt(1 - x^2),
 * x), acos(x) that of (x, sqrt(1 - x^2)), atan(x) that of (1, x).
 *
 * For 0 <= y <= x and i / 64 next to y / x, atan(y / x) = atan(i / 64) + atan(z) with z = (y - x i
 * / 64) / (x + y i / 64) and |z| <= 1/128: a table's entry (fmath_atan.def, 65 rows) and the
 * Taylor polynomial. z is a pair; the terms from z^3 / 3 on are 2^-15 of it at most, so computing
 * them as doubles costs an error of 2^-68; the first term that is left out, z^13 / 13, is 2^-87 of
 * it. */
#include "base/assert.h"
#include "fmath/fmath.h"
#include "fmath/fmath_internal.h"

/* atan(i / 64) for i = 0 .. 64. */
static const pair rows[] = {
#define ROW(hi, lo) {hi, lo},
#include "fmath/fmath_atan.def"
#undef ROW
};

static const pair half_pi = {HALF_PI_HI, HALF_PI_LO}, pi = {PI_HI, PI_LO};

/* atan(y / x) for 0 <= y <= x, x > 0. */
static pair angle_below_diagonal(pair y, pair x)
{
    WEFT_ASSERT(0 <= y.hi && y.hi <= x.hi && x.hi > 0);
    const int i = (int)rint(y.hi / x.hi * 64);
    const double t = i / 64.0;
    const pair z =
        pair_div(pair_add(y, pair_mul_double(x, -t)), pair_add(x, pair_mul_double(y, t)));
    const double square = z.hi * z.hi;
    const double rest =
        z.hi * square *
        (-1.0 / 3 + square * (1.0 / 5 + square * (-1.0 / 7 + square * (1.0 / 9 - square / 11))));
    return pair_add_less(rows[i], pair_add_double(z, rest));
}

/* The angle of the point (x, y), in [0, pi], where y >= 0, and x or y lies in [0.5, 1) or (-1,
 * -0.5] and is the larger by magnitude: mirrored at the diagonal and at the y axis until it is
 * below the diagonal. */
static pair angle_pair(pair y, pair x)
{
    const pair size = x.hi < 0 ? pair_neg(x) : x;
    const pair r = y.hi > size.hi ? pair_add(half_pi, pair_neg(angle_below_diagonal(size, y)))
                                  : angle_below_diagonal(y, size);
    return x.hi < 0 ? pair_add(pi, pair_neg(r)) : r;
}

/* Scaled so that the larger side is below 1. For tiny x atan(x) rounds to x, for huge x to pi / 2.
 */
double fmath_atan(double x)
{
    int e;
    const double size = fabs(x);
    if (size != size || size < 0x1p-27)
        return x;
    if (size > 0x1p60)
        return copysign(half_pi.hi, x);
    frexp(size, &e);
    e = e > 1 ? e : 1;
    const pair r = angle_pair((pair){ldexp(size, -e), 0}, (pair){ldexp(1, -e), 0});
    return copysign(fmath_rounded(r, 0), x);
}

/* sqrt(1 - x^2) of |x| < 1. As x^2 is exact, nothing is lost near 1. */
static pair other_side(double x)
{
    return pair_sqrt(pair_add_double(pair_neg(pair_of_product(x, x)), 1));
}

/* Beyond 1 the result is NaN, made by 0 / 0 so that the invalid flag is raised as C wants. */
double fmath_asin(double x)
{
    const double size = fabs(x);
    if (!(size < 1))
        return size == 1 ? copysign(half_pi.hi, x) : (x - x) / (x - x);
    if (size < 0x1p-27)
        return x;
    return copysign(fmath_rounded(angle_pair((pair){size, 0}, other_side(x)), 0), x);
}

double fmath_acos(double x)
{
    if (!(fabs(x) < 1))
        return x == 1 ? 0 : x == -1 ? pi.hi : (x - x) / (x - x);
    return fmath_rounded(angle_pair(other_side(x), (pair){x, 0}), 0);
}

/* The angle for y >= 0 and any x, where one of them is 0 or infinite: the values of C's Annex F
 * (F.10.1.4). */
static double angle_of_edge(double y, double x)
{
    if (y == INFINITY)
        return x == INFINITY ? half_pi.hi / 2 : x == -INFINITY ? 0x1.2d97c7f3321d2p+1 : half_pi.hi;
    if (y == 0 || fabs(x) == INFINITY)
        return signbit(x) ? pi.hi : 0;
    return half_pi.hi;
}

/* The angle for y > 0 and x, finite and not 0. Where one side is more than 2^64 of the other, the
 * result is that of the limit, and y / x itself near 0. */
static double angle(double y, double x)
{
    int ey, ex;
    double my = frexp(y, &ey), mx = frexp(x, &ex);
    if (ey - ex > 64)
        return half_pi.hi;
    if (ex - ey > 64)
        return x < 0 ? pi.hi : y / x;
    if (ey > ex)
        mx = ldexp(mx, ex - ey);
    else
        my = ldexp(my, ey - ex);
    return fmath_rounded(angle_pair((pair){my, 0}, (pair){mx, 0}), 0);
}

double fmath_atan2(double y, double x)
{
    const double size = fabs(y);
    if (x != x || y != y)
        return x + y;
    if (size == 0 || x == 0 || size == INFINITY || fabs(x) == INFINITY)
        return copysign(angle_of_edge(size, x), y);
    return copysign(angle(size, x), y);
}
