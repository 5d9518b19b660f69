/* SPDX-License-Identifier: Apache-2.0 */
/* The library's interface: kernels executed on values given as text and on files, arrays saved,
 * what a fault concerns, stops and devices. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "weft.h"

static const char source[] = "import warp as wp\n"
                             "\n"
                             "@wp.kernel\n"
                             "def mix(x: wp.array(dtype=float), y: wp.array(dtype=float),\n"
                             "        v: wp.vec3, n: int):\n"
                             "    i = wp.tid()\n"
                             "    y[i] = x[i] * x[i] + v[1] * float(n)\n"
                             "\n"
                             "@wp.kernel\n"
                             "def endless(x: wp.array(dtype=float)):\n"
                             "    while x[0] < 1.0:\n"
                             "        x[0] = 0.0\n";

enum { ARGS = 6 };

/* A launch of `mix` with all arguments as text. */
typedef struct run {
    weft_context *c;
    weft_argument args[ARGS];
    weft_save saves[2];
    weft_run_options o;
    weft_run_result result;
    char folder[32], x[64], y[64], grad[64];
} run;

static weft_argument text_argument(const char *name, const char *text)
{
    return (weft_argument){.size = sizeof(weft_argument), .name = name, .text = text};
}

static run *start(run *r, const weft_stop *stop)
{
    const weft_options o = {.size = sizeof o, .stop = stop};
    *r = (run){.folder = "/tmp/weft-run-XXXXXX"};
    assert_non_null(mkdtemp(r->folder));
    snprintf(r->x, sizeof r->x, "%s/x.npy", r->folder);
    snprintf(r->y, sizeof r->y, "%s/y.npy", r->folder);
    snprintf(r->grad, sizeof r->grad, "%s/grad.npy", r->folder);
    r->args[0] = text_argument("x", "zeros:3");
    r->args[1] = text_argument("y", "zeros:3");
    r->args[2] = text_argument("v", "[0, 2.5, 0]");
    r->args[3] = text_argument("n", "4");
    r->saves[0] = (weft_save){.size = sizeof r->saves[0], .name = "y", .path = r->y};
    r->saves[1] =
        (weft_save){.size = sizeof r->saves[0], .name = "x", .path = r->grad, .gradient = 1};
    r->result.size = sizeof r->result;
    r->o = (weft_run_options){.size = sizeof r->o,
                              .kernel = "mix",
                              .ndim = 1,
                              .dim = {3},
                              .arguments = r->args,
                              .argument_count = 4,
                              .saves = r->saves,
                              .save_count = 1,
                              .result = &r->result};
    assert_int_equal(weft_context_new(&o, &r->c), WEFT_OK);
    return r;
}

static weft_status launch(run *r)
{
    return weft_run_text(r->c, "mix.py", source, sizeof source - 1, &r->o);
}

static void end(run *r)
{
    weft_context_free(r->c);
    remove(r->x);
    remove(r->y);
    remove(r->grad);
    assert_int_equal(rmdir(r->folder), 0);
}

/* The floats at the end of a .npy file. */
static void read_floats(const char *path, float *to, size_t n)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, -(long)(n * sizeof *to), SEEK_END), 0);
    assert_int_equal(fread(to, sizeof *to, n, f), n);
    fclose(f);
}

static void takes_text_and_saves_files(void **state)
{
    (void)state;
    run r;
    float y[3], grad[3];
    assert_int_equal(launch(start(&r, NULL)), WEFT_OK);
    assert_string_equal(r.result.kernel, "mix");
    assert_int_equal(r.result.fault, WEFT_FAULT_NONE);
    read_floats(r.y, y, 3);
    for (int i = 0; i < 3; i++)
        assert_true(y[i] == 10.0F);

    /* y goes in as x; the last argument of a name counts; adjoints are given as text, too */
    char at_y[80];
    snprintf(at_y, sizeof at_y, "@%s", r.y);
    r.args[4] = text_argument("x", at_y);
    r.args[5] = (weft_argument){.size = sizeof r.args[5], .name = "y", .gradient_text = at_y};
    r.saves[0].path = r.x;
    r.o.argument_count = 6;
    r.o.save_count = 2;
    r.o.gradients = 1;
    assert_int_equal(launch(&r), WEFT_OK);
    read_floats(r.x, y, 3);
    read_floats(r.grad, grad, 3);
    for (int i = 0; i < 3; i++)
        assert_true(y[i] == 110.0F && grad[i] == 2.0F * 10.0F * 10.0F);
    assert_int_equal(weft_input_count(r.c), 1);
    assert_string_equal(weft_input_at(r.c, 0), r.y);
    end(&r);
}

