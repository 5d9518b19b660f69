/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of Warp's releases: names, versions, and rules by release. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/version.h"
#include "base/warp_release.h"

static warp_release named(const char *name)
{
    return warp_release_named(name, strlen(name));
}

static void test_names(void **state)
{
    (void)state;
    for (int r = WARP_ANY + 1; r < WARP_RELEASES; r++) {
        assert_int_equal(named(warp_release_name((warp_release)r)), r);
        assert_int_equal(named(warp_release_version((warp_release)r)), r);
    }
    assert_int_equal(named("1.18"), WARP_1_18);
    assert_int_equal(named("1.18.7"), WARP_ANY);
    assert_int_equal(named("1.1"), WARP_ANY);
    assert_int_equal(named(""), WARP_ANY);
    assert_int_equal(named("0.9"), WARP_ANY);
}

/* The default is the release that base/version.h states. */
static void test_default(void **state)
{
    (void)state;
    assert_string_equal(warp_release_version(WARP_DEFAULT), WARP_VERSION);
    assert_string_equal(warp_release_version(WARP_ANY), WARP_VERSION);
}

/* A rule that holds stays; the newest release has all of them. */
static void test_rules(void **state)
{
    (void)state;
    for (int rule = 0; rule < WARP_RULES; rule++) {
        for (int r = WARP_ANY + 1; r < WARP_DEFAULT; r++)
            assert_true(!warp_has((warp_release)r, (warp_rule)rule) ||
                        warp_has((warp_release)(r + 1), (warp_rule)rule));
        assert_true(warp_has(WARP_DEFAULT, (warp_rule)rule));
    }
    assert_false(warp_has(WARP_1_18, WARP_UNROLLED_CONTINUE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
