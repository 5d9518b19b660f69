# SPDX-License-Identifier: Apache-2.0
"""Sparse linear algebra."""

field("sparse linear algebra", element="row rows", other="column columns", link="entry entries", apart=True, share=8)

row_start = quantity(int, "1", "first entry of each row, followed by the end of the last row", one="start", many="row_offsets row_ptr indptr")
column_index = quantity(int, "1", "columns of the entries", one="col", many="indices col_indices cols columns")
wanted_column = quantity(int, "1", "columns to look for", one="col", many="wanted wanted_cols", low=0, high=9)
row_index = quantity(int, "1", "rows of the entries", one="row", many="rows row_indices row_ids")
block_column = quantity(int, "1", "block columns of the blocks", one="col", many="block_cols bsr_columns")
stored_entry = quantity(float, "1", "values of the entries", one="a value", many="values vals data")
ell_column = quantity(int, "1", "columns in the slots", one="col", many="ell_columns ell_cols")
ell_value = quantity(float, "1", "values in the slots", one="value", many="ell_values ell_vals")
stored_block = quantity(mat33, "1", "blocks", one="block", many="values bsr_values blocks")
diagonal_entry = quantity(float, "1", "diagonal entries", one="d diag", many="diag diagonal")
inverse_diagonal = quantity(float, "1", "inverse diagonal entry", one="inv_d", many="inv_diag inverse_diagonal", low=0.1, high=1.0)
inverse_block = quantity(mat33, "1", "inverse diagonal blocks", one="inv_block", many="inv_blocks inv_diag")
unknown = quantity(float, "1", "solution estimate", one="x", many="x solution", means="settles")
factor_vector = quantity(float, "1", "entries of the vector to multiply", one="x", many="x vector")
block_unknown = quantity(vec3, "1", "blocks of the solution", one="x", many="x solution")
block_factor = quantity(vec3, "1", "vectors to multiply", one="x", many="x vectors")
right_side = quantity(float, "1", "right-hand side", one="b rhs", many="b rhs")
block_right_side = quantity(vec3, "1", "right-hand side", one="b rhs", many="b rhs")
matrix_product = quantity(float, "1", "entries of the product", one="y", many="y product")
block_product = quantity(vec3, "1", "blocks of the product", one="y", many="y product")
direction_product = quantity(float, "1", "matrix product of the direction", one="ap", many="Ap matrix_p")
solver_residual = quantity(float, "1", "residual", one="r residual", many="r residual")
largest_row_sum = quantity(float, "1", "infinity norm of the matrix", one="norm", many="norm max_sum", low=0.1, high=4.0)
row_level = quantity(int, "1", "levels of the rows", one="level", many="levels row_levels", low=0, high=1)
active_level = quantity(int, "1", "level to solve", one="level current_level", low=0, high=1, uniform=True)
element_row = quantity(int, "1", "rows of the elements", one="row", many="element_rows dofs")
element_matrix = quantity(float, "1", "element matrices", one="a", many="ke element_matrices")
found_entry = quantity(float, "1", "entries that are found", one="entry", many="found_entries found")
row_norm = quantity(float, "1", "row sums", one="row_sum", many="row_sums norms", low=0.1, high=4.0)
relaxation = quantity(float, "1", "relaxation factor", one="omega relaxation", low=0.5, high=1.0, uniform=True)
row_color = quantity(int, "1", "colors of the rows", one="color", many="colors row_colors", low=0, high=1)
active_color = quantity(int, "1", "color to update", one="color current_color", low=0, high=1, uniform=True)
dense_entry = quantity(float, "1", "dense matrix", one="a", many="dense A")
entry_count = quantity(int, "1", "numbers of entries", one="count nnz", many="row_counts counts nnz", low=0, high=4)
search_direction = quantity(float, "1", "search direction", one="p", many="p direction")
step_length = quantity(float, "1", "step length", one="alpha", low=0.1, high=1.0, uniform=True, varies=True)
direction_factor = quantity(float, "1", "direction factor", one="beta", low=0.1, high=1.0, uniform=True, varies=True)
dominance = quantity(int, "1", "dominance flags", one="flag", many="flags dominant", low=0, high=1)
dropped_below = quantity(float, "1", "drop tolerance", one="tol tolerance", low=0.1, high=1.0, uniform=True)
probe_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
trace_estimate = quantity(float, "1", "estimate of the trace", one="trace", many="trace_estimate")
triple_product = quantity(float, "1", "quadratic form", one="energy", many="energy form_value")
column_scale = quantity(float, "1", "squared norms of the columns", one="scale", many="column_norms")


@formula
def jacobi_update(
    x: unknown, r: solver_residual, inv_d: inverse_diagonal, omega: relaxation,
) -> unknown:
    "{x} plus {omega} times {inv_d} times {r}"
    return x + omega * inv_d * r


