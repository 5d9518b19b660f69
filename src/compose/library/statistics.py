# SPDX-License-Identifier: Apache-2.0
"""Statistics: moments, scores, regression, ranks, clusters."""

field("statistics", element="sample samples", other="cluster clusters", link="pair pairs",
      group="cluster clusters", apart=True, share=2)

observation = quantity(float, "1", "observation", one="x", many="x observations", means="range")
known_mean = quantity(float, "1", "mean", one="mean mu", uniform=True, varies=True)
reference_mean = quantity(float, "1", "means", one="mean", many="means")
winsorized_value = quantity(float, "1", "winsorized observation", one="clipped", many="winsorized")
running_average = quantity(float, "1", "running means", one="mean", many="means running_means")
running_spread = quantity(float, "1", "running variances", one="var", many="variances running_vars", low=0.1, high=2.0)
joined_count = quantity(int, "1", "numbers of samples so far", one="count", many="counts num_seen", low=1, high=6)
new_sample = quantity(float, "1", "new samples", one="x", many="samples new_samples")
known_deviation = quantity(float, "1", "standard deviation", one="std sigma", low=0.25, high=2.0, uniform=True, varies=True)
z_score = quantity(float, "1", "z-score", one="z", many="z_scores", means="range")
sample_median = quantity(float, "1", "median", one="median", uniform=True, varies=True)
absolute_deviation = quantity(float, "1", "median absolute deviation", one="mad", low=0.25, high=2.0, uniform=True, varies=True)
sample_variance = quantity(float, "1", "variances", one="var", many="variances", low=0.1, high=2.0)
pooled_variance = quantity(float, "1", "pooled variances", one="var", many="pooled_vars", low=0.1, high=2.0)
first_mean = quantity(float, "1", "means of the first samples", one="mean1", many="first_means")
lower_limit = quantity(float, "1", "lower limit", one="lo lower", low=-2.0, high=0.0, uniform=True)
limit_span = quantity(float, "1", "span of the limits", one="span", low=0.5, high=2.0, uniform=True)
tuning_constant = quantity(float, "1", "tuning constant", one="k tuning c", low=0.5, high=2.0, uniform=True)
smoothing_factor = quantity(float, "1", "smoothing factor", one="alpha smoothing", low=0.1, high=0.9, uniform=True)
scaled_value = quantity(float, "1", "scaled observation", one="scaled", many="scaled")
centered_value = quantity(float, "1", "centered observation", one="centered", many="centered")
data_entry = quantity(float, "1", "data", one="x", many="data")
second_data_entry = quantity(float, "1", "second variable", one="y", many="y")
series_value = quantity(float, "1", "measured values, a series in each row", one="y", many="series y")
column_total = quantity(float, "1", "sums of the columns", one="total", many="totals column_sums")
covariance = quantity(float, "1", "covariance matrix", one="cov", many="cov covariance")
group_of_sample = quantity(int, "1", "groups of the samples", one="group", many="groups group_ids", low=0, high=4)
group_total = quantity(float, "1", "sums of the groups", one="total", many="group_sums totals")
group_size = quantity(int, "1", "sizes of the groups", one="size", many="group_counts sizes", low=0, high=4)
regression_time = quantity(float, "s", "times of the observations", one="t", many="times t")
regression_slope = quantity(float, "1/s", "slopes of the lines", one="slope", many="slopes")
regression_intercept = quantity(float, "1", "intercepts of the lines", one="intercept", many="intercepts")
skewness_value = quantity(float, "1", "skewnesses", one="skew", many="skewness")
autocovariance = quantity(float, "1", "autocovariances", one="c", many="autocov")
lag = quantity(int, "1", "lag in columns", one="lag", low=1, high=2, uniform=True)
query_value = quantity(float, "1", "queries", one="q", many="queries")
density_estimate = quantity(float, "1", "density estimates", one="density", many="density kde")
bandwidth = quantity(float, "1", "bandwidth", one="h bandwidth", low=0.25, high=1.0, uniform=True)
rank_value = quantity(float, "1", "rank", one="rank", many="ranks")
share_below = quantity(float, "1", "shares of the observations", one="share", many="ecdf shares")
moving_mean = quantity(float, "1", "moving average", one="avg", many="smoothed moving_avg", means="goal")
window_length = quantity(int, "1", "half width of the window", one="half_width radius", low=1, high=3, uniform=True)
feature_point = quantity(vec3, "1", "feature point", one="p", many="points features")
cluster_center = quantity(vec3, "1", "cluster center", one="c center", many="centers centroids")
cluster_index = quantity(int, "1", "clusters of the points", one="cluster", many="clusters assignments", low=0, high=3)
cluster_score = quantity(float, "1", "score of the clustering", one="score", many="score")
cluster_weight = quantity(float, "1", "weights of the clusters", one="norm", many="cluster_weights")
cluster_total = quantity(vec3, "1", "weighted sums of the points", one="total", many="point_sums")
point_weight = quantity(float, "1", "weights of the points", one="w", many="weights", low=0.1, high=1.0)
column_weight = quantity(float, "1", "weights of the columns", one="w", many="weights", low=0.1, high=1.0)
moment_group = quantity(int, "1", "groups of the samples", one="group", many="groups group_ids", low=0, high=4)
squared_total = quantity(float, "1", "sums of the squared deviations", one="total", many="squared_sums")
cubed_total = quantity(float, "1", "sums of the cubed deviations", one="total", many="cubed_sums")
outlier_count = quantity(int, "1", "number of outliers", one="n", many="num_outliers outlier_counts", low=0, high=3)
outlier_flag = quantity(int, "1", "outlier flags", one="flag", many="is_outlier outlier_flags", low=0, high=1)
precision_matrix = quantity(mat33, "1", "precision matrix", one="precision", many="precisions", uniform=True)
bootstrap_mean = quantity(float, "1", "bootstrap means", one="boot", many="boot_means")
bootstrap_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
concordance = quantity(int, "1", "concordance scores", one="score", many="concordance", low=-3, high=3)
first_size = quantity(int, "1", "sizes of the first samples", one="n1", many="first_sizes", low=2, high=8)
second_size = quantity(int, "1", "sizes of the second samples", one="n2", many="second_sizes", low=2, high=8)
second_mean = quantity(float, "1", "means of the second samples", one="mean2", many="second_means")
t_value = quantity(float, "1", "t statistics", one="t", many="t_values")
correlation = quantity(float, "1", "correlations", one="r", many="correlations", low=0.1, high=0.9)
correlation_low = quantity(float, "1", "lower ends of the confidence intervals", one="low", many="lower_ends")
correlation_high = quantity(float, "1", "upper ends of the confidence intervals", one="high", many="upper_ends")
pairs_measured = quantity(int, "1", "numbers of pairs", one="n", many="num_pairs", low=5, high=12)
confidence_factor = quantity(float, "1", "quantile of the normal distribution", one="quantile", low=1.0, high=2.5, uniform=True)
normal_score = quantity(vec3, "1", "score vector", one="score", many="scores")
influence = quantity(float, "1", "influence", one="psi", many="influences", means="total zero")
second_sample_value = quantity(float, "1", "observations of the second sample", one="y", many="y second_x")
first_sample_value = quantity(float, "1", "observations of the first sample", one="x", many="x first_x")
resampled_difference = quantity(float, "1", "resampled differences of the means", one="diff", many="boot_diffs")
paired_difference = quantity(float, "1", "paired differences", one="d", many="paired_diffs")
observed_mean = quantity(float, "1", "magnitude of the observed mean", one="observed", low=0.1, high=0.6, uniform=True, varies=True)
extreme_count = quantity(int, "1", "number of extreme resamples", one="extreme", many="num_extreme", low=0, high=2)
flipped_mean = quantity(float, "1", "means with random signs", one="mean", many="flipped_means")
projected_value = quantity(float, "1", "projected data", one="y", many="projected")
reservoir_item = quantity(float, "1", "picked entries", one="picked", many="picked")
stratified_value = quantity(float, "1", "stratified samples", one="x", many="samples")
range_low = quantity(float, "1", "lower end of the range", one="low", low=-2.0, high=0.0, uniform=True)
range_span = quantity(float, "1", "width of the range", one="span", low=0.5, high=3.0, uniform=True)


