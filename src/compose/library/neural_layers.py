# SPDX-License-Identifier: Apache-2.0
"""Neural networks."""

field("neural networks", element="unit units", other="input inputs", link="connection connections",
      group="layer layers", apart=True, state=True, share=2)

unit_activation = quantity(float, "1", "activation", one="a act", many="activations hidden", means="goal zero")
pre_activation = quantity(float, "1", "pre-activation", one="z", many="z pre_activations", means="adds range zero")
unit_bias = quantity(float, "1", "bias", one="b bias", many="bias biases b")
layer_weight = quantity(float, "1", "weight", one="w", many="weights weight w")
layer_input = quantity(float, "1", "input value", one="x", many="inputs x")
layer_output = quantity(float, "1", "layer output", one="y", many="outputs y", means="goal zero")
negative_slope = quantity(float, "1", "slope for negative inputs", one="slope alpha negative_slope", low=0.05, high=0.5, uniform=True)
swish_beta = quantity(float, "1", "steepness of the swish", one="beta", low=0.5, high=2.0, uniform=True)
unit_scale = quantity(float, "1", "scale", one="gamma scale", many="scale gamma", low=0.5, high=1.0)
unit_shift = quantity(float, "1", "shift", one="beta shift", many="beta shift")
running_mean = quantity(float, "1", "running mean", one="mean", many="running_mean")
running_variance = quantity(float, "1", "running variance", one="var", many="running_var", low=0.1, high=2.0)
norm_epsilon = quantity(float, "1", "constant under the root", one="eps epsilon", low=0.01, high=0.1, uniform=True)
mean_momentum = quantity(float, "1", "momentum of the running mean", one="momentum", low=0.1, high=0.9, uniform=True)
unit_keep_probability = quantity(float, "1", "probability of keeping a value", one="keep keep_prob", low=0.25, high=0.9, uniform=True)
layer_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
class_probability = quantity(float, "1", "probabilities of the classes", one="p prob", many="probs probabilities", low=0.05, high=1.0)
query_entry = quantity(float, "1", "queries", one="q", many="queries Q")
key_entry = quantity(float, "1", "keys", one="k", many="keys K")
value_entry = quantity(float, "1", "values", one="v", many="values V")
attention_weight = quantity(float, "1", "attention weights", one="w", many="attention attn_weights", low=0.05, high=1.0)
attention_score = quantity(float, "1", "attention scores", one="s", many="scores attn_scores")
attention_scale = quantity(float, "1", "scale of the scores", one="scale", low=0.1, high=1.0, uniform=True)
context_entry = quantity(float, "1", "contexts", one="c", many="context attended")
token_id = quantity(int, "1", "tokens", one="token", many="tokens token_ids", low=0, high=5)
embedding_entry = quantity(float, "1", "table of the embeddings", one="e", many="embeddings table embedding")
table_gradient = quantity(float, "1", "gradient of the table of the embeddings", one="g", many="table_grad embedding_grad")
feature_entry = quantity(float, "1", "features", one="f", many="features embedded")
feature_gradient = quantity(float, "1", "gradients of the features", one="g", many="grads feature_grads")
position_code = quantity(float, "1", "position codes", one="pe", many="pos_encoding position_codes")
padding_token = quantity(int, "1", "padding token", one="pad_id padding_idx", low=0, high=1, uniform=True)
conv_kernel = quantity(float, "1", "weights of the kernel", one="w", many="kernel weights")
conv_signal = quantity(float, "1", "samples of the input signal", one="x", many="x signal")
channel_signal = quantity(float, "1", "input signals, one in each row", one="x", many="x signals")
filtered_signal = quantity(float, "1", "outputs of the convolution", one="y", many="y output")
conv_input = quantity(float, "1", "pixels of the input image", one="x", many="image x")
conv_output = quantity(float, "1", "entries of the feature map", one="y", many="feature_map y")
enlarged_image = quantity(float, "1", "pixels of the enlarged image", one="y", many="enlarged upsampled")
conv_stride = quantity(int, "1", "stride", one="stride", low=1, high=2, uniform=True)
conv_dilation = quantity(int, "1", "dilation", one="dilation", low=1, high=2, uniform=True)
pooled_value = quantity(float, "1", "pooled values", one="p", many="pooled")
pooled_from = quantity(int, "1", "places of the largest inputs", one="best", many="argmax", low=0, high=8)
gate_value = quantity(float, "1", "gate value", one="g gate", many="gates gate", low=0.05, high=0.95, means="zero")
gate_logit = quantity(float, "1", "gate logit", one="gz", many="gate_logits gate_z")
batch_mean = quantity(float, "1", "mean of the batch", one="m", many="batch_mean")
cell_state = quantity(float, "1", "cell state", one="c", many="cell_states")
quantized_value = quantity(int, "1", "quantized activation", one="q", many="quantized", low=-8, high=7)
quantization_step = quantity(float, "1", "quantization step", one="scale step", low=0.1, high=0.5, uniform=True)
expert_index = quantity(int, "1", "experts of the tokens", one="expert", many="experts expert_ids", low=0, high=3)
expert_load = quantity(int, "1", "numbers of tokens for each expert", one="load", many="expert_loads expert_counts", low=0, high=4)
channel_input = quantity(float, "1", "inputs, by channel, row and column", one="x", many="x inputs")
channel_kernel = quantity(float, "1", "weights of the kernels, by output, input, row and column", one="w", many="kernels filters")
channel_bias = quantity(float, "1", "biases of the outputs", one="b", many="bias")
channel_output = quantity(float, "1", "outputs, by output channel, row and column", one="y", many="y outputs")
initial_weight = quantity(float, "1", "initial weights", one="w", many="weights")
mixed_input = quantity(float, "1", "mixed inputs", one="mixed", many="mixed")
partner_sample = quantity(int, "1", "partners of the samples", one="partner", many="partners", low=0, high=4)
mixing_label = quantity(float, "1", "shares of the samples in the mixtures", one="share", many="shares", low=0.0, high=1.0)


