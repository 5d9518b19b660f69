/* Calls of user functions: Warp 1.19 Function.get_overload, func_match_args, Adjoint.resolve_call
 * and the user-function parts of add_call. */
#include "ir/lower.h"

/* The arguments of a call by parameter of one overload. The arrays serve all overloads in turn:
 * a name may have thousands. */
typedef struct bound_args {
    uint32_t room; /* parameters that there is memory for */
    call_arg *v;   /* by parameter */
    const node **nodes;
    bool *given; /* by the caller; otherwise the default */
} bound_args;

static uint32_t param_index(const code *f, const sym *name)
{
    uint32_t i = 0;
    while (i < f->nparams && f->params[i].name != name)
        i++;
    return i;
}

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

static bool bind(lower *l, const func *f, const call_args *a, bound_args *out)
{
    const code *c = &f->code;
    arena *m = &l->c->module;
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

/* NULL for what is no value: a function, a type. */
static const type *arg_type(const call_arg *a)
{
    return a->kind == ARG_VAR && a->type ? type_strip_ref(a->type) : NULL;
}

/* A fixed array may stand for an array and the other way round. */
static bool array_classes_fit(const type *p, const type *t)
{
    bool plain_p = p->array_class == ARRAY_PLAIN || p->array_class == ARRAY_FIXED;
    bool plain_t = t->array_class == ARRAY_PLAIN || t->array_class == ARRAY_FIXED;
    return p->array_class == t->array_class || (plain_p && plain_t);
}

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

/* Generic overloads are also held to the annotation, rank of arrays included. */
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
        VEC_PUSH(&l->c->module, &a.args, args[i]);
    return select_overload(l, f, &a, &bound);
}

static void report_no_overload(lower *l, const node *at, const func *f, const call_args *a)
{
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
    lower_error(l, at, NO_USER_OVERLOAD, f->code.name->s, (int)types.n, types.p);
}

static const type *const *instance_types(lower *l, const func *f, const bound_args *bound)
{
    const type **types = ARENA_ARRAY(&l->c->module, const type *, f->code.nparams + 1);
    for (uint32_t i = 0; i < f->code.nparams; i++) {
        const type *p = f->code.params[i].type;
        const type *t = arg_type(&bound->v[i]);
        types[i] = f->code.generic && t && p->kind != TYPE_FUNCTION ? t : p;
    }
    return types;
}

/* Types of the results: the annotation's, else what the body returned. */
static uint32_t result_types(lower *l, const func *f, const ir_unit *u, const type ***out)
{
    const type *r = f->code.returns;
    uint32_t n = r ? r->kind == TYPE_TUPLE ? r->nitems : r->kind == TYPE_VOID ? 0 : 1 : u->nreturns;
    *out = ARENA_ARRAY(&l->c->module, const type *, n + 1);
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
    return add_callee(
        l, (ir_callee){.func = u->func, .unit = u, .native = {.name = u->func->native_name}});
}

static void pass_ref(lower *l, const node *at, const bound_args *bound, uint32_t i, const type *t,
                     emitted_arg *arg, prelude *before)
{
    uint32_t ref = addressable(l, at, bound->nodes[i], arg->forward, t);
    const uint32_t adjoint = lower_place_adjoint_pointer(l, info_of(l, ref)->origin, before);
    arg->forward = ref;
    arg->reverse = lower_place_var(l, t, adjoint);
}

/* Functions among the arguments are no arguments of the C++ function. */
static void pass_args(lower *l, const node *at, const func *f, const bound_args *bound,
                      emitted_call *call)
{
    uint32_t n = f->code.nparams, count = 0;
    emitted_arg *args = ARENA_ARRAY(&l->c->module, emitted_arg, n + 1);
    prelude *before = ARENA_NEW(&l->c->module, prelude);
    uint32_t *index = ARENA_ARRAY(&l->c->module, uint32_t, n + 1);
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
    call->args = args;
    call->nargs = count;
    call->prelude = before;
}

static void refuse_ref_gradients(lower *l, const node *at, const func *f)
{
    if (f->custom_grad || (f->snippet && f->adj_snippet) || !l->job->out->options.enable_backward)
        return;
    for (uint32_t i = 0; i < f->code.nparams; i++)
        if (f->code.params[i].is_ref)
            lower_error(l, at, REF_NEEDS_ADJOINT, f->code.name->s);
}

const type *function_result(void *data, const value *f, const type *const *types, uint32_t n,
                            value *overload)
{
    lower *l = ((function_call *)data)->l;
    const node *at = ((function_call *)data)->at;
    call_args a = {0};
    bound_args bound = {0};
    for (uint32_t i = 0; i < n; i++)
        VEC_PUSH(&l->c->module, &a.args, ((call_arg){.kind = ARG_VAR, .type = types[i]}));
    const func *chosen = select_overload(l, f->p, &a, &bound);
    if (!chosen)
        return NULL;
    instance *inst = lower_instance(l, at, chosen, instance_types(l, chosen, &bound));
    if (!inst)
        lower_fail(l);
    VEC_PUSH(&l->c->module, &l->u->called, inst->unit);
    *overload = *f;
    overload->p = chosen;
    const type **results;
    return result_types(l, chosen, inst->unit, &results) == 1 ? results[0] : NULL;
}

/* The overload that takes these arguments, and its instance. */
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

operand call_user(lower *l, const node *at, const func *head, const call_args *a)
{
    bound_args bound = {0};
    const instance *inst = resolve_user(l, at, head, a, &bound);
    const func *f = inst->func;
    VEC_PUSH(&l->c->module, &l->u->called, inst->unit);
    const type **types;
    uint32_t n = result_types(l, f, inst->unit, &types);
    uint32_t *vars = ARENA_ARRAY(&l->c->module, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        vars[i] = add_var(l, types[i]);
    emitted_call call = {.callee = callee_of_unit(l, inst->unit),
                         .results = vars,
                         .nresults = n,
                         .differentiable = !inst->unit->uses_grad,
                         .adjoint_takes_outputs = !f->custom_grad};
    pass_args(l, at, f, &bound, &call);
    refuse_ref_gradients(l, at, f);
    call.has_replay = (f->custom_replay && n <= 1) || (f->replay_snippet && n == 0);
    emit_call(l, &call);
    return results_operand(vars, n);
}

static void force_adjoint(ir_unit *u)
{
    if (u->forced)
        return;
    u->forced = true;
    for (uint32_t i = 0; i < u->called.n; i++)
        force_adjoint(u->called.v[i]);
}

/* Is the parameter annotated with Python's int or float? Warp keeps that name in tuples' types. */
static bool is_python_number(lower *l, const func *f, const param *p)
{
    const node *annotation = p->where ? AST(arg, p->where)->annotation : NULL;
    if (!annotation || p->type->generic)
        return false;
    const value v = eval_expr(l->c, f->code.env, NULL, 0, annotation);
    return v.kind == VALUE_PYTYPE && p->type->kind != TYPE_BOOL;
}

/* wp.grad(f)(args) */
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
    force_adjoint(inst->unit);
    emitted_call call = {0};
    pass_args(l, at, f, &bound, &call);
    uint32_t *vars = ARENA_ARRAY(&l->c->module, uint32_t, call.nargs + 1);
    const type **types = ARENA_ARRAY(&l->c->module, const type *, call.nargs + 1);
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
