# SPDX-License-Identifier: Apache-2.0
"""Kernels for geometry_check.py: each writes floats and integers about one kind of query."""

import warp as wp


@wp.func
def mixed(h: int, index: int):
    return h * 31 + index


@wp.kernel
def grid_loops(grid: wp.uint64, p: wp.array(dtype=wp.vec3), r: float, out: wp.array(dtype=float), seen: wp.array(dtype=int)):
    i = wp.hash_grid_point_id(grid, wp.tid())
    h = int(7)
    total = float(0.0)
    for j in wp.hash_grid_query(grid, p[i], r):
        if j == 150:
            continue
        h = mixed(h, j)
        d = wp.length(p[j] - p[i])
        if d < r:
            total += d
    query = wp.hash_grid_query(grid, p[i], 2.0 * r)
    j = int(0)
    while wp.hash_grid_query_next(query, j):
        h = mixed(h, j)
        if j == 100:
            break
    for j in query:
        h = mixed(h, j)
        if j == 200:
            break
    for j in query:
        h = mixed(h, 2 * j)
    out[i] = total
    seen[i] = h


@wp.func
def boxes_of(tree: wp.uint64, low: wp.vec3, high: wp.vec3):
    h = int(1)
    i = int(0)
    query = wp.bvh_query_aabb(tree, low, high)
    while wp.bvh_query_next(query, i):
        h = mixed(h, i)
    return h


@wp.kernel
def bvh_loops(tree: wp.uint64, p: wp.array(dtype=wp.vec3), r: float, out: wp.array(dtype=float), seen: wp.array(dtype=int)):
    t = wp.tid()
    d = wp.normalize(p[t] - p[0] + wp.vec3(0.1, 0.0, 0.0))
    side = wp.vec3(r, r, 0.5 * r)
    h = boxes_of(tree, p[t] - side, p[t] + side)
    i = int(0)
    ray = wp.bvh_query_ray(tree, p[t], d)
    while wp.bvh_query_next(ray, i):
        h = mixed(h, i)
    some = wp.bvh_query_ray(tree, p[t], wp.vec3(0.0, 1.0, 0.0))
    while wp.bvh_query_next(some, i, r):
        h = mixed(h, i)
    tube = wp.bvh_query_capsule(tree, p[t], d, 0.2 * r)
    while wp.bvh_query_next(tube, i, 3.0 * r):
        h = mixed(h, i)
    ball = wp.bvh_query_sphere(tree, p[t], r)
    n = int(0)
    while wp.bvh_query_next(ball, i):
        h = mixed(h, i)
        n += 1
    h = mixed(h, wp.bvh_get_group_root(tree, t % 3 - 1))
    out[t] = float(n)
    seen[t] = h


@wp.kernel
def mesh_points(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), r: float, out: wp.array(dtype=float), seen: wp.array(dtype=int)):
    t = wp.tid()
    x = p[t]
    h = int(0)
    total = float(0.0)
    rays = wp.mesh_query_point(mesh, x, r)
    if rays.result:
        h = mixed(h, rays.face)
        c = wp.mesh_eval_position(mesh, rays.face, rays.u, rays.v)
        total += rays.sign * wp.length(c - x) + wp.length(wp.mesh_eval_velocity(mesh, rays.face, rays.u, rays.v))
        total += wp.dot(wp.mesh_eval_face_normal(mesh, rays.face), wp.mesh_get_point(mesh, 3 * rays.face + 1))
        total += wp.mesh_get_velocity(mesh, 3 * rays.face)[1] + float(wp.mesh_get_index(mesh, 3 * rays.face + 2))
    plain = wp.mesh_query_point_no_sign(mesh, x, 2.0 * r)
    total += plain.u + 2.0 * plain.v
    normal = wp.mesh_query_point_sign_normal(mesh, x, 4.0 * r)
    if normal.result:
        h = mixed(h, normal.face) + int(normal.sign)
    parity = wp.mesh_query_point_sign_parity(mesh, x, 4.0 * r, 3, 0.2)
    if parity.result:
        h = mixed(h, parity.face) + 2 * int(parity.sign)
    wound = wp.mesh_query_point_sign_winding_number(mesh, x, 4.0 * r)
    if wound.result:
        h = mixed(h, wound.face) + 3 * int(wound.sign)
        total += wound.v
    far = wp.mesh_query_furthest_point_no_sign(mesh, x, 0.1)
    h = mixed(h, far.face)
    out[t] = total + far.u
    seen[t] = h


@wp.kernel
def mesh_rays(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), r: float, out: wp.array(dtype=float), seen: wp.array(dtype=int)):
    t = wp.tid()
    d = wp.vec3(0.3, -1.0, 0.1) - p[t]
    hit = wp.mesh_query_ray(mesh, p[t], wp.normalize(d), 4.0 * r)
    h = wp.mesh_query_ray_count_intersections(mesh, p[t], d)
    if wp.mesh_query_ray_anyhit(mesh, p[t], wp.vec3(0.0, 0.0, 1.0), r):
        h += 100
    if hit.result:
        out[t] = hit.t + hit.u + 2.0 * hit.v + hit.normal[0] + wp.sign(hit.sign)
        h = mixed(h, hit.face)
    side = wp.vec3(0.3 * r, 0.3 * r, 0.3 * r)
    for f in wp.mesh_query_aabb(mesh, p[t] - side, p[t] + side):
        h = mixed(h, f)
    f = int(0)
    box = wp.mesh_query_aabb(mesh, p[t], p[t] + side)
    while wp.mesh_query_aabb_next(box, f):
        h = mixed(h, f)
    ball = wp.mesh_query_sphere(mesh, p[t], 0.5 * r)
    while wp.mesh_query_next(ball, f):
        h = mixed(h, f)
    h = mixed(h, wp.mesh_get_group_root(mesh, t % 3 - 1))
    ray = wp.bvh_query_ray(wp.mesh_get_bvh(mesh), p[t], d, wp.mesh_get_group_root(mesh, 0))
    while wp.bvh_query_next(ray, f):
        h = mixed(h, f)
    seen[t] = h


