# SPDX-License-Identifier: Apache-2.0
"""Statistics: moments, scores, regression, ranks, clusters."""

field("statistics", element="sample samples", other="cluster clusters", link="pair pairs",
      group="cluster clusters", apart=True)

observation = quantity(float, "1", "observation", one="x value", many="x observations values", means="range")
reference_mean = quantity(float, "1", "mean", one="mean mu", many="means mu")
reference_deviation = quantity(float, "1", "standard deviation", one="std sigma", many="stds sigmas", low=0.25, high=2.0)
z_score_value = quantity(float, "1", "z-score", one="z", many="z_scores z", means="range")
sample_median = quantity(float, "1", "median", one="median med", many="medians", uniform=True)
absolute_deviation = quantity(float, "1", "median absolute deviation", one="mad", low=0.25, high=2.0, uniform=True)
sample_variance = quantity(float, "1", "variance", one="var variance", many="variances var", low=0.1, high=2.0)
sample_count = quantity(float, "1", "running sample count", one="n count", many="sample_counts", low=1.0, high=8.0)
lower_limit = quantity(float, "1", "lower limit", one="lo lower", low=-2.0, high=0.0, uniform=True)
limit_span = quantity(float, "1", "span of the limits", one="span", low=0.5, high=2.0, uniform=True)
robust_weight = quantity(float, "1", "weights", one="w weight", many="weights robust_weights", low=0.1, high=1.0)
tuning_constant = quantity(float, "1", "tuning constant", one="k tuning c", low=0.5, high=2.0, uniform=True)
smoothing_factor = quantity(float, "1", "smoothing factor", one="alpha smoothing", low=0.1, high=0.9, uniform=True)
scaled_value = quantity(float, "1", "scaled value", one="s scaled", many="scaled normalized")
data_entry = quantity(float, "1", "data", one="x", many="data X samples")
second_data_entry = quantity(float, "1", "second variable", one="y", many="Y y")
column_total = quantity(float, "1", "sums of the columns", one="total", many="totals column_sums")
covariance = quantity(float, "1", "covariance matrix", one="cov", many="cov covariance")
group_of_sample = quantity(int, "1", "groups of the samples", one="group", many="groups group_ids", low=0, high=4)
group_total = quantity(float, "1", "sums of the groups", one="total", many="group_sums totals")
group_size = quantity(int, "1", "sizes of the groups", one="size", many="group_counts sizes", low=0, high=4)
regression_time = quantity(float, "s", "times of the observations", one="t", many="times t")
regression_slope = quantity(float, "1/s", "slopes", one="slope", many="slopes")
regression_intercept = quantity(float, "1", "intercepts", one="intercept", many="intercepts")
skewness_value = quantity(float, "1", "skewnesses", one="skew", many="skewness")
autocovariance = quantity(float, "1", "autocovariances", one="c", many="autocov")
lag = quantity(int, "1", "lag in columns", one="lag", low=1, high=2, uniform=True)
query_value = quantity(float, "1", "queries", one="q x", many="queries grid")
density_estimate = quantity(float, "1", "density estimates", one="density", many="density kde")
bandwidth = quantity(float, "1", "bandwidth", one="h bandwidth", low=0.25, high=1.0, uniform=True)
rank_value = quantity(float, "1", "rank", one="rank", many="ranks")
share_below = quantity(float, "1", "shares of the samples", one="share", many="ecdf shares")
moving_mean = quantity(float, "1", "moving average", one="avg", many="moving_avg smoothed", means="goal")
window_length = quantity(int, "1", "window length", one="window width", low=1, high=3, uniform=True)
feature_point = quantity(vec3, "1", "feature point", one="p x", many="points features")
cluster_center = quantity(vec3, "1", "cluster center", one="c center", many="centers centroids")
cluster_index = quantity(int, "1", "clusters of the points", one="cluster", many="clusters assignments", low=0, high=3)
cluster_score = quantity(float, "1", "score of the clustering", one="score", many="score total_score")
cluster_weight = quantity(float, "1", "weights of the clusters", one="norm", many="cluster_weights weight_sums")
cluster_total = quantity(vec3, "1", "sums of the clusters", one="total", many="center_sums sums")
precision_matrix = quantity(mat33, "1", "precision matrix", one="precision", many="precisions", uniform=True)
bootstrap_mean = quantity(float, "1", "bootstrap means", one="boot", many="boot_means")
bootstrap_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
concordance = quantity(int, "1", "concordances", one="score", many="concordance", low=-3, high=3)
first_size = quantity(float, "1", "size of the first sample", one="n1", low=2.0, high=8.0, uniform=True)
second_mean = quantity(float, "1", "second sample mean", one="mean2", many="other_means")
t_value = quantity(float, "1", "t statistic", one="t", many="t_values")
correlation = quantity(float, "1", "correlation", one="r", many="correlations", low=0.1, high=0.9)
fisher_value = quantity(float, "1", "Fisher transform", one="fz", many="fisher_z")
cubed_deviation = quantity(float, "1", "cubed deviation", one="dev", many="cubed_dev", sums=True, means="total")
normal_score = quantity(vec3, "1", "score", one="score", many="scores")
influence = quantity(float, "1", "influence", one="psi", many="influences psi", means="total zero")


