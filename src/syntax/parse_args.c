/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of calls and classes, parameters of functions and lambdas. Example: `f(a, *b, k=1,
 * **d)` gives args [Name a, Starred(b)] and keywords [keyword(k, 1), keyword(None, d)]. Orders
 * that Python refuses, such as `f(k=1, a)`, fail here. */
#include "base/assert.h"
#include "syntax/parse.h"

/* ---- calls ---- */

/* What may still follow in a call: anything, then no plain positional arguments after `k=1`, then
 * no `*b` either after `**d`. */
typedef enum arg_stage { ARGS_ANY, ARGS_KEYWORDS, ARGS_DOUBLE_STAR } arg_stage;

typedef struct call_lists {
    VEC(node *) args, keywords;
} call_lists;

/* A positional argument, or the keyword argument that it turns out to be at "=". The name before
 * "=" must stand alone: `(k)=1` is refused. */
static node *plain_argument(parser *p, arg_stage *stage)
{
    pos s = parse_here(p);
    bool name = parse_at(p, T_NAME);
    node *n = parse_named_expression(p);
    if (!parse_at(p, T_EQUAL)) {
        /* `f(k=1, a)`: diagnose.c reports the order of arguments. */
        if (*stage != ARGS_ANY)
            parse_fail(p);
        return n;
    }
    if (!name || !parse_is_bare_name(n, s))
        parse_fail(p);
    parse_advance(p);
    node *value = parse_expression(p);
    if (*stage == ARGS_ANY)
        *stage = ARGS_KEYWORDS;
    return NEW(p, keyword, s, .arg = AST(Name, n)->id, .value = value);
}

/* One argument. After "**d" only keywords may follow, after "k=1" also `*b`. */
static node *argument(parser *p, arg_stage *stage)
{
    pos s = parse_here(p);
    if (parse_accept(p, T_DOUBLESTAR)) {
        *stage = ARGS_DOUBLE_STAR;
        node *value = parse_expression(p);
        return NEW(p, keyword, s, .arg = NULL, .value = value);
    }
    if (parse_at(p, T_STAR)) {
        if (*stage == ARGS_DOUBLE_STAR)
            parse_fail(p);
        parse_advance(p);
        node *value = parse_expression(p);
        return NEW(p, Starred, s, .value = value, .ctx = CTX_Load);
    }
    return plain_argument(p, stage);
}

/* Splits the arguments pushed since mark into positional ones and keywords, each in their order.
 * `f(k=1, *b)` is why their place does not distinguish them. */
static void split(parser *p, uint32_t mark, node_list *args, node_list *keywords)
{
    uint32_t n = p->nodes.n - mark, nkeywords = 0;
    for (uint32_t i = 0; i < n; i++)
        nkeywords += p->nodes.v[mark + i]->kind == AST_keyword;
    *args = (node_list){ARENA_ARRAY(&p->c->module, node *, n - nkeywords), 0};
    *keywords = (node_list){ARENA_ARRAY(&p->c->module, node *, nkeywords), 0};
    for (uint32_t i = 0; i < n; i++) {
        node *arg = p->nodes.v[mark + i];
        node_list *to = arg->kind == AST_keyword ? keywords : args;
        to->v[to->n++] = arg;
    }
    p->nodes.n = mark;
}

/* "f(x for x in y)": the generator's place includes the brackets of the call, at open. */
static node *sole_generator(parser *p, node *elt, pos open)
{
    if (elt->kind == AST_Starred || elt->kind == AST_keyword)
        parse_fail(p);
    node_list generators = parse_for_if_clauses(p);
    parse_expect(p, T_RPAR);
    return NEW(p, GeneratorExp, open, .elt = elt, .generators = generators);
}

/* A generator is recognised only as the first argument; `f(a, x for x in y)` fails at the `for`. */
void parse_call_args(parser *p, node_list *args, node_list *keywords)
{
    parse_enter(p, 24);
    pos open = parse_here(p);
    uint32_t mark = p->nodes.n;
    arg_stage stage = ARGS_ANY;
    parse_expect(p, T_LPAR);
    while (!parse_at(p, T_RPAR)) {
        node *arg = argument(p, &stage);
        /* The first argument, and no comma so far. */
        if (parse_at_comprehension(p) && p->nodes.n == mark) {
            *args = parse_list1(p, sole_generator(p, arg, open));
            *keywords = (node_list){0};
            parse_leave(p, 24);
            return;
        }
        parse_push(p, arg);
        if (!parse_accept(p, T_COMMA))
            break;
    }
    parse_expect(p, T_RPAR);
    split(p, mark, args, keywords);
    parse_leave(p, 24);
}

/* ---- parameters ---- */

/* The parts of an `arguments` node under construction. kw_defaults is as long as kwonly, with NULL
 * where there is no default. */
