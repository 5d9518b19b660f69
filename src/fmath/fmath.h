/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions whose results are the same bits on every machine, with any C library and
 * compiler: they consist of IEEE 754's +, -, *, / and square root, and of tables. Used by arith
 * and so by both executors: a pair that is proved on one machine is proved on every other. Example:
 * fmath_sin(1.0) is 0x1.aed548f090ceep-1 everywhere.
 *
 * Errors stay below 0.51 units in the last place (of results that are not subnormal), so that
 * nearly all results are the correctly rounded ones: each function is computed to 60 bits or more
 * as a pair of doubles (fmath_pair.h) and rounded once. tests/fmath/fmath_check.py measures it at
 * random points against 300-bit series. NaN, infinities and zeros are treated as C's Annex F says.
 * A float's function is the double's, rounded: fmath_sinf(x) is (float)fmath_sin(x).
 *
 * Not here are functions that C libraries compute exactly: sqrt, fmod, floor, rint, frexp, ... */
#ifndef WEFT_FMATH_FMATH_H
#define WEFT_FMATH_FMATH_H

/* Declares a function of doubles and defines the one of floats. const: calls whose results are not
 * used are removed, as in a tangent that needs the slope alone. */
#define UNARY(name)                                                                                \
    double fmath_##name(double x) __attribute__((const));                                          \
    static inline float fmath_##name##f(float x)                                                   \
    {                                                                                              \
        return (float)fmath_##name((double)x);                                                     \
    }
#define BINARY(name)                                                                               \
    double fmath_##name(double x, double y) __attribute__((const));                                \
    static inline float fmath_##name##f(float x, float y)                                          \
    {                                                                                              \
        return (float)fmath_##name((double)x, (double)y);                                          \
    }
#include "fmath/fmath.def"
#undef UNARY
#undef BINARY

#endif
