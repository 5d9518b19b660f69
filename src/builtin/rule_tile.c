/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of tiles: making, loading, storing. Example, with block_dim 256:
 *
 *     u = wp.tile_load(x, shape=(8, 4), offset=(i * 8, 0))
 *         var_9 = wp::tile_load<wp::float32, true, false, 8, 4>(var_x, var_6, var_10);
 *     wp.tile_store(y, w, offset=(i * 8, 0))
 *         wp::tile_store<wp::float32, true, false>(var_y, var_23, var_26, var_11);
 *
 * Shapes are constants: they are part of the type and become template arguments. A tile that
 * others look into is kept in shared memory. Warp 1.19 finds that out while it generates code, by
 * changing the type of a variable that exists already; so do these rules (type_tile_share), and
 * every earlier statement of the variable is printed with the changed type. */
#include <math.h>

#include "base/assert.h"
#include "builtin/rule_tile.h"
#include "builtin/rules.h"

bool tile_refuse(rule_call *k, const char *what)
{
    return REFUSE(k, DIAG_TILE, rule_display(k), what);
}

bool tile_refuse_advised(rule_call *k, const char *what, const char *instead)
{
    return REFUSE(k, DIAG_TILE_ADVISED, rule_display(k), what, instead);
}

const call_arg *tile_arg(const rule_call *k, const char *name)
{
    uint32_t p = rule_param(k, name);
    return p < k->row->nparams ? k->arg[p] : NULL;
}

const type *tile_type(const rule_call *k, const char *name)
{
    const call_arg *a = tile_arg(k, name);
    return a ? rule_arg_type(k->c, a) : NULL;
}

/* Patterns (ndim below 0) are no types of values. */
const type *tile_operand(rule_call *k, const char *name)
{
    const type *t = tile_type(k, name);
    if (!t || t->kind != TYPE_TILE || t->ndim < 0) {
        tile_refuse(k, "an argument is no tile");
        return NULL;
    }
    return t;
}

bool tile_gives(rule_call *k, const type *elem, const int64_t *shape, int ndim)
{
    WEFT_ASSERT(ndim >= 0 && ndim <= TYPE_DIMS_MAX);
    tile_layout l = {.shape = shape, .ndim = ndim};
    return rule_gives(k, type_tile(k->c, elem, &l));
}

bool tile_same_shape(const type *a, const type *b)
{
    WEFT_ASSERT(a->kind == TYPE_TILE && b->kind == TYPE_TILE);
    return a->ndim == b->ndim && memcmp(a->dims, b->dims, (size_t)a->ndim * sizeof *a->dims) == 0;
}

bool tile_constant(const rule_call *k, const char *name, int64_t *out)
{
    const call_arg *a = tile_arg(k, name);
    uint32_t n;
    return a && rule_ints(a, out, 1, &n);
}

/* Appends the bool constant given as `name` as a template argument; `allowed` false makes it
 * false. aligned=True only holds for shared tiles. */
static bool template_flag(rule_call *k, const char *name, bool allowed)
{
    const value *v = rule_arg_value(tile_arg(k, name));
    if (!v || !value_is_number(v))
        return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), name);
    value flag = value_bool(allowed && v->i);
    rule_template_value(k, &flag);
    return true;
}

/* Extents are checked before they are multiplied, so 64 bits cannot overflow. */
bool tile_read_shape(rule_call *k, int64_t *shape, uint32_t *n)
{
    const call_arg *a = tile_arg(k, "shape");
    if (!a || !rule_ints(a, shape, TYPE_DIMS_MAX, n))
        return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), "shape");
    /* Warp counts elements in 32 bits. */
    for (int64_t i = 0, size = 1; i < *n; i++) {
        if (shape[i] < 0 || shape[i] > INT32_MAX || size * shape[i] > INT32_MAX)
            return tile_refuse(k, "an extent is out of range");
        size *= shape[i];
    }
    return true;
}

