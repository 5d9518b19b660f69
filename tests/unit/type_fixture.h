/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of types and builtins share: a context with both, and types by name. */
#ifndef WEFT_TESTS_TYPE_FIXTURE_H
#define WEFT_TESTS_TYPE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "builtin/builtin.h"

static void start_context(void *p)
{
    ctx *c = p;
    ctx_init(c);
    types_init(c);
    builtins_init(c);
}

static void new_context(ctx *c)
{
    mem_init(&c->mem);
    assert_true(mem_try(&c->mem, start_context, c));
}

/* For a fixture that begins with its ctx. */
static int end_context(void **state)
{
    ctx_clear(*state);
    return 0;
}

static const type *type_named(ctx *c, const char *name)
{
    return type_by_name(c, sym_c(&c->syms, name));
}

static inline void assert_text(str s, const char *want)
{
    assert_int_equal(s.n, strlen(want));
    for (size_t i = 0; i < s.n; i++)
        assert_int_equal(s.p[i], want[i]);
}

#endif
