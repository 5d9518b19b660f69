/* SPDX-License-Identifier: Apache-2.0 */
/* Three comparisons of types that Warp distinguishes. Examples:
 *
 *     type_matches(array[Any], array(ndim=2, float32))    true: decides between builtins' overloads
 *     type_fits(array(ndim=1, Any), array(ndim=2, ...))   false: rank counts for users' functions
 *     type_equal(array(ndim=1, float32), array(ndim=2, float32))   true: rank does not count
 *
 * A pattern is a type with a part that stands for several: Any, Scalar, Float, Int, a dimension
 * that is TYPE_ANY_DIM, tuple[T, ...]. */
#include "types/type.h"

#include "base/assert.h"

/* Do two scalars or patterns of scalars match? Either side may be the pattern. Warp's Scalar does
 * not include bool. */
static bool scalars_match(const type *a, const type *b)
{
    if (a == b || a->kind == TYPE_ANY || b->kind == TYPE_ANY)
        return true;
    switch ((type_kind)a->kind) {
    case TYPE_SCALAR: return b->kind != TYPE_BOOL && type_is_scalar(b);
    case TYPE_FLOAT: return type_is_float(b);
    case TYPE_INT: return type_is_integer(b);
    default: break;
    }
    switch ((type_kind)b->kind) {
    case TYPE_SCALAR: return a->kind != TYPE_BOOL && type_is_scalar(a);
    case TYPE_FLOAT: return type_is_float(a);
    case TYPE_INT: return type_is_integer(a);
    default: return false;
    }
}

static bool dims_match(int a, int b)
{
    return a == b || a == TYPE_ANY_DIM || b == TYPE_ANY_DIM;
}

/* Do two tuples match item by item? An empty tuple is a pattern of any tuple; tuple[T, ...]
 * repeats its one item. */
static bool tuples_match(const type *a, const type *b)
{
    if (a->nitems == 0 || b->nitems == 0)
        return true;
    if (a->ndim != TYPE_ANY_DIM && b->ndim == TYPE_ANY_DIM)
        return tuples_match(b, a);
    WEFT_ASSERT(a->ndim != TYPE_ANY_DIM || a->nitems == 1);
    bool repeats = a->ndim == TYPE_ANY_DIM && b->ndim != TYPE_ANY_DIM;
    if (!repeats && a->nitems != b->nitems)
        return false;
    for (uint32_t i = 0; i < b->nitems; i++)
        if (!type_matches(a->items[repeats ? 0 : i], b->items[i]))
            return false;
    return true;
}

/* Warp 1.19 types_equal_generic. Kinds that carry their whole meaning in the pointer (structs,
 * query objects) match only as the same type. */
bool type_matches(const type *a, const type *b)
{
    if (a == b)
        return true;
    if (a->kind == TYPE_TUPLE || b->kind == TYPE_TUPLE)
        return a->kind == b->kind && tuples_match(a, b);
    if (a->kind != b->kind)
        return scalars_match(a, b);
    switch ((type_kind)a->kind) {
    case TYPE_QUAT:
    case TYPE_TRANSFORM: return scalars_match(a->elem, b->elem);
    case TYPE_VEC:
    case TYPE_MAT:
        return dims_match(a->rows, b->rows) && dims_match(a->cols, b->cols) &&
               scalars_match(a->elem, b->elem);
    case TYPE_ARRAY: return a->array_class == b->array_class && type_matches(a->elem, b->elem);
    case TYPE_TILE: return type_matches(a->elem, b->elem);
    case TYPE_STACK: return a->rows == b->rows && type_matches(a->elem, b->elem);
    case TYPE_SLICE: return true;
    default: return false;
    }
}

/* Warp 1.19 types_equal. Vectors and matrices are equal only as the same type; quaternions may
 * differ in the name of their float (type_named_float). */
bool type_equal(const type *a, const type *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    switch ((type_kind)a->kind) {
    case TYPE_ARRAY: return a->array_class == b->array_class && type_equal(a->elem, b->elem);
    case TYPE_TILE:
    case TYPE_QUAT:
    case TYPE_TRANSFORM: return type_equal(a->elem, b->elem);
    case TYPE_SLICE: return true;
    default: return false;
    }
}

/* Python's issubclass on array classes: a fixed array is an array. */
static bool is_array_subclass(const type *t, const type *p)
{
    return t->array_class == p->array_class ||
           (t->array_class == ARRAY_FIXED && p->array_class == ARRAY_PLAIN);
}

/* Warp 1.19 type_matches_template. The passed type must be concrete; ranks must be equal even
 * where the annotation's element type is generic. */
bool type_fits(const type *p, const type *t)
{
    if (t->generic)
        return false;
    if (p->kind == TYPE_ARRAY && t->kind == TYPE_ARRAY)
        return is_array_subclass(t, p) && type_fits(p->elem, t->elem) && p->ndim == t->ndim;
    if (!p->generic)
        return type_equal(p, t);
    if (p->kind == TYPE_ARRAY)
        return false;
    if (type_is_composite(p))
        return p->kind == t->kind && type_fits(p->elem, t->elem) && dims_match(p->rows, t->rows) &&
               dims_match(p->cols, t->cols);
    if (p->kind == TYPE_TUPLE || p->kind == TYPE_TILE)
        return type_matches(p, t);
    return scalars_match(p, t);
}

/* The type that a query type becomes where branches meet (Warp 1.19 _wp_erase_to_); others stay. */
static const type *erased(const type *t)
{
    return t->kind == TYPE_NATIVE && t->native->erased ? t->native->erased : t;
}

const type *type_erasure_join(const type *a, const type *b)
{
    return erased(a) == erased(b) ? erased(a) : NULL;
}

/* Limits a bound to n items: one beyond either end is that end; negative bounds count from the
 * end. */
static int64_t clamp(int64_t x, int64_t n)
{
    return x < -n ? -n : x > n ? n : x;
}

/* Follows Warp's code to the letter, which is not Python's for negative bounds: x[-2:3] of 4 items
 * has 5 there, as -2 stays below 0. */
int64_t type_slice_length(const type *s, int64_t n)
{
    WEFT_ASSERT(s->kind == TYPE_SLICE && s->known && s->ndims == 3 && n >= 0);
    int64_t start = s->dims[0], stop = s->dims[1], step = s->dims[2];
    if (step == 0)
        return -1;
    start = start == SLICE_BEGIN ? (step < 0 ? n - 1 : 0) : clamp(start, n);
    stop = stop == SLICE_END ? (step < 0 ? -1 : n) : clamp(stop, n);
    if (step > 0 && start < stop)
        return 1 + (stop - start - 1) / step;
    if (step < 0 && start > stop)
        return 1 + (start - stop - 1) / -step;
    return 0;
}
