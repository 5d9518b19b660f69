"""What has no form is told at its line, by its name in Python: an error, or a warning where only the
gradient has none."""

import warp as wp


@wp.kernel
def tiles(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    y = out[i]
    stack = wp.tile_stack(capacity=8, dtype=float)  # no form: wp.tile_stack
    wp.tile_stack_push(stack, x[i], y > 0.0)
    out[i] = float(wp.tile_stack_count(stack))


@wp.kernel
def volumes(volume: wp.uint64, out: wp.array(dtype=float)):
    i = wp.tid()
    wp.volume_store(volume, i, 0, 0, wp.float64(out[i]))  # no form: wp.volume_store (volumes)


@wp.kernel
def four_indexes(x: wp.array4d(dtype=float), y: wp.array4d(dtype=float)):  # no form: a kernel with four thread indexes and tiles
    i, j, k, lane = wp.tid()
    t = wp.tile_load(x, shape=(1, 1, 1, 8), offset=(i, j, k, 0))
    y[i, j, k, lane] = wp.tile_sum(t)[0] * y[i, j, k, lane]


@wp.kernel
def assigned_in_a_loop(x: wp.array(dtype=float), y: wp.array(dtype=float), n: int):
    i = wp.tid()
    t = wp.tile_load(x, shape=32, offset=i * 32)
    for k in range(n):
        t = t * t  # no form: a tile in shared memory that is assigned to a variable
    wp.tile_store(y, t, offset=i * 32)


@wp.kernel
def assigned_in_a_branch(x: wp.array(dtype=float), y: wp.array(dtype=float), n: int):
    i = wp.tid()
    t = wp.tile_load(x, shape=32, offset=i * 32)
    if n > 3:
        t = t * t  # no form: a tile in shared memory that is assigned to a variable
    wp.tile_store(y, t, offset=i * 32)


@wp.kernel
def copied(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=32, offset=i * 32)
    u = t  # no form: a tile in shared memory that is assigned to a variable
    wp.tile_store(y, u, offset=i * 32)


@wp.kernel
def sets_variables(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):  # ends: RAN
    i = wp.tid()
    face = int(0)
    u = float(0.0)
    v = float(0.0)
    if wp.mesh_query_point_no_sign(mesh, p[i], 1.0, face, u, v):
        out[i] = u + v


# Where the kernel writes no floats, nobody asks for gradients.
@wp.kernel
def writes_integers(mesh: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=int)):  # ends: RAN
    i = wp.tid()
    face = int(0)
    u = float(0.0)
    v = float(0.0)
    if wp.mesh_query_point_no_sign(mesh, p[i], 1.0, face, u, v):
        out[i] = face + 1
