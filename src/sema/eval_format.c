/* SPDX-License-Identifier: Apache-2.0 */
/* String formatting for names and code snippets: f-strings, str.format and the % operator.
 * Examples, with n = 7:
 *
 *     f"solve_{n:03d}"          "solve_007"
 *     "{0}_{tag}".format(n, tag="x")    "7_x"
 *     "k%d_%s" % (n, "a")       "k7_a"
 *     f"{n:,}"                  unknown: ',' is not covered
 *
 * Kernel keys and native snippets are often built this way, so the text must be Python's to the
 * byte. A specification that is not covered here (',' or '%', an explicit '+' sign, '=' alignment)
 * makes the string unknown. */
#include <math.h>

#include "sema/sema.h"

static const char not_known[] = "the string is not known at compile time";

/* A format specification: [[fill]align][sign][0][width][.precision][kind]. A char of 0 means that
 * the part is absent; precision is -1 then, and fill a space. */
typedef struct format_spec {
    char align, sign, kind;
    bool zero;
    unsigned width;
    int precision;
    char fill;
} format_spec;

/* Reads [[fill]align][sign][0][width][.precision][kind] into *f. Examples:
 *
 *     "03d"     zero, width 3, kind 'd'
 *     "*^10"    fill '*', align '^', width 10
 *     ".2f"     precision 2, kind 'f'
 *
 * False: something is left over, so the specification has a form that is not covered. Width is
 * limited to four digits and precision to three; more digits are left over and refused. */
static bool parse_spec(str s, format_spec *f)
{
    size_t i = 0;
    *f = (format_spec){.precision = -1, .fill = ' '};
    if (s.n > 1 && memchr("<>^", s.p[1], 3)) {
        f->fill = s.p[0];
        i = 1;
    }
    if (i < s.n && memchr("<>^", s.p[i], 3))
        f->align = s.p[i++];
    if (i < s.n && memchr("+- ", s.p[i], 3))
        f->sign = s.p[i++];
    if (i < s.n && s.p[i] == '0') {
        f->zero = true;
        i++;
    }
    for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && f->width < 1000; i++)
        f->width = f->width * 10 + (unsigned)(s.p[i] - '0');
    if (i < s.n && s.p[i] == '.') {
        f->precision = 0;
        for (i++; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && f->precision < 100; i++)
            f->precision = f->precision * 10 + (s.p[i] - '0');
    }
    if (i < s.n)
        f->kind = s.p[i++];
    return i == s.n;
}

/* Decimal, or hexadecimal, binary and octal of numbers that are not negative. Python's precision
 * for an integer is an error; it is ignored here because the caller's kinds exclude it. */
static bool format_int(strbuf *out, const format_spec *f, __int128 x)
{
    if (f->kind == 0 || f->kind == 'd') {
        sb_int128(out, x);
        return true;
    }
    unsigned base = f->kind == 'x' || f->kind == 'X' ? 16
                    : f->kind == 'b'                 ? 2
                    : f->kind == 'o'                 ? 8
                                                     : 0;
    if (!base || x < 0)
        return false;
    char digits[128];
    int n = 0;
    do {
        digits[n++] = (f->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[x % base];
        x /= base;
    } while (x);
    while (n)
        sb_char(out, digits[--n]);
    return true;
}

/* Without a kind this is repr(x), the shortest text that reads back as x; infinities and NaN are
 * not covered. */
static bool format_float(strbuf *out, const format_spec *f, double x)
{
    int precision = f->precision < 0 ? 6 : f->precision;
    if (!isfinite(x))
        return false;
    switch (f->kind) {
    case 'f': sb_printf(out, "%.*f", precision, x); return true;
    case 'e': sb_printf(out, "%.*e", precision, x); return true;
    case 'g': sb_printf(out, "%.*g", precision ? precision : 1, x); return true;
    case 0:
        if (f->precision >= 0)
            return false;
        sb_float(out, x);
        return true;
    default: return false;
    }
}

static size_t characters(const char *s, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)s[i] & 0xc0) != 0x80;
    return count;
}

/* Appends format(v, spec). The body is made first, since alignment needs its length. Numbers align
 * to the right, everything else to the left; a leading 0 in the width fills numbers with zeros.
 * Width counts characters, which UTF-8 text begins with a byte other than 10xxxxxx. */
