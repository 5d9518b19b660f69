/* SPDX-License-Identifier: Apache-2.0 */
/* svd2, svd3, qr3 and eig3 (arith_template.h): the algorithms of svd.h of Warp 1.19, which follow
 * McAdams et al., "Computing the Singular Value Decomposition of 3x3 matrices with minimal
 * branching and elementary floating point operations". Tangents are those of the algorithm.
 * Matrices are in rows.
 *
 *     svd3(A)   A = U diag(sigma) transpose(V)
 *         jacobi: V diagonalizes transpose(A) A; B = A V; sort columns of B; qr: B = U R
 *     qr3(A)    A = Q R, by three Givens rotations
 *     eig3(A)   A = V diag(d) transpose(V) of a symmetric A, by jacobi
 *
 * jacobi makes a fixed number of rounds, so results have a rest of rounding that is Warp's too.
 * Where two singular values or eigenvalues agree, the vectors jump: tangents report a kink there.
 */
#include "arith/body_invert3.h"

#define DOUBLE FN(decompose_double) /* float64: more rounds, smaller thresholds */

static inline NUM FN(dot3)(NUM a, NUM b, NUM c, NUM x, NUM y, NUM z)
{
    return ADD(ADD(MUL(a, x), MUL(b, y)), MUL(c, z));
}

/* m = a * b, or transpose(a) * b */
static inline void FN(multiply3)(const NUM *a, const NUM *b, bool transposed, NUM *m)
{
    const int along = transposed ? 3 : 1, down = transposed ? 1 : 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const NUM *row = a + i * down;
            m[3 * i + j] = FN(dot3)(row[0], row[along], row[2 * along], b[j], b[3 + j], b[6 + j]);
        }
}

/* 1 / sqrt(x), by a division that is rounded, as Warp has it on the CPU. */
static inline NUM FN(reciprocal_root)(NUM x)
{
    return DIV(NUMBER(1), SQRT(x));
}

/* The rotation matrix of a unit quaternion (x, y, z, w). */
static inline void FN(quat_to_mat)(const NUM *q, NUM *m)
{
    const NUM one = NUMBER(1), two = NUMBER(2);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const NUM squares = ADD(MUL(q[j], q[j]), MUL(q[k], q[k]));
        const NUM pair = MUL(q[i], q[j]), turn = MUL(q[3], q[k]);
        m[4 * i] = SUB(one, MUL(two, squares));
        m[3 * i + j] = MUL(two, SUB(pair, turn));
        m[3 * j + i] = MUL(two, ADD(pair, turn));
    }
}

/* Half of an approximate Givens rotation, as cosine and sine: it makes the element a12 of a
 * symmetric 2x2 matrix smaller, without the trigonometry of an exact one. Where the approximation
 * would turn too far, by the bound gamma = 3 + sqrt(8), a rotation by pi / 4 is used: the constants
 * are cos and sin of pi / 8. */
static inline void FN(givens)(NUM a11, NUM a12, NUM a22, NUM *ch, NUM *sh)
{
    const NUM c = MUL(NUMBER(2), SUB(a11, a22));
    const bool near = LESS(MUL(MUL(NUMBER(5.82842712474619), a12), a12), MUL(c, c));
    const NUM w = near ? FN(reciprocal_root)(ADD(MUL(c, c), MUL(a12, a12))) : NUMBER(0);
    *ch = near ? MUL(w, c) : NUMBER(0.9238795325112867);
    *sh = near ? MUL(w, a12) : NUMBER(0.3826834323650898);
}

/* One rotation in the plane (x, y) of the symmetric matrix s (11, 21, 22, 31, 32, 33), turned
 * afterwards so that the next plane comes first. q gathers the rotations. */
