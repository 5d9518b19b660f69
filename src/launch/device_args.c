/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments as the CUDA text's parameters and structs have them: a pointer to device memory for
 * each array, its sizes and strides where the kernel takes them, structs with C++'s layout:
 *
 *     def k(x: wp.array2d(dtype=float), p: Params)   (Params: a: float, w: wp.array(dtype=float))
 *     ->   k(float *x, int x_stride, Params p, int ny, int nx)
 *          struct Params { float a; float *w; int w_n; };
 *
 * cuda_param says for each parameter which argument it comes from and what of it. */
#include "launch/device.h"

#include "base/assert.h"

/* --- arrays ---------------------------------------------------------------------------------- */

/* Down through structs: arrays may be fields. Adjoints of arrays without floats have no data. */
static void find_in(device_arrays *m, const type *t, const rvalue *v, bool gradient)
{
    if (t->kind == TYPE_ARRAY && v->array && v->array->data) {
        VEC_PUSH(&m->c->module, &m->all, ((device_array){.view = v->array, .gradient = gradient}));
        return;
    }
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++) {
        const type *inner = t->st->fields[i].type;
        const rvalue field = rvalue_load(&m->c->module, inner, v->bytes + layout_field(t->st, i));
        find_in(m, inner, &field, gradient);
    }
}

void device_find_arrays(device_arrays *m, const rvalue *args, uint32_t n, bool gradient)
{
    for (uint32_t i = 0; i < n; i++)
        find_in(m, args[i].type, &args[i], gradient);
}

/* Several views may share one array's data: each has its own offset into it. 0: not on the device.
 */
static libcuda_pointer address_of(const device_arrays *m, const array_view *v)
{
    for (uint32_t i = 0; v && v->data && i < m->all.n; i++)
        if (m->all.v[i].view->data == v->data)
            return m->all.v[i].at + (uint64_t)v->offset;
    return 0;
}

/* --- layout ---------------------------------------------------------------------------------- */

/* What all layouts of a launch depend on. */
typedef struct packing {
    device_arrays *m;     /* where the arrays are on the device */
    const cuda_kernel *k; /* whose structs count, not Warp's */
} packing;

/* NULL: the CUDA text defines no struct of its own for it. */
static const cuda_struct *struct_of(const cuda_kernel *k, const struct_def *def)
{
    for (uint32_t i = 0; i < k->structs.n; i++)
        if (k->structs.v[i]->def == def)
            return k->structs.v[i];
    return NULL;
}

typedef struct form {
    size_t size, align; /* bytes, as sizeof and alignof */
} form;

/* To the next multiple of align. */
static size_t round_up(size_t n, size_t align)
{
    WEFT_ASSERT(align);
    return (n + align - 1) / align * align;
}

/* Of a value or struct as C++ lays it out. */
static form form_of(const packing *p, const type *t);

/* Sizes, strides and launch dimensions are int in the text. */
static form form_of_param(const packing *p, const cuda_param *m)
{
    switch (m->kind) {
    case CUDA_PARAM_VALUE:
    case CUDA_PARAM_ADJ_VALUE: return form_of(p, m->type);
    case CUDA_PARAM_POINTER:
    case CUDA_PARAM_ADJ_POINTER:
    case CUDA_PARAM_INDICES: return (form){sizeof(libcuda_pointer), sizeof(libcuda_pointer)};
    case CUDA_PARAM_LAUNCH:
    case CUDA_PARAM_SIZE:
    case CUDA_PARAM_STRIDE: break;
    }
    return (form){sizeof(int32_t), sizeof(int32_t)};
}

static form form_of(const packing *p, const type *t)
{
    const cuda_struct *st = t->kind == TYPE_STRUCT ? struct_of(p->k, t->st) : NULL;
    form f = {0, 1};
    if (!st)
        return (form){layout_size(t), layout_align(t)};
    for (uint32_t i = 0; i < st->nmembers; i++) {
        const form m = form_of_param(p, &st->members[i]);
        f.size = round_up(f.size, m.align) + m.size;
        f.align = m.align > f.align ? m.align : f.align;
    }
    f.size = round_up(f.size, f.align);
    return (form){f.size ? f.size : 1, f.align};
}

