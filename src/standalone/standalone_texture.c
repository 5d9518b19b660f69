/* SPDX-License-Identifier: Apache-2.0 */
/* Textures among the inputs of a kernel: made for its runs, and in the program's main.
 *
 *     image: wp.Texture2D     static float image_texels[768];
 *                             fill_floats(image_texels, 768, 70u, 256, 2.0);
 *                             const Texture image = {to_device(image_texels, 768),
 *                                                    16, 12, 1, 4, 1};
 *
 * They are filtered, their coordinates are in texels, and beyond their edges they begin again: so
 * every coordinate counts, whatever a kernel takes it for. Further levels have numbers of their
 * own. A program without levels of detail has the first level alone; the runs have all, since a
 * changed kernel may read them. */
#include "cudarule/cudarule_object.h"
#include "geometry/texture.h"
#include "standalone/standalone_internal.h"

/* DIFFERENT: textures of an array, whose items they are in turn. */
enum { STEPS = 256, LEVELS = 3, DIFFERENT = 3 };

static texture_form form_of(int axes, int32_t levels)
{
    static const int32_t sizes[TEXTURE_AXES][TEXTURE_AXES] = {{24}, {16, 12}, {12, 8, 10}};
    texture_form f = {.ndim = axes,
                      .channels = TEXTURE_CHANNELS,
                      .items = TEXTURE_FLOAT32,
                      .filter = TEXTURE_LINEAR,
                      .mip_filter = TEXTURE_LINEAR,
                      .levels = levels};
    memcpy(f.size, sizes[axes - 1], sizeof f.size);
    return f; /* its address modes are TEXTURE_WRAP */
}

static uint32_t count_of(const texture_form *f, int32_t levels)
{
    uint32_t n = 0;
    for (int level = 0; level < levels; level++) {
        uint32_t one = (uint32_t)f->channels;
        for (int i = 0; i < f->ndim; i++)
            one *= (uint32_t)(f->size[i] >> level);
        n += one;
    }
    return n;
}

void sa_textures_make(sa_inputs *in, ctx *c, const type *t, size_t items, uint8_t *to)
{
    const bool read = items == 1 || in->objects & CUDA_OBJECT_LEVELS;
    const texture_form f = form_of(texture_axes(t), read ? LEVELS : 1);
    const uint32_t n = count_of(&f, f.levels),
                   different = items < DIFFERENT ? (uint32_t)items : DIFFERENT;
    const sa_fill fill = {.scalar = TYPE_FLOAT32,
                          .stream = in->seed * SA_STREAMS + ++in->next,
                          .steps = STEPS,
                          .largest = 2};
    const arena_mark mark = arena_save(&c->scratch);
    float *texels = ARENA_ARRAY(&c->scratch, float, (size_t)DIFFERENT *n);
    sa_fill_items(&fill, (uint8_t *)texels, (size_t)different * n);
    if (in->disturbed)
        tolerance_disturb(TYPE_FLOAT32, (uint8_t *)texels, (size_t)different * n, fill.stream);
    for (uint32_t i = 0; i < different; i++) {
        const uint64_t id = geometry_add_texture_levels(c, &f, texels + (size_t)i * n);
        texture_value(c, id, to + i * layout_size(t), layout_size(t));
        VEC_PUSH(in->a, &in->textures, ((sa_texture){id, fill.stream}));
    }
    arena_rewind(&c->scratch, mark);
    for (size_t i = different; i < items; i++)
        memcpy(to + i * layout_size(t), to + i % DIFFERENT * layout_size(t), layout_size(t));
}

/* --- the program's text ----------------------------------------------------------------------- */

/* The texels of so many textures, of which these are the bytes of the first, as an array of main.
 * Sets how many numbers one has, and what stands behind them in its initializer. */
