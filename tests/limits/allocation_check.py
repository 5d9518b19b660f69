#!/usr/bin/env python3
"""Every allocation and every I/O call of a run fails once: the run ends with status 3, leaves no
file, leaks nothing.

usage: allocation_check.py WEFT [ATTEMPTS]

WEFT is a debug build, which lets the allocation fail that WEFT_FAIL_ALLOCATION numbers, and the I/O
call that WEFT_FAIL_IO numbers. A run is repeated with 1, 2, 3, ... until it succeeds as if nothing
had been asked. With the sanitizers, a leak or an error gives the status that ASAN_OPTIONS names.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile

TIMEOUT = 60
IGNORED = 40  # I/O calls in a row that may fail without consequence: closing what was read, say
ATTEMPTS = 50  # runs of a command, about; with more allocations than that it goes in even steps
OUT_OF_MEMORY = 3
PROGRAM = """import warp as wp


@wp.struct
class Pair:
    a: float
    b: wp.vec3


@wp.func
def total(p: Pair):
    return p.a + wp.dot(p.b, p.b)


@wp.kernel
def k(x: wp.array(dtype=float), p: Pair, n: int):
    s = float(0.0)
    for j in range(n):
        s += total(p) * x[j]
    x[wp.tid()] = s
"""
WRONG = PROGRAM + "    x[0] = nothing\n"
# name -> words after the program's name; {in} and {out} are folders
RUNS = {
    "compile to a file": "compile {in}/good.py --device both -o {out}/k.cu",
    "compile to a folder": "compile {in}/good.py {in}/other.py --emit json -o {out}",
    "compile to standard output": "compile {in}/good.py --emit ir",
    "compile with errors": "compile {in}/wrong.py -o {out}/k.cu",
    "check": "check {in}/good.py",
    "check with errors": "check {in}/wrong.py {in}/good.py",
    "run": "run {in}/good.py --dim 4 --arg x=@{in}/x.npy --arg p.a=1 --arg p.b=[1,2,3] --arg n=2 --save x=@{out}/x.npy",
    "validate shards": "validate {in}/shards --jobs 1 --quiet",
    "validate packed shards": "validate {in}/packed --jobs 1 --quiet",
    "validate files": "validate {in}/files --jobs 1 --quiet --json",
    "stats": "stats {in}/packed {in}/files --json",
    "report": "report {in}/packed -q -o {out}/r.html",
    "generate shards": "generate --count 16 --jobs 1 --quiet --output {out}/set",
    "generate packed shards": "generate --count 16 --jobs 2 --compress zstd --quiet --output {out}/set",
    "generate files": "generate --count 12 --jobs 1 --format files --quiet --output {out}/set",
    "generate to standard output": "generate --count 16 --jobs 1 --device both --output -",
}


def run(weft, words, fail, what="WEFT_FAIL_ALLOCATION"):
    environment = {**os.environ, what: str(fail)}
    return subprocess.run(
        [weft, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT
    )


def files_below(folder):
    return sorted(
        os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names
    )


def half_files(left, whole):
    """Names that a whole run does not leave: temporary ones, and a manifest without its data."""
    extra = [name for name in left if name not in whole]
    if any(name.endswith("manifest.json") for name in left) and len(left) < len(whole):
        extra.append("a manifest of files that are not there")
    return extra


def problem(weft, words, fail, good, source):
    """(finished, what is wrong or None) of one run; `good`: status, output and files of a whole run."""
    with tempfile.TemporaryDirectory() as out:
        try:
            done = run(weft, [word.format(**{"in": source, "out": out}) for word in words], fail)
        except subprocess.TimeoutExpired:
            return True, "no end"
        left = files_below(out)
    if done.returncode == OUT_OF_MEMORY:
        extra = half_files(left, good[2])
        if b"memory" not in done.stderr:
            return False, f"does not tell: {done.stderr[-200:]!r}"
        return False, f"leaves {extra}" if extra else None
    if done.returncode != good[0]:
        return False, f"status {done.returncode}: {done.stderr[:1500].decode(errors='replace')}"
    if timeless(done.stdout) != timeless(good[1]) or left != good[2]:
        return True, "ends well, with another result"
    return True, None


def count_allocations(weft, words, good, source):
    """The smallest power of two that lies beyond the last allocation."""
    n = 1
    while not problem(weft, words, n, good, source)[0]:
        n *= 2
    return n


def io_problem(weft, words, fail, good, source):
    """(had a consequence, what is wrong or None) of one run whose I/O call number `fail` fails."""
    with tempfile.TemporaryDirectory() as out:
        try:
            done = run(weft, [word.format(**{"in": source, "out": out}) for word in words], fail, "WEFT_FAIL_IO")
        except subprocess.TimeoutExpired:
            return True, "no end"
        left = files_below(out)
    if done.returncode == good[0] and left == good[2] and timeless(done.stdout) == timeless(good[1]):
        return False, None
    if done.returncode != OUT_OF_MEMORY:
        return True, f"status {done.returncode}: {done.stderr[:1500].decode(errors='replace')}"
    if b"Input/output error" not in done.stderr:
        return True, f"does not tell: {done.stderr[-200:]!r}"
    extra = half_files(left, good[2])
    return True, f"leaves {extra}" if extra else None


def timeless(text):
    return re.sub(rb" in [0-9.]+ s\n", b"", text)


def check_io(weft, name, line, source):
    words, found, fail, quiet = line.split(), 0, 0, 0
    with tempfile.TemporaryDirectory() as out:
        whole = run(weft, [word.format(**{"in": source, "out": out}) for word in words], 0)
        good = (whole.returncode, whole.stdout, files_below(out))
    while quiet < IGNORED:
        fail += 1
        felt, wrong = io_problem(weft, words, fail, good, source)
        quiet = 0 if felt else quiet + 1
        if wrong:
            print(f"{name}, I/O call {fail}: {wrong}")
            found += 1
    print(f"{name}: {fail - quiet} I/O calls")
    return found


def make_inputs(weft, folder):
    for name, text in (("good", PROGRAM), ("other", PROGRAM), ("wrong", WRONG)):
        with open(os.path.join(folder, name + ".py"), "w", encoding="utf-8") as stream:
            stream.write(text)
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }"
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    with open(os.path.join(folder, "x.npy"), "wb") as stream:
        stream.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + struct.pack("<4f", 1, 2, 3, 4))
    for name, more in (("shards", []), ("packed", ["--compress", "zstd"]), ("files", ["--format", "files"])):
        where = os.path.join(folder, name)
        subprocess.run([weft, "generate", "--count", "12", "--quiet", "--output", where, *more], check=True)


def check(weft, name, line, source, attempts):
    words, found = line.split(), 0
    with tempfile.TemporaryDirectory() as out:
        whole = run(weft, [word.format(**{"in": source, "out": out}) for word in words], 0)
        good = (whole.returncode, whole.stdout, files_below(out))
    step = max(1, count_allocations(weft, words, good, source) // attempts)
    fail, finished = 1, False
    while not finished:
        finished, wrong = problem(weft, words, fail, good, source)
        if wrong:
            print(f"{name}, allocation {fail}: {wrong}")
            found += 1
        fail += step
    print(f"{name}: {fail // step} runs")
    return found


def main():
    weft, found = os.path.abspath(sys.argv[1]), 0
    attempts = int(sys.argv[2]) if len(sys.argv) > 2 else ATTEMPTS
    with tempfile.TemporaryDirectory() as source:
        make_inputs(weft, source)
        for name, line in RUNS.items():
            found += check(weft, name, line, source, attempts)
            found += check_io(weft, name, line, source)
    print(f"allocations and I/O calls: {found} problems")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