@formula
def standardize(x: observation, mean: known_mean, std: known_deviation) -> z_score:
    "({x} - {mean}) / {std}"
    return (x - mean) / std


@formula
def robust_score(x: observation, med: sample_median, mad: absolute_deviation) -> z_score:
    "0.6745 ({x} - {med}) / {mad}"
    return 0.6745 * (x - med) / mad


@formula
def min_max_scale(x: observation, lo: lower_limit, span: limit_span) -> scaled_value:
    "({x} - {lo}) / {span}, clamped to the range from 0 to 1"
    return wp.clamp((x - lo) / span, 0.0, 1.0)


@formula
def winsorize(x: observation, lo: lower_limit, span: limit_span) -> winsorized_value:
    "{x}, clamped to the range from {lo} to {lo} + {span}"
    return wp.clamp(x, lo, lo + span)


@formula
def standardize_winsorized(x: winsorized_value, mean: known_mean, std: known_deviation) -> z_score:
    "({x} - {mean}) / {std}"
    return (x - mean) / std


@formula
def huber_influence(z: z_score, k: tuning_constant) -> influence:
    "{z}, clamped to the range from -{k} to {k}"
    return wp.clamp(z, -k, k)


@formula
def cauchy_influence(z: z_score, c: tuning_constant) -> influence:
    "{z} / (1 + ({z} / {c})^2)"
    u = z / c
    return z / (1.0 + u * u)


