# SPDX-License-Identifier: Apache-2.0
"""Rays: intersections, reflection, refraction."""

field("rays", element="ray rays", other="sphere spheres", link="candidate candidates", apart=True)

ray_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)
lens_point = quantity(vec3, "m", "point on the lens", one="p", many="lens_points ray_starts")
primary_direction = quantity(vec3, "1", "primary direction", one="d", many="primary_dirs camera_dirs")
lens_radius = quantity(float, "m", "radius of the lens", one="lens_radius aperture", low=0.05, high=0.5, uniform=True)
focus_distance = quantity(float, "m", "distance of the plane in focus", one="focus focus_dist", low=1.0, high=4.0, uniform=True)
scattering_share = quantity(float, "1", "single-scattering albedo", one="albedo", low=0.3, high=0.95, uniform=True)
scattering_anisotropy = quantity(float, "1", "scattering anisotropy", one="g", low=0.1, high=0.8, uniform=True)
least_survival = quantity(float, "1", "least chance of survival", one="p_min min_survival", low=0.05, high=0.4, uniform=True)
ray_origin = quantity(vec3, "m", "origin", one="o origin ro", many="origins ray_origins ro")
ray_direction = quantity(vec3, "1", "unit direction", one="d direction rd",
                         many="directions ray_dirs rd", unit_length=True)
ray_distance = quantity(float, "m", "ray distance", one="t dist", many="distances t")
nearest_distance = quantity(float, "m", "nearest distance", one="t dist", many="nearest hit_distances")
hit_point = quantity(vec3, "m", "hit point", one="p hit", many="points hit_points")
surface_normal = quantity(vec3, "1", "unit normal", one="n normal", many="normals", unit_length=True)
hit_normal = quantity(vec3, "1", "hit normal", one="n normal", many="normals hit_normals", unit_length=True)
scattered_direction = quantity(vec3, "1", "scattered direction", one="d scattered", many="scattered scattered_dirs", unit_length=True)
reflected_direction = quantity(vec3, "1", "reflected direction", one="r reflected",
                               many="reflected reflections", unit_length=True)
refracted_direction = quantity(vec3, "1", "refracted direction", one="r refracted",
                               many="refracted transmitted", unit_length=True)
index_ratio = quantity(float, "1", "ratio of the refractive indices, before the surface to behind it", one="eta ratio", low=0.5,
                       high=2.0, uniform=True)
sphere_center = quantity(vec3, "m", "sphere center", one="c center", many="centers sphere_centers", not_with="floor_height")
sphere_radius = quantity(float, "m", "sphere radius", one="radius", many="radii sphere_radii",
                         low=0.1, high=2.0)
sphere_hit = quantity(int, "1", "hit sphere", one="hit_id", many="hit_ids sphere_hit",
                      low=-1, high=2)
floor_height = quantity(float, "m", "floor height", one="floor height", uniform=True)
blocked_count = quantity(int, "1", "number of blocking spheres", one="count", many="counts num_blocked",
                         low=0, high=4)
reach = quantity(float, "m", "largest distance", one="t_max max_dist", low=1.0, high=4.0, uniform=True)
pixel_offset = quantity(vec2, "m", "film position", one="s film", many="film_pos film_points")
film_jitter = quantity(float, "m", "jitter on the film", one="jitter", low=0.02, high=0.3, uniform=True)
camera_rotation = quantity(quat, "1", "camera rotation", one="rot cam_rot", uniform=True)
film_distance = quantity(float, "m", "focal length", one="focal f", low=0.5, high=2.0, uniform=True)
path_throughput = quantity(float, "1", "throughput", one="throughput beta",
                           many="throughput", low=0.1, high=1.0)
absorption = quantity(float, "1/m", "absorption coefficient", one="sigma_a absorption", low=0.1, high=1.0,
                      uniform=True)
