/* SPDX-License-Identifier: Apache-2.0 */
/* How the results of mesh queries change with the point or the ray that was asked for; the triangle
 * stays the same.
 *
 * A point a u + b v + c (1 - u - v) of the triangle's plane has u and v with the gradients
 *     (b - c) x n / n.n   and   n x (a - c) / n.n,   n = (a - c) x (b - c).
 *
 * A ray's hit moves with its start, and along the ray so that it stays in the plane. The point
 * closest to another one is its projection to the plane, or to an edge, or it is a corner. */
#include "geometry/geometry_internal.h"

/* The gradients of u and v within the plane. */
static void plane_slopes(const vec3 corners[3], vec3 *u, vec3 *v)
{
    const vec3 ca = vec3_sub(corners[0], corners[2]), cb = vec3_sub(corners[1], corners[2]);
    const vec3 n = vec3_cross(ca, cb);
    const float scale = 1.0f / vec3_dot(n, n);
    *u = vec3_scale(vec3_cross(cb, n), scale);
    *v = vec3_scale(vec3_cross(n, ca), scale);
}

geometry_status mesh_hit_slopes(const ctx *c, uint64_t id, const mesh_hit *hit, vec3 direction,
                                vec3 slopes[MESH_SLOPES])
{
    vec3 corners[3], within[2];
    const geometry_status s = mesh_triangle(c, id, hit->face, corners, NULL);
    if (s != GEOMETRY_FOUND)
        return s;
    const vec3 n = vec3_cross(vec3_sub(corners[0], corners[2]), vec3_sub(corners[1], corners[2]));
    plane_slopes(corners, &within[0], &within[1]);
    slopes[MESH_T] = vec3_scale(n, -1.0f / vec3_dot(n, direction));
    for (int i = 0; i < 2; i++)
        slopes[i] = vec3_add(within[i], vec3_scale(slopes[MESH_T], vec3_dot(within[i], direction)));
    return s;
}

/* The weight of `to` of the point of an edge that is closest to p, and its gradient. */
static float edge_slope(vec3 from, vec3 to, vec3 p, vec3 *slope)
{
    const vec3 e = vec3_sub(to, from);
    const float squared = vec3_dot(e, e);
    *slope = vec3_scale(e, 1.0f / squared);
    return vec3_dot(vec3_sub(p, from), e) / squared;
}

/* The edge that the point lies on: opposite the corner without weight; -1: none. Weights of queries
 * are exact there but for the last bits. */
static int edge_of(const mesh_point *at)
{
    const float w = 1.0f - at->u - at->v, tiny = 0x1p-22f;
    return fabsf(at->u) < tiny ? 0 : at->v == 0 ? 1 : fabsf(w) < tiny ? 2 : -1;
}

geometry_status mesh_point_slopes(const ctx *c, uint64_t id, const mesh_point *at, vec3 point,
                                  vec3 slopes[MESH_SLOPES])
{
    static const vec3 none = {0, 0, 0};
    vec3 corners[3], along;
    const geometry_status s = mesh_triangle(c, id, at->face, corners, NULL);
    if (s != GEOMETRY_FOUND)
        return s;
    slopes[MESH_U] = slopes[MESH_V] = none;
    const int edge = edge_of(at);
    if (edge < 0) {
        plane_slopes(corners, &slopes[MESH_U], &slopes[MESH_V]);
        return s;
    }
    /* from b to c, from c to a, from a to b */
    const float weight =
        edge_slope(corners[(edge + 1) % 3], corners[(edge + 2) % 3], point, &along);
    if (weight <= 0 || weight >= 1) /* a corner */
        return s;
    if (edge == 0)
        slopes[MESH_V] = vec3_scale(along, -1);
    else
        slopes[MESH_U] = edge == 1 ? along : vec3_scale(along, -1);
    if (edge == 2)
        slopes[MESH_V] = along;
    return s;
}
