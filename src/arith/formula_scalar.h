/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of one to three scalars of one type: the rows of the family, and what each computes.
 *
 *     FORMULA(clamp, clamp, 3, NUMBERS, TYPE_VOID, false)            the row
 *     TERNARY(clamp, MIN2(MAX2(b, a), c), TIED(a, b) || ...)         value and tangent
 *     ADJOINT(clamp) {...}                                           what Warp's adj_clamp adds
 *
 * arith_scalar_op.c includes this file for its rows, and with ARITH_BODY defined once for each
 * scalar type (arith_each_float.h, arith_each_integer.h; ARITH_INTEGERS says which). Values,
 * tangents and adjoints are written apart, because they judge each other. Formulas: Warp 1.19
 * native/builtin.h.
 *
 * Rows, sorted by name (strcmp): FORMULA(name, function below, number of arguments, kinds, result,
 * wrong). kinds: NUMBERS: integers, and floats with derivatives; FLAT_NUMBERS: without adjoints;
 * ADDED_NUMBERS: the adjoint adds to integers too; INTEGERS, FLOATS and FLATS: one of them;
 * LOGICAL: integers and bool; TESTS: floats, constant by parts. result: TYPE_VOID: the arguments'
 * type. wrong: Warp's adjoint of floats is not the transposed derivative. */
#ifndef ARITH_BODY
FORMULA(abs, abs, 1, NUMBERS, TYPE_VOID, false)
FORMULA(add, add, 2, NUMBERS, TYPE_VOID, false)
FORMULA(approx_div, div, 2, FLOATS, TYPE_VOID, false)
FORMULA(bit_and, bit_and, 2, INTEGERS, TYPE_VOID, false)
FORMULA(bit_count, bit_count, 1, INTEGERS, TYPE_INT32, false)
FORMULA(bit_or, bit_or, 2, INTEGERS, TYPE_VOID, false)
FORMULA(bit_xor, bit_xor, 2, INTEGERS, TYPE_VOID, false)
FORMULA(ceil, ceil, 1, FLATS, TYPE_VOID, false)
FORMULA(clamp, clamp, 3, NUMBERS, TYPE_VOID, false)
FORMULA(copysign, copysign, 2, FLOATS, TYPE_VOID, false)
FORMULA(div, div, 2, NUMBERS, TYPE_VOID, false)
FORMULA(div_approx, div, 2, FLOATS, TYPE_VOID, false)
FORMULA(floor, floor, 1, FLATS, TYPE_VOID, false)
FORMULA(floordiv, floordiv, 2, FLAT_NUMBERS, TYPE_VOID, false)
FORMULA(frac, frac, 1, FLATS, TYPE_VOID, true)
FORMULA(invert, invert, 1, INTEGERS, TYPE_VOID, false)
FORMULA(isfinite, isfinite, 1, TESTS, TYPE_BOOL, false)
FORMULA(isinf, isinf, 1, TESTS, TYPE_BOOL, false)
FORMULA(isnan, isnan, 1, TESTS, TYPE_BOOL, false)
FORMULA(lerp, lerp, 3, FLOATS, TYPE_VOID, false)
FORMULA(lshift, lshift, 2, INTEGERS, TYPE_VOID, false)
FORMULA(max, max, 2, NUMBERS, TYPE_VOID, false)
FORMULA(min, min, 2, NUMBERS, TYPE_VOID, false)
FORMULA(mod, mod, 2, NUMBERS, TYPE_VOID, true)
FORMULA(mul, mul, 2, NUMBERS, TYPE_VOID, false)
FORMULA(neg, neg, 1, ADDED_NUMBERS, TYPE_VOID, false)
FORMULA(nonzero, nonzero, 1, FLAT_NUMBERS, TYPE_VOID, false)
FORMULA(pos, pos, 1, ADDED_NUMBERS, TYPE_VOID, false)
FORMULA(rint, rint, 1, FLATS, TYPE_VOID, false)
FORMULA(round, round, 1, FLATS, TYPE_VOID, false)
FORMULA(rshift, rshift, 2, INTEGERS, TYPE_VOID, false)
FORMULA(sign, sign, 1, FLAT_NUMBERS, TYPE_VOID, false)
FORMULA(smoothstep, smoothstep, 3, FLOATS, TYPE_VOID, false)
FORMULA(step, step, 1, FLAT_NUMBERS, TYPE_VOID, false)
FORMULA(sub, sub, 2, NUMBERS, TYPE_VOID, false)
FORMULA(trunc, trunc, 1, FLATS, TYPE_VOID, false)
FORMULA(unot, unot, 1, LOGICAL, TYPE_BOOL, false)
#else

