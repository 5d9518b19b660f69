"""`size` and its kin of arrays, fixed arrays and tiles: constants of the type, 0 for a parameter."""

import warp as wp


@wp.func
def one_more(n: int):
    return n + 1


@wp.kernel
def of_a_parameter(a: wp.array2d(dtype=float), b: wp.indexedarray(dtype=float), out: wp.array(dtype=float)):
    out[0] = float(a.size) + float(b.size)
    out[1] = float(a.capacity + 1)
    for i in range(a.size):
        out[i] = 1.0
    out[2] = float(a.is_contiguous) + float(int(b.is_contiguous))
    out[3] = float(a.requires_grad) + float(a.is_transposed)


@wp.kernel
def of_a_fixed_array(out: wp.array(dtype=float)):
    f = wp.zeros(shape=4, dtype=float)
    for i in range(f.size):
        f[i] = float(i)
    for i in range(f.size):
        out[i] = f[f.size - 1] + f[i]
    g = wp.zeros(shape=(2, 3), dtype=wp.vec3)
    out[4] = float(g.size)


@wp.kernel
def in_calls(v: wp.vec3, a: wp.array2d(dtype=float), out: wp.array(dtype=int)):
    f = wp.zeros(shape=4, dtype=float)
    n = int(0)
    n += f.size
    n += v.length
    n -= a.ndim
    out[0] = n
    out[1] = one_more(f.size) + one_more(n=a.ndim) + wp.min(f.size, 3)


@wp.kernel
def of_a_tile(out: wp.array(dtype=float)):
    t = wp.tile_zeros(shape=(4, 3), dtype=float)
    out[0] = float(t.size)
    u = wp.tile_zeros(shape=t.shape, dtype=float)
    w = wp.tile_zeros(shape=t.strides, dtype=float)
    out[1] = float(u.size + w.size)