@formula
def score_of_normal(
    x: feature_point, c: uniform.cluster_center, precision: precision_matrix,
) -> normal_score:
    "the gradient of the logarithm of a normal density, {precision} times the difference of {c} and {x}"
    return precision * (c - x)


@algorithm(element="row rows")
def row_moments(
    data: data_entry["n,8"], means: out.reference_mean["n"], variances: out.sample_variance["n"],
):
    "the mean and the variance of the eight entries in each row of {data}: with their sum s and the sum q of their squares, s / 8 goes to {means} and (q - s^2 / 8) / 7 to {variances}"
    row = thread()
    guard(row)
    total = float(0.0)
    squares = float(0.0)
    for k in range(8):
        x = data[row, k]
        total += x
        squares += x * x
    means[row] = total / 8.0
    variances[row] = (squares - total * total / 8.0) / 7.0


@algorithm(element="row rows")
def weighted_mean_of_rows(
    data: data_entry["n,m"], weights: column_weight["m"], means: out.reference_mean["n"],
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
    "the sums of the columns of {data}: each entry is added atomically to the entry of {totals} for its column"
    i, j = thread()
    guard(i, j)
    wp.atomic_add(totals, j, data[i, j])


@algorithm(element="variable variables")
def covariance_matrix(
    data: data_entry["k,n"], means: reference_mean["n"], cov: out.covariance["n,n"],
):
    "the covariance matrix of the columns of {data}: thread i computes its row i, and the entry in column j is the sum over the rows of {data} of the products of the entries in the columns i and j, each minus {means} of its column, divided by the number of rows"
    i = thread()
    guard(i)
    for j in range(cov.shape[1]):
        total = float(0.0)
        for s in range(data.shape[0]):
            total += (data[s, i] - means[i]) * (data[s, j] - means[j])
        cov[i, j] = total / float(data.shape[0])


@algorithm(element="channel channels")
def join_sample(
    x: new_sample["n"], mean: running_average["n"], var: running_spread["n"],
    count_before: joined_count["n", "1:7"], mean_out: out.running_average["n"],
    var_out: out.running_spread["n"],
):
    "makes a step of Welford's method, in which a new sample {x} of each channel joins the n = {count_before} samples that it has, whose mean is {mean} and whose variance is {var}: with d = {x} - {mean}, {mean_out} gets {mean} + d / (n + 1), and {var_out} gets (n {var} + n / (n + 1) d^2) / (n + 1)"
    i = thread()
    guard(i)
    n = float(count_before[i])
    old = mean[i]
    d = x[i] - old
    mean_out[i] = old + d / (n + 1.0)
    var_out[i] = (n * var[i] + n / (n + 1.0) * d * d) / (n + 1.0)


@algorithm(element="channel channels")
def smooth_moments(
    x: new_sample["n"], mean: running_average["n"], var: running_spread["n"],
    alpha: smoothing_factor, mean_out: out.running_average["n"], var_out: out.running_spread["n"],
):
    "updates exponentially weighted moments: with d = {x} - {mean} of each channel, {mean_out} gets {mean} + {alpha} d, and {var_out} gets (1 - {alpha}) ({var} + {alpha} d^2)"
    i = thread()
    guard(i)
    old = mean[i]
    d = x[i] - old
    mean_out[i] = old + alpha * d
    var_out[i] = (1.0 - alpha) * (var[i] + alpha * d * d)


@algorithm(element="test tests")
def pooled_t_statistics(
    mean1: first_mean["n"], mean2: second_mean["n"], var: pooled_variance["n"],
    n1: first_size["n", "2:9"], n2: second_size["n", "2:9"], t: out.t_value["n"],
):
    "the t statistic of each test of two samples with the same variance: ({mean1} - {mean2}) / sqrt({var} / {n1} + {var} / {n2})"
    i = thread()
    guard(i)
    v = var[i]
    t[i] = (mean1[i] - mean2[i]) / wp.sqrt(v / float(n1[i]) + v / float(n2[i]))


@algorithm(element="correlation correlations")
def correlation_intervals(
    r: correlation["n"], pairs: pairs_measured["n", "5:13"], quantile: confidence_factor,
    low: out.correlation_low["n"], high: out.correlation_high["n"],
):
    "the confidence interval of each correlation by Fisher's transform: with z = log((1 + {r}) / (1 - {r})) / 2 and the half width h = {quantile} / sqrt({pairs} - 3), {low} gets tanh(z - h) and {high} gets tanh(z + h)"
    i = thread()
    guard(i)
    c = r[i]
    z = 0.5 * wp.log((1.0 + c) / (1.0 - c))
    h = quantile / wp.sqrt(float(pairs[i]) - 3.0)
    low[i] = wp.tanh(z - h)
    high[i] = wp.tanh(z + h)


@algorithm
def moments_by_group(
    x: observation["n"], groups: moment_group["n", "-1:g"], means: reference_mean["g"],
    squared: out.squared_total["g"], cubed: out.cubed_total["g"],
):
    "adds up what the variance and the skewness of groups need: with d, {x} of each sample minus the entry of {means} for its group, d^2 is added atomically to the group's entry of {squared} and d^3 to its entry of {cubed}; samples with a negative group are left out"
    i = thread()
    guard(i)
    group = groups[i]
    if group < 0:
        return
    d = x[i] - means[group]
    wp.atomic_add(squared, group, d * d)
    wp.atomic_add(cubed, group, d * d * d)


@algorithm
def mark_outliers(
    x: observation["n"], med: sample_median, mad: absolute_deviation, k: tuning_constant,
    flags: out.outlier_flag["n"], total: out.outlier_count["1"],
):
    "marks outliers: {flags} gets 1 for each sample whose {x} differs from {med} by more than {k} {mad}, and 0 for all others; for each outlier 1 is added atomically to {total}[0]"
    i = thread()
    guard(i)
    if wp.abs(x[i] - med) <= k * mad:
        flags[i] = 0
        return
    flags[i] = 1
    wp.atomic_add(total, 0, 1)


@algorithm
def accumulate_groups(
    x: observation["n"], groups: group_of_sample["n", "-1:g"], totals: out.group_total["g"],
    sizes: out.group_size["g"],
):
    "sums samples by group: {x} of each sample is added atomically to the entry of {totals} for its group, and 1 to the entry of {sizes} for it; samples with the group -1 are left out"
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
    sizes: group_size["g"], centered: out.centered_value["n"],
):
    "centers samples by group: {x} of each sample minus the mean of its group, which is the group's entry of {totals} divided by its entry of {sizes}, or 0 if that size is 0"
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
    t: regression_time["m"], data: series_value["n,m"], slopes: out.regression_slope["n"],
    intercepts: out.regression_intercept["n"],
):
    "the least squares line through the points (t, y) of each row i, with t = `{t}[k]` and y = `{data}[i, k]` for all k: with the number p of points, {slopes} gets (p sum(t y) - sum(t) sum(y)) / (p sum(t^2) - sum(t)^2 + 0.01), and {intercepts} gets (sum(y) - slope sum(t)) / p"
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
    "the autocovariance of each row of {data}, whose mean is taken to be 0: the mean of the products of all pairs of its entries that lie {step} columns apart"
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
    "a Gaussian kernel density estimate at each query q in {queries}: the sum over all {x} of exp(-((q - {x}) / {h})^2 / 2), divided by sqrt(2 pi) * {h} times their number, where sqrt(2 pi) is 2.5066283"
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
    "the empirical distribution function at each entry of {queries}: the number of entries of {x} that are not above it, divided by the number of all entries of {x}"
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
    "the midrank of each sample: 1 plus the number of smaller ones among all entries of {x}, plus half of the number of others that are equal to its own"
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
    "a moving average: the mean of the entries of {x} from {width} places before to {width} places after each sample, as far as {x} has them"
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
    "makes the assignment step of k-means: for each point p in {points} the index of the center c in {centers} with the smallest |c|^2 / 2 - p . c, which is the nearest one, goes to {clusters}, the first one if several are equal; this smallest value is added atomically to {score}[0]"
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
    points: feature_point["n"], clusters: cluster_index["n", "0:k"], weights: point_weight["n"],
    sums: out.cluster_total["k"], norm: out.cluster_weight["k"],
):
    "sums points by cluster: each point times its weight is added atomically to the entry of {sums} for its cluster, and the weight to the entry of {norm} for it"
    i = thread()
    guard(i)
    cluster = clusters[i]
    w = weights[i]
    wp.atomic_add(sums, cluster, w * points[i])
    wp.atomic_add(norm, cluster, w)


