"""Calls of builtins that Warp refuses: what each of its rules says."""

import warp as wp


@wp.kernel
def shapes_of_products(m: wp.array(dtype=wp.mat33), v: wp.array(dtype=wp.vec2)):
    x = m[0] * v[0]  # expect error: shape-mismatch


@wp.kernel
def trace_of_rectangle(n: int):
    m = wp.matrix(shape=(2, 3), dtype=float)
    x = wp.trace(m)  # expect error: not-square


@wp.kernel
def unknown_keyword(a: wp.array(dtype=float)):
    a[0] = wp.clamp(a[1], low=0.0, top=1.0)  # expect error: no-overload


@wp.kernel
def too_many_results(q: wp.array(dtype=wp.quat)):
    x, y, z = wp.quat_to_axis_angle(q[0])  # expect error: no-overload


@wp.kernel
def vector_without_length(x: float):
    v = wp.vector(x, dtype=wp.float32)  # expect error: constructor-unsized


@wp.kernel
def matrix_of_vectors(v: wp.array(dtype=wp.vec2)):
    m = wp.mat22(v[0], v[1])  # expect error: constructor-vectors


@wp.kernel
def double_of_singles(x: float):
    v = wp.vec3d(x, x, x)  # expect error: constructor-type


@wp.kernel
def contradicting_length(x: float):
    v = wp.vec3(x, length=4)  # expect error: extra-type-argument


@wp.kernel
def identity_of_variable(n: int):
    m = wp.identity(n=n, dtype=float)  # expect error: needs-constant


@wp.kernel
def fixed_array_of_variable(n: int):
    a = wp.zeros(shape=n, dtype=float)  # expect error: needs-constant


@wp.kernel
def atomic_on_bytes(a: wp.array(dtype=wp.int8)):
    wp.atomic_add(a, 0, wp.int8(1))  # expect error: atomic-type


@wp.kernel
def atomic_bits_of_floats(a: wp.array(dtype=float)):
    wp.atomic_or(a, 0, 1.0)  # expect error: atomic-type


@wp.kernel
def atomic_of_other_type(a: wp.array(dtype=float)):
    wp.atomic_max(a, 0, 1)  # expect error: store-type


@wp.kernel
def old_select(a: wp.array(dtype=float)):
    a[0] = wp.select(a[1] > 0.0, 1.0, 2.0)  # expect error: removed-builtin


@wp.kernel
def choice_of_two_types(a: wp.array(dtype=float)):
    a[0] = wp.where(a[1] > 0.0, 1.0, 2)  # expect error: mixed-types


@wp.kernel
def volume_of_quaternions(v: wp.uint64, p: wp.vec3):
    q = wp.volume_sample(v, p, wp.Volume.LINEAR, dtype=wp.quat)  # expect error: volume-type


@wp.kernel
def tile_shapes(a: wp.array(dtype=float), b: wp.array2d(dtype=float)):
    x = wp.tile_load(a, shape=8)
    y = wp.tile_load(b, shape=(4, 2))
    z = x + y  # expect error: tile-argument


@wp.kernel
def tile_rank(b: wp.array2d(dtype=float)):
    x = wp.tile_load(b, shape=8)  # expect error: tile-argument


@wp.kernel
def tile_storage(a: wp.array(dtype=float)):
    x = wp.tile_load(a, shape=8, storage="global")  # expect error: tile-argument


@wp.kernel
def tile_of_variable_size(a: wp.array(dtype=float), n: int):
    x = wp.tile_load(a, shape=n)  # expect error: needs-constant
