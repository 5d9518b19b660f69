/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of BVHs and meshes by a whole block: a variable of each thread, with the same contents. A
 * step gives each thread an element of its own:
 *
 *     found = wp.tile_bvh_query_next(query)       const int own = block_query_next(query);
 *     k = wp.untile(found)                        k is own
 *
 * Unless all that is done with the tile is to take each thread's element out again, it is an array
 * like others: found[threadIdx.x] = block_query_next(query). */
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile_linear.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

bool cuda_tile_read_query(const tile_call *r)
{
    cuda_fn *f = r->f;
    if (!r->result)
        return cuda_tile_refuse(r);
    cx *e = cuda_tile_builtin(f, r->name, r->type, r->n);
    for (uint32_t i = 0; i < r->n; i++)
        e->args[i] = cuda_operand_value(f, r->args[i]);
    cs_set(f, r->out, r->result, e);
    return true;
}

/* Does `untile` alone take the variable? */
static bool is_only_taken_apart(const ir_unit *u, uint32_t var)
{
    for (uint32_t i = 0; i < u->forward.n; i++) {
        const ir_stmt *s = &u->stmts.v[u->forward.v[i].stmt];
        for (uint32_t k = s->op == IR_CALL ? 1 : 0; k < s->nargs; k++) {
            const ir_arg a = u->args.v[s->args + k];
            if (ir_kind(a) == IR_ARG_VAR && ir_index(a) == var &&
                !str_eq(cuda_called_name(u, s), STR("untile")))
                return false;
        }
    }
    return true;
}

bool cuda_tile_read_query_next(const tile_call *r)
{
    cuda_fn *f = r->f;
    uint32_t var;
    cx *query = r->n == 1 ? cuda_operand_place(f, r->args[0]) : NULL;
    if (!r->result || !query || !cx_is_var(query, &var))
        return cuda_tile_refuse(r);
    cx *e = cx_new(f, CX_CALL, cuda_int(f), 1);
    cx_set_op(e, CUDA_OP_QUERY_STEP);
    e->args[0] = query;
    if (!f->tiles[r->var] && is_only_taken_apart(f->u, r->var)) {
        cuda_tile *t = cuda_tile_new(f, r->var, CUDA_TILE_COMPUTED);
        t->map = ARENA_NEW(&f->c->module, cuda_tile_map);
        *t->map =
            (cuda_tile_map){.e = cuda_tile_new_var(f, r->out, cuda_int(f), "own", e), .lane = true};
        return true;
    }
    cuda_tile *t = cuda_tile_made(r);
    if (!t || t->kind != CUDA_TILE_OWN || t->ndim != 1)
        return cuda_tile_refuse(r);
    cuda_tile_meet(f, r->out, &(cuda_tile_use){t, true, true}, 1);
    cs_set(f, r->out, cuda_tile_element(f, t, (cx *[]){cuda_tile_thread(f)}), e);
    return true;
}