plane_point = quantity(vec3, "m", "point of the plane", one="q p0", uniform=True, not_with="sphere_center")
plane_facing = quantity(vec3, "1", "unit normal of the plane", one="n plane_n", uniform=True, unit_length=True)
sphere_weight = quantity(float, "1", "opacity", one="opacity a", many="opacities alphas", low=0.1,
                         high=1.0)
optical_depth = quantity(float, "1", "optical depth", one="tau depth", many="tau optical_depth",
                         sums=True, means="adds")
box_entry = quantity(float, "m", "entry distances, by ray and box", one="entry", many="entries entry_distances")
box_low = quantity(vec3, "m", "lower corners of the boxes", one="lower box_min", many="lowers box_mins")
box_size = quantity(vec3, "m", "sizes of the boxes", one="size extent", many="sizes extents", low=0.5,
                    high=4.0)
corner_point = quantity(vec3, "m", "vertices of the triangles", one="v", many="vertices verts")
corner_index = quantity(int, "1", "vertices of each triangle", one="corner", many="indices triangles", low=0, high=5)
triangle_hit = quantity(int, "1", "hit triangle", one="face", many="faces hit_faces", low=-1, high=2)
layer_extinction = quantity(float, "1/m", "extinctions of the layers", one="sigma", many="extinctions sigmas",
                        low=0.1, high=1.0)
layer_height = quantity(float, "m", "thickness of a layer", one="thickness", low=0.25, high=1.0, uniform=True)
surface_roughness = quantity(float, "1", "roughness of the surface", one="rough roughness", low=0.05, high=0.4, uniform=True)


@formula
def sphere_distance(o: ray_origin, d: ray_direction, c: uniform.sphere_center,
                    radius: uniform.sphere_radius) -> ray_distance:
    "the smaller t at which {o} plus t times {d} has the distance {radius} from {c}; -1 if the line passes {c} at a larger distance, or if t is negative"
    m = o - c
    b = wp.dot(m, d)
    h = b * b - wp.dot(m, m) + radius * radius
    if h < 0.0:
        return -1.0
    t = -b - wp.sqrt(h)
    if t < 0.0:
        return -1.0
    return t


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
    "the t at which {o} plus t times {d} meets the plane through {q} with the normal {n}; -1 if the magnitude of the dot product of {d} and {n} is below 0.001, or if t is negative"
    slope = wp.dot(d, n)
    if wp.abs(slope) < 0.001:
        return -1.0
    t = wp.dot(q - o, n) / slope
    if t < 0.0:
        return -1.0
    return t


@formula
def point_on_ray(o: ray_origin, d: ray_direction, t: ray_distance) -> hit_point:
    "{o} plus {t} times {d}, or {o} itself if {t} is negative, which stands for no hit"
    if t < 0.0:
        return o
    return o + t * d


@formula
def normal_at_hit(o: ray_origin, d: ray_direction, t: ray_distance, c: uniform.sphere_center) -> hit_normal:
    "the unit vector from {c} to {o} plus {t} times {d}, or the zero vector if {t} is negative, which stands for no hit"
    if t < 0.0:
        return wp.vec3()
    return wp.normalize(o + t * d - c)


@formula
def reflect_direction(d: ray_direction, n: surface_normal) -> reflected_direction:
    "{d} - 2 ({d} . {n}) {n}"
    return d - 2.0 * wp.dot(d, n) * n


@formula
def reflect_at_hit(d: ray_direction, n: hit_normal) -> reflected_direction:
    "{d} - 2 ({d} . {n}) {n}, which is {d} where {n} is zero"
    return d - 2.0 * wp.dot(d, n) * n


