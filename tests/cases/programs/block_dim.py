import warp as wp

wp.set_module_options({"block_dim": 4})


@wp.kernel
def block_size(a: wp.array(dtype=int)):
    a[wp.tid()] = wp.block_dim()


@wp.kernel
def block_sums(x: wp.array(dtype=float), sums: wp.array(dtype=float)):
    i = wp.tid()
    s = wp.tile_sum(wp.tile(x[i]))
    wp.tile_store(sums, s, offset=i // wp.block_dim())


@wp.kernel
def window(k: int, y: wp.array(dtype=float)):
    t = wp.tile_ones(dtype=float, shape=8, storage="shared")
    wp.tile_store(y, wp.tile_view(t, offset=(k,), shape=(4,)))
