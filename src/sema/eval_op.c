/* SPDX-License-Identifier: Apache-2.0 */
/* Python's operators on known values. Examples:
 *
 *     2 ** 7 - 1           127
 *     -7 // 2, -7 % 2      -4, 1: rounded down, as in Python
 *     "k" + str(3)         "k3"
 *     wp.float32(1) / 3    0.33333334: Warp scalars compute in their own type
 *     1 / 0                unknown: division by zero
 *
 * Integers have up to 127 bits. What raises in Python, or needs more bits, is unknown with the
 * reason. */
#include <math.h>

#include "sema/sema.h"

static const char not_known[] = "the operator's result is not known at compile time";
static const char too_large[] = "the integer is too large";
#define INT127_MAX ((__int128)(((unsigned __int128)1 << 127) - 1))

static value sequence_of(ctx *c, value_kind kind, value *items, uint32_t n)
{
    return kind == VALUE_LIST ? value_list(c, items, n) : value_items(kind, items, n);
}

/* items * n: [0] * 3 is [0, 0, 0]; a negative n gives nothing. The limit is tested by division,
 * since the product of two large numbers may overflow. */
static value repeat_items(ctx *c, const value *a, __int128 times)
{
    WEFT_ASSERT(a->kind == VALUE_TUPLE || a->kind == VALUE_LIST);
    if (times < 0)
        times = 0;
    const uint32_t count = value_count(a);
    if (count && times > SEMA_LOOP / count)
        return unknown("the list is too long");
    const uint32_t n = count ? (uint32_t)times * count : 0;
    spend(c, n);
    value *items = ARENA_ARRAY(&c->module, value, n);
    for (uint32_t i = 0; i < n; i++)
        items[i] = value_array(a)[i % count];
    return sequence_of(c, a->kind, items, n);
}

/* "ab" * n. Each eight bytes take a step of fuel. */
static value repeat_str(ctx *c, const sym *s, __int128 times)
{
    if (times < 0)
        times = 0;
    if (s->len && times > SEMA_LOOP / s->len)
        return unknown("the string is too long");
    strbuf b;
    sb_init(&b, &c->mem);
    spend(c, (uint64_t)times * s->len / 8);
    for (__int128 i = 0; i < times; i++)
        sb_put(&b, s->s, s->len);
    value v = value_str(c, b.p ? b.p : "", b.n);
    sb_clear(&b);
    return v;
}

/* a + b of two lists or two tuples. */
static value join_items(ctx *c, const value *a, const value *b)
{
    WEFT_ASSERT(a->kind == b->kind);
    const uint32_t left = value_count(a), right = value_count(b);
    if ((uint64_t)left + right > SEMA_LOOP)
        return unknown("the list is too long");
    spend(c, (uint64_t)left + right);
    value *items = ARENA_ARRAY(&c->module, value, (size_t)left + right);
    if (left)
        memcpy(items, value_array(a), left * sizeof *items);
    if (right)
        memcpy(items + left, value_array(b), right * sizeof *items);
    return sequence_of(c, a->kind, items, left + right);
}

/* Concatenation. The limit stops loops that double a string. */
static value join_str(ctx *c, const sym *a, const sym *b)
{
    if ((uint64_t)a->len + b->len > (uint64_t)SEMA_LOOP * 10)
        return unknown("the string is too long");
    spend(c, ((uint64_t)a->len + b->len) / 8);
    strbuf t;
    sb_init(&t, &c->mem);
    sb_put(&t, a->s, a->len);
    sb_put(&t, b->s, b->len);
    value v = value_str(c, t.p ? t.p : "", t.n);
    sb_clear(&t);
    return v;
}

/* Is it of a type whose sums with other such types Python refuses, but for numbers? */
static bool is_addend(const value *v)
{
    return v->kind == VALUE_INT || v->kind == VALUE_FLOAT || v->kind == VALUE_BOOL ||
           v->kind == VALUE_STR || v->kind == VALUE_TUPLE || v->kind == VALUE_NONE ||
           value_is_list(v);
}

