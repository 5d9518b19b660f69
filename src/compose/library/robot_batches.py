# SPDX-License-Identifier: Apache-2.0
"""Articulated robots in batches of worlds: flat arrays in which offsets say where the degrees of
freedom, the bodies or the matrix of a world begin, and masks say which worlds take part."""

field("batches of robots", element="world worlds", other="dof dofs", dims=2, apart=True, pairs=True, share=14)

active_world_mask = quantity(int, "1", "flags of the worlds that take part", one="active", many="world_mask world_active", low=0, high=1)
dofs_of_world = quantity(int, "1", "numbers of degrees of freedom of the worlds", one="ndof", many="num_dofs problem_dim dof_count", low=0, high=3)
first_dof_of_world = quantity(int, "1", "first degrees of freedom of the worlds", one="dof_start", many="dof_offset vio dof_start", low=0, high=3)
matrix_start_of_world = quantity(int, "1", "first entries of the matrices of the worlds", one="mat_start", many="mat_offset mio", low=0, high=3)
bodies_of_world = quantity(int, "1", "numbers of bodies of the worlds", one="nbody", many="num_bodies body_count", low=0, high=3)
flat_velocity = quantity(float, "1", "velocities of all degrees of freedom, one world behind the other", one="v", many="joint_qd dofs_u", low=-2.0, high=2.0)
flat_force = quantity(float, "1", "forces of all degrees of freedom, one world behind the other", one="tau", many="joint_f dof_force")
flat_target = quantity(float, "1", "target positions of all degrees of freedom", one="target", many="joint_target_pos target_q", low=-1.5, high=1.5)
flat_position = quantity(float, "1", "positions of all degrees of freedom, one world behind the other", one="q", many="joint_q dofs_q", low=-1.5, high=1.5)
flat_stiffness = quantity(float, "1", "stiffnesses of the degrees of freedom", one="ke", many="joint_target_ke dof_ke", low=0.5, high=4.0)
flat_damping = quantity(float, "1", "dampings of the degrees of freedom", one="kd", many="joint_target_kd dof_kd", low=0.1, high=1.0)
flat_effort_limit = quantity(float, "1", "effort limits of the degrees of freedom", one="limit", many="joint_effort_limit effort_limit", low=0.5, high=3.0)
flat_matrix = quantity(float, "1", "matrices of the worlds, row by row, one behind the other", one="D", many="delassus problem_D A", low=0.2, high=2.0)
flat_vector = quantity(float, "1", "vectors of the worlds, one behind the other", one="x", many="problem_v x", low=-2.0, high=2.0)
flat_result = quantity(float, "1", "results, one world behind the other", one="y", many="solution_v y")
flat_diagonal = quantity(float, "1", "preconditioners, one world behind the other", one="P", many="problem_P precond diag_inv")
world_regularization = quantity(float, "1", "regularizations of the worlds", one="eta", many="problem_eta regularization", low=0.05, high=0.5)
world_residual_norm = quantity(float, "1", "largest residuals of the worlds", one="r", many="world_residual r_inf")
world_time_step = quantity(float, "1", "time steps of the worlds", one="dt", many="world_dt time_dt", low=0.02, high=0.2)
batch_pose = quantity(transform, "", "poses of all bodies, one world behind the other", one="pose", many="body_q bodies_q")
batch_twist = quantity(spatial_vector, "1", "velocities of all bodies", one="twist", many="body_qd bodies_u")
batch_wrench = quantity(spatial_vector, "1", "wrenches on all bodies", one="wrench", many="body_f bodies_w")
packed_wrench = quantity(float, "1", "components of the wrenches, six for each body", one="w", many="wrench_flat bodies_w_flat")
row_of_jacobian = quantity(spatial_vector, "1", "Jacobian rows of the degrees of freedom", one="J", many="joint_S_s dof_S")
body_of_dof = quantity(int, "1", "bodies of the degrees of freedom in their world", one="body", many="dof_bodyid dof_body", low=0, high=2)
kind_of_joint = quantity(int, "1", "types of the joints", one="type", many="joint_type jnt_type", low=0, high=2)
position_start_of_joint = quantity(int, "1", "first coordinates of the joints", one="qadr", many="joint_q_start jnt_qposadr", low=0, high=3)
axis_of_dof = quantity(vec3, "1", "unit axes of the joints", one="axis", many="joint_axis jnt_axis", unit_length=True)
frame_of_joint = quantity(transform, "", "transforms of the joints", one="X_j", many="X_j joint_X")
parent_of_joint = quantity(int, "1", "parent bodies of the joints, -1 for the world", one="parent", many="joint_parent", low=-1, high=2)
frame_on_parent = quantity(transform, "", "frames of the joints on their parents", one="X_pj", many="joint_X_p")
frame_on_child = quantity(transform, "", "frames of the joints on their children", one="X_cj", many="joint_X_c")
reset_pose = quantity(transform, "", "default poses of the bodies", one="pose", many="default_body_q initial_body_q")
reset_twist = quantity(spatial_vector, "1", "default velocities of the bodies", one="twist", many="default_body_qd initial_body_qd")
observation_entry = quantity(float, "1", "observations, a row for each world", one="obs", many="obs observations")
action_entry = quantity(float, "1", "actions, a row for each world", one="action", many="actions action_in", low=-1.5, high=1.5)
last_action_entry = quantity(float, "1", "last actions, a row for each world", one="last", many="last_actions prev_actions", low=-1.5, high=1.5)
scale_of_actions = quantity(float, "1", "scale of the actions", one="action_scale", low=0.2, high=1.0, uniform=True)
default_dof_position = quantity(float, "1", "default positions of the degrees of freedom", one="q0", many="default_joint_q default_q", low=-1.0, high=1.0)
smoothing_of_actions = quantity(float, "1", "share of the last action", one="alpha", low=0.2, high=0.8, uniform=True)
reordered_dof = quantity(int, "1", "degrees of freedom that the policy's entries belong to", one="dof", many="dof_order policy_to_dof", low=0, high=3)
height_of_world = quantity(float, "m", "heights of the bases of the worlds", one="height", many="base_height")
up_of_world = quantity(float, "1", "z components of the up directions of the bases", one="up", many="base_up projected_up")
grid_coordinate = quantity(vec3i, "1", "cell coordinates", one="ijk", many="cell_ijk voxel_ijk coords", low=0, high=2)
size_of_grid = quantity(vec3i, "1", "numbers of cells along the axes", one="dims", many="dims", low=3, high=4, uniform=True)
value_of_cell = quantity(float, "1", "values of all cells, one row behind the other", one="value", many="cell_values grid_values")
value_at_coordinate = quantity(float, "1", "values at the coordinates", one="value", many="values_out gathered")
terrain_height = quantity(float, "m", "heights of the terrain, row by row", one="height", many="heights terrain heightfield")
cells_per_row = quantity(int, "1", "number of points of a row of the terrain", one="ncol", low=3, high=4, uniform=True)
terrain_spacing = quantity(float, "m", "spacing of the terrain", one="spacing", low=0.5, high=1.0, uniform=True)
terrain_normal = quantity(vec3, "1", "unit normals of the terrain", one="normal", many="terrain_normals normals_out")
edge_of_tree = quantity(vec2i, "1", "pairs of a body and its parent", one="edge", many="tree_edges body_tree", low=0, high=2)
inertia_of_body = quantity(float, "kg", "masses of the bodies of a world", one="mass", many="body_mass crb_mass", low=0.2, high=2.0)
mass_moment_of_parent = quantity(vec3, "kg m", "mass moments of the bodies", one="moment", many="subtree_moment mass_moment")
mass_matrix_entry = quantity(float, "1", "mass matrices", one="M", many="qM mass_matrix", low=0.2, high=2.0)
armature_of_dof = quantity(float, "1", "armatures of the degrees of freedom", one="armature", many="dof_armature", low=0.1, high=0.6)
world_factor = quantity(float, "1", "lower triangular factors", one="L", many="L qLD", low=0.5, high=2.0)
world_vector = quantity(float, "1", "vectors, a row for each world", one="b", many="rhs b qfrc", low=-2.0, high=2.0)
world_solution = quantity(float, "1", "solutions, a row for each world", one="x", many="x qacc")
site_position = quantity(vec3, "m", "positions of the sites", one="site", many="site_xpos", low=-1.0, high=1.0)
site_pair = quantity(vec2i, "1", "pairs of sites that the tendons join", one="sites", many="tendon_sites wrap_sites", low=0, high=2)
tendon_length = quantity(float, "m", "lengths of the tendons", one="length", many="ten_length")
tendon_limit = quantity(vec2, "m", "ranges of the lengths of the tendons", one="limits", many="tendon_range", low=0.2, high=1.5)
tendon_margin = quantity(float, "m", "distances beyond the ranges", one="beyond", many="ten_violation")
muscle_activation = quantity(float, "1", "activations", one="act", many="act activation", low=0.0, high=1.0)
muscle_control = quantity(float, "1", "controls", one="ctrl", many="ctrl", low=0.0, high=1.0)
muscle_rise_time = quantity(float, "s", "time constants of activation", one="tau_act", many="tau_act rise_time", low=0.05, high=0.3)
muscle_fall_time = quantity(float, "s", "time constants of deactivation", one="tau_deact", many="tau_deact fall_time", low=0.05, high=0.3)
actuator_delay_row = quantity(int, "1", "newest rows of the control histories", one="cursor", many="cursor history_cursor", low=0, high=3)
control_history = quantity(float, "1", "histories of the controls, four rows for each world", one="past", many="ctrl_history history", low=-1.5, high=1.5)
delay_of_actuator = quantity(int, "1", "delays of the actuators, in steps", one="delay", many="actuator_delay", low=0, high=3)
delayed_control = quantity(float, "1", "delayed controls", one="ctrl", many="ctrl_out delayed_ctrl")


