# SPDX-License-Identifier: Apache-2.0
"""Images: colors, tone mapping, blending, dithering, resampling."""

field("images", element="pixel pixels", other="sample samples", dims=2, apart=True, share=2)

pixel_color = quantity(vec3, "1", "color", one="c rgb color", many="image rgb", low=0.1,
                       high=1.0, means="blend goal")
pixel_gray = quantity(float, "1", "gray value", one="g gray", many="gray", low=0.1, high=1.0, means="blend range goal bins zero")
noisy_gray = quantity(float, "1", "noisy gray value", one="noisy", many="noisy noisy_gray")
hdr_color = quantity(vec3, "1", "scene color", one="c hdr", many="hdr radiance", low=0.1, high=8.0)
opponent_color = quantity(vec3, "1", "YCoCg color", one="ycc", many="ycocg")
hsv_color = quantity(vec3, "1", "HSV color", one="hsv", many="hsv")
alpha_value = quantity(float, "1", "alpha", one="a alpha", many="alphas matte", low=0.1, high=1.0, means="blend goal")
backdrop_color = quantity(vec3, "1", "backdrop color", one="b backdrop",
                          many="backdrop background", low=0.1, high=1.0)
exposure = quantity(float, "1", "exposure", one="exposure", low=0.2, high=2.0, uniform=True)
white_point = quantity(float, "1", "white point", one="white", low=1.0, high=4.0, uniform=True)
saturation = quantity(float, "1", "saturation factor", one="saturation sat", low=0.1, high=2.0,
                      uniform=True)
edge_strength = quantity(float, "1", "edge strength", one="edge", many="edges edge_strengths", means="range zero")
edge_direction = quantity(vec2, "1", "image gradient", one="grad", many="gradients", means="length")
gray_threshold = quantity(float, "1", "middle of the gray band", one="threshold thresh", low=0.2, high=1.0,
                          uniform=True)
band_width = quantity(float, "1", "half width of the band", one="band", low=0.1, high=0.5, uniform=True)
similar_within = quantity(float, "1", "difference from which on values are not similar", one="tolerance max_diff", low=0.1, high=0.5, uniform=True)
gray_class = quantity(int, "1", "class", one="gray_class", many="classes gray_classes", low=0, high=2)
smoothed_gray = quantity(float, "1", "smoothed gray value", one="s", many="smoothed blurred", means="goal blend zero")
sharpened_gray = quantity(float, "1", "sharpened gray value", one="s", many="sharpened", means="range goal zero")
resampled_gray = quantity(float, "1", "resampled gray value", one="s", many="resampled warped", means="goal zero")
scatter_radius = quantity(int, "1", "largest shift in pixels", one="max_shift", low=1, high=2, uniform=True)
glass_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)
splat_place = quantity(vec2, "1", "place in pixels", one="place", many="places pixel_places", low=0.1, high=3.0)
splat_color = quantity(vec3, "1", "color", one="color", many="sample_colors", low=0.1, high=1.0)
canvas_color = quantity(vec3, "1", "sums of the weighted colors", one="canvas", many="canvas accumulated")
canvas_weight = quantity(float, "1", "sums of the weights", one="weight", many="weights canvas_weights")
level_count = quantity(int, "1", "number of levels", one="num_levels", low=2, high=5, uniform=True)
quantized_gray = quantity(float, "1", "quantized gray value", one="q", many="quantized dithered", means="goal")
shift_x = quantity(float, "1", "horizontal displacement", one="dx", many="flow_x")
shift_y = quantity(float, "1", "vertical displacement", one="dy", many="flow_y")
blend_mode = quantity(int, "1", "blend mode", one="mode", many="modes", low=0, high=4)
local_contrast = quantity(float, "1", "local contrast", one="contrast", many="contrasts", means="zero")
rotation_of_image = quantity(float, "rad", "angle", one="angle theta", uniform=True)
zoom = quantity(float, "1", "zoom factor", one="zoom scale", low=0.5, high=2.0, uniform=True)
detail_gain = quantity(float, "1", "strength of the details", one="amount", low=0.1, high=2.0, uniform=True)
grain_strength = quantity(float, "1", "strength of the grain", one="grain noise_std", low=0.02, high=0.3, uniform=True)
photon_count = quantity(float, "1", "photons for a full pixel", one="photons full_well", low=4.0, high=64.0, uniform=True)
speckle_share = quantity(float, "1", "share of broken pixels", one="broken speckle", low=0.1, high=0.6, uniform=True)


