/* SPDX-License-Identifier: Apache-2.0 */
/* Operators of quaternions and rotations by them, after warp/native quat.h of Warp 1.19.
 *
 *     quat_inverse(x, y, z, w) = (-x, -y, -z, w)       the inverse of unit quaternions only
 *     quat_normalize(0, 0, 0, 0) = (0, 0, 0, 1)
 *     quat_to_matrix: column j is the j-th axis, rotated
 *
 * No guard: see arith_template.h. */

/* Operations element by element: `combined` is element j of the result. NAME_left has the scalar as
 * its first argument. */
#define QUAT_BINARY(name, combined)                                                                \
    static arith_status FN(name)(const arith_op *op, void *const *operands)                        \
    {                                                                                              \
        for (int j = 0; j < 4; j++)                                                                \
            GIVE(0, j, combined);                                                                  \
        return ARITH_OK;                                                                           \
    }

QUAT_BINARY(quat_add, ADD(ARG(0, j), ARG(1, j)))
QUAT_BINARY(quat_sub, SUB(ARG(0, j), ARG(1, j)))
QUAT_BINARY(quat_scale, MUL(ARG(0, j), ARG(1, 0)))
QUAT_BINARY(quat_scale_left, MUL(ARG(1, j), ARG(0, 0)))
QUAT_BINARY(quat_div, DIV(ARG(0, j), ARG(1, 0)))
QUAT_BINARY(quat_div_left, DIV(ARG(0, 0), ARG(1, j)))
QUAT_BINARY(quat_pos, ARG(0, j))
QUAT_BINARY(quat_neg, NEG(ARG(0, j)))
QUAT_BINARY(quat_inverse, j < 3 ? NEG(ARG(0, j)) : ARG(0, j))
QUAT_BINARY(quat_lerp, ADD(MUL(ARG(0, j), SUB(NUMBER(1), ARG(2, 0))), MUL(ARG(1, j), ARG(2, 0))))
#undef QUAT_BINARY

/* The product of Hamilton (product in body_rotation.h); it does not commute. */
static arith_status FN(quat_mul)(const arith_op *op, void *const *operands)
{
    NUM a[4], b[4], r[4];
    ARGS(0, a, 4);
    ARGS(1, b, 4);
    FN(product)(a, b, r);
    GIVES(0, r, 4);
    return ARITH_OK;
}

/* The sum of products of all four elements. */
static arith_status FN(quat_dot)(const arith_op *op, void *const *operands)
{
    NUM a[4], b[4];
    ARGS(0, a, 4);
    ARGS(1, b, 4);
    GIVE(0, 0, FN(dot4)(a, b));
    return ARITH_OK;
}

/* dot(q, q) */
static arith_status FN(quat_length_sq)(const arith_op *op, void *const *operands)
{
    NUM q[4];
    ARGS(0, q, 4);
    GIVE(0, 0, FN(dot4)(q, q));
    return ARITH_OK;
}

/* The root of dot(q, q). At zero there is no derivative, and sqrt's would be infinite. */
static arith_status FN(quat_length)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    NUM q[4];
    ARGS(0, q, 4);
    const NUM square = FN(dot4)(q, q);
    for (int j = 0; j < 4; j++)
        KINK_IF(EQUAL(square, NUMBER(0)) && MOVES(q[j]));
    GIVE(0, 0, EQUAL(square, NUMBER(0)) ? NUMBER(0) : SQRT(square));
    return status;
}

/* r = q / length(q). The zero quaternion becomes the identity, where there is no derivative. */
static inline arith_status FN(normalized)(const NUM *q, NUM *r)
{
    arith_status status = ARITH_OK;
    const NUM square = FN(dot4)(q, q);
    const NUM l = EQUAL(square, NUMBER(0)) ? NUMBER(0) : SQRT(square);
    const bool positive = LESS(NUMBER(0), l);
    const NUM inverse = positive ? DIV(NUMBER(1), l) : NUMBER(0);
    for (int j = 0; j < 4; j++) {
        KINK_IF(!positive && MOVES(q[j]));
        r[j] = positive ? MUL(q[j], inverse) : NUMBER(j == 3);
    }
    return status;
}

