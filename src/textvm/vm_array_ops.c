/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions on arrays: places of elements, stores, atomics, views, and the adjoints of these as
 * Warp 1.19's native/array.h has them.
 *
 * Every index is checked, which Warp does in debug mode only; out of bounds is a fault:
 *
 *     index 9 is out of bounds for dimension 0 of array x, of size 8
 *
 * A negative index counts from the end, as in Warp's index(). Threads run one after another, so an
 * atomic operation is a load and a store. */
#include <math.h>
#include <stdio.h>

#include "textvm/vm_ops.h"
#include "textvm/vm_read.h"

/* An array variable holds the address of its view; NULL: an empty array. */
static const array_view *view_at(const void *slot)
{
    const array_view *view;
    memcpy(&view, slot, sizeof view);
    return view;
}

/* The index at p; t NULL: an int32. */
static int64_t index_at(const type *t, const void *p)
{
    return t ? num_load(t->kind, p).i : *(const int32_t *)p;
}

/* What messages call the array: the parameter that it came in by. */
static const char *array_name(const array_view *view)
{
    return view && view->data && view->data->name ? view->data->name : "?";
}

/* view NULL: an empty array, of size 0. */
static const ins *bounds_fault(machine *m, const ins *i, const array_view *view, int64_t index,
                               uint32_t dim)
{
    textvm_error *e = m->error;
    e->array = view && view->data ? view->data->name : NULL;
    e->ndim = view ? view->ndim : 0;
    e->dim = dim;
    e->index = index;
    return vm_fault(m, i, TEXTVM_FAULT,
                    "index %lld is out of bounds for dimension %u of array %s, of size %lld",
                    (long long)index, dim, array_name(view),
                    (long long)(view ? view->shape[dim] : 0));
}

/* In the adjoint of a local array: the first index alone counts (vm_fixed.c). Returns the offset of
 * the element, -1 after a fault. */
static int64_t loose_offset(machine *m, const ins *i, const array_view *view, void *const *v)
{
    WEFT_ASSERT(view->ndim == 0);
    const array_info *info = i->aux;
    const int64_t size = view->shape[0];
    const int64_t index =
        (int32_t)(uint32_t)index_at(info->indices ? info->indices[0] : NULL, v[0]);
    if (index < -size || index >= size) {
        bounds_fault(m, i, view, index, 0);
        return -1;
    }
    return (index < 0 ? index + size : index) * view->strides[0];
}

/* The byte offset in view->data of the element at the indices v[0..n); -1 after a fault. An index
 * is cut to 32 bits first, since Warp's index() takes int. */
static int64_t element_offset(machine *m, const ins *i, const array_view *view, void *const *v,
                              uint32_t n)
{
    const array_info *info = i->aux;
    if (!view || !view->data) {
        bounds_fault(m, i, NULL, index_at(info->indices ? info->indices[0] : NULL, v[0]), 0);
        return -1;
    }
    if (view->ndim == 0)
        return loose_offset(m, i, view, v);
    if (view->ndim != (int)n) {
        vm_fault(m, i, TEXTVM_FAULT, "array %s has %d dimensions, %u indices are given",
                 array_name(view), view->ndim, n);
        return -1;
    }
    int64_t at = view->offset;
    for (uint32_t k = 0; k < n; k++) {
        int64_t index = (int32_t)(uint32_t)index_at(info->indices ? info->indices[k] : NULL, v[k]);
        const int64_t size = view->shape[k];
        if (index < -size || index >= size) {
            bounds_fault(m, i, view, index, k);
            return -1;
        }
        at += (index < 0 ? index + size : index) * view->strides[k];
    }
    /* strides come from the caller, so an index in bounds may still lead outside */
    if (at < 0 || (uint64_t)at + info->elem_size > view->data->size) {
        vm_fault(m, i, TEXTVM_FAULT, "an element of array %s lies outside its memory",
                 array_name(view));
        return -1;
    }
    return at;
}

/* The address of the element, or of a component in it (info->offset); NULL after a fault. */
static uint8_t *element(machine *m, const ins *i, const array_view *view, void *const *v,
                        uint32_t n)
{
    const int64_t at = element_offset(m, i, view, v, n);
    const array_info *info = i->aux;
    return at < 0 ? NULL : view->data->bytes + at + info->offset;
}

