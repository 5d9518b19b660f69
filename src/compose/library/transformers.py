# SPDX-License-Identifier: Apache-2.0
"""Transformers: positions, norms, attention over caches, losses of language models."""

field("transformers", element="token tokens", other="channel channels", dims=2, apart=True, pairs=True, share=2)

hidden_state = quantity(float, "1", "hidden states", one="x", many="x hidden")
sequence_state = quantity(float, "1", "hidden states of all tokens", one="x", many="x hidden")
norm_weight = quantity(float, "1", "weights of the norm", one="w", many="weight gamma norm_weight", low=0.5, high=1.5)
norm_bias = quantity(float, "1", "biases of the norm", one="b", many="bias beta norm_bias")
expert_output = quantity(float, "1", "outputs of the experts", one="y", many="expert_outputs y_experts")
norm_output = quantity(float, "1", "normalized states", one="y", many="y normed")
layer_result = quantity(float, "1", "outputs of the layer", one="y", many="y outputs")
seen_count = quantity(int, "1", "numbers of times that each token was seen", one="seen", many="seen seen_counts", low=0, high=2)
log_sum_exp = quantity(float, "1", "logarithms of the sums of exponentials", one="lse", many="lse log_sums")
inverse_deviation = quantity(float, "1", "inverse deviations of the rows", one="rstd", many="rstd inv_std", low=0.5, high=2.0)
row_mean = quantity(float, "1", "means of the rows", one="mean", many="mean row_means")
state_gradient = quantity(float, "1", "gradients of the states", one="dx", many="dx grad_x")
output_gradient = quantity(float, "1", "gradients of the outputs", one="dy", many="dy grad_y")
weight_gradient = quantity(float, "1", "gradients of the weights", one="dw", many="dw grad_weight")
norm_softness = quantity(float, "1", "small constant under the root", one="eps", low=0.01, high=0.1, uniform=True)
query_state = quantity(float, "1", "queries", one="q", many="q queries")
key_state = quantity(float, "1", "keys", one="k", many="k keys")
attention_window = quantity(int, "1", "number of tokens that a token sees", one="window", low=2, high=4, uniform=True)
cached_key = quantity(float, "1", "cached keys", one="k", many="k_cache")
cached_value = quantity(float, "1", "cached values", one="v", many="v_cache")
value_state = quantity(float, "1", "values", one="v", many="v values")
attention_output = quantity(float, "1", "attention outputs", one="o", many="o attended")
attention_logit = quantity(float, "1", "attention scores", one="s", many="scores attn", means="range")
lm_row_maximum = quantity(float, "1", "largest scores of the rows", one="m", many="row_max")
score_scale = quantity(float, "1", "scale of the scores", one="scale", low=0.2, high=1.0, uniform=True)
head_slope = quantity(float, "1", "slopes of the heads", one="slope", many="slopes alibi_slopes", low=0.05, high=0.5)
token_position = quantity(int, "1", "positions of the tokens", one="pos", many="positions pos_ids", low=0, high=20)
rotary_frequency = quantity(float, "1", "rotary frequencies", one="freq", many="inv_freq freqs", low=0.05, high=1.0)
sequence_length = quantity(int, "1", "lengths of the sequences", one="length", many="seq_lens lengths context_lens", low=0, high=4)
cache_page = quantity(int, "1", "pages of the sequences", one="page", many="page_table block_table")
token_class = quantity(int, "1", "target tokens", one="target", many="targets labels")
token_loss = quantity(float, "1", "losses of the tokens", one="loss", many="losses token_loss")
lm_label_smoothing = quantity(float, "1", "label smoothing", one="smoothing", low=0.05, high=0.3, uniform=True)
lm_ignored_class = quantity(int, "1", "ignored target", one="ignore_index", low=0, high=1, uniform=True)
lm_expert_index = quantity(int, "1", "experts of the tokens", one="expert", many="expert_ids experts")
expert_weight = quantity(float, "1", "weights of the experts", one="gate", many="expert_weights gates")
repeat_penalty = quantity(float, "1", "repetition penalty", one="penalty", low=1.1, high=2.0, uniform=True)
penalized_logit = quantity(float, "1", "logits", one="z", many="logits")
lm_row_start = quantity(int, "1", "first token of each sequence, followed by the end of the last one", one="start", many="cu_seqlens seq_start")
pooled_state = quantity(float, "1", "pooled states", one="pooled", many="pooled sentence_emb")
quantized_weight = quantity(int, "1", "quantized weights", one="wq", many="wq q_weight", low=-8, high=7)
group_scale = quantity(float, "1", "scales of the groups", one="scale", many="scales group_scales", low=0.1, high=1.0)
new_key_state = quantity(float, "1", "new keys", one="k", many="new_k new_keys")
cache_state = quantity(float, "1", "cached keys of each sequence and slot", one="c", many="k_cache cache")
next_slot = quantity(int, "1", "next free slots of the sequences", one="slot", many="next_slots cache_lens", low=0, high=3)
gated_state = quantity(float, "1", "gated states", one="y", many="y gated")
up_state = quantity(float, "1", "gates and values, side by side", one="h", many="h up_proj")
token_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
token_temperature = quantity(float, "1", "temperature", one="temperature", low=0.5, high=2.0, uniform=True)
sampled_token = quantity(int, "1", "sampled tokens", one="token", many="sampled next_tokens", low=0, high=4)
next_probability = quantity(float, "1", "probabilities of the tokens", one="p", many="probs", low=0.05, high=1.0)
plain_token = quantity(int, "1", "tokens", one="token", many="tokens", low=1, high=6)
masked_token = quantity(int, "1", "masked tokens", one="token", many="masked_tokens", low=0, high=6)
mask_chance = quantity(float, "1", "chance to choose a token", one="p_mask", low=0.2, high=0.8, uniform=True)
vocabulary_size = quantity(int, "1", "size of the vocabulary", one="vocab_size", low=4, high=9, uniform=True)
chosen_flag = quantity(int, "1", "flags of the chosen tokens", one="chosen", many="chosen", low=0, high=1)
residual_branch = quantity(float, "1", "outputs of the branch", one="y", many="branch")
keep_chance = quantity(float, "1", "chance to keep a branch", one="keep", low=0.3, high=0.9, uniform=True)


