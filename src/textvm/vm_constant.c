/* SPDX-License-Identifier: Apache-2.0 */
/* Literals of the text: numbers, true and false, INFINITY and NAN, lists of numbers, structs.
 *
 *     const wp::float32 var_2 = 0.1;                    the nearest double, rounded to float32
 *     const wp::int32 var_3 = 4294967295;               -1: converted as C++ does
 *     wp::initializer_array<2,wp::float32>{1.0, 2.0}    a vector
 *     Body_a8f4a9dd(wp::float32(1.0), ...)              a struct
 *
 * The value is computed while reading and stored to a variable's bytes. The number reader is base's
 * (decimal_scaled), which no locale changes. */
#include "base/assert.h"
#include <math.h>

#include "base/ascii.h"
#include "base/decimal.h"
#include "textvm/vm_read.h"

/* A number as it is written, without a minus sign. */
typedef struct literal {
    bool is_float; /* with a point or an exponent, or a word */
    bool is_bool;
    uint64_t i; /* of integers and bool */
    double f;   /* the nearest double, of all of them */
} literal;

/* Ends reading at a token that begins with a digit and is no number of the dialect. */
static _Noreturn void bad_number(reader *r)
{
    read_fail(r, "'%.*s' is no number", (int)(r->tok.text.n < 80 ? r->tok.text.n : 80),
              r->tok.text.p);
}

/* digits [. digits] [e [sign] digits] as digits * 10^exponent. 19 digits fit into 64 bits; Warp and
 * weft write at most 17, so of further digits only zeros are accepted, which are exact.
 *
 *     "0.1"       digits 1, exponent -1
 *     "1.5e3"     digits 15, exponent 2 */
