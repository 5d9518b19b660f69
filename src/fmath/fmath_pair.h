/* SPDX-License-Identifier: Apache-2.0 */
/* Double-double arithmetic: a number as the unevaluated sum of two doubles, 106 bits. Example: 1/3
 * as a pair is {0x1.5555555555555p-2, 0x1.5555555555555p-56}.
 *
 * pair_of_sum and pair_of_product are exact (Knuth, The Art of Computer Programming 4.2.2; Dekker,
 * "A floating-point technique for extending the available precision", 1971): pair_of_product(a, b)
 * is {a * b rounded, the rounding error}. The others lose some units of the last of 106 bits. `hi`
 * is always the sum rounded to a double.
 *
 * A machine that multiplies and adds in one instruction finds the same error of a product by it.
 * The compiler must not fuse on its own (-ffp-contract=off), or the error terms would be wrong.
 *
 * Needs: no overflow; |a|, |b| < 2^995 in products, since Dekker's split multiplies by 2^27.
 * Errors below 2^-1022 underflow. */
#ifndef WEFT_FMATH_FMATH_PAIR_H
#define WEFT_FMATH_FMATH_PAIR_H

#include <math.h>

/* The number hi + lo, with |lo| at most half a unit in the last place of hi. */
typedef struct pair {
    double hi, lo;
} pair;

/* a + b exactly, whichever is larger (two-sum, six operations). */
static inline pair pair_of_sum(double a, double b)
{
    const double s = a + b, part = s - a;
    return (pair){s, (a - (s - part)) + (b - part)};
}

/* The same where |a| >= |b|, or a is 0 (fast two-sum, three operations). */
static inline pair pair_renormalize(double a, double b)
{
    const double s = a + b;
    return (pair){s, b - (s - a)};
}

/* a * b exactly. Without fma both factors are cut into halves of 26 bits, whose products are
 * exact. */
#ifdef __FP_FAST_FMA
static inline pair pair_of_product(double a, double b)
{
    const double p = a * b;
    return (pair){p, fma(a, b, -p)};
}
#else
static inline pair pair_of_product(double a, double b)
{
    const double split = 134217729.0; /* 2^27 + 1 */
    const double ca = split * a, cb = split * b;
    const double a1 = ca - (ca - a), b1 = cb - (cb - b), a2 = a - a1, b2 = b - b1;
    const double p = a * b;
    return (pair){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}
#endif

/* Exact, as pair_scale is. */
static inline pair pair_neg(pair a)
{
    return (pair){-a.hi, -a.lo};
}

static inline pair pair_scale(pair a, double power_of_two)
{
    return (pair){a.hi * power_of_two, a.lo * power_of_two};
}

/* The sum, with an error of about 2^-104 of it, also where hi parts cancel. */
static inline pair pair_add(pair a, pair b)
{
    pair s = pair_of_sum(a.hi, b.hi);
    const pair t = pair_of_sum(a.lo, b.lo);
    s = pair_renormalize(s.hi, s.lo + t.hi);
    return pair_renormalize(s.hi, s.lo + t.lo);
}

/* The sum where |a| >= |b|, or a is 0. */
static inline pair pair_add_less(pair a, pair b)
{
    const pair s = pair_renormalize(a.hi, b.hi);
    return pair_renormalize(s.hi, s.lo + (a.lo + b.lo));
}

static inline pair pair_add_double(pair a, double b)
{
    const pair s = pair_of_sum(a.hi, b);
    return pair_renormalize(s.hi, s.lo + a.lo);
}

/* The product without a.lo * b.lo, which is below the last bit. */
static inline pair pair_mul(pair a, pair b)
{
    const pair p = pair_of_product(a.hi, b.hi);
    return pair_renormalize(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline pair pair_mul_double(pair a, double b)
{
    const pair p = pair_of_product(a.hi, b);
    return pair_renormalize(p.hi, p.lo + a.lo * b);
}

/* One step of long division: the quotient of the hi parts, then the rest's. */
static inline pair pair_div(pair a, pair b)
{
    const double q = a.hi / b.hi;
    const pair rest = pair_add(a, pair_neg(pair_mul_double(b, q)));
    return pair_renormalize(q, rest.hi / b.hi);
}

/* The root of a > 0: one step of Newton's method from the rounded root. */
static inline pair pair_sqrt(pair a)
{
    const double root = sqrt(a.hi);
    const pair rest = pair_add(a, pair_neg(pair_of_product(root, root)));
    return pair_renormalize(root, rest.hi / (2 * root));
}

#endif