/* --- integers and floats ---
 * TIED(a, b): a and b are equal and move apart, where min, max and jumps have no derivative. */
BINARY(add, ADD(a, b), false)
BINARY(sub, SUB(a, b), false)
BINARY(mul, MUL(a, b), false)
BINARY(min, MIN2(a, b), TIED(a, b))
BINARY(max, MAX2(a, b), TIED(a, b))
TERNARY(clamp, MIN2(MAX2(b, a), c), TIED(a, b) || TIED(MAX2(b, a), c))
UNARY(pos, x, false)
/* Not -x, which gives -0.0 for 0.0. */
UNARY(neg, SUB(NUMBER(0), x), false)
UNARY(abs, ABS(x), TIED(x, NUMBER(0)))
UNARY(sign, LESS(x, NUMBER(0)) ? NUMBER(-1) : NUMBER(1), TIED(x, NUMBER(0)))
UNARY(step, LESS(x, NUMBER(0)) ? NUMBER(1) : NUMBER(0), TIED(x, NUMBER(0)))
UNARY(nonzero, EQUAL(x, NUMBER(0)) ? NUMBER(0) : NUMBER(1), TIED(x, NUMBER(0)))

#if !TANGENT
ADJOINT1(pos, d)
ADJOINT1(neg, NEG(d))
#endif

#if ARITH_INTEGERS
/* --- integers; narrow ones are computed in int --- */
OPERATION(div)
{
    (void)op;
    const NUM a = IN(2, 0), b = IN(2, 1);
    const arith_status status = DIV_STATUS(a, b);
    if (status == ARITH_OK)
        OUT(2, DIV(a, b));
    return status;
}

/* C's remainder has the sign of a: -7 % 2 is -1, where Python has 1. */
OPERATION(mod)
{
    (void)op;
    const NUM a = IN(2, 0), b = IN(2, 1);
    const arith_status status = DIV_STATUS(a, b);
    if (status == ARITH_OK)
        OUT(2, (NUM)(a % b));
    return status;
}

OPERATION(floordiv)
{
    (void)op;
    const NUM a = IN(2, 0), b = IN(2, 1);
    const arith_status status = DIV_STATUS(a, b);
    if (status != ARITH_OK)
        return status;
    /* C truncates towards zero, Python rounds down: -7 // 2 is -4 */
    const bool rounded_up = a % b != 0 && (a < 1) != (b < 1); /* of unsigned a and b never */
    OUT(2, rounded_up && (NUM)-1 < 1 ? SUB(DIV(a, b), 1) : DIV(a, b));
    return ARITH_OK;
}

BINARY(bit_and, (NUM)(a &b), false)
BINARY(bit_or, (NUM)(a | b), false)
BINARY(bit_xor, (NUM)(a ^ b), false)
UNARY(invert, (NUM)~x, false)

/* A count out of range shifts by its lowest bits, as x86 does, and the status says so. */
OPERATION(lshift)
{
    (void)op;
    const NUM a = IN(2, 0), b = IN(2, 1);
    OUT(2, (NUM)((uint64_t)a << SHIFT_COUNT(b)));
    return SHIFT_STATUS(b);
}

