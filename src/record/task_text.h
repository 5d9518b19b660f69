/* SPDX-License-Identifier: Apache-2.0 */
/* What the blocks of tasks show of a record's texts. Each appends its text. */
#ifndef WEFT_RECORD_TASK_TEXT_H
#define WEFT_RECORD_TASK_TEXT_H

#include "base/str.h"

/* Without empty lines at either end; with a newline at its end. */
str task_trim(str text);
/* Warp's text without the comments that hold the Python it was made of. */
void task_put_bare(strbuf *b, str text);
/* `__global__ void NAME(...);` of plain CUDA, below the structs that its parameters are made of. */
void task_put_declaration(strbuf *b, str plain, str kernel);
/* In words, how arrays, their sizes and the launch are passed to the declaration that stands in b
 * from `from` to `to`. */
void task_put_convention(strbuf *b, size_t from, size_t to);
/* The task in words, asked for plain CUDA instead of a Warp kernel. */
void task_put_cuda_prompt(strbuf *b, str prompt);
/* For each struct of the source that Warp's text names with a hash, a sentence that says how. */
void task_put_struct_names(strbuf *b, str source, str text);
/* How many functions the source has, the kernel among them. */
uint32_t task_functions(str source);
/* The name of the n-th; the source with `...` for its body; and the function. */
str task_function_name(str source, uint32_t n);
void task_put_skeleton(strbuf *b, str source, uint32_t n);
void task_put_function(strbuf *b, str source, uint32_t n);

#endif
