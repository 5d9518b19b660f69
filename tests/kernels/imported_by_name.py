# Modules that importlib.import_module finds by a name that the program computes.
import importlib

import warp as wp


def load(name):
    try:
        return importlib.import_module("pack." + name)
    except ModuleNotFoundError:
        return None


numbers = load("numbers")
same = importlib.import_module(".numbers", package="pack")
pack = importlib.import_module("..numbers", "pack.deeper")
size = getattr(numbers, "no_such_number", 3)


@wp.kernel
def by_name(a: wp.array[wp.types.vector(length=size, dtype=float)], out: wp.array[float]):
    i = wp.tid()
    out[i] = wp.length(a[i]) * numbers.FOUR + same.FOUR + pack.FOUR