/* The zero quaternion becomes the identity, as in Warp. */
static arith_status FN(quat_normalize)(const arith_op *op, void *const *operands)
{
    NUM q[4], r[4];
    ARGS(0, q, 4);
    const arith_status status = FN(normalized)(q, r);
    GIVES(0, r, 4);
    return status;
}

/* x rotated by q. */
static arith_status FN(quat_rotate)(const arith_op *op, void *const *operands)
{
    NUM q[4], x[3], r[3];
    ARGS(0, q, 4);
    ARGS(1, x, 3);
    FN(rotated)(q, x, false, r);
    GIVES(0, r, 3);
    return ARITH_OK;
}

/* x rotated back: by the conjugate of q. */
static arith_status FN(quat_rotate_inv)(const arith_op *op, void *const *operands)
{
    NUM q[4], x[3], r[3];
    ARGS(0, q, 4);
    ARGS(1, x, 3);
    FN(rotated)(q, x, true, r);
    GIVES(0, r, 3);
    return ARITH_OK;
}

/* Warp builds the matrix from three rotated axes, so the last bits may differ from those of the
 * usual formula by products of components. */
static arith_status FN(quat_to_matrix)(const arith_op *op, void *const *operands)
{
    NUM q[4], column[3];
    ARGS(0, q, 4);
    for (int j = 0; j < 3; j++) {
        const NUM axis[3] = {NUMBER(j == 0), NUMBER(j == 1), NUMBER(j == 2)};
        FN(rotated)(q, axis, false, column);
        for (int i = 0; i < 3; i++)
            GIVE(0, 3 * i + j, column[i]);
    }
    return ARITH_OK;
}

#if !TANGENT

/* adj_a += d, adj_b += d */
static arith_status FN(adj_quat_add)(const arith_op *op, void *const *operands)
{
    NUM r[4];
    ADJ_RESULTS(0, r, 4);
    ADJ_ADDS(0, r, 4);
    ADJ_ADDS(1, r, 4);
    return ARITH_OK;
}

/* adj_a += d, adj_b -= d */
static arith_status FN(adj_quat_sub)(const arith_op *op, void *const *operands)
{
    NUM r[4];
    ADJ_RESULTS(0, r, 4);
    ADJ_ADDS(0, r, 4);
    for (int j = 0; j < 4; j++)
        ADJ_ADD(1, j, NEG(r[j]));
    return ARITH_OK;
}

/* adj_q += d */
static arith_status FN(adj_quat_pos)(const arith_op *op, void *const *operands)
{
    for (int j = 0; j < 4; j++)
        ADJ_ADD(0, j, ADJ_RESULT(0, j));
    return ARITH_OK;
}

/* adj_q -= d */
static arith_status FN(adj_quat_neg)(const arith_op *op, void *const *operands)
{
    for (int j = 0; j < 4; j++)
        ADJ_ADD(0, j, NEG(ADJ_RESULT(0, j)));
    return ARITH_OK;
}

/* The conjugate of d: the first three elements change their sign, as those of q do. */
static arith_status FN(adj_quat_inverse)(const arith_op *op, void *const *operands)
{
    for (int j = 0; j < 4; j++)
        ADJ_ADD(0, j, j < 3 ? NEG(ADJ_RESULT(0, j)) : ADJ_RESULT(0, j));
    return ARITH_OK;
}

