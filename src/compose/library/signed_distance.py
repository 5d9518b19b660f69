# SPDX-License-Identifier: Apache-2.0
"""Signed distance functions."""

field("signed distances", element="point points", other="shape shapes", link="pair pairs", apart=True)

sample_position = quantity(vec3, "m", "position", one="p x", many="points positions queries")
shape_distance = quantity(float, "m", "signed distance", one="d dist sdf", many="distances sdf d", means="range")
shape_center = quantity(vec3, "m", "center", one="c center", many="centers")
shape_radius = quantity(float, "m", "radius", one="r radius", many="radii", low=0.2,
                        high=2.0)
taper_amount = quantity(float, "m", "gain of the radius along the capsule", one="taper", low=0.05, high=0.5, uniform=True)
push_margin = quantity(float, "m", "margin around the spheres", one="margin gap", low=0.05, high=0.5, uniform=True)
rounding = quantity(float, "m", "rounding radius", one="rounding round_r", low=0.05, high=0.5,
                    uniform=True)
gyroid_scale = quantity(float, "1/m", "scale of the gyroid", one="scale freq", low=0.5, high=2.0,
                        uniform=True)
twist_rate = quantity(float, "rad/m", "twist per length", one="twist k", low=0.1, high=2.0, uniform=True)
tube_radius = quantity(float, "m", "tube radius", one="tube_radius minor", low=0.1, high=0.5,
                       uniform=True)
segment_start = quantity(vec3, "m", "start of the capsule's axis", one="a p0", many="starts", uniform=True)
segment_end = quantity(vec3, "m", "end of the capsule's axis", one="b p1", many="ends", uniform=True)
blend_width = quantity(float, "m", "blend width", one="k blend", low=0.1, high=1.0, uniform=True)
distance_normal = quantity(vec3, "1", "normal", one="n", many="normals")
density_of_shape = quantity(float, "1", "density", one="density", many="density densities")
slab_direction = quantity(vec3, "1", "normal of the plane", one="n plane_normal", uniform=True)
march_length = quantity(float, "m", "marched distance", one="t", many="depths t")
march_direction = quantity(vec3, "1", "marching direction", one="dir rd", many="dirs directions")
march_steps = quantity(int, "1", "largest number of steps", one="max_steps steps", low=2, high=6,
                       uniform=True)
nearest_shape = quantity(int, "1", "nearest shape", one="id", many="nearest shape_ids", low=0,
                         high=3)
repeat_period = quantity(float, "m", "period of the repetition", one="period spacing", low=2.4, high=3.2,
                         uniform=True)
shell_thickness = quantity(float, "m", "shell thickness", one="thickness", low=0.05, high=0.5,
                           uniform=True)
box_half = quantity(vec3, "m", "half size of the box", one="half half_size", many="half_sizes", low=0.25,
                    high=1.0, uniform=True)
octahedron_size = quantity(float, "m", "distance from the center to the corners of the octahedron", one="size", low=0.5, high=1.2, uniform=True)
barrel_radius = quantity(float, "m", "radius of the cylinder", one="radius r", low=0.1, high=0.5, uniform=True)
capsule_radius = quantity(float, "m", "radius at the start of the capsule", one="radius r0", low=0.1, high=0.5, uniform=True)
ring_radius = quantity(float, "m", "ring radius", one="ring major", low=0.4, high=0.9, uniform=True)
half_height = quantity(float, "m", "half height", one="half_height hh", low=0.25, high=1.0,
                       uniform=True)
ball_center = quantity(vec3, "m", "center of the ball", one="center c", low=-0.5, high=0.5, uniform=True)
ball_radius = quantity(float, "m", "radius of the ball", one="radius r_ball", low=2.0, high=4.0, uniform=True)
walk_end = quantity(vec3, "m", "end of the walk", one="y", many="ends walk_ends")
sphere_walk_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
plane_offset = quantity(float, "m", "offset of the plane", one="offset", uniform=True)


@formula
def sphere_sdf(p: sample_position, c: uniform.shape_center, r: uniform.shape_radius) -> shape_distance:
    "the distance between {p} and {c}, minus {r}"
    return wp.length(p - c) - r


@formula
def plane_sdf(p: sample_position, n: slab_direction, offset: plane_offset) -> shape_distance:
    "the dot product of {p} and the unit vector along {n}, minus {offset}"
    return wp.dot(p, wp.normalize(n)) - offset


@formula
def box_sdf(p: sample_position, half: box_half) -> shape_distance:
    "the distance of {p} to the box around the origin with the half sizes {half}, which is the length of q with its negative components replaced by 0, plus the largest component of q if that is negative, where q is |{p}| - {half} in each component"
    q = wp.abs(p) - half
    outside = wp.length(wp.max(q, wp.vec3(0.0, 0.0, 0.0)))
    return outside + wp.min(wp.max(q[0], wp.max(q[1], q[2])), 0.0)