static literal float_literal(reader *r, const char *p, const char *end)
{
    literal x = {.is_float = true};
    int exponent = 0, written = 0, digits = 0;
    bool point = false;
    for (; p < end && (ascii_is_digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        digits++;
        if (written == 19) {
            exponent += !point;
            if (*p != '0')
                bad_number(r);
            continue;
        }
        x.i = x.i * 10 + (uint64_t)(*p - '0');
        written += x.i != 0;
        exponent -= point;
    }
    if (!digits)
        bad_number(r);
    if (p < end && (*p == 'e' || *p == 'E')) {
        const bool minus = ++p < end && *p == '-';
        int e = 0;
        p += p < end && (*p == '-' || *p == '+');
        if (p == end)
            bad_number(r);
        for (; p < end && ascii_is_digit(*p); p++)
            e = e < 100000 ? e * 10 + (*p - '0') : e;
        exponent += minus ? -e : e;
    }
    if (p < end)
        bad_number(r);
    x.f = decimal_scaled(x.i, exponent);
    return x;
}

/* An integer with an optional suffix u, ll or ull, or a float. The suffix changes nothing: the
 * variable's type decides. A leading zero would be octal in C++ and is refused. */
static literal number_literal(reader *r)
{
    const char *p = r->tok.text.p, *end = p + r->tok.text.n;
    literal x = {.is_float = false};
    for (; p < end && ascii_is_digit(*p); p++) {
        const uint64_t digit = (uint64_t)(*p - '0');
        if (x.i > (UINT64_MAX - digit) / 10)
            bad_number(r);
        x.i = x.i * 10 + digit;
    }
    const size_t left = (size_t)(end - p);
    if (left && (*p == '.' || *p == 'e'))
        x = float_literal(r, r->tok.text.p, end);
    else if (left && !(left == 1 && *p == 'u') && !(left == 2 && memcmp(p, "ll", 2) == 0) &&
             !(left == 3 && memcmp(p, "ull", 3) == 0))
        bad_number(r);
    else if (left == 0 && r->tok.text.n > 1 && r->tok.text.p[0] == '0')
        bad_number(r); /* octal in C++ */
    else
        x.f = (double)x.i;
    tok_next(r);
    return x;
}

/* true, True, INFINITY, NAN and their like. */
static literal word_literal(reader *r)
{
    literal x = {.is_float = true};
    if (tok_is(r, "INFINITY"))
        x.f = (double)INFINITY;
    else if (tok_is(r, "NAN"))
        x.f = (double)NAN;
    else if (tok_is(r, "true") || tok_is(r, "false"))
        x = (literal){.is_bool = true, .i = tok_is(r, "true"), .f = tok_is(r, "true")};
    else
        read_fail(r, "a constant is missing");
    tok_next(r);
    return x;
}

/* A scalar as C++ converts the literal. What C++ leaves undefined, a float out of an integer's
 * range, is refused. Integers wrap around.
 *
 *     300 for uint8          44
 *     -1 for uint32          4294967295
 *     1e10 for int32         refused */
static void scalar_read(reader *r, const type *t, uint8_t *at)
{
    WEFT_ASSERT(type_is_scalar(t));
    const bool minus = tok_accept(r, '-');
    const literal x = r->tok.kind == T_NUMBER ? number_literal(r) : word_literal(r);
    if (x.is_bool != (t->kind == TYPE_BOOL))
        read_fail(r, "a constant of another type");
    num v;
    if (x.is_float && !num_fits(t->kind, TYPE_FLOAT64, (num){.f = minus ? -x.f : x.f}))
        read_fail(r, "the constant does not fit its type");
    if (x.is_float) {
        v = num_cast(t->kind, TYPE_FLOAT64, (num){.f = minus ? -x.f : x.f});
    } else if (type_is_float(t)) {
        v = num_cast(t->kind, TYPE_FLOAT64, (num){.f = minus ? 0 - x.f : x.f});
    } else {
        v = num_cast(t->kind, TYPE_UINT64, (num){.i = (int64_t)(minus ? 0 - x.i : x.i)});
    }
    num_store(t->kind, at, v);
}

/* wp::initializer_array<N,T>{...} with N the number of t's lanes. */
static void list_read(reader *r, const type *t, uint8_t *at)
{
    const type *elem = type_scalar_of(t);
    const size_t size = layout_size(elem);
    const int n = lane_count(t);
    WEFT_ASSERT(type_is_composite(t));
    tok_words(r, "wp::initializer_array <");
    if (tok_int(r) != n)
        read_fail(r, "the list does not have %d numbers", n);
    tok_expect(r, ',');
    if (type_read(r).t != elem)
        read_fail(r, "the list's numbers have another type");
    tok_words(r, "> {");
    for (int i = 0; i < n; i++) {
        if (i)
            tok_expect(r, ',');
        scalar_read(r, elem, at + (size_t)i * size);
    }
    tok_expect(r, '}');
}

/* NAME(T(x), U(y), ...), all fields in order; a field may be a struct, but no array. */
static void struct_constant(reader *r, const type *t, uint8_t *at)
{
    const vt have = type_read(r);
    if (!vt_same(have, (vt){t, false}))
        type_fail(r, (vt){t, false}, have);
    tok_expect(r, '(');
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const type *f = t->st->fields[i].type;
        if (i)
            tok_expect(r, ',');
        const vt cast = type_read(r);
        if (!vt_same(cast, (vt){f, false}) || f->kind == TYPE_ARRAY)
            type_fail(r, (vt){f, false}, cast);
        tok_expect(r, '(');
        constant_read(r, f, at + layout_field(t->st, i));
        tok_expect(r, ')');
    }
    tok_expect(r, ')');
}

/* Does a literal begin here? A minus sign stands before literals only: Warp writes wp::neg for
 * variables. */
bool constant_starts(const reader *r)
{
    return r->tok.kind == T_NUMBER || r->tok.kind == '-' || r->tok.kind == T_STRING ||
           tok_is(r, "true") || tok_is(r, "false") || tok_is(r, "INFINITY") || tok_is(r, "NAN") ||
           tok_is_native(r, "initializer_array");
}

/* A string has no bytes: it is an argument of printf only, and nothing is printed. */
void constant_read(reader *r, const type *t, uint8_t *at)
{
    if (type_is_scalar(t)) {
        scalar_read(r, t, at);
    } else if (type_is_composite(t)) {
        list_read(r, t, at);
    } else if (t->kind == TYPE_STRUCT) {
        struct_constant(r, t, at);
    } else if (t->kind == TYPE_STR && r->tok.kind == T_STRING) {
        tok_next(r);
    } else {
        read_fail(r, "a constant of this type cannot be read");
    }
}
