# Objects of the program's own classes: super(), setters, __init_subclass__, equality, copies, several bases, sets.
import copy
import enum
from collections import namedtuple
from dataclasses import KW_ONLY, InitVar, dataclass, field

import warp as wp


class Part:
    n = 1

    def __init__(self, m=2):
        self.n = 5
        self.m = m

    def value(self):
        return self.n


class Wheel(Part):
    def __init__(self):
        super().__init__(7)

    def value(self):
        return super().value() + 100


class Large(Wheel):
    k = 3


@dataclass
class Size:
    width: int = 1
    height: int = 2


@dataclass
class Box(Size):
    depth: int = 3

    def __post_init__(self):
        self.width += 10


class Doubled(Size):
    def __init__(self, width):
        super().__init__(width=width)
        self.both = width * 2


class Registered:
    known = {}
    tag = 0

    def __init_subclass__(cls, tag=9, **rest):
        super().__init_subclass__(**rest)
        cls.tag = tag
        Registered.known[cls.__name__] = cls


class First(Registered):
    pass


class Second(Registered, tag=4):
    pass


class Scaled:
    def __init__(self):
        self._by = 0

    @property
    def by(self):
        return self._by

    @by.setter
    def by(self, value):
        self._by = value * 2


class Base:
    step = 2

    @classmethod
    def make(cls):
        return cls.step


class Derived(Base):
    step = 3

    @classmethod
    def make(cls):
        return super().make() + 10


class Weighed:
    def __init__(self, weight):
        self.weight = weight

    def __eq__(self, other):
        return self.weight == other.weight


class Top:
    level = 1


class Left(Top):
    pass


class Right(Top):
    level = 3


class Bottom(Left, Right):
    pass


class Code(enum.IntEnum):
    A = 1
    B = 2
    C = 2


@dataclass
class Stock:
    size: int = 1
    items: list = field(default_factory=list)


def letters(words):
    seen = set()
    for word in words:
        seen.add(word)
    return seen


Pair = namedtuple("Pair", "low high")
Other = namedtuple("Other", "a b")


@dataclass
class Late:
    a: int = field(init=False, default=1)
    b: int = 2
    c: int = field(default=3, kw_only=True)
    d: int = 4


@dataclass
class Named:
    a: int = 1
    _: KW_ONLY
    b: int = 2
    more: InitVar[int] = 5

    def __post_init__(self, more):
        self.a += more


@dataclass
class Noted:
    a: int = 1
    note: str = field(default="x", compare=False)

    def __post_init__(self):
        if self.note == "y":
            self.extra = 1


@dataclass(eq=False)
class Single:
    a: int = 1


class Undecorated(Size):
    depth: int = 9


class Ring:
    pass


ring = Ring()
ring.a = ring.b = ring.c = ring
ring.all = [ring, ring]
copied = copy.deepcopy(ring)
size, like = Size(), Size()
scaled = Scaled()
scaled.by = 4
doubled = Doubled(6)
stock = Stock()
shallow, deep = copy.copy(stock), copy.deepcopy(stock)
shallow.size = 9
deep.items.append(5)
PARTS = Wheel().n + 10 * Wheel().m + 1000 * Wheel().value() + Large().value() + Large.k
SIZES = Box().width + 100 * Box().depth + 1000 * (doubled.width + doubled.height + doubled.both)
CLASSES = len(Registered.known) + 10 * First.tag + 100 * Second.tag + 1000 * Derived.make() + 100000 * scaled.by
COPIES = stock.size + 10 * len(stock.items) + 100 * Bottom.level + 1000 * len(Code) + 10000 * shallow.size
EQUAL = (
    (Weighed(1) == Weighed(1), Weighed(1) != Weighed(2), Size() == Size(1, 2), [Size(3)] == [Size(3)])
    + (Size() == Box(), Size() in [Size(4), Size()], {1, 2} == {2, 1}, frozenset([1]) == {1})
    + (letters("ab") == {"b", "a"}, {1, 2} == {1, 3})
)
# `is` holds of one object alone; objects are equal by the fields that are compared, whatever else they have.
SAME = (size is size, size is like, size is not like, size == like, [size] == [like], size in [like], size is None)
ALIKE = (Noted(1) == Noted(1, "y"), Noted(1, "y") == Noted(1), Noted(2) == Noted(1), Single() == Single())
ALIKE += (Undecorated() == Undecorated(), Undecorated() == Size(), {"a": size} == {"a": like})
TUPLES = (Pair(1, 2) == (1, 2), (1, 2) == Pair(1, 2), Pair(1, 2) == Other(1, 2), Pair(1, 2) in [(1, 2)])
TUPLES += (Pair(1, 2) in {(1, 2): 3}, Pair(1, 2) == (1, 3), Pair(1, 2) == [1, 2])
RINGS = (copied is copied.a, copied.a is copied.b, copied.all[0] is copied, copied is ring)
late, named = Late(5, 6), Named(1, b=9)
GIVEN = late.a + 10 * late.b + 100 * late.c + 1000 * late.d + 10000 * named.a + 100000 * named.b
GIVEN_NAMED = Late(5, c=7).c + 10 * Named(1, more=2).a + 100 * Late.a + 1000 * Undecorated(7, 8).height


@wp.kernel
def objects(x: wp.array(dtype=int)):
    x[0] = PARTS
    x[1] = SIZES
    x[2] = CLASSES
    for i in range(10):
        if wp.static(EQUAL[i]):
            x[3 + i] = i
    x[14] = COPIES
    x[13] = wp.static(next(n for n in (3, 4, 5) if n > 3))


@wp.kernel
def equal(x: wp.array(dtype=int)):
    for i in range(7):
        if wp.static(SAME[i]):
            x[i] = 1
        if wp.static(ALIKE[i]):
            x[i] = 2
        if wp.static(TUPLES[i]):
            x[i] = 3
    for i in range(4):
        if wp.static(RINGS[i]):
            x[i] = 4
    x[0] = GIVEN
    x[1] = GIVEN_NAMED
