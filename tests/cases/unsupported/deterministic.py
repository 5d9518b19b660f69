# Deterministic mode: what Warp refuses, since updates wait for the end of the launch, and what weft
# does not follow.
import warp as wp

wp.set_module_options({"deterministic": wp.DeterministicMode.GPU_TO_GPU})


@wp.struct
class Bins:
    total: wp.array(dtype=float)


@wp.kernel
def read_before(y: wp.array(dtype=float)):
    i = wp.tid()
    x = y[i]
    y[i + 1] += x  # expect error: deterministic-order


@wp.kernel
def read_after(b: Bins, y: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_max(b.total, i, 1.0)
    y[i] = b.total[0]  # expect error: deterministic-order


@wp.kernel
def written(y: wp.array2d(dtype=float)):
    i = wp.tid()
    y[i, 0] += 1.0
    row = y[i]
    row[1] = 0.0  # expect error: deterministic-order


@wp.func
def look(a: wp.array(dtype=float)):
    return a[0]


@wp.kernel
def read_by_a_function(y: wp.array(dtype=float), z: wp.array(dtype=float)):
    y[0] += 1.0
    z[0] = look(y)  # expect error: deterministic-order


@wp.kernel
def two_kinds(y: wp.array(dtype=float)):
    wp.atomic_add(y, 0, 1.0)
    wp.atomic_max(y, 0, 1.0)  # expect error: deterministic-order


@wp.kernel
def added_and_counted(n: wp.array(dtype=int), y: wp.array(dtype=int)):
    wp.atomic_add(n, 0, 1)
    y[wp.atomic_add(n, 0, 1)] = 1  # expect error: deterministic-order


@wp.kernel
def result_of_another(n: wp.array(dtype=int), y: wp.array(dtype=int)):
    y[wp.atomic_sub(n, 0, 1)] = 1  # expect error: deterministic-order


@wp.kernel
def result_of_floats(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    y[0] = wp.atomic_add(x, 0, 1.0)  # expect error: deterministic-order


@wp.kernel
def result_of_an_effect(n: wp.array(dtype=int), f: wp.array(dtype=int), y: wp.array(dtype=int)):
    old = wp.atomic_exch(f, 0, 1)  # expect error: deterministic-order
    y[wp.atomic_add(n, 0, 1)] = old


@wp.kernel
def part_of_an_element(v: wp.array(dtype=wp.vec3)):
    v[0].x += 1.0  # expect error: deterministic-order


@wp.kernel
def local_array():
    a = wp.zeros(shape=(2,), dtype=float)
    wp.atomic_add(a, 0, 1.0)  # expect error: deterministic-form


@wp.kernel
def derivative(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    y[0] += wp.grad(look)(x)[0]  # expect error: deterministic-form
