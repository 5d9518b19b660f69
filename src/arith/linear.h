/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on vectors and matrices: what their tables (linear_*.c) and arith_linear.c share.
 *
 * An operation has some forms, one for each pattern of argument types; a form has functions for
 * each scalar kind. "mul" has seven:
 *
 *     mul_by (vec, scalar)    mul_of (scalar, vec)    mat_vec (mat, vec)    mat_mat (mat, mat)
 *     mul_by (mat, scalar)    mul_of (scalar, mat)    vec_mat (vec, mat)
 *
 * The functions do not know lengths at compile time, unlike Warp's templates: the matching function
 * puts lanes, rows and columns into op->param, and the functions loop over them. Matrices lie in
 * memory by rows. */
#ifndef WEFT_ARITH_LINEAR_H
#define WEFT_ARITH_LINEAR_H

#include "arith/arith_family.h"

/* What a matching function finds: the rest of an arith_op beside the functions. */
typedef struct linear_shape {
    const type *elem;   /* chooses the functions */
    const type *result; /* NULL: op has no result, it changes argument 0 */
    int32_t param[4];
} linear_shape;

/* Do the arguments of the request fit the form? Fills *s if so; else *s may be partly filled. */
typedef bool linear_match(const arith_request *q, linear_shape *s);

/* One pattern of argument types of a builtin, and its functions by scalar kind (type_kind): a kind
 * whose `run` is NULL is not accepted. `differs` as in arith_op. */
typedef struct linear_form {
    const char *name; /* NULL ends a table */
    linear_match *match;
    arith_fns of[TYPE_FLOAT64 + 1];
    bool differs;
} linear_form;

extern const linear_form linear_lanes[], linear_products[], linear_square[], linear_elements[];

/* linear_match.c. `lanes` below is param[0], `rows` and `cols` are param[0] and param[1] of the
 * first matrix (a vector: its length and 1). */
linear_match match_each;      /* (c) -> c: lanes */
linear_match match_two;       /* (c, c) -> c: lanes */
linear_match match_vec_by;    /* (vec, scalar) -> vec: lanes */
linear_match match_mat_by;    /* (mat, scalar) -> mat: lanes */
linear_match match_by_vec;    /* (scalar, vec) -> vec: lanes */
linear_match match_by_mat;    /* (scalar, mat) -> mat: lanes */
linear_match match_vec_lerp;  /* (vec, vec, scalar) -> vec: lanes */
linear_match match_mat_lerp;  /* (mat, mat, scalar) -> mat: lanes */
linear_match match_test;      /* (c) -> bool: lanes */
linear_match match_compare;   /* (c, c) -> bool: lanes */
linear_match match_reduce;    /* (vec) -> scalar: lanes */
linear_match match_normalize; /* (vec) -> vec: lanes */
linear_match match_place;     /* (vec) -> uint32: lanes */
linear_match match_dot;       /* (vec, vec) -> scalar: lanes */
linear_match match_ddot;      /* (mat, mat) -> scalar: lanes */
linear_match match_cross;     /* (vec3, vec3) -> vec3 */
linear_match match_skew;      /* (vec3) -> mat33 */
linear_match match_outer;     /* (vec, vec) -> mat: rows, cols of the result */
linear_match match_mat_vec;   /* (mat, vec) -> vec: rows, cols */
linear_match match_vec_mat;   /* (vec, mat) -> vec: rows, cols of the matrix */
linear_match match_mat_mat;   /* (mat, mat) -> mat: rows, cols, param[2]: cols of the other */
linear_match match_transpose; /* (mat) -> mat: rows, cols */
linear_match match_trace;     /* (square) -> scalar: rows */
linear_match match_diag;      /* (vec) -> square: rows */
linear_match match_get_diag;  /* (square) -> vec: rows */
linear_match match_square2;   /* (mat22) -> mat22, and so on */
linear_match match_square3;
linear_match match_square4;
linear_match match_volume2; /* (mat22) -> scalar, and so on */
linear_match match_volume3;
linear_match match_volume4;
linear_match match_point;    /* (mat44, vec3) -> vec3 */
linear_match match_identity; /* () -> square: rows */

/* linear_construct.c */
arith_resolver linear_construct;
arith_resolver linear_from_rows, linear_from_cols;
/* linear_decompose.c */
arith_resolver linear_svd, linear_qr, linear_eig;

/* Tables of functions by kind. Integers have adjoints as Warp's templates have them, though no
 * tangents: casts pass adjoints through them. */