@formula
def torus_sdf(p: sample_position, major: ring_radius, minor: tube_radius) -> shape_distance:
    "the distance of {p} to the torus around the y axis whose ring has the radius {major} and whose tube has the radius {minor}"
    ring = wp.sqrt(p[0] * p[0] + p[2] * p[2]) - major
    return wp.sqrt(ring * ring + p[1] * p[1]) - minor


@formula
def cylinder_sdf(p: sample_position, r: barrel_radius, half: half_height) -> shape_distance:
    "the distance of {p} to the cylinder around the y axis of the radius {r} from y = -{half} to {half}, which is the length of (max(a, 0), max(b, 0)) plus the larger of a and b if that is negative, where a = sqrt(x^2 + z^2) - {r} and b = |y| - {half}"
    a = wp.sqrt(p[0] * p[0] + p[2] * p[2]) - r
    b = wp.abs(p[1]) - half
    outside = wp.length(wp.vec2(wp.max(a, 0.0), wp.max(b, 0.0)))
    return outside + wp.min(wp.max(a, b), 0.0)


@formula
def octahedron_sdf(p: sample_position, size: octahedron_size) -> shape_distance:
    "a lower bound of the distance to an octahedron, 0.57735027 (s - {size}), where s is the sum of the magnitudes of the components of {p}"
    return (wp.abs(p[0]) + wp.abs(p[1]) + wp.abs(p[2]) - size) * 0.57735027


@formula
def mirror_position(p: sample_position, n: slab_direction) -> sample_position:
    "{p}, reflected at the plane through the origin with the normal {n} if the dot product of {p} and {n} is negative"
    u = wp.normalize(n)
    return p - 2.0 * wp.min(wp.dot(p, u), 0.0) * u


@formula
def tapered_capsule_sdf(p: sample_position, a: segment_start, b: segment_end, r: capsule_radius,
                    taper: taper_amount) -> shape_distance:
    "the distance between {p} and {a} + h ({b} - {a}), minus {r} + h {taper}, where h is ({p} - {a}) . ({b} - {a}) / (|{b} - {a}|^2 + 1e-6), clamped to the range from 0 to 1"
    axis = b - a
    h = wp.clamp(wp.dot(p - a, axis) / (wp.dot(axis, axis) + 1.0e-6), 0.0, 1.0)
    return wp.length(p - a - h * axis) - (r + h * taper)


@formula
def gyroid_sdf(p: sample_position, scale: gyroid_scale) -> shape_distance:
    "s . c / {scale}, where s is the vector of the sines of x, y and z, the components of {scale} {p}, and c that of the cosines of y, z and x"
    q = scale * p
    g = wp.sin(q[0]) * wp.cos(q[1]) + wp.sin(q[1]) * wp.cos(q[2]) + wp.sin(q[2]) * wp.cos(q[0])
    return g / scale


@formula
def twist_position(p: sample_position, k: twist_rate) -> sample_position:
    "{p} rotated around the z axis by the angle {k} times its z coordinate"
    angle = k * p[2]
    c = wp.cos(angle)
    s = wp.sin(angle)
    return wp.vec3(c * p[0] - s * p[1], s * p[0] + c * p[1], p[2])


@formula
def repeat_position(p: sample_position, period: repeat_period) -> sample_position:
    "{p}, where each component c becomes c - {period} floor(c / {period} + 0.5)"
    x = p[0] - period * wp.floor(p[0] / period + 0.5)
    y = p[1] - period * wp.floor(p[1] / period + 0.5)
    z = p[2] - period * wp.floor(p[2] / period + 0.5)
    return wp.vec3(x, y, z)


@formula
def normal_by_differences(p: sample_position, scale: gyroid_scale) -> distance_normal:
    "the unit vector along the forward differences, with a step of 0.01, of the gyroid with the scale {scale} at {p}"
    h = 0.01
    center = gyroid_sdf(p, scale)
    dx = gyroid_sdf(p + wp.vec3(h, 0.0, 0.0), scale) - center
    dy = gyroid_sdf(p + wp.vec3(0.0, h, 0.0), scale) - center
    dz = gyroid_sdf(p + wp.vec3(0.0, 0.0, h), scale) - center
    return wp.normalize(wp.vec3(dx, dy, dz))


@formula
def half_space_union_distance(d: shape_distance, p: sample_position, n: slab_direction) -> shape_distance:
    "the smaller of {d} and the dot product of {p} and the unit vector along {n}"
    return wp.min(d, wp.dot(p, wp.normalize(n)))


@formula
def rounded_distance(d: shape_distance, r: rounding) -> shape_distance:
    "{d} minus {r}"
    return d - r


