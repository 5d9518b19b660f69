# SPDX-License-Identifier: Apache-2.0
"""Orbital mechanics: orbits, anomalies, transfers, perturbations."""

field("orbital mechanics", element="satellite satellites", other="body bodies", link="pair pairs",
      group="constellation constellations", state=True, share=1)

orbit_position = quantity(vec3, "m", "position", one="r pos", many="positions r", means="goal")
orbit_velocity = quantity(vec3, "m/s", "velocity", one="v vel", many="velocities v", means="length goal")
orbit_acceleration = quantity(vec3, "m/s^2", "acceleration", one="a acc", many="acc accelerations", sums=True, means="adds length")
perturbation = quantity(vec3, "m/s^2", "perturbing acceleration", one="perturb a_pert", many="perturbations", sums=True, means="adds length")
gravitational_parameter = quantity(float, "m^3/s^2", "gravitational parameter of the center", one="mu gm", low=0.5, high=4.0, uniform=True)
body_position = quantity(vec3, "m", "position", one="b body", many="body_positions")
body_parameter = quantity(float, "m^3/s^2", "gravitational parameter", one="gm", many="gms body_mus", low=0.1, high=2.0)
softening_radius = quantity(float, "m", "softening radius", one="eps soft", low=0.2, high=0.8, uniform=True)
specific_energy = quantity(float, "m^2/s^2", "specific energy", one="energy e", many="energies", means="goal")
angular_momentum = quantity(vec3, "m^2/s", "specific angular momentum", one="h", many="h momenta", means="length")
eccentricity_vector = quantity(vec3, "1", "eccentricity vector", one="e ecc", many="ecc_vectors", means="length")
semi_major_axis = quantity(float, "m", "semi-major axis", one="a sma", many="semi_axes sma", low=0.5, high=4.0)
orbit_eccentricity = quantity(float, "1", "eccentricity", one="e ecc", many="eccs", low=0.05, high=0.6)
true_anomaly = quantity(float, "rad", "true anomaly", one="nu", many="nu anomalies")
orbit_mean_anomaly = quantity(float, "rad", "mean anomaly", one="m", many="mean_anomalies")
orbit_period = quantity(float, "s", "orbital period", one="period", many="periods")
parking_radius = quantity(float, "m", "radius of the circular orbit", one="radius r", many="orbit_radii parking_radii", low=0.5, high=4.0, not_with="orbit_eccentricity")
orbit_radius = quantity(float, "m", "orbit radius", one="radius r", many="radii", low=0.5, high=4.0, means="peak lowest")
circular_speed = quantity(float, "m/s", "circular speed", one="vc", many="circular_speeds")
transfer_speed = quantity(float, "m/s", "speed change", one="dv delta_v", many="delta_vs", means="total zero")
target_radius = quantity(float, "m", "radius of the target orbit", one="r2 target", low=1.0, high=4.0, uniform=True)
oblateness = quantity(float, "1", "oblateness coefficient J2", one="j2", low=0.01, high=0.1, uniform=True)
planet_radius = quantity(float, "m", "planet radius", one="re planet_radius", low=0.5, high=1.0, uniform=True)
air_density_at_ground = quantity(float, "kg/m^3", "air density at the ground", one="rho0", low=0.1, high=1.0, uniform=True)
scale_height = quantity(float, "m", "scale height", one="scale_height hs", low=0.5, high=2.0, uniform=True)
ballistic_coefficient = quantity(float, "m^2/kg", "drag area per mass", one="bc area_per_mass", many="ballistic drag_areas", low=0.1, high=1.0)
inclination = quantity(float, "rad", "inclination", one="inc", many="inclinations", low=0.1, high=1.5)
ascending_node = quantity(float, "rad", "node longitude", one="node raan", many="nodes raans", low=0.1, high=3.0)
orbit_plane_point = quantity(vec2, "m", "in-plane point", one="p", many="plane_points")
elapsed_time = quantity(float, "s", "elapsed time", one="elapsed t_elapsed", low=0.5, high=4.0, uniform=True)
exhaust_speed = quantity(float, "m/s", "exhaust speed", one="ve", low=1.0, high=4.0, uniform=True)
dry_mass = quantity(float, "kg", "dry mass", one="m_dry dry", many="dry_masses", low=1.0, high=4.0)
fuel_mass = quantity(float, "kg", "fuel mass", one="fuel", many="fuel", low=0.1, high=0.9)
burn_size = quantity(float, "m/s", "size of the burn", one="burn dv_size", many="burns", low=0.1, high=1.0)
burn_error = quantity(float, "1", "relative error of burns", one="burn_error", low=0.01, high=0.2, uniform=True)
tracking_error = quantity(float, "m", "deviation of the tracking", one="sigma_track tracking_std", low=0.02, high=0.3, uniform=True)
tracked_position = quantity(vec3, "m", "tracked position", one="tracked", many="tracked_positions", means="goal")
shadow_flag = quantity(int, "1", "shadow flag", one="shadow", many="in_shadow", low=0, high=1)
sun_axis = quantity(vec3, "1", "direction of the sun", one="sun", uniform=True)
sphere_of_body = quantity(int, "1", "home body index (-1: none)", one="home", many="homes body_ids", low=-1, high=3)