typedef struct params {
    bool is_lambda;
    token_kind close;
    uint32_t slash; /* number of parameters before "/" */
    uint32_t nargs; /* positional ones, on the node stack from mark on */
    VEC(node *) defaults, kwonly, kw_defaults;
    node *vararg, *kwarg;
} params;

/* `name` or `name: annotation`. Only "*args" may have a starred annotation. */
static node *param(parser *p, const params *q, bool star)
{
    pos s = parse_here(p);
    const sym *name = parse_name(p);
    node *annotation = NULL;
    if (!q->is_lambda && parse_accept(p, T_COLON)) {
        pos at = parse_here(p);
        if (star && parse_accept(p, T_STAR)) {
            node *value = parse_bitwise_or(p);
            annotation = NEW(p, Starred, at, .value = value, .ctx = CTX_Load);
        } else {
            annotation = parse_expression(p);
        }
    }
    return NEW(p, arg, s, .arg = name, .annotation = annotation, .type_comment = NULL);
}

/* After a parameter: a comma, or the end. */
static void end_param(parser *p, const params *q)
{
    if (!parse_at(p, q->close))
        parse_expect(p, T_COMMA);
}

/* Once a parameter has a default, all later positional ones need one. */
static void positional(parser *p, params *q)
{
    parse_push(p, param(p, q, false));
    q->nargs++;
    if (parse_accept(p, T_EQUAL))
        VEC_PUSH(&p->c->module, &q->defaults, parse_expression(p));
    /* `def f(a=1, b)` is refused. */
    else if (q->defaults.n)
        parse_fail(p);
    end_param(p, q);
}

/* Parameters after "*" or "*args", with or without a default in any order. */
static void keyword_only(parser *p, params *q)
{
    while (parse_at(p, T_NAME)) {
        VEC_PUSH(&p->c->module, &q->kwonly, param(p, q, false));
        node *value = parse_accept(p, T_EQUAL) ? parse_expression(p) : NULL;
        VEC_PUSH(&p->c->module, &q->kw_defaults, value);
        end_param(p, q);
    }
}

/* "*args" or a bare "*", which must be followed by a keyword-only parameter. */
static void star_part(parser *p, params *q)
{
    WEFT_ASSERT(parse_at(p, T_STAR));
    parse_advance(p);
    if (parse_at(p, T_NAME)) {
        q->vararg = param(p, q, true);
        end_param(p, q);
    } else {
        parse_expect(p, T_COMMA);
        /* `def f(*, **k)` is refused: a bare star must mean something. */
        if (!parse_at(p, T_NAME))
            parse_fail(p);
    }
    keyword_only(p, q);
}

/* "**kwargs" is the last parameter; a comma may follow it. */
static void double_star_part(parser *p, params *q)
{
    parse_advance(p);
    q->kwarg = param(p, q, false);
    end_param(p, q);
}

/* "/": what came before is positional-only. It may stand once, not first. */
static void slash_part(parser *p, params *q)
{
    WEFT_ASSERT(parse_at(p, T_SLASH));
    if (q->slash || !q->nargs)
        parse_fail(p);
    q->slash = q->nargs;
    parse_advance(p);
    end_param(p, q);
}

/* Positional parameters are one array on the node stack; the first `slash` of them are
 * posonlyargs. The node itself has no place in CPython. */
static node *arguments_node(parser *p, params *q, uint32_t mark)
{
    node_list all = parse_list(p, mark);
    WEFT_ASSERT(all.n == q->nargs && q->slash <= all.n);
    node_list posonly = {all.v, q->slash}, args = {0};
    if (all.n > q->slash)
        args = (node_list){all.v + q->slash, all.n - q->slash};
    WEFT_ASSERT(q->kwonly.n == q->kw_defaults.n && q->defaults.n <= all.n);
    return NEW(p, arguments, ((pos){0, 0}), .posonlyargs = posonly, .args = args,
               .vararg = q->vararg, .kwonlyargs = {q->kwonly.v, q->kwonly.n},
               .kw_defaults = {q->kw_defaults.v, q->kw_defaults.n}, .kwarg = q->kwarg,
               .defaults = {q->defaults.v, q->defaults.n});
}

/* Reads the parts in their only order: positional with at most one "/", "*", keyword-only, "**". */
node *parse_parameters(parser *p, bool is_lambda)
{
    params q = {.is_lambda = is_lambda, .close = is_lambda ? T_COLON : T_RPAR};
    uint32_t mark = p->nodes.n;
    /* "/" may stand between positional parameters. */
    while (parse_at(p, T_NAME) || parse_at(p, T_SLASH)) {
        if (parse_at(p, T_SLASH))
            slash_part(p, &q);
        else
            positional(p, &q);
    }
    if (parse_at(p, T_STAR))
        star_part(p, &q);
    if (parse_at(p, T_DOUBLESTAR))
        double_star_part(p, &q);
    if (!parse_at(p, q.close))
        parse_fail(p);
    return arguments_node(p, &q, mark);
}
