# SPDX-License-Identifier: Apache-2.0
"""Rays and meshes: depth, shadow, reflection, visibility."""

field("rays and meshes", element="ray rays", other="light lights", apart=True)

start_of_ray = quantity(vec3, "m", "origin", one="o origin", many="origins ray_origins", low=0.0, high=4.0)
aim_of_ray = quantity(vec3, "1", "unit direction", one="d dir", many="dirs ray_dirs directions", unit_length=True)
range_of_ray = quantity(float, "m", "largest distance", one="max_t max_range", low=1.0, high=8.0, uniform=True)
depth_of_hit = quantity(float, "m", "hit distance", one="t", many="depths hit_t")
depth_image = quantity(float, "m", "depths of the pixels", one="t", many="depths depth_image")
normal_of_hit = quantity(vec3, "1", "hit normal", one="n", many="normals hit_normals", unit_length=True)
point_of_hit = quantity(vec3, "m", "hit point", one="hit", many="hit_points hits")
face_of_hit = quantity(int, "1", "hit face", one="face", many="hit_faces face_ids", low=-1, high=7)
color_of_ray = quantity(vec3, "1", "color", one="color", many="colors pixels radiance", low=0.1, high=1.0, means="blend")
color_of_face = quantity(vec3, "1", "color", one="albedo", many="face_colors albedos", low=0.1, high=1.0)
color_of_sky = quantity(vec3, "1", "color of the sky", one="sky background", uniform=True)
towards_sun = quantity(vec3, "1", "unit vector towards the sun", one="sun_dir to_sun", uniform=True, unit_length=True)
lamp_position = quantity(vec3, "m", "lamp position", one="lamp", many="lamps light_positions")
lamp_power = quantity(float, "W", "lamp power", one="power", many="powers intensities", low=0.5, high=4.0)
light_share = quantity(float, "1", "received light", one="light", many="light received", low=0.1, high=1.0, means="blend zero")
lamp_light = quantity(float, "W/m^2", "light of the lamps", one="light", many="lamp_light received", low=0.1, high=1.0, means="adds peak zero")
hits_of_face = quantity(int, "1", "number of hits", one="hits", many="hit_counts", low=0, high=4)
ray_offset = quantity(float, "m", "offset along the normal", one="bias eps", low=0.01, high=0.1, uniform=True)
ray_weight = quantity(float, "J", "energy", one="energy", many="ray_energies energies", low=0.1, high=1.0)
face_dose = quantity(float, "J", "absorbed energy", one="dose", many="doses absorbed", low=0.1, high=1.0)
sample_direction = quantity(vec3, "1", "unit directions of the samples", one="s", many="sample_dirs hemisphere", unit_length=True)
corner_shade = quantity(float, "1", "shades of the vertices", one="shade", many="vertex_shades", low=0.1, high=1.0)
picked_shade = quantity(float, "1", "shade", one="shade", many="shades", low=0.1, high=1.0)
occlusion_flag = quantity(int, "1", "occlusion flag", one="blocked", many="occluded blocked", low=0, high=1)
ray_absorption = quantity(float, "1/m", "absorption coefficient", one="sigma absorption", low=0.1, high=1.0, uniform=True)
range_noise = quantity(float, "m", "noise of the ranges", one="noise sigma", low=0.01, high=0.2, uniform=True)
range_dropout = quantity(float, "1", "chance that a range is lost", one="dropout", low=0.1, high=0.6, uniform=True)
measured_range = quantity(float, "m", "measured range", one="range", many="ranges measured", low=0.0, high=8.0)
mesh_ray_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
pixel_direction = quantity(vec3, "1", "unit directions through the pixels", one="d", many="pixel_dirs camera_dirs", unit_length=True)
ray_sample_count = quantity(int, "1", "number of samples", one="samples num_samples", low=1, high=4, uniform=True)
camera_center = quantity(vec3, "m", "position of the camera", one="eye camera_pos", uniform=True)
focal_length = quantity(float, "1", "focal length", one="focal", low=0.5, high=2.0, uniform=True)


@algorithm
def cast_rays(mesh: mesh_id, origins: start_of_ray, dirs: aim_of_ray, far: range_of_ray, depths: out.depth_of_hit,
              normals: out.normal_of_hit):
    "the distance along each ray at which it hits {mesh}, and the normal there; {far} and zero if it hits nothing up to there"
    i = thread()
    guard(i)
    hit = wp.mesh_query_ray(mesh, origins[i], dirs[i], far)
    if hit.result:
        depths[i] = hit.t
        normals[i] = hit.normal
    else:
        depths[i] = far
        normals[i] = wp.vec3()


@algorithm
def shade_by_sun(mesh: mesh_id, origins: start_of_ray, dirs: aim_of_ray, colors: face.color_of_face, sun: towards_sun,
                 sky: color_of_sky, far: range_of_ray, pixels: out.color_of_ray):
    "the color that each ray sees: that of the face of {mesh} that it hits, times the dot product of the unit normal, turned against the ray, and {sun}, but not below zero; {sky} where the ray hits nothing up to {far}"
    i = thread()
    guard(i)
    d = dirs[i]
    hit = wp.mesh_query_ray(mesh, origins[i], d, far)
    if not hit.result:
        pixels[i] = sky
        return
    n = wp.normalize(hit.normal)
    if wp.dot(n, d) > 0.0:
        n = -n
    pixels[i] = colors[hit.face] * wp.max(wp.dot(n, sun), 0.0)


