# SPDX-License-Identifier: Apache-2.0
"""The project's own source files, for the checks in this folder."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("src", "include", "assets", "tests", "tools", "bench", "bindings")
CODE = (".c", ".h", ".cuh", ".def", ".py")
DATA = ("tests/kernels", "tests/cases", "tests/fuzz/corpus")  # inputs of tests, not code of ours


def project_files(*suffixes):
    """Paths relative to the root, sorted, of files with one of these suffixes."""
    found = []
    for top in FOLDERS:
        for where, folders, names in os.walk(os.path.join(ROOT, top)):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in names:
                path = os.path.relpath(os.path.join(where, name), ROOT)
                if name.endswith(suffixes or CODE) and not path.startswith(DATA):
                    found.append(path)
    return sorted(found)


def read_text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as stream:
        return stream.read()


def finish(check, problems):
    """Prints the problems and gives the exit status."""
    for problem in problems:
        print(problem)
    print(f"{check}: {len(problems)} problems")
    return 1 if problems else 0
