# SPDX-License-Identifier: Apache-2.0
"""Losses of predictions, and what classification counts."""

field("losses", element="sample samples", other="class classes", group="batch batches", apart=True, share=2)

loss_value = quantity(float, "1", "loss", one="loss", many="loss losses", sums=True, means="total zero")
total_loss = quantity(float, "1", "mean squared error", one="mse", many="mse mean_error")
weighted_loss_value = quantity(float, "1", "weighted loss", one="weighted", many="weighted_losses", sums=True, means="total zero")
prediction = quantity(float, "1", "prediction", one="pred y_hat", many="predictions preds y_pred")
target_value = quantity(float, "1", "target", one="target y", many="targets y_true")
sample_weight = quantity(float, "1", "weight", one="weight", many="sample_weights", low=0.1, high=1.0)
huber_delta = quantity(float, "1", "width of the quadratic part", one="delta", low=0.5, high=1.0, uniform=True)
quantile_level = quantity(float, "1", "quantile level", one="tau q", low=0.1, high=0.9, uniform=True)
class_logit = quantity(float, "1", "logit", one="z logit", many="logits")
class_label = quantity(int, "1", "labels", one="label", many="labels", low=0, high=3)
binary_label = quantity(float, "1", "target probability", one="y p_target", many="target_probs", low=0.1, high=1.0)
sign_label = quantity(float, "1", "signed label", one="label", many="labels signs")
focal_gamma = quantity(float, "1", "focusing exponent", one="gamma", low=0.5, high=2.0, uniform=True)
hinge_margin = quantity(float, "1", "margin of the loss", one="margin", low=0.25, high=1.0, uniform=True)
logit_gradient = quantity(float, "1", "logit gradient", one="dz", many="logit_grads dlogits", means="adds range zero")
label_smoothing = quantity(float, "1", "label smoothing", one="smoothing", low=0.05, high=0.3, uniform=True)
embedding_point = quantity(vec3, "1", "embeddings", one="e", many="embeddings")
anchor_id = quantity(int, "1", "anchors of the triplets", one="anchor", many="anchors anchor_ids")
positive_id = quantity(int, "1", "positive samples of the triplets", one="positive", many="positives positive_ids")
negative_id = quantity(int, "1", "negative samples of the triplets", one="negative", many="negatives negative_ids")
ignored_class = quantity(int, "1", "class to ignore", one="ignore_index", low=0, high=3, uniform=True)
correct_count = quantity(int, "1", "number of correct samples", one="correct", many="correct num_correct", low=0, high=3)
confusion_entry = quantity(int, "1", "confusion matrix", one="n", many="confusion", low=0, high=3)
negative_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
center_id = quantity(int, "1", "indices of the centers", one="center", many="centers")
context_id = quantity(int, "1", "indices of the contexts", one="context", many="contexts")
center_vector = quantity(vec3, "1", "vectors of the centers", one="c", many="center_vecs")
context_vector = quantity(vec3, "1", "vectors of the contexts", one="v", many="context_vecs")
batch_mean_loss = quantity(float, "1", "mean loss", one="loss", many="mean_loss")
class_weight_total = quantity(float, "1", "losses of the classes", one="total", many="class_losses")
class_seen = quantity(int, "1", "numbers of samples of the classes", one="n", many="class_counts", low=0, high=3)
sample_loss = quantity(float, "1", "losses of the samples", one="loss", many="losses", low=0.1, high=2.0)


@formula
def squared_error(pred: prediction, target: target_value) -> loss_value:
    "half of the squared error, ({pred} - {target})^2 / 2"
    error = pred - target
    return 0.5 * error * error


@formula
def huber_loss(pred: prediction, target: target_value, delta: huber_delta) -> loss_value:
    "the Huber loss, e^2 / 2 if the error e = |{pred} - {target}| is at most {delta}, else {delta} (e - {delta} / 2)"
    error = wp.abs(pred - target)
    if error <= delta:
        return 0.5 * error * error
    return delta * (error - 0.5 * delta)


@formula
def pinball_loss(pred: prediction, target: target_value, tau: quantile_level) -> loss_value:
    "the pinball loss, {tau} e if the error e = {target} - {pred} is positive, else ({tau} - 1) e"
    error = target - pred
    return wp.max(tau * error, (tau - 1.0) * error)


@formula
def log_cosh_loss(pred: prediction, target: target_value) -> loss_value:
    "the logarithm of the hyperbolic cosine of {pred} - {target}"
    return wp.log(wp.cosh(pred - target))


@formula
def charbonnier_loss(pred: prediction, target: target_value, delta: huber_delta) -> loss_value:
    "the Charbonnier loss, sqrt(({pred} - {target})^2 + {delta}^2) - {delta}"
    error = pred - target
    return wp.sqrt(error * error + delta * delta) - delta


