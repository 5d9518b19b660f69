/* SPDX-License-Identifier: Apache-2.0 */
/* Deterministic mode across calls: Warp 1.19 DeterministicCodegen.include_function_call,
 * helper_args_for_meta, and the searches of the syntax tree that it starts a function with.
 * lower_func.c calls det_include and det_call_args for each call; det_begin calls the searches.
 *
 *     @wp.func
 *     def put(a: ..., i: int): wp.atomic_add(a, i, 1.0)      put_0 has the target a
 *     put(y, i) in a kernel                            ->    so the kernel has the target y, and
 *                                                            calls put_0(var_y, var_0, det_ctx,
 *                                                            det_scatter_0_y) */
#include "ir/lower.h"

/* --- what a caller takes over --- */

/* An array of the callee as the caller knows it. The label of what is no parameter of the callee
 * stays as it is (ir_det_label). */
static ir_det_array array_in_caller(lower *l, span at, const func *f, const uint32_t *actual,
                                    const ir_det_array *a)
{
    uint32_t i = 0;
    while (a->root.name && i < f->code.nparams && f->code.params[i].name != a->root.name)
        i++;
    if (!a->root.name)
        return *a;
    if (i == f->code.nparams || actual[i] == NO_VAR)
        det_unsupported(l, at, "a gradient function with parameters of other names");
    ir_det_array out;
    const type *t;
    const det_origin *o = info_of(l, actual[i])->det;
    if (!det_array_of(l, actual[i], &out, &t))
        det_unsupported(l, at, "an array that is reached through a reference");
    if (o && o->has_adjoint)
        det_unsupported(l, at, "gradients as an argument");
    out = det_below(l, out, a->path, a->npath);
    out.adjoint = a->adjoint;
    return out;
}

static ir_arg target_in_caller(lower *l, span at, const func *f, const uint32_t *actual,
                               const ir_det_target *t)
{
    ir_det_target mapped = *t;
    mapped.array = array_in_caller(l, at, f, actual, &t->array);
    return det_target(l, at, &mapped);
}

/* Loads come first, then stores, then targets, then atomics: the order decides numbers of targets
 * and which error is found. */
static void take_accesses(lower *l, span at, const func *f, const ir_det *from,
                          const uint32_t *actual, ir_det_access_kind kind)
{
    for (uint32_t i = 0; i < from->accesses.n; i++) {
        if (from->accesses.v[i].kind != kind)
            continue;
        ir_det_access x = from->accesses.v[i];
        x.array = array_in_caller(l, at, f, actual, &x.array);
        det_note_access(l, at, &x);
    }
}

static void take_targets(lower *l, span at, const func *f, const ir_det *from,
                         const uint32_t *actual, bool counters)
{
    for (uint32_t i = 0; i < from->targets.n; i++)
        if (from->targets.v[i].is_counter == counters)
            target_in_caller(l, at, f, actual, &from->targets.v[i]);
}

void det_include(lower *l, span at, const func *f, const ir_unit *u, const uint32_t *actual,
                 bool backward_only)
{
    ir_det *det = l->u->det;
    const ir_det *from = u->det;
    if (!det || !from)
        return;
    det->needs_context |= from->needs_context;
    if (!backward_only) {
        if (from->used_effect && !det->used_effect) {
            det->used_effect = from->used_effect;
            det->used_effect_at = at;
        }
        take_accesses(l, at, f, from, actual, IR_DET_ACCESS_LOAD);
        take_accesses(l, at, f, from, actual, IR_DET_ACCESS_STORE);
    }
    take_targets(l, at, f, from, actual, false);
    take_targets(l, at, f, from, actual, true);
    if (!backward_only)
        take_accesses(l, at, f, from, actual, IR_DET_ACCESS_ATOMIC);
}

/* The context, counters, scatters: the order of emit_det_func_params. */
det_args det_call_args(lower *l, span at, const func *f, const ir_unit *u, const uint32_t *actual)
{
    if (!l->u->det || !ir_needs_det(u))
        return (det_args){0};
    ir_arg *v = ARENA_ARRAY(&l->c->ir, ir_arg, u->det->targets.n + 1);
    uint32_t n = 0;
    v[n++] = arg_det(0);
    for (uint32_t i = 0; i < u->det->targets.n; i++)
        v[n++] =
            target_in_caller(l, at, f, actual, &u->det->targets.v[ir_det_parameter(u->det, i)]);
    return (det_args){v, n};
}

/* --- searches of the syntax tree --- */

/* A local name that stands for a function: `f = g`. */
typedef struct alias {
    const sym *name;
    const func *func;
} alias;

/* The functions that have been searched; one search goes through all that are called. */
typedef struct seen {
    VEC(const code *) v;
} seen;

typedef struct scan {
    lower *l;
    const code *code;
    sym_set locals;
    VEC(alias) aliases;
    seen *seen;
    const node *statement; /* the call that the innermost expression statement consists of */
    bool found;
} scan;

