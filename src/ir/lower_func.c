/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of user functions: Warp 1.19 Function.get_overload, func_match_args, Adjoint.resolve_call
 * and the user-function parts of add_call. lower_call.c calls call_user for a callee that is a
 * @wp.func, and grad_of_user for wp.grad(f)(x); lower_expr.c calls call_user for operators that a
 * @wp.func defines.
 *
 * A call has four steps: bind the arguments to each overload's parameters, select the overload,
 * lower its body for these types (lower_instance in lower.c; once per list of types), and emit the
 * call:
 *
 *     @wp.func
 *     def sq(x: float): ...           kernel call
 *     @wp.func                          forward:
 *     def sq(x: wp.vec3): ...             CALL %3, @wp::load, %1
 *                                ->       CALL %2, @sq_0, %3
 *     a[i] = sq(a[i])                   reverse:
 *                                         ADJ_CALL adj @sq_0, %3, adj %1, adj %2
 *
 * The adjoint of an argument belongs to the variable before the load (%1, the reference), since the
 * loaded copy is not what the gradient flows to. Several results are output arguments:
 *
 *     p, q = two(x)              ->   CALL_VOID @two_0, %4, %2, %3 */
#include "base/format.h"
#include "ir/lower.h"

/* The arguments of a call by parameter of one overload: positional ones first, then those by name,
 * then defaults. The arrays are used again for each overload in turn, since a name may have
 * thousands of them. */
typedef struct bound_args {
    uint32_t room;      /* parameters that there is memory for */
    call_arg *v;        /* by parameter */
    const node **nodes; /* by parameter: the argument's expression; NULL: it has none */
    bool *given;        /* by the caller; otherwise the default */
} bound_args;

/* f->nparams if there is no such parameter. */
static uint32_t param_index(const code *f, const sym *name)
{
    uint32_t i = 0;
    while (i < f->nparams && f->params[i].name != name)
        i++;
    return i;
}

/* A constant as an argument. It gets a variable (NO_VAR until then) only once its overload has been
 * selected, in pass_args: overloads that do not fit must not leave variables behind, since the
 * numbers of variables are part of the text. */
static call_arg default_arg(lower *l, const value *v)
{
    if (v->kind == VALUE_FUNC || v->kind == VALUE_BUILTIN)
        return (call_arg){.kind = ARG_VALUE, .constant = v};
    return (call_arg){
        .kind = ARG_VAR, .type = value_var_type(l->c, v), .constant = v, .var = NO_VAR};
}

/* A number without a variable, such as v.length, is passed as a constant. */
static call_arg given_arg(lower *l, call_arg a)
{
    const bool number = a.kind == ARG_VALUE && value_is_number(a.constant);
    return number ? default_arg(l, a.constant) : a;
}

/* Python's inspect.Signature.bind with defaults applied. False: too many arguments, an unknown
 * name, a parameter given twice, or one without argument and default. */
static bool bind(lower *l, const func *f, const call_args *a, bound_args *out)
{
    const code *c = &f->code;
    arena *m = &l->c->ir;
    if (a->args.n > c->nparams)
        return false;
    if (!out->room || out->room < c->nparams) {
        out->room = c->nparams + 1;
        out->v = ARENA_ARRAY(m, call_arg, out->room);
        out->nodes = ARENA_ARRAY(m, const node *, out->room);
        out->given = arena_alloc(m, out->room);
    }
    memset(out->given, 0, out->room);
    for (uint32_t i = 0; i < a->args.n; i++) {
        out->v[i] = given_arg(l, a->args.v[i]);
        out->nodes[i] = a->nodes.n ? a->nodes.v[i] : NULL;
        out->given[i] = true;
    }
    for (uint32_t k = 0; k < a->kwargs.n; k++) {
        uint32_t i = param_index(c, a->kwargs.v[k].name);
        if (i == c->nparams || out->given[i])
            return false;
        out->v[i] = given_arg(l, a->kwargs.v[k].arg);
        out->nodes[i] = a->kwnodes.n ? a->kwnodes.v[k] : NULL;
        out->given[i] = true;
    }
    for (uint32_t i = 0; i < c->nparams; i++) {
        if (out->given[i])
            continue;
        if (!c->params[i].default_value)
            return false;
        out->v[i] = default_arg(l, c->params[i].default_value);
        out->nodes[i] = NULL;
    }
    return true;
}

