/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations and dtypes: the Warp type that a compile-time value stands for, and the bracket forms
 * of annotations. Examples:
 *
 *     float                            float32, as everywhere in Warp
 *     wp.array2d[float]                array(dtype=float32, ndim=2)
 *     wp.array(dtype=wp.vec3, ndim=2)  array(dtype=vec3f, ndim=2), by call
 *     wp.types.vector(length=5, dtype=wp.float16)
 *     wp.array[Any]                    generic: the call decides
 *
 * Used for parameters, struct fields and results. A form that weft cannot follow is an unknown
 * value with its reason, never an error; code_check reports it for kernels that are compiled. */
#include "builtin/builtin.h"
#include "sema/sema.h"

/* The Warp type that a value names: a type itself, or Python's int, float, bool and str. NULL: it
 * names none. The C++ name doubles with each level of some types, so its length is limited. */
const type *value_as_type(ctx *c, const value *v)
{
    enum { LONGEST = 4096 }; /* a type may be nested in types without end */
    if (v->kind == VALUE_TYPE)
        return v->type->cname.n <= LONGEST ? v->type : NULL;
    if (v->kind == VALUE_CLASS)
        return native_class(v);
    if (v->kind != VALUE_PYTYPE)
        return NULL;
    switch (v->n) {
    /* Python's numbers mean 32 bits in Warp, in annotations and as dtypes. */
    case SP_py_int: return type_scalar(c, TYPE_INT32);
    case SP_py_float: return type_scalar(c, TYPE_FLOAT32);
    case SP_py_bool: return type_scalar(c, TYPE_BOOL);
    case SP_py_str: return type_scalar(c, TYPE_STR);
    default: return NULL;
    }
}

/* The type of a parameter, field or result; NULL: none. */
const type *annotation_type(ctx *c, const value *v)
{
    return value_as_type(c, v);
}

/* The ids of array specials stand in this order in specials.def. */
static array_class class_of(special_id id)
{
    WEFT_ASSERT(id >= SP_array && id <= SP_indexedfabricarrayarray);
    if (id >= SP_indexedarray && id <= SP_indexedarray4d)
        return ARRAY_INDEXED;
    if (id == SP_fabricarray || id == SP_fabricarrayarray)
        return ARRAY_FABRIC;
    if (id == SP_indexedfabricarray || id == SP_indexedfabricarrayarray)
        return ARRAY_INDEXED_FABRIC;
    return ARRAY_PLAIN;
}

/* Rank that the name itself gives (array2d), or 0. */
static int rank_of(special_id id)
{
    if (id >= SP_array1d && id <= SP_array4d)
        return (int)(id - SP_array1d) + 1;
    if (id >= SP_indexedarray1d && id <= SP_indexedarray4d)
        return (int)(id - SP_indexedarray1d) + 1;
    return id == SP_fabricarrayarray || id == SP_indexedfabricarrayarray ? 2 : 0;
}

/* ndim as a number or typing.Any; 0: neither. Warp 1.19 ARRAY_MAX_DIMS is 4. */
static int rank_value(const value *v)
{
    if (v->kind == VALUE_TYPE && v->type->kind == TYPE_ANY)
        return TYPE_ANY_DIM;
    return value_is_int(v) && v->i >= 1 && v->i <= 4 ? (int)v->i : 0;
}

/* The array type, for both the bracket form and the call. A missing dtype makes it generic; a rank
 * of 0 is an error of the caller's source. */
static value array_of(ctx *c, special_id id, const value *dtype, int ndim)
{
    WEFT_ASSERT(ndim <= 4);
    const type *elem = dtype ? value_as_type(c, dtype) : type_scalar(c, TYPE_ANY);
    if (dtype && dtype->kind == VALUE_UNKNOWN)
        return *dtype;
    /* None of Warp's types, or one that is too long to name. */
    if (!elem)
        return unknown("the array's dtype is no Warp type");
    if (ndim == 0)
        return unknown("an array has 1 to 4 dimensions");
    return value_type(type_array(c, class_of(id), elem, ndim));
}

/* The arguments of the constructors of Warp's array classes. */
static bool is_array_argument(const char *name)
{
    static const char *const names[] = {
        "data",          "dtype",       "shape",  "strides", "ptr",      "length", "capacity",
        "device",        "pinned",      "copy",   "deleter", "ndim",     "grad",   "owner",
        "requires_grad", "retain_grad", "attrib", "indices", "allocator"};
    return STR_IS_IN(str_c(name), names);
}

