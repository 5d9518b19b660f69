#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft generate --kind purpose`: the same bytes with any number of threads; every style, task and
format is valid; prompts say what the kernel has and do not show it; a prompt that is changed,
missing or too many is found.

usage: purpose_check.py WEFT
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WEFT = sys.argv.pop(1)
COUNT = 120


def weft(*arguments):
    return subprocess.run([WEFT, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)


class Purpose(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.text = cls.generate("--count", COUNT)
        cls.records = [json.loads(line) for line in cls.text.splitlines()]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def generate(cls, *options):
        done = weft("generate", "--quiet", "--kind", "purpose", "--seed", "11", *options, "--output", "-")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def validate(self, *lines):
        path = self.folder / "lines.jsonl"
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        done = weft("validate", path)
        return done.returncode, done.stdout + done.stderr

    def test_same_bytes(self):
        self.assertEqual(len(self.records), COUNT)
        for jobs in ("1", "3"):
            self.assertEqual(self.generate("--count", COUNT, "--jobs", jobs), self.text)

    def test_valid(self):
        cases = ((), ("--device", "both"), ("--no-backward",), ("--style", "messages"), ("--task", "repair"), ("--style", "messages", "--task", "repair"))
        for options in cases:
            with self.subTest(options):
                code, said = self.validate(self.generate("--count", "24", *options))
                self.assertEqual(code, 0, said)

    def test_data_sets(self):
        for form in ("jsonl", "files", "standalone"):
            with self.subTest(form):
                out = self.folder / form
                done = weft("generate", "--quiet", "--kind", "purpose", "--count", "12", "--format", form, "--output", out)
                self.assertEqual(done.returncode, 0, done.stderr)
                done = weft("validate", out)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_prompts(self):
        for record in self.records:
            prompt, source = record["prompt"], record["python_source"]
            with self.subTest(prompt):
                self.assertNotRegex(prompt, r"[{}%$&]|``|  |\.\.|None|\bof each \.")
                self.assertIn(f"`{record['metadata']['kernel_name']}`", prompt)
                head = source[source.index("@wp.kernel") :]
                listed = re.findall(r"^- `(.*?)`: ", prompt, re.M)
                self.assertEqual(listed, [line.strip()[:-1] for line in head[: head.index("\n):")].splitlines()[2:]])
                body = [line.strip() for line in head[head.index("\n):") :].splitlines()]
                shown = [line for line in body if "=" in line and line in prompt]
                self.assertEqual(shown, [])  # no statement of the answer
                for function in re.findall(r"^@wp.func\ndef (\w+)", source, re.M):
                    self.assertTrue(f"`{function}`" in prompt or source.count(function) > 1)
        self.assertNotRegex("".join(r["python_source"] for r in self.records), r"\{|\}")

    def test_plain_cuda(self):
        for record in self.records:
            with self.subTest(record["id"]):
                self.assertIn(f"__global__ void {record['metadata']['kernel_name']}(", record["cuda_source"])
                self.assertNotIn("wp::", record["cuda_source"])

    def test_damage(self):
        good = self.records[0]
        self.assertEqual(self.validate(good)[0], 0)
        other = {key: value for key, value in good.items() if key != "prompt"}
        code, said = self.validate(other)
        self.assertEqual(code, 1)
        self.assertIn("prompt is missing", said)
        code, said = self.validate({**good, "prompt": good["prompt"].replace("launched", "started")})
        self.assertEqual(code, 1)
        self.assertIn("prompt", said)
        code, said = self.validate({**good, "cuda_source": good["cuda_source"].replace("__global__", "static")})
        self.assertEqual(code, 1)
        self.assertIn("cuda_source", said)
        exercise = json.loads(weft("generate", "--quiet", "--count", "1", "--output", "-").stdout)
        code, said = self.validate({"id": exercise["id"], "prompt": "Write it.", **exercise})
        self.assertEqual(code, 1)
        self.assertIn("not composed", said)


if __name__ == "__main__":
    unittest.main()
