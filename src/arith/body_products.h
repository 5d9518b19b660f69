/* SPDX-License-Identifier: Apache-2.0 */
/* Products of vectors and matrices, and matrices made of the lanes of others: a body for every
 * scalar kind (arith_template.h). Sums are made in the order of mat.h of Warp 1.19, since a float
 * sum in another order has other last bits.
 *
 *     r = A x         adj_A += adj_r outer x        adj_x += transpose(A) adj_r
 *     C = A B         adj_A += adj_C transpose(B)   adj_B += transpose(A) adj_C
 *     r = cross(a, b) adj_a += cross(b, adj_r)      adj_b -= cross(a, adj_r)
 *     skew(x, y, z)    0 -z  y
 *                      z  0 -x
 *                     -y  x  0
 *
 * Matrices are in rows: element (i, j) of A is lane i * COLS + j. Products of matrices round a
 * multiplication and addition once (MULADD, linear.h), those of a matrix and a vector twice. */

#define ROWS op->param[0]
#define COLS op->param[1]

/* r[i] = the sum of A[i][j] x[j]. */
static arith_status FN(mat_vec)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < ROWS; i++) {
        NUM sum = MUL(ARG(0, i * COLS), ARG(1, 0));
        for (int j = 1; j < COLS; j++)
            sum = ADD(sum, MUL(ARG(0, i * COLS + j), ARG(1, j)));
        GIVE(0, i, sum);
    }
    return ARITH_OK;
}

/* A row vector times a matrix. */
static arith_status FN(vec_mat)(const arith_op *op, void *const *operands)
{
    for (int j = 0; j < COLS; j++) {
        NUM sum = MUL(ARG(1, j), ARG(0, 0));
        for (int i = 1; i < ROWS; i++)
            sum = ADD(sum, MUL(ARG(1, i * COLS + j), ARG(0, i)));
        GIVE(0, j, sum);
    }
    return ARITH_OK;
}

/* ROWS x COLS times COLS x param[2] */
static arith_status FN(mat_mat)(const arith_op *op, void *const *operands)
{
    const int width = op->param[2];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < width; j++) {
            NUM sum = NUMBER(0);
            for (int k = 0; k < COLS; k++)
                sum = MULADD(ARG(0, i * COLS + k), ARG(1, k * width + j), sum);
            GIVE(0, i * width + j, sum);
        }
    return ARITH_OK;
}

/* The product of a column and a row: ROWS and COLS are the lengths of the two vectors. */
static arith_status FN(outer)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            GIVE(0, i * COLS + j, MUL(ARG(0, i), ARG(1, j)));
    return ARITH_OK;
}

/* r[i] = a[j] b[k] - a[k] b[j] with i, j, k in turn: (0, 1, 2), (1, 2, 0), (2, 0, 1). */
static arith_status FN(cross)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        GIVE(0, i, SUB(MUL(ARG(0, j), ARG(1, k)), MUL(ARG(0, k), ARG(1, j))));
    }
    return ARITH_OK;
}

/* Lane i of the vector is at [k][j] and, with the other sign, at [j][k]. */
static arith_status FN(skew)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        GIVE(0, i * 3 + i, NUMBER(0));
        GIVE(0, k * 3 + j, ARG(0, i));
        GIVE(0, j * 3 + k, NEG(ARG(0, i)));
    }
    return ARITH_OK;
}

/* The result has COLS rows. */
static arith_status FN(transpose)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            GIVE(0, j * ROWS + i, ARG(0, i * COLS + j));
    return ARITH_OK;
}

/* Of a square matrix: ROWS is its side. */
static arith_status FN(trace)(const arith_op *op, void *const *operands)
{
    NUM sum = ARG(0, 0);
    for (int i = 1; i < ROWS; i++)
        sum = ADD(sum, ARG(0, i * ROWS + i));
    GIVE(0, 0, sum);
    return ARITH_OK;
}

/* A square matrix with the vector on its diagonal. */
static arith_status FN(diag)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(ROWS * ROWS, GIVE(0, each_, NUMBER(0)));
    ARITH_EACH(ROWS, GIVE(0, each_ * ROWS + each_, ARG(0, each_)));
    return ARITH_OK;
}

/* The diagonal of a square matrix as a vector. */
static arith_status FN(get_diag)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(ROWS, GIVE(0, each_, ARG(0, each_ * ROWS + each_)));
    return ARITH_OK;
}

#if !TANGENT

static arith_status FN(identity)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(ROWS * ROWS, GIVE(0, each_, NUMBER(0)));
    ARITH_EACH(ROWS, GIVE(0, each_ * ROWS + each_, NUMBER(1)));
    return ARITH_OK;
}