@formula
def scattered_by_cosine(n: surface_normal, state: random_state) -> scattered_direction:
    "the unit vector along {n} + (r cos(a), r sin(a), z), a random direction whose density is proportional to the cosine of its angle to {n}, where z is a random number from -1 to 1, a is 2 pi times a second one from 0 to 1, and r = sqrt(1 - z^2)"
    z = wp.randf(state, -1.0, 1.0)
    a = 2.0 * wp.pi * wp.randf(state)
    r = wp.sqrt(1.0 - z * z)
    return wp.normalize(n + wp.vec3(r * wp.cos(a), r * wp.sin(a), z))


@formula
def roughen_direction(d: reflected_direction, rough: surface_roughness, state: random_state) -> reflected_direction:
    "the unit vector along {d} + {rough} (x, y, z) with three standard normal numbers x, y and z"
    return wp.normalize(d + rough * wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state)))


@formula
def refract_direction(d: ray_direction, n: surface_normal, eta: index_ratio) -> refracted_direction:
    "by Snell's law, {eta} {d} + ({eta} c - sqrt(k)) {n}, where c = -{d} . {n} and k = 1 - {eta}^2 (1 - c^2), or the reflection {d} + 2 c {n} if k is negative; {d} is taken to meet the side that {n} points to"
    cosine = -wp.dot(d, n)
    k = 1.0 - eta * eta * (1.0 - cosine * cosine)
    if k < 0.0:
        return d + 2.0 * cosine * n
    return eta * d + (eta * cosine - wp.sqrt(k)) * n


@formula
def pinhole_direction(s: pixel_offset, rot: camera_rotation, f: film_distance) -> primary_direction:
    "the view direction of a pinhole camera that looks along its negative z axis, the unit vector along ({s}[0], {s}[1], -{f}) rotated by {rot}"
    local = wp.vec3(s[0], s[1], -f)
    return wp.normalize(wp.quat_rotate(rot, local))


@formula
def jitter_on_film(s: pixel_offset, jitter: film_jitter, state: random_state) -> pixel_offset:
    "{s} plus {jitter} times a vector of two random numbers from -0.5 to 0.5"
    return s + jitter * wp.vec2(wp.randf(state, -0.5, 0.5), wp.randf(state, -0.5, 0.5))


@formula
def attenuate(beta: path_throughput, t: ray_distance, sigma: absorption) -> path_throughput:
    "{beta} exp(-{sigma} {t}), or {beta} as it is if {t} is negative, which stands for no hit"
    if t < 0.0:
        return beta
    return beta * wp.exp(-sigma * t)


@formula
def play_roulette(beta: path_throughput, p_min: least_survival, state: random_state) -> path_throughput:
    "by Russian roulette, {beta} / p if a random number from 0 to 1 is below p, else 0, where p is {beta}, clamped to the range from {p_min} to 1"
    p = wp.clamp(beta, p_min, 1.0)
    return wp.where(wp.randf(state) < p, beta / p, 0.0)


@formula
def sphere_depth(o: ray_origin, d: ray_direction, c: other.sphere_center,
                    radius: other.sphere_radius, a: other.sphere_weight) -> optical_depth:
    "zero if {c} lies behind {o}, seen along {d}, else {a} exp(-s^2 / {radius}^2), where s is the distance of {c} from the line through {o} along {d}"
    m = c - o
    along = wp.dot(m, d)
    if along < 0.0:
        return 0.0
    gap2 = wp.dot(m, m) - along * along
    return a * wp.exp(-gap2 / (radius * radius))


@algorithm
def closest_sphere(o: ray_origin, d: ray_direction, centers: other.sphere_center,
                   radii: other.sphere_radius, far: reach, distances: out.nearest_distance,
                   ids: out.sphere_hit):
    "finds the first sphere that each ray enters: {distances} gets the distance to where it enters it and {ids} the index of the sphere, or {far} and -1 if it enters none nearer than {far}; spheres that contain the origin are not seen"
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
def normal_on_listed_sphere(o: ray_origin, d: ray_direction, ids: element_to_other_or_none,
                        centers: other.sphere_center, radii: other.sphere_radius,
                        normals: out.surface_normal):
    "the unit normal where each ray enters the sphere that is listed for it; zero if it has no sphere (-1), misses it, or enters it behind {o}"
    i = thread()
    guard(i)
    k = ids[i]
    normals[i] = wp.vec3(0.0, 0.0, 0.0)
    if k < 0:
        return
    origin = o[i]
    u = d[i]
    center = centers[k]
    t = sphere_distance(origin, u, center, radii[k])
    if t >= 0.0:
        normals[i] = wp.normalize(origin + t * u - center)


