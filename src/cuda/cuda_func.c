/* Device functions of the program, their adjoints, and calls of them. */
#include <stdio.h>

#include "cuda/cuda_tree.h"

static bool is_function(const type *t)
{
    return t->kind == TYPE_FUNCTION || t->kind == TYPE_CALLABLE;
}

cuda_fn *cuda_fn_new(cuda_job *job, const ir_unit *u, bool reverse)
{
    ctx *c = job->c;
    cuda_fn *f = ARENA_NEW(&c->module, cuda_fn);
    f->c = c;
    f->job = job;
    f->u = u;
    f->reverse = reverse;
    job->line = u->code->def->base.line;
    const uint32_t n = u->vars.n;
    for (uint32_t i = 0; i < 2 * n; i++) {
        const ir_var *v = &u->vars.v[i % n];
        const uint32_t k = cv_new(f,
                                  i < n                         ? cuda_untupled(job, v->type)
                                  : v->type->kind == TYPE_ARRAY ? v->type
                                                                : type_strip_ref(v->type),
                                  (str){NULL, 0});
        cv *x = &f->vars.v[k];
        x->adjoint = i >= n;
        if (i < n && v->name) {
            x->hint = sym_str(v->name);
            x->python = true;
        }
    }
    for (uint32_t i = 0; i < 2 * u->nreturns; i++) {
        const type *t = type_strip_ref(u->vars.v[u->returns[i % u->nreturns]].type);
        const uint32_t k = cv_new(f, t, (str){NULL, 0});
        f->vars.v[k].adjoint = false;
    }
    f->named = arena_zero(&c->module, (n + 1) * sizeof *f->named);
    f->named_adj = arena_zero(&c->module, (n + 1) * sizeof *f->named_adj);
    f->reversed = arena_zero(&c->module, n + 1);
    f->met = arena_zero(&c->module, n + 1);
    f->range = ARENA_ARRAY(&c->module, uint32_t, n + 1);
    memset(f->range, 0xff, (n + 1) * sizeof *f->range);
    memset(f->tid, 0xff, sizeof f->tid);
    cuda_name_params(f);
    return f;
}

void cuda_simplify(cuda_fn *f)
{
    f->job->line = 0; /* what passes make belongs to no line */
    cuda_shape(f);
    cuda_prune(f);
}

void cuda_run_passes(cuda_fn *f)
{
    cuda_free_counters(f);
    cuda_split(f);
    cuda_sink(f);
    cuda_fold(f);
    cuda_branch(f);
    cuda_sweep(f);
    cuda_late(f);
    cuda_join(f);
    cuda_sweep(f);
    cuda_split(f);
    cuda_note_uses(f);
    cuda_place(f);
    cuda_note_counters(f);
}

static uint32_t result_var(const cuda_fn *f, uint32_t i)
{
    return 2 * f->u->vars.n + i;
}

/* Zero for each adjoint that is no parameter. */
static void put_zeroes(cuda_fn *f)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->vars.n; i++) {
        cv *v = &f->vars.v[u->vars.n + i];
        const ir_var *x = &u->vars.v[i];
        if (x->bare || x->constant || memchr(x->label.p, '.', x->label.n) || v->out || v->param ||
            cuda_is_integral(v->type))
            continue;
        cs_set(f, &f->body, cx_var(f, u->vars.n + i), cx_new(f, CX_ZERO, v->type, 0));
    }
}

/* Adjoints of parameters: pointers of arrays; in functions references of all else. */
static void name_adjoints(cuda_fn *f)
{
    for (uint32_t i = 0; i < f->u->nparams; i++) {
        const uint32_t v = f->u->params[i];
        cv *adjoint = &f->vars.v[f->u->vars.n + v];
        const bool pointer = adjoint->type->kind == TYPE_ARRAY;
        adjoint->param = pointer || (f->u->kernel && type_has_array(adjoint->type));
        adjoint->out = !pointer && !f->u->kernel && !cuda_is_integral(adjoint->type);
    }
}

void cuda_read_reverse(cuda_fn *f)
{
    name_adjoints(f);
    cuda_find_useful(f);
    put_zeroes(f);
    cuda_read_list(f, &f->u->replay, &f->body);
    cuda_read_list(f, &f->u->reverse, &f->body);
}

