/* SPDX-License-Identifier: Apache-2.0 */
/* The string builder's slow paths and number formats (str.h). Examples: sb_float writes 0.1,
 * 1e-07, 1e+16 and 2.0 as Python's repr does; sb_size(b, 9600) writes "9.6 kB". */
#include "base/str.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>

#include "base/assert.h"
#include "base/decimal.h"
#include "base/format.h"

bool str_is_in(str s, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) /* the first byte tells most of them apart */
        if ((!s.n || s.p[0] == list[i][0]) && str_eq(s, str_c(list[i])))
            return true;
    return false;
}

const char *str_find(str s, str what)
{
    WEFT_ASSERT(what.n);
    if (s.n < what.n) /* an empty text may be NULL, which has no end to point to */
        return NULL;
    const char *p = s.p, *end = s.p + s.n;
    while ((size_t)(end - p) >= what.n) {
        p = memchr(p, what.p[0], (size_t)(end - p) - what.n + 1);
        if (!p || memcmp(p, what.p, what.n) == 0)
            return p;
        p++;
    }
    return NULL;
}

str str_take_word(const char **list)
{
    const str word = {*list, strcspn(*list, " ")};
    *list += word.n + (word.p[word.n] == ' ');
    return word;
}

bool str_has_word(const char *list, str word)
{
    for (str w; (w = str_take_word(&list)).n;)
        if (str_eq(w, word))
            return true;
    return false;
}

void sb_init(strbuf *b, mem *m)
{
    *b = (strbuf){.m = m};
}

void sb_clear(strbuf *b)
{
    mem_free(b->m, b->p);
    b->p = NULL;
    b->n = b->cap = 0;
}

/* Doubles: appending n bytes one at a time costs O(n) in all. */
void sb_grow(strbuf *b, size_t n)
{
    size_t need;
    /* Beyond a quarter of the address space doubling could overflow. */
    if (__builtin_add_overflow(b->n, n, &need) || need > SIZE_MAX / 4)
        mem_fail(b->m);
    size_t cap = b->cap ? b->cap : 256;
    while (cap < need)
        cap *= 2;
    b->p = mem_resize(b->m, b->p, cap);
    b->cap = cap;
}

/* The NUL is overwritten by the next append. */
char *sb_cstr(strbuf *b)
{
    sb_char(b, 0);
    b->n--;
    return b->p;
}

void sb_c(strbuf *b, const char *s)
{
    sb_put(b, s, strlen(s));
}

/* Digits are made from the last one on. */
void sb_uint(strbuf *b, uint64_t x)
{
    char buf[24];
    char *p = buf + sizeof buf;
    do
        *--p = (char)('0' + x % 10);
    while (x /= 10);
    sb_put(b, p, (size_t)(buf + sizeof buf - p));
}

