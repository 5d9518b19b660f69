# SPDX-License-Identifier: Apache-2.0
"""Blocks of threads with a world, a group or a block of a matrix each: sums of what the threads
find, systems that are solved where a world still needs it, products that skip empty blocks."""

field("tiles of worlds", element="world worlds", other="row rows", apart=True, share=10)

block_residual = quantity(float, "1", "residuals of the worlds", one="r", many="residual r_in residuals")
block_done = quantity(int, "1", "flags of the solved worlds", one="done", many="converged solved done", low=0, high=1)
block_tolerance = quantity(float, "1", "squared norm below which a world is solved", one="tol tolerance", low=0.5, high=3.0, uniform=True)
block_norm = quantity(float, "1", "squared norms of the worlds", one="norm_sq", many="squared_norms residual_sq norms_sq")
cg_direction = quantity(float, "1", "search directions", one="p", many="p direction", low=0.2, high=2.0)
cg_product = quantity(float, "1", "products of the matrices and the directions", one="Ap", many="Ap A_direction", low=0.2, high=2.0)
cg_rz = quantity(float, "1", "products of residual and preconditioned residual", one="rz", many="rz rz_old", low=0.2, high=2.0)
cg_solution = quantity(float, "1", "solutions", one="x", many="x solution")
chunk_value = quantity(float, "1", "entries of the worlds", one="x", many="data values")
chunk_total = quantity(float, "1", "sums of the worlds", one="total", many="totals sums")
sparse_left = quantity(float, "1", "sparse matrix", one="a", many="a blocks")
sparse_pattern = quantity(int, "1", "pattern of the tiles: 0 for an empty one", one="used", many="pattern block_pattern", low=0, high=1)
sparse_right = quantity(float, "1", "right matrix", one="b", many="b columns")
sparse_result = quantity(float, "1", "product", one="c", many="c result")
world_mass_matrix = quantity(float, "1", "mass matrices", one="M", many="M mass_matrix")
world_rows = quantity(float, "1", "Jacobians, a matrix for each world", one="J", many="J jacobian")
world_row_weight = quantity(float, "1", "weights of the rows", one="D", many="D row_weights", low=0.2, high=2.0)
world_rows_used = quantity(int, "1", "numbers of rows in use", one="count", many="row_count num_rows nefc", low=0, high=8)
world_hessian = quantity(float, "1", "Hessians", one="H", many="H hessian")
factor_lower = quantity(float, "1", "lower Cholesky factors", one="L", many="L factors", low=0.5, high=1.5)
factor_rhs = quantity(float, "1", "residuals", one="b", many="residuals b")
draw_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
draw_lower = quantity(float, "1", "lower ends of the intervals", one="lo", many="lower x_min", low=0.1, high=0.5)
draw_width = quantity(float, "1", "widths of the intervals", one="width", many="widths", low=0.5, high=1.5)
draw_decay = quantity(float, "1", "decay rates", one="rate", many="rates decay", low=0.5, high=2.0)
draw_integral = quantity(float, "1", "estimates of the integrals", one="estimate", many="integrals estimates")
draw_price = quantity(float, "EUR", "prices of the assets", one="s", many="spot prices", low=0.8, high=1.5)
draw_volatility = quantity(float, "1", "volatilities of the assets over the time to expiry", one="vol", many="vols volatility", low=0.1, high=0.4)
draw_strike = quantity(float, "EUR", "strikes of the options", one="strike", many="strikes", low=0.6, high=1.0)
draw_payoff = quantity(float, "EUR", "mean payoffs", one="payoff", many="payoffs option_value")
draw_keep = quantity(float, "1", "chance that an entry is kept", one="p_keep keep", low=0.3, high=0.8, uniform=True)
draw_entry = quantity(float, "1", "entries of the groups", one="x", many="values activations", low=0.2, high=2.0)
draw_mean = quantity(float, "1", "means of the groups", one="mean", many="means")
block_label = quantity(int, "1", "labels of the samples", one="label", many="labels classes", low=0, high=2)
block_label_count = quantity(int, "1", "numbers of samples of each class", one="count", many="counts class_counts", low=0, high=9)
group_point = quantity(vec3, "m", "positions of the points", one="x", many="points positions")
group_point_mass = quantity(float, "kg", "masses of the points", one="m", many="masses point_mass", low=0.5, high=2.0)
group_force = quantity(vec3, "N", "forces on the points", one="f", many="forces point_forces")
group_spin_inertia = quantity(float, "kg m^2", "moments of inertia of the groups", one="I", many="spin_inertia inertias")
group_velocity = quantity(vec3, "m/s", "velocities of the points", one="v", many="velocities point_velocity")
group_power = quantity(float, "W", "powers of the groups", one="power", many="powers group_power")
group_speed_sum = quantity(float, "m^2/s^2", "sums of the squared speeds of the groups", one="square", many="speed_squares speed_sq")
first_count = quantity(int, "1", "numbers of entries in use", one="count", many="num_used used_count", low=0, high=3)
tile_image = quantity(float, "1", "image, with a margin of one pixel on each side", one="img", many="image img")
tile_kernel = quantity(float, "1", "weights of the window", one="w", many="weights window")
tile_filtered = quantity(float, "1", "filtered image", one="y", many="filtered image_out")
head_input = quantity(float, "1", "inputs, one matrix for each head", one="x", many="x head_inputs")
head_weight = quantity(float, "1", "weights of the heads", one="w", many="w head_weights")
head_output = quantity(float, "1", "outputs, one matrix for each head", one="y", many="y head_outputs")
trained_weight = quantity(float, "1", "weights", one="w", many="weights w")
trained_gradient = quantity(float, "1", "gradients of the weights", one="g", many="grad grads")
trained_momentum = quantity(float, "1", "momenta of the weights", one="m", many="momentum momenta")
learning_step = quantity(float, "1", "learning rate", one="lr learning_rate", low=0.05, high=0.5, uniform=True)
momentum_share = quantity(float, "1", "decay of the momentum", one="beta mu", low=0.5, high=0.95, uniform=True)


