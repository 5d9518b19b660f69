# SPDX-License-Identifier: Apache-2.0
"""Training."""

field("training", element="parameter parameters", other="sample samples", group="layer layers")

model_parameter = quantity(float, "1", "parameter", one="w p param", many="params weights w")
parameter_gradient = quantity(float, "1", "gradient", one="g grad", many="grads gradients g")
learning_rate = quantity(float, "1", "learning rate", one="lr learning_rate", low=0.05, high=0.5, uniform=True)
weight_decay = quantity(float, "1", "weight decay", one="weight_decay decay wd", low=0.05, high=0.5, uniform=True)
momentum_factor = quantity(float, "1", "momentum factor", one="mu momentum", low=0.1, high=0.9, uniform=True)
velocity_of_parameter = quantity(float, "1", "velocity of a parameter", one="v buf", many="velocity momentum_buf buf")
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
loss_value = quantity(float, "1", "loss", one="loss", many="losses loss", sums=True)
squared_gradient_sum = quantity(float, "1", "sum of the squared gradients", one="norm_sq", many="norm_sq grad_norm_sq")
total_loss = quantity(float, "1", "total loss", one="total", many="total_loss loss_sum")
prediction = quantity(float, "1", "prediction", one="pred y_hat", many="predictions preds y_pred")
target_value = quantity(float, "1", "target", one="target y", many="targets y_true")
sample_weight = quantity(float, "1", "weight of a sample", one="weight", many="sample_weights", low=0.1, high=1.0)
huber_delta = quantity(float, "1", "width of the quadratic part", one="delta", low=0.5, high=1.0, uniform=True)
quantile_level = quantity(float, "1", "quantile level", one="tau q", low=0.1, high=0.9, uniform=True)
class_logit = quantity(float, "1", "logit", one="z logit", many="logits z")
class_label = quantity(int, "1", "labels", one="label", many="labels classes", low=0, high=3)
binary_label = quantity(float, "1", "binary label", one="y label", many="labels y", low=0.1, high=1.0)
focal_gamma = quantity(float, "1", "focusing exponent", one="gamma", low=0.5, high=2.0, uniform=True)
hinge_margin = quantity(float, "1", "margin", one="margin", low=0.25, high=1.0, uniform=True)
logit_gradient = quantity(float, "1", "gradient of a logit", one="dz", many="dlogits logit_grads")
label_smoothing = quantity(float, "1", "label smoothing", one="smoothing", low=0.05, high=0.3, uniform=True)
embedding_point = quantity(vec3, "1", "embeddings", one="e", many="embeddings")
anchor_id = quantity(int, "1", "anchors of the triplets", one="anchor", many="anchors anchor_ids")
positive_id = quantity(int, "1", "positive samples of the triplets", one="positive", many="positives positive_ids")
negative_id = quantity(int, "1", "negative samples of the triplets", one="negative", many="negatives negative_ids")
updated_row = quantity(int, "1", "indices of the parameters to update", one="row", many="rows row_ids")
ignored_class = quantity(int, "1", "class to ignore", one="ignore_index", low=0, high=3, uniform=True)
correct_count = quantity(int, "1", "number of correct samples", one="correct", many="correct num_correct", low=0, high=3)
confusion_entry = quantity(int, "1", "confusion matrix", one="n", many="confusion", low=0, high=3)
averaged_parameter = quantity(float, "1", "averaged parameter", one="ema", many="ema_params shadow")


@formula
def squared_error(pred: prediction, target: target_value) -> loss_value:
    "half of the square of the difference of {pred} and {target}"
    error = pred - target
    return 0.5 * error * error


@formula
def huber_loss(pred: prediction, target: target_value, delta: huber_delta) -> loss_value:
    "with the error e = |{pred} - {target}|: e^2 / 2 if e is at most {delta}, else {delta} (e - {delta} / 2)"
    error = wp.abs(pred - target)
    if error <= delta:
        return 0.5 * error * error
    return delta * (error - 0.5 * delta)


@formula
def pinball_loss(pred: prediction, target: target_value, tau: quantile_level) -> loss_value:
    "{tau} times the error {target} - {pred} if that is positive, else {tau} - 1 times it"
    error = target - pred
    return wp.max(tau * error, (tau - 1.0) * error)


@formula
def log_cosh_loss(pred: prediction, target: target_value) -> loss_value:
    "the logarithm of the hyperbolic cosine of {pred} - {target}"
    return wp.log(wp.cosh(pred - target))


@formula
def charbonnier_loss(pred: prediction, target: target_value, delta: huber_delta) -> loss_value:
    "sqrt(({pred} - {target})^2 + {delta}^2) - {delta}"
    error = pred - target
    return wp.sqrt(error * error + delta * delta) - delta


@formula
def binary_cross_entropy(z: class_logit, y: binary_label) -> loss_value:
    "the binary cross entropy of the logit {z} and the label {y}: max({z}, 0) - {z} {y} + log(1 + exp(-|{z}|))"
    return wp.max(z, 0.0) - z * y + wp.log(1.0 + wp.exp(-wp.abs(z)))


