# SPDX-License-Identifier: Apache-2.0
"""Buffers of simulated bodies, shapes and contacts: copied, reordered, reset, packed, converted."""

field("state buffers", element="body bodies", other="shape shapes", link="contact contacts", apart=True, share=6)

buffer_position = quantity(vec3, "m", "position", one="x pos", many="positions body_pos body_x")
saved_position = quantity(vec3, "m", "saved position", one="x0 saved", many="saved_pos initial_pos default_pos")
buffer_velocity = quantity(vec3, "m/s", "velocity", one="v vel", many="velocities body_vel body_v")
buffer_twist = quantity(spatial_vector, "m/s and rad/s", "twist", one="qd", many="body_qd twists")
buffer_pose = quantity(transform, "m", "pose", one="X pose", many="body_q poses")
saved_pose = quantity(transform, "m", "saved pose", one="X0", many="body_q_saved default_q saved_poses")
buffer_reset_flag = quantity(int, "1", "reset flag", one="flag", many="reset_mask reset", low=0, high=1)
sleep_flag = quantity(int, "1", "sleep flag", one="asleep", many="asleep sleeping body_asleep", low=0, high=1)
new_sleep_flag = quantity(int, "1", "new sleep flag", one="asleep", many="asleep_out sleep_out", low=0, high=1)
buffer_source_index = quantity(int, "1", "source index", one="src", many="source_ids picks", low=0, high=3)
still_steps = quantity(int, "1", "number of steps at rest", one="still", many="still_count rest_steps", low=0, high=4)
steps_to_sleep = quantity(int, "1", "number of steps at rest after which a body sleeps", one="sleep_after max_still", low=2, high=4, uniform=True)
rest_speed = quantity(float, "m/s", "speed below which a body is at rest", one="rest_speed sleep_speed", low=0.5, high=2.0, uniform=True)
plain_quaternion = quantity(vec4, "1", "quaternion", one="q", many="xyzw quats", low=-1.0, high=1.0)
turned_quaternion = quantity(vec4, "1", "reordered quaternion", one="q", many="wxyz quats_wxyz")
flat_coordinate = quantity(float, "m", "coordinates, three for each body", one="x", many="flat coords")
table_of_velocity = quantity(float, "m/s", "table of velocities", one="v", many="vel_table qvel_table")
shape_kind = quantity(int, "1", "shape type", one="kind", many="shape_type geom_type kinds", low=0, high=2)
shape_size = quantity(vec3, "m", "shape size", one="size", many="geom_size shape_size", low=0.1, high=1.0)
buffer_shape_center = quantity(vec3, "m", "shape center", one="center", many="shape_pos geom_pos")
shape_rotation = quantity(quat, "1", "shape rotation", one="q", many="shape_rot geom_rot")
shape_lower = quantity(vec3, "m", "lower box corner", one="lower", many="aabb_lower shape_lower")
shape_upper = quantity(vec3, "m", "upper box corner", one="upper", many="aabb_upper shape_upper")
shape_volume = quantity(float, "m^3", "volume", one="vol", many="shape_volume geom_volume")
support_direction = quantity(vec3, "1", "direction", one="d", many="directions dirs")
support_point = quantity(vec3, "m", "support point", one="p", many="support support_points")
first_shape = quantity(int, "1", "first shape", one="a", many="shape_a pair_a geom0", low=0, high=7)
second_shape = quantity(int, "1", "second shape", one="b", many="shape_b pair_b geom1", low=0, high=7)
buffer_pair_key = quantity(int, "1", "key", one="key", many="keys pair_keys", low=0, high=60)
unpacked_first = quantity(int, "1", "first shape", one="a", many="first_out shape_a_out")
unpacked_second = quantity(int, "1", "second shape", one="b", many="second_out shape_b_out")
collision_group = quantity(int, "1", "collision group bits", one="group", many="shape_group collision_group contype", low=0, high=7)
collision_mask = quantity(int, "1", "collision mask bits", one="mask", many="shape_mask collision_mask conaffinity", low=0, high=7)
pair_flag = quantity(int, "1", "collision flag", one="ok", many="pair_ok may_collide", low=0, high=1)
contact_total = quantity(int, "1", "number of contacts in use", one="count", many="contact_count num_contacts", low=0, high=4)
contact_owner = quantity(int, "1", "body index (-1: none)", one="body", many="contact_body", low=-1, high=3)
cleared_owner = quantity(int, "1", "cleared body index", one="body", many="contact_body_out", low=-1, high=3)
gap_of_contact = quantity(float, "m", "contact distance", one="dist", many="contact_dist", low=-0.5, high=0.5)
cleared_gap = quantity(float, "m", "cleared distance", one="dist", many="contact_dist_out")
gap_of_unused = quantity(float, "m", "distance of entries that are not used", one="unused_dist far", low=1.0, high=4.0, uniform=True)
state_joint_type = quantity(int, "1", "joint type", one="type", many="joint_type", low=0, high=2)
coordinate_start = quantity(int, "1", "first coordinate", one="start qs", many="q_start joint_q_start", low=0, high=3)
state_coordinate = quantity(float, "1", "joint coordinates", one="q", many="joint_q", low=-1.0, high=1.0)
state_axis = quantity(vec3, "1", "joint axis", one="axis", many="joint_axis", unit_length=True)
state_transform = quantity(transform, "1", "joint transform", one="X", many="joint_X joint_transform")
sorted_cell = quantity(int, "1", "cells of the sorted bodies", one="cell", many="sorted_cells cell_ids")
cell_start = quantity(int, "1", "first entry of each cell", one="first", many="cell_start cell_first", low=-1, high=4)
cell_end = quantity(int, "1", "end of each cell's entries", one="end", many="cell_end cell_last", low=-1, high=4)
touch_number = quantity(int, "1", "numbers of touching pairs", one="count", many="touch_count num_touching", low=0, high=3)
row_tangent = quantity(vec3, "1", "unit tangent", one="t", many="contact_tangent tangents", unit_length=True)
row_friction = quantity(float, "1", "friction coefficient", one="mu", many="friction contact_friction", low=0.1, high=1.0)
row_matrix = quantity(float, "1", "matrix of the rows", one="J", many="jacobian J rows")
row_vector = quantity(vec3, "1", "unit normal", one="n", many="contact_normal normals", unit_length=True)
block_entry_value = quantity(float, "1", "matrices of the bodies", one="m", many="blocks body_blocks", low=0.2, high=2.0)
symmetric_block = quantity(float, "1", "symmetric parts", one="s", many="sym_blocks blocks_out")
inertia_row = quantity(float, "kg m^2", "moments of inertia, six for each body: xx, yy, zz, xy, xz, yz", one="I", many="inertia6 packed_inertia", low=0.2, high=2.0)
inertia_block = quantity(mat33, "kg m^2", "inertia tensor", one="I", many="body_inertia inertia")
touching_body = quantity(int, "1", "first body", one="a", many="body_a contact_body0 first_body", low=0, high=3)
touched_body = quantity(int, "1", "second body", one="b", many="body_b contact_body1 second_body", low=0, high=3)
wake_number = quantity(int, "1", "number of woken bodies", one="count", many="num_woken", low=0, high=3)


