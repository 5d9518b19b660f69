# Caches that the program writes itself: what they return is one object, with one number in its name.
import enum
import functools

import warp as wp

_functions = {}


def cached(make):
    @functools.wraps(make)
    def wrapper(*args):
        key = tuple(hash(a) for a in args) + (make.__module__, make.__name__)
        if key not in _functions:
            _functions[key] = make(*args)
        return _functions[key]

    return wrapper


class Mode(enum.IntEnum):
    PLAIN = 0
    SQUARED = 1


@cached
def make_scale(n: int, mode: Mode, name: str, dtype):
    @wp.func
    def scale(x: float):
        if wp.static(mode == Mode.SQUARED):
            x = x * x
        return x * float(wp.static(n)) + float(dtype(wp.static(len(name))))

    return scale


made = {}


def remember(n):
    if n not in made:

        @wp.func
        def added(x: float):
            return x + float(wp.static(n))

        made[n] = added
    return made[n]


first = make_scale(2, Mode.PLAIN, "ab", wp.int32)
second = make_scale(2, Mode.SQUARED, "ab", wp.int32)
third = make_scale(2, Mode.PLAIN, "abc", wp.int32)
again = make_scale(2, Mode.PLAIN, "ab", wp.int32)
fourth = make_scale(-1, Mode.PLAIN, "ab", wp.float32)
one, two, one_again, three = remember(1), remember(2), remember(1), remember(3)


@wp.kernel
def apply(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = first(second(third(again(fourth(x[i])))))
    x[i] = one(two(one_again(three(x[i]))))
