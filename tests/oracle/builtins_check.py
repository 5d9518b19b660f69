#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls every overload of warp-lang's builtins, from its registry, and compares the texts.

usage: builtins_check.py WEFT [--causes N] [--keep FOLDER] [--raise-floor]

Covers the groups that builtin_sources.py names. At least as many kernels as floors.txt says have
to be identical; --keep leaves the generated programs in a folder for a closer look.
"""

import argparse
import os
import subprocess
import sys

import floors
import oracle_env
import verdicts


def make_sources(python, folder):
    """Writes the programs; returns their paths."""
    os.makedirs(folder, exist_ok=True)
    maker = os.path.join(oracle_env.HERE, "builtin_sources.py")
    done = subprocess.run(
        [python, maker, folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    return [line for line in done.stdout.splitlines() if line.startswith(folder)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--causes", type=int, default=30)
    parser.add_argument("--keep", default=os.path.join(oracle_env.CACHE, "builtins"))
    parser.add_argument("--raise-floor", action="store_true")
    args = parser.parse_args()
    python = oracle_env.oracle_python()
    sources = make_sources(python, os.path.abspath(args.keep))
    tally, refused = verdicts.Tally(), 0
    for record in oracle_env.dump(python, sources).values():
        verdicts.compare_file(record, lambda kernel: tally, args.weft)
        refused += sum(kernel["error"] is not None for kernel in record["kernels"])
    tally.report(args.causes)
    print(f"warp-lang itself refuses {refused} of the calls")
    sys.exit(0 if floors.holds("builtins", tally, args.raise_floor) else 1)


if __name__ == "__main__":
    main()
