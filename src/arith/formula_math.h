/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions of floats: the rows of the family, and what each computes; columns and how
 * this file is included: formula_scalar.h. Adjoints: Warp 1.19 native/builtin.h,
 * DECLARE_ADJOINTS.
 *
 *     STEEP_UNARY(sqrt, SQRT(x), EQUAL(x, NUMBER(0)))        value; there is no derivative at 0
 *     ADJOINT1R(sqrt, MUL(MUL(NUMBER(0.5), DIV(ONE, r)), d)) adj_x += 0.5 * (1 / r) * d
 *
 * In formulas x (or a, b) is the argument, r the result and d its adjoint. Products are grouped as
 * in Warp, since each operation rounds. ADJOINT1_IF adds nothing where its condition is false: Warp
 * guards the divisions by zero of tan, asin, acos and atan2, but not those of sqrt and log. */
#ifndef ARITH_BODY
FORMULA(acos, acos, 1, FLOATS, TYPE_VOID, false)
FORMULA(asin, asin, 1, FLOATS, TYPE_VOID, false)
FORMULA(atan, atan, 1, FLOATS, TYPE_VOID, false)
FORMULA(atan2, atan2, 2, FLOATS, TYPE_VOID, false)
FORMULA(cbrt, cbrt, 1, FLOATS, TYPE_VOID, false)
FORMULA(cos, cos, 1, FLOATS, TYPE_VOID, false)
FORMULA(cosh, cosh, 1, FLOATS, TYPE_VOID, false)
FORMULA(degrees, degrees, 1, FLOATS, TYPE_VOID, false)
FORMULA(erf, erf, 1, FLOATS, TYPE_VOID, false)
FORMULA(erfc, erfc, 1, FLOATS, TYPE_VOID, false)
FORMULA(erfcinv, erfcinv, 1, FLOATS, TYPE_VOID, false)
FORMULA(erfinv, erfinv, 1, FLOATS, TYPE_VOID, false)
FORMULA(exp, exp, 1, FLOATS, TYPE_VOID, false)
FORMULA(log, log, 1, FLOATS, TYPE_VOID, false)
FORMULA(log10, log10, 1, FLOATS, TYPE_VOID, false)
FORMULA(log2, log2, 1, FLOATS, TYPE_VOID, false)
FORMULA(pow, pow, 2, FLOATS, TYPE_VOID, false)
FORMULA(radians, radians, 1, FLOATS, TYPE_VOID, false)
FORMULA(sin, sin, 1, FLOATS, TYPE_VOID, false)
FORMULA(sinh, sinh, 1, FLOATS, TYPE_VOID, false)
FORMULA(sqrt, sqrt, 1, FLOATS, TYPE_VOID, false)
FORMULA(tan, tan, 1, FLOATS, TYPE_VOID, false)
FORMULA(tanh, tanh, 1, FLOATS, TYPE_VOID, false)
#else
#define ONE NUMBER(1)

/* Values. The kinks: asin and acos have a vertical slope at 1 and -1, where they are also clamped;
 * sqrt and cbrt at 0; pow at base 0 with an exponent below 1; atan2 at the origin. The slopes of
 * sqrt, cbrt and pow are infinite there, which in Warp's adjoint times 0 is NaN. */
UNARY(sin, SIN(x), false)
UNARY(cos, COS(x), false)
UNARY(tan, TAN(x), false)
UNARY(asin, ASIN(x), EQUAL(ABS(x), ONE) && MOVES(x))
UNARY(acos, ACOS(x), EQUAL(ABS(x), ONE) && MOVES(x))
UNARY(atan, ATAN(x), false)
UNARY(sinh, SINH(x), false)
UNARY(cosh, COSH(x), false)
UNARY(tanh, TANH(x), false)
STEEP_UNARY(sqrt, SQRT(x), EQUAL(x, NUMBER(0)))
STEEP_UNARY(cbrt, CBRT(x), EQUAL(x, NUMBER(0)))
UNARY(exp, EXP(x), false)
UNARY(log, LOG(x), false)
UNARY(log2, LOG2(x), false)
UNARY(log10, LOG10(x), false)
UNARY(erf, ERF(x), false)
UNARY(erfc, ERFC(x), false)
UNARY(erfinv, ARITH_DO(erfinv)(x), false)
UNARY(erfcinv, ARITH_DO(erfcinv)(x), false)
UNARY(degrees, ARITH_DO(times)(x, DEGREES_OF_RADIAN), false)
UNARY(radians, ARITH_DO(times)(x, RADIANS_OF_DEGREE), false)
STEEP_BINARY(pow, POW(a, b), EQUAL(a, NUMBER(0)) && LESS(b, ONE))
BINARY(atan2, ATAN2(a, b), TIED(a, NUMBER(0)) && EQUAL(b, NUMBER(0)))

