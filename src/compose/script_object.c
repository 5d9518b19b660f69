/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes, hierarchies of boxes and hash grids of a script, built as Warp's examples build them.
 *
 *     grid = wp.HashGrid(8, 8, 8)
 *     grid.build(positions, radius)          of the array that has the points of the kernel
 */
#include "compose/script_internal.h"
#include "geometry/geometry.h"

/* The array of positions that the kernel has for what the object is made of; NULL: there is none.
 */
static const script_var *points_of(const scripter *s, const script_var *v)
{
    const script_kernel *k = &s->kernels[v->kernel];
    const lib_field *f = k->p.field;
    const plan_axis axis = str_eq(f->other.one, f->element.one) ? AXIS_ELEMENT : AXIS_OTHER;
    for (uint8_t i = 0; i < k->p.nargs; i++) {
        const script_var *p = &s->vars[k->params[i]];
        if (p->kind == VAR_ARRAY && p->arg.role == ROLE_QUANTITY && p->arg.axis == axis &&
            !p->arg.shape && p->drawn && !p->written && p->ndim == 1 && p->rows == 3 &&
            p->cols == 1 && str_eq(p->arg.of->unit, STR("m")))
            return p;
    }
    return NULL;
}

/* How far the kernel reaches, as a variable. */
static const script_var *reach_of(const scripter *s, const script_var *v)
{
    const script_kernel *k = &s->kernels[v->kernel];
    for (uint8_t i = 0; i < k->p.nargs; i++) {
        const plan_arg *a = &k->p.args[i];
        if (a->template_name && str_eq(sym_str(a->template_name), STR("radius")) &&
            s->vars[k->params[i]].kind == VAR_SCALAR)
            return &s->vars[k->params[i]];
    }
    return NULL;
}

static float float_at(const script_var *v, size_t lane)
{
    return (float)num_load(TYPE_FLOAT32, v->bytes + 4 * lane).f;
}

