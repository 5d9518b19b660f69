/* SPDX-License-Identifier: Apache-2.0 */
/* The library's interface: results, errors, limits, and every allocation failing once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "weft.h"

static const char good[] = "import warp as wp\n"
                           "\n"
                           "@wp.func\n"
                           "def twice(x: float):\n"
                           "    return 2.0 * x\n"
                           "\n"
                           "@wp.kernel\n"
                           "def k(a: wp.array(dtype=float)):\n"
                           "    i = wp.tid()\n"
                           "    a[i] = twice(a[i])\n";
static const char half[] = "import warp as wp\n"
                           "@wp.kernel\n"
                           "def bad(a: wp.array(dtype=float)):\n"
                           "    a[0] = nothing\n"
                           "@wp.kernel\n"
                           "def fine(a: wp.array(dtype=float)):\n"
                           "    a[0] = 1.0\n";

static weft_context *context(unsigned devices, size_t limit)
{
    const weft_options o = {.size = sizeof o, .devices = devices, .memory_limit = limit};
    weft_context *c = NULL;
    const weft_status s = weft_context_new(&o, &c);
    assert_int_equal(s, c ? WEFT_OK : WEFT_NO_MEMORY);
    return c;
}

static void compiles_text(void **state)
{
    (void)state;
    weft_context *c = context(0, 0);
    assert_int_equal(weft_compile_text(c, "good.py", good, sizeof good - 1), WEFT_OK);
    assert_int_equal(weft_kernel_count(c), 1);
    const weft_kernel *k = weft_kernel_at(c, 0);
    assert_string_equal(k->name, "k");
    assert_int_equal(k->line, 7);
    assert_int_equal(strlen(k->cpu), k->cpu_size);
    assert_non_null(strstr(k->cpu, "// good.py:3\n"));
    assert_non_null(strstr(k->cpu, "k_cpu_kernel_backward"));
    assert_non_null(strstr(k->cuda, "k_cuda_kernel_forward"));
    assert_null(weft_kernel_at(c, 1));
    assert_null(k->error);
    weft_context_free(c);
}

/* Text is UTF-8, like a str of Python's compile, whatever its first line says. */
static void text_is_decoded_already(void **state)
{
    static const char source[] = "# coding: latin-1\n"
                                 "import warp as wp\n"
                                 "@wp.kernel\n"
                                 "def k(a: wp.array(dtype=float)):\n"
                                 "    a[0] = 1.0  # \xc3\xa9\n";
    (void)state;
    weft_context *c = context(0, 0);
    assert_int_equal(weft_compile_text(c, "k.py", source, sizeof source - 1), WEFT_OK);
    assert_non_null(strstr(weft_kernel_at(c, 0)->cpu, "# \xc3\xa9 "));
    weft_context_free(c);
}

static void writes_modules(void **state)
{
    (void)state;
    const char *text;
    size_t size;
    weft_context *c = context(0, 0);
    assert_int_equal(weft_compile_text(c, "half.py", half, sizeof half - 1), WEFT_INPUT_ERRORS);
    assert_int_equal(weft_module_text(c, WEFT_CPU, &text, &size), WEFT_OK);
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, "#define WP_NO_BFLOAT16\n"));
    assert_non_null(strstr(text, "WP_API void fine_cpu_forward("));
    assert_null(strstr(text, "bad_cpu"));
    assert_int_equal(weft_module_text(c, 3, &text, &size), WEFT_BAD_ARGUMENT);
    weft_context_free(c);
}

static void tells_errors_and_goes_on(void **state)
{
    (void)state;
    weft_context *c = context(WEFT_CUDA, 0);
    assert_int_equal(weft_compile_text(c, "half.py", half, sizeof half - 1), WEFT_INPUT_ERRORS);
    assert_int_equal(weft_kernel_count(c), 2);
    const weft_kernel *bad = weft_kernel_at(c, 0), *fine = weft_kernel_at(c, 1);
    assert_null(bad->cuda);
    assert_string_equal(bad->error->id, "undefined-name");
    assert_int_equal(bad->error->line, 4);
    assert_string_equal(bad->error->file, "half.py");
    assert_non_null(fine->cuda);
    assert_null(fine->cpu);
    assert_null(fine->error);
    assert_int_equal(weft_diagnostic_count(c), 1);
    assert_string_equal(weft_diagnostic_at(c, 0)->id, "undefined-name");
    assert_int_equal(weft_compile_file(c, "/no/such/file.py"), WEFT_IO_ERROR);
    assert_int_equal(weft_kernel_count(c), 0);
    assert_int_equal(weft_compile_text(c, "x", "x = = 1\n", 8), WEFT_INPUT_ERRORS);
    weft_context_free(c);
}

