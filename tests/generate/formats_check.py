#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packed shards, splits, conversations and repair pairs: what they consist of, that `weft validate`
finds nothing in them, and that it finds what is damaged.

usage: formats_check.py WEFT [--one-in N [--seed S]]
"""

import collections
import gzip
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

from data_set import SHARD, generate, validate

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

WEFT = ""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def split(*args):
    return subprocess.run([WEFT, "split", *args], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


def rows_of(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")
    with opened as stream:
        return [json.loads(line) for line in stream]


def write_rows(path, rows):
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def make(self, name, *args):
        generate(WEFT, self.path(name), *args)
        return self.path(name, SHARD)

    def must_be_clean(self, *names):
        for name in names:
            done = validate(WEFT, self.path(name))
            self.assertEqual(done.returncode, 0, done.stdout.decode() + done.stderr.decode())

    def must_find(self, row, *checks):
        """A file with this row alone is not clean, for one of these reasons."""
        write_rows(self.path("damaged.jsonl"), [row])
        done = validate(WEFT, "--json", self.path("damaged.jsonl"))
        told = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1, f"nothing is found; {checks} was damaged")
        self.assertTrue(set(checks) & {bad["check"] for bad in told["bad"]}, told["bad"])


class Packed(Case):
    def test_gzip_holds_the_plain_lines(self):
        plain = self.make("plain", "--count", "24")
        packed = self.make("packed", "--count", "24", "--compress", "gzip") + ".gz"
        again = self.make("again", "--count", "24", "--compress", "gzip", "--jobs", "1") + ".gz"
        with open(plain, "rb") as a, gzip.open(packed, "rb") as b:
            self.assertEqual(a.read(), b.read())
        with open(packed, "rb") as a, open(again, "rb") as b:
            data = a.read()
            self.assertEqual(data, b.read())
        self.assertEqual(data[4:8], b"\0\0\0\0", "the header bears a time")
        self.must_be_clean("packed")

    def test_gzip_that_breaks_off_is_found(self):
        path = self.make("packed", "--count", "24", "--compress", "gzip") + ".gz"
        with open(path, "rb+") as stream:
            stream.truncate(os.path.getsize(path) - 9)
        done = validate(WEFT, "--json", self.path("packed"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("breaks off", done.stdout.decode())

    def test_members_in_a_row_are_one_file(self):
        path = self.make("packed", "--count", "12", "--compress", "gzip") + ".gz"
        with open(path, "rb") as stream, open(self.path("two.jsonl.gz"), "wb") as two:
            two.write(stream.read() * 2)
        told = json.loads(validate(WEFT, "--json", "--checks", "schema", self.path("two.jsonl.gz")).stdout)
        self.assertEqual((told["records"], told["ok"]), (24, 24))


class Split(Case):
    def parts(self, name):
        """{split: rows}"""
        data = self.path(name, "data")
        found = collections.defaultdict(list)
        for file in sorted(os.listdir(data)):
            found[file.split("-")[0]] += rows_of(os.path.join(data, file))
        return found

    def homes(self, name):
        return {row["id"]: part for part, rows in self.parts(name).items() for row in rows}

    def split(self, name, source, *args):
        done = split(source, "--output", self.path(name), *(args or ("--ratios", "70,20,10")))
        self.assertEqual(done.returncode, 0, done.stderr.decode())

    def test_families_stay_together_and_nothing_is_lost(self):
        rows = rows_of(self.make("set", "--count", "360"))
        self.split("split", self.path("set"))
        parts = self.parts("split")
        self.assertEqual(set(parts), {"train", "validation", "test"})
        everything = [row for part in parts.values() for row in part]
        self.assertEqual(sorted(map(json.dumps, everything)), sorted(map(json.dumps, rows)))
        homes = collections.defaultdict(set)
        for part, inside in parts.items():
            for row in inside:
                homes[row["metadata"]["family"]].add(part)
        self.assertTrue(all(len(where) == 1 for where in homes.values()))
        self.assertAlmostEqual(len(parts["train"]) / len(rows), 0.7, delta=0.12)
        self.must_be_clean("split")

    def test_order_growth_and_a_missing_family_move_nothing(self):
        rows = rows_of(self.make("set", "--count", "240"))
        self.split("whole", self.path("set"))
        homes = self.homes("whole")
        random.Random(7).shuffle(rows)
        write_rows(self.path("shuffled.jsonl"), rows)
        for row in rows:
            del row["metadata"]["family"]
        write_rows(self.path("nameless.jsonl"), rows[:100])
        self.split("shuffled", self.path("shuffled.jsonl"))
        self.assertEqual(self.homes("shuffled"), homes)
        self.split("nameless", self.path("nameless.jsonl"))
        for name, part in self.homes("nameless").items():
            self.assertEqual(homes[name], part)

    def test_layout(self):
        self.make("set", "--count", "120")
        self.split("two", self.path("set"), "--ratios", "50,50", "--compress", "gzip", "--shard-rows", "20")
        files = sorted(os.listdir(self.path("two", "data")))
        for part in ("train", "test"):
            n = sum(file.startswith(part) for file in files)
            self.assertGreater(n, 1)
            for i in range(n):
                self.assertIn(f"{part}-{i:05}-of-{n:05}.jsonl.gz", files)
        with open(self.path("two", "README.md"), encoding="utf-8") as card:
            front, body = card.read().split("---\n", 2)[1:]
        for words in ("## Fields\n", "| `python_source` |", "## Known limits\n", "## Licence\n"):
            self.assertEqual(body.count(words), 1, words)
        self.assertEqual(
            re.findall(r"split: (\w+)\n    path: (\S+)", front),
            [("train", "data/train-*.jsonl.gz"), ("test", "data/test-*.jsonl.gz")],
        )
        self.assertIn("\n  - name: python_source\n    dtype: string\n", front)
        self.must_be_clean("two")
        self.split("again", self.path("two"), "--ratios", "50,50", "--compress", "gzip", "--shard-rows", "20")
        for file in files:
            with open(self.path("two", "data", file), "rb") as a, open(self.path("again", "data", file), "rb") as b:
                self.assertEqual(a.read(), b.read(), "a split of a split is another one")

    def test_files_and_several_sets(self):
        self.make("one", "--count", "24", "--format", "files")
        self.make("other", "--count", "24", "--seed", "5")
        done = split(self.path("one"), self.path("other"), "--ratios", "60,40", "--output", self.path("both"))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(len(self.homes("both")), 48)
        self.must_be_clean("both")

    def test_a_record_in_the_wrong_part_is_found(self):
        self.make("set", "--count", "60")
        self.split("split", self.path("set"), "--ratios", "50,50")
        train, test = (self.path("split", "data", f"{part}-00000-of-00001.jsonl") for part in ("train", "test"))
        rows = rows_of(train)
        write_rows(train, rows[1:])
        write_rows(test, rows[:1] + rows_of(test))
        told = json.loads(validate(WEFT, "--json", self.path("split")).stdout)
        self.assertIn("its family belongs to the split train", {bad["reason"] for bad in told["bad"]})

    def test_refusals(self):
        self.make("set", "--count", "12")
        os.makedirs(self.path("full", "data"))
        ratios = ("--ratios", "90,10")
        self.assertEqual(split(self.path("set"), *ratios, "--output", self.path("full")).returncode, 2)
        self.assertEqual(split(self.path("absent"), *ratios, "--output", self.path("new")).returncode, 3)
        with open(self.path("other.jsonl"), "w") as stream:
            stream.write('{"text": "x"}\n')
        self.assertEqual(split(self.path("other.jsonl"), *ratios, "--output", self.path("new")).returncode, 1)
        self.assertFalse(os.path.exists(self.path("new", "data")), "a failure left something")


NEWLINES = ["\n" * n for n in range(6)]  # that a conversation leaves out at the ends of a text


class Messages(Case):
    def blocks(self, row):
        return [found for turn in row["messages"] for found in BLOCK.findall(turn["content"])]

    def test_conversations(self):
        rows = rows_of(self.make("set", "--count", "300", "--device", "both", "--style", "messages"))
        self.must_be_clean("set")
        tasks = collections.Counter(row["task"] for row in rows)
        self.assertEqual(set(tasks.values()), {60})
        questions = set()
        for row in rows:
            self.assertEqual(list(row), ["id", "messages", "task", "metadata"])
            roles = [turn["role"] for turn in row["messages"]]
            self.assertEqual(roles[-2:], ["user", "assistant"])
            self.assertIn(roles[:-2], ([], ["system"]))
            sums = set(row["metadata"]["sha256"].values())
            for _, text in self.blocks(row):
                self.assertFalse(text.startswith("\n") or text.endswith("\n\n"))
                if row["task"] == "cuda-to-python" and "__global__" in text:
                    self.assertNotRegex(text, r"<L \d+>")  # the source
                else:
                    self.assertTrue(any(digest(before + text + after) in sums for before in NEWLINES for after in NEWLINES), text[:99])
            question = BLOCK.sub("", row["messages"][-2]["content"])
            questions.add(question.replace(row["metadata"]["kernel_name"], "K"))
        self.assertGreater(len(questions), 120, "the instructions vary little")
        self.assertFalse([q for q in questions if "{" in q or ",?" in q or "??" in q])

    def test_tasks(self):
        for device in ("cpu", "cuda"):
            rows = rows_of(self.make(device, "--count", "48", "--device", device, "--style", "messages"))
            self.assertEqual(any(row["task"] == "cuda-to-python" for row in rows), device == "cuda")
            self.assertFalse(any(row["task"] == "cpu-to-cuda" for row in rows))
        args = ("--count", "24", "--style", "messages", "--tasks", "backward,forward", "--compress", "gzip")
        rows = rows_of(self.make("two", *args) + ".gz")
        self.assertEqual({row["task"] for row in rows}, {"forward", "backward"})
        self.make("forward", "--count", "24", "--style", "messages", "--no-backward", "--format", "files")
        self.must_be_clean("cpu", "cuda", "two", "forward")

    def test_damage(self):
        path = self.make("set", "--count", "60", "--device", "both", "--style", "messages")
        done = set()
        for row in rows_of(path):
            if row["task"] in done:
                continue
            done.add(row["task"])
            text = json.dumps(row)
            words = json.loads(text)
            words["messages"][-2]["content"] = "Well. " + words["messages"][-2]["content"]
            self.must_find(words, "text")
            code = json.loads(text)
            language, inside = self.blocks(row)[-1]
            where = inside.rindex("=")
            changed = inside[:where] + "= 1 +" + inside[where + 1 :]
            code["messages"][-1]["content"] = code["messages"][-1]["content"].replace(inside, changed)
            self.must_find(code, *(("hash", "source") if language == "python" else ("text",)))
            sums = code["metadata"]["sha256"]
            if language == "python":
                sums["python_source"] = digest(changed)
                self.must_find(code, "hash", "source")
            else:
                sums["cuda_ir_forward"] = sums["cuda_ir_forward"][::-1]
                self.must_find(code, "hash")
            bare = json.loads(text)
            bare["messages"][-1]["content"] = "Sorry."
            self.must_find(bare, "schema")
            turned = json.loads(text)
            turned["messages"].reverse()
            self.must_find(turned, "schema")
            other = json.loads(text)
            other["task"] = "both" if row["task"] != "both" else "forward"
            self.must_find(other, "schema")
        self.assertEqual(len(done), 5)


class Repair(Case):
    def test_pairs(self):
        rows = rows_of(self.make("set", "--count", "336", "--task", "repair"))
        self.must_be_clean("set")
        kinds = collections.Counter(row["defect"] for row in rows)
        self.assertGreaterEqual(len(kinds), 14)
        self.assertGreaterEqual(min(kinds.values()), 12)
        self.assertLessEqual(max(kinds.values()), 36)
        for row in rows[::8]:
            self.assertNotEqual(row["broken_source"], row["python_source"])
            name = row["metadata"]["kernel_name"] + ".py"
            for key, text in (("broken_source", row["diagnostic"]), ("python_source", "")):
                with open(self.path(name), "w") as stream:
                    stream.write(row[key])
                run = row["defect"] in ("race", "out-of-bounds")
                done = subprocess.run([WEFT, "check", "--quiet", name], cwd=self.folder, capture_output=True)
                self.assertEqual(done.stderr.decode(), "" if run else text)

    def test_conversations(self):
        rows = rows_of(self.make("set", "--count", "84", "--task", "repair", "--style", "messages"))
        self.must_be_clean("set")
        for row in rows:
            self.assertEqual(list(row), ["id", "messages", "task", "defect", "metadata"])
            found = [found for turn in row["messages"] for found in BLOCK.findall(turn["content"])]
            self.assertEqual([language for language, _ in found], ["python", "text", "python"])
            self.assertEqual(digest(found[2][1]), row["metadata"]["sha256"]["python_source"])

    def test_damage(self):
        done = set()
        for row in rows_of(self.make("set", "--count", "168", "--task", "repair")):
            kind = row["defect"]
            if kind in done:
                continue
            done.add(kind)
            check = "execution" if kind in ("race", "out-of-bounds") else "source"
            for key, value in (
                ("diagnostic", row["diagnostic"] + "x"),
                ("broken_source", row["python_source"]),
                ("broken_source", "# nothing\n"),
            ):
                self.must_find({**row, key: value}, check)
            self.must_find({**row, "defect": "bad-luck"}, "schema")
            self.must_find({key: value for key, value in row.items() if key != "diagnostic"}, "schema")
        self.assertGreaterEqual(len(done), 14)


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    part.main(part.take(sys.argv))
