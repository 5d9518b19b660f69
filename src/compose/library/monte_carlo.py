# SPDX-License-Identifier: Apache-2.0
"""Random numbers: samples of distributions, and estimates by them."""

field("Monte Carlo", element="sample samples", group="stratum strata", apart=True)

mean_value = quantity(float, "1", "mean", one="mu mean", many="means mu")
deviation = quantity(float, "1", "standard deviation", one="sigma std", many="sigmas stds", low=0.1,
                     high=2.0)
drawn_value = quantity(float, "1", "drawn value", one="x value draw", many="draws values x")
event_rate = quantity(float, "1/s", "event rate", one="rate lam", many="rates lam", low=0.5, high=4.0)
waiting_time = quantity(float, "s", "waiting time", one="wait t", many="waits times")
lower_bound = quantity(float, "1", "lower bound", one="lo a", many="lows lo")
upper_bound = quantity(float, "1", "upper bound", one="hi b", many="highs hi")
measured_value = quantity(float, "1", "measured value", one="x value", many="values x")
standard_score = quantity(float, "1", "standard score", one="z score", many="z_scores scores")
interval_width = quantity(float, "1", "width of the interval", one="width span", low=0.5, high=2.0, uniform=True)
integral_term = quantity(float, "1", "estimate", one="term f", many="terms estimates",
                         sums=True)
outlier_share = quantity(float, "1", "share of outliers", one="outliers p_out", low=0.1, high=0.5, uniform=True)
outlier_scale = quantity(float, "1", "widening of outliers", one="wide inflation", low=2.0, high=5.0, uniform=True)
chain_value = quantity(float, "1", "state of the chain", one="x", many="chain samples")
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
def clipped_draw(x: drawn_value, lo: lower_bound, hi: upper_bound) -> drawn_value:
    "{x}, clamped to the range from {lo} to {hi}"
    return wp.clamp(x, lo, hi)


@formula
def standard_score_of(x: measured_value, mu: mean_value, sigma: deviation) -> standard_score:
    "({x} - {mu}) / {sigma}"
    return (x - mu) / sigma


@formula
def triangular_draw(lo: lower_bound, hi: upper_bound, state: random_state) -> drawn_value:
    "{lo} plus ({hi} - {lo}) times the mean of two random numbers from 0 to 1: a draw of a symmetric triangular distribution"
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
def cauchy_draw(mu: mean_value, sigma: deviation, state: random_state) -> drawn_value:
    "{mu} + {sigma} tan(a), where the angle a is 0.9 pi times a random number from -0.5 to 0.5"
    return mu + sigma * wp.tan(0.9 * wp.pi * wp.randf(state, -0.5, 0.5))


@formula
def metropolis_move(x: chain_value, width: chain_proposal, state: random_state) -> chain_value:
    "one Metropolis step for the standard normal density: the proposal p, {x} plus {width} times a standard normal number, if a random number from 0 to 1, drawn after it, is below exp(({x}^2 - p^2) / 2), else {x}"
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
