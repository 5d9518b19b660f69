/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays among the parameters of a CUDA kernel, those in structs too, with what the host calls
 * them. An example, for a parameter `model` whose struct has an array x:
 *
 *     host   model.x
 *     path   model.x, of the Python parameter
 *     flat   model_x
 *     count  model.x_n
 *
 * A wp.indexedarray is an array with a list of indices for each dimension, which are arrays too.
 *
 * Beside that, small tools for the text: forms with holes, lists that break lines, free names. */
#include "standalone/standalone_internal.h"

#include <stdarg.h>

/* Each '$' of the form is the next str, so a form has no '$' of its own. */
static void put_form(strbuf *b, const char *form, va_list ap)
{
    for (const char *next; (next = strchr(form, '$')) != NULL; form = next + 1) {
        sb_put(b, form, (size_t)(next - form));
        sb_str(b, va_arg(ap, str));
    }
    sb_c(b, form);
}

void sa_put(strbuf *b, const char *form, ...)
{
    va_list ap;
    va_start(ap, form);
    put_form(b, form, ap);
    va_end(ap);
}

str sa_form(ctx *c, const char *form, ...)
{
    va_list ap;
    strbuf b;
    sb_init(&b, &c->mem);
    va_start(ap, form);
    put_form(&b, form, ap);
    va_end(ap);
    const str text = {arena_dup(&c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

str sa_uint(ctx *c, uint32_t x)
{
    strbuf b;
    sb_init(&b, &c->mem);
    sb_uint(&b, x);
    const str text = {arena_dup(&c->module, b.p, b.n), b.n};
    sb_clear(&b);
    return text;
}

/* The column is found by going back to the last end of line: many callers write the line's start,
 * and none counts what it writes. */
sa_list sa_list_begin(strbuf *b)
{
    size_t line = b->n;
    while (line && b->p[line - 1] != '\n')
        line--;
    return (sa_list){b, b->n - line, line, false};
}

/* Breaks the line before an item that would go beyond WIDTH, and aligns it with the first. */
void sa_list_item(sa_list *l, str item)
{
    enum { WIDTH = 100 };
    if (l->any)
        sb_char(l->b, ',');
    if (l->any && l->b->n - l->line + item.n + 2 > WIDTH) {
        sb_char(l->b, '\n');
        l->line = l->b->n;
        sb_repeat(l->b, ' ', l->indent);
    } else if (l->any) {
        sb_char(l->b, ' ');
    }
    l->any = true;
    sb_str(l->b, item);
}

/* The Python name of a parameter. */
static str sa_param_path(const sa_text *t, uint32_t arg)
{
    WEFT_ASSERT(arg < t->s->kernel->code.nparams);
    return sym_str(t->s->kernel->code.params[arg].name);
}

/* The CUDA form of a Python struct; NULL: the type is none. */
const cuda_struct *sa_struct_of(const sa_text *t, const type *of)
{
    for (uint32_t i = 0; of && of->kind == TYPE_STRUCT && i < t->k->structs.n; i++)
        if (t->k->structs.v[i]->def == of->st)
            return t->k->structs.v[i];
    return NULL;
}

/* Is it the name, or the type, of a parameter? Also of those of the backward kernel, since main
 * declares both. */
bool sa_is_param(const sa_text *t, str name)
{
    for (uint32_t pass = 0; pass < 2; pass++) {
        const cuda_param *p = pass ? t->k->backward_params.v : t->k->forward_params.v;
        const uint32_t n = pass ? t->k->backward_params.n : t->k->forward_params.n;
        for (uint32_t i = 0; i < n; i++)
            if (str_eq(p[i].name, name) || str_eq(p[i].type_text, name))
                return true;
    }
    return false;
}

/* Names that the function in work, or the kernel and its parameters, have already. */
static bool is_taken(const sa_text *t, str name)
{
    for (uint32_t i = 0; i < t->taken.n; i++)
        if (str_eq(t->taken.v[i], name))
            return true;
    return sa_is_param(t, name) || str_eq(t->k->forward_name, name) ||
           str_eq(t->k->backward_name, name);
}

/* `base`, or `base_`, `base__`, ... : the first that nothing else has. It is taken from then on. */
str sa_free_name(sa_text *t, const char *base)
{
    str name = {base, strlen(base)};
    while (is_taken(t, name))
        name = sa_form(t->c, "$_", name);
    VEC_PUSH(&t->c->module, &t->taken, name);
    return name;
}

/* A walk over the parameters, or over the members of one struct. */
typedef struct walk {
    sa_text *t;
    sa_arrays *out;
    const cuda_param *all; /* of one parent */
    uint32_t n;
    const cuda_struct *of; /* NULL: parameters */
    str host, path, flat;  /* of the parent; empty: parameters */
    const cuda_param *holder;
    str members; /* from the holder to the parent */
    bool adjoint;
    uint32_t root;
} walk;

/* "parent.name", or the name alone at the top. */
static str behind(const walk *w, str parent, const char *dot, str name)
{
    return parent.n ? sa_form(w->t->c, "$$$", parent, str_c(dot), name) : name;
}

/* The product of the sizes of a pointer's array, "x_n * x_m"; empty: the kernel does not take all
 * of them. */
static str count_of(const walk *w, const cuda_param *p, int ndim)
{
    WEFT_ASSERT(ndim >= 1);
    ctx *c = w->t->c;
    str product = STR("");
    for (uint32_t i = 0; i < w->n; i++) {
        const cuda_param *q = &w->all[i];
        if (q->kind != CUDA_PARAM_SIZE || q->arg != p->arg)
            continue;
        ndim--;
        const str one = behind(w, w->host, ".", q->name);
        product = product.n ? sa_form(c, "$ * $", product, one) : one;
    }
    /* Sizes that the kernel does not read are no parameters. */
    return ndim ? STR("") : product;
}

static void walk_members(const walk *w, const cuda_param *p, str path);

/* The name of the parameter or field in Python, by which columns are found. */
static str python_name(const walk *w, uint32_t arg)
{
    return w->of ? sym_str(w->of->def->fields[arg].name) : sa_param_path(w->t, arg);
}

/* The type of the parameter or field. */
static const type *array_type(const walk *w, uint32_t arg)
{
    return w->of ? w->of->def->fields[arg].type : w->t->s->kernel->code.params[arg].type;
}

/* Adds the arrays of this level. Launch sizes are no arrays. Structs are entered, so that arrays in
 * them are found. */
static void walk_all(const walk *w)
{
    for (uint32_t i = 0; i < w->n; i++) {
        const cuda_param *p = &w->all[i];
        const bool adj_kind = p->kind == CUDA_PARAM_ADJ_POINTER || p->kind == CUDA_PARAM_ADJ_VALUE;
        if (p->kind == CUDA_PARAM_LAUNCH)
            continue;
        const str path = behind(w, w->path, ".", python_name(w, p->arg));
        if (p->kind == CUDA_PARAM_INDICES) {
            const sa_array list = {.p = p,
                                   .host = p->name,
                                   .path = STR(""),
                                   .flat = p->name,
                                   .root = p->arg,
                                   .ndim = 1,
                                   .element = p->item,
                                   .counted = true};
            VEC_PUSH(&w->t->c->module, w->out, list);
        } else if (p->kind == CUDA_PARAM_POINTER || p->kind == CUDA_PARAM_ADJ_POINTER) {
            const int ndim = array_type(w, p->arg)->ndim;
            sa_array a = {.p = p,
                          .holder = w->holder,
                          .members = w->of ? sa_form(w->t->c, "$.$", w->members, p->name) : STR(""),
                          .host = behind(w, w->host, ".", p->name),
                          .path = path,
                          .flat = behind(w, w->flat, "_", p->name),
                          .count = count_of(w, p, ndim),
                          .root = w->of ? w->root : p->arg,
                          .ndim = ndim,
                          .element = p->item,
                          .turned = array_type(w, p->arg)->array_class == ARRAY_INDEXED,
                          .adjoint = w->adjoint || adj_kind};
            a.counted = !a.count.n;
            VEC_PUSH(&w->t->c->module, w->out, a);
        } else if (p->kind == CUDA_PARAM_VALUE || p->kind == CUDA_PARAM_ADJ_VALUE) {
            walk_members(w, p, path);
        }
    }
}

/* Enters a struct that holds arrays. */
static void walk_members(const walk *w, const cuda_param *p, str path)
{
    const cuda_struct *s = sa_struct_of(w->t, p->type);
    if (!s || !type_has_array(p->type))
        return;
    const walk inner = {.t = w->t,
                        .out = w->out,
                        .all = s->members,
                        .n = s->nmembers,
                        .of = s,
                        .holder = w->of ? w->holder : p,
                        .members = w->of ? sa_form(w->t->c, "$.$", w->members, p->name) : STR(""),
                        .root = w->of ? w->root : p->arg,
                        .host = behind(w, w->host, ".", p->name),
                        .path = path,
                        .flat = behind(w, w->flat, "_", p->name),
                        .adjoint = w->adjoint || p->kind == CUDA_PARAM_ADJ_VALUE};
    walk_all(&inner);
}

/* Is the name that an array in a struct gets on the host that of something else? */
static bool is_flat_taken(const sa_text *t, const sa_arrays *arrays, uint32_t i)
{
    WEFT_ASSERT(i < arrays->n);
    const sa_array *a = &arrays->v[i];
    for (uint32_t k = 0; k < i; k++)
        if (str_eq(arrays->v[k].flat, a->flat))
            return true;
    return !str_eq(a->host, a->flat) && sa_is_param(t, a->flat);
}

/* All arrays of a kernel's parameters, with distinct flat names. */
void sa_arrays_of(sa_text *t, const cuda_param *params, uint32_t n, sa_arrays *out)
{
    const walk w = {.t = t, .out = out, .all = params, .n = n};
    *out = (sa_arrays){0};
    walk_all(&w);
    for (uint32_t i = 0; i < out->n; i++)
        while (is_flat_taken(t, out, i))
            out->v[i].flat = sa_form(t->c, "$_", out->v[i].flat);
}
