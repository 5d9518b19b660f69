/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the generator is said to express, it writes when it is asked, and the pair can be
 * proved: each production, asked for in one category after another.
 *
 * test_cover [PRODUCTION...]: shows what becomes of those whose names begin so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "check/check.h"
#include "driver/pipeline.h"
#include "gen/gen.h"

#if defined(__SANITIZE_ADDRESS__)
enum { STEP = 32 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { STEP = 32 };
#else
enum { STEP = 1 };
#endif
#else
enum { STEP = 1 }; /* one production in so many is tried */
#endif

enum { ROUNDS = 9, MORE_TURNS = 80 * GEN_CATEGORY_COUNT, TURNS = ROUNDS * GEN_CATEGORY_COUNT };

typedef enum outcome { NOT_MADE, NOT_WRITTEN, NOT_COMPILED, NOT_PROVED, PROVED, OUTCOMES } outcome;

typedef struct bench {
    pipeline p;
    gen *g;
    checker *k;
    strbuf forward, backward;
    gen_request q;
    gen_sample sample;
    check_result result;
    outcome outcome;
} bench;

static void build(void *arg)
{
    bench *b = arg;
    b->g = gen_new(&b->p.c.mem);
    b->k = check_new(&b->p.c);
    sb_init(&b->forward, &b->p.c.mem);
    sb_init(&b->backward, &b->p.c.mem);
}

static void prove(bench *b, const compiled_kernel *k)
{
    const gen_sample *s = &b->sample;
    check_arg args[GEN_ARGS_MAX];
    for (uint32_t i = 0; i < s->nargs; i++)
        args[i] = (check_arg){.shape = s->args[i].shape, .mag = s->args[i].mag};
    b->forward.n = b->backward.n = 0;
    emit_record_forward(&b->forward, &k->text[EMIT_CUDA]);
    emit_record_backward(&b->backward, &k->text[EMIT_CUDA]);
    check_subject subject = {.kernel = k->kernel,
                             .launch = s->launch,
                             .args = args,
                             .seed = b->q.seed,
                             .index = b->q.index,
                             .adequate_only = true};
    subject.forward[EMIT_CUDA] = sb_view(&b->forward);
    subject.backward[EMIT_CUDA] = sb_view(&b->backward);
    check_pair(b->k, &subject, &b->result);
    b->outcome = !b->result.reason && check_is_adequate(&b->result) ? PROVED : NOT_PROVED;
}

static void try_one(void *arg)
{
    bench *b = arg;
    const uint32_t bit = b->q.target - 1;
    uint32_t n;
    b->outcome = NOT_MADE;
    if (!gen_make(b->g, &b->q, &b->sample))
        return;
    b->outcome = NOT_WRITTEN;
    if (!(b->sample.productions[bit >> 6] >> (bit & 63) & 1))
        return;
    b->outcome = NOT_COMPILED;
    pipeline_reset(&b->p);
    const program *prog = pipeline_load_text(&b->p, "t.py", b->sample.source);
    const kernel *const *all = prog ? program_kernels(prog, &n) : NULL;
    if (!all || n != 1)
        return;
    compiled_kernel k = pipeline_lower(&b->p, prog, all[0]);
    if (!k.ir)
        return;
    pipeline_emit(&b->p, &k);
    prove(b, &k);
}

/* Small kernels first, as most are; then larger ones. */
static void request(bench *b, uint32_t production, uint32_t turn)
{
    static const uint8_t more[ROUNDS] = {6, 6, 6, 6, 10, 10, 14, 20, 30};
    static const uint8_t levels[ROUNDS] = {1, 1, 1, 1, 2, 2, 2, 3, 4};
    const gen_category category = (gen_category)(turn % GEN_CATEGORY_COUNT);
    const uint32_t round = turn / GEN_CATEGORY_COUNT % ROUNDS;
    b->q = (gen_request){.seed = 5,
                         .index = production,
                         .attempt = turn,
                         .category = category,
                         .level = levels[round],
                         .target = production + 1};
    b->q.lines = (uint8_t)(gen_least_lines(category) + more[round]);
    if (b->q.lines > gen_level_at(b->q.level)->max_lines)
        b->q.level++;
    assert_true(mem_try(&b->p.c.mem, try_one, b));
}

/* What is rarely proved, and in one category only, gets more turns there. */
static bool is_expressible(bench *b, uint32_t production)
{
    uint32_t written = 0;
    for (uint32_t turn = 0; turn < MORE_TURNS; turn++) {
        const uint32_t category = 1u << turn % GEN_CATEGORY_COUNT;
        if (turn >= TURNS && !(written & category))
            continue;
        request(b, production, turn);
        if (b->outcome == PROVED)
            return true;
        written |= b->outcome == NOT_PROVED ? category : 0;
    }
    return false;
}

static void put_name(const gen_production *p)
{
    printf("%s/%s%s%.*s", p->group, p->name, p->type.n ? ":" : "", (int)p->type.n, p->type.p);
}

static uint32_t list(bench *b, gen_production **all)
{
    return gen_production_list(&b->p.c.perm, all);
}

static void test_each_is_expressible(void **state)
{
    bench *b = *state;
    gen_production *all;
    const uint32_t n = list(b, &all);
    uint32_t missed = 0;
    for (uint32_t i = 0; i < n; i += STEP)
        if (!is_expressible(b, i)) {
            put_name(&all[i]);
            printf(" is never proved\n");
            missed++;
        }
    assert_int_equal(missed, 0);
}

static int set_up(void **state)
{
    static bench b;
    *state = &b;
    const pipeline_options o = {.devices = 1u << EMIT_CUDA};
    return pipeline_init(&b.p, &o) && mem_try(&b.p.c.mem, build, &b) ? 0 : 1;
}

static int tear_down(void **state)
{
    pipeline_clear(&((bench *)*state)->p);
    return 0;
}

static void show(bench *b, uint32_t production, bool texts)
{
    static const char *const words[OUTCOMES] = {"size", "unwritten", "uncompiled", "unproved",
                                                "proved"};
    uint32_t count[OUTCOMES] = {0};
    const char *last = "";
    static const char marks[] = "-.cuP";
    char map[TURNS + 1] = {0};
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        request(b, production, turn);
        map[turn] = marks[b->outcome];
        count[b->outcome]++;
        if (b->outcome == NOT_PROVED)
            last = b->result.reason ? b->result.reason : "inadequate";
        if (texts && b->outcome > NOT_WRITTEN)
            printf("# %s %s %u/%u\n%.*s\n", words[b->outcome],
                   b->result.reason ? b->result.detail : "", b->result.killed, b->result.mutants,
                   (int)b->sample.source.n, b->sample.source.p);
    }
    printf(" %s", map);
    for (int i = 0; i < OUTCOMES; i++)
        printf(" %s %u", words[i], count[i]);
    printf(" (%s)\n", last);
}

static int show_all(int argc, char **argv)
{
    void *state;
    gen_production *all;
    if (set_up(&state))
        return 1;
    bench *b = state;
    const uint32_t n = list(b, &all);
    const bool texts = argc > 2 && strcmp(argv[1], "-v") == 0;
    for (uint32_t i = 0; i < n; i++)
        for (int k = 1 + texts; k < argc; k++) {
            char name[160];
            snprintf(name, sizeof name, "%s/%s:%.*s", all[i].group, all[i].name, (int)all[i].type.n,
                     all[i].type.p);
            if (strncmp(name, argv[k], strlen(argv[k])) != 0)
                continue;
            printf("%s", name);
            show(b, i, texts);
        }
    return tear_down(&state);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_is_expressible)};
    if (argc > 1)
        return show_all(argc, argv);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
