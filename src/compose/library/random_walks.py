# SPDX-License-Identifier: Apache-2.0
"""Random walks on a line."""

field("random walks", element="walker walkers", other="walker walkers", apart=True, state=True, share=2)

walker_position = quantity(float, "m", "position", one="x pos", many="positions x", means="range")
plane_heading = quantity(float, "rad", "heading", one="heading", many="headings", low=0.1, high=6.0)
swim_speed = quantity(float, "m/s", "swimming speed", one="speed swim_speed", low=0.2, high=2.0, uniform=True)
tumble_chance = quantity(float, "1", "chance of a tumble", one="p_tumble", low=0.1, high=0.7, uniform=True)
turn_noise = quantity(float, "rad^2/s", "rotational diffusivity", one="d_rot", low=0.1, high=1.0, uniform=True)
jump_exponent = quantity(float, "1", "exponent of the jumps", one="alpha jump_exponent", low=1.2, high=2.0, uniform=True)
disk_radius = quantity(float, "m", "radius of the disk", one="radius", low=1.0, high=3.0, uniform=True)
right_temperature = quantity(float, "K", "temperature of the right border", one="t_right hot", low=1.0, high=4.0, uniform=True)
left_temperature = quantity(float, "K", "temperature of the left border", one="t_left cold", low=0.1, high=1.0, uniform=True)
walk_estimate = quantity(float, "K", "estimated temperature", one="estimate", many="estimates", means="total")
bead_position = quantity(vec3, "m", "bead position", one="x pos", many="bead_positions")
bead_velocity = quantity(vec3, "m/s", "bead velocity", one="v vel", many="bead_velocities")
thermal_velocity = quantity(float, "m/s", "thermal velocity", one="v_th thermal", low=0.2, high=2.0, uniform=True)
cell_of_line = quantity(float, "m", "width of a cell", one="cell_width width", low=0.2, high=1.0, uniform=True)
tracer_amount = quantity(float, "kg", "tracer mass", one="amount m", many="amounts tracer", low=0.1, high=2.0)
deposited_tracer = quantity(float, "kg", "tracer mass of each cell", one="deposit", many="deposited cell_tracer")
walk_step = quantity(float, "m", "step length", one="step h", low=0.1, high=1.0, uniform=True)
wall_distance = quantity(float, "m", "distance of the walls", one="wall bound", low=0.3, high=1.5, uniform=True)
damped_velocity = quantity(float, "m/s", "velocity", one="v vel", many="velocities v")
friction_rate = quantity(float, "1/s", "friction rate", one="gamma friction", low=0.1, high=1.0, uniform=True)
thermal_noise = quantity(float, "m/s^1.5", "noise strength", one="noise eta", low=0.1, high=1.0,
                         uniform=True)
passage_steps = quantity(int, "1", "number of steps", one="n steps", many="steps step_counts", low=0, high=32)
walk_random_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)
step_chance = quantity(float, "1", "chance of a step to the right", one="p_right", low=0.2, high=0.8, uniform=True)
rest_chance = quantity(float, "1", "chance of rest", one="p_rest rest", low=0.1, high=0.8, uniform=True)
plane_walker = quantity(vec2, "m", "position in the plane", one="p pos", many="points")
drift_speed = quantity(float, "m/s", "drift velocity", one="u drift", many="drifts u")
spread_rate_of_walk = quantity(float, "m^2/s", "diffusivity", one="diff_coeff diffusivity", low=0.1, high=1.0, uniform=True)
home_position = quantity(float, "m", "home position", one="home", many="homes")
return_rate = quantity(float, "1/s", "return rate", one="k_return theta", low=0.1, high=1.0, uniform=True)


@formula
def walk(x: walker_position, step: walk_step, state: random_state) -> walker_position:
    "{x} minus {step} if a random number from 0 to 1 is below 0.5, else {x} plus {step}"
    if wp.randf(state) < 0.5:
        return x - step
    return x + step


