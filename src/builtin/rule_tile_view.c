/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of tiles that are looked into: views, slices, other shapes, elements. Example:
 *
 *     r = u[0:4]      of an 8x4 tile: tile_view(u, offset), a 4x4 tile over the memory of u:
 *         var_19 = wp::tile_view<wp::tile_shared_t<..., false>>(var_9, var_20, var_21);
 *
 * A view has its source's strides and does not own its memory ("false"), so the source has to be
 * in shared memory. */
#include "base/assert.h"
#include "builtin/rule_tile.h"
#include "builtin/rules.h"

/* Sets the result to a view of t. A view shares its source's memory, so the source moves to shared
 * memory. */
static bool gives_view(rule_call *k, const type *t, const int64_t *shape, const int64_t *strides,
                       int ndim)
{
    type_tile_share(k->c, t);
    tile_layout l = {.shape = shape,
                     .strides = strides,
                     .ndim = ndim,
                     .shared = true,
                     .colmajor = t->colmajor,
                     .alias = true};
    return rule_gives(k, type_tile(k->c, t->elem, &l));
}

/* Start and number of elements of a slice of n: Warp 1.19 _normalize_tile_slice,
 * _tile_slice_length, which is Python's meaning. False: unknown bounds or step 0. */
static bool slice_extent(const type *s, int64_t n, int64_t *start, int64_t *len)
{
    WEFT_ASSERT(s->kind == TYPE_SLICE && n >= 0);
    if (!s->known || s->dims[2] == 0)
        return false;
    /* low and high are the limits that Python's slice.indices uses: 0 and n forwards, -1 and n - 1
     * backwards. */
    int64_t step = s->dims[2], low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    int64_t end[2];
    for (int i = 0; i < 2; i++) {
        /* A negative bound counts from the end; a bound that was left out is the end where the
         * step starts or stops. */
        int64_t v = s->dims[i], wrapped = v + n > low ? v + n : low;
        bool omitted = i ? v == SLICE_END : v == SLICE_BEGIN;
        bool forward = (step > 0) == (i == 0);
        end[i] = omitted ? (forward ? low : high) : v < 0 ? wrapped : v < high ? v : high;
    }
    /* Rounded up: [0:5:2] has three elements. */
    int64_t reach = step > 0 ? end[1] - end[0] : end[0] - end[1], size = step > 0 ? step : -step;
    *start = end[0];
    *len = reach > 0 ? (reach + size - 1) / size : 0;
    return true;
}

/* The items of an argument that is a tuple, or the argument itself as the only one. */
static const call_arg *items_of(const call_arg *a, uint32_t *n)
{
    WEFT_ASSERT(a);
    *n = a->items ? a->n : 1;
    return a->items ? a->items : a;
}

/* The shape of a view under construction. sliced: at least one index is a slice. */
typedef struct view_shape {
    int64_t shape[TYPE_DIMS_MAX], strides[TYPE_DIMS_MAX];
    int ndim;
    bool sliced;
} view_shape;

/* Appends a dimension of the view. */
static void keep_dim(view_shape *v, int64_t extent, int64_t stride)
{
    WEFT_ASSERT(v->ndim < TYPE_DIMS_MAX);
    v->shape[v->ndim] = extent;
    v->strides[v->ndim++] = stride;
}

/* Offsets are integers or slices; constant ones must be inside of the tile. */
static bool check_offset(rule_call *k, const type *t, const call_arg *items, uint32_t n,
                         view_shape *v)
{
    for (uint32_t i = 0; i < n; i++) {
        const type *idx = rule_arg_type(k->c, &items[i]);
        const value *c = rule_arg_value(&items[i]);
        v->sliced |= idx->kind == TYPE_SLICE;
        if (idx->kind != TYPE_SLICE && !type_is_integer(idx))
            return REFUSE(k, DIAG_INDEX_TYPE, " or a slice", idx->pyname.p);
        /* Only constants are known here; a variable index is the program's business. */
        if (c && c->kind == VALUE_INT && (c->i < 0 || c->i >= t->dims[i]))
            return tile_refuse(k, "a constant index is out of bounds");
    }
    return true;
}

