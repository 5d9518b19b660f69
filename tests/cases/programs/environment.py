# Constants of the environment: see environment.cli.
import os

import warp as wp

WIDTH = int(os.environ.get("WEFT_WIDTH", "4"))
NEEDED = os.environ["WEFT_NEEDED"]


@wp.kernel
def width(a: wp.array(dtype=int)):
    a[0] = WIDTH


@wp.kernel
def needed(a: wp.array(dtype=int)):
    a[0] = wp.static(int(NEEDED))  # expect error: static-unknown
