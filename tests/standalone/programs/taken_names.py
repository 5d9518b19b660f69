"""Names that C++, its headers, CUDA or the program's host have taken, and names of Python that clash only there."""
import warp as wp


@wp.struct
class float3:
    x: wp.array(dtype=float)
    x_n: float
    double: wp.vec3
    double_: float
    unix: float
    NULL: float


@wp.func
def sin(x: float):
    return x * 3.0


@wp.func
def exit(x: int):
    return x + 1


@wp.func
def hash(s: wp.uint32, i: wp.uint32):
    return s + i


@wp.func
def launch_main(main: float, adj_main: float):
    return main * adj_main


@wp.kernel
def main(check_cuda: wp.array(dtype=float), to_device: wp.array(dtype=float), argc: int, threads: float, EOF: float, M_E: float, linux: float, expf: float):
    printf = wp.tid()
    sinf = wp.exp(expf) * wp.sin(to_device[printf])
    MAX_ITEMS = sinf * M_E + linux
    if printf < argc:
        check_cuda[printf] = launch_main(MAX_ITEMS, threads) + EOF


@wp.kernel
def y1(cudaFree: wp.array(dtype=float), __dt: wp.array(dtype=float), size_t: float, atomicAdd: float, expected_cudaFree: float):
    i = wp.tid()
    cudaFree[i] = sin(__dt[i]) * size_t + atomicAdd * expected_cudaFree + float(exit(i)) + float(hash(wp.uint32(i), wp.uint32(2)))


@wp.kernel
def run_grid(s: float3, s_x: wp.array(dtype=float), x: wp.array(dtype=float), x_count: float):
    i = wp.tid()
    s.x[i] = x[i] * s.x_n + s_x[i] * x_count + s.double[1] * s.double_ + s.unix * s.NULL


@wp.kernel
def letters(größe: wp.array(dtype=float), value: wp.array(dtype=float), 長: float):
    i = wp.tid()
    value[i] = größe[i] * 長


@wp.kernel
def fill_gather(n: int):  # ends: RAN
    if wp.tid() < n:
        print(n)


@wp.kernel
def two_edges(p: wp.array(dtype=wp.vec3), gap: wp.array(dtype=float)):
    i = wp.tid()
    st = wp.closest_point_edge_edge(p[i], p[i + 1], p[i + 2], p[i + 3], 1.0e-6)
    s = st[0]
    t = st[1]
    along = wp.sin(s) * t
    other = wp.closest_point_edge_edge(p[i], p[i + 2], p[i + 1], p[i + 4], 1.0e-6)
    gap[i] = along * s + other[2]


# Two thread indexes of one name, which with an underscore behind it C++ reserves.
@wp.kernel
def unused_indexes(x: wp.array2d(dtype=float), y: wp.array(dtype=float)):
    i, _, _ = wp.tid()
    y[i] = 2.0 * x[i, 0]


# With a number behind it, or a second underscore, the name may be a macro's: I1_2.
@wp.kernel
def capitals(N_: wp.array(dtype=float), n: wp.array(dtype=float), N: float, I1: float):
    i = wp.tid()
    I2 = N_[i]
    if I2 > 0.0:
        I3 = I2 * I1
        for N_2 in range(3):
            I3, I2 = I2, I3 + float(N_2)
        I2 = I2 + I3
    n[i] = I2 * N
