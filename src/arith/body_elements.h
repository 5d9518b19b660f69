/* SPDX-License-Identifier: Apache-2.0 */
/* Elements, rows and slices of vectors, matrices, quaternions and transformations: read, changed in
 * place, or in a copy (arith_template.h). The tangents are these functions again, on tangents,
 * since all of them are linear.
 *
 *     extract:         r = v[picked]           adj_v[picked] += adj_r
 *     add_inplace:     v[picked] += x          adj_x += adj_v[picked]
 *     assign_copy:     r = v; r[picked] = x    adj_x += adj_r[picked], adj_v += adj_r elsewhere
 *
 * Warp 1.19 native/vec.h and mat.h adj_extract and their like. An element_pick is the elements that
 * the indices or slices of a call choose; element_at gives the k-th of them. */
#if !TANGENT

/* The chosen elements, by rows. */
static arith_status FN(extract)(const arith_op *op, void *const *operands)
{
    element_pick p;
    if (!pick_elements(op, operands, &p))
        return ARITH_OUT_OF_RANGE;
    for (int k = 0, n = p.row.count * p.col.count; k < n; k++)
        GIVE(0, k, ARG(0, element_at(&p, k)));
    return ARITH_OK;
}

/* Each result's adjoint goes to the element that it was read from. */
static arith_status FN(adj_extract)(const arith_op *op, void *const *operands)
{
    element_pick p;
    if (!pick_elements(op, operands, &p))
        return ARITH_OUT_OF_RANGE;
    for (int k = 0, n = p.row.count * p.col.count; k < n; k++)
        ADJ_ADD(0, element_at(&p, k), ADJ_RESULT(0, k));
    return ARITH_OK;
}

/* FN(NAME_inplace): element = CHANGED(element, value). */
#define IN_PLACE(NAME, CHANGED)                                                                    \
    static arith_status FN(NAME##_inplace)(const arith_op *op, void *const *operands)              \
    {                                                                                              \
        element_pick p;                                                                            \
        if (!pick_elements(op, operands, &p))                                                      \
            return ARITH_OUT_OF_RANGE;                                                             \
        for (int k = 0, n = p.row.count * p.col.count; k < n; k++) {                               \
            const int at = element_at(&p, k);                                                      \
            FN(store)(operands[0], at, CHANGED(ARG(0, at), ARG(op->n - 1, k)));                    \
        }                                                                                          \
        return ARITH_OK;                                                                           \
    }
#define SECOND(a, b) (b)

IN_PLACE(assign, SECOND)
IN_PLACE(add, ADD)
IN_PLACE(sub, SUB)

/* The value's adjoint grows (or with `minus` shrinks) by that of the chosen elements of the whole,
 * which is left as it is. */
static inline arith_status FN(adj_in_place)(const arith_op *op, void *const *operands, bool minus)
{
    element_pick p;
    if (!pick_elements(op, operands, &p))
        return ARITH_OUT_OF_RANGE;
    for (int k = 0, n = p.row.count * p.col.count; k < n; k++) {
        const NUM d = FN(load)(operands[op->n], element_at(&p, k));
        ADJ_ADD(op->n - 1, k, minus ? NEG(d) : d);
    }
    return ARITH_OK;
}

static arith_status FN(adj_add_inplace)(const arith_op *op, void *const *operands)
{
    return FN(adj_in_place)(op, operands, false);
}

static arith_status FN(adj_sub_inplace)(const arith_op *op, void *const *operands)
{
    return FN(adj_in_place)(op, operands, true);
}

/* A copy of the whole, then the chosen elements replaced. */
static arith_status FN(assign_copy)(const arith_op *op, void *const *operands)
{
    element_pick p;
    if (!pick_elements(op, operands, &p))
        return ARITH_OUT_OF_RANGE;
    ARITH_EACH(op->param[0] * op->param[1], GIVE(0, each_, ARG(0, each_)));
    for (int k = 0, n = p.row.count * p.col.count; k < n; k++)
        GIVE(0, element_at(&p, k), ARG(op->n - 1, k));
    return ARITH_OK;
}

/* Warp goes through the elements in rising order, and so gives the adjoints of a reversed slice to
 * the wrong lanes. */
static arith_status FN(adj_assign_copy)(const arith_op *op, void *const *operands)
{
    element_pick p;
    if (!pick_elements(op, operands, &p))
        return ARITH_OUT_OF_RANGE;
    rise(&p.row);
    rise(&p.col);
    const int n = p.row.count * p.col.count;
    for (int at = 0, k = 0; at < op->param[0] * op->param[1]; at++) {
        const bool replaced = k < n && element_at(&p, k) == at;
        ADJ_ADD(replaced ? op->n - 1 : 0, replaced ? k : at, ADJ_RESULT(0, at));
        k += replaced;
    }
    return ARITH_OK;
}

#undef IN_PLACE
#undef SECOND

#endif
