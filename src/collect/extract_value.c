/* SPDX-License-Identifier: Apache-2.0 */
/* Values as Python writes them, for constants whose own statement would not stand alone.
 *
 *     N = len(os.environ["SIZES"].split())   with the value 4   ->   N = 4
 *     SIDES = tuple(float(i) for i in range(2))                  ->   SIDES = (0.0, 1.0) */
#include "builtin/builtin.h"
#include "collect/extract_internal.h"

#include <math.h>

enum { VALUE_DEPTH = 20 };

typedef struct value_printer {
    extract *x;
    strbuf *b;
    uint32_t user;
    int depth;
} value_printer;

static bool put_value(value_printer *p, const value *v);

static void put_warp(value_printer *p)
{
    const sym *wp = extract_warp(p->x, p->user);
    sb_c(p->b, wp ? wp->s : "wp");
    sb_char(p->b, '.');
}

static bool put_type(value_printer *p, const type *t);

/* wp.array(dtype=wp.float32, ndim=2) */
static bool put_array(value_printer *p, const type *t)
{
    static const char *const names[] = {[ARRAY_PLAIN] = "array",
                                        [ARRAY_INDEXED] = "indexedarray",
                                        [ARRAY_FABRIC] = "fabricarray",
                                        [ARRAY_INDEXED_FABRIC] = "indexedfabricarray"};
    if (t->array_class == ARRAY_FIXED)
        return false;
    put_warp(p);
    sb_c(p->b, names[t->array_class]);
    SB_LIT(p->b, "(dtype=");
    if (!put_type(p, t->elem))
        return false;
    SB_LIT(p->b, ", ndim=");
    sb_int(p->b, t->ndim);
    SB_LIT(p->b, ")");
    return true;
}

/* Has Warp a name for it: vec3f, mat44d, quatf? */
static bool is_named(const type *t)
{
    const bool is_float = type_is_float(t->elem) && t->elem->kind != TYPE_BFLOAT16;
    switch (t->kind) {
    case TYPE_VEC: return t->rows >= 2 && t->rows <= 4 && (is_float || type_is_integer(t->elem));
    case TYPE_MAT: return t->rows >= 2 && t->rows <= 4 && t->rows == t->cols && is_float;
    default: return is_float;
    }
}

/* wp.vec3f, or wp.types.vector(length=5, dtype=wp.float32) */
static bool put_composite_type(value_printer *p, const type *t)
{
    put_warp(p);
    if (is_named(t)) {
        sb_str(p->b, t->pyname);
        return true;
    }
    switch (t->kind) {
    case TYPE_VEC:
        SB_LIT(p->b, "types.vector(length=");
        sb_int(p->b, t->rows);
        break;
    case TYPE_MAT:
        SB_LIT(p->b, "types.matrix(shape=(");
        sb_int(p->b, t->rows);
        SB_LIT(p->b, ", ");
        sb_int(p->b, t->cols);
        SB_LIT(p->b, ")");
        break;
    case TYPE_QUAT: SB_LIT(p->b, "types.quaternion("); break;
    default: SB_LIT(p->b, "types.transformation("); break;
    }
    sb_c(p->b, t->kind == TYPE_VEC || t->kind == TYPE_MAT ? ", dtype=" : "dtype=");
    const bool good = put_type(p, t->elem);
    SB_LIT(p->b, ")");
    return good;
}

static bool put_any(value_printer *p)
{
    const sym *any = extract_any(p->x, p->user);
    if (any)
        sb_c(p->b, any->s);
    return any;
}

static bool put_type(value_printer *p, const type *t)
{
    if (t->kind == TYPE_ANY)
        return put_any(p);
    if (t->generic)
        return false;
    if (t->kind == TYPE_ARRAY)
        return put_array(p, t);
    if (t->kind == TYPE_STRUCT) {
        const value v = {.kind = VALUE_TYPE, .type = t};
        uint32_t used = extract_struct(p->x, t);
        if (used == NO_PIECE || p->x->why)
            return false;
        const sym *name = extract_visible(p->x, &used, t->st->name, t->st->name, &v);
        piece_need(p->x, p->user, used);
        sb_c(p->b, name->s);
        return true;
    }
    if (type_is_composite(t))
        return put_composite_type(p, t);
    if (type_scalar_of(t) != t)
        return false;
    put_warp(p);
    sb_str(p->b, t->pyname);
    return true;
}

/* wp.add, where Python may name it, too. */
static bool put_builtin(value_printer *p, const builtin *b)
{
    if (builtin_is_kernel_only(b))
        return false;
    put_warp(p);
    sb_str(p->b, sym_str(builtin_name(b)));
    return true;
}

/* Infinities and NaN have no literal in Python. */
static bool put_float(value_printer *p, double f)
{
    if (!isfinite(f)) {
        sb_c(p->b, f != f ? "float(\"nan\")" : f > 0 ? "float(\"inf\")" : "float(\"-inf\")");
        return true;
    }
    sb_float(p->b, f);
    return true;
}

/* wp.vec3f(1.0, 2.0, 3.0) */
static bool put_composite(value_printer *p, const value *v)
{
    const type *t = v->type;
    const int n = t->rows * (t->kind == TYPE_MAT ? t->cols : 1);
    if (!put_composite_type(p, t))
        return false;
    SB_LIT(p->b, "(");
    for (int i = 0; i < n; i++) {
        sb_c(p->b, i ? ", " : "");
        if (type_is_float(t->elem))
            put_float(p, v->elems[i]);
        else
            sb_int(p->b, v->ielems[i]);
    }
    SB_LIT(p->b, ")");
    return true;
}

