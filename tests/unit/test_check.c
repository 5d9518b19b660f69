/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of a pair: what is right is proved, what was changed is found, and each status means
 * what it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "check/check_found.h"
#include "driver/pipeline.h"

enum { FIELDS = 2 * EMIT_DEVICES };

/* A pair to be judged: a kernel's lines, its arguments, and a change of its texts. */
typedef struct pair {
    const char *source, *launch;
    check_arg args[4];
    const char *from, *to; /* in every field, or in the fields of `only` (bits) */
    unsigned only;
    const char *other; /* a source whose backward texts are taken */
    bool found;        /* somebody's kernel: check_found */
} pair;

typedef struct bench {
    pipeline p;
    checker *k;
    strbuf text[FIELDS], why;
    const pair *pair;
    uint64_t more; /* added to the index, by which inputs are drawn */
    check_result result;
} bench;

static const kernel *compile(bench *b, const char *python)
{
    uint32_t n;
    const program *prog = pipeline_load_text(&b->p, "t.py", str_c(python));
    assert_non_null(prog);
    const kernel *const *all = program_kernels(prog, &n);
    assert_int_equal(n, 1);
    compiled_kernel k = pipeline_lower(&b->p, prog, all[0]);
    assert_non_null(k.ir);
    pipeline_emit(&b->p, &k);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        sb_clear(&b->text[d]);
        sb_clear(&b->text[EMIT_DEVICES + d]);
        emit_record_forward(&b->text[d], &k.text[d]);
        emit_record_backward(&b->text[EMIT_DEVICES + d], &k.text[d]);
    }
    return k.kernel;
}

/* The source's kernel, with the backward texts of another one. */
static const kernel *compile_mixed(bench *b, const char *python, const char *other)
{
    strbuf kept[EMIT_DEVICES];
    compile(b, other);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        kept[d] = b->text[EMIT_DEVICES + d];
        sb_init(&b->text[EMIT_DEVICES + d], &b->p.c.mem);
    }
    const kernel *k = compile(b, python);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        sb_clear(&b->text[EMIT_DEVICES + d]);
        b->text[EMIT_DEVICES + d] = kept[d];
    }
    return k;
}

/* Replaces the last `from` of a text by `to`. */
static void change(bench *b, strbuf *text, const char *from, const char *to)
{
    strbuf out;
    const size_t n = strlen(from);
    const char *at = NULL, *end = text->p + text->n;
    for (const char *p = text->p; p + n <= end; p++)
        if (memcmp(p, from, n) == 0)
            at = p;
    assert_non_null(at);
    sb_init(&out, &b->p.c.mem);
    sb_put(&out, text->p, (size_t)(at - text->p));
    sb_c(&out, to);
    sb_put(&out, at + n, (size_t)(end - at) - n);
    sb_clear(text);
    *text = out;
}

static void judge_inside(void *arg)
{
    bench *b = arg;
    const pair *p = b->pair;
    check_subject s = {
        .launch = str_c(p->launch), .args = p->args, .seed = 7, .index = 3 + b->more};
    pipeline_reset(&b->p);
    s.kernel = p->other ? compile_mixed(b, p->source, p->other) : compile(b, p->source);
    for (unsigned i = 0; p->from && i < FIELDS; i++)
        if (p->only & 1u << i)
            change(b, &b->text[i], p->from, p->to);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        s.forward[d] = sb_view(&b->text[d]);
        s.backward[d] = sb_view(&b->text[EMIT_DEVICES + d]);
    }
    if (p->found)
        check_found(b->k, &s, &b->result, &b->why);
    else
        check_pair(b->k, &s, &b->result);
}

static const check_result *judge(bench *b, const pair *p)
{
    b->pair = p;
    assert_true(mem_try(&b->p.c.mem, judge_inside, b));
    return &b->result;
}

static void make_checker(void *arg)
{
    bench *b = arg;
    b->k = check_new(&b->p.c);
    for (int i = 0; i < FIELDS; i++)
        sb_init(&b->text[i], &b->p.c.mem);
    sb_init(&b->why, &b->p.c.mem);
}

static int set_up(void **state)
{
    static bench b;
    memset(&b, 0, sizeof b);
    *state = &b;
    const pipeline_options o = {.devices = EMIT_FOR_BOTH};
    return pipeline_init(&b.p, &o) && mem_try(&b.p.c.mem, make_checker, &b) ? 0 : 1;
}

static int tear_down(void **state)
{
    pipeline_clear(&((bench *)*state)->p);
    return 0;
}

