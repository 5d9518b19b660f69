#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs weft on all of the installed warp-lang's tests, examples and library, and compares texts.

usage: corpus_check.py WEFT [--causes N] [--raise-floor] [--package NAME]

Every Python file of the package has to end within 10 seconds with status 0 or 1. Of the kernels
that warp-lang emits text for, at least as many as floors.txt says have to be identical on both
devices: of those at module level (corpus), made in functions (corpus_factory) and instances of
generic ones (corpus_instance). --raise-floor writes higher numbers.

--package NAME compares another package that is installed beside warp-lang (newton, say) and has no
floors; WEFT_ORACLE_PYTHON names the Python that has both.
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
    parser.add_argument("--package", default="warp", help="the installed package that is compared")
    args = parser.parse_args()
    python = oracle_env.oracle_python()
    folder = oracle_env.package_folder(python, args.package)
    files = list(package_files(folder))
    records = oracle_env.dump(python, list(filter(has_kernels, files)))
    tallies = {kind: verdicts.Tally() for kind in ("module", "factory", "instance")}

    def one(path):
        record = records.get(path, {"file": path, "kernels": []})

        def tally_of(kernel):
            return tallies[verdicts.kind(kernel) if kernel else "module"]

        verdicts.compare_file(record, tally_of, args.weft, os.path.dirname(folder))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, files))
    good = True
    for kind, tally in tallies.items():
        print(f"{kind}:")
        tally.report(args.causes)
        name = "corpus" if kind == "module" else f"corpus_{kind}"
        if args.package == "warp":
            good = floors.holds(name, tally, args.raise_floor) and good
    print(f"{len(files)} files")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
