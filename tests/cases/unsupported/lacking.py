# Builtins that weft does not have yet are no misspellings.
import warp as wp


@wp.kernel
def product(x: wp.array2d(dtype=float)):
    a = wp.tile_load(x, shape=(4, 4))
    b = wp.tile_matmul(a, a)  # expect error: not-yet
    wp.tile_store(x, b)


@wp.kernel
def transform(x: wp.array2d(dtype=wp.vec2f)):
    a = wp.tile_load(x, shape=(4, 4))
    wp.tile_fft(a)  # expect error: not-yet
