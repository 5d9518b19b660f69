// SPDX-License-Identifier: Apache-2.0
// Device functions of geometry objects, as src/geometry has them: hash grids, BVHs and queries over
// them; meshes are in mesh.cuh. A program of its own gets the blocks that it uses
// (src/cudarule/cudarule_object.c): a line "//: name" begins a block; behind the name stand operators
// of vec3 that it needs. What else it needs are the blocks that it names, of any of these files.
//: HashGrid
struct HashGrid {
    int *points, *starts, *stops; // points cell by cell; where those of a cell begin and end
    float per_width;              // cells in a unit of length
    int nx, ny, nz;               // cells before the grid repeats
};
//: HashGridQuery
// What is left of a traversal of the cells first to last.
struct HashGridQuery {
    const HashGrid *grid;
    int first[3], last[3], cell[3];
    int at, stop; // points of the present cell
    int index;    // the point that was found last
};
//: grid_coordinate
// Rounded down, to the nearest that an int can hold and step from.
__host__ __device__ inline int grid_coordinate(float x)
{
    const float down = floorf(x);
    if (down >= 2147483648.0f)
        return 2147483646;
    if (down >= -2147483648.0f)
        return (int)down;
    return down < -2147483648.0f ? -2147483647 - 1 : 0;
}
//: grid_wrapped
__host__ __device__ inline int grid_wrapped(int x, int n)
{
    const int rest = x % n;
    return rest < 0 ? rest + n : rest;
}
//: grid_cell
__host__ __device__ inline int grid_cell(const HashGrid &grid, int x, int y, int z)
{
    const int row = grid_wrapped(z, grid.nz) * grid.ny + grid_wrapped(y, grid.ny);
    return row * grid.nx + grid_wrapped(x, grid.nx);
}
//: enter_cell
__device__ inline void enter_cell(HashGridQuery &query)
{
    const int cell = grid_cell(*query.grid, query.cell[0], query.cell[1], query.cell[2]);
    query.at = query.grid->starts[cell];
    query.stop = query.grid->stops[cell];
}
//: hash_grid_query
// The points of the cells around a point: some lie beyond the radius. No cell is visited twice.
__device__ inline HashGridQuery hash_grid_query(unsigned long long id, vec3 point, float radius)
{
    HashGridQuery query = {};
    query.grid = (const HashGrid *)id;
    const float at[3] = {point.x, point.y, point.z};
    const int n[3] = {query.grid->nx, query.grid->ny, query.grid->nz};
    for (int i = 0; i < 3; i++) {
        query.first[i] = query.cell[i] = grid_coordinate((at[i] - radius) * query.grid->per_width);
        query.last[i] = grid_coordinate((at[i] + radius) * query.grid->per_width);
        if ((long long)query.last[i] - query.first[i] >= n[i])
            query.last[i] = query.first[i] + n[i] - 1;
    }
    enter_cell(query);
    return query;
}
//: hash_grid_query_next
__device__ inline bool hash_grid_query_next(HashGridQuery &query)
{
    while (query.at >= query.stop) {
        if (++query.cell[0] > query.last[0]) {
            query.cell[0] = query.first[0];
            query.cell[1]++;
        }
        if (query.cell[1] > query.last[1]) {
            query.cell[1] = query.first[1];
            query.cell[2]++;
        }
        if (query.cell[2] > query.last[2]) { // asked once more, the query ends again
            query.cell[2]--;
            query.cell[0] = query.last[0];
            query.cell[1] = query.last[1];
            return false;
        }
        enter_cell(query);
    }
    query.index = query.grid->points[query.at++];
    return true;
}
//: hash_grid_point_id
__device__ inline int hash_grid_point_id(unsigned long long id, int i)
{
    return ((const HashGrid *)id)->points[i];
}
//: BvhNode
// A leaf has the items first to second - 1, any other node two children.
struct BvhNode {
    vec3 lower, upper;
    int first, second;
    bool leaf;
};
//: Bvh
// Boxes, and a tree over them; `items` has their numbers, leaf by leaf.
struct Bvh {
    const BvhNode *nodes;
    const int *items;
    const vec3 *lowers, *uppers;
    int count; // of nodes
};
//: BvhQuery
// What is left of a traversal: nodes on the stack, items of the present leaf.
struct BvhQuery {
    const Bvh *tree;
    int kind; // 0: boxes that meet a box, 1: a ray, 2: a capsule, 3: a sphere
    vec3 a, b;
    float radius;
    int stack[32], count;
    int at, stop;
    int index; // the box that was found last
};
//: component
__device__ inline float component(vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}
//: smaller
// The smaller; of a NaN and a number, the number.
__device__ inline float smaller(float a, float b)
{
    return a < b || b != b ? a : b;
}
//: larger
__device__ inline float larger(float a, float b)
{
    return a > b || b != b ? a : b;
}
//: ray_meets_box
// Slab by slab; t is where the ray enters. `flat`: the direction may have zeros.
__device__ inline bool ray_meets_box(vec3 start, vec3 direction, vec3 inverse, bool flat,
                                     vec3 lower, vec3 upper, float &t)
{
    float enters = -3.402823466e+38f, leaves = 3.402823466e+38f;
    for (int i = 0; i < 3; i++) {
        const float at = component(start, i), from = component(lower, i), to = component(upper, i);
        if (flat && component(direction, i) == 0.0f) {
            if (at < from || at > to)
                return false;
            continue;
        }
        const float x = (from - at) * component(inverse, i), y = (to - at) * component(inverse, i);
        const bool first = i == 0 && !flat;
        enters = first ? smaller(x, y) : larger(smaller(x, y), enters);
        leaves = first ? larger(x, y) : smaller(larger(x, y), leaves);
    }
    if (!(leaves >= 0.0f && leaves >= enters))
        return false;
    t = enters;
    return true;
}
//: query_meets_box + -
__device__ inline bool query_meets_box(const BvhQuery &query, vec3 lower, vec3 upper, float most)
{
    const vec3 p = query.a;
    float t = 3.402823466e+38f;
    if (query.kind == 1)
        return ray_meets_box(p, query.b, query.b, false, lower, upper, t) && !(t >= most);
    if (query.kind == 2) {
        const vec3 around = {query.radius, query.radius, query.radius};
        const vec3 direction = {1.0f / query.b.x, 1.0f / query.b.y, 1.0f / query.b.z};
        return ray_meets_box(p, direction, query.b, true, lower - around, upper + around, t) &&
               !(t > most);
    }
    if (query.kind == 3) {
        const float x = larger(larger(lower.x - p.x, p.x - upper.x), 0.0f);
        const float y = larger(larger(lower.y - p.y, p.y - upper.y), 0.0f);
        const float z = larger(larger(lower.z - p.z, p.z - upper.z), 0.0f);
        return x * x + y * y + z * z <= query.radius * query.radius;
    }
    return !(p.x > upper.x || p.y > upper.y || p.z > upper.z || query.b.x < lower.x ||
             query.b.y < lower.y || query.b.z < lower.z);
}
//: bvh_query_start
// root: the node to begin with, or -1.
__device__ inline BvhQuery bvh_query_start(const Bvh *tree, int kind, vec3 a, vec3 b, float radius,
                                           int root)
{
    BvhQuery query = {};
    query.tree = tree;
    query.kind = kind;
    query.a = a;
    query.b = b;
    query.radius = larger(radius, 0.0f);
    query.stack[0] = root < 0 ? 0 : root;
    query.count = tree->count > 0;
    query.index = -1;
    return query;
}
//: bvh_get_group_root
// The node above all boxes of a group; this program's trees have one group, 0.
__device__ inline int bvh_get_group_root(unsigned long long id, int group)
{
    return group == 0 && ((const Bvh *)id)->count > 0 ? 0 : -1;
}
//: bvh_query_aabb
__device__ inline BvhQuery bvh_query_aabb(unsigned long long id, vec3 lower, vec3 upper,
                                          int root = -1)
{
    return bvh_query_start((const Bvh *)id, 0, lower, upper, 0.0f, root);
}
//: bvh_query_ray
__device__ inline BvhQuery bvh_query_ray(unsigned long long id, vec3 start, vec3 direction,
                                         int root = -1)
{
    const vec3 inverse = {1.0f / direction.x, 1.0f / direction.y, 1.0f / direction.z};
    return bvh_query_start((const Bvh *)id, 1, start, inverse, 0.0f, root);
}
//: bvh_query_capsule
__device__ inline BvhQuery bvh_query_capsule(unsigned long long id, vec3 start, vec3 direction,
                                             float radius, int root = -1)
{
    const vec3 inverse = {1.0f / direction.x, 1.0f / direction.y, 1.0f / direction.z};
    return bvh_query_start((const Bvh *)id, 2, start, inverse, radius, root);
}
//: bvh_query_sphere
__device__ inline BvhQuery bvh_query_sphere(unsigned long long id, vec3 center, float radius,
                                            int root = -1)
{
    return bvh_query_start((const Bvh *)id, 3, center, center, radius, root);
}
//: bvh_query_next
// The second child is visited first. `most`: how far along a ray.
__device__ inline bool bvh_query_next(BvhQuery &query, float most)
{
    const Bvh &tree = *query.tree;
    for (;;) {
        while (query.at < query.stop) {
            const int i = tree.items[query.at++];
            if (query_meets_box(query, tree.lowers[i], tree.uppers[i], most)) {
                query.index = i;
                return true;
            }
        }
        if (query.count == 0)
            return false;
        const BvhNode &node = tree.nodes[query.stack[--query.count]];
        if (!query_meets_box(query, node.lower, node.upper, most))
            continue;
        if (node.leaf) {
            query.at = node.first;
            query.stop = node.second;
        } else {
            query.stack[query.count++] = node.first;
            query.stack[query.count++] = node.second;
        }
    }
}
//: BlockQuery
// A query that all threads of a block have alike; a step gives each of them another box.
struct BlockQuery {
    BvhQuery boxes;
    bool valid; // it has just begun, or the last step found something
};
//: block_query_aabb
__device__ inline BlockQuery block_query_aabb(unsigned long long id, vec3 lower, vec3 upper)
{
    return BlockQuery{bvh_query_aabb(id, lower, upper), true};
}
//: block_query_ray
__device__ inline BlockQuery block_query_ray(unsigned long long id, vec3 start, vec3 direction)
{
    return BlockQuery{bvh_query_ray(id, start, direction), true};
}
//: block_query_next
// The box for this thread, or -1: each thread passes over those of the others.
__device__ inline int block_query_next(BlockQuery &query)
{
    int own = -1;
    query.valid = false;
    for (unsigned i = 0; i < blockDim.x && bvh_query_next(query.boxes, 3.402823466e+38f); i++) {
        query.valid = true;
        if (i == threadIdx.x)
            own = query.boxes.index;
    }
    return own;
}
//: block_query_valid
__device__ inline bool block_query_valid(const BlockQuery &query)
{
    return query.valid;
}