@function
def joint_motion(kind: int, axis: vec3, q: float):
    "the transform of a joint with the axis {axis} at the position {q}: a rotation about the axis if {kind} is 0, a translation along it if {kind} is 1, else the identity"
    if kind == 0:
        return wp.transform(wp.vec3(0.0), wp.quat_from_axis_angle(axis, q))
    if kind == 1:
        return wp.transform(q * axis, wp.quat_identity())
    return wp.transform_identity()


@algorithm(share=6)
def drive_torques(
    mask: active_world_mask["n", "0:2"], num_dofs: dofs_of_world["n", "0:m+1"], dof_start: first_dof_of_world["n", "0:3"], q: flat_position["m+3"], qd: flat_velocity["m+3"],
    target: flat_target["m+3"], ke: flat_stiffness["m+3"], kd: flat_damping["m+3"], limit: flat_effort_limit["m+3"], tau: out.flat_force["n,m"],
):
    "computes the drive torques, with thread w, d for degree of freedom d of world w: nothing is done for worlds whose entry of {mask} is 0, and where d is not below `{num_dofs}[w]`; else, with a = `{dof_start}[w]` + d, `{tau}[w, d]` gets {ke} ({target} - {q}) - {kd} {qd} of entry a, clamped to the range from -{limit} to {limit} of that entry"
    wid, did = thread()
    if mask[wid] == 0 or did >= num_dofs[wid]:
        return
    adr = dof_start[wid] + did
    force = ke[adr] * (target[adr] - q[adr]) - kd[adr] * qd[adr]
    largest = limit[adr]
    tau[wid, did] = wp.clamp(force, -largest, largest)