/* Points of the object's own, if the kernel has none. */
static const vec3 *draw_points(scripter *s, script_var *v, int64_t n, str *name)
{
    const str size = s->letter_names['o' - 'a'];
    s->letter_used['o' - 'a'] = true;
    *name = script_name(s, STR("points"));
    vec3 *p = ARENA_ARRAY(&s->p.c.module, vec3, (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        float x[3];
        for (int k = 0; k < 3; k++)
            x[k] = (float)numpy_uniform(&s->random, -1, 1);
        p[i] = (vec3){x[0], x[1], x[2]};
    }
    v->before = str_c(arena_printf(
        &s->c->text, "    %.*s = wp.array(rng.uniform(-1.0, 1.0, (%.*s, 3)), dtype=wp.vec3)\n",
        (int)name->n, name->p, (int)size.n, size.p));
    return p;
}

static const vec3 *take_points(scripter *s, script_var *v, int32_t *n, str *name)
{
    const script_var *points = points_of(s, v);
    *n = (int32_t)s->letters['o' - 'a'];
    if (!points)
        return draw_points(s, v, *n, name);
    *n = (int32_t)points->shape[0];
    *name = points->name;
    vec3 *p = ARENA_ARRAY(&s->p.c.module, vec3, (size_t)*n);
    for (size_t i = 0; i < (size_t)*n; i++)
        p[i] = (vec3){float_at(points, 3 * i), float_at(points, 3 * i + 1),
                      float_at(points, 3 * i + 2)};
    return p;
}

static void make_grid(scripter *s, script_var *v)
{
    static const int32_t cells[3] = {8, 8, 8};
    const script_var *reach = reach_of(s, v);
    int32_t n;
    str name;
    const vec3 *p = take_points(s, v, &n, &name);
    const float width = reach ? float_at(reach, 0) : 0.5f;
    const str radius = reach ? reach->name : STR("0.5");
    v->id = geometry_add_hash_grid(&s->p.c, p, n, width, cells);
    v->text = STR("wp.HashGrid(8, 8, 8)");
    v->after = str_c(arena_printf(&s->c->text, "    %.*s.build(%.*s, %.*s)\n", (int)v->name.n,
                                  v->name.p, (int)name.n, name.p, (int)radius.n, radius.p));
}

/* Boxes around the points. */
static void make_boxes(scripter *s, script_var *v)
{
    const float half = 0.25f;
    int32_t n;
    str name;
    const vec3 *p = take_points(s, v, &n, &name);
    vec3 *lower = ARENA_ARRAY(&s->p.c.module, vec3, (size_t)n);
    vec3 *upper = ARENA_ARRAY(&s->p.c.module, vec3, (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        lower[i] = (vec3){p[i].x - half, p[i].y - half, p[i].z - half};
        upper[i] = (vec3){p[i].x + half, p[i].y + half, p[i].z + half};
    }
    v->id = geometry_add_bvh(&s->p.c, lower, upper, n);
    const str lo = script_name(s, STR("box_lowers")), up = script_name(s, STR("box_uppers"));
    v->before = str_c(arena_printf(&s->c->text,
                                   "%.*s    %.*s = wp.array(%.*s.numpy() - 0.25, dtype=wp.vec3)\n"
                                   "    %.*s = wp.array(%.*s.numpy() + 0.25, dtype=wp.vec3)\n",
                                   (int)v->before.n, v->before.p, (int)lo.n, lo.p, (int)name.n,
                                   name.p, (int)up.n, up.p, (int)name.n, name.p));
    v->text =
        str_c(arena_printf(&s->c->text, "wp.Bvh(%.*s, %.*s)", (int)lo.n, lo.p, (int)up.n, up.p));
}

/* An octahedron out of shape, with velocities. */
static void make_mesh(scripter *s, script_var *v)
{
    static const float corners[6][3] = {{1.2f, 0.1f, 0}, {-1.1f, 0, 0.2f}, {0, 1.3f, 0.1f},
                                        {0.1f, -1, 0},   {0, 0.2f, 1.1f},  {-0.1f, 0, -1.2f}};
    static const int32_t faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                      2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    const bool moves = str_contains(sb_view(&s->c->source), STR("mesh_eval_velocity"));
    const str points = script_name(s, STR("mesh_points")),
              tris = script_name(s, STR("mesh_indices"));
    const str speeds = moves ? script_name(s, STR("mesh_velocities")) : STR("");
    vec3 *p = ARENA_ARRAY(&s->p.c.module, vec3, 6), *u = ARENA_ARRAY(&s->p.c.module, vec3, 6);
    for (int i = 0; i < 6; i++)
        p[i] = (vec3){corners[i][0], corners[i][1], corners[i][2]};
    for (int i = 0; moves && i < 6; i++) {
        float x[3];
        for (int k = 0; k < 3; k++)
            x[k] = (float)numpy_uniform(&s->random, -1, 1);
        u[i] = (vec3){x[0], x[1], x[2]};
    }
    int32_t *indices = ARENA_ARRAY(&s->p.c.module, int32_t, 24);
    memcpy(indices, faces, sizeof faces);
    v->id = geometry_add_mesh(&s->p.c, p, moves ? u : NULL, 6, indices, 8);
    strbuf b;
    sb_init(&b, s->c->m);
    sb_printf(&b,
              "    %.*s = [\n"
              "        [1.2, 0.1, 0.0],\n        [-1.1, 0.0, 0.2],\n        [0.0, 1.3, 0.1],\n"
              "        [0.1, -1.0, 0.0],\n        [0.0, 0.2, 1.1],\n        [-0.1, 0.0, -1.2],\n"
              "    ]\n"
              "    %.*s = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, "
              "5]\n",
              (int)points.n, points.p, (int)tris.n, tris.p);
    if (moves)
        sb_printf(&b, "    %.*s = rng.uniform(-1.0, 1.0, (6, 3))\n", (int)speeds.n, speeds.p);
    v->before = expr_keep(s->c, &b, 0);
    sb_clear(&b);
    const char *velocities =
        moves ? arena_printf(&s->c->text, "        velocities=wp.array(%.*s, dtype=wp.vec3),\n",
                             (int)speeds.n, speeds.p)
              : "";
    v->text = str_c(arena_printf(&s->c->text,
                                 "wp.Mesh(\n        points=wp.array(%.*s, dtype=wp.vec3),\n"
                                 "        indices=wp.array(%.*s, dtype=int),\n%s    )",
                                 (int)points.n, points.p, (int)tris.n, tris.p, velocities));
}

void script_make_object(scripter *s, script_var *v)
{
    v->bytes = arena_zero(&s->p.c.module, 16);
    v->scalar = TYPE_UINT64;
    switch (v->kind) {
    case VAR_GRID: make_grid(s, v); break;
    case VAR_BVH: make_boxes(s, v); break;
    default: make_mesh(s, v);
    }
    num_store(TYPE_UINT64, v->bytes, (num){.i = (int64_t)v->id});
}