bool format_value(ctx *c, strbuf *out, const value *v, str spec)
{
    format_spec f;
    if (!parse_spec(spec, &f))
        return false;
    strbuf body;
    sb_init(&body, &c->mem);
    /* True and False print as words unless a kind asks for a number. */
    bool number = value_is_real(v) && v->kind != VALUE_BOOL;
    bool ok;
    if (number && value_is_int(v) && f.kind != 'f' && f.kind != 'e' && f.kind != 'g')
        ok = format_int(&body, &f, v->i);
    else if (number)
        ok = format_float(&body, &f, value_to_double(v));
    else
        ok = (f.kind == 0 || f.kind == 's') && f.precision < 0 && value_text(&body, c, v, false);
    const size_t width = characters(body.p, body.n), pad = width < f.width ? f.width - width : 0;
    char align = f.align ? f.align : number ? '>' : '<';
    /* '^' puts the odd space to the right, as Python does. */
    size_t left = align == '>' ? pad : align == '^' ? pad / 2 : 0;
    if (ok && f.sign != '+' && f.sign != ' ') {
        sb_repeat(out, f.zero && number ? '0' : f.fill, left);
        sb_put(out, body.p ? body.p : "", body.n);
        sb_repeat(out, f.fill, pad - left);
    } else {
        ok = false;
    }
    sb_clear(&body);
    return ok;
}

/* Appends one part of an f-string: literal text, or {value!conversion:spec}. The specification may
 * itself be an f-string: f"{x:{width}d}". */
static bool join_piece(evaluator *e, strbuf *out, const node *n)
{
    if (n->kind == AST_Constant) {
        str text = AST(Constant, n)->value.text;
        sb_str(out, text);
        return true;
    }
    const ast_FormattedValue *piece = AST(FormattedValue, n);
    value v = eval_node(e, piece->value);
    value spec = value_str(e->c, "", 0);
    if (piece->format_spec)
        spec = eval_node(e, piece->format_spec);
    if (v.kind == VALUE_UNKNOWN || spec.kind != VALUE_STR || piece->conversion == 'a')
        return false;
    /* The specification then applies to the text. */
    if (piece->conversion == 'r' || piece->conversion == 's') {
        strbuf b;
        sb_init(&b, &e->c->mem);
        bool ok = value_text(&b, e->c, &v, piece->conversion == 'r');
        v = value_str(e->c, b.p ? b.p : "", b.n);
        sb_clear(&b);
        if (!ok)
            return false;
    }
    return format_value(e->c, out, &v, sym_str(spec.s));
}

/* An f-string. Its length is limited, because a loop may double a string again and again. */
value eval_joined(evaluator *e, const ast_JoinedStr *n)
{
    strbuf b;
    sb_init(&b, &e->c->mem);
    bool ok = true;
    for (uint32_t i = 0; i < n->values.n && ok; i++)
        ok = join_piece(e, &b, n->values.v[i]) && b.n < (size_t)SEMA_LOOP * 10;
    value v = ok ? value_str(e->c, b.p ? b.p : "", b.n) : unknown(not_known);
    sb_clear(&b);
    return v;
}

/* fmt % args with %s, %r, %d, %i, %f and %%: "%s_%d" % ("k", 3) is "k_3". One value need not be a
 * tuple. Arguments that are left over, a TypeError in Python, are not diagnosed. */
value format_percent(ctx *c, const value *fmt, const value *args)
{
    WEFT_ASSERT(fmt->kind == VALUE_STR);
    uint32_t used = 0, n = args->kind == VALUE_TUPLE ? args->n : 1;
    const value *items = args->kind == VALUE_TUPLE ? args->items : args;
    strbuf b;
    sb_init(&b, &c->mem);
    bool ok = true;
    for (const char *p = fmt->s->s; *p && ok; p++) {
        if (*p != '%') {
            sb_char(&b, *p);
            continue;
        }
        if (*++p == '%') {
            sb_char(&b, '%');
            continue;
        }
        /* Flags, widths and %(name)s are not covered. */
        ok = *p && strchr("srdif", *p) && used < n;
        if (!ok)
            break;
        const value *v = &items[used++];
        if (*p == 's' || *p == 'r')
            ok = value_text(&b, c, v, *p == 'r');
        else
            ok = value_is_real(v) && format_value(c, &b, v, *p == 'f' ? STR("f") : STR("d"));
    }
    value v = ok ? value_str(c, b.p ? b.p : "", b.n) : unknown(not_known);
    sb_clear(&b);
    return v;
}