@algorithm(share=6)
def world_matrix_times_vector(
    dim: dofs_of_world["n", "0:4"], vio: first_dof_of_world["n", "0:3"], mio: matrix_start_of_world["n", "0:3"], D: flat_matrix["12"], x: flat_vector["6"],
    eta: world_regularization["n"], y: out.flat_result["n,m"],
):
    "multiplies the matrix of each world by a vector, with thread w, r for row r of world w: the matrix has d = `{dim}[w]` rows and columns and begins at `{mio}[w]` in {D}, row by row, and the vector begins at `{vio}[w]` in {x}; if r is below d, `{y}[w, r]` gets the dot product of row r and the vector, plus `{eta}[w]` times entry r of the vector"
    wid, row = thread()
    ncols = dim[wid]
    if row >= ncols:
        return
    v0 = vio[wid]
    m0 = mio[wid] + ncols * row
    total = eta[wid] * x[v0 + row]
    for j in range(ncols):
        total += D[m0 + j] * x[v0 + j]
    y[wid, row] = total


@algorithm(share=6)
def jacobi_preconditioner(
    dim: dofs_of_world["n", "0:4"], mio: matrix_start_of_world["n", "0:3"], D: flat_matrix["12"], eta: world_regularization["n"], P: out.flat_diagonal["n,m"],
):
    "the Jacobi preconditioner of each world's matrix, with thread w, r for row r of world w: the matrix has d = `{dim}[w]` rows and columns and begins at `{mio}[w]` in {D}, row by row; `{P}[w, r]` gets 1 over the square root of its entry in row r and column r plus `{eta}[w]`, or 0 if r is not below d"
    wid, row = thread()
    ncols = dim[wid]
    if row >= ncols:
        P[wid, row] = 0.0
        return
    entry = D[mio[wid] + ncols * row + row]
    P[wid, row] = 1.0 / wp.sqrt(entry + eta[wid])


