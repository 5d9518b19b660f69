/* SPDX-License-Identifier: Apache-2.0 */
/* Which types the forms of vector and matrix operations take, and what they give (Warp 1.19
 * builtins.py, groups Operators and Vector Math).
 *
 *     match_mat_vec   (mat23f, vec3f)    result vec2f, param 2, 3
 *     match_mat_mat   (mat23f, mat34f)   result mat24f, param 2, 3, 4
 *     match_dot       (vec3f, vec3d)     false: the scalar types differ
 *
 * linear.h lists the pattern of each and what it leaves in param. Types are unique in a context, so
 * that == compares them. */
#include "arith/linear.h"

static bool is_vec(const type *t)
{
    return t->kind == TYPE_VEC;
}

static bool is_mat(const type *t)
{
    return t->kind == TYPE_MAT;
}

static bool is_either(const type *t)
{
    return is_vec(t) || is_mat(t);
}

/* Fills *s for functions that go through all lanes alike: param[0] is their number. */
static void of_lanes(linear_shape *s, const type *composite, const type *result)
{
    WEFT_ASSERT(is_either(composite));
    s->elem = composite->elem;
    s->result = result;
    s->param[0] = lane_count(composite);
}

/* Fills *s for functions that need the shape: param[0] rows, param[1] columns. */
static void of_rows(linear_shape *s, const type *composite, const type *result)
{
    WEFT_ASSERT(is_either(composite));
    s->elem = composite->elem;
    s->result = result;
    s->param[0] = composite->rows;
    s->param[1] = composite->kind == TYPE_MAT ? composite->cols : 1;
}

/* Any vector or matrix; quaternions and transformations are arith_rotation's. */
bool match_each(const arith_request *q, linear_shape *s)
{
    if (q->n != 1 || !is_either(q->args[0]))
        return false;
    of_lanes(s, q->args[0], q->args[0]);
    return true;
}

/* Two of one type: Warp has no sum of a vec3f and a vec3d. */
bool match_two(const arith_request *q, linear_shape *s)
{
    if (q->n != 2 || q->args[0] != q->args[1] || !is_either(q->args[0]))
        return false;
    of_lanes(s, q->args[0], q->args[0]);
    return true;
}

/* A composite of kind k and a scalar of its element type, which is the other of the two arguments.
 */
static bool scaled(const arith_request *q, linear_shape *s, uint32_t composite, type_kind k)
{
    WEFT_ASSERT(composite < 2);
    if (q->n != 2 || q->args[composite]->kind != k ||
        q->args[composite]->elem != q->args[1 - composite])
        return false;
    of_lanes(s, q->args[composite], q->args[composite]);
    return true;
}

bool match_vec_by(const arith_request *q, linear_shape *s)
{
    return scaled(q, s, 0, TYPE_VEC);
}

bool match_mat_by(const arith_request *q, linear_shape *s)
{
    return scaled(q, s, 0, TYPE_MAT);
}

bool match_by_vec(const arith_request *q, linear_shape *s)
{
    return scaled(q, s, 1, TYPE_VEC);
}

bool match_by_mat(const arith_request *q, linear_shape *s)
{
    return scaled(q, s, 1, TYPE_MAT);
}

/* Two composites of one type, then a scalar of their element type. */
static bool lerped(const arith_request *q, linear_shape *s, type_kind k)
{
    const type *t = q->n == 3 ? q->args[0] : NULL;
    if (!t || t->kind != k || q->args[1] != t || q->args[2] != t->elem)
        return false;
    of_lanes(s, t, t);
    return true;
}

bool match_vec_lerp(const arith_request *q, linear_shape *s)
{
    return lerped(q, s, TYPE_VEC);
}

bool match_mat_lerp(const arith_request *q, linear_shape *s)
{
    return lerped(q, s, TYPE_MAT);
}

/* As match_each or match_two, but the result is a bool. */
bool match_test(const arith_request *q, linear_shape *s)
{
    if (!match_each(q, s))
        return false;
    s->result = type_scalar(q->c, TYPE_BOOL);
    return true;
}

bool match_compare(const arith_request *q, linear_shape *s)
{
    if (!match_two(q, s))
        return false;
    s->result = type_scalar(q->c, TYPE_BOOL);
    return true;
}

/* A vector reduced to a scalar: length, max. */
bool match_reduce(const arith_request *q, linear_shape *s)
{
    if (q->n != 1 || !is_vec(q->args[0]))
        return false;
    of_lanes(s, q->args[0], q->args[0]->elem);
    return true;
}

bool match_normalize(const arith_request *q, linear_shape *s)
{
    return match_each(q, s) && is_vec(q->args[0]);
}

/* argmin and argmax give the number of a lane. */
bool match_place(const arith_request *q, linear_shape *s)
{
    if (!match_reduce(q, s))
        return false;
    s->result = type_scalar(q->c, TYPE_UINT32);
    return true;
}

/* Two composites of kind k and one type, reduced to a scalar. */
static bool contracted(const arith_request *q, linear_shape *s, type_kind k)
{
    if (!match_two(q, s) || q->args[0]->kind != k)
        return false;
    s->result = s->elem;
    return true;
}

bool match_dot(const arith_request *q, linear_shape *s)
{
    return contracted(q, s, TYPE_VEC);
}

bool match_ddot(const arith_request *q, linear_shape *s)
{
    return contracted(q, s, TYPE_MAT);
}

