#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels executed by `weft run` give what warp-lang's CPU device gives, forward and backward.

usage: run_check.py WEFT [--count N] [--sample N] [--scalars K] [--jobs J] [--only WORD] [--sets SETS]
                    [--in-turn] [--verbose] [--one-in N [--seed S]]

Three sets of kernels: those of tests/kernels; N generated ones, in the domain that their records
promise; one for each builtin and K of its scalar types (--scalars 99: all of them), from
run_builtins.py. Each runs on plain inputs, on edge values and on empty arrays, by the executors
reference, text and text-cuda, and with warp-lang: forward, and then backward as
wp.launch(adjoint=True) does it. Results must be equal bit for bit (any NaN equals any other),
except for the units in the last place that run_ulps.py states. A run that weft ends with an error
is not given to warp-lang, which does not check accesses; such errors are counted by cause. So are
those of conversions and shifts out of range, where warp-lang's result depends on the CPU
(docs/decisions/portable-numbers.md). warp-lang's kernels call weft's elementary functions. Where
warp-lang's text reads a variable that has no value yet, its result depends on the optimiser.
--in-turn: each kernel runs on one kind of inputs only, the next kernel on the next: for the build
with the sanitizers, which is slow to start. --one-in takes a part of the files of kernels.
"""

import argparse
import ast
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import oracle_env

sys.path.insert(0, os.path.dirname(oracle_env.HERE))
import part  # noqa: E402

EXECUTORS = ("reference", "text", "text-cuda")
# kernels that must be compared at least: forward by all executors, and backward; generated: share
FLOORS = {"kernels": 185, "generated": 0.99, "builtins": 560, "backward": 500}
KINDS = (("plain", 7), ("edge", 13), ("empty", 0))
GENERATED_KINDS = (("small", 37), ("edge", 13), ("empty", 0))
# What they compute depends on the size of a block, which is 1 on the CPU.
OF_BLOCKS = {"threads.py:block"}
LEAST = 0.6  # of its share of the floors a part has to compare; files have more kernels or fewer
CHUNK = 60  # kernels of builtins in one module


def launch_rank(kernel):
    """How many indices wp.tid() is unpacked into."""
    rank = 1
    for node in ast.walk(kernel.adj.tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if ast.unparse(node.value.func).endswith("tid") and isinstance(node.targets[0], ast.Tuple):
                rank = max(rank, len(node.targets[0].elts))
    return rank


class Weft:
    """Runs of one kernel on inputs that lie in a folder."""

    def __init__(self, np, weft, path, kernel, dim, arguments, folder):
        self.np, self.folder = np, folder
        self.command = [weft, "run", path, "--kernel", kernel.key, "--dim", ",".join(map(str, dim))]
        if "tile_rand" in kernel.adj.source:  # each lane has numbers of its own, and Warp runs one
            self.command += ["--block-dim", "1"]
        self.command += oracle_env.options_of(path)
        self.leaves = [leaf for argument in arguments for leaf in argument.leaves]
        self.seeded = [leaf for leaf in self.leaves if leaf.seed is not None]
        for argument in arguments:
            for name, data in argument.values:
                self.command += ["--arg", f"{name}=@{self.put(name + '.npy', data)}"]
        for leaf in self.leaves:
            self.command += ["--save", f"{leaf.path}=@{folder}/{leaf.path}.end.npy"]
        self.gradient = ["--grad"]
        for leaf in self.seeded:
            self.gradient += ["--adjoint", f"{leaf.path}=@{self.put(leaf.path + '.seed.npy', leaf.seed)}"]
            self.gradient += ["--save-grad", f"{leaf.path}=@{folder}/{leaf.path}.grad.npy"]

    def put(self, name, data):
        path = os.path.join(self.folder, name)
        self.np.save(path, data)
        return path

    def run(self, executor, backward):
        """(arrays, gradients, None), or (None, None, error)."""
        command = [*self.command, "--executor", executor, "--fuel", "3000000"]
        done = subprocess.run(
            command + (self.gradient if backward else []), capture_output=True, text=True, timeout=120
        )
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
        if done.returncode:
            return None, None, done.stderr.strip()
        ends = [self.np.load(f"{self.folder}/{leaf.path}.end.npy") for leaf in self.leaves]
        if not backward:
            return ends, None, None
        return ends, [self.np.load(f"{self.folder}/{leaf.path}.grad.npy") for leaf in self.seeded], None


def distance(np, a, b):
    """The largest number of units in the last place between two arrays."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return float("inf")
    if not np.issubdtype(a.dtype, np.floating):
        return 0 if np.array_equal(a, b) else float("inf")
    different = ~((a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b))
    if not different.any():
        return 0
    x, y = a[different], b[different]
    if not (np.isfinite(x) & np.isfinite(y)).all():
        return float("inf")
    with np.errstate(all="ignore"):
        x, y, unit = (v.astype(np.float64) for v in (x, y, np.spacing(np.maximum(np.abs(x), np.abs(y)))))
        return max(1.0, float(np.max(np.abs(x - y) / unit)))


