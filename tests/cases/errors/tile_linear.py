"""Linear algebra and Fourier transforms on tiles that Warp refuses."""

import warp as wp


@wp.kernel
def sizes(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    a = wp.tile_load(x, shape=(4, 3))
    wp.tile_store(y, wp.tile_matmul(a, a))  # expect error: tile-argument


@wp.kernel
def precision(x: wp.array2d(dtype=wp.float64)):
    a = wp.tile_load(x, shape=(4, 4))
    wp.tile_store(x, wp.tile_matmul(a, a, precision="tf32"))  # expect error: tile-argument


@wp.kernel
def narrow(x: wp.array2d(dtype=wp.bfloat16), y: wp.array2d(dtype=float)):
    a = wp.tile_load(x, shape=(4, 4))
    c = wp.tile_zeros(shape=(4, 4), dtype=float)
    wp.tile_matmul(a, a, c)  # expect error: tile-argument
    wp.tile_store(y, c)


@wp.kernel
def complex_product(x: wp.array2d(dtype=wp.vec2f)):
    a = wp.tile_load(x, shape=(4, 4))
    wp.tile_store(x, wp.tile_matmul(a, a))  # expect error: tile-argument


@wp.kernel
def rectangle(x: wp.array2d(dtype=float)):
    wp.tile_store(x, wp.tile_cholesky(wp.tile_load(x, shape=(4, 3))))  # expect error: tile-argument


@wp.kernel
def half(x: wp.array2d(dtype=wp.float16)):
    wp.tile_store(x, wp.tile_cholesky(wp.tile_load(x, shape=(4, 4))))  # expect error: tile-argument


@wp.kernel
def fill_mode(x: wp.array2d(dtype=float)):
    wp.tile_store(x, wp.tile_cholesky(wp.tile_load(x, shape=(4, 4)), fill_mode="middle"))  # expect error: tile-argument


@wp.kernel
def rows(x: wp.array2d(dtype=float), y: wp.array(dtype=float)):
    a = wp.tile_load(x, shape=(4, 4))
    wp.tile_store(y, wp.tile_lower_solve(a, wp.tile_load(y, shape=3)))  # expect error: tile-argument


@wp.kernel
def odd_size(x: wp.array2d(dtype=wp.vec2f)):
    a = wp.tile_load(x, shape=(4, 300))
    wp.tile_fft(a)  # expect error: tile-argument


@wp.kernel
def few_elements(x: wp.array2d(dtype=wp.vec2f)):
    a = wp.tile_load(x, shape=(4, 128))
    wp.tile_fft(a)  # expect error: tile-argument


@wp.kernel
def shared(x: wp.array2d(dtype=wp.vec2f)):
    a = wp.tile_load(x, shape=(4, 256), storage="shared")
    wp.tile_fft(a)  # expect error: tile-argument


@wp.kernel
def diagonal(x: wp.array2d(dtype=float), y: wp.array(dtype=float)):
    a = wp.tile_load(x, shape=(4, 4))
    wp.tile_store(x, wp.tile_diag_add(a, wp.tile_load(y, shape=3)))  # expect error: tile-argument


@wp.kernel
def of_element(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    wp.tile_store(y, wp.tile(x[wp.tid()]))  # expect error: tile-argument


@wp.kernel
def of_vector(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
    wp.tile_store(y, wp.tile(x[wp.tid()], preserve_type=True))  # expect error: tile-argument


@wp.kernel
def of_component(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=float)):
    wp.tile_store(y, wp.tile(x[wp.tid()][0]))
