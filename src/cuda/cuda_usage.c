/* Which variables and parts of arrays the text names, and what is written through. */
#include "cuda/cuda_form.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"

static const cv *primal_of(const cuda_fn *f, uint32_t var)
{
    return &f->vars.v[var >= f->u->vars.n && var < 2 * f->u->vars.n ? var - f->u->vars.n : var];
}

void cuda_mark_extent(cuda_fn *f, const cx *array, uint32_t dim, bool stride)
{
    cv *v = (cv *)(uintptr_t)primal_of(f, array->var);
    if (stride)
        v->strides |= (uint8_t)(1u << dim);
    else
        v->sizes |= (uint8_t)(1u << dim);
}

static void say(void *arg, uint32_t var)
{
    cuda_fn *f = arg;
    f->vars.v[var].mentioned = true;
}

/* Variables that the expression names: of an array whose size is asked for, its size alone. */
static void say_expr(cuda_fn *f, const cx *e)
{
    if (!e)
        return;
    if (e->kind == CX_VAR)
        say(f, e->var);
    uint32_t first = 0;
    if (e->kind == CX_SHAPE) {
        for (e = e->args[0]; e->kind == CX_VIEW; e = e->args[0])
            for (uint32_t i = 1; i < e->nargs; i++)
                say_expr(f, e->args[i]);
        first = e->kind == CX_VAR;
    }
    for (uint32_t i = first; i < e->nargs; i++)
        say_expr(f, e->args[i]);
}

/* The array that a place lies in is written to; what a local reference stands for, too. */
static void note_written(cuda_fn *f, const cx *place)
{
    while (place->nargs && place->kind != CX_VAR)
        place = place->args[0];
    if (place->kind != CX_VAR)
        return;
    cv *v = &f->vars.v[place->var];
    const bool again = v->written;
    v->written = true;
    if (!v->bound || again)
        return;
    const cx *root = v->origin;
    while (root->nargs && root->kind != CX_VAR)
        root = root->args[0];
    if (root->kind == CX_VAR)
        f->vars.v[root->var].aliased = true;
    note_written(f, v->origin);
}

/* Arrays that a call writes to. */
static void note_passed(cuda_fn *f, const cx *e)
{
    const cuda_form *form = cuda_form_of(f, e->callee, e->adjoint);
    for (uint32_t i = 0, k = 0; i < form->ninputs && k < e->nargs; i++) {
        const type *t = e->callee->vars.v[e->callee->params[i]].type;
        if (t->kind == TYPE_FUNCTION || t->kind == TYPE_CALLABLE)
            continue;
        if (form->params && form->params[i].written) {
            uint32_t var;
            note_written(f, e->args[k]);
            if (cx_is_var(e->args[k], &var))
                f->vars.v[var].aliased = true;
        }
        k++;
    }
}

static bool is_gradient(const cuda_fn *f, const cx *array)
{
    while (array->nargs && array->kind != CX_VAR)
        array = array->args[0];
    return array->kind == CX_VAR && array->var >= f->u->vars.n;
}

static void note_expr(cuda_fn *f, const cx *e)
{
    if (!e)
        return;
    if (e->kind == CX_ATOMIC)
        note_written(f, e->args[0]);
    for (uint32_t i = 0; e->kind == CX_STRUCT && i < e->nargs; i++)
        if (e->args[i]->type->kind == TYPE_ARRAY)
            note_written(f, e->args[i]);
    if (e->kind == CX_USER)
        note_passed(f, e);
    if (e->kind == CX_USER && e->adjoint)
        for (uint32_t i = 0; i < e->nargs; i++)
            if (e->args[i]->kind != CX_LOAD && is_gradient(f, e->args[i]))
                note_written(f, e->args[i]);
    for (uint32_t i = 0; i < e->nargs; i++)
        note_expr(f, e->args[i]);
}

/* Does the statement say what a local reference refers to? It is the first to set it. */
static bool binds(cuda_fn *f, const cs *s)
{
    uint32_t var;
    if (!cx_is_var(s->to, &var) || f->vars.v[var].type->kind != TYPE_REF || f->vars.v[var].param ||
        f->vars.v[var].bound)
        return false;
    f->vars.v[var].bound = true;
    f->vars.v[var].origin = s->e;
    return true;
}

static void note_list(cuda_fn *f, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        say_expr(f, s->to);
        say_expr(f, s->e);
        say_expr(f, s->start);
        say_expr(f, s->stop);
        say_expr(f, s->step);
        cs_writes(s, say, f);
        if (s->to && !binds(f, s))
            note_written(f, s->to);
        if (s->to && s->to->kind == CX_FIELD && s->e->type && s->e->type->kind == TYPE_ARRAY)
            note_written(f, s->e); /* a struct's pointers are for writing, too */
        note_expr(f, s->to);
        note_expr(f, s->e);
        note_list(f, &s->body);
        note_list(f, &s->orelse);
    }
}

void cuda_mark_usage(cuda_fn *f)
{
    note_list(f, &f->body);
}
