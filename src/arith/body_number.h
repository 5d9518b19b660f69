/* Body of arith_scalar_op.c: what integers and floats have in common. */
BINARY(add, ADD(a, b), false)
BINARY(sub, SUB(a, b), false)
BINARY(mul, MUL(a, b), false)
BINARY(min, MIN2(a, b), TIED(a, b))
BINARY(max, MAX2(a, b), TIED(a, b))
TERNARY(clamp, MIN2(MAX2(b, a), c), TIED(a, b) || TIED(MAX2(b, a), c))
UNARY(pos, x, false)
UNARY(neg, SUB(NUMBER(0), x), false)
UNARY(abs, ABS(x), TIED(x, NUMBER(0)))
UNARY(sign, LESS(x, NUMBER(0)) ? NUMBER(-1) : NUMBER(1), TIED(x, NUMBER(0)))
UNARY(step, LESS(x, NUMBER(0)) ? NUMBER(1) : NUMBER(0), TIED(x, NUMBER(0)))
UNARY(nonzero, EQUAL(x, NUMBER(0)) ? NUMBER(0) : NUMBER(1), TIED(x, NUMBER(0)))

#if !TANGENT
ADJOINT1(pos, d)
ADJOINT1(neg, NEG(d))
#endif
