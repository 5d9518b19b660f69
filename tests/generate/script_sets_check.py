#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft generate --style script`: the same bytes with any number of threads; records have what they
say; every option that goes with it gives a valid set, and commands take such sets; a changed
script, text, list of kernels or proof is found. oracle.scripts runs scripts on warp-lang.

usage: script_sets_check.py WEFT [--one-in N [--seed S]]
"""

import ast
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import data_set

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import part  # noqa: E402

WEFT = sys.argv.pop(1)
PART = part.take(sys.argv)
COUNT = 60


def weft(*arguments):
    return subprocess.run([WEFT, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)


def generate(*options):
    done = weft("generate", "--quiet", "--kind", "purpose", "--style", "script", "--seed", "21", *options, "--output", "-")
    assert done.returncode == 0, done.stderr
    return done.stdout


class Scripts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.text = generate("--count", COUNT)
        cls.records = [json.loads(line) for line in cls.text.splitlines()]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def validate(self, *lines, checks=None):
        path = self.folder / "lines.jsonl"
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        done = weft("validate", path, *(("--checks", checks) if checks else ()))
        return done.returncode, done.stdout + done.stderr

    def test_same_bytes(self):
        self.assertEqual(len(self.records), COUNT)
        for jobs in ("1", "3"):
            self.assertEqual(generate("--count", COUNT, "--jobs", jobs), self.text)

    def test_records(self):
        for record in self.records:
            source, prompt, facts = record["python_source"], record["prompt"], record["metadata"]
            with self.subTest(record["id"]):
                self.assertEqual(list(record), list(self.records[0]))
                tree = ast.parse(source)
                kernels = re.findall(r"^@wp.kernel\ndef (\w+)", source, re.M)
                self.assertEqual(facts["kernels"], kernels)
                self.assertEqual(facts["kernel_name"], kernels[-1])
                self.assertTrue(2 <= len(kernels) <= 4)
                main = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "main")
                launches = [c for c in ast.walk(main) if isinstance(c, ast.Call) and ast.unparse(c.func) == "wp.launch"]
                self.assertEqual([ast.unparse(c.args[0]) for c in sorted(launches, key=lambda c: c.lineno)], kernels)
                self.assertIn("np.testing.assert_", ast.unparse(main))
                self.assertNotRegex(source, r"[%$&]\w|\(null\)")
                self.assertLess(max(map(len, source.splitlines()[main.lineno :])), 121)
                at = [record["cuda_ir_forward"].index(f"void {name}_cuda_kernel_forward(") for name in kernels]
                self.assertEqual(at, sorted(at))
                for name in kernels:
                    self.assertIn(f"`{name}`", prompt)
                    self.assertIn(f"__global__ void {name}(", record["cuda_source"])

    def test_names_are_defined(self):
        """main() uses what it has set, or what the file has."""
        for record in self.records:
            tree = ast.parse(record["python_source"])
            known = {"np", "wp", "print", "int", "float", "__name__"}
            known |= {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
            main = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "main")
            for statement in main.body:
                names = [n for n in ast.walk(statement) if isinstance(n, ast.Name)]
                for name in names:
                    if isinstance(name.ctx, ast.Load) and not isinstance(statement, ast.With):
                        self.assertIn(name.id, known, record["id"])
                known |= {n.id for n in names if isinstance(n.ctx, ast.Store)}

    def test_valid(self):
        cases = ((), ("--device", "both"), ("--device", "cpu"), ("--no-backward",), ("--no-verify",), ("--gradients", "exact"), ("--difficulty", "4-5"))
        for options in cases:
            with self.subTest(options):
                text = generate("--count", "24", *options)
                code, said = self.validate(text)
                self.assertEqual(code, 0, said)
                tapes = text.count("wp.Tape()")
                self.assertEqual(tapes == 0, options == ("--no-backward",), tapes)

    def test_sets(self):
        out = self.folder / "set"
        common = ("--kind", "purpose", "--style", "script", "--count", "48", "--seed", "3", "--quiet")
        commands = [("generate", *common, "--output", out), ("validate", out), ("stats", out)]
        commands += [("generate", *common, "--shard", f"{i}/2", "--output", self.folder / f"part{i}") for i in (1, 2)]
        commands += [("merge", self.folder / "part1", self.folder / "part2", "--output", self.folder / "merged"), ("validate", self.folder / "merged")]
        commands += [("split", "--ratios", "80,20", "--output", self.folder / "split", out), ("validate", self.folder / "split")]
        commands += [("dedup", out, "--output", self.folder / "dedup"), ("report", out, "--output", self.folder / "page.html")]
        commands += [("generate", *common, "--format", "files", "--output", self.folder / "files"), ("validate", self.folder / "files")]
        commands += [("show", out, "3-000000001")]
        for command in commands:
            with self.subTest(command):
                done = weft(*command)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        data = [(self.folder / name / data_set.SHARD).read_bytes() for name in ("set", "merged")]
        self.assertEqual(*data)

    def test_near_and_excluded(self):
        """A set is near to itself, also by what `weft dedup` reads from sources; what is excluded does not come again."""
        one, both = self.folder / "one.jsonl", self.folder / "both.jsonl"
        one.write_text(self.text)
        renamed = [{**r, "id": "5" + r["id"], "python_source": r["python_source"].replace("rng", "random_numbers")} for r in self.records]
        for record in renamed:
            record["metadata"] = {**record["metadata"], "structure": "0" * 32}
        both.write_text(self.text + "".join(json.dumps(r) + "\n" for r in renamed))
        done = weft("dedup", both, "--near", "0.9", "--output", self.folder / "near")
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = sum(path.read_text().count("\n") for path in (self.folder / "near").rglob("*.jsonl"))
        self.assertTrue(COUNT * 0.8 < kept <= COUNT, done.stderr)
        other = [json.loads(line) for line in generate("--count", "24", "--exclude", one).splitlines()]
        old, new = ({r["metadata"]["structure"] for r in records} for records in (self.records, other))
        self.assertFalse(old & new)
        self.assertTrue(any("loss" in r["metadata"]["kernels"][-1] for r in other))

    def test_refused(self):
        cases = (
            (("--style", "script", "--kind", "exercise"), "wants kernels with a purpose"),
            (("--style", "script", "--mix", "purpose=1,exercise=1"), "wants kernels with a purpose"),
            (("--style", "script", "--kind", "purpose", "--task", "repair"), "goes with no --task"),
            (("--style", "script", "--kind", "purpose", "--format", "standalone"), "goes with no --style"),
            (("--style", "script", "--kind", "purpose", "--with-ptx"), "one kernel a record"),
        )
        for options, said in cases:
            with self.subTest(options):
                done = weft("generate", "--count", "1", "--output", self.folder / "none", *options)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)

    def changed(self, change, checks=None):
        record = copy.deepcopy(next(r for r in self.records if "assert_allclose(loss.numpy()" in r["python_source"]))
        change(record)
        data_set.put_hashes(record)
        record["metadata"]["counts"]["source_lines"] = record["python_source"].count("\n")
        return self.validate(record, checks=checks)

    def test_damage(self):
        def source(pattern, by):
            def change(record):
                old = record["python_source"]
                record["python_source"] = re.sub(pattern, by, old, count=1)
                assert record["python_source"] != old, pattern

            return change

        def text(key):
            def change(record):
                record[key] = record[key].replace("var_1", "var_2", 1)

            return change

        def facts(key, value):
            def change(record):
                record["metadata"][key] = value(record["metadata"][key])

            return change

        def proof(key, value):
            def change(record):
                record["metadata"]["verification"][key] = value

            return change

        cases = (
            (source(r"(assert_allclose\(loss\.numpy\(\), \[-?\d+\.?\d*)", r"\g<1>7"), "source", "not what weft generates"),
            (source(r"default_rng\((\d+)\)", r"default_rng(1\1)"), "execution", "not what weft generates"),
            (source(r"\nif __name__(.|\n)*", "\n"), "source", "not what weft generates"),
            (text("cuda_ir_forward"), "text", "cuda_ir_forward differs"),
            (text("cuda_ir_backward"), "text", "cuda_ir_backward differs"),
            (text("cuda_ir_forward"), "execution", "execution"),
            (facts("kernels", lambda names: names[1:]), "source", "metadata.kernels"),
            (facts("kernels", lambda names: names[::-1]), "source", "metadata.kernels"),
            (facts("kernels", lambda names: ["f", *names[1:]]), "source", "metadata.kernels"),
            (facts("difficulty", lambda level: level % 5 + 1), "source", "difficulty"),
            (facts("launch", lambda launch: launch + ",m" if launch == "n" else "n"), "source", "launch"),
            (proof("mutants", 99), "execution", "metadata.verification"),
            (proof("status", "nondifferentiable"), "execution", "metadata.verification"),
            (lambda record: record.update(cuda_source=record["cuda_source"] + "\n"), "source", "cuda_source"),
            (lambda record: record.update(prompt=record["prompt"] + "\n"), "source", "prompt"),
        )
        self.assertEqual(self.changed(lambda record: None)[0], 0)
        for number, (change, check, said) in enumerate(cases):
            with self.subTest(number):
                code, output = self.changed(change, checks=check)
                self.assertEqual(code, 1, output)
                self.assertIn(said, output)


part.main(PART)
