/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline: the same text again and again in flat memory, also after any allocation failed. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver/pipeline.h"

static const char source_text[] = "import warp as wp\n"
                                  "@wp.struct\n"
                                  "class Pair:\n"
                                  "    a: float\n"
                                  "    b: wp.vec3\n"
                                  "@wp.func\n"
                                  "def total(p: Pair):\n"
                                  "    return p.a + wp.dot(p.b, p.b)\n"
                                  "@wp.kernel\n"
                                  "def k(x: wp.array(dtype=float), p: Pair, n: int):\n"
                                  "    i = wp.tid()\n"
                                  "    s = float(0.0)\n"
                                  "    for j in range(n):\n"
                                  "        if x[j] > 0.0:\n"
                                  "            s += total(p) * x[j]\n"
                                  "    x[i] = s\n";

typedef struct run {
    pipeline p;
    char text[1 << 15]; /* of the first compilation */
    size_t size;
    bool same;
} run;

static void compile(void *arg)
{
    run *r = arg;
    uint32_t n;
    const program *prog = pipeline_load_text(&r->p, "t.py", str_c(source_text));
    assert_non_null(prog);
    const kernel *const *kernels = program_kernels(prog, &n);
    assert_int_equal(n, 1);
    compiled_kernel k = pipeline_lower(&r->p, prog, kernels[0]);
    assert_non_null(k.ir);
    pipeline_emit(&r->p, &k);
    const str all = k.text[EMIT_CPU].all;
    assert_in_range(all.n, 1, sizeof r->text);
    if (!r->size) {
        memcpy(r->text, all.p, all.n);
        r->size = all.n;
    }
    r->same = str_eq(all, (str){r->text, r->size});
}

static int set_up(void **state)
{
    static run r;
    memset(&r, 0, sizeof r);
    *state = &r;
    const pipeline_options o = {.devices = EMIT_FOR_BOTH};
    return pipeline_init(&r.p, &o) && mem_try(&r.p.c.mem, compile, &r) ? 0 : 1;
}

static int tear_down(void **state)
{
    pipeline_clear(&((run *)*state)->p);
    return 0;
}

static void compiles_in_flat_memory(void **state)
{
    run *r = *state;
    size_t used = 0;
    for (int i = 0; i < 2000; i++) {
        pipeline_reset(&r->p);
        assert_true(mem_try(&r->p.c.mem, compile, r));
        assert_true(r->same);
        if (i == 10)
            used = r->p.c.mem.used;
    }
    assert_int_equal(r->p.c.mem.used, used);
}

static void survives_every_failed_allocation(void **state)
{
    run *r = *state;
    for (uint64_t n = 1;; n++) {
        pipeline_clear(&r->p);
        const pipeline_options o = {.devices = EMIT_FOR_BOTH};
        assert_true(pipeline_init(&r->p, &o));
        r->p.c.mem.fail_at = n;
        if (mem_try(&r->p.c.mem, compile, r)) {
            assert_true(n > 5);
            return;
        }
        r->p.c.mem.fail_at = 0;
        pipeline_reset(&r->p);
        assert_true(mem_try(&r->p.c.mem, compile, r));
        assert_true(r->same);
    }
}

static void leaves_adjoints_out(void **state)
{
    run *r = *state;
    r->p.options.no_backward = true;
    r->size = 0;
    pipeline_reset(&r->p);
    assert_true(mem_try(&r->p.c.mem, compile, r));
    r->text[r->size] = 0;
    assert_non_null(strstr(r->text, "k_cpu_kernel_forward"));
    assert_null(strstr(r->text, "k_cpu_kernel_backward"));
    assert_non_null(strstr(r->text, "reverse mode disabled"));
}

/* --- files that import each other ------------------------------------------------------------ */

