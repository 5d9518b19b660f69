/* SPDX-License-Identifier: Apache-2.0 */
/* Types and functions that a program registers from C++: Warp 1.19 external_build.py. An example:
 *
 *     class Color(ctypes.Structure):
 *         _fields_ = [("r", ctypes.c_float), ("g", ctypes.c_float)]
 *
 *     build = wp.build_experimental
 *     build.add_native_type(Color, native_name="tex::Color", fields={"r": float, "g": float},
 *                           initializer="aggregate")
 *     build.add_builtin("tint", {"c": Color}, Color, native_name="tex::tint")
 *
 * Kernels then take Color as a parameter, make values (Color(1.0, 2.0) is tex::Color{var_1, var_2}
 * in C++), and call wp.tint(c). No executor has values of such types: their C++ is elsewhere. */
#include "base/ascii.h"
#include "base/sha256.h"
#include "sema/sema.h"

/* ^(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*$ */
static bool is_native_name(const char *s)
{
    s += strncmp(s, "::", 2) == 0 ? 2 : 0;
    for (;;) {
        if (!ascii_is_letter(*s) && *s != '_')
            return false;
        while (ascii_is_letter(*s) || ascii_is_digit(*s) || *s == '_')
            s++;
        if (!*s)
            return true;
        if (strncmp(s, "::", 2) != 0)
            return false;
        s += 2;
    }
}

/* The ctypes field of this name; NULL: there is none. */
static const c_field *field_of(const c_layout *l, const sym *name)
{
    for (uint32_t i = 0; i < l->fields.n; i++)
        if (l->fields.v[i].name == name)
            return &l->fields.v[i];
    return NULL;
}

/* Bytes of a Warp type that a field may have; 0: it may not. */
static size_t type_bytes(const type *t)
{
    const type *s = type_scalar_of(t);
    if (t->kind == TYPE_NATIVE && t->native->external)
        return t->native->external->size;
    if (!s)
        return 0;
    const int n = t->kind == TYPE_MAT ? t->rows * t->cols : type_is_composite(t) ? t->rows : 1;
    return (size_t)n * (size_t)scalar_bytes(s);
}

/* The fields that kernels may use, from the dict `fields`. NULL, or why Warp raises. */
static const char *take_fields(ctx *c, const value *dict, const c_layout *l, native_def *d)
{
    struct_field *v = ARENA_ARRAY(&c->module, struct_field, value_count(dict) + 1);
    for (uint32_t i = 0; i < value_count(dict); i++) {
        const value *name = &value_array(dict)[2 * i];
        const c_field *f = name->kind == VALUE_STR ? field_of(l, name->s) : NULL;
        const type *t = value_as_type(c, &name[1]);
        if (!f)
            return "a field of a native type is not in _fields_";
        if (!t || type_bytes(t) != f->size)
            return "a field of a native type has another size in ctypes";
        v[i] = (struct_field){.name = name->s, .type = t, .offset = f->offset};
    }
    d->fields = v;
    d->nfields = value_count(dict);
    return NULL;
}

/* Warp 1.19 add_native_type's schema, of which the first 16 digits tell types apart. */
static void name_code(ctx *c, native_def *d, external_type *x)
{
    strbuf b;
    sb_init(&b, &c->mem);
    sb_printf(&b, "%s:%zu:%zu:%s", d->cname, x->size, x->align,
              x->aggregate ? "aggregate" : "None");
    for (uint32_t i = 0; i < d->nfields; i++) {
        sb_printf(&b, ":%s:", d->fields[i].name->s);
        type_code(&b, d->fields[i].type);
        sb_printf(&b, ":%zu", d->fields[i].offset);
    }
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(b.p, b.n, digest);
    sb_clear(&b);
    sha256_hex(digest, hex);
    memcpy(x->code, "nt", 2);
    memcpy(x->code + 2, hex, 16);
}

/* With initializer="aggregate" every field is exposed, in order. */
static bool lists_all(const native_def *d, const c_layout *l)
{
    bool all = d->nfields == l->fields.n;
    for (uint32_t i = 0; all && i < d->nfields; i++)
        all = d->fields[i].name == l->fields.v[i].name;
    return all;
}

/* wp.build_experimental.add_native_type(ctype, native_name=..., fields=None, initializer=None) */
value call_add_native_type(evaluator *e, const py_call *a)
{
    const value *cls = call_get(a, 0, "ctype"), *name = call_get(a, UINT32_MAX, "native_name");
    const value *fields = call_get(a, UINT32_MAX, "fields");
    const value *init = call_get(a, UINT32_MAX, "initializer");
    c_layout l;
    if (!cls || cls->kind != VALUE_CLASS || cls->ns->cls->kind != CLASS_C_STRUCT ||
        !ctypes_layout(e->c, cls, &l))
        return unknown("the layout of the native type is not known");
    if (!name || name->kind != VALUE_STR || !is_native_name(name->s->s))
        return unknown("the C++ name of the native type is not known");
    native_def *d = ARENA_NEW(&e->c->module, native_def);
    external_type *x = ARENA_NEW(&e->c->module, external_type);
    *d = (native_def){.name = cls->ns->cls->name->s, .cname = name->s->s, .external = x};
    *x = (external_type){.size = l.size, .align = l.align};
    x->aggregate = init && init->kind == VALUE_STR && strcmp(init->s->s, "aggregate") == 0;
    if (fields && fields->kind != VALUE_NONE) {
        const char *why = fields->kind == VALUE_DICT
                              ? take_fields(e->c, fields, &l, d)
                              : "the fields of the native type are not known";
        if (why)
            return unknown(why);
        x->has_fields = true;
    }
    if (x->aggregate && !lists_all(d, &l))
        return unknown("an aggregate lists every field, in order");
    name_code(e->c, d, x);
    ((py_class *)(uintptr_t)cls->ns->cls)->native = type_external(e->c, d);
    return *cls;
}

