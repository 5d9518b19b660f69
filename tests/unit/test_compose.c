/* SPDX-License-Identifier: Apache-2.0 */
/* Every formula and every algorithm of the library gives kernels that compile and are proved, and
 * in which nothing stands without a purpose. With arguments it prints some: test_compose
 * springs.py, test_compose spring_force 5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "check/check.h"
#include "compose/compose.h"
#include "compose/compose_idle.h"
#include "driver/pipeline.h"
#include "profile/profile.h"

typedef struct bench {
    library *l;
    pipeline p;
    composer *c;
    checker *k;
    strbuf texts[2];
    gen_sample sample;
    gen_request q;
    bool print, made, broken; /* broken: one failed other than by its inputs */
    const char *why;          /* the kernel is not proved; NULL: it is */
    char detail[400];
} bench;

static const char *prove(bench *b, const compiled_kernel *k)
{
    check_arg args[GEN_ARGS_MAX];
    check_result r;
    const gen_sample *s = &b->sample;
    for (uint32_t i = 0; i < s->nargs; i++)
        args[i] = (check_arg){s->args[i].shape, s->args[i].mag, s->args[i].values};
    for (int i = 0; i < 2; i++)
        b->texts[i].n = 0;
    emit_record_forward(&b->texts[0], &k->text[EMIT_CUDA]);
    emit_record_backward(&b->texts[1], &k->text[EMIT_CUDA]);
    const check_subject subject = {.kernel = k->kernel,
                                   .launch = s->launch,
                                   .args = args,
                                   .forward[EMIT_CUDA] = sb_view(&b->texts[0]),
                                   .backward[EMIT_CUDA] = sb_view(&b->texts[1]),
                                   .seed = b->q.seed,
                                   .index = b->q.index};
    check_pair(b->k, &subject, &r);
    snprintf(b->detail, sizeof b->detail, "%s", r.reason ? r.detail : "");
    return r.reason ? r.reason : check_is_adequate(&r) ? NULL : "inadequate";
}

static void make(void *arg)
{
    bench *b = arg;
    uint32_t n = 0;
    b->detail[0] = 0;
    b->why = "no plan";
    b->made = compose(b->c, &b->q, &b->sample);
    if (!b->made)
        return;
    if (memchr(b->sample.prompt.p, '{', b->sample.prompt.n)) {
        b->why = "a place of the sentence is not filled";
        return;
    }
    pipeline_reset(&b->p);
    const program *prog = pipeline_load_text(&b->p, "composed.py", b->sample.source);
    const kernel *const *all = prog ? program_kernels(prog, &n) : NULL;
    compiled_kernel k = {0};
    const compose_idle idle = prog ? compose_find_idle(program_tree(prog)) : (compose_idle){0};
    if (idle.what) {
        b->why = "idle";
        snprintf(b->detail, sizeof b->detail, "line %u: %s: %s", idle.line,
                 idle.name ? idle.name->s : "", idle.what);
        return;
    }
    if (n == 1)
        k = pipeline_lower(&b->p, prog, all[0]);
    if (!k.ir) {
        b->why = "does not compile";
        snprintf(b->detail, sizeof b->detail, "%s",
                 b->p.c.diags.n ? b->p.c.diags.v[0].text : "no kernel");
        return;
    }
    pipeline_emit(&b->p, &k);
    b->why = prove(b, &k);
}

static void start(void *arg)
{
    bench *b = arg;
    b->c = composer_new(&b->p.c.mem, b->l);
    b->k = check_new(&b->p.c);
    for (int i = 0; i < 2; i++)
        sb_init(&b->texts[i], &b->p.c.mem);
}

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    b->l = library_new();
    assert_non_null(b->l);
    if (b->l->message[0])
        fail_msg("%s", b->l->message);
    assert_true(pipeline_init(&b->p, &(pipeline_options){.devices = EMIT_FOR_CUDA}));
    assert_true(mem_try(&b->p.c.mem, start, b));
}

static void close_bench(bench *b)
{
    pipeline_clear(&b->p);
    library_free(b->l);
}

/* `tries` kernels about a computation; returns how many are proved. */
static uint32_t try_computation(bench *b, uint32_t at, uint32_t tries)
{
    str file;
    const str name = compose_name(b->l, at, &file);
    uint32_t good = 0;
    b->broken = false;
    for (uint32_t i = 0; i < tries; i++) {
        b->q =
            (gen_request){.seed = 7, .index = i, .level = (uint8_t)(1 + i % 5), .target = at + 1};
        assert_true(mem_try(&b->p.c.mem, make, b));
        good += !b->why;
        b->broken |= b->why && strcmp(b->why, "inadequate") != 0;
        if (b->print && b->made)
            printf("%.*s\n%.*s\n", (int)b->sample.prompt.n, b->sample.prompt.p,
                   (int)b->sample.source.n, b->sample.source.p);
        if (b->why)
            printf("# %.*s: %.*s: %s %s\n", (int)file.n, file.p, (int)name.n, name.p, b->why,
                   b->detail);
    }
    return good;
}

