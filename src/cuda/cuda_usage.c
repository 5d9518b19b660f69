/* SPDX-License-Identifier: Apache-2.0 */
/* Usage marking. Notes which variables the printed text names (cv.mentioned), and which arrays it
 * writes to (cv.written), for parameters that are left out or const:
 *
 *     element(y%1, i%2) = add(load(element(x%0, i%2)), n%3)
 *     ->   y, i, x, n mentioned; y written:   float *y, const float *x, int n
 *
 * Needs: CUDA_STRUCTURED. Gives: CUDA_MARKED. Keeps: the tree; only marks change (--dump m prints
 * what the pass before left). Sizes and strides are noted by the printer (cuda_mark_extent), as it
 * prints them. */
#include "cuda/cuda_form.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

/* The variable that var is the adjoint of, or var itself. */
static const cv *primal_of(const cuda_fn *f, uint32_t var)
{
    return &f->vars.v[var >= f->u->vars.n && var < 2 * f->u->vars.n ? var - f->u->vars.n : var];
}

/* Notes that the text names a size or stride. A gradient has those of its array. */
void cuda_mark_extent(cuda_fn *f, const cx *array, uint32_t dim, bool stride)
{
    WEFT_ASSERT(array->kind == CX_VAR && dim < 4);
    cv *v = (cv *)(uintptr_t)primal_of(f, array->var);
    if (!v->param)
        cuda_unsupported(f, "the size of an array that is chosen while the kernel runs");
    if (stride)
        v->strides |= (uint8_t)(1u << dim);
    else
        v->sizes |= (uint8_t)(1u << dim);
}

void cuda_mark_indices(cuda_fn *f, const cx *array, uint32_t dim)
{
    WEFT_ASSERT(array->kind == CX_VAR && dim < 4);
    cv *v = (cv *)(uintptr_t)primal_of(f, array->var);
    v->indices |= (uint8_t)(1u << dim);
}

/* A visitor that marks. */
static void mention(void *arg, uint32_t var)
{
    cuda_fn *f = arg;
    f->vars.v[var].mentioned = true;
}

/* Marks the variables that the expression names. An array's shape names its sizes, not the
 * array. */
static void mention_expr(cuda_fn *f, const cx *e)
{
    if (!e)
        return;
    if (e->kind == CX_VAR)
        mention(f, e->var);
    uint32_t first = 0;
    if (e->kind == CX_SHAPE) {
        for (e = e->args[0]; e->kind == CX_VIEW; e = e->args[0])
            for (uint32_t i = 1; i < e->nargs; i++)
                mention_expr(f, e->args[i]);
        first = e->kind == CX_VAR;
    }
    for (uint32_t i = first; i < e->nargs; i++)
        mention_expr(f, e->args[i]);
}

/* Marks the variable that the place lies in as written. Of a local reference also the variable that
 * it refers to; `again` ends chains of references that refer to each other. */
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

/* Marks what a call of a function of the program writes to, as its form says. The form is made
 * before: callees come first. */
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

/* Does the place lie in an adjoint? */
static bool is_gradient(const cuda_fn *f, const cx *array)
{
    while (array->nargs && array->kind != CX_VAR)
        array = array->args[0];
    return array->kind == CX_VAR && array->var >= f->u->vars.n;
}

/* What the expression writes to: atomic operations, arrays in structs (their pointers are not
 * const), and calls. */
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

/* The first assignment to a local reference says what it refers to; later ones write through it. */
static bool binds(cuda_fn *f, const cs *s)
{
    WEFT_ASSERT(s->to);
    uint32_t var;
    if (!cx_is_var(s->to, &var) || f->vars.v[var].type->kind != TYPE_REF || f->vars.v[var].param ||
        f->vars.v[var].bound)
        return false;
    f->vars.v[var].bound = true;
    f->vars.v[var].origin = s->e;
    return true;
}

/* A pointer to an array, which is no parameter. */
static bool is_pointer(const cuda_fn *f, const cx *e)
{
    return e && e->kind == CX_VAR && e->type->kind == TYPE_ARRAY && !f->vars.v[e->var].param;
}

/* What is written through a pointer is written to the arrays that it is set to. True: one of them
 * was not known to be written. */
static bool note_pointers(cuda_fn *f, const cs_list *list)
{
    bool any = false;
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        if (is_pointer(f, s->to) && f->vars.v[s->to->var].written) {
            const cx *root = s->e;
            while (root->nargs && root->kind != CX_VAR)
                root = root->args[0];
            any |= root->kind == CX_VAR && !f->vars.v[root->var].written;
            note_written(f, root);
        }
        any |= note_pointers(f, &s->body);
        any |= note_pointers(f, &s->orelse);
    }
    return any;
}

/* The statements of the list and those in them. */
static void note_list(cuda_fn *f, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        mention_expr(f, s->to);
        mention_expr(f, s->e);
        mention_expr(f, s->start);
        mention_expr(f, s->stop);
        mention_expr(f, s->step);
        cs_writes(s, mention, f);
        if (s->to && !binds(f, s) && !is_pointer(f, s->to))
            note_written(f, s->to);
        if (s->to && s->to->kind == CX_FIELD && s->e->type && s->e->type->kind == TYPE_ARRAY)
            note_written(f, s->e); /* a struct's pointers are for writing, too */
        note_expr(f, s->to);
        note_expr(f, s->e);
        note_list(f, &s->body);
        note_list(f, &s->orelse);
    }
}

/* Marks are only ever set: the pass runs once, on a new tree. */
void cuda_mark_usage(cuda_fn *f)
{
    note_list(f, &f->body);
    while (note_pointers(f, &f->body))
        ;
}
