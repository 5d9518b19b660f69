# SPDX-License-Identifier: Apache-2.0
"""Rays: intersections, reflection, refraction."""

field("rays", element="ray rays", other="sphere spheres", link="candidate candidates", apart=True)

ray_origin = quantity(vec3, "m", "origin", one="o origin ro", many="origins ray_origins ro")
ray_direction = quantity(vec3, "1", "unit direction", one="d direction rd",
                         many="directions ray_dirs rd", unit_length=True)
ray_distance = quantity(float, "m", "ray distance", one="t dist", many="hits t distances")
hit_point = quantity(vec3, "m", "hit point", one="p hit", many="hit_points points")
surface_normal = quantity(vec3, "1", "unit normal", one="n normal", many="normals hit_normals", unit_length=True)
reflected_direction = quantity(vec3, "1", "reflected direction", one="r reflected",
                               many="reflected reflections", unit_length=True)
refracted_direction = quantity(vec3, "1", "refracted direction", one="r refracted",
                               many="refracted transmitted", unit_length=True)
index_ratio = quantity(float, "1", "ratio of refractive indices", one="eta ratio", low=0.5,
                       high=2.0, uniform=True)
sphere_center = quantity(vec3, "m", "sphere center", one="c center", many="centers sphere_centers")
sphere_radius = quantity(float, "m", "sphere radius", one="radius", many="radii sphere_radii",
                         low=0.1, high=2.0)
sphere_hit = quantity(int, "1", "hit sphere", one="hit_id", many="hit_ids sphere_hit",
                      low=-1, high=2)
floor_height = quantity(float, "m", "floor height", one="floor height", uniform=True)
blocked_count = quantity(int, "1", "number of blocking spheres", one="count", many="counts num_blocked",
                         low=0, high=4)
reach = quantity(float, "m", "largest distance", one="t_max max_dist", low=1.0, high=4.0, uniform=True)
pixel_offset = quantity(vec2, "m", "film position", one="uv s", many="film_pos uvs")
camera_rotation = quantity(quat, "1", "camera rotation", one="rot cam_rot", uniform=True)
film_distance = quantity(float, "m", "focal length", one="focal f", low=0.5, high=2.0, uniform=True)
path_throughput = quantity(float, "1", "throughput", one="throughput beta",
                           many="throughput weights", low=0.1, high=1.0)
absorption = quantity(float, "1/m", "absorption coefficient", one="sigma_a absorption", low=0.1, high=1.0,
                      uniform=True)
plane_point = quantity(vec3, "m", "point of the plane", one="q p0", uniform=True)
plane_facing = quantity(vec3, "1", "unit normal of the plane", one="n plane_n", uniform=True, unit_length=True)
sphere_weight = quantity(float, "1", "opacity", one="opacity a", many="opacities alphas", low=0.1,
                         high=1.0)
optical_depth = quantity(float, "1", "optical depth", one="tau depth", many="optical_depth tau",
                         sums=True, means="adds")
box_low = quantity(vec3, "m", "lower corners of the boxes", one="lower box_min", many="lowers box_mins")
box_size = quantity(vec3, "m", "sizes of the boxes", one="size extent", many="sizes extents", low=0.5,
                    high=4.0)
corner_point = quantity(vec3, "m", "vertices of the triangles", one="v", many="vertices verts")
corner_index = quantity(int, "1", "vertices of each triangle", one="corner", many="indices triangles", low=0, high=5)
barycentric = quantity(vec2, "1", "barycentric coordinates", one="uv bary", many="barycentrics uvs")
probe_count = quantity(int, "1", "number of steps", one="steps num_steps", low=2, high=6,
                       uniform=True)
cell_density = quantity(float, "1/m", "densities of the cells", one="density", many="density sigma",
                        low=0.1, high=1.0)
surface_roughness = quantity(float, "1", "roughness of the surface", one="rough roughness", low=0.05, high=0.4, uniform=True)


@formula
def sphere_distance(o: ray_origin, d: ray_direction, c: uniform.sphere_center,
                    radius: uniform.sphere_radius) -> ray_distance:
    "the smaller t, which may be negative, at which {o} plus t times {d} lies on the sphere around {c} with the radius {radius}; -1 if the line misses the sphere"
    m = o - c
    b = wp.dot(m, d)
    h = b * b - wp.dot(m, m) + radius * radius
    if h < 0.0:
        return -1.0
    return -b - wp.sqrt(h)


@formula
def floor_distance(o: ray_origin, d: ray_direction, h: floor_height) -> ray_distance:
    "the t at which the z component of {o} plus t times {d} is {h}; -1 if the magnitude of the z component of {d} is below 0.001, or if t is negative"
    if wp.abs(d[2]) < 0.001:
        return -1.0
    t = (h - o[2]) / d[2]
    if t < 0.0:
        return -1.0
    return t


