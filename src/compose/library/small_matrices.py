# SPDX-License-Identifier: Apache-2.0
"""Small matrices: one 3 by 3 matrix for each thread, its norms, parts, solutions and eigenvectors."""

field("small matrices", element="system systems", other="system systems", apart=True)

matrix = quantity(mat33, "1", "3 by 3 matrix", one="m a", many="matrices A")
orthogonal_matrix = quantity(mat33, "1", "orthogonal matrix", one="q", many="Q rotations")
small_factor = quantity(mat33, "1", "lower triangular factor", one="L", many="factors L", low=0.5, high=1.0)
symmetric_matrix = quantity(mat33, "1", "symmetric part", one="s sym", many="symmetric_parts")
deviator = quantity(mat33, "1", "deviatoric part", one="d dev", many="deviators")
right_hand_side = quantity(vec3, "1", "right-hand side", one="b", many="rhs b")
small_solution = quantity(vec3, "1", "solution", one="x", many="x solutions", means="goal")
eigen_vector = quantity(vec3, "1", "eigenvector estimate", one="v", many="eigenvectors vectors")
eigen_value = quantity(float, "1", "eigenvalue", one="lam", many="eigenvalues lambdas", means="goal")
pivot_shift = quantity(float, "1", "shift of the diagonal", one="shift eps mu", low=0.25, high=1.0, uniform=True)
residual_norm = quantity(float, "1", "squared residual", one="residual", many="residuals errors", low=0.1, high=4.0, means="peak alarm total zero")
frobenius_norm = quantity(float, "1", "Frobenius norm", one="norm", many="norms")
random_rotation = quantity(mat33, "1", "random rotation", one="q", many="rotations")
rotation_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)


@formula
def frobenius_norm_of(m: matrix) -> frobenius_norm:
    "the square root of 1e-6 plus the sum of the squares of all entries of {m}"
    return any_of(wp.sqrt(wp.ddot(m, m) + 1.0e-6), wp.sqrt(wp.trace(m * wp.transpose(m)) + 1.0e-6))


@formula
def symmetric_part(m: matrix) -> symmetric_matrix:
    "half of the sum of {m} and its transpose"
    return 0.5 * (m + wp.transpose(m))


@formula
def deviatoric_part(m: matrix) -> deviator:
    "{m} minus a third of its trace times the identity"
    return m - (wp.trace(m) / 3.0) * wp.identity(n=3, dtype=float)


@formula
def rayleigh_quotient(m: matrix, v: eigen_vector) -> eigen_value:
    "the Rayleigh quotient, the dot product of {v} and {m} times {v}, divided by (the squared length of {v} plus 1e-3)"
    return wp.dot(v, m * v) / (wp.dot(v, v) + 1.0e-3)


@formula
def power_iteration_step(m: matrix, v: eigen_vector) -> eigen_vector:
    "the unit vector along {m} times {v}"
    return wp.normalize(m * v)


@formula
def eigen_residual(m: matrix, v: eigen_vector) -> residual_norm:
    "the squared length of {m} times {v} minus q times {v}, where q is the Rayleigh quotient, the dot product of {v} and {m} times {v}, divided by (the squared length of {v} plus 1e-3)"
    w = m * v
    q = wp.dot(v, w) / (wp.dot(v, v) + 1.0e-3)
    return wp.length_sq(w - q * v)


@formula
def power_iteration(m: matrix, v: eigen_vector) -> eigen_vector:
    "the result of four steps of the power iteration that begin with {v}, each of which multiplies by {m}, and divides by (the length of the product plus 0.01)"
    for step in range(4):
        w = m * v
        v = w / (wp.length(w) + 0.01)
    return v


@formula
def cramer_solve(m: matrix, b: right_hand_side, shift: pivot_shift) -> small_solution:
    "the x that solves the linear system with the matrix {m} plus {shift} times the identity and the right-hand side {b}, computed with Cramer's rule; zero if the magnitude of the determinant is below 1e-6"
    c0 = wp.vec3(m[0, 0] + shift, m[1, 0], m[2, 0])
    c1 = wp.vec3(m[0, 1], m[1, 1] + shift, m[2, 1])
    c2 = wp.vec3(m[0, 2], m[1, 2], m[2, 2] + shift)
    n = wp.cross(c1, c2)
    det = wp.dot(c0, n)
    if wp.abs(det) < 1.0e-6:
        return wp.vec3(0.0, 0.0, 0.0)
    return wp.vec3(wp.dot(b, n), wp.dot(c0, wp.cross(b, c2)), wp.dot(c0, wp.cross(c1, b))) / det


@formula
def cholesky_of_product(m: matrix, shift: pivot_shift) -> small_factor:
    "the Cholesky factor of S, which is the product of {m} and its transpose, plus {shift} times the identity, that is the lower triangular matrix L with a positive diagonal for which L times its transpose is S"
    s = m * wp.transpose(m) + shift * wp.identity(n=3, dtype=float)
    l00 = wp.sqrt(s[0, 0])
    l10 = s[1, 0] / l00
    l20 = s[2, 0] / l00
    l11 = wp.sqrt(s[1, 1] - l10 * l10)
    l21 = (s[2, 1] - l20 * l10) / l11
    l22 = wp.sqrt(s[2, 2] - l20 * l20 - l21 * l21)
    return wp.mat33(l00, 0.0, 0.0, l10, l11, 0.0, l20, l21, l22)


@formula
def cholesky_solve(L: small_factor, b: right_hand_side) -> small_solution:
    "the x for which {L} times its transpose times x is {b}, by forward substitution and then by back substitution, which read only the lower triangle of {L} with its diagonal"
    y0 = b[0] / L[0, 0]
    y1 = (b[1] - L[1, 0] * y0) / L[1, 1]
    y2 = (b[2] - L[2, 0] * y0 - L[2, 1] * y1) / L[2, 2]
    x2 = y2 / L[2, 2]
    x1 = (y1 - L[2, 1] * x2) / L[1, 1]
    x0 = (y0 - L[1, 0] * x1 - L[2, 0] * x2) / L[0, 0]
    return wp.vec3(x0, x1, x2)


@formula
def gram_schmidt(m: matrix) -> orthogonal_matrix:
    "the matrix whose columns come from those of {m} by the method of Gram and Schmidt, where the first is normalized, the second is made orthogonal to the first and normalized, and the third is the cross product of these two"
    a = wp.vec3(m[0, 0], m[1, 0], m[2, 0])
    b = wp.vec3(m[0, 1], m[1, 1], m[2, 1])
    u = wp.normalize(a)
    v = wp.normalize(b - wp.dot(b, u) * u)
    w = wp.cross(u, v)
    return wp.matrix_from_cols(u, v, w)


@algorithm
def random_rotations(seed: rotation_seed, rotations: out.random_rotation["n"]):
    "draws random rotations, all equally likely: with random numbers u, a and b from 0 to 1, drawn in this order, {rotations} gets the matrix of the quaternion with the components sqrt(1 - u) sin(2 pi a), sqrt(1 - u) cos(2 pi a), sqrt(u) sin(2 pi b) and sqrt(u) cos(2 pi b), the last of which is its real part"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    u = wp.randf(state)
    a = 2.0 * wp.pi * wp.randf(state)
    b = 2.0 * wp.pi * wp.randf(state)
    r = wp.sqrt(1.0 - u)
    s = wp.sqrt(u)
    rotation = wp.quat(r * wp.sin(a), r * wp.cos(a), s * wp.sin(b), s * wp.cos(b))
    rotations[i] = wp.quat_to_matrix(rotation)
