import warp as wp


@wp.kernel
def first(x: wp.array2d(dtype=float), o: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=(1, 8), offset=(i, 0))
    o[i] = wp.tile_extract(t, 0, 3)


@wp.kernel
def second(x: wp.array2d(dtype=float), o: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=(1, 8), offset=(i, 0))
    o[i] = wp.tile_extract(t, 0, 3) * 3.0
