/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that others of this folder are built on, to 75 bits or more. Example: sinh of 50 is
 * half of fmath_exp_pair({50, 0}, &e), given to fmath_rounded with the exponent e - 1; no
 * intermediate result overflows. */
#ifndef WEFT_FMATH_FMATH_INTERNAL_H
#define WEFT_FMATH_FMATH_INTERNAL_H

#include "fmath/fmath_constant.h"
#include "fmath/fmath_pair.h"

/* e^x = r * 2^*exponent with r in [0.7, 2.9]; |x| < 1100, else the integer part would not fit (the
 * callers treat large x themselves). */
pair fmath_exp_pair(pair x, int *exponent);
/* r * 2^exponent, rounded once, also to a subnormal number; infinity if it is too large. */
double fmath_rounded(pair r, int exponent);

#endif
