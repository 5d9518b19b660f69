/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of BVHs and meshes by a whole block: a step, read and executed.
 *
 *     var_8 = wp::tile_bvh_query_next(var_4);
 *
 * Each lane has the same query, and goes on with it. The tile's first element is what it found, the
 * others are -1, as in Warp 1.19 native/tile_bvh.h for the CPU; a GPU gives each thread another
 * one, in an order that it leaves open. */
#include "geometry/geometry.h"
#include "textvm/vm_tile_item.h"
#include "textvm/vm_tile_read.h"

/* result, query */
static bool run_query_next(machine *m, const ins *i, const tile_info *info)
{
    int32_t found = -1;
    for (uint32_t lane = block_shape(m)->lanes; lane-- > 0;)
        if (bvh_block_next(m->vm->c, lane_at(m, lane, i->v[1]), &found) == GEOMETRY_NO_OBJECT)
            return fault(m, i, "the id names no object that the query needs");
    for (uint32_t e = 0; e < tile_elements(info->args[0].type); e++)
        memcpy(item(i, info, 0, e), e ? &(int32_t){-1} : &found, sizeof found);
    return spend(m, i, block_shape(m)->width);
}

void read_query_next(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    const type *out = tile_result(r, k), *query = k->n == 1 ? k->args[0].type.t : NULL;
    const char *name =
        str_eq(k->id->s, STR("tile_bvh_query_next")) ? "BvhQueryTiled" : "MeshQueryAABBTiled";
    (void)run;
    (void)op;
    if (t->nfns || t->ntargs || out->elem->kind != TYPE_INT32 || out->ndim != 1 || !query ||
        k->args[0].type.ptr || query != type_native(r->c, name))
        tile_wrong(r, k);
    tile_changes(&k->args[0]);
    tile_emit(r, k, run_query_next);
}
