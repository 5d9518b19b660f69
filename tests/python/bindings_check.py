#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package over the shared library: same results as the program, exceptions with their
place, iterators that are left, threads, child processes, memory. Needs nothing but Python; what
needs NumPy is run where it is there.

usage: bindings_check.py WEFT LIBRARY [unittest's arguments]
"""

import array
import gc
import glob
import json
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import warnings

import package_env
from package_env import REPO, diagnostics, generated, program

import weft

try:
    import numpy
except ImportError:
    numpy = None

THREADS = len(os.listdir("/proc/self/task"))  # NumPy has some of its own
SCALE = pathlib.Path(REPO, "docs/scale.py")
GENERIC = """from typing import Any

import warp as wp


@wp.kernel
def g(a: wp.array(dtype=Any)):
    a[0] = a[1]


@wp.kernel
def good(a: wp.array(dtype=float)):
    a[0] = 1.0


def make():
    @wp.kernel
    def made(a: wp.array(dtype=float)):
        a[0] = 2.0
"""
BODY = """import warp as wp


@wp.struct
class P:
    mass: float
    at: wp.vec3


"""
HALF = """import warp as wp

@wp.kernel
def bad(a: wp.array(dtype=float)):
    a[0] = nothing

@wp.kernel
def fine(a: wp.array(dtype=float)):
    a[0] = 1.0
"""
BARE = """__global__ void k(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}
"""
STRUCTS = """import warp as wp

@wp.struct
class Ball:
    mass: float
    place: wp.vec3

@wp.kernel
def push(ball: Ball, out: wp.array(dtype=wp.vec3), on: bool, more: wp.int64):
    if on:
        out[wp.tid()] = ball.place * ball.mass + wp.vec3(float(more), 0.0, 0.0)
"""
IMPORTS = """import warp as wp
from shapes import twice

@wp.kernel
def grow(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = twice(x[i])
"""
KINDS = """import warp as wp

@wp.kernel
def kinds(flags: wp.array(dtype=bool), big: wp.array(dtype=wp.uint64), out: wp.array(dtype=int)):
    i = wp.tid()
    flags[i] = not flags[i]
    out[i] = out[i] * 1
    if big[i] == wp.uint64(0) and big[0] == big[1]:
        big[i] = wp.uint64(1)
"""


def wait_for(condition):
    """Whether it comes true: a thread that was joined is listed a moment longer."""
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def floats(*values):
    return array.array("f", values)


class Compile(unittest.TestCase):
    def test_texts_are_those_of_the_program(self):
        told = json.loads(program("compile", "--emit", "json", str(SCALE)))
        (kernel,) = weft.compile_file(SCALE)
        self.assertEqual((kernel.name, kernel.line, kernel.cpu, kernel.cuda), (told["kernel"], told["line"], told["cpu"], told["cuda"]))
        (kernel,) = weft.compile(SCALE.read_text(), "scale.py", device="cuda", backward=False)
        self.assertIsNone(kernel.cpu)
        self.assertNotIn("kernel_backward", kernel.cuda)

    def test_kernels_are_checked(self):
        """The diagnostics that the program prints, of folders with kernels and with CUDA text too."""
        warnings = 0
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = pathlib.Path(temporary.name)
        (folder / "bare.cu").write_text(BARE)
        (folder / "half.py").write_text(HALF)
        for path in (folder, pathlib.Path(REPO, "tests/cases/import_errors"), SCALE):
            told = [json.loads(line) for line in diagnostics("check", str(path))]
            found = weft.check(path)
            self.assertEqual([(d.file, d.line, d.id, d.message, "warning" if d.warning else "error") for d in found],
                             [(d["file"], d["line"], d["id"], d["message"], d["severity"]) for d in told])
            warnings += sum("warning: " in str(d) for d in found)
        self.assertGreater(warnings, 0)
        (error,) = weft.check(HALF, "half.py")
        self.assertEqual((error.file, error.line, error.id), ("half.py", 5, "undefined-name"))
        self.assertEqual(weft.check(SCALE.read_text()), [])
        (folder / "empty").mkdir()
        with self.assertRaisesRegex(ValueError, "holds no Python file, no CUDA text and no records"):
            weft.check(folder / "empty")

    def test_messages_are_explained(self):
        self.assertEqual(weft.explain("undefined-name"), program("explain", "undefined-name"))
        self.assertEqual(weft.explain("k.py:5:12: error: name 'y' is not defined [undefined-name]"), weft.explain("undefined-name"))
        with self.assertRaisesRegex(ValueError, "near are: undefined-name"):
            weft.explain("undefined")
        with self.assertRaisesRegex(TypeError, "id is a str, not None"):
            weft.explain(None)

    def test_a_file_name_is_no_program(self):
        for function in (weft.check, weft.compile, weft.standalone, weft.check_cuda, weft.ptx, weft.ptx_statistics):
            for name in ("saxpy.py", "dir/saxpy.cu"):
                with self.assertRaisesRegex(ValueError, rf"'{name}' looks like a file: write pathlib.Path\('{name}'\)$"):
                    function(name)
        with self.assertRaisesRegex(ValueError, r"write pathlib.Path\('saxpy.py'\) or path='saxpy.py'$"):
            weft.run("saxpy.py", 1, {})
        self.assertEqual(weft.compile("# nothing\n# see saxpy.py"), [])

    def test_path_objects_are_files(self):
        self.assertEqual(weft.compile(SCALE), weft.compile_file(str(SCALE)))
        self.assertEqual(weft.standalone(SCALE), weft.standalone(SCALE.read_text(), "scale.py"))
        path = pathlib.Path(REPO, "tests/cases/ptx/axpy.ptx")
        self.assertEqual(weft.ptx_statistics(path), weft.ptx_statistics(path.read_text()))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "broken.cu")
            path.write_text("__global__ void k(int *x)\n{\n")
            self.assertEqual(weft.check_cuda(path), weft.check_cuda(path.read_text(), str(path)))
            self.assertTrue(weft.check_cuda(path))
            with self.assertRaises(OSError):
                weft.compile(pathlib.Path(folder, "nothing.py"))
            with self.assertRaises(OSError):
                weft.standalone(pathlib.Path(folder, "nothing.py"))

    def test_instances(self):
        """Kernels of factories and generic ones, as expressions; a context that is used again forgets them."""
        factory = "import warp as wp\ndef make(n):\n    @wp.kernel\n    def k(a: wp.array(dtype=int)):\n        a[0] = n\n    return k\n"
        self.assertEqual([k.name for k in weft.compile(factory, instances=["make(3)", "make(4)"])], ["make__locals__k"] * 2)
        self.assertEqual(weft.compile(factory, instances=()), [])
        environment = "import os\nimport warp as wp\nN = int(os.environ.get('WEFT_N', '3'))\n@wp.kernel\ndef k(a: wp.array(dtype=int)):\n    a[0] = N\n"
        self.assertIn("var_0 = 12;", weft.compile(environment, define={"WEFT_N": "12"})[0].cuda)
        self.assertIn("var_0 = 3;", weft.compile(environment)[0].cuda)
        self.assertIn("var_0 = 7;", weft.compile(factory, instances="make(7)")[0].cuda)
        a = [0]
        weft.run(factory, 1, {"a": a}, instances="make(5)")
        self.assertEqual(a, [5])
        self.assertIn("5", weft.standalone(factory, instances="make(5)"))
        with self.assertRaisesRegex(weft.CompileError, "<instance>:1:1: error: name 'mak' is not defined.*") as caught:
            weft.compile(factory, instances="mak(5)")
        self.assertEqual(caught.exception.diagnostics[0].hint, "did you mean 'make'?")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.py").write_text(factory)
            pathlib.Path(folder, "b.py").write_text("import warp as wp\n")
            found = weft.check(pathlib.Path(folder), instances="make(3)")
            self.assertEqual([one.message for one in found], [])

    def test_constants(self):
        """Stubs of weft.constants give kernels the values that the modules have where Python runs them."""
        module = """import enum, os, sys
class Mode(enum.IntEnum):
    FAST = len(sys.argv) * 0 + 4
    SLOW = 5
class Bits(enum.IntFlag):
    LOW = int("1")
    HIGH = 64
class Native:
    __members__ = {}
class Member:
    def __init__(self, n): self.n = n
    def __int__(self): return self.n
Native.__members__ = {"ONE": Member(1), "TWO": Member(2)}
class Limits:
    MOST = os.getpid() * 0 + 9
    def method(self): pass
    class Inner:
        LEAST = os.getpid() * 0 + 3
        class Mode(enum.IntEnum):
            DEEP = int("7")
ODD = {os.getpid() * 0 + 1, 3, 5}
NOTHING = None if os.getpid() else 1
RAW = bytes([os.getpid() * 0 + 97])
TABLE = tuple(range(3, os.getpid() * 0 + 6))
SCALE = float(str(os.getpid() * 0 + 0.1))
NAMES = {"a": [1, None], "b": os.sep}
FAR = float("inf") + os.getpid()
OPEN = open
"""
        program = """import fixed as f
import warp as wp
@wp.kernel
def k(a: wp.array(dtype=float)):
    a[0] = wp.static(float(f.Mode.FAST + f.Bits.HIGH + f.Limits.MOST + f.TABLE[2] + f.Native.TWO))
    a[1] = f.SCALE
    a[2] = wp.static(float(len(f.NAMES["b"])))
    if f.FAR > 1.0e30:
        a[3] = 1.0
    if 5 == f.Mode.SLOW:
        a[4] = 1.0
    a[5] = wp.static(float(f.Limits.Inner.LEAST + f.Limits.Inner.Mode.DEEP))
    a[6] = wp.static(1.0 if f.NOTHING is None and 3 in f.ODD and 2 not in f.ODD else 2.0)
"""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "fixed.py").write_text(module)
            stubs = pathlib.Path(folder, "stubs")
            command = [sys.executable, "-m", "weft.constants", "fixed", "--output", str(stubs)]
            paths = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")]), *sys.path])
            environ = {**os.environ, "PYTHONPATH": paths, "WEFT_LIBRARY": "none"}  # which stubs do not need
            done = subprocess.run(command, env=environ, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertNotIn("OPEN", (stubs / "fixed.pyi").read_text())
            with self.assertRaises(weft.CompileError):
                weft.compile(program, include=folder)
            self.assertIn("RAW = b'a'\n", (stubs / "fixed.pyi").read_text())
            a = [0.0] * 7
            weft.run(program, 1, {"a": a}, include=[str(stubs), folder])
            self.assertEqual([round(x, 6) for x in a], [4 + 64 + 9 + 5 + 2, 0.1, 1, 1, 1, 10, 1])
            command[3:] = ["no_such_module"]
            done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("no_such_module cannot be imported", done.stderr)

    def test_releases(self):
        """`warp` chooses whose text; one that weft does not write is an error of the argument."""
        text = "import warp as wp\n@wp.kernel\ndef lift(a: wp.array(dtype=wp.vec3)):\n    a[wp.tid()].y = 1.0\n"
        old, new = (weft.compile(text, warp=release)[0].cuda for release in ("1.17", None))
        self.assertIn(".c[1] = ", old)
        self.assertIn(".component_ref(", new)
        versions = [next(iter(weft.generate(1, warp=release, verify=False)))["metadata"]["warp_version"] for release in ("1.18", None)]
        self.assertEqual(versions, ["1.18.0", "1.19.0"])
        for call in (lambda: weft.compile(text, warp="1.16"), lambda: list(weft.generate(1, warp="1.16"))):
            with self.assertRaisesRegex(ValueError, "1.16"):
                call()

    def test_imports_are_searched(self):
        """Of a text in the folders that are named, one or several; of a file also beside it."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "shapes.py").write_text("import warp as wp\n@wp.func\ndef twice(x: float):\n    return x + x\n")
            path = pathlib.Path(folder, "main.py")
            path.write_text(IMPORTS)
            texts = [weft.compile(path), weft.compile(IMPORTS, include=folder), weft.compile(IMPORTS, include=[pathlib.Path(folder)])]
            self.assertEqual([text[0].cuda for text in texts], [texts[0][0].cuda] * 3)
            self.assertIn("twice", texts[0][0].cuda)
            self.assertEqual(weft.standalone(path), weft.standalone(IMPORTS, "main.py", include=folder))
            x = [1.5]
            weft.run(IMPORTS, 1, {"x": x}, include=folder)
            self.assertEqual(x, [3.0])
        with self.assertRaisesRegex(weft.CompileError, "module 'shapes' was not found"):
            weft.compile(IMPORTS)

    def test_errors_have_a_place(self):
        with self.assertRaises(weft.CompileError) as caught:
            weft.compile(HALF, "half.py")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column, error.id), ("half.py", 5, 12, "undefined-name"))
        self.assertIn("half.py:5:12: error: ", str(error))
        bad, fine = weft.compile(HALF, keep_errors=True)
        self.assertEqual(bad.error.id, "undefined-name")
        self.assertTrue(bad.cuda is None and fine.cuda and fine.error is None)
        with self.assertRaises(weft.CompileError):
            weft.compile("x = = 1\n", keep_errors=True)
        with self.assertRaises(OSError):
            weft.compile_file("/no/such/file.py")
        with self.assertRaises(ValueError):
            weft.compile(HALF, device="tpu")

    def test_a_program_without_kernels(self):
        with self.assertWarnsRegex(weft.CompileWarning, "^'x.py' has no kernel: kernels are functions with") as caught:
            self.assertEqual(weft.compile("x = 1", "x.py"), [])
        self.assertEqual(caught.filename, __file__)
        again = pickle.loads(pickle.dumps(caught.warning))
        self.assertEqual((str(again), again.diagnostic), (str(caught.warning), None))
        with self.assertWarnsRegex(weft.CompileWarning, "^none of 2 files has a kernel$"):
            self.assertEqual(weft.compile(["", "x = 1"], keep_errors=True), [])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(len(weft.compile(["x = 1", SCALE])), 1)

    def test_warnings_are_no_errors(self):
        with self.assertWarnsRegex(weft.CompileWarning, "generic-kernel"):
            kernels = weft.compile(GENERIC, "g.py")
        self.assertEqual([kernel.name for kernel in kernels], ["g", "good"])
        self.assertEqual([warning.id for warning in kernels.warnings], ["generic-kernel", "unseen-kernel"])
        self.assertTrue(kernels[0].error.warning and kernels[0].cuda is None and kernels[1].cuda)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(weft.CompileWarning) as caught:
                weft.compile(GENERIC, "g.py")
            self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).diagnostic, kernels.warnings[0])
            self.assertEqual(weft.compile(SCALE).warnings, ())
        with self.assertRaises(weft.CompileError) as caught:
            weft.compile(GENERIC.replace("a[0] = 1.0", "a[0] = lost"))
        self.assertEqual((caught.exception.id, caught.exception.diagnostics[0].id), ("undefined-name", "generic-kernel"))

    def test_programs_of_their_own(self):
        told = program("compile", "--emit", "standalone", str(SCALE))
        self.assertEqual(weft.standalone(SCALE.read_text(), "scale.py"), told)
        self.assertNotIn("scale_backward", weft.standalone(SCALE.read_text(), backward=False))
        two = SCALE.read_text() + "\n\n@wp.kernel\ndef other(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"
        self.assertIn("other<<<", weft.standalone(two, kernel="other"))
        with self.assertRaisesRegex(ValueError, "several kernels: name one\nkernels: scale, other"):
            weft.standalone(two)
        with self.assertRaisesRegex(ValueError, "no kernel is called 'othr'; did you mean 'other'.\nkernels: scale, "):
            weft.standalone(two, kernel="othr")
        with self.assertRaisesRegex(ValueError, "there is no kernel"):
            weft.standalone("")
        with self.assertRaisesRegex(weft.CompileError, "generic"):
            weft.standalone(GENERIC, kernel="g")
        with self.assertRaises(weft.CompileError):
            weft.standalone(HALF, "half.py", kernel="bad")
        self.assertIn("__global__", weft.cpu_shim())

    def test_cuda_text_is_checked(self):
        text = weft.standalone(SCALE.read_text())
        self.assertEqual(weft.check_cuda(text), [])
        (error,) = weft.check_cuda(text.replace("}", "", 1), "scale.cu")
        self.assertEqual(error.file, "scale.cu")
        self.assertGreater(error.line, 1)
        with self.assertRaises(TypeError):
            weft.check_cuda(None)

    def test_ptx_is_counted(self):
        path = pathlib.Path(REPO, "tests/cases/ptx/axpy.ptx")
        told = json.loads(program("ptx", "--no-ptxas", "--json", str(path)))["texts"][0]
        found = weft.ptx_statistics(path.read_text(), "axpy.ptx")
        self.assertEqual(list(found.kernels), told["kernels"])
        self.assertEqual((found.compiler, found.version, found.target), (None, told["version"], told["target"]))
        with self.assertRaises(weft.CompileError) as caught:
            weft.ptx_statistics("words", "words.ptx")
        self.assertEqual((caught.exception.id, caught.exception.file), ("bad-ptx", "words.ptx"))

    def test_ptx_is_made(self):
        text = weft.standalone(SCALE.read_text(), "scale.py")
        with self.assertRaisesRegex(ValueError, "not 'sm_x'"):
            weft.ptx(text, arch="sm_x")
        with self.assertRaises(TypeError):
            weft.ptx(None)
        with unittest.mock.patch.dict(os.environ, WEFT_NVRTC="none"):
            with self.assertRaisesRegex(weft.WeftError, "switched off"):
                weft.ptx("wp::float32 x;")
        sites = sorted(glob.glob(os.path.join(REPO, "build/venv*/lib/python3*/site-packages")))
        if not any(glob.glob(f"{site}/nvidia/*/lib/libnvrtc.so*") for site in sites):
            self.skipTest("the wheel nvidia-cuda-nvrtc-cu12 is not installed")
        environment = {"WEFT_NVRTC": ""}
        with unittest.mock.patch.dict(os.environ, environment):
            made = weft.ptx(text, "scale.cu", arch="sm_80", packages=sites)
            again = weft.ptx(text, packages=sites)
            with self.assertRaises(weft.CompileError) as caught:
                weft.ptx("__global__ void k(int *x)\n{\n    x[0] = nothing;\n}\n", "bad.cu", packages=sites)
        self.assertRegex(made.compiler, r"^NVRTC \d+\.\d+$")
        self.assertEqual((made.target, again.target), ("sm_80", "sm_75"))
        self.assertIn(".target sm_80", made.text)
        self.assertEqual(weft.ptx_statistics(made.text).kernels, made.kernels)
        self.assertEqual(len(made.kernels), 2)
        error = caught.exception
        self.assertEqual((error.id, error.file, error.line), ("cuda-refused", "bad.cu", 3))
        self.assertIn("nothing", str(error))

    def test_threads_work_side_by_side(self):
        sources = [json.loads(line)["python_source"] for line in generated("--count", "24", "--no-verify")]
        wanted = [weft.compile(source) for source in sources]
        found = {}

        def work(number):
            found[number] = [weft.compile(source) for source in sources]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([found[i] for i in range(4)], [wanted] * 4)


