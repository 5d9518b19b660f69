/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles in the reference interpreter.
 *
 * A kernel with tiles runs block by block. Each thread (lane) of a block has an interpreter of its
 * own, with its own tree and variables, and runs on a fiber. An operation on tiles is a meeting:
 * the lane yields until all lanes of the block have reached the same one; then lane 0 executes it
 * for all, and each lane goes on with its result.
 *
 *     t = wp.tile(x[i])       lanes 0 .. 255 meet; t is one tile of the block, of 256 elements
 *     s = wp.tile_sum(t)      they meet again
 *
 * Where all lanes of a block compute the same, lane 0 runs for all of them (interp_uniform.c).
 *
 * Element e belongs to lane e % width, which gives the values of operands that are no tiles
 * (arith_tile.h). A tile is an object of the block; a slot holds a pointer to it. */
#ifndef WEFT_INTERP_TILE_H
#define WEFT_INTERP_TILE_H

#include "arith/arith_tile.h"
#include "base/fiber.h"
#include "interp/interp_internal.h"

enum { TILE_RANK = 4 };

/* A tile, or a view of one. Strides are in elements. */
typedef struct itile {
    const type *type;
    uint8_t *data, *tangent; /* tangent: in launches with tangents */
    int ndim;
    int64_t shape[TILE_RANK], stride[TILE_RANK];
} itile;

/* What a node keeps for tiles: its result, which each lane's node points to. */
struct tile_node {
    itile *at; /* what n->v.p points to */
    itile own; /* lane 0's */
    size_t room;
    inode *sub;           /* a call that the operation makes for each element */
    inode *product;       /* another one: interp_tile_fold.c */
    const type *made;     /* the type that the front end gives the call */
    struct istack *stack; /* interp_tile_change.c */
};

/* Executes an operation for the block: in is lane 0's interpreter, n its node. */
typedef void tile_op(interp *in, inode *n);

/* Where a lane waits. */
typedef struct meeting {
    inode *n;
    const iv *const *args;
    uint32_t count;
    tile_op *op;
} meeting;

/* The lanes of a block. */
struct lane_group {
    tile_block shape;
    interp **made;   /* the lanes' interpreters; NULL: not needed yet */
    interp **lanes;  /* which a lane has: its own, or lane 0's, that runs for all */
    bool uniform;    /* it does */
    bool searched;   /* coordinates are known */
    int coordinates; /* interp_uniform.c */
    uint64_t once;   /* steps of the operation that the block has executed last */
    fiber **fibers;
    meeting *met;       /* by lane */
    const type **types; /* of tiles, one for each element type and shape */
    uint32_t ntypes, room;
};

/* interp_uniform.c: do all lanes of each block of the launch compute the same? */
bool interp_is_uniform(interp *in, uint64_t width);
/* interp_block.c */
/* Runs a launch whose kernel has tiles. */
void interp_run_blocks(interp *in);
/* Waits for the block, executes op, and returns the lane's result. */
const iv *interp_meet(interp *in, inode *n, const iv *const *args, uint32_t count, tile_op *op);
/* Argument k of a lane; how many there are. */
const iv *meet_arg(const interp *in, uint32_t lane, uint32_t k);
uint32_t meet_count(const interp *in);
inode *meet_node(const interp *in, uint32_t lane);

/* interp_tile.c */
bool interp_is_tile(const iv *v);
inode_fn *interp_tile_builtin(const char *name); /* NULL: none */
tile_op *interp_tile_op(const char *name);       /* that it executes; NULL: lanes do not meet */
const iv *interp_tile_operator(interp *in, inode *n, const iv *const *args, uint32_t count);
const iv *interp_tile_index(interp *in, inode *n, const iv *tile, const iv *const *index,
                            uint32_t count);
void interp_tile_store(interp *in, inode *target, const iv *v);
/* t[i] += v: the target, and the operator that has v as its second operand. */
void interp_tile_inplace(interp *in, inode *target, inode *operation);
/* where(condition, a, b) of tiles */
const iv *interp_tile_where(interp *in, inode *n, const iv *const *args);
/* t += value, whose tile is v: the elements change in place. */
void interp_tile_update(interp *in, inode *n, const iv *t, const iv *v);
const iv *interp_tile_copied(interp *in, inode *n, const iv *v);

