# SPDX-License-Identifier: Apache-2.0
"""Easing of animations."""

field("easing", element="animation animations", other="animation animations", apart=True, share=1)

animation_progress = quantity(float, "1", "progress", one="t progress", many="progress ts", low=0.05, high=1.0)
key_start = quantity(vec, "m", "start position", one="a start", many="starts start_positions")
key_end = quantity(vec, "m", "end position", one="b end", many="ends end_positions")
animated_position = quantity(vec, "m", "animated position", one="x pos", many="animated animated_positions", means="goal")
ramp_input = quantity(float, "1", "input value", one="x", many="xs inputs")
eased_parameter = quantity(float, "1", "eased progress", one="s eased", many="eased")
overshoot = quantity(float, "1", "overshoot", one="c overshoot", low=0.5, high=2.0, uniform=True)
elastic_period = quantity(float, "1", "period of the swings", one="period", low=0.2, high=0.6, uniform=True)
ease_kind = quantity(int, "1", "kind of easing", one="kind mode", many="kinds modes", low=0,
                     high=4)
ease_start = quantity(float, "1", "start of the ramp", one="lo edge0", uniform=True)
ease_width = quantity(float, "1", "width of the ramp", one="width", low=0.5, high=2.0, uniform=True)


@formula
def smoothstep(t: animation_progress) -> eased_parameter:
    "3 {t}^2 - 2 {t}^3"
    return t * t * (3.0 - 2.0 * t)


@formula
def smootherstep(t: animation_progress) -> eased_parameter:
    "6 {t}^5 - 15 {t}^4 + 10 {t}^3"
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)


@formula
def ramp(x: ramp_input, lo: ease_start, width: ease_width) -> eased_parameter:
    "3 t^2 - 2 t^3, where t is ({x} - {lo}) / {width}, clamped to the range from 0 to 1"
    t = wp.clamp((x - lo) / width, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


@formula
def ease_out_back(t: animation_progress, c: overshoot) -> eased_parameter:
    "1 + ({c} + 1) d^3 + {c} d^2 with d = {t} - 1"
    d = t - 1.0
    return 1.0 + d * d * ((c + 1.0) * d + c)


@formula
def ease_in_out_cubic(t: animation_progress) -> eased_parameter:
    "4 {t}^3 if {t} is below 0.5, else 1 - 4 (1 - {t})^3"
    if t < 0.5:
        return 4.0 * t * t * t
    d = 1.0 - t
    return 1.0 - 4.0 * d * d * d


@formula
def ease_out_elastic(t: animation_progress, c: elastic_period) -> eased_parameter:
    "1 plus 2^(-10 {t}) times the sine of 2 pi ({t} - 0.25 {c}) / {c}"
    return 1.0 + wp.pow(2.0, -10.0 * t) * wp.sin(2.0 * wp.pi * (t - 0.25 * c) / c)


@formula
def between_keys(a: key_start, b: key_end, s: eased_parameter) -> animated_position:
    "{a} plus {s} times ({b} - {a})"
    return a + s * (b - a)


@algorithm
def ease_by_kind(kind: ease_kind, t: animation_progress, c: overshoot, y: out.eased_parameter):
    "eases {t}: the result is {t} itself where {kind} is 0, {t}^2 where it is 1, 1 - (1 - {t})^2 where it is 2, `ease_out_back` of {t} with {c} where it is 3, and `smootherstep` of {t} for any other kind"
    i = thread()
    guard(i)
    u = t[i]
    mode = kind[i]
    if mode == 0:
        y[i] = u
    elif mode == 1:
        y[i] = u * u
    elif mode == 2:
        y[i] = 1.0 - (1.0 - u) * (1.0 - u)
    elif mode == 3:
        y[i] = ease_out_back(u, c)
    else:
        y[i] = smootherstep(u)
