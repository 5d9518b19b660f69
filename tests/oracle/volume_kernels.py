# SPDX-License-Identifier: Apache-2.0
"""Kernels for volume_check.py: each writes what look-ups and samples of a volume give, and numbers of voxels."""

import warp as wp


@wp.kernel
def maps(volume: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    q = wp.volume_world_to_index(volume, p[i])
    r = wp.volume_index_to_world(volume, p[i] + 0.3 * q)
    d = wp.volume_index_to_world_dir(volume, p[i]) + wp.volume_world_to_index_dir(volume, r)
    x = wp.vec3d(p[i])
    y = wp.volume_world_to_index(volume, x) + wp.volume_index_to_world(volume, wp.float64(0.7) * x)
    z = wp.volume_world_to_index_dir(volume, y) + wp.volume_index_to_world_dir(volume, x)
    out[i] = r + d + wp.vec3(y) - wp.vec3(z)


@wp.kernel
def floats(volume: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    q = p[i]
    n = wp.vec3()
    a = wp.volume_sample_f(volume, q, wp.Volume.LINEAR)
    b = wp.volume_sample_grad_f(volume, q * 0.9, wp.Volume.LINEAR, n)
    m = wp.vec3(7.0, 7.0, 7.0)
    c = wp.volume_sample_grad(volume, q, wp.Volume.CLOSEST, m, dtype=float)
    d = wp.volume_sample(volume, q * 1.1, wp.Volume.LINEAR, dtype=float) + wp.volume_sample_f(volume, q, wp.Volume.CLOSEST)
    e = wp.volume_lookup_f(volume, int(q[0]), int(q[1]), int(q[2])) + wp.volume_lookup(volume, i % 20, 3, 5, dtype=float)
    wrong = wp.volume_sample_v(volume, q, wp.Volume.LINEAR) + wp.vec3(float(wp.volume_lookup_i(volume, 1, 2, 3)))
    out[i] = wp.vec3(a, b + 2.0 * c, d - e) + n * a + m + wrong


@wp.kernel
def vectors(volume: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    q = p[i]
    m = wp.mat33()
    a = wp.volume_sample_v(volume, q, wp.Volume.LINEAR)
    b = wp.volume_sample_grad(volume, q * 0.9, wp.Volume.LINEAR, m, dtype=wp.vec3)
    c = wp.volume_lookup_v(volume, int(q[0]), int(q[1]), int(q[2])) - wp.volume_lookup(volume, i % 20, 3, 5, dtype=wp.vec3)
    out[i] = a + b + c + m * q + wp.volume_sample(volume, q, wp.Volume.CLOSEST, dtype=wp.vec3)


@wp.kernel
def fours(volume: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    m = wp.matrix(shape=(4, 3), dtype=float)
    a = wp.volume_sample_grad(volume, p[i], wp.Volume.LINEAR, m, dtype=wp.vec4)
    b = wp.volume_sample(volume, p[i] * 1.1, wp.Volume.LINEAR, dtype=wp.vec4) - wp.volume_lookup(volume, i % 20, 3, 5, dtype=wp.vec4)
    out[i] = wp.vec3(a[0] + b[1], a[1] + b[3], a[2] - a[3] * b[0] + b[2]) + (a + b) * m


@wp.kernel
def integers(volume: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    q = p[i]
    a = wp.volume_sample_i(volume, q) + wp.volume_sample(volume, q * 1.3, wp.Volume.CLOSEST, dtype=int)
    b = wp.volume_lookup_i(volume, int(q[0]), int(q[1]), int(q[2])) + wp.volume_lookup(volume, i % 20, 3, 5, dtype=int)
    out[i] = wp.vec3(float(a), float(b), float(wp.volume_sample_f(volume, q, wp.Volume.LINEAR)))


@wp.kernel
def numbers(volume: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    q = p[i]
    x = int(wp.floor(q[0]))
    y = int(wp.floor(q[1]))
    z = int(wp.floor(q[2]))
    near = wp.volume_lookup_index(volume, x, y, z)
    far = wp.volume_lookup_index(volume, 700 * (x % 3), -5000 * (y % 2), 9 * z)
    out[i] = wp.vec3(float(near), float(far), float(wp.volume_voxel_count(volume)))


@wp.kernel
def stores(volume: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    x = int(p[i][0])
    y = int(p[i][1])
    wp.volume_store_f(volume, x, y, 3, p[i][2])
    wp.volume_store(volume, x, y, 400, 5.0)
    wp.volume_store_i(volume, x, y, 3, 5)
    out[i] = wp.vec3(wp.volume_lookup_f(volume, x, y, 3), wp.volume_lookup_f(volume, x, y, 400), wp.volume_sample_f(volume, p[i], wp.Volume.LINEAR))


@wp.kernel
def fill_fours(volume: wp.uint64, values: wp.array(dtype=wp.vec4, ndim=3)):
    i, j, k = wp.tid()
    wp.volume_store(volume, i, j, k, values[i, j, k])


@wp.kernel
def by_numbers(volume: wp.uint64, p: wp.array(dtype=wp.vec3), data: wp.array(dtype=float), more: wp.array(dtype=wp.vec3), values: wp.array(dtype=float), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    values[i] = wp.volume_sample_index(volume, p[i], wp.Volume.LINEAR, data, -1.5)
    v = wp.volume_sample_index(volume, p[i], wp.Volume.LINEAR, more, wp.vec3(1.0, 2.0, 3.0))
    out[i] = v + wp.volume_sample_index(volume, p[i], wp.Volume.CLOSEST, more, wp.vec3(-1.0, 0.0, 1.0))
