# -*- coding: latin-1 -*-
import warp as wp


@wp.kernel
def scale(a: wp.array(dtype=float)):
    a[wp.tid()] *= 2.0  # é
