"""Volumes: look-ups, samples and maps of voxels that the host makes, and stores to them."""

import warp as wp


@wp.kernel
def collide(volume: wp.uint64, x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), margin: float, out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    q = wp.volume_world_to_index(volume, x[i])
    n = wp.vec3()
    d = wp.volume_sample_grad_f(volume, q, wp.Volume.LINEAR, n)
    away = v[i]
    if d < margin:
        away -= (d - margin) * wp.volume_index_to_world_dir(volume, n)
    out[i] = away + wp.volume_index_to_world(volume, 0.5 * q)


@wp.kernel
def smooth(volume: wp.uint64, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    q = wp.volume_world_to_index_dir(volume, x[i]) + wp.vec3(8.0, 4.0, 12.0)
    a = wp.volume_sample(volume, q, wp.Volume.LINEAR, dtype=float)
    out[i] = a * a + wp.volume_sample_f(volume, q, wp.Volume.CLOSEST)


@wp.kernel
def vectors(volume: wp.uint64, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    q = wp.volume_world_to_index(volume, x[i])
    near = wp.volume_lookup(volume, int(q[0]), int(q[1]), int(q[2]), dtype=wp.vec3)
    out[i] = wp.volume_sample_v(volume, q, wp.Volume.LINEAR) + 2.0 * near - wp.volume_lookup_v(volume, i % 20, 2, 3)


# A name of the definitions that a volume brings along.
@wp.kernel
def whole(volume: wp.uint64, x: wp.array(dtype=wp.vec3), volume_place: wp.array(dtype=int), seen: wp.array(dtype=int)):
    i = wp.tid()
    q = wp.volume_world_to_index(volume, x[i])
    volume_place[i] = wp.volume_sample_i(volume, q) + 100 * wp.volume_lookup_i(volume, int(q[0]), int(q[1]), i % 20)
    j = int(wp.floor(q[1]))
    seen[i] = wp.volume_lookup_index(volume, i % 18 - 1, j, i % 26 - 1) + wp.volume_voxel_count(volume)


# Nothing but the volume changes.
@wp.kernel
def fill(volume: wp.uint64, values: wp.array3d(dtype=float)):
    i, j, k = wp.tid()
    wp.volume_store_f(volume, i, j, k, values[i, j, k])


# A look-up is not moved over a store.
@wp.kernel
def grow(volume: wp.uint64, by: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    t = wp.tid()
    i = t % 20 - 1
    v = wp.volume_lookup(volume, i, t / 20, 7, dtype=wp.vec3)
    wp.volume_store(volume, i, t / 20, 7, v + by[t])
    out[t] = v[0] - wp.volume_lookup_v(volume, i, t / 20, 7)[1]


@wp.kernel
def mark(volumes: wp.array(dtype=wp.uint64), cells: wp.array(dtype=wp.vec3i), volume_values: wp.array(dtype=int)):
    t = wp.tid()
    c = cells[t]
    wp.volume_store_i(volumes[t % 2], t % 16, c[1], c[2], volume_values[t] + 3)
