/* SPDX-License-Identifier: Apache-2.0 */
/* Bounding volume hierarchies: built from the top by the surface area heuristic, as Warp 1.19
 * native/bvh.cpp builds them on the CPU, and traversed in its order.
 *
 *     boxes 0 .. n-1   ->   nodes[0] is the root; a leaf has a range of `primitives`
 *
 * A range of boxes is split along the axis on which their centres spread most, at that of 15 planes
 * where area times count of both sides is least; where that leaves one side empty, in the middle.
 * A query keeps the nodes that it has still to visit on a stack; the second child is visited first.
 */
#include <float.h>

#include "geometry/geometry_internal.h"

enum { BUCKETS = 16, PRIMITIVES_MAX = 1 << 26 };

typedef struct box {
    vec3 lower, upper;
} box;

/* The box of nothing: any union with it is the other box. */
static const box no_box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static box box_union(box a, box b)
{
    return (box){
        {least(b.lower.x, a.lower.x), least(b.lower.y, a.lower.y), least(b.lower.z, a.lower.z)},
        {most_of(b.upper.x, a.upper.x), most_of(b.upper.y, a.upper.y),
         most_of(b.upper.z, a.upper.z)}};
}

/* Of the surface: a random ray that meets a box meets one inside it with the chance area / area. */
static float box_area(box b)
{
    const vec3 e = vec3_sub(b.upper, b.lower);
    return 2.0f * (e.x * e.y + e.x * e.z + e.y * e.z);
}

static box box_of(const bvh *t, int32_t primitive)
{
    return (box){t->lowers[primitive], t->uppers[primitive]};
}

static vec3 center_of(const bvh *t, int32_t primitive)
{
    return vec3_scale(vec3_add(t->lowers[primitive], t->uppers[primitive]), 0.5f);
}

static box range_box(const bvh *t, int32_t start, int32_t end)
{
    box b = no_box;
    for (int32_t i = start; i < end; i++)
        b = box_union(b, box_of(t, t->primitives[i]));
    return b;
}

/* Boxes by the sixteenth of the range in which their centres lie. */
typedef struct buckets {
    int32_t count[BUCKETS];
    box bound[BUCKETS];
} buckets;

/* The sixteenth of from .. to in which `at` lies; the first if one of them is infinite or NaN. */
static int bucket_of(float at, float from, float to)
{
    const float k = BUCKETS * (at - from) / (to - from);
    return k >= BUCKETS ? BUCKETS - 1 : k > 0 ? (int)k : 0;
}

static void fill_buckets(const bvh *t, int32_t start, int32_t end, int axis, float from, float to,
                         buckets *out)
{
    for (int i = 0; i < BUCKETS; i++) {
        out->count[i] = 0;
        out->bound[i] = no_box;
    }
    for (int32_t i = start; i < end; i++) {
        const float at = vec3_axis(center_of(t, t->primitives[i]), axis);
        const int k = bucket_of(at, from, to);
        out->bound[k] = box_union(out->bound[k], box_of(t, t->primitives[i]));
        out->count[k]++;
    }
}

/* The plane behind bucket i with the least cost, that of the surface area heuristic (Wald, On fast
 * Construction of SAH-based Bounding Volume Hierarchies, 2007):
 *
 *     area(left) / area(whole) * count(left) + area(right) / area(whole) * count(right)
 *
 * Two sweeps: from the right, which keeps areas and counts of what lies behind each plane, then
 * from the left. Of planes equally good the first counts. */
static int cheapest_plane(const buckets *b, float whole)
{
    float right[BUCKETS - 1], cost = FLT_MAX;
    int32_t behind[BUCKETS - 1], count = 0;
    box side = no_box;
    int best = 0;
    for (int i = BUCKETS - 1; i > 0; i--) {
        side = box_union(side, b->bound[i]);
        count += b->count[i];
        right[i - 1] = box_area(side);
        behind[i - 1] = count;
    }
    const float inverse = 1.0f / whole;
    side = no_box;
    count = 0;
    for (int i = 0; i < BUCKETS - 1; i++) {
        side = box_union(side, b->bound[i]);
        count += b->count[i];
        const float here =
            box_area(side) * inverse * (float)count + right[i] * inverse * (float)behind[i];
        if (here < cost) {
            cost = here;
            best = i;
        }
    }
    return best;
}

/* Where to split the range, and along which axis. Centres that all coincide: the plane through
 * them, which leaves the left side empty. */
