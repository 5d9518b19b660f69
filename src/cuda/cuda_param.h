/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of a function's text, for kernels, functions and snippets. */
#ifndef WEFT_CUDA_PARAM_H
#define WEFT_CUDA_PARAM_H

#include "cuda/cuda_fn.h"

typedef VEC(cuda_param) cuda_params;
/* Gives each parameter, and its adjoint, its name in the text. */
void cuda_name_params(cuda_fn *f);
/* Appends the parameters that the text names, in the order of the signature. */
void cuda_list_params(cuda_fn *f, cuda_params *out);
/* Appends "before name(type a, type b, more)". */
void cuda_put_signature(cuda_fn *f, strbuf *out, const char *before, str name,
                        const cuda_params *params, str more);

#endif
