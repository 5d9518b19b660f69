/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: Warp 1.19 Adjoint.emit_Call, resolve_arg and, for builtins, add_call. User functions are
 * in lower_func.c, constructors and special forms in lower_construct.c.
 *
 *     wp.atomic_add(y, 0, 2.0)   ->   CALL %2, @wp::atomic_add, %y, %0, %1
 *     wp.float64(0.1)            ->   MOVE %0, 0.1      (see cast_literal)
 *     len(x)                     ->   no statement: a constant, %11 = 3
 *
 * The steps: resolve_callee finds what is called, collect_args lowers the arguments, the builtin's
 * rules choose an overload and plan the call (builtin_resolve), emit_plan numbers the results and
 * appends the statements (lower_emit.c). Other lowering files call builtins of Warp's own choice,
 * such as `load`, by call_builtin and its kin. */
#include "ir/lower.h"

/* A variable as builtin_resolve sees it: overloads depend on types, and some rules on constants and
 * on what a tuple consists of. */
call_arg arg_of_var(lower *l, uint32_t v)
{
    const var_info *info = info_of(l, v);
    return (call_arg){.kind = ARG_VAR,
                      .type = var_type(l, v),
                      .constant = var_constant(l, v),
                      .var = v,
                      .items = info->items,
                      .n = info->nitems};
}

/* wp.float64(0.1) and the like take the literal itself, so that no digit is lost: the constant's
 * own variable becomes the result. Only for finite and infinite numbers: NaN has no literal. */
static bool cast_literal(lower *l, const call_plan *plan, operand *out)
{
    if (!plan->is_scalar_cast64 || plan->nargs != 1 || plan->args[0].kind != NATIVE_VAR)
        return false;
    uint32_t v = plan->args[0].arg.var;
    WEFT_ASSERT(v < l->u->vars.n);
    const value *k = var_constant(l, v);
    if (!k || !value_is_number(k) || (value_has_f(k) && k->f != k->f))
        return false;
    const type *t = plan->result_types[0];
    WEFT_ASSERT(plan->nresults == 1 && type_is_scalar(t));
    value scalar = value_scalar(t, k);
    l->u->vars.v[v].type = t;
    l->u->vars.v[v].constant = NULL;
    FORWARD(l, MOVE, arg_var(v), ir_arg_literal(l->c, l->u, scalar));
    *out = operand_var(v);
    return true;
}

/* The variable of an argument; a constant that a rule added gets one here. */
static uint32_t register_native(lower *l, const native_arg *a)
{
    WEFT_ASSERT(a->kind != NATIVE_FUNC);
    if (a->kind == NATIVE_CONST)
        return add_constant(l, a->constant);
    return a->arg.var;
}

/* The results are known without a call: len(v), an element of a tuple. */
static operand known_results(lower *l, const call_plan *plan)
{
    WEFT_ASSERT(plan->result == RESULT_VALUES);
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, plan->nresults + 1);
    for (uint32_t i = 0; i < plan->nresults; i++)
        vars[i] = register_native(l, &plan->results[i]);
    if (plan->nresults == 1)
        return operand_var(vars[0]);
    return (operand){.kind = OPERAND_VARS, .vars = vars, .n = plan->nresults};
}

/* A variable for each result, in order. */
static void declare_results(lower *l, const type *const *types, uint32_t n, uint32_t *vars)
{
    for (uint32_t i = 0; i < n; i++)
        vars[i] = add_var(l, types[i]);
}

operand results_operand(const uint32_t *vars, uint32_t n)
{
    if (n == 0)
        return (operand){.kind = OPERAND_NONE};
    if (n == 1)
        return operand_var(vars[0]);
    return (operand){.kind = OPERAND_VARS, .vars = vars, .n = n};
}

