# SPDX-License-Identifier: Apache-2.0
"""Optimisers: steps of parameters by their gradients."""

field("optimisers", element="parameter parameters", other="sample samples", group="layer layers", apart=True, state=True, share=2)

parameter_value = quantity(float, "1", "value", one="w", many="weights", means="range settles")
parameter_gradient = quantity(float, "1", "gradient", one="g grad", many="grads gradients", means="adds range zero")
clipped_gradient = quantity(float, "1", "clipped gradient", one="clipped", many="clipped_grads")
regularized_gradient = quantity(float, "1", "gradient with weight decay", one="decayed_g", many="decayed_grads")
learning_rate = quantity(float, "1", "learning rate", one="lr learning_rate", low=0.05, high=0.5, uniform=True)
weight_decay = quantity(float, "1", "weight decay", one="weight_decay decay wd", low=0.05, high=0.5, uniform=True)
momentum_factor = quantity(float, "1", "momentum factor", one="mu momentum", low=0.1, high=0.9, uniform=True)
velocity_of_parameter = quantity(float, "1", "velocity", one="v", many="velocity momentum_buf")
first_moment = quantity(float, "1", "first moment", one="m", many="m exp_avg")
second_moment = quantity(float, "1", "second moment", one="v", many="v exp_avg_sq", low=0.1, high=1.0)
squared_gradient = quantity(float, "1", "mean squared gradient", one="s", many="sq_avg", low=0.1, high=1.0)
beta_first = quantity(float, "1", "decay of the first moment", one="beta1", low=0.25, high=0.9, uniform=True)
beta_second = quantity(float, "1", "decay of the second moment", one="beta2", low=0.25, high=0.9, uniform=True)
bias_correction_first = quantity(float, "1", "bias correction of the first moment", one="correction1 bias1", low=0.5, high=1.0, uniform=True, varies=True)
bias_correction_second = quantity(float, "1", "bias correction of the second moment", one="correction2 bias2", low=0.5, high=1.0, uniform=True, varies=True)
optimizer_epsilon = quantity(float, "1", "small constant in the denominator", one="eps", low=0.05, high=0.1, uniform=True)
clip_limit = quantity(float, "1", "largest norm of a gradient", one="limit max_grad", low=0.25, high=1.0, uniform=True)
gradient_norm = quantity(float, "1", "norm of the gradient", one="norm grad_norm", low=0.5, high=2.0, uniform=True, varies=True)
squared_gradient_sum = quantity(float, "1", "squared norm", one="norm_sq", many="grad_norm_sq")
row_gradient = quantity(float, "1", "gradients, one in each row", one="g", many="grads gradients")
clipped_row = quantity(float, "1", "clipped gradients", one="g", many="clipped_grads clipped")
sparse_gradient = quantity(float, "1", "gradients of these weights", one="g", many="grads gradients")
all_values = quantity(float, "1", "values of all weights", one="w", many="weights")
weight_matrix = quantity(float, "1", "weight matrix, with a row for each unit", one="w", many="weights")
weight_matrix_gradient = quantity(float, "1", "gradient of the weight matrix", one="g", many="weight_grads")
updated_row = quantity(int, "1", "indices of the weights to update", one="row", many="rows row_ids")
averaged_value = quantity(float, "1", "averaged value", one="ema", many="ema_values")
average_decay = quantity(float, "1", "decay of the average", one="ema_decay", low=0.25, high=0.9, uniform=True)
l1_penalty = quantity(float, "1", "L1 penalty", one="l1 penalty", low=0.05, high=0.5, uniform=True)
square_decay = quantity(float, "1", "decay of the running means", one="rho decay", low=0.25, high=0.9, uniform=True)
gradient_total = quantity(float, "1", "sum of squared gradients", one="acc", many="sum_sq accumulators", low=0.1, high=4.0)
infinity_moment = quantity(float, "1", "largest decayed gradient", one="u", many="exp_inf", low=0.1, high=2.0)
largest_second_moment = quantity(float, "1", "largest second moment", one="v_max", many="max_exp_avg_sq", low=0.2, high=2.0)
slow_value = quantity(float, "1", "slow value", one="slow", many="slow_values")
interpolation_share = quantity(float, "1", "interpolation factor", one="tau factor", low=0.05, high=0.9, uniform=True)
step_square_mean = quantity(float, "1", "mean squared step", one="mean_sq", many="sq_steps", low=0.05, high=1.0)
parameter_step = quantity(float, "1", "step", one="step", many="steps")
iteration_number = quantity(int, "1", "number of the iteration", one="t step_no", low=1, high=9, uniform=True)
sampling_temperature = quantity(float, "1", "temperature of the sampling", one="temperature", low=0.05, high=0.5, uniform=True)
gradient_noise = quantity(float, "1", "standard deviation of the noise", one="sigma noise_std", low=0.05, high=0.5, uniform=True)
noisy_gradient_value = quantity(float, "1", "noisy gradient", one="noisy", many="noisy_grads")
optimiser_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
loss_above = quantity(float, "1", "loss at the weights plus the perturbation", one="loss_plus", low=0.5, high=2.0, uniform=True, varies=True)
loss_below = quantity(float, "1", "loss at the weights minus the perturbation", one="loss_minus", low=0.5, high=2.0, uniform=True, varies=True)
perturbation_size = quantity(float, "1", "size of the perturbation", one="c_size", low=0.05, high=0.5, uniform=True)
search_reward = quantity(float, "1", "rewards of the perturbations", one="reward", many="rewards")
evolved_weight = quantity(float, "1", "new weights", one="w", many="evolved_weights")


