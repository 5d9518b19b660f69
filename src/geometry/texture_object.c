/* SPDX-License-Identifier: Apache-2.0 */
/* Textures made from arrays, with their mip levels (texture.h). After Warp 1.19 _src/texture.py.
 *
 *     5 x 3 texels: levels of 5 x 3, 2 x 1, 1 x 1
 *     uint8 [0, 255, 255, 9, 9]   ->   level 1 is [128, 132]: pairs, rounded, ties to even
 *
 * Texels are kept as what a kernel reads: uint8 128 is 128 / 255. */
#include "geometry/geometry_internal.h"
#include "geometry/texture_internal.h"

/* Items of all levels at most: 512 MiB of floats. */
enum { TEXELS_MAX = 1 << 27 };

static bool is_word(const texture_form *f)
{
    return f->items == TEXTURE_UINT32 || f->items == TEXTURE_INT32;
}

/* Levels down to one texel. */
static int32_t all_levels(const texture_form *f)
{
    int32_t most = 1, n = 1;
    for (int i = 0; i < f->ndim; i++)
        most = f->size[i] > most ? f->size[i] : most;
    for (; most > 1; most /= 2)
        n++;
    return n;
}

/* Warp 1.19 Texture.__init__ */
const char *texture_misfit(const texture_form *f)
{
    int64_t n = f->channels;
    WEFT_ASSERT(f->ndim >= 1 && f->ndim <= TEXTURE_AXES);
    if (f->channels != 1 && f->channels != 2 && f->channels != 4)
        return "a texture has 1, 2 or 4 channels";
    for (int i = 0; i < f->ndim; i++) {
        if (f->size[i] < 1)
            return "a texture has a texel at least";
        n *= f->size[i];
        if (n > TEXELS_MAX)
            return "a texture has 134217728 numbers at most";
    }
    if (f->levels < 0 || f->levels > all_levels(f))
        return "a texture has no more levels than halve it down to one texel";
    if ((f->levels ? f->levels : all_levels(f)) > TEXTURE_LEVELS)
        return "a texture has 16 levels at most";
    if (is_word(f) && f->filter != TEXTURE_CLOSEST)
        return "textures of int32 and uint32 have filter=closest";
    if (is_word(f) && f->levels != 1 && f->mip_filter != TEXTURE_CLOSEST)
        return "textures of int32 and uint32 have mipfilter=closest";
    return NULL;
}

/* --- items ------------------------------------------------------------------------------------ */

/* The float16 next to x, ties to even. */
static double round_half(double x)
{
    int e;
    if (!(fabs(x) < 65520))
        return x != x ? x : copysign((double)INFINITY, x);
    frexp(x, &e);
    const double unit = ldexp(1, (e < -13 ? -13 : e) - 11);
    return rint(x / unit) * unit;
}

/* The mean of items as an item. */
static double round_item(texture_items items, double x)
{
    switch (items) {
    case TEXTURE_FLOAT32: return (double)(float)x;
    case TEXTURE_FLOAT16: return round_half(x);
    default: return rint(x) + 0.0; /* means of items fit; an integer has no -0 */
    }
}

/* Warp 1.19 cpu_decode_texel */
static float read_item(texture_items items, double x)
{
    const float f = (float)x;
    switch (items) {
    case TEXTURE_UINT8: return f / 255.0f;
    case TEXTURE_UINT16: return f / 65535.0f;
    case TEXTURE_INT8: return f / 127.0f < -1.0f ? -1.0f : f / 127.0f;
    case TEXTURE_INT16: return f / 32767.0f < -1.0f ? -1.0f : f / 32767.0f;
    default: return f;
    }
}

/* --- levels ----------------------------------------------------------------------------------- */

/* An array seen along one axis: `outer` rows of `n` items that are `inner` numbers wide. */
typedef struct axis_view {
    size_t outer, n, inner;
} axis_view;

static axis_view view_along(const int32_t size[TEXTURE_AXES], int axis, int32_t channels)
{
    axis_view v = {1, (size_t)size[axis], (size_t)channels};
    for (int i = 0; i < axis; i++)
        v.inner *= (size_t)size[i];
    for (int i = axis + 1; i < TEXTURE_AXES; i++)
        v.outer *= (size_t)size[i];
    return v;
}

/* Means of pairs along an axis, in place; an odd last item is left out. */
static void halve(double *items, axis_view v)
{
    const size_t half = v.n / 2;
    for (size_t row = 0; row < v.outer; row++)
        for (size_t k = 0; k < half * v.inner; k++) {
            const double *from = items + (row * v.n + k / v.inner * 2) * v.inner + k % v.inner;
            items[row * half * v.inner + k] = (from[0] + from[v.inner]) * 0.5;
        }
}

