/* SPDX-License-Identifier: Apache-2.0 */
/* Spatial vectors: an angular part w (3 numbers), then a linear part v (3), after warp/native
 * spatial.h of Warp 1.19. spatial_top gives w, spatial_bottom v.
 *
 *     spatial_cross((w, v), (x, y))      = (cross(w, x), cross(v, x) + cross(w, y))
 *     spatial_cross_dual((w, v), (x, y)) = (cross(w, x) + cross(v, y), cross(w, y))
 *
 * The second is the first one's dual: it acts on forces as the first acts on motions.
 *
 * No guard: see arith_template.h. */

/* The sum of products of all six numbers. */
static arith_status FN(spatial_dot)(const arith_op *op, void *const *operands)
{
    NUM sum = NUMBER(0);
    for (int j = 0; j < 6; j++)
        sum = ADD(sum, MUL(ARG(0, j), ARG(1, j)));
    GIVE(0, 0, sum);
    return ARITH_OK;
}

/* Of two motions, (w, v) and (x, y). */
static arith_status FN(spatial_cross)(const arith_op *op, void *const *operands)
{
    NUM a[6], b[6], w[3], left[3], right[3];
    ARGS(0, a, 6);
    ARGS(1, b, 6);
    FN(cross)(a, b, w);
    FN(cross)(a + 3, b, left);
    FN(cross)(a, b + 3, right);
    for (int j = 0; j < 6; j++)
        GIVE(0, j, j < 3 ? w[j] : ADD(left[j - 3], right[j - 3]));
    return ARITH_OK;
}

/* Of a motion (w, v) and a force (x, y). */
static arith_status FN(spatial_cross_dual)(const arith_op *op, void *const *operands)
{
    NUM a[6], b[6], left[3], right[3], v[3];
    ARGS(0, a, 6);
    ARGS(1, b, 6);
    FN(cross)(a, b, left);
    FN(cross)(a + 3, b + 3, right);
    FN(cross)(a, b + 3, v);
    for (int j = 0; j < 6; j++)
        GIVE(0, j, j < 3 ? ADD(left[j], right[j]) : v[j - 3]);
    return ARITH_OK;
}

/* The angular part. */
static arith_status FN(spatial_top)(const arith_op *op, void *const *operands)
{
    for (int j = 0; j < 3; j++)
        GIVE(0, j, ARG(0, j));
    return ARITH_OK;
}

/* The linear part. */
static arith_status FN(spatial_bottom)(const arith_op *op, void *const *operands)
{
    for (int j = 0; j < 3; j++)
        GIVE(0, j, ARG(0, j + 3));
    return ARITH_OK;
}

/* (R, S) -> the 6x6 matrix [R 0; S R], so that R gets adjoints from two blocks. With the rotation R
 * and S = skew(p) R it transforms spatial vectors. */
static arith_status FN(spatial_adjoint)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            GIVE(0, 6 * i + j, ARG(0, 3 * i + j));
            GIVE(0, 6 * i + j + 3, NUMBER(0));
            GIVE(0, 6 * (i + 3) + j, ARG(1, 3 * i + j));
            GIVE(0, 6 * (i + 3) + j + 3, ARG(0, 3 * i + j));
        }
    return ARITH_OK;
}

#if !TANGENT

/* adj_a += b d, adj_b += a d */
static arith_status FN(adj_spatial_dot)(const arith_op *op, void *const *operands)
{
    const NUM r = ADJ_RESULT(0, 0);
    for (uint32_t i = 0; i < 2; i++)
        for (int j = 0; j < 6; j++)
            ADJ_ADD(i, j, MUL(ARG(1 - i, j), r));
    return ARITH_OK;
}

/* The adjoint of r = cross(a, b) for three elements of the arguments and of the result, which begin
 * at i, j and k: adj_a += cross(b, adj_r), adj_b -= cross(a, adj_r). */
static inline void FN(adj_cross_part)(const arith_op *op, void *const *operands, int i, int j,
                                      int k)
{
    WEFT_ASSERT(i + 3 <= 6 && j + 3 <= 6 && k + 3 <= 6);
    NUM a[3], b[3], r[3], da[3], db[3];
    for (int n = 0; n < 3; n++) {
        a[n] = ARG(0, i + n);
        b[n] = ARG(1, j + n);
        r[n] = ADJ_RESULT(0, k + n);
    }
    FN(cross)(b, r, da);
    FN(cross)(a, r, db);
    for (int n = 0; n < 3; n++) {
        ADJ_ADD(0, i + n, da[n]);
        ADJ_ADD(1, j + n, NEG(db[n]));
    }
}

/* One call for each cross product of the head: cross(w, x), cross(v, x), cross(w, y). */
static arith_status FN(adj_spatial_cross)(const arith_op *op, void *const *operands)
{
    FN(adj_cross_part)(op, operands, 0, 0, 0);
    FN(adj_cross_part)(op, operands, 3, 0, 3);
    FN(adj_cross_part)(op, operands, 0, 3, 3);
    return ARITH_OK;
}

/* The products cross(w, x), cross(v, y) and cross(w, y). */
static arith_status FN(adj_spatial_cross_dual)(const arith_op *op, void *const *operands)
{
    FN(adj_cross_part)(op, operands, 0, 0, 0);
    FN(adj_cross_part)(op, operands, 3, 3, 0);
    FN(adj_cross_part)(op, operands, 0, 3, 3);
    return ARITH_OK;
}

static arith_status FN(adj_spatial_top)(const arith_op *op, void *const *operands)
{
    for (int j = 0; j < 3; j++)
        ADJ_ADD(0, j, ADJ_RESULT(0, j));
    return ARITH_OK;
}

static arith_status FN(adj_spatial_bottom)(const arith_op *op, void *const *operands)
{
    for (int j = 0; j < 3; j++)
        ADJ_ADD(0, j + 3, ADJ_RESULT(0, j));
    return ARITH_OK;
}

/* R stands in two blocks of the result and takes both adjoints; the zeros have none. */
static arith_status FN(adj_spatial_adjoint)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            ADJ_ADD(0, 3 * i + j, ADJ_RESULT(0, 6 * i + j));
            ADJ_ADD(0, 3 * i + j, ADJ_RESULT(0, 6 * (i + 3) + j + 3));
            ADJ_ADD(1, 3 * i + j, ADJ_RESULT(0, 6 * (i + 3) + j));
        }
    return ARITH_OK;
}

#endif
