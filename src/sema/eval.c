/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation of Python expressions: names, literals, containers, operators. Calls, subscripts,
 * comprehensions and f-strings have files of their own. An example, in a module that defines no
 * `flags`:
 *
 *     SIZE = 3 if not {} else None       3
 *     LAST = (1, *[2, 3])[-1]            3
 *     MODE = flags.fast and 2            unknown: 'flags' is not defined here
 *
 * An unknown operand makes the result unknown and keeps the first reason, so a message can name the
 * cause and not a consequence. Work is bounded: eval_node counts one step of fuel per expression
 * and limits the nesting. */
#include "builtin/builtin.h"
#include "sema/sema.h"

static const char no_fuel[] = "evaluating the module takes too many steps";
static const char too_deep[] = "the expression is nested too deeply";

/* An evaluator for the scope alone: no locals and no running function. The program must still be
 * loaded. */
evaluator evaluator_for(ctx *c, const namespace *env)
{
    WEFT_ASSERT(env->mod != NULL);
    const sema_names *t = sema_init(c);
    return (evaluator){.c = c, .p = env->mod->prog, .names = t, .env = (namespace *)(uintptr_t)env};
}

/* Evaluates n in another scope of the same program: an annotation in the scope of its function, for
 * example. */
value eval_in(const evaluator *e, namespace *env, const node *n)
{
    evaluator inner = *e;
    inner.env = env;
    return eval_node(&inner, n);
}

/* Limits: 256 items a container and 4 levels, so that the search stays short; what lies beyond
 * counts as known. */
static const char *unknown_part(const value *v, int depth)
{
    if (v->kind == VALUE_UNKNOWN)
        return v->why;
    if (value_cells_why(v))
        return value_cells_why(v);
    const bool tuple = v->kind == VALUE_TUPLE || v->kind == VALUE_LIST;
    uint32_t n = tuple                                             ? value_count(v)
                 : v->kind == VALUE_STRUCT_INSTANCE && v->type->st ? v->type->st->nfields
                                                                   : 0;
    for (uint32_t i = 0; i < n && n < 256 && depth < 4; i++) {
        const char *why = unknown_part(&value_array(v)[i], depth + 1);
        if (why)
            return why;
    }
    return NULL;
}

/* Why a part of a struct or tuple is not known, or NULL. */
const char *unknown_inside(const value *v)
{
    return unknown_part(v, 0);
}

/* The entry for later stages. Fuel is raised to SEMA_FUEL_LATE, since loading may have spent it. A
 * tuple with an unknown item is unknown as a whole, because the lowering cannot use a part of it.
 */
value eval_expr(ctx *c, const namespace *env, const local_binding *locals, uint32_t nlocals,
                const node *expr)
{
    WEFT_ASSERT(nlocals == 0 || locals != NULL);
    evaluator e = evaluator_for(c, env);
    e.locals = locals;
    e.nlocals = nlocals;
    if (e.p->fuel < SEMA_FUEL_LATE)
        e.p->fuel = SEMA_FUEL_LATE;
    value v = eval_node(&e, expr);
    const char *why = v.kind == VALUE_UNKNOWN ? NULL : unknown_inside(&v);
    return why ? unknown(why) : v;
}

/* A name as Python finds it: locals, enclosing scopes, globals, builtins. If none has it but a
 * scope on the way has an `import *` of an unknown module, that module is the reason. */
static value eval_name(evaluator *e, const ast_Name *n)
{
    const sym *name = n->id;
    value v;
    for (uint32_t i = 0; i < e->nlocals; i++)
        if (e->locals[i].name == name)
            return e->locals[i].value;
    if (env_lookup(e->env, name, &v)) {
        for (uint32_t i = 0; e->p->catchers && i < e->p->unsure.n; i++)
            if (e->p->unsure.v[i] == name)
                may_raise(e, exception_of("NameError"));
        return v;
    }
    const value *known = python_name(e->names, name);
    if (known)
        return *known;
    name_not_found(e, name);
    /* Not found anywhere: an `import *` may be to blame. */
    if (env_star(e->env, &v))
        return v;
    report_undefined(e, n);
    return unknown_text(e->c, "'%.80s' is not defined here", name->s);
}

/* Python's integers have no bound; those beyond 127 bits are CONST_BIGINT and unknown here. Bytes
 * and complex numbers have no value either. */
