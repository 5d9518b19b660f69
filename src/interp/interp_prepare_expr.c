/* SPDX-License-Identifier: Apache-2.0 */
/* Preparation of expressions: names become slots or constants, and each form of Python that kernels
 * can use becomes a node; any other becomes a node that refuses when it is reached.
 *
 *     SCALE * x[i]      op mul (constant 2.0, index (slot x, slot i))
 */
#include <stdarg.h>

#include "base/format.h"
#include "interp/interp_internal.h"

/* The kids are set by the caller. */
inode *prepare_node(prepare *p, const node *at, inode_fn *eval, uint32_t kids)
{
    WEFT_ASSERT(kids <= UINT16_MAX);
    inode *n = ARENA_NEW(p->in->a, inode);
    n->eval = eval;
    n->at = at;
    n->n = (uint16_t)kids;
    n->kid = kids ? arena_zero(p->in->a, kids * sizeof *n->kid) : NULL;
    return n;
}

/* A node that ends the run with a message when it is evaluated. */
static inode *end_node(prepare *p, const node *at, inode_fn *eval, const char *fmt, va_list args)
{
    char text[256];
    format_text_v(text, sizeof text, fmt, args);
    inode *n = prepare_node(p, at, eval, 0);
    n->aux = arena_dup(p->in->a, text, strlen(text));
    return n;
}

/* For faults that Python would meet when it gets there. */
inode *prepare_fail(prepare *p, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    inode *n = end_node(p, at, interp_eval_fail, fmt, args);
    va_end(args);
    return n;
}

/* For what the interpreter cannot execute. */
inode *prepare_refuse(prepare *p, const node *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    inode *n = end_node(p, at, interp_eval_refuse, fmt, args);
    va_end(args);
    return n;
}

/* Functions and types have no bytes: the node gives them as objects. */
inode *prepare_constant(prepare *p, const node *at, const value *v)
{
    inode *n = prepare_node(p, at, interp_eval_constant, 0);
    value *kept = ARENA_NEW(p->in->a, value);
    *kept = v->kind == VALUE_ENUM ? value_int(v->i) : *v;
    if (interp_constant(p->in, kept, &n->v)) {
        n->known = value_is_number(kept) ? kept : NULL;
    } else {
        if (kept->kind == VALUE_UNKNOWN)
            return prepare_refuse(p, at, "this: %s",
                                  kept->why ? kept->why : "its value is not known");
        n->v = (iv){.object = kept};
    }
    return n;
}

/* None and bytes are no values of kernels. */
static bool literal_value(ctx *c, const ast_Constant *n, value *out)
{
    switch (n->value.kind) {
    case CONST_TRUE:
    case CONST_FALSE: *out = value_bool(n->value.kind == CONST_TRUE); return true;
    case CONST_INT: *out = value_int(n->value.i); return true;
    case CONST_FLOAT: *out = value_float(n->value.f); return true;
    case CONST_STR:
        *out =
            (value){.kind = VALUE_STR, .s = sym_intern(&c->syms, n->value.text.p, n->value.text.n)};
        return true;
    default: return false;
    }
}

/* The value of an expression that is known before the run: a literal, a name that the function does
 * not assign to, or an attribute of such a name. A name of the function hides one of the module. */
bool prepare_static(prepare *p, const node *n, value *out)
{
    if (n->kind == AST_Constant)
        return literal_value(p->in->c, AST(Constant, n), out);
    if (n->kind == AST_Name) {
        const sym *name = AST(Name, n)->id;
        return !prepare_find(p, name) &&
               (env_lookup(p->code->env, name, out) || warp_or_python_name(p->in->c, name, out));
    }
    value owner;
    return n->kind == AST_Attribute && prepare_static(p, AST(Attribute, n)->value, &owner) &&
           value_getattr(p->in->c, &owner, AST(Attribute, n)->attr, out);
}

/* A local name, else an object of the module. */
static inode *name_node(prepare *p, const node *at)
{
    const sym *name = AST(Name, at)->id;
    islot *s = prepare_find(p, name);
    value v;
    if (s) {
        inode *n = prepare_node(p, at, interp_eval_slot, 0);
        n->kind = NODE_SLOT;
        n->slot = s;
        n->aux = name;
        n->known = s->known;
        return n;
    }
    if (prepare_static(p, at, &v))
        return prepare_constant(p, at, &v);
    return prepare_fail(p, at, "'%s' is read before anything is assigned to it", name->s);
}

/* Numbers, True, False and strings. */
static inode *literal_node(prepare *p, const node *at)
{
    value v;
    if (!literal_value(p->in->c, AST(Constant, at), &v))
        return prepare_refuse(p, at, "a literal of this kind");
    return prepare_constant(p, at, &v);
}

