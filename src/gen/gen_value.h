/* SPDX-License-Identifier: Apache-2.0 */
/* What the generator has of a value: its type, and how large and how low it may be. Wants and
 * bounds keep every operation in its domain; gen_state.h gives the idea.
 *
 *     0.5 * x with |x| <= 4   ->  {mag 1, LOW_NONE}: |0.5 * x| <= 2^1
 *     wp.exp(x)               ->  {mag 6, LOW_POS}:  at most 2^6, at least 1/64
 */
#ifndef WEFT_GEN_GEN_VALUE_H
#define WEFT_GEN_GEN_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

/* Warp's scalar types, in an order that tests rely on: bool, then integers by width with the
 * unsigned one behind the signed one, then floats. So `sc >= GS_F16` is a float. */
typedef enum gen_scalar {
    GS_BOOL,
    GS_I8,
    GS_U8,
    GS_I16,
    GS_U16,
    GS_I32,
    GS_U32,
    GS_I64,
    GS_U64,
    GS_F16,
    GS_BF16,
    GS_F32,
    GS_F64,
    GS_COUNT
} gen_scalar;

/* Kinds of types. GK_VEC to GK_XFORM are composites: values of several numbers of one scalar. */
typedef enum gen_kind {
    GK_SCALAR,
    GK_VEC,
    GK_MAT,
    GK_QUAT, /* four numbers; a rotation where its length is 1 */
    GK_XFORM /* a point and a quaternion */
} gen_kind;

/* A type by value: four bytes, compared as a whole. Fields that a kind does not use are 0. */
typedef struct gtype {
    uint8_t kind, sc, rows, cols; /* rows: vec length; rows, cols: matrix shape; else 0 */
} gtype;

static inline bool gt_same(gtype a, gtype b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline gtype gt_scalar(gen_scalar sc)
{
    return (gtype){GK_SCALAR, (uint8_t)sc, 0, 0};
}

static inline gtype gt_vec(uint8_t sc, int rows)
{
    return (gtype){GK_VEC, sc, (uint8_t)rows, 0};
}

static inline gtype gt_mat(uint8_t sc, int rows, int cols)
{
    return (gtype){GK_MAT, sc, (uint8_t)rows, (uint8_t)cols};
}

static inline gtype gt_quat(uint8_t sc)
{
    return (gtype){GK_QUAT, sc, 0, 0};
}

static inline gtype gt_xform(uint8_t sc)
{
    return (gtype){GK_XFORM, sc, 0, 0};
}

static inline bool gt_is_float(gtype t)
{
    return t.sc >= GS_F16;
}

/* float16 and bfloat16, which many builtins do not take and whose range is small. */
static inline bool gt_is_half(gtype t)
{
    return t.sc == GS_F16 || t.sc == GS_BF16;
}

static inline bool gt_is_unsigned(gtype t)
{
    return t.sc == GS_U8 || t.sc == GS_U16 || t.sc == GS_U32 || t.sc == GS_U64;
}

/* Its C++ arithmetic wraps around, by the language's rules or by those of narrowing. */
static inline bool gt_wraps(gtype t)
{
    return t.sc != GS_I32 && t.sc != GS_I64 && t.sc < GS_F16;
}

static inline bool gt_is_scalar(gtype t)
{
    return t.kind == GK_SCALAR;
}

/* A lower bound. 1/64 is far enough from zero for divisors, logarithms and roots: quotients grow by
 * at most 2^6, which gen_float.c counts on. */
typedef enum gen_low {
    LOW_NONE, /* may be negative */
    LOW_ZERO, /* x >= 0 */
    LOW_POS   /* x >= 1/64; integers: x >= 1 */
} gen_low;

/* What an expression returns of itself: |x| <= 2^mag in each component, and its lower bound. */
typedef struct bound {
    int8_t mag;
    uint8_t low;
    bool fixed;
} bound;

/* What a caller needs of an expression. `mag` may be negative: -1 is |x| <= 0.5. */
typedef struct want {
    gtype t;
    int8_t mag;
    uint8_t low;
    bool varies; /* no literal, nor what is known at compile time */
} want;

enum { RANK_MAX = 4 }; /* dimensions of an array, and of a launch */

enum {
    MAG_ANY = 60,      /* a want where nothing limits a float */
    MAG_INPUT = 2,     /* floats that a caller passes: |x| <= 4 */
    MAG_INT_INPUT = 6, /* integers that a caller passes */
    LOG_DIM = 8        /* dimensions are at most 2^8 */
};

/* The greatest magnitude that an expression of this type is given. Below the type's range, so that
 * sums and adjoints of the value have room. */
int mag_limit(gtype t);
/* The magnitude that a variable of a loop has before, in and after it: mag_limit less room for its
 * updates. */
int mag_state(gtype t);
/* The magnitude that a value of a struct's field is given. */
int mag_field(gtype t);
gtype scalar_of(gtype t);
str scalar_name(gtype t);               /* "float32" */
str type_suffix(gtype t);               /* "f" of vec3f */
void put_type_stem(strbuf *b, gtype t); /* "vec3", "mat23", "quat", "transform" */
void put_type_name(strbuf *b, gtype t); /* "vec3f": Warp's own name */

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* Magnitudes are cut at 120: further out nothing is compared any more, and sums of two stay within
 * int8_t. */
static inline bound bound_of(int mag, gen_low low)
{
    return (bound){(int8_t)(mag > 120 ? 120 : mag), (uint8_t)low, false};
}

static inline want want_of(gtype t, int mag)
{
    return (want){t, (int8_t)mag, LOW_NONE, false};
}

/* The same want, of an expression that depends on inputs. At least one operand of each operator
 * varies, since constants would be folded and have no derivative. */
static inline want varying(want w)
{
    w.varies = true;
    return w;
}

static inline want at_least(want w, gen_low low)
{
    w.low = (uint8_t)low;
    return w;
}

#endif
