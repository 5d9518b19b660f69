/* The library's interface to compiling: stopping, files that were read, diagnostics as text, and
 * the forms that `weft compile` writes. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "weft.h"

#define HEAD "import warp as wp\n"
static const char good[] = HEAD "@wp.kernel\n"
                                "def k(a: wp.array(dtype=float)):\n"
                                "    a[wp.tid()] = 1.0\n";
static const char bad[] = HEAD "@wp.kernel\n"
                               "def bad(a: wp.array(dtype=float)):\n"
                               "    a[0] = nothing\n";

/* A folder of files for one test. */
static char folder[] = "/tmp/weft_api_XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[300];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static weft_context *context(const weft_options *given)
{
    weft_options o = *given;
    weft_context *c = NULL;
    o.size = sizeof o;
    assert_int_equal(weft_context_new(&o, &c), WEFT_OK);
    return c;
}

/* --- stopping -------------------------------------------------------------------------------- */

/* Work that takes hardly any memory meets the switch too. */
static void stops_small_work(void **state)
{
    (void)state;
    weft_stop *stop = NULL;
    assert_int_equal(weft_stop_new(&stop), WEFT_OK);
    weft_context *c = context(&(weft_options){.stop = stop});
    assert_int_equal(weft_compile_text(c, "k.py", good, sizeof good - 1), WEFT_OK);
    weft_stop_set(stop);
    assert_int_equal(weft_compile_text(c, "k.py", good, sizeof good - 1), WEFT_STOPPED);
    assert_int_equal(weft_kernel_count(c), 0);
    weft_context_free(c);
    weft_stop_free(stop);
}

static void *set_soon(void *arg)
{
    const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
    nanosleep(&pause, NULL);
    weft_stop_set(arg);
    return NULL;
}

/* Nobody writes to the pipe: only the flag ends the wait. */
static void stops_a_wait(void **state)
{
    (void)state;
    char path[256];
    pthread_t thread;
    weft_stop *stop = NULL;
    snprintf(path, sizeof path, "%s/pipe.py", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(weft_stop_new(&stop), WEFT_OK);
    weft_context *c = context(&(weft_options){.stop = stop});
    assert_int_equal(pthread_create(&thread, NULL, set_soon, stop), 0);
    alarm(60);
    assert_int_equal(weft_compile_file(c, path), WEFT_STOPPED);
    alarm(0);
    pthread_join(thread, NULL);
    weft_context_free(c);
    weft_stop_free(stop);
}

/* --- what the context did -------------------------------------------------------------------- */

static void marks_warnings(void **state)
{
    (void)state;
    static const char generic[] = "from typing import Any\n" HEAD
                                  "@wp.kernel\ndef g(a: wp.array(dtype=Any)):\n    a[0] = a[1]\n";
    static const char unguarded[] =
        "__global__ void k(float *x, int n)\n{\n    x[threadIdx.x] = 0;\n}\n";
    const char *text;
    size_t size;
    weft_context *c = context(&(weft_options){0});
    assert_int_equal(weft_compile_text(c, "g.py", generic, sizeof generic - 1), WEFT_INPUT_ERRORS);
    assert_string_equal(weft_diagnostic_at(c, 0)->id, "generic-kernel");
    assert_int_equal(weft_diagnostic_at(c, 0)->warning, 1);
    assert_int_equal(weft_check_cuda(c, "k.cu", unguarded, sizeof unguarded - 1),
                     WEFT_INPUT_ERRORS);
    assert_int_equal(weft_diagnostic_at(c, 0)->warning, 1);
    assert_int_equal(weft_diagnostic_text(c, 0, 0, &text, &size), WEFT_OK);
    assert_non_null(strstr(text, ": warning: "));
    assert_int_equal(weft_compile_text(c, "bad.py", bad, sizeof bad - 1), WEFT_INPUT_ERRORS);
    assert_int_equal(weft_diagnostic_at(c, 0)->warning, 0);
    weft_context_free(c);
}

static void measures_stages(void **state)
{
    (void)state;
    const char *text;
    size_t size;
    weft_context *c = context(&(weft_options){.timings = 1});
    assert_int_equal(weft_compile_text(c, "k.py", good, sizeof good - 1), WEFT_OK);
    assert_int_equal(weft_timings(c, &text, &size), WEFT_OK);
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, "evaluate\t"));
    assert_non_null(strstr(text, "lower\t"));
    weft_context_free(c);
    c = context(&(weft_options){0});
    assert_int_equal(weft_timings(c, &text, &size), WEFT_OK);
    assert_string_equal(text, "");
    assert_int_equal(weft_timings(c, NULL, &size), WEFT_BAD_ARGUMENT);
    weft_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_small_work),
        cmocka_unit_test(stops_a_wait),

        cmocka_unit_test(marks_warnings),
        cmocka_unit_test(measures_stages),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
