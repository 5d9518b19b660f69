import warp as wp
import warp.optm  # expect error: module-not-found
from warp.kernal import x  # expect error: module-not-found
from warp.fem.feild import NodalField  # expect error: module-not-found
import warp.sim.render  # expect error: module-not-found
import warp.optim.linear
from warp.tests.unittest_utils import add_kernel_test
from warp._src.fem.cache import dynamic_kernel

try:
    import warp.sim
except ImportError:
    pass


@wp.kernel
def k(a: wp.array(dtype=float)):
    a[0] = 1.0
