/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of work: how many a stage may take, stages within stages, and interrupts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ctx.h"

typedef struct work {
    ctx c;
    uint64_t steps; /* that it wants to take, one at a time */
    uint64_t inner; /* steps given to a stage inside, which never ends */
    uint64_t taken;
    bool inner_done;
} work;

static void take_steps(void *arg)
{
    work *w = arg;
    for (; w->taken < w->steps; w->taken++)
        ctx_spend(&w->c, 1);
}

static void never_end(void *arg)
{
    for (;;)
        ctx_spend(arg, 3);
}

static void nest(void *arg)
{
    work *w = arg;
    w->inner_done = ctx_try(&w->c, w->inner, never_end, &w->c);
    take_steps(w);
}

static void set_up(work *w)
{
    *w = (work){0};
    mem_init(&w->c.mem);
    ctx_init(&w->c);
}

static void ends_work_that_takes_too_many_steps(void **state)
{
    (void)state;
    work w;
    set_up(&w);
    const uint64_t limits[] = {1, 100, 1 << 15, 1 << 20, 3000001};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        w.steps = limits[i] - 1;
        w.taken = 0;
        assert_true(ctx_try(&w.c, limits[i], take_steps, &w));
        w.steps = limits[i];
        w.taken = 0;
        assert_false(ctx_try(&w.c, limits[i], take_steps, &w));
        assert_int_equal(w.taken, limits[i] - 1);
    }
    w.steps = 5000000; /* no limit outside */
    w.taken = 0;
    take_steps(&w);
    ctx_clear(&w.c);
}

static void takes_inner_steps_from_the_outer_ones(void **state)
{
    (void)state;
    work w;
    set_up(&w);
    w.inner = 60000;
    w.steps = 40000 - 1;
    assert_true(ctx_try(&w.c, 100000, nest, &w));
    assert_false(w.inner_done);
    w.steps = 40000;
    w.taken = 0;
    assert_false(ctx_try(&w.c, 100000, nest, &w));
    w.inner = UINT64_MAX; /* no more than the outer one has */
    w.steps = 1;
    w.taken = 0;
    assert_false(ctx_try(&w.c, 100000, nest, &w));
    assert_false(w.inner_done);
    assert_int_equal(w.taken, 0);
    ctx_clear(&w.c);
}

static void run_for_ever(void *arg)
{
    work *w = arg;
    ctx_try(&w->c, UINT64_MAX, never_end, &w->c);
}

static void allocate_once(void *arg)
{
    work *w = arg;
    mem_free(&w->c.mem, mem_alloc(&w->c.mem, 1));
    w->taken++;
}

static void ends_at_an_interrupt(void **state)
{
    (void)state;
    work w;
    set_up(&w);
    atomic_bool stop = false;
    w.c.mem.stop = &stop;
    assert_true(mem_try(&w.c.mem, allocate_once, &w));
    stop = true;
    assert_false(mem_try(&w.c.mem, run_for_ever, &w));
    assert_false(mem_try(&w.c.mem, allocate_once, &w));
    assert_int_equal(w.taken, 1);
    stop = false;
    ctx_reset_module(&w.c); /* forgets the stage that was left */
    w.taken = 0;
    w.steps = 1000000;
    take_steps(&w);
    assert_int_equal(w.taken, w.steps);
    ctx_clear(&w.c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_work_that_takes_too_many_steps),
        cmocka_unit_test(takes_inner_steps_from_the_outer_ones),
        cmocka_unit_test(ends_at_an_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
