/* SPDX-License-Identifier: Apache-2.0 */
/* Bitwise operators and shifts of vectors and matrices of integers, lane by lane: (1, 2) << (3, 1)
 * is (8, 4). A body for the integer kinds (arith_template.h). */

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

/* The complement of each lane's bits. */
static arith_status FN(lanes_invert)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, (NUM)~ARG(0, each_)));
    return ARITH_OK;
}

/* A count that is negative or too large shifts by its lowest bits (SHIFT_COUNT), and the status is
 * that of the first such lane. */
static arith_status FN(lanes_lshift)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    for (int i = 0; i < LANES; i++) {
        const NUM by = ARG(1, i);
        GIVE(0, i, (NUM)((uint64_t)ARG(0, i) << SHIFT_COUNT(by)));
        status = status == ARITH_OK ? SHIFT_STATUS(by) : status;
    }
    return status;
}

/* C's >>: signed lanes keep their sign. */
static arith_status FN(lanes_rshift)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    for (int i = 0; i < LANES; i++) {
        const NUM by = ARG(1, i);
        GIVE(0, i, (NUM)(ARG(0, i) >> SHIFT_COUNT(by)));
        status = status == ARITH_OK ? SHIFT_STATUS(by) : status;
    }
    return status;
}

#undef LANES
