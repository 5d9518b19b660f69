/* SPDX-License-Identifier: Apache-2.0 */
/* Reading of the reverse lists: what cuda_adjoint.c and cuda_adjoint_call.c share, and what
 * cuda_read.c calls of them. */
#ifndef WEFT_CUDA_ADJOINT_H
#define WEFT_CUDA_ADJOINT_H

#include "cuda/cuda_builtin.h"
#include "cuda/cuda_fn.h"

/* Appends what the statement of the reverse list does to out. False: it is none of the reverse list
 * alone (IF, LOOP, ...), and the caller reads it as it reads forward ones. Without a plain CUDA
 * form an error is in c->diags, and job->failed is set. */
bool cuda_read_adjoint(cuda_fn *f, const ir_stmt *s, cs_list *out);
/* A call of an adjoint among forward statements: wp.grad(f)(...). */
void cuda_read_grad(cuda_fn *f, const ir_stmt *s, cs_list *out);

/* One adjoint statement: its operands, then their adjoints and those of the results. For
 * "ADJ_CALL adj @wp::mul, %6, %2, adj %6, adj %2, adj %7" args are %6 and %2, adj the three others.
 */
typedef struct adj_reader {
    cuda_fn *f;
    cs_list *out;            /* gets the statements */
    const ir_callee *callee; /* of the primal */
    str name;                /* its: "add" */
    cuda_op op;              /* its number */
    const ir_arg *args, *adj;
    uint32_t nargs, nadj;
    bool list; /* operands in braces: a constructor */
    bool all;  /* inactive adjoints are wanted too: of wp.grad's calls, whose result is a value */
} adj_reader;

/* Where adjoint i is kept; NULL: it is constant, integral or inactive, and nothing is added to it.
 */
cx *cuda_wanted(const adj_reader *r, uint32_t i);
/* The value at a place: a load of it, or the variable itself. */
cx *cuda_value_of(cuda_fn *f, cx *place);
/* The adjoint that a contribution is a multiple of, or CUDA_NO_VAR. */
uint32_t cuda_adjoint_in(const cuda_fn *f, const cx *e);
/* to += e, or to -= e. Nothing if one of them is NULL. */
void cuda_accumulate(const adj_reader *r, cx *to, cx *e, bool minus);

/* The value of operand i. */
cx *cuda_value_at(const adj_reader *r, uint32_t i);
/* Member i of a struct's place, or of the value that is loaded from one; NULL: it has no adjoint.
 */
cx *cuda_member_of(cuda_fn *f, cx *e, uint32_t i);
/* The gradient's memory for a place of an array. */
cx *cuda_gradient_place(cuda_fn *f, const cx *place);
bool cuda_has_gradient(const cuda_fn *f, const cx *array);
/* Sets an adjoint to zero; nothing if it is NULL. */
void cuda_clear_adjoint(const adj_reader *r, cx *to);

/* cuda_adjoint_form.c: the adjoint of a builtin that is a sum; false: it is none, or not of such
 * operands */
bool cuda_adjoint_form(const adj_reader *r);
/* The same of an operator on elements of tiles, or of an atomic addition of one. */
bool cuda_adjoint_items(const adj_reader *r);
/* The adjoint of a function of the program. */
void cuda_adjoint_user(const adj_reader *r, const ir_unit *callee);
/* cuda_adjoint_call.c: the adjoint of a builtin, from the table of calls */
void cuda_adjoint_call(const adj_reader *r);

/* cuda_activity.c: which variables' adjoints come to anything */
void cuda_find_active(cuda_fn *f); /* before an adjoint is read */

#endif
