/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: arguments, users' functions, constructors of structs, functions that are values.
 *
 *     f(*v, k=2)      v's items become arguments; the overload that takes them is sought; the
 *                     function is prepared for these types once, and runs with slots of its own
 *
 * Kernels cannot recurse, so a function for one set of types has one set of slots (unit.active
 * catches a program that calls itself all the same). */
#include "interp/interp_tile.h"

/* *v of a composite or of a one-dimensional array: appends its items to args and returns the new
 * count. A matrix gives its rows, as vectors. The items point into the value; their iv lie in the
 * node, whose n->v.p has room for INTERP_ARGS of them. */
static uint32_t star_items(interp *in, inode *n, const iv **args, uint32_t count)
{
    const iv *v = interp_eval(in, n->kid[0]);
    const bool array = v->type && v->type->kind == TYPE_ARRAY;
    if (!v->type || (!array && !type_is_composite(v->type)))
        interp_refuse(in, n->at, "this starred argument");
    const int64_t size = array ? (*(const array_view **)v->p)->shape[0] : (int64_t)v->type->rows;
    iv *items = n->v.p;
    const bool matrix = v->type->kind == TYPE_MAT;
    for (int64_t i = 0; i < size; i++) {
        if (count + (uint32_t)i >= INTERP_ARGS)
            interp_fail(in, n->at, "too many arguments");
        int32_t at = (int32_t)i;
        const iv index = {.type = type_scalar(in->c, TYPE_INT32), .p = &at}, *indices = &index;
        if (array) {
            items[i] = interp_element(in, n->at, v, &indices, 1);
        } else {
            const type *t = matrix ? type_vec(in->c, v->type->elem, v->type->cols) : v->type->elem;
            const size_t offset = (size_t)i * layout_size(t);
            items[i] = (iv){.type = t,
                            .p = (uint8_t *)v->p + offset,
                            .t = v->t ? (uint8_t *)v->t + offset : NULL};
        }
        args[count + (uint32_t)i] = &items[i];
    }
    WEFT_ASSERT(size >= 0 && count + (uint32_t)size <= INTERP_ARGS);
    return count + (uint32_t)size;
}

/* A starred item where no arguments are collected. */
const iv *interp_eval_star(interp *in, inode *n)
{
    interp_refuse(in, n->at, "this starred argument");
}

/* From left to right, as Python evaluates them. `*x` stands for as many values as x has items.
 *
 *     wp.vec3(1.0, *v) with v a vec2   ->   3 values */
uint32_t interp_eval_args(interp *in, inode *n, const iv **args)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->n; i++) {
        if (n->kid[i]->kind == NODE_STAR) {
            count = star_items(in, n->kid[i], args, count);
            continue;
        }
        if (count == INTERP_ARGS)
            interp_fail(in, n->at, "too many arguments");
        args[count++] = interp_eval(in, n->kid[i]);
    }
    return count;
}

/* A call's arguments while an overload is sought. */
typedef struct given {
    const iv *const *args;
    uint32_t n, positional;  /* all; those without a name, which come first */
    const sym *const *names; /* of args[positional..n) */
} given;

/* May the value be passed for a parameter of type p? */
static bool takes(const type *p, const iv *v)
{
    if (!p)
        return false;
    if (p->kind == TYPE_FUNCTION || p->kind == TYPE_CALLABLE)
        return !v->type && v->object &&
               (v->object->kind == VALUE_FUNC || v->object->kind == VALUE_BUILTIN);
    if (!v->type)
        return false;
    p = type_strip_ref(p);
    if (p->kind == TYPE_ANY)
        return true;
    if (p->kind == TYPE_ARRAY && v->type->kind == TYPE_ARRAY)
        return type_matches(p->elem, v->type->elem);
    return type_matches(p, v->type);
}

/* Whether overload f takes the arguments. Sets for each parameter which argument it gets, or -1 and
 * its default. Fails, as Python does, for an argument given twice, one that names no parameter, and
 * a parameter without argument or default.
 *
 *     def twice(v: float, times: int = 2)
 *     twice(times=3, v=x)     params = {1, 0}
 *     twice(x)                params = {0, -1}, defaults[1] = 2 */
