"""As python -m weft.constants writes it; and what a type stub has besides."""

import enum
from typing import Any

LIMIT = 2.5
FIRST = 1
OPTIONS = {"enable_backward": False}
OPEN: int
DOTS = ...

class Level(enum.IntEnum):
    LOW = 3
    HIGH = ...
    MIDDLE: int

class Opaque:
    def make(self) -> int: ...

def compute(n: int) -> float: ...
