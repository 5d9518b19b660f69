#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where src/ calls a function of the C library whose result is rounded differently from machine to machine.

usage: check_math.py [ARCHIVE | OBJECT]...

The undefined symbols of archives or objects are searched, because macros make names (exp##S). What
IEEE 754 or C defines to the last bit may be called: sqrt, fma, floor, ldexp, fmod, copysign ...
Elementary functions come from src/fmath. ALLOWED names the exceptions.
docs/decisions/portable-numbers.md says why.
"""

import re
import subprocess
import sys

from project_files import finish

NAMES = (
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh sincos exp exp2 exp10 expm1 log log2 log10"
    " log1p pow pow10 cbrt hypot erf erfc tgamma lgamma gamma j0 j1 jn y0 y1 yn cexp clog cpow csqrt"
).split()
INEXACT = {name + suffix for name in NAMES for suffix in ("", "f", "l")}

# {source: why it may}
MODULE_LEVEL = "module-level Python is evaluated with the machine's C library, as CPython does it"
ALLOWED = {"call_math.c": MODULE_LEVEL, "call_warp.c": MODULE_LEVEL, "eval_op.c": MODULE_LEVEL}


def symbol_problems(listing):
    """What the undefined symbols that `nm -A -u` lists need."""
    for line in listing.splitlines():
        where, _, symbol = line.rpartition(" ")
        name = re.sub(r"^__(\w+)_finite$", r"\1", symbol.split("@")[0])
        source = re.search(r"([\w-]+\.c)\.o\b", where)
        owner = source[1] if source else where
        if name in INEXACT and owner not in ALLOWED:
            yield f"{owner}: {name}: its last bits depend on the machine; src/fmath's do not"


def main():
    problems = []
    for path in sys.argv[1:]:
        listing = subprocess.run(["nm", "-A", "-u", path], capture_output=True, text=True, check=True)
        problems += symbol_problems(listing.stdout)
    return finish("check_math", problems)


if __name__ == "__main__":
    sys.exit(main())
