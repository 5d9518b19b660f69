// SPDX-License-Identifier: Apache-2.0
// Whether two triangles meet, in blocks as those of geometry.cuh: a program of its own gets the blocks that it uses.
//: seen_along
// A point without the coordinate of an axis, 0 to 2.
__device__ inline vec3 seen_along(vec3 p, int axis)
{
    return axis == 0 ? vec3{p.y, p.z, 0.0f} : axis == 1 ? vec3{p.x, p.z, 0.0f} : p;
}
//: edges_meet
// Of x and y alone.
__device__ inline bool edges_meet(vec3 p, vec3 q, vec3 a, vec3 b)
{
    const float x = q.x - p.x, y = q.y - p.y, bx = a.x - b.x, by = a.y - b.y;
    const float cx = p.x - a.x, cy = p.y - a.y, f = y * bx - x * by, d = by * cx - bx * cy;
    const float e = x * cy - y * cx;
    return f > 0.0f ? d >= 0.0f && d <= f && e >= 0.0f && e <= f
                    : f < 0.0f && d <= 0.0f && d >= f && e <= 0.0f && e >= f;
}
//: side_of_edge
__device__ inline float side_of_edge(vec3 p, vec3 from, vec3 to)
{
    const float a = to.y - from.y, b = from.x - to.x;
    return a * p.x + b * p.y + (-a * from.x - b * from.y);
}
//: is_inside
// Of x and y alone.
__device__ inline bool is_inside(vec3 p, const vec3 *t)
{
    const float a = side_of_edge(p, t[0], t[1]), b = side_of_edge(p, t[1], t[2]);
    return a * b > 0.0f && a * side_of_edge(p, t[2], t[0]) > 0.0f;
}
//: coplanar_meet
// Triangles of one plane, seen along the axis that shows most of them.
__device__ inline bool coplanar_meet(vec3 normal, const vec3 *t, const vec3 *u)
{
    const float x = fabsf(normal.x), y = fabsf(normal.y), z = fabsf(normal.z);
    const int axis = x > y && x > z ? 0 : x > y || z > y ? 2 : 1;
    vec3 a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = seen_along(t[i], axis);
        b[i] = seen_along(u[i], axis);
    }
    for (int i = 0; i < 9; i++)
        if (edges_meet(a[i / 3], a[(i / 3 + 1) % 3], b[i % 3], b[(i % 3 + 1) % 3]))
            return true;
    return is_inside(a[0], b) || is_inside(b[0], a);
}
//: LinePiece
// What a triangle cuts out of a line: from a + b / x to a + c / y, times x * y.
struct LinePiece {
    float a, b, c, x, y;
    bool none; // the line is in the triangle's plane
};
//: line_piece
// p: the corners along the line; d: their distances from the other triangle's plane.
__device__ inline LinePiece line_piece(vec3 p, vec3 d)
{
    if (d.x * d.y > 0.0f)
        return LinePiece{p.z, (p.x - p.z) * d.z, (p.y - p.z) * d.z, d.z - d.x, d.z - d.y, false};
    if (d.x * d.z > 0.0f || (!(d.y * d.z > 0.0f) && d.x == 0.0f && d.y != 0.0f))
        return LinePiece{p.y, (p.x - p.y) * d.y, (p.z - p.y) * d.y, d.y - d.x, d.y - d.z, false};
    if (d.y * d.z > 0.0f || d.x != 0.0f)
        return LinePiece{p.x, (p.y - p.x) * d.x, (p.z - p.x) * d.x, d.x - d.y, d.x - d.z, false};
    return LinePiece{p.z, (p.x - p.z) * d.z, (p.y - p.z) * d.z, d.z - d.x, d.z - d.y, d.z == 0.0f};
}
//: plane_distances
// Of a triangle's corners from the plane through `at`; small ones are zero.
__device__ inline vec3 plane_distances(vec3 normal, vec3 at, const vec3 *t)
{
    float d[3];
    for (int i = 0; i < 3; i++) {
        d[i] = dot(normal, t[i]) + -dot(normal, at);
        d[i] = fabsf(d[i]) < 0.000001 ? 0.0f : d[i];
    }
    return vec3{d[0], d[1], d[2]};
}
//: along_axis
// That coordinate of three points.
__device__ inline vec3 along_axis(const vec3 *t, int axis)
{
    return axis == 0   ? vec3{t[0].x, t[1].x, t[2].x}
           : axis == 1 ? vec3{t[0].y, t[1].y, t[2].y}
                       : vec3{t[0].z, t[1].z, t[2].z};
}
//: intersect_tri_tri -
// 1: the triangles meet. By the line that their planes have in common, after Moller.
__device__ inline int intersect_tri_tri(vec3 v0, vec3 v1, vec3 v2, vec3 u0, vec3 u1, vec3 u2)
{
    const vec3 t[3] = {v0, v1, v2}, u[3] = {u0, u1, u2};
    const vec3 n = cross(v1 - v0, v2 - v0), m = cross(u1 - u0, u2 - u0), line = cross(n, m);
    const vec3 du = plane_distances(n, v0, u), dt = plane_distances(m, u0, t);
    if ((du.x * du.y > 0.0f && du.x * du.z > 0.0f) || (dt.x * dt.y > 0.0f && dt.x * dt.z > 0.0f))
        return 0;
    const float x = fabsf(line.x), y = fabsf(line.y), z = fabsf(line.z);
    const int axis = z > (y > x ? y : x) ? 2 : y > x ? 1 : 0;
    const vec3 p = along_axis(t, axis), q = along_axis(u, axis);
    const LinePiece a = line_piece(p, dt), b = line_piece(q, du);
    if (a.none || b.none)
        return coplanar_meet(n, t, u);
    const float xx = a.x * a.y, yy = b.x * b.y, both = xx * yy;
    const float a0 = a.a * both + a.b * a.y * yy, a1 = a.a * both + a.c * a.x * yy;
    const float b0 = b.a * both + b.b * xx * b.y, b1 = b.a * both + b.c * xx * b.x;
    const bool before = (a0 > a1 ? a0 : a1) < (b0 > b1 ? b1 : b0);
    return !before && !((b0 > b1 ? b0 : b1) < (a0 > a1 ? a1 : a0));
}