def cause_of(error):
    found = re.search(r"cannot execute [^\n]*|is out of bounds|(?:conversion|shift) out of range|by zero|divided by -1|fuel|$", error)
    text = re.sub(r"^weft: error: \S*?:\d+: (kernel \S+ )?", "", error.splitlines()[0])
    return found[0] or re.sub(r"; thread.*|thread \(.*?\): |'[^']*'|var_\d+", "...", text)


def warp_module(path):
    import warp_text

    warp_text.set_environment(path)
    return warp_text.import_file(path)


def loads(wp, module):
    """Can warp-lang compile it?"""
    try:
        found = next(kernel for kernel in vars(module).values() if isinstance(kernel, wp.Kernel))
        return found.module.load("cpu", block_dim=1) is not None
    except Exception:
        return False


class Check:
    """Compares kernels and keeps what came of it, as JSON can hold it."""

    def __init__(self, wp, np, args):
        self.wp, self.np, self.args = wp, np, args
        self.compared = {executor: {} for executor in EXECUTORS}  # kernel -> its set
        self.backward = {executor: {} for executor in EXECUTORS}
        self.ulps = collections.defaultdict(float)  # "NAME forward" -> the most that was needed
        self.refused = collections.defaultdict(list)
        self.failures = []
        self.undefined = False  # the text of this kernel reads what has no value
        self.not_made = {}  # kernel -> its set, of those with a parameter that this test cannot make
        self.runs = 0

    def kernel(self, job, kernel, kind, size, draw):
        import run_inputs

        name = f"{os.path.basename(job.path)}:{kernel.key}"
        try:
            arguments = run_inputs.arguments(self.wp, draw, kernel)
        except run_inputs.CannotMake as reason:
            self.refused[str(reason)].append(name)
            self.not_made[name] = job.set
            return
        dim = draw.dim if hasattr(draw, "dim") else (size,) * launch_rank(kernel)
        with tempfile.TemporaryDirectory() as folder:
            weft = Weft(self.np, self.args.weft, job.path, kernel, dim, arguments, folder)
            options = {**kernel.module.options, **kernel.options}
            backward = bool(weft.seeded) and options["enable_backward"]
            self.undefined = False
            forward = self.results(weft, name, kind, EXECUTORS[:1] if backward else EXECUTORS, False)
            both = self.results(weft, name, kind, EXECUTORS[1:], True) if backward else {}
            if backward:  # what fails backward may still go forward
                forward.update(self.results(weft, name, kind, [e for e in EXECUTORS[1:] if e not in both], False))
        if self.undefined or (not forward and not both):
            return
        self.wp.launch(kernel, dim=dim, inputs=[a.warp for a in arguments], device="cpu", block_dim=1)
        ends = [leaf.end().copy() for leaf in weft.leaves]
        for executor, (ours, _) in forward.items():
            self.compare(job, name, kind, executor, "forward", weft.leaves, ours, ends)
        if both:
            self.wp.launch(
                kernel, dim=dim, inputs=[a.warp for a in arguments], device="cpu", adjoint=True,
                adj_inputs=[a.adjoint for a in arguments], block_dim=1,
            )
            gradients = [leaf.gradient().copy() for leaf in weft.seeded]
            ends = [leaf.end().copy() for leaf in weft.leaves]
            for executor, (left, ours) in both.items():
                self.compare(job, name, kind, executor, "forward", weft.leaves, left, ends)
                self.compare(job, name, kind, executor, "backward", weft.seeded, ours, gradients)

    def results(self, weft, name, kind, executors, backward):
        """{executor: (arrays, gradients)} of those that can; errors are counted."""
        found = {}
        for executor in executors:
            self.runs += 1
            ends, gradients, error = weft.run(executor, backward)
            if error is None:
                found[executor] = ends, gradients
            else:
                self.undefined |= "is read before it has a value" in error
                word = f"{executor} backward" if backward else executor
                self.refused[f"{word}: {cause_of(error)}"].append(f"{name} ({kind})")
                if self.args.verbose:
                    print(name, word, error, flush=True)
        return found

    def compare(self, job, name, kind, executor, direction, leaves, ours, wanted):
        if kind != "empty":
            (self.compared if direction == "forward" else self.backward)[executor][name] = job.set
        if executor == "text-cuda" and name in OF_BLOCKS:
            return
        allowed = job.ulps(name, direction, executor)
        for leaf, result, right in zip(leaves, ours, wanted):
            apart = distance(self.np, result, right)
            if apart and apart <= allowed:
                word = f"{job.builtin(name)} {direction}"
                self.ulps[word] = max(self.ulps[word], apart)
            elif apart:
                where = f"{name} ({kind}) {executor} {direction}"
                self.failures.append(self.difference(where, leaf, apart, result, right))
                print("DIFFERS " + self.failures[-1], flush=True)

    def difference(self, name, leaf, apart, result, right):
        np = self.np
        with np.errstate(all="ignore"):
            wrong = ~((result == right) & (np.signbit(result) == np.signbit(right)) if result.dtype.kind == "f"
                      else result == right)
        wrong &= ~((result != result) & (right != right))
        at = [int(i) for i in np.argwhere(wrong)[0]] if wrong.any() else []
        text = f"{name}: '{leaf.path}' is {apart:.4g} ulps off, first at {at}"
        if at:
            text += f": warp {right[tuple(at)]!r}, weft {result[tuple(at)]!r}"
        return text

    def file(self, job):
        """All kernels of a file; halves of it if the text of one of them does not compile."""
        module = warp_module(job.path)
        if job.set == "builtins" and not loads(self.wp, module):
            halves = job.halves()
            if not halves:
                self.refused["warp-lang: its text does not compile"] += list(job.specs)
            for half in halves:
                self.file(half)
            return
        for number, kernel in enumerate(k for k in vars(module).values() if isinstance(k, self.wp.Kernel)):
            if kernel.is_generic or kernel.adj.tree is None:
                continue
            if self.args.only and self.args.only not in kernel.key:
                continue
            turn = number % len(job.kinds)
            for kind, size in job.kinds[turn:turn + 1] if self.args.in_turn else job.kinds:
                try:
                    self.kernel(job, kernel, kind, size, job.draw(kernel, kind, size))
                except FileNotFoundError:  # weft has written no result
                    raise
                except Exception as error:  # warp-lang itself refuses
                    self.refused[f"warp-lang: {type(error).__name__} {str(error)[:90]}"].append(kernel.key)


