/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of array access: indices against rank, element types, atomics, arrays made in kernels.
 * Examples:
 *
 *     x[i, j]        address(x, i, j)         wp::address(var_x, var_0, var_1), a reference
 *     x[i]           view(x, i)               of a 2-d array: an array of one dimension less
 *     x[i, j] = v    array_store(x, i, j, v)
 *     wp.zeros(shape=4, dtype=float)          in a kernel: wp::fixedarray_t<4, wp::float32>(4) */
#include "base/assert.h"
#include "builtin/rule.h"
#include "builtin/rules.h"

/* How many indices there are, and how many of them are slices. */
typedef struct indices {
    uint32_t n, slices;
} indices;

/* Counts the indices: parameters of one name each, i to l, as in Warp's signatures; absent ones do
 * not count. Each must be an integer, or a slice if that is allowed. False after a diagnostic. */
static bool count_indices(rule_call *k, bool slices_allowed, indices *out)
{
    static const char *const names[] = {"i", "j", "k", "l"};
    *out = (indices){0};
    for (int d = 0; d < 4; d++) {
        uint32_t p = rule_param(k, names[d]);
        const type *t = p < k->row->nparams ? rule_type(k, p) : NULL;
        /* j, k and l default to None. */
        if (!t)
            continue;
        out->n++;
        out->slices += t->kind == TYPE_SLICE;
        if (!type_is_integer(t) && !(slices_allowed && t->kind == TYPE_SLICE))
            return REFUSE(k, DIAG_INDEX_TYPE, slices_allowed ? " or a slice" : "", t->pyname.p);
    }
    return true;
}

/* An element needs as many indices as the array has dimensions. */
static bool check_rank(rule_call *k, const type *arr, uint32_t n)
{
    WEFT_ASSERT(arr->kind == TYPE_ARRAY);
    return (int)n == arr->ndim || (!k->quiet && builtin_refuse_rank(k->c, k->r->at, arr, n));
}

/* Warp 1.19 address_value_func: a reference to an element. */
static bool address(rule_call *k)
{
    const type *arr = rule_type(k, 0);
    indices idx;
    return count_indices(k, false, &idx) && check_rank(k, arr, idx.n) &&
           rule_gives(k, type_ref(k->c, arr->elem));
}
const result_rule rule_address = {address, 0, true};

/* Warp 1.19 view_value_func: integers take dimensions away, slices keep them. A view of an indexed
 * array is indexed, any other is a plain array. */
static bool view(rule_call *k)
{
    const type *arr = rule_type(k, 0);
    indices idx;
    if (!count_indices(k, true, &idx))
        return false;
    WEFT_ASSERT(idx.slices <= idx.n);
    int ndim = arr->ndim - (int)(idx.n - idx.slices);
    if ((int)idx.n > arr->ndim || ndim == 0)
        return !k->quiet && builtin_refuse_rank(k->c, k->r->at, arr, idx.n);
    array_class cls = arr->array_class == ARRAY_INDEXED ? ARRAY_INDEXED : ARRAY_PLAIN;
    return rule_gives(k, type_array(k->c, cls, arr->elem, ndim));
}
const result_rule rule_view = {view, 0, true};

/* May a value of type t be stored where elem is? The types must be equal, Warp converts nothing
 * here. */
static bool check_element(rule_call *k, const type *elem, const type *t)
{
    return type_equal(elem, t) || rule_refuse_store(k, t, elem);
}

/* Warp 1.19 array_store_value_func: all indices and a value of the element's type. */
static bool array_store(rule_call *k)
{
    const type *arr = rule_type(k, 0), *t = rule_type(k, rule_param(k, "value"));
    indices idx;
    return count_indices(k, false, &idx) && check_rank(k, arr, idx.n) &&
           check_element(k, arr->elem, t) && rule_gives(k, NULL);
}
const result_rule rule_array_store = {array_store, 0, true};

/* Warp 1.19 store_value_func: *address = value. With the dispatch rules below
 * (store_dispatch_func, load_dispatch_func) the address is passed as a pointer and not loaded. */
static bool store(rule_call *k)
{
    return check_element(k, rule_type(k, 0), rule_type(k, 1)) && rule_gives(k, NULL);
}
const result_rule rule_store = {store, 0, true};

bool dispatch_store(rule_call *k)
{
    rule_pass_ref(k, 0);
    rule_pass(k, 1);
    return true;
}

bool dispatch_load(rule_call *k)
{
    rule_pass_ref(k, 0);
    return true;
}

/* Families of atomics by the widest set of scalars, each containing the one before. */
enum { ATOMIC_INTS, ATOMIC_WORDS, ATOMIC_WORDS_BF16, ATOMIC_ALL_FLOATS };

/* May an atomic of this family work on the scalar type? Warp 1.19 SUPPORTED_ATOMIC_TYPES and
 * create_atomic_op_value_func. */
static bool is_atomic_scalar(const type *t, int family)
{
    WEFT_ASSERT(family >= ATOMIC_INTS && family <= ATOMIC_ALL_FLOATS);
    switch ((type_kind)t->kind) {
    case TYPE_INT32:
    case TYPE_UINT32:
    case TYPE_INT64:
    case TYPE_UINT64: return true;
    case TYPE_FLOAT32:
    case TYPE_FLOAT64: return family >= ATOMIC_WORDS;
    case TYPE_BFLOAT16: return family >= ATOMIC_WORDS_BF16;
    case TYPE_FLOAT16: return family == ATOMIC_ALL_FLOATS;
    default: return false;
    }
}