OPERATION(rshift)
{
    (void)op;
    const NUM a = IN(2, 0), b = IN(2, 1);
    OUT(2, (NUM)(a >> SHIFT_COUNT(b)));
    return SHIFT_STATUS(b);
}

/* The bits that are set, as an int32; a negative number has those of its own width. */
OPERATION(bit_count)
{
    (void)op;
    uint64_t x = 0;
    memcpy(&x, operands[0], sizeof(NUM));
    store_i32(operands[1], 0, __builtin_popcountll(x));
    return ARITH_OK;
}

/* not x, as a bool */
OPERATION(unot)
{
    (void)op;
    *(bool *)operands[1] = !IN(1, 0);
    return ARITH_OK;
}

#else
/* --- floats; adjoints as in DECLARE_FLOAT_OPS --- */
/* The rounding functions jump at integers, and round and rint half way between them. */
BINARY(div, DIV(a, b), false)
BINARY(mod, MOD(a, b), EQUAL(MOD(a, b), NUMBER(0)) && (MOVES(a) || MOVES(b)))
BINARY(floordiv, FLOOR(DIV(a, b)), EQUAL(FLOOR(DIV(a, b)), DIV(a, b)) && (MOVES(a) || MOVES(b)))
UNARY(floor, FLOOR(x), TIED(x, FLOOR(x)))
UNARY(ceil, CEIL(x), TIED(x, CEIL(x)))
UNARY(trunc, TRUNC(x), TIED(x, TRUNC(x)) && !EQUAL(x, NUMBER(0)))
UNARY(frac, SUB(x, TRUNC(x)), TIED(x, TRUNC(x)) && !EQUAL(x, NUMBER(0)))
UNARY(round, ROUND(x), EQUAL(ABS(SUB(x, TRUNC(x))), NUMBER(0.5)) && MOVES(x))
UNARY(rint, RINT(x), EQUAL(ABS(SUB(x, TRUNC(x))), NUMBER(0.5)) && MOVES(x))

/* The sign of a computed NaN is set on x86 and clear on aarch64 and GPUs: of 0/0, say. Where it
 * decides what a number becomes, the result is unspecified. */
OPERATION(copysign)
{
    (void)op;
    const NUM a = IN(2, 0), b = IN(2, 1);
    OUT(2, COPYSIGN(a, b));
    if (!TANGENT && EQUAL(a, a) && !EQUAL(b, b))
        return ARITH_NAN_SIGN;
    return TANGENT && (TIED(a, NUMBER(0)) || TIED(b, NUMBER(0))) ? ARITH_KINK : ARITH_OK;
}

/* a (1 - c) + b c, for any c: 0 gives a, 1 gives b. */
TERNARY(lerp, ADD(MUL(a, SUB(NUMBER(1), c)), MUL(b, c)), false)

/* 3 x^2 - 2 x^3 where x is the place of c between the edges a and b, kept in [0, 1]. */
OPERATION(smoothstep)
{
    (void)op;
    const NUM a = IN(3, 0), b = IN(3, 1), c = IN(3, 2);
    const NUM along = DIV(SUB(c, a), SUB(b, a));
    const NUM x = MIN2(MAX2(NUMBER(0), along), NUMBER(1));
    OUT(3, MUL(MUL(x, x), SUB(NUMBER(3), MUL(NUMBER(2), x))));
    return ARITH_OK;
}

#if !TANGENT
/* min and max give the whole to the number that was taken, a NaN being none; of equal ones it
 * is b. */
ADJOINT2(add, d, d)
ADJOINT2(sub, d, NEG(d))
ADJOINT2(mul, MUL(b, d), MUL(a, d))
ADJOINT2R(div, DIV(d, b), NEG(DIV(MUL(d, r), b)))
ADJOINT2_CHOICE(min, !isnan(a) && (isnan(b) || a < b))
ADJOINT2_CHOICE(max, !isnan(a) && (isnan(b) || a > b))

