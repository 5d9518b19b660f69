#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft collect: sources that stand alone, provenance, licences, what is left out, and the same bytes for any
number of threads. tests/collect/project is collected, and a sample of warp-lang's examples; of
tests/collect/factories, whose kernels only a running program makes, how each was found stands in factories.txt.

usage: collect_check.py WEFT [--accept] [--one-in N [--seed S]]      (--accept writes expected.txt and factories.txt anew)
"""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED, FACTORIES = (os.path.join(HERE, name) for name in ("expected.txt", "factories.txt"))
WEFT, ACCEPT = "", False


def run(*args, code=0):
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run([WEFT, *args], capture_output=True, text=True, env=environment)
    if done.returncode != code:
        raise AssertionError(f"{args}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def weft(*args, code=0):
    return run(*args, code=code).stdout


def refused(*args):
    """What is said where nothing can be made of the input."""
    return run(*args, code=1).stderr


def lines(path):
    with open(path, encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def records(folder):
    return [r for name in sorted(os.listdir(f"{folder}/data")) for r in lines(f"{folder}/data/{name}")]


def files(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(where, name), "rb") as stream:
                found[os.path.relpath(os.path.join(where, name), folder)] = stream.read()
    return found


KERNEL = "import warp as wp\n\n\n@wp.kernel\ndef twice(a: wp.array(dtype=float)):\n    i = wp.tid()\n    a[i] = 2.0 * a[i]\n"


def copy_project(to):
    """tests/collect/project, whose files do not name a licence there: that of the folder counts."""
    shutil.copytree(os.path.join(HERE, "project"), to)
    for where, _, names in os.walk(to):
        for name in filter(lambda name: name.endswith(".py"), names):
            path = os.path.join(where, name)
            write(path, read(path).replace("# SPDX-License-Identifier: Apache-2.0\n", "# ours\n"))


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def placeless(text):
    """A kernel's text without what depends on where the kernel stands."""
    text = re.sub(r"<L \d+>", "<L>", text)
    text = re.sub(r"^// .*\.py:\d+$", "// PLACE", text, flags=re.M)
    text = re.sub(r"\b((?!var_|adj_\d)\w+?)_[0-9a-f]{8}\b", r"\1_HASH", text)
    return re.sub(r"\b((?!var_\d|adj_\d)[a-zA-Z]\w*?)_\d+\b", r"\1_N", text)


# A kernel with an array that may be missing, and one whose threads beyond 100 do something else.
ADDED = "import warp as wp\n\n\n@wp.kernel\ndef since(a: wp.array(dtype=float)):\n    a[wp.tid()] = 3.0\n"
TURNS = """import warp as wp


@wp.kernel
def rows(offsets: wp.array(dtype=int), counts: wp.array(dtype=int), values: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    end = offsets[i + 1]
    total = float(0.0)
    if counts:
        end = offsets[i] + counts[i]
    else:
        total = 0.5 - values[i] * values[i]
    for k in range(offsets[i], end):
        total += values[k] * values[k + 1]
    out[i] = total


@wp.kernel
def halves(x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    if i >= 100:
        z[i] = (x[i] - y[i - 1]) / (2.0 + y[i] * y[i])
    else:
        z[i] = x[i] * y[i]


@wp.kernel
def sampled(v: wp.uint64, w: wp.uint64, p: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    at = wp.volume_world_to_index(v, p[i])
    out[i] = wp.volume_sample_f(v, at, 1) - wp.length_sq(wp.volume_sample_v(w, at, 1))


@wp.kernel
def stored(v: wp.uint64, x: wp.array3d(dtype=float)):
    i, j, k = wp.tid()
    wp.volume_store_f(v, i, k, j, x[i, j, k] - 2.0)


@wp.struct
class Layer:
    height: float
    image: wp.Texture2D


@wp.kernel
def textured(layer: Layer, images: wp.array(dtype=wp.Texture3D), p: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    q = p[i]
    a = wp.texture_sample(layer.image, q[0], q[2], dtype=wp.vec2, lod=q[1])
    out[i] = layer.height * a[0] - a[1] * wp.texture_sample(images[i], q, dtype=float)
"""


# What the snippet gives on each device differs by more than a rounding.
BRANCHES = """import warp as wp


@wp.func_native(\"\"\"
#if defined(__CUDA_ARCH__)
return __fmul_rn(x, 3.0f);
#else
return 2.0f * x;
#endif
\"\"\")
def times(x: float) -> float: ...


@wp.kernel(enable_backward=False)
def multiplies(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = times(x[i]) + x[i]
"""