static void put_results(cuda_fn *f, cuda_params *params, bool adjoint)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nreturns; i++) {
        const cv *v = &f->vars.v[result_var(f, adjoint ? u->nreturns + i : i)];
        if (!v->said)
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

/* Names of results that go out through references, and of their adjoints. */
static void name_results(cuda_fn *f)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nreturns; i++) {
        cv *result = &f->vars.v[result_var(f, i)];
        cv *adjoint = &f->vars.v[result_var(f, u->nreturns + i)];
        result->out = !f->reverse && u->nreturns > 1;
        if (f->reverse && u->nreturns > 1) {
            result->hint = STR("result");
            result->python = true;
        } else {
            result->name = u->nreturns > 1 ? cuda_sprintf(f, "out%u", i) : STR("out");
        }
        adjoint->param = f->reverse;
        adjoint->name = u->nreturns > 1 ? cuda_sprintf(f, "adj_out%u", i) : STR("adj_out");
        VEC_PUSH(&f->c->module, &f->taken, adjoint->name);
        VEC_PUSH(&f->c->module, &f->taken, result->name);
    }
}

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
        results[i] = f->vars.v[result_var(f, reverse ? u->nreturns + i : i)].said;
    form->params = params;
    form->adjoints = adjoints;
    form->results = results;
    form->calls.v = f->calls.v;
    form->calls.n = f->calls.n;
}

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
    const str t = gives ? cuda_type_text(f, f->vars.v[result_var(f, 0)].type) : STR("void");
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

typedef struct form_making {
    cuda_form *form;
    bool adjoint, custom;
} form_making;

static void prepare_form(cuda_fn *f, void *arg)
{
    const form_making *x = arg;
    f->form = x->form;
    if (x->custom)
        name_adjoints(f);
    name_results(f);
}

static void finish_unit(cuda_fn *f, void *arg)
{
    const form_making *x = arg;
    const ir_unit *u = f->u;
    x->form->u = u;
    cuda_run_passes(f);
    if (u->has_return && u->nreturns == 1)
        f->vars.v[result_var(f, 0)].said = true;
    make_text(f, x->form, x->adjoint);
    cuda_finish_form(f, x->form, x->adjoint && !x->custom);
}

static void make_form(cuda_job *job, cuda_form *form, const ir_unit *u, bool adjoint)
{
    form_making x = {form, adjoint, u->func->is_custom_grad};
    const cuda_maker maker = {prepare_form, finish_unit, &x};
    cuda_make_unit(job, u, adjoint && !x.custom, &maker);
}

static const ir_unit *custom_gradient(const cuda_job *job, const ir_unit *u)
{
    for (uint32_t i = 0; u->func->custom_grad && i < job->m->funcs.n; i++)
        if (job->m->funcs.v[i]->func == u->func->custom_grad)
            return job->m->funcs.v[i];
    return NULL;
}

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
static str function_name(cuda_job *job, uint32_t index)
{
    const char *name = job->m->funcs.v[index]->code->name->s;
    char number[16] = "";
    for (uint32_t i = 0; i < index && !*number; i++)
        if (strcmp(job->m->funcs.v[i]->code->name->s, name) == 0)
            snprintf(number, sizeof number, "%u", index);
    return cuda_global_name(job, joined(job->c, name, STR(""), number));
}

void cuda_name_kernels(cuda_job *job, str name, bool backward)
{
    ctx *c = job->c;
    job->out->forward_name = cuda_global_name(job, name);
    VEC_PUSH(&c->module, &job->kernels, job->out->forward_name);
    VEC_PUSH(&c->module, &job->taken, joined(c, "launch_", job->out->forward_name, ""));
    if (!backward)
        return;
    job->out->backward_name =
        cuda_global_name(job, joined(c, "", job->out->forward_name, "_backward"));
    VEC_PUSH(&c->module, &job->kernels, job->out->backward_name);
    VEC_PUSH(&c->module, &job->taken, joined(c, "launch_", job->out->backward_name, ""));
}

static void need_form(cuda_job *job, uint32_t i, bool adjoint);

/* What a call names: a function, its adjoint, or what is replayed instead. */
static void need_called(cuda_job *job, str name)
{
    static const char *const before[] = {"", "adj_", "replay_"};
    for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
        const size_t n = strlen(before[k]);
        if (!str_starts(name, before[k]))
            continue;
        const str of = {name.p + n, name.n - n};
        for (uint32_t i = 0; i < job->m->funcs.n; i++)
            if (str_eq(job->m->funcs.v[i]->func->native_name, of))
                need_form(job, i, k == 1);
    }
}

