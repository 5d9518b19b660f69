#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft generate --format parquet`: the rows are the lines of JSON, byte for byte, and commands read such
sets as they read lines; what is damaged, killed or missing is reported.

usage: parquet_check.py WEFT LIBRARY [--kills 8] [--seed S]
"""

import argparse
import glob
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import data_env

data_env.enter()
data_env.use_package(sys.argv[2])

import pyarrow.parquet as pq  # noqa: E402 (only in the environment)

import weft  # noqa: E402
from weft._columns import lines_of  # noqa: E402

WEFT = os.path.abspath(sys.argv[1])
FORMS = {
    "pairs": [],
    "both devices, not verified": ["--device", "both", "--no-verify"],
    "no adjoints": ["--no-backward"],
    "conversations": ["--style", "messages"],
    "repair": ["--task", "repair"],
    "purpose": ["--kind", "purpose"],
    "both kinds": ["--mix", "purpose=1,exercise=1"],
    "scripts": ["--kind", "purpose", "--style", "script"],
}
NEEDS = "pip install 'weft[parquet]', then python -m weft in place of weft"
failures = []


def expect(name, found, wanted):
    good = found == wanted
    print(f"{'ok  ' if good else 'FAIL'} {name}", flush=True)
    if not good:
        failures.append(name)
        print(f"    found  {str(found)[:300]}\n    wanted {str(wanted)[:300]}")


def run(*words, **environment):
    """(status, stdout, stderr)"""
    done = subprocess.run(
        [WEFT, *words], env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def generate(folder, *words):
    expect(f"generate {' '.join(words[-5:])}", run("generate", "--quiet", "--output", folder, *words), (0, "", ""))


def lines(folder):
    """The shards' rows as lines."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "data", "*"))):
        if path.endswith(".parquet"):
            found += [lines_of(batch) for batch in pq.ParquetFile(path).iter_batches()]
        else:
            with open(path, "rb") as stream:
                found.append(stream.read())
    return b"".join(found)


def contents(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(where, name), "rb") as stream:
                found[os.path.relpath(os.path.join(where, name), folder)] = stream.read()
    return found


def check_rows(place):
    for name, words in FORMS.items():
        made = {}
        for format_ in ("jsonl", "parquet"):
            made[format_] = os.path.join(place, f"{name} {format_}")
            generate(made[format_], "--count", "40", "--seed", "5", "--shard-rows", "20", *words, "--format", format_)
        expect(f"{name}: the lines", lines(made["parquet"]) == lines(made["jsonl"]), True)
        expect(f"{name}: two shards", len(glob.glob(os.path.join(made["parquet"], "data", "*.parquet"))), 2)
        status, _, said = run("validate", made["parquet"], "--quiet")
        expect(f"{name}: validate", (status, said), (0, ""))
        expect(f"{name}: stats", weft.stats(made["parquet"])["bytes"], weft.stats(made["jsonl"])["bytes"])
        expect(f"{name}: read_records", list(weft.read_records(made["parquet"])), list(weft.read_records(made["jsonl"])))
    with open(os.path.join(place, "pairs parquet", "manifest.json"), encoding="utf-8") as stream:
        for shard in json.load(stream)["shards"]:
            with open(os.path.join(place, "pairs parquet", shard["file"]), "rb") as file:
                data = file.read()
            expect(f"manifest: {shard['file']}", (shard["bytes"], shard["sha256"]), (len(data), hashlib.sha256(data).hexdigest()))


def check_commands(place):
    """What reads lines reads Parquet: the same outcome from both."""
    both = [os.path.join(place, f"pairs {format_}") for format_ in ("jsonl", "parquet")]
    shows = [run("show", folder, "5-000000017") for folder in both]
    expect("show", shows[0] == shows[1] and shows[0][0] == 0, True)
    expect("dedup", weft.dedup(both[1]), weft.dedup(both[0]))
    expect("merge of both", run("merge", *both, "--output", os.path.join(place, "no"))[0] != 0, True)
    for folder, name in zip(both, ("lines", "rows")):
        weft.split(folder, os.path.join(place, name), (80, 20))
    parts = [os.path.join(place, name) for name in ("lines", "rows")]
    expect("split: packed lines", sorted(os.listdir(os.path.join(parts[1], "data")))[0].endswith(".jsonl.zst"), True)
    expect("split: the same records", *([record["id"] for record in weft.read_records(part, "test")] for part in parts))
    expect("report", weft.report(both[1]).problems, [])


def check_merge(place):
    words = ["--count", "60", "--seed", "2", "--shard-rows", "10", "--format", "parquet"]
    parts = [os.path.join(place, f"part{i}") for i in (1, 2)]
    for i, part in enumerate(parts, 1):
        generate(part, *words, "--shard", f"{i}/2")
    generate(os.path.join(place, "one"), *words)
    expect("merge", run("merge", *parts, "--output", os.path.join(place, "merged"), "--quiet")[0], 0)
    expect("merge: the bytes of one run", contents(os.path.join(place, "merged")) == contents(os.path.join(place, "one")), True)


