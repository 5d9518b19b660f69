# SPDX-License-Identifier: Apache-2.0
"""Small matrices: one 3 by 3 matrix for each thread, its norms, parts, solutions and eigenvectors."""

field("small matrices", element="system systems", other="system systems", apart=True)

small_matrix = quantity(mat33, "1", "3 by 3 matrix", one="m a", many="matrices mats A")
orthogonal_matrix = quantity(mat33, "1", "orthogonal matrix", one="q", many="Q rotations")
small_factor = quantity(mat33, "1", "lower triangular factor", one="l", many="factors L")
small_vector = quantity(vec3, "1", "right-hand side", one="b", many="rhs b")
small_solution = quantity(vec3, "1", "solution", one="x", many="x solutions", means="goal")
eigen_vector = quantity(vec3, "1", "eigenvector", one="v", many="eigenvectors vectors")
eigen_value = quantity(float, "1", "eigenvalue", one="lam", many="eigenvalues values lambdas", means="goal")
pivot_shift = quantity(float, "1", "shift of the diagonal", one="shift eps mu", low=0.25, high=1.0, uniform=True)
residual_norm = quantity(float, "1", "squared residual", one="residual", many="residuals errors", low=0.1, high=4.0, means="peak alarm total zero")
frobenius_norm = quantity(float, "1", "Frobenius norm", one="norm", many="norms")


@formula
def frobenius_norm_of(m: small_matrix) -> frobenius_norm:
    "the square root of 1e-6 plus the sum of the squares of all entries of {m}"
    return any_of(wp.sqrt(wp.ddot(m, m) + 1.0e-6), wp.sqrt(wp.trace(m * wp.transpose(m)) + 1.0e-6))


@formula
def symmetric_part(m: small_matrix) -> small_matrix:
    "half of the sum of {m} and its transpose"
    return 0.5 * (m + wp.transpose(m))


@formula
def deviatoric_part(m: small_matrix) -> small_matrix:
    "{m} minus a third of its trace times the identity"
    return m - (wp.trace(m) / 3.0) * wp.identity(n=3, dtype=float)


@formula
def rayleigh_quotient(m: small_matrix, v: eigen_vector) -> eigen_value:
    "the Rayleigh quotient {v} . ({m} {v}) / ({v} . {v} + 1e-3)"
    return wp.dot(v, m * v) / (wp.dot(v, v) + 1.0e-3)


@formula
def power_iteration_step(m: small_matrix, v: eigen_vector) -> eigen_vector:
    "the unit vector along {m} times {v}"
    return wp.normalize(m * v)


@formula
def eigen_residual(m: small_matrix, v: eigen_vector, lam: eigen_value) -> residual_norm:
    "the squared length of {m} {v} - {lam} {v}"
    return wp.length_sq(m * v - lam * v)


@formula
def power_iteration(m: small_matrix, v: eigen_vector) -> eigen_vector:
    "four steps of the power iteration from {v}: each multiplies by {m}, and divides by the length of the result plus 0.01"
    for step in range(4):
        w = m * v
        v = w / (wp.length(w) + 0.01)
    return v


@formula
def cramer_solve(m: small_matrix, b: small_vector, shift: pivot_shift) -> small_solution:
    "the x with ({m} plus {shift} times the identity) x = {b}, by Cramer's rule with cross products of the columns; {b} divided by {shift} if the magnitude of the determinant is below 1e-6"
    c0 = wp.vec3(m[0, 0] + shift, m[1, 0], m[2, 0])
    c1 = wp.vec3(m[0, 1], m[1, 1] + shift, m[2, 1])
    c2 = wp.vec3(m[0, 2], m[1, 2], m[2, 2] + shift)
    n = wp.cross(c1, c2)
    det = wp.dot(c0, n)
    if wp.abs(det) < 1.0e-6:
        return b / shift
    return wp.vec3(wp.dot(b, n), wp.dot(c0, wp.cross(b, c2)), wp.dot(c0, wp.cross(c1, b))) / det


@formula
def small_cholesky(m: small_matrix, shift: pivot_shift) -> small_factor:
    "the Cholesky factor of S, the product of {m} and its transpose plus {shift} times the identity: the lower triangular matrix L with a positive diagonal for which L times its transpose is S"
    s = m * wp.transpose(m) + shift * wp.identity(n=3, dtype=float)
    l00 = wp.sqrt(s[0, 0])
    l10 = s[1, 0] / l00
    l20 = s[2, 0] / l00
    l11 = wp.sqrt(s[1, 1] - l10 * l10)
    l21 = (s[2, 1] - l20 * l10) / l11
    l22 = wp.sqrt(s[2, 2] - l20 * l20 - l21 * l21)
    return wp.mat33(l00, 0.0, 0.0, l10, l11, 0.0, l20, l21, l22)


@formula
def forward_substitution(l: small_factor, b: small_vector, shift: pivot_shift) -> small_solution:
    "the x with {l} x = {b}, by forward substitution, where only the lower triangle of {l} is read and its diagonal entries are replaced by their magnitudes plus {shift}"
    x0 = b[0] / (wp.abs(l[0, 0]) + shift)
    x1 = (b[1] - l[1, 0] * x0) / (wp.abs(l[1, 1]) + shift)
    x2 = (b[2] - l[2, 0] * x0 - l[2, 1] * x1) / (wp.abs(l[2, 2]) + shift)
    return wp.vec3(x0, x1, x2)


@formula
def gram_schmidt(m: small_matrix) -> orthogonal_matrix:
    "an orthogonal matrix whose columns are made of those of {m} by Gram and Schmidt: the first is normalized, the second made orthogonal to it and normalized, the third is their cross product"
    a = wp.vec3(m[0, 0], m[1, 0], m[2, 0])
    b = wp.vec3(m[0, 1], m[1, 1], m[2, 1])
    u = wp.normalize(a)
    v = wp.normalize(b - wp.dot(b, u) * u)
    w = wp.cross(u, v)
    return wp.matrix_from_cols(u, v, w)
