#!/usr/bin/env python3
"""Memory stays flat: but for the fingerprints, the peak at many pairs is within 10 % of that at few,
and under 64 MB a thread. The time that a pair takes is printed, too; its start is counted apart.

usage: memory_check.py WEFT [--few N] [--many N] [--time]

The suite runs 2,000 against 40,000 pairs; --few 30000 --many 1000000 --time is the full measurement,
in which the time for a pair must stay within 10 %.
"""

import argparse
import subprocess
import sys

LIMIT = 64 * 1024  # kilobytes for one thread
FINGERPRINT = 24  # bytes for each pair: 16, and the room that a hash table needs
CODE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_maxrss, used.ru_utime + used.ru_stime)
"""


def measure(weft, count):
    """The peak resident size in kilobytes of a run on one thread, and its processor time in seconds."""
    command = [weft, "generate", "--count", str(count), "--jobs", "1", "--no-verify", "--output", "-"]
    done = subprocess.run(
        [sys.executable, "-c", CODE, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True
    )
    size, seconds = done.stdout.split()
    return int(size), float(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--few", type=int, default=2000)
    parser.add_argument("--many", type=int, default=40000)
    parser.add_argument("--time", action="store_true")
    args = parser.parse_args()
    counts = (1, args.few, args.many)
    peaks, times = zip(*(measure(args.weft, count) for count in counts))
    each = [1e6 * (times[i] - times[0]) / (counts[i] - 1) for i in (1, 2)]
    for count, peak, micros in zip(counts[1:], peaks[1:], each):
        print(f"{count} pairs: peak {peak / 1024:.1f} MB, {micros:.1f} us of processor time for each")
    allowed = peaks[1] * 1.1 + args.many * FINGERPRINT / 1024
    good = peaks[2] <= allowed and peaks[2] < LIMIT + args.many * FINGERPRINT / 1024
    if args.time:
        good &= each[1] <= each[0] * 1.1
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
