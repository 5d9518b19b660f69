"""Attributes of plain objects: Warp takes them where a value is needed at compile time alone."""

import warp as wp


class Config:
    n = 3
    scale = 2.0


config = Config()


@wp.kernel
def argument(x: wp.array(dtype=float)):
    x[0] = float(config.n)  # expect error: invalid-reference
    x[1] = wp.sin(config.scale)  # expect error: invalid-reference


@wp.kernel
def right(x: wp.array(dtype=float)):
    for i in range(config.n):
        x[i] = float(Config.n) + wp.static(config.scale)
