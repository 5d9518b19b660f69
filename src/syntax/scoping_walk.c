/* SPDX-License-Identifier: Apache-2.0 */
/* Visits a tree by scopes and finds what CPython 3.11 refuses when it compiles (scoping.h).
 * Example:
 *
 *     while n:
 *         def f():
 *             break       is in a scope of its own, where no loop is around it
 *
 * Children are visited in the order of symtable.c, which decides what is "used before" what. A
 * rule names the function of CPython that it follows. */
#include "syntax/scoping.h"

enum {
    MAX_BLOCKS = 20, /* CO_MAXBLOCKS */
    FOR_WIDTH = 9,   /* "async for" */
    WITH_WIDTH = 10,
    EXCEPT_WIDTH = 6
};

void scoping_visit_list(scoping_walk *w, node_list list)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.v[i])
            scoping_visit(w, list.v[i]);
}

static void visit_child(void *w, const node *n)
{
    scoping_visit(w, n);
}

void scoping_visit_children(scoping_walk *w, const node *n)
{
    ast_each_child(n, visit_child, w);
}

static void visit_maybe(scoping_walk *w, const node *n)
{
    if (n)
        scoping_visit(w, n);
}

/* ---- scopes ---- */

/* Begins a scope. It outlives the visit, for scoping_analyze. */
scope *scoping_enter(scoping_walk *w, scoping_kind kind)
{
    scope *s = ARENA_NEW(&w->c->scratch, scope), *outer = w->in;
    *s = (scope){.outer = outer, .kind = kind, .number = w->nscopes++};
    if (outer) {
        s->class_name = outer->class_name;
        s->in_iterable = outer->in_iterable;
    }
    w->in = s;
    return s;
}

static void leave(scoping_walk *w)
{
    const scope *s = w->in;
    if (s->awaits && s->yields && s->value_return)
        SCOPING_REFUSE(w, s->value_return, ASYNC_GENERATOR_RETURN);
    w->in = s->outer;
}

/* ---- blocks ---- */

/* compiler_push_fblock: one more block around what follows. Returns what to restore behind it. */
static scoping_blocks push_block(scoping_walk *w, const node *at)
{
    const scoping_blocks before = w->in->blocks;
    if (before.depth >= MAX_BLOCKS)
        SCOPING_REFUSE(w, at, TOO_MANY_BLOCKS);
    else
        w->in->blocks.depth++;
    return before;
}

static scoping_blocks push_loop(scoping_walk *w, const node *at)
{
    const scoping_blocks before = push_block(w, at);
    w->in->blocks.in_loop = true;
    w->in->blocks.star_first = false;
    return before;
}

/* The blocks of a loop, of which `else` is outside. */
static void visit_loop(scoping_walk *w, const node *n, node_list body, node_list orelse)
{
    const scoping_blocks before = push_loop(w, n);
    scoping_visit_list(w, body);
    w->in->blocks = before;
    scoping_visit_list(w, orelse);
}

static void visit_while(scoping_walk *w, const ast_While *n)
{
    scoping_visit(w, n->test);
    visit_loop(w, &n->base, n->body, n->orelse);
}

/* Also `async for`, whose node has the same fields. */
static void visit_for(scoping_walk *w, const ast_For *n)
{
    if (n->base.kind == AST_AsyncFor && w->in->kind != SCOPE_ASYNC)
        scoping_refuse(w, PASS_COMPILE, &n->base, FOR_WIDTH, DIAG_OUTSIDE_ASYNC, "'async for'",
                       NULL);
    scoping_visit(w, n->target);
    scoping_visit(w, n->iter);
    visit_loop(w, &n->base, n->body, n->orelse);
}

/* Also `async with`. Each item is a block around the next. */
static void visit_with(scoping_walk *w, const ast_With *n)
{
    if (n->base.kind == AST_AsyncWith && w->in->kind != SCOPE_ASYNC)
        scoping_refuse(w, PASS_COMPILE, &n->base, WITH_WIDTH, DIAG_OUTSIDE_ASYNC, "'async with'",
                       NULL);
    const scoping_blocks before = w->in->blocks;
    for (uint32_t i = 0; i < n->items.n; i++) {
        scoping_visit(w, n->items.v[i]);
        push_block(w, &n->base);
    }
    scoping_visit_list(w, n->body);
    w->in->blocks = before;
}

