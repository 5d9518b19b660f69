/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's sessions over a stand-in for libcuda: each call fails once, alone and with all that
 * follow; nothing stays on the device, and one sentence tells what it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gpu/fake_cuda.h"
#include "gpu/libcuda.h"

typedef struct fixture {
    mem m;
    arena a;
    dynlib fake; /* keeps the stand-in loaded, and so its counts */
    fake_cuda *state;
    libcuda d;
} fixture;

static void start(fixture *f)
{
    fake_cuda *(*get)(void);
    mem_init(&f->m);
    arena_init(&f->a, &f->m);
    assert_int_equal(setenv("WEFT_LIBCUDA", FAKE_CUDA, 1), 0);
    assert_true(dynlib_open(&f->fake, FAKE_CUDA));
    assert_true(dynlib_find(&f->fake, "fake_cuda_state", &get));
    f->state = get();
    *f->state = (fake_cuda){.devices = 1, .version = 12040};
}

static void end(fixture *f)
{
    assert_int_equal(f->state->contexts, 0);
    assert_int_equal(f->state->modules, 0);
    assert_int_equal(f->state->events, 0);
    assert_int_equal(f->state->buffers, 0);
    dynlib_close(&f->fake);
    mem_clear(&f->m);
}

/* A session with all that there is. */
static bool session(fixture *f)
{
    libcuda *d = &f->d;
    libcuda_handle module, function;
    libcuda_pointer x, y, none;
    int in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {0};
    void *params[] = {&x, &y};
    const libcuda_grid grid = {{2, 1, 1}, {4, 1, 1}, 0};
    float ms = 0.0f;
    const bool good = libcuda_open(d, &f->a, 0) && libcuda_load(d, ".version 8.0", &module) &&
                      libcuda_function(d, module, "k", &function) &&
                      libcuda_allocate(d, sizeof in, &x) && libcuda_allocate(d, sizeof in, &y) &&
                      libcuda_allocate(d, 0, &none) && libcuda_put(d, x, in, sizeof in) &&
                      libcuda_get(d, out, x, sizeof out) &&
                      libcuda_launch(d, function, &grid, params, &ms);
    if (good) {
        assert_memory_equal(in, out, sizeof in);
        assert_true(ms > 1.0f);
        assert_int_equal(none, 0);
        assert_string_equal(d->name, "Fake device");
        assert_int_equal(d->major, 8);
        assert_int_equal(f->state->threads, 8);
    }
    libcuda_close(d);
    return good;
}

static void works(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    assert_true(session(&f));
    assert_null(f.d.why);
    end(&f);
}

/* Fails the n-th call; false: there are not so many. */
static bool fails_at(int n, bool sticky)
{
    fixture f;
    start(&f);
    f.state->fail_at = n;
    f.state->code = 700;
    f.state->sticky = sticky;
    const bool good = session(&f);
    if (!good) {
        assert_non_null(f.d.why);
        assert_non_null(strstr(
            f.d.why, ": an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"));
        assert_int_equal(strncmp(f.d.why, "cu", 2), 0);
    }
    end(&f);
    return !good;
}

static void fails(void **state)
{
    int n = 0, m = 0;
    (void)state;
    while (fails_at(n + 1, false))
        n++;
    while (fails_at(m + 1, true))
        m++;
    assert_int_equal(n, m);
    assert_true(n > 20);
}

static void refused(void **state)
{
    fixture f;
    libcuda_handle module, function;
    (void)state;
    start(&f);
    f.state->init = 100;
    assert_false(libcuda_open(&f.d, &f.a, 0));
    assert_string_equal(f.d.why, "the NVIDIA driver finds no CUDA device on this machine");
    libcuda_close(&f.d);
    f.state->init = 0;
    f.state->devices = 0;
    assert_false(libcuda_open(&f.d, &f.a, 0));
    assert_string_equal(f.d.why, "the NVIDIA driver finds no CUDA device on this machine");
    libcuda_close(&f.d);
    f.state->devices = 2;
    assert_false(libcuda_open(&f.d, &f.a, 2));
    assert_string_equal(f.d.why, "there is no CUDA device 2: they are numbered 0 to 1");
    libcuda_close(&f.d);
    f.state->version = 11020;
    assert_false(libcuda_open(&f.d, &f.a, 0));
    assert_string_equal(
        f.d.why, "the NVIDIA driver is too old: it supports CUDA up to 11.2, and 11.8 is needed");
    libcuda_close(&f.d);
    f.state->version = 12040;
    f.state->init = 998;
    assert_false(libcuda_open(&f.d, &f.a, 0));
    assert_string_equal(f.d.why, "cuInit: it failed (error 998)");
    libcuda_close(&f.d);
    f.state->init = 0;
    assert_true(libcuda_open(&f.d, &f.a, 1));
    assert_false(libcuda_load(&f.d, "refuse me", &module));
    assert_string_equal(
        f.d.why, "cuModuleLoadDataEx: a PTX JIT compilation failed (CUDA_ERROR_INVALID_PTX): "
                 "ptxas application ptx input, line 7; error: refused");
    libcuda_close(&f.d);
    assert_true(libcuda_open(&f.d, &f.a, 0));
    assert_true(libcuda_load(&f.d, ".version 8.0", &module));
    assert_false(libcuda_function(&f.d, module, "nothing", &function));
    assert_string_equal(
        f.d.why, "cuModuleGetFunction 'nothing': named symbol not found (CUDA_ERROR_NOT_FOUND)");
    libcuda_close(&f.d);
    end(&f);
}

