#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft validate` finds nothing in clean data, and each kind of corruption in damaged data.

usage: validate_check.py WEFT [--agree-every N] [--one-in N [--seed S]]

The report in words is compared with the one in JSON for each kind of corruption; --agree-every N: for
each N-th, in the build with the sanitizers, which is slow to start. --one-in takes a part of the kinds of
corruption, and of the other tests.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import corruptions  # noqa: E402
import part  # noqa: E402
from data_set import SHARD, DataSet, generate, validate  # noqa: E402

WEFT = ""
AGREE_EVERY = 1
PART = part.Part()


def report(folder, *args):
    """(status, the object that --json prints)"""
    done = validate(WEFT, "--json", folder, *args)
    if done.returncode not in (0, 1):
        raise AssertionError(f"status {done.returncode}: {done.stderr[-2000:].decode(errors='replace')}")
    return done.returncode, json.loads(done.stdout.decode("utf-8"))


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def must_find(self, where, checks, ids=(), agree=True):
        """Every problem is told, by both reports, with these ids and one of these checks."""
        status, told = report(where)
        self.assertEqual(status, 1, "nothing is found")
        self.assertTrue(told["bad"])
        found = {(bad["id"], bad["check"]) for bad in told["bad"]}
        for name in ids:
            self.assertTrue(any((name, check) in found for check in checks), f"{name}: {told['bad'][:5]}")
        self.assertTrue(any(bad["check"] in checks for bad in told["bad"]), told["bad"][:5])
        self.assertEqual(sum(told["problems"].values()), len(told["bad"]))
        if agree:
            self.must_agree(where, told)
        return told["bad"]

    def must_agree(self, where, told):
        done = validate(WEFT, where)
        self.assertEqual(done.returncode, 1)
        lines = done.stdout.decode("utf-8").splitlines()
        lines = lines[: next(i for i, text in enumerate(lines) if text.startswith("check  "))]
        more = [int(found[1]) for text in lines if (found := re.search(r": (\d+) more lines? like this: ", text))]
        shown = [text for text in lines if not re.search(r": \d+ more lines? like this: ", text)]
        self.assertEqual(len(shown) + sum(more), len(told["bad"]))
        problems = iter(told["bad"])  # the lines are some of them, in their order
        for text in shown:
            self.assertTrue(any(self.is_line_of(text, bad) for bad in problems), text)

    @staticmethod
    def is_line_of(text, bad):
        place = bad["file"] + (f":{bad['line']}" if bad["line"] else "")
        return text.startswith(place + ": ") and f"{bad['check']}: " in text and (bad["id"] or "") in text


class Clean(Case):
    def must_be_clean(self, *args, count=48):
        generate(WEFT, self.path("set"), "--count", str(count), "--seed", "5", *args)
        status, told = report(self.path("set"))
        self.assertEqual((status, told["bad"]), (0, []))
        self.assertEqual((told["records"], told["ok"]), (count, count))
        done = validate(WEFT, self.path("set"))
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_both_devices(self):
        self.must_be_clean("--device", "both")

    def test_cpu(self):
        self.must_be_clean("--device", "cpu")

    def test_cuda(self):
        self.must_be_clean("--device", "cuda")

    def test_no_backward(self):
        self.must_be_clean("--device", "both", "--no-backward")

    def test_packed(self):
        self.must_be_clean("--compress", "zstd")

    def test_files(self):
        self.must_be_clean("--format", "files")

    def test_some_categories(self):
        self.must_be_clean("--categories", "loop,random_math")

    def test_a_part(self):
        generate(WEFT, self.path("set"), "--count", "100", "--shard", "2/3")
        self.assertEqual(report(self.path("set"))[0], 0)

    def test_large_seed(self):
        generate(WEFT, self.path("set"), "--count", "12", "--seed", "9223372036854775807")
        self.assertEqual(report(self.path("set"))[0], 0)

    def test_nothing(self):
        generate(WEFT, self.path("set"), "--count", "1", "--shard", "1/2")
        self.assertEqual(report(self.path("set"))[0], 0)

    def test_shard_alone_and_stream(self):
        generate(WEFT, self.path("set"), "--count", "24")
        shard = self.path("set", SHARD)
        self.assertEqual(report(shard)[0], 0)
        with open(shard, "rb") as stream:
            done = subprocess.run([WEFT, "validate", "-"], stdin=stream, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0)


