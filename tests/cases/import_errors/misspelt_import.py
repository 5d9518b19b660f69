import warp as wp
from warp import kernal  # expect error: unknown-attribute
from warp import array, no_such_name  # expect error: unknown-attribute


@kernal
def misspelt(a: array(dtype=float)):
    a[0] = 1.0
