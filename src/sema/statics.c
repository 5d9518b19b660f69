/* SPDX-License-Identifier: Apache-2.0 */
/* wp.static(...) in kernels and functions, after Warp 1.19 Adjoint.replace_static_expressions. A
 * call that does not depend on a loop variable is evaluated where its function is defined:
 *
 *     x = wp.static(2 * N) + i     # with N = 4: the value 8 is kept for this call
 *
 * What cannot be known here, and what mentions a variable of a loop around it, is evaluated when
 * the call is compiled, when the constants of unrolled loops are known (code_static gives NULL
 * then). The order matters: N may be assigned again after the definition, and Warp keeps the first
 * value. Instances of generic functions and kernels, and copies of functions that take functions,
 * are evaluated again when they are made:
 *
 *     def f(x: Any): return x * type(x)(wp.static(N))   # N at the first call that is compiled
 */
#include "sema/sema.h"

/* A walk over one function body. `found` collects the calls; `loops` is a stack of the variables of
 * the loops around the current node. */
typedef struct static_scan {
    evaluator e;
    code *code;
    VEC(struct static_call) found;
    VEC(const sym *) loops; /* variables of the loops around */
    uint32_t depth;
} static_scan;

static void scan(static_scan *s, const node *n);

static void scan_list(static_scan *s, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i])
            scan(s, list->v[i]);
}

/* Is the call's function wp.static? It must be reachable by a name or one attribute of a name
 * (`static` after `from warp import static`, or `wp.static`). */
static bool is_static(static_scan *s, const ast_Call *n)
{
    value v;
    if (n->func->kind == AST_Name) {
        if (!env_lookup(s->code->env, AST(Name, n->func)->id, &v))
            return false;
    } else if (n->func->kind == AST_Attribute && AST(Attribute, n->func)->value->kind == AST_Name) {
        /* `wp` may be any name that the module gives warp. */
        value root;
        if (!env_lookup(s->code->env, AST(Name, AST(Attribute, n->func)->value)->id, &root) ||
            !value_getattr(s->e.c, &root, AST(Attribute, n->func)->attr, &v))
            return false;
    } else {
        return false;
    }
    return v.kind == VALUE_SPECIAL && v.n == SP_static;
}

/* Shadowing does not matter: the same name may stand in the list twice. */
static bool name_in_loops(const static_scan *s, const sym *name)
{
    for (uint32_t i = 0; i < s->loops.n; i++)
        if (s->loops.v[i] == name)
            return true;
    return false;
}

/* Does an expression mention a loop variable? */
typedef struct name_search {
    static_scan *s;
    bool hit;
    uint32_t depth;
} name_search;

static void search_names(name_search *k, const node *n);
static void search_list(name_search *k, const node_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i])
            search_names(k, list->v[i]);
}

/* The expressions that may stand in wp.static; others are taken to mention no loop variable. */
static void search_kind(name_search *k, const node *n)
{
    switch (n->kind) {
    case AST_Name: k->hit = k->hit || name_in_loops(k->s, AST(Name, n)->id); break;
    case AST_Attribute: search_names(k, AST(Attribute, n)->value); break;
    case AST_Subscript:
        search_names(k, AST(Subscript, n)->value);
        search_names(k, AST(Subscript, n)->slice);
        break;
    case AST_BinOp:
        search_names(k, AST(BinOp, n)->left);
        search_names(k, AST(BinOp, n)->right);
        break;
    case AST_UnaryOp: search_names(k, AST(UnaryOp, n)->operand); break;
    case AST_BoolOp: search_list(k, &AST(BoolOp, n)->values); break;
    case AST_Compare:
        search_names(k, AST(Compare, n)->left);
        search_list(k, &AST(Compare, n)->comparators);
        break;
    case AST_IfExp:
        search_names(k, AST(IfExp, n)->test);
        search_names(k, AST(IfExp, n)->body);
        search_names(k, AST(IfExp, n)->orelse);
        break;
    case AST_Call:
        search_names(k, AST(Call, n)->func);
        search_list(k, &AST(Call, n)->args);
        for (uint32_t i = 0; i < AST(Call, n)->keywords.n; i++)
            search_names(k, AST(keyword, AST(Call, n)->keywords.v[i])->value);
        break;
    case AST_Tuple: search_list(k, &AST(Tuple, n)->elts); break;
    case AST_List: search_list(k, &AST(List, n)->elts); break;
    case AST_JoinedStr: search_list(k, &AST(JoinedStr, n)->values); break;
    case AST_FormattedValue: search_names(k, AST(FormattedValue, n)->value); break;
    default: break;
    }
}

