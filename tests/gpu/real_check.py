#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kernels of device.py on a real CUDA device, forward and backward: weft run --device cuda holds
the results against its reference. Skipped (77) where the driver knows no device or there is no driver: the
test asks the driver itself, and weft has to say so too. Where there is a device, every failure counts.

usage: real_check.py WEFT
"""

import ctypes
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import device_check as stand_in  # noqa: E402


def device_is_here():
    """Whether NVIDIA's driver is here and knows a device, without asking weft."""
    count = ctypes.c_int(0)
    try:
        driver = ctypes.CDLL(os.environ.get("WEFT_LIBCUDA", "libcuda.so.1"))
        return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except (OSError, AttributeError):
        return False


def main():
    with tempfile.TemporaryDirectory() as folder:
        weft = stand_in.Weft(sys.argv[1], "none", "none", folder)
        weft.device = weft.runs = {}
        weft.plain = dict(os.environ)
        found = weft.run(["--kernel", "beyond", "--dim", "0", "--arg", "x=zeros:0", "--device", "cuda"])
        if not device_is_here():
            said = stand_in.one_sentence(found.stderr) and found.stderr.startswith("weft: error: --device cuda: ")
            stand_in.expect("weft says that there is no device", found.returncode == 3 and said, found)
            print(f"SKIPPED: {found.stderr.strip()}")
            sys.exit(1 if stand_in.problems else 77)
        stand_in.expect("no threads", found.returncode == 0 and not found.stderr, found)
        for case in stand_in.CASES:
            for grad in [False, True] if case[4] else [False]:
                words = weft.words(case, grad, stand_in.fresh(weft, "cpu" if not grad else "gpu"))
                if not grad:
                    stand_in.expect(f"{case[0]} on the CPU", weft.run(words).returncode == 0)
                found = weft.run([*words, "--device", "cuda"])
                stand_in.expect(f"{case[0]}{' --grad' if grad else ''}", found.returncode == 0 and not found.stderr, found)
    print(f"{len(stand_in.CASES)} kernels; {len(stand_in.problems)} problems")
    sys.exit(1 if stand_in.problems else 0)


if __name__ == "__main__":
    main()
