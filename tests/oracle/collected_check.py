#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels that weft collects, against warp-lang: a sample of the installed warp-lang's examples, library and tests.

usage: collected_check.py WEFT [--count N] [--one-in N] [--seed S]

warp-lang's text of a record's python_source has to be weft's of it, to the byte, and warp-lang's text of the
kernel in its original file, but for what depends on where the kernel stands: lines, counters of functions
and hashes of structs. --one-in collects a part of the files.
"""

import argparse
import collections
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import oracle_env

sys.path.insert(0, os.path.dirname(oracle_env.HERE))
import part  # noqa: E402

DEVICES = ("cpu", "cuda")


def placeless(text):
    """A text with lines and places left out, and with names numbered in the order of their occurrence."""
    text = re.sub(r" *<L \d+>$", "", text, flags=re.M)
    text = re.sub(r"^// .*\.py:\d+$", "// PLACE", text, flags=re.M)
    numbers = collections.defaultdict(dict)

    def number(match):
        stem, rest = match[1], match[2]
        return f"{stem}_#{numbers[stem].setdefault(rest, len(numbers[stem]))}"

    return re.sub(r"\b((?!var_\d|adj_\d)[A-Za-z]\w*?)_([0-9a-f]{8}|\d+)\b", number, text)


def paths_of(folder, chosen):
    """The package, or a part of its files."""
    files = glob.glob(f"{folder}/**/*.py", recursive=True)
    return [folder] if chosen.count == 1 else chosen.of(sorted(files))


def collect(weft, paths, folder):
    done = subprocess.run([weft, "collect", "-q", "--no-verify", "--device", "both", "--output", folder, *paths],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"weft collect: {done.returncode}\n{done.stderr}")
    for name in sorted(os.listdir(f"{folder}/data")):
        with open(f"{folder}/data/{name}", encoding="utf-8") as stream:
            yield from map(json.loads, stream)


def weft_texts(weft, path):
    done = subprocess.run([weft, "compile", "--emit", "json", path], capture_output=True, text=True)
    kernels = [json.loads(line) for line in done.stdout.splitlines()]
    return kernels[0] if len(kernels) == 1 else {"error": f"{len(kernels)} kernels", "cpu": None, "cuda": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=120)
    chosen = part.take(sys.argv)
    args = parser.parse_args()
    python = oracle_env.oracle_python()
    site = os.path.dirname(oracle_env.package_folder(python))
    with tempfile.TemporaryDirectory() as folder:
        records = list(collect(args.weft, paths_of(f"{site}/warp", chosen), f"{folder}/set"))
        sample = random.Random(chosen.seed).sample(records, min(args.count, len(records)))
        paths = {}
        for i, record in enumerate(sample):
            paths[i] = f"{folder}/alone/k{i}.py"
            os.makedirs(os.path.dirname(paths[i]), exist_ok=True)
            with open(paths[i], "w", encoding="utf-8") as stream:
                stream.write(record["python_source"])
        originals = sorted({f"{site}/{r['metadata']['provenance']['path']}" for r in sample})
        dumped = oracle_env.dump(python, [*paths.values(), *originals])
        bad, judged = [], 0
        for i, record in enumerate(sample):
            origin = record["metadata"]["provenance"]
            name = f"{origin['path']}:{origin['line']} {record['metadata']['kernel_name']}"
            alone = dumped.get(paths[i], {}).get("kernels", [])
            whole = dumped.get(f"{site}/{origin['path']}", {}).get("kernels", [])
            there = [k for k in whole if k["line"] == origin["line"] and k.get("cuda")]
            own_types = origin["types_from"] in ("launch", "chosen")  # of a kernel that is generic in its file
            if not there and not own_types:  # warp-lang cannot import the file here, or has no text of it
                continue
            judged += 1
            if len(alone) != 1:
                bad.append(f"{name}: warp-lang finds {len(alone)} kernels in its source")
                continue
            mine = weft_texts(args.weft, paths[i])
            for device in DEVICES:
                if mine[device] != alone[0].get(device):
                    bad.append(f"{name}: {device}: weft's text of its source is not warp-lang's")
                elif not own_types and not any(placeless(k.get(device) or "") == placeless(mine[device]) for k in there):
                    bad.append(f"{name}: {device}: the text of its source is not that of its file")
    print(*bad, sep="\n")
    print(f"{len(records)} records; seed {chosen.seed}: {judged} of {len(sample)} judged, {len(bad)} differ")
    sys.exit(bool(bad) or judged < max(1, 0.9 * len(sample) - 3))


if __name__ == "__main__":
    main()