/* The type that overloads compare: references stripped. NULL for what is no value, such as a
 * function or a type. */
static const type *arg_type(const call_arg *a)
{
    return a->kind == ARG_VAR && a->type ? type_strip_ref(a->type) : NULL;
}

/* wp.fixedarray and wp.array accept each other; the indexed and fabric classes accept only
 * themselves. */
static bool array_classes_fit(const type *p, const type *t)
{
    bool plain_p = p->array_class == ARRAY_PLAIN || p->array_class == ARRAY_FIXED;
    bool plain_t = t->array_class == ARRAY_PLAIN || t->array_class == ARRAY_FIXED;
    return p->array_class == t->array_class || (plain_p && plain_t);
}

/* Does the parameter accept the argument? Any accepts every value. Arrays are compared by class and
 * element here; their rank counts for generic overloads only (template_fits). With `allow_erasure`
 * a native handle also fits a parameter of its parent type (Warp 1.19 allow_erasure). */
static bool param_takes(const type *p, const call_arg *a, bool allow_erasure)
{
    if (p->kind == TYPE_FUNCTION || p->kind == TYPE_CALLABLE)
        return a->kind == ARG_VALUE &&
               (a->constant->kind == VALUE_FUNC || a->constant->kind == VALUE_BUILTIN);
    const type *t = arg_type(a);
    if (!t)
        return false;
    p = type_strip_ref(p);
    if (p->kind == TYPE_ANY)
        return true;
    if (p->kind == TYPE_ARRAY && t->kind == TYPE_ARRAY && array_classes_fit(p, t) &&
        type_matches(p->elem, t->elem))
        return true;
    if (type_matches(p, t))
        return true;
    return allow_erasure && t->kind == TYPE_NATIVE && t->native->erased == p;
}

/* On success `bound` holds the arguments by parameter of f. */
static bool overload_takes(lower *l, const func *f, const call_args *a, bool allow_erasure,
                           bound_args *bound)
{
    ctx_spend(l->c, 1 + f->code.nparams);
    if (!bind(l, f, a, bound))
        return false;
    for (uint32_t i = 0; i < f->code.nparams; i++)
        if (!f->code.params[i].type ||
            !param_takes(f->code.params[i].type, &bound->v[i], allow_erasure))
            return false;
    return true;
}

/* Warp 1.19 get_overload: a generic overload also requires type_matches_template of each positional
 * argument, the rank of arrays included, and enough positional arguments: arguments by name do not
 * count towards parameters without default. */
static bool template_fits(const func *f, const call_args *a, const bound_args *bound)
{
    uint32_t defaults = 0;
    for (uint32_t i = 0; i < f->code.nparams; i++)
        defaults += f->code.params[i].default_value != NULL;
    if (a->args.n + defaults < f->code.nparams)
        return false;
    for (uint32_t i = 0; i < a->args.n; i++) {
        const type *t = arg_type(&bound->v[i]);
        if (t && !type_fits(type_strip_ref(f->code.params[i].type), t))
            return false;
    }
    return true;
}

/* Warp 1.19 Function.get_overload. The order is the rule: plain overloads by exact types, plain
 * overloads with erased handles, then generic ones; within each, the order of definition. The first
 * that fits wins, and `bound` is left for it. */
static const func *select_overload(lower *l, const func *f, const call_args *a, bound_args *bound)
{
    for (int erasure = 0; erasure < 2; erasure++)
        for (const func *o = f->head ? f->head : f; o; o = o->next)
            if (!o->code.generic && overload_takes(l, o, a, erasure != 0, bound))
                return o;
    for (const func *o = f->head ? f->head : f; o; o = o->next)
        if (o->code.generic && overload_takes(l, o, a, false, bound) && template_fits(o, a, bound))
            return o;
    return NULL;
}

const func *find_overload(lower *l, const func *f, const call_arg *args, uint32_t nargs)
{
    call_args a = {0};
    bound_args bound = {0};
    for (uint32_t i = 0; i < nargs; i++)
        VEC_PUSH(&l->c->ir, &a.args, args[i]);
    return select_overload(l, f, &a, &bound);
}

