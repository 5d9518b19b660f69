"""Names that are not there, or that a kernel cannot use."""

import warp as wp

table = {"a": 1}


def ordinary(x):
    return x


@wp.kernel
def undefined(a: wp.array(dtype=float)):
    a[0] = nothing  # expect error: undefined-name


@wp.kernel
def undefined_on_one_path(a: wp.array(dtype=float)):
    if a[0] > 0.0:
        x = 1.0
    a[1] = y  # expect error: undefined-name


@wp.kernel
def ordinary_function(a: wp.array(dtype=float)):
    a[0] = ordinary(a[0])  # expect error: unknown-function


@wp.kernel
def no_builtin(a: wp.array(dtype=float)):
    a[0] = wp.no_such_function(a[0])  # expect error: unknown-function


@wp.kernel
def misspelled_builtin(a: wp.array(dtype=float)):
    a[0] = wp.mxa(a[0], 1.0)  # expect error: unknown-function


@wp.kernel
def builtin_without_module(a: wp.array(dtype=float)):
    i = tid()  # expect error: unknown-function
    a[i] = 1.0


@wp.kernel
def two_errors(a: wp.array(dtype=float)):
    a[0] = missing_one  # expect error: undefined-name
    a[1] = missing_two  # expect error: undefined-name


@wp.kernel
def one_cause(a: wp.array(dtype=float)):
    x = missing_one  # expect error: undefined-name
    y = x + 1.0
    a[0] = y * x


@wp.kernel
def right(a: wp.array(dtype=float)):
    a[0] = 1.0
