"""Warp's own modules import Any, and programs take it from there."""

import warp as wp
import warp._src.types as wt
from warp._src.types import Any


@wp.func
def below_diagonal(row: Any, col: wt.Any) -> wp._src.types.Any:
    return (row * (row + 1)) // 2 + col


@wp.kernel
def index(a: wp.array(dtype=int)):
    a[0] = below_diagonal(a[1], a[2])