/* Warp 1.19 Texture._generate_mipmap_chain: all axes in double, then rounded to an item. */
static void halve_all(const texture_form *f, int32_t size[TEXTURE_AXES], double *items)
{
    size_t n = (size_t)f->channels;
    for (int axis = 0; axis < f->ndim; axis++) {
        if (size[axis] > 1) {
            halve(items, view_along(size, axis, f->channels));
            size[axis] /= 2;
        }
        n *= (size_t)size[axis];
    }
    for (size_t i = 0; i < n; i++)
        items[i] = round_item(f->items, items[i]);
}

static size_t count_of(const texture_form *f, const int32_t size[TEXTURE_AXES])
{
    size_t n = (size_t)f->channels;
    for (int i = 0; i < f->ndim; i++)
        n *= (size_t)size[i];
    return n;
}

/* A texture without levels yet. */
static texture *new_texture(ctx *c, const texture_form *form)
{
    texture *t = ARENA_NEW(&c->module, texture);
    WEFT_ASSERT(!texture_misfit(form));
    t->form = *form;
    t->form.levels = form->levels ? form->levels : all_levels(form);
    for (int i = form->ndim; i < TEXTURE_AXES; i++)
        t->form.size[i] = 1;
    return t;
}

/* Are they alike in all but the number of levels? */
static bool same_form(const texture_form *a, const texture_form *b)
{
    bool same = a->ndim == b->ndim && a->channels == b->channels && a->items == b->items &&
                a->filter == b->filter && a->mip_filter == b->mip_filter &&
                a->normalized == b->normalized;
    for (int i = 0; same && i < a->ndim; i++)
        same = a->size[i] == b->size[i] && a->address[i] == b->address[i];
    return same;
}

/* Is it the texture of this form, with these texels on all its levels? */
static bool is_texture_of(const texture *t, const texture_form *form, const float *texels)
{
    if (t->form.levels != form->levels || !same_form(&t->form, form))
        return false;
    for (int level = 0; level < form->levels; level++) {
        const size_t n = count_of(form, t->levels[level].size);
        if (memcmp(t->levels[level].texels, texels, n * sizeof *texels))
            return false;
        texels += n;
    }
    return true;
}

/* The texture that is there already; 0: there is none. The search for telling inputs makes the same
 * ones for each run. */
static uint64_t find_levels(const ctx *c, const texture_form *form, const float *texels)
{
    const uint32_t n = c->geometry ? c->geometry->objects.n : 0;
    for (uint64_t id = 1; id <= n; id++) {
        const texture *t = texture_find(c, id);
        if (t && is_texture_of(t, form, texels))
            return id;
    }
    return 0;
}

uint64_t geometry_add_texture_levels(ctx *c, const texture_form *form, const float *texels)
{
    WEFT_ASSERT(form->levels && form->items == TEXTURE_FLOAT32);
    const uint64_t there = find_levels(c, form, texels);
    if (there)
        return there;
    texture *t = new_texture(c, form);
    int32_t size[TEXTURE_AXES];
    memcpy(size, t->form.size, sizeof size);
    for (int level = 0; level < form->levels; level++) {
        const size_t n = count_of(form, size);
        float *kept = ARENA_ARRAY(&c->module, float, n);
        memcpy(kept, texels, n * sizeof *kept);
        t->levels[level] = (texture_level){{size[0], size[1], size[2]}, kept};
        texels += n;
        for (int i = 0; i < TEXTURE_AXES; i++)
            size[i] = size[i] > 1 ? size[i] / 2 : 1;
    }
    return geometry_add(c, (geometry_object){.texture = t});
}

uint64_t geometry_add_texture(ctx *c, const texture_form *form, const double *items)
{
    texture *t = new_texture(c, form);
    int32_t size[TEXTURE_AXES];
    memcpy(size, t->form.size, sizeof size);
    const size_t whole = count_of(form, size);
    double *now = ARENA_ARRAY(&c->module, double, whole);
    memcpy(now, items, whole * sizeof *now);
    for (int level = 0; level < t->form.levels; level++) {
        const size_t n = count_of(form, size);
        float *texels = ARENA_ARRAY(&c->module, float, n);
        for (size_t i = 0; i < n; i++)
            texels[i] = read_item(form->items, now[i]);
        t->levels[level] = (texture_level){{size[0], size[1], size[2]}, texels};
        if (level + 1 < t->form.levels)
            halve_all(form, size, now);
    }
    return geometry_add(c, (geometry_object){.texture = t});
}

const texture *texture_find(const ctx *c, uint64_t id)
{
    return geometry_find(c, id).texture;
}

const texture_form *texture_form_of(const texture *t)
{
    return &t->form;
}