@function
def box_extent(q: quat, size: vec3):
    "half the size of the axis-aligned box around a box with the half extents {size} turned by {q}"
    R = wp.quat_to_matrix(q)
    x = wp.abs(R[0, 0]) * size[0] + wp.abs(R[0, 1]) * size[1] + wp.abs(R[0, 2]) * size[2]
    y = wp.abs(R[1, 0]) * size[0] + wp.abs(R[1, 1]) * size[1] + wp.abs(R[1, 2]) * size[2]
    z = wp.abs(R[2, 0]) * size[0] + wp.abs(R[2, 1]) * size[1] + wp.abs(R[2, 2]) * size[2]
    return wp.vec3(x, y, z)


@function
def with_sign(size: float, d: float):
    "{size} with the sign of {d}"
    if d < 0.0:
        return -size
    return size


@algorithm(share=3)
def reset_bodies(
    reset: buffer_reset_flag, x: buffer_position, v: buffer_velocity, x0: saved_position,
    x_out: out.buffer_position, v_out: out.buffer_velocity,
):
    "resets the bodies with 1 in {reset}: they get {x0} in {x_out} and zero in {v_out}; the others keep {x} and {v}"
    i = thread()
    guard(i)
    if reset[i] == 1:
        x_out[i] = x0[i]
        v_out[i] = wp.vec3(0.0, 0.0, 0.0)
    else:
        x_out[i] = x[i]
        v_out[i] = v[i]


