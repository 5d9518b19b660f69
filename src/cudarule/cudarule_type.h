/* SPDX-License-Identifier: Apache-2.0 */
/* Types as CUDA C++ knows them, and how their lanes are reached. */
#ifndef WEFT_CUDARULE_TYPE_H
#define WEFT_CUDARULE_TYPE_H

#include "cudarule/cudarule_text.h"

/* "float", "vec3", "mat33", "quat", "__half"; its definition is needed from now on. Empty: no form.
 */
str cuda_type_name(cuda_defs *n, const type *t);
/* Are its scalars the members x, y, z, w? */
bool cuda_has_letters(const type *t);
int cuda_lanes(const type *t);
/* How lane k of a value of the type is reached: ".x", ".c[4]", ".m[1][2]", ".q.w". */
str cuda_lane(cuda_defs *n, const type *t, int k);
/* The same in a loop over i, or over i and j of matrices. */
str cuda_lane_in_loop(cuda_defs *n, const type *t);
str cuda_loop_name(const cuda_defs *n, bool col);
cuda_expr cuda_lane_of(cuda_defs *n, const cuda_expr *e, int k);

#endif
