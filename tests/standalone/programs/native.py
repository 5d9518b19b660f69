"""Native snippets are carried as they are."""

import warp as wp


@wp.func_native("x = y * 2.0f;", adj_snippet="adj_y += 2.0f * adj_x; adj_x = 0.0f;")
def store_double(x: wp.ref[wp.float32], y: wp.float32): ...


@wp.func_native("return x * x * 3.0f;", adj_snippet="adj_x += 6.0f * x * adj_ret;")
def thrice_squared(x: float) -> float: ...


@wp.func_native("""
    for (int k = 0; k < 3; k++)
        y[i] += x[i];
    """, adj_snippet="adj_x[i] += 3.0f * adj_y[i];")
def add_thrice(x: wp.array(dtype=float), y: wp.array(dtype=float), i: int): ...


@wp.kernel
def references(x: wp.array(dtype=float), out: wp.array(dtype=float)):  # ends: NOT RUN
    i = wp.tid()
    store_double(out[i], x[i])


@wp.kernel
def values(x: wp.array(dtype=float), out: wp.array(dtype=float)):  # ends: NOT RUN
    i = wp.tid()
    out[i] = thrice_squared(x[i])


@wp.kernel
def arrays(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: NOT RUN
    i = wp.tid()
    add_thrice(x, y, i)