/* The shape of t[items]: slices keep a dimension, integers drop it, what is not indexed stays. */
static bool slice_dims(rule_call *k, const type *t, const call_arg *items, uint32_t n,
                       view_shape *v)
{
    /* dims holds the extents, then the strides. */
    const int64_t *strides = t->dims + t->ndim;
    for (int d = 0; d < t->ndim; d++) {
        const type *idx = d < (int)n ? rule_arg_type(k->c, &items[d]) : NULL;
        int64_t start, len;
        if (!idx)
            keep_dim(v, t->dims[d], strides[d]);
        /* An integer index is an offset alone (dispatch_tile_view). */
        if (!idx || idx->kind != TYPE_SLICE)
            continue;
        if (!slice_extent(idx, t->dims[d], &start, &len) || len == 0)
            return tile_refuse(k, "slices need constant bounds and at least one element");
        /* A step makes the stride larger, or negative. */
        keep_dim(v, len, strides[d] * idx->dims[2]);
    }
    return v->ndim > 0 || tile_refuse(k, "nothing is left of the tile; use wp.tile_extract");
}

/* Warp 1.19 tile_view_value_func. Without slices and shape, leading dimensions are dropped; a
 * shape keeps all dimensions and cuts out a block. */
static bool view(rule_call *k)
{
    const type *t = tile_operand(k, "t");
    uint32_t n, nshape;
    view_shape v = {.ndim = 0};
    if (!t)
        return false;
    const call_arg *items = items_of(tile_arg(k, "offset"), &n);
    if ((int)n > t->ndim)
        return tile_refuse(k, "more offsets than the tile has dimensions");
    if (!check_offset(k, t, items, n, &v))
        return false;
    /* Both would say what the extents are. */
    if (v.sliced && tile_arg(k, "shape"))
        return tile_refuse(k, "either slices or a shape can be given");
    if (v.sliced)
        return slice_dims(k, t, items, n, &v) && gives_view(k, t, v.shape, v.strides, v.ndim);
    /* The last dimensions stay, with their extents and strides. */
    if (!tile_arg(k, "shape"))
        return (int)n < t->ndim
                   ? gives_view(k, t, t->dims + n, t->dims + t->ndim + n, t->ndim - (int)n)
                   : tile_refuse(k, "nothing is left of the tile; use wp.tile_extract");
    if (!tile_read_shape(k, v.shape, &nshape))
        return false;
    return (int)nshape == t->ndim ? gives_view(k, t, v.shape, t->dims + t->ndim, t->ndim)
                                  : tile_refuse(k, "shape must have the tile's dimensions");
}
const result_rule rule_tile_view = {view, 0, false};

/* Warp 1.19 tile_view_dispatch_func: one coordinate per dimension; a slice is its start, what is
 * not indexed 0. */
bool dispatch_tile_view(rule_call *k)
{
    const type *t = tile_type(k, "t");
    uint32_t n;
    const call_arg *items = items_of(tile_arg(k, "offset"), &n);
    rule_pass(k, 0);
    for (int d = 0; d < t->ndim; d++) {
        const type *idx = d < (int)n ? rule_arg_type(k->c, &items[d]) : NULL;
        int64_t start = 0, len;
        /* An item of a tuple may be a constant, which is numbered anew. */
        if (idx && idx->kind != TYPE_SLICE && tile_arg(k, "offset")->items) {
            rule_pass_item(k, tile_arg(k, "offset"), (uint32_t)d);
            continue;
        }
        if (idx && idx->kind != TYPE_SLICE) {
            rule_pass_arg(k, &items[d]);
            continue;
        }
        if (idx)
            slice_extent(idx, t->dims[d], &start, &len);
        rule_pass_const(k, value_int(start));
    }
    rule_template_type(k, k->plan->result_types[0]);
    return true;
}

/* Which index is a tile; the others must be whole slices (Warp 1.19 _tile_slice_indexed_axis).
 * NULL: there is none, or another form. */
static const call_arg *index_tile(rule_call *k, const type *t, int *axis)
{
    uint32_t n;
    const call_arg *items = items_of(tile_arg(k, "indices"), &n), *found = NULL;
    for (uint32_t d = 0; d < n && (int)d < t->ndim; d++) {
        const type *idx = rule_arg_type(k->c, &items[d]);
        int64_t start, len;
        bool whole = idx->kind == TYPE_SLICE && slice_extent(idx, t->dims[d], &start, &len) &&
                     start == 0 && idx->dims[2] == 1 && len == t->dims[d];
        bool indexes = idx->kind == TYPE_TILE && idx->ndim == 1 && type_is_integer(idx->elem);
        if (!whole && (!indexes || found))
            return NULL;
        if (indexes) {
            found = &items[d];
            *axis = (int)d;
        }
    }
    return (int)n <= t->ndim ? found : NULL;
}