/* The same, to store there. */
static uint8_t *element_to_store(machine *m, const ins *i, const array_view *view, void *const *v,
                                 uint32_t n)
{
    uint8_t *at = element(m, i, view, v, n);
    if (!at || !view->data->read_only)
        return at;
    vm_fault(m, i, TEXTVM_MISSING, "cannot execute a store to the %s", view->data->name);
    return NULL;
}

/* pointer, array, indices */
const ins *do_address(const ins *i, machine *m)
{
    uint8_t *at = element(m, i, view_at(i->v[1]), i->v + 2, i->n);
    if (!at)
        return NULL;
    memcpy(i->v[0], &at, sizeof at);
    return i + 1;
}

/* The fast path: one int32 index in bounds, not negative. NULL: anything else, for which the caller
 * takes the path above, which also finds faults. */
static inline uint8_t *element1(const ins *i, const void *slot, const void *index_slot)
{
    const array_view *view = view_at(slot);
    const int32_t index = *(const int32_t *)index_slot;
    if (!view || !view->data || view->ndim != 1 || index < 0 || index >= view->shape[0])
        return NULL;
    const int64_t at = view->offset + index * view->strides[0];
    const array_info *info = i->aux;
    if (at < 0 || (uint64_t)at + info->elem_size > view->data->size)
        return NULL;
    return view->data->bytes + at + info->offset;
}

/* pointer, array, index: do_address for one int32 index. */
const ins *do_address1(const ins *i, machine *m)
{
    uint8_t *at = element1(i, i->v[1], i->v[2]);
    if (!at)
        return do_address(i, m);
    memcpy(i->v[0], &at, sizeof at);
    return i + 1;
}

/* value, array, indices */
const ins *do_array_store(const ins *i, machine *m)
{
    uint8_t *at = element_to_store(m, i, view_at(i->v[1]), i->v + 2, i->n);
    const array_info *info = i->aux;
    if (!at)
        return NULL;
    memmove(at, i->v[0], info->slot_size);
    return i + 1;
}

/* value, array, index: do_array_store for one int32 index. */
const ins *do_array_store1(const ins *i, machine *m)
{
    uint8_t *at = element1(i, i->v[1], i->v[2]);
    const array_info *info = i->aux;
    if (!at || view_at(i->v[1])->data->read_only)
        return do_array_store(i, m);
    memmove(at, i->v[0], info->slot_size);
    return i + 1;
}

/* Warp's array_t.grad of the array that the view shows; NULL: it has none. A view's data lie in the
 * array_slot of the parameter that it came from (vm_run.c bind_array), so the address of the data
 * gives the slot. Data of local arrays lie elsewhere. */
const array_data *vm_gradient_of(const machine *m, const array_view *view)
{
    const textvm *vm = m->vm;
    const uintptr_t first = (uintptr_t)vm->arrays, at = view ? (uintptr_t)view->data : 0;
    if (at < first || at >= first + vm->narrays * sizeof *vm->arrays)
        return NULL;
    const array_slot *s = &vm->arrays[(at - first) / sizeof *vm->arrays];
    return s->has_grad ? &s->adj_data : NULL;
}

/* The gradient of an element: in the adjoint array where there is one, else in the array's own
 * gradient, as in Warp 1.19 native/array.h adj_address and adj_array_store. *own: both are the same
 * memory; only then does a store's adjoint clear the gradient, since another adjoint array belongs
 * to the caller. NULL: there is none; or after a fault, where m->error says so. */
static uint8_t *gradient(machine *m, const ins *i, const void *array, const void *adjoint,
                         void *const *indices, bool *own)
{
    const array_view *adj = view_at(adjoint), *view = view_at(array);
    *own = true;
    if (adj && adj->data) {
        const array_data *grad = vm_gradient_of(m, view);
        *own = grad && grad->bytes == adj->data->bytes;
        return element(m, i, adj, indices, i->n);
    }
    const array_data *grad = vm_gradient_of(m, view);
    if (!grad)
        return NULL;
    const int64_t at = element_offset(m, i, view, indices, i->n);
    const array_info *info = i->aux;
    if (at < 0)
        return NULL;
    if ((uint64_t)at + info->elem_size > grad->size) {
        vm_fault(m, i, TEXTVM_FAULT, "the gradient of array %s is smaller than the array",
                 array_name(view));
        return NULL;
    }
    return grad->bytes + at + info->offset;
}