@algorithm(dims=2)
def intersect_boxes(
    o: ray_origin["n"], d: ray_direction["n"], lowers: box_low["m"], sizes: box_size["m"], far: reach,
    entries: out.box_entry["n,m"],
):
    "tests each ray i against each box j, given by its lower corner in {lowers} and its size in {sizes}, by the slab method: `{entries}[i, j]` gets the smallest t from 0 to {far} at which `{o}[i]` plus t times `{d}[i]` lies in the box, or {far} if there is none; components of `{d}[i]` with a magnitude below 1e-6 count as 1e-6, or as -1e-6 if they are negative"
    i, j = thread()
    guard(i, j)
    origin = o[i]
    heading = d[i]
    lower = lowers[j]
    size = sizes[j]
    t_in = float(0.0)
    t_out = float(far)
    for axis in range(3):
        along = heading[axis]
        if wp.abs(along) < 1.0e-6:
            along = wp.where(along < 0.0, -1.0e-6, 1.0e-6)
        t0 = (lower[axis] - origin[axis]) / along
        t1 = t0 + size[axis] / along
        t_in = wp.max(t_in, wp.min(t0, t1))
        t_out = wp.min(t_out, wp.max(t0, t1))
    if t_in <= t_out:
        entries[i, j] = t_in
    else:
        entries[i, j] = far


@function
def triangle_distance(o: vec3, d: vec3, a: vec3, b: vec3, c: vec3):
    "by the method of Moeller and Trumbore, the t at which {o} plus t times {d} lies in the triangle {a}, {b}, {c}; -1 if it does so nowhere, or if the magnitude of the determinant e . ({d} x f) of the edges e from {a} to {b} and f from {a} to {c} is below 1e-6"
    e = b - a
    f = c - a
    p = wp.cross(d, f)
    det = wp.dot(e, p)
    if wp.abs(det) < 1.0e-6:
        return -1.0
    s = o - a
    u = wp.dot(s, p) / det
    if u < 0.0 or u > 1.0:
        return -1.0
    q = wp.cross(s, e)
    v = wp.dot(d, q) / det
    if v < 0.0 or u + v > 1.0:
        return -1.0
    return wp.dot(f, q) / det


@algorithm
def intersect_triangles(
    o: ray_origin["n"], d: ray_direction["n"], verts: corner_point["v"],
    indices: corner_index["f,3", "0:v"], far: reach, distances: out.nearest_distance["n"],
    faces: out.triangle_hit["n"],
):
    "finds the first triangle that each ray hits: {distances} gets the smallest t from 0 to {far} at which {o} plus t times {d} lies in a triangle, whose corners its row of {indices} names, and {faces} the index of that triangle, or {far} and -1 if there is none; a triangle counts as missed if the magnitude of e . ({d} x f), with its edges e and f from the first to the second and to the third corner, is below 1e-6"
    i = thread()
    guard(i)
    origin = o[i]
    u = d[i]
    best = float(far)
    face = int(-1)
    for k in range(indices.shape[0]):
        a = verts[indices[k, 0]]
        b = verts[indices[k, 1]]
        c = verts[indices[k, 2]]
        t = triangle_distance(origin, u, a, b, c)
        if t >= 0.0 and t < best:
            best = t
            face = k
    distances[i] = best
    faces[i] = face


