/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of modules, class bodies and function factories. Where a condition is not known, the
 * branches run in "maybe" mode: names that they define are kept, names that they change become
 * unknown.
 *
 *     n = 1
 *     if something_unknown():
 *         n = 2          # n is unknown from here on
 *         @wp.kernel     # but this kernel is defined
 *         def k(...): ...
 *
 * That keeps as many kernels as possible: a kernel behind `if __debug_build():` is still compiled,
 * and only values that truly depend on the condition are lost. Exceptions are not evaluated;
 * `raise` ends the block (FLOW_RAISE). */
#include "sema/sema.h"

static const char depends[] = "it depends on a condition that weft cannot know";

/* If the scope declares the name global or nonlocal: the scope that holds it (in *owner) and its
 * value there. Stops at the nearest scope that has the name, or at the module. NULL without a
 * change of *owner: the name is local. */
static const value *is_outer(evaluator *e, const sym *name, namespace **owner)
{
    bool declared = false;
    for (uint32_t i = 0; i < e->env->outer.n; i++)
        declared = declared || e->env->outer.v[i] == name;
    if (!declared)
        return NULL;
    for (const namespace *ns = e->env->parent; ns; ns = ns->parent) {
        const value *v = ns_find(ns, name);
        if (v || ns->kind == NS_MODULE) {
            *owner = (namespace *)(uintptr_t)ns;
            return v;
        }
    }
    return NULL;
}

/* Assigns a name. In "maybe" mode a name that had another value before becomes unknown; one that
 * was unknown for another reason may still be defined:
 *
 *     try: import fast as impl         # impl is unknown: no such module
 *     except ImportError: impl = None  # runs in "maybe" mode, and defines it */
void bind_name(evaluator *e, const sym *name, value v)
{
    WEFT_ASSERT(name != NULL);
    namespace *owner = e->env;
    if (e->env->outer.n)
        is_outer(e, name, &owner);
    if (e->p->maybe) {
        /* Only a change makes the name doubtful: the same value either way is sure. */
        const value *old = ns_find(owner, name);
        if (old && !value_same(old, &v) && !(old->kind == VALUE_UNKNOWN && old->why != depends))
            v = unknown(depends);
    }
    if (owner->mod->stub && owner->kind == NS_MODULE)
        stub_amend(owner->mod, name, &v);
    ns_set(e->c, owner, name, v);
}

/* `a, *b, c = v`. If the items or their number do not fit, every target becomes unknown. With a
 * starred target, `extra` is the number of items that it takes:
 *
 *     a, *b, c = range(5)      a = 0, b = [1, 2, 3], c = 4; extra is 3
 *
 * At most one target is starred, which the parser has checked. */
static void assign_sequence(evaluator *e, const node_list *targets, const value *v)
{
    const value *items = NULL;
    uint32_t n = 0, star = UINT32_MAX;
    bool ok = value_iterate(e->c, v, &items, &n);
    for (uint32_t i = 0; i < targets->n; i++)
        if (targets->v[i]->kind == AST_Starred)
            star = i;
    /* n + 1 >= targets->n keeps `extra` from wrapping. */
    ok = ok && (star == UINT32_MAX ? n == targets->n : n + 1 >= targets->n);
    value missing = v->kind == VALUE_UNKNOWN ? *v : unknown("what is unpacked is not known");
    uint32_t extra = ok && star != UINT32_MAX ? n + 1 - targets->n : 0;
    for (uint32_t i = 0, at = 0; i < targets->n; i++) {
        if (i != star) {
            assign_to(e, targets->v[i], ok ? items[at] : missing);
            at++;
            continue;
        }
        value rest = value_items(VALUE_LIST, ok ? items + at : NULL, extra);
        assign_to(e, AST(Starred, targets->v[i])->value, ok ? rest : missing);
        at += extra;
    }
}

/* warp.config.NAME = v; read back by config_get. The last assignment counts, also one that may not
 * run. */
