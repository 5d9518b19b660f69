/* Calls: builtins, constructors, atomics, wp.tid and the user's functions. */
#include <stdio.h>

#include "builtin/builtin.h"
#include "interp/interp_internal.h"

enum { ARGS_MAX = 64 };

static rvalue eval_tid(interp *in, const ast_Call *n, uint32_t expects)
{
    const int wanted = expects ? (int)expects : 1;
    const type *t = type_scalar(in->c, TYPE_INT32);
    rvalue items[LAUNCH_DIMS];
    if (wanted != in->launch->ndim)
        interp_fail(in, &n->base,
                    "wp.tid() is taken as %d indices, but the launch has %d dimensions", wanted,
                    in->launch->ndim);
    for (int i = 0; i < wanted; i++)
        items[i] = rvalue_num(t, (num){.i = in->thread[i]});
    return expects ? make_tuple(in, items, expects) : items[0];
}

static rvalue combined(interp *in, const node *at, const char *op, rvalue old, rvalue v)
{
    if (strcmp(op, "exch") == 0)
        return v;
    if (strcmp(op, "sub") == 0)
        return call_named(in, at, "sub", (rvalue[]){old, v}, 2);
    const bool bits = !strcmp(op, "and") || !strcmp(op, "or") || !strcmp(op, "xor");
    char name[16];
    snprintf(name, sizeof name, "%s%s", bits ? "bit_" : "", op);
    return call_named(in, at, name, (rvalue[]){old, v}, 2);
}

/* atomic_OP(array, indices..., value) gives the element's old value. */
static rvalue eval_atomic(interp *in, const node *at, const char *op, const rvalue *args,
                          uint32_t n)
{
    const bool cas = strcmp(op, "cas") == 0;
    const uint32_t nvalues = cas ? 2 : 1;
    if (n < 1 + nvalues || !args[0].type || args[0].type->kind != TYPE_ARRAY ||
        n - 1 - nvalues != (uint32_t)args[0].array->ndim)
        interp_fail(in, at, "cannot execute atomic_%s with these arguments", op);
    const place p = element_place(in, at, args[0].array, args + 1, n - 1 - nvalues);
    const rvalue old = rvalue_load(&in->arena, p.type, p.bytes);
    const rvalue *v = &args[n - 1];
    if (cas && (!type_is_scalar(p.type) || args[n - 2].type != p.type))
        interp_fail(in, at, "cannot execute atomic_cas with these arguments");
    const type_kind k = p.type->kind;
    if (cas && !num_compare("==", k, old.n, k, args[n - 2].n))
        return old;
    const rvalue r = cas ? *v : combined(in, at, op, old, *v);
    if (!rvalue_store(p.type, p.bytes, &r))
        interp_fail(in, at, "a value of another type cannot be stored here");
    return old;
}

static rvalue eval_len(interp *in, const node *at, const rvalue *v)
{
    int64_t n = -1;
    if (v->type && v->type->kind == TYPE_ARRAY)
        n = v->array->shape[0];
    else if (v->type && type_is_composite(v->type))
        n = v->type->rows;
    if (n < 0)
        interp_fail(in, at, "cannot execute len of this value");
    return rvalue_num(type_scalar(in->c, TYPE_INT32), (num){.i = n});
}

/* A random state is a variable that the builtin advances. */
static void keep_state(interp *in, const ast_Call *n, const rvalue *args)
{
    const node *state = n->args.n ? n->args.v[0] : NULL;
    if (state && state->kind == AST_Name && find_variable(in, AST(Name, state)->id))
        set_variable(in, AST(Name, state)->id, args[0]);
}

static uint32_t eval_args(interp *in, const ast_Call *n, rvalue *args)
{
    if (n->args.n > ARGS_MAX || n->keywords.n > ARGS_MAX)
        interp_fail(in, &n->base, "too many arguments");
    for (uint32_t i = 0; i < n->args.n; i++)
        args[i] = interp_any(in, n->args.v[i]);
    return n->args.n;
}

