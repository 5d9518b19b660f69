# SPDX-License-Identifier: Apache-2.0
"""Pairs/s of weft generate and of a plain Python producer on warp-lang, in one run.

usage: dataset.py WEFT [--pairs N] [--count N] [--repeats N] [--json FILE]

Runs under the virtual environment that has warp-lang; bench/dataset calls it. The producer is what
one would write without weft, made as quick as it gets: sources come from templates (kernels that weft
generated) by new numbers and stay in memory; each is a module of its own for warp-lang's
ModuleBuilder, without the hashing that only loading needs; the CUDA text is cut into forward and
backward and goes with its SHA-256 into a line of JSON. It neither executes a pair nor looks for
duplicates. Importing warp-lang is not counted, weft's start is. Both write files into one folder.
Each figure is the median of several runs, which take turns.
"""

import argparse
import contextlib
import gc
import hashlib
import io
import json
import linecache
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import warp as wp
from warp._src import codegen as warp_codegen
from warp._src import context

from codegen import Timing, run_weft

TEMPLATES = 240
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
TEXTS = ("cuda_ir_forward", "cuda_ir_backward")


class OneKernel:
    """What ModuleBuilder asks a ModuleHasher, for a module of one kernel that nobody loads."""

    unique_kernels = {}

    def __init__(self, kernel):
        kernel.adj.get_references()
        self.kernel = kernel

    def get_unique_kernels(self):
        return [self.kernel]


class Producer:
    """Pairs by warp-lang alone."""

    def __init__(self, templates, seed):
        self.templates, self.random, self.made = templates, random.Random(seed), 0

    def source(self):
        """A template with other numbers of the same size."""
        draw = self.random.uniform
        text = self.templates[self.made % len(self.templates)]
        return NUMBER.sub(lambda found: f"{float(found[0]) * draw(0.5, 2.0):.3f}", text)

    def texts(self, source):
        """(kernel's name, forward text, backward text)"""
        name = f"sample_{os.getpid()}_{self.made}"
        file = f"<{name}>"
        self.made += 1
        linecache.cache[file] = len(source), None, source.splitlines(True), file
        exec(compile(source, file, "exec"), {"__name__": name})
        module = context.user_modules.pop(name)
        module.options["strip_hash"] = True
        (kernel,) = module.kernels.values()
        builder = context.ModuleBuilder(module, dict(module.options), hasher=OneKernel(kernel))
        text = builder.codegen("cuda").partition(warp_codegen.codegen_cast_macros)[2]
        del linecache.cache[file]
        forward, start, backward = text.partition(f'extern "C" __global__ void {kernel.key}_cuda_kernel_backward(')
        return kernel.key, forward, start + backward

    def line(self):
        source = self.source()
        name, *texts = self.texts(source)
        record = {"id": str(self.made), "python_source": source, **dict(zip(TEXTS, texts))}
        hashes = {key: hashlib.sha256(value.encode()).hexdigest() for key, value in record.items()}
        record["metadata"] = {"kernel_name": name, "device": "cuda", "sha256": hashes}
        return json.dumps(record, ensure_ascii=False) + "\n"

    def write(self, path, count):
        with open(path, "w", encoding="utf-8") as stream:
            for _ in range(count):
                stream.write(self.line())


