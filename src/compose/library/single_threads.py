# SPDX-License-Identifier: Apache-2.0
"""What one thread does between launches: counters and clocks, the end of reductions, tests for
convergence, the coefficients of solvers, commands of robots."""

field("work of one thread", element="step steps", other="entry entries", dims=1, apart=True, share=4)

clock_time = quantity(float, "s", "simulated time", one="t", many="sim_time time", low=0.0, high=4.0)
steps_done = quantity(int, "1", "number of steps so far", one="step", many="step_count steps", low=0, high=50)
substep_number = quantity(int, "1", "number of the substep", one="substep", many="substep_index", low=0, high=3)
substeps_of_frame = quantity(int, "1", "number of substeps of a frame", one="num_substeps", low=2, high=5, uniform=True)
frame_number = quantity(int, "1", "number of the frame", one="frame", many="frame frame_index", low=0, high=6)
frame_stamp = quantity(float, "s", "times of the frames, in rising order", one="t", many="frame_times timestamps", low=0.0, high=6.0)
playback_rate = quantity(float, "1/s", "frames per second", one="fps", low=4.0, high=30.0, uniform=True)
fastest_speed = quantity(float, "m/s", "largest speed", one="speed", many="max_speed", low=0.2, high=6.0)
cell_width_of_grid = quantity(float, "m", "cell width", one="dx", low=0.05, high=0.5, uniform=True)
courant_limit = quantity(float, "1", "largest Courant number", one="cfl", low=0.3, high=0.9, uniform=True)
smallest_step = quantity(float, "s", "smallest time step", one="dt_min", low=0.01, high=0.03, uniform=True)
largest_step = quantity(float, "s", "largest time step", one="dt_max", low=0.05, high=0.2, uniform=True)
adaptive_step = quantity(float, "s", "time step", one="dt", many="dt dt_buf", low=0.02, high=0.2)
contacts_found = quantity(int, "1", "number of contacts", one="count", many="contact_count num_contacts", low=0, high=12)
most_contacts_so_far = quantity(int, "1", "largest number of contacts so far", one="most", many="max_contacts_seen peak_contacts", low=0, high=12)
pair_total = quantity(int, "1", "number of pairs", one="pairs", many="pair_count num_pairs", low=0, high=12)
room_for_contacts = quantity(int, "1", "largest number of contacts", one="max_contacts capacity", low=3, high=9, uniform=True)
overflow_mark = quantity(int, "1", "overflow flag", one="overflow", many="overflow overflow_flag", low=0, high=1)
dropped_total = quantity(int, "1", "number of dropped contacts", one="dropped", many="num_dropped", low=0, high=4)
blocks_needed = quantity(int, "1", "number of blocks", one="blocks", many="num_blocks launch_blocks", low=0, high=4)
threads_of_block = quantity(int, "1", "number of threads of a block", one="block_dim block_size", low=2, high=6, uniform=True)
count_per_entry = quantity(int, "1", "counts of entries", one="count", many="counts num_entries", low=0, high=5)
entry_offset = quantity(int, "1", "offsets of the entries", one="offset", many="offsets entry_offsets", low=0, high=20)
entry_total = quantity(int, "1", "number of all entries", one="total", many="total_count num_total", low=0, high=30)
sum_of_values = quantity(float, "1", "sum of the values", one="total", many="value_sum", low=-4.0, high=4.0)
sum_of_squares = quantity(float, "1", "sum of the squares", one="total_sq", many="square_sum", low=4.0, high=20.0)
count_of_values = quantity(int, "1", "number of values", one="n", many="value_count", low=1, high=8)
mean_of_all = quantity(float, "1", "mean", one="mean", many="mean_out mean")
variance_of_all = quantity(float, "1", "variance", one="var", many="var_out variance")
residual_product = quantity(float, "1", "product of residual and preconditioned residual", one="rz", many="rz", low=0.2, high=4.0)
new_residual_product = quantity(float, "1", "product of the new residual and its preconditioned one", one="rz_new", many="rz_new", low=0.2, high=4.0)
curvature_product = quantity(float, "1", "product of the direction and the matrix times it", one="p_Ap", many="p_Ap", low=0.2, high=4.0)
solver_alpha = quantity(float, "1", "step length", one="alpha", many="alpha")
solver_beta = quantity(float, "1", "share of the old direction", one="beta", many="beta")
residual_square = quantity(float, "1", "squared norm of the residual", one="r_norm_sq", many="r_norm_sq residual_norm_sq", low=0.01, high=2.0)
tolerance_square = quantity(float, "1", "square of the tolerance", one="atol_sq tol_sq", low=0.1, high=0.8, uniform=True)
iterations_done = quantity(int, "1", "number of iterations", one="iteration", many="iteration iter_count", low=0, high=9)
iteration_limit = quantity(int, "1", "largest number of iterations", one="max_iterations max_iters", low=2, high=8, uniform=True)
go_on_flag = quantity(int, "1", "flag to go on", one="condition", many="condition keep_going", low=0, high=1)
status_code = quantity(int, "1", "status", one="status", many="status", low=0, high=3)
trial_cost = quantity(float, "1", "cost of the trial step", one="trial", many="trial_cost", low=0.0, high=4.0)
current_cost = quantity(float, "1", "cost of the current point", one="cost", many="current_cost", low=1.0, high=4.0)
predicted_drop = quantity(float, "1", "predicted decrease of the cost", one="predicted", many="predicted_decrease", low=0.5, high=2.0)
damping_factor = quantity(float, "1", "damping of the solver", one="lam", many="damping lm_lambda", low=0.05, high=2.0)
accept_flag = quantity(int, "1", "flag of acceptance", one="accepted", many="accepted accept_flag", low=0, high=1)
candidate_cost = quantity(float, "1", "costs of the candidates", one="cost", many="candidate_costs costs", low=0.0, high=4.0)
candidate_step = quantity(float, "1", "step lengths of the candidates", one="step", many="step_lengths alphas", low=0.05, high=1.0)
best_candidate = quantity(int, "1", "index of the best candidate", one="best", many="best_index best_idx", low=0, high=5)
best_candidate_step = quantity(float, "1", "best step length", one="best_step", many="best_step")
ring_head = quantity(int, "1", "newest row of the ring buffer", one="head", many="head ring_head", low=0, high=5)
ring_rows = quantity(int, "1", "number of rows of the ring buffer", one="capacity num_rows", low=2, high=7, uniform=True)
ring_filled = quantity(int, "1", "number of filled rows", one="filled", many="num_filled", low=0, high=7)
setpoint_value = quantity(float, "1", "set point", one="target", many="setpoint", low=-2.0, high=2.0)
sensor_feedback = quantity(float, "1", "measured value", one="measured", many="measured", low=-2.0, high=2.0)
error_integral = quantity(float, "s", "integral of the error", one="integral", many="error_integral", low=-1.0, high=1.0)
error_before = quantity(float, "1", "error of the last step", one="last", many="last_error prev_error", low=-2.0, high=2.0)
controller_output = quantity(float, "1", "output of the controller", one="u", many="command control")
gain_of_error = quantity(float, "1", "proportional gain", one="kp", low=0.5, high=3.0, uniform=True)
gain_of_integral = quantity(float, "1/s", "integral gain", one="ki", low=0.1, high=1.0, uniform=True)
gain_of_rate = quantity(float, "s", "derivative gain", one="kd", low=0.02, high=0.3, uniform=True)
control_period = quantity(float, "s", "time between two steps", one="dt", low=0.05, high=0.2, uniform=True)
integral_limit = quantity(float, "s", "largest magnitude of the integral", one="windup", low=0.5, high=1.5, uniform=True)
epoch_loss = quantity(float, "1", "loss of the epoch", one="loss", many="loss", low=0.1, high=4.0)
best_loss = quantity(float, "1", "smallest loss so far", one="best", many="best_loss", low=0.5, high=3.0)
epochs_without_gain = quantity(int, "1", "number of epochs without a gain", one="stale", many="stale_epochs", low=0, high=6)
patience_of_training = quantity(int, "1", "largest number of epochs without a gain", one="patience", low=1, high=5, uniform=True)
stop_flag = quantity(int, "1", "flag to stop", one="stop", many="stop_flag should_stop", low=0, high=1)
least_gain = quantity(float, "1", "least decrease that is a gain", one="min_delta", low=0.02, high=0.3, uniform=True)
base_rate = quantity(float, "1", "learning rate after the warm-up", one="base_lr", low=0.01, high=0.1, uniform=True)
warm_steps = quantity(int, "1", "number of steps of the warm-up", one="warmup_steps", low=3, high=10, uniform=True)
all_steps = quantity(int, "1", "number of all steps", one="total_steps", low=20, high=60, uniform=True)
current_rate = quantity(float, "1", "learning rate", one="lr", many="lr learning_rate")
block_maximum = quantity(float, "1", "maxima of the blocks", one="largest", many="block_max partial_max")
maximum_of_all = quantity(float, "1", "largest value", one="largest", many="max_out max_value")
block_of_maximum = quantity(int, "1", "block with the largest value", one="block", many="max_block")
partial_lower = quantity(vec3, "m", "lower corners of the partial boxes", one="lower", many="partial_lower lowers", low=-2.0, high=0.0)
partial_upper = quantity(vec3, "m", "upper corners of the partial boxes", one="upper", many="partial_upper uppers", low=0.2, high=2.0)
scene_lower = quantity(vec3, "m", "lower corner of the scene", one="lower", many="scene_lower bounds_lower")
scene_upper = quantity(vec3, "m", "upper corner of the scene", one="upper", many="scene_upper bounds_upper")
scene_center = quantity(vec3, "m", "center of the scene", one="center", many="scene_center")
scene_radius = quantity(float, "m", "radius of the scene", one="radius", many="scene_radius")
summed_moment = quantity(vec3, "kg m", "sum of mass times position", one="moment", many="mass_moment com_sum")
summed_mass = quantity(float, "kg", "sum of the masses", one="mass", many="total_mass mass_sum", low=0.5, high=4.0)
overall_center = quantity(vec3, "m", "center of mass", one="com", many="com com_out")
moved_distance = quantity(float, "m", "largest distance moved", one="moved", many="max_displacement", low=0.0, high=0.6)
rebuild_distance = quantity(float, "m", "distance that asks for a rebuild", one="skin margin", low=0.2, high=0.4, uniform=True)
rebuild_age = quantity(int, "1", "number of steps since the last build", one="age", many="list_age", low=0, high=9)
rebuild_interval = quantity(int, "1", "largest number of steps between two builds", one="max_age", low=3, high=8, uniform=True)
rebuild_flag = quantity(int, "1", "flag to rebuild the neighbor lists", one="rebuild", many="needs_rebuild rebuild_flag", low=0, high=1)
sleep_counter = quantity(int, "1", "number of steps below the sleep speed", one="calm", many="sleep_counter", low=0, high=6)
sleep_speed = quantity(float, "m/s", "speed below which a robot rests", one="sleep_speed", low=0.5, high=2.0, uniform=True)
sleep_delay = quantity(int, "1", "number of steps of rest before sleep", one="sleep_delay", low=2, high=6, uniform=True)
awake_flag = quantity(int, "1", "flag of the awake robot", one="awake", many="awake", low=0, high=1)
forward_speed_command = quantity(float, "m/s", "forward speed of the command", one="v", many="cmd_vel lin_cmd", low=-1.5, high=1.5)
turn_rate_command = quantity(float, "rad/s", "turn rate of the command", one="w", many="cmd_yaw_rate ang_cmd", low=-2.0, high=2.0)
wheel_base = quantity(float, "m", "distance of the wheels", one="track wheel_base", low=0.2, high=0.8, uniform=True)
wheel_radius = quantity(float, "m", "wheel radius", one="wheel_radius", low=0.1, high=0.4, uniform=True)
wheel_rate = quantity(float, "rad/s", "turn rates of the two wheels", one="rate", many="wheel_vel joint_target_vel")
wheel_rate_limit = quantity(float, "rad/s", "largest turn rate of a wheel", one="max_rate", low=3.0, high=9.0, uniform=True)
base_pose = quantity(transform, "", "poses of the bodies", one="pose", many="body_q")
base_twist = quantity(spatial_vector, "m/s and rad/s", "velocities of the bodies", one="twist", many="body_qd")
body_to_move = quantity(int, "1", "index of the body to move", one="body body_index", low=0, high=4)
path_radius = quantity(float, "m", "radius of the path", one="radius", low=0.5, high=2.0, uniform=True)
path_rate = quantity(float, "rad/s", "turn rate along the path", one="omega", low=0.5, high=2.0, uniform=True)
path_height = quantity(float, "m", "height of the path", one="height", low=0.2, high=1.5, uniform=True)
base_point = quantity(vec3, "m", "point on the body", one="point", many="foot_offset local_point")
body_speed_pair = quantity(vec2, "m/s and rad/s", "forward speed and turn rate of the body", one="speeds", many="state_out base_state")
histogram_count = quantity(int, "1", "counts of the histogram", one="count", many="histogram bins hist", low=0, high=6)
fullest_bin = quantity(int, "1", "fullest bin", one="peak", many="peak_bin mode_bin", low=0, high=5)
fullest_count = quantity(int, "1", "count of the fullest bin", one="most", many="peak_count", low=0, high=6)
cooling_temperature = quantity(float, "1", "temperature", one="T", many="temperature", low=0.2, high=2.0)
moves_accepted = quantity(int, "1", "number of accepted moves", one="accepted", many="num_accepted", low=0, high=12)
tried_moves = quantity(int, "1", "number of tried moves", one="tried", many="num_tried", low=6, high=12)
buffer_in_use = quantity(int, "1", "buffer in use, 0 or 1", one="current", many="active_buffer read_buffer", low=0, high=1)
world_total = quantity(int, "1", "numbers of contacts of the worlds", one="count", many="world_count nacon", low=0, high=5)
world_with_most = quantity(int, "1", "world with the most contacts", one="world", many="worst_world", low=0, high=5)
valve_opening = quantity(float, "1", "opening of the valve", one="opening", many="valve", low=0.0, high=1.0)
tank_target = quantity(float, "m", "wanted level of the tank", one="target", low=0.5, high=1.5, uniform=True)
valve_gain = quantity(float, "1/(m s)", "gain of the valve", one="gain kp", low=0.5, high=2.0, uniform=True)
tank_inflow = quantity(float, "m/s", "rise of the level with an open valve", one="inflow", low=0.5, high=1.5, uniform=True)
tank_drain = quantity(float, "1/s", "rate at which the tank drains", one="drain", low=0.1, high=0.8, uniform=True)
tank_level = quantity(float, "m", "level of the tank", one="level", many="tank_level", low=0.2, high=2.0)


