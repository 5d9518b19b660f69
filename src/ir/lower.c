/* SPDX-License-Identifier: Apache-2.0 */
/* Lowering of a kernel with the functions it calls: Warp 1.19 Adjoint.build, emit_FunctionDef,
 * ModuleBuilder.build_kernel, build_function and build_struct. The entries are lower_kernel, for
 * all output, and lower_rolled, for the CUDA passes that roll unrolled loops up again.
 *
 *     @wp.func
 *     def sq(x: float):                    func sq_0      forward:  CALL %0, @wp::mul, %x, %x
 *         return x * x               ->                             RETURN_VALUE %0
 *     @wp.kernel
 *     def k(y: wp.array(dtype=float)):     kernel k       forward:  CALL %1, @wp::address, %y, %0
 *         y[0] = sq(y[1])                                           CALL %3, @wp::load, %1
 *                                                                   CALL %2, @sq_0, %3
 *                                                                   CALL_VOID @wp::array_store, ...
 *
 * A function is lowered when the first call of it is, once per set of argument types, so callees
 * stand before callers in the module. Custom gradients and replays follow after the kernel. */
#include "ir/lower.h"
#include "ir/ir_verify.h"

/* Functions that call each other in a chain; each takes a whole lowering of C stack. */
enum { CALL_DEPTH_MAX = 64 };

/* The limit of work for a kernel with all it calls, in steps (ctx_spend). A statement takes some,
 * and so does each name that a branch or a loop copies and each overload that a call tries. Without
 * it, input could make these take quadratic time. */
enum { MILLION_STEPS = 500, STMT_STEPS = 16 };

/* Nodes that lowering makes itself have no line; their errors go to the line being lowered, or to
 * the function's head before the first. */
span span_of(const lower *l, const node *n)
{
    if (n && n->line)
        return node_span(l->code->src, n);
    return (span){l->code->src, l->line ? l->line : l->code->def->base.line, 0, 0, 0};
}

/* To lower_guarded, which goes on with the next statement, or to lower_unit, which gives up. */
_Noreturn void lower_fail(lower *l)
{
    longjmp(*l->recover, 1);
}

/* Structs that the C++ text declares, each once. */
static void use_one_struct(lower_job *job, const struct_def *st)
{
    WEFT_ASSERT(st);
    for (uint32_t i = 0; i < job->out->structs.n; i++)
        if (job->out->structs.v[i] == st)
            return;
    VEC_PUSH(&job->c->ir, &job->out->structs, st);
}

/* Inner structs come first: Warp walks a stack of fields and builds what it met in reverse. */
void lower_use_struct(lower_job *job, const struct_def *st)
{
    VEC(const struct_def *) stack = {0}, met = {0};
    arena *a = &job->c->ir;
    VEC_PUSH(a, &stack, st);
    while (stack.n) {
        const struct_def *s = stack.v[--stack.n];
        VEC_PUSH(a, &met, s);
        for (uint32_t i = 0; i < s->nfields; i++) {
            const type *t = s->fields[i].type;
            if (t->kind == TYPE_ARRAY)
                t = t->elem;
            if (t->kind == TYPE_STRUCT)
                VEC_PUSH(a, &stack, t->st);
        }
    }
    for (uint32_t i = met.n; i-- > 0;)
        use_one_struct(job, met.v[i]);
}

static void lower_nested_def(lower *l, const ast_FunctionDef *def);

static void lower_stmt_node(lower *l, const node *n)
{
    switch (n->kind) {
    case AST_Assign: lower_assign(l, AST(Assign, n)); return;
    case AST_AugAssign: lower_augassign(l, AST(AugAssign, n)); return;
    case AST_If: lower_if(l, AST(If, n)); return;
    case AST_For: lower_for(l, AST(For, n)); return;
    case AST_While: lower_while(l, AST(While, n)); return;
    case AST_Break: lower_break(l, n); return;
    case AST_Continue: lower_continue(l, n); return;
    case AST_Return: lower_return(l, AST(Return, n)); return;
    case AST_Pass: return;
    case AST_Expr: {
        const node *v = AST(Expr, n)->value;
        if (v->kind == AST_Call)
            lower_call(l, AST(Call, v), CALL_STATEMENT);
        else
            lower_expr(l, v);
        return;
    }
    case AST_Assert: lower_assert(l, AST(Assert, n)); return;
    case AST_FunctionDef: lower_nested_def(l, AST(FunctionDef, n)); return;
    default: refuse_syntax(l, n);
    }
}

