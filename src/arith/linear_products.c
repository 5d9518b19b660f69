/* SPDX-License-Identifier: Apache-2.0 */
/* Products of vectors and matrices, and matrices made of the lanes of others: the table of forms.
 * The functions are in body_products.h.
 *
 *     ((1, 2), (3, 4)) * (1, 1)  = (3, 7)           outer((1, 2), (3, 4)) = (3, 4), (6, 8)
 *     (1, 1) * ((1, 2), (3, 4))  = (4, 6)           skew((1, 2, 3)) * v   = cross((1, 2, 3), v)
 *
 * The columns are those of linear_lanes.c. */
#include "arith/linear.h"

#define ARITH_BODY "arith/body_products.h"
#include "arith/arith_each_float.h"
#include "arith/arith_each_integer.h"
#undef ARITH_BODY

const linear_form linear_products[] = {
    {"cross", match_cross, {LINEAR_ALL(cross, adj_cross)}, false},
    {"diag", match_diag, {LINEAR_ALL(diag, adj_diag)}, false},
    {"get_diag", match_get_diag, {LINEAR_ALL(get_diag, adj_get_diag)}, false},
    {"identity",
     match_identity,
     {LINEAR_INTEGERS_FLAT(identity), LINEAR_FLOATS_FLAT(identity)},
     false},
    {"mul", match_mat_vec, {LINEAR_ALL(mat_vec, adj_mat_vec)}, false},
    {"mul", match_vec_mat, {LINEAR_ALL(vec_mat, adj_vec_mat)}, false},
    {"mul", match_mat_mat, {LINEAR_ALL(mat_mat, adj_mat_mat)}, false},
    {"outer", match_outer, {LINEAR_ALL(outer, adj_outer)}, false},
    {"skew", match_skew, {LINEAR_ALL(skew, adj_skew)}, false},
    {"trace", match_trace, {LINEAR_ALL(trace, adj_trace)}, false},
    {"transpose", match_transpose, {LINEAR_ALL(transpose, adj_transpose)}, false},
    {0},
};