#define KERNEL(body)                                                                               \
    "import warp as wp\n@wp.kernel\n"                                                              \
    "def k(x: wp.array(dtype=float), y: wp.array(dtype=float), n: int):\n"                         \
    "    i = wp.tid()\n" body
#define ARGUMENTS                                                                                  \
    {                                                                                              \
        {.shape = STR("n"), .mag = 2}, {.shape = STR("n"), .mag = 2},                              \
        {                                                                                          \
            .shape = STR("m"), .mag = 8                                                            \
        }                                                                                          \
    }

static const char smooth[] = KERNEL("    y[i] = x[i] * x[i] - wp.sin(x[i])\n");
enum { FORWARD = 3, BACKWARD = 12 };

static void assert_ends(bench *b, const pair *p, check_status status, const char *reason)
{
    const check_result *r = judge(b, p);
    if (r->status != status)
        print_message("%s: %s\n", check_status_name(r->status), r->detail);
    assert_int_equal(r->status, status);
    assert_string_equal(r->reason ? r->reason : "", reason);
}

static void a_right_pair_is_exact(void **state)
{
    const pair p = {.source = smooth, .launch = "n", .args = ARGUMENTS};
    assert_ends(*state, &p, CHECK_EXACT, "");
    const check_result *r = &((bench *)*state)->result;
    assert_true(r->inputs >= 3 && r->forward_error == 0);
    assert_true(r->adjoint_error <= r->adjoint_tolerance && r->adjoint_tolerance < 1e-4);
    assert_true(r->mutants > 5 && check_is_adequate(r));
    assert_true(r->work > r->mutants * r->steps / 4);
    const check_result before = *r;
    judge(*state, &p);
    assert_int_equal(before.killed, r->killed);
    assert_true(before.adjoint_error == r->adjoint_error);
}

static void a_changed_forward_text_is_found(void **state)
{
    for (unsigned field = 1; field < 4; field *= 2) {
        const pair p = {smooth, "n", ARGUMENTS, "wp::sub(", "wp::add(", field, NULL, false};
        assert_ends(*state, &p, CHECK_FAILED, "forward");
    }
}

static void a_changed_backward_text_is_found(void **state)
{
    const pair both = {smooth,         "n",      ARGUMENTS, "wp::adj_sub(",
                       "wp::adj_add(", BACKWARD, NULL,      false};
    assert_ends(*state, &both, CHECK_FAILED, "adjoint");
    const pair one = {smooth, "n", ARGUMENTS, "wp::adj_sub(", "wp::adj_add(", 4, NULL, false};
    assert_ends(*state, &one, CHECK_FAILED, "devices");
}

static void text_that_cannot_be_read_is_found(void **state)
{
    const pair p = {smooth, "n", ARGUMENTS, "wp::sub(", "wp::(", FORWARD, NULL, false};
    assert_ends(*state, &p, CHECK_FAILED, "unreadable");
}

static void the_backward_text_of_another_kernel_is_found(void **state)
{
    const pair p = {.source = smooth,
                    .launch = "n",
                    .args = ARGUMENTS,
                    .other = KERNEL("    y[i] = x[i] * x[i] * x[i]\n")};
    assert_ends(*state, &p, CHECK_FAILED, "adjoint");
}

static void warps_own_errors_have_a_class(void **state)
{
    const pair p = {.source = KERNEL("    s = float(0.5)\n"
                                     "    for j in range(n):\n"
                                     "        s = s * s * 0.5 + x[i]\n"
                                     "    y[i] = s\n"),
                    .launch = "n",
                    .args = ARGUMENTS};
    assert_ends(*state, &p, CHECK_WARP_DIFFERS, "");
    assert_string_equal(((bench *)*state)->result.class, "loop_body_replayed");
}

/* The adjoint of atomic_max passes on what equals the maximum: inputs moved a little never do. */
static void no_tolerance_grows_beyond_rounding(void **state)
{
    bench *b = *state;
    const pair p = {.source = KERNEL("    wp.atomic_max(y, 0, (x[0] - 100.0) * (0.7 * x[i]))\n"),
                    .launch = "n",
                    .args = ARGUMENTS};
    for (b->more = 0; b->more < 60; b->more++)
        assert_true(judge(b, &p)->adjoint_tolerance <= 0.01);
    b->more = 0;
}

/* The backward text reads zeros where the kernel has stored, which a product meets and a sum does
 * not. */
