/* SPDX-License-Identifier: Apache-2.0 */
/* Integer expressions. Signed ones never overflow, as that has no defined result in C++: wants
 * bound them like floats. Types that C++ wraps around (unsigned ones, and 8 and 16 bits, which are
 * narrowed) may hold any bits, so wants below their range are met by a mask:
 *
 *     int32 within 2^6     ->  i % 8 + (n & 7)
 *     uint32 within 2^6    ->  (key * wp.uint32(9)) & wp.uint32(63)
 */
#include "gen/gen_call.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_helper.h"
#include "gen/gen_literal.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"

/* The bound of an operation that would have this one without wrapping around. */
static bound result(gtype t, int mag, gen_low low)
{
    /* All bits may be set; unsigned ones are not negative whatever they are. */
    if (gt_wraps(t))
        return bound_of(mag_limit(t), gt_is_unsigned(t) ? LOW_ZERO : LOW_NONE);
    return bound_of(mag, low);
}

/* Of a want with a lower bound the left operand keeps it, and the right one may be zero. */
static bound int_sum(gen *g, want w, int budget, int prec)
{
    /* A difference may be negative. */
    bool minus = !w.low && below(g, 3) == 0;
    bool bracket = open_bracket(g, PREC_SUM, prec);
    int left = budget_split(g, budget - 1);
    want a = varying(w), b = w;
    a.mag = b.mag = (int8_t)(w.mag - 1);
    if (w.low)
        b.low = LOW_ZERO;
    b.varies = false;
    const size_t begin = g->text.out->n;
    bound x = gen_int(g, a, left, PREC_SUM);
    const size_t end = g->text.out->n;
    if (minus)
        W(g, " - ");
    else
        W(g, " + ");
    cover_type(g, minus ? THING_SUB : THING_ADD, w.t);
    const size_t right = g->text.out->n;
    bound y = gen_int(g, b, budget - 1 - left, PREC_PRODUCT);
    if (minus)
        y = untwin(g, begin, end, right, y, b, PREC_PRODUCT);
    close_bracket(g, bracket);
    gen_low low = minus || !x.low || !y.low ? LOW_NONE : (gen_low)max_int(x.low, y.low);
    return result(w.t, max_int(x.mag, y.mag) + 1, low);
}

/* The left operand gets the want less 4, so that the right one has a few bits. */
static bound int_product(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_PRODUCT, prec);
    int left = budget_split(g, budget - 1);
    want a = varying(w), b = w;
    a.mag = (int8_t)(w.mag - 4);
    bound x = gen_int(g, a, left, PREC_PRODUCT);
    W(g, " * ");
    cover_type(g, THING_MUL, w.t);
    b.varies = false;
    b.mag = (int8_t)(w.mag - x.mag);
    bound y = gen_int(g, b, budget - 1 - left, PREC_UNARY);
    close_bracket(g, bracket);
    return result(w.t, x.mag + y.mag, (gen_low)min_int(x.low, y.low));
}

/* x // 3, x % 8: by a positive literal. The left operand is not negative where the want has a lower
 * bound: remainders of negative numbers differ between Python and C++. A remainder is small
 * whatever x is, so x may be as large as the type allows. */
static bound int_divided(gen *g, want w, int budget, int prec, bool rest)
{
    static const uint8_t by[] = {2, 2, 3, 4, 5, 7, 8, 10, 12, 16};
    /* log2 of the divisors, rounded up: bounds of the remainders. */
    static const uint8_t logs[] = {1, 1, 2, 2, 3, 3, 3, 4, 4, 4};
    uint32_t k = below(g, sizeof by);
    bool bracket = open_bracket(g, PREC_PRODUCT, prec);
    want a = varying(want_of(w.t, rest ? mag_limit(w.t) : w.mag));
    /* A remainder keeps the sign of x in C++. */
    a.low = w.low ? LOW_ZERO : LOW_NONE;
    bound x = gen_int(g, a, budget - 1, PREC_PRODUCT);
    if (rest)
        W(g, " % ");
    else
        W(g, " // ");
    cover_type(g, rest ? THING_MOD : THING_FLOORDIV, w.t);
    put_int_literal(g, w.t, by[k]);
    close_bracket(g, bracket);
    gen_low low = x.low || gt_is_unsigned(w.t) ? LOW_ZERO : LOW_NONE;
    return bound_of(rest ? min_int(logs[k], x.mag) : x.mag, low);
}

/* x & 7: small and not negative, whatever x is. */
static bound int_masked(gen *g, want w, int budget, int prec)
{
    int mag = min_int(w.mag, 2 + (int)below(g, 4));
    bool bracket = open_bracket(g, PREC_BIT_AND, prec);
    gen_int(g, varying(want_of(w.t, mag_limit(w.t))), budget - 1, PREC_SHIFT);
    W(g, " & ");
    cover_type(g, THING_BIT_AND, w.t);
    put_int_literal(g, w.t, (1 << mag) - 1);
    close_bracket(g, bracket);
    return bound_of(mag, LOW_ZERO);
}

