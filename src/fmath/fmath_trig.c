/* SPDX-License-Identifier: Apache-2.0 */
/* Sine, cosine and tangent. Example: sin(1) is 0x1.aed548f090ceep-1, and sin(1e22), whose argument
 * is a multiple of 2^22, is right to the last digit too.
 *
 * x = n * pi / 2 + r with |r| <= pi / 4, and r = i / 64 + u with |u| <= 1/128. sin(i / 64) and
 * cos(i / 64) are in a table (fmath_sin.def, 52 rows), sin(u) and cos(u) are Taylor polynomials,
 * and the sum formulas do the rest. In sin(u) the terms from u^3 / 6 on are doubles, 2^-16 of u at
 * most: an error of 2^-69.
 *
 * Up to 2^20, pi / 2 is subtracted in four parts, the first two of 33 bits, so that their products
 * with n are exact (Cody and Waite). Larger x are reduced by as many bits of 2 / pi as matter
 * (Payne and Hanek, "Radian reduction for trigonometric functions", 1983). */
#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"
#include "fmath/fmath.h"
#include "fmath/fmath_internal.h"

/* A row of the table. */
typedef struct sin_cos {
    pair sin, cos;
} sin_cos;

static const sin_cos rows[] = {
#define ROW(s, s_lo, c, c_lo) {{s, s_lo}, {c, c_lo}},
#include "fmath/fmath_sin.def"
#undef ROW
};

static const uint64_t two_by_pi[] = {
#define WORD(bits) bits,
#include "fmath/fmath_two_by_pi.def"
#undef WORD
};

__extension__ typedef unsigned __int128 uint128;

/* Four words of 2 / pi from `from` on, times m < 2^53: 5 words from *out on, the lowest first. */
static void multiply(uint64_t m, int from, uint64_t *out)
{
    WEFT_ASSERT(from >= 0 && from + 4 <= (int)(sizeof two_by_pi / sizeof *two_by_pi));
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) {
        const uint128 p = (uint128)m * two_by_pi[from + 3 - i] + carry;
        out[i] = (uint64_t)p;
        carry = (uint64_t)(p >> 64);
    }
    out[4] = carry;
}

/* 64 bits of a number of words (lowest first) from bit `at` on. */
static uint64_t bits_at(const uint64_t *words, int at)
{
    WEFT_ASSERT(at >= 0 && at < 5 * 64);
    const int word = at / 64, bit = at % 64;
    return bit ? words[word] >> bit | words[word + 1] << (64 - bit) : words[word];
}

/* The 128 bits hi:lo behind the binary point as a pair: 53 + 53 + 22 bits, each exact. */
static pair fraction_of(uint64_t hi, uint64_t lo)
{
    const pair top = pair_of_sum((double)(hi >> 11) * 0x1p-53,
                                 (double)((hi & 0x7ff) << 42 | lo >> 22) * 0x1p-106);
    return pair_add_double(top, (double)(lo & 0x3fffff) * 0x1p-128);
}

/* r and the quadrant of x > 2^20. x = m * 2^e: words of 2 / pi that give multiples of 4 are left
 * out, and behind the next four nothing matters. The two bits in front of the point are the
 * quadrant; a fraction of 1/2 or more is counted back from the next one. */
static pair reduced_by_words(double x, int *quadrant)
{
    static const pair half_pi = {HALF_PI_HI, HALF_PI_LO};
    int e;
    const uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53);
    e -= 53;
    const int from = e < 2 ? 0 : (e - 2) / 64, point = 64 * (from + 4) - e;
    uint64_t p[6] = {0};
    multiply(m, from, p);
    uint64_t hi = bits_at(p, point - 64), lo = bits_at(p, point - 128);
    const unsigned whole = (unsigned)bits_at(p, point) & 3;
    const int up = (int)(hi >> 63); /* the fraction is 1/2 or more: the next quadrant's */
    *quadrant = (int)(whole + (unsigned)up) & 3;
    if (up) {
        lo = ~lo + 1;
        hi = ~hi + (lo == 0);
    }
    const pair r = pair_mul(fraction_of(hi, lo), half_pi);
    return up ? pair_neg(r) : r;
}

