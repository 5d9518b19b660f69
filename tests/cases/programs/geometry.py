import warp as wp


@wp.kernel
def nearest(mesh: wp.uint64, p: wp.vec3, face: int, sign: float):
    q = wp.mesh_query_point(mesh, p, 10.0)
    assert q.result
    assert q.face == face
    assert q.sign == sign
    none = wp.mesh_query_point_no_sign(mesh, p, 0.0)
    assert not none.result


@wp.kernel
def hit(mesh: wp.uint64, face: int, t: float):
    q = wp.mesh_query_ray(mesh, wp.vec3(0.25, 0.5, 5.0), wp.vec3(0.0, 0.0, -1.0), 10.0)
    assert q.result
    assert q.face == face
    assert q.t == t
    assert q.normal[2] == 1.0


@wp.kernel
def inside(mesh: wp.uint64, low: wp.vec3, high: wp.vec3, n: int):
    count = int(0)
    for face in wp.mesh_query_aabb(mesh, low, high):
        assert wp.mesh_get_index(mesh, 3 * face) < 8
        count += 1
    assert count == n


@wp.kernel
def near(grid: wp.uint64, at: wp.vec3, n: int):
    count = int(0)
    for i in wp.hash_grid_query(grid, at, 0.5):
        count += 1
    assert count == n


@wp.kernel
def near_twice(grid: wp.uint64, at: wp.vec3):
    query = wp.hash_grid_query(grid, at, 0.5)
    count = int(0)
    for i in query:
        count += 1
    assert count == 1
    for i in query:
        count += 1
    assert count == 1


@wp.kernel
def far_points(out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = wp.vec3(1.0, 1.0, wp.where(i % 2 == 0, 1.0, wp.inf))


@wp.kernel
def boxes(tree: wp.uint64, low: wp.vec3, high: wp.vec3, n: int):
    query = wp.bvh_query_aabb(tree, low, high)
    count, i = int(0), int(0)
    while wp.bvh_query_next(query, i):
        count += 1
    assert count == n


@wp.kernel
def point_of(grid: wp.uint64, at: int):
    assert wp.hash_grid_point_id(grid, at) == at


@wp.kernel
def position(mesh: wp.uint64, face: int, out: wp.array(dtype=wp.vec3)):
    out[0] = wp.mesh_eval_position(mesh, face, 0.5, 0.25)


@wp.kernel
def differentiated(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    q = wp.mesh_query_point_no_sign(mesh, p[0], 10.0)
    out[0] = q.u


@wp.kernel
def moved(mesh: wp.uint64, p: wp.vec3):
    m = wp.mesh_get(mesh)
    m.points[0] = p


@wp.kernel
def shifted(mesh: wp.uint64, p: wp.vec3):
    m = wp.mesh_get(mesh)
    wp.atomic_add(m.points, 0, p)


# A mesh without velocities has an array without elements.
@wp.kernel
def still(mesh: wp.uint64):
    m = wp.mesh_get(mesh)
    if m.velocities:
        assert False
    assert m.velocities.shape[0] == 0
    assert m.points.shape[0] == 8


@wp.kernel
def bent(mesh: wp.uint64):
    m = wp.mesh_get(mesh)
    m.points[0][1] = 7.0


# Queries go by the mesh's own indices, whatever a kernel stores to those that it sees.
@wp.kernel
def led_astray(mesh: wp.uint64, out: wp.array(dtype=wp.vec3)):
    m = wp.mesh_get(mesh)
    wp.tile_store(m.indices, wp.tile_full(shape=3, value=400000000, dtype=int))
    out[0] = wp.mesh_eval_position(mesh, 0, 0.25, 0.5)
