#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels of warp-lang's own tests, examples and library as programs of their own: how many have a
form, forward and backward, why the others have none, and how the programs end that g++ makes of them.

usage: warp_corpus_check.py WEFT [--one-in N [--seed S]] [--kernels K] [--only WORD] [--jobs J] [--compiler CXX]
                                 [--flags FLAGS] [--forms] [--causes N] [--keep DIR] [--json FILE]

--one-in N takes each N-th file with kernels, --kernels K of a file at most K kernels, drawn by the seed;
--only takes the files whose path has the word.
--forms executes nothing: it tells how many have a form, and how many of these no expected values. No program may fail to build, warn, crash or print FAIL, and weft may end with 0 or 1 alone.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [TESTS, os.path.join(TESTS, "oracle")]
import oracle_env  # noqa: E402
import part  # noqa: E402
from standalone_check import execute, run  # noqa: E402

GOOD = ("PASS", "PASS (forward)", "RAN", "NOT RUN")


def has_kernels(path, word=b"kernel"):
    with open(path, "rb") as source:
        return re.search(word, source.read()) is not None


def package_files(folder):
    for where, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(where, name) for name in sorted(names) if name.endswith(".py"))


def kernels_of(options, path):
    """({name of the folder of a kernel that weft gives Warp's text of: what --kernel calls it}, faults)"""
    done = run([options.weft, "compile", "--emit", "json", "--device", "cuda", "-I", options.include, path], None)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    seen, names = collections.Counter(), {}
    for name in (record["kernel"] for record in records if record["cuda"]):
        seen[name] += 1  # a second kernel of a name has a number
        if seen[name] == 1:
            names[name] = name
        else:
            names[f"{name}_{seen[name]}"] = f"{name}:{seen[name]}"
    if options.kernels and len(names) > options.kernels:
        chosen = random.Random(f"{options.part.seed} {os.path.relpath(path, options.include)}").sample(sorted(names), options.kernels)
        names = {name: names[name] for name in chosen}
        options.few.add(path)
    return names, [] if done.returncode in (0, 1) else [f"{path}: status {done.returncode}: {done.stderr[-300:]}"]


def emit(options, path, names, folder, more):
    """({kernel: folder}, [message of what has no form], status)"""
    command = [options.weft, "compile", "--emit", "standalone", "--cpu-shim", "-I", options.include, "-o", folder + os.sep,
               "--diagnostics", "json", *more, path]
    if path in options.few:
        command[-1:-1] = [word for name in names.values() for word in ("--kernel", name)]
    done = run(command, None)
    said = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    made = {name: os.path.join(folder, name) for name in (os.listdir(folder) if os.path.isdir(folder) else [])}
    return made, [d for d in said if d["id"] in ("no-standalone", "standalone-inputs")], done


def unexecuted(program):
    """Why the program has no expected values, or None."""
    with open(program, encoding="utf-8") as text:
        return re.search(r"// There are no expected values: (.*)", text.read())


def is_forward_only(program):
    """Has the program no backward kernel because that has no form?"""
    with open(program, encoding="utf-8") as text:
        return bool(re.search(r"// There are no expected gradients: .* has no standalone CUDA form", text.read()))


def one_file(options, path, work):
    """[(kernel, state of its forward program, of its backward program, text)], faults, reasons"""
    rows, reasons = [], []
    names, faults = kernels_of(options, path)
    forms = []
    for pass_, more in (("forward", ["--no-backward"]), ("backward", [])):
        folder = os.path.join(work, os.path.relpath(path, options.include).replace("/", ".") + "." + pass_)
        made, said, done = emit(options, path, names, folder, more)
        if done.returncode not in (0, 1):
            faults.append(f"{path}: {pass_}: status {done.returncode}: {done.stderr[-300:]}")
        if set(names) - set(made) and not said:
            faults.append(f"{path}: {pass_}: {sorted(set(names) - set(made))} have no form, and no reason is told")
        forms.append(made)
        reasons += [(pass_, d["message"], f"{d['file']}:{d['line']}") for d in said]
    for name in sorted(set(names)):
        forward, backward = forms[0].get(name), forms[1].get(name)
        end, said = execute(options, backward or forward, name) if (forward or backward) and not options.forms else ("", "")
        why = unexecuted(os.path.join(backward or forward, name + ".cu")) if forward or backward else None
        rows.append({"file": os.path.relpath(path, options.include), "kernel": name, "forward": bool(forward),
                     "backward": bool(backward) and not is_forward_only(os.path.join(backward, name + ".cu")), "end": end, "said": said, "why": why and why.group(1)})
    return rows, faults, reasons


def plain(message):
    return re.sub(r"'[^']*'|\S+\.py:\d+|\d+", "_", message)


def report(options, results):
    rows = [row for result in results for row in result[0]]
    faults = [fault for result in results for fault in result[1]]
    reasons = collections.defaultdict(list)
    for _, _, said in results:
        for pass_, message, where in said:
            reasons[pass_, message].append(where)
    for (pass_, message), places in sorted(reasons.items(), key=lambda r: (r[0][0], -len(r[1])))[: options.causes]:
        print(f"{len(places):5d} {pass_}: {message}\n          e.g. {places[0]}")
    whys = collections.Counter(plain(row["why"]) for row in rows if row["why"])
    for why, count in whys.most_common(options.causes):
        example = next(row for row in rows if row["why"] and plain(row["why"]) == why)
        print(f"{count:5d} without expected values: {why}\n          e.g. {example['file']} {example['kernel']}")
    bad = [row for row in rows if row["end"] and row["end"] not in GOOD]
    for row in bad:
        print(f"--- {row['end']}: {row['file']} {row['kernel']}\n{row['said'][:options.most]}")
    for fault in faults:
        print(f"FAULT {fault}")
    ends = collections.Counter(row["end"] for row in rows if row["end"])
    print(f"{len(rows)} kernels: {sum(r['forward'] for r in rows)} with a form forward, "
          f"{sum(r['backward'] for r in rows)} backward, {sum(whys.values())} without expected values; programs: "
          + ", ".join(f"{n} {end}" for end, n in ends.most_common()) + f"; {len(faults)} faults")
    if options.json:
        with open(options.json, "w") as out:
            json.dump({"rows": rows, "faults": faults, "reasons": [[*k, v] for k, v in reasons.items()]}, out)
    good = ends["PASS"] if not options.forms else sum(row["forward"] for row in rows)
    # A few kernels of a part need not have a form.
    if not good and not (options.forms and options.part.count > 1 and rows):
        print("FAULT no kernel has a form that passes")
        return False
    return not bad and not faults


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=False)
    parser.add_argument("weft", type=os.path.abspath)
    parser.add_argument("--kernels", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-O0")
    parser.add_argument("--forms", action="store_true")
    parser.add_argument("--causes", type=int, default=60)
    parser.add_argument("--most", type=int, default=1500)
    parser.add_argument("--keep")
    parser.add_argument("--json")
    chosen = part.take(sys.argv)
    options = parser.parse_args()
    options.part, options.few = chosen, set()  # few: the files of which not all kernels are taken
    folder = oracle_env.package_folder(oracle_env.oracle_python())
    options.include = os.path.dirname(folder)
    files = [path for path in package_files(folder) if options.only in path and has_kernels(path)]
    if chosen.count > 1:  # each part is to have kernels
        files = chosen.of(path for path in files if has_kernels(path, rb"@(wp|warp)\.kernel"))
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda path: one_file(options, path, options.keep or work), files))
    sys.exit(0 if report(options, results) else 1)


if __name__ == "__main__":
    main()