class Generate(unittest.TestCase):
    def test_records_are_those_of_the_program(self):
        for words, options in (
            ((), {}),
            (("--device", "both", "--no-verify"), {"device": "both", "verify": False}),
            (("--categories", "loop,vector"), {"categories": ["loop", "vector"]}),
            (("--no-backward",), {"backward": False}),
            (("--no-dedup",), {"dedup": False}),
            (("--task", "repair"), {"task": "repair"}),
            (("--shard", "2/3"), {"part": (2, 3)}),
            (("--gradients", "exact"), {"gradients": "exact"}),
            (("--mix", "purpose=2,exercise=1"), {"mix": "purpose=2,exercise=1"}),
            (("--difficulty", "2,3", "--max-lines", "30"), {"difficulty": (2, 3), "max_lines": 30}),
            (("--difficulty", "1,3-4"), {"difficulty": "1,3-4"}),
            (("--style", "messages", "--tasks", "forward"), {"style": "messages", "tasks": "forward"}),
            (("--kind", "purpose", "--style", "script"), {"kind": "purpose", "style": "script"}),
        ):
            wanted = generated("--count", "40", "--seed", "5", *words)
            self.assertEqual(list(weft.generate(40, 5, raw=True, jobs=2, **options)), wanted, options)
        self.assertEqual(list(weft.generate(2, 5)), [json.loads(line) for line in generated("--count", "2", "--seed", "5")])
        self.assertEqual(list(weft.generate(0)), [])
        for count, shown in (("4", 4), ("1e3", 1000), ("10k", 10000), ("2M", 2000000), ("1.5k", 1500), (2e3, 2000)):
            with weft.generate(count, verify=False) as records:
                self.assertIn(f"{shown} records of seed 0", repr(records))
        self.assertEqual(list(weft.generate("4", 5, raw=True)), list(weft.generate(4, 5, raw=True)))

    def test_wrong_options_are_told(self):
        for options in (
            {"count": -1}, {"count": 1, "seed": -1}, {"count": 1, "device": "x"}, {"count": 1, "categories": "nothing"},
            {"count": 1, "categories": ""}, {"count": 1, "part": (3, 2)}, {"count": 1, "gradients": "all"}, {"count": 1, "mix": "purpose"},
            {"count": 1, "near": 0.4}, {"count": 1, "near": 0.9, "dedup": False}, {"count": 1, "gradients": "exact", "verify": False}, {"count": 1, "difficulty": 6}, {"count": 1, "style": "x"},
        ):
            with self.assertRaises(ValueError, msg=str(options)):
                weft.generate(**options)
        for options in (
            {"count": ["10"]}, {"count": 1.5}, {"seed": 1.0}, {"jobs": "2"}, {"min_lines": None}, {"difficulty": 2.5}, {"difficulty": ["2"]},
            {"part": "1/4"}, {"part": (1, "4")}, {"near": "0.9"}, {"categories": 5}, {"tasks": [5]},
        ):
            with self.assertRaisesRegex(TypeError, f"^{list(options)[0]} is "):
                weft.generate(**{"count": 1, **options})
        for wrong in ("", "ten", "1.5", "10 ", "-1", "1e-3", "99T9"):
            with self.assertRaisesRegex(ValueError, f"^count is a whole number, such as 500, '10k' or '2M', not '{wrong}'$"):
                weft.generate(wrong)
        with self.assertRaisesRegex(ValueError, "^count is a number from 0 to 1000000000000, not 2000000000000$"):
            weft.generate("2T")
        for wrong in ("", "6", "3-2", "2-", "2;3", "2-3-4"):
            with self.assertRaisesRegex(ValueError, f"^difficulty has levels from 1 to 5, .* not '{wrong}'"):
                weft.generate(1, difficulty=wrong)

    def test_kernels_are_excluded(self):
        before = list(weft.generate(12, 5, verify=False))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "known.jsonl")
            path.write_text("".join(json.dumps({"code": record["python_source"]}) + "\n" for record in before))
            after = list(weft.generate(12, 5, verify=False, exclude=[path]))
            path = pathlib.Path(folder, "broken.py")
            path.write_text("import warp as wp\n@wp.kernel\ndef f(:\n")
            with self.assertWarnsRegex(UserWarning, "nothing is excluded"):
                weft.generate(1, exclude=path)
        structures = {record["metadata"]["structure"] for record in before}
        self.assertFalse(structures & {record["metadata"]["structure"] for record in after})
        with self.assertRaises(OSError):
            weft.generate(1, exclude=["/no/such/file"])

    def test_near_ones_are_refused(self):
        options = {"categories": "arithmetic", "verify": False, "raw": True}
        words = ("--count", "300", "--categories", "arithmetic", "--no-verify")
        found = list(weft.generate(300, near=0.5, **options))
        self.assertTrue(found == generated(*words, "--near", "0.5"))
        self.assertTrue(found != list(weft.generate(300, **options)))
        # Few are left of random ones of one line: at once near ones come, and with 0 they stay.
        few = {"kind": "purpose", "categories": "random_math", "difficulty": 1, "verify": False, "raw": True}
        words = ("--count", "60", "--kind", "purpose", "--categories", "random_math", "--difficulty", "1", "--no-verify")
        usual, kept = list(weft.generate(60, **few)), list(weft.generate(60, near=0, **few))
        self.assertTrue(usual == generated(*words) and kept == generated(*words, "--near", "0"))
        self.assertTrue(usual != kept)

    def test_an_iterator_may_be_left(self):
        gc.collect()
        self.assertTrue(wait_for(lambda: len(os.listdir("/proc/self/task")) == THREADS))
        for taken in (0, 1, 33, 70):
            records = weft.generate(10**9, verify=False, jobs=2)
            for _ in range(taken):
                next(records)
            if taken == 33:
                records.close()
                self.assertEqual(list(records), [])
            del records
        with weft.generate(10**9, verify=False) as records:
            next(records)
        self.assertTrue(wait_for(lambda: len(os.listdir("/proc/self/task")) == THREADS))

    def test_threads_share_an_iterator(self):
        records, found = weft.generate(200, verify=False, raw=True), []

        def work():
            found.extend(records)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(found), sorted(generated("--count", "200", "--no-verify")))

    def test_child_processes(self):
        records = weft.generate(100, verify=False)
        next(records)
        child = os.fork()
        if not child:
            status = 1
            try:
                next(records)
            except ValueError:
                status = 0 if len(list(weft.generate(40, verify=False))) == 40 else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(len(list(records)), 99)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            counts = pool.map(count_kernels, [SCALE.read_text()] * 8)
        self.assertEqual(counts, [1] * 8)


