/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the header ARITH_BODY for each float kind and for its tangents (arith_template.h): a
 * function FN(dot) of the body becomes dot_f16, dot_bf16, dot_f32, dot_f64 and the tangents
 * dot_f16_d to dot_f64_d, which compute with dual numbers. No guard: one inclusion for each
 * body. */
#include "arith/arith_template.h"

#define ARITH_KIND f16
#define ARITH_OPS  f16
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND bf16
#define ARITH_OPS  bf16
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#include "arith/arith_float32.h"

#define ARITH_KIND f64
#define ARITH_OPS  f64
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

/* The other tangents: the same bodies with dual numbers. Operands are read and written as the kind
 * says, and everything between is double (ARITH_DUAL_ACCESS). */
#define ARITH_KIND f16_d
#define ARITH_OPS  dual
#define TANGENT    1
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND bf16_d
#define ARITH_OPS  dual
#define TANGENT    1
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND f64_d
#define ARITH_OPS  dual
#define TANGENT    1
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT
