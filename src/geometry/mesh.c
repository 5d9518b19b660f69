/* SPDX-License-Identifier: Apache-2.0 */
/* Triangle meshes: made, read, and asked for the point that is closest to or furthest from another.
 * After Warp 1.19 native/mesh.h: a node that cannot hold a better point is skipped, the nearer
 * child is visited first, and of points equally far the first one counts.
 *
 *     corners (0,0,0) (1,0,0) (0,1,0), point (0.25, 0.25, 2)   ->   face 0, u 0.5, v 0.25
 *
 * u and v weigh the first two corners, 1 - u - v the third. Slivers are left out. */
#include <float.h>

#include "fmath/fmath.h"
#include "geometry/geometry_internal.h"

/* The boxes of all triangles, and the average length of their edges. */
static void measure(mesh *m, vec3 *lowers, vec3 *uppers)
{
    float sum = 0;
    for (int32_t i = 0; i < m->ntriangles; i++) {
        vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = m->points[m->indices[3 * i + k]];
        lowers[i] = uppers[i] = p[0];
        for (int k = 1; k < 3; k++) {
            lowers[i] = (vec3){least(p[k].x, lowers[i].x), least(p[k].y, lowers[i].y),
                               least(p[k].z, lowers[i].z)};
            uppers[i] = (vec3){most_of(p[k].x, uppers[i].x), most_of(p[k].y, uppers[i].y),
                               most_of(p[k].z, uppers[i].z)};
        }
        sum += vec3_length(vec3_sub(p[0], p[1])) + vec3_length(vec3_sub(p[0], p[2])) +
               vec3_length(vec3_sub(p[2], p[1]));
    }
    m->edge = sum / ((float)m->ntriangles * 3);
}

/* n items of type t; NULL: there are none. Kernels see a copy, so that what they may store there
 * leads no query astray. */
static void show_array(ctx *c, mesh *m, int which, const char *name, const void *items, int32_t n,
                       const type *t, size_t size)
{
    const size_t bytes = items ? (size_t)n * size : 0;
    uint8_t *copy = arena_alloc(&c->module, bytes + 1);
    if (bytes)
        memcpy(copy, items, bytes);
    m->data[which] = (array_data){.name = name, .bytes = copy, .size = bytes, .read_only = true};
    m->views[which] = (array_view){.data = items ? &m->data[which] : NULL,
                                   .elem = t,
                                   .ndim = 1,
                                   .shape = {items ? n : 0},
                                   .strides = {(int64_t)size}};
}

static void show_arrays(ctx *c, mesh *m)
{
    const type *v = type_vec(c, type_scalar(c, TYPE_FLOAT32), 3), *i = type_scalar(c, TYPE_INT32);
    show_array(c, m, MESH_POINTS, "points of a mesh", m->points, m->npoints, v, sizeof(vec3));
    show_array(c, m, MESH_VELOCITIES, "velocities of a mesh", m->velocities, m->npoints, v,
               sizeof(vec3));
    show_array(c, m, MESH_INDICES, "indices of a mesh", m->indices, 3 * m->ntriangles, i,
               sizeof(int32_t));
}

/* Those that nobody has asked for since the last run are as they were made. */
bool geometry_restore_meshes(const ctx *c)
{
    bool same = true;
    mesh *m = c->geometry ? c->geometry->open : NULL;
    for (; m; m = m->next_open) {
        const void *made[MESH_ARRAYS] = {m->points, m->velocities, m->indices};
        m->open = false;
        for (int k = 0; k < MESH_ARRAYS; k++) {
            const array_data *d = &m->data[k];
            if (!d->size || memcmp(d->bytes, made[k], d->size) == 0)
                continue;
            memcpy(d->bytes, made[k], d->size);
            same = false;
        }
    }
    if (c->geometry)
        c->geometry->open = NULL;
    return same;
}

geometry_status mesh_arrays(const ctx *c, uint64_t id, const array_view *out[MESH_ARRAYS])
{
    mesh *m = geometry_find(c, id).mesh;
    for (int i = 0; m && i < MESH_ARRAYS; i++)
        out[i] = &m->views[i];
    if (m && !m->open) {
        m->open = true;
        m->next_open = c->geometry->open;
        c->geometry->open = m;
    }
    return m ? GEOMETRY_FOUND : GEOMETRY_NO_OBJECT;
}

