"""Annotations that no kernel can have."""

from typing import Any

import warp as wp


@wp.kernel
def by_position(a: wp.array(float)):  # expect error: bad-annotation
    a[0] = 1.0


@wp.kernel
def without_type(a: wp.array, b: wp.array2d):  # expect error: bad-annotation # expect error: bad-annotation
    a[0] = 1.0


@wp.kernel
def misspelt_rank(a: wp.array(dtype=float, ndims=2)):  # expect error: bad-annotation
    a[0, 0] = 1.0


@wp.kernel
def no_such_hint(a: wp.array(dtype=wp.Any)):  # expect error: bad-annotation
    a[0] = a[1]


@wp.kernel
def of_python(a: list):  # expect error: bad-annotation
    a[0] = 1.0
