/* Bits of vectors and matrices of integers (arith_template.h). A shift takes the low bits of its
 * count, as x86 does; narrow integers are shifted in 32 bits. */

#define LANES op->param[0]

static arith_status FN(lanes_and)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, (NUM)(ARG(0, each_) & ARG(1, each_))));
    return ARITH_OK;
}

static arith_status FN(lanes_or)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, (NUM)(ARG(0, each_) | ARG(1, each_))));
    return ARITH_OK;
}

static arith_status FN(lanes_xor)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, (NUM)(ARG(0, each_) ^ ARG(1, each_))));
    return ARITH_OK;
}

static arith_status FN(lanes_invert)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, (NUM)~ARG(0, each_)));
    return ARITH_OK;
}

static inline int FN(shift_count)(NUM by)
{
    return (int)((uint64_t)by & (sizeof(NUM) == sizeof(int64_t) ? 63 : 31));
}

static arith_status FN(lanes_lshift)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < LANES; i++)
        GIVE(0, i, (NUM)((uint64_t)ARG(0, i) << FN(shift_count)(ARG(1, i))));
    return ARITH_OK;
}

static arith_status FN(lanes_rshift)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < LANES; i++)
        GIVE(0, i, (NUM)(ARG(0, i) >> FN(shift_count)(ARG(1, i))));
    return ARITH_OK;
}

#undef LANES
