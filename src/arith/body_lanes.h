/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors and matrices lane by lane: sums, scaling, quotients, minima, dot products, and their
 * adjoints. A body for every scalar kind (arith_template.h). Orders of operations are those of
 * vec.h and mat.h of Warp 1.19, for in floats the order can be seen in the last bit.
 *
 *     lanes_add  ((1, 2), (3, 4)) -> (4, 6)      mul_by ((1, 2), 3) -> (3, 6)
 *     div_of     (6, (1, 2)) -> (6, 3)           dot    ((1, 2), (3, 4)) -> 11
 *     argmax     ((5, 7, 7)) -> 1                vec_max ((5, 7, 7)) -> 7
 *
 * NAME_by has the scalar as its second argument, NAME_of as its first. */

/* TRAPS: the status of a division that cannot be done, for integers. Duals divide by anything. */
#define LANES op->param[0]
#if TANGENT
#define TRAPS(a, b) ARITH_OK
#else
#define TRAPS(a, b) DIV_STATUS(a, b)
#endif

/* a + b */
static arith_status FN(lanes_add)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, ADD(ARG(0, each_), ARG(1, each_))));
    return ARITH_OK;
}

/* a - b */
static arith_status FN(lanes_sub)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, SUB(ARG(0, each_), ARG(1, each_))));
    return ARITH_OK;
}

/* a * b, lane by lane */
static arith_status FN(cw_mul)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, MUL(ARG(0, each_), ARG(1, each_))));
    return ARITH_OK;
}

static arith_status FN(lanes_neg)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, NEG(ARG(0, each_))));
    return ARITH_OK;
}

static arith_status FN(lanes_pos)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, GIVE(0, each_, ARG(0, each_)));
    return ARITH_OK;
}

/* A division by zero of integers ends the operation at that lane. */
static arith_status FN(cw_div)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < LANES; i++) {
        const NUM a = ARG(0, i), b = ARG(1, i);
        const arith_status status = TRAPS(a, b);
        if (status != ARITH_OK)
            return status;
        GIVE(0, i, DIV(a, b));
    }
    return ARITH_OK;
}

/* C's remainder, with the sign of a. It jumps where it passes zero. */
static arith_status FN(vec_mod)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    for (int i = 0; i < LANES; i++) {
        const NUM a = ARG(0, i), b = ARG(1, i);
        const arith_status trap = TRAPS(a, b);
        if (trap != ARITH_OK)
            return trap;
        const NUM r = ARITH_DO(mod)(a, b);
        KINK_IF(EQUAL(r, NUMBER(0)) && MOVES(r));
        GIVE(0, i, r);
    }
    return status;
}

/* v / s */
static arith_status FN(div_by)(const arith_op *op, void *const *operands)
{
    const NUM b = ARG(1, 0);
    for (int i = 0; i < LANES; i++) {
        const NUM a = ARG(0, i);
        const arith_status status = TRAPS(a, b);
        if (status != ARITH_OK)
            return status;
        GIVE(0, i, DIV(a, b));
    }
    return ARITH_OK;
}

/* s / v, lane by lane */
static arith_status FN(div_of)(const arith_op *op, void *const *operands)
{
    const NUM a = ARG(0, 0);
    for (int i = 0; i < LANES; i++) {
        const NUM b = ARG(1, i);
        const arith_status status = TRAPS(a, b);
        if (status != ARITH_OK)
            return status;
        GIVE(0, i, DIV(a, b));
    }
    return ARITH_OK;
}

/* v s */
static arith_status FN(mul_by)(const arith_op *op, void *const *operands)
{
    const NUM s = ARG(1, 0);
    ARITH_EACH(LANES, GIVE(0, each_, MUL(ARG(0, each_), s)));
    return ARITH_OK;
}

/* s v, as the product v s in Warp */
static arith_status FN(mul_of)(const arith_op *op, void *const *operands)
{
    const NUM s = ARG(0, 0);
    ARITH_EACH(LANES, GIVE(0, each_, MUL(ARG(1, each_), s)));
    return ARITH_OK;
}

/* Minima and maxima have no derivative where two lanes are equal and move apart. */
static arith_status FN(lanes_min)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    for (int i = 0; i < LANES; i++) {
        const NUM a = ARG(0, i), b = ARG(1, i);
        KINK_IF(EQUAL(a, b) && MOVES(SUB(a, b)));
        GIVE(0, i, MIN2(a, b));
    }
    return status;
}