/* The mesh's boxes are made here and belong to the module, unlike those of a BVH. */
uint64_t geometry_add_mesh(ctx *c, const vec3 *points, const vec3 *velocities, int32_t npoints,
                           const int32_t *indices, int32_t ntriangles)
{
    arena *a = &c->module;
    if (ntriangles < 1 || ntriangles > INT32_MAX / 3)
        return 0;
    for (int32_t i = 0; i < 3 * ntriangles; i++)
        if (indices[i] < 0 || indices[i] >= npoints)
            return 0;
    mesh *m = ARENA_NEW(a, mesh);
    bvh *t = ARENA_NEW(a, bvh);
    vec3 *lowers = ARENA_ARRAY(a, vec3, (size_t)ntriangles);
    vec3 *uppers = ARENA_ARRAY(a, vec3, (size_t)ntriangles);
    *m = (mesh){.points = points,
                .velocities = velocities,
                .indices = indices,
                .npoints = npoints,
                .ntriangles = ntriangles,
                .tree = t};
    show_arrays(c, m);
    *t = (bvh){.lowers = lowers, .uppers = uppers, .n = ntriangles, .leaf_size = 4}; /* Warp's */
    measure(m, lowers, uppers);
    if (!bvh_build(c, t))
        return 0;
    const uint64_t id = geometry_add(c, (geometry_object){.mesh = m});
    m->bvh_id = geometry_add(c, (geometry_object){.tree = t});
    return id;
}

uint64_t mesh_bvh(const ctx *c, uint64_t id)
{
    const mesh *m = geometry_find(c, id).mesh;
    return m ? m->bvh_id : 0;
}

geometry_status mesh_triangle(const ctx *c, uint64_t id, int32_t face, vec3 corners[3],
                              vec3 velocities[3])
{
    const mesh *m = geometry_find(c, id).mesh;
    if (!m)
        return GEOMETRY_NO_OBJECT;
    if (face < 0 || face >= m->ntriangles)
        return GEOMETRY_NOTHING;
    for (int k = 0; k < 3; k++) {
        const int32_t i = m->indices[3 * face + k];
        corners[k] = m->points[i];
        if (velocities)
            velocities[k] = m->velocities ? m->velocities[i] : (vec3){0, 0, 0};
    }
    return GEOMETRY_FOUND;
}

