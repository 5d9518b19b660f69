/* SPDX-License-Identifier: Apache-2.0 */
/* The text machine on small texts: values, adjoints, faults, texts that are refused, mutants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "textvm/textvm.h"

/* clang-format off */
#define ARGS(extra)                                                                                \
    "struct wp_args_k {\n    wp::array_t<wp::float32> a;\n    wp::int32 n;\n"                      \
    "    wp::array_t<wp::float32> b;\n};\n" extra
#define FORWARD(vars, body)                                                                        \
    ARGS("template <bool wp_linear_contiguous>\nstatic void k_cpu_kernel_forward(\n"               \
         "    wp::launch_bounds_t<1> dim,\n    size_t task_index,\n    wp_args_k *_wp_args)\n{\n"  \
         "    static constexpr bool wp_linear_tid = wp_linear_contiguous;\n"                       \
         "    wp::array_t<wp::float32> var_a = _wp_args->a;\n"                                     \
         "    wp::int32 var_n = _wp_args->n;\n"                                                    \
         "    wp::array_t<wp::float32> var_b = _wp_args->b;\n"                                     \
         "    wp::int32 var_0;\n" vars "    var_0 = builtin_tid1d();\n" body "}\n")
#define CUDA(index, vars, body)                                                                    \
    "extern \"C\" __global__ void k_cuda_kernel_forward(\n    wp::launch_bounds_t<1> dim,\n"       \
    "    wp::array_t<wp::float32> var_a,\n    wp::int32 var_n,\n"                                  \
    "    wp::array_t<wp::float32> var_b)\n{\n    wp::tile_shared_storage_t tile_mem;\n"            \
    "    const size_t _idx = " index ";\n    if (_idx >= dim.size) return;\n"                      \
    "    wp::tile_shared_storage_t::init();\n    wp::int32 var_0;\n" vars                          \
    "    var_0 = builtin_tid1d();\n" body "}\n"
#define INDEX(z)                                                                                   \
    "static_cast<size_t>(blockIdx." z " * gridDim.y + blockIdx.y) * "                              \
    "static_cast<size_t>(gridDim.x * blockDim.x) + "                                               \
    "static_cast<size_t>(blockIdx.x * blockDim.x + threadIdx.x)"
#define COPY_VARS "    wp::float32* var_1;\n    wp::float32 var_2;\n    wp::float32 var_3;\n"
#define COPY                                                                                       \
    "    var_1 = wp::address(var_a, var_0);\n    var_2 = wp::load(var_1);\n"                       \
    "    var_3 = wp::add(var_2, var_2);\n    wp::array_store(var_b, var_0, var_3);\n"
#define LOOP_VARS                                                                                  \
    "    const wp::int32 var_1 = 0;\n    wp::range_t var_2;\n    wp::int32 var_3;\n"               \
    "    wp::float32 var_4;\n    wp::float32* var_5;\n    wp::float32 var_6;\n"                    \
    "    wp::float32 var_7;\n"
#define LOOP                                                                                       \
    "    var_4 = 0.5;\n    var_2 = wp::range(var_1, var_n);\n    start_for_0:;\n"                  \
    "        if (iter_cmp(var_2) == 0) goto end_for_0;\n        var_3 = wp::iter_next(var_2);\n"   \
    "        var_5 = wp::address(var_a, var_3);\n        var_6 = wp::load(var_5);\n"               \
    "        var_7 = wp::add(var_4, var_6);\n        wp::assign(var_4, var_7);\n"                  \
    "        goto start_for_0;\n    end_for_0:;\n    wp::array_store(var_b, var_0, var_4);\n"
#define LOCAL(type, shape)                                                                         \
    FORWARD("    const wp::int32 var_1 = 2;\n    wp::fixedarray_t<4, wp::float32> var_2;\n"        \
            "    " type " var_3;\n    const wp::float32 var_4 = 7.0;\n    wp::float32* var_5;\n"   \
            "    wp::float32 var_6;\n",                                                            \
            "    var_2 = wp::fixedarray_t<4, wp::float32>(" shape ");\n    var_3 = wp::copy(var_2);\n" \
            "    wp::array_store(var_2, var_0, var_n, var_4);\n"                                   \
            "    var_5 = wp::address(var_2, var_0, var_n);\n    var_6 = wp::load(var_5);\n"        \
            "    wp::array_store(var_b, var_0, var_6);\n"                                          \
            "    var_5 = wp::address(var_3, var_0, var_n);\n    var_6 = wp::load(var_5);\n"        \
            "    wp::array_store(var_a, var_0, var_6);\n")
