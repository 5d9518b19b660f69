/* SPDX-License-Identifier: Apache-2.0 */
/* Transformations: a translation p (3 numbers), then a rotation q (4), after warp/native spatial.h
 * of Warp 1.19. Elements 0 to 2 are p, 3 to 6 are q as (x, y, z, w). A transformation maps a point
 * x to rotate(q, x) + p, and a vector x to rotate(q, x).
 *
 * With z90 the quarter turn about z, (0, 0, 0.7071, 0.7071):
 *
 *     transform_point(((1, 0, 0), z90), (1, 0, 0))        = (1, 1, 0)
 *     transform_vector(((1, 0, 0), z90), (1, 0, 0))       = (0, 1, 0)
 *     ((1, 0, 0), z90) * ((1, 0, 0), identity)            = ((1, 1, 0), z90)
 *     transform_inverse((1, 0, 0), z90)                   = ((0, 1, 0), conjugate(z90))
 *
 * Sums, differences and scaling treat a transformation as seven numbers; no function normalizes q.
 * Adjoints use the helpers of body_rotation.h, so that the order of additions is Warp's.
 * No guard: see arith_template.h. */

/* Operations of seven numbers: `combined` is number j of the result. */
#define TRANSFORM_EACH(name, combined)                                                             \
    static arith_status FN(name)(const arith_op *op, void *const *operands)                        \
    {                                                                                              \
        for (int j = 0; j < 7; j++)                                                                \
            GIVE(0, j, combined);                                                                  \
        return ARITH_OK;                                                                           \
    }

TRANSFORM_EACH(transform_add, ADD(ARG(0, j), ARG(1, j)))
TRANSFORM_EACH(transform_sub, SUB(ARG(0, j), ARG(1, j)))
TRANSFORM_EACH(transform_scale, MUL(ARG(0, j), ARG(1, 0)))
TRANSFORM_EACH(transform_scale_left, MUL(ARG(1, j), ARG(0, 0)))
TRANSFORM_EACH(transform_pos, ARG(0, j))
TRANSFORM_EACH(transform_neg, NEG(ARG(0, j)))
TRANSFORM_EACH(transform_lerp,
               ADD(MUL(ARG(0, j), SUB(NUMBER(1), ARG(2, 0))), MUL(ARG(1, j), ARG(2, 0))))
TRANSFORM_EACH(transform_with_translation, j < 3 ? ARG(1, j) : ARG(0, j))
TRANSFORM_EACH(transform_with_rotation, j < 3 ? ARG(0, j) : ARG(1, j - 3))
#undef TRANSFORM_EACH

/* Operations on one part: the 3 numbers of the translation or the 4 of the rotation. Warp's names
 * are transform_get_* for the first two and transform_set_* for put_; the sums in place change the
 * translation only. */
#define TRANSFORM_PART(name, count, action)                                                        \
    static arith_status FN(name)(const arith_op *op, void *const *operands)                        \
    {                                                                                              \
        for (int j = 0; j < (count); j++)                                                          \
            action;                                                                                \
        return ARITH_OK;                                                                           \
    }

TRANSFORM_PART(transform_translation, 3, GIVE(0, j, ARG(0, j)))
TRANSFORM_PART(transform_rotation, 4, GIVE(0, j, ARG(0, j + 3)))
TRANSFORM_PART(transform_put_translation, 3, PUT(0, j, ARG(1, j)))
TRANSFORM_PART(transform_put_rotation, 4, PUT(0, j + 3, ARG(1, j)))
TRANSFORM_PART(transform_add_inplace, 3, PUT(0, j, ADD(ARG(0, j), ARG(1, j))))
TRANSFORM_PART(transform_sub_inplace, 3, PUT(0, j, SUB(ARG(0, j), ARG(1, j))))

/* a * b, which applies b first: p = rotate(qa, pb) + pa, q = qa * qb. */
static arith_status FN(transform_multiply)(const arith_op *op, void *const *operands)
{
    NUM a[7], b[7], p[3], q[4];
    ARGS(0, a, 7);
    ARGS(1, b, 7);
    FN(rotated)(a + 3, b, false, p);
    FN(product)(a + 3, b + 3, q);
    for (int j = 0; j < 7; j++)
        GIVE(0, j, j < 3 ? ADD(p[j], a[j]) : q[j - 3]);
    return ARITH_OK;
}

/* x -> rotate(conj(q), x) - rotate(conj(q), p). This is the inverse for unit quaternions only; like
 * Warp, the function does not divide by the length of q. */
