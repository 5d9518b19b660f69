/* SPDX-License-Identifier: Apache-2.0 */
/* Types of module ctypes: sizes, as on 64-bit machines that are no Windows, arrays and structures.
 * Examples:
 *
 *     ctypes.sizeof(ctypes.c_float * 3)                              12
 *     class P(ctypes.Structure):
 *         _fields_ = [("tag", c_uint8), ("value", c_uint32)]         8 bytes, value at 4
 *     P(1, value=2)                                                  an object with tag and value
 *
 * Bit fields and pointers to types of the program have no rule. */
#include "sema/sema.h"

enum { NESTED = 20 }; /* types within types */

static size_t round_up(size_t n, size_t align)
{
    WEFT_ASSERT(align != 0);
    return (n + align - 1) / align * align;
}

/* Bytes of a scalar; the ids stand by size in specials.def. 0: the value is no such type. */
static size_t simple_size(const value *v)
{
    if (v->kind != VALUE_SPECIAL || v->n < SP_c_bool || v->n > SP_c_char_p)
        return 0;
    return v->n >= SP_c_int64 ? 8 : v->n >= SP_c_int32 ? 4 : v->n >= SP_c_int16 ? 2 : 1;
}

static const py_class *ctypes_class(const value *v)
{
    const py_class *cls = v->kind == VALUE_CLASS    ? v->ns->cls
                          : v->kind == VALUE_OBJECT ? v->ns->cls
                                                    : NULL;
    const bool is_one = cls && (cls->kind == CLASS_C_STRUCT || cls->kind == CLASS_C_UNION ||
                                cls->kind == CLASS_C_ARRAY);
    return is_one ? cls : NULL;
}

bool is_ctypes_type(const value *v)
{
    return simple_size(v) || (v->kind == VALUE_CLASS && ctypes_class(v));
}

/* The class T * n. */
value ctypes_array(ctx *c, const value *elem, int64_t n)
{
    WEFT_ASSERT(is_ctypes_type(elem) && n >= 0);
    py_class *cls = ARENA_NEW(&c->module, py_class);
    cls->name = sym_c(&c->syms, "Array");
    cls->kind = CLASS_C_ARRAY;
    cls->bases = value_keep(c, *elem);
    cls->nbases = 1;
    cls->array_length = (uint64_t)n;
    cls->ns = ns_new(c, NS_CLASS, NULL, (str){"", 0});
    cls->ns->mod = elem->kind == VALUE_CLASS ? elem->ns->mod : sema_init(c)->current->main;
    cls->ns->cls = cls;
    return (value){.kind = VALUE_CLASS, .ns = cls->ns};
}

static bool layout_deep(ctx *c, const value *v, c_layout *out, int depth);

/* The fields of a structure or union after those of its bases; `at` is where the next one goes. */
static bool add_layout(ctx *c, const py_class *cls, c_layout *all, int depth)
{
    const value *items, *own = ns_find(cls->ns, sym_c(&c->syms, "_fields_"));
    uint32_t n;
    if (depth > NESTED || ns_find(cls->ns, sym_c(&c->syms, "_pack_")))
        return false;
    for (uint32_t i = 0; i < cls->nbases; i++) {
        if (ctypes_class(&cls->bases[i]) &&
            !add_layout(c, ctypes_class(&cls->bases[i]), all, depth + 1))
            return false;
        all->size = round_up(all->size, all->align); /* fields do not go into a base's padding */
    }
    if (!own)
        return true;
    if (!value_iterate(c, own, &items, &n))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        c_layout field;
        if (items[i].kind != VALUE_TUPLE || items[i].n != 2 ||
            items[i].items[0].kind != VALUE_STR ||
            !layout_deep(c, &items[i].items[1], &field, depth + 1))
            return false;
        const bool shares = cls->kind == CLASS_C_UNION;
        const size_t at = shares ? 0 : round_up(all->size, field.align);
        const c_field made = {items[i].items[0].s, &items[i].items[1], at, field.size};
        VEC_PUSH(&c->module, &all->fields, made);
        all->align = field.align > all->align ? field.align : all->align;
        all->size = at + field.size > all->size ? at + field.size : all->size;
    }
    return true;
}