/* wp.array(float): what it should be. */
static value type_by_position(evaluator *e, const py_call *a)
{
    const ast_Call *n = a->node;
    const char *callee = n ? ast_dotted(&e->c->module, n->func) : NULL;
    const char *of = n && n->args.n ? ast_dotted(&e->c->module, n->args.v[0]) : NULL;
    return unknown_text(e->c, "the element type goes by name: %.60s(dtype=%.60s)",
                        callee ? callee : "wp.array", of ? of : "...");
}

/* wp.array(dtype=T, ndim=N) without data describes a type; with data it is an object. The positions
 * are those of Warp's constructor: dtype is its second parameter, ndim its eleventh. */
value call_array(evaluator *e, const py_call *a)
{
    const value *dtype = call_get(a, 1, "dtype"), *ndim = call_get(a, 10, "ndim");
    static const char *const data[] = {"data", "shape", "ptr", "length"};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        /* Of these only `data` can be given by position, the first one. */
        const value *given = call_get(a, i ? 100 : 0, data[i]);
        if (given && given->kind != VALUE_NONE)
            return value_as_type(e->c, given) ? type_by_position(e, a) : unknown_array();
    }
    for (uint32_t i = 0; i < a->nkwargs; i++)
        if (!is_array_argument(a->names[i]->s))
            return unknown_text(e->c, "wp.array has no argument '%.80s'", a->names[i]->s);
    /* wp.array2d(dtype=T) has its rank in the name, and ignores ndim. */
    int rank = rank_of(a->id);
    if (!rank)
        rank = ndim && ndim->kind != VALUE_NONE ? rank_value(ndim) : 1;
    return array_of(e->c, a->id, dtype, rank);
}

/* Lengths of a shape, which is one integer or a tuple or list of 1 to TYPE_DIMS_MAX. False: the
 * shape has another form, or a length is unknown, negative or above INT32_MAX. */
static bool shape_dims(const value *shape, int64_t *dims, int *n)
{
    bool list = shape->kind == VALUE_TUPLE || shape->kind == VALUE_LIST;
    const value *items = list ? value_array(shape) : shape;
    *n = list ? (int)value_count(shape) : 1;
    if (*n < 1 || *n > TYPE_DIMS_MAX)
        return false;
    for (int i = 0; i < *n; i++) {
        if (!value_is_int(&items[i]) || items[i].i < 0 || items[i].i > INT32_MAX)
            return false;
        dims[i] = (int64_t)items[i].i;
    }
    return true;
}

/* wp.fixedarray(dtype=T, shape=S): an array with storage in the kernel. Its size is the product of
 * the lengths. */
value call_fixedarray(evaluator *e, const py_call *a)
{
    const value *dtype = call_get(a, 0, "dtype"), *shape = call_get(a, 1, "shape");
    const type *elem = dtype ? value_as_type(e->c, dtype) : NULL;
    int64_t dims[TYPE_DIMS_MAX], size = 1;
    int n;
    if (!elem || !shape || !shape_dims(shape, dims, &n))
        return unknown("the array's dtype or shape is not known");
    for (int i = 0; i < n; i++)
        size = size > INT32_MAX && dims[i] ? size : size * dims[i]; /* a later length may be 0 */
    if (size > INT32_MAX)
        return unknown("the array is too large");
    return value_type(type_fixed_array(e->c, elem, n, (int)size));
}

/* wp.tile(dtype=T, shape=S, storage="shared"). A shape that is itself a type (typing.Any) gives the
 * pattern that any shape matches. */
value call_tile(evaluator *e, const py_call *a)
{
    const value *dtype = call_get(a, 0, "dtype"), *shape = call_get(a, 1, "shape");
    const type *elem = dtype ? value_as_type(e->c, dtype) : NULL;
    int64_t dims[TYPE_DIMS_MAX];
    tile_layout layout = {.shape = dims};
    if (!elem)
        return unknown("the tile's dtype is not known");
    if (!shape || shape->kind == VALUE_TYPE)
        return value_type(type_tile(e->c, elem, NULL));
    if (!shape_dims(shape, dims, &layout.ndim))
        return unknown("the tile's shape is not known");
    const value *storage = call_get(a, 2, "storage");
    /* Any other word is "register", the default of an annotation. */
    layout.shared = storage && storage->kind == VALUE_STR && strcmp(storage->s->s, "shared") == 0;
    return value_type(type_tile(e->c, elem, &layout));
}

/* wp.tile_stack(dtype=T, capacity=N). */
value call_tile_stack(evaluator *e, const py_call *a)
{
    const value *dtype = call_get(a, 0, "dtype"), *capacity = call_get(a, 1, "capacity");
    const type *elem = dtype ? value_as_type(e->c, dtype) : NULL;
    if (!elem || !capacity || !value_is_int(capacity) || capacity->i < 0 || capacity->i > INT32_MAX)
        return unknown("the stack's dtype or capacity is not known");
    return value_type(type_stack(e->c, elem, (int)capacity->i));
}

