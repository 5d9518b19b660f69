"""Definitions: options of kernels, structs of structs, native functions, references, custom gradients."""

import warp as wp

wp.set_module_options({"block_dim": 1})


@wp.struct
class Inner:
    a: wp.array(dtype=float)
    flag: wp.bool
    n: wp.int8
    v: wp.vec3
    m: wp.mat22d


@wp.struct
class Outer:
    inner: Inner
    items: wp.array(dtype=Inner)
    idx: wp.indexedarray(dtype=float)
    q: wp.quat
    t: wp.transform
    u: wp.uint64


@wp.struct
class Empty:
    pass


@wp.kernel(launch_bounds=128)
def lb1(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = 1.0


@wp.kernel(launch_bounds=(128,))
def lb2(a: wp.array(dtype=float), b: wp.array2d(dtype=float)):
    i = wp.tid()
    a[i] = 1.0


@wp.kernel(launch_bounds=(128, 2), grid_stride=True)
def lb3(a: wp.array(dtype=float), b: wp.array(dtype=wp.vec3), c: wp.indexedarray(dtype=float)):
    i = wp.tid()
    if i > 3:
        return
    a[i] = b[i][0]


@wp.kernel(cuda_max_registers=64, enable_cuda_smem_spilling=True)
def regs(a: wp.array(dtype=float), b: wp.array2d(dtype=float)):
    i = wp.tid()
    for k in range(100):
        a[i] += b[i, k]


@wp.kernel(cluster_dim=2, enable_backward=False)
def cluster(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = 1.0


@wp.kernel
def twod(a: wp.array2d(dtype=float)):
    i, j = wp.tid()
    a[i, j] = 1.0


@wp.kernel
def nothing():
    pass


@wp.kernel
def structs(o: Outer, e: Empty, out: wp.array(dtype=float)):
    i = wp.tid()
    x = Inner()
    x.n = wp.int8(3)
    out[i] = o.inner.a[i] + o.items[i].v[0] + float(o.inner.n)


@wp.func_native("return x * y;", "adj_x += adj_ret * y;", "return x;")
def native(x: float, y: float) -> float: ...


@wp.func_native("""
    p = p + 1.0f;
""")
def native_ref(p: wp.ref[float], var_q: float): ...


@wp.func
def two(x: float, n: int):
    if n > 0:
        return x, n
    return x + 1.0, n


@wp.func
def refs(x: wp.ref[float], a: wp.array(dtype=float)):
    x += a[0]


@wp.func
def three(a: wp.indexedarray(dtype=float), i: int) -> float:
    return a[i]


@wp.func
def grad_me(x: float, y: wp.vec3):
    return x * y


@wp.func_grad(grad_me)
def adj_grad_me(x: float, y: wp.vec3, adj_ret: wp.vec3):
    wp.adjoint[x] += wp.dot(adj_ret, y)


@wp.func
def replayed(x: float, i: int) -> float:
    return x * float(i)


@wp.func_replay(replayed)
def replay_replayed(x: float, i: int):
    return x


@wp.kernel
def funcs(out: wp.array(dtype=float), n: wp.array(dtype=int), v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    x, k = two(out[i], i)
    out[i] = native(x, out[k])
    v[i] = grad_me(x, v[i])
    out[n[0]] = replayed(x, 2)


@wp.kernel(enable_backward=False)
def forward_only(a: wp.indexedarray(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    y = three(a, i)
    native_ref(y, 2.0)
    refs(y, out)
    out[i] = y
    x, k = two(out[i], i)


@wp.kernel
def halfs(a: wp.array(dtype=wp.float16), b: wp.array(dtype=wp.float64), c: wp.array(dtype=wp.vec3h)):
    i = wp.tid()
    a[i] = wp.float16(b[i]) + c[i][1]
