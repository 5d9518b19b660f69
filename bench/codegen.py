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
import subprocess
import sys
import tempfile
import time

import warp as wp
from warp._src import context


def write_sources(weft, folder, count):
    """Lets weft generate kernels and writes each into a file; returns the paths."""
    command = [weft, "generate", "--count", str(count), "--seed", "1", "--no-verify", "--output", "-"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    paths = []
    for number, line in enumerate(lines):
        paths.append(os.path.join(folder, f"k{number:05}.py"))
        with open(paths[-1], "w") as stream:
            stream.write(json.loads(line)["python_source"])
    return paths


def warp_texts(path):
    """Imports a file and generates the CUDA text of its kernels; returns how many there were."""
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    module = context.user_modules[name]
    module.options["strip_hash"] = True
    kernels = list(module.kernels.values())
    for kernel in kernels:
        hasher = context.ModuleHasher([kernel], dict(module.options))
        context.ModuleBuilder(module, dict(module.options), hasher=hasher).codegen("cuda")
    return len(kernels)


def time_warp(paths):
    """(pairs, seconds)"""
    begun = time.perf_counter()
    pairs = sum(map(warp_texts, paths))
    return pairs, time.perf_counter() - begun


def time_command(command):
    """(seconds of wall time, stderr)"""
    begun = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - begun
    if done.returncode:
        sys.exit(f"{' '.join(command[:6])} ...: exit status {done.returncode}\n{done.stderr[-500:]}")
    return seconds, done.stderr


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
        pairs, warp_seconds = time_warp(paths)
        command = [weft, "compile", "--emit", "json", "--device", "cuda", "--timings", *paths]
        compile_seconds, compile_stages = time_command(command)
    command = [weft, "generate", "--count", str(args.count), "--jobs", "1", "--no-verify", "--timings"]
    generate_seconds, generate_stages = time_command([*command, "--output", "-"])
    warp_rate = pairs / warp_seconds
    compile_rate = pairs / compile_seconds
    generate_rate = args.count / generate_seconds
    print(f"warp-lang     {pairs:7} pairs  {warp_seconds:8.3f} s  {warp_rate:9.0f} pairs/s")
    print(f"weft compile  {pairs:7} pairs  {compile_seconds:8.3f} s  {compile_rate:9.0f} pairs/s"
          f"  {compile_rate / warp_rate:6.1f} times warp-lang")
    print_stages(compile_stages)
    print(f"weft generate {args.count:7} pairs  {generate_seconds:8.3f} s  {generate_rate:9.0f} pairs/s"
          f"  {generate_rate / warp_rate:6.1f} times warp-lang")
    print_stages(generate_stages)


if __name__ == "__main__":
    main()
