# Linear algebra and Fourier transforms on tiles, in all forms: the text without MathDx.
import warp as wp

N = 4


@wp.kernel
def product(a: wp.array2d[float], b: wp.array2d[float], c: wp.array2d[float], scale: float):
    i, j = wp.tid()
    acc = wp.tile_zeros(shape=(8, 4), dtype=float)
    for k in range(0, 12, 3):
        x = wp.tile_load(a, shape=(8, 3), offset=(i * 8, k))
        y = wp.tile_load(b, shape=(3, 4), offset=(k, j * 4))
        wp.tile_matmul(x, y, acc, alpha=scale, beta=0.5)
    wp.tile_store(c, acc, offset=(i * 8, j * 4))


@wp.kernel
def gram(a: wp.array2d[wp.float64], c: wp.array2d[wp.float64]):
    x = wp.tile_load(a, shape=(4, 3), storage="shared")
    t = wp.tile_transpose(x)
    wp.tile_store(c, wp.tile_matmul(x, t) + wp.tile_matmul(x, t, alpha=wp.float64(2.0)))
    wp.tile_store(c, wp.tile_transpose(wp.tile_matmul(t, x)))


@wp.kernel
def mixed(a: wp.array2d[wp.float16], b: wp.array2d[float], c: wp.array2d[wp.float64]):
    x = wp.tile_load(a, shape=(2, 2))
    y = wp.tile_load(b, shape=(2, 2))
    z = wp.tile_load(c, shape=(2, 2))
    wp.tile_matmul(x, y, out=z)
    wp.tile_store(c, z)


@wp.kernel(module_options={"enable_backward": False}, module="unique")
def narrow(a: wp.array2d[wp.bfloat16], b: wp.array2d[wp.bfloat16], c: wp.array2d[float]):
    z = wp.tile_zeros(shape=(2, 2), dtype=float)
    wp.tile_matmul(wp.tile_load(a, shape=(2, 2)), wp.tile_load(b, shape=(2, 2)), z)
    wp.tile_store(c, z)


@wp.kernel
def tensor_cores(a: wp.array2d[float], c: wp.array2d[float]):
    x = wp.tile_load(a, shape=(N, N))
    y = wp.tile_matmul(x, x, precision="tf32")
    wp.tile_matmul(x, y, y, 1.0, 0.0, "default")
    wp.tile_store(c, y)


@wp.kernel
def factor(a: wp.array2d[float], b: wp.array1d[float], c: wp.array2d[float], d: wp.array1d[float]):
    x = wp.tile_load(a, shape=(4, 4))
    y = wp.tile_load(b, shape=4)
    e = wp.tile_diag_add(x, y)
    low = wp.tile_cholesky(e)
    wp.tile_store(d, wp.tile_cholesky_solve(low, y))
    up = wp.tile_cholesky(e, fill_mode="upper")
    wp.tile_store(d, wp.tile_cholesky_solve(up, y, fill_mode="upper"))
    wp.tile_cholesky_inplace(x, fill_mode="upper")
    wp.tile_cholesky_solve_inplace(x, y, fill_mode="upper")
    wp.tile_store(c, x)
    wp.tile_store(d, y)


@wp.kernel
def triangles(a: wp.array2d[wp.float64], b: wp.array2d[wp.float64], d: wp.array2d[wp.float64]):
    x = wp.tile_load(a, shape=(4, 4))
    y = wp.tile_load(b, shape=(4, 2))
    z = wp.tile_lower_solve(x, y)
    u = wp.tile_upper_solve(wp.tile_transpose(x), z)
    wp.tile_lower_solve_inplace(x, u)
    wp.tile_upper_solve_inplace(x, u)
    wp.tile_cholesky_inplace(x)
    wp.tile_store(d, u)


@wp.kernel
def spectrum(a: wp.array2d[wp.vec2f], b: wp.array2d[wp.vec2f]):
    x = wp.tile_load(a, shape=(4, 512))
    wp.tile_fft(x)
    wp.tile_ifft(x)
    wp.tile_store(b, x)


@wp.kernel(module_options={"block_dim": 32}, module="unique")
def small_blocks(a: wp.array3d[wp.vec2d], b: wp.array3d[wp.vec2d]):
    x = wp.tile_load(a, shape=(2, 3, 64))
    wp.tile_fft(x)
    wp.tile_store(b, x)


@wp.kernel(module_options={"block_dim": 1}, module="unique")
def one_thread(a: wp.array2d[wp.vec2d], b: wp.array2d[wp.vec2d]):
    x = wp.tile_load(a, shape=(1, 15))
    wp.tile_ifft(x)
    wp.tile_store(b, x)