static void config_set(evaluator *e, const sym *name, value v)
{
    program *p = e->p;
    for (uint32_t i = 0; i < p->config.n; i++) {
        if (p->config.v[i].name == name) {
            p->config.v[i].v = v;
            return;
        }
    }
    config_entry entry = {name, v};
    VEC_PUSH(&e->c->module, &p->config, entry);
}

/* Struct instances are values: the assignment makes a changed copy and stores it where the old one
 * was. A number stays as it is, as in Warp 1.19 StructInstance.__setattr__: a field of type uint64
 * that was set to 3 is printed "3", not "3ull". Reading it in a kernel converts it. */
static void set_struct_field(evaluator *e, const ast_Attribute *n, const value *obj, value v)
{
    WEFT_ASSERT(obj->kind == VALUE_STRUCT_INSTANCE);
    const struct_def *st = obj->type->st;
    value *items = ARENA_ARRAY(&e->c->module, value, st->nfields);
    if (st->nfields)
        memcpy(items, obj->items, st->nfields * sizeof *items);
    for (uint32_t i = 0; i < st->nfields; i++)
        if (st->fields[i].name == n->attr)
            items[i] = v;
    /* The old items stay, for other names of the instance. */
    value changed = *obj;
    changed.items = items;
    assign_to(e, n->value, changed);
}

/* obj.NAME = v. Objects, classes and modules change in place. Other objects have no attributes that
 * can change, so the assignment has no effect. */
static void assign_attribute(evaluator *e, const ast_Attribute *n, value v)
{
    value obj = eval_node(e, n->value);
    if (obj.kind == VALUE_WARP && strcmp(obj.s->s, "warp.config") == 0)
        config_set(e, n->attr, v);
    else if (obj.kind == VALUE_WARP && strcmp(obj.s->s, "os") == 0 &&
             strcmp(n->attr->s, "environ") == 0)
        e->p->environ = e->p->maybe ? unknown(depends) : v;
    else if (has_attributes(&obj))
        ns_set(e->c, obj.ns, n->attr, v);
    else if (is_function(&obj))
        ns_set(e->c, attrs_of(e->p, &obj, true), n->attr, e->p->maybe ? unknown(depends) : v);
    else if (obj.kind == VALUE_STRUCT_INSTANCE)
        set_struct_field(e, n, &obj, v);
}

/* A list item changes in place, so every name of the list sees it. What cannot be followed makes
 * the whole container unknown, for any item may have changed. */
static void assign_item(evaluator *e, const ast_Subscript *n, value v)
{
    value obj = eval_node(e, n->value), key = eval_node(e, n->slice);
    if (obj.kind == VALUE_DICT && key.kind != VALUE_UNKNOWN && obj.n < SEMA_LOOP) {
        /* Where it may not run, what the name stands for is in doubt. */
        (e->p->maybe ? assign_to : write_back)(e, n->value, dict_set(e->c, &obj, key, v));
        return;
    }
    /* Negative indices count from the end. */
    if (obj.kind == VALUE_LIST && value_is_int(&key) && key.i >= -(__int128)obj.n &&
        key.i < obj.n) {
        ((value *)(uintptr_t)obj.items)[key.i < 0 ? key.i + obj.n : key.i] = v;
        return;
    }
    if (obj.kind == VALUE_DICT || obj.kind == VALUE_LIST || obj.kind == VALUE_COMPOSITE)
        assign_to(e, n->value, unknown("an item is assigned that weft cannot follow"));
}

/* Assigns v to a target of any form. Nested targets recurse, so the depth is bounded here too.
 * Other kinds of target are syntax errors, which the parser has reported. */
void assign_to(evaluator *e, const node *target, value v)
{
    WEFT_ASSERT(target != NULL);
    if (e->p->depth >= SEMA_DEPTH)
        return;
    e->p->depth++;
    switch (target->kind) {
    case AST_Name: bind_name(e, AST(Name, target)->id, v); break;
    case AST_Tuple: assign_sequence(e, &AST(Tuple, target)->elts, &v); break;
    case AST_List: assign_sequence(e, &AST(List, target)->elts, &v); break;
    case AST_Attribute: assign_attribute(e, AST(Attribute, target), v); break;
    case AST_Subscript: assign_item(e, AST(Subscript, target), v); break;
    default: break;
    }
    e->p->depth--;
}

