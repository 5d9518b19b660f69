/* SPDX-License-Identifier: Apache-2.0 */
/* Names of types, made once when a type is made, and looked up. Examples:
 *
 *     type                       C++ (cname)                      Python (pyname)
 *     vector of 3 float32        wp::vec_t<3, wp::float32>        vec3f
 *     vector of 5 float32        wp::vec_t<5, wp::float32>        vector(length=5, dtype=float32)
 *     2-d array of int32         wp::array_t<wp::int32>           array(ndim=2, dtype=int32)
 *     struct Body                Body_1a2b3c4d                    Body
 *
 * C++ names follow Warp 1.19 Var.type_to_ctype and compute_type_str, to the character, since they
 * are part of the emitted text; Python names follow type_repr and serve messages only. The second
 * half of the file fills the table of types that the module warp names: "vec3", "mat22d", "uint8".
 */
#include <stdio.h>

#include "types/type_table.h"

/* Names of the kinds without parameters, and the suffix that makes "vec3" a "vec3d". */
static const struct {
    const char *py, *c;
    const char *suffix; /* scalar_short_name */
} basics[TYPE_KIND_COUNT] = {
    [TYPE_BOOL] = {"bool", "bool", ""},
    [TYPE_INT8] = {"int8", "wp::int8", "b"},
    [TYPE_UINT8] = {"uint8", "wp::uint8", "ub"},
    [TYPE_INT16] = {"int16", "wp::int16", "s"},
    [TYPE_UINT16] = {"uint16", "wp::uint16", "us"},
    [TYPE_INT32] = {"int32", "wp::int32", "i"},
    [TYPE_UINT32] = {"uint32", "wp::uint32", "ui"},
    [TYPE_INT64] = {"int64", "wp::int64", "l"},
    [TYPE_UINT64] = {"uint64", "wp::uint64", "ul"},
    [TYPE_FLOAT16] = {"float16", "wp::float16", "h"},
    [TYPE_BFLOAT16] = {"bfloat16", "wp::bfloat16", "bf"},
    [TYPE_FLOAT32] = {"float32", "wp::float32", "f"},
    [TYPE_FLOAT64] = {"float64", "wp::float64", "d"},
    [TYPE_RANGE] = {"range_t", "wp::range_t", ""},
    [TYPE_STR] = {"str", "wp::str", ""},
    [TYPE_FUNCTION] = {"Function", "", ""},
    [TYPE_VOID] = {"None", "void", ""},
    [TYPE_ANY] = {"Any", "Any", ""},
    [TYPE_SCALAR] = {"Scalar", "Scalar", ""},
    [TYPE_FLOAT] = {"Float", "Float", ""},
    [TYPE_INT] = {"Int", "Int", ""},
    [TYPE_CALLABLE] = {"Callable", "", ""},
};

/* By array_class. */
static const char *const array_names[] = {"array", "indexedarray", "fabricarray",
                                          "indexedfabricarray", "fixedarray"};

/* n numbers with sep between them. */
static void put_list(strbuf *b, const int64_t *v, int n, const char *sep)
{
    for (int i = 0; i < n; i++) {
        if (i)
            sb_c(b, sep);
        sb_int(b, v[i]);
    }
}

/* "wp::mat_t<2, 3, wp::float64>"; "wp::quat_t<float>" if Python's name is kept. */
static void c_composite(strbuf *b, const type *t)
{
    static const char *const names[] = {"vec_t<", "mat_t<", "quat_t<", "transform_t<"};
    SB_LIT(b, "wp::");
    sb_c(b, names[t->kind - TYPE_VEC]);
    if (t->kind == TYPE_VEC || t->kind == TYPE_MAT) {
        sb_int(b, t->rows);
        SB_LIT(b, ", ");
    }
    if (t->kind == TYPE_MAT) {
        sb_int(b, t->cols);
        SB_LIT(b, ", ");
    }
    bool python = t->kind != TYPE_MAT && t->cols == 1; /* type_named_float */
    sb_str(b, python ? STR("float") : t->elem->cname);
    sb_char(b, '>');
}

/* "wp::array_t<wp::float32>": the rank is no part of the C++ type. Fixed arrays name their size. */
static void c_array(strbuf *b, const type *t)
{
    SB_LIT(b, "wp::");
    sb_c(b, array_names[t->array_class]);
    SB_LIT(b, "_t<");
    if (t->array_class == ARRAY_FIXED) {
        sb_int(b, t->rows);
        SB_LIT(b, ", ");
    }
    sb_str(b, t->elem->cname);
    sb_char(b, '>');
}

/* Warp 1.19 tile.ctype: wp::tile_register_t<...> or wp::tile_shared_t<...> with shape, and strides
 * if it is shared. Empty for a pattern, which no variable has. */