@formula
def binary_cross_entropy(z: class_logit, y: binary_label) -> loss_value:
    "the binary cross entropy, max({z}, 0) - {z} {y} + log(1 + exp(-|{z}|))"
    return wp.max(z, 0.0) - z * y + wp.log(1.0 + wp.exp(-wp.abs(z)))


@formula
def hinge_loss(z: class_logit, label: sign_label, margin: hinge_margin) -> loss_value:
    "the hinge loss, {margin} minus {z} times the sign of {label}, or 0 if that is negative"
    return wp.max(margin - z * wp.sign(label), 0.0)


@formula
def focal_loss(z: class_logit, gamma: focal_gamma) -> loss_value:
    "the focal loss of a positive sample, -(1 - p)^{gamma} log(p) with the probability p = 1 / (1 + exp(-{z}))"
    p = 1.0 / (1.0 + wp.exp(-z))
    return -wp.pow(1.0 - p, gamma) * wp.log(p)


@formula
def logistic_gradient(z: class_logit, y: binary_label) -> logit_gradient:
    "the gradient of the binary cross entropy, 1 / (1 + exp(-{z})) - {y}"
    return 1.0 / (1.0 + wp.exp(-z)) - y


@formula
def weigh_loss(loss: loss_value, weight: sample_weight) -> weighted_loss_value:
    "{loss} times {weight}"
    return loss * weight


@algorithm
def mean_squared_error(
    pred: prediction["n"], target: target_value["n"], weight: sample_weight["n"],
    loss: out.total_loss["1"],
):
    "the weighted mean squared error: for each sample {weight} ({pred} - {target})^2, divided by the number of entries of {pred}, is added atomically to {loss}[0]"
    i = thread()
    guard(i)
    error = pred[i] - target[i]
    wp.atomic_add(loss, 0, weight[i] * error * error / float(pred.shape[0]))


@algorithm
def cross_entropy_rows(
    z: class_logit["n,4"], labels: class_label["n", "0:4"], ignored: ignored_class,
    losses: out.loss_value["n"],
):
    "the cross entropy of each sample, a row of {z} with the logits of four classes: the logarithm of the sum of the exponentials of its logits, minus the logit in the column of its label, where the largest logit is subtracted before the exponentials are taken and added to the logarithm; 0 if the label is {ignored}"
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
    "the gradient of a cross entropy with label smoothing, for each sample, a row of {probs}, and each class, a column: ({probs} - t) divided by the number of rows, where the target t is {smoothing} divided by the number of columns, plus 1 - {smoothing} in the column of the sample's label"
    i, c = thread()
    wanted = smoothing / float(probs.shape[1])
    if labels[i] == c:
        wanted += 1.0 - smoothing
    grads[i, c] = (probs[i, c] - wanted) / float(probs.shape[0])


@algorithm(element="triplet triplets")
def triplet_loss(
    anchors: anchor_id["n", "0:k"], positives: positive_id["n", "0:k"],
    negatives: negative_id["n", "0:k"], points: embedding_point["k"], margin: hinge_margin,
    losses: out.loss_value["n"],
):
    "the triplet loss of dot products: with a, p and n, the entries of {points} whose indices are the triplet's entries of {anchors}, {positives} and {negatives}, a . n - a . p + {margin}, or 0 if that is negative"
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
    "counts correct predictions: the predicted class of each sample is the column of the largest logit in its row of {z}, the first one if several are equal; 1 is added atomically to {confusion}, in the row of the sample's label and the column of the predicted class, and also to {correct}[0] if both are the same"
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


@algorithm(share=2, element="pair pairs")
def negative_sampling_loss(
    centers: center_id["n", "0:c"], contexts: context_id["n", "0:v"], center_vecs: center_vector["c"],
    context_vecs: context_vector["v"], seed: negative_seed, losses: out.loss_value["n"],
):
    "the loss of skip-grams with three negative samples: with a the vector of {center_vecs} that {centers} names and b the vector of {context_vecs} that {contexts} names, log(1 + exp(-a . b)) plus the sum of log(1 + exp(a . v)) over three vectors v of {context_vecs}, each at an index drawn by `wp.randi`"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    a = center_vecs[centers[i]]
    loss = wp.log(1.0 + wp.exp(-wp.dot(a, context_vecs[contexts[i]])))
    for k in range(3):
        v = context_vecs[wp.randi(state, 0, context_vecs.shape[0])]
        loss += wp.log(1.0 + wp.exp(wp.dot(a, v)))
    losses[i] = loss


@algorithm
def losses_by_class(
    loss: sample_loss["n"], weight: sample_weight["n"], labels: class_label["n", "-1:c"],
    totals: out.class_weight_total["c"], counts: out.class_seen["c"],
):
    "the losses by class: {loss} times {weight} of each sample is added atomically to the entry of {totals} for its label in {labels}, and 1 to the entry of {counts} for it; samples with a negative label are left out"
    i = thread()
    guard(i)
    label = labels[i]
    if label < 0:
        return
    wp.atomic_add(totals, label, weight[i] * loss[i])
    wp.atomic_add(counts, label, 1)
