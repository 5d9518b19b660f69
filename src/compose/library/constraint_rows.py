# SPDX-License-Identifier: Apache-2.0
"""Constraints of many simulated worlds: each world has a table with a row for each constraint, of
which some are in use, and small dense matrices."""

field("constraint rows", element="world worlds", other="row rows", dims=2, apart=True, pairs=True, share=14)

rows_in_use = quantity(int, "1", "numbers of rows in use", one="count", many="nefc num_rows row_count", low=0, high=4)
row_jacobian = quantity(float, "1", "Jacobians, a matrix for each world", one="J", many="J efc_J jacobian")
world_velocity = quantity(float, "1", "velocities of the degrees of freedom", one="v", many="qvel dof_vel")
row_velocity = quantity(float, "1", "velocities of the rows", one="Jv", many="Jv efc_vel row_vel")
row_multiplier = quantity(float, "1", "forces of the rows", one="f", many="efc_force row_force lam")
world_force = quantity(float, "1", "forces on the degrees of freedom", one="tau", many="qfrc_constraint dof_force")
row_residual = quantity(float, "1", "residuals of the rows", one="r", many="residual Jaref efc_r")
row_weight_value = quantity(float, "1", "weights of the rows", one="D", many="efc_D row_weight", low=0.2, high=2.0)
row_bound = quantity(float, "1", "friction bounds of the rows", one="floss", many="frictionloss efc_floss", low=0.2, high=1.0)
row_kind = quantity(int, "1", "types of the rows", one="kind", many="efc_type row_type", low=0, high=2)
row_state = quantity(int, "1", "states of the rows", one="state", many="efc_state row_state")
world_cost = quantity(float, "1", "costs of the worlds", one="cost", many="cost total_cost")
mass_matrix_value = quantity(float, "1", "mass matrices", one="M", many="qM mass_matrix", low=0.5, high=2.0)
normal_matrix = quantity(float, "1", "matrices of the systems", one="H", many="H hessian")
world_gradient = quantity(float, "1", "gradients", one="g", many="grad gradient")
constraint_search_direction = quantity(float, "1", "search directions", one="d", many="direction search")
small_norm = quantity(float, "1", "norm below which a world is solved", one="tol tolerance", low=0.5, high=2.0, uniform=True)
solved_flag = quantity(int, "1", "flags of the solved worlds", one="done", many="done solved", low=0, high=1)
step_scale = quantity(float, "1", "scale of the step", one="alpha", low=0.1, high=1.0, uniform=True)
world_acceleration = quantity(float, "1", "accelerations of the degrees of freedom", one="qacc", many="qacc dof_acc")
rows_of_kind = quantity(int, "1", "numbers of rows of each type", one="count", many="type_count rows_by_type", low=0, high=3)
block_of_pair = quantity(mat33, "1", "blocks", one="K", many="blocks stiffness_blocks")
constraint_pair_row = quantity(int, "1", "block rows", one="a", many="rows block_row", low=0, high=2)
constraint_pair_column = quantity(int, "1", "block columns", one="b", many="block_col cols", low=0, high=2)
constraint_dense_entry = quantity(float, "1", "dense matrix", one="A", many="A dense")
tree_parent_dof = quantity(int, "1", "parent degrees of freedom, -1 for none", one="parent", many="dof_parentid dof_parent", low=-1, high=2)
tree_inertia = quantity(float, "1", "inertias of the degrees of freedom", one="armature", many="armature dof_armature", low=0.2, high=1.0)
tree_path = quantity(float, "1", "sums along the paths to the roots", one="total", many="path_inertia path_sum")
contact_frame_value = quantity(mat33, "1", "contact frames", one="frame", many="contact_frame frames")
relative_velocity_value = quantity(vec3, "m/s", "relative velocities", one="v", many="rel_vel relative_velocity")
local_row = quantity(float, "m/s", "velocities in the contact frames, three for each contact", one="v", many="contact_vel rows_vel")


