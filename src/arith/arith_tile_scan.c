/* SPDX-License-Identifier: Apache-2.0 */
/* Running sums, minima and maxima of a tile's elements, in Warp's order (1.19 native/tile_scan.h).
 *
 *     1 2 3 4     inclusive: 1 3 6 10     exclusive: 0 1 3 6
 *
 * On the CPU one after another. On CUDA the threads of a block take so many elements at a time: a
 * warp adds at the distances 1, 2, 4, 8 and 16, then its sum is added to the warps behind it, and
 * the sum of all to what follows. Sums of floats differ between the two. */
#include "arith/arith_tile.h"

#include <string.h>

#include "base/assert.h"

enum { WARP = 32 };

/* acc = f(acc, x) */
static bool join(const tile_reduction *r, uint8_t *acc, const uint8_t *x)
{
    return r->combine(r->arg, acc, x);
}

/* Elements of lanes that a partial block lacks are left out. acc: the sum so far; own: room for an
 * element. */
static bool scan_in_order(const tile_block *b, const tile_reduction *r, tile_scanning kind,
                          uint8_t *acc, uint8_t *own)
{
    bool begun = kind != TILE_SCAN_CHOICES;
    memset(acc, 0, r->size);
    for (uint32_t e = 0; e < r->n; e++) {
        uint8_t *at = r->bytes + e * r->size;
        if (e % b->width >= b->lanes)
            continue;
        memcpy(own, at, r->size);
        if (kind == TILE_SCAN_EXCLUSIVE)
            memcpy(at, acc, r->size);
        if (!begun)
            memcpy(acc, own, r->size);
        else if (!join(r, acc, own))
            return false;
        begun = true;
        if (kind != TILE_SCAN_EXCLUSIVE)
            memcpy(at, acc, r->size);
    }
    return true;
}

/* n values of a warp: each becomes the sum up to it. */
static bool scan_warp(const tile_reduction *r, uint8_t *values, uint32_t n)
{
    for (uint32_t distance = 1; distance < WARP; distance *= 2)
        for (uint32_t lane = n; lane-- > distance;)
            if (!join(r, values + lane * r->size, values + (lane - distance) * r->size))
                return false;
    return true;
}

/* Sums within the warps to sums within the block: `sums` gets those of whole warps. */
static bool join_warps(const tile_reduction *r, uint8_t *values, uint8_t *sums, uint32_t width)
{
    const uint32_t warps = width / WARP;
    for (uint32_t w = 0; w < warps; w++)
        memcpy(sums + w * r->size, values + (w * WARP + WARP - 1) * r->size, r->size);
    return scan_warp(r, sums, warps);
}

/* What a thread has: the sum in its warp, without its own element if `exclusive`, and behind it
 * those of the warps before. */
static bool scan_value(const tile_reduction *r, bool exclusive, uint32_t lane, const uint8_t *work,
                       const uint8_t *sums, uint8_t *mine)
{
    const uint32_t warp = lane / WARP;
    memset(mine, 0, r->size);
    if (!exclusive || lane % WARP)
        memcpy(mine, work + (lane - exclusive) * r->size, r->size);
    return !warp || join(r, mine, sums + (warp - 1) * r->size);
}

/* The elements from `first` on, one for each thread. `offset`, behind the values and sums in
 * `work`, is the sum of those in front, and grows by what the last thread has. */
static bool scan_block(const tile_block *b, const tile_reduction *r, bool exclusive, uint32_t first,
                       uint8_t *work)
{
    const size_t size = r->size;
    const uint32_t n = r->n - first < b->width ? r->n - first : b->width;
    uint8_t *sums = work + b->width * size, *offset = sums + b->width * size;
    uint8_t *mine = offset + size, *own = mine + size;
    memset(work, 0, b->width * size);
    memcpy(work, r->bytes + first * size, n * size);
    for (uint32_t lane = 0; lane < b->width; lane += WARP)
        if (!scan_warp(r, work + lane * size, b->width - lane < WARP ? b->width - lane : WARP))
            return false;
    if (!join_warps(r, work, sums, b->width))
        return false;
    for (uint32_t lane = 0; lane < b->width; lane++) {
        uint8_t *at = r->bytes + (first + lane) * size;
        if (!scan_value(r, exclusive, lane, work, sums, mine))
            return false;
        memset(own, 0, size);
        if (lane < n) {
            memcpy(own, at, size);
            memcpy(at, mine, size);
            if (!join(r, at, offset))
                return false;
        }
    }
    return (!exclusive || join(r, mine, own)) && join(r, offset, mine);
}

bool tile_scan(const tile_block *b, const tile_reduction *r, tile_scanning kind, uint8_t *work)
{
    WEFT_ASSERT(b->lanes > 0 && b->lanes <= b->width && r->n > 0);
    if (!b->warps || kind == TILE_SCAN_CHOICES)
        return scan_in_order(b, r, kind, work, work + r->size);
    memset(work + 2 * b->width * r->size, 0, r->size);
    for (uint32_t first = 0; first < r->n; first += b->width)
        if (!scan_block(b, r, kind == TILE_SCAN_EXCLUSIVE, first, work))
            return false;
    return true;
}
