# SPDX-License-Identifier: Apache-2.0
"""Optimisers: steps of parameters by their gradients."""

field("optimisers", element="parameter parameters", other="sample samples", group="layer layers", apart=True)

model_parameter = quantity(float, "1", "parameter", one="w p param", many="params weights w", means="range settles")
parameter_gradient = quantity(float, "1", "gradient", one="g grad", many="grads gradients g", means="adds range zero")
learning_rate = quantity(float, "1", "learning rate", one="lr learning_rate", low=0.05, high=0.5, uniform=True)
weight_decay = quantity(float, "1", "weight decay", one="weight_decay decay wd", low=0.05, high=0.5, uniform=True)
momentum_factor = quantity(float, "1", "momentum factor", one="mu momentum", low=0.1, high=0.9, uniform=True)
velocity_of_parameter = quantity(float, "1", "velocity", one="v buf", many="velocity momentum_buf buf")
first_moment = quantity(float, "1", "first moment", one="m exp_avg", many="m exp_avg moment1")
second_moment = quantity(float, "1", "second moment", one="v exp_avg_sq", many="v exp_avg_sq moment2", low=0.1, high=1.0)
squared_gradient = quantity(float, "1", "running mean of squared gradients", one="s sq", many="sq_avg cache", low=0.1, high=1.0)
beta_first = quantity(float, "1", "decay of the first moment", one="beta1", low=0.25, high=0.9, uniform=True)
beta_second = quantity(float, "1", "decay of the second moment", one="beta2", low=0.25, high=0.9, uniform=True)
bias_correction_first = quantity(float, "1", "bias correction of the first moment", one="correction1 bias1", low=0.5, high=1.0, uniform=True)
bias_correction_second = quantity(float, "1", "bias correction of the second moment", one="correction2 bias2", low=0.5, high=1.0, uniform=True)
optimizer_epsilon = quantity(float, "1", "small constant in the denominator", one="eps", low=0.05, high=0.1, uniform=True)
clip_limit = quantity(float, "1", "limit of a gradient", one="limit clip max_grad", low=0.25, high=1.0, uniform=True)
gradient_norm = quantity(float, "1", "norm of the gradient", one="norm grad_norm", low=0.5, high=2.0, uniform=True)
squared_gradient_sum = quantity(float, "1", "sum of the squared gradients", one="norm_sq", many="norm_sq grad_norm_sq")
updated_row = quantity(int, "1", "indices of the parameters to update", one="row", many="rows row_ids")
averaged_parameter = quantity(float, "1", "averaged parameter", one="ema", many="ema_params shadow")
gradient_total = quantity(float, "1", "sum of squared gradients", one="acc s", many="accumulators sum_sq", low=0.1, high=4.0)
infinity_moment = quantity(float, "1", "infinity norm of the gradients", one="u", many="u exp_inf", low=0.1, high=2.0)
largest_second_moment = quantity(float, "1", "largest second moment", one="v_max", many="v_max max_exp_avg_sq", low=0.2, high=2.0)
slow_parameter = quantity(float, "1", "slow parameter", one="slow", many="slow_params slow")
interpolation_share = quantity(float, "1", "share of interpolation", one="share tau", low=0.05, high=0.9, uniform=True)
step_square_mean = quantity(float, "1", "running mean of squared steps", one="d2", many="sq_steps acc_delta", low=0.05, high=1.0)
parameter_step = quantity(float, "1", "step", one="step delta", many="steps updates")
iteration_number = quantity(int, "1", "number of the iteration", one="t step_no", low=1, high=9, uniform=True)
sampling_temperature = quantity(float, "1", "temperature of the sampling", one="temperature", low=0.05, high=0.5, uniform=True)
gradient_noise = quantity(float, "1", "noise of the gradients", one="noise sigma_g", low=0.05, high=0.5, uniform=True)


@formula
def sgd_step(w: model_parameter, g: parameter_gradient, lr: learning_rate) -> model_parameter:
    "{w} minus {lr} times {g}"
    return w - lr * g


@formula(first=True)
def decay_gradient(
    g: parameter_gradient, w: model_parameter, decay: weight_decay,
) -> parameter_gradient:
    "{g} plus {decay} times {w}"
    return g + decay * w


@formula
def decoupled_decay(w: model_parameter, lr: learning_rate, decay: weight_decay) -> model_parameter:
    "{w} times (1 - {lr} {decay})"
    return w * (1.0 - lr * decay)


