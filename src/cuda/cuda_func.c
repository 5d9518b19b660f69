/* SPDX-License-Identifier: Apache-2.0 */
/* Device functions of the program, their adjoints, and calls of them. Each function that is called
 * is made once forward and, for the backward kernel, once as its adjoint; a function before those
 * that call it. Of a function that returns "s.p * w":
 *
 *     __device__ vec3 f(S s, float w)
 *     __device__ void adj_f(S s, S &adj_s, float w, float &adj_w, vec3 adj_out)
 *
 * One result is returned; several, and all adjoints of parameters, go out through references. A
 * custom gradient (@wp.func_grad) takes the place of the adjoint, a replay function
 * (@wp.func_replay) that of the function in the backward kernel. Native snippets are in
 * cuda_snippet.c.
 *
 * A function's text is final before its callers are read, since it says which parameters it takes
 * (cuda_form.c). */
#include "cuda/cuda_func.h"

#include <stdio.h>

#include "base/assert.h"
#include "cuda/cuda_form.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_param.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_print.h"
#include "cuda/cuda_reroll.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_unit.h"
#include "cuda/cuda_varname.h"

/* Appends the parameters for results: references, or in the adjoint values, the results' adjoints.
 * Those that the text does not mention are left out. */
static void put_results(cuda_fn *f, cuda_params *params, bool adjoint)
{
    WEFT_ASSERT(params != NULL);
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nreturns; i++) {
        const cv *v = &f->vars.v[cuda_result_var(f, adjoint ? u->nreturns + i : i)];
        if (!v->mentioned)
            continue;
        const str t = cuda_type_text(f, v->type);
        const cuda_param p = {.arg = u->nparams + i,
                              .type = v->type,
                              .name = v->name,
                              .type_text =
                                  cuda_sprintf(f, "%.*s%s", (int)t.n, t.p, adjoint ? "" : " &")};
        VEC_PUSH(&f->c->module, params, p);
    }
}

/* Names of results that go out through references, and of their adjoints. In the adjoint of a
 * function of several results the results are local variables, which replayed statements set. */
static void name_results(cuda_fn *f)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nreturns; i++) {
        cv *result = &f->vars.v[cuda_result_var(f, i)];
        cv *adjoint = &f->vars.v[cuda_result_var(f, u->nreturns + i)];
        result->out = !f->reverse && u->nreturns > 1;
        if (f->reverse && u->nreturns > 1) {
            result->hint = STR("result");
            result->python = true;
        } else {
            result->name = u->nreturns > 1 ? cuda_sprintf(f, "out%u", i) : STR("out");
        }
        adjoint->param = f->reverse;
        adjoint->name = u->nreturns > 1 ? cuda_sprintf(f, "adj_out%u", i) : STR("adj_out");
        str_map_set(&f->c->module, &f->taken, adjoint->name, 1);
        str_map_set(&f->c->module, &f->taken, result->name, 1);
    }
}

/* The text of the function, and its docstring as a comment before it. Needs: the passes have run.
 */
static void make_text(cuda_fn *f, cuda_form *form, bool adjoint)
{
    strbuf body, b;
    sb_init(&body, &f->c->mem);
    sb_init(&b, &f->c->mem);
    cuda_print_body(f, &body, 1);
    const ir_unit *u = f->u;
    cuda_params params = {0};
    cuda_list_params(f, &params);
    const bool gives = !adjoint && u->has_return && u->nreturns == 1;
    if (!gives && !(adjoint && u->func->is_custom_grad))
        put_results(f, &params, adjoint);
    const str t = gives ? cuda_type_text(f, f->vars.v[cuda_result_var(f, 0)].type) : STR("void");
    const str before = cuda_sprintf(f, "__device__ %.*s ", (int)t.n, t.p);
    if (!adjoint)
        cuda_put_comment(&b, cuda_docstring(u->code), "");
    cuda_put_signature(f, &b, before.p, form->name, &params, (str){NULL, 0});
    SB_LIT(&b, "\n{\n");
    sb_str(&b, sb_view(&body));
    SB_LIT(&b, "}\n");
    sb_clear(&body);
    form->text = cuda_keep(f, &b);
}