/* Numbers new constants, then loads references, in Warp's order. */
static void prepare_args(lower *l, const call_plan *plan, const uint32_t *results,
                         emitted_arg *args)
{
    for (uint32_t i = 0; i < plan->nargs; i++) {
        const native_arg *a = &plan->args[i];
        args[i] = (emitted_arg){0};
        if (a->kind == NATIVE_FUNC)
            args[i].function = a->arg.constant;
        else if (a->kind == NATIVE_TOKEN)
            args[i].token = a->token;
        else if (a->kind == NATIVE_RESULT)
            args[i].reverse = args[i].forward = results[0];
        else
            args[i].reverse = args[i].forward = register_native(l, a);
    }
    for (uint32_t i = 0; i < plan->nargs; i++) {
        if (plan->args[i].kind == NATIVE_VAR)
            args[i].forward = load(l, args[i].forward);
    }
}

/* Keeps what a tuple was made of, so that its elements and len() need no statement. */
static void note_tuple_items(lower *l, uint32_t result, const call_request *r)
{
    WEFT_ASSERT(var_type(l, result)->kind == TYPE_TUPLE);
    call_arg *items = ARENA_ARRAY(&l->c->ir, call_arg, r->nargs);
    if (r->nargs)
        memcpy(items, r->args, r->nargs * sizeof *items);
    info_of(l, result)->items = items;
    info_of(l, result)->nitems = r->nargs;
}

/* What a call is for. */
typedef enum call_use { USE_RESULT, USE_NOTHING, USE_STORE } call_use;

/* Deterministic mode: what becomes of effects, and of the adjoint of a read. */
static void set_det(lower *l, const call_request *r, call_use use, emitted_call *call)
{
    const bool guards = det_guards(l);
    const det_effect effect = det_effect_of(r->fn);
    ir_det *det = l->u->det;
    if (det_has_effect(effect)) {
        det->has_side_effect |= l->u->func != NULL;
        if (use == USE_RESULT && !det->used_effect) {
            det->used_effect = arena_printf(&l->c->ir, "wp.%s", builtin_name(r->fn)->s);
            det->used_effect_at = r->at;
        }
        call->effect = det_guards(l) ? EFFECT_GUARDED : EFFECT_PLAIN;
    }
    if (use == USE_STORE && guards)
        call->effect = EFFECT_STORE;
    if (call->effect != EFFECT_PLAIN)
        det_context(l);
    if (r->fn == l->names->b_address)
        det_read_adjoint(l, r->at, call->args, call->nargs, &call->det_helper, &call->det_offset);
    for (uint32_t i = 0; i < call->nargs; i++)
        if (call->args[i].function && call->args[i].function->kind == VALUE_FUNC)
            det_unsupported(l, r->at, "a function as an argument of a builtin");
}

/* Emits a planned call. The order of numbers is Warp's: results, then constants among the
 * arguments, then loaded references. */
static operand emit_plan(lower *l, const call_request *r, const call_plan *plan, call_use use)
{
    operand out;
    if (plan->result == RESULT_VALUES)
        return known_results(l, plan);
    if (cast_literal(l, plan, &out))
        return out;
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, plan->nresults + 1);
    declare_results(l, plan->result_types, plan->nresults, vars);
    if (plan->nresults == 1 && plan->result_types[0]->kind == TYPE_TUPLE)
        note_tuple_items(l, vars[0], r);
    det_note_call(l, r);
    if (det_atomic(l, r, plan, vars, use == USE_RESULT))
        return results_operand(vars, plan->nresults);
    emitted_arg *args = ARENA_ARRAY(&l->c->ir, emitted_arg, plan->nargs + 1);
    prepare_args(l, plan, vars, args);
    emitted_call call = {.callee = add_callee(l, (ir_callee){.native = plan->callee}),
                         .args = args,
                         .nargs = plan->nargs,
                         .results = vars,
                         .nresults = plan->nresults,
                         .initializer_list = plan->initializer_list,
                         .differentiable = plan->differentiable,
                         .skip_replay = plan->skip_replay,
                         .needs_output_arg = plan->needs_output_arg,
                         .adjoint_takes_outputs = true};
    if (l->u->det)
        set_det(l, r, use, &call);
    emit_call(l, &call);
    return results_operand(vars, plan->nresults);
}

/* Are all arguments values? */
static bool takes_values(const call_plan *plan)
{
    for (uint32_t i = 0; i < plan->nargs; i++)
        if (plan->args[i].kind > NATIVE_CONST)
            return false;
    return true;
}