@formula
def hinge_loss(z: class_logit, target: target_value, margin: hinge_margin) -> loss_value:
    "{margin} minus {z} times the sign of {target}, or 0 if that is negative"
    return wp.max(margin - z * wp.sign(target), 0.0)


@formula
def focal_loss(z: class_logit, gamma: focal_gamma) -> loss_value:
    "the focal loss of a positive sample, -(1 - p)^{gamma} log(p) with the probability p = 1 / (1 + exp(-{z}))"
    p = 1.0 / (1.0 + wp.exp(-z))
    return -wp.pow(1.0 - p, gamma) * wp.log(p)


@formula
def logistic_gradient(z: class_logit, y: binary_label) -> logit_gradient:
    "1 / (1 + exp(-{z})), minus {y}"
    return 1.0 / (1.0 + wp.exp(-z)) - y


@formula
def weighted_loss(loss: loss_value, weight: sample_weight) -> loss_value:
    "{loss} times {weight}"
    return loss * weight


@formula
def sgd_step(w: model_parameter, g: parameter_gradient, lr: learning_rate) -> model_parameter:
    "{w} minus {lr} times {g}"
    return w - lr * g


@formula
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
def mean_squared_error(
    pred: prediction["n"], target: target_value["n"], weight: sample_weight["n"],
    loss: out.total_loss["1"],
):
    "the weighted mean squared error: each sample adds {weight} ({pred} - {target})^2, divided by the number of samples, atomically to {loss}[0]"
    i = thread()
    guard(i)
    error = pred[i] - target[i]
    wp.atomic_add(loss, 0, weight[i] * error * error / float(pred.shape[0]))


@algorithm
def cross_entropy_rows(
    z: class_logit["n,4"], labels: class_label["n", "0:4"], ignored: ignored_class,
    losses: out.loss_value["n"],
):
    "the cross entropy of each sample of four classes: the logarithm of the sum of the exponentials of its logits, minus the logit of its label, where the largest logit is subtracted before the exponentials are taken and added to the logarithm; 0 if the label is {ignored}"
    i = thread()
    guard(i)
    label = labels[i]
    if label == ignored:
        losses[i] = 0.0
        return
    largest = wp.max(wp.max(z[i, 0], z[i, 1]), wp.max(z[i, 2], z[i, 3]))
    total = float(0.0)
    for c in range(4):
        total += wp.exp(z[i, c] - largest)
    losses[i] = wp.log(total) + largest - z[i, label]


@algorithm(dims=2)
def softmax_gradient(
    probs: class_probability["n,m"], labels: class_label["n", "0:m"], smoothing: label_smoothing,
    grads: out.logit_gradient["n,m"],
):
    "the gradient of a cross entropy with label smoothing: ({probs} - t) divided by the number of samples, where the target t is {smoothing} divided by the number of classes, plus 1 - {smoothing} in the column of the sample's label"
    i, c = thread()
    wanted = smoothing / float(probs.shape[1])
    if labels[i] == c:
        wanted += 1.0 - smoothing
    grads[i, c] = (probs[i, c] - wanted) / float(probs.shape[0])


@algorithm
def triplet_loss(
    anchors: anchor_id["n", "0:9"], positives: positive_id["n", "0:9"],
    negatives: negative_id["n", "0:9"], points: embedding_point["9"], margin: hinge_margin,
    losses: out.loss_value["n"],
):
    "the triplet loss of dot products: with the points a, p and n of {points} that the triplet's entries of {anchors}, {positives} and {negatives} name, a . n - a . p + {margin}, or 0 if that is negative"
    t = thread()
    guard(t)
    a = points[anchors[t]]
    near = wp.dot(a, points[positives[t]])
    far = wp.dot(a, points[negatives[t]])
    losses[t] = wp.max(far - near + margin, 0.0)


@algorithm
def count_correct(
    z: class_logit["n,m"], labels: class_label["n", "0:m"], correct: out.correct_count["1"],
    confusion: out.confusion_entry["m,m"],
):
    "counts correct predictions: the predicted class of each sample is the column of its largest logit in {z}, the first of equal ones; 1 is added atomically to {confusion} at the row of the label and the column of the prediction, and to {correct}[0] if both are the same"
    i = thread()
    guard(i)
    best = int(0)
    largest = z[i, 0]
    for c in range(1, z.shape[1]):
        logit = z[i, c]
        if logit > largest:
            largest = logit
            best = c
    label = labels[i]
    wp.atomic_add(confusion, label, best, 1)
    if best == label:
        wp.atomic_add(correct, 0, 1)


@algorithm
def accumulate_gradient_norm(
    g: parameter_gradient["n"], limit: clip_limit, norm: out.squared_gradient_sum["1"],
):
    "adds the square of each {g} atomically to {norm}[0], where a magnitude above {limit} counts as {limit}"
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
