# SPDX-License-Identifier: Apache-2.0
"""Blocks of threads that work on tiles: sums, products, norms of rows and matrices."""

field("tiles", element="row rows", other="column columns", apart=True)

row_value = quantity(float, "1", "entries of the rows", one="x", many="values")
vector_value = quantity(float, "1", "values", one="x", many="values x")
row_weight = quantity(float, "1", "weights of the columns", one="w", many="weights")
row_sum_value = quantity(float, "1", "sums of the rows", one="total", many="totals row_sums")
row_dot = quantity(float, "1", "dot products", one="dot", many="dots")
row_squares = quantity(float, "1", "sums of the squares", one="total", many="square_sums totals")
row_right_side = quantity(float, "1", "right-hand sides", one="b", many="rhs")
solved_vector = quantity(float, "1", "solutions", one="x", many="x solutions")
count_limit = quantity(float, "1", "limit of the entries", one="limit threshold", low=0.5, high=2.0, uniform=True)
block_slot = quantity(int, "1", "entries that the blocks add to", one="slot", many="slots ids", low=0, high=2)
scaled_row = quantity(float, "1", "scaled rows", one="y", many="y scaled")
result_row = quantity(float, "1", "resulting rows", one="y", many="y result")
tile_vector = quantity(float, "1", "entries of the result", one="y", many="y result")
tile_addend = quantity(float, "1", "values to add", one="y", many="addends")
first_matrix = quantity(float, "1", "first matrix", one="a", many="a")
second_matrix = quantity(float, "1", "second matrix", one="b", many="b")
transposed_matrix = quantity(float, "1", "transposed matrix", one="b", many="transposed")
plain_matrix = quantity(float, "1", "matrix to transpose", one="a", many="a")
row_scale = quantity(float, "1", "scale factor", one="scale alpha", low=0.5, high=2.0, uniform=True)
tile_left = quantity(float, "1", "left matrix", one="a", many="a")
tile_right = quantity(float, "1", "right matrix", one="b", many="b")
tile_sample = quantity(float, "1", "samples, one in each row", one="x", many="x inputs")
tile_weight = quantity(float, "1", "weights of the layer", one="w", many="w weights")
tile_output = quantity(float, "1", "outputs of the layer", one="y", many="y outputs")
gram_matrix = quantity(float, "1", "Gram matrices", one="g", many="gram G")
tile_product = quantity(float, "1", "product", one="c", many="c")
tile_total = quantity(float, "1", "resulting matrix", one="c", many="c")
row_count = quantity(int, "1", "numbers of entries above the limit", one="n", many="counts num_above", low=0, high=9)
given_count = quantity(int, "1", "counts", one="n", many="counts", low=0, high=9)
largest_count = quantity(int, "1", "largest counts", one="top", many="largest tops", low=0, high=9)
tile_epsilon = quantity(float, "1", "constant under the root", one="eps epsilon", low=0.05, high=0.5, uniform=True)
row_shift = quantity(float, "1", "shifts of the columns", one="b", many="beta shift")
layer_bias = quantity(float, "1", "biases", one="b", many="bias biases")
block_entry = quantity(float, "1", "entries of the blocks, one block behind the other", one="x", many="values")
slot_total = quantity(float, "1", "totals of the slots", one="total", many="totals slot_sums")
base_matrix = quantity(float, "1", "matrix that is updated", one="c", many="c base")
updated_matrix = quantity(float, "1", "updated matrix", one="d", many="d updated")
column_sum = quantity(float, "1", "sums of the columns", one="total", many="sums column_sums")
tile_sum_total = quantity(float, "1", "total", one="total", many="total result")
other_value = quantity(float, "1", "second values", one="y", many="second_values y")
query_tile = quantity(float, "1", "queries", one="q", many="q queries Q")
key_tile = quantity(float, "1", "keys", one="k", many="k keys K")
value_tile = quantity(float, "1", "values", one="v", many="v V")
tile_context = quantity(float, "1", "contexts", one="c", many="context attended")
tile_second = quantity(float, "1", "weights of the second layer", one="u", many="u second_weights")
tile_lower = quantity(float, "1", "lower triangles", one="l", many="lower L", low=0.5, high=1.5)
tile_velocity = quantity(vec3, "m/s", "velocities of the particles", one="v", many="velocities v")
tile_energy = quantity(float, "J", "kinetic energies of the groups", one="e", many="energies")
tile_mass = quantity(float, "kg", "masses of the particles", one="m", many="masses m", low=0.5, high=2.0)
row_order = quantity(int, "1", "rows to copy", one="row", many="order", low=0, high=4)