static inline void FN(conjugate)(int x, int y, int z, NUM *s, NUM *q)
{
    NUM ch, sh;
    FN(givens)(s[0], s[1], s[2], &ch, &sh);
    const NUM scale = ADD(MUL(ch, ch), MUL(sh, sh));
    const NUM a = DIV(SUB(MUL(ch, ch), MUL(sh, sh)), scale);
    const NUM b = DIV(MUL(MUL(NUMBER(2), sh), ch), scale), nb = NEG(b);
    const NUM right1 = ADD(MUL(a, s[0]), MUL(b, s[1])), right2 = ADD(MUL(a, s[1]), MUL(b, s[2]));
    const NUM down1 = ADD(MUL(nb, s[0]), MUL(a, s[1])), down2 = ADD(MUL(nb, s[1]), MUL(a, s[2]));
    const NUM s11 = ADD(MUL(a, right1), MUL(b, right2));
    const NUM s21 = ADD(MUL(a, down1), MUL(b, down2));
    const NUM s22 = ADD(MUL(nb, down1), MUL(a, down2));
    const NUM s31 = ADD(MUL(a, s[3]), MUL(b, s[4])), s32 = ADD(MUL(nb, s[3]), MUL(a, s[4]));
    s[0] = s22, s[1] = s32, s[2] = s[5], s[3] = s21, s[4] = s31, s[5] = s11;
    const NUM turned[3] = {MUL(q[0], sh), MUL(q[1], sh), MUL(q[2], sh)};
    const NUM w = MUL(sh, q[3]);
    ARITH_EACH(4, q[each_] = MUL(q[each_], ch));
    q[z] = ADD(q[z], w);
    q[3] = SUB(q[3], turned[z]);
    q[x] = ADD(q[x], turned[y]);
    q[y] = SUB(q[y], turned[x]);
}

/* The rotation q that makes s diagonal. */
static inline void FN(jacobi)(NUM *s, NUM *q)
{
    ARITH_EACH(4, q[each_] = NUMBER(each_ == 3));
    for (int i = 0; i < (DOUBLE ? 8 : 4); i++) {
        FN(conjugate)(0, 1, 2, s, q);
        FN(conjugate)(1, 2, 0, s, q);
        FN(conjugate)(2, 0, 1, s, q);
    }
}

/* Columns i and j of b and v change places where the first is shorter; rho has their squared
 * lengths. One of them gets the other sign, so that the determinant of v stays 1. */
static inline void FN(order_columns)(NUM *rho, int i, int j, NUM *b, NUM *v)
{
    WEFT_ASSERT(i < j && j < 3);
    if (!LESS(rho[i], rho[j]))
        return;
    const NUM r = rho[i];
    rho[i] = rho[j];
    rho[j] = r;
    for (int k = 0; k < 9; k += 3) {
        const NUM from_b = NEG(b[k + i]), from_v = NEG(v[k + i]);
        b[k + i] = b[k + j];
        b[k + j] = from_b;
        v[k + i] = v[k + j];
        v[k + j] = from_v;
    }
}

/* Sorts the columns of b by falling length, and those of v with them. */
static inline void FN(sort_columns)(NUM *b, NUM *v)
{
    NUM rho[3];
    for (int i = 0; i < 3; i++)
        rho[i] = FN(dot3)(b[i], b[3 + i], b[6 + i], b[i], b[3 + i], b[6 + i]);
    FN(order_columns)(rho, 0, 1, b, v);
    FN(order_columns)(rho, 0, 2, b, v);
    FN(order_columns)(rho, 1, 2, b, v);
}

/* Half of the rotation of (a1, a2) that makes a2 zero, as cosine and sine. For a1 < 0 the two
 * change places, so that no difference of close numbers is formed. */
static inline void FN(qr_givens)(NUM a1, NUM a2, NUM *ch, NUM *sh)
{
    const NUM epsilon = NUMBER(DOUBLE ? 1e-12 : 1e-6f);
    const NUM rho = SQRT(ADD(MUL(a1, a1), MUL(a2, a2)));
    const NUM s = LESS(epsilon, rho) ? a2 : NUMBER(0);
    const NUM c = ADD(ABS(a1), MAX2(rho, epsilon));
    const bool behind = LESS(a1, NUMBER(0));
    const NUM w = FN(reciprocal_root)(ADD(MUL(c, c), MUL(s, s)));
    *ch = MUL(behind ? s : c, w);
    *sh = MUL(behind ? c : s, w);
}