/* clang-format on */

enum { SIZE = 5, BLOCK = 4 };

typedef struct bench {
    ctx c;
    const char *text;
    int n; /* of the argument n */
    int threads;
    uint64_t fuel;
    bool ok, mutate;
    bool more; /* mutants of comparisons and constants, too, and none that is the same program */
    bool idle; /* of these none whose change reaches nothing */
    textvm_error error;
    float a[SIZE], b[SIZE];
    uint32_t mutants;
} bench;

static rvalue array_arg(ctx *c, array_data *data, array_view *view, float *x, const char *name)
{
    const type *f = type_scalar(c, TYPE_FLOAT32);
    *data = (array_data){.name = name, .bytes = (uint8_t *)x, .size = sizeof(float) * SIZE};
    *view = (array_view){.data = data, .elem = f, .ndim = 1, .shape = {SIZE}, .strides = {4}};
    return (rvalue){.type = type_array(c, ARRAY_PLAIN, f, 1), .array = view};
}

static void run_text(void *arg)
{
    bench *x = arg;
    array_data data[2];
    array_view views[2];
    ctx_init(&x->c);
    types_init(&x->c);
    textvm *vm = textvm_read(&x->c, &x->c.module, str_c(x->text), &x->error);
    x->ok = vm != NULL;
    if (!vm)
        return;
    rvalue args[] = {
        array_arg(&x->c, &data[0], &views[0], x->a, "a"),
        {.type = type_scalar(&x->c, TYPE_INT32), .n = {.i = x->n}},
        array_arg(&x->c, &data[1], &views[1], x->b, "b"),
    };
    const textvm_launch launch = {
        .args = args, .ndim = 1, .dim = {x->threads}, .block_dim = BLOCK, .fuel = x->fuel};
    textvm_mutant mutants[20];
    x->mutants = textvm_mutants(vm, mutants, 20);
    if (x->more) {
        const uint32_t n = textvm_drop_even(vm, mutants, x->mutants);
        x->mutants = n + textvm_more_mutants(vm, mutants + n, 20 - n);
    }
    if (x->idle)
        x->mutants = textvm_drop_idle(vm, mutants, x->mutants);
    if (!x->mutate) {
        x->ok = textvm_run(vm, &launch, &x->error);
        return;
    }
    float want[SIZE];
    textvm_run(vm, &launch, &x->error);
    memcpy(want, x->b, sizeof want);
    for (uint32_t i = 0; i < x->mutants; i++) {
        memset(x->b, 0, sizeof x->b);
        textvm_mutate(vm, &mutants[i]);
        if (textvm_run(vm, &launch, &x->error))
            assert_memory_not_equal(want, x->b, sizeof want);
        textvm_mutate(vm, NULL);
        memset(x->b, 0, sizeof x->b);
        assert_true(textvm_run(vm, &launch, &x->error));
        assert_memory_equal(want, x->b, sizeof want);
    }
}

static bench run(const char *text, int n, int threads, uint64_t fuel)
{
    bench x = {.text = text, .n = n, .threads = threads, .fuel = fuel};
    for (int i = 0; i < SIZE; i++)
        x.a[i] = (float)i + 1;
    mem_init(&x.c.mem);
    assert_true(mem_try(&x.c.mem, run_text, &x));
    mem_clear(&x.c.mem);
    return x;
}

static void expect_error(const char *text, int n, int threads, textvm_error_kind kind,
                         const char *part)
{
    const bench x = run(text, n, threads, 1000);
    assert_false(x.ok);
    if (x.error.kind != kind || !strstr(x.error.text, part))
        print_message("'%s' where '%s' is expected\n", x.error.text, part);
    assert_int_equal(x.error.kind, kind);
    assert_non_null(strstr(x.error.text, part));
    assert_int_not_equal(x.error.line, 0);
}

