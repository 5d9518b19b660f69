#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Near-duplicates: `weft dedup --near` finds kernels with a statement more or less, whatever their
names, and leaves others.

usage: near_check.py WEFT [--one-in N [--seed S]]
"""

import os
import re
import shutil
import subprocess
import sys
import time
import unittest

import dedup_check
from dedup_check import generate, load, records, weft

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402


def with_statement(source):
    """The kernel with one statement more at its begin, which shifts the numbers of all names."""
    start = source.index("\ndef ", source.index("@wp.kernel"))
    body = re.compile(r":(?: *#.*)?\n( +)").search(source, start)
    return source[: body.end()] + "spare = 2.0 * 3.0\n" + body.group(1) + source[body.end() :]


class Near(dedup_check.Sets):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Few lines: many samples are alike.
        cls.options = ("--count", "1200", "--seed", "8", "--categories", "arithmetic,atomic", "--max-lines", "6")
        cls.base = cls.path("base")
        generate(cls.base, *cls.options)

    def test_the_lower_the_more(self):
        near = [self.rates(self.base, "--near", t)["near_duplicates"] for t in ("1", "0.95", "0.8", "0.5")]
        self.assertEqual(near, sorted(near))
        self.assertGreater(near[2], 10)
        self.assertGreater(near[3], near[2] * 2)

    def test_one_statement_more(self):
        # Kernels of other levels: their own likes are few at 0.8.
        generate(self.path("long"), "--count", "120", "--seed", "9", "--difficulty", "4-5")
        sources = [record["python_source"] for record in records(self.path("long"))]
        rows = [{"code": code} for code in sources] + [{"code": with_statement(code)} for code in sources]
        few = self.rates(self.path("long"), "--near", "0.8")["near_duplicates"]
        rates = self.rates(self.write("more.jsonl", rows), "--near", "0.8")
        self.assertEqual((rates["duplicates"], rates["unread"]), (0, 0))
        self.assertGreaterEqual(rates["near_duplicates"] - few, 119)

    def test_what_is_left(self):
        folder = self.path("left")
        rates = self.rates(self.base, "--near", "0.8", "--output", folder)
        manifest, stats = load(folder, "manifest.json"), load(folder, "stats.json")
        self.assertEqual(manifest["command"], "weft dedup --near 0.8")
        self.assertEqual(manifest["rows"], 1200 - rates["near_duplicates"])
        self.assertEqual(stats["dedup"], rates)
        self.assertEqual(self.rates(folder, "--near", "0.80")["near_duplicates"], 0)
        said = weft("validate", folder, "--checks", "schema,hash,duplicates").stdout
        self.assertIn(f"{manifest['rows']} records", said)

    def test_generated(self):
        folder = self.path("made")
        options = (*self.options, "--near", "0.8", "--shard-rows", "500")
        generate(folder, *options, "--jobs", "1")
        generate(self.path("threads"), *options, "--jobs", "3")
        self.same(folder, self.path("threads"))
        self.assertEqual(self.rates(folder, "--near", "0.8")["near_duplicates"], 0)
        stats = load(folder, "stats.json")
        self.assertGreater(stats["rejected"]["near_duplicate"], 20)
        self.assertGreater(stats["near_duplicate_percent"], 1)
        self.assertIn(" --near 0.8", stats["command"])
        # A shard that is lost is made again, with what the others hold.
        for lost in (0, 1, 2):
            again = self.path(f"again{lost}")
            shutil.copytree(folder, again)
            os.remove(os.path.join(again, f"data/train-{lost:05}-of-00003.jsonl"))
            generate(again, *options, "--resume", "--jobs", "2")
            self.same(folder, again)

    def test_killed_and_resumed(self):
        self.kill_and_resume("pairs")

    def test_killed_and_resumed_without_sources(self):
        """Conversations about Warp's texts alone show no kernel."""
        self.kill_and_resume("texts", "--style", "messages", "--tasks", "cpu-to-cuda", "--device", "both")

    def kill_and_resume(self, name, *more):
        options = ("--count", "2000", "--seed", "8", "--categories", "arithmetic,atomic", "--max-lines", "6",
                   "--near", "0.8", "--shard-rows", "100", "--quiet", *more)
        generate(self.path(name), *options)
        folder = self.path(name + "-killed")
        kills = 0
        for shard in (0, 5, 10, 15):
            last = os.path.join(folder, "data", f"train-{shard:05}-of-00020.jsonl")
            run = subprocess.Popen([dedup_check.WEFT, "generate", "--kind", "exercise", "--no-verify", "--output", folder, "--resume", *options])
            while run.poll() is None and not os.path.exists(last):
                time.sleep(0.001)
            run.kill()
            kills += run.wait() != 0
        generate(folder, *options, "--resume", "--jobs", "1")
        self.same(self.path(name), folder)
        self.assertGreater(kills, 0)

    def test_conversations_are_resumed(self):
        for name, more in (("chat", ("--style", "messages")), ("repair", ("--task", "repair", "--style", "messages"))):
            options = ("--count", "120", "--seed", "8", "--near", "0.6", "--shard-rows", "40", *more)
            generate(self.path(name), *options)
            shutil.copytree(self.path(name), self.path(name + "-again"))
            os.remove(os.path.join(self.path(name + "-again"), "data/train-00002-of-00003.jsonl"))
            generate(self.path(name + "-again"), *options, "--resume")
            self.same(self.path(name), self.path(name + "-again"))

    def made(self, name, *options):
        weft("generate", "--no-verify", "--seed", "8", *options, "--output", self.path(name))
        return load(self.path(name), "manifest.json")["command"], self.rates(self.path(name), "--near", "0.9")["near_duplicates"]

    def test_what_is_refused_by_default(self):
        """Near kernels with a purpose are, up to eight for a record; exercises are not."""
        few = ("--kind", "purpose", "--categories", "nested_loop", "--difficulty", "3", "--count", "400")
        kept, nears = self.made("kept", *few, "--near", "0")
        self.assertIn(" --near 0", kept)
        self.assertGreater(nears, 40)
        usual, left = self.made("usual", *few)
        self.assertNotIn("--near", usual)
        self.assertLess(left, nears / 4)
        self.assertGreater(load(self.path("usual"), "stats.json")["rejected"]["near_duplicate"], 40)
        self.assertEqual(self.made("mixed", "--count", "400")[1], 0)
        self.made("exercises", *self.options, "--kind", "exercise", "--near", "0")
        self.same(os.path.join(self.base, "data"), os.path.join(self.path("exercises"), "data"))

    def test_refused(self):
        base = ("--count", "24", "--near", "0.9")
        self.assertIn("exclude each other", generate(self.path("no"), *base, "--no-dedup", code=2).stderr)

    def test_bad_thresholds(self):
        for t in ("0.4", "1.5", "x", "", "0.9,", "-1"):
            self.assertIn("--near wants", weft("dedup", self.base, "--near=" + t, code=2).stderr)


if __name__ == "__main__":
    dedup_check.WEFT = os.path.abspath(sys.argv.pop(1))
    part.main(part.take(sys.argv))
