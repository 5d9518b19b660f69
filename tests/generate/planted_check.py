#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bugs planted in emitted text are found by execution alone.

usage: planted_check.py WEFT [--count N] [--seed S] [--share PERCENT] [--device D] [--passes NAME ...]

N single tokens of the texts, forward and backward, of as many records are changed, the hashes made
right, and `weft validate --checks execution` has to find at least this share of them; nothing else may
be named. What cannot show is not planted: see planted.live_names. Survivors are printed and
studied, with inputs drawn from AGAIN other seeds: one that still shows no difference is taken for equivalent, one
that does was missed for want of luck.
"""

import argparse
import collections
import json
import os
import sys
import tempfile

import planted
from data_set import DataSet, dumped, generate, validate

AGAIN = 40


def found_by(done):
    if done.returncode not in (0, 1):
        sys.exit(f"status {done.returncode}: {done.stderr[-2000:].decode(errors='replace')}")
    return json.loads(done.stdout.decode("utf-8"))["bad"]


def study(weft, folder, record):
    """With how many of AGAIN other seeds for its inputs the changed record is found."""
    path = os.path.join(folder, "again.jsonl")
    with open(path, "wb") as stream:
        for seed in range(1000, 1000 + AGAIN):
            record["metadata"]["seed"] = seed
            record["id"] = f"{seed}-{record['id'].split('-')[1]}"
            stream.write(dumped(record) + b"\n")
    return len(found_by(validate(weft, "--checks", "execution", "--json", path)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=97)
    parser.add_argument("--device", default="both")
    parser.add_argument("--passes", nargs="+", default=["forward", "backward"])
    args = parser.parse_args()
    weft = os.path.abspath(args.weft)
    with tempfile.TemporaryDirectory() as folder:
        where = os.path.join(folder, "set")
        generate(weft, where, "--count", str(args.count * 2), "--seed", str(args.seed), "--device", args.device)
        s = DataSet(where)
        bugs = {s.records[row[0]]["id"]: row for row in planted.plant(s.records, args.count, args.seed, args.passes)}
        for row in bugs.values():
            s.put(row[0])
        s.bring_up_to_date()
        s.write(where)
        found = {bad["id"] for bad in found_by(validate(weft, "--checks", "execution", "--json", where))}
        again = {name: study(weft, folder, s.records[row[0]]) for name, row in bugs.items() if name not in found}
    totals, killed = collections.Counter(row[2] for row in bugs.values()), collections.Counter()
    for name, (_, key, kind, line, old, new) in bugs.items():
        killed[kind] += name in found
        if name not in found:
            luck = f"missed: found with {again[name]} of {AGAIN} other seeds" if again[name] else "equivalent"
            print(f"survives: {name} {key}:{line} ({kind}), {luck}\n    {old.strip()}\n    {new.strip()}")
    for kind, total in sorted(totals.items()):
        print(f"{kind}: {killed[kind]} of {total} found")
    false = found - set(bugs)
    print(f"all: {len(found & set(bugs))} of {len(bugs)} found; {len(false)} false alarms {sorted(false)[:5]}")
    sys.exit(bool(false) or len(bugs) < args.count or len(found & set(bugs)) < args.share / 100 * len(bugs))


if __name__ == "__main__":
    main()
