# SPDX-License-Identifier: Apache-2.0
"""Image filters: smoothing, edges, morphology, pyramids, features."""

field("image filters", element="pixel pixels", other="pixel pixels", dims=2, apart=True, share=2)

filtered_gray = quantity(float, "1", "filtered gray value", one="s", many="filtered", means="blend range goal zero")
filter_weight = quantity(float, "1", "filter weights", one="w weight", many="kernel weights", low=0.1, high=1.0)
spatial_width = quantity(float, "1", "width of the spatial kernel", one="sigma_s spatial_sigma", low=0.5, high=2.0, uniform=True)
value_width = quantity(float, "1", "width of the value kernel", one="sigma_r value_sigma", low=0.25, high=1.0, uniform=True)
filter_radius = quantity(int, "1", "filter radius", one="radius half_width r", low=1, high=2, uniform=True)
binary_pixel = quantity(int, "1", "binary image", one="b bit", many="binary", low=0, high=1)
row_sum = quantity(float, "1", "running sums of the rows", one="row_sum", many="row_sums running")
summed_area = quantity(float, "1", "summed area table", one="sat", many="integral sat summed")
structure_tensor = quantity(vec3, "1", "structure tensors", one="tensor", many="tensors structure")
texture_code = quantity(int, "1", "texture code", one="code", many="codes lbp", low=0, high=255)
seam_cost = quantity(float, "1", "costs of the seams", one="cost", many="costs cumulative", low=0.1, high=4.0)
match_error = quantity(float, "1", "match error", one="error", many="errors ssd")
template_gray = quantity(float, "1", "template image", one="t", many="template patch", low=0.1, high=1.0)
edge_class = quantity(int, "1", "edge class", one="edge", many="edge_map edges", low=0, high=2)
low_threshold = quantity(float, "1", "lower threshold", one="low lower", low=0.1, high=0.4, uniform=True)
high_threshold = quantity(float, "1", "upper threshold", one="high upper", low=0.5, high=1.0, uniform=True)
gray_level = quantity(int, "1", "gray level", one="level", many="levels image", low=0, high=7)
level_map = quantity(float, "1", "new values of the levels", one="value", many="lut transfer", low=0.1, high=1.0)
equalized_gray = quantity(float, "1", "equalized value", one="g", many="equalized", means="goal")
raw_sample = quantity(float, "1", "sensor values", one="raw", many="raw mosaic bayer", low=0.1, high=1.0)
green_value = quantity(float, "1", "green value", one="green", many="green")
motion_vector = quantity(vec2, "1", "motion vector", one="motion mv", many="motion_vectors motion", low=0.1, high=2.0)
region_label = quantity(int, "1", "region label", one="label", many="labels regions", low=0, high=9)
diffusion_rate = quantity(float, "1", "diffusion rate", one="lam rate", low=0.05, high=0.25, uniform=True)
edge_scale = quantity(float, "1", "edge scale", one="kappa", low=0.25, high=1.0, uniform=True)
laplacian_value = quantity(float, "1", "Laplacian", one="lap", many="laplacian lap")
xray_start = quantity(vec2, "1", "start in pixels", one="start", many="starts", low=0.1, high=3.0)
xray_direction = quantity(vec2, "1", "unit direction", one="d", many="beam_dirs", unit_length=True)
xray_value = quantity(float, "1", "measured value", one="value", many="measured projections", low=0.1, high=2.0)
back_projection = quantity(float, "1", "back-projected image", one="back", many="back_projection")
key_color = quantity(vec3, "1", "key color", one="key key_color", low=0.1, high=1.0, uniform=True)
key_range = quantity(float, "1", "tolerance of the key", one="tolerance key_range", low=0.25, high=1.0, uniform=True)
channel_gain = quantity(vec3, "1", "gains of the channels", one="gains white_balance", low=0.5, high=2.0, uniform=True)


@formula
def five_point_laplacian(
    g: pixel_gray, w: west.pixel_gray, e: east.pixel_gray, n: north.pixel_gray,
    s: south.pixel_gray,
) -> laplacian_value:
    "the sum of the four neighbors {w}, {e}, {n} and {s} minus four times {g}"
    return w + e + n + s - 4.0 * g


@formula
def sharpen_by_laplacian(g: pixel_gray, lap: laplacian_value, amount: detail_gain) -> pixel_gray:
    "{g} minus {amount} times {lap}"
    return g - amount * lap


