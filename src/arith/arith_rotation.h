/* What the parts of the family of rotations share. */
#ifndef WEFT_ARITH_ROTATION_H
#define WEFT_ARITH_ROTATION_H

#include "arith/arith_op.h"

/* Does t have the form that the letter of arith_rotation.def names, and this scalar? */
bool rotation_all_fit(const char *letters, const type *const *types, uint32_t n,
                      const type *scalar);
/* arith_rotation_construct.c: constructors of quaternions and transformations, and of spatial
 * vectors of their two parts. */
bool rotation_construct(const arith_request *q, arith_op *op);

#endif
