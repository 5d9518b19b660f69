"""Operands and arguments whose types do not fit."""

from typing import Any

import warp as wp


@wp.kernel
def mixed_operands(a: wp.array(dtype=float), n: int):
    a[0] = a[1] * n  # expect error: mixed-types


@wp.kernel
def mixed_widths(a: wp.array(dtype=wp.float64)):
    a[0] = a[1] + 1.0  # expect error: mixed-types


@wp.kernel
def vector_plus_scalar(v: wp.array(dtype=wp.vec3)):
    v[0] = v[1] + 1.0  # expect error: no-overload


@wp.kernel
def wrong_argument(v: wp.array(dtype=wp.vec3)):
    v[0] = wp.sin(v[1])  # expect error: no-overload


@wp.kernel
def too_many_arguments(a: wp.array(dtype=float)):
    a[0] = wp.sin(a[1], a[2])  # expect error: no-overload


@wp.kernel
def stored_type(a: wp.array(dtype=float)):
    a[0] = 1  # expect error: store-type


@wp.kernel
def float_index(a: wp.array(dtype=float), x: float):
    a[x] = 1.0  # expect error: bad-index-type


@wp.kernel
def too_many_indices(a: wp.array(dtype=float)):
    a[0, 1] = 1.0  # expect error: index-count


@wp.kernel
def bad_component(v: wp.array(dtype=wp.vec3)):
    x = v[0]
    v[1] = wp.vec3(x.w, 0.0, 0.0)  # expect error: bad-component


@wp.func
def takes_float(x: float):
    return x


@wp.kernel
def wrong_user_argument(a: wp.array(dtype=float), n: int):
    a[0] = takes_float(n)  # expect error: no-overload


@wp.kernel
def vector_of_two(v: wp.array(dtype=wp.vec3)):
    v[0] = wp.vec3(1.0, 2.0)  # expect error: constructor-count


@wp.kernel
def range_of_type(a: wp.array(dtype=float)):
    for _ in range(float):  # expect error: not-a-value
        a[0] = 1.0


@wp.kernel
def range_of_function(a: wp.array(dtype=float)):
    for _ in range(0, wp.sin):  # expect error: not-a-value
        a[0] = 1.0


@wp.func
def any_of_float(p: float) -> Any:  # expect error: return-annotation
    return p


@wp.kernel
def wants_any(x: wp.array(dtype=float)):
    x[0] = any_of_float(x[1])
