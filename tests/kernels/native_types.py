# Types and functions of C++ that the program registers with wp.build_experimental, and the module option that
# has their C++.
import ctypes

import warp as wp

PREAMBLE = """
#if defined(__CUDACC__)
#define TEX_CALLABLE __host__ __device__ inline
#else
#define TEX_CALLABLE inline
#endif
namespace tex {
struct Color { float r, g, b; };
struct Pixel { Color color; int index; unsigned char mask; };
struct Image { unsigned long long handle; };
TEX_CALLABLE Color scale(Color c, float by) { return Color{c.r * by, c.g * by, c.b * by}; }
TEX_CALLABLE void operator+=(Color & a, const Color & b) { a.r += b.r, a.g += b.g, a.b += b.b; }
TEX_CALLABLE float scale(float x, float by) { return x * by; }
TEX_CALLABLE unsigned long long handle_of(Image image) { return image.handle; }
}
TEX_CALLABLE float half_of(float x) { return 0.5f * x; }
namespace wp { TEX_CALLABLE void tex_note(float x) { (void)x; } }
"""
wp.set_module_options(
    {"extra_build_options": wp.ModuleBuildOptions(extra_cpu_preamble=PREAMBLE, extra_cuda_preamble=PREAMBLE.rstrip())}
)


class Color(ctypes.Structure):
    _fields_ = [("r", ctypes.c_float), ("g", ctypes.c_float), ("b", ctypes.c_float)]


class Pixel(ctypes.Structure):
    _fields_ = [("color", Color), ("index", ctypes.c_int32), ("mask", ctypes.c_uint8)]


class Image(ctypes.Structure):
    _fields_ = [("handle", ctypes.c_uint64)]


class Table(ctypes.Structure):
    _fields_ = [("rows", ctypes.c_double * 3), ("tag", ctypes.c_uint8)]


class Either(ctypes.Union):
    _fields_ = [("byte", ctypes.c_uint8), ("table", Table)]


class Tagged(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int32), ("tag", ctypes.c_int8)]


class Derived(Tagged):
    _fields_ = [("more", ctypes.c_int8)]


build = wp.build_experimental
build.add_native_type(
    Color, native_name="tex::Color", fields={"r": wp.float32, "g": float, "b": wp.float32}, initializer="aggregate"
)
build.add_native_type(
    Pixel, native_name="tex::Pixel", fields={"color": Color, "index": int, "mask": wp.uint8}, initializer="aggregate"
)
build.add_native_type(Image, native_name="::tex::Image")
build.add_builtin("tex_scale", {"value": Color, "scale": wp.float32}, Color, native_name="tex::scale")
build.add_builtin("tex_scale", {"value": float, "scale": float}, float, native_name="tex::scale")
build.add_builtin("tex_note", {"x": wp.float32})
build.add_builtin("tex_half", {"x": wp.float32}, float, native_name="half_of")

GREY = Color(0.25, 0.1, b=0.75)
DOT = Pixel(GREY, 300, 300)
SIZES = ctypes.sizeof(Table) + 100 * ctypes.sizeof(Either) + 10000 * ctypes.sizeof(ctypes.c_float * 5)
ALIGN = ctypes.alignment(Pixel) + 10 * ctypes.alignment(Table)
DERIVED = ctypes.sizeof(Derived)  # what a base ends with is not used again


@wp.struct
class Holder:
    color: Color
    weight: float


@wp.func
def brighten(c: Color, by: float):
    return wp.tex_scale(c, by)


@wp.kernel
def arrays(
    pixels: wp.array(dtype=Pixel),
    images: wp.array(dtype=Image),
    colors: wp.array(dtype=Color),
    handles: wp.array(dtype=wp.uint64),
):
    i = wp.tid()
    color = Color(wp.float32(i), GREY.g, 3.0)
    pixel = Pixel(color, i, mask=wp.uint8(7))
    pixels[i] = pixel
    colors[i] = wp.tex_scale(pixel.color, 2.0)
    handles[i] = wp.tex_handle(images[i])


@wp.kernel
def structs(
    holder: Holder,
    image: Image,
    color: wp.array(dtype=Color),
    handle: wp.array(dtype=wp.uint64),
    x: wp.array(dtype=float),
):
    color[0] = holder.color
    handle[0] = wp.tex_handle(image)
    x[0] = x[1] * holder.weight + holder.color.r
    wp.tex_note(x[0])
    x[2] = wp.tex_half(wp.tex_scale(x[1] * 2.0, 3.0))


@wp.kernel
def values(color: wp.array(dtype=Color), out: wp.array(dtype=float)):
    c = Color()
    d = brighten(color[0], 2.0)
    if d.r > 1.0:
        c = d
    e = GREY
    color[1] = c
    out[0] = d.g * 2.0 + e.b
    color[2] = GREY
    p = DOT
    color[3] = p.color


@wp.kernel
def writes(pixels: wp.array(dtype=Pixel), out: wp.array(dtype=float)):
    p = pixels[0]
    p.index = 3
    p.color.r = out[1]
    pixels[1] = p
    pixels[2].index = 4
    pixels[2].color.g = out[0]
    out[0] = pixels[3].color.b
    n = Image()


@wp.kernel
def unused(x: wp.array(dtype=float), image: Image):
    x[0] = x[1] * 2.0


@wp.kernel
def sizes(x: wp.array(dtype=int)):
    x[0] = SIZES
    x[1] = ALIGN
    x[2] = DERIVED


build.add_builtin("tex_handle", {"image": Image}, wp.uint64, native_name="tex::handle_of")
