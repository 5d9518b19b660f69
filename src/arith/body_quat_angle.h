/* SPDX-License-Identifier: Apache-2.0 */
/* Quaternions made of angles and axes and taken apart again, after warp/native quat.h of
 * Warp 1.19. Angles are in radians; quaternions are (x, y, z, w).
 *
 *     quat_from_axis_angle((0, 0, 1), pi / 2)  = (0, 0, 0.7071, 0.7071)
 *     quat_to_axis_angle(0, 0, 0.7071, 0.7071) = (0, 0, 1), pi / 2
 *     quat_rpy(pi, 0, 0)                       = (1, 0, 0, 0)
 *     quat_slerp(a, b, t)                      = a * (conjugate(a) * b)^t
 *
 * No guard: see arith_template.h. */

/* (axis sin(angle / 2), cos(angle / 2)). The axis is used as it is, whatever its length. */
static inline void FN(from_axis_angle)(const NUM *axis, NUM angle, NUM *r)
{
    const NUM half = MUL(angle, NUMBER(0.5)), s = SIN(half);
    for (int i = 0; i < 3; i++)
        r[i] = MUL(axis[i], s);
    r[3] = COS(half);
}

/* (axis, angle) -> q */
static arith_status FN(quat_from_axis_angle)(const arith_op *op, void *const *operands)
{
    NUM axis[3], r[4];
    ARGS(0, axis, 3);
    FN(from_axis_angle)(axis, ARG(1, 0), r);
    GIVES(0, r, 4);
    return ARITH_OK;
}

/* The inverse of from_axis_angle for unit quaternions. With u = (x, y, z) and l = length(u):
 *
 *     axis = sign(w) u / l        angle = 2 atan2(l, |w|), between 0 and pi
 *
 * so that q and -q, which are the same rotation, give the same answer. At w = 0 the axis changes
 * its sign, and at u = 0 it is zero: there is no derivative at either place. */
static inline arith_status FN(axis_angle)(const NUM *q, NUM *axis, NUM *angle)
{
    arith_status status = ARITH_OK;
    const NUM square = FN(dot3)(q, q);
    const NUM l = EQUAL(square, NUMBER(0)) ? NUMBER(0) : SQRT(square);
    const bool positive = LESS(NUMBER(0), l);
    KINK_IF(EQUAL(q[3], NUMBER(0)) && MOVES(q[3]));
    for (int i = 0; i < 3; i++) {
        KINK_IF(!positive && MOVES(q[i]));
        axis[i] = positive ? DIV(q[i], l) : NUMBER(0);
        axis[i] = LESS(q[3], NUMBER(0)) ? NEG(axis[i]) : axis[i];
    }
    *angle = TANGENT && !positive ? NUMBER(0) : MUL(NUMBER(2), ATAN2(l, ABS(q[3])));
    return status;
}

/* Warp has two forms: with two results, and with axis and angle as arguments that are written to.
 * The operands are the same three in both, so PUT serves both. */
static arith_status FN(quat_to_axis_angle)(const arith_op *op, void *const *operands)
{
    NUM q[4], axis[3], angle;
    ARGS(0, q, 4);
    const arith_status status = FN(axis_angle)(q, axis, &angle);
    for (int i = 0; i < 3; i++)
        PUT(1, i, axis[i]);
    PUT(2, 0, angle);
    return status;
}

/* Cosines c and sines s of half of each of the three angles. */
static inline void FN(sines)(const arith_op *op, void *const *operands, NUM *c, NUM *s)
{
    for (uint32_t i = 0; i < 3; i++) {
        const NUM half = MUL(ARG(i, 0), NUMBER(0.5));
        c[i] = COS(half);
        s[i] = SIN(half);
    }
}

