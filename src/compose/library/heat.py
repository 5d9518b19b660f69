# SPDX-License-Identifier: Apache-2.0
"""Heat conduction."""

field("heat conduction", element="cell cells", other="cell cells", dims=2, apart=True)

temperature = quantity(float, "K", "temperature", one="t temp u", many="temperatures temp u t", means="range goal settles")
heating = quantity(float, "K/s", "heating rate", one="q source heating", many="sources heating q")
conduction_rate = quantity(float, "K/s", "conduction rate", one="rate flow", many="conduction_rates heat_flows", sums=True, means="adds zero")
conductance = quantity(float, "1/s", "exchange rate", one="k exchange", many="exchange_rates k", low=0.1, high=1.0)
diffusivity = quantity(float, "m^2/s", "thermal diffusivity", one="alpha kappa diffusivity", many="diffusivities alpha", low=0.1, high=1.0, uniform=True)
grid_spacing = quantity(float, "m", "grid spacing", one="dx h spacing", low=0.5, high=1.0, uniform=True)


@formula
def heat_step(t: temperature, w: west.temperature, e: east.temperature, n: north.temperature, s: south.temperature, alpha: diffusivity, dx: grid_spacing, dt: time_step) -> temperature:
    "{t} plus {dt} {alpha} times the five-point Laplacian, ({w} + {e} + {n} + {s} - 4 {t}) / {dx}^2"
    laplacian = (w + e + n + s - 4.0 * t) / (dx * dx)
    return t + dt * alpha * laplacian


@formula
def heat_source(t: temperature, q: heating, dt: time_step) -> temperature:
    "{t} plus {q} times {dt}"
    return t + q * dt


@formula
def conducted_from(t: temperature, u: other.temperature, k: conductance, c: other.conductance) -> conduction_rate:
    "({k} + {c}) / 2 ({u} - {t})"
    return 0.5 * (k + c) * (u - t)


@formula
def conduct_heat(t: temperature, rate: conduction_rate, dt: time_step) -> temperature:
    "{t} plus {rate} times {dt}"
    return t + rate * dt