/* Does the expression mention a loop variable? Beyond SEMA_DEPTH it counts as not mentioned; the
 * evaluation fails there too, for its depth is bounded alike. */
static void search_names(name_search *k, const node *n)
{
    if (k->depth >= SEMA_DEPTH)
        return;
    k->depth++;
    search_kind(k, n);
    k->depth--;
}

/* Does it use names that nothing outside of the function binds, constants of its own as in
 * `SIZE = 4; f = wp.static(make(SIZE))`? They are a NameError in Python here, and known later. What
 * a comprehension or lambda binds is not looked into. */
static void search_own(void *arg, const node *n)
{
    name_search *k = arg;
    value v;
    if (n->kind == AST_ListComp || n->kind == AST_SetComp || n->kind == AST_DictComp ||
        n->kind == AST_GeneratorExp || n->kind == AST_Lambda)
        return;
    if (n->kind == AST_Name && !env_lookup(k->s->code->env, AST(Name, n)->id, &v) &&
        !warp_or_python_name(k->s->e.c, AST(Name, n)->id, &v))
        k->hit = true;
    ast_each_child(n, search_own, arg);
}

/* Keeps the value of one wp.static call, unless it mentions a loop variable or is unknown. An enum
 * member becomes its number, as in Warp 1.19 Adjoint.evaluate_static_expression. */
static void take(static_scan *s, const ast_Call *n)
{
    const node *x = n->args.n == 1 && !n->keywords.n ? n->args.v[0] : NULL;
    name_search k = {.s = s};
    if (x) {
        search_names(&k, x);
        search_own(&k, x);
    }
    if (!x || k.hit)
        return;
    value v = eval_node(&s->e, x);
    if (unknown_inside(&v))
        return;
    /* IntEnum members alone are of this kind. */
    if (v.kind == VALUE_ENUM)
        v = value_int(v.i);
    struct static_call call = {&n->base, v};
    VEC_PUSH(&s->e.c->module, &s->found, call);
}

/* The target is a loop variable in the body only. */
static void scan_for(static_scan *s, const ast_For *n)
{
    WEFT_ASSERT(n->base.kind == AST_For);
    uint32_t before = s->loops.n;
    if (n->target->kind == AST_Name)
        VEC_PUSH(&s->e.c->module, &s->loops, AST(Name, n->target)->id);
    scan(s, n->iter);
    scan_list(s, &n->body);
    /* The else block runs after the loop. */
    s->loops.n = before;
    scan_list(s, &n->orelse);
}

/* The argument of a wp.static call is not scanned for further calls: it is Python code that runs at
 * compile time, where wp.static(x) is x. */
static void scan_call(static_scan *s, const ast_Call *n)
{
    if (is_static(s, n)) {
        take(s, n);
        return;
    }
    scan(s, n->func);
    scan_list(s, &n->args);
    for (uint32_t i = 0; i < n->keywords.n; i++)
        scan(s, AST(keyword, n->keywords.v[i])->value);
}

/* Expressions that Warp's language knows; others cannot hold a call that is compiled. */
static void scan_expr(static_scan *s, const node *n) /* flat switch */
{
    switch (n->kind) {
    case AST_Call: scan_call(s, AST(Call, n)); break;
    case AST_Attribute: scan(s, AST(Attribute, n)->value); break;
    case AST_Subscript:
        scan(s, AST(Subscript, n)->value);
        scan(s, AST(Subscript, n)->slice);
        break;
    case AST_BinOp:
        scan(s, AST(BinOp, n)->left);
        scan(s, AST(BinOp, n)->right);
        break;
    case AST_UnaryOp: scan(s, AST(UnaryOp, n)->operand); break;
    case AST_BoolOp: scan_list(s, &AST(BoolOp, n)->values); break;
    case AST_Compare:
        scan(s, AST(Compare, n)->left);
        scan_list(s, &AST(Compare, n)->comparators);
        break;
    case AST_IfExp:
        scan(s, AST(IfExp, n)->test);
        scan(s, AST(IfExp, n)->body);
        scan(s, AST(IfExp, n)->orelse);
        break;
    case AST_Tuple: scan_list(s, &AST(Tuple, n)->elts); break;
    case AST_List: scan_list(s, &AST(List, n)->elts); break;
    /* In calls and tuples; Warp's language has it nowhere else. */
    case AST_Starred: scan(s, AST(Starred, n)->value); break;
    case AST_Slice:
        if (AST(Slice, n)->lower)
            scan(s, AST(Slice, n)->lower);
        if (AST(Slice, n)->upper)
            scan(s, AST(Slice, n)->upper);
        if (AST(Slice, n)->step)
            scan(s, AST(Slice, n)->step);
        break;
    default: break;
    }
}

