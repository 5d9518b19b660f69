# SPDX-License-Identifier: Apache-2.0
"""Root finding and optimisation."""

field("root finding and optimisation", element="problem problems", other="problem problems",
      link="pair pairs", apart=True, share=2)

guess = quantity(float, "1", "guess", one="guess", many="guesses", means="settles")
root_estimate = quantity(float, "1", "estimate of the root", one="x", many="estimates", means="settles")
fixed_point_guess = quantity(float, "1", "guess of the fixed point", one="x", many="guesses", means="settles")
cosine_factor = quantity(float, "1", "factor in the cosine", one="a", many="factors", low=0.2, high=1.5)
start_distance = quantity(float, "1", "distance of the two first points", one="gap", many="gaps", low=0.5, high=2.0)
root = quantity(float, "1", "root", one="root", many="roots", means="goal")
square_root_value = quantity(float, "1", "square root", one="root", many="square_roots", means="goal")
smaller_root = quantity(float, "1", "smaller root", one="low", many="smaller_roots")
larger_root = quantity(float, "1", "larger root", one="high", many="larger_roots")
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
iteration_count = quantity(int, "1", "largest number of steps", one="max_steps max_iters", low=1, high=6,
                           uniform=True)
search_point = quantity(vec2, "1", "point", one="p x", many="points iterates")
descent_gradient = quantity(vec2, "1", "gradient", one="g grad", many="gradients grads")
descent_rate = quantity(float, "1", "step size", one="rate step_size", low=0.05, high=0.5,
                        uniform=True)
valley_weight = quantity(float, "1", "weight of the valley term", one="b steep", low=1.0, high=4.0,
                         uniform=True)
objective = quantity(float, "1", "objective", one="f value", many="objectives losses", means="total goal zero")
step_bound = quantity(float, "1", "largest step", one="max_step bound", low=0.1, high=1.0,
                      uniform=True)
stop_tolerance = quantity(float, "1", "stopping tolerance", one="tol", low=0.01, high=0.1, uniform=True)
minimum_place = quantity(float, "1", "place of the minimum", one="x_min", many="minima")
search_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
search_radius = quantity(float, "1", "radius of the search", one="radius", low=0.2, high=1.0, uniform=True)
annealing_temperature = quantity(float, "1", "temperature", one="temperature", low=0.2, high=2.0, uniform=True, varies=True)
accepted_moves = quantity(int, "1", "number of accepted moves", one="accepted", many="num_accepted", low=0, high=2)
best_point = quantity(vec2, "1", "best point", one="best", many="best_points")


@formula
def newton_cubic_step(x: guess, b: linear_b, c: constant_c) -> guess:
    "one Newton step from {x} for the root of x^3 + {b} x + {c}, whose slope counts as 0.1 where it is smaller"
    f = x * x * x + b * x + c
    slope = wp.max(3.0 * x * x + b, 0.1)
    return x - f / slope


@formula
def halley_square_root(x: root_estimate, y: radicand) -> square_root_value:
    "one step of Halley's method for the square root of {y}, g (g^2 + 3 {y}) / (3 g^2 + {y}) with g = |{x}| + 0.5"
    g = wp.abs(x) + 0.5
    return g * (g * g + 3.0 * y) / (3.0 * g * g + y)


@formula
def kepler_newton_step(anomaly: eccentric_anomaly, ecc: eccentricity,
                       m: mean_anomaly) -> eccentric_anomaly:
    "one Newton step for Kepler's equation, {anomaly} - ({anomaly} - {ecc} sin({anomaly}) - {m}) / (1 - {ecc} cos({anomaly}))"
    f = anomaly - ecc * wp.sin(anomaly) - m
    return anomaly - f / (1.0 - ecc * wp.cos(anomaly))


@formula
def kepler_solution(m: mean_anomaly, ecc: eccentricity) -> eccentric_anomaly:
    "the E that four Newton steps for E - {ecc} sin(E) = {m} give, which begin at E = {m} + {ecc} sin({m})"
    e = m + ecc * wp.sin(m)
    for k in range(4):
        e = e - (e - ecc * wp.sin(e) - m) / (1.0 - ecc * wp.cos(e))
    return e


