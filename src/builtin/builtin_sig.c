/* SPDX-License-Identifier: Apache-2.0 */
/* Parser of the signatures in rows_*.def:
 *
 *     name(a: Scalar, *args: Any, low: int = -1) -> (type, type)
 *
 * Types: any type of warp by name, Any, Scalar, Float, Int, str, Callable, tuple, tuple[T, ...],
 * tuple[T, T], vec[N, T], mat[N, N, T], quat[T], transform[T], array[T], tile[T]; and for loops in
 * Warp's source each_array[T], each_int (an integer type), each_scalar (scalars and bool): one row
 * stands for the rows that such a loop adds.
 *
 * Example: "randi(state: uint32, low: int, high: int) -> int" has three parameters and one result,
 * int32.
 *
 * The table is ours: a row that does not parse is a broken invariant, which the table asserts. The
 * parser itself stops there, within the bounds of the signature. */
#include "base/ascii.h"
#include "base/decimal.h"
#include "builtin/rule.h"

typedef struct cursor {
    ctx *c;
    const char *p;
    bool each; /* the type just read was an each_ type */
    bool bad;  /* what was read is no signature; p is at the end of a text */
} cursor;

/* Everything that is read afterwards is the end of the text, so no loop goes on. */
static void fail(cursor *s)
{
    s->bad = true;
    s->p = "";
}

static void skip_space(cursor *s)
{
    while (*s->p == ' ')
        s->p++;
}

/* Consumes text if it comes next, behind spaces. */
static bool accept(cursor *s, const char *text)
{
    skip_space(s);
    size_t n = strlen(text);
    if (strncmp(s->p, text, n) != 0)
        return false;
    s->p += n;
    return true;
}

static void expect(cursor *s, const char *text)
{
    if (!accept(s, text))
        fail(s);
}

/* A name, not empty unless it fails. */
static str word(cursor *s)
{
    skip_space(s);
    const char *start = s->p;
    while (ascii_is_letter(*s->p) || ascii_is_digit(*s->p) || *s->p == '_')
        s->p++;
    const str w = {start, (size_t)(s->p - start)};
    if (!w.n)
        fail(s);
    return w;
}

static bool is(str w, const char *text)
{
    return str_eq(w, str_c(text));
}

static const type *read_type(cursor *s);

/* A number or Any, and the comma behind it, as vec and mat begin. */
static int read_dim(cursor *s)
{
    uint64_t n;
    if (accept(s, "Any")) {
        expect(s, ",");
        return TYPE_ANY_DIM;
    }
    skip_space(s);
    if (!decimal_read_uint(s->p, &s->p, &n) || n > UINT8_MAX)
        fail(s);
    expect(s, ",");
    /* A valid dimension keeps type_vec's precondition after a failure. */
    return s->bad ? 1 : (int)n;
}

/* "tuple", "tuple[T, ...]" or "tuple[T, U]"; "tuple" is consumed. */
static const type *read_tuple(cursor *s)
{
    const type *items[4];
    type key = {.kind = TYPE_TUPLE, .items = items};
    if (accept(s, "[")) {
        do {
            if (accept(s, "...")) {
                key.ndim = TYPE_ANY_DIM;
                break;
            }
            /* No signature has longer tuples. */
            if (key.nitems == sizeof items / sizeof *items) {
                fail(s);
                break;
            }
            items[key.nitems++] = read_type(s);
        } while (accept(s, ","));
        expect(s, "]");
    }
    if (key.ndim == TYPE_ANY_DIM && !key.nitems)
        fail(s);
    else if (key.ndim == TYPE_ANY_DIM)
        return type_tuple_of(s->c, items[0]);
    return type_tuple(s->c, items, key.nitems);
}

/* "vec[N, T]" and the like; the name w and the bracket are consumed. */
static const type *read_composite(cursor *s, str w)
{
    const type *t = NULL;
    if (is(w, "vec")) {
        int n = read_dim(s);
        t = type_vec(s->c, read_type(s), n);
    } else if (is(w, "mat")) {
        int n = read_dim(s), m = read_dim(s);
        t = type_mat(s->c, read_type(s), n, m);
    } else if (is(w, "quat")) {
        t = type_quat(s->c, read_type(s));
    } else if (is(w, "transform")) {
        t = type_transform(s->c, read_type(s));
    } else if (is(w, "tile")) {
        t = type_tile(s->c, read_type(s), NULL);
    } else {
        if (!is(w, "array") && !is(w, "each_array"))
            fail(s);
        t = type_array(s->c, ARRAY_PLAIN, read_type(s), TYPE_ANY_DIM);
        /* Set last: an each_ type as the element does not count. */
        s->each = is(w, "each_array");
    }
    expect(s, "]");
    return t;
}

