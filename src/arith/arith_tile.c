/* SPDX-License-Identifier: Apache-2.0 */
/* The order of reductions, and products of matrices (arith_tile.h).
 *
 *     width 64, 128 elements, CUDA:   lane 0: x[0] + x[64], lane 1: x[1] + x[65], ...
 *                                     lane 0: lane 0 + lane 16, lane 1: lane 1 + lane 17, ...
 *                                     then at the distances 8, 4, 2, 1; the same in the second warp
 *                                     lane 0 of the first warp + lane 0 of the second
 *
 * Warp passes values between lanes by shuffles; what lanes beyond the first get is never used, so
 * only the lanes that reach lane 0 are combined here. */
#include "arith/arith_tile.h"

#include <math.h>

#include "base/assert.h"

enum { WARP = 32 };

/* The first elements of the lanes are at their own places, so each lane sums up in place. */
static bool reduce_lanes(const tile_block *b, const tile_reduction *r)
{
    for (uint32_t lane = 0; lane < b->lanes && lane < r->n; lane++)
        for (uint32_t e = lane + b->width; e < r->n; e += b->width)
            if (!r->combine(r->arg, r->bytes + lane * r->size, r->bytes + e * r->size))
                return false;
    return true;
}

/* The tree of one warp that begins at lane `first` and has n lanes with data. */
static bool reduce_warp(const tile_reduction *r, uint32_t first, uint32_t n)
{
    for (uint32_t distance = WARP / 2; distance > 0; distance /= 2)
        for (uint32_t lane = 0; lane < distance && lane + distance < n; lane++)
            if (!r->combine(r->arg, r->bytes + (first + lane) * r->size,
                            r->bytes + (first + lane + distance) * r->size))
                return false;
    return true;
}

bool tile_reduce(const tile_block *b, const tile_reduction *r)
{
    WEFT_ASSERT(b->lanes > 0 && b->lanes <= b->width && r->n > 0);
    const uint32_t n = b->lanes < r->n ? b->lanes : r->n; /* lanes with data */
    if (!reduce_lanes(b, r))
        return false;
    for (uint32_t lane = 0; b->warps && lane < n; lane += WARP)
        if (!reduce_warp(r, lane, n - lane < WARP ? n - lane : WARP))
            return false;
    for (uint32_t lane = b->warps ? WARP : 1; lane < n; lane += b->warps ? WARP : 1)
        if (!r->combine(r->arg, r->bytes, r->bytes + lane * r->size))
            return false;
    return true;
}

/* The best element so far is in the bytes of element `best`, and has the number *at. */
static bool challenge(const tile_reduction *r, uint8_t *work, uint32_t best, int32_t *at,
                      uint32_t x, int32_t x_at)
{
    uint8_t *acc = r->bytes + best * r->size;
    const uint8_t *other = r->bytes + x * r->size;
    memcpy(work, other, r->size);
    if (!r->combine(r->arg, work, acc))
        return false;
    if (memcmp(work, acc, r->size) != 0)
        *at = x_at;
    return r->combine(r->arg, acc, other);
}

bool tile_arg_reduce(const tile_block *b, const tile_reduction *r, uint8_t *work, int32_t *at)
{
    WEFT_ASSERT(b->lanes > 0 && b->lanes <= b->width && r->n > 0);
    for (uint32_t lane = 0; lane < b->lanes && lane < r->n; lane++) {
        int32_t own = (int32_t)lane;
        for (uint32_t e = lane + b->width; e < r->n; e += b->width)
            if (!challenge(r, work, lane, &own, e, (int32_t)e))
                return false;
        if (lane == 0)
            *at = own;
        else if (!challenge(r, work, 0, at, lane, own))
            return false;
    }
    return true;
}

static uint8_t *matrix_item(const tile_matrix *m, uint32_t i, uint32_t j)
{
    const type scalar = {.kind = (uint8_t)m->kind};
    return m->at + ((int64_t)i * m->row + (int64_t)j * m->column) * (int64_t)layout_size(&scalar);
}

static num matrix_load(const tile_matrix *m, uint32_t i, uint32_t j, type_kind t)
{
    return num_cast(t, m->kind, num_load(m->kind, matrix_item(m, i, j)));
}

static num rounded(type_kind t, double x)
{
    return num_wrap(t, (num){.f = x});
}

/* c + a b: with one rounding for float32 and float64, with two for narrower types. */
static num muladd(type_kind t, num a, num b, num c)
{
    if (t == TYPE_FLOAT32)
        return (num){.f = (double)fmaf((float)a.f, (float)b.f, (float)c.f)};
    if (t == TYPE_FLOAT64)
        return (num){.f = fma(a.f, b.f, c.f)};
    return rounded(t, c.f + rounded(t, a.f * b.f).f);
}

void tile_matmul(const tile_product *p)
{
    const type_kind t = p->t;
    for (uint32_t i = 0; i < p->rows; i++)
        for (uint32_t j = 0; j < p->columns; j++) {
            num sum = {.f = 0};
            for (uint32_t k = 0; k < p->inner; k++)
                sum = muladd(t, matrix_load(&p->a, i, k, t), matrix_load(&p->b, k, j, t), sum);
            sum = rounded(t, p->alpha.f * sum.f);
            if (p->beta.f != 0)
                sum = rounded(t, sum.f + rounded(t, p->beta.f * matrix_load(&p->c, i, j, t).f).f);
            num_store(p->c.kind, matrix_item(&p->c, i, j), num_cast(p->c.kind, t, sum));
        }
}
