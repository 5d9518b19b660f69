# -*- coding: latin-1 -*-
# A source in Latin-1, as PEP 263 has it.
import warp as wp

TEXT = "éè"
N = len(TEXT)


@wp.func_native(f"/* {TEXT} */ return x;")
def f(x: float) -> float: ...


@wp.kernel
def latin(a: wp.array(dtype=float)):
    a[0] = f(a[1]) + float(N)  # ü
    wp.printf("é\n")
