# SPDX-License-Identifier: Apache-2.0
"""Waves of point sources."""

field("waves of sources", element="probe probes", other="source sources", apart=True, share=1)

source_position = quantity(vec3, "m", "position", one="y", many="source_positions")
wave_number = quantity(float, "1/m", "wave number", one="wavenumber wave_k", low=1.0, high=4.0,
                       uniform=True)
wave_amplitude = quantity(float, "1", "wave amplitude", one="u amplitude", many="amplitudes",
                          sums=True, means="adds")
source_phase = quantity(float, "1", "phase", one="phase", many="phases")
source_radius = quantity(float, "m", "radius of the sources", one="radius source_radius", low=0.1, high=0.5, uniform=True)
wave_intensity = quantity(float, "1", "intensity", one="intensity", many="intensities")


@formula
def source_wave(x: probe_position, y: other.source_position, phase: other.source_phase,
                   k: wave_number, a: source_radius) -> wave_amplitude:
    "cos({k} r + {phase}) {a} / (r + {a}) where r is the distance between {x} and {y}"
    r = wp.length(x - y)
    return wp.cos(k * r + phase) * a / (r + a)


@formula
def intensity_of_wave(u: wave_amplitude) -> wave_intensity:
    "the square of {u}"
    return u * u
