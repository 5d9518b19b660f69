/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of geometry share: the objects, and arithmetic of vec3.
 *
 *     vec3_dot(a, b)     (a.x * b.x + a.y * b.y) + a.z * b.z, each step rounded to float
 *
 * The order of operations is Warp's, and nothing is contracted to fma: queries have to find the
 * same elements, and give the same bits. */
#ifndef WEFT_GEOMETRY_INTERNAL_H
#define WEFT_GEOMETRY_INTERNAL_H

#include <math.h>

#include "base/assert.h"
#include "geometry/geometry.h"
#include "geometry/texture.h"
#include "geometry/volume.h"

/* Points sorted by cell; those of cell i are points[starts[i]] .. points[stops[i] - 1]. */
typedef struct hash_grid {
    int32_t dims[3];
    float inverse; /* of the cells' width: Warp multiplies by it, which rounds unlike division */
    int32_t n;
    int32_t *points, *starts, *stops;
} hash_grid;

typedef struct bvh {
    const vec3 *lowers, *uppers; /* of the primitives; borrowed */
    int32_t n, leaf_size;        /* a range of leaf_size primitives is not split */
    bvh_node *nodes;
    int32_t nnodes;
    int32_t *primitives; /* in the order of the leaves */
} bvh;

/* A mesh is an object of its own, and its tree another one: kernels may ask for the tree's id. */
typedef struct mesh {
    const vec3 *points, *velocities; /* borrowed, as the indices; velocities may be NULL */
    const int32_t *indices;
    int32_t npoints, ntriangles;
    uint64_t bvh_id;
    const bvh *tree;
    float edge; /* average length of the edges */
    array_data data[MESH_ARRAYS];
    array_view views[MESH_ARRAYS];
    bool open; /* this run has been given the arrays, and may have stored to them */
    struct mesh *next_open;
} mesh;

/* A block of voxels or a tile, by its voxel with the least coordinates. `at`: its place among the
 * blocks or tiles of the volume. */
typedef struct volume_cube {
    int32_t origin[3];
    uint32_t at;
} volume_cube;

/* Blocks are level 0; tiles of 8, 128 and 4096 voxels a side the others. The values of a volume
 * take VOLUME_BYTES_MAX at most. */
enum { VOLUME_LEVELS = 4, VOLUME_BYTES_MAX = 1 << 30 };

struct volume {
    volume_kind kind;
    volume_map map;
    volume_cube *cubes[VOLUME_LEVELS]; /* each level in the order of its search */
    uint32_t ncubes[VOLUME_LEVELS];
    uint8_t *values, *initial; /* of all voxels in blocks; as they are, and as they were made */
    size_t bytes;              /* of each of both */
    bool changed;              /* values may differ from initial */
    uint8_t *tiles;            /* values of tiles */
    uint64_t *masks;           /* VOLUME_ON_INDEX: 512 bits for each block */
    int64_t *first;            /* number of each block's first voxel; NULL: 512 for each block */
    uint64_t count;            /* VOLUME_ON_INDEX: voxels */
    uint8_t background[VOLUME_VALUE_MAX];
};

/* One object: the member that is not NULL. */
typedef struct geometry_object {
    const hash_grid *grid;
    const bvh *tree;
    mesh *mesh;
    volume *volume;
    const texture *texture;
} geometry_object;

typedef struct geometry_set {
    VEC(geometry_object) objects;
    /* What a run may have changed: a search for inputs makes thousands of objects, and runs
     * thousands of mutants on each. */
    mesh *open;
    VEC(volume *) volumes;
} geometry_set;

/* volume_object.c: room for the values of so many blocks, twice; keeps those that are there now as
 * the initial ones; takes the cubes of a level, which it sorts. */
void volume_add_values(ctx *c, volume *v, uint32_t blocks);
void volume_keep_initial(volume *v);
void volume_take_cubes(volume *v, int level, volume_cube *cubes, uint32_t n);

/* The new object's id. */
uint64_t geometry_add(ctx *c, geometry_object object);
/* All members NULL: there is no such object. */
geometry_object geometry_find(const ctx *c, uint64_t id);
/* Builds the tree of boxes that are set; its members live in c->module. False: too many boxes. */
bool bvh_build(ctx *c, bvh *tree);

static inline vec3 vec3_sub(vec3 a, vec3 b)
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3 vec3_add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3 vec3_scale(vec3 a, float s)
{
    return (vec3){a.x * s, a.y * s, a.z * s};
}

static inline float vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec3_length(vec3 a)
{
    return sqrtf(vec3_dot(a, a));
}

/* Zero for the zero vector, as Warp's normalize. */
static inline vec3 vec3_unit(vec3 a)
{
    const float l = vec3_length(a);
    return l > 0 ? (vec3){a.x / l, a.y / l, a.z / l} : (vec3){0, 0, 0};
}

static inline float vec3_axis(vec3 a, int axis)
{
    WEFT_ASSERT(axis >= 0 && axis < 3);
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* The axis of the component with the largest magnitude; the first of equal ones. */
static inline int vec3_longest(vec3 a)
{
    int axis = 0;
    if (fabsf(a.y) > fabsf(a.x))
        axis = 1;
    return fabsf(a.z) > fabsf(vec3_axis(a, axis)) ? 2 : axis;
}

/* u p + v q + w r */
static inline vec3 vec3_mix(vec3 p, float u, vec3 q, float v, vec3 r, float w)
{
    return vec3_add(vec3_add(vec3_scale(p, u), vec3_scale(q, v)), vec3_scale(r, w));
}

/* The smaller and the larger; of a NaN and a number, the number. Of two equal ones b, which decides
 * between 0 and -0. */
static inline float least(float a, float b)
{
    return a < b || b != b ? a : b;
}

static inline float most_of(float a, float b)
{
    return a > b || b != b ? a : b;
}

/* mesh_ray.c: -1 inside, 1 outside. */
float mesh_sign_by_rays(const mesh *m, vec3 point);
float mesh_sign_by_parity(const mesh *m, vec3 point, int32_t samples, float scale);

/* bvh.c: a ray against a box; *t where it enters. `robust`: a direction of 0 is allowed. */
bool ray_meets_box(vec3 start, vec3 direction, vec3 inverse, bool robust, vec3 lower, vec3 upper,
                   float *t);

#endif
