# SPDX-License-Identifier: Apache-2.0
"""Points and meshes: nearest points, signed distances, collisions."""

field("points near meshes", element="particle particles", other="vertex vertices", apart=True)

near_point = quantity(vec3, "m", "position", one="p x", many="points particle_q positions")
reach_of_query = quantity(float, "m", "largest distance", one="max_dist", low=0.5, high=4.0, uniform=True)
mesh_distance = quantity(float, "m", "signed distance", one="d dist", many="distances sdf", means="range")
closest_point = quantity(vec3, "m", "closest point", one="closest", many="closest_points closest")
contact_side = quantity(int, "1", "inside flag", one="inside", many="inside inside_flags", low=0, high=1)
face_hits = quantity(int, "1", "number of hits", one="hits", many="hit_counts face_counts", low=0, high=4)
closest_face = quantity(int, "1", "nearest face", one="face", many="faces face_ids attached_faces", low=0, high=7)
surface_coordinates = quantity(vec2, "1", "barycentric coordinates", one="uv", many="face_uvs barycentrics", low=0.0, high=0.5)
moved_velocity = quantity(vec3, "m/s", "velocity", one="v", many="velocities particle_qd", means="length cap")
mesh_force = quantity(vec3, "N", "force", one="f", many="forces particle_f", means="adds length cap total")
face_temperature = quantity(float, "K", "temperature", one="temp", many="face_temperatures temps", low=0.5, high=4.0)
carried_temperature = quantity(float, "K", "temperature", one="temp", many="temperatures picked", low=0.5, high=4.0)
collision_stiffness = quantity(float, "N/m", "contact stiffness", one="ke stiffness", low=0.5, high=4.0, uniform=True)
collision_damping = quantity(float, "N s/m", "contact damping", one="kd damping", low=0.1, high=1.0, uniform=True)
collision_friction = quantity(float, "1", "friction coefficient", one="mu friction", low=0.1, high=1.0, uniform=True)
collision_margin = quantity(float, "m", "contact thickness", one="margin thickness", low=0.05, high=0.5, uniform=True)
mesh_direction = quantity(vec3, "1", "outward direction", one="dir n", many="normals directions")
box_extent = quantity(float, "m", "half size of the box", one="extent half", low=0.5, high=2.0, uniform=True)
triangles_near = quantity(int, "1", "number of triangles", one="count", many="counts triangle_counts", low=0, high=8)
normal_sum = quantity(vec3, "1", "normal sum", one="total", many="normal_sums", low=0.0)
force_on_face = quantity(vec3, "N", "load", one="f", many="face_forces loads")
weight_in_corner = quantity(float, "1", "weights of the vertices", one="w", many="weights vertex_weights", low=0.1, high=1.0)
blended_weight = quantity(float, "1", "blended weight", one="w", many="blended blended_weights", low=0.1, high=1.0)
step_of_time = quantity(float, "s", "time step", one="dt", low=0.01, high=0.1, uniform=True)
sphere_step = quantity(float, "m", "radius", one="r", many="radii sphere_radii", low=0.25, high=1.0)
mesh_transform = quantity(transform, "1", "transform of the mesh", one="xform mesh_xform X_ws", uniform=True)
clearance = quantity(float, "m", "clearance", one="gap clearance", many="clearances gaps")


@algorithm
def signed_distance_to_mesh(mesh: mesh_id, points: near_point, far: reach_of_query, sdf: out.mesh_distance):
    "the distance of each particle to the nearest point of {mesh}, negative inside; {far} if the mesh is not nearer than that"
    i = thread()
    guard(i)
    p = points[i]
    query = wp.mesh_query_point(mesh, p, far)
    if not query.result:
        sdf[i] = far
        return
    closest = wp.mesh_eval_position(mesh, query.face, query.u, query.v)
    sdf[i] = query.sign * wp.length(p - closest)


@algorithm
def closest_points_on_mesh(mesh: mesh_id, points: near_point, far: reach_of_query, closest: out.closest_point,
                           faces: out.closest_face):
    "for each particle the nearest point of {mesh} and the face that it lies on; where none is nearer than {far}, the position of the particle and -1"
    i = thread()
    guard(i)
    p = points[i]
    query = wp.mesh_query_point_no_sign(mesh, p, far)
    if query.result:
        closest[i] = wp.mesh_eval_position(mesh, query.face, query.u, query.v)
        faces[i] = query.face
    else:
        closest[i] = p
        faces[i] = -1


@algorithm
def push_out_of_mesh(mesh: mesh_id, x: near_point, far: reach_of_query, margin: collision_margin, pushed: out.near_point):
    "moves each particle out of {mesh} if it is inside or nearer to it than {margin}: to the nearest point of the mesh plus {margin} times the unit vector n, which goes from the nearest point to the particle at {x}, or the other way inside; particles further away than {far} stay"
    i = thread()
    guard(i)
    p = x[i]
    pushed[i] = p
    query = wp.mesh_query_point(mesh, p, far)
    if query.result:
        closest = wp.mesh_eval_position(mesh, query.face, query.u, query.v)
        d = p - closest
        if query.sign * wp.length(d) < margin:
            pushed[i] = closest + wp.normalize(d) * (query.sign * margin)