/* Vectors of three elements only. */
bool match_cross(const arith_request *q, linear_shape *s)
{
    return match_two(q, s) && is_vec(q->args[0]) && s->param[0] == 3;
}

bool match_skew(const arith_request *q, linear_shape *s)
{
    if (!match_reduce(q, s) || s->param[0] != 3)
        return false;
    s->result = type_mat(q->c, s->elem, 3, 3);
    return true;
}

/* Any two lengths; only the scalar types must agree. */
bool match_outer(const arith_request *q, linear_shape *s)
{
    if (q->n != 2 || !is_vec(q->args[0]) || !is_vec(q->args[1]) ||
        q->args[0]->elem != q->args[1]->elem)
        return false;
    of_rows(s, q->args[0], type_mat(q->c, q->args[0]->elem, q->args[0]->rows, q->args[1]->rows));
    s->param[1] = q->args[1]->rows;
    return true;
}

/* The matrix has as many columns as the vector has elements. */
bool match_mat_vec(const arith_request *q, linear_shape *s)
{
    if (q->n != 2 || !is_mat(q->args[0]) || !is_vec(q->args[1]) ||
        q->args[0]->elem != q->args[1]->elem || q->args[0]->cols != q->args[1]->rows)
        return false;
    of_rows(s, q->args[0], type_vec(q->c, q->args[0]->elem, q->args[0]->rows));
    return true;
}

/* The matrix has as many rows as the vector has elements. */
bool match_vec_mat(const arith_request *q, linear_shape *s)
{
    if (q->n != 2 || !is_vec(q->args[0]) || !is_mat(q->args[1]) ||
        q->args[0]->elem != q->args[1]->elem || q->args[0]->rows != q->args[1]->rows)
        return false;
    of_rows(s, q->args[1], type_vec(q->c, q->args[1]->elem, q->args[1]->cols));
    return true;
}

/* The inner sizes agree: (n, k) by (k, m) gives (n, m). */
bool match_mat_mat(const arith_request *q, linear_shape *s)
{
    const type *a = q->n == 2 ? q->args[0] : NULL, *b = a ? q->args[1] : NULL;
    if (!a || !is_mat(a) || !is_mat(b) || a->elem != b->elem || a->cols != b->rows)
        return false;
    of_rows(s, a, type_mat(q->c, a->elem, a->rows, b->cols));
    s->param[2] = b->cols;
    return true;
}

/* One matrix; with `square` it must be one. */
static bool one_mat(const arith_request *q, linear_shape *s, bool square)
{
    if (q->n != 1 || !is_mat(q->args[0]) || (square && q->args[0]->rows != q->args[0]->cols))
        return false;
    of_rows(s, q->args[0], q->args[0]);
    return true;
}

/* Rows and columns change places; param keeps those of the argument. */
bool match_transpose(const arith_request *q, linear_shape *s)
{
    if (!one_mat(q, s, false))
        return false;
    s->result = type_mat(q->c, s->elem, s->param[1], s->param[0]);
    return true;
}

/* The sum of the diagonal, of the scalar type. */
bool match_trace(const arith_request *q, linear_shape *s)
{
    if (!one_mat(q, s, true))
        return false;
    s->result = s->elem;
    return true;
}

/* A vector becomes the diagonal of a square matrix. */
bool match_diag(const arith_request *q, linear_shape *s)
{
    if (!match_reduce(q, s))
        return false;
    s->result = type_mat(q->c, s->elem, s->param[0], s->param[0]);
    return true;
}

bool match_get_diag(const arith_request *q, linear_shape *s)
{
    if (!one_mat(q, s, true))
        return false;
    s->result = type_vec(q->c, s->elem, s->param[0]);
    return true;
}

/* One square matrix of n rows. */
static bool square_of(const arith_request *q, linear_shape *s, int n)
{
    return one_mat(q, s, true) && s->param[0] == n;
}

bool match_square2(const arith_request *q, linear_shape *s)
{
    return square_of(q, s, 2);
}

bool match_square3(const arith_request *q, linear_shape *s)
{
    return square_of(q, s, 3);
}

bool match_square4(const arith_request *q, linear_shape *s)
{
    return square_of(q, s, 4);
}

bool match_volume2(const arith_request *q, linear_shape *s)
{
    return match_trace(q, s) && s->param[0] == 2;
}

bool match_volume3(const arith_request *q, linear_shape *s)
{
    return match_trace(q, s) && s->param[0] == 3;
}

bool match_volume4(const arith_request *q, linear_shape *s)
{
    return match_trace(q, s) && s->param[0] == 4;
}

/* transform_point and transform_vector: Warp has them for 4x4 matrices only. */
bool match_point(const arith_request *q, linear_shape *s)
{
    if (q->n != 2 || !is_mat(q->args[0]) || !is_vec(q->args[1]) || q->args[0]->rows != 4 ||
        q->args[0]->cols != 4 || q->args[1]->rows != 3 || q->args[0]->elem != q->args[1]->elem)
        return false;
    of_rows(s, q->args[0], q->args[1]);
    return true;
}

/* identity(n) has no argument in its native form: the result's type gives the size, so the request
 * must have it. */
bool match_identity(const arith_request *q, linear_shape *s)
{
    const type *t = q->n == 0 && q->nresults == 1 ? q->results[0] : NULL;
    if (!t || !is_mat(t) || t->rows != t->cols)
        return false;
    of_rows(s, t, t);
    return true;
}