@function
def rotate_pair(a: float, b: float, angle: float):
    "two values: the point ({a}, {b}) rotated by {angle}, {a} c - {b} s and {a} s + {b} c, with the cosine c and the sine s of {angle}"
    c = wp.cos(angle)
    s = wp.sin(angle)
    return a * c - b * s, a * s + b * c


@function
def online_softmax(m: float, total: float, s: float):
    "two values, the running maximum and sum of an online softmax after the score {s}: the larger of {m} and {s}, called M, and {total} exp({m} - M) + exp({s} - M)"
    top = wp.max(m, s)
    return top, total * wp.exp(m - top) + wp.exp(s - top)


@algorithm(dims=1)
def rms_norm(x: hidden_state["n,c"], w: norm_weight["c"], eps: norm_softness, y: out.norm_output["n,c"]):
    "the RMS norm of each row of {x}: its entries divided by the square root of the sum of {eps} and the mean of their squares, times {w} of their column"
    row = thread()
    guard(row)
    total = float(0.0)
    for c in range(x.shape[1]):
        value = x[row, c]
        total += value * value
    scale = 1.0 / wp.sqrt(total / float(x.shape[1]) + eps)
    for c in range(x.shape[1]):
        y[row, c] = x[row, c] * scale * w[c]


@algorithm(dims=1)
def statistics_of_rows(
    x: hidden_state["n,c"], eps: norm_softness, mean: out.row_mean["n"], rstd: out.inverse_deviation["n"],
):
    "the statistics of each row of {x} for a layer norm: {mean} is the mean of its entries, {rstd} is 1 / sqrt(variance + {eps}), where the variance is the mean of the squares minus the square of the mean, but at least 0"
    row = thread()
    guard(row)
    total = float(0.0)
    squares = float(0.0)
    for c in range(x.shape[1]):
        value = x[row, c]
        total += value
        squares += value * value
    n = float(x.shape[1])
    m = total / n
    mean[row] = m
    rstd[row] = 1.0 / wp.sqrt(wp.max(squares / n - m * m, 0.0) + eps)


