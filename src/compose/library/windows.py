# SPDX-License-Identifier: Apache-2.0
"""Images: what a pixel gets from the pixels of a window around it."""

field("image windows", element="pixel pixels", other="pixel pixels", dims=2, apart=True, share=2)

intensity = quantity(float, "1", "intensity", one="p value", many="image img", sums=True, means="range goal blend zero")
window_filtered = quantity(float, "1", "filtered intensity", one="filtered f", many="filtered filtered_image", sums=True, means="range goal blend zero")
soft_maximum_value = quantity(float, "1", "soft maximum", one="top peak", many="soft_max maxima", means="range goal blend zero")
contrast = quantity(float, "1", "local difference", one="diff", many="differences local_diff", sums=True)
weight_sum = quantity(float, "1", "soft rank", one="rank", many="ranks soft_ranks", sums=True, means="row")
gain = quantity(float, "1", "intensity factor", one="gain scale", low=0.1, high=1.0, uniform=True)
steepness = quantity(float, "1", "steepness", one="k steepness", low=0.5, high=4.0, uniform=True)
sharpening = quantity(float, "1", "sharpening strength", one="amount strength", low=0.1, high=1.0, uniform=True)
exponential_sum = quantity(float, "1", "window sum of exponentials", one="e", many="exponentials exp_sum", low=0.5, high=4.0, sums=True)
bias = quantity(float, "1", "intensity offset", one="bias offset", uniform=True)
window_weight = quantity(float, "1", "weight of each pixel of the window", one="weight window_weight", low=0.02, high=0.12, uniform=True)
dark_level = quantity(float, "1", "dark level", one="dark_level black", low=0.05, high=0.6, uniform=True)
gamma_value = quantity(float, "1", "exponent of the gamma correction", one="gamma", low=0.5, high=2.0, uniform=True)
window_similarity = quantity(float, "1", "similarity to its surroundings", one="similarity", many="similarities", sums=True)
similar_width = quantity(float, "1", "width of the similarity", one="sigma sigma_r", low=0.5, high=2.0, uniform=True)
window_color = quantity(vec3, "1", "color", one="c rgb", many="colors rgb image_rgb", low=0.1, high=1.0)
color_distance = quantity(float, "1", "color contrast", one="contrast", many="color_contrast contrasts", sums=True)
filtered_color = quantity(vec3, "1", "filtered color", one="color", many="filtered filtered_colors")
pixel_share = quantity(float, "1", "probability", one="p prob", many="probabilities probs", low=0.05, high=0.9)
share_entropy = quantity(float, "1", "entropy", one="h entropy", many="entropies local_entropy", sums=True)
view_depth_of_pixel = quantity(float, "m", "depth", one="z depth", many="depths depth_map", low=0.5, high=4.0)
depth_bias = quantity(float, "m", "depth bias", one="bias depth_bias", low=0.01, high=0.2, uniform=True)
occlusion_share = quantity(float, "1", "occlusion", one="occ occlusion", many="occlusion ao", sums=True)
valid_weight = quantity(float, "1", "validity", one="valid", many="validity confidences", low=0.1, high=1.0)
third_moment = quantity(float, "1", "third central moment", one="moment m3", many="third_moments")
label_of_pixel = quantity(int, "1", "label", one="label", many="labels", low=0, high=3)
border_count = quantity(int, "1", "number of neighbors with another label", one="count", many="border_counts foreign_neighbors")
height_of_cell = quantity(float, "m", "height", one="h height", many="heights terrain", low=0.1, high=3.0)
downhill_flow = quantity(float, "m", "downhill drop", one="drop", many="drops downhill", sums=True, means="adds zero")
talus_drop = quantity(float, "m", "smallest drop that slides", one="talus", low=0.1, high=0.5, uniform=True)


@formula
def soft_rank(p: intensity, q: other.intensity, k: steepness) -> weight_sum:
    "1 / (1 + exp({k} ({q} - {p})))"
    return 1.0 / (1.0 + wp.exp(k * (q - p)))


@formula
def window_filter(q: other.intensity, k: window_weight) -> window_filtered:
    "{k} times {q}"
    return k * q


@formula
def difference_to_neighbor(p: intensity, q: other.intensity) -> contrast:
    "{q} - {p}"
    return q - p


@formula
def neighbor_exponential(q: other.intensity, k: steepness) -> exponential_sum:
    "exp({k} {q})"
    return wp.exp(k * q)


@formula
def soft_maximum(e: exponential_sum, k: steepness) -> soft_maximum_value:
    "the soft maximum of the window, log({e}) / {k}"
    return wp.log(e) / k


@formula
def soft_difference(p: intensity, q: other.intensity, k: steepness) -> contrast:
    "tanh({k} ({q} - {p}))"
    return wp.tanh(k * (q - p))


@formula
def adjust_intensity(p: intensity, k: gain, b: bias) -> intensity:
    "{k} {p} + {b}"
    return k * p + b


@formula
def tone_map(p: intensity) -> intensity:
    "a / (1 + a), where a is {p}, but at least 0"
    a = wp.max(p, 0.0)
    return a / (1.0 + a)


