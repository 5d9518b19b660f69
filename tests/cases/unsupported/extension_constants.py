# Constants of a compiled Python module are known only when it runs.
import enum

import compiled_extension
import warp as wp

LIMIT = compiled_extension.LIMIT


class Kind(enum.IntEnum):
    """Some members are known."""

    FIRST = compiled_extension.FIRST
    SECOND = 2


@wp.kernel
def constant(a: wp.array(dtype=float)):
    a[0] = LIMIT  # expect error: module-not-found


@wp.kernel
def comparison(a: wp.array(dtype=float), n: int):
    if n == Kind.FIRST:  # expect error: module-not-found
        a[0] = 1.0


@wp.kernel
def operand(a: wp.array(dtype=int), n: int):
    a[0] = n & Kind.FIRST  # expect error: module-not-found


@wp.kernel
def known(a: wp.array(dtype=int), n: int):
    a[0] = n & Kind.SECOND


@wp.kernel(**compiled_extension.OPTIONS)
def unpacked_options(a: wp.array(dtype=int)):  # expect error: module-not-found
    a[0] = 1