static arith_status FN(lanes_max)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    for (int i = 0; i < LANES; i++) {
        const NUM a = ARG(0, i), b = ARG(1, i);
        KINK_IF(EQUAL(a, b) && MOVES(SUB(a, b)));
        GIVE(0, i, MAX2(a, b));
    }
    return status;
}

/* The least lane. In a tie of lanes that move apart the minimum has no derivative. */
static arith_status FN(vec_min)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    NUM r = ARG(0, 0);
    for (int i = 1; i < LANES; i++) {
        const NUM x = ARG(0, i);
        KINK_IF(EQUAL(r, x) && MOVES(SUB(r, x)));
        r = MIN2(r, x);
    }
    GIVE(0, 0, r);
    return status;
}

static arith_status FN(vec_max)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    NUM r = ARG(0, 0);
    for (int i = 1; i < LANES; i++) {
        const NUM x = ARG(0, i);
        KINK_IF(EQUAL(r, x) && MOVES(SUB(r, x)));
        r = MAX2(r, x);
    }
    GIVE(0, 0, r);
    return status;
}

/* No derivative at zero. */
static arith_status FN(lanes_abs)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    for (int i = 0; i < LANES; i++) {
        const NUM x = ARG(0, i);
        KINK_IF(EQUAL(x, NUMBER(0)) && MOVES(x));
        GIVE(0, i, ABS(x));
    }
    return status;
}

/* 1 or -1: Warp's sign of zero is 1. */
static arith_status FN(lanes_sign)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    for (int i = 0; i < LANES; i++) {
        const NUM x = ARG(0, i);
        KINK_IF(EQUAL(x, NUMBER(0)) && MOVES(x));
        GIVE(0, i, LESS(x, NUMBER(0)) ? NEG(NUMBER(1)) : NUMBER(1));
    }
    return status;
}

/* Sums of products. Warp's forms for two and three lanes do not start from zero, which can be seen
 * in a negative zero. */
static inline NUM FN(sum_start)(const arith_op *op, NUM first)
{
    return LANES == 2 || LANES == 3 ? first : ADD(NUMBER(0), first);
}

/* The sum of products, in order of the lanes. */
static arith_status FN(dot)(const arith_op *op, void *const *operands)
{
    NUM sum = FN(sum_start)(op, MUL(ARG(0, 0), ARG(1, 0)));
    for (int i = 1; i < LANES; i++)
        sum = ADD(sum, MUL(ARG(0, i), ARG(1, i)));
    GIVE(0, 0, sum);
    return ARITH_OK;
}

/* Unlike dot it starts from the first product for every number of lanes. */
static arith_status FN(length_sq)(const arith_op *op, void *const *operands)
{
    NUM sum = MUL(ARG(0, 0), ARG(0, 0));
    for (int i = 1; i < LANES; i++)
        sum = ADD(sum, MUL(ARG(0, i), ARG(0, i)));
    GIVE(0, 0, sum);
    return ARITH_OK;
}

/* The sum of products of all elements of two matrices. */
static arith_status FN(ddot)(const arith_op *op, void *const *operands)
{
    NUM sum = NUMBER(0);
    ARITH_EACH(LANES, sum = MULADD(ARG(0, each_), ARG(1, each_), sum));
    GIVE(0, 0, sum);
    return ARITH_OK;
}

#if !TANGENT

/* True if all lanes are equal; a NaN equals nothing. */
static arith_status FN(lanes_equal)(const arith_op *op, void *const *operands)
{
    bool *r = operands[2];
    *r = true;
    ARITH_EACH(LANES, *r = *r && EQUAL(ARG(0, each_), ARG(1, each_)));
    return ARITH_OK;
}

static inline bool FN(is_nan)(NUM x)
{
    return !EQUAL(x, x);
}

/* The first of the least (or greatest) lanes. NaN lanes are passed over; if all are NaN it is lane
 * 0. */
static inline int FN(place_of)(const arith_op *op, void *const *operands, bool greatest)
{
    WEFT_ASSERT(LANES > 0);
    int place = 0;
    while (place < LANES && FN(is_nan)(ARG(0, place)))
        place++;
    if (place == LANES)
        return 0;
    for (int i = place + 1; i < LANES; i++) {
        const NUM x = ARG(0, i), best = ARG(0, place);
        if (greatest ? LESS(best, x) : LESS(x, best))
            place = i;
    }
    return place;
}

static arith_status FN(argmin)(const arith_op *op, void *const *operands)
{
    *(uint32_t *)operands[1] = (uint32_t)FN(place_of)(op, operands, false);
    return ARITH_OK;
}

