/* SPDX-License-Identifier: Apache-2.0 */
/* Rules applied to arguments: the text of a call, and the statements of its adjoint. For the
 * families of builtins (cudarule_family.h), which build rules of their own, and for
 * cudarule_call.c, which takes them from the tables. The head of cudarule_apply.c says how a rule's
 * text is used. */
#ifndef WEFT_CUDARULE_APPLY_H
#define WEFT_CUDARULE_APPLY_H

#include "cudarule/cudarule_code.h"
#include "cudarule/cudarule_match.h"

/* A request for the adjoint of one call: what cuda_adj_call was given. */
typedef struct cuda_adjoint {
    cuda_defs *n;
    cuda_codes *out; /* gets the statements */
    str name;
    const type *result;
    const cuda_expr *args, *adj_args;
    uint32_t nargs;
    const cuda_expr *value, *adj_result;
} cuda_adjoint;

/* By the first rule of the table that has the name and fits the types. */
cuda_expr cuda_rule_call(cuda_defs *n, str name, const type *result, const cuda_expr *args,
                         uint32_t nargs);
/* False: it has no form. */
bool cuda_rule_adjoint(const cuda_adjoint *q);
/* The rule's text for these arguments, and an adjoint's; b as cuda_match gives it. */
cuda_expr cuda_apply(cuda_defs *n, const cuda_rule *r, const cuda_binding *b,
                     const cuda_expr *args);
void cuda_adjoint_apply(const cuda_adjoint *q, const cuda_rule *r, const cuda_binding *b);
str cuda_arg_name(uint32_t i);
/* A name, a number, a member: nothing that one would not write twice. */
bool cuda_is_short(const cuda_defs *n, const cuda_expr *e);

#endif
