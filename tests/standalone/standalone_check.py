#!/usr/bin/env python3
"""Programs that stand alone: every sample is built by a C++ compiler with the shim and executed,
forward and backward, and has to print PASS; a changed number or kernel has to print FAIL. Where nvcc
is, samples are compiled for three architectures without a warning.

usage: standalone_check.py WEFT [--count N] [--seed S] [--jobs J] [--compiler CXX] [--flags FLAGS]
                           [--mutants N] [--nvcc N] [--single] [--keep DIR]

--nvcc compiles N samples; several at once unless --single says that each stands alone.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ARCHITECTURES = ("75", "80", "90")
BATCH = 24
SECONDS = 60


def run(command, folder, seconds=SECONDS, **more):
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"more than {seconds} s")


def samples_of(folder):
    """(folder, name) of each sample, in the order of their indexes."""
    return [(os.path.dirname(path), json.load(open(path))["metadata"]["kernel_name"])
            for path in sorted(glob.glob(os.path.join(folder, "*", "metadata.json")))]


def execute(options, folder, name):
    """What became of a sample: "PASS", "FAIL", ... and what was said."""
    flags = f"CXXFLAGS={options.flags} -Wall -Wextra -Wno-unused-parameter"
    built = run(["make", "-s", "cpu", f"CXX={options.compiler}", flags], folder)
    if built.returncode:
        return "not built", built.stderr
    if built.stderr:
        return "warnings", built.stderr
    done = run([f"./{name}_cpu"], folder)
    os.remove(os.path.join(folder, f"{name}_cpu"))
    words = done.stdout.strip().split("\n")[-1].split(":")[0] if done.stdout.strip() else f"status {done.returncode}"
    right = {"PASS": 0, "RAN": 0, "FAIL": 1, "NOT RUN": 2}.get(words) == done.returncode
    return (words if right and not done.stderr else f"status {done.returncode}"), done.stdout + done.stderr


def each(options, samples, work):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(lambda sample: work(options, *sample), samples))


# --- changes that have to be noticed


def other_number(text):
    """The first number of the first list of expected floats or integers changed."""
    place = re.search(r"(static const (?!bool)\w[\w ]* expected_\w+\[\d+\] = \{\n\s+)(-?[\w.+-]+)", text)
    return place and text[: place.start(2)] + "77.5e0"[: 6 if "." in place.group(2) else 2] + text[place.end(2) :]


def without_store(text):
    """The first kernel without its first plain store to an array."""
    kernel = text.index("__global__")
    end = text.index("\n}", kernel)
    place = re.search(r"\n +\w+\[[^\n]*\] [-+*/]?= [^\n]*;", text[kernel:end])
    return place and text[: kernel + place.start()] + text[kernel + place.end() :]


def mutate(options, folder, name):
    """How many of the changes of a sample were tried, and which were not noticed."""
    path = os.path.join(folder, f"{name}.cu")
    text = open(path).read()
    tried, missed = 0, []
    for change in (other_number, without_store):
        changed = change(text)
        if not changed:
            continue
        open(path, "w").write(changed)
        end, said = execute(options, folder, name)
        if end == "warnings" and change is without_store:
            continue  # a variable that nothing uses any more
        tried += 1
        if end != "FAIL":
            missed.append(f"{folder}: {change.__name__}: {end}\n{said}")
    open(path, "w").write(text)
    return tried, missed


# --- nvcc


def nvcc_compile(path, folder):
    generate = [word for a in ARCHITECTURES for word in ("-gencode", f"arch=compute_{a},code=sm_{a}")]
    command = ["nvcc", "-std=c++17", *generate, "-Xcompiler", "-Wall", "-c", "-o", os.devnull, path]
    done = run(command, folder, 600)
    return done.returncode == 0 and not done.stderr.strip(), done.stderr + done.stdout


HEADERS = ("assert.h", "math.h", "stddef.h", "stdio.h", "stdlib.h", "string.h", "cuda_bf16.h", "cuda_fp16.h", "cuda_runtime.h")


def batch_text(batch):
    """One file with many samples, each in a namespace of its own."""
    lines = [f"#include <{header}>" for header in HEADERS]
    for number, (folder, name) in enumerate(batch):
        lines += [f"#define main sample_main", f"namespace sample_{number} {{",
                  f'#include "{os.path.join(os.path.abspath(folder), name)}.cu"', "}", "#undef main", "#undef CHECK",
                  f"int use_{number}() {{ return sample_{number}::sample_main(); }}"]
    return "\n".join(lines) + "\n"


def compile_batch(batch, folder, number):
    path = os.path.join(folder, f"batch_{number}.cu")
    open(path, "w").write(batch_text(batch))
    good, said = nvcc_compile(path, folder)
    return (len(batch), "") if good else (0, said)


def check_nvcc(options, samples, folder):
    """(samples that compile, what nvcc said of the others)"""
    if options.single:
        ends = each(options, samples, lambda _, at, name: nvcc_compile(f"{name}.cu", at))
        return sum(good for good, _ in ends), [said for good, said in ends if not good]
    batches = [samples[i : i + BATCH] for i in range(0, len(samples), BATCH)]
    ends = [compile_batch(batch, folder, number) for number, batch in enumerate(batches)]
    return sum(n for n, _ in ends), [said for n, said in ends if not n]


# --- all of it


def table(samples, ends):
    rows = collections.defaultdict(collections.Counter)
    for (folder, _), (end, _) in zip(samples, ends):
        rows[os.path.basename(folder).split("_", 1)[1]][end] += 1
    for category in sorted(rows):
        print(f"  {category:20}", ", ".join(f"{n} {end}" for end, n in sorted(rows[category].items())))


def tell(title, texts, most=5):
    for text in texts[:most]:
        print(f"--- {title}\n{text[:1500]}")


def generate(options, folder):
    command = [options.weft, "generate", "--count", str(max(options.count, options.nvcc)), "--seed", str(options.seed), "--format",
               "standalone", "--cpu-shim", "--output", folder, "--jobs", str(options.jobs), "--quiet"]
    done = run(command, None, 1800)
    if done.returncode:
        sys.exit(f"weft generate: {done.returncode}\n{done.stderr}")
    return samples_of(folder)


def check(options, folder):
    samples = generate(options, folder)
    good = len(samples) == max(options.count, options.nvcc)
    ends = each(options, samples[: options.count], execute)
    if ends:
        print(f"{sum(end == 'PASS' for end, _ in ends)} of {options.count} samples PASS")
    table(samples, ends)
    bad = [f"{at}: {end}\n{said}" for (at, _), (end, said) in zip(samples, ends) if end != "PASS"]
    tell("not PASS", bad)
    tried = each(options, samples[: options.mutants], mutate)
    missed = [text for _, texts in tried for text in texts]
    if tried:
        print(f"{sum(n for n, _ in tried) - len(missed)} of {sum(n for n, _ in tried)} changes noticed")
    tell("not noticed", missed)
    if options.nvcc and not shutil.which("nvcc"):
        print("SKIPPED: no nvcc, so nothing is compiled for a GPU")
        if not options.count:
            sys.exit(77)
    elif options.nvcc:
        compiled, said = check_nvcc(options, samples[: options.nvcc], folder)
        print(f"{compiled} of {options.nvcc} samples compile with nvcc for sm_{', sm_'.join(ARCHITECTURES)}")
        tell("nvcc", said)
        good &= compiled == options.nvcc
    return good and not bad and not missed


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=False)
    parser.add_argument("weft", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-O0")
    parser.add_argument("--mutants", type=int, default=4)
    parser.add_argument("--nvcc", type=int, default=0)
    parser.add_argument("--single", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    os.environ["PATH"] += os.pathsep + "/usr/local/cuda/bin"
    if options.keep:
        sys.exit(0 if check(options, os.path.abspath(options.keep)) else 1)
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(0 if check(options, os.path.join(folder, "set")) else 1)


if __name__ == "__main__":
    main()