/* wp.grad(builtin)(args) */
static operand grad_of_plan(lower *l, const call_request *r, const call_plan *plan, call_use use)
{
    (void)use;
    if (plan->result != RESULT_VARS || !plan->differentiable || plan->initializer_list ||
        !takes_values(plan)) {
        diag_error(l->c, r->at, DIAG_GRAD_OF_VOID, builtin_name(r->fn)->s);
        lower_fail(l);
    }
    emitted_arg *args = ARENA_ARRAY(&l->c->ir, emitted_arg, plan->nargs + 1);
    prepare_args(l, plan, NULL, args);
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, plan->nargs + 1);
    const type **types = ARENA_ARRAY(&l->c->ir, const type *, plan->nargs + 1);
    for (uint32_t i = 0; i < plan->nargs; i++) {
        vars[i] = args[i].forward;
        types[i] = var_value_type(l, vars[i]);
    }
    const grad_target t = {.callee = add_callee(l, (ir_callee){.native = plan->callee}),
                           .args = vars,
                           .arg_types = types,
                           .nargs = plan->nargs,
                           .result_types = plan->result_types,
                           .nresults = plan->nresults,
                           .needs_output = plan->needs_output_arg};
    return emit_grad_call(l, &t);
}

typedef operand plan_emitter(lower *l, const call_request *r, const call_plan *plan, call_use use);

/* Plans the call and passes the plan to `emit`. The plan is in c->scratch, which is rewound: what
 * statements keep of it, the template arguments, is copied. */
static operand call_request_builtin(lower *l, const call_request *r, plan_emitter *emit,
                                    call_use use)
{
    WEFT_ASSERT(r->fn && emit);
    arena_mark mark = arena_save(&l->c->scratch);
    call_plan plan = {0};
    if (!builtin_resolve(l->c, r, &plan))
        lower_fail(l);
    const native_callee *f = &plan.callee;
    if (f->ntemplates) { /* the plan is in c->scratch */
        value *kept = ARENA_ARRAY(&l->c->ir, value, f->ntemplates);
        memcpy(kept, f->templates, f->ntemplates * sizeof *kept);
        plan.callee.templates = kept;
    }
    if (plan.shared_bytes > l->u->call_shared)
        l->u->call_shared = plan.shared_bytes;
    operand out = emit(l, r, &plan, use);
    arena_rewind(&l->c->scratch, mark);
    return out;
}

operand call_operands(lower *l, const node *at, int op, const call_arg *args)
{
    call_request r = {.fn = l->names->operators[op],
                      .args = args,
                      .nargs = 2,
                      .is_matmul = op == OP_MatMult,
                      .is_update = at->kind == AST_AugAssign,
                      .at = span_of(l, at)};
    return call_request_builtin(l, &r, emit_plan, USE_RESULT);
}

uint32_t call_range_of(lower *l, const node *at, const uint32_t *vars, uint32_t n)
{
    call_arg args[3];
    WEFT_ASSERT(n <= 3);
    for (uint32_t i = 0; i < n; i++)
        args[i] = arg_of_var(l, vars[i]);
    call_request r = {.fn = l->names->b_range,
                      .args = args,
                      .nargs = n,
                      .called = l->names->s_range,
                      .at = span_of(l, at)};
    return call_request_builtin(l, &r, emit_plan, USE_RESULT).var;
}

operand call_builtin_args(lower *l, const node *at, const builtin *b, const call_arg *args,
                          uint32_t n, uint32_t min_outputs)
{
    call_request r = {
        .fn = b, .args = args, .nargs = n, .min_outputs = min_outputs, .at = span_of(l, at)};
    return call_request_builtin(l, &r, emit_plan, USE_RESULT);
}

static operand call_with_vars(lower *l, const node *at, const builtin *b, const uint32_t *vars,
                              uint32_t n, call_use use)
{
    call_arg *args = ARENA_ARRAY(&l->c->ir, call_arg, n + 1);
    for (uint32_t i = 0; i < n; i++)
        args[i] = arg_of_var(l, vars[i]);
    call_request r = {.fn = b, .args = args, .nargs = n, .at = span_of(l, at)};
    return call_request_builtin(l, &r, emit_plan, use);
}

