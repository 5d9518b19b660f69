#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every I/O call of a run fails once, and many of its allocations: the run ends with status 3, leaves
no half file, leaks nothing. What a failed `weft generate` leaves, --resume completes to the right bytes.

usage: allocation_check.py WEFT [--part I/N] [--one-in N [--seed S]] [--even N] [--programs] [--device LIBCUDA LIBNVRTC] [--all] [RUN...]

WEFT is a debug build, which tells by WEFT_FAIL_COUNTS how many allocations and I/O calls a run has,
and lets the one fail that WEFT_FAIL_ALLOCATION or WEFT_FAIL_IO numbers. Of the allocations those fail
that are 1, 4, 16, ... from the first and from the last, and --even in even steps from a number on that the day's
seed draws; of runs with very many calls a few that it draws; --all: all of them. With the sanitizers, a leak or an error gives the status that ASAN_OPTIONS
names. --part 1/2 is every second of the runs.
"""

import argparse
import hashlib
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

TIMEOUT = 60
EVEN = 6
SPREAD = 5
OUT_OF_MEMORY = 3
ALLOCATION = ("WEFT_FAIL_ALLOCATION", b"memory")
IO = ("WEFT_FAIL_IO", b"Input/output error")
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
SHAPES = "import warp as wp\n\n\n@wp.func\ndef area(x: float):\n    return x * x\n"
APP = """from typing import Any

import warp as wp

from parts.shapes import area


