#!/usr/bin/env python3
"""Bugs planted in emitted text are found by execution alone.

usage: planted_check.py WEFT [--count N] [--seed S] [--share PERCENT] [--device D] [--passes NAME ...]

N single tokens of the texts, forward and backward, of as many records are changed, the hashes made
right, and `weft validate --checks execution` has to find at least this share of them; nothing else may
be named. What cannot show is not planted: see planted.live_names. Survivors are printed for study.
"""

import argparse
import collections
import json
import os
import sys
import tempfile

import planted
from data_set import DataSet, generate, validate


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
        done = validate(weft, "--checks", "execution", "--json", where)
    if done.returncode not in (0, 1):
        sys.exit(f"status {done.returncode}: {done.stderr[-2000:].decode(errors='replace')}")
    found = {bad["id"] for bad in json.loads(done.stdout.decode("utf-8"))["bad"]}
    totals, killed = collections.Counter(row[2] for row in bugs.values()), collections.Counter()
    for name, (_, key, kind, line, old, new) in bugs.items():
        killed[kind] += name in found
        if name not in found:
            print(f"survives: {name} {key}:{line} ({kind})\n    {old.strip()}\n    {new.strip()}")
    for kind, total in sorted(totals.items()):
        print(f"{kind}: {killed[kind]} of {total} found")
    false = found - set(bugs)
    print(f"all: {len(found & set(bugs))} of {len(bugs)} found; {len(false)} false alarms {sorted(false)[:5]}")
    sys.exit(bool(false) or len(bugs) < args.count or len(found & set(bugs)) < args.share / 100 * len(bugs))


if __name__ == "__main__":
    main()