/* Warp's adj_mod: all of it to a, nothing to b, though the derivative by b is -trunc(a / b); hence
 * `wrong` in the row. */
ADJOINT(mod)
{
    (void)op;
    FN(adj_in)(operands, 2, 0, FN(adj_out)(operands, 2));
    return ARITH_OK;
}

/* At zero as for a positive number. */
ADJOINT1(abs, x < 0 ? NEG(d) : d)

/* abs(a) with the sign of b: the derivative by a is 1 if the signs agree, else -1; by b it is 0. */
ADJOINT(copysign)
{
    (void)op;
    const NUM d = FN(adj_out)(operands, 2);
    const bool agree = !signbit(IN(2, 0)) == !signbit(IN(2, 1));
    FN(adj_in)(operands, 2, 0, agree ? d : NEG(d));
    return ARITH_OK;
}

/* clamp(x, low, high) is min(max(low, x), high), and the adjoint passes through both as through
 * adj_min and adj_max: with m = max(low, x), to high unless m < high; else to low if low > x, and
 * to x otherwise. */
ADJOINT(clamp)
{
    (void)op;
    const NUM x = IN(3, 0), low = IN(3, 1), high = IN(3, 2), d = FN(adj_out)(operands, 3);
    const NUM m = MAX2(low, x);
    const bool inside = !isnan(m) && (isnan(high) || m < high);
    if (!inside)
        FN(adj_in)(operands, 3, 2, d);
    const bool bounded = !isnan(low) && (isnan(x) || low > x);
    FN(adj_in)(operands, 3, bounded ? 1 : 0, inside ? ADD(NUMBER(0), d) : NUMBER(0));
    return ARITH_OK;
}

/* r = a (1 - t) + b t: to a d (1 - t), to b d t, to t the difference of b d and a d. */
ADJOINT(lerp)
{
    (void)op;
    const NUM a = IN(3, 0), b = IN(3, 1), t = IN(3, 2), d = FN(adj_out)(operands, 3);
    FN(adj_in)(operands, 3, 0, MUL(d, SUB(NUMBER(1), t)));
    FN(adj_in)(operands, 3, 1, MUL(d, t));
    FN(adj_in)(operands, 3, 2, SUB(MUL(b, d), MUL(a, d)));
    return ARITH_OK;
}

/* Nothing outside of the edges, where the function is constant. */
ADJOINT(smoothstep)
{
    (void)op;
    const NUM a = IN(3, 0), b = IN(3, 1), x = IN(3, 2), d = FN(adj_out)(operands, 3);
    const NUM ab = SUB(a, b), ax = SUB(a, x), bx = SUB(b, x), six = NUMBER(6);
    if (DIV(bx, ab) >= 0 || DIV(ax, ab) <= 0)
        return ARITH_OK;
    const NUM ab3 = MUL(MUL(ab, ab), ab), ab4 = MUL(ab3, ab);
    const NUM to_a = MUL(MUL(MUL(six, ax), bx), bx), to_b = MUL(MUL(MUL(six, ax), ax), SUB(x, b));
    FN(adj_in)(operands, 3, 0, MUL(d, DIV(to_a, ab4)));
    FN(adj_in)(operands, 3, 1, MUL(d, DIV(to_b, ab4)));
    FN(adj_in)(operands, 3, 2, MUL(d, DIV(MUL(MUL(six, ax), bx), ab3)));
    return ARITH_OK;
}
#endif

#if !TANGENT
/* Tests give a bool and have neither tangent nor adjoint. */
#define TEST(name, holds)                                                                          \
    OPERATION(name)                                                                                \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM x = IN(1, 0);                                                                    \
        *(bool *)operands[1] = (holds);                                                            \
        return ARITH_OK;                                                                           \
    }
TEST(isfinite, isfinite(x) != 0)
TEST(isinf, isinf(x) != 0)
TEST(isnan, isnan(x) != 0)
#undef TEST
#endif
#endif
#endif