/* ---- try ---- */

static void visit_handler(scoping_walk *w, const ast_ExceptHandler *n)
{
    visit_maybe(w, n->type);
    if (n->name) {
        scoping_define(w, n->name, NAME_ASSIGNED, &n->base);
        scoping_check_target(w, n->name, &n->base);
    }
    const scoping_blocks before = push_block(w, &n->base);
    scoping_visit_list(w, n->body);
    w->in->blocks = before;
}

static void visit_handlers(scoping_walk *w, const ast_Try *n)
{
    const scoping_blocks before = push_block(w, &n->base);
    if (n->base.kind == AST_TryStar) {
        w->in->blocks.star_first = true;
        w->in->blocks.in_star_handler = true;
    }
    for (uint32_t i = 0; i < n->handlers.n; i++) {
        const ast_ExceptHandler *h = AST(ExceptHandler, n->handlers.v[i]);
        if (!h->type && i + 1 < n->handlers.n)
            scoping_refuse(w, PASS_COMPILE, &h->base, EXCEPT_WIDTH, DIAG_EXCEPT_ORDER, NULL, NULL);
        visit_handler(w, h);
    }
    w->in->blocks = before;
}

/* Also `try` with `except*`. The order is symtable.c's and compile.c's: `else` comes before the
 * handlers. */
static void visit_try(scoping_walk *w, const ast_Try *n)
{
    const scoping_blocks outside = w->in->blocks;
    if (n->finalbody.n)
        push_block(w, &n->base);
    const scoping_blocks inside = w->in->blocks;
    if (n->handlers.n)
        push_block(w, &n->base);
    scoping_visit_list(w, n->body);
    w->in->blocks = inside;
    scoping_visit_list(w, n->orelse);
    if (n->handlers.n)
        visit_handlers(w, n);
    w->in->blocks = outside;
    if (n->finalbody.n)
        push_block(w, &n->base);
    scoping_visit_list(w, n->finalbody);
    w->in->blocks = outside;
}

/* ---- jumps ---- */

/* compiler_break, compiler_continue */
static void visit_jump(scoping_walk *w, const node *n)
{
    const char *word = n->kind == AST_Break ? "break" : "continue";
    if (w->in->blocks.star_first)
        scoping_refuse(w, PASS_COMPILE, n, 0, DIAG_EXCEPT_STAR_JUMP, word, NULL);
    else if (!w->in->blocks.in_loop)
        scoping_refuse(w, PASS_COMPILE, n, 0, DIAG_OUTSIDE_LOOP, word, NULL);
}

/* compiler_return */
static void visit_return(scoping_walk *w, const ast_Return *n)
{
    visit_maybe(w, n->value);
    if (!scoping_in_function(w))
        scoping_refuse(w, PASS_COMPILE, &n->base, 0, DIAG_OUTSIDE_FUNCTION, "return", NULL);
    else if (w->in->blocks.in_star_handler)
        scoping_refuse(w, PASS_COMPILE, &n->base, 0, DIAG_EXCEPT_STAR_JUMP, "return", NULL);
    if (n->value && !w->in->value_return)
        w->in->value_return = &n->base;
}

/* ---- functions and classes ---- */

/* symtable_visit_annotations, symtable_visit_annotation: with `from __future__ import annotations`
 * an annotation is a scope that is never analysed or compiled. */
static scope *enter_annotation(scoping_walk *w)
{
    if (!w->future_annotations)
        return NULL;
    w->not_compiled++;
    return scoping_enter(w, SCOPE_ANNOTATION);
}

static void leave_annotation(scoping_walk *w, const scope *s)
{
    if (!s)
        return;
    w->in = s->outer;
    w->not_compiled--;
}

static void visit_arg_annotations(scoping_walk *w, node_list args)
{
    for (uint32_t i = 0; i < args.n; i++)
        visit_maybe(w, AST(arg, args.v[i])->annotation);
}

static void visit_maybe_starred(scoping_walk *w, const node *n)
{
    visit_maybe(w, n && n->kind == AST_Starred ? AST(Starred, n)->value : n);
}