/* Rows i and j of m turned so that m[j][i] vanishes. */
static inline void FN(turn_rows)(NUM *m, int i, int j, NUM *ch, NUM *sh)
{
    WEFT_ASSERT(i < j && j < 3);
    FN(qr_givens)(m[4 * i], m[3 * j + i], ch, sh);
    const NUM a = SUB(NUMBER(1), MUL(MUL(NUMBER(2), *sh), *sh)), b = MUL(MUL(NUMBER(2), *ch), *sh);
    for (int k = 0; k < 3; k++) {
        const NUM x = m[3 * i + k], y = m[3 * j + k];
        m[3 * i + k] = ADD(MUL(a, x), MUL(b, y));
        m[3 * j + k] = ADD(MUL(NEG(b), x), MUL(a, y));
    }
}

/* The product of the three rotations; c and s are the halves' cosines and sines. */
static inline void FN(joined_rotations)(const NUM *c, const NUM *s, NUM *q)
{
    const NUM one = NUMBER(1), two = NUMBER(2), four = NUMBER(4), less = NEG(one);
    NUM t[3], u[3];
    ARITH_EACH(3, t[each_] = ADD(less, MUL(two, MUL(s[each_], s[each_]))));
    ARITH_EACH(3, u[each_] = SUB(one, MUL(two, MUL(s[each_], s[each_]))));
    const NUM c1s1 = MUL(MUL(two, c[0]), s[0]);
    q[0] = MUL(t[0], t[1]);
    q[1] = ADD(MUL(MUL(MUL(MUL(MUL(four, c[1]), c[2]), t[0]), s[1]), s[2]), MUL(c1s1, t[2]));
    q[2] = SUB(MUL(MUL(MUL(MUL(four, c[0]), c[2]), s[0]), s[2]),
               MUL(MUL(MUL(MUL(two, c[1]), t[0]), s[1]), t[2]));
    q[3] = MUL(c1s1, u[1]);
    const NUM eight = MUL(MUL(MUL(NUMBER(-8), c[0]), c[1]), c[2]);
    q[4] = ADD(MUL(MUL(MUL(eight, s[0]), s[1]), s[2]), MUL(t[0], t[2]));
    const NUM inner = ADD(MUL(MUL(c[2], s[0]), s[2]), MUL(MUL(MUL(c[0], c[1]), s[1]), t[2]));
    q[5] = ADD(MUL(MUL(NUMBER(-2), c[2]), s[2]), MUL(MUL(four, s[0]), inner));
    q[6] = MUL(MUL(two, c[1]), s[1]);
    q[7] = MUL(MUL(MUL(two, c[2]), u[1]), s[2]);
    q[8] = MUL(t[1], t[2]);
}

/* a = q * r; r is a at first, and upper triangular up to rounding in the end. */
static inline void FN(qr)(NUM *r, NUM *q)
{
    NUM c[3], s[3];
    FN(turn_rows)(r, 0, 1, &c[0], &s[0]);
    FN(turn_rows)(r, 0, 2, &c[1], &s[1]);
    FN(turn_rows)(r, 1, 2, &c[2], &s[2]);
    FN(joined_rotations)(c, s, q);
}

/* Do each two of the n numbers differ by more than a millionth of their size? */
static inline bool FN(all_apart)(const NUM *x, int n)
{
    bool apart = true;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const NUM sum = ADD(ABS(x[i]), ABS(x[j]));
            apart = apart && LESS(MUL(NUMBER(1e-6), sum), ABS(SUB(x[i], x[j])));
        }
    return apart;
}

/* Has any of the n numbers a tangent that is not zero? */
static inline bool FN(matrix_moves)(const NUM *m, int n)
{
    bool any = false;
    ARITH_EACH(n, any = any || MOVES(m[each_]));
    return any;
}

/* The singular values are the diagonal of R; the last may be negative, since U and V are
 * rotations. */
static arith_status FN(svd3)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    NUM a[9], u[9], v[9], b[9], square[9], q[4];
    ARGS(0, a, 9);
    FN(multiply3)(a, a, true, square);
    NUM s[6] = {square[0], square[3], square[4], square[6], square[7], square[8]};
    FN(jacobi)(s, q);
    FN(quat_to_mat)(q, v);
    FN(multiply3)(a, v, false, b);
    FN(sort_columns)(b, v);
    FN(qr)(b, u);
    const NUM sigma[3] = {b[0], b[4], b[8]}, sizes[3] = {ABS(b[0]), ABS(b[4]), ABS(b[8])};
    KINK_IF(!FN(all_apart)(sizes, 3) && FN(matrix_moves)(a, 9));
    GIVES(0, u, 9);
    GIVES(1, sigma, 3);
    GIVES(2, v, 9);
    return status;
}

