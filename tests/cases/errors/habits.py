# What users bring along from Python and C.
import warp as wp


@wp.kernel
def annotated_variable(x: wp.array(dtype=float)):
    y: float = 1.0  # expect error: unsupported-syntax
    x[0] = y


@wp.kernel
def not_of_float(x: wp.array(dtype=float)):
    if not x[0]:  # expect error: no-overload
        x[1] = 1.0


@wp.kernel
def bool_as_index(x: wp.array(dtype=float), b: bool):
    x[b] = 1.0  # expect error: index-type


@wp.kernel
def without_arguments(x: wp.array(dtype=float)):
    y = wp.tile_sum()  # expect error: no-overload
