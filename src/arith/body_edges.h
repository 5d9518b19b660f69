/* SPDX-License-Identifier: Apache-2.0 */
/* Body of arith_edges.c, for float32 and its tangent: where two edges p1 q1 and p2 q2 are closest.
 * After Warp 1.19 native/intersect.h closest_point_edge_edge, which is that of Ericson, Real-Time
 * Collision Detection, 5.1.9. */

static NUM FN(dot3)(const NUM *a, const NUM *b)
{
    return ADD(ADD(MUL(a[0], b[0]), MUL(a[1], b[1])), MUL(a[2], b[2]));
}

static NUM FN(clamp01)(NUM x)
{
    return MIN2(MAX2(NUMBER(0), x), NUMBER(1));
}

static bool FN(at_most)(NUM x, NUM y)
{
    return LESS(x, y) || EQUAL(x, y);
}

/* The edges' directions, the way between their first points, and the products of these. */
typedef struct FN(edges) {
    NUM d1[3], d2[3], r[3];
    NUM a, b, c, e, f; /* d1.d1, d1.d2, d1.r, d2.d2, d2.r */
} FN(edges);

static FN(edges) FN(edges_of)(const arith_op *op, void *const *operands)
{
    NUM p[4][3];
    FN(edges) x;
    for (uint32_t i = 0; i < 4; i++)
        ARGS(i, p[i], 3);
    for (int k = 0; k < 3; k++) {
        x.d1[k] = SUB(p[1][k], p[0][k]);
        x.d2[k] = SUB(p[3][k], p[2][k]);
        x.r[k] = SUB(p[0][k], p[2][k]);
    }
    x.a = FN(dot3)(x.d1, x.d1);
    x.b = FN(dot3)(x.d1, x.d2);
    x.c = FN(dot3)(x.d1, x.r);
    x.e = FN(dot3)(x.d2, x.d2);
    x.f = FN(dot3)(x.d2, x.r);
    return x;
}

/* Both edges are longer than epsilon. *s and *t: how far along each. */
static arith_status FN(between_edges)(const FN(edges) * x, NUM *s, NUM *t)
{
    arith_status status = ARITH_OK;
    const NUM zero = NUMBER(0), one = NUMBER(1);
    const NUM denom = ARITH_DO(diff_product)(x->a, x->e, x->b, x->b);
    *s = zero;
    if (LESS(zero, denom))
        *s = FN(clamp01)(DIV(ARITH_DO(diff_product)(x->b, x->f, x->c, x->e), denom));
    *t = DIV(ADD(MUL(x->b, *s), x->f), x->e);
    /* edges that are nearly parallel: Warp's adjoint takes s as constant */
    KINK_IF(FN(at_most)(denom, MUL(NUMBER(1e-6), MUL(x->a, x->e))));
    KINK_IF(EQUAL(*s, zero) || EQUAL(*s, one) || EQUAL(*t, zero) || EQUAL(*t, one));
    if (LESS(*t, zero)) {
        *s = FN(clamp01)(DIV(NEG(x->c), x->a));
        *t = zero;
        status = ARITH_OK;
    } else if (LESS(one, *t)) {
        *s = FN(clamp01)(DIV(SUB(x->b, x->c), x->a));
        *t = one;
        status = ARITH_OK;
    }
    return status;
}

static arith_status FN(op_edges)(const arith_op *op, void *const *operands)
{
    arith_status status = ARITH_OK;
    const FN(edges) x = FN(edges_of)(op, operands);
    const NUM epsilon = ARG(4, 0), zero = NUMBER(0);
    const bool point1 = FN(at_most)(x.a, epsilon), point2 = FN(at_most)(x.e, epsilon);
    NUM s = zero, t = zero, square = zero, gap[3];
    if (point1 && !point2)
        t = FN(clamp01)(DIV(x.f, x.e));
    else if (point2 && !point1)
        s = FN(clamp01)(DIV(NEG(x.c), x.a));
    else if (!point1)
        status = FN(between_edges)(&x, &s, &t);
    for (int k = 0; k < 3; k++) {
        const NUM c1 = ADD(ARG(0, k), MUL(s, x.d1[k])), c2 = ADD(ARG(2, k), MUL(t, x.d2[k]));
        gap[k] = SUB(c2, c1);
    }
    square = FN(dot3)(gap, gap);
    KINK_IF(EQUAL(square, zero));
    GIVE(0, 0, s);
    GIVE(0, 1, t);
    GIVE(0, 2, EQUAL(square, zero) ? zero : SQRT(square));
    return status;
}
