/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes from files of NanoVDB (.nvdb): the first grid of a file, as it is or packed by zlib.
 *
 *     header   16 bytes: "NanoVDB0", version, number of grids, codec
 *     for each grid its sizes and its name; then for each its bytes
 *     a grid: 672 bytes with the map, 64 with the places of nodes, the root with its tiles, then
 *     nodes of 32^3 children, nodes of 16^3 children, and blocks of 8^3 voxels
 *
 * A child is named by its distance from its parent in bytes. Where there is none, all voxels there
 * have the value of a tile. Offsets are those of NanoVDB 32.9 (PNanoVDB.h). Nothing of a file is
 * trusted: each node has to lie within the grid. */
#include <zlib.h>

#include "geometry/geometry_internal.h"

enum {
    FILE_HEADER = 16,
    FILE_GRID = 176, /* what stands for each grid before its name */
    GRID_MAP = 296,
    GRID_TYPE = 636,
    GRID_SIZE = 672,
    TREE_SIZE = 64,
    ROOT_TILES = 24,
    NODE_MASK = 32, /* of values; of children right behind it */
    LEAF_MASK = 16
};

/* The layout of a type's nodes: NanoVDB's number of the type, then offsets. `stride`: of an entry
 * of a node's table. */
typedef struct nvdb_layout {
    uint8_t type, kind, background, root, stride, tile_value, tile;
    uint16_t upper_table, lower_table, leaf_table;
} nvdb_layout;

static const nvdb_layout layouts[] = {
    {1, VOLUME_FLOAT32, 28, 64, 8, 20, 32, 8256, 1088, 96},
    {2, VOLUME_FLOAT64, 32, 96, 8, 24, 32, 8256, 1088, 128},
    {4, VOLUME_INT32, 28, 64, 8, 20, 32, 8256, 1088, 96},
    {5, VOLUME_INT64, 32, 96, 8, 24, 32, 8256, 1088, 128},
    {6, VOLUME_VEC3F, 28, 96, 16, 20, 32, 8256, 1088, 128},
    {7, VOLUME_VEC3D, 32, 128, 24, 24, 64, 8288, 1120, 160},
    {10, VOLUME_UINT32, 28, 64, 8, 20, 32, 8256, 1088, 96},
    {17, VOLUME_VEC4F, 28, 96, 16, 20, 64, 8288, 1120, 128},
    {18, VOLUME_VEC4D, 32, 160, 32, 24, 64, 8320, 1152, 160},
    {19, VOLUME_INDEX, 32, 96, 8, 24, 32, 8256, 1088, 80},
    {20, VOLUME_ON_INDEX, 32, 96, 8, 24, 32, 8256, 1088, 80},
};

/* A grid on its way into a volume. */
typedef struct nvdb_reader {
    ctx *c;
    str grid;
    const nvdb_layout *l;
    volume *v;
    uint64_t leaves;    /* where the first block is */
    uint32_t nleaves;   /* blocks */
    uint64_t nodes;     /* with children, so far: no more than a grid of this size can have */
    size_t leaf, value; /* bytes of a block and of a value */
    VEC(volume_cube) cubes[VOLUME_LEVELS];
    VEC(uint8_t) tiles;
} nvdb_reader;

static uint16_t u16_at(str s, uint64_t at)
{
    uint16_t x;
    WEFT_ASSERT(at + sizeof x <= s.n);
    memcpy(&x, s.p + at, sizeof x);
    return x;
}

static uint32_t u32_at(str s, uint64_t at)
{
    uint32_t x;
    WEFT_ASSERT(at + sizeof x <= s.n);
    memcpy(&x, s.p + at, sizeof x);
    return x;
}

static uint64_t u64_at(str s, uint64_t at)
{
    uint64_t x;
    WEFT_ASSERT(at + sizeof x <= s.n);
    memcpy(&x, s.p + at, sizeof x);
    return x;
}

static bool fits(str s, uint64_t at, uint64_t size)
{
    return at <= s.n && size <= s.n - at;
}

/* The place of a node that lies `distance` behind another one; false: not within the grid. */
static bool node_at(const nvdb_reader *r, uint64_t from, uint64_t distance, size_t size,
                    uint64_t *out)
{
    *out = from + distance;
    return fits(r->grid, *out, size);
}