/* As tests/part.py: WEFT_ONE_IN=N in the environment takes every N-th, from another one on each
 * day, or from the one that WEFT_SEED says. */
static void take_part(uint32_t *first, uint32_t *step)
{
    const char *one_in = getenv("WEFT_ONE_IN"), *seed = getenv("WEFT_SEED");
    const int n = one_in ? atoi(one_in) : 1;
    const long day = seed ? atol(seed) : (long)(time(NULL) / 86400);
    *step = n > 1 ? (uint32_t)n : 1;
    *first = (uint32_t)day % *step;
    if (*step > 1)
        print_message("one in %u: WEFT_ONE_IN=%u WEFT_SEED=%ld takes the same\n", *step, *step,
                      day);
}

/* A computation may now and then meet inputs that do not tell; some of its kernels are proved.
 * Nothing else may happen. */
static void test_all_are_proved(void **state)
{
    (void)state;
    enum { TRIES = 6, MORE = 48 }; /* more where none of the first tells */
    bench b;
    uint32_t bad = 0, first, step;
    open_bench(&b);
    assert_true(compose_count(b.l) > 0);
    take_part(&first, &step);
    for (uint32_t i = first; i < compose_count(b.l); i += step)
        bad += (try_computation(&b, i, TRIES) == 0 && !b.broken &&
                try_computation(&b, i, MORE) == 0) ||
               b.broken;
    close_bench(&b);
    assert_int_equal(bad, 0);
}

/* In each category a run finds a plan for a wish of nothing, which whole algorithms that move
 * values are nearest to, though few of them are of some categories; a run gives up after 64
 * attempts. */
static void compose_alone(void *arg)
{
    bench *b = arg;
    b->made = compose(b->c, &b->q, &b->sample);
}

static void test_small_wishes_find_plans(void **state)
{
    (void)state;
    enum { INDEXES = 40, ATTEMPTS = 16 };
    const profile_wish wish = {.known = UINT64_MAX >> (64 - PROFILE_FEATURES), .lines = 3};
    bench b;
    open_bench(&b);
    for (uint32_t i = 0; i < INDEXES * GEN_CATEGORY_COUNT; i++) {
        b.made = false;
        for (uint32_t attempt = 0; !b.made && attempt < ATTEMPTS; attempt++) {
            b.q = (gen_request){.seed = 7,
                                .index = i,
                                .attempt = attempt,
                                .level = 1,
                                .category = (gen_category)(i % GEN_CATEGORY_COUNT),
                                .wish = &wish};
            assert_true(mem_try(&b.p.c.mem, compose_alone, &b));
        }
        if (!b.made)
            fail_msg("%s: no plan for index %u", gen_category_name(b.q.category), i);
    }
    close_bench(&b);
}

/* What stands without a purpose is found, and nothing else. */
static void test_idle_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *body, *what;
    } cases[] = {
        {"    y[i] = x[i] * a\n", NULL},
        {"    t = x[i] * a\n    y[i] = t\n", NULL},
        {"    t = x[i] * a\n    y[i] = x[i]\n", "nothing reads it"},
        {"    y[i] = x[i]\n", "nothing reads the parameter"},
        {"    t = x[i]\n    t = x[i] * a\n    y[i] = t\n", "it is overwritten before it is read"},
        {"    t = x[i]\n    t = t\n    y[i] = a * t\n", "it is assigned to itself"},
        {"    y[i] = x[i] * a\n    return\n    y[i] = 0.0\n", "it is never reached"},
        {"    if True:\n        y[i] = x[i] * a\n", "its test is a constant"},
        {"    for k in range(4):\n        y[i] = x[i] * a\n", "each turn does the same"},
        {"    s = float(0.0)\n    for k in range(4):\n        s += x[i] * a\n    y[i] = s\n",
         "each turn adds the same"},
        {"    s = float(0.0)\n    for k in range(4):\n        s += x[k] * a\n    y[i] = s\n", NULL},
        {"    s = x[i]\n    for k in range(4):\n        s = s * a\n    y[i] = s\n", NULL},
        {"    s = x[i]\n    while a > 0.0:\n        s += a\n    y[i] = s\n",
         "its test never changes"},
        {"    y[i] = x[i] * a\n    x[i] + a\n", "its value is not used"},
    };
    bench b;
    open_bench(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "import warp as wp\n\n\n@wp.kernel\ndef k(x: wp.array(dtype=float), "
                 "y: wp.array(dtype=float), a: float):\n    i = wp.tid()\n%s",
                 cases[i].body);
        pipeline_reset(&b.p);
        const program *prog = pipeline_load_text(&b.p, "idle.py", str_c(text));
        assert_non_null(prog);
        const char *what = compose_find_idle(program_tree(prog)).what;
        if ((what == NULL) != (cases[i].what == NULL) || (what && strcmp(what, cases[i].what) != 0))
            fail_msg("%s: %s", cases[i].body, what ? what : "nothing found");
    }
    close_bench(&b);
}

