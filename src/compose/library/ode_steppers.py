# SPDX-License-Identifier: Apache-2.0
"""Steppers of ordinary differential equations: oscillators, strange attractors, stiff decay."""

field("ordinary differential equations", element="system systems", other="system systems", apart=True, share=1)

system_state = quantity(vec3, "1", "state", one="s y", many="states y", means="goal")
rossler_state = quantity(vec3, "1", "state", one="s y", many="states y", means="goal")
rossler_rate = quantity(vec3, "1", "slope", one="k slope", many="slopes")
state_slope = quantity(vec3, "1", "slope", one="k slope", many="slopes")
second_slope = quantity(vec3, "1", "second slope", one="k2", many="second_slopes")
oscillator_place = quantity(float, "m", "displacement", one="x q", many="x displacements", means="goal")
oscillator_speed = quantity(float, "m/s", "velocity", one="v", many="v velocities")
angular_frequency = quantity(float, "rad/s", "angular frequency", one="omega w0", low=0.5, high=2.0, uniform=True)
damping_ratio = quantity(float, "1", "damping ratio", one="zeta", low=0.05, high=0.9, uniform=True)
nonlinearity = quantity(float, "1", "strength of the nonlinear term", one="mu eps", low=0.1, high=1.5, uniform=True)
rossler_a = quantity(float, "1", "parameter a of the Roessler system", one="a", low=0.1, high=0.5, uniform=True)
rossler_b = quantity(float, "1", "parameter b of the Roessler system", one="b", low=0.1, high=0.5, uniform=True)
rossler_c = quantity(float, "1", "parameter c of the Roessler system", one="c", low=1.0, high=6.0, uniform=True)
linear_damping = quantity(float, "1", "damping coefficient", one="zeta damping", low=0.05, high=0.9, uniform=True)
scaled_displacement = quantity(float, "1", "scaled displacement", one="x q", many="x displacements", means="goal")
scaled_velocity = quantity(float, "1", "scaled velocity", one="v", many="v velocities")
prandtl_number = quantity(float, "1", "Prandtl number", one="sigma", low=1.0, high=4.0, uniform=True)
rayleigh_number = quantity(float, "1", "Rayleigh number", one="rho", low=1.0, high=4.0, uniform=True)
aspect_number = quantity(float, "1", "geometric factor", one="beta", low=0.5, high=3.0, uniform=True)
step_error = quantity(float, "1", "error of the step", one="err", many="errors", low=0.01, high=1.0)
next_step = quantity(float, "s", "step size", one="h_next", many="step_sizes", low=0.01, high=0.5)
error_tolerance = quantity(float, "1", "tolerance of a step", one="tol", low=0.05, high=0.5, uniform=True)
stiff_value = quantity(float, "1", "decaying value", one="y", many="values y", means="goal settles")
stiff_rate = quantity(float, "1/s", "decay rate", one="lam rate", many="rates lambdas", low=0.5, high=4.0)
equilibrium_value = quantity(float, "1", "equilibrium", one="y_eq rest", many="equilibria")
drive_value = quantity(float, "m/s^2", "driving acceleration", one="drive", many="drives forcing")
history_slope = quantity(float, "1/s", "previous slope", one="f_prev", many="previous_slopes")
current_slope = quantity(float, "1/s", "slope", one="f", many="rhs slopes")
pendulum_angle = quantity(float, "rad", "pendulum angle", one="theta", many="angles thetas", means="goal")
pendulum_rate = quantity(float, "rad/s", "angular rate", one="omega rate", many="rates omegas")
pendulum_length = quantity(float, "m", "pendulum length", one="length", many="lengths", low=0.5, high=2.0)
gravity_value = quantity(float, "m/s^2", "gravitational acceleration", one="g", low=1.0, high=8.0, uniform=True)
ring_coupling = quantity(float, "rad/s", "coupling strength", one="coupling k_c", low=0.1, high=1.0, uniform=True)
oscillator_phase = quantity(float, "rad", "phase", one="phase theta", many="phases")
natural_frequency = quantity(float, "rad/s", "natural frequency", one="w omega", many="natural_freqs", low=0.2, high=2.0)
order_vector = quantity(vec2, "1", "order vector", one="order", many="order_vectors", sums=True, means="total length")
phase_diffusion = quantity(float, "rad/s^0.5", "strength of the phase noise", one="eta phase_noise", low=0.05, high=0.5, uniform=True)
random_drive = quantity(float, "m/s^1.5", "strength of the random force", one="eta noise", low=0.05, high=0.5, uniform=True)
phase_pull = quantity(float, "rad/s", "phase pull", one="pull", many="pulls", sums=True, means="adds zero")


@formula
def lorenz_slope(
    s: system_state, sigma: prandtl_number, rho: rayleigh_number, beta: aspect_number,
) -> state_slope:
    "({sigma} (y - x), x ({rho} - z) - y, x y - {beta} z), the right side of the Lorenz system at {s} = (x, y, z)"
    x = s[0]
    y = s[1]
    z = s[2]
    return wp.vec3(sigma * (y - x), x * (rho - z) - y, x * y - beta * z)


