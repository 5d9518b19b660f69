/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's syntax tree has: the counts of a record. */
#ifndef WEFT_RECORD_SOURCE_COUNTS_H
#define WEFT_RECORD_SOURCE_COUNTS_H

#include "syntax/ast.h"

typedef struct source_counts {
    uint32_t statements; /* without a docstring; `elif` is one, `else` is none */
    uint32_t branches;   /* `if`, `elif`, `else` and conditional expressions */
    uint32_t loop_depth; /* how deep loops are nested */
} source_counts;

source_counts source_counts_of(const ast_FunctionDef *f);

#endif
