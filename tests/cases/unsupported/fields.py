# What Python refuses to do with fields of objects, and what of objects weft does not know.
import dataclasses
import itertools
from dataclasses import dataclass, field
from time import perf_counter as measure

import warp as wp


@dataclass
class Late:
    a: int = field(init=False, default=1)
    b: int = 2


@dataclass
class Doubtful:
    a: int = field(init=measure() > 1.0, default=1)
    b: int = 2


# Arguments of replace() that no parameter of __init__ takes raise a ValueError.
REPLACED = dataclasses.replace(Late(5), a=3).a
DOUBTFUL = Doubtful(5).b
UNKNOWN_FIELD = Late(measure()) == Late(1)
COMBINATIONS = len(list(itertools.combinations(range(80), 4)))


@wp.kernel
def replaced(x: wp.array(dtype=int)):
    x[0] = REPLACED  # expect error: unknown-value


@wp.kernel
def doubtful(x: wp.array(dtype=int)):
    x[0] = DOUBTFUL  # expect error: unknown-value


@wp.kernel
def unknown_field(x: wp.array(dtype=int)):
    x[0] = int(UNKNOWN_FIELD)  # expect error: unknown-value


@wp.kernel
def combinations(x: wp.array(dtype=int)):
    x[0] = COMBINATIONS  # expect error: unknown-value
