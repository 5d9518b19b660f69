#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package: what objects show, the fields of records as types, and data sets counted, shown,
divided and joined with the results of the program. Needs nothing but Python.

usage: sets_check.py WEFT LIBRARY [unittest's arguments]
"""

import html.parser
import inspect
import json
import os
import pathlib
import pickle
import re
import sys
import tempfile
import typing
import unittest
import unittest.mock

import package_env
from package_env import REPO, generated, program

import weft

SCALE = pathlib.Path(REPO, "docs/scale.py")
FIELD = re.compile(r'^FIELD\(\w+, (\d), "(\w+)", (\w+), ([^,]+), ', re.M)
TYPES = {"STRING": str, "INT": int, "SIGNED": int, "FLOAT": typing.Optional[float], "NAMES": typing.List[str]}


class Page(html.parser.HTMLParser):
    """Tags that are closed in order, and the text between them."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.tags = [], [], set()
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.append(data)


class Shown(unittest.TestCase):
    """No repr is longer than a line of a terminal or two, whatever the object holds."""

    def shows(self, value, text, *parts):
        self.assertEqual(repr(value), text)
        self.assertEqual(str(value), text)
        page = Page(value._repr_html_())
        for part in parts:
            self.assertIn(part, page.texts)
        self.assertLessEqual(page.tags, {"div", "p", "table", "tr", "th", "td", "pre", "iframe"})

    def test_kernels(self):
        text = SCALE.read_text().replace("x[i] * s", "x[i] * s if s < 2.0 else s  # <b>&")
        text += "\n\n@wp.kernel\ndef other(\n    x: wp.array(dtype=float),\n):\n    x[0] = 1.0\n\n\nLAST = 1\n"
        scale, other = weft.compile(text)
        sizes = f"cpu {len(scale.cpu):,} characters, cuda {len(scale.cuda):,} characters"
        source = scale.source
        self.assertTrue(source.startswith("@wp.kernel\ndef scale(") and source.endswith("# <b>&\n"))
        self.assertEqual(other.source.splitlines()[-1], "    x[0] = 1.0")
        self.shows(scale, f"<Kernel scale, kernel.py:{scale.line}: {sizes}>", source.strip("\n"), scale.cuda.strip("\n"))
        (cpu,) = weft.compile(SCALE, device="cpu")
        self.assertIn(cpu.cpu.strip("\n"), Page(cpu._repr_html_()).texts)
        self.assertEqual(cpu.source, SCALE.read_text()[SCALE.read_text().index("@wp") :])
        bad, _ = weft.compile(text.replace("* s if", "* t if"), keep_errors=True)
        self.shows(bad, f"<Kernel scale, kernel.py:{bad.line}: {bad.error}>", str(bad.error))
        factory = "import warp as wp\ndef make(n):\n    @wp.kernel\n    def k(x: wp.array(dtype=float)):\n        x[0] = float(n)\n    return k\nf = make(2)\n"
        (inner,) = weft.compile(factory)
        self.assertEqual(inner.source.splitlines()[0::2], ["    @wp.kernel", "        x[0] = float(n)"])
        (second,) = weft.compile("def scale():\n    return 1\n\n" + SCALE.read_text())
        self.assertEqual(second.source, cpu.source)

    def test_records(self):
        records = weft.generate(2, seed=5)
        self.assertEqual(repr(records), "<Records: 0 of 2 records of seed 5 taken>")
        record = next(records)
        self.assertEqual(repr(records), "<Records: 1 of 2 records of seed 5 taken>")
        about = record["metadata"]
        words = f"{about['category']}, cuda, {about['verification']['status']}"
        self.shows(record, f"<Record {record['id']}: {about['kernel_name']}, {words}>", record["python_source"].strip("\n"),
                   record["cuda_ir_forward"].strip("\n"))
        self.assertEqual(pickle.loads(pickle.dumps(record)), record)
        self.assertEqual(json.loads(json.dumps(record)), dict(record))
        for record in weft.generate(3, style="messages"):
            texts = [message["content"].strip("\n") for message in record["messages"]]
            self.assertIn(record["task"], repr(record))
            self.assertLessEqual(set(texts), set(Page(record._repr_html_()).texts))
        (record,) = weft.generate(1, task="repair")
        self.assertIn(record["broken_source"].strip("\n"), Page(record._repr_html_()).texts)
        for damaged in ({}, {"id": 1}, {"metadata": {}}, {"messages": [], "metadata": {"verification": None}}):
            with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as stream:
                print(json.dumps(damaged), file=stream, flush=True)
                (found,) = weft.read_records(stream.name)
                self.assertEqual(found, damaged)
                self.assertTrue(repr(found))
                Page(found._repr_html_())

    def test_results(self):
        found = weft.validate([{"id": "<b>"}], checks="schema")
        self.shows(found, f"<Validation: 1 records, 0 good, {len(found.problems)} problems>", "<b>")
        path = pathlib.Path(REPO, "tests/cases/ptx/axpy.ptx")
        ptx = weft.ptx_statistics(path)
        self.assertEqual(repr(ptx), f"<Ptx {ptx.version} for {ptx.target}: {len(ptx.text):,} characters; kernels: axpy>")


def fields_of_program():
    """{path: type} of the fields of records, from the table that the program is made of."""
    with open(os.path.join(REPO, "src/record/record_field.def"), encoding="utf-8") as stream:
        rows = FIELD.findall(stream.read())
    path, found = [], {}
    for depth, name, kind, when in rows:
        path = [*path[: int(depth)], name]
        if "PROGRAM" not in when and path[:2] != ["metadata", "ptx"]:
            found[".".join(path)] = TYPES.get(kind, kind)
    return found


def fields_of_types(kind, prefix=""):
    """The same of the TypedDicts."""
    found = {}
    for name, hint in typing.get_type_hints(kind).items():
        inner = typing.get_args(hint)[0] if typing.get_origin(hint) is list else hint
        if not hasattr(inner, "__total__"):
            found[prefix + name] = hint
            continue
        found[prefix + name] = "STRUCT" if inner is hint else "LIST"
        found.update(fields_of_types(inner, f"{prefix}{name}."))
    return found


class Types(unittest.TestCase):
    def test_fields_are_those_of_the_program(self):
        found = fields_of_types(weft.Record)
        self.assertEqual(found.pop("metadata.ptx"), typing.Dict[str, typing.Any])
        self.assertEqual(found, fields_of_program())
        self.assertGreater(len(found), 50)

    def test_optional_fields(self):
        """A key that is not optional is in every record."""
        kinds = ({"device": "both"}, {"device": "cpu", "backward": False}, {"style": "messages"}, {"task": "repair"})
        for options in kinds:
            (record,) = weft.generate(1, **options)
            self.assertLessEqual(weft.Record.__required_keys__, set(record))
            self.assertLessEqual(weft.Metadata.__required_keys__, set(record["metadata"]))
            self.assertLessEqual(weft.Hashes.__required_keys__, set(record["metadata"]["sha256"]))
            for kind, part in ((weft.Counts, "counts"), (weft.Verification, "verification")):
                self.assertEqual(set(kind.__required_keys__), set(record["metadata"][part]))

    def test_everything_is_explained(self):
        """Public names have docstrings, and functions annotations of all parameters."""
        for name in weft.__all__:
            value = getattr(weft, name)
            self.assertTrue(value.__doc__ and not value.__doc__.startswith(f"{name}("), name)
            if inspect.isfunction(value):
                self.assertEqual(set(value.__annotations__), {*inspect.signature(value).parameters, "return"}, name)
        self.assertEqual(sorted(weft.__all__), weft.__all__)


class Sets(unittest.TestCase):
    """Each function gives what the command prints or writes."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.made = cls.folder / "made"
        program("generate", "--kind", "exercise", "--quiet", "--count", "60", "--seed", "3", "--no-dedup", "--output", str(cls.made))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def same(self, one, two):
        """The folders have the same records."""
        texts = [[path.read_bytes() for path in sorted((self.folder / name / "data").iterdir())] for name in (one, two)]
        self.assertTrue(texts[0] and texts[0] == texts[1])

    def test_stats(self):
        told = json.loads(program("stats", "--json", str(self.made)))
        found = weft.stats(self.made)
        self.assertEqual(found, told)
        self.assertRegex(repr(found), r"^<Stats of 60 records, [\d,]+ bytes: 12 categories, \d+ proved, 0 damaged>$")
        self.assertIn("atomic", Page(found._repr_html_()).texts)
        records = list(weft.read_records(self.made))
        found = weft.stats(record for record in records)
        self.assertEqual(found["files"], [])
        for name in ("records", "fields", "status", "builtins", "structures", "difficulty"):
            self.assertEqual(found[name], told[name], name)
        damaged = weft.stats(['{"id": 1}', "{broken"])
        self.assertEqual([(bad["file"], bad["line"]) for bad in damaged["damaged"]], [(None, 2)])
        with self.assertRaises(OSError):
            weft.stats(self.folder / "nothing")
        seen = []
        weft.stats([self.made], progress=seen.append)
        self.assertTrue(all(isinstance(number, int) for number in seen))

    def test_split(self):
        program("split", "--quiet", str(self.made), "--ratios", "70,20,10", "--output", str(self.folder / "split"))
        found = weft.split(self.made, self.folder / "split2", (70, 20, 10))
        self.same("split", "split2")
        self.assertEqual(found.records, 60)
        self.assertEqual(list(found.splits), ["train", "validation", "test"])
        counts = {name: len(list(weft.read_records(self.folder / "split", name))) for name in found.splits}
        self.assertEqual(found.splits, counts)
        weft.split([str(self.made)], self.folder / "split3", "70,20,10", compress="gzip", shard_rows=10, license="mit")
        self.assertTrue(list((self.folder / "split3" / "data").glob("*.jsonl.gz"))[3:])
        self.assertIn("license: mit", (self.folder / "split3" / "README.md").read_text())
        self.assertEqual(weft.split(self.made, self.folder / "split4", (0.7, 0.2, 0.1)).splits, found.splits)
        thirds = [weft.split(self.made, self.folder / f"thirds{n}", each).splits for n, each in enumerate(([1 / 3] * 3, [100 / 3] * 3))]
        self.assertEqual(thirds[0], thirds[1])
        for more in ({"output": self.folder / "split"}, {"ratios": (70, 20)}, {"compress": "zip"}, {"license": "§"}, {"shard_rows": -1}):
            with self.assertRaises(ValueError, msg=str(more)):
                weft.split(self.made, **{"output": self.folder / "none", **more})
        for ratios, sentence in (
            ((80, 10), "80 and 10 add up neither to 100 percent nor to 1"), ("50,30,10", "50, 30 and 10 add up neither"), ((100,), "two or three numbers, not 1"),
            ((90, 0, 10), "0 is no number above 0"), ("a,b", "a is no number"),
        ):
            with self.assertRaisesRegex(ValueError, f"^ratios: {sentence}"):
                weft.split(self.made, self.folder / "none", ratios)
        for more in ({"ratios": 5}, {"ratios": ("80", "20")}, {"shard_rows": ["5"]}, {"license": 5}):
            with self.assertRaisesRegex(TypeError, f"^{list(more)[0]}(:| is) .*, not ('?[58]|a list)"):
                weft.split(self.made, **{"output": self.folder / "none", **more})
        self.assertFalse((self.folder / "none").exists())

    def test_dedup(self):
        program("generate", "--kind", "exercise", "--quiet", "--count", "30", "--seed", "3", "--output", str(self.folder / "half"))
        paths = [str(self.made), str(self.folder / "half")]
        told = json.loads(program("dedup", "--quiet", "--json", "--near", "0.7", "--output", str(self.folder / "less"), *paths))
        found = weft.dedup(paths, self.folder / "less2", near=0.7)
        self.same("less", "less2")
        self.assertGreater(found.duplicates + found.nears, 0)
        self.assertEqual(found.left, len(list(weft.read_records(self.folder / "less"))))
        self.assertEqual((found.records, found.duplicates), (told["records"], told["duplicates"]))
        self.assertEqual(weft.dedup(paths, near=0.7), found)
        self.assertEqual(weft.dedup(map(str, paths)).nears, 0)
        with self.assertRaises(ValueError):
            weft.dedup(self.made, near=0.2)
        broken = self.folder / "broken.jsonl"
        broken.write_text("{broken\n")
        with self.assertRaisesRegex(weft.WeftError, "broken.jsonl"):
            weft.dedup(broken, self.folder / "none")

    def test_collect(self):
        project = str(pathlib.Path(REPO, "tests/collect/project"))
        told = program("collect", project, "--device", "both", "--output", str(self.folder / "collected"))
        seen = []
        found = weft.collect(project, self.folder / "collected2", device="both", progress=seen.append)
        self.same("collected", "collected2")
        for name in ("README.md", "manifest.json", "skipped.jsonl"):
            self.assertEqual(*((self.folder / folder / name).read_bytes() for folder in ("collected", "collected2")), name)
        self.assertEqual(found.records, len(list(weft.read_records(self.folder / "collected2"))))
        self.assertEqual((found.records, found.kernels - found.records), (sum(found.proofs.values()), sum(found.skipped.values())))
        for name, count in {**found.proofs, **found.skipped, "kernels found": found.kernels, "files": found.files}.items():
            self.assertRegex(told, rf"(?m)^ *{re.escape(name)} +{count}$")
        self.assertEqual(seen[-1], found.files)
        again = weft.collect([project], self.folder / "collected2", device="both", resume=True)
        self.assertTrue(again.complete and not found.complete)
        few = weft.collect(project, self.folder / "files", format="files", verify=False, licenses=["apache-2.0", "mit"])
        self.assertEqual((few.records, few.proofs), (found.records, {"not_run": found.records}))
        self.assertEqual(len(list((self.folder / "files").glob("*/*.json"))), few.records)
        with self.assertRaisesRegex(weft.WeftError, "nothing is collected: .*excluded: "):
            weft.collect(project, self.folder / "none", exclude=self.folder / "collected")
        with self.assertRaisesRegex(weft.WeftError, "none of licenses"):
            weft.collect(project, self.folder / "none", licenses="mit")
        with self.assertRaises(ValueError):
            weft.collect(project, self.made)
        self.assertFalse((self.folder / "none").exists())

    def test_report(self):
        program("report", "--quiet", str(self.made), "--output", str(self.folder / "page.html"))
        found = weft.report(self.made)
        found.save(self.folder / "made" / "page2.html")
        self.assertEqual((self.folder / "made" / "page2.html").read_bytes(), (self.folder / "page.html").read_bytes())
        self.assertEqual(repr(found), f"<Report: {len(found.html):,} characters of HTML, 0 damaged records>")
        self.assertIn("iframe", Page(found._repr_html_()).tags)
        for samples in (0, 3, 60):
            page = program("report", "--quiet", str(self.made), "--samples", str(samples), "--output", "-")
            self.assertEqual(weft.report(str(self.made), samples=samples).html, page)
        for wrong in (-1, 10_001):
            with self.assertRaises(ValueError):
                weft.report(self.made, samples=wrong)
        with self.assertRaises(OSError):
            weft.report(self.folder / "nothing")

    def test_merge(self):
        words = ("--quiet", "--count", "30", "--seed", "4")
        program("generate", "--kind", "exercise", *words, "--output", str(self.folder / "whole"))
        parts = [self.folder / f"part{number}" for number in (1, 2)]
        for number, part in enumerate(parts, 1):
            program("generate", "--kind", "exercise", *words, "--shard", f"{number}/2", "--output", str(part))
        found = weft.merge(parts[::-1], self.folder / "merged")
        self.same("whole", "merged")
        self.assertEqual(found.records, 30)
        self.assertGreater(found.bytes, 30_000)
        again = weft.merge(parts, self.folder / "merged")
        self.assertEqual((again.records, again.bytes), (found.records, found.bytes))
        with self.assertRaisesRegex(ValueError, "part 2 of 2 is missing"):
            weft.merge(parts[0], self.folder / "none")
        with self.assertRaises(ValueError):
            weft.merge(parts, self.made)

    def test_merge_of_whole_sets(self):
        for seed in ("1", "2"):
            program("generate", "--kind", "exercise", "--quiet", "--no-verify", "--count", "12", "--seed", seed, "--compress", "gzip", "--output", str(self.folder / f"whole{seed}"))
        whole = [self.folder / "whole1", self.folder / "whole2"]
        found = weft.merge(whole[0], self.folder / "one")
        self.assertEqual((found.records, found.bytes), (12, weft.stats(whole[0])["bytes"]))
        for name in ("whole1", "whole2"):
            weft.dedup(self.folder / name, self.folder / f"{name}-left")
        left = [self.folder / "whole1-left", self.folder / "whole2-left"]
        found = weft.merge(left, self.folder / "joined")
        self.assertEqual((found.records, found.bytes), (24, weft.stats(left)["bytes"]))
        with self.assertRaisesRegex(ValueError, "to join them: weft dedup .*whole1 .*whole2 --output DIR$"):
            weft.merge(whole, self.folder / "none")

    def test_an_interrupt_comes_out(self):
        def stop(_):
            raise KeyboardInterrupt

        records = [json.loads(line) for line in generated("--count", "40", "--no-verify")] * 40
        for function in (weft.stats, weft.validate):
            with self.assertRaises(KeyboardInterrupt):
                function(records, progress=stop)


class Datasets(unittest.TestCase):
    def test_without_the_package(self):
        with unittest.mock.patch.dict(sys.modules, datasets=None):
            for records in (weft.generate(1), weft.read_records([])):
                with self.assertRaisesRegex(ImportError, "pip install datasets"):
                    records.to_dataset()


if __name__ == "__main__":
    package_env.main()
