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
def words_of_warp(x: wp.array(dtype=float), most: wp.array(dtype=float)):
    i = wp.tid()
    raise_to(most, i % 2, wp.abs(x[i]))


@wp.func_native("""
    const wp::vec3 d = q - p; // a wp::vec3
    float sum = 0.0f, length = wp::length(d);
    for (int k = 0; k < 3; ++k)
        sum += d[k] * d.c[k];
    if (sum <= 1e-6f || wp::dot(d, d) == 0.0f)
        return wp::vec4(-1.0f, 0.0f, 0.0f, 0.0f);
    float w[2] = {length, 0.5f};
    w[1] *= w[0];
    return wp::vec4(d[0], sum, w[1], p[2] > q[2] ? 1.0f : -1.0f);
    """)
def difference(p: wp.vec3, q: wp.vec3) -> wp.vec4: ...


# Without a text for the backward pass the function's own gradient is nothing.
@wp.kernel
def vectors(p: wp.array(dtype=wp.vec3), q: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec4)):
    i = wp.tid()
    out[i] = difference(p[i], q[i])


@wp.struct
class Table:
    values: wp.array2d(dtype=float)
    axis: wp.vec3


@wp.func_native("""
    wp::vec3 sum; // zero
    wp::mat22 turn(0.0f, -1.0f, 1.0f, 0.0f);
    for (int k = 0; k < n; ++k) {
        const float& x = t.values.data[row * n + k];
        sum += x * t.axis;
    }
    sum -= t.axis;
    const wp::vec2 turned = wp::mul(2.0f * turn, wp::vec2(sum[0], sum[1])) / 3.0f;
    return wp::vec4(turned[0], turned[1], turn.data[1][0], sum[1]);
    """)
def table_row(t: Table, row: int, n: int) -> wp.vec4: ...


@wp.kernel
def matrices(t: Table, n: int, out: wp.array(dtype=wp.vec4)):  # forward
    i = wp.tid()
    out[i] = table_row(t, i, n)


@wp.func_native("""
    const double whole = sqrt((double)x) + wp::abs(-2.0);
    float y = x - 0.125f, z = wp::max(x, 0.5f) - wp::min(x, y);
    y = z = y + (float)wp::int64(whole * 8.0);
    return y * z;
    """)
def of_scalars(x: float) -> float: ...


@wp.kernel
def scalars_of_warp(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = of_scalars(wp.abs(x[i]))


@wp.func_native("""
    float s = 0.0f;
    for (int k = 0; k < x.shape[1]; ++k)
        s += x.data[i * x.shape[1] + k];
    const wp::vec_t<3, wp::float32> n = wp::normalize(wp::cross(v, wp::vec3(1.0f, s, 0.5f)));
    return s + wp::length(n + v) + wp::length_sq(wp::sub(n, v)) + wp::quat_rotate(q, -n)[1];
    """)
def of_rows(x: wp.array2d(dtype=float), q: wp.quat, v: wp.vec3, i: int) -> float: ...


@wp.kernel
def rows_of_data(x: wp.array2d(dtype=float), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):  # forward
    i = wp.tid()
    out[i] = of_rows(x, wp.quat(0.0, 0.6, 0.0, 0.8), v[i], i)


@wp.func_native("return (uint64_t)x.data;")
def address_of(x: wp.array(dtype=int)) -> wp.uint64: ...


@wp.kernel
def addresses(x: wp.array(dtype=int), there: wp.array(dtype=bool)):  # ends: NOT RUN
    i = wp.tid()
    there[i] = address_of(x) != wp.uint64(0)


# With so many variables the array takes room that the run before has given back.
@wp.func_native("""
    wp::vec3 d = x - y;
    float dist = wp::length(d);
    if (dist > 0.0f) {
        to[i] = wp::normalize(d) * wp::sqrt(dist) + -d;
    } else {
        to[i] = wp::vec3();
    }
    wp::vec3 z(1.0f);
    to[i] += z * 0.5f;
    z[1] = dist;
    to[i] = to[i] - z / 2.0f;
    """, adj_snippet="""
    wp::vec3 g = adj_to[i];
    adj_x += g * 2.0f;
    adj_y += wp::cross(g, x);
    """)
def pull(x: wp.vec3, y: wp.vec3, to: wp.array(dtype=wp.vec3), i: int): ...


@wp.kernel
def pulled(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3), o: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    pull(x[i], y[i], o, i)


@wp.func_native("""
    wp::vec2d a(x, 2.0 * x);
    wp::spatial_vector s = wp::spatial_vector(wp::vec3(1.0f, 2.0f, 3.0f), wp::vec3(0.5f));
    return (float)(wp::dot(a, a) + a[1]) + s[4] + wp::floor(1.5f) + (float)wp::sign(-2);
    """)
def of_doubles(x: wp.float64) -> float: ...


@wp.kernel
def doubles(x: wp.array(dtype=wp.float64), o: wp.array(dtype=float)):
    i = wp.tid()
    o[i] = of_doubles(x[i])


# What is not executed is built all the same.
@wp.func_native("""
    const float dot = x * 2.0f;
    auto f = [&](wp::vec3 a, const wp::vec3& b) { return a == b ? wp::dot(a, b) * dot : 0.0f; };
    wp::vec3 p = {1.0f, x, 2.0f};
    return f(p, p);
    """)
def of_lambdas(x: float) -> float: ...


@wp.kernel
def lambdas(x: wp.array(dtype=float), o: wp.array(dtype=float)):  # ends: NOT RUN
    i = wp.tid()
    o[i] = of_lambdas(x[i])


# Words of numbers that are no calls: of two words, and of std; and digits apart.
@wp.func_native("""
    std::uint32_t whole = (std::uint32_t)(x * 2.0f);
    unsigned int more = whole + unsigned(x);
    return float(more) - float(1'000) * wp::abs(x);
""")
def words_of_numbers(x: float) -> float: ...


@wp.kernel
def numbers(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: PASS (forward)
    i = wp.tid()
    y[i] = words_of_numbers(2.0 * wp.abs(x[i]) + 1.0) - 3.0 * x[i]


# weft does not execute structs of a snippet's own, but the program builds.
@wp.func_native("""
    struct Half { float of; operator float() const { return 0.5f * of; } };
    return float(Half{x});
""")
def half_of(x: float) -> float: ...


@wp.kernel
def halves(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # ends: NOT RUN
    i = wp.tid()
    y[i] = half_of(x[i])
