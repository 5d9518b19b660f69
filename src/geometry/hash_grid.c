/* SPDX-License-Identifier: Apache-2.0 */
/* Hash grids: points sorted by the cell that they lie in, and the points of the cells around a
 * place. Cells repeat: cell x and cell x + dims[0] are one. After Warp 1.19 native/hashgrid.h.
 *
 *     width 1, dims 4x4x4, point (5.5, 0.2, -0.1)   ->   cell (1, 0, 3)
 *
 * A query gives the points of whole cells, so some lie beyond the radius. Cells are visited by x,
 * then y, then z; points of a cell in the order in which they were given. */
#include "geometry/geometry_internal.h"

enum { CELLS_MAX = 1 << 24 };

/* The cell's coordinate: rounded down, within int32, and one less at its upper end, so that a step
 * beyond the last cell does not overflow. NaN: 0. */
static int32_t cell_of(float x)
{
    const float down = floorf(x);
    if (down >= 2147483648.0f)
        return INT32_MAX - 1;
    if (down >= -2147483648.0f)
        return (int32_t)down;
    return down < -2147483648.0f ? INT32_MIN : 0;
}

/* Of a cell's coordinate, in the grid that repeats. */
static int32_t wrapped(int32_t x, int32_t n)
{
    WEFT_ASSERT(n > 0);
    const int32_t rest = x % n;
    return rest < 0 ? rest + n : rest;
}

/* Cells of one row lie side by side: x + dims.x (y + dims.y z). Needs a product of the dims within
 * int32, which CELLS_MAX sees to. */
static int32_t cell_number(const hash_grid *g, const int32_t cell[3])
{
    const int32_t x = wrapped(cell[0], g->dims[0]), y = wrapped(cell[1], g->dims[1]);
    return (wrapped(cell[2], g->dims[2]) * g->dims[1] + y) * g->dims[0] + x;
}

static int32_t cell_of_point(const hash_grid *g, vec3 p)
{
    const int32_t cell[3] = {cell_of(p.x * g->inverse), cell_of(p.y * g->inverse),
                             cell_of(p.z * g->inverse)};
    return cell_number(g, cell);
}

/* Counts the points of each cell, then places them: stable, as Warp's radix sort. A cell's stop
 * counts first, is its start next, and moves behind each point that is placed. Needs: starts and
 * stops are zero. */
static void sort_points(hash_grid *g, const vec3 *points, int32_t cells)
{
    for (int32_t i = 0; i < g->n; i++)
        g->stops[cell_of_point(g, points[i])]++;
    for (int32_t i = 0, at = 0; i < cells; i++) {
        const int32_t count = g->stops[i];
        g->starts[i] = g->stops[i] = at;
        at += count;
    }
    for (int32_t i = 0; i < g->n; i++)
        g->points[g->stops[cell_of_point(g, points[i])]++] = i;
}

uint64_t geometry_add_hash_grid(ctx *c, const vec3 *points, int32_t n, float width,
                                const int32_t dims[3])
{
    int64_t cells = 1;
    for (int i = 0; i < 3; i++) {
        cells *= dims[i];
        if (dims[i] < 1 || cells > CELLS_MAX)
            return 0;
    }
    if (n < 0 || !(width > 0))
        return 0;
    hash_grid *g = ARENA_NEW(&c->module, hash_grid);
    *g = (hash_grid){{dims[0], dims[1], dims[2]}, 1.0f / width, n, NULL, NULL, NULL};
    g->points = ARENA_ARRAY(&c->module, int32_t, (size_t)n + 1);
    g->starts = arena_zero(&c->module, (size_t)cells * sizeof *g->starts);
    g->stops = arena_zero(&c->module, (size_t)cells * sizeof *g->stops);
    sort_points(g, points, (int32_t)cells);
    return geometry_add(c, (geometry_object){.grid = g});
}

/* The last cell to visit. A radius wider than the grid would come round to cells that were visited:
 * n cells are all there are. */
static int32_t last_cell(int32_t start, int32_t end, int32_t n)
{
    return (int64_t)end - start >= n ? start + (n - 1) : end;
}

static void enter_cell(const hash_grid *g, grid_query *q)
{
    const int32_t number = cell_number(g, q->cell);
    q->at = g->starts[number];
    q->stop = g->stops[number];
}

geometry_status grid_query_start(const ctx *c, uint64_t id, vec3 point, float radius,
                                 grid_query *out)
{
    const hash_grid *g = geometry_find(c, id).grid;
    const float p[3] = {point.x, point.y, point.z};
    *out = (grid_query){.id = id};
    if (!g)
        return GEOMETRY_NO_OBJECT;
    for (int i = 0; i < 3; i++) {
        const int32_t start = cell_of((p[i] - radius) * g->inverse);
        out->start[i] = out->cell[i] = start;
        out->end[i] = last_cell(start, cell_of((p[i] + radius) * g->inverse), g->dims[i]);
    }
    enter_cell(g, out);
    return GEOMETRY_FOUND;
}

/* Points of the present cell, then the next cell with points: x runs first, then y, then z. */
geometry_status grid_query_next(const ctx *c, grid_query *q, int32_t *index)
{
    const hash_grid *g = geometry_find(c, q->id).grid;
    if (!g)
        return GEOMETRY_NO_OBJECT;
    while (q->at >= q->stop) {
        if (++q->cell[0] > q->end[0]) {
            q->cell[0] = q->start[0];
            q->cell[1]++;
        }
        if (q->cell[1] > q->end[1]) {
            q->cell[1] = q->start[1];
            q->cell[2]++;
        }
        if (q->cell[2] > q->end[2]) {
            q->cell[2]--; /* asked once more, the query ends again */
            q->cell[0] = q->end[0];
            q->cell[1] = q->end[1];
            return GEOMETRY_NOTHING;
        }
        enter_cell(g, q);
    }
    *index = g->points[q->at++];
    return GEOMETRY_FOUND;
}

geometry_status grid_point_id(const ctx *c, uint64_t id, int32_t at, int32_t *index)
{
    const hash_grid *g = geometry_find(c, id).grid;
    if (!g)
        return GEOMETRY_NO_OBJECT;
    if (at < 0 || at >= g->n)
        return GEOMETRY_NOTHING;
    *index = g->points[at];
    return GEOMETRY_FOUND;
}
