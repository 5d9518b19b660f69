# A function of tiles. Warp 1.19's own text of it does not compile: tile_matmul wants shared memory,
# and the kernel has x in registers.
import warp as wp


@wp.func
def squared(x: wp.tile(dtype=float, shape=(4, 4))):
    return wp.tile_matmul(x, x)


@wp.kernel
def in_function(a: wp.array2d[float], b: wp.array2d[float]):
    x = wp.tile_load(a, shape=(4, 4))
    if a[0, 0] > 0.0:
        wp.tile_store(b, squared(x))
