# SPDX-License-Identifier: Apache-2.0
"""Curves, easing, interpolation in tables."""

field("curves and interpolation", element="segment segments", other="knot knots",
      link="pair pairs", apart=True)

curve_parameter = quantity(float, "1", "curve parameter", one="t u", many="params ts", low=0.05,
                           high=1.0)
eased_parameter = quantity(float, "1", "eased parameter", one="s eased", many="eased")
control_point = quantity(vec, "m", "control point", one="p", many="controls control_points")
curve_point = quantity(vec, "m", "curve point", one="x point", many="curve_points points", means="goal")
curve_velocity = quantity(vec, "m", "curve derivative", one="v dx", many="derivatives", means="length")
table_value = quantity(float, "1", "table values", one="y", many="table lut")
table_position = quantity(float, "1", "table position", one="x u", many="positions xs",
                          low=0.1, high=8.0)
table_lookup_value = quantity(float, "1", "table value", one="y value", many="values ys", means="goal range blend zero")
knot_position = quantity(float, "1", "knots", one="knot", many="knots", low=0.1, high=4.0)
overshoot = quantity(float, "1", "overshoot", one="c overshoot", low=0.5, high=2.0, uniform=True)
elastic_period = quantity(float, "1", "period of the swings", one="period", low=0.2, high=0.6, uniform=True)
ease_start = quantity(float, "1", "start of the ramp", one="lo edge0", uniform=True)
ease_width = quantity(float, "1", "width of the ramp", one="width", low=0.5, high=2.0, uniform=True)
ease_kind = quantity(int, "1", "kind of easing", one="kind mode", many="kinds modes", low=0,
                     high=4)
end_slope = quantity(vec, "m", "end derivative", one="m", many="slopes")
weight_of_control = quantity(float, "1", "control weight", one="w", many="weights",
                             low=0.1, high=2.0)
arc_position = quantity(float, "m", "arc length", one="s", many="arc_lengths", low=0.1,
                        high=8.0)


@formula
def smoothstep(t: curve_parameter) -> eased_parameter:
    "3 {t}^2 - 2 {t}^3"
    return t * t * (3.0 - 2.0 * t)


@formula
def smootherstep(t: curve_parameter) -> eased_parameter:
    "6 {t}^5 - 15 {t}^4 + 10 {t}^3"
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)


