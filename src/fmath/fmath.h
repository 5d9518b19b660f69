/* Elementary functions whose results are the same bits on every machine, with any C library and
 * compiler: they consist of IEEE 754's +, -, *, / and square root, and of tables.
 *
 * Errors stay below 0.51 units in the last place (of results that are not subnormal), so that
 * nearly all results are the correctly rounded ones. NaN, infinities and zeros are treated as C's
 * Annex F says. A float's function is the double's, rounded: fmath_sinf(x) is (float)fmath_sin(x).
 *
 * Not here are functions that C libraries compute exactly: sqrt, fmod, floor, rint, frexp, ... */
#ifndef WEFT_FMATH_FMATH_H
#define WEFT_FMATH_FMATH_H

/* const: calls whose results are not used go, as in a tangent that wants the slope alone. */
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
