/* Functions that others of this folder are built on, to 75 bits or more. */
#ifndef WEFT_FMATH_FMATH_INTERNAL_H
#define WEFT_FMATH_FMATH_INTERNAL_H

#include "fmath/fmath_constant.h"
#include "fmath/fmath_pair.h"

/* e^x = r * 2^*exponent with r in [0.7, 2.9]; |x| < 1100. */
pair fmath_exp_pair(pair x, int *exponent);
/* The natural logarithm of a finite x > 0. */
pair fmath_log_pair(double x);
/* The angle of the point (x, y), in [0, pi], where y >= 0, and x or y lies in [0.5, 1) or
 * (-1, -0.5] and is the larger by magnitude. */
pair fmath_angle_pair(pair y, pair x);
/* Of a normal number. */
double fmath_power_of_two(int exponent);
/* r * 2^exponent, rounded. */
double fmath_rounded(pair r, int exponent);

#endif