/* NESTING_MAX bounds the C stack; ctx_spend bounds the time. */
static void lower_stmt(lower *l, const node *n)
{
    if (l->nesting >= NESTING_MAX)
        lower_error(l, n, TOO_DEEP);
    ctx_spend(l->c, STMT_STEPS);
    l->nesting++;
    set_line(l, n);
    lower_stmt_node(l, n);
    l->nesting--;
}

/* New names that a failed statement was to bind get an empty binding. Their use fails without a
 * second diagnostic (lower_name). */
static void poison_names(lower *l, const node *n)
{
    sym_set stored = {0};
    collect_stores(l, n, &stored);
    for (uint32_t i = 0; i < stored.n; i++)
        if (!scope_find(l, &l->scope, stored.v[i]))
            scope_set(l, stored.v[i], NO_VAR, NULL);
}

/* Lowers one statement. After an error the state is as before it, but for what it already appended:
 * the unit is not used then. */
static void lower_guarded(lower *l, const node *n)
{
    jmp_buf here, *const outer = l->recover;
    const uint32_t blocks = l->blocks.n, loops = l->loops.n, scopes = l->loop_scopes.n;
    const uint16_t depth = l->depth, nesting = l->nesting;
    if (setjmp(here)) {
        l->recover = outer;
        l->blocks.n = blocks;
        l->loops.n = loops;
        l->loop_scopes.n = scopes;
        l->depth = depth;
        l->nesting = nesting;
        l->failed = true;
        poison_names(l, n);
        return;
    }
    l->recover = &here;
    lower_stmt(l, n);
    WEFT_ASSERT(l->blocks.n == blocks && l->loops.n == loops && l->loop_scopes.n == scopes &&
                l->depth == depth && l->nesting == nesting && l->recover == &here);
    l->recover = outer;
}

/* After an error the next statement is lowered, to find more errors. */
void lower_body(lower *l, const node_list *body)
{
    for (uint32_t i = 0; i < body->n; i++)
        lower_guarded(l, body->v[i]);
}

/* Standalone constants, docstrings among them, leave no trace at the top level of a def. */
static bool is_bare_constant(const node *n)
{
    return n->kind == AST_Expr && AST(Expr, n)->value->kind == AST_Constant;
}

/* Warp 1.19 emit_FunctionDef, for the kernel itself and for each `def` in it: the node visitor of a
 * nested def is the same, so its body is emitted in place, where the def stands. Its parameters are
 * never bound, and neither is its name. */
static void lower_def(lower *l, const ast_FunctionDef *def)
{
    const node_list *body = &def->body;
    for (uint32_t i = 0; i < body->n; i++)
        if (!is_bare_constant(body->v[i]))
            lower_guarded(l, body->v[i]);
    bool ends_in_return = body->n && body->v[body->n - 1]->kind == AST_Return;
    if (!l->failed && l->u->has_return && l->u->nreturns == 1 && !ends_in_return)
        add_forward_no_replay(l, IR_RETURN_NOTHING, NULL, 0);
}

typedef struct name_use {
    const sym *name;
    bool found;
} name_use;

static void find_use(void *arg, const node *n)
{
    name_use *u = arg;
    if (n->kind == AST_Name && AST(Name, n)->id == u->name)
        u->found = true;
    ast_each_child(n, find_use, arg);
}

/* Does the name stand anywhere in the body? */
static bool is_used_in(const node_list *body, const sym *name)
{
    name_use u = {name, false};
    for (uint32_t i = 0; i < body->n && !u.found; i++)
        find_use(&u, body->v[i]);
    return u.found;
}

static void find_result(void *arg, const node *n)
{
    if (n->kind == AST_Return && AST(Return, n)->value)
        *(bool *)arg = true;
    ast_each_child(n, find_result, arg);
}

