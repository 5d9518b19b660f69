#!/usr/bin/env python3
"""The shared library shows what include/weft.h declares, and nothing else.

usage: symbols_check.py LIBRARY
"""

import os
import re
import subprocess
import sys

HEADER = os.path.join(os.path.dirname(__file__), "../../include/weft.h")


def main():
    with open(HEADER, encoding="utf-8") as stream:
        declared = set(re.findall(r"^WEFT_API [^;(]*?(\w+)\(", stream.read(), re.M))
    told = subprocess.run(["nm", "-D", "--defined-only", sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True)
    shown = {line.split()[-1].split("@")[0] for line in told.stdout.splitlines()}
    for name in sorted(declared ^ shown):
        print(f"{name}: {'declared, not there' if name in declared else 'there, not declared'}")
    print(f"{len(declared)} functions declared, {len(shown)} symbols shown")
    return 0 if declared and declared == shown else 1


if __name__ == "__main__":
    sys.exit(main())
