/* SPDX-License-Identifier: Apache-2.0 */
/* The families of builtins, each of which has rules for some names: math functions, constructors,
 * elements, matrices, atomics, functions of blocks, and what is printed. Each gives CUDA_NONE, or
 * false, for a call that is not its own; cudarule_call.c tries one after the other. */
#ifndef WEFT_CUDARULE_FAMILY_H
#define WEFT_CUDARULE_FAMILY_H

#include "cudarule/cudarule_apply.h"

/* cudarule_math.c: functions of <math.h>, and the like, of scalars */
cuda_expr cuda_math(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs);

/* cudarule_construct.c */
bool cuda_constructs(str name, const type *result);
cuda_expr cuda_construct(cuda_defs *n, const type *t, const cuda_expr *args, uint32_t nargs);
bool cuda_construct_adjoint(const cuda_adjoint *q, const type *t);
/* matrix_from_rows, matrix_from_cols */
cuda_expr cuda_from_vectors(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs);
bool cuda_from_vectors_adjoint(const cuda_adjoint *q);

/* cudarule_element.c: elements, rows and slices */
cuda_expr cuda_element(cuda_defs *n, str name, const type *result, const cuda_expr *args,
                       uint32_t nargs);
bool cuda_element_adjoint(const cuda_adjoint *q);

/* cudarule_matrix.c */
cuda_expr cuda_matrix(cuda_defs *n, str name, const type *result, const cuda_expr *args,
                      uint32_t nargs);

/* cudarule_atomic.c */
cuda_expr cuda_atomic(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs);
bool cuda_atomic_adjoint(const cuda_adjoint *q);

/* cudarule_object.c: queries of meshes; sets: the form that sets variables */
bool cuda_object_adjoint(const cuda_adjoint *q, bool sets);

/* cudarule_block.c: what the threads of a block do together; its name begins with "block_" */
cuda_expr cuda_block(cuda_defs *n, str native, const type *result, const cuda_expr *args);

/* cudarule_print.c: wp.print and expectations */
cuda_expr cuda_print(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs);

#endif
