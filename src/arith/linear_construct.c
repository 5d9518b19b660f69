/* SPDX-License-Identifier: Apache-2.0 */
/* Constructors of vectors and matrices: of nothing, one scalar, all lanes, vectors, or of the same
 * shape with another scalar type.
 *
 *     vec3f()                          zeros     (0, 0, 0)
 *     vec3f(1.0)                       splat     (1, 1, 1)
 *     mat22f(1.0, 2.0, 3.0, 4.0)       joined    (1, 2), (3, 4)
 *     mat22f(vec2f(1, 2), vec2f(3, 4)) columns   (1, 3), (2, 4)
 *     vec2i(vec2f(1.5, -2.5))          casts     (1, -2)
 *
 * and matrix_from_rows, matrix_from_cols. Lanes of the arguments are copied one after the other, or
 * by a stride; scalar casts are the operations that arith_find gives for them. */
#include "arith/linear.h"

/* arith_op.aux of a constructor that casts: the operations on one scalar. `to` has the argument's
 * lane and the result's; `back` converts the result's adjoint to the argument's type. */
typedef struct construct_casts {
    arith_op to, back; /* of one lane, and of its adjoint */
} construct_casts;

#define ARITH_BODY "arith/body_construct.h"
#include "arith/arith_each_float.h"
#include "arith/arith_each_integer.h"
#undef ARITH_BODY

/* The functions of a constructor by scalar kind (type_kind). */
typedef struct construct_form {
    arith_fns of[TYPE_FLOAT64 + 1];
} construct_form;