/* r = a (1 - t) + b t: adj_a += d (1 - t), adj_b += d t, adj_t += dot(b, d) - dot(a, d). */
static arith_status FN(adj_quat_lerp)(const arith_op *op, void *const *operands)
{
    NUM a[4], b[4], r[4];
    const NUM t = ARG(2, 0), rest = SUB(NUMBER(1), t);
    ARGS(0, a, 4);
    ARGS(1, b, 4);
    ADJ_RESULTS(0, r, 4);
    for (int j = 0; j < 4; j++)
        ADJ_ADD(0, j, MUL(r[j], rest));
    for (int j = 0; j < 4; j++)
        ADJ_ADD(1, j, MUL(r[j], t));
    ADJ_ADD(2, 0, SUB(FN(dot4)(b, r), FN(dot4)(a, r)));
    return ARITH_OK;
}

/* adj_a += d * conjugate(b), adj_b += conjugate(a) * d (adj_product). */
static arith_status FN(adj_quat_mul)(const arith_op *op, void *const *operands)
{
    NUM a[4], b[4], r[4], da[4], db[4];
    ARGS(0, a, 4);
    ARGS(1, b, 4);
    ADJ_RESULTS(0, r, 4);
    FN(adj_product)(a, b, r, da, db);
    ADJ_ADDS(0, da, 4);
    ADJ_ADDS(1, db, 4);
    return ARITH_OK;
}

/* r = q s, or s q: adj_q += s d, adj_s += dot(q, d); the quaternion is argument `at`. */
static inline arith_status FN(adj_scaled)(const arith_op *op, void *const *operands, uint32_t at)
{
    WEFT_ASSERT(at < 2);
    NUM q[4], r[4];
    ARGS(at, q, 4);
    ADJ_RESULTS(0, r, 4);
    const NUM s = ARG(1 - at, 0);
    for (int j = 0; j < 4; j++)
        ADJ_ADD(at, j, MUL(r[j], s));
    ADJ_ADD(1 - at, 0, FN(dot4)(q, r));
    return ARITH_OK;
}

/* q * s */
static arith_status FN(adj_quat_scale)(const arith_op *op, void *const *operands)
{
    return FN(adj_scaled)(op, operands, 0);
}

/* s * q */
static arith_status FN(adj_quat_scale_left)(const arith_op *op, void *const *operands)
{
    return FN(adj_scaled)(op, operands, 1);
}

/* r = q / s: adj_s -= dot(q, d) / s^2, adj_q += d / s */
static arith_status FN(adj_quat_div)(const arith_op *op, void *const *operands)
{
    NUM q[4], r[4];
    ARGS(0, q, 4);
    ADJ_RESULTS(0, r, 4);
    const NUM s = ARG(1, 0);
    ADJ_ADD(1, 0, NEG(DIV(FN(dot4)(q, r), MUL(s, s))));
    for (int j = 0; j < 4; j++)
        ADJ_ADD(0, j, DIV(r[j], s));
    return ARITH_OK;
}

/* r = s / q, element by element: adj_q -= s d / q^2, adj_s += d / q */
static arith_status FN(adj_quat_div_left)(const arith_op *op, void *const *operands)
{
    const NUM s = ARG(0, 0);
    for (int j = 0; j < 4; j++) {
        const NUM inverse = DIV(NUMBER(1), ARG(1, j)), r = ADJ_RESULT(0, j);
        ADJ_ADD(1, j, NEG(MUL(MUL(MUL(s, r), inverse), inverse)));
        ADJ_ADD(0, 0, MUL(r, inverse));
    }
    return ARITH_OK;
}

