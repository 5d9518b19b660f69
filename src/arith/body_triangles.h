/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two triangles of REAL, float or double, meet: the body of arith_triangles.c. After Warp
 * 1.19 native/intersect_tri.h: Möller's test by the line that the two planes have in common.
 *
 *     the plane of each: all corners of the other on one side     0
 *     else both triangles cut the line: do the two pieces meet?
 *     all corners in one plane: edges that meet, or a corner inside the other triangle
 *
 * No division, so that pieces are compared as products. Distances below 1e-6 are zero. */

static void REAL_FN(cross)(const REAL *a, const REAL *b, REAL *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static REAL REAL_FN(dot)(const REAL *a, const REAL *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static REAL REAL_FN(magnitude)(REAL x)
{
    return x < 0 ? -x : x;
}

/* The normal of a triangle. */
static void REAL_FN(normal)(const REAL *const *t, REAL *out)
{
    REAL first[3], second[3];
    for (int i = 0; i < 3; i++) {
        first[i] = t[1][i] - t[0][i];
        second[i] = t[2][i] - t[0][i];
    }
    REAL_FN(cross)(first, second, out);
}

/* The distances of t's corners from a plane through `at`; false: all are on one side. */
static bool REAL_FN(distances)(const REAL *plane, const REAL *at, const REAL *const *t, REAL *out)
{
    const REAL offset = -REAL_FN(dot)(plane, at);
    for (int i = 0; i < 3; i++) {
        out[i] = REAL_FN(dot)(plane, t[i]) + offset;
        if ((double)REAL_FN(magnitude)(out[i]) < 0.000001)
            out[i] = 0;
    }
    return !(out[0] * out[1] > 0 && out[0] * out[2] > 0);
}

/* The piece of the line that a triangle cuts: from a + b / x to a + c / y, times x y. */
typedef struct REAL_FN(piece) {
    REAL a, b, c, x, y;
} REAL_FN(piece);

/* p: the corners along the line, d: their distances from the other's plane. False: all are zero. */
static bool REAL_FN(cut)(const REAL *p, const REAL *d, REAL_FN(piece) * out)
{
    const int alone = d[0] * d[1] > 0                ? 2
                      : d[0] * d[2] > 0              ? 1
                      : d[1] * d[2] > 0 || d[0] != 0 ? 0
                      : d[1] != 0                    ? 1
                                                     : 2;
    const int first = alone == 0 ? 1 : 0, second = alone == 2 ? 1 : 2;
    *out = (REAL_FN(piece)){.a = p[alone],
                            .b = (p[first] - p[alone]) * d[alone],
                            .c = (p[second] - p[alone]) * d[alone],
                            .x = d[alone] - d[first],
                            .y = d[alone] - d[second]};
    return d[0] != 0 || d[1] != 0 || d[2] != 0 || alone != 2;
}

/* Do an edge from p along (x, y) and the edge a b meet, seen along the axes i and j? */
static bool REAL_FN(edges_meet)(const REAL *p, REAL x, REAL y, const REAL *a, const REAL *b, int i,
                                int j)
{
    const REAL bx = a[i] - b[i], by = a[j] - b[j], cx = p[i] - a[i], cy = p[j] - a[j];
    const REAL f = y * bx - x * by, d = by * cx - bx * cy;
    if (!((f > 0 && d >= 0 && d <= f) || (f < 0 && d <= 0 && d >= f)))
        return false;
    const REAL e = x * cy - y * cx;
    return f > 0 ? e >= 0 && e <= f : e <= 0 && e >= f;
}

/* Is p inside the triangle, seen along the axes i and j? */
static bool REAL_FN(is_inside)(const REAL *p, const REAL *const *t, int i, int j)
{
    REAL side[3];
    for (int k = 0; k < 3; k++) {
        const REAL *from = t[k], *to = t[(k + 1) % 3];
        const REAL a = to[j] - from[j], b = -(to[i] - from[i]);
        const REAL c = -a * from[i] - b * from[j];
        side[k] = a * p[i] + b * p[j] + c;
    }
    return side[0] * side[1] > 0 && side[0] * side[2] > 0;
}

/* Triangles of one plane, seen along the axis that shows most of them. */
static bool REAL_FN(coplanar_meet)(const REAL *plane, const REAL *const *t, const REAL *const *u)
{
    const REAL x = REAL_FN(magnitude)(plane[0]), y = REAL_FN(magnitude)(plane[1]),
               z = REAL_FN(magnitude)(plane[2]);
    const bool is_x = x > y && x > z, is_z = !is_x && (x > y || z > y);
    const int i = is_x ? 1 : 0, j = is_z ? 1 : 2;
    for (int k = 0; k < 3; k++) {
        const REAL *from = t[k], *to = t[(k + 1) % 3];
        for (int n = 0; n < 3; n++)
            if (REAL_FN(edges_meet)(from, to[i] - from[i], to[j] - from[j], u[n], u[(n + 1) % 3], i,
                                    j))
                return true;
    }
    return REAL_FN(is_inside)(t[0], u, i, j) || REAL_FN(is_inside)(u[0], t, i, j);
}

static bool REAL_FN(triangles_meet)(const REAL *const *t, const REAL *const *u)
{
    REAL n[3], m[3], du[3], dt[3], line[3], p[3], q[3];
    REAL_FN(piece) a, b;
    REAL_FN(normal)(t, n);
    if (!REAL_FN(distances)(n, t[0], u, du))
        return false;
    REAL_FN(normal)(u, m);
    if (!REAL_FN(distances)(m, u[0], t, dt))
        return false;
    REAL_FN(cross)(n, m, line);
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (REAL_FN(magnitude)(line[i]) > REAL_FN(magnitude)(line[axis]))
            axis = i;
    for (int i = 0; i < 3; i++) {
        p[i] = t[i][axis];
        q[i] = u[i][axis];
    }
    if (!REAL_FN(cut)(p, dt, &a) || !REAL_FN(cut)(q, du, &b))
        return REAL_FN(coplanar_meet)(n, t, u);
    const REAL xx = a.x * a.y, yy = b.x * b.y, both = xx * yy;
    const REAL a0 = a.a * both + a.b * a.y * yy, a1 = a.a * both + a.c * a.x * yy;
    const REAL b0 = b.a * both + b.b * xx * b.y, b1 = b.a * both + b.c * xx * b.x;
    const REAL most_a = a0 > a1 ? a0 : a1, least_a = a0 > a1 ? a1 : a0;
    const REAL most_b = b0 > b1 ? b0 : b1, least_b = b0 > b1 ? b1 : b0;
    return !(most_a < least_b || most_b < least_a);
}
