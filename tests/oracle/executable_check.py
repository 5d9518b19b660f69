#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which builtins of warp-lang can be executed, by name: counted and listed, not guessed.

usage: executable_check.py WEFT [--list] [--raise-floor] [--every K]

Takes the calls of every overload in warp-lang's registry that builtin_sources.py makes, in the
groups that have arithmetic, and gives each that warp-lang accepts to `weft run`, with ones as
arguments. A builtin executes when all of its calls do, each to the statement after it, whose mark
is read from the array that is saved; "cannot execute" is what weft says otherwise, and an error of another kind is no answer but a failure. At least as many calls as
floors.txt says have to execute. --every K takes only each K-th call, without the floors: enough
for the build with the sanitizers, which is slow to start.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import floors
import oracle_env
import verdicts

DONE = "p_done"  # as in builtin_sources.py, which needs warp-lang
EXECUTORS = ("reference", "text")
ENOUGH = 300  # failures after which the rest is not called
GROUPS = (
    "Operators", "Scalar Math", "Vector Math", "Quaternion Math", "Transformations",
    "Spatial Math", "Random", "Utility",
)
# What the values given here bring about, where Warp's process would stop or read out of bounds.
EXPECTED = ("is out of bounds", "out of range", "by zero", "divided by -1", "expect_neq: ", "must be a number")
# The second: calls that only generated code makes, whose text is no C++ when they are written by hand.
CANNOT = re.compile(
    r"cannot execute ([\w.=<>, ]+)|a pointer gets the result|indexref needs a pointer to .*|"
    r"'\w+' is no (pointer|type)$|a vector's component must be a scalar"
)


def given(wp, note):
    """The text of an argument of ones for an annotation; None: weft run takes no such thing."""
    kind = eval(note, {"wp": wp})
    if isinstance(kind, wp.array):
        kind, shape = kind.dtype, ["2"] * kind.ndim
        shape += [str(n) for n in getattr(kind, "_shape_", ())]
        return "zeros:" + "x".join(shape)
    if hasattr(kind, "_shape_"):
        rows = kind._shape_
        ones = [1] * rows[0] if len(rows) == 1 else [[1] * rows[1]] * rows[0]
        return json.dumps(ones)
    return "1"


def commands(wp, weft, path):
    """(builtin, kernel, command) of each kernel in a file."""
    with open(path) as stream:
        heads = re.findall(r"^def (b\d+_(\w+))\((.*)\):$", stream.read(), re.MULTILINE)
    for kernel, builtin, parameters in heads:
        command = [weft, "run", path, "--quiet", "--kernel", kernel, "--dim", "1", "--fuel", "100000"]
        for parameter in re.split(r", (?=p_)", parameters):
            name, note = parameter.split(": ", 1)
            command += ["--arg", f"{name}={given(wp, note)}"]
        yield builtin, kernel, command


class Calls:
    """What became of the calls of one executor, by builtin."""

    def __init__(self):
        self.executes, self.cannot = collections.Counter(), collections.Counter()
        self.reasons, self.failures = {}, []

    def add(self, builtin, done, finished, command):
        error = done.stderr.strip()
        if (done.returncode == 0 and finished and not error) or any(text in error for text in EXPECTED):
            self.executes[builtin] += 1
        elif done.returncode == 1 and CANNOT.search(error):
            self.cannot[builtin] += 1
            self.reasons.setdefault(builtin, CANNOT.search(error)[0].strip())
        else:
            self.failures.append(f"{' '.join(command)}: exit status {done.returncode}, finished: {finished}, {error[:300]}")

    def report(self, name, everything):
        names = sorted({*self.executes, *self.cannot})
        whole = [b for b in names if not self.cannot[b]]
        print(f"{name}: {len(whole)} of {len(names)} builtins execute, {sum(self.executes.values())} of "
              f"{sum(self.executes.values()) + sum(self.cannot.values())} calls")
        for builtin in names:
            if self.cannot[builtin]:
                part = f", {self.executes[builtin]} do" if self.executes[builtin] else ""
                print(f"  cannot execute {builtin}: {self.cannot[builtin]} calls{part} ({self.reasons[builtin]})")
            elif everything:
                print(f"  executes {builtin}")
        for failure in self.failures:
            print(f"  FAILED {failure}")


def work(args):
    """Runs under the Python that has warp-lang."""
    import builtin_sources
    import warp as wp

    wp.config.quiet = True
    wp.init()
    builtin_sources.GROUPS = GROUPS
    results = {executor: Calls() for executor in EXECUTORS}
    folder = os.path.join(oracle_env.CACHE, "builtins")  # where warp-lang's text of them is kept for oracle.builtins
    os.makedirs(folder, exist_ok=True)
    paths = builtin_sources.write(folder)
    accepted = accepted_kernels(oracle_env.dump(sys.executable, paths))
    calls = [
        (builtin, command)
        for path in paths
        for builtin, kernel, command in commands(wp, args.weft, path)
        if (path, kernel) in accepted
    ][:: args.every]
    jobs = [(b, executor, [*command, "--executor", executor]) for b, command in calls for executor in EXECUTORS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for job, (done, finished) in zip(jobs, pool.map(run, jobs)):
            results[job[1]].add(job[0], done, finished, job[2])
            if len(results[job[1]].failures) > ENOUGH:
                print("so many calls fail that the test ends here")
                pool.shutdown(cancel_futures=True)
                break
    good = bool(jobs)
    for executor, calls in results.items():
        name = f"executable_{executor}"
        calls.report(name, args.list)
        reached = args.every > 1 or floors.reaches(name, sum(calls.executes.values()), args.raise_floor)
        good = good and reached and not calls.failures
    return 0 if good else 1


def run(job):
    """(how a run ended, whether the statement after the call was reached)"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "done.npy")
        command = [*job[2], "--save", f"{DONE}=@{path}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if not os.path.exists(path):
            return done, False
        with open(path, "rb") as stream:
            return done, stream.read()[-8:] == b"\1" + bytes(7)


def accepted_kernels(records):
    return {
        (source, kernel["key"])
        for source, record in records.items()
        for kernel in filter(verdicts.has_text, record["kernels"])
        if verdicts.kind(kernel) == "module"
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--list", action="store_true", help="also those that execute")
    parser.add_argument("--raise-floor", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--worker", action="store_true")
    args = parser.parse_args()
    if args.worker:
        sys.exit(work(args))
    python = oracle_env.oracle_python()
    sys.exit(subprocess.run([python, os.path.abspath(__file__), *sys.argv[1:], "--worker"]).returncode)


if __name__ == "__main__":
    main()
