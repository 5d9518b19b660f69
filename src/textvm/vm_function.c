/* SPDX-License-Identifier: Apache-2.0 */
/* Reads functions of the text:
 *
 *     static wp::float32 half_0(wp::float32 var_x) { ... return var_1; }
 *     static void adj_half_0(wp::float32 var_x, wp::float32 & adj_x, wp::float32 & adj_ret) { ... }
 *
 * CUDA text has CUDA_CALLABLE behind static. A name may have several overloads, which differ in the
 * types of their parameters; they form a list (vm_func.next). */
#include "base/assert.h"
#include "textvm/vm_read.h"

enum { PARAMS_MAX = ARGS_MAX, OVERLOADS_MAX = 100 };

/* TYPE [const] [&] [NAME]. A parameter without a name has storage all the same, since calls copy
 * arguments.
 *
 *     wp::float32 var_x              by value
 *     wp::float32 & adj_x            by reference: ref 0, 1, ... in the order of such parameters
 *     S const & var_s                by reference, const */
static void param_read(reader *r, vm_func *f, var **params)
{
    if (f->nparams == PARAMS_MAX)
        read_fail(r, "too many parameters");
    const vt t = type_read(r);
    var *v;
    bool reference = false, is_const = false;
    if (tok_is(r, "const")) {
        tok_words(r, "const &");
        reference = is_const = true;
    } else {
        reference = tok_accept(r, '&');
    }
    if (r->tok.kind == T_NAME) {
        v = var_declare(r, tok_name(r), t);
    } else {
        v = var_temp(r, t);
    }
    v->assigned = true;
    v->is_const = is_const;
    if (reference && t.ptr)
        read_fail(r, "a reference to a pointer");
    if (reference)
        v->ref = (int)f->nrefs++;
    WEFT_ASSERT(v->ref < (int)f->nrefs);
    params[f->nparams++] = v;
}

/* Overloads must differ in the types of their parameters; their results do not count, as in C++. */
static bool same_params(const vm_func *f, const vm_func *g)
{
    bool same = f->nparams == g->nparams;
    for (uint32_t i = 0; same && i < f->nparams; i++)
        same = vt_same(f->params[i]->type, g->params[i]->type);
    return same;
}

/* The function gets its name at the end, so that its own body cannot call it; an overload of the
 * same name that was read before can be called. */
void function_read(reader *r)
{
    var *params[PARAMS_MAX];
    vm_func *f = ARENA_NEW(r->a, vm_func);
    tok_words(r, "static");
    /* @wp.func(inline=...) */
    if (tok_is(r, "WP_NOINLINE") || tok_is(r, "WP_FORCEINLINE"))
        tok_next(r);
    if (tok_is(r, "CUDA_CALLABLE"))
        tok_next(r);
    if (tok_is(r, "void"))
        tok_next(r);
    else
        f->result = type_read(r);
    if (vt_is_fixed(f->result))
        read_missing(r, STR("a local array as a result"));
    vm_name *id = tok_name(r);
    if (id->st || id->args)
        read_fail(r, "'%.*s' is defined twice", (int)id->s.n, id->s.p);
    f->name = id->s;
    function_start(r, f);
    r->in_kernel = r->may_continue = false;
    tok_expect(r, '(');
    while (r->tok.kind != ')') {
        if (f->nparams)
            tok_expect(r, ',');
        param_read(r, f, params);
    }
    tok_expect(r, ')');
    f->params = ARENA_ARRAY(r->a, var *, f->nparams + 1);
    for (uint32_t i = 0; i < f->nparams; i++)
        f->params[i] = params[i];
    f->refs = arena_zero(r->a, (f->nrefs + 1) * sizeof *f->refs);
    if (native_starts(r, f)) {
        native_body_read(r, f);
    } else {
        tok_expect(r, '{');
        body_read(r);
    }
    function_end(r);
    /* The list is searched at each definition and call, so its length is limited. */
    uint32_t overloads = 0;
    for (const vm_func *g = id->func; g; g = g->next)
        if (same_params(f, g) || ++overloads == OVERLOADS_MAX)
            read_fail(r, "'%.*s' is defined twice", (int)id->s.n, id->s.p);
    f->next = id->func;
    id->func = f;
    r->vm->nfunctions++;
}
