/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of textures as operations: the glue between src/geometry/texture.h and operands. After
 * Warp 1.19 native/texture.h.
 *
 *     "texture_sample" (Texture2D, vec2f, float32)              what the request says:
 *     "texture_sample" (Texture2D, float32, float32, float32)   float32, vec2f or vec4f
 *
 * The last argument is the level of detail. A texture's value begins with the id of its object, 0
 * for Warp's texture without data, of which all samples are zero. op->param: axes, lanes of the
 * result, are the coordinates one vector. */
#include <math.h>

#include "arith/arith_family.h"
#include "geometry/texture.h"

enum { CORNERS = 1 << TEXTURE_AXES };

void texture_value(const ctx *c, uint64_t id, void *out, size_t size)
{
    const texture_form *f = texture_form_of(texture_find(c, id));
    memset(out, 0, size);
    memcpy(out, &id, sizeof id);
    memcpy((uint8_t *)out + sizeof id, f->size, (size_t)f->ndim * sizeof *f->size);
}

/* The operands of a call. */
typedef struct texture_call {
    const texture *t; /* NULL: it has no data */
    float at[TEXTURE_AXES], lod;
    int axes, lanes;
} texture_call;

/* The argument of an axis, and its lane in that. */
static uint32_t argument_of(const arith_op *op, int axis, int *lane)
{
    *lane = op->param[2] ? axis : 0;
    return 1 + (uint32_t)(op->param[2] ? 0 : axis);
}

/* False: the id names no texture. */
static bool take_call(const arith_op *op, void *const *operands, texture_call *out)
{
    uint64_t id;
    memcpy(&id, operands[0], sizeof id);
    out->t = id ? texture_find(op->aux, id) : NULL;
    out->axes = op->param[0];
    out->lanes = op->param[1];
    out->lod = load_f32(operands[op->n - 1], 0);
    for (int axis = 0; axis < out->axes; axis++) {
        int lane;
        const uint32_t argument = argument_of(op, axis, &lane);
        out->at[axis] = load_f32(operands[argument], lane);
    }
    return !id || (out->t && texture_form_of(out->t)->ndim == out->axes);
}

static arith_status run_sample(const arith_op *op, void *const *operands)
{
    float texel[TEXTURE_CHANNELS] = {0};
    texture_call k;
    if (!take_call(op, operands, &k))
        return ARITH_NO_OBJECT;
    if (k.t && !texture_sample(k.t, k.at, k.lod, k.lanes, texel))
        return ARITH_CONVERSION;
    for (int i = 0; i < k.lanes; i++)
        store_f32(operands[op->n], i, texel[i]);
    return ARITH_OK;
}

/* The corners of a cell, the first axis by the lowest bit of their number. */
static void read_corners(const texture_call *k, int level, const texture_cell *cells,
                         float v[CORNERS][TEXTURE_CHANNELS])
{
    for (int corner = 0; corner < 1 << k->axes; corner++) {
        int64_t at[TEXTURE_AXES] = {0};
        for (int axis = 0; axis < k->axes; axis++)
            at[axis] = cells[axis].at + (corner >> axis & 1);
        for (int i = 0; i < k->lanes; i++)
            v[corner][i] = texture_texel(k->t, level, at, i);
    }
}

/* Texels of the level for one of the coordinate. */
static float scale_of(const texture_call *k, int level, int axis)
{
    const float size = (float)texture_size(k->t, level, axis);
    return texture_form_of(k->t)->normalized ? size : size / (float)texture_size(k->t, 0, axis);
}

/* --- tangents --------------------------------------------------------------------------------- */

/* Adds `weight` times the derivative of a level's sample along the direction. */
static arith_status slide(const texture_call *k, int level, const float *way, double weight,
                          double *out)
{
    texture_cell cells[TEXTURE_AXES];
    float v[CORNERS][TEXTURE_CHANNELS];
    bool kink = false;
    for (int axis = 0; axis < k->axes; axis++) {
        if (!texture_find_cell(k->t, level, axis, k->at[axis], -1, &cells[axis]))
            return ARITH_CONVERSION;
        kink |= way[axis] != 0 && cells[axis].rest == 0 && !cells[axis].edge;
    }
    read_corners(k, level, cells, v);
    for (int axis = 0; axis < k->axes; axis++)
        for (int corner = 0; corner < 1 << k->axes; corner++) {
            double w = weight * (double)way[axis] * (double)scale_of(k, level, axis);
            w = corner >> axis & 1 ? w : -w;
            for (int other = 0; other < k->axes; other++)
                if (other != axis)
                    w *= corner >> other & 1 ? (double)cells[other].rest
                                             : 1 - (double)cells[other].rest;
            for (int i = 0; i < k->lanes && !cells[axis].edge; i++)
                out[i] += w * (double)v[corner][i];
        }
    return kink ? ARITH_KINK : ARITH_OK;
}