/* The caller's name and text may go as soon as the call returns. */
static void keeps_what_it_refers_to(void **state)
{
    (void)state;
    char name[] = "half.py", source[sizeof half];
    const char *text;
    size_t size;
    weft_context *c = context(WEFT_CUDA, 0);
    memcpy(source, half, sizeof half);
    assert_int_equal(weft_compile_text(c, name, source, sizeof half - 1), WEFT_INPUT_ERRORS);
    memset(name, 'x', sizeof name - 1);
    memset(source, 'x', sizeof source - 1);
    assert_string_equal(weft_diagnostic_at(c, 0)->file, "half.py");
    assert_int_equal(weft_module_text(c, WEFT_CUDA, &text, &size), WEFT_OK);
    assert_non_null(strstr(text, "// a[0] = 1.0"));
    assert_null(strstr(text, "xxx"));
    weft_context_free(c);
}

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    weft_context *c = NULL;
    const weft_options old = {.size = 0}, devices = {.size = sizeof devices, .devices = 8};
    assert_int_equal(weft_context_new(NULL, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_context_new(&old, &c), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_context_new(&devices, &c), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_context_new(NULL, &c), WEFT_OK);
    assert_int_equal(weft_compile_file(c, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_compile_text(c, NULL, "", 0), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_compile_text(c, "empty", NULL, 0), WEFT_OK);
    weft_context_free(c);
    weft_context_free(NULL);
}

static void writes_programs(void **state)
{
    (void)state;
    const char *text;
    size_t size;
    weft_context *c = context(WEFT_CPU, 0);
    assert_int_equal(weft_standalone_text(c, "good.py", good, sizeof good - 1, NULL, &text, &size),
                     WEFT_OK);
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, "__global__ void k("));
    assert_int_equal(
        weft_standalone_text(c, "good.py", good, sizeof good - 1, "none", &text, &size),
        WEFT_BAD_ARGUMENT);
    assert_null(text);
    assert_non_null(strstr(weft_message(c), "none"));
    assert_int_equal(weft_standalone_text(c, "half.py", half, sizeof half - 1, "bad", &text, &size),
                     WEFT_INPUT_ERRORS);
    assert_int_equal(weft_diagnostic_count(c), 1);
    assert_int_equal(weft_standalone_shim(c, &text, &size), WEFT_OK);
    assert_non_null(strstr(text, "__global__"));
    assert_int_equal(weft_check_cuda(c, "x.cu", "__global__ void k( {", 20), WEFT_INPUT_ERRORS);
    assert_string_equal(weft_diagnostic_at(c, 0)->file, "x.cu");
    assert_int_equal(weft_check_cuda(c, "x.cu", NULL, 1), WEFT_BAD_ARGUMENT);
    weft_context_free(c);
}

