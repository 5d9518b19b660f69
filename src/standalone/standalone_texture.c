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
    float *texels = ARENA_ARRAY(&c->module, float, (size_t)DIFFERENT *n);
    sa_fill_items(&fill, (uint8_t *)texels, (size_t)different * n);
    if (in->disturbed)
        tolerance_disturb(TYPE_FLOAT32, (uint8_t *)texels, (size_t)different * n, fill.stream);
    for (uint32_t i = 0; i < different; i++) {
        const uint64_t id = geometry_add_texture_levels(c, &f, texels + (size_t)i * n);
        texture_value(c, id, to + i * layout_size(t), layout_size(t));
        VEC_PUSH(in->a, &in->textures, ((sa_texture){id, fill.stream}));
    }
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

void sa_put_textures(sa_text *t, str name, const array_view *v)
{
    const uint32_t items = (uint32_t)v->shape[0], n = items < DIFFERENT ? items : DIFFERENT;
    str count, rest;
    if (!items)
        return;
    const str texels = put_texels(t, name, v->data->bytes, n, &count, &rest);
    sa_put(t->b, "    static Texture $[$];\n    for (int i = 0; i < $; i++)\n", name,
           sa_uint(t->c, items), sa_uint(t->c, items));
    sa_put(t->b, "        $[i] = {to_device($ + i % $ * $, $), $};\n", name, texels,
           sa_uint(t->c, n), count, count, rest);
}
