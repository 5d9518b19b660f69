/* SPDX-License-Identifier: Apache-2.0 */
/* Body of arith_choice.c: adjoints, for values of op->param[0] scalars.
 *
 *     r = where(c, a, b):  adj_a += adj_r if c holds, else adj_b += adj_r
 *     r = copy(a):         adj_a += adj_r, and adj_r = 0
 *
 * Warp 1.19 native/builtin.h adj_where, adj_copy. */
#if !TANGENT
/* The condition and what was not chosen get nothing. */
static arith_status FN(adj_where)(const arith_op *op, void *const *operands)
{
    const uint32_t chosen = arith_truth(operands[0], op->param[2]) ? 1 : 2;
    for (int i = 0; i < op->param[0]; i++)
        ADJ_ADD(chosen, i, ADJ_RESULT(0, i));
    return ARITH_OK;
}

/* Unlike other adjoints it clears the adjoint of the result. */
static arith_status FN(adj_copy)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < op->param[0]; i++)
        ADJ_ADD(0, i, ADJ_RESULT(0, i));
    memset(operands[3], 0, (size_t)op->param[1]);
    return ARITH_OK;
}
#endif