/* adj_a += b d, adj_b += a d */
static arith_status FN(adj_quat_dot)(const arith_op *op, void *const *operands)
{
    const NUM r = ADJ_RESULT(0, 0);
    for (uint32_t i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            ADJ_ADD(i, j, MUL(ARG(1 - i, j), r));
    return ARITH_OK;
}

/* adj_q += 2 q d */
static arith_status FN(adj_quat_length_sq)(const arith_op *op, void *const *operands)
{
    for (int j = 0; j < 4; j++)
        ADJ_ADD(0, j, MUL(MUL(ARG(0, j), NUMBER(2)), ADJ_RESULT(0, 0)));
    return ARITH_OK;
}

/* adj_q += q / l d with l = length(q); nothing at zero. Without the result (HAS_RESULT) it is
 * computed again. */
static arith_status FN(adj_quat_length)(const arith_op *op, void *const *operands)
{
    NUM q[4];
    ARGS(0, q, 4);
    const NUM l = HAS_RESULT(0) ? RESULT(0, 0) : SQRT(FN(dot4)(q, q));
    if (!LESS(NUMBER(0), l))
        return ARITH_OK;
    const NUM inverse = DIV(NUMBER(1), l);
    for (int j = 0; j < 4; j++)
        ADJ_ADD(0, j, MUL(MUL(q[j], inverse), ADJ_RESULT(0, 0)));
    return ARITH_OK;
}

/* What adj_normalize adds to dq, all at once: d / l - q dot(q, d) / l^3, here with r for d; zero
 * for the zero quaternion. Warp 1.19 native/quat.h adj_normalize */
static inline void FN(adj_normalized)(const NUM *q, const NUM *r, NUM *dq)
{
    const NUM l = SQRT(FN(dot4)(q, q));
    const bool positive = LESS(NUMBER(0), l);
    const NUM inverse = DIV(NUMBER(1), l);
    const NUM along = MUL(MUL(MUL(inverse, inverse), inverse), FN(dot4)(q, r));
    for (int j = 0; j < 4; j++)
        dq[j] = positive ? SUB(MUL(r[j], inverse), MUL(q[j], along)) : NUMBER(0);
}

/* The formula of adj_normalized. */
static arith_status FN(adj_quat_normalize)(const arith_op *op, void *const *operands)
{
    NUM q[4], r[4], dq[4];
    ARGS(0, q, 4);
    ADJ_RESULTS(0, r, 4);
    FN(adj_normalized)(q, r, dq);
    ADJ_ADDS(0, dq, 4);
    return ARITH_OK;
}

/* Both parts are formed before either is added. */
static arith_status FN(adj_quat_rotate)(const arith_op *op, void *const *operands)
{
    NUM q[4], p[3], r[3], dq[4], dp[3];
    ARGS(0, q, 4);
    ARGS(1, p, 3);
    ADJ_RESULTS(0, r, 3);
    FN(adj_rotated_q)(q, p, r, dq);
    FN(adj_rotated_p)(q, r, dp);
    ADJ_ADDS(0, dq, 4);
    ADJ_ADDS(1, dp, 3);
    return ARITH_OK;
}

/* The same for the rotation back. */
static arith_status FN(adj_quat_rotate_inv)(const arith_op *op, void *const *operands)
{
    NUM q[4], p[3], r[3], dq[4], dp[3];
    ARGS(0, q, 4);
    ARGS(1, p, 3);
    ADJ_RESULTS(0, r, 3);
    FN(adj_rotated_back_q)(q, p, r, dq);
    FN(adj_rotated_back_p)(q, r, dp);
    ADJ_ADDS(0, dq, 4);
    ADJ_ADDS(1, dp, 3);
    return ARITH_OK;
}

/* The sum over the columns of what the rotation of an axis adds to q. */
static arith_status FN(adj_quat_to_matrix)(const arith_op *op, void *const *operands)
{
    NUM q[4], column[3], dq[4];
    ARGS(0, q, 4);
    for (int j = 0; j < 3; j++) {
        const NUM axis[3] = {NUMBER(j == 0), NUMBER(j == 1), NUMBER(j == 2)};
        for (int i = 0; i < 3; i++)
            column[i] = ADJ_RESULT(0, 3 * i + j);
        FN(adj_rotated_q)(q, axis, column, dq);
        ADJ_ADDS(0, dq, 4);
    }
    return ARITH_OK;
}

#endif
