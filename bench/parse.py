# SPDX-License-Identifier: Apache-2.0
"""How fast weft lexes and parses Python 3.11's standard library, in MB/s; CPython's parser beside it.

usage: parse.py WEFT [FOLDER]

One process reads and parses all UTF-8 files; the time of parsing alone is what --timings tells.
"""

import ast
import os
import subprocess
import sys
import sysconfig
import time
import warnings


def sources(folder):
    """(path, bytes) of the files that CPython parses, so that both do the same work."""
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - {"site-packages", "dist-packages", "__pycache__"})
        for name in sorted(names):
            if not name.endswith(".py"):
                continue
            path = os.path.join(where, name)
            with open(path, "rb") as stream:
                data = stream.read()
            try:
                data.decode("utf-8")
                ast.parse(data)
            except (SyntaxError, ValueError, RecursionError):
                continue
            yield path, data


def parse_seconds(weft, paths):
    """What one run needed for lexing and parsing; the trees go to nowhere."""
    command = [weft, "compile", "--emit", "ast", "--timings", *paths]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    rows = [line.split("\t") for line in done.stderr.splitlines() if line.count("\t") == 1]
    stages = {stage: float(seconds) for stage, seconds in rows}
    if "parse" not in stages:
        sys.exit(f"no time of parsing in the output: {done.stderr[-500:]}")
    return stages["parse"]


def main():
    weft = os.path.abspath(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else sysconfig.get_paths()["stdlib"]
    warnings.simplefilter("ignore")
    files = list(sources(folder))
    megabytes = sum(len(data) for _, data in files) / 1e6
    begun = time.perf_counter()
    for _, data in files:
        ast.parse(data)
    python_seconds = time.perf_counter() - begun
    seconds = min(parse_seconds(weft, [path for path, _ in files]) for _ in range(5))
    print(f"{len(files)} files, {megabytes:.1f} MB")
    print(f"weft parsing  {seconds:8.3f} s  {megabytes / seconds:8.1f} MB/s")
    print(f"CPython ast   {python_seconds:8.3f} s  {megabytes / python_seconds:8.1f} MB/s")


if __name__ == "__main__":
    main()