#define CONSTRUCTS(name)                                                                           \
    {                                                                                              \
        {                                                                                          \
            [TYPE_BOOL] = {name##_u8, NULL, NULL}, LINEAR_ALL(name, adj_##name)                    \
        }                                                                                          \
    }

/* The constructors; bool has the functions of uint8, which has its size, and no adjoint. */
static const construct_form zeros_form = {
    {[TYPE_BOOL] = {zeros_u8, NULL, NULL}, LINEAR_INTEGERS_FLAT(zeros), LINEAR_FLOATS_FLAT(zeros)}};
static const construct_form splat_form = CONSTRUCTS(splat);
static const construct_form joined_form = CONSTRUCTS(joined);
static const construct_form columns_form = CONSTRUCTS(columns);

/* By the kind of the argument, whose adjoint is added to. */
static arith_fn *const cast_adjoints[TYPE_FLOAT64 + 1] = {
    [TYPE_INT8] = adj_casts_i8,     [TYPE_UINT8] = adj_casts_u8,
    [TYPE_INT16] = adj_casts_i16,   [TYPE_UINT16] = adj_casts_u16,
    [TYPE_INT32] = adj_casts_i32,   [TYPE_UINT32] = adj_casts_u32,
    [TYPE_INT64] = adj_casts_i64,   [TYPE_UINT64] = adj_casts_u64,
    [TYPE_FLOAT16] = adj_casts_f16, [TYPE_BFLOAT16] = adj_casts_bf16,
    [TYPE_FLOAT32] = adj_casts_f32, [TYPE_FLOAT64] = adj_casts_f64,
};

/* Casts lane by lane; param[1] and param[2] are the sizes in bytes of a lane before and after. */
static arith_status run_casts(const arith_op *op, void *const *operands)
{
    WEFT_ASSERT(op->aux && op->n == 1);
    const construct_casts *casts = op->aux;
    char *from = operands[0], *to = operands[1];
    for (int i = 0; i < op->param[0]; i++) {
        const arith_status status = casts->to.run(&casts->to, (void *[]){from, to});
        if (status != ARITH_OK)
            return status;
        from += op->param[1];
        to += op->param[2];
    }
    return ARITH_OK;
}

/* Operands: argument, result, their tangents. Casts between floats are linear, so the tangent is
 * cast alike. */
static arith_status cast_tangents(const arith_op *op, void *const *operands)
{
    return run_casts(op, operands + 2);
}

/* Fills op for one result of this type. False: no function for the kind, or the request gives
 * another result type. */
static bool give_op(const arith_request *q, const arith_fns *fns, const type *result, arith_op *op)
{
    WEFT_ASSERT(type_is_composite(result));
    if (!fns->run || (q->nresults && (q->nresults != 1 || q->results[0] != result)))
        return false;
    const type **types = ARENA_ARRAY(q->a, const type *, q->n + 1);
    for (uint32_t i = 0; i < q->n; i++)
        types[i] = q->args[i];
    types[q->n] = result;
    *op = (arith_op){.run = fns->run,
                     .tangent = fns->tangent,
                     .adjoint = fns->adjoint,
                     .name = q->name,
                     .types = types,
                     .n = q->n,
                     .nresults = 1,
                     .param = {lane_count(result)}};
    return true;
}

/* The operation on one scalar, from the family of casts. */
static bool find_cast(const arith_request *q, const type *from, const type *to, arith_op *op)
{
    const arith_request cast = {
        .c = q->c, .a = q->a, .name = "", .constructs = to, .args = &from, .n = 1};
    return arith_find(&cast, op);
}

/* Adjoints go back by the other cast, as in Warp: for a vec2f made of a vec2i, adjoints (0.7, 1.2)
 * add (0, 1) to the integers. A cast of floats to integers has adjoints but no tangent, so it
 * differs.
 *
 *     vec2i(vec2f): to = float32 -> int32, back = int32 -> float32, param {2, 4, 4} */
static bool construct_cast(const arith_request *q, const type *t, arith_op *op)
{
    const type *from = q->args[0]->elem, *to = t->elem;
    construct_casts *casts = ARENA_NEW(q->a, construct_casts);
    const bool smooth = type_is_float(from) && type_is_float(to);
    const arith_fns fns = {run_casts, smooth ? cast_tangents : NULL, cast_adjoints[from->kind]};
    if (!find_cast(q, from, to, &casts->to) || !find_cast(q, to, from, &casts->back) ||
        !give_op(q, &fns, t, op))
        return false;
    op->aux = casts;
    op->param[1] = (int32_t)layout_size(from);
    op->param[2] = (int32_t)layout_size(to);
    op->differs = type_is_float(from) && !type_is_float(to);
    return true;
}

/* Are all arguments of type t? */
static bool all_of(const arith_request *q, const type *t)
{
    for (uint32_t i = 0; i < q->n; i++)
        if (q->args[i] != t)
            return false;
    return true;
}

/* The same kind and sizes; scalar types may differ.
 *
 *     vec3f, vec3i    true         vec3f, vec4f    false */
static bool same_shape(const type *a, const type *b)
{
    return a->kind == b->kind && a->rows == b->rows && a->cols == b->cols;
}

/* The patterns exclude each other, but for one lane, where filling and joining are the same. */
bool linear_construct(const arith_request *q, arith_op *op)
{
    WEFT_ASSERT(q->constructs);
    const type *t = q->constructs;
    if (t->kind != TYPE_VEC && t->kind != TYPE_MAT)
        return false;
    const type_kind k = t->elem->kind;
    const uint32_t lanes = (uint32_t)lane_count(t);
    if (q->n == 0)
        return give_op(q, &zeros_form.of[k], t, op);
    if (q->n == 1 && same_shape(q->args[0], t))
        return construct_cast(q, t, op);
    if (q->n == 1 && q->args[0] == t->elem)
        return give_op(q, &splat_form.of[k], t, op);
    if (q->n == lanes && all_of(q, t->elem))
        return give_op(q, &joined_form.of[k], t, op);
    if (t->kind == TYPE_VEC && lanes == 6 && q->n == 2 && all_of(q, type_vec(q->c, t->elem, 3)))
        return give_op(q, &joined_form.of[k], t, op);
    if (t->kind == TYPE_MAT && q->n == (uint32_t)t->cols)
        return all_of(q, type_vec(q->c, t->elem, t->rows)) &&
               give_op(q, &columns_form.of[k], t, op);
    return false;
}

/* One vector or more, all of one type. */
static bool some_vectors(const arith_request *q)
{
    return q->n > 0 && q->args[0]->kind == TYPE_VEC && all_of(q, q->args[0]);
}

/* Rows one after the other are the matrix as it lies in memory. */
bool linear_from_rows(const arith_request *q, arith_op *op)
{
    if (!some_vectors(q))
        return false;
    const type *v = q->args[0];
    return give_op(q, &joined_form.of[v->elem->kind], type_mat(q->c, v->elem, (int)q->n, v->rows),
                   op);
}

/* matrix_from_cols(a, b): the vectors stand side by side. */
bool linear_from_cols(const arith_request *q, arith_op *op)
{
    if (!some_vectors(q))
        return false;
    const type *v = q->args[0];
    return give_op(q, &columns_form.of[v->elem->kind], type_mat(q->c, v->elem, v->rows, (int)q->n),
                   op);
}