static void test_values(void **state)
{
    (void)state;
    const char *const texts[] = {FORWARD(COPY_VARS, COPY), CUDA(INDEX("z"), COPY_VARS, COPY)};
    for (int t = 0; t < 2; t++) {
        const bench x = run(texts[t], 0, SIZE, 0);
        assert_true(x.ok);
        for (int i = 0; i < SIZE; i++)
            assert_true(x.b[i] == 2 * ((float)i + 1));
    }
    const bench loop = run(FORWARD(LOOP_VARS, LOOP), SIZE, 1, 1000);
    assert_true(loop.ok && loop.b[0] == 15.5f);
}

/* A local array is made anew by each thread, and a copy has elements of its own. */
static void test_local_arrays(void **state)
{
    (void)state;
    const bench x = run(LOCAL("wp::fixedarray_t<4, wp::float32>", "var_1, var_1"), 1, 2, 0);
    assert_true(x.ok);
    for (int i = 0; i < 2; i++)
        assert_true(x.b[i] == 7.0f && x.a[i] == 0.0f);
    expect_error(LOCAL("wp::fixedarray_t<4, wp::float32>", "var_1, var_1"), 2, 1, TEXTVM_FAULT,
                 "index 2 is out of bounds for dimension 1 of array zeros, of size 2");
    expect_error(LOCAL("wp::fixedarray_t<4, wp::float32>", "var_1"), 1, 1, TEXTVM_FAULT,
                 "is not of 4 elements");
    expect_error(LOCAL("wp::array_t<wp::float32>", "var_1, var_1"), 1, 1, TEXTVM_UNREADABLE,
                 "the type is");
    expect_error(LOCAL("wp::fixedarray_t<0, wp::float32>", "var_1"), 1, 1, TEXTVM_UNREADABLE,
                 "a size of 0");
}

/* An assignment of an unset variable is no reading of it: Warp's text of an unrolled loop assigns
 * what only a branch sets. What it is assigned to is unset, too. */
#define ASSIGN(type, one, sign, use)                                                               \
    FORWARD("    " type " var_1;\n    " type " var_2;\n    bool var_3;\n",                         \
            "    var_3 = (var_0 " sign " var_n);\n    if (var_3) {\n        var_1 = " one ";\n"    \
            "    }\n    wp::assign(var_2, var_1);\n" use)
static void test_assigned_unset(void **state)
{
    (void)state;
    assert_true(run(ASSIGN("wp::float32", "1.0", ">", ""), 0, 1, 0).ok);
    assert_true(run(ASSIGN("wp::vec_t<3,wp::float32>", "{}", ">", ""), 0, 1, 0).ok);
    expect_error(ASSIGN("wp::float32", "1.0", ">", "    var_1 = wp::copy(var_2);\n"), 0, 1,
                 TEXTVM_UNSET, "var_2 is read before it has a value");
    expect_error(ASSIGN("wp::vec_t<3,wp::float32>", "{}", ">", "    var_1 = wp::copy(var_2);\n"), 0,
                 1, TEXTVM_UNSET, "var_2 is read before it has a value");
    const bench x = run(
        ASSIGN("wp::float32", "2.0", ">=", "    wp::array_store(var_b, var_0, var_2);\n"), 0, 1, 0);
    assert_true(x.ok && x.b[0] == 2.0f);
}

static void test_faults(void **state)
{
    (void)state;
    expect_error(FORWARD(COPY_VARS, COPY), 0, SIZE + 1, TEXTVM_FAULT,
                 "index 5 is out of bounds for dimension 0 of array a, of size 5");
    expect_error(FORWARD(LOOP_VARS, LOOP), 1000, 1, TEXTVM_FAULT, "array a");
    expect_error(FORWARD("    wp::float32 var_1;\n    bool var_2;\n",
                         "    var_2 = (var_0 > var_n);\n    if (var_2) {\n"
                         "        var_1 = 1.0;\n    }\n"
                         "    wp::array_store(var_b, var_0, var_1);\n"),
                 0, 1, TEXTVM_UNSET, "var_1 is read before it has a value");
    expect_error(FORWARD("", "    start_while_0:;\n    goto start_while_0;\n"), 0, 1, TEXTVM_FUEL,
                 "steps");
    expect_error(CUDA(INDEX("x"), COPY_VARS, COPY), 0, SIZE, TEXTVM_FAULT, "thread");
}

