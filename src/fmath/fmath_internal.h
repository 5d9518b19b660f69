/* Functions that others of this folder are built on, to 75 bits or more. */
#ifndef WEFT_FMATH_FMATH_INTERNAL_H
#define WEFT_FMATH_FMATH_INTERNAL_H

#include "fmath/fmath_constant.h"
#include "fmath/fmath_pair.h"

/* e^x = r * 2^*exponent with r in [0.7, 2.9]; |x| < 1100. */
pair fmath_exp_pair(pair x, int *exponent);
/* r * 2^exponent, rounded. */
double fmath_rounded(pair r, int exponent);

#endif
