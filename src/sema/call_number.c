/* SPDX-License-Identifier: Apache-2.0 */
/* Python's functions of whole numbers, characters and paths. Examples:
 *
 *     math.factorial(5), math.comb(5, 2)       120, 10
 *     divmod(-7, 2), (10).bit_length()         (-4, 1), 4
 *     bin(5), hex(255), ord("a"), chr(98)      "0b101", "0xff", 97, "b"
 *     math.isclose(0.1 + 0.2, 0.3)             True
 *     os.path.basename("a/b.py")               "b.py"
 *
 * What raises in Python is unknown. */
#include <math.h>

#include "sema/sema.h"

static const char not_known[] = "the function's result is not known at compile time";

static value failed(const py_call *a)
{
    for (uint32_t i = 0; i < a->nargs; i++)
        if (a->args[i].kind == VALUE_UNKNOWN)
            return a->args[i];
    return unknown(not_known);
}

/* Are all arguments ints, n of them? */
static bool are_ints(const py_call *a, uint32_t n)
{
    bool fits = a->nargs == n && !a->nkwargs;
    for (uint32_t i = 0; fits && i < n; i++)
        fits = a->args[i].kind == VALUE_INT || a->args[i].kind == VALUE_BOOL;
    return fits;
}

value call_factorial(evaluator *e, const py_call *a)
{
    (void)e;
    __int128 r = 1;
    if (!are_ints(a, 1) || a->args[0].i < 0 || a->args[0].i > 33) /* 34! has 128 bits */
        return failed(a);
    for (int i = 2; i <= (int)a->args[0].i; i++)
        r *= i;
    return value_int(r);
}

value call_comb(evaluator *e, const py_call *a)
{
    (void)e;
    if (!are_ints(a, 2) || a->args[0].i < 0 || a->args[1].i < 0 || a->args[0].i > 1000000)
        return failed(a);
    const __int128 n = a->args[0].i;
    __int128 k = a->args[1].i, r = 1;
    if (k > n)
        return value_int(0);
    k = k > n - k ? n - k : k;
    for (__int128 i = 1; i <= k; i++) {
        if (__builtin_mul_overflow(r, n - k + i, &r))
            return unknown(not_known);
        r /= i; /* exactly: r is comb(n - k + i, i) times i before */
    }
    return value_int(r);
}

value call_divmod(evaluator *e, const py_call *a)
{
    if (a->nargs != 2)
        return failed(a);
    value *both = ARENA_ARRAY(&e->c->module, value, 2);
    both[0] = op_binary(e->c, OP_FloorDiv, &a->args[0], &a->args[1]);
    both[1] = op_binary(e->c, OP_Mod, &a->args[0], &a->args[1]);
    if (both[0].kind == VALUE_UNKNOWN || both[1].kind == VALUE_UNKNOWN)
        return failed(a);
    return value_items(VALUE_TUPLE, both, 2);
}

value int_bit_length(const value *x)
{
    int n = 0;
    for (__int128 left = x->i < 0 ? -x->i : x->i; left; left >>= 1)
        n++;
    return value_int(n);
}

/* bin, oct and hex */
value call_digits(evaluator *e, const py_call *a)
{
    enum { BITS = 128 };
    char text[BITS + 4];
    size_t at = sizeof text;
    const int shift = a->id == SP_bin ? 1 : a->id == SP_oct ? 3 : 4;
    if (!are_ints(a, 1))
        return failed(a);
    const bool negative = a->args[0].i < 0;
    unsigned __int128 x = (unsigned __int128)(negative ? -a->args[0].i : a->args[0].i);
    do {
        text[--at] = "0123456789abcdef"[x & (((unsigned)1 << shift) - 1)];
        x >>= shift;
    } while (x);
    text[--at] = a->id == SP_bin ? 'b' : a->id == SP_oct ? 'o' : 'x';
    text[--at] = '0';
    if (negative)
        text[--at] = '-';
    return value_str(e->c, text + at, sizeof text - at);
}

/* Of ASCII. */
value call_ord(evaluator *e, const py_call *a)
{
    (void)e;
    const sym *s = a->nargs == 1 && a->args[0].kind == VALUE_STR ? a->args[0].s : NULL;
    return s && s->len == 1 && (unsigned char)s->s[0] < 128 ? value_int(s->s[0]) : failed(a);
}

value call_chr(evaluator *e, const py_call *a)
{
    if (!are_ints(a, 1) || a->args[0].i < 1 || a->args[0].i > 127)
        return failed(a);
    const char letter = (char)a->args[0].i;
    return value_str(e->c, &letter, 1);
}

/* CPython 3.11 math_isclose_impl. */
value call_isclose(evaluator *e, const py_call *a)
{
    (void)e;
    const value *rel = call_get(a, UINT32_MAX, "rel_tol"),
                *abs = call_get(a, UINT32_MAX, "abs_tol");
    if (a->nargs != 2 || !value_is_real(&a->args[0]) || !value_is_real(&a->args[1]) ||
        (rel && !value_is_real(rel)) || (abs && !value_is_real(abs)))
        return failed(a);
    const double x = value_to_double(&a->args[0]), y = value_to_double(&a->args[1]);
    const double r = rel ? value_to_double(rel) : 1e-9, t = abs ? value_to_double(abs) : 0;
    if (!(r >= 0) || !(t >= 0))
        return unknown(not_known);
    if (x == y)
        return value_bool(true);
    if (isinf(x) || isinf(y))
        return value_bool(false);
    const double diff = fabs(y - x);
    return value_bool(diff <= fabs(r * y) || diff <= fabs(r * x) || diff <= t);
}

/* os.path.basename, where no backslash tells Windows from others. */
value call_basename(evaluator *e, const py_call *a)
{
    const sym *s = a->nargs == 1 && a->args[0].kind == VALUE_STR ? a->args[0].s : NULL;
    if (!s || strpbrk(s->s, "\\:"))
        return failed(a);
    const char *slash = strrchr(s->s, '/');
    const char *name = slash ? slash + 1 : s->s;
    return value_str(e->c, name, strlen(name));
}
