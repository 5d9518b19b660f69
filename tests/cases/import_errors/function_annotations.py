import warp as wp


@wp.func
def result(x: wp.vec3) -> vec3:  # expect error: undefined-name
    return x


@wp.func
def unused(
    x: wp.vec33,  # expect error: unknown-attribute
) -> wp.vec22:  # expect error: unknown-attribute
    return x


@wp.func
def any_type(x: Any):  # expect error: undefined-name
    return x


@wp.func_native("return x;")
def native(x: flot) -> float: ...  # expect error: undefined-name


@wp.kernel
def called(x: wp.array(dtype=wp.vec3)):
    x[0] = result(any_type(x[0]))