/* What follows when gradient() returned NULL. */
static const ins *after_gradient(const ins *i, const machine *m)
{
    return m->error->kind == TEXTVM_OK ? i + 1 : NULL;
}

/* adj_value, array, adj_array, indices */
const ins *do_adj_address(const ins *i, machine *m)
{
    const array_info *info = i->aux;
    bool own;
    uint8_t *g = gradient(m, i, i->v[1], i->v[2], i->v + 3, &own);
    if (g)
        accum_run(info->accum, g, i->v[0]);
    return after_gradient(i, m);
}

/* adj_value, array, adj_array, indices. The stored value gets the gradient; the element, which the
 * store overwrote, has none before it. */
const ins *do_adj_array_store(const ins *i, machine *m)
{
    const array_info *info = i->aux;
    bool own;
    uint8_t *g = gradient(m, i, i->v[1], i->v[2], i->v + 3, &own);
    if (!g)
        return after_gradient(i, m);
    accum_run(info->accum, i->v[0], g);
    if (own)
        memset(g, 0, info->slot_size);
    return i + 1;
}

/* The stored value gets no gradient. */
const ins *do_adj_store_cleared(const ins *i, machine *m)
{
    const array_info *info = i->aux;
    bool own;
    uint8_t *g = gradient(m, i, i->v[1], i->v[2], i->v + 3, &own);
    if (!g)
        return after_gradient(i, m);
    if (own)
        memset(g, 0, info->slot_size);
    return i + 1;
}

/* The element keeps its gradient. */
const ins *do_adj_store_kept(const ins *i, machine *m)
{
    const array_info *info = i->aux;
    bool own;
    const uint8_t *g = gradient(m, i, i->v[1], i->v[2], i->v + 3, &own);
    if (!g)
        return after_gradient(i, m);
    accum_run(info->accum, i->v[0], g);
    return i + 1;
}

/* What an atomic operation stores. Subtraction adds the negated value, as Warp's atomic_sub. */
static num atomic_result(type_kind k, int op, num old, num x)
{
    static const scalar_op ops[] = {SCALAR_ADD, SCALAR_ADD, SCALAR_MIN, SCALAR_MAX,
                                    SCALAR_AND, SCALAR_OR,  SCALAR_XOR};
    WEFT_ASSERT(op >= ATOMIC_ADD && op <= ATOMIC_EXCH && op != ATOMIC_CAS);
    if (op == ATOMIC_EXCH)
        return x;
    if (op == ATOMIC_SUB) {
        if (type_is_float(&(type){.kind = (uint8_t)k}))
            x.f = -x.f;
        else
            x = num_binary(k, SCALAR_SUB, (num){.i = 0}, x);
    }
    return num_binary(k, ops[op], old, x);
}

/* pointer, array, adj_array, indices, own. The pointer is NULL if there is no gradient; what
 * follows it (do_address_of, do_component) leaves NULL alone. */
const ins *do_gradient(const ins *i, machine *m)
{
    bool own;
    const uint8_t *g = gradient(m, i, i->v[1], i->v[2], i->v + 3, &own);
    memcpy(i->v[0], &g, sizeof g);
    *(uint8_t *)i->v[3 + i->n] = own;
    return after_gradient(i, m);
}

/* adj_value, pointer, own; op: 0 store, 1 add, 2 sub, 3 bit operations, which have no adjoint. Warp
 * 1.19 native/array.h adj_array_store_slot, adj_array_atomic_add_slot */
const ins *do_adj_slot(const ins *i, machine *m)
{
    (void)m;
    const array_info *info = i->aux;
    uint8_t *g;
    memcpy(&g, i->v[1], sizeof g);
    if (!g || info->op > 2)
        return i + 1;
    if (info->op == 2)
        accum_minus(info->accum, i->v[0], g);
    else
        accum_run(info->accum, i->v[0], g);
    if (info->op == 0 && *(const uint8_t *)i->v[2])
        memset(g, 0, info->slot_size);
    return i + 1;
}