static void need_list(cuda_job *job, const ir_unit *u, const ir_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_stmt *s = &u->stmts.v[list->v[i].stmt];
        const bool result = s->op == IR_CALL || s->op == IR_CALL_LIST;
        if (result || s->op == IR_CALL_VOID || s->op == IR_CALL_VOID_LIST || s->op == IR_ADJ_CALL)
            need_called(job, u->texts.v[ir_index(u->args.v[s->args + result])]);
    }
}

static void need_form(cuda_job *job, uint32_t i, bool adjoint)
{
    const ir_unit *u = job->m->funcs.v[i];
    cuda_form *form = adjoint ? &job->reverse[i] : &job->forward[i];
    const char *snippet = adjoint ? u->func->adj_snippet : u->func->snippet;
    if (form->made || job->failed)
        return;
    form->made = true;
    uint32_t begin = cuda_uses_begin(job->needs);
    if (u->func->snippet) {
        if (snippet)
            cuda_make_snippet(job, form, u, adjoint, snippet);
    } else if (!u->func->is_custom_grad && !(adjoint && (u->func->is_replay || u->uses_grad))) {
        const ir_unit *custom = adjoint ? custom_gradient(job, u) : NULL;
        const ir_unit *from = custom ? custom : u;
        need_list(job, from, adjoint && !custom ? &from->replay : &from->forward);
        if (adjoint && !custom)
            need_list(job, from, &from->reverse);
        begin = cuda_uses_begin(job->needs);
        if (!job->failed)
            make_form(job, form, from, adjoint);
    }
    form->uses = cuda_uses_end(job->needs, begin);
    VEC_PUSH(&job->c->module, &job->made, form);
}

void cuda_make_functions(cuda_job *job, bool backward)
{
    const uint32_t n = job->m->funcs.n;
    job->forward = arena_zero(&job->c->module, (n + 1) * sizeof *job->forward);
    job->reverse = arena_zero(&job->c->module, (n + 1) * sizeof *job->reverse);
    for (uint32_t i = 0; i < n; i++) {
        const ir_unit *u = job->m->funcs.v[i];
        cuda_form *x = &job->forward[i], *r = &job->reverse[i];
        x->name = function_name(job, i);
        r->name = cuda_global_name(job, joined(job->c, "adj_", x->name, ""));
        x->ninputs = r->ninputs = u->nparams;
        VEC_PUSH(&job->c->module, &job->taken, x->name);
        VEC_PUSH(&job->c->module, &job->taken, r->name);
    }
    for (uint32_t i = 0; i < n; i++) {
        need_form(job, i, false);
        if (backward)
            need_form(job, i, true);
    }
    need_list(job, job->m->kernel, &job->m->kernel->forward); /* by wp.grad */
}

static void put_argument(strbuf *b, str text)
{
    if (b->p[b->n - 1] != '(')
        SB_LIT(b, ", ");
    sb_str(b, text);
}

/* What a parameter that is an array stands for: pointers, sizes and strides that the text names. */
static void put_array_argument(cuda_fn *f, strbuf *b, const cv *p, const cv *adjoint, const cx *e,
                               const cx *gradient)
{
    const uint32_t ndim = (uint32_t)e->type->ndim;
    if (p->said)
        put_argument(b, cuda_pointer_text(f, e));
    if (adjoint && adjoint->said && gradient)
        put_argument(b, cuda_pointer_text(f, gradient));
    for (uint32_t d = 0; d < ndim; d++)
        if (p->sizes >> d & 1)
            put_argument(b, cuda_size_text(f, e, d));
    for (uint32_t d = 0; d + 1 < ndim; d++)
        if (p->strides >> d & 1)
            put_argument(b, cuda_stride_text(f, e, d));
    if (!str_eq(cuda_stride_text(f, e, ndim - 1), STR("1")))
        cuda_refuse(f, "an array with gaps passed to a function");
}