/* A length: a number, or typing.Any for a generic type; -2: neither. */
static int extent(const value *v)
{
    enum { LONGEST = 1 << 20 };
    if (v && v->kind == VALUE_TYPE && v->type->kind == TYPE_ANY)
        return TYPE_ANY_DIM;
    return v && value_is_int(v) && v->i >= 0 && v->i <= LONGEST ? (int)v->i : -2;
}

/* The element type of a vector or matrix: a scalar or a generic hint such as typing.Any; NULL:
 * neither. Generic kinds come last in type_kind. */
static const type *element(ctx *c, const value *v)
{
    const type *t = v ? value_as_type(c, v) : NULL;
    return t && (type_is_scalar(t) || t->kind >= TYPE_ANY) ? t : NULL;
}

static const char no_any[] =
    "Warp makes no vectors, matrices and the like of Any: dtype=wp.Scalar or dtype=wp.Float";

static bool is_of_any(const value *dtype)
{
    return dtype && dtype->kind == VALUE_TYPE && dtype->type->kind == TYPE_ANY;
}

/* wp.types.vector(length, dtype), and wp.types.Vector[dtype, length]. */
static value vector_of(ctx *c, const value *length, const value *dtype)
{
    const type *t = element(c, dtype);
    int n = extent(length);
    return t && n != -2 ? value_type(type_vec(c, t, n)) : unknown("the vector type is not known");
}

/* A matrix pattern has both extents open or none: one typing.Any opens both. */
static value matrix_of(ctx *c, const value *rows, const value *cols, const value *dtype)
{
    const type *t = element(c, dtype);
    int r = extent(rows), k = extent(cols);
    if (!t || r == -2 || k == -2)
        return unknown("the matrix type is not known");
    if (r == TYPE_ANY_DIM || k == TYPE_ANY_DIM)
        r = k = TYPE_ANY_DIM;
    return value_type(type_mat(c, t, r, k));
}

value call_vector(evaluator *e, const py_call *a)
{
    if (is_of_any(call_get(a, 1, "dtype")))
        return unknown(no_any);
    return vector_of(e->c, call_get(a, 0, "length"), call_get(a, 1, "dtype"));
}

value call_matrix(evaluator *e, const py_call *a)
{
    const value *shape = call_get(a, 0, "shape");
    bool pair = shape && (shape->kind == VALUE_TUPLE || shape->kind == VALUE_LIST) &&
                value_count(shape) == 2;
    if (!pair)
        return unknown("the matrix type is not known");
    if (is_of_any(call_get(a, 1, "dtype")))
        return unknown(no_any);
    return matrix_of(e->c, &value_array(shape)[0], &value_array(shape)[1], call_get(a, 1, "dtype"));
}

/* A quaternion or transform of this scalar type; without a dtype a generic one. */
static value quaternion_of(ctx *c, const value *dtype, bool transform)
{
    const type *t = dtype ? element(c, dtype) : type_scalar(c, TYPE_ANY);
    if (!t)
        return unknown("the dtype is not known");
    return value_type(transform ? type_transform(c, t) : type_quat(c, t));
}

value call_quaternion(evaluator *e, const py_call *a)
{
    if (is_of_any(call_get(a, 0, "dtype")))
        return unknown(no_any);
    return quaternion_of(e->c, call_get(a, 0, "dtype"), false);
}

value call_transformation(evaluator *e, const py_call *a)
{
    if (is_of_any(call_get(a, 0, "dtype")))
        return unknown(no_any);
    return quaternion_of(e->c, call_get(a, 0, "dtype"), true);
}

/* Python's own int or float: a name that Warp keeps in some C++ types, where wp.int32 and
 * wp.float32 are written otherwise. */
static bool is_python_number(const value *v)
{
    return v->kind == VALUE_PYTYPE && (v->n == SP_py_int || v->n == SP_py_float);
}

/* tuple[A, B], or tuple[A, ...] for any number of A. Which items were written as Python int or
 * float is kept as a bit set, for the C++ name of the type depends on it; items beyond the 31st
 * count as Warp types. */
static value tuple_annotation(ctx *c, const value *items, uint32_t n)
{
    WEFT_ASSERT(n > 0);
    const sym *dots = sema_init(c)->s_ellipsis;
    /* The marker `...` is a special without id, recognized by its name. */
    const type *first = value_as_type(c, &items[0]);
    if (n == 2 && first && items[1].kind == VALUE_SPECIAL && items[1].s == dots)
        return value_type(type_tuple_of(c, first));
    const type **types = ARENA_ARRAY(&c->module, const type *, n);
    int python = 0;
    for (uint32_t i = 0; i < n; i++) {
        types[i] = value_as_type(c, &items[i]);
        if (i < 31 && is_python_number(&items[i]))
            python |= (int)(1u << i);
        if (!types[i])
            return items[i].kind == VALUE_UNKNOWN ? items[i]
                                                  : unknown("a tuple item is no Warp type");
    }
    return value_type(type_tuple_named(c, types, n, python));
}