/* "blend(a: float, b: float, t: float = ...)": parameters as the source writes them. */
static void put_signature(strbuf *b, const code *f)
{
    sb_printf(b, "%s(", f->name->s);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const param *p = &f->params[i];
        const node *n = p->where;
        sb_c(b, i ? ", " : "");
        if (n && n->line && n->line == n->end_line)
            sb_put(b, f->src->text.p + f->src->lines[n->line - 1] + n->col, n->end_col - n->col);
        else
            sb_str(b, sym_str(p->name));
        sb_c(b, p->default_value ? " = ..." : "");
    }
    sb_char(b, ')');
}

/* The signatures of f and the overloads after it, at most `most`. */
static const char *signatures(lower *l, const func *f, uint32_t most)
{
    strbuf b;
    sb_init(&b, &l->c->mem);
    for (uint32_t i = 0; f && i < most; i++, f = f->next) {
        sb_c(&b, i ? "; " : "");
        put_signature(&b, &f->code);
    }
    return finish_text(l, &b).p;
}

/* A wrong number of arguments, or one by a name that no parameter has. Too few: says which. */
static void check_arguments(lower *l, const node *at, const func *f, const call_args *a)
{
    const code *c = &f->code;
    if (c->incomplete) { /* its parameters are not all known */
        code_check(l->c, c);
        lower_fail(l);
    }
    for (uint32_t k = 0; k < a->kwargs.n; k++)
        if (param_index(c, a->kwargs.v[k].name) == c->nparams)
            lower_error(l, at, NO_PARAMETER, c->name->s, a->kwargs.v[k].name->s,
                        signatures(l, f, 1));
    if (a->args.n > c->nparams)
        lower_error(l, at, TOO_MANY_GIVEN, c->name->s, c->nparams, plural_s(c->nparams),
                    a->args.n + a->kwargs.n, signatures(l, f, 1));
    for (uint32_t i = a->args.n; i < c->nparams; i++) {
        bool given = c->params[i].default_value != NULL;
        for (uint32_t k = 0; k < a->kwargs.n && !given; k++)
            given = a->kwargs.v[k].name == c->params[i].name;
        if (!given)
            lower_error(l, at, ARGUMENT_MISSING, c->name->s, c->params[i].name->s,
                        signatures(l, f, 1));
    }
}

/* An argument whose type is not its parameter's. */
static void check_argument_types(lower *l, const node *at, const func *f, const bound_args *bound)
{
    for (uint32_t i = 0; i < f->code.nparams; i++) {
        const param *p = &f->code.params[i];
        const type *t = arg_type(&bound->v[i]);
        if (!p->type || !t || param_takes(p->type, &bound->v[i], false))
            continue;
        const type *want = type_strip_ref(p->type);
        const char *cast = type_is_scalar(t) ? cast_text(l, want) : NULL;
        lower_error(l, bound->nodes[i] ? bound->nodes[i] : at, ARGUMENT_TYPE, p->name->s,
                    f->code.name->s, want->pyname.p, t->pyname.p,
                    cast ? "convert it with " : "the function is ",
                    cast ? cast : signatures(l, f, 1));
    }
}

/* Reports why no overload takes the arguments: of a single one, which argument does not fit. */
static void report_no_overload(lower *l, const node *at, const func *f, const call_args *a)
{
    bound_args bound = {0};
    f = f->head ? f->head : f;
    if (!f->next) {
        if (!f->code.incomplete &&
            !code_check(l->c, &f->code)) /* no argument fits its annotations */
            lower_fail(l);
        check_arguments(l, at, f, a);
        if (bind(l, f, a, &bound))
            check_argument_types(l, at, f, &bound);
    }
    strbuf b;
    sb_init(&b, &l->c->mem);
    for (uint32_t i = 0; i < a->args.n; i++) {
        const type *t = arg_type(&a->args.v[i]);
        if (i)
            SB_LIT(&b, ", ");
        sb_str(&b, t ? t->pyname : STR("function"));
    }
    for (uint32_t i = 0; i < a->kwargs.n; i++) {
        const type *t = arg_type(&a->kwargs.v[i].arg);
        if (b.n)
            SB_LIT(&b, ", ");
        sb_str(&b, sym_str(a->kwargs.v[i].name));
        sb_char(&b, '=');
        sb_str(&b, t ? t->pyname : STR("function"));
    }
    str types = finish_text(l, &b);
    lower_error(l, at, NO_USER_OVERLOAD, f->code.name->s, types.p, signatures(l, f, 5));
}

