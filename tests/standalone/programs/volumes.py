"""Volumes: look-ups, samples and maps of voxels that the host makes."""

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
