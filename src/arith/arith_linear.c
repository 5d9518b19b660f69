/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors and matrices among the families of operations (arith_op.c). The forms are in the tables
 * of linear_*.c; a name may have many, and the first that matches is taken:
 *
 *     "mul" (mat33f, vec3f)    match_mat_vec: mat_vec_f32, param 3, 3
 *     "mul" (vec3f, float32)   match_vec_by: mul_by_f32, param 3
 *     "mul" (vec3f, vec3f)     no form: such a kernel does not compile in Warp either
 */
#include "arith/linear.h"

/* Fills op with the functions of a form that matched. False: the form has none for this scalar
 * kind, or the request gives another result type.
 *
 *     "mul" (mat23f, vec3f), form mat_vec     run mat_vec_f32, types {mat23f, vec3f, vec2f}
 *     "add_inplace" (vec3f, int32, float32)   in_place, nresults 0 */
static bool take_form(const arith_request *q, const linear_form *form, const linear_shape *s,
                      arith_op *op)
{
    WEFT_ASSERT(form->name && s->elem->kind <= TYPE_FLOAT64);
    const arith_fns *fns = &form->of[s->elem->kind];
    const uint32_t nresults = s->result ? 1 : 0;
    if (!fns->run || (q->nresults && (q->nresults != nresults || q->results[0] != s->result)))
        return false;
    const type **types = ARENA_ARRAY(q->a, const type *, q->n + 1);
    for (uint32_t i = 0; i < q->n; i++)
        types[i] = q->args[i];
    types[q->n] = s->result;
    *op = (arith_op){.run = fns->run,
                     .tangent = fns->tangent,
                     .adjoint = fns->adjoint,
                     .name = form->name,
                     .types = types,
                     .n = q->n,
                     .nresults = nresults,
                     .in_place = !nresults,
                     .differs = form->differs};
    memcpy(op->param, s->param, sizeof op->param);
    return true;
}

/* The first form of the name that fits. */
static bool find_form(const arith_request *q, arith_op *op)
{
    static const linear_form *const tables[] = {linear_lanes, linear_products, linear_square,
                                                linear_elements};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const linear_form *form = tables[i]; form->name; form++) {
            linear_shape shape = {0};
            if (strcmp(form->name, q->name) == 0 && form->match(q, &shape) &&
                take_form(q, form, &shape, op))
                return true;
        }
    return false;
}

/* Warp has no operator != for them: such a kernel does not compile there. */
static const arith_row rows[] = {
    {"", linear_construct},
    {"==", find_form},
    {"abs", find_form},
    {"add", find_form},
    {"add_inplace", find_form},
    {"approx_div", find_form},
    {"approx_inverse", find_form},
    {"argmax", find_form},
    {"argmin", find_form},
    {"assign_copy", find_form},
    {"assign_inplace", find_form},
    {"bit_and", find_form},
    {"bit_and_inplace", find_form},
    {"bit_or", find_form},
    {"bit_or_inplace", find_form},
    {"bit_xor", find_form},
    {"bit_xor_inplace", find_form},
    {"cross", find_form},
    {"cw_div", find_form},
    {"cw_mul", find_form},
    {"ddot", find_form},
    {"determinant", find_form},
    {"diag", find_form},
    {"div", find_form},
    {"div_approx", find_form},
    {"dot", find_form},
    {"eig3", linear_eig},
    {"extract", find_form},
    {"get_diag", find_form},
    {"identity", find_form},
    {"inverse", find_form},
    {"inverse_approx", find_form},
    {"invert", find_form},
    {"isfinite", find_form},
    {"isinf", find_form},
    {"isnan", find_form},
    {"length", find_form},
    {"length_sq", find_form},
    {"lerp", find_form},
    {"lshift", find_form},
    {"matrix_from_cols", linear_from_cols},
    {"matrix_from_rows", linear_from_rows},
    {"max", find_form},
    {"min", find_form},
    {"mod", find_form},
    {"mul", find_form},
    {"neg", find_form},
    {"normalize", find_form},
    {"outer", find_form},
    {"pos", find_form},
    {"qr3", linear_qr},
    {"rshift", find_form},
    {"sign", find_form},
    {"skew", find_form},
    {"sub", find_form},
    {"sub_inplace", find_form},
    {"svd2", linear_svd},
    {"svd3", linear_svd},
    {"trace", find_form},
    {"transform_point", find_form},
    {"transform_vector", find_form},
    {"transpose", find_form},
};

const arith_family arith_linear = {rows, sizeof rows / sizeof rows[0]};
