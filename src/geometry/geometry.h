/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry objects of a launch, made from arrays: hash grids, bounding volume hierarchies (BVHs)
 * and triangle meshes, and the queries of Warp 1.19 over them, in the order of its CPU device.
 *
 *     id = geometry_add_hash_grid(c, points, n, 0.1f, dims)     a kernel gets id as its uint64
 *     query = grid_query(c, id, point, radius)
 *     while (grid_query_next(c, &query, &index)) ...            indices of points
 *
 * Objects belong to the context's module arena, like the arrays of a launch. An id is a number,
 * counted from 1, and no address; so results do not depend on where memory lies. Queries are plain
 * values that a kernel may copy. An id that names no object of the kind ends a query with
 * GEOMETRY_NO_OBJECT. */
#ifndef WEFT_GEOMETRY_GEOMETRY_H
#define WEFT_GEOMETRY_GEOMETRY_H

#include "base/ctx.h"
#include "types/array_view.h"

typedef struct vec3 {
    float x, y, z;
} vec3;

/* How a query ended. */
typedef enum geometry_status {
    GEOMETRY_FOUND,
    GEOMETRY_NOTHING,  /* there is no further element */
    GEOMETRY_NO_OBJECT /* the id names no such object */
} geometry_status;

/* --- making objects: arrays are borrowed and must live as long as the objects */

/* Points hashed to cells of `width`; dims: cells in each direction before the grid repeats. 0: the
 * arguments are out of range. */
uint64_t geometry_add_hash_grid(ctx *c, const vec3 *points, int32_t n, float width,
                                const int32_t dims[3]);
/* Boxes lowers[i] .. uppers[i]. 0: there are too many. */
uint64_t geometry_add_bvh(ctx *c, const vec3 *lowers, const vec3 *uppers, int32_t n);
/* Triangles of three indices each; velocities NULL: there are none. 0: an index names no point.
 */
uint64_t geometry_add_mesh(ctx *c, const vec3 *points, const vec3 *velocities, int32_t npoints,
                           const int32_t *indices, int32_t ntriangles);

/* --- hash grids */

/* What is left of a traversal: cells start .. end in each direction, and the points at .. stop of
 * the present cell. */
typedef struct grid_query {
    uint64_t id;
    int32_t start[3], end[3], cell[3];
    int32_t at, stop;
    int32_t index; /* that a loop over the query found last */
} grid_query;

/* *out covers the cells that a box of `radius` around the point touches. The caller owns it; no
 * query needs to be ended. */
geometry_status grid_query_start(const ctx *c, uint64_t id, vec3 point, float radius,
                                 grid_query *out);
/* The next point of these cells. It may lie beyond the radius: kernels measure. After
 * GEOMETRY_NOTHING the query stays at its end. */
geometry_status grid_query_next(const ctx *c, grid_query *q, int32_t *index);
/* The point at this place of the grid's order; GEOMETRY_NOTHING: there is no such place. */
geometry_status grid_point_id(const ctx *c, uint64_t id, int32_t at, int32_t *index);

/* --- BVHs, and the triangles of meshes through theirs */

/* Nodes on a query's stack; the builder makes no deeper tree. Warp's number: deeper trees would
 * order primitives otherwise. */
enum { BVH_DEPTH = 32 };

typedef enum bvh_query_kind {
    BVH_QUERY_BOX,
    BVH_QUERY_RAY,
    BVH_QUERY_CAPSULE,
    BVH_QUERY_SPHERE
} bvh_query_kind;

/* a, b: a box; start and 1 / direction of a ray or capsule; the centre of a sphere, twice. */
typedef struct bvh_query {
    uint64_t id;
    int32_t stack[BVH_DEPTH], count;
    int32_t at, stop; /* primitives of the present leaf */
    int32_t index;    /* that a loop over the query found last; of a block's BVH_ENDED */
    int32_t kind;     /* bvh_query_kind */
    vec3 a, b;
    float radius;
} bvh_query;

/* root -1: all of the tree. Also of a mesh, with boxes and spheres alone. */
geometry_status bvh_query_start(const ctx *c, uint64_t id, bvh_query_kind kind, vec3 a, vec3 b,
                                float radius, int32_t root, bvh_query *out);
/* The next primitive whose box the query meets; rays and capsules reach as far as `most`. */
geometry_status bvh_query_next(const ctx *c, bvh_query *q, float most, int32_t *index);
/* The same of a query by a whole block: of boxes and rays, each with a query of its own. *index is
 * -1 where there is none. */
geometry_status bvh_block_next(const ctx *c, bvh_query *q, int32_t *index);
/* Has the block's query just begun, or found something in the last step? */
bool bvh_block_valid(const bvh_query *q);
/* The node that has all items of a group below it, or -1: there are none. Objects are made without
 * groups, so all items are of group 0. Also of a mesh. */
geometry_status bvh_group_root(const ctx *c, uint64_t id, int32_t group, int32_t *root);
/* The same of a mesh's triangles. A box asks for triangles whose boxes it meets, a sphere for those
 * with a point in it. */
