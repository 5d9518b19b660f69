/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from a type alone: its name in Warp, and the magnitudes that values of it are given.
 *
 *     {GK_VEC, GS_F64, 3}  ->  "vec3d"        {GK_SCALAR, GS_I32}  ->  "int32"
 */
#include "gen/gen_value.h"

#include "base/assert.h"

/* Names of scalars in Python text and in metadata. */
static const str scalar_names[GS_COUNT] = {
    [GS_BOOL] = {"bool", 4},   [GS_I8] = {"int8", 4},       [GS_U8] = {"uint8", 5},
    [GS_I16] = {"int16", 5},   [GS_U16] = {"uint16", 6},    [GS_I32] = {"int32", 5},
    [GS_U32] = {"uint32", 6},  [GS_I64] = {"int64", 5},     [GS_U64] = {"uint64", 6},
    [GS_F16] = {"float16", 7}, [GS_BF16] = {"bfloat16", 8}, [GS_F32] = {"float32", 7},
    [GS_F64] = {"float64", 7}};

/* Warp's suffixes of vector and matrix types: vec3 of float64 is vec3d. bool has no such types. */
static const str suffixes[GS_COUNT] = {
    [GS_I8] = {"b", 1},  [GS_U8] = {"ub", 2},   [GS_I16] = {"s", 1}, [GS_U16] = {"us", 2},
    [GS_I32] = {"i", 1}, [GS_U32] = {"ui", 2},  [GS_I64] = {"l", 1}, [GS_U64] = {"ul", 2},
    [GS_F16] = {"h", 1}, [GS_BF16] = {"bf", 2}, [GS_F32] = {"f", 1}, [GS_F64] = {"d", 1}};

str scalar_name(gtype t)
{
    WEFT_ASSERT(t.sc < GS_COUNT);
    return scalar_names[t.sc];
}

str type_suffix(gtype t)
{
    WEFT_ASSERT(t.sc < GS_COUNT && t.sc != GS_BOOL);
    return suffixes[t.sc];
}

gtype scalar_of(gtype t)
{
    return gt_scalar(t.sc);
}

/* "vec3", "mat23", "quat", "transform": the name without its suffix. */
void put_type_stem(strbuf *b, gtype t)
{
    WEFT_ASSERT(t.kind <= GK_XFORM);
    static const char *const stems[] = {"", "vec", "mat", "quat", "transform"};
    sb_c(b, stems[t.kind]);
    if (t.rows)
        sb_uint(b, t.rows);
    if (t.kind == GK_MAT)
        sb_uint(b, t.cols);
}

/* Warp's own name, for metadata and productions. Types that Warp has no name for are written in
 * full: "vector(length=5, dtype=float32)". */
void put_type_name(strbuf *b, gtype t)
{
    const bool sized = t.kind == GK_VEC || t.kind == GK_MAT;
    if (t.kind == GK_SCALAR) {
        sb_str(b, scalar_names[t.sc]);
    } else if (!sized || (t.rows <= 4 && t.cols <= 4 && t.sc != GS_BOOL)) {
        put_type_stem(b, t);
        sb_str(b, type_suffix(t));
    } else {
        sb_c(b, t.kind == GK_VEC ? "vector(length=" : "matrix(shape=(");
        sb_uint(b, t.rows);
        if (t.kind == GK_MAT) {
            SB_LIT(b, ", ");
            sb_uint(b, t.cols);
            SB_LIT(b, ")");
        }
        SB_LIT(b, ", dtype=");
        sb_str(b, scalar_names[t.sc]);
        SB_LIT(b, ")");
    }
}

/* Integers that wrap may have all their bits (gt_wraps); int32 keeps three bits and int64 seven for
 * what is added to a value. Floats: a product of two, as adjoints have, is finite: 2^56 squared is
 * below the 2^127 of float32. float16 ends at 2^15 and keeps two powers of two. */
int mag_limit(gtype t)
{
    WEFT_ASSERT(t.sc < GS_COUNT);
    static const int8_t limits[GS_COUNT] = {
        [GS_I8] = 7,   [GS_U8] = 8,    [GS_I16] = 15, [GS_U16] = 16,
        [GS_I32] = 28, [GS_U32] = 32,  [GS_I64] = 56, [GS_U64] = 64,
        [GS_F16] = 13, [GS_BF16] = 30, [GS_F32] = 56, [GS_F64] = MAG_ANY};
    return limits[t.sc];
}

/* A state is added to 2^log_turns times; see put_update in gen_stmt.c. */
int mag_state(gtype t)
{
    WEFT_ASSERT(t.sc < GS_COUNT);
    static const int8_t limits[GS_COUNT] = {
        [GS_I8] = 7,   [GS_U8] = 8,   [GS_I16] = 15, [GS_U16] = 16,  [GS_I32] = 26, [GS_U32] = 32,
        [GS_I64] = 48, [GS_U64] = 64, [GS_F16] = 11, [GS_BF16] = 20, [GS_F32] = 36, [GS_F64] = 40};
    return limits[t.sc];
}

/* Fields are read by code that has not seen what they were set to, so that all have one bound: 2^6,
 * in half precision that of inputs. */
int mag_field(gtype t)
{
    return t.sc == GS_BOOL ? 0 : gt_is_half(t) ? MAG_INPUT : 6;
}
