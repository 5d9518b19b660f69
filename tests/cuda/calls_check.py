#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every call that arith executes, as CUDA C++: compiled by g++ with names for CUDA's, run, and held
against arith's values and adjoints (tests/unit/cudarule_cases.c).

usage: calls_check.py CUDA_CASES [EVERY]   each EVERY-th case, 1: all, and the first of each name;
                                     exit status 77: no g++
"""

import os
import shutil
import subprocess
import sys
import tempfile

# As on a GPU, integers wrap around, and an atomic operation may see a float as an integer.
FLAGS = ["-std=c++17", "-fwrapv", "-fno-strict-aliasing", "-Wall", "-Wextra", "-Werror"]


def run(command, **options):
    done = subprocess.run(command, **options)
    if done.returncode:
        sys.exit(f"{os.path.basename(command[0])}: exit status {done.returncode}")


def main():
    program, every = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "32"
    compiler = shutil.which("g++")
    if not compiler:
        print("SKIPPED: no g++")
        return 1 if os.environ.get("CI") else 77
    with tempfile.TemporaryDirectory() as folder:
        run([program, "write", folder, every])
        binary = os.path.join(folder, "calls")
        run([compiler, *FLAGS, "-O0", "-o", binary, binary + ".cpp"])
        with open(os.path.join(folder, "in"), "rb") as given, \
                open(os.path.join(folder, "out"), "wb") as results:
            run([binary], stdin=given, stdout=results)
        run([program, "compare", folder, every])
    return 0


sys.exit(main())
