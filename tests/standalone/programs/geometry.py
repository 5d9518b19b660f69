"""Hash grids, BVHs and meshes: objects that the host makes, and queries over them."""

import warp as wp


@wp.kernel
def near_points(grid: wp.uint64, x: wp.array(dtype=wp.vec3), r: float, total: wp.array(dtype=float)):
    i = wp.hash_grid_point_id(grid, wp.tid())
    p = x[i]
    s = float(0.0)
    for j in wp.hash_grid_query(grid, p, r):
        away = wp.length(p - x[j])
        if j != i and away < r:
            s += (r - away) * (r - away)
    total[i] = s


# Names of the definitions that a hash grid brings along.
@wp.func
def enter_cell(Mesh: float):
    return Mesh * 2.0


@wp.kernel
def taken(grid: wp.uint64, x: wp.array(dtype=wp.vec3), make_hash_grid: wp.array(dtype=int)):  # forward
    HashGrid = wp.tid()
    grid_cell = int(0)
    hash_grid_query = wp.hash_grid_query(grid, x[HashGrid], enter_cell(0.25))
    index = int(-1)
    while wp.hash_grid_query_next(hash_grid_query, index):
        grid_cell = grid_cell * 3 + index
    make_hash_grid[HashGrid] = grid_cell + index


@wp.func
def boxes_around(tree: wp.uint64, low: wp.vec3, high: wp.vec3):
    h = int(1)
    i = int(0)
    query = wp.bvh_query_aabb(tree, low, high)
    while wp.bvh_query_next(query, i):
        h = h * 5 + i
    return h


@wp.kernel
def boxes(tree: wp.uint64, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), seen: wp.array(dtype=int)):
    t = wp.tid()
    side = wp.vec3(0.75, 0.5, 1.0)
    h = boxes_around(tree, p[t] - side, p[t] + side)
    i = int(0)
    ray = wp.bvh_query_ray(tree, p[t], d[t])
    while wp.bvh_query_next(ray, i, 2.0):
        h = h * 7 + i
    tube = wp.bvh_query_capsule(tree, p[t], d[t], 0.25)
    while wp.bvh_query_next(tube, i):
        h = h * 3 + i
    ball = wp.bvh_query_sphere(tree, p[t], 0.75)
    while wp.bvh_query_next(ball, i):
        h += i
    seen[t] = h


@wp.kernel
def triangles(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), h: wp.array(dtype=float), seen: wp.array(dtype=int)):
    t = wp.tid()
    n = int(0)
    total = float(0.0)
    for face in wp.mesh_query_aabb(mesh, p[t], p[t] + wp.vec3(0.75, 0.5, 1.0)):
        n = n * 3 + face
    for near in wp.mesh_query_sphere(mesh, p[t], 1.0):
        n = n * 5 + wp.mesh_get_index(mesh, 3 * near + 1)
    if wp.mesh_query_ray_anyhit(mesh, p[t], wp.vec3(0.25, 1.0, -0.5), 2.0):
        n += wp.mesh_query_ray_count_intersections(mesh, p[t], wp.vec3(0.25, 1.0, -0.5))
    h[t] = total + wp.mesh_eval_face_normal(mesh, wp.abs(n) % 20)[1] + wp.mesh_get_point(mesh, 7)[0]
    seen[t] = n