/* Does it use what a function has: parameters, a result, a call? Warp has none of them here. */
static bool needs_function(const lower *l, const ast_FunctionDef *def)
{
    const ast_arguments *a = AST(arguments, def->args);
    const node_list *const lists[] = {&a->posonlyargs, &a->args, &a->kwonlyargs};
    bool found = is_used_in(&l->code->def->body, def->name);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (uint32_t k = 0; k < lists[i]->n; k++)
            found |= is_used_in(&def->body, AST(arg, lists[i]->v[k])->arg);
    for (uint32_t i = 0; i < def->body.n && l->u->kernel; i++)
        find_result(&found, def->body.v[i]);
    return found;
}

/* A def in a kernel: in place, with a warning, for it makes no function that could be called. */
static void lower_nested_def(lower *l, const ast_FunctionDef *def)
{
    if (needs_function(l, def)) {
        scope_set(l, def->name, NO_VAR, NULL); /* its calls fail without another word */
        lower_error(l, &def->base, NESTED_FUNCTION);
    }
    diag_warning(l->c, span_of(l, &def->base), DIAG_NESTED_FUNCTION);
    lower_def(l, def);
}

static void lower_function_body(lower *l)
{
    set_line(l, &l->code->def->base);
    lower_def(l, l->code->def);
    if (l->failed)
        lower_fail(l);
}

/* Parameters come first in the table of variables. A function that stands for a parameter is bound
 * as an object: calls of the parameter's name find it as they find any function. */
static void declare_params(lower *l)
{
    const specialization *s = l->u->func ? specialization_of(l->job, l->u->func) : NULL;
    const code *f = l->code;
    l->u->nparams = f->nparams;
    l->u->params = ARENA_ARRAY(&l->c->ir, uint32_t, f->nparams + 1);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = l->param_types[i];
        WEFT_ASSERT(t);
        uint32_t v = add_named(l, (ir_var){.kind = IR_VAR_PARAM, .type = t, .index = i});
        l->u->params[i] = v;
        if (f->params[i].is_ref || t->kind == TYPE_ARRAY)
            info_of(l, v)->origin = lower_place_local(l, v, f->params[i].is_ref);
        if (s && s->functions[i])
            scope_set(l, f->params[i].name, NO_VAR, s->functions[i]);
        else
            scope_set(l, f->params[i].name, v, NULL);
    }
}

/* C++ declares the structs of parameters, and those of the elements of plain arrays. */
static void use_param_structs(lower *l)
{
    for (uint32_t i = 0; i < l->u->nparams; i++) {
        const type *t = var_type(l, l->u->params[i]);
        if (t->kind == TYPE_ARRAY && t->array_class == ARRAY_PLAIN)
            t = t->elem;
        if (t->kind == TYPE_STRUCT)
            lower_use_struct(l->job, t->st);
    }
}

/* The annotation of a function's result against what it returns: Warp 1.19 _validate_return_type.
 * Instances of generic functions have lost it; of others only items of a tuple may be Any. */
static void check_returns(lower *l)
{
    const type *want = l->code->returns;
    const ir_unit *u = l->u;
    if (!want || l->code->generic || !u->has_return)
        return;
    bool tuple = want->kind == TYPE_TUPLE;
    bool ok = u->nreturns == (tuple ? want->nitems : 1);
    for (uint32_t i = 0; ok && i < u->nreturns; i++) {
        const type *w = tuple ? want->items[i] : want, *t = var_type(l, u->returns[i]);
        ok = type_equal(w, t) || (tuple && w->generic && type_fits(w, t)) ||
             (t->kind == TYPE_NATIVE && t->native->erased == w);
    }
    if (!ok)
        lower_error(l, l->code->def->returns, RETURN_ANNOTATION, l->code->name->s);
}

/* The lists of the outermost block become the unit's; the reverse list is turned around, so that
 * the unit holds it in the order in which it runs. */
static void lower_all(lower *l)
{
    begin_block(l, BLOCK_PLAIN);
    l->labels = 0;
    declare_params(l);
    det_begin(l);
    lower_function_body(l);
    WEFT_ASSERT(l->blocks.n == 1 && !l->loops.n && !l->loop_scopes.n && !l->depth &&
                l->info.n == l->u->vars.n);
    check_returns(l);
    det_end(l);
    use_param_structs(l);
    block *b = innermost(l);
    l->u->forward = b->forward;
    l->u->replay = b->replay;
    ir_list *r = &l->u->reverse;
    for (uint32_t i = b->reverse.n; i-- > 0;)
        push_entry(l, r, b->reverse.v[i]);
}