@algorithm(dims=1, share=6)
def world_residuals(
    mask: flags["whether each world takes part"], dim: dofs_of_world["n", "0:m+1"], vio: first_dof_of_world["n", "0:3"], v: flat_vector["m+3"], b: flat_force["m+3"],
    r: out.world_residual_norm["n"],
):
    "the residual of each world: with a = `{vio}[w]` and d = `{dim}[w]`, `{r}[w]` gets the largest magnitude of entry a + k of {v} minus entry a + k of {b} for k from 0 up to, but not including, d, or 0 if d is 0; nothing is done for worlds whose entry of {mask} is 0 or false"
    wid = thread()
    if not mask[wid]:
        return
    start = vio[wid]
    worst = float(0.0)
    for k in range(dim[wid]):
        worst = wp.max(worst, wp.abs(v[start + k] - b[start + k]))
    r[wid] = worst


@algorithm(share=6)
def step_world_dofs(
    mask: active_world_mask["n", "0:2"], num_dofs: dofs_of_world["n", "0:m+1"], dof_start: first_dof_of_world["n", "0:3"], dt: world_time_step["n"], q: flat_position["m+3"],
    qd: flat_velocity["m+3"], tau: flat_force["m+3"], q_out: out.flat_position["n,m"], qd_out: out.flat_velocity["n,m"],
):
    "a step of semi-implicit Euler with unit inertia, with thread w, d for degree of freedom d of world w: nothing is done for worlds whose entry of {mask} is 0, and where d is not below `{num_dofs}[w]`; else, with a = `{dof_start}[w]` + d, `{qd_out}[w, d]` gets v = `{qd}[a]` + `{dt}[w]` `{tau}[a]`, and `{q_out}[w, d]` gets `{q}[a]` + `{dt}[w]` v"
    wid, did = thread()
    if mask[wid] == 0:
        return
    if did < num_dofs[wid]:
        adr = dof_start[wid] + did
        step = dt[wid]
        v = qd[adr] + step * tau[adr]
        qd_out[wid, did] = v
        q_out[wid, did] = q[adr] + step * v