@formula
def correct_gamma(p: intensity, gamma: gamma_value) -> intensity:
    "{p}, but at least 0.01, to the power {gamma}"
    return wp.pow(wp.max(p, 0.01), gamma)


@formula
def subtract_dark_level(p: intensity, t: dark_level) -> intensity:
    "{p} minus {t}, or zero if that is negative"
    return wp.max(p - t, 0.0)


@formula
def sharpen(p: intensity, c: contrast, amount: sharpening) -> intensity:
    "{p} minus {amount} times {c}"
    return p - amount * c


@formula
def similarity_of(p: intensity, q: other.intensity, sigma: similar_width) -> window_similarity:
    "exp(-(({q} - {p}) / {sigma})^2)"
    d = (q - p) / sigma
    return wp.exp(-d * d)


@formula
def color_distance_of(c: window_color, c_j: other.window_color) -> color_distance:
    "the length of {c_j} - {c}"
    return wp.length(c_j - c)


@formula
def entropy_share(p: other.pixel_share) -> share_entropy:
    "minus {p} times the natural logarithm of {p}, or 0 if {p} is 0"
    if p <= 0.0:
        return 0.0
    return -p * wp.log(p)


@formula
def occlusion_by(z: view_depth_of_pixel, z_j: other.view_depth_of_pixel, bias: depth_bias) -> occlusion_share:
    "0 if {z_j} is at least {z} - {bias}, else 1 / (1 + s^2), where s is {z} - {z_j} in units of {bias}"
    if z_j >= z - bias:
        return 0.0
    gap = (z - z_j) / bias
    return 1.0 / (1.0 + gap * gap)


@formula
def sliding_drop(h: height_of_cell, h_j: other.height_of_cell, talus: talus_drop) -> downhill_flow:
    "{h} - {h_j} - {talus}, but at least 0"
    return wp.max(h - h_j - talus, 0.0)


@algorithm
def third_moment_of_window(p: intensity, result: out.third_moment):
    "the third central moment of the 3 x 3 window around each pixel, with rows and columns clamped to the image: the mean over its nine places of (q - m)^3, where q is the pixel there and m the mean of the nine pixels"
    i, j = thread()
    guard(i, j)
    total = float(0.0)
    for di in range(-1, 2):
        for dj in range(-1, 2):
            y = wp.clamp(i + di, 0, count(element, 0) - 1)
            x = wp.clamp(j + dj, 0, count(element, 1) - 1)
            total += p[y, x]
    mean = total / 9.0
    cubes = float(0.0)
    for di in range(-1, 2):
        for dj in range(-1, 2):
            y = wp.clamp(i + di, 0, count(element, 0) - 1)
            x = wp.clamp(j + dj, 0, count(element, 1) - 1)
            d = p[y, x] - mean
            cubes += d * d * d
    result[i, j] = cubes / 9.0


@algorithm
def mean_of_valid_colors(c: window_color, valid: valid_weight, result: out.filtered_color):
    "the mean of {c} over the 3 x 3 window around each pixel, weighted by {valid}, with rows and columns clamped to the image"
    i, j = thread()
    guard(i, j)
    total = wp.vec3(0.0, 0.0, 0.0)
    norm = float(0.0)
    for di in range(-1, 2):
        for dj in range(-1, 2):
            y = wp.clamp(i + di, 0, count(element, 0) - 1)
            x = wp.clamp(j + dj, 0, count(element, 1) - 1)
            w = valid[y, x]
            total += w * c[y, x]
            norm += w
    result[i, j] = total / norm


@algorithm
def bilateral_color_filter(c: window_color, sigma: similar_width, result: out.filtered_color):
    "applies a bilateral filter to colors: the mean of {c} over the 3 x 3 window around each pixel, each color weighted by exp(-(d / {sigma})^2), where d is the length of its difference from the color in the middle; rows and columns are clamped to the image"
    i, j = thread()
    guard(i, j)
    middle = c[i, j]
    total = wp.vec3(0.0, 0.0, 0.0)
    norm = float(0.0)
    for di in range(-1, 2):
        for dj in range(-1, 2):
            y = wp.clamp(i + di, 0, count(element, 0) - 1)
            x = wp.clamp(j + dj, 0, count(element, 1) - 1)
            d = c[y, x] - middle
            w = wp.exp(-wp.dot(d, d) / (sigma * sigma))
            total += w * c[y, x]
            norm += w
    result[i, j] = total / norm


@algorithm(share=2)
def count_foreign_neighbors(labels: label_of_pixel, counts: out.border_count):
    "counts for each pixel those of its eight neighbors in the image whose entry of {labels} differs from its own"
    i, j = thread()
    guard(i, j)
    own = labels[i, j]
    n = int(0)
    for y in range(wp.max(i - 1, 0), wp.min(i + 2, count(element, 0))):
        for x in range(wp.max(j - 1, 0), wp.min(j + 2, count(element, 1))):
            if labels[y, x] != own:
                n += 1
    counts[i, j] = n