class Job:
    """A file of kernels: where its inputs come from, and how exact its results must be."""

    def __init__(self, of, path, kinds=KINDS):
        self.set, self.path, self.kinds = of, path, kinds

    def draw(self, kernel, kind, size):
        import run_inputs

        return run_inputs.Draw(kind, size, sum(kernel.key.encode()))

    def builtin(self, name):
        return self.set

    def ulps(self, name, direction, executor):
        import run_ulps

        if executor == "reference" and self.set == "kernels":
            return run_ulps.REFERENCE.get(os.path.basename(self.path), 0)
        return run_ulps.allowed(self.builtin(name), direction)


class GeneratedJob(Job):
    def __init__(self, path, record):
        super().__init__("generated", path, GENERATED_KINDS)
        self.metadata = record["metadata"]

    def draw(self, kernel, kind, size):
        import run_inputs

        return run_inputs.PromisedDraw(kind, size, sum(kernel.key.encode()), self.metadata)


class BuiltinJob(Job):
    def __init__(self, path, specs):
        super().__init__("builtins", path, (("edge", 101), ("empty", 0)))
        self.specs = {spec.name: spec for spec in specs}
        with open(path, "w") as stream:
            stream.write("import warp as wp\n" + "".join(spec.source for spec in specs))

    def halves(self):
        specs, middle = list(self.specs.values()), len(self.specs) // 2
        stem = self.path.removesuffix(".py")
        return [BuiltinJob(f"{stem}{c}.py", part)
                for c, part in zip("ab", (specs[:middle], specs[middle:]))] if middle else []

    def draw(self, kernel, kind, size):
        import run_builtins

        return run_builtins.BuiltinDraw(self.specs[kernel.key].builtin, size, sum(kernel.key.encode()))

    def builtin(self, name):
        spec = self.specs[name.partition(":")[2]]
        return f"{spec.builtin} {spec.scalar}"


def write_builtins(wp, args, folder):
    """Jobs of the builtins' kernels that weft compiles: what it refuses, warp-lang refuses (oracle.builtins)."""
    import run_builtins

    specs = run_builtins.chosen(run_builtins.specs(wp), args.scalars)
    probe = os.path.join(folder, "all_builtins.py")
    with open(probe, "w") as stream:
        stream.write("import warp as wp\n" + "".join(spec.source for spec in specs))
    records, _ = oracle_env.weft_kernels(args.weft, probe, timeout=60)
    good = {record["kernel"] for record in records if not record["error"]}
    specs = [spec for spec in specs if spec.name in good]
    for start in range(0, len(specs), CHUNK):
        yield BuiltinJob(os.path.join(folder, f"builtins_{start:04}.py"), specs[start:start + CHUNK])


