/* SPDX-License-Identifier: Apache-2.0 */
/* Hash grids, BVHs, meshes and volumes among the parameters of a kernel: made for its runs, and in
 * the program's main.
 *
 *     grid: wp.uint64     const unsigned long long grid = make_hash_grid(x, 277, 0.5f, 8, 8, 8);
 *     mesh: wp.uint64     tables of its points, triangles and tree, and their addresses
 *
 * A hash grid is that of the array which its points index, or of points of its own. Meshes are a
 * closed surface of 20 triangles, BVHs have 24 boxes: small enough for tables. A tree is a table
 * too, since the order of what a query finds depends on it. Volumes are boxes of 16 x 8 x 24 voxels
 * around the origin of the world; what a kernel stores to them is compared as an array is. */
#include "cudarule/cudarule_object.h"
#include "geometry/geometry.h"
#include "geometry/volume.h"
#include "standalone/standalone_internal.h"

enum {
    OWN_STREAM = SA_STREAMS / 2,
    VELOCITY_STREAM = 5,
    BOXES = 24,
    CORNERS = 12,
    TRIANGLES = 20,
    CELLS = 8
};
static const float cell_width = 0.5f;

/* Floats of a stream of the run that no parameter has, between -largest and largest. */
static float *draw(ctx *c, const sa_run *r, uint32_t stream, size_t n, double largest)
{
    const sa_fill f = {.scalar = TYPE_FLOAT32,
                       .stream = r->seed * SA_STREAMS + OWN_STREAM + stream,
                       .steps = 256,
                       .largest = largest};
    float *x = ARENA_ARRAY(&c->module, float, n);
    sa_fill_items(&f, (uint8_t *)x, n);
    return x;
}