operand call_builtin(lower *l, const node *at, const builtin *b, const uint32_t *vars, uint32_t n)
{
    return call_with_vars(l, at, b, vars, n, USE_RESULT);
}

void call_builtin_unused(lower *l, const node *at, const builtin *b, const uint32_t *vars,
                         uint32_t n)
{
    call_with_vars(l, at, b, vars, n, USE_NOTHING);
}

void call_array_store(lower *l, const node *at, const uint32_t *vars, uint32_t n)
{
    call_with_vars(l, at, l->names->b_array_store, vars, n, USE_STORE);
    det_note_store(l, span_of(l, at), vars[0]);
}

uint32_t call1(lower *l, const node *at, const builtin *b, uint32_t a)
{
    return call_builtin(l, at, b, &a, 1).var;
}

uint32_t call2(lower *l, const node *at, const builtin *b, uint32_t x, uint32_t y)
{
    uint32_t vars[] = {x, y};
    return call_builtin(l, at, b, vars, 2).var;
}

/* type(x), or an attribute of it: the type of a variable. */
bool type_of_call(lower *l, const node *n, value *out)
{
    if (n->kind == AST_Attribute) {
        value base;
        return type_of_call(l, AST(Attribute, n)->value, &base) &&
               value_getattr(l->c, &base, AST(Attribute, n)->attr, out);
    }
    if (n->kind != AST_Call || AST(Call, n)->func->kind != AST_Name)
        return false;
    const ast_Call *call = AST(Call, n);
    if (AST(Name, call->func)->id != l->names->s_type || call->args.n != 1)
        return false;
    *out = value_type(var_value_type(l, lower_value(l, call->args.v[0])));
    return true;
}

/* "sin" of wp.sin or sin; NULL: it is no path. */
static const sym *last_name(const node *n)
{
    return n->kind == AST_Name        ? AST(Name, n)->id
           : n->kind == AST_Attribute ? AST(Attribute, n)->attr
                                      : NULL;
}

/* Warp 1.19 resolve_arg: the expression is evaluated first, and what a dotted path names statically
 * takes its place. The first evaluation may leave a constant that nothing uses; Warp leaves it,
 * too. */
operand lower_arg(lower *l, const node *n)
{
    value v;
    const sym *missing;
    if (type_of_call(l, n, &v))
        return value_is_number(&v) ? operand_var(add_constant(l, v))
                                   : operand_value(keep_value(l, v));
    operand o = lower_soft(l, n);
    bool known = static_path(l, n, &v, &missing) && !missing && v.kind != VALUE_NONE;
    if (!known || v.kind == VALUE_UNKNOWN) {
        if (o.kind == OPERAND_NONE)
            return lower_expr(l, n);
        return o;
    }
    if (v.kind == VALUE_ENUM)
        v = value_int(v.i);
    if (v.kind == VALUE_TUPLE || v.kind == VALUE_LIST || v.kind == VALUE_DICT || value_is_numpy(&v))
        check_reference(l, n, last_name(n), &v);
    if (value_is_number(&v) || v.kind == VALUE_COMPOSITE || v.kind == VALUE_STRUCT_INSTANCE ||
        v.kind == VALUE_STR)
        return operand_var(add_constant(l, v));
    return operand_value(keep_value(l, v));
}

call_arg arg_of_operand(lower *l, const node *at, operand o)
{
    if (is_var(o))
        return arg_of_var(l, o.var);
    if (o.kind == OPERAND_VALUE) {
        refuse_unknown(l, at, o.value);
        return (call_arg){.kind = ARG_VALUE, .constant = o.value};
    }
    if (o.kind == OPERAND_NONE)
        lower_error(l, at, NO_VALUE);
    call_arg *items = ARENA_ARRAY(&l->c->ir, call_arg, o.n);
    for (uint32_t i = 0; i < o.n; i++)
        items[i] = arg_of_var(l, o.vars[i]);
    return (call_arg){.kind = ARG_VARS, .items = items, .n = o.n};
}

static void take_arg(lower *l, call_args *a, call_arg arg, const node *n)
{
    VEC_PUSH(&l->c->ir, &a->args, arg);
    VEC_PUSH(&l->c->ir, &a->nodes, n);
}