@formula
def rossler_slope(s: rossler_state, a: rossler_a, b: rossler_b, c: rossler_c) -> rossler_rate:
    "(-y - z, x + {a} y, {b} + z (x - {c})), the right side of the Roessler system at {s} = (x, y, z)"
    x = s[0]
    y = s[1]
    z = s[2]
    return wp.vec3(-y - z, x + a * y, b + z * (x - c))


@formula
def euler_step(s: system_state, k: state_slope, dt: scaled_time_step) -> system_state:
    "{s} plus {dt} times {k}"
    return s + dt * k


@formula
def step_rossler_state(s: rossler_state, k: rossler_rate, dt: scaled_time_step) -> rossler_state:
    "{s} plus {dt} times {k}"
    return s + dt * k


@formula
def heun_step(s: system_state, k: state_slope, k2: second_slope, dt: scaled_time_step) -> system_state:
    "{s} plus {dt} times the mean of {k} and {k2}"
    return s + 0.5 * dt * (k + k2)


@formula
def damped_oscillator(
    x: oscillator_place, v: oscillator_speed, omega: angular_frequency, zeta: damping_ratio,
    drive: drive_value, dt: time_step,
) -> oscillator_speed:
    "{v} plus {dt} times ({drive} - 2 {zeta} {omega} {v} - {omega}^2 {x})"
    return v + dt * (drive - 2.0 * zeta * omega * v - omega * omega * x)


@formula
def van_der_pol(
    x: scaled_displacement, v: scaled_velocity, mu: nonlinearity, dt: scaled_time_step,
) -> scaled_velocity:
    "{v} plus {dt} times ({mu} (1 - {x}^2) {v} - {x})"
    return v + dt * (mu * (1.0 - x * x) * v - x)


@formula
def duffing(
    x: scaled_displacement, v: scaled_velocity, zeta: linear_damping, eps: nonlinearity,
    dt: scaled_time_step,
) -> scaled_velocity:
    "{v} plus {dt} times ({x} - {eps} {x}^3 - {zeta} {v})"
    return v + dt * (x - eps * x * x * x - zeta * v)


@formula
def drift_place(x: oscillator_place, v: oscillator_speed, dt: time_step) -> oscillator_place:
    "{x} plus {dt} times {v}"
    return x + dt * v


@formula
def drift_scaled(x: scaled_displacement, v: scaled_velocity, dt: scaled_time_step) -> scaled_displacement:
    "{x} plus {dt} times {v}"
    return x + dt * v


@formula
def implicit_decay(
    y: stiff_value, lam: stiff_rate, rest: equilibrium_value, dt: time_step,
) -> stiff_value:
    "the backward Euler step of a decay towards {rest} with the rate {lam}, which is ({y} + {dt} {lam} {rest}) / (1 + {dt} {lam})"
    h = dt * lam
    return (y + h * rest) / (1.0 + h)


@formula
def trapezoidal_decay(
    y: stiff_value, lam: stiff_rate, rest: equilibrium_value, dt: time_step,
) -> stiff_value:
    "the trapezoidal step of a decay towards {rest} with the rate {lam}, which is ((1 - h) {y} + 2 h {rest}) / (1 + h) with h = {dt} {lam} / 2"
    h = 0.5 * dt * lam
    return ((1.0 - h) * y + 2.0 * h * rest) / (1.0 + h)


@formula
def exact_decay(
    y: stiff_value, lam: stiff_rate, rest: equilibrium_value, dt: time_step,
) -> stiff_value:
    "{rest} plus ({y} - {rest}) exp(-{lam} {dt})"
    return rest + (y - rest) * wp.exp(-lam * dt)


@formula
def adams_bashforth(
    y: stiff_value, f: current_slope, f_prev: history_slope, dt: time_step,
) -> stiff_value:
    "{y} plus {dt} times (1.5 {f} - 0.5 {f_prev})"
    return y + dt * (1.5 * f - 0.5 * f_prev)


@formula
def adapted_step(h: next_step, err: step_error, tol: error_tolerance) -> next_step:
    "{h} times 0.9 sqrt({tol} / ({err} + 0.01)), but at most twice and at least 0.2 times {h}"
    factor = 0.9 * wp.sqrt(tol / (err + 0.01))
    return h * wp.clamp(factor, 0.2, 2.0)


@formula
def pendulum_rate_step(
    rate: pendulum_rate, theta: pendulum_angle, length: pendulum_length, g: gravity_value,
    dt: time_step,
) -> pendulum_rate:
    "{rate} minus {dt} {g} sin({theta}) / {length}"
    return rate - dt * g * wp.sin(theta) / length