/* An icosahedron out of shape, so that no two distances are equal. */
static uint64_t make_mesh(ctx *c, const sa_run *r, sa_object *o)
{
    static const float corners[CORNERS][3] = {
        {-0.75f, 1.25f, 0}, {0.75f, 1.25f, 0}, {-0.75f, -1.25f, 0}, {0.75f, -1.25f, 0},
        {0, -0.75f, 1.25f}, {0, 0.75f, 1.25f}, {0, -0.75f, -1.25f}, {0, 0.75f, -1.25f},
        {1.25f, 0, -0.75f}, {1.25f, 0, 0.75f}, {-1.25f, 0, -0.75f}, {-1.25f, 0, 0.75f}};
    static const int32_t faces[3 * TRIANGLES] = {
        0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
        4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
        6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
    float *p = draw(c, r, 0, 3 * CORNERS, 0.125);
    for (int i = 0; i < 3 * CORNERS; i++)
        p[i] += corners[i / 3][i % 3];
    o->points = (const vec3 *)(const void *)p;
    o->velocities =
        o->moves ? (const vec3 *)(const void *)draw(c, r, VELOCITY_STREAM, 3 * CORNERS, 2) : NULL;
    o->indices = faces;
    return geometry_add_mesh(c, o->points, o->velocities, CORNERS, faces, TRIANGLES);
}

/* Does the unit ask for velocities of a mesh? */
static bool reads_velocities(const ir_unit *u)
{
    for (uint32_t i = 0; i < u->callees.n; i++)
        if (str_eq(u->callees.v[i].native.name, STR("mesh_eval_velocity")) ||
            str_eq(u->callees.v[i].native.name, STR("mesh_get_velocity")))
            return true;
    for (uint32_t i = 0; i < u->fields.n; i++)
        if (str_eq(sym_str(u->fields.v[i]), STR("velocities")))
            return true;
    return false;
}

bool sa_any_unit(const ir_module *m, bool (*does)(const ir_unit *u))
{
    bool any = does(m->kernel);
    for (uint32_t i = 0; i < m->funcs.n; i++)
        any |= does(m->funcs.v[i]);
    return any;
}

static uint64_t make_bvh(ctx *c, const sa_run *r)
{
    float *lower = draw(c, r, 1, 3 * BOXES, 2), *size = draw(c, r, 2, 3 * BOXES, 0.5);
    for (int i = 0; i < 3 * BOXES; i++)
        size[i] = lower[i] + (size[i] < 0 ? -size[i] : size[i]) + 0.125f;
    return geometry_add_bvh(c, (const vec3 *)(const void *)lower, (const vec3 *)(const void *)size,
                            BOXES);
}

/* Of the column's items; NULL: of as many points of its own as the launch is long. */
static uint64_t make_grid(ctx *c, const sa_run *r, const sa_object *o, const launch_args *args)
{
    static const int32_t dims[3] = {CELLS, CELLS, CELLS};
    for (uint32_t i = 0; o->path && i < args->leaves.n; i++)
        if (strcmp(args->leaves.v[i].path, o->path) == 0) {
            const str items = launch_leaf_items(&args->leaves.v[i], &c->module);
            const char *kept = arena_dup(&c->module, items.p, items.n);
            return geometry_add_hash_grid(c, (const vec3 *)(const void *)kept,
                                          (int32_t)(items.n / sizeof(vec3)), cell_width, dims);
        }
    const size_t n = (size_t)r->plan.dim[0];
    const float *p = draw(c, r, 3, 3 * n, 2);
    return geometry_add_hash_grid(c, (const vec3 *)(const void *)p, (int32_t)n, cell_width, dims);
}

/* The numbers of a volume's voxels, block by block, those of one that is outside behind them.
 * Integers are those of fill_lattice. */
enum { VOXELS = INPUTS_VOXELS, VOLUME_STREAM = 4, SIDE = 8 };
static const int lattice[5] = {8, 37, 11, -20, 41};
static const int32_t voxels[3] = {16, 8, 24};
_Static_assert(VOXELS == 16 * 8 * 24, "as many as `voxels` says");

/* The values from block by block to row by row. */
static const void *in_rows(ctx *c, const void *blocks, size_t size)
{
    uint8_t *rows = arena_alloc(&c->module, VOXELS * size), *to = rows;
    for (int32_t i = 0; i < voxels[0]; i++)
        for (int32_t j = 0; j < voxels[1]; j++)
            for (int32_t k = 0; k < voxels[2]; k++, to += size) {
                const int32_t block =
                    (i / SIDE * (voxels[1] / SIDE) + j / SIDE) * (voxels[2] / SIDE) + k / SIDE;
                const int32_t place = (i % SIDE * SIDE + j % SIDE) * SIDE + k % SIDE;
                memcpy(to, (const uint8_t *)blocks + (size_t)(block * VOLUME_BLOCK + place) * size,
                       size);
            }
    return rows;
}

static uint64_t make_volume(ctx *c, const sa_run *r, const sa_object *o)
{
    static const float size[3] = {0.25f, 0.5f, 0.25f}, origin[3] = {-2, -2, -3};
    const size_t lanes = o->values & INPUTS_VECTORS ? 3 : 1;
    volume_map map;
    volume_make_map(size, origin, &map);
    if (o->values & INPUTS_INTEGERS) {
        int32_t *x = ARENA_ARRAY(&c->module, int32_t, VOXELS + 1);
        for (int i = 0; i <= VOXELS; i++)
            x[i] = lattice[3] +
                   (lattice[1] * (i / lattice[0]) + lattice[2] * (i % lattice[0])) % lattice[4];
        return geometry_add_volume(c, VOLUME_INT32, in_rows(c, x, sizeof *x), voxels, x + VOXELS,
                                   &map);
    }
    const float *x = draw(c, r, VOLUME_STREAM, lanes * (VOXELS + 1), 2);
    return geometry_add_volume(c, lanes == 3 ? VOLUME_VEC3F : VOLUME_FLOAT32,
                               in_rows(c, x, lanes * sizeof *x), voxels, x + lanes * VOXELS, &map);
}

/* The volume's values as if they were an array. */
static void add_leaf(ctx *c, const sa_object *o, launch_args *args)
{
    const type *number = type_scalar(c, o->values & INPUTS_INTEGERS ? TYPE_INT32 : TYPE_FLOAT32);
    const type *elem = o->values & INPUTS_VECTORS ? type_vec(c, number, 3) : number;
    volume *v = volume_find(c, o->id);
    array_data *data = ARENA_NEW(args->a, array_data);
    array_view *view = ARENA_NEW(args->a, array_view);
    const int32_t size = (int32_t)layout_size(elem);
    WEFT_ASSERT(v && volume_value_size(volume_kind_of(v)) == (size_t)size);
    *data = (array_data){.name = o->stored,
                         .bytes = volume_place(v, (int32_t[3]){0, 0, 0}),
                         .size = VOXELS * (size_t)size};
    *view =
        (array_view){.data = data, .elem = elem, .ndim = 1, .shape = {VOXELS}, .strides = {size}};
    VEC_PUSH(args->a, &args->leaves,
             ((launch_leaf){.path = o->stored, .view = view, .type = elem}));
}

/* --- which parameters ------------------------------------------------------------------------- */

static bool is_points(const type *t)
{
    return t->kind == TYPE_ARRAY && t->ndim == 1 && t->array_class == ARRAY_PLAIN &&
           t->elem->kind == TYPE_VEC && t->elem->rows == 3 && t->elem->elem->kind == TYPE_FLOAT32;
}

/* The first array of points that the grid's points index; NULL: there is none. */
static const char *points_of(const code *f, const inputs_role *r)
{
    for (uint32_t i = 0; i < r->ntargets; i++)
        if (is_points(f->params[r->targets[i].param].type))
            return f->params[r->targets[i].param].name->s;
    return NULL;
}

static bool is_ids(const type *t)
{
    return t->kind == TYPE_ARRAY && t->ndim == 1 && t->array_class == ARRAY_PLAIN &&
           t->elem->kind == TYPE_UINT64;
}

/* How many uint64 a struct has, in its structs and arrays too. */
static uint32_t count_ids(const struct_def *st)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < st->nfields; i++) {
        const type *t = st->fields[i].type, *item = t->kind == TYPE_ARRAY ? t->elem : t;
        n += item->kind == TYPE_STRUCT ? count_ids(item->st) : item->kind == TYPE_UINT64;
    }
    return n;
}