@formula
def plane_distance(o: ray_origin, d: ray_direction, q: plane_point,
                   n: plane_facing) -> ray_distance:
    "the t, which may be negative, at which {o} plus t times {d} meets the plane through {q} with the normal {n}; -1 if the magnitude of the dot product of {d} and {n} is below 0.001"
    slope = wp.dot(d, n)
    if wp.abs(slope) < 0.001:
        return -1.0
    return wp.dot(q - o, n) / slope


@formula
def point_on_ray(o: ray_origin, d: ray_direction, t: ray_distance) -> hit_point:
    "{o} plus {t} times {d}, or {o} itself if {t} is negative, which stands for no hit"
    if t < 0.0:
        return o
    return o + t * d


@formula
def normal_on_sphere(p: hit_point, c: uniform.sphere_center) -> surface_normal:
    "the unit vector from {c} to {p}"
    return wp.normalize(p - c)


@formula
def reflected(d: ray_direction, n: surface_normal) -> reflected_direction:
    "{d} - 2 ({d} . {n}) {n}"
    return d - 2.0 * wp.dot(d, n) * n


@formula
def scattered_by_cosine(n: surface_normal, state: random_state) -> ray_direction:
    "the unit vector along {n} + (r cos a, r sin a, z), a random direction whose density goes with the cosine: z is a random number from -1 to 1, a is 2 pi times a second one from 0 to 1, and r = sqrt(1 - z^2)"
    z = wp.randf(state, -1.0, 1.0)
    a = 2.0 * wp.pi * wp.randf(state)
    r = wp.sqrt(1.0 - z * z)
    return wp.normalize(n + wp.vec3(r * wp.cos(a), r * wp.sin(a), z))


@formula
def roughened(d: reflected_direction, rough: surface_roughness, state: random_state) -> reflected_direction:
    "the unit vector along {d} + {rough} (x, y, z) with three standard normal numbers x, y and z"
    return wp.normalize(d + rough * wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state)))


@formula
def refracted(d: ray_direction, n: surface_normal, eta: index_ratio) -> refracted_direction:
    "by Snell's law, with c = -{d} . {n} and k = 1 - {eta}^2 (1 - c^2), {eta} {d} + ({eta} c - sqrt(k)) {n}, or the reflection {d} + 2 c {n} if k is negative"
    cosine = -wp.dot(d, n)
    k = 1.0 - eta * eta * (1.0 - cosine * cosine)
    if k < 0.0:
        return d + 2.0 * cosine * n
    return eta * d + (eta * cosine - wp.sqrt(k)) * n


@formula
def pinhole_direction(s: pixel_offset, rot: camera_rotation, f: film_distance) -> ray_direction:
    "the view direction of a pinhole camera that looks along its negative z axis, the unit vector along ({s}[0], {s}[1], -{f}) rotated by {rot}"
    local = wp.vec3(s[0], s[1], -f)
    return wp.normalize(wp.quat_rotate(rot, local))


@formula
def attenuated(beta: path_throughput, t: ray_distance, sigma: absorption) -> path_throughput:
    "{beta} exp(-{sigma} {t}), or {beta} as it is if {t} is negative, which stands for no hit"
    if t < 0.0:
        return beta
    return beta * wp.exp(-sigma * t)


@formula
def depth_of_sphere(o: ray_origin, d: ray_direction, c: other.sphere_center,
                    radius: other.sphere_radius, a: other.sphere_weight) -> optical_depth:
    "{a} exp(-g^2 / {radius}^2), where g is the distance of {c} from the line through {o} along {d}"
    m = c - o
    along = wp.dot(m, d)
    gap = wp.dot(m, m) - along * along
    return a * wp.exp(-gap / (radius * radius))


@algorithm
def closest_sphere(o: ray_origin, d: ray_direction, centers: other.sphere_center,
                   radii: other.sphere_radius, far: reach, distances: out.ray_distance,
                   ids: out.sphere_hit):
    "for each ray the smallest distance at which it enters a sphere, and the index of that sphere; {far} and -1 if it enters none before {far}; spheres that contain the origin are not seen"
    i = thread()
    guard(i)
    origin = o[i]
    u = d[i]
    best = float(far)
    best_id = int(-1)
    for k in range(count(other)):
        m = origin - centers[k]
        r = radii[k]
        b = wp.dot(m, u)
        h = b * b - wp.dot(m, m) + r * r
        if h >= 0.0:
            t = -b - wp.sqrt(h)
            if t > 0.0 and t < best:
                best = t
                best_id = k
    distances[i] = best
    ids[i] = best_id


