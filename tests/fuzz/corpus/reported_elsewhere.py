# A kernel whose only fault follows from a name that was reported where the module runs.
import warp as wp

print(nowhere)


@wp.kernel
def k(a: wp.array(dtype=missing)):
    a[0] = 1.0