@formula
def clip_gradient(g: parameter_gradient, limit: clip_limit) -> parameter_gradient:
    "{g}, clamped to the range from -{limit} to {limit}"
    return wp.clamp(g, -limit, limit)


@formula
def clip_by_norm(
    g: parameter_gradient, norm: gradient_norm, limit: clip_limit,
) -> parameter_gradient:
    "{g} times {limit} / {norm} if {norm} is above {limit}, else {g}"
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
    w: model_parameter, v: velocity_of_parameter, lr: learning_rate,
) -> model_parameter:
    "{w} minus {lr} times {v}"
    return w - lr * v


@formula
def nesterov_step(
    w: model_parameter, v: velocity_of_parameter, g: parameter_gradient, lr: learning_rate,
    mu: momentum_factor,
) -> model_parameter:
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
    w: model_parameter, m: first_moment, v: second_moment, lr: learning_rate,
    c1: bias_correction_first, c2: bias_correction_second, eps: optimizer_epsilon,
) -> model_parameter:
    "{w} - {lr} ({m} / {c1}) / (sqrt({v} / {c2}) + {eps})"
    m_hat = m / c1
    v_hat = v / c2
    return w - lr * m_hat / (wp.sqrt(v_hat) + eps)


@formula
def rmsprop_cache(
    s: squared_gradient, g: parameter_gradient, beta2: beta_second,
) -> squared_gradient:
    "{beta2} times {s} plus (1 - {beta2}) times the square of {g}"
    return beta2 * s + (1.0 - beta2) * g * g


@formula
def rmsprop_step(
    w: model_parameter, s: squared_gradient, g: parameter_gradient, lr: learning_rate,
    eps: optimizer_epsilon,
) -> model_parameter:
    "{w} - {lr} {g} / sqrt({s} + {eps})"
    return w - lr * g / wp.sqrt(s + eps)


@formula
def average_parameter(
    ema: averaged_parameter, w: model_parameter, mu: momentum_factor,
) -> averaged_parameter:
    "{mu} times {ema} plus (1 - {mu}) times {w}"
    return mu * ema + (1.0 - mu) * w


@formula
def soft_threshold(w: model_parameter, lr: learning_rate, decay: weight_decay) -> model_parameter:
    "{w} moved towards 0 by {lr} {decay}, but not beyond 0"
    shrunk = wp.max(wp.abs(w) - lr * decay, 0.0)
    return wp.sign(w) * shrunk


@algorithm
def accumulate_gradient_norm(
    g: parameter_gradient["n"], limit: clip_limit, norm: out.squared_gradient_sum["1"],
):
    "adds the square of each entry of {g} atomically to {norm}[0], where a magnitude above {limit} counts as {limit}"
    i = thread()
    guard(i)
    clipped = wp.min(wp.abs(g[i]), limit)
    wp.atomic_add(norm, 0, clipped * clipped)


@algorithm(dims=2)
def linear_layer_gradient(
    x: layer_input["k,m"], delta: logit_gradient["k,n"], w: model_parameter["n,m"],
    decay: weight_decay, grads: out.parameter_gradient["n,m"],
):
    "the gradient of the weights of a linear layer: for unit i and input j the mean over the samples s of `{delta}[s, i]` `{x}[s, j]`, plus {decay} times `{w}[i, j]`; thread i, j computes it"
    i, j = thread()
    total = float(0.0)
    for s in range(x.shape[0]):
        total += delta[s, i] * x[s, j]
    grads[i, j] = total / float(x.shape[0]) + decay * w[i, j]


@algorithm
def sparse_sgd(
    rows: updated_row["n", "0:p"], grads: parameter_gradient["n"], lr: learning_rate,
    limit: clip_limit, params: out.model_parameter["p"],
):
    "a sparse step of gradient descent: subtracts {lr} times each entry of {grads}, clamped to the range from -{limit} to {limit}, atomically from the entry of {params} that {rows} names; zero gradients are skipped"
    i = thread()
    guard(i)
    g = wp.clamp(grads[i], -limit, limit)
    if g == 0.0:
        return
    wp.atomic_sub(params, rows[i], lr * g)