static value eval_constant(evaluator *e, const constant *k)
{
    switch (k->kind) {
    case CONST_NONE: return value_none();
    case CONST_TRUE: return value_bool(true);
    case CONST_FALSE: return value_bool(false);
    case CONST_INT: return value_int(k->i);
    case CONST_FLOAT: return value_float(k->f);
    case CONST_STR: return value_str(e->c, k->text.p, k->text.n);
    /* A special without handler; tuple_annotation and subscripts recognize it. In a stub it stands
     * for a value that is not said. */
    case CONST_ELLIPSIS:
        if (e->env->mod && e->env->mod->is_stub)
            return unknown(STUB_SILENT);
        return (value){.kind = VALUE_SPECIAL, .n = SP_none, .s = e->names->s_ellipsis};
    case CONST_BIGINT: return unknown("the integer is too large");
    default: return unknown("weft has no values of this literal's type");
    }
}

/* The items of a display, with *x unpacked: `(1, *[2, 3])` has three. An unknown item stays in its
 * place; an unknown `*x` makes the whole display unknown, since its length is. */
static value eval_items(evaluator *e, value_kind kind, const node_list *elts)
{
    WEFT_ASSERT(kind == VALUE_TUPLE || kind == VALUE_LIST);
    VEC(value) out = {0};
    for (uint32_t i = 0; i < elts->n; i++) {
        const node *n = elts->v[i];
        if (n->kind != AST_Starred) {
            VEC_PUSH(&e->c->module, &out, eval_node(e, n));
            continue;
        }
        value v = eval_node(e, AST(Starred, n)->value);
        const value *items;
        uint32_t count;
        /* The length is unknown, so the display is. */
        if (!value_iterate(e->c, &v, &items, &count)) {
            may_raise_any(e);
            return v.kind == VALUE_UNKNOWN ? v : unknown("what is unpacked is not known");
        }
        for (uint32_t k = 0; k < count; k++)
            VEC_PUSH(&e->c->module, &out, items[k]);
    }
    return kind == VALUE_LIST ? value_list(e->c, out.v, out.n) : value_items(kind, out.v, out.n);
}

/* A key of a dict or item of a set: Python refuses lists, dicts and sets. */
static value key_of(evaluator *e, value v)
{
    if (value_has_cells(&v) && value_is_set(&v))
        may_raise_any(e); /* no frozenset */
    else if (value_has_cells(&v))
        raise_exception(e, exception_of("TypeError"));
    return v;
}

/* A key of NULL is `**other`. Later keys replace earlier ones and keep their place, as in Python.
 */
static value eval_dict(evaluator *e, const ast_Dict *n)
{
    WEFT_ASSERT(n->keys.n == n->values.n);
    VEC(value) out = {0};
    for (uint32_t i = 0; i < n->keys.n; i++) {
        /* Python evaluates the key first; the order shows only with `:=`. */
        value v = eval_node(e, n->values.v[i]);
        if (n->keys.v[i]) {
            VEC_PUSH(&e->c->module, &out, key_of(e, eval_node(e, n->keys.v[i])));
            VEC_PUSH(&e->c->module, &out, v);
            continue;
        }
        if (v.kind != VALUE_DICT || value_cells_why(&v)) {
            may_raise_any(e);
            return v.kind == VALUE_UNKNOWN ? v : unknown("what is unpacked is not known");
        }
        for (uint32_t k = 0; k < 2 * value_count(&v); k++)
            VEC_PUSH(&e->c->module, &out, value_array(&v)[k]);
    }
    return items_unique(e->c, VALUE_DICT, out.v, out.n / 2);
}

/* Is it a constant to CPython's compiler? Numbers with operators are. */
static bool is_constant_node(const node *n)
{
    if (n->kind == AST_UnaryOp)
        return is_constant_node(AST(UnaryOp, n)->operand);
    if (n->kind == AST_BinOp)
        return is_constant_node(AST(BinOp, n)->left) && is_constant_node(AST(BinOp, n)->right);
    return n->kind == AST_Constant;
}

/* How CPython builds a set of these items. */
static void note_set_order(const node_list *elts, value_cells *set)
{
    bool fixed = true;
    for (uint32_t i = 0; i < elts->n; i++) {
        fixed = fixed && is_constant_node(elts->v[i]);
        if (elts->v[i]->kind == AST_Starred)
            set->order = SET_UNORDERED;
    }
    if (fixed) {
        set->order = SET_CONSTANT;
        set->first = set->n;
    }
}

/* A set is a list without repetitions here, in order of first occurrence. */
static value eval_set(evaluator *e, const ast_Set *n)
{
    value all = eval_items(e, VALUE_TUPLE, &n->elts);
    if (all.kind == VALUE_UNKNOWN)
        return all;
    for (uint32_t i = 0; i < all.n; i++)
        (void)key_of(e, all.items[i]);
    const value set = set_of(e->c, all.items, all.n);
    note_set_order(&n->elts, set.cells);
    return set;
}

/* What Python evaluates if a condition holds that is not known, if it is a call that changes a
 * container: `names and names.pop()`. */
