/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles that are variables like others: copied, assigned in a loop, chosen by a condition.
 *
 *     var_9 = wp::copy(var_4);            the elements, or of a view another view
 *     wp::assign(var_2, var_9);           the same into a variable that has a value
 *     var_7 = wp::where(var_1, var_5, var_6);
 *
 * Warp 1.19's native/builtin.h has these for all types, and native/tile.h for pairs of a shared and
 * a register tile. */
#include "base/assert.h"
#include "textvm/vm_tile_item.h"
#include "textvm/vm_tile_read.h"

/* ---- executed ---- */

/* to, from: their elements, or of a view what it points to */
static bool move_whole(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    if (!t->owner) {
        *tile_at(i, 0) = *tile_at(i, 1);
        return true;
    }
    const size_t size = vm_type_size(t->elem);
    if (!tile_at(i, 1)->data)
        return fault(m, i, "a view of no tile is read");
    EACH_ITEM(m, tile_elements(t), lane, e)
    memcpy(item(i, info, 0, e), item(i, info, 1, e), size);
    return spend(m, i, tile_elements(t));
}

static bool is_true(const machine *m, const ins *i, const tile_info *info, uint32_t a,
                    uint32_t lane)
{
    const num x = num_load(info->args[a].type->kind, lane_value(m, i, a, lane));
    return type_is_float(info->args[a].type) ? x.f != 0 : x.i != 0;
}

/* result, condition, a, b: each lane chooses its own elements; a view has one tile to point to */
static bool choose_whole(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    const bool first = is_true(m, i, info, 1, 0);
    for (uint32_t lane = 1; !t->owner && lane < block_shape(m)->lanes; lane++)
        if (is_true(m, i, info, 1, lane) != first) {
            vm_fault(m, i, TEXTVM_MISSING, "cannot execute views that differ among threads");
            return false;
        }
    if (!t->owner) {
        *tile_at(i, 0) = *tile_at(i, first ? 2 : 3);
        return true;
    }
    const size_t size = vm_type_size(t->elem);
    EACH_ITEM(m, tile_elements(t), lane, e)
    {
        const uint8_t *from = item(i, info, is_true(m, i, info, 1, lane) ? 2 : 3, e);
        if (!from)
            return fault(m, i, "a view of no tile is read");
        memcpy(item(i, info, 0, e), from, size);
    }
    return spend(m, i, tile_elements(t));
}

/* condition, a, b, their adjoints, the result's adjoint */
static bool adj_choose_whole(machine *m, const ins *i, const tile_info *info)
{
    EACH_ITEM(m, tile_elements(info->args[6].type), lane, e)
    {
        uint8_t *to = item_grad(i, info, is_true(m, i, info, 0, lane) ? 4 : 5, e);
        const uint8_t *from = item_grad(i, info, 6, e);
        if (to && from)
            accum_run(info->accum, to, from);
    }
    return spend(m, i, tile_elements(info->args[6].type));
}

/* source, adj_source, adj_copy: Warp adds, and clears the copy's. */
static bool adj_copy_whole(machine *m, const ins *i, const tile_info *info)
{
    EACH_ITEM(m, tile_elements(info->args[1].type), lane, e)
    {
        uint8_t *to = item_grad(i, info, 1, e), *from = item_grad(i, info, 2, e);
        if (to && from)
            accum_run(info->accum, to, from);
        if (from)
            memset(from, 0, info->accum->size);
    }
    return spend(m, i, tile_elements(info->args[1].type));
}

/* to, from, adj_to, adj_from. param: of two register tiles Warp replaces the source's adjoint, else
 * it adds. */
static bool adj_assign_whole(machine *m, const ins *i, const tile_info *info)
{
    EACH_ITEM(m, tile_elements(info->args[2].type), lane, e)
    {
        uint8_t *from = item_grad(i, info, 2, e), *to = item_grad(i, info, 3, e);
        if (from && to && info->param)
            memcpy(to, from, info->accum->size);
        else if (from && to)
            accum_run(info->accum, to, from);
        if (from)
            memset(from, 0, info->accum->size);
    }
    return spend(m, i, tile_elements(info->args[2].type));
}

/* ---- read ---- */

/* A tile argument of the elements and the shape of `like`. */
static const type *like_tile(reader *r, const call *k, uint32_t a, const type *like)
{
    const type *t = tile_arg_type(r, k, a);
    if (t->elem != like->elem || t->ndim != like->ndim ||
        memcmp(t->dims, like->dims, (size_t)t->ndim * sizeof *t->dims) != 0)
        tile_wrong(r, k);
    return t;
}

