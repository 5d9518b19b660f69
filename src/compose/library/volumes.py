# SPDX-License-Identifier: Apache-2.0
"""Fields on grids in space: diffusion, waves, gradients, phases, smoke."""

field("fields in space", element="voxel voxels", other="voxel voxels", link="face faces", dims=3, apart=True)

voxel_value = quantity(float, "1", "field value", one="u value", many="u field volume", means="range goal settles")
sound_pressure = quantity(float, "Pa", "sound pressure", one="p", many="p sound_pressure")
earlier_sound = quantity(float, "Pa", "previous sound pressure", one="old p_prev", many="p_prev")
voxel_laplacian = quantity(float, "1/m^2", "Laplacian", one="lap", many="laplacian")
voxel_gradient = quantity(vec3, "1/m", "gradient", one="grad", many="gradients", means="length")
voxel_normal = quantity(vec3, "1", "normal", one="n", many="voxel_normals")
voxel_size = quantity(float, "m", "voxel size", one="h dx", low=0.5, high=1.0, uniform=True)
volume_diffusivity = quantity(float, "m^2/s", "diffusivity", one="kappa d", low=0.05, high=0.5, uniform=True)
sound_speed = quantity(float, "m/s", "sound speed", one="c", many="sound_speed c", low=0.2, high=1.0)
space_velocity = quantity(vec3, "m/s", "velocity", one="v", many="velocity v", means="length goal")
space_divergence = quantity(float, "1/s", "divergence", one="div", many="divergence")
space_vorticity = quantity(vec3, "1/s", "vorticity", one="curl w", many="vorticity curl", means="length")
space_pressure = quantity(float, "m^2/s", "scaled pressure", one="p", many="pressure p", means="settles")
phase_field = quantity(float, "1", "phase field", one="phi", many="phi phases", low=0.05, high=1.0, means="goal")
chemical_potential = quantity(float, "1", "chemical potential", one="mu", many="mu potentials")
interface_width = quantity(float, "1", "interface width in voxels", one="eps width", low=0.2, high=1.0, uniform=True)
phase_noise = quantity(float, "1/s^0.5", "strength of the phase noise", one="eta noise", low=0.02, high=0.3, uniform=True)
mobility = quantity(float, "1/s", "mobility", one="mobility m_0", low=0.05, high=0.5, uniform=True)
level_value = quantity(float, "m", "signed front distance", one="phi", many="phi level_set")
front_speed = quantity(float, "m/s", "front speed", one="speed f", many="front_speed", low=0.1, high=1.0)
extinction = quantity(float, "1", "extinctions of the layers", one="sigma", many="sigma extinction", low=0.1, high=1.0)
ray_light = quantity(float, "1", "arriving light", one="light", many="light shadow")
voxel_density = quantity(float, "1", "densities", one="density", many="density volume", low=0.1, high=1.0)
coarse_value = quantity(float, "1", "coarse volume", one="c", many="coarse")
point_in_grid = quantity(vec3, "1", "points in grid units", one="p x", many="points", low=0.1, high=2.0)
point_value = quantity(float, "1", "interpolated values", one="value", many="values samples")


@formula
def seven_point_laplacian(
    u: voxel_value, w: west.voxel_value, e: east.voxel_value, s: south.voxel_value,
    n: north.voxel_value, b: below.voxel_value, a: above.voxel_value, h: voxel_size,
) -> voxel_laplacian:
    "({w} + {e} + {s} + {n} + {b} + {a} - 6 {u}) / {h}^2"
    return (w + e + s + n + b + a - 6.0 * u) / (h * h)


@formula
def diffuse_voxel(
    u: voxel_value, lap: voxel_laplacian, kappa: volume_diffusivity, dt: time_step,
) -> voxel_value:
    "{u} plus {dt} {kappa} {lap}"
    return u + dt * kappa * lap


