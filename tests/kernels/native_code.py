"""Native snippets whose C++ is executed: bits of floats, pointers, loops, atomics, Warp's builtins."""

import warp as wp


@wp.func_native("""
uint32_t i = reinterpret_cast<uint32_t&>(f);
uint32_t mask = (uint32_t)(-(int)(i >> 31)) | 0x80000000;
return i ^ mask; // the order of floats
""")
def float_flip(f: float) -> wp.uint32: ...


@wp.func_native("""
uint32_t mask = ((u >> 31) - 1) | 0x80000000;
uint32_t i = u ^ mask;
return *reinterpret_cast<float*>(&i);
""")
def float_back(u: wp.uint32) -> float: ...


@wp.func_native("return 0x7FFFFFFFFFFFFFFFull;")
def sentinel() -> wp.uint64: ...


@wp.func_native("""
return static_cast<int32_t>(packed & 0xFFFFFFFFull);
""")
def unpack(packed: wp.uint64) -> int: ...


@wp.func_native("""
#if defined(__CUDA_ARCH__)
return __popcll((unsigned long long)value);
#else
return __builtin_popcountll((unsigned long long)value);
#endif
""")
def count_bits(value: wp.uint64) -> wp.int32: ...


@wp.func_native("""
#if defined(__CUDA_ARCH__)
return ((int)__ffsll((long long)mask)) - 1;
#else
if (mask == 0) return -1;
int position = 0;
while ((mask & 1LL) == 0LL) { mask >>= 1; position++; }
return position;
#endif
""")
def lowest_set(mask: wp.int64) -> wp.int32: ...


@wp.func_native("""
if (value > 0.0f) {
#if defined(__CUDA_ARCH__)
    atomicMax(reinterpret_cast<int*>(wp::address(values, index)), __float_as_int(value));
#else
    float* address = wp::address(values, index);
    if (value > *address)
        *address = value;
#endif
}
""")
def raise_to(values: wp.array(dtype=wp.float32), index: wp.int32, value: wp.float32): ...


@wp.func_native("""
const wp::vec3 d = q - p;
float sum = 0.0f;
for (int k = 0; k < 3; ++k)
    sum += d[k] * d.c[k];
if (sum <= 1e-6f || wp::dot(d, d) == 0.0f)
    return wp::vec4(-1.0f, 0.0f, 0.0f, 0.0f);
float w[2] = {sum, 0.5f};
w[1] *= w[0];
return wp::vec4(d[0], sum, w[1], p[2] > q[2] ? 1.0f : -1.0f);
""")
def difference(p: wp.vec3, q: wp.vec3) -> wp.vec4: ...


@wp.func_native(
    """
    for (int k = 0; k < x.shape[0]; k += 2) {
        if (k == 6) continue;
        if (k > 8) break;
        y.data[i] += x[k] * (float)(i % 3 + 1);
    }
    """,
    adj_snippet="""
    for (int k = 0; k < x.shape[0]; k += 2) {
        if (k == 6) continue;
        if (k > 8) break;
        adj_x[k] += adj_y[i] * (float)(i % 3 + 1);
    }
    """,
)
def add_even(x: wp.array(dtype=float), y: wp.array(dtype=float), i: int): ...


@wp.func_native("return x * y;", "adj_x += adj_ret * y; adj_y += adj_ret * x;", "return x * y;")
def product(x: float, y: float) -> float: ...


@wp.func_native("x = y * 2.0f;", adj_snippet="adj_y += 2.0f * adj_x; adj_x = 0.0f;")
def set_double(x: wp.ref[wp.float32], y: wp.float32): ...


@wp.struct
class Table:
    start: wp.array(dtype=int)
    values: wp.array2d(dtype=float)
    scale: float
    axis: wp.vec3


@wp.func_native("""
float w[3] = {t.scale};
wp::vec3 sum; // zero
wp::mat22 turn(0.0f, -1.0f, 1.0f, 0.0f);
const int columns = t.values.shape[1];
for (int k = t.start.data[row]; k < t.start.data[row + 1]; ++k) {
    const float& x = t.values.data[row * columns + k];
    w[k % 3] += x;
    sum += x * t.axis;
}
float* at = &w[2];
at[-1] -= *at;
uint32_t word;
memcpy(&word, &sum, sizeof(word));
if (word == 0u && !(at == nullptr)) *at = -0.0f;
const wp::vec2 turned = wp::mul(2.0f * turn, wp::vec2(w[0], w[1])) / 3.0f;
return wp::vec4(turned[0], turned[1], w[2], sum[1]);
""")
def table_row(t: Table, row: int) -> wp.vec4: ...


@wp.func_native("""
const double whole = sqrt((double)x) + wp::abs(-2.0);
float y = x - 0.125f, z = wp::max(x, 0.5f) - wp::min(x, y);
y = z = y + (float)whole;
return y * z + (sizeof(x) + sizeof(y) > 7 ? 0.25f : 1e-3f);
""")
def scalars(x: float) -> float: ...


@wp.kernel(enable_backward=False)
def structs(t: Table, out: wp.array(dtype=wp.vec4)):
    i = wp.tid()
    out[i] = table_row(t, i)


@wp.kernel(enable_backward=False)
def numbers(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = scalars(wp.abs(x[i]))


@wp.kernel
def bits(x: wp.array(dtype=float), u: wp.array(dtype=wp.uint32), back: wp.array(dtype=float)):
    i = wp.tid()
    u[i] = float_flip(x[i])
    back[i] = float_back(u[i])


@wp.kernel
def integers(a: wp.array(dtype=wp.uint64), s: wp.array(dtype=wp.int64), out: wp.array(dtype=int), most: wp.array(dtype=wp.uint64)):
    i = wp.tid()
    out[i] = unpack(a[i]) + count_bits(a[i]) + lowest_set(s[i])
    most[i] = sentinel()


@wp.kernel(enable_backward=False)
def atomics(x: wp.array(dtype=float), most: wp.array(dtype=float)):
    i = wp.tid()
    raise_to(most, i % 2, x[i])


@wp.kernel(enable_backward=False)
def vectors(p: wp.array(dtype=wp.vec3), q: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec4)):
    i = wp.tid()
    out[i] = difference(p[i], q[i])


@wp.kernel
def gradients(x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    add_even(x, y, i)
    z[i] = product(x[i], 3.0) + product(2.0, x[i])


@wp.kernel(enable_backward=False)
def by_reference(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    set_double(out[i], x[i])
