/* Body of arith_scalar_op.c: operations of integers. Narrow ones are computed in int. */

OPERATION(div)
{
    (void)op;
    const NUM a = IN(2, 0), b = IN(2, 1);
    const arith_status status = DIV_STATUS(a, b);
    if (status == ARITH_OK)
        OUT(2, DIV(a, b));
    return status;
}

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
    const bool rounded_up = a % b != 0 && (a < 1) != (b < 1); /* of unsigned a and b never */
    OUT(2, rounded_up && (NUM)-1 < 1 ? SUB(DIV(a, b), 1) : DIV(a, b));
    return ARITH_OK;
}

BINARY(bit_and, (NUM)(a &b), false)
BINARY(bit_or, (NUM)(a | b), false)
BINARY(bit_xor, (NUM)(a ^ b), false)
UNARY(invert, (NUM)~x, false)
/* As x86 shifts: by the last five or six bits of b. */
BINARY(lshift, (NUM)((uint64_t)a << (b & (sizeof(NUM) == 8 ? 63 : 31))), false)
BINARY(rshift, (NUM)(a >> (b & (sizeof(NUM) == 8 ? 63 : 31))), false)

OPERATION(bit_count)
{
    (void)op;
    uint64_t x = 0;
    memcpy(&x, operands[0], sizeof(NUM));
    store_i32(operands[1], 0, __builtin_popcountll(x));
    return ARITH_OK;
}

OPERATION(unot)
{
    (void)op;
    *(bool *)operands[1] = !IN(1, 0);
    return ARITH_OK;
}
