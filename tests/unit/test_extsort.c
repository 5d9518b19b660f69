/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting on the disk: many runs come out in order, and nothing is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/extsort.h"

enum { MANY = 100000 };

static void sort(void *arg)
{
    extsort *s = arg;
    sort_item item, last = {0};
    uint64_t sum = 0, n = 0;
    bool any;
    extsort_init(s, s->m, "test_extsort.tmp", 0);
    for (uint64_t i = 0; i < MANY; i++) {
        const uint64_t x = i * UINT64_C(0x9e3779b97f4a7c15);
        item = (sort_item){x >> 50, x % 5, MANY - i, i};
        assert_int_equal(extsort_add(s, &item), 0);
    }
    assert_int_equal(extsort_begin(s), 0);
    assert_true(s->runs.n > 50);
    while (assert_int_equal(extsort_next(s, &item, &any), 0), any) {
        assert_true(!n || sort_item_less(&last, &item));
        assert_int_equal(item.index, MANY - item.extra);
        last = item;
        sum += item.extra;
        n++;
    }
    assert_int_equal(n, MANY);
    assert_int_equal(sum, (uint64_t)MANY * (MANY - 1) / 2);
}

static void many_runs(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    extsort s = {.m = &m};
    assert_true(mem_try(&m, sort, &s));
    extsort_clear(&s);
    mem_clear(&m);
}

static void sort_few(void *arg)
{
    extsort *s = arg;
    sort_item item;
    bool any;
    extsort_init(s, s->m, "no/such/folder/test_extsort.tmp", 0);
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(extsort_add(s, &(sort_item){5 - i, 0, i, 0}), 0);
    assert_int_equal(extsort_begin(s), 0);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(extsort_next(s, &item, &any), 0);
        assert_true(any && item.high == 3 + i);
    }
    assert_int_equal(extsort_next(s, &item, &any), 0);
    assert_false(any);
}

/* What memory holds is sorted there, without a file. */
static void few_items(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    extsort s = {.m = &m};
    assert_true(mem_try(&m, sort_few, &s));
    extsort_clear(&s);
    mem_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_runs), cmocka_unit_test(few_items)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
