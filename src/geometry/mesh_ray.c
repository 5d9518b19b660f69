/* SPDX-License-Identifier: Apache-2.0 */
/* Rays against meshes: the first triangle hit, whether there is one, how many; and by them, whether
 * a point is inside. After Warp 1.19 native/mesh.h and intersect.h.
 *
 * A ray meets a triangle by the test of Woop, Benthin and Wald (JCGT 2013): the triangle is sheared
 * so that the ray is an axis, and edges are functions of two products, so that neighbours leave no
 * gap. */
#include <float.h>

#include "geometry/geometry_internal.h"

/* a b - c d by Kahan's method: the error of the product c d is computed, and added. Where the two
 * products nearly cancel, their plain difference would be noise. */
static float diff_product(float a, float b, float c, float d)
{
    const float cd = c * d;
    return fmaf(a, b, -cd) + fmaf(-c, d, cd);
}

/* A ray, and the axes and shear of its direction. */
typedef struct ray {
    vec3 start, direction;
    int x, y, z;
    float shear_x, shear_y, shear_z;
} ray;

/* z is the axis along which the ray is longest; x and y follow it in turn, and are exchanged where
 * the ray runs backwards, which keeps the triangles' sides. */
static ray ray_of(vec3 start, vec3 direction)
{
    ray r = {.start = start, .direction = direction};
    r.z = vec3_longest(direction);
    r.x = (r.z + 1) % 3;
    r.y = (r.z + 2) % 3;
    const float along = vec3_axis(direction, r.z);
    if (along < 0) {
        const int other = r.x;
        r.x = r.y;
        r.y = other;
    }
    r.shear_x = vec3_axis(direction, r.x) / along;
    r.shear_y = vec3_axis(direction, r.y) / along;
    r.shear_z = 1.0f / along;
    return r;
}

/* A corner in the ray's axes: its place beside the ray, and along it. */
static vec3 sheared(const ray *r, vec3 p)
{
    const vec3 d = vec3_sub(p, r->start);
    const float along = vec3_axis(d, r->z);
    return (vec3){vec3_axis(d, r->x) - r->shear_x * along, vec3_axis(d, r->y) - r->shear_y * along,
                  r->shear_z * along};
}

/* a b - c d in double, where each product of floats is exact. */
static float exact(float a, float b, float c, float d)
{
    return (float)((double)a * (double)b - (double)c * (double)d);
}

/* Where the ray meets the triangle: t, weights, and the determinant, whose sign is the side.
 *
 * In the ray's axes the question is whether the origin lies in the triangle. u, v and w are twice
 * the areas that it makes with each edge; all of one sign, it does. A 0 may be an underflow: all
 * three are computed anew in double, so that a ray at an edge passes between no two neighbours. */
static bool ray_meets_triangle(const ray *r, const mesh *m, int32_t face, mesh_hit *out)
{
    const int32_t *i = m->indices + 3 * face;
    const vec3 a = sheared(r, m->points[i[0]]), b = sheared(r, m->points[i[1]]);
    const vec3 c = sheared(r, m->points[i[2]]);
    float u = diff_product(c.x, b.y, c.y, b.x);
    float v = diff_product(a.x, c.y, a.y, c.x);
    float w = diff_product(b.x, a.y, b.y, a.x);
    if (u == 0 || v == 0 || w == 0) {
        u = exact(c.x, b.y, c.y, b.x);
        v = exact(a.x, c.y, a.y, c.x);
        w = exact(b.x, a.y, b.y, a.x);
    }
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
        return false;
    const float det = u + v + w;
    if (det == 0)
        return false;
    const float t = u * a.z + v * b.z + w * c.z;
    if ((signbit(det) ? -t : t) < 0)
        return false;
    const float scale = 1.0f / det;
    *out = (mesh_hit){true, det, face, t * scale, u * scale, v * scale, {0, 0, 0}};
    return true;
}

/* Infinity for 0: such a slab is left to the robust test of boxes. */
static vec3 reciprocal(vec3 d)
{
    return (vec3){1.0f / d.x, 1.0f / d.y, 1.0f / d.z};
}

