# SPDX-License-Identifier: Apache-2.0
# Constants that are structs: numbers stay as they were set, and fields are constants of their types.
import warp as wp
@wp.struct
class I:
    x: wp.float64
    y: float
@wp.struct
class S:
    x: float
    b: wp.bool
    h: wp.uint64
    i: I
    n: int
    f: float
    v: wp.vec2
    l: wp.int64
    d: wp.float64
    g: wp.float16
s = S()
s.x = 3.0
s.b = True
s.h = 123
s.i.x = 2
s.f = 4
s.n = 1
s.l = wp.int64(3)
s.d = wp.float32(3.0)
s.g = 2.5
t = S()
t.b = 1
t.n = True
@wp.kernel
def k(a: wp.array(dtype=float), b: wp.array(dtype=wp.float64)):
    i = wp.tid()
    b[0] = wp.static(s).i.x
    a[1] = wp.static(s).x
    a[2] = wp.static(s).v[1]
    a[3] = wp.static(s).i.y
    a[4] = wp.static(s).f
    a[5] = float(wp.static(t).n)