@formula
def luma(c: pixel_color) -> pixel_gray:
    "0.2126 times the red, 0.7152 times the green and 0.0722 times the blue component of {c}"
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]


@formula
def to_ycocg(c: pixel_color) -> opponent_color:
    "the vector (r / 4 + g / 2 + b / 4, r / 2 - b / 2, g / 2 - r / 4 - b / 4), where r, g and b are the components of {c}"
    y = 0.25 * c[0] + 0.5 * c[1] + 0.25 * c[2]
    return wp.vec3(y, 0.5 * (c[0] - c[2]), 0.5 * c[1] - 0.25 * (c[0] + c[2]))


@formula
def saturate_color(c: pixel_color, sat: saturation) -> pixel_color:
    "y + {sat} ({c} - y), where each component of y is 0.2126 times the red, plus 0.7152 times the green, plus 0.0722 times the blue component of {c}"
    g = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
    gray = wp.vec3(g, g, g)
    return gray + sat * (c - gray)


@formula
def filmic_tone_map(c: hdr_color, e: exposure) -> pixel_color:
    "x (2.51 x + 0.03) / (x (2.43 x + 0.59) + 0.14) for each component x of {c} times {e}"
    x = e * c
    r = x[0] * (2.51 * x[0] + 0.03) / (x[0] * (2.43 * x[0] + 0.59) + 0.14)
    g = x[1] * (2.51 * x[1] + 0.03) / (x[1] * (2.43 * x[1] + 0.59) + 0.14)
    b = x[2] * (2.51 * x[2] + 0.03) / (x[2] * (2.43 * x[2] + 0.59) + 0.14)
    return wp.vec3(r, g, b)


@formula
def luma_tone_map(c: hdr_color, white: white_point) -> pixel_color:
    "{c} times (1 + y / {white}^2) / (1 + y) with the luma y, which is 0.2126 times the red, plus 0.7152 times the green, plus 0.0722 times the blue component of {c}"
    y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
    return c * ((1.0 + y / (white * white)) / (1.0 + y))


@formula
def srgb_encode(g: pixel_gray) -> pixel_gray:
    "12.92 {g} if {g} is at most 0.0031308, else 1.055 {g}^(1 / 2.4) - 0.055"
    if g <= 0.0031308:
        return 12.92 * g
    return 1.055 * wp.pow(g, 1.0 / 2.4) - 0.055


@formula
def composite_over(c: pixel_color, a: alpha_value, b: backdrop_color) -> pixel_color:
    "{a} times {c} plus (1 - {a}) times {b}"
    return a * c + (1.0 - a) * b


@formula
def screen_blend(c: pixel_color, b: backdrop_color) -> pixel_color:
    "1 - (1 - {c}) (1 - {b}) in each component"
    return c + b - wp.cw_mul(c, b)


@formula
def add_grain(g: pixel_gray, grain: grain_strength, state: random_state) -> noisy_gray:
    "{g} plus {grain} times a standard normal number, clamped to the range from 0 to 1"
    return wp.clamp(g + grain * wp.randn(state), 0.0, 1.0)


@formula
def add_shot_noise(g: pixel_gray, photons: photon_count, state: random_state) -> noisy_gray:
    "{g} plus sqrt({g} / {photons}) times a standard normal number, but at least 0"
    return wp.max(g + wp.sqrt(g / photons) * wp.randn(state), 0.0)


