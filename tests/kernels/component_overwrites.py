# Components that are written make changed copies where warp.config says so: the latest value
# counts, also for the kernels above it.
import warp as wp


@wp.func
def rows(cells: wp.vec4i, n: int):
    found = wp.vec4i(-1, -1, -1, -1)
    count = int(0)
    for k in range(4):
        if cells[k] >= n and (count == 0 or found[count - 1] != cells[k]):
            found[count] = cells[k]
            count += 1
    return found


@wp.kernel
def vectors(cells: wp.array[wp.vec4i], out: wp.array[wp.vec3]):
    i = wp.tid()
    v = wp.vec3(1.0, 2.0, 3.0)
    same = v
    v[0] = float(rows(cells[i], i)[1])
    v.y = same[2]
    v[1] += 2.0
    out[i] = v + same


@wp.kernel
def others(a: wp.array[wp.mat22], q: wp.array[wp.quat], t: wp.array[wp.transform]):
    i = wp.tid()
    m = a[i]
    m[0, 1] = 4.0
    m[1] = wp.vec2(1.0, 2.0)
    a[i] = m
    r = q[i]
    r.w = 1.0
    r[0] = 2.0
    q[i] = r
    s = t[i]
    s[3] = 1.0
    s.p = wp.vec3(0.0, 1.0, 2.0)
    t[i] = s


wp.config.enable_vector_component_overwrites = True
