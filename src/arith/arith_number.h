/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of each scalar kind as C computes with them, and their operations as Warp's CPU device
 * does them: integers wrap around, 16-bit floats are computed in float and rounded after each
 * operation. Bodies written once for all kinds use these through arith_template.h.
 *
 *     add_u8(200, 100)          44         the int sum 300, cut
 *     add_f16(2048, 1)          2048       2049 is no float16; ties go to even
 *     div_status_i32(1, 0)      ARITH_DIVIDES_BY_ZERO
 *     min_f32(NAN, 1)           1
 *
 * Every function is NAME_KIND, so that a macro can paste the kind. */
#ifndef WEFT_ARITH_NUMBER_H
#define WEFT_ARITH_NUMBER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "arith/arith_op.h"
#include "fmath/fmath.h"

/* What a value of the kind is computed in. */
typedef bool num_b8;
typedef int8_t num_i8;
typedef uint8_t num_u8;
typedef int16_t num_i16;
typedef uint16_t num_u16;
typedef int32_t num_i32;
typedef uint32_t num_u32;
typedef int64_t num_i64;
typedef uint64_t num_u64;
typedef float num_f16, num_bf16, num_f32;
typedef double num_f64;

static inline uint32_t bits_of_float(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline float float_of_bits(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* The bits of the nearest float16, ties to even. NaN becomes 0x7e00 with the sign of x.
 *
 *     1.0f       0x3c00        65504.0f   0x7bff, the largest
 *     65520.0f   0x7c00        2^-25      0: a tie, to even */
static inline uint16_t half_of_float(float x)
{
    const uint32_t bits = bits_of_float(x), sign = bits >> 16 & 0x8000;
    uint32_t u = bits & 0x7fffffff;
    if (u > 0x7f800000)
        u = 0x7e00;
    else if (u >= 0x477ff000) /* 65520 and more */
        u = 0x7c00;
    else if (u < 0x38800000) /* below 2^-14; a sum with 0.5 is rounded to multiples of 2^-24 */
        u = bits_of_float(float_of_bits(u) + 0.5f) - 0x3f000000;
    else
        u = (u - 0x38000000 + 0xfff + (u >> 13 & 1)) >> 13;
    return (uint16_t)(sign | u);
}

/* Exact. Infinity and NaN, then subnormal numbers (multiples of 2^-24), then the others, whose
 * exponent grows by 112. */
static inline float float_of_half(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, u = (uint32_t)(h & 0x7fff) << 13;
    if (u >= 0x0f800000)
        return float_of_bits(sign | 0x7f800000 | u);
    if (u < 0x00800000)
        return float_of_bits(sign | bits_of_float((float)(h & 0x7fff) * 0x1p-24f));
    return float_of_bits(sign | (u + 0x38000000));
}

/* The bits of the nearest bfloat16, ties to even: the upper half of the float32, rounded. A NaN
 * stays one by its quiet bit, which the rounding could carry away.
 *
 *     1.0f       0x3f80        1.00390625f   0x3f80: a tie, to even */
static inline uint16_t bfloat_of_float(float x)
{
    uint32_t u = bits_of_float(x);
    if ((u & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(u >> 16 | 0x40);
    u += 0x7fff + (u >> 16 & 1);
    return (uint16_t)(u >> 16);
}

static inline float float_of_bfloat(uint16_t h)
{
    return float_of_bits((uint32_t)h << 16);
}

/* rounded_KIND: a result of C's arithmetic as a variable of the kind holds it. */
static inline float rounded_f16(float x)
{
    return float_of_half(half_of_float(x));
}

static inline float rounded_bf16(float x)
{
    return float_of_bfloat(bfloat_of_float(x));
}

static inline float rounded_f32(float x)
{
    return x;
}

static inline double rounded_f64(double x)
{
    return x;
}

/* load_KIND and store_KIND: element i of values in memory. */
static inline float load_f16(const void *p, int i)
{
    return float_of_half(((const uint16_t *)p)[i]);
}

static inline float load_bf16(const void *p, int i)
{
    return float_of_bfloat(((const uint16_t *)p)[i]);
}

static inline void store_f16(void *p, int i, float x)
{
    ((uint16_t *)p)[i] = half_of_float(x);
}

static inline void store_bf16(void *p, int i, float x)
{
    ((uint16_t *)p)[i] = bfloat_of_float(x);
}

static inline bool load_b8(const void *p, int i)
{
    return ((const uint8_t *)p)[i] != 0;
}

static inline void store_b8(void *p, int i, bool x)
{
    ((bool *)p)[i] = x;
}

/* Of kinds whose C type is also that of memory. Addresses are aligned for it (arith_op.h). */
#define NUMBER_MEMORY(KIND)                                                                        \
    static inline num_##KIND load_##KIND(const void *p, int i)                                     \
    {                                                                                              \
        return ((const num_##KIND *)p)[i];                                                         \
    }                                                                                              \
    static inline void store_##KIND(void *p, int i, num_##KIND x)                                  \
    {                                                                                              \
        ((num_##KIND *)p)[i] = x;                                                                  \
    }

NUMBER_MEMORY(i8)
NUMBER_MEMORY(u8)
NUMBER_MEMORY(i16)
NUMBER_MEMORY(u16)
NUMBER_MEMORY(i32)
NUMBER_MEMORY(u32)
NUMBER_MEMORY(i64)
NUMBER_MEMORY(u64)
NUMBER_MEMORY(f32)
NUMBER_MEMORY(f64)

/* fits_KIND: can the kind hold x without its fraction? Else C++ leaves open what a conversion
 * gives: -0.5 fits uint8 as 0, but -1.0 does not. Both bounds are excluded; that of int64 is the
 * next number below the smallest. */
#define NUMBER_RANGE(KIND, above, below)                                                           \
    static inline bool fits_##KIND(double x)                                                       \
    {                                                                                              \
        return x > (above) && x < (below);                                                         \
    }

NUMBER_RANGE(i8, -0x81p0, 0x1p7)
NUMBER_RANGE(u8, -1.0, 0x1p8)
NUMBER_RANGE(i16, -0x8001p0, 0x1p15)
NUMBER_RANGE(u16, -1.0, 0x1p16)
NUMBER_RANGE(i32, -0x80000001p0, 0x1p31)
NUMBER_RANGE(u32, -1.0, 0x1p32)
NUMBER_RANGE(i64, -0x1.0000000000001p63, 0x1p63)
NUMBER_RANGE(u64, -1.0, 0x1p64)

/* Any number is a bool or a float. */
#define NUMBER_NO_RANGE(KIND)                                                                      \
    static inline bool fits_##KIND(double x)                                                       \
    {                                                                                              \
        (void)x;                                                                                   \
        return true;                                                                               \
    }

NUMBER_NO_RANGE(b8)
NUMBER_NO_RANGE(f16)
NUMBER_NO_RANGE(bf16)
NUMBER_NO_RANGE(f32)
NUMBER_NO_RANGE(f64)

/* moves_KIND: has it a tangent that is not zero? Only dual numbers have. */
#define NUMBER_COMPARISONS(KIND)                                                                   \
    static inline bool moves_##KIND(num_##KIND a)                                                  \
    {                                                                                              \
        (void)a;                                                                                   \
        return false;                                                                              \
    }                                                                                              \
    static inline bool less_##KIND(num_##KIND a, num_##KIND b)                                     \
    {                                                                                              \
        return a < b;                                                                              \
    }                                                                                              \
    static inline bool equal_##KIND(num_##KIND a, num_##KIND b)                                    \
    {                                                                                              \
        return a == b;                                                                             \
    }

NUMBER_COMPARISONS(i8)
NUMBER_COMPARISONS(u8)
NUMBER_COMPARISONS(i16)
NUMBER_COMPARISONS(u16)
NUMBER_COMPARISONS(i32)
NUMBER_COMPARISONS(u32)
NUMBER_COMPARISONS(i64)
NUMBER_COMPARISONS(u64)
NUMBER_COMPARISONS(f16)
NUMBER_COMPARISONS(bf16)
NUMBER_COMPARISONS(f32)
NUMBER_COMPARISONS(f64)

/* Integers; WIDE is an unsigned type in which sums and products wrap around: signed overflow is
 * undefined in C, also that of two promoted uint16. Call div only where div_status is ARITH_OK, for
 * C leaves the others undefined and x86 stops the process. SMALLEST: the value that cannot be
 * divided by -1; 0: there is none. */
#define NUMBER_INTEGER(KIND, WIDE, SIGNED, SMALLEST)                                               \
    static inline num_##KIND from_##KIND(double x)                                                 \
    {                                                                                              \
        return (num_##KIND)x;                                                                      \
    }                                                                                              \
    static inline num_##KIND add_##KIND(num_##KIND a, num_##KIND b)                                \
    {                                                                                              \
        return (num_##KIND)((WIDE)a + (WIDE)b);                                                    \
    }                                                                                              \
    static inline num_##KIND sub_##KIND(num_##KIND a, num_##KIND b)                                \
    {                                                                                              \
        return (num_##KIND)((WIDE)a - (WIDE)b);                                                    \
    }                                                                                              \
    static inline num_##KIND mul_##KIND(num_##KIND a, num_##KIND b)                                \
    {                                                                                              \
        return (num_##KIND)((WIDE)a * (WIDE)b);                                                    \
    }                                                                                              \
    static inline num_##KIND neg_##KIND(num_##KIND a)                                              \
    {                                                                                              \
        return (num_##KIND)(0 - (WIDE)a);                                                          \
    }                                                                                              \
    static inline arith_status div_status_##KIND(num_##KIND a, num_##KIND b)                       \
    {                                                                                              \
        if (b == 0)                                                                                \
            return ARITH_DIVIDES_BY_ZERO;                                                          \
        return (SMALLEST) && a == (num_##KIND)(SMALLEST) && b == (num_##KIND)(-1)                  \
                   ? ARITH_OVERFLOWS                                                               \
                   : ARITH_OK;                                                                     \
    }                                                                                              \
    static inline num_##KIND div_##KIND(num_##KIND a, num_##KIND b)                                \
    {                                                                                              \
        WEFT_ASSERT(div_status_##KIND(a, b) == ARITH_OK);                                          \
        return (num_##KIND)(a / b);                                                                \
    }                                                                                              \
    static inline num_##KIND min_##KIND(num_##KIND a, num_##KIND b)                                \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    static inline num_##KIND max_##KIND(num_##KIND a, num_##KIND b)                                \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    /* a < 1 and not a < 0, of which compilers warn for unsigned kinds; -0 is 0 */                 \
    static inline num_##KIND abs_##KIND(num_##KIND a)                                              \
    {                                                                                              \
        return (SIGNED) && a < (num_##KIND)1 ? neg_##KIND(a) : a;                                  \
    }

/* Narrow quotients are computed in int and cannot overflow there: Warp's -128 / -1 is -128. */
NUMBER_INTEGER(i8, uint32_t, true, 0)
NUMBER_INTEGER(u8, uint32_t, false, 0)
NUMBER_INTEGER(i16, uint32_t, true, 0)
NUMBER_INTEGER(u16, uint32_t, false, 0)
NUMBER_INTEGER(i32, uint32_t, true, INT32_MIN)
NUMBER_INTEGER(u32, uint32_t, false, 0)
NUMBER_INTEGER(i64, uint64_t, true, INT64_MIN)
NUMBER_INTEGER(u64, uint64_t, false, 0)

/* Floats; S is the suffix of C's functions. min and max as Warp's: what is no NaN wins. */
/* NAME_KIND(x) by a C function, rounded to the kind. Those of fmath round alike on every
 * machine; the others, such as sqrt, are exact or correctly rounded in C already. */
#define NUMBER_FUNCTION(KIND, name, call)                                                          \
    static inline num_##KIND name##_##KIND(num_##KIND x)                                           \
    {                                                                                              \
        return rounded_##KIND(call(x));                                                            \
    }

/* The same of two numbers and a C expression. */
#define NUMBER_OPERATOR(KIND, name, expression)                                                    \
    static inline num_##KIND name##_##KIND(num_##KIND a, num_##KIND b)                             \
    {                                                                                              \
        return rounded_##KIND(expression);                                                         \
    }

#define NUMBER_FLOAT(KIND, S)                                                                      \
    static inline num_##KIND from_##KIND(double x)                                                 \
    {                                                                                              \
        return rounded_##KIND((num_##KIND)x);                                                      \
    }                                                                                              \
    static inline arith_status div_status_##KIND(num_##KIND a, num_##KIND b)                       \
    {                                                                                              \
        (void)a, (void)b;                                                                          \
        return ARITH_OK;                                                                           \
    }                                                                                              \
    static inline num_##KIND neg_##KIND(num_##KIND a)                                              \
    {                                                                                              \
        return -a;                                                                                 \
    }                                                                                              \
    NUMBER_OPERATOR(KIND, add, a + b)                                                              \
    NUMBER_OPERATOR(KIND, sub, a - b)                                                              \
    NUMBER_OPERATOR(KIND, mul, a *b)                                                               \
    NUMBER_OPERATOR(KIND, div, a / b)                                                              \
    NUMBER_OPERATOR(KIND, min, a <= b ? a : b == b ? b : a)                                        \
    NUMBER_OPERATOR(KIND, max, a >= b ? a : b == b ? b : a)                                        \
    NUMBER_OPERATOR(KIND, mod, fmod##S(a, b))                                                      \
    NUMBER_OPERATOR(KIND, pow, fmath_pow##S(a, b))                                                 \
    NUMBER_OPERATOR(KIND, atan2, fmath_atan2##S(a, b))                                             \
    NUMBER_OPERATOR(KIND, copysign, copysign##S(a, b))                                             \
    NUMBER_FUNCTION(KIND, abs, fabs##S)                                                            \
    NUMBER_FUNCTION(KIND, sqrt, sqrt##S)                                                           \
    NUMBER_FUNCTION(KIND, cbrt, fmath_cbrt##S)                                                     \
    NUMBER_FUNCTION(KIND, sin, fmath_sin##S)                                                       \
    NUMBER_FUNCTION(KIND, cos, fmath_cos##S)                                                       \
    NUMBER_FUNCTION(KIND, tan, fmath_tan##S)                                                       \
    NUMBER_FUNCTION(KIND, atan, fmath_atan##S)                                                     \
    NUMBER_FUNCTION(KIND, sinh, fmath_sinh##S)                                                     \
    NUMBER_FUNCTION(KIND, cosh, fmath_cosh##S)                                                     \
    NUMBER_FUNCTION(KIND, tanh, fmath_tanh##S)                                                     \
    NUMBER_FUNCTION(KIND, exp, fmath_exp##S)                                                       \
    NUMBER_FUNCTION(KIND, log, fmath_log##S)                                                       \
    NUMBER_FUNCTION(KIND, ceil, ceil##S)                                                           \
    NUMBER_FUNCTION(KIND, trunc, trunc##S)                                                         \
    NUMBER_FUNCTION(KIND, round, round##S)                                                         \
    NUMBER_FUNCTION(KIND, rint, rint##S)                                                           \
    NUMBER_FUNCTION(KIND, log2, fmath_log2##S)                                                     \
    NUMBER_FUNCTION(KIND, log10, fmath_log10##S)                                                   \
    NUMBER_FUNCTION(KIND, erf, fmath_erf##S)                                                       \
    NUMBER_FUNCTION(KIND, erfc, fmath_erfc##S)                                                     \
    NUMBER_FUNCTION(KIND, floor, floor##S)                                                         \
    /* Warp clamps the argument of asin and acos to [-1, 1] */                                     \
    static inline num_##KIND asin_##KIND(num_##KIND x)                                             \
    {                                                                                              \
        return rounded_##KIND(fmath_asin##S(min_##KIND(max_##KIND(x, -1), 1)));                    \
    }                                                                                              \
    static inline num_##KIND acos_##KIND(num_##KIND x)                                             \
    {                                                                                              \
        return rounded_##KIND(fmath_acos##S(min_##KIND(max_##KIND(x, -1), 1)));                    \
    }

NUMBER_FLOAT(f16, f)
NUMBER_FLOAT(bf16, f)
NUMBER_FLOAT(f32, f)
NUMBER_FLOAT(f64, )

#endif
