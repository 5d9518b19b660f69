/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays as pointers, sizes and strides: the text of an element's address. An array is a parameter,
 * a member of a struct, or a view of one. Views have no text of their own: their indices and slices
 * become part of the offset. With a 2-D array x of pitch x_stride and the view v = x[0:4:2, 1:]:
 *
 *     x[i, j]       ->   x[i * x_stride + j]
 *     v[i, 0]       ->   x[1 + i * x_stride * 2]
 *     v.shape[0]    ->   max((min(4, x_rows) + 2 - 1) / 2, 0)
 *
 * A wp.indexedarray has a list of indices for each dimension, and its rows are no views:
 *
 *     a[i, j]       ->   a[listed(a_indices0, i) * a_stride + listed(a_indices1, j)]
 *
 * Products with 1 and terms that are 0 are left out. Strides count elements, not bytes; that
 * of a parameter's last dimension is 1. Asking for a size or stride marks it (cuda_mark_extent), so
 * that the signature has the parameter. */
#include "cuda/cuda_array.h"

#include "base/assert.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_print.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"
#include "cudarule/cudarule_call.h"

/* The name of the array at the bottom: a parameter, or a member of a struct. `pointer`: that of its
 * elements; else the name that sizes and strides begin with, which a gradient shares with the
 * values. */
static str base_text(cuda_fn *f, const cx *array, bool pointer)
{
    if (array->kind == CX_FIELD)
        return cuda_print_at(f, array, CUDA_POSTFIX);
    if (array->kind != CX_VAR) {
        cuda_unsupported(f, "such an array");
        return STR("0");
    }
    /* Variables n to 2n - 1 are adjoints; arrays among them are the gradients' pointers. */
    const uint32_t n = f->u->vars.n;
    const bool gradient = array->var >= n && array->var < 2 * n;
    return f->vars.v[gradient && !pointer ? array->var - n : array->var].name;
}

/* Is it no view, so that it has names of its own? */
static bool is_base(const cx *array)
{
    return array->kind != CX_VIEW;
}

/* Which dimension of the viewed array becomes dimension `dim` of the view, and in *slice its slice,
 * or NULL. Slices give the first dimensions of the view, in order; dimensions that no index is
 * given for follow. For x[2, :, 0:4] of four dimensions: 0 -> 1, 1 -> 2, 2 -> 3. */
static uint32_t viewed_dim(const cx *view, uint32_t dim, const cx **slice)
{
    WEFT_ASSERT(view->kind == CX_VIEW);
    *slice = NULL;
    for (uint32_t i = 1, seen = 0; i < view->nargs; i++) {
        if (view->args[i]->kind != CX_SLICE)
            continue;
        if (seen++ == dim) {
            *slice = view->args[i];
            return i - 1;
        }
    }
    uint32_t slices = 0;
    /* Plain indices take a dimension of the array away and give none of the view. */
    for (uint32_t i = 1; i < view->nargs; i++)
        slices += view->args[i]->kind == CX_SLICE;
    return view->nargs - 1 + dim - slices;
}

/* A step of 1, or none, which means the same. */
static bool is_one(const cx *e)
{
    return !e || (e->kind == CX_NUMBER && e->number == 1) ||
           (e->kind == CX_CONST && e->k && e->k->i == 1);
}

bool cuda_is_dense(const cx *array, uint32_t dim)
{
    WEFT_ASSERT(array->type->kind == TYPE_ARRAY && dim < (uint32_t)array->type->ndim);
    if (is_base(array))
        return dim + 1 == (uint32_t)array->type->ndim;
    const cx *slice;
    const uint32_t below = viewed_dim(array, dim, &slice);
    return (!slice || is_one(slice->args[2])) && cuda_is_dense(array->args[0], below);
}

