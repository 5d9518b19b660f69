/* SPDX-License-Identifier: Apache-2.0 */
/* The tree as text: statements, expressions, and the comments between them. */
#ifndef WEFT_CUDA_PRINT_H
#define WEFT_CUDA_PRINT_H

#include "cuda/cuda_fn.h"

void cuda_print_body(cuda_fn *f, strbuf *out, uint32_t indent);

/* The text of a value or place, with its precedence; and the same in parentheses where an operator
 * that binds like `least` needs them. */
cuda_expr cuda_print_expr(cuda_fn *f, const cx *e);
str cuda_print_at(cuda_fn *f, const cx *e, cuda_prec least);
/* Appends the line of a CX_TEXT that begins with piece `from`; returns the next line's first. */
uint32_t cuda_print_line(cuda_fn *f, const cx *e, uint32_t from, strbuf *out);

/* cuda_print_call.c: a call of a function of the program */
cuda_expr cuda_user_call(cuda_fn *f, const cx *e);

/* cuda_linebreak.c: lines that are too long are broken */
void cuda_break_lines(str text, strbuf *out);

/* cuda_comment.c */
/* The comments that stand between the lines `from` and `to`; gives `to`. */
uint32_t cuda_put_comments(cuda_fn *f, strbuf *out, uint32_t indent, uint32_t from, uint32_t to);
/* The comment behind the code of a line; and putting it behind the statement that begins at start,
 * or before it. */
str cuda_trailing_comment(const cuda_fn *f, uint32_t line);
void cuda_put_trailing(strbuf *out, size_t start, uint32_t indent, str note);

#endif