@wp.func
def around(id: wp.uint64, face: int):
    mesh = wp.mesh_get(id)
    corners = mesh.indices[3 * face : 3 * face + 3]
    return wp.length(mesh.points[corners[0]] - mesh.points[corners[1]]) + wp.length(mesh.points[corners[1]] - mesh.points[corners[2]])


@wp.kernel
def mesh_arrays(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), r: float, out: wp.array(dtype=float), seen: wp.array(dtype=int)):
    t = wp.tid()
    m = wp.mesh_get(mesh)
    faces = m.indices.shape[0] // 3
    face = t % faces
    h = mixed(faces, m.points.shape[0])
    nearest = float(1.0e6)
    for i in range(m.points.shape[0]):
        nearest = wp.min(nearest, wp.length(m.points[i] - p[t]))
    for k in range(3):
        h = mixed(h, m.indices[3 * face + k])
    speed = float(0.0)
    if m.velocities:
        speed = wp.length(m.velocities[m.indices[3 * face]])
    out[t] = nearest + around(mesh, face) + speed * r
    seen[t] = h


@wp.kernel
def edges(p1: wp.array(dtype=wp.vec3), q1: wp.array(dtype=wp.vec3), p2: wp.array(dtype=wp.vec3), q2: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    t = wp.tid()
    out[t] = wp.closest_point_edge_edge(p1[t], q1[t], p2[t], q2[t], 1.0e-5)


@wp.kernel
def triangles(p: wp.array(dtype=wp.vec3), q: wp.array(dtype=wp.vec3d), seen: wp.array(dtype=int), twice: wp.array(dtype=int)):
    t = wp.tid()
    i = 6 * t
    seen[t] = wp.intersect_tri_tri(p[i], p[i + 1], p[i + 2], p[i + 3], p[i + 4], p[i + 5])
    twice[t] = wp.intersect_tri_tri(q[i], q[i + 1], q[i + 2], q[i + 3], q[i + 4], q[i + 5])


@wp.kernel
def hits(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    ray = wp.mesh_query_ray(mesh, p[i], d[i], 1.0e6)
    if ray.result:
        out[i] = wp.vec3(ray.t, ray.u, ray.v)


@wp.kernel
def nearest(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    at = wp.mesh_query_point_no_sign(mesh, p[i] + d[i], 1.0e6)
    if at.result:
        out[i] = wp.vec3(at.u, at.v, at.sign)


@wp.kernel
def mesh_variables(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), r: float, out: wp.array(dtype=float), seen: wp.array(dtype=int)):
    """The forms that set variables; where nothing is found these stay as they are."""
    i = wp.tid()
    h = int(0)
    total = float(0.0)
    sign = float(7.0)
    face = int(3)
    u = float(0.25)
    v = float(0.5)
    t = float(-1.0)
    n = wp.vec3(1.0, 2.0, 3.0)
    if wp.mesh_query_point(mesh, p[i], r, sign, face, u, v):
        total += sign + u + 2.0 * v
    h = mixed(h, face)
    if wp.mesh_query_point_no_sign(mesh, p[i], 2.0 * r, face, u, v):
        total += u + 2.0 * v
    h = mixed(h, face)
    if wp.mesh_query_point_sign_normal(mesh, p[i], 4.0 * r, sign, face, u, v):
        total += sign + u
    h = mixed(h, face)
    if wp.mesh_query_point_sign_parity(mesh, p[i], 4.0 * r, sign, face, u, v, 3, 0.2):
        total += sign + v
    h = mixed(h, face)
    if wp.mesh_query_point_sign_winding_number(mesh, p[i], 4.0 * r, sign, face, u, v):
        total += sign + v
    if wp.mesh_query_furthest_point_no_sign(mesh, p[i], 0.1, face, u, v):
        h = mixed(h, face)
    d = wp.normalize(wp.vec3(0.3, -1.0, 0.1) - p[i])
    if wp.mesh_query_ray(mesh, p[i], d, 4.0 * r, t, u, v, sign, n, face):
        total += wp.sign(sign) + u
    out[i] = total + t + n[0] + 2.0 * n[1] + u + v
    seen[i] = mixed(h, face)


@wp.kernel
def hit_variables(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    t = float(0.0)
    u = float(0.0)
    v = float(0.0)
    sign = float(0.0)
    n = wp.vec3()
    face = int(0)
    if wp.mesh_query_ray(mesh, p[i], d[i], 1.0e6, t, u, v, sign, n, face):
        out[i] = wp.vec3(t, u, v)


@wp.kernel
def nearest_variables(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    sign = float(0.0)
    face = int(0)
    u = float(0.0)
    v = float(0.0)
    if wp.mesh_query_point(mesh, p[i] + d[i], 1.0e6, sign, face, u, v):
        out[i] = wp.vec3(u, v, sign)
