/* SPDX-License-Identifier: Apache-2.0 */
/* Determinants and inverses of square matrices of floats (arith_template.h), by the cofactors of
 * mat.h of Warp 1.19, and points and vectors transformed by a mat44.
 *
 *     determinant((1, 2), (3, 4)) = -2
 *     inverse((1, 2), (3, 4))     = (-2, 1), (1.5, -0.5)
 *     inverse((1, 2), (2, 4))     = (0, 0), (0, 0)          singular: no error, as in Warp
 *
 * Elements are in rows: [i][j] is number i * n + j. Values and adjoints follow Warp's order of
 * operations, since it shows in the last bit; the tangents of the larger cases, which Warp does
 * not have, are written in the simplest way (after #else). */
#include "arith/body_invert3.h"

/* m00 m11 - m10 m01 */
static arith_status FN(determinant2)(const arith_op *op, void *const *operands)
{
    GIVE(0, 0, SUB(MUL(ARG(0, 0), ARG(0, 3)), MUL(ARG(0, 2), ARG(0, 1))));
    return ARITH_OK;
}

/* row0 . cross(row1, row2) */
static arith_status FN(determinant3)(const arith_op *op, void *const *operands)
{
    NUM m[9];
    ARGS(0, m, 9);
    GIVE(0, 0, FN(volume3)(m));
    return ARITH_OK;
}

#if !TANGENT

#define WIDE ARITH_DO(wide)

/* The six minors of two rows in columns c and c + 1: rows 01 02 03 12 13 23. */
static inline void FN(minors)(const NUM *m, int c, WIDE *out)
{
    for (int i = 0, n = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++, n++)
            out[n] = SUB(MUL(m[4 * i + c], m[4 * j + c + 1]), MUL(m[4 * j + c], m[4 * i + c + 1]));
}

/* The cofactor of [row][col] of a 4x4 matrix, from the 2x2 minors y of the two columns of the half
 * that col is not in: three products, in the order of terms that Warp has (cofactor_order). */
static inline WIDE FN(cofactor)(const NUM *m, const WIDE *y, int row, int col)
{
    WEFT_ASSERT(row >= 0 && row < 4 && col >= 0 && col < 4);
    const cofactor_terms *t = &cofactor_order[col & 1 ? 0 : 1][row];
    WIDE p[3];
    for (int i = 0; i < 3; i++)
        p[i] = ARITH_DO(mixed)(m[4 * t->row[i] + (col ^ 1)], y[t->minor[i]]);
    const WIDE sum = ARITH_DO(wide_round)(p[0] - p[1]);
    return ARITH_DO(wide_round)(t->plus ? sum + p[2] : sum - p[2]);
}

/* All cofactors at [row][col]. Warp keeps those of columns 0 and 1 in the matrix's type and the
 * others in doubles (WIDE), which shows when they are rounded. */
static inline void FN(cofactors)(const NUM *m, WIDE *z)
{
    WIDE left[6], right[6];
    FN(minors)(m, 0, left);
    FN(minors)(m, 2, right);
    for (int i = 0; i < 16; i++) {
        const WIDE x = FN(cofactor)(m, i % 4 < 2 ? right : left, i / 4, i % 4);
        z[i] = i % 4 < 2 ? (WIDE)(NUM)x : x;
    }
}

/* The determinant from the cofactors z, along the first column. */
static inline NUM FN(volume4)(const NUM *m, const WIDE *z)
{
    NUM sum = MUL(m[12], (NUM)z[12]);
    for (int i = 2; i >= 0; i--)
        sum = ADD(sum, MUL(m[4 * i], (NUM)z[4 * i]));
    return sum;
}

static arith_status FN(determinant4)(const arith_op *op, void *const *operands)
{
    NUM m[16];
    WIDE z[16];
    ARGS(0, m, 16);
    FN(cofactors)(m, z);
    GIVE(0, 0, FN(volume4)(m, z));
    return ARITH_OK;
}

/* The transposed cofactors divided by the determinant, as products with 1 / det. Warp computes that
 * factor as a double even for narrower floats. */
