#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory stays flat, with verification and without: but for the fingerprints, the peak at many pairs is within
10 % of that at few, and under 64 MB a thread. The time that a pair takes is printed, too; its start is counted apart.

usage: memory_check.py WEFT [--few N] [--many N] [--verified FEW,MANY] [--time]

The suite runs 10,000 against 40,000 pairs, and 8,000 against 24,000 that are verified: a rare large kernel needs
more memory than all before it, so that the peak of fewer says little. --few 30000 --many 1000000 --time is the full
measurement, in which the time for a pair must stay within 10 %.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

LIMIT = 64 * 1024  # kilobytes for one thread
FINGERPRINT = 40  # bytes for each pair: 16, the free room in a hash table, and what its growing leaves behind
problems = []


def expect(right, sentence):
    if not right:
        problems.append(sentence)


def peak_size(process):
    """The peak resident size of a running process in kilobytes, 0 where it has ended.

    Not that of its rusage, which begins with the size of the Python that started it.
    """
    with open(f"/proc/{process.pid}/status", encoding="ascii") as stream:
        return next((int(line.split()[1]) for line in stream if line.startswith("VmHWM:")), 0)


def measure(weft, count, words):
    """The peak resident size in kilobytes of a run on one thread, and its processor time in seconds."""
    command = [weft, "generate", "--kind", "exercise", "--count", str(count), "--jobs", "1", *words, "--quiet", "--output", "-"]
    pairs = unverified = size = 0
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            pairs += line.startswith(b"{") and line.endswith(b"}\n")
            unverified += b'"status": "not_run"' in line
            if pairs % 16 == 1:  # a few pairs wait in the pipe: the last ones are not measured
                size = max(size, peak_size(process))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    what = " ".join(command[1:])
    expect(process.returncode == 0 and pairs == count, f"{what}: status {process.returncode}, {pairs} pairs")
    expect(unverified == (pairs if words else 0), f"{what}: {unverified} pairs are not verified")
    return size, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def check(weft, few, many, words, timed):
    """Compares a run of many pairs with one of few."""
    counts = (1, few, many)
    peaks, times = zip(*(measure(weft, count, words) for count in counts))
    each = [1e6 * (times[i] - times[0]) / (counts[i] - 1) for i in (1, 2)]
    for count, peak, micros in zip(counts[1:], peaks[1:], each):
        name = " ".join(words) or "verified"
        print(f"{count} pairs, {name}: peak {peak / 1024:.1f} MB, {micros:.1f} us of processor time for each")
    fingerprints = many * FINGERPRINT / 1024
    expect(peaks[2] <= peaks[1] * 1.1 + fingerprints, f"{name}: the peak grows from {peaks[1]} to {peaks[2]} KB")
    expect(peaks[2] < LIMIT + fingerprints, f"{name}: a peak of {peaks[2]} KB")
    if timed:
        expect(each[1] <= each[0] * 1.1, f"{name}: a pair takes {each[0]:.1f}, then {each[1]:.1f} us")


def check_programs(weft, few=150, many=1200):
    """Programs are executed many times each: what an execution holds goes back with it."""
    peaks = []
    for count in (few, many):
        with tempfile.TemporaryDirectory() as place:
            command = [weft, "generate", "--kind", "exercise", "--count", str(count), "--jobs", "1", "--format", "standalone", "--quiet",
                       "--output", os.path.join(place, "set")]  # fmt: skip
            size = 0
            with subprocess.Popen(command) as process:
                while process.poll() is None:
                    size = max(size, peak_size(process))
                    time.sleep(0.01)
            expect(process.returncode == 0, f"{' '.join(command[1:])}: status {process.returncode}")
            peaks.append(size)
        print(f"{count} programs: peak {size / 1024:.1f} MB")
    expect(peaks[1] <= peaks[0] * 1.8, f"programs: the peak grows from {peaks[0]} to {peaks[1]} KB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--few", type=int, default=10000)
    parser.add_argument("--many", type=int, default=40000)
    parser.add_argument("--verified", default="8000,24000", help="how few and how many with verification")
    parser.add_argument("--time", action="store_true")
    args = parser.parse_args()
    check(args.weft, args.few, args.many, ["--no-verify"], args.time)
    check(args.weft, *map(int, args.verified.split(",")), [], args.time)
    check_programs(args.weft)
    print(*problems, sep="\n")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