#if !TANGENT
/* Adjoints, of the arguments x, or a and b. */
ADJOINT1(sin, MUL(COS(x), d))
ADJOINT1(cos, NEG(MUL(SIN(x), d)))
ADJOINT1_IF(tan, COS(x) != 0, MUL(DIV(ONE, MUL(COS(x), COS(x))), d))
ADJOINT1_IF(asin, SQRT(SUB(ONE, MUL(x, x))) > 0, MUL(DIV(ONE, SQRT(SUB(ONE, MUL(x, x)))), d))
ADJOINT1_IF(acos, SQRT(SUB(ONE, MUL(x, x))) > 0, NEG(MUL(DIV(ONE, SQRT(SUB(ONE, MUL(x, x)))), d)))
ADJOINT1(atan, DIV(d, ADD(MUL(x, x), ONE)))
ADJOINT1(sinh, MUL(COSH(x), d))
ADJOINT1(cosh, MUL(SINH(x), d))
ADJOINT1R(tanh, MUL(SUB(ONE, MUL(r, r)), d))
ADJOINT1R(sqrt, MUL(MUL(NUMBER(0.5), DIV(ONE, r)), d))
ADJOINT1R(cbrt, MUL(MUL(DIV(ONE, NUMBER(3)), DIV(ONE, MUL(r, r))), d))
ADJOINT1R(exp, MUL(r, d))
ADJOINT1(log, MUL(DIV(ONE, x), d))
ADJOINT1(log2, MUL(MUL(DIV(ONE, x), DIV(ONE, LOG(NUMBER(2)))), d))
ADJOINT1(log10, MUL(MUL(DIV(ONE, x), DIV(ONE, LOG(NUMBER(10)))), d))
/* factor(c, power) = c exp(power); for the 16-bit types it is computed in float32 and rounded once.
 */
ADJOINT1(erf, MUL(FN(factor)(TWO_BY_ROOT_PI, -x *x), d))
ADJOINT1(erfc, NEG(MUL(FN(factor)(TWO_BY_ROOT_PI, -x *x), d)))
ADJOINT1R(erfinv, MUL(FN(factor)(HALF_ROOT_PI, r *r), d))
ADJOINT1R(erfcinv, NEG(MUL(FN(factor)(HALF_ROOT_PI, r *r), d)))
ADJOINT1(degrees, MUL(NUMBER(DEGREES_OF_RADIAN), d))
ADJOINT1(radians, MUL(NUMBER(RADIANS_OF_DEGREE), d))
/* b a^(b - 1) and log(a) a^b: NaN by b where a is negative, as in Warp. */
ADJOINT2R(pow, MUL(MUL(b, POW(a, SUB(b, ONE))), d), MUL(MUL(LOG(a), r), d))

/* adj_y += x / (x^2 + y^2) d, adj_x -= y / (x^2 + y^2) d; nothing at the origin. Warp adds to x
 * first. */
ADJOINT(atan2)
{
    (void)op;
    const NUM y = IN(2, 0), x = IN(2, 1), d = FN(adj_out)(operands, 2);
    const NUM square = ADD(MUL(x, x), MUL(y, y));
    if (square > 0) {
        FN(adj_in)(operands, 2, 1, NEG(MUL(DIV(y, square), d)));
        FN(adj_in)(operands, 2, 0, MUL(DIV(x, square), d));
    }
    return ARITH_OK;
}
#endif
#undef ONE
#endif