static void test_refused(void **state)
{
    (void)state;
    expect_error(FORWARD("", "    var_1 = wp::copy(var_0);\n"), 0, 1, TEXTVM_UNREADABLE,
                 "'var_1' is not declared");
    expect_error(FORWARD("    wp::float32 var_1;\n", "    var_1 = wp::copy(var_0);\n"), 0, 1,
                 TEXTVM_UNREADABLE, "the type is");
    expect_error(FORWARD("    wp::int32 var_0;\n", ""), 0, 1, TEXTVM_UNREADABLE, "declared twice");
    expect_error(FORWARD("", "    goto end_for_0;\n"), 0, 1, TEXTVM_UNREADABLE,
                 "'end_for_0' is missing");
    expect_error(FORWARD("    const wp::int32 var_1 = 3;\n", "    var_1 = wp::copy(var_0);\n"), 0,
                 1, TEXTVM_UNREADABLE, "const");
    expect_error(FORWARD("    wp::int32 var_1;\n", "    var_1 = wp::nosuch(var_0);\n"), 0, 1,
                 TEXTVM_MISSING, "cannot execute nosuch");
    expect_error(FORWARD(COPY_VARS, COPY) "@", 0, 1, TEXTVM_UNREADABLE, "not '@'");
    expect_error("", 0, 1, TEXTVM_UNREADABLE, "no kernel");
}

/* How many mutants there are; each of them has to show. */
static uint32_t count_kind(const char *text, bool more, bool idle)
{
    bench x = {.text = text, .threads = 3, .mutate = true, .more = more, .idle = idle};
    for (int i = 0; i < SIZE; i++)
        x.a[i] = (float)i + 1;
    mem_init(&x.c.mem);
    assert_true(mem_try(&x.c.mem, run_text, &x));
    mem_clear(&x.c.mem);
    return x.mutants;
}

static uint32_t count_all(const char *text, bool more)
{
    return count_kind(text, more, false);
}

static uint32_t count_mutants(const char *text)
{
    return count_all(text, false);
}

/* b[i] = what `body` makes of s = 2 a[i] */
#define OF_SUM(body)                                                                               \
    FORWARD(COPY_VARS "    wp::float32 var_4;\n    wp::float32 var_5;\n",                          \
            "    var_1 = wp::address(var_a, var_0);\n    var_2 = wp::load(var_1);\n"               \
            "    var_3 = wp::add(var_2, var_2);\n" body                                            \
            "    wp::array_store(var_b, var_0, var_5);\n")

static void test_mutants(void **state)
{
    (void)state;
    /* index of each access, sign of the sum, the store dropped */
    assert_int_equal(count_mutants(FORWARD(COPY_VARS, COPY)), 4);
    /* and the signs of what follows, but for those that nothing tells: of s in cos(s) and s * s */
    assert_int_equal(count_mutants(OF_SUM("    var_4 = wp::sin(var_3);\n"
                                          "    var_5 = wp::exp(var_4);\n")),
                     6);
    assert_int_equal(count_mutants(OF_SUM("    var_4 = wp::cos(var_3);\n"
                                          "    var_5 = wp::exp(var_4);\n")),
                     5);
    assert_int_equal(count_mutants(OF_SUM("    var_4 = wp::sin(var_3);\n"
                                          "    var_5 = wp::mul(var_4, var_4);\n")),
                     4);
    assert_int_equal(count_mutants(OF_SUM("    var_4 = wp::sin(var_3);\n"
                                          "    var_5 = wp::mul(var_4, var_3);\n")),
                     5);
    assert_int_equal(count_mutants(OF_SUM("    var_4 = wp::abs(var_3);\n"
                                          "    var_5 = wp::add(var_4, var_3);\n")),
                     6);
}

