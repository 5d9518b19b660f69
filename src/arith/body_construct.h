/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors and matrices made of scalars and of vectors: vec3(x) fills, vec3(x, y, z) joins,
 * matrix_from_cols places by a stride. A body for every scalar kind (arith_template.h).
 *
 *     splat:    (x) -> (x, x, x)               adj_x += the sum of the result's adjoints
 *     joined:   ((a, b), (c, d)) -> (a, b, c, d)
 *     columns:  ((a, b), (c, d)) -> a c        in memory a, c, b, d
 *                                   b d
 *
 * param[0]: lanes of the result. */

#if !TANGENT

/* vec3(): all lanes zero. */
static arith_status FN(zeros)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(op->param[0], GIVE(0, each_, NUMBER(0)));
    return ARITH_OK;
}

/* One after the other, in order of the lanes, as Warp's loop adds them. */
static arith_status FN(adj_splat)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(op->param[0], ADJ_ADD(0, 0, ADJ_RESULT(0, each_)));
    return ARITH_OK;
}

/* Each argument takes back the lanes that it gave; all arguments have equally many. */
static arith_status FN(adj_joined)(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n > 0 && op->param[0] % (int)op->n == 0);
    const int lanes = op->param[0] / (int)op->n;
    for (uint32_t i = 0; i < op->n; i++)
        ARITH_EACH(lanes, ADJ_ADD(i, each_, ADJ_RESULT(0, (int)i * lanes + each_)));
    return ARITH_OK;
}

/* Lane i of argument j is element (i, j) of the matrix. */
static arith_status FN(adj_columns)(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n > 0 && op->param[0] % (int)op->n == 0);
    const int cols = (int)op->n, rows = op->param[0] / cols;
    for (int j = 0; j < cols; j++)
        ARITH_EACH(rows, ADJ_ADD((uint32_t)j, each_, ADJ_RESULT(0, each_ * cols + j)));
    return ARITH_OK;
}

/* The adjoint of a constructor that casts. The kind is the argument's; the result's adjoint has
 * another kind and is converted lane by lane into `lane`, which has room for any scalar. What does
 * not fit an integer is no error here. */
static arith_status FN(adj_casts)(const arith_op *op, void *const *operands)
{
    const construct_casts *casts = op->aux;
    char *d = operands[3];
    for (int i = 0; i < op->param[0]; i++) {
        uint64_t lane = 0;
        const arith_status status =
            casts->back.run(&casts->back, (void *[]){d + i * op->param[2], &lane});
        if (status != ARITH_OK && status != ARITH_CONVERSION) /* see arith_cast.c */
            return status;
        ADJ_ADD(0, i, FN(load)(&lane, 0));
    }
    return ARITH_OK;
}

#endif

/* One scalar to every lane. */
static arith_status FN(splat)(const arith_op *op, void *const *operands)
{
    const NUM x = ARG(0, 0);
    ARITH_EACH(op->param[0], GIVE(0, each_, x));
    return ARITH_OK;
}

/* Lanes of all arguments one after the other. */
static arith_status FN(joined)(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n > 0 && op->param[0] % (int)op->n == 0);
    const int lanes = op->param[0] / (int)op->n;
    for (uint32_t i = 0; i < op->n; i++)
        ARITH_EACH(lanes, GIVE(0, (int)i * lanes + each_, ARG(i, each_)));
    return ARITH_OK;
}

/* Argument j becomes column j; in memory its lanes lie `cols` apart. */
static arith_status FN(columns)(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n > 0 && op->param[0] % (int)op->n == 0);
    const int cols = (int)op->n, rows = op->param[0] / cols;
    for (int j = 0; j < cols; j++)
        ARITH_EACH(rows, GIVE(0, each_ * cols + j, ARG((uint32_t)j, each_)));
    return ARITH_OK;
}