@algorithm
def cast_shadow_rays(mesh: mesh_id, points: point_of_hit, normals: normal_of_hit, sun: towards_sun, bias: ray_offset,
                     far: range_of_ray, lit: out.light_share):
    "computes for the hit point of each ray the dot product of its normal and {sun}, or zero if that is not positive or if a ray along {sun}, which begins {bias} along the normal, hits {mesh} within {far}"
    i = thread()
    guard(i)
    n = normals[i]
    cosine = wp.dot(n, sun)
    lit[i] = 0.0
    if cosine <= 0.0:
        return
    hit = wp.mesh_query_ray(mesh, points[i] + n * bias, sun, far)
    if not hit.result:
        lit[i] = cosine


@algorithm
def reflect_on_mesh(mesh: mesh_id, origins: start_of_ray, dirs: aim_of_ray, far: range_of_ray, bias: ray_offset,
                    next_origins: out.start_of_ray, next_dirs: out.aim_of_ray):
    "reflects each ray where it hits {mesh} within {far}: the new direction is d - 2 (d . n) n with the unit normal n, the new origin the point of the hit plus {bias} times the new direction; rays that hit nothing stay"
    i = thread()
    guard(i)
    o = origins[i]
    d = dirs[i]
    hit = wp.mesh_query_ray(mesh, o, d, far)
    if hit.result:
        n = wp.normalize(hit.normal)
        r = d - n * (2.0 * wp.dot(d, n))
        next_origins[i] = o + d * hit.t + r * bias
        next_dirs[i] = r
    else:
        next_origins[i] = o
        next_dirs[i] = d


@algorithm
def count_hits_by_face(mesh: mesh_id, origins: start_of_ray, dirs: aim_of_ray, far: range_of_ray, counts: out_face.hits_of_face,
                       faces: out.face_of_hit):
    "stores the face of {mesh} that each ray hits first within {far} in {faces}, or -1 if it hits none, and adds 1 atomically to {counts} of that face"
    i = thread()
    guard(i)
    hit = wp.mesh_query_ray(mesh, origins[i], dirs[i], far)
    face = int(-1)
    if hit.result:
        face = hit.face
        wp.atomic_add(counts, face, 1)
    faces[i] = face


@algorithm
def deposit_energy(mesh: mesh_id, origins: start_of_ray, dirs: aim_of_ray, weights: ray_weight, sigma: ray_absorption,
                   far: range_of_ray, doses: out_face.face_dose):
    "adds atomically to {doses}, at the face of {mesh} that each ray hits first within {far}, {weights} of the ray times exp(-{sigma} t), where t is the distance to the hit"
    i = thread()
    guard(i)
    hit = wp.mesh_query_ray(mesh, origins[i], dirs[i], far)
    if not hit.result:
        return
    wp.atomic_add(doses, hit.face, weights[i] * wp.exp(-sigma * hit.t))


@algorithm
def sum_of_visible_lamps(mesh: mesh_id, points: point_of_hit, lamps: other.lamp_position, powers: other.lamp_power,
                         lit: out.lamp_light):
    "the sum over all lamps that the hit point of each ray sees, without {mesh} in between, of their power divided by (1 + the squared distance); the ray from the point towards a lamp begins at a hundredth of the way"
    i = thread()
    guard(i)
    p = points[i]
    total = float(0.0)
    for k in range(count(other)):
        to_lamp = lamps[k] - p
        hit = wp.mesh_query_ray(mesh, p + 0.01 * to_lamp, to_lamp, 0.99)
        if not hit.result:
            total += powers[k] / (1.0 + wp.dot(to_lamp, to_lamp))
    lit[i] = total


@algorithm
def occlusion_by_samples(mesh: mesh_id, points: point_of_hit, normals: normal_of_hit, samples: whole.sample_direction,
                         bias: ray_offset, far: range_of_ray, open: out.light_share):
    "finds the ambient occlusion at each hit point: the share of the directions in {samples}, each reversed if its dot product with the normal is negative, along which a ray that begins {bias} along the normal from the hit point does not hit {mesh} within {far}"
    i = thread()
    guard(i)
    n = normals[i]
    o = points[i] + n * bias
    free = int(0)
    for k in range(count(whole)):
        s = samples[k]
        if wp.dot(s, n) < 0.0:
            s = -s
        hit = wp.mesh_query_ray(mesh, o, s, far)
        if not hit.result:
            free += 1
    open[i] = float(free) / float(count(whole))


