/* SPDX-License-Identifier: Apache-2.0 */
/* Do all lanes of a block compute the same, so that one may run for all?
 *
 *     i = wp.tid()                              launched for (n, 256): every lane has the same i,
 *     t = wp.tile_load(x, 16, offset=16 * i)    the offset too, and the tile is the block's
 *     y[i] = 1.0                                a store: 256 of them may be what is wrong
 *
 * They do where the coordinates that the text reads are the same in the block and everything
 * between two meetings only reads memory. Instructions that are not known here count as ones that
 * tell lanes apart. What a tile operation makes of its operands is its own: it still goes over all
 * lanes, which all have the same variables (vm_block.c). */
#include "base/assert.h"
#include "textvm/vm_ops.h"
#include "textvm/vm_tile.h"

bool vm_reads_only(const ins *i)
{
    static ins_fn *const others[] = {
        do_load,      do_load4, do_load8,      do_address,     do_address1, do_view,
        do_shape,     do_len,   do_shape_item, do_component,   do_zero,     do_truth,
        do_from_bool, do_range, do_iter_next,  do_step,        do_tid,      do_tid1,
        do_block_dim, do_check, do_call,       do_tile_extract};
    uint32_t first, n;
    size_t size;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (i->run == others[k])
            return true;
    return vm_is_pure(i, &first, &n) || vm_is_jump(i) || vm_ends(i) || vm_moved(i, &size);
}

/* Operations that set no variable of a lane, or the same one in all. */
static bool is_of_block(const tile_info *info)
{
    static tile_fn *const known[] = {
        tile_run_clear, tile_run_map,     tile_run_load,    tile_run_store,  tile_run_atomic_add,
        tile_run_fill,  tile_run_arange,  tile_run_tile,    tile_run_reduce, tile_run_arg_reduce,
        tile_run_view,  tile_run_extract, tile_run_inplace, tile_run_matmul};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (info->run == known[k])
            return true;
    return false;
}

bool vm_is_uniform(const machine *m)
{
    const textvm *vm = m->vm;
    WEFT_ASSERT(m->coord_mult && m->block_dim > 0);
    /* a block lies within one run of threads that have the same coordinates */
    bool uniform = !vm->backward && m->coord_mult % (uint64_t)m->block_dim == 0;
    for (uint32_t at = 0; uniform && at < vm->ncode; at++) {
        const ins *i = vm_own(vm, at);
        uniform = i->run == do_tile
                      ? is_of_block(i->aux)
                      : vm_reads_only(i) || i->run == do_address_of || i->run == do_tile_clear;
    }
    return uniform;
}
