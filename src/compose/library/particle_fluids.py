# SPDX-License-Identifier: Apache-2.0
"""Fluids and flocks of particles, which find their neighbors by a hash grid."""

field("fluids and flocks of particles", element="particle particles", other="particle particles", link="pair pairs", moves=True, state=True, share=2)

box_reach = quantity(float, "m", "reach of the query along each axis", one="reach half_size box_reach", low=0.5, high=2.0, uniform=True)
cutoff_radius = quantity(float, "m", "cutoff radius", one="cutoff support cutoff_radius", low=0.5, high=2.0, uniform=True, reach=True)
fluid_position = quantity(vec3, "m", "position", one="x p", many="positions x particle_x pos")
fluid_velocity = quantity(vec3, "m/s", "velocity", one="v vel", many="velocities v particle_v")
density_of_others = quantity(float, "kg/m^3", "neighbor density", one="rho_others", many="neighbor_densities rho_n", low=0.1, high=2.0, sums=True, means="zero")
fluid_density = quantity(float, "kg/m^3", "density", one="rho density", many="rho densities particle_rho", low=0.5, high=4.0, means="peak alarm bins goal")
fluid_pressure = quantity(float, "Pa", "pressure", one="p pressure", many="pressures p", low=0.1, high=4.0, means="peak alarm")
force_density = quantity(vec3, "N/m^3", "force density", one="f", many="force_densities particle_f", sums=True, means="adds length")
fluid_acceleration = quantity(vec3, "m/s^2", "acceleration", one="a", many="particle_a accelerations", sums=True, means="adds length cap")
rest_density = quantity(float, "kg/m^3", "density at rest", one="rho0 rest_density", low=0.5, high=2.0, uniform=True)
gas_stiffness = quantity(float, "J/kg", "stiffness of the fluid", one="stiffness k_gas", low=0.5, high=4.0, uniform=True)
dynamic_viscosity = quantity(float, "Pa s", "viscosity", one="mu viscosity", low=0.1, high=1.0, uniform=True)
velocity_difference = quantity(vec3, "m/s", "change of velocity", one="dv", many="dv delta_v", sums=True, means="adds length")
mixing_factor = quantity(float, "1", "mixing factor", one="epsilon mixing", low=0.1, high=0.5, uniform=True)
neighbor_number = quantity(int, "1", "number of neighbors", one="count", many="counts neighbor_counts", low=0, high=9)
nearest_index = quantity(int, "1", "index of the nearest neighbor", one="nearest", many="nearest nearest_ids", low=-1, high=4)
neighbor_slot = quantity(int, "1", "lists of neighbors", one="slot", many="neighbor_lists neighbors", low=-1, high=4)
cohesion_weight = quantity(float, "1/s^2", "weight of cohesion", one="cohesion w_cohesion", low=0.1, high=1.0, uniform=True)
alignment_weight = quantity(float, "1/s", "weight of alignment", one="alignment w_align", low=0.1, high=1.0, uniform=True)
cluster_label = quantity(int, "1", "label", one="label", many="labels cluster_ids", low=0, high=9)
density_correction = quantity(vec3, "m", "position correction", one="dp", many="deltas corrections", sums=True, means="adds length")
constraint_multiplier = quantity(float, "m^2", "density multiplier", one="lam", many="lambdas multipliers")
flock_heading = quantity(vec3, "1", "unit heading", one="heading", many="headings", unit_length=True)
heading_noise = quantity(float, "1", "noise of the heading", one="eta noise", low=0.1, high=0.5, uniform=True)
covariance_part = quantity(mat33, "m^2", "neighborhood covariance", one="cov", many="covariances", sums=True)


@formula(alone=True)
def density_of_neighbor(x: fluid_position, y: other.fluid_position, m: other.mass, h: cutoff_radius) -> density_of_others:
    "zero if the distance r between {x} and {y} is above {h}, else {m} times (315 / (64 pi {h}^9)) ({h}^2 - r^2)^3"
    d = x - y
    s = wp.max(h * h - wp.dot(d, d), 0.0)
    return m * 315.0 / (64.0 * wp.pi * wp.pow(h, 9.0)) * s * s * s