/* What cuMemAlloc's failure says, and whether the device can be used afterwards. */
static bool survives(fixture *f, int code, const char *says)
{
    libcuda_pointer x;
    assert_true(libcuda_open(&f->d, &f->a, 0));
    f->state->fail_at = f->state->calls + 1;
    f->state->code = code;
    assert_false(libcuda_allocate(&f->d, 8, &x));
    assert_non_null(strstr(f->d.why, says));
    f->state->fail_at = 0;
    const bool good = libcuda_forgive(&f->d);
    if (good)
        assert_true(libcuda_allocate(&f->d, 8, &x));
    libcuda_close(&f->d);
    return good;
}

static void advises(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    assert_true(
        survives(&f, 2, "cuMemAlloc: out of memory (CUDA_ERROR_OUT_OF_MEMORY): other programs"));
    assert_true(survives(&f, 46, ": the device is in use in exclusive mode"));
    assert_true(survives(&f, 222, "an older NVRTC by WEFT_NVRTC"));
    assert_true(survives(&f, 500, "named symbol not found (CUDA_ERROR_NOT_FOUND)"));
    assert_false(survives(&f, 214, "the device's memory is damaged"));
    assert_false(survives(&f, 700, "outside of its arrays"));
    assert_false(survives(&f, 702, ": a device that also drives a display stops long kernels"));
    setenv("CUDA_VISIBLE_DEVICES", "7", 1);
    f.state->init = 100;
    assert_false(libcuda_open(&f.d, &f.a, 0));
    assert_string_equal(f.d.why,
                        "the NVIDIA driver finds no CUDA device: CUDA_VISIBLE_DEVICES is '7'");
    unsetenv("CUDA_VISIBLE_DEVICES");
    libcuda_close(&f.d);
    end(&f);
}

/* A kernel that does not end is given up, and nothing waits for it. */
static void hangs(void **state)
{
    fixture f;
    libcuda_handle module, function;
    libcuda_pointer x;
    const libcuda_grid grid = {{1, 1, 1}, {1, 1, 1}, 0};
    (void)state;
    start(&f);
    assert_true(libcuda_open(&f.d, &f.a, 0));
    f.d.patience = 0;
    f.state->hangs = true;
    assert_true(libcuda_load(&f.d, ".version 8.0", &module));
    assert_true(libcuda_function(&f.d, module, "k", &function));
    assert_true(libcuda_allocate(&f.d, 8, &x));
    assert_false(libcuda_launch(&f.d, function, &grid, NULL, NULL));
    assert_string_equal(f.d.why, "the kernel did not end within 0 s");
    assert_false(libcuda_forgive(&f.d));
    assert_true(libcuda_empty(&f.d));
    libcuda_close(&f.d);
    assert_int_equal(f.state->buffers, 1);
    f.d.hung = false; /* gives all back after all */
    libcuda_close(&f.d);
    end(&f);
}

static void is_missing(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    setenv("WEFT_LIBCUDA", "/nowhere/libcuda.so.1", 1);
    assert_false(libcuda_open(&f.d, &f.a, 0));
    assert_string_equal(
        f.d.why, "no NVIDIA driver is on this machine: /nowhere/libcuda.so.1 cannot be loaded");
    libcuda_close(&f.d);
    setenv("WEFT_LIBCUDA", "none", 1);
    assert_false(libcuda_open(&f.d, &f.a, 0));
    libcuda_close(&f.d);
    setenv("WEFT_LIBCUDA", "libm.so.6", 1);
    assert_false(libcuda_open(&f.d, &f.a, 0));
    assert_string_equal(f.d.why, "what was loaded is no NVIDIA driver: it has no cuInit");
    libcuda_close(&f.d);
    setenv("WEFT_LIBCUDA", "/dev/null", 1);
    assert_false(libcuda_open(&f.d, &f.a, 0));
    assert_string_equal(f.d.why,
                        "the NVIDIA driver cannot be loaded from /dev/null: file too short");
    libcuda_close(&f.d);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(works),   cmocka_unit_test(fails), cmocka_unit_test(refused),
        cmocka_unit_test(advises), cmocka_unit_test(hangs), cmocka_unit_test(is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
