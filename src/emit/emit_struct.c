/* SPDX-License-Identifier: Apache-2.0 */
/* The C++ class of a @wp.struct: Warp 1.19 codegen_struct. An example:
 *
 *     @wp.struct                struct P_c51957ed
 *     class P:                  {
 *         x: float                  wp::float32 x;
 *                                   P_c51957ed() = default;
 *                                   CUDA_CALLABLE P_c51957ed(wp::float32 const& x) : x{x} { }
 *                                   CUDA_CALLABLE P_c51957ed& operator += (...) { x += rhs.x; ... }
 *                               };
 *                               adj_P_c51957ed(...), add(...), adj_atomic_add(...)
 *
 * The functions exist because the adjoint of a struct is a struct of adjoints. */
#include "emit/emitter.h"

/* Appends ",\n    " to all but the first of a list. */
void emit_separator(strbuf *out, bool *first)
{
    if (!*first)
        SB_LIT(out, ",\n    ");
    *first = false;
}

static str field_name(const struct_field *f)
{
    return sym_str(f->name);
}

/* The fields; an empty struct has a dummy, since compilers differ about the size of an empty one.
 */
static void put_members(strbuf *out, const struct_def *st)
{
    if (!st->nfields)
        SB_LIT(out, "    char _dummy_;\n");
    for (uint32_t i = 0; i < st->nfields; i++) {
        SB_LIT(out, "    ");
        sb_str(out, st->fields[i].type->cname);
        sb_char(out, ' ');
        sb_str(out, field_name(&st->fields[i]));
        SB_LIT(out, ";\n");
    }
}

/* One that takes every field; all but the first have defaults, so it also converts from the first.
 */
static void put_constructor(strbuf *out, const struct_def *st)
{
    SB_LIT(out, "\n\n    ");
    /* An empty struct would have two constructors without parameters. */
    if (st->nfields)
        emit_named(out, "@() = default;", st->native_name);
    emit_named(out, "\n    CUDA_CALLABLE @(", st->native_name);
    bool first = true;
    for (uint32_t i = 0; i < st->nfields; i++) {
        emit_separator(out, &first);
        sb_str(out, st->fields[i].type->cname);
        SB_LIT(out, " const& ");
        sb_str(out, field_name(&st->fields[i]));
        if (i)
            SB_LIT(out, " = {}");
    }
    SB_LIT(out, ")\n    ");
    for (uint32_t i = 0; i < st->nfields; i++)
        emit_named(out, i ? "        , @{@}\n" : "    : @{@}\n", field_name(&st->fields[i]));
    SB_LIT(out, "\n    {\n    }\n");
}

/* The types that wp.atomic_add knows; other fields, handles among them, keep their value in sums.
 * Arrays do not count here: type_scalar_of gives NULL. */
bool emit_accumulates(const struct_field *f)
{
    const type *t = f->type;
    if (f->is_handle)
        return false;
    if (t->kind == TYPE_STRUCT)
        return true;
    const type *s = type_scalar_of(t);
    return s && (s->kind == TYPE_INT32 || s->kind == TYPE_INT64 || s->kind == TYPE_UINT32 ||
                 s->kind == TYPE_UINT64 || type_is_float(s));
}

/* operator +=, by field, for what wp.atomic_add knows; with the tile operators if some tile holds
 * the struct. Arrays and small integers keep the value of the left side. */
static void put_sum(strbuf *out, const struct_def *st, bool in_tile)
{
    emit_named(out, "\n    CUDA_CALLABLE @& operator += (const @& rhs)\n    {", st->native_name);
    for (uint32_t i = 0; i < st->nfields; i++)
        if (emit_accumulates(&st->fields[i]))
            emit_named(out, "    @ += rhs.@;\n", field_name(&st->fields[i]));
    SB_LIT(out, "\n        return *this;}\n");
    if (in_tile)
        emit_struct_tile_members(out, st);
    SB_LIT(out, "\n};\n");
}

/* A field of a C++ type that the program registers has no adjoint. */
static bool is_external(const struct_field *f)
{
    return f->type->kind == TYPE_NATIVE && f->type->native->external;
}

/* The adjoint of the constructor. An array's adjoint is another array and not a sum. */
static void put_adjoint(strbuf *out, const struct_def *st)
{
    emit_named(out, "\nstatic CUDA_CALLABLE void adj_@(", st->native_name);
    /* The primal fields have no names: the adjoint does not read them. */
    for (uint32_t i = 0; i < st->nfields; i++) {
        sb_str(out, st->fields[i].type->cname);
        SB_LIT(out, " const&,\n    ");
    }
    for (uint32_t i = 0; i < st->nfields; i++) {
        sb_str(out, st->fields[i].type->cname);
        emit_named(out, " & adj_@,\n    ", field_name(&st->fields[i]));
    }
    emit_named(out, "@ & adj_ret)\n{\n", st->native_name);
    for (uint32_t i = 0; i < st->nfields; i++)
        if (!is_external(&st->fields[i]))
            emit_named(out,
                       st->fields[i].type->kind == TYPE_ARRAY ? "    adj_@ = adj_ret.@;\n"
                                                              : "    adj_@ += adj_ret.@;\n",
                       field_name(&st->fields[i]));
    SB_LIT(out, "}\n");
}

/* Are the functions of a field's type in namespace wp? Those of structs are not: they are
 * generated. */
bool emit_lives_in_wp(const type *t)
{
    WEFT_ASSERT(t->cname.n > 0);
    return t->kind != TYPE_STRUCT;
}

/* Adds a struct of adjoints to one in memory, field by field: what adj_atomic_add of a struct's
 * element calls. Of the struct P above: "wp::adj_atomic_add(&p->x, t.x);". */
static void put_atomic_add(strbuf *out, const struct_def *st)
{
    emit_named(out, "\nCUDA_CALLABLE void adj_atomic_add(@* p, @ t)\n{\n", st->native_name);
    for (uint32_t i = 0; i < st->nfields; i++) {
        if (is_external(&st->fields[i]))
            continue;
        sb_c(out, emit_lives_in_wp(st->fields[i].type) ? "    wp::" : "    ");
        emit_named(out, "adj_atomic_add(&p->@, t.@);\n", field_name(&st->fields[i]));
    }
    SB_LIT(out, "}\n\n");
}

/* All of it, in the order of Warp's template. Without tiles `add` returns zeros: it must compile
 * but is never called. */
void emit_struct(strbuf *out, const struct_def *st, bool in_tile)
{
    WEFT_ASSERT(st->native_name.n > 0);
    emit_named(out, "\nstruct @\n{\n", st->native_name);
    put_members(out, st);
    put_constructor(out, st);
    put_sum(out, st, in_tile);
    put_adjoint(out, st);
    emit_named(out,
               "\n// Required when compiling adjoints.\n"
               "CUDA_CALLABLE @ add(const @& a, const @& b)\n{\n",
               st->native_name);
    emit_named(out,
               in_tile ? "    @ ret = a;\n    ret += b;\n    return ret;\n}\n"
                       : "    return @();\n}\n",
               st->native_name);
    put_atomic_add(out, st);
    if (in_tile)
        emit_struct_tile_helpers(out, st);
    SB_LIT(out, "\n\n");
}