/* `*args: *Ts` may be starred. */
static void visit_annotations(scoping_walk *w, const ast_arguments *a, const node *returns)
{
    const scope *s = enter_annotation(w);
    visit_arg_annotations(w, a->posonlyargs);
    visit_arg_annotations(w, a->args);
    visit_maybe_starred(w, a->vararg ? AST(arg, a->vararg)->annotation : NULL);
    if (a->kwarg)
        visit_maybe(w, AST(arg, a->kwarg)->annotation);
    visit_arg_annotations(w, a->kwonlyargs);
    leave_annotation(w, s);
    s = enter_annotation(w);
    visit_maybe(w, returns);
    leave_annotation(w, s);
}

static void define_parameter(scoping_walk *w, const node *n)
{
    scoping_define(w, AST(arg, n)->arg, NAME_PARAMETER, n);
}

static void define_parameters(scoping_walk *w, const ast_arguments *a)
{
    const node_list lists[] = {a->posonlyargs, a->args, a->kwonlyargs};
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < lists[k].n; i++)
            define_parameter(w, lists[k].v[i]);
    if (a->vararg)
        define_parameter(w, a->vararg);
    if (a->kwarg)
        define_parameter(w, a->kwarg);
}

/* compiler_check_debug_args: the place is that of the function. */
static void check_parameters(scoping_walk *w, const node *at)
{
    if (w->debug && scoping_flags(w, w->in->number, w->debug) & NAME_PARAMETER)
        scoping_check_target(w, w->debug, at);
}

static void visit_defaults(scoping_walk *w, const ast_arguments *a)
{
    scoping_visit_list(w, a->defaults);
    scoping_visit_list(w, a->kw_defaults);
}

/* Bounds and defaults; Python evaluates them in scopes of their own, which no error depends on. */
static void visit_type_params(scoping_walk *w, node_list params)
{
    for (uint32_t i = 0; i < params.n; i++)
        if (params.v[i]->kind == AST_TypeVarTuple)
            visit_maybe_starred(w, AST(TypeVarTuple, params.v[i])->default_value);
        else
            scoping_visit_children(w, params.v[i]);
}

/* Also `async def`. */
static void visit_function(scoping_walk *w, const ast_FunctionDef *n)
{
    const ast_arguments *a = AST(arguments, n->args);
    scoping_define(w, n->name, NAME_ASSIGNED, &n->base);
    scoping_check_target(w, n->name, &n->base);
    visit_type_params(w, n->type_params);
    visit_defaults(w, a);
    visit_annotations(w, a, n->returns);
    scoping_visit_list(w, n->decorator_list);
    const bool is_async = n->base.kind == AST_AsyncFunctionDef;
    scope *s = scoping_enter(w, is_async ? SCOPE_ASYNC : SCOPE_FUNCTION);
    s->awaits = is_async;
    define_parameters(w, a);
    check_parameters(w, &n->base);
    scoping_visit_list(w, n->body);
    leave(w);
}

void scoping_visit_lambda(scoping_walk *w, const ast_Lambda *n)
{
    const ast_arguments *a = AST(arguments, n->args);
    visit_defaults(w, a);
    scoping_enter(w, SCOPE_LAMBDA);
    define_parameters(w, a);
    check_parameters(w, &n->base);
    scoping_visit(w, n->body);
    leave(w);
}

static void visit_class(scoping_walk *w, const ast_ClassDef *n)
{
    scoping_define(w, n->name, NAME_ASSIGNED, &n->base);
    scoping_check_target(w, n->name, &n->base);
    visit_type_params(w, n->type_params);
    scoping_visit_elements(w, n->bases);
    scoping_visit_keywords(w, n->keywords);
    scoping_visit_list(w, n->decorator_list);
    scoping_enter(w, SCOPE_CLASS)->class_name = n->name;
    scoping_visit_list(w, n->body);
    leave(w);
}

/* ---- other statements ---- */

static void visit_type_alias(scoping_walk *w, const ast_TypeAlias *n)
{
    scoping_visit(w, n->name);
    visit_type_params(w, n->type_params);
    scoping_visit(w, n->value);
}

