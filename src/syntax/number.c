/* SPDX-License-Identifier: Apache-2.0 */
/* Values of numeric literals, from tokens that lex_number.c has checked: "0x10" is the integer 16,
 * "1_0.5e1" the float 105, "2j" imaginary. Integers of more than 127 bits are kept as text, since
 * only their printed form is ever needed. Floats are rounded correctly (base/decimal.h), without
 * regard to the locale. */
#include "base/assert.h"
#include "base/decimal.h"
#include "syntax/parse.h"

/* MAX_DIGITS is CPython's sys.get_int_max_str_digits(): longer decimal literals are refused. Big
 * integers are built of limbs of nine decimal digits, so a product of limb and base fits 64 bits.
 */
enum { MAX_DIGITS = 4300, LIMB_DIGITS = 9, LIMB = 1000000000 };

/* Needs: c is a digit or a letter that the lexer has checked. */
static unsigned digit_value(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

/* CPython refuses such literals too: converting n decimal digits takes time quadratic in n. */
_Noreturn static void too_long(parser *p, const token *t)
{
    parse_fail_at(p, DIAG_HUGE_INTEGER, (pos){t->line, t->col}, (pos){t->end_line, t->end_col},
                  NULL);
}

static constant small_int(unsigned __int128 x)
{
    return (constant){.kind = CONST_INT, .i = (__int128)x};
}

/* The decimal digits of n limbs (least significant first), without leading zeros. */
static str limbs_text(parser *p, const uint32_t *limbs, size_t n)
{
    WEFT_ASSERT(n > 0);
    char *text = arena_alloc(&p->c->module, n * LIMB_DIGITS + 1), *out = text;
    for (size_t i = n; i-- > 0;) {
        uint32_t x = limbs[i];
        for (int k = LIMB_DIGITS - 1; k >= 0; k--, x /= 10)
            out[k] = (char)('0' + x % 10);
        out += LIMB_DIGITS;
    }
    while (*text == '0' && text + 1 < out)
        text++;
    return (str){text, (size_t)(out - text)};
}

/* "0x1fff" of the digits of a base that is a power of two; they do not begin with zero. Works from
 * the last digit on, since the number of bits need not be a multiple of four. */
static str hexadecimal(parser *p, const token *t, const char *s, unsigned bits_each)
{
    WEFT_ASSERT(bits_each == 1 || bits_each == 3 || bits_each == 4);
    const size_t most = (size_t)(t->e - s) + 3;
    char *text = arena_alloc(&p->c->module, most), *out = text + most;
    unsigned bits = 0, nbits = 0;
    for (const char *q = t->e; q-- > s;) {
        if (*q == '_')
            continue;
        bits |= digit_value(*q) << nbits;
        for (nbits += bits_each; nbits >= 4; nbits -= 4, bits >>= 4)
            *--out = "0123456789abcdef"[bits & 15];
    }
    /* The bits that are left make the first digit, which is not 0. */
    if (bits)
        *--out = "0123456789abcdef"[bits];
    *--out = 'x';
    *--out = '0';
    return (str){out, (size_t)(text + most - out)};
}

/* An integer beyond 127 bits, by schoolbook multiplication in base 10^9. Like CPython, only
 * decimal literals have a limit. Others with more decimal digits than that stay hexadecimal text:
 * the quadratic conversion would take too long, and CPython's repr refuses such values. */
static constant big_int(parser *p, const token *t, const char *s, unsigned base)
{
    while (*s == '0' || *s == '_')
        s++;
    const size_t chars = (size_t)(t->e - s);
    size_t digits = 0;
    for (const char *q = s; q < t->e; q++)
        digits += *q != '_';
    const unsigned bits_each = base == 16 ? 4 : base == 8 ? 3 : 1;
    /* A decimal digit needs 3.32 bits: 4 * MAX_DIGITS bits are certainly more than MAX_DIGITS
     * digits. */
    if (base == 10 ? digits > MAX_DIGITS : digits * bits_each > 4 * MAX_DIGITS) {
        if (base == 10)
            too_long(p, t);
        return (constant){.kind = CONST_BIGINT, .text = hexadecimal(p, t, s, bits_each)};
    }
    arena_mark mark = arena_save(&p->c->scratch);
    uint32_t *limbs = arena_alloc(&p->c->scratch, (chars / 2 + 2) * sizeof *limbs);
    size_t n = 1;
    limbs[0] = 0;
    for (; s < t->e; s++) {
        if (*s == '_')
            continue;
        uint64_t carry = digit_value(*s);
        for (size_t i = 0; i < n; i++) {
            carry += (uint64_t)limbs[i] * base;
            limbs[i] = (uint32_t)(carry % LIMB);
            carry /= LIMB;
        }
        WEFT_ASSERT(n < chars / 2 + 2 || !carry);
        if (carry)
            limbs[n++] = (uint32_t)carry;
    }
    str text = limbs_text(p, limbs, n);
    arena_rewind(&p->c->scratch, mark);
    return (constant){.kind = CONST_BIGINT, .text = text};
}

/* At most 15 characters: no base overflows 64 bits with those. */
static constant short_integer(const char *s, const char *e, unsigned base)
{
    uint64_t x = 0;
    for (; s < e; s++)
        if (*s != '_')
            x = x * base + digit_value(*s);
    return small_int(x);
}

/* The integer of the digits s..t->e. Falls back to big_int when the next digit would leave 127
 * bits. */
static constant integer(parser *p, const token *t, const char *s, unsigned base)
{
    if (t->e - s <= 15)
        return short_integer(s, t->e, base);
    /* The largest positive number of 128 bits with sign. */
    const unsigned __int128 limit = ~(unsigned __int128)0 >> 1;
    unsigned __int128 x = 0;
    for (const char *q = s; q < t->e; q++) {
        if (*q == '_')
            continue;
        unsigned d = digit_value(*q);
        if (x > (limit - d) / base)
            return big_int(p, t, s, base);
        x = x * base + d;
    }
    return small_int(x);
}

/* The digits of a decimal literal as an integer and a power of ten: "1_0.5e1" has the digits "105"
 * and the exponent 0. */
typedef struct literal {
    char *digits;
    size_t n;
    int64_t exponent;
} literal;

/* The value of the exponent s..e. Reading stops beyond 10^8, which is far outside of the range of
 * a double. */
static long read_exponent(const char *s, const char *e)
{
    bool negative = *s == '-';
    long x = 0;
    for (s += *s == '-' || *s == '+'; s < e && x < 100000000; s++)
        if (*s != '_')
            x = x * 10 + (*s - '0');
    return negative ? -x : x;
}

/* Leading zeros and underscores are dropped; the digits live in the scratch arena. */
static literal read_literal(parser *p, const char *s, const char *e)
{
    literal d = {.digits = arena_alloc(&p->c->scratch, (size_t)(e - s) + 1)};
    bool point = false;
    for (; s < e; s++) {
        if (*s == '.') {
            point = true;
        } else if ((*s | 0x20) == 'e') {
            d.exponent += read_exponent(s + 1, e);
            break;
        } else if (*s != '_') {
            /* Digits behind the point lower the exponent, leading zeros too. */
            d.exponent -= point;
            if (d.n || *s != '0')
                d.digits[d.n++] = *s;
        }
    }
    return d;
}

/* The value of a decimal literal without "j". */
static double real(parser *p, const char *s, const char *e)
{
    arena_mark mark = arena_save(&p->c->scratch);
    const literal d = read_literal(p, s, e);
    const double x = decimal_double(d.digits, d.n, d.exponent);
    arena_rewind(&p->c->scratch, mark);
    return x;
}

/* The form decides the class: a base letter or no "." and "e" is an integer, a final "j"
 * imaginary. */
constant parse_number(parser *p, const token *t)
{
    WEFT_ASSERT(t->kind == T_NUMBER && t->s < t->e);
    const char *s = t->s, *e = t->e;
    if (*s == '0' && e - s > 1) {
        char c = s[1] | 0x20;
        unsigned base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 0;
        if (base)
            return integer(p, t, s + 2, base);
    }
    if ((e[-1] | 0x20) == 'j')
        return (constant){.kind = CONST_IMAGINARY, .f = real(p, s, e - 1)};
    /* An "e" here is an exponent: hexadecimal digits were handled above. */
    for (const char *q = s; q < e; q++)
        if (*q == '.' || (*q | 0x20) == 'e')
            return (constant){.kind = CONST_FLOAT, .f = real(p, s, e)};
    return integer(p, t, s, 10);
}
