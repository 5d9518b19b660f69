"""Kernels that factories, classes and loops define, with what they close over."""
import sys, os, math, itertools
import numpy as np
import warp as wp
import warp.utils

DEVICE = os.environ.get("DEV", "cpu")
N = int(os.environ.get("N", 4)) if False else 4
PREC = {"f32": (wp.float32, wp.vec3f), "f64": (wp.float64, wp.vec3d)}
COEFFS = np.array([1.0, 2.0, 3.0])
R = range(2, 8, 3)
OFFS = list(itertools.product((-1, 0, 1), repeat=2)) if False else [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
WEIGHTS = wp.types.matrix(shape=(3, 3), dtype=wp.float32)(*[float(a * b) for a, b in OFFS])
vecN = wp.types.vector(N, float)
LEVELS = tuple(2 ** k for k in R)
HEX = 0xFF
LONG = 1_000_000
NEGF = -0.5
STR = "x" * 3
NAME = "k_%s_%d" % ("a", N)

for prec, (T, V) in PREC.items():
    @wp.func
    def length_sq(v: V):
        return wp.dot(v, v)

    def _make(T=T, V=V, prec=prec, length_sq=length_sq):
        @wp.kernel(name=f"norm_{prec}")
        def norm(x: wp.array(dtype=V), y: wp.array(dtype=T)):
            i = wp.tid()
            y[i] = wp.sqrt(length_sq(x[i])) + T(HEX) + T(NEGF)
        return norm
    globals()[f"norm_{prec}"] = _make()
    kernels_list = [_make()]

def stencil(radius, weights=None, *, clamp=False, **opts):
    if weights is None:
        weights = [1.0 / (2 * radius + 1)] * (2 * radius + 1)
    taps = len(weights)
    fn = opts.get("fn")
    @wp.kernel(enable_backward=opts.get("backward", True))
    def stencil_kernel(a: wp.array(dtype=float), b: wp.array(dtype=float), n: int):
        i = wp.tid()
        s = float(0.0)
        for t in range(taps):
            j = i + t - radius
            if wp.static(clamp):
                j = wp.clamp(j, 0, n - 1)
            s += a[j] * wp.static(weights[t])
        if wp.static(fn is not None):
            s = fn(s)
        b[i] = s
    return stencil_kernel

@wp.func
def relu(x: float):
    return wp.max(x, 0.0)

blur = stencil(2)

class Model:
    dt = 0.1
    def __init__(self, n=3):
        self.n = n
        self.kernel = self.build()
    def build(self):
        n = self.n
        @wp.kernel
        def model_kernel(x: wp.array(dtype=float)):
            for i in range(n):
                x[i] = x[i] * wp.static(Model.dt)
        return model_kernel

m = Model(5)

@wp.kernel
def table(x: wp.array(dtype=float), sel: int):
    i = wp.tid()
    w = WEIGHTS
    x[i] = w[0, 1] + w[2, 2] + float(LONG)
    for lv in range(wp.static(len(LEVELS))):
        x[i] += float(wp.static(LEVELS[lv]))
    u = vecN()
    u[sel] = x[i]
    x[i] = wp.length(u) + math.pi + wp.static(math.sqrt(2.0)) + wp.static(float(COUNT))

COUNT = 7