static arith_status FN(inverse4)(const arith_op *op, void *const *operands)
{
    NUM m[16];
    WIDE z[16];
    ARGS(0, m, 16);
    FN(cofactors)(m, z);
    const double det = (double)FN(volume4)(m, z), by = 1 / det;
    const bool regular = fabs(det) > 0;
    for (int i = 0; i < 16; i++) {
        const int row = i / 4, col = i % 4;
        NUM x = NUMBER(0);
        if (regular && col < 2)
            x = (NUM)ARITH_DO(mixed)((NUM)z[i], by);
        else if (regular)
            x = NUMBER((double)z[i] * by);
        GIVE(0, 4 * col + row, x);
    }
    return ARITH_OK;
}

/* ((a, b), (c, d)) -> ((d, -b), (-c, a)) / det. */
static arith_status FN(inverse2)(const arith_op *op, void *const *operands)
{
    const NUM det = SUB(MUL(ARG(0, 0), ARG(0, 3)), MUL(ARG(0, 2), ARG(0, 1)));
    const bool regular = LESS(NUMBER(0), det) || LESS(det, NUMBER(0));
    const NUM by = DIV(NUMBER(1), det);
    for (int i = 0; i < 4; i++) {
        const NUM cofactor = i == 0 ? ARG(0, 3) : i == 3 ? ARG(0, 0) : NEG(ARG(0, i));
        GIVE(0, i, regular ? MUL(cofactor, by) : NUMBER(0));
    }
    return ARITH_OK;
}

/* By cross products of rows (body_invert3.h). */
static arith_status FN(inverse3)(const arith_op *op, void *const *operands)
{
    NUM m[9], r[9];
    ARGS(0, m, 9);
    FN(invert3)(m, r);
    GIVES(0, r, 9);
    return ARITH_OK;
}

/* adj_m += d times the cofactors: (m11, -m10, -m01, m00). */
static arith_status FN(adj_determinant2)(const arith_op *op, void *const *operands)
{
    const NUM d = ADJ_RESULT(0, 0);
    ADJ_ADD(0, 0, MUL(ARG(0, 3), d));
    ADJ_ADD(0, 3, MUL(ARG(0, 0), d));
    ADJ_ADD(0, 1, NEG(MUL(ARG(0, 2), d)));
    ADJ_ADD(0, 2, NEG(MUL(ARG(0, 1), d)));
    return ARITH_OK;
}

/* The cofactors of row r are the cross product of the rows r + 1 and r + 2. */
static arith_status FN(adj_determinant3)(const arith_op *op, void *const *operands)
{
    const NUM d = ADJ_RESULT(0, 0);
    NUM m[9];
    ARGS(0, m, 9);
    for (int i = 0; i < 9; i++)
        ADJ_ADD(0, i, MUL(FN(cross_rows)(m, (i / 3 + 1) % 3, (i / 3 + 2) % 3, i % 3), d));
    return ARITH_OK;
}

/* adj_m[i][j] += cofactor[i][j] d, as for the smaller ones. */
static arith_status FN(adj_determinant4)(const arith_op *op, void *const *operands)
{
    NUM m[16];
    WIDE z[16];
    ARGS(0, m, 16);
    FN(cofactors)(m, z);
    const NUM d = ADJ_RESULT(0, 0);
    for (int i = 0; i < 16; i++)
        ADJ_ADD(0, i, i % 4 < 2 ? MUL((NUM)z[i], d) : (NUM)ARITH_DO(mixed)(d, (double)z[i]));
    return ARITH_OK;
}

/* With r = inverse(m): adj_m -= transpose(r) * d * transpose(r). One function for all sizes; `left`
 * is transpose(r) * d. */
static arith_status FN(adj_inverse)(const arith_op *op, void *const *operands)
{
    const int n = op->param[0];
    NUM r[16], d[16], left[16];
    WEFT_ASSERT(n >= 2 && n <= 4);
    ARITH_EACH(n * n, r[each_] = RESULT(0, each_));
    ADJ_RESULTS(0, d, n * n);
    for (int i = 0; i < n * n; i++) {
        left[i] = NUMBER(0);
        for (int k = 0; k < n; k++)
            left[i] = MULADD(r[k * n + i / n], d[k * n + i % n], left[i]);
    }
    for (int i = 0; i < n * n; i++) {
        NUM sum = NUMBER(0);
        for (int k = 0; k < n; k++)
            sum = MULADD(left[i / n * n + k], r[i % n * n + k], sum);
        ADJ_ADD(0, i, NEG(sum));
    }
    return ARITH_OK;
}

#undef WIDE