@formula
def larger_quadratic_root(a: quadratic_a, b: linear_b, c: constant_c) -> root:
    "the larger root of {a} x^2 + {b} x + {c}, or the place of the minimum, -{b} / (2 {a}), if there is none"
    disc = b * b - 4.0 * a * c
    if disc <= 0.0:
        return -b / (2.0 * a)
    return (-b + wp.sqrt(disc)) / (2.0 * a)


@formula
def mccormick_value(p: search_point, b: valley_weight) -> objective:
    "the McCormick function with the weight {b} at {p} = (x, y), which is sin(x + y) + {b} (x^2 - 2 x y + y^2) - 1.5 x + 2.5 y + 1"
    x = p[0]
    y = p[1]
    valley = x * (x - 2.0 * y) + y * y
    return wp.sin(x + y) + b * valley - 1.5 * x + 2.5 * y + 1.0


@formula
def mccormick_gradient(p: search_point, b: valley_weight) -> descent_gradient:
    "that of the McCormick function with the weight {b} at {p} = (x, y), which is (cos(x + y) + 2 {b} (x - y) - 1.5, cos(x + y) - 2 {b} (x - y) + 2.5)"
    c = wp.cos(p[0] + p[1])
    d = 2.0 * b * (p[0] - p[1])
    return wp.vec2(c + d - 1.5, c - d + 2.5)


@formula
def descend(p: search_point, g: descent_gradient, rate: descent_rate) -> search_point:
    "{p} minus {rate} times {g}"
    return p - rate * g


@formula
def bounded_descent(p: search_point, g: descent_gradient, rate: descent_rate,
                    bound: step_bound) -> search_point:
    "{p} minus {rate} times {g}, a step that is shortened to the length {bound} if it is longer"
    move = rate * g
    size = wp.length(move)
    if size > bound:
        move = move * (bound / size)
    return p - move


@formula
def fixed_point_cosine(x: fixed_point_guess, a: cosine_factor) -> fixed_point_guess:
    "a damped step of the fixed-point iteration for x = cos({a} x), ({x} + cos({a} {x})) / 2"
    return 0.5 * (x + wp.cos(a * x))


@algorithm
def bisect_cubic(lo: bracket_low, width: bracket_width, b: linear_b, c: constant_c,
                 roots: out.root):
    "takes eight steps of bisection towards a root of f(x) = x^3 + {b} x + {c}: the bracket from {lo} to {lo} + {width} is halved each time, and its right half is kept if f at its lower end times f in its middle is positive, else its left half; the result is the middle of the last bracket"
    i = thread()
    guard(i)
    bi = b[i]
    ci = c[i]
    low = lo[i]
    high = low + width[i]
    f_low = low * low * low + bi * low + ci
    for k in range(8):
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
                   places: out.minimum_place):
    "finds the minimum of f(x) = {a} x^2 + {b} x by the golden section, in the bracket from {lo} to {lo} + {width}: six times, with x1 and x2 at 0.381966 and 0.618034 of its width, the bracket ends at x2 from then on if f(x1) is below f(x2), else it begins at x1; the middle of the last bracket is the place of the minimum"
    i = thread()
    guard(i)
    ai = a[i]
    bi = b[i]
    low = lo[i]
    high = low + width[i]
    for k in range(6):
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
def newton_with_tolerance(x0: guess, b: linear_b, c: constant_c, iters: iteration_count,
                       tol: stop_tolerance, roots: out.root):
    "finds a root of f(x) = x^3 + {b} x + {c} by Newton's method, from {x0} on: at most {iters} steps, each clamped to the range from -1 to 1, and none from a point where |f(x)| is below {tol}; slopes with a magnitude below 0.1 count as 0.1"
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
def backtracking_line_search(p: search_point, b: valley_weight, rate: descent_rate,
                             iters: iteration_count, moved: out.search_point):
    "makes one step of gradient descent from {p} on the McCormick function with the weight {b}, sin(x + y) + {b} (x^2 - 2 x y + y^2) - 1.5 x + 2.5 y + 1: the step size begins at {rate} and is halved, at most {iters} times, until the function falls by at least 0.1 times the step size times the squared length of the gradient"
    i = thread()
    guard(i)
    x = p[i]
    g = mccormick_gradient(x, b)
    f = mccormick_value(x, b)
    size = float(rate)
    for k in range(iters):
        trial = mccormick_value(x - size * g, b)
        if trial <= f - 0.1 * size * wp.dot(g, g):
            break
        size = 0.5 * size
    moved[i] = x - size * g


