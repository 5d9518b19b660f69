/* SPDX-License-Identifier: Apache-2.0 */
/* Warp's types, hash-consed: equal types are one pointer, so == compares. Concrete types without
 * structs live as long as the context; types that mention a struct of the module live in c->module
 * and are forgotten by types_reset. The `id` of a type is dense and stable. Example:
 *
 *     type_array(c, ARRAY_PLAIN, type_vec(c, type_scalar(c, TYPE_FLOAT32), 3), 2)
 *
 * is what wp.array2d(dtype=wp.vec3) makes: cname "wp::array_t<wp::vec_t<3, wp::float32>>", pyname
 * "array(ndim=2, dtype=vec3f)". Tiles are the exception: each is a type of its own (type_tile). */
#ifndef WEFT_TYPES_TYPE_H
#define WEFT_TYPES_TYPE_H

#include "base/ctx.h"

/* What a type is, and which members of struct type it uses. */
typedef enum type_kind {
    /* scalars, in Warp's order of scalar_types; TYPE_BOOL..TYPE_FLOAT64 are contiguous */
    TYPE_BOOL,
    TYPE_INT8,
    TYPE_UINT8,
    TYPE_INT16,
    TYPE_UINT16,
    TYPE_INT32,
    TYPE_UINT32,
    TYPE_INT64,
    TYPE_UINT64,
    TYPE_FLOAT16,
    TYPE_BFLOAT16,
    TYPE_FLOAT32,
    TYPE_FLOAT64,
    TYPE_VEC,       /* elem, rows: wp.vec*, length `rows` */
    TYPE_MAT,       /* elem, rows, cols */
    TYPE_QUAT,      /* elem; rows 4 */
    TYPE_TRANSFORM, /* elem; rows 7 */
    TYPE_STRUCT,    /* st */
    TYPE_ARRAY,     /* elem, ndim, array_class */
    TYPE_REF,       /* elem: Warp's Reference(T), a pointer to storage */
    TYPE_TUPLE,     /* items: tuple_t; cols: see type_tuple_named */
    TYPE_SLICE,     /* Warp's slice_t: wp::slice_t; dims: start, stop, step when `known` */
    TYPE_RANGE,     /* wp.range_t */
    TYPE_STR,
    TYPE_NATIVE,   /* builtin object of a fixed C++ class: native (query objects, Mesh, shape_t) */
    TYPE_TILE,     /* elem; dims: ndim extents, then ndim strides; shared, owner */
    TYPE_STACK,    /* Warp's tile_stack: elem, capacity in rows */
    TYPE_FUNCTION, /* wp.Function annotation or a function-valued argument */
    TYPE_VOID,     /* no value */
    /* patterns: only in builtin signatures and generic annotations */
    TYPE_ANY,
    TYPE_SCALAR,
    TYPE_FLOAT,
    TYPE_INT,
    TYPE_CALLABLE,
    TYPE_KIND_COUNT
} type_kind;

/* Warp's array classes: wp.array, wp.indexedarray, wp.fabricarray, wp.indexedfabricarray, and
 * arrays on the stack (wp.zeros in a kernel). */
typedef enum array_class {
    ARRAY_PLAIN,
    ARRAY_INDEXED,
    ARRAY_FABRIC,
    ARRAY_INDEXED_FABRIC,
    ARRAY_FIXED
} array_class;

/* Pattern parts: rows/cols/ndim == TYPE_ANY_DIM means "any". A TYPE_TUPLE of no items matches every
 * tuple; with ndim == TYPE_ANY_DIM it is tuple[items[0], ...]. */
enum { TYPE_ANY_DIM = -1, TYPE_DIMS_MAX = 8 };

/* Warp 1.19 SLICE_BEGIN, SLICE_END: a bound that was left out. */
#define SLICE_BEGIN INT32_MAX
#define SLICE_END   INT32_MIN

typedef struct struct_def struct_def;
typedef struct native_def native_def;
typedef struct external_type external_type;

