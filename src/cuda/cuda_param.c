/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of a function's text: which ones it needs, their types and names. Called when the
 * passes are done, for kernels (cuda_kernel.c), functions (cuda_func.c) and snippets
 * (cuda_snippet.c).
 *
 * An array is a pointer, and those of its sizes and strides that the text names; what the text does
 * not name is no parameter. A pointer that nothing is written through is const:
 *
 *     def k(m: array(dtype=mat22), v: array(dtype=vec2), y: array2d(dtype=float), n: int)
 *     ->
 *     __global__ void k(mat22 *m, const vec2 *v, float *y, int y_stride, int n, int num_threads)
 *
 * where y_cols is left out, since no index needs it. Backward, gradients follow their arrays:
 *
 *     __global__ void k_backward(mat22 *adj_m, const vec2 *v, vec2 *adj_v, float *adj_y,
 *                                int y_stride, int n, int num_threads)
 *
 * where m itself is left out: only its gradient is read. */
#include "cuda/cuda_param.h"

#include "cuda/cuda_flow.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_varname.h"

/* The name as C++ allows it, with as many underscores as make it free; taken from now on. */
static str unique(cuda_fn *f, str name)
{
    str s = cuda_cpp_name(f, name);
    while (cuda_is_taken(f, s))
        s = cuda_next_name(f, s);
    str_map_set(&f->c->module, &f->taken, s, 1);
    return s;
}

/* Sizes and strides have names made of the array's ("y_cols", "y_stride"): no other variable may
 * have them, whether they are printed or not. */
static void take_array_names(cuda_fn *f, str name, const type *t)
{
    for (uint32_t d = 0; d < (uint32_t)t->ndim; d++) {
        str_map_set(&f->c->module, &f->taken, cuda_size_name(f, name, d, (uint32_t)t->ndim), 1);
        str_map_set(&f->c->module, &f->taken, cuda_stride_name(f, name, d, (uint32_t)t->ndim), 1);
        if (t->array_class == ARRAY_INDEXED)
            str_map_set(&f->c->module, &f->taken, cuda_indices_name(f, name, d, (uint32_t)t->ndim),
                        1);
    }
}

/* Names the parameters before anything is read, so that variables keep clear of them. In kernels
 * only arrays and structs have adjoints that are parameters. */
void cuda_name_params(cuda_fn *f)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nparams; i++) {
        const uint32_t v = u->params[i];
        cv *p = &f->vars.v[v], *adjoint = &f->vars.v[u->vars.n + v];
        p->param = true;
        p->out = !u->kernel && p->type->kind == TYPE_REF;
        p->name = unique(f, ir_param_name(u, i));
        if (p->type->kind == TYPE_ARRAY)
            take_array_names(f, p->name, p->type);
        if (u->kernel && p->type->kind != TYPE_ARRAY && p->type->kind != TYPE_STRUCT)
            continue;
        adjoint->name = unique(f, cuda_sprintf(f, "adj_%.*s", (int)p->name.n, p->name.p));
    }
}

static void add_param(cuda_fn *f, cuda_params *out, cuda_param p)
{
    VEC_PUSH(&f->c->module, out, p);
}

/* The pointer, the gradient's pointer, sizes, strides, lists of indices. The innermost stride is 1
 * and no parameter. */