/* x | y, x ^ y: bits of either, so no more than twice the larger. */
static bound int_bits(gen *g, want w, int budget, int prec)
{
    bool or = below(g, 2) != 0;
    int own = or ? PREC_BIT_OR : PREC_BIT_XOR;
    bool bracket = open_bracket(g, own, prec);
    int left = budget_split(g, budget - 1);
    want a = varying(w), b = w;
    a.mag = b.mag = (int8_t)(w.mag - 1);
    a.low = b.low = w.low ? LOW_ZERO : LOW_NONE;
    b.varies = false;
    const size_t begin = g->text.out->n;
    bound x = gen_int(g, a, left, own);
    const size_t end = g->text.out->n;
    if (or)
        W(g, " | ");
    else
        W(g, " ^ ");
    cover_type(g, or ? THING_BIT_OR : THING_BIT_XOR, w.t);
    bound y = gen_int(g, b, budget - 1 - left, own + 1);
    y = untwin(g, begin, end, end + 3, y, b, own + 1);
    close_bracket(g, bracket);
    return result(w.t, max_int(x.mag, y.mag) + 1, x.low && y.low ? LOW_ZERO : LOW_NONE);
}

/* Shifts by 1 to 4. What is shifted left is not negative, since C++ leaves that open, and stays
 * within the want. */
static bound int_shifted(gen *g, want w, int budget, int prec)
{
    int by = 1 + (int)below(g, 4);
    /* Left only where the want has room for it. */
    bool left = below(g, 2) != 0 && w.mag > by + 2;
    bool bracket = open_bracket(g, PREC_SHIFT, prec);
    want a = varying(at_least(want_of(w.t, left ? w.mag - by : w.mag), LOW_ZERO));
    bound x = gen_int(g, a, budget - 1, PREC_SHIFT);
    if (left)
        W(g, " << ");
    else
        W(g, " >> ");
    cover_type(g, left ? THING_SHIFT_LEFT : THING_SHIFT_RIGHT, w.t);
    put_int_literal(g, w.t, by);
    close_bracket(g, bracket);
    return result(w.t, x.mag + (left ? by : 0), LOW_ZERO);
}

/* wp.abs, wp.bit_count, and mostly wp.min and wp.max. */
static bound int_call(gen *g, want w, int budget)
{
    want a = varying(w), b = w;
    b.varies = false;
    if (!w.low && !gt_is_unsigned(w.t) && below(g, 4) == 0) {
        put_fn(g, FN_abs, w.t);
        bound x = gen_int(g, a, budget - 1, PREC_TERNARY);
        W(g, ")");
        return bound_of(x.mag, LOW_ZERO);
    }
    /* Bits of an int32 are 32 at most, which is within 2^6. */
    if (w.t.sc == GS_I32 && w.mag >= 6 && w.low != LOW_POS && below(g, 4) == 0) {
        put_fn(g, FN_bit_count, w.t);
        gen_int(g, a, budget - 1, PREC_TERNARY);
        W(g, ")");
        return bound_of(6, LOW_ZERO);
    }
    bool max = below(g, 2) != 0;
    put_fn(g, max ? FN_max : FN_min, w.t);
    const size_t begin = g->text.out->n;
    bound x = gen_int(g, a, budget_split(g, budget - 1), PREC_TERNARY);
    const size_t end = g->text.out->n;
    W(g, ", ");
    bound y = gen_int(g, b, 1, PREC_TERNARY);
    y = untwin(g, begin, end, end + 2, y, b, PREC_TERNARY);
    W(g, ")");
    int low = max ? max_int(x.low, y.low) : min_int(x.low, y.low);
    return bound_of(max_int(x.mag, y.mag), (gen_low)low);
}

/* int(x) of a float of moderate size: the conversion is defined only for values that the integer
 * holds. Not for unsigned types, as a negative float has no defined conversion to one. */
static bound int_cast(gen *g, want w, int budget, int prec)
{
    /* Without floats in the kernel there is nothing to convert. */
    if (!gt_is_float(g->s) || w.low || w.mag < 3 || gt_is_unsigned(w.t))
        return gen_leaf(g, w, prec);
    put_cast(g, w.t);
    bound x = gen_float(g, varying(want_of(g->s, min_int(w.mag, 20))), budget - 1, PREC_TERNARY);
    W(g, ")");
    return bound_of(max_int(x.mag, 1), LOW_NONE);
}

/* -x, ~x. ~x is -x - 1, one more than x in size. */
static bound int_negated(gen *g, want w, int budget, int prec)
{
    bool bracket = open_bracket(g, PREC_UNARY, prec);
    bool invert = below(g, 3) == 0;
    if (invert)
        W(g, "~");
    else
        W(g, "-");
    cover_type(g, invert ? THING_INVERT : THING_NEG, w.t);
    want a = varying(w);
    if (invert)
        a.mag = (int8_t)(w.mag - 1);
    bound x = gen_int(g, a, budget - 1, PREC_POWER);
    close_bracket(g, bracket);
    return bound_of(x.mag + (invert ? 1 : 0), LOW_NONE);
}