/* A type. Failure gives Any, so that callers need no check. */
static const type *read_type(cursor *s)
{
    static const struct {
        const char *name;
        type_kind kind;
        bool each;
    } plain[] = {
        {"Any", TYPE_ANY, false},     {"str", TYPE_STR, false},
        {"None", TYPE_VOID, false},   {"Callable", TYPE_CALLABLE, false},
        {"each_int", TYPE_INT, true}, {"each_scalar", TYPE_SCALAR, true},
    };
    str w = word(s);
    if (is(w, "tuple"))
        return read_tuple(s);
    if (accept(s, "["))
        return read_composite(s, w);
    /* Names that are no attributes of Warp's module. */
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (is(w, plain[i].name)) {
            s->each = plain[i].each;
            return type_scalar(s->c, plain[i].kind);
        }
    const type *t = type_by_name(s->c, sym_intern(&s->c->syms, w.p, w.n));
    if (!t)
        fail(s);
    return t ? t : type_scalar(s->c, TYPE_ANY);
}

/* An integer or a float, by whether it has a point or an exponent. */
static value read_number(cursor *s)
{
    const char *const start = s->p, *whole_end;
    const bool minus = *start == '-';
    uint64_t whole;
    /* Digits alone make an integer; with a point or exponent the float reader gets further. */
    const bool fits = decimal_read_uint(start + minus, &whole_end, &whole);
    const double x = decimal_read_double(start, &s->p);
    if (s->p == start)
        fail(s);
    if (!fits || s->p != whole_end)
        return value_float(x);
    return value_int(minus ? -(__int128)whole : (__int128)whole);
}

/* A default value: None, True, False, inf, 'text', float (a type), -1, 0.5, uint32(1). */
static value read_default(cursor *s)
{
    skip_space(s);
    if (accept(s, "'")) {
        str w = word(s);
        expect(s, "'");
        return (value){.kind = VALUE_STR, .s = sym_intern(&s->c->syms, w.p, w.n)};
    }
    if (!ascii_is_letter(*s->p))
        return read_number(s);
    str w = word(s);
    if (is(w, "None"))
        return (value){.kind = VALUE_NONE};
    if (is(w, "True") || is(w, "False"))
        return value_bool(is(w, "True"));
    if (is(w, "inf"))
        return value_float((double)__builtin_inff());
    const sym *name = sym_intern(&s->c->syms, w.p, w.n);
    /* `float` as a default is a type. */
    if (!accept(s, "("))
        return (value){.kind = VALUE_PYTYPE, .s = name};
    value number = read_number(s);
    const type *t = type_by_name(s->c, name);
    expect(s, ")");
    if (!t)
        fail(s);
    return t ? value_scalar(t, &number) : number;
}

/* "(name: type = default, *name: type, ...)"; parameters behind *args can be given by name only. */
static void read_params(cursor *s, signature *out)
{
    param_kind kind = PARAM_NORMAL;
    expect(s, "(");
    while (!s->bad && !accept(s, ")")) {
        if (out->nparams == PARAM_MAX) {
            fail(s);
            return;
        }
        row_param *p = &out->params[out->nparams++];
        bool star = accept(s, "*");
        str w = word(s);
        *p = (row_param){.name = sym_intern(&s->c->syms, w.p, w.n)};
        p->kind = (uint8_t)(star ? PARAM_VARARGS : kind);
        /* Parameters behind *args. */
        if (star)
            kind = PARAM_KEYWORD;
        expect(s, ":");
        s->each = false;
        p->type = read_type(s);
        p->each = s->each;
        if (accept(s, "="))
            p->default_value = read_default(s);
        accept(s, ",");
    }
}

/* One type, or several in brackets. */
static void read_results(cursor *s, signature *out)
{
    const bool several = accept(s, "(");
    do {
        if (out->nresults == RESULT_MAX) {
            fail(s);
            return;
        }
        out->results[out->nresults++] = read_type(s);
    } while (several && accept(s, ","));
    if (several)
        expect(s, ")");
}

/* The whole text has to be read. */
bool sig_parse(ctx *c, const char *text, signature *out)
{
    cursor s = {.c = c, .p = text};
    *out = (signature){.name = word(&s)};
    read_params(&s, out);
    if (accept(&s, "->"))
        read_results(&s, out);
    skip_space(&s);
    return !s.bad && !*s.p;
}
