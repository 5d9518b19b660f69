/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of CUDA C++ in the making. Rules give them as a list, so that who takes the list sees
 * sums and branches as such; cuda_print_codes makes them text.
 *
 *     if (a < 0.0f) {            IF    cond a < 0.0f
 *         da -= d;                 SUM   to da, e d, minus
 *     } else {
 *         f(a, da);                LINE  f(a, da)
 *     } */
#ifndef WEFT_CUDARULE_CODE_H
#define WEFT_CUDARULE_CODE_H

#include "cudarule/cudarule_text.h"

/* Kinds of statements. SUM and IF are apart from other lines, since passes over the tree work on
 * them. */
typedef enum cuda_code_kind {
    CUDA_CODE_LINE, /* text, to which the semicolon comes */
    CUDA_CODE_SUM,  /* to += e; `minus`: to -= e */
    CUDA_CODE_IF,   /* e: the condition */
    CUDA_CODE_LOOP, /* text: "for (...)", "while (...)" */
    CUDA_CODE_BLOCK /* body with variables of its own, for adjoints that the caller does not need */
} cuda_code_kind;

/* A list of statements; it lies in the arena of cuda_defs. */
typedef struct cuda_codes {
    struct cuda_code *v;
    uint32_t n, cap;
} cuda_codes;

/* One statement. Members that the kind does not name are empty. */
typedef struct cuda_code {
    uint8_t kind;
    bool minus;
    bool outer; /* LOOP: its body is one loop, which needs no braces */
    str text;
    cuda_expr to, e;
    cuda_codes body, orelse;
} cuda_code;

void cuda_add_line(cuda_defs *n, cuda_codes *to, str text);
void cuda_add_sum(cuda_defs *n, cuda_codes *list, const cuda_expr *to, const cuda_expr *e,
                  bool minus);
/* Gives the statement that was added, until the next is. */
cuda_code *cuda_add_code(cuda_defs *n, cuda_codes *to, cuda_code_kind kind);
void cuda_print_codes(strbuf *out, const cuda_codes *list, str indent);
/* Calls fn for each line of the statements' text, without its end. in_loop: a loop repeats it. */
typedef void cuda_line_fn(void *arg, str line, bool in_loop);
void cuda_each_line(mem *m, const cuda_codes *list, cuda_line_fn *fn, void *arg);

#endif
