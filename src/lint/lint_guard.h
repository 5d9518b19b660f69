/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out, for lint.c, whether a kernel reads its thread's index and compares it with a bound.
 * The check follows names: from threadIdx through assignments, functions and macros of the text, so
 * that `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;` counts as a bound on i.
 * Where code outside the text may do either, there is no finding. */
#ifndef WEFT_LINT_LINT_GUARD_H
#define WEFT_LINT_LINT_GUARD_H

#include "lint/lint_token.h"

/* Tokens, the end exclusive. Two equal numbers are no tokens. */
typedef struct lint_range {
    uint32_t from, to;
} lint_range;

/* What is known about the names of one text. */
typedef struct lint_guard {
    ctx *c;
    const lint_tokens *tokens;
    uint32_t nnames;
    uint8_t *names; /* by id of a symbol: bits, an enum of lint_guard.c */
} lint_guard;

/* Reads the functions and macros of a text whose brackets are balanced. */
void lint_guard_init(lint_guard *g, ctx *c, const lint_tokens *tokens);
/* Is the name at token i a macro of the text? */
bool lint_guard_is_macro(const lint_guard *g, uint32_t i);
/* Adds remarks on a kernel to c->diags; `name` is the token of its name. */
void lint_guard_check(lint_guard *g, uint32_t name, lint_range params, lint_range body);

#endif