@algorithm
def velocities_of_rows(
    num: rows_in_use["n", "0:m+1"], J: row_jacobian["n,m,r"], v: world_velocity["n,r"],
    Jv: out.row_velocity["n,m"],
):
    "the velocity of each row, with thread w, r for row r of world w: {Jv} gets the dot product of row r of the world's matrix in {J} and the world's {v}, or 0 if r is not below the entry of {num} for the world"
    world, row = thread()
    if row >= num[world]:
        Jv[world, row] = 0.0
        return
    total = float(0.0)
    for dof in range(v.shape[1]):
        total += J[world, row, dof] * v[world, dof]
    Jv[world, row] = total


@algorithm(share=2)
def forces_of_rows(
    num: rows_in_use["n", "0:m+1"], J: row_jacobian["n,m,r"], f: row_multiplier["n,m"],
    tau: out.world_force["n,r"],
):
    "the forces of the rows on the degrees of freedom, with thread w, r for row r of world w: for each column c of the world's matrix in {J}, its entry in row r times {f} of the row is added atomically to entry c of {tau}; rows that are not below the entry of {num} for the world, or have no force, are left out"
    world, row = thread()
    if row >= num[world]:
        return
    force = f[world, row]
    if force == 0.0:
        return
    for dof in range(tau.shape[1]):
        wp.atomic_add(tau, world, dof, J[world, row, dof] * force)


@algorithm(share=3)
def update_rows(
    num: rows_in_use["n", "0:m+1"], kind: row_kind["n,m", "0:3"], r: row_residual["n,m"], D: row_weight_value["n,m"],
    bound: row_bound["n,m"], f: out.row_multiplier["n,m"], state: out.row_state["n,m"], cost: out.world_cost["n"],
):
    "computes the force, the state and the cost of each row, with thread w, r for row r of world w. Rows that are not below the entry of {num} for the world get 0 in {f} and {state}. Where {kind} is 0 (an equality), the force in {f} is -{D} {r}, the state is 1, and half of {D} {r}^2 is added atomically to {cost} of the world. Where it is 1 (friction), the force is -{D} {r}, clamped to the range from -{bound} to {bound}; the state is 2 if the force is clamped, else 1, and nothing is added to the cost. Where it is 2 (a limit) and {r} is negative, the force is -{D} {r}, the state is 1, and half of {D} {r}^2 is added to the cost; if {r} is not negative, force and state are 0"
    world, row = thread()
    if row >= num[world]:
        f[world, row] = 0.0
        state[world, row] = 0
        return
    res = r[world, row]
    weight = D[world, row]
    if kind[world, row] == 0:
        f[world, row] = -weight * res
        state[world, row] = 1
        wp.atomic_add(cost, world, 0.5 * weight * res * res)
    elif kind[world, row] == 1:
        limit = bound[world, row]
        force = wp.clamp(-weight * res, -limit, limit)
        f[world, row] = force
        if wp.abs(force) < limit:
            state[world, row] = 1
        else:
            state[world, row] = 2
    else:
        if res < 0.0:
            f[world, row] = -weight * res
            state[world, row] = 1
            wp.atomic_add(cost, world, 0.5 * weight * res * res)
        else:
            f[world, row] = 0.0
            state[world, row] = 0


@algorithm(dims=2, share=2)
def normal_matrices(
    num: rows_in_use["n", "0:r+1"], M: mass_matrix_value["n,m,m"], J: row_jacobian["n,r,m"], D: row_weight_value["n,r"],
    H: out.normal_matrix["n,m,m"],
):
    "computes the lower triangle of the matrix of each world, with thread w, i for row i of the matrix of world w: for j from 0 to i `{H}[w, i, j]` gets `{M}[w, i, j]` plus the sum of `{J}[w, r, i]` `{D}[w, r]` `{J}[w, r, j]` over the first `{num}[w]` rows r of {J}; the other entries of {H} stay as they are"
    world, i = thread()
    for j in range(i + 1):
        total = M[world, i, j]
        for row in range(num[world]):
            total += J[world, row, i] * D[world, row] * J[world, row, j]
        H[world, i, j] = total


