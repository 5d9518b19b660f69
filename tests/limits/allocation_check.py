#!/usr/bin/env python3
"""Every allocation and every I/O call of a run fails once: the run ends with status 3, leaves no
half file, leaks nothing. What a failed `weft generate` leaves, --resume completes to the right bytes.

usage: allocation_check.py WEFT [ATTEMPTS [RUN...]]

WEFT is a debug build, which lets the allocation fail that WEFT_FAIL_ALLOCATION numbers, and the I/O
call that WEFT_FAIL_IO numbers. A run is repeated with 1, 2, 3, ... until it succeeds as if nothing
had been asked. With the sanitizers, a leak or an error gives the status that ASAN_OPTIONS names.
"""

import os
import re
import shutil
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
# Two categories: a run begins with a pilot of each that it makes.
SHARDS = "generate --categories math,atomic --count 14 --shard-rows 4 --shard 2/2 --no-verify --jobs 1 --quiet"
FILES = "generate --categories math,atomic --count 14 --shard-rows 8 --format files --no-verify --jobs 1 --quiet"
# name -> the folder that {out}/set is a copy of at the start
BEFORE = {
    "generate resumed": "unfinished",
    "generate resumed files": "unfinished_files",
    "generate what is there": "finished",
}
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
    "split": "split {in}/packed --ratios 60,40 --quiet --output {out}/set",
    "dedup": "dedup {in}/packed {in}/shards {in}/bare.jsonl --json --output {out}/set",
    "dedup near": "dedup {in}/packed {in}/bare.jsonl --near 0.8 --quiet",
    "generate repair pairs": "generate --categories math,atomic --count 12 --jobs 1 --task repair --compress gzip --quiet --output {out}/set",
    "generate conversations": "generate --categories math,atomic --count 12 --jobs 1 --style messages --no-verify --output -",
    "stats": "stats {in}/packed {in}/files --json",
    "report": "report {in}/packed -q -o {out}/r.html",
    "generate shards": "generate --categories math,atomic --count 16 --jobs 1 --quiet --output {out}/set",
    "generate packed shards": "generate --categories math,atomic --count 16 --jobs 2 --compress zstd --shard-rows 9 --quiet --output {out}/set",
    "generate no near ones": "generate --categories math,atomic --count 16 --near 0.7 --jobs 1 --no-verify --quiet --output {out}/set",
    "generate files": "generate --categories math,atomic --count 12 --jobs 1 --format files --quiet --output {out}/set",
    "generate resumed": SHARDS + " --output {out}/set --resume",
    "generate resumed files": FILES + " --output {out}/set --resume",
    "generate what is there": SHARDS + " --output {out}/set",
    "generate to standard output": "generate --categories math,atomic --count 16 --jobs 1 --device both --output -",
}


