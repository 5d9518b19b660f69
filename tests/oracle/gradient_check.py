#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `weft generate` says of gradients is true: the share of proved ones, and Warp's own errors.

usage: gradient_check.py WEFT [--count N] [--seed S] [--every K]

N generated and verified pairs. Each pair called `warp_differs` is given to warp-lang: its adjoint
launch on the CPU has to give what the text machine gives for the record's text, on both devices'
text, so that the wrong gradient is Warp's and not weft's. Of the `exact` pairs every K-th is compared
in the same way. Left out and told are those with a parameter of bfloat16, which numpy does not have.
Told are the statuses per category, and the classes. At least FLOOR of all pairs have to be `exact`,
and none may point to a bug in weft.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

import generated_check
import oracle_env

FLOOR = 0.85
STATUSES = ("exact", "warp_differs", "nondifferentiable")


def print_statuses(records):
    """A row for each category; gives the share of `exact`."""
    rows = collections.defaultdict(collections.Counter)
    for record in records:
        status = record["metadata"]["verification"]["status"]
        rows[record["metadata"]["category"]][status] += 1
        rows["all"][status] += 1
    print(f"{'category':18}" + "".join(f"{status:>19}" for status in STATUSES))
    for category in [*sorted(rows.keys() - {"all"}), "all"]:
        total = sum(rows[category].values())
        cells = (f"{rows[category][s]:8} ({100 * rows[category][s] / total:5.1f} %)" for s in STATUSES)
        print(f"{category:18}" + "".join(f"{cell:>19}" for cell in cells))
    return rows["all"]["exact"] / len(records)


def work(args):
    """Runs under the Python that has warp-lang. The kernels in args.worker, a JSON file."""
    import numpy as np
    import run_check
    import warp as wp
    import warp_text

    warp_text.start(oracle_env.start_with_fmath())
    wp.config.optimization_level = 0  # compiles in half the time, and computes the same
    args.only, args.verbose, args.in_turn = None, False, False
    with open(args.worker) as stream:
        records = json.load(stream)
    classes, confirmed = collections.Counter(), collections.Counter()
    failures, refused = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for path, record in generated_check.write_sources(records, folder).items():
            job = run_check.GeneratedJob(path, record)
            job.kinds = (("small", 13),)
            check = run_check.Check(wp, np, args)
            check.file(job)
            refused.update(check.refused.keys())
            if check.not_made:
                continue
            evidence = record["metadata"]["verification"]
            name = evidence["class"] or evidence["status"]
            classes[name] += 1
            confirmed[name] += not check.failures and bool(check.backward["text"]) and bool(check.backward["text-cuda"])
            failures += [f"{record['id']} ({name}) {failure}" for failure in check.failures]
    for name, count in classes.most_common():
        print(f"{name:28} {confirmed[name]} of {count} give warp-lang's own adjoint")
    for cause, count in refused.most_common():
        print(f"  not compared: {count} runs, {cause}")
    for failure in failures:
        print("DIFFERS " + failure)
    return 0 if not failures and confirmed and confirmed == classes else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("WEFT_ORACLE_SEED", "20240")))
    parser.add_argument("--every", type=int, default=40)
    parser.add_argument("--worker")
    args = parser.parse_args()
    if args.worker:
        sys.exit(work(args))
    python = oracle_env.oracle_python()
    print(f"seed {args.seed} (WEFT_ORACLE_SEED sets it)", flush=True)
    records, told = generated_check.verified(args.weft, args.count, args.seed)
    share = print_statuses(records)
    by_status = collections.defaultdict(list)
    for record in records:
        by_status[record["metadata"]["verification"]["status"]].append(record)
    chosen = by_status["warp_differs"] + by_status["exact"][:: args.every]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "chosen.json")
        with open(path, "w") as stream:
            json.dump(chosen, stream)
        command = [python, "-B", os.path.abspath(__file__), *sys.argv[1:], "--worker", path]
        status = subprocess.run(command, env=oracle_env.with_fmath()).returncode
    if "bug in weft" in told:
        print(told)
    if share < FLOOR:
        print(f"only {100 * share:.1f} % are exact")
    sys.exit(1 if status or share < FLOOR or "bug in weft" in told else 0)


if __name__ == "__main__":
    main()
