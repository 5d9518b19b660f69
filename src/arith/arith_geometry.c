/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of hash grids, BVHs and meshes as operations: the glue between src/geometry and operands.
 *
 *     "hash_grid_query" (uint64, vec3f, float32)     a query, which is a plain value
 *     "hash_grid_query_next" (query, int32)          advances both; true: there was one more
 *     "iter_cmp" (query), "iter_next" (query)        what a for loop over a query calls
 *
 * Objects are found by id in the context, which op->aux is. An id that names none, and an element
 * that an object does not have, end the run. */
#include "arith/arith_family.h"
#include "geometry/geometry.h"

_Static_assert(sizeof(grid_query) == 56 && sizeof(bvh_query) == 184, "as native.def has it");
_Static_assert(sizeof(mesh_point) == 20 && sizeof(mesh_hit) == 36, "as native.def has it");
_Static_assert(MESH_ARRAYS * sizeof(array_view *) == 24, "as native.def has it");

/* A row of arith_geometry.def: the name, codes of types, functions. `changes`: its first argument,
 * and the second if there is one. */
typedef struct geometry_row {
    const char *name, *types; /* arguments, then the result */
    arith_fn *run, *tangent, *adjoint;
    bool changes;
    uint8_t first_set, nset; /* arguments that it sets: arith_op */
} geometry_row;

static const ctx *context_of(const arith_op *op)
{
    WEFT_ASSERT(op->aux);
    return op->aux;
}

static uint64_t id_of(void *const *operands)
{
    uint64_t id;
    memcpy(&id, operands[0], sizeof id);
    return id;
}

