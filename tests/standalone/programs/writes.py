"""What is written where: gradients of elements that are stored over, parts of local structs."""

import warp as wp


@wp.struct
class Body:
    pos: wp.vec3
    mass: float
    count: wp.vec3i


@wp.kernel
def stored_over(x: wp.array(dtype=float), p: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = x[i]
    if p[i] > 0.0:
        x[i] = p[i] * 2.0
        y[i] = t * 3.0


@wp.kernel
def added_to(x: wp.array(dtype=float), p: wp.array(dtype=float), c: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = x[i]
    wp.atomic_add(x, i, p[i])
    if c[i] > 0.0:
        y[i] = t * 3.0


@wp.kernel
def stored_over_in_loop(x: wp.array(dtype=float), p: wp.array(dtype=float), c: wp.array(dtype=float), y: wp.array(dtype=float), n: int):
    i = wp.tid()
    s = float(1.0)
    for k in range(n):
        t = x[i]
        if c[i] > 0.0:
            x[i] = s * 0.5 + p[k]
            s = s * 0.25 + t * 3.0
        else:
            s = s + t
    y[i] = s


@wp.func
def doubled(c: float):
    r = Body()
    r.mass = c
    r.pos[1] = c * 2.0
    return r


@wp.func
def doubled_above(c: float):
    r = Body()
    if c > 0.0:
        r.pos[1] = c * 2.0
    return r


@wp.kernel
def made_by_functions(s: wp.array(dtype=Body), t: wp.array(dtype=Body), c: wp.array(dtype=float)):
    i = wp.tid()
    s[i] = doubled(c[i])
    t[i] = doubled_above(c[i])


@wp.kernel
def parts_in_loop(s: wp.array(dtype=Body), c: wp.array(dtype=float)):
    i = wp.tid()
    r = s[i]
    q = r
    for k in range(2):
        r.pos[k] = r.pos[k + 1] + c[i]
        q.mass = q.mass + r.pos[k]
        r.pos[k + 1] += c[i] * q.pos[k]
    q.pos[0] = r.pos[1]
    s[i] = q


@wp.kernel
def parts_in_branch(s: wp.array(dtype=Body), t: wp.array(dtype=Body), c: wp.array(dtype=float)):
    i = wp.tid()
    r = s[i]
    if c[i] > 0.0:
        r = t[i]
        r.pos[2] = r.mass + c[i]
    u = r.pos[2] * 0.5
    r.pos[2] = u + r.pos[2]
    r.mass = r.pos[2] - r.pos[1]
    t[i] = r


@wp.func
def move(r: Body, c: float):
    r.pos[0] = c + r.mass
    return r.pos[0] + r.pos[1]


@wp.kernel
def part_of_parameter(s: wp.array(dtype=Body), c: wp.array(dtype=float)):
    i = wp.tid()
    r = s[i]
    c[i] = move(r, c[i]) + r.pos[0]


@wp.kernel
def bound_that_moves(s: wp.array(dtype=Body), y: wp.array(dtype=float)):
    i = wp.tid()
    r = s[i]
    r.count[0] = 3
    n = float(0.0)
    for j in range(r.count[0] + 1):
        r.count[0] = j
        n += 1.0
    y[i] = n


@wp.struct
class Outer:
    inner: Body
    scale: float


@wp.kernel
def part_of_part(s: wp.array(dtype=Outer), c: wp.array(dtype=float)):
    i = wp.tid()
    q = Outer()
    q.inner.mass = c[i]
    s[i] = q


@wp.func
def set_mass(r: Body, c: float):
    r.mass = c * 2.0
    return r.mass * c


@wp.kernel
def set_by_function(s: wp.array(dtype=Body), c: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    q = Body()
    y[i] = set_mass(q, c[i])
    s[i] = q


@wp.func
def product_and_sum(c: float, d: float):
    return c * d, c + d


@wp.kernel
def results_that_are_operands(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    a = float(0.5)
    b = x[i]
    b, a = product_and_sum(a, b)
    a, b = product_and_sum(a, b)
    y[i] = a - b


@wp.func
def both(m: wp.mat33, n: wp.mat33):
    return m * n, n - m


@wp.kernel
def matrices_that_are_operands(x: wp.array(dtype=wp.mat33), y: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    m = x[i]
    n = wp.transpose(m)
    n, m = both(m, n)
    m, n = both(m, n)
    y[i] = m - n


@wp.kernel
def carried(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    a = float(0.5)
    v = float(0.0)
    for k in range(2):
        v = v + x[i] * a
        a = wp.tanh(x[i])
    y[i] = v