static void mixes_text_and_memory(void **state)
{
    (void)state;
    run r;
    float x[3] = {1, 2, 3}, grad[3] = {0, 0, 0};
    const int64_t shape = 3;
    start(&r, NULL);
    r.args[0] = (weft_argument){.size = sizeof r.args[0],
                                .name = "x",
                                .dtype = "f4",
                                .ndim = 1,
                                .shape = &shape,
                                .data = x,
                                .gradient = grad};
    r.args[1].gradient_text = "zeros:3";
    r.o.gradients = 1;
    r.o.save_count = 0;
    assert_int_equal(launch(&r), WEFT_OK);
    assert_true(x[2] == 3.0F && grad[2] == 0.0F);
    end(&r);
}

static const char kinds_source[] =
    "import warp as wp\n"
    "\n"
    "@wp.kernel\n"
    "def kinds(h: wp.array(dtype=wp.bfloat16), b: wp.array(dtype=bool),\n"
    "          u: wp.array(dtype=wp.uint64), v: wp.array(dtype=wp.vec2i)):\n"
    "    i = wp.tid()\n"
    "    h[i] = h[i] + h[i]\n"
    "    b[i] = not b[i]\n"
    "    u[i] = u[i] + wp.uint64(1)\n"
    "    v[i] = -v[i]\n";

static weft_argument numbers(const char *name, const char *dtype, int ndim, void *data, char *kind)
{
    static const int64_t shape[2] = {2, 2};
    return (weft_argument){.size = sizeof(weft_argument),
                           .name = name,
                           .dtype = dtype,
                           .ndim = ndim,
                           .shape = shape,
                           .data = data,
                           .numbers = kind};
}

static void takes_numbers_for_any_items(void **state)
{
    (void)state;
    run r;
    int64_t h[2] = {1, -3}, b[2] = {0, 1}, v[4] = {1, -2, INT32_MAX, 4};
    uint64_t u[2] = {7, UINT64_MAX - 1};
    double doubled[2];
    char kind[4];
    start(&r, NULL);
    r.args[0] = numbers("h", "i8", 1, h, &kind[0]);
    r.args[1] = numbers("b", "i8", 1, b, &kind[1]);
    r.args[2] = numbers("u", "u8", 1, u, &kind[2]);
    r.args[3] = numbers("v", "i8", 2, v, &kind[3]);
    r.o.kernel = NULL;
    r.o.dim[0] = 2;
    r.o.save_count = 0;
    assert_int_equal(weft_run_text(r.c, "kinds.py", kinds_source, sizeof kinds_source - 1, &r.o),
                     WEFT_OK);
    memcpy(doubled, h, sizeof doubled);
    assert_memory_equal(kind, "fbui", 4);
    assert_true(doubled[0] == 2.0 && doubled[1] == -6.0);
    assert_true(b[0] == 1 && b[1] == 0);
    assert_true(u[0] == 8 && u[1] == UINT64_MAX);
    assert_true(v[0] == -1 && v[1] == 2 && v[2] == -INT32_MAX && v[3] == -4);

    v[0] = (int64_t)INT32_MAX + 1;
    assert_int_equal(weft_run_text(r.c, "kinds.py", kinds_source, sizeof kinds_source - 1, &r.o),
                     WEFT_BAD_ARGUMENT);
    assert_string_equal(weft_message(r.c), "argument 'v': one of its numbers does not fit int32");
    r.args[3] = numbers("v", "i4", 2, v, &kind[3]);
    assert_int_equal(weft_run_text(r.c, "kinds.py", kinds_source, sizeof kinds_source - 1, &r.o),
                     WEFT_BAD_ARGUMENT);
    assert_string_equal(weft_message(r.c), "argument 'v': its numbers are none of i8, u8 and f8");
    assert_true(b[0] == 1 && b[1] == 0);
    end(&r);
}

