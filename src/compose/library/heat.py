# SPDX-License-Identifier: Apache-2.0
"""Heat conduction."""

field("heat conduction", element="cell cells", other="cell cells", dims=2, apart=True, share=2)

temperature = quantity(float, "K", "temperature", one="t temp", many="temperatures temp", means="range goal settles")
heating = quantity(float, "K/s", "heating rate", one="q source heating", many="sources heating q")
conduction_rate = quantity(float, "K/s", "conduction rate", one="rate flow", many="conduction_rates heat_flows", means="adds zero")
conductance = quantity(float, "1/s", "exchange rate", one="k exchange", many="exchange_rates k", low=0.1, high=1.0)
diffusivity = quantity(float, "m^2/s", "thermal diffusivity", one="alpha kappa diffusivity", many="alpha diffusivities", low=0.1, high=1.0, uniform=True)
fluctuation_strength = quantity(float, "K/s^0.5", "strength of the fluctuations", one="eta fluctuation", low=0.05, high=0.5, uniform=True)
grid_spacing = quantity(float, "m", "grid spacing", one="dx h spacing", low=0.5, high=1.0, uniform=True)


@formula
def heat_step(t: temperature, w: west.temperature, e: east.temperature, n: north.temperature, s: south.temperature, alpha: diffusivity, dx: grid_spacing, dt: time_step) -> temperature:
    "{t} plus {dt} {alpha} times the five-point Laplacian, ({w} + {e} + {n} + {s} - 4 {t}) / {dx}^2"
    laplacian = (w + e + n + s - 4.0 * t) / (dx * dx)
    return t + dt * alpha * laplacian


@formula
def add_heat(t: temperature, q: heating, dt: time_step) -> temperature:
    "{t} plus {q} times {dt}"
    return t + q * dt


@formula
def fluctuate(t: temperature, eta: fluctuation_strength, dt: time_step, state: random_state) -> temperature:
    "{t} plus {eta} sqrt({dt}) times a standard normal number"
    return t + eta * wp.sqrt(dt) * wp.randn(state)


@formula
def conducted_from_neighbors(
    t: temperature, w: west.temperature, e: east.temperature, n: north.temperature, s: south.temperature,
    k: conductance, k_w: west.conductance, k_e: east.conductance, k_n: north.conductance, k_s: south.conductance,
) -> conduction_rate:
    "the sum of what the four neighbors give, (({k} + {k_w}) / 2) ({w} - {t}) + (({k} + {k_e}) / 2) ({e} - {t}) + (({k} + {k_n}) / 2) ({n} - {t}) + (({k} + {k_s}) / 2) ({s} - {t})"
    along_row = 0.5 * (k + k_w) * (w - t) + 0.5 * (k + k_e) * (e - t)
    along_column = 0.5 * (k + k_n) * (n - t) + 0.5 * (k + k_s) * (s - t)
    return along_row + along_column


@formula
def conduct_heat(t: temperature, rate: conduction_rate, dt: time_step) -> temperature:
    "{t} plus {rate} times {dt}"
    return t + rate * dt
