/* SPDX-License-Identifier: Apache-2.0 */
/* Textures: texels along one to three axes, read between each other by filters, and beyond the
 * edges by address modes. After the CPU device of Warp 1.19 native/texture.h.
 *
 *     id = geometry_add_texture(c, &form, items)
 *     texture_sample(texture_find(c, id), (float[]){0.25f, 0.5f}, -1, 1, &value)
 *
 * Level 0 of a texture is the array that it was made from, each further one ("mip level") half as
 * wide. Objects live as those of geometry.h. */
#ifndef WEFT_GEOMETRY_TEXTURE_H
#define WEFT_GEOMETRY_TEXTURE_H

#include "base/ctx.h"

/* Items of the array, in the order of Warp's numbers. Integers of 8 and 16 bits are read as
 * fractions of their largest value, all others as they are. */
typedef enum texture_items {
    TEXTURE_UINT8,
    TEXTURE_UINT16,
    TEXTURE_FLOAT32,
    TEXTURE_INT8,
    TEXTURE_INT16,
    TEXTURE_FLOAT16,
    TEXTURE_UINT32,
    TEXTURE_INT32
} texture_items;

typedef enum texture_filter { TEXTURE_CLOSEST, TEXTURE_LINEAR } texture_filter;

/* What lies beyond the edges: the texture again, its last texel, the texture reflected, zeros. */
typedef enum texture_address {
    TEXTURE_WRAP,
    TEXTURE_CLAMP,
    TEXTURE_MIRROR,
    TEXTURE_BORDER
} texture_address;

enum { TEXTURE_AXES = 3, TEXTURE_CHANNELS = 4, TEXTURE_LEVELS = 16 };

/* Axes are width, height and depth; those from ndim on have size 1. */
typedef struct texture_form {
    int ndim; /* 1 to 3 */
    int32_t size[TEXTURE_AXES];
    int32_t channels; /* 1, 2 or 4 */
    texture_items items;
    texture_filter filter;
    texture_filter mip_filter; /* between levels */
    texture_address address[TEXTURE_AXES];
    bool normalized; /* coordinates from 0 to 1; else in texels of level 0 */
    int32_t levels;  /* 1: the array alone; 0: down to one texel, of a form that is asked for */
} texture_form;

typedef struct texture texture;

/* What is wrong with the form; NULL: nothing. */
const char *texture_misfit(const texture_form *f);
/* The items by depth, height, width, channel, the last fastest: the numbers that the array has.
 * They are copied. The form has no misfit. */
uint64_t geometry_add_texture(ctx *c, const texture_form *form, const double *items);
/* The same with floats of all levels, one level after the other; the form has their number. A
 * texture that was made of the same is not made again: kernels only read textures. */
uint64_t geometry_add_texture_levels(ctx *c, const texture_form *form, const float *texels);
/* NULL: the id names no texture. */
const texture *texture_find(const ctx *c, uint64_t id);
/* As it was made, with the number of its levels. */
const texture_form *texture_form_of(const texture *t);
/* The size of a level along an axis. */
int32_t texture_size(const texture *t, int level, int axis);
/* A texel as it is read, after address modes; zero beyond a border and of missing channels. */
float texture_texel(const texture *t, int level, const int64_t at[TEXTURE_AXES], int channel);

/* Where a coordinate lies between texels: `at` and at + 1, the second with the weight `rest`. */
typedef struct texture_cell {
    int64_t at;
    float rest;
    bool edge; /* CLAMP and BORDER: so far outside that the place counts no more */
} texture_cell;

/* Of the coordinate along an axis, for linear filters. `low`: how far below texel 0 CLAMP lets
 * cells be, 0 where values are read and -1 where slopes are. False: the coordinate has no cell, as
 * NaN, and C++ leaves the result open. */
bool texture_find_cell(const texture *t, int level, int axis, float coordinate, float low,
                       texture_cell *out);
/* The levels that a level of detail reads, and the second one's weight; false: it is no number. One
 * below 0 stands for level 0. Gives levels[0] == levels[1] where one is read. */
bool texture_find_levels(const texture *t, float lod, int levels[2], float *rest);

/* `lanes` channels at coordinates, one for each axis. False: as texture_find_cell. */
bool texture_sample(const texture *t, const float *at, float lod, int lanes, float *out);
/* The same of one level. */
bool texture_sample_level(const texture *t, int level, const float *at, int lanes, float *out);

#endif