/* The types that the overload is lowered for: its annotations or, if it is generic, the arguments'.
 * Parameters that are functions keep their annotation. */
static const type *const *instance_types(lower *l, const func *f, const bound_args *bound)
{
    const type **types = ARENA_ARRAY(&l->c->ir, const type *, f->code.nparams + 1);
    for (uint32_t i = 0; i < f->code.nparams; i++) {
        const type *p = f->code.params[i].type;
        const type *t = arg_type(&bound->v[i]);
        types[i] = f->code.generic && t && p->kind != TYPE_FUNCTION ? t : p;
    }
    return types;
}

/* Types of the results: the annotation's if it is concrete, else those of the variables in the last
 * return statement. Of a generic function the annotation says nothing. Returns their count. */
static uint32_t result_types(lower *l, const func *f, const ir_unit *u, const type ***out)
{
    const type *r = f->code.generic ? NULL : f->code.returns;
    uint32_t n = r ? r->kind == TYPE_TUPLE ? r->nitems : r->kind == TYPE_VOID ? 0 : 1 : u->nreturns;
    *out = ARENA_ARRAY(&l->c->ir, const type *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (r && !r->generic)
            (*out)[i] = r->kind == TYPE_TUPLE ? r->items[i] : r;
        else
            (*out)[i] = u->vars.v[u->returns[i]].type;
    }
    return n;
}

static uint32_t callee_of_unit(lower *l, const ir_unit *u)
{
    WEFT_ASSERT(u->func);
    return add_callee(
        l, (ir_callee){.func = u->func, .unit = u, .native = {.name = u->func->native_name}});
}

/* A wp.ref parameter: C++ gets a pointer to the argument's storage and, in the adjoint, a pointer
 * to the adjoint's storage.
 *
 *     f(ps[i].pos)   ->   MOVE %2, &%ps[%0].pos
 *                         CALL_VOID @f_0, %2
 *                         ADJ_CALL adj @f_0, %2, adj &adj %ps[%0].pos
 *
 * Views on the way to the adjoint are named in `before`. */
static void pass_ref(lower *l, const node *at, const bound_args *bound, uint32_t i, const type *t,
                     emitted_arg *arg, prelude *before)
{
    uint32_t ref = addressable(l, at, bound->nodes[i], arg->forward, t);
    WEFT_ASSERT(info_of(l, ref)->origin != NO_PLACE);
    const uint32_t adjoint = lower_place_adjoint_pointer(l, info_of(l, ref)->origin, before);
    arg->forward = ref;
    arg->reverse = lower_place_var(l, t, adjoint);
}

/* Fills the call's arguments. Functions among them are left out: specialize() (lower_callable.c)
 * has put them into the callee. All constants get their variables before the first load: the order
 * decides the numbers of the variables. */
static void pass_args(lower *l, const node *at, const func *f, const bound_args *bound,
                      emitted_call *call)
{
    uint32_t n = f->code.nparams, count = 0;
    emitted_arg *args = ARENA_ARRAY(&l->c->ir, emitted_arg, n + 1);
    prelude *before = ARENA_NEW(&l->c->ir, prelude);
    uint32_t *index = ARENA_ARRAY(&l->c->ir, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const call_arg *a = &bound->v[i];
        if (is_function_type(f->code.params[i].type))
            continue;
        if (a->kind != ARG_VAR)
            lower_error(l, at, NOT_A_VALUE);
        args[count] = (emitted_arg){0};
        args[count].forward = args[count].reverse =
            a->var == NO_VAR ? add_constant(l, *a->constant) : a->var;
        index[count++] = i;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (f->code.params[index[k]].is_ref)
            pass_ref(l, at, bound, index[k], f->code.params[index[k]].type, &args[k], before);
        else
            args[k].forward = load(l, args[k].forward);
    }
    WEFT_ASSERT(count <= n);
    call->args = args;
    call->nargs = count;
    call->prelude = before;
}

