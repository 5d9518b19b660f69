# The options of a module are one dict, which wp.set_module_options changes, too.
import warp as wp

options = wp.get_module_options()
options["enable_backward"] = False
wp.set_module_options({"max_unroll": 2})
TURNS = options["max_unroll"]


@wp.kernel
def short_loop(x: wp.array[float]):
    for i in range(3):
        x[i] = wp.static(float(TURNS)) * x[i]