static arith_status FN(argmax)(const arith_op *op, void *const *operands)
{
    *(uint32_t *)operands[1] = (uint32_t)FN(place_of)(op, operands, true);
    return ARITH_OK;
}

/* adj_a += d, adj_b += d */
static arith_status FN(adj_lanes_add)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < LANES; i++) {
        ADJ_ADD(0, i, ADJ_RESULT(0, i));
        ADJ_ADD(1, i, ADJ_RESULT(0, i));
    }
    return ARITH_OK;
}

/* adj_a += d, adj_b -= d */
static arith_status FN(adj_lanes_sub)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < LANES; i++) {
        ADJ_ADD(0, i, ADJ_RESULT(0, i));
        ADJ_ADD(1, i, NEG(ADJ_RESULT(0, i)));
    }
    return ARITH_OK;
}

/* adj_a += b d for all lanes, then adj_b += a d. */
static arith_status FN(adj_cw_mul)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, ADJ_ADD(0, each_, MUL(ARG(1, each_), ADJ_RESULT(0, each_))));
    ARITH_EACH(LANES, ADJ_ADD(1, each_, MUL(ARG(0, each_), ADJ_RESULT(0, each_))));
    return ARITH_OK;
}

/* r = a / b: adj_a += d / b, adj_b -= d (r / b). Warp 1.19 native/vec.h adj_cw_div */
static arith_status FN(adj_cw_div)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < LANES; i++) {
        const NUM b = ARG(1, i), d = ADJ_RESULT(0, i);
        const NUM r = RESULT(0, i);
        const arith_status traps[] = {DIV_STATUS(d, b), DIV_STATUS(r, b)};
        if (traps[0] != ARITH_OK || traps[1] != ARITH_OK)
            return traps[0] != ARITH_OK ? traps[0] : traps[1];
        ADJ_ADD(0, i, DIV(d, b));
        ADJ_ADD(1, i, NEG(MUL(d, DIV(r, b))));
    }
    return ARITH_OK;
}

/* adj_a -= d */
static arith_status FN(adj_lanes_neg)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, ADJ_ADD(0, each_, NEG(ADJ_RESULT(0, each_))));
    return ARITH_OK;
}

/* adj_a += d */
static arith_status FN(adj_lanes_pos)(const arith_op *op, void *const *operands)
{
    ARITH_EACH(LANES, ADJ_ADD(0, each_, ADJ_RESULT(0, each_)));
    return ARITH_OK;
}

/* dot(argument i, adjoint of the result) */
static inline NUM FN(dot_adjoint)(const arith_op *op, void *const *operands, uint32_t i)
{
    NUM sum = FN(sum_start)(op, MUL(ARG(i, 0), ADJ_RESULT(0, 0)));
    for (int j = 1; j < LANES; j++)
        sum = ADD(sum, MUL(ARG(i, j), ADJ_RESULT(0, j)));
    return sum;
}

/* The same of matrices */
static inline NUM FN(ddot_adjoint)(const arith_op *op, void *const *operands, uint32_t i)
{
    NUM sum = NUMBER(0);
    ARITH_EACH(LANES, sum = MULADD(ARG(i, each_), ADJ_RESULT(0, each_), sum));
    return sum;
}

/* r = v s: adj_v += s d, adj_s += dot(v, d); argument number v is the vector. */
static inline arith_status FN(adj_vec_scaled)(const arith_op *op, void *const *operands, uint32_t v)
{
    WEFT_ASSERT(v < 2);
    const NUM s = ARG(1 - v, 0);
    ARITH_EACH(LANES, ADJ_ADD(v, each_, MUL(s, ADJ_RESULT(0, each_))));
    ADJ_ADD(1 - v, 0, FN(dot_adjoint)(op, operands, v));
    return ARITH_OK;
}

/* The same of matrices, whose adj_mul in Warp adds to adj_s once per element. */
static inline arith_status FN(adj_mat_scaled)(const arith_op *op, void *const *operands, uint32_t m)
{
    WEFT_ASSERT(m < 2);
    const NUM s = ARG(1 - m, 0);
    for (int i = 0; i < LANES; i++) {
        ADJ_ADD(m, i, MUL(s, ADJ_RESULT(0, i)));
        ADJ_ADD(1 - m, 0, MUL(ARG(m, i), ADJ_RESULT(0, i)));
    }
    return ARITH_OK;
}

