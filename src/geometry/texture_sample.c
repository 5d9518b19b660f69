/* SPDX-License-Identifier: Apache-2.0 */
/* Texels, cells and samples of textures (texture.h). The order of operations is that of Warp 1.19
 * native/texture.h on a CPU: every step in float, the index of the closest texel in double.
 *
 *     4 texels, normalized, linear, 0.5    ->   0.5 * 4 - 0.5 = 1.5: half of texels 1 and 2
 *     4 texels, texels 0 1 2 3 3 2 1 0 ...: MIRROR;   ... 3 0 1 2 3 0: WRAP */
#include <math.h>

#include "base/assert.h"
#include "geometry/texture_internal.h"

static bool is_periodic(texture_address a)
{
    return a == TEXTURE_WRAP || a == TEXTURE_MIRROR;
}

/* Bounds x; NaN becomes `high`, as of C's fmin and fmax. */
static float bound(float x, float low, float high)
{
    const float y = x < high ? x : high;
    return y > low ? y : low;
}

/* --- texels ----------------------------------------------------------------------------------- */

int32_t texture_size(const texture *t, int level, int axis)
{
    WEFT_ASSERT(level >= 0 && level < t->form.levels && axis < TEXTURE_AXES);
    return t->levels[level].size[axis];
}

/* The index of a texel along an axis; negative: beyond a border. */
static int64_t address(texture_address mode, int64_t at, int64_t size)
{
    const int64_t period = mode == TEXTURE_MIRROR ? 2 * size : size;
    if (mode == TEXTURE_CLAMP)
        return at < 0 ? 0 : at >= size ? size - 1 : at;
    if (mode == TEXTURE_BORDER)
        return at < 0 || at >= size ? -1 : at;
    at %= period;
    at = at < 0 ? at + period : at;
    return at >= size ? period - at - 1 : at;
}

float texture_texel(const texture *t, int level, const int64_t at[TEXTURE_AXES], int channel)
{
    const texture_level *l = &t->levels[level];
    size_t place = 0;
    WEFT_ASSERT(level >= 0 && level < t->form.levels && channel >= 0);
    if (channel >= t->form.channels)
        return 0;
    for (int axis = t->form.ndim - 1; axis >= 0; axis--) {
        const int64_t i = address(t->form.address[axis], at[axis], l->size[axis]);
        if (i < 0)
            return 0;
        place = place * (size_t)l->size[axis] + (size_t)i;
    }
    return l->texels[place * (size_t)t->form.channels + (size_t)channel];
}

/* --- places ----------------------------------------------------------------------------------- */

/* Warp 1.19 cpu_nearest_texel_index, before its address mode. */
static bool find_closest(const texture *t, int level, int axis, float coordinate, int64_t *out)
{
    const double size = (double)t->levels[level].size[axis], base = (double)t->form.size[axis];
    const texture_address mode = t->form.address[axis];
    double x = (double)coordinate;
    if (is_periodic(mode))
        x = fmod(x, (t->form.normalized ? 1.0 : base) * (mode == TEXTURE_MIRROR ? 2.0 : 1.0));
    x = t->form.normalized ? x * size : x * size / base;
    if (!is_periodic(mode)) {
        x = x < size ? x : size;
        x = x > -1.0 ? x : -1.0;
    }
    if (x != x)
        return false;
    *out = (int64_t)floor(x);
    return true;
}

/* Warp 1.19 cpu_texture_normalized_coord and cpu_apply_address_mode_1d; where slopes are read,
 * texture_grad_cell. */