@algorithm(share=6)
def reset_world_bodies(
    mask: active_world_mask["n", "0:2"], num_bodies: bodies_of_world["n", "0:m+1"], pose: reset_pose["m"], twist: reset_twist["m"],
    body_q: out.batch_pose["n,m"], body_qd: out.batch_twist["n,m"], body_f: out.batch_wrench["n,m"],
):
    "resets the bodies of the worlds with 1 in {mask}, with thread w, b for body b of world w: if b is below `{num_bodies}[w]`, `{body_q}[w, b]` gets entry b of {pose}, `{body_qd}[w, b]` entry b of {twist} and `{body_f}[w, b]` zero; else nothing is done"
    wid, bid = thread()
    if mask[wid] == 0 or bid >= num_bodies[wid]:
        return
    body_q[wid, bid] = pose[bid]
    body_qd[wid, bid] = twist[bid]
    body_f[wid, bid] = wp.spatial_vector()


@algorithm(dims=1, element="body bodies", share=5)
def pack_wrenches(wrench: batch_wrench["n"], flat: out.packed_wrench["6*n"]):
    "writes the six components of each body's entry of {wrench} one after another: component k of body b goes to entry 6 b + k of {flat}"
    bid = thread()
    w = wrench[bid]
    for k in range(6):
        flat[6 * bid + k] = w[k]


@algorithm(share=5)
def project_wrenches_on_dofs(
    body: body_of_dof["m", "0:k"], J: row_of_jacobian["n,m"], wrench: batch_wrench["n,k"], armature: armature_of_dof["m"], qd: flat_velocity["n,m"], tau: out.flat_force["n,m"],
):
    "turns the wrenches of bodies into joint forces, with thread w, d for degree of freedom d of world w: `{tau}[w, d]` gets the dot product of `{J}[w, d]` and the wrench of its body, `{wrench}[w, b]` with b = `{body}[d]`, minus `{armature}[d]` times `{qd}[w, d]`"
    worldid, dofid = thread()
    bodyid = body[dofid]
    force = wp.spatial_dot(J[worldid, dofid], wrench[worldid, bodyid])
    tau[worldid, dofid] = force - armature[dofid] * qd[worldid, dofid]


@algorithm(share=6)
def joint_transforms(
    kind: kind_of_joint["m", "0:3"], qadr: position_start_of_joint["m", "0:r"], axis: axis_of_dof["m"], q: flat_position["n,r"], X_pj: frame_on_parent["m"], X_j: out.frame_of_joint["n,m"],
):
    "the transform of each joint in each world, with thread w, j for joint j of world w: `{X_j}[w, j]` gets `{X_pj}[j]` times the motion of the joint at the position `{q}[w, a]` with a = `{qadr}[j]`, by its type and its axis"
    worldid, jntid = thread()
    angle = q[worldid, qadr[jntid]]
    motion = joint_motion(kind[jntid], axis[jntid], angle)
    X_j[worldid, jntid] = wp.transform_multiply(X_pj[jntid], motion)


@algorithm(share=5)
def child_poses_of_joints(
    parent: parent_of_joint["m", "-1:k"], X_pj: frame_on_parent["m"], X_j: frame_of_joint["n,m"], X_cj: frame_on_child["m"], body_q: batch_pose["n,k"],
    child_q: out.batch_pose["n,m", "", "poses of the children"],
):
    "the pose of the child of each joint in each world, with thread w, j for joint j of world w: from the pose of the parent, `{body_q}[w, p]` with p = `{parent}[j]`, or the identity if p is -1, it is that times `{X_pj}[j]`, times `{X_j}[w, j]`, times the inverse of `{X_cj}[j]`, and goes to `{child_q}[w, j]`"
    worldid, jntid = thread()
    X_wp = wp.transform_identity()
    p = parent[jntid]
    if p >= 0:
        X_wp = body_q[worldid, p]
    X_wj = X_wp * X_pj[jntid] * X_j[worldid, jntid]
    child_q[worldid, jntid] = X_wj * wp.transform_inverse(X_cj[jntid])