/* adj_m[i][j] += d[i] (x, w)[j] for the first three rows, adj_x[j] += the sum of m[i][j] d[i]. */
static inline void FN(adj_transform_by)(const arith_op *op, void *const *operands, NUM w)
{
    NUM d[3];
    ADJ_RESULTS(0, d, 3);
    for (int i = 0; i < 12; i++)
        ADJ_ADD(0, i, MUL(i % 4 < 3 ? ARG(1, i % 4) : w, d[i / 4]));
    for (int j = 0; j < 3; j++) {
        const NUM two = ADD(MUL(ARG(0, j), d[0]), MUL(ARG(0, 4 + j), d[1]));
        ADJ_ADD(1, j, ADD(two, MUL(ARG(0, 8 + j), d[2])));
    }
}

static arith_status FN(adj_mat_point)(const arith_op *op, void *const *operands)
{
    FN(adj_transform_by)(op, operands, NUMBER(1));
    return ARITH_OK;
}

static arith_status FN(adj_mat_vector)(const arith_op *op, void *const *operands)
{
    FN(adj_transform_by)(op, operands, NUMBER(0));
    return ARITH_OK;
}

#else

/* Expanded along the first row: m is the 3x3 matrix without row 0 and column c. */
static arith_status FN(determinant4)(const arith_op *op, void *const *operands)
{
    NUM det = NUMBER(0);
    for (int c = 0; c < 4; c++) {
        NUM m[9], minor = NUMBER(0);
        for (int i = 0, n = 0; i < 12; i++)
            if (i % 4 != c)
                m[n++] = ARG(0, 4 + i);
        for (int i = 0; i < 3; i++) {
            const int j = 3 + (i + 1) % 3, k = 3 + (i + 2) % 3;
            minor = ADD(minor, MUL(m[i], SUB(MUL(m[j], m[k + 3]), MUL(m[k], m[j + 3]))));
        }
        const NUM term = MUL(ARG(0, c), minor);
        det = c & 1 ? SUB(det, term) : ADD(det, term);
    }
    GIVE(0, 0, det);
    return ARITH_OK;
}

/* The tangent of r = inverse(m) is -r * dm * r. It reads the result r, so that one function serves
 * every size and no inverse is computed twice. A result of zeros means a singular matrix, where
 * there is no derivative. */
static arith_status FN(inverse)(const arith_op *op, void *const *operands)
{
    const int n = op->param[0];
    arith_status status = ARITH_OK;
    double r[16], left[16];
    WEFT_ASSERT(n >= 2 && n <= 4);
    bool zero = true, moves = false;
    for (int i = 0; i < n * n; i++) {
        r[i] = ARG(1, i).v /* the result */;
        zero = zero && r[i] == 0;
        moves = moves || MOVES(ARG(0, i));
    }
    KINK_IF(zero && moves);
    for (int i = 0; i < n * n; i++) {
        left[i] = 0;
        for (int k = 0; k < n; k++)
            left[i] += r[i / n * n + k] * ARG(0, k * n + i % n).d;
    }
    for (int i = 0; i < n * n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum -= left[i / n * n + k] * r[k * n + i % n];
        GIVE(0, i, ((num_dual){0, sum}));
    }
    return status;
}

#endif

/* transform_point and transform_vector by a mat44: the first three elements of m * (x, w), where w
 * is 1 or 0. There is no division by the fourth. */
static inline void FN(transform_by)(const arith_op *op, void *const *operands, NUM w)
{
    for (int i = 0; i < 3; i++) {
        NUM sum = MUL(ARG(0, 4 * i), ARG(1, 0));
        sum = ADD(sum, MUL(ARG(0, 4 * i + 1), ARG(1, 1)));
        sum = ADD(sum, MUL(ARG(0, 4 * i + 2), ARG(1, 2)));
        GIVE(0, i, ADD(sum, MUL(ARG(0, 4 * i + 3), w)));
    }
}

/* m * (x, 1) without its last element. */
static arith_status FN(mat_point)(const arith_op *op, void *const *operands)
{
    FN(transform_by)(op, operands, NUMBER(1));
    return ARITH_OK;
}

/* m * (x, 0): the translation has no part in it. */
static arith_status FN(mat_vector)(const arith_op *op, void *const *operands)
{
    FN(transform_by)(op, operands, NUMBER(0));
    return ARITH_OK;
}