static void local_arrays_have_a_class(void **state)
{
    const pair square = {.source = KERNEL("    t = wp.zeros(shape=3, dtype=float)\n"
                                          "    t[1] = x[i]\n"
                                          "    y[i] = t[1] * t[1] + float(n)\n"),
                         .launch = "n",
                         .args = ARGUMENTS};
    assert_ends(*state, &square, CHECK_WARP_DIFFERS, "");
    assert_string_equal(((bench *)*state)->result.class, "local_array");
    const pair sum = {.source = KERNEL("    t = wp.zeros(shape=(2, 2), dtype=float)\n"
                                       "    t[1, 0] = x[i] * x[i]\n"
                                       "    t[1, 0] += x[i]\n"
                                       "    y[i] = 2.0 * t[1, 0] + float(n)\n"),
                      .launch = "n",
                      .args = ARGUMENTS};
    assert_ends(*state, &sum, CHECK_EXACT, "");
}

static void what_has_no_derivative_says_so(void **state)
{
    const pair p = {.source = KERNEL("    y[i] = wp.round(x[i] * 3.0) + float(n)\n"),
                    .launch = "n",
                    .args = ARGUMENTS};
    assert_ends(*state, &p, CHECK_NONDIFFERENTIABLE, "");
}

/* The slope is no half, which has the smallest range but not the fewest digits here. */
static void a_slope_beyond_half_is_no_derivative(void **state)
{
    const pair p = {.source =
                        "import warp as wp\n@wp.kernel\n"
                        "def k(x: wp.array(dtype=wp.float16), y: wp.array(dtype=float), n: int):\n"
                        "    i = wp.tid()\n"
                        "    y[i] = float(x[i]) * 1.0e9 + float(wp.bfloat16(float(n)))\n",
                    .launch = "n",
                    .args = ARGUMENTS};
    assert_ends(*state, &p, CHECK_NONDIFFERENTIABLE, "");
}

/* A divisor or a root of a thread is 0, where Warp's adjoint multiplies an infinite slope by 0.
 * Other threads prove it, and find what was changed. */
static void what_is_not_chosen_spoils_no_proof(void **state)
{
    static const char *const sources[] = {
        KERNEL("    d = i % 3\n"
               "    y[i] = wp.where(d > 0, 2.0 * x[i] / float(d), 0.0) + float(n)\n"),
        KERNEL("    m = wp.where(x[i] > 0.0, x[i], 0.0)\n"
               "    y[i] = wp.sqrt(m) * x[i] + float(n)\n")};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        pair p = {.source = sources[i], .launch = "n", .args = ARGUMENTS};
        assert_ends(*state, &p, CHECK_EXACT, "");
        p = (pair){sources[i],     "n",      ARGUMENTS, "wp::adj_mul(",
                   "wp::adj_sub(", BACKWARD, NULL,      false};
        assert_ends(*state, &p, CHECK_FAILED, "adjoint");
    }
}

/* The last thread has the tangent, each has the adjoint: no wrong text. */
static void threads_that_store_to_one_element_are_told(void **state)
{
    const bench *b = *state;
    pair p = {.source = KERNEL("    y[0] = 2.0 * x[i] + float(n)\n"),
              .launch = "n",
              .args = ARGUMENTS,
              .found = true};
    assert_ends(*state, &p, CHECK_FORWARD, "");
    assert_true(b->result.unordered && strstr(sb_view(&b->why).p, "depends on the order of its"));
    p.source = smooth;
    p.from = "wp::adj_sub(";
    p.to = "wp::adj_add(";
    p.only = BACKWARD;
    assert_ends(*state, &p, CHECK_FORWARD, "");
    assert_true(!b->result.unordered && strstr(sb_view(&b->why).p, "the adjoint is wrong"));
}

#define SHORT(factor)                                                                              \
    "import warp as wp\n@wp.kernel\n"                                                              \
    "def k(x: wp.array(dtype=wp.bfloat16), y: wp.array(dtype=wp.bfloat16), n: int):\n"             \
    "    i = wp.tid()\n    y[i] = x[i] * x[i] * wp.bfloat16(" factor ")\n"

static void a_wrong_adjoint_of_few_digits_is_found(void **state)
{
    pair p = {.source = SHORT("8.0"), .launch = "n", .args = ARGUMENTS};
    assert_ends(*state, &p, CHECK_EXACT, "");
    p.other = SHORT("6.0");
    assert_ends(*state, &p, CHECK_FAILED, "adjoint");
}

static void inputs_that_tell_nothing_are_told(void **state)
{
    const pair p = {.source = KERNEL("    y[i] = x[i] * 0.0\n"), .launch = "n", .args = ARGUMENTS};
    judge(*state, &p);
    assert_false(check_is_adequate(&((bench *)*state)->result));
}

