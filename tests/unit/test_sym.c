/* SPDX-License-Identifier: Apache-2.0 */
/* The interner: one pointer per text, dense ids, and forgetting what came after a mark. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/sym.h"

static void interns_once(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    interner t;
    sym_init(&t, &m);
    const sym *a = sym_c(&t, "alpha");
    const sym *b = sym_intern(&t, "alphabet", 5);
    assert_ptr_equal(a, b);
    assert_null(sym_find(&t, "beta", 4));
    assert_ptr_not_equal(sym_c(&t, "beta"), a);
    assert_string_equal(a->s, "alpha");
    assert_true(str_eq(sym_str(a), STR("alpha")));
    assert_ptr_equal(sym_intern(&t, "", 0), sym_c(&t, ""));
    mem_clear(&m);
}

static const sym *numbered(interner *t, unsigned i)
{
    char name[32];
    snprintf(name, sizeof name, "name%u", i);
    return sym_c(t, name);
}

static void has_dense_ids(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    interner t;
    sym_init(&t, &m);
    uint32_t first = numbered(&t, 0)->id;
    for (unsigned i = 1; i < 20000; i++)
        assert_int_equal(numbered(&t, i)->id, first + i);
    for (unsigned i = 0; i < 20000; i++)
        assert_int_equal(numbered(&t, i)->id, first + i);
    mem_clear(&m);
}

static void forgets_after_a_mark(void **state)
{
    (void)state;
    mem m;
    mem_init(&m);
    interner t;
    sym_init(&t, &m);
    const sym *kept = sym_c(&t, "kept");
    sym_mark mark = sym_save(&t);
    for (unsigned i = 0; i < 5000; i++)
        numbered(&t, i);
    sym_restore(&t, mark);
    assert_ptr_equal(sym_find(&t, "kept", 4), kept);
    assert_null(sym_find(&t, "name7", 5));
    assert_int_equal(numbered(&t, 7)->id, kept->id + 1);
    mem_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interns_once),
        cmocka_unit_test(has_dense_ids),
        cmocka_unit_test(forgets_after_a_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