static float split_plane(const bvh *t, int32_t start, int32_t end, box whole, int *axis)
{
    box centers = no_box;
    buckets b;
    for (int32_t i = start; i < end; i++) {
        const vec3 p = center_of(t, t->primitives[i]);
        centers = box_union(centers, (box){p, p});
    }
    *axis = vec3_longest(vec3_sub(centers.upper, centers.lower));
    const float from = vec3_axis(centers.lower, *axis), to = vec3_axis(centers.upper, *axis);
    if (!(to > from))
        return from;
    fill_buckets(t, start, end, *axis, from, to, &b);
    const int plane = cheapest_plane(&b, box_area(whole));
    return from + (float)(plane + 1) * (to - from) / BUCKETS;
}

/* Moves primitives with centres before the plane to the front; the first behind. The exchanges are
 * those of std::partition for bidirectional iterators, on which the order in a leaf depends. */
static int32_t partition(bvh *t, int32_t start, int32_t end, int axis, float plane)
{
    int32_t *p = t->primitives;
    for (;;) {
        while (start != end && vec3_axis(center_of(t, p[start]), axis) < plane)
            start++;
        if (start == end)
            return start;
        do {
            if (--end == start)
                return start;
        } while (!(vec3_axis(center_of(t, p[end]), axis) < plane));
        const int32_t other = p[start];
        p[start++] = p[end];
        p[end] = other;
    }
}

/* Nodes are numbered as they are begun: a node, its left subtree, its right one. The depth is at
 * most BVH_DEPTH - 1, since a query has a stack of that size. */
static int32_t build_range(bvh *t, int32_t start, int32_t end, int depth)
{
    WEFT_ASSERT(start < end);
    const int32_t number = t->nnodes++;
    const box whole = range_box(t, start, end);
    bvh_node *node = &t->nodes[number];
    *node = (bvh_node){whole.lower, whole.upper, start, end, true};
    if (end - start <= t->leaf_size || depth >= BVH_DEPTH - 1)
        return number;
    int axis;
    const float plane = split_plane(t, start, end, whole, &axis);
    int32_t middle = partition(t, start, end, axis, plane);
    if (middle == start || middle == end)
        middle = (start + end) / 2;
    node->leaf = false;
    node->first = build_range(t, start, middle, depth + 1);
    node->second = build_range(t, middle, end, depth + 1);
    return number;
}

bool bvh_build(ctx *c, bvh *t)
{
    if (t->n < 0 || t->n > PRIMITIVES_MAX)
        return false;
    t->nodes = ARENA_ARRAY(&c->module, bvh_node, 2 * (size_t)t->n + 1);
    t->primitives = ARENA_ARRAY(&c->module, int32_t, (size_t)t->n + 1);
    for (int32_t i = 0; i < t->n; i++)
        t->primitives[i] = i;
    if (t->n)
        build_range(t, 0, t->n, 0);
    return true;
}

uint64_t geometry_add_bvh(ctx *c, const vec3 *lowers, const vec3 *uppers, int32_t n)
{
    bvh *t = ARENA_NEW(&c->module, bvh);
    *t = (bvh){.lowers = lowers, .uppers = uppers, .n = n, .leaf_size = 1};
    return bvh_build(c, t) ? geometry_add(c, (geometry_object){.tree = t}) : 0;
}

/* --- boxes */

/* Touching counts. Written as a denial so that a NaN, which compares as false, meets everything. */
static bool boxes_meet(vec3 a, vec3 b, vec3 lower, vec3 upper)
{
    return !(a.x > upper.x || a.y > upper.y || a.z > upper.z || b.x < lower.x || b.y < lower.y ||
             b.z < lower.z);
}

/* By the distance from the centre to the nearest point of the box. */
static bool sphere_meets_box(vec3 p, float radius, vec3 lower, vec3 upper)
{
    const float x = most_of(most_of(lower.x - p.x, p.x - upper.x), 0.0f);
    const float y = most_of(most_of(lower.y - p.y, p.y - upper.y), 0.0f);
    const float z = most_of(most_of(lower.z - p.z, p.z - upper.z), 0.0f);
    return x * x + y * y + z * z <= radius * radius;
}

/* Slab by slab: the ray is in the box from the last slab that it enters to the first that it
 * leaves.
 *
 *     start 0, direction 1, slab 2 .. 3   ->   enters at t = 2, leaves at t = 3
 *
 * A ray along a slab has an inverse of infinity, and 0 * infinity is NaN where it starts on the
 * slab's face. A robust test skips such a slab if the ray starts within. */