/* Applies the operation lane by lane, as Warp's do for composites; `out` gets the old value. */
static void atomic_do(const array_info *info, uint8_t *at, uint8_t *out, const uint8_t *val,
                      const uint8_t *compare)
{
    WEFT_ASSERT(info->op != ATOMIC_CAS || compare);
    const type *t = info->slot;
    const type_kind k = type_scalar_of(t)->kind;
    const size_t size = vm_type_size(t) / (size_t)lane_count(t);
    for (int lane = 0; lane < lane_count(t); lane++) {
        const size_t off = (size_t)lane * size;
        const num old = num_load(k, at + off), x = num_load(k, val + off);
        num r = x;
        if (info->op == ATOMIC_CAS)
            r = num_compare("==", k, old, k, num_load(k, compare + off)) ? x : old;
        else
            r = atomic_result(k, info->op, old, x);
        num_store(k, at + off, r);
        num_store(k, out + off, old);
    }
}

/* old value, array, value, compared value, indices */
const ins *do_atomic(const ins *i, machine *m)
{
    uint8_t *at = element_to_store(m, i, view_at(i->v[1]), i->v + 4, i->n);
    if (!at)
        return NULL;
    atomic_do(i->aux, at, i->v[0], i->v[2], i->v[3]);
    return i + 1;
}

/* old value, pointer, value */
const ins *do_atomic_at(const ins *i, machine *m)
{
    (void)m;
    uint8_t *at;
    memcpy(&at, i->v[1], sizeof at);
    atomic_do(i->aux, at, i->v[0], i->v[2], NULL);
    return i + 1;
}

/* Lanes whose value is the one in the array get its gradient, so after equal values each of them
 * does. Warp 1.19 native/builtin.h adj_atomic_minmax; integers have no adjoint. */
static void adjoint_minmax(const array_info *info, const uint8_t *at, const uint8_t *grad,
                           const uint8_t *val, uint8_t *adj_value)
{
    WEFT_ASSERT(info->op == ATOMIC_MIN || info->op == ATOMIC_MAX);
    const type *t = info->slot;
    const type_kind k = type_scalar_of(t)->kind;
    const size_t size = vm_type_size(t) / (size_t)lane_count(t);
    if (!type_is_float(type_scalar_of(t)))
        return;
    for (int lane = 0; lane < lane_count(t); lane++) {
        const size_t off = (size_t)lane * size;
        const double x = num_load(k, val + off).f, y = num_load(k, at + off).f;
        const accum_part part = {0, 0, 1, k};
        const accum one = {&part, 1, size, false, TYPE_VOID};
        if (x == y || (isnan(x) && isnan(y)))
            accum_run(&one, adj_value + off, grad + off);
    }
}

/* adj_value, array, adj_array, indices, value */
const ins *do_adj_atomic(const ins *i, machine *m)
{
    const array_info *info = i->aux;
    bool own;
    uint8_t *g = gradient(m, i, i->v[1], i->v[2], i->v + 3, &own);
    if (!g)
        return after_gradient(i, m);
    if (info->op == ATOMIC_ADD) {
        accum_run(info->accum, i->v[0], g);
    } else if (info->op == ATOMIC_SUB) {
        accum_minus(info->accum, i->v[0], g);
    } else if (info->op == ATOMIC_MIN || info->op == ATOMIC_MAX) {
        const uint8_t *at = element(m, i, view_at(i->v[1]), i->v + 3, i->n);
        if (!at)
            return NULL;
        adjoint_minmax(info, at, g, i->v[3 + i->n], i->v[0]);
    }
    return i + 1;
}

/* A bound of a slice, from -length to length; then a negative one counts from the end.
 *
 *     length 10:   -3 -> 7    12 -> 10    -12 -> 0 */
static int32_t clamp_bound(int32_t x, int64_t length)
{
    int64_t r = x;
    r = r < -length ? -length : r > length ? length : r;
    return (int32_t)(r < 0 ? r + length : r);
}

