/* SPDX-License-Identifier: Apache-2.0 */
/* The quaternion of a rotation matrix, after warp/native quat.h of Warp 1.19: of its four
 * components one is found by a root that is not small, the others by it.
 *
 *     trace >= 0:  w = sqrt(trace + 1) / 2,  x = (m21 - m12) / (4 w), y and z alike
 *     else, with m[i][i] the largest on the diagonal:
 *                  q[i] = sqrt(m[i][i] - m[j][j] - m[k][k] + 1) / 2, the others by 4 q[i]
 *
 * The result is normalized. No guard: see arith_template.h. */

/* Element (i, j) of the upper left 3 x 3 of argument 0. */
#define ENTRY(i, j) m[3 * (i) + (j)]

/* Copies the nine elements, whatever the width of the matrix. */
static inline void FN(entries)(const arith_op *op, void *const *operands, NUM *m)
{
    WEFT_ASSERT(op->types[0]->cols == 3 || op->types[0]->cols == 4);
    const int cols = op->types[0]->cols;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            ENTRY(i, j) = ARG(0, i * cols + j);
}

/* The sum of the diagonal: 4 w^2 - 1 for a rotation. */
static inline NUM FN(trace)(const NUM *m)
{
    return SUM3(ENTRY(0, 0), ENTRY(1, 1), ENTRY(2, 2));
}

/* The largest of three on the diagonal. */
static inline int FN(leading)(const NUM *m)
{
    const int i = LESS(ENTRY(0, 0), ENTRY(1, 1));
    return LESS(ENTRY(i, i), ENTRY(2, 2)) ? 2 : i;
}

/* 4 q[i]^2 for the component i that leads. */
static inline NUM FN(leading_square)(const NUM *m, int i)
{
    WEFT_ASSERT(i >= 0 && i < 3);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    return ADD(SUB(ENTRY(i, i), ADD(ENTRY(j, j), ENTRY(k, k))), NUMBER(1));
}

/* The quaternion of the head, not normalized yet. *factor: by what the sums or differences of
 * entries are multiplied, 1 / (4 q[i]) for the component i that leads. */
static inline void FN(of_matrix)(const NUM *m, NUM *q, NUM *factor)
{
    const NUM trace = FN(trace)(m), zero = NUMBER(0), half = NUMBER(0.5);
    if (LESS(zero, trace) || EQUAL(trace, zero)) {
        const NUM root = SQRT(ADD(trace, NUMBER(1)));
        const NUM h = DIV(half, root);
        q[3] = MUL(half, root);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            q[i] = MUL(SUB(ENTRY(k, j), ENTRY(j, k)), h);
        }
        *factor = h;
        return;
    }
    const int i = FN(leading)(m), j = (i + 1) % 3, k = (i + 2) % 3;
    const NUM root = SQRT(FN(leading_square)(m, i));
    const NUM h = DIV(half, root);
    q[i] = MUL(half, root);
    q[j] = MUL(ADD(ENTRY(i, j), ENTRY(j, i)), h);
    q[k] = MUL(ADD(ENTRY(k, i), ENTRY(i, k)), h);
    q[3] = MUL(SUB(ENTRY(k, j), ENTRY(j, k)), h);
    *factor = h;
}

/* Of a mat33, or of the upper left part of a mat44. */
static arith_status FN(quat_from_matrix)(const arith_op *op, void *const *operands)
{
    NUM m[9], q[4], r[4], factor;
    FN(entries)(op, operands, m);
    FN(of_matrix)(m, q, &factor);
    const arith_status status = FN(normalized)(q, r);
    GIVES(0, r, 4);
    return status;
}

#if !TANGENT

/* The derivative of component c, before normalization, by entry (i, j) of the matrix. */
#define BY(c, i, j) by[c][3 * (i) + (j)]

/* The derivatives where the trace leads: with h = 1 / (2 root), dh / dm[n][n] = -2 h^3, and `cube`
 * is 2 h^3. */
static void FN(by_trace)(const NUM *m, NUM h, NUM by[4][9])
{
    const NUM cube = MUL(MUL(MUL(NUMBER(2), h), h), h);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        BY(3, i, i) = MUL(NUMBER(0.5), h);
        BY(i, k, j) = h;
        BY(i, j, k) = NEG(h);
        for (int n = 0; n < 3; n++)
            BY(i, n, n) = MUL(cube, SUB(ENTRY(j, k), ENTRY(k, j)));
    }
}

/* The same where m[i][i] leads; entries (j, j) and (k, k) are subtracted in the root, hence the
 * changes of sign. */
static void FN(by_leading)(const NUM *m, NUM h, int i, NUM by[4][9])
{
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const NUM cube = MUL(MUL(MUL(NUMBER(2), h), h), h);
    const NUM sum_j = ADD(ENTRY(i, j), ENTRY(j, i)), sum_k = ADD(ENTRY(k, i), ENTRY(i, k));
    BY(j, i, j) = BY(j, j, i) = h;
    BY(k, k, i) = BY(k, i, k) = h;
    BY(3, k, j) = h;
    BY(3, j, k) = NEG(h);
    for (int n = 0; n < 3; n++) {
        BY(i, n, n) = MUL(NUMBER(n == i ? 0.5 : -0.5), h);
        BY(j, n, n) = MUL(n == i ? NEG(cube) : cube, sum_j);
        BY(k, n, n) = MUL(n == i ? NEG(cube) : cube, sum_k);
        BY(3, n, n) =
            MUL(cube, n == i ? SUB(ENTRY(j, k), ENTRY(k, j)) : SUB(ENTRY(k, j), ENTRY(j, k)));
    }
}

/* Through the normalization first (adj_normalized), then by the table of derivatives of the case
 * that led. A mat44 gets nothing outside of its upper left part. */
static arith_status FN(adj_quat_from_matrix)(const arith_op *op, void *const *operands)
{
    const int cols = op->types[0]->cols;
    NUM m[9], q[4], r[4], h, dq[4], by[4][9];
    for (int c = 0; c < 4; c++)
        for (int n = 0; n < 9; n++)
            by[c][n] = NUMBER(0);
    FN(entries)(op, operands, m);
    FN(of_matrix)(m, q, &h);
    ADJ_RESULTS(0, r, 4);
    FN(adj_normalized)(q, r, dq);
    if (FN(trace)(m) >= 0)
        FN(by_trace)(m, h, by);
    else
        FN(by_leading)(m, h, FN(leading)(m), by);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const NUM entry[4] = {BY(0, i, j), BY(1, i, j), BY(2, i, j), BY(3, i, j)};
            ADJ_ADD(0, i * cols + j, FN(dot4)(entry, dq));
        }
    return ARITH_OK;
}
#undef BY

#endif
#undef ENTRY