@formula(first=True)
def add_bias(x: pre_activation, b: unit_bias) -> pre_activation:
    "{x} plus {b}"
    return x + b


@formula
def sigmoid(x: pre_activation) -> unit_activation:
    "the logistic function 1 / (1 + exp(-{x}))"
    return 1.0 / (1.0 + wp.exp(-x))


@formula
def relu(x: pre_activation) -> unit_activation:
    "the larger one of {x} and 0"
    return wp.max(x, 0.0)


@formula
def leaky_relu(x: pre_activation, slope: negative_slope) -> unit_activation:
    "{x} if it is above 0, else {slope} times {x}"
    return wp.where(x > 0.0, x, slope * x)


@formula
def elu(x: pre_activation, alpha: negative_slope) -> unit_activation:
    "{x} if it is above 0, else {alpha} times (exp({x}) - 1)"
    if x > 0.0:
        return x
    return alpha * (wp.exp(x) - 1.0)


@formula
def softplus(x: pre_activation) -> unit_activation:
    "the softplus function, max({x}, 0) + log(1 + exp(-|{x}|)), which is log(1 + exp({x})) without overflow"
    return wp.max(x, 0.0) + wp.log(1.0 + wp.exp(-wp.abs(x)))


@formula
def gelu(x: pre_activation) -> unit_activation:
    "the tanh approximation of GELU, ({x} / 2) (1 + tanh(0.79788456 ({x} + 0.044715 {x}^3)))"
    inner = 0.79788456 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1.0 + wp.tanh(inner))


@formula
def swish(x: pre_activation, beta: swish_beta) -> unit_activation:
    "the swish function, {x} / (1 + exp(-{beta} {x}))"
    return x / (1.0 + wp.exp(-beta * x))


@formula
def hard_sigmoid(x: gate_logit) -> gate_value:
    "the hard sigmoid of {x}, ({x} + 3) / 6 clamped to the range from 0 to 1"
    return wp.clamp((x + 3.0) / 6.0, 0.0, 1.0)


@formula
def gated_unit(a: unit_activation, g: gate_value) -> layer_output:
    "{a} times {g}"
    return a * g


@formula
def update_cell(c: cell_state, forget: gate_value, a: unit_activation) -> cell_state:
    "{forget} {c} + (1 - {forget}) tanh({a}), with coupled gates for forgetting and input"
    return forget * c + (1.0 - forget) * wp.tanh(a)


@formula
def batch_norm(
    x: layer_input, mean: running_mean, var: running_variance, gamma: unit_scale, beta: unit_shift,
    eps: norm_epsilon,
) -> pre_activation:
    "{gamma} times ({x} - {mean}) / sqrt({var} + {eps}), plus {beta}"
    return gamma * (x - mean) / wp.sqrt(var + eps) + beta