/* Lowers a body into u. False after an error. */
static bool lower_unit(lower_job *job, ir_unit *u, const code *f, const type *const *types)
{
    jmp_buf here;
    lower *l = ARENA_NEW(&job->c->ir, lower);
    l->c = job->c;
    l->job = job;
    l->u = u;
    l->code = f;
    l->names = job->names;
    l->param_types = types;
    l->recover = &here;
    u->code = f;
    /* Source text that Warp was given, as for generic functions, counts its lines from 1. */
    const bool is_instance = u->kernel && u->kernel->generic;
    u->first_line = f->generic || is_instance || takes_functions(f) ? 0 : f->first_line;
    u->line_directives = job->line_directives && u->first_line;
    if (setjmp(here))
        return false;
    lower_all(l);
    return true;
}

/* Types are compared by address, so that two calls with equal types meet the same instance. */
static instance *find_instance(lower_job *job, const func *f, const type *const *types)
{
    for (uint32_t i = 0; i < job->instances.n; i++) {
        instance *x = job->instances.v[i];
        if (x->func != f)
            continue;
        uint32_t k = 0;
        while (k < f->code.nparams && x->types[k] == types[k])
            k++;
        if (k == f->code.nparams)
            return x;
    }
    return NULL;
}

/* The code of f for these types, with the values of wp.static that Warp has for them: those of an
 * instance of a generic function, and of a copy for functions given, in this order. */
static const code *instance_code(const lower_job *job, const func *f, const type *const *types)
{
    const specialization *s = specialization_of(job, f);
    const code *k = s ? &s->original->code : &f->code;
    if (!k->nstatics)
        return k;
    const void **key = ARENA_ARRAY(&job->c->ir, const void *, k->nparams + 1);
    if (k->generic) {
        for (uint32_t i = 0; i < k->nparams; i++)
            key[i] = types[i];
        k = code_instance_of(job->c, k, key);
    }
    for (uint32_t i = 0; s && i < k->nparams; i++)
        key[i] = s->functions[i] ? s->functions[i]->p : NULL;
    return s ? code_instance_of(job->c, k, key) : k;
}

/* The instance is entered before its body is lowered, so that a call from within it is recognised
 * as recursion. It gets its index in `funcs` afterwards: its callees come first. */
static instance *build_instance(lower_job *job, const func *f, const type *const *types)
{
    instance *x = ARENA_NEW(&job->c->ir, instance);
    x->func = f;
    x->types = types;
    x->unit = ARENA_NEW(&job->c->ir, ir_unit);
    x->unit->func = f;
    VEC_PUSH(&job->c->ir, &job->instances, x);
    job->depth++;
    x->ok = code_check(job->c, &f->code) &&
            lower_unit(job, x->unit, instance_code(job, f, types), types);
    job->depth--;
    x->done = true;
    x->unit->index = job->out->funcs.n;
    WEFT_ASSERT(job->depth <= CALL_DEPTH_MAX);
    VEC_PUSH(&job->c->ir, &job->out->funcs, x->unit);
    if (f->custom_grad)
        VEC_PUSH(&job->c->ir, &job->deferred, f->custom_grad);
    if (f->custom_replay)
        VEC_PUSH(&job->c->ir, &job->deferred, f->custom_replay);
    return x;
}

instance *lower_instance(lower *l, const node *at, const func *f, const type *const *types)
{
    instance *x = find_instance(l->job, f, types);
    if (x && !x->done)
        lower_error(l, at, RECURSION, f->code.name->s);
    if (!x && l->job->depth >= CALL_DEPTH_MAX)
        lower_error(l, at, TOO_DEEP);
    if (!x)
        x = build_instance(l->job, f, types);
    return x->ok ? x : NULL;
}

/* Custom gradients and replays: Warp builds them last. Lowering one may defer others, so the loop
 * reads the list's length anew. */
