/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions as text: brackets where they are needed and nowhere else, and the same tree again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "syntax/parser.h"
#include "syntax/unparse.h"

typedef struct job {
    ctx c;
    const char *text, *want;
    bool can;
} job;

static void run(void *arg)
{
    job *j = arg;
    ctx_init(&j->c);
    source src = {.path = "e.py", .text = str_c(j->text)};
    const ast_Module *m = parse_module(&j->c, &src);
    assert_non_null(m);
    const node *n = AST(Expr, m->body.v[0])->value;
    assert_int_equal(unparse_can(n), j->can);
    if (!j->can)
        return;
    strbuf b;
    sb_init(&b, &j->c.mem);
    unparser u = {.out = &b};
    unparse(&u, n, UNPARSE_TUPLE);
    assert_string_equal(sb_cstr(&b), j->want);
}

static void expect(const char *text, const char *want)
{
    job j = {.text = text, .want = want, .can = want != NULL};
    mem_init(&j.c.mem);
    assert_true(mem_try(&j.c.mem, run, &j));
    ctx_clear(&j.c);
}

static void test_brackets(void **state)
{
    (void)state;
    expect("(a * (b)) + f(x , y)[ 0]", "a * b + f(x, y)[0]");
    expect("a - (b - c) - d", "a - (b - c) - d");
    expect("(a ** b) ** c ** d", "(a ** b) ** c ** d");
    expect("-(a + b) * -c ** 2", "-(a + b) * -c ** 2");
    expect("(-a) ** 2", "(-a) ** 2");
    expect("2 ** -x", "2 ** -x");
    expect("not (a and b) or c", "not (a and b) or c");
    expect("(a or b) and c", "(a or b) and c");
    expect("a < b < c", "a < b < c");
    expect("(a < b) == c", "(a < b) == c");
    expect("a | b ^ c & d << 1", "a | b ^ c & d << 1");
    expect("((a | b) ^ c) & (d << 1)", "((a | b) ^ c) & d << 1");
    expect("(x if c else y) + 1", "(x if c else y) + 1");
    expect("x if (y if a else b) else z", "x if (y if a else b) else z");
    expect("a[i, j], b[1:n:2], c[:], d[()]", "a[i, j], b[1:n:2], c[:], d[()]");
    expect("(a, b)[0], a[b,]", "(a, b)[0], a[(b,)]");
    expect("(a,)", "a,");
    expect("f(a, k=1.50, m=(b, c))", "f(a, k=1.5, m=(b, c))");
    expect("(1).bit_count()", "(1).bit_count()");
    expect("[a, 'x', None, True]", "[a, 'x', None, True]");
    expect("a is not b, a not in c", "a is not b, a not in c");
    expect("~a + +b", "~a + +b");
}

static void test_not_printed(void **state)
{
    (void)state;
    expect("lambda: 1", NULL);
    expect("[x for x in y]", NULL);
    expect("f(*a)", NULL);
    expect("f(**a)", NULL);
    expect("b'x' + c", NULL);
    expect("1j", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brackets),
                                       cmocka_unit_test(test_not_printed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
