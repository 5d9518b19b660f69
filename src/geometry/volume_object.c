/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes made from arrays and look-ups in them (volume.h).
 *
 *     voxel (9, 2, -1)     block (8, 0, -8), place (1, 2, 7) in it: 1 * 64 + 2 * 8 + 7 = 79
 *
 * Blocks are numbered as Warp 1.19 native/volume_builder.h numbers the leaves of a new grid: by the
 * coordinates of the cube of 4096 voxels that they are in, then of 128, then of 8; each by x, y, z.
 * They are searched in this order. */
#include <stdlib.h>

#include "geometry/geometry_internal.h"

enum { SIDE = 8 };

/* The sizes of cubes, as powers of two: blocks and the tiles of three levels. */
static const uint8_t shifts[VOLUME_LEVELS] = {3, 3, 7, 12};

size_t volume_value_size(volume_kind kind)
{
    static const uint8_t sizes[] = {4, 8, 4, 4, 8, 12, 24, 16, 32, 0, 0};
    _Static_assert(sizeof sizes == VOLUME_ON_INDEX + 1, "a size for each kind");
    WEFT_ASSERT(kind <= VOLUME_ON_INDEX);
    return sizes[kind];
}

/* The order of cubes of 2^shift voxels that hold these: below 0, 0, above 0. */
static int compare(const int32_t a[3], const int32_t b[3], int shift)
{
    static const uint8_t steps[] = {12, 7, 3};
    for (int s = 0; s < 3 && steps[s] >= shift; s++)
        for (int i = 0; i < 3; i++) {
            const int32_t x = a[i] >> steps[s], y = b[i] >> steps[s];
            if (x != y)
                return x < y ? -1 : 1;
        }
    return 0;
}

static int compare_cubes(const void *a, const void *b)
{
    const volume_cube *x = a, *y = b;
    return compare(x->origin, y->origin, 3);
}

