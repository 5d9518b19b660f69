"""Expectations and wp.print: they say something and change nothing."""

import warp as wp


@wp.kernel
def expectations(x: wp.array(dtype=float), v: wp.array(dtype=wp.vec3), m: wp.array(dtype=wp.mat22), h: wp.array(dtype=wp.float16)):
    i = wp.tid()
    wp.expect_eq(x[i], x[i])
    wp.expect_eq(v[i], v[i])
    wp.expect_neq(v[i], v[i] + wp.vec3(1.0, 1.0, 1.0))
    wp.expect_near(v[i], v[i], 1.0e-3)
    wp.expect_near(x[i], x[i])
    wp.expect_eq(m[i], m[i])
    wp.expect_eq(h[i], h[i])
    wp.expect_eq(i < 3, not (i >= 3))
    x[i] = 2.0 * x[i]


@wp.kernel
def prints(x: wp.array(dtype=float), v: wp.array(dtype=wp.vec3), m: wp.array(dtype=wp.mat22), h: wp.array(dtype=wp.float16)):
    i = wp.tid()
    if i == 0:
        wp.print(x[i])
        wp.print(v[i])
        wp.print(m[i])
        wp.print("x[0] is above")
        wp.print(h[i])
        wp.printf("%d %f\n", i, x[i])
    x[i] = 3.0 * x[i]


@wp.kernel
def expectations_of_doubles(x: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
    i = wp.tid()
    wp.expect_near(x[i] / wp.float64(2.0), wp.float64(0.5) * x[i], wp.float64(1.0e-9))
    out[i] = x[i]


@wp.kernel
def asserts(x: wp.array(dtype=float)):
    i = wp.tid()
    assert i >= 0, "threads count from zero"
    x[i] = 4.0 * x[i]


@wp.kernel
def no_parameters():  # ends: RAN
    print(wp.tid())