@algorithm(share=2)
def march_through_layers(
    o: ray_origin, d: ray_direction, sigma: whole.layer_extinction, thickness: layer_height,
    far: reach, beta: out.path_throughput,
):
    "the share of light that passes through a layered haze along each ray over the length {far}: exp(-s), where s is the sum, over eight equal steps along {d} from {o}, of the step's length times {sigma} of the layer in which the middle of the step lies; a point with the z component z is in layer floor(z / {thickness}), clamped to the first and the last layer"
    i = thread()
    guard(i)
    origin = o[i]
    u = d[i]
    step = far / 8.0
    depth = float(0.0)
    for k in range(8):
        z = origin[2] + (float(k) + 0.5) * step * u[2]
        layer = wp.clamp(int(wp.floor(z / thickness)), 0, count(whole) - 1)
        depth += sigma[layer] * step
    beta[i] = wp.exp(-depth)


@algorithm
def thin_lens_rays(
    s: pixel_offset, f: film_distance, aperture: lens_radius, focus: focus_distance, seed: ray_seed,
    o: out.lens_point, d: out.primary_direction,
):
    "draws rays of a camera with a thin lens, which blurs what is out of focus: {o} gets the point ({aperture} sqrt(u) cos(a), {aperture} sqrt(u) sin(a), 0) of the lens, with a random number u from 0 to 1 and the angle a, 2 pi times a second one; {d} gets the unit vector from there to the point in focus, which is ({s}[0], {s}[1], -{f}) times {focus} / {f}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    r = aperture * wp.sqrt(wp.randf(state))
    a = 2.0 * wp.pi * wp.randf(state)
    origin = wp.vec3(r * wp.cos(a), r * wp.sin(a), 0.0)
    film = s[i]
    target = focus / f * wp.vec3(film[0], film[1], -f)
    o[i] = origin
    d[i] = wp.normalize(target - origin)


@function
def turn_direction(d: vec3, cosine: float, angle: float):
    "{d} turned away by the angle whose cosine is {cosine}: {cosine} {d} + s (cos({angle}) t + sin({angle}) ({d} x t)), where s is the root of 1 - {cosine}^2, but at least 0, and t the unit vector along h x {d}, with h the z axis, or the x axis if the z component of {d} is above 0.9 in magnitude"
    h = wp.vec3(0.0, 0.0, 1.0)
    if wp.abs(d[2]) > 0.9:
        h = wp.vec3(1.0, 0.0, 0.0)
    t = wp.normalize(wp.cross(h, d))
    s = wp.sqrt(wp.max(1.0 - cosine * cosine, 0.0))
    return cosine * d + s * (wp.cos(angle) * t + wp.sin(angle) * wp.cross(d, t))


@algorithm
def scatter_photons(
    o: ray_origin, d: ray_direction, beta: path_throughput, sigma: absorption, albedo: scattering_share,
    g: scattering_anisotropy, seed: ray_seed, o_out: out.ray_origin, d_out: out.ray_direction,
    beta_out: out.path_throughput,
):
    "a step of each photon through fog with three random numbers u, v and w from 0 to 1, drawn in this order: {o_out} gets the point -log(1 - u) / {sigma} along {d} from {o}, {beta_out} gets {beta} times {albedo}, and {d_out} gets {d} turned by `turn_direction` with the angle 2 pi w and the Henyey-Greenstein cosine (1 + {g}^2 - q^2) / (2 {g}), where q is (1 - {g}^2) / (1 - {g} + 2 {g} v)"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    heading = d[i]
    path = -wp.log(1.0 - wp.randf(state)) / sigma
    q = (1.0 - g * g) / (1.0 - g + 2.0 * g * wp.randf(state))
    cosine = (1.0 + g * g - q * q) / (2.0 * g)
    angle = 2.0 * wp.pi * wp.randf(state)
    o_out[i] = o[i] + path * heading
    d_out[i] = turn_direction(heading, cosine, angle)
    beta_out[i] = albedo * beta[i]
