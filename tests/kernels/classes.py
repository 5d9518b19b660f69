"""Types and numbers that are classes: subclasses of vectors and matrices, enumerations."""

import enum

import warp as wp


class vec5f(wp.types.vector(length=5, dtype=float)):
    """five"""


vec5 = vec5f


class mat23(wp.types.matrix(shape=(2, 3), dtype=float)):
    pass


class Kind(enum.IntEnum):
    """Kinds."""
    A = 1
    B = 2


@wp.kernel
def k(a: wp.array(dtype=vec5), b: wp.array[vec5f], c: mat23, n: int):
    i = wp.tid()
    x = vec5(1.0, 2.0, 3.0, 4.0, 5.0)
    a[i] = b[i] + x + vec5f()
    m = mat23()
    if n == Kind.A or n == int(Kind.B):
        a[i][0] = c[0, 1] + m[0, 0]


class Choice(enum.IntEnum):
    A = 0
    B = 3

    @staticmethod
    @wp.func
    def pick(x: int) -> int:
        if x > 1:
            return int(Choice.B)
        return int(Choice.A)

    @classmethod
    def other(cls):
        return 1

    @property
    def twice(self):
        return 2 * self.value


class Tools:
    LIMIT = 4

    @staticmethod
    @wp.func
    def clip(x: int) -> int:
        return wp.min(x, Tools.LIMIT)


@wp.kernel
def static_methods(a: wp.array(dtype=int)):
    i = wp.tid()
    a[i] = Choice.pick(a[i]) + Tools.clip(i)