static const char some_ptx[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                               ".visible .entry k(.param .u64 k_param_0)\n{\n"
                               "  .reg .b64 %rd<3>;\n"
                               "  ld.param.u64 %rd1, [k_param_0];\n  ret;\n}\n";

static void counts_ptx(void **state)
{
    (void)state;
    const char *json, *ptx;
    size_t n, size;
    weft_context *c = context(0, 0);
    assert_int_equal(weft_ptx_statistics(c, "k.ptx", some_ptx, sizeof some_ptx - 1, &json, &n),
                     WEFT_OK);
    assert_int_equal(strlen(json), n);
    assert_non_null(strstr(json, "{\"compiler\": null, \"sha256\": "));
    assert_non_null(strstr(json, "\"instructions\": {\"total\": 2, "));
    assert_int_equal(weft_ptx_statistics(c, "k.ptx", some_ptx, 60, &json, &n), WEFT_INPUT_ERRORS);
    assert_null(json);
    assert_string_equal(weft_diagnostic_at(c, 0)->id, "bad-ptx");
    assert_int_equal(weft_diagnostic_at(c, 0)->line, 4);
    assert_int_equal(weft_ptx_statistics(c, "k.ptx", NULL, 0, &json, &n), WEFT_INPUT_ERRORS);
    assert_int_equal(weft_ptx_statistics(c, "k.ptx", NULL, 1, &json, &n), WEFT_BAD_ARGUMENT);

    const weft_ptx_options unknown = {.size = sizeof unknown, .arch = "sm_75,sm_80"};
    assert_int_equal(weft_ptx_text(c, "k.cu", "", 0, &unknown, &ptx, &size, &json, &n),
                     WEFT_BAD_ARGUMENT);
    assert_non_null(strstr(weft_message(c), "sm_75,sm_80"));
    assert_int_equal(weft_ptx_text(c, "k.cu", "", 0, NULL, NULL, &size, &json, &n),
                     WEFT_BAD_ARGUMENT);
    assert_int_equal(setenv("WEFT_NVRTC", "none", 1), 0);
    assert_int_equal(weft_ptx_text(c, "k.cu", "wp::", 4, NULL, &ptx, &size, &json, &n),
                     WEFT_FAILED);
    assert_non_null(strstr(weft_message(c), "NVRTC is switched off"));
    assert_true(!ptx && !json);
    weft_context_free(c);
}

/* Names of kernels, kinds of diagnostics, signatures; NULL behind the last of each. */
static void lists_what_it_knows(void **state)
{
    (void)state;
    const char *const *all;
    const weft_diagnostic_kind *kind;
    size_t n, same = 0, i = 0;
    weft_context *c = context(WEFT_CUDA, 0);
    assert_null(weft_kernel_name(c, 0));
    assert_int_equal(weft_compile_text(c, "half.py", half, sizeof half - 1), WEFT_INPUT_ERRORS);
    while (weft_kernel_name(c, i))
        i++;
    assert_int_equal(i, weft_kernel_count(c));
    const char *id = weft_diagnostic_at(c, 0)->id;
    for (i = 0; (kind = weft_diagnostic_kind_at(i)); i++)
        same += strcmp(kind->id, id) == 0;
    assert_true(same > 0 && i > 100);
    assert_int_equal(weft_builtins(c, &all, &n), WEFT_OK);
    for (i = 1; i < n; i++)
        assert_true(strcmp(all[i - 1], all[i]) <= 0 && strchr(all[i], '('));
    assert_true(n > 300);
    assert_null(weft_kernel_name(c, 0));
    const char *entry;
    assert_int_equal(weft_explain(c, "k.py:1:1: error: ... [recursion]", &entry, &n), WEFT_OK);
    assert_true(strncmp(entry, "recursion: ", 11) == 0 && strlen(entry) == n);
    assert_int_equal(weft_explain(c, "recursive", &entry, &n), WEFT_BAD_ARGUMENT);
    assert_true(!entry && strstr(weft_message(c), "near are: recursion"));
    assert_int_equal(weft_builtins(NULL, &all, &n), WEFT_BAD_ARGUMENT);
    uint64_t number = 7;
    assert_int_equal(weft_read_number("2.5M", &number), WEFT_OK);
    assert_int_equal(number, 2500000);
    assert_int_equal(weft_read_number("2.5", &number), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_read_number(NULL, &number), WEFT_BAD_ARGUMENT);
    assert_int_equal(number, 2500000);
    assert_null(weft_kernel_name(NULL, 0));
    weft_context_free(c);
}

/* As `weft compile` prints it, in each of the forms. */
static void prints_diagnostics(void **state)
{
    (void)state;
    const char *text;
    size_t size;
    weft_context *c = context(WEFT_CUDA, 0);
    assert_int_equal(weft_compile_text(c, "half.py", half, sizeof half - 1), WEFT_INPUT_ERRORS);
    assert_int_equal(weft_diagnostic_text(c, 0, 0, &text, &size), WEFT_OK);
    assert_int_equal(strlen(text), size);
    assert_ptr_equal(strstr(text, "half.py:4:12: error: "), text);
    assert_non_null(strstr(text, " [undefined-name]\n        a[0] = nothing\n"));
    assert_non_null(strstr(text, "\n               ^~~~~~~\n"));
    assert_int_equal(
        weft_diagnostic_text(c, 0, WEFT_DIAGNOSTIC_REMARK | WEFT_DIAGNOSTIC_COLOR, &text, &size),
        WEFT_OK);
    assert_non_null(strstr(text, "\033[1;35mwarning: "));
    assert_int_equal(weft_diagnostic_text(c, 0, WEFT_DIAGNOSTIC_JSON, &text, &size), WEFT_OK);
    assert_true(text[0] == '{' && strcmp(text + size - 2, "}\n") == 0);
    assert_int_equal(weft_diagnostic_text(c, 1, 0, &text, &size), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_diagnostic_text(c, 0, WEFT_DIAGNOSTIC_SARIF, &text, &size), WEFT_OK);
    assert_true(text[0] == '{' && text[size - 1] == '}' && strlen(text) == size);
    assert_int_equal(weft_diagnostic_text(c, 0, 16, &text, &size), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_diagnostic_text(NULL, 0, 0, &text, &size), WEFT_BAD_ARGUMENT);
    weft_context_free(c);
}

/* A set switch ends the next call; a cleared one lets the context go on. */
static void stops_and_goes_on(void **state)
{
    (void)state;
    weft_stop *stop;
    weft_context *c;
    assert_int_equal(weft_stop_new(NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_stop_new(&stop), WEFT_OK);
    const weft_options o = {.size = sizeof o, .stop = stop};
    assert_int_equal(weft_context_new(&o, &c), WEFT_OK);
    assert_false(weft_stop_is_set(stop));
    weft_stop_set(stop);
    assert_true(weft_stop_is_set(stop));
    assert_int_equal(weft_compile_text(c, "half.py", half, sizeof half - 1), WEFT_STOPPED);
    assert_int_equal(weft_kernel_count(c) + weft_diagnostic_count(c), 0);
    weft_stop_clear(stop);
    assert_int_equal(weft_compile_text(c, "half.py", half, sizeof half - 1), WEFT_INPUT_ERRORS);
    assert_int_equal(weft_kernel_count(c), 2);
    weft_context_free(c);
    weft_stop_free(stop);
    weft_stop_free(NULL);
    weft_stop_set(NULL);
    weft_stop_clear(NULL);
    assert_false(weft_stop_is_set(NULL));
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static void lists_the_files_it_read(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft-api-XXXXXX", main_file[64], other[64];
    weft_context *c = context(WEFT_CUDA, 0);
    assert_non_null(mkdtemp(folder));
    snprintf(main_file, sizeof main_file, "%s/main.py", folder);
    snprintf(other, sizeof other, "%s/other.py", folder);
    write_file(main_file, "import warp as wp\nimport other\nimport other as again\n");
    write_file(other, "N = 3\n");
    assert_int_equal(weft_compile_file(c, main_file), WEFT_OK);
    assert_int_equal(weft_input_count(c), 2);
    assert_string_equal(weft_input_at(c, 0), main_file);
    assert_string_equal(weft_input_at(c, 1), other);
    assert_null(weft_input_at(c, 2));
    assert_int_equal(weft_compile_text(c, "good.py", good, sizeof good - 1), WEFT_OK);
    assert_int_equal(weft_input_count(c), 0);
    assert_int_equal(weft_input_count(NULL), 0);
    assert_null(weft_input_at(NULL, 0));
    remove(main_file);
    remove(other);
    remove(folder);
    weft_context_free(c);
}

/* Memory may run out at any point: the status says so, and nothing is left of the results. */
static void survives_lack_of_memory(void **state)
{
    (void)state;
    unsigned refused = 0, done = 0;
    for (size_t limit = 1 << 14; limit < 64u << 20; limit += limit / 16) {
        weft_context *c = context(0, limit);
        if (!c)
            continue;
        const weft_status s = weft_compile_text(c, "good.py", good, sizeof good - 1);
        assert_true(s == WEFT_OK || s == WEFT_NO_MEMORY);
        refused += s == WEFT_NO_MEMORY;
        done += s == WEFT_OK;
        assert_int_equal(weft_kernel_count(c), s == WEFT_OK ? 1 : 0);
        weft_context_free(c);
    }
    assert_true(refused > 0 && done > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles_text),           cmocka_unit_test(text_is_decoded_already),
        cmocka_unit_test(writes_modules),          cmocka_unit_test(tells_errors_and_goes_on),
        cmocka_unit_test(keeps_what_it_refers_to), cmocka_unit_test(refuses_wrong_arguments),
        cmocka_unit_test(writes_programs),         cmocka_unit_test(counts_ptx),
        cmocka_unit_test(prints_diagnostics),      cmocka_unit_test(lists_what_it_knows),
        cmocka_unit_test(stops_and_goes_on),       cmocka_unit_test(lists_the_files_it_read),
        cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
