# SPDX-License-Identifier: Apache-2.0
"""Probability densities, information and sampling of shapes."""

field("probability", element="sample samples", other="component components", group="batch batches", apart=True, share=2)

variate = quantity(float, "1", "variate", one="x", many="x variates samples")
density_mean = quantity(float, "1", "location parameter", one="mu loc", many="mus locations")
density_scale = quantity(float, "1", "scale parameter", one="sigma scale", many="sigmas scales", low=0.25, high=2.0)
positive_variate = quantity(float, "1", "positive variate", one="x y", many="durations x", low=0.1, high=4.0)
shape_parameter = quantity(float, "1", "shape parameter", one="k shape", low=0.5, high=3.0, uniform=True)
rate_of_events = quantity(float, "1", "rate of events", one="rate lam", many="rates lambdas", low=0.25, high=3.0)
unit_share = quantity(float, "1", "uniform number from 0 to 1", one="u p", many="uniforms u", low=0.05, high=0.95)
probability_density = quantity(float, "1", "probability density", one="pdf density", many="pdfs densities", low=0.05, high=1.0)
log_likelihood = quantity(float, "1", "log-likelihood", one="ll loglik", many="log_likelihoods ll", sums=True, means="total")
cumulative_probability = quantity(float, "1", "cumulative probability", one="cdf", many="cdfs", low=0.05, high=1.0)
first_share = quantity(float, "1", "probability", one="p", many="p probs", low=0.05, high=1.0)
second_share = quantity(float, "1", "second probability", one="q", many="q_probs", low=0.05, high=1.0)
information = quantity(float, "1", "information", one="info", many="information entropies", sums=True, means="total zero")
component_weight = quantity(float, "1", "weights of the components", one="w pi_k", many="weights mixture", low=0.1, high=1.0)
responsibility = quantity(float, "1", "responsibilities", one="r", many="responsibilities resp", low=0.05, high=1.0)
event_count = quantity(int, "1", "number of events", one="k", many="event_counts", low=0, high=6)
disk_point = quantity(vec2, "1", "disk point", one="q disk", many="disk_points")
sphere_point = quantity(vec3, "1", "unit direction", one="d", many="directions sphere_points")
disk_angle = quantity(float, "rad", "angle", one="phi angle", many="angles", low=0.1, high=6.0)
concentration_parameter = quantity(float, "1", "concentration parameter", one="kappa", low=0.5, high=4.0, uniform=True)
sampling_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
proposal_width = quantity(float, "1", "width of a proposal", one="width step", low=0.25, high=1.0, uniform=True)
accepted_count = quantity(int, "1", "numbers of accepted proposals", one="accepted", many="accepted", low=0, high=8)
category_weight = quantity(float, "1", "weights of the categories", one="w", many="weights", low=0.1, high=1.0)
category_index = quantity(int, "1", "categories", one="category", many="categories choices", low=0, high=4)
alias_share = quantity(float, "1", "probabilities to keep an entry", one="keep", many="keep_prob alias_prob", low=0.0, high=1.0)
alias_index = quantity(int, "1", "aliases", one="alias", many="aliases", low=0, high=4)
sequence_index = quantity(int, "1", "indices in the sequence", one="n index", many="indices", low=0, high=63)
sequence_base = quantity(int, "1", "base of the sequence", one="base", low=2, high=5, uniform=True)
sequence_point = quantity(float, "1", "points of the sequence", one="h", many="points halton")
effective_size = quantity(float, "1", "effective sample sizes", one="ess", many="ess")
drawn_duration = quantity(float, "1", "drawn duration", one="x wait", many="durations waits")
drawn_deviate = quantity(float, "1", "drawn value", one="x", many="draws")


@formula
def normal_density(x: variate, mu: density_mean, sigma: density_scale) -> probability_density:
    "exp(-(({x} - {mu}) / {sigma})^2 / 2) / (2.5066283 {sigma})"
    z = (x - mu) / sigma
    return wp.exp(-0.5 * z * z) / (2.5066283 * sigma)