@formula
def add_salt_and_pepper(g: pixel_gray, share: speckle_share, state: random_state) -> noisy_gray:
    "0 if a random number u from 0 to 1 is below {share} / 2, 1 if u is above 1 - {share} / 2, else {g}"
    u = wp.randf(state)
    salted = wp.where(u > 1.0 - 0.5 * share, 1.0, g)
    return wp.where(u < 0.5 * share, 0.0, salted)


@formula
def gray_class(g: pixel_gray, threshold: gray_threshold, band: band_width) -> gray_class:
    "0 if {g} is below {threshold} minus {band}, 2 if it is above {threshold} plus {band}, else 1"
    if g < threshold - band:
        return 0
    if g > threshold + band:
        return 2
    return 1


@formula
def rgb_to_hsv(c: pixel_color) -> hsv_color:
    "the vector of hue, saturation and value of {c} = (r, g, b), where M is its largest and m its smallest component, and d is M - m, but at least 0.0001; the hue is h / 6, where h is (g - b) / d if r is M, with 6 added if that is negative; else h is 2 + (b - r) / d if g is M, and else 4 + (r - g) / d; the saturation is M - m divided by M, or by 0.0001 if M is smaller; the value is M"
    top = wp.max(c[0], wp.max(c[1], c[2]))
    chroma = top - wp.min(c[0], wp.min(c[1], c[2]))
    d = wp.max(chroma, 0.0001)
    saturation = chroma / wp.max(top, 0.0001)
    if top == c[0]:
        h = (c[1] - c[2]) / d
        return wp.vec3(wp.where(h < 0.0, h + 6.0, h) / 6.0, saturation, top)
    if top == c[1]:
        return wp.vec3((2.0 + (c[2] - c[0]) / d) / 6.0, saturation, top)
    return wp.vec3((4.0 + (c[0] - c[1]) / d) / 6.0, saturation, top)


@formula
def central_gradient(w: west.pixel_gray, e: east.pixel_gray, n: north.pixel_gray,
                     s: south.pixel_gray) -> edge_direction:
    "the vector of ({e} - {w}) / 2 and ({s} - {n}) / 2"
    return wp.vec2(0.5 * (e - w), 0.5 * (s - n))


@formula
def edge_along_angle(g: edge_direction, angle: rotation_of_image) -> edge_strength:
    "the component of {g} along the direction (cos {angle}, sin {angle})"
    return wp.dot(g, wp.vec2(wp.cos(angle), wp.sin(angle)))


@formula
def unsharp(g: pixel_gray, w: west.pixel_gray, e: east.pixel_gray, n: north.pixel_gray,
            s: south.pixel_gray, amount: detail_gain) -> sharpened_gray:
    "{g} plus {amount} times the difference of {g} and the mean of its four neighbors"
    return g + amount * (g - 0.25 * (w + e + n + s))


@formula
def edge_aware_mean(g: pixel_gray, w: west.pixel_gray, e: east.pixel_gray, n: north.pixel_gray,
                    s: south.pixel_gray, band: similar_within) -> smoothed_gray:
    "the mean of {g} and those of its four neighbors that differ from it by less than {band}"
    total = float(g)
    k = float(1.0)
    if wp.abs(w - g) < band:
        total += w
        k += 1.0
    if wp.abs(e - g) < band:
        total += e
        k += 1.0
    if wp.abs(n - g) < band:
        total += n
        k += 1.0
    if wp.abs(s - g) < band:
        total += s
        k += 1.0
    return total / k


@algorithm
def sobel_filter(g: pixel_gray, edges: out.edge_direction):
    "the Sobel gradient of each pixel: its first component is the sum of the three right neighbors, with the weights 1, 2, 1, minus that of the three left ones, its second component likewise the lower minus the upper ones; rows and columns are clamped to the image"
    i, j = thread()
    guard(i, j)
    u = wp.max(i - 1, 0)
    d = wp.min(i + 1, count(element, 0) - 1)
    l = wp.max(j - 1, 0)
    r = wp.min(j + 1, count(element, 1) - 1)
    gx = g[u, r] + 2.0 * g[i, r] + g[d, r] - g[u, l] - 2.0 * g[i, l] - g[d, l]
    gy = g[d, l] + 2.0 * g[d, j] + g[d, r] - g[u, l] - 2.0 * g[u, j] - g[u, r]
    edges[i, j] = wp.vec2(gx, gy)