@formula(alone=True)
def center_pull(r: orbit_position, mu: gravitational_parameter, eps: softening_radius) -> orbit_acceleration:
    "-{mu} {r} / d^3, where d^2 is the squared length of {r} plus {eps}^2"
    d2 = wp.dot(r, r) + eps * eps
    return -mu / (d2 * wp.sqrt(d2)) * r


@formula
def perturbed_pull(
    r: orbit_position, p: perturbation, mu: gravitational_parameter, eps: softening_radius,
) -> orbit_acceleration:
    "{p} minus {mu} {r} / d^3, the pull of the center, where d^2 is the squared length of {r} plus {eps}^2"
    return p + center_pull(r, mu, eps)


@formula
def body_pull(
    r: orbit_position, b: other.body_position, gm: other.body_parameter, eps: softening_radius,
) -> perturbation:
    "{gm} ({b} - {r}) / d^3, where d^2 is the squared length of {b} - {r} plus {eps}^2"
    d = b - r
    d2 = wp.dot(d, d) + eps * eps
    return gm / (d2 * wp.sqrt(d2)) * d


@formula
def kick(v: orbit_velocity, a: orbit_acceleration, dt: time_step) -> orbit_velocity:
    "{v} plus {dt} times {a}"
    return v + dt * a


@formula
def burn_along_flight(v: orbit_velocity, burn: burn_size, error: burn_error, state: random_state) -> orbit_velocity:
    "{v} plus {burn} (1 + {error} z) along the unit vector of {v}, with a standard normal number z"
    return v + burn * (1.0 + error * wp.randn(state)) * wp.normalize(v)


@formula(alone=True)
def track_satellite(r: orbit_position, sigma: tracking_error, state: random_state) -> tracked_position:
    "{r} plus {sigma} times a vector of three standard normal numbers"
    return r + sigma * wp.vec3(wp.randn(state), wp.randn(state), wp.randn(state))


@formula
def drift(r: orbit_position, v: orbit_velocity, dt: time_step) -> orbit_position:
    "{r} plus {dt} times {v}"
    return r + dt * v


@formula(first=True)
def orbit_energy(
    r: orbit_position, v: orbit_velocity, mu: gravitational_parameter, eps: softening_radius,
) -> specific_energy:
    "|{v}|^2 / 2 - {mu} / sqrt(|{r}|^2 + {eps}^2)"
    return 0.5 * wp.dot(v, v) - mu / wp.sqrt(wp.dot(r, r) + eps * eps)


@formula
def orbit_momentum(r: orbit_position, v: orbit_velocity) -> angular_momentum:
    "the cross product of {r} and {v}"
    return wp.cross(r, v)


