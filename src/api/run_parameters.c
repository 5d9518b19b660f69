/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel takes, for a caller whose arguments do not fit it:
 *
 *     def k(x: wp.array(dtype=wp.vec3), p: Params)
 *     ->   {"x", "array(ndim=1, dtype=vec3f)", "zeros:8x3"}, {"p.mass", "float32", "1.0"} */
#include "api/run_request.h"
#include "inputs/inputs.h"

/* The list in work. */
typedef struct parameter_list {
    run_request *r;
    ctx *c;
    const inputs_role *roles; /* of the kernel's parameters */
    unsigned uses;            /* of the one in work */
    VEC(weft_parameter) all;
} parameter_list;

/* Is there an argument of this name, of a field below it, or of what it is a field of? */
static bool is_given(const run_request *r, const char *name)
{
    for (size_t i = 0; i < r->o.argument_count; i++) {
        const char *given = r->args[i].name;
        size_t n = 0;
        while (name[n] && name[n] == given[n])
            n++;
        if ((!name[n] && (!given[n] || given[n] == '.')) || (name[n] == '.' && !given[n]))
            return true;
    }
    return false;
}

/* "[0, 0, 0]" for a vec3. */
static const char *composite_example(ctx *c, const type *t)
{
    strbuf b;
    sb_init(&b, &c->mem);
    SB_LIT(&b, "[");
    for (int i = 0; i < lane_count(t); i++)
        sb_c(&b, i ? ",0" : "0");
    SB_LIT(&b, "]");
    const char *text = arena_dup(&c->module, b.p, b.n);
    sb_clear(&b);
    return text;
}

/* The id of an object, by what the kernel does with it. NULL: it is none. */
static const char *object_example(unsigned uses)
{
    return uses & INPUTS_MESH     ? "@MESH.obj"
           : uses & INPUTS_BVH    ? "bvh:@LOWERS.npy,@UPPERS.npy"
           : uses & INPUTS_GRID   ? "hashgrid:@POINTS.npy,0.5"
           : uses & INPUTS_VOLUME ? "volume:@VALUES.npy,voxel=0.1"
                                  : NULL;
}

static const char *example_of(const parameter_list *l, const type *t)
{
    const run_request *r = l->r;
    const char *object = t->kind == TYPE_UINT64 ? object_example(l->uses) : NULL;
    if (object)
        return object;
    if (texture_axes(t) || (t->kind == TYPE_ARRAY && texture_axes(t->elem)))
        return "texture:@TEXELS.npy";
    if (t->kind == TYPE_ARRAY)
        return run_example(r, t->elem, t->ndim, NULL);
    if (type_is_composite(t))
        return composite_example(&r->c->p.c, t);
    return t->kind == TYPE_BOOL ? "true" : type_is_float(t) ? "1.0" : "1";
}

/* The fields of an array of structs, down through nested structs. */
static void add_fields(parameter_list *l, const char *name, const struct_def *st, int ndim)
{
    ctx *c = l->c;
    for (uint32_t i = 0; i < st->nfields; i++) {
        const struct_field *f = &st->fields[i];
        const char *path = arena_printf(&c->module, "%s.%s", name, f->name->s);
        if (f->type->kind == TYPE_STRUCT) {
            add_fields(l, path, f->type->st, ndim);
        } else if (type_is_value(f->type)) {
            const weft_parameter p = {.name = path,
                                      .type = launch_type_name(c, f->type),
                                      .example = run_example(l->r, f->type, ndim, NULL),
                                      .given = is_given(l->r, path),
                                      .field = 1};
            VEC_PUSH(&c->module, &l->all, p);
        }
    }
}

static void add(parameter_list *l, const char *name, const type *t)
{
    ctx *c = l->c;
    if (t->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < t->st->nfields; i++) {
            const struct_field *f = &t->st->fields[i];
            add(l, arena_printf(&c->module, "%s.%s", name, f->name->s), f->type);
        }
        return;
    }
    const weft_parameter p = {.name = name,
                              .type = launch_type_name(c, t),
                              .example = example_of(l, t),
                              .given = is_given(l->r, name)};
    VEC_PUSH(&c->module, &l->all, p);
    if (t->kind == TYPE_ARRAY && t->elem->kind == TYPE_STRUCT)
        add_fields(l, name, t->elem->st, t->ndim);
}

void run_list_parameters(run_request *r, const kernel *k)
{
    ctx *c = &r->c->p.c;
    parameter_list l = {
        .r = r, .c = c, .roles = inputs_roles(&c->module, r->job.compiled.ir, NULL)};
    for (uint32_t i = 0; i < k->code.nparams; i++) {
        l.uses = l.roles[i].uses;
        add(&l, k->code.params[i].name->s, k->code.params[i].type);
    }
    r->result.parameters = l.all.v;
    r->result.parameter_count = l.all.n;
}