geometry_status mesh_query_next(const ctx *c, bvh_query *q, int32_t *index);

/* --- meshes */

/* As Warp's MeshQueryPoint and MeshQueryRay. The point is u a + v b + (1 - u - v) c of the face's
 * corners; t is in lengths of the direction, which need not be 1. */
typedef struct mesh_point {
    bool result;
    float sign;
    int32_t face;
    float u, v;
} mesh_point;
typedef struct mesh_hit {
    bool result;
    float sign;
    int32_t face;
    float t, u, v;
    vec3 normal;
} mesh_hit;

/* How the sign of a closest point is found: -1 inside the mesh, 1 outside. Warp has a function for
 * each. */
typedef enum mesh_sign {
    MESH_SIGN_NONE,   /* mesh_query_point_no_sign: it stays 0 */
    MESH_SIGN_RAYS,   /* mesh_query_point: by the sides that three rays meet */
    MESH_SIGN_PARITY, /* mesh_query_point_sign_parity: by the number of hits of random rays */
    MESH_SIGN_NORMAL  /* mesh_query_point_sign_normal: by the normals at the closest point */
} mesh_sign;

/* Searches nearer than `most`. samples and scale: how many rays MESH_SIGN_PARITY takes, and how far
 * from the diagonal; scale: epsilon of MESH_SIGN_NORMAL, in average edges. */
geometry_status mesh_closest_point(const ctx *c, uint64_t id, vec3 point, float most,
                                   mesh_sign sign, int32_t samples, float scale, mesh_point *out);
/* Searches further than `least`; always a corner. */
geometry_status mesh_furthest_point(const ctx *c, uint64_t id, vec3 point, float least,
                                    mesh_point *out);

/* Rays through the whole mesh (root -1) or the part below a node of its tree. The first triangle
 * before `most`, whether there is one, and how many there are however far. */
geometry_status mesh_closest_hit(const ctx *c, uint64_t id, vec3 start, vec3 direction, float most,
                                 int32_t root, mesh_hit *out);
geometry_status mesh_any_hit(const ctx *c, uint64_t id, vec3 start, vec3 direction, float most,
                             int32_t root, bool *hit);
geometry_status mesh_count_hits(const ctx *c, uint64_t id, vec3 start, vec3 direction, int32_t root,
                                int32_t *count);
/* The gradients of u, v and t of a result by the ray's start, and of u and v by the point. By a
 * ray's direction they are t times as large. */
enum { MESH_U, MESH_V, MESH_T, MESH_SLOPES };
geometry_status mesh_hit_slopes(const ctx *c, uint64_t id, const mesh_hit *hit, vec3 direction,
                                vec3 slopes[MESH_SLOPES]);
geometry_status mesh_point_slopes(const ctx *c, uint64_t id, const mesh_point *at, vec3 point,
                                  vec3 slopes[MESH_SLOPES]);
/* The id of the BVH over a mesh's triangles; 0: there is no such mesh. */
uint64_t mesh_bvh(const ctx *c, uint64_t id);
/* The corners of a triangle, and their velocities (velocities NULL, or to zeros where the mesh has
 * none). GEOMETRY_NOTHING: there is no such triangle. */
geometry_status mesh_triangle(const ctx *c, uint64_t id, int32_t face, vec3 corners[3],
                              vec3 velocities[3]);
geometry_status mesh_face_normal(const ctx *c, uint64_t id, int32_t face, vec3 *normal);
/* Number `at` of the mesh's indices. */
geometry_status mesh_index(const ctx *c, uint64_t id, int32_t at, int32_t *index);
/* The arrays of Warp's Mesh, in this order, as copies; no kernel may store to them. A mesh without
 * velocities has a view without data for them. They live as long as the mesh. */
enum { MESH_POINTS, MESH_VELOCITIES, MESH_INDICES, MESH_ARRAYS };
geometry_status mesh_arrays(const ctx *c, uint64_t id, const array_view *out[MESH_ARRAYS]);
/* After each run: undoes what it has stored to arrays of meshes. False: it has, which is an error.
 */
bool geometry_restore_meshes(const ctx *c);

/* --- trees, for who writes them down */

/* A node of a BVH: a leaf has the items first .. second - 1, others have two children. Kernels name
 * nodes by number (`root` of queries), so the numbering is Warp's. */
typedef struct bvh_node {
    vec3 lower, upper;
    int32_t first, second;
    bool leaf;
} bvh_node;

/* The tree over n boxes, of a BVH or of a mesh's triangles. */
typedef struct geometry_tree {
    const vec3 *lowers, *uppers;
    const int32_t *items; /* the boxes in the order of the leaves */
    int32_t n, nnodes;
    const bvh_node *nodes; /* the first is the root */
} geometry_tree;

/* False: the id names no such object. */
bool geometry_tree_of(const ctx *c, uint64_t id, geometry_tree *out);
/* The average length of a mesh's edges; 0: there is no such mesh. */
float geometry_mesh_edge(const ctx *c, uint64_t id);

#endif