@formula(first=True)
def eccentricity_of_orbit(
    v: orbit_velocity, r: orbit_position, mu: gravitational_parameter,
) -> eccentricity_vector:
    "the cross product of {v} and the specific angular momentum {r} x {v}, divided by {mu}, minus the unit vector along {r}"
    return wp.cross(v, wp.cross(r, v)) / mu - wp.normalize(r)


@formula
def period_of_orbit(a: semi_major_axis, mu: gravitational_parameter) -> orbit_period:
    "2 pi sqrt({a}^3 / {mu})"
    return 2.0 * wp.pi * wp.sqrt(a * a * a / mu)


@formula
def advance_anomaly(
    m: orbit_mean_anomaly, a: semi_major_axis, mu: gravitational_parameter, t: elapsed_time,
) -> orbit_mean_anomaly:
    "{m} plus {t} sqrt({mu} / {a}^3)"
    return m + t * wp.sqrt(mu / (a * a * a))


@formula
def true_from_mean(m: orbit_mean_anomaly, e: orbit_eccentricity) -> true_anomaly:
    "by the equation of the center to the second order, {m} + 2 {e} sin({m}) + 1.25 {e}^2 sin(2 {m})"
    return m + 2.0 * e * wp.sin(m) + 1.25 * e * e * wp.sin(2.0 * m)


@formula
def radius_at(a: semi_major_axis, e: orbit_eccentricity, nu: true_anomaly) -> orbit_radius:
    "{a} (1 - {e}^2) / (1 + {e} cos({nu}))"
    return a * (1.0 - e * e) / (1.0 + e * wp.cos(nu))


@formula
def point_in_plane(a: semi_major_axis, e: orbit_eccentricity, nu: true_anomaly) -> orbit_plane_point:
    "r (cos {nu}, sin {nu}) with the radius r = {a} (1 - {e}^2) / (1 + {e} cos({nu}))"
    c = wp.cos(nu)
    radius = a * (1.0 - e * e) / (1.0 + e * c)
    return radius * wp.vec2(c, wp.sin(nu))


@formula
def out_of_plane(
    p: orbit_plane_point, inc: inclination, node: ascending_node,
) -> orbit_position:
    "the point {p} of the orbit's plane turned by {inc} about the x axis and then by {node} about the z axis"
    y = p[1] * wp.cos(inc)
    c = wp.cos(node)
    s = wp.sin(node)
    return wp.vec3(c * p[0] - s * y, s * p[0] + c * y, p[1] * wp.sin(inc))


@formula
def circular_speed_at(radius: orbit_radius, mu: gravitational_parameter) -> circular_speed:
    "sqrt({mu} / {radius})"
    return wp.sqrt(mu / radius)


@formula
def first_transfer_burn(
    radius: parking_radius, target: target_radius, mu: gravitational_parameter,
) -> transfer_speed:
    "the first burn of a Hohmann transfer from the circular orbit of radius {radius} to that of radius {target}, which is sqrt({mu} / {radius}) (sqrt(2 {target} / ({radius} + {target})) - 1)"
    return wp.sqrt(mu / radius) * (wp.sqrt(2.0 * target / (radius + target)) - 1.0)


@formula
def speed_gain(m: dry_mass, fuel: fuel_mass, ve: exhaust_speed) -> transfer_speed:
    "by the rocket equation, {ve} times the natural logarithm of ({m} + {fuel}) / {m}"
    return ve * wp.log((m + fuel) / m)


@formula
def oblate_pull(
    r: orbit_position, mu: gravitational_parameter, j2: oblateness, re: planet_radius,
) -> perturbation:
    "the pull of a planet's oblateness, the vector k ({r}[0] (5 z - 1), {r}[1] (5 z - 1), {r}[2] (5 z - 3)) with d^2 = |{r}|^2 + 0.5, k = 1.5 {j2} {mu} {re}^2 / d^5 and z = {r}[2]^2 / d^2"
    d2 = wp.dot(r, r) + 0.5
    k = 1.5 * j2 * mu * re * re / (d2 * d2 * wp.sqrt(d2))
    z = 5.0 * r[2] * r[2] / d2
    return k * wp.vec3(r[0] * (z - 1.0), r[1] * (z - 1.0), r[2] * (z - 3.0))


