/* SPDX-License-Identifier: Apache-2.0 */
/* The expressions and patterns of scoping_walk.c. Example:
 *
 *     [y := x for x in z]    x is a name of the comprehension, y one of the scope around it */
#include "syntax/scoping.h"

enum {
    MAX_BEFORE_STAR = 255,  /* targets before a starred one, compile.c's unpack_helper */
    MAX_ASYNC_CLAUSES = 20, /* CO_MAXBLOCKS */
    FEW_KEYWORDS = 16       /* of a call: compared with each other */
};

static void visit_maybe(scoping_walk *w, const node *n)
{
    if (n)
        scoping_visit(w, n);
}

/* ---- calls ---- */

/* validate_keywords: of a call or a class. Keyword i is given before? */
static bool is_repeated(scoping_walk *w, node_list keywords, uint32_t i, uint32_t set)
{
    const sym *name = AST(keyword, keywords.v[i])->arg;
    if (keywords.n > FEW_KEYWORDS)
        return scoping_add_flags(w, set, name, NAME_USED);
    for (uint32_t k = 0; k < i; k++)
        if (AST(keyword, keywords.v[k])->arg == name)
            return true;
    return false;
}

void scoping_visit_keywords(scoping_walk *w, node_list keywords)
{
    const uint32_t set = keywords.n > FEW_KEYWORDS ? w->nscopes++ : 0;
    for (uint32_t i = 0; i < keywords.n; i++) {
        const ast_keyword *k = AST(keyword, keywords.v[i]);
        if (k->arg) {
            scoping_check_target(w, k->arg, &k->base);
            if (is_repeated(w, keywords, i, set))
                scoping_refuse(w, PASS_COMPILE, &k->base, 0, DIAG_REPEATED_KEYWORD, k->arg->s,
                               NULL);
        }
        scoping_visit(w, k->value);
    }
}

/* Where stars are allowed: in calls, class heads, tuples, lists and sets. */
void scoping_visit_elements(scoping_walk *w, node_list elements)
{
    for (uint32_t i = 0; i < elements.n; i++) {
        const node *n = elements.v[i];
        scoping_visit(w, n->kind == AST_Starred ? AST(Starred, n)->value : n);
    }
}

static void visit_call(scoping_walk *w, const ast_Call *n)
{
    scoping_visit(w, n->func);
    scoping_visit_elements(w, n->args);
    if (n->keywords.n)
        scoping_visit_keywords(w, n->keywords);
}

/* ---- comprehensions ---- */

static void visit_target(scoping_walk *w, const node *n)
{
    w->in->in_target = true;
    scoping_visit(w, n);
    w->in->in_target = false;
}

static void visit_iterable(scoping_walk *w, const node *n)
{
    w->in->in_iterable++;
    scoping_visit(w, n);
    w->in->in_iterable--;
}

static void visit_clause(scoping_walk *w, const ast_comprehension *g)
{
    visit_target(w, g->target);
    visit_iterable(w, g->iter);
    scoping_visit_list(w, g->ifs);
}

/* The clauses, of which the first one's iterable belongs to the scope outside. */
static void visit_clauses(scoping_walk *w, node_list generators)
{
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < generators.n; i++) {
        const ast_comprehension *g = AST(comprehension, generators.v[i]);
        if (i) {
            visit_clause(w, g);
        } else {
            visit_target(w, g->target);
            scoping_visit_list(w, g->ifs);
        }
        if (!g->is_async)
            continue;
        w->in->awaits = true;
        if (++blocks == MAX_ASYNC_CLAUSES + 1)
            SCOPING_REFUSE(w, g->target, TOO_MANY_BLOCKS);
    }
}

/* symtable_handle_comprehension and compiler_comprehension: one that awaits has to be in an async
 * function or in another comprehension, but for a generator, which is a value as any other. */
