#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what a folder of generated pairs (--format files) holds: a table by category, a sample.

usage: demo_summary.py FOLDER
"""

import collections
import json
import os
import sys

TEXTS = ("cuda_ir_forward", "cuda_ir_backward", "cpp_forward", "cpp_backward")


def records(folder):
    """(path, record) of every pair, in order."""
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            if name.endswith(".json") and where != folder:
                with open(path, encoding="utf-8") as stream:
                    yield path, json.load(stream)


def lines_of(text):
    return (text or "").count("\n")


def main():
    folder = sys.argv[1]
    pairs, python, generated = (collections.Counter() for _ in range(3))
    first = None
    for path, record in records(folder):
        category = record["metadata"]["category"]
        first = first or path
        pairs[category] += 1
        python[category] += lines_of(record["python_source"])
        generated[category] += sum(lines_of(record.get(field)) for field in TEXTS)
    if not first:
        sys.exit(f"{folder} holds no pairs")
    row = "{:20} {:>7} {:>14} {:>17}"
    print(row.format("category", "pairs", "Python lines", "generated lines"))
    for category in sorted(pairs):
        print(row.format(category, pairs[category], python[category], generated[category]))
    print(row.format("all", sum(pairs.values()), sum(python.values()), sum(generated.values())))
    print(f"\nOne sample: {first}")
    print("\nNext:")
    print("  build/weft compile tests/kernels/loops.py --emit cu      a program of your own, to CUDA text")
    print("  build/weft generate --count 100000 --output out/train    a data set as JSON lines, with its card")
    print(f"  build/weft stats {folder}                                what the pairs consist of, counted")
    print(f"  build/weft report {folder} -o out/report.html            the same as a page with plots and samples")
    print("  build/weft help generate                                 all options")
    print("  sh scripts/test.sh                                       every test, the real warp-lang among them")


if __name__ == "__main__":
    main()
