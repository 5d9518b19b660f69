/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions of geometry objects and textures (cudarule_object.h), cut out of the .cuh files of
 * assets/:
 *
 *     //: grid_wrapped
 *     __host__ __device__ inline int grid_wrapped(int x, int n)
 *     { ... }
 *
 * A block is defined when a text names it. What it needs are the blocks that its own text names,
 * the type vec3, and functions and operators of vec3, which are those of the rules. */
#include "cudarule/cudarule_object.h"

#include "arith/arith.h"
#include "base/ascii.h"
#include "base/assert.h"
#include "base/asset.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_type.h"

/* Builtins that are no block of the same name, or whose last arguments have no meaning here. */
static const struct {
    const char *native, *block;
    uint8_t nargs;
} calls[] = {
    {"bvh_get_group_root", NULL, 2},
    {"bvh_query_aabb", NULL, 4},
    {"bvh_query_capsule", NULL, 5},
    {"bvh_query_ray", NULL, 4},
    {"bvh_query_sphere", NULL, 4},
    {"hash_grid_point_id", NULL, 2},
    {"hash_grid_query", NULL, 3},
    {"intersect_tri_tri", NULL, 6},
    {"mesh_eval_face_normal", NULL, 2},
    {"mesh_eval_position", NULL, 4},
    {"mesh_eval_velocity", NULL, 4},
    {"mesh_get", NULL, 1},
    {"mesh_get_bvh", NULL, 1},
    {"mesh_get_group_root", NULL, 2},
    {"mesh_get_index", NULL, 2},
    {"mesh_get_point", NULL, 2},
    {"mesh_get_velocity", NULL, 2},
    {"mesh_query_aabb", NULL, 3},
    {"mesh_query_furthest_point_no_sign", NULL, 3},
    {"mesh_query_point", NULL, 3},
    {"mesh_query_point_no_sign", NULL, 3},
    {"mesh_query_point_sign_normal", NULL, 4},
    {"mesh_query_point_sign_parity", NULL, 5},
    {"mesh_query_point_sign_winding_number", "mesh_query_point", 3},
    {"mesh_query_ray", NULL, 5},
    {"mesh_query_ray_anyhit", NULL, 5},
    {"mesh_query_ray_count_intersections", NULL, 4},
    {"mesh_query_sphere", NULL, 3},
    {"texture_pull_1d", NULL, 3},
    {"texture_pull_1d_lod", NULL, 4},
    {"texture_pull_2d", NULL, 3},
    {"texture_pull_2d_lod", NULL, 4},
    {"texture_pull_3d", NULL, 3},
    {"texture_pull_3d_lod", NULL, 4},
    {"texture_sample", NULL, 0},
    {"volume_bend_f", NULL, 4},
    {"volume_index_to_world", NULL, 2},
    {"volume_index_to_world_dir", NULL, 2},
    {"volume_lookup", NULL, 4},
    {"volume_lookup_f", NULL, 4},
    {"volume_lookup_i", NULL, 4},
    {"volume_lookup_index", NULL, 4},
    {"volume_lookup_v", NULL, 4},
    {"volume_pull_v", NULL, 4},
    {"volume_sample", NULL, 3},
    {"volume_sample_f", NULL, 3},
    {"volume_sample_i", NULL, 2},
    {"volume_sample_v", NULL, 3},
    {"volume_slope_f", NULL, 3},
    {"volume_store", NULL, 5},
    {"volume_store_f", NULL, 5},
    {"volume_store_i", NULL, 5},
    {"volume_store_v", NULL, 5},
    {"volume_voxel_count", NULL, 1},
    {"volume_world_to_index", NULL, 2},
    {"volume_world_to_index_dir", NULL, 2},
};

/* Types with a block, by the name of their class. */
static const struct {
    const char *cname, *block, *step; /* step: goes on to the next element; NULL: it is no query */
} classes[] = {
    {"wp::hash_grid_query_f", "HashGridQuery", "hash_grid_query_next"},
    {"wp::bvh_query_t", "BvhQuery", "bvh_query_next"},
    {"wp::Mesh", "Mesh", NULL},
    {"wp::mesh_query_aabb_t", "MeshQuery", "mesh_query_next"},
    {"wp::mesh_query_point_t", "MeshQueryPoint", NULL},
    {"wp::mesh_query_ray_t", "MeshQueryRay", NULL},
    {"wp::texture1d_t", "Texture", NULL},
    {"wp::texture2d_t", "Texture", NULL},
    {"wp::texture3d_t", "Texture", NULL},
};

