# SPDX-License-Identifier: Apache-2.0
"""Dense linear algebra."""

field("dense linear algebra", element="row rows", other="column columns", apart=True, share=6)

matrix_entry = quantity(float, "1", "matrix", one="a", many="A matrix")
left_factor = quantity(float, "1", "left matrix", one="a", many="A lhs")
right_factor = quantity(float, "1", "right matrix", one="b", many="B rhs")
product_entry = quantity(float, "1", "product matrix", one="c", many="C product")
added_matrix = quantity(float, "1", "matrix to add", one="c", many="C addend")
gemm_result = quantity(float, "1", "resulting matrix", one="d", many="D result")
factor_matrix = quantity(float, "1", "matrix", one="a", many="A factor")
right_side_entry = quantity(float, "1", "right-hand sides, one in each row", one="b", many="B rhs")
solved_entry = quantity(float, "1", "solutions, one in each row", one="x", many="X solutions")
vector_entry = quantity(float, "1", "entries of the vector", one="x", many="x vec")
second_vector_entry = quantity(float, "1", "entries of the second vector", one="y", many="y w")
image_entry = quantity(float, "1", "entries of the product", one="y", many="y product")
mirror_normal = quantity(float, "1", "normal of the plane", one="v", many="v normal")
reflected_entry = quantity(float, "1", "reflected rows", one="a", many="reflected reflected_rows")
band_entry = quantity(float, "1", "entries beside and on the diagonal", one="a", many="bands diagonals")
transposed_entry = quantity(float, "1", "scaled transpose", one="a", many="transposed")
pivot_floor = quantity(float, "1", "smallest magnitude of a pivot", one="min_pivot pivot_floor", low=0.1, high=0.5, uniform=True)
scale_alpha = quantity(float, "1", "factor of the product", one="alpha", uniform=True)
scale_beta = quantity(float, "1", "factor of the matrix to add", one="beta", uniform=True)
lower_factor = quantity(float, "1", "lower triangular matrix", one="l", many="L lower")
row_length = quantity(float, "1", "norms of the rows", one="norm", many="norms row_norms")
off_diagonal_sum = quantity(float, "1", "radii of the discs", one="radius", many="radii")
squared_norm = quantity(float, "1", "squared Frobenius norm", one="sq", many="norm_sq squared_norm")
row_maximum = quantity(float, "1", "largest entries of the rows", one="row_max", many="row_max")
argmax_column = quantity(int, "1", "columns of the largest entries", one="best", many="argmax best_columns", low=0, high=4)
elimination_step = quantity(int, "1", "step of the elimination", one="step pivot_row", low=0, high=2, uniform=True)


@algorithm(dims=2)
def matmul(A: left_factor["n,k"], B: right_factor["k,m"], C: out.product_entry["n,m"]):
    "the matrix product of {A} and {B}; thread i, j computes the entry in row i and column j"
    i, j = thread()
    if maybe:
        if i >= C.shape[0] or j >= C.shape[1]:
            return
    total = float(0.0)
    for k in range(A.shape[1]):
        total += A[i, k] * B[k, j]
    C[i, j] = total


@algorithm(dims=2)
def gemm_transposed(
    A: left_factor["k,n"], B: right_factor["m,k"], alpha: scale_alpha, beta: scale_beta,
    C: added_matrix["n,m"], D: out.gemm_result["n,m"],
):
    "computes {alpha} times the product of the transposes of {A} and {B}, plus {beta} times {C}"
    i, j = thread()
    total = beta * C[i, j]
    for k in range(A.shape[0]):
        total += alpha * A[k, i] * B[j, k]
    D[i, j] = total


@algorithm
def matvec(A: matrix_entry["n,m"], x: vector_entry["m"], y: out.image_entry["n"]):
    "the product of {A} and the vector {x}; thread i computes entry i"
    row = thread()
    guard(row)
    total = float(0.0)
    for col in range(A.shape[1]):
        total += A[row, col] * x[col]
    y[row] = total


@algorithm(dims=2)
def rank_one_update(
    A: matrix_entry["n,m"], x: vector_entry["n"], y: second_vector_entry["m"],
    alpha: scale_alpha, out_A: out.matrix_entry["n,m"],
):
    "computes {A} plus {alpha} times the outer product of {x} and {y}"
    i, j = thread()
    guard(i, j)
    out_A[i, j] = A[i, j] + alpha * x[i] * y[j]


@algorithm
def syrk_lower(A: factor_matrix["n,k"], C: out.product_entry["n,n"]):
    "the lower triangle, with the diagonal, of the product of {A} and its transpose: thread i computes the entries of row i up to the diagonal, and the others are not written"
    i = thread()
    guard(i)
    for j in range(i + 1):
        total = float(0.0)
        for k in range(A.shape[1]):
            total += A[i, k] * A[j, k]
        C[i, j] = total