str cuda_stride_text(cuda_fn *f, const cx *array, uint32_t dim)
{
    if (cuda_is_dense(array, dim))
        return STR("1");
    if (is_base(array)) {
        if (array->kind == CX_VAR)
            cuda_mark_extent(f, array, dim, true);
        return cuda_stride_name(f, base_text(f, array, false), dim, (uint32_t)array->type->ndim);
    }
    const cx *slice;
    const uint32_t below = viewed_dim(array, dim, &slice);
    const str stride = cuda_stride_text(f, array->args[0], below);
    if (!slice || is_one(slice->args[2]))
        return stride;
    const str step = cuda_print_at(f, slice->args[2], CUDA_MUL);
    if (cuda_is_dense(array->args[0], below))
        return step;
    return cuda_sprintf(f, "%.*s * %.*s", (int)stride.n, stride.p, (int)step.n, step.p);
}

str cuda_indices_text(cuda_fn *f, const cx *array, uint32_t dim)
{
    WEFT_ASSERT(array->kind == CX_VAR && array->type->array_class == ARRAY_INDEXED);
    cuda_mark_indices(f, array, dim);
    return cuda_indices_name(f, base_text(f, array, false), dim, (uint32_t)array->type->ndim);
}

/* Is it an integer that is known, and which? */
static bool constant_bound(const cx *e, int64_t *x)
{
    if (!e || (e->kind != CX_NUMBER && e->kind != CX_CONST) ||
        (e->kind == CX_CONST && (!e->k || value_has_f(e->k))))
        return false;
    *x = e->kind == CX_NUMBER ? e->number : (int64_t)e->k->i;
    return true;
}

static bool goes_back(const cx *slice)
{
    WEFT_ASSERT(slice->kind == CX_SLICE && slice->nargs == 3);
    int64_t step;
    return constant_bound(slice->args[2], &step) && step < 0;
}

/* A printed int, and whether it is the number 0 or 1: sums leave out the one, products the other.
 */
typedef struct int_text {
    str text;
    bool is_zero, is_one;
} int_text;

/* The number 0, which sums leave out. */
static int_text zero_text(void)
{
    return (int_text){STR("0"), true, false};
}

/* Numbers of other types have a suffix and are written out. */
static bool has_plain_literals(const type *t)
{
    return t->kind >= TYPE_INT8 && t->kind <= TYPE_INT32;
}

/* The index of dimension `dim` for an operator that binds like `least`. A number is found in the
 * tree, not in its text; CX_ZERO stands for the number 0 of an int that nothing has set. */
static int_text index_factor(cuda_fn *f, const cx *array, uint32_t dim, const cx *index,
                             cuda_prec least)
{
    int64_t x = -1;
    if (array->type->array_class == ARRAY_INDEXED)
        return (int_text){cuda_listed(f->job->defs, cuda_indices_text(f, array, dim),
                                      cuda_index_text(f, array, dim, index, CUDA_ASSIGN)),
                          false, false};
    if (!has_plain_literals(index->type) || !constant_bound(index, &x))
        x = index->kind == CX_ZERO && has_plain_literals(index->type) ? 0 : -1;
    return (int_text){cuda_index_text(f, array, dim, index, least), x == 0, x == 1};
}

/* "max(a, b)" or "min(a, b)" by name. */
static str limited(cuda_fn *f, const char *how, str a, str b)
{
    const cuda_expr args[] = {cuda_expr_of(a, cuda_int(f), CUDA_ASSIGN),
                              cuda_expr_of(b, cuda_int(f), CUDA_ASSIGN)};
    return cuda_call(f->job->defs, str_c(how), cuda_int(f), args, 2).text;
}

/* A constant bound that counts from the end, at least 0 as in Python: x[-5:] of 3 elements is
 * x[0:]. */
static str from_end(cuda_fn *f, str size, int64_t x)
{
    return limited(f, "max", cuda_sprintf(f, "%.*s - %lld", (int)size.n, size.p, (long long)-x),
                   STR("0"));
}

/* Where a slice of dimension `below` of the array starts: an operand of a product. A slice that
 * goes back starts at the last element unless it says where. */
