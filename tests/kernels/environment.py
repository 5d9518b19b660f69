# SPDX-License-Identifier: Apache-2.0
"""Environment variables that decide what kernels are, and sizes that ctypes knows."""
# weft: -D WEFT_TEST_N=9 -D WEFT_TEST_FAST= -D WEFT_TEST_NAME=a=b
import ctypes
import os
from os import environ, getenv

import warp as wp

N = int(os.environ.get("WEFT_TEST_N", "4"))
FAST = os.environ.get("WEFT_TEST_FAST") is not None
MODE = os.getenv("WEFT_TEST_MODE", "slow")
HAS = "WEFT_TEST_N" in environ
os.environ["WEFT_TEST_SET"] = "6"
SET = int(os.environ["WEFT_TEST_SET"])
os.environ.setdefault("WEFT_TEST_N", "77")
N2 = int(os.environ["WEFT_TEST_N"])
SIZE = ctypes.sizeof(wp.vec3d) + ctypes.sizeof(ctypes.c_uint16) + ctypes.sizeof(wp.mat22h)
NAMED = len(getenv("WEFT_TEST_NAME")) + ctypes.sizeof(wp.quatf(0.0, 0.0, 0.0, 1.0))
SIZES = [ctypes.sizeof(getattr(ctypes, "c_" + name)) for name in ("bool", "int8", "short", "uint", "float", "long", "void_p")]
assert getenv("WEFT_TEST_NOTHING") is None


@wp.kernel
def k(a: wp.array(dtype=int)):
    a[0] = N + N2 * wp.static(100)
    if wp.static(FAST):
        a[1] = SET
    if wp.static(MODE == "slow"):
        a[2] = SIZE
    a[4] = NAMED + wp.static(sum(SIZES))
    if HAS:
        a[3] = 1