/* Reads storage='shared' or 'register'. */
static bool read_storage(rule_call *k, bool *shared)
{
    const value *v = rule_arg_value(tile_arg(k, "storage"));
    *shared = v && v->kind == VALUE_STR && strcmp(v->s->s, "shared") == 0;
    if (!*shared && !(v && v->kind == VALUE_STR && strcmp(v->s->s, "register") == 0))
        return tile_refuse(k, "storage must be 'shared' or 'register'");
    return true;
}

/* Sets the result to a tile of this element type in the shape and storage that the arguments say.
 */
static bool gives_shaped(rule_call *k, const type *elem)
{
    int64_t shape[TYPE_DIMS_MAX];
    uint32_t n;
    tile_layout l = {.shape = shape};
    if (!tile_read_shape(k, shape, &n) || !read_storage(k, &l.shared))
        return false;
    l.ndim = (int)n;
    return rule_gives(k, type_tile(k->c, elem, &l));
}

void tile_template_shape(rule_call *k)
{
    const type *t = k->plan->result_types[0];
    WEFT_ASSERT(t->kind == TYPE_TILE && t->ndim >= 0);
    for (int i = 0; i < t->ndim; i++)
        rule_template_int(k, t->dims[i]);
}

/* Warp 1.19 tile_zeros_value_func, tile_empty_value_func. */
static bool filled(rule_call *k)
{
    const type *t = rule_dtype_arg(k);
    return t && gives_shaped(k, t);
}
const result_rule rule_tile_filled = {filled, 0, false};

/* Warp 1.19 tile_ones_value_func. */
static bool ones(rule_call *k)
{
    const type *t = rule_dtype_arg(k);
    /* Warp fills with elem(1), which a struct does not have. */
    if (t && t->kind == TYPE_STRUCT)
        return tile_refuse(k, "structs have no 1; use wp.tile_full with a value");
    return t && gives_shaped(k, t);
}
const result_rule rule_tile_ones = {ones, 0, false};

/* wp::tile_zeros<float, 8, 4>(): dtype as it was written, then the shape. */
bool dispatch_tile_filled(rule_call *k)
{
    rule_template_value(k, rule_value(k, k->row->dtype_at));
    tile_template_shape(k);
    return true;
}

/* Warp 1.19 tile_full_value_func: a tile of copies of a value, perhaps of another dtype if both
 * are scalars. */
static bool full(rule_call *k)
{
    const type *t = tile_type(k, "value");
    const type *elem = k->arg[k->row->dtype_at] ? rule_dtype_arg(k) : t;
    if (!elem)
        return false;
    /* Scalars are converted to dtype, composites and structs must have it. */
    bool whole = type_is_composite(t) || t->kind == TYPE_STRUCT || elem->kind == TYPE_STRUCT;
    if (whole && !type_equal(t, elem))
        return rule_refuse_store(k, t, elem);
    return gives_shaped(k, elem);
}
const result_rule rule_tile_full = {full, 0, false};

/* Warp 1.19 tile_from_thread_value_func: the value of one thread for all elements. */
static bool from_thread(rule_call *k)
{
    return gives_shaped(k, tile_type(k, "value"));
}
const result_rule rule_tile_from_thread = {from_thread, 0, false};

/* Warp 1.19 tile_full_dispatch_func, tile_from_thread_dispatch_func: the value, and the thread
 * that has it. */
bool dispatch_tile_value(rule_call *k)
{
    rule_pass(k, rule_param(k, "value"));
    if (tile_arg(k, "thread_idx"))
        rule_pass(k, rule_param(k, "thread_idx"));
    if (tile_arg(k, "dtype") && !warp_has(k->c->warp, WARP_FULL_BY_RESULT))
        rule_template_value(k, rule_value(k, k->row->dtype_at));
    else
        rule_template_type(k, k->plan->result_types[0]->elem);
    tile_template_shape(k);
    return true;
}

