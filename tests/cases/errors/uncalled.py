"""Builtins that Python's module warp does not have, used without a call; and what no tuple holds."""

import warp as wp


@wp.func
def pair(x: wp.array(dtype=float)):
    return x, 1.0


@wp.kernel
def in_a_variable(x: wp.array(dtype=float)):
    i = wp.tid  # expect error: unknown-attribute
    x[0] = 1.0


@wp.kernel
def as_an_index(x: wp.array(dtype=float)):
    x[wp.tid] = 1.0  # expect error: unknown-attribute


@wp.kernel
def in_a_condition(x: wp.array(dtype=float)):
    if wp.tid == 0:  # expect error: unknown-attribute
        x[0] = 1.0


@wp.kernel
def as_a_statement(x: wp.array(dtype=float)):
    wp.tid  # expect error: unknown-attribute
    x[0] = 1.0


@wp.kernel
def tuple_of_an_array(x: wp.array(dtype=float)):
    t = tuple(x)  # expect error: tuple-item


@wp.kernel
def array_beside_a_number(x: wp.array(dtype=float)):
    t = (x, 1.0)  # expect error: tuple-item
    x[0] = t[1]


@wp.kernel
def tuple_in_a_tuple(x: wp.array(dtype=float)):
    t = ((1, 2), 1.0)  # expect error: tuple-item
    x[0] = t[1]


@wp.kernel
def array_from_a_function(x: wp.array(dtype=float)):
    t = pair(x)  # expect error: tuple-item
    x[0] = t[1]


@wp.kernel
def tile_in_a_tuple(x: wp.array(dtype=float)):
    t = (wp.tile_zeros(shape=4, dtype=float), 1.0)  # expect error: tuple-item
    x[0] = t[1]


@wp.kernel
def unpacked(x: wp.array(dtype=float)):
    y, a = (x, 1.0)
    z, b = pair(x)
    t = (a, b, wp.vec3(a, b, a), x.shape)
    y[0] = t[0] + z[1]


@wp.kernel
def exported(x: wp.array(dtype=float)):
    sine = wp.sin
    x[0] = sine(x[1])


@wp.kernel
def over_a_query(tree: wp.uint64, x: wp.array(dtype=float)):
    for i in wp.bvh_query_aabb(tree, wp.vec3(), wp.vec3()):  # expect error: not-iterable
        x[i] = 1.0
