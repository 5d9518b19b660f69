/* SPDX-License-Identifier: Apache-2.0 */
/* Comprehensions over known containers. An example:
 *
 *     SQUARES = [k * k for k in range(4) if k % 2]      [1, 9]
 *     BY_NAME = {n: i for i, n in enumerate("ab")}      {"a": 0, "b": 1}
 *
 * They run in a scope of their own, so the loop variables do not leak. Generator expressions and
 * sets become lists. The result is unknown as soon as a condition or a container is, since its
 * length is unknown then; an unknown element stays in its place. */
#include "sema/sema.h"

/* A comprehension that runs. `out` holds the elements; of a dict comprehension, keys and values
 * alternate. */
typedef struct collector {
    const node *comp;
    const node_list *generators;
    VEC(value) out;
    const char *why; /* set once the result is not known */
} collector;

/* Evaluates the element in the innermost scope once all conditions hold. A dict comprehension adds
 * key and value. */
static void collect(evaluator *e, collector *k)
{
    WEFT_ASSERT(k->why == NULL);
    arena *a = &e->c->module;
    if (k->out.n >= SEMA_LOOP)
        k->why = "the container is too long";
    else if (k->comp->kind == AST_DictComp) {
        value key = eval_node(e, AST(DictComp, k->comp)->key);
        value v = eval_node(e, AST(DictComp, k->comp)->value);
        VEC_PUSH(a, &k->out, key);
        VEC_PUSH(a, &k->out, v);
    } else {
        /* ListComp, SetComp and GeneratorExp have the same fields. */
        VEC_PUSH(a, &k->out, eval_node(e, AST(ListComp, k->comp)->elt));
    }
}

/* The `if` clauses of one `for`. An unknown one makes the whole comprehension unknown. */
static bool passes(evaluator *e, collector *k, const ast_comprehension *g)
{
    for (uint32_t i = 0; i < g->ifs.n; i++) {
        value test = eval_node(e, g->ifs.v[i]);
        int truth = value_truth(&test);
        if (truth < 0)
            k->why = "the condition is not known";
        if (truth != 1)
            return false;
    }
    return true;
}

/* The `for` of this level; inner levels run once for each of its items. It stops when the result is
 * unknown or the program's fuel is used up. */
static void run_generator(evaluator *e, collector *k, uint32_t level)
{
    WEFT_ASSERT(level < k->generators->n);
    const ast_comprehension *g = AST(comprehension, k->generators->v[level]);
    value in = eval_node(e, g->iter);
    const value *items;
    uint32_t n;
    if (g->is_async || !value_iterate(e->c, &in, &items, &n)) {
        k->why = in.kind == VALUE_UNKNOWN ? in.why : "what is iterated over is not known";
        return;
    }
    for (uint32_t i = 0; i < n && !k->why && e->p->fuel && !e->p->raising; i++) {
        assign_to(e, g->target, items[i]);
        if (!passes(e, k, g))
            continue;
        if (level + 1 < k->generators->n)
            run_generator(e, k, level + 1);
        else
            collect(e, k);
    }
}

/* All four kinds have the same list of generators. More than ten nested `for` clauses are refused,
 * since run_generator recurses. */
value eval_comprehension(evaluator *e, const node *n)
{
    collector k = {.comp = n};
    switch (n->kind) {
    case AST_DictComp: k.generators = &AST(DictComp, n)->generators; break;
    case AST_SetComp: k.generators = &AST(SetComp, n)->generators; break;
    case AST_GeneratorExp: k.generators = &AST(GeneratorExp, n)->generators; break;
    default: k.generators = &AST(ListComp, n)->generators; break;
    }
    evaluator inner = *e;
    inner.env = ns_new(e->c, NS_FUNCTION, e->env, e->env->qual);
    if (k.generators->n > 10)
        return unknown("the comprehension is nested too deeply");
    run_generator(&inner, &k, 0);
    if (k.why || !e->p->fuel)
        return unknown(k.why ? k.why : "evaluating the module takes too many steps");
    if (n->kind == AST_DictComp)
        return items_unique(e->c, VALUE_DICT, k.out.v, k.out.n / 2);
    if (n->kind == AST_SetComp)
        return set_of(e->c, k.out.v, k.out.n);
    return n->kind == AST_GeneratorExp ? value_iterator(e->c, k.out.v, k.out.n)
                                       : value_list(e->c, k.out.v, k.out.n);
}
