# SPDX-License-Identifier: Apache-2.0
"""Points of curves."""

field("curves", element="segment segments", other="knot knots",
      link="pair pairs", apart=True)

curve_parameter = quantity(float, "1", "curve parameter", one="t u", many="params ts", low=0.05,
                           high=1.0)
control_point = quantity(vec, "m", "control point", one="p", many="controls control_points")
curve_point = quantity(vec, "m", "curve point", one="x point", many="points curve_points", means="goal")
curve_velocity = quantity(vec, "m", "curve derivative", one="v dx", many="derivatives", means="length")
end_slope = quantity(vec, "m", "end derivative", one="tangent", many="tangents")
weight_of_control = quantity(float, "1", "control weight", one="w", many="weights",
                             low=0.1, high=2.0)
arc_position = quantity(float, "m", "arc length", one="s", many="arc_lengths", low=0.1,
                        high=8.0)


@algorithm(share=3)
def quadratic_bezier(points: control_point["2*n+1"], t: curve_parameter["n"], x: out.curve_point["n"]):
    "computes a point of each segment of a curve of quadratic Bezier segments: segment s has the control points p, q and r, which are the entries 2 s, 2 s + 1 and 2 s + 2 of {points}, and {x} gets (1 - u)^2 p + 2 (1 - u) u q + u^2 r, where u is the segment's entry of {t}"
    i = thread()
    guard(i)
    u = t[i]
    s = 1.0 - u
    x[i] = s * s * points[2 * i] + 2.0 * s * u * points[2 * i + 1] + u * u * points[2 * i + 2]


@algorithm(share=3)
def cubic_bezier(points: control_point["3*n+1"], t: curve_parameter["n"], x: out.curve_point["n"]):
    "computes a point of each segment of a curve of cubic Bezier segments: segment s has as its control points the entries 3 s to 3 s + 3 of {points}, and {x} gets the segment's point at its entry of {t}"
    i = thread()
    guard(i)
    u = t[i]
    s = 1.0 - u
    first = 3 * i
    ends = s * s * s * points[first] + u * u * u * points[first + 3]
    x[i] = ends + 3.0 * s * u * (s * points[first + 1] + u * points[first + 2])


@algorithm(share=3)
def cubic_bezier_derivative(points: control_point["3*n+1"], t: curve_parameter["n"], v: out.curve_velocity["n"]):
    "computes a derivative for each segment of a curve of cubic Bezier segments: segment s has as its control points the entries 3 s to 3 s + 3 of {points}, and {v} gets the derivative of the segment's point with respect to the curve parameter, at its entry of {t}"
    i = thread()
    guard(i)
    u = t[i]
    s = 1.0 - u
    k = 3 * i
    p1 = points[k + 1]
    p2 = points[k + 2]
    v[i] = 3.0 * (s * s * (p1 - points[k]) + 2.0 * s * u * (p2 - p1) + u * u * (points[k + 3] - p2))


@formula
def b_spline_derivative(p0: first.control_point, p1: second.control_point,
                        p2: third.control_point, p3: fourth.control_point,
                        t: curve_parameter) -> curve_velocity:
    "the derivative of a uniform cubic B-spline at {t}, ((1 - {t})^2 ({p1} - {p0}) + (1 + 2 {t} - 2 {t}^2) ({p2} - {p1}) + {t}^2 ({p3} - {p2})) / 2"
    s = 1.0 - t
    return 0.5 * (s * s * (p1 - p0) + (1.0 + 2.0 * t - 2.0 * t * t) * (p2 - p1) + t * t * (p3 - p2))


@formula
def catmull_rom(p0: first.control_point, p1: second.control_point, p2: third.control_point,
                p3: fourth.control_point, t: curve_parameter) -> curve_point:
    "the point at {t} of a Catmull-Rom spline, (2 {p1} + ({p2} - {p0}) {t} + (2 {p0} - 5 {p1} + 4 {p2} - {p3}) {t}^2 + (3 {p1} - {p0} - 3 {p2} + {p3}) {t}^3) / 2"
    a = 2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3
    b = 3.0 * p1 - p0 - 3.0 * p2 + p3
    return 0.5 * (2.0 * p1 + t * (p2 - p0) + t * t * a + t * t * t * b)


@formula
def uniform_b_spline(p0: first.control_point, p1: second.control_point, p2: third.control_point,
                     p3: fourth.control_point, t: curve_parameter) -> curve_point:
    "the point at {t} of a uniform cubic B-spline, ((1 - {t})^3 {p0} + (3 {t}^3 - 6 {t}^2 + 4) {p1} + (1 + 3 {t} + 3 {t}^2 - 3 {t}^3) {p2} + {t}^3 {p3}) / 6"
    s = 1.0 - t
    t2 = t * t
    t3 = t2 * t
    w1 = 3.0 * t3 - 6.0 * t2 + 4.0
    w2 = 1.0 + 3.0 * t + 3.0 * t2 - 3.0 * t3
    return (s * s * s * p0 + w1 * p1 + w2 * p2 + t3 * p3) / 6.0


@formula
def hermite(p0: first.control_point, p1: second.control_point, m0: first.end_slope,
            m1: second.end_slope, t: curve_parameter) -> curve_point:
    "the point at {t} of the cubic Hermite curve from {p0} with the derivative {m0} to {p1} with the derivative {m1}, which is (2 {t}^3 - 3 {t}^2 + 1) {p0} + ({t}^3 - 2 {t}^2 + {t}) {m0} + (3 {t}^2 - 2 {t}^3) {p1} + ({t}^3 - {t}^2) {m1}"
    t2 = t * t
    t3 = t2 * t
    ends = (2.0 * t3 - 3.0 * t2 + 1.0) * p0 + (3.0 * t2 - 2.0 * t3) * p1
    return ends + (t3 - 2.0 * t2 + t) * m0 + (t3 - t2) * m1


@algorithm(share=3)
def conic_segments(points: control_point["2*n+1"], w: weight_of_control["n"], t: curve_parameter["n"], x: out.curve_point["n"]):
    "computes a point of each segment of a curve of conics: segment s has the control points p, q and r, which are the entries 2 s, 2 s + 1 and 2 s + 2 of {points}, and {x} gets (f p + g q + h r) / (f + g + h), where f = (1 - u)^2, g = 2 w (1 - u) u and h = u^2, and u and w are the segment's entries of {t} and {w}"
    i = thread()
    guard(i)
    u = t[i]
    s = 1.0 - u
    a = s * s
    b = 2.0 * w[i] * s * u
    c = u * u
    x[i] = (a * points[2 * i] + b * points[2 * i + 1] + c * points[2 * i + 2]) / (a + b + c)


@algorithm(element="sample samples")
def point_at_arc_length(s: arc_position, points: whole.control_point, x: out.curve_point):
    "stores the point at the length {s} along the polyline {points}: beginning with the first segment, a segment is skipped, and its length subtracted, as long as the length that is left is not below that of the segment. The point lies as far along the next segment as is left; if no segment is left, it is the last point of the polyline"
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