@algorithm(share=3)
def restore_poses(reset: buffer_reset_flag, X0: saved_pose, qd: buffer_twist, X: out.buffer_pose, qd_out: out.buffer_twist):
    "restores the bodies with 1 in {reset}: for these {X} gets {X0}, and {qd_out} is set to zero; for the others {X} stays as it is, and {qd_out} gets {qd}"
    i = thread()
    guard(i)
    if reset[i] == 1:
        X[i] = X0[i]
        qd_out[i] = wp.spatial_vector()
    else:
        qd_out[i] = qd[i]


@algorithm(share=3)
def reorder_bodies(
    order: buffer_source_index["n", "0:m"], x: buffer_position["m"], v: buffer_velocity["m"],
    x_out: out.buffer_position["n"], v_out: out.buffer_velocity["n"],
):
    "gathers the state of the bodies: entry i of {x_out} and {v_out} gets the entries of {x} and {v} at `{order}[i]`"
    i = thread()
    guard(i)
    src = order[i]
    x_out[i] = x[src]
    v_out[i] = v[src]


@algorithm(share=2)
def gather_poses_or_default(
    order: buffer_source_index["n", "-1:m", "source indices, -1 for none"], X: buffer_pose["m"], X_out: out.buffer_pose["n"],
):
    "gathers poses: entry i of {X_out} gets the pose in {X} at `{order}[i]`, or the identity where that is negative"
    i = thread()
    guard(i)
    src = order[i]
    if src < 0:
        X_out[i] = wp.transform_identity()
        return
    X_out[i] = X[src]


@algorithm(share=3)
def put_resting_bodies_to_sleep(
    v: buffer_velocity, still: still_steps, speed: rest_speed, most: steps_to_sleep,
    still_out: out.still_steps, asleep: out.new_sleep_flag,
):
    "puts bodies to sleep that have been at rest for some steps: {still_out} gets {still} + 1 if the length of {v} is below {speed}, else 0, and {asleep} gets 1 if that number is at least {most}, else 0"
    i = thread()
    guard(i)
    steps = int(0)
    if wp.length(v[i]) < speed:
        steps = still[i] + 1
    still_out[i] = steps
    if steps >= most:
        asleep[i] = 1
    else:
        asleep[i] = 0


@algorithm(over="link", share=3)
def wake_touching_bodies(
    a: link.touching_body["e", "0:n"], b: link.touched_body["e", "0:n"], asleep: sleep_flag["n", "0:2"],
    dist: link.gap_of_contact, woken: out.wake_number["n"],
):
    "wakes bodies that are touched by others: for each contact with a negative {dist} whose bodies {a} and {b} differ in {asleep}, 1 is added atomically to the entry of {woken} for the one that sleeps"
    c = thread()
    if dist[c] >= 0.0:
        return
    i = a[c]
    j = b[c]
    if asleep[i] == 1 and asleep[j] == 0:
        wp.atomic_add(woken, i, 1)
    elif asleep[i] == 0 and asleep[j] == 1:
        wp.atomic_add(woken, j, 1)