@wp.kernel
def closest(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    t = wp.tid()
    query = wp.mesh_query_point(mesh, p[t], 3.0)
    smooth = wp.mesh_query_point_sign_normal(mesh, p[t], 3.0)
    odd = wp.mesh_query_point_sign_parity(mesh, p[t], 3.0)
    far = wp.mesh_query_furthest_point_no_sign(mesh, p[t], 0.0)
    at = wp.vec3(smooth.sign, odd.sign, float(far.face) + far.u)
    if query.result:
        at += query.sign * wp.mesh_eval_position(mesh, query.face, query.u, query.v)
        at += wp.mesh_eval_velocity(mesh, query.face, query.u, query.v)
    out[t] = at


@wp.kernel
def first_hit(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    t = wp.tid()
    hit = wp.mesh_query_ray(mesh, p[t], d[t], 10.0)
    out[t] = -1.0
    if hit.result:
        out[t] = hit.t + 4.0 * hit.normal[0] + hit.sign * hit.u + float(hit.face) * hit.v


@wp.kernel
def meeting(p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), seen: wp.array(dtype=int)):
    t = wp.tid()
    n = int(0)
    for k in range(8):
        c = p[(t + k) % 7] + 0.25 * d[t % 5]
        n = 2 * n + wp.intersect_tri_tri(p[t], d[t], p[t] + d[t], p[(t + 3) % 7], d[(t + k) % 7], c)
        flat = wp.vec3(c[0], p[t][1], c[2])
        n += wp.intersect_tri_tri(p[t], p[t] + wp.vec3(1.0, 0.0, 0.5), p[t] + wp.vec3(0.0, 0.0, 2.0), flat, flat + wp.vec3(2.0, 0.0, 0.25), flat + wp.vec3(0.5, 0.0, -1.0))
    seen[t] = n


@wp.kernel
def of_several(meshes: wp.array(dtype=wp.uint64), p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    t = wp.tid()
    out[t] = -1.0
    for k in range(2):
        hit = wp.mesh_query_ray(meshes[t % 3 + k], p[t], float(k + 1) * d[t], 10.0)
        if hit.result:
            out[t] = hit.t + 4.0 * hit.normal[0] + hit.sign * hit.u


@wp.kernel
def in_one_of_them(volumes: wp.array(dtype=wp.uint64), cells: wp.array(dtype=wp.vec3i), found: wp.array(dtype=int)):
    t = wp.tid()
    c = cells[t]
    found[t] = -2
    for k in range(3):
        at = wp.volume_lookup_index(volumes[k], c[0] + k, c[1], c[2])
        if at >= 0:
            found[t] = at


@wp.kernel
def extent(mesh: wp.uint64, margin: wp.array(dtype=float), low: wp.array(dtype=wp.vec3), seen: wp.array(dtype=int)):
    t = wp.tid()
    m = wp.mesh_get(mesh)
    least = m.points[0]
    for i in range(1, m.points.shape[0]):
        least = wp.min(least, m.points[i])
    if m.velocities:
        least = m.velocities[0]
    low[t] = least - wp.vec3(margin[t] * 2.0)
    seen[t] = m.indices[t % m.indices.shape[0]] + 3 * len(m.points)


@wp.kernel
def group_roots(tree: wp.uint64, mesh: wp.uint64, groups: wp.array(dtype=int), roots: wp.array2d(dtype=int)):
    t = wp.tid()
    roots[t, 0] = wp.bvh_get_group_root(tree, groups[t])
    roots[t, 1] = 3 * wp.mesh_get_group_root(mesh, groups[t])


# The forms that set variables, where they find something.
@wp.kernel(enable_backward=False)
def set_variables(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), r: float, out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    sign = float(0.5)
    face = int(0)
    u = float(0.25)
    v = float(0.125)
    t = float(0.0)
    n = wp.vec3(0.0, 0.0, 1.0)
    if wp.mesh_query_point(mesh, p[i], r, sign, face, u, v):
        u += 1.0
    hit = wp.mesh_query_ray(mesh, p[i], d[i], 100.0, t, u, v, sign, n, face)
    out[i] = n * t + wp.vec3(u, v + sign, float(face))
    if hit:
        out[i] += wp.vec3(1.0, 0.0, 0.0)


# The gradients of weights, points, starts and directions.
@wp.kernel
def weighted(mesh: wp.uint64, w: wp.array(dtype=wp.vec2), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    p = wp.mesh_eval_position(mesh, i % 20, w[i][0], w[i][1])
    out[i] = p * w[i][0] + wp.mesh_eval_velocity(mesh, i % 20, w[i][0], w[i][1])


@wp.kernel
def drawn_to(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    at = wp.mesh_query_point_sign_normal(mesh, p[i], 10.0)
    if at.result:
        out[i] = wp.mesh_eval_position(mesh, at.face, at.u, at.v) * at.sign


@wp.kernel
def lengths(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    hit = wp.mesh_query_ray(mesh, 0.25 * p[i], d[i], 10.0)
    kept = hit
    if kept.result:
        out[i] = kept.t * kept.u + 2.0 * kept.v


@wp.kernel
def drawn_by_variables(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):  # ends: RAN
    i = wp.tid()
    face = int(0)
    t = float(0.0)
    u = float(0.0)
    v = float(0.0)
    sign = float(0.0)
    n = wp.vec3()
    if wp.mesh_query_point_no_sign(mesh, p[i], 10.0, face, u, v):
        out[i] = p[i] - wp.mesh_eval_position(mesh, face, u, v)
    if wp.mesh_query_ray(mesh, 0.25 * p[i], d[i], 10.0, t, u, v, sign, n, face):
        out[i] += d[i] * (t * u)


# Queries by a whole block: each thread gets another box.
@wp.kernel
def boxes_by_blocks(tree: wp.uint64, lowers: wp.array(dtype=wp.vec3), uppers: wp.array(dtype=wp.vec3), counts: wp.array(dtype=int), sums: wp.array(dtype=int)):
    i, lane = wp.tid()
    query = wp.tile_bvh_query_aabb(tree, lowers[i], uppers[i])
    while wp.tile_query_valid(query):
        found = wp.tile_bvh_query_next(query)
        k = wp.untile(found)
        if k >= 0:
            wp.atomic_add(counts, i, 1)
            wp.atomic_add(sums, i, k * k)


@wp.func
def weight_of(k: int):
    return wp.where(k >= 0, float(k + 1), 0.0)


@wp.kernel
def rays_by_blocks(tree: wp.uint64, starts: wp.array(dtype=wp.vec3), ways: wp.array(dtype=wp.vec3), total: wp.array(dtype=float)):  # forward
    i = wp.tid()
    sum = float(0.0)
    query = wp.tile_bvh_query_ray(tree, starts[i], ways[i])
    while wp.tile_query_valid(query):
        sum += wp.tile_extract(wp.tile_sum(wp.tile_map(weight_of, wp.tile_bvh_query_next(query))), 0)
    total[i] = sum


@wp.kernel
def faces_by_blocks(mesh: wp.uint64, lowers: wp.array(dtype=wp.vec3), uppers: wp.array(dtype=wp.vec3), sums: wp.array(dtype=float)):
    i, lane = wp.tid()
    query = wp.tile_mesh_query_aabb(mesh, lowers[i], uppers[i])
    while wp.tile_query_valid(query):
        k = wp.untile(wp.tile_mesh_query_aabb_next(query))
        if k >= 0:
            wp.atomic_add(sums, i, wp.length(wp.mesh_get_point(mesh, 3 * k)))


# Which thread of the block gets what is found first hangs on the device.
@wp.kernel
def found_by_threads(tree: wp.uint64, lowers: wp.array(dtype=wp.vec3), uppers: wp.array(dtype=wp.vec3), boxes: wp.array2d(dtype=int)):  # ends: RAN
    i, lane = wp.tid()
    query = wp.tile_bvh_query_aabb(tree, lowers[i], uppers[i])
    while wp.tile_query_valid(query):
        k = wp.untile(wp.tile_bvh_query_next(query))
        if k >= 0:
            boxes[i, lane] = k


@wp.kernel
def rounds_of_blocks(tree: wp.uint64, lowers: wp.array(dtype=wp.vec3), uppers: wp.array(dtype=wp.vec3), counts: wp.array(dtype=int)):  # ends: RAN
    i, lane = wp.tid()
    query = wp.tile_bvh_query_aabb(tree, lowers[i], uppers[i])
    n = int(0)
    while wp.tile_query_valid(query):
        if wp.untile(wp.tile_bvh_query_next(query)) >= 0:
            n += 1
    if lane == 0:
        counts[i] = n


@wp.struct
class Shape:
    color: wp.vec3
    mesh: wp.uint64
    heights: wp.array(dtype=float)


# The id of an object in a struct.
@wp.kernel
def shaded(shape: Shape, p: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):  # ends: PASS (forward)
    i = wp.tid()
    query = wp.mesh_query_ray(shape.mesh, p[i], d[i], 1.0e6)
    out[i] = wp.vec3()
    if query.result:
        light = 2.0 * query.t - 3.0 * shape.heights[i]
        out[i] = shape.color * light + wp.vec3(light * light, 4.0 * query.u, query.v - light)


@wp.struct
class Placed:
    seed: wp.uint64
    shape: Shape


# Which number is the id?
@wp.kernel
def shaded_in(placed: Placed, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):  # ends: NOT RUN
    i = wp.tid()
    query = wp.mesh_query_ray(placed.shape.mesh, p[i], placed.shape.color, 1.0e6)
    out[i] = wp.vec3(query.t, float(placed.seed), 1.0)
