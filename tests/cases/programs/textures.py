import warp as wp


@wp.struct
class Layer:
    height: float
    image: wp.Texture2D


@wp.kernel
def ramp(out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    out[i, j] = float(10 * i + j)


@wp.kernel
def bytes_of(out: wp.array2d(dtype=wp.uint8)):
    i, j = wp.tid()
    out[i, j] = wp.uint8(51 * j)


@wp.kernel
def sampled(image: wp.Texture2D, p: wp.array(dtype=wp.vec2), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.texture_sample(image, p[i], dtype=float)


@wp.kernel
def at_level(image: wp.Texture2D, lod: float, out: wp.array(dtype=wp.vec2)):
    i = wp.tid()
    out[i] = wp.texture_sample(image, 0.5, 0.5, dtype=wp.vec2, lod=lod)


@wp.kernel
def row(line: wp.Texture1D, u: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.texture_sample(line, u[i], dtype=float) + 100.0 * float(line.width)


@wp.kernel
def layered(layer: Layer, images: wp.array(dtype=wp.Texture2D), out: wp.array(dtype=float)):
    i = wp.tid()
    image = images[i]
    out[i] = layer.height * wp.texture_sample(layer.image, wp.vec2(0.5, 0.5), dtype=float) + wp.texture_sample(image, 0.5, 0.5, dtype=float)


@wp.kernel
def layers(all: wp.array(dtype=Layer), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = all[i].height * wp.texture_sample(all[i].image, wp.vec2(0.5, 0.5), dtype=float)
