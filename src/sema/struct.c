/* SPDX-License-Identifier: Apache-2.0 */
/* @wp.struct: fields from the class's annotations, and the native name with Warp's content hash
 * (Warp 1.19 Struct.__init__). An example:
 *
 *     @wp.struct
 *     class P:
 *         x: float        the struct type P_c51957ed: "P_" + 8 hexadecimal digits of a SHA-256
 *
 * The name depends on key, field names and types only, so the text is the same in every run. */
#include "arith/arith.h"
#include "base/sha256.h"
#include "sema/sema.h"

/* Each use of a struct takes time for all that it consists of. Forty structs that each hold the one
 * before twice have 2^40 fields. */
enum { STRUCT_FIELDS_MAX = 100000 };

/* Adds "name:code" of the field, and the hash of a struct that it holds. The code of a nested
 * struct is its native name, which has only 32 bits of its hash. */
static void hash_field(ctx *c, sha256 *h, const struct_field *f)
{
    WEFT_ASSERT(f->type != NULL);
    strbuf b;
    sb_init(&b, &c->mem);
    sb_put(&b, f->name->s, f->name->len);
    sb_char(&b, ':');
    type_code(&b, f->type);
    sha256_add(h, b.p, b.n);
    sb_clear(&b);
    if (f->type->kind == TYPE_STRUCT)
        sha256_add(h, ((const struct_class *)(const void *)f->type->st)->hash, SHA256_SIZE);
}

/* Warp 1.19 Struct.__init__: key, then "name:code" of each field, then a nested struct's hash. Sets
 * st->hash and the native name. */
static void name_struct(ctx *c, struct_class *st, str key)
{
    WEFT_ASSERT(key.n > 0);
    sha256 h;
    sha256_start(&h);
    sha256_add(&h, key.p, key.n);
    for (uint32_t i = 0; i < st->def.nfields; i++)
        hash_field(c, &h, &st->def.fields[i]);
    sha256_finish(&h, st->hash);
    char hex[SHA256_HEX], *p = arena_alloc(&c->module, key.n + 9);
    sha256_hex(st->hash, hex);
    memcpy(p, key.p, key.n);
    p[key.n] = '_';
    memcpy(p + key.n + 1, hex, 8);
    st->def.native_name = (str){p, key.n + 9};
}

/* Room for n fields, and for many a table to find them by name. */
static void make_room(ctx *c, struct_def *def, uint32_t n)
{
    enum { FEW = 16 };
    uint32_t size = 2 * FEW;
    def->fields = ARENA_ARRAY(&c->module, struct_field, n);
    if (n <= FEW)
        return;
    while (size < 2 * n)
        size *= 2;
    def->index = arena_zero(&c->module, size * sizeof *def->index);
    def->mask = size - 1;
}

/* Fields of the struct, those of structs in it and of arrays' structs counted wherever they are. */
static uint64_t count_fields(const struct_def *def)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < def->nfields; i++) {
        const type *t = def->fields[i].type;
        const type *inner = t->kind == TYPE_ARRAY ? t->elem : t;
        n += inner->kind == TYPE_STRUCT
                 ? ((const struct_class *)(const void *)inner->st)->all_fields + 1
                 : 1;
    }
    return n;
}

/* Structs of equal content are one struct in Warp's text, so they are one type. */
static struct_class *unify(program *p, struct_class *st)
{
    for (struct_class *old = p->structs; old; old = old->next)
        if (memcmp(old->hash, st->hash, sizeof st->hash) == 0)
            return old;
    st->next = p->structs;
    return p->structs = st;
}

/* A struct without Warp type. The reason names the struct at fault, so structs around it repeat the
 * reason and add nothing: `n` tells it from that of another value. */
static value unknown_struct(value reason)
{
    WEFT_ASSERT(reason.kind == VALUE_UNKNOWN);
    reason.n = UNKNOWN_STRUCT;
    return reason;
}

/* wp.handle is wp.uint64 by another name, which its value keeps. */
static bool is_handle(const value *v)
{
    return v->kind == VALUE_TYPE && v->n == TYPE_NAMED_HANDLE;
}

/* Makes the struct of a class object. A field without Warp type makes it unknown, and so do more
 * than STRUCT_FIELDS_MAX fields; a kernel that uses it says why. */
static value struct_define(evaluator *e, const value *v)
{
    WEFT_ASSERT(v->kind == VALUE_CLASS);
    ctx *c = e->c;
    const py_class *cls = v->ns->cls;
    struct_class *st = ARENA_NEW(&c->module, struct_class);
    st->ns = cls->ns;
    st->def.name = cls->name;
    make_room(c, &st->def, cls->def->body.n);
    for (uint32_t i = 0; i < cls->def->body.n; i++) {
        const node *n = cls->def->body.v[i];
        if (n->kind != AST_AnnAssign || AST(AnnAssign, n)->target->kind != AST_Name)
            continue;
        const sym *name = AST(Name, AST(AnnAssign, n)->target)->id;
        value annotation = annotation_value(e, cls->ns, AST(AnnAssign, n)->annotation);
        const type *t = annotation_type(c, &annotation);
        const bool reason = annotation.kind == VALUE_UNKNOWN;
        if (!t)
            return reason && annotation.n
                       ? annotation
                       : unknown_struct(unknown_text(
                             c, "field '%.60s' of struct '%.60s' has no Warp type: %.100s", name->s,
                             cls->name->s, reason ? annotation.why : "it is none"));
        /* Annotated twice, it keeps its first place. */
        struct_add_field(&st->def, name, t)->is_handle = is_handle(&annotation);
    }
    st->all_fields = count_fields(&st->def);
    if (st->all_fields > STRUCT_FIELDS_MAX)
        return unknown_struct(unknown_text(c,
                                           "struct '%.60s' has more than %d fields, those of "
                                           "structs in it counted wherever they are",
                                           cls->name->s, STRUCT_FIELDS_MAX));
    layout_struct(&st->def);
    const str key = class_key(e, cls);
    if (!key.n)
        return unknown("the struct's __qualname__ is not known");
    name_struct(c, st, key);
    return value_type(type_struct(c, &unify(e->p, st)->def));
}

/* @wp.struct, or @wp.struct(...) without the class, which is a partial call. */
value call_struct(evaluator *e, const py_call *a)
{
    const value *cls = a->nargs ? &a->args[0] : NULL;
    if (!cls || cls->kind == VALUE_NONE)
        return partial_of(e->c, a->id, a);
    if (cls->kind == VALUE_UNKNOWN)
        return *cls;
    if (cls->kind != VALUE_CLASS || !cls->ns->cls->def)
        return unknown("wp.struct decorates classes only");
    return struct_define(e, cls);
}
