#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same command gives the same bytes: any number of jobs, any split into shards, any build.

usage: bytes_check.py WEFT IN_LOCALE [OTHER-WEFT...]

Streams pairs of all categories and compares hashes: --jobs 1 and 2, the library in a program that has
set another locale (IN_LOCALE is tests/unit/in_locale.c), and the same by each other build that exists
(other compiler, other optimisation). Three shards, sorted by index, are
compared with one without deduplication, which a shard does within itself (merge_check.py has it with).
A folder of output files is compared too, manifest and statistics included.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "api"))
import locale_check  # noqa: E402

COUNT = 600
BASE = ["generate", "--count", str(COUNT), "--seed", "7", "--device", "both", "--no-verify"]


def stream(weft, *args, env=None):
    """The records that a run streams, as bytes; ends the test where the run fails."""
    command = [weft, *BASE, "--output", "-", *args]
    done = subprocess.run(command, capture_output=True, env={**os.environ, **(env or {})})
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.decode()[-500:]}")
    return done.stdout


def sorted_shards(weft, parts):
    """The records of a run in shards, brought into the order of their index."""
    shards = (stream(weft, "--no-dedup", "--shard", f"{i}/{parts}") for i in range(1, parts + 1))
    lines = b"".join(shards).splitlines(True)
    return b"".join(sorted(lines, key=lambda line: json.loads(line)["metadata"]["index"]))


def folder_hash(weft, jobs, form):
    """One hash over names and contents of all files that a run leaves."""
    total = hashlib.sha256()
    with tempfile.TemporaryDirectory() as folder:
        # the same relative name each time: the manifest holds the command
        args = [*BASE, "--jobs", str(jobs), "--format", form, "--output", "data"]
        subprocess.run([weft, *args], cwd=folder, check=True, stderr=subprocess.DEVNULL)
        for where, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(where, name)
                with open(path, "rb") as content:
                    total.update(os.path.relpath(path, folder).encode() + content.read())
    return total.hexdigest()


def main():
    weft = os.path.abspath(sys.argv[1])
    in_locale = os.path.abspath(sys.argv[2])
    others = [os.path.abspath(path) for path in sys.argv[3:]]
    reference = stream(weft, "--jobs", "1")
    records = len(reference.splitlines())
    if records != COUNT:
        sys.exit(f"{records} records, not {COUNT}")
    results = {
        "--jobs 2": stream(weft, "--jobs", "2") == reference,
        "another time zone": stream(weft, env={"TZ": "Asia/Tokyo"}) == reference,
        "3 shards sorted": sorted_shards(weft, 3) == stream(weft, "--no-dedup"),
        "another seed (has to differ)": stream(weft, "--seed", "8") != reference,
    }
    locales = locale_check.locales()
    if not locales and locale_check.none_there() == 1:
        results["another locale, which is missing"] = False
    for name in locales:
        records = locale_check.output(in_locale, name, "generate", str(COUNT), "7", "--no-verify")
        results[f"the library in {name}"] = records == reference
    for form in ("jsonl", "files"):
        results[f"folder, {form}"] = folder_hash(weft, 1, form) == folder_hash(weft, 2, form)
    for other in others:
        name = f"the build {os.path.relpath(other)}"
        if os.path.exists(other):
            results[name] = stream(other, "--jobs", "2") == reference
        elif os.environ.get("CI"):
            results[name + ", which is missing"] = False
        else:
            print(f"NOT COMPARED: {name} is missing; scripts/test.sh makes it")
    for name, good in results.items():
        print(f"{'as it should be' if good else 'WRONG'}: {name}")
    sys.exit(0 if all(results.values()) else 1)


if __name__ == "__main__":
    main()