/* The elements of r below the diagonal are what rounding left of them, as in Warp. */
static arith_status FN(qr3)(const arith_op *op, void *const *operands)
{
    NUM r[9], q[9];
    ARGS(0, r, 9);
    FN(qr)(r, q);
    GIVES(0, q, 9);
    GIVES(1, r, 9);
    return ARITH_OK;
}

/* The eigenvalues are the diagonal of transpose(V) A V; they are not sorted. */
static arith_status FN(eig3)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    NUM a[9], v[9], left[9], d[9], q[4];
    ARGS(0, a, 9);
    NUM s[6] = {a[0], a[3], a[4], a[6], a[7], a[8]};
    FN(jacobi)(s, q);
    FN(quat_to_mat)(q, v);
    FN(multiply3)(v, a, true, left);
    FN(multiply3)(left, v, false, d);
    const NUM values[3] = {d[0], d[4], d[8]};
    KINK_IF(!FN(all_apart)(values, 3) && FN(matrix_moves)(a, 9));
    GIVES(0, v, 9);
    GIVES(1, values, 3);
    return status;
}

static inline void FN(give_svd2)(const arith_op *op, void *const *operands, const NUM *u,
                                 const NUM *sigma, const NUM *v)
{
    GIVES(0, u, 4);
    GIVES(1, sigma, 2);
    GIVES(2, v, 4);
}

/* V: the direction that belongs to the greater eigenvalue of transpose(a) * a, and its normal. */
static inline void FN(right2)(NUM diff, NUM root, NUM cross, NUM *v)
{
    const NUM twice = MUL(NUMBER(2), cross);
    const NUM y = ADD(SUB(diff, root), twice), x = SUB(ADD(diff, root), twice);
    const NUM square = ADD(MUL(x, x), MUL(y, y));
    v[0] = v[2] = NUMBER(0.707106781186547524401);
    if (!EQUAL(square, NUMBER(0))) {
        const NUM by = FN(reciprocal_root)(square);
        v[0] = MUL(x, by);
        v[2] = MUL(y, by);
    }
    v[1] = NEG(v[2]);
    v[3] = v[0];
}

/* The closed form for 2x2: the eigenvalues of transpose(a) * a are (trace +- root) / 2, and the
 * singular values their square roots. d is zero where both agree: then U and V are the identity. */
static arith_status FN(svd2)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    const NUM zero = NUMBER(0), one = NUMBER(1), half = NUMBER(0.5);
    NUM a[4];
    ARGS(0, a, 4);
    const NUM s11 = ADD(MUL(a[0], a[0]), MUL(a[2], a[2]));
    const NUM s12 = ADD(MUL(a[0], a[1]), MUL(a[2], a[3]));
    const NUM s22 = ADD(MUL(a[1], a[1]), MUL(a[3], a[3]));
    const NUM trace = ADD(s11, s22), diff = SUB(s11, s22);
    const NUM d = ADD(MUL(diff, diff), MUL(MUL(NUMBER(4), s12), s12));
    if (EQUAL(d, zero)) {
        const NUM s = SQRT(MUL(half, trace)), unit[4] = {one, zero, zero, one};
        KINK_IF(FN(matrix_moves)(a, 4));
        FN(give_svd2)(op, operands, unit, (NUM[]){s, s}, unit);
        return status;
    }
    const NUM root = SQRT(d);
    const NUM by1 = FN(reciprocal_root)(MUL(ADD(trace, root), half));
    const NUM least = SQRT(MUL(SUB(trace, root), half));
    NUM v[4], u[4];
    FN(right2)(diff, root, s12, v);
    u[0] = MUL(ADD(MUL(a[0], v[0]), MUL(a[1], v[2])), by1);
    u[2] = MUL(ADD(MUL(a[2], v[0]), MUL(a[3], v[2])), by1);
    const NUM det = SUB(MUL(a[0], a[3]), MUL(a[1], a[2]));
    const NUM sign = LESS(det, zero) ? NEG(one) : one;
    u[1] = MUL(NEG(u[2]), sign);
    u[3] = MUL(u[0], sign);
    const NUM sigma[2] = {DIV(one, by1), least};
    KINK_IF((EQUAL(least, zero) || !FN(all_apart)(sigma, 2)) && FN(matrix_moves)(a, 4));
    FN(give_svd2)(op, operands, u, sigma, v);
    return status;
}

