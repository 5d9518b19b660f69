#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that stand alone: every sample is built by a C++ compiler with the shim and executed,
forward and backward, and has to print PASS; a changed number or kernel has to print FAIL. Where nvcc
is, samples are compiled for three architectures without a warning.

usage: standalone_check.py WEFT [--count N] [--sample N] [--one-in N [--seed S]] [--jobs J] [--compiler CXX] [--flags FLAGS]
                           [--alone N] [--mutants N] [--nvcc N] [--single] [--keep DIR]

--one-in executes a part of them. The first N samples (--alone) are built alone, by their Makefile, the others many in one file, which
takes a fifth of the time; --single: all of them alone, with nvcc too. --nvcc compiles N samples.
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

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

ARCHITECTURES = ("75", "80", "90")
CPU_BATCH = 24
NVCC_BATCH = 80
SECONDS = 300
WARNINGS = "-Wall -Wextra -Wno-unused-parameter"


def run(command, folder, seconds=SECONDS, **more):
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"more than {seconds} s")


def samples_of(folder):
    """(folder, name) of each sample, in the order of their indexes."""
    return [(os.path.dirname(path), json.load(open(path))["metadata"]["kernel_name"])
            for path in sorted(glob.glob(os.path.join(folder, "*", "metadata.json")))]


def ending(program, folder):
    """What became of a program: "PASS", "FAIL", ... and what it said."""
    done = run(program, folder)
    words = done.stdout.strip().split("\n")[-1].split(":")[0] if done.stdout.strip() else f"status {done.returncode}"
    right = {"PASS": 0, "PASS (forward)": 0, "RAN": 0, "FAIL": 1, "NOT RUN": 2}.get(words) == done.returncode
    return (words if right and not done.stderr else f"status {done.returncode}"), done.stdout + done.stderr


def execute(options, folder, name):
    """What became of a sample that is built by its Makefile, and what was said."""
    built = run(["make", "-s", "cpu", f"CXX={options.compiler}", f"CXXFLAGS={options.flags} {WARNINGS}"], folder)
    if built.returncode:
        return "not built", built.stderr
    if built.stderr:
        return "warnings", built.stderr
    end = ending([f"./{name}_cpu"], folder)
    os.remove(os.path.join(folder, f"{name}_cpu"))
    return end


def execute_batch(options, batch, stem):
    """The same of many samples in one program; each alone if that cannot be built without a warning."""
    with open(f"{stem}.cpp", "w") as stream:
        stream.write(batch_text(batch))
    command = [options.compiler, "-std=c++17", *options.flags.split(), *WARNINGS.split(), "-fwrapv", "-ffp-contract=off"]
    shim = os.path.dirname(os.path.abspath(batch[0][0]))
    built = run([*command, f"-I{shim}", "-o", f"{stem}_cpu", f"{stem}.cpp"], None)
    if built.returncode or built.stderr:
        print(f"one by one, because of\n{built.stderr[:1500]}")
        return [execute(options, *sample) for sample in batch]
    ends = [ending([f"{stem}_cpu", str(number)], None) for number in range(len(batch))]
    os.remove(f"{stem}_cpu")
    return ends


def execute_all(options, samples, folder):
    """What became of each sample, in their order."""
    alone = samples if options.single else samples[: options.alone]
    ends = each(options, alone, lambda sample: execute(options, *sample))
    batches = list(enumerate(in_batches(samples[len(alone) :], CPU_BATCH)))
    for more in each(options, batches, lambda b: execute_batch(options, b[1], os.path.join(folder, f"batch_{b[0]}"))):
        ends += more
    return ends


def each(options, things, work):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(work, things))


# --- many samples in one file


HEADERS = """#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#else
#include "cuda_on_cpu.h"
#endif
"""


# What a sample may define for its own types too: its namespace would hide the others.
USING = "::abs, ::isfinite, ::isinf, ::isnan, ::max, ::min"


def in_batches(samples, size):
    return [samples[i : i + size] for i in range(0, len(samples), size)]


def batch_text(batch):
    """One program with many samples, each in a namespace of its own; its argument chooses one."""
    lines, cases = [HEADERS], []
    for number, (folder, name) in enumerate(batch):
        lines += ["#define main sample_main", f"namespace sample_{number} {{", f"using {USING};",
                  f'#include "{os.path.join(os.path.abspath(folder), name)}.cu"', "}", "#undef main", "#undef CHECK"]
        cases.append(f"    case {number}: return sample_{number}::sample_main();")
    return "\n".join([*lines, "int main(int, char **words)", "{", "    switch (atoi(words[1])) {", *cases,
                      "    default: return 9;", "    }", "}", ""])


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