@formula
def diffuse(x: walker_position, step: walk_step, state: random_state) -> walker_position:
    "{x} plus {step} times a standard normal number"
    return x + step * wp.randn(state)


@formula
def biased_walk(x: walker_position, step: walk_step, bias: step_chance, state: random_state) -> walker_position:
    "{x} plus {step} if a random number from 0 to 1 is below {bias}, else {x} minus {step}"
    if wp.randf(state) < bias:
        return x + step
    return x - step


@formula
def lazy_walk(x: walker_position, step: walk_step, rest: rest_chance, state: random_state) -> walker_position:
    "{x} if a first random number from 0 to 1 is below {rest}, else {x} plus {step} times a second random number from -1 to 1"
    stays = wp.randf(state) < rest
    move = step * wp.randf(state, -1.0, 1.0)
    return wp.where(stays, x, x + move)


@formula
def walk_in_plane(p: plane_walker, step: walk_step, state: random_state) -> plane_walker:
    "{p} plus {step} (cos(a), sin(a)), where the angle a is 2 pi times a random number from 0 to 1"
    a = 2.0 * wp.pi * wp.randf(state)
    return p + step * wp.vec2(wp.cos(a), wp.sin(a))


@formula
def levy_flight(x: walker_position, step: walk_step, alpha: jump_exponent, state: random_state) -> walker_position:
    "{x} plus or minus {step} times u^(-1 / {alpha}), where u is a random number from 0.05 to 1, and the sign is plus if a second one, from 0 to 1, is below 0.5, a flight with some long jumps"
    jump = step * wp.pow(wp.randf(state, 0.05, 1.0), -1.0 / alpha)
    return wp.where(wp.randf(state) < 0.5, x + jump, x - jump)


@formula
def drifting_walk(x: walker_position, u: drift_speed, diff: spread_rate_of_walk, dt: time_step, state: random_state) -> walker_position:
    "a step of drift and diffusion, {x} + {u} {dt} + sqrt(2 {diff} {dt}) z with a standard normal number z"
    return x + u * dt + wp.sqrt(2.0 * diff * dt) * wp.randn(state)


@formula
def pull_home(x: walker_position, home: home_position, k: return_rate, diff: spread_rate_of_walk, dt: time_step,
                state: random_state) -> walker_position:
    "a step of the Ornstein-Uhlenbeck process, {x} + {k} ({home} - {x}) {dt} + sqrt(2 {diff} {dt}) z with a standard normal number z"
    return x + k * (home - x) * dt + wp.sqrt(2.0 * diff * dt) * wp.randn(state)


@formula
def reflect_at_walls(x: walker_position, wall: wall_distance) -> walker_position:
    "{x}, reflected once at the walls at {wall} and -{wall}, that is 2 {wall} - {x} if {x} is above {wall}, -2 {wall} - {x} if it is below -{wall}, and else {x}"
    if x > wall:
        return 2.0 * wall - x
    if x < -wall:
        return -2.0 * wall - x
    return x


@formula
def langevin_step(v: damped_velocity, gamma: friction_rate, noise: thermal_noise, dt: time_step,
                  state: random_state) -> damped_velocity:
    "a step of Langevin dynamics, {v} - {gamma} {v} {dt} + {noise} sqrt({dt}) z with a standard normal number z"
    return v - gamma * v * dt + noise * wp.sqrt(dt) * wp.randn(state)


@algorithm(share=2)
def first_passage(start: walker_position, step: walk_step, seed: walk_random_seed, steps: out.passage_steps):
    "counts the steps that each walker, which begins at |{start}|, takes until its position is below zero, but at most 32; each step adds {step} times a standard normal number"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    x = wp.abs(start[i])
    n = int(0)
    while n < 32 and x >= 0.0:
        x += step * wp.randn(state)
        n += 1
    steps[i] = n


