/* SPDX-License-Identifier: Apache-2.0 */
/* Formatted text without stdio, whose printf depends on the locale: its decimal point would change
 * what weft writes. Floats come from base/decimal.h. Example:
 *
 *     "%-7.3f|", 2.5   ->   "2.500  |"
 *
 * Output goes in pieces to a callback, so that a string builder needs no copy and no limit. For
 * the same format and arguments the text is that of glibc's printf in the C locale
 * (tests/unit/test_str.c compares them). */
#include "base/format.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/decimal.h"

/* Where the pieces go. */
typedef struct sink {
    format_put put;
    void *to;
} sink;

/* One conversion, "%-7.3f": flags, sizes, length and letter. */
typedef struct spec {
    bool left, zeros;
    int width, precision; /* -1: not given */
    char length, kind;    /* length: 0, 'l', 'L' for ll, 'z' */
} spec;

static void put(const sink *s, const char *text, size_t n)
{
    if (n)
        s->put(s->to, text, n);
}

/* Writes c n times; nothing if n is not positive. */
static void fill(const sink *s, char c, int n)
{
    char text[32];
    memset(text, c, sizeof text);
    for (; n > 0; n -= (int)sizeof text)
        put(s, text, n < (int)sizeof text ? (size_t)n : sizeof text);
}

/* Writes the padding in front of n bytes and the sign. Returns the padding that is due behind them
 * (or less than 1). Zeros go between sign and digits, spaces before the sign. */
static int pad_before(const sink *s, const spec *f, bool minus, int n)
{
    const int pad = f->width - n - minus;
    if (!f->left && !f->zeros)
        fill(s, ' ', pad);
    put(s, "-", minus);
    if (!f->left && f->zeros)
        fill(s, '0', pad);
    return f->left ? pad : 0;
}

/* Reads at most `precision` bytes: the text may lack a NUL then. NULL is printed as glibc does. */
static void put_string(const sink *s, spec *f, const char *text)
{
    size_t n;
    text = text ? text : "(null)";
    if (f->precision < 0) {
        n = strlen(text);
    } else {
        const char *end = memchr(text, 0, (size_t)f->precision);
        n = end ? (size_t)(end - text) : (size_t)f->precision;
    }
    /* C leaves "%05s" undefined; glibc pads with spaces. */
    f->zeros = false;
    const int behind = pad_before(s, f, false, n < INT32_MAX ? (int)n : INT32_MAX);
    put(s, text, n);
    fill(s, ' ', behind);
}

/* The magnitude x with its sign. Without a precision: format.h says what is supported. */
static void put_integer(const sink *s, const spec *f, bool minus, uint64_t x)
{
    const unsigned base = f->kind == 'x' || f->kind == 'X' ? 16 : f->kind == 'o' ? 8 : 10;
    const char *digits = f->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    char text[24], *const end = text + sizeof text;
    char *p = end;
    do
        *--p = digits[x % base];
    while (x /= base);
    const int behind = pad_before(s, f, minus, (int)(end - p));
    put(s, p, (size_t)(end - p));
    fill(s, ' ', behind);
}

/* --- floats -------------------------------------------------------------------------------- */

/* n digits from the one at `from` on; those that d lacks are zeros. */
static void put_digits(const sink *s, const decimal *d, int from, int n)
{
    WEFT_ASSERT(from >= 0 || !d->n || n <= 0);
    const int have = from < 0 ? 0 : d->n - from < 0 ? 0 : d->n - from < n ? d->n - from : n;
    put(s, d->digits + (have ? from : 0), (size_t)have);
    fill(s, '0', n - have);
}

/* d.ddd in %f's form with `places` digits behind the point; d is rounded to them. */
static void put_fixed(const sink *s, const spec *f, bool minus, const decimal *d, int places)
{
    /* Digits in front of the point: "0" for small numbers. */
    const int whole = d->exponent < 0 ? 1 : d->exponent + 1;
    const int behind = pad_before(s, f, minus, whole + (places > 0) + places);
    if (d->exponent < 0)
        put(s, "0", 1);
    else
        put_digits(s, d, 0, whole);
    put(s, ".", places > 0);
    /* 0.00123 has zeros between the point and the first digit. */
    const int zeros = d->exponent < -1 ? -1 - d->exponent : 0;
    fill(s, '0', zeros < places ? zeros : places);
    if (places > zeros)
        put_digits(s, d, d->exponent + 1 + zeros, places - zeros);
    fill(s, ' ', behind);
}

/* d.ddde+XX: the exponent has at least two digits. */
static void put_scientific(const sink *s, const spec *f, bool minus, const decimal *d, int places)
{
    const unsigned e = (unsigned)(d->exponent < 0 ? -d->exponent : d->exponent);
    const int behind = pad_before(s, f, minus, 1 + (places > 0) + places + (e < 100 ? 4 : 5));
    put_digits(s, d, 0, 1);
    put(s, ".", places > 0);
    put_digits(s, d, 1, places);
    const spec two = {.zeros = true, .width = 2, .kind = 'u'};
    put(s, d->exponent < 0 ? "e-" : "e+", 2);
    put_integer(s, &two, false, e);
    fill(s, ' ', behind);
}

/* 'g': the fewest digits of the rounded number; the form depends on its exponent, as C says
 * (7.21.6.1). */
static void put_general(const sink *s, const spec *f, bool minus, const decimal *d, int digits)
{
    const int last = d->n > 0 ? d->n - 1 : 0; /* the digits behind the first */
    if (d->exponent < -4 || d->exponent >= digits)
        put_scientific(s, f, minus, d, last);
    else
        put_fixed(s, f, minus, d, last > d->exponent ? last - d->exponent : 0);
}