/* Random integers are int32. */
static bool randi(rule_call *k)
{
    return gives_shaped(k, type_scalar(k->c, TYPE_INT32));
}
const result_rule rule_tile_randi = {randi, 0, false};

/* Random floats are float32. */
static bool randf(rule_call *k)
{
    return gives_shaped(k, type_scalar(k->c, TYPE_FLOAT32));
}
const result_rule rule_tile_randf = {randf, 0, false};

/* Warp 1.19 tile_randi_dispatch_func, tile_randf_dispatch_func: the bounds become new constants,
 * of float32 where floats are drawn. */
static bool dispatch_random(rule_call *k, bool is_float)
{
    const value *low = rule_arg_value(tile_arg(k, "min")),
                *high = rule_arg_value(tile_arg(k, "max"));
    rule_pass(k, rule_param(k, "rng"));
    tile_template_shape(k);
    /* The overload without bounds. */
    if (!tile_arg(k, "min"))
        return true;
    value_kind kind = is_float ? VALUE_FLOAT : VALUE_INT;
    if (!low || !high || low->kind != kind || high->kind != kind)
        return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), "min and max");
    if (!warp_has(k->c->warp, WARP_RANDOM_BOUNDS)) {
        rule_pass_const(k, *low);
        rule_pass_const(k, *high);
        return true;
    }
    /* Compared as they are passed, as float32. */
    if (is_float ? !((float)high->f > (float)low->f) : high->i <= low->i)
        return tile_refuse(k, "max must be greater than min");
    rule_pass_const(k, is_float ? value_float((double)(float)low->f) : *low);
    rule_pass_const(k, is_float ? value_float((double)(float)high->f) : *high);
    return true;
}

bool dispatch_tile_randi(rule_call *k)
{
    return dispatch_random(k, false);
}

bool dispatch_tile_randf(rule_call *k)
{
    return dispatch_random(k, true);
}

/* A bound of tile_arange as the element type stores it: i for integers, else f. */
typedef struct bound {
    __int128 i;
    double f;
} bound;

/* Does the integer type k include x? The kinds go int8, uint8, int16, uint16, and so on. */
static bool is_in_range(type_kind k, __int128 x)
{
    WEFT_ASSERT(k >= TYPE_INT8 && k <= TYPE_UINT64);
    /* 8, 8, 16, 16, 32, 32, 64, 64 for the kinds from TYPE_INT8 on. */
    int bits = 8 << ((k - TYPE_INT8) / 2);
    bool is_signed = (k - TYPE_INT8) % 2 == 0;
    __int128 high = (__int128)1 << (is_signed ? bits - 1 : bits);
    return x < high && x >= (is_signed ? -high : 0);
}

/* Reads a bound (Warp 1.19 _tile_arange_range_value): rounded to the element type, and refused
 * where it does not fit. */
static bool read_bound(rule_call *k, const type *t, const value *v, bound *out)
{
    bool is_float = value_has_f(v);
    if (type_is_integer(t)) {
        /* 10^30 is beyond every integer type and far from the limits of 128 bits. */
        if (is_float && (v->f != floor(v->f) || fabs(v->f) > 1e30))
            return tile_refuse(k, "an integer range needs integers");
        out->i = is_float ? (__int128)v->f : v->i;
        return is_in_range(t->kind, out->i) || tile_refuse(k, "a bound does not fit the type");
    }
    /* Python's int becomes a float32 first, unless the elements are float64. */
    double exact = is_float ? v->f : t->kind == TYPE_FLOAT64 ? (double)v->i : (double)(float)v->i;
    out->f = value_rounded(t->kind, exact);
    if (isfinite(exact) && !isfinite(out->f))
        return tile_refuse(k, "a bound does not fit the type");
    return true;
}

