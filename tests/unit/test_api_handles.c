/* SPDX-License-Identifier: Apache-2.0 */
/* The library's interface: records one after another, kernels executed, data sets checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "weft.h"

static const char source[] = "import warp as wp\n"
                             "\n"
                             "@wp.kernel\n"
                             "def scale(x: wp.array(dtype=float), s: float):\n"
                             "    i = wp.tid()\n"
                             "    x[i] = x[i] * s\n";

/* --- generating */

static weft_generator *generator(uint64_t count, uint32_t jobs)
{
    const weft_generate_options o = {
        .size = sizeof o, .count = count, .seed = 7, .jobs = jobs, .no_verify = 1};
    weft_generator *g;
    assert_int_equal(weft_generator_new(&o, &g), WEFT_OK);
    return g;
}

static void gives_the_same_records(void **state)
{
    (void)state;
    weft_generator *a = generator(100, 1), *b = generator(100, 3);
    const char *p, *q;
    size_t n, m, records = 0;
    for (;; records++) {
        assert_int_equal(weft_generator_next(a, &p, &n), WEFT_OK);
        assert_int_equal(weft_generator_next(b, &q, &m), WEFT_OK);
        if (!p)
            break;
        assert_int_equal(n, m);
        assert_memory_equal(p, q, n);
        assert_true(p[0] == '{' && p[n - 1] == '}');
    }
    assert_null(q);
    assert_int_equal(records, 100);
    assert_int_equal(weft_generator_next(a, &p, &n), WEFT_OK);
    assert_null(p);
    weft_generator_free(a);
    weft_generator_free(b);
}

static void may_be_abandoned(void **state)
{
    (void)state;
    const char *p;
    size_t n;
    for (int taken = 0; taken < 70; taken += 23) {
        weft_generator *g = generator(100000, 2);
        for (int i = 0; i < taken; i++)
            assert_int_equal(weft_generator_next(g, &p, &n), WEFT_OK);
        weft_generator_free(g);
    }
    weft_generator_free(NULL);
}

static void refuses_wrong_options(void **state)
{
    (void)state;
    const weft_generate_options wrong[] = {
        {.size = sizeof wrong[0], .count = 1, .categories = "loop,nothing"},
        {.size = sizeof wrong[0], .count = 1, .categories = ""},
        {.size = sizeof wrong[0], .count = 1, .devices = 4},
        {.size = sizeof wrong[0], .count = 1, .part = 3, .parts = 2},
        {.size = sizeof wrong[0], .count = 1, .exact_gradients = 1, .no_verify = 1},
        {.size = sizeof wrong[0], .count = UINT64_MAX},
    };
    weft_generator *g;
    const char *p;
    size_t n;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(weft_generator_new(&wrong[i], &g), WEFT_BAD_ARGUMENT);
        assert_true(strlen(weft_generator_message(g)) > 10);
        assert_int_equal(weft_generator_next(g, &p, &n), WEFT_BAD_ARGUMENT);
        weft_generator_free(g);
    }
    assert_int_equal(weft_generator_new(NULL, &g), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_generator_new(wrong, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_generator_next(NULL, &p, &n), WEFT_BAD_ARGUMENT);
}

