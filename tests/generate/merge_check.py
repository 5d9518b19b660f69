#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parts made by real processes, joined, are byte for byte what one process makes.

usage: merge_check.py WEFT [--one-in N [--seed S]]
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

WEFT = ""
# Few lines, so that parts share structures; shards that do not end where parts do.
RUN = ("--count", "1500", "--seed", "8", "--max-lines", "4", "--shard-rows", "400", "--categories", "arithmetic,atomic")


def weft(*args, code=0):
    done = subprocess.run([WEFT, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != code:
        raise AssertionError(f"{args}: {done.returncode}\n{done.stderr}")
    return done.stderr


class Merge(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, name):
        return os.path.join(self.temporary.name, name)

    def make(self, n, *more):
        """The folders of n parts, made by processes at the same time."""
        folders = [self.path(f"part{i}") for i in range(1, n + 1)]
        made = [
            subprocess.Popen([WEFT, "generate", "--kind", "exercise", *RUN, *more, "--shard", f"{i}/{n}", "--jobs", "1", "-q", "-o", f])
            for i, f in enumerate(folders, 1)
        ]
        self.assertEqual([process.wait() for process in made], [0] * n)
        return folders

    def compare(self, n, *more):
        folders = self.make(n, *more)
        weft("generate", "--kind", "exercise", *RUN, *more, "-q", "-o", self.path("one"))
        told = weft("merge", *reversed(folders), "--memory", "0", "-o", self.path("merged"))
        subprocess.run(["diff", "-r", self.path("one"), self.path("merged")], check=True)
        if n > 1:
            again = weft("merge", *folders, "-o", self.path("merged"))
            self.assertRegex(again, rf"\d+ pairs of {n} parts: {self.path('merged')} has them already\n")
        return told

    def test_one_part(self):
        self.compare(1, "--no-verify")

    def test_two_parts_verified(self):
        self.assertNotIn(" 0 made anew", self.compare(2))

    def test_three_parts_packed(self):
        self.compare(3, "--no-verify", "--compress", "zstd")

    def test_eight_parts(self):
        self.assertNotIn(" 0 made anew", self.compare(8, "--no-verify"))

    def test_equal_structures_kept(self):
        self.assertIn(" 0 made anew", self.compare(2, "--no-verify", "--no-dedup"))

    def test_near_ones_refused(self):
        """Samples also come back to candidates that their part refused, for one that is gone."""
        self.assertNotIn(" 0 made anew", self.compare(3, "--no-verify", "--near", "0.6"))

    def test_near_ones_refused_verified(self):
        self.assertNotIn(" 0 made anew", self.compare(2, "--near", "0.9"))

    def test_near_conversations(self):
        """Those about Warp's texts alone show no kernel."""
        self.assertNotIn(" 0 made anew", self.compare(2, "--no-verify", "--near", "0.7", "--style", "messages", "--device", "both"))

    def test_excluded(self):
        weft("generate", "--kind", "exercise", *RUN, "--no-verify", "-q", "-o", self.path("other"))
        self.compare_excluded(self.path("other"))

    def compare_excluded(self, other):
        folders = self.make(2, "--no-verify", "--exclude", other)
        weft("generate", "--kind", "exercise", *RUN, "--no-verify", "--exclude", other, "-q", "-o", self.path("one"))
        self.assertIn("--exclude", weft("merge", *folders, "-o", self.path("merged"), code=2))
        weft("merge", *folders, "--exclude", other, "-o", self.path("merged"))
        subprocess.run(["diff", "-r", self.path("one"), self.path("merged")], check=True)

    def test_refused(self):
        folders = self.make(3, "--no-verify")
        out = self.path("out")
        self.assertIn("part 2 of 3 is missing", weft("merge", folders[0], folders[2], "-o", out, code=2))
        self.assertIn("same part", weft("merge", *folders, folders[1], "-o", out, code=2))
        weft("generate", "--kind", "exercise", *RUN, "--no-verify", "--no-backward", "--shard", "2/3", "-q", "-o", self.path("else"))
        self.assertIn("another run", weft("merge", folders[0], self.path("else"), folders[2], "-o", out, code=2))
        os.mkdir(self.path("empty"))
        self.assertIn("no manifest.json", weft("merge", *folders, self.path("empty"), "-o", out, code=1))
        self.assertIn("No such file", weft("merge", *folders, self.path("nowhere"), "-o", out, code=3))
        shutil.copytree(folders[1], self.path("damaged"))
        shard = os.path.join(self.path("damaged"), "data", sorted(os.listdir(os.path.join(folders[1], "data")))[0])
        with open(shard, "r+b") as stream:
            stream.seek(20)
            stream.write(b"XX")
        self.assertIn("damaged", weft("merge", folders[0], self.path("damaged"), folders[2], "-o", out, code=1))
        manifest = os.path.join(self.path("damaged"), "manifest.json")
        with open(manifest) as stream:
            text = stream.read()
        with open(manifest, "w") as stream:
            stream.write(text.replace('"complete"', '"unfinished"'))
        self.assertIn("not finished", weft("merge", self.path("damaged"), "-o", out, code=1))
        weft("merge", code=2)
        weft("merge", folders[0], code=2)

    def test_folder_of_a_killed_run(self):
        """What a run of the same command left there is made anew."""
        folders = self.make(2, "--no-verify")
        weft("generate", "--kind", "exercise", *RUN, "--no-verify", "-q", "-o", self.path("one"))
        merged = self.path("merged")
        run = subprocess.Popen([WEFT, "generate", "--kind", "exercise", *RUN, "--no-verify", "--jobs", "1", "-q", "-o", merged])
        while run.poll() is None and not os.path.exists(os.path.join(merged, ".weft", "shard-00000.json")):
            time.sleep(0.001)
        run.kill()
        run.wait()
        weft("merge", *folders, "-o", merged)
        subprocess.run(["diff", "-r", self.path("one"), merged], check=True)

    def test_only_the_output_is_written_to(self):
        part, out = self.path("part"), self.path("out")
        weft("generate", "--kind", "exercise", "--count", "3", "--no-verify", "-q", "-o", part)
        weft("merge", part, "-o", out)
        self.assertIn("not empty", weft("merge", part, "-o", out, code=2))
        manifest = os.path.join(part, "manifest.json")
        with open(manifest) as stream:
            text = stream.read()
        with open(manifest, "w") as stream:
            stream.write(text.replace('"data/train', '"data/../../train'))
        self.assertIn("manifest.json is damaged", weft("merge", part, "-o", self.path("else"), code=1))
        with open(manifest, "w") as stream:
            stream.write(text.replace('"data/train', '"data/nothing'))
        self.assertIn("No such file", weft("merge", part, "-o", self.path("else"), code=3))
        self.assertFalse(os.path.exists(self.path("else")), "a folder that merge made is left")


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    part.main(part.take(sys.argv))
