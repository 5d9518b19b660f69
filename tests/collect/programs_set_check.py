#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft collect --format standalone: found kernels as a set of programs, which other commands take; what has no
program is listed. And --resume, which goes by all options that the bytes depend on.

usage: programs_set_check.py WEFT
"""

import glob
import json
import os
import subprocess
import sys
import unittest

import collect_check
from collect_check import KERNEL, Collected, files, lines, read, run, weft, write

RUN = KERNEL.replace("def twice", "def run").replace("2.0 *", "1.0 +")


class Programs(Collected):
    def programs(self, folder, split="train"):
        return sorted(glob.glob(f"{folder}/{split}/*/"))

    def test_a_program_for_each_record(self):
        write(f"{self.project}/target.py", RUN)
        out, _ = self.collect("--format", "standalone", "--cpu-shim", self.project)
        found = [json.loads(read(f"{folder}metadata.json")) for folder in self.programs(out)]
        pairs, _ = self.collect("--device", "cuda", self.project, name="pairs")
        of_pairs = {r["id"]: r["metadata"] for r in collect_check.records(pairs)}
        none = {s["kernel"]: s["why"] for s in lines(f"{out}/skipped.jsonl") if s["reason"] == "no program without Warp"}
        self.assertEqual(none, {"run": "its name is a target of every program's Makefile",
                                "weighs_cells": "the parameters of 'weighs_cells' cannot be filled by a program of its own"})
        self.assertEqual(set(of_pairs) - {r["id"] for r in found}, {i for i, m in of_pairs.items() if m["kernel_name"] in none})
        for r in found:
            for name in ("provenance", "verification", "structure", "arguments", "origin"):
                self.assertEqual(r["metadata"][name], of_pairs[r["id"]][name])
        weft("validate", out)
        folder = next(f for f, r in zip(self.programs(out), found) if r["standalone"]["expected_values"])
        subprocess.run(["make", "-s", "-C", folder, "cpu"], check=True)
        (program,) = glob.glob(f"{folder}*_cpu")
        self.assertIn("PASS", subprocess.run([program], capture_output=True, text=True, check=True).stdout)
        self.assertIn(f"\n| project |  | MIT | {len(found)} |\n", read(f"{out}/README.md"))
        divided = f"{self.temporary.name}/divided"
        weft("split", "--ratios", "60,40", "--output", divided, out)
        weft("validate", divided)
        self.assertEqual(len(self.programs(divided)) + len(self.programs(divided, "test")), len(found))
        made, both = f"{self.temporary.name}/made", f"{self.temporary.name}/both"
        weft("generate", "--format", "standalone", "--count", "4", "--no-backward", "-q", "--output", made)
        weft("merge", "--output", both, out, made)
        self.assertEqual(len(self.programs(both)), len(found) + 4)
        weft("validate", both)
        (text,) = glob.glob(f"{folder}*.cu")
        write(text, read(text).replace("int i =", "int  i =", 1))
        self.assertIn("its SHA-256 is not what metadata.json says", weft("validate", out, code=1))

    def test_bytes(self):
        """Without a proof, without gradients, for any number of threads."""
        one, _ = self.collect("--format", "standalone", "--jobs", "1", self.project, name="one")
        two, _ = self.collect("--format", "standalone", "--jobs", "2", self.project, name="two")
        self.assertEqual(files(one), files(two))
        self.assertEqual(sorted(os.listdir(self.temporary.name)), ["one", "project", "two"])
        for option in ("--no-verify", "--no-backward"):
            out, _ = self.collect("--format", "standalone", option, self.project, name=option)
            weft("validate", out)

    def test_options_that_do_not_go_with_it(self):
        for more, words in ((("--device", "cpu"), "is CUDA"), (("--compress", "zstd"), "shards"), (("--style", "messages"), "--style")):
            said = run("collect", self.project, "--format", "standalone", *more, "--output", f"{self.temporary.name}/no", code=2)
            self.assertIn(words, said.stderr)


class Resume(Collected):
    def test_complete_set_of_other_options(self):
        """What the command says is what the bytes depend on: another one does not find its set complete."""
        write(f"{self.project}/known.py", KERNEL)
        sets = ([], ["--compress", "zstd"], ["--shard-rows", "5"], ["--exclude", f"{self.project}/known.py"],
                ["--warp", "1.18"], ["--style", "messages"], ["--format", "standalone"])
        for i, options in enumerate(sets):
            out = f"{self.temporary.name}/{i}"
            weft("collect", self.project, "--no-verify", "-q", *options, "--output", out)
            for k, other in enumerate(sets):
                again = ("collect", self.project, "--no-verify", *other, "--resume", "--output", out)
                if k == i:
                    self.assertIn("is complete: nothing to do", weft(*again))
                else:
                    self.assertIn("another command", run(*again, code=2).stderr)


if __name__ == "__main__":
    collect_check.WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
