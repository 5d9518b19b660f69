/* Quaternions made of angles and axes and taken apart again, after warp/native quat.h of
 * Warp 1.19. No guard: see arith_template.h. */

static inline void FN(from_axis_angle)(const NUM *axis, NUM angle, NUM *r)
{
    const NUM half = MUL(angle, NUMBER(0.5)), s = SIN(half);
    for (int i = 0; i < 3; i++)
        r[i] = MUL(axis[i], s);
    r[3] = COS(half);
}

static arith_status FN(quat_from_axis_angle)(const arith_op *op, void *const *operands)
{
    NUM axis[3], r[4];
    ARGS(0, axis, 3);
    FN(from_axis_angle)(axis, ARG(1, 0), r);
    GIVES(0, r, 4);
    return ARITH_OK;
}

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

/* Given the quaternion, and places of axis and angle as results or as arguments. */
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

static inline void FN(sines)(const arith_op *op, void *const *operands, NUM *c, NUM *s)
{
    for (uint32_t i = 0; i < 3; i++) {
        const NUM half = MUL(ARG(i, 0), NUMBER(0.5));
        c[i] = COS(half);
        s[i] = SIN(half);
    }
}

/* Roll, pitch and yaw: 0, 1 and 2. */
static inline void FN(of_angles)(const NUM *c, const NUM *s, NUM *q)
{
    q[0] = SUB(MUL(MUL(c[2], s[0]), c[1]), MUL(MUL(s[2], c[0]), s[1]));
    q[1] = ADD(MUL(MUL(c[2], c[0]), s[1]), MUL(MUL(s[2], s[0]), c[1]));
    q[2] = SUB(MUL(MUL(s[2], c[0]), c[1]), MUL(MUL(c[2], s[0]), s[1]));
    q[3] = ADD(MUL(MUL(c[2], c[0]), c[1]), MUL(MUL(s[2], s[0]), s[1]));
}

static arith_status FN(quat_rpy)(const arith_op *op, void *const *operands)
{
    NUM c[3], s[3], q[4];
    FN(sines)(op, operands, c, s);
    FN(of_angles)(c, s, q);
    GIVES(0, q, 4);
    return ARITH_OK;
}

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

/* What adj_quat_to_axis_angle adds for the adjoints of axis and angle. */
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

/* What quat_slerp is made of, for its adjoint. */
typedef struct FN(slerp) {
    NUM a[4], r[4], t, axis[3], cosine, sine, part[4];
    NUM axis_by[3][4], angle_by[4]; /* axis and angle by the step from a to b */
} FN(slerp);

static void FN(slerp_step)(FN(slerp) * s, const NUM *step)
{
    const NUM zero = NUMBER(0), none[3] = {zero, zero, zero};
    for (int k = 0; k < 3; k++) {
        const NUM along[3] = {NUMBER(k == 0), NUMBER(k == 1), NUMBER(k == 2)};
        FN(adj_axis_angle)(step, along, zero, s->axis_by[k]);
    }
    FN(adj_axis_angle)(step, none, NUMBER(1), s->angle_by);
}

/* Component c of an end's adjoint, given what that component does to the step. `moves`: it moves
 * the end that the part is put on, too. */
static NUM FN(slerp_component)(const FN(slerp) * s, const NUM *step_by, int c, bool moves)
{
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