/* Warp's mesh_query_ray replaces zeros before it takes the inverse, the other queries do not. */
static vec3 without_zeros(vec3 d)
{
    return (vec3){d.x == 0 ? 1.0e-20f : d.x, d.y == 0 ? 1.0e-20f : d.y, d.z == 0 ? 1.0e-20f : d.z};
}

/* The nearest hit of a leaf's triangles that is before best->t. */
static void nearest_of_leaf(const mesh *m, const bvh_node *leaf, const ray *r, mesh_hit *best)
{
    for (int32_t i = leaf->first; i < leaf->second; i++) {
        mesh_hit here;
        if (ray_meets_triangle(r, m, m->tree->primitives[i], &here) && here.t < best->t &&
            here.t >= 0)
            *best = here;
    }
}

/* The nearer child first; the other waits on the stack, and is not judged again when it comes off.
 * Nodes are judged as children, so the root's own box never is. */
static void nearest_hit(const mesh *m, const ray *r, int32_t root, mesh_hit *best)
{
    const bvh *t = m->tree;
    const vec3 d = r->direction, inverse = reciprocal(without_zeros(d));
    const bool robust = d.x == 0 || d.y == 0 || d.z == 0;
    int32_t stack[BVH_DEPTH], count = 0, at = root;
    for (;;) {
        const bvh_node *node = &t->nodes[at];
        float away[2] = {FLT_MAX, FLT_MAX};
        bool met[2] = {false, false};
        if (node->leaf) {
            nearest_of_leaf(m, node, r, best);
        } else {
            const int32_t child[2] = {node->first, node->second};
            for (int k = 0; k < 2; k++)
                met[k] = ray_meets_box(r->start, d, inverse, robust, t->nodes[child[k]].lower,
                                       t->nodes[child[k]].upper, &away[k]) &&
                         away[k] < best->t;
            const int near = met[0] && met[1] ? !(away[0] < away[1]) : met[1];
            if (met[0] && met[1]) {
                if (count == BVH_DEPTH)
                    return;
                stack[count++] = child[1 - near];
            }
            at = child[near];
        }
        if (met[0] || met[1])
            continue;
        if (count == 0)
            return;
        at = stack[--count];
    }
}

/* Is `root` a node of the mesh's tree, or -1? Then *at is the node. */
static geometry_status find_root(const mesh *m, int32_t root, int32_t *at)
{
    if (!m)
        return GEOMETRY_NO_OBJECT;
    *at = root == -1 ? 0 : root;
    return root >= -1 && root < m->tree->nnodes ? GEOMETRY_FOUND : GEOMETRY_NOTHING;
}

geometry_status mesh_closest_hit(const ctx *c, uint64_t id, vec3 start, vec3 direction, float most,
                                 int32_t root, mesh_hit *out)
{
    const mesh *m = geometry_find(c, id).mesh;
    const ray r = ray_of(start, direction);
    mesh_hit best = {.t = most};
    int32_t at;
    *out = (mesh_hit){0};
    const geometry_status status = find_root(m, root, &at);
    if (status != GEOMETRY_FOUND)
        return status;
    nearest_hit(m, &r, at, &best);
    if (!best.result)
        return GEOMETRY_NOTHING;
    *out = best;
    const int32_t *i = m->indices + 3 * best.face;
    const vec3 a = m->points[i[0]];
    out->normal = vec3_unit(vec3_cross(vec3_sub(m->points[i[1]], a), vec3_sub(m->points[i[2]], a)));
    return GEOMETRY_FOUND;
}

/* How many triangles the ray hits before `most`; stops looking once there are `enough`. The order
 * of visits does not matter for a number. */
static int32_t count_hits(const mesh *m, const ray *r, int32_t root, float most, int32_t enough)
{
    const bvh *t = m->tree;
    const vec3 inverse = reciprocal(r->direction);
    int32_t stack[BVH_DEPTH + 1] = {root}, count = 1, hits = 0;
    while (count && hits < enough) {
        const bvh_node *node = &t->nodes[stack[--count]];
        float enters;
        if (!ray_meets_box(r->start, r->direction, inverse, true, node->lower, node->upper,
                           &enters))
            continue;
        for (int32_t i = node->first; node->leaf && i < node->second; i++) {
            mesh_hit here;
            hits +=
                ray_meets_triangle(r, m, t->primitives[i], &here) && here.t >= 0 && here.t < most;
        }
        if (node->leaf)
            continue;
        WEFT_ASSERT(count + 2 <= BVH_DEPTH + 1);
        stack[count++] = node->first;
        stack[count++] = node->second;
    }
    return hits;
}