@formula
def pendulum_angle_step(theta: pendulum_angle, rate: pendulum_rate, dt: time_step) -> pendulum_angle:
    "{theta} plus {dt} times {rate}"
    return theta + dt * rate


@formula
def kuramoto_pull(p: oscillator_phase, q: other.oscillator_phase, k: ring_coupling) -> phase_pull:
    "{k} sin({q} - {p})"
    return k * wp.sin(q - p)


@formula
def order_of_phase(p: oscillator_phase) -> order_vector:
    "(cos {p}, sin {p})"
    return wp.vec2(wp.cos(p), wp.sin(p))


@formula
def phase_step(
    p: oscillator_phase, w: natural_frequency, pull: phase_pull, dt: time_step,
) -> oscillator_phase:
    "{p} plus {dt} times ({w} + {pull})"
    return p + dt * (w + pull)


@formula
def noisy_phase_step(
    p: oscillator_phase, w: natural_frequency, eta: phase_diffusion, dt: time_step, state: random_state,
) -> oscillator_phase:
    "{p} + {dt} {w} + {eta} sqrt({dt}) z with a standard normal number z"
    return p + dt * w + eta * wp.sqrt(dt) * wp.randn(state)


@formula
def shaken_oscillator(
    x: oscillator_place, v: oscillator_speed, omega: angular_frequency, zeta: damping_ratio,
    eta: random_drive, dt: time_step, state: random_state,
) -> oscillator_speed:
    "{v} - {dt} (2 {zeta} {omega} {v} + {omega}^2 {x}) + {eta} sqrt({dt}) z with a standard normal number z"
    return v - dt * (2.0 * zeta * omega * v + omega * omega * x) + eta * wp.sqrt(dt) * wp.randn(state)


@algorithm
def runge_kutta_lorenz(
    s: system_state, sigma: prandtl_number, rho: rayleigh_number, beta: aspect_number,
    dt: scaled_time_step, s_out: out.system_state,
):
    "one classical Runge-Kutta step of the Lorenz system: the slopes k1 at {s}, k2 at {s} + {dt} k1 / 2, k3 at {s} + {dt} k2 / 2 and k4 at {s} + {dt} k3; {s} plus {dt} (k1 + 2 k2 + 2 k3 + k4) / 6"
    i = thread()
    guard(i)
    y = s[i]
    k1 = lorenz_slope(y, sigma, rho, beta)
    k2 = lorenz_slope(y + 0.5 * dt * k1, sigma, rho, beta)
    k3 = lorenz_slope(y + 0.5 * dt * k2, sigma, rho, beta)
    k4 = lorenz_slope(y + dt * k3, sigma, rho, beta)
    s_out[i] = y + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@algorithm
def midpoint_steps(
    s: rossler_state, a: rossler_a, b: rossler_b, c: rossler_c, dt: scaled_time_step, s_out: out.rossler_state,
):
    "three midpoint steps of the Roessler system from {s}: with the slope k at the state y, each adds {dt} times the slope at y + {dt} k / 2"
    i = thread()
    guard(i)
    y = s[i]
    for step in range(3):
        middle = y + 0.5 * dt * rossler_slope(y, a, b, c)
        y = y + dt * rossler_slope(middle, a, b, c)
    s_out[i] = y


@algorithm
def leapfrog_pendulum(
    theta: pendulum_angle, rate: pendulum_rate, length: pendulum_length, g: gravity_value,
    dt: time_step, theta_out: out.pendulum_angle, rate_out: out.pendulum_rate,
):
    "two leapfrog steps of each pendulum from the angle {theta} and the rate {rate}: the rate loses {dt} {g} sin(angle) / (2 {length}), the angle gains {dt} times the rate, and the rate loses {dt} {g} sin(angle) / (2 {length}) at the new angle; the last angle goes to {theta_out} and the last rate to {rate_out}"
    i = thread()
    guard(i)
    angle = theta[i]
    omega = rate[i]
    half = 0.5 * dt * g / length[i]
    for step in range(2):
        omega = omega - half * wp.sin(angle)
        angle = angle + dt * omega
        omega = omega - half * wp.sin(angle)
    theta_out[i] = angle
    rate_out[i] = omega


@algorithm
def adaptive_decay(
    y: stiff_value, lam: stiff_rate, tol: error_tolerance, dt: time_step, y_out: out.stiff_value,
    err_out: out.step_error,
):
    "one step of y' = -{lam} times y^3 from {y} by Euler's and by Heun's method: {err_out} is the magnitude of their difference, {y_out} the value of Heun's method if that difference is at most {tol}, else {y} as it is"
    i = thread()
    guard(i)
    value = y[i]
    rate = -lam[i]
    k1 = rate * value * value * value
    trial = value + dt * k1
    k2 = rate * trial * trial * trial
    heun = value + 0.5 * dt * (k1 + k2)
    err = wp.abs(heun - trial)
    err_out[i] = err
    if err <= tol:
        y_out[i] = heun
    else:
        y_out[i] = value