@formula
def density_with_own_share(rho_n: density_of_others, m: mass, h: cutoff_radius) -> fluid_density:
    "{rho_n} plus the particle's own share, 315 {m} / (64 pi {h}^3)"
    return rho_n + 315.0 * m / (64.0 * wp.pi * h * h * h)


@formula(alone=True)
def pressure_of_density(rho: fluid_density, k: gas_stiffness, rho0: rest_density) -> fluid_pressure:
    "{k} ({rho} - {rho0}), but not below zero"
    return wp.max(k * (rho - rho0), 0.0)


@formula
def pressure_push(x: fluid_position, y: other.fluid_position, p: fluid_pressure, q: other.fluid_pressure,
                  rho: other.fluid_density, m: other.mass, h: cutoff_radius) -> force_density:
    "zero if the distance r between {x} and {y} is above {h}, else {m} ({p} + {q}) / (2 {rho}) times (45 / (pi {h}^6)) ({h} - r)^2 along the unit vector from {y} to {x}"
    d = x - y
    s = wp.max(h - wp.length(d), 0.0)
    slope = 45.0 / (wp.pi * wp.pow(h, 6.0)) * s * s
    return wp.normalize(d) * (m * (p + q) / (2.0 * rho) * slope)


@formula
def viscous_drag(x: fluid_position, y: other.fluid_position, v: fluid_velocity, u: other.fluid_velocity,
                 rho: other.fluid_density, m: other.mass, h: cutoff_radius, mu: dynamic_viscosity) -> force_density:
    "zero if the distance r between {x} and {y} is above {h}, else {mu} {m} / {rho} times (45 / (pi {h}^6)) ({h} - r) times ({u} - {v})"
    s = wp.max(h - wp.length(x - y), 0.0)
    return mu * m / rho * 45.0 / (wp.pi * wp.pow(h, 6.0)) * s * (u - v)


@formula
def force_to_acceleration(f: force_density, rho: fluid_density) -> fluid_acceleration:
    "{f} divided by {rho}"
    return f / rho


@formula(alone=True)
def velocity_mixing(x: fluid_position, y: other.fluid_position, v: fluid_velocity, u: other.fluid_velocity,
                    h: cutoff_radius, eps: mixing_factor) -> velocity_difference:
    "zero if the distance r between {x} and {y} is above {h}, else {eps} (1 - r / {h}) ({u} - {v})"
    w = wp.max(1.0 - wp.length(x - y) / h, 0.0)
    return eps * w * (u - v)


@formula(alone=True)
def spiky_correction(x: fluid_position, y: other.fluid_position, lam: constraint_multiplier, lam_j: other.constraint_multiplier,
                     m: other.mass, h: cutoff_radius, rho0: rest_density) -> density_correction:
    "zero if the distance r between {x} and {y} is above {h}, else {m} ({lam} + {lam_j}) / {rho0} times -(45 / (pi {h}^6)) ({h} - r)^2 along the unit vector from {y} to {x}"
    d = x - y
    s = wp.max(h - wp.length(d), 0.0)
    slope = -45.0 / (wp.pi * wp.pow(h, 6.0)) * s * s
    return wp.normalize(d) * (m * (lam + lam_j) / rho0 * slope)


@algorithm
def compute_density(grid: grid_id, x: fluid_position, m: mass, h: cutoff_radius, rho: out.fluid_density):
    "the density of each particle: the sum over all particles that {grid} finds within {h}, the particle itself included, and that have a distance r below {h}, of {m} times (315 / (64 pi {h}^9)) ({h}^2 - r^2)^3; the threads take the particles in the order of the grid's cells, by `wp.hash_grid_point_id`"
    tid = thread()
    i = wp.hash_grid_point_id(grid, tid)
    xi = x[i]
    h2 = h * h
    total = float(0.0)
    for j in wp.hash_grid_query(grid, xi, h):
        d = xi - x[j]
        r2 = wp.dot(d, d)
        if r2 < h2:
            s = h2 - r2
            total += m[j] * s * s * s
    rho[i] = total * 315.0 / (64.0 * wp.pi * wp.pow(h, 9.0))


