"""What the hints of tests/cases/errors/advice.py say to write."""

import math

import numpy as np
import warp as wp


@wp.kernel
def types_of_branches(x: wp.array(dtype=float), n: int):
    if n > 0:
        a = 1.0
    else:
        a = float(2)
    if n > 2:
        c = wp.float64(x[0])
    else:
        c = wp.float64(x[1])
    x[0] = a + float(c)


@wp.kernel
def imports(x: wp.array(dtype=float)):
    x[0] = math.sin(x[0]) + math.pi
    x[2] = np.float32(2.0)


@wp.kernel
def parts(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=float)):
    v = x[0]
    a, b, c = v[0], v[1], v[2]
    y[int(y[0])] = a + b + c


@wp.kernel
def loops(x: wp.array(dtype=float), v: wp.vec3, n: int):
    for i in range(x.shape[0]):
        x[i] = 1.0
    for i in range(n):
        x[i] = 2.0
    for i in range(3):
        x[i] = v[i]


@wp.kernel
def variables(x: wp.array(dtype=float), n: int):
    a = float(0.0)
    b = int(3)
    c = bool(True)
    for i in range(n):
        a += x[i]
        c = False
    while b < n:
        b = b + 1
    if c:
        x[0] = a


@wp.kernel
def printed(x: wp.array(dtype=float), i: int, m: wp.mat33):
    print(x[0])
    wp.printf("%f %d\n", x[0], i)
    n = wp.transpose(m)
    x[0] = n[0, 1]
