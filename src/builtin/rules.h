/* SPDX-License-Identifier: Apache-2.0 */
/* The named rules that rows_*.def refer to, by the file they are in: rule_NAME for the column
 * "result rule", dispatch_NAME for the column "dispatch rule". Example: RULED("add(a: Scalar, b:
 * Scalar)", same, 0) is expanded to &rule_same (rule_type.c). */
#ifndef WEFT_BUILTIN_RULES_H
#define WEFT_BUILTIN_RULES_H

#include "builtin/rule.h"

/* rule_array.c */
extern const result_rule rule_address, rule_view, rule_array_store, rule_store, rule_atomic_add,
    rule_atomic_sub, rule_atomic_min, rule_atomic_max, rule_atomic_cas, rule_atomic_exch,
    rule_atomic_and, rule_atomic_or, rule_atomic_xor, rule_array, rule_zeros;
dispatch_rule dispatch_store;
dispatch_rule dispatch_load;
dispatch_rule dispatch_array;
dispatch_rule dispatch_zeros;

/* rule_construct.c */
extern const result_rule rule_vector, rule_matrix, rule_from_cols, rule_from_rows, rule_identity,
    rule_quaternion, rule_quat_identity, rule_transform_identity, rule_transform_pq, rule_transform,
    rule_spatial_vector;
dispatch_rule dispatch_vector;
dispatch_rule dispatch_matrix;
dispatch_rule dispatch_from_vectors;
dispatch_rule dispatch_identity;
dispatch_rule dispatch_quaternion;
dispatch_rule dispatch_scalar_template;
dispatch_rule dispatch_transform;
dispatch_rule dispatch_spatial_vector;

/* rule_element.c */
extern const result_rule rule_extract_vector, rule_extract_matrix, rule_scalar_ref, rule_row_ref,
    rule_tuple, rule_extract_tuple, rule_slice, rule_static_len;
dispatch_rule dispatch_shape_template;
dispatch_rule dispatch_extract_matrix;
dispatch_rule dispatch_ref_first;
dispatch_rule dispatch_assign_vector;
dispatch_rule dispatch_assign_matrix;
dispatch_rule dispatch_extract_tuple;

/* rule_linear.c */
extern const result_rule rule_mat_vec, rule_vec_mat, rule_mat_mat, rule_outer, rule_transpose,
    rule_trace, rule_get_diag, rule_diag, rule_svd, rule_qr, rule_eig, rule_axis_angle;

/* rule_type.c */
extern const result_rule rule_same, rule_first, rule_scalar, rule_scalar_of_same, rule_vec3,
    rule_quat, rule_mat33, rule_mat66, rule_transform_of, rule_scaled, rule_lerp, rule_equal_types,
    rule_copy, rule_where, rule_removed, rule_dtype, rule_printf, rule_volume, rule_volume_grad,
    rule_volume_store, rule_volume_index, rule_volume_index_grad, rule_texture;
dispatch_rule dispatch_dtype_template;
dispatch_rule dispatch_printf;
dispatch_rule dispatch_varargs;
/* The type given as dtype, or NULL after a diagnostic. */
const type *rule_dtype_arg(rule_call *k);

/* rule_tile.c */
extern const result_rule rule_tile_filled, rule_tile_ones, rule_tile_full, rule_tile_from_thread,
    rule_tile_randi, rule_tile_randf, rule_tile_arange, rule_tile_load, rule_tile_load_indexed,
    rule_tile_store, rule_tile_store_indexed, rule_tile_atomic_add, rule_tile_atomic_add_indexed;
dispatch_rule dispatch_tile_filled;
dispatch_rule dispatch_tile_value;
dispatch_rule dispatch_tile_randi;
dispatch_rule dispatch_tile_randf;
dispatch_rule dispatch_tile_arange;
dispatch_rule dispatch_tile_load;
dispatch_rule dispatch_tile_load_indexed;
dispatch_rule dispatch_tile_store;
dispatch_rule dispatch_tile_store_indexed;
dispatch_rule dispatch_tile_atomic_add;

/* rule_tile_view.c */
extern const result_rule rule_tile_view, rule_tile_slice_indexed, rule_tile_squeeze,
    rule_tile_reshape, rule_tile_astype, rule_tile_transpose, rule_tile_broadcast, rule_tile_assign,
    rule_tile_extract, rule_tile_scatter, rule_tile_inplace;
dispatch_rule dispatch_tile_view;
dispatch_rule dispatch_tile_slice_indexed;
dispatch_rule dispatch_tile_as_result;
dispatch_rule dispatch_tile_broadcast;
dispatch_rule dispatch_tile_assign;
dispatch_rule dispatch_tile_scatter_add;

/* rule_tile_linear.c */
extern const result_rule rule_tile_diag_add, rule_tile_product, rule_tile_product_added,
    rule_tile_product_complex, rule_tile_transform, rule_tile_cholesky, rule_tile_cholesky_inplace,
    rule_tile_solve, rule_tile_solve_inplace;
dispatch_rule dispatch_tile_diag_add;
dispatch_rule dispatch_tile_matmul;
dispatch_rule dispatch_tile_transform;
dispatch_rule dispatch_tile_cholesky;
dispatch_rule dispatch_tile_cholesky_solve;
dispatch_rule dispatch_tile_lower_solve;
dispatch_rule dispatch_tile_upper_solve;

/* rule_tile_map.c */
extern const result_rule rule_tile_from_threads, rule_untile, rule_tile_reduced, rule_tile_folded,
    rule_tile_position, rule_tile_reduced_axis, rule_tile_dot, rule_tile_axpy, rule_tile_sort,
    rule_tile_scan, rule_tile_map, rule_tile_unary, rule_tile_binary, rule_tile_bitwise,
    rule_tile_scaled, rule_tile_inplace_tile, rule_tile_stack, rule_tile_stack_push,
    rule_tile_stack_pop, rule_tile_stack_clear, rule_tile_stack_count, rule_tile_query_next;
dispatch_rule dispatch_tile_from_threads;
dispatch_rule dispatch_tile_sum_axis;
dispatch_rule dispatch_tile_reduce_axis;
dispatch_rule dispatch_tile_map;
dispatch_rule dispatch_tile_swapped;
dispatch_rule dispatch_tile_stack;

#endif