#if !TANGENT

/* out = a * b with a, or b, transposed. */
static inline void FN(product)(const NUM *a, bool ta, const NUM *b, bool tb, int n, NUM *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            NUM sum = NUMBER(0);
            for (int k = 0; k < n; k++)
                sum = MULADD(a[ta ? k * n + i : i * n + k], b[tb ? j * n + k : k * n + j], sum);
            out[i * n + j] = sum;
        }
}

/* The n x n matrix with d on its diagonal. */
static inline void FN(diagonal)(const NUM *d, int n, NUM *out)
{
    ARITH_EACH(n * n, out[each_] = each_ % (n + 1) ? NUMBER(0) : d[each_ / (n + 1)]);
}

/* f * (transpose(x) * dx - transpose(dx) * x), element by element */
static inline void FN(skewed)(const NUM *f, const NUM *x, const NUM *dx, int n, NUM *out)
{
    NUM a[9], b[9];
    FN(product)(x, true, dx, false, n, a);
    FN(product)(dx, true, x, false, n, b);
    ARITH_EACH(n * n, out[each_] = MUL(f[each_], SUB(a[each_], b[each_])));
}

/* f[i][j] = 1 / (sigma[j]^2 - sigma[i]^2) above the diagonal, its negative below. sigma falls, so
 * the differences are negative; those nearer to zero than epsilon are kept from it. */
static inline void FN(svd_gaps)(const NUM *sigma, int n, NUM *f)
{
    WEFT_ASSERT(n == 2 || n == 3);
    const NUM epsilon = NUMBER(DOUBLE ? 1e-12 : 1e-6f);
    NUM square[3];
    ARITH_EACH(n, square[each_] = MUL(sigma[each_], sigma[each_]));
    for (int i = 0; i < n; i++) {
        f[i * n + i] = NUMBER(0);
        for (int j = i + 1; j < n; j++) {
            f[i * n + j] = DIV(NUMBER(1), MIN2(SUB(square[j], square[i]), NEG(epsilon)));
            f[j * n + i] = NEG(f[i * n + j]);
        }
    }
}

/* Warp 1.19 native/svd.h adj_svd3 and adj_svd2, with F = svd_gaps, S = diag(sigma):
 *
 *     adj_A += U diag(ds) V^T + U (F o (U^T dU - dU^T U)) S V^T + U S (F o (V^T dV - dV^T V)) V^T
 */
static inline arith_status FN(adj_svd)(const arith_op *op, void *const *operands, int n)
{
    WEFT_ASSERT(n == 2 || n == 3);
    NUM u[9], sigma[3], v[9], du[9], ds[3], dv[9], f[9], s[9];
    ARITH_EACH(n * n, u[each_] = RESULT(0, each_));
    ARITH_EACH(n, sigma[each_] = RESULT(1, each_));
    ARITH_EACH(n * n, v[each_] = RESULT(2, each_));
    ADJ_RESULTS(0, du, n * n);
    ADJ_RESULTS(1, ds, n);
    ADJ_RESULTS(2, dv, n * n);
    FN(svd_gaps)(sigma, n, f);
    NUM t[9], t2[9], by_s[9], by_u[9], by_v[9];
    FN(diagonal)(ds, n, s);
    FN(product)(s, false, v, true, n, t);
    FN(product)(u, false, t, false, n, by_s);
    FN(diagonal)(sigma, n, s);
    FN(skewed)(f, u, du, n, t);
    FN(product)(t, false, s, false, n, t2);
    FN(product)(u, false, t2, false, n, t);
    FN(product)(t, false, v, true, n, by_u);
    FN(skewed)(f, v, dv, n, t);
    FN(product)(t, false, v, true, n, t2);
    FN(product)(s, false, t2, false, n, t);
    FN(product)(u, false, t, false, n, by_v);
    ARITH_EACH(n * n, ADJ_ADD(0, each_, ADD(ADD(by_u[each_], by_v[each_]), by_s[each_])));
    return ARITH_OK;
}

