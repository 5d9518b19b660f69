# Enums: numbers that their bodies make of earlier members, flags, and members that wp.static gets.
import enum

import warp as wp


class Mode(enum.IntEnum):
    SLOW = 1
    FAST = 2


class Flags(enum.IntFlag):
    A = enum.auto()
    B = enum.auto()
    BOTH = A | B
    C = enum.auto()


class Kind(enum.Enum):
    X = 5
    Y = 6


mode = Mode.FAST
some = Flags.A | Flags.C
total = sum(Mode)


@wp.kernel
def flags(a: wp.array(dtype=int)):
    a[0] = Flags.BOTH
    a[1] = Flags.C
    if a[2] & Flags.B:
        a[2] = Flags.B | Flags.A
    a[3] = wp.static(1 if Flags.A in some else 2)
    a[4] = wp.static(1 if Flags.BOTH in some else 2)
    a[5] = wp.static(int(~Flags.A & Flags.BOTH))


@wp.kernel
def members(a: wp.array(dtype=int)):
    a[0] = wp.static(mode)
    a[1] = Mode.SLOW + total
    if wp.static(mode == Mode.SLOW):
        a[2] = 1
    if wp.static(mode is Mode.FAST):
        a[3] = wp.static(Kind.Y.value)


def make(kind):
    @wp.kernel(name=f"of_{kind.name.lower()}")
    def k(a: wp.array(dtype=int)):
        a[0] = wp.static(kind.value)

    return k


made = [make(kind) for kind in (*Kind, Kind(5), Kind["Y"])]


class Name(enum.StrEnum):
    First = enum.auto()
    SECOND = enum.auto()
    THIRD = "3rd"


class Number(int, enum.Enum):
    A = enum.auto()
    B = enum.auto()


class Mixed(str, enum.Enum):
    A = "x"
    B = "y"


first = 1 if Name.First == "first" else 2


@wp.func_native(f"/* {Name.First} {Name.SECOND} {Name.THIRD} */ return x;")
def named(x: float) -> float: ...


@wp.kernel
def strings(a: wp.array(dtype=float), b: wp.array(dtype=int)):
    a[0] = named(a[1])
    b[0] = first
    b[1] = wp.static(Number.B.value)
    b[2] = wp.static(1 if Mixed.A == Mixed.B else 2)
    b[3] = wp.static(1 if Mixed.A in (Mixed.B, None) else 2)
    b[4] = wp.static(1 if Mixed.A.value == "x" else 2)
