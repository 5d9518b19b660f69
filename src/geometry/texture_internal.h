/* SPDX-License-Identifier: Apache-2.0 */
/* What a texture is in memory: texture_object.c makes it, texture_sample.c reads it. */
#ifndef WEFT_GEOMETRY_TEXTURE_INTERNAL_H
#define WEFT_GEOMETRY_TEXTURE_INTERNAL_H

#include "geometry/texture.h"

/* Texels by depth, height, width, channel, as a kernel reads them. */
typedef struct texture_level {
    int32_t size[TEXTURE_AXES];
    const float *texels;
} texture_level;

struct texture {
    texture_form form;
    texture_level levels[TEXTURE_LEVELS];
};

#endif
