# What a branch gives a name that may run or not is not the name's value for certain.
import warp as wp
from time import perf_counter as measure

if measure() > 1.0:
    size = int(measure())
else:
    size = 4
kind = 1
if measure() > 1.0:
    kind = 1.0


def chosen(pair):
    match pair:
        case (int(n), "k"):
            return n
        case _:
            return 0


@wp.kernel
def branch(x: wp.array(dtype=int)):
    x[0] = size  # expect error: unknown-value


@wp.kernel
def pattern(x: wp.array(dtype=int)):
    x[0] = wp.static(chosen((3, "k")))  # expect error: static-unknown


@wp.kernel
def equal_of_another_type(x: wp.array(dtype=float)):
    x[0] = float(kind)  # expect error: unknown-value