/* `a = b = v`: the value is evaluated once, the targets are assigned from left to right. */
static void exec_assign(evaluator *e, const ast_Assign *n)
{
    value v = eval_node(e, n->value);
    for (uint32_t i = 0; i < n->targets.n; i++)
        assign_to(e, n->targets.v[i], v);
}

/* `x += v` is `x = x + v`. Python changes a list in place instead, so another name of the list
 * would see it; here that name keeps the old list. */
static void exec_augassign(evaluator *e, const ast_AugAssign *n)
{
    value old = eval_node(e, n->target), by = eval_node(e, n->value);
    assign_to(e, n->target, op_binary(e->c, (ast_op)n->op, &old, &by));
}

static bool leaves(flow f)
{
    return f == FLOW_RETURN || f == FLOW_BREAK || f == FLOW_CONTINUE;
}

/* Runs both branches in "maybe" mode, since the condition is not known. See bind_name for what they
 * leave behind. How the branches end does not matter: what follows may run in any case. */
flow exec_maybe(evaluator *e, const node_list *a, const node_list *b)
{
    e->p->maybe++;
    e->p->doubt++;
    const flow left = exec_block(e, a), right = exec_block(e, b);
    e->p->maybe--;
    /* The rest of a function is not certain to run after a branch that leaves it, or a loop of it:
     * the doubt stays until the function ends. One that raises ends the program in any case. */
    if (!e->frame || !(leaves(left) || leaves(right)))
        e->p->doubt--;
    return FLOW_NEXT;
}

static flow exec_if(evaluator *e, const ast_If *n)
{
    value test = eval_node(e, n->test);
    int truth = value_truth(&test);
    if (truth < 0)
        return exec_maybe(e, &n->body, &n->orelse);
    return exec_block(e, truth ? &n->body : &n->orelse);
}

/* After a loop: return and raise go on, break skips the else block. */
static flow loop_end(evaluator *e, flow f, const node_list *orelse)
{
    if (f == FLOW_RETURN || f == FLOW_RAISE)
        return f;
    return f == FLOW_BREAK ? FLOW_NEXT : exec_block(e, orelse);
}

/* Runs the body once per item. Assignments to the loop variable last until the next item. If the
 * container is not known, the body runs once in "maybe" mode with an unknown variable, so that
 * functions defined in it are found:
 *
 *     for n in sizes():            # unknown
 *         @wp.kernel               # one kernel is found, though n is unknown in it
 *         def k(...): ... */
static flow exec_for(evaluator *e, const ast_For *n)
{
    static const node_list nothing;
    value in = eval_node(e, n->iter);
    const value *items;
    uint32_t count;
    if (!value_iterate(e->c, &in, &items, &count)) {
        const char *why =
            in.kind == VALUE_UNKNOWN ? in.why : "what the loop runs over is not known";
        /* The variable has the container's reason. */
        assign_to(e, n->target, unknown(why));
        return exec_maybe(e, &n->body, &nothing);
    }
    flow f = FLOW_NEXT;
    for (uint32_t i = 0; i < count && e->p->fuel; i++) {
        assign_to(e, n->target, items[i]);
        f = exec_block(e, &n->body);
        if (f == FLOW_BREAK || f == FLOW_RETURN || f == FLOW_RAISE)
            break;
    }
    return loop_end(e, f, &n->orelse);
}

/* After SEMA_LOOP turns, or when the condition becomes unknown, what the body changes is unknown.
 */
static flow exec_while(evaluator *e, const ast_While *n)
{
    static const node_list nothing;
    flow f = FLOW_NEXT;
    for (uint32_t turns = 0; e->p->fuel; turns++) {
        value test = eval_node(e, n->test);
        int truth = value_truth(&test);
        /* The body runs once more, in "maybe" mode, so that what it changes becomes unknown. */
        if (truth < 0 || turns > SEMA_LOOP)
            return exec_maybe(e, &n->body, &nothing);
        if (!truth)
            break;
        f = exec_block(e, &n->body);
        if (f == FLOW_BREAK || f == FLOW_RETURN || f == FLOW_RAISE)
            break;
    }
    return loop_end(e, f, &n->orelse);
}

