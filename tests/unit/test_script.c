/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts are made for many requests, in all categories, the same each time. With a number it
 * prints so many: test_script 5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compose/script.h"
#include "compose/script_random.h"

typedef struct bench {
    library *l;
    mem m;
    scripter *s;
    script made;
    gen_request q;
    const char *why;
    uint32_t ends[SCRIPT_MEMORY + 1], tapes;
} bench;

static void start(void *arg)
{
    bench *b = arg;
    const pipeline_options o = {.devices = EMIT_FOR_CUDA};
    b->s = scripter_new(&b->m, b->l, &o);
}

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    mem_init(&b->m);
    b->l = library_new();
    assert_non_null(b->l);
    assert_true(mem_try(&b->m, start, b));
    assert_non_null(b->s);
}

static void close_bench(bench *b)
{
    scripter_free(b->s);
    mem_clear(&b->m);
    library_free(b->l);
}

static bool make(bench *b, uint64_t index, uint32_t attempt)
{
    b->q = (gen_request){.seed = 11,
                         .index = index,
                         .attempt = attempt,
                         .category = (gen_category)(index % GEN_CATEGORY_COUNT)};
    const script_end end = script_make(b->s, &b->q, &b->made, &b->why);
    b->ends[end]++;
    if (end == SCRIPT_BROKEN)
        fail_msg("%s", b->why);
    return end == SCRIPT_GOOD;
}

static void test_most_requests(void **state)
{
    enum { COUNT = 24, ATTEMPTS = 40 };
    bench b;
    (void)state;
    open_bench(&b);
    for (uint64_t i = 0; i < COUNT; i++) {
        uint32_t attempt = 0;
        while (attempt < ATTEMPTS && !make(&b, i, attempt))
            attempt++;
        assert_true(attempt < ATTEMPTS);
        assert_true(b.made.nkernels >= 2 && b.made.nkernels <= SCRIPT_KERNELS);
        b.tapes += b.made.has_tape;
        /* Once more, behind others. */
        char *before = malloc(b.made.sample.source.n);
        const size_t n = b.made.sample.source.n;
        memcpy(before, b.made.sample.source.p, n);
        make(&b, i + 1000, 0);
        assert_true(make(&b, i, attempt));
        assert_int_equal(n, b.made.sample.source.n);
        assert_memory_equal(before, b.made.sample.source.p, n);
        free(before);
    }
    assert_true(b.tapes > COUNT / 6);
    close_bench(&b);
}

/* What NumPy 2 gives. */
static void test_numbers_of_numpy(void **state)
{
    (void)state;
    numpy_rng r = numpy_default_rng(42);
    assert_true(numpy_uniform(&r, 0.5, 2.0) == 1.660934072833945);
    assert_true(numpy_uniform(&r, 0.5, 2.0) == 1.1583176596280784);
    assert_true(numpy_uniform(&r, 0.5, 2.0) == 1.7878968798670738);
    static const int64_t integers[] = {5, 68, 17, 6, 51};
    for (int i = 0; i < 5; i++)
        assert_int_equal(numpy_integer(&r, -3, 100), integers[i]);
    assert_true(numpy_uniform(&r, 0, 1) == 0.76113970199035297);
    assert_int_equal(numpy_integer(&r, 0, 3), 2);
}

static void print_some(uint32_t n)
{
    bench b;
    open_bench(&b);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t attempt = 0;
        while (attempt < 100 && !make(&b, i, attempt)) {
            fprintf(stderr, "%u/%u: %s\n", (unsigned)i, attempt, b.why);
            attempt++;
        }
        if (attempt < 100)
            printf("%.*s\n########\n%.*s\n########\n", (int)b.made.sample.prompt.n,
                   b.made.sample.prompt.p, (int)b.made.sample.source.n, b.made.sample.source.p);
    }
    fprintf(stderr, "good %u, none %u, unproved %u, useless %u\n", b.ends[SCRIPT_GOOD],
            b.ends[SCRIPT_NONE], b.ends[SCRIPT_UNPROVED], b.ends[SCRIPT_USELESS]);
    close_bench(&b);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers_of_numpy),
                                       cmocka_unit_test(test_most_requests)};
    if (argc > 1) {
        print_some((uint32_t)atoi(argv[1]));
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