static void eval_unsure(evaluator *e, const node *n)
{
    program *p = e->p;
    const node *f = n->kind == AST_Call ? AST(Call, n)->func : NULL;
    if (!f || f->kind != AST_Attribute || !method_changes(AST(Attribute, f)->attr))
        return;
    const maybe_mode before = p->maybe;
    maybe_begin(p);
    p->doubt++;
    eval_node(e, n);
    p->doubt--;
    p->maybe = before;
    branch_ended(e);
}

/* Returns the deciding operand itself, as Python does: `None or 3` is 3. An unknown operand ends
 * it. */
static value eval_bool_op(evaluator *e, const ast_BoolOp *n)
{
    value v = value_none();
    for (uint32_t i = 0; i < n->values.n; i++) {
        v = eval_node(e, n->values.v[i]);
        int truth = value_truth(&v);
        for (uint32_t k = i + 1; truth < 0 && k < n->values.n; k++)
            eval_unsure(e, n->values.v[k]);
        if (truth < 0 || truth == (n->op == OP_Or))
            return v;
    }
    return v;
}

/* `a < b < c` is `a < b and b < c` with b evaluated once. The first comparison that is not true, or
 * not known, is the result and ends the evaluation. */
static value eval_compare(evaluator *e, const ast_Compare *n)
{
    WEFT_ASSERT(n->ops.n == n->comparators.n && n->ops.n > 0);
    value left = eval_node(e, n->left), r = value_bool(true);
    for (uint32_t i = 0; i < n->ops.n; i++) {
        value right = eval_node(e, n->comparators.v[i]);
        r = op_compare(e->c, (ast_op)n->ops.v[i], &left, &right);
        if (value_truth(&r) != 1)
            return r;
        left = right;
    }
    return r;
}

static value eval_attribute(evaluator *e, const ast_Attribute *n)
{
    const value obj = eval_node(e, n->value);
    return attribute_of(e, n, &obj);
}

static value not_in_warp(ctx *c, const sym *name)
{
    const char *near = builtin_find(c, name) ? NULL : warp_similar(c, name);
    return near ? unknown_text(c, "warp has no attribute '%.80s'; did you mean '%.80s'?", name->s,
                               near)
                : unknown_text(c, "warp has no attribute '%.80s'", name->s);
}

value attribute_of(evaluator *e, const ast_Attribute *n, const value *obj)
{
    value v;
    if (obj->kind == VALUE_UNKNOWN) {
        may_raise_any(e);
        return *obj;
    }
    if (value_has_cells(obj) && method_changes(n->attr))
        container_lose(obj, "weft does not follow its methods where they are no calls");
    if (value_getattr(e->c, obj, n->attr, &v) && !is_only_called(&v)) {
        /* What an object holds is there, though its value is not known. */
        if (v.kind == VALUE_UNKNOWN && !(has_attributes(obj) && ns_find(obj->ns, n->attr)))
            may_raise_any(e);
        return v;
    }
    attribute_not_found(e, obj, n->attr);
    report_no_attribute(e, n, obj);
    if (obj->kind == VALUE_WARP && obj->s == e->names->s_warp &&
        warp_name_side(n->attr) == WARP_NOWHERE)
        return not_in_warp(e->c, n->attr);
    if (obj->kind == VALUE_WARP && strcmp(obj->s->s, "numpy") == 0) {
        v = unknown_text(e->c, "weft does not evaluate numpy.%.80s", n->attr->s);
        v.n = UNKNOWN_NUMPY;
        return v;
    }
    return unknown_text(e->c, "weft knows no attribute '%.80s' here", n->attr->s);
}

/* A lambda keeps its scope and the values of its defaults. Keyword-only defaults of a lambda are
 * not kept: such a parameter is unknown if the call does not give it. */
static value eval_lambda(evaluator *e, const ast_Lambda *n)
{
    const ast_arguments *args = AST(arguments, n->args);
    py_func *f = ARENA_NEW(&e->c->module, py_func);
    f->kind = PY_DEF;
    f->name = e->names->s_lambda;
    f->lambda = n;
    f->env = e->env;
    f->defaults = eval_items(e, VALUE_TUPLE, &args->defaults).items;
    return (value){.kind = VALUE_PYFUNC, .p = f};
}

/* Only the chosen branch is evaluated. If the condition is unknown, so is the result, even where
 * both branches would agree. */
static value eval_ifexp(evaluator *e, const ast_IfExp *n)
{
    value test = eval_node(e, n->test);
    int truth = value_truth(&test);
    if (truth >= 0)
        return eval_node(e, truth ? n->body : n->orelse);
    eval_unsure(e, n->body);
    eval_unsure(e, n->orelse);
    return test.kind == VALUE_UNKNOWN ? test : unknown("the condition is not known");
}