def count_kernels(source):
    return len(weft.compile(source))


class Run(unittest.TestCase):
    def test_arrays_are_written_in_place(self):
        for executor in ("reference", "text", "text-cuda"):
            x = floats(1, 2, 3, 4)
            self.assertIsNone(weft.run(SCALE.read_text(), 4, {"x": x, "s": 2}, executor=executor))
            self.assertEqual(list(x), [2, 4, 6, 8])
        x = floats(1, 2)
        gradients = weft.run(SCALE, (2,), {"x": x, "s": 0.5}, grad={"x": floats(1, 3)}, kernel="scale")
        self.assertEqual([float(value) for value in gradients["x"]], [0.5, 1.5])

    def test_structs_and_numbers(self):
        out = memoryview(bytearray(24)).cast("f", (2, 3))
        weft.run(STRUCTS, 2, {"ball": {"mass": 2.0, "place": [1, 2, 3]}, "out": out, "on": True, "more": 7})
        self.assertEqual(out.tolist(), [[9.0, 4.0, 6.0]] * 2)
        with self.assertRaisesRegex(ValueError, "its number does not fit"):
            weft.run(STRUCTS, 2, {"ball": {"mass": 2.0, "place": [1, 2, 3]}, "out": out, "on": 2, "more": 7})
        with self.assertRaises(OverflowError):
            weft.run(STRUCTS, 2, {"ball": {"mass": 2.0, "place": [1, 2, 3]}, "out": out, "on": True, "more": 2**70})

    def test_what_goes_wrong_is_told_and_changes_nothing(self):
        x = floats(1, 2, 3, 4)
        with self.assertRaisesRegex(weft.RunError, r"kernel.py:7: kernel 'scale', thread \(4\): array 'x': index 4"):
            weft.run(SCALE.read_text(), 5, {"x": x, "s": 2})
        with self.assertRaisesRegex(weft.RunError, "fuel"):
            weft.run(SCALE, 4, {"x": x, "s": 2}, fuel=3)
        for wrong in ({"x": x}, {"x": x, "s": 2, "y": 1}, {"x": array.array("d", [1.0]), "s": 2}, {"x": 3, "s": 2}):
            with self.assertRaises(ValueError, msg=str(wrong)):
                weft.run(SCALE, 1, wrong)
        for wrong in ({"x": object(), "s": 2}, {"x": x, "s": "2"}):
            with self.assertRaises(TypeError):
                weft.run(SCALE, 1, wrong)
        with self.assertRaisesRegex(ValueError, "no kernel is called 'scal'; did you mean 'scale'.\nkernels: scale"):
            weft.run(SCALE, 1, {"x": x, "s": 2}, kernel="scal")
        with self.assertRaisesRegex(ValueError, "no kernel is called 'made'\nkernels: g, good\n.*unseen-kernel"):
            weft.run(GENERIC, 1, {}, kernel="made")
        with self.assertRaisesRegex(ValueError, r"'x' is missing: array.*float32.*of shape \(1,\).*\n.*'s' is missing"):
            weft.run(SCALE, 1, {})
        with self.assertRaisesRegex(ValueError, r"'y': .*no such parameter\nparameters: x: array.*, s: float32"):
            weft.run(SCALE, 1, {"x": x, "y": 2})
        structs = BODY + "@wp.kernel\ndef k(p: P, ps: wp.array(dtype=P), b: bool):\n    ps[0] = p\n"
        with self.assertRaisesRegex(ValueError, "'pss': .*no such parameter; did you mean 'ps'"):
            weft.run(structs, 1, {"pss": 1})
        with self.assertRaises(ValueError) as caught:
            weft.run(structs, 1, {})
        self.assertIn("'p.mass' is missing: float32; give 'mass' in the dict 'p': a number", str(caught.exception))
        self.assertIn("'ps' is missing: array(ndim=1, dtype=P); give a dict of arrays: mass, at", str(caught.exception))
        self.assertIn("'b' is missing: bool; give True or False", str(caught.exception))
        with self.assertRaises(ValueError):
            weft.run(SCALE, 1, {"x": x, "s": 2}, grad={"s": floats(1)})
        with self.assertRaises(ValueError):
            weft.run(SCALE, (1, 1, 1, 1, 1), {"x": x, "s": 2})
        with self.assertRaises(weft.CompileError):
            weft.run(HALF, 1, {"a": x}, kernel="bad")
        with self.assertRaisesRegex(ValueError, "read-only"):
            weft.run(SCALE, 1, {"x": memoryview(x).toreadonly(), "s": 2})
        self.assertEqual(list(x), [1, 2, 3, 4])

    def test_arguments_of_a_wrong_type(self):
        args = {"x": [1.0], "s": 2}
        for sentence, more in (
            ("dim is a number of threads, or up to four, not '3'", {"dim": "3"}), ("dim is .* not 3.0", {"dim": 3.0}),
            ("dim is a whole number, not '3'", {"dim": (1, "3")}), ("fuel is a whole number, not '9'", {"fuel": "9"}),
            ("argument 's': 'two' is no number, list or array", {"args": {**args, "s": "two"}}),
            ("adjoint 'x': '1' is no number", {"grad": {"x": "1"}}), ("kernel is a str, not 3", {"kernel": 3}),
            ("args is a dict of values by name, not a list", {"args": [1]}), ("args: a name is a str, not 1", {"args": {1: 1}}),
            ("source is a str, or a path object for a file, not int", {"source": 5}),
        ):
            with self.assertRaisesRegex(TypeError, f"^{sentence}"):
                weft.run(**{"source": SCALE, "dim": 1, "args": args, **more})

    def test_lists_are_arrays(self):
        x = [1, 2.5, 0.1]
        weft.run(path=SCALE, dim=3, args={"x": x, "s": 2})
        self.assertEqual(x[:2], [2.0, 5.0])
        self.assertEqual(x[2], floats(0.1)[0] * 2)
        x = [1, 2]
        gradients = weft.run(SCALE, [2], {"x": x, "s": 0.5}, grad={"x": (1, 3)})
        self.assertEqual((gradients, x), ({"x": [0.5, 1.5]}, [0.5, 1.0]))
        gradients = weft.run(path=str(SCALE), dim=2, args={"x": floats(1, 2), "s": 3}, grad={"x": 1})
        self.assertEqual([float(g) for g in gradients["x"]], [3, 3])
        self.assertEqual(weft.run(SCALE, 2, {"x": x, "s": 3}, grad={"x": floats(1, 2)}), {"x": [3, 6]})
        out, flags = [[0, 0, 0], [0, 0, 0]], [True, False]
        weft.run(STRUCTS, 2, {"ball": {"mass": 2.0, "place": [1, 2, 3]}, "out": out, "on": True, "more": 7})
        self.assertEqual(out, [[9.0, 4.0, 6.0]] * 2)
        weft.run(KINDS, 2, {"flags": flags, "big": [2**64 - 1, 0], "out": (0, 0)})
        self.assertEqual(flags, [False, True])
        self.assertIs(type(flags[0]), bool)

    def test_lists_that_do_not_fit(self):
        def refused(kind, sentence, **args):
            with self.assertRaisesRegex(kind, sentence):
                weft.run(KINDS, 2, {"flags": [True, False], "big": [1, 2], "out": [0, 0], **args})

        refused(ValueError, "'flags': one of its numbers does not fit bool", flags=[1, 2])
        refused(ValueError, "'big': one of its numbers does not fit", big=[1, -2])
        refused(ValueError, "'out': one of its numbers does not fit", out=[0.5, 1])
        refused(ValueError, "'out': it has 2 dimensions, not 1", out=[[1], [2]])
        refused(TypeError, "'out': its rows differ", out=[[1], [2, 3]])
        refused(TypeError, "'out': its rows differ", out=[[1], 2])
        refused(TypeError, "'out': 'a' is not a number", out=["a"])
        refused(TypeError, r"'out': an array of structs is a dict with a list for each field, \{'i': \[\.\.\.\], 'k': \[\.\.\.\]\}",
                out=[{"i": 0, "k": 1}])
        refused(OverflowError, "do not fit any", big=[-1, 2**63])
        refused(weft.RunError, "array 'out': index 1", out=[0])
        flags, x = [True, False], [1.0, 2.0]
        refused(ValueError, "'big', which is read-only", flags=flags, big=(0, 0))
        self.assertEqual(flags, [True, False])
        with self.assertRaisesRegex(ValueError, "read-only"):
            weft.run(SCALE, 2, {"x": (1, 2), "s": 2})
        weft.run(SCALE, 2, {"x": (1, 0.1), "s": 1})
        with self.assertRaisesRegex(ValueError, r"adjoint 'x': its shape is \(3,\), not \(2,\)"):
            weft.run(SCALE, 2, {"x": x, "s": 2}, grad={"x": [1, 2, 3]})
        with self.assertRaisesRegex(ValueError, "adjoint 'x': its items are float64, not float32"):
            weft.run(SCALE, 2, {"x": floats(1, 2), "s": 2}, grad={"x": array.array("d", [1, 2])})
        with self.assertRaisesRegex(TypeError, "either a source or path="):
            weft.run(dim=2, args={"x": x, "s": 2})
        with self.assertRaisesRegex(TypeError, "either a source or path="):
            weft.run(SCALE, 2, {"x": x, "s": 2}, path=SCALE)
        with self.assertRaisesRegex(TypeError, "dim is missing"):
            weft.run(SCALE, args={"x": x, "s": 2})
        self.assertEqual(x, [1.0, 2.0])

    @unittest.skipUnless(numpy, "without NumPy")
    def test_numpy_arrays(self):
        x = numpy.arange(8, dtype=numpy.float32)
        result = weft.run(SCALE, 4, {"x": x[::2], "s": numpy.float32(3)}, grad={"x": numpy.ones(4, numpy.float32)})
        self.assertEqual(x.tolist(), [0, 1, 6, 3, 12, 5, 18, 7])
        self.assertEqual(result["x"].tolist(), [3, 3, 3, 3])
        row = [numpy.float32(1), numpy.int64(2)]
        weft.run(SCALE, 1, {"x": row, "s": numpy.float32(3)})
        self.assertEqual(row, [3.0, 2.0])
        places = [numpy.zeros(3), [0, 0, 0]]
        weft.run(STRUCTS, 2, {"ball": {"mass": 2, "place": numpy.ones(3)}, "out": places, "on": True, "more": 7})
        self.assertEqual([list(place) for place in places], [[9, 2, 2]] * 2)
        balls = numpy.zeros(3, dtype=[("mass", "f4"), ("place", "f4", 3)])
        balls["mass"] = 2
        source = STRUCTS.replace("ball: Ball", "ball: wp.array(dtype=Ball)").replace(
            "out[wp.tid()] = ball.place * ball.mass", "ball[wp.tid()].mass = 5.0\n        out[wp.tid()] = ball[wp.tid()].place"
        )
        weft.run(source, 2, {"ball": balls, "out": numpy.zeros((2, 3), numpy.float32), "on": True, "more": 7})
        self.assertEqual(balls["mass"].tolist(), [5, 5, 2])


