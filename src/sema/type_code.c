/* SPDX-License-Identifier: Apache-2.0 */
/* Warp 1.19 get_type_code and get_signature: the codes that distinguish overloads, and that struct
 * names are hashed from. Examples:
 *
 *     float                  f4            wp.mat33             m33f4
 *     wp.vec3                v3f4          wp.quat              qf4
 *     wp.array2d[int]        a2i4          tuple[int, float]    tpl2i4f4
 *
 * (float, wp.vec3, wp.array2d[int]) has the signature "f4_v3f4_a2i4". "?" stands for what a generic
 * type leaves open; a signature that contains it is generic. */
#include "sema/sema.h"

/* Warp 1.19 simple_type_codes, and the codes of generic hints. NULL: no such type. */
static const char *basic_code(type_kind k)
{
    switch (k) {
    case TYPE_BOOL: return "b";
    case TYPE_INT8: return "i1";
    case TYPE_UINT8: return "u1";
    case TYPE_INT16: return "i2";
    case TYPE_UINT16: return "u2";
    case TYPE_INT32: return "i4";
    case TYPE_UINT32: return "u4";
    case TYPE_INT64: return "i8";
    case TYPE_UINT64: return "u8";
    case TYPE_FLOAT16: return "f2";
    case TYPE_BFLOAT16: return "bf2";
    case TYPE_FLOAT32: return "f4";
    case TYPE_FLOAT64: return "f8";
    case TYPE_STR: return "str";
    case TYPE_RANGE: return "rg";
    case TYPE_ANY: return "?";
    case TYPE_SCALAR: return "s?";
    case TYPE_FLOAT: return "f?";
    case TYPE_INT: return "i?";
    case TYPE_FUNCTION: return "c";
    default: return NULL;
    }
}

/* Codes of Warp's opaque types; NULL: the type has none. */
static const char *native_code(const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_NATIVE);
    if (t->native->external)
        return t->native->external->code;
    static const struct {
        const char *name, *code;
    } rows[] = {
        {"HashGridQuery", "hgq"},     {"_HashGridQueryH", "hgqh"}, {"_HashGridQueryD", "hgqd"},
        {"MeshQuery", "mqa"},         {"MeshQueryAABB", "mqab"},   {"_MeshQuerySphere", "mqs"},
        {"MeshQueryPoint", "mqp"},    {"MeshQueryRay", "mqr"},     {"BvhQuery", "bvhq"},
        {"_BvhQueryAabb", "bvhqa"},   {"_BvhQueryRay", "bvhqr"},   {"_BvhQueryCapsule", "bvhqc"},
        {"_BvhQuerySphere", "bvhqs"}, {"shape_t", "sh"},           {"Texture1D", "t1"},
        {"Texture2D", "t2"},          {"Texture3D", "t3"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        /* Names are unique, so the order does not matter. */
        if (strcmp(t->native->name, rows[i].name) == 0)
            return rows[i].code;
    return NULL;
}

bool type_has_code(const type *native)
{
    return native_code(native);
}

/* A length, or "?" if the type leaves it open. */
static void put_dim(strbuf *out, int n)
{
    WEFT_ASSERT(n >= 0 || n == TYPE_ANY_DIM);
    if (n == TYPE_ANY_DIM)
        sb_char(out, '?');
    else
        sb_int(out, n);
}

/* Letter by kind, lengths of vectors and matrices, code of the scalar. spatial_vector is v6f4. */
static bool composite_code(strbuf *out, const type *t)
{
    WEFT_ASSERT(type_is_composite(t));
    static const char letters[] = {'v', 'm', 'q', 't'};
    sb_char(out, letters[t->kind - TYPE_VEC]);
    if (t->kind == TYPE_VEC || t->kind == TYPE_MAT)
        put_dim(out, t->rows);
    if (t->kind == TYPE_MAT)
        put_dim(out, t->cols);
    return type_code(out, t->elem);
}

/* Prefix by class, rank, code of the element: wp.indexedarray2d[float] is ia2f4. A fixed array
 * counts as an array, as in Warp. */
static bool array_code(strbuf *out, const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_ARRAY && t->array_class <= 4);
    static const char *const prefixes[] = {"a", "ia", "fa", "ifa", "a"};
    sb_c(out, prefixes[t->array_class]);
    put_dim(out, t->ndim);
    return type_code(out, t->elem);
}

/* "tpl", the number of items and their codes. All items are written, even after one without a code,
 * so the text is the same whichever item fails. */
static bool tuple_code(strbuf *out, const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_TUPLE);
    SB_LIT(out, "tpl");
    sb_int(out, t->nitems);
    bool ok = true;
    for (uint32_t i = 0; i < t->nitems; i++)
        ok = type_code(out, t->items[i]) && ok;
    return ok;
}

/* "ts" or "tr" by storage, then the shape without separators: a 16x8 shared tile of floats is
 * ts168f4. */
static bool tile_code(strbuf *out, const type *t)
{
    WEFT_ASSERT(t->kind == TYPE_TILE);
    sb_c(out, t->shared ? "ts" : "tr");
    /* A pattern that any shape matches. */
    if (t->ndim < 0)
        sb_char(out, '?');
    for (int i = 0; i < t->ndim; i++)
        sb_int(out, t->dims[i]);
    return type_code(out, t->elem);
}

/* Appends the code; false: the type has none, and Warp refuses it in a signature. A struct's code
 * is its native name, so structs of equal content have one code. */
bool type_code(strbuf *out, const type *t)
{
    const char *basic = NULL;
    switch (t->kind) {
    case TYPE_VEC:
    case TYPE_MAT:
    case TYPE_QUAT:
    case TYPE_TRANSFORM: return composite_code(out, t);
    case TYPE_ARRAY: return array_code(out, t);
    case TYPE_TUPLE: return tuple_code(out, t);
    case TYPE_STRUCT: sb_str(out, t->st->native_name); return true;
    case TYPE_REF: SB_LIT(out, "ref"); return type_code(out, t->elem);
    case TYPE_TILE: return tile_code(out, t);
    case TYPE_STACK:
        SB_LIT(out, "ts");
        sb_int(out, t->rows);
        return type_code(out, t->elem);
    case TYPE_NATIVE: basic = native_code(t); break;
    default: basic = basic_code((type_kind)t->kind); break;
    }
    if (basic)
        sb_c(out, basic);
    return basic != NULL;
}

/* The codes of all parameters, joined by '_'; lives in c->module. A parameter without a type, which
 * is an error elsewhere, has an empty code. */
str code_signature(ctx *c, const code *f)
{
    WEFT_ASSERT(f->nparams == 0 || f->params != NULL);
    strbuf b;
    sb_init(&b, &c->mem);
    for (uint32_t i = 0; i < f->nparams; i++) {
        if (i)
            sb_char(&b, '_');
        if (f->params[i].type)
            type_code(&b, f->params[i].type);
    }
    str s = {arena_dup(&c->module, b.p ? b.p : "", b.n), b.n};
    sb_clear(&b);
    return s;
}