@algorithm
def row_argmax(A: matrix_entry["n,m"], best: out.row_maximum["n"], where: out.argmax_column["n"]):
    "finds the largest entry of each row of {A}: the entry is stored in {best}, and the first column in which it stands is stored in {where}"
    row = thread()
    guard(row)
    largest = A[row, 0]
    column = int(0)
    for col in range(1, A.shape[1]):
        a = A[row, col]
        if a > largest:
            largest = a
            column = col
    best[row] = largest
    where[row] = column


@algorithm
def row_norms(
    A: matrix_entry["n,m"], norms: out.row_length["n"], total: out.squared_norm["1"],
):
    "computes the norms of the rows of {A}: the square root of 1e-6 plus the sum of the squares of a row's entries goes to {norms}, and this sum of squares, without the 1e-6, is added atomically to {total}[0]"
    row = thread()
    guard(row)
    sq = float(0.0)
    for col in range(A.shape[1]):
        a = A[row, col]
        sq += a * a
    norms[row] = wp.sqrt(sq + 1.0e-6)
    wp.atomic_add(total, 0, sq)


@algorithm
def gershgorin_radii(A: matrix_entry["n,m"], radii: out.off_diagonal_sum["n"]):
    "the radius of the Gershgorin disc of each row of {A}: the sum of the magnitudes of its entries without that on the diagonal"
    row = thread()
    guard(row)
    total = float(0.0)
    for col in range(A.shape[1]):
        if col != row:
            total += wp.abs(A[row, col])
    radii[row] = total


@algorithm(dims=2)
def eliminate_column(
    A: matrix_entry["n,m"], k: elimination_step["", "0:2"], floor: pivot_floor,
    out_A: out.matrix_entry["n,m"],
):
    "makes one step of Gaussian elimination with the pivot in row and column {k}: from each row below row {k}, row {k} is subtracted, multiplied by the entry of that row in column {k} and divided by the pivot; the pivot is the diagonal entry of row {k}, or {floor} if the magnitude of that is below {floor}; in these rows the columns before column {k} become 0; row {k} and those above it are copied"
    i, j = thread()
    if i <= k:
        out_A[i, j] = A[i, j]
        return
    if j < k:
        out_A[i, j] = 0.0
        return
    pivot = A[k, k]
    if wp.abs(pivot) < floor:
        pivot = floor
    out_A[i, j] = A[i, j] - A[i, k] / pivot * A[k, j]


@algorithm
def triangular_solve_rows(
    L: lower_factor["k,k"], B: right_side_entry["n,k"],
    X: out.solved_entry["n,k"],
):
    "solves {L} x = b for each row b of {B} by forward substitution, with one thread for each row, and stores x in the same row of {X}; only the entries of {L} below the diagonal are read, and those on the diagonal count as 1"
    s = thread()
    for i in range(L.shape[0]):
        rest = B[s, i]
        for j in range(i):
            rest -= L[i, j] * X[s, j]
        X[s, i] = rest


@algorithm
def householder_reflect(
    v: mirror_normal["m"], A: matrix_entry["n,m"], reflected: out.reflected_entry["n,m"],
):
    "a Householder reflection of each row a of {A} at the plane to which {v} is normal: a minus {v} times 2 (a . {v}) / ({v} . {v} + 0.001)"
    row = thread()
    guard(row)
    dot = float(0.0)
    norm = float(0.001)
    for j in range(A.shape[1]):
        vj = v[j]
        dot += A[row, j] * vj
        norm += vj * vj
    scale = 2.0 * dot / norm
    for j in range(A.shape[1]):
        reflected[row, j] = A[row, j] - scale * v[j]


@algorithm(dims=2)
def scaled_transpose(A: matrix_entry["n,m"], alpha: scale_alpha, transposed: out.transposed_entry["m,n"]):
    "computes {alpha} times the transpose of {A}; thread i, j reads the entry in row i and column j"
    i, j = thread()
    guard(i, j)
    transposed[j, i] = alpha * A[i, j]


@algorithm
def banded_matvec(bands: band_entry["n,3"], x: vector_entry["n"], y: out.image_entry["n"]):
    "the product of a tridiagonal matrix and {x}; the columns 0, 1 and 2 of {bands} have the entries of each row before, on and after the diagonal, and the first entry of the first row and the last one of the last row are not used"
    i = thread()
    guard(i)
    total = bands[i, 1] * x[i]
    if i > 0:
        total += bands[i, 0] * x[i - 1]
    if i < x.shape[0] - 1:
        total += bands[i, 2] * x[i + 1]
    y[i] = total