/* Concatenation, repetition from either side, and % of a format string. */
static value sequence_binary(ctx *c, ast_op op, const value *a, const value *b)
{
    bool list = a->kind == VALUE_TUPLE || a->kind == VALUE_LIST;
    if (op == OP_Add && list && a->kind == b->kind)
        return join_items(c, a, b);
    if (op == OP_Add && a->kind == VALUE_STR && b->kind == VALUE_STR)
        return join_str(c, a->s, b->s);
    if (op == OP_Mod && a->kind == VALUE_STR)
        return format_percent(c, a, b);
    if (op == OP_Mult && value_is_int(b) && list)
        return repeat_items(c, a, b->i);
    if (op == OP_Mult && value_is_int(b) && a->kind == VALUE_STR)
        return repeat_str(c, a->s, b->i);
    if (op == OP_Mult && value_is_int(a) && b->kind != VALUE_COMPOSITE && !value_is_real(b))
        return sequence_binary(c, op, b, a);
    if (op == OP_Add && is_addend(a) && is_addend(b))
        return raises(c, "TypeError", "the operands cannot be added");
    return unknown(not_known);
}

/* An int of up to 127 bits and its sign. The one number of 128 bits, -2^127, is refused too: its
 * negative would overflow. */
static value int_result(__int128 r, bool overflows)
{
    return overflows || r < -INT127_MAX ? unknown(too_large) : value_int(r);
}

/* Square and multiply, with overflow checks; x is squared only while bits of n are left, since the
 * last square may overflow without being used. A negative exponent gives a float in Python. */
static value int_power(ctx *c, __int128 x, __int128 n)
{
    if (x == 0 && n < 0)
        return raises(c, "ZeroDivisionError", "zero to a negative power");
    if (n < 0)
        return value_float(pow((double)x, (double)n));
    __int128 r = 1;
    /* Invariant: r * x^n is the result. */
    while (n) {
        if (n & 1 && __builtin_mul_overflow(r, x, &r))
            return unknown(too_large);
        n >>= 1;
        if (n && __builtin_mul_overflow(x, x, &x))
            return unknown(too_large);
    }
    return int_result(r, false);
}