@wp.kernel
def areas(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = area(x[i])


@wp.kernel
def scaled(x: wp.array(dtype=Any), s: Any):
    x[wp.tid()] *= s


def make(n):
    @wp.kernel
    def added(x: wp.array(dtype=float)):
        x[wp.tid()] += float(n)

    return added


added = make(3)
wp.launch(scaled, 4, inputs=[wp.zeros(4, dtype=wp.vec3), 2.0])
"""
# Two categories: a run begins with a pilot of each that it makes.
SHARDS = "generate --kind exercise --categories math,atomic --count 14 --shard-rows 4 --shard 2/2 --no-verify --jobs 1 --quiet"
FILES = "generate --kind exercise --categories math,atomic --count 14 --shard-rows 8 --format files --no-verify --jobs 1 --quiet"
PROGRAMS = "generate --kind exercise --categories math --count 4 --shard-rows 2 --format standalone --cpu-shim --no-verify --jobs 1 --quiet"
PARTS = "generate --kind exercise --categories math --count 4 --format standalone --no-verify --jobs 1 --quiet --shard"
# name -> the folder that {out}/set is a copy of at the start
BEFORE = {
    "generate resumed": "unfinished",
    "generate resumed files": "unfinished_files",
    "generate resumed programs": "unfinished_programs",
    "generate what is there": "finished",
    "collect again": "collected",
}
# name -> words after the program's name; {in} and {out} are folders
RUNS = {
    "compile to a file": "compile {in}/good.py --device both -o {out}/k.cu",
    "compile to a folder": "compile {in}/good.py {in}/other.py --emit json -o {out}",
    "compile to standard output": "compile {in}/good.py --emit ir",
    "compile with errors": "compile {in}/wrong.py -o {out}/k.cu",
    "diff-versions": "diff-versions --from 1.17 --device both {in}/good.py",
    "check": "check {in}/good.py",
    "check with errors": "check {in}/wrong.py {in}/good.py",
    "run": "run {in}/good.py --dim 4 --arg x=@{in}/x.npy --arg p.a=1 --arg p.b=[1,2,3] --arg n=2 --save x=@{out}/x.npy",
    "validate shards": "validate {in}/shards --jobs 1 --quiet",
    "validate packed shards": "validate {in}/packed --jobs 1 --quiet",
    "validate files": "validate {in}/files --jobs 1 --quiet --json",
    "split": "split {in}/packed --ratios 60,40 --quiet --output {out}/set",
    "dedup": "dedup {in}/packed {in}/shards {in}/bare.jsonl --json --output {out}/set",
    "dedup near": "dedup {in}/packed {in}/bare.jsonl --near 0.8 --quiet",
    "generate repair pairs": "generate --kind exercise --categories math,atomic --count 12 --jobs 1 --task repair --compress gzip --quiet --output {out}/set",
    "generate conversations": "generate --kind exercise --categories math,atomic --count 12 --jobs 1 --style messages --no-verify --output -",
    "collect": "collect {in}/project --jobs 1 --quiet --output {out}/set",
    "collect again": "collect {in}/project --jobs 1 --quiet --resume --output {out}/set",
    "validate collected": "validate {in}/collected --jobs 1",
    "stats": "stats {in}/packed {in}/files --json",
    "report": "report {in}/packed -q -o {out}/r.html",
    "generate shards": "generate --kind exercise --categories math,atomic --count 16 --jobs 1 --quiet --output {out}/set",
    "generate packed shards": "generate --kind exercise --categories math,atomic --count 16 --jobs 2 --compress zstd --shard-rows 9 --quiet --output {out}/set",
    "generate no near ones": "generate --kind exercise --categories math,atomic --count 16 --near 0.7 --jobs 1 --no-verify --quiet --output {out}/set",
    "generate files": "generate --kind exercise --categories math,atomic --count 12 --jobs 1 --format files --quiet --output {out}/set",
    "generate resumed": SHARDS + " --output {out}/set --resume",
    "generate resumed files": FILES + " --output {out}/set --resume",
    "generate what is there": SHARDS + " --output {out}/set",
    "generate to standard output": "generate --kind exercise --categories math,atomic --count 16 --jobs 1 --device both --output -",
}

# Runs with very many calls: of these a spread of them fails, unless all are asked for.
PROGRAM_RUNS = {
    "compile to a program": "compile {in}/good.py --emit standalone --cpu-shim -o {out}/k",
    "check CUDA text": "check {in}/good.cu",
    "validate programs": "validate {in}/programs --jobs 1 --quiet",
    "stats of programs": "stats {in}/programs --json",
    "split programs": "split {in}/programs --ratios 50,50 --quiet --output {out}/set",
    "merge programs": "merge {in}/part1 {in}/part2 --quiet --output {out}/set",
    "merge one part of programs": "merge {in}/programs --quiet --output {out}/set",
    "generate programs": PROGRAMS + " --output {out}/set",
    "generate resumed programs": PROGRAMS + " --output {out}/set --resume",
}
RUNS.update(PROGRAM_RUNS)

# With stand-ins for NVIDIA's libraries: what they call PTX is a file of ours, and a launch changes nothing.
DEVICE_RUNS = {
    "ptx": "ptx {in}/good.cu --no-ptxas",
    "ptx as JSON": "ptx {in}/good.cu --no-ptxas --json -o {out}/ptx",
    "ptx of programs": "ptx {in}/programs --no-ptxas --arch sm_75,sm_90 -o {out}/ptx",
    "ptx of records": "ptx {in}/records --warp-include {in}/native --no-ptxas -q",
    "ptx that is there": "ptx {in}/axpy.ptx --no-ptxas",
    "compile to PTX": "compile {in}/good.py --emit ptx --warp-include {in}/native -o {out}/k.ptx",
    "generate with PTX": "generate --kind exercise --categories math --count 2 --no-verify --jobs 1 --with-ptx --warp-include {in}/native --quiet --output {out}/set",
    "run on a device": "run {in}/same.py --dim 4 --arg x=@{in}/x.npy --device cuda --save x=@{out}/x.npy",
    "run backwards on a device": "run {in}/same.py --dim 4 --arg x=@{in}/x.npy --device cuda --grad --adjoint x=@{in}/x.npy --save-grad x=@{out}/g.npy",
    "validate on a device": "validate {in}/records --checks schema --device cuda --jobs 1 --quiet",
    "check records": "check {in}/records",
    "check programs": "check {in}/programs",
}
RUNS.update(DEVICE_RUNS)
SAME = """import warp as wp


@wp.kernel
def same(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 1.0
"""


def run(weft, words, **environment):
    return subprocess.run(
        [weft, *words], env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True,
        timeout=TIMEOUT
    )


class Command:
    """A command of RUNS, and how its undisturbed run ends."""

    def __init__(self, weft, name, source):
        self.weft, self.name, self.source = weft, name, source
        self.line = RUNS[name].split()
        self.resumed = {}  # digest of what a failed run left -> what is wrong with what --resume makes of it
        with tempfile.TemporaryDirectory() as out, tempfile.NamedTemporaryFile("r") as counts:
            done = self.run(out, WEFT_FAIL_COUNTS=counts.name)
            self.allocations, self.calls = map(int, counts.read().split())
            self.status, self.output = done.returncode, timeless(done.stdout)
            self.files, self.bytes = files_below(out), bytes_below(out)

    def words(self, out):
        return [word.format(**{"in": self.source, "out": out}) for word in self.line]

    def run(self, out, **environment):
        if self.name in BEFORE:
            shutil.copytree(os.path.join(self.source, BEFORE[self.name]), os.path.join(out, "set"))
        return run(self.weft, self.words(out), **environment)

    def trouble(self, out):
        """What is wrong with what a failed run left, or None."""
        left = files_below(out)
        if left == ["set.collecting.journal"]:  # what has been made so far
            return self.resume(out)
        if "generate" not in self.line or not self.files:
            # what cannot be removed stays, hidden or beside; the next run does without it
            extra = [name for name in left if name not in self.files and not name.endswith(("/.weft-merge", ".collecting.journal"))]
            return f"leaves {extra}" if extra else None
        half = [name for name in left if name.endswith((".part", "/lock"))]
        if half:
            return f"leaves {half}"
        state = digest_below(out)  # the same files go on in the same way: they are tried once
        if state not in self.resumed:
            self.resumed[state] = self.resume(out)
        return self.resumed[state]

    def resume(self, out):
        words = self.words(out)
        done = run(self.weft, [*words, *([] if "--resume" in words else ["--resume"])])
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


def digest_below(folder):
    """Names and contents of the files, and names of the folders."""
    folders = sorted(os.path.relpath(where, folder) for where, _, _ in os.walk(folder))
    return hashlib.sha256(repr((folders, sorted(bytes_below(folder).items()))).encode()).digest()


def device_holds():
    """What the stand-in for the driver says is left of contexts, modules, events and buffers."""
    path = os.environ.get("FAKE_CUDA_LOG")
    if not path or not os.path.exists(path):
        return []
    with open(path) as stream:
        held = stream.readline().split()[1:]
    os.remove(path)
    return held if any(count != "0" for count in held) else []


def tells(command, fault, stderr):
    """A library that cannot be looked at is one that is not there: that is told then."""
    no_library = fault is IO and command.name in DEVICE_RUNS and re.search(rb"WEFT_NVRTC names|NVIDIA driver|native headers", stderr)
    return fault[1] in stderr or no_library


def problem(command, fault, number):
    """What is wrong with a run in which the fault of that number happens, or None."""
    variable, told = fault
    with tempfile.TemporaryDirectory() as out:
        try:
            done = command.run(out, **{variable: str(number)})
        except subprocess.TimeoutExpired:
            return "no end"
        held = device_holds()
        if held:
            return f"holds {held} on the device"
        if done.returncode == OUT_OF_MEMORY:
            return command.trouble(out) if tells(command, fault, done.stderr) else f"does not tell: {done.stderr[-200:]!r}"
        if done.returncode != command.status:
            return f"status {done.returncode}: {done.stderr[:1500].decode(errors='replace')}"
        left = [name for name in files_below(out) if name in command.files or ".collecting" not in name]
        if timeless(done.stdout) != command.output or left != command.files:
            return "ends well, with another result"
    return None


def allocations_tried(n, even, seed):
    """Numbers from 1 to n: dense at the start and at the end, where the files are."""
    powers = [1 << k for k in range(0, n.bit_length(), 2)]
    first = random.Random(f"{seed} {n}").randrange(max(n // even, 1)) if even else 0
    steps = [1 + first + n * k // even for k in range(even)]
    return sorted({*powers, *(n + 1 - power for power in powers), *(step for step in steps if step <= n)})


def is_spread(name):
    return name in PROGRAM_RUNS or name in DEVICE_RUNS


def spread(n, seed):
    """The last of n numbers and a few others."""
    return sorted({n, *random.Random(f"{seed} {n}").sample(range(1, n + 1), min(n, SPREAD - 1))})


def timeless(text):
    return re.sub(rb" in [0-9.]+ s\n", b"", text)


def leave_unfinished(weft, words, folder):
    """An unfinished run in `folder`: the I/O call fails that is the first to leave a shard behind."""
    for fail in range(1, 1000):
        shutil.rmtree(folder, ignore_errors=True)
        run(weft, [*words, "--output", folder], WEFT_FAIL_IO=str(fail))
        notes = os.path.join(folder, ".weft")
        if os.path.isdir(notes) and any(name.startswith("shard-") for name in os.listdir(notes)):
            return
    sys.exit(f"no failing I/O call leaves {words} unfinished")


def make_inputs(folder):
    for name, text in (("good", PROGRAM), ("other", PROGRAM), ("wrong", WRONG)):
        with open(os.path.join(folder, name + ".py"), "w", encoding="utf-8") as stream:
            stream.write(text)
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }"
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    with open(os.path.join(folder, "x.npy"), "wb") as stream:
        stream.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + struct.pack("<4f", 1, 2, 3, 4))


def make_sets(weft, folder):
    for name, more in (("shards", []), ("packed", ["--compress", "zstd"]), ("files", ["--format", "files"])):
        where = os.path.join(folder, name)
        subprocess.run([weft, "generate", "--kind", "exercise", "--count", "12", "--quiet", "--output", where, *more], check=True)
    shard = os.path.join(folder, "shards", "data", "train-00000-of-00001.jsonl")
    with open(shard) as stream, open(os.path.join(folder, "bare.jsonl"), "w") as bare:
        bare.write(stream.readline().replace('"structure":', '"none":'))
    subprocess.run([weft, *SHARDS.split(), "--output", os.path.join(folder, "finished")], check=True)
    leave_unfinished(weft, SHARDS.split(), os.path.join(folder, "unfinished"))
    leave_unfinished(weft, FILES.split(), os.path.join(folder, "unfinished_files"))


def make_collected(weft, folder):
    """A project with a helper in another file, and the set that is collected from it."""
    project = os.path.join(folder, "project")
    os.makedirs(os.path.join(project, "parts"))
    for name, text in (("good.py", PROGRAM), ("wrong.py", WRONG), ("app.py", APP), ("parts/shapes.py", SHAPES), ("LICENSE", "SPDX-License-Identifier: MIT\n"),
                       (".gitignore", "/build/\n")):
        with open(os.path.join(project, name), "w", encoding="utf-8") as stream:
            stream.write(text)
    words = [weft, "collect", project, "--jobs", "1", "--quiet", "--output", os.path.join(folder, "collected")]
    subprocess.run(words, check=True)


def make_programs(weft, folder):
    leave_unfinished(weft, PROGRAMS.split(), os.path.join(folder, "unfinished_programs"))
    subprocess.run([weft, *PROGRAMS.split(), "--output", os.path.join(folder, "programs")], check=True)
    for part in "12":
        subprocess.run([weft, *PARTS.split(), part + "/2", "--output", os.path.join(folder, "part" + part)], check=True)
    with open(os.path.join(folder, "good.cu"), "wb") as stream:
        command = [weft, "compile", os.path.join(folder, "good.py"), "--emit", "standalone"]
        subprocess.run(command, check=True, stdout=stream)


def make_device_inputs(weft, folder, libcuda, libnvrtc):
    ptx = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cases", "ptx", "axpy.ptx")
    shutil.copy(ptx, folder)
    with open(os.path.join(folder, "same.py"), "w", encoding="utf-8") as stream:
        stream.write(SAME)
    os.mkdir(os.path.join(folder, "native"))
    for name, text in (("builtin.h", ""), ("version.h", '#define WP_VERSION_STRING "1.19.0"\n')):
        with open(os.path.join(folder, "native", name), "w", encoding="utf-8") as stream:
            stream.write(text)
    for name in ("records", "programs"):
        words = ["generate", "--kind", "exercise", "--categories", "math", "--count", "2", "--no-verify", "--jobs", "1", "--quiet"]
        words += ["--format", "standalone"] if name == "programs" else []
        subprocess.run([weft, *words, "--output", os.path.join(folder, name)], check=True)
    with open(os.path.join(folder, "good.cu"), "wb") as stream:
        subprocess.run([weft, "compile", os.path.join(folder, "good.py"), "--emit", "standalone"], check=True, stdout=stream)
    os.environ.update(WEFT_LIBCUDA=os.path.abspath(libcuda), WEFT_NVRTC=os.path.abspath(libnvrtc), FAKE_NVRTC_PTX=ptx,
                      FAKE_CUDA_LOG=os.path.join(folder, "cuda.log"))


def check(command, args):
    found = 0
    numbers = range(1, command.allocations + 1)
    if not args.all:
        numbers = allocations_tried(command.allocations, args.even, args.seed)
    if not args.all and is_spread(command.name):
        numbers = spread(command.allocations, args.seed)
    calls = range(1, command.calls + 1)
    if not args.all and is_spread(command.name):
        calls = spread(command.calls, args.seed)
    faults = [(ALLOCATION, number) for number in numbers] + [(IO, number) for number in calls]
    for fault, number in faults:
        wrong = problem(command, fault, number)
        if wrong:
            print(f"{command.name}, {fault[0]}={number}: {wrong}", flush=True)
            found += 1
    print(
        f"{command.name}: {len(numbers)} of {command.allocations} allocations, {len(calls)} of {command.calls} I/O calls, "
        f"{len(command.resumed)} states resumed",
        flush=True,
    )
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft", type=os.path.abspath)
    parser.add_argument("--part", default="1/1", help="I/N: every N-th of the runs, from the I-th on")
    parser.add_argument("--even", type=int, default=EVEN, help="allocations in even steps")
    parser.add_argument("--programs", action="store_true", help="the runs on sets of programs")
    parser.add_argument("--device", nargs=2, metavar="LIBRARY", help="the runs with a device: stand-ins for libcuda and libnvrtc")
    parser.add_argument("--all", action="store_true", help="every allocation")
    parser.add_argument("runs", nargs="*", metavar="RUN", help="names of runs; none: all")
    chosen = part.take(sys.argv)
    args = parser.parse_intermixed_args()
    args.seed = chosen.seed
    if os.path.isdir("/dev/shm"):
        tempfile.tempdir = "/dev/shm"  # where fsync costs nothing
    turn, turns = map(int, args.part.split("/"))
    found = 0
    with tempfile.TemporaryDirectory() as source:
        make_inputs(source)
        if args.device:
            make_device_inputs(args.weft, source, *args.device)
        elif args.runs or not args.programs:
            make_sets(args.weft, source)
            make_collected(args.weft, source)
        if not args.device and (args.runs or args.programs):
            make_programs(args.weft, source)
        usual = [name for name in RUNS if not is_spread(name)]
        if args.device or args.programs:
            usual = DEVICE_RUNS if args.device else PROGRAM_RUNS
        for name in chosen.of((args.runs or list(usual))[turn - 1 :: turns]):
            found += check(Command(args.weft, name, source), args)
    print(f"allocations and I/O calls: {found} problems; --seed {args.seed}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