@algorithm(share=6)
def actions_to_targets(
    actions: action_entry["n,m"], last: last_action_entry["n,m"], order: reordered_dof["m", "distinct:m"], q0: default_dof_position["m"], action_scale: scale_of_actions, alpha: smoothing_of_actions,
    targets: out.flat_target["n,m"], filtered: out.last_action_entry["n,m"],
):
    "turns the actions of a policy into joint targets, with thread w, k for entry k of world w: the action a is (1 - {alpha}) times {actions} plus {alpha} times {last}, and goes to {filtered}; with the degree of freedom d = `{order}[k]`, `{targets}[w, d]` gets `{q0}[d]` plus {action_scale} times a; no two entries of {order} are equal"
    worldid, k = thread()
    dof = order[k]
    a = (1.0 - alpha) * actions[worldid, k] + alpha * last[worldid, k]
    filtered[worldid, k] = a
    targets[worldid, dof] = q0[dof] + action_scale * a


@algorithm(dims=1, share=6)
def observe_base(
    body_q: batch_pose["n,m+1"], body_qd: batch_twist["n,m+1"], last: last_action_entry["n,3"], obs: out.observation_entry["n,12"],
):
    "the observation of each world w, from the pose X and the velocity of its first body, `{body_q}[w, 0]` and `{body_qd}[w, 0]` with the linear part on top: entries 0 to 2 of row w of {obs} get the linear velocity turned by the inverse rotation of X, entries 3 to 5 the angular velocity turned likewise, entries 6 to 8 the vector (0, 0, -1) turned likewise, and entries 9 to 11 the three entries of {last}"
    worldid = thread()
    rot = wp.transform_get_rotation(body_q[worldid, 0])
    twist = body_qd[worldid, 0]
    v = wp.quat_rotate_inv(rot, wp.spatial_top(twist))
    w = wp.quat_rotate_inv(rot, wp.spatial_bottom(twist))
    g = wp.quat_rotate_inv(rot, wp.vec3(0.0, 0.0, -1.0))
    for k in range(3):
        obs[worldid, k] = v[k]
        obs[worldid, 3 + k] = w[k]
        obs[worldid, 6 + k] = g[k]
        obs[worldid, 9 + k] = last[worldid, k]


@algorithm(dims=1, element="voxel voxels", share=5)
def read_cells_of_coordinates(
    ijk: grid_coordinate["n"], dims: size_of_grid, values: value_of_cell["64"], scale: value_at_coordinate["n", "", "scales of the values"], gathered: out.value_at_coordinate["n"],
):
    "reads the values of cells: for the coordinates (i, j, k) in `{ijk}[v]`, with sizes (nx, ny, nz) = {dims}, `{gathered}[v]` gets the entry (i ny + j) nz + k of {values}, times `{scale}[v]`"
    tid = thread()
    c = ijk[tid]
    index = (c[0] * dims[1] + c[1]) * dims[2] + c[2]
    gathered[tid] = values[index] * scale[tid]


@algorithm(dims=1, element="cell cells", share=5)
def terrain_normals(heights: terrain_height["n+8"], ncol: cells_per_row, spacing: terrain_spacing, normals: out.terrain_normal["n"]):
    "the normal of a terrain whose heights lie row by row in {heights}, {ncol} to a row, at each point i: with dx the height of point i + 1 minus that of point i, and dy that of point i + {ncol} minus that of point i, `{normals}[i]` gets the unit vector along (-dx, -dy, {spacing}); in the last column, where i modulo {ncol} is {ncol} - 1, dx is 0"
    i = thread()
    col = i % ncol
    h = heights[i]
    dx = float(0.0)
    if col < ncol - 1:
        dx = heights[i + 1] - h
    dy = heights[i + ncol] - h
    normals[i] = wp.normalize(wp.vec3(-dx, -dy, spacing))