/* The field of a struct that is the id; nfields: nobody knows which it is. */
static uint32_t id_field(const struct_def *st)
{
    const bool one = count_ids(st) == 1;
    for (uint32_t i = 0; one && i < st->nfields; i++)
        if (st->fields[i].type->kind == TYPE_UINT64)
            return i;
    return st->nfields;
}

bool sa_objects_find(ctx *c, const standalone_subject *s, sa_objects *out)
{
    const code *f = &s->kernel->code;
    const inputs_role *roles = inputs_roles(&c->module, s->ir, NULL);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        const unsigned kinds =
            roles[i].uses & (INPUTS_GRID | INPUTS_BVH | INPUTS_MESH | INPUTS_VOLUME);
        const bool array = is_ids(t);
        const uint32_t field = t->kind == TYPE_STRUCT ? id_field(t->st) : 0;
        const bool in_struct = t->kind == TYPE_STRUCT && field < t->st->nfields;
        if (!kinds)
            continue;
        if (!array && !in_struct && t->kind != TYPE_UINT64)
            return false;
        const bool stored = kinds == INPUTS_VOLUME && roles[i].uses & INPUTS_STORED;
        const sa_object o = {.arg = i,
                             .array = array,
                             .in_struct = in_struct,
                             .field = field,
                             .kind = kinds & INPUTS_MESH     ? CUDA_OBJECT_MESH
                                     : kinds & INPUTS_BVH    ? CUDA_OBJECT_BVH
                                     : kinds & INPUTS_VOLUME ? CUDA_OBJECT_VOLUME
                                                             : CUDA_OBJECT_GRID,
                             .values = roles[i].uses & (INPUTS_VECTORS | INPUTS_INTEGERS),
                             .stored = stored ? sa_form(c, "$.values", sym_str(f->params[i].name)).p
                                              : NULL,
                             .moves = kinds & INPUTS_MESH && sa_any_unit(s->ir, reads_velocities),
                             .path = points_of(f, &roles[i])};
        VEC_PUSH(&c->module, out, o);
    }
    return true;
}

