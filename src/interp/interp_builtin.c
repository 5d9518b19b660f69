/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of builtins that are arithmetic.
 *
 *     wp.dot(a, b)     builtin_resolve: which overload, what it gives, what C++ would get
 *                      arith_find: the function that computes "dot" of these types
 *
 * The front end chooses the overload, since that is the program's meaning and not its translation.
 * What it finds is kept in a site of the node; a call with the same types runs the site. */
#include "interp/interp_tile.h"

/* An argument as overload resolution sees it: a type, and the constant if it is one. `var` is the
 * argument's number in the call, by which the plan refers to it; UINT32_MAX: it cannot (an item of
 * a tuple). Items of tuples live in c->scratch. */
static call_arg to_call_arg(interp *in, const iv *v, const value *known, uint32_t var)
{
    if (!v->type)
        return (call_arg){.kind = ARG_VALUE, .constant = v->object};
    call_arg a = {.kind = ARG_VAR, .type = v->type, .constant = known, .var = var};
    if (!a.constant && v->object && (value_is_number(v->object)))
        a.constant = v->object;
    if (v->type->kind == TYPE_TUPLE) {
        call_arg *items = ARENA_ARRAY(&in->c->scratch, call_arg, v->type->nitems + 1);
        const iv *from = v->p;
        for (uint32_t i = 0; i < v->type->nitems; i++)
            items[i] = to_call_arg(in, &from[i], NULL, UINT32_MAX);
        a.items = items;
        a.n = v->type->nitems;
    }
    return a;
}

/* The constants in a tuple display, wp.zeros(shape=(2, 3)), or in a name for one. */
static void know_items(interp *in, call_arg *a, const inode *n)
{
    const value *tuple = n->known && n->known->kind == VALUE_TUPLE ? n->known : NULL;
    if ((n->eval != interp_eval_tuple && !tuple) || a->n != (tuple ? tuple->n : n->n))
        return;
    call_arg *items = ARENA_ARRAY(&in->c->scratch, call_arg, a->n + 1);
    for (uint32_t i = 0; i < a->n; i++) {
        const value *known = tuple ? &tuple->items[i] : n->kid[i]->known;
        items[i] = a->items[i];
        if (known)
            items[i].constant = known;
    }
    a->items = items;
}

/* A constant number that the node is; a tuple is a variable of constants. */
static const value *known_number(const inode *n)
{
    return n->known && n->known->kind != VALUE_TUPLE ? n->known : NULL;
}

/* Builds the request from the values of the arguments, constants included, since Warp's resolution
 * depends on them: wp.zeros(shape=3) needs the 3. Constants are not visible behind a starred
 * argument, as positions then differ from those of the kids. */
bool interp_resolve(interp *in, inode *n, const iv *const *args, uint32_t count, call_plan *plan)
{
    const icallee *callee = n->aux;
    ctx *c = in->c;
    WEFT_ASSERT(count >= callee->nnames && count <= INTERP_ARGS);
    const uint32_t positional = count - callee->nnames, diags = c->diags.n;
    const bool plain = count == n->n; /* no starred arguments */
    call_arg *all = ARENA_ARRAY(&c->scratch, call_arg, count + 1);
    call_kwarg *named = ARENA_ARRAY(&c->scratch, call_kwarg, callee->nnames + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (!args[i]->type && !args[i]->object)
            interp_fail(in, n->at, "a value is wanted here");
        all[i] = to_call_arg(in, args[i], plain ? known_number(n->kid[i]) : NULL, i);
        if (plain)
            know_items(in, &all[i], n->kid[i]);
        if (i >= positional)
            named[i - positional] = (call_kwarg){callee->names[i - positional], all[i]};
    }
    const type *t = callee->constructs;
    const call_request r = {.fn = callee->builtin,
                            .args = all,
                            .nargs = positional,
                            .kwargs = named,
                            .nkwargs = callee->nnames,
                            .constructs = t && type_is_composite(t) ? t : NULL,
                            .min_outputs = callee->expects};
    const bool ok = builtin_resolve(c, &r, plan);
    c->diags.n = diags; /* the caller reports what could not be executed, at its own place */
    return ok;
}

/* Is the native name a class, so that the call makes a value of it? */
static bool is_constructor(interp *in, const char *name)
{
    static const char *const names[] = {"vec_t", "mat_t", "quat_t", "transform_t"};
    if (STR_IS_IN(str_c(name), names))
        return true;
    const sym *s = sym_find(&in->c->syms, name, strlen(name));
    const type *t = s ? type_by_name(in->c, s) : NULL;
    return t && type_is_value(t);
}

