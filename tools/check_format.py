#!/usr/bin/env python3
"""Fails where clang-format would change a C file (.clang-format); --fix changes it.

usage: check_format.py [--fix]
"""

import os
import shutil
import subprocess
import sys

from project_files import ROOT, finish, project_files


def formatter():
    """The formatter of LLVM 14; another version formats differently."""
    return shutil.which("clang-format-14") or shutil.which("clang-format")


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
        [f"{os.path.relpath(path, ROOT)}: tools/check_format.py --fix would change it" for path in sorted(changed)],
    )


if __name__ == "__main__":
    sys.exit(main())
