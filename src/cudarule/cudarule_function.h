/* SPDX-License-Identifier: Apache-2.0 */
/* Builtins as functions and operators that a text of others calls, such as a native snippet. */
#ifndef WEFT_CUDARULE_FUNCTION_H
#define WEFT_CUDARULE_FUNCTION_H

#include "cudarule/cudarule_text.h"

/* The name for a function, or one like it that the program does not use. */
str cuda_helper_name(cuda_defs *n, str name);
/* Defines `name` with parameters of these types, which returns what the builtin gives: the type of
 * that. `result`: the type of a constructor, and NULL otherwise. NULL: there is no form. */
const type *cuda_define_helper(cuda_defs *n, str native, str name, const type *result,
                               const type *const *types, uint32_t nargs);
/* Defines the operator that the builtin is of two types, or of one (b NULL), if there is one; "+="
 * and "-=" stand for themselves. */
void cuda_define_operator(cuda_defs *n, str native, const type *a, const type *b);
/* Gives the type's struct an operator[] for its scalars. Those of matrices have none. */
void cuda_define_lanes(cuda_defs *n, const type *t);

#endif