/* compiler_augassign: an attribute __debug__ is no error here. */
static void visit_augmented(scoping_walk *w, const ast_AugAssign *n)
{
    const bool is_attribute = n->target->kind == AST_Attribute;
    scoping_visit(w, is_attribute ? AST(Attribute, n->target)->value : n->target);
    scoping_visit(w, n->value);
}

/* check_ann_subscr: the index of a target without a value cannot be starred. */
static void visit_index(scoping_walk *w, const node *n)
{
    if (n->kind != AST_Tuple) {
        scoping_visit(w, n);
        return;
    }
    const node_list parts = AST(Tuple, n)->elts;
    for (uint32_t i = 0; i < parts.n; i++)
        visit_index(w, parts.v[i]);
}

static void visit_annotated_target(scoping_walk *w, const ast_AnnAssign *n)
{
    const node *target = n->target;
    if (target->kind == AST_Name) {
        scoping_annotate(w, n, AST(Name, target));
        scoping_check_target(w, AST(Name, target)->id, &n->base);
    } else if (target->kind == AST_Subscript && !n->value) {
        scoping_visit(w, AST(Subscript, target)->value);
        visit_index(w, AST(Subscript, target)->slice);
    } else {
        scoping_visit(w, target);
    }
}

/* compiler_annassign: annotations of variables are evaluated in modules and classes only. */
static void visit_annotated(scoping_walk *w, const ast_AnnAssign *n)
{
    visit_annotated_target(w, n);
    const uint32_t in_body = scoping_in_function(w);
    w->not_compiled += in_body;
    const scope *s = enter_annotation(w);
    scoping_visit(w, n->annotation);
    leave_annotation(w, s);
    w->not_compiled -= in_body;
    visit_maybe(w, n->value);
}

/* `import a.b` makes the name a. */
static void define_import(scoping_walk *w, const ast_alias *a, const node *at)
{
    const sym *name = a->asname ? a->asname : a->name;
    const char *dot = strchr(name->s, '.');
    if (dot)
        name = sym_intern(&w->c->syms, name->s, (size_t)(dot - name->s));
    if (name->s[0] == '*') {
        if (w->in->kind != SCOPE_MODULE)
            scoping_refuse(w, PASS_NAMES, &a->base, 0, DIAG_IMPORT_STAR, NULL, NULL);
        return;
    }
    scoping_define(w, name, NAME_IMPORTED, &a->base);
    scoping_check_target(w, name, at);
}

static void define_imports(scoping_walk *w, const node *n, node_list names)
{
    for (uint32_t i = 0; i < names.n; i++)
        define_import(w, AST(alias, names.v[i]), n);
}

static bool is_future(const node *n)
{
    if (n->kind != AST_ImportFrom)
        return false;
    const sym *module = AST(ImportFrom, n)->module;
    return module && strcmp(module->s, "__future__") == 0;
}

static void visit_import_from(scoping_walk *w, const ast_ImportFrom *n)
{
    define_imports(w, &n->base, n->names);
    if (is_future(&n->base) && n->base.line > w->future_line)
        SCOPING_REFUSE(w, &n->base, LATE_FUTURE);
}

static void visit_match(scoping_walk *w, const ast_Match *n)
{
    scoping_check_patterns(w, n);
    scoping_visit_children(w, &n->base);
}

/* ---- the walk ---- */

static void visit_if(scoping_walk *w, const ast_If *n)
{
    scoping_visit(w, n->test);
    scoping_visit_list(w, n->body);
    scoping_visit_list(w, n->orelse);
}

static void visit_assign(scoping_walk *w, const ast_Assign *n)
{
    scoping_visit_list(w, n->targets);
    scoping_visit(w, n->value);
}