@algorithm(one=True, share=6)
def advance_clock(dt: control_period, time: out.clock_time["1"], step: out.steps_done["1"]):
    "advances the clock by a step: {dt} is added to `{time}[0]`, and 1 to `{step}[0]`"
    time[0] += dt
    if any_of:
        step[0] += 1
    elif any_of:
        step[0] = step[0] + 1


@algorithm(one=True, share=5)
def next_substep(num_substeps: substeps_of_frame, substep: out.substep_number["1", "0:3"], frame: out.frame_number["1", "0:7"]):
    "goes on to the next substep: `{substep}[0]` gets 1 more; if that is {num_substeps} or more, it gets 0 instead, and `{frame}[0]` is raised by 1"
    s = substep[0] + 1
    if s >= num_substeps:
        substep[0] = 0
        frame[0] = frame[0] + 1
    else:
        substep[0] = s


@algorithm(one=True, share=6)
def choose_time_step(
    speed: fastest_speed["1"], cfl: courant_limit, dx: cell_width_of_grid, dt_min: smallest_step, dt_max: largest_step,
    dt: out.adaptive_step["1"],
):
    "chooses the next time step: `{dt}[0]` gets {cfl} times {dx} over `{speed}[0]`, clamped to the range from {dt_min} to {dt_max}"
    dt[0] = wp.clamp(cfl * dx / speed[0], dt_min, dt_max)