/* Reads start, stop and step from one to three constants, as Python's range does. */
static bool read_range(rule_call *k, const type *t, bound range[3])
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    /* Defaults: from 0, by 1. */
    range[0] = (bound){0, 0};
    range[2] = (bound){1, 1};
    if (n < 1 || n > 3)
        return tile_refuse(k, "one to three numbers are wanted");
    for (uint32_t i = 0; i < n; i++) {
        const value *v = rule_arg_value(&items[i]);
        if (!v || !value_is_number(v))
            return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), "the range");
        /* One number is the stop. */
        if (!read_bound(k, t, v, &range[n == 1 ? 1 : i]))
            return false;
    }
    return true;
}

/* Number of elements; -1: none, or too many. Floats are divided in the element type's precision,
 * as Warp does. */
static int64_t range_length(const type *t, const bound r[3])
{
    WEFT_ASSERT(type_is_scalar(t) && t->kind != TYPE_BOOL);
    double count;
    if (type_is_integer(t)) {
        /* Both are integers of 64 bits at most, so the difference fits. */
        __int128 reach = r[2].i > 0 ? r[1].i - r[0].i : r[0].i - r[1].i;
        __int128 step = r[2].i > 0 ? r[2].i : -r[2].i;
        count = step && reach > 0 ? (double)((reach + step - 1) / step) : -1;
    } else {
        bool forward = r[2].f > 0 && r[0].f < r[1].f, backward = r[2].f < 0 && r[0].f > r[1].f;
        count = forward || backward ? ceil(value_rounded(t->kind, (r[1].f - r[0].f) / r[2].f)) : -1;
        /* A quotient that rounds to 0 still has the first element. */
        count = count == 0 ? 1 : count;
    }
    return count >= 0 && count <= INT32_MAX ? (int64_t)count : -1;
}

/* Number of elements in releases without ARANGE_IN_TYPE: the quotient of Python's numbers, cut;
 * -1: none, too many, or bounds that are no constants. Warp 1.17 tile_arange_value_func. */
static int64_t quotient_length(rule_call *k)
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    double range[3] = {0, 0, 1};
    for (uint32_t i = 0; i < n && i < 3; i++) {
        const value *v = rule_arg_value(&items[i]);
        if (!v || !value_is_number(v))
            return -1;
        range[n == 1 ? 1 : i] = value_has_f(v) ? v->f : (double)v->i;
    }
    const double count = n >= 1 && n <= 3 ? trunc((range[1] - range[0]) / range[2]) : -1;
    return count >= 1 && count <= INT32_MAX ? (int64_t)count : -1;
}

/* Warp 1.19 tile_arange_value_func: a 1-D tile. */
static bool arange(rule_call *k)
{
    bound r[3];
    const type *t = k->arg[k->row->dtype_at] ? rule_dtype_arg(k) : type_scalar(k->c, TYPE_FLOAT32);
    tile_layout l = {.ndim = 1};
    if (!t)
        return false;
    if (!type_is_scalar(t) || t->kind == TYPE_BOOL)
        return tile_refuse(k, "dtype must be a number type");
    const bool in_type = warp_has(k->c->warp, WARP_ARANGE_IN_TYPE);
    if ((in_type && !read_range(k, t, r)) || !read_storage(k, &l.shared))
        return false;
    int64_t extent = in_type ? range_length(t, r) : quotient_length(k);
    if (extent < 0)
        return tile_refuse(k, "the range is empty or too long");
    l.shape = &extent;
    return rule_gives(k, type_tile(k->c, t, &l));
}
const result_rule rule_tile_arange = {arange, 0, false};

/* An integer constant in a variable of type t: the start and the step that were left out. */
static value typed_int(const type *t, int i)
{
    value v = value_int(i);
    v.type = t;
    return v;
}

/* Warp 1.19 tile_arange_dispatch_func. */
bool dispatch_tile_arange(rule_call *k)
{
    uint32_t n;
    const call_arg *items = rule_varargs(k, &n);
    const type *t = k->plan->result_types[0];
    rule_template_type(k, t->elem);
    rule_template_int(k, t->dims[0]);
    /* C++ always gets start, stop and step. */
    if (n == 1)
        rule_pass_const(k, typed_int(t->elem, 0));
    for (uint32_t i = 0; i < n; i++)
        if (warp_has(k->c->warp, WARP_ARANGE_IN_TYPE))
            rule_pass_cast(k, &items[i], t->elem);
        else
            rule_pass_arg(k, &items[i]);
    if (n < 3)
        rule_pass_const(k, typed_int(t->elem, 1));
    return true;
}

