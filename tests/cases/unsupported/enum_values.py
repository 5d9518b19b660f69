# Values of enums that their classes make in ways of their own.
import enum

import warp as wp


class Own(enum.Enum):
    def _generate_next_value_(name, start, count, last_values):
        return 77

    A = enum.auto()


class Base(enum.IntEnum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return 10 * count


class Inherited(Base):
    A = enum.auto()


class Mixed(str, enum.Enum):
    A = "x"
    B = enum.auto()


@wp.kernel
def k(a: wp.array(dtype=int)):
    a[0] = wp.static(Own.A.value)  # expect error: static-unknown


@wp.kernel
def k2(a: wp.array(dtype=int)):
    a[0] = Inherited.A  # expect error: unknown-value


@wp.kernel
def k3(a: wp.array(dtype=int)):
    a[0] = wp.static(1 if Mixed.A == "x" else 2)  # expect error: static-unknown


@wp.kernel
def k4(a: wp.array(dtype=int)):
    a[0] = wp.static(1 if Mixed.A in ("x", "y") else 2)  # expect error: static-unknown


@wp.kernel
def k5(a: wp.array(dtype=int)):
    a[0] = wp.static(1 if Mixed.B.value == 1 else 2)  # expect error: static-unknown
