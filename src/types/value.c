/* SPDX-License-Identifier: Apache-2.0 */
/* Compile-time values as constants of a kernel: the type of the variable that holds one, and its
 * C++ spelling (Warp 1.19 constant_str), which has to be Warp's to the character. Examples:
 *
 *     True                 true
 *     3                    3
 *     wp.uint64(3)         3ull
 *     0.1                  0.1          Python's shortest digits, as repr() prints them
 *     wp.vec2(1.0, 2.0)    wp::initializer_array<2,wp::float32>{1.0, 2.0}
 *     "a\n"                "a\n"        Python's unicode-escape codec
 */
#include "types/value.h"

#include <math.h>

#include "base/decimal.h"

const type *value_var_type(const ctx *c, const value *v)
{
    switch (v->kind) {
    case VALUE_BOOL: return type_scalar(c, TYPE_BOOL);
    case VALUE_ENUM: return type_scalar(c, TYPE_INT32);
    case VALUE_INT: return v->type ? v->type : type_scalar(c, TYPE_INT32);
    case VALUE_FLOAT: return type_scalar(c, TYPE_FLOAT32);
    case VALUE_STR: return type_scalar(c, TYPE_STR);
    case VALUE_SCALAR:
    case VALUE_COMPOSITE:
    case VALUE_STRUCT_INSTANCE: return v->type;
    default: return NULL;
    }
}

/* The nearest float16, ties to even, as Warp's native code rounds: first to float32, then to
 * float16 (wp_float_to_half_bits and back). */
static double round_half(double x)
{
    double f = (double)(float)x, a = fabs(f);
    if (!(a < INFINITY) || a == 0)
        return f;
    int e; /* a = m * 2^e with 0.5 <= m < 1; a float16 has 11 bits */
    frexp(a, &e);
    int unit = e < -13 ? -24 : e - 11; /* subnormals have a fixed step of 2^-24 */
    double r = ldexp(nearbyint(ldexp(a, -unit)), unit);
    return copysign(r > 65504 ? INFINITY : r, f);
}

