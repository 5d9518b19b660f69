/* Parameters: which ones a text needs, their types and names; structs with arrays in them. */
#include "cuda/cuda_param.h"

#include "cuda/cuda_flow.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_varname.h"

static str unique(cuda_fn *f, str name)
{
    str s = cuda_cpp_name(f, name);
    while (cuda_is_taken(f, s))
        s = cuda_sprintf(f, "%.*s_", (int)s.n, s.p);
    str_map_set(&f->c->module, &f->taken, s, 1);
    return s;
}

/* Sizes and strides have names made of the array's: no other variable may have them. */
static void take_array_names(cuda_fn *f, str name, const type *t)
{
    for (uint32_t d = 0; d < (uint32_t)t->ndim; d++) {
        str_map_set(&f->c->module, &f->taken, cuda_size_name(f, name, d, (uint32_t)t->ndim), 1);
        str_map_set(&f->c->module, &f->taken, cuda_stride_name(f, name, d, (uint32_t)t->ndim), 1);
    }
}

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

static void add_array(cuda_fn *f, cuda_params *out, uint32_t arg, const cv *v, const cv *adjoint)
{
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
}

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

/* "void f(a, b)", broken behind column 100. */
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