static arith_status FN(adj_svd2)(const arith_op *op, void *const *operands)
{
    return FN(adj_svd)(op, operands, 2);
}

static arith_status FN(adj_svd3)(const arith_op *op, void *const *operands)
{
    return FN(adj_svd)(op, operands, 3);
}

/* Warp 1.19 native/svd.h adj_qr3. With M = R dR^T - dQ^T Q and its lower half mirrored to the
 * upper: adj_A += (dQ + Q mirrored(M)) inverse(R^T) */
static arith_status FN(adj_qr3)(const arith_op *op, void *const *operands)
{
    NUM q[9], r[9], dq[9], dr[9], m[9], other[9], mirrored[9], turned[9], inverse[9], out[9];
    ARITH_EACH(9, q[each_] = RESULT(0, each_));
    ARITH_EACH(9, r[each_] = RESULT(1, each_));
    ADJ_RESULTS(0, dq, 9);
    ADJ_RESULTS(1, dr, 9);
    FN(product)(r, false, dr, true, 3, m);
    FN(product)(dq, true, q, false, 3, other);
    ARITH_EACH(9, m[each_] = SUB(m[each_], other[each_]));
    ARITH_EACH(9, mirrored[each_] = m[each_ / 3 >= each_ % 3 ? each_ : each_ % 3 * 3 + each_ / 3]);
    FN(product)(q, false, mirrored, false, 3, other);
    ARITH_EACH(9, other[each_] = ADD(dq[each_], other[each_]));
    ARITH_EACH(9, turned[each_] = r[each_ % 3 * 3 + each_ / 3]);
    FN(invert3)(turned, inverse);
    FN(product)(other, false, inverse, false, 3, out);
    ADJ_ADDS(0, out, 9);
    return ARITH_OK;
}

/* f[i][j] = 1 / (d[j] - d[i]) above the diagonal, its negative below; differences nearer to zero
 * than 1e-6 are replaced by 1e-6 with their sign. A difference of exactly zero stays: f is then
 * infinite. */
static inline void FN(eig_gaps)(const NUM *d, NUM *f)
{
    const NUM zero = NUMBER(0), small = NUMBER(1e-6), below = NUMBER(-1e-6);
    for (int i = 0; i < 3; i++) {
        f[4 * i] = zero;
        for (int j = i + 1; j < 3; j++) {
            NUM gap = SUB(d[j], d[i]);
            if (LESS(gap, zero) && LESS(below, gap))
                gap = below;
            if (LESS(zero, gap) && LESS(gap, small))
                gap = small;
            f[3 * i + j] = DIV(NUMBER(1), gap);
            f[3 * j + i] = NEG(f[3 * i + j]);
        }
    }
}

/* Warp 1.19 native/svd.h adj_eig3: adj_A += Q (diag(dd) + F o (Q^T dQ)) Q^T with F = eig_gaps.
 * Without an adjoint of the vectors F is left out, so that equal eigenvalues do no harm. */
static arith_status FN(adj_eig3)(const arith_op *op, void *const *operands)
{
    NUM q[9], d[3], dq[9], dd[3], f[9], m[9], t[9], out[9];
    bool any = false;
    ARITH_EACH(9, q[each_] = RESULT(0, each_));
    ARITH_EACH(3, d[each_] = RESULT(1, each_));
    ADJ_RESULTS(0, dq, 9);
    ADJ_RESULTS(1, dd, 3);
    ARITH_EACH(9, any = any || !EQUAL(dq[each_], NUMBER(0)));
    FN(diagonal)(dd, 3, m);
    if (any) {
        FN(eig_gaps)(d, f);
        FN(product)(q, true, dq, false, 3, t);
        ARITH_EACH(9, m[each_] = ADD(m[each_], MUL(f[each_], t[each_])));
    }
    FN(product)(m, false, q, true, 3, t);
    FN(product)(q, false, t, false, 3, out);
    ADJ_ADDS(0, out, 9);
    return ARITH_OK;
}

#endif

#undef DOUBLE
