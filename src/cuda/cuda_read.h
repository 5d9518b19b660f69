/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of the intermediate form as trees: cuda_read.c reads statements, cuda_read_call.c
 * calls, cuda_tuple.c tuples. */
#ifndef WEFT_CUDA_READ_H
#define WEFT_CUDA_READ_H

#include "cuda/cuda_fn.h"

/* Appends what the list says. Errors about what has no plain form are in c->diags; job->failed is
 * set then. */
void cuda_read_list(cuda_fn *f, const ir_list *list, cs_list *out);

/* cuda_read_call.c: a call of the forward lists */
void cuda_read_call(cuda_fn *f, const ir_stmt *s, cs_list *out);
/* Appends the test of a loop over a query: its step to the next element, or out of the loop. */
void cuda_query_loop(cuda_fn *f, cx *query, cs_list *body);

/* cuda_tuple.c: tuples are several values, and structs where functions take them */
const type *cuda_tuple_struct(cuda_job *job, const type *t); /* the struct for a tuple's type */
cx *cuda_tuple_item(cuda_fn *f, cx *tuple, uint32_t i);

#endif