/* for (lane) for (e of the lane) */
#define EACH_ITEM(in, n, lane, e)                                                                  \
    for (uint32_t lane = 0; lane < (in)->group->shape.lanes; lane++)                               \
        for (uint32_t e = lane; e < (n); e += (in)->group->shape.width)

/* What combines elements: `sub` of two, whose values and tangents lie side by side. */
typedef struct reducing {
    interp *in;
    inode *n, *sub;
    const type *elem;
    size_t size; /* of the value alone; its tangent follows it */
} reducing;

/* interp_tile.c, for the files of operations. itile_...: on tiles; meet_...: arguments and results
 * of the lanes that have met. */
struct tile_node *itile_node(interp *in, inode *n);
itile *meet_tile(interp *in, const inode *n, uint32_t lane, const char *name, uint32_t position);
const itile *itile_common_shape(interp *in, const inode *n, uint32_t first);
itile *itile_make_resolved(interp *in, inode *n);
itile *itile_of(const iv *v);
const iv *meet_named(const interp *in, uint32_t lane, const char *name, uint32_t position);
uint32_t itile_elements(const itile *t);
int meet_integers(interp *in, const inode *n, const iv *v, int64_t *out);
inode *meet_pair(interp *in, inode *n, const char *name);
/* The node that runs n's operator on two elements. */
inode *itile_operator_node(interp *in, inode *n);
inode *meet_named_node(interp *in, inode *n, const char *name);
inode *meet_callee(interp *in, inode *n, const char *name, uint32_t position, uint32_t kids);
itile *itile_make(interp *in, inode *n, const type *elem, int ndim, const int64_t *shape);
void meet_give_nothing(interp *in);
void itile_put(interp *in, const inode *n, const iv *to, const iv *v);
const iv *meet_array(interp *in, const inode *n, uint32_t lane, const char *name);
const type *meet_resolved(interp *in, inode *n);
void meet_give_tile(interp *in, itile *t);
const iv *meet_needed(interp *in, const inode *n, uint32_t lane, const char *name,
                      uint32_t position);
void meet_give_value(interp *in, uint32_t lane, const iv *v);
iv itile_reduced(const reducing *r, const uint8_t *at);
const iv *meet_run_sub(interp *in, inode *sub);
void meet_offsets(interp *in, const inode *n, uint32_t lane, uint32_t position, int ndim,
                  int64_t *out);
uint8_t *itile_gathered(interp *in, const itile *t, const reducing *r);
iv itile_item(const interp *in, const itile *t, uint32_t e);
/* The element at `count` indices of a lane, from argument `first` on. */
iv itile_lane_item(interp *in, const inode *n, const itile *t, uint32_t lane, uint32_t first,
                   uint32_t count);
const type *itile_type(interp *in, const type *elem, int ndim, const int64_t *shape);
inode_fn itile_eval_extract, itile_eval_stack_count;
/* interp_tile_memory.c, interp_tile_view.c */
tile_op itile_op_load_indexed, itile_op_store_indexed, itile_op_atomic_add_indexed, itile_op_matmul,
    itile_op_zeros, itile_op_tile, itile_op_arange, itile_op_full, itile_op_untile, itile_op_store,
    itile_op_load, itile_op_ones, itile_op_atomic_add, itile_op_from_thread, itile_op_broadcast,
    itile_op_view, itile_op_sort, itile_op_transpose, itile_op_reshape, itile_op_squeeze,
    itile_op_assign;
/* interp_tile_change.c */
tile_op itile_op_axpy, itile_op_diag_add, itile_op_random, itile_op_scatter_add,
    itile_op_query_next, itile_op_scatter_masked, itile_op_stack, itile_op_stack_clear,
    itile_op_stack_pop, itile_op_stack_push;
/* interp_tile_fold.c */
tile_op itile_op_argmax, itile_op_argmin, itile_op_dot, itile_op_max, itile_op_min, itile_op_reduce,
    itile_op_scan, itile_op_scan_exclusive, itile_op_scan_max, itile_op_scan_min, itile_op_sum;
/* interp_tile_linear.c */
tile_op itile_op_cholesky, itile_op_cholesky_inplace, itile_op_cholesky_solve,
    itile_op_cholesky_solve_inplace, itile_op_lower_solve, itile_op_lower_solve_inplace,
    itile_op_upper_solve, itile_op_upper_solve_inplace, itile_op_fft, itile_op_ifft;

#endif