/* Number of offsets given; the array's rank when none are, since zeros are passed then. */
static uint32_t offset_count(const rule_call *k, int rank)
{
    const call_arg *a = tile_arg(k, "offset");
    return !a ? (uint32_t)rank : a->items ? a->n : 1;
}

/* Constants in a tuple are numbered anew, like those of a shape. */
void tile_pass_offset(rule_call *k, int rank)
{
    const call_arg *a = tile_arg(k, "offset");
    for (int i = 0; !a && i < rank; i++)
        rule_pass_const(k, value_int(0));
    if (a && a->items)
        for (uint32_t i = 0; i < a->n; i++)
            rule_pass_item(k, a, i);
    else if (a)
        rule_pass_arg(k, a);
}

/* Checks that array, tile and offsets agree in the number of dimensions. */
static bool check_ranks(rule_call *k, const type *arr, int tile_rank)
{
    if (arr->ndim != tile_rank)
        return tile_refuse(k, "array and tile must have the same number of dimensions");
    if ((int)offset_count(k, arr->ndim) != arr->ndim)
        return tile_refuse(k, "one offset per dimension of the array is wanted");
    return true;
}

/* Checks `indices`: a 1-D tile whose length is the shape's extent along `axis`. It is read by all
 * threads, so it is shared. */
static bool check_indices(rule_call *k, const type *arr, const int64_t *shape, int ndim)
{
    WEFT_ASSERT(arr->kind == TYPE_ARRAY && ndim >= 0);
    const type *idx = tile_operand(k, "indices");
    int64_t axis;
    if (!idx)
        return false;
    type_tile_share(k->c, idx);
    if (!tile_constant(k, "axis", &axis) || axis < 0 || axis >= arr->ndim || axis >= ndim)
        return tile_refuse(k, "axis must be a constant and a dimension of the array");
    if (idx->ndim != 1 || idx->dims[0] != shape[axis])
        return tile_refuse(k, "indices must be a 1-D tile as long as the tile along the axis");
    return true;
}

/* Warp 1.19 tile_load_tuple_value_func: the shape argument says what is loaded. */
static bool load(rule_call *k)
{
    const type *arr = rule_type(k, 0);
    /* Warp loads an element type as it is; there is no conversion. */
    return gives_shaped(k, arr->elem) && check_ranks(k, arr, k->plan->result_types[0]->ndim);
}
const result_rule rule_tile_load = {load, 0, false};

/* bounds_check and aligned are template arguments between the element type and the shape. */
bool dispatch_tile_load(rule_call *k)
{
    const type *t = k->plan->result_types[0];
    rule_pass(k, 0);
    tile_pass_offset(k, rule_type(k, 0)->ndim);
    rule_template_type(k, t->elem);
    if (!template_flag(k, "bounds_check", true) || !template_flag(k, "aligned", t->shared))
        return false;
    tile_template_shape(k);
    return true;
}

/* Warp 1.19 tile_load_indexed_tuple_value_func. */
static bool load_indexed(rule_call *k)
{
    if (!load(k))
        return false;
    const type *t = k->plan->result_types[0];
    return check_indices(k, rule_type(k, 0), t->dims, t->ndim);
}
const result_rule rule_tile_load_indexed = {load_indexed, 0, false};

/* Passes the arguments that all functions with a tile of indices share. */
static void pass_indexed(rule_call *k)
{
    rule_pass(k, 0);
    rule_pass(k, rule_param(k, "indices"));
    rule_pass(k, rule_param(k, "axis"));
    tile_pass_offset(k, rule_type(k, 0)->ndim);
}

