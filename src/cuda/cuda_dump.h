/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of a function as text for people: for cuda_dump_passes (cuda.h), and for the messages of
 * cuda_verify. cuda_dump.c shows the form. */
#ifndef WEFT_CUDA_DUMP_H
#define WEFT_CUDA_DUMP_H

#include "cuda/cuda_fn.h"

/* All statements; `at`, which may be NULL, is marked. */
void cuda_dump_tree(const cuda_fn *f, const cs *at, strbuf *out);
/* "scale, forward" */
void cuda_dump_title(const cuda_fn *f, strbuf *out);

#endif