@formula
def acoustic_step(
    p: sound_pressure, old: earlier_sound, w: west.sound_pressure, e: east.sound_pressure,
    s: south.sound_pressure, n: north.sound_pressure, b: below.sound_pressure,
    a: above.sound_pressure, c: sound_speed, h: voxel_size, dt: time_step,
) -> sound_pressure:
    "2 {p} - {old} + ({c} {dt} / {h})^2 (s - 6 {p}), where s is the sum of the six neighbors of {p}"
    k = c * dt / h
    return 2.0 * p - old + k * k * (w + e + s + n + b + a - 6.0 * p)


@formula(inner=True)
def gradient_of_voxel(
    w: west.voxel_value, e: east.voxel_value, s: south.voxel_value, n: north.voxel_value,
    b: below.voxel_value, a: above.voxel_value, h: voxel_size,
) -> voxel_gradient:
    "the vector ({e} - {w}, {n} - {s}, {a} - {b}) divided by 2 {h}"
    return wp.vec3(e - w, n - s, a - b) / (2.0 * h)


@formula
def normal_of_voxel(grad: voxel_gradient) -> voxel_normal:
    "minus the unit vector along {grad}"
    return -wp.normalize(grad)


@formula(inner=True)
def grid_divergence(
    w: west.space_velocity, e: east.space_velocity, s: south.space_velocity,
    n: north.space_velocity, b: below.space_velocity, a: above.space_velocity, h: voxel_size,
) -> space_divergence:
    "({e}[0] - {w}[0] + {n}[1] - {s}[1] + {a}[2] - {b}[2]) / (2 {h})"
    return (e[0] - w[0] + n[1] - s[1] + a[2] - b[2]) / (2.0 * h)


@formula(inner=True)
def grid_vorticity(
    w: west.space_velocity, e: east.space_velocity, s: south.space_velocity,
    n: north.space_velocity, b: below.space_velocity, a: above.space_velocity, h: voxel_size,
) -> space_vorticity:
    "the curl by central differences, which is the vector (dy[2] - dz[1], dz[0] - dx[2], dx[1] - dy[0]) divided by 2 {h}, where dx = {e} - {w}, dy = {n} - {s} and dz = {a} - {b}"
    across_x = e - w
    across_y = n - s
    across_z = a - b
    x = across_y[2] - across_z[1]
    y = across_z[0] - across_x[2]
    z = across_x[1] - across_y[0]
    return wp.vec3(x, y, z) / (2.0 * h)


@formula
def pressure_jacobi_step(
    w: west.space_pressure, e: east.space_pressure, s: south.space_pressure,
    n: north.space_pressure, b: below.space_pressure, a: above.space_pressure,
    div: space_divergence, h: voxel_size,
) -> space_pressure:
    "a Jacobi step of the Poisson equation, ({w} + {e} + {s} + {n} + {b} + {a} - {h}^2 {div}) / 6"
    return (w + e + s + n + b + a - h * h * div) / 6.0


@formula(inner=True)
def divergence_free_velocity(
    v: space_velocity, w: west.space_pressure, e: east.space_pressure, s: south.space_pressure,
    n: north.space_pressure, b: below.space_pressure, a: above.space_pressure, h: voxel_size,
) -> space_velocity:
    "{v} minus the vector ({e} - {w}, {n} - {s}, {a} - {b}) divided by 2 {h}"
    return v - wp.vec3(e - w, n - s, a - b) / (2.0 * h)


@formula
def phase_potential(
    phi: phase_field, w: west.phase_field, e: east.phase_field, s: south.phase_field,
    n: north.phase_field, b: below.phase_field, a: above.phase_field, eps: interface_width,
) -> chemical_potential:
    "{phi}^3 - {phi} - {eps}^2 (s - 6 {phi}), where s is the sum of the six neighbors of {phi}"
    lap = w + e + s + n + b + a - 6.0 * phi
    return phi * phi * phi - phi - eps * eps * lap


@formula
def relax_phase(
    phi: phase_field, mu: chemical_potential, m: mobility, dt: time_step,
) -> phase_field:
    "an Allen-Cahn step, {phi} - {dt} {m} {mu}"
    return phi - dt * m * mu