static str put_texels(sa_text *t, str name, const uint8_t *bytes, uint32_t items, str *count,
                      str *rest)
{
    const str texels = sa_free_name(t, sa_form(t->c, "$_texels", name).p);
    uint64_t id;
    uint32_t stream = 0;
    memcpy(&id, bytes, sizeof id);
    for (uint32_t i = 0; i < t->run->inputs.textures.n; i++)
        if (t->run->inputs.textures.v[i].id == id)
            stream = t->run->inputs.textures.v[i].stream;
    const texture_form *f = texture_form_of(texture_find(t->c, id));
    const int32_t levels = t->k->objects & CUDA_OBJECT_LEVELS ? LEVELS : 1;
    const uint32_t n = count_of(f, levels);
    const str all = sa_uint(t->c, items * n);
    t->helpers |= SA_FILL_FLOATS | SA_TO_DEVICE;
    sa_put(t->b, "    static float $[$];\n", texels, all);
    sa_put(t->b, "    fill_floats($, $, $u, 256, 2.0);\n", texels, all, sa_uint(t->c, stream));
    *count = sa_uint(t->c, n);
    *rest = str_c(arena_printf(&t->c->module, "%d, %d, %d, %d, %d", f->size[0], f->size[1],
                               f->size[2], f->channels, levels));
    return texels;
}

void sa_put_texture(sa_text *t, bool declares, str name, const uint8_t *bytes)
{
    char *flat = arena_dup(&t->c->module, name.p, name.n); /* "layer_image" of layer.image */
    str count, rest;
    for (char *p = flat; *p; p++)
        *p = *p == '.' ? '_' : *p;
    const str texels = put_texels(t, str_c(flat), bytes, 1, &count, &rest);
    sa_put(t->b, declares ? "    const Texture $ = " : "    $ = Texture", name);
    sa_put(t->b, "{to_device($, $), $};\n", texels, count, rest);
}

/* The textures of an array's items, or of the member of them behind `member`, ".image"; `bytes` are
 * those of the first. */
static void put_items(sa_text *t, str name, str member, const uint8_t *bytes, uint32_t items)
{
    const uint32_t n = items < DIFFERENT ? items : DIFFERENT;
    char *flat = arena_dup(&t->c->module, member.p, member.n);
    str count, rest;
    for (char *p = flat; *p; p++)
        *p = *p == '.' ? '_' : *p;
    const str texels =
        put_texels(t, sa_form(t->c, "$$", name, str_c(flat)), bytes, n, &count, &rest);
    sa_put(t->b, "    for (int i = 0; i < $; i++)\n", sa_uint(t->c, items));
    sa_put(t->b, "        $[i]$ = Texture{to_device($ + i % $ * $, $),\n", name, member, texels,
           sa_uint(t->c, n), count, count);
    sa_put(t->b, "                         $};\n", rest);
}

static bool holds_texture(const type *st)
{
    for (uint32_t i = 0; i < st->st->nfields; i++) {
        const type *t = st->st->fields[i].type;
        if (texture_axes(t) || (t->kind == TYPE_STRUCT && holds_texture(t)))
            return true;
    }
    return false;
}

static void put_fields(sa_text *t, const type *st, str name, str member, const uint8_t *bytes,
                       uint32_t items)
{
    const cuda_struct *s = sa_struct_of(t, st);
    for (uint32_t i = 0; s && i < s->nmembers; i++) {
        const cuda_param *m = &s->members[i];
        const str path = sa_form(t->c, "$.$", member, m->name);
        const uint8_t *at = bytes + layout_field(s->def, m->arg);
        if (m->kind == CUDA_PARAM_VALUE && m->type->kind == TYPE_STRUCT)
            put_fields(t, m->type, name, path, at, items);
        else if (m->kind == CUDA_PARAM_VALUE && texture_axes(m->type))
            put_items(t, name, path, at, items);
    }
}

/* Is there a column of the array, so that main has it already? */
static bool has_column(const sa_text *t, const char *array)
{
    const size_t n = strlen(array);
    for (uint32_t i = 0; i < t->run->columns.n; i++)
        if (strncmp(t->run->columns.v[i].path, array, n) == 0 &&
            t->run->columns.v[i].path[n] == '.')
            return true;
    return false;
}

void sa_put_textures(sa_text *t, str item, str name, const array_view *v)
{
    const uint32_t items = v->data ? (uint32_t)(v->data->size / layout_size(v->elem)) : 0;
    const bool structs = v->elem->kind == TYPE_STRUCT;
    if (!items || (structs ? !holds_texture(v->elem) : !texture_axes(v->elem)))
        return;
    if (!structs || !has_column(t, v->data->name))
        sa_put(t->b, "    static $ $[$];\n", item, name, sa_uint(t->c, items));
    if (structs)
        put_fields(t, v->elem, name, STR(""), v->data->bytes, items);
    else
        put_items(t, name, STR(""), v->data->bytes, items);
}
