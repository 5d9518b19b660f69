/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the family of rotations share: arith_rotation.c with the table of operations,
 * and arith_rotation_construct.c with the constructors. */
#ifndef WEFT_ARITH_ROTATION_H
#define WEFT_ARITH_ROTATION_H

#include "arith/arith_op.h"

/* Do the n types have the forms that the letters of arith_rotation.def name, with this scalar, and
 * are there n letters? "Qv" fits (quatf, vec3f) with float32. */
bool rotation_all_fit(const char *letters, const type *const *types, uint32_t n,
                      const type *scalar);
/* arith_rotation_construct.c: constructors of quaternions and transformations, and of spatial
 * vectors of their two parts. */
bool rotation_construct(const arith_request *q, arith_op *op);

#endif
