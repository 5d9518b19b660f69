"""Volumes whose kernels assert what they find."""

import warp as wp


@wp.kernel
def values(out: wp.array(dtype=float, ndim=3)):
    i, j, k = wp.tid()
    out[i, j, k] = float(100 * i + 10 * j + k)


@wp.kernel
def voxels(out: wp.array(dtype=wp.vec3i)):
    i = wp.tid()
    out[i] = wp.vec3i(-9 * i, 5000 * i, 0)


@wp.kernel
def look(volume: wp.uint64, at: wp.vec3i, value: float):
    assert wp.volume_lookup_f(volume, at[0], at[1], at[2]) == value


@wp.kernel
def sampled(volume: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=float), slope: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    q = wp.volume_world_to_index(volume, p[i])
    n = wp.vec3()
    out[i] = wp.volume_sample_grad_f(volume, q, wp.Volume.LINEAR, n)
    slope[i] = n


@wp.kernel
def numbered(volume: wp.uint64, at: wp.vec3i, number: int, count: int):
    assert wp.volume_lookup_index(volume, at[0], at[1], at[2]) == number
    assert wp.volume_voxel_count(volume) == count


@wp.kernel
def stored(volume: wp.uint64, value: float):
    old = wp.volume_lookup_f(volume, 1, 2, 3)
    wp.volume_store_f(volume, 1, 2, 3, value)
    wp.volume_store_f(volume, 100, 2, 3, value)
    assert old == 123.0
    assert wp.volume_lookup_f(volume, 1, 2, 3) == value
    assert wp.volume_lookup_f(volume, 100, 2, 3) == 0.0


@wp.kernel
def counts(out: wp.array(dtype=int, ndim=3)):
    i, j, k = wp.tid()
    out[i, j, k] = i + j + k


@wp.kernel
def nearest(volume: wp.uint64, at: wp.vec3, value: int):
    assert wp.volume_sample_i(volume, at) == value


@wp.kernel
def whole(volume: wp.uint64, at: wp.vec3):
    assert wp.volume_sample(volume, at, wp.Volume.LINEAR, dtype=int) == 0