@formula
def normal_log_likelihood(x: variate, mu: density_mean, sigma: density_scale) -> log_likelihood:
    "-(({x} - {mu}) / {sigma})^2 / 2 - log({sigma}) - 0.9189385"
    z = (x - mu) / sigma
    return -0.5 * z * z - wp.log(sigma) - 0.9189385


@formula
def laplace_density(x: variate, mu: density_mean, b: density_scale) -> probability_density:
    "exp(-|{x} - {mu}| / {b}) / (2 {b})"
    return wp.exp(-wp.abs(x - mu) / b) / (2.0 * b)


@formula
def cauchy_density(x: variate, mu: density_mean, gamma: density_scale) -> probability_density:
    "1 / (pi {gamma} (1 + (({x} - {mu}) / {gamma})^2))"
    z = (x - mu) / gamma
    return 1.0 / (wp.pi * gamma * (1.0 + z * z))


@formula
def logistic_density(x: variate, mu: density_mean, s: density_scale) -> probability_density:
    "e / ({s} (1 + e)^2) with e = exp(-|{x} - {mu}| / {s})"
    e = wp.exp(-wp.abs(x - mu) / s)
    return e / (s * (1.0 + e) * (1.0 + e))


@formula
def normal_cdf(x: variate, mu: density_mean, sigma: density_scale) -> cumulative_probability:
    "the normal distribution function, approximated by 1 / (1 + exp(-1.5976 z - 0.070566 z^3)) with z = ({x} - {mu}) / {sigma}"
    score = (x - mu) / sigma
    return 1.0 / (1.0 + wp.exp(-1.5976 * score - 0.070566 * score * score * score))


@formula
def weibull_density(x: positive_variate, k: shape_parameter, lam: density_scale) -> probability_density:
    "{k} / {lam} z^({k} - 1) exp(-z^{k}) with z = {x} / {lam}"
    ratio = x / lam
    return k / lam * wp.pow(ratio, k - 1.0) * wp.exp(-wp.pow(ratio, k))


@formula
def exponential_density(x: positive_variate, rate: rate_of_events) -> probability_density:
    "{rate} exp(-{rate} {x})"
    return rate * wp.exp(-rate * x)


@formula
def lognormal_density(x: positive_variate, mu: density_mean, sigma: density_scale) -> probability_density:
    "exp(-z^2 / 2) / (2.5066283 {sigma} {x}) with z = (log({x}) - {mu}) / {sigma}"
    z = (wp.log(x) - mu) / sigma
    return wp.exp(-0.5 * z * z) / (2.5066283 * sigma * x)


@formula
def rayleigh_density(x: positive_variate, sigma: density_scale) -> probability_density:
    "{x} / {sigma}^2 exp(-{x}^2 / (2 {sigma}^2))"
    s2 = sigma * sigma
    return x / s2 * wp.exp(-0.5 * x * x / s2)


@formula
def log_likelihood_of(pdf: probability_density) -> log_likelihood:
    "log({pdf} + 1e-6)"
    return wp.log(pdf + 1.0e-6)


@formula
def poisson_log_likelihood(k: event_count, lam: rate_of_events) -> log_likelihood:
    "{k} times log({lam}) minus {lam} minus the sum of log(j) for j from 2 to {k}"
    total = float(k) * wp.log(lam) - lam
    for j in range(2, k + 1):
        total -= wp.log(float(j))
    return total


@formula
def entropy_term(p: first_share) -> information:
    "minus {p} times log({p}), the part of an outcome in the entropy, with the natural logarithm"
    return -p * wp.log(p)


@formula
def surprise(p: first_share) -> information:
    "minus the natural logarithm of {p}, the surprise of an outcome"
    return -wp.log(p)


@formula
def relative_entropy(p: first_share, q: second_share) -> information:
    "{p} log({p} / {q}), the part of an outcome in the Kullback-Leibler divergence"
    return p * wp.log(p / q)


