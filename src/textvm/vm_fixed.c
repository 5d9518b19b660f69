/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of a fixed size, which live in a variable: fixedarray_t of Warp 1.19's native/array.h.
 *
 *     buf = wp.zeros(shape=(4,), dtype=float)             in a Python kernel
 *     var_1 = wp::fixedarray_t<4, wp::float32>(var_0);     do_fixed, v: {var_1, var_0}
 *
 * Such a variable begins with the pointer to its view, as any array variable, so that what takes an
 * array takes it; view, data and elements follow. Copies have elements of their own; a parameter of
 * a function sees the caller's. */
#include "textvm/vm_read.h"

/* What such a variable's bytes begin with; the elements follow. A move of the variable would leave
 * pointers into the old one, hence do_fixed_copy. */
typedef struct fixed_frame {
    const array_view *at;
    array_view view;
    array_data data;
} fixed_frame;

/* Instructions of this file have one as `aux`. */
typedef struct fixed_info {
    const type *t;
    size_t size; /* of the elements, in bytes */
} fixed_info;

/* NULL is the type of what has none. */
bool type_is_fixed(const type *t)
{
    return t && t->kind == TYPE_ARRAY && t->array_class == ARRAY_FIXED;
}

bool vt_is_fixed(vt t)
{
    return !t.ptr && type_is_fixed(t.t);
}

size_t vm_fixed_size(const type *t)
{
    return sizeof(fixed_frame) + (size_t)t->rows * vm_type_size(t->elem);
}

/* An array of zeros at `at`, whose shape the caller sets. */
static fixed_frame *frame_reset(uint8_t *at, const fixed_info *info)
{
    fixed_frame *f = (fixed_frame *)(void *)at;
    *f = (fixed_frame){.at = &f->view,
                       .view = {.data = &f->data, .elem = info->t->elem},
                       .data = {.name = "zeros", .bytes = at + sizeof *f, .size = info->size}};
    memset(f->data.bytes, 0, info->size);
    return f;
}

/* v[0] = {}: one dimension, whatever its variable has, and so an adjoint's indices of further
 * dimensions count nothing; ndim 0 stands for that. */
static const ins *do_fixed_empty(const ins *i, machine *m)
{
    (void)m;
    const fixed_info *info = i->aux;
    fixed_frame *f = frame_reset(i->v[0], info);
    f->view.shape[0] = info->t->rows;
    f->view.strides[0] = (int64_t)vm_type_size(info->t->elem);
    return i + 1;
}

/* v[0] = array of zeros of the shape v[1], v[2] ... */
static const ins *do_fixed(const ins *i, machine *m)
{
    const fixed_info *info = i->aux;
    fixed_frame *f = frame_reset(i->v[0], info);
    int64_t stride = (int64_t)vm_type_size(info->t->elem), count = 1;
    f->view.ndim = (int)i->n - 1;
    WEFT_ASSERT(f->view.ndim >= 1 && f->view.ndim <= TEXTVM_DIMS);
    for (int k = f->view.ndim; k-- > 0;) {
        const int32_t n = *(const int32_t *)i->v[k + 1];
        count = n < 1 || n > info->t->rows ? -1 : count * n;
        if (count < 1 || count > info->t->rows)
            break;
        f->view.shape[k] = n;
        f->view.strides[k] = stride;
        stride *= n;
    }
    if (count != info->t->rows)
        return vm_fault(m, i, TEXTVM_FAULT, "the shape of a local array is not of %d elements",
                        info->t->rows);
    return i + 1;
}

/* v[0] = v[1]: elements and shape; fixedarray_t::operator=. An unset source copies nothing. */
const ins *do_fixed_copy(const ins *i, machine *m)
{
    (void)m;
    const fixed_info *info = i->aux;
    const array_view *from;
    memcpy(&from, i->v[1], sizeof from);
    if (i->v[0] == i->v[1] || !from)
        return i + 1;
    WEFT_ASSERT(from->data && from->data->size >= info->size);
    const array_view view = *from;
    uint8_t *elements = (uint8_t *)i->v[0] + sizeof(fixed_frame);
    const uint8_t *bytes = view.data->bytes;
    memmove(elements, bytes, info->size);
    fixed_frame *f = i->v[0];
    f->data = (array_data){.name = "zeros", .bytes = elements, .size = info->size};
    f->view = view;
    f->view.data = &f->data;
    f->at = &f->view;
    return i + 1;
}

/* One for each instruction: texts have few local arrays. */
static const fixed_info *info_of(reader *r, const type *t)
{
    WEFT_ASSERT(type_is_fixed(t) && t->rows > 0);
    fixed_info *info = ARENA_NEW(r->a, fixed_info);
    *info = (fixed_info){.t = t, .size = (size_t)t->rows * vm_type_size(t->elem)};
    return info;
}

/* to = {} */
void emit_fixed_empty(reader *r, var *to)
{
    ins *i = code_emit(r, do_fixed_empty, 1);
    i->aux = info_of(r, to->type.t);
    code_operand(r, i, 0, to, 0);
    var_define(r, to);
}

/* to = from. The elements are copied, since each variable has its own. */
void emit_fixed_copy(reader *r, var *to, const operand *from)
{
    ins *i = code_emit(r, do_fixed_copy, 2);
    i->aux = info_of(r, to->type.t);
    code_operand(r, i, 0, to, 0);
    code_arg(r, i, 1, from);
    var_define(r, to);
}

/* fixedarray_t<SIZE, T>(dim, ...) */
void form_fixed(reader *r, call *k)
{
    if (k->n < 1 || k->n > 4 || k->ngroups || !k->result)
        read_fail(r, "wrong arguments of a local array");
    if (!vt_same(k->result->type, (vt){k->made, false}))
        type_fail(r, k->result->type, (vt){k->made, false});
    const vt dim = {type_scalar(r->c, TYPE_INT32), false};
    for (uint32_t a = 0; a < k->n; a++) {
        if (k->args[a].address || !vt_same(k->args[a].type, dim))
            read_fail(r, "size %u of a local array is no int32", a + 1);
        var_use(r, k->args[a].v);
    }
    ins *i = code_emit(r, do_fixed, k->n + 1);
    i->aux = info_of(r, k->made);
    code_operand(r, i, 0, k->result, 0);
    for (uint32_t a = 0; a < k->n; a++)
        code_arg(r, i, a + 1, &k->args[a]);
    var_define(r, k->result);
}
