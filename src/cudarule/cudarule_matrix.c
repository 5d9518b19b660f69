/* SPDX-License-Identifier: Apache-2.0 */
/* Products of vectors and matrices, and matrices made of the lanes of others. The rule's text is
 * made for the sizes, then applied like a row of the tables (cudarule_apply.c); short sums are
 * written out:
 *
 *     mul(m, v), mat22 and vec2   ->   m * v, with
 *     __device__ inline vec2 operator*(mat22 a, vec2 b)
 *     {
 *         return vec2{a.m[0][0] * b.x + a.m[0][1] * b.y, a.m[1][0] * b.x + a.m[1][1] * b.y};
 *     }
 *
 *     trace(m), mat22             ->   trace(m), by the rule "return a[0][0] + a[1][1];"
 *
 * The order of additions is that of Warp 1.19 native/mat.h, so that sums round alike. */
#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_family.h"
#include "cudarule/cudarule_type.h"

/* Both are given as texts: "a[1] * b[0]". */
static str product(cuda_defs *n, str a, str b)
{
    return cuda_text(n, "@ * @", a, b);
}

/* "a[1]", in the language of rules. */
static str at(cuda_defs *n, const char *name, int i)
{
    return cuda_text(n, "@[@]", str_c(name), cuda_decimal(n, i));
}

/* "a[1][0]". */
static str at2(cuda_defs *n, const char *name, int i, int j)
{
    return cuda_text(n, "@[@][@]", str_c(name), cuda_decimal(n, i), cuda_decimal(n, j));
}

/* One more item in a list whose items are separated by `by`. */
static str joined(cuda_defs *n, str list, const char *by, str item)
{
    return list.n ? cuda_text(n, "@@@", list, str_c(by), item) : item;
}

/* Vectors with letters are written out; others are gone through by loops. */
static bool is_short(const type *t)
{
    return cuda_has_letters(t);
}

/* The pattern with sizes in place of '@': "for (i, 0, @) ...". */
static str sized(cuda_defs *n, const char *pattern, int rows, int cols, int inner)
{
    return cuda_text(n, pattern, cuda_decimal(n, rows), cuda_decimal(n, cols),
                     cuda_decimal(n, inner));
}

/* Row by row: "return R(a[0][0] * b[0] + a[0][1] * b[1], ...);". */
static str mat_vec(cuda_defs *n, const type *m)
{
    str items = STR("");
    for (int i = 0; i < m->rows; i++) {
        str sum = STR("");
        for (int j = 0; j < m->cols; j++)
            sum = joined(n, sum, " + ", product(n, at2(n, "a", i, j), at(n, "b", j)));
        items = joined(n, items, ", ", sum);
    }
    return cuda_text(n, "return R(@);", items);
}

/* Column by column. */
static str vec_mat(cuda_defs *n, const type *m)
{
    str items = STR("");
    for (int j = 0; j < m->cols; j++) {
        str sum = STR("");
        for (int i = 0; i < m->rows; i++)
            sum = joined(n, sum, " + ", product(n, at(n, "a", i), at2(n, "b", i, j)));
        items = joined(n, items, ", ", sum);
    }
    return cuda_text(n, "return R(@);", items);
}

/* Each lane of a with each of b. */
static str outer_text(cuda_defs *n, const type *a, const type *b)
{
    if (!is_short(a) || !is_short(b))
        return sized(n, "R t; for (i, 0, @) for (j, 0, @) t[i][j] = a[i] * b[j]; return t;",
                     a->rows, b->rows, 0);
    str items = STR("");
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->rows; j++)
            items = joined(n, items, ", ", product(n, at(n, "a", i), at(n, "b", j)));
    return cuda_text(n, "return R(@);", items);
}

/* A zero matrix whose diagonal is set. */
static str diagonal_text(cuda_defs *n, const type *v)
{
    str text = STR("R t = R();");
    for (int i = 0; i < v->rows; i++)
        text = cuda_text(n, "@ @ = @;", text, at2(n, "t", i, i), at(n, "a", i));
    return cuda_text(n, "@ return t;", text);
}

/* The diagonal's elements, joined by `by`, in the pattern: a sum for trace, a list for get_diag. */
static str list_of_diagonal(cuda_defs *n, const type *m, const char *by, const char *pattern)
{
    str items = STR("");
    for (int i = 0; i < m->rows; i++)
        items = joined(n, items, by, at2(n, "a", i, i));
    return cuda_text(n, pattern, items);
}

/* Ones on the diagonal of a zero matrix. */
static str identity_text(cuda_defs *n, const type *m)
{
    str text = STR("R t = R();");
    for (int i = 0; i < m->rows; i++)
        text = cuda_text(n, "@ @ = 1;", text, at2(n, "t", i, i));
    return cuda_text(n, "@ return t;", text);
}

/* The product of two matrices, of a matrix and a vector, or of a vector and a matrix. Warp
 * accumulates that of two matrices with muladd. */
