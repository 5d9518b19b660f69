/* SPDX-License-Identifier: Apache-2.0 */
/* What families of operations share: the check of a request's types, and rows of functions whose
 * arguments have one scalar type. A family is a sorted table of names, each with the function that
 * resolves a request of that name (arith_op.h: arith_family). */
#ifndef WEFT_ARITH_FAMILY_H
#define WEFT_ARITH_FAMILY_H

#include "arith/arith_template.h"

/* Sets name, n, nresults 1 and types of op. False: the request
 * gives another result type. */
bool arith_set_types(const arith_request *q, arith_op *op, const type *result);

/* A function of n scalars of one type: formula_scalar.h and formula_math.h have one for each row.
 * The tables are indexed by kind - TYPE_INT8 and kind - TYPE_FLOAT16; a kind whose `run` is NULL is
 * not accepted. */
typedef struct arith_formula {
    uint32_t n;       /* arguments */
    type_kind result; /* TYPE_VOID: that of the arguments */
    bool differs;     /* as in arith_op, of floats */
    bool logical;     /* the function for uint8 takes bool */
    arith_fns integers[8], floats[4];
} arith_formula;
/* False: the request's types do not fit. */
bool arith_find_formula(const arith_request *q, arith_op *op, const arith_formula *f);

/* Is a bool or integer of this size not zero? */
static inline bool arith_truth(const void *p, int size)
{
    WEFT_ASSERT(size > 0 && (size_t)size <= sizeof(uint64_t));
    uint64_t x = 0;
    memcpy(&x, p, (size_t)size);
    return x != 0;
}

/* The families; arith_find tries them in the order of arith_op.c. */
extern const arith_family arith_scalars;
extern const arith_family arith_maths;
extern const arith_family arith_choices;
extern const arith_family arith_noises;
extern const arith_family arith_randoms;
extern const arith_family arith_casts;
extern const arith_family arith_linear;
extern const arith_family arith_geometry;
extern const arith_family arith_volumes;
extern const arith_family arith_textures;
extern const arith_family arith_edges;
extern const arith_family arith_triangles;
extern const arith_family arith_rotation;
/* All of them, then NULL. */
extern const arith_family *const arith_families[];

#endif
