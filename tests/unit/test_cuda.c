/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as plain CUDA C++: the text of small programs, word by word, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "cuda/cuda.h"
#include "cuda/cuda_builtin.h"
#include "driver/pipeline.h"

typedef struct work {
    pipeline p;
    const char *source;
    const cuda_kernel *k;
    strbuf dump; /* with a memory: the trees as read and after folding are wanted */
} work;

static void make(void *arg)
{
    work *w = arg;
    uint32_t n;
    const program *prog = pipeline_load_text(&w->p, "t.py", str_c(w->source));
    assert_non_null(prog);
    const kernel *const *kernels = program_kernels(prog, &n);
    assert_int_equal(n, 1);
    w->k = cuda_kernel_make(&w->p.c, prog, kernels[0], true);
    if (w->dump.m)
        assert_true(cuda_dump_passes(&w->p.c, prog, kernels[0], false, "rf", &w->dump));
}

static int set_up(void **state)
{
    static work w;
    memset(&w, 0, sizeof w);
    *state = &w;
    const pipeline_options o = {.devices = EMIT_FOR_CUDA};
    return pipeline_init(&w.p, &o) ? 0 : -1;
}

static int tear_down(void **state)
{
    work *w = *state;
    pipeline_clear(&w->p);
    return 0;
}

static const cuda_kernel *kernel_of(void **state, const char *text)
{
    work *w = *state;
    w->source = text;
    assert_true(mem_try(&w->p.c.mem, make, w));
    return w->k;
}

static void assert_text(str got, const char *want)
{
    char buf[1 << 13];
    assert_in_range(got.n, 1, sizeof buf - 1);
    memcpy(buf, got.p, got.n);
    buf[got.n] = 0;
    assert_string_equal(buf, want);
}

#define HEAD "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n\n"

static void sums_of_products(void **state)
{
    const cuda_kernel *k = kernel_of(
        state, "import warp as wp\n"
               "@wp.kernel\n"
               "def saxpy(x: wp.array(dtype=float), y: wp.array(dtype=float), a: float):\n"
               "    i = wp.tid()\n"
               "    y[i] = a * x[i] + y[i]\n");
    assert_non_null(k);
    assert_text(k->forward,
                "__global__ void saxpy(const float *x, float *y, float a, int n)\n{\n" HEAD
                "    y[i] = a * x[i] + y[i];\n}\n");
    assert_text(
        k->backward,
        "__global__ void saxpy_backward(float *adj_x, float *adj_y, float a, int n)\n{\n" HEAD
        "    const float adj_sum = adj_y[i];\n"
        "    adj_y[i] = 0.0f;\n"
        "    atomicAdd(&adj_y[i], adj_sum);\n"
        "    atomicAdd(&adj_x[i], a * adj_sum);\n}\n");
    assert_int_equal(k->forward_params.n, 4);
    assert_int_equal(k->forward_params.v[0].kind, CUDA_PARAM_POINTER);
    assert_true(k->forward_params.v[0].is_const);
    assert_int_equal(k->forward_params.v[3].kind, CUDA_PARAM_LAUNCH);
}

static void branches_and_loops(void **state)
{
    const cuda_kernel *k =
        kernel_of(state, "import warp as wp\n"
                         "@wp.kernel(enable_backward=False)\n"
                         "def k(x: wp.array2d(dtype=float), y: wp.array(dtype=float)):\n"
                         "    i = wp.tid()\n"
                         "    s = float(0.0)\n"
                         "    for j in range(x.shape[1]):\n"
                         "        if x[i, j] < 0.0 or j == 7:\n"
                         "            continue\n"
                         "        s += x[i, j]\n"
                         "    while s > 1.0:\n"
                         "        s = s * 0.5\n"
                         "    if s > 0.25:\n"
                         "        t = s + 1.0\n"
                         "    else:\n"
                         "        t = 2.0\n"
                         "        s = 0.0\n"
                         "    y[i] = t - s if s > 0.1 else t\n");
    assert_non_null(k);
    assert_text(
        k->forward,
        "__global__ void k(const float *x, int x_cols, int x_stride, float *y, int n)\n{\n" HEAD
        "    float s = 0.0f;\n"
        "    for (int j = 0; j < x_cols; ++j) {\n"
        "        if (x[i * x_stride + j] < 0.0f || j == 7) continue;\n"
        "        s += x[i * x_stride + j];\n"
        "    }\n"
        "    while (s > 1.0f) {\n"
        "        s *= 0.5f;\n"
        "    }\n"
        "    float t;\n"
        "    if (s > 0.25f) {\n"
        "        t = s + 1.0f;\n"
        "    } else {\n"
        "        s = 0.0f;\n"
        "        t = 2.0f;\n"
        "    }\n"
        "    y[i] = s > 0.1f ? t - s : t;\n}\n");
    assert_int_equal(k->backward.n, 0);
}