static vec3 vector_of(const void *p)
{
    vec3 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static float float_of(const void *p)
{
    return load_f32(p, 0);
}

/* Warp reads beyond its arrays where there is no element: such a run ends here. */
static arith_status element_status(geometry_status s)
{
    return s == GEOMETRY_FOUND     ? ARITH_OK
           : s == GEOMETRY_NOTHING ? ARITH_NO_ELEMENT
                                   : ARITH_NO_OBJECT;
}

/* Nothing found is a result like another. */
static arith_status search_status(geometry_status s)
{
    return s == GEOMETRY_NO_OBJECT ? ARITH_NO_OBJECT : ARITH_OK;
}

/* Stores a search's truth to the result. */
static arith_status give_found(void *result, geometry_status s)
{
    const bool found = s == GEOMETRY_FOUND;
    memcpy(result, &found, sizeof found);
    return search_status(s);
}

/* --- hash grids */

static arith_status run_grid_query(const arith_op *op, void *const *operands)
{
    return element_status(grid_query_start(context_of(op), id_of(operands), vector_of(operands[1]),
                                           float_of(operands[2]), operands[3]));
}

static arith_status run_grid_next(const arith_op *op, void *const *operands)
{
    return give_found(operands[2], grid_query_next(context_of(op), operands[0], operands[1]));
}

static arith_status run_grid_cmp(const arith_op *op, void *const *operands)
{
    grid_query *q = operands[0];
    return give_found(operands[1], grid_query_next(context_of(op), q, &q->index));
}

static arith_status run_grid_index(const arith_op *op, void *const *operands)
{
    (void)op;
    memcpy(operands[1], &((const grid_query *)operands[0])->index, sizeof(int32_t));
    return ARITH_OK;
}

static arith_status run_grid_point(const arith_op *op, void *const *operands)
{
    return element_status(
        grid_point_id(context_of(op), id_of(operands), load_i32(operands[1], 0), operands[2]));
}

/* --- BVHs */

/* A ray has the reciprocal of its direction. */
static vec3 reciprocal(vec3 d)
{
    return (vec3){1.0f / d.x, 1.0f / d.y, 1.0f / d.z};
}

static arith_status run_bvh_box(const arith_op *op, void *const *operands)
{
    return element_status(bvh_query_start(context_of(op), id_of(operands), BVH_QUERY_BOX,
                                          vector_of(operands[1]), vector_of(operands[2]), 0,
                                          load_i32(operands[3], 0), operands[4]));
}

static arith_status run_bvh_ray(const arith_op *op, void *const *operands)
{
    return element_status(bvh_query_start(
        context_of(op), id_of(operands), BVH_QUERY_RAY, vector_of(operands[1]),
        reciprocal(vector_of(operands[2])), 0, load_i32(operands[3], 0), operands[4]));
}

static arith_status run_bvh_capsule(const arith_op *op, void *const *operands)
{
    return element_status(bvh_query_start(context_of(op), id_of(operands), BVH_QUERY_CAPSULE,
                                          vector_of(operands[1]),
                                          reciprocal(vector_of(operands[2])), float_of(operands[3]),
                                          load_i32(operands[4], 0), operands[5]));
}

static arith_status run_bvh_sphere(const arith_op *op, void *const *operands)
{
    const vec3 center = vector_of(operands[1]);
    return element_status(bvh_query_start(context_of(op), id_of(operands), BVH_QUERY_SPHERE, center,
                                          center, float_of(operands[2]), load_i32(operands[3], 0),
                                          operands[4]));
}

static arith_status run_bvh_next(const arith_op *op, void *const *operands)
{
    return give_found(operands[3], bvh_query_next(context_of(op), operands[0],
                                                  float_of(operands[2]), operands[1]));
}

/* Of a mesh, or by a block of a mesh or BVH: all of the tree. */
static arith_status run_box(const arith_op *op, void *const *operands)
{
    return element_status(bvh_query_start(context_of(op), id_of(operands), BVH_QUERY_BOX,
                                          vector_of(operands[1]), vector_of(operands[2]), 0, -1,
                                          operands[3]));
}

static arith_status run_block_ray(const arith_op *op, void *const *operands)
{
    return element_status(bvh_query_start(context_of(op), id_of(operands), BVH_QUERY_RAY,
                                          vector_of(operands[1]),
                                          reciprocal(vector_of(operands[2])), 0, -1, operands[3]));
}

static arith_status run_block_valid(const arith_op *op, void *const *operands)
{
    (void)op;
    const bool valid = bvh_block_valid(operands[0]);
    memcpy(operands[1], &valid, sizeof valid);
    return ARITH_OK;
}

/* --- meshes */

static arith_status run_mesh_sphere(const arith_op *op, void *const *operands)
{
    const vec3 center = vector_of(operands[1]);
    return element_status(bvh_query_start(context_of(op), id_of(operands), BVH_QUERY_SPHERE, center,
                                          center, float_of(operands[2]), -1, operands[3]));
}

static arith_status run_mesh_next(const arith_op *op, void *const *operands)
{
    return give_found(operands[2], mesh_query_next(context_of(op), operands[0], operands[1]));
}

static arith_status run_mesh_cmp(const arith_op *op, void *const *operands)
{
    int32_t index;
    return give_found(operands[1], mesh_query_next(context_of(op), operands[0], &index));
}

static arith_status run_mesh_element(const arith_op *op, void *const *operands)
{
    (void)op;
    memcpy(operands[1], &((const bvh_query *)operands[0])->index, sizeof(int32_t));
    return ARITH_OK;
}

/* The closest point with this sign; samples and scale as mesh_closest_point has them. */
static arith_status closest(const arith_op *op, void *const *operands, mesh_sign sign,
                            int32_t samples, float scale)
{
    return search_status(mesh_closest_point(context_of(op), id_of(operands), vector_of(operands[1]),
                                            float_of(operands[2]), sign, samples, scale,
                                            operands[op->n]));
}

static arith_status run_point(const arith_op *op, void *const *operands)
{
    return closest(op, operands, MESH_SIGN_RAYS, 0, 0);
}

/* A mesh that is made with Warp's defaults has no data for winding numbers: rays give the sign. */
static arith_status run_point_winding(const arith_op *op, void *const *operands)
{
    return closest(op, operands, MESH_SIGN_RAYS, 0, 0);
}

static arith_status run_point_no_sign(const arith_op *op, void *const *operands)
{
    return closest(op, operands, MESH_SIGN_NONE, 0, 0);
}

static arith_status run_point_normal(const arith_op *op, void *const *operands)
{
    return closest(op, operands, MESH_SIGN_NORMAL, 0, float_of(operands[3]));
}

static arith_status run_point_parity(const arith_op *op, void *const *operands)
{
    return closest(op, operands, MESH_SIGN_PARITY, load_i32(operands[3], 0), float_of(operands[4]));
}

static arith_status run_furthest(const arith_op *op, void *const *operands)
{
    return search_status(mesh_furthest_point(context_of(op), id_of(operands),
                                             vector_of(operands[1]), float_of(operands[2]),
                                             operands[3]));
}

static arith_status run_ray(const arith_op *op, void *const *operands)
{
    return search_status(mesh_closest_hit(context_of(op), id_of(operands), vector_of(operands[1]),
                                          vector_of(operands[2]), float_of(operands[3]),
                                          load_i32(operands[4], 0), operands[5]));
}

static float along(vec3 slope, const void *change)
{
    const vec3 v = vector_of(change);
    return slope.x * v.x + slope.y * v.y + slope.z * v.z;
}

/* `share` of an adjoint times the slope, to argument k. */
static void add_share(const arith_op *op, void *const *operands, uint32_t k, vec3 slope,
                      float share)
{
    adj_add_f32(op, operands, k, 0, slope.x * share);
    adj_add_f32(op, operands, k, 1, slope.y * share);
    adj_add_f32(op, operands, k, 2, slope.z * share);
}

/* Operands: arguments, result, tangents of the arguments, tangent of the result. */
static arith_status tangent_ray(const arith_op *op, void *const *operands)
{
    vec3 slopes[MESH_SLOPES];
    mesh_hit hit, change = {.t = 0};
    memcpy(&hit, operands[5], sizeof hit);
    geometry_status s = GEOMETRY_FOUND;
    if (hit.result) {
        s = mesh_hit_slopes(context_of(op), id_of(operands), &hit, vector_of(operands[2]), slopes);
        float of[MESH_SLOPES];
        for (int i = 0; s == GEOMETRY_FOUND && i < MESH_SLOPES; i++)
            of[i] = along(slopes[i], operands[7]) + hit.t * along(slopes[i], operands[8]);
        if (s == GEOMETRY_FOUND)
            change = (mesh_hit){.t = of[MESH_T], .u = of[MESH_U], .v = of[MESH_V]};
    }
    memcpy(operands[11], &change, sizeof change);
    return element_status(s);
}

/* Operands: arguments, result, adjoints of the arguments, adjoint of the result. Warp 1.19
 * adj_mesh_query_ray, up to rounding; of a ray without a hit nothing but 0 comes back. */
static arith_status adj_ray(const arith_op *op, void *const *operands)
{
    vec3 slopes[MESH_SLOPES];
    mesh_hit hit, back;
    memcpy(&hit, operands[5], sizeof hit);
    memcpy(&back, operands[11], sizeof back);
    if (back.t == 0 && back.u == 0 && back.v == 0)
        return ARITH_OK;
    if (!hit.result)
        return ARITH_MISSING;
    const geometry_status s =
        mesh_hit_slopes(context_of(op), id_of(operands), &hit, vector_of(operands[2]), slopes);
    const float of[MESH_SLOPES] = {[MESH_U] = back.u, [MESH_V] = back.v, [MESH_T] = back.t};
    for (int i = 0; s == GEOMETRY_FOUND && i < MESH_SLOPES; i++) {
        add_share(op, operands, 1, slopes[i], of[i]);
        add_share(op, operands, 2, slopes[i], of[i] * hit.t);
    }
    return element_status(s);
}

/* As tangent_ray, of all queries for the closest point: the sign is 1 or -1, and has none. */
static arith_status tangent_point(const arith_op *op, void *const *operands)
{
    vec3 slopes[MESH_SLOPES];
    mesh_point at, change = {.u = 0};
    memcpy(&at, operands[op->n], sizeof at);
    geometry_status s = GEOMETRY_FOUND;
    if (at.result) {
        s = mesh_point_slopes(context_of(op), id_of(operands), &at, vector_of(operands[1]), slopes);
        if (s == GEOMETRY_FOUND)
            change = (mesh_point){.u = along(slopes[MESH_U], operands[op->n + 2]),
                                  .v = along(slopes[MESH_V], operands[op->n + 2])};
    }
    memcpy(operands[2 * op->n + 1], &change, sizeof change);
    return element_status(s);
}

/* As adj_ray; Warp 1.19 adj_mesh_query_point_no_sign, which the others call. */
static arith_status adj_point(const arith_op *op, void *const *operands)
{
    vec3 slopes[MESH_SLOPES];
    mesh_point at, back;
    memcpy(&at, operands[op->n], sizeof at);
    memcpy(&back, operands[2 * op->n + 1], sizeof back);
    if (back.u == 0 && back.v == 0)
        return ARITH_OK;
    if (!at.result)
        return ARITH_MISSING;
    const geometry_status s =
        mesh_point_slopes(context_of(op), id_of(operands), &at, vector_of(operands[1]), slopes);
    if (s == GEOMETRY_FOUND) {
        add_share(op, operands, 1, slopes[MESH_U], back.u);
        add_share(op, operands, 1, slopes[MESH_V], back.v);
    }
    return element_status(s);
}

static arith_status run_any_hit(const arith_op *op, void *const *operands)
{
    return search_status(mesh_any_hit(context_of(op), id_of(operands), vector_of(operands[1]),
                                      vector_of(operands[2]), float_of(operands[3]),
                                      load_i32(operands[4], 0), operands[5]));
}

static arith_status run_count_hits(const arith_op *op, void *const *operands)
{
    return search_status(mesh_count_hits(context_of(op), id_of(operands), vector_of(operands[1]),
                                         vector_of(operands[2]), load_i32(operands[3], 0),
                                         operands[4]));
}

static arith_status run_mesh_get(const arith_op *op, void *const *operands)
{
    const array_view *arrays[MESH_ARRAYS];
    const geometry_status s = mesh_arrays(context_of(op), id_of(operands), arrays);
    if (s == GEOMETRY_FOUND)
        memcpy(operands[1], arrays, sizeof arrays);
    return element_status(s);
}

static arith_status run_mesh_bvh(const arith_op *op, void *const *operands)
{
    const uint64_t id = mesh_bvh(context_of(op), id_of(operands));
    memcpy(operands[1], &id, sizeof id);
    return id ? ARITH_OK : ARITH_NO_OBJECT;
}

static arith_status run_group_root(const arith_op *op, void *const *operands)
{
    return element_status(
        bvh_group_root(context_of(op), id_of(operands), load_i32(operands[1], 0), operands[2]));
}

static arith_status run_mesh_group_root(const arith_op *op, void *const *operands)
{
    return mesh_bvh(context_of(op), id_of(operands)) ? run_group_root(op, operands)
                                                     : ARITH_NO_OBJECT;
}

static float component(vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/* p u + q v + r (1 - u - v), of the corners or of their velocities. */
static arith_status evaluate(const arith_op *op, void *const *operands, bool velocity)
{
    vec3 corners[3], velocities[3];
    const float u = float_of(operands[2]), v = float_of(operands[3]), w = 1.0f - u - v;
    const geometry_status s = mesh_triangle(context_of(op), id_of(operands),
                                            load_i32(operands[1], 0), corners, velocities);
    const vec3 *x = velocity ? velocities : corners;
    for (int i = 0; s == GEOMETRY_FOUND && i < 3; i++)
        store_f32(operands[4], i,
                  component(x[0], i) * u + component(x[1], i) * v + component(x[2], i) * w);
    return element_status(s);
}

/* Operands: arguments, result, tangents of the arguments, tangent of the result. */
static arith_status evaluate_tangent(const arith_op *op, void *const *operands, bool velocity)
{
    vec3 corners[3], velocities[3];
    const float u = float_of(operands[7]), v = float_of(operands[8]);
    const geometry_status s = mesh_triangle(context_of(op), id_of(operands),
                                            load_i32(operands[1], 0), corners, velocities);
    const vec3 *x = velocity ? velocities : corners;
    for (int i = 0; s == GEOMETRY_FOUND && i < 3; i++)
        store_f32(operands[9], i,
                  (component(x[0], i) - component(x[2], i)) * u +
                      (component(x[1], i) - component(x[2], i)) * v);
    return element_status(s);
}

/* Operands: arguments, result, adjoints of the arguments, adjoint of the result. Warp 1.19
 * adj_mesh_eval_position. */
static arith_status evaluate_adjoint(const arith_op *op, void *const *operands, bool velocity)
{
    vec3 corners[3], velocities[3];
    const geometry_status s = mesh_triangle(context_of(op), id_of(operands),
                                            load_i32(operands[1], 0), corners, velocities);
    const vec3 *x = velocity ? velocities : corners;
    for (int k = 0; s == GEOMETRY_FOUND && k < 2; k++) {
        float sum = 0;
        for (int i = 0; i < 3; i++) {
            const float term = (component(x[k], i) - component(x[2], i)) * load_f32(operands[9], i);
            sum = i ? sum + term : term;
        }
        adj_add_f32(op, operands, 2 + (uint32_t)k, 0, sum);
    }
    return element_status(s);
}

static arith_status run_position(const arith_op *op, void *const *operands)
{
    return evaluate(op, operands, false);
}

static arith_status tangent_position(const arith_op *op, void *const *operands)
{
    return evaluate_tangent(op, operands, false);
}

static arith_status adj_position(const arith_op *op, void *const *operands)
{
    return evaluate_adjoint(op, operands, false);
}

static arith_status run_velocity(const arith_op *op, void *const *operands)
{
    return evaluate(op, operands, true);
}

static arith_status tangent_velocity(const arith_op *op, void *const *operands)
{
    return evaluate_tangent(op, operands, true);
}

static arith_status adj_velocity(const arith_op *op, void *const *operands)
{
    return evaluate_adjoint(op, operands, true);
}

static arith_status run_face_normal(const arith_op *op, void *const *operands)
{
    vec3 normal;
    const geometry_status s =
        mesh_face_normal(context_of(op), id_of(operands), load_i32(operands[1], 0), &normal);
    memcpy(operands[2], &normal, sizeof normal);
    return element_status(s);
}

/* Corner number `at` of all triangles in a row. */
static arith_status corner(const arith_op *op, void *const *operands, bool velocity)
{
    vec3 corners[3], velocities[3];
    const int32_t at = load_i32(operands[1], 0);
    const geometry_status s =
        mesh_triangle(context_of(op), id_of(operands), at < 0 ? -1 : at / 3, corners, velocities);
    if (s == GEOMETRY_FOUND)
        memcpy(operands[2], velocity ? &velocities[at % 3] : &corners[at % 3], sizeof(vec3));
    return element_status(s);
}

static arith_status run_corner(const arith_op *op, void *const *operands)
{
    return corner(op, operands, false);
}

static arith_status run_corner_velocity(const arith_op *op, void *const *operands)
{
    return corner(op, operands, true);
}

static arith_status run_index(const arith_op *op, void *const *operands)
{
    return element_status(
        mesh_index(context_of(op), id_of(operands), load_i32(operands[1], 0), operands[2]));
}

/* Warp's adjoint of it is that of another function: it is not done, and not passed over. */
static arith_status no_tangent(const arith_op *op, void *const *operands)
{
    (void)op;
    (void)operands;
    return ARITH_KINK;
}

static arith_status no_adjoint(const arith_op *op, void *const *operands)
{
    (void)op;
    (void)operands;
    return ARITH_MISSING;
}

/* --- results that go into variables ---------------------------------------------------------- */

/* The operation without the arguments that are set, with `result` behind the others:
 *
 *     mesh_query_point(id, p, most, sign, face, u, v)   ->   mesh_query_point(id, p, most)
 *
 * With `back` also their tangents or adjoints, and that of the result. */
typedef struct plain_query {
    arith_op op;
    void *operands[16];
} plain_query;

static plain_query plain_of(const arith_op *op, void *const *operands, void *result, void *back)
{
    plain_query p = {.op = *op};
    const uint32_t n = op->n - op->nset;
    WEFT_ASSERT(op->nset && 2 * (n + 1) <= 16);
    p.op.n = n;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t from = k < op->first_set ? k : k + op->nset;
        p.operands[k] = operands[from];
        if (back)
            p.operands[n + 1 + k] = operands[op->n + 1 + from];
    }
    p.operands[n] = result;
    p.operands[2 * n + 1] = back;
    return p;
}

/* The variables in the order of arguments; `all` begins with operand 0, of values or tangents. */
static void put_point(const arith_op *op, void *const *all, const mesh_point *at)
{
    void *const *to = all + op->first_set;
    if (op->nset == 4)
        memcpy(*to++, &at->sign, sizeof at->sign);
    memcpy(to[0], &at->face, sizeof at->face);
    memcpy(to[1], &at->u, sizeof at->u);
    memcpy(to[2], &at->v, sizeof at->v);
}

static mesh_point point_in(const arith_op *op, void *const *all)
{
    void *const *from = all + op->first_set + (op->nset - 3);
    mesh_point at = {.result = true, .u = float_of(from[1]), .v = float_of(from[2])};
    memcpy(&at.face, from[0], sizeof at.face);
    return at;
}

static void put_hit(const arith_op *op, void *const *all, const mesh_hit *hit)
{
    void *const *to = all + op->first_set;
    memcpy(to[0], &hit->t, sizeof hit->t);
    memcpy(to[1], &hit->u, sizeof hit->u);
    memcpy(to[2], &hit->v, sizeof hit->v);
    memcpy(to[3], &hit->sign, sizeof hit->sign);
    memcpy(to[4], &hit->normal, sizeof hit->normal);
    memcpy(to[5], &hit->face, sizeof hit->face);
}

static mesh_hit hit_in(const arith_op *op, void *const *all)
{
    void *const *from = all + op->first_set;
    mesh_hit hit = {
        .result = true, .t = float_of(from[0]), .u = float_of(from[1]), .v = float_of(from[2])};
    memcpy(&hit.face, from[5], sizeof hit.face);
    return hit;
}

static bool was_found(const arith_op *op, void *const *operands)
{
    bool found;
    memcpy(&found, operands[op->n], sizeof found);
    return found;
}

/* Where nothing is found the variables stay as they are; so do their tangents. Warp's adjoints do
 * not know whether something was found, and take the face that the variable has. */
#define INTO(of, value)                                                                            \
    static arith_status of##_into(const arith_op *op, void *const *operands, arith_fn *run)        \
    {                                                                                              \
        value found = {.result = false};                                                           \
        const plain_query p = plain_of(op, operands, &found, NULL);                                \
        const arith_status s = run(&p.op, p.operands);                                             \
        memcpy(operands[op->n], &found.result, sizeof found.result);                               \
        if (s == ARITH_OK && found.result)                                                         \
            put_##of(op, operands, &found);                                                        \
        return s;                                                                                  \
    }                                                                                              \
    static arith_status tangent_##of##_into(const arith_op *op, void *const *operands)             \
    {                                                                                              \
        value found = of##_in(op, operands), change = {.result = false};                           \
        const plain_query p = plain_of(op, operands, &found, &change);                             \
        if (!was_found(op, operands))                                                              \
            return ARITH_OK;                                                                       \
        const arith_status s = tangent_##of(&p.op, p.operands);                                    \
        put_##of(op, operands + op->n + 1, &change);                                               \
        return s;                                                                                  \
    }                                                                                              \
    static arith_status adj_##of##_into(const arith_op *op, void *const *operands)                 \
    {                                                                                              \
        value found = of##_in(op, operands), back = of##_in(op, operands + op->n + 1);             \
        const plain_query p = plain_of(op, operands, &found, &back);                               \
        return adj_##of(&p.op, p.operands);                                                        \
    }
#define tangent_hit tangent_ray
#define adj_hit     adj_ray
INTO(point, mesh_point)
INTO(hit, mesh_hit)

#define RUN_INTO(f, of)                                                                            \
    static arith_status run_##f##_into(const arith_op *op, void *const *operands)                  \
    {                                                                                              \
        return of##_into(op, operands, run_##f);                                                   \
    }
RUN_INTO(point, point)
RUN_INTO(point_no_sign, point)
RUN_INTO(point_normal, point)
RUN_INTO(point_parity, point)
RUN_INTO(point_winding, point)
RUN_INTO(furthest, point)
RUN_INTO(ray, hit)

/* The objects that there are do not show these: a root of -1 is the node 0, without data for
 * winding numbers nothing reads how exact they should be, and a level of detail up to 0 is level 0.
 */
bool arith_is_alike(const arith_op *op, uint32_t k, const void *from, const void *to)
{
    if (op->run == run_point_winding || op->run == run_point_winding_into)
        return k == op->n - 1 || k == op->n - 2;
    if (op->name && strcmp(op->name, "texture_sample") == 0)
        return k + 1 == op->n && load_f32(from, 0) <= 0 && load_f32(to, 0) <= 0;
    const bool roots = op->name && (strncmp(op->name, "bvh_query_", 10) == 0 ||
                                    strncmp(op->name, "mesh_query_ray", 14) == 0);
    return roots && k + 1 == op->n && op->types[k]->kind == TYPE_INT32 && load_i32(from, 0) == -1 &&
           load_i32(to, 0) == 0;
}

/* --- the table */

/* All rows of arith_geometry.def in its order. */
static const geometry_row geometry_rows[] = {
#define QUERY(name, types, f)   {name, types, run_##f, NULL, NULL, false, 0, 0},
#define STEP(name, types, f)    {name, types, run_##f, NULL, NULL, true, 0, 0},
#define LACKING(name, types, f) {name, types, run_##f, no_tangent, no_adjoint, false, 0, 0},
#define SMOOTH(name, types, f)  {name, types, run_##f, tangent_##f, adj_##f, false, 0, 0},
#define NEAREST(name, types, f) {name, types, run_##f, tangent_point, adj_point, false, 0, 0},
#define POINT_INTO(name, types, f, set)                                                            \
    {name, types, run_##f##_into, tangent_point_into, adj_point_into, false, 3, set},
#define LACKING_INTO(name, types, f, set)                                                          \
    {name, types, run_##f##_into, no_tangent, no_adjoint, false, 3, set},
#define RAY_INTO(name, types, f, set)                                                              \
    {name, types, run_##f##_into, tangent_hit_into, adj_hit_into, false, 4, set},
#include "arith/arith_geometry.def"
};
enum { ROWS = sizeof geometry_rows / sizeof *geometry_rows };

/* The type of a code. Of several types with one class in C++, as the kinds of BVH queries, the
 * first stands for all. */
static const type *type_of(ctx *c, char code)
{
    switch (code) {
    case 'U': return type_scalar(c, TYPE_UINT64);
    case 'v': return type_vec(c, type_scalar(c, TYPE_FLOAT32), 3);
    case 'f': return type_scalar(c, TYPE_FLOAT32);
    case 'i': return type_scalar(c, TYPE_INT32);
    case 'b': return type_scalar(c, TYPE_BOOL);
    case 'G': return type_native(c, "HashGridQuery");
    case 'B': return type_native(c, "BvhQuery");
    case 'M': return type_native(c, "MeshQuery");
    case 'T': return type_native(c, "BvhQueryTiled");
    case 'F': return type_native(c, "MeshQueryAABBTiled");
    case 'K': return type_native(c, "Mesh");
    case 'P': return type_native(c, "MeshQueryPoint");
    default: return type_native(c, "MeshQueryRay");
    }
}

static bool same_class(const type *a, const type *b)
{
    return a == b ||
           (a->kind == TYPE_NATIVE && b->kind == TYPE_NATIVE && str_eq(a->cname, b->cname));
}

/* Fits the row the request? Its types are then those of the request. */
static bool row_fits(const arith_request *q, const geometry_row *row, const type **types)
{
    if (strcmp(row->name, q->name) != 0 || strlen(row->types) != q->n + 1u || q->nresults > 1)
        return false;
    for (uint32_t i = 0; i <= q->n; i++) {
        const type *want = type_of(q->c, row->types[i]);
        types[i] = i < q->n ? q->args[i] : q->nresults ? q->results[0] : want;
        if (!same_class(want, types[i]))
            return false;
    }
    return true;
}

static bool find_geometry(const arith_request *q, arith_op *op)
{
    const type **types = ARENA_ARRAY(q->a, const type *, q->n + 2u);
    for (int i = 0; i < ROWS; i++) {
        const geometry_row *row = &geometry_rows[i];
        if (!row_fits(q, row, types))
            continue;
        *op = (arith_op){.run = row->run,
                         .tangent = row->tangent,
                         .adjoint = row->adjoint,
                         .name = row->name,
                         .types = types,
                         .n = q->n,
                         .nresults = 1,
                         .aux = q->c,
                         /* Warp does not clear the adjoints of what is set. */
                         .differs = row->nset > 0,
                         .first_set = row->first_set,
                         .nset = row->nset,
                         .in_place = row->changes,
                         .changes_second = row->changes && q->n > 1};
        return true;
    }
    return false;
}

/* A name stands here as often as it has overloads; find_row may return any of them, since all
 * have the same resolver. */
static const arith_row rows[] = {
#define QUERY(name, types, f)           {name, find_geometry},
#define STEP                            QUERY
#define LACKING                         QUERY
#define SMOOTH                          QUERY
#define NEAREST                         QUERY
#define POINT_INTO(name, types, f, set) {name, find_geometry},
#define LACKING_INTO                    POINT_INTO
#define RAY_INTO                        POINT_INTO
#include "arith/arith_geometry.def"
};

const arith_family arith_geometry = {rows, sizeof rows / sizeof *rows};