@formula
def anisotropic_diffusion(
    g: pixel_gray, w: west.pixel_gray, e: east.pixel_gray, n: north.pixel_gray,
    s: south.pixel_gray, kappa: edge_scale, lam: diffusion_rate,
) -> smoothed_gray:
    "one Perona-Malik step, which is {g} plus {lam} times the sum over the four neighbors of d exp(-(d / {kappa})^2), where d is the neighbor minus {g}"
    dw = w - g
    de = e - g
    dn = n - g
    ds = s - g
    k2 = kappa * kappa
    total = dw * wp.exp(-dw * dw / k2) + de * wp.exp(-de * de / k2)
    total = total + dn * wp.exp(-dn * dn / k2) + ds * wp.exp(-ds * ds / k2)
    return g + lam * total


@formula
def chroma_key(c: pixel_color, key: key_color, tolerance: key_range) -> alpha_value:
    "the distance between {c} and {key} divided by {tolerance}, at most 1"
    return wp.min(wp.length(c - key) / tolerance, 1.0)


@formula
def white_balance(c: pixel_color, gains: channel_gain) -> pixel_color:
    "each component of {c} times that of {gains}"
    return wp.cw_mul(c, gains)


@formula
def edge_class_of(edge: edge_strength, low: low_threshold, high: high_threshold) -> edge_class:
    "2 (strong) if {edge} is at least {high}, 1 (weak) if it is at least {low}, else 0"
    if edge >= high:
        return 2
    if edge >= low:
        return 1
    return 0


@algorithm
def median_3x3(g: pixel_gray["n+2,m+2"], s: out.filtered_gray["n,m"]):
    "the median of the 3 x 3 window of {g} whose upper left corner is at row i and column j, for thread i, j; it is the median of three numbers: the largest of the minima of the window's rows, the median of their medians, and the smallest of their maxima"
    i, j = thread()
    guard(i, j)
    low = float(-1000.0)
    high = float(1000.0)
    mid_sum = float(0.0)
    mid_low = float(1000.0)
    mid_high = float(-1000.0)
    for d in range(3):
        a = g[i + d, j]
        b = g[i + d, j + 1]
        c = g[i + d, j + 2]
        mid = wp.max(wp.min(a, b), wp.min(wp.max(a, b), c))
        low = wp.max(low, wp.min(wp.min(a, b), c))
        high = wp.min(high, wp.max(wp.max(a, b), c))
        mid_sum += mid
        mid_low = wp.min(mid_low, mid)
        mid_high = wp.max(mid_high, mid)
    median = mid_sum - mid_low - mid_high
    s[i, j] = wp.max(wp.min(low, median), wp.min(wp.max(low, median), high))


@algorithm
def median_of_row(g: pixel_gray, s: out.filtered_gray):
    "the median of each pixel and its left and right neighbors; the border columns keep their values"
    i, j = thread()
    if j == 0 or j >= count(element, 1) - 1:
        s[i, j] = g[i, j]
        return
    a = g[i, j - 1]
    b = g[i, j]
    c = g[i, j + 1]
    s[i, j] = wp.max(wp.min(a, b), wp.min(wp.max(a, b), c))


@algorithm
def bilateral_filter(
    g: pixel_gray, sigma_s: spatial_width, sigma_r: value_width, s: out.filtered_gray,
):
    "applies a bilateral filter: the weighted mean over the 3 x 3 window around each pixel, with rows and columns clamped to the image, each place with the weight exp(-r^2 / (2 {sigma_s}^2) - d^2 / (2 {sigma_r}^2)), where r is its distance from the middle in pixels and d its gray value minus that in the middle"
    i, j = thread()
    guard(i, j)
    middle = g[i, j]
    total = float(0.0)
    norm = float(0.0)
    for di in range(-1, 2):
        for dj in range(-1, 2):
            y = wp.clamp(i + di, 0, count(element, 0) - 1)
            x = wp.clamp(j + dj, 0, count(element, 1) - 1)
            d = g[y, x] - middle
            near = float(di * di + dj * dj) / (2.0 * sigma_s * sigma_s)
            w = wp.exp(-near - d * d / (2.0 * sigma_r * sigma_r))
            total += w * g[y, x]
            norm += w
    s[i, j] = total / norm


