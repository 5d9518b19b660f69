/* SPDX-License-Identifier: Apache-2.0 */
/* Ratios of a split, and the part that a family goes to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "curate/split.h"

static void expect(const char *text, const char *again)
{
    mem m;
    strbuf b;
    split_ratios r;
    mem_init(&m);
    sb_init(&b, &m);
    const char *wrong = split_read_ratios(str_c(text), &r);
    assert_int_equal(wrong == NULL, again != NULL);
    if (again) {
        split_put_ratios(&b, &r);
        assert_string_equal(sb_cstr(&b), again);
    }
    mem_clear(&m);
}

static void reads_ratios(void **state)
{
    (void)state;
    expect("90,5,5", "90,5,5");
    expect("90,10", "90,10");
    expect("99.5,0.50", "99.5,0.5");
    expect("33.333333,33.333333,33.333334", "33.333333,33.333333,33.333334");
    expect("080,20.", "80,20");
    expect("0.9,0.05,0.05", "90,5,5");
    expect("0.333333,0.666667", "33.3333,66.6667");
    expect("0.000001,99.999999", "0.000001,99.999999");
    expect("0.3333333333333333,0.3333333333333333,0.3333333333333333",
           "33.333333,33.333333,33.333334");
    expect("33.333333333333336,33.333333333333336,33.333333333333336",
           "33.333333,33.333333,33.333334");
    expect("0.333333,0.333333,0.333333", "33.3333,33.3333,33.3334");
    expect("0.7,0.2,0.10000000000000009", "70,20,10");
}

static void refuses_others(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "100",
                                        "90",
                                        "90,",
                                        "90,5",
                                        "90,5,5,",
                                        "100,0",
                                        "-1,101",
                                        "50 ,50",
                                        "1e1,90",
                                        "90,5,4",
                                        "0.5,0.4",
                                        "25,25,25,25",
                                        ".5,99.5",
                                        "0.0000000001,1",
                                        "33.33,33.33,33.33",
                                        "100,0.0000001",
                                        "1,0.000001,0.000001,"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect(wrong[i], NULL);
}

static void families_spread_by_the_ratios(void **state)
{
    (void)state;
    enum { FAMILIES = 20000 };
    split_ratios r;
    uint32_t n[SPLITS_MAX] = {0};
    assert_null(split_read_ratios(STR("80,15,5"), &r));
    for (uint32_t i = 0; i < FAMILIES; i++) {
        char name[33];
        snprintf(name, sizeof name, "%032x", i);
        const uint32_t part = split_of(&r, str_c(name));
        assert_in_range(part, 0, 2);
        assert_int_equal(part, split_of(&r, str_c(name)));
        n[part]++;
    }
    assert_in_range(n[0], 15800, 16200);
    assert_in_range(n[1], 2800, 3200);
    assert_in_range(n[2], 900, 1100);
    assert_string_equal(split_name(&r, 1), "validation");
    assert_null(split_read_ratios(STR("80,20"), &r));
    assert_string_equal(split_name(&r, 1), "test");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_ratios),
        cmocka_unit_test(refuses_others),
        cmocka_unit_test(families_spread_by_the_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
