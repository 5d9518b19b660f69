/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of tiles, by the first thread of the block:
 *
 *     s = wp.tile_scan_inclusive(a)
 *     ->
 *     if (block_first()) {
 *         int sum = 0;
 *         for (int k = 0; k < 256; ++k) {
 *             sum += a[k];
 *             s[k] = sum;
 *         }
 *     }
 */
#include "cuda/cuda_tile_linear.h"
#include "cuda/cuda_tree.h"

/* Element k of the tile, counted row by row: its value, or its place. */
static cx *element(cuda_fn *f, const cuda_tile *t, cx *k,
                   cx *(*of)(cuda_fn *, const cuda_tile *, cx *const *))
{
    cx *at[CUDA_TILE_DIMS];
    for (uint32_t d = 0; d < t->ndim; d++)
        at[d] = t->ndim == 1 ? k : cuda_tile_index_of(f, t, d, k);
    return of(f, t, at);
}

/* sum += x, or the smaller or larger of both. */
static void add(cuda_fn *f, cs_list *out, cx *sum, cx *x, const char *choice)
{
    if (!choice) {
        cs_set(f, out, sum, x)->add = true;
        return;
    }
    cx *e = cuda_tile_builtin(f, str_c(choice), sum->type, 2);
    e->args[0] = sum;
    e->args[1] = x;
    cs_set(f, out, sum, e);
}

bool cuda_tile_read_scan(const tile_call *r)
{
    cuda_fn *f = r->f;
    cuda_tile *to = cuda_tile_made(r), *t = r->n == 1 ? cuda_tile_operand(r, 0) : NULL;
    const char *choice = str_starts(r->name, "tile_scan_max")   ? "max"
                         : str_starts(r->name, "tile_scan_min") ? "min"
                                                                : NULL;
    const bool exclusive = str_eq(r->name, STR("tile_scan_exclusive"));
    if (!to || !t || to->kind != CUDA_TILE_OWN || to->elem != t->elem ||
        cuda_tile_size(t) != cuda_tile_size(to))
        return cuda_tile_refuse(r);
    const cuda_tile_use uses[] = {{to, true, false}, {t, false, false}};
    cuda_tile_meet(f, r->out, uses, 2);
    cs *s = cs_put(f, r->out, CS_IF);
    s->e = cuda_tile_builtin(f, STR("block_first"), type_scalar(f->c, TYPE_BOOL), 0);
    cx *k, *first = choice ? element(f, t, cx_number(f, 0), cuda_tile_value)
                           : cx_new(f, CX_ZERO, t->elem, 0);
    cx *sum = cuda_tile_new_var(f, &s->body, t->elem, choice ? choice : "sum", first);
    cs_list *body = &cuda_tile_count(f, &s->body, 0, cuda_tile_size(t), &k)->body;
    if (!exclusive)
        add(f, body, sum, element(f, t, k, cuda_tile_value), choice);
    cs_set(f, body, element(f, to, k, cuda_tile_element), sum);
    if (exclusive)
        add(f, body, sum, element(f, t, k, cuda_tile_value), choice);
    return true;
}
