/* SPDX-License-Identifier: Apache-2.0 */
/* The set of fingerprints: what was added is there, once, however many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "similar/seen.h"

enum { MANY = 200000 };

static fingerprint nth(uint64_t i)
{
    const uint64_t x = i * UINT64_C(0x9e3779b97f4a7c15);
    return (fingerprint){x ^ x >> 29, i % 3 ? x * UINT64_C(0xbf58476d1ce4e5b9) : 7};
}

static void fill(void *arg)
{
    seen *s = arg;
    for (uint64_t i = 0; i < MANY; i++) {
        assert_false(seen_has(s, nth(i)));
        assert_true(seen_add(s, nth(i)));
    }
    for (uint64_t i = 0; i < MANY; i++) {
        assert_true(seen_has(s, nth(i)));
        assert_false(seen_add(s, nth(i)));
    }
}

static void many(void **state)
{
    (void)state;
    static seen s;
    mem m;
    mem_init(&m);
    seen_init(&s, &m);
    assert_true(mem_try(&m, fill, &s));
    assert_int_equal(s.n, MANY);
    assert_true(m.used < MANY * 24);
    seen_clear(&s);
    assert_int_equal(m.used, 0);
    mem_clear(&m);
}

static void add_zero(void *arg)
{
    seen *s = arg;
    assert_false(seen_has(s, (fingerprint){0, 0}));
    assert_true(seen_add(s, (fingerprint){0, 0}));
    assert_false(seen_add(s, (fingerprint){0, 0}));
}

static void zero(void **state)
{
    (void)state;
    static seen s;
    mem m;
    mem_init(&m);
    seen_init(&s, &m);
    assert_true(mem_try(&m, add_zero, &s));
    seen_clear(&s);
    mem_clear(&m);
}

static void add_many(void *arg)
{
    for (uint64_t i = 0; i < MANY; i++)
        seen_add(arg, nth(i));
}

/* Where memory runs out, what was in the set stays there. */
static void no_memory(void **state)
{
    (void)state;
    static seen s;
    mem m;
    mem_init(&m);
    m.limit = 1 << 20;
    seen_init(&s, &m);
    assert_false(mem_try(&m, add_many, &s));
    assert_true(s.n > 1000);
    for (uint64_t i = 0; i < s.n; i++)
        assert_true(seen_has(&s, nth(i)));
    seen_clear(&s);
    mem_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many),
        cmocka_unit_test(zero),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
