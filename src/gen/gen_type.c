/* SPDX-License-Identifier: Apache-2.0 */
/* Types in source text, and the beginning of a builtin's call. Warp has names for some types;
 * others get one of the file's own, before everything else:
 *
 *     vec3 of float32    ->  wp.vec3, or wp.vec3f by the style
 *     vec5 of float32    ->  vec5, and at the top: vec5 = wp.types.vector(length=5, dtype=float)
 *     dot with vec3      ->  wp.dot(
 */
#include "gen/gen_type.h"

#include "gen/gen_coverage.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"

/* Writes Warp's name if there is one: vectors of 2 to 4 of all numbers but bfloat16, square
 * matrices of 2 to 4 of floats but bfloat16, quaternions, transforms; vec6f is a spatial_vector.
 * False: there is none, and nothing is written. */
static bool put_predefined(gen *g, gtype t)
{
    static const uint8_t floats =
        1 << (GS_F16 - GS_F16) | 1 << (GS_F32 - GS_F16) | 1 << (GS_F64 - GS_F16);
    /* A float of the three widths that have predefined names; bfloat16 has none. */
    const bool real = t.sc >= GS_F16 && (floats >> (t.sc - GS_F16) & 1);
    const bool square = t.kind == GK_MAT && t.rows == t.cols;
    const bool six = t.rows == 6 && (t.kind == GK_VEC || square);
    const bool small = t.rows <= 4 && (t.kind != GK_MAT || square);
    /* Integers have vectors only. */
    if (!real && (t.kind != GK_VEC || t.sc >= GS_F16 || t.sc == GS_BOOL))
        return false;
    if (!small && !(six && real))
        return false;
    W(g, "wp.");
    if (six)
        sb_c(g->text.out, square ? "spatial_matrix" : "spatial_vector");
    else
        put_type_stem(g->text.out, t);
    /* Without a suffix Warp means float32. */
    if (t.sc != GS_F32 || g->names.style.suffix_f)
        put(g, type_suffix(t));
    return true;
}

/* float and int, or wp.float32 and wp.int32 by the style. */
static void put_scalar(gen *g, gtype t)
{
    if (!g->names.style.long_scalars && t.sc == GS_F32) {
        W(g, "float");
    } else if (!g->names.style.long_scalars && t.sc == GS_I32) {
        W(g, "int");
    } else if (t.sc == GS_BOOL) {
        W(g, "bool");
    } else {
        W(g, "wp.");
        put(g, scalar_name(t));
    }
}

/* Writes "vec5 = wp.types.vector(length=5, dtype=wp.float32)" into type_names; returns the name. */
static str alias_write(gen *g, gtype t)
{
    WEFT_ASSERT(t.kind != GK_SCALAR);
    strbuf *out = g->text.out, *b = &g->text.type_names;
    const size_t begin = b->n;
    put_type_stem(b, t);
    if (t.sc != GS_F32 || g->names.style.suffix_f)
        sb_str(b, type_suffix(t));
    const str name = name_keep(g, (str){b->p + begin, b->n - begin});
    g->text.out = b;
    W(g, " = wp.types.");
    sb_c(b, t.kind == GK_VEC    ? "vector(length="
            : t.kind == GK_MAT  ? "matrix(shape=("
            : t.kind == GK_QUAT ? "quaternion("
                                : "transformation(");
    if (t.rows)
        sb_uint(b, t.rows);
    if (t.kind == GK_MAT) {
        W(g, ", ");
        sb_uint(b, t.cols);
        W(g, ")");
    }
    if (t.rows)
        W(g, ", ");
    W(g, "dtype=");
    put_scalar(g, t);
    W(g, ")\n");
    g->text.out = out;
    return name;
}

/* The file's own name for a type that Warp has none for. Where the table is full, the newest is
 * forgotten, and written again where it is needed. */
static void put_alias(gen *g, gtype t)
{
    uint32_t i = 0;
    while (i < g->text.naliases && !gt_same(g->text.aliases[i].t, t))
        i++;
    /* Its line stays in the file: an alias twice is no error. */
    if (i == ALIASES_MAX)
        g->text.naliases = --i; /* the newest is forgotten, and written again where it is needed */
    WEFT_ASSERT(i < ALIASES_MAX);
    if (i == g->text.naliases)
        g->text.aliases[g->text.naliases++] = (galias){t, alias_write(g, t)};
    put(g, g->text.aliases[i].name);
}