@formula
def sgd_step(w: parameter_value, g: parameter_gradient, lr: learning_rate) -> parameter_value:
    "{w} minus {lr} times {g}"
    return w - lr * g


@formula
def clipped_sgd_step(w: parameter_value, g: clipped_gradient, lr: learning_rate) -> parameter_value:
    "{w} minus {lr} times {g}"
    return w - lr * g


@formula
def regularized_sgd_step(w: parameter_value, g: regularized_gradient, lr: learning_rate) -> parameter_value:
    "{w} minus {lr} times {g}"
    return w - lr * g


@formula
def noisy_sgd_step(w: parameter_value, g: noisy_gradient_value, lr: learning_rate) -> parameter_value:
    "{w} minus {lr} times {g}"
    return w - lr * g


@formula(first=True)
def decay_gradient(
    g: parameter_gradient, w: parameter_value, decay: weight_decay,
) -> regularized_gradient:
    "{g} plus {decay} times {w}"
    return g + decay * w


@formula
def decoupled_decay(w: parameter_value, lr: learning_rate, decay: weight_decay) -> parameter_value:
    "{w} times (1 - {lr} {decay}), a step of decoupled weight decay"
    return w * (1.0 - lr * decay)


@formula
def clip_gradient(g: parameter_gradient, limit: clip_limit) -> clipped_gradient:
    "{g}, clamped to the range from -{limit} to {limit}"
    return wp.clamp(g, -limit, limit)


@formula
def clip_by_norm(
    g: parameter_gradient, norm: gradient_norm, limit: clip_limit,
) -> clipped_gradient:
    "{g} scaled by {limit} / {norm} if {norm} is above {limit}, else {g} itself"
    if norm > limit:
        g = g * (limit / norm)
    return g


@formula
def momentum_velocity(
    v: velocity_of_parameter, g: parameter_gradient, mu: momentum_factor,
) -> velocity_of_parameter:
    "{mu} times {v} plus {g}"
    return mu * v + g


@formula
def momentum_step(
    w: parameter_value, v: velocity_of_parameter, lr: learning_rate,
) -> parameter_value:
    "{w} minus {lr} times {v}"
    return w - lr * v


@formula
def nesterov_step(
    w: parameter_value, v: velocity_of_parameter, g: parameter_gradient, lr: learning_rate,
    mu: momentum_factor,
) -> parameter_value:
    "{w} minus {lr} times ({g} plus {mu} times {v})"
    return w - lr * (g + mu * v)


@formula
def update_first_moment(m: first_moment, g: parameter_gradient, beta1: beta_first) -> first_moment:
    "{beta1} times {m} plus (1 - {beta1}) times {g}"
    return beta1 * m + (1.0 - beta1) * g


@formula
def update_second_moment(
    v: second_moment, g: parameter_gradient, beta2: beta_second,
) -> second_moment:
    "{beta2} times {v} plus (1 - {beta2}) times the square of {g}"
    return beta2 * v + (1.0 - beta2) * g * g


@formula
def adam_step(
    w: parameter_value, m: first_moment, v: second_moment, lr: learning_rate,
    c1: bias_correction_first, c2: bias_correction_second, eps: optimizer_epsilon,
) -> parameter_value:
    "{w} minus {lr} ({m} / {c1}) / (sqrt({v} / {c2}) + {eps})"
    m_hat = m / c1
    v_hat = v / c2
    return w - lr * m_hat / (wp.sqrt(v_hat) + eps)


@formula
def rmsprop_cache(
    s: squared_gradient, g: parameter_gradient, rho: square_decay,
) -> squared_gradient:
    "{rho} times {s} plus (1 - {rho}) times the square of {g}"
    return rho * s + (1.0 - rho) * g * g


@formula
def rmsprop_step(
    w: parameter_value, s: squared_gradient, g: parameter_gradient, lr: learning_rate,
    eps: optimizer_epsilon,
) -> parameter_value:
    "{w} minus {lr} {g} / sqrt({s} + {eps})"
    return w - lr * g / wp.sqrt(s + eps)