@algorithm(one=True, share=5)
def limit_step_to_end(
    dt: adaptive_step["1"], end_time: clock_time["", "", "time at which the simulation ends"], time: clock_time["1"],
    dt_out: out.adaptive_step["1"], condition: out.go_on_flag["1"],
):
    "shortens the time step so that it does not go beyond the end: `{dt_out}[0]` gets the smaller one of `{dt}[0]` and {end_time} minus `{time}[0]`, but at least 0; `{condition}[0]` gets 1 if that is above 0, else 0"
    left = wp.max(end_time - time[0], 0.0)
    dt_out[0] = wp.min(dt[0], left)
    if left > 0.0:
        condition[0] = 1
    else:
        condition[0] = 0


@algorithm(one=True, share=5)
def clear_contact_counters(
    most: out.most_contacts_so_far["1"], count: out.contacts_found["1"], pairs: out.pair_total["1"], overflow: out.overflow_mark["1"],
):
    "clears the counters of the collision pipeline before a step: `{most}[0]` gets the larger one of itself and `{count}[0]`, and `{count}[0]`, `{pairs}[0]` and `{overflow}[0]` get 0"
    most[0] = wp.max(most[0], count[0])
    count[0] = 0
    pairs[0] = 0
    overflow[0] = 0


@algorithm(one=True, share=6)
def clamp_contact_count(
    max_contacts: room_for_contacts, count: out.contacts_found["1"], dropped: out.dropped_total["1"], overflow: out.overflow_mark["1"],
):
    "keeps the number of contacts within its room: if `{count}[0]` is above {max_contacts}, `{overflow}[0]` gets 1, what is too much is added to `{dropped}[0]`, and `{count}[0]` gets {max_contacts}; else nothing is done"
    n = count[0]
    if n > max_contacts:
        overflow[0] = 1
        dropped[0] += n - max_contacts
        count[0] = max_contacts


