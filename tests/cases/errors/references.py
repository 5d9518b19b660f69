"""Names of the module that a kernel cannot refer to, wherever they stand: Warp 1.19 emit_Name."""

import enum

import numpy as np
import warp as wp

FORMAT = "x %d\n"
STORAGE = "shared"
SHAPE = (4, 4)
LIST = [1.0, 2.0]
RANGE = range(3)
SQRT = np.sqrt(2.0)
IS_LARGE = SQRT > 1.0


class Mode(enum.IntEnum):
    FAST = 1


class Plain(enum.Enum):
    FAST = 1


class Point:
    scale = 2.0


class Config:
    format = "x %d\n"
    shape = (4, 4)
    root = np.float64(2.0)
    point = Point()


MODE = Mode.FAST


@wp.struct
class Ball:
    radius: float


ball = Ball()


def make_kernel(text):
    @wp.kernel
    def of_a_closure(x: wp.array(dtype=int)):
        wp.printf(text, x[0])  # expect error: invalid-reference

    return of_a_closure


kernel_of_text = make_kernel("closure %d\n")


@wp.kernel
def format_of_printf(x: wp.array(dtype=int)):
    wp.printf(FORMAT, x[0])  # expect error: invalid-reference


@wp.kernel
def text_by_keyword(x: wp.array(dtype=int)):
    wp.printf(fmt=FORMAT)  # expect error: invalid-reference


@wp.kernel
def printed(x: wp.array(dtype=int)):
    print(FORMAT)  # expect error: invalid-reference
    print(__name__)  # expect error: invalid-reference


@wp.kernel
def storage(x: wp.array(dtype=float)):
    t = wp.tile_zeros(shape=4, dtype=float, storage=STORAGE)  # expect error: invalid-reference
    wp.tile_store(x, t)


@wp.kernel
def static_text(x: wp.array(dtype=float)):
    print(wp.static(FORMAT))  # expect error: static-value


@wp.kernel
def shape(x: wp.array2d(dtype=float)):
    t = wp.tile_zeros(shape=SHAPE, dtype=float)  # expect error: invalid-reference
    wp.tile_store(x, t)


@wp.kernel
def shape_of_a_class(x: wp.array2d(dtype=float)):
    t = wp.tile_zeros(shape=Config.shape, dtype=float)  # expect error: invalid-reference
    wp.tile_store(x, t)


@wp.kernel
def length(x: wp.array(dtype=int)):
    x[0] = len(LIST)  # expect error: invalid-reference


@wp.kernel
def loop(x: wp.array(dtype=int)):
    for i in RANGE:  # expect error: invalid-reference
        x[i] = i


@wp.kernel
def field(x: wp.array(dtype=float)):
    x[0] = wp.sin(ball.radius)  # expect error: invalid-reference


@wp.kernel
def enum_member(x: wp.array(dtype=int)):
    x[0] = wp.min(MODE, 3)  # expect error: invalid-reference
    x[1] = int(MODE)  # expect error: invalid-reference


@wp.kernel
def number_without_a_variable(x: wp.array(dtype=float)):
    x[0] = Config.point.scale  # expect error: not-a-value
    x[1] = Plain.FAST.value  # expect error: not-a-value


@wp.kernel
def numpy_numbers(x: wp.array(dtype=float)):
    x[0] = SQRT  # expect error: invalid-reference
    x[1] = wp.sin(SQRT)  # expect error: invalid-reference
    x[2] = -SQRT * 2.0  # expect error: invalid-reference
    x[3] = Config.root  # expect error: invalid-reference
    if IS_LARGE:  # expect error: invalid-reference
        x[4] = 1.0
    x[5] = wp.static(SQRT)  # expect error: static-value
    x[6] = wp.static(1.0 / SQRT + 1)  # expect error: static-value


@wp.kernel
def bounds(x: wp.array(dtype=int)):
    for j in range(Mode.FAST):  # expect error: no-overload
        x[j] = 0


@wp.kernel
def steps(x: wp.array(dtype=int)):
    for j in range(0, 9, Mode.FAST):  # expect error: no-overload
        x[j] = 0


@wp.kernel
def right(x: wp.array(dtype=float)):
    wp.printf("x %d\n", 1)
    wp.printf(Config.format, 1)
    x[0] = wp.sin(Config.point.scale) + Config.point.scale * 2.0
    x[1] = wp.static(float(SQRT)) + float(Mode.FAST)
    if wp.static(bool(IS_LARGE)):
        x[2] = float(Plain.FAST.value)
    for j in range(wp.static(Mode.FAST)):
        x[j] = float(Mode.FAST + j)