@algorithm
def binomial_blur(g: pixel_gray, s: out.smoothed_gray):
    "the weighted mean of the 3 x 3 window around each pixel with the binomial weights, (2 - |a|) (2 - |b|) for the pixel a rows and b columns off; pixels beyond the border are left out, and the sum is divided by the weights that remain"
    i, j = thread()
    guard(i, j)
    total = float(0.0)
    weight = float(0.0)
    for a in range(-1, 2):
        for b in range(-1, 2):
            y = i + a
            x = j + b
            if y >= 0 and y < count(element, 0) and x >= 0 and x < count(element, 1):
                w = float((2 - wp.abs(a)) * (2 - wp.abs(b)))
                total += w * g[y, x]
                weight += w
    s[i, j] = total / weight


@algorithm(share=2)
def ordered_dither(g: pixel_gray, levels: level_count, q: out.quantized_gray):
    "dithers each gray value to one of {levels} equally spaced values from 0 to 1: with top = {levels} - 1 it is min(floor({g} times top + offset), top) / top, where the offset is 0.125 in even and 0.625 in odd columns of even rows, and 0.875 in even and 0.375 in odd columns of odd rows"
    i, j = thread()
    guard(i, j)
    if i % 2 == 0:
        offset = wp.where(j % 2 == 0, 0.125, 0.625)
    else:
        offset = wp.where(j % 2 == 0, 0.875, 0.375)
    top = float(levels - 1)
    step = wp.floor(g[i, j] * top + offset)
    q[i, j] = wp.min(step, top) / top


@algorithm
def warp_by_flow(g: pixel_gray, dx: shift_x, dy: shift_y, s: out.resampled_gray):
    "samples the image bilinearly at each pixel's place plus its displacement, {dy} along rows and {dx} along columns, clamped to the image"
    i, j = thread()
    guard(i, j)
    y = wp.clamp(float(i) + dy[i, j], 0.0, float(count(element, 0) - 1))
    x = wp.clamp(float(j) + dx[i, j], 0.0, float(count(element, 1) - 1))
    y0 = int(wp.floor(y))
    x0 = int(wp.floor(x))
    y1 = wp.min(y0 + 1, count(element, 0) - 1)
    x1 = wp.min(x0 + 1, count(element, 1) - 1)
    fy = y - float(y0)
    fx = x - float(x0)
    upper = wp.lerp(g[y0, x0], g[y0, x1], fx)
    lower = wp.lerp(g[y1, x0], g[y1, x1], fx)
    s[i, j] = wp.lerp(upper, lower, fy)


@algorithm
def rotate_and_zoom(g: pixel_gray, angle: rotation_of_image, zoom: zoom, s: out.resampled_gray):
    "rotates and zooms an image around its center, which is at half of (the number of rows minus 1) and of (the number of columns minus 1). With v and u a pixel's distances from the center in rows and columns, divided by {zoom}, it gets the pixel that lies sin({angle}) u + cos({angle}) v rows and cos({angle}) u - sin({angle}) v columns from the center, where 0.5 is added to the row and the column, which are then rounded down; it gets 0 if that is outside of the image"
    i, j = thread()
    guard(i, j)
    cy = 0.5 * float(count(element, 0) - 1)
    cx = 0.5 * float(count(element, 1) - 1)
    v = (float(i) - cy) / zoom
    u = (float(j) - cx) / zoom
    sine = wp.sin(angle)
    cosine = wp.cos(angle)
    y = int(wp.floor(cy + sine * u + cosine * v + 0.5))
    x = int(wp.floor(cx + cosine * u - sine * v + 0.5))
    if y < 0 or y >= count(element, 0) or x < 0 or x >= count(element, 1):
        s[i, j] = 0.0
        return
    s[i, j] = g[y, x]