@algorithm(one=True, share=5)
def size_indirect_launch(count: contacts_found["1"], block_dim: threads_of_block, capacity: room_for_contacts, blocks: out.blocks_needed["1"]):
    "finds how many blocks a launch over the contacts needs: `{blocks}[0]` gets the smaller one of `{count}[0]` and {capacity}, over {block_dim}, rounded up"
    n = wp.min(count[0], capacity)
    blocks[0] = (n + block_dim - 1) // block_dim


@algorithm(one=True, share=6)
def offsets_of_counts(counts: count_per_entry["n", "0:6"], offsets: out.entry_offset["n+1"], total: out.entry_total["1"]):
    "turns counts into offsets: `{offsets}[i]` gets the sum of the first i entries of {counts}, for i from 0 to n, and `{total}[0]` the sum of all"
    running = int(0)
    offsets[0] = 0
    for i in range(counts.shape[0]):
        running += counts[i]
        offsets[i + 1] = running
    total[0] = running


@algorithm(one=True, share=6)
def finish_mean_and_variance(
    total: sum_of_values["1"], total_sq: sum_of_squares["1"], num: count_of_values["1", "1:9"], mean: out.mean_of_all["1"],
    var: out.variance_of_all["1"],
):
    "finishes the mean and the variance of n = `{num}[0]` values: `{mean}[0]` gets m = `{total}[0]` / n, and `{var}[0]` gets `{total_sq}[0]` / n - m^2"
    inv = 1.0 / float(num[0])
    m = total[0] * inv
    mean[0] = m
    var[0] = total_sq[0] * inv - m * m


