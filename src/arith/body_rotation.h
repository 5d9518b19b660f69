/* SPDX-License-Identifier: Apache-2.0 */
/* Rotations by quaternions (x, y, z, w): what the operations of quaternions, transformations and
 * spatial vectors share, in the order of warp/native quat.h and vec.h of Warp 1.19. Results do not
 * overlap arguments. No guard: see arith_template.h.
 *
 * With u = (x, y, z), a rotation of p by q = (u, w) is
 *
 *     rotated(q, p) = p (2 w w - 1) + u 2 dot(u, p) + 2 w cross(u, p)
 *
 * and back with the last sign changed. No function normalizes q: for other lengths the results are
 * Warp's all the same. */

#define SUM3(a, b, c)    ADD(ADD(a, b), c)
#define SUM4(a, b, c, d) ADD(SUM3(a, b, c), d)
/* Writes to operand i, which an operation changes in place. */
#define PUT(i, j, x) GIVE((uint32_t)(i)-op->n, j, x)
/* Adds n numbers to the adjoint of argument i, from its element j. */
#define ADJ_ADDS_AT(i, j, in, n) ARITH_EACH(n, ADJ_ADD(i, (j) + each_, (in)[each_]))

/* Sums from the first element on, in Warp's order: float sums depend on it. */
static inline NUM FN(dot3)(const NUM *a, const NUM *b)
{
    return SUM3(MUL(a[0], b[0]), MUL(a[1], b[1]), MUL(a[2], b[2]));
}

static inline NUM FN(dot4)(const NUM *a, const NUM *b)
{
    return SUM4(MUL(a[0], b[0]), MUL(a[1], b[1]), MUL(a[2], b[2]), MUL(a[3], b[3]));
}

/* a x b; r must not be a or b. */
static inline void FN(cross)(const NUM *a, const NUM *b, NUM *r)
{
    r[0] = SUB(MUL(a[1], b[2]), MUL(a[2], b[1]));
    r[1] = SUB(MUL(a[2], b[0]), MUL(a[0], b[2]));
    r[2] = SUB(MUL(a[0], b[1]), MUL(a[1], b[0]));
}

/* The inverse of a rotation. */
static inline void FN(conjugate)(const NUM *q, NUM *r)
{
    for (int i = 0; i < 3; i++)
        r[i] = NEG(q[i]);
    r[3] = q[3];
}

/* a * b of quaternions: the rotation by b, then by a. */
static inline void FN(product)(const NUM *a, const NUM *b, NUM *r)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const NUM scaled = ADD(MUL(a[3], b[i]), MUL(b[3], a[i]));
        r[i] = SUB(ADD(scaled, MUL(a[j], b[k])), MUL(b[j], a[k]));
    }
    r[3] = SUB(SUB(SUB(MUL(a[3], b[3]), MUL(a[0], b[0])), MUL(a[1], b[1])), MUL(a[2], b[2]));
}

/* x rotated by q, or back: the formula of the head. */
static inline void FN(rotated)(const NUM *q, const NUM *x, bool back, NUM *r)
{
    const NUM two = NUMBER(2);
    const NUM c = SUB(MUL(MUL(two, q[3]), q[3]), NUMBER(1));
    const NUM d = MUL(two, FN(dot3)(q, x));
    NUM across[3];
    FN(cross)(q, x, across);
    for (int i = 0; i < 3; i++) {
        const NUM along = ADD(MUL(x[i], c), MUL(q[i], d));
        const NUM turned = MUL(MUL(across[i], q[3]), two);
        r[i] = back ? SUB(along, turned) : ADD(along, turned);
    }
}

#if !TANGENT

/* What Warp 1.19 adj_mul(quat, quat) adds to a and b for the adjoint r: r * conjugate(b) and
 * conjugate(a) * r, with the sums in Warp's order. */
static inline void FN(adj_product)(const NUM *a, const NUM *b, const NUM *r, NUM *da, NUM *db)
{
    da[0] = SUB(ADD(SUB(MUL(b[3], r[0]), MUL(b[0], r[3])), MUL(b[1], r[2])), MUL(b[2], r[1]));
    da[1] = ADD(SUB(SUB(MUL(b[3], r[1]), MUL(b[1], r[3])), MUL(b[0], r[2])), MUL(b[2], r[0]));
    da[2] = SUB(SUB(ADD(MUL(b[3], r[2]), MUL(b[0], r[1])), MUL(b[1], r[0])), MUL(b[2], r[3]));
    da[3] = SUM4(MUL(b[3], r[3]), MUL(b[0], r[0]), MUL(b[1], r[1]), MUL(b[2], r[2]));
    db[0] = ADD(SUB(SUB(MUL(a[3], r[0]), MUL(a[0], r[3])), MUL(a[1], r[2])), MUL(a[2], r[1]));
    db[1] = SUB(ADD(SUB(MUL(a[3], r[1]), MUL(a[1], r[3])), MUL(a[0], r[2])), MUL(a[2], r[0]));
    db[2] = SUB(ADD(SUB(MUL(a[3], r[2]), MUL(a[0], r[1])), MUL(a[1], r[0])), MUL(a[2], r[3]));
    db[3] = SUM4(MUL(a[3], r[3]), MUL(a[0], r[0]), MUL(a[1], r[1]), MUL(a[2], r[2]));
}

/* p[i] * q[j] * factor */
#define PQ(i, j, factor) MUL(MUL(p[i], q[j]), NUMBER(factor))