/* A path such as wp.PI is a constant; anything else is looked up in the value when it is there. */
static inode *attribute_node(prepare *p, const node *at)
{
    value v;
    if (prepare_static(p, at, &v))
        return prepare_constant(p, at, &v);
    inode *n = prepare_node(p, at, interp_eval_attribute, 1);
    n->kid[0] = prepare_expr(p, AST(Attribute, at)->value);
    n->kind = NODE_ATTRIBUTE;
    n->aux = AST(Attribute, at)->attr;
    return n;
}

/* a:b:c. Its three bounds lie in n->v.p, those that are missing with marks of their own. */
static inode *slice_node(prepare *p, const node *at)
{
    const ast_Slice *s = AST(Slice, at);
    inode *n = prepare_node(p, at, interp_eval_slice, 3);
    int64_t *bounds = ARENA_ARRAY(p->in->a, int64_t, 3);
    bounds[0] = SLICE_BEGIN;
    bounds[1] = SLICE_END;
    bounds[2] = 1;
    n->kid[0] = s->lower ? prepare_expr(p, s->lower) : NULL;
    n->kid[1] = s->upper ? prepare_expr(p, s->upper) : NULL;
    n->kid[2] = s->step ? prepare_expr(p, s->step) : NULL;
    n->kind = NODE_SLICE;
    n->v = (iv){.type = type_slice(p->in->c, NULL), .p = bounds};
    return n;
}

/* kid[0] is the array or composite, the indices follow.
 *
 *     a[i]       kids a, i         a[i, 1:]   kids a, i, a slice
 *     a[i][j]    kids a[i], j */
static inode *subscript_node(prepare *p, const node *at)
{
    const ast_Subscript *s = AST(Subscript, at);
    const bool many = s->slice->kind == AST_Tuple;
    const uint32_t count = many ? AST(Tuple, s->slice)->elts.n : 1;
    if (s->value->kind == AST_Attribute &&
        strcmp(AST(Attribute, s->value)->attr->s, "adjoint") == 0)
        return prepare_refuse(p, at, "wp.adjoint");
    if (count < 1 || count > LAUNCH_DIMS)
        return prepare_refuse(p, at, "so many indices");
    inode *n = prepare_node(p, at, interp_eval_index, count + 1);
    n->kind = NODE_INDEX;
    n->kid[0] = prepare_expr(p, s->value);
    for (uint32_t i = 0; i < count; i++)
        n->kid[i + 1] = prepare_expr(p, many ? AST(Tuple, s->slice)->elts.v[i] : s->slice);
    return n;
}

/* Room for the node's own bool. */
static void with_bool(prepare *p, inode *n)
{
    n->v = (iv){.type = type_scalar(p->in->c, TYPE_BOOL), .p = arena_zero(p->in->a, 1)};
}

/* a < b < c: kids a, b, c, and the operators in aux. Each is evaluated once.
 *
 *     0.0 < x        kids 0.0, x; op <
 *     0.0 < x < n    kids 0.0, x, n; aux {<, <} */
static inode *compare_node(prepare *p, const node *at)
{
    const ast_Compare *c = AST(Compare, at);
    if (c->comparators.n >= INTERP_ARGS)
        return prepare_refuse(p, at, "so many comparisons");
    inode *n = prepare_node(p, at, interp_eval_compare, c->comparators.n + 1);
    n->op = c->ops.v[0];
    n->aux = &c->ops;
    with_bool(p, n);
    n->kid[0] = prepare_expr(p, c->left);
    for (uint32_t i = 0; i < c->comparators.n; i++)
        n->kid[i + 1] = prepare_expr(p, c->comparators.v[i]);
    return n;
}

/* `and` and `or` of any number of operands.
 *
 *     i < n and x[i] > 0.0 */
static inode *bool_node(prepare *p, const node *at)
{
    const node_list *values = &AST(BoolOp, at)->values;
    inode *n = prepare_node(p, at, interp_eval_bool, values->n);
    n->op = AST(BoolOp, at)->op;
    with_bool(p, n);
    for (uint32_t i = 0; i < values->n; i++)
        n->kid[i] = prepare_expr(p, values->v[i]);
    return n;
}

/* A user's function named as an operator ("add") goes before the builtin. */
static const func *user_operator(prepare *p, int op)
{
    const char *text = interp_operator(op);
    const sym *name = text ? sym_find(&p->in->c->syms, text, strlen(text)) : NULL;
    value v;
    return name && env_lookup(p->code->env, name, &v) && v.kind == VALUE_FUNC ? v.p : NULL;
}