/* The quaternion of roll, pitch and yaw (0, 1, 2), given cosines and sines of half of each. */
static inline void FN(of_angles)(const NUM *c, const NUM *s, NUM *q)
{
    q[0] = SUB(MUL(MUL(c[2], s[0]), c[1]), MUL(MUL(s[2], c[0]), s[1]));
    q[1] = ADD(MUL(MUL(c[2], c[0]), s[1]), MUL(MUL(s[2], s[0]), c[1]));
    q[2] = SUB(MUL(MUL(s[2], c[0]), c[1]), MUL(MUL(c[2], s[0]), s[1]));
    q[3] = ADD(MUL(MUL(c[2], c[0]), c[1]), MUL(MUL(s[2], s[0]), s[1]));
}

/* The rotation by roll about x, then pitch about y, then yaw about z. */
static arith_status FN(quat_rpy)(const arith_op *op, void *const *operands)
{
    NUM c[3], s[3], q[4];
    FN(sines)(op, operands, c, s);
    FN(of_angles)(c, s, q);
    GIVES(0, q, 4);
    return ARITH_OK;
}

/* The rotation from a to b is `step`; the result is a, then the part t of that rotation. For a step
 * beyond a half turn axis_angle takes the shorter way. */
static arith_status FN(quat_slerp)(const arith_op *op, void *const *operands)
{
    NUM a[4], b[4], back[4], step[4], axis[3], angle, part[4], r[4];
    ARGS(0, a, 4);
    ARGS(1, b, 4);
    FN(conjugate)(a, back);
    FN(product)(back, b, step);
    const arith_status status = FN(axis_angle)(step, axis, &angle);
    FN(from_axis_angle)(axis, MUL(ARG(2, 0), angle), part);
    FN(product)(a, part, r);
    GIVES(0, r, 4);
    return status;
}

#if !TANGENT

/* adj_axis += sin(angle / 2) d; adj_angle is the sum of d by (axis cos(angle / 2) / 2, -sin(angle
 * / 2) / 2). */
static arith_status FN(adj_quat_from_axis_angle)(const arith_op *op, void *const *operands)
{
    NUM r[4], by_angle[4];
    const NUM half = MUL(ARG(1, 0), NUMBER(0.5)), s = SIN(half), c = COS(half);
    ADJ_RESULTS(0, r, 4);
    for (int i = 0; i < 3; i++) {
        by_angle[i] = MUL(MUL(ARG(0, i), c), NUMBER(0.5));
        ADJ_ADD(0, i, MUL(r[i], s));
    }
    by_angle[3] = MUL(NEG(s), NUMBER(0.5));
    ADJ_ADD(1, 0, FN(dot4)(by_angle, r));
    return ARITH_OK;
}

/* What adj_quat_to_axis_angle adds for the adjoints of axis and angle, with u, l as in axis_angle:
 *
 *     by[i][m]    = d axis[i] / d q[m]  = sign(w) (l^2 [i == m] - q[i] q[m]) / l^3
 *     angle_by[m] = d angle / d q[m]    = 2 |w| / (l^2 + w^2) q[m] / l
 *     angle_by[3] = d angle / d w       = -2 sign(w) l / (l^2 + w^2)
 *
 * All of them are zero for u = 0. `across` is l^2 - q[i]^2 without the subtraction. */
static inline void FN(adj_axis_angle)(const NUM *q, const NUM *adj_axis, NUM adj_angle, NUM *dq)
{
    NUM by[3][3], angle_by[4];
    const NUM l = SQRT(FN(dot3)(q, q)), flip = NUMBER(LESS(q[3], NUMBER(0)) ? -1 : 1);
    const bool positive = LESS(NUMBER(0), l);
    const NUM inverse = DIV(NUMBER(1), l), cube = MUL(MUL(inverse, inverse), inverse);
    const NUM c = MUL(flip, cube);
    const NUM d = DIV(MUL(NUMBER(2), flip), ADD(MUL(l, l), MUL(q[3], q[3])));
    for (int i = 0; i < 3; i++) {
        const int j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
        const NUM across = ADD(MUL(q[j], q[j]), MUL(q[k], q[k]));
        for (int m = 0; m < 3; m++)
            by[i][m] = !positive ? NUMBER(0)
                       : i == m  ? MUL(c, across)
                                 : MUL(MUL(NEG(c), q[i]), q[m]);
        angle_by[i] = positive ? MUL(MUL(MUL(d, inverse), q[i]), q[3]) : NUMBER(0);
    }
    angle_by[3] = positive ? MUL(NEG(d), l) : NUMBER(0);
    for (int m = 0; m < 3; m++)
        dq[m] = SUM4(MUL(by[0][m], adj_axis[0]), MUL(by[1][m], adj_axis[1]),
                     MUL(by[2][m], adj_axis[2]), MUL(angle_by[m], adj_angle));
    dq[3] = MUL(angle_by[3], adj_angle);
}

