# SPDX-License-Identifier: Apache-2.0
"""Kernels for a device: parameters of every kind."""
import warp as wp


@wp.struct
class Inner:
    flag: wp.bool
    gain: wp.float64
    field: wp.array2d(dtype=float)


@wp.struct
class Body:
    tag: wp.int8
    mass: float
    place: wp.vec3
    inner: Inner
    turn: wp.mat22
    weights: wp.array(dtype=float)


@wp.struct
class Flat:
    tag: wp.int8
    weights: wp.array(dtype=float)
    mass: float


@wp.struct
class Item:
    kind: wp.uint8
    speed: wp.vec2
    mass: wp.float64


@wp.func
def pull(b: Body, i: int):
    return float(i) * b.mass + b.place[1]


@wp.kernel
def structs(b: Body, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = pull(b, i) * b.weights[i] + float(b.inner.gain) * b.inner.field[i, 1] + b.turn[1, 0] * float(b.tag)


@wp.kernel
def flat(f: Flat, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = f.weights[i] * f.weights[i] * f.mass + float(f.tag)


@wp.kernel
def items(all: wp.array(dtype=Item), t: wp.float64, out: wp.array(dtype=wp.vec2)):
    i = wp.tid()
    out[i] = all[i].speed * wp.float32(all[i].mass * t) + wp.vec2(float(all[i].kind), 1.0)


@wp.kernel
def plane(x: wp.array2d(dtype=float), g: wp.vec3, y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[j, i] = wp.sin(x[i, j]) * g[1] + float(x.shape[1]) + float(i * 10 + j)


@wp.kernel
def cube(x: wp.array3d(dtype=wp.vec3), total: wp.array(dtype=float)):
    i, j, k = wp.tid()
    wp.atomic_add(total, 0, wp.dot(x[i, j, k], wp.vec3(1.0, 2.0, float(k))))


@wp.kernel
def four(x: wp.array4d(dtype=wp.int64), y: wp.array(dtype=wp.int64)):
    i, j, k, l = wp.tid()
    y[((i * x.shape[1] + j) * x.shape[2] + k) * x.shape[3] + l] = x[i, j, k, l] * wp.int64(i + 2 * j + 4 * k + 8 * l)


@wp.kernel
def halves(x: wp.array(dtype=wp.float16), y: wp.array(dtype=wp.float16), q: wp.quat, v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    y[i] = x[i] * wp.float16(2.0)
    v[i] = wp.quat_rotate(q, v[i])


@wp.kernel
def beyond(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i + 1] = 1.0


@wp.struct
class Tag:
    kind: wp.int32
    group: wp.int32


@wp.kernel
def tags(all: wp.array(dtype=Tag), x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    all[i] = Tag()
    y[i] = 2.0 * x[i]


@wp.kernel
def limits(x: wp.array(dtype=float)):
    i = wp.tid()
    assert i < 10
    x[i] = wp.min(x[i], wp.inf) if i > 0 else wp.nan


@wp.kernel
def tiles(x: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=4)
    wp.tile_store(x, t)


@wp.kernel
def sorted_tile(x: wp.array(dtype=float)):
    t = wp.tile_load(x, shape=4, storage="shared")
    wp.tile_sort(t, t)
    wp.tile_store(x, t)
