# Kernels whose values come from calls of Python's library: functools, itertools, operator, dataclasses,
# named tuples, and builtins with a function as key.
import dataclasses
import functools
import itertools
import operator
from collections import namedtuple
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import warp as wp

Bounds = namedtuple("Bounds", "low high")
Step = namedtuple("Step", ["size", "count"], defaults=[7])
bounds = Bounds(high=3.5, low=-1.0)
step = Step(2)
wider = step._replace(size=5)


class Grid(NamedTuple):
    width: int
    height: int = 4

    def area(self):
        return self.width * self.height


grid = Grid(3)
width, height = grid


@dataclass
class Spec:
    kind: ClassVar[str] = "spec"
    width: int = 3
    gain: float = field(default=2.5)
    taps: list = field(default_factory=lambda: [1, 2, 3])




@dataclass
class Coarse(Spec):
    gain: float = 0.5
    shift: int = 1


spec = dataclasses.replace(Spec(), width=9)
coarse = Coarse(4, shift=6)
as_dict = dataclasses.asdict(coarse)


@dataclass
class Tree:
    items: list = field(default_factory=list)
    pair: tuple = ()
    named: dict = field(default_factory=dict)
    depth: int = field(init=False, default=2)


tree = dataclasses.asdict(Tree([Spec(1)], (Spec(2), Step(Spec(3), 4)), {"k": Spec(5)}))
NESTED = tree["items"][0]["width"] + 10 * tree["pair"][0]["width"] + 100 * tree["pair"][1].size["width"]
NESTED += 1000 * tree["named"]["k"]["width"] + 10000 * dataclasses.replace(Tree([1, 2, 3]), pair=(4,)).items[2]


def make(op, k):
    @wp.kernel
    def combine(x: wp.array(dtype=int)):
        x[0] = op(x[1], k)

    return combine


last = functools.reduce(lambda made, k: make(wp.add, k), [1, 2], None)
product = functools.reduce(operator.mul, [2, 3, 4])
pairs = [make(wp.min, a * b) for a, b in itertools.product((1, 2), (3, 5))]
chained = list(map(lambda k: make(wp.max, k), itertools.chain([10], [20])))
chosen = [make(wp.sub, a + 10 * b) for a, b in itertools.combinations((1, 2, 3), 2)]
scaled = list(map(make, (wp.mul, wp.div), (3, 4)))
odd = tuple(filter(lambda k: k % 2, range(6)))
by_size = sorted(["ccc", "a", "bb"], key=len, reverse=True)
stable = sorted([(1, 0), (0, 1), (1, 2), (0, 3)], key=lambda t: t[0], reverse=True)


@wp.kernel
def named(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.clamp(x[i], wp.static(bounds.low), wp.static(bounds[1]))
    x[i] += float(wp.static(step.count + wider.size + product + len(bounds)))
    x[i] *= float(wp.static(grid.area() + grid[-1])) + float(width) * float(height)
    x[i] -= float(wp.static(sum(Grid(1, 2)) + len(Bounds._fields) + wider._asdict()["size"]))


@wp.kernel
def fields(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * wp.static(spec.gain) + float(wp.static(spec.width))
    x[i] += wp.static(coarse.gain) * float(wp.static(coarse.width + 10 * coarse.shift))
    x[i] -= float(wp.static(as_dict["shift"] + len(as_dict) + sum(Spec().taps)))


@wp.kernel
def ordered(x: wp.array(dtype=int)):
    x[0] = wp.static(odd[2] + len(by_size[0]) + 10 * len(by_size[2]))
    x[1] = wp.static(stable[0][1] + 10 * stable[1][1] + 100 * stable[2][1])
    x[2] = wp.static(max([3, -7, 5], key=abs) + min((), default=4))


@wp.kernel
def nested(x: wp.array(dtype=int)):
    x[0] = NESTED