def compile_batch(batch, stem):
    """(samples that compile, what nvcc said of the others): halves of what does not compile as one."""
    with open(f"{stem}.cu", "w") as stream:
        stream.write(batch_text(batch))
    good, said = nvcc_compile(f"{stem}.cu", os.path.dirname(stem))
    if good or len(batch) == 1:
        return len(batch) if good else 0, said
    middle = len(batch) // 2
    ends = [compile_batch(batch[:middle], f"{stem}a"), compile_batch(batch[middle:], f"{stem}b")]
    return sum(n for n, _ in ends), "".join(said for _, said in ends)


def notices(sample, folder):
    """Whether a warning in a sample is told: a variable that nothing uses."""
    at, name = sample
    with open(os.path.join(at, f"{name}.cu")) as stream:
        text = re.sub(r"(?m)^(__global__[^{]*\{)", r"\1\n    int unused_here = 7;", stream.read())
    with open(os.path.join(folder, "warned.cu"), "w") as stream:
        stream.write(text)
    good, said = compile_batch([(folder, "warned")], os.path.join(folder, "warned_batch"))
    return not good and "unused_here" in said


def check_nvcc(options, samples, folder):
    """(samples that compile, what nvcc said of the others)"""
    if options.single:
        ends = each(options, samples, lambda sample: nvcc_compile(f"{sample[1]}.cu", sample[0]))
    else:
        batches = list(enumerate(in_batches(samples, NVCC_BATCH)))
        ends = each(options, batches, lambda b: compile_batch(b[1], os.path.join(folder, f"nvcc_{b[0]}")))
    return sum(int(good) for good, _ in ends), [said for good, said in ends if not good]


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
    command = [options.weft, "generate", "--kind", "exercise", "--count", str(max(options.count, options.nvcc)), "--seed", str(options.sample), "--format",
               "standalone", "--cpu-shim", "--output", folder, "--jobs", str(options.jobs), "--quiet"]
    done = run(command, None, 1800)
    if done.returncode:
        sys.exit(f"weft generate: {done.returncode}\n{done.stderr}")
    return samples_of(folder)


def check(options, folder):
    samples = generate(options, folder)
    good = len(samples) == max(options.count, options.nvcc)
    work = f"{folder}.work"
    os.makedirs(work, exist_ok=True)
    executed = options.part.of(samples[: options.count])
    ends = execute_all(options, executed, work)
    if ends:
        print(f"{sum(end == 'PASS' for end, _ in ends)} of {len(executed)} samples PASS")
    table(executed, ends)
    bad = [f"{at}: {end}\n{said}" for (at, _), (end, said) in zip(executed, ends) if end != "PASS"]
    tell("not PASS", bad)
    tried = each(options, samples[: options.mutants], lambda sample: mutate(options, *sample))
    missed = [text for _, texts in tried for text in texts]
    if tried:
        print(f"{sum(n for n, _ in tried) - len(missed)} of {sum(n for n, _ in tried)} changes noticed")
    tell("not noticed", missed)
    if options.nvcc and not shutil.which("nvcc"):
        print("SKIPPED: no nvcc, so nothing is compiled for a GPU")
        if not options.count:
            sys.exit(77)
    elif options.nvcc:
        if not notices(samples[0], work):
            bad.append("nvcc: a warning is not noticed")
        compiled, said = check_nvcc(options, samples[: options.nvcc], work)
        print(f"{compiled} of {options.nvcc} samples compile with nvcc for sm_{', sm_'.join(ARCHITECTURES)}")
        tell("nvcc", said)
        good &= compiled == options.nvcc
    return good and not bad and not missed


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=False)
    parser.add_argument("weft", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--sample", type=int, default=6, help="the seed that the samples are generated from")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-O0")
    parser.add_argument("--alone", type=int, default=12)
    parser.add_argument("--mutants", type=int, default=4)
    parser.add_argument("--nvcc", type=int, default=0)
    parser.add_argument("--single", action="store_true")
    parser.add_argument("--keep")
    chosen = part.take(sys.argv)
    options = parser.parse_args()
    options.part = chosen
    os.environ["PATH"] += os.pathsep + "/usr/local/cuda/bin"
    if options.keep:
        sys.exit(0 if check(options, os.path.abspath(options.keep)) else 1)
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(0 if check(options, os.path.join(folder, "set")) else 1)


if __name__ == "__main__":
    main()
