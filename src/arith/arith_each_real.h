/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the header REAL_BODY for float and for double, with plain C arithmetic: its function
 * REAL_FN(dot) becomes dot_f32 and dot_f64, and REAL is the type. For bodies that need neither
 * 16-bit floats nor tangents; arith_each_float.h has those. No guard: one inclusion for each
 * body. */
#define REAL          float
#define REAL_FN(name) name##_f32
#include REAL_BODY
#undef REAL
#undef REAL_FN

#define REAL          double
#define REAL_FN(name) name##_f64
#include REAL_BODY
#undef REAL
#undef REAL_FN
