# Factories that only main() calls, and one that the module calls.
import warp as wp


def make(n):
    @wp.kernel
    def made(a: wp.array(dtype=float)):  # expect warning: unseen-kernel
        a[0] = float(n)

    return made


class Solver:
    def __init__(self, f):
        self.step = wp.kernel(f)


def make_called(n):
    if n > 2:

        @wp.kernel
        def large(a: wp.array(dtype=float)):
            a[0] = float(n)

        return large

    @wp.kernel
    def small(a: wp.array(dtype=float)):
        a[0] = float(n)

    return small


called = [make_called(n) for n in range(3, 5)]


def main():
    make(3)


if __name__ == "__main__":
    main()