static void c_tile(strbuf *b, const type *t)
{
    if (t->ndim < 0)
        return;
    SB_LIT(b, "wp::tile_");
    sb_c(b, t->shared ? "shared_t<" : "register_t<");
    sb_str(b, t->elem->cname);
    sb_c(b, t->shared ? ",wp::tile_layout_strided_t<wp::tile_shape_t<"
                      : ",wp::tile_layout_register_t<wp::tile_shape_t<");
    put_list(b, t->dims, t->ndim, ",");
    if (!t->shared) {
        SB_LIT(b, ">>>");
        return;
    }
    SB_LIT(b, ">, wp::tile_stride_t<");
    put_list(b, t->dims + t->ndim, t->ndim, ",");
    sb_c(b, t->owner ? ">>, true>" : ">>, false>");
}

/* Registers begin empty; a shared tile that owns its memory allocates it, one that does not is set
 * later (nullptr). */
void type_tile_emit_init(strbuf *b, const type *t, bool requires_grad)
{
    WEFT_ASSERT((t->kind == TYPE_TILE && t->ndim >= 0) || t->kind == TYPE_STACK);
    if (t->kind == TYPE_TILE && !t->shared) {
        sb_str(b, t->cname);
        SB_LIT(b, "{}");
    } else if (t->kind == TYPE_TILE && !t->owner) {
        SB_LIT(b, "nullptr");
    } else if (t->kind == TYPE_TILE) {
        SB_LIT(b, "wp::tile_alloc_empty<");
        sb_str(b, t->elem->cname);
        SB_LIT(b, ",wp::tile_shape_t<");
        put_list(b, t->dims, t->ndim, ",");
        SB_LIT(b, ">,wp::tile_stride_t<");
        put_list(b, t->dims + t->ndim, t->ndim, ",");
        sb_c(b, requires_grad ? ">,true>()" : ">,false>()");
    } else {
        SB_LIT(b, "wp::tile_stack_alloc<");
        sb_str(b, t->elem->cname);
        SB_LIT(b, ", ");
        sb_int(b, t->rows);
        SB_LIT(b, ">()");
    }
}

/* The C++ name of a type that was given as Python's int or float. */
static str python_name(const type *t)
{
    return type_is_float(t) ? STR("float") : STR("int");
}

str type_target_cname(const type *ref)
{
    WEFT_ASSERT(ref->kind == TYPE_REF);
    return ref->cols ? python_name(ref->elem) : ref->elem->cname;
}

/* Appends the C++ name. */
static void c_name(strbuf *b, const type *t)
{
    WEFT_ASSERT(t->kind < TYPE_KIND_COUNT);
    switch ((type_kind)t->kind) {
    case TYPE_VEC:
    case TYPE_MAT:
    case TYPE_QUAT:
    case TYPE_TRANSFORM: c_composite(b, t); break;
    case TYPE_STRUCT: sb_str(b, t->st->native_name); break;
    case TYPE_ARRAY: c_array(b, t); break;
    case TYPE_REF:
        sb_str(b, type_target_cname(t));
        sb_char(b, '*');
        break;
    case TYPE_TUPLE:
        SB_LIT(b, "wp::tuple_t<");
        for (uint32_t i = 0; i < t->nitems; i++) {
            sb_c(b, i ? ", " : "");
            bool python = i < 31 && (t->cols >> i & 1);
            sb_str(b, python ? python_name(t->items[i]) : t->items[i]->cname);
        }
        sb_char(b, '>');
        break;
    case TYPE_SLICE: SB_LIT(b, "wp::slice_t"); break;
    case TYPE_NATIVE: sb_c(b, t->native->cname); break;
    case TYPE_TILE: c_tile(b, t); break;
    case TYPE_STACK:
        SB_LIT(b, "wp::tile_stack_t<");
        sb_str(b, t->elem->cname);
        SB_LIT(b, ", ");
        sb_int(b, t->rows);
        sb_char(b, '>');
        break;
    default:
        WEFT_ASSERT(basics[t->kind].c); /* every kind without parameters has a row */
        sb_c(b, basics[t->kind].c);
        break;
    }
}

/* A dimension; in patterns it may be Any. */
static void py_dim(strbuf *b, int n)
{
    if (n == TYPE_ANY_DIM)
        SB_LIT(b, "Any");
    else
        sb_int(b, n);
}

/* "vec3f", or "vector(length=5, dtype=float32)" when there is no short name: beyond 4, or of bool.
 */
