/* SPDX-License-Identifier: Apache-2.0 */
/* weft's elementary functions under the names of the C library's. Loaded before a process
 * (LD_PRELOAD), so that what warp-lang compiles in it calls them:
 *
 *     sinf(x) of the C library, which differs by machine   ->   fmath_sinf(x)
 *
 * The comparisons of executed kernels with warp-lang can then ask for equal bits. LLVM makes
 * sincos of sin and cos, and exp2 of pow; they are here, too. */
#include "fmath/fmath.h"

#define EXPORT __attribute__((visibility("default")))

/* oracle_env.py looks for it. */
EXPORT int fmath_is_preloaded(void);
int fmath_is_preloaded(void)
{
    return 1;
}

#define UNARY(name)                                                                                \
    EXPORT double name(double x);                                                                  \
    EXPORT float name##f(float x);                                                                 \
    double name(double x)                                                                          \
    {                                                                                              \
        return fmath_##name(x);                                                                    \
    }                                                                                              \
    float name##f(float x)                                                                         \
    {                                                                                              \
        return fmath_##name##f(x);                                                                 \
    }
#define BINARY(name)                                                                               \
    EXPORT double name(double x, double y);                                                        \
    EXPORT float name##f(float x, float y);                                                        \
    double name(double x, double y)                                                                \
    {                                                                                              \
        return fmath_##name(x, y);                                                                 \
    }                                                                                              \
    float name##f(float x, float y)                                                                \
    {                                                                                              \
        return fmath_##name##f(x, y);                                                              \
    }
#include "fmath/fmath.def"

EXPORT double exp2(double x);
EXPORT float exp2f(float x);
EXPORT void sincos(double x, double *sine, double *cosine);
EXPORT void sincosf(float x, float *sine, float *cosine);

double exp2(double x)
{
    return fmath_pow(2, x);
}

float exp2f(float x)
{
    return fmath_powf(2, x);
}

void sincos(double x, double *sine, double *cosine)
{
    *sine = fmath_sin(x);
    *cosine = fmath_cos(x);
}

void sincosf(float x, float *sine, float *cosine)
{
    *sine = fmath_sinf(x);
    *cosine = fmath_cosf(x);
}