/* Is there an import in the block whose module was not found? Then its handlers may have run. Only
 * imports directly in the block count, which is how optional modules are imported. */
static bool imports_unknown(evaluator *e, const node_list *body)
{
    for (uint32_t i = 0; i < body->n; i++) {
        const node *n = body->v[i];
        const node_list *names = n->kind == AST_Import       ? &AST(Import, n)->names
                                 : n->kind == AST_ImportFrom ? &AST(ImportFrom, n)->names
                                                             : NULL;
        for (uint32_t k = 0; names && k < names->n; k++) {
            const ast_alias *a = AST(alias, names->v[k]);
            const sym *bound = a->asname ? a->asname : a->name;
            /* `import a.b` binds a. */
            const char *dot =
                a->asname || n->kind == AST_ImportFrom ? NULL : strchr(a->name->s, '.');
            if (dot)
                bound = sym_intern(&e->c->syms, a->name->s, (size_t)(dot - a->name->s));
            value v;
            if (!env_lookup(e->env, bound, &v) || v.kind == VALUE_UNKNOWN)
                return true;
        }
    }
    return false;
}

/* Every handler may run, in "maybe" mode. What `as` binds is unknown. */
static flow exec_handlers(evaluator *e, const node_list *handlers)
{
    static const node_list nothing;
    for (uint32_t i = 0; i < handlers->n; i++) {
        const ast_ExceptHandler *h = AST(ExceptHandler, handlers->v[i]);
        if (h->name)
            bind_name(e, h->name, unknown("an exception has no value at compile time"));
        exec_maybe(e, &h->body, &nothing);
    }
    return FLOW_NEXT;
}

/* Exceptions are not followed, so handlers run in two cases only: the body raises for certain
 * (FLOW_RAISE), or an import in it was not found:
 *
 *     try:
 *         import torch                # found or not, weft does not read it: unknown
 *     except ImportError:
 *         torch = None                # runs in "maybe" mode; torch is None from here on
 *
 * The finally block runs always, and its own jump wins, as in Python. */
static flow exec_try(evaluator *e, const node_list *body, const node_list *handlers,
                     const node_list *orelse, const node_list *finalbody)
{
    /* A handler may catch a NameError. */
    e->p->doubt++;
    flow f = exec_block(e, body);
    e->p->doubt--;
    if (f == FLOW_RAISE)
        f = exec_handlers(e, handlers);
    else if (f == FLOW_NEXT) {
        if (imports_unknown(e, body))
            exec_handlers(e, handlers);
        /* The else block runs only after a body that ended normally. */
        f = exec_block(e, orelse);
    }
    flow last = exec_block(e, finalbody);
    return last == FLOW_NEXT ? f : last;
}

/* A function that returns different values from different "maybe" branches has an unknown result:
 *
 *     def pick():
 *         if unknown(): return 1     # first: the result is 1
 *         return 2                   # second: neither is sure */
static flow exec_return(evaluator *e, const ast_Return *n)
{
    value v = n->value ? eval_node(e, n->value) : value_none();
    frame *f = e->frame;
    /* `return` at module level is a syntax error; such a block just ends. */
    if (!f)
        return FLOW_RETURN;
    if (f->has_result && !value_same(&f->result, &v))
        v = unknown(depends);
    f->result = v;
    f->has_result = true;
    return FLOW_RETURN;
}

/* `del name`. In "maybe" mode the name stays, since it may still be there. Deleted items and
 * attributes are not followed. */
static void exec_delete(evaluator *e, const ast_Delete *n)
{
    for (uint32_t i = 0; i < n->targets.n; i++)
        if (n->targets.v[i]->kind == AST_Name && !e->p->maybe)
            ns_remove(e->env, AST(Name, n->targets.v[i])->id);
}

/* `global` and `nonlocal` of a function; both are resolved by is_outer. At module level they have
 * no effect. */
