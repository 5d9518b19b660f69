#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""1,200 generated kernels: forward and backward text on both devices identical to warp-lang's.

usage: generated_check.py WEFT [--count N] [--seed S]

The seed is printed; WEFT_ORACLE_SEED sets it. Each record's Python source is given to warp-lang;
the record's texts have to be the parts of warp-lang's text that text_parts.py tells. Categories
have to be met evenly.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

import oracle_env
import text_parts
import verdicts

FIELDS = {"cpu": ("cpp_forward", "cpp_backward"), "cuda": ("cuda_ir_forward", "cuda_ir_backward")}


def generate(weft, count, seed):
    """The records of a run that executes nothing."""
    return verified(weft, count, seed, "--no-verify")[0]


def verified(weft, count, seed, *more):
    """(the records of a run, what it told on stderr)"""
    command = [weft, "generate", "--kind", "exercise", "--count", str(count), "--seed", str(seed), "--device", "both"]
    done = subprocess.run([*command, *more, "--output", "-"], capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.decode()[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def write_sources(records, folder):
    """{path: record}; the oracle gets each source as a file of its own."""
    paths = {}
    for number, record in enumerate(records):
        path = os.path.join(folder, f"g{number:06}.py")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(record["python_source"])
        paths[path] = record
    return paths


def judge(record, path, kernel):
    """(verdict, cause) of one record against warp-lang's text of its kernel."""
    if kernel["error"]:
        return "refused", "warp-lang: " + verdicts.refusal(kernel["error"])
    for device, fields in FIELDS.items():
        parts = text_parts.split(kernel[device], path, record["metadata"]["kernel_name"] + ".py")
        for field, wanted in zip(fields, parts):
            if record[field] != wanted:
                return "differs", f"{field}: {verdicts.first_difference(wanted, record[field])}"
    return "equal", ""


def check(records, python):
    """Tallies all records; prints the number of each category."""
    tally = verdicts.Tally()
    with tempfile.TemporaryDirectory() as folder:
        paths = write_sources(records, folder)
        for path, dumped in oracle_env.dump(python, list(paths), os.path.join(folder, "dump")).items():
            record = paths[path]
            example = f"{record['id']} ({record['metadata']['category']})"
            kernels = dumped["kernels"]
            if dumped["error"] or len(kernels) != 1:
                tally.add("refused", f"warp-lang: {dumped['error']}, {len(kernels)} kernels", example)
            else:
                tally.add(*judge(record, path, kernels[0]), example)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--count", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("WEFT_ORACLE_SEED", "20240")))
    args = parser.parse_args()
    python = oracle_env.oracle_python()
    print(f"seed {args.seed} (WEFT_ORACLE_SEED sets it)")
    records = generate(args.weft, args.count, args.seed)
    categories = collections.Counter(record["metadata"]["category"] for record in records)
    print(", ".join(f"{name} {count}" for name, count in sorted(categories.items())))
    tally = check(records, python)
    tally.report()
    even = len(categories) == 12 and max(categories.values()) - min(categories.values()) <= 1
    sys.exit(0 if even and tally.counts["equal"] == len(records) == args.count else 1)


if __name__ == "__main__":
    main()
