/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal texts and floats both ways, and formatted text, against the C library in the C locale. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/decimal.h"
#include "base/format.h"
#include "base/rng.h"

static void same_double(double x, double y)
{
    uint64_t a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    assert_int_equal(a, b);
}

/* 17 digits of x as a float, by weft and by the C library: rounded once, not by way of a double. */
static void narrows_same(double x)
{
    char text[40];
    decimal all, d;
    decimal_of(x, 18, &all);
    decimal_round(&all, 17, &d);
    snprintf(text, sizeof text, "%.16e", fabs(x));
    assert_true(decimal_to_float(&d) == strtof(text, NULL));
}

/* Reads a text by weft and by the C library. */
static void reads_same(const char *text)
{
    const char *end;
    char *wanted_end;
    const double x = decimal_read_double(text, &end), wanted = strtod(text, &wanted_end);
    assert_ptr_equal(end, wanted_end);
    if (isnan(wanted))
        assert_true(isnan(x));
    else
        same_double(x, wanted);
    if (isfinite(wanted))
        narrows_same(wanted);
}

static void reads_texts(void **state)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "-1.5",
        "+2.5e3",
        ".5",
        "5.",
        "1e",
        "1e+",
        "1e-5x",
        "inf",
        "-INF",
        "Infinity",
        "infinit",
        "nan",
        "-nan",
        "",
        ".",
        "-",
        "+.e1",
        "e5",
        "0.1",
        "1,5",
        "1.2.3",
        "1e400",
        "-1e400",
        "1e-400",
        "1e99999999999999999999",
        "0e99999999999999999999",
        "1e-99999999999999999999",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "3.4028235677973366e38",
        "3.4028235677973365e38",
        "1.401298464324817e-45",
        "7.006492321624085e-46",
        "7.006492321624086e-46",
        "9007199254740993",
        "9007199254740992.99999999999999999999",
        "9007199254740993.00000000000000000001",
        "16777217",
        "16777217.000000001",
        "100000000000000000000000",
        "123456789012345678901234567890e-20",
        "00000000000000000000001",
        "0.00000000000000000000000000000000000000000000000000000000000000001e65"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        reads_same(texts[i]);
}

/* Halfway between two neighbours, with all digits, and just beside. */
static void reads_halves(double x)
{
    char text[1200];
    const double next = nextafter(x, INFINITY);
    const long double middle = ((long double)x + (long double)next) / 2; /* 64 bits hold it */
    int n = snprintf(text, sizeof text - 2, "%.1100Le", middle);
    char *e = strchr(text, 'e');
    assert_true(n > 0 && e);
    reads_same(text);
    e[-1] = '1';
    reads_same(text);
}

static void reads_random_numbers(void **state)
{
    rng r = rng_stream(7, 0);
    char text[1400];
    (void)state;
    for (int i = 0; i < 50000; i++) {
        const uint64_t bits = rng_next(&r);
        double x;
        memcpy(&x, &bits, sizeof x);
        const int digits = 1 + (int)(rng_next(&r) % 25);
        snprintf(text, sizeof text, "%.*e", digits, x);
        reads_same(text);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)(bits >> (bits & 63)),
                 (int)(rng_next(&r) % 60) - 30);
        reads_same(text);
    }
    for (int i = 0; i < 2000; i++) {
        const uint64_t bits = rng_next(&r) >> 1;
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x))
            reads_halves(i & 1 ? x : ldexp(x, -1022));
    }
}

static void reads_integers(void **state)
{
    const char *end, *text = "18446744073709551615,";
    uint64_t x;
    (void)state;
    assert_true(decimal_read_uint(text, &end, &x) && *end == ',' && x == UINT64_MAX);
    text = "18446744073709551616 ";
    assert_false(decimal_read_uint(text, &end, &x));
    assert_int_equal(*end, ' ');
    assert_false(decimal_read_uint("-1", &end, &x));
    assert_false(decimal_read_uint("", &end, &x));
    same_double(decimal_scaled(UINT64_MAX, -30), 18446744073709551615e-30);
    same_double(decimal_scaled(0, 100000), 0);
    same_double(decimal_scaled(15, -1), 1.5);
}

/* --- writing ------------------------------------------------------------------------------- */

static void expect(const char *wanted, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void expect(const char *wanted, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    const size_t n = format_text_v(text, sizeof text, fmt, ap);
    va_end(ap);
    assert_string_equal(text, wanted);
    assert_int_equal(n, strlen(wanted));
}

#define SAME(...)                                                                                  \
    do {                                                                                           \
        char wanted[2048];                                                                         \
        snprintf(wanted, sizeof wanted, __VA_ARGS__);                                              \
        expect(wanted, __VA_ARGS__);                                                               \
    } while (0)

static void writes_double(double x)
{
    for (int precision = 0; precision < 20; precision++) {
        SAME("%.*e", precision, x);
        SAME("%.*f", precision, x);
        SAME("%.*g", precision, x);
    }
    SAME("%f|%e|%g|%12.3f|%-12.3f|%012.3f|%14.2e|%9.3g|%-9.3g|", x, x, x, x, x, x, x, x, x);
}

static void writes_floats(void **state)
{
    static const double numbers[] = {0,       0.5,           1.5,
                                     2.5,     0.25,          0.125,
                                     0.05,    0.95,          9.5,
                                     9.995,   99.95,         999999.5,
                                     1e5,     1e6,           1e15,
                                     1e16,    123456789,     0.0001,
                                     0.00001, 0.00009999995, 0.1,
                                     1.0 / 3, 1e22,          1e23,
                                     DBL_MAX, DBL_MIN,       4.9406564584124654e-324,
                                     5e-5,    INFINITY};
    rng r = rng_stream(8, 0);
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        writes_double(numbers[i]);
        writes_double(-numbers[i]);
    }
    writes_double((double)NAN);
    for (int i = 0; i < 3000; i++) {
        const uint64_t bits = rng_next(&r);
        double x;
        memcpy(&x, &bits, sizeof x);
        writes_double(i & 1 ? x : (double)(int64_t)(bits >> 20) / 1024);
    }
    SAME("%.1100f", 4.9406564584124654e-324);
    SAME("%.900e", DBL_MIN);
}

static void writes_others(void **state)
{
    (void)state;
    SAME("%d %u %lld %llu %zu %lu", INT32_MIN, UINT32_MAX, (long long)INT64_MIN,
         (unsigned long long)UINT64_MAX, SIZE_MAX, 7ul);
    SAME("%x %04X %02x %03o %5llu|%-5u|%05llu|", 48879u, 171u, 7u, 8u, 42ull, 42u, 42ull);
    SAME("%s|%5s|%-5s|%.2s|%.*s|%-7.*s|%*s|%c%%", "abc", "abc", "abc", "abc", 1, "abc", 2, "abc", 6,
         "abc", 'x');
    char text[4];
    assert_int_equal(format_text(text, sizeof text, "%s", "abcdef"), 6);
    assert_string_equal(text, "abc");
    assert_int_equal(format_text(NULL, 0, "%d", 1000), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_texts),    cmocka_unit_test(reads_random_numbers),
        cmocka_unit_test(reads_integers), cmocka_unit_test(writes_floats),
        cmocka_unit_test(writes_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
