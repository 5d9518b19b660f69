/* SPDX-License-Identifier: Apache-2.0 */
/* wp.grad(f)(x, y): how f changes with each number of x and of y, by tangents.
 *
 *     wp.grad(product)(2.0, 3.0)     product(2 + e, 3) = 6 + 3e     (3.0, 2.0)
 *                                    product(2, 3 + e) = 6 + 2e
 *
 * Warp calls the function's adjoint instead, with ones: so the numbers of a result are added up.
 * The two round differently, which those who compare have to allow for (interp_met_gradient). Where
 * Warp's adjoint is something else than the derivative, the run ends. */
#include "interp/interp_internal.h"

/* A call of the function, whose arguments are held; and what the gradients are kept in. */
typedef struct gradient {
    inode *call;
    iv *parts;       /* one for each argument */
    uint8_t **seeds; /* its tangent */
} gradient;

/* wp.grad(f): the function is known when this runs, since f may be a name for it. */
const iv *interp_eval_gradient_of(interp *in, inode *n)
{
    const iv *f = interp_eval(in, n->kid[0]);
    if (f->type || !f->object ||
        (f->object->kind != VALUE_FUNC && f->object->kind != VALUE_BUILTIN))
        interp_refuse(in, n->at, "wp.grad of this");
    if (!n->v.object || n->v.object->items != f->object) {
        value *v = ARENA_NEW(in->a, value);
        *v = (value){.kind = VALUE_GRAD, .items = f->object, .n = 1};
        n->v.object = v;
    }
    return &n->v;
}

/* Room for the gradient of an argument of this type, and for its tangent. */
static void make_part(interp *in, const inode *n, gradient *g, uint32_t i, const type *t)
{
    if (!t || !type_is_value(t))
        interp_refuse(in, n->at, "wp.grad with an argument that is no number");
    const size_t size = layout_size(t);
    if (g->parts[i].type != t) {
        g->parts[i] = (iv){.type = t, .p = arena_zero(in->a, size)};
        g->seeds[i] = arena_zero(in->a, size);
    }
    memset(g->parts[i].p, 0, size);
    memset(g->seeds[i], 0, size);
}

/* The tangents of all numbers of the results. Warp's ones are such of numbers, vectors and
 * matrices. */
static double total(interp *in, const inode *n, const iv *r)
{
    double sum = 0;
    const bool many = r->type && r->type->kind == TYPE_TUPLE;
    const iv *items = many ? r->p : r;
    for (uint32_t i = 0; i < (many ? r->type->nitems : 1); i++) {
        const type *t = items[i].type;
        if (!t || !(type_is_scalar(t) || t->kind == TYPE_VEC || t->kind == TYPE_MAT))
            interp_refuse(in, n->at, "wp.grad of a function with such a result");
        const type *s = type_scalar_of(t);
        for (int k = 0; items[i].t && k < lane_count(t); k++)
            sum += num_load(s->kind, (uint8_t *)items[i].t + (size_t)k * layout_size(s)).f;
    }
    return sum;
}

/* Every number of argument i gets the tangent 1, one after the other. */
static void differentiate(interp *in, const inode *n, gradient *g, uint32_t i)
{
    iv *held = &g->call->kid[i]->v;
    const type *s = type_scalar_of(held->type);
    const size_t width = layout_size(s);
    if (!type_is_float(s))
        return;
    held->t = g->seeds[i];
    for (int k = 0; k < lane_count(held->type); k++) {
        const size_t at = (size_t)k * width;
        num_store(s->kind, g->seeds[i] + at, (num){.f = 1});
        const double sum = total(in, n, interp_eval(in, g->call));
        num_store(s->kind, (uint8_t *)g->parts[i].p + at, (num){.f = sum});
        num_store(s->kind, g->seeds[i] + at, (num){.f = 0});
    }
    held->t = NULL;
}

/* Of one argument the gradient itself, of several a tuple. */
static const iv *result_of(interp *in, inode *n, const gradient *g)
{
    bool same = n->v.type != NULL;
    if (n->n == 1)
        return &g->parts[0];
    for (uint32_t i = 0; same && i < n->n; i++)
        same = n->v.type->items[i] == g->parts[i].type;
    if (same)
        return &n->v;
    const type **types = ARENA_ARRAY(in->a, const type *, n->n + 1u);
    for (uint32_t i = 0; i < n->n; i++)
        types[i] = g->parts[i].type;
    n->v = (iv){.type = type_tuple(in->c, types, n->n), .p = g->parts};
    return &n->v;
}

/* The outer run's notes stay as they are: what is met here are points of f. */
static const iv *eval_gradient(interp *in, inode *n)
{
    gradient *g = (gradient *)n->aux;
    const iv *args[INTERP_ARGS];
    const uint32_t count = interp_eval_args(in, n, args);
    const bool dual = in->dual, kink = in->kink, steep = in->steep, within = in->gradient;
    const char *wrong = in->wrong_adjoint;
    WEFT_ASSERT(count == n->n);
    for (uint32_t i = 0; i < count; i++) {
        if (dual && args[i]->t)
            interp_refuse(in, n->at, "the derivative of wp.grad");
        make_part(in, n, g, i, args[i]->type);
        g->call->kid[i]->v = *args[i];
        g->call->kid[i]->v.t = NULL; /* without tangents it may be a former run's */
    }
    in->dual = in->gradient = in->met_gradient = true;
    in->kink = false;
    in->wrong_adjoint = NULL;
    for (uint32_t i = 0; i < count; i++)
        differentiate(in, n, g, i);
    if (in->wrong_adjoint)
        interp_refuse(in, n->at, "wp.grad through %s, whose adjoint is not its derivative",
                      in->wrong_adjoint);
    if (in->kink)
        interp_refuse(in, n->at, "wp.grad where there is no derivative");
    in->dual = dual;
    in->kink = kink;
    in->steep = steep;
    in->gradient = within;
    in->wrong_adjoint = wrong;
    return result_of(in, n, g);
}

bool interp_bind_gradient(interp *in, inode *n, const icallee *callee, const value *f)
{
    icallee *inner = ARENA_NEW(in->a, icallee);
    gradient *g = ARENA_NEW(in->a, gradient);
    if (callee->nnames)
        return false;
    *inner = (icallee){0};
    *g = (gradient){.call = ARENA_NEW(in->a, inode),
                    .parts = ARENA_ARRAY(in->a, iv, n->n + 1u),
                    .seeds = ARENA_ARRAY(in->a, uint8_t *, n->n + 1u)};
    *g->call = (inode){.at = n->at, .n = n->n, .kid = ARENA_ARRAY(in->a, inode *, n->n + 1u)};
    for (uint32_t i = 0; i < n->n; i++) {
        if (n->kid[i]->kind == NODE_STAR)
            return false;
        g->call->kid[i] = ARENA_NEW(in->a, inode);
        *g->call->kid[i] =
            (inode){.at = n->kid[i]->at, .eval = interp_eval_held, .known = n->kid[i]->known};
        g->parts[i] = (iv){0};
    }
    if (!interp_bind_callee(in, g->call, inner, f->items, NULL))
        return false;
    n->aux = g;
    n->eval = eval_gradient;
    return true;
}
