/* SPDX-License-Identifier: Apache-2.0 */
/* The library's interface: PTX of files, folders and data sets, and what it consists of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "weft.h"

static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry _Z1kPf(.param .u64 k_param_0)\n{\n"
                           "  .reg .b64 %rd<3>;\n  .reg .pred %p<2>;\n"
                           "  ld.param.u64 %rd1, [k_param_0];\n"
                           "  ld.global.u32 %rd2, [%rd1];\n  ret;\n}\n";

/* What the callbacks of one call saw. */
typedef struct seen {
    int results, refused, inputs, begun, messages, stop_after;
    char message[200], input[80];
} seen;

static void on_message(void *arg, int kind, const char *message)
{
    seen *s = arg;
    assert_true(kind == WEFT_ERROR || kind == WEFT_USAGE);
    snprintf(s->message, sizeof s->message, "%s", message);
    s->messages++;
}

static void on_input(void *arg, const char *path)
{
    seen *s = arg;
    assert_int_equal(s->results + s->begun, 0);
    snprintf(s->input, sizeof s->input, "%s", path);
    s->inputs++;
}

static void on_begin(void *arg)
{
    ((seen *)arg)->begun++;
}

static int on_result(void *arg, const weft_ptx_result *r)
{
    seen *s = arg;
    s->results++;
    assert_null(r->arch);
    assert_null(r->compiler);
    if (r->refused_by) {
        assert_string_equal(r->refused_by, "PTX");
        assert_non_null(strstr(r->log, ": error: "));
        assert_null(r->ptx);
        s->refused++;
        return 0;
    }
    assert_string_equal(r->name, "good");
    assert_string_equal(r->target, "sm_80");
    assert_int_equal(r->ptx_size, sizeof text - 1);
    assert_memory_equal(r->ptx, text, sizeof text - 1);
    assert_int_equal(r->function_count, 1);
    const weft_ptx_function *f = &r->functions[0];
    assert_string_equal(f->name, "k");
    assert_true(f->is_kernel && f->registers == 3 && f->predicates == 2 && f->instructions == 3 &&
                f->memory_instructions == 2 && f->global_loads == 1 && f->global_stores == 0 &&
                f->parameter_bytes == 8);
    assert_int_equal(strlen(r->json), r->json_size);
    assert_non_null(
        strstr(r->json, "\"version\": \"8.0\", \"target\": \"sm_80\", \"kernels\": [{"));
    return s->stop_after == s->results;
}

static void write_file(const char *path, const char *words)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(words, 1, strlen(words), f), strlen(words));
    assert_int_equal(fclose(f), 0);
}

static weft_status look(const char *path, const char *arch, seen *s, weft_ptx_counts *counts)
{
    const weft_ptx_options o = {.size = sizeof o, .arch = arch};
    const weft_callbacks c = {
        .size = sizeof c, .message = on_message, .begin = on_begin, .input = on_input, .arg = s};
    *counts = (weft_ptx_counts){.size = sizeof *counts};
    return weft_ptx_paths(&path, 1, &o, &c, on_result, counts);
}

static void reads_folders_and_records(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft-ptx-XXXXXX", good[64], bad[64], set[64];
    weft_ptx_counts counts;
    assert_non_null(mkdtemp(folder));
    snprintf(good, sizeof good, "%s/good.ptx", folder);
    snprintf(bad, sizeof bad, "%s/bad.ptx", folder);
    snprintf(set, sizeof set, "%s/set.jsonl", folder);
    write_file(good, text);
    write_file(bad, "no PTX\n");
    write_file(set, "{\"id\": \"a\"}\n");

    seen s = {0};
    assert_int_equal(look(folder, NULL, &s, &counts), WEFT_INPUT_ERRORS);
    assert_true(s.results == 2 && s.refused == 1 && s.inputs == 2 && s.begun == 1 && !s.messages);
    assert_true(counts.good == 1 && counts.bad == 1);
    assert_string_equal(s.input, good); /* the later of the two */

    s = (seen){.stop_after = 1};
    assert_int_equal(look(good, "sm_75,sm_90", &s, &counts), WEFT_STOPPED);
    s = (seen){0};
    assert_int_equal(look(good, "sm_75,sm_90", &s, &counts), WEFT_OK);
    assert_int_equal(s.results, 1); /* PTX is there already: it is read once */

    s = (seen){0};
    assert_int_equal(look(set, NULL, &s, &counts), WEFT_INPUT_ERRORS);
    assert_non_null(strstr(s.message, "set.jsonl:1: no record with CUDA text"));
    assert_true(s.results == 0 && counts.bad == 1);
    s = (seen){0};
    assert_int_equal(look("/no/such/file.cu", NULL, &s, &counts), WEFT_IO_ERROR);
    assert_string_equal(s.message, "cannot read '/no/such/file.cu': No such file or directory");
    remove(good);
    remove(bad);
    remove(set);
    assert_int_equal(rmdir(folder), 0);
}

static void refuses_wrong_options(void **state)
{
    (void)state;
    seen s = {0};
    weft_ptx_counts counts = {.size = 3};
    const char *none[] = {NULL};
    assert_int_equal(look("x.cu", "sm_7", &s, &counts), WEFT_BAD_ARGUMENT);
    assert_non_null(strstr(s.message, "not 'sm_7'"));
    assert_int_equal(s.begun, 0);
    counts.size = 3;
    assert_int_equal(weft_ptx_paths(none, 0, NULL, NULL, NULL, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_ptx_paths(none, 1, NULL, NULL, NULL, NULL), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_ptx_paths(NULL, 1, NULL, NULL, NULL, NULL), WEFT_BAD_ARGUMENT);
    none[0] = "x.cu";
    assert_int_equal(weft_ptx_paths(none, 1, NULL, NULL, NULL, &counts), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_ptx_arch_count("sm_75,compute_90a"), 2);
    assert_int_equal(weft_ptx_arch_count("sm_75"), 1);
    assert_int_equal(weft_ptx_arch_count("sm_75,x"), 0);
    assert_int_equal(weft_ptx_arch_count(NULL), 0);
}

static void says_whether_there_is_a_compiler(void **state)
{
    (void)state;
    weft_context *c;
    const weft_ptx_options two = {.size = sizeof two, .arch = "sm_75,sm_80"};
    assert_int_equal(weft_context_new(NULL, &c), WEFT_OK);
    assert_int_equal(weft_ptx_available(c, &two), WEFT_BAD_ARGUMENT);
    assert_string_equal(weft_message(c), "arch is one architecture (sm_75), not 'sm_75,sm_80'");
    assert_int_equal(setenv("WEFT_NVRTC", "none", 1), 0);
    assert_int_equal(weft_ptx_available(c, NULL), WEFT_FAILED);
    assert_non_null(strstr(weft_message(c), "NVRTC is switched off"));
    assert_int_equal(weft_ptx_available(NULL, NULL), WEFT_BAD_ARGUMENT);
    weft_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_folders_and_records),
        cmocka_unit_test(refuses_wrong_options),
        cmocka_unit_test(says_whether_there_is_a_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