@formula
def standardize(x: observation, mean: reference_mean, std: reference_deviation) -> z_score_value:
    "({x} - {mean}) / {std}"
    return (x - mean) / std


@formula
def robust_score(x: observation, med: sample_median, mad: absolute_deviation) -> z_score_value:
    "0.6745 times the difference of {x} and {med}, divided by {mad}"
    return 0.6745 * (x - med) / mad


@formula
def min_max_scale(x: observation, lo: lower_limit, span: limit_span) -> scaled_value:
    "({x} - {lo}) / {span}, clamped to the range from 0 to 1"
    return wp.clamp((x - lo) / span, 0.0, 1.0)


@formula
def winsorize(x: observation, lo: lower_limit, span: limit_span) -> observation:
    "{x}, clamped to the range from {lo} to {lo} + {span}"
    return wp.clamp(x, lo, lo + span)


@formula
def deviation_cubed(x: observation, mean: reference_mean) -> cubed_deviation:
    "({x} - {mean})^3"
    d = x - mean
    return d * d * d


@formula
def next_mean(mean: reference_mean, x: observation, n: sample_count) -> reference_mean:
    "{mean} + ({x} - {mean}) / ({n} + 1), as {x} joins {n} samples with the mean {mean}"
    return mean + (x - mean) / (n + 1.0)


@formula
def next_variance(
    var: sample_variance, x: observation, mean: reference_mean, n: sample_count,
) -> sample_variance:
    "({n} {var} + {n} / ({n} + 1) ({x} - {mean})^2) / ({n} + 1), as {x} joins {n} samples with the mean {mean} and the variance {var}"
    d = x - mean
    return (n * var + n / (n + 1.0) * d * d) / (n + 1.0)


@formula
def smooth_mean(mean: reference_mean, x: observation, alpha: smoothing_factor) -> reference_mean:
    "the exponential moving average, {alpha} {x} + (1 - {alpha}) {mean}"
    return alpha * x + (1.0 - alpha) * mean


@formula
def smooth_variance(
    var: sample_variance, x: observation, mean: reference_mean, alpha: smoothing_factor,
) -> sample_variance:
    "the exponentially weighted variance, (1 - {alpha}) ({var} + {alpha} ({x} - {mean})^2)"
    d = x - mean
    return (1.0 - alpha) * (var + alpha * d * d)


@formula
def huber_influence(z: z_score_value, k: tuning_constant) -> influence:
    "{z}, clamped to the range from -{k} to {k}"
    return wp.clamp(z, -k, k)


@formula
def cauchy_influence(z: z_score_value, c: tuning_constant) -> influence:
    "{z} / (1 + ({z} / {c})^2)"
    u = z / c
    return z / (1.0 + u * u)


@formula
def pooled_t_statistic(
    mean: reference_mean, var: sample_variance, other_mean: second_mean, n1: first_size,
    n: sample_count,
) -> t_value:
    "the t statistic of two samples of the sizes {n1} and {n} with the common variance {var}: {mean} - {other_mean}, divided by the square root of {var} / {n1} + {var} / {n}"
    return (mean - other_mean) / wp.sqrt(var / n1 + var / n)


@formula
def fisher_transform(r: correlation) -> fisher_value:
    "log((1 + {r}) / (1 - {r})) / 2"
    return 0.5 * wp.log((1.0 + r) / (1.0 - r))


@formula
def score_of_normal(
    x: feature_point, c: uniform.cluster_center, precision: precision_matrix,
) -> normal_score:
    "the gradient of the logarithm of a normal density, {precision} ({c} - {x})"
    return precision * (c - x)


@algorithm(element="row rows")
def row_moments(
    data: data_entry["n,m+2"], means: out.reference_mean["n"], variances: out.sample_variance["n"],
):
    "the mean and the variance of each row of {data}: with the number m of its entries, their sum s and the sum q of their squares, s / m goes to {means} and (q - s^2 / m) / (m - 1) to {variances}"
    row = thread()
    guard(row)
    total = float(0.0)
    squares = float(0.0)
    for k in range(data.shape[1]):
        x = data[row, k]
        total += x
        squares += x * x
    m = float(data.shape[1])
    means[row] = total / m
    variances[row] = (squares - total * total / m) / (m - 1.0)


