/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the numbers in a kernel's source, and draws inputs near them.
 *
 *     if x > 0.75: ...        a changed 0.75 shows only for x near it
 *
 * Inputs drawn from the whole range would almost never lie there. */
#include "base/assert.h"
#include "check/check_internal.h"

/* Each number once, in the order of the source: draws depend on it. */
static void add(checker *k, double x)
{
    for (uint32_t i = 0; i < k->literals.n; i++)
        if (k->literals.v[i] == x)
            return;
    VEC_PUSH(&k->a, &k->literals, x);
}

/* Integers and floats anywhere in the body; -0.5 is the literal 0.5, and both signs are drawn. */
static void collect(void *arg, const node *n)
{
    checker *k = arg;
    if (n->kind == AST_Constant) {
        const constant *c = &AST(Constant, n)->value;
        if (c->kind == CONST_INT)
            add(k, (double)c->i);
        else if (c->kind == CONST_FLOAT)
            add(k, c->f);
    }
    ast_each_child(n, collect, k);
}

void check_literals(checker *k)
{
    const node_list body = k->s->kernel->code.def->body;
    for (uint32_t i = 0; i < body.n; i++)
        collect(k, body.v[i]);
}

/* One of the literals, its negative, or a number a power of two above or below it, within [-most,
 * most]. Needs: check_literals found some. */
double check_draw_near_literal(checker *k, double most)
{
    WEFT_ASSERT(k->literals.n > 0);
    const double x = k->literals.v[rng_below(&k->draws, k->literals.n)];
    /* from 1 down to 2^-19, each power as often as the others */
    const double off = __builtin_ldexp(1, -(int)rng_below(&k->draws, 20));
    const uint32_t way = rng_below(&k->draws, 4);
    const double y = way == 0 ? x : way == 1 ? -x : way == 2 ? x + off : x - off;
    return y < -most ? -most : y > most ? most : y;
}