@algorithm
def blur_rows(g: pixel_gray, weights: filter_weight["5"], s: out.filtered_gray):
    "one pass of a separable blur along the rows: the sum over t from 0 to 4 of `{weights}[t]` times the pixel in column j + t - 2 of the same row, divided by the sum of the five weights; columns are clamped to the image"
    i, j = thread()
    guard(i, j)
    total = float(0.0)
    norm = float(0.0)
    for t in range(5):
        x = wp.clamp(j + t - 2, 0, count(element, 1) - 1)
        w = weights[t]
        total += w * g[i, x]
        norm += w
    s[i, j] = total / norm


@algorithm
def dilate_gray(g: pixel_gray, s: out.filtered_gray):
    "dilates a gray image by a square: the largest value of the 3 x 3 window around each pixel, with rows and columns clamped to the image"
    i, j = thread()
    guard(i, j)
    high = g[i, j]
    for di in range(-1, 2):
        for dj in range(-1, 2):
            y = wp.clamp(i + di, 0, count(element, 0) - 1)
            x = wp.clamp(j + dj, 0, count(element, 1) - 1)
            high = wp.max(high, g[y, x])
    s[i, j] = high


@algorithm
def majority_filter(b: binary_pixel["n+2,m+2", "0:2"], cleaned: out.binary_pixel["n,m"]):
    "takes a majority vote in a binary image {b} with a margin of one pixel: 1 if at least five of the nine pixels of its 3 x 3 window whose upper left corner is at row i and column j are 1, else 0, for thread i, j"
    i, j = thread()
    guard(i, j)
    ones = int(0)
    for di in range(3):
        for dj in range(3):
            ones += b[i + di, j + dj]
    cleaned[i, j] = wp.where(ones >= 5, 1, 0)


@algorithm
def erode_along_rows(g: pixel_gray, s: out.filtered_gray):
    "erodes a gray image by a line of five pixels: the smallest value at the places up to two columns to the left and to the right of each pixel, with columns clamped to the image"
    i, j = thread()
    guard(i, j)
    low = g[i, j]
    for dj in range(-2, 3):
        x = wp.clamp(j + dj, 0, count(element, 1) - 1)
        low = wp.min(low, g[i, x])
    s[i, j] = low


@algorithm
def morphological_gradient(g: pixel_gray, edges: out.edge_strength):
    "the largest minus the smallest value of each pixel and its four neighbors, with rows and columns clamped to the image"
    i, j = thread()
    guard(i, j)
    own = g[i, j]
    n = g[wp.max(i - 1, 0), j]
    s = g[wp.min(i + 1, count(element, 0) - 1), j]
    w = g[i, wp.max(j - 1, 0)]
    e = g[i, wp.min(j + 1, count(element, 1) - 1)]
    high = wp.max(own, wp.max(wp.max(n, s), wp.max(w, e)))
    low = wp.min(own, wp.min(wp.min(n, s), wp.min(w, e)))
    edges[i, j] = high - low


@algorithm
def box_filter_from_integral(
    sat: summed_area["n+1,m+1"], radius: filter_radius, s: out.filtered_gray["n,m"],
):
    "the mean of the pixels within {radius} rows and columns, cut off at the border, from the summed area table: {sat}[y, x] is the sum of all pixels above row y and left of column x"
    i, j = thread()
    guard(i, j)
    top = wp.max(i - radius, 0)
    bottom = wp.min(i + radius + 1, s.shape[0])
    left = wp.max(j - radius, 0)
    right = wp.min(j + radius + 1, s.shape[1])
    total = sat[bottom, right] - sat[top, right] - sat[bottom, left] + sat[top, left]
    s[i, j] = total / float((bottom - top) * (right - left))


@algorithm(dims=1, element="row rows")
def sum_along_rows(g: pixel_gray["n,m"], sums: out.row_sum["n,m+1"]):
    "the running sums of each row of {g}: column 0 of {sums} is 0, and column x + 1 is the sum of the pixels in the columns 0 to x of the row"
    row = thread()
    guard(row)
    total = float(0.0)
    sums[row, 0] = 0.0
    for x in range(g.shape[1]):
        total += g[row, x]
        sums[row, x + 1] = total


