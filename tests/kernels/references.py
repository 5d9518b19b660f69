"""What a kernel reads of modules, classes and objects, and functions by other names."""
import enum
import math
import warp as wp


class Plain(enum.Enum):
    FAST = 1
    SLOW = 2.5


@wp.struct
class Ball:
    radius: float
    n: int


class Point:
    scale = 2.0


class Config:
    text = "x %d %d\n"
    storage = "shared"
    point = Point()
    ball = Ball()


@wp.func
def volume(b: Ball):
    return b.radius * float(b.n)


@wp.kernel
def texts_of_a_class(x: wp.array(dtype=float)):
    wp.printf(Config.text, 1, 2)
    print(Config.text)
    t = wp.tile_zeros(shape=4, dtype=float, storage=Config.storage)
    wp.tile_store(x, t)


@wp.kernel
def numbers_of_objects(x: wp.array(dtype=float)):
    x[0] = wp.sin(Config.point.scale) + Config.point.scale * x[1]
    x[1] = wp.sin(Plain.SLOW.value) + float(Plain.FAST.value)
    x[2] = wp.cos(Config.ball.radius) + volume(Config.ball)


show = print
larger = max
sine = math.sin
cos = None


def dot(x, y):
    return x * y


product = dot


# Python's functions, and those of a program, are called as the builtins of their own names.
@wp.kernel
def other_names(x: wp.array(dtype=float)):
    show(1)
    x[0] = larger(x[1], 2.0) + sine(x[2])
    x[1] = product(wp.vec2(1.0, 2.0), wp.vec2(x[0]))
    x[2] = cos(x[3])
