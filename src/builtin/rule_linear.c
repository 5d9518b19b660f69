/* SPDX-License-Identifier: Apache-2.0 */
/* Result rules of linear algebra: the shapes of products and factorisations. Examples:
 *
 *     mat(3, 2) * vec(2)          vec(3): wp::mul(var_22, var_23)
 *     mat(2, 3) * mat(3, 4)       mat(2, 4)
 *     svd2(mat22)                 mat22, vec2, mat22: U, the singular values, V; three results are
 *                                 arguments in C++: wp::svd2(var_30, var_27, var_28, var_29)
 *
 * A shape that does not fit, and two scalar types, are errors of the program. */
#include "builtin/rule.h"
#include "builtin/rules.h"

/* For example: a mat22 times a vec3. */
static bool refuse_shapes(rule_call *k, const type *a, const type *b)
{
    return REFUSE(k, DIAG_SHAPE_MISMATCH, rule_display(k), a->pyname.p, b->pyname.p);
}

/* Both composites need the same scalar type. */
static bool same_scalar(rule_call *k, const type *a, const type *b)
{
    return a->elem == b->elem || rule_mixed(k, a, b);
}

/* Warp 1.19 matvec_mul_value_func. */
static bool mat_vec(rule_call *k)
{
    const type *a = rule_type(k, 0), *b = rule_type(k, 1);
    if (!same_scalar(k, a, b))
        return false;
    return a->cols == b->rows ? rule_gives(k, type_vec(k->c, a->elem, a->rows))
                              : refuse_shapes(k, a, b);
}
const result_rule rule_mat_vec = {mat_vec, 0, true};

/* Warp 1.19 mul_vecmat_value_func. */
static bool vec_mat(rule_call *k)
{
    const type *a = rule_type(k, 0), *b = rule_type(k, 1);
    if (!same_scalar(k, a, b))
        return false;
    return b->rows == a->rows ? rule_gives(k, type_vec(k->c, b->elem, b->cols))
                              : refuse_shapes(k, a, b);
}
const result_rule rule_vec_mat = {vec_mat, 0, true};

/* Warp 1.19 matmat_mul_value_func. */
static bool mat_mat(rule_call *k)
{
    const type *a = rule_type(k, 0), *b = rule_type(k, 1);
    if (!same_scalar(k, a, b))
        return false;
    return a->cols == b->rows ? rule_gives(k, type_mat(k->c, a->elem, a->rows, b->cols))
                              : refuse_shapes(k, a, b);
}
const result_rule rule_mat_mat = {mat_mat, 0, true};

/* Warp 1.19 outer_value_func. */
static bool outer(rule_call *k)
{
    const type *a = rule_type(k, 0), *b = rule_type(k, 1);
    return same_scalar(k, a, b) && rule_gives(k, type_mat(k->c, a->elem, a->rows, b->rows));
}
const result_rule rule_outer = {outer, 0, true};

/* mat(2, 3) becomes mat(3, 2). */
static bool transpose(rule_call *k)
{
    const type *a = rule_type(k, 0);
    return rule_gives(k, type_mat(k->c, a->elem, a->cols, a->rows));
}
const result_rule rule_transpose = {transpose, 0, true};

/* A trace or diagonal needs a square matrix. */
static bool check_square(rule_call *k, const type *a)
{
    return a->rows == a->cols || REFUSE(k, DIAG_NOT_SQUARE, rule_display(k), a->pyname.p);
}

/* Warp 1.19 trace_value_func. */
static bool trace(rule_call *k)
{
    const type *a = rule_type(k, 0);
    return check_square(k, a) && rule_gives(k, a->elem);
}
const result_rule rule_trace = {trace, 0, true};

/* Warp 1.19 get_diag_value_func. */
static bool get_diag(rule_call *k)
{
    const type *a = rule_type(k, 0);
    return check_square(k, a) && rule_gives(k, type_vec(k->c, a->elem, a->rows));
}
const result_rule rule_get_diag = {get_diag, 0, true};

/* A vector of n becomes the diagonal of an n x n matrix. */
static bool make_diag(rule_call *k)
{
    const type *v = rule_type(k, 0);
    return rule_gives(k, type_mat(k->c, v->elem, v->rows, v->rows));
}
const result_rule rule_diag = {make_diag, 0, true};

/* U, sigma, V: Warp 1.19 svd3_value_func, svd2_value_func. Rules with several results are not
 * pure, since the memo keeps one result. */
static bool svd(rule_call *k)
{
    const type *a = rule_type(k, 0);
    const type *results[] = {a, type_vec(k->c, a->elem, a->rows), a};
    return rule_gives_all(k, results, 3);
}
const result_rule rule_svd = {svd, 3, false};

/* Q, R. */
static bool qr(rule_call *k)
{
    const type *a = rule_type(k, 0), *results[] = {a, a};
    return rule_gives_all(k, results, 2);
}
const result_rule rule_qr = {qr, 2, false};

/* Q, whose columns are eigenvectors, and the eigenvalues. */
static bool eig(rule_call *k)
{
    const type *a = rule_type(k, 0);
    const type *results[] = {a, type_vec(k->c, a->elem, a->rows)};
    return rule_gives_all(k, results, 2);
}
const result_rule rule_eig = {eig, 2, false};

/* Warp 1.19 quat_to_axis_angle_value_func. */
static bool axis_angle(rule_call *k)
{
    const type *s = rule_type(k, 0)->elem;
    const type *results[] = {type_vec(k->c, s, 3), s};
    return rule_gives_all(k, results, 2);
}
const result_rule rule_axis_angle = {axis_angle, 2, false};