@algorithm
def blend_layers(mode: blend_mode, c: pixel_color, b: backdrop_color, a: alpha_value,
                 result: out.pixel_color):
    "blends {c} with {b}: the blend is {c} itself where {mode} is 0, the componentwise product where it is 1, the screen 1 - (1 - {c}) (1 - {b}) in each component where it is 2, the componentwise maximum where it is 3, and the sum for any other mode; the result is {a} times the blend plus (1 - {a}) times {b}"
    i, j = thread()
    guard(i, j)
    top = c[i, j]
    back = b[i, j]
    kind = mode[i, j]
    mixed = top + back
    if kind == 0:
        mixed = top
    elif kind == 1:
        mixed = wp.cw_mul(top, back)
    elif kind == 2:
        mixed = screen_blend(top, back)
    elif kind == 3:
        mixed = wp.max(top, back)
    result[i, j] = composite_over(mixed, a[i, j], back)


@algorithm
def local_contrast_3x3(g: pixel_gray, contrast: out.local_contrast):
    "the largest minus the smallest gray value among each pixel and its neighbors in the 3 x 3 window, clamped to the image, divided by the sum of both, which is never zero"
    i, j = thread()
    guard(i, j)
    low = g[i, j]
    high = g[i, j]
    for a in range(-1, 2):
        for b in range(-1, 2):
            y = wp.clamp(i + a, 0, count(element, 0) - 1)
            x = wp.clamp(j + b, 0, count(element, 1) - 1)
            value = g[y, x]
            low = wp.min(low, value)
            high = wp.max(high, value)
    contrast[i, j] = (high - low) / (high + low)


@algorithm
def frosted_glass(g: pixel_gray, max_shift: scatter_radius["", "1:3"], seed: glass_seed, s: out.resampled_gray):
    "shows an image as seen through frosted glass: each pixel gets the gray value of a pixel that is shifted by a random number of rows and one of columns, drawn in this order by `wp.randi`, from -{max_shift} up to {max_shift}, and clamped to the image"
    i, j = thread()
    guard(i, j)
    state = wp.rand_init(seed, i * count(element, 1) + j)
    di = wp.randi(state, -max_shift, max_shift + 1)
    dj = wp.randi(state, -max_shift, max_shift + 1)
    y = wp.clamp(i + di, 0, count(element, 0) - 1)
    x = wp.clamp(j + dj, 0, count(element, 1) - 1)
    s[i, j] = g[y, x]


@algorithm(dims=1, element="sample samples")
def splat_samples(
    places: splat_place["n"], colors: splat_color["n"], canvas: out.canvas_color["r+2,c+2"],
    weights: out.canvas_weight["r+2,c+2"],
):
    "splats colored samples onto an image. The components of {places} are the row y and the column x of a sample. It goes to the four pixels in row floor(y) + a and column floor(x) + b, for a and b of 0 and 1, with the bilinear weight w. This is the product of 1 - fy where a is 0, or fy where a is 1, and 1 - fx where b is 0, or fx where b is 1, with fy = y - floor(y) and fx = x - floor(x). {colors} times w is added atomically to {canvas}, and w to {weights}; pixels beyond the image are left out"
    i = thread()
    guard(i)
    place = places[i]
    row = int(wp.floor(place[0]))
    column = int(wp.floor(place[1]))
    fy = place[0] - wp.floor(place[0])
    fx = place[1] - wp.floor(place[1])
    for a in range(2):
        for b in range(2):
            y = row + a
            x = column + b
            wy = wp.where(a == 0, 1.0 - fy, fy)
            wx = wp.where(b == 0, 1.0 - fx, fx)
            if y >= 0 and y < canvas.shape[0] and x >= 0 and x < canvas.shape[1]:
                wp.atomic_add(canvas, y, x, wy * wx * colors[i])
                wp.atomic_add(weights, y, x, wy * wx)