/* Lowers positional arguments, then keywords, in the order of the source. `*x` becomes several. */
static void collect_args(lower *l, const ast_Call *n, call_args *out)
{
    *out = (call_args){0};
    for (uint32_t i = 0; i < n->args.n; i++) {
        const node *x = n->args.v[i];
        if (x->kind == AST_Starred) {
            uint32_t count;
            const uint32_t *vars = unpack_starred(l, AST(Starred, x), &count);
            for (uint32_t k = 0; k < count; k++)
                take_arg(l, out, arg_of_var(l, vars[k]), NULL);
        } else {
            operand o = lower_arg(l, x);
            take_arg(l, out, arg_of_operand(l, x, o), x);
        }
    }
    for (uint32_t i = 0; i < n->keywords.n; i++) {
        const ast_keyword *k = AST(keyword, n->keywords.v[i]);
        if (!k->arg)
            lower_error(l, k->value, KEYWORD_UNPACKING);
        operand o = lower_arg(l, k->value);
        VEC_PUSH(&l->c->ir, &out->kwargs, ((call_kwarg){k->arg, arg_of_operand(l, k->value, o)}));
        VEC_PUSH(&l->c->ir, &out->kwnodes, (const node *)k->value);
    }
}

/* The builtin that constructs a type, when its name in the source is not the builtin's: an alias
 * such as `Vec = wp.types.vector(3, float)`. NULL: none. */
static const builtin *constructor_of(lower *l, const type *t)
{
    switch (t->kind) {
    case TYPE_VEC: return l->names->b_vector;
    case TYPE_MAT: return l->names->b_matrix;
    case TYPE_QUAT: return l->names->b_quaternion;
    case TYPE_TRANSFORM: return l->names->b_transformation;
    default:
        return type_is_scalar(t)
                   ? builtin_find(l->c, sym_intern(&l->c->syms, t->pyname.p, t->pyname.n))
                   : NULL;
    }
}

/* What a call refers to. At least one of func, builtin, struct_type and special is set; a special
 * form that is also a builtin is called as the builtin. */
typedef struct callee {
    const func *func;        /* a @wp.func, or any overload of it */
    const builtin *builtin;  /* a builtin, or the constructor of `constructs` */
    const type *constructs;  /* a vector's, matrix's, ... type whose constructor it is, or NULL */
    const func *external;    /* a function of C++ that the program registered */
    const type *native_type; /* a type of C++ that it registered */
    const type *struct_type; /* a struct, whose constructor is no builtin */
    const sym *special;      /* wp.static, wp.grad, wp.address_of */
    bool gradient;           /* wp.grad of func or builtin */
} callee;

/* Python's __name__ of a function or class; NULL: it has none that weft knows. */
static const sym *own_name(lower *l, const value *v)
{
    const value_kind k = v->kind;
    value name;
    if (k != VALUE_PYFUNC && k != VALUE_CLASS)
        return NULL;
    const sym *s = sym_c(&l->c->syms, "__name__");
    return value_getattr(l->c, v, s, &name) && name.kind == VALUE_STR ? name.s : NULL;
}

/* Warp 1.19 emit_Call: what is no function of Warp is called as the builtin of the last name in the
 * path, else of its own name: after `p = print`, p(x) is Warp's print. */
static void callee_of_value(lower *l, const ast_Call *n, const value *v, const sym *name,
                            callee *out)
{
    const builtin *by_name = name ? builtin_find(l->c, name) : NULL;
    if (v->kind == VALUE_GRAD) {
        out->gradient = true;
        v = v->items;
    }
    if (v->kind == VALUE_FUNC) {
        out->func = v->p;
    } else if (v->kind == VALUE_EXTERNAL) {
        out->external = v->p;
    } else if (native_class(v)) {
        out->native_type = native_class(v);
    } else if (v->kind == VALUE_BUILTIN) {
        out->builtin = v->p;
    } else if (v->kind == VALUE_SPECIAL) {
        out->special = v->s;
        out->builtin = by_name ? by_name : builtin_find(l->c, v->s);
    } else if (v->kind == VALUE_TYPE) {
        const type *t = v->type;
        out->struct_type = t->kind == TYPE_STRUCT ? t : NULL;
        out->builtin = by_name ? by_name : constructor_of(l, t);
        out->constructs = type_is_composite(t) ? t : NULL;
    } else if (v->kind == VALUE_PYTYPE) {
        out->builtin = by_name ? by_name : builtin_find(l->c, v->s);
    } else {
        const sym *own = by_name ? NULL : own_name(l, v);
        out->builtin = own ? builtin_find(l->c, own) : by_name;
    }
    if (v->kind == VALUE_UNKNOWN && !by_name)
        refuse_value(l, n->func, name ? name->s : "it", v);
}