@algorithm
def sum_rows(values: row_value["n,32"], totals: out.row_sum_value["n"]):
    "the sum of each row of {values}, which has 32 columns: block i loads row i as a tile and adds it up"
    i = thread()
    row = wp.tile_load(values[i], shape=32)
    wp.tile_store(totals, wp.tile_sum(row), offset=i)


@algorithm
def weighted_sum_of_rows(values: row_value["n,16"], weights: row_weight["16"], totals: out.row_dot["n"]):
    "the dot product of each row of {values}, which has 16 columns, and {weights}: block i loads row i and the weights as tiles, multiplies them entry by entry and adds the products up"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    weight_tile = wp.tile_load(weights, shape=16)
    wp.tile_store(totals, wp.tile_sum(row * weight_tile), offset=i)


@algorithm
def scale_rows(values: row_value["n,16"], alpha: row_scale, scaled: out.scaled_row["n,16"]):
    "multiplies each row of {values}, which has 16 columns, by {alpha}: block i loads row i as a tile and stores the scaled tile in the same row of {scaled}"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    wp.tile_store(scaled[i], row * alpha)


@algorithm
def multiply_by_tiles(a: tile_left["n,8"], b: tile_right["8,4"], c: out.tile_product["n,4"]):
    "the matrix product of {a}, which has 8 columns, and {b}, an 8 x 4 matrix: each block computes a row of {c} by one product of tiles, 1 x 8 times 8 x 4"
    i = thread()
    left = wp.tile_load(a, shape=(1, 8), offset=(i, 0))
    right = wp.tile_load(b, shape=(8, 4))
    wp.tile_store(c, wp.tile_matmul(left, right), offset=(i, 0))


@algorithm
def map_sine_over_rows(values: row_value["n,16"], y: out.result_row["n,16"]):
    "the sine of all entries of {values}, which has 16 columns: block i loads row i as a tile, maps `wp.sin` over it and stores it in the same row of {y}"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    wp.tile_store(y[i], wp.tile_map(wp.sin, row))


@algorithm
def largest_counts(counts: given_count["n,16"], largest: out.largest_count["n"]):
    "the largest of the counts in each row of {counts}, which has 16 columns: each block loads its row as a tile and stores the tile's maximum in {largest}"
    i = thread()
    row = wp.tile_load(counts[i], shape=16)
    wp.tile_store(largest, wp.tile_max(row), offset=i)


@algorithm
def center_rows(values: row_value["n,16"], y: out.result_row["n,16"]):
    "subtracts the mean of its entries from each row of {values}, which has 16 columns: block i does this for row i, as a tile, and stores the result in the same row of {y}"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    mean = wp.tile_sum(row) * 0.0625
    wp.tile_store(y[i], row - wp.tile_broadcast(mean, shape=(16,)))


@algorithm
def normalize_rows_by_tiles(values: row_value["n,16"], eps: tile_epsilon, y: out.result_row["n,16"]):
    "divides each row of {values}, which has 16 columns, by the square root of the sum of {eps} and the squares of its entries, with one block and one tile for each row"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    norm = wp.sqrt(wp.tile_sum(row * row)[0] + eps)
    wp.tile_store(y[i], row * (1.0 / norm))


@algorithm
def layer_norm_by_tiles(values: row_value["n,16"], gamma: row_weight["16"], beta: row_shift["16"], eps: tile_epsilon, y: out.result_row["n,16"]):
    "the layer norm of each row of {values}, which has 16 columns, with one block for each row: d / sqrt(v + {eps}) {gamma} + {beta}, where d is the row's tile minus its mean and v the mean of the squares of d"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    d = row - wp.tile_broadcast(wp.tile_sum(row) * 0.0625, shape=(16,))
    var = wp.tile_sum(d * d)[0] / 16.0
    g = wp.tile_load(gamma, shape=16)
    b = wp.tile_load(beta, shape=16)
    wp.tile_store(y[i], d * (1.0 / wp.sqrt(var + eps)) * g + b)


@algorithm
def softmax_rows_by_tiles(values: row_value["n,16"], y: out.result_row["n,16"]):
    "the softmax of each row of {values}, which has 16 columns, with one block for each row: the exponentials of the row's tile minus its largest entry, divided by their sum"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    top = wp.tile_max(row)[0]
    e = wp.tile_map(wp.exp, row - wp.tile_full(shape=16, value=top, dtype=float))
    wp.tile_store(y[i], e * (1.0 / wp.tile_sum(e)[0]))


