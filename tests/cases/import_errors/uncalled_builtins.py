import warp as wp
from warp import tid, sin  # expect error: unknown-attribute

ray = wp.mesh_query_ray  # expect error: unknown-attribute
sine = wp.sin
data = wp.zeros(4, dtype=float)
duplicate = wp.copy
rows = [wp.matrix_from_rows, wp.matrix_from_cols]


@wp.kernel
def good(a: wp.array(dtype=float)):
    a[wp.tid()] = sine(sin(1.0))
