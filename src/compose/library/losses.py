# SPDX-License-Identifier: Apache-2.0
"""Losses of predictions, and what classification counts."""

field("losses", element="sample samples", other="class classes", group="batch batches", apart=True)

loss_value = quantity(float, "1", "loss", one="loss", many="losses loss", sums=True, means="total zero")
total_loss = quantity(float, "1", "total loss", one="total", many="total_loss loss_sum")
prediction = quantity(float, "1", "prediction", one="pred y_hat", many="predictions preds y_pred")
target_value = quantity(float, "1", "target", one="target y", many="targets y_true")
sample_weight = quantity(float, "1", "weight", one="weight", many="sample_weights", low=0.1, high=1.0)
huber_delta = quantity(float, "1", "width of the quadratic part", one="delta", low=0.5, high=1.0, uniform=True)
quantile_level = quantity(float, "1", "quantile level", one="tau q", low=0.1, high=0.9, uniform=True)
class_logit = quantity(float, "1", "logit", one="z logit", many="logits z")
class_label = quantity(int, "1", "labels", one="label", many="labels classes", low=0, high=3)
binary_label = quantity(float, "1", "target probability", one="y p_target", many="labels targets", low=0.1, high=1.0)
focal_gamma = quantity(float, "1", "focusing exponent", one="gamma", low=0.5, high=2.0, uniform=True)
hinge_margin = quantity(float, "1", "margin of the loss", one="margin", low=0.25, high=1.0, uniform=True)
logit_gradient = quantity(float, "1", "logit gradient", one="dz", many="dlogits logit_grads", means="adds range zero")
label_smoothing = quantity(float, "1", "label smoothing", one="smoothing", low=0.05, high=0.3, uniform=True)
embedding_point = quantity(vec3, "1", "embeddings", one="e", many="embeddings")
anchor_id = quantity(int, "1", "anchors of the triplets", one="anchor", many="anchors anchor_ids")
positive_id = quantity(int, "1", "positive samples of the triplets", one="positive", many="positives positive_ids")
negative_id = quantity(int, "1", "negative samples of the triplets", one="negative", many="negatives negative_ids")
ignored_class = quantity(int, "1", "class to ignore", one="ignore_index", low=0, high=3, uniform=True)
correct_count = quantity(int, "1", "number of correct samples", one="correct", many="correct num_correct", low=0, high=3)
confusion_entry = quantity(int, "1", "confusion matrix", one="n", many="confusion", low=0, high=3)


@formula
def squared_error(pred: prediction, target: target_value) -> loss_value:
    "({pred} - {target})^2 / 2"
    error = pred - target
    return 0.5 * error * error


@formula
def huber_loss(pred: prediction, target: target_value, delta: huber_delta) -> loss_value:
    "e^2 / 2 if the error e = |{pred} - {target}| is at most {delta}, else {delta} (e - {delta} / 2)"
    error = wp.abs(pred - target)
    if error <= delta:
        return 0.5 * error * error
    return delta * (error - 0.5 * delta)


@formula
def pinball_loss(pred: prediction, target: target_value, tau: quantile_level) -> loss_value:
    "{tau} e if the error e = {target} - {pred} is positive, else ({tau} - 1) e"
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
    "the binary cross entropy of a logit and a label, max({z}, 0) - {z} {y} + log(1 + exp(-|{z}|))"
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
    anchors: anchor_id["n", "0:k"], positives: positive_id["n", "0:k"],
    negatives: negative_id["n", "0:k"], points: embedding_point["k"], margin: hinge_margin,
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