@algorithm
def count_blockers(o: ray_origin, d: ray_direction, centers: other.sphere_center,
                   radii: other.sphere_radius, far: reach, counts: out.blocked_count):
    "counts for each ray the spheres that the segment from {o} over the length {far} along {d} touches: those whose center is not farther than the radius from the nearest point of the segment"
    i = thread()
    guard(i)
    origin = o[i]
    u = d[i]
    hits = int(0)
    for k in range(count(other)):
        m = centers[k] - origin
        along = wp.clamp(wp.dot(m, u), 0.0, far)
        gap = m - along * u
        if wp.length(gap) <= radii[k]:
            hits += 1
    counts[i] = hits


@algorithm
def shade_listed_sphere(o: ray_origin, d: ray_direction, ids: element_to_other_or_none,
                        centers: other.sphere_center, radii: other.sphere_radius,
                        normals: out.surface_normal):
    "for each ray with a candidate sphere the unit normal where it enters that sphere, or minus {d} if it misses the sphere or enters it behind {o}; zero if there is no candidate"
    i = thread()
    guard(i)
    k = ids[i]
    if k < 0:
        normals[i] = wp.vec3(0.0, 0.0, 0.0)
        return
    origin = o[i]
    u = d[i]
    center = centers[k]
    t = sphere_distance(origin, u, center, radii[k])
    if t < 0.0:
        normals[i] = -u
        return
    normals[i] = wp.normalize(origin + t * u - center)


@algorithm
def intersect_boxes(
    o: ray_origin, d: ray_direction, lowers: box_low["b"], sizes: box_size["b"], far: reach,
    distances: out.ray_distance,
):
    "the slab test of each ray with all boxes, given by their lower corners {lowers} and their sizes {sizes}: the smallest t from 0 to {far} at which {o} + t {d} lies in a box, or {far} if there is none; components of {d} with a magnitude below 1e-6 count as 1e-6, or as -1e-6 if they are negative"
    i = thread()
    guard(i)
    origin = o[i]
    dir = d[i]
    best = float(far)
    for b in range(lowers.shape[0]):
        lower = lowers[b]
        size = sizes[b]
        t_in = float(0.0)
        t_out = float(far)
        for axis in range(3):
            slope = dir[axis]
            if wp.abs(slope) < 1.0e-6:
                slope = wp.where(slope < 0.0, -1.0e-6, 1.0e-6)
            t0 = (lower[axis] - origin[axis]) / slope
            t1 = t0 + size[axis] / slope
            t_in = wp.max(t_in, wp.min(t0, t1))
            t_out = wp.min(t_out, wp.max(t0, t1))
        if t_in <= t_out and t_in < best:
            best = t_in
    distances[i] = best


@algorithm
def intersect_triangles(
    o: ray_origin["n"], d: ray_direction["n"], verts: corner_point["v"],
    indices: corner_index["f,3", "0:v"], uvs: out.barycentric["n"], hits: out.ray_distance["n"],
):
    "intersects ray i with the plane of triangle i modulo the number of triangles, whose corners its row of {indices} names, by the method of Moeller and Trumbore: with the edges a and b from the first to the second and third corner, p = {d} x b, the determinant a . p, which counts as 0.01 if its magnitude is smaller, s from the first corner to {o} and q = s x a, {uvs} is (s . p, {d} . q) and {hits} is b . q, both over the determinant"
    i = thread()
    guard(i)
    f = i % indices.shape[0]
    corner = verts[indices[f, 0]]
    a = verts[indices[f, 1]] - corner
    b = verts[indices[f, 2]] - corner
    dir = d[i]
    p = wp.cross(dir, b)
    det = wp.dot(a, p)
    if wp.abs(det) < 0.01:
        det = 0.01
    s = o[i] - corner
    q = wp.cross(s, a)
    uvs[i] = wp.vec2(wp.dot(s, p) / det, wp.dot(dir, q) / det)
    hits[i] = wp.dot(b, q) / det


@algorithm(share=2)
def march_through_density(
    o: ray_origin, d: ray_direction, density: whole.cell_density, far: reach, steps: probe_count,
    beta: out.path_throughput,
):
    "the share of light that passes along each ray over the length {far}: exp(-sum), where the sum is that of {density} times the step length over {steps} equal steps along {d} from {o}, taken at the middle (x, y, z) of each step in the cell floor(|x| + |y|), modulo the number of cells"
    i = thread()
    guard(i)
    origin = o[i]
    u = d[i]
    step = far / float(steps)
    depth = float(0.0)
    for k in range(steps):
        p = origin + (float(k) + 0.5) * step * u
        cell = int(wp.floor(wp.abs(p[0]) + wp.abs(p[1]))) % count(whole)
        depth += density[cell] * step
    beta[i] = wp.exp(-depth)
