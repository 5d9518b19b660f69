/* SPDX-License-Identifier: Apache-2.0 */
/* Struct constructors, starred arguments and the special forms wp.static and wp.address_of: Warp
 * 1.19 Struct.__init__ (constructors), unpack_starred, emit_address_of, evaluate_static_expression.
 *
 *     P(1.0, n=2.0)      ->   CALL %3, @P_c371fe8a, %1, %2
 *     wp.vec3(*x)        ->   CALL %5, @wp::extract, %x, %4
 *                             CALL %7, @wp::extract, %x, %6
 *                             CALL %9, @wp::extract, %x, %8
 *                             CALL %10, @wp::vec_t<3, wp::float32>, %5, %7, %9
 *     wp.static(2 + 3)   ->   no statement: a constant, %12 = 5
 */
#include "base/format.h"
#include "ir/lower.h"

/* nfields: the struct has no such field. */
static uint32_t field_index(const struct_def *st, const sym *name)
{
    uint32_t i = 0;
    while (i < st->nfields && st->fields[i].name != name)
        i++;
    return i;
}

/* No conversion: the value has the field's type. */
static bool field_takes(const type *field, const call_arg *a)
{
    if (a->kind != ARG_VAR)
        return false;
    const type *t = type_strip_ref(a->type);
    return type_matches(field, t);
}

/* What is wrong with the arguments: a name that is no field, their number, or a type. */
static _Noreturn void refuse_fields(lower *l, const node *at, const struct_def *st,
                                    const call_args *a)
{
    const uint32_t given = a->args.n + a->kwargs.n;
    for (uint32_t i = 0; i < a->kwargs.n; i++)
        if (field_index(st, a->kwargs.v[i].name) == st->nfields)
            lower_error(l, at, NO_STRUCT_FIELD, a->kwargs.v[i].name->s, st->name->s,
                        field_list(l, st));
    for (uint32_t i = 0; given == st->nfields && i < given; i++) {
        const bool named = i >= a->args.n;
        const uint32_t f = named ? field_index(st, a->kwargs.v[i - a->args.n].name) : i;
        const call_arg *arg = named ? &a->kwargs.v[i - a->args.n].arg : &a->args.v[i];
        if (arg->kind != ARG_VAR || field_takes(st->fields[f].type, arg))
            continue;
        const type *t = type_strip_ref(arg->type);
        lower_error(l, at, STRUCT_FIELD_TYPE, st->fields[f].name->s, st->name->s,
                    (int)st->fields[f].type->pyname.n, st->fields[f].type->pyname.p,
                    (int)t->pyname.n, t->pyname.p);
    }
    lower_error(l, at, STRUCT_ARGUMENTS, st->name->s, st->nfields, plural_s(st->nfields),
                field_list(l, st));
}

/* The arguments by field, positional ones first; every field must be given once. */
static uint32_t *bind_fields(lower *l, const node *at, const struct_def *st, const call_args *a)
{
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, st->nfields + 1);
    memset(vars, 0xff, (st->nfields + 1) * sizeof *vars);
    uint32_t given = a->args.n + a->kwargs.n;
    bool ok = given == st->nfields;
    for (uint32_t i = 0; ok && i < given; i++) {
        uint32_t f = i < a->args.n ? i : field_index(st, a->kwargs.v[i - a->args.n].name);
        const call_arg *arg = i < a->args.n ? &a->args.v[i] : &a->kwargs.v[i - a->args.n].arg;
        ok = f < st->nfields && vars[f] == NO_VAR && field_takes(st->fields[f].type, arg);
        if (ok)
            vars[f] = arg->var;
    }
    if (!ok)
        refuse_fields(l, at, st, a);
    return vars;
}

/* P() without arguments leaves the fields to C++'s default constructor. */
operand construct_struct(lower *l, const ast_Call *n, const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_STRUCT);
    const struct_def *st = t->st;
    lower_use_struct(l->job, st);
    call_args a;
    lower_call_args(l, n, &a);
    uint32_t count = a.args.n + a.kwargs.n ? st->nfields : 0;
    uint32_t *fields = count ? bind_fields(l, &n->base, st, &a) : NULL;
    uint32_t out = add_var(l, t);
    emitted_arg *args = ARENA_ARRAY(&l->c->ir, emitted_arg, count + 1);
    for (uint32_t i = 0; i < count; i++)
        args[i] = (emitted_arg){.forward = load(l, fields[i]), .reverse = fields[i]};
    emitted_call call = {.callee = callee_of_type(l, t),
                         .args = args,
                         .nargs = count,
                         .results = &out,
                         .nresults = 1,
                         .differentiable = true};
    emit_call(l, &call);
    return operand_var(out);
}

/* A value of a C++ type that the program registers: Warp 1.19 emit_native_type_constructor. All
 * fields, or none. */
