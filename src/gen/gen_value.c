/* What follows from a type alone: its name in Warp, and the magnitudes that it is asked for. */
#include "gen/gen_value.h"

#include "base/assert.h"

static const str scalar_names[GS_COUNT] = {
    [GS_BOOL] = {"bool", 4},   [GS_I8] = {"int8", 4},       [GS_U8] = {"uint8", 5},
    [GS_I16] = {"int16", 5},   [GS_U16] = {"uint16", 6},    [GS_I32] = {"int32", 5},
    [GS_U32] = {"uint32", 6},  [GS_I64] = {"int64", 5},     [GS_U64] = {"uint64", 6},
    [GS_F16] = {"float16", 7}, [GS_BF16] = {"bfloat16", 8}, [GS_F32] = {"float32", 7},
    [GS_F64] = {"float64", 7}};

/* Warp's suffixes of vector and matrix types. */
static const str suffixes[GS_COUNT] = {
    [GS_I8] = {"b", 1},  [GS_U8] = {"ub", 2},   [GS_I16] = {"s", 1}, [GS_U16] = {"us", 2},
    [GS_I32] = {"i", 1}, [GS_U32] = {"ui", 2},  [GS_I64] = {"l", 1}, [GS_U64] = {"ul", 2},
    [GS_F16] = {"h", 1}, [GS_BF16] = {"bf", 2}, [GS_F32] = {"f", 1}, [GS_F64] = {"d", 1}};

str scalar_name(gtype t)
{
    return scalar_names[t.sc];
}

str type_suffix(gtype t)
{
    return suffixes[t.sc];
}

gtype scalar_of(gtype t)
{
    return gt_scalar(t.sc);
}

/* "vec3", "mat23", "quat", "transform" */
void put_type_stem(strbuf *b, gtype t)
{
    static const char *const stems[] = {"", "vec", "mat", "quat", "transform"};
    sb_c(b, stems[t.kind]);
    if (t.rows)
        sb_uint(b, t.rows);
    if (t.kind == GK_MAT)
        sb_uint(b, t.cols);
}

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

int mag_limit(gtype t)
{
    static const int8_t limits[GS_COUNT] = {
        [GS_I8] = 7,   [GS_U8] = 8,    [GS_I16] = 15, [GS_U16] = 16,
        [GS_I32] = 28, [GS_U32] = 32,  [GS_I64] = 56, [GS_U64] = 64,
        [GS_F16] = 13, [GS_BF16] = 30, [GS_F32] = 56, [GS_F64] = MAG_ANY};
    return limits[t.sc];
}

int mag_state(gtype t)
{
    static const int8_t limits[GS_COUNT] = {
        [GS_I8] = 7,   [GS_U8] = 8,   [GS_I16] = 15, [GS_U16] = 16,  [GS_I32] = 26, [GS_U32] = 32,
        [GS_I64] = 48, [GS_U64] = 64, [GS_F16] = 11, [GS_BF16] = 20, [GS_F32] = 36, [GS_F64] = 40};
    return limits[t.sc];
}

int mag_field(gtype t)
{
    return t.sc == GS_BOOL ? 0 : gt_is_half(t) ? MAG_INPUT : 6;
}
