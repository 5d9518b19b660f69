# A kernel of the factory's module, which that file does not make itself.
import warp as wp
from quadrature_factory import make_kernel

kernels = [make_kernel(n) for n in range(3)]  # expect warning: unseen-kernel
