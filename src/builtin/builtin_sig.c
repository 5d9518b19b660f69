/* Parser of the signatures in rows_*.def:
 *   name(a: Scalar, *args: Any, low: int = -1) -> (type, type)
 * Types: any type of warp by name, Any, Scalar, Float, Int, str, Callable, tuple, tuple[T, ...],
 * tuple[T, T], vec[N, T], mat[N, N, T], quat[T], transform[T], array[T], tile[T]; and for loops in
 * Warp's source each_array[T], each_int (an integer type), each_scalar (scalars and bool).
 * The table is ours: a text that does not parse is a broken invariant. */
#include <ctype.h>
#include <stdlib.h>

#include "base/assert.h"
#include "builtin/rule.h"

typedef struct cursor {
    ctx *c;
    const char *p;
    bool each; /* the type just read was an each_ type */
} cursor;

static void skip_space(cursor *s)
{
    while (*s->p == ' ')
        s->p++;
}

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
    bool ok = accept(s, text);
    WEFT_ASSERT(ok);
    (void)ok;
}

static str word(cursor *s)
{
    skip_space(s);
    const char *start = s->p;
    while (isalnum((unsigned char)*s->p) || *s->p == '_')
        s->p++;
    return (str){start, (size_t)(s->p - start)};
}

static bool is(str w, const char *text)
{
    return str_eq(w, str_c(text));
}

static const type *read_type(cursor *s);

/* A number or Any. */
static int read_dim(cursor *s)
{
    int n = TYPE_ANY_DIM;
    str w = word(s);
    if (!is(w, "Any"))
        n = atoi(w.p);
    expect(s, ",");
    return n;
}

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
            items[key.nitems++] = read_type(s);
        } while (accept(s, ","));
        expect(s, "]");
    }
    if (key.ndim == TYPE_ANY_DIM)
        return type_tuple_of(s->c, items[0]);
    return type_tuple(s->c, items, key.nitems);
}

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
        WEFT_ASSERT(is(w, "array") || is(w, "each_array"));
        t = type_array(s->c, ARRAY_PLAIN, read_type(s), TYPE_ANY_DIM);
        s->each = is(w, "each_array");
    }
    expect(s, "]");
    return t;
}

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
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (is(w, plain[i].name)) {
            s->each = plain[i].each;
            return type_scalar(s->c, plain[i].kind);
        }
    const type *t = type_by_name(s->c, sym_intern(&s->c->syms, w.p, w.n));
    WEFT_ASSERT(t);
    return t;
}

static value read_number(cursor *s)
{
    char *int_end, *end;
    long i = strtol(s->p, &int_end, 10);
    double f = strtod(s->p, &end);
    s->p = end;
    return end == int_end ? value_int(i) : value_float(f);
}

/* None, True, False, inf, 'text', float, -1, 0.5, uint32(1) */
static value read_default(cursor *s)
{
    skip_space(s);
    if (accept(s, "'")) {
        str w = word(s);
        expect(s, "'");
        return (value){.kind = VALUE_STR, .s = sym_intern(&s->c->syms, w.p, w.n)};
    }
    if (!isalpha((unsigned char)*s->p))
        return read_number(s);
    str w = word(s);
    if (is(w, "None"))
        return (value){.kind = VALUE_NONE};
    if (is(w, "True") || is(w, "False"))
        return value_bool(is(w, "True"));
    if (is(w, "inf"))
        return value_float((double)__builtin_inff());
    const sym *name = sym_intern(&s->c->syms, w.p, w.n);
    if (!accept(s, "("))
        return (value){.kind = VALUE_PYTYPE, .s = name};
    value number = read_number(s);
    expect(s, ")");
    return value_scalar(type_by_name(s->c, name), &number);
}

static void read_params(cursor *s, signature *out)
{
    param_kind kind = PARAM_NORMAL;
    expect(s, "(");
    while (!accept(s, ")")) {
        WEFT_ASSERT(out->nparams < PARAM_MAX);
        row_param *p = &out->params[out->nparams++];
        bool star = accept(s, "*");
        str w = word(s);
        *p = (row_param){.name = sym_intern(&s->c->syms, w.p, w.n)};
        p->kind = (uint8_t)(star ? PARAM_VARARGS : kind);
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

void sig_parse(ctx *c, const char *text, signature *out)
{
    cursor s = {c, text, false};
    *out = (signature){.name = word(&s)};
    read_params(&s, out);
    if (!accept(&s, "->"))
        return;
    if (!accept(&s, "(")) {
        out->results[out->nresults++] = read_type(&s);
        return;
    }
    do
        out->results[out->nresults++] = read_type(&s);
    while (accept(&s, ","));
}