static int_text slice_start(cuda_fn *f, const cx *array, uint32_t below, const cx *slice)
{
    int64_t x;
    if (!slice->args[0] && !goes_back(slice))
        return zero_text();
    if (!slice->args[0]) {
        const str n = cuda_size_text(f, array, below);
        return (int_text){cuda_sprintf(f, "(%.*s - 1)", (int)n.n, n.p), false, false};
    }
    if (constant_bound(slice->args[0], &x) && x < 0)
        return (int_text){from_end(f, cuda_size_text(f, array, below), x), false, false};
    return index_factor(f, array, below, slice->args[0], CUDA_MUL);
}

/* Where a slice of dimension `below` of the array ends: an upper bound for its last index plus one;
 * of a slice that goes back, a lower bound for its last index minus one. */
static str slice_stop(cuda_fn *f, const cx *array, uint32_t below, const cx *slice)
{
    int64_t x;
    if (!slice->args[1] && goes_back(slice))
        return STR("-1");
    const str n = cuda_size_text(f, array, below);
    if (!slice->args[1])
        return n;
    if (constant_bound(slice->args[1], &x) && x < 0)
        return from_end(f, n, x);
    return limited(f, "min", cuda_index_text(f, array, below, slice->args[1], CUDA_ASSIGN), n);
}

/* How many elements a slice has: ceil((stop - start) / step), at least 0. Backward slices swap
 * start and stop and divide by the step's magnitude. */
static str slice_size(cuda_fn *f, const cx *array, const cx *slice, uint32_t below)
{
    /* `below` is a dimension of the viewed array, not of the view. */
    const bool back = goes_back(slice);
    const int_text start = slice_start(f, array->args[0], below, slice);
    const str stop = slice_stop(f, array->args[0], below, slice);
    if (start.is_zero && is_one(slice->args[2]))
        return stop;
    const str from = back ? stop : start.text, to = back ? start.text : stop;
    const char *format = back && !slice->args[1]  ? "%.*s + 1"
                         : !back && start.is_zero ? "%.*s"
                                                  : "%.*s - %.*s";
    const str all = cuda_sprintf(f, format, (int)to.n, to.p, (int)from.n, from.p);
    /* An empty slice has size 0, not less. */
    if (is_one(slice->args[2]))
        return limited(f, "max", all, STR("0"));
    int64_t by = 0;
    const str step = constant_bound(slice->args[2], &by)
                         ? cuda_sprintf(f, "%lld", (long long)(by < 0 ? -by : by))
                         : cuda_print_at(f, slice->args[2], CUDA_MUL);
    const str count = cuda_sprintf(f, "(%.*s + %.*s - 1) / %.*s", (int)all.n, all.p, (int)step.n,
                                   step.p, (int)step.n, step.p);
    return limited(f, "max", by == -1 ? all : count, STR("0"));
}

str cuda_size_text(cuda_fn *f, const cx *array, uint32_t dim)
{
    WEFT_ASSERT(array->type->kind == TYPE_ARRAY && dim < (uint32_t)array->type->ndim);
    if (is_base(array)) {
        if (array->kind == CX_VAR)
            cuda_mark_extent(f, array, dim, false);
        return cuda_size_name(f, base_text(f, array, false), dim, (uint32_t)array->type->ndim);
    }
    const cx *slice;
    const uint32_t below = viewed_dim(array, dim, &slice);
    return slice ? slice_size(f, array, slice, below) : cuda_size_text(f, array->args[0], below);
}

/* Adds i times the stride of the dimension: one of the terms of "i * stride + j". The stride counts
 * as used even if i is zero. */
static void add_term(cuda_fn *f, strbuf *b, const cx *array, uint32_t dim, int_text i)
{
    const str stride = cuda_stride_text(f, array, dim);
    const bool dense = cuda_is_dense(array, dim);
    if (i.is_zero)
        return;
    if (b->n)
        SB_LIT(b, " + ");
    if (!i.is_one || dense)
        sb_str(b, i.text);
    if (!i.is_one && !dense)
        SB_LIT(b, " * ");
    if (!dense)
        sb_str(b, stride);
}