class Collected(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.project = os.path.join(self.temporary.name, "project")
        copy_project(self.project)

    def collect(self, *args, name="out"):
        out = os.path.join(self.temporary.name, name)
        return out, weft("collect", "--output", out, *(args or (self.project,)))


class Project(Collected):
    def test_sources_are_the_expected_ones(self):
        out, _ = self.collect()
        text = "".join(f"--- {r['metadata']['provenance']['path']} {r['metadata']['kernel_name']}\n{r['python_source']}" for r in records(out))
        if ACCEPT:
            write(EXPECTED, text)
        with open(EXPECTED, encoding="utf-8") as stream:
            self.assertEqual(stream.read(), text)

    def test_each_kernel_is_a_record_or_skipped(self):
        out, table = self.collect()
        place = [(r["metadata"]["provenance"]["path"], r["metadata"]["provenance"]["line"]) for r in records(out)]
        skipped = {s["kernel"]: s["reason"] for s in lines(f"{out}/skipped.jsonl")}
        self.assertEqual(skipped, {"fits_nothing": "generic", "wrong": "does not compile", "same_as_gradient": "duplicate",
                                   "names_lines": "no form in a record"})
        found = 0
        for path in ("app.py", "parts/shapes.py", "parts/steps.py"):
            with open(os.path.join(self.project, path), encoding="utf-8") as stream:
                found += len(re.findall(r"^ *@wp\.kernel", stream.read(), re.M))
        found += 1  # by a call of wp.Kernel
        self.assertEqual(found, len(place) + len(skipped))
        self.assertEqual(len(set(place)), len(place))
        self.assertIn(f"kernels found{found:>21}", table)

    def test_types_of_generic_kernels(self):
        out, _ = self.collect()
        found = {r["metadata"]["kernel_name"]: r["metadata"]["provenance"] for r in records(out)}
        types = {name: (p["types_from"], p["instance"]) for name, p in found.items() if p["types_from"]}
        self.assertEqual(types, {
            "generic": ("overload", "a: array(ndim=1, dtype=vec3f), s: float32"),
            "never_launched": ("chosen", "a: array(ndim=1, dtype=vec3f), s: array(ndim=1, dtype=float32)"),
            "Launcher__launched": ("launch", "a: array(ndim=1, dtype=vec3d), s: float64, b: array(ndim=2, dtype=vec3d)")})

    def test_kernels_that_only_a_running_program_makes(self):
        """Every kernel of the folder is a record, or listed; so is the file that does not load."""
        folder = os.path.join(self.temporary.name, "factories")
        shutil.copytree(os.path.join(HERE, "factories"), folder)
        write(f"{folder}/broken.py", "# SPDX-License-Identifier: MIT\nimport warp as wp\n\n\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[0] = = 1.0\n")
        out, table = self.collect(folder)
        text = ""
        for r in records(out):
            origin = r["metadata"]["provenance"]
            text += f"{origin['path']}:{origin['line']}: {r['metadata']['kernel_name']}: {origin['types_from']}: {origin['instance']}\n"
        for s in lines(f"{out}/skipped.jsonl"):
            text += f"{s['path']}:{s['line']}: {s['kernel']}: {s['reason']}: {s['why']}\n"
        if ACCEPT:
            write(FACTORIES, text)
        self.assertEqual(read(FACTORIES), text)
        self.assertRegex(table, r"files +7\n  not loaded +1\n")
        weft("validate", out)
        again, _ = self.collect("-j", "3", folder, name="again")
        self.assertEqual(files(out), files(again))
        for change in (('"make_limit(', '"make_limits('), ("(n=3", "[n=3"), ('"default"', '"launch"')):
            write(f"{self.temporary.name}/bad.jsonl", "".join(json.dumps(r) + "\n" for r in records(out)).replace(*change))
            self.assertIn("metadata.provenance", weft("validate", f"{self.temporary.name}/bad.jsonl", code=1), change)

    def test_texts_are_those_of_the_file(self):
        out, _ = self.collect("--device", "both", self.project)
        for r in records(out):
            origin = r["metadata"]["provenance"]
            if origin["types_from"] in ("launch", "chosen"):  # the file itself has no text of it
                continue
            done = subprocess.run([WEFT, "compile", "--emit", "json", os.path.join(self.project, origin["path"])], capture_output=True, text=True)
            (kernel,) = [k for k in map(json.loads, done.stdout.splitlines()) if k["line"] == origin["line"]]
            alone = os.path.join(self.temporary.name, "alone", "source.py")
            write(alone, r["python_source"])
            (same,) = map(json.loads, weft("compile", "--emit", "json", alone).splitlines())
            for device in ("cpu", "cuda"):
                self.assertEqual(placeless(same[device]), placeless(kernel[device]), r["metadata"]["kernel_name"])

    def test_all_are_executed(self):
        out, _ = self.collect()
        (record,) = [r for r in records(out) if r["metadata"]["verification"]["status"] == "not_run"]
        self.assertEqual(record["metadata"]["kernel_name"], "repeats_its_sums")  # in the deterministic mode
        self.assertIn("det", record["metadata"]["verification"]["why"])

    def test_bytes_do_not_depend_on_threads(self):
        one, _ = self.collect("-j", "1", self.project, name="one")
        four, _ = self.collect("-j", "4", self.project, name="four")
        self.assertEqual(files(one), files(four))

    def stop_midway(self, out):
        """Kills a run once its journal holds a complete file; the journal's lines."""
        journal = f"{out}.collecting.journal"
        for _ in range(50):
            run = subprocess.Popen([WEFT, "collect", "-q", "-j", "1", "--output", out, self.project])
            while run.poll() is None:
                if os.path.exists(journal) and '{"end": 1, ' in read(journal):
                    run.kill()
            if run.wait() < 0 and os.path.exists(journal):
                return read(journal).splitlines(keepends=True)
            shutil.rmtree(out)
        self.fail("no run could be stopped")

    def test_a_stopped_run_is_resumed(self):
        whole, _ = self.collect(name="whole")
        out = os.path.join(self.temporary.name, "out")
        text = self.stop_midway(out)
        self.assertEqual(os.listdir(out), [])
        weft("collect", "-q", "--resume", "--no-verify", "--output", out, self.project, code=2)
        added = os.path.join(self.project, "added_since.py")
        write(added, ADDED)
        sentence = run("collect", "-q", "--resume", "--output", out, self.project, code=2).stderr
        self.assertIn("the run that was stopped there had another command or other files", sentence)
        os.unlink(added)
        self.collect("--resume", self.project)
        self.assertEqual(files(whole), files(out))
        self.assertEqual([name for name in os.listdir(self.temporary.name) if "collecting" in name], [])
        _, table = self.collect("--resume", self.project)
        self.assertIn("is complete: nothing to do", table)
        weft("collect", "-q", "--resume", "--no-verify", "--output", out, self.project, code=2)
        write(added, ADDED)
        sentence = run("collect", "-q", "--resume", "--output", out, self.project, code=2).stderr
        self.assertIn("the set there is complete, but files were added, removed or changed since", sentence)
        os.unlink(added)
        self.collect("--resume", self.project)
        shutil.rmtree(out)  # what the journal says is taken, and not made again; half a file is not
        text = self.stop_midway(out)
        end = next(i for i, line in enumerate(text) if line.startswith('{"end"'))
        group = "".join(text[1:end]).replace("a launch decides", "A LAUNCH DECIDES")
        hashed = f'{{"end": 1, "sha256": "{hashlib.sha256(group.encode()).hexdigest()}"}}\n'
        write(f"{out}.collecting.journal", text[0] + group + hashed + text[1])
        self.collect("--resume", self.project)
        with open(f"{out}/skipped.jsonl", encoding="utf-8") as stream:
            self.assertIn("A LAUNCH DECIDES", stream.read())
        self.assertEqual(len(records(whole)), len(records(out)))

    def test_a_changed_journal(self):
        """What does not fit its hash is made anew: a text, a structure, a line that is gone."""
        whole, _ = self.collect(name="whole")
        out = f"{self.temporary.name}/out"
        structure = lambda line: re.sub(r'"structure": "(.)', lambda m: m[0][:-1] + ("0" if m[1] != "0" else "1"), line)
        for change in (lambda line: line.replace("wp::", "wp::x"), structure, lambda line: "" if line.startswith('{"id"') else line):
            text = self.stop_midway(out)
            changed = "".join(map(change, text))
            self.assertNotEqual(changed, "".join(text))
            write(f"{out}.collecting.journal", changed)
            self.collect("--resume", self.project)
            self.assertEqual(files(whole), files(out))
            shutil.rmtree(out)

    def test_conversations(self):
        for tasks in ([], ["--tasks", "backward"]):
            out, _ = self.collect("--style", "messages", *tasks, self.project, name=f"chat{len(tasks)}")
            weft("validate", out)
        reasons = {s["kernel"]: s["reason"] for s in lines(f"{out}/skipped.jsonl")}
        self.assertEqual(reasons["many_parameters"], "no form in a record")

    def test_validate_is_clean_and_finds_damage(self):
        out, _ = self.collect()
        weft("validate", out)
        (shard,) = os.listdir(f"{out}/data")
        whole = records(out)
        for path, value in (("origin", "found"), ("launch", "n,m,p"), ("structure", "0" * 32)):
            changed = json.loads(json.dumps(whole))
            changed[0]["metadata"][path] = value
            write(f"{self.temporary.name}/bad.jsonl", "".join(json.dumps(r) + "\n" for r in changed))
            self.assertIn(changed[0]["id"], weft("validate", f"{self.temporary.name}/bad.jsonl", code=1), path)
        for key, value in (("values", "0:"), ("shape", "n,m,p")):
            changed = json.loads(json.dumps(whole))
            record = next(r for r in changed if r["metadata"]["arguments"][-1]["values"])
            record["metadata"]["arguments"][-1][key] = value
            write(f"{self.temporary.name}/bad.jsonl", "".join(json.dumps(r) + "\n" for r in changed))
            self.assertIn(record["id"], weft("validate", f"{self.temporary.name}/bad.jsonl", code=1), value)
        for key in ("inputs", "mutants", "killed"):
            changed = json.loads(json.dumps(whole))
            changed[0]["metadata"]["verification"][key] += -1 if key == "killed" else 1
            write(f"{self.temporary.name}/bad.jsonl", "".join(json.dumps(r) + "\n" for r in changed))
            self.assertIn(changed[0]["id"], weft("validate", f"{self.temporary.name}/bad.jsonl", code=1), key)
        changed = json.loads(json.dumps(whole))  # the same verdict on other inputs
        record = next(r for r in changed if r["metadata"]["arguments"][-1]["values"] == "0:61")
        record["metadata"]["arguments"][-1]["values"] = "0:62"
        write(f"{self.temporary.name}/bad.jsonl", "".join(json.dumps(r) + "\n" for r in changed))
        self.assertIn("metadata.sha256.inputs", weft("validate", f"{self.temporary.name}/bad.jsonl", code=1))
        text = whole[0]["python_source"]
        whole[0]["python_source"] = text.replace("2", "3", 1)
        write(f"{out}/data/{shard}", "".join(json.dumps(r) + "\n" for r in whole))
        weft("validate", out, code=1)

    def test_a_pointer_without_a_value_is_found(self):
        """In the backward text of a kernel whose adjoint the author wrote, nothing else reads it."""
        out, _ = self.collect()
        (record,) = [r for r in records(out) if r["metadata"]["kernel_name"] == "uses_gradient"]
        text = re.sub(r"\n *var_1 = wp::address\(var_a, var_0\);", "", record["cuda_ir_backward"])
        self.assertNotEqual(text, record["cuda_ir_backward"])
        record["cuda_ir_backward"] = text
        write(f"{self.temporary.name}/bad.jsonl", json.dumps(record) + "\n")
        self.assertIn("execution: ", weft("validate", "--checks", "execution", f"{self.temporary.name}/bad.jsonl", code=1))

    def test_native_code_is_of_the_texts_device(self):
        write(os.path.join(self.project, "parts", "branches.py"), BRANCHES)
        for device in ("cpu", "cuda"):
            out, _ = self.collect("--device", device, self.project, name=device)
            (record,) = [r for r in records(out) if r["metadata"]["kernel_name"] == "multiplies"]
            self.assertEqual(record["metadata"]["verification"]["status"], "forward", device)

    def test_structs_of_an_array_have_arrays(self):
        """Each struct has its own; their gradients are not judged."""
        out, _ = self.collect("--device", "both", self.project)
        (record,) = [r for r in records(out) if r["metadata"]["kernel_name"] == "weighs_cells"]
        proof = record["metadata"]["verification"]
        self.assertEqual((proof["status"], proof["killed"]), ("forward", proof["mutants"]))
        self.assertIn("gradients of arrays in the structs of an array", proof["why"])

    def test_sets_of_inputs_take_turns(self):
        """Of one kernel an array is there and is not; of another one the launch is as long as it has to be."""
        out, _ = self.collect(self.turns_project())
        found = {r["metadata"]["kernel_name"]: r["metadata"] for r in records(out)}
        values = {a["name"]: a["values"] for a in found["rows"]["arguments"]}
        self.assertIn("none", values["counts"].split("|"))
        self.assertIn("", values["values"].split("|"))
        self.assertRegex(found["halves"]["launch"], r"n=\d+")
        for name in ("rows", "halves"):
            proof = found[name]["verification"]
            self.assertGreaterEqual(10 * proof["killed"], 9 * proof["mutants"], name)
            self.assertIn(proof["status"], ("exact", "warp_differs"), name)
        self.assertEqual([a["values"] for a in found["sampled"]["arguments"]][:2], ["volume", "volume.vec3"])
        self.assertEqual(found["sampled"]["verification"]["status"], "exact")
        proof = found["textured"]["verification"]
        self.assertEqual((proof["status"], proof["killed"]), ("exact", proof["mutants"]))
        proof = found["stored"]["verification"]  # what it writes is in the volume alone
        self.assertEqual((proof["status"], proof["killed"]), ("nondifferentiable", proof["mutants"]))
        weft("validate", out)
        for field, change in (("launch", lambda s: s.replace("n=", "n=0")), ("launch", lambda s: s + "|n,m"),
                              ("launch", lambda s: s.replace("n=", "m="))):
            changed = [json.loads(json.dumps(r)) for r in records(out) if r["metadata"]["kernel_name"] == "halves"]
            changed[0]["metadata"][field] = change(changed[0]["metadata"][field])
            write(f"{self.temporary.name}/bad.jsonl", "".join(json.dumps(r) + "\n" for r in changed))
            self.assertIn("launch", weft("validate", f"{self.temporary.name}/bad.jsonl", code=1))

    def turns_project(self):
        folder = f"{self.temporary.name}/turns"
        write(f"{folder}/turns.py", TURNS)
        shutil.copy(f"{self.project}/LICENSE", folder)
        return folder

    def test_other_commands_take_it(self):
        out, _ = self.collect()
        weft("stats", out)
        for command in ("dedup", "split --ratios 50,50"):
            made = f"{self.temporary.name}/{command[:5]}"
            weft(*command.split(), "--output", made, out)
            weft("validate", made)
            card = read(f"{made}/README.md")
            self.assertIn("\nlicense: other\n", card)  # no blanket licence for the code of others
            self.assertRegex(card, r"\n\| project \|  \| MIT \| \d+ \|\n")
        weft("generate", "--kind", "exercise", "--count", "12", "-q", "--output", f"{self.temporary.name}/made")
        both = f"{self.temporary.name}/both"
        weft("dedup", "--output", both, f"{self.temporary.name}/made", out)
        card = read(f"{both}/README.md")
        self.assertIn("\nlicense: other\n", card)
        self.assertIn("- name: provenance\n", card)
        self.assertEqual(len(records(both)), 12 + len(records(out)))
        weft("validate", both)

    def test_a_file_for_each_record(self):
        out, _ = self.collect(name="lines")
        each, _ = self.collect("--format", "files", self.project, name="each")
        names = sorted(name for name in files(each) if "/" in name)
        self.assertEqual({name: lines(f"{each}/{name}") for name in names},
                         {f"{r['metadata']['category']}/{r['id']}.json": [r] for r in records(out)})
        self.assertIn('path: "*/*.json"', read(f"{each}/README.md"))
        weft("validate", each)
        for command in ("dedup", "split --ratios 50,50", "merge"):
            made = f"{self.temporary.name}/{command[:5]}"
            weft(*command.split(), "--output", made, each)
            weft("validate", made)
            self.assertEqual(sorted(r["id"] for r in records(made)), sorted(r["id"] for r in records(out)))
        weft("stats", each)
        weft("report", "--output", f"{self.temporary.name}/page.html", each)
        write(f"{each}/{names[0]}", read(f"{each}/{names[0]}").replace("warp", "wrap", 1))
        self.assertIn(names[0], weft("validate", each, code=1))
        os.unlink(f"{each}/{names[0]}")
        self.assertIn("the manifest names it, and it is not there", weft("validate", each, code=1))

    def test_merge(self):
        out, _ = self.collect()
        parts, _ = self.collect(f"{self.project}/app.py", name="parts")
        weft("generate", "--kind", "exercise", "--count", "12", "-q", "--output", f"{self.temporary.name}/made")
        for first, second in (("out", "made"), ("made", "out"), ("parts", "out")):
            both = f"{self.temporary.name}/{first}_{second}"
            weft("merge", "--output", both, f"{self.temporary.name}/{first}", f"{self.temporary.name}/{second}")
            weft("validate", both)
            ids = {r["id"] for name in (first, second) for r in records(f"{self.temporary.name}/{name}")}
            self.assertEqual({r["id"] for r in records(both)}, ids if "made" in both else {r["id"] for r in records(out)})
            card = read(f"{both}/README.md")
            self.assertIn("\nlicense: other\n", card)
            self.assertIn("joined by `weft merge`", card)
            self.assertRegex(card, r"\n\| project \|  \| MIT \| \d+ \|\n")
        weft("merge", "--output", f"{self.temporary.name}/no", f"{self.temporary.name}/made", f"{self.temporary.name}/made", code=2)

    def test_exclude_leaves_structures_out(self):
        first, _ = self.collect(name="first")
        write(f"{self.project}/late.py", "import warp as wp\n\n\n@wp.kernel\ndef very_late(a: wp.array(dtype=float)):\n"
              "    i = wp.tid()\n    a[i] = wp.sin(a[i]) * wp.cos(a[i])\n")
        out, _ = self.collect("--exclude", first, self.project)
        reasons = {s["kernel"]: s["reason"] for s in lines(f"{out}/skipped.jsonl")}
        self.assertEqual(reasons["late"], "excluded")
        self.assertEqual([r["metadata"]["kernel_name"] for r in records(out)], ["very_late"])


    def test_forward_text_has_the_adjoints_that_it_calls(self):
        write(f"{self.project}/graded.py", "import warp as wp\n\n\n@wp.func\ndef cube(x: float):\n    return x * x * x\n\n\n"
              "@wp.kernel\ndef graded(a: wp.array(dtype=float)):\n    i = wp.tid()\n    a[i] = wp.grad(cube)(a[i])\n")
        out, _ = self.collect("--device", "both", f"{self.project}/graded.py")
        (record,) = records(out)
        for text in (record["cpp_forward"], record["cuda_ir_forward"]):
            self.assertIn("static", text.split("adj_cube_0(")[0].splitlines()[-1])
        weft("validate", out)

    def test_long_arrays(self):
        write(f"{self.project}/table.py", "import warp as wp\n\n\n@wp.kernel\ndef looked_up(t: wp.array(dtype=int), a: wp.array(dtype=int)):\n"
              "    i = wp.tid()\n    a[i] = t[(a[i] & 255) * 13 + 5] + t[3300]\n")
        out, _ = self.collect(f"{self.project}/table.py")
        (record,) = records(out)
        self.assertEqual(record["metadata"]["verification"]["why"], "")

    def test_a_record_longer_than_a_line_may_be(self):
        write(f"{self.project}/long.py", KERNEL.rstrip() + "  # " + "x" * 6_000_000 + KERNEL.partition("\n")[2].replace("twice", "again"))
        out, _ = self.collect(f"{self.project}/long.py")
        (record,), (skipped,) = records(out), lines(f"{out}/skipped.jsonl")
        self.assertEqual(record["metadata"]["kernel_name"], "again")
        self.assertEqual((skipped["kernel"], skipped["why"]), ("twice", "its record is longer than 16 MiB"))

    def test_kernels_with_tiles(self):
        """What a function is given by wp.tile_map has the role that it has there; failing trials take little memory."""
        write(f"{self.project}/mapped.py", "import warp as wp\n\n\n@wp.func\ndef depth(i: int, mesh: wp.uint64, p: wp.vec3):\n"
              "    q = wp.mesh_query_point(mesh, p * float(i), 1.0e6)\n    return q.sign * q.u\n\n\n@wp.kernel\n"
              "def mapped(mesh: wp.uint64, p: wp.vec3, out: wp.array(dtype=float)):\n    i, lane = wp.tid()\n"
              "    t = wp.tile_map(depth, wp.tile_arange(32, dtype=int), mesh, p)\n    wp.tile_store(out, t, offset=i * 32)\n\n\n"
              "@wp.kernel\ndef narrow(x: wp.array(dtype=int), out: wp.array(dtype=int)):\n    i, lane = wp.tid()\n"
              "    t = wp.tile_load(x, 32)\n    out[lane] = wp.tile_extract(t, wp.block_dim() - 1)\n")
        out, _ = self.collect(f"{self.project}/mapped.py")
        found = {r["metadata"]["kernel_name"]: r["metadata"] for r in records(out)}
        self.assertEqual(found["mapped"]["arguments"][0]["values"], "mesh")
        self.assertNotEqual(found["mapped"]["verification"]["status"], "not_run")
        self.assertIn("index 255 is out of bounds", found["narrow"]["verification"]["why"])
        self.assertEqual([found[name]["block_dim"] for name in ("mapped", "narrow")], [256, 256])
        write(f"{out}/data/train-00000-of-00001.jsonl", read(f"{out}/data/train-00000-of-00001.jsonl").replace('"block_dim": 256', '"block_dim": 128'))
        self.assertIn("metadata.block_dim is not 256, which its tiles want", weft("validate", out, code=1))

    def test_all_overloads_are_copied(self):
        overloads = "".join(f"@wp.func\ndef pick(x: wp.types.vector(length={n}, dtype=float)):\n    return x[{n - 1}]\n\n\n" for n in range(1, 301))
        write(f"{self.project}/many.py", f"import warp as wp\n\n\n{overloads}@wp.kernel\ndef many(a: wp.array(dtype=wp.types.vector(length=300, dtype=float)), b: wp.array(dtype=float)):\n"
              "    i = wp.tid()\n    b[i] = pick(a[i])\n")
        out, _ = self.collect("--no-verify", f"{self.project}/many.py")
        (record,) = records(out)
        self.assertEqual(record["python_source"].count("def pick"), 300)


class Files(Collected):
    def test_ignored_files_are_left_out(self):
        kernel = "import warp as wp\n\n\n@wp.kernel\ndef {0}(a: wp.array(dtype=float)):\n    a[wp.tid()] = wp.sin(float({1}))\n"
        names = {"build/x.py": "build/", "deep/build/y.py": "build/", "top.py": "/top.py", "deep/top.py": None, "gen_1.py": "gen_?.py",
                 "a/b/c/end.py": "a/**/end.py", "keep_me.py": "*_me.py\n!keep_me.py", "tmp_me.py": ""}
        write(f"{self.project}/.gitignore", "# comment\n" + "\n".join(dict.fromkeys(v for v in names.values() if v)) + "\n")
        for i, name in enumerate(names):
            body = kernel.format(f"k{i}", i) + "".join(f"    a[{k}] = 1.0\n" for k in range(i + 1))
            write(f"{self.project}/{name}", body)
        out, _ = self.collect()
        found = {r["metadata"]["provenance"]["path"] for r in records(out)} & set(names)
        self.assertEqual(found, {"deep/top.py", "keep_me.py"})

    def test_licences(self):
        write(f"{self.project}/bare/LICENSE", "Apache License\nVersion 2.0, January 2004\n")
        shutil.copy(f"{self.project}/parts/steps.py", f"{self.project}/bare/steps.py")
        write(f"{self.project}/bare/shapes.py", "UNIT = 3.0\n")
        write(f"{self.project}/bare/__init__.py", "")
        out, _ = self.collect("--licenses", "apache-2.0", self.project)
        self.assertEqual([r["metadata"]["provenance"]["license"] for r in records(out)], ["Apache-2.0"])
        os.unlink(f"{self.project}/LICENSE")
        out, table = self.collect(self.project, name="known")
        self.assertEqual([r["metadata"]["provenance"]["path"] for r in records(out)], ["bare/steps.py"])
        self.assertRegex(table, r"left out by licence +4\n")
        with open(f"{out}/README.md", encoding="utf-8") as stream:
            card = stream.read()
        self.assertIn("| project |  | Apache-2.0 | 1 |", card)
        self.assertIn("\nlicense: other\n", card)

    def test_a_licence_in_a_file(self):
        """A file's own line goes before what lies around it, in stubs and single modules too."""
        write(f"{self.project}/own.py", "#!/usr/bin/env python3\n# Copyright: us\n# SPDX-License-Identifier: BSD-2-Clause OR MIT\n" + KERNEL)
        write(f"{self.project}/secret.py", "# SPDX-License-Identifier: LicenseRef-Ours\n" + KERNEL)
        write(f"{self.project}/LICENSE", "SPDX-License-Identifier: Zlib\n")
        out, table = self.collect(self.project)
        found = {r["metadata"]["provenance"]["path"]: r["metadata"]["provenance"]["license"] for r in records(out)}
        self.assertEqual(found, {"app.py": "Zlib", "own.py": "BSD-2-Clause OR MIT", "parts/steps.py": "Zlib"})
        self.assertRegex(table, r"left out by licence +1\n")
        self.assertIn({"package": "project", "path": "secret.py", "line": 0, "kernel": "", "reason": "licence",
                       "why": "it states LicenseRef-Ours, and what that allows is not known"}, lines(f"{out}/skipped.jsonl"))
        self.assertEqual(json.loads(read(f"{out}/stats.json"))["skipped"]["licence"], 1)
        for old, new in (('"licence": 1', '"licence": 2'), ('"licence": 1', '"duplicate": 1')):
            text = read(f"{out}/stats.json")
            write(f"{out}/stats.json", text.replace(old, new))
            self.assertIn("are not those of skipped.jsonl", weft("validate", out, code=1))
            write(f"{out}/stats.json", text)
        site = f"{self.temporary.name}/site-packages"
        write(f"{site}/single.py", KERNEL)
        write(f"{site}/single-2.0.dist-info/RECORD", "single.py,sha256=x,1\n")
        write(f"{site}/single-2.0.dist-info/METADATA", "Name: single\nVersion: 2.0\nLicense-Expression: PSF-2.0\n\n")
        out, _ = self.collect("-I", site, "single", name="single")
        self.assertEqual([r["metadata"]["provenance"]["license"] for r in records(out)], ["PSF-2.0"])
        out, _ = self.collect(f"{site}/single.py", name="path")
        self.assertEqual([r["metadata"]["provenance"]["license"] for r in records(out)], ["PSF-2.0"])

    def test_a_licence_that_is_not_recognised(self):
        """The file is named: to the user, and where a kernel needs the code of such a folder."""
        own = f"{self.project}/LICENSE"
        shutil.copy(own, f"{self.project}/parts")
        write(f"{self.project}/bare/LICENSE", "Do what you like.\n")
        shutil.copy(f"{self.project}/parts/steps.py", f"{self.project}/bare/steps.py")
        done = run("collect", "--no-verify", "--output", f"{self.temporary.name}/some", f"{self.project}/bare", f"{self.project}/parts")
        self.assertIn(f"1 Python file is left out: the text of '{self.project}/bare/LICENSE' is not recognised as a licence", done.stderr)
        self.assertRegex(done.stdout, r"left out by licence +1\n")
        none = f"{self.temporary.name}/none"
        told = refused("collect", "--output", none, f"{self.project}/bare")
        self.assertIn(f"the licence of 1 Python file is not known: the text of '{self.project}/bare/LICENSE' is not recognised", told)
        self.assertFalse(os.path.exists(none))

    def test_a_licence_that_is_not_recognised_ends_the_outer_one(self):
        """In a folder of a project or package; a package's metadata speak of its first folder."""
        write(f"{self.project}/bare/LICENSE", "Do what you like.\n")
        write(f"{self.project}/bare/deep/own.py", KERNEL)
        out, table = self.collect()
        self.assertNotIn("bare/deep/own.py", {r["metadata"]["provenance"]["path"] for r in records(out)})
        self.assertRegex(table, r"left out by licence +1\n")
        site = f"{self.temporary.name}/site-packages"
        write(f"{site}/ours/__init__.py", "")
        write(f"{site}/ours/a.py", "import warp as wp\n\nfrom ours.theirs.b import cube\n\n\n@wp.kernel\ndef cubes(a: wp.array(dtype=float)):\n"
              "    i = wp.tid()\n    a[i] = cube(a[i])\n\n\n@wp.kernel\ndef plain(a: wp.array(dtype=float)):\n    a[wp.tid()] = 2.0\n")
        write(f"{site}/ours/theirs/b.py", "import warp as wp\n\n\n@wp.func\ndef cube(x: float):\n    return x * x * x\n")
        write(f"{site}/ours/LICENSE", "Our own words.\n")
        write(f"{site}/ours/theirs/LICENSE", "Do what you like.\n")
        write(f"{site}/ours-1.0.dist-info/RECORD", "ours/__init__.py,,\n")
        write(f"{site}/ours-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: ours\nVersion: 1.0\nLicense-Expression: MIT\n\n")
        out, table = self.collect("-I", site, "ours", name="installed")
        self.assertEqual([r["metadata"]["provenance"]["license"] for r in records(out)], ["MIT"])
        self.assertRegex(table, r"left out by licence +1\n")
        self.assertEqual({s["kernel"]: s["reason"] for s in lines(f"{out}/skipped.jsonl")}, {"": "licence", "cubes": "licence of a part"})

    def test_an_interrupt(self):
        """It says how to go on, once there is something to go on with; no empty folder is left."""
        out = f"{self.temporary.name}/out"
        journal = f"{out}.collecting.journal"
        for _ in range(50):
            process = subprocess.Popen([WEFT, "collect", "-q", "-j", "1", "--output", out, self.project], stderr=subprocess.PIPE, text=True)
            while process.poll() is None and not (os.path.exists(journal) and '{"end": 1, ' in read(journal)):
                pass
            process.send_signal(signal.SIGINT)
            _, told = process.communicate()
            if process.returncode == 130:
                break
            shutil.rmtree(out)
        self.assertIn("--resume goes on from there" if os.path.exists(journal) else "nothing was written", told)
        self.assertTrue(os.path.exists(journal))
        self.assertFalse(os.path.exists(out))
        self.collect("--resume", self.project)

    def test_an_interrupt_within_a_file(self):
        """A file whose proofs take a minute ends soon after a signal; what comes before it is kept."""
        endless = "".join(f"""

@wp.kernel
def endless_{n}(a: wp.array(dtype=float)):
    i = wp.tid()
    s = float({n})
    for k in range(10000000):
        s = wp.sin(s + a[i])
    a[i] = s
""" for n in range(20))
        code = f"{self.temporary.name}/code"
        write(f"{code}/a.py", KERNEL)
        write(f"{code}/b.py", f"import warp as wp\n{endless}")
        write(f"{code}/LICENSE", read(f"{self.project}/LICENSE"))
        out = f"{self.temporary.name}/out"
        process = subprocess.Popen([WEFT, "collect", "-q", "-j", "1", "--output", out, code], stderr=subprocess.PIPE, text=True)
        journal = f"{out}.collecting.journal"
        while process.poll() is None and not (os.path.exists(journal) and '{"end"' in read(journal)):
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertIn("--resume goes on from there", told)
        self.assertIn("twice", read(journal))

    def test_installed_package(self):
        site = f"{self.temporary.name}/site"
        shutil.copytree(f"{self.project}/parts", f"{site}/parts")
        write(f"{site}/parts_of_ours-1.5.dist-info/RECORD", "parts/__init__.py,,\n")
        write(f"{site}/parts_of_ours-1.5.dist-info/METADATA",
              "Metadata-Version: 2.1\nName: parts-of-ours\nVersion: 1.5\nClassifier: License :: OSI Approved :: MIT License\n"
              "Project-URL: Docs, https://example.org/docs\nProject-URL: Source Code, https://me:secret@example.org/ours/parts.git\n\nText\n")
        stubs = f"{self.temporary.name}/stubs"
        write(f"{stubs}/parts/steps.pyi", "UNIT = 2.0\n")  # which makes it no package
        out, _ = self.collect("-I", stubs, "-I", site, "parts")
        (record,) = records(out)
        self.assertEqual(record["metadata"]["provenance"],
                         {"package": "parts-of-ours", "version": "1.5", "path": "parts/steps.py", "line": 37, "license": "MIT",
                          "repository": "https://example.org/ours/parts", "instance": "", "types_from": ""})
        write(f"{site}/parts_of_ours-1.5.dist-info/RECORD", "parts_of_ours-1.5.dist-info/METADATA,,\nparts/__init__.py,,\nparts/steps.py,,\n")
        for name in ("parts-of-ours", "Parts.of_ours"):  # as pip knows it
            out, _ = self.collect("-I", site, name, name=name)
            self.assertEqual([r["metadata"]["provenance"] for r in records(out)], [record["metadata"]["provenance"]])
        self.assertIn("'parts-of' is no file", run("collect", "--output", f"{self.temporary.name}/no", "-I", site, "parts-of", code=3).stderr)
        for place in ("parts", "parts/steps.py", "."):  # by its path, of a folder that pip --target made; all of that folder
            out, _ = self.collect(f"{site}/{place}", name=place.replace("/", "_").replace(".", "whole"))
            self.assertEqual([r["metadata"]["provenance"] for r in records(out)], [record["metadata"]["provenance"]])

    def test_parts_of_other_packages(self):
        site = f"{self.temporary.name}/site-packages"
        for name, text in (("ours", "import warp as wp\n\nfrom lib.more import cube\n\n\n@wp.kernel\ndef cubes(a: wp.array(dtype=float)):\n"
                            "    i = wp.tid()\n    a[i] = cube(a[i])\n"),
                           ("lib", "import warp as wp\n\n\n@wp.func\ndef cube(x: float):\n    return x * x * x\n")):
            write(f"{site}/{name}/__init__.py", "")
            write(f"{site}/{name}/more.py", text)
            write(f"{site}/{name}-1.0.dist-info/RECORD", f"{name}/__init__.py,,\n")
        head = "Metadata-Version: 2.1\nName: {}\nVersion: 1.0\n{}\n\n"
        write(f"{site}/ours-1.0.dist-info/METADATA", head.format("ours", "License-Expression: MIT"))
        write(f"{site}/lib-1.0.dist-info/METADATA", head.format("lib", "License-Expression: BSD-3-Clause"))
        out, _ = self.collect("-I", site, "ours", name="both")
        self.assertEqual([r["metadata"]["provenance"]["license"] for r in records(out)], ["MIT AND BSD-3-Clause"])
        self.assertIn("| ours | 1.0 | MIT AND BSD-3-Clause | 1 |", read(f"{out}/README.md"))
        weft("validate", out)
        words = ("collect", "--output", f"{self.temporary.name}/one", "-I", site, "ours")
        self.assertIn("of 1 kernel none became a record (licence of a part: 1); the first: ", refused(*words, "--licenses", "mit"))
        write(f"{site}/lib-1.0.dist-info/METADATA", head.format("lib", "Summary: no licence"))
        self.assertIn("licence is not known", refused(*words))
        unread = f"{site}/lib-1.0.dist-info/LICENSE"
        write(unread, "Do what you like.\n")
        self.assertIn(f"licence is not known: the text of 'lib-1.0.dist-info/LICENSE' is not recognised", refused(*words))
        self.assertFalse(os.path.exists(f"{self.temporary.name}/one/manifest.json"))

    def test_refusals(self):
        out, _ = self.collect()
        weft("collect", "--output", out, self.project, code=2)
        weft("collect", "--output", f"{out}2", f"{self.project}/missing", code=3)
        weft("collect", self.project, code=2)
        self.assertEqual([n for n in os.listdir(self.temporary.name) if "collecting" in n], [])


def site_folder():
    """Where warp-lang is installed; None: nowhere."""
    python = os.environ.get("WEFT_ORACLE_PYTHON", os.path.join(HERE, "../../build/venv/bin/python"))
    code = "import importlib.util as u; print(u.find_spec('warp').submodule_search_locations[0])"
    if not os.path.exists(python):
        return None
    return os.path.dirname(subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()) or None


class Examples(Collected):
    """A part of warp-lang's examples: each kernel a record or listed, texts those of the original file."""

    def test_examples(self):
        site = site_folder()
        if not site:
            self.skipTest("warp-lang is not installed")
        site = os.path.abspath(site)
        out, _ = self.collect("-I", site, "--device", "both", "warp.examples.core")
        made, found = records(out), 0
        skipped = {(s["path"], s["line"]) for s in lines(f"{out}/skipped.jsonl")}
        for path in sorted({r["metadata"]["provenance"]["path"] for r in made}):
            done = subprocess.run([WEFT, "compile", "--emit", "json", "-I", site, f"{site}/{path}"], capture_output=True, text=True)
            kernels = {k["line"]: k for k in map(json.loads, done.stdout.splitlines())}
            here = {r["metadata"]["provenance"]["line"]: r for r in made if r["metadata"]["provenance"]["path"] == path}
            for line, kernel in kernels.items():
                self.assertTrue(line in here or (path, line) in skipped, f"{path}:{line}")
            for line, record in here.items():
                texts = {"cpu": record["cpp_forward"], "cuda": record["cuda_ir_forward"]}
                for device, text in texts.items():
                    self.assertIn(placeless(text).strip()[-400:], placeless(kernels[line][device]), f"{path}:{line}")
                found += 1
        self.assertGreater(found, 40)
        weft("validate", out)
        proven = sum(r["metadata"]["verification"]["status"] != "not_run" for r in made)
        self.assertGreater(proven, len(made) // 3)


class PythonOfWarp(Collected):
    """Functions that Warp has in Python: they are Warp's, and not copied."""

    def test_written_in_python(self):
        site = site_folder()
        if not site:
            self.skipTest("warp-lang is not installed")
        write(f"{self.project}/composed.py", "import warp as wp\n\n\n@wp.kernel\ndef composed(m: wp.array(dtype=wp.mat44)):\n"
              "    i = wp.tid()\n    m[i] = wp.transform_compose(wp.vec3(1.0, 2.0, 3.0), wp.quat_identity(), wp.vec3(m[i][0, 0], 1.0, 2.0))\n")
        out, _ = self.collect("-I", os.path.abspath(site), f"{self.project}/composed.py")
        (record,) = records(out)
        self.assertEqual(record["metadata"]["verification"]["status"], "exact")
        weft("validate", "-I", os.path.abspath(site), out)


if __name__ == "__main__":
    WEFT, ACCEPT = os.path.abspath(sys.argv[1]), "--accept" in sys.argv[2:]
    part.main(part.take(sys.argv), argv=sys.argv[:1])
