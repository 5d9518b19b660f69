/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes: voxels at integer coordinates, sparse in blocks of 8x8x8, and the map from coordinates
 * to the world. After NanoVDB as Warp 1.19 uses it.
 *
 *     id = geometry_add_volume(c, VOLUME_FLOAT32, values, shape, &outside, &map)
 *     volume_find(c, id), volume_value(v, (int32_t[3]){1, 2, 3})
 *
 * A volume has values, or it is a set of voxels with numbers ("index grid"), whose values are in
 * arrays. Where it has no block, all voxels have one value: that of a tile, which only files have,
 * or the background. Objects live as those of geometry.h. */
#ifndef WEFT_GEOMETRY_VOLUME_H
#define WEFT_GEOMETRY_VOLUME_H

#include "base/ctx.h"

/* What a voxel has. */
typedef enum volume_kind {
    VOLUME_INT32,
    VOLUME_INT64,
    VOLUME_UINT32,
    VOLUME_FLOAT32,
    VOLUME_FLOAT64,
    VOLUME_VEC3F,
    VOLUME_VEC3D,
    VOLUME_VEC4F,
    VOLUME_VEC4D,
    VOLUME_INDEX,   /* a number: each voxel of a block */
    VOLUME_ON_INDEX /* a number: the voxels that are in the set */
} volume_kind;

enum { VOLUME_VALUE_MAX = 32, VOLUME_BLOCK = 512 };

/* world = to_world * index + origin, and back. Matrices by rows. Warp computes in float with the
 * first, in double with the second. */
typedef struct volume_map {
    float to_world_f32[9], to_index_f32[9], origin_f32[3];
    double to_world_f64[9], to_index_f64[9], origin_f64[3];
} volume_map;

typedef struct volume volume;

/* The map of voxels of this size, voxel (0, 0, 0) at `origin`. Sizes are above zero. */
void volume_make_map(const float size[3], const float origin[3], volume_map *out);

/* --- making volumes. 0: the arguments are out of range */

/* shape[0] x shape[1] x shape[2] values, the last index fastest, from voxel (0, 0, 0) on; NULL: all
 * are `background`. The values are copied. */
uint64_t geometry_add_volume(ctx *c, volume_kind kind, const void *values, const int32_t shape[3],
                             const void *background, const volume_map *map);
/* VOLUME_ON_INDEX of n voxels, three coordinates each. */
uint64_t geometry_add_index_volume(ctx *c, const int32_t *voxels, int32_t n, const volume_map *map);
/* volume_nvdb.c: the first grid of a .nvdb file, given as its bytes. NULL, or what is wrong with
 * it. */
const char *geometry_add_nvdb(ctx *c, str file, uint64_t *id);
/* Gives all volumes the values back that they were made with: before each forward pass, since
 * kernels may store to volumes, and a program is run many times. */
void geometry_restore_volumes(const ctx *c);

/* --- reading them */

/* NULL: the id names no volume. */
volume *volume_find(const ctx *c, uint64_t id);
volume_kind volume_kind_of(const volume *v);
const volume_map *volume_map_of(const volume *v);
size_t volume_value_size(volume_kind kind); /* 0: it has numbers */
/* The value at these coordinates; not of volumes with numbers. */
const uint8_t *volume_value(const volume *v, const int32_t ijk[3]);
/* The voxel's number, counted from 1 in the order of the blocks; 0: it has none. Volumes with
 * values have numbers, too: those of all voxels in blocks. */
int64_t volume_number(const volume *v, const int32_t ijk[3]);
/* How many numbers there are, at most INT32_MAX. */
int32_t volume_count(const volume *v);
/* Where to store the voxel's value; NULL: it is in no block. The values of one block follow each
 * other, and those of the blocks in their order, from that of the first voxel on. */
uint8_t *volume_place(volume *v, const int32_t ijk[3]);

#endif
