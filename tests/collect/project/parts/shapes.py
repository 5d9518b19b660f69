# SPDX-License-Identifier: Apache-2.0
"""Structs and functions that kernels of another file use."""

import math

import warp as wp

UNIT = math.sqrt(4.0)
vec = wp.vec3


@wp.struct
class Corner:
    at: vec


@wp.struct
class Box:
    # Two opposite corners.
    low: Corner
    high: Corner


@wp.func
def size(b: Box):
    return b.high.at - b.low.at


@wp.func
def volume(b: Box):
    s = size(b)
    return s[0] * s[1] * s[2]


@wp.func
def area(b: Box):
    s = size(b)
    return 2.0 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0])


class Grid:
    COLUMNS = 4

    @wp.func
    def row(cell: int):
        return cell // Grid.COLUMNS

    @wp.func
    def column(cell: int):
        return cell - Grid.row(cell) * Grid.COLUMNS
