/* SPDX-License-Identifier: Apache-2.0 */
/* Random streams: fixed for ever, apart from each other, even. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"

static void test_streams_never_change(void **state)
{
    (void)state;
    rng r = rng_stream(7, 11);
    assert_true(rng_next(&r) == UINT64_C(0x75e33cdb6207ceb1));
}

static void test_streams_differ(void **state)
{
    (void)state;
    uint64_t seen = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        for (uint64_t index = 0; index < 8; index++) {
            rng r = rng_stream(seed, index), again = rng_stream(seed, index);
            uint64_t first = rng_next(&r);
            assert_true(first == rng_next(&again));
            assert_true(first != seen);
            seen = first;
        }
    }
}

static void test_below_is_even(void **state)
{
    (void)state;
    uint32_t counts[7] = {0};
    for (uint64_t index = 0; index < 70000; index++) {
        rng r = rng_stream(3, index);
        counts[rng_below(&r, 7)]++;
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(counts[i], 9600, 10400);
}

static void test_between_holds_both_ends(void **state)
{
    (void)state;
    rng r = rng_stream(0, 0);
    bool low = false, high = false;
    for (int i = 0; i < 1000; i++) {
        int x = rng_between(&r, -2, 3);
        assert_true(x >= -2 && x <= 3);
        low |= x == -2;
        high |= x == 3;
    }
    assert_true(low && high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_never_change),
        cmocka_unit_test(test_streams_differ),
        cmocka_unit_test(test_below_is_even),
        cmocka_unit_test(test_between_holds_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
