/* SPDX-License-Identifier: Apache-2.0 */
/* Which builtin a call names, and what passes ask about it. A name is looked up once, where the
 * call is read; from then on the tree has the number. */
#ifndef WEFT_CUDA_BUILTIN_H
#define WEFT_CUDA_BUILTIN_H

#include "ir/ir.h"

/* Builtins by number, for cx.op. */
typedef enum cuda_op {
    CUDA_OP_OTHER, /* one that no pass treats in a way of its own, or none */
#define BUILTIN(op, name, properties) CUDA_OP_##op,
#include "cuda/cuda_builtin.def"
#undef BUILTIN
    CUDA_OPS
} cuda_op;
_Static_assert(CUDA_OPS <= UINT8_MAX, "cx.op has 8 bits");

/* Properties of builtins: the last column of cuda_builtin.def. */
enum {
    CUDA_OP_ATOMIC = 1,
    CUDA_OP_CASTS = 2,
    CUDA_OP_COMPOSES = 4,
    CUDA_OP_NATURAL = 8,
    CUDA_OP_NATURAL_FIRST = 16,
    CUDA_OP_PRINTS = 32,
    CUDA_OP_STORES = 64,
    CUDA_OP_CHANGES = 128,
    CUDA_OP_WRITES = 256
};

/* The builtin of this native name ("add", "atomic_add"), or CUDA_OP_OTHER. */
cuda_op cuda_op_of(str name);
/* The builtin that a call of the intermediate form names. OTHER: a function of the program too. */
cuda_op cuda_op_called(const ir_callee *callee);
/* Not of CUDA_OP_OTHER. */
str cuda_op_name(cuda_op op);
/* A set of properties; of CUDA_OP_OTHER none. */
unsigned cuda_op_properties(cuda_op op);

#endif
