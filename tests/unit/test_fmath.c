/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions: the same bits in every build and on every machine, exact where results are,
 * and C's special values. tests/fmath/fmath_check.py measures their errors. */
#include "fmath/fmath.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"

enum { POINTS = 200000 };

typedef struct digest {
    uint64_t h;
} digest;

/* Any NaN is like any other: its sign depends on the machine. */
static void put(digest *d, double x)
{
    uint64_t bits;
    if (x != x)
        x = 0.125;
    memcpy(&bits, &x, sizeof bits);
    d->h = (d->h ^ bits) * UINT64_C(1099511628211);
    d->h ^= d->h >> 31;
}

/* Any bits, numbers up to 8, and up to 1, in turn. */
static double draw(rng *r, int i)
{
    const uint64_t bits = rng_next(r);
    double x;
    if (i % 3)
        return (double)(int64_t)bits * (i % 3 == 1 ? 0x1p-60 : 0x1p-63);
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The digest that every build has to find: gcc and clang, -O0 to -O3, -march=native, x86-64 with
 * and without FMA, aarch64. */
static void test_same_bits(void **state)
{
    (void)state;
    digest d = {UINT64_C(14695981039346656037)};
    rng r = rng_stream(7, 0);
    for (int i = 0; i < POINTS; i++) {
        const double x = draw(&r, i), y = draw(&r, 1);
#define UNARY(name)  put(&d, fmath_##name(x));
#define BINARY(name) put(&d, fmath_##name(x, y));
#include "fmath/fmath.def"
#undef UNARY
#undef BINARY
    }
    print_message("digest 0x%016llx\n", (unsigned long long)d.h);
    assert_true(d.h == UINT64_C(0xff367a68b36120a9));
}

static void test_exact_results(void **state)
{
    (void)state;
    for (int i = -1000; i < 1000; i++) {
        const double x = ldexp(1, i);
        assert_true(fmath_log2(x) == i);
        assert_true(fmath_pow(2, i) == x && fmath_pow(x, 1) == x);
        assert_true(fmath_cbrt((double)i * i * i) == i);
        assert_true(fmath_hypot(3 * (double)i, 4 * (double)i) == fabs(5 * (double)i));
        assert_true(fmath_pow(i, 2) == (double)i * i);
    }
    for (int i = 0; i < 23; i++)
        assert_true(fmath_log10(fmath_pow(10, i)) == i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_exact_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