def all_jobs(wp, args, folder):
    import generated_check

    for path in sorted(glob.glob(os.path.join(oracle_env.REPO, "tests/kernels/*.py"))):
        yield Job("kernels", path)
    records = generated_check.generate(args.weft, args.count, args.sample)
    for path, record in generated_check.write_sources(records, folder).items():
        yield GeneratedJob(path, record)
    yield from write_builtins(wp, args, folder)


def work(args):
    """Runs under the Python that has warp-lang: every J-th job from the I-th on. Gives JSON."""
    import numpy as np
    import warp as wp
    import warp_text

    warp_text.start(oracle_env.start_with_fmath())
    wp.config.optimization_level = 0  # compiles in half the time, and computes the same
    check = Check(wp, np, args)
    turn, of = map(int, args.worker.split("/"))
    with tempfile.TemporaryDirectory() as folder:
        jobs = [job for job in all_jobs(wp, args, folder) if not args.sets or job.set in args.sets.split(",")]
        for job in args.part.of(jobs)[turn::of]:
            with warp_text.own_config():
                check.file(job)
    with open(args.result, "w") as stream:
        json.dump({key: value for key, value in vars(check).items() if key not in ("wp", "np", "args")}, stream)


def merged(results):
    """The results of all workers as one."""
    whole = {"compared": collections.defaultdict(dict), "backward": collections.defaultdict(dict),
             "not_made": {}, "ulps": {}, "refused": collections.defaultdict(list), "failures": [], "runs": 0}
    for result in results:
        for word in ("compared", "backward"):
            for executor, names in result[word].items():
                whole[word][executor].update(names)
        whole["not_made"].update(result["not_made"])
        for name, ulps in result["ulps"].items():
            whole["ulps"][name] = max(ulps, whole["ulps"].get(name, 0))
        for cause, names in result["refused"].items():
            whole["refused"][cause] += names
        whole["failures"] += result["failures"]
        whole["runs"] += result["runs"]
    return whole


def report(whole, args):
    print(f"{whole['runs']} runs of weft")
    enough, share = True, LEAST / args.part.count if args.part.count > 1 else 1
    made = max(0.9 * args.count, args.count - list(whole["not_made"].values()).count("generated"))
    for executor in EXECUTORS:
        counts = collections.Counter(whole["compared"][executor].values())
        back = len(whole["backward"][executor])
        print(f"{executor}: " + ", ".join(f"{counts[of]} {of}" for of in ("kernels", "generated", "builtins"))
              + f" compared forward, {back} kernels backward")
        enough &= all(counts[of] >= FLOORS[of] * share for of in ("kernels", "builtins"))
        enough &= counts["generated"] >= FLOORS["generated"] * made * share
        enough &= executor == "reference" or back >= FLOORS["backward"] * share
    for cause, names in sorted(whole["refused"].items(), key=lambda item: -len(item[1])):
        print(f"  not compared, {len(names)} runs: {cause} (e.g. {sorted(names)[0]})")
    print("units in the last place that were needed: "
          + (", ".join(f"{name} {ulps:.3g}" for name, ulps in sorted(whole["ulps"].items())) or "none"))
    print(f"{len(whole['failures'])} differences")
    if not enough:
        print(f"fewer kernels than the floors: {FLOORS}")
    return 0 if (enough or args.only or args.sets) and not whole["failures"] else 1


def start_worker(python, turn, words, args, folder):
    result = os.path.join(folder, f"{turn}.json")
    command = [python, "-B", os.path.abspath(__file__), *words, "--worker", f"{turn}/{args.jobs}", "--result", result]
    command += ["--one-in", str(args.part.count), "--seed", str(args.part.seed)]
    process = subprocess.Popen(command, env=oracle_env.with_fmath())
    return process, result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--sample", type=int, default=int(os.environ.get("WEFT_ORACLE_SEED", "20240")))
    parser.add_argument("--scalars", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="only kernels with this in their name")
    parser.add_argument("--sets", help="only these sets: kernels,generated,builtins")
    parser.add_argument("--in-turn", action="store_true", help="one kind of inputs for each kernel")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--worker")
    parser.add_argument("--result")
    words = sys.argv[1:]
    chosen = part.take(words)
    args = parser.parse_args(words)
    args.part = chosen
    if args.worker:
        sys.exit(work(args))
    python = oracle_env.oracle_python()
    print(f"sample {args.sample} (WEFT_ORACLE_SEED sets it)", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        workers = [start_worker(python, turn, words, args, folder) for turn in range(args.jobs)]
        if any([process.wait() for process, _ in workers]):
            sys.exit("a worker failed")
        results = []
        for _, path in workers:
            with open(path) as stream:
                results.append(json.load(stream))
    sys.exit(report(merged(results), args))


if __name__ == "__main__":
    main()
