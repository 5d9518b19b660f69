/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the program's functions as text: an operand for each parameter that the function's text
 * names. For cuda_print_expr.c.
 *
 *     minmax(%11, %12, lo%9, hi%10) gives lo%9, hi%10    ->   minmax(x[i], y[i], lo, hi)
 *     pair(lo%9, 0), where pair ignores its second       ->   pair(lo)
 *
 * Several results, and the adjoints of a reverse function's operands, are references behind the
 * inputs. Which parameters there are is the callee's form (cuda_form.c), which is made before its
 * callers. */
#include "cuda/cuda_array.h"
#include "cuda/cuda_form.h"
#include "cuda/cuda_print.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

/* With a comma, unless it is the first. */
static void put_argument(strbuf *b, str text)
{
    if (b->p[b->n - 1] != '(')
        SB_LIT(b, ", ");
    sb_str(b, text);
}

/* What a parameter that is an array stands for: pointers, sizes and strides that the callee's text
 * names. Callees take the innermost stride for 1, so an array with gaps has no form. */
static void put_array_argument(cuda_fn *f, strbuf *b, const cv *p, const cv *adjoint, const cx *e,
                               const cx *gradient)
{
    const uint32_t ndim = (uint32_t)e->type->ndim;
    if (p->mentioned)
        put_argument(b, cuda_pointer_text(f, e));
    if (adjoint && adjoint->mentioned && gradient)
        put_argument(b, cuda_pointer_text(f, gradient));
    for (uint32_t d = 0; d < ndim; d++)
        if (p->sizes >> d & 1)
            put_argument(b, cuda_size_text(f, e, d));
    for (uint32_t d = 0; d + 1 < ndim; d++)
        if (p->strides >> d & 1)
            put_argument(b, cuda_stride_text(f, e, d));
    for (uint32_t d = 0; d < ndim; d++)
        if (p->indices >> d & 1)
            put_argument(b, cuda_indices_text(f, e, d));
    if (!cuda_is_dense(e, ndim - 1))
        cuda_unsupported(f, "an array with gaps passed to a function");
}

/* Operands in the order of the parameters, each followed by its gradient. nvalues: how many
 * operands are values; gradients of those that have one stand behind them in e->args. */
static void put_inputs(cuda_fn *f, strbuf *b, const cx *e, const cuda_form *form, uint32_t nvalues)
{
    const ir_unit *u = form->u;
    uint32_t k = 0, adj = nvalues;
    for (uint32_t i = 0; i < form->ninputs && k < e->nargs; i++) {
        const type *t = u->vars.v[u->params[i]].type;
        if (cuda_is_function(t))
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
        if (form->params[i].mentioned)
            put_argument(b, cuda_print_at(f, a, CUDA_ASSIGN));
        if (gradient && adjoint->mentioned)
            put_argument(b, cuda_print_at(f, gradient, CUDA_ASSIGN));
    }
}

/* Of a function that has no reverse text, an error; the call is a zero. */
cuda_expr cuda_user_call(cuda_fn *f, const cx *e)
{
    WEFT_ASSERT(e->kind == CX_USER && e->callee);
    cuda_form *form = cuda_form_of(f, e->callee, e->adjoint);
    if (!form->u || !form->params) {
        cuda_unsupported(f, "the gradient of this function");
        return cuda_expr_of(STR("0"), e->type, CUDA_PRIMARY);
    }
    VEC_PUSH(&f->c->module, &f->calls, form);
    strbuf b;
    sb_init(&b, &f->c->mem);
    sb_str(&b, form->name);
    sb_char(&b, '(');
    const uint32_t values = cuda_count_values(e->callee, form->ninputs);
    put_inputs(f, &b, e, form, values);
    const uint32_t nresults = e->callee->has_return ? e->callee->nreturns : 0;
    if (e->adjoint || nresults > 1) /* the last operands */
        for (uint32_t i = 0, k = 0; i < nresults; i++) {
            if (e->adjoint && cuda_is_integral(e->callee->vars.v[e->callee->returns[i]].type))
                continue;
            const uint32_t last = cuda_count_results(e);
            const cx *a = e->args[e->nargs - last + k++];
            const bool custom = e->adjoint && form->u->func->is_custom_grad;
            if (custom ? form->params[form->ninputs + i].mentioned : form->results[i])
                put_argument(&b, cuda_print_at(f, a, CUDA_ASSIGN));
        }
    if (e->adjoint && cuda_snippet_result(e->callee)) /* the last operand */
        put_argument(&b, cuda_print_at(f, e->args[e->nargs - 1], CUDA_ASSIGN));
    sb_char(&b, ')');
    return cuda_expr_of(cuda_keep(f, &b), e->type, CUDA_POSTFIX);
}