@formula
def cg_step(x: unknown, p: search_direction, alpha: step_length) -> unknown:
    "{x} plus {alpha} times {p}"
    return x + alpha * p


@formula
def cg_residual(r: solver_residual, ap: direction_product, alpha: step_length) -> solver_residual:
    "{r} minus {alpha} times {ap}"
    return r - alpha * ap


@formula
def cg_direction(
    r: solver_residual, p: search_direction, inv_d: inverse_diagonal, beta: direction_factor,
) -> search_direction:
    "{r} times {inv_d}, plus {beta} times {p}"
    return r * inv_d + beta * p


@algorithm
def csr_matvec(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:p"],
    values: stored_entry["2*n+2"], x: factor_vector["p"], y: out.matrix_product["n"],
):
    "the product of a matrix in CSR format and {x}: for each row i the sum of `{values}[k]` times the entry `{cols}[k]` of {x} over its entries k, from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    total = float(0.0)
    for k in range(offsets[row], offsets[row + 1]):
        total += values[k] * x[cols[k]]
    y[row] = total


@algorithm
def csr_matvec_transposed(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:p"],
    values: stored_entry["2*n+2"], x: factor_vector["n"], y: out.matrix_product["p"],
):
    "adds the product of a transposed CSR matrix and {x} to {y}: for each entry k of row i, from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, `{values}[k]` times `{x}[i]` is added atomically to the entry `{cols}[k]` of {y}; rows for which {x} is 0 are skipped"
    row = thread()
    guard(row)
    xi = x[row]
    if xi == 0.0:
        return
    for k in range(offsets[row], offsets[row + 1]):
        wp.atomic_add(y, cols[k], values[k] * xi)


@algorithm
def csr_residual(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:n"],
    values: stored_entry["2*n+2"], x: unknown["n"], b: right_side["n"],
    r: out.solver_residual["n"],
):
    "the residual of a linear system, {b} minus the product of the CSR matrix and {x}; row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    rest = b[i]
    for k in range(offsets[i], offsets[i + 1]):
        rest -= values[k] * x[cols[k]]
    r[i] = rest


@algorithm
def extract_diagonal(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:n"],
    values: stored_entry["2*n+2"], diag: out.diagonal_entry["n"],
):
    "the diagonal of a CSR matrix: the sum of the entries of each row whose column in {cols} is the row itself, which is 0 if there is none. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    d = float(0.0)
    for k in range(offsets[row], offsets[row + 1]):
        if cols[k] == row:
            d += values[k]
    diag[row] = d


@algorithm
def invert_diagonal(
    offsets: row_start["n+1", "rising:3"], cols: column_index["3*n+3", "0:n"],
    values: stored_entry["3*n+3"], inv_diag: out.inverse_diagonal["n"],
):
    "computes 1 divided by the sum of the entries of each CSR row that lie on the diagonal, or 1 where the magnitude of that sum is at most 1e-4. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    d = float(0.0)
    for k in range(offsets[row], offsets[row + 1]):
        if cols[k] == row:
            d += values[k]
    if wp.abs(d) > 1.0e-4:
        inv_diag[row] = 1.0 / d
    else:
        inv_diag[row] = 1.0


@algorithm
def jacobi_sweep(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:n"],
    values: stored_entry["2*n+2"], inv_diag: inverse_diagonal["n"], x: unknown["n"],
    b: right_side["n"], omega: relaxation, new_x: out.unknown["n"],
):
    "makes a damped Jacobi sweep for a CSR matrix: (1 - {omega}) {x} + {omega} {inv_diag} s, where s is {b} minus the sum of the row's entries in other columns times {x} of their column. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    i = thread()
    guard(i)
    factor = omega * inv_diag[i]
    value = (1.0 - omega) * x[i] + factor * b[i]
    for k in range(offsets[i], offsets[i + 1]):
        j = cols[k]
        if j != i:
            value -= factor * values[k] * x[j]
    new_x[i] = value


@algorithm
def colored_gauss_seidel(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:n"],
    values: stored_entry["2*n+2"], colors: row_color["n"], inv_diag: inverse_diagonal["n"],
    color: active_color, x: unknown["n"], b: right_side["n"], new_x: out.unknown["n"],
):
    "makes one color of a Gauss-Seidel sweep for a CSR matrix: rows whose entry of {colors} is {color} get {inv_diag} times ({b} minus the sum of the row's entries in other columns times {x} of their column); all other rows keep their {x}. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    if colors[row] != color:
        new_x[row] = x[row]
        return
    inv_d = inv_diag[row]
    value = inv_d * b[row]
    for k in range(offsets[row], offsets[row + 1]):
        col = cols[k]
        if col != row:
            value -= inv_d * values[k] * x[col]
    new_x[row] = value