static bool bind(interp *in, const func *f, const given *g, int32_t *params, iv *defaults)
{
    const code *k = &f->code;
    uint32_t used = g->positional;
    if (g->positional > k->nparams || k->nparams > INTERP_ARGS)
        return false;
    for (uint32_t i = 0; i < k->nparams; i++) {
        params[i] = i < g->positional ? (int32_t)i : -1;
        for (uint32_t j = g->positional; j < g->n; j++)
            if (g->names[j - g->positional] == k->params[i].name) {
                if (params[i] >= 0)
                    return false;
                params[i] = (int32_t)j;
                used++;
            }
        const value *d = k->params[i].default_value;
        if (params[i] < 0 && !d)
            return false;
        if (params[i] < 0 && !interp_constant(in, d, &defaults[i]))
            defaults[i] = (iv){.object = d};
        if (!takes(k->params[i].type, params[i] < 0 ? &defaults[i] : g->args[params[i]]))
            return false;
        if (k->generic && params[i] >= 0 && g->args[params[i]]->type &&
            !type_fits(type_strip_ref(k->params[i].type), g->args[params[i]]->type))
            return false;
    }
    return used == g->n;
}

/* The first overload that takes the arguments; generic ones only if no other does. */
static const func *choose(interp *in, const func *f, const given *g, int32_t *params, iv *defaults)
{
    for (int generic = 0; generic < 2; generic++)
        for (const func *o = f->head ? f->head : f; o; o = o->next)
            if (o->code.generic == (generic == 1) && bind(in, o, g, params, defaults))
                return o;
    return NULL;
}

/* The same function, type or string, even if it was looked up twice. */
static bool same_object(const value *a, const value *b)
{
    if (a && b && a->kind == VALUE_GRAD && b->kind == VALUE_GRAD)
        return same_object(a->items, b->items);
    return a == b || (a && b && a->kind == b->kind && a->p == b->p);
}

/* The function prepared for arguments of these types, made when new. Types alone are not enough: a
 * parameter that gets a function is bound to its callee while the tree runs, so functions are part
 * of the key. */
static unit *instance(interp *in, const func *f, const iv *const *args)
{
    const uint32_t n = f->code.nparams;
    for (unit *u = in->functions; u; u = u->next) {
        bool same = u->func == f;
        for (uint32_t i = 0; same && i < n; i++)
            same = u->types[i] == args[i]->type &&
                   (args[i]->type || same_object(u->objects[i], args[i]->object));
        if (same)
            return u;
    }
    const type **types = ARENA_ARRAY(in->a, const type *, n + 1);
    const value **objects = ARENA_ARRAY(in->a, const value *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        types[i] = args[i]->type;
        objects[i] = args[i]->type ? NULL : args[i]->object;
    }
    unit *u = interp_prepare(in, code_of_some_instance(in->c, &f->code));
    u->func = f;
    u->types = types;
    u->objects = objects;
    u->next = in->functions;
    in->functions = u;
    return u;
}

/* A site of n for a call of f with these arguments; NULL: no overload takes them. Ends the run for
 * native code that cannot be executed. */
static site *site_of(interp *in, inode *n, const func *f, const given *g)
{
    int32_t params[INTERP_ARGS];
    iv defaults[INTERP_ARGS];
    const iv *args[INTERP_ARGS];
    const func *chosen = choose(in, f, g, params, defaults);
    if (!chosen)
        return NULL;
    const uint32_t count = chosen->code.nparams;
    WEFT_ASSERT(count <= INTERP_ARGS);
    site *s = interp_site_new(in, n, g->args, g->n);
    iv *kept = ARENA_ARRAY(in->a, iv, count + 1);
    bool *is_ref = ARENA_ARRAY(in->a, bool, count + 1);
    int32_t *from = ARENA_ARRAY(in->a, int32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        kept[i] = params[i] < 0 ? defaults[i] : (iv){0};
        from[i] = params[i];
        args[i] = params[i] < 0 ? &kept[i] : g->args[params[i]];
        is_ref[i] = chosen->code.params[i].is_ref;
        s->has_refs |= is_ref[i];
    }
    s->params = from;
    s->defaults = kept;
    s->is_ref = is_ref;
    if (chosen->snippet)
        interp_native_site(in, n, s, chosen, args);
    else
        s->user = instance(in, chosen, args);
    return s;
}

