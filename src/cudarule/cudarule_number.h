/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as literals, and conversions between scalars. */
#ifndef WEFT_CUDARULE_NUMBER_H
#define WEFT_CUDARULE_NUMBER_H

#include "cudarule/cudarule_text.h"

/* A number as a literal of a scalar type: "0.5f", "3u", "true". */
cuda_expr cuda_number(cuda_defs *n, const type *t, double x);
cuda_expr cuda_cast(cuda_defs *n, const type *to, const cuda_expr *e);
/* e as a value of type t: "__half(x)" or "(short)(x)". Of e only text, prec and operand count; its
 * type may be what C computes in. */
cuda_expr cuda_narrowed(cuda_defs *n, const type *t, const cuda_expr *e);
/* The same bits as a value of another type. */
cuda_expr cuda_bits(cuda_defs *n, const type *to, const cuda_expr *e);

#endif
