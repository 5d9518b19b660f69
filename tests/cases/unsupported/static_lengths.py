# Warp writes the values of len(...) into the text of wp.static level by level: where that is not
# the order of the text, it evaluates another expression.
import warp as wp

a = [1, 2]
b = [3, 4]


@wp.kernel
def one_level(x: wp.array(dtype=int)):
    x[0] = wp.static(len(a) + len(b))
    x[1] = wp.static(10 * len(a) - 1)
    x[2] = wp.static(max(len(a), 3 + len(b)))


@wp.kernel
def two_levels(x: wp.array(dtype=int)):
    x[0] = wp.static(len(a) * 10 + len(b))  # expect error: static-unknown


@wp.kernel
def nested(x: wp.array(dtype=int)):
    x[0] = wp.static(len([len(a)]))  # expect error: static-unknown
