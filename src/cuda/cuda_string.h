/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of text in c->module. */
#ifndef WEFT_CUDA_STRING_H
#define WEFT_CUDA_STRING_H

#include "cuda/cuda_fn.h"

str cuda_sprintf(cuda_fn *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
str cuda_keep(cuda_fn *f, strbuf *b); /* moves a builder's text to the arena */

#endif
