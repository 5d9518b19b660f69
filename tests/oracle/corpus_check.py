#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs weft on all of the installed warp-lang's tests, examples and library, and compares texts.

usage: corpus_check.py WEFT [--causes N] [--raise-floor]

Every Python file of the package has to end within 10 seconds with status 0 or 1. Of the kernels
at module level that are not generic and that warp-lang emits text for, at least as many as
floors.txt says have to be identical on both devices; --raise-floor writes a higher number.
"""

import argparse
import concurrent.futures
import os
import sys

import floors
import oracle_env
import verdicts

def package_files(folder):
    for where, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(where, name) for name in sorted(names) if name.endswith(".py"))


def has_kernels(path):
    with open(path, "rb") as source:
        return b"kernel" in source.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--causes", type=int, default=40, help="how many causes to list")
    parser.add_argument("--raise-floor", action="store_true")
    args = parser.parse_args()
    python = oracle_env.oracle_python()
    folder = oracle_env.warp_folder(python)
    files = list(package_files(folder))
    records = oracle_env.dump(python, list(filter(has_kernels, files)))
    tally = verdicts.Tally()

    def one(path):
        record = records.get(path, {"file": path, "kernels": []})
        verdicts.compare_file(tally, record, args.weft, os.path.dirname(folder))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, files))
    tally.report(args.causes)
    print(f"{len(files)} files")
    sys.exit(0 if floors.holds("corpus", tally, args.raise_floor) else 1)


if __name__ == "__main__":
    main()
