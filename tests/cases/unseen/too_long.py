# The evaluator gives up within the loop.
import warp as wp

n = 0
for i in range(90000):
    for j in range(100):
        n = n + 1  # expect warning: unseen-kernel


@wp.kernel
def behind(a: wp.array(dtype=float)):
    a[0] = 1.0