@formula
def jensen_shannon(p: first_share, q: second_share) -> information:
    "({p} log({p} / m) + {q} log({q} / m)) / 2, where m is the mean of {p} and {q}"
    m = 0.5 * (p + q)
    return 0.5 * (p * wp.log(p / m) + q * wp.log(q / m))


@formula
def hellinger_term(p: first_share, q: second_share) -> information:
    "(sqrt({p}) - sqrt({q}))^2 / 2"
    d = wp.sqrt(p) - wp.sqrt(q)
    return 0.5 * d * d


@formula
def exponential_quantile(u: unit_share, rate: rate_of_events) -> drawn_duration:
    "-log(1 - {u}) / {rate}"
    return -wp.log(1.0 - u) / rate


@formula
def weibull_quantile(u: unit_share, k: shape_parameter, lam: density_scale) -> drawn_duration:
    "{lam} (-log(1 - {u}))^(1 / {k})"
    return lam * wp.pow(-wp.log(1.0 - u), 1.0 / k)


@formula
def logistic_quantile(u: unit_share, mu: density_mean, s: density_scale) -> drawn_deviate:
    "{mu} + {s} log({u} / (1 - {u}))"
    return mu + s * wp.log(u / (1.0 - u))


@formula
def disk_sample(u: unit_share, phi: disk_angle) -> disk_point:
    "the point of the unit disk at the radius sqrt({u}) and the angle {phi}"
    r = wp.sqrt(u)
    return wp.vec2(r * wp.cos(phi), r * wp.sin(phi))


@formula
def sphere_sample(u: unit_share, phi: disk_angle) -> sphere_point:
    "the point of the unit sphere with z = 1 - 2 {u} and the longitude {phi}"
    z = 1.0 - 2.0 * u
    r = wp.sqrt(1.0 - z * z)
    return wp.vec3(r * wp.cos(phi), r * wp.sin(phi), z)


@formula
def hemisphere_over_disk(q: disk_point) -> sphere_point:
    "the direction above the point {q} of the disk, which is ({q}[0], {q}[1], sqrt(1 - |{q}|^2)), where 1 - |{q}|^2 counts as 0.0001 if it is smaller"
    return wp.vec3(q[0], q[1], wp.sqrt(wp.max(1.0 - wp.dot(q, q), 1.0e-4)))


@formula
def forward_scattering(u: unit_share, phi: disk_angle, kappa: concentration_parameter) -> sphere_point:
    "the direction with the longitude {phi} and the z component 1 + log({u} + (1 - {u}) exp(-2 {kappa})) / {kappa}, clamped to the range from -0.99 to 0.99, drawn from a von Mises-Fisher distribution"
    w = 1.0 + wp.log(u + (1.0 - u) * wp.exp(-2.0 * kappa)) / kappa
    w = wp.clamp(w, -0.99, 0.99)
    r = wp.sqrt(1.0 - w * w)
    return wp.vec3(r * wp.cos(phi), r * wp.sin(phi), w)


@algorithm
def mixture_log_likelihood(
    x: variate["n"], w: component_weight["3"], mu: density_mean["3"], sigma: density_scale["3"],
    ll: out.log_likelihood["n"],
):
    "the logarithm of the density at each entry of {x} of a mixture of three normal distributions: the sum over the components of {w} exp(-z^2 / 2) / (sqrt(2 pi) * {sigma}) with z = ({x} - {mu}) / {sigma} and sqrt(2 pi) = 2.5066283, plus 1e-6"
    i = thread()
    guard(i)
    total = float(1.0e-6)
    for k in range(3):
        z = (x[i] - mu[k]) / sigma[k]
        total += w[k] * wp.exp(-0.5 * z * z) / (2.5066283 * sigma[k])
    ll[i] = wp.log(total)