/* The parameters of a registered function. False: a type is not known. */
static bool take_parameters(ctx *c, const value *dict, code *out)
{
    const uint32_t n = dict && dict->kind == VALUE_DICT ? value_count(dict) : 0;
    if (dict && dict->kind != VALUE_DICT && dict->kind != VALUE_NONE)
        return false;
    param *params = ARENA_ARRAY(&c->module, param, n + 1);
    out->params = params;
    out->nparams = n;
    for (uint32_t i = 0; i < n; i++) {
        const value *name = &value_array(dict)[2 * i];
        const type *t = value_as_type(c, &name[1]);
        if (name->kind != VALUE_STR || !t)
            return false;
        params[i] = (param){.name = name->s, .type = t};
        out->generic = out->generic || t->generic;
    }
    return true;
}

/* wp.build_experimental.add_builtin(name, input_types, value_type, native_name=...) */
value call_add_builtin(evaluator *e, const py_call *a)
{
    const value *name = call_get(a, 0, "name"), *result = call_get(a, 2, "value_type");
    const value *native = call_get(a, UINT32_MAX, "native_name");
    const bool is_named = native && native->kind != VALUE_NONE;
    func *f = ARENA_NEW(&e->c->module, func);
    if (!name || name->kind != VALUE_STR || (is_named && native->kind != VALUE_STR) ||
        !take_parameters(e->c, call_get(a, 1, "input_types"), &f->code))
        return unknown("the registered function is not known");
    strbuf b;
    sb_init(&b, &e->c->mem);
    sb_printf(&b, "%s%s", is_named ? "" : "wp::", is_named ? native->s->s : name->s->s);
    f->native_name = (str){arena_dup(&e->c->module, b.p, b.n), b.n};
    sb_clear(&b);
    f->code.name = name->s;
    f->code.mod = e->env->mod;
    f->code.src = &e->env->mod->src;
    f->code.returns = result && result->kind != VALUE_NONE ? value_as_type(e->c, result)
                                                           : type_scalar(e->c, TYPE_VOID);
    f->key = sym_str(name->s);
    f->head = f;
    if (!f->code.returns)
        return unknown("the result of the registered function is not known");
    for (uint32_t i = 0; i < e->p->externals.n; i++) {
        func *old = e->p->externals.v[i];
        if (old->code.name != f->code.name)
            continue;
        f->head = old->head;
        while (old->next)
            old = (func *)(uintptr_t)old->next;
        old->next = f;
    }
    if (f->head == f)
        VEC_PUSH(&e->c->module, &e->p->externals, f);
    return (value){.kind = VALUE_EXTERNAL, .p = f->head};
}

bool external_find(const program *p, const sym *name, value *out)
{
    for (uint32_t i = 0; p && i < p->externals.n; i++)
        if (p->externals.v[i]->code.name == name) {
            *out = (value){.kind = VALUE_EXTERNAL, .p = p->externals.v[i]};
            return true;
        }
    return false;
}

bool native_instance(ctx *c, const value *v, value *out)
{
    const py_class *cls = v->kind == VALUE_OBJECT ? v->ns->cls : NULL;
    if (!cls || !cls->native || !cls->native->native->external->aggregate)
        return false;
    const native_def *d = cls->native->native;
    value *items = ARENA_ARRAY(&c->module, value, d->nfields + 1);
    for (uint32_t i = 0; i < d->nfields; i++) {
        const value *field = ns_find(v->ns, d->fields[i].name);
        items[i] = field ? *field : unknown("the field is not known");
        value inner;
        if (native_instance(c, &items[i], &inner))
            items[i] = inner;
        else if (items[i].kind == VALUE_OBJECT || items[i].kind == VALUE_UNKNOWN)
            return false;
    }
    *out = (value){.kind = VALUE_STRUCT_INSTANCE, .type = cls->native, .items = items};
    return true;
}

const type *native_class(const value *v)
{
    return v->kind == VALUE_CLASS && v->ns->cls ? v->ns->cls->native : NULL;
}

/* wp.ModuleBuildOptions(...): an object with what is given; Warp's header has its preambles. */
value call_build_options(evaluator *e, const py_call *a)
{
    return call_simple_namespace(e, a);
}
