import warp as wp

N = wp.constant(1 << 63)
M = [[0] * 7] * 5
F = float("nan") // (N % -7 or 1)


@wp.kernel
def k(a: wp.array4d(dtype=wp.uint8)):
    v = wp.types.vector(length=N, dtype=float)(F)
    for i in range(M[-6][0], len(M), N):
        a[i, i, i, i] = wp.uint8(-N // 0) << 99
    wp.atomic_cas(a, 0, 0, 0, 1e400, v[N], not N)