/* The same in var_4, with a constant 2.0 in var_5 and a flag var_6. */
#define WITH_TWO(body)                                                                             \
    FORWARD(COPY_VARS "    wp::float32 var_4;\n    const wp::float32 var_5 = 2.0;\n"               \
                      "    bool var_6;\n",                                                         \
            "    var_1 = wp::address(var_a, var_0);\n    var_2 = wp::load(var_1);\n"               \
            "    var_3 = wp::add(var_2, var_2);\n    var_6 = (var_2 < var_5);\n" body              \
            "    wp::array_store(var_b, var_0, var_4);\n")

#define OF_SUM_AND_TWO(body)                                                                       \
    FORWARD(COPY_VARS "    wp::float32 var_4;\n    const wp::float32 var_5 = 2.0;\n",              \
            "    var_1 = wp::address(var_a, var_0);\n    var_2 = wp::load(var_1);\n"               \
            "    var_3 = wp::add(var_2, var_2);\n" body                                            \
            "    wp::array_store(var_b, var_0, var_4);\n")

static void test_more_mutants(void **state)
{
    (void)state;
    /* two indices, the sum's sign, the store, the operands of < and where; < turned, another 2.0 */
    assert_int_equal(count_all(WITH_TWO("    var_4 = wp::where(var_6, var_2, var_3);\n"), true), 8);
    assert_int_equal(count_all(WITH_TWO("    var_4 = wp::where(var_6, var_2, var_3);\n"), false),
                     6);
    /* the sum's sign does not matter to its square; exchanged operands do */
    const char *const square = OF_SUM_AND_TWO("    var_4 = wp::pow(var_3, var_5);\n");
    assert_int_equal(count_all(square, true), 6);
}

/* b[i] = a[the number that `body` makes of 2, 1 and 3 in var_6] */
#define PICK(vars, body)                                                                           \
    FORWARD("    wp::float32* var_1;\n    wp::float32 var_2;\n    const wp::int32 var_3 = 2;\n"    \
            "    const wp::int32 var_4 = 1;\n    const wp::int32 var_5 = 3;\n"                     \
            "    wp::int32 var_6;\n" vars,                                                         \
            body "    var_1 = wp::address(var_a, var_6);\n    var_2 = wp::load(var_1);\n"          \
                 "    wp::array_store(var_b, var_0, var_2);\n")

static void test_idle_mutants(void **state)
{
    (void)state;
    /* a[(2 + 1) % 3]: the sign of the sum and the order of 3 and 3 do not matter. Two indices, the
     * store and three numbers do. */
    assert_int_equal(
        count_kind(PICK("    wp::int32 var_7;\n", "    var_7 = wp::add(var_3, var_4);\n"
                                                  "    var_6 = wp::mod(var_7, var_5);\n"),
                   true, true),
        6);
    /* a[1 % 3] is a[1 % 4], but not a[2 % 3] or a[3 % 1]; nothing reads 2. */
    assert_int_equal(count_kind(PICK("", "    var_6 = wp::mod(var_4, var_5);\n"), true, true), 5);
    /* Nothing reads the choice, so its condition and the 3 in it do not matter, nor does the 2. */
    assert_int_equal(count_kind(PICK("    bool var_7;\n    wp::int32 var_8;\n",
                                     "    var_6 = wp::copy(var_4);\n"
                                     "    var_7 = (var_0 < var_3);\n"
                                     "    var_8 = wp::where(var_7, var_5, var_4);\n"),
                                true, true),
                     4);
}

/* What an instruction leaves in a variable matters only if something reads it again. */
static void test_dead_mutants(void **state)
{
    (void)state;
    /* Only the first lane is read: the product in the other and its sign, 2 and 3 do not matter;
     * two indices, the store, the sign of what is read, the lane's number and the 1 in it do. */
    assert_int_equal(count_kind(PICK("    wp::vec_t<2, wp::int32> var_7;\n    wp::int32 var_8;\n"
                                     "    const wp::int32 var_9 = 0;\n",
                                     "    var_8 = wp::mul(var_3, var_0);\n"
                                     "    var_7 = wp::vec_t<2, wp::int32>(var_4, var_8);\n"
                                     "    var_6 = wp::extract(var_7, var_9);\n"),
                                true, true),
                     6);
    /* The first assignment is lost in the second one, and with it 2 and its product. */
    assert_int_equal(
        count_kind(PICK("    wp::int32 var_7;\n", "    var_7 = wp::mul(var_3, var_0);\n"
                                                  "    var_6 = wp::copy(var_4);\n"
                                                  "    wp::assign(var_6, var_7);\n"
                                                  "    wp::assign(var_6, var_4);\n"),
                   true, true),
        5);
}