static void put_inputs(cuda_fn *f, strbuf *b, const cx *e, const cuda_form *form, uint32_t nvalues)
{
    const ir_unit *u = form->u;
    uint32_t k = 0, adj = nvalues;
    for (uint32_t i = 0; i < form->ninputs && k < e->nargs; i++) {
        const type *t = u->vars.v[u->params[i]].type;
        if (is_function(t))
            continue;
        const cx *a = e->args[k++];
        const bool has_adjoint = e->adjoint && (t->kind == TYPE_ARRAY ? !cuda_is_integral(t->elem)
                                                                      : !cuda_is_integral(t));
        const cx *gradient = has_adjoint && adj < e->nargs ? e->args[adj++] : NULL;
        const cv *adjoint = e->adjoint ? &form->adjoints[i] : NULL;
        if (t->kind == TYPE_ARRAY) {
            put_array_argument(f, b, &form->params[i], adjoint, a, gradient);
            continue;
        }
        if (form->params[i].said)
            put_argument(b, cuda_print_at(f, a, CUDA_ASSIGN));
        if (gradient && adjoint->said)
            put_argument(b, cuda_print_at(f, gradient, CUDA_ASSIGN));
    }
}

static uint32_t count_values(const ir_unit *u, uint32_t ninputs)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ninputs; i++)
        n += !is_function(u->vars.v[u->params[i]].type);
    return n;
}

/* Adjoints of results that the function does not take. */
static void drop_results(cuda_fn *f, cx *e, const cuda_form *form)
{
    const ir_unit *u = e->callee;
    if (!e->adjoint || !form->results || form->u->func->is_custom_grad || !u->has_return)
        return;
    const uint32_t first = e->nargs - cuda_count_results(e);
    for (uint32_t i = 0, k = 0; i < u->nreturns; i++) {
        if (cuda_is_integral(u->vars.v[u->returns[i]].type))
            continue;
        if (!form->results[i])
            e->args[first + k] = cx_number(f, 0);
        k++;
    }
}

void cuda_drop_unused(cuda_fn *f, cx *e)
{
    uint32_t k = 0;
    const cuda_form *form = cuda_form_of(f, e->callee, e->adjoint);
    uint32_t adj = form->u ? count_values(form->u, form->ninputs) : 0;
    for (uint32_t i = 0; form->params && i < form->ninputs && k < e->nargs; i++) {
        const type *t = form->u->vars.v[form->u->params[i]].type;
        if (is_function(t))
            continue;
        if (t->kind != TYPE_ARRAY && !form->params[i].said)
            e->args[k] = cx_number(f, 0);
        k++;
        if (!e->adjoint || cuda_is_integral(t->kind == TYPE_ARRAY ? t->elem : t))
            continue;
        if (t->kind != TYPE_ARRAY && adj < e->nargs && !form->adjoints[i].said)
            e->args[adj] = cx_number(f, 0);
        adj++;
    }
    drop_results(f, e, form);
}

uint32_t cuda_count_results(const cx *e)
{
    const ir_unit *u = e->callee;
    uint32_t n = 0;
    for (uint32_t i = 0; u->has_return && i < u->nreturns; i++)
        n += !e->adjoint || !cuda_is_integral(u->vars.v[u->returns[i]].type);
    return n;
}

cuda_expr cuda_user_call(cuda_fn *f, const cx *e)
{
    cuda_form *form = cuda_form_of(f, e->callee, e->adjoint);
    if (!form->u || !form->params) {
        cuda_refuse(f, "the gradient of this function");
        return (cuda_expr){STR("0"), e->type, CUDA_PRIMARY};
    }
    VEC_PUSH(&f->c->module, &f->calls, form);
    strbuf b;
    sb_init(&b, &f->c->mem);
    sb_str(&b, form->name);
    sb_char(&b, '(');
    const uint32_t values = count_values(e->callee, form->ninputs);
    put_inputs(f, &b, e, form, values);
    const uint32_t nresults = e->callee->has_return ? e->callee->nreturns : 0;
    if (e->adjoint || nresults > 1) /* the last operands */
        for (uint32_t i = 0, k = 0; i < nresults; i++) {
            if (e->adjoint && cuda_is_integral(e->callee->vars.v[e->callee->returns[i]].type))
                continue;
            const uint32_t last = cuda_count_results(e);
            const cx *a = e->args[e->nargs - last + k++];
            const bool custom = e->adjoint && form->u->func->is_custom_grad;
            if (custom ? form->params[form->ninputs + i].said : form->results[i])
                put_argument(&b, cuda_print_at(f, a, CUDA_ASSIGN));
        }
    if (e->adjoint && cuda_snippet_result(e->callee)) /* the last operand */
        put_argument(&b, cuda_print_at(f, e->args[e->nargs - 1], CUDA_ASSIGN));
    sb_char(&b, ')');
    return (cuda_expr){cuda_keep(f, &b), e->type, CUDA_POSTFIX};
}