/* Warp 1.19 tile_slice_indexed_value_func: t[:, idx] gathers along one axis into a new tile. */
static bool slice_indexed(rule_call *k)
{
    const type *t = tile_operand(k, "t");
    int64_t shape[TYPE_DIMS_MAX];
    int axis = 0;
    const call_arg *idx = t ? index_tile(k, t, &axis) : NULL;
    if (!idx)
        return t && tile_refuse(k, "one 1-D tile of integers and else whole slices are wanted");
    const type *it = rule_arg_type(k->c, idx);
    type_tile_share(k->c, t);
    type_tile_share(k->c, it);
    /* The tile's shape, but for the indexed axis. */
    memcpy(shape, t->dims, (size_t)t->ndim * sizeof *shape);
    shape[axis] = it->dims[0];
    return tile_gives(k, t->elem, shape, t->ndim);
}
const result_rule rule_tile_slice_indexed = {slice_indexed, 0, false};

/* The tile, the tile of indices and the axis as a constant; the result's shape are template
 * arguments. */
bool dispatch_tile_slice_indexed(rule_call *k)
{
    int axis = 0;
    const call_arg *idx = index_tile(k, tile_type(k, "t"), &axis);
    rule_pass(k, 0);
    rule_pass_arg(k, idx);
    rule_pass_const(k, value_int(axis));
    tile_template_shape(k);
    return true;
}

/* Warp 1.19 tile_squeeze_value_func: a view without the given dimensions of extent 1, or without
 * all of them. */
static bool squeeze(rule_call *k)
{
    const type *t = tile_operand(k, "t");
    const call_arg *axis = tile_arg(k, "axis");
    int64_t axes[TYPE_DIMS_MAX];
    uint32_t n = 0, drop = 0;
    view_shape v = {.ndim = 0};
    if (!t || (axis && !rule_ints(axis, axes, TYPE_DIMS_MAX, &n)))
        return t && tile_refuse(k, "axis must be constant");
    for (uint32_t i = 0; i < n; i++) {
        int64_t a = axes[i] < 0 ? axes[i] + t->ndim : axes[i];
        if (a < 0 || a >= t->ndim || t->dims[a] != 1)
            return tile_refuse(k, "only dimensions of extent 1 can be dropped");
        /* TYPE_DIMS_MAX is 8, so the bits fit. An axis given twice counts once. */
        drop |= 1u << a;
    }
    for (int d = 0; d < t->ndim; d++)
        if (axis ? !(drop >> d & 1) : t->dims[d] != 1)
            keep_dim(&v, t->dims[d], t->dims[t->ndim + d]);
    return v.ndim ? gives_view(k, t, v.shape, v.strides, v.ndim)
                  : tile_refuse(k, "at least one dimension must stay");
}
const result_rule rule_tile_squeeze = {squeeze, 0, false};

/* The result's class is the template argument: Warp's tile_squeeze_dispatch_func and its like. */
bool dispatch_tile_as_result(rule_call *k)
{
    rule_pass(k, 0);
    rule_template_type(k, k->plan->result_types[0]);
    return true;
}

/* Are the elements one block without gaps, in the tile's layout? */
static bool is_dense(const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_TILE && t->ndim >= 0);
    int64_t step = 1;
    for (int i = 0; i < t->ndim; i++) {
        /* From the dimension that varies fastest. */
        int d = t->colmajor ? i : t->ndim - 1 - i;
        if (t->dims[t->ndim + d] != step)
            return false;
        step *= t->dims[d];
    }
    return true;
}

/* Fills in the one extent that may be -1: what is left of `size`. False: the shape has another
 * number of elements. */
static bool complete_shape(int64_t *shape, uint32_t n, int64_t size)
{
    WEFT_ASSERT(size >= 0 && n <= TYPE_DIMS_MAX);
    int64_t known = 1, *open = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (shape[i] < -1 || (shape[i] < 0 && open) || shape[i] > size)
            return false;
        if (shape[i] < 0)
            open = &shape[i];
        else if ((known *= shape[i]) > size)
            return false;
    }
    if (open)
        *open = known ? size / known : 0;
    return (open ? known * *open : known) == size;
}