@formula
def ramp(x: table_lookup_value, lo: ease_start, width: ease_width) -> eased_parameter:
    "3 t^2 - 2 t^3, where t is ({x} - {lo}) / {width}, clamped to the range from 0 to 1"
    t = wp.clamp((x - lo) / width, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


@formula
def ease_out_back(t: curve_parameter, c: overshoot) -> eased_parameter:
    "1 + ({c} + 1) d^3 + {c} d^2 with d = {t} - 1"
    d = t - 1.0
    return 1.0 + d * d * ((c + 1.0) * d + c)


@formula
def ease_in_out_cubic(t: curve_parameter) -> eased_parameter:
    "4 {t}^3 if {t} is below 0.5, else 1 - 4 (1 - {t})^3"
    if t < 0.5:
        return 4.0 * t * t * t
    d = 1.0 - t
    return 1.0 - 4.0 * d * d * d


@formula
def ease_out_elastic(t: curve_parameter, c: elastic_period) -> eased_parameter:
    "1 plus 2^(-10 {t}) times the sine of 2 pi ({t} - 0.25 {c}) / {c}"
    return 1.0 + wp.pow(2.0, -10.0 * t) * wp.sin(2.0 * wp.pi * (t - 0.25 * c) / c)


@formula
def quadratic_bezier(p: first.control_point, q: second.control_point, r: third.control_point,
                     t: curve_parameter) -> curve_point:
    "(1 - {t})^2 {p} + 2 (1 - {t}) {t} {q} + {t}^2 {r}"
    s = 1.0 - t
    return s * s * p + 2.0 * s * t * q + t * t * r


@formula
def cubic_bezier(p: first.control_point, q: second.control_point, r: third.control_point,
                 e: fourth.control_point, t: curve_parameter) -> curve_point:
    "the point at {t} of the cubic Bezier curve with the control points {p}, {q}, {r} and {e}"
    s = 1.0 - t
    return s * s * s * p + 3.0 * s * s * t * q + 3.0 * s * t * t * r + t * t * t * e


@formula
def cubic_bezier_derivative(p: first.control_point, q: second.control_point,
                            r: third.control_point, e: fourth.control_point,
                            t: curve_parameter) -> curve_velocity:
    "3 (1 - {t})^2 ({q} - {p}) + 6 (1 - {t}) {t} ({r} - {q}) + 3 {t}^2 ({e} - {r}), for a cubic Bezier curve at {t}"
    s = 1.0 - t
    return 3.0 * s * s * (q - p) + 6.0 * s * t * (r - q) + 3.0 * t * t * (e - r)


@formula
def catmull_rom(p: first.control_point, q: second.control_point, r: third.control_point,
                e: fourth.control_point, t: curve_parameter) -> curve_point:
    "(2 {q} + ({r} - {p}) {t} + (2 {p} - 5 {q} + 4 {r} - {e}) {t}^2 + (3 {q} - {p} - 3 {r} + {e}) {t}^3) / 2"
    a = 2.0 * p - 5.0 * q + 4.0 * r - e
    b = 3.0 * q - p - 3.0 * r + e
    return 0.5 * (2.0 * q + t * (r - p) + t * t * a + t * t * t * b)


@formula
def uniform_b_spline(p: first.control_point, q: second.control_point, r: third.control_point,
                     e: fourth.control_point, t: curve_parameter) -> curve_point:
    "((1 - {t})^3 {p} + (3 {t}^3 - 6 {t}^2 + 4) {q} + (1 + 3 {t} + 3 {t}^2 - 3 {t}^3) {r} + {t}^3 {e}) / 6, on a uniform cubic B-spline"
    s = 1.0 - t
    t2 = t * t
    t3 = t2 * t
    wq = 3.0 * t3 - 6.0 * t2 + 4.0
    wr = 1.0 + 3.0 * t + 3.0 * t2 - 3.0 * t3
    return (s * s * s * p + wq * q + wr * r + t3 * e) / 6.0


@formula
def hermite(p: first.control_point, q: second.control_point, m: first.end_slope,
            k: second.end_slope, t: curve_parameter) -> curve_point:
    "the cubic Hermite curve from {p} with the slope {m} to {q} with the slope {k} at {t}: (2 {t}^3 - 3 {t}^2 + 1) {p} + ({t}^3 - 2 {t}^2 + {t}) {m} + (3 {t}^2 - 2 {t}^3) {q} + ({t}^3 - {t}^2) {k}"
    t2 = t * t
    t3 = t2 * t
    ends = (2.0 * t3 - 3.0 * t2 + 1.0) * p + (3.0 * t2 - 2.0 * t3) * q
    return ends + (t3 - 2.0 * t2 + t) * m + (t3 - t2) * k


@formula
def rational_quadratic(p: first.control_point, q: second.control_point, r: third.control_point,
                       w: second.weight_of_control, t: curve_parameter) -> curve_point:
    "the conic (a {p} + b {q} + c {r}) / (a + b + c) with a = (1 - {t})^2, b = 2 {w} (1 - {t}) {t} and c = {t}^2"
    s = 1.0 - t
    a = s * s
    b = 2.0 * w * s * t
    c = t * t
    return (a * p + b * q + c * r) / (a + b + c)


@formula
def table_lookup(x: table_position, table: whole.table_value) -> table_lookup_value:
    "the linear interpolation of {table} at {x}, between entry k = floor({x}) and entry k + 1 with the fraction {x} - k; the last entry if k is not below its index"
    last = table.shape[0] - 1
    k = int(wp.floor(x))
    if k >= last:
        return table[last]
    return wp.lerp(table[k], table[k + 1], x - float(k))


@formula
def wrapped_lookup(x: table_position, table: whole.table_value) -> table_lookup_value:
    "the linear interpolation at {x} of {table}, which is periodic: between the entries k = floor({x}) and k + 1, both modulo its length, with the fraction {x} - k"
    n = table.shape[0]
    k = int(wp.floor(x))
    return wp.lerp(table[k % n], table[(k + 1) % n], x - float(k))


@algorithm(element="query queries")
def find_segment_and_interpolate(x: table_position["n"], knots: knot_position["k+2", "rising:1"],
                                 table: table_value["k+2"], y: out.table_lookup_value["n"]):
    "for each of {x} the linear interpolation of {table} between the last of {knots}, which are in rising order, that is at most its value and the knot after it, found by going over the knots from the first one on; the first entry of {table} before the first knot, the last entry if no knot is above the value"
    i = thread()
    guard(i)
    at = x[i]
    n = knots.shape[0]
    k = int(0)
    while k < n and knots[k] <= at:
        k += 1
    if k == 0:
        y[i] = table[0]
    elif k == n:
        y[i] = table[n - 1]
    else:
        begin = knots[k - 1]
        f = (at - begin) / (knots[k] - begin)
        y[i] = wp.lerp(table[k - 1], table[k], f)


@algorithm
def ease_by_kind(kind: ease_kind, t: curve_parameter, c: overshoot, y: out.eased_parameter):
    "eases {t} by its {kind}: {t} itself for 0, {t}^2 for 1, 1 - (1 - {t})^2 for 2, `ease_out_back` with {c} for 3, and `smootherstep` for any other"
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


@algorithm(element="sample samples")
def point_at_arc_length(s: arc_position, points: whole.control_point, x: out.curve_point):
    "stores the point at the length {s} along the polyline {points}: from the first segment on, segments are skipped, and their lengths taken off, while the length that is left is not below theirs; the point lies that far along the next segment, and is the last point of the polyline if no segment is left"
    i = thread()
    guard(i)
    left = s[i]
    last = count(whole) - 1
    k = int(0)
    x[i] = points[last]
    while k < last:
        begin = points[k]
        d = points[k + 1] - begin
        length = wp.length(d)
        if left < length:
            x[i] = begin + left * wp.normalize(d)
            break
        left -= length
        k += 1
