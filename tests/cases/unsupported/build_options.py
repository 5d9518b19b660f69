# A preamble stands in the text; weft does not evaluate what holds it.
import warp as wp

wp.set_module_options({"extra_build_options": wp.ModuleBuildOptions(extra_cuda_preamble="#define N 3")})


@wp.kernel
def with_preamble(a: wp.array(dtype=float)):  # expect error: option-refused
    a[0] = 1.0