/* Adds the derivative by the level of detail, of textures that mix two levels. */
static arith_status slide_level(const texture_call *k, float way, double *out)
{
    const texture_form *f = texture_form_of(k->t);
    const float last = (float)(f->levels - 1), down = floorf(k->lod);
    float v[2][TEXTURE_CHANNELS];
    if (f->levels < 2 || f->mip_filter != TEXTURE_LINEAR || way == 0 || k->lod < 0 || k->lod > last)
        return ARITH_OK;
    for (int i = 0; i < 2 && down < last; i++)
        if (!texture_sample_level(k->t, (int)down + i, k->at, k->lanes, v[i]))
            return ARITH_CONVERSION;
    for (int i = 0; i < k->lanes && down < last; i++)
        out[i] += (double)way * ((double)v[1][i] - (double)v[0][i]);
    return k->lod == down ? ARITH_KINK : ARITH_OK;
}

/* Operands: arguments, result, tangents of the arguments, tangent of the result. */
static arith_status tangent_sample(const arith_op *op, void *const *operands)
{
    double out[TEXTURE_CHANNELS] = {0};
    float way[TEXTURE_AXES], rest = 0;
    int levels[2] = {0, 0};
    arith_status status[3] = {ARITH_OK, ARITH_OK, ARITH_OK};
    texture_call k;
    if (!take_call(op, operands, &k))
        return ARITH_NO_OBJECT;
    for (int axis = 0; axis < k.axes; axis++) {
        int lane;
        const uint32_t argument = argument_of(op, axis, &lane);
        way[axis] = load_f32(operands[op->n + 1 + argument], lane);
    }
    if (k.t && !texture_find_levels(k.t, k.lod, levels, &rest))
        return ARITH_CONVERSION;
    for (int i = 0; k.t && i < (levels[0] == levels[1] ? 1 : 2); i++)
        if (texture_form_of(k.t)->filter == TEXTURE_LINEAR)
            status[i] = slide(&k, levels[i], way, i ? (double)rest : 1 - (double)rest, out);
    if (k.t)
        status[2] = slide_level(&k, load_f32(operands[2 * op->n], 0), out);
    for (int i = 0; i < k.lanes; i++)
        store_f32(operands[2 * op->n + 1], i, (float)out[i]);
    for (int i = 0; i < 3; i++)
        if (status[i] != ARITH_OK)
            return status[i];
    return ARITH_OK;
}

/* --- adjoints --------------------------------------------------------------------------------- */

/* What a level gives to the derivative by the level of detail: its first corner, and how far the
 * sample is from that. */
typedef struct level_sample {
    float anchor[TEXTURE_CHANNELS], residual[TEXTURE_CHANNELS];
} level_sample;

static float mix(float a, float b, float t)
{
    return a * (1.0f - t) + b * t;
}

/* The product with the seed; a lane without a seed counts not, whatever the difference is. */
static float weigh(const texture_call *k, const void *seed, const float *difference)
{
    float sum = 0;
    for (int i = 0; i < k->lanes; i++) {
        const float s = load_f32(seed, i), x = s == 0 ? 0 : s * difference[i];
        sum = i ? sum + x : x;
    }
    return sum;
}

/* The slope along an axis, mixed along the others. */
static float slope_along(const texture_call *k, const void *seed, int axis,
                         const texture_cell *cells, float v[CORNERS][TEXTURE_CHANNELS])
{
    float slopes[CORNERS / 2], difference[TEXTURE_CHANNELS];
    int n = 1 << (k->axes - 1);
    for (int j = 0; j < n; j++) {
        const int low = j & ((1 << axis) - 1), corner = low | (j & ~((1 << axis) - 1)) << 1;
        for (int i = 0; i < k->lanes; i++)
            difference[i] = v[corner | 1 << axis][i] - v[corner][i];
        slopes[j] = weigh(k, seed, difference);
    }
    for (int other = 0; other < k->axes; other++) {
        if (other == axis)
            continue;
        n /= 2;
        for (int j = 0; j < n; j++)
            slopes[j] = mix(slopes[2 * j], slopes[2 * j + 1], cells[other].rest);
    }
    return slopes[0];
}

/* How far the sample is from corner 0. */
static float residual_of(const texture_call *k, const texture_cell *cells, int channel,
                         float v[CORNERS][TEXTURE_CHANNELS])
{
    float x[CORNERS];
    int n = 1 << k->axes;
    for (int corner = 0; corner < n; corner++)
        x[corner] = v[corner][channel] - v[0][channel];
    for (int axis = 0; axis < k->axes; axis++) {
        n /= 2;
        for (int j = 0; j < n; j++)
            x[j] =
                !axis && !j ? x[1] * cells[0].rest : mix(x[2 * j], x[2 * j + 1], cells[axis].rest);
    }
    return x[0];
}

