"""Docstrings and texts in which a compiler reads more than words."""
import warp as wp


@wp.kernel
def docs(x: wp.array(dtype=float)):
    """A trigraph ??/
    and ‮a turn*/ \\
    x = 1 ??"""
    i = wp.tid()
    x[i] = x[i] * 2.0
    if i == 300:
        print("??/ ??(")