/* Start and length of a slice {start, stop, step} of a dimension, as Python's slice.indices. Warp
 * 1.19 slice_adjust_indices and slice_get_length. Returns false if the step is 0.
 *
 *     x[-3:] of 10 elements   {-3, SLICE_END, 1}            start 7, n 3
 *     x[::-2] of 5 elements   {SLICE_BEGIN, SLICE_END, -2}  start 4, n 3
 */
static bool slice_bounds(const int32_t s[3], int64_t length, int64_t *start, int64_t *n)
{
    const int64_t step = s[2];
    if (step == 0)
        return false;
    *start = s[0] == SLICE_BEGIN ? (step < 0 ? length - 1 : 0) : clamp_bound(s[0], length);
    const int64_t stop = s[1] == SLICE_END ? (step < 0 ? -1 : length) : clamp_bound(s[1], length);
    *n = step > 0 && *start < stop   ? 1 + (stop - *start - 1) / step
         : step < 0 && *start > stop ? 1 + (*start - stop - 1) / -step
                                     : 0;
    return true;
}

/* Length and stride (in bytes) of one dimension of a view. */
static void set_dim(array_view *out, int dim, int64_t shape, int64_t stride)
{
    WEFT_ASSERT(dim >= 0 && dim < TEXTVM_DIMS);
    out->shape[dim] = shape;
    out->strides[dim] = stride;
}

/* result, array, indices and slices. An index removes its dimension, a slice keeps it with another
 * length and stride; dimensions without either stay. */
const ins *do_view(const ins *i, machine *m)
{
    const array_info *info = i->aux;
    const array_view *src = view_at(i->v[1]);
    if (!src || !src->data)
        return bounds_fault(m, i, NULL, 0, 0);
    if (src->ndim < (int)i->n)
        return vm_fault(m, i, TEXTVM_FAULT, "array %s has %d dimensions, %u indices are given",
                        array_name(src), src->ndim, i->n);
    array_view out = {.data = src->data, .elem = src->elem, .offset = src->offset};
    for (uint32_t k = 0; k < i->n; k++) {
        const int64_t size = src->shape[k];
        int64_t start, n;
        if (info->slices >> k & 1) {
            if (!slice_bounds(i->v[2 + k], size, &start, &n))
                return vm_fault(m, i, TEXTVM_FAULT, "a slice has the step 0");
            set_dim(&out, out.ndim++, n, src->strides[k] * ((const int32_t *)i->v[2 + k])[2]);
            out.offset += n ? start * src->strides[k] : 0;
            continue;
        }
        start = index_at(info->indices ? info->indices[k] : NULL, i->v[2 + k]);
        if (start < -size || start >= size)
            return bounds_fault(m, i, src, start, k);
        out.offset += (start < 0 ? start + size : start) * src->strides[k];
    }
    for (int k = (int)i->n; k < src->ndim; k++, out.ndim++)
        set_dim(&out, out.ndim, src->shape[k], src->strides[k]);
    WEFT_ASSERT(out.ndim <= src->ndim);
    *info->storage = out;
    memcpy(i->v[0], &info->storage, sizeof info->storage);
    return i + 1;
}

/* The view is copied to storage of the instruction, because that of `from` may be overwritten by
 * the next execution of a view or call. */
void do_keep_view(void *to, const void *from, array_view *storage)
{
    const array_view *view = view_at(from), *kept = view ? storage : NULL;
    if (view)
        *storage = *view;
    memcpy(to, &kept, sizeof kept);
}

/* v[0] = v[1], array variables. */
const ins *do_set_array(const ins *i, machine *m)
{
    (void)m;
    const array_info *info = i->aux;
    do_keep_view(i->v[0], i->v[1], info->storage);
    return i + 1;
}

/* The same for a field of a struct at v[0]. The struct may be copied, so each execution needs a
 * view of its own; they are freed with the run, and their number is limited. */
const ins *do_field_array(const ins *i, machine *m)
{
    const array_view *from = view_at(i->v[1]);
    array_view *to = NULL;
    if (from) {
        if (++m->nviews > 10000)
            return vm_fault(m, i, TEXTVM_FAULT, "too many arrays are stored into structs");
        to = arena_alloc(m->views, sizeof *to);
        *to = *from;
    }
    memcpy(i->v[0], &to, sizeof to);
    return i + 1;
}

