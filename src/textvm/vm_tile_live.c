/* SPDX-License-Identifier: Apache-2.0 */
/* What of tile operations matters, for the analyses that tell mutants that are the same program
 * (vm_live.c, vm_idle.c). An operation runs a snippet for each element, between temporary variables
 * that no instruction names:
 *
 *     var_7 = wp::tile_map(f_0, var_6);      the result of f_0 is read, since a store reads var_7
 *
 * In a backward text the operations of the forward pass stand, too. There only adjoints name a tile
 * that was stored, and that of the store reads no element of it. */
#include "textvm/vm_ops.h"
#include "textvm/vm_tile.h"

static const tile_info *info_of(const ins *i)
{
    return i->run == do_tile ? i->aux : NULL;
}

/* Does the operation not read the elements of operand k, its result, say? */
static bool ignores(const ins *i, uint32_t k)
{
    const tile_info *info = info_of(i);
    if (info && info->nresult && info->args[0].v == k)
        return true;
    if (!info || (info->run != tile_run_adj_store && info->run != tile_run_adj_inplace &&
                  info->run != tile_run_adj_sum))
        return false;
    for (uint32_t a = 0; 2 * a < info->n - (info->run == tile_run_adj_sum); a++)
        if (info->args[a].v == k)
            return true;
    return false;
}

/* Does anything but the instruction itself read the tile? */
static bool is_tile_read(const textvm *vm, const ins *by, const void *tile)
{
    for (uint32_t at = 0; at < vm->ncode; at++) {
        const ins *i = vm_inner(vm, at);
        for (uint32_t k = 0; i != by && i->run != do_tile_clear && k < vm_operands_of(i); k++)
            if (i->v[k] == tile && !ignores(i, k))
                return true;
    }
    return false;
}

uint8_t *const *vm_temps_of(const textvm *vm, const ins *i, uint32_t *n)
{
    const tile_info *info = info_of(i);
    *n = 0;
    if (!info || info->folds || !info->snippet)
        return NULL;
    const bool makes = info->run == tile_run_map || info->run == tile_run_inplace;
    if (makes && type_is_tile(info->args[0].type) && !is_tile_read(vm, i, i->v[info->args[0].v]))
        return NULL;
    *n = TILE_TEMPS;
    return info->temps;
}

const ins *vm_snippet_of(const ins *i)
{
    return info_of(i) ? info_of(i)->snippet : NULL;
}