@algorithm(one=True, share=4)
def conjugate_gradient_alpha(rz: residual_product["1"], p_Ap: curvature_product["1"], active: flags["whether the solver still runs, as its one entry"], alpha: out.solver_alpha["1"]):
    "the step length of the conjugate gradient method: if `{active}[0]` is set, `{alpha}[0]` gets `{rz}[0]` / `{p_Ap}[0]`, else 0"
    if active[0]:
        alpha[0] = rz[0] / p_Ap[0]
    else:
        alpha[0] = 0.0


@algorithm(one=True, share=6)
def finish_solver_iteration(
    rz_new: new_residual_product["1"], rz_old: residual_product["1"], r_norm_sq: residual_square["1"], atol_sq: tolerance_square,
    max_iterations: iteration_limit, iteration: out.iterations_done["1"], beta: out.solver_beta["1"], condition: out.go_on_flag["1"],
):
    "ends an iteration of the conjugate gradient method: `{beta}[0]` gets `{rz_new}[0]` / `{rz_old}[0]`, `{iteration}[0]` is raised by 1, and `{condition}[0]` gets 1 if `{r_norm_sq}[0]` is above {atol_sq} and the new `{iteration}[0]` is below {max_iterations}, else 0"
    beta[0] = rz_new[0] / rz_old[0]
    done = iteration[0] + 1
    iteration[0] = done
    if r_norm_sq[0] > atol_sq and done < max_iterations:
        condition[0] = 1
    else:
        condition[0] = 0


@algorithm(one=True, share=6)
def test_convergence(
    r_norm_sq: residual_square["1"], atol_sq: tolerance_square, iteration: iterations_done["1", "0:10"], max_iterations: iteration_limit,
    status: out.status_code["1"], condition: out.go_on_flag["1"],
):
    "tests whether a solver is done: if `{r_norm_sq}[0]` is at most {atol_sq}, `{status}[0]` gets 1 and `{condition}[0]` 0; else if `{iteration}[0]` is {max_iterations} or more, they get 2 and 0; else `{condition}[0]` gets 1"
    if r_norm_sq[0] <= atol_sq:
        status[0] = 1
        condition[0] = 0
    elif iteration[0] >= max_iterations:
        status[0] = 2
        condition[0] = 0
    else:
        condition[0] = 1


@algorithm(one=True, share=6)
def judge_trial_step(
    cost: current_cost["1"], trial: trial_cost["1"], predicted: predicted_drop["1"], damping: damping_factor["1"],
    damping_out: out.damping_factor["1"], accepted: out.accept_flag["1"],
):
    "judges a step of Levenberg and Marquardt by the ratio r of the decrease from `{cost}[0]` to `{trial}[0]` to `{predicted}[0]`: `{accepted}[0]` gets 1 if r is above 0, else 0; `{damping_out}[0]` gets a third of `{damping}[0]` if r is above 0.75, twice of it if r is below 0.25, else `{damping}[0]` itself"
    ratio = (cost[0] - trial[0]) / predicted[0]
    lam = damping[0]
    if ratio > 0.0:
        accepted[0] = 1
    else:
        accepted[0] = 0
    if ratio > 0.75:
        damping_out[0] = lam / 3.0
    elif ratio < 0.25:
        damping_out[0] = 2.0 * lam
    else:
        damping_out[0] = lam