static bool layout_deep(ctx *c, const value *v, c_layout *out, int depth)
{
    *out = (c_layout){.align = 1};
    const size_t simple = simple_size(v);
    const py_class *cls = ctypes_class(v);
    if (simple) {
        out->size = out->align = simple;
        return true;
    }
    if (depth > NESTED)
        return false;
    if (cls && cls->kind == CLASS_C_ARRAY) {
        c_layout elem;
        if (!layout_deep(c, &cls->bases[0], &elem, depth + 1) ||
            (elem.size && cls->array_length > (uint64_t)INT32_MAX / elem.size))
            return false;
        out->size = elem.size * (size_t)cls->array_length;
        out->align = elem.align;
        return true;
    }
    if (cls) {
        if (!add_layout(c, cls, out, depth))
            return false;
        out->size = round_up(out->size, out->align);
        return true;
    }
    /* Warp's vectors, matrices and the like are arrays of ctypes. */
    const type *t = v->kind == VALUE_TYPE || v->kind == VALUE_COMPOSITE ? v->type : NULL;
    if (!t || !type_is_composite(t))
        return false;
    out->align = (size_t)scalar_bytes(t->elem);
    out->size = out->align * (size_t)(t->kind == TYPE_MAT ? t->rows * t->cols : t->rows);
    return true;
}

bool ctypes_layout(ctx *c, const value *v, c_layout *out)
{
    return layout_deep(c, v, out, 0);
}

/* ctypes.sizeof(x) and ctypes.alignment(x) */
value call_sizeof(evaluator *e, const py_call *a)
{
    c_layout l;
    if (a->nargs != 1 || !ctypes_layout(e->c, &a->args[0], &l))
        return a->nargs == 1 && a->args[0].kind == VALUE_UNKNOWN
                   ? a->args[0]
                   : unknown("the size of this is not known");
    return value_int((__int128)(a->id == SP_c_alignment ? l.align : l.size));
}

/* A value as a field of the type keeps it: floats are rounded, integers wrap. */
static value as_kept(ctx *c, const value *t, const value *v)
{
    const size_t size = simple_size(t);
    if (!size || !value_is_real(v))
        return v->kind == VALUE_OBJECT && ctypes_class(v) ? *v : unknown("the field is not known");
    if (t->n == SP_c_float || t->n == SP_c_double)
        return value_float(t->n == SP_c_float ? (double)(float)value_to_double(v)
                                              : value_to_double(v));
    if (t->n == SP_c_bool)
        return value_bool(value_truth(v) == 1);
    if (!value_is_int(v))
        return unknown("the field is not known");
    const bool is_signed = t->n == SP_c_int8 || t->n == SP_c_byte || t->n == SP_c_int16 ||
                           t->n == SP_c_short || t->n == SP_c_int32 || t->n == SP_c_int ||
                           t->n == SP_c_int64 || t->n == SP_c_long || t->n == SP_c_longlong ||
                           t->n == SP_c_ssize_t;
    const __int128 modulus = (__int128)1 << (8 * size);
    __int128 i = v->i % modulus;
    i = i < 0 ? i + modulus : i;
    (void)c;
    return value_int(is_signed && i >= modulus / 2 ? i - modulus : i);
}

/* The fields of a new object: what is given by position or name, else zero. */
void ctypes_init(evaluator *e, const py_class *cls, namespace *ns, const py_call *call)
{
    const value v = {.kind = VALUE_CLASS, .ns = cls->ns};
    c_layout l;
    if (cls->kind == CLASS_C_ARRAY || !ctypes_layout(e->c, &v, &l)) {
        ns->star = "weft does not know the fields of this";
        return;
    }
    for (uint32_t i = 0; i < l.fields.n; i++) {
        const c_field *f = &l.fields.v[i];
        const value *given = call_get(call, i, f->name->s);
        const value zero = value_int(0);
        const py_call none = {0};
        ns_set(e->c, ns, f->name,
               given || simple_size(f->type) ? as_kept(e->c, f->type, given ? given : &zero)
                                             : call_value(e, f->type, &none));
    }
}
