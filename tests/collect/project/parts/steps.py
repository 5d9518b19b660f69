# SPDX-License-Identifier: Apache-2.0
"""Annotations that are read late, and names that `import *` brings."""

from __future__ import annotations

import warp as wp

from typing import Final

from .shapes import UNIT

STEPS: Final[int] = 2


@wp.func
def step(x: float) -> float:
    return x + UNIT * float(STEPS)


@wp.kernel
def late(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = step(a[i])
