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
def references(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    store_double(out[i], x[i])


@wp.kernel
def values(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = thrice_squared(x[i])


@wp.kernel
def arrays(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    add_thrice(x, y, i)


@wp.func_native("""
const int start = index;
wp::float32 old = values.data[start];
if (value > old) {
#if defined(__CUDA_ARCH__)
    atomicMax(reinterpret_cast<int*>(wp::address(values, (index))), __float_as_int(value));
#else
    float* address = wp::address(values, index);
    if (value > *address)
        *address = value;
#endif
}
""")
def raise_to(values: wp.array(dtype=wp.float32), index: wp.int32, value: wp.float32): ...


@wp.kernel
def words_of_warp(x: wp.array(dtype=float), most: wp.array(dtype=float)):  # forward
    i = wp.tid()
    raise_to(most, i % 2, wp.abs(x[i]))
