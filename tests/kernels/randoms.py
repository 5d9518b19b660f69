"""Random numbers, noise and sampling."""

import warp as wp


@wp.kernel
def numbers(seed: int, a: wp.array(dtype=float), n: wp.array(dtype=int), u: wp.array(dtype=wp.uint32)):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    a[i] = wp.randf(state) + wp.randf(state, -1.0, 1.0) + wp.randn(state)
    n[i] = wp.randi(state) + wp.randi(state, 0, 10)
    u[i] = wp.randu(state)
    other = wp.rand_init(seed)
    a[i + 1] = wp.randf(other)


@wp.kernel
def sampling(seed: int, v: wp.array(dtype=wp.vec3), w: wp.array(dtype=wp.vec2)):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    v[0] = wp.sample_unit_sphere(state)
    v[1] = wp.sample_unit_sphere_surface(state)
    v[2] = wp.sample_unit_hemisphere(state)
    w[0] = wp.sample_unit_disk(state)
    w[1] = wp.sample_triangle(state)
    v[3] = wp.sample_unit_cube(state)


@wp.kernel
def noise(seed: int, v: wp.array(dtype=wp.vec3), a: wp.array(dtype=float)):
    i = wp.tid()
    state = wp.rand_init(seed)
    p = v[i]
    a[i] = wp.noise(state, p) + wp.pnoise(state, p, 4, 4, 4)
    a[i] = wp.noise(state, p[0]) + wp.noise(state, wp.vec2(p[0], p[1]))
    v[i] = wp.curlnoise(state, p)