/* Asks an ending or a pattern for the word? */
static bool is_asked_for(const library *l, str word)
{
    bool asked = false;
    for (uint32_t i = 0; i < l->endings.n; i++)
        asked |= str_eq(l->endings.v[i]->means, word);
    for (uint32_t i = 0; i < l->patterns.n; i++)
        asked |= str_eq(l->patterns.v[i]->means, word);
    return asked;
}

static bool is_meant(const library *l, str word)
{
    bool meant = !word.n;
    for (uint32_t i = 0; i < l->quantities.n; i++)
        meant |= library_means(l->quantities.v[i], word);
    return meant;
}

/* What quantities mean, and what endings and patterns ask for, are the same words. */
static void test_meanings_are_known(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    for (uint32_t i = 0; i < b.l->quantities.n; i++) {
        const lib_quantity *q = b.l->quantities.v[i];
        const char *words = q->means ? q->means : "";
        for (str w; (w = str_take_word(&words)).n;)
            if (!is_asked_for(b.l, w))
                fail_msg("%s means \"%.*s\", for which nothing asks", q->id->s, (int)w.n, w.p);
    }
    for (uint32_t i = 0; i < b.l->endings.n; i++)
        assert_true(is_meant(b.l, b.l->endings.v[i]->means));
    for (uint32_t i = 0; i < b.l->patterns.n; i++)
        assert_true(is_meant(b.l, b.l->patterns.v[i]->means));
    close_bench(&b);
}

static void assert_message(const library_file *files, const char *message)
{
    library *l = library_of(files);
    assert_non_null(l);
    assert_string_equal(l->message, message);
    library_free(l);
}

/* A mistake in the library is told with its place. */
static void test_mistakes_are_located(void **state)
{
    (void)state;
    const str a = STR("field(\"springs\", element=\"spring springs\")\n"
                      "mass = quantity(float, \"kg\", \"mass\")\n"),
              b = STR("field(\"heat\", element=\"cell cells\")\n\n"
                      "mass = quantity(float, \"kg\", \"mass of the cell\")\n"),
              c = STR("same = quantity(float, \"kg\", \"mass\")\n"), d = STR("def f(:\n");
    assert_message((library_file[]){{"library/a.py", &a}, {"library/b.py", &b}, {NULL, NULL}},
                   "library/b.py:3: library/a.py has already a quantity \"mass\"");
    assert_message((library_file[]){{"library/c.py", &c}, {NULL, NULL}},
                   "library/c.py:1: every library has already a quantity \"same\"");
    assert_message((library_file[]){{"library/a.py", &a}, {NULL, NULL}}, "");
    library *l = library_of((library_file[]){{"library/d.py", &d}, {NULL, NULL}});
    assert_non_null(l);
    assert_non_null(strstr(l->message, "library/d.py:"));
    library_free(l);
}

/* For people who write formulas: prints the kernels of a file or of one computation. */
static int print_some(const char *which, uint32_t tries)
{
    bench b;
    uint32_t made = 0, good = 0;
    open_bench(&b);
    b.print = true;
    for (uint32_t i = 0; i < compose_count(b.l); i++) {
        str file;
        const str name = compose_name(b.l, i, &file);
        if (!str_contains(file, str_c(which)) && !str_eq(name, str_c(which)))
            continue;
        made += tries;
        good += try_computation(&b, i, tries);
    }
    printf("# %u of %u are proved\n", good, made);
    close_bench(&b);
    return good != made;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return print_some(argv[1], argc > 2 ? (uint32_t)atoi(argv[2]) : 2);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle_is_found), cmocka_unit_test(test_meanings_are_known),
        cmocka_unit_test(test_mistakes_are_located), cmocka_unit_test(test_small_wishes_find_plans),
        cmocka_unit_test(test_all_are_proved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