def check_collected(place):
    """Found kernels: the rows are those of lines, and the card's pattern is theirs."""
    project = os.path.join(data_env.REPO, "tests", "collect", "project")
    folders = [os.path.join(place, f"found {form}") for form in ("jsonl", "parquet")]
    for folder in folders:
        run("collect", project, "--no-verify", "-q", "--format", folder.split()[-1], "--output", folder)
    expect("collected: the lines", lines(folders[1]) == lines(folders[0]), True)
    expect("collected: validate", weft.validate(folders[1]).problems, [])
    with open(os.path.join(folders[1], "README.md"), encoding="utf-8") as card:
        expect("collected: card", "path: data/train-*.parquet" in card.read(), True)


def check_damage(place):
    """Each kind is found at its file."""
    (path, *_) = sorted(glob.glob(os.path.join(place, "pairs parquet", "data", "*")))
    with open(path, "rb") as stream:
        good = stream.read()
    kinds = {
        "cut": good[: len(good) // 2],
        "no end": good[:-10],
        "a bit": good[: len(good) // 3] + bytes([good[len(good) // 3] ^ 1]) + good[len(good) // 3 + 1 :],
        "no Parquet": b"garbage\n",
        "empty": b"",
    }
    for name, data in kinds.items():
        file = os.path.join(place, "damaged.parquet")
        with open(file, "wb") as stream:
            stream.write(data)
        found = weft.validate(file)
        expect(f"damaged, {name}: found", [problem.file for problem in found.problems][:1], [file])
        expect(f"damaged, {name}: weft stats", len(weft.stats(file)["damaged"]) > 0, True)
    changed = os.path.join(place, "changed")
    shutil.copytree(os.path.join(place, "pairs parquet"), changed)
    table = pq.read_table(path)
    pq.write_table(table.slice(1), os.path.join(changed, "data", os.path.basename(path)))
    expect("a row is missing", weft.validate(changed).problems != [], True)
    strange = os.path.join(place, "strange.parquet")
    pq.write_table(table.rename_columns(["id", "source", *table.column_names[2:]]), strange)
    expect("a column of another name", weft.validate(strange).problems != [], True)


def script(place, name, text):
    path = os.path.join(place, name)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(f"#!/bin/sh\n{text}\n")
    os.chmod(path, 0o755)
    return path


def check_missing(place):
    """Without a Python that can, the sentence says what to do; after a failure nothing is left."""
    ready, folder = os.path.join(place, "pairs parquet"), os.path.join(place, "none")
    words = ["generate", "--count", "30", "--format", "parquet", "--output"]
    status, _, said = run(*words, folder, WEFT_PYTHON="")
    expect("generate without Python", (status, NEEDS in said, os.path.exists(folder)), (2, True, False))
    bare = script(place, "bare", f'exec {sys.executable} -S "$@"')
    for name, python in (("no Python", ""), ("no such Python", "/no/such/python"), ("no pyarrow", bare)):
        status, _, said = run("validate", ready, WEFT_PYTHON=python)
        expect(f"validate, {name}", (status, NEEDS in said, "train-00000-of-00002.parquet" in said), (3, True, True))
    pythons = {
        "no pyarrow": (bare, NEEDS),
        "a full disk": (script(place, "full", f'exec {sys.executable} "$@" > /dev/full'), "No space left on device"),
        "a process that is killed": (script(place, "killed", "head -c 100000 > /dev/null; kill -9 $$"), "Input/output error"),
    }
    for name, (python, why) in pythons.items():
        folder = os.path.join(place, name)
        status, _, said = run(*words, folder, WEFT_PYTHON=python)
        expect(f"generate, {name}", (status, why in said, "train-00000-of-00001.parquet" in said), (3, True, True))
        expect(f"generate, {name}: no shard", os.listdir(os.path.join(folder, "data")), [])
    for more, why in ((["--compress", "zstd"], "no --compress"), (["--output", "-"], "wants a folder")):
        status, _, said = run(*words, os.path.join(place, "none"), *more[-2:])
        expect(f"--format parquet with {more[0]}", (status, why in said), (2, True))


def check_kills(place, kills, seed):
    """Killed at random moments, resumed, and in the end the bytes of an undisturbed run."""
    words = ["--count", "90", "--seed", "8", "--shard-rows", "15", "--no-verify", "--format", "parquet"]
    whole, folder, rng = os.path.join(place, "whole"), os.path.join(place, "stopped"), random.Random(seed)
    generate(whole, *words)
    wanted = contents(whole)
    for i in range(kills):
        if i % 4 == 0:
            shutil.rmtree(folder, ignore_errors=True)
        running = subprocess.Popen([WEFT, "generate", "--quiet", "--resume", "--output", folder, *words], stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.05, 1.2))
        running.send_signal(signal.SIGKILL if i % 3 else signal.SIGINT)
        running.wait()
        shards = {name: data for name, data in contents(folder).items() if name.endswith(".parquet")}
        wrong = [name for name, data in shards.items() if data != wanted.get(name)]
        expect(f"kill {i}: {len(shards)} whole shards", wrong, [])
    generate(folder, *words, "--resume")
    expect("killed and resumed: the same bytes", contents(folder) == wanted, True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("library")
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        check_rows(place)
        check_commands(place)
        check_merge(place)
        check_collected(place)
        check_damage(place)
        check_missing(place)
        check_kills(place, args.kills, args.seed)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
