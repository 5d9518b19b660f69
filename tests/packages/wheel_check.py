#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package as users get it: the source distribution builds, the wheel is made from it, has a
manylinux tag for glibc 2.34 and less than 5 MB, and works in a fresh virtual environment of every
Python here, away from the source tree: the program as `weft` and as `python -m weft`, and the library.

usage: wheel_check.py [DIST]     DIST: a folder with the wheel, made before by scripts/wheel.sh
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import data_env  # noqa: E402

data_env.enter()
MEGABYTES = 5
OPTIMISE = "-O1 -DNDEBUG"  # compiles faster than what is distributed, and xxhash does not by -Og
GLIBC = 34  # 2.34; scripts/wheel.sh says why no less
DIST = sys.argv[1] if len(sys.argv) > 1 else None
KERNEL = "import warp as wp\n\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n    a[wp.tid()] = 2.0\n"
PROGRAM = """
import os, sys, weft
assert os.path.dirname(os.path.dirname(weft.__file__)).startswith(sys.prefix), weft.__file__
kernel, = weft.compile(open(sys.argv[1]).read())
assert 'extern "C" __global__ void k_' in kernel.cuda, kernel.cuda
print(weft.__version__)
"""


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def interpreters():
    """Each Python here that the package is for and that has venv, once: {version: path}."""
    found = {}
    pyenv = glob.glob(os.path.join(os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv")), "versions", "*", "bin"))
    for folder in [*os.environ["PATH"].split(os.pathsep), *sorted(pyenv)]:
        for path in sorted(glob.glob(os.path.join(folder, "python3.[0-9]*"))) + [os.path.join(folder, "pypy3")]:
            if not re.search(r"/(python3\.\d+|pypy3)$", path) or not os.path.exists(path):
                continue
            ask = ("import ensurepip, platform, sys, venv; assert sys.version_info >= (3, 9);"
                   "print(platform.python_implementation(), platform.python_version())")
            done = subprocess.run([path, "-c", ask], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            if not done.returncode:
                found.setdefault(done.stdout.strip(), path)
    return found


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        dist = os.path.abspath(DIST) if DIST else os.path.join(cls.folder.name, "dist")
        if not DIST:
            script = os.path.join(data_env.REPO, "scripts", "wheel.sh")
            made = run("sh", script, dist, "-C", f"cmake.define.CMAKE_C_FLAGS_RELEASE={OPTIMISE}")
            print(re.search(r"^the wheel of the source distribution: \d+ s$", made, re.M)[0], flush=True)
        cls.wheel = glob.glob(os.path.join(dist, "*.whl"))[0]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_what_is_in_it(self):
        [glibc] = re.findall(r"-py3-none-manylinux_2_(\d+)_", os.path.basename(self.wheel))
        self.assertLessEqual(int(glibc), GLIBC, "a function is called whose version is of a later glibc")
        self.assertLess(os.path.getsize(self.wheel), MEGABYTES * 10**6)
        names = zipfile.ZipFile(self.wheel).namelist()
        for name in ("weft/__init__.py", "weft/py.typed", "weft/libweft.so", "weft/bin/weft"):
            self.assertIn(name, names)
        self.assertTrue([name for name in names if re.search(r"\.dist-info/(licenses/)?LICENSE$", name)], names)
        sources = [name for name in names if name.endswith((".c", ".h"))]
        self.assertEqual(sources, [])

    def test_fresh_environments(self):
        kernel = os.path.join(self.folder.name, "k.py")
        with open(kernel, "w", encoding="utf-8") as stream:
            stream.write(KERNEL)
        pythons = interpreters()
        self.assertTrue(pythons)
        for version, python in pythons.items():
            with self.subTest(version):
                venv = os.path.join(self.folder.name, version.replace(" ", "-"))
                away = {"cwd": self.folder.name, "env": {**os.environ, "PYTHONPATH": ""}}
                run(python, "-m", "venv", venv)
                mine = os.path.join(venv, "bin", "python")
                run(mine, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", self.wheel, **away)
                said = run(os.path.join(venv, "bin", "weft"), "--version", **away)
                self.assertEqual(run(mine, "-m", "weft", "--version", **away), said)
                self.assertIn(run(mine, "-c", PROGRAM, kernel, **away).strip(), said)
                print(f"ok   {version}", flush=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
