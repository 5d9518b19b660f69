"""Structs as parameters, values, array elements; nested structs."""

import warp as wp


@wp.struct
class Particle:
    position: wp.vec3
    velocity: wp.vec3
    mass: float
    kind: int


@wp.struct
class Grid:
    cells: wp.array2d(dtype=float)
    origin: wp.vec2
    spacing: float


@wp.struct
class Pair:
    first: Particle
    second: Particle
    weight: wp.float64


@wp.kernel
def struct_parameter(g: Grid, out: wp.array(dtype=float)):
    i, j = wp.tid()
    out[i] = g.cells[i, j] * g.spacing + g.origin[0] + g.origin.y


@wp.kernel
def struct_array(ps: wp.array(dtype=Particle), dt: float):
    i = wp.tid()
    p = ps[i]
    p.position = p.position + p.velocity * dt
    p.velocity = p.velocity * 0.99
    ps[i] = p


@wp.kernel
def fields_of_elements(ps: wp.array(dtype=Particle), dt: float):
    i = wp.tid()
    ps[i].position = ps[i].position + ps[i].velocity * dt
    ps[i].mass += 1.0
    ps[i].kind = 3


@wp.kernel
def made_in_kernel(ps: wp.array(dtype=Particle)):
    i = wp.tid()
    p = Particle()
    p.mass = 2.0
    p.position = wp.vec3(1.0, 2.0, 3.0)
    p.kind = i
    ps[i] = p


@wp.func
def energy(p: Particle):
    return 0.5 * p.mass * wp.dot(p.velocity, p.velocity)


@wp.func
def moved(p: Particle, dt: float):
    q = Particle()
    q.position = p.position + p.velocity * dt
    q.velocity = p.velocity
    q.mass = p.mass
    return q


@wp.kernel
def through_functions(ps: wp.array(dtype=Particle), out: wp.array(dtype=float)):
    i = wp.tid()
    q = moved(ps[i], 0.1)
    out[i] = energy(q)
    ps[i] = q


@wp.kernel
def nested_struct(pair: Pair, out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = pair.first.position - pair.second.position
    if pair.weight > wp.float64(0.0):
        out[i] = pair.first.velocity


@wp.kernel
def component_of_field(ps: wp.array(dtype=Particle)):
    i = wp.tid()
    p = ps[i]
    p.position[1] = 4.0
    p.velocity.x = 2.0
    ps[i] = p


@wp.struct
class Table:
    scale: float
    codes: wp.array(dtype=wp.int16)
    values: wp.array(dtype=float)


@wp.kernel
def integers_in_a_struct(t: Table, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = t.scale * t.values[i] * float(t.codes[i])


@wp.struct
class Cell:
    index: int
    center: wp.vec3


@wp.kernel
def field_as_index(a: wp.array(dtype=float), c: Cell, cells: wp.array(dtype=Cell)):
    a[c.index] = a[c.index] * 2.0
    a[cells[0].index] += a[cells[1].index]
    a[0] = c.center[c.index]


@wp.struct
class WithHandle:
    mesh: wp.handle
    id: wp.uint64
    weight: float


@wp.kernel
def keep_handles(a: wp.array(dtype=WithHandle), b: wp.array(dtype=WithHandle)):
    i = wp.tid()
    s = a[i]
    s.weight = s.weight * 2.0
    b[i] = s


@wp.kernel
def sum_with_handles(a: wp.array(dtype=WithHandle), b: wp.array(dtype=WithHandle)):
    t = wp.tile_load(a, shape=16)
    wp.tile_store(b, wp.tile_sum(t))


# Components of elements of an array that a struct holds: their adjoint goes through the struct's.
@wp.struct
class Entry:
    value: float
    column: int
    where: wp.vec3


@wp.struct
class Sparse:
    rows: wp.array2d[Entry]
    flat: wp.array[Entry]


@wp.struct
class Scaled:
    scale: float
    matrix: Sparse


@wp.kernel
def fill_entries(m: Sparse, x: wp.array[float]):
    i = wp.tid()
    m.rows[0, i].value = -x[i]
    m.rows[0, i].column = i
    m.flat[i].value = 2.0 * x[i]
    m.flat[i].where[1] = x[i]


@wp.kernel
def add_entries(s: Scaled, x: wp.array[float]):
    i = wp.tid()
    s.matrix.flat[i].value += s.scale * x[i]
    s.matrix.rows[i, 0].where.z -= x[i]