@algorithm
def structure_tensor_3x3(
    g: pixel_gray["n+4,m+4"], tensor: out.structure_tensor["n,m"],
):
    "the structure tensor of an image {g} with a margin of two pixels: the vector of the sums of gx^2, gx * gy and gy^2 over the 3 x 3 window around the pixel in row i + 2 and column j + 2, for thread i, j, where gx is half of the right minus the left neighbor of a pixel and gy half of the lower minus the upper one"
    i, j = thread()
    guard(i, j)
    total = wp.vec3(0.0, 0.0, 0.0)
    for y in range(i + 1, i + 4):
        for x in range(j + 1, j + 4):
            gx = 0.5 * (g[y, x + 1] - g[y, x - 1])
            gy = 0.5 * (g[y + 1, x] - g[y - 1, x])
            total += wp.vec3(gx * gx, gx * gy, gy * gy)
    tensor[i, j] = total


@algorithm
def local_binary_pattern(g: pixel_gray, codes: out.texture_code):
    "the local binary pattern with four neighbors: 1 is added if the upper neighbor is at least as bright as the pixel, 2 for the right, 4 for the lower and 8 for the left one; border pixels get 0"
    i, j = thread()
    if i < 1 or j < 1 or i >= count(element, 0) - 1 or j >= count(element, 1) - 1:
        codes[i, j] = 0
        return
    middle = g[i, j]
    code = int(0)
    if g[i - 1, j] >= middle:
        code += 1
    if g[i, j + 1] >= middle:
        code += 2
    if g[i + 1, j] >= middle:
        code += 4
    if g[i, j - 1] >= middle:
        code += 8
    codes[i, j] = code


@algorithm
def thin_edges(
    g: edge_strength["n+2,m+2"], d: edge_direction["n,m"], edges: out.edge_strength["n,m"],
):
    "thins edges in a map {g} with a margin of one pixel by non-maximum suppression: thread i, j works on the pixel in row i + 1 and column j + 1, whose strength stays if it is larger than those of two neighbors, and else becomes 0; these neighbors are those on the left and on the right if the first component of `{d}[i, j]` is larger in magnitude than the second, and else those above and below"
    i, j = thread()
    guard(i, j)
    grad = d[i, j]
    strength = g[i + 1, j + 1]
    before = g[i, j + 1]
    after = g[i + 2, j + 1]
    if wp.abs(grad[0]) > wp.abs(grad[1]):
        before = g[i + 1, j]
        after = g[i + 1, j + 2]
    if strength > before and strength > after:
        edges[i, j] = strength
    else:
        edges[i, j] = 0.0


@algorithm
def hysteresis_step(kinds: edge_class["n,m", "0:3"], new_kinds: out.edge_class):
    "one step of hysteresis: a weak edge pixel (1) next to a strong one (2) among its eight neighbors becomes strong; all others stay"
    i, j = thread()
    guard(i, j)
    kind = kinds[i, j]
    new_kinds[i, j] = kind
    if kind != 1:
        return
    for y in range(wp.max(i - 1, 0), wp.min(i + 2, count(element, 0))):
        for x in range(wp.max(j - 1, 0), wp.min(j + 2, count(element, 1))):
            if kinds[y, x] == 2:
                new_kinds[i, j] = 2


@algorithm
def equalize_by_table(level: gray_level, lut: level_map["8"], s: out.equalized_gray):
    "looks up the new value of each pixel's {level} in {lut}; levels outside of the table are clamped to its ends"
    i, j = thread()
    guard(i, j)
    s[i, j] = lut[wp.clamp(level[i, j], 0, lut.shape[0] - 1)]


@algorithm
def demosaic_green(raw: raw_sample["n+2,m+2"], green: out.green_value["n,m"]):
    "the green channel of a Bayer mosaic {raw} with a margin of one pixel: thread i, j works on the pixel in row i + 1 and column j + 1; if i + j is odd it is green and keeps its value, else it gets the mean of its left and right neighbors if these differ less than its upper and lower ones, and else the mean of these"
    i, j = thread()
    guard(i, j)
    up = raw[i, j + 1]
    down = raw[i + 2, j + 1]
    left = raw[i + 1, j]
    right = raw[i + 1, j + 2]
    if (i + j) % 2 == 1:
        green[i, j] = raw[i + 1, j + 1]
    elif wp.abs(left - right) < wp.abs(up - down):
        green[i, j] = 0.5 * (left + right)
    else:
        green[i, j] = 0.5 * (up + down)