static void structs_hold_arrays(void **state)
{
    const cuda_kernel *k = kernel_of(state, "import warp as wp\n"
                                            "@wp.struct\n"
                                            "class Body:\n"
                                            "    w: wp.array2d(dtype=float)\n"
                                            "    m: float\n"
                                            "@wp.func\n"
                                            "def weight(b: Body, i: int):\n"
                                            "    if i > 2:\n"
                                            "        return b.m\n"
                                            "    return b.w[i, 0]\n"
                                            "@wp.kernel\n"
                                            "def k(b: Body, y: wp.array(dtype=float)):\n"
                                            "    i = wp.tid()\n"
                                            "    y[i] = weight(b, i)\n");
    assert_non_null(k);
    assert_int_equal(k->structs.n, 1);
    assert_int_equal(k->structs.v[0]->nmembers, 5);
    assert_text(k->functions, "struct Body {\n    float *w;\n    int w_rows;\n    int w_cols;\n"
                              "    int w_stride;\n    float m;\n};\n\n"
                              "__device__ float weight(Body b, int i)\n{\n"
                              "    if (i > 2) return b.m;\n"
                              "    return b.w[i * b.w_stride];\n}\n\n"
                              "__device__ void adj_weight(Body &adj_b, int i, float adj_out)\n{\n"
                              "    if (i > 2) {\n"
                              "        adj_b.m += adj_out;\n"
                              "    } else {\n"
                              "        atomicAdd(&adj_b.w[i * adj_b.w_stride], adj_out);\n"
                              "    }\n}\n\n");
}

static void what_is_refused(void **state)
{
    work *w = *state;
    assert_null(
        kernel_of(state, "import warp as wp\n"
                         "@wp.kernel\n"
                         "def k(x: wp.indexedfabricarray(dtype=float), y: wp.array(dtype=float)):\n"
                         "    i = wp.tid()\n"
                         "    y[i] = x[i]\n"));
    assert_int_equal(w->p.c.diags.n, 1);
    assert_int_equal(w->p.c.diags.v[0].id, DIAG_NO_STANDALONE);
    assert_int_equal(w->p.c.diags.v[0].at.line, 5);
}

/* A statement is one line of a dump, whatever is in its strings. */
static void strings_in_dumps(void **state)
{
    work *w = *state;
    sb_init(&w->dump, &w->p.c.mem);
    kernel_of(state, "import warp as wp\n"
                     "@wp.kernel\n"
                     "def k(x: wp.array(dtype=float)):\n"
                     "    wp.printf(\"a\\nb\\n\")\n");
    assert_text(sb_view(&w->dump), "k, forward, as read:\n"
                                   "   printf(\"a\\nb\\n\")      ; 4\n"
                                   "\n"
                                   "k, forward, fold:\n"
                                   "   printf(\"a\\nb\\n\")      ; 4\n"
                                   "\n");
    sb_clear(&w->dump);
}

static unsigned externs_of(void **state, const char *text)
{
    const cuda_kernel *k = kernel_of(state, text);
    assert_non_null(k);
    return k->externs;
}

/* Names of headers count where the text has them: in a function that is called, a struct's member,
 * a literal, a native snippet; not in a docstring or a function that nothing calls. */