@algorithm(element="row rows")
def skewness_of_rows(data: data_entry["n,4"], skew: out.skewness_value["n"]):
    "the skewness of each row of {data}, which has four columns: c / (q + 0.1)^1.5, where q is the mean of the squares and c that of the cubes of the differences of the entries from the mean of the row"
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


@algorithm(share=2, element="resample resamples")
def bootstrap_means(
    x: observation["m"], seed: bootstrap_seed, boot: out.bootstrap_mean["n"],
):
    "draws bootstrap means: each thread draws as many entries of {x} as it has, with replacement, each at an index drawn by `wp.randi`, and their mean goes to {boot}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    total = float(0.0)
    for k in range(x.shape[0]):
        total += x[wp.randi(state, 0, x.shape[0])]
    boot[i] = total / float(x.shape[0])


@algorithm
def concordant_pairs(x: observation["n"], y: second_data_entry["n"], score: out.concordance["n"]):
    "computes the counts for Kendall's tau: for each sample i the number of samples j for which (`{x}[i]` - `{x}[j]`) (`{y}[i]` - `{y}[j]`) is positive, minus the number of those for which it is negative"
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


@algorithm(share=2, element="resample resamples")
def bootstrap_differences(
    x: first_sample_value["m"], y: second_sample_value["k"], seed: bootstrap_seed,
    diffs: out.resampled_difference["n"],
):
    "draws bootstrap differences of two means: each thread draws as many entries of {x} as it has, then as many of {y} as that has, with replacement, each at an index drawn by `wp.randi`, and the mean of the first ones minus the mean of the second ones goes to {diffs}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    first = float(0.0)
    for k in range(x.shape[0]):
        first += x[wp.randi(state, 0, x.shape[0])] / float(x.shape[0])
    second = float(0.0)
    for k in range(y.shape[0]):
        second += y[wp.randi(state, 0, y.shape[0])] / float(y.shape[0])
    diffs[i] = first - second


