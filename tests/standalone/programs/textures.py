"""Textures: samples along one to three axes, by numbers and vectors, of levels of detail, in structs, arrays and functions."""

import warp as wp


@wp.struct
class Layer:
    height: float
    image: wp.Texture2D


@wp.func
def height_of(image: wp.Texture2D, p: wp.vec2):
    return 2.0 * wp.texture_sample(image, p, dtype=float)


@wp.kernel
def drape(image: wp.Texture2D, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    p = x[i]
    out[i] = wp.vec3(p[0], p[1] + height_of(image, wp.vec2(p[0], p[2])), p[2])


@wp.kernel
def march(density: wp.Texture3D, start: wp.array(dtype=wp.vec3), way: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    total = float(0.0)
    for k in range(8):
        p = start[i] + 0.25 * float(k) * way[i]
        total += wp.texture_sample(density, p, dtype=float)
        if total > 3.0:
            break
    out[i] = wp.exp(-total)


@wp.kernel
def palette(colors: wp.Texture1D, u: wp.array(dtype=float), out: wp.array(dtype=wp.vec2)):
    i = wp.tid()
    out[i] = wp.texture_sample(colors, u[i] * float(colors.width), dtype=wp.vec2)


@wp.kernel
def levels(image: wp.Texture2D, uv: wp.array(dtype=wp.vec2), lod: wp.array(dtype=float), out: wp.array(dtype=wp.vec4)):
    i = wp.tid()
    out[i] = wp.texture_sample(image, uv[i][0], uv[i][1], dtype=wp.vec4, lod=wp.abs(lod[i]))


@wp.kernel
def levels_of_volume(volume: wp.Texture3D, p: wp.array(dtype=wp.vec3), lod: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    q = p[i]
    a = wp.texture_sample(volume, q, dtype=wp.vec2, lod=lod[i])
    out[i] = a[0] * a[1] + wp.texture_sample(volume, q[2], q[0], q[1], dtype=float, lod=1.25)


@wp.kernel
def levels_of_line(line: wp.Texture1D, u: wp.array(dtype=float), lod: wp.array(dtype=float), out: wp.array(dtype=wp.vec4)):
    i = wp.tid()
    out[i] = wp.texture_sample(line, u[i], dtype=wp.vec4, lod=lod[i])


# A name of the definitions that a texture brings along.
@wp.kernel
def shade(layer: Layer, texture_texel: wp.array(dtype=wp.vec2), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = layer.height * wp.texture_sample(layer.image, texture_texel[i], dtype=float) + float(layer.image.height)


@wp.kernel
def atlas(images: wp.array(dtype=wp.Texture2D), which: wp.array(dtype=int), uv: wp.array(dtype=wp.vec2), out: wp.array(dtype=float)):
    i = wp.tid()
    image = images[which[i]]
    out[i] = wp.texture_sample(image, uv[i], dtype=float) + 0.5 * wp.texture_sample(images[i], uv[i][1], uv[i][0], dtype=float)


@wp.struct
class Side:
    image: wp.Texture2D


@wp.struct
class Box:
    front: Side
    size: wp.vec2
    inside: wp.Texture3D


@wp.kernel
def boxes(all: wp.array2d(dtype=Box), p: wp.array2d(dtype=wp.vec3), out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    b = all[i, j]
    q = p[i, j]
    out[i, j] = wp.texture_sample(b.front.image, b.size, dtype=float) - wp.texture_sample(all[i, j].inside, q, dtype=wp.vec2)[1]


@wp.func
def channel(image: wp.Texture1D, u: float, component: int):
    return wp.texture_sample(image, u, dtype=wp.vec4)[component]


# `component` is a definition that meshes bring along, and one of vectors with variable indexes.
@wp.kernel
def channels(image: wp.Texture1D, u: wp.array(dtype=float), which: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = channel(image, u[i], which[i] % 4)


# The structs have nothing but textures.
@wp.kernel
def sides(all: wp.array(dtype=Side), u: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.texture_sample(all[i].image, u[i], 0.25, dtype=float)


# Each texture has texels of its own.
@wp.kernel
def blend(first: wp.Texture2D, second: wp.Texture2D, uv: wp.array(dtype=wp.vec2), mix: wp.array(dtype=float), out: wp.array(dtype=wp.vec4)):
    i = wp.tid()
    a = wp.texture_sample(first, uv[i], dtype=wp.vec4)
    b = wp.texture_sample(second, uv[i], dtype=wp.vec4)
    out[i] = wp.lerp(a, b, mix[i])
    if mix[i] > 1.0:
        out[i] = height_of(first, uv[i]) * b