@formula
def shell_distance(d: shape_distance, thickness: shell_thickness) -> shape_distance:
    "the magnitude of {d}, minus {thickness}"
    return wp.abs(d) - thickness


@formula
def smooth_union_distance(d: shape_distance, p: sample_position, c: uniform.shape_center,
                    r: uniform.shape_radius, k: blend_width) -> shape_distance:
    "the smooth minimum of {d} and e, the distance between {p} and {c} minus {r}, which is e + h ({d} - e) - {k} h (1 - h), where h is 0.5 + 0.5 (e - {d}) / {k}, clamped to the range from 0 to 1"
    e = wp.length(p - c) - r
    h = wp.clamp(0.5 + 0.5 * (e - d) / k, 0.0, 1.0)
    return e + h * (d - e) - k * h * (1.0 - h)


@formula
def carved_distance(d: shape_distance, p: sample_position, c: uniform.shape_center,
           r: uniform.shape_radius) -> shape_distance:
    "the larger of {d} and {r} - e, where e is the distance between {p} and {c}"
    return wp.max(d, r - wp.length(p - c))


@formula
def density_from_distance(d: shape_distance, k: blend_width) -> density_of_shape:
    "1 / (1 + exp({d} / {k}))"
    return 1.0 / (1.0 + wp.exp(d / k))


@algorithm
def union_of_spheres(p: sample_position, centers: other.shape_center, radii: other.shape_radius,
                     d: out.shape_distance, ids: out.nearest_shape):
    "the union of spheres: {d} gets the smallest signed distance of each point {p} to one of the spheres, its distance to the center minus the radius, and {ids} the index of that sphere, the first one if several are equal"
    i = thread()
    guard(i)
    x = p[i]
    best = float(1.0e6)
    best_id = int(0)
    for k in range(count(other)):
        dist = wp.length(x - centers[k]) - radii[k]
        if dist < best:
            best = dist
            best_id = k
    d[i] = best
    ids[i] = best_id


@algorithm
def smooth_union_of_spheres(p: sample_position, centers: other.shape_center, radii: other.shape_radius,
                            k: blend_width, d: out.shape_distance):
    "the smooth union of spheres: -{k} times the natural logarithm of the sum over all spheres of exp(-d / {k}), where d is the distance of {p} and the sphere's center minus its radius"
    i = thread()
    guard(i)
    x = p[i]
    total = float(0.0)
    for s in range(count(other)):
        dist = wp.length(x - centers[s]) - radii[s]
        total += wp.exp(-dist / k)
    d[i] = -k * wp.log(total)


@algorithm
def push_out_of_spheres(p: sample_position, ids: element_to_other_or_none,
                        centers: other.shape_center, radii: other.shape_radius,
                        margin: push_margin, moved: out.sample_position):
    "moves each point that is nearer to the center of its sphere than the sphere's radius plus {margin} out to that distance, along the line from the center; points without a sphere, those with -1 in {ids}, and points not farther than 0.0001 from the center stay"
    i = thread()
    guard(i)
    k = ids[i]
    x = p[i]
    moved[i] = x
    if k < 0:
        return
    center = centers[k]
    away = x - center
    dist = wp.length(away)
    least = radii[k] + margin
    if dist < least and dist > 0.0001:
        moved[i] = center + away * (least / dist)


@algorithm
def march_to_gyroid(p: sample_position, dir: march_direction, scale: gyroid_scale, steps: march_steps,
                    t: out.march_length):
    "walks from each point {p} along the unit vector of {dir} by sphere tracing, each time by half of `gyroid` with {scale} at the place reached, at most {steps} times; stops before a step where this value is below 0.01 or where more than 8 has been walked, and stores the length walked"
    i = thread()
    guard(i)
    start = p[i]
    u = wp.normalize(dir[i])
    length = float(0.0)
    for s in range(steps):
        dist = gyroid_sdf(start + length * u, scale)
        if dist < 0.01 or length > 8.0:
            break
        length += 0.5 * dist
    t[i] = length


@algorithm(share=2)
def walk_on_spheres(p: sample_position, center: ball_center, radius: ball_radius,
                    seed: sphere_walk_seed, ends: out.walk_end):
    "makes a walk on spheres inside the ball around {center} whose surface is {radius} away from it, as Monte Carlo solvers of the Laplace equation make it: from {p} on, the walk jumps from a point x by r = {radius} - |x - {center}|, its distance to the surface, times a random unit vector that `wp.sample_unit_sphere_surface` draws, four times in all, but it does not jump, and draws nothing, where r is below 0.01; the last point is stored"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    x = p[i]
    for jump in range(4):
        r = radius - wp.length(x - center)
        if r >= 0.01:
            x = x + r * wp.sample_unit_sphere_surface(state)
    ends[i] = x