/* A path of names first, then type(x), then a local that stands for an object: `f = wp.sin`. */
static callee resolve_callee(lower *l, const ast_Call *n)
{
    callee out = {0};
    value v;
    const sym *missing;
    const sym *name = last_name(n->func);
    const value *found = NULL; /* what the path names */
    bool of_warp = false;
    if (static_path(l, n->func, &v, &missing) && v.kind != VALUE_NONE) {
        found = missing ? NULL : &v;
        of_warp = missing && v.kind == VALUE_WARP;
        if (!missing) {
            callee_of_value(l, n, &v, name, &out);
        } else if (v.kind != VALUE_MODULE && !is_module_without(l->c, &v, missing)) {
            out.builtin = builtin_find(l->c, missing);
        }
    } else if (!type_of_call(l, n->func, &v)) {
        operand o = lower_soft(l, n->func);
        if (o.kind == OPERAND_VALUE)
            callee_of_value(l, n, o.value, NULL, &out);
    } else {
        callee_of_value(l, n, &v, NULL, &out);
    }
    const bool is_external = out.external || out.native_type;
    if (!out.func && !out.builtin && !out.struct_type && !out.special && !is_external)
        refuse_function(l, n->func, name, of_warp, found);
    WEFT_ASSERT(out.func || out.builtin || out.struct_type || out.special || is_external);
    return out;
}

/* wp.tid() belongs to kernels. Whether one index is taken matters to emit_is_linear. */
static void note_tid(lower *l, const ast_Call *n, const builtin *b, uint32_t expects)
{
    if (b != l->names->b_tid)
        return;
    if (l->u->func)
        lower_error(l, &n->base, TID_IN_FUNCTION);
    if (expects <= 1)
        l->u->uses_scalar_tid = true;
}

/* Special forms and structs come first, since their arguments are no plain values. */
operand lower_call(lower *l, const ast_Call *n, uint32_t expects)
{
    const call_use use = expects == CALL_STATEMENT ? USE_NOTHING : USE_RESULT;
    if (expects == CALL_STATEMENT)
        expects = 0;
    callee f = resolve_callee(l, n);
    if (f.special && !f.builtin)
        return lower_special_call(l, n, f.special);
    if (f.struct_type)
        return construct_struct(l, n, f.struct_type);
    if (f.native_type)
        return construct_native(l, n, f.native_type);
    if (f.builtin)
        note_tid(l, n, f.builtin, expects);
    call_args a;
    collect_args(l, n, &a);
    if (f.external)
        return call_external(l, &n->base, f.external, &a);
    if (f.func)
        return f.gradient ? grad_of_user(l, &n->base, f.func, &a)
                          : call_user(l, &n->base, f.func, &a);
    function_call in_call = {l, &n->base};
    user_calls user = {function_result, &in_call};
    int block_dim = l->job->out->options.block_dim;
    call_request r = {.fn = f.builtin,
                      .user = &user,
                      .block_dim = block_dim > 0 ? (uint32_t)block_dim : 0,
                      .backward = l->job->module_backward,
                      .args = a.args.v,
                      .nargs = a.args.n,
                      .kwargs = a.kwargs.v,
                      .nkwargs = a.kwargs.n,
                      .constructs = f.constructs,
                      .min_outputs = f.gradient ? 0 : expects,
                      .called = last_name(n->func),
                      .has_prefix = n->func->kind == AST_Attribute,
                      .at = span_of(l, &n->base)};
    return call_request_builtin(l, &r, f.gradient ? grad_of_plan : emit_plan, use);
}

void lower_call_args(lower *l, const ast_Call *n, call_args *out)
{
    collect_args(l, n, out);
}
