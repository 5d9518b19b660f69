import warp as wp


@wp.struct
class S:
    a: wp.array(dtype=wp.vec3h)
    b: "S"
    c: wp.types.vector(length=-1, dtype=wp.int8)


@wp.func
def f(s: S, *xs: wp.float64, y: int = "x") -> wp.mat22:
    return f(s.a[None], **{y: s.b}), s.c[1:][0]


@wp.kernel(enable_backward=1.5, module=S)
def k(s: S, t: wp.tile(dtype=S, shape=(3, -4)), q: wp.quat):
    x, (y, *z) = wp.tid()
    for x.y[q] in range(1 << 70, -5, 0):
        s.a[x] += f(s, q, y=s)[::2]
        break
    else:
        q.xyzw @= wp.static([s for s in (f, k) if f(s)])
    del s, q