/* The adjoint is one of doubles, whatever the items are. */
static void gives_adjoints_as_doubles(void **state)
{
    (void)state;
    run r;
    int64_t x[3] = {1, 2, 3}, y[3] = {0, 0, 0};
    double seed[3] = {1, 1, 10}, grad[3] = {0, 0, 0};
    const int64_t shape = 3;
    char kind[2] = "??";
    int has[2];
    start(&r, NULL);
    r.args[0] = numbers("x", "i8", 1, x, &kind[0]);
    r.args[0].gradient = grad;
    r.args[1] = numbers("y", "i8", 1, y, &kind[1]);
    r.args[1].gradient = seed;
    for (int i = 0; i < 2; i++) {
        r.args[i].shape = &shape;
        r.args[i].has_gradient = &has[i];
    }
    r.o.gradients = 1;
    r.o.save_count = 0;
    assert_int_equal(launch(&r), WEFT_OK);
    memcpy(seed, y, sizeof seed);
    assert_memory_equal(kind, "\0f", 2);
    assert_true(x[0] == 1 && x[1] == 2 && x[2] == 3);
    assert_true(seed[0] == 11.0 && seed[1] == 14.0 && seed[2] == 19.0);
    assert_true(has[0] && has[1] && grad[0] == 2.0 && grad[1] == 4.0 && grad[2] == 60.0);
    end(&r);
}

static void expect(run *r, weft_status status, int fault, const char *message)
{
    assert_int_equal(launch(r), status);
    assert_int_equal(r->result.fault, fault);
    assert_string_equal(weft_message(r->c), message);
}

static void names_what_a_fault_concerns(void **state)
{
    (void)state;
    run r;
    start(&r, NULL);
    r.args[2].text = "[1, 2]";
    expect(&r, WEFT_BAD_ARGUMENT, WEFT_FAULT_VALUE,
           "argument 'v': '[1, 2]' is no vec3f: write 3 numbers, as in [0,0,0]");
    assert_string_equal(r.result.name, "v");
    r.args[2].text = "[0, 2.5, 0]";
    r.args[0].text = "@/no/such/file.npy";
    expect(&r, WEFT_IO_ERROR, WEFT_FAULT_VALUE,
           "argument 'x': cannot read '/no/such/file.npy': No such file or directory");
    r.args[0].text = "zeros:3";
    r.o.argument_count = 3;
    expect(&r, WEFT_BAD_ARGUMENT, WEFT_FAULT_MISSING, "argument 'n': it is not given");
    assert_string_equal(r.result.name, "n");
    r.o.argument_count = 5;
    r.args[4] = text_argument("m", "1");
    expect(&r, WEFT_BAD_ARGUMENT, WEFT_FAULT_ARGUMENT,
           "argument 'm': the kernel has no such parameter");
    assert_int_equal(r.result.index, 4);
    r.args[4] = (weft_argument){.size = sizeof r.args[4], .name = "n", .gradient_text = "zeros:1"};
    r.o.gradients = 1;
    expect(&r, WEFT_BAD_ARGUMENT, WEFT_FAULT_ARGUMENT,
           "adjoint 'n': the kernel has no such array of floats");
    assert_true(r.result.gradient && r.result.index == 4);
    r.o.gradients = 0;
    r.o.argument_count = 4;
    r.saves[0].name = "v";
    expect(&r, WEFT_BAD_ARGUMENT, WEFT_FAULT_SAVE,
           "cannot save 'v': it is vec3f, and a kernel changes arrays only");
    r.saves[0].name = "z";
    expect(&r, WEFT_BAD_ARGUMENT, WEFT_FAULT_SAVE, "cannot save 'z': the kernel has no such array");
    assert_int_equal(r.result.parameter_count, 2); /* the arrays, not all parameters */
    r.saves[0].name = "y";
    r.o.save_count = 2;
    expect(&r, WEFT_BAD_ARGUMENT, WEFT_FAULT_SAVE, "the adjoint of 'x' needs a backward pass");
    assert_int_equal(r.result.index, 1);
    r.o.save_count = 1;
    r.o.kernel = NULL;
    expect(&r, WEFT_BAD_ARGUMENT, WEFT_FAULT_KERNELS, "there are several kernels: name one");
    r.o.kernel = "nothing";
    expect(&r, WEFT_BAD_ARGUMENT, WEFT_FAULT_KERNEL, "no kernel is called 'nothing'");
    assert_null(r.result.kernel);
    r.o.kernel = "mix";
    r.o.dim[0] = 4;
    assert_int_equal(launch(&r), WEFT_FAILED);
    assert_int_equal(r.result.fault, WEFT_FAULT_THREAD);
    r.o.fuel = 2;
    assert_int_equal(launch(&r), WEFT_FAILED);
    assert_int_equal(r.result.fault, WEFT_FAULT_FUEL);
    end(&r);
}

