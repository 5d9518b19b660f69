# SPDX-License-Identifier: Apache-2.0
"""Pairs generated, compiled and proved by execution, on one core.

usage: verify.py WEFT [--count N] [--repeat N] [--seed S]

Each pair has the text of both devices. Proving it is: both forward texts against the reference
interpreter on three input sets, the dot-product test of the backward texts, and the mutants of the
forward text on the input sets. Told are the pairs per second of the whole run and of the proof
alone, the share of each stage, and what became of the pairs. Seconds are the processor's, which a
busy machine stretches less than the clock's; the stages, measured by the clock, share them.
"""

import argparse
import os
import resource
import subprocess
import sys


def spent_by_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command):
    """(seconds of the processor, what it told on stderr)"""
    begun = spent_by_children()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr[-500:]}")
    return spent_by_children() - begun, done.stderr


def stages(told):
    """{stage: seconds}, from the lines STAGE<TAB>SECONDS of --timings."""
    rows = (line.split("\t") for line in told.splitlines() if line.count("\t") == 1)
    return {name: float(seconds) for name, seconds in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=12000)
    parser.add_argument("--repeat", type=int, default=3, help="runs; the quickest counts")
    parser.add_argument("--seed", type=int, default=20240)
    args = parser.parse_args()
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    command = [os.path.abspath(args.weft), "generate", "--kind", "exercise", "--count", str(args.count), "--seed", str(args.seed)]
    command += ["--device", "both", "--jobs", "1", "--timings", "--output", "-"]
    seconds, told = min(run(command) for _ in range(args.repeat))
    spent = stages(told)
    scale = seconds / (sum(spent.values()) or 1.0)
    spent = {name: clock * scale for name, clock in spent.items()}
    proof = sum(time for name, time in spent.items() if name.startswith("verify")) or 1e-9
    print(f"whole run {args.count:8} pairs  {seconds:8.3f} s  {args.count / seconds:9.0f} pairs/s")
    print(f"proof     {args.count:8} pairs  {proof:8.3f} s  {args.count / proof:9.0f} pairs/s")
    total = sum(spent.values()) or 1.0
    for name, time_ in spent.items():
        print(f"    {name:16} {time_:9.3f} s  {100 * time_ / total:5.1f} %")
    for line in told.splitlines():
        if line.startswith(("verified:", "made anew:", "weft:")):
            print(line)


if __name__ == "__main__":
    main()