static void names_of_headers(void **state)
{
    const char *plain = "import warp as wp\n"
                        "@wp.func\n"
                        "def narrow(x: float):\n"
                        "    return float(wp.bfloat16(x))\n"
                        "@wp.kernel\n"
                        "def k(x: wp.array(dtype=float)):\n"
                        "    \"\"\"Not __half, not NAN.\"\"\"\n"
                        "    i = wp.tid()\n"
                        "    x[i] = x[i] + 1.0\n";
    assert_int_equal(externs_of(state, plain), 0);
    const char *narrow = "import warp as wp\n"
                         "@wp.func\n"
                         "def narrow(x: float):\n"
                         "    return float(wp.bfloat16(x))\n"
                         "@wp.kernel\n"
                         "def k(x: wp.array(dtype=float)):\n"
                         "    i = wp.tid()\n"
                         "    x[i] = wp.min(narrow(x[i]), wp.inf)\n";
    assert_int_equal(externs_of(state, narrow),
                     1u << CUDA_EXTERN_BFLOAT16 | 1u << CUDA_EXTERN_HUGE_VALF);
    const char *member = "import warp as wp\n"
                         "@wp.struct\n"
                         "class S:\n"
                         "    a: wp.array(dtype=wp.vec3h)\n"
                         "@wp.func_native(\"return x < 0 ? NAN : x;\", adj_snippet=\" \")\n"
                         "def root(x: wp.float64) -> wp.float64: ...\n"
                         "@wp.kernel\n"
                         "def k(x: wp.array(dtype=wp.float64), s: S):\n"
                         "    i = wp.tid()\n"
                         "    x[i] = root(wp.float64(s.a[i][0]))\n";
    assert_int_equal(externs_of(state, member), 1u << CUDA_EXTERN_HALF | 1u << CUDA_EXTERN_NAN);
}

/* The tree before and after a pass. */
static void passes_are_shown(void **state)
{
    work *w = *state;
    sb_init(&w->dump, &w->p.c.mem);
    kernel_of(state, "import warp as wp\n"
                     "@wp.kernel\n"
                     "def twice(x: wp.array(dtype=float)):\n"
                     "    i = wp.tid()\n"
                     "    x[i] = x[i] * 2.0\n");
    assert_text(sb_view(&w->dump), "twice, forward, as read:\n"
                                   "   %2 = element(x%0, i%1)      ; 5\n"
                                   "   %5 = load(%2)      ; 5\n"
                                   "   %4 = mul(%5, 2.0)      ; 5\n"
                                   "   element(x%0, i%1) = %4      ; 5\n"
                                   "\n"
                                   "twice, forward, fold:\n"
                                   "   element(x%0, i%1) = mul(load(element(x%0, i%1)), 2.0)"
                                   "      ; 5\n"
                                   "\n");
    sb_clear(&w->dump);
    const char *name;
    assert_int_equal(cuda_pass_letter(0, &name), 'r');
    uint32_t n = 0;
    while (cuda_pass_letter(n, &name))
        n++;
    assert_int_equal(n, 17);
    assert_null(name);
}

/* The table is searched in halves: a row out of order would not be found. */
static void builtins_are_found(void **state)
{
    (void)state;
    for (int op = CUDA_OP_OTHER + 1; op < CUDA_OPS; op++)
        assert_int_equal(cuda_op_of(cuda_op_name((cuda_op)op)), op);
    assert_int_equal(cuda_op_of(STR("")), CUDA_OP_OTHER);
    assert_int_equal(cuda_op_of(STR("atomic_")), CUDA_OP_OTHER);
    assert_int_equal(cuda_op_of(STR("where_")), CUDA_OP_OTHER);
}

/* The branch on the thread's index is around the tile's operation, however deep the branches within
 * it are. */
static void blocks_of_deep_branches(void **state)
{
    work *w = *state;
    strbuf b;
    sb_init(&b, &w->p.c.mem);
    sb_c(&b, "import warp as wp\n\n@wp.kernel(enable_backward=False)\n"
             "def k(x: wp.array(dtype=float), y: wp.array(dtype=float)):\n"
             "    i = wp.tid()\n"
             "    t = wp.tile_zeros(shape=8, dtype=float)\n"
             "    if x[i] > 0.0:\n"
             "        if x[0] == 0.0:\n            y[0] = 0.0\n");
    for (int n = 1; n < 70; n++)
        sb_printf(&b, "        elif x[0] == %d.0:\n            y[0] = 0.0\n", n);
    sb_c(&b, "        t += wp.tile_ones(shape=8, dtype=float)\n    y[i] = t[3]\n");
    const cuda_kernel *k = kernel_of(state, sb_cstr(&b));
    sb_clear(&b);
    assert_non_null(k);
    assert_int_equal(k->blocks, CUDA_BLOCKS_TILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums_of_products, set_up, tear_down),
        cmocka_unit_test_setup_teardown(branches_and_loops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(structs_hold_arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(passes_are_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings_in_dumps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_of_headers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_of_deep_branches, set_up, tear_down),
        cmocka_unit_test(builtins_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