@algorithm(one=True, share=6)
def best_of_line_search(
    costs: candidate_cost["n"], steps: candidate_step["n"], best_index: out.best_candidate["1"], best_step: out.best_candidate_step["1"],
):
    "finds the candidate of a line search with the least cost: `{best_index}[0]` gets its index, of equal ones the first, and `{best_step}[0]` its entry of {steps}"
    best = int(0)
    least = costs[0]
    for k in range(1, costs.shape[0]):
        if costs[k] < least:
            least = costs[k]
            best = k
    best_index[0] = best
    best_step[0] = steps[best]


@algorithm(one=True, share=5)
def advance_ring(capacity: ring_rows, head: out.ring_head["1", "0:6"], filled: out.ring_filled["1", "0:8"]):
    "goes on to the next row of a ring buffer: `{head}[0]` gets its value plus 1, modulo {capacity}, and `{filled}[0]` gets 1 more, but at most {capacity}"
    head[0] = (head[0] + 1) % capacity
    filled[0] = wp.min(filled[0] + 1, capacity)


@algorithm(one=True, share=4)
def swap_buffers(step: steps_done["1", "0:51"], interval: rebuild_interval, current: out.buffer_in_use["1", "0:2"]):
    "lets two buffers change places after every {interval} steps: if `{step}[0]` is divisible by {interval}, `{current}[0]` gets 1 minus its value"
    if step[0] % interval == 0:
        current[0] = 1 - current[0]


@algorithm(one=True, share=6)
def pid_step(
    target: setpoint_value["1"], measured: sensor_feedback["1"], integral: error_integral["1"], last: error_before["1"],
    kp: gain_of_error, ki: gain_of_integral, kd: gain_of_rate, windup: integral_limit, dt: control_period,
    integral_out: out.error_integral["1"], last_out: out.error_before["1"], command: out.controller_output["1"],
):
    "a step of a PID controller: the error e is `{target}[0]` - `{measured}[0]`; the integral I is `{integral}[0]` + e {dt}, clamped to the range from -{windup} to {windup}; `{command}[0]` gets {kp} e + {ki} I + {kd} (e - `{last}[0]`) / {dt}, `{integral_out}[0]` gets I and `{last_out}[0]` gets e"
    error = target[0] - measured[0]
    total = wp.clamp(integral[0] + error * dt, -windup, windup)
    rate = (error - last[0]) / dt
    command[0] = kp * error + ki * total + kd * rate
    integral_out[0] = total
    last_out[0] = error


@algorithm(one=True, share=6)
def watch_loss(
    loss: epoch_loss["1"], min_delta: least_gain, patience: patience_of_training, best: out.best_loss["1"],
    stale: out.epochs_without_gain["1"], stop: out.stop_flag["1"],
):
    "decides on early stopping: if `{loss}[0]` is below `{best}[0]` by more than {min_delta}, `{best}[0]` gets it and `{stale}[0]` gets 0; else `{stale}[0]` is raised by 1, and if it is then above {patience}, `{stop}[0]` gets 1"
    value = loss[0]
    if value < best[0] - min_delta:
        best[0] = value
        stale[0] = 0
    else:
        waited = stale[0] + 1
        stale[0] = waited
        if waited > patience:
            stop[0] = 1


@algorithm(one=True, share=5)
def schedule_learning_rate(
    base_lr: base_rate, warmup_steps: warm_steps, total_steps: all_steps, step: out.steps_done["1", "0:51"], lr: out.current_rate["1"],
):
    "the learning rate of step s = `{step}[0]`: `{lr}[0]` gets {base_lr} (s + 1) / {warmup_steps} if s is below {warmup_steps}, else {base_lr} times half of 1 plus the cosine of pi times (s - {warmup_steps}) / ({total_steps} - {warmup_steps}), with this fraction at most 1; `{step}[0]` is then raised by 1"
    s = step[0]
    if s < warmup_steps:
        lr[0] = base_lr * float(s + 1) / float(warmup_steps)
    else:
        done = wp.min(float(s - warmup_steps) / float(total_steps - warmup_steps), 1.0)
        lr[0] = base_lr * 0.5 * (1.0 + wp.cos(wp.pi * done))
    step[0] = s + 1


@algorithm(one=True, share=5)
def finish_block_maximum(block_max: block_maximum["n"], largest: out.maximum_of_all["1"], block: out.block_of_maximum["1"]):
    "finishes a maximum over blocks: `{largest}[0]` gets the largest entry of {block_max}, and `{block}[0]` its index, of equal ones the first"
    best = block_max[0]
    where = int(0)
    for b in range(1, block_max.shape[0]):
        value = block_max[b]
        if value > best:
            best = value
            where = b
    largest[0] = best
    block[0] = where