/* Forms of integer expressions, each as often in 32 draws as it stands here. */
typedef enum int_op {
    INT_SUM,     /* i + 3, i - j */
    INT_PRODUCT, /* i * n */
    INT_MOD,     /* i % 8 */
    INT_DIV,     /* i // 3 */
    INT_MASK,    /* key & 7 */
    INT_BITS,    /* a | b, a ^ b */
    INT_SHIFT,   /* key >> 2 */
    INT_CALL,    /* wp.min(i, j), wp.abs(k) */
    INT_NEG,     /* -i, ~i */
    INT_CAST     /* int(x) */
} int_op;

static const uint8_t int_slots[32] = {
    INT_SUM,  INT_SUM,   INT_SUM,     INT_SUM,     INT_SUM,     INT_SUM,     INT_SUM,     INT_SUM,
    INT_SUM,  INT_SUM,   INT_PRODUCT, INT_PRODUCT, INT_PRODUCT, INT_PRODUCT, INT_PRODUCT, INT_MOD,
    INT_MOD,  INT_MOD,   INT_MOD,     INT_DIV,     INT_DIV,     INT_MASK,    INT_MASK,    INT_BITS,
    INT_BITS, INT_SHIFT, INT_SHIFT,   INT_CALL,    INT_CALL,    INT_CALL,    INT_NEG,     INT_CAST};

/* The form that writes the operator of a target; -1: none does. */
static int op_for(int thing)
{
    switch (thing) {
    case THING_MUL: return INT_PRODUCT;
    case THING_MOD: return INT_MOD;
    case THING_FLOORDIV: return INT_DIV;
    case THING_BIT_AND: return INT_MASK;
    case THING_BIT_OR:
    case THING_BIT_XOR: return INT_BITS;
    case THING_SHIFT_LEFT:
    case THING_SHIFT_RIGHT: return INT_SHIFT;
    case THING_NEG:
    case THING_INVERT: return INT_NEG;
    default: return -1;
    }
}

/* A positive number: sums of such, in 12 of 32 draws, or a leaf. */
static bound int_positive(gen *g, want w, int budget, int prec, bool sums)
{
    return sums ? int_sum(g, w, budget, prec) : gen_leaf(g, w, prec);
}

/* Writes the form, or a leaf where the want has no room for it. Unsigned types have no unary minus,
 * and forms that end up here become a conversion. */
static bound put_int_op(gen *g, int_op op, want w, int budget, int prec)
{
    switch (op) {
    case INT_SUM: return int_sum(g, w, budget, prec);
    case INT_PRODUCT: return w.mag < 6 ? gen_leaf(g, w, prec) : int_product(g, w, budget, prec);
    case INT_MOD: return w.mag < 5 ? gen_leaf(g, w, prec) : int_divided(g, w, budget, prec, true);
    case INT_DIV: return int_divided(g, w, budget, prec, false);
    case INT_MASK: return int_masked(g, w, budget, prec);
    case INT_BITS: return int_bits(g, w, budget, prec);
    case INT_SHIFT: return w.mag < 8 ? gen_leaf(g, w, prec) : int_shifted(g, w, budget, prec);
    case INT_CALL: return int_call(g, w, budget);
    case INT_NEG:
        if (!w.low && !gt_wraps(w.t))
            return int_negated(g, w, budget, prec);
        break;
    case INT_CAST: break;
    }
    return int_cast(g, w, budget, prec);
}

/* Wrapping types keep only the wish for a positive number: "not negative" says nothing of an
 * unsigned type, and cannot be kept by a narrow one. */
bound gen_int(gen *g, want w, int budget, int prec)
{
    WEFT_ASSERT(gt_is_scalar(w.t) && !gt_is_float(w.t));
    w.mag = (int8_t)min_int(w.mag, mag_limit(w.t));
    const bool wraps = gt_wraps(w.t);
    if (wraps)
        w.low = w.low == LOW_POS ? LOW_POS : LOW_NONE;
    if (budget <= 1 || w.mag < 3)
        return gen_leaf(g, w, prec);
    if (wraps && w.mag < mag_limit(w.t))
        return w.low ? gen_leaf(g, w, prec) : int_masked(g, w, budget, prec);
    bound b;
    if (below(g, 8) == 0 && put_builtin_call(g, w, budget, &b))
        return b;
    if (below(g, 4) == 0 && put_helper_call(g, w, budget, &b))
        return b;
    const uint32_t drawn = below(g, 32);
    const int target = op_for(target_here(g, w.t));
    const int_op op = target < 0 ? (int_op)int_slots[drawn] : (int_op)target;
    if (w.low == LOW_POS)
        return int_positive(g, w, budget, prec, target < 0 ? drawn < 12 : op <= INT_PRODUCT);
    return put_int_op(g, op, w, budget, prec);
}