/* A function in the making. `custom`: an adjoint whose text is that of a function of the program.
 */
typedef struct form_making {
    cuda_form *form;
    bool adjoint, custom;
} form_making;

/* Called before the lists are read: names must be taken before others get them. */
static void prepare_form(cuda_fn *f, void *arg)
{
    const form_making *x = arg;
    f->form = x->form;
    if (x->custom)
        cuda_name_adjoints(f);
    name_results(f);
}

/* Called with the tree as it was read and simplified. A single result is always returned, whether
 * the tree mentions it or not. */
static void finish_unit(cuda_fn *f, void *arg)
{
    const form_making *x = arg;
    const ir_unit *u = f->u;
    WEFT_ASSERT(f->form == x->form);
    x->form->u = u;
    cuda_run_passes(f);
    if (u->has_return && u->nreturns == 1)
        f->vars.v[cuda_result_var(f, 0)].mentioned = true;
    make_text(f, x->form, x->adjoint);
    cuda_finish_form(f, x->form, x->adjoint && !x->custom);
}

/* Makes the text of u into the form. A custom gradient is read as a forward function. */
static void make_form(cuda_job *job, cuda_form *form, const ir_unit *u, bool adjoint)
{
    form_making x = {form, adjoint, u->func->is_custom_grad};
    const cuda_maker maker = {prepare_form, finish_unit, &x};
    cuda_make_unit(job, u, adjoint && !x.custom, &maker);
}

/* The function that the program gives as the gradient of u, or NULL. */
static const ir_unit *custom_gradient(const cuda_job *job, const ir_unit *u)
{
    for (uint32_t i = 0; u->func->custom_grad && i < job->m->funcs.n; i++)
        if (job->m->funcs.v[i]->func == u->func->custom_grad)
            return job->m->funcs.v[i];
    return NULL;
}

