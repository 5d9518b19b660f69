#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in the Python package: each function that may be long is called in a process of its own, which
gets a real SIGINT while the function works. It raises KeyboardInterrupt soon, leaves no output, and the
package works as before. Needs nothing but Python.

usage: interrupt_check.py WEFT LIBRARY [unittest's arguments]
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import package_env
from package_env import REPO, program

import weft

SOON = 1.5  # seconds; a busy machine takes some of them
ENDLESS = """import warp as wp

@wp.kernel
def endless(x: wp.array(dtype=float)):
    while x[0] < 1.0:
        x[0] = x[0] * 0.5
"""
LONG = "import warp as wp\n" + "".join(
    f"""
@wp.kernel
def k{n}(x: wp.array(dtype=float)):
    i = wp.tid()
    for a in range(16):
        for b in range(8):
            x[i] = x[i] * float(a) + wp.sin(x[i] + float(b))
"""
    for n in range(300)
)
ARGS = "{'x': [0.0]}"
GOOD = {"left": False, "same": True, "works": True}  # how things are after a call
# What is called; `made` is a data set, `parts` are two of a run, `out` is a folder that must not be there.
CALLS = {
    "run": f"weft.run(ENDLESS, 1, {ARGS}, fuel=0)",
    "run of text": f"weft.run(path=endless, dim=1, args={ARGS}, fuel=None, executor='text')",
    "run of text for CUDA": f"weft.run(ENDLESS, 1, {ARGS}, fuel=0, executor='text-cuda', grad={{'x': 1}})",
    "compile": "weft.compile(LONG)",
    "compile a file": "weft.compile(long)",
    "compile a folder": "weft.compile_file(long.parent)",
    "check": "weft.check(LONG)",
    "check a folder": "weft.check([long, long.parent])",
    "check_cuda": "weft.check_cuda(weft.compile(SCALE)[0].cuda * 30_000)",
    "validate": "weft.validate(made)",
    "validate with progress": "weft.validate(made, jobs=1, progress=print)",
    "validate records": "weft.validate(weft.read_records(made))",
    "stats": "weft.stats([made] * 10)",
    "stats of small files": "weft.stats(small)",
    "report": "weft.report(made, samples=10_000)",
    "report with figures": "weft.report(small, measure=True)",
    "dedup": "weft.dedup([made] * 10, out)",
    "dedup of near ones": "weft.dedup([made] * 10, out, near=0.8, progress=print)",
    "split": "weft.split(parts, out)",
    "merge": "weft.merge(parts, out)",
    "generate": "list(weft.generate(10**9))",
    "generate with others excluded": "list(weft.generate(10**9, exclude=made))",
    "read_records": "list(weft.read_records([made] * 100))",
}

# The same while NVRTC reads a long program, and while it optimises one.
SITES = [str(path) for path in pathlib.Path(REPO, "build/venv/lib").glob("python*/site-packages")]
LINES = [f"x = x * sinf(y + {n}.0f) + expf(x * {n}.5f); y = y / (x + {n}.25f) + logf(x);" for n in range(99)]
STRUCTS = "".join(f"struct S{n} {{ float a; __device__ float f(float x) const {{ return a * x + {n}.5f; }} }};\n" for n in range(99_000))
PTX_CALLS = {
    "ptx of a long program": "weft.ptx(STRUCTS, packages=SITES)",
    "ptx of slow lines": "weft.ptx('__global__ void k(float *a) { float x = a[0], y = a[1]; ' + ''.join(LINES) + ' a[2] = x + y; }', packages=SITES)",
}


def ptx_compiler():
    """Of weft.ptx; skips the test where there is none."""
    try:
        return weft.ptx('extern "C" __global__ void k(float *a) { a[0] = 1; }', packages=SITES).compiler
    except weft.WeftError as error:
        raise unittest.SkipTest(str(error)) from None


def threads():
    return len(os.listdir("/proc/self/task"))


def work(name, folder, handler):
    """The process of a call, with a handler of its own that raises or returns, or with Python's."""
    folder = pathlib.Path(folder)
    names = {name: folder / name for name in ("made", "small", "out")}
    names.update(endless=folder / "endless.py", long=folder / "long" / "long.py", parts=[folder / "part1", folder / "part2"])
    names.update(weft=weft, ENDLESS=ENDLESS, LONG=LONG, SCALE=pathlib.Path(REPO, "docs/scale.py"))
    names.update(SITES=SITES, LINES=LINES, STRUCTS=STRUCTS)
    called = {**CALLS, **PTX_CALLS}[name]
    code = compile(called, name, "eval")  # with a text, eval makes the process end as an interrupted one
    sent, handled = [], []
    # A thread as notebooks have some: one that would take a signal that the main thread holds back.
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    if name in PTX_CALLS:
        ptx_compiler()  # whose process is there then

    def interrupt():
        time.sleep(0.5 if name in PTX_CALLS else 0.05)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def on_signal(*_):
        handled.append(threading.current_thread() is threading.main_thread())
        if handler == "raises":
            raise TimeoutError

    if handler in ("raises", "returns", "ignores"):
        signal.signal(signal.SIGINT, signal.SIG_IGN if handler == "ignores" else on_signal)
    before, count = signal.getsignal(signal.SIGINT), 2
    timer = threading.Thread(target=interrupt)
    timer.start()
    if handler == "elsewhere":  # another thread gets the signal, which does not wake the main one
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        eval(code, names)
        end = "over"
    except BaseException as error:
        end = type(error).__name__
    took = time.monotonic() - sent[0] if sent else None
    timer.join()
    left = names["out"].exists() and name != "merge"  # of which a manifest may be left, to begin anew
    end_of_threads = time.monotonic() + 2
    while threads() != count and time.monotonic() < end_of_threads:
        time.sleep(0.01)
    same = signal.getsignal(signal.SIGINT) is before and threads() == count
    x = [1.0, 2.0]
    weft.run(names["SCALE"], 2, {"x": x, "s": 2})
    works = x == [2.0, 4.0] and len(weft.compile(names["SCALE"])) == 1 and weft.stats(names["endless"].parent / "few.jsonl")["records"] == 3
    if "out" in called:
        works = works and eval(code, names).records >= 5000
        shutil.rmtree(names["out"])
    print(json.dumps({"end": end, "took": took, "left": left, "same": same, "works": works, "handled": handled}), file=sys.stderr)


def children_of_this():
    return set(map(int, pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


class Interrupts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = folder = pathlib.Path(cls.temporary.name)
        words = ("--quiet", "--no-verify", "--seed", "3")
        for number in (1, 2):
            program("generate", "--kind", "exercise", *words, "--count", "10000", "--shard", f"{number}/2", "--output", str(folder / f"part{number}"))
        (folder / "made").symlink_to(folder / "part1")
        program("generate", "--kind", "exercise", *words, "--count", "6000", "--format", "files", "--output", str(folder / "small"))
        (folder / "endless.py").write_text(ENDLESS)
        (folder / "long").mkdir()
        (folder / "long" / "long.py").write_text(LONG)
        (folder / "few.jsonl").write_text(program("generate", "--kind", "exercise", *words, "--count", "3", "--output", "-"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def call(self, name, handler=""):
        shutil.rmtree(self.folder / "out", ignore_errors=True)  # of a call before that was not interrupted
        command = [sys.executable, "-B", __file__, *sys.argv[1:3], "--work", name, str(self.folder), handler]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60, check=True)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return json.loads(done.stderr)

    def test_each_function(self):
        for name in CALLS:
            with self.subTest(name):
                found = self.call(name)
                took = found.pop("took")
                self.assertEqual(found, {"end": "KeyboardInterrupt", **GOOD, "handled": []})
                self.assertLess(took, SOON)

    def test_nothing_is_left(self):
        """Interrupted at the last moment, while the output is written; and when nothing is written yet."""
        made, small, out = (self.folder / name for name in ("made", "small", "out"))
        shutil.rmtree(out, ignore_errors=True)
        cases = (lambda on: weft.split(made, out, progress=on), lambda on: weft.dedup(made, out, progress=on))
        for call, at in (*[(call, -1) for call in cases], (lambda on: weft.merge([self.folder / "part1", self.folder / "part2"], out, progress=on), 0)):
            seen = []
            call(seen.append)
            shutil.rmtree(out)

            def stop(records, last=seen[at]):
                if records == last:
                    raise KeyboardInterrupt

            with self.assertRaises(KeyboardInterrupt):
                call(stop)
            self.assertFalse(out.exists())
        seen = []
        weft.stats(small, progress=seen.append)  # files of one record each
        self.assertGreater(len(seen), 20)

    def test_while_an_iterator_is_left(self):
        """What a method __del__ raises is lost, so the interrupt has to come again."""
        records = weft.generate(10**9, verify=False)
        next(records)
        library = unittest.mock.Mock()
        free = records._made.lib.weft_generator_free
        library.weft_generator_free = lambda handle: (free(handle), signal.raise_signal(signal.SIGINT))
        records._made.lib = library
        with self.assertRaises(KeyboardInterrupt):
            del records
            time.sleep(10)

    def test_a_signal_in_another_thread(self):
        for name in ("run", "validate", "merge"):
            found = self.call(name, "elsewhere")
            self.assertLess(found.pop("took"), SOON)
            self.assertEqual(found, {"end": "KeyboardInterrupt", **GOOD, "handled": []}, name)

    def test_handlers_of_the_caller(self):
        for name in ("run", "compile", "dedup", "merge", "generate"):
            found = self.call(name, "raises")
            self.assertLess(found.pop("took"), SOON)
            self.assertEqual(found, {"end": "TimeoutError", **GOOD, "handled": [True]}, name)
        for name, handler, handled in (("compile", "returns", [True]), ("stats", "returns", [True]), ("stats", "ignores", [])):
            found = self.call(name, handler)
            self.assertGreater(found.pop("took"), 0)
            self.assertEqual(found, {"end": "over", **GOOD, "handled": handled}, name)

    def test_ptx(self):
        ptx_compiler()
        for name in PTX_CALLS:
            with self.subTest(name):
                found = self.call(name)
                took = found.pop("took")
                self.assertEqual(found, {"end": "KeyboardInterrupt", **GOOD, "handled": []})
                self.assertLess(took, SOON)

    def test_ptx_goes_on(self):
        """A handler that returns lets the call go on; the process that compiles is found again, in the same
        environment, and replaced where it has ended."""
        ptx_compiler()
        text = f"__global__ void k(float *a) {{ float x = a[0], y = a[1]; {''.join(LINES[:9])} a[2] = x + y; }}"
        whole = weft.ptx(text, packages=SITES)
        children, handled = children_of_this(), []
        before = signal.signal(signal.SIGALRM, lambda *_: handled.append(True))
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
            self.assertEqual(weft.ptx(text, packages=SITES), whole)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertTrue(handled)
        self.assertEqual(children_of_this(), children)
        self.assertEqual(len(children), 1)
        with unittest.mock.patch.dict(os.environ, WEFT_NVRTC="none"), self.assertRaisesRegex(weft.WeftError, "WEFT_NVRTC"):
            weft.ptx("wp::float32 x;", packages=SITES)
        self.assertFalse(children_of_this() & children)
        (child,) = children_of_this()
        os.kill(child, signal.SIGKILL)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        self.assertEqual(weft.ptx(text, packages=SITES), whole)


if __name__ == "__main__":
    if sys.argv[3:4] == ["--work"]:
        work(*sys.argv[4:])
    else:
        package_env.main()