@formula
def average_parameter(
    ema: averaged_value, w: parameter_value, decay: average_decay,
) -> averaged_value:
    "{decay} times {ema} plus (1 - {decay}) times {w}"
    return decay * ema + (1.0 - decay) * w


@formula
def soft_threshold(w: parameter_value, lr: learning_rate, l1: l1_penalty) -> parameter_value:
    "soft thresholding of {w}, which is moved towards 0 by {lr} times {l1}, but not beyond 0"
    shrunk = wp.max(wp.abs(w) - lr * l1, 0.0)
    return wp.sign(w) * shrunk


@algorithm
def accumulate_gradient_norm(
    g: parameter_gradient["n"], limit: clip_limit, norm: out.squared_gradient_sum["1"],
):
    "the squared norm of a gradient: for each entry of {g} the square of its magnitude, or of {limit} if that is smaller, is added atomically to {norm}[0]"
    i = thread()
    guard(i)
    clipped = wp.min(wp.abs(g[i]), limit)
    wp.atomic_add(norm, 0, clipped * clipped)


@algorithm(dims=2)
def linear_layer_gradient(
    x: layer_input["k,m"], delta: logit_gradient["k,n"], w: weight_matrix["n,m"],
    decay: weight_decay, grads: out.weight_matrix_gradient["n,m"],
):
    "the gradient of the weights of a linear layer: for unit i and input j the mean of `{delta}[s, i]` `{x}[s, j]` over the samples s, plus {decay} times `{w}[i, j]`; thread i, j computes it"
    i, j = thread()
    total = float(0.0)
    for s in range(x.shape[0]):
        total += delta[s, i] * x[s, j]
    grads[i, j] = total / float(x.shape[0]) + decay * w[i, j]


@algorithm
def sparse_sgd(
    rows: updated_row["n", "0:p"], grads: sparse_gradient["n"], lr: learning_rate,
    limit: clip_limit, params: out.all_values["p"],
):
    "a sparse step of gradient descent: {lr} times each entry of {grads}, clamped to the range from -{limit} to {limit}, is subtracted atomically from the entry of {params} whose index is the entry of {rows}; gradients of 0 are skipped"
    i = thread()
    guard(i)
    g = wp.clamp(grads[i], -limit, limit)
    if g == 0.0:
        return
    wp.atomic_sub(params, rows[i], lr * g)


@formula
def langevin_descent(w: parameter_value, g: parameter_gradient, lr: learning_rate, temperature: sampling_temperature, state: random_state) -> parameter_value:
    "{w} - {lr} {g} + sqrt(2 {lr} {temperature}) z, where z is a standard normal number"
    return w - lr * g + wp.sqrt(2.0 * lr * temperature) * wp.randn(state)


@formula
def noisy_gradient(g: parameter_gradient, noise: gradient_noise, state: random_state) -> noisy_gradient_value:
    "{g} plus {noise} times a standard normal number"
    return g + noise * wp.randn(state)


@formula
def accumulate_gradient(acc: gradient_total, g: parameter_gradient) -> gradient_total:
    "{acc} plus the square of {g}"
    return acc + g * g


@formula
def adagrad_step(w: parameter_value, g: parameter_gradient, acc: gradient_total, lr: learning_rate, eps: optimizer_epsilon) -> parameter_value:
    "{w} minus {lr} {g} / (sqrt({acc}) + {eps})"
    return w - lr * g / (wp.sqrt(acc) + eps)


@formula
def update_infinity_moment(u: infinity_moment, g: parameter_gradient, beta2: beta_second) -> infinity_moment:
    "the larger one of {beta2} {u} and |{g}|"
    return wp.max(beta2 * u, wp.abs(g))


@formula
def adamax_step(w: parameter_value, m: first_moment, u: infinity_moment, lr: learning_rate, c1: bias_correction_first) -> parameter_value:
    "{w} minus {lr} {m} / ({c1} {u})"
    return w - lr * m / (c1 * u)


@formula
def keep_largest_moment(v_max: largest_second_moment, v: second_moment) -> largest_second_moment:
    "the larger one of {v_max} and {v}"
    return wp.max(v_max, v)


@formula
def amsgrad_step(w: parameter_value, m: first_moment, v_max: largest_second_moment, lr: learning_rate, eps: optimizer_epsilon) -> parameter_value:
    "{w} minus {lr} {m} / (sqrt({v_max}) + {eps})"
    return w - lr * m / (wp.sqrt(v_max) + eps)


@formula
def look_ahead(slow: slow_value, w: parameter_value, tau: interpolation_share) -> slow_value:
    "{slow} plus {tau} times ({w} - {slow})"
    return wp.lerp(slow, w, tau)


