# SPDX-License-Identifier: Apache-2.0
"""Random numbers: samples of distributions, walks, estimates and prices along random paths."""

field("Monte Carlo", element="sample samples", group="stratum strata")

mean_value = quantity(float, "1", "mean", one="mu mean", many="means mu")
deviation = quantity(float, "1", "standard deviation", one="sigma std", many="sigmas stds", low=0.1,
                     high=2.0)
drawn_value = quantity(float, "1", "drawn value", one="x value draw", many="draws values x")
event_rate = quantity(float, "1/s", "event rate", one="rate lam", many="rates lam", low=0.5, high=4.0)
waiting_time = quantity(float, "s", "waiting time", one="wait t", many="waits times")
lower_bound = quantity(float, "1", "lower bound", one="lo a", many="lows lo")
upper_bound = quantity(float, "1", "upper bound", one="hi b", many="highs hi")
walker_position = quantity(float, "m", "position", one="x pos", many="walkers x")
walk_step = quantity(float, "m", "step length", one="step h", low=0.1, high=1.0, uniform=True)
wall_distance = quantity(float, "m", "distance of the walls", one="wall bound", low=0.3, high=1.5, uniform=True)
asset_price = quantity(float, "EUR", "asset price", one="price s", many="prices s", low=1.0, high=4.0)
price_drift = quantity(float, "1/year", "drift", one="drift mu", low=0.1, high=1.0, uniform=True)
volatility = quantity(float, "1/sqrt(year)", "volatility", one="vol sigma", low=0.1, high=1.0,
                      uniform=True)
period = quantity(float, "years", "period", one="dt period", low=0.1, high=1.0, uniform=True)
strike_price = quantity(float, "EUR", "strike price", one="strike k", low=0.5, high=2.0, uniform=True)
option_payoff = quantity(float, "EUR", "payoff", one="payoff", many="payoffs")
discount_rate = quantity(float, "1/year", "interest rate", one="r rate", low=0.1, high=0.5, uniform=True)
present_value = quantity(float, "EUR", "present value", one="pv value", many="present_values pv")
activation = quantity(float, "1", "activation", one="x act", many="activations x")
keep_probability = quantity(float, "1", "probability to keep", one="keep keep_prob", low=0.5, high=0.9,
                            uniform=True)
damped_velocity = quantity(float, "m/s", "velocity", one="v vel", many="velocities v")
friction_rate = quantity(float, "1/s", "friction", one="gamma friction", low=0.1, high=1.0, uniform=True)
thermal_noise = quantity(float, "m/s^1.5", "noise strength", one="noise eta", low=0.1, high=1.0,
                         uniform=True)
standard_score = quantity(float, "1", "standard score", one="z score", many="z_scores scores")
passage_steps = quantity(int, "1", "number of steps", one="n steps", many="steps step_counts", low=0, high=32)
interval_width = quantity(float, "1", "width of the interval", one="width span", low=0.5, high=2.0, uniform=True)
integral_term = quantity(float, "1", "term of the estimate", one="term f", many="terms estimates",
                         sums=True)


@formula
def normal_draw(mu: mean_value, sigma: deviation, state: random_state) -> drawn_value:
    "{mu} plus {sigma} times a standard normal number"
    return mu + sigma * wp.randn(state)


@formula
def uniform_draw(lo: lower_bound, hi: upper_bound, state: random_state) -> drawn_value:
    "{lo} plus ({hi} - {lo}) times a random number from 0 to 1"
    return lo + (hi - lo) * wp.randf(state)


@formula
def clipped_draw(x: drawn_value, lo: lower_bound, hi: upper_bound) -> drawn_value:
    "{x}, clamped to the range from {lo} to {hi}"
    return wp.clamp(x, lo, hi)


@formula
def standard_score_of(x: drawn_value, mu: mean_value, sigma: deviation) -> standard_score:
    "({x} - {mu}) / {sigma}"
    return (x - mu) / sigma


@formula
def exponential_wait(rate: event_rate, state: random_state) -> waiting_time:
    "-log(1 - 0.99 u) / {rate}, where u is a random number from 0 to 1"
    u = wp.randf(state)
    return -wp.log(1.0 - 0.99 * u) / rate


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
def bounded_walk(x: walker_position, wall: wall_distance) -> walker_position:
    "{x}, reflected once at the walls at {wall} and -{wall}: 2 {wall} - {x} if {x} is above {wall}, -2 {wall} - {x} if it is below -{wall}"
    if x > wall:
        return 2.0 * wall - x
    if x < -wall:
        return -2.0 * wall - x
    return x


@formula
def next_price(s: asset_price, mu: price_drift, sigma: volatility, dt: period,
               state: random_state) -> asset_price:
    "a step of geometric Brownian motion, {s} exp(({mu} - {sigma}^2 / 2) {dt} + {sigma} sqrt({dt}) z) with a standard normal number z"
    shock = sigma * wp.sqrt(dt) * wp.randn(state)
    return s * wp.exp((mu - 0.5 * sigma * sigma) * dt + shock)


@formula
def call_payoff(s: asset_price, k: strike_price) -> option_payoff:
    "{s} minus {k}, or zero if that is negative"
    return wp.max(s - k, 0.0)