@algorithm(over="link")
def coo_to_dense(
    rows: row_index["e", "-1:n"], cols: column_index["e", "0:m"], values: stored_entry["e"],
    dense: out.dense_entry["n,m"],
):
    "adds up a COO matrix as a dense one: each entry, with its row in {rows}, its column in {cols} and its value in {values}, is added atomically to its place in {dense}; entries with a negative row are padding and are skipped"
    k = thread()
    i = rows[k]
    if i < 0:
        return
    wp.atomic_add(dense, i, cols[k], values[k])


@algorithm(over="link")
def coo_matvec(
    rows: row_index["e", "0:n"], cols: column_index["e", "0:m"], values: stored_entry["e"],
    x: factor_vector["m"], y: out.matrix_product["n"],
):
    "adds the product of a COO matrix and {x} to {y}: for each entry, with its row in {rows} and its column in {cols}, its value times the entry of {x} at its column is added atomically to the entry of {y} at its row"
    k = thread()
    wp.atomic_add(y, rows[k], values[k] * x[cols[k]])


@algorithm(over="link")
def count_row_entries(
    rows: row_index["e", "0:n"], values: stored_entry["e"], tol: dropped_below,
    counts: out.entry_count["n"],
):
    "counts the entries of a COO matrix by row: for each entry whose magnitude is above {tol} 1 is added atomically to the entry of {counts} for its row"
    k = thread()
    if wp.abs(values[k]) <= tol:
        return
    wp.atomic_add(counts, rows[k], 1)


@algorithm
def ell_matvec(
    cols: column_index["n,k", "-1:m"], values: stored_entry["n,k"], x: factor_vector["m"],
    y: out.matrix_product["n"],
):
    "the product of a matrix in ELL format and {x}: for each row the sum of the entries in its row of {values} times the entries of {x} at their columns, which stand in the same slots of {cols}; a row ends at its first negative column"
    row = thread()
    guard(row)
    total = float(0.0)
    for slot in range(cols.shape[1]):
        col = cols[row, slot]
        if col < 0:
            break
        total += values[row, slot] * x[col]
    y[row] = total


@algorithm
def csr_to_ell(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:m"],
    values: stored_entry["2*n+2"], ell_cols: out.ell_column["n,k"],
    ell_values: out.ell_value["n,k"],
):
    "converts a CSR matrix to ELL format: the columns and the values of the entries of each row go to the slots of the same row of {ell_cols} and {ell_values}, in their order; slots left over get the column -1 and the value 0, and entries for which there is no slot are dropped. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    first = offsets[row]
    length = offsets[row + 1] - first
    for slot in range(ell_cols.shape[1]):
        if slot < length:
            ell_cols[row, slot] = cols[first + slot]
            ell_values[row, slot] = values[first + slot]
        else:
            ell_cols[row, slot] = -1
            ell_values[row, slot] = 0.0


@algorithm
def bsr_matvec(
    offsets: row_start["n+1", "rising:2"], cols: block_column["2*n+2", "0:p"],
    blocks: stored_block["2*n+2"], x: block_factor["p"], y: out.block_product["n"],
):
    "the product of a BSR matrix of 3 by 3 blocks and {x}: for each block row i the sum of `{blocks}[k]` times the vector `{cols}[k]` of {x} over its blocks k, from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    total = wp.vec3()
    for k in range(offsets[row], offsets[row + 1]):
        total += blocks[k] * x[cols[k]]
    y[row] = total


@algorithm
def block_jacobi_sweep(
    offsets: row_start["n+1", "rising:2"], cols: block_column["2*n+2", "0:n"],
    blocks: stored_block["2*n+2"], inv_blocks: inverse_block["n"], x: block_unknown["n"],
    b: block_right_side["n"], new_x: out.block_unknown["n"],
):
    "makes a block Jacobi sweep for a BSR matrix: for each block row {inv_blocks} times ({b} minus the sum of its blocks in other block columns times {x} of their column). Block row i has the blocks from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    inv_block = inv_blocks[row]
    value = inv_block * b[row]
    for k in range(offsets[row], offsets[row + 1]):
        col = cols[k]
        if col != row:
            value -= inv_block * (blocks[k] * x[col])
    new_x[row] = value


@algorithm(over="link", link="element elements")
def apply_element_matrices(
    element_rows: element_row["e,3", "0:n"], values: element_matrix["e,3,3"], x: factor_vector["n"],
    y: out.matrix_product["n"],
):
    "a matrix-free product with a stiffness matrix that is the sum of 3 by 3 matrices of elements: element e has the three rows r(a) = `{element_rows}[e, a]` in {x} and {y}, and for each a the sum over c of `{values}[e, a, c]` times entry r(c) of {x} is added atomically to entry r(a) of {y}"
    e = thread()
    for a in range(3):
        total = float(0.0)
        for c in range(3):
            total += values[e, a, c] * x[element_rows[e, c]]
        wp.atomic_add(y, element_rows[e, a], total)