@formula
def adadelta_step(g: parameter_gradient, s: squared_gradient, d2: step_square_mean, eps: optimizer_epsilon) -> parameter_step:
    "-{g} sqrt({d2} + {eps}) / sqrt({s} + {eps})"
    return -wp.sqrt(d2 + eps) / wp.sqrt(s + eps) * g


@formula
def apply_step(w: parameter_value, step: parameter_step) -> parameter_value:
    "{w} plus {step}"
    return w + step


@formula
def update_step_mean(d2: step_square_mean, step: parameter_step, rho: square_decay) -> step_square_mean:
    "{rho} times {d2} plus (1 - {rho}) times the square of {step}"
    return rho * d2 + (1.0 - rho) * step * step


@algorithm
def adam_in_one_kernel(
    w: parameter_value["n"], g: parameter_gradient["n"], m: first_moment["n"], v: second_moment["n"],
    t: iteration_number["", "1:10"], lr: learning_rate, beta1: beta_first, beta2: beta_second,
    w_out: out.parameter_value["n"], m_out: out.first_moment["n"], v_out: out.second_moment["n"],
):
    "makes a whole step of Adam in iteration {t}: {m_out} gets {beta1} {m} + (1 - {beta1}) {g}, {v_out} gets {beta2} {v} + (1 - {beta2}) {g}^2, and {w_out} gets {w} - {lr} a / (sqrt(b) + 1e-8), where a is {m_out} / (1 - {beta1}^{t}) and b is {v_out} / (1 - {beta2}^{t})"
    i = thread()
    guard(i)
    gradient = g[i]
    first = beta1 * m[i] + (1.0 - beta1) * gradient
    second = beta2 * v[i] + (1.0 - beta2) * gradient * gradient
    a = first / (1.0 - wp.pow(beta1, float(t)))
    b = second / (1.0 - wp.pow(beta2, float(t)))
    w_out[i] = w[i] - lr * a / (wp.sqrt(b) + 1.0e-8)
    m_out[i] = first
    v_out[i] = second


@algorithm(element="row rows")
def clip_rows_by_norm(g: row_gradient["n,m"], limit: clip_limit, clipped: out.clipped_row["n,m"]):
    "clips the gradient in each row of {g} by its norm: the row stays as it is if its length is at most {limit}, else it is scaled to the length {limit}"
    row = thread()
    guard(row)
    total = float(0.0)
    for c in range(g.shape[1]):
        value = g[row, c]
        total += value * value
    norm = wp.sqrt(total)
    scale = float(1.0)
    if norm > limit:
        scale = limit / norm
    for c in range(g.shape[1]):
        clipped[row, c] = g[row, c] * scale


@algorithm
def lion_in_one_kernel(
    w: parameter_value["n"], g: parameter_gradient["n"], m: first_moment["n"], lr: learning_rate,
    decay: weight_decay, beta1: beta_first, beta2: beta_second, w_out: out.parameter_value["n"],
    m_out: out.first_moment["n"],
):
    "makes a whole step of the optimiser Lion: {w_out} gets {w} - {lr} (s + {decay} {w}), where s is the sign of {beta1} {m} + (1 - {beta1}) {g}, and {m_out} gets {beta2} {m} + (1 - {beta2}) {g}"
    i = thread()
    guard(i)
    gradient = g[i]
    moment = m[i]
    value = w[i]
    direction = wp.sign(beta1 * moment + (1.0 - beta1) * gradient)
    w_out[i] = value - lr * (direction + decay * value)
    m_out[i] = beta2 * moment + (1.0 - beta2) * gradient


@formula
def spsa_step(
    w: parameter_value, above: loss_above, below: loss_below, size: perturbation_size, lr: learning_rate,
    state: random_state,
) -> parameter_value:
    "a step of simultaneous perturbation, {w} - {lr} ({above} - {below}) / (2 {size} s), where s is the sign of a random number from 0 to 1 minus 0.5"
    s = wp.sign(wp.randf(state) - 0.5)
    return w - lr * (above - below) / (2.0 * size * s)


@algorithm
def evolution_step(
    w: parameter_value["n"], rewards: search_reward["4"], sigma: perturbation_size, lr: learning_rate,
    seed: optimiser_seed, w_out: out.evolved_weight["n"],
):
    "makes a step of an evolution strategy with four perturbations: {w} plus {lr} / (4 {sigma}) times the sum over the perturbations p of `{rewards}[p]` z, where z is a standard normal number that the weight draws for each perturbation in turn"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    total = float(0.0)
    for p in range(4):
        total += rewards[p] * wp.randn(state)
    w_out[i] = w[i] + lr / (4.0 * sigma) * total