bool ray_meets_box(vec3 start, vec3 direction, vec3 inverse, bool robust, vec3 lower, vec3 upper,
                   float *t)
{
    float enters = -FLT_MAX, leaves = FLT_MAX;
    for (int i = 0; i < 3; i++) {
        const float at = vec3_axis(start, i), from = vec3_axis(lower, i), to = vec3_axis(upper, i);
        if (robust && vec3_axis(direction, i) == 0.0f) {
            if (at < from || at > to)
                return false;
            continue;
        }
        const float x = (from - at) * vec3_axis(inverse, i), y = (to - at) * vec3_axis(inverse, i);
        const bool first = i == 0 && !robust;
        enters = first ? least(x, y) : most_of(least(x, y), enters);
        leaves = first ? most_of(x, y) : least(most_of(x, y), leaves);
    }
    if (!(leaves >= 0.0f && leaves >= enters))
        return false;
    *t = enters;
    return true;
}

/* --- queries */

/* Does the query meet a box, before `most`? A ray that enters at `most` is out, a capsule is in, as
 * in Warp. A capsule is a ray against boxes that are larger by its radius. */
static bool meets(const bvh_query *q, vec3 lower, vec3 upper, float most)
{
    const vec3 r = {q->radius, q->radius, q->radius};
    float t = FLT_MAX;
    switch ((bvh_query_kind)q->kind) {
    case BVH_QUERY_SPHERE: return sphere_meets_box(q->a, q->radius, lower, upper);
    case BVH_QUERY_RAY:
        return ray_meets_box(q->a, q->b, q->b, false, lower, upper, &t) && !(t >= most);
    case BVH_QUERY_CAPSULE: {
        const vec3 direction = {1.0f / q->b.x, 1.0f / q->b.y, 1.0f / q->b.z};
        return ray_meets_box(q->a, direction, q->b, true, vec3_sub(lower, r), vec3_add(upper, r),
                             &t) &&
               !(t > most);
    }
    default: return boxes_meet(q->a, q->b, lower, upper);
    }
}

/* The tree of a BVH, or of a mesh. */
static const bvh *tree_of(const ctx *c, uint64_t id)
{
    const geometry_object o = geometry_find(c, id);
    return o.mesh ? o.mesh->tree : o.tree;
}

geometry_status bvh_query_start(const ctx *c, uint64_t id, bvh_query_kind kind, vec3 a, vec3 b,
                                float radius, int32_t root, bvh_query *out)
{
    const bvh *t = tree_of(c, id);
    *out = (bvh_query){.id = id, .kind = (int32_t)kind, .a = a, .b = b, .index = -1};
    out->radius = most_of(radius, 0.0f);
    if (!t)
        return GEOMETRY_NO_OBJECT;
    if (root < -1 || root >= t->nnodes)
        return GEOMETRY_NOTHING;
    out->stack[0] = root < 0 ? 0 : root;
    out->count = t->nnodes > 0;
    return GEOMETRY_FOUND;
}

/* Warp 1.19 native/bvh.h bvh_get_group_root, where item_groups is null. */
geometry_status bvh_group_root(const ctx *c, uint64_t id, int32_t group, int32_t *root)
{
    const bvh *t = tree_of(c, id);
    *root = t && group == 0 && t->nnodes > 0 ? 0 : -1;
    return t ? GEOMETRY_FOUND : GEOMETRY_NO_OBJECT;
}

/* Takes the next node that the query meets; a leaf's primitives are the next, children go on the
 * stack. False: there is none. */
static bool next_leaf(const bvh *t, bvh_query *q, float most)
{
    while (q->count > 0) {
        const bvh_node *node = &t->nodes[q->stack[--q->count]];
        if (!meets(q, node->lower, node->upper, most))
            continue;
        if (node->leaf) {
            q->at = node->first;
            q->stop = node->second;
            return true;
        }
        WEFT_ASSERT(q->count + 2 <= BVH_DEPTH);
        q->stack[q->count++] = node->first;
        q->stack[q->count++] = node->second;
    }
    return false;
}

geometry_status bvh_query_next(const ctx *c, bvh_query *q, float most, int32_t *index)
{
    const bvh *t = tree_of(c, q->id);
    if (!t)
        return GEOMETRY_NO_OBJECT;
    for (;;) {
        while (q->at < q->stop) {
            const int32_t i = t->primitives[q->at++];
            if (meets(q, t->lowers[i], t->uppers[i], most)) {
                *index = q->index = i;
                return GEOMETRY_FOUND;
            }
        }
        if (!next_leaf(t, q, most))
            return GEOMETRY_NOTHING;
    }
}

/* Of a query's index: it is one by a block, whose last step found nothing. */
enum { BVH_ENDED = -2 };

geometry_status bvh_block_next(const ctx *c, bvh_query *q, int32_t *index)
{
    *index = -1;
    const geometry_status s = bvh_query_next(c, q, FLT_MAX, index);
    if (s == GEOMETRY_NOTHING)
        q->index = BVH_ENDED;
    return s;
}

bool bvh_block_valid(const bvh_query *q)
{
    return q->index != BVH_ENDED;
}