@formula
def advance_front(
    phi: level_value, w: west.level_value, e: east.level_value, s: south.level_value,
    n: north.level_value, b: below.level_value, a: above.level_value, speed: front_speed,
    h: voxel_size, dt: time_step,
) -> level_value:
    "{phi} - {dt} {speed} |g| / {h}, where the components of g are the largest of {phi} - {w}, {phi} - {e} and 0, that of {phi} - {s}, {phi} - {n} and 0, and that of {phi} - {b}, {phi} - {a} and 0"
    gx = wp.max(wp.max(phi - w, phi - e), 0.0)
    gy = wp.max(wp.max(phi - s, phi - n), 0.0)
    gz = wp.max(wp.max(phi - b, phi - a), 0.0)
    return phi - dt * speed * wp.length(wp.vec3(gx, gy, gz)) / h


@algorithm(dims=2, element="column columns")
def light_of_columns(
    density: voxel_density["n,m,k"], sigma: extinction["k"], light: out.ray_light["n,m,k"],
):
    "lets light fall from above through each column i, j of a volume, from the last layer down to layer 0: the light that arrives at the last layer is 1, and below each layer k it is multiplied by exp(-{sigma}[k] {density}[i, j, k]); {light} gets what arrives at each voxel"
    i, j = thread()
    guard(i, j)
    layers = density.shape[2]
    left = float(1.0)
    for step in range(layers):
        k = layers - 1 - step
        light[i, j, k] = left
        left = left * wp.exp(-sigma[k] * density[i, j, k])


@algorithm
def coarsen_volume(u: voxel_value["2*n,2*m,2*l"], coarse: out.coarse_value["n,m,l"]):
    "coarsens a volume: each voxel of {coarse} is the mean of a block of 2 by 2 by 2 voxels of {u}"
    i, j, k = thread()
    guard(i, j, k)
    total = float(0.0)
    for a in range(2):
        for b in range(2):
            total += u[2 * i + a, 2 * j + b, 2 * k] + u[2 * i + a, 2 * j + b, 2 * k + 1]
    coarse[i, j, k] = 0.125 * total


@algorithm(dims=1, element="point points")
def sample_volume(
    points: point_in_grid["n"], u: voxel_value["k+2,b+2,c+2"], values: out.point_value["n"],
):
    "the trilinear interpolation of {u} at each point, given in units of voxels and clamped to the range from 0 to the last index along each axis"
    i = thread()
    guard(i)
    p = points[i]
    x = wp.clamp(p[0], 0.0, float(u.shape[0] - 1))
    y = wp.clamp(p[1], 0.0, float(u.shape[1] - 1))
    z = wp.clamp(p[2], 0.0, float(u.shape[2] - 1))
    a = wp.min(int(wp.floor(x)), u.shape[0] - 2)
    b = wp.min(int(wp.floor(y)), u.shape[1] - 2)
    c = wp.min(int(wp.floor(z)), u.shape[2] - 2)
    fx = x - float(a)
    fy = y - float(b)
    fz = z - float(c)
    v00 = wp.lerp(u[a, b, c], u[a, b, c + 1], fz)
    v01 = wp.lerp(u[a, b + 1, c], u[a, b + 1, c + 1], fz)
    v10 = wp.lerp(u[a + 1, b, c], u[a + 1, b, c + 1], fz)
    v11 = wp.lerp(u[a + 1, b + 1, c], u[a + 1, b + 1, c + 1], fz)
    values[i] = wp.lerp(wp.lerp(v00, v01, fy), wp.lerp(v10, v11, fy), fx)


@algorithm
def relax_noisy_phase(
    phi: phase_field, mu: chemical_potential, m: mobility, eta: phase_noise, dt: time_step,
    seed: voxel_seed, phi_out: out.phase_field,
):
    "an Allen-Cahn step with thermal noise: each voxel gets {phi} - {dt} {m} {mu} + {eta} sqrt({dt}) z with a standard normal number z"
    i, j, k = thread()
    guard(i, j, k)
    state = wp.rand_init(seed, (i * count(element, 1) + j) * count(element, 2) + k)
    noise = eta * wp.sqrt(dt) * wp.randn(state)
    phi_out[i, j, k] = phi[i, j, k] - dt * m * mu[i, j, k] + noise


voxel_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)