class Output(Case):
    def test_order_does_not_depend_on_jobs(self):
        generate(WEFT, self.path("set"), "--count", "300", "--device", "both")
        s = DataSet(self.path("set"))
        for number in range(0, 300, 7):
            s.records[number]["metadata"]["launch"] = "n,m,p"
            s.put(number)
        s.write(self.path("set"))
        texts = {validate(WEFT, "--json", "--jobs", str(jobs), self.path("set")).stdout for jobs in (1, 2, 7)}
        self.assertEqual(len(texts), 1)

    def test_checks_are_chosen(self):
        generate(WEFT, self.path("set"), "--count", "24")
        s = DataSet(self.path("set"))
        s.records[3]["metadata"]["counts"]["branches"] = 77
        s.put(3)
        s.bring_up_to_date()
        s.write(self.path("set"))
        self.assertEqual(report(self.path("set"), "--checks", "schema,hash,text,duplicates,balance")[0], 0)
        status, told = report(self.path("set"), "--checks", "source")
        self.assertEqual((status, list(told["problems"])), (1, ["source"]))

    def test_what_cannot_be_read_is_always_told(self):
        generate(WEFT, self.path("set"), "--count", "24")
        s = DataSet(self.path("set"))
        s.lines[3] = s.lines[3][:-9]
        s.lines[4] = b"{}"
        s.write(self.path("set"))
        status, told = report(self.path("set"), "--checks", "text")
        self.assertEqual((status, [bad["line"] for bad in told["bad"]]), (1, [4, 5]))

    def test_status(self):
        self.assertEqual(validate(WEFT).returncode, 2)
        self.assertEqual(validate(WEFT, "--checks", "nonsense", self.folder).returncode, 2)
        self.assertEqual(validate(WEFT, "--checks", "", self.folder).returncode, 2)
        self.assertEqual(validate(WEFT, self.path("missing")).returncode, 3)
        self.assertEqual(validate(WEFT, self.folder).returncode, 1)  # no records

    def test_two_folders(self):
        for name in ("a", "b"):
            generate(WEFT, self.path(name), "--count", "12")
        status, told = report(self.path("a"), self.path("b"))
        self.assertEqual((status, len(told["bad"])), (1, 12))
        self.assertEqual({bad["check"] for bad in told["bad"]}, {"duplicates"})
        self.assertIn(os.path.join(self.path("a"), SHARD) + ":1", told["bad"][0]["reason"])