/* The shape is the template arguments; the rest is passed. */
bool dispatch_tile_load_indexed(rule_call *k)
{
    pass_indexed(k);
    tile_template_shape(k);
    return true;
}

/* Checks that the tile t, NULL after a diagnostic, can be stored into the array. */
static bool check_stored(rule_call *k, const type *arr, const type *t)
{
    if (!t || !check_ranks(k, arr, t->ndim))
        return false;
    return type_equal(arr->elem, t->elem) || rule_refuse_store(k, t->elem, arr->elem);
}

/* Warp 1.19 tile_store_value_func. */
static bool store(rule_call *k)
{
    return check_stored(k, rule_type(k, 0), tile_operand(k, "t")) && rule_gives(k, NULL);
}
const result_rule rule_tile_store = {store, 0, false};

/* As for tile_load, without a shape: the tile has it. */
bool dispatch_tile_store(rule_call *k)
{
    const type *arr = rule_type(k, 0), *t = tile_type(k, "t");
    rule_pass(k, 0);
    tile_pass_offset(k, arr->ndim);
    rule_pass(k, rule_param(k, "t"));
    rule_template_type(k, arr->elem);
    return template_flag(k, "bounds_check", true) && template_flag(k, "aligned", t->shared);
}

/* Warp 1.19 tile_store_indexed_value_func. */
static bool store_indexed(rule_call *k)
{
    const type *arr = rule_type(k, 0), *t = tile_operand(k, "t");
    return t && check_indices(k, arr, t->dims, t->ndim) && check_stored(k, arr, t) &&
           rule_gives(k, NULL);
}
const result_rule rule_tile_store_indexed = {store_indexed, 0, false};

/* The tile comes last. */
bool dispatch_tile_store_indexed(rule_call *k)
{
    pass_indexed(k);
    rule_pass(k, rule_param(k, "t"));
    return true;
}

/* Warp 1.19 check_tile_atomic_add_dtype: no bool and no integers of 8 or 16 bits. */
static bool check_addable(rule_call *k, const type *elem)
{
    const type *s = type_scalar_of(elem);
    bool small = s && (s->kind == TYPE_BOOL || (s->kind >= TYPE_INT8 && s->kind <= TYPE_UINT16));
    /* Structs are added field by field. */
    if (elem->kind == TYPE_STRUCT || (s && !small))
        return true;
    return REFUSE(k, DIAG_ATOMIC_TYPE, rule_display(k), elem->pyname.p);
}

/* Sets the result to a tile of the same type and storage as t, with memory of its own. */
static bool gives_like(rule_call *k, const type *t)
{
    tile_layout l = {.shape = t->dims, .ndim = t->ndim, .shared = t->shared};
    return rule_gives(k, type_tile(k->c, t->elem, &l));
}

/* Warp 1.19 tile_atomic_add_value_func: gives the elements before the sum. */
static bool atomic_add(rule_call *k)
{
    const type *t = tile_operand(k, "t");
    return check_stored(k, rule_type(k, 0), t) && check_addable(k, t->elem) && gives_like(k, t);
}
const result_rule rule_tile_atomic_add = {atomic_add, 0, false};

/* Like tile_store without `aligned`. */
bool dispatch_tile_atomic_add(rule_call *k)
{
    const type *arr = rule_type(k, 0);
    rule_pass(k, 0);
    tile_pass_offset(k, arr->ndim);
    rule_pass(k, rule_param(k, "t"));
    rule_template_type(k, arr->elem);
    return template_flag(k, "bounds_check", true);
}

/* Warp 1.19 tile_atomic_add_indexed_value_func. */
static bool atomic_add_indexed(rule_call *k)
{
    return store_indexed(k) && check_addable(k, tile_type(k, "t")->elem) &&
           gives_like(k, tile_type(k, "t"));
}
const result_rule rule_tile_atomic_add_indexed = {atomic_add_indexed, 0, false};
