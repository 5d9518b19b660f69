/* SPDX-License-Identifier: Apache-2.0 */
/* Determinant and inverse of 3x3 matrices in rows (arith_template.h), in the order of mat.h of
 * Warp 1.19. Shared by body_square.h and body_decompose.h.
 *
 *     determinant = row0 . cross(row1, row2)
 *     column r of the inverse = cross(row r + 1, row r + 2) / determinant, rows modulo 3 */

/* Element i of the cross product of rows r and s. */
static inline NUM FN(cross_rows)(const NUM *m, int r, int s, int i)
{
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    return SUB(MUL(m[3 * r + j], m[3 * s + k]), MUL(m[3 * r + k], m[3 * s + j]));
}

static inline NUM FN(volume3)(const NUM *m)
{
    const NUM two =
        ADD(MUL(m[0], FN(cross_rows)(m, 1, 2, 0)), MUL(m[1], FN(cross_rows)(m, 1, 2, 1)));
    return ADD(two, MUL(m[2], FN(cross_rows)(m, 1, 2, 2)));
}

/* The inverse of a singular matrix is zero, as in Warp. */
static inline void FN(invert3)(const NUM *m, NUM *out)
{
    const NUM det = FN(volume3)(m);
    const bool regular = !EQUAL(det, NUMBER(0));
    const NUM by = DIV(NUMBER(1), det);
    for (int i = 0; i < 9; i++) {
        const NUM cofactor = FN(cross_rows)(m, (i % 3 + 1) % 3, (i % 3 + 2) % 3, i / 3);
        out[i] = regular ? MUL(cofactor, by) : NUMBER(0);
    }
}