/* Rounds toward minus infinity, as Python does; C rounds toward zero. */
static __int128 floor_div(__int128 a, __int128 b)
{
    WEFT_ASSERT(b != 0);
    __int128 q = a / b;
    /* Rounding toward zero was upward if there is a rest and the signs differ. */
    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

/* Shifts of more than 126 bits: a right shift leaves the sign, a left one is too large. A left
 * shift is a product, for shifting a negative number is undefined in C. */
static value int_shift(ctx *c, ast_op op, __int128 a, __int128 b)
{
    if (b < 0)
        return raises(c, "ValueError", "negative shift count");
    if (op == OP_RShift)
        return value_int(b > 126 ? (a < 0 ? -1 : 0) : a >> b);
    /* Zero may be shifted by any distance. */
    if (a == 0)
        return value_int(0);
    if (b > 126)
        return unknown(too_large);
    __int128 r;
    const bool over = __builtin_mul_overflow(a, (__int128)1 << b, &r);
    return int_result(r, over);
}

/* Needs: both operands are ints in Python's sense. `/` of two ints is a float. */
static value int_binary(ctx *c, ast_op op, __int128 a, __int128 b)
{
    __int128 r;
    bool over = false;
    switch (op) {
    case OP_Add: over = __builtin_add_overflow(a, b, &r); break;
    case OP_Sub: over = __builtin_sub_overflow(a, b, &r); break;
    case OP_Mult: over = __builtin_mul_overflow(a, b, &r); break;
    /* Python divides exactly and rounds once; this rounds both operands first, which differs beyond
     * 2^53. */
    case OP_Div:
        return b ? value_float((double)a / (double)b)
                 : raises(c, "ZeroDivisionError", "division by zero");
    case OP_FloorDiv:
    case OP_Mod:
        if (b == 0)
            return raises(c, "ZeroDivisionError", "division by zero");
        /* The rest of a floor division has the sign of the divisor. */
        r = floor_div(a, b);
        return value_int(op == OP_Mod ? a - r * b : r);
    case OP_Pow: return int_power(c, a, b);
    case OP_LShift:
    case OP_RShift: return int_shift(c, op, a, b);
    case OP_BitOr: r = a | b; break;
    case OP_BitXor: r = a ^ b; break;
    case OP_BitAnd: r = a & b; break;
    default: return unknown(not_known);
    }
    return int_result(r, over);
}

/* The result has the sign of the divisor, as Python's has; fmod takes that of the dividend. */
static double float_mod(double a, double b)
{
    double r = fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/* A zero divisor, and a power without real result, raise (or give a complex number) in Python. */
static value float_binary(ctx *c, ast_op op, double a, double b)
{
    if (b == 0 && (op == OP_Div || op == OP_FloorDiv || op == OP_Mod))
        return raises(c, "ZeroDivisionError", "division by zero");
    switch (op) {
    case OP_Add: return value_float(a + b);
    case OP_Sub: return value_float(a - b);
    case OP_Mult: return value_float(a * b);
    case OP_Div: return value_float(a / b);
    /* (a - rest) / b is a whole number but for rounding, which + 0.5 and floor undo. */
    case OP_FloorDiv: return value_float(floor((a - float_mod(a, b)) / b + 0.5));
    case OP_Mod: return value_float(float_mod(a, b));
    case OP_Pow:
        /* A negative base with a fraction gives a complex number, zero to a negative power raises.
         */
        if (a == 0 && b < 0)
            return raises(c, "ZeroDivisionError", "zero to a negative power");
        if (a < 0 && b != floor(b))
            return unknown("the power is no real number");
        return value_float(pow(a, b));
    default: return unknown(not_known);
    }
}

/* NumPy and Warp warn of it where Python raises. */
static bool divides_by_zero(ast_op op, const value *b)
{
    return (op == OP_Div || op == OP_FloorDiv || op == OP_Mod) && value_to_double(b) == 0;
}

static bool is_any_numpy(const value *a, const value *b)
{
    return value_is_numpy(a) || value_is_numpy(b);
}

/* Bitwise operators keep two bools a bool; all others compute with ints or floats. A numpy.float64
 * stays one. */
static value number_binary(ctx *c, ast_op op, const value *a, const value *b)
{
    WEFT_ASSERT(value_is_real(a) && value_is_real(b));
    if (is_any_numpy(a, b) && divides_by_zero(op, b))
        return unknown("division by zero");
    bool bits = op == OP_BitAnd || op == OP_BitOr || op == OP_BitXor;
    if (a->kind == VALUE_BOOL && b->kind == VALUE_BOOL && bits) {
        value v = int_binary(c, op, a->i, b->i);
        return value_of_numpy(value_bool(v.i != 0), is_any_numpy(a, b));
    }
    if (value_is_int(a) && value_is_int(b))
        return int_binary(c, op, a->i, b->i);
    return value_of_numpy(float_binary(c, op, value_to_double(a), value_to_double(b)),
                          is_any_numpy(a, b));
}

/* A numpy.float32 stays one through arithmetic, since its digits in the text differ. */
static bool is_numpy32(const value *v)
{
    return v->kind == VALUE_SCALAR && v->n == RAW_NUMPY32;
}

/* Warp scalars compute in their own type; the other operand is converted to it. Integer division of
 * Warp scalars truncates in C++ and floors in Python, so it is not evaluated. */
static value scalar_binary(ctx *c, ast_op op, const value *a, const value *b)
{
    WEFT_ASSERT(a->kind == VALUE_SCALAR || b->kind == VALUE_SCALAR);
    const type *t = a->kind == VALUE_SCALAR ? a->type : b->type;
    if (a->kind == VALUE_SCALAR && b->kind == VALUE_SCALAR && a->type != b->type)
        return unknown("operands are of different Warp types");
    value plain_a = *a, plain_b = *b;
    /* Compute as Python would, then round to the type. */
    plain_a.kind = value_has_f(a) ? VALUE_FLOAT : VALUE_INT;
    plain_b.kind = value_has_f(b) ? VALUE_FLOAT : VALUE_INT;
    if ((!type_is_float(t) && (op == OP_Div || op == OP_FloorDiv || op == OP_Mod)) ||
        divides_by_zero(op, b))
        return unknown(not_known);
    value r = number_binary(c, op, &plain_a, &plain_b);
    if (r.kind == VALUE_UNKNOWN)
        return r;
    if (type_is_float(t))
        r = value_float(round_to(t, value_to_double(&r)));
    r = value_scalar(t, &r);
    /* The result prints with float32's digits again. */
    if (is_numpy32(a) || is_numpy32(b))
        r.n = RAW_NUMPY32;
    return r;
}

/* a | b: the items of b replace those of a. */
static value dict_union(ctx *c, const value *a, const value *b)
{
    WEFT_ASSERT(a->kind == VALUE_DICT && b->kind == VALUE_DICT);
    const value r = container_copy(c, a);
    for (uint32_t i = 0; i < value_count(b); i++)
        dict_set(c, &r, value_array(b)[2 * i], value_array(b)[2 * i + 1]);
    return r;
}

/* An unknown operand is the result, the left one first. Composites come before numbers, and both
 * before sequences, because `2 * x` depends on x. */
value op_binary(ctx *c, ast_op op, const value *a, const value *b)
{
    if (a->kind == VALUE_UNKNOWN)
        return *a;
    if (b->kind == VALUE_UNKNOWN)
        return *b;
    if (value_cells_why(a) || value_cells_why(b))
        return unknown(value_cells_why(a) ? value_cells_why(a) : value_cells_why(b));
    if (a->kind == VALUE_COMPOSITE || b->kind == VALUE_COMPOSITE)
        return composite_binary(c, op, a, b);
    if (value_is_real(a) && value_is_real(b)) {
        if (a->kind == VALUE_SCALAR || b->kind == VALUE_SCALAR)
            return scalar_binary(c, op, a, b);
        return number_binary(c, op, a, b);
    }
    if (op == OP_BitOr && a->kind == VALUE_DICT && b->kind == VALUE_DICT)
        return dict_union(c, a, b);
    if (op == OP_Mult && is_ctypes_type(a) && value_is_int(b) && b->i >= 0 && b->i <= INT32_MAX)
        return ctypes_array(c, a, (int64_t)b->i);
    return sequence_binary(c, op, a, b);
}

/* not, -, + and ~. A bool becomes an int, as in Python: -True is -1. */
value op_unary(ctx *c, ast_op op, const value *a)
{
    (void)c;
    int truth = value_truth(a);
    if (a->kind == VALUE_UNKNOWN)
        return *a;
    if (op == OP_Not)
        return truth < 0 ? unknown(not_known) : value_bool(!truth);
    if (a->kind == VALUE_COMPOSITE && op == OP_USub) {
        /* -v is -1 * v. */
        value minus = value_int(-1);
        return composite_binary(c, OP_Mult, a, &minus);
    }
    if (!value_is_real(a))
        return unknown(not_known);
    value r = *a;
    if (r.kind == VALUE_BOOL || r.kind == VALUE_ENUM)
        /* Signs of bools and enum members give plain ints. */
        r = value_int(a->i);
    if (op == OP_UAdd)
        return r;
    if (value_has_f(a)) {
        r.f = -a->f;
        return op == OP_USub ? r : unknown(not_known);
    }
    if (op == OP_Invert && a->i == INT127_MAX)
        return unknown(too_large);
    r.i = op == OP_USub ? -a->i : ~a->i;
    return r;
}

/* -1, 0, 1, or 2 when the two cannot be ordered. NaN is 2; op_compare gives False for it. Tuples
 * compare by their first difference. */
static int order(const value *a, const value *b, int depth)
{
    if (value_is_real(a) && value_is_real(b)) {
        if (value_is_int(a) && value_is_int(b))
            return a->i < b->i ? -1 : a->i > b->i;
        /* An int compared with a float is converted, so large ints may compare as equal to their
         * neighbours. */
        double x = value_to_double(a), y = value_to_double(b);
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    }
    if (a->kind == VALUE_STR && b->kind == VALUE_STR) {
        /* UTF-8 orders as code points do. */
        int d = strcmp(a->s->s, b->s->s);
        return d < 0 ? -1 : d > 0;
    }
    if (depth < 20 && a->kind == b->kind && (a->kind == VALUE_TUPLE || a->kind == VALUE_LIST)) {
        const value *const x = value_array(a), *const y = value_array(b);
        const uint32_t na = value_count(a), nb = value_count(b);
        for (uint32_t i = 0; i < na && i < nb; i++)
            if (!value_same(&x[i], &y[i]))
                return order(&x[i], &y[i], depth + 1);
        return value_cells_why(a) || value_cells_why(b) ? 2 : na < nb ? -1 : na > nb;
    }
    return 2;
}

bool is_any_object(const value *v)
{
    return v->kind == VALUE_OBJECT && v->ns->cls && v->ns->cls->is_any;
}

/* Is the value, or an item of a tuple or list, unknown? Then comparing it proves nothing. */
static bool mentions_unknown(const value *v)
{
    if (v->kind == VALUE_UNKNOWN || value_cells_why(v) || is_any_object(v) || has_own_equality(v))
        return true;
    if (v->kind != VALUE_TUPLE && v->kind != VALUE_LIST)
        return false;
    for (uint32_t i = 0; i < value_count(v); i++) {
        const value *item = &value_array(v)[i];
        if (item->kind == VALUE_UNKNOWN || value_cells_why(item) || is_any_object(item) ||
            has_own_equality(item))
            return true;
    }
    return false;
}

/* A member of flags, of which the other operand has all or not. */
static bool is_flag(const value *v)
{
    return v->kind == VALUE_ENUM && v->cls && v->cls->is_flag;
}

/* A member of an enum that has the values of another type, too. */
static bool is_mixed_member(const value *v)
{
    return v->kind == VALUE_OBJECT && v->ns->cls && v->ns->cls->kind == CLASS_ENUM &&
           v->ns->cls->partly_known;
}

/* A member of class X(str, Enum) is a string, too: what that equals is not followed. */
bool is_mixed_pair(const value *a, const value *b)
{
    return a->kind != b->kind && a->kind != VALUE_NONE && b->kind != VALUE_NONE &&
           (is_mixed_member(a) || is_mixed_member(b));
}

/* `item in container`. True is sure once an equal item is found; False only if all is known. */
static value contains(ctx *c, const value *item, const value *in)
{
    /* A substring, not a character, in strings. */
    if (item->kind == VALUE_STR && in->kind == VALUE_STR)
        return value_bool(strstr(in->s->s, item->s->s) != NULL);
    if (in->kind == VALUE_STR ||
        (value_is_set(in) || in->kind == VALUE_DICT ? value_has_cells(item) : false))
        may_raise_named(c, "TypeError");
    if (value_is_int(item) && value_is_int(in) && (is_flag(item) || is_flag(in)))
        return value_bool((item->i & in->i) == item->i);
    const value *items;
    uint32_t n;
    if (!value_members(c, in, &items, &n))
        return unknown(not_known);
    spend(c, n / 4);
    bool doubt = false;
    for (uint32_t i = 0; i < n; i++) {
        const int equal = value_equal(item, &items[i]);
        if (equal > 0)
            return value_bool(true);
        doubt = doubt || equal < 0;
    }
    return doubt ? unknown(not_known) : value_bool(false);
}

/* `a is b`. Values other than containers, composites and objects have no addresses, so equal ones
 * of one kind count as identical: `x is None` and `dtype is wp.float32` are what the operator is
 * used for. */
static value is_identical(const value *a, const value *b)
{
    if (a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN)
        return a->kind == VALUE_UNKNOWN ? *a : *b;
    if (is_any_object(a) || is_any_object(b)) {
        /* That it is there is known of such an object. */
        const bool is_not_none = a->kind == VALUE_NONE || b->kind == VALUE_NONE;
        return is_not_none ? value_bool(false) : unknown(not_known);
    }
    if (a->kind != b->kind)
        return value_bool(false);
    if (value_has_cells(a))
        return value_bool(a->cells == b->cells);
    if (a->kind == VALUE_COMPOSITE)
        return value_bool(a->elems == b->elems);
    return value_bool(value_is(a, b));
}

static value compare(ctx *c, ast_op op, const value *a, const value *b)
{
    if (op == OP_In || op == OP_NotIn) {
        value v = b->kind == VALUE_UNKNOWN ? *b : contains(c, a, b);
        return op == OP_In || v.kind == VALUE_UNKNOWN ? v : value_bool(!v.i);
    }
    if (op == OP_Is || op == OP_IsNot) {
        const value is = is_identical(a, b);
        return op == OP_Is ? is : op_unary(c, OP_Not, &is);
    }
    if (is_mixed_pair(a, b) && (op == OP_Eq || op == OP_NotEq))
        return unknown(not_known);
    if ((op == OP_Eq || op == OP_NotEq) && (has_own_equality(a) || has_own_equality(b))) {
        const value equal = objects_equal(c, a, b);
        return op == OP_Eq ? equal : op_unary(c, OP_Not, &equal);
    }
    if (value_is_set(a) != value_is_set(b) && a->kind == b->kind)
        return unknown(not_known); /* what is computed from sets is not marked as one */
    if (value_is_set(a) && op != OP_Eq && op != OP_NotEq)
        return unknown(not_known);
    if (a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN)
        return a->kind == VALUE_UNKNOWN ? *a : *b;
    if (op == OP_Eq || op == OP_NotEq) {
        const int equal = value_equal(a, b);
        return equal < 0 ? unknown(not_known) : value_bool((op == OP_Eq) == equal);
    }
    if (mentions_unknown(a) || mentions_unknown(b))
        return unknown(not_known);
    int o = order(a, b, 0);
    /* Every order with NaN is False. */
    bool is_nan = o == 2 && value_is_real(a) && value_is_real(b);
    if (is_nan)
        return value_bool(false);
    if (o == 2)
        return unknown(not_known);
    switch (op) {
    case OP_Lt: return value_bool(o < 0);
    case OP_LtE: return value_bool(o <= 0);
    case OP_Gt: return value_bool(o > 0);
    case OP_GtE: return value_bool(o >= 0);
    default: return unknown(not_known);
    }
}

/* One comparison. Equality is defined for all kinds, order only for numbers, strings and sequences;
 * others raise a TypeError in Python. Comparing a numpy.float64 gives a numpy.bool. */
value op_compare(ctx *c, ast_op op, const value *a, const value *b)
{
    const bool by_value = op != OP_In && op != OP_NotIn && op != OP_Is && op != OP_IsNot;
    const bool numbers = value_is_real(a) && value_is_real(b);
    return value_of_numpy(compare(c, op, a, b), by_value && numbers && is_any_numpy(a, b));
}