bool texture_find_cell(const texture *t, int level, int axis, float coordinate, float low,
                       texture_cell *out)
{
    const float size = (float)t->levels[level].size[axis], base = (float)t->form.size[axis];
    const float last = (float)(t->levels[level].size[axis] - 1);
    const texture_address mode = t->form.address[axis];
    float x = coordinate;
    if (is_periodic(mode)) {
        const float period =
            (t->form.normalized ? 1.0f : base) * (mode == TEXTURE_MIRROR ? 2.0f : 1.0f);
        x = fmodf(x, period);
        x = x < 0 ? x + period : x;
    }
    x = (t->form.normalized ? x : x / base) * size - 0.5f;
    if (x != x && is_periodic(mode))
        return false;
    const float inside = mode == TEXTURE_CLAMP    ? bound(x, low, last)
                         : mode == TEXTURE_BORDER ? bound(x, -2.0f, size)
                                                  : x;
    const float down = floorf(inside);
    out->at = (int64_t)down;
    out->rest = inside - down;
    out->edge = mode == TEXTURE_CLAMP ? !(x >= 0 && x <= last) : inside != x;
    return true;
}

/* Warp 1.19 cpu_sample_2d_channel: the closest level, or two. */
bool texture_find_levels(const texture *t, float lod, int levels[2], float *rest)
{
    const int last = t->form.levels - 1;
    const float x = lod < 0 ? 0 : lod > (float)last ? (float)last : lod;
    levels[0] = levels[1] = 0;
    *rest = 0;
    if (lod != lod)
        return false;
    if (t->form.mip_filter == TEXTURE_CLOSEST || !last) {
        const int closest = (int)floorf(x + 0.5f);
        levels[0] = levels[1] = closest > last ? last : closest;
        return true;
    }
    levels[0] = (int)floorf(x);
    *rest = x - (float)levels[0];
    levels[1] = levels[0] < last && *rest != 0 ? levels[0] + 1 : levels[0];
    return true;
}

/* --- samples ---------------------------------------------------------------------------------- */

static bool sample_closest(const texture *t, int level, const float *at, int lanes, float *out)
{
    int64_t texel[TEXTURE_AXES] = {0};
    for (int axis = 0; axis < t->form.ndim; axis++)
        if (!find_closest(t, level, axis, at[axis], &texel[axis]))
            return false;
    for (int i = 0; i < lanes; i++)
        out[i] = texture_texel(t, level, texel, i);
    return true;
}

/* Between the corners of a cell: along u first, w last. */
static float between(const texture *t, int level, const texture_cell *cells, int channel)
{
    float v[1 << TEXTURE_AXES];
    int n = 1 << t->form.ndim;
    for (int corner = 0; corner < n; corner++) {
        int64_t at[TEXTURE_AXES] = {0};
        for (int axis = 0; axis < t->form.ndim; axis++)
            at[axis] = cells[axis].at + (corner >> axis & 1);
        v[corner] = texture_texel(t, level, at, channel);
    }
    for (int axis = 0; axis < t->form.ndim; axis++) {
        n /= 2;
        for (int i = 0; i < n; i++)
            v[i] = v[2 * i] * (1.0f - cells[axis].rest) + v[2 * i + 1] * cells[axis].rest;
    }
    return v[0];
}

bool texture_sample_level(const texture *t, int level, const float *at, int lanes, float *out)
{
    texture_cell cells[TEXTURE_AXES];
    if (t->form.filter == TEXTURE_CLOSEST)
        return sample_closest(t, level, at, lanes, out);
    for (int axis = 0; axis < t->form.ndim; axis++)
        if (!texture_find_cell(t, level, axis, at[axis], 0, &cells[axis]))
            return false;
    for (int i = 0; i < lanes; i++)
        out[i] = between(t, level, cells, i);
    return true;
}

bool texture_sample(const texture *t, const float *at, float lod, int lanes, float *out)
{
    float second[TEXTURE_CHANNELS], rest;
    int levels[2];
    WEFT_ASSERT(lanes <= TEXTURE_CHANNELS);
    if (!texture_find_levels(t, lod, levels, &rest) ||
        !texture_sample_level(t, levels[0], at, lanes, out))
        return false;
    if (levels[0] == levels[1])
        return true;
    if (!texture_sample_level(t, levels[1], at, lanes, second))
        return false;
    for (int i = 0; i < lanes; i++)
        out[i] = out[i] * (1.0f - rest) + second[i] * rest;
    return true;
}