def run(weft, words, fail, what="WEFT_FAIL_ALLOCATION"):
    environment = {**os.environ, what: str(fail)}
    return subprocess.run(
        [weft, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT
    )


class Command:
    """A command of RUNS, and how its undisturbed run ends."""

    def __init__(self, weft, name, source):
        self.weft, self.name, self.source = weft, name, source
        self.line = RUNS[name].split()
        with tempfile.TemporaryDirectory() as out:
            done = self.run(out, 0)
            self.status, self.output = done.returncode, timeless(done.stdout)
            self.files, self.bytes = files_below(out), bytes_below(out)

    def words(self, out):
        return [word.format(**{"in": self.source, "out": out}) for word in self.line]

    def run(self, out, fail, what="WEFT_FAIL_ALLOCATION"):
        if self.name in BEFORE:
            shutil.copytree(os.path.join(self.source, BEFORE[self.name]), os.path.join(out, "set"))
        return run(self.weft, self.words(out), fail, what)

    def trouble(self, out):
        """What is wrong with what a failed run left, or None."""
        left = files_below(out)
        if "generate" not in self.line or not self.files:
            extra = [name for name in left if name not in self.files]
            return f"leaves {extra}" if extra else None
        half = [name for name in left if name.endswith((".part", "/lock"))]
        if half:
            return f"leaves {half}"
        words = self.words(out)
        done = run(self.weft, [*words, *([] if "--resume" in words else ["--resume"])], 0)
        if done.returncode != 0:
            return f"--resume ends with {done.returncode}: {done.stderr[-300:].decode(errors='replace')}"
        return None if bytes_below(out) == self.bytes else "--resume ends in other bytes"


def files_below(folder):
    return sorted(
        os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names
    )


def bytes_below(folder):
    found = {}
    for name in files_below(folder):
        with open(os.path.join(folder, name), "rb") as stream:
            found[name] = stream.read()
    return found


def problem(command, fail):
    """(finished, what is wrong or None) of one run whose allocation number `fail` fails."""
    with tempfile.TemporaryDirectory() as out:
        try:
            done = command.run(out, fail)
        except subprocess.TimeoutExpired:
            return True, "no end"
        if done.returncode == OUT_OF_MEMORY:
            if b"memory" not in done.stderr:
                return False, f"does not tell: {done.stderr[-200:]!r}"
            return False, command.trouble(out)
        if done.returncode != command.status:
            return False, f"status {done.returncode}: {done.stderr[:1500].decode(errors='replace')}"
        if timeless(done.stdout) != command.output or files_below(out) != command.files:
            return True, "ends well, with another result"
    return True, None


def count_allocations(command):
    """The smallest power of two that lies beyond the last allocation."""
    n = 1
    while not problem(command, n)[0]:
        n *= 2
    return n


def io_problem(command, fail):
    """(had a consequence, what is wrong or None) of one run whose I/O call number `fail` fails."""
    with tempfile.TemporaryDirectory() as out:
        try:
            done = command.run(out, fail, "WEFT_FAIL_IO")
        except subprocess.TimeoutExpired:
            return True, "no end"
        if done.returncode == command.status:
            same = timeless(done.stdout) == command.output and files_below(out) == command.files
            return not same, None if same else "ends well, with another result"
        if done.returncode != OUT_OF_MEMORY:
            return True, f"status {done.returncode}: {done.stderr[:1500].decode(errors='replace')}"
        if b"Input/output error" not in done.stderr:
            return True, f"does not tell: {done.stderr[-200:]!r}"
        return True, command.trouble(out)


def timeless(text):
    return re.sub(rb" in [0-9.]+ s\n", b"", text)


def check_io(command):
    found, fail, quiet = 0, 0, 0
    while quiet < IGNORED:
        fail += 1
        felt, wrong = io_problem(command, fail)
        quiet = 0 if felt else quiet + 1
        if wrong:
            print(f"{command.name}, I/O call {fail}: {wrong}")
            found += 1
    print(f"{command.name}: {fail - quiet} I/O calls")
    return found


def leave_unfinished(weft, words, folder):
    """An unfinished run in `folder`: the I/O call fails that is the first to leave a shard behind."""
    for fail in range(1, 1000):
        shutil.rmtree(folder, ignore_errors=True)
        run(weft, [*words, "--output", folder], fail, "WEFT_FAIL_IO")
        notes = os.path.join(folder, ".weft")
        if os.path.isdir(notes) and any(name.startswith("shard-") for name in os.listdir(notes)):
            return
    sys.exit(f"no failing I/O call leaves {words} unfinished")


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
    shard = os.path.join(folder, "shards", "data", "train-00000-of-00001.jsonl")
    with open(shard) as stream, open(os.path.join(folder, "bare.jsonl"), "w") as bare:
        bare.write(stream.readline().replace('"structure":', '"none":'))
    subprocess.run([weft, *SHARDS.split(), "--output", os.path.join(folder, "finished")], check=True)
    leave_unfinished(weft, SHARDS.split(), os.path.join(folder, "unfinished"))
    leave_unfinished(weft, FILES.split(), os.path.join(folder, "unfinished_files"))


def check(command, attempts):
    found = 0
    step = max(1, count_allocations(command) // attempts)
    fail, finished = 1, False
    while not finished:
        finished, wrong = problem(command, fail)
        if wrong:
            print(f"{command.name}, allocation {fail}: {wrong}")
            found += 1
        fail += step
    print(f"{command.name}: {fail // step} runs")
    return found


def main():
    weft, found = os.path.abspath(sys.argv[1]), 0
    if os.path.isdir("/dev/shm"):
        tempfile.tempdir = "/dev/shm"  # where fsync costs nothing
    attempts = int(sys.argv[2]) if len(sys.argv) > 2 else ATTEMPTS
    with tempfile.TemporaryDirectory() as source:
        make_inputs(weft, source)
        for name in sys.argv[3:] or RUNS:
            command = Command(weft, name, source)
            found += check(command, attempts) + check_io(command)
    print(f"allocations and I/O calls: {found} problems")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
