#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft stats --profile`: each feature is found in a kernel that has it and not in its twin that has
not; numbers; files, folders, packages and data sets; what cannot be read. `weft generate --profile`
follows a profile, and refuses what is none.

usage: profile_check.py WEFT [--one-in N [--seed S]]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

WEFT = sys.argv.pop(1)
PART = part.take(sys.argv)
HEAD = "import warp as wp\nfrom typing import Any\n"
ARGUMENTS = "x: wp.array(dtype=float), ids: wp.array(dtype=int), n: int, y: wp.array(dtype=float)"
# feature: (body with it, body without it)
BODIES = {
    "gather": ("j = ids[i] - 1\ny[i] = x[j]", "j = i - 1\ny[i] = x[j]"),
    "scatter": ("wp.atomic_add(y, ids[i], 1.0)", "wp.atomic_add(y, i, x[i])"),
    "loaded_bound": ("for k in range(ids[i], ids[i + 1]):\n    y[k] = 1.0", "for k in range(n):\n    y[k] = x[i]"),
    "guard": ("if i >= n:\n    return\ny[i] = 1.0", "if i < n:\n    y[i] = 1.0"),
    "own_calls": ("y[i] = helper(x[i])", "y[i] = float(wp.abs(x[i]))"),
    "tuple_return": ("a, b = helper(x[i])\ny[i] = a + b", "a = helper(x[i])\ny[i] = a"),
    "dead_local": ("a = x[i]\nb = 2.0\ny[i] = a", "a = x[i]\nb = 2.0\ny[i] = a * b"),
    "docstring": ('"""What it does."""\ny[i] = 1.0', "y[i] = 1.0"),
    "struct": ("y[i] = params.scale", "y[i] = x[i]"),
    "loop": ("for k in range(3):\n    y[k] = 1.0", "y[0] = 1.0"),
    "while": ("while i < n:\n    i += 1", "for k in range(n):\n    i += 1"),
    "nested_loop": ("for k in range(3):\n    for m in range(3):\n        y[k] = 1.0", "for k in range(3):\n    y[k] = 1.0\nfor m in range(3):\n    y[m] = 1.0"),
    "loop_exit": ("for k in range(3):\n    if x[k] > 0.0:\n        break", "for k in range(3):\n    if x[k] > 0.0:\n        y[k] = 1.0"),
    "branch": ("if i < n:\n    y[i] = 1.0", "y[i] = 1.0 if i < n else 2.0"),
    "else": ("if i < n:\n    y[i] = 1.0\nelse:\n    y[i] = 2.0", "if i < n:\n    y[i] = 1.0"),
    "ternary": ("y[i] = 1.0 if i < n else 2.0", "y[i] = wp.where(i < n, 1.0, 2.0)"),
    "launch_2d": ("a, b = wp.tid()\ny[a] = x[b]", "a = wp.tid()\ny[a] = x[a]"),
    "launch_3d": ("a, b, c = wp.tid()\ny[a] = x[b + c]", "a, b = wp.tid()\ny[a] = x[b]"),
    "array_2d": ("y[i, 0] = 1.0", "y[i] = 1.0"),
    "outputs": ("y[i] = 1.0\nx[i] = 2.0", "y[i] = 1.0\ny[i + 1] = x[i]"),
    "updates": ("y[i] += 1.0", "y[i] = x[i]"),
    "shape": ("y[i] = float(x.shape[0])", "y[i] = float(n)"),
    "component": ("v = vec(x[i])\ny[i] = v[1]", "y[i] = x[1]"),
    "bits": ("y[i] = float(i & 3)", "y[i] = float(i + 3)"),
    "floor_division": ("y[i] = float(i // 3)", "y[i] = float(i) / 3.0"),
    "atomic": ("wp.atomic_max(y, i, 1.0)", "y[i] = wp.max(x[i], 1.0)"),
    "tile": ("t = wp.tile_load(x, 4)\nwp.tile_store(y, t)", "y[i] = x[i]"),
    "object": ("q = wp.mesh_query_aabb(n, x[i], x[i])\ny[i] = wp.bvh_query_next(q)", "y[i] = x[i]"),
    "transform": ("y[i] = wp.quat_identity()[0]", "y[i] = x[i]"),
    "vector": ("y[i] = wp.vec3(1.0)[0]", "y[i] = x[i]"),
    "matrix": ("y[i] = wp.mat33(1.0)[0, 0]", "y[i] = wp.max(x[i], 0.0)"),
    "products": ("y[i] = wp.dot(x[i], x[i])", "y[i] = x[i] * x[i]"),
    "float64": ("y[i] = float(wp.float64(x[i]))", "y[i] = float(wp.float32(x[i]))"),
    "small_types": ("y[i] = float(wp.uint8(i))", "y[i] = float(wp.uint32(i))"),
    "int64": ("y[i] = float(wp.int64(i))", "y[i] = float(wp.int32(i))"),
    "random": ("s = wp.rand_init(i)\ny[i] = wp.randf(s)", "y[i] = x[i]"),
    "math": ("y[i] = wp.sqrt(x[i])", "y[i] = wp.abs(x[i])"),
    "min_max": ("y[i] = wp.clamp(x[i], 0.0, 1.0)", "y[i] = wp.sqrt(x[i])"),
    "where": ("y[i] = wp.where(i < n, 1.0, 2.0)", "y[i] = 1.0 if i < n else 2.0"),
    "static": ("y[i] = wp.static(2.0)", "y[i] = 2.0"),
}