static rvalue call_builtin(interp *in, const ast_Call *n, const builtin *b, uint32_t expects)
{
    const char *name = builtin_name(b)->s;
    if (strcmp(name, "tid") == 0)
        return eval_tid(in, n, expects);
    rvalue *args = ARENA_ARRAY(&in->arena, rvalue, ARGS_MAX);
    const uint32_t count = eval_args(in, n, args);
    if (n->keywords.n)
        interp_fail(in, &n->base, "cannot execute %s with keyword arguments", name);
    if (strncmp(name, "atomic_", 7) == 0)
        return eval_atomic(in, &n->base, name + 7, args, count);
    if (strcmp(name, "len") == 0 && count == 1)
        return eval_len(in, &n->base, args);
    const rvalue r = call_named(in, &n->base, name, args, count);
    if (arith_advances_state(name))
        keep_state(in, n, args);
    return r;
}

static rvalue make_struct(interp *in, const ast_Call *n, const type *t)
{
    uint8_t *bytes = arena_zero(&in->arena, layout_size(t));
    if (n->keywords.n || (n->args.n && n->args.n != t->st->nfields))
        interp_fail(in, &n->base, "cannot execute this constructor of '%s'", t->st->name->s);
    for (uint32_t i = 0; i < n->args.n; i++) {
        const rvalue v = interp_value(in, n->args.v[i]);
        if (!rvalue_store(t->st->fields[i].type, bytes + layout_field(t->st, i), &v))
            interp_fail(in, n->args.v[i], "the field '%s' has another type",
                        t->st->fields[i].name->s);
    }
    return (rvalue){.type = t, .bytes = bytes};
}

/* wp.float64(0.1) takes the literal's digits, not those of the float32 that holds it elsewhere. */
static bool literal_cast(interp *in, const ast_Call *n, const type *t, rvalue *out)
{
    value v;
    const bool wide = t->kind == TYPE_FLOAT64 || t->kind == TYPE_INT64 || t->kind == TYPE_UINT64;
    if (!wide || n->args.n != 1 || !interp_constant(in, n->args.v[0], &v) ||
        (v.kind != VALUE_INT && v.kind != VALUE_FLOAT))
        return false;
    v = value_scalar(t, &v);
    return rvalue_constant(in->c, &in->arena, &v, out);
}

static rvalue construct(interp *in, const ast_Call *n, const type *t)
{
    rvalue r;
    if (t->kind == TYPE_STRUCT)
        return make_struct(in, n, t);
    if (literal_cast(in, n, t, &r))
        return r;
    rvalue *args = ARENA_ARRAY(&in->arena, rvalue, ARGS_MAX);
    arith_call call = {.c = in->c, .a = &in->arena, .args = args, .n = eval_args(in, n, args)};
    if (n->keywords.n || arith_construct(&call, t) != ARITH_OK)
        interp_fail(in, &n->base, "cannot execute %.*s with these arguments", (int)t->pyname.n,
                    t->pyname.p);
    return call.result;
}

/* The arguments in the order of f's parameters, defaults filled in; false: they do not fit. */
static bool bind(interp *in, const func *f, const ast_Call *n, const rvalue *given, rvalue *args)
{
    const code *k = &f->code;
    if (n->args.n > k->nparams || k->nparams > ARGS_MAX)
        return false;
    for (uint32_t i = 0; i < k->nparams; i++) {
        args[i] = i < n->args.n ? given[i] : (rvalue){0};
        for (uint32_t j = 0; j < n->keywords.n; j++)
            if (AST(keyword, n->keywords.v[j])->arg == k->params[i].name)
                args[i] = given[n->args.n + j];
        const value *d = k->params[i].default_value;
        if (!args[i].type && !args[i].object &&
            (!d || !rvalue_constant(in->c, &in->arena, d, &args[i])))
            return false;
        if (args[i].type && k->params[i].type && !type_fits(k->params[i].type, args[i].type))
            return false;
    }
    return true;
}

