#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""warp-lang's own unit tests on its CPU device, with weft's text in place of Warp's.

usage: dropin.py WEFT [--modules all|N|NAME,...] [--seed S] [--jobs J] [--causes N] [--keep DIR] [--texts]
                 [--least PERCENT] [--differing N] [--once]

Each test module runs twice, in processes of its own: as it is, and with ModuleBuilder.codegen wrapped. The wrapper
writes the kernels of the module that is built as one Python file (live_source.py), has weft compile it with the
block size of the build, and returns weft's text as it is. Where weft has no text, Warp's own is taken, and the
cause counted. The outcome of every test has to be the same both times, and weft's text has to be Warp's but for
places and counters: what differs is counted apart.

--once runs a module as it is only where that can tell something: equal texts give equal results, so nothing is left
to compare where all texts are equal and no test fails. Small modules come first.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import oracle_env
import warp_order

TIMEOUT = 1200  # seconds for one test module
SMALL = 12000  # bytes of a test module that a sample may have
OTHER_PROCESSES = {"test_examples"}  # it runs programs in processes of their own, where nothing is wrapped
SLOW = {"test_assert"}  # minutes, for processes that it starts
# It looks for a function's name with the number that the running program counted for it.
NUMBERED = re.compile(r"test_func_inline\.TestFuncInline\.test_codegen_emits_inline_attrs\b")
COMPILING = {"test_cpu_precompiled_headers"}  # it looks at what compiling leaves behind
ANY_KERNEL = "import warp as wp\n\n\n@wp.kernel\ndef fill(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"


# --- in the process of a test module, which has warp-lang


def neutral(text):
    """A text without what quotes the source, and with functions, structs and kernels numbered as they occur."""
    text = re.sub(r"^\s*//.*\n", "", text, flags=re.M)
    text = re.sub(r'\(void\)"assert (?:[^"\\]|\\.)*"', '(void)"assert"', text)
    text = re.sub(r"[ \t]+$", "", text, flags=re.M)
    names, numbers = {}, collections.Counter()
    for found in re.finditer(r"^struct (\w+)|\b(?:adj_|replay_)?(\w+)\(\n", text, flags=re.M):
        name = found[1] or found[2]
        name = re.sub(r"^wp_args_|_(cpu|cuda)_(kernel_)?(forward|backward).*$|_cpu_block_payload.*$|_cpu_block_thunk.*$", "", name)
        if name not in names:
            names[name] = f"NAME{len(names)}"
    if names:
        pattern = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
        text = re.sub(rf"(?<![A-Za-z0-9])(wp_args_|adj_|replay_)?({pattern})(?=\b|_cpu_|_cuda_)",
                      lambda m: (m[1] or "") + names[m[2]], text)
    return text


def first_difference(theirs, ours):
    left, right = theirs.split("\n"), ours.split("\n")
    for a, b in zip(left + ["<end>"], right + ["<end>"]):
        if a != b:
            return f"warp `{a.strip()[:100]}` weft `{b.strip()[:100]}`"
    return f"{len(left)} and {len(right)} lines"


def diagnostic(errors):
    """The first error without the names and numbers of this one kernel."""
    for line in errors.splitlines():
        found = re.search(r"error: (.*)$", line)
        if found:
            return re.sub(r"'[^']*'|`[^`]*`|\d+", "...", found[1])[:160]
    return errors.strip()[:160] or "no text"


