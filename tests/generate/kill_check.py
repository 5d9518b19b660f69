#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs of weft generate that are killed at random moments, and go on with --resume, end in the bytes
of a run that nobody disturbed.

usage: kill_check.py WEFT [--kills 40] [--seed S] [--folder DIR]

A run is started, killed by SIGKILL after a random time, started again with --resume and another
--jobs, killed again, and so on until it ends by itself. At every stop each file that has its final
name must be that of the undisturbed run, bit for bit, so that no row is lost, double or half
written, and the manifest must name files that are there, with their size and SHA-256. Now and then
a file is damaged between two runs. At the end nothing else may be left. The suite kills 500
times, with the sanitizers 40; --kills 10000 is the full measurement.
"""

import argparse
import collections
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

COMMANDS = {
    "shards": "--count 90 --shard-rows 20 --no-verify",
    "small shards": "--count 30 --shard-rows 1 --no-verify",
    "packed by zstd": "--count 60 --shard-rows 13 --compress zstd --no-verify",
    "packed by gzip": "--count 60 --shard-rows 13 --compress gzip --no-verify",
    "a part": "--count 200 --shard 2/3 --shard-rows 16 --device both --no-verify",
    "a file each": "--count 40 --shard-rows 9 --format files --no-verify",
    "programs": "--count 30 --shard-rows 7 --format standalone --cpu-shim --no-verify",
    "verified": "--count 36 --shard-rows 10",
    "many duplicates": "--count 120 --shard-rows 17 --no-verify --categories arithmetic,atomic --difficulty 1 "
    "--min-lines 3 --max-lines 3",
}
DAMAGE = 0.08  # share of stops after which a file is damaged
SLOW = 60  # seconds that no run takes


class Wrong(Exception):
    """What a killed run left is not what it should be."""


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def contents(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as stream:
                found[os.path.relpath(path, folder)] = stream.read()
    return found


def is_hidden(name):
    return any(part.startswith(".") for part in name.split(os.sep))


class Story:
    """One data set, killed until it is done."""

    def __init__(self, weft, name, rng, good, usual):
        self.weft, self.name, self.rng, self.good, self.usual = weft, name, rng, good, usual
        self.folder = os.path.join(tempfile.mkdtemp(), "set")
        self.damaged = {}  # name -> what it holds, until it is made anew
        self.removed = set()  # names, until they are there again
        self.kills = 0

    def start(self, *more):
        command = [self.weft, "generate", "--kind", "exercise", *COMMANDS[self.name].split(), "--output", self.folder, *more]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def run_for(self, limit):
        """Exit status of a run that is killed after `limit` seconds."""
        process = self.start("--resume", "--quiet", "--jobs", str(self.rng.choice((1, 1, 2, 3))))
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            self.kills += 1
        errors = process.communicate()[1]
        if process.returncode not in (0, -signal.SIGKILL):
            raise Wrong(f"exit status {process.returncode}: {errors.decode()[-400:]}")
        return process.returncode

    def check_manifest(self, now):
        told = json.loads(now["manifest.json"])
        if told["state"] == "complete" and now["manifest.json"] != self.good["manifest.json"]:
            raise Wrong("another manifest of a complete set")
        for shard in told["shards"]:
            name = shard["file"]
            if name in self.damaged or name in self.removed or not name.startswith("data/"):
                continue
            if name not in now or len(now[name]) != shard["bytes"] or sha256(now[name]) != shard["sha256"]:
                raise Wrong(f"the manifest names {name}, and it is not whole")

    def check_stop(self):
        """What is there at a stop is right, though not all is there."""
        now = contents(self.folder) if os.path.isdir(self.folder) else {}
        for name, data in now.items():
            if is_hidden(name) or name == "manifest.json":
                continue
            if data != self.good.get(name) and data != self.damaged.get(name):
                raise Wrong(f"{name} is not that of an undisturbed run")
            if data == self.good.get(name):
                self.damaged.pop(name, None)
                self.removed.discard(name)
        if "manifest.json" in now:
            self.check_manifest(now)

    def damage(self):
        """Changes, cuts or removes a file of the unfinished run."""
        kept = ("manifest.json", ".part", "lock")
        now = [name for name in contents(self.folder) if not name.endswith(kept)]
        if not now:
            return
        name = self.rng.choice(sorted(now))
        path = os.path.join(self.folder, name)
        with open(path, "rb") as stream:
            data = bytearray(stream.read())
        at = self.rng.randrange(len(data)) if data else 0
        how = self.rng.choice(("cut", "flip", "remove"))
        if how == "remove":
            os.unlink(path)
            self.removed.add(name)
        else:
            data = data[:at] if how == "cut" else data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]
            with open(path, "wb") as stream:
                stream.write(data)
            self.damaged[name] = bytes(data)

    def check_end(self):
        now = contents(self.folder)
        if now != self.good:
            odd = [name for name in {*now, *self.good} if now.get(name) != self.good.get(name)]
            raise Wrong(f"ends in other files than an undisturbed run: {sorted(odd)[:5]}")

    def is_finished(self):
        try:
            with open(os.path.join(self.folder, "manifest.json"), encoding="utf-8") as stream:
                return json.load(stream)["state"] == "complete"
        except OSError:
            return False

    def tell(self):
        while self.run_for(self.rng.uniform(0, 0.9 + self.kills / 20) * self.usual) != 0:
            self.check_stop()
            if self.rng.random() < DAMAGE and os.path.isdir(self.folder) and not self.is_finished():
                self.damage()
        self.check_end()
        shutil.rmtree(os.path.dirname(self.folder))
        return self.kills


def undisturbed(weft, name):
    """The files of a run that ends by itself, and the seconds that it takes where nothing else runs."""
    times, found = [], []
    for jobs in "112":
        with tempfile.TemporaryDirectory() as top:
            folder = os.path.join(top, "set")
            began = time.monotonic()
            command = [weft, "generate", "--kind", "exercise", *COMMANDS[name].split(), "--quiet", "--jobs", jobs, "--output", folder]
            subprocess.run(command, check=True, timeout=SLOW)
            times.append(time.monotonic() - began)
            found.append(contents(folder))
    if found[0] != found[1] or found[0] != found[2]:
        sys.exit(f"{name}: undisturbed runs differ")
    count = int(re.search(r"--count (\d+)", COMMANDS[name])[1])
    if part := re.search(r"--shard (\d+)/(\d+)", COMMANDS[name]):
        count = int(part[1]) * count // int(part[2]) - (int(part[1]) - 1) * count // int(part[2])
    told = json.loads(found[0].get("manifest.json", "{}"))
    rows, size = (sum(shard[key] for shard in told.get("shards", [])) for key in ("rows", "bytes"))
    if told.get("state") != "complete" or rows != count or not 500 * count < size < sum(map(len, found[0].values())):
        sys.exit(f"{name}: an undisturbed run makes no whole set of {count} rows: {rows} rows of {size} bytes")
    return found[0], min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--folder", help="where data sets are made; the usual folder for temporary files if not given")
    args = parser.parse_args()
    tempfile.tempdir = args.folder
    weft, rng = os.path.abspath(args.weft), random.Random(args.seed)
    print(f"seed {args.seed}", flush=True)
    runs = {name: undisturbed(weft, name) for name in COMMANDS}
    kills, stories = collections.Counter(), collections.Counter()
    while sum(kills.values()) < args.kills or len(stories) < len(COMMANDS):
        name = min(COMMANDS, key=lambda n: kills[n])
        story = Story(weft, name, rng, *runs[name])
        try:
            kills[name] += story.tell()
        except Wrong as wrong:
            sys.exit(f"{name}, after {story.kills} kills: {wrong}; see {story.folder}")
        stories[name] += 1
        if sum(stories.values()) % 200 == 0:
            print(f"{sum(kills.values())} kills, {sum(stories.values())} data sets", flush=True)
        if stories[name] > args.kills + 10:
            sys.exit(f"{name}: runs end before they can be killed")
    for name in COMMANDS:
        print(f"{name}: {kills[name]} kills, {stories[name]} data sets")
    print(f"{sum(kills.values())} kills: nothing corrupt, lost or double")


if __name__ == "__main__":
    main()