@algorithm
def count_neighbors(grid: grid_id, x: fluid_position, radius: cutoff_radius, counts: out.neighbor_number):
    "counts for each particle the others that are nearer than {radius}, among those that {grid} gives for a query with this radius"
    i = thread()
    guard(i)
    p = x[i]
    query = wp.hash_grid_query(grid, p, radius)
    j = int(0)
    n = int(0)
    while wp.hash_grid_query_next(query, j):
        if j != i and wp.length(x[j] - p) < radius:
            n += 1
    counts[i] = n


@algorithm
def find_nearest_neighbor(grid: grid_id, x: fluid_position, radius: cutoff_radius, nearest: out.nearest_index):
    "for each particle the index of the nearest other one that {grid} finds and that is nearer than {radius}; -1 if there is none"
    i = thread()
    guard(i)
    p = x[i]
    best = int(-1)
    least = radius * radius
    for j in wp.hash_grid_query(grid, p, radius):
        d = x[j] - p
        r2 = wp.dot(d, d)
        if j != i and r2 < least:
            least = r2
            best = j
    nearest[i] = best


@algorithm
def build_neighbor_lists(grid: grid_id, x: fluid_position, radius: cutoff_radius,
                         lists: out.neighbor_slot["n,4"], counts: out.neighbor_number):
    "for each particle the first four others, in the order in which {grid} gives them, that are nearer than {radius}, go to a row of {lists}, and {counts} gets the number of its entries that are used; the other entries stay as they are"
    i = thread()
    guard(i)
    p = x[i]
    n = int(0)
    query = wp.hash_grid_query(grid, p, radius)
    j = int(0)
    while wp.hash_grid_query_next(query, j):
        if j == i or wp.length(x[j] - p) >= radius:
            continue
        lists[i, n] = j
        n += 1
        if n == 4:
            break
    counts[i] = n


@algorithm
def steer_flock(grid: grid_id, x: fluid_position, v: fluid_velocity, radius: cutoff_radius, cohesion: cohesion_weight,
                alignment: alignment_weight, a: out.fluid_acceleration):
    "for each member of a flock, with the neighbors that {grid} finds and that are nearer than {radius}: {cohesion} (c - x) + {alignment} (u - v), where c is the mean of their positions, u that of their velocities, and x and v are its own position and velocity; zero if it has no neighbors"
    i = thread()
    guard(i)
    xi = x[i]
    center = wp.vec3()
    drift = wp.vec3()
    n = int(0)
    for j in wp.hash_grid_query(grid, xi, radius):
        xj = x[j]
        if j != i and wp.length(xj - xi) < radius:
            center += xj
            drift += v[j]
            n += 1
    if n == 0:
        a[i] = wp.vec3()
        return
    a[i] = cohesion * (center / float(n) - xi) + alignment * (drift / float(n) - v[i])


@algorithm
def lower_labels_of_neighbors(grid: grid_id, x: fluid_position, radius: cutoff_radius, labels: cluster_label,
                              lowered: out.cluster_label):
    "makes one step of grouping particles: the smallest of a particle's own entry of {labels} and those of all particles that {grid} finds and that are nearer than {radius}"
    i = thread()
    guard(i)
    p = x[i]
    least = labels[i]
    for j in wp.hash_grid_query(grid, p, radius):
        if wp.length(x[j] - p) < radius:
            least = wp.min(least, labels[j])
    lowered[i] = least


@algorithm
def covariance_of_neighbors(grid: grid_id, x: fluid_position, radius: cutoff_radius, cov: out.covariance_part):
    "for each particle the sum of the outer products of d with itself, over the vectors d from it to all particles that {grid} finds and that are nearer than {radius}"
    i = thread()
    guard(i)
    p = x[i]
    total = wp.mat33()
    for j in wp.hash_grid_query(grid, p, radius):
        d = x[j] - p
        if wp.length(d) < radius:
            total += wp.outer(d, d)
    cov[i] = total


@formula(alone=True, first=True)
def noisy_heading(h: flock_heading, eta: heading_noise, state: random_state) -> flock_heading:
    "the unit vector along {h} plus {eta} times a random unit vector that `wp.sample_unit_sphere_surface` draws"
    return wp.normalize(h + eta * wp.sample_unit_sphere_surface(state))