/* What is printed is not compared, so neither what is computed for it nor the condition of a branch
 * that only prints matters. */
static void test_printed_mutants(void **state)
{
    (void)state;
    assert_int_equal(count_kind(PICK("    wp::int32 var_7;\n",
                                     "    var_6 = wp::copy(var_4);\n"
                                     "    var_7 = wp::sub(var_0, var_3);\n    printf(var_7);\n"),
                                true, true),
                     4);
    assert_int_equal(
        count_kind(PICK("    bool var_7;\n    wp::int32 var_8;\n    bool var_9;\n",
                        "    var_6 = wp::copy(var_4);\n    var_9 = (var_0 < var_5);\n"
                        "    var_7 = var_9;\n    if (var_7) {\n        var_9 = (var_0 < var_3);\n"
                        "        var_7 = var_7 && var_9;\n    }\n    if (var_7) {\n"
                        "        var_8 = wp::sub(var_0, var_3);\n        printf(var_8);\n    }\n"),
                   true, true),
        4);
    /* This branch sets the index, too: its condition, the 2 in it, the 3 and the order of the
     * comparison matter. */
    assert_int_equal(count_kind(PICK("    bool var_7;\n", "    var_6 = wp::copy(var_4);\n"
                                                          "    var_7 = (var_0 < var_3);\n"
                                                          "    if (var_7) {\n"
                                                          "        wp::assign(var_6, var_5);\n"
                                                          "        printf(var_6);\n    }\n"),
                                true, true),
                     9);
}

/* A function that nothing calls, as where only its adjoint is called, has no mutants. */
static void test_unreached_mutants(void **state)
{
    (void)state;
    const char *const text =
        "static CUDA_CALLABLE wp::float32 f_0(\n    wp::float32 var_x)\n{\n"
        "    wp::float32 var_0;\n    var_0 = wp::add(var_x, var_x);\n    return var_0;\n}\n" //
        FORWARD(COPY_VARS, COPY);
    assert_int_equal(count_kind(text, true, true), 4);
}

static void read_and_list(void *arg)
{
    bench *x = arg;
    textvm_mutant mutants[20];
    ctx_init(&x->c);
    types_init(&x->c);
    textvm *vm = textvm_read(&x->c, &x->c.module, str_c(x->text), &x->error);
    if (!vm)
        fail_msg("%s", x->error.text);
    x->mutants = textvm_drop_idle(vm, mutants, textvm_mutants(vm, mutants, 20));
}

/* How many mutants of a text are not the same program; they are not run. */
static uint32_t count_listed(const char *text)
{
    bench x = {.text = text};
    mem_init(&x.c.mem);
    assert_true(mem_try(&x.c.mem, read_and_list, &x));
    mem_clear(&x.c.mem);
    return x.mutants;
}

/* clang-format off */
#define BACKWARD(vars, body)                                                                       \
    ARGS("template <bool wp_linear_contiguous>\nstatic void k_cpu_kernel_backward(\n"              \
         "    wp::launch_bounds_t<1> dim,\n    size_t task_index,\n    wp_args_k *_wp_args,\n"     \
         "    wp_args_k *_wp_adj_args)\n{\n"                                                       \
         "    static constexpr bool wp_linear_tid = wp_linear_contiguous;\n"                       \
         "    wp::array_t<wp::float32> var_a = _wp_args->a;\n"                                     \
         "    wp::int32 var_n = _wp_args->n;\n"                                                    \
         "    wp::array_t<wp::float32> var_b = _wp_args->b;\n"                                     \
         "    wp::array_t<wp::float32> adj_a = _wp_adj_args->a;\n"                                 \
         "    wp::int32 adj_n = _wp_adj_args->n;\n"                                                \
         "    wp::array_t<wp::float32> adj_b = _wp_adj_args->b;\n"                                 \
         "    wp::int32 var_0;\n    wp::int32 adj_0 = {};\n" vars                                  \
         "    var_0 = builtin_tid1d();\n" body "    return;\n}\n")
