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
#include "cudarule/cudarule_family.h"
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
    {"mesh_pull_point", NULL, 7},
    {"mesh_pull_position", NULL, 3},
    {"mesh_pull_ray", NULL, 6},
    {"mesh_pull_velocity", NULL, 3},
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
    {"tile_bvh_query_aabb", "block_query_aabb", 3},
    {"tile_bvh_query_ray", "block_query_ray", 3},
    {"tile_mesh_query_aabb", "block_query_faces", 3},
    {"tile_query_valid", "block_query_valid", 1},
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
    {"wp::bvh_query_thread_block_t", "BlockQuery", "block_query_next"},
    {"wp::Mesh", "Mesh", NULL},
    {"wp::mesh_query_aabb_t", "MeshQuery", "mesh_query_next"},
    {"wp::mesh_query_aabb_thread_block_t", "BlockQuery", "block_query_next"},
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
    enum { SHORTEST = sizeof "mesh_get" - 1 };
    if (native.n < SHORTEST || !strchr("bhimqtv", native.p[0])) /* asked of every call */
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
    if (!result &&
        (str_eq(native, STR("mesh_pull_position")) || str_eq(native, STR("mesh_pull_velocity"))))
        result = vec_type(n, 2); /* rules of adjoints leave it open */
    str text = cuda_text(n, "@(", define(n, function));
    for (uint32_t i = 0; i < count; i++)
        text = cuda_text(n, i ? "@, @" : "@@", text, args[i].text);
    return cuda_expr_of(cuda_text(n, "@)", text), result, CUDA_POSTFIX);
}

/* ---- adjoints of queries ---- */

/* Where a query's weights and their adjoints are: members of its result, or variables that it set.
 */
typedef struct query_slopes {
    bool ray;
    uint32_t t, u, v, face; /* arguments, of a query that sets variables */
} query_slopes;

/* False: it is no query that has an adjoint. */
static bool query_slopes_of(const cuda_adjoint *q, query_slopes *out)
{
    const bool ray = str_eq(q->name, STR("mesh_query_ray"));
    const bool point =
        str_starts(q->name, "mesh_query_point") || str_starts(q->name, "mesh_query_furthest_point");
    const uint32_t face = q->nargs == 6 ? 3 : 4; /* without a sign, one variable less */
    *out =
        ray ? (query_slopes){true, 4, 5, 6, 9} : (query_slopes){false, 0, face + 1, face + 2, face};
    return ray || point;
}

/* A member of the result or of its adjoint, or the variable of argument k; empty for an adjoint
 * that nobody needs. */
static str part_of(const cuda_adjoint *q, bool sets, const char *member, uint32_t k, bool adjoint)
{
    if (!sets)
        return cuda_text(q->n, "@.@", adjoint ? q->adj_result->text : q->value->text,
                         str_c(member));
    return adjoint ? q->adj_args[k].text : q->args[k].text;
}

/* vector * number, by the operator of the rules */
static str scaled(cuda_defs *n, str vector, str number)
{
    const type *v = vec3_type(n);
    const cuda_expr args[2] = {cuda_expr_of(vector, v, CUDA_POSTFIX),
                               cuda_expr_of(number, v->elem, CUDA_POSTFIX)};
    return n->resolver->call(n, STR("mul"), v, args, 2).text;
}

/* arg += what `text` computes */
static void pull(const cuda_adjoint *q, uint32_t arg, str text)
{
    const cuda_expr e = cuda_expr_of(text, vec3_type(q->n), CUDA_POSTFIX);
    if (q->adj_args[arg].text.n)
        cuda_add_sum(q->n, q->out, &q->adj_args[arg], &e, false);
}

/* The sum for adjoints of t, u and v; those that are empty are 0. */
static void pull_by(const cuda_adjoint *q, const query_slopes *s, bool sets, const str by[3])
{
    cuda_defs *n = q->n;
    const str zero = STR("0.0f"), du = by[1].n ? by[1] : zero, dv = by[2].n ? by[2] : zero;
    const str face = part_of(q, sets, "face", s->face, false);
    str text =
        cuda_text(n, "@(@, @, @", define(n, s->ray ? STR("mesh_pull_ray") : STR("mesh_pull_point")),
                  q->args[0].text, q->args[s->ray ? 2 : 1].text, face);
    if (s->ray)
        text = cuda_text(n, "@, @", text, by[0].n ? by[0] : zero);
    else
        text = cuda_text(n, "@, @, @", text, part_of(q, sets, "u", s->u, false),
                         part_of(q, sets, "v", s->v, false));
    text = cuda_text(n, "@, @, @)", text, du, dv);
    pull(q, 1, text);
    if (s->ray)
        pull(q, 2, scaled(n, text, part_of(q, sets, "t", s->t, false)));
}

bool cuda_object_adjoint(const cuda_adjoint *q, bool sets)
{
    query_slopes s;
    if (!query_slopes_of(q, &s))
        return false;
    const str by[3] = {s.ray ? part_of(q, sets, "t", s.t, true) : (str){0},
                       part_of(q, sets, "u", s.u, true), part_of(q, sets, "v", s.v, true)};
    if (!sets)
        pull_by(q, &s, sets, by);
    for (uint32_t i = 0; sets && i < 3; i++) { /* each of one adjoint, which may turn out zero */
        str one[3] = {{0}, {0}, {0}};
        one[i] = by[i];
        if (one[i].n)
            pull_by(q, &s, sets, one);
    }
    return true;
}
