"""The forward pass leaves nothing below the ground, where the backward pass does most."""

import warp as wp


@wp.kernel
def out_of_the_ground(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), bounce: float):
    i = wp.tid()
    p = x[i]
    u = v[i]
    if p[1] < 0.0:
        x[i] = wp.vec3(p[0], 0.0, p[2])
        v[i] = wp.vec3(u[0], -u[1] * bounce, u[2])
