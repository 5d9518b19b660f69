import warpp  # expect error: module-not-found
from wrap import kernel  # expect error: module-not-found


@kernel
def misspelt(a: warpp.array(dtype=float)):
    a[0] = 1.0
