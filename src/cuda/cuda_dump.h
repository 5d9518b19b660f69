/* The tree of a function for people: cuda_dump_passes (cuda.h), and what cuda_verify shows. */
#ifndef WEFT_CUDA_DUMP_H
#define WEFT_CUDA_DUMP_H

#include "cuda/cuda_fn.h"

/* All statements; `at`, which may be NULL, is marked. */
void cuda_dump_tree(const cuda_fn *f, const cs *at, strbuf *out);
/* "scale, forward" */
void cuda_dump_title(const cuda_fn *f, strbuf *out);

#endif
