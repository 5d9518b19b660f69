# SPDX-License-Identifier: Apache-2.0
"""Root finding and optimisation."""

field("root finding and optimisation", element="problem problems", other="problem problems",
      link="pair pairs", apart=True)

guess = quantity(float, "1", "guess", one="x guess", many="guesses x0", means="settles")
root = quantity(float, "1", "root", one="root", many="roots", means="goal")
quadratic_a = quantity(float, "1", "quadratic coefficient", one="a", many="a quad_a", low=0.2,
                       high=2.0)
linear_b = quantity(float, "1", "linear coefficient", one="b", many="b lin_b")
constant_c = quantity(float, "1", "constant coefficient", one="c", many="c const_c")
number_of_roots = quantity(int, "1", "number of roots", one="n", many="root_counts", low=0, high=2)
eccentricity = quantity(float, "1", "eccentricity", one="ecc e", many="eccentricities ecc",
                        low=0.05, high=0.5)
mean_anomaly = quantity(float, "rad", "mean anomaly", one="m mean_anomaly", many="mean_anomalies")
eccentric_anomaly = quantity(float, "rad", "eccentric anomaly", one="anomaly",
                             many="eccentric_anomalies")
bracket_low = quantity(float, "1", "lower bracket end", one="lo", many="lows brackets_lo")
bracket_width = quantity(float, "1", "bracket width", one="width", many="widths", low=0.5,
                         high=4.0)
radicand = quantity(float, "1", "radicand", one="y value", many="radicands", low=0.5, high=8.0)
iteration_count = quantity(int, "1", "number of iterations", one="iters max_iters", low=1, high=6,
                           uniform=True)
descent_point = quantity(vec2, "1", "point", one="p x", many="points iterates")
descent_gradient = quantity(vec2, "1", "gradient", one="g grad", many="gradients grads")
descent_rate = quantity(float, "1", "step size", one="rate step_size", low=0.05, high=0.5,
                        uniform=True)
valley_weight = quantity(float, "1", "weight of the valley term", one="b steep", low=1.0, high=4.0,
                         uniform=True)
objective = quantity(float, "1", "objective", one="f value", many="objectives losses", means="total goal zero")
step_bound = quantity(float, "1", "largest step", one="max_step bound", low=0.1, high=1.0,
                      uniform=True)
stop_tolerance = quantity(float, "1", "stopping tolerance", one="tol", low=0.01, high=0.1, uniform=True)
minimum_place = quantity(float, "1", "minimum position", one="x_min", many="minima")


@formula
def newton_cubic_step(x: guess, b: linear_b, c: constant_c) -> guess:
    "one Newton step for {x}^3 + {b} {x} + {c} = 0, with the slope replaced by 0.1 where it is smaller"
    f = x * x * x + b * x + c
    slope = wp.max(3.0 * x * x + b, 0.1)
    return x - f / slope


@formula
def halley_square_root(x: guess, y: radicand) -> root:
    "one step of Halley's method for the square root of {y}, from g = |{x}| + 0.5: g (g^2 + 3 {y}) / (3 g^2 + {y})"
    g = wp.abs(x) + 0.5
    return g * (g * g + 3.0 * y) / (3.0 * g * g + y)


@formula
def kepler_newton_step(anomaly: eccentric_anomaly, ecc: eccentricity,
                       m: mean_anomaly) -> eccentric_anomaly:
    "{anomaly} minus ({anomaly} - {ecc} sin {anomaly} - {m}) / (1 - {ecc} cos {anomaly})"
    f = anomaly - ecc * wp.sin(anomaly) - m
    return anomaly - f / (1.0 - ecc * wp.cos(anomaly))


@formula
def kepler_solution(m: mean_anomaly, ecc: eccentricity) -> eccentric_anomaly:
    "four Newton steps for E - {ecc} sin E = {m}, which begin at E = {m} + {ecc} sin {m}"
    e = m + ecc * wp.sin(m)
    for k in range(4):
        e = e - (e - ecc * wp.sin(e) - m) / (1.0 - ecc * wp.cos(e))
    return e


@formula
def larger_quadratic_root(a: quadratic_a, b: linear_b, c: constant_c) -> root:
    "the larger root of {a} x^2 + {b} x + {c}; where there is none, the place of the minimum, -{b} / (2 {a})"
    disc = b * b - 4.0 * a * c
    if disc <= 0.0:
        return -b / (2.0 * a)
    return (-b + wp.sqrt(disc)) / (2.0 * a)


@formula
def valley_value(p: descent_point, b: valley_weight) -> objective:
    "the function of McCormick with the weight {b} at {p} = (x, y): sin(x + y) + {b} (x^2 - 2 x y + y^2) - 1.5 x + 2.5 y + 1"
    x = p[0]
    y = p[1]
    valley = x * (x - 2.0 * y) + y * y
    return wp.sin(x + y) + b * valley - 1.5 * x + 2.5 * y + 1.0


@formula
def valley_gradient(p: descent_point, b: valley_weight) -> descent_gradient:
    "the gradient of the function of McCormick with the weight {b} at {p} = (x, y): (cos(x + y) + 2 {b} (x - y) - 1.5, cos(x + y) - 2 {b} (x - y) + 2.5)"
    c = wp.cos(p[0] + p[1])
    d = 2.0 * b * (p[0] - p[1])
    return wp.vec2(c + d - 1.5, c - d + 2.5)


@formula
def descend(p: descent_point, g: descent_gradient, rate: descent_rate) -> descent_point:
    "{p} minus {rate} times {g}"
    return p - rate * g


