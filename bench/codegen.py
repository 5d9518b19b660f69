# SPDX-License-Identifier: Apache-2.0
"""Text of the same kernels by warp-lang's ModuleBuilder.codegen and by weft, in one run on one core.

usage: codegen.py WEFT [--kernels N] [--count N]

Runs under the virtual environment that has warp-lang; bench/codegen calls it. A pair is a Python
kernel and its CUDA text, forward and backward. warp-lang imports each source and generates its
text; weft compiles the same files in one process, then generates --count pairs of its own.
"""

import argparse
import contextlib
import importlib.util
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import warp as wp
from warp._src import context


def write_sources(weft, folder, count):
    """Lets weft generate kernels and writes each into a file; returns the paths."""
    command = [weft, "generate", "--kind", "exercise", "--count", str(count), "--seed", "1", "--no-verify", "--output", "-"]
    lines = subprocess.run([*command, "--quiet"], stdout=subprocess.PIPE, check=True).stdout.splitlines()
    paths = []
    for number, line in enumerate(lines):
        paths.append(os.path.join(folder, f"k{number:05}.py"))
        with open(paths[-1], "w") as stream:
            stream.write(json.loads(line)["python_source"])
    return paths


def warp_texts(path):
    """Imports a file and generates the CUDA text of its kernel, forward and backward."""
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    module = context.user_modules[name]
    module.options["strip_hash"] = True
    (kernel,) = module.kernels.values()
    hasher = context.ModuleHasher([kernel], dict(module.options))
    return context.ModuleBuilder(module, dict(module.options), hasher=hasher).codegen("cuda")


class Timing:
    """A measured run: pairs, seconds of wall time and of processor time, and what it told."""

    def __init__(self, name, pairs, work, who):
        begun, used = time.perf_counter(), resource.getrusage(who)
        self.told = work()
        self.name, self.pairs = name, pairs
        self.wall = time.perf_counter() - begun
        now = resource.getrusage(who)
        self.cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime

    def show(self, other=None):
        line = f"{self.name:14} {self.pairs:7} pairs  {self.wall:8.3f} s ({self.cpu:8.3f} s of processor)"
        line += f"  {self.pairs / self.wall:9.0f} pairs/s"
        if other:
            line += f"  {self.pairs / self.wall / (other.pairs / other.wall):6.1f} times {other.name}"
        print(line)


def run_weft(command):
    """Runs a command without its output; returns what it told on stderr."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command[:6])} ...: exit status {done.returncode}\n{done.stderr[-500:]}")
    return done.stderr


def time_weft(name, pairs, command, repeat):
    """The quickest of several runs."""
    runs = (Timing(name, pairs, lambda: run_weft(command), resource.RUSAGE_CHILDREN) for _ in range(repeat))
    return min(runs, key=lambda run: run.wall)


def print_stages(stderr):
    """The share of each stage, from the lines STAGE<TAB>SECONDS of --timings."""
    rows = [line.split("\t") for line in stderr.splitlines() if line.count("\t") == 1]
    total = sum(float(seconds) for _, seconds in rows) or 1.0
    for stage, seconds in rows:
        print(f"    {stage:12} {float(seconds):9.3f} s  {100 * float(seconds) / total:5.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--kernels", type=int, default=1200, help="kernels given to both")
    parser.add_argument("--count", type=int, default=100000, help="pairs that weft generates")
    args = parser.parse_args()
    weft = os.path.abspath(args.weft)
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    wp.config.quiet = True
    with contextlib.redirect_stdout(io.StringIO()):
        wp.init()
    with tempfile.TemporaryDirectory() as folder:
        paths = write_sources(weft, folder, args.kernels)
        warp = Timing("warp-lang", len(paths), lambda: list(map(warp_texts, paths)), resource.RUSAGE_SELF)
        command = [weft, "compile", "--emit", "json", "--device", "cuda", "--timings", *paths]
        compiled = time_weft("weft compile", len(paths), command, 5)
    command = [weft, "generate", "--kind", "exercise", "--count", str(args.count), "--jobs", "1", "--no-verify", "--timings"]
    generated = time_weft("weft generate", args.count, [*command, "--output", "-"], 2)
    warp.show()
    for run in (compiled, generated):
        run.show(warp)
        print_stages(run.told)


if __name__ == "__main__":
    main()
