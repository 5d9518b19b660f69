/* SPDX-License-Identifier: Apache-2.0 */
/* NVRTC, where there is one: a text that compiles, one that does not, and libraries that are none.
 * Which places are searched is tested with the program, in tests/gpu. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gpu/nvrtc.h"

/* NVRTC loads a library that lies beside it, which the address sanitizer's own dlopen does not
 * find. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#else
enum { SANITIZED = 0 };
#endif

typedef struct fixture {
    mem m;
    arena a;
    nvrtc n;
    bool there;
    const char *why;
} fixture;

static void start(fixture *f)
{
    gpu_places places;
    mem_init(&f->m);
    arena_init(&f->a, &f->m);
    gpu_places_find(&places, &f->a, NULL, 0);
    f->there = nvrtc_open(&f->n, &f->a, &places, 0, &f->why);
}

static void end(fixture *f)
{
    nvrtc_close(&f->n);
    mem_clear(&f->m);
}

static void compiles(void **state)
{
    static const char *const options[] = {"--gpu-architecture=compute_75"};
    fixture f;
    (void)state;
    start(&f);
    if (!f.there || SANITIZED) {
        print_message("not compiled: %s\n", f.there ? "the sanitizer is in the way" : f.why);
        end(&f);
        skip();
    }
    nvrtc_result r =
        nvrtc_compile(&f.n, &f.a, "extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 1; }",
                      "k.cu", options, 1);
    assert_true(r.good);
    assert_non_null(strstr(r.ptx.p, ".entry k("));
    assert_non_null(strstr(r.ptx.p, ".target sm_75"));
    assert_int_equal(strlen(r.ptx.p), r.ptx.n);
    r = nvrtc_compile(&f.n, &f.a, "__global__ void k(int *x)\n{ x[0] = nothing; }", "k.cu", options,
                      1);
    assert_false(r.good);
    assert_non_null(strstr(r.log.p, "k.cu(2): error"));
    end(&f);
}

static void names_what_is_wrong(void **state)
{
    fixture f;
    (void)state;
    assert_int_equal(setenv("WEFT_NVRTC", "/nowhere/libnvrtc.so", 1), 0);
    start(&f);
    assert_false(f.there);
    assert_string_equal(f.why, "WEFT_NVRTC names '/nowhere/libnvrtc.so', which is no libnvrtc");
    end(&f);
    assert_int_equal(setenv("WEFT_NVRTC", "libm.so.6", 1), 0);
    start(&f);
    assert_false(f.there);
    assert_string_equal(f.why, "'libm.so.6' is no NVRTC");
    end(&f);
    assert_int_equal(setenv("WEFT_NVRTC", "/dev/null", 1), 0);
    start(&f);
    assert_false(f.there);
    assert_string_equal(f.why, "NVRTC ('/dev/null') cannot be loaded: file too short");
    end(&f);
    unsetenv("WEFT_NVRTC");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles),
        cmocka_unit_test(names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