static arith_status FN(adj_vec_mul_by)(const arith_op *op, void *const *operands)
{
    return FN(adj_vec_scaled)(op, operands, 0);
}

static arith_status FN(adj_vec_mul_of)(const arith_op *op, void *const *operands)
{
    return FN(adj_vec_scaled)(op, operands, 1);
}

static arith_status FN(adj_mat_mul_by)(const arith_op *op, void *const *operands)
{
    return FN(adj_mat_scaled)(op, operands, 0);
}

static arith_status FN(adj_mat_mul_of)(const arith_op *op, void *const *operands)
{
    return FN(adj_mat_scaled)(op, operands, 1);
}

/* r = v / s: adj_s -= dot(v, d) / s^2, adj_v += d / s. Of integers s^2 may wrap around to zero, and
 * d may be the smallest one where s is -1: a float's adjoint that does not fit becomes it. */
static inline arith_status FN(adj_div_by)(const arith_op *op, void *const *operands, NUM dot)
{
    const NUM s = ARG(1, 0), square = MUL(s, s);
    const arith_status status = DIV_STATUS(dot, square);
    if (status != ARITH_OK)
        return status;
    ADJ_ADD(1, 0, NEG(DIV(dot, square)));
    for (int i = 0; i < LANES; i++) {
        const NUM d = ADJ_RESULT(0, i);
        const arith_status trap = DIV_STATUS(d, s);
        if (trap != ARITH_OK)
            return trap;
        ADJ_ADD(0, i, DIV(d, s));
    }
    return ARITH_OK;
}

static arith_status FN(adj_vec_div_by)(const arith_op *op, void *const *operands)
{
    return FN(adj_div_by)(op, operands, FN(dot_adjoint)(op, operands, 0));
}

static arith_status FN(adj_mat_div_by)(const arith_op *op, void *const *operands)
{
    return FN(adj_div_by)(op, operands, FN(ddot_adjoint)(op, operands, 0));
}

/* r = s / v, lane by lane: adj_v -= s d / v^2, adj_s += d / v */
static arith_status FN(adj_div_of)(const arith_op *op, void *const *operands)
{
    const NUM s = ARG(0, 0);
    for (int i = 0; i < LANES; i++) {
        const NUM a = ARG(1, i), d = ADJ_RESULT(0, i);
        const arith_status status = DIV_STATUS(NUMBER(1), a);
        if (status != ARITH_OK)
            return status;
        const NUM inverse = DIV(NUMBER(1), a);
        ADJ_ADD(1, i, NEG(MUL(MUL(MUL(s, d), inverse), inverse)));
        ADJ_ADD(0, 0, MUL(d, inverse));
    }
    return ARITH_OK;
}

/* The whole adjoint goes to the first of the least lanes, which argmin finds. */
static arith_status FN(adj_vec_min)(const arith_op *op, void *const *operands)
{
    ADJ_ADD(0, FN(place_of)(op, operands, false), ADJ_RESULT(0, 0));
    return ARITH_OK;
}

static arith_status FN(adj_vec_max)(const arith_op *op, void *const *operands)
{
    ADJ_ADD(0, FN(place_of)(op, operands, true), ADJ_RESULT(0, 0));
    return ARITH_OK;
}

/* d where the lane is not negative, else -d. */
static arith_status FN(adj_lanes_abs)(const arith_op *op, void *const *operands)
{
    for (int i = 0; i < LANES; i++) {
        const NUM d = ADJ_RESULT(0, i);
        ADJ_ADD(0, i, LESS(ARG(0, i), NUMBER(0)) ? NEG(d) : d);
    }
    return ARITH_OK;
}

/* adj_a += b d, adj_b += a d. ddot, the same of matrices, shares it. */
static arith_status FN(adj_dot)(const arith_op *op, void *const *operands)
{
    const NUM d = ADJ_RESULT(0, 0);
    ARITH_EACH(LANES, ADJ_ADD(0, each_, MUL(ARG(1, each_), d)));
    ARITH_EACH(LANES, ADJ_ADD(1, each_, MUL(ARG(0, each_), d)));
    return ARITH_OK;
}

/* adj_v += 2 v d */
static arith_status FN(adj_length_sq)(const arith_op *op, void *const *operands)
{
    const NUM d = ADJ_RESULT(0, 0);
    ARITH_EACH(LANES, ADJ_ADD(0, each_, MUL(MUL(NUMBER(2), ARG(0, each_)), d)));
    return ARITH_OK;
}

#endif

#undef LANES
#undef TRAPS
