/* SPDX-License-Identifier: Apache-2.0 */
/* Body of arith_cast.c: conversions of an integer (or, with CAST_OF_BOOL, of a bool) to each kind;
 * the adjoint of a cast to a float is added even to integers, without its fraction.
 *
 *     to_u8_i32(300)      44      the lowest 8 bits
 *     to_f32_i32(3)       3.0     its adjoint 1.7 adds 1 to the int32 adjoint */
#if !TANGENT
#define CAST_TO(TO)                                                                                \
    static arith_status FN(to_##TO)(const arith_op *op, void *const *operands)                     \
    {                                                                                              \
        (void)op;                                                                                  \
        store_##TO(operands[1], 0, (num_##TO)FN(load)(operands[0], 0));                            \
        return ARITH_OK;                                                                           \
    }
#define CAST_BACK(TO)                                                                              \
    static arith_status FN(adj_to_##TO)(const arith_op *op, void *const *operands)                 \
    {                                                                                              \
        (void)op;                                                                                  \
        FN(adj_in)(operands, 1, 0, FN(whole)((double)load_##TO(operands[3], 0)));                  \
        return ARITH_OK;                                                                           \
    }
EACH_WHOLE(CAST_TO)
EACH_REAL(CAST_TO)
#ifndef CAST_OF_BOOL
EACH_REAL(CAST_BACK)
#endif
#undef CAST_TO
#undef CAST_BACK
#endif