static uint64_t make_object(ctx *c, const sa_run *r, sa_object *o, const launch_args *args)
{
    return o->kind == CUDA_OBJECT_MESH     ? make_mesh(c, r, o)
           : o->kind == CUDA_OBJECT_BVH    ? make_bvh(c, r)
           : o->kind == CUDA_OBJECT_VOLUME ? make_volume(c, r, o)
                                           : make_grid(c, r, o, args);
}

/* Into the struct's bytes, which a copy replaces. */
static void put_id(ctx *c, rvalue *of, const sa_object *o)
{
    char *bytes = arena_dup(&c->module, (const char *)of->bytes, layout_size(of->type));
    memcpy(bytes + layout_field(of->type->st, o->field), &o->id, sizeof o->id);
    of->bytes = (const uint8_t *)bytes;
}

/* Objects whose ids stand in arrays are made once for a run, so that the arrays stay the same
 * whenever its inputs are read again. */
void sa_objects_make(ctx *c, const sa_objects *all, sa_run *r, launch_args *args)
{
    const sa_objects old = r->objects;
    r->objects = (sa_objects){0};
    for (uint32_t i = 0; i < all->n; i++) {
        const bool kept = old.n == all->n && all->v[i].array;
        VEC_PUSH(&c->module, &r->objects, kept ? old.v[i] : all->v[i]);
        sa_object *o = &r->objects.v[i];
        o->id = kept ? o->id : make_object(c, r, o, args);
        const array_data *data = o->array ? args->values[o->arg].array->data : NULL;
        if (o->in_struct)
            put_id(c, &args->values[o->arg], o);
        else if (!o->array)
            args->values[o->arg].n = (num){.i = (int64_t)o->id};
        for (size_t at = 0; data && at + sizeof o->id <= data->size; at += sizeof o->id)
            memcpy(data->bytes + at, &o->id, sizeof o->id);
        if (o->stored)
            add_leaf(c, o, args);
    }
}

const sa_object *sa_object_of(const sa_run *r, uint32_t arg)
{
    for (uint32_t i = 0; i < r->objects.n; i++)
        if (r->objects.v[i].arg == arg)
            return &r->objects.v[i];
    return NULL;
}

/* --- the program's text ----------------------------------------------------------------------- */

static void put_vec3(strbuf *b, vec3 v)
{
    const float x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        sb_c(b, i ? ", " : "{");
        sa_put_number(b, TYPE_FLOAT32, (num){.f = x[i]});
    }
    sb_char(b, '}');
}

/* "static const vec3 mesh_points[12] = {{...}, ...};" */
static void put_points(sa_text *t, str name, const vec3 *v, int32_t n)
{
    sa_put(t->b, "    static const vec3 $[$] = {", name, sa_uint(t->c, (uint32_t)n));
    sa_list list = sa_list_begin(t->b);
    for (int32_t i = 0; i < n; i++) {
        strbuf b;
        sb_init(&b, &t->c->mem);
        put_vec3(&b, v[i]);
        sa_list_item(&list, sb_view(&b));
        sb_clear(&b);
    }
    SB_LIT(t->b, "};\n");
}

static void put_ints(sa_text *t, str name, const int32_t *v, int32_t n)
{
    sa_put(t->b, "    static const int $[$] = {", name, sa_uint(t->c, (uint32_t)n));
    sa_list list = sa_list_begin(t->b);
    for (int32_t i = 0; i < n; i++)
        sa_list_item(&list, sa_uint(t->c, (uint32_t)v[i]));
    SB_LIT(t->b, "};\n");
}

static void put_nodes(sa_text *t, str name, const geometry_tree *tree)
{
    sa_put(t->b, "    static const BvhNode $[$] = {\n", name,
           sa_uint(t->c, (uint32_t)tree->nnodes));
    for (int32_t i = 0; i < tree->nnodes; i++) {
        const bvh_node *n = &tree->nodes[i];
        SB_LIT(t->b, "        {");
        put_vec3(t->b, n->lower);
        SB_LIT(t->b, ", ");
        put_vec3(t->b, n->upper);
        sb_printf(t->b, ", %d, %d, %s},\n", n->first, n->second, n->leaf ? "true" : "false");
    }
    SB_LIT(t->b, "    };\n");
}

