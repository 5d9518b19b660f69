/* SPDX-License-Identifier: Apache-2.0 */
/* Native snippets (@wp.func_native): the user's text within a head made from the annotations, its
 * parameters by their names in Python. For cuda_func.c.
 *
 *     @wp.func_native("y[i] = 2.0f * x[i];")
 *     def twice(x: wp.array(dtype=float), y: wp.array(dtype=float), i: int): ...
 *     ->
 *     __device__ void twice(float *x, float *y, int i)
 *     {
 *         y[i] = 2.0f * x[i];
 *     }
 *
 * Arrays of one dimension are pointers there: x[i] means the same of Warp's array and of a pointer.
 * Words of Warp's headers are put in plain words (cuda_snippet_words.c). A text with others of
 * them, or other members of its arrays, has no plain form. */
#include "cuda/cuda_form.h"
#include "cuda/cuda_func.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_param.h"
#include "cuda/cuda_snippet_words.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unit.h"
#include "cuda/cuda_unsupported.h"

/* The text without the empty lines around it. A first line without indent gets one. */
static void put_text(strbuf *b, const char *text)
{
    size_t n = strlen(text);
    while (n && strchr(" \n\t\r", text[n - 1]))
        n--;
    const char *from = text;
    while (from < text + n && (*from == '\n' || *from == '\r'))
        from++;
    if (from < text + n && *from != ' ' && *from != '\t')
        SB_LIT(b, "    ");
    sb_put(b, from, (size_t)(text + n - from));
}

/* Marks every parameter as used, under its own name: the text may use it, and weft does not read
 * it. */
static void use_params(cuda_fn *f, const char *text, bool adjoint)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nparams; i++) {
        cv *v = &f->vars.v[u->params[i]], *a = &f->vars.v[u->vars.n + u->params[i]];
        const bool array = v->type->kind == TYPE_ARRAY;
        const str name = sym_str(u->code->params[i].name);
        if (array && (v->type->array_class != ARRAY_PLAIN ||
                      (v->type->ndim != 1 && (adjoint || !cuda_snippet_is_flat(text, name)))))
            cuda_unsupported(f, "a native snippet with such an array");
        v->mentioned = true;
        v->written = array || v->type->kind == TYPE_REF;
        v->name = name;
        if (!adjoint || cuda_is_integral(array ? v->type->elem : v->type))
            continue;
        a->mentioned = a->written = true;
        a->param = array;
        a->out = !array;
        a->name = cuda_sprintf(f, "adj_%.*s", (int)v->name.n, v->name.p);
    }
}

/* The function's text as its form. `adjoint`: `text` is the snippet for the backward pass, whose
 * function takes the adjoints too, that of the result as adj_ret. */
void cuda_make_snippet(cuda_job *job, cuda_form *form, const ir_unit *u, bool adjoint,
                       const char *text)
{
    WEFT_ASSERT(u->func && u->func->snippet);
    cuda_fn *f = cuda_fn_new(job, u, false);
    const type *result = cuda_snippet_result(u);
    const str plain = cuda_plain_words(f, text), word = cuda_foreign_word(plain);
    if (word.n) {
        cuda_unsupported_str(
            f, cuda_sprintf(f, "a native snippet that uses '%.*s'", (int)word.n, word.p));
        return;
    }
    use_params(f, text, adjoint);
    strbuf b;
    sb_init(&b, &f->c->mem);
    cuda_params params = {0};
    cuda_list_params(f, &params);
    const str t = result ? cuda_type_text(f, result) : STR("void");
    if (adjoint && result) {
        const cuda_param p = {.type = result,
                              .type_text = cuda_sprintf(f, "%.*s &", (int)t.n, t.p),
                              .name = STR("adj_ret")};
        VEC_PUSH(&f->c->module, &params, p);
    }
    const str before =
        adjoint ? STR("__device__ void ") : cuda_sprintf(f, "__device__ %.*s ", (int)t.n, t.p);
    cuda_put_signature(f, &b, before.p, form->name, &params, (str){NULL, 0});
    SB_LIT(&b, "\n{\n");
    put_text(&b, plain.p);
    cuda_use_externs_of(job->defs, plain);
    SB_LIT(&b, "\n}\n");
    form->text = cuda_keep(f, &b);
    form->u = u;
    cuda_finish_form(f, form, false);
}