/* Atomics return the element before. Of vectors and matrices the scalar decides. */
static bool atomic(rule_call *k, int family)
{
    const type *arr = rule_type(k, 0), *t = rule_type(k, rule_param(k, "value"));
    indices idx;
    if (!count_indices(k, false, &idx) || !check_rank(k, arr, idx.n) ||
        !check_element(k, arr->elem, t))
        return false;
    const type *s = type_scalar_of(arr->elem);
    if (!s || !is_atomic_scalar(s, family))
        return REFUSE(k, DIAG_ATOMIC_TYPE, rule_display(k), arr->elem->pyname.p);
    return rule_gives(k, arr->elem);
}

/* add and sub work on all floats, and on integers of 32 and 64 bits. */
static bool atomic_sum(rule_call *k)
{
    return atomic(k, ATOMIC_ALL_FLOATS);
}
const result_rule rule_atomic_add = {atomic_sum, 0, true};
const result_rule rule_atomic_sub = {atomic_sum, 0, true};

/* min and max have no float16 form. */
static bool atomic_extreme(rule_call *k)
{
    return atomic(k, ATOMIC_WORDS_BF16);
}
const result_rule rule_atomic_min = {atomic_extreme, 0, true};
const result_rule rule_atomic_max = {atomic_extreme, 0, true};

/* cas and exch work on words of 32 and 64 bits. */
static bool atomic_swap(rule_call *k)
{
    return atomic(k, ATOMIC_WORDS);
}
const result_rule rule_atomic_cas = {atomic_swap, 0, true};
const result_rule rule_atomic_exch = {atomic_swap, 0, true};

/* and, or and xor work on integers. */
static bool atomic_bits(rule_call *k)
{
    return atomic(k, ATOMIC_INTS);
}
const result_rule rule_atomic_and = {atomic_bits, 0, true};
const result_rule rule_atomic_or = {atomic_bits, 0, true};
const result_rule rule_atomic_xor = {atomic_bits, 0, true};

/* The number of parts of a shape argument: variables or constants. */
static uint32_t shape_rank(const call_arg *a)
{
    const value *v = rule_arg_value(a);
    bool constant_tuple = v && (v->kind == VALUE_TUPLE || v->kind == VALUE_LIST);
    return a->items ? a->n : constant_tuple ? value_count(v) : 1;
}

/* Warp 1.19 array_value_func, array_dispatch_func: an array over memory at a pointer,
 * wp.array(ptr=p, shape=(n, 3), dtype=float). */
static bool array(rule_call *k)
{
    const type *t = rule_dtype_arg(k);
    uint32_t n = shape_rank(k->arg[1]);
    return t && rule_gives(k, type_array(k->c, ARRAY_PLAIN, t, (int)n));
}
const result_rule rule_array = {array, 0, false};

/* Passes each part of the shape as an argument of its own. */
static void pass_shape(rule_call *k, const call_arg *a)
{
    const value *v = rule_arg_value(a);
    if (a->items) {
        for (uint32_t i = 0; i < a->n; i++)
            rule_pass_item(k, a, i);
    } else if (v && (v->kind == VALUE_TUPLE || v->kind == VALUE_LIST)) {
        for (uint32_t i = 0; i < value_count(v); i++)
            rule_pass_const(k, value_array(v)[i]);
    } else {
        rule_pass_arg(k, a);
    }
}

/* wp::array_t<wp::float32>(ptr, n, 3): pointer and extents. */
bool dispatch_array(rule_call *k)
{
    rule_pass(k, 0);
    pass_shape(k, k->arg[1]);
    rule_template_type(k, k->plan->result_types[0]->elem);
    return true;
}

/* Warp 1.19 zeros_value_func, zeros_dispatch_func: a fixed array on the stack. The shape is
 * constant, since its product is a template argument. */
static bool zeros(rule_call *k)
{
    const type *t = rule_dtype_arg(k);
    int64_t dims[4], size = 1;
    uint32_t n;
    if (!t)
        return false;
    if (!rule_ints(k->arg[0], dims, 4, &n))
        return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), "shape");
    for (uint32_t i = 0; i < n; i++) {
        /* The size is an int in C++. */
        if (dims[i] < 0 || dims[i] > INT32_MAX || size * dims[i] > INT32_MAX)
            return REFUSE(k, DIAG_NEEDS_CONSTANT, rule_display(k), "shape");
        size *= dims[i];
    }
    return rule_gives(k, type_fixed_array(k->c, t, (int)n, (int)size));
}
const result_rule rule_zeros = {zeros, 0, false};

/* The extents are passed again as arguments; the result rule has read them without an error. */
bool dispatch_zeros(rule_call *k)
{
    int64_t dims[4];
    uint32_t n;
    rule_ints(k->arg[0], dims, 4, &n);
    for (uint32_t i = 0; i < n; i++)
        rule_pass_const(k, value_int(dims[i]));
    rule_template_int(k, k->plan->result_types[0]->rows);
    rule_template_type(k, k->plan->result_types[0]->elem);
    return true;
}
