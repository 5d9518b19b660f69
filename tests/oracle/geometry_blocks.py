# SPDX-License-Identifier: Apache-2.0
"""Kernels for geometry_check.py in which a whole block goes through a BVH or a mesh."""

import warp as wp


@wp.func
def mixed(h: int, index: int):
    return h * 31 + index


@wp.kernel
def bvh_blocks(tree: wp.uint64, p: wp.array(dtype=wp.vec3), r: float, out: wp.array(dtype=float), seen: wp.array(dtype=int)):
    i, lane = wp.tid()
    side = wp.vec3(r, r, 0.5 * r)
    query = wp.tile_bvh_query_aabb(tree, p[i] - side, p[i] + side)
    h = int(1)
    while wp.tile_query_valid(query):
        k = wp.untile(wp.tile_bvh_query_next(query))
        if k >= 0:
            h = mixed(h, k)
            wp.atomic_add(out, i, 1.0)
    ray = wp.bvh_query_ray_tiled(tree, p[i], wp.normalize(p[i] - p[0] + wp.vec3(0.1, 0.0, 0.0)))
    t = wp.bvh_query_next_tiled(ray)
    while wp.tile_query_valid(ray):
        h = mixed(h, wp.untile(t))
        t = wp.bvh_query_next_tiled(ray)
    if lane == 0:
        seen[i] = h


@wp.kernel
def mesh_blocks(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), r: float, out: wp.array(dtype=float), seen: wp.array(dtype=int)):
    i, lane = wp.tid()
    side = wp.vec3(r, r, r)
    query = wp.tile_mesh_query_aabb(mesh, p[i] - side, p[i] + side)
    while wp.tile_query_valid(query):
        face = wp.untile(wp.tile_mesh_query_aabb_next(query))
        if face >= 0:
            wp.atomic_add(out, i, wp.length(wp.mesh_eval_position(mesh, face, 0.25, 0.5)))
            seen[i] = mixed(seen[i], face)