static void visit_comprehension(scoping_walk *w, const node *n, const node *elt, const node *value,
                                node_list generators)
{
    visit_iterable(w, AST(comprehension, generators.v[0])->iter);
    const scope *s = scoping_enter(w, SCOPE_COMPREHENSION);
    visit_clauses(w, generators);
    visit_maybe(w, value);
    scoping_visit(w, elt);
    w->in = s->outer;
    if (!s->awaits || n->kind == AST_GeneratorExp)
        return;
    if (w->in->kind != SCOPE_ASYNC && w->in->kind != SCOPE_COMPREHENSION)
        scoping_refuse(w, PASS_COMPILE, n, 0, DIAG_OUTSIDE_ASYNC, "an asynchronous comprehension",
                       NULL);
    w->in->awaits = true;
}

/* ---- what suspends a function ---- */

/* symtable_raise_if_annotation_block */
static void check_annotation(scoping_walk *w, const node *n, const char *what)
{
    if (w->in->kind == SCOPE_ANNOTATION)
        scoping_refuse(w, PASS_NAMES, n, 0, DIAG_IN_ANNOTATION, what, NULL);
}

static void visit_yield(scoping_walk *w, const node *n, const node *value)
{
    const char *word = n->kind == AST_Yield ? "yield" : "yield from";
    check_annotation(w, n, word);
    visit_maybe(w, value);
    w->in->yields = true;
    if (w->in->kind == SCOPE_COMPREHENSION)
        scoping_refuse(w, PASS_NAMES, n, 0, DIAG_YIELD_IN_COMPREHENSION, word, NULL);
    if (!scoping_in_function(w))
        scoping_refuse(w, PASS_COMPILE, n, 0, DIAG_OUTSIDE_FUNCTION, word, NULL);
    else if (n->kind == AST_YieldFrom && w->in->kind == SCOPE_ASYNC)
        SCOPING_REFUSE(w, n, YIELD_FROM_IN_ASYNC);
}

static void visit_await(scoping_walk *w, const ast_Await *n)
{
    check_annotation(w, &n->base, "await");
    scoping_visit(w, n->value);
    w->in->awaits = true;
    if (!scoping_in_function(w))
        scoping_refuse(w, PASS_COMPILE, &n->base, 0, DIAG_OUTSIDE_FUNCTION, "await", NULL);
    else if (w->in->kind != SCOPE_ASYNC && w->in->kind != SCOPE_COMPREHENSION)
        scoping_refuse(w, PASS_COMPILE, &n->base, 0, DIAG_OUTSIDE_ASYNC, "'await'", NULL);
}

/* ---- names and targets ---- */

static void visit_named(scoping_walk *w, const ast_NamedExpr *n)
{
    check_annotation(w, &n->base, ":=");
    const ast_Name *target = AST(Name, n->target);
    scoping_named_target(w, target, &n->base);
    scoping_visit(w, n->value);
    scoping_visit(w, n->target);
}

/* symtable_visit_expr: `super` uses __class__, too. */
static void visit_use(scoping_walk *w, const ast_Name *n)
{
    if ((!w->notes_uses && !w->in->in_target) ||
        n->id == w->debug) /* CPython folds __debug__ first */
        return;
    scoping_define(w, n->id, NAME_USED, &n->base);
    if (n->id == w->super_ && scoping_in_function(w))
        scoping_define(w, sym_c(&w->c->syms, "__class__"), NAME_USED, &n->base);
}

static void visit_name(scoping_walk *w, const ast_Name *n)
{
    if (n->ctx == CTX_Load) {
        visit_use(w, n);
        return;
    }
    scoping_define(w, n->id, NAME_ASSIGNED, &n->base);
    if (n->ctx == CTX_Store)
        scoping_check_target(w, n->id, &n->base);
    else if (n->id == w->debug)
        scoping_refuse(w, PASS_COMPILE, &n->base, 0, DIAG_DELETE_TARGET, "'__debug__'", NULL);
}

static void visit_attribute(scoping_walk *w, const ast_Attribute *n)
{
    scoping_visit(w, n->value);
    if (n->ctx == CTX_Store)
        scoping_check_target(w, n->attr, &n->base);
}

/* unpack_helper: the targets of a tuple or list. */
static void check_stars(scoping_walk *w, const node *at, node_list targets)
{
    bool seen = false;
    for (uint32_t i = 0; i < targets.n; i++) {
        if (targets.v[i]->kind != AST_Starred)
            continue;
        if (seen)
            SCOPING_REFUSE(w, at, STARS_TWICE);
        else if (i > MAX_BEFORE_STAR)
            SCOPING_REFUSE(w, at, LATE_STAR);
        seen = true;
    }
}