static const str *const assets[] = {&asset_geometry_cuh, &asset_mesh_cuh, &asset_texture_cuh,
                                    &asset_triangles_cuh, &asset_volume_cuh};

static const char mark[] = "//: ";

/* The block of an asset behind `at`, with its text up to the next mark; false: there is none. */
static bool next_block(str all, size_t *at, cuda_asset_block *out)
{
    const char *end = all.p + all.n, *p = all.p + *at;
    while (p < end && !str_starts((str){p, (size_t)(end - p)}, mark)) {
        const char *line = memchr(p, '\n', (size_t)(end - p));
        p = line ? line + 1 : end;
    }
    if (p == end)
        return false;
    p += sizeof mark - 1;
    const char *line = memchr(p, '\n', (size_t)(end - p));
    WEFT_ASSERT(line);
    out->name.p = p;
    out->name.n = strcspn(p, " \n");
    out->operators.p = p + out->name.n;
    out->operators.n = (size_t)(line - out->operators.p);
    const char *from = line + 1, *to = from;
    while (to < end && !str_starts((str){to, (size_t)(end - to)}, mark)) {
        line = memchr(to, '\n', (size_t)(end - to));
        to = line ? line + 1 : end;
    }
    out->text = (str){from, (size_t)(to - from)};
    *at = (size_t)(to - all.p);
    return true;
}

/* NULL: there is none of this name. Asked of every word of a block, so the assets are read once. */
static const cuda_asset_block *find_block(cuda_defs *n, str wanted)
{
    cuda_asset_block b;
    const bool read = n->blocks.n > 0;
    for (size_t i = 0; !read && i < sizeof assets / sizeof *assets; i++)
        for (size_t at = 0; next_block(*assets[i], &at, &b);)
            VEC_PUSH(n->a, &n->blocks, b);
    for (uint32_t i = 0; i < n->blocks.n; i++)
        if (str_eq(n->blocks.v[i].name, wanted))
            return &n->blocks.v[i];
    return NULL;
}

void cuda_object_names(cuda_name_fn *fn, void *arg)
{
    cuda_asset_block b;
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        for (size_t at = 0; next_block(*assets[i], &at, &b);)
            fn(arg, b.name);
}

static const type *vec_type(cuda_defs *n, int rows)
{
    return type_vec(n->c, type_scalar(n->c, TYPE_FLOAT32), rows);
}

static const type *vec3_type(cuda_defs *n)
{
    return vec_type(n, 3);
}

/* Defines the operators of vec3 that a block lists. */
static void use_operators(cuda_defs *n, str operators)
{
    const type *v = vec3_type(n);
    const cuda_expr a = cuda_expr_of(STR("a"), v, CUDA_PRIMARY);
    const cuda_expr s = cuda_expr_of(STR("s"), v->elem, CUDA_PRIMARY);
    for (size_t i = 0; i < operators.n; i++)
        if (operators.p[i] != ' ') {
            const str name = operators.p[i] == '+'   ? STR("add")
                             : operators.p[i] == '-' ? STR("sub")
                                                     : STR("mul");
            const cuda_expr second = operators.p[i] == '*' ? s : a;
            (void)n->resolver->call(n, name, v, (cuda_expr[]){a, second}, 2);
        }
}

static str define(cuda_defs *n, str name);

/* What stands for a word of the asset: the name of a type or function that is defined by it, or the
 * word itself. */
