# SPDX-License-Identifier: Apache-2.0
"""Random numbers: samples of distributions, and estimates by them."""

field("Monte Carlo", element="sample samples", group="stratum strata", apart=True)

mean_value = quantity(float, "1", "mean", one="mu mean", many="mu means")
deviation = quantity(float, "1", "standard deviation", one="sigma std", many="sigmas stds", low=0.1,
                     high=2.0)
drawn_value = quantity(float, "1", "drawn value", one="x value draw", many="draws")
clipped_value = quantity(float, "1", "clipped value", one="clipped", many="clipped")
event_rate = quantity(float, "1/s", "event rate", one="rate lam", many="rates lam", low=0.5, high=4.0)
waiting_time = quantity(float, "s", "waiting time", one="wait t", many="waits times")
lower_bound = quantity(float, "1", "lower bound", one="lo", many="lo lows", low=-2.0, high=0.5)
upper_bound = quantity(float, "1", "upper bound", one="hi", many="hi highs", low=0.75, high=3.0)
clip_low = quantity(float, "1", "lower clipping bound", one="clip_low lowest", low=-1.0, high=0.5, uniform=True)
clip_high = quantity(float, "1", "upper clipping bound", one="clip_high highest", low=0.75, high=2.0, uniform=True)
measured_value = quantity(float, "1", "measured value", one="x value", many="values x")
standard_score = quantity(float, "1", "standard score", one="z score", many="z_scores scores")
interval_width = quantity(float, "1", "width of the interval", one="width span", low=0.5, high=2.0, uniform=True)
integral_term = quantity(float, "1", "estimate", one="estimate", many="estimates",
                         sums=True)
tail_limit = quantity(float, "1", "limit of the tail", one="limit tail", many="limits", low=0.5, high=3.0)
tail_chance = quantity(float, "1", "tail probability", one="p_tail", many="tail_probs")
particle_state = quantity(float, "1", "particle state", one="x", many="particle_states states")
state_decay = quantity(float, "1", "decay of the state", one="a decay", low=0.5, high=1.0, uniform=True)
state_noise = quantity(float, "1", "deviation of the state's noise", one="process_std", low=0.1, high=1.0, uniform=True)
measurement = quantity(float, "1", "measurement", one="z measured", uniform=True)
measurement_noise = quantity(float, "1", "deviation of the measurement", one="r_std meas_std", low=0.3, high=2.0, uniform=True)
likelihood_weight = quantity(float, "1", "particle weight", one="w weight", many="particle_weights")
stratified_number = quantity(float, "1", "stratified number", one="u", many="stratified strata_u")
chain_temperature = quantity(float, "1", "temperature of the annealing", one="temperature temp", low=0.1, high=2.0, uniform=True)
failure_rate = quantity(float, "1/s", "failure rate", one="rate lam", many="failure_rates", low=0.2, high=2.0)
repair_time = quantity(float, "s", "repair time", one="repair", low=0.1, high=1.0, uniform=True)
uptime_share = quantity(float, "1", "availability", one="uptime", many="availability uptimes")
outlier_share = quantity(float, "1", "share of outliers", one="p_outlier outlier_share", low=0.1, high=0.5, uniform=True)
outlier_scale = quantity(float, "1", "factor of the deviation of outliers", one="inflation outlier_scale", low=2.0, high=5.0, uniform=True)
chain_value = quantity(float, "1", "state of the chain", one="x", many="chain_states chain")
chain_proposal = quantity(float, "1", "width of the proposal", one="width proposal_std", low=0.2, high=2.0, uniform=True)


@formula
def normal_draw(mu: mean_value, sigma: deviation, state: random_state) -> drawn_value:
    "{mu} plus {sigma} times a standard normal number"
    return mu + sigma * wp.randn(state)


@formula
def uniform_draw(lo: lower_bound, hi: upper_bound, state: random_state) -> drawn_value:
    "{lo} plus ({hi} - {lo}) times a random number from 0 to 1"
    return lo + (hi - lo) * wp.randf(state)


@formula
def clip_draw(x: drawn_value, lo: clip_low, hi: clip_high) -> clipped_value:
    "{x}, clamped to the range from {lo} to {hi}"
    return wp.clamp(x, lo, hi)


@formula
def standard_score_of(x: measured_value, mu: mean_value, sigma: deviation) -> standard_score:
    "({x} - {mu}) / {sigma}"
    return (x - mu) / sigma


@formula
def triangular_draw(lo: lower_bound, hi: upper_bound, state: random_state) -> drawn_value:
    "{lo} plus ({hi} - {lo}) times the mean of two random numbers from 0 to 1, a draw of a symmetric triangular distribution"
    u = wp.randf(state)
    v = wp.randf(state)
    return lo + (hi - lo) * 0.5 * (u + v)


@formula
def mixture_draw(mu: mean_value, sigma: deviation, share: outlier_share, wide: outlier_scale, state: random_state) -> drawn_value:
    "{mu} plus s times a standard normal number, where s is {wide} {sigma} if a random number from 0 to 1, drawn first, is below {share}, else {sigma}"
    scale = wp.where(wp.randf(state) < share, wide * sigma, sigma)
    return mu + scale * wp.randn(state)