static void build_deferred(lower_job *job)
{
    for (uint32_t i = 0; i < job->deferred.n; i++) {
        const func *f = job->deferred.v[i];
        const type **types = ARENA_ARRAY(&job->c->ir, const type *, f->code.nparams + 1);
        for (uint32_t k = 0; k < f->code.nparams; k++)
            types[k] = f->code.params[k].type;
        if (!find_instance(job, f, types))
            job->failed |= !build_instance(job, f, types)->ok;
    }
}

/* Warp builds such a function for the first caller that must know it, and again with the others
 * that wait. */
const ir_unit *lower_apart(lower *l, span at, const func *f)
{
    for (const lower_job *job = l->job; job; job = job->above)
        if (job->apart == f)
            det_unsupported(l, at, "a gradient that calls its own function");
    if (l->job->depth >= CALL_DEPTH_MAX)
        det_unsupported(l, at, "a call this deep");
    lower_job *job = ARENA_NEW(&l->c->ir, lower_job);
    *job = (lower_job){.c = l->c,
                       .prog = l->job->prog,
                       .names = l->names,
                       .apart = f,
                       .above = l->job,
                       .depth = l->job->depth,
                       .module_backward = l->job->module_backward};
    job->out = ARENA_NEW(&l->c->ir, ir_module);
    job->out->options = l->job->out->options;
    const type **types = ARENA_ARRAY(&l->c->ir, const type *, f->code.nparams + 1);
    for (uint32_t i = 0; i < f->code.nparams; i++)
        types[i] = f->code.params[i].type;
    const instance *x = build_instance(job, f, types);
    if (!x->ok)
        lower_fail(l);
    return x->unit;
}

/* The flag of everything that the unit calls, directly or not. Ends at units that have it. */
static void mark_backward(ir_unit *u)
{
    if (u->backward)
        return;
    u->backward = true;
    for (uint32_t i = 0; i < u->called.n; i++)
        mark_backward(u->called.v[i]);
}

/* The module's options (wp.set_module_options) under the kernel's own; -1 and NULL there mean that
 * the kernel states none. */
static code_options effective_options(const kernel *k, const code_options *base)
{
    code_options o = *base;
    const code_options *own = &k->code.options;
#define TAKE(f)                                                                                    \
    if (own->f != -1)                                                                              \
    o.f = own->f
    TAKE(enable_backward);
    TAKE(max_unroll);
    TAKE(grid_stride);
    TAKE(block_dim);
    TAKE(deterministic);
    TAKE(lineinfo);
    TAKE(debug);
    TAKE(enable_vector_component_overwrites);
#undef TAKE
    o.unknown_keyword = own->unknown_keyword;
    if (own->refused) {
        o.refused = own->refused;
        o.refused_value = own->refused_value;
    }
    if (own->launch_bounds)
        o.launch_bounds = own->launch_bounds;
    if (own->cluster_dim)
        o.cluster_dim = own->cluster_dim;
    if (own->max_registers)
        o.max_registers = own->max_registers;
    if (own->smem_spilling)
        o.smem_spilling = own->smem_spilling;
    return o;
}

/* The name of an option, or "options" and "**" for all of the module's or the kernel's. */
static bool report_unknown_option(ctx *c, span at, const code_options *o)
{
    const char *why = o->refused_value->why;
    const bool is_all = strcmp(o->refused, "options") == 0 || strcmp(o->refused, "**") == 0;
    const char *what = is_all ? "the options" : arena_printf(&c->ir, "option '%s'", o->refused);
    return o->refused_value->n == UNKNOWN_MODULE
               ? diag_error(c, at, DIAG_OPTION_MODULE, what, why)
               : diag_error(c, at, DIAG_OPTION_UNKNOWN, what, why);
}

/* At the option itself, in the decorator. */
static bool report_unknown_keyword(ctx *c, const kernel *k, const char *name)
{
    const node_list *d = &k->code.def->decorator_list;
    const node *at = &k->code.def->base;
    for (uint32_t i = 0; i < d->n; i++)
        for (uint32_t j = 0; d->v[i]->kind == AST_Call && j < AST(Call, d->v[i])->keywords.n; j++) {
            const ast_keyword *kw = AST(keyword, AST(Call, d->v[i])->keywords.v[j]);
            if (kw->arg && strcmp(kw->arg->s, name) == 0)
                at = &kw->base;
        }
    return diag_error(c, node_span(k->code.src, at), DIAG_UNKNOWN_KERNEL_OPTION, name,
                      kernel_option_hint(c, name));
}