static arith_status FN(transform_inverse)(const arith_op *op, void *const *operands)
{
    NUM t[7], back[4], p[3];
    ARGS(0, t, 7);
    FN(conjugate)(t + 3, back);
    FN(rotated)(back, t, false, p);
    for (int j = 0; j < 7; j++)
        GIVE(0, j, j < 3 ? NEG(p[j]) : back[j - 3]);
    return ARITH_OK;
}

/* rotate(q, x) + p */
static arith_status FN(transform_point)(const arith_op *op, void *const *operands)
{
    NUM t[7], x[3], r[3];
    ARGS(0, t, 7);
    ARGS(1, x, 3);
    FN(rotated)(t + 3, x, false, r);
    for (int j = 0; j < 3; j++)
        GIVE(0, j, ADD(t[j], r[j]));
    return ARITH_OK;
}

/* rotate(q, x): a direction is not moved. */
static arith_status FN(transform_vector)(const arith_op *op, void *const *operands)
{
    NUM t[7], x[3], r[3];
    ARGS(0, t, 7);
    ARGS(1, x, 3);
    FN(rotated)(t + 3, x, false, r);
    GIVES(0, r, 3);
    return ARITH_OK;
}

#if !TANGENT

/* adj_a += d, adj_b += d */
static arith_status FN(adj_transform_add)(const arith_op *op, void *const *operands)
{
    NUM r[7];
    ADJ_RESULTS(0, r, 7);
    ADJ_ADDS(0, r, 7);
    ADJ_ADDS(1, r, 7);
    return ARITH_OK;
}

/* adj_a += d, adj_b -= d */
static arith_status FN(adj_transform_sub)(const arith_op *op, void *const *operands)
{
    NUM r[7];
    ADJ_RESULTS(0, r, 7);
    ADJ_ADDS(0, r, 7);
    for (int j = 0; j < 7; j++)
        ADJ_ADD(1, j, NEG(r[j]));
    return ARITH_OK;
}

TRANSFORM_PART(adj_transform_pos, 7, ADJ_ADD(0, j, ADJ_RESULT(0, j)))
TRANSFORM_PART(adj_transform_neg, 7, ADJ_ADD(0, j, NEG(ADJ_RESULT(0, j))))
TRANSFORM_PART(adj_transform_translation, 3, ADJ_ADD(0, j, ADJ_RESULT(0, j)))
TRANSFORM_PART(adj_transform_rotation, 4, ADJ_ADD(0, j + 3, ADJ_RESULT(0, j)))
TRANSFORM_PART(adj_transform_with_translation, 7, ADJ_ADD(j < 3 ? 1 : 0, j, ADJ_RESULT(0, j)))
TRANSFORM_PART(adj_transform_with_rotation, 7,
               ADJ_ADD(j < 3 ? 0 : 1, j < 3 ? j : j - 3, ADJ_RESULT(0, j)))
/* Operations in place have no result: the adjoint of the changed transformation serves as the
 * adjoint of the result. It is read and kept. For sums this is right; for the put_ functions the
 * replaced part keeps an adjoint that belongs to the new value, hence DIFFERS in
 * arith_rotation.def. */
#define ADJ_OF_CHANGED(j) FN(load)(operands[op->n], j)
TRANSFORM_PART(adj_transform_put_translation, 3, ADJ_ADD(1, j, ADJ_OF_CHANGED(j)))
TRANSFORM_PART(adj_transform_put_rotation, 4, ADJ_ADD(1, j, ADJ_OF_CHANGED(j + 3)))
TRANSFORM_PART(adj_transform_add_inplace, 3, ADJ_ADD(1, j, ADJ_OF_CHANGED(j)))
TRANSFORM_PART(adj_transform_sub_inplace, 3, ADJ_ADD(1, j, NEG(ADJ_OF_CHANGED(j))))
#undef ADJ_OF_CHANGED

/* transformation * scalar; the transformation is argument `at`. */
static inline arith_status FN(adj_transform_scaled)(const arith_op *op, void *const *operands,
                                                    uint32_t at)
{
    WEFT_ASSERT(at < 2);
    NUM t[7], r[7];
    ARGS(at, t, 7);
    ADJ_RESULTS(0, r, 7);
    const NUM s = ARG(1 - at, 0);
    for (int j = 0; j < 7; j++)
        ADJ_ADD(at, j, MUL(r[j], s));
    ADJ_ADD(1 - at, 0, FN(dot3)(t, r));
    ADJ_ADD(1 - at, 0, FN(dot4)(t + 3, r + 3));
    return ARITH_OK;
}

