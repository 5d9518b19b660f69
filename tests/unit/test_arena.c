/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas and growable arrays: alignment, marks, reuse after a reset, and what a failed allocation
 * leaves behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/vec.h"

static void gives_aligned_memory(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    arena a;
    arena_init(&a, &m);
    for (size_t n = 0; n < 200; n++) {
        char *p = arena_alloc(&a, n);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 8, 0);
        memset(p, 0xff, n);
    }
    mem_clear(&m);
    assert_int_equal(m.used, 0);
}

static void rewinds_to_a_mark(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    arena a;
    arena_init(&a, &m);
    arena_alloc(&a, 10);
    arena_mark mark = arena_save(&a);
    char *first = arena_alloc(&a, 24);
    arena_alloc(&a, 1 << 20);
    arena_rewind(&a, mark);
    assert_ptr_equal(arena_alloc(&a, 24), first);
    mem_clear(&m);
}

static void runs_in_flat_memory(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    arena a;
    arena_init(&a, &m);
    size_t held = 0;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 1000; i++)
            arena_alloc(&a, 100);
        arena_reset(&a);
        if (round == 0)
            held = m.used;
        assert_int_equal(m.used, held);
    }
    mem_clear(&m);
}

static void grows_an_array(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    arena a;
    arena_init(&a, &m);
    VEC(int) v = {0};
    for (int i = 0; i < 10000; i++)
        VEC_PUSH(&a, &v, i * 3);
    assert_int_equal(v.n, 10000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(v.v[i], i * 3);
    mem_clear(&m);
}

static void takes_too_much(void *arg)
{
    arena *a = arg;
    for (;;)
        arena_alloc(a, 1000);
}

static void takes_an_impossible_size(void *arg)
{
    arena *a = arg;
    ARENA_ARRAY(a, uint64_t, SIZE_MAX / 4);
}

static void survives_failure(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    m.limit = 1 << 20;
    arena a;
    arena_init(&a, &m);
    assert_false(mem_try(&m, takes_too_much, &a));
    assert_true(m.used <= m.limit);
    mem_clear(&m);
    assert_int_equal(m.used, 0);
    arena_init(&a, &m);
    assert_false(mem_try(&m, takes_an_impossible_size, &a));
    mem_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_aligned_memory), cmocka_unit_test(rewinds_to_a_mark),
        cmocka_unit_test(runs_in_flat_memory),  cmocka_unit_test(grows_an_array),
        cmocka_unit_test(survives_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
