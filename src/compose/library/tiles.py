# SPDX-License-Identifier: Apache-2.0
"""Blocks of threads that work on tiles: sums, products, norms of rows and matrices."""

field("tiles", element="row rows", other="column columns")

row_value = quantity(float, "1", "entries of the rows", one="x", many="values x")
row_weight = quantity(float, "1", "weights of the columns", one="w", many="weights w")
row_total = quantity(float, "1", "result of a row", one="total", many="totals results")
scaled_row = quantity(float, "1", "scaled rows", one="y", many="y scaled")
row_scale = quantity(float, "1", "scale", one="scale alpha", low=0.5, high=2.0, uniform=True)
tile_left = quantity(float, "1", "left matrix", one="a", many="a A")
tile_right = quantity(float, "1", "right matrix", one="b", many="b B")
tile_product = quantity(float, "1", "product", one="c", many="c C")


@algorithm
def sum_rows(values: row_value["n,32"], totals: out.row_total):
    "the sum of each row of {values}, which has 32 columns; each block loads its row as a tile and adds it up"
    i = thread()
    row = wp.tile_load(values[i], shape=32)
    wp.tile_store(totals, wp.tile_sum(row), offset=i)


@algorithm
def weighted_sum_of_rows(values: row_value["n,16"], weights: row_weight["16"], totals: out.row_total):
    "the dot product of each row of {values}, which has 16 columns, and {weights}, by tiles: the row's tile times that of the weights, summed"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    w = wp.tile_load(weights, shape=16)
    wp.tile_store(totals, wp.tile_sum(row * w), offset=i)


@algorithm
def scale_rows(values: row_value["n,16"], alpha: row_scale, scaled: out.scaled_row["n,16"]):
    "each row of {values}, which has 16 columns, times {alpha}, as a tile"
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
def map_sine_over_rows(values: row_value["n,16"], scaled: out.scaled_row["n,16"]):
    "the sine of all entries of each row of {values}, which has 16 columns, by mapping `wp.sin` over the row's tile"
    i = thread()
    row = wp.tile_load(values[i], shape=16)
    wp.tile_store(scaled[i], wp.tile_map(wp.sin, row))