/* A tile whose value is not the background. Volumes with numbers have none. */
static void add_tile(nvdb_reader *r, int level, const int32_t origin[3], uint64_t value)
{
    const uint8_t *from = (const uint8_t *)r->grid.p + value;
    if (!r->value || memcmp(from, r->v->background, r->value) == 0)
        return;
    const volume_cube cube = {{origin[0], origin[1], origin[2]}, (uint32_t)(r->tiles.n / r->value)};
    VEC_PUSH(&r->c->module, &r->cubes[level], cube);
    for (size_t i = 0; i < r->value; i++)
        VEC_PUSH(&r->c->module, &r->tiles, from[i]);
}

/* Blocks are numbered as they lie in the file. */
static bool add_leaf(nvdb_reader *r, const int32_t origin[3], uint64_t at)
{
    if (at < r->leaves || (at - r->leaves) % r->leaf || (at - r->leaves) / r->leaf >= r->nleaves)
        return false;
    const volume_cube cube = {{origin[0], origin[1], origin[2]},
                              (uint32_t)((at - r->leaves) / r->leaf)};
    VEC_PUSH(&r->c->module, &r->cubes[0], cube);
    return true;
}

/* The children of a node of (1 << side)^3, each 1 << shift voxels wide: blocks or, of the upper
 * level, nodes again. */
static bool read_node(nvdb_reader *r, const int32_t origin[3], uint64_t at, bool upper)
{
    const int side = upper ? 5 : 4, shift = upper ? 7 : 3;
    const uint32_t count = 1u << 3 * side, table = upper ? r->l->upper_table : r->l->lower_table;
    const size_t lower = r->l->lower_table + (size_t)r->l->stride * 4096;
    if (r->nodes++ > r->grid.n / lower)
        return false;
    for (uint32_t n = 0; n < count; n++) {
        const uint64_t mask = at + NODE_MASK + count / 8 + n / 64 * 8;
        const uint64_t entry = at + table + (uint64_t)n * r->l->stride;
        const uint32_t most = (1u << side) - 1;
        const int32_t place[3] = {
            (int32_t)((uint32_t)origin[0] + ((n >> 2 * side & most) << shift)),
            (int32_t)((uint32_t)origin[1] + ((n >> side & most) << shift)),
            (int32_t)((uint32_t)origin[2] + ((n & most) << shift))};
        uint64_t child;
        if (!(u64_at(r->grid, mask) >> (n & 63) & 1))
            add_tile(r, upper ? 2 : 1, place, entry);
        else if (!node_at(r, at, u64_at(r->grid, entry), upper ? lower : r->leaf, &child) ||
                 !(upper ? read_node(r, place, child, false) : add_leaf(r, place, child)))
            return false;
    }
    return true;
}

static bool read_root(nvdb_reader *r, uint64_t root)
{
    const size_t upper = r->l->upper_table + (size_t)r->l->stride * 32768;
    const uint64_t count = u32_at(r->grid, root + ROOT_TILES);
    if (!fits(r->grid, root + r->l->root, count * r->l->tile))
        return false;
    if (r->value)
        memcpy(r->v->background, r->grid.p + root + r->l->background, r->value);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t tile = root + r->l->root + i * r->l->tile, key = u64_at(r->grid, tile);
        const uint64_t distance = u64_at(r->grid, tile + 8);
        const int32_t origin[3] = {(int32_t)(uint32_t)(key >> 42 << 12),
                                   (int32_t)(uint32_t)(key >> 21 << 12),
                                   (int32_t)(uint32_t)(key << 12)};
        uint64_t child;
        if (!distance)
            add_tile(r, 3, origin, tile + r->l->tile_value);
        else if (!node_at(r, root, distance, upper, &child) || !read_node(r, origin, child, true))
            return false;
    }
    return true;
}

/* What blocks hold: values, or the numbers of their first voxels and which voxels have one. */
static void read_leaves(nvdb_reader *r)
{
    const bool numbered = r->v->kind == VOLUME_INDEX || r->v->kind == VOLUME_ON_INDEX;
    volume_add_values(r->c, r->v, r->nleaves);
    if (numbered)
        r->v->first = ARENA_ARRAY(&r->c->module, int64_t, r->nleaves + 1u);
    if (r->v->kind == VOLUME_ON_INDEX)
        r->v->masks = ARENA_ARRAY(&r->c->module, uint64_t, r->nleaves * (size_t)8 + 1);
    for (uint32_t i = 0; i < r->nleaves; i++) {
        const uint64_t at = r->leaves + (uint64_t)i * r->leaf, table = at + r->l->leaf_table;
        if (numbered)
            r->v->first[i] = (int64_t)u64_at(r->grid, table);
        else
            memcpy(r->v->values + i * VOLUME_BLOCK * r->value, r->grid.p + table,
                   VOLUME_BLOCK * r->value);
        if (r->v->kind == VOLUME_ON_INDEX)
            memcpy(r->v->masks + i * (size_t)8, r->grid.p + at + LEAF_MASK, 64);
    }
    volume_keep_initial(r->v);
}