@algorithm(element="row rows")
def weighted_mean_of_rows(
    data: data_entry["n,m"], weights: robust_weight["m"], means: out.reference_mean["n"],
):
    "the weighted mean of each row of {data}: the sum of its entries times {weights} of their columns, divided by the sum of {weights}"
    row = thread()
    guard(row)
    total = float(0.0)
    norm = float(0.0)
    for k in range(data.shape[1]):
        w = weights[k]
        total += w * data[row, k]
        norm += w
    means[row] = total / norm


@algorithm(dims=2)
def sum_columns(data: data_entry["n,m"], totals: out.column_total["m"]):
    "sums columns: each entry of {data} is added atomically to {totals} of its column"
    i, j = thread()
    guard(i, j)
    wp.atomic_add(totals, j, data[i, j])


@algorithm(dims=2)
def covariance_matrix(
    data: data_entry["k,n"], means: reference_mean["n"], cov: out.covariance["n,n"],
):
    "the covariance of the columns i and j of {data}: the sum over the rows of the products of their differences from {means}, divided by the number of rows; threads beyond the matrix do nothing"
    i, j = thread()
    if i >= cov.shape[0] or j >= cov.shape[1]:
        return
    total = float(0.0)
    for s in range(data.shape[0]):
        total += (data[s, i] - means[i]) * (data[s, j] - means[j])
    cov[i, j] = total / float(data.shape[0])


@algorithm
def accumulate_groups(
    x: observation["n"], groups: group_of_sample["n", "-1:g"], totals: out.group_total["g"],
    sizes: out.group_size["g"],
):
    "sums samples by group: adds {x} of each sample atomically to {totals} of its group and 1 to {sizes} of the group; samples with the group -1 are left out"
    i = thread()
    guard(i)
    group = groups[i]
    if group < 0:
        return
    wp.atomic_add(totals, group, x[i])
    wp.atomic_add(sizes, group, 1)


@algorithm
def center_by_group(
    x: observation["n"], groups: group_of_sample["n", "0:g"], totals: group_total["g"],
    sizes: group_size["g"], centered: out.scaled_value["n"],
):
    "centers samples by group: {x} of each sample minus the mean of its group, which is {totals} / {sizes} of the group, or 0 if the group's size is 0"
    i = thread()
    guard(i)
    group = groups[i]
    size = sizes[group]
    mean = float(0.0)
    if size > 0:
        mean = totals[group] / float(size)
    centered[i] = x[i] - mean


@algorithm(element="row rows")
def fit_lines(
    t: regression_time["m"], data: second_data_entry["n,m"], slopes: out.regression_slope["n"],
    intercepts: out.regression_intercept["n"],
):
    "the least squares line through the points (t, y) of each row i, t being {t}[k] and y being {data}[i, k]: with the number m of points, {slopes} gets (m sum(t y) - sum(t) sum(y)) / (m sum(t^2) - sum(t)^2 + 0.01), and {intercepts} gets (sum(y) - slope sum(t)) / m"
    row = thread()
    guard(row)
    m = float(data.shape[1])
    sum_t = float(0.0)
    sum_y = float(0.0)
    sum_tt = float(0.0)
    sum_ty = float(0.0)
    for k in range(data.shape[1]):
        time = t[k]
        y = data[row, k]
        sum_t += time
        sum_y += y
        sum_tt += time * time
        sum_ty += time * y
    slope = (m * sum_ty - sum_t * sum_y) / (m * sum_tt - sum_t * sum_t + 0.01)
    slopes[row] = slope
    intercepts[row] = (sum_y - slope * sum_t) / m


@algorithm(element="row rows")
def trimmed_mean_of_rows(data: data_entry["n,m+2"], means: out.reference_mean["n"]):
    "the mean of each row of {data} without its smallest and its largest entry"
    row = thread()
    guard(row)
    low = data[row, 0]
    high = data[row, 0]
    total = float(0.0)
    for k in range(data.shape[1]):
        x = data[row, k]
        low = wp.min(low, x)
        high = wp.max(high, x)
        total += x
    means[row] = (total - low - high) / float(data.shape[1] - 2)


@algorithm(element="row rows")
def autocovariance_of_rows(
    data: data_entry["n,m+2"], step: lag["", "1:3"], c: out.autocovariance["n"],
):
    "the autocovariance of each row of {data}, whose mean is taken to be 0: the mean of the products of all pairs of entries that lie {step} columns apart"
    row = thread()
    guard(row)
    last = data.shape[1] - step
    total = float(0.0)
    for k in range(last):
        total += data[row, k] * data[row, k + step]
    c[row] = total / float(last)