@algorithm(share=2)
def scalar_first_quaternions(q: plain_quaternion, q_out: out.turned_quaternion):
    "brings quaternions into another order: each (x, y, z, w) of {q} becomes (w, x, y, z) in {q_out}"
    i = thread()
    guard(i)
    r = q[i]
    q_out[i] = wp.vec4(r[3], r[0], r[1], r[2])


@algorithm(share=3)
def flatten_positions(x: buffer_position["n"], flat: out.flat_coordinate["3*n"]):
    "writes the three coordinates of each position of {x} one after another: those of body i are entries 3 i, 3 i + 1 and 3 i + 2 of {flat}"
    i = thread()
    guard(i)
    p = x[i]
    flat[3 * i + 0] = p[0]
    flat[3 * i + 1] = p[1]
    flat[3 * i + 2] = p[2]


@algorithm(share=3)
def positions_of_coordinates(flat: flat_coordinate["3*n"], offset: saved_position["n"], x: out.buffer_position["n"]):
    "{x} gets for each body the sum of its entry of {offset} and the vector of entries 3 i, 3 i + 1 and 3 i + 2 of {flat}"
    i = thread()
    guard(i)
    x[i] = offset[i] + wp.vec3(flat[3 * i], flat[3 * i + 1], flat[3 * i + 2])


@algorithm(share=3)
def twists_to_rows(qd: buffer_twist["n"], table: out.table_of_velocity["n,6"]):
    "writes each twist of {qd} into its row of {table} with its halves swapped: components 3, 4 and 5 go to columns 0, 1 and 2, and components 0, 1 and 2 to columns 3, 4 and 5"
    i = thread()
    guard(i)
    twist = qd[i]
    table[i, 0] = twist[3]
    table[i, 1] = twist[4]
    table[i, 2] = twist[5]
    table[i, 3] = twist[0]
    table[i, 4] = twist[1]
    table[i, 5] = twist[2]


@algorithm(share=3)
def unpack_inertia(I: inertia_row["n,6"], inertia: out.inertia_block["n"]):
    "unpacks symmetric inertia tensors: the six columns xx, yy, zz, xy, xz and yz of {I} give the matrices in {inertia}"
    i = thread()
    guard(i)
    xy = I[i, 3]
    xz = I[i, 4]
    yz = I[i, 5]
    inertia[i] = wp.mat33(I[i, 0], xy, xz, xy, I[i, 1], yz, xz, yz, I[i, 2])


@algorithm(share=3)
def symmetric_parts(m: block_entry_value["n,4,4"], s: out.symmetric_block["n,4,4"]):
    "stores in {s} the symmetric part of each 4 x 4 matrix of {m}, half of the sum of the matrix and its transpose, with a thread for each matrix"
    b = thread()
    guard(b)
    for i in range(4):
        s[b, i, i] = m[b, i, i]
        for j in range(i):
            mean = 0.5 * (m[b, i, j] + m[b, j, i])
            s[b, i, j] = mean
            s[b, j, i] = mean


@algorithm(element="shape shapes", share=3)
def boxes_of_shapes(
    kind: shape_kind["n"], size: shape_size["n"], p: buffer_shape_center["n"], q: shape_rotation["n"],
    lower: out.shape_lower["n"], upper: out.shape_upper["n"],
):
    "computes the axis-aligned boxes of shapes: {lower} gets {p} minus an extent, and {upper} gets {p} plus it. Where {kind} is 0 (a sphere), all three components of the extent are the first component of {size}. Where it is 1 (a capsule along the z axis turned by {q}), the extent is the absolute value of each component of the turned axis times the second component of {size}, plus the first component of {size}. Where it is 2 (a box with the half extents {size}, turned by {q}), component r of the extent is the sum of |R[r, c]| times component c of {size} over c, where R is the matrix of {q}"
    i = thread()
    guard(i)
    center = p[i]
    s = size[i]
    if kind[i] == 0:
        extent = wp.vec3(s[0], s[0], s[0])
    elif kind[i] == 1:
        axis = wp.quat_rotate(q[i], wp.vec3(0.0, 0.0, 1.0))
        extent = wp.vec3(wp.abs(axis[0]) * s[1] + s[0], wp.abs(axis[1]) * s[1] + s[0], wp.abs(axis[2]) * s[1] + s[0])
    else:
        extent = box_extent(q[i], s)
    lower[i] = center - extent
    upper[i] = center + extent