@algorithm(one=True, share=6)
def join_bounds(
    lowers: partial_lower["n"], uppers: partial_upper["n"], lower: out.scene_lower["1"], upper: out.scene_upper["1"],
):
    "joins the boxes that blocks of threads have found: `{lower}[0]` gets the smallest of {lowers} in each component, and `{upper}[0]` the largest of {uppers}"
    lo = lowers[0]
    hi = uppers[0]
    for b in range(1, lowers.shape[0]):
        lo = wp.min(lo, lowers[b])
        hi = wp.max(hi, uppers[b])
    lower[0] = lo
    upper[0] = hi


@algorithm(one=True, share=5)
def sphere_of_bounds(lower: scene_lower["1"], upper: scene_upper["1"], center: out.scene_center["1"], radius: out.scene_radius["1"]):
    "the sphere around a scene's box: `{center}[0]` gets the mean of `{lower}[0]` and `{upper}[0]`, and `{radius}[0]` half of the length of `{upper}[0]` - `{lower}[0]`"
    lo = lower[0]
    hi = upper[0]
    center[0] = 0.5 * (lo + hi)
    radius[0] = 0.5 * wp.length(hi - lo)


@algorithm(one=True, share=5)
def finish_center_of_mass(moment: summed_moment["1"], mass: summed_mass["1"], com: out.overall_center["1"]):
    "finishes the center of mass: `{com}[0]` gets `{moment}[0]` / `{mass}[0]`"
    com[0] = moment[0] / mass[0]


@algorithm(one=True, share=5)
def decide_rebuild(
    moved: moved_distance["1"], skin: rebuild_distance, max_age: rebuild_interval, age: out.rebuild_age["1"],
    rebuild: out.rebuild_flag["1"],
):
    "decides whether neighbor lists are built anew: if `{moved}[0]` is above half of {skin}, or `{age}[0]` is {max_age} or more, `{rebuild}[0]` gets 1 and `{age}[0]` gets 0; else `{rebuild}[0]` gets 0 and `{age}[0]` is raised by 1"
    steps = age[0]
    if moved[0] > 0.5 * skin or steps >= max_age:
        rebuild[0] = 1
        age[0] = 0
    else:
        rebuild[0] = 0
        age[0] = steps + 1


@algorithm(one=True, share=5)
def update_sleep_state(
    speed: fastest_speed["1"], limit: sleep_speed, delay: sleep_delay, calm: out.sleep_counter["1"], awake: out.awake_flag["1"],
):
    "updates whether a robot is awake: if `{speed}[0]` is below {limit}, `{calm}[0]` is raised by 1, and `{awake}[0]` gets 0 if it is then {delay} or more; else `{calm}[0]` gets 0 and `{awake}[0]` 1"
    if speed[0] < limit:
        steps = calm[0] + 1
        calm[0] = steps
        if steps >= delay:
            awake[0] = 0
    else:
        calm[0] = 0
        awake[0] = 1


@algorithm(one=True, share=6)
def set_wheel_targets(
    cmd_vel: forward_speed_command["1"], cmd_yaw: turn_rate_command["1"], track: wheel_base, wheel_radius: wheel_radius,
    max_rate: wheel_rate_limit, targets: out.wheel_rate["2"],
):
    "turns a command for a robot with two wheels into their turn rates: with the speed v = `{cmd_vel}[0]` and the turn rate w = `{cmd_yaw}[0]`, `{targets}[0]` gets (v - w {track} / 2) / {wheel_radius} and `{targets}[1]` gets (v + w {track} / 2) / {wheel_radius}, each clamped to the range from -{max_rate} to {max_rate}"
    v = cmd_vel[0]
    turn = 0.5 * cmd_yaw[0] * track
    targets[0] = wp.clamp((v - turn) / wheel_radius, -max_rate, max_rate)
    targets[1] = wp.clamp((v + turn) / wheel_radius, -max_rate, max_rate)


@algorithm(one=True, share=6)
def move_body_on_circle(
    time: clock_time["1"], body: body_to_move["", "0:n"], radius: path_radius, omega: path_rate, height: path_height,
    body_q: out.base_pose["n"],
):
    "moves one body along a circle: with the angle a = {omega} times `{time}[0]`, `{body_q}[{body}]` gets the translation ({radius} cos a, {radius} sin a, {height}) and a rotation by a about the z axis"
    angle = omega * time[0]
    x = radius * wp.cos(angle)
    y = radius * wp.sin(angle)
    rot = wp.quat_from_axis_angle(wp.vec3(0.0, 0.0, 1.0), angle)
    body_q[body] = wp.transform(wp.vec3(x, y, height), rot)


