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

/* The first release that has the rule. */
static warp_release first_with(warp_rule rule)
{
    int r = WARP_ANY + 1;
    while (r < WARP_RELEASES && !warp_has((warp_release)r, rule))
        r++;
    return (warp_release)r;
}

/* Each row parts two releases: the oldest does without its rule, and the default follows it. A row
 * of which that is not true decides nothing. */
static void test_rules_part_releases(void **state)
{
    (void)state;
    for (int rule = 0; rule < WARP_RULES; rule++) {
        assert_false(warp_has(WARP_ANY + 1, (warp_rule)rule));
        assert_true(warp_has(WARP_DEFAULT, (warp_rule)rule));
    }
}

/* A rule begins with the release of its row, not before it and not after it. */
static void test_rules_begin(void **state)
{
    (void)state;
    assert_int_equal(first_with(WARP_TARGET_SLOTS), WARP_1_18);
    assert_int_equal(first_with(WARP_FULL_BY_RESULT), WARP_1_18);
    assert_int_equal(first_with(WARP_UNROLLED_CONTINUE), WARP_1_19);
    assert_int_equal(first_with(WARP_CPU_LINEAR_TEMPLATE), WARP_1_19);
    assert_true(warp_has(WARP_1_19, WARP_TARGET_SLOTS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_rules_part_releases),
        cmocka_unit_test(test_rules_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
