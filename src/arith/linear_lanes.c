/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors and matrices lane by lane: the table of sums, scaling, quotients, comparisons and
 * reductions. The functions are in body_lanes.h, body_lanes_float.h and body_bits.h.
 *
 *     (1, 2) + (3, 4) = (4, 6)      dot((1, 2), (3, 4)) = 11      max((5, 7, 7)) = 7
 *
 * A row: name, matching function (linear.h), functions by scalar kind, and whether Warp's adjoint
 * is known not to be the transposed tangent. Vectors and matrices have rows of their own where
 * Warp's adjoints add in different orders. */
#include "arith/linear.h"

/* What a truncating division leaves; floats have it in arith_number.h. */
#define LINEAR_MOD(KIND)                                                                           \
    static inline num_##KIND mod_##KIND(num_##KIND a, num_##KIND b)                                \
    {                                                                                              \
        return (num_##KIND)(a % b);                                                                \
    }
LINEAR_MOD(i8)
LINEAR_MOD(u8)
LINEAR_MOD(i16)
LINEAR_MOD(u16)
LINEAR_MOD(i32)
LINEAR_MOD(u32)
LINEAR_MOD(i64)
LINEAR_MOD(u64)

#define ARITH_BODY "arith/body_lanes.h"
#include "arith/arith_each_float.h"
#include "arith/arith_each_integer.h"
#undef ARITH_BODY
#define ARITH_BODY "arith/body_lanes_float.h"
#include "arith/arith_each_float.h"
#undef ARITH_BODY
#define ARITH_BODY "arith/body_bits.h"
#include "arith/arith_each_integer.h"
#undef ARITH_BODY

const linear_form linear_lanes[] = {
    {"==",
     match_compare,
     {LINEAR_INTEGERS_FLAT(lanes_equal), LINEAR_FLOATS_FLAT(lanes_equal)},
     false},
    {"abs", match_each, {LINEAR_ALL(lanes_abs, adj_lanes_abs)}, false},
    {"add", match_two, {LINEAR_ALL(lanes_add, adj_lanes_add)}, false},
    {"approx_div", match_vec_by, {LINEAR_FLOATS(div_by, adj_vec_div_by)}, false},
    {"approx_div", match_mat_by, {LINEAR_FLOATS(div_by, adj_mat_div_by)}, false},
    {"approx_div", match_by_vec, {LINEAR_FLOATS(div_of, adj_div_of)}, false},
    {"approx_div", match_by_mat, {LINEAR_FLOATS(div_of, adj_div_of)}, false},
    {"div_approx", match_vec_by, {LINEAR_FLOATS(div_by, adj_vec_div_by)}, false},
    {"div_approx", match_mat_by, {LINEAR_FLOATS(div_by, adj_mat_div_by)}, false},
    {"div_approx", match_by_vec, {LINEAR_FLOATS(div_of, adj_div_of)}, false},
    {"div_approx", match_by_mat, {LINEAR_FLOATS(div_of, adj_div_of)}, false},
    {"argmax", match_place, {LINEAR_INTEGERS_FLAT(argmax), LINEAR_FLOATS_FLAT(argmax)}, false},
    {"argmin", match_place, {LINEAR_INTEGERS_FLAT(argmin), LINEAR_FLOATS_FLAT(argmin)}, false},
    {"bit_and", match_two, {LINEAR_INTEGERS_FLAT(lanes_and)}, false},
    {"bit_or", match_two, {LINEAR_INTEGERS_FLAT(lanes_or)}, false},
    {"bit_xor", match_two, {LINEAR_INTEGERS_FLAT(lanes_xor)}, false},
    {"cw_div", match_two, {LINEAR_ALL(cw_div, adj_cw_div)}, false},
    {"cw_mul", match_two, {LINEAR_ALL(cw_mul, adj_cw_mul)}, false},
    {"ddot", match_ddot, {LINEAR_ALL(ddot, adj_dot)}, false},
    {"div", match_vec_by, {LINEAR_ALL(div_by, adj_vec_div_by)}, false},
    {"div", match_mat_by, {LINEAR_ALL(div_by, adj_mat_div_by)}, false},
    {"div", match_by_vec, {LINEAR_ALL(div_of, adj_div_of)}, false},
    {"div", match_by_mat, {LINEAR_ALL(div_of, adj_div_of)}, false},
    {"dot", match_dot, {LINEAR_ALL(dot, adj_dot)}, false},
    {"invert", match_each, {LINEAR_INTEGERS_FLAT(lanes_invert)}, false},
    {"isfinite", match_test, {LINEAR_FLOATS_FLAT(lanes_isfinite)}, false},
    {"isinf", match_test, {LINEAR_FLOATS_FLAT(lanes_isinf)}, false},
    {"isnan", match_test, {LINEAR_FLOATS_FLAT(lanes_isnan)}, false},
    {"length", match_reduce, {LINEAR_FLOATS(length, adj_length)}, false},
    {"length_sq", match_reduce, {LINEAR_ALL(length_sq, adj_length_sq)}, false},
    {"lerp", match_vec_lerp, {LINEAR_FLOATS(lanes_lerp, adj_vec_lerp)}, false},
    {"lerp", match_mat_lerp, {LINEAR_FLOATS(lanes_lerp, adj_mat_lerp)}, false},
    {"lshift", match_two, {LINEAR_INTEGERS_FLAT(lanes_lshift)}, false},
    {"max", match_reduce, {LINEAR_ALL(vec_max, adj_vec_max)}, false},
    {"max",
     match_two,
     {LINEAR_INTEGERS_FLAT(lanes_max), LINEAR_FLOATS(lanes_max, adj_lanes_max)},
     false},
    {"min", match_reduce, {LINEAR_ALL(vec_min, adj_vec_min)}, false},
    {"min",
     match_two,
     {LINEAR_INTEGERS_FLAT(lanes_min), LINEAR_FLOATS(lanes_min, adj_lanes_min)},
     false},
    {"mod", match_two, {LINEAR_INTEGERS_FLAT(vec_mod), LINEAR_FLOATS_FORWARD(vec_mod)}, true},
    {"mul", match_vec_by, {LINEAR_ALL(mul_by, adj_vec_mul_by)}, false},
    {"mul", match_mat_by, {LINEAR_ALL(mul_by, adj_mat_mul_by)}, false},
    {"mul", match_by_vec, {LINEAR_ALL(mul_of, adj_vec_mul_of)}, false},
    {"mul", match_by_mat, {LINEAR_ALL(mul_of, adj_mat_mul_of)}, false},
    {"neg", match_each, {LINEAR_ALL(lanes_neg, adj_lanes_neg)}, false},
    {"normalize", match_normalize, {LINEAR_FLOATS(vec_normalize, adj_vec_normalize)}, false},
    {"pos", match_each, {LINEAR_ALL(lanes_pos, adj_lanes_pos)}, false},
    {"rshift", match_two, {LINEAR_INTEGERS_FLAT(lanes_rshift)}, false},
    {"sign",
     match_each,
     {LINEAR_INTEGERS_FLAT(lanes_sign), LINEAR_FLOATS_FORWARD(lanes_sign)},
     false},
    {"sub", match_two, {LINEAR_ALL(lanes_sub, adj_lanes_sub)}, false},
    {0},
};