@formula
def langevin_descent(w: model_parameter, g: parameter_gradient, lr: learning_rate, temperature: sampling_temperature, state: random_state) -> model_parameter:
    "{w} - {lr} {g} + sqrt(2 {lr} {temperature}) z with a standard normal number z"
    return w - lr * g + wp.sqrt(2.0 * lr * temperature) * wp.randn(state)


@formula
def noisy_gradient(g: parameter_gradient, noise: gradient_noise, state: random_state) -> parameter_gradient:
    "{g} plus {noise} times a standard normal number"
    return g + noise * wp.randn(state)


@formula
def accumulate_gradient(acc: gradient_total, g: parameter_gradient) -> gradient_total:
    "{acc} + {g}^2"
    return acc + g * g


@formula
def adagrad_step(w: model_parameter, g: parameter_gradient, acc: gradient_total, lr: learning_rate, eps: optimizer_epsilon) -> model_parameter:
    "{w} - {lr} {g} / (sqrt({acc}) + {eps})"
    return w - lr * g / (wp.sqrt(acc) + eps)


@formula
def lion_step(w: model_parameter, m: first_moment, g: parameter_gradient, lr: learning_rate, beta1: beta_first) -> model_parameter:
    "{w} minus {lr} times the sign of {beta1} {m} + (1 - {beta1}) {g}"
    return w - lr * wp.sign(beta1 * m + (1.0 - beta1) * g)


@formula
def update_infinity_moment(u: infinity_moment, g: parameter_gradient, beta2: beta_second) -> infinity_moment:
    "the larger of {beta2} {u} and |{g}|"
    return wp.max(beta2 * u, wp.abs(g))


@formula
def adamax_step(w: model_parameter, m: first_moment, u: infinity_moment, lr: learning_rate, c1: bias_correction_first) -> model_parameter:
    "{w} - {lr} {m} / ({c1} {u})"
    return w - lr * m / (c1 * u)


@formula
def keep_largest_moment(v_max: largest_second_moment, v: second_moment) -> largest_second_moment:
    "the larger of {v_max} and {v}"
    return wp.max(v_max, v)


@formula
def amsgrad_step(w: model_parameter, m: first_moment, v_max: largest_second_moment, lr: learning_rate, eps: optimizer_epsilon) -> model_parameter:
    "{w} - {lr} {m} / (sqrt({v_max}) + {eps})"
    return w - lr * m / (wp.sqrt(v_max) + eps)


@formula
def look_ahead(slow: slow_parameter, w: model_parameter, share: interpolation_share) -> slow_parameter:
    "{slow} moved towards {w} by the share {share} of the way"
    return wp.lerp(slow, w, share)


@formula
def adadelta_step(g: parameter_gradient, s: squared_gradient, d2: step_square_mean, eps: optimizer_epsilon) -> parameter_step:
    "-sqrt({d2} + {eps}) / sqrt({s} + {eps}) {g}"
    return -wp.sqrt(d2 + eps) / wp.sqrt(s + eps) * g


@formula
def apply_step(w: model_parameter, delta: parameter_step) -> model_parameter:
    "{w} + {delta}"
    return w + delta


@formula
def update_step_mean(d2: step_square_mean, delta: parameter_step, beta2: beta_second) -> step_square_mean:
    "{beta2} {d2} + (1 - {beta2}) {delta}^2"
    return beta2 * d2 + (1.0 - beta2) * delta * delta


@algorithm
def adam_in_one_kernel(
    w: model_parameter["n"], g: parameter_gradient["n"], m: first_moment["n"], v: second_moment["n"],
    t: iteration_number["", "1:10"], lr: learning_rate, beta1: beta_first, beta2: beta_second,
    w_out: out.model_parameter["n"], m_out: out.first_moment["n"], v_out: out.second_moment["n"],
):
    "a whole step of Adam in iteration {t}: {m_out} is {beta1} {m} + (1 - {beta1}) {g}, {v_out} is {beta2} {v} + (1 - {beta2}) {g}^2, and {w_out} is {w} - {lr} a / (sqrt(b) + 1e-8), where a is {m_out} / (1 - {beta1}^{t}) and b is {v_out} / (1 - {beta2}^{t})"
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
def clip_rows_by_norm(g: parameter_gradient["n,m"], limit: clip_limit, clipped: out.parameter_gradient["n,m"]):
    "clips the gradient in each row of {g} by its norm: the row as it is if its length is at most {limit}, else the row times {limit} over its length"
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
