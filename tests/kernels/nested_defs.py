"""A plain `def` inside a kernel or function: Warp emits its body where it stands."""

import warp as wp


@wp.kernel
def before_the_rest(a: wp.array(dtype=float)):
    i = wp.tid()

    def first():
        """Not a statement."""
        a[i] = a[i] * 2.0

    a[i] = a[i] + 1.0


@wp.kernel
def names_stay(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]

    def scaled(y=1.0 / 3.0, *rest, **named) -> int:
        z = x * 2.0

        def deeper():
            x = z + 1.0

    b[i] = z + x


@wp.kernel
def in_branches(a: wp.array(dtype=float)):
    i = wp.tid()
    if a[i] > 0.0:

        def positive():
            a[i] = a[i] * 0.5

        a[i] = a[i] + 3.0


@wp.kernel
def in_loops(a: wp.array(dtype=float), n: int):
    s = float(0.0)
    for i in range(3):

        def unrolled():
            a[i] = a[i] * 2.0
            if a[i] > 4.0:
                a[i] = 3.0

    for j in range(n):

        def carried():
            s += a[j]

    a[0] = s


@wp.func
def ends_early(x: float):
    def result():
        y = x * 2.0
        return y

    x = 3.0


@wp.func
def one_result(x: float):
    def unused():
        return x * 2.0

    return x


@wp.kernel
def in_functions(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = ends_early(a[i]) + one_result(a[i])


@wp.kernel
def nothing(a: wp.array(dtype=float)):
    i = wp.tid()

    def empty():
        pass

    def only_a_number():
        3.0