@algorithm(share=5)
def add_masses_to_parents(
    edges: edge_of_tree["m", "0:k"], mass: inertia_of_body["n,k"], x: site_position["n,k", "", "positions of the bodies"], moment: out.mass_moment_of_parent["n,k"],
):
    "sums mass moments along the edges of a tree, with thread w, e for edge e of world w, which joins the body a = `{edges}[e][0]` to its parent b = `{edges}[e][1]`: `{mass}[w, a]` times `{x}[w, a]` is added atomically to `{moment}[w, b]`; an edge whose two bodies are the same is left out"
    worldid, edgeid = thread()
    edge = edges[edgeid]
    child = edge[0]
    parent = edge[1]
    if child == parent:
        return
    wp.atomic_add(moment, worldid, parent, mass[worldid, child] * x[worldid, child])


@algorithm(dims=3, element="world worlds", share=5)
def mass_matrix_with_armature(
    num_dofs: dofs_of_world["n", "0:m+1"], M: mass_matrix_entry["n,m,m"], armature: armature_of_dof["m"], dt: world_time_step["n"], kd: flat_damping["m"], H: out.mass_matrix_entry["n,m,m"],
):
    "the matrix of an implicit step, with thread w, i, j for row i and column j of the matrix of world w: nothing is done where i or j is not below `{num_dofs}[w]`; else `{H}[w, i, j]` gets `{M}[w, i, j]`, and on the diagonal `{armature}[i]` + `{dt}[w]` `{kd}[i]` is added"
    worldid, i, j = thread()
    n = num_dofs[worldid]
    if i >= n or j >= n:
        return
    value = M[worldid, i, j]
    if i == j:
        value += armature[i] + dt[worldid] * kd[i]
    H[worldid, i, j] = value


@algorithm(dims=3, element="world worlds", share=5)
def symmetric_part_of_matrices(
    num_dofs: dofs_of_world["n", "0:m+1"], M: mass_matrix_entry["n,m,m"], scale: world_regularization["n"], S: out.mass_matrix_entry["n,m,m", "", "symmetric parts"],
):
    "the symmetric part of each world's matrix, with thread w, i, j for row i and column j of world w: where i and j are below `{num_dofs}[w]`, `{S}[w, i, j]` gets half of the sum of `{M}[w, i, j]` and `{M}[w, j, i]`, plus `{scale}[w]` if i equals j; elsewhere nothing is done"
    worldid, i, j = thread()
    n = num_dofs[worldid]
    if i >= n or j >= n:
        return
    value = 0.5 * (M[worldid, i, j] + M[worldid, j, i])
    if i == j:
        S[worldid, i, j] = value + scale[worldid]
    else:
        S[worldid, i, j] = value


@algorithm(share=5)
def tendon_lengths(
    sites: site_pair["m", "0:k"], x: site_position["n,k"], limits: tendon_limit["m"], length: out.tendon_length["n,m"], beyond: out.tendon_margin["n,m"],
):
    "the length of each tendon in each world, with thread w, t for tendon t of world w: `{length}[w, t]` gets the distance l between the sites `{sites}[t][0]` and `{sites}[t][1]` of the world in {x}; `{beyond}[w, t]` gets `{limits}[t][0]` - l if l is below that, l - `{limits}[t][1]` if l is above this, else 0"
    worldid, tenid = thread()
    pair = sites[tenid]
    d = x[worldid, pair[0]] - x[worldid, pair[1]]
    l = wp.sqrt(wp.dot(d, d) + 0.000001)
    length[worldid, tenid] = l
    limit = limits[tenid]
    if l < limit[0]:
        beyond[worldid, tenid] = limit[0] - l
    elif l > limit[1]:
        beyond[worldid, tenid] = l - limit[1]
    else:
        beyond[worldid, tenid] = 0.0