/* A wp.ref parameter has no generated adjoint in a kernel with enable_backward: the function needs
 * @wp.func_grad, or an adj_snippet if it is native. */
static void refuse_ref_gradients(lower *l, const node *at, const func *f)
{
    if (f->custom_grad || (f->snippet && f->adj_snippet) || !l->job->out->options.enable_backward)
        return;
    for (uint32_t i = 0; i < f->code.nparams; i++)
        if (f->code.params[i].is_ref)
            lower_error(l, at, REF_NEEDS_ADJOINT, f->code.name->s);
}

/* For builtins that take a function (tile_map, tile_reduce): the result's type of `f` for arguments
 * of these types, with the overload chosen in *overload. NULL: no overload fits, or it does not
 * have exactly one result. The instance is lowered here, and counts as called by this unit. */
const type *function_result(void *data, const value *f, const type *const *types, uint32_t n,
                            value *overload)
{
    WEFT_ASSERT(f->kind == VALUE_FUNC);
    lower *l = ((function_call *)data)->l;
    const node *at = ((function_call *)data)->at;
    call_args a = {0};
    bound_args bound = {0};
    for (uint32_t i = 0; i < n; i++)
        VEC_PUSH(&l->c->ir, &a.args, ((call_arg){.kind = ARG_VAR, .type = types[i]}));
    const func *chosen = select_overload(l, f->p, &a, &bound);
    if (!chosen)
        return NULL;
    instance *inst = lower_instance(l, at, chosen, instance_types(l, chosen, &bound));
    if (!inst)
        lower_fail(l);
    VEC_PUSH(&l->c->ir, &l->u->called, inst->unit);
    *overload = *f;
    overload->p = chosen;
    const type **results;
    return result_types(l, chosen, inst->unit, &results) == 1 ? results[0] : NULL;
}

/* The overload that takes these arguments, specialized for functions among them, and its instance.
 * An instance that failed has reported its errors already. */
static instance *resolve_user(lower *l, const node *at, const func *head, const call_args *a,
                              bound_args *bound)
{
    const func *f = select_overload(l, head, a, bound);
    if (!f)
        report_no_overload(l, at, head, a);
    if (takes_functions(&f->code))
        f = specialize(l, at, f, bound->v);
    instance *inst = lower_instance(l, at, f, instance_types(l, f, bound));
    if (!inst)
        lower_fail(l);
    return inst;
}

/* Deterministic mode: what the callee, its gradient and its adjoint need, this unit needs, too. */
static void pass_det(lower *l, span at, const func *f, const ir_unit *callee,
                     const bound_args *bound, emitted_call *call)
{
    if (!l->u->det)
        return;
    uint32_t *actual = ARENA_ARRAY(&l->c->ir, uint32_t, f->code.nparams + 1);
    for (uint32_t i = 0; i < f->code.nparams; i++)
        actual[i] = bound->v[i].kind == ARG_VAR ? bound->v[i].var : NO_VAR;
    const ir_unit *gradient = f->custom_grad ? lower_apart(l, at, f->custom_grad) : NULL;
    if (f->custom_replay && ir_needs_det(lower_apart(l, at, f->custom_replay)))
        det_unsupported(l, at, "a replay function with atomics or effects");
    det_include(l, at, f, callee, actual, false);
    if (gradient)
        det_include(l, at, f, gradient, actual, true);
    call->det_forward = det_call_args(l, at, f, callee, actual);
    call->det_reverse = gradient ? det_call_args(l, at, f, gradient, actual) : call->det_forward;
}

/* A replay function (@wp.func_replay, replay_snippet) takes the call's place in the backward text.
 * A custom gradient does not take the results, as a generated adjoint of several does. A function
 * that calls wp.grad(...) has no adjoint of its own, so the call gets none either. */