/* Warp 1.19 tile_reshape_value_func: a view in another shape, row by row. */
static bool reshape(rule_call *k)
{
    const type *t = tile_operand(k, "t");
    int64_t shape[TYPE_DIMS_MAX], strides[TYPE_DIMS_MAX], step = 1;
    uint32_t n;
    if (!t || !rule_ints(tile_arg(k, "shape"), shape, TYPE_DIMS_MAX, &n))
        return t && REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), "shape");
    if (!is_dense(t))
        return tile_refuse(k, "a view with gaps cannot be reshaped; copy it first");
    if (!complete_shape(shape, n, type_tile_size(t)))
        return tile_refuse(k, "the new shape has another number of elements");
    /* Strides of a dense tile in rows. */
    for (uint32_t i = n; i-- > 0; step *= shape[i])
        strides[i] = step;
    return gives_view(k, t, shape, strides, (int)n);
}
const result_rule rule_tile_reshape = {reshape, 0, false};

/* A new tile with converted elements. */
static bool astype(rule_call *k)
{
    const type *t = tile_operand(k, "t"), *elem = rule_dtype_arg(k);
    return t && elem && tile_gives(k, elem, t->dims, t->ndim);
}
const result_rule rule_tile_astype = {astype, 0, false};

/* Warp 1.19 tile_transpose_value_func: a view with the dimensions in the opposite order, and so in
 * the other layout. */
static bool transpose(rule_call *k)
{
    const type *t = tile_operand(k, "a");
    int64_t shape[TYPE_DIMS_MAX], strides[TYPE_DIMS_MAX];
    if (!t)
        return false;
    for (int d = 0; d < t->ndim; d++) {
        /* dims[2n - 1 - d] is the stride of dimension n - 1 - d. */
        shape[d] = t->dims[t->ndim - 1 - d];
        strides[d] = t->dims[2 * t->ndim - 1 - d];
    }
    type_tile_share(k->c, t);
    tile_layout l = {shape, strides, t->ndim, true, !t->colmajor, true};
    return rule_gives(k, type_tile(k->c, t->elem, &l));
}
const result_rule rule_tile_transpose = {transpose, 0, false};

/* Warp 1.19 tile_broadcast_value_func: a view in which dimensions of extent 1, and new ones in
 * front, repeat: their stride is 0. */
static bool broadcast(rule_call *k)
{
    const type *t = tile_operand(k, "a");
    int64_t shape[TYPE_DIMS_MAX], strides[TYPE_DIMS_MAX];
    uint32_t n;
    if (!t || !tile_read_shape(k, shape, &n))
        return false;
    if (n < 1 || n > 4)
        return tile_refuse(k, "the shape must have one to four dimensions");
    for (int i = 0; i < (int)n; i++) {
        /* Shapes are aligned at their last dimension, as in NumPy. */
        int j = i - ((int)n - t->ndim);
        bool repeated = j < 0 || t->dims[j] == 1;
        if (!repeated && t->dims[j] != shape[i])
            return tile_refuse(k, "only dimensions of extent 1 can be repeated");
        strides[i] = repeated ? 0 : t->dims[t->ndim + j];
    }
    type_tile_share(k->c, t);
    tile_layout l = {shape, strides, (int)n, true, false, true};
    return rule_gives(k, type_tile(k->c, t->elem, &l));
}
const result_rule rule_tile_broadcast = {broadcast, 0, false};

/* Extents, then strides, are template arguments. */
bool dispatch_tile_broadcast(rule_call *k)
{
    const type *t = k->plan->result_types[0];
    rule_pass(k, 0);
    for (int i = 0; i < 2 * t->ndim; i++)
        rule_template_int(k, t->dims[i]);
    return true;
}

/* Number of integer indices i, j, k, l, m, n that are given. */
static int index_count(const rule_call *k)
{
    static const char *const names[] = {"i", "j", "k", "l", "m", "n"};
    int n = 0;
    for (int d = 0; d < 6; d++)
        n += tile_arg(k, names[d]) != NULL;
    return n;
}

