# Nothing else is in the file: what it launches may be a kernel.
import shapes
import warp as wp

step = shapes.step(4)  # expect warning: unseen-kernel
wp.launch(step, dim=1)