/* --- values ---------------------------------------------------------------------------------- */

/* Sizes fit: launch_misfit refuses more than int32 holds. */
static void put_int(uint8_t *to, int64_t x)
{
    const int32_t n = (int32_t)x;
    memcpy(to, &n, sizeof n);
}

static void put_value(const packing *p, const type *t, const rvalue *v, uint8_t *to);

/* What a parameter or member stands for: v is the value of its argument or field. */
static void put_param(const packing *p, const cuda_param *m, const rvalue *v, uint8_t *to)
{
    const libcuda_pointer none = 0;
    WEFT_ASSERT((m->kind != CUDA_PARAM_SIZE && m->kind != CUDA_PARAM_STRIDE) ||
                (v->array && (int)m->dim < v->array->ndim));
    switch (m->kind) {
    case CUDA_PARAM_POINTER:
    case CUDA_PARAM_ADJ_POINTER: {
        libcuda_pointer at = v->type->kind == TYPE_ARRAY ? address_of(p->m, v->array) : none;
        if (!at && m->kind == CUDA_PARAM_ADJ_POINTER)
            at = p->m->spare;
        memcpy(to, &at, sizeof at);
        break;
    }
    case CUDA_PARAM_INDICES: memcpy(to, &none, sizeof none); break; /* each index is itself */
    case CUDA_PARAM_SIZE: put_int(to, v->array->shape[m->dim]); break;
    case CUDA_PARAM_STRIDE:
        put_int(to, v->array->strides[m->dim] / (int64_t)layout_size(v->array->elem));
        break;
    case CUDA_PARAM_VALUE:
    case CUDA_PARAM_ADJ_VALUE: put_value(p, m->type, v, to); break;
    case CUDA_PARAM_LAUNCH: break;
    }
}

/* Member by member, with C++'s padding: the text's struct has a pointer and sizes where Warp's has
 * an array. */
static void put_value(const packing *p, const type *t, const rvalue *v, uint8_t *to)
{
    const cuda_struct *st = t->kind == TYPE_STRUCT ? struct_of(p->k, t->st) : NULL;
    size_t at = 0;
    if (!st) {
        rvalue_store(t, to, v);
        return;
    }
    for (uint32_t i = 0; i < st->nmembers; i++) {
        const cuda_param *m = &st->members[i];
        const form f = form_of_param(p, m);
        const rvalue field = rvalue_load(&p->m->c->module, t->st->fields[m->arg].type,
                                         v->bytes + layout_field(t->st, m->arg));
        at = round_up(at, f.align);
        put_param(p, m, &field, to + at);
        at += f.size;
    }
}

/* Each value has memory of its own, which lives until the launch is over. */
void **device_params(device_arrays *m, const cuda_kernel *k, bool backward, const launch_job *l)
{
    WEFT_ASSERT(l->args && (!backward || l->adjoints));
    arena *a = &m->c->module;
    const packing p = {m, k};
    const uint32_t n = backward ? k->backward_params.n : k->forward_params.n;
    const cuda_param *all = backward ? k->backward_params.v : k->forward_params.v;
    void **params = ARENA_ARRAY(a, void *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const bool adjoint =
            all[i].kind == CUDA_PARAM_ADJ_POINTER || all[i].kind == CUDA_PARAM_ADJ_VALUE;
        uint8_t *to = arena_zero(a, form_of_param(&p, &all[i]).size);
        if (all[i].kind == CUDA_PARAM_LAUNCH)
            put_int(to, l->dim[all[i].dim]);
        else
            put_param(&p, &all[i], adjoint ? &l->adjoints[all[i].arg] : &l->args[all[i].arg], to);
        params[i] = to;
    }
    return params;
}