@formula
def lognormal_draw(mu: mean_value, sigma: deviation, state: random_state) -> drawn_value:
    "exp({mu} + {sigma} z) with a standard normal number z"
    return wp.exp(mu + sigma * wp.randn(state))


@formula
def metropolis_move(x: chain_value, width: chain_proposal, state: random_state) -> chain_value:
    "one Metropolis step for the standard normal density, which is the proposal p, {x} plus {width} times a standard normal number, if a random number from 0 to 1, drawn after it, is below exp(({x}^2 - p^2) / 2), else {x}"
    p = x + width * wp.randn(state)
    keep = wp.randf(state) < wp.exp(0.5 * (x * x - p * p))
    return wp.where(keep, p, x)


@formula
def exponential_wait(rate: event_rate, state: random_state) -> waiting_time:
    "-log(1 - u) / {rate}, where u is a random number from 0 to 1"
    return -wp.log(1.0 - wp.randf(state)) / rate


@algorithm(share=2)
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


@algorithm(share=1)
def estimate_mean_square(lo: lower_bound, width: interval_width, seed: path_seed,
                         estimate: out.integral_term):
    "a Monte Carlo estimate for each sample of the mean of x^2 over the interval from {lo} to {lo} + {width}: the mean at eight random points, each {lo} plus {width} times a number from 0 to 1"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    begin = lo[i]
    total = float(0.0)
    for k in range(8):
        x = begin + width * wp.randf(state)
        total += x * x
    estimate[i] = total / 8.0


@algorithm(element="spin spins")
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


@algorithm(element="particle particles")
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
chosen_particle = quantity(int, "1", "chosen index", one="pick", many="chosen picks", low=0, high=4)


@algorithm
def tail_by_importance(limit: tail_limit, seed: path_seed, chance: out.tail_chance):
    "an estimate by importance sampling of the probability that a standard normal number is above {limit}: the mean over eight numbers x = {limit} + z, with standard normal numbers z, of exp({limit}^2 / 2 - {limit} x) if z is above 0, else of 0"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    t = limit[i]
    total = float(0.0)
    for draw in range(8):
        z = wp.randn(state)
        total += wp.where(z > 0.0, wp.exp(0.5 * t * t - t * (t + z)), 0.0)
    chance[i] = total / 8.0


@algorithm
def stratified_numbers(count_of: stratum_count, seed: path_seed, u: out.stratified_number):
    "draws stratified numbers: sample i gets (k + v) / {count_of}, where k is i modulo {count_of}, the index of its stratum, and v a random number from 0 to 1"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    stratum = i % count_of
    u[i] = (float(stratum) + wp.randf(state)) / float(count_of)


stratum_count = quantity(int, "1", "number of strata", one="num_strata", low=2, high=4, uniform=True)


@algorithm(element="particle particles")
def predict_and_weigh(
    x: particle_state, a: state_decay, q: state_noise, z: measurement, r_std: measurement_noise,
    seed: path_seed, x_out: out.particle_state, w: out.likelihood_weight,
):
    "a step of a particle filter: {x_out} gets the predicted state {a} {x} + {q} n with a standard normal number n, and {w} the likelihood of {z} for it, exp(-(({z} - the predicted state) / {r_std})^2 / 2)"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    predicted = a * x[i] + q * wp.randn(state)
    miss = (z - predicted) / r_std
    x_out[i] = predicted
    w[i] = wp.exp(-0.5 * miss * miss)


@function
def double_well(x: float):
    "({x}^2 - 1)^2 + {x} / 2"
    s = x * x - 1.0
    return s * s + 0.5 * x


@algorithm
def anneal_in_double_well(
    start: chain_value, width: chain_proposal, temperature: chain_temperature, seed: path_seed,
    result: out.chain_value,
):
    "takes four steps of simulated annealing from {start} for the energy `double_well`: each proposes the place x plus {width} times a standard normal number, and moves there if a number from 0 to 1, drawn after that, is below exp((the energy at x minus that of the proposal) / t), where t is {temperature} in the first step and half as large in each further one"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    x = start[i]
    t = float(temperature)
    for step in range(4):
        trial = x + width * wp.randn(state)
        if wp.randf(state) < wp.exp((double_well(x) - double_well(trial)) / t):
            x = trial
        t = 0.5 * t
    result[i] = x


@algorithm(element="machine machines")
def estimate_availability(
    rate: failure_rate, repair: repair_time, seed: path_seed, uptime: out.uptime_share,
):
    "an estimate of the availability of each machine from six failures: a / (a + b), where a is the sum of the times up to the failures, -log(1 - u) / {rate} with a random number u from 0 to 1 each, and b the sum of the repair times, {repair} times a random number from 0 to 1 each, which is drawn after u"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    up = float(0.0)
    down = float(0.0)
    for failure in range(6):
        up -= wp.log(1.0 - wp.randf(state)) / rate[i]
        down += repair * wp.randf(state)
    uptime[i] = up / (up + down)
