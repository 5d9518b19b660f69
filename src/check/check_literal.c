/* Numbers that stand in a kernel: what is compared with them, or clamped to them, shows a change
 * of them only near by. */
#include "check/check_internal.h"

static void add(checker *k, double x)
{
    for (uint32_t i = 0; i < k->literals.n; i++)
        if (k->literals.v[i] == x)
            return;
    VEC_PUSH(&k->a, &k->literals, x);
}

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

double check_draw_near_literal(checker *k, double most)
{
    const double x = k->literals.v[rng_below(&k->draws, k->literals.n)];
    const double off = __builtin_ldexp(1, -(int)rng_below(&k->draws, 20));
    const uint32_t way = rng_below(&k->draws, 4);
    const double y = way == 0 ? x : way == 1 ? -x : way == 2 ? x + off : x - off;
    return y < -most ? -most : y > most ? most : y;
}
