/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as C++ writes them, exactly. Examples:
 *
 *     0.1 as a float         0.1f in an initializer, 0.1 among expected values
 *     the double nearest 0.1 0.1; the next one 0.10000000000000002
 *     infinity, NaN          INFINITY, NAN
 *     INT64_MIN              -9223372036854775807 - 1
 *     a 2x2 matrix           {{{1, 0}, {0, 1}}} */
#include "standalone/standalone_internal.h"

#include <math.h>

#include "base/decimal.h"

/* The type of C++ for a scalar type of Warp. */
const char *sa_scalar_name(type_kind kind)
{
    WEFT_ASSERT(kind <= TYPE_FLOAT64);
    static const char *const names[] = {
        "bool",         "signed char", "unsigned char",      "short",  "unsigned short", "int",
        "unsigned int", "long long",   "unsigned long long", "__half", "__nv_bfloat16",  "float",
        "double"};
    return names[kind];
}

/* The type of expected numbers: narrow floats are written as float, since literals of theirs do not
 * exist. */
const char *sa_expected_type(type_kind kind)
{
    return kind == TYPE_FLOAT16 || kind == TYPE_BFLOAT16 ? "float" : sa_scalar_name(kind);
}

/* The fewest digits that read back equal: as a double, then rounded to a float where it is one.
 * From 5 or 15 digits on, since %g drops zeros at the end. */
static void put_float(strbuf *b, type_kind kind, double x)
{
    const bool narrow = kind != TYPE_FLOAT64;
    decimal all, d;
    double y;
    int n = narrow ? 4 : 14;
    decimal_of(x, 18, &all);
    do {
        decimal_round(&all, ++n, &d);
        y = copysign(decimal_to_double(&d), x);
    } while (n < 17 && (narrow ? (float)y != (float)x : y != x));
    sb_printf(b, "%.*g", n, x);
    if (x == 0 && signbit(x))
        SB_LIT(b, ".0");
}

/* INT64_MIN has no literal in C++: its magnitude does not fit. */
void sa_put_number(strbuf *b, type_kind kind, num x)
{
    if (kind >= TYPE_FLOAT16) {
        if (x.f != x.f)
            SB_LIT(b, "NAN");
        else if (__builtin_fabs(x.f) == __builtin_inf())
            sb_c(b, x.f < 0 ? "-INFINITY" : "INFINITY");
        else
            put_float(b, kind, x.f);
    } else if (kind == TYPE_BOOL) {
        sb_c(b, x.i ? "true" : "false");
    } else if (kind == TYPE_UINT64) {
        sb_uint(b, (uint64_t)x.i);
        /* Numbers beyond INT64_MAX need the suffix in C++. */
        sb_c(b, x.i < 0 ? "u" : "");
    } else if (kind == TYPE_INT64 && x.i == INT64_MIN) {
        SB_LIT(b, "-9223372036854775807 - 1");
    } else {
        sb_int(b, x.i);
    }
}

/* "{a, b, c}"; returns what follows the lanes. */
static const uint8_t *put_lanes(strbuf *b, type_kind kind, size_t width, int n,
                                const uint8_t *bytes)
{
    WEFT_ASSERT(n > 0);
    sb_char(b, '{');
    for (int i = 0; i < n; i++, bytes += width) {
        sb_c(b, i ? ", " : "");
        sa_put_number(b, kind, num_load(kind, bytes));
    }
    sb_char(b, '}');
    return bytes;
}

/* Braces follow the struct types of the text: vectors of up to four lanes and quaternions are
 * plain, others hold an array, a transform holds a vector and a quaternion. */
void sa_put_value(strbuf *b, const type *t, const uint8_t *bytes)
{
    WEFT_ASSERT(type_scalar_of(t) != NULL);
    const type *scalar = type_scalar_of(t);
    const type_kind kind = (type_kind)scalar->kind;
    const size_t width = layout_size(scalar);
    if (type_is_scalar(t)) {
        const size_t at = b->n;
        sa_put_number(b, kind, num_load(kind, bytes));
        /* "1f" would be no number. Whether %g printed a point is seen in what it printed. */
        if (kind == TYPE_FLOAT32 && memchr(b->p + at, '.', b->n - at))
            sb_char(b, 'f');
        return;
    }
    const bool plain = t->kind == TYPE_QUAT || (t->kind == TYPE_VEC && t->rows <= 4);
    if (plain) {
        put_lanes(b, kind, width, t->rows, bytes);
        return;
    }
    sb_char(b, '{');
    if (t->kind == TYPE_VEC) {
        put_lanes(b, kind, width, t->rows, bytes);
    } else if (t->kind == TYPE_TRANSFORM) {
        bytes = put_lanes(b, kind, width, 3, bytes);
        SB_LIT(b, ", ");
        put_lanes(b, kind, width, 4, bytes);
    } else {
        sb_char(b, '{');
        for (int r = 0; r < t->rows; r++) {
            sb_c(b, r ? ", " : "");
            bytes = put_lanes(b, kind, width, t->cols, bytes);
        }
        sb_char(b, '}');
    }
    sb_char(b, '}');
}
