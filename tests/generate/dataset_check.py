#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A generated data set is what interface and card say: fields, hashes, manifest, balance, variety.

usage: dataset_check.py WEFT [--one-in N [--seed S]]
"""

import ast
import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

WEFT = ""
COUNT = 1200
CATEGORIES = (
    "arithmetic conditional loop math vector matrix atomic nested_loop multi_conditional combined "
    "scalar_param random_math"
).split()
CUDA = ("cuda_ir_forward", "cuda_ir_backward")
CPU = ("cpp_forward", "cpp_backward")
METADATA = {
    "schema", "weft_version", "warp_version", "kernel_name", "category", "difficulty", "device", "artifact", "seed",
    "index", "attempt", "launch", "block_dim", "target", "structure", "family", "arguments", "builtins", "counts", "sha256", "verification",
}
VERIFICATION = {
    "status", "class", "inputs", "forward_error", "adjoint_error", "tolerance", "mutants", "killed",
}


def generate(*args, check=True, verify=False, **more):
    command = [WEFT, "generate", "--kind", "exercise", *([] if verify else ["--no-verify"]), *args]
    return subprocess.run(command, check=check, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def stream(*args, verify=False):
    done = generate("--output", "-", *args, verify=verify)
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]


def shape_of(source):
    """A source without its names and numbers: what is left tells kernels apart."""
    names = {}
    tree = ast.parse(source)
    words = re.findall(r"[A-Za-z_]\w*|\d[\w.]*|\S", ast.unparse(tree))
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return " ".join(names.setdefault(w, f"n{len(names)}") if w in own else "0" if w[0].isdigit() else w for w in words)


def has_else(node):
    """Not `elif`, which is an `if` below its own."""
    rest = node.orelse if isinstance(node, ast.If) else []
    return len(rest) > 1 or (len(rest) == 1 and not (isinstance(rest[0], ast.If) and rest[0].col_offset == node.col_offset))


LOOPS = (ast.For, ast.While)
MATH = set(
    "abs sign sin cos tan asin acos atan atan2 sinh cosh tanh exp log log2 log10 sqrt cbrt pow erf erfc erfinv erfcinv "
    "floor ceil round rint trunc frac degrees radians step smoothstep lerp min max clamp copysign nonzero".split()
)


def has_word(category, record):
    """Does a kernel have what its category is named for?"""
    source, name = record["python_source"], record["metadata"]["kernel_name"]
    tree = ast.parse(source)
    kernel = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    nodes = list(ast.walk(kernel))
    builtins = set(record["metadata"]["builtins"])
    types = " ".join(argument["type"] for argument in record["metadata"]["arguments"])
    loops = [n for n in nodes if isinstance(n, LOOPS)]
    choices = sum(isinstance(n, (ast.If, ast.IfExp)) for n in nodes) + source.count("wp.where(")
    if category == "matrix":
        return bool(re.search(r"\bmat\d|\bwp\.(mat\d|types\.matrix|matrix_from|quat_to_matrix)|types\.matrix", types + source))
    if category == "vector":
        return bool(re.search(r"vec\d|vector|quat|transform", types + source))
    words = {
        "math": lambda: bool(builtins & MATH),
        "loop": lambda: bool(loops),
        "nested_loop": lambda: any(isinstance(m, LOOPS) for n in loops for m in ast.walk(n) if m is not n),
        "conditional": lambda: choices > 0,
        "multi_conditional": lambda: choices > 1 or "elif" in source,
        "atomic": lambda: any(b.startswith("atomic_") for b in builtins) or bool(re.search(r"\] [-+&|^]= ", source)),
        "scalar_param": lambda: any(a["shape"] == "" for a in record["metadata"]["arguments"]),
        "random_math": lambda: "rand_init" in builtins,
    }
    return words.get(category, lambda: True)()


def says_nothing(node):
    """wp.max(v, v), wp.cross(v, v), wp.where(c, v, v)"""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    first = {"min": 0, "max": 0, "sub": 0, "cross": 0, "lerp": 0, "where": 1}.get(node.func.attr)
    if first is None or len(node.args) < first + 2:
        return False
    return ast.dump(node.args[first]) == ast.dump(node.args[first + 1])


class Records(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.records = stream("--count", str(COUNT), "--seed", "3", "--device", "both")

    def test_counts_are_those_of_the_tree(self):
        for record in self.records:
            counts, tree = record["metadata"]["counts"], ast.parse(record["python_source"])
            kernel = next(f for f in tree.body if getattr(f, "name", "") == record["metadata"]["kernel_name"])
            nodes = list(ast.walk(kernel))
            statements = sum(isinstance(n, ast.stmt) for n in nodes) - 1 - (ast.get_docstring(kernel) is not None)
            branches = sum(isinstance(n, (ast.If, ast.IfExp)) + has_else(n) for n in nodes)
            self.assertEqual((counts["statements"], counts["branches"]), (statements, branches), record["id"])

    def test_categories_keep_their_word(self):
        for record in stream("--count", "3000", "--seed", "4", "--device", "cuda"):
            with self.subTest(index=record["metadata"]["index"]):
                self.assertTrue(has_word(record["metadata"]["category"], record), record["python_source"])

    def test_fields(self):
        for record in self.records:
            self.assertEqual(set(record), {"id", "python_source", "metadata", *CUDA, *CPU})
            self.assertTrue(set(record["metadata"]) >= METADATA, METADATA - set(record["metadata"]))
            self.assertEqual(record["metadata"]["warp_version"], "1.19.0")
            self.assertEqual(record["metadata"]["verification"]["status"], "not_run")
            self.assertEqual(set(record["metadata"]["verification"]), VERIFICATION)

    def test_ids_and_indexes(self):
        self.assertEqual(len({record["id"] for record in self.records}), COUNT)
        self.assertEqual([record["metadata"]["index"] for record in self.records], list(range(COUNT)))

    def test_hashes(self):
        for record in self.records[::7]:
            for field, digest in record["metadata"]["sha256"].items():
                self.assertEqual(digest, hashlib.sha256(record[field].encode()).hexdigest(), field)

    def test_texts_name_the_kernel(self):
        for record in self.records:
            name = record["metadata"]["kernel_name"]
            for fields, device in ((CUDA, "cuda"), (CPU, "cpu")):
                for field, way in zip(fields, ("forward", "backward")):
                    self.assertIn(f"{name}_{device}_kernel_{way}(", record[field])
            self.assertIn("blockIdx", record["cuda_ir_forward"])
            self.assertIn(f"def {name}(", record["python_source"])

    def test_arguments(self):
        for record in self.records[::5]:
            tree = ast.parse(record["python_source"])
            name = record["metadata"]["kernel_name"]
            kernel = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
            names = [argument["name"] for argument in record["metadata"]["arguments"]]
            self.assertEqual(names, [argument.arg for argument in kernel.args.args])

    def test_balance(self):
        counts = collections.Counter(record["metadata"]["category"] for record in self.records)
        self.assertEqual(set(counts), set(CATEGORIES))
        self.assertLessEqual(max(counts.values()) - min(counts.values()), 1)

    def test_arguments_of_calls_differ(self):
        sources = [record["python_source"] for record in self.records]
        found = [source for source in sources if any(map(says_nothing, ast.walk(ast.parse(source))))]
        self.assertLess(len(found), COUNT // 200, found[:2])

    def test_variety(self):
        sources = {record["python_source"] for record in self.records}
        self.assertEqual(len(sources), COUNT)
        shapes = {shape_of(record["python_source"]) for record in self.records}
        self.assertGreater(len(shapes), 0.98 * COUNT)
        ranks = collections.Counter(len(record["metadata"]["arguments"]) for record in self.records)
        self.assertGreaterEqual(len(ranks), 4)
        used = {name for record in self.records for name in record["metadata"]["builtins"]}
        self.assertGreater(len(used), 60)


class Verification(unittest.TestCase):
    """What a run without --no-verify says of its pairs."""

    def check_evidence(self, evidence, allowed):
        self.assertEqual(set(evidence), VERIFICATION)
        self.assertIn(evidence["status"], allowed)
        self.assertGreaterEqual(evidence["inputs"], 3)
        self.assertEqual(evidence["forward_error"], 0.0)
        self.assertGreaterEqual(evidence["killed"], 0.9 * evidence["mutants"])
        self.assertGreaterEqual(evidence["mutants"], 4)
        self.assertEqual(bool(evidence["class"]), evidence["status"] == "warp_differs")
        if evidence["status"] == "exact":
            self.assertLessEqual(evidence["adjoint_error"], evidence["tolerance"])

    def test_evidence(self):
        for device in ("both", "cuda", "cpu"):
            records = stream("--count", "240", "--seed", "5", "--device", device, verify=True)
            self.assertEqual(len(records), 240)
            found = [record["metadata"]["verification"] for record in records]
            for evidence in found:
                self.check_evidence(evidence, ("exact", "warp_differs", "nondifferentiable"))
            exact = sum(evidence["status"] == "exact" for evidence in found)
            self.assertGreaterEqual(exact, 0.6 * len(found))

    def test_exact_gradients_only(self):
        records = stream("--count", "60", "--gradients", "exact", verify=True)
        for record in records:
            self.check_evidence(record["metadata"]["verification"], ("exact",))
        done = generate("--count", "1", "--gradients", "exact", "--output", "-", check=False)
        self.assertEqual(done.returncode, 2)

    def test_forward_only(self):
        for record in stream("--count", "24", "--no-backward", verify=True):
            self.check_evidence(record["metadata"]["verification"], ("forward",))

    def test_jobs_do_not_matter(self):
        runs = [generate("--count", "120", "--jobs", jobs, "--output", "-", verify=True) for jobs in "12"]
        self.assertEqual(runs[0].stdout, runs[1].stdout)

    def test_statistics(self):
        with tempfile.TemporaryDirectory() as folder:
            generate("--count", "60", "--output", "set", verify=True, cwd=folder)
            with open(os.path.join(folder, "set", "stats.json")) as stats:
                told = json.load(stats)
            proved = told["verification"]
            statuses = ("exact", "warp_differs", "nondifferentiable", "forward")
            self.assertEqual(sum(proved[name] for name in statuses), 60)
            self.assertEqual(proved["suspects"], 0)
            self.assertEqual(told["rejected"]["all"], sum(told["rejected"].values()) // 2)


class Options(unittest.TestCase):
    def test_devices(self):
        for device, fields in (("cuda", CUDA), ("cpu", CPU)):
            record = stream("--count", "3", "--device", device)[0]
            self.assertEqual(set(record), {"id", "python_source", "metadata", *fields})
            self.assertEqual(record["metadata"]["artifact"], ".cu" if device == "cuda" else ".cpp")

    def test_categories(self):
        for name, other in (("conditional", "control_flow"), ("nested_loop", "nested"),
                            ("multi_conditional", "multi_cond")):
            records = stream("--count", "4", "--categories", other)
            self.assertEqual({record["metadata"]["category"] for record in records}, {name})
        records = stream("--count", "6", "--categories", "vector,matrix")
        self.assertEqual(collections.Counter(r["metadata"]["category"] for r in records),
                         {"vector": 3, "matrix": 3})

    def sizes(self, *args):
        """[(difficulty, lines)] of kernels, the lines counted here."""
        found = []
        for record in stream("--count", "48", *args):
            source = record["python_source"]
            kernel = ast.parse(source).body[-1]
            lines = kernel.end_lineno - kernel.decorator_list[0].lineno + 1
            self.assertEqual(record["metadata"]["counts"]["kernel_lines"], lines)
            found.append((record["metadata"]["difficulty"], lines))
        return found

    def test_difficulty(self):
        ranges = {1: (3, 9), 2: (6, 16), 3: (10, 28), 4: (18, 48), 5: (30, 80)}
        for wanted in ("1", "3", "5", "2,4", "1-5"):
            found = self.sizes("--difficulty", wanted)
            for level, lines in found:
                self.assertTrue(ranges[level][0] <= lines <= ranges[level][1], (level, lines))
            levels = {level for level, _ in found}
            allowed = {"2,4": {2, 4}, "1-5": {1, 2, 3, 4, 5}}.get(wanted) or {int(wanted)}
            self.assertLessEqual(levels, allowed)

    def test_lines(self):
        for least, most in ((8, 8), (3, 20), (37, 37), (80, 80)):
            wanted = ["--min-lines", str(least), "--max-lines", str(most)]
            for _, lines in self.sizes(*wanted):
                self.assertTrue(least <= lines <= most, lines)
        found = {lines for _, lines in self.sizes("--max-lines", "3", "--categories", "math,vector,atomic")}
        self.assertEqual(found, {3})

    def test_no_backward(self):
        for record in stream("--count", "24", "--no-backward"):
            self.assertFalse(record.get("cuda_ir_backward"))

    def test_shards_are_parts(self):
        whole = [json.dumps(record) for record in stream("--count", "50")]
        parts = [json.dumps(r) for i in range(1, 5) for r in stream("--count", "50", "--shard", f"{i}/4")]
        self.assertEqual(sorted(parts), sorted(whole))


class Folders(unittest.TestCase):
    def test_jsonl(self):
        with tempfile.TemporaryDirectory() as folder:
            generate("--count", "60", "--output", "set", cwd=folder)
            top = os.path.join(folder, "set")
            shards = sorted(os.listdir(os.path.join(top, "data")))
            self.assertEqual(shards, ["train-00000-of-00001.jsonl"])
            with open(os.path.join(top, "data", shards[0]), "rb") as shard:
                content = shard.read()
            with open(os.path.join(top, "manifest.json")) as manifest:
                row = json.load(manifest)["shards"][0]
            self.assertEqual(row["rows"], 60)
            self.assertEqual(row["bytes"], len(content))
            self.assertEqual(row["sha256"], hashlib.sha256(content).hexdigest())
            self.assertEqual(len({tuple(json.loads(line)) for line in content.splitlines()}), 1)
            levels = collections.Counter(str(json.loads(line)["metadata"]["difficulty"]) for line in content.splitlines())
            with open(os.path.join(top, "stats.json")) as stats:
                self.assertEqual(json.load(stats)["difficulty"], levels)
            with open(os.path.join(top, "README.md")) as file:
                card = file.read()
            self.assertTrue(card.startswith("---\n"))
            self.assertIn(f"\n| difficulty | pairs |\n|---|---:|\n| 1 | {levels['1']} |\n", card)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            generate("--count", str(2 * len(CATEGORIES)), "--format", "files", "--output", "set", cwd=folder)
            for category in CATEGORIES:
                names = os.listdir(os.path.join(folder, "set", category))
                self.assertEqual(len(names), 2, category)
                for name in names:
                    with open(os.path.join(folder, "set", category, name)) as stream_:
                        self.assertEqual(json.load(stream_)["id"] + ".json", name)

    def test_another_command_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            generate("--count", "12", "--output", "set", cwd=folder)
            done = generate("--count", "13", "--output", "set", cwd=folder, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(b"error", done.stderr)


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    part.main(part.take(sys.argv))