def kernel(name, body, decorator="@wp.kernel", arguments=ARGUMENTS + ", params: Params"):
    lines = body.split("\n")
    if "wp.tid()" not in body:  # behind a docstring
        lines.insert(1 if lines[0].startswith('"') else 0, "i = wp.tid()")
    return f"{decorator}\ndef {name}({arguments}):\n" + "".join(f"    {line}\n" for line in lines) + "\n"


def weft(*arguments):
    return subprocess.run([WEFT, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)


class Profile(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def profile(self, *paths):
        done = weft("stats", "--profile", "--json", *paths)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_features(self):
        found = self.profile(self.write("none.py", HEAD))["features"]
        self.assertEqual(set(found), set(BODIES) | {"generic", "options"})  # each has its twins
        for name, bodies in BODIES.items():
            for wanted, body in zip((1, 0), bodies):
                with self.subTest(name, body=body):
                    found = self.profile(self.write("k.py", HEAD + kernel("k", body)))
                    self.assertEqual((found["kernels"], found["features"][name]), (1, wanted))

    def test_heads(self):
        for wanted, head in ((1, {"decorator": "@wp.kernel(enable_backward=False)"}), (0, {"decorator": "@wp.kernel()"})):
            found = self.profile(self.write("k.py", HEAD + kernel("k", "y[i] = 1.0", **head)))
            self.assertEqual(found["features"]["options"], wanted)
        for wanted, types in ((1, "y: wp.array(dtype=Any)"), (0, "y: wp.array(dtype=float)")):
            found = self.profile(self.write("k.py", HEAD + kernel("k", "y[i] = 1.0", arguments=types)))
            self.assertEqual(found["features"]["generic"], wanted)

    def test_numbers(self):
        body = "a = helper(x[i])\nif a > 0.0:\n    y[i] = other(a)\nelse:\n    y[i] = helper(1.0 if a < 0.5 else 0.0)"
        found = self.profile(self.write("k.py", HEAD + kernel("k", body)))
        self.assertEqual(found["numbers"], {"lines": {"8": 1}, "statements": {"5": 1}, "arguments": {"5": 1}, "functions": {"2": 1}, "branches": {"2": 1}})
        long = self.profile(self.write("k.py", HEAD + kernel("k", "\n".join(["i += 1"] * 130))))
        self.assertEqual(long["numbers"]["lines"], {"more": 1})

    def test_where(self):
        one, other = kernel("one", "y[i] = 1.0"), kernel("other", "y[i] = 2.0")
        nested = HEAD.replace("wp", "w") + "def make():\n    " + one.replace("wp.", "w.").replace("\n", "\n    ").rstrip() + "\n    return one\n"
        package = self.folder / "site" / "pack"
        self.write("site/pack/a.py", HEAD + one + other)
        self.write("site/pack/sub/b.py", HEAD + one)  # the same text once more
        self.write("site/pack/c.py", nested)
        self.write("site/pack/d.py", "def kernel(f):\n    return f\n" + one.replace("wp.kernel", "kernel"))
        self.assertEqual(self.profile(package)["kernels"], 3)
        done = weft("stats", "--profile", "--json", "-I", self.folder / "site", "pack")
        self.assertEqual(json.loads(done.stdout)["kernels"], 3, done.stderr)
        pairs = self.folder / "pairs"
        self.assertEqual(weft("generate", "--quiet", "--count", "24", "--output", pairs).returncode, 0)
        text = "".join(json.loads(line)["python_source"] + "\n\n" for line in (pairs / "data/train-00000-of-00001.jsonl").read_text().splitlines())
        wanted = self.profile(self.write("all.py", text))
        self.assertEqual(wanted["kernels"], 24)
        self.assertEqual(self.profile(pairs), wanted)
        self.assertEqual(self.profile(pairs / "data/train-00000-of-00001.jsonl"), wanted)
        self.assertEqual(self.profile(pairs, package)["kernels"], 27)
        table = weft("stats", "--profile", pairs).stdout
        self.assertIn("24 different kernels\n", table)
        self.assertRegex(table, rf"\nloop +{wanted['features']['loop']} +\d+\.\d %  a loop\n")

    def generate(self, *options, count=96):
        done = weft("generate", "--quiet", "--count", count, "--seed", "5", "--kind", "purpose", *options)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_followed(self):
        """A set is nearer to the profile that it was made with than one made with the opposite is."""
        shares = {}
        for name, wanted in (("all", 100), ("none", 0)):
            figures = {"schema": "weft-profile-1", "kernels": 100, "features": {"gather": wanted, "options": wanted, "guard": wanted}}
            path, out = self.write(name + ".json", json.dumps(figures)), self.folder / name
            self.generate("--profile", path, "--output", out)
            found = self.profile(out)
            shares[name] = {feature: found["features"][feature] / found["kernels"] for feature in figures["features"]}
            done = weft("validate", out)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((shares["all"]["options"], shares["none"]["options"]), (1, 0))
        self.assertGreater(shares["all"]["gather"], shares["none"]["gather"] + 0.3, shares)
        self.assertGreater(shares["all"]["guard"], shares["none"]["guard"] + 0.3, shares)

    def test_seldom(self):
        """What few kernels have is found where each is to have it."""
        for feature, least in (("generic", 60), ("tuple_return", 50), ("else", 50), ("ternary", 30), ("where", 40), ("component", 60), ("transform", 60), ("tile", 30), ("int64", 40)):
            path = self.write("one.json", json.dumps({"schema": "weft-profile-1", "kernels": 100, "features": {feature: 100}}))
            out = self.folder / feature
            self.generate("--profile", path, "--no-verify", "--output", out)
            found = self.profile(out)
            with self.subTest(feature):
                self.assertGreater(found["features"][feature] * 100, least * found["kernels"])

    def test_command(self):
        """The command of a run has the figures themselves: parts are merged, a run goes on, and the text is an option."""
        figures = self.write("p.json", json.dumps({"schema": "weft-profile-1", "kernels": 7, "features": {"gather": 7}, "numbers": {"lines": {"12": 3, "19": 4}}}))
        whole, data = self.folder / "whole", "data/train-00000-of-00001.jsonl"
        self.generate("--profile", figures, "--output", whole)
        command = json.loads((whole / "manifest.json").read_text())["command"]
        text = command.split(" --profile ")[1].split(" ")[0]
        self.assertRegex(text, r"^weft-profile:7:gather=7:(0,)+3,0,4(,0)+$")
        self.generate("--profile", text, "--output", self.folder / "again")
        self.assertEqual((whole / data).read_bytes(), (self.folder / "again" / data).read_bytes())
        for part in ("1/2", "2/2"):
            self.generate("--profile", figures, "--shard", part, "--output", self.folder / part[0])
        done = weft("merge", self.folder / "1", self.folder / "2", "--output", self.folder / "merged")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((whole / data).read_bytes(), (self.folder / "merged" / data).read_bytes())
        self.generate("--profile", figures, "--output", whole, "--resume")
        other = weft("generate", "--count", "96", "--seed", "5", "--kind", "purpose", "--output", whole, "--resume")
        self.assertEqual(other.returncode, 2)
        self.assertIn("--profile", other.stderr)

    def test_wish_is_checked(self):
        out = self.folder / "one.jsonl"
        line = weft("generate", "--quiet", "--count", "1", "--kind", "purpose", "--output", "-").stdout
        record = json.loads(line)
        for target, status in ((record["metadata"]["target"], 0), ("", 1), ("7 nothing", 1), (record["metadata"]["target"] + " any gather", 1)):
            record["metadata"]["target"] = target
            out.write_text(json.dumps(record) + "\n")
            self.assertEqual(weft("validate", out).returncode, status, target)

    def test_no_profile(self):
        good = {"schema": "weft-profile-1", "kernels": 3}
        cases = ("{", "[]", "{}", {"schema": "weft-profile-1"}, {**good, "kernels": 0}, {**good, "features": {"gather": 4}}, {**good, "features": {"art": 1}},
                 {**good, "features": 1}, {**good, "numbers": {"lines": {"19": 2}}}, {**good, "numbers": {"lines": {"18": 3}}}, {**good, "numbers": {"words": {}}})
        for case in cases:
            with self.subTest(case):
                path = self.write("wrong.json", case if isinstance(case, str) else json.dumps(case))
                done = weft("generate", "--count", "1", "--kind", "purpose", "--profile", path, "--output", "-")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("no profile", done.stderr)
        for text in ("weft-profile:", "weft-profile:3:gather=4:", "weft-profile:3::1,1,1"):
            self.assertEqual(weft("generate", "--count", "1", "--kind", "purpose", "--profile", text, "--output", "-").returncode, 2)
        self.assertEqual(weft("generate", "--count", "1", "--kind", "purpose", "--profile", self.folder / "none", "--output", "-").returncode, 3)
        path = self.write("good.json", json.dumps(good))
        done = weft("generate", "--count", "1", "--kind", "exercise", "--profile", path, "--output", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("kernels with a purpose", done.stderr)

    def test_wrong(self):
        bad = self.write("bad.py", HEAD + "def (\n")
        good = self.write("good.py", HEAD + kernel("k", "y[i] = 1.0"))
        done = weft("stats", "--profile", "--json", bad, good)
        self.assertEqual(done.returncode, 1)
        self.assertIn("bad.py", done.stderr)
        self.assertEqual(json.loads(done.stdout)["kernels"], 1)
        self.assertEqual(weft("stats", "--profile", self.folder / "none").returncode, 3)
        self.assertEqual(weft("stats", "-I", self.folder, good).returncode, 2)


if __name__ == "__main__":
    part.main(PART)