static void visit_sequence(scoping_walk *w, const node *n, node_list elements, uint8_t context)
{
    if (context == CTX_Store)
        check_stars(w, n, elements);
    scoping_visit_elements(w, elements);
}

/* A star that scoping_visit_elements has not taken off. */
static void visit_starred(scoping_walk *w, const ast_Starred *n)
{
    if (n->ctx == CTX_Store)
        SCOPING_REFUSE(w, &n->base, STARRED_TARGET);
    else
        SCOPING_REFUSE(w, &n->base, STARRED_HERE);
    scoping_visit(w, n->value);
}

/* ---- the walk ---- */

static void visit_both(scoping_walk *w, const node *left, const node *right)
{
    scoping_visit(w, left);
    scoping_visit(w, right);
}

static void visit_compare(scoping_walk *w, const ast_Compare *n)
{
    scoping_visit(w, n->left);
    scoping_visit_list(w, n->comparators);
}

/* A pattern, whose parts come before its name; NULL: it is `_`. */
static void visit_pattern(scoping_walk *w, const node *n, const sym *name)
{
    scoping_visit_children(w, n);
    if (name)
        scoping_define(w, name, NAME_ASSIGNED, n);
}

static void visit_dict_comprehension(scoping_walk *w, const ast_DictComp *n)
{
    visit_comprehension(w, &n->base, n->key, n->value, n->generators);
}

/* The other comprehensions have the same fields. */
static void visit_list_comprehension(scoping_walk *w, const ast_ListComp *n)
{
    visit_comprehension(w, &n->base, n->elt, NULL, n->generators);
}

void scoping_visit_expression(scoping_walk *w, const node *n)
{
    switch (n->kind) { /* flat switch */
    case AST_Constant: return;
    case AST_Name: visit_name(w, AST(Name, n)); return;
    case AST_Attribute: visit_attribute(w, AST(Attribute, n)); return;
    case AST_Call: visit_call(w, AST(Call, n)); return;
    case AST_Subscript: visit_both(w, AST(Subscript, n)->value, AST(Subscript, n)->slice); return;
    case AST_BinOp: visit_both(w, AST(BinOp, n)->left, AST(BinOp, n)->right); return;
    case AST_BoolOp: scoping_visit_list(w, AST(BoolOp, n)->values); return;
    case AST_Compare: visit_compare(w, AST(Compare, n)); return;
    case AST_UnaryOp: scoping_visit(w, AST(UnaryOp, n)->operand); return;
    case AST_Tuple: visit_sequence(w, n, AST(Tuple, n)->elts, AST(Tuple, n)->ctx); return;
    case AST_List: visit_sequence(w, n, AST(List, n)->elts, AST(List, n)->ctx); return;
    case AST_Set: scoping_visit_elements(w, AST(Set, n)->elts); return;
    case AST_Starred: visit_starred(w, AST(Starred, n)); return;
    case AST_NamedExpr: visit_named(w, AST(NamedExpr, n)); return;
    case AST_Lambda: scoping_visit_lambda(w, AST(Lambda, n)); return;
    case AST_Await: visit_await(w, AST(Await, n)); return;
    case AST_Yield: visit_yield(w, n, AST(Yield, n)->value); return;
    case AST_YieldFrom: visit_yield(w, n, AST(YieldFrom, n)->value); return;
    case AST_GeneratorExp:
    case AST_SetComp:
    case AST_ListComp: visit_list_comprehension(w, AST(ListComp, n)); return;
    case AST_DictComp: visit_dict_comprehension(w, AST(DictComp, n)); return;
    case AST_MatchStar: visit_pattern(w, n, AST(MatchStar, n)->name); return;
    case AST_MatchAs: visit_pattern(w, n, AST(MatchAs, n)->name); return;
    case AST_MatchMapping: visit_pattern(w, n, AST(MatchMapping, n)->rest); return;
    default: scoping_visit_children(w, n); return;
    }
}
