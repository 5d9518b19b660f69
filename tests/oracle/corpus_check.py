#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs weft on all of the installed warp-lang's tests, examples and library, and compares texts.

usage: corpus_check.py WEFT [--causes N] [--raise-floor] [--package NAME [--include DIR]...] [--one-in N [--seed S]]

Every Python file of the package has to end within 10 seconds with status 0 or 1. Of the kernels
that warp-lang emits text for, at least as many as floors.txt says have to be identical on both
devices: of those at module level (corpus), made in functions (corpus_factory) and instances of
generic ones (corpus_instance). --raise-floor writes higher numbers.
Of a part of the files (--one-in) nine in ten.

--package NAME compares another package that is installed beside warp-lang (newton, say) and has no
floors; WEFT_ORACLE_PYTHON names the Python that has both. --include DIR is weft's -I before the
folders of the two: for stubs that weft.constants has made of C extensions. What could not be
imported, and generic kernels that no file gives types, are counted: Warp has no text of them.
"""

import argparse
import concurrent.futures
import os
import sys

import floors
import oracle_env
import verdicts

sys.path.insert(0, os.path.dirname(oracle_env.HERE))
import part  # noqa: E402

LEAST = 0.9  # of the kernels of a part


def package_files(folder):
    for where, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(where, name) for name in sorted(names) if name.endswith(".py"))


def has_kernels(path):
    with open(path, "rb") as source:
        return b"kernel" in source.read()


def textless(records):
    """What Warp has no text of, counted."""
    kernels = [kernel for record in records.values() for kernel in record["kernels"]]
    counts = {
        "files that Python cannot import": sum(bool(record["error"]) for record in records.values()),
        "generic kernels without types": sum(kernel["generic"] for kernel in kernels),
        "kernels that Warp refuses": sum(bool(kernel["error"]) for kernel in kernels),
    }
    return ", ".join(f"{count} {what}" for what, count in counts.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--causes", type=int, default=40, help="how many causes to list")
    parser.add_argument("--raise-floor", action="store_true")
    parser.add_argument("--package", default="warp", help="the installed package that is compared")
    parser.add_argument("--include", action="append", default=[], metavar="DIR", help="a folder of stubs, for -I")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs of weft side by side")
    chosen = part.take(sys.argv)
    args = parser.parse_args()
    python = oracle_env.oracle_python()
    folder, warp = (oracle_env.package_folder(python, name) for name in (args.package, "warp"))
    include = [*args.include, *dict.fromkeys(map(os.path.dirname, (folder, warp)))]
    files = chosen.of(package_files(folder))
    records = oracle_env.dump(python, list(filter(has_kernels, files)))
    tallies = {kind: verdicts.Tally() for kind in ("module", "factory", "instance")}

    def one(path):
        record = records.get(path, {"file": path, "kernels": []})

        def tally_of(kernel):
            return tallies[verdicts.kind(kernel) if kernel else "module"]

        verdicts.compare_file(record, tally_of, args.weft, include)

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, files))
    good = True
    for kind, tally in tallies.items():
        print(f"{kind}:")
        tally.report(args.causes)
        name = "corpus" if kind == "module" else f"corpus_{kind}"
        if args.package == "warp" and chosen.count == 1:
            good = floors.holds(name, tally, args.raise_floor) and good
        if chosen.count > 1:
            good &= not tally.faults and tally.counts["equal"] >= LEAST * sum(tally.counts.values())
    good &= chosen.count == 1 or tallies["module"].counts["equal"] > 0
    print(f"{len(files)} files; {textless(records)}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