/* For operators: there are no arguments by name then. */
site *interp_user_site(interp *in, inode *n, const func *f, const iv *const *args, uint32_t count)
{
    return site_of(in, n, f, &(given){args, count, count, NULL});
}

/* Calls the function: new values for all its variables, parameters from the arguments, then its
 * body. The result is kept in n->slot, which n owns. A wp.ref parameter shares the storage of the
 * argument, whose expression is therefore evaluated again as a place. A run that ends early leaves
 * `active`, depth and stack as they are; the next launch resets them (interp.c, begin). */
const iv *interp_run_user(interp *in, inode *n, site *s, const iv *const *args)
{
    if (s->native)
        return interp_run_native(in, n, s, args);
    unit *u = s->user, *outer = in->unit;
    WEFT_ASSERT(u && u->func && outer);
    islot *result = in->result;
    if (u->active)
        interp_refuse(in, n->at, "a function that calls itself");
    if (in->gradient && u->func->custom_grad)
        interp_refuse(in, n->at, "wp.grad of a function with a gradient of its own");
    in->stack += u->deepest;
    if (++in->depth > INTERP_CALLS || in->stack > (in->group ? INTERP_LANE : INTERP_STACK))
        interp_fail(in, n->at, "calls are nested too deeply");
    if (!n->slot)
        n->slot = ARENA_NEW(in->a, islot);
    for (uint32_t i = 0; i < u->nlocals; i++)
        u->locals[i]->v = (iv){0};
    for (uint32_t i = 0; i < u->code->nparams; i++) {
        const int32_t from = s->params[i];
        if (from >= 0 && u->params[i].is_ref)
            u->params[i].v = interp_place(in, n->kid[from]);
        else
            interp_keep(in, &u->params[i], from < 0 ? &s->defaults[i] : args[from]);
    }
    n->slot->v = (iv){0};
    u->active = true;
    in->unit = u;
    in->result = n->slot;
    interp_block(in, &u->body);
    in->result = result;
    in->unit = outer;
    u->active = false;
    in->depth--;
    in->stack -= u->deepest;
    return &n->slot->v;
}

/* A call of a user's function by its name. */
static const iv *eval_user(interp *in, inode *n)
{
    const icallee *callee = n->aux;
    const iv *args[INTERP_ARGS];
    const uint32_t count = interp_eval_args(in, n, args);
    for (site *s = n->site; s; s = s->next)
        if (interp_site_fits(s, args, count))
            return interp_run_user(in, n, s, args);
    const given g = {args, count, count - callee->nnames, callee->names};
    site *s = site_of(in, n, callee->func, &g);
    if (!s)
        interp_fail(in, n->at, "no overload of '%s' takes these arguments", callee->name);
    return interp_run_user(in, n, s, args);
}

/* The field that argument i of `count` sets: by position, or by name. st->nfields: none has it. */
static uint32_t field_of(const struct_def *st, const icallee *callee, uint32_t i, uint32_t count)
{
    const uint32_t positional = count - callee->nnames;
    if (i < positional)
        return i;
    uint32_t f = 0;
    while (f < st->nfields && st->fields[f].name != callee->names[i - positional])
        f++;
    return f;
}

/* S(...): a struct whose fields are zero but for those given. */
static const iv *eval_struct(interp *in, inode *n)
{
    const icallee *callee = n->aux;
    const type *t = callee->constructs;
    const iv *args[INTERP_ARGS];
    const uint32_t count = interp_eval_args(in, n, args);
    if (!n->slot)
        n->slot = ARENA_NEW(in->a, islot);
    iv *out = interp_room(in, n->slot, t);
    memset(out->p, 0, n->slot->size);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t f = field_of(t->st, callee, i, count);
        if (f >= t->st->nfields)
            interp_refuse(in, n->at, "this constructor of '%s'", t->st->name->s);
        const size_t offset = layout_field(t->st, f);
        const iv to = {.type = t->st->fields[f].type,
                       .p = (uint8_t *)out->p + offset,
                       .t = out->t ? (uint8_t *)out->t + offset : NULL};
        interp_store(in, n->at, &to, args[i]);
    }
    return out;
}