/* b NULL: a unary operator. A user's function of the operator's name is tried first. */
inode *prepare_operator(prepare *p, const node *at, int op, inode *a, inode *b)
{
    WEFT_ASSERT(op >= 0 && op < OP_COUNT && a);
    inode *n = prepare_node(p, at, interp_eval_op, b ? 2 : 1);
    n->op = (uint8_t)op;
    n->kid[0] = a;
    if (b) {
        n->kid[1] = b;
        n->aux = user_operator(p, op);
    }
    return n;
}

/* -v of a constant is a constant: Warp 1.19 emit_UnaryOp. */
static inode *unary_node(prepare *p, const node *at)
{
    const int op = AST(UnaryOp, at)->op;
    inode *a = prepare_expr(p, AST(UnaryOp, at)->operand);
    const value *k = a->known;
    if (op == OP_USub && k && k->kind != VALUE_SCALAR && value_is_number(k)) {
        const value v = k->kind == VALUE_FLOAT ? value_float(-k->f) : value_int(-k->i);
        return prepare_constant(p, at, &v);
    }
    if (op != OP_Not)
        return prepare_operator(p, at, op, a, NULL);
    inode *n = prepare_node(p, at, interp_eval_not, 1);
    n->kid[0] = a;
    with_bool(p, n);
    return n;
}

/* a if c else b: kids c, a, b.
 *
 *     x[i] if i < n else 0.0     x[i] is never read out of bounds */
static inode *choice_node(prepare *p, const node *at)
{
    inode *n = prepare_node(p, at, interp_eval_choice, 3);
    n->kid[0] = prepare_expr(p, AST(IfExp, at)->test);
    n->kid[1] = prepare_expr(p, AST(IfExp, at)->body);
    n->kid[2] = prepare_expr(p, AST(IfExp, at)->orelse);
    return n;
}

/* A display of constants is one, too: a name may be given to the shape of a tile. */
static const value *known_tuple(prepare *p, const inode *n)
{
    value *items = ARENA_ARRAY(p->in->a, value, n->n + 1u), *v = ARENA_NEW(p->in->a, value);
    for (uint32_t i = 0; i < n->n; i++) {
        if (!n->kid[i]->known)
            return NULL;
        items[i] = *n->kid[i]->known;
    }
    *v = (value){.kind = VALUE_TUPLE, .items = items, .n = n->n};
    return v;
}

/* The node has room for the items' values, in a row. */
static inode *tuple_node(prepare *p, const node *at)
{
    const node_list *elts = &AST(Tuple, at)->elts;
    if (elts->n > INTERP_ARGS)
        return prepare_refuse(p, at, "a tuple of so many items");
    inode *n = prepare_node(p, at, interp_eval_tuple, elts->n);
    n->v.p = arena_zero(p->in->a, (elts->n + 1) * sizeof(iv));
    for (uint32_t i = 0; i < elts->n; i++)
        n->kid[i] = prepare_expr(p, elts->v[i]);
    n->known = known_tuple(p, n);
    return n;
}

/* Expressions that kernels cannot have are refused when they are reached. */
static inode *any_node(prepare *p, const node *n)
{
    switch (n->kind) {
    case AST_Constant: return literal_node(p, n);
    case AST_Name: return name_node(p, n);
    case AST_Attribute: return attribute_node(p, n);
    case AST_Subscript: return subscript_node(p, n);
    case AST_Slice: return slice_node(p, n);
    case AST_Call: return prepare_call(p, AST(Call, n), 0);
    case AST_Compare: return compare_node(p, n);
    case AST_BoolOp: return bool_node(p, n);
    case AST_UnaryOp: return unary_node(p, n);
    case AST_IfExp: return choice_node(p, n);
    case AST_Tuple: return tuple_node(p, n);
    case AST_BinOp: {
        inode *a = prepare_expr(p, AST(BinOp, n)->left);
        inode *b = prepare_expr(p, AST(BinOp, n)->right);
        return prepare_operator(p, n, AST(BinOp, n)->op, a, b);
    }
    default:
        return prepare_refuse(p, n, "an expression of class %s",
                              node_kind_name((node_kind)n->kind));
    }
}

/* Counts nesting, so that neither preparation nor evaluation overflows the C stack. */
inode *prepare_expr(prepare *p, const node *n)
{
    if (p->nesting > INTERP_NESTING)
        return prepare_fail(p, n, "the expression is nested too deeply");
    if (++p->nesting > p->deepest)
        p->deepest = p->nesting;
    inode *made = any_node(p, n);
    WEFT_ASSERT(made && p->nesting > 0);
    p->nesting--;
    return made;
}
