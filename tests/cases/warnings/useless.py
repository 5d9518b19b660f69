"""What Warp takes without a word, although it cannot be meant."""

import warp as wp


@wp.kernel
def silent_size(x: wp.array(dtype=float)):
    x[0] = float(x.size)  # expect warning: array-size


@wp.kernel
def out_of_range(v: wp.vec3, m: wp.mat33, x: wp.array(dtype=float), s: float):
    x[0] = v[3]  # expect warning: index-range
    x[1] = m[0, 3]  # expect warning: index-range
    x[2] = v[-4] + v[-3]  # expect warning: index-range
    x[3] = v[s]  # expect warning: index-type
    v[3] = 1.0  # expect warning: index-range


@wp.kernel
def compared(v: wp.vec3, w: wp.vec3, x: wp.array(dtype=int)):
    if v < w:  # expect warning: compared-types
        x[0] = 1
    if v > 0.0:  # expect warning: compared-types
        x[1] = 1
    if v == w:
        x[2] = 1


@wp.kernel
def in_place(a: wp.array(dtype=float)):
    def doubled(y: float):  # expect warning: nested-function
        a[0] = 2.0