operand construct_native(lower *l, const ast_Call *n, const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_NATIVE && t->native->external);
    const native_def *d = t->native;
    const struct_def fields = {
        .name = sym_c(&l->c->syms, d->name), .fields = d->fields, .nfields = d->nfields};
    call_args a;
    lower_call_args(l, n, &a);
    if (!(a.args.n + a.kwargs.n)) {
        const uint32_t out = add_var(l, t);
        FORWARD(l, CONSTRUCT_DEFAULT, arg_var(out), ir_arg_type(l->c, l->u, t));
        return operand_var(out);
    }
    if (!d->external->aggregate)
        lower_error(l, &n->base, NO_AGGREGATE, d->cname);
    const uint32_t *vars = bind_fields(l, &n->base, &fields, &a);
    ir_arg *args = ARENA_ARRAY(&l->c->ir, ir_arg, (size_t)d->nfields + 2);
    for (uint32_t i = 0; i < d->nfields; i++)
        args[i + 2] = arg_var(load(l, vars[i]));
    const uint32_t out = add_var(l, t);
    args[0] = arg_var(out);
    args[1] = ir_arg_type(l->c, l->u, t);
    add_forward(l, IR_CONSTRUCT, args, d->nfields + 2);
    return operand_var(out);
}

/* *v and *v[1:3] of a vector, *a[0:2] of an array: the number of values must be known, and of an
 * array only a slice's bounds state it. Bounds are those of const_slice. */
const uint32_t *unpack_starred(lower *l, const ast_Starred *n, uint32_t *count)
{
    const node *x = n->value;
    bool sliced = x->kind == AST_Subscript && AST(Subscript, x)->slice->kind == AST_Slice;
    uint32_t target = lower_value(l, sliced ? AST(Subscript, x)->value : x);
    const type *t = var_value_type(l, target);
    bool array = t->kind == TYPE_ARRAY;
    int64_t b[3] = {0, t->rows, 1};
    if ((!array && !type_is_composite(t)) || (array && (!sliced || t->ndim != 1)))
        lower_error(l, &n->base, STARRED_OPERAND, (int)t->pyname.n, t->pyname.p);
    if (sliced)
        const_slice(l, AST(Subscript, x)->slice, array ? -1 : t->rows, b);
    VEC(uint32_t) out = {0};
    const builtin *get = array ? l->names->b_address : l->names->b_extract;
    WEFT_ASSERT(b[2] != 0);
    for (int64_t i = b[0]; b[2] > 0 ? i < b[1] : i > b[1]; i += b[2]) {
        uint32_t index = add_constant(l, value_int(i));
        VEC_PUSH(&l->c->ir, &out, call2(l, &n->base, get, target, index));
    }
    if (!out.n)
        lower_error(l, &n->base, STARRED_EMPTY);
    *count = out.n;
    return out.v;
}

/* The address of storage as a number; it has no adjoint. */
static operand address_of(lower *l, const ast_Call *n)
{
    if (n->args.n != 1 || n->keywords.n)
        lower_error(l, &n->base, ONE_ARGUMENT, "wp.address_of");
    uint32_t ref = addressable(l, &n->base, n->args.v[0], NO_VAR, NULL);
    uint32_t out = add_var(l, type_scalar(l->c, TYPE_UINT64));
    FORWARD(l, ADDRESS_OF, arg_var(out), arg_var(ref));
    return operand_var(out);
}

bool is_static_call(lower *l, const node *n)
{
    value v;
    const sym *missing;
    return n->kind == AST_Call && static_path(l, AST(Call, n)->func, &v, &missing) && !missing &&
           v.kind == VALUE_SPECIAL && strcmp(v.s->s, "static") == 0;
}

/* A walk over the expression of wp.static for variables of the kernel. */
typedef struct static_walk {
    lower *l;
    sym_set bound; /* by the expression itself: comprehensions, lambdas */
    bool names;    /* collects `bound` */
} static_walk;

/* Warp 1.19 evaluate_static_expression: a variable stands for its type within len(...), where only
 * the type counts. Elsewhere its name is not defined. */
static void check_static_names(void *arg, const node *n)
{
    static_walk *w = arg;
    lower *l = w->l;
    value other;
    if (n->kind == AST_Call && AST(Call, n)->func->kind == AST_Name &&
        strcmp(AST(Name, AST(Call, n)->func)->id->s, "len") == 0)
        return;
    if (n->kind == AST_Name) {
        const sym *name = AST(Name, n)->id;
        const binding *b = scope_find(l, &l->scope, name);
        if (w->names && AST(Name, n)->ctx == CTX_Store)
            sym_set_add(l, &w->bound, name);
        if (!w->names && b && b->var != NO_VAR && !var_constant(l, b->var) &&
            !sym_set_has(&w->bound, name) && !env_lookup(l->code->env, name, &other))
            lower_error(l, n, STATIC_VARIABLE, name->s);
    }
    if (w->names && n->kind == AST_arg)
        sym_set_add(l, &w->bound, AST(arg, n)->arg);
    ast_each_child(n, check_static_names, w);
}

