"""Common mistakes. advice.err holds the messages: what was written, and what to write instead."""

import warp as wp


@wp.struct
class Spring:
    stiffness: float
    length: float
    ends: wp.vec2i


@wp.func
def blend(a: float, b: float, t: float = 0.5):
    return a * (1.0 - t) + b * t


@wp.func
def twice(x: float):
    return x + x


@wp.func
def twice(x: wp.vec3):
    return x + x


@wp.kernel
def other_kernel(x: wp.array(dtype=float)):
    x[wp.tid()] = 1.0


@wp.kernel
def types_of_branches(x: wp.array(dtype=float), n: int):
    if n > 0:
        a = 1.0
    else:
        a = 2  # expect error: branch-types
    if n > 1:
        b = wp.vec3(1.0, 2.0, 3.0)
    elif n > 0:
        b = 3.0  # expect error: branch-types
    if n > 2:
        c = wp.float64(x[0])
    else:
        c = x[1]  # expect error: branch-types


@wp.kernel
def missing_imports(x: wp.array(dtype=float)):
    x[0] = math.sin(x[0])  # expect error: undefined-name
    x[1] = math.pi  # expect error: undefined-name
    x[2] = np.float32(2.0)  # expect error: undefined-name


@wp.kernel
def unpacking(x: wp.array(dtype=wp.vec3), v: wp.vec2, n: int):
    a, b = wp.vec2(1.0, 2.0)  # expect error: no-overload
    c, d, e = x[0]  # expect error: not-unpackable
    f, g = v  # expect error: not-unpackable
    h, i = n  # expect error: not-unpackable
    j, k = wp.normalize(v)  # expect error: no-overload
    o, p, q, r, s = wp.tid()  # expect error: no-overload


@wp.kernel
def indices(x: wp.array(dtype=float), t: float):
    x[0] = x[0.5]  # expect error: bad-index-type
    x[0.5] = 1.0  # expect error: bad-index-type
    x[t] += 1.0  # expect error: bad-index-type


@wp.kernel
def loops(x: wp.array(dtype=float), v: wp.vec3, n: int):
    for a in x:  # expect error: not-iterable
        x[0] = 1.0
    for b in n:  # expect error: not-iterable
        x[0] = 1.0
    for c in v:  # expect error: not-iterable
        x[0] = 1.0
    for d in [1, 2, 3]:  # expect error: not-iterable
        x[0] = 1.0
    for e in (1, 2, 3):  # expect error: not-iterable
        x[0] = 1.0
    for f, g in zip(x, x):  # expect error: python-only
        x[0] = 1.0
    for h, i in enumerate(x):  # expect error: python-only
        x[0] = 1.0


@wp.kernel
def changed_constants(x: wp.array(dtype=float), n: int):
    a = 0.0
    for i in range(n):
        if x[i] > 0.0:
            a += x[i]  # expect error: mutated-constant
    b = 3
    while b < n:
        b = b + 1  # expect error: mutated-constant
    c = True
    for j in range(n):
        c = False  # expect error: mutated-constant
        if x[j] > 1.0:
            break


@wp.kernel
def syntax(x: wp.array(dtype=float), n: int):
    print(f"x = {x[0]}")  # expect error: unsupported-syntax
    a = [x[k] for k in range(3)]  # expect error: unsupported-syntax
    b = {1: x[0]}  # expect error: unsupported-syntax
    match n:  # expect error: unsupported-syntax
        case 1:
            x[0] = 1.0
    try:  # expect error: unsupported-syntax
        x[0] = 1.0
    except ValueError:
        x[0] = 2.0
    if (c := n) > 2:  # expect error: unsupported-syntax
        x[0] = 1.0
    d: float = 1.0  # expect error: unsupported-syntax
    global e  # expect error: unsupported-syntax
    if n in (1, 2):  # expect error: unsupported-operator
        x[0] = 1.0
    f = None  # expect error: unsupported-constant


@wp.kernel
def own_functions(x: wp.array(dtype=float)):
    x[0] = blend(x[0])  # expect error: no-overload
    x[0] = blend(x[0], x[1], 0.5, 2.0)  # expect error: no-overload
    x[0] = blend(x[0], x[1], s=0.5)  # expect error: no-overload
    x[0] = blend(x[0], x[1], 1)  # expect error: no-overload
    x[0] = twice(1)  # expect error: no-overload


@wp.kernel
def builtins(x: wp.array(dtype=float)):
    x[0] = wp.clamp(x[0], 1.0)  # expect error: no-overload
    x[0] = wp.clamp(x[0], low=0.0, hi=1.0)  # expect error: no-overload
    x[0] = wp.sin()  # expect error: no-overload
    print("x", x[0])  # expect error: no-overload
    x[0] = sum(x)  # expect error: python-only


@wp.kernel
def python_side(x: wp.array(dtype=float)):
    wp.launch(other_kernel, dim=4, inputs=[x])  # expect error: python-only
    y = wp.zeros_like(x)  # expect error: python-only
    other_kernel(x)  # expect error: kernel-called


@wp.kernel
def fields(s: Spring, a: wp.array(dtype=Spring), x: wp.array(dtype=float), m: wp.mat33):
    x[0] = s.stifness  # expect error: no-field
    a[0].k = 1.0  # expect error: no-field
    x[0] = x.len  # expect error: no-field
    n = m.T  # expect error: no-field
    t = Spring(k=1.0, stiff=2.0)  # expect error: no-field
    t = Spring(1.0)  # expect error: struct-arguments
    t = Spring(1.0, 2.0, wp.vec2(0.0, 1.0))  # expect error: struct-arguments
