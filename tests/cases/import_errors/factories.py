# Names in functions that the module calls: Python stops at the first one.
import os

import warp as wp


def misspelled():
    @wp.kernal  # expect error: unknown-attribute
    def k(a: wp.array(dtype=float)):
        a[0] = 1.0

    return k


def undefined():
    scale = not_there * 2.0  # expect error: undefined-name

    @wp.kernel
    def k(a: wp.array(dtype=float)):
        a[0] = scale  # expect error: unknown-value

    return k


class Solver:
    def __init__(self):
        wp.lost_in_method()  # expect error: unknown-attribute


def may_have_left(environment):
    if environment.get("OLD_WARP"):
        return wp.old_thing()
    wp.not_certain_here()


def may_skip(environment):
    for n in range(3):
        if environment.get("SKIP"):
            continue
        wp.not_certain_in_loop()


def nothing_calls():
    wp.never()


first, second, solver = misspelled(), undefined(), Solver()
may_have_left(os.uname())
may_skip(os.uname())
