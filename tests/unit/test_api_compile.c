/* SPDX-License-Identifier: Apache-2.0 */
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
    assert_int_equal(unlink(path), 0);
    weft_context_free(c);
    weft_stop_free(stop);
}

/* --- what the context did -------------------------------------------------------------------- */

static void marks_warnings(void **state)
{
    (void)state;
    static const char generic[] = "from typing import Any\n" HEAD
                                  "@wp.kernel\ndef g(a: wp.array(dtype=Any)):\n    a[0] = a[1]\n";
    static const char uncalled[] =
        HEAD "def make():\n    @wp.kernel\n"
             "    def k(a: wp.array(dtype=float)):\n        a[0] = 1.0\n";
    static const char unguarded[] =
        "__global__ void k(float *x, int n)\n{\n    x[threadIdx.x] = 0;\n}\n";
    const char *text;
    size_t size;
    weft_context *c = context(&(weft_options){0});
    assert_int_equal(weft_compile_text(c, "g.py", generic, sizeof generic - 1), WEFT_OK);
    assert_string_equal(weft_diagnostic_at(c, 0)->id, "generic-kernel");
    assert_int_equal(weft_diagnostic_at(c, 0)->warning, 1);
    assert_ptr_equal(weft_kernel_at(c, 0)->cuda, NULL);
    assert_int_equal(weft_kernel_at(c, 0)->error->warning, 1);
    assert_int_equal(weft_compile_text(c, "u.py", uncalled, sizeof uncalled - 1), WEFT_OK);
    assert_string_equal(weft_diagnostic_at(c, 0)->id, "unseen-kernel");
    assert_int_equal(
        weft_standalone_text(c, "g.py", generic, sizeof generic - 1, NULL, &text, &size),
        WEFT_INPUT_ERRORS);
    assert_int_equal(weft_diagnostic_at(c, 0)->warning, 0);
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

/* --- weft_emit_file and weft_emit_text -------------------------------------------------------- */

/* What the functions of weft_emit_options got. */
typedef struct caught {
    char text[1 << 16];
    size_t n;
    unsigned pieces, programs;
    int answer;
    char names[64];
} caught;

static int catch_text(void *arg, const char *text, size_t n)
{
    caught *c = arg;
    assert_true(c->n + n < sizeof c->text);
    memcpy(c->text + c->n, text, n);
    c->n += n;
    c->text[c->n] = 0;
    c->pieces++;
    return c->answer;
}

static int catch_program(void *arg, const weft_program *p)
{
    caught *c = arg;
    assert_int_equal(strlen(p->cuda), p->cuda_size);
    assert_int_equal(strlen(p->python), p->python_size);
    assert_non_null(strstr(p->makefile, p->name));
    assert_non_null(strstr(p->metadata, "\"schema\": "));
    strcat(strcat(c->names, p->name), " ");
    c->programs++;
    return c->answer;
}

static const char *new_name(void *arg, const char *proposed)
{
    caught *c = arg;
    (void)proposed;
    return c->programs ? "second" : "first";
}

static weft_status emit(weft_context *c, caught *to, const char *text, weft_emit_options o)
{
    const int answer = to->answer;
    memset(to, 0, sizeof *to);
    to->answer = answer;
    o.size = sizeof o;
    o.write = catch_text;
    o.arg = to;
    return weft_emit_text(c, "two.py", text, strlen(text), &o);
}

static const char two[] = HEAD "@wp.kernel\n"
                               "def all(a: wp.array(dtype=float)):\n"
                               "    a[0] = 1.0\n"
                               "@wp.kernel\n"
                               "def k(a: wp.array(dtype=float)):\n"
                               "    a[wp.tid()] = 2.0\n";
static caught to;

static void writes_forms(void **state)
{
    (void)state;
    weft_context *c = context(&(weft_options){0});
    assert_int_equal(emit(c, &to, two, (weft_emit_options){.form = WEFT_EMIT_JSON}), WEFT_OK);
    assert_int_equal(to.pieces, 2);
    assert_ptr_equal(strstr(to.text, "{\"file\": \"two.py\", \"kernel\": \"all\", \"line\": 2, "),
                     to.text);
    assert_int_equal(weft_kernel_count(c), 2);
    assert_null(weft_kernel_at(c, 1)->cpu);
    assert_int_equal(emit(c, &to, two, (weft_emit_options){.form = WEFT_EMIT_CPP}), WEFT_OK);
    assert_non_null(strstr(to.text, "WP_API void k_cpu_forward("));
    assert_int_equal(emit(c, &to, two, (weft_emit_options){.form = WEFT_EMIT_CU}), WEFT_OK);
    assert_non_null(strstr(to.text, "k_cuda_kernel_backward("));
    assert_int_equal(emit(c, &to, "x = 1\n", (weft_emit_options){.form = WEFT_EMIT_AST}), WEFT_OK);
    assert_ptr_equal(strstr(to.text, "Module(body=[Assign("), to.text);
    assert_int_equal(emit(c, &to, two, (weft_emit_options){.form = WEFT_EMIT_IR}), WEFT_OK);
    const size_t lowered = to.n;
    assert_int_equal(emit(c, &to, two, (weft_emit_options){.form = WEFT_EMIT_IR, .stages = "wr"}),
                     WEFT_OK);
    assert_true(lowered > 0 && to.n > lowered);
    assert_int_equal(emit(c, &to, two, (weft_emit_options){.form = WEFT_EMIT_NONE}), WEFT_OK);
    assert_int_equal(to.pieces, 0);
    weft_context_free(c);
}

static int drop_text(void *arg, const char *text, size_t size)
{
    (void)text;
    *(size_t *)arg += size;
    return 0;
}

/* Kernels that are written one by one take the memory of one: with a limit that suffices for
 * 8 of these, 80 are written, though not as one module. */
static void holds_one_kernel_at_a_time(void **state)
{
    (void)state;
    static const char text[] = HEAD "def make(n):\n"
                                    "    @wp.kernel\n"
                                    "    def k(a: wp.array(dtype=float)):\n"
                                    "        s = float(0.0)\n"
                                    "        for i in range(16):\n"
                                    "            for j in range(16):\n"
                                    "                s += a[i] * a[j + n]\n"
                                    "        a[0] = s\n"
                                    "    return k\n"
                                    "all = [make(n) for n in range(80)]\n";
    size_t written = 0;
    weft_emit_options o = {
        .size = sizeof o, .form = WEFT_EMIT_JSON, .write = drop_text, .arg = &written};
    weft_context *c = context(&(weft_options){.memory_limit = 16u << 20});
    assert_int_equal(weft_emit_text(c, "all.py", text, sizeof text - 1, &o), WEFT_OK);
    assert_int_equal(weft_kernel_count(c), 80);
    assert_true(written > 16u << 20);
    o.form = WEFT_EMIT_CU;
    assert_int_equal(weft_emit_text(c, "all.py", text, sizeof text - 1, &o), WEFT_NO_MEMORY);
    weft_context_free(c);
}

static void chooses_kernels(void **state)
{
    (void)state;
    static const char *const names[] = {"k", "none"};
    int found[2] = {0};
    const weft_emit_options o = {
        .form = WEFT_EMIT_JSON, .kernels = names, .kernel_count = 2, .found = found};
    weft_context *c = context(&(weft_options){0});
    assert_int_equal(emit(c, &to, two, o), WEFT_OK);
    assert_int_equal(weft_kernel_count(c), 1);
    assert_string_equal(weft_kernel_at(c, 0)->name, "k");
    assert_true(found[0] == 1 && found[1] == 0);
    weft_context_free(c);
}

/* As of weft_compile_text, warnings alone are no errors; a generic kernel that is named is one. */
static void counts_errors_only(void **state)
{
    (void)state;
    static const char generic[] = "from typing import Any\n" HEAD
                                  "@wp.kernel\ndef g(a: wp.array(dtype=Any)):\n    a[0] = a[1]\n";
    static const char *const names[] = {"g"};
    weft_context *c = context(&(weft_options){0});
    assert_int_equal(emit(c, &to, generic, (weft_emit_options){.form = WEFT_EMIT_JSON}), WEFT_OK);
    assert_int_equal(weft_diagnostic_at(c, 0)->warning, 1);
    assert_non_null(strstr(to.text, "\"severity\": \"warning\""));
    assert_int_equal(
        emit(c, &to, generic,
             (weft_emit_options){.form = WEFT_EMIT_JSON, .kernels = names, .kernel_count = 1}),
        WEFT_INPUT_ERRORS);
    assert_int_equal(weft_diagnostic_at(c, 0)->warning, 0);
    assert_int_equal(emit(c, &to, bad, (weft_emit_options){.form = WEFT_EMIT_CU}),
                     WEFT_INPUT_ERRORS);
    assert_int_equal(to.n, 0);
    assert_int_equal(emit(c, &to, "", (weft_emit_options){.form = WEFT_EMIT_CU}), WEFT_OK);
    assert_true(to.n > 0);
    weft_context_free(c);
}

static void hands_out_programs(void **state)
{
    (void)state;
    static const char *const names[] = {"k"};
    weft_emit_options o = {.form = WEFT_EMIT_STANDALONE, .program = catch_program};
    weft_context *c = context(&(weft_options){.devices = WEFT_CPU});
    assert_int_equal(emit(c, &to, two, o), WEFT_OK);
    assert_string_equal(to.names, "all_ k "); /* `all` is a target of the Makefile */
    o.name = new_name;
    assert_int_equal(emit(c, &to, two, o), WEFT_OK);
    assert_string_equal(to.names, "first second ");
    to.answer = 1;
    assert_int_equal(emit(c, &to, two, o), WEFT_STOPPED);
    to.answer = 0;
    assert_string_equal(to.names, "first ");
    o = (weft_emit_options){.form = WEFT_EMIT_STANDALONE, .kernels = names, .kernel_count = 1};
    assert_int_equal(emit(c, &to, two, o), WEFT_OK);
    assert_non_null(strstr(to.text, "__global__ void k("));
    o.kernel_count = 0;
    assert_int_equal(emit(c, &to, two, o), WEFT_BAD_ARGUMENT);
    assert_string_equal(weft_message(c), "a program holds one kernel: name it");
    weft_context_free(c);
}

static void refuses_wrong_forms(void **state)
{
    (void)state;
    weft_context *c = context(&(weft_options){0});
    const weft_emit_options wrong[] = {
        {.form = -1},
        {.form = WEFT_EMIT_STANDALONE + 1},
        {.form = WEFT_EMIT_PTX},
        {.form = WEFT_EMIT_IR, .stages = "w!"},
        {.form = WEFT_EMIT_STANDALONE, .elements = WEFT_ELEMENTS_MAX + 1},
        {.form = WEFT_EMIT_CU, .kernel_count = 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(emit(c, &to, two, wrong[i]), WEFT_BAD_ARGUMENT);
        assert_true(weft_message(c)[0]);
    }
    assert_int_equal(weft_emit_file(NULL, "x", NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_emit_file(c, NULL, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_emit_file(c, "/no/such/file.py", NULL), WEFT_IO_ERROR);
    assert_int_equal(weft_emit_text(c, "x", NULL, 1, NULL), WEFT_BAD_ARGUMENT);
    to.answer = 1;
    assert_int_equal(emit(c, &to, two, (weft_emit_options){.form = WEFT_EMIT_JSON}), WEFT_STOPPED);
    assert_int_equal(to.pieces, 1);
    to.answer = 0;
    weft_context_free(c);
}

static void names_forms(void **state)
{
    (void)state;
    const char *name;
    assert_string_equal(weft_emit_name(WEFT_EMIT_STANDALONE), "standalone");
    assert_string_equal(weft_emit_extension(WEFT_EMIT_STANDALONE), "cu");
    for (int i = 0; weft_emit_name(i); i++)
        assert_int_equal(weft_emit_form(weft_emit_name(i)), i);
    assert_null(weft_emit_name(-1));
    assert_null(weft_emit_extension(WEFT_EMIT_STANDALONE + 1));
    assert_int_equal(weft_emit_form("none such"), -1);
    assert_int_equal(weft_emit_form(NULL), -1);
    assert_int_equal(weft_emit_stage(0, &name), 'w');
    assert_string_equal(name, "as lowered");
    assert_int_equal(weft_emit_stage(1000, &name), 0);
    assert_null(name);
}

/* --- weft_check ------------------------------------------------------------------------------ */

typedef struct seen {
    unsigned checked, errors, warnings;
    int answer;
    char message[256];
} seen;

static int count_checked(void *arg, weft_context *c)
{
    seen *s = arg;
    s->checked++;
    for (size_t i = 0; i < weft_diagnostic_count(c); i++)
        *(weft_diagnostic_at(c, i)->warning ? &s->warnings : &s->errors) += 1;
    return s->answer;
}

static void keep_message(void *arg, int kind, const char *text)
{
    seen *s = arg;
    assert_int_equal(kind, WEFT_ERROR);
    snprintf(s->message, sizeof s->message, "%s", text);
}

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static weft_status check(weft_context *c, const char *name, seen *s)
{
    static const char *const names[] = {"k"};
    static int found;
    char path[256];
    const int answer = s->answer;
    const weft_check_options o = {.size = sizeof o,
                                  .kernels = names,
                                  .kernel_count = strstr(name, "one") ? 1 : 0,
                                  .found = &found,
                                  .checked = count_checked,
                                  .message = keep_message,
                                  .arg = s};
    *s = (seen){.answer = answer};
    found = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const weft_status status = weft_check(c, path, &o);
    assert_int_equal(found, strstr(name, "one") != NULL);
    return status;
}

static void checks_what_a_path_names(void **state)
{
    (void)state;
    seen s = {0};
    weft_context *c = context(&(weft_options){0});
    write_file("one.py", two);
    write_file("bad.py", bad);
    write_file("open.cu", "__global__ void k(float *x, int n) { x[threadIdx.x] = 0; }\n");
    write_file("records.jsonl", "{\"cuda_ir_forward\": \"__global__ void k( {\"}\n{\"x\": 1}\n");
    assert_int_equal(check(c, "one.py", &s), WEFT_OK);
    assert_true(s.checked == 1 && !s.errors);
    assert_int_equal(check(c, "open.cu", &s), WEFT_OK);
    assert_true(s.checked == 1 && !s.errors && s.warnings == 1);
    assert_int_equal(check(c, "", &s), WEFT_INPUT_ERRORS);
    assert_true(s.checked == 3 && s.errors == 1 && s.warnings == 1);
    assert_int_equal(check(c, "records.jsonl", &s), WEFT_INPUT_ERRORS);
    assert_true(s.checked == 2 && s.errors >= 1);
    assert_non_null(strstr(s.message, "records.jsonl:2: no record with CUDA text"));
    assert_int_equal(check(c, "missing.cu", &s), WEFT_IO_ERROR);
    assert_int_equal(s.errors, 1);
    assert_int_equal(weft_diagnostic_count(c), 0);
    s.answer = 1;
    assert_int_equal(check(c, "", &s), WEFT_STOPPED);
    assert_int_equal(s.checked, 1);
    assert_int_equal(weft_check(c, NULL, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_check(NULL, "x", NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_check(c, "/no/such/file.py", NULL), WEFT_IO_ERROR);
    weft_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_small_work),   cmocka_unit_test(stops_a_wait),
        cmocka_unit_test(marks_warnings),     cmocka_unit_test(measures_stages),
        cmocka_unit_test(writes_forms),       cmocka_unit_test(holds_one_kernel_at_a_time),
        cmocka_unit_test(chooses_kernels),    cmocka_unit_test(counts_errors_only),
        cmocka_unit_test(hands_out_programs), cmocka_unit_test(refuses_wrong_forms),
        cmocka_unit_test(names_forms),        cmocka_unit_test(checks_what_a_path_names),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
