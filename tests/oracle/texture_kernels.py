# SPDX-License-Identifier: Apache-2.0
"""Kernels for texture_check.py: each writes what samples of a texture give, as one, two and four channels."""

import warp as wp


@wp.struct
class Layer:
    height: float
    image: wp.Texture2D


@wp.func
def second(image: wp.Texture2D, p: wp.vec2, lod: float):
    return wp.texture_sample(image, p, dtype=wp.vec4, lod=lod)


@wp.kernel
def along(t: wp.Texture1D, p: wp.array[wp.vec3], lod: wp.array[float], one: wp.array[float], two: wp.array[wp.vec2], four: wp.array[wp.vec4]):
    i = wp.tid()
    q = p[i]
    one[i] = wp.texture_sample(t, q[0], dtype=float, lod=lod[i])
    two[i] = wp.texture_sample(t, q[0], dtype=wp.vec2, lod=lod[i])
    four[i] = wp.texture_sample(t, q[0], dtype=wp.vec4)
    if i == 0:
        one[i] += float(t.width)


@wp.kernel
def across(t: wp.Texture2D, p: wp.array[wp.vec3], lod: wp.array[float], one: wp.array[float], two: wp.array[wp.vec2], four: wp.array[wp.vec4]):
    i = wp.tid()
    q = p[i]
    one[i] = wp.texture_sample(t, q[0], q[1], dtype=float, lod=lod[i])
    two[i] = wp.texture_sample(t, wp.vec2(q[0], q[1]), dtype=wp.vec2)
    four[i] = second(t, wp.vec2(q[0], q[1]), lod[i])
    if i == 0:
        one[i] += float(t.width + 100 * t.height)


@wp.kernel
def through(t: wp.Texture3D, p: wp.array[wp.vec3], lod: wp.array[float], one: wp.array[float], two: wp.array[wp.vec2], four: wp.array[wp.vec4]):
    i = wp.tid()
    q = p[i]
    one[i] = wp.texture_sample(t, q, dtype=float)
    two[i] = wp.texture_sample(t, q, dtype=wp.vec2, lod=lod[i])
    four[i] = wp.texture_sample(t, q[0], q[1], q[2], dtype=wp.vec4, lod=lod[i])
    if i == 0:
        one[i] += float(t.width + 100 * t.height + 10000 * t.depth)


@wp.kernel
def held(
    layer: Layer,
    images: wp.array(dtype=wp.Texture2D),
    p: wp.array(dtype=wp.vec3),
    one: wp.array(dtype=float),
):
    i = wp.tid()
    q = wp.vec2(p[i][0], p[i][1])
    image = images[i % 2]
    one[i] = wp.texture_sample(layer.image, q, dtype=float) * layer.height + wp.texture_sample(image, q, dtype=float)