def templates_of(weft):
    """Sources of weft's, each seen to give weft's own text through the producer."""
    command = [weft, "generate", "--kind", "exercise", "--count", str(TEMPLATES), "--seed", "1", "--no-verify", "--output", "-", "--quiet"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    records = [json.loads(line) for line in lines]
    producer = Producer([], 0)
    for record in records:
        made = producer.texts(record["python_source"])
        for key, text in zip(TEXTS, made[1:]):
            kernel = record[key][record[key].index('extern "C" __global__'):].strip()
            if kernel not in text:
                sys.exit(f"{record['id']}: the producer's text is not weft's")
    return [record["python_source"] for record in records]


def produce_on_all(templates, folder, count, jobs):
    """Several processes, each with its share; they are children of this one, which has warp-lang loaded."""
    children = []
    for job in range(jobs):
        child = os.fork()
        if not child:
            status = 1
            try:
                Producer(templates, job).write(os.path.join(folder, f"{job}.jsonl"), count // jobs)
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    if any([os.waitpid(child, 0)[1] for child in children]):
        sys.exit("a child process failed")


class Bench:
    """The runs, by name, in turns."""

    def __init__(self, weft, args, templates):
        self.weft, self.args, self.templates = weft, args, templates
        self.cores = len(os.sched_getaffinity(0))
        self.runs = {}

    def time(self, name, pairs, work, who):
        with tempfile.TemporaryDirectory() as folder:
            self.runs.setdefault(name, []).append(Timing(name, pairs, lambda: work(folder), who))

    def time_weft(self, name, jobs, *more):
        count = str(self.args.count)
        command = [self.weft, "generate", "--kind", "exercise", "--count", count, "--seed", "2000", "--jobs", str(jobs), "--quiet", *more]
        work = lambda folder: run_weft([*command, "--output", os.path.join(folder, "set")])
        self.time(name, self.args.count, work, resource.RUSAGE_CHILDREN)

    def round(self):
        args, cores = self.args, self.cores
        producer = Producer(self.templates, len(self.runs))
        one = lambda folder: producer.write(os.path.join(folder, "a.jsonl"), args.pairs)
        self.time("Python, one core", args.pairs, one, resource.RUSAGE_SELF)
        pairs = args.pairs // cores * cores
        work = lambda folder: produce_on_all(self.templates, folder, pairs, cores)
        self.time(f"Python, {cores} cores", pairs, work, resource.RUSAGE_CHILDREN)
        for jobs, where in ((1, "one core"), (cores, f"{cores} cores")):
            self.time_weft(f"weft, {where}, not verified", jobs, "--no-verify")
            self.time_weft(f"weft, {where}, verified", jobs)

    def write(self, path):
        """The medians of the rates, in pairs a second."""
        rates = {name: statistics.median(run.pairs / run.wall for run in runs) for name, runs in self.runs.items()}
        with open(path, "w", encoding="utf-8") as out:
            json.dump({"date": time.strftime("%Y-%m-%d"), "rates": rates}, out, indent=1)
            out.write("\n")

    def show(self):
        rates = {name: [run.pairs / run.wall for run in runs] for name, runs in self.runs.items()}
        used = {name: [1000 * run.cpu / run.pairs for run in runs] for name, runs in self.runs.items()}
        print(f"{'':30} {'pairs':>7} {'pairs/s':>8} {'least':>8} {'most':>8} {'times Python':>13}", end="")
        print(f" {'ms of processor':>16} {'times Python':>13}")
        for name in rates:
            base = "Python, one core" if "one core" in name else f"Python, {self.cores} cores"
            rate, least, most = statistics.median(rates[name]), min(rates[name]), max(rates[name])
            cost = statistics.median(used[name])
            line = f"{name:30} {self.runs[name][0].pairs:7} {rate:8.0f} {least:8.0f} {most:8.0f}"
            line += f" {rate / statistics.median(rates[base]):13.1f}"
            print(f"{line} {cost:16.3f} {statistics.median(used[base]) / cost:13.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--pairs", type=int, default=600, help="pairs that Python produces in a run")
    parser.add_argument("--count", type=int, default=30000, help="pairs that weft generates in a run")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", metavar="FILE", help="write the rates for bench/pictures.py")
    args = parser.parse_args()
    wp.config.quiet = True
    with contextlib.redirect_stdout(io.StringIO()):
        wp.init()
    weft = os.path.abspath(args.weft)
    bench = Bench(weft, args, templates_of(weft))
    gc.freeze()
    gc.set_threshold(100000)
    for _ in range(args.repeats):
        bench.round()
    bench.show()
    if args.json:
        bench.write(args.json)


if __name__ == "__main__":
    main()
