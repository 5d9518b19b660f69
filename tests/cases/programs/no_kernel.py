import warp as wp

SIZE = 3


@wp.func
def twice(x: float):
    return 2.0 * x