@algorithm(one=True, share=6)
def read_base_motion(
    body_q: base_pose["n"], body_qd: base_twist["n"], offset: base_point["n"], body: body_to_move["", "0:n"],
    state: out.body_speed_pair["1"],
):
    "measures the motion of one body at a point of it: with the pose, the velocity and the point of body {body}, the vector v is the linear part (the top) of the velocity plus the cross product of its angular part (the bottom) with the point turned by the pose; `{state}[0]` gets the x component of v turned back into the body's frame, and the z component of the angular part turned back likewise"
    pose = body_q[body]
    twist = body_qd[body]
    rot = wp.transform_get_rotation(pose)
    spin = wp.spatial_bottom(twist)
    arm = wp.transform_vector(pose, offset[body])
    v = wp.spatial_top(twist) + wp.cross(spin, arm)
    state[0] = wp.vec2(wp.quat_rotate_inv(rot, v)[0], wp.quat_rotate_inv(rot, spin)[2])


@algorithm(one=True, share=5)
def histogram_peak(bins: histogram_count["n", "0:7"], peak: out.fullest_bin["1"], most: out.fullest_count["1"]):
    "finds the fullest bin of a histogram: `{peak}[0]` gets its index, of equal ones the first, and `{most}[0]` its count"
    best = int(0)
    for b in range(1, bins.shape[0]):
        if bins[b] > bins[best]:
            best = b
    peak[0] = best
    most[0] = bins[best]


@algorithm(one=True, share=5)
def cool_down(
    accepted: moves_accepted["1", "0:13"], tried: tried_moves["1", "6:13"], temperature: cooling_temperature["1"],
    temperature_out: out.cooling_temperature["1"], accepted_out: out.moves_accepted["1"],
):
    "cools simulated annealing down by the share of accepted moves, `{accepted}[0]` over `{tried}[0]`: `{temperature_out}[0]` gets `{temperature}[0]` times 0.8 if it is above 0.6, times 0.98 if it is below 0.2, else times 0.9; `{accepted_out}[0]` gets 0 for the next round"
    share = float(accepted[0]) / float(tried[0])
    if share > 0.6:
        factor = 0.8
    elif share < 0.2:
        factor = 0.98
    else:
        factor = 0.9
    temperature_out[0] = temperature[0] * factor
    accepted_out[0] = 0


@algorithm(one=True, share=6)
def find_playback_frame(
    times: frame_stamp["n+1"], fps: playback_rate, step: out.steps_done["1", "0:51"], frame: out.frame_number["1", "0:n+1"],
):
    "advances the frame of a recording that is played back: the time t is `{step}[0]` / {fps}; from `{frame}[0]` on, the frame goes on by one as long as there is a next one and its entry of {times} is at most t; `{frame}[0]` gets where it ends, and `{step}[0]` is raised by 1"
    num_frames = times.shape[0]
    done = step[0]
    t = float(done) / fps
    f = int(frame[0])
    while f < num_frames - 1 and times[f + 1] <= t:
        f += 1
    frame[0] = f
    step[0] = done + 1


@algorithm(one=True, share=5)
def world_with_most_contacts(counts: world_total["n", "0:6"], nworld: ring_rows["", "", "number of worlds in use"], worst: out.world_with_most["1"], total: out.contacts_found["1"]):
    "looks for the world with the most contacts among the first {nworld} ones, or all that {counts} has if it has fewer: `{worst}[0]` gets its index, of equal ones the first, and `{total}[0]` the sum of their counts"
    most = int(-1)
    where = int(0)
    total_count = int(0)
    for w in range(wp.min(nworld, counts.shape[0])):
        n = counts[w]
        total_count += n
        if n > most:
            most = n
            where = w
    worst[0] = where
    total[0] = total_count


@algorithm(one=True, share=5)
def regulate_tank(
    level: tank_level["1"], valve: valve_opening["1"], target: tank_target, gain: valve_gain, inflow: tank_inflow, drain: tank_drain,
    dt: control_period, level_out: out.tank_level["1"], valve_out: out.valve_opening["1"],
):
    "a step of a tank whose inflow a valve regulates: the valve v = `{valve}[0]` + {gain} ({target} - `{level}[0]`) {dt} is clamped to the range from 0 to 1 and stored in `{valve_out}[0]`; the level h = `{level}[0]` then gets ({inflow} v - {drain} h) {dt} added, and is stored in `{level_out}[0]`"
    h = level[0]
    v = wp.clamp(valve[0] + gain * (target - h) * dt, 0.0, 1.0)
    valve_out[0] = v
    level_out[0] = h + (inflow * v - drain * h) * dt
