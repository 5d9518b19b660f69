# SPDX-License-Identifier: Apache-2.0
"""Images: what a pixel gets from the pixels of a window around it."""

field("image windows", element="pixel pixels", other="pixel pixels", dims=2, apart=True)

intensity = quantity(float, "1", "intensity", one="p value", many="image pixels img", sums=True)
contrast = quantity(float, "1", "local difference", one="diff lap", many="differences local_diff", sums=True)
weight_sum = quantity(float, "1", "soft rank", one="rank", many="ranks soft_ranks", sums=True)
gain = quantity(float, "1", "factor of the intensities", one="gain scale", low=0.1, high=1.0, uniform=True)
steepness = quantity(float, "1", "steepness of the comparison", one="k steepness", low=0.5, high=4.0, uniform=True)
sharpening = quantity(float, "1", "sharpening strength", one="amount strength", low=0.1, high=1.0, uniform=True)
exponential_sum = quantity(float, "1", "window sum of exponentials", one="e", many="exponentials exp_sum", low=0.5, high=4.0, sums=True)
bias = quantity(float, "1", "offset of the intensities", one="bias offset", uniform=True)
window_weight = quantity(float, "1", "weight of each pixel of the window", one="w weight", low=0.05, high=0.5, uniform=True)
dark_level = quantity(float, "1", "dark level", one="dark threshold black", low=0.05, high=0.6, uniform=True)
gamma_value = quantity(float, "1", "exponent of the gamma correction", one="gamma", low=0.5, high=2.0, uniform=True)


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