static void arguments_must_fit(void **state)
{
    const char *const shapes[] = {"n,m", "", "n,", "0", "N", "9999", "n,m,p,q,r"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        pair p = {.source = smooth, .launch = "n", .args = ARGUMENTS};
        p.args[0].shape = str_c(shapes[i]);
        assert_ends(*state, &p, CHECK_CANNOT, "arguments");
    }
}

#define INTEGERS                                                                                   \
    "import warp as wp\n@wp.kernel\n"                                                              \
    "def k(a: wp.array(dtype=int), b: wp.array(dtype=int)):\n"                                     \
    "    i = wp.tid()\n    b[i] = a[i]\n"
#define HALVES                                                                                     \
    "import warp as wp\n@wp.kernel\n"                                                              \
    "def k(a: wp.array(dtype=wp.float16), b: wp.array(dtype=wp.float16)):\n"                       \
    "    i = wp.tid()\n    b[i] = a[i]\n"

/* The numbers of a and b of one launch; x, y: those of floats. */
typedef struct seen {
    int64_t n;
    int32_t a[80], b[80];
    double x[80], y[80];
} seen;

static void see_floats(const array_view *a, double *to)
{
    for (int64_t i = 0; i < a->shape[0]; i++)
        to[i] = num_load((type_kind)a->elem->kind, a->data->bytes + i * a->strides[0]).f;
}

static bool see(void *arg, const check_launch *at)
{
    seen *s = arg;
    const array_view *a = at->args[0].array, *b = at->args[1].array;
    s->n = a->shape[0];
    assert_true(s->n <= 80);
    if (a->elem->kind >= TYPE_FLOAT16) {
        see_floats(a, s->x);
        see_floats(b, s->y);
        return false;
    }
    memcpy(s->a, a->data->bytes, (size_t)s->n * 4);
    if (b->shape[0] == s->n)
        memcpy(s->b, b->data->bytes, (size_t)s->n * 4);
    return false;
}

static void visit_inside(void *arg)
{
    void *const *all = arg;
    bench *b = all[0];
    const pair *p = b->pair;
    check_subject s = {.launch = str_c(p->launch), .args = p->args, .seed = 7, .index = 3};
    pipeline_reset(&b->p);
    s.kernel = compile(b, p->source);
    check_visit(b->k, &s, see, all[1], &b->result);
}

static seen inputs_to(void **state, const char *python, const char *shape, const char *a,
                      const char *other)
{
    bench *b = *state;
    seen s = {0};
    void *all[] = {b, &s};
    const pair p = {.source = python,
                    .launch = "n=31",
                    .args = {{.shape = str_c(shape), .mag = 2, .values = str_c(a)},
                             {.shape = STR("n"), .mag = 2, .values = str_c(other)}}};
    b->pair = &p;
    assert_true(mem_try(&b->p.c.mem, visit_inside, all));
    return s;
}

/* The inputs of a kernel whose two arrays have these shapes and numbers. */
static seen inputs_of(void **state, const char *shape, const char *a, const char *other)
{
    return inputs_to(state, INTEGERS, shape, a, other);
}

static void integers_follow_a_rule(void **state)
{
    seen s = inputs_of(state, "n", "-1:n-1 by 3,2,1", "same a");
    for (int i = 0; i < 31; i++)
        assert_int_equal(s.a[i], -1 + (2 * (i / 3) + i % 3) % 31);
    assert_memory_equal(s.a, s.b, 31 * 4);
    uint32_t others = 0, turned = 0;
    const inputs_lattice far = {.group = 1, .of_group = 1 << 20};
    assert_int_equal(inputs_lattice_at(&far, 5000, 7), (INT64_C(5000) << 20) % 7);
    s = inputs_of(state, "n", "0:n or -7", "0:4 bits 24");
    for (int i = 0; i < 31; i++) {
        others += s.a[i] == -7;
        turned |= (uint32_t)s.b[i];
        assert_true((s.a[i] >= 0 && s.a[i] < 31) || s.a[i] == -7);
        assert_true(s.b[i] >= 0 && s.b[i] < 28);
    }
    assert_in_range(others, 1, 15);
    assert_int_equal(turned, 27);
    assert_int_equal(inputs_of(state, "17|n", "0:n", "0:n").n, 17);
}