/* pointer, array, storage: pointer = the array's shape, four int32; missing dimensions are 0 */
const ins *do_shape(const ins *i, machine *m)
{
    (void)m;
    const array_view *view = view_at(i->v[1]);
    int32_t *shape = (int32_t *)i->v[2];
    for (int k = 0; k < 4; k++)
        shape[k] = view && k < view->ndim ? (int32_t)view->shape[k] : 0;
    memcpy(i->v[0], &shape, sizeof shape);
    return i + 1;
}

/* result, shape, index */
const ins *do_shape_item(const ins *i, machine *m)
{
    const int32_t k = *(const int32_t *)i->v[2];
    if (k < 0 || k > 3)
        return vm_fault(m, i, TEXTVM_FAULT, "index %d of a shape is out of range", k);
    memcpy(i->v[0], (const int32_t *)i->v[1] + k, sizeof(int32_t));
    return i + 1;
}

/* result, array; an empty array has length 0 */
const ins *do_len(const ins *i, machine *m)
{
    (void)m;
    const array_view *view = view_at(i->v[1]);
    const int32_t n = view ? (int32_t)view->shape[0] : 0;
    memcpy(i->v[0], &n, sizeof n);
    return i + 1;
}

/* pointer, pointer to a composite, index: the address of a component. A negative index
 * counts from the end. NULL, an element without a gradient, stays NULL. */
const ins *do_component(const ins *i, machine *m)
{
    const component_info *info = i->aux;
    WEFT_ASSERT(info->n > 0 && info->size > 0);
    uint8_t *at;
    memcpy(&at, i->v[1], sizeof at);
    int64_t k = (int32_t)(uint32_t)index_at(info->index, i->v[2]);
    if (k < -info->n || k >= info->n)
        return vm_fault(m, i, TEXTVM_FAULT, "component %lld of %d is out of range", (long long)k,
                        info->n);
    if (at)
        at += (size_t)(k < 0 ? k + info->n : k) * info->size;
    memcpy(i->v[0], &at, sizeof at);
    return i + 1;
}

/* result, array: has the array any data? One of shape 0 has, as in Warp's where of arrays. */
const ins *do_array_truth(const ins *i, machine *m)
{
    (void)m;
    const array_view *view = view_at(i->v[1]);
    *(uint8_t *)i->v[0] = view && view->data;
    return i + 1;
}

/* The opposite. Warp 1.19 native/array.h unot */
const ins *do_array_lacks(const ins *i, machine *m)
{
    (void)m;
    const array_view *view = view_at(i->v[1]);
    *(uint8_t *)i->v[0] = !view || !view->data;
    return i + 1;
}

/* result, array, value, begin, end; n 1: without begin and end. The first index whose element is
 * not below the value, by binary search; the last index where there is none. Warp 1.19
 * native/array.h lower_bound */
const ins *do_lower_bound(const ins *i, machine *m)
{
    const array_info *info = i->aux;
    const array_view *view = view_at(i->v[1]);
    const type_kind k = info->elem->kind;
    WEFT_ASSERT(type_is_scalar(info->elem));
    if (!view || !view->data || view->ndim != 1)
        return vm_fault(m, i, TEXTVM_FAULT, "lower_bound needs an array of one dimension");
    int64_t lower = i->n == 1 ? 0 : *(const int32_t *)i->v[3];
    int64_t upper = (i->n == 1 ? view->shape[0] : *(const int32_t *)i->v[4]) - 1;
    const num val = num_load(k, i->v[2]);
    while (lower < upper) {
        const int64_t mid = lower + (upper - lower) / 2;
        if (mid < 0 || mid >= view->shape[0])
            return bounds_fault(m, i, view, mid, 0);
        const uint8_t *at = view->data->bytes + view->offset + mid * view->strides[0];
        if (num_compare("<", k, num_load(k, at), k, val))
            lower = mid + 1;
        else
            upper = mid;
    }
    const int32_t found = (int32_t)lower;
    memcpy(i->v[0], &found, sizeof found);
    return i + 1;
}
