/* SPDX-License-Identifier: Apache-2.0 */
/* Which records a report shows: shares of categories and difficulties, and in each the ids with the
 * lowest hashes, in whatever order the records come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <xxhash.h>

#include "report/report_sample.h"

enum { RECORDS = 4000, GROUPS = 6 };

/* Three categories with two difficulties each; sizes are 2^k, so that some run out early. */
typedef struct set {
    mem m;
    arena a;
    samples s;
    uint32_t order[RECORDS];
    uint32_t group_of[RECORDS];
} set;

static void make(void *arg)
{
    set *t = arg;
    for (uint32_t i = 0; i < RECORDS; i++) {
        char line[128];
        const uint32_t id = t->order[i], g = t->group_of[id];
        const int n = snprintf(line, sizeof line,
                               "{\"id\": \"7-%09u\", \"metadata\": {\"category\": \"c%u\", "
                               "\"difficulty\": %u}}",
                               id, g / 2, 1 + g % 2);
        arena tree;
        strbuf why;
        arena_init(&tree, &t->m);
        sb_init(&why, &t->m);
        samples_take(&t->s, (str){line, (size_t)n}, json_read(&tree, (str){line, (size_t)n}, &why));
        arena_reset(&tree);
        sb_clear(&why);
    }
}

/* How many ids of the same group hash lower. */
static uint32_t rank(const set *t, uint64_t key, uint32_t group)
{
    uint32_t n = 0;
    for (uint32_t id = 0; id < RECORDS; id++) {
        char text[16];
        const int length = snprintf(text, sizeof text, "7-%09u", id);
        n += t->group_of[id] == group && XXH3_64bits(text, (size_t)length) < key;
    }
    return n;
}

static void choose(uint32_t wanted, bool backwards, uint32_t shares[GROUPS])
{
    static set t;
    t = (set){.s.wanted = wanted};
    mem_init(&t.m);
    arena_init(&t.a, &t.m);
    t.s.a = &t.a;
    for (uint32_t i = 0; i < RECORDS; i++) {
        t.order[i] = backwards ? RECORDS - 1 - i : i;
        t.group_of[i] = i < 4 ? i : i < 20 ? 2 + i % 3 : i < 60 ? 3 + i % 2 : 4 + i % 2;
    }
    assert_true(mem_try(&t.m, make, &t));
    assert_int_equal(samples_choose(&t.s), wanted);
    assert_true(t.s.kept <= 2 * wanted + 2 * SAMPLE_GROUPS);
    assert_int_equal(t.s.groups.n, GROUPS);
    for (uint32_t g = 0; g < GROUPS; g++) {
        const sample_group *of = &t.s.groups.v[g];
        shares[g] = of->shown;
        for (uint32_t k = 0; k < of->shown; k++)
            assert_int_equal(rank(&t, of->lines.v[k].key, g), k);
    }
    mem_clear(&t.m);
}

/* The groups have 1, 1, 6, 27, 1995 and 1970 records. */
static void shares_evenly(void **state)
{
    static const struct {
        uint32_t wanted, shares[GROUPS];
    } cases[] = {{1, {1, 0, 0, 0, 0, 0}},
                 {3, {1, 0, 0, 1, 1, 0}},
                 {6, {1, 1, 1, 1, 1, 1}},
                 {20, {1, 1, 4, 5, 5, 4}},
                 {100, {1, 1, 6, 27, 33, 32}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int backwards = 0; backwards < 2; backwards++) {
            uint32_t shares[GROUPS];
            choose(cases[i].wanted, backwards != 0, shares);
            for (uint32_t g = 0; g < GROUPS; g++)
                assert_int_equal(shares[g], cases[i].shares[g]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_evenly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
