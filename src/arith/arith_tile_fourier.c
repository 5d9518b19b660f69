/* SPDX-License-Identifier: Apache-2.0 */
/* Discrete Fourier transforms of a row of complex numbers, in place and not divided by its length,
 * as Warp 1.19 native/tile_fft.h computes them without MathDx. Every operation is rounded to the
 * type of the numbers, in the order of Warp's loops.
 *
 *     1 2 3 4    ->    10, -2 + 2i, -2, -2 - 2i */
#include "arith/arith_number.h"
#include "arith/arith_tile.h"
#include "base/assert.h"
#include "fmath/fmath.h"

static const double two_pi = 6.28318530717958647692528676655900576839;

typedef struct complex_number {
    double re, im;
} complex_number;

static double rounded(type_kind k, double x)
{
    return k == TYPE_FLOAT32 ? (double)(float)x : x;
}

static size_t size_of(type_kind k)
{
    return k == TYPE_FLOAT32 ? sizeof(float) : sizeof(double);
}

static complex_number load(const tile_row *x, uint32_t i)
{
    const uint8_t *at = x->at + 2 * i * size_of(x->kind);
    return (complex_number){num_load(x->kind, at).f, num_load(x->kind, at + size_of(x->kind)).f};
}

static void store(const tile_row *x, uint32_t i, complex_number z)
{
    uint8_t *at = x->at + 2 * i * size_of(x->kind);
    num_store(x->kind, at, (num){.f = z.re});
    num_store(x->kind, at + size_of(x->kind), (num){.f = z.im});
}

static complex_number sum(type_kind k, complex_number a, complex_number b)
{
    return (complex_number){rounded(k, a.re + b.re), rounded(k, a.im + b.im)};
}

static complex_number product(type_kind k, complex_number a, complex_number b)
{
    return (complex_number){rounded(k, rounded(k, a.re * b.re) - rounded(k, a.im * b.im)),
                            rounded(k, rounded(k, a.re * b.im) + rounded(k, a.im * b.re))};
}

/* The point of the unit circle at this angle. */
static complex_number turn(type_kind k, double angle)
{
    if (k == TYPE_FLOAT32)
        return (complex_number){fmath_cosf((float)angle), fmath_sinf((float)angle)};
    return (complex_number){fmath_cos(angle), fmath_sin(angle)};
}

/* The angle between neighbours of `length` points around the circle. */
static double step_of(const tile_row *x, double length, bool inverse)
{
    const double round = rounded(x->kind, two_pi);
    return rounded(x->kind, (inverse ? round : -round) / length);
}

/* Number i changes places with the one whose binary digits are those of i from the other end. */
static void reverse_bits(const tile_row *x)
{
    for (uint32_t i = 1, j = 0; i < x->n; i++) {
        uint32_t bit = x->n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const complex_number z = load(x, i);
            store(x, i, load(x, j));
            store(x, j, z);
        }
    }
}

/* low, high = low + w high, low - w high */
static void butterfly(const tile_row *x, uint32_t low, uint32_t high, complex_number w)
{
    const complex_number a = load(x, low), b = product(x->kind, w, load(x, high));
    store(x, low, sum(x->kind, a, b));
    store(x, high, sum(x->kind, a, (complex_number){-b.re, -b.im}));
}

/* Warp's cooperative_fft_radix2, and with `alone` fft_radix2_inplace, which multiplies its way
 * around the circle. */
static void radix_2(const tile_row *x, bool inverse, bool alone)
{
    reverse_bits(x);
    for (uint32_t length = 2; length <= x->n; length *= 2) {
        const double step = step_of(x, length, inverse);
        const complex_number w1 = turn(x->kind, step);
        for (uint32_t first = 0; first < x->n; first += length) {
            complex_number w = {1, 0};
            for (uint32_t i = 0; i < length / 2; i++) {
                if (!alone)
                    w = turn(x->kind, rounded(x->kind, step * i));
                butterfly(x, first + i, first + i + length / 2, w);
                if (alone)
                    w = product(x->kind, w, w1);
            }
        }
    }
}

/* By the definition: fft_dft_inplace. */
static void by_sums(const tile_row *x, bool inverse, uint8_t *work)
{
    const type_kind k = x->kind;
    const tile_row out = {k, work, x->n};
    const double step = step_of(x, x->n, inverse);
    for (uint32_t i = 0; i < x->n; i++) {
        complex_number z = {0, 0};
        for (uint32_t j = 0; j < x->n; j++) {
            const double angle = rounded(k, rounded(k, step * i) * j);
            z = sum(k, z, product(k, turn(k, angle), load(x, j)));
        }
        store(&out, i, z);
    }
    for (uint32_t i = 0; i < x->n; i++)
        store(x, i, load(&out, i));
}

uint64_t tile_fourier_steps(uint32_t n)
{
    uint64_t log = 1;
    while (n >> log)
        log++;
    return n & (n - 1) ? (uint64_t)n * n : n * log;
}

void tile_fourier(const tile_row *x, bool inverse, bool alone, uint8_t *work)
{
    const bool power = x->n && !(x->n & (x->n - 1));
    WEFT_ASSERT(x->kind == TYPE_FLOAT32 || x->kind == TYPE_FLOAT64);
    WEFT_ASSERT(power || alone);
    if (power)
        radix_2(x, inverse, alone);
    else
        by_sums(x, inverse, work);
}
