/* SPDX-License-Identifier: Apache-2.0 */
/* The match statement of modules and factories. Example:
 *
 *     match mode:                  # Mode.FAST
 *         case Mode.SLOW: f = g    # no
 *         case Mode.FAST: f = h    # this block runs, and no other
 *         case _: raise ValueError
 *
 * As long as a pattern's answer is known, one case runs. From the first that is not known on every
 * case may run, until one that matches for certain. */
#include "sema/sema.h"

typedef enum answer { NO, YES, MAYBE } answer;

/* One case against its subject. CPython binds names once the whole pattern has matched, so a
 * pattern is matched first and bound then. */
typedef struct matching {
    evaluator *e;
    bool binds;
} matching;

static answer match(const matching *m, const node *pattern, const value *x);

static answer of_truth(const value *v)
{
    const int truth = value_truth(v);
    return truth < 0 ? MAYBE : truth ? YES : NO;
}

static void bind(const matching *m, const sym *name, value v)
{
    if (m->binds && name)
        bind_name(m->e, name, v);
}

/* `case 3`, `case Mode.FAST`: by ==. */
static answer match_value(const matching *m, const ast_MatchValue *n, const value *x)
{
    const value want = eval_node(m->e, n->value), same = op_compare(m->e->c, OP_Eq, x, &want);
    return of_truth(&same);
}

/* `case None`, `case True`: by `is`. A number is not the object True. */
static answer match_singleton(const ast_MatchSingleton *n, const value *x)
{
    if (x->kind == VALUE_UNKNOWN)
        return MAYBE;
    if (n->value.kind == CONST_NONE)
        return x->kind == VALUE_NONE ? YES : NO;
    return x->kind == VALUE_BOOL && x->i == (n->value.kind == CONST_TRUE) ? YES : NO;
}

/* The first of the patterns that matches binds its names. */
static answer match_or(const matching *m, const ast_MatchOr *n, const value *x)
{
    answer all = NO;
    for (uint32_t i = 0; i < n->patterns.n && all != YES; i++) {
        const matching look = {m->e, false};
        const answer one = match(&look, n->patterns.v[i], x);
        if (one != NO && m->binds)
            match(m, n->patterns.v[i], x);
        all = one == NO ? all : one;
    }
    return all;
}

/* The names of patterns whose subjects are not known. */
static answer forget(const matching *m, const node_list *patterns)
{
    const value x = unknown("weft does not evaluate this pattern");
    for (uint32_t i = 0; i < patterns->n; i++)
        match(m, patterns->v[i], &x);
    return MAYBE;
}

/* `case [a, *rest, b]`: tuples and lists, each item by its pattern. */
static answer match_sequence(const matching *m, const ast_MatchSequence *n, const value *x)
{
    uint32_t star = UINT32_MAX;
    for (uint32_t i = 0; i < n->patterns.n; i++)
        if (n->patterns.v[i]->kind == AST_MatchStar)
            star = i;
    if (x->kind == VALUE_UNKNOWN || x->kind == VALUE_RANGE || x->kind == VALUE_OBJECT ||
        value_cells_why(x))
        return forget(m, &n->patterns);
    if (x->kind != VALUE_TUPLE && x->kind != VALUE_LIST)
        return NO;
    const uint32_t count = value_count(x);
    const value *const items = value_array(x);
    if (star == UINT32_MAX ? count != n->patterns.n : count + 1 < n->patterns.n)
        return NO;
    const uint32_t extra = star == UINT32_MAX ? 0 : count + 1 - n->patterns.n;
    answer all = YES;
    for (uint32_t i = 0, at = 0; i < n->patterns.n && all != NO; i++) {
        const bool is_star = i == star;
        const value rest = items_copy(m->e->c, VALUE_LIST, extra ? items + at : NULL, extra);
        const answer one = match(m, n->patterns.v[i], is_star ? &rest : &items[at]);
        at += is_star ? extra : 1;
        all = one == YES ? all : one;
    }
    return all;
}

/* `case pattern as name`, `case name`, `case _`. */
static answer match_as(const matching *m, const ast_MatchAs *n, const value *x)
{
    const answer found = n->pattern ? match(m, n->pattern, x) : YES;
    bind(m, n->name, *x);
    return found;
}

/* Patterns of classes and mappings are not evaluated. The parser bounds the nesting. */
static answer match(const matching *m, const node *pattern, const value *x)
{
    WEFT_ASSERT(pattern != NULL && x != NULL);
    switch (pattern->kind) {
    case AST_MatchValue: return match_value(m, AST(MatchValue, pattern), x);
    case AST_MatchSingleton: return match_singleton(AST(MatchSingleton, pattern), x);
    case AST_MatchOr: return match_or(m, AST(MatchOr, pattern), x);
    case AST_MatchSequence: return match_sequence(m, AST(MatchSequence, pattern), x);
    case AST_MatchAs: return match_as(m, AST(MatchAs, pattern), x);
    case AST_MatchStar: bind(m, AST(MatchStar, pattern)->name, *x); return YES;
    case AST_MatchMapping:
        bind(m, AST(MatchMapping, pattern)->rest, unknown("weft does not evaluate this pattern"));
        return forget(m, &AST(MatchMapping, pattern)->patterns);
    case AST_MatchClass:
        forget(m, &AST(MatchClass, pattern)->patterns);
        return forget(m, &AST(MatchClass, pattern)->kwd_patterns);
    default: return MAYBE;
    }
}

/* Does the case match, guard included? Binds its names, in "maybe" mode where that is in doubt. */
static answer match_case(evaluator *e, const ast_match_case *n, const value *x, bool doubt)
{
    matching m = {e, false};
    answer found = match(&m, n->pattern, x);
    if (found == NO)
        return NO;
    const bool maybe = doubt || found == MAYBE;
    m.binds = true;
    const maybe_mode before = e->p->maybe;
    if (maybe)
        maybe_begin(e->p);
    match(&m, n->pattern, x);
    if (n->guard) {
        const value guard = eval_node(e, n->guard);
        const answer holds = of_truth(&guard);
        found = found == YES || holds == NO ? holds : MAYBE;
    }
    e->p->maybe = before;
    if (maybe)
        branch_ended(e);
    return found;
}

flow exec_match(evaluator *e, const ast_Match *n)
{
    static const node_list nothing;
    const value x = eval_node(e, n->subject);
    bool doubt = false;
    for (uint32_t i = 0; i < n->cases.n; i++) {
        const ast_match_case *k = AST(match_case, n->cases.v[i]);
        const answer found = match_case(e, k, &x, doubt);
        if (found == NO)
            continue;
        if (found == YES && !doubt)
            return exec_block(e, &k->body);
        doubt = true;
        exec_maybe(e, &k->body, &nothing);
        if (found == YES)
            break;
    }
    return FLOW_NEXT;
}