@algorithm
def apply_layer_norm(
    x: hidden_state["n,m"], mean: row_mean["n"], rstd: inverse_deviation["n"], w: norm_weight["m"],
    b: norm_bias["m"], y: out.norm_output["n,m"],
):
    "applies a layer norm with known statistics of the rows: ({x} - {mean}) {rstd} {w} + {b}, with {mean} and {rstd} of the row and {w} and {b} of the column"
    row, c = thread()
    guard(row, c)
    y[row, c] = (x[row, c] - mean[row]) * rstd[row] * w[c] + b[c]


@algorithm(dims=1)
def layer_norm_gradient(
    x: hidden_state["n,c"], dy: output_gradient["n,c"], w: norm_weight["c"], mean: row_mean["n"],
    rstd: inverse_deviation["n"], dx: out.state_gradient["n,c"],
):
    "the gradient of a layer norm for its input: with h = ({x} - {mean}) {rstd} and g = {w} {dy} for each entry of a row, {dx} = {rstd} (g - a - h b), where a is the mean of g and b that of g h over the row"
    row = thread()
    guard(row)
    m = mean[row]
    r = rstd[row]
    a = float(0.0)
    b = float(0.0)
    for c in range(x.shape[1]):
        g = w[c] * dy[row, c]
        a += g
        b += g * (x[row, c] - m) * r
    n = float(x.shape[1])
    for c in range(x.shape[1]):
        h = (x[row, c] - m) * r
        dx[row, c] = r * (w[c] * dy[row, c] - a / n - h * b / n)


@algorithm
def norm_weight_gradient(
    x: hidden_state["n,m"], dy: output_gradient["n,m"], mean: row_mean["n"], rstd: inverse_deviation["n"],
    dw: out.weight_gradient["m"],
):
    "the gradient of a layer norm for its weights: for each entry {dy} ({x} - {mean}) {rstd}, with {mean} and {rstd} of its row, is added atomically to {dw} of its column"
    row, c = thread()
    guard(row, c)
    wp.atomic_add(dw, c, dy[row, c] * (x[row, c] - mean[row]) * rstd[row])


@algorithm
def rotary_embedding(
    x: query_state["n,2*m"], pos: token_position["n"], freq: rotary_frequency["m"],
    y: out.query_state["n,2*m"],
):
    "applies a rotary position embedding: the channels 2 c and 2 c + 1 of each token are rotated as a pair by {pos} of the token times `{freq}[c]`; thread t, c does it for token t"
    token, c = thread()
    angle = float(pos[token]) * freq[c]
    a, b = rotate_pair(x[token, 2 * c], x[token, 2 * c + 1], angle)
    y[token, 2 * c] = a
    y[token, 2 * c + 1] = b


@algorithm
def sliding_window_scores(
    q: query_state["n,d"], k: key_state["m,d"], scale: score_scale, window: attention_window["", "2:5"],
    s: out.attention_logit["n,m"],
):
    "the scores of attention in a sliding window: for query i and key j {scale} times the dot product of row i of {q} and row j of {k} if j is above i - {window} and not above i, else -1000"
    i, j = thread()
    guard(i, j)
    if j > i or j <= i - window:
        s[i, j] = -1000.0
        return
    score = float(0.0)
    for d in range(q.shape[1]):
        score += scale * q[i, d] * k[j, d]
    s[i, j] = score


@algorithm
def linear_bias(s: attention_logit["n,m"], slope: head_slope["n"], out_s: out.attention_logit["n,m"]):
    "adds a linear bias to the scores of the last token, with a row of {s} for each head and a column for each earlier token: {s} minus {slope} of the row times the number of columns behind the score's own"
    head, j = thread()
    guard(head, j)
    distance = s.shape[1] - 1 - j
    out_s[head, j] = s[head, j] - slope[head] * float(distance)