class DropIn:
    """Replaces ModuleBuilder.codegen; notes what became of each build."""

    def __init__(self, weft, folder, keep):
        import live_source
        from warp._src import context

        self.weft, self.folder, self.keep, self.live = weft, folder, keep, live_source
        self.own = context.ModuleBuilder.codegen
        self.builds = []
        context.ModuleBuilder.codegen = lambda builder, device: self.codegen(builder, device)

    def codegen(self, builder, device):
        text = self.own(builder, device)  # it raises what the tests expect
        began = time.monotonic()
        kind, cause, ours = self.attempt(builder, device, text)
        self.builds.append({"module": builder.module.name, "kernels": len(builder.kernels), "device": device,
                            "kind": kind, "cause": cause, "seconds": time.monotonic() - began})
        return ours or text

    def attempt(self, builder, device, theirs):
        """("equal" | "differs" | "refused" | "inexpressible", cause, weft's text or None)."""
        if not builder.kernels:
            return "empty", "", None
        try:
            source, size = self.live.source_of(builder), self.live.block_dim_of(builder)
        except self.live.Inexpressible as error:
            return "inexpressible", str(error), None
        path = os.path.join(self.folder, f"build{len(self.builds)}.py")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(source)
        command = [self.weft, "compile", "-q", path, "--device", device, "--block-dim", str(size)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        header = "#define WP_TILE_BLOCK_DIM {}\n"  # of the build; the kernels' own size decides their form
        ours = done.stdout.replace(header.format(size), header.format(builder.options["block_dim"]), 1)
        kind, cause = "equal", ""
        if done.returncode:
            kind, cause, ours = "refused", diagnostic(done.stderr), None
        elif neutral(ours) != neutral(theirs):
            kind, cause = "differs", first_difference(neutral(theirs), neutral(ours))
            if size != builder.options["block_dim"]:  # tiles have the build's size, which weft is not given
                kind, cause, ours = "inexpressible", "tiles in a kernel with a block size of its own", None
        if self.keep and kind != "equal":
            stem = os.path.join(self.keep, f"{builder.module.name}.{len(self.builds)}")
            for ending, kept in ((".py", source), (".warp.cpp", theirs), (".weft.cpp", ours or done.stderr)):
                with open(stem + ending, "w", encoding="utf-8") as stream:
                    stream.write(kept)
        return kind, cause, ours


def keep_objects(folder):
    """Compiles a text that was compiled before, with the same options, no second time."""
    from warp._src import build

    compile_text = build.build_cpu

    def build_cpu(obj_path, cpp_path, **options):
        with open(cpp_path, encoding="utf-8") as stream:
            text = re.sub(r"^\s*//.*\n", "", stream.read(), flags=re.M)
        said = sorted((name, str(value)) for name, value in options.items() if name != "pch_dir")
        key = hashlib.sha256(repr((oracle_env.WARP_VERSION, text, said)).encode()).hexdigest()[:32]
        kept = os.path.join(folder, f"{key}.o")
        if not os.path.exists(kept):
            compile_text(obj_path, cpp_path, **options)
            shutil.copy(obj_path, f"{kept}.{os.getpid()}")
            os.rename(f"{kept}.{os.getpid()}", kept)
        shutil.copy(kept, obj_path)

    os.makedirs(folder, exist_ok=True)
    build.build_cpu = build_cpu


def run_nothing():
    """Kernels are neither compiled nor executed: a quick way to see most builds."""
    import ctypes

    import warp as wp
    from warp._src import build, context

    wp.init()
    nothing = ctypes.CFUNCTYPE(None)(lambda: None)
    build.build_cpu = lambda obj_path, cpp_path, **options: open(obj_path, "w").close()
    context.runtime.llvm.wp_load_obj = lambda *args: 0
    context.runtime.llvm.wp_lookup = lambda *args: ctypes.cast(nothing, ctypes.c_void_p).value


def run_module(module, out, weft, keep):
    """Runs one test module; writes {"tests": {id: outcome}, "builds": [...]}. Never returns."""
    import unittest

    import warp as wp

    folder = tempfile.mkdtemp()
    wp.config.kernel_cache_dir = os.path.join(folder, "cache")
    wp.config.quiet = True
    if os.environ.get("WEFT_DROPIN_TEXTS"):
        run_nothing()
    elif module.split(".")[-1] not in COMPILING:
        keep_objects(os.path.join(oracle_env.CACHE, "dropin", "objects"))
    warp_order.promote_in_source_order()
    dropin = DropIn(weft, folder, keep) if weft else None
    outcomes = {}

    class Result(unittest.TestResult):
        def addSuccess(self, test):
            outcomes[test.id()] = "passed"

        def addError(self, test, error):
            outcomes[test.id()] = f"error: {error[0].__name__}: {str(error[1])[:300]}"

        def addFailure(self, test, error):
            outcomes[test.id()] = f"failed: {str(error[1])[:300]}"

        def addSubTest(self, test, subtest, error):
            if error:
                outcomes[subtest.id()] = f"failed: {str(error[1])[:300]}"

        def addSkip(self, test, reason):
            outcomes[test.id()] = "skipped"

        def addExpectedFailure(self, test, error):
            outcomes[test.id()] = "expected failure"

        def addUnexpectedSuccess(self, test):
            outcomes[test.id()] = "unexpected success"

    began = time.monotonic()
    error = None
    try:
        suite = unittest.defaultTestLoader.loadTestsFromName(module)
        suite.run(Result())
    except BaseException as caught:  # a test module may even call exit()
        error = f"{type(caught).__name__}: {caught}"[:300]
    finally:
        record = {"tests": outcomes, "builds": dropin.builds if dropin else [], "error": error,
                  "seconds": time.monotonic() - began}
        with open(out, "w", encoding="utf-8") as stream:
            json.dump(record, stream)
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


# --- in the process of the test


def test_modules(folder):
    """Dotted names of the package's test modules."""
    found = []
    for where, folders, names in os.walk(os.path.join(folder, "tests")):
        folders.sort()
        for name in sorted(names):
            if name.startswith("test_") and name.endswith(".py"):
                path = os.path.relpath(os.path.join(where, name), os.path.dirname(folder))
                found.append(path[:-3].replace(os.sep, "."))
    return found


def outcome_of(python, module, weft, keep):
    """What run_module wrote in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        limit = 240 if os.environ.get("WEFT_DROPIN_TEXTS") else TIMEOUT
        command = [python, "-B", os.path.abspath(__file__), "--run", module, out, weft or "", keep or ""]
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TMPDIR": folder}
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=limit)
            fault = f"status {done.returncode}: {done.stderr[-200:].decode('utf-8', 'replace')}"
        except subprocess.TimeoutExpired:
            fault = f"no end after {limit} s"
        if not os.path.exists(out):
            return {"tests": {}, "builds": [], "error": fault, "seconds": 0}
        with open(out, encoding="utf-8") as stream:
            return json.load(stream)


def plain_outcome(python, module):
    """The outcome with Warp's own text, which is kept for the next time."""
    key = hashlib.sha256(f"{oracle_env.WARP_VERSION} {module} 1".encode()).hexdigest()[:24]
    path = os.path.join(oracle_env.CACHE, "dropin", f"{key}.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            return json.load(stream)
    record = outcome_of(python, module, None, None)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    mine = f"{path}.{os.getpid()}.tmp"
    with open(mine, "w", encoding="utf-8") as stream:
        json.dump(record, stream)
    os.rename(mine, path)
    return record


def leaves_nothing_to_compare(ours):
    """Whether Warp compiled texts equal to its own only, and every test ended well."""
    good = {"passed", "skipped", "expected failure"}
    equal = all(build["kind"] in ("equal", "empty", "inexpressible", "refused") for build in ours["builds"])
    return equal and not ours["error"] and all(word(outcome) in good for outcome in ours["tests"].values())


def word(outcome):
    return (outcome or "did not run").split(":")[0]


def gives_text(weft):
    """Whether the program compiles any kernel: without, the modules take minutes to tell nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fill.py")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(ANY_KERNEL)
        done = subprocess.run([weft, "compile", "-q", path], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode == 0 and "fill_" in done.stdout


class Report:
    def __init__(self):
        self.kinds, self.causes, self.examples = collections.Counter(), collections.Counter(), {}
        self.tests, self.faults, self.seconds = collections.Counter(), [], 0.0

    def add(self, module, plain, ours):
        for build in ours["builds"]:
            self.kinds[build["kind"]] += 1
            self.seconds += build["seconds"]
            if build["cause"]:
                cause = build["kind"], build["cause"]
                self.causes[cause] += 1
                self.examples.setdefault(cause, f"{module}: {build['module']}")
        if ours["error"] and not plain["error"]:
            self.faults.append(f"{module}: {ours['error']}")
        for test in sorted(plain["tests"].keys() | ours["tests"].keys() if plain["tests"] else ()):
            if NUMBERED.search(test):
                continue
            before, after = plain["tests"].get(test), ours["tests"].get(test)
            self.tests["same" if word(before) == word(after) else "other"] += 1
            self.tests[f"{word(before)} before"] += 1
            self.tests[f"{word(after)} after"] += 1
            if word(before) != word(after):
                self.faults.append(f"{test}: {before} -> {after}")

    def share(self):
        built = self.kinds["equal"] + self.kinds["differs"]
        all_builds = sum(self.kinds.values()) - self.kinds["empty"]
        return built, all_builds

    def print(self, causes):
        for (kind, cause), count in self.causes.most_common(causes):
            print(f"{count:5d} {kind}: {cause}\n        e.g. {self.examples[kind, cause]}")
        for fault in self.faults:
            print(f"DIFFERENCE {fault}")
        built, all_builds = self.share()
        print(f"builds: {built} of {all_builds} by weft ({100 * built / max(all_builds, 1):.1f} %), "
              f"{self.kinds['equal']} with Warp's text but for places; {dict(self.kinds)}; {self.seconds:.0f} s")
        print(f"tests: {dict(sorted(self.tests.items()))}", flush=True)


def size(folder, module):
    return os.path.getsize(os.path.join(os.path.dirname(folder), *module.split(".")) + ".py")


def chosen(args, folder):
    """The modules of a command. A sample has small ones: compiling is what takes time, and large files take minutes."""
    modules = [name for name in test_modules(folder) if name.split(".")[-1] not in OTHER_PROCESSES]
    if args.modules == "all":
        return modules
    if args.modules.isdigit():
        small = [name for name in modules if size(folder, name) < SMALL and ".cuda." not in name]
        small = [name for name in small if name.split(".")[-1] not in SLOW]
        return sorted(random.Random(args.seed).sample(small, min(int(args.modules), len(small))))
    return [name for name in modules if name.split(".")[-1] in args.modules.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--modules", default="12", help="all, a number of them, or names: test_vec,test_func")
    parser.add_argument("--seed", default=os.environ.get("WEFT_ORACLE_SEED", "1"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--causes", type=int, default=40)
    parser.add_argument("--keep", help="a folder for the sources and texts of builds that are not equal")
    parser.add_argument("--texts", action="store_true", help="compile and execute nothing: count builds alone")
    parser.add_argument("--once", action="store_true", help="Warp's own pass only where it can tell something")
    parser.add_argument("--differing", type=int, default=0, help="builds that may have another text than Warp's")
    parser.add_argument("--least", type=float, default=95.0, help="per cent of builds that have to be weft's")
    args = parser.parse_args()
    if args.texts:
        os.environ["WEFT_DROPIN_TEXTS"] = "1"
    python = oracle_env.oracle_python()
    if not gives_text(os.path.abspath(args.weft)):
        sys.exit(f"{args.weft} gives no text of a kernel that sets an array's elements")
    folder = oracle_env.package_folder(python)
    modules = sorted(chosen(args, folder), key=lambda name: size(folder, name))
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    report = Report()

    def one(module):
        ours = outcome_of(python, module, os.path.abspath(args.weft), args.keep and os.path.abspath(args.keep))
        if args.texts:
            plain = {"tests": {}, "error": None, "seconds": 0}
        elif args.once and leaves_nothing_to_compare(ours):
            plain = {**ours, "seconds": 0}
        else:
            plain = plain_outcome(python, module)
        return module, plain, ours

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for done in pool.map(one, modules):
            report.add(*done)
            print(f"{done[0]}: {done[1]['seconds']:.0f} s and {done[2]['seconds']:.0f} s, "
                  f"{dict(collections.Counter(b['kind'] for b in done[2]['builds']))}", flush=True)
    report.print(args.causes)
    built, all_builds = report.share()
    good = all_builds and 100 * built >= args.least * all_builds and not report.faults
    good = good and report.kinds["differs"] <= args.differing
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run_module(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5])
    else:
        main()
