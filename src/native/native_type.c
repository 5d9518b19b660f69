/* SPDX-License-Identifier: Apache-2.0 */
/* C++ types as snippets spell them, and variables.
 *
 *     const unsigned long long *      {uint64, ptr}
 *     wp::vec_t<3, wp::float32>       {vec3f}
 *     wp::mat33                       {mat33f}, by the name that Python has for it */
#include "native/native_internal.h"

/* Columns: the name in C++, without wp:: or std::; the kind. */
static const struct {
    const char *name;
    type_kind kind;
} named[] = {
    {"bool", TYPE_BOOL},       {"int8_t", TYPE_INT8},     {"uint8_t", TYPE_UINT8},
    {"int16_t", TYPE_INT16},   {"uint16_t", TYPE_UINT16}, {"int32_t", TYPE_INT32},
    {"uint32_t", TYPE_UINT32}, {"int64_t", TYPE_INT64},   {"uint64_t", TYPE_UINT64},
    {"size_t", TYPE_UINT64},   {"ptrdiff_t", TYPE_INT64}, {"float", TYPE_FLOAT32},
    {"double", TYPE_FLOAT64},  {"half", TYPE_FLOAT16},    {"uintptr_t", TYPE_UINT64},
};

static str without_scope(str s, bool *native)
{
    *native = s.n > 4 && memcmp(s.p, "wp::", 4) == 0;
    if (*native)
        return (str){s.p + 4, s.n - 4};
    if (s.n > 5 && memcmp(s.p, "std::", 5) == 0)
        return (str){s.p + 5, s.n - 5};
    return s;
}

static bool is_qualifier(const nreader *r)
{
    return native_is(r, "const") || native_is(r, "volatile") || native_is(r, "constexpr");
}

static bool is_integer_word(str s)
{
    static const char *const words[] = {"unsigned", "signed", "int", "long", "short", "char"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(s, str_c(words[i])))
            return true;
    return false;
}

/* A scalar by its one name; NULL: it is none. */
static const type *scalar_of(const nreader *r, str s)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (str_eq(s, str_c(named[i].name)))
            return type_scalar(r->c, named[i].kind);
    return NULL;
}

/* A type of Warp by its name behind wp::; NULL: it is none. */
static const type *warp_type(const nreader *r, str s)
{
    const type *t = type_by_name(r->c, sym_intern(&r->c->syms, s.p, s.n));
    return t && type_is_value(t) ? t : NULL;
}

static bool is_family(str s)
{
    return str_eq(s, STR("vec_t")) || str_eq(s, STR("mat_t")) || str_eq(s, STR("quat_t")) ||
           str_eq(s, STR("transform_t"));
}

bool native_type_starts(nreader *r)
{
    const ntoken *t = native_peek(r, 0);
    if (t->kind != NT_NAME)
        return false;
    if (is_qualifier(r) || is_integer_word(t->text))
        return true;
    bool native;
    const str s = without_scope(t->text, &native);
    return scalar_of(r, s) || (native && (is_family(s) || warp_type(r, s)));
}

/* unsigned long long, short, char ... in any order. */
static const type *integer_words(nreader *r)
{
    int longs = 0;
    bool is_unsigned = false, narrow = false, character = false;
    while (native_peek(r, 0)->kind == NT_NAME && is_integer_word(native_peek(r, 0)->text)) {
        longs += native_is(r, "long");
        is_unsigned |= native_is(r, "unsigned");
        narrow |= native_is(r, "short");
        character |= native_is(r, "char");
        r->at++;
    }
    const type_kind k = character ? TYPE_INT8
                        : narrow  ? TYPE_INT16
                        : longs   ? TYPE_INT64
                                  : TYPE_INT32;
    return type_scalar(r->c, is_unsigned ? (type_kind)(k + 1) : k);
}

static int extent(nreader *r)
{
    const ntoken *t = native_peek(r, 0);
    int n = 0;
    if (t->kind != NT_INT || t->text.n > 3)
        native_refuse(r, "this size of a type");
    for (size_t i = 0; i < t->text.n; i++)
        n = n * 10 + (t->text.p[i] - '0');
    if (n < 1 || n > 100)
        native_refuse(r, "this size of a type");
    r->at++;
    return n;
}