static void add_array(cuda_fn *f, cuda_params *out, uint32_t arg, const cv *v, const cv *adjoint)
{
    WEFT_ASSERT(v->type->kind == TYPE_ARRAY && v->type->ndim >= 1 && v->type->ndim <= 4);
    const type *elem = v->type->elem;
    const str t = cuda_type_text(f, elem);
    const uint32_t ndim = (uint32_t)v->type->ndim;
    cuda_param p = {.arg = arg, .type = elem, .item = t};
    if (v->mentioned) {
        p.kind = CUDA_PARAM_POINTER;
        p.is_const = !v->written;
        p.name = v->name;
        p.type_text = cuda_sprintf(f, "%s%.*s *", p.is_const ? "const " : "", (int)t.n, t.p);
        add_param(f, out, p);
    }
    if (adjoint && adjoint->mentioned) {
        p.kind = CUDA_PARAM_ADJ_POINTER;
        p.is_const = !adjoint->written;
        p.name = adjoint->name;
        p.type_text = cuda_sprintf(f, "%s%.*s *", p.is_const ? "const " : "", (int)t.n, t.p);
        add_param(f, out, p);
    }
    p = (cuda_param){.arg = arg, .type_text = STR("int")};
    for (p.dim = 0; p.dim < ndim; p.dim++) {
        p.kind = CUDA_PARAM_SIZE;
        p.name = cuda_size_name(f, v->name, p.dim, ndim);
        if (v->sizes >> p.dim & 1)
            add_param(f, out, p);
    }
    for (p.dim = 0; p.dim + 1 < ndim; p.dim++) {
        p.kind = CUDA_PARAM_STRIDE;
        p.name = cuda_stride_name(f, v->name, p.dim, ndim);
        if (v->strides >> p.dim & 1)
            add_param(f, out, p);
    }
    p = (cuda_param){.kind = CUDA_PARAM_INDICES,
                     .arg = arg,
                     .is_const = true,
                     .type_text = STR("const int *"),
                     .item = STR("int")};
    for (; p.dim < ndim; p.dim++) {
        p.name = cuda_indices_name(f, v->name, p.dim, ndim);
        if (v->indices >> p.dim & 1)
            add_param(f, out, p);
    }
}

/* A value, or a reference if the caller reads what the function leaves in it. */
static void add_value(cuda_fn *f, cuda_params *out, uint32_t arg, const cv *v, cuda_param_kind kind)
{
    const type *t = type_strip_ref(v->type);
    const str text = cuda_type_text(f, t);
    const bool ref = v->out || v->type->kind == TYPE_REF;
    add_param(
        f, out,
        (cuda_param){.kind = kind,
                     .arg = arg,
                     .type = t,
                     .name = v->name,
                     .type_text = cuda_sprintf(f, "%.*s%s", (int)text.n, text.p, ref ? " &" : "")});
}

/* Needs: CUDA_MARKED, and sizes and strides as the printed body noted them. Functions that are
 * passed by name are no parameters: calls name the function itself. */
void cuda_list_params(cuda_fn *f, cuda_params *out)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nparams; i++) {
        const uint32_t var = u->params[i];
        const cv *v = &f->vars.v[var], *adjoint = &f->vars.v[u->vars.n + var];
        if (v->type->kind == TYPE_FUNCTION || v->type->kind == TYPE_CALLABLE)
            continue;
        if (v->type->kind == TYPE_ARRAY) {
            add_array(f, out, i, v, adjoint);
            continue;
        }
        if (v->mentioned)
            add_value(f, out, i, v, CUDA_PARAM_VALUE);
        if (adjoint->mentioned && (adjoint->out || adjoint->param))
            add_value(f, out, i, adjoint, CUDA_PARAM_ADJ_VALUE);
    }
}

/* "void f(a, b)", broken behind column 100 under the first parameter, or by eight columns where
 * that would leave too little room. `more`: a last parameter, type and name in one, such as the
 * launch size; empty: none. */
void cuda_put_signature(cuda_fn *f, strbuf *out, const char *before, str name,
                        const cuda_params *params, str more)
{
    (void)f;
    sb_c(out, before);
    sb_str(out, name);
    sb_char(out, '(');
    const size_t column = strlen(before) + name.n + 1, indent = column < 48 ? column : 8;
    size_t at = column;
    for (uint32_t i = 0; i <= params->n; i++) {
        const cuda_param *p = i < params->n ? &params->v[i] : NULL;
        const str kind = p ? p->type_text : more, last = p ? p->name : (str){NULL, 0};
        if (!kind.n)
            break;
        const size_t width = kind.n + last.n + 2;
        if (i && at + width > 99) {
            SB_LIT(out, ",\n");
            sb_repeat(out, ' ', indent);
            at = indent;
        } else if (i) {
            SB_LIT(out, ", ");
        }
        at += width + 1;
        sb_str(out, kind);
        if (p && kind.p[kind.n - 1] != '*' && kind.p[kind.n - 1] != '&')
            sb_char(out, ' ');
        sb_str(out, last);
    }
    sb_char(out, ')');
}