geometry_status mesh_face_normal(const ctx *c, uint64_t id, int32_t face, vec3 *normal)
{
    vec3 p[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const geometry_status status = mesh_triangle(c, id, face, p, NULL);
    *normal = vec3_unit(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
    return status;
}

geometry_status mesh_index(const ctx *c, uint64_t id, int32_t at, int32_t *index)
{
    const mesh *m = geometry_find(c, id).mesh;
    if (!m)
        return GEOMETRY_NO_OBJECT;
    if (at < 0 || at >= 3 * m->ntriangles)
        return GEOMETRY_NOTHING;
    *index = m->indices[at];
    return GEOMETRY_FOUND;
}

/* --- points of triangles */

/* u of the point with weight v of b and w of c. */
static void weights(float v, float w, float *out_u, float *out_v)
{
    *out_u = 1.0f - v - w;
    *out_v = v;
}

/* The weights of a and b of the point that is closest to p: a corner, on an edge or inside, by the
 * regions around the triangle (Ericson, Real-Time Collision Detection, 5.1.5). */
static void triangle_closest(vec3 a, vec3 b, vec3 c, vec3 p, float *u, float *v)
{
    const vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a);
    const vec3 ap = vec3_sub(p, a), bp = vec3_sub(p, b), cp = vec3_sub(p, c);
    const float d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    const float d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    const float d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    const float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (d1 <= 0 && d2 <= 0) {
        weights(0, 0, u, v);
    } else if (d3 >= 0 && d4 <= d3) {
        weights(1, 0, u, v);
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        weights(d1 / (d1 - d3), 0, u, v);
    } else if (d6 >= 0 && d5 <= d6) {
        weights(0, 1, u, v);
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        weights(0, d2 / (d2 - d6), u, v);
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const float w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        weights(1.0f - w, w, u, v);
    } else {
        const float scale = 1.0f / (va + vb + vc);
        weights(vb * scale, vc * scale, u, v);
    }
}

/* The corner that is furthest from p; of equal ones the last, since Warp compares by `>`. */
static void triangle_furthest(vec3 a, vec3 b, vec3 c, vec3 p, float *u, float *v)
{
    const vec3 pa = vec3_sub(p, a), pb = vec3_sub(p, b), pc = vec3_sub(p, c);
    const float to_a = vec3_dot(pa, pa), to_b = vec3_dot(pb, pb), to_c = vec3_dot(pc, pc);
    const bool first = to_a > to_b && to_a > to_c;
    *u = first;
    *v = !first && to_b > to_c;
}

/* Squares of the distances from p to the nearest and the furthest point of a box: bounds of what a
 * search can find in it. */
static float box_distance(vec3 p, const bvh_node *n)
{
    const float x = least(n->upper.x, most_of(n->lower.x, p.x)) - p.x;
    const float y = least(n->upper.y, most_of(n->lower.y, p.y)) - p.y;
    const float z = least(n->upper.z, most_of(n->lower.z, p.z)) - p.z;
    return x * x + y * y + z * z;
}

static float box_reach(vec3 p, const bvh_node *n)
{
    const float x = most_of(fabsf(p.x - n->lower.x), fabsf(p.x - n->upper.x));
    const float y = most_of(fabsf(p.y - n->lower.y), fabsf(p.y - n->upper.y));
    const float z = most_of(fabsf(p.z - n->lower.z), fabsf(p.z - n->upper.z));
    return x * x + y * y + z * z;
}

/* One triangle of a search: corners, edges, normal. */
typedef struct corner_set {
    vec3 p, q, r, e0, e1, e2, normal;
} corner_set;

/* False: a sliver. Its normal is shorter than a millionth of its edges' squares, and mostly
 * rounding. */
static bool triangle_of(const mesh *m, int32_t face, corner_set *out)
{
    const int32_t *i = m->indices + 3 * face;
    corner_set s = {.p = m->points[i[0]], .q = m->points[i[1]], .r = m->points[i[2]]};
    s.e0 = vec3_sub(s.q, s.p);
    s.e1 = vec3_sub(s.r, s.p);
    s.e2 = vec3_sub(s.r, s.q);
    s.normal = vec3_cross(s.e0, s.e1);
    *out = s;
    const float size = vec3_dot(s.e0, s.e0) + vec3_dot(s.e1, s.e1) + vec3_dot(s.e2, s.e2);
    return !(vec3_length(s.normal) / size < 1.e-6f);
}

/* --- searches */

/* A search through the tree: the best so far, and how to judge nodes and triangles. */
typedef struct search {
    const mesh *m;
    vec3 point;
    float best; /* square of a distance; with normals, a distance */
    bool furthest, normals;
    int32_t face;
    float v, w;
    float edge;   /* with normals: distances that differ by less are equal */
    vec3 outward; /* with normals: those of the nearest triangles, weighted by their angles */
} search;

/* May the node hold something better? `again`: asked when it comes off the stack; the best may have
 * become better until then. The two comparisons treat equal distances, and NaN, as Warp's do. With
 * normals a node may be worse by s->edge, since it may share the closest point. */
static bool promises(const search *s, float distance, bool again)
{
    if (s->furthest)
        return again ? !(distance < s->best) : distance > s->best;
    const float most = s->normals ? (s->best + s->edge) * (s->best + s->edge) : s->best;
    return again ? !(distance > most) : distance < most;
}

static void take_best(search *s, float distance, int32_t face, float v, float w)
{
    s->best = distance;
    s->face = face;
    s->v = v;
    s->w = w;
}

/* acos with the bits of every machine. */
static float angle(vec3 a, vec3 b)
{
    return fmath_acosf(vec3_dot(vec3_unit(a), vec3_unit(b)));
}

static vec3 negated(vec3 a)
{
    return (vec3){-a.x, -a.y, -a.z};
}

/* The weight of a triangle's normal at its point c: its angle at a corner, pi on an edge, 2 pi
 * inside. The sum of normals with these weights tells inside from outside at corners and edges too
 * (Baerentzen and Aanaes, Signed Distance Computation Using the Angle Weighted Pseudonormal, 2005).
 * On an edge: the square of the distance to its line, |cp|^2 - (e . cp)^2 / |e|^2, is next to 0;
 * both sides are multiplied by |e|^2. */
static float normal_weight(const search *s, const corner_set *t, vec3 c)
{
    const float near = s->edge * s->edge;
    const vec3 cp = vec3_sub(c, t->p), cq = vec3_sub(c, t->q), cr = vec3_sub(c, t->r);
    const float pp = vec3_dot(cp, cp), qq = vec3_dot(cq, cq), rr = vec3_dot(cr, cr);
    if (pp < near)
        return angle(t->e0, t->e1);
    if (qq < near)
        return angle(t->e2, negated(t->e0));
    if (rr < near)
        return angle(negated(t->e1), negated(t->e2));
    const float n0 = vec3_dot(t->e0, t->e0), n1 = vec3_dot(t->e1, t->e1),
                n2 = vec3_dot(t->e2, t->e2);
    const float a0 = vec3_dot(t->e0, cp), a2 = vec3_dot(t->e2, cq), a1 = vec3_dot(t->e1, cp);
    const bool edge = pp * n0 - a0 * a0 < near * n0 || qq * n2 - a2 * a2 < near * n2 ||
                      pp * n1 - a1 * a1 < near * n1;
    return edge ? 3.14159265359f : 2.0f * 3.14159265359f;
}

/* A triangle's closest point c at a distance. As far as the best one, it adds its normal: the two
 * triangles share the point. Nearer, it begins anew. */
static void take_normal(search *s, const corner_set *t, vec3 c, float distance, int32_t face,
                        float v, float w)
{
    if (!(distance < s->best + s->edge))
        return;
    const vec3 normal = vec3_scale(vec3_unit(t->normal), normal_weight(s, t, c));
    if (distance > s->best - s->edge) {
        s->outward = vec3_add(s->outward, normal);
        if (distance < s->best)
            take_best(s, distance, face, v, w);
        return;
    }
    take_best(s, distance, face, v, w);
    s->outward = normal;
}

/* Judges one triangle. The distance is to the point that the weights make, as Warp computes it; a
 * projection would differ in the last bits. */
static void search_triangle(search *s, int32_t face)
{
    corner_set t;
    float u, v;
    if (!triangle_of(s->m, face, &t))
        return;
    (s->furthest ? triangle_furthest : triangle_closest)(t.p, t.q, t.r, s->point, &u, &v);
    const float w = 1.0f - u - v;
    const vec3 c = vec3_mix(t.p, u, t.q, v, t.r, w), way = vec3_sub(c, s->point);
    const float distance = vec3_dot(way, way);
    if (s->normals)
        take_normal(s, &t, c, sqrtf(distance), face, v, w);
    else if (s->furthest ? distance > s->best : distance < s->best)
        take_best(s, distance, face, v, w);
}

static float node_distance(const search *s, const bvh_node *n)
{
    return s->furthest ? box_reach(s->point, n) : box_distance(s->point, n);
}

/* Depth first, the more promising child first. */
static void search_tree(search *s)
{
    const bvh *t = s->m->tree;
    int32_t stack[BVH_DEPTH + 1] = {0}, count = 1;
    while (count) {
        const bvh_node *node = &t->nodes[stack[--count]];
        if (!promises(s, node_distance(s, node), true))
            continue;
        if (node->leaf) {
            for (int32_t i = node->first; i < node->second; i++)
                search_triangle(s, t->primitives[i]);
            continue;
        }
        int32_t child[2] = {node->first, node->second};
        float away[2] = {node_distance(s, &t->nodes[child[0]]),
                         node_distance(s, &t->nodes[child[1]])};
        const bool left_first = s->furthest ? away[0] > away[1] : away[0] < away[1];
        WEFT_ASSERT(count + 2 <= BVH_DEPTH + 1);
        for (int k = 0; k < 2; k++) {
            const int at = left_first ? 1 - k : k;
            if (promises(s, away[at], false))
                stack[count++] = child[at];
        }
    }
}

/* Does the way from the closest point c to the point run along the normals? Outside is positive. */
static float sign_by_normal(const search *s)
{
    const int32_t *i = s->m->indices + 3 * s->face;
    const float u = 1.0f - s->v - s->w;
    const vec3 c =
        vec3_mix(s->m->points[i[0]], u, s->m->points[i[1]], s->v, s->m->points[i[2]], s->w);
    return vec3_dot(s->outward, vec3_sub(s->point, c)) > 0 ? 1.0f : -1.0f;
}

static void put_point(const search *s, mesh_point *out)
{
    out->result = true;
    out->u = 1.0f - s->v - s->w;
    out->v = s->v;
    out->face = s->face;
}

geometry_status mesh_closest_point(const ctx *c, uint64_t id, vec3 point, float most,
                                   mesh_sign sign, int32_t samples, float scale, mesh_point *out)
{
    *out = (mesh_point){0};
    search s = {
        .m = geometry_find(c, id).mesh, .point = point, .normals = sign == MESH_SIGN_NORMAL};
    if (!s.m)
        return GEOMETRY_NO_OBJECT;
    s.edge = s.m->edge * scale;
    s.best = s.normals ? most : most * most;
    search_tree(&s);
    if (!(s.best < (s.normals ? most : most * most)))
        return GEOMETRY_NOTHING;
    put_point(&s, out);
    if (sign == MESH_SIGN_NORMAL)
        out->sign = sign_by_normal(&s);
    else if (sign == MESH_SIGN_RAYS)
        out->sign = mesh_sign_by_rays(s.m, point);
    else if (sign == MESH_SIGN_PARITY)
        out->sign = mesh_sign_by_parity(s.m, point, samples, scale);
    return GEOMETRY_FOUND;
}

geometry_status mesh_furthest_point(const ctx *c, uint64_t id, vec3 point, float least_distance,
                                    mesh_point *out)
{
    *out = (mesh_point){0};
    search s = {.m = geometry_find(c, id).mesh, .point = point, .furthest = true};
    if (!s.m)
        return GEOMETRY_NO_OBJECT;
    s.best = least_distance * least_distance;
    search_tree(&s);
    if (!(s.best > least_distance * least_distance))
        return GEOMETRY_NOTHING;
    put_point(&s, out);
    return GEOMETRY_FOUND;
}

/* --- triangles that a box or a sphere meets */

/* Is a point of the triangle within the sphere? A triangle without area is its longest edge. */
static bool triangle_within(const mesh *m, int32_t face, vec3 center, float radius)
{
    const int32_t *i = m->indices + 3 * face;
    const vec3 a = m->points[i[0]], b = m->points[i[1]], c = m->points[i[2]];
    const vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), normal = vec3_cross(ab, ac);
    vec3 nearest;
    if (vec3_dot(normal, normal) == 0) {
        const vec3 bc = vec3_sub(c, b);
        const float lab = vec3_dot(ab, ab), lac = vec3_dot(ac, ac), lbc = vec3_dot(bc, bc);
        const bool first = lab >= lac && lab >= lbc, second = !first && lac >= lbc;
        const vec3 p = first || second ? a : b, way = first ? ab : second ? ac : bc;
        const float size = first ? lab : second ? lac : lbc;
        const float at = size > 0 ? vec3_dot(vec3_sub(center, p), way) / size : 0;
        nearest = vec3_add(p, vec3_scale(way, least(most_of(at, 0), 1)));
    } else {
        float u, v;
        triangle_closest(a, b, c, center, &u, &v);
        nearest = vec3_mix(a, u, b, v, c, 1.0f - u - v);
    }
    const vec3 d = vec3_sub(nearest, center);
    return vec3_dot(d, d) <= radius * radius;
}

/* Boxes and spheres meet the triangles' boxes. What a sphere meets so has to pass a test of its
 * own. */
geometry_status mesh_query_next(const ctx *c, bvh_query *q, int32_t *index)
{
    const mesh *m = geometry_find(c, q->id).mesh;
    if (!m)
        return GEOMETRY_NO_OBJECT;
    for (;;) {
        const geometry_status status = bvh_query_next(c, q, FLT_MAX, index);
        if (status != GEOMETRY_FOUND || q->kind != BVH_QUERY_SPHERE ||
            triangle_within(m, *index, q->a, q->radius))
            return status;
    }
}