@algorithm
def halve_image(g: pixel_gray["2*n,2*m"], s: out.filtered_gray["n,m"]):
    "the next level of an image pyramid: pixel i, j is the mean of the 2 x 2 block of {g} from row 2 i and column 2 j on"
    i, j = thread()
    guard(i, j)
    upper = g[2 * i, 2 * j] + g[2 * i, 2 * j + 1]
    lower = g[2 * i + 1, 2 * j] + g[2 * i + 1, 2 * j + 1]
    s[i, j] = 0.25 * (upper + lower)


@algorithm
def match_template(
    g: pixel_gray["n+2,m+2"], patch: template_gray["3,3"], errors: out.match_error["n,m"],
):
    "the sum of the squared differences of the 3 x 3 image {patch} and the window of {g} of the same size whose upper left corner is at row i and column j, for thread i, j"
    i, j = thread()
    guard(i, j)
    total = float(0.0)
    for a in range(patch.shape[0]):
        for b in range(patch.shape[1]):
            d = g[i + a, j + b] - patch[a, b]
            total += d * d
    errors[i, j] = total


@algorithm(dims=1, element="column columns")
def seam_step(cost: seam_cost["k"], g: edge_strength["k"], new_cost: out.seam_cost["k"]):
    "the costs of the next row in seam carving: |{g}| of each column plus the smallest {cost} of the row above in this column and in the columns to its left and right, where these exist"
    j = thread()
    if j >= cost.shape[0]:
        return
    best = cost[j]
    if j > 0:
        best = wp.min(best, cost[j - 1])
    if j < cost.shape[0] - 1:
        best = wp.min(best, cost[j + 1])
    new_cost[j] = wp.abs(g[j]) + best


@algorithm
def motion_blur(g: pixel_gray, mv: motion_vector, s: out.filtered_gray):
    "blurs an image along its motion: each pixel gets the mean of the five pixels at its own place plus -1, -0.5, 0, 0.5 and 1 times {mv}, where the first component of {mv} is added to the column and the second to the row; both are rounded down and clamped to the image"
    i, j = thread()
    guard(i, j)
    motion = mv[i, j]
    total = float(0.0)
    for t in range(5):
        f = 0.5 * float(t - 2)
        y = wp.clamp(int(wp.floor(float(i) + f * motion[1])), 0, count(element, 0) - 1)
        x = wp.clamp(int(wp.floor(float(j) + f * motion[0])), 0, count(element, 1) - 1)
        total += g[y, x]
    s[i, j] = total / 5.0


@algorithm
def spread_labels(
    b: binary_pixel["n,m", "0:2"], label: region_label, new_label: out.region_label,
):
    "one step of connected components: a pixel with {b} = 1 gets the smallest {label} of itself and its four neighbors with {b} = 1; a pixel with {b} = 0 gets -1"
    i, j = thread()
    guard(i, j)
    if b[i, j] == 0:
        new_label[i, j] = -1
        return
    least = label[i, j]
    if i > 0 and b[i - 1, j] == 1:
        least = wp.min(least, label[i - 1, j])
    if i < count(element, 0) - 1 and b[i + 1, j] == 1:
        least = wp.min(least, label[i + 1, j])
    if j > 0 and b[i, j - 1] == 1:
        least = wp.min(least, label[i, j - 1])
    if j < count(element, 1) - 1 and b[i, j + 1] == 1:
        least = wp.min(least, label[i, j + 1])
    new_label[i, j] = least


@algorithm(dims=1, element="beam beams")
def back_project(
    starts: xray_start["n"], d: xray_direction["n"], value: xray_value["n"],
    back: out.back_projection["r+2,c+2"],
):
    "projects beams back, as in tomography: a sixth of {value} of each beam is added atomically to {back} at each of the six places {starts} plus t times {d} for t = 0, 1, 2, 3, 4 and 5, where the first component is a row and the second a column, both rounded down after 0.5 is added; places beyond the image are left out"
    i = thread()
    guard(i)
    share = value[i] / 6.0
    start = starts[i]
    direction = d[i]
    for t in range(6):
        y = int(wp.floor(start[0] + float(t) * direction[0] + 0.5))
        x = int(wp.floor(start[1] + float(t) * direction[1] + 0.5))
        if y >= 0 and y < back.shape[0] and x >= 0 and x < back.shape[1]:
            wp.atomic_add(back, y, x, share)
