/* Transformations: a translation p (3 numbers), then a rotation q (4), after warp/native spatial.h
 * of Warp 1.19. No guard: see arith_template.h. */

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

/* Parts taken and put. */
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

/* Rotation back by the conjugate; the position is rotated back and negated. */
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

static arith_status FN(adj_transform_add)(const arith_op *op, void *const *operands)
{
    NUM r[7];
    ADJ_RESULTS(0, r, 7);
    ADJ_ADDS(0, r, 7);
    ADJ_ADDS(1, r, 7);
    return ARITH_OK;
}

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
/* Adjoints of what is changed in place are read, and kept as they are. */
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

static arith_status FN(adj_transform_scale)(const arith_op *op, void *const *operands)
{
    return FN(adj_transform_scaled)(op, operands, 0);
}

static arith_status FN(adj_transform_scale_left)(const arith_op *op, void *const *operands)
{
    return FN(adj_transform_scaled)(op, operands, 1);
}

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