@formula
def update_running_mean(
    mean: running_mean, m: batch_mean, momentum: mean_momentum,
) -> running_mean:
    "(1 - {momentum}) times {mean} plus {momentum} times {m}"
    return (1.0 - momentum) * mean + momentum * m


@formula
def drop_unit(a: unit_activation, keep: unit_keep_probability, state: random_state) -> unit_activation:
    "{a} divided by {keep} if a random number from 0 to 1 is below {keep}, else 0, which is dropout"
    return wp.where(wp.randf(state) < keep, a / keep, 0.0)


@formula
def quantize(a: unit_activation, scale: quantization_step) -> quantized_value:
    "{a} divided by {scale}, rounded to the nearest integer and clamped to the range from -8 to 7"
    return wp.clamp(int(wp.rint(a / scale)), -8, 7)


@algorithm(dims=2)
def dense_layer(
    x: layer_input["n,6"], w: layer_weight["m,6"], b: unit_bias["m"], y: out.layer_output["n,m"],
):
    "applies a dense layer with ReLU and six inputs: for sample s and unit u the sum of `{x}[s, k]` `{w}[u, k]` over the inputs k, plus `{b}[u]`, or 0 if that is negative; thread s, u computes it"
    sample, unit = thread()
    total = b[unit]
    for k in range(6):
        total += x[sample, k] * w[unit, k]
    y[sample, unit] = wp.max(total, 0.0)


@algorithm(element="row rows")
def softmax_rows(z: class_logit["n,m"], probs: out.class_probability["n,m"]):
    "the softmax of each row of {z}; the largest entry of the row is subtracted before the exponentials are taken"
    row = thread()
    guard(row)
    largest = z[row, 0]
    for c in range(1, z.shape[1]):
        largest = wp.max(largest, z[row, c])
    total = float(0.0)
    for c in range(z.shape[1]):
        total += wp.exp(z[row, c] - largest)
    for c in range(z.shape[1]):
        probs[row, c] = wp.exp(z[row, c] - largest) / total


@algorithm(element="row rows")
def layer_norm_rows(
    x: layer_input["n,4"], gamma: unit_scale["4"], beta: unit_shift["4"], eps: norm_epsilon,
    y: out.layer_output["n,4"],
):
    "the layer norm of each row of four features: {gamma} (x - m) / sqrt(v + {eps}) + {beta} for each entry x of {x}, where m is the mean of the row and v the mean of the squares of (x - m)"
    row = thread()
    guard(row)
    mean = float(0.0)
    for c in range(4):
        mean += x[row, c]
    mean = mean / 4.0
    var = float(0.0)
    for c in range(4):
        d = x[row, c] - mean
        var += d * d
    inv_std = 1.0 / wp.sqrt(var / 4.0 + eps)
    for c in range(4):
        y[row, c] = gamma[c] * (x[row, c] - mean) * inv_std + beta[c]


@algorithm(element="output outputs")
def conv1d(
    x: conv_signal["p"], kernel: conv_kernel["k"], stride: conv_stride, dilation: conv_dilation,
    y: out.filtered_signal["n"],
):
    "a one-dimensional convolution: for each output i the sum over k of `{kernel}[k]` times the entry of {x} with the index i {stride} + k {dilation}; entries beyond the end of {x} count as 0"
    i = thread()
    guard(i)
    total = float(0.0)
    for k in range(kernel.shape[0]):
        at = i * stride + k * dilation
        if at < x.shape[0]:
            total += kernel[k] * x[at]
    y[i] = total


@algorithm(dims=2)
def conv2d_3x3(x: conv_input["n,m"], kernel: conv_kernel["3,3"], y: out.conv_output["n,m"]):
    "applies a convolution layer without bias: for pixel i, j the sum over the 3 by 3 window around it of {kernel}, row by row from its upper left entry on and not flipped, times the pixels of {x}, with rows and columns clamped to the image"
    i, j = thread()
    guard(i, j)
    total = float(0.0)
    for a in range(3):
        for c in range(3):
            row = wp.clamp(i + a - 1, 0, x.shape[0] - 1)
            col = wp.clamp(j + c - 1, 0, x.shape[1] - 1)
            total += kernel[a, c] * x[row, col]
    y[i, j] = total


