/* SPDX-License-Identifier: Apache-2.0 */
/* Which mutants of a backward text are drawn: what is added to gradients of arrays is left out in
 * each place, however many other mutants there are. And integers that are all different. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "inputs/inputs_plan.h"

enum { SQUARES = 40, MOST = 16 };

typedef struct bench {
    ctx c;
    inputs_mutants drawn;
} bench;

/* b[i] = a[i] ** 2 ** 40, and its adjoint. */
static str text_of(ctx *c)
{
    strbuf b;
    sb_init(&b, &c->mem);
    sb_c(&b, "struct wp_args_k {\n    wp::array_t<wp::float32> a;\n"
             "    wp::array_t<wp::float32> b;\n};\n"
             "template <bool wp_linear_contiguous>\nstatic void k_cpu_kernel_backward(\n"
             "    wp::launch_bounds_t<1> dim,\n    size_t task_index,\n    wp_args_k *_wp_args,\n"
             "    wp_args_k *_wp_adj_args)\n{\n"
             "    static constexpr bool wp_linear_tid = wp_linear_contiguous;\n"
             "    wp::array_t<wp::float32> var_a = _wp_args->a;\n"
             "    wp::array_t<wp::float32> var_b = _wp_args->b;\n"
             "    wp::array_t<wp::float32> adj_a = _wp_adj_args->a;\n"
             "    wp::array_t<wp::float32> adj_b = _wp_adj_args->b;\n"
             "    wp::int32 var_0;\n    wp::int32 adj_0 = {};\n"
             "    wp::float32* var_1;\n    wp::float32 adj_1 = {};\n");
    for (int i = 2; i <= SQUARES + 2; i++)
        sb_printf(&b, "    wp::float32 var_%d;\n    wp::float32 adj_%d = {};\n", i, i);
    sb_c(&b, "    var_0 = builtin_tid1d();\n    var_1 = wp::address(var_a, var_0);\n"
             "    var_2 = wp::load(var_1);\n");
    for (int i = 2; i < SQUARES + 2; i++)
        sb_printf(&b, "    var_%d = wp::mul(var_%d, var_%d);\n", i + 1, i, i);
    sb_printf(&b, "    wp::adj_array_store(var_b, var_0, var_%d, adj_b, adj_0, adj_%d);\n",
              SQUARES + 2, SQUARES + 2);
    for (int i = SQUARES + 2; i-- > 2;)
        sb_printf(&b, "    wp::adj_mul(var_%d, var_%d, adj_%d, adj_%d, adj_%d);\n", i, i,
                  i == 2 ? 1 : i, i == 2 ? 1 : i, i + 1);
    sb_c(&b, "    wp::adj_address(var_a, var_0, adj_a, adj_0, adj_1);\n    return;\n}\n");
    const str text = {arena_dup(&c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

static void draw(void *arg)
{
    bench *x = arg;
    textvm_error error = {0};
    ctx_init(&x->c);
    types_init(&x->c);
    textvm *vm = textvm_read(&x->c, &x->c.module, text_of(&x->c), &error);
    if (!vm)
        fail_msg("%s", error.text);
    inputs_draw(vm, MOST, &x->drawn);
}

static void test_vital_mutants(void **state)
{
    (void)state;
    bench x = {0};
    uint32_t vital = 0;
    mem_init(&x.c.mem);
    assert_true(mem_try(&x.c.mem, draw, &x));
    for (uint32_t i = 0; i < x.drawn.n; i++)
        vital += x.drawn.vital[i];
    assert_int_equal(x.drawn.n, MOST);
    /* the adjoints of the store and of the load */
    assert_int_equal(vital, 2);
    assert_int_equal(inputs_missed(&x.drawn), 2);
    x.drawn.dead[0] = x.drawn.dead[1] = true; /* they stand first */
    assert_int_equal(inputs_missed(&x.drawn), 0);
    mem_clear(&x.c.mem);
}

/* Indexes that are all different are a permutation, in which next to none stays in its place: a
 * kernel that leaves the array of indexes out must not pass. */
static void make_distinct(void *arg)
{
    enum { N = 277 };
    bench *x = arg;
    ctx_init(&x->c);
    types_init(&x->c);
    const type *t = type_array(&x->c, ARRAY_PLAIN, type_scalar(&x->c, TYPE_INT32), 1);
    for (uint32_t by = 1; by <= 7; by += 6) {
        inputs_arg a = {.rank = 1, .shape = {N}, .distinct = by, .lattice = {1, 0, 0}};
        bool met[N] = {false};
        uint32_t stay = 0;
        inputs_make_distinct(t, &a);
        for (uint32_t i = 0; i < N; i++) {
            const int64_t at = inputs_lattice_at(&a.lattice, i, a.steps);
            assert_true(at >= 0 && at < N && !met[at]);
            met[at] = true;
            stay += at == i;
        }
        assert_int_equal(stay, 1);
    }
}

static void test_distinct(void **state)
{
    (void)state;
    bench x = {0};
    mem_init(&x.c.mem);
    assert_true(mem_try(&x.c.mem, make_distinct, &x));
    mem_clear(&x.c.mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vital_mutants),
                                       cmocka_unit_test(test_distinct)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