/* Adjoints: the formulas of the head. */
static arith_status FN(adj_mat_vec)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            ADJ_ADD(0, i * COLS + j, MUL(ADJ_RESULT(0, i), ARG(1, j)));
    for (int j = 0; j < COLS; j++) {
        NUM sum = MUL(ARG(0, j), ADJ_RESULT(0, 0));
        for (int i = 1; i < ROWS; i++)
            sum = ADD(sum, MUL(ARG(0, i * COLS + j), ADJ_RESULT(0, i)));
        ADJ_ADD(1, j, sum);
    }
    return ARITH_OK;
}

/* adj_A += x outer d, then adj_x += A d, each element one sum over a row. */
static arith_status FN(adj_vec_mat)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            ADJ_ADD(1, i * COLS + j, MUL(ARG(0, i), ADJ_RESULT(0, j)));
    for (int i = 0; i < ROWS; i++) {
        NUM sum = MUL(ARG(1, i * COLS), ADJ_RESULT(0, 0));
        for (int j = 1; j < COLS; j++)
            sum = ADD(sum, MUL(ARG(1, i * COLS + j), ADJ_RESULT(0, j)));
        ADJ_ADD(0, i, sum);
    }
    return ARITH_OK;
}

/* Each element is one sum, formed with MULADD and then added. */
static arith_status FN(adj_mat_mat)(const arith_op *op, void *const *operands)
{
    const int width = op->param[2];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            NUM sum = NUMBER(0);
            for (int k = 0; k < width; k++)
                sum = MULADD(ADJ_RESULT(0, i * width + k), ARG(1, j * width + k), sum);
            ADJ_ADD(0, i * COLS + j, sum);
        }
    for (int i = 0; i < COLS; i++)
        for (int j = 0; j < width; j++) {
            NUM sum = NUMBER(0);
            for (int k = 0; k < ROWS; k++)
                sum = MULADD(ARG(0, k * COLS + i), ADJ_RESULT(0, k * width + j), sum);
            ADJ_ADD(1, i * width + j, sum);
        }
    return ARITH_OK;
}

/* r = a outer b: adj_a += R b, adj_b += transpose(R) a, where R is the adjoint of r. */
static arith_status FN(adj_outer)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < ROWS; i++) {
        NUM sum = MUL(ADJ_RESULT(0, i * COLS), ARG(1, 0));
        for (int j = 1; j < COLS; j++)
            sum = ADD(sum, MUL(ADJ_RESULT(0, i * COLS + j), ARG(1, j)));
        ADJ_ADD(0, i, sum);
    }
    for (int j = 0; j < COLS; j++) {
        NUM sum = MUL(ADJ_RESULT(0, j), ARG(0, 0));
        for (int i = 1; i < ROWS; i++)
            sum = ADD(sum, MUL(ADJ_RESULT(0, i * COLS + j), ARG(0, i)));
        ADJ_ADD(1, j, sum);
    }
    return ARITH_OK;
}

/* adj_a += cross(b, d), adj_b -= cross(a, d). */
static arith_status FN(adj_cross)(const arith_op *op, void *const *operands)
{
    NUM d[3];
    ADJ_RESULTS(0, d, 3);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        ADJ_ADD(0, i, SUB(MUL(ARG(1, j), d[k]), MUL(ARG(1, k), d[j])));
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        ADJ_ADD(1, i, NEG(SUB(MUL(ARG(0, j), d[k]), MUL(ARG(0, k), d[j]))));
    }
    return ARITH_OK;
}

/* Lane i has one element with each sign (skew above). */
static arith_status FN(adj_skew)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        ADJ_ADD(0, i, SUB(ADJ_RESULT(0, k * 3 + j), ADJ_RESULT(0, j * 3 + k)));
    }
    return ARITH_OK;
}

static arith_status FN(adj_transpose)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            ADJ_ADD(0, i * COLS + j, ADJ_RESULT(0, j * ROWS + i));
    return ARITH_OK;
}

/* The diagonal gets d. */
static arith_status FN(adj_trace)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(ROWS, ADJ_ADD(0, each_ * ROWS + each_, ADJ_RESULT(0, 0)));
    return ARITH_OK;
}

/* The vector takes back the diagonal; what is beside it came from no argument. */
static arith_status FN(adj_diag)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(ROWS, ADJ_ADD(0, each_, ADJ_RESULT(0, each_ * ROWS + each_)));
    return ARITH_OK;
}

static arith_status FN(adj_get_diag)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(ROWS, ADJ_ADD(0, each_ * ROWS + each_, ADJ_RESULT(0, each_)));
    return ARITH_OK;
}

#endif

#undef ROWS
#undef COLS
