#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arguments of the Python package as people give them: wrong ones raise an error that says what is
expected, missing files the exception that open() raises, and folders, lists, generators, bytes and
NumPy's numbers are taken. Needs nothing but Python.

usage: arguments_check.py WEFT LIBRARY [unittest's arguments]
"""

import json
import os
import pathlib
import pickle
import tempfile
import unittest
import unittest.mock

import package_env
from package_env import REPO, diagnostics, program

import weft

try:
    import numpy
except ImportError:
    numpy = None

SCALE = pathlib.Path(REPO, "docs/scale.py")
TEXT = SCALE.read_text()
BAD = "import warp as wp\n\n@wp.kernel\ndef bad(x: wp.array(dtype=float)):\n    x[0] = y\n"
NEWER = "import warp as wp\n\n@wp.kernel\ndef k(x: wp.array(dtype=int)):\n    x[0] = wp.bit_count(x[0])\n"
GENERIC = "from typing import Any\n\nimport warp as wp\n\n@wp.kernel\ndef g(x: wp.array(dtype=Any)):\n    x[0] = x[1]\n"
ARGS = {"x": [1.0], "s": 2}
ONE_TEXT = "^text is a str, or a path object for a file"
PATHS = "^{} is a path or several, not "
# (expression, exception, the beginning of its sentence)
WRONG = [
    *[(f"weft.{f}({wrong})", TypeError, f"{ONE_TEXT}, or several, not ") for f in ("compile", "check") for wrong in ("3", "None", "b'x'", "{}")],
    *[(f"weft.{f}({wrong})", TypeError, ONE_TEXT) for f in ("standalone", "check_cuda", "ptx", "ptx_statistics") for wrong in ("3", "[TEXT]", "b'x'")],
    ("weft.compile_file(3)", TypeError, PATHS.format("path") + "3$"),
    ("weft.compile_file([SCALE, 3])", TypeError, "^path is a str or a path object, not 3$"),
    ("weft.compile_file('a\\0b')", ValueError, "^path holds a zero byte: b'a.x00b'$"),
    ("weft.compile(TEXT, name=3)", TypeError, "^name is a str or a path object, not 3$"),
    ("weft.compile(TEXT, device='gpu')", ValueError, "^device is 'cpu', 'cuda' or 'both', not 'gpu'$"),
    ("weft.compile(TEXT, device=['cpu'])", TypeError, "^device is 'cpu', 'cuda' or 'both', not a list$"),
    ("weft.compile(TEXT, include=3)", TypeError, PATHS.format("include") + "3$"),
    ("weft.compile(TEXT, instances=3)", TypeError, "^instances is a str or several, not 3$"),
    ("weft.compile(TEXT, instances=[b'k'])", TypeError, "^instances is a str or several, not b'k'$"),
    ("weft.compile([TEXT, TEXT], instances='made(3)')", ValueError, "^no file has what the instance 'made.3.' names$"),
    ("weft.compile(TEXT, define=['N=3'])", TypeError, "^define is a dict of environment variables, not a list$"),
    ("weft.compile(TEXT, warp=1.18)", TypeError, "^warp is a str, not 1.18$"),
    ("weft.compile(TEXT, warp='1.2')", ValueError, "^warp: weft does not write the text of release '1.2'$"),
    ("weft.compile(TEXT, block_dim='64')", TypeError, "^block_dim is a whole number, not '64'$"),
    ("weft.compile(TEXT, block_dim=2000)", ValueError, "^block_dim is a number from 1 to 1024, not 2000$"),
    ("weft.standalone(TEXT, kernel=3)", TypeError, "^kernel is a str, not 3$"),
    ("weft.ptx(TEXT, arch=3)", TypeError, "^arch is a str, not 3$"),
    ("weft.explain(3)", TypeError, "^id is a str, not 3$"),
    ("weft.run(path=3, dim=1)", TypeError, "^path is a str or a path object, not 3$"),
    ("weft.run(SCALE, 1, ARGS, executor='cuda')", ValueError, "^executor is 'reference', 'text' or 'text-cuda', not 'cuda'$"),
    ("weft.run(SCALE, 1, ARGS, block_dim=0)", ValueError, "^block_dim is a number from 1 to 1024, not 0$"),
    ("weft.run(SCALE, 1, ARGS, fuel=-1)", ValueError, "^fuel is a number from 0 to "),
    ("weft.run(SCALE, 1, {**ARGS, 'x': {1.0}})", TypeError, "^argument 'x': a set is no number, list or array$"),
    ("weft.run(SCALE, 1, {**ARGS, 'x\\0': [1.0]})", ValueError, "^args holds a zero byte"),
    ("weft.run(SCALE, 1, {**ARGS, 'x': 3.0})", ValueError, "^argument 'x': it is an array of float32, and one number is given$"),
    ("weft.run(SCALE, 1, {**ARGS, 's': [3.0]})", ValueError, "^argument 's': it is one float32, and an array is given$"),
    ("weft.run(SCALE, 1, {**ARGS, 'x': bytearray(4)})", ValueError, "^argument 'x': its items are uint8, not float32\nhint: .* a list are converted$"),
    *[(f"weft.{f}({wrong})", TypeError, f"^what is a path or several, or records, not {wrong}$") for f in ("validate", "stats") for wrong in ("3", "None")],
    *[(f"weft.{f}([])", ValueError, "^what is empty: no path is given$") for f in ("validate", "stats", "dedup")],
    *[(f"weft.{f}([dict(id='x'), 3])", TypeError, "^record 2 is a dict or a JSON text, not 3$") for f in ("validate", "stats")],
    ("weft.validate('x', checks=3)", TypeError, "^checks is a str or several, not 3$"),
    ("weft.validate('x', progress=3)", TypeError, "^progress is a function of a number, not 3$"),
    ("weft.report(['x'])", TypeError, "^path is a str or a path object, not a list$"),
    ("weft.dedup(3)", TypeError, PATHS.format("what") + "3$"),
    ("weft.dedup('x', 3)", TypeError, "^output is a str or a path object, not 3$"),
    ("weft.split('x', None)", TypeError, "^output is a str or a path object, not None$"),
    ("weft.split('x', 'out', compress='zip')", ValueError, "^compress is 'none', 'zstd' or 'gzip', not 'zip'$"),
    ("weft.merge([], 'out')", ValueError, "^parts is empty: no path is given$"),
    ("weft.collect([], 'out')", ValueError, "^paths is empty: no path is given$"),
    ("weft.collect('x', None)", TypeError, "^output is a str or a path object, not None$"),
    ("weft.collect('x', 'out', format='programs')", ValueError, "^format is 'jsonl', 'files', 'standalone' or 'parquet', not 'programs'$"),
    ("weft.collect('x', 'out', licenses=3)", TypeError, "^licenses is a str or several, not 3$"),
    ("weft.generate(3, exclude=3)", TypeError, PATHS.format("exclude") + "3$"),
    ("weft.generate(3, min_lines=2)", ValueError, "^min_lines is a number from 3 to 80, not 2$"),
    ("weft.generate(3, min_lines=20, max_lines=10)", ValueError, "^min_lines 20 is more than max_lines 10$"),
    ("weft.generate(3, style='chat')", ValueError, "^style is 'pair', 'messages' or 'script', not 'chat'$"),
    ("weft.generate(3, tasks='forward')", ValueError, "^tasks is for style messages$"),
    ("weft.generate('x' * 1000)", ValueError, r"^count is a whole number, such as 500, '10k' or '2M', not 'x{50,80}\.\.\.$"),
    ("weft.read_records(3)", TypeError, PATHS.format("paths") + "3$"),
    ("weft.read_records(SCALE, split=3)", TypeError, "^split is a str, not 3$"),
]
# What each function says of a path that is not there, and of a folder where it wants a file.
READERS = {
    "compile_file": lambda path: weft.compile_file(path),
    "compile": lambda path: weft.compile(pathlib.Path(path)),
    "check": lambda path: weft.check(pathlib.Path(path)),
    "standalone": lambda path: weft.standalone(pathlib.Path(path)),
    "check_cuda": lambda path: weft.check_cuda(pathlib.Path(path)),
    "ptx": lambda path: weft.ptx(pathlib.Path(path)),
    "ptx_statistics": lambda path: weft.ptx_statistics(pathlib.Path(path)),
    "run": lambda path: weft.run(path=path, dim=1, args=ARGS),
    "run of a source": lambda path: weft.run(pathlib.Path(path), 1, ARGS),
    "validate": lambda path: weft.validate([SCALE, path]),
    "stats": lambda path: weft.stats(path),
    "report": lambda path: weft.report(path),
    "dedup": lambda path: weft.dedup(path),
    "split": lambda path: weft.split([path], "out"),
    "merge": lambda path: weft.merge([path], "out"),
    "collect": lambda path: weft.collect([path], "out"),
    "generate": lambda path: weft.generate(3, exclude=[path]),
    "read_records": lambda path: weft.read_records([path]),
}
ONE_FILE = ("standalone", "check_cuda", "ptx", "ptx_statistics", "run", "run of a source")


class Wrong(unittest.TestCase):
    def test_the_error_says_what_is_expected(self):
        for expression, kind, sentence in WRONG:
            with self.subTest(expression), self.assertRaisesRegex(kind, sentence) as caught:
                eval(compile(expression, "<test>", "eval"))
            self.assertLess(len(str(caught.exception)), 200)

    def test_hints_name_parameters(self):
        with self.assertWarns(weft.CompileWarning) as caught:
            weft.compile(GENERIC)
        self.assertIn("say the types, instances='k[x=wp.vec3, n=int]', or", caught.warning.diagnostic.hint)
        self.assertEqual(caught.filename, __file__)
        with self.assertRaisesRegex(weft.CompileError, "or name its folder: include=DIR$"):
            weft.compile("import warp as wp\nimport shapes\n" + BAD[18:].replace("= y", "= shapes.X"))
        self.assertEqual(pickle.loads(pickle.dumps(caught.warning)).diagnostic, caught.warning.diagnostic)


class Files(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_what_is_not_there(self):
        missing = str(self.folder / "nothing.py")
        for name, read in READERS.items():
            with self.subTest(name), self.assertRaises(FileNotFoundError) as caught:
                read(missing)
            self.assertEqual((caught.exception.filename, caught.exception.errno), (missing, 2), name)
        self.assertEqual(os.listdir(self.folder), [])

    def test_folders_and_files_in_the_wrong_place(self):
        for name in ONE_FILE:
            with self.subTest(name), self.assertRaises(IsADirectoryError) as caught:
                READERS[name](str(self.folder))
            self.assertEqual(caught.exception.filename, str(self.folder))
        (self.folder / "file").touch()
        for function in (weft.split, weft.dedup):
            (self.folder / "few.jsonl").write_text(program("generate", "--kind", "exercise", "-q", "--count", "3", "--output", "-"))
            with self.assertRaises(NotADirectoryError):
                function(self.folder / "few.jsonl", self.folder / "file" / "out")
        with self.assertRaisesRegex(weft.WeftError, "few.jsonl: it is a file: merge takes the folders of data sets$"):
            weft.merge(self.folder / "few.jsonl", self.folder / "out")

    @unittest.skipUnless(os.geteuid(), "root may read everything")
    def test_what_may_not_be_read(self):
        path = self.folder / "closed.py"
        path.write_text(TEXT)
        path.chmod(0)
        for name in ("compile", "check", "run", "validate", "stats"):
            with self.subTest(name), self.assertRaises(PermissionError):
                READERS[name](str(path))

    def test_folders_are_compiled(self):
        """The kernels and errors of `weft compile DIR`."""
        for name in ("b.py", "a/c.py", "a/.hidden/d.py", ".hidden.py", "z/y/x.py"):
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(TEXT)
        (self.folder / "notes.txt").write_text("no program")
        (self.folder / "plain.py").write_text("x = 1\n")
        (self.folder / "loop").symlink_to(self.folder)
        (self.folder / "link.py").symlink_to(self.folder / "b.py")
        told = [json.loads(line) for line in program("compile", "--emit", "json", str(self.folder)).splitlines()]
        found = weft.compile(self.folder)
        self.assertEqual([(k.file, k.name, k.line, k.cuda) for k in found], [(t["file"], t["kernel"], t["line"], t["cuda"]) for t in told])
        self.assertEqual([os.path.basename(kernel.file) for kernel in found], ["c.py", "b.py", "link.py", "x.py"])
        self.assertTrue(repr(found[0]).startswith("<Kernel scale, c.py:4: "))
        self.assertEqual(weft.compile_file([self.folder / "a", os.fsencode(self.folder / "b.py")]), found[:2])
        self.assertEqual(weft.compile(path for path in [self.folder / "a", self.folder / "b.py"]), found[:2])
        self.assertEqual(weft.compile([TEXT, SCALE]), [found[0]] * 2)
        self.assertEqual(weft.compile([]), [])
        (self.folder / "a" / "c.py").write_text(BAD)
        (self.folder / "z" / "broken.py").write_text("def f(:\n")
        told = [json.loads(line) for line in diagnostics("compile", "--emit", "none", str(self.folder))]
        with self.assertRaises(weft.CompileError) as caught:
            weft.compile(self.folder)
        self.assertEqual([(d.file, d.line, d.id) for d in caught.exception.diagnostics], [(t["file"], t["line"], t["id"]) for t in told])
        found = weft.compile(self.folder, keep_errors=True)
        self.assertEqual([kernel.name for kernel in found], ["bad", "scale", "scale", "scale"])
        self.assertEqual([error.id for error in found.errors], ["undefined-name", "invalid-syntax"])
        self.assertEqual(weft.check([self.folder]), weft.check(self.folder))
        self.assertEqual([error.id for error in weft.check([BAD, TEXT, self.folder / "z"])], ["undefined-name", "invalid-syntax"])
        with self.assertRaisesRegex(ValueError, "hidden' holds no Python file$"):
            (self.folder / "a" / ".hidden" / "d.py").unlink()
            weft.compile(self.folder / "a" / ".hidden")

    def test_paths_in_bytes(self):
        path = os.fsencode(self.folder / "few.jsonl")
        pathlib.Path(os.fsdecode(path)).write_text(program("generate", "--kind", "exercise", "-q", "--count", "3", "--output", "-"))
        self.assertEqual(weft.validate(path).records, 3)
        self.assertEqual(weft.stats([path])["records"], 3)
        self.assertEqual(weft.dedup(path).left, 3)
        self.assertEqual(len(list(weft.read_records(path))), 3)
        self.assertEqual(len(weft.compile(TEXT, include=os.fsencode(self.folder))), 1)


class Options(unittest.TestCase):
    def test_fuel_is_that_of_the_command(self):
        source = "import warp as wp\n\n@wp.kernel\ndef k(x: wp.array(dtype=int), n: int):\n    for i in range(n):\n        x[0] += 1\n"
        for executor in ("reference", "text"):
            steps = {"executor": executor, "args": {"x": [0], "n": 1_000}}
            for fuel in (0, None, 10**6):
                weft.run(source, 1, fuel=fuel, **steps)
            with self.assertRaisesRegex(weft.RunError, "the fuel of 100 steps is spent|after the allowed number of steps"):
                weft.run(source, 1, fuel=100, **steps)
        x = [0]
        weft.run(source, 1, {"x": x, "n": 9_000_000}, fuel=0, executor="text")
        self.assertEqual(x, [9_000_000])

    def test_threads_of_a_block(self):
        for block_dim in (1, 64, 256, None):
            words = () if block_dim is None else ("--block-dim", str(block_dim))
            (told,) = (json.loads(line) for line in program("compile", "--emit", "json", *words, str(SCALE)).splitlines())
            (kernel,) = weft.compile(SCALE, block_dim=block_dim)
            self.assertEqual((kernel.cpu, kernel.cuda), (told["cpu"], told["cuda"]))
        self.assertNotEqual(weft.compile(TEXT, block_dim=1), weft.compile(TEXT))

    def test_messages_have_the_words_of_python(self):
        other = TEXT + "\n@wp.kernel\ndef t(x: wp.indexedfabricarray(dtype=float)):\n    x[wp.tid()] = 1.0\n"
        with self.assertRaises(weft.CompileError) as caught:
            weft.standalone(other, kernel="t")
        self.assertEqual(caught.exception.id, "no-standalone")
        self.assertIn("\nhint: weft.compile gives the text that Warp compiles", str(caught.exception))
        with unittest.mock.patch.dict(os.environ, WEFT_NVRTC="", VIRTUAL_ENV="", PATH=""), self.assertRaises(weft.WeftError) as caught:
            weft.ptx("wp::float32 x;", packages=[])
        self.assertNotIn("--", str(caught.exception))

    def test_releases_of_warp(self):
        x = [7]
        for function in (weft.compile, weft.standalone, lambda text, warp: weft.run(text, 1, {"x": x}, warp=warp)):
            function(NEWER, warp="1.19")
            with self.assertRaisesRegex(weft.CompileError, "is not in Warp 1.18: it came with Warp 1.19 .*\nhint: warp chooses"):
                function(NEWER, warp="1.18")
        self.assertEqual(x, [3])
        blocks = pathlib.Path(REPO, "tests/cases/programs/launched_blocks.py")
        for program in (blocks, blocks.read_text()):
            self.assertEqual(weft.check(program), [])
            self.assertEqual([error.line for error in weft.check(program, block_dim=32)], [20, 26, 33])
        self.assertEqual(weft.check(NEWER, warp="1.19"), [])
        self.assertEqual([error.id for error in weft.check(NEWER, warp="1.18")], ["newer-function"])

    @unittest.skipUnless(numpy, "without NumPy")
    def test_numbers_of_numpy(self):
        x = [1.0, 2.0]
        weft.run(SCALE, numpy.int64(2), {"x": x, "s": numpy.float64(2)}, fuel=numpy.int32(1000))
        self.assertEqual(x, [2.0, 4.0])
        weft.run(SCALE, numpy.array([2]), {"x": x, "s": numpy.array(3, numpy.float32)})
        self.assertEqual(x, [6.0, 12.0])
        self.assertEqual(len(list(weft.generate(numpy.int64(3), numpy.uint8(1), jobs=numpy.int8(1)))), 3)
        self.assertEqual(len(weft.compile(TEXT, block_dim=numpy.int64(64))), 1)

    def test_a_range_is_an_array(self):
        source = "import warp as wp\n\n@wp.kernel\ndef k(x: wp.array(dtype=int), y: wp.array(dtype=int)):\n    i = wp.tid()\n    y[i] = 2 * x[i]\n"
        y = [0] * 4
        weft.run(source, 4, {"x": range(4), "y": y})
        self.assertEqual(y, [0, 2, 4, 6])
        with self.assertRaisesRegex(ValueError, "'y', which is read-only"):
            weft.run(source, 4, {"x": range(4), "y": range(4)})


if __name__ == "__main__":
    package_env.main()
