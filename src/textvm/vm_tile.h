/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles: how a block executes together.
 *
 * A kernel with tiles runs block by block. Each lane of the block runs alone, with variables of its
 * own, up to the next tile operation in which lanes have to meet. When all have met at the same
 * one, it is executed once for the block, and the lanes go on:
 *
 *     lane 0   var_9 = ...; var_10 = wp::tile(var_9);            var_12 = wp::untile(var_10); ...
 *     lane 1   var_9 = ...;        |  meet                              | meet
 *
 * Tile variables belong to the block; all others are saved and loaded with their lane (vm_block.c).
 * Element e belongs to lane e % width, and an operation takes operands that are no tiles from the
 * element's lane (arith_tile.h). Reading an element of a shared tile needs no meeting, as in Warp.
 *
 * Readers: vm_tile.c, vm_tile_calls.c, vm_tile_forms.c. Instructions: vm_tile_ops.c and
 * vm_tile_memory.c. Both: vm_tile_whole.c, vm_tile_change.c, vm_tile_fold.c, vm_tile_linear.c,
 * vm_tile_fourier.c, vm_tile_stack.c.
 *
 * What Warp does for each element is a snippet: instructions between temporary variables, which the
 * operation runs for each element:
 *
 *     var_7 = wp::tile_add(var_6, var_3);     do_tile: tile_run_map; jump; t2 = add(t0, t1); end
 */
#ifndef WEFT_TEXTVM_VM_TILE_H
#define WEFT_TEXTVM_VM_TILE_H

#include "arith/arith_tile.h"
#include "textvm/vm_read.h"

/* A tile variable's storage. Register tiles: grad is NULL, and the adjoint is a tile of its own,
 * whose data it is. Views (shared tiles that do not own) point into another tile. */
typedef struct vm_tile {
    uint8_t *data, *grad;
} vm_tile;

/* An operand as the run-time function needs it. */
typedef struct tile_arg {
    const type *type; /* a tile's, an array's, a scalar's ... */
    uint32_t v;       /* its place in ins.v */
} tile_arg;

typedef struct tile_info tile_info;

/* Executes a tile operation for all lanes of a block. False: m->error is set. */
typedef bool tile_fn(machine *m, const ins *i, const tile_info *info);

enum { TILE_ARGS = 24, TILE_TEMPS = 24 };

struct tile_info {
    tile_fn *run;
    tile_arg args[TILE_ARGS]; /* those of the text, in order; the result, if any, is args[0] */
    uint32_t n, nresult;
    const ins *snippet; /* NULL: none */
    uint8_t *temps[TILE_TEMPS];
    bool folds;    /* the snippet is a builtin that joins two elements into one, as a sum does */
    int32_t param; /* what `run` needs: an axis, a flag, how many indices */
    bool indexed;  /* of arrays: a tile of indices and an axis stand behind the array */
    const accum *accum;       /* of an element; NULL: not needed */
    const accum *const *sums; /* tile_run_adj_map: of each argument's item */
    const void *kept;         /* what `run` alone knows */
};

/* vm_tile.c: types and declarations */
bool type_is_tile(const type *t);
/* The type behind wp::tile_register_t or wp::tile_shared_t, from the '<' on. */
const type *tile_type_read(reader *r, bool shared);
uint32_t tile_elements(const type *t);
/* TYPE NAME = INITIALIZER; from the '=', '{' or '&' on; the type has been read. */
void tile_declare(reader *r, const type *t);
/* vm_tile_stack.c: the same of wp::tile_stack_t */
const type *stack_type_read(reader *r);
void stack_declare(reader *r, const type *t);

/* vm_tile_calls.c */
/* Is it a call of a tile builtin, by its name? */
bool tile_is_call(str name);
void tile_call_read(reader *r, call *k);
/* A call of another builtin whose arguments are read; does it have a tile among them? */
bool tile_in_call(const call *k);
/* v.grad_zero(), from the '.' on. */
void tile_member_read(reader *r, var *v);

/* vm_tile_whole.c: the same call */
void tile_other_call(reader *r, call *k);

/* vm_uniform.c: do all lanes of each block of the launch compute the same? */
bool vm_is_uniform(const machine *m);

/* vm_tile_frame.c: the memory of a lane that is saved while others run; parts consist of words. */
typedef struct lane_frame {
    frame_part *v;
    uint32_t n;
} lane_frame;
void lane_parts(const textvm *vm, arena *a, lane_frame *out);

/* vm_block.c: the lanes of a block */
/* Addresses of a lane's variables, while the block meets. */
void *lane_at(const machine *m, uint32_t lane, const void *at);
/* False: lane 0 has run since the last meeting and waits for the others. */
bool lane_is_first(const machine *m);
/* Runs the block of threads from `first` on. False: m->error is set. */
bool block_run(machine *m, uint64_t first, uint32_t lanes);
/* Allocates what block_run needs, from m->views. */
void block_prepare(machine *m);
const tile_block *block_shape(const machine *m);
/* Runs a snippet. */
bool snippet_run(machine *m, const ins *start);

/* vm_tile_ops.c */
ins_fn do_tile, do_tile_extract, do_tile_clear;
tile_fn tile_run_clear, tile_run_map, tile_run_adj_map, tile_run_load, tile_run_store,
    tile_run_atomic_add, tile_run_adj_load, tile_run_adj_store, tile_run_fill, tile_run_arange,
    tile_run_tile, tile_run_adj_tile, tile_run_untile, tile_run_adj_untile, tile_run_reduce,
    tile_run_arg_reduce, tile_run_adj_sum, tile_run_extract, tile_run_adj_extract, tile_run_assign,
    tile_run_adj_assign, tile_run_assign_tile, tile_run_adj_assign_tile, tile_run_view,
    tile_run_inplace, tile_run_adj_inplace, tile_run_from_thread, tile_run_sort, tile_run_grad_zero,
    tile_run_matmul, tile_run_adj_matmul, tile_run_adj_transpose;

#endif
