/* Parameters of a function's text. */
#ifndef WEFT_CUDA_PARAM_H
#define WEFT_CUDA_PARAM_H

#include "cuda/cuda_fn.h"

typedef VEC(cuda_param) cuda_params;
void cuda_name_params(cuda_fn *f);
void cuda_list_params(cuda_fn *f, cuda_params *out);
void cuda_put_signature(cuda_fn *f, strbuf *out, const char *before, str name,
                        const cuda_params *params, str more);

#endif
