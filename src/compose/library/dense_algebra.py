# SPDX-License-Identifier: Apache-2.0
"""Dense linear algebra."""

field("dense linear algebra", element="row rows", other="column columns", apart=True)

matrix_entry = quantity(float, "1", "matrix", one="a", many="A a matrix mat")
left_factor = quantity(float, "1", "left matrix", one="a", many="A a lhs")
right_factor = quantity(float, "1", "right matrix", one="b", many="B b rhs")
product_entry = quantity(float, "1", "product", one="c", many="C c result")
right_side_entry = quantity(float, "1", "right-hand sides, one in each row", one="b", many="B b rhs")
solved_entry = quantity(float, "1", "solutions, one in each row", one="x", many="X x solutions")
vector_entry = quantity(float, "1", "vector", one="x", many="x vec v")
second_vector_entry = quantity(float, "1", "second vector", one="y", many="y w")
image_entry = quantity(float, "1", "product vector", one="y", many="y result")
scale_alpha = quantity(float, "1", "factor of the product", one="alpha", uniform=True)
scale_beta = quantity(float, "1", "factor of the old value", one="beta", uniform=True)
lower_factor = quantity(float, "1", "lower triangular matrix", one="l", many="L lower")
row_length = quantity(float, "1", "norms of the rows", one="norm", many="norms")
off_diagonal_sum = quantity(float, "1", "off-diagonal sums", one="radius", many="radii off_diagonal")
squared_norm = quantity(float, "1", "squared norms", one="sq", many="total_sq norm_sq")
row_maximum = quantity(float, "1", "maxima of the rows", one="row_max", many="row_max maxima")
argmax_column = quantity(int, "1", "columns of the maxima", one="best", many="argmax best_columns", low=0, high=4)
elimination_step = quantity(int, "1", "step of the elimination", one="k step pivot", low=0, high=2, uniform=True)


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
    C: product_entry["n,m"], D: out.product_entry["n,m"],
):
    "{alpha} times the product of the transposes of {A} and {B}, plus {beta} times {C}"
    i, j = thread()
    total = float(0.0)
    for k in range(A.shape[0]):
        total += A[k, i] * B[j, k]
    D[i, j] = alpha * total + beta * C[i, j]


@algorithm
def matvec(A: matrix_entry["n,m"], x: vector_entry["m"], y: out.image_entry["n"]):
    "the product of the matrix {A} and the vector {x}; each thread computes the entry of a row"
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
    "{A} plus {alpha} times the outer product of {x} and {y}"
    i, j = thread()
    guard(i, j)
    out_A[i, j] = A[i, j] + alpha * x[i] * y[j]


@algorithm(dims=2)
def syrk_lower(A: left_factor["n,k"], C: out.product_entry["n,n"]):
    "the lower triangle and the diagonal of {A} times its transpose; a thread whose column is beyond its row or beyond the last column of {C} does nothing, whatever m is"
    i, j = thread()
    if j > i or j >= C.shape[1]:
        return
    total = float(0.0)
    for k in range(A.shape[1]):
        total += A[i, k] * A[j, k]
    C[i, j] = total


@algorithm
def row_argmax(A: matrix_entry["n,m"], best: out.row_maximum["n"], where: out.argmax_column["n"]):
    "the largest entry of each row of {A} goes to {best}, and the first column in which it stands to {where}"
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
    "the norm of each row of {A}, the square root of 1e-6 plus the sum of the squares of its entries, goes to {norms}; this sum of squares, without the 1e-6, is added atomically to {total}[0]"
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
    A: matrix_entry["n,m"], k: elimination_step["", "0:2"], shift: pivot_shift,
    out_A: out.matrix_entry["n,m"],
):
    "step {k} of Gaussian elimination, with {k} as the row and the column of the pivot: each row below row {k} loses row {k} times its entry in column {k} divided by the pivot, which is the diagonal entry of row {k}, or {shift} if the magnitude of that is below {shift}; in these rows the columns before {k} become 0; row {k} and those above it are copied"
    i, j = thread()
    if i <= k:
        out_A[i, j] = A[i, j]
        return
    if j < k:
        out_A[i, j] = 0.0
        return
    pivot = A[k, k]
    if wp.abs(pivot) < shift:
        pivot = shift
    out_A[i, j] = A[i, j] - A[i, k] / pivot * A[k, j]


@algorithm
def triangular_solve_rows(
    L: lower_factor["k,k"], B: right_side_entry["n,k"], shift: pivot_shift,
    X: out.solved_entry["n,k"],
):
    "each thread solves {L} x = b for a row b of {B} by forward substitution and stores x in that row of {X}; only the lower triangle of {L} is read, and its diagonal entries are replaced by their magnitudes plus {shift}"
    s = thread()
    for i in range(L.shape[0]):
        rest = B[s, i]
        for j in range(i):
            rest -= L[i, j] * X[s, j]
        X[s, i] = rest / (wp.abs(L[i, i]) + shift)


@algorithm
def householder_reflect(
    v: vector_entry["m"], A: matrix_entry["n,m"], out_A: out.matrix_entry["n,m"],
):
    "reflects each row a of {A} at the plane with the normal {v}: a minus {v} times 2 (a . {v}) / ({v} . {v} + 0.001)"
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
        out_A[row, j] = A[row, j] - scale * v[j]


@algorithm(dims=2)
def scaled_transpose(A: matrix_entry["n,m"], alpha: scale_alpha, out_A: out.matrix_entry["m,n"]):
    "{alpha} times the transpose of {A}; thread i, j reads the entry in row i and column j"
    i, j = thread()
    guard(i, j)
    out_A[j, i] = alpha * A[i, j]


@algorithm
def banded_matvec(bands: matrix_entry["n,3"], x: vector_entry["n"], y: out.image_entry["n"]):
    "the product of a tridiagonal matrix and {x}; the columns of {bands} are the entries before, on and after the diagonal of each row"
    i = thread()
    guard(i)
    total = bands[i, 1] * x[i]
    if i > 0:
        total += bands[i, 0] * x[i - 1]
    if i < x.shape[0] - 1:
        total += bands[i, 2] * x[i + 1]
    y[i] = total
