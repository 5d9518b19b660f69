#!/usr/bin/env python3
"""Memory stays flat: the peak at many pairs is within 10 % of that at few, and under 64 MB a thread.

usage: memory_check.py WEFT [--few N] [--many N]

The suite runs 2,000 against 40,000 pairs; --few 10000 --many 1000000 is the full measurement.
"""

import argparse
import subprocess
import sys

LIMIT = 64 * 1024  # kilobytes for one thread
CODE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak(weft, count):
    """The peak resident size in kilobytes of a run on one thread."""
    command = [weft, "generate", "--count", str(count), "--jobs", "1", "--no-verify", "--output", "-"]
    done = subprocess.run(
        [sys.executable, "-c", CODE, *command], stdout=subprocess.PIPE, check=True, text=True
    )
    return int(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--few", type=int, default=2000)
    parser.add_argument("--many", type=int, default=40000)
    args = parser.parse_args()
    few, many = peak(args.weft, args.few), peak(args.weft, args.many)
    print(f"peak at {args.few} pairs {few / 1024:.1f} MB, at {args.many} pairs {many / 1024:.1f} MB")
    sys.exit(0 if many <= few * 1.1 and many < LIMIT else 1)


if __name__ == "__main__":
    main()
