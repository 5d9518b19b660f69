/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of snippets.
 *
 *     0x1Fu   uint32        5000000000   int64        1.5f   float32, rounded once */
#include "base/decimal.h"
#include "native/native_internal.h"

/* The digits in a base; false: others stand there, or it does not fit 64 bits. */
static bool digits(str s, uint64_t base, uint64_t *out)
{
    uint64_t x = 0;
    for (size_t i = 0; i < s.n; i++) {
        const char ch = s.p[i] <= '9' ? s.p[i] : (char)(s.p[i] | 32);
        if (ch == '\'')
            continue;
        const uint64_t d = ch <= '9' ? (uint64_t)(ch - '0') : (uint64_t)(ch - 'a') + 10;
        if (d >= base || x > (UINT64_MAX - d) / base)
            return false;
        x = x * base + d;
    }
    *out = x;
    return s.n > 0;
}

/* 12, 0x1Fu, 5ll: of the first type of C++'s list that holds it. */
nnode *native_int_literal(nreader *r, str s)
{
    bool is_unsigned = false, is_long = false, ok;
    size_t end = s.n;
    uint64_t x = 0;
    while (end && s.p[end - 1] && strchr("uUlL", s.p[end - 1])) {
        is_unsigned |= (s.p[end - 1] | 32) == 'u';
        is_long |= (s.p[end - 1] | 32) == 'l';
        end--;
    }
    const bool other = end > 1 && s.p[0] == '0';
    const char mark = other ? (char)(s.p[1] | 32) : 0;
    if (mark == 'x' || mark == 'b')
        ok = digits((str){s.p + 2, end - 2}, mark == 'x' ? 16 : 2, &x);
    else
        ok = digits((str){s.p, end}, other ? 8 : 10, &x);
    if (!ok)
        native_refuse(r, "the number '%.*s'", (int)(s.n < 60 ? s.n : 60), s.p);
    type_kind k = is_unsigned ? TYPE_UINT32 : TYPE_INT32;
    if (!is_unsigned && x > INT32_MAX)
        k = other && x <= UINT32_MAX ? TYPE_UINT32 : x <= INT64_MAX ? TYPE_INT64 : TYPE_UINT64;
    if ((is_unsigned && x > UINT32_MAX) || (is_long && k < TYPE_INT64))
        k = is_unsigned ? TYPE_UINT64 : TYPE_INT64;
    return native_constant(r, k, (num){.i = (int64_t)x});
}

/* A number that has been read as a double, rounded once to a float: not by way of the double. */
static float single_of(const char *p)
{
    decimal d = {.exponent = -1};
    bool point = false;
    for (; (*p >= '0' && *p <= '9') || *p == '.'; p++) {
        if (*p == '.')
            point = true;
        else if (!d.n && *p == '0')
            d.exponent -= point;
        else {
            d.digits[d.n++] = *p;
            d.exponent += !point;
        }
    }
    if (!d.n)
        return 0.0f;
    if (*p) { /* e, a sign, digits */
        const bool minus = p[1] == '-';
        int e = 0;
        for (p += p[1] == '-' || p[1] == '+' ? 2 : 1; *p; p++)
            e = e < 100000 ? e * 10 + (*p - '0') : e;
        d.exponent += minus ? -e : e;
    }
    return decimal_to_float(&d);
}

/* 1.5f, 1e-3, 2.: of type float with an f, else double. */
nnode *native_float_literal(nreader *r, str s)
{
    char text[70];
    const char *end;
    const bool single = (s.p[s.n - 1] | 32) == 'f', hex = s.n > 1 && (s.p[1] | 32) == 'x';
    const size_t n = s.n - single;
    if (n >= sizeof text || hex)
        native_refuse(r, "the number '%.*s'", (int)(s.n < 60 ? s.n : 60), s.p);
    memcpy(text, s.p, n);
    text[n] = 0;
    const double x = decimal_read_double(text, &end);
    if (*end || end == text)
        native_refuse(r, "the number '%s'", text);
    return single ? native_constant(r, TYPE_FLOAT32, (num){.f = (double)single_of(text)})
                  : native_constant(r, TYPE_FLOAT64, (num){.f = x});
}
