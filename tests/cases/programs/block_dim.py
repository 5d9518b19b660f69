import warp as wp

wp.set_module_options({"block_dim": 4})


@wp.kernel
def block_size(a: wp.array(dtype=int)):
    a[wp.tid()] = wp.block_dim()


@wp.kernel
def block_sums(x: wp.array(dtype=float), sums: wp.array(dtype=float)):
    i = wp.tid()
    value = x[i]
    s = wp.tile_sum(wp.tile(value))
    wp.tile_store(sums, s, offset=i // wp.block_dim())


@wp.kernel
def window(k: int, y: wp.array(dtype=float)):
    t = wp.tile_ones(dtype=float, shape=8, storage="shared")
    wp.tile_store(y, wp.tile_view(t, offset=(k,), shape=(4,)))


@wp.kernel
def halves(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    shape = (2, wp.static(4))
    offset = (i * 2, j * 4)
    wp.tile_store(y, wp.tile_load(x, shape=shape, offset=offset) * 0.5, offset=offset)
