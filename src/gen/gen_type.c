/* Types in source text, their limits, and the names of builtins. */
#include "gen/gen_internal.h"

static const str scalar_names[GS_COUNT] = {
    [GS_BOOL] = {"bool", 4},   [GS_I8] = {"int8", 4},     [GS_U8] = {"uint8", 5},
    [GS_I16] = {"int16", 5},   [GS_U16] = {"uint16", 6},  [GS_I32] = {"int32", 5},
    [GS_U32] = {"uint32", 6},  [GS_I64] = {"int64", 5},   [GS_U64] = {"uint64", 6},
    [GS_F16] = {"float16", 7}, [GS_F32] = {"float32", 7}, [GS_F64] = {"float64", 7}};

/* Warp's suffix of predefined vector and matrix types. */
static char suffix_of(uint8_t sc)
{
    static const char suffixes[GS_COUNT] = {
        [GS_I32] = 'i', [GS_F16] = 'h', [GS_F32] = 'f', [GS_F64] = 'd'};
    return suffixes[sc];
}

gtype scalar_of(gtype t)
{
    return gt_scalar(t.sc);
}

static void put_shape(strbuf *b, gtype t)
{
    if (t.kind == GK_VEC) {
        SB_LIT(b, "vec");
        sb_char(b, (char)('0' + t.rows));
    } else if (t.kind == GK_MAT) {
        SB_LIT(b, "mat");
        sb_char(b, (char)('0' + t.rows));
        sb_char(b, (char)('0' + t.cols));
    } else {
        SB_LIT(b, "quat");
    }
}

void put_type_name(strbuf *b, gtype t)
{
    if (t.kind == GK_SCALAR) {
        sb_str(b, scalar_names[t.sc]);
        return;
    }
    put_shape(b, t);
    sb_char(b, suffix_of(t.sc));
}

void put_type(gen *g, gtype t)
{
    if (t.kind == GK_SCALAR) {
        if (!g->style.long_scalars && t.sc == GS_F32) {
            W(g, "float");
        } else if (!g->style.long_scalars && t.sc == GS_I32) {
            W(g, "int");
        } else if (t.sc == GS_BOOL) {
            W(g, "bool");
        } else {
            W(g, "wp.");
            put(g, scalar_names[t.sc]);
        }
        return;
    }
    W(g, "wp.");
    put_shape(g->out, t);
    if (t.sc != GS_F32 || g->style.suffix_f)
        sb_char(g->out, suffix_of(t.sc));
}

void put_cast(gen *g, gtype t)
{
    put_type(g, t);
    W(g, "(");
    cover_type(g, gt_is_scalar(t) ? THING_CAST : THING_BUILD, t);
}

/* Three ways in use: array(dtype=T, ndim=2), array2d(dtype=T), array2d[T]. */
void put_array_type(gen *g, gtype t, int rank)
{
    bool numbered = g->style.array_syntax != 0 && rank > 1;
    bool square = g->style.array_syntax == 2;
    W(g, "wp.array");
    if (numbered) {
        sb_char(g->out, (char)('0' + rank));
        W(g, "d");
    }
    if (square)
        W(g, "[");
    else
        W(g, "(dtype=");
    put_type(g, t);
    if (rank > 1 && !numbered) {
        W(g, ", ndim=");
        sb_char(g->out, (char)('0' + rank));
    }
    if (square)
        W(g, "]");
    else
        W(g, ")");
}

static void put_name(gen *g, gen_fn fn)
{
    static const str names[FN_COUNT] = {
#define FN(name, class)                                          {"wp." #name "(", sizeof("wp." #name "(") - 1},
#define FN1(name, class, in_mag, in_low, rule, out_mag, out_low) FN(name, class)
#include "gen/gen_fn.def"
#undef FN
#undef FN1
    };
    g->used[fn >> 6] |= UINT64_C(1) << (fn & 63);
    put(g, names[fn]);
}

void put_prefix(gen *g, gen_fn fn)
{
    put_name(g, fn);
    cover(g, (gen_thing)fn);
}

void put_fn(gen *g, gen_fn fn, gtype t)
{
    put_name(g, fn);
    cover_type(g, (gen_thing)fn, t);
}

int mag_limit(gtype t)
{
    static const int8_t limits[GS_COUNT] = {
        [GS_I32] = 28, [GS_U32] = 32, [GS_I64] = 56,     [GS_U64] = 64,
        [GS_F16] = 13, [GS_F32] = 56, [GS_F64] = MAG_ANY};
    return limits[t.sc];
}

int mag_state(gtype t)
{
    static const int8_t limits[GS_COUNT] = {
        [GS_I32] = 26, [GS_U32] = 32, [GS_I64] = 48, [GS_U64] = 64,
        [GS_F16] = 11, [GS_F32] = 36, [GS_F64] = 40};
    return limits[t.sc];
}