@algorithm(dims=2)
def depthwise_conv(x: channel_signal["m,p"], kernel: conv_kernel["m,3"], y: out.filtered_signal["n,m"]):
    "applies a depthwise convolution in time: for time i and channel c the three entries in row c of {kernel} times the entries of row c of {x} in the columns i - 1, i and i + 1, summed; columns that {x} does not have count as 0. Thread i, c computes it"
    i, c = thread()
    total = float(0.0)
    for k in range(3):
        at = i + k - 1
        if at >= 0 and at < x.shape[1]:
            total += kernel[c, k] * x[c, at]
    y[i, c] = total


@algorithm(dims=2)
def max_pool_2x2(
    x: conv_input["2*n,2*m"], pooled: out.pooled_value["n,m"], argmax: out.pooled_from["n,m"],
):
    "applies 2 by 2 max pooling: {pooled} gets the largest of the four entries in each 2 by 2 block of {x}, and {argmax} gets its place in the block, 2 times the row plus the column there, of the first one if several are equal"
    i, j = thread()
    guard(i, j)
    best = x[2 * i, 2 * j]
    where = int(0)
    for q in range(1, 4):
        candidate = x[2 * i + q // 2, 2 * j + q % 2]
        if candidate > best:
            best = candidate
            where = q
    pooled[i, j] = best
    argmax[i, j] = where


@algorithm(element="output outputs")
def average_pool(x: conv_signal["3*n"], stride: conv_stride, pooled: out.pooled_value["n"]):
    "applies average pooling: output i is the mean of the three entries of {x} from i times {stride} on; entries beyond the end are left out and do not count in the mean"
    i = thread()
    guard(i)
    first = i * stride
    last = wp.min(first + 3, x.shape[0])
    total = float(0.0)
    for k in range(first, last):
        total += x[k]
    pooled[i] = total / float(last - first)


@algorithm(dims=2)
def attention_scores(
    q: query_entry["n,k"], keys: key_entry["m,k"], scale: attention_scale,
    scores: out.attention_score["n,m"],
):
    "computes causal attention scores: for query i and key j the dot product of row i of {q} and row j of {keys}, times {scale}; keys with j above i get -1e4"
    i, j = thread()
    if j > i:
        scores[i, j] = -1.0e4
        return
    score = float(0.0)
    for d in range(q.shape[1]):
        score += scale * q[i, d] * keys[j, d]
    scores[i, j] = score


@algorithm(dims=2)
def attend_values(
    probs: attention_weight["n,k"], values: value_entry["k,m"], context: out.context_entry["n,m"],
):
    "the context of attention: for query i and feature d the sum over the keys j of `{probs}[i, j]` `{values}[j, d]`"
    i, d = thread()
    guard(i, d)
    total = float(0.0)
    for j in range(probs.shape[1]):
        total += probs[i, j] * values[j, d]
    context[i, d] = total


@algorithm(dims=2)
def embedding_gather(
    tokens: token_id["n", "-1:v"], table: embedding_entry["v,m"], pos_code: position_code["n,m"],
    features: out.feature_entry["n,m"],
):
    "the embedding of tokens: feature d of position i is entry d of the row of {table} whose index is `{tokens}[i]`, plus `{pos_code}[i, d]`; where the token is negative it is `{pos_code}[i, d]` alone"
    i, d = thread()
    token = tokens[i]
    if token < 0:
        features[i, d] = pos_code[i, d]
        return
    features[i, d] = table[token, d] + pos_code[i, d]


@algorithm(dims=2)
def embedding_gradient(
    tokens: token_id["n", "0:v"], grads: feature_gradient["n,m"], pad: padding_token,
    table_grad: out.table_gradient["v,m"],
):
    "the gradient of an embedding: for position i and feature d `{grads}[i, d]` is added atomically to column d of the row of {table_grad} whose index is `{tokens}[i]`; positions with the token {pad} add nothing"
    i, d = thread()
    token = tokens[i]
    if token == pad:
        return
    wp.atomic_add(table_grad, token, d, grads[i, d])


@algorithm(dims=2)
def dropout_entries(
    x: layer_input["n,m"], keep: unit_keep_probability, seed: layer_seed, y: out.layer_output["n,m"],
):
    "applies dropout: for each entry of {x} that entry divided by {keep} if a random number from 0 to 1 is below {keep}, else 0"
    i, j = thread()
    state = wp.rand_init(seed, i * x.shape[1] + j)
    if wp.randf(state) < keep:
        y[i, j] = x[i, j] / keep
    else:
        y[i, j] = 0.0


@algorithm(element="token tokens")
def route_to_expert(
    gates: gate_value["n,k"], experts: out.expert_index["n"], load: out.expert_load["k"],
):
    "routes each token, a row of {gates}, to the expert with the largest entry in that row, the first one if several are equal: the expert's column goes to {experts}, and 1 is added atomically to the expert's entry of {load}"
    token = thread()
    guard(token)
    best = int(0)
    largest = gates[token, 0]
    for e in range(1, gates.shape[1]):
        gate = gates[token, e]
        if gate > largest:
            largest = gate
            best = e
    experts[token] = best
    wp.atomic_add(load, best, 1)


@algorithm
def sparse_connections(
    offsets: row_offsets, inputs: link_to_other, w: link.layer_weight, x: other.layer_input,
    b: unit_bias, z: out.pre_activation,
):
    "the pre-activation of each unit i: its {b} plus the sum of {w} times {x} of the connected input, the one in {inputs}, over its connections, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    total = b[i]
    for k in range(offsets[i], offsets[i + 1]):
        total += w[k] * x[inputs[k]]
    z[i] = total


@algorithm(dims=3)
def conv2d_channels(x: channel_input["2,m+2,l+2"], kernel: channel_kernel["n,2,3,3"], b: channel_bias["n"], y: out.channel_output["n,m,l"]):
    "applies a convolution layer over channels: output o at row i and column j is {b}[o] plus the sum over the channels c and the offsets r and s from 0 to 2 of `{kernel}[o, c, r, s]` times `{x}[c, i + r, j + s]`; thread o, i, j computes it"
    o, i, j = thread()
    total = b[o]
    for c in range(x.shape[0]):
        for r in range(3):
            for s in range(3):
                total += kernel[o, c, r, s] * x[c, i + r, j + s]
    y[o, i, j] = total


@algorithm(element="output outputs")
def transposed_conv1d(x: conv_signal["p"], kernel: conv_kernel["k"], stride: conv_stride["", "1:3"], y: out.filtered_signal["n"]):
    "a one-dimensional transposed convolution: output i is the sum of `{x}[j]` times the entry of {kernel} with the index i - j {stride}, over all j for which {kernel} has that entry"
    i = thread()
    guard(i)
    total = float(0.0)
    for j in range(x.shape[0]):
        k = i - j * stride
        if k >= 0 and k < kernel.shape[0]:
            total += kernel[k] * x[j]
    y[i] = total


@algorithm(dims=2, element="pixel pixels")
def upsample_nearest(x: conv_input["n,m"], y: out.enlarged_image["2*n,2*m"]):
    "enlarges an image by 2 in both directions: thread i, j stores `{x}[i, j]` in the 2 by 2 block of {y} from row 2 i and column 2 j on"
    i, j = thread()
    guard(i, j)
    value = x[i, j]
    for a in range(2):
        for c in range(2):
            y[2 * i + a, 2 * j + c] = value


@algorithm(element="channel channels")
def global_average_pool(x: channel_input["n,m,l"], pooled: out.pooled_value["n"]):
    "applies global average pooling: thread i computes the mean of all entries of channel i of {x}, whose first axis is the channel"
    c = thread()
    guard(c)
    total = float(0.0)
    for i in range(x.shape[1]):
        for j in range(x.shape[2]):
            total += x[c, i, j]
    pooled[c] = total / float(x.shape[1] * x.shape[2])


@algorithm(dims=2)
def initialize_weights(seed: layer_seed, w: out.initial_weight["n,m"]):
    "initializes the weights of a layer by the rule of Glorot: each gets a number that is drawn by `wp.randf` from -r to r, where r is sqrt(6 / (a + b)) and a and b are the numbers of rows and columns of {w}"
    i, j = thread()
    state = wp.rand_init(seed, i * w.shape[1] + j)
    bound = wp.sqrt(6.0 / float(w.shape[0] + w.shape[1]))
    w[i, j] = wp.randf(state, -bound, bound)


@algorithm(dims=2)
def mix_samples(
    x: layer_input["n,m"], partners: partner_sample["n", "0:n"], seed: layer_seed,
    mixed: out.mixed_input["n,m"],
):
    "mixes each sample, a row of {x}, with a partner, the row that {partners} names: u times {x} of the sample plus (1 - u) times {x} of the partner, where u is a random number from 0 to 1 that all columns of a sample draw alike"
    sample, c = thread()
    guard(sample, c)
    state = wp.rand_init(seed, sample)
    u = wp.randf(state)
    mixed[sample, c] = u * x[sample, c] + (1.0 - u) * x[partners[sample], c]