static value eval_binop(evaluator *e, const ast_BinOp *n)
{
    value a = eval_node(e, n->left), b = eval_node(e, n->right);
    return op_binary(e->c, (ast_op)n->op, &a, &b);
}

/* `(name := x)` binds the name in the current scope. */
static value eval_named(evaluator *e, const ast_NamedExpr *n)
{
    value v = eval_node(e, n->value);
    assign_to(e, n->target, v);
    return v;
}

/* The function is a generator, so its result is unknown whatever it returns. */
static value eval_yield(evaluator *e, const node *n)
{
    if (e->frame && e->frame->with && n->kind == AST_Yield) {
        const node *given = AST(Yield, n)->value;
        if (with_yield(e, e->frame->with, given ? eval_node(e, given) : value_none()))
            return value_none();
    }
    if (e->frame)
        e->frame->is_generator = true;
    return unknown("weft runs no generators");
}

/* Dispatch on the kind of node. Needs: fuel and depth are counted by eval_node. Await and starred
 * expressions outside of displays have no rule. */
static value eval_kind(evaluator *e, const node *n)
{
    value v;
    switch (n->kind) {
    case AST_Name: return eval_name(e, AST(Name, n));
    case AST_Constant: return eval_constant(e, &AST(Constant, n)->value);
    case AST_Attribute: return eval_attribute(e, AST(Attribute, n));
    case AST_Call: return eval_call(e, AST(Call, n));
    case AST_Subscript: return eval_subscript(e, AST(Subscript, n));
    case AST_BinOp: return eval_binop(e, AST(BinOp, n));
    case AST_UnaryOp:
        v = eval_node(e, AST(UnaryOp, n)->operand);
        return op_unary(e->c, (ast_op)AST(UnaryOp, n)->op, &v);
    case AST_BoolOp: return eval_bool_op(e, AST(BoolOp, n));
    case AST_Compare: return eval_compare(e, AST(Compare, n));
    case AST_IfExp: return eval_ifexp(e, AST(IfExp, n));
    case AST_Tuple: return eval_items(e, VALUE_TUPLE, &AST(Tuple, n)->elts);
    case AST_List: return eval_items(e, VALUE_LIST, &AST(List, n)->elts);
    case AST_Set: return eval_set(e, AST(Set, n));
    case AST_Dict: return eval_dict(e, AST(Dict, n));
    case AST_Lambda: return eval_lambda(e, AST(Lambda, n));
    case AST_NamedExpr: return eval_named(e, AST(NamedExpr, n));
    case AST_JoinedStr: return eval_joined(e, AST(JoinedStr, n));
    case AST_ListComp:
    case AST_SetComp:
    case AST_DictComp:
    case AST_GeneratorExp: return eval_comprehension(e, n);
    case AST_Yield:
    case AST_YieldFrom: return eval_yield(e, n);
    default: return unknown("weft does not evaluate this kind of expression");
    }
}

/* May the operation of this node itself raise, where its result is not known? Calls, attributes and
 * subscripts tell by themselves. */
static bool is_operation(const node *n)
{
    switch (n->kind) {
    case AST_BinOp:
    case AST_UnaryOp:
    case AST_JoinedStr:
    case AST_ListComp:
    case AST_SetComp:
    case AST_DictComp:
    case AST_GeneratorExp:
    case AST_Await:
    case AST_Yield:
    case AST_YieldFrom:
    case AST_Starred: return true;
    case AST_Compare: {
        const ast_Compare *k = AST(Compare, n);
        return k->ops.n > 1 || (k->ops.v[0] != OP_Is && k->ops.v[0] != OP_IsNot);
    }
    default: return false;
    }
}

/* The only entry of recursion over expressions. It takes one step of fuel and one level of depth.
 * The depth is restored, so it balances on every path. */
value eval_node(evaluator *e, const node *n)
{
    WEFT_ASSERT(n != NULL);
    program *p = e->p;
    if (p->raising)
        return unknown("an exception is raised before");
    if (!p->fuel || p->depth >= SEMA_DEPTH)
        may_raise_any(e);
    if (!p->fuel)
        return unknown(no_fuel);
    if (p->depth >= SEMA_DEPTH)
        return unknown(too_deep);
    /* Checked above: fuel is unsigned and must not wrap. */
    p->fuel--;
    p->depth++;
    value v = eval_kind(e, n);
    p->depth--;
    if (v.kind == VALUE_UNKNOWN && p->catchers && is_operation(n))
        may_raise_any(e);
    if (v.kind == VALUE_COMPOSITE && composite_is_lost(p, &v))
        return unknown("a component is assigned that weft cannot follow");
    return value_has_cells(&v) ? value_now(e->c, v) : v;
}
