"""A function of the inner package that uses a constant two levels up."""

import warp as wp

from ..numbers import FOUR


@wp.func
def quarter(x: float):
    return x / FOUR