static void count_call(void *arg)
{
    ++*(int *)arg;
}

/* A file that cannot be written, and one that is an input: none is written. */
/* Lists that break off stand before a page that cannot be read: what reads on stops the program. */
static void reads_no_further_than_a_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"[", "[1", "[1,", "[1, 2", "[[1", "[[1]", "[[1],"};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *pages;
    run r;
    assert_int_equal(posix_memalign(&pages, page, 2 * page), 0);
    char *two = pages;
    assert_int_equal(mprotect(two + page, page, PROT_NONE), 0);
    start(&r, NULL);
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        const char *text = texts[i / 2];
        char *at = two + page - strlen(text) - 1;
        memcpy(at, text, strlen(text) + 1);
        r.args[0].text = i % 2 ? at : "zeros:3";
        r.args[2].text = i % 2 ? "[0, 2.5, 0]" : at;
        assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
        assert_int_equal(r.result.fault, WEFT_FAULT_VALUE);
    }
    end(&r);
    assert_int_equal(mprotect(two + page, page, PROT_READ | PROT_WRITE), 0);
    free(two);
}

static void saves_all_files_or_none(void **state)
{
    (void)state;
    run r;
    int begun = 0;
    start(&r, NULL);
    r.o.begin = count_call;
    r.o.arg = &begun;
    r.saves[1] = (weft_save){.size = sizeof r.saves[1], .name = "x", .path = "/dev/null/x.npy"};
    r.o.save_count = 2;
    expect(&r, WEFT_IO_ERROR, WEFT_FAULT_OUTPUT, "cannot write '/dev/null/x.npy': Not a directory");
    assert_int_equal(begun, 1);
    assert_int_equal(access(r.y, F_OK), -1);
    r.o.save_count = 1;
    assert_int_equal(launch(&r), WEFT_OK);
    char at_y[80];
    snprintf(at_y, sizeof at_y, "@%s", r.y);
    r.args[0].text = at_y;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    assert_int_equal(r.result.fault, WEFT_FAULT_OUTPUT);
    r.saves[0].path = NULL;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    assert_int_equal(r.result.fault, WEFT_FAULT_SAVE);
    end(&r);
}

static void *set_later(void *stop)
{
    nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    weft_stop_set(stop);
    return NULL;
}

/* Each executor ends in the midst of a loop without an end; nothing of the caller's has changed. */
static void stops_in_a_loop(void **state)
{
    (void)state;
    run r;
    weft_stop *stop;
    assert_int_equal(weft_stop_new(&stop), WEFT_OK);
    start(&r, stop);
    r.o.kernel = "endless";
    r.o.argument_count = 1;
    r.o.save_count = 0;
    r.o.fuel = UINT64_MAX;
    for (r.o.executor = WEFT_REFERENCE; r.o.executor <= WEFT_TEXT_CUDA; r.o.executor++) {
        pthread_t thread;
        weft_stop_clear(stop);
        assert_int_equal(pthread_create(&thread, NULL, set_later, stop), 0);
        assert_int_equal(launch(&r), WEFT_STOPPED);
        assert_int_equal(r.result.fault, WEFT_FAULT_NONE);
        pthread_join(thread, NULL);
    }
    weft_stop_clear(stop);
    r.o.executor = WEFT_REFERENCE;
    r.o.fuel = 1000;
    assert_int_equal(launch(&r), WEFT_FAILED);
    end(&r);
    weft_stop_free(stop);
}