static void exec_outer(evaluator *e, const sym_list *names)
{
    for (uint32_t i = 0; e->env->kind == NS_FUNCTION && i < names->n; i++)
        VEC_PUSH(&e->c->module, &e->env->outer, names->v[i]);
}

/* An expression for its effect: a call. Doc strings need no evaluation. */
static void exec_expr(evaluator *e, const ast_Expr *n)
{
    if (n->value->kind != AST_Constant)
        eval_node(e, n->value);
}

/* The annotation of a function's variable is not evaluated. */
static void exec_ann_assign(evaluator *e, const ast_AnnAssign *n)
{
    if (n->value)
        assign_to(e, n->target, eval_node(e, n->value));
    if (e->env->kind != NS_FUNCTION)
        check_annotation(e, n->annotation);
}

/* One statement. pass, assert and type aliases have no effect on values; a failing assert would
 * raise, which is not followed. */
static flow exec_stmt(evaluator *e, const node *n) /* flat switch */
{
    switch (n->kind) {
    case AST_FunctionDef: exec_function(e, AST(FunctionDef, n)); break;
    case AST_ClassDef: exec_class(e, AST(ClassDef, n)); break;
    case AST_AsyncFunctionDef:
        report_async(e, AST(AsyncFunctionDef, n));
        check_annotations(e, AST(AsyncFunctionDef, n)->args, AST(AsyncFunctionDef, n)->returns);
        bind_name(e, AST(AsyncFunctionDef, n)->name, unknown("weft runs no coroutines"));
        break;
    case AST_Assign: exec_assign(e, AST(Assign, n)); break;
    case AST_AugAssign: exec_augassign(e, AST(AugAssign, n)); break;
    case AST_AnnAssign: exec_ann_assign(e, AST(AnnAssign, n)); break;
    case AST_Expr: exec_expr(e, AST(Expr, n)); break;
    case AST_Import: exec_import(e, AST(Import, n)); break;
    case AST_ImportFrom: exec_import_from(e, AST(ImportFrom, n)); break;
    case AST_If: return exec_if(e, AST(If, n));
    case AST_For: return exec_for(e, AST(For, n));
    case AST_While: return exec_while(e, AST(While, n));
    case AST_With: return exec_with(e, AST(With, n));
    case AST_Try:
        return exec_try(e, &AST(Try, n)->body, &AST(Try, n)->handlers, &AST(Try, n)->orelse,
                        &AST(Try, n)->finalbody);
    case AST_TryStar:
        return exec_try(e, &AST(TryStar, n)->body, &AST(TryStar, n)->handlers,
                        &AST(TryStar, n)->orelse, &AST(TryStar, n)->finalbody);
    case AST_Match: return exec_match(e, AST(Match, n));
    case AST_Return: return exec_return(e, AST(Return, n));
    case AST_Raise: e->p->last_raise = n; return FLOW_RAISE;
    case AST_Break: return FLOW_BREAK;
    case AST_Continue: return FLOW_CONTINUE;
    case AST_Delete: exec_delete(e, AST(Delete, n)); break;
    case AST_Global: exec_outer(e, &AST(Global, n)->names); break;
    case AST_Nonlocal: exec_outer(e, &AST(Nonlocal, n)->names); break;
    default: break;
    }
    return FLOW_NEXT;
}

/* Each statement takes one step of fuel. A block beyond SEMA_DEPTH is left out rather than
 * diagnosed: what it would define is then not defined. */
flow exec_block(evaluator *e, const node_list *body)
{
    WEFT_ASSERT(body != NULL);
    program *p = e->p;
    if (p->depth >= SEMA_DEPTH)
        return FLOW_NEXT;
    p->depth++;
    flow f = FLOW_NEXT;
    for (uint32_t i = 0; i < body->n && f == FLOW_NEXT && p->fuel; i++) {
        p->fuel--;
        f = exec_stmt(e, body->v[i]);
        if (!p->fuel && !p->spent_at && e->env->kind == NS_MODULE && e->env->mod == p->main)
            p->spent_at = body->v[i];
    }
    p->depth--;
    return f;
}
