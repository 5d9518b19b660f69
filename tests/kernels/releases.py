"""Loops that releases of Warp write differently: base/warp_rule.def."""
import warp as wp


@wp.kernel
def with_continue(a: wp.array(dtype=float)):
    for j in range(3):
        if a[j] < 0.0:
            continue
        a[j] = 1.0


@wp.kernel
def just_above_the_limit(a: wp.array(dtype=float)):
    s = float(0.0)
    for j in range(0, 33, 2):
        s += a[j]
    a[0] = s


@wp.kernel
def empty_and_long(a: wp.array(dtype=float)):
    for j in range(20, 0):
        a[j] = 2.0
    a[0] = 1.0


@wp.kernel
def loops_in_a_loop(a: wp.array(dtype=float), n: int):
    s = float(0.0)
    for i in range(n):
        for j in range(n):
            s += a[j] * a[i]
        for k in range(20):
            s += a[k]
    a[0] = s


@wp.struct
class Part:
    pos: wp.vec3
    turn: wp.quat
    size: wp.mat22
    ids: wp.array(dtype=float)


@wp.kernel
def parts_stored(ps: wp.array(dtype=Part), ms: wp.array2d(dtype=wp.mat22), ts: wp.array(dtype=wp.transform), x: wp.array(dtype=float)):
    i = wp.tid()
    ps[i].pos.x = x[i]
    ps[i].pos[i + 1] = 2.0
    ps[i].turn.w = x[i + 1]
    ms[i, i + 1][0, i] = x[i]
    ms[i][1][i][1] = 3.0
    ts[i].p = wp.vec3(x[i])
    ts[i][3] = x[i]


@wp.kernel
def parts_changed(ps: wp.array(dtype=Part), vs: wp.array(dtype=wp.vec3), x: wp.array(dtype=float), at: wp.array(dtype=int)):
    i = wp.tid()
    ps[i].pos.x += x[i]
    vs[at[i]][1] -= x[i + 1]
    vs[at[i]] += wp.vec3(x[i], 1.0, 2.0)
    x[at[i]] += x[at[i + 1]]
    x[i] = x[at[i]]


@wp.kernel
def descriptors_stored(ps: wp.array(dtype=Part), x: wp.array(dtype=float), at: wp.array2d(dtype=int)):
    i = wp.tid()
    ps[i].ids[at[i, 0]] = x[i]
    row = at[i]
    row[row[0]] = 1


@wp.kernel
def changed_without_atomics(a: wp.array(dtype=wp.vec3), b: wp.array(dtype=wp.int16), n: wp.array(dtype=wp.vec3i)):
    i = wp.tid()
    v = a[i]
    v[1] += 2.0
    a[i] = v
    b[i] += wp.int16(1)
    n[i][0] *= 2


@wp.func
def scaled(x: float, by: wp.array(dtype=float)):
    return x * by[0]


@wp.func_grad(scaled)
def adj_scaled(x: float, by: wp.array(dtype=float), adj_ret: float):
    wp.adjoint[x] += adj_ret * by[0]
    wp.adjoint[by][0] += adj_ret * x


@wp.kernel
def own_gradient(a: wp.array(dtype=float)):
    a[1] = scaled(a[0], a)


@wp.kernel(enable_backward=False)
def only_forward(a: wp.array(dtype=float)):
    a[1] = scaled(a[0], a) + twice(a[1])


@wp.func
def twice(x: float):
    return 2.0 * x


@wp.kernel
def tiles(a: wp.array(dtype=float)):
    t = wp.tile_arange(0, 16, 2, dtype=int)
    u = wp.tile_arange(8)
    v = wp.tile_full(8, 3, dtype=int)
    w = wp.tile_reduce(wp.max, wp.tile_load(wp.array(ptr=a.ptr, shape=(8, 4), dtype=float), shape=(8, 4)), axis=1)
    wp.tile_store(a, wp.tile_map(wp.mul, u, w))


@wp.struct
class Weights:
    w: wp.array(dtype=float)


@wp.func
def weighted(s: Weights, x: float):
    return s.w[0] * x


@wp.func_grad(weighted)
def adj_weighted(s: Weights, x: float, adj_ret: float):
    wp.adjoint[s.w][0] += adj_ret * x


@wp.kernel
def gradient_of_a_field(s: Weights, ss: wp.array(dtype=Weights), a: wp.array(dtype=float)):
    a[0] = weighted(s, a[1]) + weighted(ss[1], a[2])


@wp.kernel(module="unique", module_options={"enable_backward": False}, enable_backward=True)
def backward_by_itself(a: wp.array(dtype=float)):
    a[0] = twice(a[1])


@wp.kernel
def random_tile(a: wp.array(dtype=float)):
    rng = wp.rand_init(1)
    wp.tile_store(a, wp.tile_randf(8, rng, -1.0, 1.0e-9))
