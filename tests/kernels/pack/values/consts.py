import warp as wp
import math
DT = wp.constant(0.01)
NMAX = 5
GRAVITY = wp.vec3(0.0, -9.8, 0.0)
_PRIVATE = 3
HALF = math.pi / 2
