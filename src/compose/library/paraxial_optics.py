# SPDX-License-Identifier: Apache-2.0
"""Thin lenses and rays near the axis."""

field("paraxial optics", element="ray rays", other="lens lenses", apart=True, share=1)

lens_focal_length = quantity(float, "m", "focal length of the lens", one="f focal", low=0.5, high=1.0,
                             uniform=True)
ray_height = quantity(float, "m", "ray height", one="y h", many="heights ray_heights", means="goal")
ray_slope = quantity(float, "1", "ray slope", one="slope theta", many="slopes")
lens_gap = quantity(float, "m", "gap between lenses", one="gap", low=0.1, high=2.0, uniform=True)
lens_aperture = quantity(float, "m", "aperture radius", one="aperture stop", low=1.0, high=4.0,
                         uniform=True)
lens_power = quantity(float, "1/m", "powers of the lenses", one="power", many="powers lens_powers")
blocked_flag = quantity(int, "1", "blocked flag", one="blocked", many="blocked is_blocked", low=0, high=1)


@formula
def height_behind_gap(y: ray_height, slope: ray_slope, gap: lens_gap) -> ray_height:
    "{y} plus {gap} times {slope}"
    return y + gap * slope


@formula
def slope_behind_lens(y: ray_height, slope: ray_slope, f: lens_focal_length) -> ray_slope:
    "{slope} - {y} / {f}"
    return slope - y / f


@algorithm
def trace_through_lenses(y0: ray_height["n"], slope0: ray_slope["n"], powers: lens_power["3"],
                         gap: lens_gap, aperture: lens_aperture, y: out.ray_height["n"], blocked: out.blocked_flag["n"]):
    "traces each paraxial ray, which begins with {y0} and {slope0}, through the three thin lenses of {powers}, one after the other: a lens lowers the slope by its power times the height, then the height grows by {gap} times the slope; {y} gets the last height, and {blocked} gets 1 if the ray meets any lens at more than {aperture} from the axis, else 0"
    i = thread()
    guard(i)
    height = y0[i]
    slope = slope0[i]
    blocked[i] = 0
    for k in range(3):
        if wp.abs(height) > aperture:
            blocked[i] = 1
        slope -= powers[k] * height
        height += gap * slope
    y[i] = height
