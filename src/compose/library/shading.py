# SPDX-License-Identifier: Apache-2.0
"""Shading: diffuse and specular reflection, lights, fog, shadows."""

field("shading", element="pixel pixels", other="light lights", link="pair pairs", apart=True, share=2)

shaded_point = quantity(vec3, "m", "surface point", one="p x", many="points hit_points")
shading_normal = quantity(vec3, "1", "shading normal", one="n normal", many="normals")
view_direction = quantity(vec3, "1", "view direction", one="v view",
                          many="view_dirs views")
light_direction = quantity(vec3, "1", "light direction", one="l light_dir",
                           many="light_dirs")
sun_direction = quantity(vec3, "1", "direction to the sun", one="sun sun_dir", uniform=True)
light_position = quantity(vec3, "m", "position", one="q light_pos", many="light_positions")
light_color = quantity(vec3, "1", "color", one="color", many="light_colors", low=0.1,
                       high=1.0)
light_intensity = quantity(float, "1", "relative intensity", one="intensity",
                           many="intensities light_intensities", low=0.1, high=2.0)
falloff_distance = quantity(float, "m", "falloff distance", one="falloff r0", low=0.5, high=2.0, uniform=True)
albedo = quantity(vec3, "1", "albedo", one="albedo rho", many="albedos base_colors", low=0.1,
                  high=1.0)
radiance = quantity(vec3, "1", "radiance", one="radiance", many="radiance radiances", sums=True, means="adds blend")
irradiance = quantity(float, "1", "relative irradiance", one="e irradiance", many="irradiance",
                      sums=True, means="adds zero")
roughness = quantity(float, "1", "roughness", one="alpha roughness", many="roughness alphas",
                     low=0.1, high=1.0)
half_cosine = quantity(float, "1", "half-vector cosine", one="ndoth cos_h", many="ndoth",
                       low=0.1, high=1.0)
view_cosine = quantity(float, "1", "view cosine", one="ndotv cos_v", many="ndotv", low=0.1,
                       high=1.0)
light_cosine = quantity(float, "1", "light cosine", one="ndotl cos_l", many="ndotl", low=0.1,
                        high=1.0)
specular_term = quantity(float, "1", "specular term", one="spec", many="specular")
normal_distribution = quantity(float, "1", "normal distribution", one="ndf", many="ndf")
masking_term = quantity(float, "1", "masking term", one="vis", many="visibility masking")
fresnel_term = quantity(float, "1", "Fresnel reflectance", one="fr fresnel", many="fresnel")
reflectance_at_normal = quantity(float, "1", "normal reflectance", one="f0",
                                 many="f0", low=0.02, high=1.0)
shininess = quantity(float, "1", "shininess", one="shininess exponent", low=1.0, high=8.0,
                     uniform=True)
view_reach = quantity(float, "m", "range of the lights", one="max_dist reach", low=1.0, high=4.0,
                      uniform=True)
fog_density = quantity(float, "1/m", "fog density", one="fog_density density", low=0.05, high=0.5,
                       uniform=True)
sun_color = quantity(vec3, "1", "sun color", one="sun_color", low=0.1, high=1.0, uniform=True)
fogged_color = quantity(vec3, "1", "fogged color", one="color fogged",
                        many="fogged colors", means="blend")
fog_color = quantity(vec3, "1", "fog color", one="fog_color", low=0.1, high=1.0, uniform=True)
view_depth = quantity(float, "m", "depth", one="depth z", many="depths view_depths", low=0.5, high=8.0)
sky_color = quantity(vec3, "1", "sky color", one="sky", low=0.1, high=1.0, uniform=True)
ground_color = quantity(vec3, "1", "ground color", one="ground", low=0.1, high=1.0, uniform=True)
spot_axis = quantity(vec3, "1", "spot direction", one="axis spot_dir", many="spot_dirs")
harmonic_coefficient = quantity(vec3, "1", "coefficients of the spherical harmonics", one="c",
                                many="sh coeffs sh_coeffs")
material_id = quantity(int, "1", "material", one="material", many="materials material_ids", low=0,
                       high=3)
shadow_bias = quantity(float, "m", "shadow bias", one="bias", low=0.01, high=0.5, uniform=True)
occluder_depth = quantity(float, "m", "depths of the shadow map", one="zs", many="shadow_map",
                          low=0.5, high=8.0)
texel_index = quantity(int, "1", "texel", one="texel", many="texels texel_ids", low=-1, high=6)
lit_fraction = quantity(float, "1", "lit fraction", one="lit", many="lit lit_fractions", low=0.0, high=1.0, means="blend")


@formula
def lambert(n: shading_normal, sun: sun_direction, rho: albedo) -> radiance:
    "{rho} times the dot product of the unit vectors along {n} and {sun}, or times 0 if that is negative"
    cosine = wp.dot(wp.normalize(n), wp.normalize(sun))
    return rho * wp.max(cosine, 0.0)