/* The cube of a level that holds the voxel; NULL: there is none. */
static const volume_cube *find_cube(const volume *v, int level, const int32_t ijk[3])
{
    uint32_t low = 0, high = v->ncubes[level];
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const volume_cube *cube = &v->cubes[level][middle];
        const int order = compare(cube->origin, ijk, shifts[level]);
        if (order == 0)
            return cube;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Of a voxel in its block. */
static uint32_t place_in_block(const int32_t ijk[3])
{
    return (uint32_t)(ijk[0] & 7) << 6 | (uint32_t)(ijk[1] & 7) << 3 | (uint32_t)(ijk[2] & 7);
}

/* The value of a voxel in a block; NULL: it is in none. */
static uint8_t *value_in_block(const volume *v, const int32_t ijk[3])
{
    const size_t size = volume_value_size(v->kind);
    const volume_cube *block = find_cube(v, 0, ijk);
    WEFT_ASSERT(size);
    return block ? v->values + ((size_t)block->at * VOLUME_BLOCK + place_in_block(ijk)) * size
                 : NULL;
}

uint8_t *volume_place(volume *v, const int32_t ijk[3])
{
    v->changed = true;
    return value_in_block(v, ijk);
}

const uint8_t *volume_value(const volume *v, const int32_t ijk[3])
{
    const uint8_t *place = value_in_block(v, ijk);
    for (int level = 1; !place && level < VOLUME_LEVELS; level++) {
        const volume_cube *tile = find_cube(v, level, ijk);
        if (tile)
            place = v->tiles + tile->at * volume_value_size(v->kind);
    }
    return place ? place : v->background;
}

static uint32_t bits_of(uint64_t x)
{
    return (uint32_t)__builtin_popcountll(x);
}

int64_t volume_number(const volume *v, const int32_t ijk[3])
{
    const volume_cube *block = find_cube(v, 0, ijk);
    if (!block)
        return 0;
    const uint32_t place = place_in_block(ijk);
    const int64_t first = v->first ? v->first[block->at] : (int64_t)block->at * VOLUME_BLOCK + 1;
    if (v->kind != VOLUME_ON_INDEX)
        return first + place;
    const uint64_t *mask = v->masks + (size_t)block->at * 8, bit = UINT64_C(1) << (place & 63);
    if (!(mask[place >> 6] & bit))
        return 0;
    uint32_t before = bits_of(mask[place >> 6] & (bit - 1));
    for (uint32_t i = 0; i < place >> 6; i++)
        before += bits_of(mask[i]);
    return first + before;
}

int32_t volume_count(const volume *v)
{
    const uint64_t n =
        v->kind == VOLUME_ON_INDEX ? v->count : (uint64_t)v->ncubes[0] * VOLUME_BLOCK;
    return n > INT32_MAX ? INT32_MAX : (int32_t)n;
}

volume *volume_find(const ctx *c, uint64_t id)
{
    return geometry_find(c, id).volume;
}

volume_kind volume_kind_of(const volume *v)
{
    return v->kind;
}

const volume_map *volume_map_of(const volume *v)
{
    return &v->map;
}

/* --- making volumes --------------------------------------------------------------------------- */

/* Warp 1.19 volume_set_map: the inverse is by cofactors, in double. */
void volume_make_map(const float size[3], const float origin[3], volume_map *out)
{
    const double x = (double)size[0], y = (double)size[1], z = (double)size[2];
    const double scale = 1.0 / (x * (y * z)),
                 inverse[3] = {y * z * scale, x * z * scale, x * y * scale};
    *out = (volume_map){0};
    for (int i = 0; i < 3; i++) {
        WEFT_ASSERT(size[i] > 0);
        out->to_world_f32[4 * i] = size[i];
        out->to_world_f64[4 * i] = (double)size[i];
        out->to_index_f32[4 * i] = (float)inverse[i];
        out->to_index_f64[4 * i] = inverse[i];
        out->origin_f32[i] = origin[i];
        out->origin_f64[i] = (double)origin[i];
    }
}

static volume *new_volume(ctx *c, volume_kind kind, const volume_map *map)
{
    volume *v = ARENA_NEW(&c->module, volume);
    v->kind = kind;
    v->map = *map;
    return v;
}

/* Room for the values of all blocks, each twice: as they are and as they were. */
void volume_add_values(ctx *c, volume *v, uint32_t blocks)
{
    v->bytes = (size_t)blocks * VOLUME_BLOCK * volume_value_size(v->kind);
    v->values = arena_zero(&c->module, v->bytes + 1);
    v->initial = arena_zero(&c->module, v->bytes + 1);
}

void volume_keep_initial(volume *v)
{
    if (v->bytes)
        memcpy(v->initial, v->values, v->bytes);
}

void volume_take_cubes(volume *v, int level, volume_cube *cubes, uint32_t n)
{
    if (n)
        qsort(cubes, n, sizeof *cubes, compare_cubes);
    v->cubes[level] = cubes;
    v->ncubes[level] = n;
}

void geometry_restore_volumes(const ctx *c)
{
    for (uint32_t i = 0; c->geometry && i < c->geometry->volumes.n; i++) {
        volume *v = c->geometry->volumes.v[i];
        if (v->changed)
            memcpy(v->values, v->initial, v->bytes);
        v->changed = false;
    }
}

/* The values of one block, from the array where it reaches so far. */
static void fill_block(const volume *v, const volume_cube *block, const uint8_t *values,
                       const int32_t shape[3])
{
    const size_t size = volume_value_size(v->kind);
    for (int32_t place = 0; place < VOLUME_BLOCK; place++) {
        const int32_t ijk[3] = {block->origin[0] + (place >> 6),
                                block->origin[1] + (place >> 3 & 7),
                                block->origin[2] + (place & 7)};
        const bool inside = ijk[0] < shape[0] && ijk[1] < shape[1] && ijk[2] < shape[2];
        const size_t row = (size_t)ijk[0] * (size_t)shape[1] + (size_t)ijk[1];
        const uint8_t *from = values && inside
                                  ? values + (row * (size_t)shape[2] + (size_t)ijk[2]) * size
                                  : v->background;
        memcpy(v->values + ((size_t)block->at * VOLUME_BLOCK + (size_t)place) * size, from, size);
    }
}

/* Sorts the blocks, leaves out those that are there already, and numbers them. */
static void number_blocks(volume *v)
{
    volume_cube *cubes = v->cubes[0];
    uint32_t n = 0;
    qsort(cubes, v->ncubes[0], sizeof *cubes, compare_cubes);
    for (uint32_t i = 0; i < v->ncubes[0]; i++)
        if (!i || compare(cubes[i].origin, cubes[n - 1].origin, 3) != 0) {
            cubes[n] = cubes[i];
            cubes[n].at = n;
            n++;
        }
    v->ncubes[0] = n;
}

uint64_t geometry_add_volume(ctx *c, volume_kind kind, const void *values, const int32_t shape[3],
                             const void *background, const volume_map *map)
{
    uint64_t blocks = 1;
    for (int i = 0; i < 3; i++) {
        blocks *= shape[i] > 0 ? ((uint64_t)shape[i] + SIDE - 1) / SIDE : 0;
        if (blocks * VOLUME_BLOCK * volume_value_size(kind) > VOLUME_BYTES_MAX || !blocks)
            return 0;
    }
    volume *v = new_volume(c, kind, map);
    memcpy(v->background, background, volume_value_size(kind));
    v->cubes[0] = ARENA_ARRAY(&c->module, volume_cube, blocks);
    for (int32_t x = 0; x < shape[0]; x += SIDE)
        for (int32_t y = 0; y < shape[1]; y += SIDE)
            for (int32_t z = 0; z < shape[2]; z += SIDE)
                v->cubes[0][v->ncubes[0]++] = (volume_cube){.origin = {x, y, z}};
    WEFT_ASSERT(v->ncubes[0] == blocks);
    number_blocks(v);
    volume_add_values(c, v, v->ncubes[0]);
    for (uint32_t i = 0; i < v->ncubes[0]; i++)
        fill_block(v, &v->cubes[0][i], values, shape);
    volume_keep_initial(v);
    return geometry_add(c, (geometry_object){.volume = v});
}

uint64_t geometry_add_index_volume(ctx *c, const int32_t *voxels, int32_t n, const volume_map *map)
{
    if (n < 1)
        return 0;
    volume *v = new_volume(c, VOLUME_ON_INDEX, map);
    v->cubes[0] = ARENA_ARRAY(&c->module, volume_cube, (size_t)n);
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            v->cubes[0][i].origin[k] = voxels[3 * i + k] & ~7;
    v->ncubes[0] = (uint32_t)n;
    number_blocks(v);
    v->masks = arena_zero(&c->module, (size_t)v->ncubes[0] * 8 * sizeof *v->masks);
    v->first = arena_zero(&c->module, (size_t)v->ncubes[0] * sizeof *v->first);
    for (int32_t i = 0; i < n; i++) {
        const volume_cube *block = find_cube(v, 0, &voxels[3 * i]);
        const uint32_t place = place_in_block(&voxels[3 * i]);
        WEFT_ASSERT(block);
        v->masks[block->at * 8 + (place >> 6)] |= UINT64_C(1) << (place & 63);
    }
    for (uint32_t i = 0; i < v->ncubes[0]; i++) {
        v->first[i] = (int64_t)v->count + 1;
        for (uint32_t k = 0; k < 8; k++)
            v->count += bits_of(v->masks[8 * i + k]);
    }
    return geometry_add(c, (geometry_object){.volume = v});
}