@algorithm
def absolute_row_sums(
    offsets: row_start["n+1", "rising:2"], values: stored_entry["2*n+2"],
    sums: out.row_norm["n"], norm: out.largest_row_sum["1"],
):
    "computes the infinity norm of a CSR matrix: the sum of the magnitudes of the entries of each row goes to {sums}, and {norm}[0] is raised to it by an atomic maximum. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    total = float(0.0)
    for k in range(offsets[row], offsets[row + 1]):
        total += wp.abs(values[k])
    sums[row] = total
    wp.atomic_max(norm, 0, total)


@algorithm
def check_dominance(
    offsets: row_start["n+1", "rising:3"], cols: column_index["3*n+3", "0:n"],
    values: stored_entry["3*n+3"], flags: out.dominance["n"],
):
    "flags the CSR rows that are diagonally dominant: 1 if the sum of the magnitudes of the row's entries on the diagonal is at least that of its other entries, else 0. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    on = float(0.0)
    beside = float(0.0)
    for k in range(offsets[row], offsets[row + 1]):
        size = wp.abs(values[k])
        if cols[k] == row:
            on += size
        else:
            beside += size
    flags[row] = wp.where(on >= beside, 1, 0)


@algorithm
def lower_solve_row_level(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:n"],
    values: stored_entry["2*n+2"], levels: row_level["n"], level: active_level,
    b: right_side["n"], x: unknown["n"], new_x: out.unknown["n"],
):
    "makes one level of a forward substitution with the lower triangle of a CSR matrix, whose diagonal counts as 1: rows whose entry of {levels} is {level} get {b} minus the sum of their entries in columns before the diagonal times {x} of the column; all other rows keep their {x}. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    if levels[row] != level:
        new_x[row] = x[row]
        return
    rest = b[row]
    for k in range(offsets[row], offsets[row + 1]):
        col = cols[k]
        if col < row:
            rest -= values[k] * x[col]
    new_x[row] = rest


@algorithm
def find_entry(
    offsets: row_start["n+1", "rising:5"], cols: column_index["5*n+5", "rising:1"],
    values: stored_entry["5*n+5"], wanted: wanted_column["n", "0:9"], entry: out.found_entry["n"],
):
    "finds the entry of each row of a CSR matrix in the column {wanted}, or 0 if the row has none there, by a binary search. The columns of a row are sorted, and the search is for the first that is not below {wanted}. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    target = wanted[row]
    end = offsets[row + 1]
    lo = offsets[row]
    hi = int(end)
    while lo < hi:
        mid = (lo + hi) // 2
        if cols[mid] < target:
            lo = mid + 1
        else:
            hi = mid
    entry[row] = 0.0
    if lo < end and cols[lo] == target:
        entry[row] = values[lo]


@algorithm
def estimate_trace(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:n"],
    values: stored_entry["2*n+2"], seed: probe_seed, trace: out.trace_estimate["1"],
):
    "an estimate of the trace of a CSR matrix by the method of Hutchinson: row i adds z(i) times the sum of `{values}[k]` z(c) over its entries k, whose columns are c = `{cols}[k]`, atomically to {trace}[0], where z(j) is the sign of r - 0.5 with a random number r from 0 to 1 that is drawn from a state of its own for each j. Row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    state = wp.rand_init(seed, row)
    own = wp.sign(wp.randf(state) - 0.5)
    for k in range(offsets[row], offsets[row + 1]):
        col = cols[k]
        other_state = wp.rand_init(seed, col)
        wp.atomic_add(trace, 0, own * values[k] * wp.sign(wp.randf(other_state) - 0.5))


@algorithm(over="link")
def quadratic_form(
    rows: row_index["e", "-1:n"], cols: column_index["e", "0:n"], values: stored_entry["e"],
    x: factor_vector["n"], energy: out.triple_product["1"],
):
    "the quadratic form of {x} with a COO matrix: for each entry its value times {x} at its row in {rows} times {x} at its column in {cols}, divided by 2, is added atomically to {energy}[0]; entries with a negative row are padding and are skipped"
    k = thread()
    i = rows[k]
    if i < 0:
        return
    wp.atomic_add(energy, 0, 0.5 * values[k] * x[i] * x[cols[k]])


@algorithm
def squared_column_norms(
    offsets: row_start["n+1", "rising:2"], cols: column_index["2*n+2", "0:p"],
    values: stored_entry["2*n+2"], norms: out.column_scale["p"],
):
    "the squared norms of the columns of a CSR matrix: the square of each entry is added atomically to the entry of {norms} for its column; row i has the entries from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`"
    row = thread()
    guard(row)
    for k in range(offsets[row], offsets[row + 1]):
        a = values[k]
        wp.atomic_add(norms, cols[k], a * a)