@algorithm(element="shape shapes", share=3)
def volumes_by_kind(kind: shape_kind["n"], size: shape_size["n"], vol: out.shape_volume["n"]):
    "computes the volumes of shapes of three kinds, with a, b and c for the components of {size}: {vol} gets 4 pi a^3 / 3 where {kind} is 0, a sphere; 2 pi a^2 b + 4 pi a^3 / 3 where it is 1, a capsule; and 8 a b c where it is 2, a box"
    i = thread()
    guard(i)
    s = size[i]
    ball = 4.0 / 3.0 * wp.pi * s[0] * s[0] * s[0]
    if kind[i] == 0:
        vol[i] = ball
    elif kind[i] == 1:
        vol[i] = 2.0 * wp.pi * s[0] * s[0] * s[1] + ball
    else:
        vol[i] = 8.0 * s[0] * s[1] * s[2]


@algorithm(element="shape shapes", share=3)
def support_points_by_kind(
    kind: shape_kind["n"], size: shape_size["n"], d: support_direction["n"], p: out.support_point["n"],
):
    "finds the point of each shape that is farthest along {d}, in the frame of the shape, with a, b and c for the components of {size}: {p} gets a times the unit vector along {d} where {kind} is 0 (a sphere); the same plus (0, 0, b), or minus (0, 0, b) if the z component of {d} is negative, where it is 1 (a capsule along z); and (a, b, c) with the signs of the components of {d}, where zero counts as positive, where it is 2 (a box)"
    i = thread()
    guard(i)
    s = size[i]
    dir = d[i]
    if kind[i] == 2:
        p[i] = wp.vec3(with_sign(s[0], dir[0]), with_sign(s[1], dir[1]), with_sign(s[2], dir[2]))
        return
    point = wp.normalize(dir) * s[0]
    if kind[i] == 1:
        point = point + wp.vec3(0.0, 0.0, with_sign(s[1], dir[2]))
    p[i] = point


@algorithm(element="pair pairs", share=3)
def pack_pairs(a: first_shape["n"], b: second_shape["n"], key: out.buffer_pair_key["n"]):
    "packs each pair of shapes into one whole number in {key}: the smaller of {a} and {b} shifted left by 16 bits, with the larger one in the low bits"
    i = thread()
    guard(i)
    first = a[i]
    second = b[i]
    if first > second:
        key[i] = (second << 16) | first
    else:
        key[i] = (first << 16) | second


@algorithm(element="pair pairs", share=3)
def unpack_pairs(
    key: buffer_pair_key["n", "-900:3000"], a: out.unpacked_first["n"], b: out.unpacked_second["n"],
):
    "takes the keys of pairs apart: {a} gets {key} shifted right by 6 bits, and {b} its lowest 6 bits; both get -1 where {key} is negative, which stands for no pair"
    i = thread()
    guard(i)
    k = key[i]
    if k < 0:
        a[i] = -1
        b[i] = -1
    else:
        a[i] = k >> 6
        b[i] = k & 63


