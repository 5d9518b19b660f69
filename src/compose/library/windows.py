# SPDX-License-Identifier: Apache-2.0
"""Images: what a pixel gets from the pixels of a window around it."""

field("image windows", element="pixel pixels", other="pixel pixels", dims=2, apart=True)

intensity = quantity(float, "1", "intensity", one="p value", many="image pixels img", sums=True, means="range goal blend zero")
contrast = quantity(float, "1", "local difference", one="diff lap", many="differences local_diff", sums=True)
weight_sum = quantity(float, "1", "soft rank", one="rank", many="ranks soft_ranks", sums=True, means="row")
gain = quantity(float, "1", "factor of the intensities", one="gain scale", low=0.1, high=1.0, uniform=True)
steepness = quantity(float, "1", "steepness of the comparison", one="k steepness", low=0.5, high=4.0, uniform=True)
sharpening = quantity(float, "1", "sharpening strength", one="amount strength", low=0.1, high=1.0, uniform=True)
exponential_sum = quantity(float, "1", "window sum of exponentials", one="e", many="exponentials exp_sum", low=0.5, high=4.0, sums=True)
bias = quantity(float, "1", "offset of the intensities", one="bias offset", uniform=True)
window_weight = quantity(float, "1", "weight of each pixel of the window", one="w weight", low=0.05, high=0.5, uniform=True)
dark_level = quantity(float, "1", "dark level", one="dark threshold black", low=0.05, high=0.6, uniform=True)
gamma_value = quantity(float, "1", "exponent of the gamma correction", one="gamma", low=0.5, high=2.0, uniform=True)
window_similarity = quantity(float, "1", "similarity", one="w similarity", many="similarities weights", sums=True)
similar_width = quantity(float, "1", "width of the similarity", one="sigma sigma_r", low=0.5, high=2.0, uniform=True)
brighter_count = quantity(int, "1", "number of brighter pixels", one="count brighter", many="ranks brighter", sums=True, means="row")
window_color = quantity(vec3, "1", "color", one="c rgb", many="colors rgb image_rgb", low=0.1, high=1.0)
color_distance = quantity(float, "1", "color contrast", one="d contrast", many="color_contrast color_distances", sums=True)
color_total = quantity(vec3, "1", "weighted color sum", one="total", many="color_sums weighted_colors", sums=True, means="row")
pixel_share = quantity(float, "1", "share", one="p share", many="shares probabilities", low=0.05, high=0.9)
share_entropy = quantity(float, "1", "entropy", one="h entropy", many="entropies local_entropy", sums=True)
view_depth_of_pixel = quantity(float, "m", "depth", one="z depth", many="depths depth_map", low=0.5, high=4.0)
depth_bias = quantity(float, "m", "depth bias", one="bias depth_bias", low=0.01, high=0.2, uniform=True)
occlusion_share = quantity(float, "1", "occlusion", one="occ occlusion", many="occlusion ao", sums=True)
valid_weight = quantity(float, "1", "validity", one="valid", many="validity masks", low=0.0, high=1.0)
third_moment = quantity(float, "1", "third moment", one="m3 skew", many="third_moments", sums=True, means="row")
label_of_pixel = quantity(int, "1", "label", one="label", many="labels segments", low=0, high=3)
border_count = quantity(int, "1", "number of pixels with another label", one="count", many="border_counts edges", sums=True)
height_of_cell = quantity(float, "m", "height", one="h height", many="heights terrain", low=0.1, high=3.0)
downhill_flow = quantity(float, "m", "downhill drop", one="drop", many="drops downhill", sums=True, means="adds zero")
talus_drop = quantity(float, "m", "smallest drop that slides", one="talus", low=0.1, high=0.5, uniform=True)


@formula
def soft_rank(p: intensity, q: other.intensity, k: steepness) -> weight_sum:
    "1 / (1 + exp({k} ({q} - {p})))"
    return 1.0 / (1.0 + wp.exp(k * (q - p)))