/* The tables of a tree, and the expression that holds their addresses. */
static str put_tree(sa_text *t, str of, const geometry_tree *tree)
{
    const str nodes = sa_free_name(t, sa_form(t->c, "$_nodes", of).p);
    const str items = sa_free_name(t, sa_form(t->c, "$_items", of).p);
    const str lowers = sa_free_name(t, sa_form(t->c, "$_lowers", of).p);
    const str uppers = sa_free_name(t, sa_form(t->c, "$_uppers", of).p);
    put_points(t, lowers, tree->lowers, tree->n);
    put_points(t, uppers, tree->uppers, tree->n);
    put_nodes(t, nodes, tree);
    put_ints(t, items, tree->items, tree->n);
    const str n = sa_uint(t->c, (uint32_t)tree->n), count = sa_uint(t->c, (uint32_t)tree->nnodes);
    const str first = sa_form(t->c, "{to_device($, $), to_device($, $),\n", nodes, count, items, n);
    return sa_form(t->c, "$        to_device($, $), to_device($, $), $}", first, lowers, n, uppers,
                   n, count);
}

/* An object on the device, and its address. */
static void put_address(sa_text *t, str name, const char *of, str host, str tables)
{
    sa_put(t->b, "    const $ $ = $;\n", str_c(of), host, tables);
    sa_put(t->b, "    const unsigned long long $ = (unsigned long long)to_device(&$, 1);\n", name,
           host);
}

static void put_mesh(sa_text *t, const sa_object *o, str name)
{
    geometry_tree tree;
    if (!geometry_tree_of(t->c, o->id, &tree))
        return;
    const str points = sa_free_name(t, sa_form(t->c, "$_points", name).p);
    const str indices = sa_free_name(t, sa_form(t->c, "$_indices", name).p);
    put_points(t, points, o->points, CORNERS);
    put_ints(t, indices, o->indices, 3 * TRIANGLES);
    str moving = STR("nullptr");
    if (o->velocities) {
        const str velocities = sa_free_name(t, sa_form(t->c, "$_velocities", name).p);
        put_points(t, velocities, o->velocities, CORNERS);
        moving = sa_form(t->c, "to_device($, $)", velocities, sa_uint(t->c, CORNERS));
    }
    const str box = put_tree(t, name, &tree);
    strbuf b;
    sb_init(&b, &t->c->mem);
    sa_put(&b, "{to_device($, $), $,\n        to_device($, $), $, $, $,\n        ", points,
           sa_uint(t->c, CORNERS), moving, indices, sa_uint(t->c, 3 * TRIANGLES),
           sa_uint(t->c, CORNERS), sa_uint(t->c, o->velocities ? CORNERS : 0),
           sa_uint(t->c, 3 * TRIANGLES));
    sa_put_number(&b, TYPE_FLOAT32, (num){.f = geometry_mesh_edge(t->c, o->id)});
    sa_put(&b, ", $}", box);
    const str tables = {arena_dup(&t->c->module, b.p, b.n), b.n};
    sb_clear(&b);
    put_address(t, name, "Mesh", sa_free_name(t, sa_form(t->c, "$_object", name).p), tables);
}

static void put_bvh(sa_text *t, const sa_object *o, str name)
{
    geometry_tree tree;
    if (!geometry_tree_of(t->c, o->id, &tree))
        return;
    const str tables = put_tree(t, name, &tree);
    put_address(t, name, "Bvh", sa_free_name(t, sa_form(t->c, "$_object", name).p), tables);
}

