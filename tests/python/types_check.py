#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mypy accepts the Python package in its strict mode, and finds in a user's program the mistakes that
are marked there, and no others. The package is installed nowhere: mypy reads its sources.

usage: types_check.py
"""

import os
import re
import subprocess
import sys
import tempfile

import data_env

data_env.enter()

PACKAGE = os.path.join(data_env.REPO, "bindings", "python")
# Each line that mypy refuses ends with "# error: " and mypy's name for the mistake.
PROGRAM = '''
import pathlib
from typing import Any, Dict, List, Optional

import weft

path = pathlib.Path("scale.py")
kernels: List[weft.Kernel] = weft.compile(path, include="shapes") + weft.compile("text", include=[path, "x"])
cuda: Optional[str] = kernels[0].cuda
size = len(kernels[0].cuda)  # error: arg-type
weft.compile(b"text")  # error: arg-type
weft.compile("text", devices="cpu")  # error: call-arg

for record in weft.generate(10, seed=1, categories=["loop"]):
    text: str = record["python_source"]
    error: Optional[float] = record["metadata"]["verification"]["forward_error"]
    kind: str = record["metadata"]["verification"]["class"]
    record["metadata"]["arguments"][0]["name"].upper()
    record["python_sources"]  # error: typeddict-item
    record["metadata"]["counts"]["lines"]  # error: typeddict-item
    wrong: int = record["id"]  # error: assignment
for line in weft.generate(10, raw=True, jobs=2):
    line.upper()
    line["id"]  # error: index
weft.generate(10, jobz=1)  # error: call-overload
for record in weft.read_records([path]):
    record["messages"][0]["content"].upper()
with weft.generate(10) as records:
    data: Any = records.to_dataset()

x = [1.0, 2.0]
nothing: None = weft.run(path=path, dim=2, args={"x": x, "s": 2})
gradients: Dict[str, Any] = weft.run(path, 2, {"x": x}, grad={"x": [1, 1]})
weft.run(path=path, dim="2", args={})  # error: arg-type

found = weft.validate(path, progress=print)
places: List[Optional[str]] = [problem.file for problem in found.problems]
found.ok = 3  # error: misc
share: float = weft.split(path, "out", (90, 10)).splits["train"] / 2
left: int = weft.dedup([path]).left
weft.report(path).save(path)
weft.merge([path, path], "out").record  # error: attr-defined
skipped: int = weft.collect([path], "out", licenses=["mit"]).skipped["generic"]
weft.collect("src")  # error: call-arg
count: int = weft.stats(path)["records"]
rows, groups = weft.to_parquet(path, "x.parquet")
rows.upper()  # error: attr-defined
version: str = weft.__version__
'''
MARK = re.compile(r"# error: ([\w-]+)$")
FOUND = re.compile(r"^.*?:(\d+): error: .*\[([\w-]+)\]$")


def mypy(*words):
    """Runs mypy on the package's sources; gives its exit status and lines."""
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--no-error-summary", "--cache-dir", os.devnull]
    done = subprocess.run(
        [*command, *words], env={**os.environ, "MYPYPATH": PACKAGE}, stdout=subprocess.PIPE, text=True, check=False
    )
    return done.returncode, done.stdout.splitlines()


def main():
    if subprocess.run([sys.executable, "-c", "import mypy"], stderr=subprocess.DEVNULL, check=False).returncode:
        print("SKIPPED: mypy is not in the environment of tests/python/requirements.txt")
        return 1 if os.environ.get("CI") else data_env.SKIPPED
    status, lines = mypy(os.path.join(PACKAGE, "weft"))
    for line in lines:
        print(line)
    wanted = [(i, MARK.search(line)[1]) for i, line in enumerate(PROGRAM.split("\n"), 1) if MARK.search(line)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(PROGRAM)
        _, reported = mypy(path)
    found = sorted({(int(hit[1]), hit[2]) for hit in map(FOUND.match, reported) if hit})
    for place in sorted(set(found) ^ set(wanted)):
        print(f"line {place[0]}: {place[1]}: {'not expected' if place in found else 'not found'}")
    print(f"mypy: status {status} for the package; {len(found)} mistakes found of {len(wanted)}")
    return 1 if status or found != wanted else 0


if __name__ == "__main__":
    sys.exit(main())