@algorithm(dims=1)
def normalizer_of_scores(
    s: attention_logit["n,6"], top: out.lm_row_maximum["n"], lse: out.log_sum_exp["n"],
):
    "the normalizers of the six scores in each row of {s}, by an online softmax that begins with the maximum -100 and the sum 0: {top} gets the largest entry of the row, and {lse} the logarithm of the sum of exp(s) over its entries s"
    row = thread()
    guard(row)
    m = float(-100.0)
    total = float(0.0)
    for j in range(6):
        m, total = online_softmax(m, total, s[row, j])
    top[row] = m
    lse[row] = m + wp.log(total)


@algorithm
def attend_over_pages(
    q: query_state["n,4"], k: cached_key["p,4"], v: cached_value["p,m"],
    pages: cache_page["n,4", "0:p"], length: sequence_length["n", "0:5"], scale: score_scale,
    o: out.attention_output["n,m"],
):
    "computes attention over a cache in pages of one token each, a thread for each sequence and channel: the first `{length}[i]` entries in row i of {pages} are the rows of {k} and {v} that belong to sequence i; the score of such a row is {scale} times the dot product of row i of {q} and that row of {k}, and its weight is exp of its score minus the largest score; the output is the weighted mean of these rows of {v} in the thread's channel, or 0 if `{length}[i]` is 0"
    i, c = thread()
    guard(i, c)
    top = float(-1.0e9)
    for slot in range(4):
        if slot < length[i]:
            score = float(0.0)
            for d in range(4):
                score += scale * q[i, d] * k[pages[i, slot], d]
            top = wp.max(top, score)
    total = float(0.0)
    norm = float(0.0)
    for slot in range(4):
        if slot < length[i]:
            score = float(0.0)
            for d in range(4):
                score += scale * q[i, d] * k[pages[i, slot], d]
            w = wp.exp(score - top)
            total += w * v[pages[i, slot], c]
            norm += w
    if norm > 0.0:
        o[i, c] = total / norm
    else:
        o[i, c] = 0.0


@algorithm(dims=1)
def smoothed_cross_entropy(
    z: penalized_logit["n,c"], target: token_class["n", "0:c"], ignore: lm_ignored_class["", "0:2"],
    smoothing: lm_label_smoothing, loss: out.token_loss["n"],
):
    "the cross entropy of each token, a row of {z}, with label smoothing: (1 - {smoothing}) (L - t) + {smoothing} (L - a), where L is the logarithm of the sum of the exponentials of the row, t its entry in the column of the target, which stands in {target}, and a the mean of its entries; 0 for tokens whose target is {ignore}"
    row = thread()
    guard(row)
    t = target[row]
    if t == ignore:
        loss[row] = 0.0
        return
    top = float(-100.0)
    for c in range(z.shape[1]):
        top = wp.max(top, z[row, c])
    total = float(0.0)
    mean = float(0.0)
    for c in range(z.shape[1]):
        logit = z[row, c]
        total += wp.exp(logit - top)
        mean += logit
    lse = top + wp.log(total)
    mean = mean / float(z.shape[1])
    loss[row] = (1.0 - smoothing) * (lse - z[row, t]) + smoothing * (lse - mean)


@algorithm
def logit_gradient(
    z: penalized_logit["n,m"], lse: log_sum_exp["n"], target: token_class["n", "0:m"],
    ignore: lm_ignored_class["", "0:2"], dz: out.logit_gradient["n,m"],
):
    "the gradient of the cross entropy of each row of {z}: exp({z} - {lse}), with {lse} of the row, minus 1 in the column of the row's target, which stands in {target}; 0 in rows whose target is {ignore}"
    row, c = thread()
    guard(row, c)
    t = target[row]
    if t == ignore:
        dz[row, c] = 0.0
        return
    p = wp.exp(z[row, c] - lse[row])
    if c == t:
        p -= 1.0
    dz[row, c] = p