@formula
def scaled_neighbor(q: other.intensity, k: window_weight) -> intensity:
    "{k} times {q}"
    return k * q


@formula
def difference_to_neighbor(p: intensity, q: other.intensity) -> contrast:
    "{q} minus {p}"
    return q - p


@formula
def exponential_of_neighbor(q: other.intensity, k: steepness) -> exponential_sum:
    "exp({k} {q})"
    return wp.exp(k * q)


@formula
def soft_maximum(e: exponential_sum, k: steepness) -> intensity:
    "the soft maximum of the window, log({e}) / {k}"
    return wp.log(e) / k


@formula
def soft_difference(p: intensity, q: other.intensity, k: steepness) -> contrast:
    "tanh({k} ({q} - {p}))"
    return wp.tanh(k * (q - p))


@formula
def adjusted(p: intensity, k: gain, b: bias) -> intensity:
    "{k} {p} + {b}"
    return k * p + b


@formula
def tone_mapped(p: intensity) -> intensity:
    "a / (1 + a), where a is {p}, but at least 0"
    a = wp.max(p, 0.0)
    return a / (1.0 + a)


@formula
def gamma_corrected(p: intensity, gamma: gamma_value) -> intensity:
    "{p}, but at least 0.01, to the power {gamma}"
    return wp.pow(wp.max(p, 0.01), gamma)


@formula
def without_dark_level(p: intensity, t: dark_level) -> intensity:
    "{p} minus {t}, or zero if that is negative"
    return wp.max(p - t, 0.0)


@formula
def sharpened(p: intensity, c: contrast, amount: sharpening) -> intensity:
    "{p} minus {amount} times {c}, which makes edges stronger"
    return p - amount * c


@formula
def similarity_of(p: intensity, q: other.intensity, sigma: similar_width) -> window_similarity:
    "exp(-(({q} - {p}) / {sigma})^2)"
    d = (q - p) / sigma
    return wp.exp(-d * d)


@formula
def is_brighter(p: intensity, q: other.intensity) -> brighter_count:
    "1 if {q} is above {p}, else 0"
    return wp.where(q > p, 1, 0)


@formula
def color_distance_of(c: window_color, d: other.window_color) -> color_distance:
    "the length of {d} - {c}"
    return wp.length(d - c)


@formula
def validated_color(c: other.window_color, w: other.valid_weight) -> color_total:
    "{c} times {w}"
    return w * c


@formula
def entropy_share(p: other.pixel_share) -> share_entropy:
    "-{p} log {p}"
    return -p * wp.log(p)


@formula
def occlusion_by(z: view_depth_of_pixel, y: other.view_depth_of_pixel, bias: depth_bias) -> occlusion_share:
    "1 / (1 + s^2) with s = ({z} - {y}) / {bias} if {y} is less than {z} - {bias}, else 0"
    if y >= z - bias:
        return 0.0
    s = (z - y) / bias
    return 1.0 / (1.0 + s * s)


@formula
def cubed_difference(p: intensity, q: other.intensity) -> third_moment:
    "the cube of {q} - {p}"
    d = q - p
    return d * d * d


@formula
def is_labeled_otherwise(a: label_of_pixel, b: other.label_of_pixel) -> border_count:
    "1 if {b} is another label than {a}, else 0"
    return wp.where(a == b, 0, 1)


@formula
def sliding_drop(h: height_of_cell, g: other.height_of_cell, talus: talus_drop) -> downhill_flow:
    "{h} - {g} - {talus}, or 0 if that is negative"
    return wp.max(h - g - talus, 0.0)


@formula
def compared_color(c: window_color, d: other.window_color, sigma: similar_width) -> color_total:
    "{d} times exp(-|{d} - {c}|^2 / {sigma}^2)"
    e = d - c
    return wp.exp(-wp.dot(e, e) / (sigma * sigma)) * d