@formula
def air_drag(
    v: orbit_velocity, r: orbit_position, rho0: air_density_at_ground, hs: scale_height,
    re: planet_radius, bc: ballistic_coefficient,
) -> perturbation:
    "-({bc} / 2) d |{v}| times {v} with the air density d = {rho0} exp(-(|{r}| - {re}) / {hs})"
    rho = rho0 * wp.exp(-(wp.length(r) - re) / hs)
    return -0.5 * bc * rho * wp.length(v) * v


@formula(alone=True)
def in_shadow(r: orbit_position, sun: sun_axis, re: planet_radius) -> shadow_flag:
    "1 if {r} lies behind the planet as seen from the sun, along the unit vector of {sun}, and nearer than {re} to the axis of the shadow, else 0"
    u = wp.normalize(sun)
    along = wp.dot(r, u)
    if along >= 0.0:
        return 0
    if wp.length(r - along * u) < re:
        return 1
    return 0


@algorithm
def leapfrog_orbits(
    r: orbit_position, v: orbit_velocity, mu: gravitational_parameter, eps: softening_radius,
    dt: time_step, r_out: out.orbit_position, v_out: out.orbit_velocity,
):
    "three kick-drift-kick steps around a center from {r} and {v}: the velocity gains ({dt} / 2) times the pull -{mu} x / d^3 at the position x, with d^2 = |x|^2 + {eps}^2, the position gains {dt} times the velocity, and the velocity gains ({dt} / 2) times the pull at the new position; the last position goes to {r_out} and the last velocity to {v_out}"
    i = thread()
    guard(i)
    x = r[i]
    u = v[i]
    for step in range(3):
        u = u + 0.5 * dt * center_pull(x, mu, eps)
        x = x + dt * u
        u = u + 0.5 * dt * center_pull(x, mu, eps)
    r_out[i] = x
    v_out[i] = u


@algorithm
def pull_of_home_body(
    r: orbit_position, homes: sphere_of_body["-1:b"], b: body_position["b"],
    gm: body_parameter["b"], eps: softening_radius, a: out.orbit_acceleration,
):
    "the pull of the body that each satellite belongs to: {gm} d / (|d|^2 + {eps}^2)^1.5 with d from {r} to the body; satellites without a body (-1) get the sum of the pulls of all bodies"
    i = thread()
    guard(i)
    home = homes[i]
    x = r[i]
    if home >= 0:
        a[i] = body_pull(x, b[home], gm[home], eps)
        return
    total = wp.vec3(0.0, 0.0, 0.0)
    for k in range(b.shape[0]):
        total += body_pull(x, b[k], gm[k], eps)
    a[i] = total


@algorithm
def positions_from_elements(
    a: semi_major_axis, e: orbit_eccentricity, m: orbit_mean_anomaly, inc: inclination,
    node: ascending_node, r: out.orbit_position,
):
    "the position on each orbit: with E from three Newton steps for E - {e} sin(E) = {m} that begin at E = {m}, it is the point ({a} (cos(E) - {e}), {a} sqrt(1 - {e}^2) sin(E)) of the orbit's plane, turned by {inc} about the x axis and then by {node} about the z axis; an {e} above 0.9 counts as 0.9"
    i = thread()
    guard(i)
    ecc = wp.min(e[i], 0.9)
    mean = m[i]
    axis = a[i]
    anomaly = float(mean)
    for k in range(3):
        miss = anomaly - ecc * wp.sin(anomaly) - mean
        anomaly = anomaly - miss / (1.0 - ecc * wp.cos(anomaly))
    x = axis * (wp.cos(anomaly) - ecc)
    y = axis * wp.sqrt(1.0 - ecc * ecc) * wp.sin(anomaly)
    r[i] = out_of_plane(wp.vec2(x, y), inc[i], node[i])