/* wp.float64(0.1) takes the literal's digits, not those of the float32 that holds it elsewhere. */
static bool literal_cast(interp *in, inode *n, const type *t)
{
    const bool wide = t->kind == TYPE_FLOAT64 || t->kind == TYPE_INT64 || t->kind == TYPE_UINT64;
    const value *k = n->n == 1 ? n->kid[0]->known : NULL;
    if (!wide || !k || !value_is_number(k) || (value_has_f(k) && k->f != k->f))
        return false;
    const value v = value_scalar(t, k);
    if (!interp_constant(in, &v, &n->v))
        return false;
    n->eval = interp_eval_constant;
    return true;
}

/* The builtin that makes values of type t, for a callee without a builtin's name: V =
 * wp.types.vector(4, float); V(1.0). NULL: there is none. */
static const builtin *constructor_of(interp *in, const type *t)
{
    switch (t->kind) {
    case TYPE_VEC: return builtin_find(in->c, sym_c(&in->c->syms, "vector"));
    case TYPE_MAT: return builtin_find(in->c, sym_c(&in->c->syms, "matrix"));
    case TYPE_QUAT: return builtin_find(in->c, sym_c(&in->c->syms, "quaternion"));
    case TYPE_TRANSFORM: return builtin_find(in->c, sym_c(&in->c->syms, "transformation"));
    default:
        return type_is_scalar(t)
                   ? builtin_find(in->c, sym_intern(&in->c->syms, t->pyname.p, t->pyname.n))
                   : NULL;
    }
}

/* A user's function, a builtin, or a type that constructs; any other value only where its name is
 * a builtin's. */
bool interp_bind_callee(interp *in, inode *n, icallee *callee, const value *f, const sym *name)
{
    const builtin *by_name = name ? builtin_find(in->c, name) : NULL;
    const type *t = f ? value_as_type(in->c, f) : NULL;
    n->aux = callee;
    n->site = NULL;
    callee->name = name ? name->s : "this call";
    callee->builtin = by_name;
    callee->constructs = NULL;
    if (f && f->kind == VALUE_FUNC) {
        callee->func = f->p;
        callee->name = callee->func->code.name->s;
        n->eval = eval_user;
        interp_search_tiles(in, callee->func);
        return true;
    }
    if (f && f->kind == VALUE_GRAD)
        return interp_bind_gradient(in, n, callee, f);
    if (f && f->kind == VALUE_BUILTIN) {
        callee->builtin = f->p;
    } else if (t && t->kind == TYPE_STRUCT) {
        callee->constructs = t;
        n->eval = eval_struct;
        return true;
    } else if (t && type_is_value(t)) {
        callee->builtin = by_name ? by_name : constructor_of(in, t);
        callee->constructs = t;
        if (literal_cast(in, n, t))
            return true;
    }
    if (!callee->builtin)
        return false;
    const char *called = builtin_name(callee->builtin)->s;
    inode_fn *own = interp_own_builtin(called);
    in->tiles |= interp_is_tile_builtin(called);
    callee->meets = own ? interp_tile_op(called) : NULL;
    n->eval = own ? own : interp_eval_builtin;
    return true;
}

/* kid[0] gives the function, kid[1] is the call itself, made for the function seen last. */
const iv *interp_eval_call(interp *in, inode *n)
{
    const iv *f = interp_eval(in, n->kid[0]);
    inode *call = n->kid[1];
    WEFT_ASSERT(n->n == 2 && n->aux);
    if (f->type || !f->object)
        interp_refuse(in, n->at, "this call");
    if (!same_object(n->v.object, f->object)) {
        icallee *callee = ARENA_NEW(in->a, icallee);
        *callee = *(const icallee *)n->aux;
        callee->func = NULL;
        if (!interp_bind_callee(in, call, callee, f->object, NULL))
            interp_refuse(in, n->at, "this call");
        n->v.object = f->object;
    }
    return interp_eval(in, call);
}