static str product_text(cuda_defs *n, const type *a, const type *b)
{
    WEFT_ASSERT(a->kind == TYPE_MAT || b->kind == TYPE_MAT);
    if (a->kind == TYPE_MAT && b->kind == TYPE_MAT)
        return sized(n,
                     "R t; for (i, 0, @) for (j, 0, @) { T sum = 0;"
                     " for (k, 0, @) sum = muladd(a[i][k], b[k][j], sum);"
                     " t[i][j] = sum; } return t;",
                     a->rows, b->cols, a->cols);
    const bool left = a->kind == TYPE_MAT;
    const type *m = left ? a : b;
    if ((left ? m->rows : m->cols) <= 4)
        return left ? mat_vec(n, m) : vec_mat(n, m);
    return left ? sized(n,
                        "R t; for (i, 0, @) { T sum = a[i][0] * b[0];"
                        " for (j, 1, @) sum += a[i][j] * b[j]; t[i] = sum; } return t;",
                        m->rows, m->cols, 0)
                : sized(n,
                        "R t; for (j, 0, @) { T sum = a[0] * b[0][j];"
                        " for (i, 1, @) sum += a[i] * b[i][j]; t[j] = sum; } return t;",
                        m->cols, m->rows, 0);
}

/* Do the inner sizes agree? */
static bool is_product(const type *a, const type *b)
{
    const bool am = a->kind == TYPE_MAT, bm = b->kind == TYPE_MAT;
    if (am && bm)
        return a->cols == b->rows;
    return am ? b->kind == TYPE_VEC && a->cols == b->rows
              : bm && a->kind == TYPE_VEC && a->rows == b->rows;
}

/* The sizes that remain. */
static const type *product_type(cuda_defs *n, const type *a, const type *b)
{
    if (a->kind == TYPE_MAT && b->kind == TYPE_MAT)
        return type_mat(n->c, a->elem, a->rows, b->cols);
    return a->kind == TYPE_MAT ? type_vec(n->c, a->elem, a->rows)
                               : type_vec(n->c, a->elem, b->cols);
}

/* The rule's text, and its result's type; empty: the call is not one of these. */
static str text_for(cuda_defs *n, str name, const type *const *t, uint32_t nargs,
                    const type **result)
{
    ctx *c = n->c;
    if (nargs == 0 && *result && str_eq(name, STR("identity")))
        return identity_text(n, *result);
    const bool vec = nargs > 0 && t[0]->kind == TYPE_VEC, mat = nargs > 0 && t[0]->kind == TYPE_MAT;
    if (nargs == 2 && str_eq(name, STR("mul")) && is_product(t[0], t[1])) {
        *result = product_type(n, t[0], t[1]);
        return product_text(n, t[0], t[1]);
    }
    if (nargs == 2 && vec && t[1]->kind == TYPE_VEC && str_eq(name, STR("outer"))) {
        *result = type_mat(c, t[0]->elem, t[0]->rows, t[1]->rows);
        return outer_text(n, t[0], t[1]);
    }
    if (nargs != 1)
        return STR("");
    if (mat && str_eq(name, STR("transpose"))) {
        *result = type_mat(c, t[0]->elem, t[0]->cols, t[0]->rows);
        return sized(n, "R t; for (i, 0, @) for (j, 0, @) t[i][j] = a[j][i]; return t;", t[0]->cols,
                     t[0]->rows, 0);
    }
    if (mat && str_eq(name, STR("trace"))) {
        *result = t[0]->elem;
        return list_of_diagonal(n, t[0], " + ", "return @;");
    }
    if (mat && str_eq(name, STR("get_diag"))) {
        *result = type_vec(c, t[0]->elem, t[0]->rows);
        return list_of_diagonal(n, t[0], ", ", "return R(@);");
    }
    if (vec && str_eq(name, STR("diag"))) {
        *result = type_mat(c, t[0]->elem, t[0]->rows, t[0]->rows);
        return diagonal_text(n, t[0]);
    }
    return STR("");
}

/* CUDA_NONE: not one of these, or an argument that is no value. An identity has a name with its
 * type, since functions without parameters cannot be overloaded. */
cuda_expr cuda_matrix(cuda_defs *n, str name, const type *result, const cuda_expr *args,
                      uint32_t nargs)
{
    cuda_binding b = {.nargs = nargs};
    if (nargs > 2)
        return CUDA_NONE;
    for (uint32_t i = 0; i < nargs; i++) {
        b.args[i] = args[i].type;
        if (!b.args[i] || !type_is_value(b.args[i]))
            return CUDA_NONE;
    }
    const str text = text_for(n, name, b.args, nargs, &result);
    if (!text.n)
        return CUDA_NONE;
    b.result = result;
    b.scalar = type_scalar_of(nargs ? b.args[0] : result);
    const str plain = nargs ? name : cuda_text(n, "identity_@", cuda_type_name(n, result));
    const cuda_rule rule = {.name = arena_dup(n->a, plain.p, plain.n), .text = text.p};
    return cuda_apply(n, &rule, &b, args);
}
