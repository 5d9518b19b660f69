/* SPDX-License-Identifier: Apache-2.0 */
/* The choice between values, copies and assignments, of any value type (Warp 1.19
 * native/builtin.h: where, copy, assign, cast), and slice_t(start, stop, step).
 *
 *     where(c, a, b)    a if c is not zero, else b; both were computed
 *     copy(a)           a
 *     assign(a, b)      a becomes b, in place
 *     cast(x)           the bytes of x as another type: float32 1.0 as uint32 is 0x3f800000
 *
 * Only bytes move, so one function serves all types; adjoints add numbers and exist for each kind
 * (body_choice.h). param: scalars of the value, its bytes, bytes of the condition. */
#include "arith/arith_family.h"

#define ARITH_BODY "arith/body_choice.h"
#include "arith/arith_each_float.h"
#include "arith/arith_each_integer.h"
#undef ARITH_BODY

/* Sizes 4 and 8 apart, so that the compiler makes one move of each. */
static void copy_bytes(void *to, const void *from, int size)
{
    WEFT_ASSERT(size >= 0);
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, (size_t)size);
}

/* The condition is any bool or integer; param[2] is its size in bytes. */
static arith_status run_where(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n == 3 && op->nresults == 1);
    const int chosen = arith_truth(operands[0], op->param[2]) ? 1 : 2;
    copy_bytes(operands[3], operands[chosen], op->param[1]);
    return ARITH_OK;
}

/* Operands: c, a, b, r, then their tangents. Moving the condition changes nothing until it
 * becomes zero or stops being zero, so its tangent is not read. */
static arith_status tangent_where(const arith_op *op, void *const *operands)
{
    const int chosen = arith_truth(operands[0], op->param[2]) ? 1 : 2;
    copy_bytes(operands[7], operands[4 + chosen], op->param[1]);
    return ARITH_OK;
}

/* Operands: a, r. The casts of find_cast use it as well: their bytes stay the same. */
static arith_status run_copy(const arith_op *op, void *const *operands)
{
    copy_bytes(operands[1], operands[0], op->param[1]);
    return ARITH_OK;
}

/* Operands: a, r, tangent of a, tangent of r. */
static arith_status tangent_copy(const arith_op *op, void *const *operands)
{
    copy_bytes(operands[3], operands[2], op->param[1]);
    return ARITH_OK;
}

/* Operands: a, b. There is no result: a is the one that changes. */
static arith_status run_assign(const arith_op *op, void *const *operands)
{
    copy_bytes(operands[0], operands[1], op->param[1]);
    return ARITH_OK;
}

/* Operands: a, b, tangent of a, tangent of b. */
static arith_status tangent_assign(const arith_op *op, void *const *operands)
{
    copy_bytes(operands[2], operands[3], op->param[1]);
    return ARITH_OK;
}

/* Operands: a, b, adjoint of a, adjoint of b. The adjoint of b is replaced by that of a, not added
 * to. */
static arith_status adj_assign(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->in_place && op->nresults == 0);
    copy_bytes(operands[3], operands[2], op->param[1]);
    memset(operands[2], 0, (size_t)op->param[1]);
    return ARITH_OK;
}

/* By scalar kind; bool has no adjoint. */
#define EACH_KIND(name)                                                                            \
    {                                                                                              \
        NULL, name##_i8, name##_u8, name##_i16, name##_u16, name##_i32, name##_u32, name##_i64,    \
            name##_u64, name##_f16, name##_bf16, name##_f32, name##_f64                            \
    }
static arith_fn *const adj_wheres[TYPE_FLOAT64 + 1] = EACH_KIND(adj_where);
static arith_fn *const adj_copies[TYPE_FLOAT64 + 1] = EACH_KIND(adj_copy);
_Static_assert(TYPE_BOOL == 0 && TYPE_FLOAT16 == 9, "the order of EACH_KIND");

/* Fills op for values of type t. Only floats have tangents: without a function the executors write
 * zero for the results of integers. */
static bool set_op(const arith_request *q, arith_op *op, const type *t, const arith_fns *fns)
{
    WEFT_ASSERT(type_is_value(t) && fns->run);
    *op = (arith_op){.run = fns->run, .tangent = fns->tangent, .adjoint = fns->adjoint};
    op->param[0] = lane_count(t);
    op->param[1] = (int32_t)layout_size(t);
    if (!type_is_float(type_scalar_of(t)))
        op->tangent = NULL;
    return arith_set_types(q, op, t);
}

/* where(condition, a, b): a and b have one type, the condition is a bool or integer. */
static bool find_where(const arith_request *q, arith_op *op)
{
    if (q->n != 3 || !type_is_scalar(q->args[0]) || type_is_float(q->args[0]) ||
        !type_equal(q->args[1], q->args[2]))
        return false;
    const type *t = q->args[1];
    const arith_fns fns = {run_where, tangent_where, adj_wheres[type_scalar_of(t)->kind]};
    if (!set_op(q, op, t, &fns))
        return false;
    op->param[2] = (int32_t)layout_size(q->args[0]);
    return true;
}

/* copy(a) gives a value of the same type. */
static bool find_copy(const arith_request *q, arith_op *op)
{
    if (q->n != 1)
        return false;
    const type *t = q->args[0];
    const arith_fns fns = {run_copy, tangent_copy, adj_copies[type_scalar_of(t)->kind]};
    return set_op(q, op, t, &fns);
}

/* assign(a, b) of one type. arith_set_types counts one result; assignments have none. */
static bool find_assign(const arith_request *q, arith_op *op)
{
    if (q->n != 2 || q->nresults || !type_equal(q->args[0], q->args[1]))
        return false;
    const arith_fns fns = {run_assign, tangent_assign, adj_assign};
    if (!set_op(q, op, q->args[0], &fns))
        return false;
    op->in_place = true;
    op->nresults = 0;
    return true;
}

/* The same bytes as a value of another type; without derivative.
 *
 *     float32 -> uint32     4 bytes each: run_copy
 *     float32 -> float64    false */
static bool find_cast(const arith_request *q, arith_op *op)
{
    if (q->n != 1 || q->nresults != 1 || !type_is_value(q->results[0]) ||
        layout_size(q->results[0]) != layout_size(q->args[0]))
        return false;
    const arith_fns fns = {run_copy, NULL, NULL};
    return set_op(q, op, q->results[0], &fns);
}

/* A slice_t is three int32 values; wider arguments are cut, as C++ converts them. Negative bounds
 * are resolved where the slice is used. */
static arith_status run_slice(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->n == 3);
    int32_t *bounds = operands[3];
    for (uint32_t i = 0; i < 3; i++) {
        const type_kind k = op->types[i]->kind;
        bounds[i] = (int32_t)num_cast(TYPE_INT32, k, num_load(k, operands[i])).i;
    }
    return ARITH_OK;
}

/* slice_t(start, stop, step) */
static bool find_slice(const arith_request *q, arith_op *op)
{
    WEFT_ASSERT(q->constructs);
    if (q->constructs->kind != TYPE_SLICE || q->n != 3)
        return false;
    for (uint32_t i = 0; i < q->n; i++)
        if (!type_is_integer(q->args[i]))
            return false;
    *op = (arith_op){.run = run_slice};
    return arith_set_types(q, op, q->constructs);
}

static const arith_row rows[] = {
    {"", find_slice},    {"assign", find_assign}, {"cast", find_cast},
    {"copy", find_copy}, {"where", find_where},
};

const arith_family arith_choices = {rows, sizeof rows / sizeof *rows};