/* The nearest bfloat16, ties to even: the upper half of a float32. */
static double round_bfloat(double x)
{
    float f = (float)x;
    if (isnan(f))
        return NAN;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    bits += 0x7fff + (bits >> 16 & 1); /* half a unit, less one if the kept part is even */
    bits &= 0xffff0000u;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

double value_rounded(type_kind k, double x)
{
    if (k == TYPE_FLOAT32)
        return (double)(float)x;
    return k == TYPE_FLOAT16 ? round_half(x) : k == TYPE_BFLOAT16 ? round_bfloat(x) : x;
}

/* Prints an integer as a ctypes array of that type keeps it: cut to its width. */
static void emit_int_item(strbuf *out, type_kind k, int64_t x)
{
    switch (k) {
    case TYPE_BOOL: sb_c(out, x ? "true" : "false"); break;
    case TYPE_INT8: sb_int(out, (int8_t)x); break;
    case TYPE_UINT8: sb_uint(out, (uint8_t)x); break;
    case TYPE_INT16: sb_int(out, (int16_t)x); break;
    case TYPE_UINT16: sb_uint(out, (uint16_t)x); break;
    case TYPE_INT32: sb_int(out, (int32_t)x); break;
    case TYPE_UINT32: sb_uint(out, (uint32_t)x); break;
    case TYPE_UINT64: sb_uint(out, (uint64_t)x); break;
    default: sb_int(out, x); break;
    }
}

/* Elements of a composite. */
static int item_count(const type *t)
{
    WEFT_ASSERT(type_is_composite(t));
    return t->kind == TYPE_MAT ? t->rows * t->cols : t->rows;
}

/* A composite prints its stored elements, so float16 ones are rounded before printing, unlike
 * scalars. */
static void emit_composite(strbuf *out, const value *v)
{
    const type *elem = v->type->elem;
    int n = item_count(v->type);
    SB_LIT(out, "wp::initializer_array<");
    sb_int(out, n);
    sb_char(out, ',');
    sb_str(out, elem->cname);
    SB_LIT(out, ">{");
    for (int i = 0; i < n; i++) {
        if (i)
            SB_LIT(out, ", ");
        if (type_is_float(elem))
            sb_float(out, value_rounded(elem->kind, v->elems[i]));
        else
            emit_int_item(out, elem->kind, v->ielems[i]);
    }
    sb_char(out, '}');
}

/* repr() of a float, and the macros of <math.h> for what has no digits. */
static void emit_float(strbuf *out, double x)
{
    if (isnan(x))
        SB_LIT(out, "NAN");
    else if (isinf(x))
        sb_c(out, x > 0 ? "INFINITY" : "-INFINITY");
    else
        sb_float(out, x);
}

/* The decimal with the fewest digits that reads back as the float32 x: how NumPy prints a
 * numpy.float32. */
static double shortest_float32(double x)
{
    decimal d;
    if (!isfinite(x))
        return x;
    decimal_of_float(x, &d);
    return copysign(decimal_to_double(&d), x);
}

/* Warp prints the number that the scalar was made from: wp.float32(3) is 3, and wp.int64(True) is
 * Truell, as in Warp's text. */
static void emit_scalar(strbuf *out, const value *v)
{
    if (value_has_f(v)) {
        emit_float(out, v->n == RAW_NUMPY32 ? shortest_float32(v->f) : v->f);
        return;
    }
    if (v->n == RAW_BOOL)
        sb_c(out, v->i ? "True" : "False");
    else
        sb_int128(out, v->i);
    if (v->type->kind == TYPE_UINT64)
        SB_LIT(out, "ull");
    else if (v->type->kind == TYPE_INT64)
        SB_LIT(out, "ll");
    else if (v->type->kind == TYPE_UINT32)
        sb_char(out, 'u');
}

/* The code point at *i of UTF-8 text, which moves on; broken bytes stand for themselves. */
static uint32_t next_char(const unsigned char *s, size_t n, size_t *i)
{
    unsigned char c = s[(*i)++];
    int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    uint32_t x = more ? c & (0x3fu >> more) : c;
    for (; more && *i < n; more--)
        x = x << 6 | (s[(*i)++] & 0x3f);
    return x;
}

/* Python's unicode-escape codec: quotes stay as they are, as in Warp's text. */
static void emit_string(strbuf *out, const sym *s)
{
    sb_char(out, '"');
    for (size_t i = 0; i < s->len;) {
        uint32_t ch = next_char((const unsigned char *)s->s, s->len, &i);
        if (ch == '\\')
            SB_LIT(out, "\\\\");
        else if (ch == '\n')
            SB_LIT(out, "\\n");
        else if (ch == '\t')
            SB_LIT(out, "\\t");
        else if (ch == '\r')
            SB_LIT(out, "\\r");
        else if (ch >= ' ' && ch < 127)
            sb_char(out, (char)ch);
        else {
            sb_c(out, ch < 256 ? "\\x" : ch < 65536 ? "\\u" : "\\U");
            sb_hex(out, ch, ch < 256 ? 2 : ch < 65536 ? 4 : 8);
        }
    }
    sb_char(out, '"');
}

/* "Body_1a2b3c4d(wp::float32(1.0), wp::int32(2))": each field is cast to its type. */
static void emit_struct(strbuf *out, const value *v)
{
    WEFT_ASSERT(v->type);
    if (v->type->kind == TYPE_NATIVE) { /* "tex::Color{0.25, 0.5}": as they are */
        sb_str(out, v->type->cname);
        sb_char(out, '{');
        for (uint32_t i = 0; i < v->type->native->nfields; i++) {
            sb_c(out, i ? ", " : "");
            value_emit(out, &v->items[i]);
        }
        sb_char(out, '}');
        return;
    }
    WEFT_ASSERT(v->type->kind == TYPE_STRUCT);
    const struct_def *st = v->type->st;
    sb_str(out, st->native_name);
    sb_char(out, '(');
    for (uint32_t i = 0; i < st->nfields; i++) {
        sb_c(out, i ? ", " : "");
        sb_str(out, st->fields[i].type->cname);
        sb_char(out, '(');
        value_emit(out, &v->items[i]);
        sb_char(out, ')');
    }
    sb_char(out, ')');
}

void value_emit(strbuf *out, const value *v)
{
    switch (v->kind) {
    case VALUE_BOOL: sb_c(out, v->i ? "true" : "false"); break;
    case VALUE_INT:
    case VALUE_ENUM: sb_int128(out, v->i); break;
    case VALUE_FLOAT: emit_float(out, v->f); break;
    case VALUE_STR: emit_string(out, v->s); break;
    case VALUE_SCALAR: emit_scalar(out, v); break;
    case VALUE_COMPOSITE: emit_composite(out, v); break;
    case VALUE_STRUCT_INSTANCE: emit_struct(out, v); break;
    default: break;
    }
}