@algorithm
def real_quadratic_roots(a: quadratic_a, b: linear_b, c: constant_c, low: out.smaller_root,
                         high: out.larger_root, counts: out.number_of_roots):
    "the real roots of {a} x^2 + {b} x + {c}: if {b}^2 - 4 {a} {c} is positive, {counts} gets 2, {low} the smaller root and {high} the larger one; else {counts} gets 0, and both get the place of the minimum, -{b} / (2 {a})"
    i = thread()
    guard(i)
    bi = b[i]
    twice = 2.0 * a[i]
    disc = bi * bi - 2.0 * twice * c[i]
    if disc <= 0.0:
        counts[i] = 0
        low[i] = -bi / twice
        high[i] = -bi / twice
        return
    counts[i] = 2
    half = wp.sqrt(disc) / twice
    low[i] = -bi / twice - half
    high[i] = -bi / twice + half


@algorithm
def secant_method(x0: guess, gap: start_distance, a: cosine_factor, iters: iteration_count,
                  roots: out.root):
    "finds the root of f(x) = x - cos({a} x) by the secant method, from the two points {x0} and {x0} + {gap} on: at most {iters} steps, before each of which it stops if the values of f at the two last points differ by less than 0.0001; the last point is the root"
    i = thread()
    guard(i)
    ai = a[i]
    xa = x0[i]
    xb = xa + gap[i]
    fa = xa - wp.cos(ai * xa)
    for k in range(iters):
        fb = xb - wp.cos(ai * xb)
        if wp.abs(fb - fa) < 0.0001:
            break
        xc = xb - fb * (xb - xa) / (fb - fa)
        xa = xb
        fa = fb
        xb = xc
    roots[i] = xb


@algorithm(share=2)
def random_search(
    p: search_point["n"], b: valley_weight, radius: search_radius, seed: search_seed,
    best: out.best_point["n"],
):
    "makes a random search around each point of {p} for a smaller value of the McCormick function with the weight {b}, sin(x + y) + {b} (x^2 - 2 x y + y^2) - 1.5 x + 2.5 y + 1: five trial points are drawn one after another, each {p} plus {radius} times a vector of two standard normal numbers, and the one with the smallest value goes to {best}, or {p} if none has a smaller one"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    start = p[i]
    found = start
    lowest = mccormick_value(start, b)
    for k in range(5):
        trial = start + radius * wp.vec2(wp.randn(state), wp.randn(state))
        value = mccormick_value(trial, b)
        if value < lowest:
            lowest = value
            found = trial
    best[i] = found


@algorithm(share=2)
def annealing_step(
    p: search_point["n"], b: valley_weight, radius: search_radius, temperature: annealing_temperature,
    seed: search_seed, moved: out.search_point["n"], accepted: out.accepted_moves["1"],
):
    "makes a step of simulated annealing on the McCormick function with the weight {b}, sin(x + y) + {b} (x^2 - 2 x y + y^2) - 1.5 x + 2.5 y + 1: the trial point is {p} plus {radius} times a vector of two standard normal numbers; with d, the value there minus that at {p}, it is accepted if a random number from 0 to 1, which is drawn last, is below exp(-d / {temperature}); {moved} gets the accepted point or {p}, and for each accepted one 1 is added atomically to {accepted}[0]"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    old = p[i]
    trial = old + radius * wp.vec2(wp.randn(state), wp.randn(state))
    d = mccormick_value(trial, b) - mccormick_value(old, b)
    moved[i] = old
    if wp.randf(state) < wp.exp(-d / temperature):
        moved[i] = trial
        wp.atomic_add(accepted, 0, 1)