static void py_composite(strbuf *b, const type *t)
{
    static const char *const names[] = {"vec", "mat", "quat", "transform"};
    static const char *const full[] = {"vector", "matrix", "quat", "transform"};
    const char *suffix = basics[t->elem->kind].suffix;
    bool sized = t->kind == TYPE_VEC || t->kind == TYPE_MAT;
    bool small = !sized || (t->rows >= 0 && t->rows <= 4 && t->cols >= 0 && t->cols <= 4);
    if (suffix && *suffix && small) {
        sb_c(b, names[t->kind - TYPE_VEC]);
        if (sized)
            sb_int(b, t->rows);
        if (t->kind == TYPE_MAT)
            sb_int(b, t->cols);
        sb_c(b, suffix);
        return;
    }
    sb_c(b, full[t->kind - TYPE_VEC]);
    sb_c(b, t->kind == TYPE_VEC ? "(length=" : t->kind == TYPE_MAT ? "(shape=(" : "(");
    if (sized)
        py_dim(b, t->rows);
    if (t->kind == TYPE_MAT) {
        SB_LIT(b, ", ");
        py_dim(b, t->cols);
        sb_char(b, ')');
    }
    sb_c(b, sized ? ", dtype=" : "dtype=");
    sb_str(b, t->elem->pyname);
    sb_char(b, ')');
}

/* "array(ndim=2, dtype=float32)" */
static void py_array(strbuf *b, const type *t)
{
    sb_c(b, array_names[t->array_class]);
    SB_LIT(b, "(ndim=");
    py_dim(b, t->ndim);
    SB_LIT(b, ", dtype=");
    sb_str(b, t->elem->pyname);
    sb_char(b, ')');
}

/* "tile(shape=(8, 4), dtype=float32)"; a shape of one dimension is printed as Python's tuple,
 * (8,). */
static void py_tile(strbuf *b, const type *t)
{
    SB_LIT(b, "tile(shape=(");
    if (t->ndim < 0)
        SB_LIT(b, "...");
    else
        put_list(b, t->dims, t->ndim, ", ");
    if (t->ndim == 1)
        sb_char(b, ',');
    SB_LIT(b, "), dtype=");
    sb_str(b, t->elem->pyname);
    sb_char(b, ')');
}

/* "tuple(int32, vec3f)"; "tuple(int32, ...)" for a pattern. */
static void py_tuple(strbuf *b, const type *t)
{
    SB_LIT(b, "tuple(");
    for (uint32_t i = 0; i < t->nitems; i++) {
        sb_c(b, i ? ", " : "");
        sb_str(b, t->items[i]->pyname);
    }
    sb_c(b, t->ndim == TYPE_ANY_DIM ? ", ...)" : ")");
}

/* Appends the Python name. */
static void py_name(strbuf *b, const type *t)
{
    switch ((type_kind)t->kind) {
    case TYPE_VEC:
    case TYPE_MAT:
    case TYPE_QUAT:
    case TYPE_TRANSFORM: py_composite(b, t); break;
    case TYPE_STRUCT: sb_str(b, sym_str(t->st->name)); break;
    case TYPE_ARRAY: py_array(b, t); break;
    case TYPE_REF:
        SB_LIT(b, "wp.ref[");
        sb_str(b, t->elem->pyname);
        sb_char(b, ']');
        break;
    case TYPE_TUPLE: py_tuple(b, t); break;
    case TYPE_SLICE: SB_LIT(b, "slice"); break;
    case TYPE_NATIVE: sb_c(b, t->native->name); break;
    case TYPE_TILE: py_tile(b, t); break;
    case TYPE_STACK:
        SB_LIT(b, "tile_stack(dtype=");
        sb_str(b, t->elem->pyname);
        SB_LIT(b, ", capacity=");
        sb_int(b, t->rows);
        sb_char(b, ')');
        break;
    default: sb_c(b, basics[t->kind].py); break;
    }
}

/* The names are built in one buffer, which is freed, and copied to the type's arena. */
void type_set_names(ctx *c, arena *a, type *t)
{
    strbuf b;
    sb_init(&b, &c->mem);
    c_name(&b, t);
    t->cname = (str){arena_dup(a, b.p ? b.p : "", b.n), b.n};
    b.n = 0;
    py_name(&b, t);
    t->pyname = (str){arena_dup(a, b.p ? b.p : "", b.n), b.n};
    sb_clear(&b);
}

/* Makes `name` of the module warp refer to t. The table is indexed by symbol id and grows to hold
 * it. */
static void set_name(ctx *c, const char *name, const type *t)
{
    type_table *tab = c->types;
    const sym *s = sym_c(&c->syms, name);
    if (s->id >= tab->nnames) {
        uint32_t n = s->id * 2 + 64;
        const type **v = arena_zero(&c->perm, mem_mul(&c->mem, n, sizeof *v));
        if (tab->nnames)
            memcpy(v, tab->by_name, tab->nnames * sizeof *v);
        tab->by_name = v;
        tab->nnames = n;
    }
    tab->by_name[s->id] = t;
}