class Validate(unittest.TestCase):
    def test_paths_and_records(self):
        records = list(weft.generate(24))
        found = weft.validate(records)
        self.assertEqual((found.records, found.ok, found.problems, bool(found)), (24, 24, [], True))
        records[3]["cuda_ir_forward"] += " "
        found = weft.validate(iter(records), checks=["hash", "text"])
        self.assertFalse(found)
        self.assertEqual({(problem.file, problem.line) for problem in found.problems}, {(None, 4)})
        self.assertIn(records[3]["id"], str(found.problems[0]))
        with tempfile.TemporaryDirectory() as folder:
            program("generate", "--quiet", "--count", "24", "--output", folder)
            self.assertTrue(weft.validate(folder))
            self.assertTrue(weft.validate([pathlib.Path(folder)]))
        with self.assertRaises(OSError):
            weft.validate(folder)
        with self.assertRaises(ValueError):
            weft.validate(REPO, checks="nothing")
        with self.assertRaises(ValueError):
            weft.validate([])

    def test_what_progress_raises_comes_out(self):
        def stop(_):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            weft.validate(weft.generate(100, raw=True, verify=False), checks="schema", progress=stop)


def resident():
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGESIZE")


class Memory(unittest.TestCase):
    def round(self):
        weft.compile(SCALE.read_text())
        weft.compile(HALF, include=["/tmp"], keep_errors=True)
        with weft.generate(10**6, verify=False, jobs=1) as records:
            next(records)
        weft.run(SCALE, 4, {"x": floats(1, 2, 3, 4), "s": 2}, grad={})
        weft.run(SCALE, 4, {"x": [1, 2, 3, 4], "s": 2}, grad={"x": 1})
        weft.validate([{"id": "x"}], checks="schema", jobs=1)
        try:
            weft.generate(1, categories="nothing")
        except ValueError:
            pass

    def test_nothing_leaks_in_a_loop(self):
        for _ in range(15):
            self.round()
        gc.collect()
        before = resident()
        for _ in range(60):
            self.round()
        gc.collect()
        self.assertLess(resident() - before, 6 << 20)


if __name__ == "__main__":
    package_env.main()
