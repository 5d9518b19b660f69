/* SPDX-License-Identifier: Apache-2.0 */
/* Errors about what has no standalone form. */
#ifndef WEFT_CUDA_UNSUPPORTED_H
#define WEFT_CUDA_UNSUPPORTED_H

#include "cuda/cuda_fn.h"

/* Says, at the line that is read or printed, that there is no standalone form; goes
 * on. */
void cuda_unsupported(cuda_fn *f, const char *what);
void cuda_unsupported_str(cuda_fn *f, str what);
/* The same of a builtin, by its native name, or of its gradient. */
void cuda_unsupported_call(cuda_fn *f, str name, bool gradient);
/* Is it a builtin of meshes, tiles and the like? */
bool cuda_is_unsupported(str name);
/* Of a value of a type that no plain CUDA text has. */
void cuda_unsupported_type(cuda_fn *f, const type *t);

#endif