/* Warp 1.19 texture_grad_coords_1d to _3d. False: a coordinate has no cell. */
static bool pull_level(const arith_op *op, void *const *operands, const texture_call *k, int level,
                       float weight, level_sample *out)
{
    const void *seed = operands[2 * op->n + 1];
    texture_cell cells[TEXTURE_AXES];
    float v[CORNERS][TEXTURE_CHANNELS];
    for (int axis = 0; axis < k->axes; axis++)
        if (!texture_find_cell(k->t, level, axis, k->at[axis], -1, &cells[axis]))
            return false;
    read_corners(k, level, cells, v);
    for (int axis = 0; axis < k->axes && weight != 0; axis++) {
        int lane;
        const uint32_t argument = argument_of(op, axis, &lane);
        const float scale = weight * scale_of(k, level, axis);
        adj_add_f32(op, operands, argument, lane, scale * slope_along(k, seed, axis, cells, v));
    }
    for (int i = 0; i < k->lanes; i++) {
        out->anchor[i] = v[0][i];
        out->residual[i] = residual_of(k, cells, i, v);
    }
    return true;
}

/* sample(level + 1) - sample(level), by the samples' parts where those are finite. */
static bool level_difference(const texture_call *k, int level, const level_sample *parts,
                             float *out)
{
    float v[2][TEXTURE_CHANNELS];
    for (int i = 0; i < 2; i++)
        if (!texture_sample_level(k->t, level + i, k->at, k->lanes, v[i]))
            return false;
    for (int i = 0; i < k->lanes; i++) {
        const float apart = parts ? (parts[1].anchor[i] - parts[0].anchor[i]) +
                                        (parts[1].residual[i] - parts[0].residual[i])
                                  : (float)NAN;
        out[i] = isfinite(apart) ? apart : v[1][i] - v[0][i];
    }
    return true;
}

/* The adjoint of a level of detail between two levels, and of the coordinates. */
static arith_status pull_levels(const arith_op *op, void *const *operands, const texture_call *k)
{
    const int level = (int)floorf(k->lod);
    const float rest = k->lod - (float)level;
    const bool linear = texture_form_of(k->t)->filter == TEXTURE_LINEAR;
    float difference[TEXTURE_CHANNELS];
    level_sample parts[2];
    if (linear && (!pull_level(op, operands, k, level, 1.0f - rest, &parts[0]) ||
                   !pull_level(op, operands, k, level + 1, rest, &parts[1])))
        return ARITH_CONVERSION;
    if (!level_difference(k, level, linear ? parts : NULL, difference))
        return ARITH_CONVERSION;
    adj_add_f32(op, operands, op->n - 1, 0, weigh(k, operands[2 * op->n + 1], difference));
    return ARITH_OK;
}

/* Operands: arguments, result, adjoints of the arguments, adjoint of the result. The texels have no
 * adjoint in Warp. */
static arith_status adj_sample(const arith_op *op, void *const *operands)
{
    int levels[2] = {0, 0};
    float rest;
    level_sample part;
    texture_call k;
    if (!take_call(op, operands, &k))
        return ARITH_NO_OBJECT;
    if (!k.t)
        return ARITH_OK;
    const texture_form *f = texture_form_of(k.t);
    const bool several = f->levels > 1 && k.lod >= 0;
    if (several && f->mip_filter == TEXTURE_LINEAR && k.lod < (float)(f->levels - 1))
        return pull_levels(op, operands, &k);
    if (f->filter != TEXTURE_LINEAR)
        return ARITH_OK;
    if (several)
        texture_find_levels(k.t, k.lod, levels, &rest);
    return pull_level(op, operands, &k, levels[0], 1, &part) ? ARITH_OK : ARITH_CONVERSION;
}

/* --- the table -------------------------------------------------------------------------------- */

/* The axes of a texture's type; 0: it is none. */
int texture_axes(const type *t)
{
    static const char *const names[] = {"Texture1D", "Texture2D", "Texture3D"};
    for (int i = 0; t->kind == TYPE_NATIVE && i < TEXTURE_AXES; i++)
        if (strcmp(t->native->name, names[i]) == 0)
            return i + 1;
    return 0;
}

static bool is_float_vector(const type *t, int n)
{
    return t->kind == TYPE_VEC && t->rows == n && t->elem->kind == TYPE_FLOAT32;
}

static bool find_texture(const arith_request *q, arith_op *op)
{
    const int axes = q->n > 2 ? texture_axes(q->args[0]) : 0;
    if (!axes || q->nresults != 1)
        return false;
    const bool vector = axes > 1 && is_float_vector(q->args[1], axes);
    const type *result = q->results[0];
    bool good =
        q->n == 2u + (vector ? 1u : (uint32_t)axes) &&
        (result->kind == TYPE_FLOAT32 || is_float_vector(result, 2) || is_float_vector(result, 4));
    for (uint32_t i = vector ? 2 : 1; i < q->n; i++)
        good = good && q->args[i]->kind == TYPE_FLOAT32;
    const type **types = ARENA_ARRAY(q->a, const type *, q->n + 1u);
    for (uint32_t i = 0; i < q->n; i++)
        types[i] = q->args[i];
    types[q->n] = result;
    *op = (arith_op){.run = run_sample,
                     .tangent = tangent_sample,
                     .adjoint = adj_sample,
                     .name = "texture_sample",
                     .types = types,
                     .n = q->n,
                     .nresults = 1,
                     .param = {axes, lane_count(result), vector},
                     .aux = q->c};
    return good;
}

static const arith_row rows[] = {{"texture_sample", find_texture}};

const arith_family arith_textures = {rows, sizeof rows / sizeof *rows};
