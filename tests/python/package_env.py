# SPDX-License-Identifier: Apache-2.0
"""The Python package from the checkout with the library that is built, and the program beside it.

usage of a test that imports this first: TEST.py WEFT LIBRARY [unittest's arguments]
LIBRARY may be `installed`: then the package is the interpreter's own.
"""

import os
import subprocess
import sys
import unittest

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEFT = os.path.abspath(sys.argv[1])
if sys.argv[2] != "installed":
    os.environ["WEFT_LIBRARY"] = os.path.abspath(sys.argv[2])
    sys.path.insert(0, os.path.join(REPO, "bindings", "python"))


def program(*words):
    """What the program prints."""
    return subprocess.run([WEFT, *words], stdout=subprocess.PIPE, check=True).stdout.decode()


def diagnostics(*words):
    """The JSON lines of `--diagnostics json`, which stand on stderr before the summary."""
    told = subprocess.run([WEFT, *words, "--diagnostics", "json"], stderr=subprocess.PIPE, check=False).stderr.decode()
    return [line for line in told.splitlines() if line.startswith("{")]


def generated(*words):
    """The lines that `weft generate` writes."""
    return program("generate", "--quiet", "--output", "-", *words).splitlines()


def main():
    """Runs the tests of the module that was started."""
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
