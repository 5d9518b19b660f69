/* Warp's types, hash-consed: equal types are one pointer, so == compares. Concrete types without
 * structs live as long as the context; types that mention a struct of the module live in c->module
 * and are forgotten by types_reset. `type_id` of a type is dense and stable. */
#ifndef WEFT_TYPES_TYPE_H
#define WEFT_TYPES_TYPE_H

#include "base/ctx.h"

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
    TYPE_TUPLE,     /* items: tuple_t */
    TYPE_SLICE,     /* Warp's slice_t: wp::slice_t */
    TYPE_RANGE,     /* wp.range_t */
    TYPE_STR,
    TYPE_NATIVE,   /* opaque builtin object: name (uint64-like handles, query objects, ...) */
    TYPE_TILE,     /* elem, items unused; shape in dims, storage */
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

typedef enum array_class {
    ARRAY_PLAIN,
    ARRAY_INDEXED,
    ARRAY_FABRIC,
    ARRAY_INDEXED_FABRIC,
    ARRAY_FIXED
} array_class;

/* Pattern parts of generic composites: rows/cols/ndim == TYPE_ANY_DIM means "any". */
enum { TYPE_ANY_DIM = -1, TYPE_DIMS_MAX = 8 };

typedef struct struct_def struct_def;

typedef struct type {
    uint8_t kind;        /* type_kind */
    uint8_t array_class; /* TYPE_ARRAY */
    bool generic;        /* mentions a pattern */
    int rows,
        cols; /* TYPE_VEC, TYPE_MAT, TYPE_QUAT (4), TYPE_TRANSFORM (7); fixed array: size in rows */
    int ndim; /* TYPE_ARRAY */
    uint32_t id;
    const struct type *elem;         /* element, target */
    const struct type *const *items; /* TYPE_TUPLE */
    uint32_t nitems;
    const struct_def *st;
    str cname;  /* Var.ctype() of Warp 1.19: "wp::float32", "wp::vec_t<3,wp::float32>", "bool"; a
                   reference ends in '*' */
    str pyname; /* for messages: "float32", "vec3f", "array(dtype=float32, ndim=2)" as type_repr of
                   Warp 1.19 */
} type;

typedef struct struct_field {
    const sym *name;
    const type *type;
} struct_field;

/* A @wp.struct class. */
struct struct_def {
    const sym *name; /* Python name */
    str native_name; /* "Name_1a2b3c4d": Warp 1.19 Struct.__init__ hash of its content */
    const struct_field *fields;
    uint32_t nfields;
};

/* c->types for a fresh context; in c->perm. */
void types_init(ctx *c);
/* Forgets the types made since types_init that mention structs. */
void types_reset(ctx *c);

const type *type_scalar(const ctx *c, type_kind k); /* any kind without parameters */
const type *type_vec(ctx *c, const type *elem, int rows);
const type *type_mat(ctx *c, const type *elem, int rows, int cols);
const type *type_quat(ctx *c, const type *elem);
const type *type_transform(ctx *c, const type *elem);
const type *type_struct(ctx *c, const struct_def *st); /* st in c->module */
const type *type_array(ctx *c, array_class cls, const type *elem, int ndim);
const type *type_fixed_array(ctx *c, const type *elem, int ndim, int size);
const type *type_ref(ctx *c, const type *target);
const type *type_tuple(ctx *c, const type *const *items, uint32_t n);
const type *type_native(ctx *c, const char *name); /* "bvh_query_t", ...; NULL when unknown */
/* The type that warp's module attribute `name` names ("vec3", "mat22d", "float32", "quat", "int",
 * "spatial_vector", "transformf", "uint8", "vec4ub", ...), or NULL. */
const type *type_by_name(ctx *c, const sym *name);

static inline bool type_is_scalar(const type *t) {
    return t->kind <= TYPE_FLOAT64;
}

static inline bool type_is_integer(const type *t) {
    return t->kind >= TYPE_INT8 && t->kind <= TYPE_UINT64;
}

static inline bool type_is_float(const type *t) {
    return t->kind >= TYPE_FLOAT16 && t->kind <= TYPE_FLOAT64;
}

/* vec, mat, quat, transform */
static inline bool type_is_composite(const type *t) {
    return t->kind >= TYPE_VEC && t->kind <= TYPE_TRANSFORM;
}

/* Warp 1.19 type_is_value: scalars and composites. */
static inline bool type_is_value(const type *t) {
    return type_is_scalar(t) || type_is_composite(t);
}

/* The value behind a reference; t itself otherwise. */
static inline const type *type_strip_ref(const type *t) {
    return t->kind == TYPE_REF ? t->elem : t;
}

/* Scalar type of a value type (itself for scalars), else NULL. */
static inline const type *type_scalar_of(const type *t) {
    return type_is_scalar(t) ? t : type_is_composite(t) ? t->elem : NULL;
}

/* Warp 1.19 types_equal / types_equal_generic: does `t` fit the pattern `p`? */
bool type_matches(const type *p, const type *t);

#endif