static void visit_statement(scoping_walk *w, const node *n)
{
    switch (n->kind) { /* flat switch */
    case AST_Expr: scoping_visit(w, AST(Expr, n)->value); return;
    case AST_Assign: visit_assign(w, AST(Assign, n)); return;
    case AST_If: visit_if(w, AST(If, n)); return;
    case AST_AsyncFunctionDef:
    case AST_FunctionDef: visit_function(w, AST(FunctionDef, n)); return;
    case AST_ClassDef: visit_class(w, AST(ClassDef, n)); return;
    case AST_Return: visit_return(w, AST(Return, n)); return;
    case AST_AnnAssign: visit_annotated(w, AST(AnnAssign, n)); return;
    case AST_AugAssign: visit_augmented(w, AST(AugAssign, n)); return;
    case AST_AsyncFor:
    case AST_For: visit_for(w, AST(For, n)); return;
    case AST_While: visit_while(w, AST(While, n)); return;
    case AST_AsyncWith:
    case AST_With: visit_with(w, AST(With, n)); return;
    case AST_Match: visit_match(w, AST(Match, n)); return;
    case AST_TypeAlias: visit_type_alias(w, AST(TypeAlias, n)); return;
    case AST_TryStar:
    case AST_Try: visit_try(w, AST(Try, n)); return;
    case AST_Import: define_imports(w, n, AST(Import, n)->names); return;
    case AST_ImportFrom: visit_import_from(w, AST(ImportFrom, n)); return;
    case AST_Global: scoping_declare(w, &AST(Global, n)->names, NAME_GLOBAL, n); return;
    case AST_Nonlocal: scoping_declare(w, &AST(Nonlocal, n)->names, NAME_NONLOCAL, n); return;
    case AST_Break:
    case AST_Continue: visit_jump(w, n); return;
    default: scoping_visit_children(w, n); return;
    }
}

/* Statements come first in ast.def, but for those of later releases. */
void scoping_visit(scoping_walk *w, const node *n)
{
    if (n->kind <= AST_Continue || n->kind == AST_TypeAlias)
        visit_statement(w, n);
    else
        scoping_visit_expression(w, n);
}

/* ---- future statements ---- */

static const char *const features[] = {
    "nested_scopes",  "generators",       "division",       "absolute_import", "with_statement",
    "print_function", "unicode_literals", "barry_as_FLUFL", "generator_stop",  "annotations"};

/* future_check_features */
static void check_features(scoping_walk *w, const ast_ImportFrom *n)
{
    for (uint32_t i = 0; i < n->names.n; i++) {
        const ast_alias *a = AST(alias, n->names.v[i]);
        if (!STR_IS_IN(sym_str(a->name), features))
            scoping_refuse(w, PASS_FUTURE, &n->base, 0, DIAG_UNKNOWN_FUTURE, a->name->s, NULL);
        w->future_annotations |= strcmp(a->name->s, "annotations") == 0;
    }
    w->future_line = n->base.line;
}

static bool is_docstring(const node *n)
{
    if (n->kind != AST_Expr || AST(Expr, n)->value->kind != AST_Constant)
        return false;
    return AST(Constant, AST(Expr, n)->value)->value.kind == CONST_STR;
}

/* future_parse: future statements stand at the beginning, behind a docstring. One that follows
 * another statement in its line is found here, all other late ones by the walk. */
static void check_future(scoping_walk *w, node_list body)
{
    uint32_t i = body.n && is_docstring(body.v[0]), line = 0;
    for (; i < body.n && is_future(body.v[i]); i++)
        check_features(w, AST(ImportFrom, body.v[i]));
    for (; i < body.n && (!line || body.v[i]->line <= line); i++) {
        line = body.v[i]->line;
        if (is_future(body.v[i]))
            scoping_refuse(w, PASS_FUTURE, body.v[i], 0, DIAG_LATE_FUTURE, NULL, NULL);
    }
}

/* ---- entry ---- */

static bool report(const scoping_walk *w)
{
    const scoping_error *e = &w->error;
    if (e->pass == PASS_COUNT)
        return true;
    return diag_error(w->c, e->at, e->id, e->args[0], e->args[1]);
}

bool scoping_check(ctx *c, const source *src, const ast_Module *m, bool declares)
{
    const arena_mark mark = arena_save(&c->scratch);
    scoping_walk *w = ARENA_NEW(&c->scratch, scoping_walk);
    w->c = c;
    w->src = src;
    w->notes_uses = declares;
    scoping_names_init(w);
    scoping_enter(w, SCOPE_MODULE);
    check_future(w, m->body);
    scoping_visit_list(w, m->body);
    scoping_analyze(w);
    const bool good = report(w);
    arena_rewind(&c->scratch, mark);
    return good;
}
