/* SPDX-License-Identifier: Apache-2.0 */
/* Body of arith_cast.c: conversions of a float to each kind. What does not fit an integer is
 * stored as whole_KIND gives it, but the status is ARITH_CONVERSION, as C++ leaves the result open.
 *
 *     to_i32_f32(3.7)     3            tangent 0; a kink at 2.0, where the result jumps
 *     to_f16_f32(0.1)     0.09997559   tangent and adjoint pass through */
#if !TANGENT
#define CAST_TO(TO)                                                                                \
    static arith_status FN(to_##TO)(const arith_op *op, void *const *operands)                     \
    {                                                                                              \
        (void)op;                                                                                  \
        const double x = (double)FN(load)(operands[0], 0);                                         \
        store_##TO(operands[1], 0, whole_##TO(x));                                                 \
        return fits_##TO(x) ? ARITH_OK : ARITH_CONVERSION;                                         \
    }
#define CAST_SMOOTH(TO)                                                                            \
    CAST_TO(TO)                                                                                    \
    static arith_status FN(tangent_to_##TO)(const arith_op *op, void *const *operands)             \
    {                                                                                              \
        (void)op;                                                                                  \
        store_##TO(operands[3], 0, (num_##TO)FN(load)(operands[2], 0));                            \
        return ARITH_OK;                                                                           \
    }                                                                                              \
    static arith_status FN(adj_to_##TO)(const arith_op *op, void *const *operands)                 \
    {                                                                                              \
        (void)op;                                                                                  \
        FN(adj_in)(operands, 1, 0, FN(rounded)((NUM)load_##TO(operands[3], 0)));                   \
        return ARITH_OK;                                                                           \
    }
EACH_WHOLE(CAST_TO)
EACH_REAL(CAST_SMOOTH)
#undef CAST_TO
#undef CAST_SMOOTH

/* Tangents of casts to integers and bool are zero; at a jump of the result there is no derivative.
 * Truncation does not jump at 0. */
static arith_status FN(tangent_to_integer)(const arith_op *op, void *const *operands)
{
    const NUM x = FN(load)(operands[0], 0), d = FN(load)(operands[2], 0);
    memset(operands[3], 0, (size_t)op->param[0]);
    return d != 0 && x != 0 && x == TRUNC(x) ? ARITH_KINK : ARITH_OK;
}

static arith_status FN(tangent_to_bool)(const arith_op *op, void *const *operands)
{
    (void)op;
    *(bool *)operands[3] = false;
    return FN(load)(operands[2], 0) != 0 && FN(load)(operands[0], 0) == 0 ? ARITH_KINK : ARITH_OK;
}
#endif
