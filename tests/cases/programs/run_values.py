"""Launched by run_values.cli: arguments of every kind, and kernels that go wrong."""

import warp as wp


@wp.struct
class Body:
    position: wp.vec3
    mass: float
    label: int


@wp.struct
class World:
    gravity: wp.vec3
    first: Body
    forces: wp.array2d(dtype=float)


@wp.kernel
def step(w: World, bodies: wp.array(dtype=Body), turn: wp.mat22, out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    b = bodies[i]
    b.position = b.position + w.gravity * b.mass * w.forces[i, 1]
    b.label = b.label + w.first.label
    bodies[i] = b
    out[i] = b.position + w.first.position * turn[1, 0]


@wp.kernel
def expect_labels(bodies: wp.array(dtype=Body), wanted: int, out: wp.array(dtype=int)):
    i = wp.tid()
    if bodies[i].label != wanted:
        out[i + 1000] = 0


@wp.kernel
def several(x: wp.array(dtype=float), double: wp.array(dtype=float), square: wp.array(dtype=float)):
    i = wp.tid()
    double[i] = x[i] * 2.0
    square[i] = x[i] * x[i]


@wp.kernel
def fill(x: wp.array(dtype=float), value: float):
    x[wp.tid()] = value


@wp.kernel
def expect(x: wp.array(dtype=float), value: float):
    i = wp.tid()
    if x[i] != value:
        x[i + 1000] = x[i]


@wp.kernel(enable_backward=False)
def forward_only(x: wp.array(dtype=float)):
    x[wp.tid()] = 1.0


@wp.func
def pick(a: wp.array2d(dtype=float), j: int):
    return a[j, 5]


@wp.kernel
def outside(a: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i, j = wp.tid()
    if j == 2:
        out[i] = pick(a, i)


@wp.kernel
def nothing():
    pass


@wp.kernel
def forever(out: wp.array(dtype=wp.vec3)):
    v = wp.vec3(1.0, 2.0, 3.0)
    while v[1] > -1.0:
        v = v * 0.0 + wp.cross(v, v)
    out[0] = v


@wp.kernel
def all_kinds(
    on: bool,
    byte: wp.uint8,
    big: wp.uint64,
    half: wp.float16,
    q: wp.quat,
    m: wp.mat33,
    t: wp.transform,
    out: wp.array(dtype=float),
):
    if on:
        out[0] = float(byte) + float(half) + q[3] + m[2, 1] + t[6]
        out[1] = float(big)


@wp.kernel
def of_flags(flags: wp.array(dtype=bool), out: wp.array(dtype=float)):
    i = wp.tid()
    if flags[i]:
        out[i] = 1.0


@wp.kernel
def of_objects(mesh: wp.uint64, name: wp.MeshQueryPoint):
    i = wp.tid()


@wp.func
def energy(r: wp.vec2, k: float):
    return 0.5 * k * wp.dot(r, r)


@wp.func
def bent(x: float):
    return x * x


@wp.func_grad(bent)
def adj_bent(x: float, adj_ret: float):
    wp.adjoint[x] += adj_ret


@wp.kernel
def of_gradients(r: wp.array(dtype=wp.vec2), k: float, force: wp.array(dtype=wp.vec2), slope: wp.array(dtype=float)):
    i = wp.tid()
    by_r, by_k = wp.grad(energy)(r[i] + wp.vec2(1.0, 0.0), k)
    force[i] = -by_r
    slope[i] = by_k + wp.grad(wp.sqrt)(k)


@wp.kernel
def of_own_gradient(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.grad(bent)(x[i])


# The tiles have 1,024 numbers: a block loads and stores them once, not each of its lanes.
@wp.kernel
def copy_tile(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    t = wp.tile_load(x, shape=(32, 32))
    wp.tile_store(y, t)
