# SPDX-License-Identifier: Apache-2.0
"""Random walks on a line."""

field("random walks", element="walker walkers", other="walker walkers", apart=True)

walker_position = quantity(float, "m", "position", one="x pos", many="walkers x", means="range")
walk_step = quantity(float, "m", "step length", one="step h", low=0.1, high=1.0, uniform=True)
wall_distance = quantity(float, "m", "distance of the walls", one="wall bound", low=0.3, high=1.5, uniform=True)
damped_velocity = quantity(float, "m/s", "velocity", one="v vel", many="velocities v")
friction_rate = quantity(float, "1/s", "friction rate", one="gamma friction", low=0.1, high=1.0, uniform=True)
thermal_noise = quantity(float, "m/s^1.5", "noise strength", one="noise eta", low=0.1, high=1.0,
                         uniform=True)
passage_steps = quantity(int, "1", "number of steps", one="n steps", many="steps step_counts", low=0, high=32)
walk_random_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)
step_chance = quantity(float, "1", "chance of a step to the right", one="p_right bias", low=0.2, high=0.8, uniform=True)
rest_chance = quantity(float, "1", "chance of rest", one="p_rest rest", low=0.1, high=0.8, uniform=True)
plane_walker = quantity(vec2, "m", "position in the plane", one="p pos", many="points walkers")
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
    "{p} plus {step} (cos a, sin a), where the angle a is 2 pi times a random number from 0 to 1"
    a = 2.0 * wp.pi * wp.randf(state)
    return p + step * wp.vec2(wp.cos(a), wp.sin(a))


@formula
def drifting_walk(x: walker_position, u: drift_speed, noise: spread_rate_of_walk, dt: time_step, state: random_state) -> walker_position:
    "{x} + {u} {dt} + sqrt(2 {noise} {dt}) z with a standard normal number z: a step of drift and diffusion"
    return x + u * dt + wp.sqrt(2.0 * noise * dt) * wp.randn(state)


@formula
def pulled_back(x: walker_position, home: home_position, k: return_rate, noise: spread_rate_of_walk, dt: time_step,
                state: random_state) -> walker_position:
    "a step of the Ornstein-Uhlenbeck process, {x} + {k} ({home} - {x}) {dt} + sqrt(2 {noise} {dt}) z with a standard normal number z"
    return x + k * (home - x) * dt + wp.sqrt(2.0 * noise * dt) * wp.randn(state)


@formula
def reflected_at_walls(x: walker_position, wall: wall_distance) -> walker_position:
    "{x}, reflected once at the walls at {wall} and -{wall}: 2 {wall} - {x} if {x} is above {wall}, -2 {wall} - {x} if it is below -{wall}"
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