@algorithm(dims=1)
def top_two_experts(
    z: penalized_logit["n,c+2"], ids: out.lm_expert_index["n,2"], gates: out.expert_weight["n,2"],
):
    "routes each token to the two experts with the largest entries in its row of {z}, the first one if several are equal: {ids} gets their columns, that of the largest entry first, and {gates} the softmax of these two entries"
    row = thread()
    guard(row)
    first = int(0)
    second = int(0)
    best = float(-1.0e6)
    next_best = float(-1.0e6)
    for c in range(z.shape[1]):
        logit = z[row, c]
        if logit > best:
            next_best = best
            second = first
            best = logit
            first = c
        elif logit > next_best:
            next_best = logit
            second = c
    ids[row, 0] = first
    ids[row, 1] = second
    share = 1.0 / (1.0 + wp.exp(next_best - best))
    gates[row, 0] = share
    gates[row, 1] = 1.0 - share


@algorithm
def combine_experts(
    ids: lm_expert_index["n,2", "0:e"], gates: expert_weight["n,2"], y: expert_output["n,e,m"],
    x: hidden_state["n,m"], out_x: out.hidden_state["n,m"],
):
    "adds the outputs of two experts to the hidden states: for token t and channel c the sum over s = 0, 1 of `{gates}[t, s]` `{y}[t, e, c]`, where e is `{ids}[t, s]`, is added to `{x}[t, c]`"
    token, c = thread()
    guard(token, c)
    total = x[token, c]
    for slot in range(2):
        total += gates[token, slot] * y[token, ids[token, slot], c]
    out_x[token, c] = total


@algorithm
def penalize_repeats(
    z: penalized_logit["n,m"], seen: seen_count["n,m", "0:3"], penalty: repeat_penalty,
    out_z: out.penalized_logit["n,m"],
):
    "applies a repetition penalty: the entries of {z} for which that of {seen} is above 0 are divided by {penalty} if they are positive, else multiplied by it; the others stay as they are"
    row, c = thread()
    guard(row, c)
    value = z[row, c]
    if seen[row, c] > 0:
        if value > 0.0:
            value = value / penalty
        else:
            value = value * penalty
    out_z[row, c] = value


@algorithm
def pool_sequences(
    start: lm_row_start["n+1", "rising:2"], x: sequence_state["2*n+2,m"], pooled: out.pooled_state["n,m"],
):
    "applies mean pooling: for sequence i and channel c the mean of {x} over its tokens, the rows from `{start}[i]` up to, but not including, `{start}[i + 1]`; 0 for an empty sequence"
    i, c = thread()
    begin = start[i]
    end = start[i + 1]
    if begin == end:
        pooled[i, c] = 0.0
        return
    total = float(0.0)
    for t in range(begin, end):
        total += x[t, c]
    pooled[i, c] = total / float(end - begin)


