/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the header ARITH_BODY for float32, then for its tangent (arith_template.h): FN(dot)
 * becomes dot_f32 and dot_f32_d. For bodies of functions that Warp has for float32 alone; others
 * are compiled by arith_each_float.h, of which this is a part. No guard: one inclusion for each
 * body. */
#include "arith/arith_template.h"

#define ARITH_KIND f32
#define ARITH_OPS  f32
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND f32_d
#define ARITH_OPS  dual
#define TANGENT    1
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT
