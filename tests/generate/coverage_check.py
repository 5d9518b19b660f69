#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the generator can express appears in what it makes, and nothing else does.

usage: coverage_check.py WEFT [--count N] [--seed S] [--verify] [--least PERCENT]

A small set by default, with a floor; `--count 30000 --verify --least 100` is the whole promise.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile


def generate(weft, options, folder):
    command = [weft, "generate", "--count", str(options.count), "--seed", str(options.seed),
               "--quiet", "--output", folder]
    if not options.verify:
        command.append("--no-verify")
    subprocess.run(command, check=True)
    with open(os.path.join(folder, "stats.json"), encoding="utf-8") as file:
        return json.load(file)


def counts(coverage):
    """{(group, name, type): samples}, from the tables by group."""
    found = {}
    for group, things in coverage.items():
        if not isinstance(things, dict):
            continue
        for name, value in things.items():
            typed = value if isinstance(value, dict) else {"": value}
            found.update({(group, name, kind): n for kind, n in typed.items()})
    return found


def targets(folder):
    """(records asked for something, records)."""
    asked = rows = 0
    for name in os.listdir(os.path.join(folder, "data")):
        with open(os.path.join(folder, "data", name), encoding="utf-8") as file:
            for line in file:
                rows += 1
                asked += json.loads(line)["metadata"]["target"] != ""
    return asked, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=2000)
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--least", type=float, default=75.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as base:
        folder = os.path.join(base, "set")
        coverage = generate(options.weft, options, folder)["coverage"]
        asked, rows = targets(folder)
    found = counts(coverage)
    never = [list(key) for key, n in found.items() if not n]
    assert len(found) == coverage["expressible"], (len(found), coverage["expressible"])
    assert sorted(never) == sorted(coverage["never"]), "`never` is not what the tables say"
    assert coverage["seen"] == len(found) - len(never)
    assert all(n <= rows for n in found.values())
    assert coverage["unlisted"] * 1000 <= rows, f"{coverage['unlisted']} samples have what no table names"
    assert 0.15 * rows <= asked <= 0.26 * rows, f"{asked} of {rows} samples were asked for something"
    share = 100 * coverage["seen"] / coverage["expressible"]
    print(f"{coverage['seen']} of {coverage['expressible']} productions ({share:.1f} %) in {rows} samples")
    if share < options.least:
        sys.exit(f"less than {options.least} %: {coverage['never'][:40]}")


if __name__ == "__main__":
    main()