static void refuses_to_go_on_in_a_child(void **state)
{
    (void)state;
    weft_generator *g = generator(1000, 1);
    const char *p;
    size_t n;
    int status;
    assert_int_equal(weft_generator_next(g, &p, &n), WEFT_OK);
    const pid_t child = fork();
    if (!child) {
        const weft_status s = weft_generator_next(g, &p, &n);
        weft_generator_free(g);
        _exit(s == WEFT_BAD_ARGUMENT ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(weft_generator_next(g, &p, &n), WEFT_OK);
    assert_non_null(p);
    weft_generator_free(g);
}

/* --- executing */

typedef struct run {
    weft_context *c;
    weft_argument args[2];
    weft_run_options o;
    int64_t shape;
    float x[4], grad[4];
    double s;
} run;

static run *start(run *r)
{
    *r = (run){.shape = 4, .x = {1, 2, 3, 4}, .grad = {1, 1, 1, 1}, .s = 3};
    r->args[0] = (weft_argument){.size = sizeof r->args[0],
                                 .name = "x",
                                 .dtype = "f4",
                                 .ndim = 1,
                                 .shape = &r->shape,
                                 .data = r->x};
    r->args[1] =
        (weft_argument){.size = sizeof r->args[0], .name = "s", .dtype = "f8", .data = &r->s};
    r->o = (weft_run_options){
        .size = sizeof r->o, .ndim = 1, .dim = {4}, .arguments = r->args, .argument_count = 2};
    assert_int_equal(weft_context_new(NULL, &r->c), WEFT_OK);
    return r;
}

static weft_status launch(run *r)
{
    return weft_run_text(r->c, "scale.py", source, sizeof source - 1, &r->o);
}

static void executes_kernels(void **state)
{
    (void)state;
    run r;
    for (int executor = WEFT_REFERENCE; executor <= WEFT_TEXT_CUDA; executor++) {
        start(&r)->o.executor = executor;
        r.o.gradients = 1;
        r.args[0].gradient = r.grad;
        assert_int_equal(launch(&r), WEFT_OK);
        for (int i = 0; i < 4; i++) {
            assert_true(r.x[i] == 3.0F * (float)(i + 1));
            assert_true(r.grad[i] == 3.0F);
        }
        weft_context_free(r.c);
    }
}

static void tells_why_a_run_failed(void **state)
{
    (void)state;
    run r;
    start(&r)->o.dim[0] = 5;
    assert_int_equal(launch(&r), WEFT_FAILED);
    assert_non_null(strstr(weft_message(r.c), "index 4 is out of bounds"));
    assert_true(r.x[0] == 1.0F); /* nothing has changed */
    r.o.dim[0] = 4;
    r.o.argument_count = 1;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    assert_string_equal(weft_message(r.c), "argument 's': it is not given");
    r.o.argument_count = 2;
    r.args[0].dtype = "f8";
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    assert_string_equal(weft_message(r.c), "argument 'x': its items are float64, not float32");
    r.args[0].dtype = "z9";
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    r.args[0].dtype = "f4";
    r.shape = -1;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    r.shape = INT64_MAX;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    r.shape = 4;
    r.args[1].gradient = &r.s;
    r.o.gradients = 1;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    assert_string_equal(weft_message(r.c), "adjoint 's': the kernel has no such array of floats");
    r.args[1].gradient = NULL;
    r.o.kernel = "other";
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    r.o.kernel = NULL;
    r.o.ndim = 5;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    r.o.ndim = 1;
    assert_int_equal(weft_run_text(r.c, "x", "x = = 1\n", 8, &r.o), WEFT_INPUT_ERRORS);
    assert_int_equal(weft_diagnostic_count(r.c), 1);
    assert_int_equal(weft_run_file(r.c, "/no/such/file.py", &r.o), WEFT_IO_ERROR);
    assert_int_equal(weft_run_file(r.c, NULL, &r.o), WEFT_BAD_ARGUMENT);
    assert_int_equal(launch(&r), WEFT_OK);
    assert_string_equal(weft_message(r.c), "");
    weft_context_free(r.c);
}

/* --- validating */

static int count_problem(void *arg, const weft_problem *p)
{
    assert_true(p->file && p->reason[0] && p->check[0]);
    ++*(int *)arg;
    return 0;
}

static int stop_at_once(void *arg, const weft_problem *p)
{
    (void)arg, (void)p;
    return 1;
}

static void write_records(const char *path, const char *more)
{
    weft_generator *g = generator(24, 1);
    const char *p;
    size_t n;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    while (weft_generator_next(g, &p, &n) == WEFT_OK && p)
        fprintf(f, "%.*s\n", (int)n, p);
    fputs(more, f);
    fclose(f);
    weft_generator_free(g);
}

static void validates_files(void **state)
{
    (void)state;
    char path[] = "/tmp/weft_api_XXXXXX";
    const int fd = mkstemp(path);
    const char *const paths[] = {path};
    int problems = 0;
    weft_validation v = {.size = sizeof v};
    weft_validate_options o = {.size = sizeof o, .problem = count_problem, .arg = &problems};
    assert_true(fd >= 0 && close(fd) == 0);
    write_records(path, "");
    assert_int_equal(weft_validate(paths, 1, &o, &v), WEFT_OK);
    assert_int_equal(v.records, 24);
    assert_int_equal(v.problems, problems);
    const int before = problems;
    write_records(path, "{}\n");
    assert_int_equal(weft_validate(paths, 1, &o, &v), WEFT_OK);
    assert_true(v.records == 25 && problems > 2 * before);
    o.problem = stop_at_once;
    assert_int_equal(weft_validate(paths, 1, &o, &v), WEFT_STOPPED);
    o.checks = "schema,nothing";
    assert_int_equal(weft_validate(paths, 1, &o, &v), WEFT_BAD_ARGUMENT);
    assert_string_equal(v.message, "unknown check 'nothing'");
    remove(path);
    assert_int_equal(weft_validate(paths, 1, NULL, &v), WEFT_IO_ERROR);
    assert_int_equal(weft_validate(NULL, 1, NULL, &v), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_validate(paths, 1, NULL, NULL), WEFT_BAD_ARGUMENT);
}

static void takes_no_context(void **state)
{
    (void)state;
    const char *text;
    size_t n;
    assert_int_equal(weft_kernel_count(NULL), 0);
    assert_null(weft_kernel_at(NULL, 0));
    assert_int_equal(weft_diagnostic_count(NULL), 0);
    assert_null(weft_diagnostic_at(NULL, 0));
    assert_string_equal(weft_message(NULL), "");
    assert_string_equal(weft_generator_message(NULL), "");
    assert_int_equal(weft_compile_file(NULL, "x.py"), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_compile_text(NULL, "x", "", 0), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_module_text(NULL, WEFT_CUDA, &text, &n), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_standalone_file(NULL, "x", NULL, &text, &n), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_standalone_text(NULL, "x", "", 0, NULL, &text, &n), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_standalone_shim(NULL, &text, &n), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_check_cuda(NULL, "x", "", 0), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_run_file(NULL, "x.py", NULL), WEFT_BAD_ARGUMENT);
    weft_context_free(NULL);
    weft_generator_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_no_context),
        cmocka_unit_test(gives_the_same_records),
        cmocka_unit_test(may_be_abandoned),
        cmocka_unit_test(refuses_wrong_options),
        cmocka_unit_test(refuses_to_go_on_in_a_child),
        cmocka_unit_test(executes_kernels),
        cmocka_unit_test(tells_why_a_run_failed),
        cmocka_unit_test(validates_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