@formula
def bounded_descent(p: descent_point, g: descent_gradient, rate: descent_rate,
                    bound: step_bound) -> descent_point:
    "{p} minus {rate} times {g}, where the step is shortened to the length {bound} if it is longer"
    move = rate * g
    size = wp.length(move)
    if size > bound:
        move = move * (bound / size)
    return p - move


@formula
def fixed_point_cosine(x: guess, b: linear_b) -> guess:
    "({x} + cos({b} {x})) / 2, a damped fixed-point step for x = cos({b} x)"
    return 0.5 * (x + wp.cos(b * x))


@algorithm
def bisect_cubic(lo: bracket_low, width: bracket_width, b: linear_b, c: constant_c,
                 iters: iteration_count, roots: out.root):
    "bisection for f(x) = x^3 + {b} x + {c}: the bracket from {lo} to {lo} + {width} is halved {iters} times, and its right half is kept if f at its lower end times f in its middle is positive, else its left half; the result is the middle of what is left"
    i = thread()
    guard(i)
    bi = b[i]
    ci = c[i]
    low = lo[i]
    high = low + width[i]
    f_low = low * low * low + bi * low + ci
    for k in range(iters):
        mid = 0.5 * (low + high)
        f_mid = mid * mid * mid + bi * mid + ci
        if f_low * f_mid > 0.0:
            low = mid
            f_low = f_mid
        else:
            high = mid
    roots[i] = 0.5 * (low + high)


@algorithm
def golden_section(lo: bracket_low, width: bracket_width, a: quadratic_a, b: linear_b,
                   iters: iteration_count, places: out.minimum_place):
    "golden section search for the minimum of f(x) = {a} x^2 + {b} x in the bracket from {lo} to {lo} + {width}: {iters} times, with x1 and x2 at 0.381966 and 0.618034 of its width, the bracket ends at x2 if f(x1) is below f(x2), else it begins at x1; the result is the middle of what is left"
    i = thread()
    guard(i)
    ai = a[i]
    bi = b[i]
    low = lo[i]
    high = low + width[i]
    for k in range(iters):
        x1 = low + 0.381966 * (high - low)
        x2 = low + 0.618034 * (high - low)
        f1 = ai * x1 * x1 + bi * x1
        f2 = ai * x2 * x2 + bi * x2
        if f1 < f2:
            high = x2
        else:
            low = x1
    places[i] = 0.5 * (low + high)


@algorithm
def newton_until_small(x0: guess, b: linear_b, c: constant_c, iters: iteration_count,
                       tol: stop_tolerance, roots: out.root):
    "Newton's method for f(x) = x^3 + {b} x + {c} = 0 from {x0}: at most {iters} steps, each clamped to the range from -1 to 1; it stops as soon as |f(x)| is below {tol}; slopes with a magnitude below 0.1 count as 0.1"
    i = thread()
    guard(i)
    bi = b[i]
    ci = c[i]
    x = x0[i]
    for k in range(iters):
        f = x * x * x + bi * x + ci
        if wp.abs(f) < tol:
            break
        slope = 3.0 * x * x + bi
        if wp.abs(slope) < 0.1:
            slope = 0.1
        x = x - wp.clamp(f / slope, -1.0, 1.0)
    roots[i] = x


@algorithm
def backtracking_line_search(p: descent_point, b: valley_weight, rate: descent_rate,
                             iters: iteration_count, moved: out.descent_point):
    "one step of gradient descent from {p} on the function of McCormick with the weight {b}, sin(x + y) + {b} (x^2 - 2 x y + y^2) - 1.5 x + 2.5 y + 1: the step size begins at {rate} and is halved, at most {iters} times, until the function falls by at least 0.1 times the step size times the squared length of the gradient"
    i = thread()
    guard(i)
    x = p[i]
    g = valley_gradient(x, b)
    f = valley_value(x, b)
    size = float(rate)
    for k in range(iters):
        trial = valley_value(x - size * g, b)
        if trial <= f - 0.1 * size * wp.dot(g, g):
            break
        size = 0.5 * size
    moved[i] = x - size * g


@algorithm
def real_quadratic_roots(a: quadratic_a, b: linear_b, c: constant_c, roots: out.root,
                         counts: out.number_of_roots):
    "the real roots of {a} x^2 + {b} x + {c} with the discriminant {b}^2 - 4 {a} {c}: if it is positive {counts} is 2 and {roots} the smaller root, else {counts} is 0 and {roots} the place of the minimum, -{b} / (2 {a})"
    i = thread()
    guard(i)
    bi = b[i]
    twice = 2.0 * a[i]
    disc = bi * bi - 2.0 * twice * c[i]
    if disc <= 0.0:
        counts[i] = 0
        roots[i] = -bi / twice
    else:
        counts[i] = 2
        roots[i] = (-bi - wp.sqrt(disc)) / twice


@algorithm
def secant_method(x0: guess, width: bracket_width, b: linear_b, iters: iteration_count,
                  roots: out.root):
    "the secant method for f(x) = x - cos({b} x) = 0 from the points {x0} and {x0} + {width}: at most {iters} steps, before each of which it stops if the two last values of f differ by less than 0.0001; the result is the last point"
    i = thread()
    guard(i)
    bi = b[i]
    xa = x0[i]
    xb = xa + width[i]
    fa = xa - wp.cos(bi * xa)
    for k in range(iters):
        fb = xb - wp.cos(bi * xb)
        if wp.abs(fb - fa) < 0.0001:
            break
        xc = xb - fb * (xb - xa) / (fb - fa)
        xa = xb
        fa = fb
        xb = xc
    roots[i] = xb