@algorithm(element="resample resamples")
def sign_flip_test(
    d: paired_difference["6"], observed: observed_mean, seed: bootstrap_seed,
    means: out.flipped_mean["n"], extreme: out.extreme_count["1"],
):
    "makes a sign flip test of six paired differences: each thread adds up the entries of {d}, each with a minus sign if a random number from 0 to 1 is below 0.5, stores the sum divided by 6 in {means}, and adds 1 atomically to {extreme}[0] if its magnitude is at least {observed}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    total = float(0.0)
    for k in range(6):
        if wp.randf(state) < 0.5:
            total -= d[k]
        else:
            total += d[k]
    mean = total / 6.0
    means[i] = mean
    if wp.abs(mean) >= observed:
        wp.atomic_add(extreme, 0, 1)


@algorithm(share=2, element="row rows")
def pick_from_rows(data: data_entry["n,m+2"], seed: bootstrap_seed, picked: out.reservoir_item["n"]):
    "picks one entry of each row of {data} by reservoir sampling, all equally likely: the first entry is kept at first, and from left to right the entry in column k takes its place if `wp.randi` draws 0 from 0 to k"
    row = thread()
    guard(row)
    state = wp.rand_init(seed, row)
    kept = int(0)
    for k in range(1, data.shape[1]):
        if wp.randi(state, 0, k + 1) == 0:
            kept = k
    picked[row] = data[row, kept]


@algorithm
def stratified_samples(
    low: range_low, span: range_span, seed: bootstrap_seed, samples: out.stratified_value["n"],
):
    "draws stratified samples of a range: {samples} gets in entry i the number {low} + {span} (i + u) / p, where u is a random number from 0 to 1 and p the length of {samples}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    samples[i] = low + span * (float(i) + wp.randf(state)) / float(samples.shape[0])


@algorithm(dims=2)
def random_projection(
    data: data_entry["n,k"], seed: bootstrap_seed, projected: out.projected_value["n,m"],
):
    "a random projection of the rows of {data} to as many columns as {projected} has: entry i, j is the sum over k of `{data}[i, k]` times the sign of r - 0.5, where r is a random number from 0 to 1 that is drawn from a state of its own for each pair of k and j"
    i, j = thread()
    total = float(0.0)
    for k in range(data.shape[1]):
        state = wp.rand_init(seed, k * projected.shape[1] + j)
        total += wp.sign(wp.randf(state) - 0.5) * data[i, k]
    projected[i, j] = total