/* -(INT64_MIN) is computed without signed overflow. */
void sb_int(strbuf *b, int64_t x)
{
    if (x < 0)
        sb_char(b, '-');
    sb_uint(b, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
}

/* Python integers are wider than C's: 128 bits hold what weft evaluates. */
void sb_int128(strbuf *b, __int128 x)
{
    char buf[48];
    char *p = buf + sizeof buf;
    unsigned __int128 u = x < 0 ? 0 - (unsigned __int128)x : (unsigned __int128)x;
    do
        *--p = (char)('0' + (int)(u % 10));
    while (u /= 10);
    if (x < 0)
        *--p = '-';
    sb_put(b, p, (size_t)(buf + sizeof buf - p));
}

void sb_hex(strbuf *b, uint64_t x, int digits)
{
    WEFT_ASSERT(digits > 0 && digits <= 16);
    for (int i = digits - 1; i >= 0; i--)
        sb_char(b, "0123456789abcdef"[x >> (4 * i) & 15]);
}

void sb_repeat(strbuf *b, char c, size_t n)
{
    if (b->cap - b->n < n)
        sb_grow(b, n);
    if (n)
        memset(b->p + b->n, c, n);
    b->n += n;
}

/* The fewest digits that read back as x; 17 are always enough. Fifteen hold any shorter decimal;
 * only numbers below the normal ones need a search. */
static void shortest(double x, decimal *out)
{
    decimal d;
    decimal_of(x, 18, &d);
    /* A normal double of up to 15 digits is the nearest to its decimal, so 15 digits rounded give
     * it without trailing zeros. */
    for (int n = fabs(x) < DBL_MIN ? 1 : 15; n <= 17; n++) {
        decimal_round(&d, n, out);
        if (decimal_to_double(out) == fabs(x))
            return;
    }
}

/* Writes decimals of few places, the common case: whole / 10^places is correctly rounded, so it is
 * the number that the text reads back as. False: x is none of these, and nothing was written. */
static bool short_decimal(strbuf *b, double x)
{
    static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    const double a = fabs(x);
    /* Products stay below 2^53 and exact; small numbers may need the exponent form. */
    if (a >= 1e9 || (a < 1e-3 && a != 0))
        return false;
    for (size_t places = 0; places < sizeof tens / sizeof *tens; places++) {
        const uint64_t n = (uint64_t)(a * tens[places] + 0.5);
        /* Exact powers of ten, so one rounding: equality proves that the text reads back as x. */
        if ((double)n / tens[places] != a)
            continue;
        const uint64_t unit = (uint64_t)tens[places];
        if (signbit(x))
            sb_char(b, '-');
        sb_uint(b, n / unit);
        sb_char(b, '.');
        for (uint64_t u = unit / 10, rest = n % unit; u; rest %= u, u /= 10)
            sb_char(b, (char)('0' + rest / u));
        if (!places)
            sb_char(b, '0');
        return true;
    }
    return false;
}

/* The rule of CPython's float_repr_style 'short': exponent form below 1e-4 and from 1e16 on, at
 * least one digit behind the point else. */
static void put_digits(strbuf *b, bool minus, const decimal *d)
{
    WEFT_ASSERT(d->n > 0 && d->n <= 17);
    const char *digits = d->digits;
    const size_t n = (size_t)d->n;
    const int exp10 = d->exponent;
    if (minus)
        sb_char(b, '-');
    /* Fixed notation: zeros in front, or behind up to the point. */
    if (exp10 >= -4 && exp10 < 16) {
        if (exp10 < 0) {
            SB_LIT(b, "0.");
            sb_repeat(b, '0', (size_t)(-exp10 - 1));
            sb_put(b, digits, n);
            return;
        }
        size_t whole = (size_t)exp10 + 1;
        sb_put(b, digits, n < whole ? n : whole);
        sb_repeat(b, '0', n < whole ? whole - n : 0);
        sb_char(b, '.');
        if (n > whole)
            sb_put(b, digits + whole, n - whole);
        else
            sb_char(b, '0');
        return;
    }
    /* Exponent form: 1e-07, 1.5e+16; at least two digits of the exponent. */
    sb_char(b, digits[0]);
    if (n > 1) {
        sb_char(b, '.');
        sb_put(b, digits + 1, n - 1);
    }
    sb_char(b, 'e');
    sb_char(b, exp10 < 0 ? '-' : '+');
    int a = exp10 < 0 ? -exp10 : exp10;
    if (a < 10)
        sb_char(b, '0');
    sb_uint(b, (uint64_t)a);
}

/* False: x is finite, and nothing was written. */
static bool put_infinite(strbuf *b, double x)
{
    if (isfinite(x))
        return false;
    sb_c(b, isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
    return true;
}

void sb_float(strbuf *b, double x)
{
    decimal d;
    if (put_infinite(b, x) || short_decimal(b, x))
        return;
    shortest(x, &d);
    put_digits(b, signbit(x), &d);
}

void sb_float32(strbuf *b, double x)
{
    const double WHOLE = 0x1p24; /* below, no two integers are one float */
    decimal d;
    if (put_infinite(b, x))
        return;
    if (fabs(x) < WHOLE && x == (double)(int32_t)x) {
        short_decimal(b, x);
        return;
    }
    decimal_of_float(x, &d);
    put_digits(b, signbit(x), &d);
}

/* A callback for format_pieces. */
static void put_piece(void *to, const char *text, size_t n)
{
    sb_put(to, text, n);
}

void sb_printf(strbuf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    format_pieces(put_piece, b, fmt, ap);
    va_end(ap);
}

/* Decimal units, as disks and networks use them. */
void sb_size(strbuf *b, uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double x = (double)bytes;
    int u = 0;
    for (; x >= 1000.0 && u < 4; u++)
        x /= 1000.0;
    sb_printf(b, u ? "%.1f %s" : "%.0f %s", x, units[u]);
}
