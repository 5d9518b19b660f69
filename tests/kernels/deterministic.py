"""Deterministic mode: atomics that wait for the launch, and kernels that count first."""

import warp as wp

wp.set_module_options({"deterministic": wp.DeterministicMode.RUN_TO_RUN})


@wp.struct
class Bins:
    count: wp.array(dtype=wp.int32)
    total: wp.array2d(dtype=float)


@wp.struct
class Grid:
    bins: Bins
    _low: wp.array(dtype=wp.vec3)
    scale: float


@wp.kernel
def sums(x: wp.array(dtype=float), where: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(y, where[i], x[i])
    wp.atomic_sub(y, -1, x[i] * 2.0)
    y[i] += x[i]
    y[where[i] + 1] -= 1.0


@wp.kernel
def bounds(p: wp.array(dtype=wp.vec3), low: wp.array(dtype=wp.vec3), high: wp.array(dtype=wp.vec3)):
    v = p[wp.tid()]
    wp.atomic_min(low, 0, v)
    wp.atomic_max(high, 0, v)


@wp.kernel
def dimensions(x: wp.array(dtype=wp.float64), y: wp.array4d(dtype=wp.float64), m: wp.array(dtype=wp.mat33h)):
    i, j = wp.tid()
    wp.atomic_add(y, i, j, 0, -1, x[i])
    wp.atomic_add(y[i], j, 0, 1, x[j])
    row = y[i, j]
    wp.atomic_add(row[0], i, x[0])
    m[i] += wp.mat33h(wp.float16(x[j]))


@wp.kernel
def fields(g: Grid, x: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(g.bins.total, i, 0, x[i] * g.scale)
    wp.atomic_min(g._low, i, wp.vec3(x[i]))
    b = g.bins
    wp.atomic_add(b.total[i], 1, x[0])
    y = x
    x[i] = y[i]


@wp.kernel(module="unique", module_options={"deterministic": wp.DeterministicMode.GPU_TO_GPU}, grid_stride=True)
def counted(keep: wp.array(dtype=int), x: wp.array(dtype=float), n: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    y[0] = 1.0
    if keep[i] == 0:
        return
    slot = wp.atomic_add(n, 0, 1)
    y[slot] = x[i]
    if slot == 3:
        wp.printf("%d\n", slot)


@wp.kernel
def counted_in_rows(n: wp.array2d(dtype=int), y: wp.array2d(dtype=wp.vec3), flags: wp.array(dtype=wp.uint32)):
    i = wp.tid()
    k = int(0)
    for j in range(i):
        k += wp.atomic_add(n[i], j, 2)
    y[i, k].x = 1.0
    wp.atomic_or(flags, i, wp.uint32(1))
    wp.atomic_add(flags, 0, flags[1])


@wp.kernel
def integers(n: wp.array(dtype=int), v: wp.array(dtype=wp.vec3i), u: wp.array(dtype=wp.uint8)):
    i = wp.tid()
    wp.atomic_add(n, i, u.shape[0])
    n[i] += 1
    v[i].x += 2
    v[i] += wp.vec3i(1)
    u[i] += wp.uint8(1)


@wp.kernel
def integers_beside_a_counter(
    n: wp.array(dtype=int), v: wp.array(dtype=wp.vec3i), c: wp.array(dtype=int), m: wp.array(dtype=wp.int64)
):
    i = wp.tid()
    wp.atomic_exch(n, i, 1)
    n[c.shape[0]] -= 1
    v[i].x += 2
    v[n[0]].y = 4
    slot = wp.atomic_add(c, 0, n[0])
    m[slot] |= wp.int64(1)
    wp.atomic_max(m, i, wp.int64(slot))


@wp.func
def put(a: wp.array(dtype=float), i: int, value: float):
    wp.atomic_add(a, i, value)


@wp.func
def put_twice(to: wp.array(dtype=float), b: Bins, i: int):
    put(to, i, b.total[i, 0])
    put(b.total[i], 0, to[i + 1] if i < 0 else 1.0)


@wp.func
def take(n: wp.array(dtype=int)):
    return wp.atomic_add(n, 0, 1)


@wp.func
def take_from(b: Bins, y: wp.array(dtype=float), x: float):
    i = take(b.count)
    y[i] = x
    return i, x


@wp.kernel
def through_functions(a: wp.array(dtype=float), x: wp.array(dtype=float)):
    i = wp.tid()
    put(a, i, x[i])
    f = put
    f(value=x[0], a=a, i=0)


@wp.kernel
def counted_in_functions(g: Grid, y: wp.array(dtype=float), x: wp.array2d(dtype=float)):
    i = wp.tid()
    y[i] = 0.0
    slot, value = take_from(g.bins, y, x[i, 0])
    y[slot] = value


@wp.func
def mean(a: wp.array(dtype=float)):
    return a[0] + a[1]


@wp.kernel
def local_arrays(y: wp.array(dtype=float)):
    a = wp.zeros(shape=(2,), dtype=float)
    a[0] = 1.0
    y[wp.tid()] = mean(a)


@wp.func
def flag(f: wp.array(dtype=int), i: int) -> int:
    return wp.atomic_cas(f, i, 0, 1)


@wp.func
def apply(g: wp.Function, f: wp.array(dtype=int), i: int):
    return g(f, i)


@wp.kernel
def effects_in_functions(f: wp.array(dtype=int), y: wp.array(dtype=int)):
    i = wp.tid()
    y[i] = apply(flag, f, i)


@wp.func
def look(v: wp.array(dtype=wp.vec3), i: int) -> float:
    return v[i].x


@wp.func_grad(look)
def adj_look(v: wp.array(dtype=wp.vec3), i: int, adj_ret: float):
    wp.adjoint[v][i].x += adj_ret
    wp.adjoint[v][i].y -= adj_ret


@wp.func
def look_all(v: wp.array(dtype=wp.vec3), i: int) -> wp.vec3:
    return v[i]


@wp.func_grad(look_all)
def adj_look_all(v: wp.array(dtype=wp.vec3), i: int, adj_ret: wp.vec3):
    wp.adjoint[v][i] += adj_ret
    wp.atomic_sub(wp.adjoint[v], 0, adj_ret)


@wp.func
def look_at_field(g: Grid, i: int) -> float:
    return g._low[i].z


@wp.func_grad(look_at_field)
def adj_look_at_field(g: Grid, i: int, adj_ret: float):
    wp.adjoint[g._low][i].z += adj_ret


@wp.kernel
def gradients(v: wp.array(dtype=wp.vec3), g: Grid, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = look(v, i) + look_all(v, i).y + look_at_field(g, i)


@wp.func
def reserve(n: wp.array(dtype=int), kept: wp.array(dtype=int), i: int):
    slot = wp.atomic_add(n, 0, 1)
    kept[i] = slot
    return slot


@wp.func_replay(reserve)
def replay_reserve(n: wp.array(dtype=int), kept: wp.array(dtype=int), i: int):
    return kept[i]


@wp.kernel
def replayed(n: wp.array(dtype=int), kept: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[reserve(n, kept, i)] = x[i] * x[i]


@wp.kernel
def slices(v: wp.array2d(dtype=wp.vec3), x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    row = v[i]
    odd = row[1::2]
    alias = odd
    alias[0].x = x[i]
    y[i] = row[2].x + v[i, 1].y


@wp.kernel
def tiles(x: wp.array(dtype=float), n: wp.array(dtype=int), y: wp.array(dtype=float), z: wp.array(dtype=float)):
    t = wp.tile_load(x, shape=16)
    wp.tile_store(y, t)
    y[wp.atomic_add(n, 1, 1)] = 1.0
    if x[0] > 1.0e30:
        wp.tile_atomic_add(z, t)


@wp.kernel(enable_backward=False)
def forward_only(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    while i < 4:
        wp.atomic_max(y, i, x[i])
        i += 1


@wp.kernel
def names(a_b: wp.array(dtype=float), a: Grid, __: wp.array(dtype=float), x: wp.indexedarray(dtype=float)):
    i = wp.tid()
    wp.atomic_add(a_b, i, x[i])
    wp.atomic_add(__, i, x[i])


@wp.kernel(module="unique", module_options={"deterministic": wp.DeterministicMode.NOT_GUARANTEED})
def in_any_order(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    wp.atomic_add(y, 0, x[wp.tid()])
