/* The reverse lists as trees. */
#ifndef WEFT_CUDA_ADJOINT_H
#define WEFT_CUDA_ADJOINT_H

#include "cuda/cuda_builtin.h"
#include "cuda/cuda_fn.h"

bool cuda_read_adjoint(cuda_fn *f, const ir_stmt *s, cs_list *out);
/* A call of an adjoint among forward statements: wp.grad(f)(...). */
void cuda_read_grad(cuda_fn *f, const ir_stmt *s, cs_list *out);

/* One adjoint statement: its operands, then their adjoints and those of the results. */
typedef struct adj_reader {
    cuda_fn *f;
    cs_list *out;
    const ir_callee *callee; /* of the primal */
    str name;                /* its: "add" */
    cuda_op op;              /* its number */
    const ir_arg *args, *adj;
    uint32_t nargs, nadj;
    bool list; /* operands in braces: a constructor */
    bool all;  /* adjoints that come to nothing are wanted, too */
} adj_reader;

/* Where adjoint i is kept; NULL: nobody asks for it. */
cx *cuda_wanted(const adj_reader *r, uint32_t i);
cx *cuda_value_of(cuda_fn *f, cx *place);
/* The adjoint that a contribution is a multiple of, or CUDA_NO_VAR. */
uint32_t cuda_adjoint_in(const cuda_fn *f, const cx *e);
/* to += e, or to -= e. Nothing if one of them is NULL. */
void cuda_accumulate(const adj_reader *r, cx *to, cx *e, bool minus);

/* cuda_adjoint_call.c: the adjoint of a builtin, from the table of calls */
void cuda_adjoint_call(const adj_reader *r);

/* cuda_activity.c: which variables' adjoints come to anything */
void cuda_find_active(cuda_fn *f); /* before an adjoint is read */

#endif