/* The same for name + the scalar's suffix; of float32 for the plain name too. */
static void set_names(ctx *c, const char *name, const type *t)
{
    char full[32];
    snprintf(full, sizeof full, "%s%s", name, basics[t->elem->kind].suffix);
    set_name(c, full, t);
    if (t->elem->kind == TYPE_FLOAT32)
        set_name(c, name, t);
}

/* Names the composites of elements of kind k: vec2 to vec4, and for floats also square matrices,
 * quaternions, transformations and the spatial types. */
static void name_composites(ctx *c, type_kind k)
{
    const type *e = type_scalar(c, k);
    char name[8] = "vec0";
    for (int n = 2; n <= 4; n++) {
        name[3] = (char)('0' + n);
        set_names(c, name, type_vec(c, e, n));
    }
    if (!type_is_float(e))
        return;
    for (int n = 2; n <= 4; n++) {
        snprintf(name, sizeof name, "mat%d%d", n, n);
        set_names(c, name, type_mat(c, e, n, n));
    }
    set_names(c, "quat", type_quat(c, e));
    set_names(c, "transform", type_transform(c, e));
    set_names(c, "spatial_vector", type_vec(c, e, 6));
    set_names(c, "spatial_matrix", type_mat(c, e, 6, 6));
}

/* The type that a FIELD row of native.def spells. */
static const type *field_type(ctx *c, const char *name)
{
    static const char prefix[] = "array of ";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return type_by_name(c, sym_c(&c->syms, name));
    const type *elem = type_by_name(c, sym_c(&c->syms, name + sizeof prefix - 1));
    WEFT_ASSERT(elem);
    return type_array(c, ARRAY_PLAIN, elem, 1);
}

/* A row NATIVE of native.def. */
static void add_native(ctx *c, const char *name, const char *cname, const char *parent, size_t size)
{
    native_def *d = ARENA_NEW(&c->perm, native_def);
    *d = (native_def){.name = name, .cname = cname, .size = size};
    if (*parent)
        d->erased = type_native(c, parent);
    set_name(c, name, type_intern(c, &(type){.kind = TYPE_NATIVE, .native = d}));
}

/* A row FIELD of native.def. Fields are appended to a type that exists already, so that a field
 * may have its owner's type. */
static void add_field(ctx *c, const char *owner, const char *name, const char *t, size_t offset)
{
    WEFT_ASSERT(type_native(c, owner)); /* owners stand first in native.def */
    native_def *d = (native_def *)(uintptr_t)type_native(c, owner)->native;
    struct_field *v = ARENA_ARRAY(&c->perm, struct_field, d->nfields + 1);
    if (d->nfields)
        memcpy(v, d->fields, d->nfields * sizeof *v);
    v[d->nfields++] =
        (struct_field){.name = sym_c(&c->syms, name), .type = field_type(c, t), .offset = offset};
    d->fields = v;
}

/* Names that Warp's module has besides: handle, int, float, and the patterns of annotations. */
void types_name_all(ctx *c)
{
    for (type_kind k = TYPE_BOOL; k <= TYPE_FLOAT64; k++) {
        set_name(c, basics[k].py, type_scalar(c, k));
        if (k != TYPE_BOOL && k != TYPE_BFLOAT16)
            name_composites(c, k);
    }
    set_name(c, "handle", type_scalar(c, TYPE_UINT64)); /* the same but for captured graphs */
    set_name(c, "int", type_scalar(c, TYPE_INT32));
    set_name(c, "float", type_scalar(c, TYPE_FLOAT32));
    set_name(c, "range_t", type_scalar(c, TYPE_RANGE));
    set_name(c, "Scalar", type_scalar(c, TYPE_SCALAR));
    set_name(c, "Float", type_scalar(c, TYPE_FLOAT));
    set_name(c, "Int", type_scalar(c, TYPE_INT));
    set_name(c, "Function", type_scalar(c, TYPE_FUNCTION));
#define NATIVE(name, cname, parent, size) add_native(c, name, cname, parent, size);
#define FIELD(owner, name, t, offset)     add_field(c, owner, name, t, offset);
#include "types/native.def"
#undef NATIVE
#undef FIELD
}

const type *type_by_name(ctx *c, const sym *name)
{
    return name->id < c->types->nnames ? c->types->by_name[name->id] : NULL;
}

const type *type_native(ctx *c, const char *name)
{
    const type *t = type_by_name(c, sym_c(&c->syms, name));
    return t && t->kind == TYPE_NATIVE ? t : NULL;
}
