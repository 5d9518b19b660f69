# A relative import of a file that is in no package.
import warp as wp

from .constants import SCALE


@wp.kernel
def scaled(x: wp.array(dtype=float)):
    x[0] = SCALE  # expect error: module-not-found