@algorithm(share=6)
def check_worlds_by_block(
    r: block_residual["n,m"], done: block_done["n", "0:2"], tol: block_tolerance, norm: out.block_norm["n"],
    done_out: out.block_done["n"],
):
    "tests which worlds are solved, with a block for each world, skips those with 1 in {done}, and stores results in {norm} and {done_out}: the threads of the block add up the squares of the world's row of {r}, thread t those in columns t, t + 256 and so on; {norm} gets the sum, and {done_out} gets 1 if the sum is below {tol}, else 0"
    i, t = wp.tid()
    if done[i] == 1:
        return
    local_sum = float(0.0)
    for k in range(t, r.shape[1], 256):
        local_sum += r[i, k] * r[i, k]
    total = wp.tile_sum(wp.tile(local_sum))
    square = total[0]
    if t == 0:
        norm[i] = square
        if square < tol:
            done_out[i] = 1
        else:
            done_out[i] = 0


@algorithm(share=6)
def move_along_direction_by_block(
    p: cg_direction["n,m"], Ap: cg_product["n,m"], rz: cg_rz["n"], done: block_done["n", "0:2"],
    x: cg_solution["n,m"], x_out: out.cg_solution["n,m"],
):
    "moves the solution of each world along its search direction, as conjugate gradients do, with a block for each world: {x_out} gets {x} plus alpha times {p}, where alpha is the world's {rz} divided by the dot product of its rows of {p} and {Ap}. Worlds with 1 in {done} are skipped. Thread t works on the columns t, t + 256 and so on"
    i, t = wp.tid()
    if done[i] == 1:
        return
    local_sum = float(0.0)
    for k in range(t, p.shape[1], 256):
        local_sum += p[i, k] * Ap[i, k]
    curvature = wp.tile_sum(wp.tile(local_sum))[0]
    alpha = rz[i] / curvature
    for k in range(t, p.shape[1], 256):
        x_out[i, k] = x[i, k] + alpha * p[i, k]