/* clang-format on */

/* `v[0] = a[i]; b[i] = v[LANE]` */
#define ASSIGNED(lane)                                                                             \
    BACKWARD("    const wp::float32 var_1 = 1.0;\n    wp::vec_t<2, wp::float32> var_2;\n"          \
             "    wp::float32* var_3;\n    wp::float32 var_4;\n    const wp::int32 var_5 = 0;\n"   \
             "    const wp::int32 var_6 = " lane ";\n    wp::float32 var_7;\n"                     \
             "    wp::float32 adj_1 = {};\n    wp::vec_t<2, wp::float32> adj_2 = {};\n"            \
             "    wp::float32 adj_3 = {};\n    wp::float32 adj_4 = {};\n"                          \
             "    wp::int32 adj_5 = {};\n    wp::int32 adj_6 = {};\n"                              \
             "    wp::float32 adj_7 = {};\n    wp::float32 var_8;\n"                               \
             "    wp::float32 adj_8 = {};\n",                                                      \
             "    var_2 = wp::vec_t<2, wp::float32>(var_1, var_1);\n"                              \
             "    var_3 = wp::address(var_a, var_0);\n    var_4 = wp::load(var_3);\n"              \
             "    var_8 = wp::copy(var_4);\n"                                                      \
             "    wp::assign_inplace(var_2, var_5, var_8);\n"                                      \
             "    var_7 = wp::extract(var_2, var_6);\n"                                            \
             "    wp::adj_array_store(var_b, var_0, var_7, adj_b, adj_0, adj_7);\n"                \
             "    wp::adj_extract(var_2, var_6, adj_2, adj_6, adj_7);\n"                           \
             "    wp::adj_assign_inplace(var_2, var_5, var_8, adj_2, adj_5, adj_8);\n"             \
             "    wp::adj_copy(var_4, adj_3, adj_8);\n"                                            \
             "    wp::adj_address(var_a, var_0, adj_a, adj_0, adj_3);\n"                           \
             "    wp::adj_vec_t(var_1, var_1, adj_1, adj_1, adj_2);\n")

static void test_assigned_mutants(void **state)
{
    (void)state;
    /* All five adjoints left out but that of the constructor, and a gradient that is not cleared:
     * that of the assignment gives a its gradient. */
    assert_int_equal(count_listed(ASSIGNED("0")), 6);
    /* Nothing reads the adjoint of another lane: those of the store and of v[1] do not matter. */
    assert_int_equal(count_listed(ASSIGNED("1")), 4);
}

/* What a tile operation calls for each element has mutants as if the kernel called it: its result
 * goes to a variable that the operation alone reads. */
static void test_mapped_mutants(void **state)
{
    (void)state;
#define TILE(n)                                                                                    \
    "    wp::tile_register_t<wp::float32,wp::tile_layout_register_t<wp::tile_shape_t<3>>> var_" n  \
    " = wp::tile_register_t<wp::float32,wp::tile_layout_register_t<wp::tile_shape_t<3>>>{};\n"
#define MAPPED(map)                                                                                \
    FORWARD("    const wp::int32 var_1 = 0;\n" TILE("2") TILE("3"),                                \
            "    var_2 = wp::tile_load<wp::float32, true, false, 3>(var_a, var_1);\n"              \
            "    var_3 = " map ";\n"                                                               \
            "    wp::tile_store<wp::float32, true, false>(var_b, var_1, var_3);\n")
    /* The order of the comparison's operands and its opposite, the product's sign, 0, 2 and 3. */
    const char *const function =
        "static wp::float32 f_0(\n    wp::float32 var_x)\n{\n    const wp::float32 var_0 = 2.0;\n"
        "    const wp::float32 var_1 = 3.0;\n    bool var_2;\n    wp::float32 var_3;\n"
        "    var_2 = (var_x < var_0);\n    if (var_2) {\n        return var_1;\n    }\n"
        "    var_3 = wp::mul(var_x, var_x);\n    return var_3;\n}\n" //
        MAPPED("wp::tile_unary_map(f_0, var_2)");
    assert_int_equal(count_kind(function, true, true), 6);
    /* The sign of the negation, and 0. */
    assert_int_equal(count_kind(MAPPED("wp::tile_neg(var_2)"), true, true), 2);
#undef MAPPED
#undef TILE
}

