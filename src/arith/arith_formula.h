/* SPDX-License-Identifier: Apache-2.0 */
/* For bodies of functions that are a formula of one to three scalars, with their tangents and
 * adjoints: UNARY(name, value, kink) and so on define FN(op_name) of x, or a and b, or a, b and c;
 * ADJOINT1(name, to_x) and so on define FN(adj_op_name), which adds to the arguments' adjoints,
 * with `d` the result's adjoint and, with R, `r` the result.
 *
 *     BINARY(mul, MUL(a, b), false)             op_mul_f32: writes a * b
 *                                               op_mul_f32_d: writes the tangent
 *     ADJOINT2(mul, MUL(b, d), MUL(a, d))       adj_op_mul_f32: adj_a += b d, adj_b += a d
 *
 * `kink` is evaluated for tangents only: where it holds there is no derivative. */
#ifndef WEFT_ARITH_FORMULA_H
#define WEFT_ARITH_FORMULA_H

#include "arith/arith_template.h"

/* IN(n, i): argument i of n. OUT(n, x): x becomes the result of n arguments; for tangents that
 * is the tangent of the result. TIED(a, b): a and b are equal and move apart. */
#define IN(n, i)   FN(in)(operands, n, i)
#define OUT(n, x)  FN(out)(operands, n, x)
#define TIED(a, b) (EQUAL(a, b) && MOVES(SUB(a, b)))

/* The heads of a value's or tangent's function, and of an adjoint's. */
#define OPERATION(name) static arith_status FN(op_##name)(const arith_op *op, void *const *operands)
#define ADJOINT(name)                                                                              \
    static arith_status FN(adj_op_##name)(const arith_op *op, void *const *operands)

/* Values and tangents. In `value` and `kink` the arguments are x; a and b; or a, b and c. For
 * values TANGENT is 0, so that the compiler drops the test of the kink. */
#define UNARY(name, value, kink)                                                                   \
    OPERATION(name)                                                                                \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM x = IN(1, 0);                                                                    \
        OUT(1, value);                                                                             \
        return TANGENT && (kink) ? ARITH_KINK : ARITH_OK;                                          \
    }
#define BINARY(name, value, kink)                                                                  \
    OPERATION(name)                                                                                \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM a = IN(2, 0), b = IN(2, 1);                                                      \
        OUT(2, value);                                                                             \
        return TANGENT && (kink) ? ARITH_KINK : ARITH_OK;                                          \
    }
#define TERNARY(name, value, kink)                                                                 \
    OPERATION(name)                                                                                \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM a = IN(3, 0), b = IN(3, 1), c = IN(3, 2);                                        \
        OUT(3, value);                                                                             \
        return TANGENT && (kink) ? ARITH_KINK : ARITH_OK;                                          \
    }

/* Tangents where `steep` holds: an infinite slope, and a kink if the argument x, or a, moves. */
#define STEEP_STATUS(x, steep)                                                                     \
    (!TANGENT || !(steep) ? ARITH_OK : MOVES(x) ? ARITH_KINK : ARITH_STEEP)
#define STEEP_UNARY(name, value, steep)                                                            \
    OPERATION(name)                                                                                \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM x = IN(1, 0);                                                                    \
        OUT(1, value);                                                                             \
        return STEEP_STATUS(x, steep);                                                             \
    }
#define STEEP_BINARY(name, value, steep)                                                           \
    OPERATION(name)                                                                                \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM a = IN(2, 0), b = IN(2, 1);                                                      \
        OUT(2, value);                                                                             \
        return STEEP_STATUS(a, steep);                                                             \
    }

/* Adjoints of one argument: adj_x += to_x, where d is the adjoint of the result. */
#define ADJOINT1(name, to_x)                                                                       \
    ADJOINT(name)                                                                                  \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM x = IN(1, 0), d = FN(adj_out)(operands, 1);                                      \
        (void)x;                                                                                   \
        FN(adj_in)(operands, 1, 0, to_x);                                                          \
        return ARITH_OK;                                                                           \
    }
/* Only where `condition` holds. */
#define ADJOINT1_IF(name, condition, to_x)                                                         \
    ADJOINT(name)                                                                                  \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM x = IN(1, 0), d = FN(adj_out)(operands, 1);                                      \
        if (condition)                                                                             \
            FN(adj_in)(operands, 1, 0, to_x);                                                      \
        return ARITH_OK;                                                                           \
    }
/* With R the formula may use r, the result as run left it: sqrt's adjoint divides by it. */
#define ADJOINT1R(name, to_x)                                                                      \
    ADJOINT(name)                                                                                  \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM r = FN(load)(operands[1], 0), d = FN(adj_out)(operands, 1);                      \
        FN(adj_in)(operands, 1, 0, to_x);                                                          \
        return ARITH_OK;                                                                           \
    }
/* Adjoints of two arguments: adj_a += to_a, then adj_b += to_b. The order can be seen where both
 * arguments are one variable. */
#define ADJOINT2(name, to_a, to_b)                                                                 \
    ADJOINT(name)                                                                                  \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM a = IN(2, 0), b = IN(2, 1), d = FN(adj_out)(operands, 2);                        \
        (void)a, (void)b;                                                                          \
        FN(adj_in)(operands, 2, 0, to_a);                                                          \
        FN(adj_in)(operands, 2, 1, to_b);                                                          \
        return ARITH_OK;                                                                           \
    }
/* The same with the result r at hand: the adjoint of b in a / b is -(d r) / b. */
#define ADJOINT2R(name, to_a, to_b)                                                                \
    ADJOINT(name)                                                                                  \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM a = IN(2, 0), b = IN(2, 1), r = FN(load)(operands[2], 0);                        \
        const NUM d = FN(adj_out)(operands, 2);                                                    \
        (void)a;                                                                                   \
        FN(adj_in)(operands, 2, 0, to_a);                                                          \
        FN(adj_in)(operands, 2, 1, to_b);                                                          \
        return ARITH_OK;                                                                           \
    }
/* The whole goes to a where `condition` holds, else to b. */
#define ADJOINT2_CHOICE(name, condition)                                                           \
    ADJOINT(name)                                                                                  \
    {                                                                                              \
        (void)op;                                                                                  \
        const NUM a = IN(2, 0), b = IN(2, 1), d = FN(adj_out)(operands, 2);                        \
        FN(adj_in)(operands, 2, (condition) ? 0 : 1, d);                                           \
        return ARITH_OK;                                                                           \
    }

/* A resolver; `table`: the initializers of the formula's functions. */
#define DEFINE_FORMULA(fn, count, table, given, wrong)                                             \
    static bool fn(const arith_request *q, arith_op *op)                                           \
    {                                                                                              \
        static const arith_formula formula = {                                                     \
            .n = count, .result = given, .differs = wrong, table};                                 \
        return arith_find_formula(q, op, &formula);                                                \
    }

#endif