geometry_status mesh_any_hit(const ctx *c, uint64_t id, vec3 start, vec3 direction, float most,
                             int32_t root, bool *hit)
{
    const mesh *m = geometry_find(c, id).mesh;
    const ray r = ray_of(start, direction);
    int32_t at;
    const geometry_status status = find_root(m, root, &at);
    *hit = status == GEOMETRY_FOUND && count_hits(m, &r, at, most, 1) > 0;
    return status;
}

geometry_status mesh_count_hits(const ctx *c, uint64_t id, vec3 start, vec3 direction, int32_t root,
                                int32_t *count)
{
    const mesh *m = geometry_find(c, id).mesh;
    const ray r = ray_of(start, direction);
    int32_t at;
    const geometry_status status = find_root(m, root, &at);
    *count = status == GEOMETRY_FOUND ? count_hits(m, &r, at, INFINITY, INT32_MAX) : 0;
    return status;
}

/* --- inside or outside */

/* The first hit of a ray along an axis: both children of a node are visited, the second first. */
static mesh_hit first_hit(const mesh *m, const ray *r)
{
    const bvh *t = m->tree;
    const vec3 inverse = reciprocal(r->direction);
    int32_t stack[BVH_DEPTH + 1] = {0}, count = 1;
    mesh_hit best = {.t = FLT_MAX};
    while (count) {
        const bvh_node *node = &t->nodes[stack[--count]];
        float enters;
        if (!ray_meets_box(r->start, r->direction, inverse, true, node->lower, node->upper,
                           &enters) ||
            !(enters < best.t))
            continue;
        if (node->leaf) {
            nearest_of_leaf(m, node, r, &best);
            continue;
        }
        WEFT_ASSERT(count + 2 <= BVH_DEPTH + 1);
        stack[count++] = node->first;
        stack[count++] = node->second;
    }
    return best;
}

/* Two of three rays along the axes have to leave through a triangle's back. One may be misled: by a
 * hole, or by a ray along an edge. */
float mesh_sign_by_rays(const mesh *m, vec3 point)
{
    int inside = 0;
    for (int i = 0; i < 3; i++) {
        const ray r = ray_of(point, (vec3){i == 0, i == 1, i == 2});
        const mesh_hit hit = first_hit(m, &r);
        inside += hit.result && hit.sign < 0;
    }
    return inside >= 2 ? -1.0f : 1.0f;
}

/* Warp's generator: the hash RXS M XS of PCG (O'Neill, 2014), and a float of [low, high) from its
 * upper 24 bits. */
static uint32_t next_state(uint32_t state)
{
    const uint32_t b = state * 747796405u + 2891336453u;
    const uint32_t c = ((b >> ((b >> 28) + 4)) ^ b) * 277803737u;
    return (c >> 22) ^ c;
}

static float drawn(uint32_t *state, float low, float high)
{
    *state = next_state(*state);
    return (high - low) * ((float)(*state >> 8) * (1.0f / 16777216.0f)) + low;
}

/* Half of the rays around (1, 1, 1) have to hit an odd number of triangles. Warp seeds its
 * generator with 42 at every call, so that the answer is the same each time. */
float mesh_sign_by_parity(const mesh *m, vec3 point, int32_t samples, float scale)
{
    uint32_t state = next_state(42);
    int64_t inside = 0;
    for (int32_t i = 0; i < samples; i++) {
        vec3 d;
        int tries = 0;
        do {
            d.x = 1.0f + drawn(&state, -scale, scale);
            d.y = 1.0f + drawn(&state, -scale, scale);
            d.z = 1.0f + drawn(&state, -scale, scale);
        } while (vec3_dot(d, d) < 1e-8f && tries++ < 1000);
        const ray r = ray_of(point, d);
        inside += count_hits(m, &r, 0, INFINITY, INT32_MAX) % 2;
    }
    return inside * 2 >= samples ? -1.0f : 1.0f;
}
