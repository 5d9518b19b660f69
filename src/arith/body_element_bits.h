/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of elements of integer vectors and matrices, in place (arith_template.h): v[1] |= 4 is
 * "bit_or_inplace" of (vec3i, int32, int32) and changes lane 1 of v. They have neither
 * tangents nor adjoints. linear_elements.c has element_pick. */

#define IN_PLACE(NAME, OPERATOR)                                                                   \
    static arith_status FN(NAME##_inplace)(const arith_op *op, void *const *operands)              \
    {                                                                                              \
        element_pick p;                                                                            \
        if (!pick_elements(op, operands, &p))                                                      \
            return ARITH_OUT_OF_RANGE;                                                             \
        for (int k = 0, n = p.row.count * p.col.count; k < n; k++) {                               \
            const int at = element_at(&p, k);                                                      \
            FN(store)(operands[0], at, (NUM)(ARG(0, at) OPERATOR ARG(op->n - 1, k)));              \
        }                                                                                          \
        return ARITH_OK;                                                                           \
    }

IN_PLACE(bit_and, &)
IN_PLACE(bit_or, |)
IN_PLACE(bit_xor, ^)

#undef IN_PLACE
