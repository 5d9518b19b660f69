import warp as wp

own = wp.Module("a_module_of_its_own")
wp.set_module_options({"max_unroll": 2, "enable_backward": False}, module=own)
late = wp.Module("another")


@wp.kernel(module=own)
def rolled(x: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(4):
        x[i] = x[i] * 2.0


@wp.kernel(module=late)
def unrolled(x: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(4):
        x[i] = x[i] * 3.0


wp.set_module_options({"enable_backward": False}, module=late)
late.options["max_unroll"] = 3