@algorithm
def collide_with_mesh(mesh: mesh_id, x: near_point, v: moved_velocity, far: reach_of_query, margin: collision_margin,
                      ke: collision_stiffness, kd: collision_damping, mu: collision_friction, f: out.mesh_force):
    "computes penalty forces of {mesh} on particles nearer to its surface than {margin} or inside: with the signed distance d, the outward unit vector n and the penetration c = d - {margin}, the normal force is -{ke} c - {kd} min(u, 0) along n, where u is the component of the velocity along n, and friction of the size {mu} times the normal force acts against the tangential velocity; other particles get no force"
    i = thread()
    guard(i)
    p = x[i]
    vel = v[i]
    f[i] = wp.vec3()
    query = wp.mesh_query_point(mesh, p, far)
    if not query.result:
        return
    away = p - wp.mesh_eval_position(mesh, query.face, query.u, query.v)
    c = query.sign * wp.length(away) - margin
    if c > 0.0:
        return
    n = wp.normalize(away) * query.sign
    vn = wp.dot(vel, n)
    fn = -ke * c - kd * wp.min(vn, 0.0)
    slip = vel - n * vn
    f[i] = n * fn - wp.normalize(slip) * (mu * fn)


@algorithm
def flag_points_inside(mesh: mesh_id, points: near_point, far: reach_of_query, inside: out.contact_side):
    "1 for each particle that lies inside {mesh} and not further than {far} from its surface, by the winding number with the accuracy 2 and the threshold 0.5, else 0"
    i = thread()
    guard(i)
    query = wp.mesh_query_point_sign_winding_number(mesh, points[i], far, 2.0, 0.5)
    if query.result and query.sign < 0.0:
        inside[i] = 1
    else:
        inside[i] = 0


@algorithm
def count_points_by_face(mesh: mesh_id, points: near_point, far: reach_of_query, counts: out_face.face_hits):
    "counts for each face of {mesh} the particles to which it is the nearest face: each particle adds 1 atomically to {counts} of that face; particles further away than {far} are left out"
    i = thread()
    guard(i)
    query = wp.mesh_query_point_no_sign(mesh, points[i], far)
    if query.result:
        wp.atomic_add(counts, query.face, 1)


@algorithm
def pick_face_temperature(mesh: mesh_id, points: near_point, temps: face.face_temperature, far: reach_of_query,
                          picked: out.carried_temperature):
    "the temperature of the face of {mesh} that is nearest to each particle; zero where none is nearer than {far}"
    i = thread()
    guard(i)
    picked[i] = 0.0
    query = wp.mesh_query_point_no_sign(mesh, points[i], far)
    if query.result:
        picked[i] = temps[query.face]


@algorithm
def attach_to_mesh(mesh: mesh_id, points: near_point, far: reach_of_query, faces: out.closest_face,
                   uvs: out.surface_coordinates):
    "for each particle the face of {mesh} that is nearest and the barycentric coordinates (u, v) of the nearest point on it, so that the particle can be carried along; the face is -1 and the coordinates are zero where the mesh is further away than {far}"
    i = thread()
    guard(i)
    faces[i] = -1
    uvs[i] = wp.vec2()
    query = wp.mesh_query_point_no_sign(mesh, points[i], far)
    if query.result:
        faces[i] = query.face
        uvs[i] = wp.vec2(query.u, query.v)


@algorithm
def carry_along_mesh(mesh: mesh_id, faces: closest_face, uvs: surface_coordinates, carried: out.near_point,
                     velocities: out.moved_velocity):
    "the position and the velocity of {mesh} at the point to which each particle is attached, given by the face in {faces} and the barycentric coordinates (u, v) in {uvs}"
    i = thread()
    guard(i)
    f = faces[i]
    uv = uvs[i]
    carried[i] = wp.mesh_eval_position(mesh, f, uv[0], uv[1])
    velocities[i] = wp.mesh_eval_velocity(mesh, f, uv[0], uv[1])


@algorithm
def drag_along_with_mesh(mesh: mesh_id, x: near_point, v: moved_velocity, far: reach_of_query, kd: collision_damping,
                         f: out.mesh_force):
    "the drag of {mesh} on each particle: {kd} (1 - d / {far}) (u - {v}), where d is the distance of the particle to the nearest point of the mesh and u the velocity of that point; zero where the mesh is further away than {far}"
    i = thread()
    guard(i)
    p = x[i]
    query = wp.mesh_query_point_no_sign(mesh, p, far)
    if not query.result:
        f[i] = wp.vec3()
        return
    closest = wp.mesh_eval_position(mesh, query.face, query.u, query.v)
    weight = 1.0 - wp.length(p - closest) / far
    f[i] = kd * weight * (wp.mesh_eval_velocity(mesh, query.face, query.u, query.v) - v[i])


