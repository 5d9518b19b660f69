# Options of a kernel's own module, set after the kernel is made.
import warp as wp


@wp.func
def double(x: float):
    return x * 2.0


def make():
    @wp.kernel(module="unique")
    def scale(a: wp.array[float]):
        a[0] = double(a[1])

    wp.set_module_options({"enable_backward": False}, module=scale.module)
    return scale


without = make()


@wp.kernel(module="unique", module_options={"enable_backward": False})
def by_dict(a: wp.array[float]):
    a[0] = double(a[1])


by_dict.module.options["max_unroll"] = 2


@wp.kernel(module="unique")
def plain(a: wp.array[float]):
    for i in range(4):
        a[i] = double(a[i + 1])