@algorithm(element="query queries")
def kernel_density(
    queries: query_value["n"], x: observation["m"], h: bandwidth,
    density: out.density_estimate["n"],
):
    "the Gaussian kernel density estimate at each query q of {queries}: the sum over all observations of exp(-((q - {x}) / {h})^2 / 2), divided by 2.5066283 {h} times their number"
    i = thread()
    guard(i)
    query = queries[i]
    total = float(0.0)
    for k in range(x.shape[0]):
        u = (query - x[k]) / h
        total += wp.exp(-0.5 * u * u)
    density[i] = total / (2.5066283 * h * float(x.shape[0]))


@algorithm(element="query queries")
def empirical_distribution(
    queries: query_value["n"], x: observation["m"], ecdf: out.share_below["n"],
):
    "the empirical distribution function at each of {queries}: the number of entries of {x} that are at most the query, divided by the number of all entries"
    i = thread()
    guard(i)
    query = queries[i]
    below = int(0)
    for k in range(x.shape[0]):
        if x[k] <= query:
            below += 1
    ecdf[i] = float(below) / float(x.shape[0])


@algorithm
def midranks(x: observation, ranks: out.rank_value):
    "the midrank of each sample among all: one plus the number of samples with a smaller {x}, plus half of the number of other samples with an equal one"
    i = thread()
    guard(i)
    own = x[i]
    rank = float(1.0)
    for j in range(count(element)):
        value = x[j]
        if value < own:
            rank += 1.0
        elif value == own and j != i:
            rank += 0.5
    ranks[i] = rank


@algorithm
def moving_average(x: observation, width: window_length, avg: out.moving_mean):
    "a moving average: the mean of {x} over the samples from {width} before to {width} after each sample, as far as they exist"
    i = thread()
    guard(i)
    first = wp.max(i - width, 0)
    last = wp.min(i + width, count(element) - 1)
    total = float(0.0)
    for k in range(first, last + 1):
        total += x[k]
    avg[i] = total / float(last - first + 1)


@algorithm
def assign_clusters(
    points: feature_point["n"], centers: cluster_center["k"], clusters: out.cluster_index["n"],
    score: out.cluster_score["1"],
):
    "the assignment step of k-means: for each point p of {points} the first center c of {centers} with the smallest |c|^2 / 2 - p . c, which is the nearest one, goes to {clusters}; this smallest value is added atomically to {score}[0]"
    i = thread()
    guard(i)
    p = points[i]
    first = centers[0]
    best = 0.5 * wp.length_sq(first) - wp.dot(p, first)
    which = int(0)
    for k in range(1, centers.shape[0]):
        c = centers[k]
        value = 0.5 * wp.length_sq(c) - wp.dot(p, c)
        if value < best:
            best = value
            which = k
    clusters[i] = which
    wp.atomic_add(score, 0, best)


@algorithm
def accumulate_clusters(
    points: feature_point["n"], clusters: cluster_index["n", "0:k"], weights: robust_weight["n"],
    sums: out.cluster_total["k"], norm: out.cluster_weight["k"],
):
    "sums points by cluster: adds each point times its weight atomically to {sums} of its cluster, and the weight to {norm} of the cluster"
    i = thread()
    guard(i)
    cluster = clusters[i]
    w = weights[i]
    wp.atomic_add(sums, cluster, w * points[i])
    wp.atomic_add(norm, cluster, w)


@algorithm(element="row rows")
def skewness_of_rows(data: data_entry["n,4"], skew: out.skewness_value["n"]):
    "the skewness of each row of four entries: c / (q + 0.1)^1.5, where q is the mean of the squares and c that of the cubes of the differences of the entries from their mean"
    row = thread()
    guard(row)
    mean = 0.25 * (data[row, 0] + data[row, 1] + data[row, 2] + data[row, 3])
    q = float(0.1)
    c = float(0.0)
    for k in range(4):
        d = data[row, k] - mean
        q += 0.25 * d * d
        c += 0.25 * d * d * d
    skew[row] = c / (q * wp.sqrt(q))


@algorithm(share=2)
def bootstrap_means(
    x: observation["m"], seed: bootstrap_seed, boot: out.bootstrap_mean["n"],
):
    "bootstrap means: each thread draws as many entries of {x} as there are, with replacement, each by `wp.randi`, and stores their mean"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    total = float(0.0)
    for k in range(x.shape[0]):
        total += x[wp.randi(state, 0, x.shape[0])]
    boot[i] = total / float(x.shape[0])


@algorithm
def concordant_pairs(x: observation["n"], y: second_data_entry["n"], score: out.concordance["n"]):
    "counts for Kendall's tau: for each sample i the number of samples j for which ({x}[i] - {x}[j]) ({y}[i] - {y}[j]) is positive, minus the number of those for which it is negative"
    i = thread()
    guard(i)
    xi = x[i]
    yi = y[i]
    total = int(0)
    for j in range(x.shape[0]):
        product = (xi - x[j]) * (yi - y[j])
        if product > 0.0:
            total += 1
        elif product < 0.0:
            total -= 1
    score[i] = total
