"""Names that modules lack, whether they are imported, read or asked for, and bound to themselves."""

import enum
import math
import typing

import warp as wp
import warp.types as T
from collections import Mapping  # expect error: unknown-attribute
from enum import IntEnun  # expect error: unknown-attribute
from math import cbrt, sinn, sumprod  # expect error: unknown-attribute
from typing import Any, Anny, override  # expect error: unknown-attribute
from warp.types import float32, vector  # expect error: unknown-attribute

tid = wp.tid  # expect error: unknown-attribute
load = getattr(wp, "tile_load")  # expect error: unknown-attribute
default = getattr(wp, "tile_store", None)
half = math.pii / 2.0  # expect error: unknown-attribute
vec = T.vec3  # expect error: unknown-attribute
unset = wp.config.verbos  # expect error: unknown-attribute


class Rows:
    def __init__(self):
        self.printf = 1
        self.cast = wp.cast  # expect error: unknown-attribute


rows = Rows()

try:
    from math import sinh, sinhh
except ImportError:
    sinhh = None

if hasattr(typing, "Later"):
    later = typing.Later


@wp.kernel
def good(a: wp.array(dtype=float)):
    if wp.static(hasattr(wp, "printf_") or hasattr(math, "sinn") or not hasattr(enum, "IntEnum")):
        a[0] = nothing
    a[wp.tid()] = wp.static(float(default is None))