/* In both forms the adjoints of the quaternion, the axis and the angle follow each other: that of
 * the quaternion is at n + nresults. */
static arith_status FN(adj_quat_to_axis_angle)(const arith_op *op, void *const *operands)
{
    NUM q[4], adj_axis[3], dq[4];
    void *const *adjoints = operands + op->n + op->nresults;
    ARGS(0, q, 4);
    for (int i = 0; i < 3; i++)
        adj_axis[i] = FN(load)(adjoints[1], i);
    FN(adj_axis_angle)(q, adj_axis, FN(load)(adjoints[2], 0), dq);
    ADJ_ADDS(0, dq, 4);
    return ARITH_OK;
}

/* x * y * z * 0.5 */
#define HALVED(x, y, z) MUL(MUL(MUL(NUMBER(0.5), x), y), z)

/* A derivative by roll or yaw is half of the quaternion with its components exchanged; by pitch it
 * is written out. */
static arith_status FN(adj_quat_rpy)(const arith_op *op, void *const *operands)
{
    NUM c[3], s[3], q[4], r[4];
    FN(sines)(op, operands, c, s);
    FN(of_angles)(c, s, q);
    ADJ_RESULTS(0, r, 4);
    const NUM half = NUMBER(0.5), less_half = NUMBER(-0.5);
    const NUM by_roll[4] = {MUL(half, q[3]), MUL(half, q[2]), MUL(less_half, q[1]),
                            MUL(less_half, q[0])};
    const NUM by_pitch[4] = {
        SUB(NEG(HALVED(c[2], s[0], s[1])), HALVED(s[2], c[0], c[1])),
        SUB(HALVED(c[2], c[0], c[1]), HALVED(s[2], s[0], s[1])),
        SUB(NEG(HALVED(s[2], c[0], s[1])), HALVED(c[2], s[0], c[1])),
        ADD(NEG(HALVED(c[2], c[0], s[1])), HALVED(s[2], s[0], c[1])),
    };
    const NUM by_yaw[4] = {MUL(less_half, q[1]), MUL(half, q[0]), MUL(half, q[3]),
                           MUL(less_half, q[2])};
    ADJ_ADD(0, 0, FN(dot4)(by_roll, r));
    ADJ_ADD(1, 0, FN(dot4)(by_pitch, r));
    ADJ_ADD(2, 0, FN(dot4)(by_yaw, r));
    return ARITH_OK;
}
#undef HALVED

/* The values that the adjoint of quat_slerp(a, b, t) needs again and again. With step =
 * conjugate(a) * b, the rotation from a to b, the result is a * part(axis, t * angle). */
typedef struct FN(slerp) {
    /* r: the result's adjoint; cosine, sine: of t * angle / 2; part: (axis sine, cosine) */
    NUM a[4], r[4], t, axis[3], cosine, sine, part[4];
    NUM axis_by[3][4], angle_by[4]; /* axis[k] and angle by the four components of step */
} FN(slerp);

/* Fills axis_by and angle_by: an adjoint of 1 for one of the four results at a time gives one row
 * of the derivative. */

static void FN(slerp_step)(FN(slerp) * s, const NUM *step)
{
    const NUM zero = NUMBER(0), none[3] = {zero, zero, zero};
    for (int k = 0; k < 3; k++) {
        const NUM along[3] = {NUMBER(k == 0), NUMBER(k == 1), NUMBER(k == 2)};
        FN(adj_axis_angle)(step, along, zero, s->axis_by[k]);
    }
    FN(adj_axis_angle)(step, none, NUMBER(1), s->angle_by);
}