/* x[i, j] = v of a tile of matrices assigns a row. */
static bool check_row(rule_call *k, const type *value_type, const type *m)
{
    WEFT_ASSERT(m->kind == TYPE_MAT);
    const type *row = type_vec(k->c, m->elem, m->cols);
    return type_equal(value_type, row) || rule_refuse_store(k, value_type, row);
}

/* Warp 1.19 tile_assign_value_func: a tile at an offset, an element, or a row of a matrix element.
 */
static bool assign(rule_call *k)
{
    const type *dst = tile_operand(k, "dst"), *src = tile_type(k, "src");
    if (!dst)
        return false;
    if (src->kind == TYPE_TILE) {
        if (src->ndim != dst->ndim)
            return tile_refuse(k, "both tiles must have the same number of dimensions");
        /* With an offset the fit depends on variables, so Warp checks it only without. */
        for (int d = 0; d < dst->ndim && !tile_arg(k, "offset"); d++)
            if (src->dims[d] > dst->dims[d])
                return tile_refuse(k, "the source does not fit into the destination");
    } else if (dst->elem->kind == TYPE_MAT && index_count(k) == dst->ndim + 1 &&
               !check_row(k, src, dst->elem)) {
        return false;
    }
    type_tile_share(k->c, dst);
    return rule_gives(k, NULL);
}
const result_rule rule_tile_assign = {assign, 0, false};

/* Destination, source, and one offset per dimension. */
bool dispatch_tile_assign(rule_call *k)
{
    rule_pass(k, 0);
    rule_pass(k, 1);
    tile_pass_offset(k, rule_type(k, 0)->ndim);
    return true;
}

/* Warp 1.19 tile_extract_value_func: an element, or a part of one if there are more indices than
 * dimensions. */
static bool extract(rule_call *k)
{
    const type *t = tile_operand(k, "a");
    if (!t)
        return false;
    type_tile_share(k->c, t);
    const type *e = t->elem;
    /* Indices beyond the tile's rank go into the element. */
    int deeper = index_count(k) - t->ndim;
    if (deeper == 0)
        return rule_gives(k, e);
    if (e->kind == TYPE_VEC && deeper == 1)
        return rule_gives(k, e->elem);
    if (e->kind == TYPE_MAT && deeper == 1)
        return rule_gives(k, type_vec(k->c, e->elem, e->cols));
    if (e->kind == TYPE_MAT && deeper == 2)
        return rule_gives(k, e->elem);
    return tile_refuse(k, "the number of indices does not fit the tile");
}
const result_rule rule_tile_extract = {extract, 0, false};

/* Warp 1.19 tile_scatter_add_value_func, tile_scatter_masked_value_func: each thread adds or
 * writes one element. */
static bool scatter(rule_call *k)
{
    const type *t = tile_operand(k, "a"), *v = tile_type(k, "value");
    if (!t)
        return false;
    type_tile_share(k->c, t);
    if (index_count(k) != t->ndim)
        return tile_refuse(k, "one index per dimension of the tile is wanted");
    return type_equal(t->elem, v) ? rule_gives(k, NULL) : rule_refuse_store(k, v, t->elem);
}
const result_rule rule_tile_scatter = {scatter, 0, false};

/* Warp 1.19 tile_scatter_add_dispatch_func: atomic=False is a template argument; True is C++'s
 * default. */
bool dispatch_tile_scatter_add(rule_call *k)
{
    uint32_t atomic = rule_param(k, "atomic");
    const value *v = rule_value(k, atomic);
    if (!v)
        return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), "atomic");
    /* `atomic` is no argument in C++. */
    for (uint32_t i = 0; i < k->row->nparams; i++)
        if (i != atomic)
            rule_pass(k, i);
    if (v->kind == VALUE_BOOL && !v->i)
        rule_template_value(k, v);
    return true;
}

/* Warp 1.19 tile_inplace_value_func: t[i] += v. */
static bool inplace(rule_call *k)
{
    const type *t = tile_operand(k, "a"), *v = tile_type(k, "value");
    if (!t)
        return false;
    if (!type_equal(t->elem, v))
        return rule_refuse_store(k, v, t->elem);
    type_tile_share(k->c, t);
    return rule_gives(k, NULL);
}
const result_rule rule_tile_inplace = {inplace, 0, false};