@formula
def put_payoff(s: asset_price, k: strike_price) -> option_payoff:
    "{k} minus {s}, or zero if that is negative"
    return wp.max(k - s, 0.0)


@formula
def discounted(payoff: option_payoff, r: discount_rate, dt: period) -> present_value:
    "{payoff} times exp(-{r} {dt})"
    return payoff * wp.exp(-r * dt)


@formula
def dropout(x: activation, keep: keep_probability, state: random_state) -> activation:
    "{x} / {keep} if a random number from 0 to 1 is below {keep}, else zero"
    return wp.where(wp.randf(state) < keep, x / keep, 0.0)


@formula
def noisy_activation(x: activation, sigma: uniform.deviation, state: random_state) -> activation:
    "{x} plus {sigma} times a standard normal number"
    return x + sigma * wp.randn(state)


@formula
def langevin_step(v: damped_velocity, gamma: friction_rate, noise: thermal_noise, dt: time_step,
                  state: random_state) -> damped_velocity:
    "a step of Langevin dynamics, {v} - {gamma} {v} {dt} + {noise} sqrt({dt}) z with a standard normal number z"
    return v - gamma * v * dt + noise * wp.sqrt(dt) * wp.randn(state)


@algorithm
def simulate_paths(start: asset_price, mu: price_drift, sigma: volatility, dt: period,
                   k: strike_price, seed: path_seed, payoff: out.option_payoff):
    "for each path of a geometric Brownian motion from {start} the mean of the payoffs max(s - {k}, 0) of the prices s after each of four steps, where a step multiplies the price by exp(({mu} - {sigma}^2 / 2) {dt} + {sigma} sqrt({dt}) z) with a standard normal number z"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    s = start[i]
    total = float(0.0)
    drift = (mu - 0.5 * sigma * sigma) * dt
    scale = sigma * wp.sqrt(dt)
    for step in range(4):
        s = s * wp.exp(drift + scale * wp.randn(state))
        total += wp.max(s - k, 0.0)
    payoff[i] = total / 4.0


path_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)


@algorithm
def estimate_pi(seed: path_seed, hits: out.hit_count):
    "counts for each thread how many of 16 random points (x, y) of the unit square lie in the quarter disk, with x^2 + y^2 at most 1; x is drawn before y"
    i = thread()
    state = wp.rand_init(seed, i)
    inside = int(0)
    for k in range(16):
        x = wp.randf(state)
        y = wp.randf(state)
        if x * x + y * y <= 1.0:
            inside += 1
    hits[i] = inside


hit_count = quantity(int, "1", "hits", one="hits", many="hits hit_counts", low=0, high=16)


@algorithm
def integrate_by_chance(lo: lower_bound, width: interval_width, seed: path_seed,
                        estimate: out.integral_term):
    "a Monte Carlo estimate for each sample of the mean of x^2 from {lo} to {lo} + {width}: the mean at eight random points, each {lo} plus {width} times a number from 0 to 1"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    begin = lo[i]
    total = float(0.0)
    for k in range(8):
        x = begin + width * wp.randf(state)
        total += x * x
    estimate[i] = total / 8.0


@algorithm
def metropolis_sweep(spins: spin_state, field: local_field, beta: inverse_temperature,
                     seed: path_seed, new_spins: out.spin_state):
    "one Metropolis step of each spin s of {spins} in its local field h of {field}: with the cost 2 s h it becomes -s if the cost is not above zero, or else if a number from 0 to 1, drawn only then, is below exp(-{beta} cost); otherwise it stays s"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    s = spins[i]
    cost = 2.0 * float(s) * field[i]
    if cost <= 0.0:
        new_spins[i] = -s
    elif wp.randf(state) < wp.exp(-beta * cost):
        new_spins[i] = -s
    else:
        new_spins[i] = s


spin_state = quantity(int, "1", "spin", one="s spin", many="spins", low=-1, high=1)
local_field = quantity(float, "J", "local field", one="h", many="fields h")
inverse_temperature = quantity(float, "1/J", "inverse temperature", one="beta", low=0.1, high=1.0,
                               uniform=True)


@algorithm
def first_passage(start: walker_position, step: walk_step, seed: path_seed, steps: out.passage_steps):
    "counts the steps that each walker, who begins at |{start}|, takes until its position is below zero, but at most 32; each step adds {step} times a standard normal number"
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
def resample(weights: whole.particle_weight, seed: path_seed, chosen: out.chosen_particle):
    "draws a particle for each thread, with chances as the {weights}: the first index at which the running sum of {weights} is above their total times a number from 0 to 1, or the last index if there is none"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    total = float(0.0)
    for k in range(count(whole)):
        total += weights[k]
    target = wp.randf(state) * total
    pick = int(0)
    running = weights[0]
    while running <= target and pick < count(whole) - 1:
        pick += 1
        running += weights[pick]
    chosen[i] = pick


particle_weight = quantity(float, "1", "weights of the particles", one="w", many="weights", low=0.1, high=1.0)
chosen_particle = quantity(int, "1", "chosen particle", one="pick", many="chosen picks", low=0, high=4)
