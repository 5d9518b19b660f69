/* What the generator knows of a value: its type, and how large and how low it may be. */
#ifndef WEFT_GEN_GEN_VALUE_H
#define WEFT_GEN_GEN_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

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

typedef enum gen_kind { GK_SCALAR, GK_VEC, GK_MAT, GK_QUAT, GK_XFORM } gen_kind;

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

/* A lower bound: none, 0, or 1/64 (1 for integers). */
typedef enum gen_low { LOW_NONE, LOW_ZERO, LOW_POS } gen_low;

/* |x| <= 2^mag, per component. `fixed`: its value is known when Warp compiles. */
typedef struct bound {
    int8_t mag;
    uint8_t low;
    bool fixed;
} bound;

typedef struct want {
    gtype t;
    int8_t mag;
    uint8_t low;
    bool varies; /* no literal, nor what is known at compile time */
} want;

enum { RANK_MAX = 4 }; /* dimensions of an array, and of a launch */

enum {
    MAG_ANY = 60,      /* asked for where nothing limits a float */
    MAG_INPUT = 2,     /* floats that a caller passes: |x| <= 4 */
    MAG_INT_INPUT = 6, /* integers that a caller passes */
    LOG_DIM = 8        /* dimensions are at most 2^8 */
};

int mag_limit(gtype t); /* greatest magnitude asked of the type */
int mag_state(gtype t); /* magnitude of variables that loops change */
int mag_field(gtype t); /* greatest magnitude of a struct's field */
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

static inline bound bound_of(int mag, gen_low low)
{
    return (bound){(int8_t)(mag > 120 ? 120 : mag), (uint8_t)low, false};
}

static inline want want_of(gtype t, int mag)
{
    return (want){t, (int8_t)mag, LOW_NONE, false};
}

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