#define LINEAR_INTEGERS(name, adj)                                                                 \
    [TYPE_INT8] = {name##_i8, NULL, adj##_i8}, [TYPE_UINT8] = {name##_u8, NULL, adj##_u8},         \
    [TYPE_INT16] = {name##_i16, NULL, adj##_i16}, [TYPE_UINT16] = {name##_u16, NULL, adj##_u16},   \
    [TYPE_INT32] = {name##_i32, NULL, adj##_i32}, [TYPE_UINT32] = {name##_u32, NULL, adj##_u32},   \
    [TYPE_INT64] = {name##_i64, NULL, adj##_i64}, [TYPE_UINT64] = {name##_u64, NULL, adj##_u64}
/* Integers without adjoints: Warp's adj_NAME is empty for them. */
#define LINEAR_INTEGERS_FLAT(name)                                                                 \
    [TYPE_INT8] = {name##_i8, NULL, NULL}, [TYPE_UINT8] = {name##_u8, NULL, NULL},                 \
    [TYPE_INT16] = {name##_i16, NULL, NULL}, [TYPE_UINT16] = {name##_u16, NULL, NULL},             \
    [TYPE_INT32] = {name##_i32, NULL, NULL}, [TYPE_UINT32] = {name##_u32, NULL, NULL},             \
    [TYPE_INT64] = {name##_i64, NULL, NULL}, [TYPE_UINT64] = {name##_u64, NULL, NULL}
/* The four float kinds with NAME as the value, NAME_d as the tangent and `adj` as the adjoint. */
#define LINEAR_FLOATS(name, adj)                                                                   \
    [TYPE_FLOAT16] = {name##_f16, name##_f16_d, adj##_f16},                                        \
    [TYPE_BFLOAT16] = {name##_bf16, name##_bf16_d, adj##_bf16},                                    \
    [TYPE_FLOAT32] = {name##_f32, name##_f32_d, adj##_f32},                                        \
    [TYPE_FLOAT64] = {name##_f64, name##_f64_d, adj##_f64}
/* Tests and places of lanes, which have no derivatives. */
#define LINEAR_FLOATS_FLAT(name)                                                                   \
    [TYPE_FLOAT16] = {name##_f16, NULL, NULL}, [TYPE_BFLOAT16] = {name##_bf16, NULL, NULL},        \
    [TYPE_FLOAT32] = {name##_f32, NULL, NULL}, [TYPE_FLOAT64] = {name##_f64, NULL, NULL}
/* With a tangent of another name, which several values share: inverse2 to inverse4 have
 * `inverse`. */
#define LINEAR_FLOATS_BY(name, tan, adj)                                                           \
    [TYPE_FLOAT16] = {name##_f16, tan##_f16_d, adj##_f16},                                         \
    [TYPE_BFLOAT16] = {name##_bf16, tan##_bf16_d, adj##_bf16},                                     \
    [TYPE_FLOAT32] = {name##_f32, tan##_f32_d, adj##_f32},                                         \
    [TYPE_FLOAT64] = {name##_f64, tan##_f64_d, adj##_f64}
/* With a tangent, but Warp adds nothing backward. */
#define LINEAR_FLOATS_FORWARD(name)                                                                \
    [TYPE_FLOAT16] = {name##_f16, name##_f16_d, NULL},                                             \
    [TYPE_BFLOAT16] = {name##_bf16, name##_bf16_d, NULL},                                          \
    [TYPE_FLOAT32] = {name##_f32, name##_f32_d, NULL},                                             \
    [TYPE_FLOAT64] = {name##_f64, name##_f64_d, NULL}
/* All kinds but bool. */
#define LINEAR_ALL(name, adj) LINEAR_INTEGERS(name, adj), LINEAR_FLOATS(name, adj)

/* c + a * b, which Warp 1.19's muladd (mat.h) rounds once for float32 and float64. For float32
 * the sum is formed in double, and fmaf is called only where that could round wrongly. */
static inline float fused_f32(float a, float b, float c)
{
    const double sum = (double)a * (double)b + (double)c; /* the product is exact */
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    /* rounding twice is wrong only where the first one made a tie, or below the normal range */
    if ((bits & 0x1fffffff) == 0x10000000 || (fabs(sum) < 0x1p-125 && sum != 0))
        return fmaf(a, b, c);
    return (float)sum;
}

/* muladd_KIND(a, b, c). Kinds without a fused operation in Warp round twice; integers wrap
 * around. */
#define LINEAR_FUSED(KIND, expression)                                                             \
    static inline num_##KIND muladd_##KIND(num_##KIND a, num_##KIND b, num_##KIND c)               \
    {                                                                                              \
        return expression;                                                                         \
    }
#define LINEAR_MULADD(KIND) LINEAR_FUSED(KIND, add_##KIND(c, mul_##KIND(a, b)))

LINEAR_MULADD(i8)
LINEAR_MULADD(u8)
LINEAR_MULADD(i16)
LINEAR_MULADD(u16)
LINEAR_MULADD(i32)
LINEAR_MULADD(u32)
LINEAR_MULADD(i64)
LINEAR_MULADD(u64)
LINEAR_MULADD(f16)
LINEAR_MULADD(bf16)
LINEAR_MULADD(dual)
LINEAR_FUSED(f32, fused_f32(a, b, c))
LINEAR_FUSED(f64, fma(a, b, c))

/* c + a * b of the body's numbers. */
#define MULADD(a, b, c) ARITH_DO(muladd)(a, b, c)

#endif