/* Statements that Warp's language knows. Anything else is taken for an expression. */
static void scan_stmt(static_scan *s, const node *n) /* flat switch */
{
    switch (n->kind) {
    case AST_For: scan_for(s, AST(For, n)); break;
    case AST_While:
        scan(s, AST(While, n)->test);
        scan_list(s, &AST(While, n)->body);
        break;
    case AST_If:
        scan(s, AST(If, n)->test);
        scan_list(s, &AST(If, n)->body);
        scan_list(s, &AST(If, n)->orelse);
        break;
    case AST_Assign:
        scan_list(s, &AST(Assign, n)->targets);
        scan(s, AST(Assign, n)->value);
        break;
    case AST_AugAssign:
        scan(s, AST(AugAssign, n)->target);
        scan(s, AST(AugAssign, n)->value);
        break;
    case AST_AnnAssign:
        if (AST(AnnAssign, n)->value)
            scan(s, AST(AnnAssign, n)->value);
        break;
    case AST_Expr: scan(s, AST(Expr, n)->value); break;
    case AST_Return:
        if (AST(Return, n)->value)
            scan(s, AST(Return, n)->value);
        break;
    case AST_Assert: scan(s, AST(Assert, n)->test); break;
    case AST_FunctionDef: scan_list(s, &AST(FunctionDef, n)->body); break;
    default: scan_expr(s, n); break;
    }
}

/* Every step of the recursion; what lies beyond SEMA_DEPTH is evaluated when it is compiled. */
static void scan(static_scan *s, const node *n)
{
    if (s->depth >= SEMA_DEPTH)
        return;
    s->depth++;
    scan_stmt(s, n);
    s->depth--;
}

/* Sets f->statics. The names are looked up in the function's own scope, whatever scope decorates
 * it. */
void find_statics(evaluator *e, code *f)
{
    WEFT_ASSERT(f->def != NULL && f->nstatics == 0);
    static_scan s = {.e = evaluator_for(e->c, f->env), .code = f};
    scan_list(&s, &f->def->body);
    f->statics = s.found.v;
    f->nstatics = s.found.n;
}

typedef struct code_instance {
    const code *of;         /* the copy */
    const void *const *key; /* nparams addresses */
    const struct code_instance *next;
} code_instance;

/* Who defines a function may catch errors of it, so none is reported here; the calls whose value is
 * not known are evaluated, with errors, when they are compiled. */
void find_statics_again(ctx *c, code *f)
{
    evaluator e = evaluator_for(c, f->env);
    f->statics = NULL;
    f->nstatics = 0;
    f->instances = NULL;
    if (e.p->fuel < SEMA_FUEL_LATE)
        e.p->fuel = SEMA_FUEL_LATE;
    e.p->doubt++;
    find_statics(&e, f);
    e.p->doubt--;
}

/* Warp 1.19 Function.get_overload and specialize_callable_func: each types and each functions that
 * a function is called with make an Adjoint of their own when the first caller is compiled, which
 * evaluates wp.static anew. They are kept with the function for all kernels. */
const code *code_instance_of(ctx *c, const code *f, const void *const *key)
{
    if (!f->nstatics)
        return f;
    const size_t size = f->nparams * sizeof *key;
    for (const code_instance *i = f->instances; i; i = i->next)
        if (memcmp(i->key, key, size) == 0)
            return i->of;
    const void **kept = ARENA_ARRAY(&c->module, const void *, f->nparams + 1);
    memcpy(kept, key, size);
    code *copy = ARENA_NEW(&c->module, code);
    *copy = *f;
    find_statics_again(c, copy);
    code_instance *made = ARENA_NEW(&c->module, code_instance);
    *made = (code_instance){copy, kept, f->instances};
    ((code *)(uintptr_t)f)->instances = made; /* const for everybody else */
    return copy;
}

const code *code_of_some_instance(ctx *c, const code *f)
{
    if (!f->nstatics || (!f->generic && !takes_functions(f)))
        return f;
    if (f->instances)
        return f->instances->of;
    return code_instance_of(c, f, arena_zero(&c->module, (f->nparams + 1) * sizeof(void *)));
}

/* A linear search, since functions have few such calls. */
const value *code_static(const code *f, const node *call)
{
    for (uint32_t i = 0; i < f->nstatics; i++)
        if (f->statics[i].call == call)
            return &f->statics[i].value;
    return NULL;
}
