/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns that are refused, and characters at the edges. What known patterns match is compared
 * with Python by tests/kernels/regular_expressions.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sema/regex.h"

typedef struct row {
    str pattern, text;
    int64_t end; /* of the match at the start; -1: there is none; -2: the pattern is refused */
    unsigned flags;
} row;

static const row rows[] = {
    /* escapes of no meaning here, or of none at all */
    {STR("\\p"), STR("p"), -2, 0},
    {STR("\\u0041"), STR("A"), -2, 0},
    {STR("\\"), STR("\\"), -2, 0},
    {STR("a\\"), STR("a"), -2, 0},
    {STR("[\\"), STR("a"), -2, 0},
    {STR("[a-\\"), STR("a"), -2, 0},
    {STR("[\\q]"), STR("q"), -2, 0},
    {STR("[\\1]"), STR("1"), -2, 0},
    {STR("\\x4"), STR("4"), -2, 0},
    {STR("\\xe9"), STR("e"), -2, 0},
    {STR("[\\xff]"), STR("a"), -2, 0},
    {STR("\\1"), STR("1"), -2, 0},
    /* hexadecimal and octal ones */
    {STR("\\x41b"), STR("Ab"), 2, 0},
    {STR("[\\x41-\\x43]+"), STR("ABCD"), 3, 0},
    {STR("\\0a"), STR("\0a"), 2, 0},
    {STR("\\061"), STR("1"), 1, 0},
    {STR("[\\0a]+"), STR("a\0b"), 2, 0},
    /* NUL is a character as any other */
    {STR("a\0b"), STR("a\0b"), 3, 0},
    {STR("\0"), STR("\0"), 1, REGEX_VERBOSE},
    {STR("a\0+ #\0"), STR("a\0\0"), 3, REGEX_VERBOSE},
    {STR("(?\0)"), STR(""), -2, 0},
    {STR("(?i\0)"), STR(""), -2, 0},
    {STR("\\\0"), STR("\0"), 1, 0},
    /* repetitions of nothing, or of a repetition */
    {STR("a{2}{3}"), STR("aaaaaa"), -2, 0},
    {STR("{3}"), STR("{3}"), -2, 0},
    {STR("^{3}"), STR("a"), -2, 0},
    {STR("\\b+"), STR("a"), -2, 0},
    {STR("a {2}"), STR("aa"), -2, REGEX_VERBOSE},
    {STR("a{2}{"), STR("aa{"), 3, 0},
    {STR("{"), STR("{"), 1, 0},
    {STR("a{}"), STR("a{}"), 3, 0},
};

static void check(const row *r, arena *a)
{
    uint64_t steps = 0;
    const regex *code = regex_compile(a, r->pattern, r->flags, &steps);
    regex_match m;
    steps = 1000;
    if (r->end == -2) {
        assert_null(code);
        return;
    }
    assert_non_null(code);
    const regex_result found = regex_match_at(code, a, r->text, 0, false, false, &steps, &m);
    assert_int_equal(found, r->end < 0 ? REGEX_NO : REGEX_YES);
    if (found == REGEX_YES)
        assert_int_equal(m.span[1], r->end);
}

static void check_all(void *arg)
{
    arena a;
    arena_init(&a, arg);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        print_message("%.*s\n", (int)rows[i].pattern.n, rows[i].pattern.p);
        check(&rows[i], &a);
    }
}

static void edges(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    assert_true(mem_try(&m, check_all, &m));
    mem_clear(&m);
}

/* Neither pieces of code that are repeated nor a look at each step stay in memory. */
static void match_long(void *arg)
{
    arena a;
    char text[30000];
    regex_match m;
    uint64_t steps = 0;
    arena_init(&a, arg);
    memset(text, 'a', sizeof text);
    assert_null(regex_compile(&a, STR("(a{999}){999}"), 0, &steps));
    assert_in_range(steps, 1000, 100000);
    steps = 0;
    assert_non_null(regex_compile(&a, STR("((a{99}){9}){2}"), 0, &steps));
    assert_in_range(steps, 3000, 4000);
    const regex *code = regex_compile(&a, STR("(?:(?=(a))a)*"), 0, &steps);
    assert_non_null(code);
    steps = 400000;
    assert_int_equal(regex_search(code, &a, (str){text, sizeof text}, 0, false, &steps, &m),
                     REGEX_SPENT);
    assert_in_range(a.m->used, 1, 8 << 20);
}

static void memory(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    assert_true(mem_try(&m, match_long, &m));
    mem_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges), cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
