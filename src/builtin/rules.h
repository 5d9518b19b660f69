/* The named rules that rows_*.def refer to, by the file they stand in. */
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
/* The scalar type that all arguments share, or NULL after a diagnostic. */
const type *rule_common_scalar(rule_call *k);
/* The type given as dtype, or NULL after a diagnostic. */
const type *rule_dtype_arg(rule_call *k);

#endif