/* vec_t<3, wp::float32>, from the '<' on. */
static const type *family_of(nreader *r, str s)
{
    int rows = 0, cols = 0;
    native_expect(r, "<");
    if (s.p[0] == 'v' || s.p[0] == 'm') {
        rows = extent(r);
        native_expect(r, ",");
    }
    if (s.p[0] == 'm') {
        cols = extent(r);
        native_expect(r, ",");
    }
    const ntype e = native_type_read(r);
    native_expect(r, ">");
    if (!native_is_scalar(e) || rows * cols > NATIVE_ELEMENTS)
        native_refuse(r, "such a type");
    return s.p[0] == 'v'   ? type_vec(r->c, e.t, rows)
           : s.p[0] == 'm' ? type_mat(r->c, e.t, rows, cols)
           : s.p[0] == 'q' ? type_quat(r->c, e.t)
                           : type_transform(r->c, e.t);
}

ntype native_type_read(nreader *r)
{
    ntype t = {0};
    while (is_qualifier(r))
        r->at++;
    const ntoken *first = native_peek(r, 0);
    bool native;
    const str s = without_scope(first->text, &native);
    if (!native_type_starts(r))
        native_refuse(r, "the type '%.*s'", (int)(s.n < 60 ? s.n : 60), s.p);
    if (is_integer_word(first->text)) {
        t.t = integer_words(r);
    } else {
        r->at++;
        t.t = is_family(s) && native ? family_of(r, s) : scalar_of(r, s);
        if (!t.t)
            t.t = warp_type(r, s);
    }
    while (is_qualifier(r))
        r->at++;
    if (native_accept(r, "*"))
        t.ptr = true;
    while (t.ptr && (is_qualifier(r) || native_is(r, "__restrict__")))
        r->at++;
    if (native_is(r, "*"))
        native_refuse(r, "a pointer to a pointer");
    return t;
}

bool native_same_type(ntype a, ntype b)
{
    if (a.ptr != b.ptr || a.count != b.count)
        return false;
    return a.t == b.t || (a.t && b.t && type_is_composite(a.t) && type_equal(a.t, b.t)) ||
           (a.t && b.t && a.t->kind == TYPE_ARRAY && b.t->kind == TYPE_ARRAY &&
            a.t->elem == b.t->elem);
}

bool native_is_plain(const type *t)
{
    if (!t || t->kind != TYPE_STRUCT)
        return t && type_is_value(t);
    for (uint32_t i = 0; i < t->st->nfields; i++)
        if (!native_is_plain(t->st->fields[i].type))
            return false;
    return true;
}

bool native_is_param(const type *t)
{
    if (t->kind == TYPE_ARRAY)
        return t->array_class == ARRAY_PLAIN && native_is_plain(t->elem);
    if (t->kind != TYPE_STRUCT)
        return type_is_value(t);
    for (uint32_t i = 0; i < t->st->nfields; i++)
        if (!native_is_param(t->st->fields[i].type))
            return false;
    return true;
}

/* --- bytes of values and variables */

size_t native_size(ntype t)
{
    WEFT_ASSERT(t.t || t.ptr);
    if (t.ptr)
        return sizeof(nptr);
    const size_t one = t.t->kind == TYPE_ARRAY ? sizeof(uint64_t) : layout_size(t.t);
    return one * (t.count ? t.count : 1);
}

void *native_room(nreader *r, size_t size)
{
    if (size > NATIVE_BYTES || r->bytes > NATIVE_BYTES - size)
        native_refuse(r, "native code whose variables and values take so much memory");
    r->bytes += size;
    return arena_zero(r->a, size + 1);
}

/* A reference has no object of its own. */
nvar *native_declare(nreader *r, str name, ntype t, bool is_reference)
{
    nvar *v = ARENA_NEW(r->a, nvar);
    WEFT_ASSERT(t.t);
    v->name = name;
    v->type = t;
    v->is_reference = is_reference;
    if (++r->nvars > NATIVE_VARS)
        native_refuse(r, "so many variables");
    if (!is_reference) {
        const size_t size = native_size(t);
        const nobject o = {
            .bytes = native_room(r, size), .set = native_room(r, size), .size = size, .name = name};
        v->object = r->f->objects.n;
        VEC_PUSH(r->a, &r->f->objects, o);
    }
    VEC_PUSH(r->a, &r->vars, v);
    return v;
}