static bool are_options_good(ctx *c, const kernel *k, const code_options *o)
{
    const span at = node_span(k->code.src, &k->code.def->base);
    if (o->unknown_keyword)
        return report_unknown_keyword(c, k, o->unknown_keyword);
    /* A name that nothing defines is reported where it stands. */
    if (o->refused && o->refused_value && kernel_names_reported(k))
        return false;
    if (o->refused && o->refused_value)
        return report_unknown_option(c, at, o);
    if (o->refused)
        return diag_error(c, at, DIAG_OPTION_REFUSED, o->refused);
    return true;
}

/* Do functions that the kernel calls get adjoints? */
static bool is_called_backward(const lower_job *job, const kernel *k)
{
    return job->out->options.enable_backward &&
           (warp_has(job->c->warp, WARP_BACKWARD_BY_KERNEL) || kernel_module_backward(k));
}

static ir_module *lower_job_run(lower_job *job, const kernel *k)
{
    WEFT_ASSERT(!job->out->kernel && !job->depth);
    ctx *c = job->c;
    ir_unit *u = ARENA_NEW(&c->ir, ir_unit);
    job->out->kernel = u;
    u->kernel = k;
    const type **types = ARENA_ARRAY(&c->ir, const type *, k->code.nparams + 1);
    for (uint32_t i = 0; i < k->code.nparams; i++)
        types[i] = k->code.params[i].type;
    if (!code_check(c, &k->code))
        return NULL;
    if (k->code.generic) {
        diag_error(c, node_span(k->code.src, &k->code.def->base), DIAG_GENERIC_KERNEL,
                   k->code.name->s);
        return NULL;
    }
    bool ok = lower_unit(job, u, &k->code, types);
    job->out->ncalled = job->out->funcs.n;
    build_deferred(job);
    u->launch_dim = launch_dim(c, &k->code);
    if (is_called_backward(job, k))
        mark_backward(u);
    if (!ok || job->failed)
        return NULL;
    ir_verify(c, job->out, job->rolls);
    return job->out;
}

/* One job for each kernel: instances are not shared among kernels, since each is a module of its
 * own. */
static lower_job *new_job(ctx *c, const program *p, const kernel *k)
{
    lower_job *job = ARENA_NEW(&c->ir, lower_job);
    job->c = c;
    job->prog = p;
    job->names = lower_names_get(c);
    job->out = ARENA_NEW(&c->ir, ir_module);
    const code_options base = module_options(k->code.mod);
    const int own = k->code.options.module_backward;
    job->module_backward = own >= 0 ? own : base.enable_backward;
    job->out->options = effective_options(k, &base);
    job->line_directives = kernel_line_directives(k, &job->out->options);
    return job;
}

typedef struct guarded_run {
    lower_job *job;
    const kernel *k;
    ir_module *out; /* NULL: there is an error */
} guarded_run;

static void run_guarded(void *arg)
{
    guarded_run *g = arg;
    g->out = lower_job_run(g->job, g->k);
}

ir_module *lower_kernel(ctx *c, const program *p, const kernel *k)
{
    guarded_run g = {.job = new_job(c, p, k), .k = k};
    if (!are_options_good(c, k, &g.job->out->options))
        return NULL;
    if (!ctx_try(c, MILLION_STEPS * 1000000ull, run_guarded, &g)) {
        diag_error(c, node_span(k->code.src, &k->code.def->base), DIAG_TOO_MUCH_WORK,
                   k->code.name->s, "its lowering", MILLION_STEPS);
        return NULL;
    }
    return g.out;
}

/* Diagnostics are dropped: lower_kernel has already accepted the kernel, so an error only means
 * that its loops cannot stay loops. */
ir_module *lower_rolled(ctx *c, const program *p, const kernel *k)
{
    lower_job *job = new_job(c, p, k);
    job->rolls = true;
    job->max_unroll = job->out->options.max_unroll;
    job->out->options.max_unroll = 0;
    const uint32_t before = c->diags.n;
    ir_module *m = lower_job_run(job, k);
    const bool good = c->diags.n == before;
    WEFT_ASSERT(c->diags.n >= before);
    c->diags.n = before;
    return good ? m : NULL;
}
