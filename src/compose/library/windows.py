# SPDX-License-Identifier: Apache-2.0
"""Images: what a pixel gets from the pixels of a window around it."""

field("image windows", element="pixel pixels", other="pixel pixels", dims=2)

intensity = quantity(float, "1", "intensity", one="p value", many="image pixels img", sums=True)
guide = quantity(float, "1", "guide value", one="g guide", many="guide guides")
contrast = quantity(float, "1", "contrast", one="c contrast", many="contrast", sums=True)
weight_sum = quantity(float, "1", "soft rank", one="rank", many="ranks soft_ranks", sums=True)
range_width = quantity(float, "1", "width of the range kernel", one="sigma width", low=0.5, high=2.0,
                       uniform=True)
gain = quantity(float, "1", "gain", one="gain scale", low=0.1, high=1.0, uniform=True)
bias = quantity(float, "1", "bias", one="bias offset", uniform=True)
window_weight = quantity(float, "1", "weight of a pixel", one="w weight", low=0.05, high=0.5, uniform=True)
dark_level = quantity(float, "1", "dark level", one="dark threshold black", low=0.05, high=0.6, uniform=True)
gamma_value = quantity(float, "1", "gamma", one="gamma", low=0.5, high=2.0, uniform=True)
flow = quantity(float, "K/s", "heat flow", one="flow flux", many="flows flux", sums=True)
conductance = quantity(float, "1/s", "conductance", one="k g conductance", many="conductances k",
                       low=0.1, high=1.0)


@formula
def weighted_neighbor(p: other.intensity, g: guide, h: other.guide, sigma: range_width) -> intensity:
    "{p} times (1 + tanh(({h} - {g}) / {sigma})) / 2"
    return 0.5 * p * (1.0 + wp.tanh((h - g) / sigma))


@formula
def soft_rank(p: intensity, q: other.intensity, k: gain) -> weight_sum:
    "1 / (1 + exp({k} ({q} - {p})))"
    return 1.0 / (1.0 + wp.exp(k * (q - p)))


@formula
def signed_square(p: intensity, q: other.intensity) -> contrast:
    "d |d| for the difference d = {q} - {p}"
    d = q - p
    return d * wp.abs(d)


@formula
def scaled_neighbor(q: other.intensity, k: window_weight) -> intensity:
    "{k} times {q}"
    return k * q


@formula
def soft_difference(p: intensity, q: other.intensity, k: gain) -> contrast:
    "tanh({k} ({q} - {p}))"
    return wp.tanh(k * (q - p))


@formula
def heat_flow(t: temperature, u: other.temperature, k: conductance, c: other.conductance) -> flow:
    "({k} + {c}) / 2 ({u} - {t})"
    return 0.5 * (k + c) * (u - t)


@formula
def warmed(t: temperature, q: flow, dt: time_step) -> temperature:
    "{t} plus {q} times {dt}"
    return t + q * dt


@formula
def adjusted(p: intensity, k: gain, b: bias) -> intensity:
    "{k} {p} + {b}"
    return k * p + b


@formula
def tone_mapped(p: intensity) -> intensity:
    "|{p}| / (1 + |{p}|)"
    a = wp.abs(p)
    return a / (1.0 + a)


@formula
def gamma_corrected(p: intensity, gamma: gamma_value) -> intensity:
    "(|{p}| + 0.01)^{gamma}"
    return wp.pow(wp.abs(p) + 0.01, gamma)


@formula
def thresholded(p: intensity, t: dark_level) -> intensity:
    "{p} minus {t}, or zero if that is negative"
    return wp.max(p - t, 0.0)


@formula
def sharpened(p: intensity, c: contrast, k: gain) -> intensity:
    "{p} plus {k} times {c}"
    return p + k * c