static const struct {
    const char *name, *text;
} package[] = {
    {"parts.py", "import warp as wp\n\n\n@wp.func\ndef sq(x: float):\n    return x * x\n"},
    {"wrong.py", "def (:\n"},
    {"one.py", "import warp as wp\n"
               "import wrong\n"
               "from parts import sq\n"
               "@wp.kernel\n"
               "def one(a: wp.array(dtype=float)):\n"
               "    a[0] = sq(a[1])\n"},
    {"two.py", "import warp as wp\n"
               "import one, wrong\n"
               "@wp.kernel\n"
               "def two(b: wp.array(dtype=float)):\n"
               "    b[0] = one.sq(b[1]) + 1.0\n"}};

typedef struct folder_run {
    pipeline p;
    char folder[64];
    const char *file;
    strbuf text;
} folder_run;

/* Appends the text of the file's kernel. */
static void compile_file(void *arg)
{
    folder_run *r = arg;
    char path[128];
    uint32_t n;
    pipeline_reset(&r->p);
    snprintf(path, sizeof path, "%s/%s", r->folder, r->file);
    const program *prog = pipeline_load(&r->p, path);
    if (!prog) {
        sb_c(&r->text, diag_name(r->p.c.diags.v[0].id));
        return;
    }
    compiled_kernel k = pipeline_lower(&r->p, prog, program_kernels(prog, &n)[0]);
    assert_non_null(k.ir);
    pipeline_emit(&r->p, &k);
    sb_str(&r->text, k.text[EMIT_CPU].all);
}

static void compile_package(folder_run *r, size_t keep_text, uint64_t fail_at)
{
    static const char *const order[] = {"one.py", "two.py", "wrong.py", "two.py", "one.py"};
    const pipeline_options o = {.devices = EMIT_FOR_BOTH, .keep_text = keep_text};
    assert_true(pipeline_init(&r->p, &o));
    r->text.n = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        r->file = order[i];
        const size_t before = r->text.n;
        r->p.c.mem.fail_at = fail_at;
        const bool enough = mem_try(&r->p.c.mem, compile_file, r);
        r->p.c.mem.fail_at = 0;
        if (enough)
            continue;
        r->text.n = before;
        assert_true(mem_try(&r->p.c.mem, compile_file, r));
    }
    pipeline_clear(&r->p);
}

static void write_package(folder_run *r)
{
    char path[128];
    snprintf(r->folder, sizeof r->folder, "/tmp/weft_package.XXXXXX");
    assert_non_null(mkdtemp(r->folder));
    for (size_t i = 0; i < sizeof package / sizeof *package; i++) {
        snprintf(path, sizeof path, "%s/%s", r->folder, package[i].name);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(package[i].text, f);
        for (int k = 0; k < 5000;
             k++) /* so that the parser needs more than an arena's first chunk */
            fputs("# words and words\n", f);
        fclose(f);
    }
}

/* Trees that stay change nothing; neither does a cache that is full after each program, nor memory
 * that runs out while a file is parsed. */
static void kept_trees_change_nothing(void **state)
{
    (void)state;
    folder_run r = {.file = NULL};
    mem own;
    mem_init(&own);
    sb_init(&r.text, &own);
    write_package(&r);
    compile_package(&r, 0, 0);
    const size_t n = r.text.n;
    assert_in_range(n, 1000, SIZE_MAX);
    char *expected = malloc(n);
    memcpy(expected, r.text.p, n);
    for (uint64_t i = 0; i < 60; i++) {
        compile_package(&r, i % 2 ? 1 : 1 << 20, i);
        assert_int_equal(r.text.n, n);
        assert_memory_equal(r.text.p, expected, n);
    }
    free(expected);
    mem_clear(&own);
    for (size_t i = 0; i < sizeof package / sizeof *package; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", r.folder, package[i].name);
        remove(path);
    }
    rmdir(r.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(compiles_in_flat_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_every_failed_allocation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_adjoints_out, set_up, tear_down),
        cmocka_unit_test(kept_trees_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
