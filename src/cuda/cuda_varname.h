/* SPDX-License-Identifier: Apache-2.0 */
/* Names of variables. */
#ifndef WEFT_CUDA_VARNAME_H
#define WEFT_CUDA_VARNAME_H

#include "cuda/cuda_fn.h"

bool cuda_is_source_name(const ir_unit *u,
                         str name); /* does the program's function use the name? */
/* A longer name, to try where this one is taken. */
str cuda_next_name(cuda_fn *f, str name);
/* The name, or one like it that nothing has; taken from now on. */
str cuda_free_var(cuda_fn *f, str name);
str cuda_name_hint(cuda_fn *f, uint32_t var);   /* what a variable would best be called */
bool cuda_is_taken(const cuda_fn *f, str name); /* in the function, or reserved */
str cuda_cpp_name(cuda_fn *f, str name);        /* the name, or one like it that C++ allows */

/* cuda_reserved.c: names that are not free */
bool cuda_is_reserved_word(str name); /* anywhere */
str cuda_name_in_cpp(ctx *c, str name);
str cuda_global_name(const cuda_job *job, str name); /* free at file scope */

#endif