/* r and the quadrant (n modulo 4) for x >= 0. */
static pair reduced(double x, int *quadrant)
{
    *quadrant = 0;
    if (x <= 0x1.921fb54442d18p-1) /* pi / 4 */
        return (pair){x, 0};
    if (x > 0x1p20)
        return reduced_by_words(x, quadrant);
    const double n = rint(x * 0x1.45f306dc9c883p-1); /* 2 / pi */
    *quadrant = (int)n & 3;
    pair r = pair_of_sum(x - n * HALF_PI_1, -n * HALF_PI_2); /* both products are exact */
    r = pair_add(r, pair_of_product(n, -HALF_PI_3));
    return pair_add_double(r, -n * HALF_PI_4);
}

/* r = i / 64 + u: the table's row i, the sine of u, and its cosine less 1. */
typedef struct split {
    const sin_cos *row;
    pair sine, versed;
} split;

/* r in [0, pi / 4 and a little]: 52 rows. */
static split split_of(pair r)
{
    const int i = (int)rint(r.hi * 64);
    const pair u = pair_add_double(r, -i / 64.0), square = pair_mul(u, u);
    const double s = square.hi;
    const double sin_rest =
        u.hi * s * (-1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 + s / 362880)));
    const double cos_rest = s * s * (1.0 / 24 + s * (-1.0 / 720 + s / 40320));
    return (split){&rows[i], pair_add_double(u, sin_rest),
                   pair_add_double(pair_scale(square, -0.5), cos_rest)};
}

/* sin(i/64 + u) = sin(i/64) + (cos(i/64) sin(u) + sin(i/64) (cos(u) - 1)), the largest part last.
 */
static pair sine_of(const split *of)
{
    const pair a = pair_mul(of->row->cos, of->sine), b = pair_mul(of->row->sin, of->versed);
    return pair_add_less(of->row->sin, pair_add_less(a, b));
}

static pair cosine_of(const split *of)
{
    const pair a = pair_mul(of->row->sin, of->sine), b = pair_mul(of->row->cos, of->versed);
    return pair_add_less(of->row->cos, pair_add(b, pair_neg(a)));
}

/* The sine of quadrant * pi / 2 + r; the cosine is that of the next quadrant. */
static pair turned_sine(pair r, int quadrant)
{
    const bool negative = r.hi < 0;
    const split of = split_of(negative ? pair_neg(r) : r);
    if (quadrant & 1)
        r = cosine_of(&of);
    else
        r = negative ? pair_neg(sine_of(&of)) : sine_of(&of);
    return quadrant & 2 ? pair_neg(r) : r;
}

double fmath_sin(double x)
{
    int quadrant;
    const double size = fabs(x);
    if (!(size < INFINITY))
        return x - x;
    if (size < 0x1p-27)
        return x;
    const pair rest = reduced(size, &quadrant);
    const double r = fmath_rounded(turned_sine(rest, quadrant), 0);
    return x < 0 ? -r : r;
}

double fmath_cos(double x)
{
    int quadrant;
    const double size = fabs(x);
    if (!(size < INFINITY))
        return x - x;
    const pair rest = reduced(size, &quadrant);
    return fmath_rounded(turned_sine(rest, quadrant + 1), 0);
}

/* The quotient of the pairs is rounded once. */
double fmath_tan(double x)
{
    int quadrant;
    const double size = fabs(x);
    if (!(size < INFINITY))
        return x - x;
    if (size < 0x1p-27)
        return x;
    const pair rest = reduced(size, &quadrant);
    const pair sine = turned_sine(rest, quadrant), cosine = turned_sine(rest, quadrant + 1);
    const double r = fmath_rounded(pair_div(sine, cosine), 0);
    return x < 0 ? -r : r;
}