@formula
def half_lambert(n: shading_normal, sun: sun_direction, rho: albedo) -> radiance:
    "{rho} times ((1 + c) / 2)^2, where c is the cosine of the angle between {n} and {sun}"
    wrap = 0.5 * wp.dot(wp.normalize(n), wp.normalize(sun)) + 0.5
    return rho * wrap * wrap


@formula
def hemisphere_light(n: shading_normal, rho: albedo, sky: sky_color,
                     ground: ground_color) -> radiance:
    "{rho} times, component by component, the mixture of {ground} and {sky} whose weight goes from 0 to 1 as the third component of the unit vector along {n} goes from -1 to 1"
    up = 0.5 * wp.normalize(n)[2] + 0.5
    return wp.cw_mul(rho, wp.lerp(ground, sky, up))


@formula
def point_light(p: shaded_point, n: shading_normal, rho: albedo, q: other.light_position,
                intensity: other.light_intensity, r0: falloff_distance) -> radiance:
    "{rho} {intensity} c / (1 + (r / {r0})^2), where c is the cosine of the angle between {n} and the vector from {p} to {q}, but not below 0, and r the length of that vector"
    d = q - p
    cosine = wp.max(wp.dot(wp.normalize(n), wp.normalize(d)), 0.0)
    return rho * (intensity * cosine / (1.0 + wp.dot(d, d) / (r0 * r0)))


@formula
def light_irradiance(p: shaded_point, n: shading_normal, q: other.light_position,
                        intensity: other.light_intensity, r0: falloff_distance) -> irradiance:
    "{intensity} c / (1 + (r / {r0})^2), where c is the cosine of the angle between {n} and the vector from {p} to {q}, but not below 0, and r the length of that vector"
    d = q - p
    cosine = wp.max(wp.dot(wp.normalize(n), wp.normalize(d)), 0.0)
    return intensity * cosine / (1.0 + wp.dot(d, d) / (r0 * r0))


@formula
def spot_light(p: shaded_point, n: shading_normal, rho: albedo, q: other.light_position, axis: other.spot_axis,
               color: other.light_color, r0: falloff_distance) -> radiance:
    "the componentwise product of {rho} and {color} times c s / (1 + (r / {r0})^2), where c is the cosine of the angle between {n} and the vector from {p} to {q}, but not below 0, r the length of that vector, and s the smoothstep from 0 to 0.9 of the cosine of the angle between {axis} and the opposite vector"
    d = q - p
    aim = wp.normalize(d)
    cosine = wp.max(wp.dot(wp.normalize(n), aim), 0.0)
    cone = wp.smoothstep(0.0, 0.9, wp.dot(-aim, wp.normalize(axis)))
    return wp.cw_mul(rho, color) * (cosine * cone / (1.0 + wp.dot(d, d) / (r0 * r0)))


@formula
def phong_specular(n: shading_normal, v: view_direction, l: light_direction,
                   exponent: shininess) -> specular_term:
    "(c + 0.0001)^{exponent}, where c is the cosine, at least 0, of the angle between {v} and the direction {l} mirrored at {n}"
    m = wp.normalize(n)
    u = wp.normalize(l)
    r = 2.0 * wp.dot(m, u) * m - u
    return wp.pow(wp.max(wp.dot(r, wp.normalize(v)), 0.0) + 1.0e-4, exponent)


@formula
def ggx_distribution(cos_h: half_cosine, alpha: roughness) -> normal_distribution:
    "the GGX distribution a^2 / (pi ({cos_h}^2 (a^2 - 1) + 1)^2) with a = {alpha}^2"
    a = alpha * alpha
    a2 = a * a
    d = cos_h * cos_h * (a2 - 1.0) + 1.0
    return a2 / (wp.pi * d * d)


@formula
def smith_masking(cos_v: view_cosine, cos_l: light_cosine, alpha: roughness) -> masking_term:
    "the Smith term in Schlick's form, the product of c / (c (1 - k) + k) for c = {cos_v} and c = {cos_l} with k = ({alpha} + 1)^2 / 8"
    k = (alpha + 1.0) * (alpha + 1.0) / 8.0
    gv = cos_v / (cos_v * (1.0 - k) + k)
    gl = cos_l / (cos_l * (1.0 - k) + k)
    return gv * gl


@formula
def schlick_fresnel(cos_v: view_cosine, f0: reflectance_at_normal) -> fresnel_term:
    "{f0} + (1 - {f0}) (1 - {cos_v})^5"
    m = 1.0 - cos_v
    return f0 + (1.0 - f0) * m * m * m * m * m


@formula
def microfacet_specular(ndf: normal_distribution, vis: masking_term, fr: fresnel_term,
                        cos_v: view_cosine, cos_l: light_cosine) -> specular_term:
    "{ndf} {vis} {fr} / d, where d is 4 {cos_v} {cos_l}, but at least 0.01"
    return ndf * vis * fr / wp.max(4.0 * cos_v * cos_l, 0.01)


