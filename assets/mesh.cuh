// SPDX-License-Identifier: Apache-2.0
// Device functions of meshes, in blocks as those of geometry.cuh, whose trees they descend: a program
// of its own gets the blocks that it uses.
//: Mesh
// Triangles of three indices each; the tree's items are triangles.
struct Mesh {
    const vec3 *points, *velocities; // velocities may be null
    const int *indices;
    int points_n, velocities_n, indices_n;
    float edge; // average length
    Bvh tree;
};
//: MeshQuery
struct MeshQuery {
    const Mesh *mesh;
    BvhQuery boxes;
    int index; // the triangle that was found last
};
//: MeshQueryPoint
struct MeshQueryPoint {
    bool result;
    float sign;
    int face;
    float u, v;
};
//: MeshQueryRay
struct MeshQueryRay {
    bool result;
    float sign;
    int face;
    float t, u, v;
    vec3 normal;
};
//: mesh_get
__device__ inline const Mesh &mesh_get(unsigned long long id)
{
    return *(const Mesh *)id;
}
//: Triangle
struct Triangle {
    vec3 a, b, c;
};
//: mesh_triangle
__device__ inline Triangle mesh_triangle(const Mesh &mesh, int face)
{
    const int *i = mesh.indices + 3 * face;
    return Triangle{mesh.points[i[0]], mesh.points[i[1]], mesh.points[i[2]]};
}
//: weighted_point + *
__device__ inline vec3 weighted_point(const Triangle &t, float u, float v)
{
    return t.a * u + t.b * v + t.c * (1.0f - u - v);
}
//: triangle_closest -
// The weights u of a and v of b of the point closest to p: a corner, on an edge or inside.
__device__ inline void triangle_closest(const Triangle &t, vec3 p, float &u, float &v)
{
    const vec3 ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a, bp = p - t.b, cp = p - t.c;
    const float d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp);
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    const float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    float of_c = 0.0f;
    v = 0.0f;
    if (d1 <= 0.0f && d2 <= 0.0f) {
        // the corner a
    } else if (d3 >= 0.0f && d4 <= d3) {
        v = 1.0f;
    } else if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) {
        v = d1 / (d1 - d3);
    } else if (d6 >= 0.0f && d5 <= d6) {
        of_c = 1.0f;
    } else if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) {
        of_c = d2 / (d2 - d6);
    } else if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f) {
        of_c = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        v = 1.0f - of_c;
    } else {
        const float scale = 1.0f / (va + vb + vc);
        v = vb * scale;
        of_c = vc * scale;
    }
    u = 1.0f - v - of_c;
}
//: is_sliver -
__device__ inline bool is_sliver(const Triangle &t)
{
    const vec3 e0 = t.b - t.a, e1 = t.c - t.a, e2 = t.c - t.b;
    return length(cross(e0, e1)) / (dot(e0, e0) + dot(e1, e1) + dot(e2, e2)) < 1.0e-6f;
}
//: box_distance
// The square of the distance to a node's box.
__device__ inline float box_distance(const BvhNode &node, vec3 p)
{
    const float x = smaller(node.upper.x, larger(node.lower.x, p.x)) - p.x;
    const float y = smaller(node.upper.y, larger(node.lower.y, p.y)) - p.y;
    const float z = smaller(node.upper.z, larger(node.lower.z, p.z)) - p.z;
    return x * x + y * y + z * z;
}
//: mesh_query_point_no_sign -
// The closest point that is nearer than `most`; the nearer child is visited first.
__device__ inline MeshQueryPoint mesh_query_point_no_sign(unsigned long long id, vec3 point,
                                                          float most)
{
    const Mesh &mesh = *(const Mesh *)id;
    MeshQueryPoint found = {};
    float best = most * most, v_found = 0.0f, w_found = 0.0f;
    int stack[33] = {0}, count = 1;
    while (count) {
        const BvhNode &node = mesh.tree.nodes[stack[--count]];
        if (box_distance(node, point) > best)
            continue;
        if (!node.leaf) {
            const float first = box_distance(mesh.tree.nodes[node.first], point);
            const float second = box_distance(mesh.tree.nodes[node.second], point);
            const bool swapped = first < second;
            if ((swapped ? second : first) < best)
                stack[count++] = swapped ? node.second : node.first;
            if ((swapped ? first : second) < best)
                stack[count++] = swapped ? node.first : node.second;
            continue;
        }
        for (int i = node.first; i < node.second; i++) {
            const int face = mesh.tree.items[i];
            const Triangle t = mesh_triangle(mesh, face);
            if (is_sliver(t))
                continue;
            float u, v;
            triangle_closest(t, point, u, v);
            const vec3 way = weighted_point(t, u, v) - point;
            if (dot(way, way) < best) {
                best = dot(way, way);
                found.face = face;
                v_found = v;
                w_found = 1.0f - u - v;
            }
        }
    }
    if (best < most * most) {
        found.result = true;
        found.u = 1.0f - v_found - w_found;
        found.v = v_found;
    }
    return found;
}
//: difference_of_products
// a b - c d with the error of the second product added.
__device__ inline float difference_of_products(float a, float b, float c, float d)
{
    const float cd = c * d;
    return fmaf(a, b, -cd) + fmaf(-c, d, cd);
}
//: exact_difference
__device__ inline float exact_difference(float a, float b, float c, float d)
{
    return (float)((double)a * (double)b - (double)c * (double)d);
}
//: Ray
// The axes x, y, z and the shear that turn the ray into the axis z.
struct Ray {
    vec3 start, direction;
    int x, y, z;
    float shear_x, shear_y, shear_z;
};
//: make_ray
__device__ inline Ray make_ray(vec3 start, vec3 direction)
{
    Ray ray = {};
    ray.start = start;
    ray.direction = direction;
    ray.z = fabsf(direction.y) > fabsf(direction.x) ? 1 : 0;
    if (fabsf(direction.z) > fabsf(component(direction, ray.z)))
        ray.z = 2;
    ray.x = (ray.z + 1) % 3;
    ray.y = (ray.z + 2) % 3;
    const float along = component(direction, ray.z);
    if (along < 0.0f) {
        const int other = ray.x;
        ray.x = ray.y;
        ray.y = other;
    }
    ray.shear_x = component(direction, ray.x) / along;
    ray.shear_y = component(direction, ray.y) / along;
    ray.shear_z = 1.0f / along;
    return ray;
}
//: sheared -
// A point in the ray's axes: beside the ray, and along it.
__device__ inline vec3 sheared(const Ray &ray, vec3 p)
{
    const vec3 d = p - ray.start;
    const float along = component(d, ray.z);
    return vec3{component(d, ray.x) - ray.shear_x * along,
                component(d, ray.y) - ray.shear_y * along, ray.shear_z * along};
}
//: ray_meets_triangle
// Without gaps between neighbours, after Woop, Benthin and Wald (2013). The sign is the side.
__device__ inline bool ray_meets_triangle(const Ray &ray, const Mesh &mesh, int face,
                                          MeshQueryRay &hit)
{
    const Triangle t = mesh_triangle(mesh, face);
    const vec3 a = sheared(ray, t.a), b = sheared(ray, t.b), c = sheared(ray, t.c);
    float u = difference_of_products(c.x, b.y, c.y, b.x);
    float v = difference_of_products(a.x, c.y, a.y, c.x);
    float w = difference_of_products(b.x, a.y, b.y, a.x);
    if (u == 0.0f || v == 0.0f || w == 0.0f) {
        u = exact_difference(c.x, b.y, c.y, b.x);
        v = exact_difference(a.x, c.y, a.y, c.x);
        w = exact_difference(b.x, a.y, b.y, a.x);
    }
    if ((u < 0.0f || v < 0.0f || w < 0.0f) && (u > 0.0f || v > 0.0f || w > 0.0f))
        return false;
    const float det = u + v + w, along = u * a.z + v * b.z + w * c.z;
    if (det == 0.0f || (det < 0.0f ? -along : along) < 0.0f)
        return false;
    const float scale = 1.0f / det;
    hit = MeshQueryRay{true, det, face, along * scale, u * scale, v * scale, vec3{}};
    return true;
}
//: nearest_of_leaf
__device__ inline void nearest_of_leaf(const Mesh &mesh, const BvhNode &leaf, const Ray &ray,
                                       MeshQueryRay &best)
{
    for (int i = leaf.first; i < leaf.second; i++) {
        MeshQueryRay here;
        if (ray_meets_triangle(ray, mesh, mesh.tree.items[i], here) && here.t < best.t &&
            here.t >= 0.0f)
            best = here;
    }
}
//: nonzero
__device__ inline float nonzero(float x)
{
    return x == 0.0f ? 1.0e-20f : x;
}
//: mesh_query_ray -
// The nearest hit before `most`: the nearer child first, the other waits on the stack.
__device__ inline MeshQueryRay mesh_query_ray(unsigned long long id, vec3 start, vec3 direction,
                                              float most, int root = -1)
{
    const Mesh &mesh = *(const Mesh *)id;
    const Ray ray = make_ray(start, direction);
    const vec3 inverse = {1.0f / nonzero(direction.x), 1.0f / nonzero(direction.y),
                          1.0f / nonzero(direction.z)};
    const bool flat = direction.x == 0.0f || direction.y == 0.0f || direction.z == 0.0f;
    int stack[32], count = 0, at = root == -1 ? 0 : root;
    MeshQueryRay best = {};
    best.t = most;
    for (;;) {
        const BvhNode &node = mesh.tree.nodes[at];
        bool met[2] = {false, false};
        if (node.leaf) {
            nearest_of_leaf(mesh, node, ray, best);
        } else {
            const int child[2] = {node.first, node.second};
            float away[2] = {};
            for (int k = 0; k < 2; k++) {
                const BvhNode &next = mesh.tree.nodes[child[k]];
                met[k] = ray_meets_box(start, direction, inverse, flat, next.lower, next.upper,
                                       away[k]) &&
                         away[k] < best.t;
            }
            const int near = met[0] && met[1] ? !(away[0] < away[1]) : met[1];
            if (met[0] && met[1])
                stack[count++] = child[1 - near];
            at = child[near];
        }
        if (met[0] || met[1])
            continue;
        if (count == 0)
            break;
        at = stack[--count];
    }
    if (!best.result)
        return MeshQueryRay{};
    const Triangle t = mesh_triangle(mesh, best.face);
    best.normal = normalize(cross(t.b - t.a, t.c - t.a));
    return best;
}
//: mesh_count_hits
// How many triangles a ray hits before `most`; at most `enough` are counted.
__device__ inline int mesh_count_hits(const Mesh &mesh, const Ray &ray, int root, float most,
                                      int enough)
{
    const vec3 d = ray.direction, inverse = {1.0f / d.x, 1.0f / d.y, 1.0f / d.z};
    int stack[33] = {root == -1 ? 0 : root}, count = 1, hits = 0;
    while (count && hits < enough) {
        const BvhNode &node = mesh.tree.nodes[stack[--count]];
        float enters;
        if (!ray_meets_box(ray.start, d, inverse, true, node.lower, node.upper, enters))
            continue;
        for (int i = node.first; node.leaf && i < node.second; i++) {
            MeshQueryRay here;
            hits += ray_meets_triangle(ray, mesh, mesh.tree.items[i], here) && here.t >= 0.0f &&
                    here.t < most;
        }
        if (node.leaf)
            continue;
        stack[count++] = node.first;
        stack[count++] = node.second;
    }
    return hits;
}
//: mesh_query_ray_anyhit
__device__ inline bool mesh_query_ray_anyhit(unsigned long long id, vec3 start, vec3 direction,
                                             float most, int root = -1)
{
    return mesh_count_hits(*(const Mesh *)id, make_ray(start, direction), root, most, 1) > 0;
}
//: mesh_query_ray_count_intersections
__device__ inline int mesh_query_ray_count_intersections(unsigned long long id, vec3 start,
                                                         vec3 direction, int root = -1)
{
    const Ray ray = make_ray(start, direction);
    return mesh_count_hits(*(const Mesh *)id, ray, root, INFINITY, 2147483647);
}
//: leaves_by_back
// Does the first triangle along the ray show its back? Both children are visited.
__device__ inline bool leaves_by_back(const Mesh &mesh, const Ray &ray)
{
    const vec3 d = ray.direction, inverse = {1.0f / d.x, 1.0f / d.y, 1.0f / d.z};
    int stack[33] = {0}, count = 1;
    MeshQueryRay best = {};
    best.t = 3.402823466e+38f;
    while (count) {
        const BvhNode &node = mesh.tree.nodes[stack[--count]];
        float enters;
        if (!ray_meets_box(ray.start, d, inverse, true, node.lower, node.upper, enters) ||
            !(enters < best.t))
            continue;
        if (node.leaf) {
            nearest_of_leaf(mesh, node, ray, best);
            continue;
        }
        stack[count++] = node.first;
        stack[count++] = node.second;
    }
    return best.result && best.sign < 0.0f;
}
//: mesh_query_point
// -1 inside: two of three rays along the axes leave through a triangle's back.
__device__ inline MeshQueryPoint mesh_query_point(unsigned long long id, vec3 point, float most)
{
    const Mesh &mesh = *(const Mesh *)id;
    MeshQueryPoint found = mesh_query_point_no_sign(id, point, most);
    if (!found.result)
        return found;
    int inside = 0;
    for (int i = 0; i < 3; i++) {
        const vec3 axis = {i == 0 ? 1.0f : 0.0f, i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f};
        inside += leaves_by_back(mesh, make_ray(point, axis));
    }
    found.sign = inside >= 2 ? -1.0f : 1.0f;
    return found;
}
//: angle_between
__device__ inline float angle_between(vec3 a, vec3 b)
{
    return acosf(dot(normalize(a), normalize(b)));
}
//: normal_weight -
// Of a triangle's normal at its point c: the angle at a corner, pi on an edge, 2 pi inside.
__device__ inline float normal_weight(const Triangle &t, vec3 c, float edge)
{
    const vec3 e0 = t.b - t.a, e1 = t.c - t.a, e2 = t.c - t.b;
    const vec3 ca = c - t.a, cb = c - t.b, cc = c - t.c;
    const float near = edge * edge, aa = dot(ca, ca), bb = dot(cb, cb);
    if (aa < near)
        return angle_between(e0, e1);
    if (bb < near)
        return angle_between(e2, vec3{-e0.x, -e0.y, -e0.z});
    if (dot(cc, cc) < near)
        return angle_between(vec3{-e1.x, -e1.y, -e1.z}, vec3{-e2.x, -e2.y, -e2.z});
    const float n0 = dot(e0, e0), n1 = dot(e1, e1), n2 = dot(e2, e2);
    const float a0 = dot(e0, ca), a2 = dot(e2, cb), a1 = dot(e1, ca);
    const bool on_edge = aa * n0 - a0 * a0 < near * n0 || bb * n2 - a2 * a2 < near * n2 ||
                         aa * n1 - a1 * a1 < near * n1;
    return on_edge ? 3.14159265359f : 2.0f * 3.14159265359f;
}
//: mesh_query_point_sign_normal + - *
// The sign comes from the normals of all triangles that are equally near, up to `epsilon` edges.
__device__ inline MeshQueryPoint mesh_query_point_sign_normal(unsigned long long id, vec3 point,
                                                              float most, float epsilon)
{
    const Mesh &mesh = *(const Mesh *)id;
    const float edge = mesh.edge * epsilon;
    MeshQueryPoint found = {};
    float best = most, v_found = 0.0f, w_found = 0.0f;
    vec3 outward = {};
    int stack[33] = {0}, count = 1;
    while (count) {
        const BvhNode &node = mesh.tree.nodes[stack[--count]];
        if (box_distance(node, point) > (best + edge) * (best + edge))
            continue;
        if (!node.leaf) {
            const float reach = (best + edge) * (best + edge);
            const float first = box_distance(mesh.tree.nodes[node.first], point);
            const float second = box_distance(mesh.tree.nodes[node.second], point);
            const bool swapped = first < second;
            if ((swapped ? second : first) < reach)
                stack[count++] = swapped ? node.second : node.first;
            if ((swapped ? first : second) < reach)
                stack[count++] = swapped ? node.first : node.second;
            continue;
        }
        for (int i = node.first; i < node.second; i++) {
            const int face = mesh.tree.items[i];
            const Triangle t = mesh_triangle(mesh, face);
            if (is_sliver(t))
                continue;
            float u, v;
            triangle_closest(t, point, u, v);
            const vec3 c = weighted_point(t, u, v), way = c - point;
            const float distance = sqrtf(dot(way, way));
            if (!(distance < best + edge))
                continue;
            const vec3 normal =
                normalize(cross(t.b - t.a, t.c - t.a)) * normal_weight(t, c, edge);
            const bool alike = distance > best - edge;
            outward = alike ? outward + normal : normal;
            if (alike && !(distance < best))
                continue;
            best = distance;
            found.face = face;
            v_found = v;
            w_found = 1.0f - u - v;
        }
    }
    if (!(best < most))
        return MeshQueryPoint{};
    const Triangle t = mesh_triangle(mesh, found.face);
    found.result = true;
    found.u = 1.0f - v_found - w_found;
    found.v = v_found;
    const vec3 c = t.a * found.u + t.b * v_found + t.c * w_found;
    found.sign = dot(outward, point - c) > 0.0f ? 1.0f : -1.0f;
    return found;
}
//: triangle_in_sphere + - *
// A triangle without area is its longest edge.
__device__ inline bool triangle_in_sphere(const Triangle &t, vec3 center, float radius)
{
    const vec3 ab = t.b - t.a, ac = t.c - t.a, bc = t.c - t.b, normal = cross(ab, ac);
    vec3 nearest;
    if (dot(normal, normal) == 0.0f) {
        const float lab = dot(ab, ab), lac = dot(ac, ac), lbc = dot(bc, bc);
        const bool first = lab >= lac && lab >= lbc, second = !first && lac >= lbc;
        const vec3 p = first || second ? t.a : t.b, way = first ? ab : second ? ac : bc;
        const float size = first ? lab : second ? lac : lbc;
        const float at = size > 0.0f ? dot(center - p, way) / size : 0.0f;
        nearest = p + way * smaller(larger(at, 0.0f), 1.0f);
    } else {
        float u, v;
        triangle_closest(t, center, u, v);
        nearest = weighted_point(t, u, v);
    }
    const vec3 d = nearest - center;
    return dot(d, d) <= radius * radius;
}
//: mesh_query_aabb
__device__ inline MeshQuery mesh_query_aabb(unsigned long long id, vec3 lower, vec3 upper)
{
    const Mesh *mesh = (const Mesh *)id;
    return MeshQuery{mesh, bvh_query_start(&mesh->tree, 0, lower, upper, 0.0f, -1), -1};
}
//: mesh_query_sphere
__device__ inline MeshQuery mesh_query_sphere(unsigned long long id, vec3 center, float radius)
{
    const Mesh *mesh = (const Mesh *)id;
    return MeshQuery{mesh, bvh_query_start(&mesh->tree, 3, center, center, radius, -1), -1};
}
//: mesh_query_next
__device__ inline bool mesh_query_next(MeshQuery &query)
{
    while (bvh_query_next(query.boxes, 3.402823466e+38f)) {
        const BvhQuery &boxes = query.boxes;
        const Triangle t = mesh_triangle(*query.mesh, boxes.index);
        query.index = boxes.index;
        if (boxes.kind != 3 || triangle_in_sphere(t, boxes.a, boxes.radius))
            return true;
    }
    return false;
}
//: mesh_eval_position
__device__ inline vec3 mesh_eval_position(unsigned long long id, int face, float u, float v)
{
    return weighted_point(mesh_triangle(*(const Mesh *)id, face), u, v);
}
//: mesh_eval_velocity
__device__ inline vec3 mesh_eval_velocity(unsigned long long id, int face, float u, float v)
{
    const Mesh &mesh = *(const Mesh *)id;
    const int *i = mesh.indices + 3 * face;
    if (!mesh.velocities)
        return vec3{};
    const Triangle t = {mesh.velocities[i[0]], mesh.velocities[i[1]], mesh.velocities[i[2]]};
    return weighted_point(t, u, v);
}
//: mesh_eval_face_normal -
__device__ inline vec3 mesh_eval_face_normal(unsigned long long id, int face)
{
    const Triangle t = mesh_triangle(*(const Mesh *)id, face);
    return normalize(cross(t.b - t.a, t.c - t.a));
}
//: mesh_pull_position -
// What u and v of mesh_eval_position get of its adjoint d.
__device__ inline vec2 mesh_pull_position(unsigned long long id, int face, vec3 d)
{
    const Triangle t = mesh_triangle(*(const Mesh *)id, face);
    return vec2{dot(t.a - t.c, d), dot(t.b - t.c, d)};
}
//: mesh_pull_velocity -
__device__ inline vec2 mesh_pull_velocity(unsigned long long id, int face, vec3 d)
{
    const Mesh &mesh = *(const Mesh *)id;
    const int *i = mesh.indices + 3 * face;
    if (!mesh.velocities)
        return vec2{};
    const vec3 c = mesh.velocities[i[2]];
    return vec2{dot(mesh.velocities[i[0]] - c, d), dot(mesh.velocities[i[1]] - c, d)};
}
//: plane_pull + - *
// How u and v, weighted by du and dv, change with a point in the triangle's plane.
__device__ inline vec3 plane_pull(const Triangle &t, float du, float dv)
{
    const vec3 ca = t.a - t.c, cb = t.b - t.c, n = cross(ca, cb);
    return (cross(cb, n) * du + cross(n, ca) * dv) * (1.0f / dot(n, n));
}
//: mesh_pull_point - *
// What the point of a query gets of the adjoints of u and v: the closest point moves with it in the
// triangle, or along an edge where it lies on one, or it stays at a corner.
__device__ inline vec3 mesh_pull_point(unsigned long long id, vec3 point, int face, float u, float v,
                                       float du, float dv)
{
    if (du == 0.0f && dv == 0.0f)
        return vec3{};
    const Triangle t = mesh_triangle(*(const Mesh *)id, face);
    const float tiny = 0x1p-22f;
    const bool bc = fabsf(u) < tiny, ca = !bc && v == 0.0f;
    if (!bc && !ca && fabsf(1.0f - u - v) >= tiny)
        return plane_pull(t, du, dv);
    const vec3 from = bc ? t.b : ca ? t.c : t.a, to = bc ? t.c : ca ? t.a : t.b;
    const vec3 e = to - from;
    const float squared = dot(e, e), weight = dot(point - from, e) / squared;
    if (weight <= 0.0f || weight >= 1.0f)
        return vec3{};
    return e * ((bc ? -dv : ca ? du : dv - du) / squared);
}
//: mesh_pull_ray + - *
// What the start of a ray gets of the adjoints of t, u and v; the direction gets t times that.
__device__ inline vec3 mesh_pull_ray(unsigned long long id, vec3 direction, int face, float dt,
                                     float du, float dv)
{
    if (dt == 0.0f && du == 0.0f && dv == 0.0f)
        return vec3{};
    const Triangle tri = mesh_triangle(*(const Mesh *)id, face);
    const vec3 n = cross(tri.a - tri.c, tri.b - tri.c), within = plane_pull(tri, du, dv);
    return within + n * ((dt + dot(within, direction)) * (-1.0f / dot(n, direction)));
}
//: mesh_get_point
__device__ inline vec3 mesh_get_point(unsigned long long id, int i)
{
    const Mesh &mesh = *(const Mesh *)id;
    return mesh.points[mesh.indices[i]];
}
//: mesh_get_velocity
__device__ inline vec3 mesh_get_velocity(unsigned long long id, int i)
{
    const Mesh &mesh = *(const Mesh *)id;
    return mesh.velocities ? mesh.velocities[mesh.indices[i]] : vec3{};
}
//: mesh_get_index
__device__ inline int mesh_get_index(unsigned long long id, int i)
{
    return ((const Mesh *)id)->indices[i];
}
//: mesh_get_bvh
__device__ inline unsigned long long mesh_get_bvh(unsigned long long id)
{
    return (unsigned long long)&((const Mesh *)id)->tree;
}
//: mesh_get_group_root
__device__ inline int mesh_get_group_root(unsigned long long id, int group)
{
    return bvh_get_group_root(mesh_get_bvh(id), group);
}
//: random_float
// Warp's generator: the next state, and a float of low to high.
__device__ inline float random_float(unsigned int &state, float low, float high)
{
    const unsigned int b = state * 747796405u + 2891336453u;
    const unsigned int c = ((b >> ((b >> 28) + 4)) ^ b) * 277803737u;
    state = (c >> 22) ^ c;
    return (high - low) * ((float)(state >> 8) * (1.0f / 16777216.0f)) + low;
}
//: mesh_query_point_sign_parity
// -1 inside: half of the rays around (1, 1, 1) hit an odd number of triangles.
__device__ inline MeshQueryPoint mesh_query_point_sign_parity(unsigned long long id, vec3 point,
                                                              float most, int samples, float scale)
{
    MeshQueryPoint found = mesh_query_point_no_sign(id, point, most);
    if (!found.result)
        return found;
    unsigned int state = 42u;
    random_float(state, 0.0f, 1.0f);
    int inside = 0;
    for (int i = 0; i < samples; i++) {
        vec3 d;
        int tries = 0;
        do {
            d.x = 1.0f + random_float(state, -scale, scale);
            d.y = 1.0f + random_float(state, -scale, scale);
            d.z = 1.0f + random_float(state, -scale, scale);
        } while (dot(d, d) < 1.0e-8f && tries++ < 1000);
        const Mesh &mesh = *(const Mesh *)id;
        inside += mesh_count_hits(mesh, make_ray(point, d), 0, INFINITY, 2147483647) % 2;
    }
    found.sign = inside * 2 >= samples ? -1.0f : 1.0f;
    return found;
}
//: box_reach
// The square of the distance to the furthest point of a node's box.
__device__ inline float box_reach(const BvhNode &node, vec3 p)
{
    const float x = larger(fabsf(p.x - node.lower.x), fabsf(p.x - node.upper.x));
    const float y = larger(fabsf(p.y - node.lower.y), fabsf(p.y - node.upper.y));
    const float z = larger(fabsf(p.z - node.lower.z), fabsf(p.z - node.upper.z));
    return x * x + y * y + z * z;
}
//: mesh_query_furthest_point_no_sign -
// The corner that is furthest away, and further than `least`.
__device__ inline MeshQueryPoint mesh_query_furthest_point_no_sign(unsigned long long id,
                                                                   vec3 point, float least)
{
    const Mesh &mesh = *(const Mesh *)id;
    MeshQueryPoint found = {};
    float best = least * least, v_found = 0.0f, w_found = 0.0f;
    int stack[33] = {0}, count = 1;
    while (count) {
        const BvhNode &node = mesh.tree.nodes[stack[--count]];
        if (box_reach(node, point) < best)
            continue;
        if (!node.leaf) {
            const float first = box_reach(mesh.tree.nodes[node.first], point);
            const float second = box_reach(mesh.tree.nodes[node.second], point);
            const bool swapped = first > second;
            if ((swapped ? second : first) > best)
                stack[count++] = swapped ? node.second : node.first;
            if ((swapped ? first : second) > best)
                stack[count++] = swapped ? node.first : node.second;
            continue;
        }
        for (int i = node.first; i < node.second; i++) {
            const int face = mesh.tree.items[i];
            const Triangle t = mesh_triangle(mesh, face);
            if (is_sliver(t))
                continue;
            const vec3 pa = point - t.a, pb = point - t.b, pc = point - t.c;
            const float to_a = dot(pa, pa), to_b = dot(pb, pb), to_c = dot(pc, pc);
            const bool is_a = to_a > to_b && to_a > to_c;
            const float u = is_a ? 1.0f : 0.0f, v = !is_a && to_b > to_c ? 1.0f : 0.0f;
            const vec3 way = weighted_point(t, u, v) - point;
            if (dot(way, way) > best) {
                best = dot(way, way);
                found.face = face;
                v_found = v;
                w_found = 1.0f - u - v;
            }
        }
    }
    if (best > least * least) {
        found.result = true;
        found.u = 1.0f - v_found - w_found;
        found.v = v_found;
    }
    return found;
}
//: block_query_faces
// Triangles whose boxes meet a box.
__device__ inline BlockQuery block_query_faces(unsigned long long id, vec3 lower, vec3 upper)
{
    const Mesh *mesh = (const Mesh *)id;
    return BlockQuery{bvh_query_start(&mesh->tree, 0, lower, upper, 0.0f, -1), true};
}
