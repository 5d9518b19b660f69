/* SPDX-License-Identifier: Apache-2.0 */
/* The generator: samples are functions of seed and index, differ from each other, and say of
 * themselves what is true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/gen.h"

enum { SAMPLES = 600 };

typedef struct fixture {
    mem m;
    gen *g;
    strbuf kept;
} fixture;

static void build(void *arg)
{
    fixture *f = arg;
    f->g = gen_new(&f->m);
    sb_init(&f->kept, &f->m);
}

static int set_up(void **state)
{
    static fixture f;
    mem_init(&f.m);
    *state = &f;
    return mem_try(&f.m, build, &f) ? 0 : 1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    mem_clear(&f->m);
    return 0;
}

static bool contains(str text, str what)
{
    for (size_t i = 0; i + what.n <= text.n; i++)
        if (memcmp(text.p + i, what.p, what.n) == 0)
            return true;
    return false;
}

static gen_sample make(fixture *f, uint64_t seed, uint64_t index)
{
    gen_sample s;
    const gen_shape any = gen_shape_any();
    gen_request q = {
        .seed = seed, .index = index, .category = (gen_category)(index % GEN_CATEGORY_COUNT)};
    gen_choose(&any, &q);
    while (!gen_make(f->g, &q, &s)) {
        q.attempt++;
        gen_choose(&any, &q);
    }
    return s;
}

static void test_same_seed_and_index_give_same_text(void **state)
{
    fixture *f = *state;
    for (uint64_t i = 0; i < 60; i++) {
        gen_sample s = make(f, 5, i);
        f->kept.n = 0;
        sb_str(&f->kept, s.source);
        make(f, 9, i + 1000); /* what came before does not matter */
        s = make(f, 5, i);
        assert_true(str_eq(s.source, sb_view(&f->kept)));
    }
}

static void test_neighbours_seeds_and_attempts_differ(void **state)
{
    fixture *f = *state;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        gen_sample s = make(f, 1, i), t;
        f->kept.n = 0;
        sb_str(&f->kept, s.source);
        t = make(f, 1, i + GEN_CATEGORY_COUNT);
        assert_false(str_eq(t.source, sb_view(&f->kept)));
        t = make(f, 2, i);
        assert_false(str_eq(t.source, sb_view(&f->kept)));
        gen_request q = {.seed = 1,
                         .index = i,
                         .attempt = 9,
                         .category = s.category,
                         .level = (uint8_t)s.level,
                         .lines = (uint8_t)s.kernel_lines};
        assert_true(!gen_make(f->g, &q, &t) || !str_eq(t.source, sb_view(&f->kept)));
    }
}

static void test_samples_describe_themselves(void **state)
{
    fixture *f = *state;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        gen_sample s = make(f, 3, i);
        uint32_t lines = 0;
        for (size_t k = 0; k < s.source.n; k++)
            lines += s.source.p[k] == '\n';
        assert_int_equal(lines, s.lines);
        assert_true(s.source.p[s.source.n - 1] == '\n');
        assert_true(contains(s.source, s.kernel));
        assert_true(s.nargs > 0);
        for (uint32_t k = 0; k < s.nargs; k++)
            assert_true(contains(s.source, s.args[k].name) && s.args[k].type.n > 0);
        for (uint32_t k = 0; k < s.nbuiltins; k++) {
            f->kept.n = 0;
            sb_c(&f->kept, gen_builtin_name(s.builtins[k]));
            SB_LIT(&f->kept, "(");
            assert_true(contains(s.source, sb_view(&f->kept)));
        }
    }
}

static void test_loops_and_branches_are_where_they_belong(void **state)
{
    fixture *f = *state;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        gen_sample s = make(f, 4, i);
        if (s.category == GEN_LOOP)
            assert_true(s.loop_depth >= 1);
        if (s.category == GEN_NESTED_LOOP)
            assert_true(s.loop_depth >= 2);
        if (s.category == GEN_CONDITIONAL || s.category == GEN_MULTI_CONDITIONAL)
            assert_true(s.branches >= 1);
        if (s.category == GEN_ATOMIC)
            assert_true(contains(s.source, STR("wp.atomic_")) || contains(s.source, STR("] += ")) ||
                        contains(s.source, STR("] -= ")));
        if (s.category == GEN_RANDOM_MATH)
            assert_true(contains(s.source, STR("wp.rand_init(")));
    }
}

/* Every level in every category, and every size at its ends. */
static void test_sizes_are_kept(void **state)
{
    fixture *f = *state;
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++) {
        for (uint32_t level = 1; level <= GEN_LEVELS; level++) {
            const gen_level *v = gen_level_at(level);
            const uint8_t ends[] = {v->min_lines, v->max_lines};
            for (int i = 0; i < 2; i++) {
                const uint32_t least = gen_least_lines((gen_category)c);
                gen_request q = {.seed = 6,
                                 .category = (gen_category)c,
                                 .level = (uint8_t)level,
                                 .lines = ends[i] < least ? (uint8_t)least : ends[i]};
                gen_sample s;
                while (!gen_make(f->g, &q, &s))
                    assert_true(++q.attempt < 30);
                const char *kernel = s.source.p;
                while (memcmp(kernel, "@wp.kernel", 10) != 0)
                    kernel++;
                uint32_t lines = 0;
                for (; kernel < s.source.p + s.source.n; kernel++)
                    lines += *kernel == '\n';
                assert_int_equal(lines, q.lines);
                assert_int_equal(s.level, level);
            }
        }
    }
}

static void test_categories_have_names_and_other_names(void **state)
{
    (void)state;
    gen_category c;
    for (int i = 0; i < GEN_CATEGORY_COUNT; i++) {
        assert_true(gen_category_find(str_c(gen_category_name((gen_category)i)), &c));
        assert_int_equal(c, i);
    }
    assert_true(gen_category_find(STR("control_flow"), &c) && c == GEN_CONDITIONAL);
    assert_true(gen_category_find(STR("nested"), &c) && c == GEN_NESTED_LOOP);
    assert_true(gen_category_find(STR("multi_cond"), &c) && c == GEN_MULTI_CONDITIONAL);
    assert_false(gen_category_find(STR("loops"), &c));
    assert_false(gen_category_find(STR(""), &c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_seed_and_index_give_same_text),
        cmocka_unit_test(test_neighbours_seeds_and_attempts_differ),
        cmocka_unit_test(test_samples_describe_themselves),
        cmocka_unit_test(test_loops_and_branches_are_where_they_belong),
        cmocka_unit_test(test_sizes_are_kept),
        cmocka_unit_test(test_categories_have_names_and_other_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