@algorithm
def dequantized_product(
    x: hidden_state["n,4*g"], wq: quantized_weight["m,4*g", "-8:8"], scale: group_scale["m,g"],
    y: out.layer_result["n,m"],
):
    "applies a linear layer with quantized weights: entry i, o is the sum over k of `{x}[i, k]` `{wq}[o, k]` `{scale}[o, k // 4]`, as four neighboring weights of a row share a scale"
    i, o = thread()
    guard(i, o)
    total = float(0.0)
    for k in range(x.shape[1]):
        total += x[i, k] * float(wq[o, k]) * scale[o, k // 4]
    y[i, o] = total


@algorithm(dims=1)
def attention_of_rows(q: query_state["n,3"], k: key_state["5,3"], v: value_state["5"], scale: score_scale, o: out.attention_output["n"]):
    "computes attention over five keys, with values of one channel, by an online softmax: for each row i of {q} the mean of {v} weighted by exp(s), where s is {scale} times the dot product of row i of {q} and row j of {k} for value j; with the largest score m so far, which is -100 at the beginning, the sums of exp(s - m) and exp(s - m) {v} are rescaled whenever m grows"
    i = thread()
    guard(i)
    top = float(-100.0)
    total = float(0.0)
    norm = float(0.0)
    for j in range(5):
        score = float(0.0)
        for d in range(3):
            score += scale * q[i, d] * k[j, d]
        next_top = wp.max(top, score)
        shrink = wp.exp(top - next_top)
        w = wp.exp(score - next_top)
        total = total * shrink + w * v[j]
        norm = norm * shrink + w
        top = next_top
    o[i] = total / norm


@algorithm
def append_to_cache(k: new_key_state["n,m"], slots: next_slot["n", "0:4"], cache: out.cache_state["n,4,m"]):
    "appends the new keys of each sequence to its cache: for sequence i and channel c `{k}[i, c]` is stored in `{cache}[i, s, c]`, where s is `{slots}[i]`; thread i, c does it"
    i, c = thread()
    guard(i, c)
    cache[i, slots[i], c] = k[i, c]


@algorithm
def gated_activation(h: up_state["n,2*m"], y: out.gated_state["n,m"]):
    "applies a SwiGLU gate: entry i, c is g / (1 + exp(-g)) times u, where g is `{h}[i, c]`, u is `{h}[i, c + half]`, and half is half of the number of columns of {h}"
    i, c = thread()
    guard(i, c)
    g = h[i, c]
    u = h[i, c + y.shape[1]]
    y[i, c] = g / (1.0 + wp.exp(-g)) * u


@algorithm(dims=1, share=2)
def sample_with_gumbel_noise(
    z: penalized_logit["n,c+2"], temperature: token_temperature, seed: token_seed,
    tokens: out.sampled_token["n"],
):
    "samples a token for each row of {z} by the Gumbel trick: the column with the largest {z} / {temperature} - log(-log(u)), the first one if several are equal, where u is drawn for each column in turn by `wp.randf` from 0.001 to 0.999"
    row = thread()
    guard(row)
    state = wp.rand_init(seed, row)
    best = int(0)
    top = float(-1.0e6)
    for c in range(z.shape[1]):
        noise = -wp.log(-wp.log(wp.randf(state, 0.001, 0.999)))
        score = z[row, c] / temperature + noise
        if score > top:
            top = score
            best = c
    tokens[row] = best


@algorithm(dims=1, share=2)
def sample_by_cumulative_sum(
    probs: next_probability["n,c+1"], seed: token_seed, tokens: out.sampled_token["n"],
):
    "samples a token for each row of {probs}, whose entries need not add up to 1: with a random number u from 0 to 1 the token is the number of columns c for which the sum of the entries up to and including column c is not above u times the sum of the row"
    row = thread()
    guard(row)
    state = wp.rand_init(seed, row)
    total = float(0.0)
    for c in range(probs.shape[1]):
        total += probs[row, c]
    limit = wp.randf(state) * total
    reached = float(0.0)
    token = int(0)
    for c in range(probs.shape[1]):
        reached += probs[row, c]
        if reached <= limit:
            token += 1
    tokens[row] = token


@algorithm(share=2)
def mask_tokens(
    tokens: plain_token["n,m", "1:7"], p_mask: mask_chance, vocab: vocabulary_size["", "4:10"],
    seed: token_seed, masked: out.masked_token["n,m"], chosen: out.chosen_flag["n,m"],
):
    "masks tokens for training, and stores the new ones in {masked}: a token is chosen if a first random number from 0 to 1 is below {p_mask}, and then {chosen} is 1, else 0; a token that is not chosen stays as it is, and one that is becomes 0, the mask, if a second random number is below 0.8, a random token, drawn by `wp.randi` from 1 to below {vocab}, if it is below 0.9, and else stays as it is"
    row, col = thread()
    guard(row, col)
    state = wp.rand_init(seed, row * masked.shape[1] + col)
    token = tokens[row, col]
    masked[row, col] = token
    chosen[row, col] = 0
    if wp.randf(state) >= p_mask:
        return
    chosen[row, col] = 1
    u = wp.randf(state)
    if u < 0.8:
        masked[row, col] = 0
    elif u < 0.9:
        masked[row, col] = wp.randi(state, 1, vocab)


@algorithm
def drop_branches(
    x: hidden_state["n,m"], y: residual_branch["n,m"], keep: keep_chance, seed: token_seed,
    out_x: out.hidden_state["n,m"],
):
    "applies stochastic depth: all channels of a token draw the same random number from 0 to 1, and if it is below {keep}, {y} / {keep} is added to {x}, else nothing"
    token, c = thread()
    guard(token, c)
    state = wp.rand_init(seed, token)
    value = x[token, c]
    if wp.randf(state) < keep:
        value += y[token, c] / keep
    out_x[token, c] = value