/* Writes the type into the scratch buffer, for the sake of its alias, and takes the text back. */
void declare_type(gen *g, gtype t)
{
    strbuf *out = g->text.out;
    const size_t n = g->text.whole.n;
    g->text.out = &g->text.whole;
    put_type(g, t);
    /* What put_type wrote is not for here. */
    g->text.whole.n = n;
    g->text.out = out;
}

void put_type(gen *g, gtype t)
{
    if (t.kind == GK_SCALAR)
        put_scalar(g, t);
    else if (!put_predefined(g, t))
        put_alias(g, t);
}

/* A conversion is a call of the builtin that has the type's name. */
static gen_fn conversion(const gen *g, gtype t)
{
    static const uint8_t fns[GS_COUNT] = {
        [GS_BOOL] = FN_bool,  [GS_I8] = FN_int8,     [GS_U8] = FN_uint8,      [GS_I16] = FN_int16,
        [GS_U16] = FN_uint16, [GS_I32] = FN_int32,   [GS_U32] = FN_uint32,    [GS_I64] = FN_int64,
        [GS_U64] = FN_uint64, [GS_F16] = FN_float16, [GS_BF16] = FN_bfloat16, [GS_F32] = FN_float32,
        [GS_F64] = FN_float64};
    /* Python's own names, as put_scalar writes them. */
    if (!g->names.style.long_scalars && t.sc == GS_F32)
        return FN_float;
    return !g->names.style.long_scalars && t.sc == GS_I32 ? FN_int : (gen_fn)fns[t.sc];
}

void put_cast(gen *g, gtype t)
{
    WEFT_ASSERT(t.sc < GS_COUNT);
    put_type(g, t);
    /* A vector's constructor is no builtin of gen_builtin.def. */
    if (gt_is_scalar(t))
        count_builtin(g, conversion(g, t));
    W(g, "(");
    cover_type(g, gt_is_scalar(t) ? THING_CAST : THING_BUILD, t);
}

/* Ways in use: array(dtype=T, ndim=2), array2d(dtype=T), array2d[T]. Arrays of one dimension are
 * plain wp.array. */
static bool is_numbered(const gen *g, int rank)
{
    return g->names.style.array_syntax != 0 && (rank > 1 || g->names.style.array_syntax == 3);
}

/* "wp.array2d[" or "wp.array(dtype=", up to the element type. */
static void array_type_open(gen *g, int rank)
{
    WEFT_ASSERT(rank >= 1 && rank <= RANK_MAX);
    W(g, "wp.array");
    if (is_numbered(g, rank)) {
        sb_char(g->text.out, (char)('0' + rank));
        W(g, "d");
    }
    if (g->names.style.array_syntax == 2)
        W(g, "[");
    else
        W(g, "(dtype=");
}

/* What follows the element type. */
static void array_type_close(gen *g, int rank)
{
    if (rank > 1 && !is_numbered(g, rank)) {
        W(g, ", ndim=");
        sb_char(g->text.out, (char)('0' + rank));
    }
    if (g->names.style.array_syntax == 2)
        W(g, "]");
    else
        W(g, ")");
}

void put_array_type(gen *g, gtype t, int rank)
{
    array_type_open(g, rank);
    put_type(g, t);
    array_type_close(g, rank);
}

void put_record_array_type(gen *g, const grecord *record, int rank)
{
    array_type_open(g, rank);
    put(g, record->type);
    array_type_close(g, rank);
}

/* "wp.NAME(" from a table of texts with their lengths: the commonest text of all. */
static void put_name(gen *g, gen_fn fn)
{
    WEFT_ASSERT(fn < FN_COUNT);
    static const str names[FN_COUNT] = {
#define FN(name, class) {"wp." #name "(", sizeof("wp." #name "(") - 1},
#include "gen/gen_builtin.def"
    };
    /* For the list of builtins in the metadata; the production is counted by the caller. */
    g->coverage.used[fn >> 6] |= UINT64_C(1) << (fn & 63);
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

/* int32 in 6 of 16 cases, then int64 and the unsigned of 32 and 64 bits; small ones in a
 * quarter. */
gen_scalar integer_type(gen *g)
{
    static const uint8_t ints[16] = {GS_I32, GS_I32, GS_I32, GS_I32, GS_I32, GS_I32,
                                     GS_I64, GS_I64, GS_U32, GS_U32, GS_U64, GS_U64,
                                     GS_I8,  GS_U8,  GS_I16, GS_U16};
    return (gen_scalar)ints[below(g, 16)];
}
