/* SPDX-License-Identifier: Apache-2.0 */
/* Constructors: the scalars of the arguments one after the other, converted where a quaternion or a
 * transformation of another precision is made. Adjoints of Warp 1.19 quat.h, spatial.h.
 *
 *     quatf(x, y, z, w)             (x, y, z, w)
 *     quatf(vec3f(x, y, z), w)      (x, y, z, w)
 *     quatf()                       (0, 0, 0, 0)    not the identity
 *     transformf(p, q)              (p, q)
 *     transformf(1.0)               seven times 1
 *     quatd(quatf(...))             each element converted
 *     spatial_vectorf(w, v)         (w, v): a vec6f of two vec3f
 *
 * The adjoint takes the result's adjoint apart in the same order. */
#include "arith/arith_rotation.h"

/* Index in op->param. Not zero: the one argument, a scalar, fills all elements. */
enum { PARAM_FILLS };

/* Scalar j of argument or result i, in the group of operands that begins at `base`: 0 for values,
 * n + 1 for tangents or adjoints of the arguments. */
static void *lane_at(const arith_op *op, void *const *operands, uint32_t base, uint32_t i, int j)
{
    WEFT_ASSERT(i <= op->n && j >= 0);
    const size_t size = layout_size(type_scalar_of(op->types[i]));
    return (uint8_t *)operands[base + i] + (size_t)j * size;
}

/* Scalar kind of operand i. */
static type_kind kind_of(const arith_op *op, uint32_t i)
{
    return type_scalar_of(op->types[i])->kind;
}

/* Writes the scalars of the n operands from `from` on to the operand `to`, converted; zeros where
 * there are fewer. Construction is linear, so values and tangents use it alike.
 *
 *     quatf(vec3f(1, 2, 3), 4.0)   lanes 3 + 1      ->   (1, 2, 3, 4)
 *     transformf(1.0), fills       lane 0 each time ->   (1, 1, 1, 1, 1, 1, 1) */
static arith_status join(const arith_op *op, void *const *operands, uint32_t from, uint32_t to)
{
    const type *t = op->types[op->n];
    const size_t size = layout_size(t->elem);
    const int n = lane_count(t);
    uint8_t *out = operands[to];
    int at = 0;
    memset(out, 0, layout_size(t));
    for (uint32_t i = 0; i < op->n; i++) {
        const int lanes = op->param[PARAM_FILLS] ? n : lane_count(op->types[i]);
        for (int j = 0; j < lanes; j++, at++) {
            const void *p = lane_at(op, operands, from, i, op->param[PARAM_FILLS] ? 0 : j);
            const type_kind k = kind_of(op, i);
            num_store(t->elem->kind, out + (size_t)at * size,
                      num_cast(t->elem->kind, k, num_load(k, p)));
        }
    }
    WEFT_ASSERT(at <= n);
    return ARITH_OK;
}

/* Operands: n arguments, the result. */
static arith_status run_join(const arith_op *op, void *const *operands)
{
    return join(op, operands, 0, op->n);
}

/* The tangents of the arguments begin behind the result, that of the result behind them. */
static arith_status tangent_join(const arith_op *op, void *const *operands)
{
    return join(op, operands, op->n + 1, 2 * op->n + 1);
}

/* Integer arguments, such as 1 in quatf(0, 0, 0, 1), get no adjoint. */
static arith_status adjoint_join(const arith_op *op, void *const *operands)
{
    const type *t = op->types[op->n];
    const size_t size = layout_size(t->elem);
    const uint8_t *given = operands[2 * op->n + 1];
    int at = 0;
    for (uint32_t i = 0; i < op->n; i++) {
        const type_kind k = kind_of(op, i);
        const int lanes = op->param[PARAM_FILLS] ? lane_count(t) : lane_count(op->types[i]);
        for (int j = 0; j < lanes; j++, at++) {
            void *p = lane_at(op, operands, op->n + 1, i, op->param[PARAM_FILLS] ? 0 : j);
            const num x = num_load(t->elem->kind, given + (size_t)at * size);
            if (type_is_float(type_scalar_of(op->types[i])))
                num_store(k, p,
                          num_binary(k, SCALAR_ADD, num_load(k, p), num_cast(k, t->elem->kind, x)));
        }
    }
    WEFT_ASSERT(at <= lane_count(t));
    return ARITH_OK;
}

/* Are there n arguments, all of them scalars of any type? */
static bool all_scalars(const arith_request *q, uint32_t n)
{
    for (uint32_t i = 0; i < q->n; i++)
        if (!type_is_scalar(q->args[i]))
            return false;
    return q->n == n;
}

/* Is it the same class of another precision? */
static bool converts(const arith_request *q)
{
    return q->n == 1 && q->args[0]->kind == q->constructs->kind;
}

/* Do the arguments fit a constructor of q->constructs? Sets *fills to PARAM_FILLS' value. */
static bool constructs(const arith_request *q, bool *fills)
{
    const type *t = q->constructs, *s = type_scalar_of(t);
    *fills = false;
    switch (t->kind) {
    case TYPE_QUAT:
        return q->n == 0 || converts(q) || all_scalars(q, 4) ||
               rotation_all_fit("vs", q->args, q->n, s);
    case TYPE_TRANSFORM:
        *fills = all_scalars(q, 1);
        return q->n == 0 || *fills || converts(q) || all_scalars(q, 7) ||
               rotation_all_fit("vQ", q->args, q->n, s);
    case TYPE_VEC: return t->rows == 6 && rotation_all_fit("vv", q->args, q->n, s);
    default: return false;
    }
}

/* Results of another type than the constructor's are refused. */
bool rotation_construct(const arith_request *q, arith_op *op)
{
    WEFT_ASSERT(q->constructs);
    bool fills;
    if (!constructs(q, &fills) || q->nresults > 1 ||
        (q->nresults && !type_equal(q->results[0], q->constructs)))
        return false;
    const type **types = ARENA_ARRAY(q->a, const type *, q->n + 1);
    for (uint32_t i = 0; i < q->n; i++)
        types[i] = q->args[i];
    types[q->n] = q->constructs;
    *op = (arith_op){.run = run_join, .tangent = tangent_join, .adjoint = adjoint_join};
    op->types = types;
    op->n = q->n;
    op->nresults = 1;
    op->param[PARAM_FILLS] = fills;
    return true;
}
