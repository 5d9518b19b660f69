/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the program, and native snippets. */
#ifndef WEFT_CUDA_FUNC_H
#define WEFT_CUDA_FUNC_H

#include "cuda/cuda_fn.h"

/* Sets the names of the forward and, if wanted, the backward kernel in job->out. */
void cuda_name_kernels(cuda_job *job, str name, bool backward);
/* Fills job->forward, job->reverse and job->made. Sets job->failed after errors. */
void cuda_make_functions(cuda_job *job, bool backward);

/* cuda_snippet.c: the form of a native function, or of its adjoint, with `text` as its body. */
void cuda_make_snippet(cuda_job *job, cuda_form *form, const ir_unit *u, bool adjoint,
                       const char *text);

#endif
