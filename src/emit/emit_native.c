/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the C++ types that a program registers: Warp 1.19 ModuleBuilder.codegen and
 * _collect_native_types. C++ compares size, alignment and fields with what ctypes said:
 *
 *     static_assert(sizeof(T) == 12, "Native type T has an incompatible size"); */
#include "emit/emitter.h"

/* The types, each once, in the order in which a module's parts use them. */
typedef struct external_list {
    ctx *c;
    VEC(const type *) v;
    VEC(const struct_def *) structs; /* that were searched */
} external_list;

static void note_type(external_list *all, const type *t);

static void note_struct(external_list *all, const struct_def *st)
{
    for (uint32_t i = 0; i < all->structs.n; i++)
        if (all->structs.v[i] == st)
            return;
    VEC_PUSH(&all->c->module, &all->structs, st);
    for (uint32_t i = 0; i < st->nfields; i++)
        note_type(all, st->fields[i].type);
}

/* Nesting is bounded by that of the program's types. */
static void note_type(external_list *all, const type *t)
{
    t = type_strip_ref(t);
    while (t->kind == TYPE_ARRAY)
        t = t->elem;
    if (t->kind == TYPE_STRUCT)
        note_struct(all, t->st);
    if (!type_has_external(t))
        return;
    for (uint32_t i = 0; i < all->v.n; i++)
        if (all->v.v[i] == t)
            return;
    VEC_PUSH(&all->c->module, &all->v, t);
    for (uint32_t i = 0; t->native->external->has_fields && i < t->native->nfields; i++)
        note_type(all, t->native->fields[i].type);
}

static void note_unit(external_list *all, const ir_unit *u)
{
    for (uint32_t i = 0; i < u->nparams; i++)
        note_type(all, u->vars.v[u->params[i]].type);
    for (uint32_t i = 0; i < u->declared.n; i++)
        note_type(all, u->vars.v[u->declared.v[i]].type);
}

static void put_type(strbuf *out, const type *t)
{
    const char *name = t->native->cname;
    const external_type *x = t->native->external;
    sb_printf(out,
              "static_assert(__is_trivially_copyable(%s), \"Native type %s must be trivially "
              "copyable\");\n"
              "static_assert(__is_standard_layout(%s), \"Native type %s must be "
              "standard-layout\");\n",
              name, name, name, name);
    sb_printf(out,
              "static_assert(sizeof(%s) == %zu, \"Native type %s has an incompatible size\");\n"
              "static_assert(alignof(%s) == %zu, \"Native type %s has an incompatible "
              "alignment\");\n",
              name, x->size, name, name, x->align, name);
}

/* Bytes of a field: what Warp's type_size_in_bytes has. */
static size_t field_size(const type *t)
{
    if (t->kind == TYPE_NATIVE)
        return t->native->external->size;
    static const unsigned char sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
    const type *s = type_scalar_of(t);
    WEFT_ASSERT(s && s->kind < sizeof sizes);
    const int n = t->kind == TYPE_MAT ? t->rows * t->cols : type_is_composite(t) ? t->rows : 1;
    return (size_t)n * sizes[s->kind];
}

static void put_field(strbuf *out, const char *name, const struct_field *f, emit_device device)
{
    const char *field = f->name->s;
    sb_printf(out,
              "static_assert(wp_external_type_is_same<decltype(((%s*)0)->%s), %s>::value, "
              "\"Native field %s::%s has an incompatible type\");\n",
              name, field, f->type->cname.p, name, field);
    if (device == EMIT_CPU)
        sb_printf(out,
                  "static_assert(__builtin_offsetof(%s, %s) == %zu, "
                  "\"Native field %s::%s has an incompatible offset\");\n",
                  name, field, f->offset, name, field);
    else
        sb_printf(out,
                  "static_assert(sizeof(((%s*)0)->%s) == %zu, "
                  "\"Native field %s::%s has an incompatible size\");\n",
                  name, field, field_size(f->type), name, field);
}

void emit_external_types(ctx *c, strbuf *out, const emit_parts *all, emit_device device)
{
    external_list list = {.c = c};
    bool has_fields = false;
    for (uint32_t i = 0; i < all->nstructs; i++)
        note_struct(&list, all->structs[i]);
    for (uint32_t i = 0; i < all->nfuncs; i++)
        note_unit(&list, all->funcs[i]);
    for (uint32_t i = 0; i < all->nkernels; i++)
        note_unit(&list, all->kernels[i]->kernel);
    for (uint32_t i = 0; i < list.v.n; i++)
        has_fields = has_fields || list.v.v[i]->native->nfields;
    if (has_fields)
        SB_LIT(out, "template <typename T, typename U> struct wp_external_type_is_same { "
                    "static constexpr bool value = false; };\n"
                    "template <typename T> struct wp_external_type_is_same<T, T> { "
                    "static constexpr bool value = true; };\n");
    for (uint32_t i = 0; i < list.v.n; i++) {
        const native_def *d = list.v.v[i]->native;
        put_type(out, list.v.v[i]);
        for (uint32_t f = 0; f < d->nfields; f++)
            put_field(out, d->cname, &d->fields[f], device);
    }
}