@algorithm(dims=1, share=3)
def check_convergence(
    g: world_gradient["n,r"], tol: small_norm, done: solved_flag["n", "0:2"], done_out: out.solved_flag["n"],
    cost: out.world_cost["n"],
):
    "tests which worlds are solved: {done_out} gets 1 if {done} is 1 already, or if the norm of the world's row of {g} is below {tol}, else 0; {cost} gets the norm of the worlds that were not solved before, and 0 for the others"
    world = thread()
    if done[world] == 1:
        done_out[world] = 1
        cost[world] = 0.0
        return
    total = float(0.0)
    for i in range(g.shape[1]):
        total += g[world, i] * g[world, i]
    norm = wp.sqrt(total)
    cost[world] = norm
    if norm < tol:
        done_out[world] = 1
    else:
        done_out[world] = 0


@algorithm(share=3)
def take_step(
    done: solved_flag["n", "0:2"], qacc: world_acceleration["n,m"], d: constraint_search_direction["n,m"], alpha: step_scale,
    qacc_out: out.world_acceleration["n,m"],
):
    "takes a step in the worlds that are not solved: where {done} of the world is 0, {qacc_out} gets {qacc} plus {alpha} times {d}; elsewhere it gets {qacc}"
    world, dof = thread()
    if done[world] == 0:
        qacc_out[world, dof] = qacc[world, dof] + alpha * d[world, dof]
    else:
        qacc_out[world, dof] = qacc[world, dof]


@algorithm(share=3)
def count_rows_by_type(
    num: rows_in_use["n", "0:m+1"], kind: row_kind["n,m", "0:3"], count: out.rows_of_kind["n,3"],
):
    "counts the rows of each type in each world: thread w, r adds 1 atomically to the entry of {count} for world w and {kind} of row r, if r is below the entry of {num} for the world"
    world, row = thread()
    if row < num[world]:
        wp.atomic_add(count, world, kind[world, row], 1)


@algorithm(dims=1, element="block blocks", share=4)
def assemble_dense_blocks(
    a: constraint_pair_row["n", "0:3"], b: constraint_pair_column["n", "0:3"], K: block_of_pair["n"], A: out.constraint_dense_entry["9,9"],
):
    "adds 3 x 3 blocks to a dense matrix: entry r, c of each block of {K} is added atomically to entry 3 {a} + r, 3 {b} + c of {A}; where {a} and {b} differ, it is also added to the transposed entry 3 {b} + c, 3 {a} + r"
    i = thread()
    guard(i)
    block = K[i]
    row = 3 * a[i]
    col = 3 * b[i]
    for r in range(3):
        for c in range(3):
            wp.atomic_add(A, row + r, col + c, block[r, c])
            if row != col:
                wp.atomic_add(A, col + c, row + r, block[r, c])


@algorithm(dims=1, element="contact contacts", share=3)
def velocities_in_frames(
    frame: contact_frame_value["n"], v: relative_velocity_value["n"], rows: out.local_row["3*n"],
):
    "the relative velocity {v} of each contact in its frame: with the axes of the frame in the rows of {frame}, entry 3 i + r of {rows} gets the dot product of row r and {v} of contact i"
    i = thread()
    guard(i)
    axes = frame[i]
    vel = v[i]
    for r in range(3):
        total = float(0.0)
        for c in range(3):
            total += axes[r, c] * vel[c]
        rows[3 * i + r] = total


@algorithm(share=3)
def sum_along_tree(
    parent: tree_parent_dof["m", "-1:m off 1"], armature: tree_inertia["m"], scale: world_cost["n"], total: out.tree_path["n,m"],
):
    "sums up a tree: {total} gets for each world and degree of freedom {scale} of the world times the sum of {armature} over the degree of freedom, its {parent} and the parent of that, where these exist"
    world, dof = thread()
    sum_of_path = float(0.0)
    k = int(dof)
    for level in range(3):
        if k >= 0:
            sum_of_path += armature[k]
            k = parent[k]
    total[world, dof] = scale[world] * sum_of_path
