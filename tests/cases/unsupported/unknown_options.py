# Module options that only a running program knows decide the text.
import os

import warp as wp

wp.set_module_options({"max_unroll": os.cpu_count()})


@wp.kernel
def no_text(a: wp.array(dtype=float)):  # expect error: option-refused
    a[0] = 1.0