static str word_of(cuda_defs *n, str own, str word)
{
    static const char *const functions[] = {"cross", "dot", "length", "normalize"};
    const type *v = vec3_type(n);
    if (str_eq(word, own))
        return word;
    if (word.n == 4 && str_starts(word, "vec") && strchr("234", word.p[3]))
        return cuda_type_name(n, vec_type(n, word.p[3] - '0'));
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (!str_eq(word, str_c(functions[i])))
            continue;
        const cuda_expr a = cuda_expr_of(STR("a"), v, CUDA_PRIMARY);
        (void)n->resolver->call(n, word, NULL, (cuda_expr[]){a, a}, i < 2 ? 2 : 1);
        return cuda_free_name(n, word);
    }
    const cuda_asset_block *b = find_block(n, word);
    return b ? define(n, b->name) : word;
}

static bool in_word(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_';
}

/* Defines the block; its words are looked up first, so that what it needs stands before it.
 * Comments and members, which follow a point or an arrow, are no names. */
static str define(cuda_defs *n, str name)
{
    if (cuda_def_find(n, name))
        return name;
    const cuda_asset_block *found = find_block(n, name);
    WEFT_ASSERT(found);
    const cuda_asset_block x = *found;
    const str text = x.text;
    strbuf b;
    sb_init(&b, n->a->m);
    use_operators(n, x.operators);
    cuda_use_externs_of(n, text);
    for (size_t i = 0, end; i < text.n; i = end) {
        const bool comment = text.p[i] == '/' && i + 1 < text.n && text.p[i + 1] == '/';
        const bool member = i && (text.p[i - 1] == '.' || text.p[i - 1] == '>');
        for (end = i; end < text.n && (comment ? text.p[end] != '\n' : in_word(text.p[end]));)
            end++;
        end += end == i;
        const str word = {text.p + i, end - i};
        sb_str(&b,
               comment || member || !ascii_is_letter(word.p[0]) ? word : word_of(n, name, word));
    }
    cuda_def_add(n, x.name, x.name, cuda_take(n, &b), name.p[0] >= 'A' && name.p[0] <= 'Z');
    return x.name;
}

bool cuda_is_object_call(str native)
{
    if (!native.n || !strchr("bhimqtv", native.p[0])) /* asked of every call */
        return false;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (str_eq(native, str_c(calls[i].native)))
            return true;
    return str_eq(native, STR("query_step"));
}

/* Of a query's class: the block that goes on to its next element. */
static const char *step_of(const type *t)
{
    for (size_t i = 0; t->kind == TYPE_NATIVE && i < sizeof classes / sizeof *classes; i++)
        if (strcmp(t->native->cname, classes[i].cname) == 0)
            return classes[i].step;
    return NULL;
}

unsigned cuda_objects_used(cuda_defs *n)
{
    if (cuda_defs_use(n, STR("HashGrid"))) { /* a host that makes one needs them */
        (void)define(n, STR("grid_coordinate"));
        (void)define(n, STR("grid_cell"));
    }
    return (cuda_defs_use(n, STR("HashGrid")) ? CUDA_OBJECT_GRID : 0u) |
           (cuda_defs_use(n, STR("Bvh")) ? CUDA_OBJECT_BVH : 0u) |
           (cuda_defs_use(n, STR("Mesh")) ? CUDA_OBJECT_MESH : 0u) |
           (cuda_defs_use(n, STR("Volume")) ? CUDA_OBJECT_VOLUME : 0u) |
           (cuda_defs_use(n, STR("Texture")) ? CUDA_OBJECT_TEXTURE : 0u) |
           (cuda_defs_use(n, STR("texture_mixed")) ? CUDA_OBJECT_LEVELS : 0u);
}

str cuda_object_type(cuda_defs *n, const type *t)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(t->native->cname, classes[i].cname) == 0)
            return define(n, str_c(classes[i].block));
    return (str){NULL, 0};
}

/* volume_lookup and volume_sample are those for the result's type, and volume_store is that for the
 * value's. Rules of adjoints leave the result of slopes open. False: there is no form for these
 * types. */
