#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where clang-format would change a C file (.clang-format); --fix changes it. Comments are not
wrapped, since that ruins examples in them: a line of more than 100 columns fails, and so does an
example (an indented line) that the next line of prose follows without a blank one.

usage: check_format.py [--fix]
"""

import os
import re
import shutil
import subprocess
import sys

from project_files import ROOT, finish, project_files, read_text

WIDTH = 100
EXAMPLE, PROSE = re.compile(r" ?\*     +\S(?!.*\*/)"), re.compile(r" ?\* \S")


def formatter():
    """The formatter of LLVM 14; another version formats differently."""
    return shutil.which("clang-format-14") or shutil.which("clang-format")


def comment_problems(path):
    """Lines that are too long, and examples that run into prose."""
    lines = read_text(path).split("\n")
    for number, (line, following) in enumerate(zip(lines, [*lines[1:], ""]), 1):
        if len(line) > WIDTH and re.search(r"^\s*(\*|/\*|//)|/\*.*\*/$", line):
            yield f"{path}:{number}: {len(line)} columns"
        if EXAMPLE.match(line) and PROSE.match(following):
            yield f"{path}:{number}: prose follows an example: put a blank line between them"


def main():
    program = formatter()
    if not program:
        print("clang-format-14 is not installed")
        return 1
    paths = [os.path.join(ROOT, path) for path in project_files(".c", ".h")]
    if not paths:
        return finish("check_format", [])
    if "--fix" in sys.argv[1:]:
        return subprocess.run([program, "-i", *paths], check=False).returncode
    done = subprocess.run(
        [program, "--dry-run", *paths], stderr=subprocess.PIPE, text=True, check=False
    )
    changed = {line.split(":")[0] for line in done.stderr.splitlines() if "warning:" in line}
    return finish(
        "check_format",
        [problem for path in project_files(".c", ".h") for problem in comment_problems(path)]
        + [f"{os.path.relpath(path, ROOT)}: tools/check_format.py --fix would change it" for path in sorted(changed)],
    )


if __name__ == "__main__":
    sys.exit(main())