@algorithm
def run_and_tumble(
    p: plane_walker, heading: plane_heading, speed: swim_speed, chance: tumble_chance, dt: time_step,
    seed: walk_random_seed, p_out: out.plane_walker, heading_out: out.plane_heading,
):
    "a step of bacteria that run and tumble: if a random number from 0 to 1 is below {chance}, the new heading is 2 pi times a second one, drawn only then, else it is {heading}; {heading_out} gets it, and {p_out} gets {p} plus {speed} {dt} along it, where a heading h points along (cos(h), sin(h))"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    angle = heading[i]
    if wp.randf(state) < chance:
        angle = 2.0 * wp.pi * wp.randf(state)
    p_out[i] = p[i] + speed * dt * wp.vec2(wp.cos(angle), wp.sin(angle))
    heading_out[i] = angle


@algorithm
def active_brownian_step(
    p: plane_walker, heading: plane_heading, speed: swim_speed, diff: spread_rate_of_walk, spin: turn_noise,
    dt: time_step, seed: walk_random_seed, p_out: out.plane_walker, heading_out: out.plane_heading,
):
    "a step of active Brownian particles with three standard normal numbers a, b and c, drawn in this order: {p_out} gets {p} plus {speed} {dt} along (cos(h), sin(h)) with h = {heading}, plus sqrt(2 {diff} {dt}) (a, b); {heading_out} gets {heading} plus sqrt(2 {spin} {dt}) c"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    angle = heading[i]
    spread = wp.sqrt(2.0 * diff * dt)
    shove = wp.vec2(wp.randn(state), wp.randn(state))
    drive = speed * dt * wp.vec2(wp.cos(angle), wp.sin(angle))
    p_out[i] = p[i] + drive + spread * shove
    heading_out[i] = angle + wp.sqrt(2.0 * spin * dt) * wp.randn(state)


@algorithm
def walk_on_circles(
    start: plane_walker, radius: disk_radius, hot: right_temperature, cold: left_temperature,
    seed: walk_random_seed, estimate: out.walk_estimate,
):
    "an estimate of the steady temperature at each point {start} of a disk of the radius {radius} around the origin, whose border has the temperature {hot} where x is above 0, else {cold}: in eight steps the point moves by r (cos(a), sin(a)), where r is its distance from the border, or 0 outside of the disk, and a is 2 pi times a random number from 0 to 1; the estimate is the border's temperature on the side where it ends"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    p = start[i]
    for step in range(8):
        r = wp.max(radius - wp.length(p), 0.0)
        a = 2.0 * wp.pi * wp.randf(state)
        p = p + r * wp.vec2(wp.cos(a), wp.sin(a))
    estimate[i] = wp.where(p[0] > 0.0, hot, cold)


@algorithm
def thermostat_step(
    x: bead_position, v: bead_velocity, gamma: friction_rate, thermal: thermal_velocity, dt: time_step,
    seed: walk_random_seed, x_out: out.bead_position, v_out: out.bead_velocity,
):
    "a step of a Langevin thermostat: {v_out} gets c {v} + {thermal} sqrt(1 - c^2) z, where c is exp(-{gamma} {dt}) and z a vector of three standard normal numbers; {x_out} gets {x} plus {dt} times the new velocity"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    c = wp.exp(-gamma * dt)
    z = wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state))
    new_v = c * v[i] + thermal * wp.sqrt(1.0 - c * c) * z
    v_out[i] = new_v
    x_out[i] = x[i] + dt * new_v


@algorithm
def deposit_after_step(
    x: walker_position["n"], amount: tracer_amount["n"], step: walk_step, width: cell_of_line,
    seed: walk_random_seed, deposit: out.deposited_tracer["c+2"],
):
    "moves each walker by {step} times a standard normal number from {x}, and adds its {amount} atomically to {deposit} at the cell in which it comes to lie: its new position divided by {width}, rounded down; walkers that come to lie beyond the first or the last cell add nothing"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    place = x[i] + step * wp.randn(state)
    cell = int(wp.floor(place / width))
    if cell < 0 or cell >= deposit.shape[0]:
        return
    wp.atomic_add(deposit, cell, amount[i])