/* Adds a plain index. A dense dimension has no factor, so the index is an operand of the sum. */
static void add_index(cuda_fn *f, strbuf *b, const cx *array, uint32_t dim, const cx *index)
{
    const cuda_prec least = cuda_is_dense(array, dim) ? CUDA_ADD : CUDA_MUL;
    add_term(f, b, array, dim, index_factor(f, array, dim, index, least));
}

/* Adds the offset of a view within the array at its bottom, and gives that array. The views are
 * nested from the outermost in: x[1:][2] is an element of a view of x. */
static const cx *add_offset(cuda_fn *f, strbuf *b, const cx *array)
{
    if (is_base(array))
        return array;
    const cx *bottom = add_offset(f, b, array->args[0]);
    for (uint32_t i = 1; i < array->nargs; i++) {
        const cx *index = array->args[i];
        if (index->kind == CX_SLICE)
            add_term(f, b, array->args[0], i - 1, slice_start(f, array->args[0], i - 1, index));
        else
            add_index(f, b, array->args[0], i - 1, index);
    }
    return bottom;
}

/* "t[row][col]" of a tile in shared memory. */
static cuda_expr tile_element_text(cuda_fn *f, const cx *e)
{
    WEFT_ASSERT(e->args[0]->kind == CX_VAR);
    strbuf b;
    sb_init(&b, &f->c->mem);
    sb_str(&b, f->vars.v[e->args[0]->var].name);
    for (uint32_t i = 1; i < e->nargs; i++) {
        const str index = cuda_print_at(f, cuda_tile_index(f, e->args[i]), CUDA_ASSIGN);
        sb_printf(&b, "[%.*s]", (int)index.n, index.p);
    }
    return cuda_expr_of(cuda_keep(f, &b), e->type, CUDA_POSTFIX);
}

/* "x[i * x_stride + j]"; of an element at the very beginning, "x[0]". */
cuda_expr cuda_element_text(cuda_fn *f, const cx *e)
{
    if (e->args[0]->type->kind == TYPE_TILE)
        return tile_element_text(f, e);
    strbuf b;
    sb_init(&b, &f->c->mem);
    const cx *array = e->args[0], *bottom = add_offset(f, &b, array);
    WEFT_ASSERT(e->kind == CX_ELEMENT && e->nargs <= 5);
    for (uint32_t i = 1; i < e->nargs; i++)
        add_index(f, &b, array, i - 1, e->args[i]);
    const str offset = b.n ? cuda_keep(f, &b) : STR("0");
    const str base = base_text(f, bottom, true);
    return cuda_expr_of(cuda_sprintf(f, "%.*s[%.*s]", (int)base.n, base.p, (int)offset.n, offset.p),
                        e->type, CUDA_POSTFIX);
}

/* The address of a view's first element, "x + i * x_stride"; for an array that is passed on. */
str cuda_pointer_text(cuda_fn *f, const cx *array)
{
    strbuf b;
    sb_init(&b, &f->c->mem);
    const cx *bottom = add_offset(f, &b, array);
    const str base = base_text(f, bottom, true), offset = cuda_keep(f, &b);
    if (!offset.n)
        return base;
    return cuda_sprintf(f, "%.*s + %.*s", (int)base.n, base.p, (int)offset.n, offset.p);
}

/* Pointer, sizes and strides, as the members of a struct follow each other (cuda_layout.c). */
void cuda_put_array(cuda_fn *f, strbuf *b, const cx *array)
{
    const uint32_t ndim = (uint32_t)array->type->ndim;
    sb_str(b, cuda_pointer_text(f, array));
    for (uint32_t d = 0; d < ndim; d++) {
        SB_LIT(b, ", ");
        sb_str(b, cuda_size_text(f, array, d));
    }
    for (uint32_t d = 0; d + 1 < ndim; d++) {
        SB_LIT(b, ", ");
        sb_str(b, cuda_stride_text(f, array, d));
    }
}
