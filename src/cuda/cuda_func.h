/* Functions of the program, and native snippets. */
#ifndef WEFT_CUDA_FUNC_H
#define WEFT_CUDA_FUNC_H

#include "cuda/cuda_fn.h"

void cuda_name_kernels(cuda_job *job, str name, bool backward);
void cuda_make_functions(cuda_job *job, bool backward);

/* cuda_snippet.c */
void cuda_make_snippet(cuda_job *job, cuda_form *form, const ir_unit *u, bool adjoint,
                       const char *text);

#endif