/* result = copy(tile) */
static void read_copy(reader *r, call *k)
{
    if (k->n != 1)
        tile_wrong(r, k);
    like_tile(r, k, 0, tile_result(r, k));
    tile_emit(r, k, move_whole);
}

/* assign(to, from): of one C++ type, or a shared and a register tile */
static void read_assign_whole(reader *r, call *k)
{
    const type *to = tile_arg_type(r, k, 0), *from = like_tile(r, k, 1, to);
    if (k->result || (to != from && to->shared == from->shared))
        tile_wrong(r, k);
    tile_changes(&k->args[0]);
    tile_emit(r, k, move_whole);
}

/* adj_copy(source, adj_source, adj_copy) */
static void read_adj_copy(reader *r, call *k)
{
    const type *t = tile_arg_type(r, k, 0);
    if (k->n != 3 || k->result || tile_arg_type(r, k, 1) != t)
        tile_wrong(r, k);
    like_tile(r, k, 2, t);
    var_pair(r, k->args[0].v, k->args[1].v);
    tile_changes(&k->args[1]);
    tile_changes(&k->args[2]);
    const accum *sum = accum_of(r, t->elem, false);
    tile_emit(r, k, adj_copy_whole)->accum = sum;
}

/* adj_assign(to, from, adj_to, adj_from). Of two shared tiles Warp copies elements in the place of
 * gradients, and reads a tile without memory. */
static void read_adj_assign_whole(reader *r, call *k)
{
    const type *to = tile_arg_type(r, k, 0), *from = like_tile(r, k, 1, to);
    if (k->result || tile_arg_type(r, k, 2) != to || tile_arg_type(r, k, 3) != from)
        tile_wrong(r, k);
    if (to->shared && from->shared)
        read_missing(r, STR("the adjoint of an assignment of shared tiles"));
    var_pair(r, k->args[0].v, k->args[2].v);
    var_pair(r, k->args[1].v, k->args[3].v);
    tile_changes(&k->args[2]);
    tile_changes(&k->args[3]);
    const accum *sum = accum_of(r, to->elem, false);
    tile_info *info = tile_emit(r, k, adj_assign_whole);
    info->accum = sum;
    info->param = to == from;
}

static void need_condition(reader *r, const call *k)
{
    if (k->args[0].type.ptr || !type_is_scalar(k->args[0].type.t))
        tile_wrong(r, k);
}

/* result = where(condition, a, b) */
static void read_where(reader *r, call *k)
{
    const type *out = tile_result(r, k);
    if (k->n != 3)
        tile_wrong(r, k);
    need_condition(r, k);
    like_tile(r, k, 1, out);
    like_tile(r, k, 2, out);
    tile_emit(r, k, choose_whole);
}

/* adj_where(condition, a, b, adj_condition, adj_a, adj_b, adj_result) */
static void read_adj_where(reader *r, call *k)
{
    if (k->n != 7 || k->result)
        tile_wrong(r, k);
    need_condition(r, k);
    const type *out = tile_arg_type(r, k, 6);
    for (uint32_t a = 0; a < 3; a++)
        var_pair(r, k->args[a].v, k->args[3 + a].v);
    for (uint32_t a = 1; a < 3; a++)
        if (like_tile(r, k, a, out) != tile_arg_type(r, k, 3 + a))
            tile_wrong(r, k);
    tile_changes(&k->args[4]);
    tile_changes(&k->args[5]);
    const accum *sum = accum_of(r, out->elem, false);
    tile_emit(r, k, adj_choose_whole)->accum = sum;
}

/* Builtins that take other values, too. */
void tile_other_call(reader *r, call *k)
{
    static const struct {
        const char *name;
        void (*read)(reader *r, call *k), (*element)(reader *r, call *k);
        uint32_t whole; /* so many arguments, where fewer or more are those of one element */
    } others[] = {
        {"adj_assign", read_adj_assign_whole, tile_element_adj_assign, 4},
        {"adj_copy", read_adj_copy, NULL, 3},
        {"adj_where", read_adj_where, NULL, 7},
        {"assign", read_assign_whole, tile_element_assign, 2},
        {"copy", read_copy, NULL, 1},
        {"where", read_where, NULL, 3},
    };
    for (uint32_t a = 0; a < k->n; a++)
        if (k->args[a].address)
            tile_wrong(r, k);
    for (size_t j = 0; j < sizeof others / sizeof *others; j++) {
        if (!str_eq(k->id->s, str_c(others[j].name)))
            continue;
        const bool whole = !others[j].element || k->n == others[j].whole;
        (whole ? others[j].read : others[j].element)(r, k);
        return;
    }
    read_missing(r, k->id->s);
}
