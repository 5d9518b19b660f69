/* SPDX-License-Identifier: Apache-2.0 */
/* Maps from text: absent and empty keys, growth, keys taken out and set again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/str_map.h"

enum { KEYS = 3000 };

static str key_of(arena *a, uint32_t i)
{
    char text[16];
    const int n = snprintf(text, sizeof text, "name%u", i);
    return (str){arena_dup(a, text, (size_t)n), (size_t)n};
}

static void keeps_numbers(void **state)
{
    (void)state;
    mem m;
    arena a;
    str_map map = {0};
    mem_init(&m);
    arena_init(&a, &m);
    assert_int_equal(str_map_get(&map, STR("x")), 0);
    for (uint32_t i = 0; i < KEYS; i++)
        assert_int_equal(str_map_set(&a, &map, key_of(&a, i), i + 1), 0);
    assert_int_equal(str_map_set(&a, &map, (str){NULL, 0}, 7), 0);
    for (uint32_t i = 0; i < KEYS; i++)
        assert_int_equal(str_map_get(&map, key_of(&a, i)), i + 1);
    assert_int_equal(str_map_get(&map, STR("")), 7);
    assert_int_equal(str_map_get(&map, STR("name")), 0);
    assert_int_equal(str_map_set(&a, &map, STR("name5"), 9), 6);
    assert_int_equal(str_map_get(&map, STR("name5")), 9);
    mem_clear(&m);
}

/* Names that go in and out of scope take no more room than those in scope. */
static void forgets(void **state)
{
    (void)state;
    mem m;
    arena a;
    str_map map = {0};
    mem_init(&m);
    arena_init(&a, &m);
    for (uint32_t i = 0; i < KEYS; i++) {
        str_map_set(&a, &map, key_of(&a, i), 1);
        if (i)
            assert_int_equal(str_map_set(&a, &map, key_of(&a, i - 1), 0), 1);
    }
    for (uint32_t i = 0; i + 1 < KEYS; i++)
        assert_int_equal(str_map_get(&map, key_of(&a, i)), 0);
    assert_int_equal(map.n, 1);
    assert_int_equal(str_map_get(&map, key_of(&a, KEYS - 1)), 1);
    assert_int_equal(map.cap, 32);
    for (uint32_t i = 0; i < 1000; i++)
        str_map_set(&a, &map, key_of(&a, i), i + 1);
    for (uint32_t i = 0; i < 1000; i += 3)
        assert_int_equal(str_map_set(&a, &map, key_of(&a, i), 0), i + 1);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(str_map_get(&map, key_of(&a, i)), i % 3 ? i + 1 : 0);
    mem_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_numbers), cmocka_unit_test(forgets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
