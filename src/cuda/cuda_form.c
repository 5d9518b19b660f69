/* SPDX-License-Identifier: Apache-2.0 */
/* How functions of the program are called. A function's text drops parameters that it does not use;
 * its form (cuda_form) says which, and calls drop the operands accordingly:
 *
 *     def weight(b: Body, i: int, unused: float):    ->   __device__ float weight(Body b, int i)
 *     weight(b, i, 2.0)                              ->   weight(b, i)
 *
 * In the tree an operand that is not taken becomes the number 0, so that operands keep their places
 * and what only it used can be removed as dead; cuda_print_call.c leaves it out. */
#include "cuda/cuda_form.h"

#include "base/assert.h"
#include "cuda/cuda_tree.h"

/* Forms exist for all functions of the module from cuda_make_functions on. */
cuda_form *cuda_form_of(const cuda_fn *f, const ir_unit *callee, bool adjoint)
{
    WEFT_ASSERT(f->job->m->funcs.v[callee->index] == callee);
    return adjoint ? &f->job->reverse[callee->index] : &f->job->forward[callee->index];
}

bool cuda_is_function(const type *t)
{
    return t->kind == TYPE_FUNCTION || t->kind == TYPE_CALLABLE;
}

/* Results have variables of their own behind those of the unit and their adjoints; i counts on into
 * the adjoints of results. */
uint32_t cuda_result_var(const cuda_fn *f, uint32_t i)
{
    WEFT_ASSERT(i < 2 * f->u->nreturns);
    return 2 * f->u->vars.n + i;
}

/* Parameters that are functions have no counterpart in C++. */
uint32_t cuda_count_values(const ir_unit *u, uint32_t ninputs)
{
    WEFT_ASSERT(ninputs <= u->nparams);
    uint32_t n = 0;
    for (uint32_t i = 0; i < ninputs; i++)
        n += !cuda_is_function(u->vars.v[u->params[i]].type);
    return n;
}

/* Adjoints of results that the function does not take become 0. They are the last operands. */
static void drop_results(cuda_fn *f, cx *e, const cuda_form *form)
{
    const ir_unit *u = e->callee;
    if (!e->adjoint || !form->results || form->u->func->is_custom_grad || !u->has_return)
        return;
    WEFT_ASSERT(cuda_count_results(e) <= e->nargs);
    const uint32_t first = e->nargs - cuda_count_results(e);
    for (uint32_t i = 0, k = 0; i < u->nreturns; i++) {
        if (cuda_is_integral(u->vars.v[u->returns[i]].type))
            continue;
        if (!form->results[i])
            e->args[first + k] = cx_number(f, 0);
        k++;
    }
}

/* Operands of a call: values of parameters, then adjoints of those that have one, then adjoints of
 * results (cuda_adjoint.c). Arrays stay: each of their parts is taken or not on its own. */
void cuda_drop_unused(cuda_fn *f, cx *e)
{
    WEFT_ASSERT(e->kind == CX_USER);
    uint32_t k = 0;
    const cuda_form *form = cuda_form_of(f, e->callee, e->adjoint);
    uint32_t adj = form->u ? cuda_count_values(form->u, form->ninputs) : 0;
    for (uint32_t i = 0; form->params && i < form->ninputs && k < e->nargs; i++) {
        const type *t = form->u->vars.v[form->u->params[i]].type;
        if (cuda_is_function(t))
            continue;
        if (t->kind != TYPE_ARRAY && !form->params[i].mentioned)
            e->args[k] = cx_number(f, 0);
        k++;
        if (!e->adjoint || cuda_is_integral(t->kind == TYPE_ARRAY ? t->elem : t))
            continue;
        if (t->kind != TYPE_ARRAY && adj < e->nargs && !form->adjoints[i].mentioned)
            e->args[adj] = cx_number(f, 0);
        adj++;
    }
    drop_results(f, e, form);
}

/* Of a forward call all results, of an adjoint those that have an adjoint. */
uint32_t cuda_count_results(const cx *e)
{
    const ir_unit *u = e->callee;
    uint32_t n = 0;
    for (uint32_t i = 0; u->has_return && i < u->nreturns; i++)
        n += !e->adjoint || !cuda_is_integral(u->vars.v[u->returns[i]].type);
    return n;
}

/* Notes what the finished text takes. The variables are copied, as the tree of the function may go.
 */
void cuda_finish_form(cuda_fn *f, cuda_form *form, bool reverse)
{
    const ir_unit *u = f->u;
    arena *a = &f->c->module;
    cv *params = ARENA_ARRAY(a, cv, u->nparams + 1), *adjoints = ARENA_ARRAY(a, cv, u->nparams + 1);
    bool *results = arena_zero(a, u->nreturns + 1);
    for (uint32_t i = 0; i < u->nparams; i++) {
        params[i] = f->vars.v[u->params[i]];
        adjoints[i] = f->vars.v[u->vars.n + u->params[i]];
    }
    for (uint32_t i = 0; i < u->nreturns; i++)
        results[i] = f->vars.v[cuda_result_var(f, reverse ? u->nreturns + i : i)].mentioned;
    form->params = params;
    form->adjoints = adjoints;
    form->results = results;
    form->calls.v = f->calls.v;
    form->calls.n = f->calls.n;
}

const type *cuda_snippet_result(const ir_unit *u)
{
    const type *t = u->code->returns;
    return u->func && u->func->snippet && t && t->kind != TYPE_VOID ? t : NULL;
}
