/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of native snippets (@wp.func_native): the user's C++, of the launch's device, run by
 * src/native. A snippet states no derivative that a tangent could follow: its adj_snippet is what
 * has to be judged. So a run with tangents ends where one would pass through it. */
#include "interp/interp_internal.h"
#include "native/native.h"

/* Nodes of native code for a step of fuel, which is a statement of Python. */
enum { NODES = 8 };

/* The function of a site, read for the types of its arguments; of each device when it is wanted. */
struct native_site {
    native_source text;
    const char *name;
    native_fn *fn[2];
    void **params;
};

/* The site's params and defaults are set. */
void interp_native_site(interp *in, inode *n, site *s, const func *f, const iv *const *args)
{
    const uint32_t count = f->code.nparams;
    native_param *params = ARENA_ARRAY(in->a, native_param, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const param *p = &f->code.params[i];
        if (!args[i]->type)
            interp_refuse(in, n->at, "the native code of '%s' with such an argument",
                          f->code.name->s);
        params[i] = (native_param){sym_str(p->name), args[i]->type, p->is_ref, false};
    }
    const type *t = f->code.returns;
    struct native_site *native = ARENA_NEW(in->a, struct native_site);
    native->text = (native_source){.text = str_c(f->snippet),
                                   .params = params,
                                   .nparams = count,
                                   .result = t && t->kind != TYPE_VOID ? t : NULL};
    native->name = f->code.name->s;
    native->params = ARENA_ARRAY(in->a, void *, count + 1);
    s->native = native;
    s->nparams = count;
    s->result = native->text.result;
}

/* The snippet as it is on the launch's device. Ends the run for what cannot be executed. */
static native_fn *function_of(interp *in, const inode *n, struct native_site *native)
{
    native_problem why = {{0}, 0};
    const bool cuda = in->launch->cuda;
    if (native->fn[cuda])
        return native->fn[cuda];
    native->text.cuda = cuda;
    native->fn[cuda] = native_read(in->c, in->a, &native->text, &why);
    if (!native->fn[cuda])
        interp_refuse(in, n->at, "%s in the native code of '%s'", why.text, native->name);
    return native->fn[cuda];
}

/* The values are in the arguments' own storage: what is passed by reference is found again as a
 * place, as in interp_run_user. */
const iv *interp_run_native(interp *in, inode *n, site *s, const iv *const *args)
{
    struct native_site *native = s->native;
    native_fn *f = function_of(in, n, native);
    native_problem why = {{0}, 0};
    const uint64_t fuel = in->fuel - in->steps;
    const uint64_t before = fuel > UINT64_MAX / NODES ? UINT64_MAX : fuel * NODES;
    uint64_t left = before;
    iv places[INTERP_ARGS];
    WEFT_ASSERT(s->nparams <= INTERP_ARGS && in->steps <= in->fuel);
    for (uint32_t i = 0; i < s->nparams; i++) {
        const int32_t from = s->params[i];
        places[i] = from < 0 ? s->defaults[i] : *args[from];
        if (from >= 0 && s->is_ref[i])
            places[i] = interp_place(in, n->kid[from]);
        if (in->dual && places[i].t)
            interp_refuse(in, n->at, "the derivative of native code");
        native->params[i] = places[i].p;
    }
    if (!n->slot)
        n->slot = ARENA_NEW(in->a, islot);
    n->slot->v = (iv){0};
    interp_blind_apart(in);
    iv *out = s->result ? interp_room(in, n->slot, s->result) : &n->slot->v;
    const native_end end = native_run(f, native->params, out->p, &left, &why);
    if (end == NATIVE_FAULT)
        interp_fail(in, n->at, "%s", why.text);
    if (end == NATIVE_UNSPECIFIED)
        interp_unspecified(in, n->at, "%s", why.text);
    if (end == NATIVE_CANNOT)
        interp_refuse(in, n->at, "%s", why.text);
    if (end == NATIVE_FUEL)
        interp_spend(in, n->at, UINT64_MAX);
    interp_spend(in, n->at, (before - left) / NODES + 1);
    if (out->t)
        memset(out->t, 0, layout_size(s->result));
    return &n->slot->v;
}
