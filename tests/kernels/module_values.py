"""Module-level values that kernels refer to: constants, tables, enums, classes, a package's names."""
import functools
import math
from enum import IntEnum, IntFlag, auto
import numpy as np
import warp
import warp as wp
from warp import vec3, mat33 as M3
from warp.types import vector
import pack.values as pkg
from pack.values import DT, GRAVITY, NMAX, helpers as H
from pack.values.helpers import clamp01, Hit

vec5 = vector(length=5, dtype=float)
mat23 = wp.types.matrix(shape=(2, 3), dtype=wp.float64)
Array = wp.array
SCALE = 2
EPS = 1e-6
BIG = 1 << 20
NEG = -SCALE
TAU = np.pi * 2
F64 = wp.float64(0.1)
LENGTHS = wp.vec3d(math.hypot(17.0, 27.0), math.hypot(0.3, 0.5), math.hypot(11.0, 261.0))  # rounded by CPython, not libm
U8 = wp.uint8(200)
TABLE = [1.0, 2.5, 4.0]
NAMES = {"a": 3, "b": 4}
ID = wp.mat33(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
Q = wp.quat(0.0, 0.0, 0.0, 1.0)
IV = wp.vec3i(1, 2, 3)
TF = wp.transform((1.0, 2.0, 3.0), wp.quat_identity())

class Mode(IntEnum):
    FAST = 0
    SLOW = auto()
    OTHER = 10

class Flags(IntFlag):
    A = 1
    B = 2
    AB = A | B

class Cfg:
    n = 4
    eps = 0.5
    class Inner:
        k = 7

@wp.struct
class State:
    pos: wp.array(dtype=vec3)
    hit: Hit
    m: mat23
    v: vec5
    mode: int

@wp.kernel
def consts(out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = DT + float(NMAX) * HALFX + EPS + TAU + float(NEG) + float(BIG)
    out[i] = out[i] + GRAVITY[1] + ID[0, 0] + Q[3] + float(IV[1])
    if i == Mode.SLOW:
        out[i] = 1.0
    if i == Flags.AB:
        out[i] = Cfg.eps * float(Cfg.n + Cfg.Inner.k)
    out[i] = out[i] + pkg.DT + pkg.consts.HALF

HALFX = 0.5

@wp.kernel
def scalars(out: Array(dtype=wp.float64), b: wp.array[wp.uint8]):
    i = wp.tid()
    out[i] = F64 * wp.float64(2.0)
    b[i] = U8 + wp.uint8(1)

@wp.kernel
def statics(out: wp.array(dtype=float)):
    for k in range(3):
        out[k] = wp.static(TABLE[k] * 2.0)
    out[3] = wp.static(sum(TABLE)) + wp.static(float(NAMES["a"] + len(TABLE)))
    out[4] = wp.static(max(TABLE) if SCALE > 1 else min(TABLE))

@wp.kernel
def structs(s: State, out: wp.array(dtype=vec3)):
    i = wp.tid()
    h = Hit()
    h.t = clamp01(s.v[2])
    h.n = H.lerp3(s.pos[i], GRAVITY, h.t)
    if s.hit.ok and s.mode == Mode.OTHER:
        h.n = warp.normalize(h.n) * float(s.m[1, 2])
    out[i] = h.n

@wp.func
def op(x: float, y: float = 2.0, *, z: float = 3.0):
    return x * y + z

@wp.func
def op(x: int):
    return x + 1

@wp.kernel(enable_backward=False)
def calls(out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = op(1.0) + op(1.0, 3.0) + op(x=2.0, y=1.0) + float(op(i))

def make_kernel(n, f, dtype=float):
    scale = n * 2
    @wp.func
    def inner(x: dtype):
        return f(x) * dtype(scale)
    @wp.kernel
    def kern(a: wp.array(dtype=dtype)):
        i = wp.tid()
        for j in range(n):
            a[i] = inner(a[i]) + dtype(j)
    return kern

@wp.func
def sq(x: float):
    return x * x
@wp.func
def cube(x: float):
    return x * x * x

kernels = {name: make_kernel(n, f) for name, n, f in [("sq", 2, sq), ("cube", 3, cube)]}

def unrelated(x):
    return [i for i in range(x)]

L = [unrelated(i)[-1] for i in range(1, 4)]
def compose(*fs):
    return functools.reduce(lambda f, g: g, fs)

@wp.kernel
def lists(out: wp.array(dtype=int)):
    out[0] = wp.static(L[2]) + wp.static(len(L))

if __name__ == "__main__":
    SCALE = 99

for _dt in (wp.float32, wp.float64):
    @wp.kernel(name=f"axpy_{_dt.__name__}")
    def axpy(a: _dt, x: wp.array(dtype=_dt), y: wp.array(dtype=_dt)):
        i = wp.tid()
        y[i] = a * x[i] + y[i]

class Solver:
    ALPHA = 0.25
    @wp.func
    def f(x: float):
        return x * 0.5
    @staticmethod
    @wp.func
    def g(x: float):
        return x * 0.25
    @wp.kernel
    def step(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = Solver.f(x[i]) * Solver.ALPHA

@wp.kernel
def after(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = Solver.f(x[i]) + Solver.g(x[i])
    v = vec5()
    v[0] = x[i]
    m = M3(1.0)
    w = vec3(1.0, 2.0, 3.0)
    x[i] = wp.dot(w, m * w) + v[0]

# Python's rules on containers and large integers, which constants are computed with.
PARITY = {n % 2: n for n in range(6)}
JOINED = dict([("x", 1), ("y", 2)], x=3)
SAME = {"a": 1, "b": 2} == {"b": 2, "a": 1}
DISTINCT = len({n % 3 for n in range(9)}) + len({1, 1.0, True, 2}) + len(set(list(range(3000)) * 2))
LABEL = len(f"{'é':5}")
EVERY = (1, 2, 3)[::None]
BACKWARD = 7 if range(3, 1) else 8

@wp.kernel
def computed(out: wp.array(dtype=int)):
    out[0] = wp.static(PARITY[0] + 10 * len(PARITY) + 100 * JOINED["x"])
    out[1] = wp.static(int(SAME) + 10 * DISTINCT + 100000 * LABEL)
    out[2] = wp.static(EVERY[2] + 10 * BACKWARD)


@wp.kernel
def lengths(out: wp.array(dtype=wp.vec3d)):
    out[wp.tid()] = LENGTHS


# Python calls a function of kernels, more than once.
@wp.func
def doubled(x: float):
    return 2.0 * x


DOUBLED = doubled(1.5) + doubled(0.25) + sum(doubled(float(i)) for i in range(5))


@wp.kernel
def of_a_function(y: wp.array(dtype=float)):
    y[wp.tid()] = DOUBLED
