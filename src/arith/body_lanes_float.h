/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes of floats: lengths, tests such as isnan, interpolation, and adjoints that integers do not
 * have (arith_template.h).
 *
 *     length((3, 4))                 = 5            normalize((3, 4)) = (0.6, 0.8)
 *     isnan((1, NaN))                = True         normalize((0, 0)) = (0, 0)
 *     lerp((0, 0), (2, 4), 0.5)      = (1, 2)
 *
 * Adjoints follow vec.h and mat.h of Warp 1.19; param[0] is the number of lanes. */

#define LANES op->param[0]

/* Euclidean length of argument 0. */
static inline NUM FN(norm)(const arith_op *op, void *const *operands)
{
    NUM sum = MUL(ARG(0, 0), ARG(0, 0));
    for (int i = 1; i < LANES; i++)
        sum = ADD(sum, MUL(ARG(0, i), ARG(0, i)));
    return SQRT(sum);
}

/* Does argument 0 have a tangent that is not zero? Used where the vector is zero. */
static inline bool FN(any_moves)(const arith_op *op, void *const *operands)
{
    bool any = false;
    ARITH_EACH(LANES, any = any || MOVES(ARG(0, each_)));
    return any;
}

/* The length has no derivative at the zero vector. */
static arith_status FN(length)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    const NUM norm = FN(norm)(op, operands);
    KINK_IF(EQUAL(norm, NUMBER(0)) && FN(any_moves)(op, operands));
    GIVE(0, 0, norm);
    return status;
}

/* The zero vector stays zero, and has no derivative. */
static arith_status FN(vec_normalize)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    const NUM norm = FN(norm)(op, operands);
    const bool positive = LESS(NUMBER(0), norm);
    KINK_IF(EQUAL(norm, NUMBER(0)) && FN(any_moves)(op, operands));
    ARITH_EACH(LANES, GIVE(0, each_, positive ? DIV(ARG(0, each_), norm) : NUMBER(0)));
    return status;
}

/* a * (1 - t) + b * t */
static arith_status FN(lanes_lerp)(const arith_op *op, void *const *operands)
{
    const NUM t = ARG(2, 0), rest = SUB(NUMBER(1), t);
    ARITH_EACH(LANES, GIVE(0, each_, ADD(MUL(ARG(0, each_), rest), MUL(ARG(1, each_), t))));
    return ARITH_OK;
}

#if !TANGENT

/* Is any lane NaN? */
static arith_status FN(lanes_isnan)(const arith_op *op, void *const *operands)
{
    bool any = false;
    ARITH_EACH(LANES, any = any || isnan(ARG(0, each_)));
    *(bool *)operands[1] = any;
    return ARITH_OK;
}

static arith_status FN(lanes_isinf)(const arith_op *op, void *const *operands)
{
    bool any = false;
    ARITH_EACH(LANES, any = any || isinf(ARG(0, each_)));
    *(bool *)operands[1] = any;
    return ARITH_OK;
}

/* Are all lanes finite? */
static arith_status FN(lanes_isfinite)(const arith_op *op, void *const *operands)
{
    bool all = true;
    ARITH_EACH(LANES, all = all && isfinite(ARG(0, each_)));
    *(bool *)operands[1] = all;
    return ARITH_OK;
}

/* To what the value was taken from; of two equal ones to the second. */
static arith_status FN(adj_lanes_min)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < LANES; i++) {
        const NUM a = ARG(0, i), b = ARG(1, i);
        ADJ_ADD(!isnan(a) && (isnan(b) || LESS(a, b)) ? 0 : 1, i, ADJ_RESULT(0, i));
    }
    return ARITH_OK;
}

static arith_status FN(adj_lanes_max)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < LANES; i++) {
        const NUM a = ARG(0, i), b = ARG(1, i);
        ADJ_ADD(!isnan(a) && (isnan(b) || LESS(b, a)) ? 0 : 1, i, ADJ_RESULT(0, i));
    }
    return ARITH_OK;
}

/* adj_v += v / length * d; nothing at the zero vector. Warp 1.19 native/vec.h adj_length */
static arith_status FN(adj_length)(const arith_op *op, void *const *operands)
{
    const NUM r = RESULT(0, 0), d = ADJ_RESULT(0, 0);
    if (LESS(NUMBER(0), r))
        ARITH_EACH(LANES, ADJ_ADD(0, each_, MUL(DIV(ARG(0, each_), r), d)));
    return ARITH_OK;
}

/* With r = v / l: adj_v += d / l - r dot(r, d) / l. Nothing at the zero vector. Warp 1.19
 * native/vec.h adj_normalize, whose dot of two or three lanes does not start from zero. */
static arith_status FN(adj_vec_normalize)(const arith_op *op, void *const *operands)
{
    const NUM norm = FN(norm)(op, operands);
    if (!LESS(NUMBER(0), norm))
        return ARITH_OK;
    const NUM inverse = DIV(NUMBER(1), norm), first = MUL(RESULT(0, 0), ADJ_RESULT(0, 0));
    NUM dot = LANES == 2 || LANES == 3 ? first : ADD(NUMBER(0), first);
    for (int i = 1; i < LANES; i++)
        dot = ADD(dot, MUL(RESULT(0, i), ADJ_RESULT(0, i)));
    for (int i = 0; i < LANES; i++) {
        const NUM along = MUL(MUL(RESULT(0, i), dot), inverse);
        ADJ_ADD(0, i, SUB(MUL(ADJ_RESULT(0, i), inverse), along));
    }
    return ARITH_OK;
}

/* r = a (1 - t) + b t: adj_a += d (1 - t), adj_b += d t; the callers add dot(b, d) - dot(a, d) to
 * adj_t. */
static inline void FN(adj_lerp_ends)(const arith_op *op, void *const *operands)
{
    const NUM t = ARG(2, 0), rest = SUB(NUMBER(1), t);
    ARITH_EACH(LANES, ADJ_ADD(0, each_, MUL(ADJ_RESULT(0, each_), rest)));
    ARITH_EACH(LANES, ADJ_ADD(1, each_, MUL(ADJ_RESULT(0, each_), t)));
}

/* The two dot products are formed first and then subtracted, as in Warp. */
static arith_status FN(adj_vec_lerp)(const arith_op *op, void *const *operands)
{
    FN(adj_lerp_ends)(op, operands);
    ADJ_ADD(2, 0, SUB(FN(dot_adjoint)(op, operands, 1), FN(dot_adjoint)(op, operands, 0)));
    return ARITH_OK;
}

static arith_status FN(adj_mat_lerp)(const arith_op *op, void *const *operands)
{
    FN(adj_lerp_ends)(op, operands);
    ADJ_ADD(2, 0, SUB(FN(ddot_adjoint)(op, operands, 1), FN(ddot_adjoint)(op, operands, 0)));
    return ARITH_OK;
}

#endif

#undef LANES