/* t * s */
static arith_status FN(adj_transform_scale)(const arith_op *op, void *const *operands)
{
    return FN(adj_transform_scaled)(op, operands, 0);
}

/* s * t */
static arith_status FN(adj_transform_scale_left)(const arith_op *op, void *const *operands)
{
    return FN(adj_transform_scaled)(op, operands, 1);
}

/* r = a (1 - t) + b t: adj_t is the sum of (b - a) d over the seven numbers, added by parts. */
static arith_status FN(adj_transform_lerp)(const arith_op *op, void *const *operands)
{
    NUM a[7], b[7], r[7];
    const NUM t = ARG(2, 0), rest = SUB(NUMBER(1), t);
    ARGS(0, a, 7);
    ARGS(1, b, 7);
    ADJ_RESULTS(0, r, 7);
    for (int j = 0; j < 7; j++)
        ADJ_ADD(0, j, MUL(r[j], rest));
    for (int j = 0; j < 7; j++)
        ADJ_ADD(1, j, MUL(r[j], t));
    ADJ_ADD(2, 0,
            SUB(ADD(FN(dot3)(b, r), FN(dot4)(b + 3, r + 3)),
                ADD(FN(dot3)(a, r), FN(dot4)(a + 3, r + 3))));
    return ARITH_OK;
}

/* The derivative of p = rotate(qa, pb) + pa goes to qa, pb and pa, that of q = qa * qb to both
 * rotations. qa is added to twice, in Warp's order. */
static arith_status FN(adj_transform_multiply)(const arith_op *op, void *const *operands)
{
    NUM a[7], b[7], r[7], dq[4], dp[3], da[4], db[4];
    ARGS(0, a, 7);
    ARGS(1, b, 7);
    ADJ_RESULTS(0, r, 7);
    FN(adj_rotated_q)(a + 3, b, r, dq);
    FN(adj_rotated_p)(a + 3, r, dp);
    FN(adj_product)(a + 3, b + 3, r + 3, da, db);
    ADJ_ADDS_AT(0, 3, dq, 4);
    ADJ_ADDS_AT(1, 0, dp, 3);
    ADJ_ADDS_AT(0, 0, r, 3);
    ADJ_ADDS_AT(0, 3, da, 4);
    ADJ_ADDS_AT(1, 3, db, 4);
    return ARITH_OK;
}

/* The conjugate is an intermediate variable: its adjoint is that of the result's rotation plus what
 * the rotation of -p adds; the sign of its first three components then turns back. */
static arith_status FN(adj_transform_inverse)(const arith_op *op, void *const *operands)
{
    NUM t[7], r[7], back[4], adj_p[3], dq[4], dp[3];
    ARGS(0, t, 7);
    ADJ_RESULTS(0, r, 7);
    FN(conjugate)(t + 3, back);
    for (int j = 0; j < 3; j++)
        adj_p[j] = NEG(r[j]);
    FN(adj_rotated_q)(back, t, adj_p, dq);
    FN(adj_rotated_p)(back, adj_p, dp);
    ADJ_ADDS_AT(0, 0, dp, 3);
    for (int j = 0; j < 4; j++) {
        const NUM adj_back = ADD(r[3 + j], dq[j]);
        ADJ_ADD(0, 3 + j, j < 3 ? NEG(adj_back) : adj_back);
    }
    return ARITH_OK;
}

/* transform_point and transform_vector differ in one term: the translation gets the result's
 * adjoint from a point only. */
static inline arith_status FN(adj_transformed)(const arith_op *op, void *const *operands,
                                               bool point)
{
    NUM t[7], x[3], r[3], dq[4], dp[3];
    ARGS(0, t, 7);
    ARGS(1, x, 3);
    ADJ_RESULTS(0, r, 3);
    FN(adj_rotated_q)(t + 3, x, r, dq);
    FN(adj_rotated_p)(t + 3, r, dp);
    ADJ_ADDS_AT(0, 3, dq, 4);
    ADJ_ADDS(1, dp, 3);
    if (point)
        ADJ_ADDS(0, r, 3);
    return ARITH_OK;
}

static arith_status FN(adj_transform_point)(const arith_op *op, void *const *operands)
{
    return FN(adj_transformed)(op, operands, true);
}

static arith_status FN(adj_transform_vector)(const arith_op *op, void *const *operands)
{
    return FN(adj_transformed)(op, operands, false);
}

#endif
#undef TRANSFORM_PART
