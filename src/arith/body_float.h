/* Body of arith_scalar_op.c: operations of floats alone, and the adjoints of those that are
 * differentiable (Warp 1.19 native/builtin.h, DECLARE_FLOAT_OPS). */

BINARY(div, DIV(a, b), false)
BINARY(mod, MOD(a, b), EQUAL(MOD(a, b), NUMBER(0)) && (MOVES(a) || MOVES(b)))
BINARY(floordiv, FLOOR(DIV(a, b)), EQUAL(FLOOR(DIV(a, b)), DIV(a, b)) && (MOVES(a) || MOVES(b)))
UNARY(floor, FLOOR(x), TIED(x, FLOOR(x)))
UNARY(ceil, CEIL(x), TIED(x, CEIL(x)))
UNARY(trunc, TRUNC(x), TIED(x, TRUNC(x)) && !EQUAL(x, NUMBER(0)))
UNARY(frac, SUB(x, TRUNC(x)), TIED(x, TRUNC(x)) && !EQUAL(x, NUMBER(0)))
UNARY(round, ROUND(x), EQUAL(ABS(SUB(x, TRUNC(x))), NUMBER(0.5)) && MOVES(x))
UNARY(rint, RINT(x), EQUAL(ABS(SUB(x, TRUNC(x))), NUMBER(0.5)) && MOVES(x))
BINARY(copysign, COPYSIGN(a, b), TIED(a, NUMBER(0)) || TIED(b, NUMBER(0)))
TERNARY(lerp, ADD(MUL(a, SUB(NUMBER(1), c)), MUL(b, c)), false)

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
ADJOINT2(add, d, d)
ADJOINT2(sub, d, NEG(d))
ADJOINT2(mul, MUL(b, d), MUL(a, d))
ADJOINT2R(div, DIV(d, b), NEG(DIV(MUL(d, r), b)))
ADJOINT2_CHOICE(min, !isnan(a) && (isnan(b) || a < b))
ADJOINT2_CHOICE(max, !isnan(a) && (isnan(b) || a > b))

/* All of it to a, nothing to b. */
ADJOINT(mod)
{
    (void)op;
    FN(adj_in)(operands, 2, 0, FN(adj_out)(operands, 2));
    return ARITH_OK;
}

ADJOINT1(abs, x < 0 ? NEG(d) : d)

ADJOINT(copysign)
{
    (void)op;
    const NUM d = FN(adj_out)(operands, 2);
    const bool agree = !signbit(IN(2, 0)) == !signbit(IN(2, 1));
    FN(adj_in)(operands, 2, 0, agree ? d : NEG(d));
    return ARITH_OK;
}

/* By way of max(low, x), m, and min(m, high). */
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

ADJOINT(lerp)
{
    (void)op;
    const NUM a = IN(3, 0), b = IN(3, 1), t = IN(3, 2), d = FN(adj_out)(operands, 3);
    FN(adj_in)(operands, 3, 0, MUL(d, SUB(NUMBER(1), t)));
    FN(adj_in)(operands, 3, 1, MUL(d, t));
    FN(adj_in)(operands, 3, 2, SUB(MUL(b, d), MUL(a, d)));
    return ARITH_OK;
}

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