@algorithm
def interpolate_shades(mesh: mesh_id, origins: start_of_ray, dirs: aim_of_ray, shades: corner_shade["6"], far: range_of_ray,
                       picked: out.picked_shade):
    "the shade of the vertices of the face of {mesh} that each ray hits within {far}, weighted by the barycentric coordinates u, v and 1 - u - v of the hit; zero if it hits none"
    i = thread()
    guard(i)
    picked[i] = 0.0
    hit = wp.mesh_query_ray(mesh, origins[i], dirs[i], far)
    if hit.result:
        a = shades[wp.mesh_get_index(mesh, 3 * hit.face)]
        b = shades[wp.mesh_get_index(mesh, 3 * hit.face + 1)]
        c = shades[wp.mesh_get_index(mesh, 3 * hit.face + 2)]
        picked[i] = hit.u * a + hit.v * b + (1.0 - hit.u - hit.v) * c


@algorithm
def snap_to_mesh_along(mesh: mesh_id, points: start_of_ray, dirs: aim_of_ray, far: range_of_ray, snapped: out.point_of_hit):
    "moves the origin of each ray along the ray to {mesh}, forwards or backwards, whichever hit is nearer; it stays if neither direction hits the mesh within {far}"
    i = thread()
    guard(i)
    p = points[i]
    d = dirs[i]
    t = float(0.0)
    ahead = wp.mesh_query_ray(mesh, p, d, far)
    behind = wp.mesh_query_ray(mesh, p, -d, far)
    if ahead.result:
        t = ahead.t
    if behind.result and (not ahead.result or behind.t < ahead.t):
        t = -behind.t
    snapped[i] = p + d * t


@algorithm
def occluded_rays(mesh: mesh_id, origins: start_of_ray, dirs: aim_of_ray, far: range_of_ray, hits: out.occlusion_flag):
    "1 for each ray that hits anything of {mesh} within {far}, else 0"
    i = thread()
    guard(i)
    if wp.mesh_query_ray_anyhit(mesh, origins[i], dirs[i], far):
        hits[i] = 1
    else:
        hits[i] = 0


@algorithm(dims=2)
def render_depth_image(mesh: mesh_id, eye: camera_center, focal: focal_length, far: range_of_ray,
                       depths: out.depth_image["n,m"]):
    "a depth image of {mesh}: the pixel in row y and column x looks from {eye} along the unit vector of ((x + 0.5) / width - 0.5, 0.5 - (y + 0.5) / height, -{focal}); the depth is the distance to the hit, or {far} if there is none nearer"
    y, x = thread()
    u = (float(x) + 0.5) / float(depths.shape[1]) - 0.5
    v = 0.5 - (float(y) + 0.5) / float(depths.shape[0])
    d = wp.normalize(wp.vec3(u, v, -focal))
    hit = wp.mesh_query_ray(mesh, eye, d, far)
    depth = far
    if hit.result:
        depth = hit.t
    depths[y, x] = depth


@algorithm(share=2)
def scan_with_lidar(mesh: mesh_id, origins: start_of_ray, dirs: aim_of_ray, far: range_of_ray, sigma: range_noise,
                    dropout: range_dropout, seed: mesh_ray_seed, ranges: out.measured_range):
    "the range that a lidar measures along each ray: the distance at which the ray hits {mesh} plus {sigma} times a standard normal number, but not below zero; {far} if it hits nothing within {far}, or if a number from 0 to 1, which is drawn before the normal one, is below {dropout}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    ranges[i] = far
    lost = wp.randf(state) < dropout
    hit = wp.mesh_query_ray(mesh, origins[i], dirs[i], far)
    if hit.result and not lost:
        ranges[i] = wp.max(hit.t + sigma * wp.randn(state), 0.0)


@algorithm(dims=2, share=2)
def jittered_camera_rays(focal: focal_length, seed: mesh_ray_seed, dirs: out.pixel_direction["n,m"]):
    "a random ray through each pixel of a camera that looks along -z: the pixel in row y and column x draws two numbers a and b from 0 to 1 and gets the unit vector of ((x + a) / width - 0.5, 0.5 - (y + b) / height, -{focal}), where width and height are the numbers of columns and rows"
    y, x = thread()
    state = wp.rand_init(seed, y * dirs.shape[1] + x)
    a = wp.randf(state)
    b = wp.randf(state)
    u = (float(x) + a) / float(dirs.shape[1]) - 0.5
    v = 0.5 - (float(y) + b) / float(dirs.shape[0])
    dirs[y, x] = wp.normalize(wp.vec3(u, v, -focal))


@algorithm(share=2)
def occlusion_by_random_rays(mesh: mesh_id, points: point_of_hit, normals: normal_of_hit, bias: ray_offset,
                             far: range_of_ray, samples: ray_sample_count, seed: mesh_ray_seed, open: out.light_share):
    "finds the ambient occlusion at the hit point of each ray, the share of {samples} random rays that do not hit {mesh} within {far}; each has the direction of a random unit vector that `wp.sample_unit_sphere_surface` draws, reversed if its dot product with the normal is negative, and begins {bias} along the normal from the hit point"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    n = normals[i]
    o = points[i] + n * bias
    free = int(0)
    for s in range(samples):
        d = wp.sample_unit_sphere_surface(state)
        if wp.dot(d, n) < 0.0:
            d = -d
        hit = wp.mesh_query_ray(mesh, o, d, far)
        if not hit.result:
            free += 1
    open[i] = float(free) / float(samples)
