/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the header ARITH_BODY for values of each integer kind (arith_template.h).
 * No guard: one inclusion for each body. */
#include "arith/arith_template.h"

#define ARITH_KIND i8
#define ARITH_OPS  i8
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND u8
#define ARITH_OPS  u8
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND i16
#define ARITH_OPS  i16
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND u16
#define ARITH_OPS  u16
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND i32
#define ARITH_OPS  i32
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND u32
#define ARITH_OPS  u32
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND i64
#define ARITH_OPS  i64
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT

#define ARITH_KIND u64
#define ARITH_OPS  u64
#define TANGENT    0
#include ARITH_BODY
#undef ARITH_KIND
#undef ARITH_OPS
#undef TANGENT