@algorithm
def count_triangles_near(mesh: mesh_id, points: near_point, half: box_extent, counts: out.triangles_near):
    "counts for each particle the triangles of {mesh} whose boxes meet the cube around the particle with the half width {half}"
    i = thread()
    guard(i)
    p = points[i]
    reach = wp.vec3(half, half, half)
    query = wp.mesh_query_aabb(mesh, p - reach, p + reach)
    face = int(0)
    n = int(0)
    while wp.mesh_query_aabb_next(query, face):
        n += 1
    counts[i] = n


@algorithm
def sum_normals_near(mesh: mesh_id, points: near_point, half: box_extent, sums: out.normal_sum):
    "the sum of the unit normals of all triangles of {mesh} whose boxes meet the cube around each particle with the half width {half}"
    i = thread()
    guard(i)
    p = points[i]
    reach = wp.vec3(half, half, half)
    total = wp.vec3()
    query = wp.mesh_query_aabb(mesh, p - reach, p + reach)
    face = int(0)
    while wp.mesh_query_aabb_next(query, face):
        total += wp.mesh_eval_face_normal(mesh, face)
    sums[i] = total


@algorithm
def load_nearest_face(mesh: mesh_id, x: near_point, forces: mesh_force, far: reach_of_query, loads: out_face.force_on_face):
    "adds {forces} of each particle, times (1 - d / {far}), where d is its distance from the mesh, atomically to {loads} of the face of {mesh} that is nearest to it; particles further away than {far} are left out"
    i = thread()
    guard(i)
    p = x[i]
    query = wp.mesh_query_point_no_sign(mesh, p, far)
    if not query.result:
        return
    d = wp.length(p - wp.mesh_eval_position(mesh, query.face, query.u, query.v))
    wp.atomic_add(loads, query.face, forces[i] * (1.0 - d / far))


@algorithm
def blend_corner_weights(mesh: mesh_id, points: near_point, weights: weight_in_corner["6"], far: reach_of_query,
                         blended: out.blended_weight):
    "the weights of the three vertices of the nearest face of {mesh}, blended by the barycentric coordinates u, v and 1 - u - v of the point of the mesh that is nearest to each particle; zero where the mesh is further away than {far}"
    i = thread()
    guard(i)
    query = wp.mesh_query_point_no_sign(mesh, points[i], far)
    if not query.result:
        blended[i] = 0.0
        return
    first = wp.mesh_get_index(mesh, 3 * query.face)
    second = wp.mesh_get_index(mesh, 3 * query.face + 1)
    third = wp.mesh_get_index(mesh, 3 * query.face + 2)
    w = 1.0 - query.u - query.v
    blended[i] = query.u * weights[first] + query.v * weights[second] + w * weights[third]


@algorithm
def distances_in_mesh_frame(mesh: mesh_id, xform: mesh_transform, points: near_point, far: reach_of_query,
                            sdf: out.mesh_distance, normals: out.mesh_direction):
    "finds the distance of each particle from {mesh}, a mesh that stands at {xform}, whose inverse brings the position into the frame of the mesh, where the query is made: {sdf} gets the signed distance, negative inside, and {normals} the unit vector away from the surface, from the closest point to the particle, reversed inside, and rotated by {xform}; where the mesh is further away than {far} they get {far} and zero"
    i = thread()
    guard(i)
    local = wp.transform_point(wp.transform_inverse(xform), points[i])
    query = wp.mesh_query_point(mesh, local, far)
    if not query.result:
        sdf[i] = far
        normals[i] = wp.vec3()
        return
    away = local - wp.mesh_eval_position(mesh, query.face, query.u, query.v)
    sdf[i] = query.sign * wp.length(away)
    normals[i] = wp.transform_vector(xform, wp.normalize(away) * query.sign)


@algorithm
def clearance_of_spheres(mesh: mesh_id, centers: near_point, radii: sphere_step, far: reach_of_query, gaps: out.clearance):
    "the signed distance of each particle, a sphere, to {mesh}: that of its center minus its radius; {far} minus the radius where the mesh is further away than {far}"
    i = thread()
    guard(i)
    c = centers[i]
    d = far
    query = wp.mesh_query_point_sign_normal(mesh, c, far)
    if query.result:
        d = query.sign * wp.length(c - wp.mesh_eval_position(mesh, query.face, query.u, query.v))
    gaps[i] = d - radii[i]


@algorithm
def advance_and_stop_at_mesh(mesh: mesh_id, x: near_point, v: moved_velocity, dt: step_of_time, margin: collision_margin,
                             next_x: out.near_point, next_v: out.moved_velocity):
    "moves each particle by its velocity times {dt}; a particle that would come nearer to the surface of {mesh} than {margin} during this move, seen by a ray along the velocity up to the length of the move plus {margin}, stops {margin} before the hit and loses the component of its velocity along the normal of the hit"
    i = thread()
    guard(i)
    p = x[i]
    vel = v[i]
    speed = wp.length(vel)
    next_x[i] = p + vel * dt
    next_v[i] = vel
    if speed == 0.0:
        return
    dir = vel / speed
    hit = wp.mesh_query_ray(mesh, p, dir, speed * dt + margin)
    if hit.result:
        next_x[i] = p + dir * (hit.t - margin)
        next_v[i] = vel - hit.normal * wp.dot(vel, hit.normal)