static void read_map(const nvdb_reader *r, volume_map *out)
{
    const char *p = r->grid.p + GRID_MAP;
    memcpy(out->to_world_f32, p, sizeof out->to_world_f32);
    memcpy(out->to_index_f32, p + 36, sizeof out->to_index_f32);
    memcpy(out->origin_f32, p + 72, sizeof out->origin_f32);
    memcpy(out->to_world_f64, p + 88, sizeof out->to_world_f64);
    memcpy(out->to_index_f64, p + 160, sizeof out->to_index_f64);
    memcpy(out->origin_f64, p + 232, sizeof out->origin_f64);
}

static const char *read_grid(nvdb_reader *r, uint64_t *id)
{
    static const char damaged[] = "its grid is damaged";
    if (r->grid.n < GRID_SIZE + TREE_SIZE || memcmp(r->grid.p, "NanoVDB", 7) != 0)
        return damaged;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].type == u32_at(r->grid, GRID_TYPE))
            r->l = &layouts[i];
    if (!r->l)
        return "its grid has other values than int32, uint32, int64, and float, vec3 and vec4 of "
               "float32 and float64, or numbers of voxels";
    r->v = ARENA_NEW(&r->c->module, volume);
    r->v->kind = r->l->kind;
    r->value = volume_value_size(r->v->kind);
    r->leaf = r->l->leaf_table + (r->value ? VOLUME_BLOCK * r->value : 16);
    r->leaves = GRID_SIZE + u64_at(r->grid, GRID_SIZE);
    r->nleaves = u32_at(r->grid, GRID_SIZE + 32);
    r->v->count = u64_at(r->grid, GRID_SIZE + 56);
    const uint64_t root = GRID_SIZE + u64_at(r->grid, GRID_SIZE + 24);
    if (!fits(r->grid, root, r->l->root) ||
        (r->nleaves && !fits(r->grid, r->leaves, r->nleaves * (uint64_t)r->leaf)) ||
        !read_root(r, root))
        return damaged;
    read_map(r, &r->v->map);
    read_leaves(r);
    for (int level = 0; level < VOLUME_LEVELS; level++)
        volume_take_cubes(r->v, level, r->cubes[level].v, r->cubes[level].n);
    r->v->tiles = r->tiles.v;
    *id = geometry_add(r->c, (geometry_object){.volume = r->v});
    return NULL;
}

/* The bytes of the first grid, unpacked. */
static const char *find_grid(ctx *c, str file, str *out)
{
    uint64_t at = FILE_HEADER;
    if (file.n < FILE_HEADER + FILE_GRID ||
        (memcmp(file.p, "NanoVDB0", 8) != 0 && memcmp(file.p, "NanoVDB2", 8) != 0) ||
        u32_at(file, 8) >> 21 != 32)
        return "it is no .nvdb file of version 32";
    const uint64_t size = u64_at(file, FILE_HEADER);
    for (uint16_t i = u16_at(file, 12); i > 0; i--) {
        if (!fits(file, at, FILE_GRID))
            return "it is cut short";
        at += FILE_GRID + u32_at(file, at + 136);
    }
    const uint16_t codec = u16_at(file, 14);
    if (codec > 1)
        return "it is packed by another method than zlib";
    if (size > VOLUME_BYTES_MAX)
        return "its grid is larger than 1 GiB";
    if (!fits(file, at, codec ? 8 : size) || (codec && !fits(file, at + 8, u64_at(file, at))))
        return "it is cut short";
    *out = (str){file.p + at, (size_t)size};
    if (!codec)
        return NULL;
    Bytef *grid = arena_alloc(&c->module, (size_t)size + 1);
    uLongf n = (uLongf)size;
    if (uncompress(grid, &n, (const Bytef *)file.p + at + 8, (uLong)u64_at(file, at)) != Z_OK ||
        n != size)
        return "its grid cannot be unpacked";
    out->p = (const char *)grid;
    return NULL;
}

const char *geometry_add_nvdb(ctx *c, str file, uint64_t *id)
{
    nvdb_reader r = {.c = c};
    const char *wrong = find_grid(c, file, &r.grid);
    return wrong ? wrong : read_grid(&r, id);
}