operand call_user(lower *l, const node *at, const func *head, const call_args *a)
{
    bound_args bound = {0};
    const instance *inst = resolve_user(l, at, head, a, &bound);
    const func *f = inst->func;
    VEC_PUSH(&l->c->ir, &l->u->called, inst->unit);
    const type **types;
    uint32_t n = result_types(l, f, inst->unit, &types);
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        vars[i] = add_var(l, types[i]);
    emitted_call call = {.callee = callee_of_unit(l, inst->unit),
                         .results = vars,
                         .nresults = n,
                         .differentiable = !inst->unit->uses_grad,
                         .adjoint_takes_outputs = !f->custom_grad};
    pass_det(l, span_of(l, at), f, inst->unit, &bound, &call);
    pass_args(l, at, f, &bound, &call);
    refuse_ref_gradients(l, at, f);
    call.has_replay = (f->custom_replay && n <= 1) || (f->replay_snippet && n == 0);
    emit_call(l, &call);
    return results_operand(vars, n);
}

/* A function of C++ that the program registers: called by its name there, without an adjoint. */
operand call_external(lower *l, const node *at, const func *head, const call_args *a)
{
    bound_args bound = {0};
    const func *f = select_overload(l, head, a, &bound);
    if (!f)
        report_no_overload(l, at, head, a);
    const bool is_void = f->code.returns->kind == TYPE_VOID;
    uint32_t out = is_void ? NO_VAR : add_var(l, f->code.returns);
    emitted_call call = {.callee = add_callee(l, (ir_callee){.native = {.name = f->native_name}}),
                         .results = &out,
                         .nresults = !is_void};
    pass_args(l, at, f, &bound, &call);
    emit_call(l, &call);
    return results_operand(&out, call.nresults);
}

/* wp.grad(f) calls f's adjoint in the forward pass, so f and all that it calls need their adjoints
 * even with enable_backward=False. Each unit is visited once. */
static void force_adjoint(ir_unit *u)
{
    if (u->forced)
        return;
    u->forced = true;
    for (uint32_t i = 0; i < u->called.n; i++)
        force_adjoint(u->called.v[i]);
}

/* Is the parameter annotated with Python's int or float? The tuple of gradients names its types as
 * the annotations do: Warp keeps `float` apart from float32 there (grad_target.python). */
static bool is_python_number(lower *l, const func *f, const param *p)
{
    const node *annotation = p->where ? AST(arg, p->where)->annotation : NULL;
    if (!annotation || p->type->generic)
        return false;
    const value v = eval_expr(l->c, f->code.env, NULL, 0, annotation);
    return v.kind == VALUE_PYTYPE && p->type->kind != TYPE_BOOL;
}

/* wp.grad(f)(args): the arguments are passed as in a call, but only emit_grad_call's call of the
 * adjoint is emitted. */
operand grad_of_user(lower *l, const node *at, const func *head, const call_args *a)
{
    bound_args bound = {0};
    const instance *inst = resolve_user(l, at, head, a, &bound);
    const func *f = inst->func;
    const type **results;
    const uint32_t n = result_types(l, f, inst->unit, &results);
    grad_target t = {
        .callee = callee_of_unit(l, inst->unit), .nresults = n, .result_types = results};
    if (!t.nresults)
        lower_error(l, at, GRAD_OF_VOID, f->code.name->s);
    if (ir_needs_det(inst->unit))
        det_unsupported(l, span_of(l, at), "wp.grad of a function with atomics or reads");
    force_adjoint(inst->unit);
    emitted_call call = {0};
    pass_args(l, at, f, &bound, &call);
    uint32_t *vars = ARENA_ARRAY(&l->c->ir, uint32_t, call.nargs + 1);
    const type **types = ARENA_ARRAY(&l->c->ir, const type *, call.nargs + 1);
    for (uint32_t i = 0, k = 0; i < f->code.nparams; i++)
        if (!is_function_type(f->code.params[i].type)) {
            vars[k] = call.args[k].forward;
            types[k] = inst->types[i];
            if (k < 31 && is_python_number(l, f, &f->code.params[i]))
                t.python |= 1 << k;
            k++;
        }
    t.args = vars;
    t.arg_types = types;
    t.nargs = call.nargs;
    return emit_grad_call(l, &t);
}