@algorithm(share=5)
def step_muscle_activations(
    ctrl: muscle_control["n,m"], act: muscle_activation["n,m"], rise: muscle_rise_time["m"], fall: muscle_fall_time["m"], dt: time_step, act_out: out.muscle_activation["n,m"],
):
    "a step of the activation of each muscle in each world, with thread w, a for muscle a of world w: with the control u = {ctrl} clamped to the range from 0 to 1 and the activation s = {act}, the time constant is `{rise}[a]` times (0.5 + 1.5 s) if u is above s, else `{fall}[a]` over (0.5 + 1.5 s); `{act_out}[w, a]` gets s + {dt} (u - s) over that constant"
    worldid, actid = thread()
    u = wp.clamp(ctrl[worldid, actid], 0.0, 1.0)
    s = act[worldid, actid]
    factor = 0.5 + 1.5 * s
    if u > s:
        share = dt / (rise[actid] * factor)
    else:
        share = dt * factor / fall[actid]
    act_out[worldid, actid] = s + share * (u - s)


@algorithm(share=5)
def read_delayed_controls(
    cursor: actuator_delay_row["n", "0:4"], delay: delay_of_actuator["m", "0:4"], history: control_history["n,4,m"], limit: flat_effort_limit["m"], ctrl: out.delayed_control["n,m"],
):
    "reads the control that each actuator gets after its delay, with thread w, a for actuator a of world w: {history} has the last four controls of each world in a ring, the newest in row `{cursor}[w]`, the one before in the row before it, and the last row comes before row 0; `{ctrl}[w, a]` gets the control from `{delay}[a]` steps ago, clamped to the range from -`{limit}[a]` to `{limit}[a]`"
    worldid, actid = thread()
    slot = (cursor[worldid] - delay[actid] + 4) % 4
    largest = limit[actid]
    ctrl[worldid, actid] = wp.clamp(history[worldid, slot, actid], -largest, largest)


@algorithm(dims=1, share=5)
def worlds_that_fell(
    body_q: batch_pose["n,m+1"], mask: flags["whether each world takes part"], lowest: height_of_world["", "", "lowest height of a base"], height: out.height_of_world["n"], up: out.up_of_world["n"], done: out.active_world_mask["n", "", "flags of the worlds that end"],
):
    "tests which worlds end: for world w, whose base has the pose `{body_q}[w, 0]`, `{height}[w]` gets the z component of its translation and `{up}[w]` the z component of its z axis, and `{done}[w]` gets 1 if the height is below {lowest} or the other one is negative, else 0; nothing is done for worlds whose entry of {mask} is 0 or false"
    worldid = thread()
    if not mask[worldid]:
        return
    pose = body_q[worldid, 0]
    z = wp.transform_get_translation(pose)[2]
    tilt = wp.transform_vector(pose, wp.vec3(0.0, 0.0, 1.0))[2]
    height[worldid] = z
    up[worldid] = tilt
    if z < lowest or tilt < 0.0:
        done[worldid] = 1
    else:
        done[worldid] = 0


@algorithm(dims=1, share=5)
def solve_lower_triangles(num_dofs: dofs_of_world["n", "0:3"], L: world_factor["n,2,2"], b: world_vector["n,2"], x: out.world_solution["n,2"]):
    "solves L x = b for each world w, whose lower triangular matrix has two rows: if `{num_dofs}[w]` is 0, nothing is done; `{x}[w, 0]` gets `{b}[w, 0]` / `{L}[w, 0, 0]`; if there are two degrees of freedom, `{x}[w, 1]` gets (`{b}[w, 1]` - `{L}[w, 1, 0]` `{x}[w, 0]`) / `{L}[w, 1, 1]`, else 0"
    worldid = thread()
    n = num_dofs[worldid]
    if n == 0:
        return
    x0 = b[worldid, 0] / L[worldid, 0, 0]
    x[worldid, 0] = x0
    if n > 1:
        x[worldid, 1] = (b[worldid, 1] - L[worldid, 1, 0] * x0) / L[worldid, 1, 1]
    else:
        x[worldid, 1] = 0.0