/* The length of a vector does not tell the signs of its components, nor in a function. */
static void test_even_parts(void **state)
{
    (void)state;
    const char *const length =
        FORWARD(COPY_VARS "    wp::vec_t<2, wp::float32> var_4;\n    wp::float32 var_5;\n",
                "    var_1 = wp::address(var_a, var_0);\n    var_2 = wp::load(var_1);\n"
                "    var_3 = wp::add(var_2, var_2);\n"
                "    var_4 = wp::vec_t<2, wp::float32>(var_3, var_2);\n"
                "    var_5 = wp::length(var_4);\n"
                "    wp::array_store(var_b, var_0, var_5);\n");
    assert_int_equal(count_kind(length, true, true), 4);
    /* Nor does the magnitude of a component: two indices, the store, the component's number. */
    const char *const component =
        FORWARD(COPY_VARS "    wp::vec_t<2, wp::float32> var_4;\n    wp::float32 var_5;\n"
                          "    const wp::int32 var_6 = 0;\n    wp::float32 var_7;\n",
                "    var_1 = wp::address(var_a, var_0);\n    var_2 = wp::load(var_1);\n"
                "    var_3 = wp::add(var_2, var_2);\n"
                "    var_4 = wp::vec_t<2, wp::float32>(var_3, var_2);\n"
                "    var_7 = wp::extract(var_4, var_6);\n    var_5 = wp::abs(var_7);\n"
                "    wp::array_store(var_b, var_0, var_5);\n");
    assert_int_equal(count_kind(component, true, true), 5);
    /* The inverse of q and that of -q are one rotation, of which the sum is a part. Two indices,
     * the store, the signs of the sum, the turned vector and its component, its number. */
    const char *const rotation =
        FORWARD(COPY_VARS "    wp::quat_t<wp::float32> var_4;\n    wp::quat_t<wp::float32> var_5;\n"
                          "    wp::vec_t<3, wp::float32> var_6;\n"
                          "    wp::vec_t<3, wp::float32> var_7;\n"
                          "    const wp::int32 var_8 = 0;\n    wp::float32 var_9;\n",
                "    var_1 = wp::address(var_a, var_0);\n    var_2 = wp::load(var_1);\n"
                "    var_3 = wp::add(var_2, var_2);\n"
                "    var_4 = wp::quat_t<wp::float32>(var_2, var_2, var_2, var_3);\n"
                "    var_5 = wp::quat_inverse(var_4);\n"
                "    var_6 = wp::vec_t<3, wp::float32>(var_2, var_2, var_3);\n"
                "    var_7 = wp::quat_rotate(var_5, var_6);\n"
                "    var_9 = wp::extract(var_7, var_8);\n"
                "    wp::array_store(var_b, var_0, var_9);\n");
    assert_int_equal(count_kind(rotation, true, true), 7);
    /* The sign of a divisor does not change the rest: 2 % (i + 1). The order of the two, the two
     * numbers, two indices and the store do. */
    assert_int_equal(
        count_kind(PICK("    wp::int32 var_7;\n", "    var_7 = wp::add(var_0, var_4);\n"
                                                  "    var_6 = wp::mod(var_3, var_7);\n"),
                   true, true),
        6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_local_arrays),
        cmocka_unit_test(test_assigned_unset),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_more_mutants),
        cmocka_unit_test(test_idle_mutants),
        cmocka_unit_test(test_dead_mutants),
        cmocka_unit_test(test_printed_mutants),
        cmocka_unit_test(test_unreached_mutants),
        cmocka_unit_test(test_even_parts),
        cmocka_unit_test(test_mapped_mutants),
        cmocka_unit_test(test_assigned_mutants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