@algorithm(element="pair pairs", share=3)
def filter_pairs(
    a: first_shape["n", "0:m"], b: second_shape["n", "0:m"], bits: collision_group["m", "0:8"],
    mask: collision_mask["m", "0:8"], ok: out.pair_flag["n"], num: out.touch_number["m"],
):
    "{ok} gets 1 for each pair of different shapes {a} and {b} where {bits} of each has a bit in common with {mask} of the other, and 1 is then added atomically to {num} of both; else {ok} gets 0"
    i = thread()
    guard(i)
    s = a[i]
    t = b[i]
    if s != t and (bits[s] & mask[t]) != 0 and (bits[t] & mask[s]) != 0:
        ok[i] = 1
        wp.atomic_add(num, s, 1)
        wp.atomic_add(num, t, 1)
    else:
        ok[i] = 0


@algorithm(element="contact contacts", share=3)
def pad_unused_contacts(
    num: contact_total["1", "0:n"], owner: contact_owner["n"], dist: gap_of_contact["n"], far: gap_of_unused,
    owner_out: out.cleared_owner["n"], dist_out: out.cleared_gap["n"],
):
    "pads the contacts that are not in use, those with an index of `{num}[0]` or above: {owner_out} gets -1 and {dist_out} gets {far} for them; the others keep {owner} and {dist}"
    i = thread()
    if i < num[0]:
        owner_out[i] = owner[i]
        dist_out[i] = dist[i]
    else:
        owner_out[i] = -1
        dist_out[i] = far


@algorithm(element="joint joints", share=3)
def joint_transforms_by_type(
    type: state_joint_type["n"], start: coordinate_start["n", "0:l"], q: state_coordinate["l+3"],
    axis: state_axis["n"], X: out.state_transform["n"],
):
    "computes the transforms of joints from their coordinates, which begin at entry s = {start} of {q}: {X} gets a translation by `{q}[s]` times {axis} where {type} is 0 (a slider); a rotation about {axis} by `{q}[s]` where it is 1 (a hinge); and a translation by (`{q}[s]`, `{q}[s + 1]`, 0) with a rotation about z by `{q}[s + 2]` where it is 2 (a planar joint)"
    i = thread()
    guard(i)
    s = start[i]
    if type[i] == 0:
        X[i] = wp.transform(axis[i] * q[s], wp.quat_identity())
    elif type[i] == 1:
        X[i] = wp.transform(wp.vec3(0.0, 0.0, 0.0), wp.quat_from_axis_angle(axis[i], q[s]))
    else:
        turn = wp.quat_from_axis_angle(wp.vec3(0.0, 0.0, 1.0), q[s + 2])
        X[i] = wp.transform(wp.vec3(q[s], q[s + 1], 0.0), turn)


@algorithm(share=3)
def find_cell_ranges(
    cell: sorted_cell["n", "rising:2"], first: out.cell_start["2*n+2"], end: out.cell_end["2*n+2"],
):
    "finds where the entries of each cell lie among the sorted {cell}: where an entry's cell differs from the one before it, or it is the first entry, {first} of the cell gets its index; where it differs from the one after it, or it is the last entry, {end} of the cell gets its index + 1"
    i = thread()
    c = cell[i]
    if i == 0:
        first[c] = 0
    elif cell[i - 1] != c:
        first[c] = i
    if i == cell.shape[0] - 1:
        end[c] = i + 1
    elif cell[i + 1] != c:
        end[c] = i + 1


@algorithm(element="contact contacts", share=3)
def friction_rows(
    n: row_vector["n"], tangent: row_tangent["n"], mu: row_friction["n"], J: out.row_matrix["n,5,3"],
):
    "the five rows of each contact in {J}: row 0 is {n}; rows 1 and 2 are {n} plus and minus {mu} times {tangent}; rows 3 and 4 are {n} plus and minus {mu} times the cross product of {n} and {tangent}"
    c = thread()
    normal = n[c]
    a = mu[c] * tangent[c]
    b = wp.cross(normal, a)
    for k in range(3):
        J[c, 0, k] = normal[k]
        J[c, 1, k] = normal[k] + a[k]
        J[c, 2, k] = normal[k] - a[k]
        J[c, 3, k] = normal[k] + b[k]
        J[c, 4, k] = normal[k] - b[k]