/* A type. Members that a kind does not use are 0, since types are compared member by member. */
typedef struct type {
    uint8_t kind;        /* type_kind */
    uint8_t array_class; /* TYPE_ARRAY */
    bool generic;        /* mentions a pattern */
    bool in_module;      /* mentions a struct, so it lives in c->module */
    bool known;          /* TYPE_SLICE: all of dims are constants */
    bool shared, owner;  /* TYPE_TILE: storage "shared" (else "register"); owns its memory */
    bool colmajor;       /* TYPE_TILE: layout "colmajor" (else "rowmajor") */
    int rows,
        cols; /* TYPE_VEC, TYPE_MAT, TYPE_QUAT (4), TYPE_TRANSFORM (7); fixed array: size in rows */
    int ndim; /* TYPE_ARRAY */
    uint32_t id;
    const struct type *elem;         /* element, target */
    const struct type *const *items; /* TYPE_TUPLE */
    uint32_t nitems;
    const int64_t *dims;
    uint32_t ndims;
    const struct_def *st;
    const native_def *native;
    str cname;  /* Var.ctype() of Warp 1.19: "wp::float32", "wp::vec_t<3, wp::float32>", "bool"; a
                   reference ends in '*' */
    str pyname; /* for messages: "float32", "vec3f", "array(ndim=2, dtype=float32)", mostly
                   as type_repr of Warp 1.19 */
} type;

/* A field of a struct or of a builtin object. */
typedef struct struct_field {
    const sym *name;
    const type *type;
    size_t offset; /* of structs: layout_struct */
    /* Written wp.handle: a uint64 that Warp 1.19 leaves out of sums of structs and of shuffles. */
    bool is_handle;
} struct_field;

/* A @wp.struct class. */
struct struct_def {
    const sym *name; /* Python name */
    str native_name; /* "Name_1a2b3c4d": Warp 1.19 Struct.__init__ hash of its content */
    const struct_field *fields;
    uint32_t nfields;
    size_t size, align; /* layout_struct; align 0: not known yet */
    /* Finds fields by name, where there are many: a hash table of places in fields, plus one. */
    uint32_t *index, mask;
};

/* The field of this name; nfields: there is none. */
uint32_t struct_find_field(const struct_def *st, const sym *name);
/* Appends a field, or changes the type of the one of this name; returns it. There is room for it in
 * `fields`, and `index` (or NULL) has at least two slots for each field. */
struct_field *struct_add_field(struct_def *st, const sym *name, const type *t);

/* A builtin object type (native.def). `erased` is Warp's type_erased_parent; `size` that of a value
 * at run time, 0: there are no values. */
struct native_def {
    const char *name, *cname;
    const type *erased; /* or NULL */
    const struct_field *fields;
    uint32_t nfields;
    size_t size;
    const external_type *external; /* of a type that the program registers from C++; or NULL */
};

/* What Warp 1.19 add_native_type was told of a C++ type, whose name in C++ is the native_def's. */
struct external_type {
    size_t size, align; /* as ctypes lays it out */
    bool has_fields;    /* kernels may use those of the native_def; false: it is opaque */
    bool aggregate;     /* kernels may make one from all fields */
    char code[19];      /* in signatures: "nt" and 16 digits of a hash */
};

/* Makes c->types for a fresh context, in c->perm: the basic types and the names of warp. */
void types_init(ctx *c);
/* Forgets the types that mention structs. Call it whenever c->module is reset. */
void types_reset(ctx *c);

const type *type_scalar(const ctx *c, type_kind k); /* any kind without parameters */
const type *type_vec(ctx *c, const type *elem, int rows);
const type *type_mat(ctx *c, const type *elem, int rows, int cols);
const type *type_quat(ctx *c, const type *elem);
const type *type_transform(ctx *c, const type *elem);
/* The same quaternion or transformation type, made with dtype=float: Warp 1.19 keeps Python's name
 * in the C++ one, "wp::quat_t<float>". Equal to the other one by type_equal. */
const type *type_named_float(ctx *c, const type *t);
const type *type_struct(ctx *c, const struct_def *st); /* st in c->module */
/* A type that the program registers; d in c->module. Each has values of its own alone. */
const type *type_external(ctx *c, const native_def *d);
/* Is t such a type, an array of one or a reference to one? Warp 1.19 type_contains_native_value. */
bool type_has_external(const type *t);
const type *type_array(ctx *c, array_class cls, const type *elem, int ndim);
const type *type_fixed_array(ctx *c, const type *elem, int ndim, int size);
const type *type_ref(ctx *c, const type *target);
/* wp.ref[float] and wp.ref[int] by Python's names, which Warp keeps: "float*". */
const type *type_ref_named(ctx *c, const type *target);
/* The C++ name of what a TYPE_REF refers to: its cname without the "*". */
str type_target_cname(const type *ref);
/* A slice with the constant bounds start, stop, step; NULL: they are not all constants. */
const type *type_slice(ctx *c, const int64_t bounds[3]);
/* Tile types are objects: each call makes another one, which lives in c->module, because Warp
 * decides where a tile is stored from what happens to it later (type_tile_share). A `layout` of
 * NULL: any shape, a pattern. strides NULL: those of a whole tile in its layout. */
