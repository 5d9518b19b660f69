/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline: the same text again and again in flat memory, also after any allocation failed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "driver/pipeline.h"

static const char source_text[] = "import warp as wp\n"
                                  "@wp.struct\n"
                                  "class Pair:\n"
                                  "    a: float\n"
                                  "    b: wp.vec3\n"
                                  "@wp.func\n"
                                  "def total(p: Pair):\n"
                                  "    return p.a + wp.dot(p.b, p.b)\n"
                                  "@wp.kernel\n"
                                  "def k(x: wp.array(dtype=float), p: Pair, n: int):\n"
                                  "    i = wp.tid()\n"
                                  "    s = float(0.0)\n"
                                  "    for j in range(n):\n"
                                  "        if x[j] > 0.0:\n"
                                  "            s += total(p) * x[j]\n"
                                  "    x[i] = s\n";

typedef struct run {
    pipeline p;
    char text[1 << 15]; /* of the first compilation */
    size_t size;
    bool same;
} run;

static void compile(void *arg)
{
    run *r = arg;
    uint32_t n;
    const program *prog = pipeline_load_text(&r->p, "t.py", str_c(source_text));
    assert_non_null(prog);
    const kernel *const *kernels = program_kernels(prog, &n);
    assert_int_equal(n, 1);
    compiled_kernel k = pipeline_lower(&r->p, prog, kernels[0]);
    assert_non_null(k.ir);
    pipeline_emit(&r->p, &k);
    const str all = k.text[EMIT_CPU].all;
    assert_in_range(all.n, 1, sizeof r->text);
    if (!r->size) {
        memcpy(r->text, all.p, all.n);
        r->size = all.n;
    }
    r->same = str_eq(all, (str){r->text, r->size});
}

static int set_up(void **state)
{
    static run r;
    memset(&r, 0, sizeof r);
    *state = &r;
    const pipeline_options o = {.devices = EMIT_FOR_BOTH};
    return pipeline_init(&r.p, &o) && mem_try(&r.p.c.mem, compile, &r) ? 0 : 1;
}

static int tear_down(void **state)
{
    pipeline_clear(&((run *)*state)->p);
    return 0;
}

static void compiles_in_flat_memory(void **state)
{
    run *r = *state;
    size_t used = 0;
    for (int i = 0; i < 2000; i++) {
        pipeline_reset(&r->p);
        assert_true(mem_try(&r->p.c.mem, compile, r));
        assert_true(r->same);
        if (i == 10)
            used = r->p.c.mem.used;
    }
    assert_int_equal(r->p.c.mem.used, used);
}

static void survives_every_failed_allocation(void **state)
{
    run *r = *state;
    for (uint64_t n = 1;; n++) {
        pipeline_clear(&r->p);
        const pipeline_options o = {.devices = EMIT_FOR_BOTH};
        assert_true(pipeline_init(&r->p, &o));
        r->p.c.mem.fail_at = n;
        if (mem_try(&r->p.c.mem, compile, r)) {
            assert_true(n > 5);
            return;
        }
        r->p.c.mem.fail_at = 0;
        pipeline_reset(&r->p);
        assert_true(mem_try(&r->p.c.mem, compile, r));
        assert_true(r->same);
    }
}

static void leaves_adjoints_out(void **state)
{
    run *r = *state;
    r->p.options.no_backward = true;
    r->size = 0;
    pipeline_reset(&r->p);
    assert_true(mem_try(&r->p.c.mem, compile, r));
    r->text[r->size] = 0;
    assert_non_null(strstr(r->text, "k_cpu_kernel_forward"));
    assert_null(strstr(r->text, "k_cpu_kernel_backward"));
    assert_non_null(strstr(r->text, "reverse mode disabled"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(compiles_in_flat_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_every_failed_allocation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_adjoints_out, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
