/* SPDX-License-Identifier: Apache-2.0 */
/* Operators of scalars, by Warp's names. */
#ifndef WEFT_CUDARULE_OPERATOR_H
#define WEFT_CUDARULE_OPERATOR_H

#include "cudarule/cudarule_text.h"

cuda_expr cuda_operator(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs);
cuda_expr cuda_compare(cuda_defs *n, str op, const cuda_expr *a, const cuda_expr *b);
/* "!a" */
cuda_expr cuda_not(cuda_defs *n, const cuda_expr *a);
/* "+" for "add"; NULL: it is no operator in CUDA C++. */
const char *cuda_symbol(str name, uint32_t nargs);
/* The precedence of the symbol; CUDA_EQUAL for one that is not in the table, such as "==". */
cuda_prec cuda_symbol_prec(const char *symbol, uint32_t nargs);

#endif