static const func *choose(interp *in, const func *f, const ast_Call *n, const rvalue *given,
                          rvalue *args)
{
    for (int generic = 0; generic < 2; generic++)
        for (const func *g = f->head ? f->head : f; g; g = g->next)
            if (g->code.generic == (generic == 1) && bind(in, g, n, given, args))
                return g;
    interp_fail(in, &n->base, "no overload of '%s' takes these arguments", f->code.name->s);
}

static void refuse_special(interp *in, const ast_Call *n, const func *f)
{
    if (f->snippet)
        interp_fail(in, &n->base, "cannot execute the native code of '%s'", f->code.name->s);
    for (uint32_t i = 0; i < f->code.nparams; i++)
        if (f->code.params[i].is_ref)
            interp_fail(in, &n->base, "cannot execute '%s': it takes a wp.ref", f->code.name->s);
}

static rvalue call_function(interp *in, const ast_Call *n, const func *f)
{
    rvalue *given = ARENA_ARRAY(&in->arena, rvalue, 2 * ARGS_MAX);
    rvalue *args = ARENA_ARRAY(&in->arena, rvalue, ARGS_MAX);
    eval_args(in, n, given);
    for (uint32_t i = 0; i < n->keywords.n; i++)
        given[n->args.n + i] = interp_any(in, AST(keyword, n->keywords.v[i])->value);
    f = choose(in, f, n, given, args);
    refuse_special(in, n, f);
    if (++in->depth > CALL_DEPTH_MAX)
        interp_fail(in, &n->base, "calls are nested too deeply");
    frame inner = {.code = &f->code}, *outer = in->frame;
    in->frame = &inner;
    for (uint32_t i = 0; i < f->code.nparams; i++)
        set_variable(in, f->code.params[i].name, args[i]);
    run_block(in, &f->code.def->body);
    in->frame = outer;
    in->depth--;
    return inner.result;
}

static rvalue eval_static(interp *in, const ast_Call *n)
{
    const value *known = code_static(in->frame->code, &n->base);
    rvalue r;
    value v = known ? *known : (value){0};
    if (!known && n->args.n == 1)
        v = eval_expr(in->c, in->frame->code->env, NULL, 0, n->args.v[0]);
    if (rvalue_constant(in->c, &in->arena, &v, &r))
        return r;
    value *object = ARENA_NEW(&in->arena, value);
    *object = v;
    return (rvalue){.object = object};
}

static const sym *last_name(const node *n)
{
    if (n->kind == AST_Attribute)
        return AST(Attribute, n)->attr;
    return n->kind == AST_Name ? AST(Name, n)->id : NULL;
}

static bool callee_of(interp *in, const node *f, value *out)
{
    const variable *local = f->kind == AST_Name ? find_variable(in, AST(Name, f)->id) : NULL;
    if (local) {
        *out = local->value.object ? *local->value.object : (value){0};
        return local->value.object != NULL;
    }
    if (interp_constant(in, f, out))
        return true;
    if (f->kind != AST_Call)
        return false;
    const rvalue r = interp_any(in, f);
    *out = r.object ? *r.object : (value){0};
    return r.object != NULL;
}

rvalue interp_call(interp *in, const ast_Call *n, uint32_t expects)
{
    value f = {0};
    const sym *name = last_name(n->func);
    const bool known = callee_of(in, n->func, &f);
    for (uint32_t i = 0; i < n->args.n; i++)
        if (n->args.v[i]->kind == AST_Starred)
            interp_fail(in, &n->base, "cannot execute a call with *arguments");
    if (known && f.kind == VALUE_FUNC)
        return call_function(in, n, f.p);
    if (known && f.kind == VALUE_BUILTIN)
        return call_builtin(in, n, f.p, expects);
    if (known && f.kind == VALUE_SPECIAL && strcmp(f.s->s, "static") == 0)
        return eval_static(in, n);
    const type *t = known ? value_as_type(in->c, &f) : NULL;
    if (t && (type_is_value(t) || t->kind == TYPE_STRUCT) && !t->generic)
        return construct(in, n, t);
    const builtin *b = name ? builtin_find(in->c, name) : NULL;
    if (!b)
        interp_fail(in, &n->base, "cannot execute %s", name ? name->s : "this call");
    return call_builtin(in, n, b, expects);
}