@algorithm(dims=2)
def transpose_by_tiles(a: plain_matrix["4*n,4*m"], b: out.transposed_matrix["4*m,4*n"]):
    "the transpose of {a} by tiles of 4 x 4: block i, j stores the transpose of its tile of {a}, which begins at row 4 i and column 4 j, in {b} from row 4 j and column 4 i on"
    i, j = thread()
    tile = wp.tile_load(a, shape=(4, 4), offset=(4 * i, 4 * j))
    wp.tile_store(b, wp.tile_transpose(tile), offset=(4 * j, 4 * i))


@algorithm(dims=2)
def matmul_by_blocks(a: tile_left["4*n,8"], b: tile_right["8,4*m"], c: out.tile_product["4*n,4*m"]):
    "the matrix product of {a}, which has 8 columns, and {b}, which has 8 rows, by tiles of 4 x 4: block i, j adds up the products of the two tiles of {a} in its rows, from row 4 i on, and those of {b} in its columns, from column 4 j on, and stores the sum in {c} there"
    i, j = thread()
    total = wp.tile_zeros(shape=(4, 4), dtype=float)
    for k in range(a.shape[1] // 4):
        left = wp.tile_load(a, shape=(4, 4), offset=(4 * i, 4 * k))
        right = wp.tile_load(b, shape=(4, 4), offset=(4 * k, 4 * j))
        wp.tile_matmul(left, right, total)
    wp.tile_store(c, total, offset=(4 * i, 4 * j))


@algorithm
def dense_layer_by_tiles(a: tile_sample["4*n,8"], b: tile_weight["8,4"], bias: layer_bias["4"], c: out.tile_output["4*n,4"]):
    "applies a dense layer for four samples in each block: block i multiplies the 4 x 8 tile of {a} from row 4 i on by the 8 x 4 matrix {b}, adds {bias} to each row, maps `wp.tanh` over the result and stores it in {c} from row 4 i on"
    i = thread()
    samples = wp.tile_load(a, shape=(4, 8), offset=(4 * i, 0))
    weight_tile = wp.tile_load(b, shape=(8, 4))
    bias_tile = wp.tile_load(bias, shape=4)
    z = wp.tile_matmul(samples, weight_tile) + wp.tile_broadcast(bias_tile, shape=(4, 4))
    wp.tile_store(c, wp.tile_map(wp.tanh, z), offset=(4 * i, 0))


@algorithm
def gram_matrices(a: tile_sample["4*n,8"], c: out.gram_matrix["4*n,4"]):
    "the Gram matrix of each group of four rows of {a}, which has 8 columns: block i multiplies the 4 x 8 tile from row 4 i on by its transpose and stores the 4 x 4 product in {c} from row 4 i on"
    i = thread()
    samples = wp.tile_load(a, shape=(4, 8), offset=(4 * i, 0))
    wp.tile_store(c, wp.tile_matmul(samples, wp.tile_transpose(samples)), offset=(4 * i, 0))


@algorithm
def sum_columns_by_tiles(values: row_value["8*n,16"], totals: out.column_sum["16"]):
    "the sums of the 16 columns of {values}: block i loads the 8 rows from row 8 i on as a tile, sums it along its first axis and adds the 16 sums atomically to {totals}"
    i = thread()
    tile = wp.tile_load(values, shape=(8, 16), offset=(8 * i, 0))
    wp.tile_atomic_add(totals, wp.tile_sum(tile, axis=0))


@algorithm
def add_up_by_tiles(values: vector_value["32*n"], total: out.tile_sum_total["1"]):
    "the sum of all {values}: block i loads the 32 entries from 32 i on as a tile, sums it and adds the sum atomically to {total}"
    i = thread()
    part = wp.tile_load(values, shape=32, offset=32 * i)
    wp.tile_atomic_add(total, wp.tile_sum(part))


@algorithm
def dot_by_tiles(values: vector_value["32*n"], second_values: other_value["32*n"], total: out.tile_sum_total["1"]):
    "the dot product of {values} and {second_values}: block i loads the 32 entries of both from 32 i on as tiles, multiplies them entry by entry and adds the sum of the products atomically to {total}"
    i = thread()
    left = wp.tile_load(values, shape=32, offset=32 * i)
    right = wp.tile_load(second_values, shape=32, offset=32 * i)
    wp.tile_atomic_add(total, wp.tile_sum(left * right))


@algorithm
def axpy_by_tiles(values: vector_value["32*n"], addends: tile_addend["32*n"], alpha: row_scale, y: out.tile_vector["32*n"]):
    "computes {alpha} times {values} plus {addends}, by tiles: block i computes the 32 entries from 32 i on"
    i = thread()
    left = wp.tile_load(values, shape=32, offset=32 * i)
    right = wp.tile_load(addends, shape=32, offset=32 * i)
    wp.tile_store(y, left * alpha + right, offset=32 * i)


@algorithm
def attention_row_by_tiles(q: query_tile["n,8"], k: key_tile["16,8"], v: value_tile["16,8"], scale: row_scale, context: out.tile_context["n,8"]):
    "computes attention, with one block for each row of {q}: the scores are {scale} times the product of the row, as a 1 x 8 tile, and the transpose of {k}; their softmax, the exponentials of the scores minus the largest one, divided by their sum, is multiplied by {v} and gives the same row of {context}"
    i = thread()
    query = wp.tile_load(q, shape=(1, 8), offset=(i, 0))
    keys = wp.tile_load(k, shape=(16, 8))
    values = wp.tile_load(v, shape=(16, 8))
    scores = wp.tile_matmul(query, wp.tile_transpose(keys)) * scale
    top = wp.tile_max(scores)[0]
    e = wp.tile_map(wp.exp, scores - wp.tile_full(shape=(1, 16), value=top, dtype=float))
    weights = e * (1.0 / wp.tile_sum(e)[0])
    wp.tile_store(context, wp.tile_matmul(weights, values), offset=(i, 0))


@algorithm
def gather_rows_by_tiles(values: row_value["n,16"], order: row_order["n", "0:n"], y: out.result_row["n,16"]):
    "gathers rows by tiles: block i copies row `{order}[i]` of {values}, which has 16 columns, to row i of {y}"
    i = thread()
    row = wp.tile_load(values[order[i]], shape=16)
    wp.tile_store(y[i], row)


@algorithm
def dot_of_halves(values: row_value["n,16"], totals: out.row_dot["n"]):
    "the dot product of the two halves of each row of {values}, which has 16 columns: block i takes both halves as views of the tile of row i, multiplies them entry by entry and adds the products up"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    left = wp.tile_view(row, offset=(0,), shape=(8,))
    right = wp.tile_view(row, offset=(8,), shape=(8,))
    wp.tile_store(totals, wp.tile_sum(left * right), offset=i)


@algorithm
def solve_lower_systems(a: tile_lower["4*n,4"], rhs: row_right_side["4*n"], x: out.solved_vector["4*n"]):
    "solves a lower triangular system in each block by `wp.tile_lower_solve`: the matrix of block i is the lower triangle of the 4 x 4 tile of {a} from row 4 i on, the right-hand side the four entries of {rhs} from 4 i on, and the solution goes to the same entries of {x}"
    i = thread()
    triangle = wp.tile_load(a, shape=(4, 4), offset=(4 * i, 0))
    right_side = wp.tile_load(rhs, shape=4, offset=4 * i)
    wp.tile_store(x, wp.tile_lower_solve(triangle, right_side), offset=4 * i)


@algorithm
def gather_rows_of_list(values: row_value["n,16"], order: row_order["8*n", "0:n"], y: out.result_row["8*n,16"]):
    "gathers rows by tiles: block i loads eight entries of {order}, from 8 i on, loads the rows of {values} that they name as an 8 x 16 tile, and stores it in {y} from row 8 i on"
    i = thread()
    ids = wp.tile_load(order, shape=8, offset=8 * i)
    rows = wp.tile_load_indexed(values, indices=ids, shape=(8, 16), axis=0)
    wp.tile_store(y, rows, offset=(8 * i, 0))


@algorithm
def sum_of_squares_by_block(values: row_value["n,256"], totals: out.row_squares["n"]):
    "the sum of the squares of each row of {values}, which has 256 columns, with a block for each row and a thread for each entry: the threads make a tile of the squares of their entries, and its sum is stored in {totals}"
    i, t = wp.tid()
    x = values[i, t]
    squares = wp.tile(x * x)
    wp.tile_store(totals, wp.tile_sum(squares), offset=i)


@algorithm
def kinetic_energy_by_block(v: tile_velocity["n,256"], masses: tile_mass["n,256"], totals: out.tile_energy["n"]):
    "the kinetic energy of each group of 256 particles, a row of {v} and {masses}, with a block for each group and a thread for each particle: the threads make a tile of half of the mass times the squared length of the velocity, whose sum goes to {totals}"
    i, t = wp.tid()
    vel = v[i, t]
    energy = 0.5 * masses[i, t] * wp.dot(vel, vel)
    wp.tile_store(totals, wp.tile_sum(wp.tile(energy)), offset=i)


@algorithm
def count_above_by_block(values: row_value["n,256"], limit: count_limit, counts: out.row_count["n"]):
    "counts the entries above {limit} in each row of {values}, which has 256 columns, with a block for each row and a thread for each entry: the threads make a tile of ones and zeros, whose sum goes to {counts}"
    i, t = wp.tid()
    above = wp.where(values[i, t] > limit, 1, 0)
    wp.tile_store(counts, wp.tile_sum(wp.tile(above)), offset=i)


@algorithm
def softmax_by_block(values: row_value["n,256"], y: out.result_row["n,256"]):
    "the softmax of each row of {values}, which has 256 columns, with a block for each row and a thread for each entry. It is the exponentials of the row's entries minus the largest one, divided by their sum; the threads make a tile of their entries and take its maximum, then one of their exponentials and take its sum"
    i, t = wp.tid()
    x = values[i, t]
    top = wp.tile_max(wp.tile(x))
    e = wp.exp(x - top[0])
    total = wp.tile_sum(wp.tile(e))
    y[i, t] = e / total[0]


@algorithm
def row_sums_of_tiles(values: row_value["4*n,8"], totals: out.row_sum_value["4*n"]):
    "the sum of each row of {values}, which has 8 columns: block i loads four rows, from row 4 i on, as a tile, sums it along its second axis and stores the four sums in {totals} from 4 i on"
    i = thread()
    rows = wp.tile_load(values, shape=(4, 8), offset=(4 * i, 0))
    wp.tile_store(totals, wp.tile_sum(rows, axis=1), offset=4 * i)


@algorithm(dims=2)
def add_blocks(a: first_matrix["4*n,4*m"], b: second_matrix["4*n,4*m"], alpha: row_scale, c: out.tile_total["4*n,4*m"]):
    "computes {alpha} times {a} plus {b}, by tiles of 4 x 4: block i, j computes the tile from row 4 i and column 4 j on"
    i, j = thread()
    left = wp.tile_load(a, shape=(4, 4), offset=(4 * i, 4 * j))
    right = wp.tile_load(b, shape=(4, 4), offset=(4 * i, 4 * j))
    wp.tile_store(c, left * alpha + right, offset=(4 * i, 4 * j))


@algorithm
def scatter_block_sums(values: block_entry["16*n"], ids: block_slot["n", "0:3"], totals: out.slot_total["3"]):
    "adds up blocks of values: block i loads the 16 entries of {values} from 16 i on as a tile, and adds its sum atomically to the entry `{ids}[i]` of {totals}"
    i = thread()
    part = wp.tile_load(values, shape=16, offset=16 * i)
    wp.tile_atomic_add(totals, wp.tile_sum(part), offset=ids[i])


@algorithm
def rms_norm_by_tiles(values: row_value["n,16"], gamma: row_weight["16"], eps: tile_epsilon, y: out.result_row["n,16"]):
    "the RMS norm of each row of {values}, which has 16 columns, with one block for each row: the row's tile times {gamma}, divided by the square root of the sum of {eps} and the mean of its squares"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    g = wp.tile_load(gamma, shape=16)
    mean = wp.tile_sum(row * row)[0] / 16.0
    wp.tile_store(y[i], row * g * (1.0 / wp.sqrt(mean + eps)))


@algorithm
def low_rank_update(a: tile_left["4*n,2"], b: tile_right["2,8"], c: base_matrix["4*n,8"], alpha: row_scale, d: out.updated_matrix["4*n,8"]):
    "adds a product of rank 2 to a matrix, by tiles: block i computes {c} plus {alpha} times the product of {a} and {b} for the four rows from row 4 i on"
    i = thread()
    left = wp.tile_load(a, shape=(4, 2), offset=(4 * i, 0))
    right = wp.tile_load(b, shape=(2, 8))
    base = wp.tile_load(c, shape=(4, 8), offset=(4 * i, 0))
    wp.tile_store(d, base + wp.tile_matmul(left, right) * alpha, offset=(4 * i, 0))


@algorithm
def two_layer_network(a: tile_sample["4*n,8"], w: tile_weight["8,4"], u: tile_second["4,2"], c: out.tile_output["4*n,2"]):
    "applies a network of two layers without biases, for four samples in each block: block i multiplies the 4 x 8 tile of {a} from row 4 i on by {w}, maps `wp.tanh` over the product, multiplies it by {u} and stores the result in {c} from row 4 i on"
    i = thread()
    samples = wp.tile_load(a, shape=(4, 8), offset=(4 * i, 0))
    first = wp.tile_load(w, shape=(8, 4))
    second = wp.tile_load(u, shape=(4, 2))
    hidden = wp.tile_map(wp.tanh, wp.tile_matmul(samples, first))
    wp.tile_store(c, wp.tile_matmul(hidden, second), offset=(4 * i, 0))