/* The adjoint of the quaternion: what adj_quat_rotate adds to q for the adjoint r. */
static inline void FN(adj_rotated_q)(const NUM *q, const NUM *p, const NUM *r, NUM *dq)
{
    const NUM t2 = PQ(2, 2, 2), t3 = PQ(1, 3, 2), t4 = PQ(0, 3, 2), t5 = PQ(0, 0, 2);
    const NUM t6 = PQ(1, 1, 2), t7 = PQ(2, 1, 2), t8 = PQ(0, 2, 2), t9 = PQ(0, 1, 2);
    const NUM t10 = PQ(1, 0, 2);
    dq[0] = SUM3(MUL(r[2], ADD(t3, t8)), MUL(r[0], SUM3(t2, t6, PQ(0, 0, 4))),
                 MUL(r[1], SUB(t9, PQ(2, 3, 2))));
    dq[1] = SUB(ADD(MUL(r[1], SUM3(t2, t5, PQ(1, 1, 4))), MUL(r[0], ADD(t10, PQ(2, 3, 2)))),
                MUL(r[2], SUB(t4, PQ(1, 2, 2))));
    dq[2] = SUB(ADD(MUL(r[1], ADD(t4, t7)), MUL(r[2], SUM3(t5, t6, PQ(2, 2, 4)))),
                MUL(r[0], SUB(t3, PQ(2, 0, 2))));
    dq[3] = SUM3(MUL(r[0], SUB(ADD(t7, PQ(0, 3, 4)), PQ(1, 2, 2))),
                 MUL(r[1], SUB(ADD(t8, PQ(1, 3, 4)), PQ(2, 0, 2))),
                 MUL(r[2], ADD(ADD(NEG(t9), t10), PQ(2, 3, 4))));
}

/* The same of quat_rotate_inv. The terms t2, t3, ... of both have Warp's names; the order of their
 * sums is Warp's too. */
static inline void FN(adj_rotated_back_q)(const NUM *q, const NUM *p, const NUM *r, NUM *dq)
{
    const NUM t2 = PQ(2, 3, 2), t3 = PQ(2, 2, 2), t4 = PQ(1, 3, 2), t5 = PQ(0, 3, 2);
    const NUM t6 = PQ(0, 0, 2), t7 = PQ(1, 1, 2), t8 = PQ(1, 2, 2), t9 = PQ(2, 0, 2);
    const NUM t10 = PQ(0, 1, 2);
    dq[0] = SUB(ADD(MUL(r[1], ADD(t2, t10)), MUL(r[0], SUM3(t3, t7, PQ(0, 0, 4)))),
                MUL(r[2], SUB(t4, PQ(0, 2, 2))));
    dq[1] = SUB(ADD(MUL(r[2], ADD(t5, t8)), MUL(r[1], SUM3(t3, t6, PQ(1, 1, 4)))),
                MUL(r[0], SUB(t2, PQ(1, 0, 2))));
    dq[2] = SUB(ADD(MUL(r[0], ADD(t4, t9)), MUL(r[2], SUM3(t6, t7, PQ(2, 2, 4)))),
                MUL(r[1], SUB(t5, PQ(2, 1, 2))));
    dq[3] = SUM3(MUL(r[0], SUB(ADD(t8, PQ(0, 3, 4)), PQ(2, 1, 2))),
                 MUL(r[1], SUB(ADD(t9, PQ(1, 3, 4)), PQ(0, 2, 2))),
                 MUL(r[2], ADD(SUB(t10, PQ(1, 0, 2)), PQ(2, 3, 4))));
}
#undef PQ

/* q[i] * q[j] * 2, and 2 * w * w + 2 * q[i] * q[i] - 1 */
#define QQ(i, j)    MUL(MUL(q[i], q[j]), NUMBER(2))
#define DIAGONAL(i) SUB(ADD(QQ(3, 3), QQ(i, i)), NUMBER(1))

/* The adjoint of the vector: the transposed rotation matrix of q times r. */
static inline void FN(adj_rotated_p)(const NUM *q, const NUM *r, NUM *dp)
{
    dp[0] = SUB(ADD(MUL(r[1], ADD(QQ(3, 2), QQ(0, 1))), MUL(r[0], DIAGONAL(0))),
                MUL(r[2], SUB(QQ(3, 1), QQ(0, 2))));
    dp[1] = ADD(SUB(MUL(r[2], ADD(QQ(3, 0), QQ(1, 2))), MUL(r[0], SUB(QQ(3, 2), QQ(0, 1)))),
                MUL(r[1], DIAGONAL(1)));
    dp[2] = SUM3(MUL(NEG(r[1]), SUB(QQ(3, 0), QQ(1, 2))), MUL(r[2], DIAGONAL(2)),
                 MUL(r[0], ADD(QQ(3, 1), QQ(0, 2))));
}

/* The rotation matrix itself times r. */
static inline void FN(adj_rotated_back_p)(const NUM *q, const NUM *r, NUM *dp)
{
    dp[0] = SUB(ADD(MUL(r[2], ADD(QQ(3, 1), QQ(0, 2))), MUL(r[0], DIAGONAL(0))),
                MUL(r[1], SUB(QQ(3, 2), QQ(0, 1))));
    dp[1] = SUB(ADD(MUL(r[1], DIAGONAL(1)), MUL(r[0], ADD(QQ(3, 2), QQ(0, 1)))),
                MUL(r[2], SUB(QQ(3, 0), QQ(1, 2))));
    dp[2] = SUM3(MUL(NEG(r[0]), SUB(QQ(3, 1), QQ(0, 2))), MUL(r[2], DIAGONAL(2)),
                 MUL(r[1], ADD(QQ(3, 0), QQ(1, 2))));
}
#undef QQ
#undef DIAGONAL

#endif