/* The exact digits are computed a little beyond the precision and rounded once. `whole` estimates
 * the digits in front of the point: 0.31 is a little more than log10(2). */
static void put_float(const sink *s, spec *f, double x)
{
    const bool minus = signbit(x);
    int binary, precision = f->precision < 0 ? 6 : f->precision;
    /* Infinity and NaN are never padded with zeros. */
    if (!isfinite(x)) {
        f->zeros = false;
        const int behind = pad_before(s, f, minus, 3);
        put(s, isnan(x) ? "nan" : "inf", 3);
        fill(s, ' ', behind);
        return;
    }
    if (f->kind == 'g' && !precision)
        precision = 1;
    frexp(x, &binary);
    const int whole = f->kind != 'f' ? 0 : binary > 0 ? binary * 31 / 100 + 1 : 0;
    decimal exact, d;
    /* Two digits more than needed, so that rounding once is right. */
    decimal_of(x, whole + precision + 2, &exact);
    const int digits = f->kind == 'f'   ? exact.exponent + 1 + precision
                       : f->kind == 'e' ? precision + 1
                                        : precision;
    decimal_round(&exact, digits, &d);
    if (f->kind == 'f')
        put_fixed(s, f, minus, &d, precision);
    else if (f->kind == 'e')
        put_scientific(s, f, minus, &d, precision);
    else
        put_general(s, f, minus, &d, precision);
}

/* --- formats ------------------------------------------------------------------------------- */

/* A list of arguments that functions may share: a va_list may be an array. */
typedef struct arguments {
    va_list ap;
} arguments;

/* A width or precision: digits, or '*' for an int argument; 0 if neither is there. */
static int read_size(const char **p, arguments *args)
{
    int n = 0;
    if (**p == '*') {
        ++*p;
        return va_arg(args->ap, int);
    }
    for (; **p >= '0' && **p <= '9'; ++*p)
        n = n * 10 + (**p - '0');
    return n;
}

/* The conversion behind a '%', "-07.3lf" for example; *p moves behind it. A negative width from
 * '*' means left-aligned, as in C. */
static spec read_spec(const char **p, arguments *args)
{
    spec f = {.precision = -1};
    for (; **p == '-' || **p == '0'; ++*p) {
        f.left = f.left || **p == '-';
        f.zeros = f.zeros || **p == '0';
    }
    f.width = read_size(p, args);
    if (f.width < 0) {
        f.left = true;
        f.width = -f.width;
    }
    if (**p == '.') {
        ++*p;
        f.precision = read_size(p, args);
    }
    for (; **p == 'l' || **p == 'z'; ++*p)
        f.length = **p == 'z' ? 'z' : f.length == 'l' ? 'L' : 'l';
    f.kind = **p;
    *p += f.kind != 0;
    return f;
}

/* The next argument, by its length. */
static uint64_t take_unsigned(const spec *f, arguments *args)
{
    switch (f->length) {
    case 'l': return va_arg(args->ap, unsigned long);
    case 'L': return va_arg(args->ap, unsigned long long);
    case 'z': return va_arg(args->ap, size_t);
    default: return va_arg(args->ap, unsigned);
    }
}

static int64_t take_signed(const spec *f, arguments *args)
{
    switch (f->length) {
    case 'l': return va_arg(args->ap, long);
    case 'L': return va_arg(args->ap, long long);
    default: return va_arg(args->ap, int);
    }
}

/* Formats are literals that the compiler checks (__attribute__((format))), so an unknown letter is
 * a broken invariant. */
static void put_conversion(const sink *s, spec *f, arguments *args)
{
    switch (f->kind) {
    case 'd': {
        const int64_t x = take_signed(f, args);
        put_integer(s, f, x < 0, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
        return;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': put_integer(s, f, false, take_unsigned(f, args)); return;
    case 'c': {
        const char c = (char)va_arg(args->ap, int);
        put(s, &c, 1);
        return;
    }
    case 's': put_string(s, f, va_arg(args->ap, const char *)); return;
    case 'e':
    case 'f':
    case 'g': put_float(s, f, va_arg(args->ap, double)); return;
    default: WEFT_ASSERT(f->kind == '%'); put(s, "%", 1);
    }
}

void format_pieces(format_put to_put, void *to, const char *fmt, va_list ap)
{
    const sink s = {to_put, to};
    arguments args;
    /* So the caller's list stays usable, and functions below can advance a copy by pointer. */
    va_copy(args.ap, ap);
    for (const char *p = fmt; *p;) {
        const size_t n = strcspn(p, "%");
        put(&s, p, n);
        p += n;
        if (*p == '%') {
            p++;
            spec f = read_spec(&p, &args);
            put_conversion(&s, &f, &args);
        }
    }
    va_end(args.ap);
}

/* --- to a buffer --------------------------------------------------------------------------- */

typedef struct buffer {
    char *p;
    size_t n, size;
} buffer;

static void put_in_buffer(void *to, const char *text, size_t n)
{
    buffer *b = to;
    const size_t room = b->n < b->size ? b->size - b->n : 0;
    if (room)
        memcpy(b->p + b->n, text, n < room ? n : room);
    b->n += n;
}

/* What does not fit is counted, not written: the caller gets the room that the whole text needs. */
size_t format_text_v(char *buf, size_t size, const char *fmt, va_list ap)
{
    WEFT_ASSERT(buf || !size);
    buffer b = {.p = buf, .size = size};
    format_pieces(put_in_buffer, &b, fmt, ap);
    if (size)
        buf[b.n < size ? b.n : size - 1] = 0;
    return b.n;
}

size_t format_text(char *buf, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const size_t n = format_text_v(buf, size, fmt, ap);
    va_end(ap);
    return n;
}