@formula
def add_specular(color: radiance, spec: specular_term, tint: sun_color) -> radiance:
    "{color} plus {spec} times {tint}"
    return color + spec * tint


@formula
def exponential_fog(color: radiance, z: view_depth, density: fog_density,
                    haze: fog_color) -> fogged_color:
    "s {color} + (1 - s) {haze}, where s is exp(-{density} {z})"
    share = wp.exp(-density * z)
    return share * color + (1.0 - share) * haze


@formula
def squared_fog(color: radiance, z: view_depth, density: fog_density,
                haze: fog_color) -> fogged_color:
    "s {color} + (1 - s) {haze}, where s is exp(-({density} {z})^2)"
    d = density * z
    share = wp.exp(-d * d)
    return wp.lerp(haze, color, share)


@algorithm
def radiance_from_harmonics(n: shading_normal, sh: whole.harmonic_coefficient,
                              out_color: out.radiance):
    "the sum of the first spherical harmonics in the direction of {n} with the coefficients {sh}: 0.282095 times the first coefficient, plus, if there are at least four, 0.488603 times y, z and x of the unit vector along {n} times the second, third and fourth"
    i = thread()
    guard(i)
    u = wp.normalize(n[i])
    total = 0.282095 * sh[0]
    if count(whole) > 3:
        total += 0.488603 * u[1] * sh[1]
        total += 0.488603 * u[2] * sh[2]
        total += 0.488603 * u[0] * sh[3]
    out_color[i] = total


@algorithm
def shade_by_all_lights(p: shaded_point, n: shading_normal, rho: albedo,
                        q: other.light_position, intensity: other.light_intensity,
                        tint: other.light_color, r0: falloff_distance, far: view_reach, out_color: out.radiance):
    "shades each point {p} by all lights: the sum over the lights of {intensity} c / (1 + (r / {r0})^2) times the componentwise product of {rho} and {tint}, where c is the cosine of the angle between {n} and the vector from {p} to the light at {q}, and r the length of that vector; lights with c not above 0, or not nearer than {far}, are left out"
    i = thread()
    guard(i)
    x = p[i]
    m = wp.normalize(n[i])
    base = rho[i]
    total = wp.vec3(0.0, 0.0, 0.0)
    for k in range(count(other)):
        d = q[k] - x
        r2 = wp.dot(d, d)
        cosine = wp.dot(m, wp.normalize(d))
        if cosine > 0.0 and r2 < far * far:
            total += intensity[k] * cosine / (1.0 + r2 / (r0 * r0)) * wp.cw_mul(base, tint[k])
    out_color[i] = total


@algorithm
def shadow_map_test(z: view_depth, texel: texel_index, shadow: whole.occluder_depth,
                    bias: shadow_bias, lit: out.lit_fraction):
    "tests a shadow map with three taps: a pixel whose {texel} is an index of {shadow} is lit by the share of this entry and its two neighbors, with indices clamped to the map, whose depth plus {bias} is at least {z}; pixels with any other {texel} get 1"
    i = thread()
    guard(i)
    t = texel[i]
    last = count(whole) - 1
    if t < 0 or t > last:
        lit[i] = 1.0
        return
    depth = z[i]
    open_taps = float(0.0)
    for k in range(-1, 2):
        s = wp.clamp(t + k, 0, last)
        if depth <= shadow[s] + bias:
            open_taps += 1.0
    lit[i] = open_taps / 3.0


@algorithm
def shade_by_material(material: material_id, n: shading_normal, v: view_direction, rho: albedo,
                      sun: sun_direction, exponent: shininess, out_color: out.radiance):
    "the color of each pixel: where {material} is 0 (it glows), {rho}; where it is 1 (Lambertian), {rho} times the cosine, at least 0, of the angle between {n} and {sun}; where it is 2 (glossy), the Lambertian color with 0.5 c^{exponent} added to each component, where c is the cosine, at least 0.0001, of the angle between {n} and the sum of the unit vectors of {sun} and {v}; for any other material, which shows the normal, 0.5 plus half of the unit vector of {n} in each component"
    i = thread()
    guard(i)
    m = wp.normalize(n[i])
    l = wp.normalize(sun)
    base = rho[i]
    diffuse = base * wp.max(wp.dot(m, l), 0.0)
    kind = material[i]
    if kind == 0:
        out_color[i] = base
    elif kind == 1:
        out_color[i] = diffuse
    elif kind == 2:
        h = wp.normalize(l + wp.normalize(v[i]))
        spec = 0.5 * wp.pow(wp.max(wp.dot(m, h), 0.0001), exponent)
        out_color[i] = diffuse + wp.vec3(spec, spec, spec)
    else:
        out_color[i] = 0.5 * m + wp.vec3(0.5, 0.5, 0.5)