@algorithm(share=6)
def sum_of_chunks(values: chunk_value["n,8*m"], totals: out.chunk_total["n"]):
    "the sum of each row of {values}, whose columns are a multiple of 8: block i adds up the tiles of 8 columns of row i one by one, and stores the sum of the entries of the result in {totals}"
    i = thread()
    total = wp.tile_zeros(shape=8, dtype=float)
    for k in range(values.shape[1] // 8):
        total += wp.tile_load(values[i], shape=8, offset=8 * k)
    wp.tile_store(totals, wp.tile_sum(total), offset=i)


@algorithm(share=8)
def sparse_block_product(
    a: sparse_left["4*n,4*m"], pattern: sparse_pattern["n,m", "0:2"], b: sparse_right["4*m,2"], c: out.sparse_result["4*n,2"],
):
    "the product of a sparse matrix {a}, which consists of 4 x 4 tiles, and {b}, which has 2 columns; tiles with 0 in {pattern} are skipped. Block i of threads adds up the products of the tiles in the four rows of {a} from row 4 i on and the four rows of {b} that belong to each tile, and stores the sum in {c} from row 4 i on"
    i = thread()
    total = wp.tile_zeros(shape=(4, 2), dtype=float)
    for k in range(pattern.shape[1]):
        if pattern[i, k] == 0:
            continue
        block = wp.tile_load(a, shape=(4, 4), offset=(4 * i, 4 * k))
        part = wp.tile_load(b, shape=(4, 2), offset=(4 * k, 0))
        wp.tile_matmul(block, part, total)
    wp.tile_store(c, total, offset=(4 * i, 0))


@algorithm(share=8)
def hessians_by_tiles(
    M: world_mass_matrix["n,4,4"], J: world_rows["n,4*m,4"], D: world_row_weight["n,4*m"], num: world_rows_used["n", "0:9"],
    H: out.world_hessian["n,4,4"],
):
    "computes the Hessian of each world, with a block for each: {H} gets {M} plus the product of the transposed rows of {J}, each times its {D}, and the rows themselves, added up in tiles of four rows; the sum ends before the first tile that begins at or after row `{num}[i]`"
    i = thread()
    total = wp.tile_load(M[i], shape=(4, 4))
    for k in range(J.shape[1] // 4):
        if 4 * k >= num[i]:
            break
        rows = wp.tile_load(J[i], shape=(4, 4), offset=(4 * k, 0))
        weights = wp.tile_load(D[i], shape=4, offset=4 * k)
        weighted = wp.tile_transpose(rows) * wp.tile_broadcast(weights, shape=(4, 4))
        total += wp.tile_matmul(weighted, rows)
    wp.tile_store(H[i], total)


@algorithm(share=8)
def whitened_norms(
    L: factor_lower["n,4,4"], b: factor_rhs["n,4"], done: block_done["n", "0:2"], norm: out.block_norm["n"],
):
    "the squared norm of the whitened residual of each world, with a block for each: the lower system with the Cholesky factor {L} and {b} is solved by `wp.tile_lower_solve`, and the sum of the squares of the solution goes to {norm}; worlds with 1 in {done} are skipped"
    i = thread()
    if done[i] == 1:
        return
    factor = wp.tile_load(L[i], shape=(4, 4))
    residual = wp.tile_load(b[i], shape=4)
    y = wp.tile_lower_solve(factor, residual)
    wp.tile_store(norm, wp.tile_sum(y * y), offset=i)


@algorithm(element="interval intervals", share=6)
def integrals_by_random_points(
    lo: draw_lower["n"], width: draw_width["n"], rate: draw_decay["n"], seed: draw_seed, estimate: out.draw_integral["n"],
):
    "estimates the integral of exp(-rate x) over each interval from {lo} to {lo} plus {width}, with {rate} of the interval, by 256 random points: a block for each interval i, in which thread t draws one uniform number u in [0, 1) from the state `wp.rand_init({seed}, i * 256 + t)` and takes x = {lo} + u {width}; the mean of the values, from the sum of a tile, times {width} goes to {estimate}"
    i, t = wp.tid()
    state = wp.rand_init(seed, i * 256 + t)
    x = lo[i] + wp.randf(state) * width[i]
    total = wp.tile_sum(wp.tile(wp.exp(-rate[i] * x)))
    wp.tile_store(estimate, total * (width[i] / 256.0), offset=i)


@algorithm(element="option options", share=6)
def option_values_by_block(
    s: draw_price["n"], vol: draw_volatility["n"], strike: draw_strike["n"], seed: draw_seed, payoff: out.draw_payoff["n"],
):
    "values call options by 256 random prices each: a block for each option i, in which thread t draws a standard normal number z from the state `wp.rand_init({seed}, i * 256 + t)`; the price at expiry is {s} exp({vol} z - {vol}^2 / 2), and the payoff what it exceeds {strike} by, or 0; the mean payoff, from the sum of a tile, goes to {payoff}"
    i, t = wp.tid()
    state = wp.rand_init(seed, i * 256 + t)
    sigma = vol[i]
    final = s[i] * wp.exp(sigma * wp.randn(state) - 0.5 * sigma * sigma)
    gain = wp.max(final - strike[i], 0.0)
    total = wp.tile_sum(wp.tile(gain))
    wp.tile_store(payoff, total * (1.0 / 256.0), offset=i)


@algorithm(element="group groups", share=6)
def mean_with_dropout(values: draw_entry["n,256"], keep: draw_keep, seed: draw_seed, mean: out.draw_mean["n"]):
    "the mean of each row of {values}, which has 256 columns, with dropout. It has a block for each row i and a thread t for each entry, which draws a uniform number in [0, 1) from the state `wp.rand_init({seed}, i * 256 + t)`. An entry whose number is below {keep} counts divided by {keep}, the others count as 0; {mean} gets the sum of the block's tile divided by 256"
    i, t = wp.tid()
    state = wp.rand_init(seed, i * 256 + t)
    x = float(0.0)
    if wp.randf(state) < keep:
        x = values[i, t] / keep
    total = wp.tile_sum(wp.tile(x))
    wp.tile_store(mean, total * (1.0 / 256.0), offset=i)


@algorithm(element="group groups", share=6)
def count_classes_by_block(labels: block_label["n,256", "0:3"], counts: out.block_label_count["3"]):
    "counts the samples of each of three classes, with a block for each row of {labels}, which has 256 columns, and a thread for each sample: for each class the threads make a tile of ones and zeros, whose sum is added atomically to the class's entry of {counts}"
    i, t = wp.tid()
    own = labels[i, t]
    for label in range(3):
        hits = wp.tile_sum(wp.tile(wp.where(own == label, 1, 0)))
        wp.tile_atomic_add(counts, hits, offset=label)


@algorithm(element="group groups", share=8)
def spin_inertias_by_block(x: group_point["n,256"], m: group_point_mass["n,256"], inertia: out.group_spin_inertia["n"]):
    "the moment of inertia about the z axis of each group of 256 points, a row of {x} and {m}, with a block for each group and a thread for each point: the sum of a tile of the mass times the squared distance from the axis, stored in {inertia} by the first thread of the block"
    i, t = wp.tid()
    p = x[i, t]
    total = wp.tile_sum(wp.tile(m[i, t] * (p[0] * p[0] + p[1] * p[1])))[0]
    if t == 0:
        inertia[i] = total


@algorithm(element="group groups", share=8)
def powers_by_block(
    v: group_velocity["n,256"], f: group_force["n,256"], num: first_count["n", "0:4"], power: out.group_power["n"],
    speed_sum: out.group_speed_sum["n"],
):
    "the power of the forces on each group of up to 256 points, with a block for each group and a thread for each point: only the first `{num}[i]` points of row i of {v} and {f} count; the sums of two tiles, of the dot products of {v} and {f} and of the squared lengths of {v}, are stored in {power} and {speed_sum} by the first thread of the block"
    i, t = wp.tid()
    own_power = float(0.0)
    own_square = float(0.0)
    if t < num[i]:
        own_power = wp.dot(f[i, t], v[i, t])
        own_square = wp.dot(v[i, t], v[i, t])
    total_power = wp.tile_sum(wp.tile(own_power))[0]
    total_square = wp.tile_sum(wp.tile(own_square))[0]
    if t == 0:
        power[i] = total_power
        speed_sum[i] = total_square


@algorithm(element="group groups", share=8)
def mean_of_used_entries(values: draw_entry["n,256"], num: first_count["n", "0:4"], mean: out.draw_mean["n"]):
    "the mean of the first `{num}[i]` of the 256 entries of each group i, which are row i of {values}, with a block for each group and a thread for each entry: the threads make a tile of their entries, with 0 for those that do not count, and the first thread stores the sum of the tile divided by `{num}[i]` in {mean}, or 0 if `{num}[i]` is 0"
    i, t = wp.tid()
    x = float(0.0)
    if t < num[i]:
        x = values[i, t]
    total = wp.tile_sum(wp.tile(x))[0]
    if t == 0:
        if num[i] == 0:
            mean[i] = 0.0
        else:
            mean[i] = total / float(num[i])


@algorithm(dims=2, element="tile tiles", share=8)
def filter_by_tiles(img: tile_image["4*n+2,4*m+2"], w: tile_kernel["3,3"], y: out.tile_filtered["4*n,4*m"]):
    "filters an image by tiles of 4 x 4 with the weights {w} of a window of 3 by 3: block i, j adds up, for r and c from 0 to 2, `{w}[r, c]` times the tile of {img} that begins at row 4 i + r and column 4 j + c, and stores the sum in {y} from row 4 i and column 4 j on"
    i, j = thread()
    total = wp.tile_zeros(shape=(4, 4), dtype=float)
    for r in range(3):
        for c in range(3):
            total += wp.tile_load(img, shape=(4, 4), offset=(4 * i + r, 4 * j + c)) * w[r, c]
    wp.tile_store(y, total, offset=(4 * i, 4 * j))


@algorithm(element="group groups", share=8)
def products_of_heads(x: head_input["m,4*n,4*l"], w: head_weight["m,4*l,4"], y: out.head_output["m,4*n,4"]):
    "multiplies the inputs of all heads by their weights, by tiles: for each head h, block i adds up the products of the 4 x 4 tiles of `{x}[h]` in its rows, from row 4 i on, and those of `{w}[h]`, and stores the sum in `{y}[h]` from row 4 i on"
    i = thread()
    for head in range(x.shape[0]):
        total = wp.tile_zeros(shape=(4, 4), dtype=float)
        for k in range(x.shape[2] // 4):
            left = wp.tile_load(x[head], shape=(4, 4), offset=(4 * i, 4 * k))
            right = wp.tile_load(w[head], shape=(4, 4), offset=(4 * k, 0))
            wp.tile_matmul(left, right, total)
        wp.tile_store(y[head], total, offset=(4 * i, 0))


@algorithm(element="block blocks", share=8)
def momentum_step_by_tiles(
    w: trained_weight["32*n"], g: trained_gradient["32*n"], m: trained_momentum["32*n"], lr: learning_step, beta: momentum_share,
    w_out: out.trained_weight["32*n"], m_out: out.trained_momentum["32*n"],
):
    "takes a step of gradient descent with momentum, by tiles: for the 32 entries from 32 i on, block i stores the new momentum {beta} {m} + {g} in {m_out}, and the new weights, {w} minus {lr} times the new momentum, in {w_out}"
    i = thread()
    weights = wp.tile_load(w, shape=32, offset=32 * i)
    grads = wp.tile_load(g, shape=32, offset=32 * i)
    momentum = wp.tile_load(m, shape=32, offset=32 * i) * beta + grads
    wp.tile_store(m_out, momentum, offset=32 * i)
    wp.tile_store(w_out, weights - momentum * lr, offset=32 * i)
