/* SPDX-License-Identifier: Apache-2.0 */
/* Where the values that a tree reads come from, and in which order it touches memory: what passes
 * must keep. Two such pictures, of before and after a pass, are compared.
 *
 *     x = load(p)        x's definition is statement 1
 *     store(p, 0)        touches memory behind the load
 *     y = add(x, 1)      operand 0 of `add` reads what statement 1 set
 *
 * Nodes are recognized by their ids, which copies of a node keep. A copy `v = w` defines nothing:
 * who reads v reads what w had there. So passes may rename variables, drop copies and move
 * expressions, as long as each operand still reads what it read. */
#ifndef WEFT_CUDA_FLOW_H
#define WEFT_CUDA_FLOW_H

#include "cuda/cuda_verify.h"

enum { CUDA_UNDEFINED = UINT32_MAX }; /* the definition of what nothing has set */

/* Definitions, by the ids of what sets them, sorted. */
typedef struct cuda_ids {
    const uint32_t *v;
    uint32_t n;
} cuda_ids;

/* A read of a variable: operand `slot` of the expression or statement `parent`. */
typedef struct cuda_read {
    uint32_t parent, slot;
    cuda_ids from;
    uint32_t in; /* the statement that it stands in; 0: behind them all, as a result */
    bool again;  /* the node stands in several places: `from` is of all */
} cuda_read;

/* A definition: what a statement, or a call that changes its argument, sets. */
typedef struct cuda_written {
    uint32_t id;
    cuda_ids gives; /* itself; of a copy, what it copies */
    cuda_ids prior; /* of a sum, or of a part: what was there before */
} cuda_written;

/* An arm of a branch or the body of a loop. */
typedef struct cuda_block {
    const struct cuda_block *outer;
    uint32_t owner, arm, depth; /* the statement's id; 0: body, 1: else branch */
    bool loop;
} cuda_block;

/* Something that touches memory, gradients or the output. */
typedef struct cuda_touch {
    uint32_t id, at; /* `at`: place in the order of running */
    unsigned effects;
    bool sum; /* an atomic addition: any order is good among such */
    const cuda_block *block;
    const cs *s;
} cuda_touch;

struct cuda_flow {
    bool jumps;              /* there is a goto: order is not what it seems */
    VEC(cuda_read) reads;    /* by parent and slot */
    VEC(cuda_written) defs;  /* by id */
    VEC(cuda_touch) touches; /* by id */
};

/* The definitions of both. */
cuda_ids cuda_join_ids(arena *a, cuda_ids x, cuda_ids y);
/* The reads, definitions and touches of the tree as it is now. Lives in c->module. */
cuda_flow *cuda_flow_of(cuda_fn *f);
/* cuda_flow_compare.c: what a pass did that it must not have done; .what is empty if there is
 * nothing. keeps: a set of cuda_kept. */
cuda_fault cuda_compare_flow(cuda_fn *f, const cuda_flow *before, const cuda_flow *after,
                             unsigned keeps);

#endif
