/* Body of arith_choice.c: adjoints, for values of op->param[0] scalars. */
#if !TANGENT
static arith_status FN(adj_where)(const arith_op *op, void *const *operands)
{
    const uint32_t chosen = arith_truth(operands[0], op->param[2]) ? 1 : 2;
    for (int i = 0; i < op->param[0]; i++)
        ADJ_ADD(chosen, i, ADJ_RESULT(0, i));
    return ARITH_OK;
}

static arith_status FN(adj_copy)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < op->param[0]; i++)
        ADJ_ADD(0, i, ADJ_RESULT(0, i));
    memset(operands[3], 0, (size_t)op->param[1]);
    return ARITH_OK;
}
#endif