/* "adj_" and the like in c->module. */
static str joined(ctx *c, const char *before, str name, const char *behind)
{
    strbuf b;
    sb_init(&b, &c->mem);
    sb_c(&b, before);
    sb_str(&b, name);
    sb_c(&b, behind);
    const str s = {arena_dup(&c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return s;
}

/* Functions of one name in Python are numbered. */
static str function_name(cuda_job *job, uint32_t index, str_map *names)
{
    const char *name = job->m->funcs.v[index]->code->name->s;
    char number[16] = "";
    if (str_map_set(&job->c->module, names, str_c(name), 1))
        snprintf(number, sizeof number, "%u", index);
    return cuda_global_name(job, joined(job->c, name, STR(""), number));
}

/* Kernels get their names first, so that functions give way. The host calls "launch_k", which no
 * function may have as its name. */
void cuda_name_kernels(cuda_job *job, str name, bool backward)
{
    ctx *c = job->c;
    job->out->forward_name = cuda_global_name(job, name);
    VEC_PUSH(&c->module, &job->kernels, job->out->forward_name);
    str_map_set(&c->module, &job->taken, joined(c, "launch_", job->out->forward_name, ""), 1);
    if (!backward)
        return;
    job->out->backward_name =
        cuda_global_name(job, joined(c, "", job->out->forward_name, "_backward"));
    VEC_PUSH(&c->module, &job->kernels, job->out->backward_name);
    str_map_set(&c->module, &job->taken, joined(c, "launch_", job->out->backward_name, ""), 1);
}

static void need_form(cuda_job *job, uint32_t i, bool adjoint);

/* What a call names: a function, its adjoint, or what is replayed instead. */
static void need_called(cuda_job *job, const ir_unit *u, ir_arg a)
{
    const ir_unit *called = u->callees.v[ir_index(a)].unit;
    for (uint32_t i = 0; called && ir_kind(a) == IR_ARG_CALLEE_REPLAY && i < job->m->funcs.n; i++)
        if (job->m->funcs.v[i]->func == called->func->custom_replay)
            need_form(job, i, false);
    if (called)
        need_form(job, called->index, ir_kind(a) == IR_ARG_CALLEE_ADJ);
}

/* Makes the functions that the statements of the list call. */
static void need_list(cuda_job *job, const ir_unit *u, const ir_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_stmt *s = &u->stmts.v[list->v[i].stmt];
        const bool result = s->op == IR_CALL || s->op == IR_CALL_LIST;
        if (result || s->op == IR_CALL_VOID || s->op == IR_CALL_VOID_LIST || s->op == IR_ADJ_CALL)
            need_called(job, u, u->args.v[s->args + result]);
    }
}

/* Makes the function, or its adjoint, and before it those that it calls. A form without text stays
 * for what has none: the adjoint of a snippet without one, which nobody calls, of a replay
 * function, of one that calls wp.grad. Calls of such are errors, reported where they are. */
static void need_form(cuda_job *job, uint32_t i, bool adjoint)
{
    WEFT_ASSERT(i < job->m->funcs.n);
    const ir_unit *u = job->m->funcs.v[i];
    cuda_form *form = adjoint ? &job->reverse[i] : &job->forward[i];
    const char *snippet = adjoint ? u->func->adj_snippet : u->func->snippet;
    if (form->made || job->failed)
        return;
    form->made = true; /* before what it calls is made: no form is made twice */
    uint32_t begin = cuda_uses_begin(job->defs);
    if (u->func->snippet) {
        if (snippet)
            cuda_make_snippet(job, form, u, adjoint, snippet);
    } else if (!u->func->is_custom_grad && !(adjoint && (u->func->is_replay || u->uses_grad))) {
        const ir_unit *custom = adjoint ? custom_gradient(job, u) : NULL;
        const ir_unit *from = custom ? custom : u;
        need_list(job, from, adjoint && !custom ? &from->replay : &from->forward);
        if (adjoint && !custom)
            need_list(job, from, &from->reverse);
        /* Only this text counts: functions that it calls have noted their own definitions. */
        begin = cuda_uses_begin(job->defs);
        if (!job->failed)
            make_form(job, form, from, adjoint);
    }
    form->uses = cuda_uses_end(job->defs, begin);
    VEC_PUSH(&job->c->module, &job->made, form);
}

/* All names are given first, since texts refer to each other by name. Every function of the module
 * is made, called or not: what is not called is left out when the text is put together
 * (cuda_kernel.c). */
void cuda_make_functions(cuda_job *job, bool backward)
{
    const uint32_t n = job->m->funcs.n;
    str_map names = {0}; /* in Python */
    job->forward = arena_zero(&job->c->module, (n + 1) * sizeof *job->forward);
    job->reverse = arena_zero(&job->c->module, (n + 1) * sizeof *job->reverse);
    for (uint32_t i = 0; i < n; i++) {
        const ir_unit *u = job->m->funcs.v[i];
        cuda_form *x = &job->forward[i], *r = &job->reverse[i];
        x->name = function_name(job, i, &names);
        r->name = cuda_global_name(job, joined(job->c, "adj_", x->name, ""));
        x->ninputs = r->ninputs = u->nparams;
        str_map_set(&job->c->module, &job->taken, x->name, 1);
        str_map_set(&job->c->module, &job->taken, r->name, 1);
    }
    /* Forms that are needed by others exist by the time the loop comes to them. */
    for (uint32_t i = 0; i < n; i++) {
        need_form(job, i, false);
        if (backward)
            need_form(job, i, true);
    }
    need_list(job, job->m->kernel, &job->m->kernel->forward); /* by wp.grad */
}
