# SPDX-License-Identifier: Apache-2.0
"""Annotations that are read late, and names that `import *` brings."""

from __future__ import annotations

from enum import IntEnum

import warp as wp

from typing import Final

try:
    from typing import override as _override
except ImportError:
    from typing_extensions import override as _override

from .shapes import UNIT

STEPS: Final[int] = 2
override = _override


class Side(IntEnum):
    LEFT = 0
    RIGHT = 1

    @override
    def __str__(self):
        return self.name


@wp.func
def step(x: float) -> float:
    return x + UNIT * float(STEPS)


@wp.kernel
def late(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = step(a[i]) - float(int(Side.RIGHT))