@algorithm(dims=2)
def mixture_responsibilities(
    x: variate["n"], w: component_weight["m"], mu: density_mean["m"], sigma: density_scale["m"],
    resp: out.responsibility["n,m"],
):
    "the responsibilities of an E step, of component j for sample i: d of component j divided by (the sum of d over all components + 1e-4), where d is {w} exp(-z^2 / 2) / {sigma} with z = ({x} - {mu}) / {sigma}"
    i, j = thread()
    guard(i, j)
    total = float(1.0e-4)
    for k in range(w.shape[0]):
        z = (x[i] - mu[k]) / sigma[k]
        total += w[k] * wp.exp(-0.5 * z * z) / sigma[k]
    u = (x[i] - mu[j]) / sigma[j]
    resp[i, j] = w[j] * wp.exp(-0.5 * u * u) / (sigma[j] * total)


@algorithm(element="component components")
def mixture_means(
    x: variate["k"], resp: responsibility["k,n"], means: out.density_mean["n"],
):
    "the means of an M step: for each component j the mean of {x} weighted by column j of {resp}"
    j = thread()
    guard(j)
    total = float(0.0)
    norm = float(0.0)
    for i in range(x.shape[0]):
        r = resp[i, j]
        total += r * x[i]
        norm += r
    means[j] = total / norm


@algorithm
def draw_category(
    weights: category_weight["k"], u: unit_share["n"], choices: out.category_index["n"],
):
    "draws a category by its weight: the first one at which the running sum of {weights} is above {u} times their total, or the last category if there is none"
    i = thread()
    guard(i)
    total = float(0.0)
    for k in range(weights.shape[0]):
        total += weights[k]
    left = u[i] * total
    c = int(0)
    while c < weights.shape[0] - 1 and left >= weights[c]:
        left -= weights[c]
        c += 1
    choices[i] = c


@algorithm
def draw_by_alias_table(
    shares: alias_share["k"], aliases: alias_index["k", "0:k"], seed: sampling_seed,
    choices: out.category_index["n"],
):
    "draws a category from an alias table: first an entry of the table, all equally likely, by `wp.randi`, and then a number from 0 to 1 by `wp.randf`; the category is the entry itself if the number is below its {shares}, else its {aliases}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    entry = wp.randi(state, 0, shares.shape[0])
    if wp.randf(state) < shares[entry]:
        choices[i] = entry
    else:
        choices[i] = aliases[entry]


@algorithm
def halton_sequence(
    index: sequence_index["n", "0:64"], base: sequence_base["", "2:6"],
    points: out.sequence_point["n"],
):
    "the radical inverse of each entry of {index}: its digits in base {base}, the lowest first, are divided by {base}, {base}^2, {base}^3 and so on, and added up"
    i = thread()
    guard(i)
    n = index[i]
    f = float(1.0)
    total = float(0.0)
    while n > 0:
        f = f / float(base)
        total += f * float(n % base)
        n = n // base
    points[i] = total


@algorithm
def metropolis_normal(
    start: variate["n"], width: proposal_width, seed: sampling_seed, x_out: out.variate["n"],
    accepted: out.accepted_count["n"],
):
    "takes eight Metropolis steps for the standard normal distribution from {start}: each proposes y, the place x plus {width} times a standard normal number, and moves there if a number from 0 to 1, drawn after that, is below exp((x^2 - y^2) / 2); {x_out} is the last place, and {accepted} counts the moves"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    x = start[i]
    hits = int(0)
    for step in range(8):
        trial = x + width * wp.randn(state)
        if wp.randf(state) < wp.exp(0.5 * (x * x - trial * trial)):
            x = trial
            hits += 1
    x_out[i] = x
    accepted[i] = hits


@algorithm(element="row rows")
def effective_sizes(weights: category_weight["n,6"], ess: out.effective_size["n"]):
    "the effective sample size of the six weights in each row of {weights}: the square of their sum divided by the sum of their squares"
    row = thread()
    guard(row)
    total = float(0.0)
    squares = float(0.0)
    for k in range(6):
        w = weights[row, k]
        total += w
        squares += w * w
    ess[row] = total * total / squares
