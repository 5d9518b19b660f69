#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No two samples share a structure, nor one with what is excluded; no thread changes that.

usage: dedup_check.py WEFT
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

WEFT = ""
SHARD = "data/train-00000-of-00001.jsonl"


def weft(*args, code=0):
    done = subprocess.run([WEFT, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != code:
        raise AssertionError(f"{args}: {done.returncode}\n{done.stderr}")
    return done


def generate(folder, *args, code=0):
    return weft("generate", "--kind", "exercise", "--no-verify", "--output", folder, *args, code=code)


def load(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as stream:
        return json.load(stream)


def records(folder):
    with open(os.path.join(folder, SHARD), encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def structures(folder):
    return [record["metadata"]["structure"] for record in records(folder)]


class Sets(unittest.TestCase):
    """Folders and files for the tests of a class, and what weft dedup says of them."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.temporary.name, name)

    def write(self, name, rows):
        with open(self.path(name), "w") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)
        return self.path(name)

    def rates(self, *args):
        return json.loads(weft("dedup", "--json", *args).stdout)

    def same(self, a, b):
        subprocess.run(["diff", "-r", a, b], check=True)


class Dedup(Sets):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.base = cls.path("base")
        # Few lines: many samples have the same structure at first.
        cls.options = ("--count", "2000", "--seed", "8", "--categories", "arithmetic,atomic", "--max-lines", "4")
        generate(cls.base, *cls.options, "--jobs", "1")

    def test_no_structure_twice(self):
        self.assertEqual(len(set(structures(self.base))), 2000)
        rejected = load(self.base, "stats.json")["rejected"]
        attempts = sum(record["metadata"]["attempt"] for record in records(self.base))
        self.assertGreater(rejected["duplicate"], 50)
        self.assertEqual(rejected["all"], attempts)

    def test_a_structure_that_is_there_twice(self):
        folder = self.path("twice")
        generate(folder, *self.options, "--no-dedup")
        weft("validate", folder, "--checks", "duplicates")
        for name in ("manifest.json", "stats.json"):
            with open(os.path.join(folder, name)) as stream:
                text = stream.read()
            with open(os.path.join(folder, name), "w") as stream:
                stream.write(text.replace(" --no-dedup", ""))
        done = weft("validate", folder, "--checks", "duplicates", code=1)
        self.assertIn("the structure stands in", done.stdout + done.stderr)

    def test_a_source_may_be_there_twice(self):
        """With --no-dedup; when this was written, records 2842 and 7443 had one source."""
        folder = self.path("sources")
        generate(folder, "--categories", "arithmetic,math", "--difficulty", "1", "--count", "8000", "--no-dedup")
        weft("validate", folder, "--checks", "duplicates")

    def test_threads_change_nothing(self):
        generate(self.path("threads"), *self.options, "--jobs", "4")
        self.same(self.base, self.path("threads"))

    def test_equal_structures_may_be_kept(self):
        folder = self.path("kept")
        generate(folder, *self.options, "--no-dedup")
        self.assertLess(len(set(structures(folder))), 1980)
        self.assertEqual(load(folder, "stats.json")["rejected"]["duplicate"], 0)

    def test_valid(self):
        weft("validate", self.base, "--checks", "schema,source,duplicates")

    def test_excluded_set(self):
        folder = self.path("other")
        done = generate(folder, *self.options, "--exclude", os.path.join(self.base, "data"))
        self.assertIn("2000 structures of 2000 kernels", done.stderr)
        self.assertFalse(set(structures(folder)) & set(structures(self.base)))
        certificate = load(folder, "manifest.json")["excluded"]
        refused = load(folder, "stats.json")["rejected"]["excluded"]
        self.assertEqual(certificate["structures"], 2000)
        self.assertEqual(certificate["candidates_refused"], refused)
        self.assertGreater(refused, 500)
        self.assertIn("--exclude sha256:" + certificate["sha256"], load(folder, "manifest.json")["command"])
        generate(folder, *self.options, "--resume", "--exclude", os.path.join(self.base, "data"))
        generate(folder, *self.options, "--resume", code=2)

    def test_excluded_files(self):
        folder = self.path("files")
        deep = os.path.join(folder, "below", *["more"] * 70)
        os.makedirs(deep)
        os.mkfifo(os.path.join(deep, "pipe.py"))
        some = records(self.base)[:6]
        with open(os.path.join(folder, "a.py"), "w") as stream:
            stream.write(some[0]["python_source"] + "# the end\n")
        with open(os.path.join(deep, "b.py"), "w") as stream:
            # As in a notebook: `await` outside of a function, which Python alone does not compile.
            stream.write("import warp as wp\n" + some[1]["python_source"] + "\nawait done\n")
        with open(os.path.join(folder, "below", "c.py"), "w") as stream:
            stream.write("def broken(:\n")
        chat = [{"role": "user", "content": f"Do it:\n```python\n{some[3]['python_source']}```\nNow."}]
        with open(os.path.join(folder, "below", "d.jsonl"), "w") as stream:
            stream.write("\ufeff" + json.dumps({"code": some[2]["python_source"]}) + "\r\n")
            stream.write(json.dumps({"messages": chat}) + "\n")
            stream.write(json.dumps({"text": "@wp.kernel is a decorator", "n": [1, {"a": None}]}) + "\n")
        with open(os.path.join(folder, "below", "e.json"), "w") as stream:
            stream.write("{}\n" + json.dumps(some[4]))
        os.symlink(folder, os.path.join(folder, "below", "again"))
        out = self.path("files-out")
        done = generate(out, *self.options, "--exclude", folder)
        self.assertIn("c.py: nothing is excluded", done.stderr)
        self.assertIn("d.jsonl:3: nothing is excluded", done.stderr)
        certificate = load(out, "manifest.json")["excluded"]
        self.assertEqual((certificate["structures"], certificate["files"], certificate["not_parsed"]), (5, 5, 2))
        gone = {record["metadata"]["structure"] for record in some[:5]}
        self.assertFalse(gone & set(structures(out)))
        generate(self.path("none"), *self.options, "--exclude", self.path("missing"), code=3)


class Command(Sets):
    """weft dedup: what it leaves of sets of any kind."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.set = cls.path("set")
        generate(cls.set, "--count", "600", "--seed", "8", "--categories", "arithmetic", "--max-lines", "4", "--no-dedup", "--jobs", "1")
        cls.records = records(cls.set)

    def firsts(self):
        seen = {}
        for record in self.records:
            seen.setdefault(record["metadata"]["structure"], record)
        return list(seen.values())

    def test_the_first_stays(self):
        folder = self.path("left")
        rates = self.rates(self.set, "--output", folder, "--shard-rows", "100", "--compress", "gzip")
        left = self.firsts()
        self.assertEqual((rates["records"], rates["duplicates"]), (600, 600 - len(left)))
        self.assertGreater(rates["duplicates"], 10)
        self.assertEqual(rates["rate"], round(rates["duplicates"] / 600, 6))
        self.assertEqual(load(folder, "stats.json")["dedup"], rates)
        self.assertEqual(load(folder, "manifest.json")["rows"], len(left))
        found = []
        for shard in load(folder, "manifest.json")["shards"]:
            with gzip.open(os.path.join(folder, shard["file"]), "rt") as stream:
                found += [json.loads(line) for line in stream]
        self.assertEqual(found, left)
        weft("validate", folder, "--checks", "schema,hash,source,duplicates")
        self.assertEqual(self.rates(folder)["duplicates"], 0)
        self.assertIn("not empty", weft("dedup", self.set, "--output", folder, code=2).stderr)

    def test_a_duplicate_in_what_is_left_is_told(self):
        folder = self.path("again")
        self.rates(self.set, "--output", folder)
        shard = os.path.join(folder, SHARD)
        left = self.firsts()
        with open(shard, "a") as stream:
            stream.write(json.dumps(next(r for r in self.records if r not in left)) + "\n")
        done = weft("validate", folder, "--checks", "duplicates", code=1)
        self.assertIn("the structure stands in", done.stdout + done.stderr)

    def test_structures_that_are_not_told(self):
        want = 600 - len(self.firsts())
        for record in (bare := json.loads(json.dumps(self.records))):
            del record["metadata"]["structure"]
        self.assertEqual(self.rates(self.write("bare.jsonl", bare))["duplicates"], want)
        foreign = [{"code": record["python_source"], "n": i} for i, record in enumerate(self.records)]
        foreign = self.write("foreign.jsonl", [*foreign, {"code": "x = 1", "n": -1}])
        rates = self.rates(foreign, "--output", self.path("foreign"))
        self.assertEqual((rates["records"], rates["duplicates"], rates["unread"]), (601, want, 1))
        self.assertEqual(len(records(self.path("foreign"))), 601 - want)

    def test_conversations_and_repair_pairs(self):
        options = ("--count", "60", "--seed", "8")
        sets = []
        for name, more in (("chat", ("--style", "messages")), ("repair", ("--task", "repair")),
                           ("both", ("--task", "repair", "--style", "messages"))):
            generate(self.path(name), *options, *more)
            told = [record["metadata"]["structure"] for record in records(self.path(name))]
            for record in (bare := records(self.path(name))):
                del record["metadata"]["structure"]
            # The same kernels, told and not told: the second half is the first again.
            rates = self.rates(self.path(name), self.write(name + ".jsonl", bare))
            self.assertEqual((len(set(told)), rates["duplicates"], rates["unread"]), (60, 60, 0))
            sets.append(self.path(name))
        self.assertGreater(self.rates(*sets)["duplicates"], 30)
        done = weft("dedup", *sets, "--output", self.path("mixed"), code=1)
        self.assertIn("its keys are not those of the first record", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.path("mixed"), "data")))
        self.rates(self.path("chat"), "--output", self.path("chats"))
        weft("validate", self.path("chats"), "--checks", "schema,hash,duplicates")


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
