import warp as wp
@wp.func
def clamp01(x: float):
    return wp.clamp(x, 0.0, 1.0)
@wp.func
def lerp3(a: wp.vec3, b: wp.vec3, t: float) -> wp.vec3:
    return a * (1.0 - t) + b * t
@wp.struct
class Hit:
    t: float
    n: wp.vec3
    ok: wp.bool