static bool take_volume(cuda_defs *n, str *native, const type **result, const cuda_expr *args,
                        uint32_t nargs)
{
    const type *v = vec3_type(n);
    const bool store = str_starts(*native, "volume_store");
    const bool lookup = store || str_eq(*native, STR("volume_lookup"));
    if (store && nargs == 5)
        *result = args[4].type;
    if (!*result)
        *result = v;
    for (uint32_t i = 0; i < nargs; i++)
        if (type_is_composite(args[i].type) && args[i].type != v)
            return false;
    if (!str_eq(*native, STR("volume_lookup")) && !str_eq(*native, STR("volume_sample")) &&
        !str_eq(*native, STR("volume_store")))
        return !type_is_composite(*result) || *result == v;
    const char *form = *result == v                              ? "@_v"
                       : (*result)->kind == TYPE_FLOAT32         ? "@_f"
                       : lookup && (*result)->kind == TYPE_INT32 ? "@_i"
                                                                 : NULL;
    if (form)
        *native = cuda_text(n, form, *native);
    return form;
}

/* texture_2d_lod<vec4>(image, vec2{u, v}, lod): without a level of detail the last argument is
 * missing. texture_pull_2d and its like give the derivatives by all coordinates, and by that. */
static cuda_expr texture_call(cuda_defs *n, str native, const type *result, const cuda_expr *args,
                              uint32_t nargs)
{
    const int axes = texture_axes(args[0].type);
    const bool pull = str_starts(native, "texture_pull");
    const bool vector = pull || axes == 1 || type_is_composite(args[1].type);
    const uint32_t behind = vector ? 2 : 1 + (uint32_t)axes; /* the coordinates */
    const bool lod = nargs > behind + pull;
    if (!axes || nargs > behind + pull + 1)
        return CUDA_NONE;
    str at = args[1].text;
    if (!vector) {
        at = cuda_text(n, "@{@", cuda_type_name(n, vec_type(n, axes)), at);
        for (uint32_t i = 2; i < behind; i++)
            at = cuda_text(n, "@, @", at, args[i].text);
        at = cuda_text(n, "@}", at);
    }
    const str dims = cuda_decimal(n, axes), end = lod ? STR("d_lod") : STR("d");
    str text = pull ? define(n, native) : define(n, cuda_text(n, "texture_@@", dims, end));
    if (pull)
        result = axes + lod == 1 ? type_scalar(n->c, TYPE_FLOAT32) : vec_type(n, axes + lod);
    else
        text = cuda_text(n, "@<@>", text, cuda_type_name(n, result));
    text = cuda_text(n, "@(@, @", text, args[0].text, at);
    for (uint32_t i = behind; i < nargs; i++)
        text = cuda_text(n, "@, @", text, args[i].text);
    return cuda_expr_of(cuda_text(n, "@)", text), result, CUDA_POSTFIX);
}

/* The root of a query is its last argument. The block has a default for it, as Warp has. */
static bool is_default_root(str native, const cuda_expr *last)
{
    const bool rooted = str_starts(native, "bvh_query_") || str_starts(native, "mesh_query_ray");
    return rooted && str_eq(last->text, STR("-1"));
}

cuda_expr cuda_object_call(cuda_defs *n, str native, const type *result, const cuda_expr *args,
                           uint32_t nargs)
{
    str function = {NULL, 0};
    uint32_t count = nargs;
    if (str_starts(native, "texture_"))
        return texture_call(n, native, result, args, nargs);
    if (str_eq(native, STR("intersect_tri_tri")) && args[0].type != vec3_type(n))
        return CUDA_NONE;
    if (str_starts(native, "volume_") && !take_volume(n, &native, &result, args, nargs))
        return CUDA_NONE;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && !function.n; i++)
        if (str_eq(native, str_c(calls[i].native)) && nargs >= calls[i].nargs) {
            function = str_c(calls[i].block ? calls[i].block : calls[i].native);
            count = calls[i].nargs;
            count -= count && is_default_root(native, &args[count - 1]);
        }
    const char *step = nargs && str_eq(native, STR("query_step")) ? step_of(args[0].type) : NULL;
    if (step)
        function = str_c(step);
    if (!function.n)
        return CUDA_NONE;
    str text = cuda_text(n, "@(", define(n, function));
    for (uint32_t i = 0; i < count; i++)
        text = cuda_text(n, i ? "@, @" : "@@", text, args[i].text);
    return cuda_expr_of(cuda_text(n, "@)", text), result, CUDA_POSTFIX);
}