/* wp.tile[dtype], wp.tile[dtype, M, N] or wp.tile[dtype, (M, N)] */
static value tile_annotation(ctx *c, const value *items, uint32_t n)
{
    WEFT_ASSERT(n > 0);
    const type *elem = value_as_type(c, &items[0]);
    int64_t dims[TYPE_DIMS_MAX];
    tile_layout layout = {.shape = dims};
    if (!elem)
        return unknown("the tile's dtype is not known");
    if (n < 2)
        return value_type(type_tile(c, elem, NULL));
    value shape = items[1];
    if (n > 2 || value_is_int(&shape))
        shape = value_items(VALUE_TUPLE, items + 1, n - 1);
    if (!shape_dims(&shape, dims, &layout.ndim))
        return unknown("the tile's shape is not known");
    return value_type(type_tile(c, elem, &layout));
}

/* wp.HashGridQuery[T] for a float type. The class without brackets is the one for float32. */
static value hash_grid_query(ctx *c, const type *query, const type *elem)
{
    const type *plain = type_native(c, "HashGridQuery");
    if (query != plain || !elem)
        return unknown("weft does not evaluate this subscript");
    switch (elem->kind) {
    case TYPE_FLOAT16: return value_type(type_native(c, "_HashGridQueryH"));
    case TYPE_FLOAT32: return value_type(plain);
    case TYPE_FLOAT64: return value_type(type_native(c, "_HashGridQueryD"));
    default: return unknown("a hash grid query has a float type");
    }
}

/* warp._src.context.builtin_functions["name"], which warp-lang's own modules read. */
static value builtin_by_name(const ctx *c, const value *name)
{
    const builtin *b = name->kind == VALUE_STR ? builtin_find(c, name->s) : NULL;
    return b ? (value){.kind = VALUE_BUILTIN, .p = b} : unknown("there is no such builtin");
}

/* A bracket form. What stands before the brackets is a special of warp or typing, or a Python type.
 * One index is a list of one item here. */
value subscript_special(ctx *c, const value *v, const value *index)
{
    bool many = index->kind == VALUE_TUPLE;
    const value *items = many ? index->items : index;
    uint32_t n = many ? index->n : 1;
    special_id id = v->kind == VALUE_TYPE ? SP_none : (special_id)v->n;
    if (v->kind == VALUE_TYPE && v->type->kind == TYPE_NATIVE)
        return hash_grid_query(c, v->type, value_as_type(c, index));
    const type *t;
    /* Behind this point all items of the index may be read, though single ones may be unknown. */
    if (index->kind == VALUE_UNKNOWN)
        return *index;
    if (n == 0)
        return unknown("weft does not evaluate this subscript");
    if (id >= SP_array && id <= SP_indexedfabricarray)
        return array_of(c, id, &items[0],
                        rank_of(id) ? rank_of(id)
                        : n > 1     ? rank_value(&items[1])
                                    : 1);
    switch (id) {
    case SP_ref:
        t = value_as_type(c, index);
        if (!t)
            return unknown("the referenced type is not known");
        return value_type(is_python_number(index) ? type_ref_named(c, t) : type_ref(c, t));
    case SP_py_tuple:
    case SP_typing_Tuple: return tuple_annotation(c, items, n);
    /* Literal["a", "b"] counts as its first value, since no type depends on the others. */
    case SP_typing_Literal: return items[0];
    case SP_typing_Callable:
    case SP_abc_Callable: return value_type(type_scalar(c, TYPE_CALLABLE));
    /* Any and numbers alike; the order of the parameters differs from wp.types.vector. */
    case SP_Vector:
        return n == 2 ? vector_of(c, &items[1], &items[0]) : unknown("Vector takes 2 parameters");
    case SP_Matrix:
        return n == 3 ? matrix_of(c, &items[1], &items[2], &items[0])
                      : unknown("Matrix takes 3 parameters");
    case SP_Quaternion: return quaternion_of(c, index, false);
    case SP_Transformation: return quaternion_of(c, index, true);
    case SP_builtin_functions: return builtin_by_name(c, index);
    case SP_np_dtype_to_warp_type: return index_numpy_types(c, index);
    case SP_tile: return tile_annotation(c, items, n);
    default: return unknown("weft does not evaluate this subscript");
    }
}