static void note_local(void *arg, const node *n)
{
    scan *s = arg;
    if (n->kind == AST_Name && AST(Name, n)->ctx == CTX_Store)
        sym_set_add(s->l, &s->locals, AST(Name, n)->id);
    if (n->kind == AST_arg)
        sym_set_add(s->l, &s->locals, AST(arg, n)->arg);
    ast_each_child(n, note_local, s);
}

/* The object that a dotted path names where no local hides it. */
static bool find_static(const scan *s, const node *n, value *out)
{
    ctx *c = s->l->c;
    if (n->kind == AST_Attribute) {
        value base;
        return find_static(s, AST(Attribute, n)->value, &base) &&
               value_getattr(c, &base, AST(Attribute, n)->attr, out);
    }
    if (n->kind != AST_Name)
        return false;
    const sym *name = AST(Name, n)->id;
    for (uint32_t i = s->aliases.n; i-- > 0;)
        if (s->aliases.v[i].name == name) {
            *out = (value){.kind = VALUE_FUNC, .p = s->aliases.v[i].func};
            return true;
        }
    return !sym_set_has(&s->locals, name) &&
           (env_lookup(s->code->env, name, out) || warp_or_python_name(c, name, out));
}

static const func *find_function(const scan *s, const node *n)
{
    value v;
    if (!find_static(s, n, &v) || v.kind != VALUE_FUNC)
        return NULL;
    const func *f = v.p;
    return f->head ? f->head : f;
}

static void note_alias(void *arg, const node *n)
{
    scan *s = arg;
    ast_each_child(n, note_alias, s);
    if (n->kind != AST_Assign)
        return;
    const node *to = AST(Assign, n)->targets.v[0], *from = AST(Assign, n)->value;
    const bool pairs = to->kind == AST_Tuple && from->kind == AST_Tuple &&
                       AST(Tuple, to)->elts.n == AST(Tuple, from)->elts.n;
    for (uint32_t i = 0; i < (pairs ? AST(Tuple, to)->elts.n : 1); i++) {
        const node *name = pairs ? AST(Tuple, to)->elts.v[i] : to;
        const func *f = find_function(s, pairs ? AST(Tuple, from)->elts.v[i] : from);
        if (name->kind == AST_Name && f)
            VEC_PUSH(&s->l->c->ir, &s->aliases, ((alias){AST(Name, name)->id, f}));
    }
}

/* "atomic_add" of wp.atomic_add(...), as it is written. */
static det_effect effect_of_callee(const node *f)
{
    if (f->kind == AST_Attribute)
        return det_effect_by_name(AST(Attribute, f)->attr->s);
    return f->kind == AST_Name ? det_effect_by_name(AST(Name, f)->id->s) : DET_NONE;
}

static bool uses_atomic(lower *l, const code *f, seen *before);

static bool was_seen(const seen *s, const code *f)
{
    for (uint32_t i = 0; i < s->v.n; i++)
        if (s->v.v[i] == f)
            return true;
    return false;
}

static void look_for_used(void *arg, const node *n)
{
    scan *s = arg;
    if (s->found)
        return;
    if (n->kind == AST_Expr)
        s->statement = AST(Expr, n)->value;
    if (n->kind == AST_Call && det_is_atomic(effect_of_callee(AST(Call, n)->func))) {
        s->found = n != s->statement;
    } else if (n->kind == AST_Call) {
        const func *f = find_function(s, AST(Call, n)->func);
        if (f && !was_seen(s->seen, &f->code))
            s->found = uses_atomic(s->l, &f->code, s->seen);
    }
    if (!s->found)
        ast_each_child(n, look_for_used, s);
}

static bool uses_atomic(lower *l, const code *f, seen *before)
{
    VEC_PUSH(&l->c->ir, &before->v, f);
    scan s = {.l = l, .code = f, .seen = before};
    note_local(&s, &f->def->base);
    note_alias(&s, &f->def->base);
    look_for_used(&s, &f->def->base);
    return s.found;
}

bool det_scan_consumed(lower *l)
{
    seen none = {0};
    return uses_atomic(l, l->code, &none);
}

/* Does an assignment to n write to an array, as far as its syntax tells? */
static bool has_subscript(const node *n)
{
    if (n->kind == AST_Attribute)
        return has_subscript(AST(Attribute, n)->value);
    for (uint32_t i = 0; n->kind == AST_Tuple && i < AST(Tuple, n)->elts.n; i++)
        if (has_subscript(AST(Tuple, n)->elts.v[i]))
            return true;
    return n->kind == AST_Subscript;
}

static void look_for_effect(void *arg, const node *n)
{
    bool *found = arg;
    if (n->kind == AST_Assign)
        for (uint32_t i = 0; i < AST(Assign, n)->targets.n; i++)
            *found |= has_subscript(AST(Assign, n)->targets.v[i]);
    if (n->kind == AST_AugAssign)
        *found |= has_subscript(AST(AugAssign, n)->target);
    if (n->kind == AST_Call)
        *found |= det_has_effect(effect_of_callee(AST(Call, n)->func));
    if (!*found)
        ast_each_child(n, look_for_effect, found);
}

bool det_scan_effect(const lower *l)
{
    bool found = false;
    look_for_effect(&found, &l->code->def->base);
    return found;
}
