/* SPDX-License-Identifier: Apache-2.0 */
/* MinHash: similarities that are known are estimated within their standard error, near pairs are
 * found, others are not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "similar/near_index.h"

enum { GRAMS = 400, PAIRS = 100, ALL = 2 * GRAMS };

/* A hash as good as those of n-grams. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Two sets of GRAMS n-grams of which `common` are in both. */
static void make_pair(uint64_t seed, uint32_t common, minhash *a, minhash *b)
{
    uint64_t grams[ALL];
    for (uint32_t i = 0; i < ALL; i++)
        grams[i] = mix(seed * ALL + i);
    minhash_sign(grams, GRAMS, a);
    minhash_sign(grams + GRAMS - common, GRAMS, b);
}

static double similarity(uint32_t common)
{
    return (double)common / (2 * GRAMS - common);
}

/* The estimate of near_index.c: 1 of 256 functions that differ agrees by chance. */
static double estimate(const minhash *a, const minhash *b)
{
    const double n = 256.0 * minhash_agree(a, b);
    return n <= MINHASH_SIZE ? 0 : (n - MINHASH_SIZE) / (255.0 * MINHASH_SIZE);
}

static void estimates(void **state)
{
    (void)state;
    for (uint32_t common = 0; common <= GRAMS; common += 50) {
        const double s = similarity(common), deviation = sqrt(s * (1 - s) / MINHASH_SIZE);
        double sum = 0, squares = 0;
        for (uint32_t i = 0; i < PAIRS; i++) {
            minhash a, b;
            make_pair(common * PAIRS + i, common, &a, &b);
            const double error = estimate(&a, &b) - s;
            sum += error;
            squares += error * error;
        }
        /* the mean of all within four of its own errors; what 0 hides below aside */
        assert_true(fabs(sum / PAIRS) < 4 * deviation / sqrt(PAIRS) + 0.003);
        assert_true(sqrt(squares / PAIRS) < 1.15 * deviation + 0.005);
    }
}

static void same(void **state)
{
    (void)state;
    minhash a, b;
    uint64_t grams[ALL];
    make_pair(7, GRAMS, &a, &b);
    assert_int_equal(minhash_agree(&a, &b), MINHASH_SIZE);
    for (uint32_t i = 0; i < GRAMS; i++)
        grams[2 * i] = grams[2 * i + 1] = mix(7 * ALL + GRAMS - 1 - i);
    minhash_sign(grams, ALL, &b); /* each twice, in another order */
    assert_int_equal(minhash_agree(&a, &b), MINHASH_SIZE);
}

/* --- bands --------------------------------------------------------------------------------- */

static void bands(void **state)
{
    (void)state;
    for (uint32_t t = NEAR_LEAST; t <= NEAR_MOST; t += 10000) {
        const near_bands by = near_bands_for(t);
        const double s = (double)t / MINHASH_UNIT;
        assert_in_range(by.rows * by.bands, 1, MINHASH_SIZE);
        assert_true(pow(1 - pow(s, by.rows), by.bands) <= 5e-3);
    }
    assert_true(near_bands_for(NEAR_LEAST).rows < near_bands_for(900000).rows);
    assert_int_equal(near_bands_for(NEAR_MOST).bands, 1);
}

static void thresholds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t is;
    } good[] = {{"0.9", 900000},  {"0.50", 500000}, {"1", 1000000},
                {"1.0", 1000000}, {"0.123456", 0},  {"0.875001", 875001}};
    static const char *const bad[] = {"",     "9",         ".9",   "0.9x", "1.1",
                                      "0.49", "0.9000001", "-0.9", "90%"};
    uint32_t t;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(near_read_threshold(str_c(good[i].text), &t), good[i].is != 0);
        assert_true(!good[i].is || t == good[i].is);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(near_read_threshold(str_c(bad[i]), &t));
    mem m;
    strbuf b;
    mem_init(&m);
    sb_init(&b, &m);
    near_put_threshold(&b, 905000);
    SB_LIT(&b, " ");
    near_put_threshold(&b, MINHASH_UNIT);
    assert_string_equal(sb_cstr(&b), "0.905 1");
    mem_clear(&m);
}

/* --- the index ----------------------------------------------------------------------------- */

typedef struct trial {
    mem *m;
    uint32_t threshold, common, found, several;
} trial;

/* How many of PAIRS second ones are near to a first one. */
static void search(void *arg)
{
    trial *t = arg;
    near_index x;
    minhash a, b;
    near_init(&x, t->m, t->threshold);
    for (uint32_t i = 0; i < t->several * PAIRS; i++) {
        make_pair(i, t->common, &a, &b);
        near_add(&x, &a);
    }
    t->found = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        make_pair(i, t->common, &a, &b);
        t->found += near_has(&x, &b);
        assert_true(near_has(&x, &a));
    }
    near_clear(&x);
}

static uint32_t found(uint32_t threshold, double s, uint32_t several)
{
    mem m;
    mem_init(&m);
    trial t = {.m = &m, .threshold = threshold, .several = several};
    t.common = (uint32_t)lround(2 * GRAMS * s / (1 + s));
    assert_true(mem_try(&m, search, &t));
    assert_int_equal(m.used, 0);
    mem_clear(&m);
    return t.found;
}

static void finds(void **state)
{
    (void)state;
    for (uint32_t t = NEAR_LEAST; t < NEAR_MOST; t += 100000) {
        const double s = (double)t / MINHASH_UNIT, deviation = sqrt(s * (1 - s) / MINHASH_SIZE);
        const double above = s + 3 * deviation > 1 ? 1 : s + 3 * deviation;
        const uint32_t yes = found(t, above, 1), half = found(t, s, 1);
        const uint32_t no = found(t, s - 3 * deviation, 1);
        print_message("threshold %.1f: of %d pairs at %.3f %u are found, at %.3f %u, at %.3f %u\n",
                      s, PAIRS, above, yes, s, half, s - 3 * deviation, no);
        assert_true(yes >= PAIRS * 98 / 100);
        assert_in_range(half, PAIRS / 4, PAIRS * 3 / 4);
        assert_true(no <= PAIRS * 3 / 100);
    }
}

/* More than there is room for at first. */
static void grows(void **state)
{
    (void)state;
    assert_int_equal(found(900000, 1, 8), PAIRS);
    assert_int_equal(found(900000, 0.5, 8), 0);
}

static void fill(void *arg)
{
    near_index *x = arg;
    minhash a, b;
    for (uint32_t i = 0; i < 8 * PAIRS; i++) {
        make_pair(i, 0, &a, &b);
        near_add(x, &a);
    }
}

/* Without memory the index stays as it is. */
static void out_of_memory(void **state)
{
    (void)state;
    minhash a, b;
    for (uint64_t fail = 1;; fail++) {
        mem m;
        near_index x;
        mem_init(&m);
        near_init(&x, &m, 900000);
        m.fail_at = fail;
        const bool all = mem_try(&m, fill, &x);
        for (uint32_t i = 0; i < x.n; i += 50) {
            make_pair(i, 0, &a, &b);
            assert_true(near_has(&x, &a));
        }
        assert_int_equal(all, x.n == 8 * PAIRS);
        near_clear(&x);
        assert_int_equal(m.used, 0);
        mem_clear(&m);
        if (all)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates),     cmocka_unit_test(same),  cmocka_unit_test(bands),
        cmocka_unit_test(thresholds),    cmocka_unit_test(finds), cmocka_unit_test(grows),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