/* The result is one of the arguments or a constant. */
static bool known_result(interp *in, site *s, const call_plan *plan, const iv *const *args)
{
    if (plan->nresults != 1)
        return false;
    const native_arg *r = &plan->results[0];
    s->has_known = true;
    if (r->kind == NATIVE_CONST)
        return interp_constant(in, &r->constant, &s->known);
    if (r->arg.kind != ARG_VAR || r->arg.var >= s->n)
        return false;
    islot *kept = ARENA_NEW(in->a, islot);
    interp_keep(in, kept, args[r->arg.var]);
    s->known = kept->v;
    return r->arg.constant != NULL;
}

/* Fills the site with the operation of the plan's native function. An argument of that function is
 * one of the call's (map) or a constant of the plan, which goes into the operands at once. False:
 * src/arith has no such operation. */
static bool find_arithmetic(interp *in, site *s, const call_plan *plan, const iv *const *args)
{
    const type **types = ARENA_ARRAY(in->a, const type *, plan->nargs + 1);
    iv *constants = ARENA_ARRAY(in->a, iv, plan->nargs + 1);
    s->map = ARENA_ARRAY(in->a, int32_t, plan->nargs + 1);
    for (uint32_t i = 0; i < plan->nargs; i++) {
        const native_arg *a = &plan->args[i];
        constants[i] = (iv){0};
        s->map[i] = -1;
        if (a->kind == NATIVE_CONST) {
            if (!interp_constant(in, &a->constant, &constants[i]))
                return false;
        } else if (a->kind > NATIVE_CONST || a->arg.kind != ARG_VAR || a->arg.var >= s->n) {
            return false;
        } else {
            s->map[i] = (int32_t)a->arg.var;
        }
        types[i] = s->map[i] < 0 ? constants[i].type : args[s->map[i]]->type;
    }
    const char *name = plan->callee.name.p;
    const bool constructs = plan->nresults == 1 && is_constructor(in, name);
    const arith_request q = {.c = in->c,
                             .a = in->a,
                             .name = name,
                             .constructs = constructs ? plan->result_types[0] : NULL,
                             .args = types,
                             .n = plan->nargs,
                             .results = plan->result_types,
                             .nresults = plan->nresults};
    const bool changing = plan->result == RESULT_VOID;
    if (changing ? !interp_find_changing(in, s, &q) : !interp_find_op(in, s, &q))
        return false;
    for (uint32_t i = 0; i < s->op.n; i++)
        if (s->map[i] < 0)
            s->operands[i] = constants[i].p;
    return true;
}

/* A new site of the node for these types. Ends the run when the call cannot be executed. */
static site *find_builtin(interp *in, inode *n, const iv *const *args, uint32_t count)
{
    const icallee *callee = n->aux;
    const arena_mark mark = arena_save(&in->c->scratch);
    call_plan plan = {0};
    bool ok = interp_resolve(in, n, args, count, &plan);
    if (ok) {
        site *s = interp_site_new(in, n, args, count);
        if (plan.result == RESULT_VALUES)
            ok = known_result(in, s, &plan, args);
        else
            ok = find_arithmetic(in, s, &plan, args);
        if (!ok)
            n->site = s->next;
    }
    arena_rewind(&in->c->scratch, mark);
    if (!ok)
        interp_cannot(in, n->at, callee->name, args, count);
    return n->site;
}

/* A call of a builtin: the first site that was made for these types, or a new one. Calls in a
 * loop nearly always find the first. */
const iv *interp_eval_builtin(interp *in, inode *n)
{
    const iv *args[INTERP_ARGS];
    const uint32_t count = interp_eval_args(in, n, args);
    if (in->group && count == 3 && interp_is_tile(args[1]))
        return interp_tile_where(in, n, args);
    for (site *s = n->site; s; s = s->next)
        if (interp_site_fits(s, args, count))
            return interp_run_site(in, n, s, args);
    return interp_run_site(in, n, find_builtin(in, n, args, count), args);
}

/* One argument and one result, as a loop over a query needs. */
const iv *interp_eval_named(interp *in, inode *n)
{
    const iv *v = interp_eval(in, n->kid[0]);
    if (n->site && interp_site_fits(n->site, &v, 1))
        return interp_run_site(in, n, n->site, &v);
    const type *types[] = {v->type};
    const arith_request q = {.c = in->c, .a = in->a, .name = n->aux, .args = types, .n = 1};
    if (!v->type)
        interp_fail(in, n->at, "a value is wanted here");
    site *s = interp_site_new(in, n, &v, 1);
    if (!interp_find_op(in, s, &q)) {
        n->site = s->next;
        interp_cannot(in, n->at, n->aux, &v, 1);
    }
    return interp_run_site(in, n, s, &v);
}

/* type(x) */
const iv *interp_eval_type(interp *in, inode *n)
{
    const iv *v = interp_eval(in, n->kid[0]);
    if (!v->type)
        interp_fail(in, n->at, "a value is wanted here");
    if (!n->v.object || n->v.object->type != v->type) {
        value *t = ARENA_NEW(in->a, value);
        *t = value_type(v->type);
        n->v.object = t;
    }
    return &n->v;
}