static bool put_items(value_printer *p, const value *v, const char *open, const char *close)
{
    sb_c(p->b, open);
    for (uint32_t i = 0; i < value_count(v); i++) {
        sb_c(p->b, i ? ", " : "");
        if (!put_value(p, &value_array(v)[i]))
            return false;
    }
    sb_c(p->b, v->kind == VALUE_TUPLE && v->n == 1 ? "," : "");
    sb_c(p->b, close);
    return true;
}

static bool put_dict(value_printer *p, const value *v)
{
    SB_LIT(p->b, "{");
    for (uint32_t i = 0; i < value_count(v); i++) {
        const value *pair = &value_array(v)[2 * i];
        sb_c(p->b, i ? ", " : "");
        if (!put_value(p, pair))
            return false;
        SB_LIT(p->b, ": ");
        if (!put_value(p, pair + 1))
            return false;
    }
    SB_LIT(p->b, "}");
    return true;
}

/* A number of a Warp type: wp.float64(3.0), with the form of the number that it was made from. */
static bool put_scalar(value_printer *p, const value *v)
{
    if (v->n == RAW_NUMPY32 || !put_type(p, v->type))
        return false;
    SB_LIT(p->b, "(");
    if (value_has_f(v))
        put_float(p, v->f);
    else if (v->n == RAW_BOOL)
        sb_c(p->b, v->i ? "True" : "False");
    else
        sb_int128(p->b, v->i);
    SB_LIT(p->b, ")");
    return true;
}

/* Text in double quotes on one line; bytes beyond ASCII are the source's own UTF-8. */
static bool put_string(value_printer *p, const sym *s)
{
    sb_char(p->b, '"');
    for (uint32_t i = 0; i < s->len; i++) {
        const char ch = s->s[i];
        if (ch == '\n')
            SB_LIT(p->b, "\\n");
        else if ((unsigned char)ch < ' ' || ch == '\x7f')
            sb_printf(p->b, "\\x%02x", (unsigned)ch);
        else if (ch == '"' || ch == '\\') {
            sb_char(p->b, '\\');
            sb_char(p->b, ch);
        } else
            sb_char(p->b, ch);
    }
    sb_char(p->b, '"');
    return true;
}

/* Mode.FAST, of an enum of the program. False: it is no such member. */
static bool put_own_member(value_printer *p, const value *v)
{
    const sym *member;
    const namespace *ns = origin_enum_member(p->x->c, v, &member);
    const module *m;
    if (!ns)
        return false;
    uint32_t used = extract_class(p->x, ns);
    if (used == NO_PIECE || p->x->why)
        return false;
    const sym *own = origin_class(ns, &m)->name;
    const value cls = {.kind = VALUE_CLASS, .ns = (namespace *)ns};
    const sym *name = extract_visible(p->x, &used, own, own, &cls);
    piece_need(p->x, p->user, used);
    sb_printf(p->b, "%s.%s", name->s, member->s);
    return true;
}

/* A member of Warp's own enum by name, since Warp asks for its class; what is left of flags is a
 * number:
 *
 *     wp.DeterministicMode.NOT_GUARANTEED */
static bool put_enum(value_printer *p, const value *v)
{
    static const char root[] = "warp.";
    const char *cls = warp_member_class(p->x->c, v);
    if (!cls) {
        if (!put_own_member(p, v))
            sb_int128(p->b, v->i);
        return !p->x->why;
    }
    WEFT_ASSERT(strncmp(cls, root, sizeof root - 1) == 0);
    put_warp(p);
    sb_c(p->b, cls + sizeof root - 1);
    sb_char(p->b, '.');
    sb_str(p->b, sym_str(p->x->c->syms.by_id[v->n]));
    return true;
}

/* Other objects, modules and functions are no values: they are bound as definitions. */
static bool put_kind(value_printer *p, const value *v)
{
    switch (v->kind) {
    case VALUE_NONE: SB_LIT(p->b, "None"); return true;
    case VALUE_BOOL: sb_c(p->b, v->i ? "True" : "False"); return true;
    case VALUE_INT: sb_int128(p->b, v->i); return true;
    case VALUE_ENUM: return put_enum(p, v);
    case VALUE_OBJECT: return put_own_member(p, v);
    case VALUE_FLOAT: return put_float(p, v->f);
    case VALUE_STR: return put_string(p, v->s);
    case VALUE_SCALAR: return put_scalar(p, v);
    case VALUE_COMPOSITE: return put_composite(p, v);
    case VALUE_TUPLE: return put_items(p, v, "(", ")");
    case VALUE_LIST: return put_items(p, v, "[", "]");
    case VALUE_DICT: return put_dict(p, v);
    case VALUE_TYPE: return put_type(p, v->type);
    case VALUE_BUILTIN: return put_builtin(p, v->p);
    case VALUE_PYTYPE: sb_str(p->b, sym_str(v->s)); return true;
    default: return false;
    }
}

/* A container may hold itself. */
static bool put_value(value_printer *p, const value *v)
{
    if (p->depth >= VALUE_DEPTH || value_cells_why(v))
        return false;
    p->depth++;
    const bool good = put_kind(p, v);
    p->depth--;
    return good;
}

bool extract_put_value(extract *x, strbuf *b, const value *v, uint32_t user)
{
    value_printer p = {x, b, user, 0};
    return put_value(&p, v);
}