/* Without a device there is a handle with a message, on which nothing runs. */
static void does_without_a_device(void **state)
{
    (void)state;
    run r;
    weft_device *d = NULL;
    assert_int_equal(setenv("WEFT_LIBCUDA", "none", 1), 0);
    assert_int_equal(weft_device_new(NULL, 0, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_device_new(NULL, 1, &d), WEFT_BAD_ARGUMENT);
    assert_null(d);
    assert_int_equal(weft_device_new(NULL, 0, &d), WEFT_IO_ERROR);
    assert_true(strlen(weft_device_message(d)) > 10);
    start(&r, NULL)->o.device = d;
    assert_int_equal(launch(&r), WEFT_IO_ERROR);
    assert_int_equal(r.result.fault, WEFT_FAULT_DEVICE);
    assert_string_equal(weft_message(r.c), weft_device_message(d));
    weft_device_free(d);
    weft_device_free(NULL);
    assert_string_equal(weft_device_message(NULL), "");
    end(&r);
}

/* The options' number of threads counts for one run, whatever the executor. */
static void takes_threads_of_a_block(void **state)
{
    (void)state;
    run r;
    start(&r, NULL)->o.block_dim = -1;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    assert_string_equal(weft_message(r.c), "a block has 1 to 1024 threads");
    r.o.block_dim = WEFT_BLOCK_DIM_MAX + 1;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    r.args[0] = text_argument("a", "zeros:3");
    r.o.kernel = NULL;
    r.o.argument_count = 1;
    r.saves[0].name = "a";
    for (int i = 0; i < 3; i++) {
        static const char text[] = "import warp as wp\n"
                                   "@wp.kernel\n"
                                   "def k(a: wp.array(dtype=float)):\n"
                                   "    a[wp.tid()] = float(wp.block_dim())\n";
        float a[3];
        r.o.block_dim = i == 1 ? 32 : 0;
        assert_int_equal(weft_run_text(r.c, "k.py", text, sizeof text - 1, &r.o), WEFT_OK);
        read_floats(r.y, a, 3);
        assert_true(a[0] == (i == 1 ? 32.0f : 1.0f) && a[1] == a[0]);
    }
    end(&r);
}

/* Callers of the version before have shorter structs. */
static void takes_shorter_structs(void **state)
{
    (void)state;
    run r;
    start(&r, NULL)->o.size = offsetof(weft_run_options, saves);
    assert_int_equal(launch(&r), WEFT_OK);
    assert_int_equal(access(r.y, F_OK), -1);
    r.o.size = sizeof r.o;
    r.result = (weft_run_result){.size = offsetof(weft_run_result, differences), .error = 7};
    assert_int_equal(launch(&r), WEFT_OK);
    assert_true(r.result.kernel && r.result.error == 7);
    r.result.size = 3;
    assert_int_equal(launch(&r), WEFT_BAD_ARGUMENT);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_text_and_saves_files),
        cmocka_unit_test(mixes_text_and_memory),
        cmocka_unit_test(takes_numbers_for_any_items),
        cmocka_unit_test(gives_adjoints_as_doubles),
        cmocka_unit_test(names_what_a_fault_concerns),
        cmocka_unit_test(reads_no_further_than_a_text),
        cmocka_unit_test(saves_all_files_or_none),
        cmocka_unit_test(stops_in_a_loop),
        cmocka_unit_test(does_without_a_device),
        cmocka_unit_test(takes_shorter_structs),
        cmocka_unit_test(takes_threads_of_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