/* The adjoint of component c of one end. step_by is the derivative of the step by that component;
 * `moved` becomes the derivative of the part, a * moved that of the result. `moves`: the end is a,
 * which is also the left factor of the result, so that unit * part is added. The terms with t / 2
 * are rounded as Warp does: slerp_axis and slerp_real in arith_rotation.c. */
static NUM FN(slerp_component)(const FN(slerp) * s, const NUM *step_by, int c, bool moves)
{
    WEFT_ASSERT(c >= 0 && c < 4);
    NUM moved[4], r[4], whole[4];
    const NUM angle_by = FN(dot4)(s->angle_by, step_by);
    for (int k = 0; k < 3; k++)
        moved[k] = ARITH_DO(slerp_axis)(s->t, s->axis[k], angle_by, s->cosine,
                                        MUL(FN(dot4)(s->axis_by[k], step_by), s->sine));
    moved[3] = ARITH_DO(slerp_real)(s->t, angle_by, s->sine);
    FN(product)(s->a, moved, r);
    if (moves) {
        const NUM unit[4] = {NUMBER(c == 0), NUMBER(c == 1), NUMBER(c == 2), NUMBER(c == 3)};
        FN(product)(unit, s->part, whole);
        for (int k = 0; k < 4; k++)
            r[k] = ADD(whole[k], r[k]);
    }
    return FN(dot4)(r, s->r);
}

/* Warp 1.19 native/quat.h adj_quat_slerp.
 *
 *     d result / d t = result * (axis angle / 2, 0)
 *
 * by[0] and by[1] hold d step[i] / d a[c] and d step[i] / d b[c], found by adj_product for the i-th
 * unit adjoint; the sign for a comes from the conjugate. Without the result (HAS_RESULT) it is
 * computed again. */
static arith_status FN(adj_quat_slerp)(const arith_op *op, void *const *operands)
{
    FN(slerp) s;
    NUM b[4], back[4], step[4], angle, result[4], by[2][4][4];
    ARGS(0, s.a, 4);
    ARGS(1, b, 4);
    ADJ_RESULTS(0, s.r, 4);
    s.t = ARG(2, 0);
    FN(conjugate)(s.a, back);
    FN(product)(back, b, step);
    FN(axis_angle)(step, s.axis, &angle);
    FN(from_axis_angle)(s.axis, MUL(angle, s.t), s.part);
    angle = MUL(angle, NUMBER(0.5));
    s.cosine = COS(MUL(angle, s.t));
    s.sine = SIN(MUL(angle, s.t));
    FN(product)(s.a, s.part, result);
    const NUM turn[4] = {MUL(angle, s.axis[0]), MUL(angle, s.axis[1]), MUL(angle, s.axis[2]),
                         NUMBER(0)};
    NUM by_t[4];
    for (int i = 0; i < 4; i++)
        result[i] = HAS_RESULT(0) ? RESULT(0, i) : result[i];
    FN(product)(result, turn, by_t);
    ADJ_ADD(2, 0, FN(dot4)(by_t, s.r));
    FN(slerp_step)(&s, step);
    for (int i = 0; i < 4; i++) {
        const NUM unit[4] = {NUMBER(i == 0), NUMBER(i == 1), NUMBER(i == 2), NUMBER(i == 3)};
        NUM da[4], db[4];
        FN(adj_product)(back, b, unit, da, db);
        for (int c = 0; c < 4; c++) {
            by[0][c][i] = c < 3 ? NEG(da[c]) : da[c];
            by[1][c][i] = db[c];
        }
    }
    for (uint32_t end = 0; end < 2; end++)
        for (int c = 0; c < 4; c++)
            ADJ_ADD(end, c, FN(slerp_component)(&s, by[end][c], c, end == 0));
    return ARITH_OK;
}

#endif