typedef struct node_queue {
    arena *a;
    VEC(const node *) all;
} node_queue;

static void queue_child(void *arg, const node *n)
{
    node_queue *q = arg;
    VEC_PUSH(q->a, &q->all, n);
}

/* Warp 1.19 evaluate_static_expression writes the lengths into the text of the expression in the
 * order of ast.walk, which is level by level. False: that is not the order of the text, so Warp
 * evaluates another text: of `len(a) * 10 + len(b)` with two items each `len(a) * 10 + 22 * 10 +
 * len(b)`. */
static bool lengths_in_order(lower *l, const node *expr)
{
    const arena_mark mark = arena_save(&l->c->scratch);
    node_queue q = {.a = &l->c->scratch};
    const node *last = NULL;
    bool in_order = true;
    queue_child(&q, expr);
    for (uint32_t i = 0; i < q.all.n && in_order; i++) {
        const node *n = q.all.v[i], *f = n->kind == AST_Call ? AST(Call, n)->func : NULL;
        if (f && f->kind == AST_Name && strcmp(AST(Name, f)->id->s, "len") == 0 &&
            AST(Call, n)->args.n == 1) {
            in_order = !last || n->line > last->end_line ||
                       (n->line == last->end_line && n->col >= last->end_col);
            last = n;
        }
        ast_each_child(n, queue_child, &q);
    }
    ctx_spend(l->c, q.all.n);
    arena_rewind(&l->c->scratch, mark);
    return in_order;
}

/* wp.static(expr), with the constants in scope as its locals. */
value eval_static(lower *l, const ast_Call *n)
{
    /* Of wp.static(expr=x) Warp 1.19 evaluates the text "expr=x", which is no expression. */
    if (n->args.n != 1 || n->keywords.n)
        lower_error(l, &n->base, ONE_ARGUMENT, "wp.static");
    const node *expr = n->args.v[0];
    const value *known = code_static(l->code, &n->base);
    if (!lengths_in_order(l, expr))
        lower_error(l, &n->base, STATIC_LENGTHS);
    if (known)
        return *known;
    static_walk walk = {.l = l, .names = true};
    check_static_names(&walk, expr);
    walk.names = false;
    check_static_names(&walk, expr);
    const arena_mark mark = arena_save(&l->c->scratch);
    VEC(local_binding) locals = {0};
    for (uint32_t i = 0; i < l->scope.n; i++) {
        const binding *b = &l->scope.v[i];
        const value *k = b->var == NO_VAR ? b->value : var_constant(l, b->var);
        value other;
        if (k)
            VEC_PUSH(&l->c->scratch, &locals, ((local_binding){b->name, *k}));
        else if (b->var != NO_VAR && !env_lookup(l->code->env, b->name, &other))
            /* Its type stands for it: len(x) is known. */
            VEC_PUSH(&l->c->scratch, &locals,
                     ((local_binding){b->name, value_type(var_value_type(l, b->var))}));
    }
    value v = eval_expr(l->c, l->code->env, locals.v, locals.n, expr);
    ctx_spend(l->c, l->scope.n);
    arena_rewind(&l->c->scratch, mark);
    if (v.kind == VALUE_UNKNOWN)
        lower_error(l, &n->base, STATIC_UNKNOWN,
                    v.why ? v.why : "its value is not known at compile time");
    return v;
}

/* A number, vector or struct becomes a constant variable; a function is an object to be called. */
static operand static_value(lower *l, const ast_Call *n)
{
    value v = eval_static(l, n);
    if (v.kind == VALUE_ENUM)
        v = value_int(v.i);
    const bool number = value_is_number(&v) && !value_is_numpy(&v);
    if (number || v.kind == VALUE_COMPOSITE || v.kind == VALUE_STRUCT_INSTANCE)
        return operand_var(add_constant(l, v));
    if (v.kind == VALUE_STR) /* Warp 1.19 ModuleHasher.get_constant_bytes */
        lower_error(l, &n->base, STATIC_STRING);
    if (value_is_numpy(&v))
        lower_error(l, &n->base, STATIC_NUMPY);
    if (v.kind != VALUE_FUNC && v.kind != VALUE_BUILTIN)
        lower_error(l, &n->base, STATIC_VALUE);
    return operand_value(keep_value(l, v));
}

operand lower_special_call(lower *l, const ast_Call *n, const sym *name)
{
    WEFT_ASSERT(name);
    if (strcmp(name->s, "static") == 0)
        return static_value(l, n);
    if (strcmp(name->s, "grad") == 0)
        return lower_grad(l, n);
    if (strcmp(name->s, "address_of") == 0)
        return address_of(l, n);
    refuse_special(l, n->func, name);
}