class Corruption(Case):
    def test_each_kind(self):
        generate(WEFT, self.path("clean"), "--count", "24", "--device", "both")
        for number, (name, ids, checks, damage) in PART.of(enumerate(corruptions.ROWS)):
            with self.subTest(name):
                s, where = DataSet(self.path("clean")), self.path(str(number))
                if damage(s) is not False:
                    s.bring_up_to_date()
                s.write(where)
                told = self.must_find(where, checks, ids, number // PART.count % AGREE_EVERY == 0)
                allowed = set(ids) | {None, corruptions.ID}
                if checks != ("schema",) or ids:
                    self.assertLessEqual({bad["id"] for bad in told if bad["check"] in checks}, allowed)
                shutil.rmtree(where)
        self.assertGreaterEqual(len(corruptions.ROWS), 50)


class Folders(Case):
    def setUp(self):
        super().setUp()
        self.set = self.path("set")

    def test_missing_shard(self):
        generate(WEFT, self.set, "--count", "24")
        os.unlink(self.path("set", SHARD))
        self.assertIn(SHARD, self.must_find(self.set, ["schema"])[0]["file"])

    def test_extra_shard(self):
        generate(WEFT, self.set, "--count", "24")
        shutil.copy(self.path("set", SHARD), self.path("set", "data", "train-00001-of-00002.jsonl"))
        told = self.must_find(self.set, ["schema"])
        self.assertIn("train-00001", told[0]["file"])
        self.must_find(self.set, ["duplicates"], ["0-000000003"])

    def test_empty_shard(self):
        generate(WEFT, self.set, "--count", "24")
        with open(self.path("set", SHARD), "wb"):
            pass
        self.must_find(self.set, ["hash"])

    def test_unreadable_companions(self):
        for name in ("manifest.json", "stats.json"):
            for content in (b"", b"{", b"[]", b"null", b"{}", b"\xff", b"[" * 100000):
                with self.subTest(name=name, content=content[:9]):
                    shutil.rmtree(self.set, ignore_errors=True)
                    generate(WEFT, self.set, "--count", "12")
                    with open(self.path("set", name), "wb") as stream:
                        stream.write(content)
                    self.assertIn(name, self.must_find(self.set, ["schema"])[0]["file"])

    def test_missing_manifest(self):
        for form in ("jsonl", "files"):
            with self.subTest(form=form):
                shutil.rmtree(self.set, ignore_errors=True)
                generate(WEFT, self.set, "--count", "12", "--format", form)
                os.unlink(self.path("set", "manifest.json"))
                self.assertIn("manifest.json", self.must_find(self.set, ["hash"])[0]["file"])

    def test_missing_statistics(self):
        generate(WEFT, self.set, "--count", "12")
        os.unlink(self.path("set", "stats.json"))
        self.assertIn("stats.json", self.must_find(self.set, ["schema"])[0]["file"])

    def damage_packed(self, change):
        generate(WEFT, self.set, "--count", "48", "--compress", "zstd")
        path = self.path("set", SHARD + ".zst")
        with open(path, "rb") as stream:
            data = stream.read()
        with open(path, "wb") as stream:
            stream.write(change(data))
        self.must_find(self.set, ["hash"])
        self.must_find(path, ["schema", "hash"])

    def test_packed_bit_flip(self):
        self.damage_packed(lambda data: data[:2000] + bytes([data[2000] ^ 16]) + data[2001:])

    def test_packed_cut(self):
        self.damage_packed(lambda data: data[: len(data) // 2])

    def test_packed_is_not(self):
        self.damage_packed(lambda data: b"{}\n")

    def test_file_renamed(self):
        generate(WEFT, self.set, "--count", "24", "--format", "files")
        os.rename(self.path("set", "loop", "0-000000002.json"), self.path("set", "loop", "0-000000099.json"))
        self.must_find(self.set, ["schema"], ["0-000000002"])

    def test_file_in_another_category(self):
        generate(WEFT, self.set, "--count", "24", "--format", "files")
        os.rename(self.path("set", "loop", "0-000000002.json"), self.path("set", "math", "0-000000002.json"))
        self.must_find(self.set, ["schema"], ["0-000000002"])

    def test_file_missing(self):
        generate(WEFT, self.set, "--count", "24", "--format", "files")
        os.unlink(self.path("set", "loop", "0-000000002.json"))
        self.assertIn("loop", self.must_find(self.set, ["schema"])[0]["file"])

    def test_file_empty(self):
        generate(WEFT, self.set, "--count", "24", "--format", "files")
        with open(self.path("set", "loop", "0-000000002.json"), "wb"):
            pass
        self.must_find(self.set, ["schema"])


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    if sys.argv[1:2] == ["--agree-every"]:
        AGREE_EVERY = int(sys.argv.pop(2))
        del sys.argv[1]
    PART = part.take(sys.argv)
    loader = part.Loader(PART, always=("test_each_kind",))
    unittest.main(testLoader=loader)