typedef struct tile_layout {
    const int64_t *shape, *strides;
    int ndim;
    bool shared, colmajor, alias; /* alias: does not own its memory */
} tile_layout;
const type *type_tile(ctx *c, const type *elem, const tile_layout *layout);
/* Keeps the tile in shared memory, and every variable that has this very type with it. */
void type_tile_share(ctx *c, const type *t);
/* Appends the initializer of a tile or stack variable: Warp 1.19 tile.cinit, tile_stack.cinit. */
void type_tile_emit_init(strbuf *out, const type *t, bool requires_grad);
int64_t type_tile_size(const type *t); /* number of elements */
/* wp.tile_stack(capacity, dtype): a stack of a block's threads. */
const type *type_stack(ctx *c, const type *elem, int capacity);
const type *type_tuple(ctx *c, const type *const *items, uint32_t n);
/* The annotation tuple[...]: bit i of `python` says that item i is Python's int or float, a name
 * that Warp keeps in C++: wp::tuple_t<int, wp::vec_t<...>>. */
const type *type_tuple_named(ctx *c, const type *const *items, uint32_t n, int python);
/* tuple[item, ...], a pattern. */
const type *type_tuple_of(ctx *c, const type *item);
const type *type_native(ctx *c, const char *name); /* "bvh_query_t", ...; NULL when unknown */
/* The type that warp's module attribute `name` refers to ("vec3", "mat22d", "float32", "quat",
 * "int", "spatial_vector", "transformf", "uint8", "vec4ub", ...), or NULL. */
const type *type_by_name(ctx *c, const sym *name);

static inline bool type_is_scalar(const type *t)
{
    return t->kind <= TYPE_FLOAT64;
}

static inline bool type_is_integer(const type *t)
{
    return t->kind >= TYPE_INT8 && t->kind <= TYPE_UINT64;
}

static inline bool type_is_float(const type *t)
{
    return t->kind >= TYPE_FLOAT16 && t->kind <= TYPE_FLOAT64;
}

/* vec, mat, quat, transform */
static inline bool type_is_composite(const type *t)
{
    return t->kind >= TYPE_VEC && t->kind <= TYPE_TRANSFORM;
}

/* Warp 1.19 matches_array_class(t, array): not indexed, not fabric; a fixed array is an array. */
static inline bool type_is_array(const type *t)
{
    return t->kind == TYPE_ARRAY &&
           (t->array_class == ARRAY_PLAIN || t->array_class == ARRAY_FIXED);
}

/* shape_t, which is no object of its own. */
static inline bool type_is_shape(const type *t)
{
    return t->kind == TYPE_NATIVE && strcmp(t->native->name, "shape_t") == 0;
}
/* What a query of a mesh found: a value with floats, which have adjoints. */
static inline bool type_is_hit(const type *t)
{
    return t->kind == TYPE_NATIVE && (strcmp(t->native->name, "MeshQueryPoint") == 0 ||
                                      strcmp(t->native->name, "MeshQueryRay") == 0);
}

/* Warp 1.19 type_is_value: scalars and composites. */
static inline bool type_is_value(const type *t)
{
    return type_is_scalar(t) || type_is_composite(t);
}

/* The value behind a reference; t itself otherwise. */
static inline const type *type_strip_ref(const type *t)
{
    return t->kind == TYPE_REF ? t->elem : t;
}

/* Scalar type of a value type (itself for scalars), else NULL. */
static inline const type *type_scalar_of(const type *t)
{
    return type_is_scalar(t) ? t : type_is_composite(t) ? t->elem : NULL;
}

/* Is t an array, or a struct that holds one at some depth? */
bool type_has_array(const type *t);

/* Warp 1.19 types_equal_generic: do two types fit each other, patterns on either side? Array rank
 * and tile shape do not matter. Decides builtin overloads. */
bool type_matches(const type *p, const type *t);
/* Warp 1.19 type_matches_template: may the concrete `t` be passed for the annotation `p` of a
 * user's function or kernel? Array rank matters. */
bool type_fits(const type *p, const type *t);
/* Warp 1.19 types_equal: type_matches without patterns; equal but for array rank and the like. */
bool type_equal(const type *a, const type *b);
/* Warp 1.19 type_erasure_join: the common parent of two query types, or NULL. */
const type *type_erasure_join(const type *a, const type *b);
/* Warp 1.19 slice_t.get_length: how many of n items a known slice takes; -1: step 0. */
int64_t type_slice_length(const type *slice, int64_t n);

#endif