static void put_grid(sa_text *t, const sa_object *o, str name)
{
    const sa_column *col = o->path ? sa_column_find(t->run, str_c(o->path)) : NULL;
    str points = o->path ? str_c(o->path) : STR("");
    uint32_t n = col ? (uint32_t)(col->count / 3) : 0;
    for (uint32_t i = 0; col && i < t->k->forward_params.n; i++) {
        const cuda_param *p = &t->k->forward_params.v[i];
        if (p->kind == CUDA_PARAM_POINTER &&
            str_eq(sym_str(t->s->kernel->code.params[p->arg].name), str_c(o->path)))
            points = p->name;
    }
    if (!col) {
        n = (uint32_t)t->run->plan.dim[0];
        points = sa_free_name(t, sa_form(t->c, "$_points", name).p);
        t->helpers |= SA_FILL_FLOATS;
        sa_put(t->b, "    static vec3 $[$];\n    fill_floats((float *)", points, sa_uint(t->c, n));
        sa_put(t->b, "$, $, $u, 256, 2.0);\n", points, sa_uint(t->c, 3 * n),
               sa_uint(t->c, t->run->seed * SA_STREAMS + OWN_STREAM + 3));
    }
    t->helpers |= SA_HELPER_GRID;
    sa_put(t->b, "    const unsigned long long $ = make_hash_grid($, $, 0.5f, 8, 8, 8);\n", name,
           points, sa_uint(t->c, n));
}

static void put_volume(sa_text *t, const sa_object *o, str name)
{
    const bool vectors = o->values & INPUTS_VECTORS, whole = o->values & INPUTS_INTEGERS;
    const str values = sa_free_name(t, sa_form(t->c, "$_values", name).p);
    const str n = sa_uint(t->c, VOXELS + 1);
    sa_put(t->b, "    static $ $[$];\n",
           str_c(vectors ? "vec3"
                 : whole ? "int"
                         : "float"),
           values, n);
    if (whole) {
        t->helpers |= SA_HELPER_LATTICE;
        sa_put(t->b, "    fill_lattice($, $", values, n);
        for (int i = 0; i < 5; i++)
            sb_printf(t->b, ", %d", lattice[i]);
        SB_LIT(t->b, ");\n");
    } else {
        t->helpers |= SA_FILL_FLOATS;
        sa_put(t->b, "    fill_floats($$, $, $u, 256, 2.0);\n",
               vectors ? STR("(float *)") : STR(""), values,
               sa_uint(t->c, (vectors ? 3 : 1) * (VOXELS + 1)),
               sa_uint(t->c, t->run->seed * SA_STREAMS + OWN_STREAM + VOLUME_STREAM));
    }
    const str array = sa_form(t->c, "to_device($, $)", values, n), none = STR("nullptr");
    const str box = STR("{{0.25f, 0.5f, 0.25f}, {4.0f, 2.0f, 4.0f}, {-2.0f, -2.0f, -3.0f}, 16, 8, "
                        "24,\n        ");
    const str object = sa_free_name(t, sa_form(t->c, "$_object", name).p);
    put_address(t, name, "Volume", object,
                sa_form(t->c, "$$, $, $}", box, vectors || whole ? none : array,
                        vectors ? array : none, whole ? array : none));
    if (o->stored)
        VEC_PUSH(&t->c->module, &t->stored, ((sa_stored){o, values, object}));
}

void sa_put_stored(sa_text *t)
{
    for (uint32_t i = 0; i < t->stored.n; i++) {
        const sa_stored *s = &t->stored.v[i];
        const char *member = s->object->values & INPUTS_VECTORS    ? "vectors"
                             : s->object->values & INPUTS_INTEGERS ? "integers"
                                                                   : "floats";
        t->helpers |= SA_TO_HOST;
        sa_put(t->b, "    to_host($, $.$, $);\n", s->values, s->volume, str_c(member),
               sa_uint(t->c, VOXELS));
    }
}

void sa_put_object(sa_text *t, const sa_object *o, str name)
{
    t->helpers |= SA_TO_DEVICE;
    if (o->kind == CUDA_OBJECT_MESH)
        put_mesh(t, o, name);
    else if (o->kind == CUDA_OBJECT_BVH)
        put_bvh(t, o, name);
    else if (o->kind == CUDA_OBJECT_VOLUME)
        put_volume(t, o, name);
    else
        put_grid(t, o, name);
}