static void things_have_parts(void **state)
{
    static const int32_t eight[] = {1, 1, 2, 2, 3, 3, 3, 3};
    seen s = inputs_of(state, "8", "part:8/4", "part:n/1048576");
    assert_memory_equal(s.a, eight, sizeof eight);
    s = inputs_of(state, "n", "part:31/31", "part:31/1048576");
    for (int i = 0; i < 31; i++) {
        const int part = s.a[i];
        assert_true(31 * part * (part + 1) / (31 * 32) <= i);
        assert_true(part == 30 || 31 * (part + 1) * (part + 2) / (31 * 32) > i);
        assert_true(i == 0 || s.b[i] > s.b[i - 1]);
    }
}

static void rows_before_a_thing_are_not_its_numbers(void **state)
{
    const seen s = inputs_of(state, "n", "0:n off 4,2", "0:n off 1,1048576");
    for (int i = 0; i < 31; i++) {
        assert_true(s.a[i] < i / 4 - 2 || s.a[i] > i / 4);
        assert_true(s.b[i] > i || i == 30);
    }
}

static void no_number_stands_twice_in_a_row(void **state)
{
    const seen s = inputs_of(state, "n", "-1:n apart 4", "-1:2 apart 4");
    for (int i = 0; i < 31; i++)
        for (int k = i / 4 * 4; k < i; k++) {
            assert_true(s.a[i] < 0 || s.a[i] != s.a[k]);
            assert_true(s.b[i] < 0 || s.b[i] != s.b[k]);
        }
    bool counts = false;
    for (int i = 0; i < 31; i++) {
        counts |= s.a[i] > 3;
        assert_true(s.a[i] >= -1 && s.a[i] < 31 && s.b[i] >= -1 && s.b[i] < 2);
    }
    assert_true(counts);
}

static void rising_floats_end(void **state)
{
    const seen s = inputs_to(state, HALVES, "n", "rising:2<12", "rising:2");
    for (int i = 0; i < 31; i++) {
        assert_true(s.x[i] >= (2 * i < 12 ? 2 * i : 12) && s.x[i] <= 12);
        assert_true(s.y[i] >= 2 * i && s.y[i] <= 2 * i + 2);
    }
    assert_true(inputs_to(state, HALVES, "80", "rising:999", "").x[79] == 65504);
}

static void texts_of_values_are_read(void **state)
{
    const char *const right[] = {"0:n or -1",      "0:n by 3,1,1",   "0:9 bits 12",
                                 "same x",         "0:n|same y",     "0:n or 2147483647",
                                 "0:n by 1,1,0^3", "part:n/1048576", "-1:n apart 4"},
                      *const wrong[] = {"0:n or",         "0:n by 3,1",         "0:n by 0,1,1",
                                        "0:n by 3,1,1,",  "0:9 bits",           "0:9 bits 0",
                                        "same ",          "0:n bits n",         "0:n apart 0",
                                        "part:n/1048577", "starts:n/2000000000"};
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_true(check_are_values(str_c(right[i])));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(check_are_values(str_c(wrong[i])));
}

static void only_an_earlier_array_is_the_same(void **state)
{
    const char *const texts[] = {"same b", "same c", "same a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        inputs_of(state, "n", texts[i], "0:n");
        assert_string_equal(((bench *)*state)->result.reason, "arguments");
    }
    inputs_of(state, "5", "0:n", "same a");
    assert_string_equal(((bench *)*state)->result.reason, "arguments");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_pair_is_exact),
        cmocka_unit_test(a_changed_forward_text_is_found),
        cmocka_unit_test(a_changed_backward_text_is_found),
        cmocka_unit_test(text_that_cannot_be_read_is_found),
        cmocka_unit_test(the_backward_text_of_another_kernel_is_found),
        cmocka_unit_test(warps_own_errors_have_a_class),
        cmocka_unit_test(no_tolerance_grows_beyond_rounding),
        cmocka_unit_test(local_arrays_have_a_class),
        cmocka_unit_test(what_has_no_derivative_says_so),
        cmocka_unit_test(a_slope_beyond_half_is_no_derivative),
        cmocka_unit_test(threads_that_store_to_one_element_are_told),
        cmocka_unit_test(what_is_not_chosen_spoils_no_proof),
        cmocka_unit_test(a_wrong_adjoint_of_few_digits_is_found),
        cmocka_unit_test(inputs_that_tell_nothing_are_told),
        cmocka_unit_test(arguments_must_fit),
        cmocka_unit_test(integers_follow_a_rule),
        cmocka_unit_test(things_have_parts),
        cmocka_unit_test(rows_before_a_thing_are_not_its_numbers),
        cmocka_unit_test(no_number_stands_twice_in_a_row),
        cmocka_unit_test(rising_floats_end),
        cmocka_unit_test(texts_of_values_are_read),
        cmocka_unit_test(only_an_earlier_array_is_the_same),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
