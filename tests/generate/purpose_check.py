#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft generate --kind purpose`: the same bytes with any number of threads; every style, task and
format is valid; prompts say what the kernel has and do not show it; a prompt that is changed,
missing or too many is found. The same of sets that mix such kernels with exercises (--mix): one
schema, any slice the same bytes, and every command takes them.

usage: purpose_check.py WEFT [--one-in N [--seed S]]
"""

import collections
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import part  # noqa: E402

WEFT = sys.argv.pop(1)
PART = part.take(sys.argv)
COUNT = 120
LIBRARY = set(re.findall(r"\w+", "".join(path.read_text() for path in (pathlib.Path(__file__).parents[2] / "src/compose/library").glob("*.py"))))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
# The languages of the blocks of question and answer.
TASKS = {
    "text-to-warp": [[], ["python"]],
    "text-to-cuda": [["cuda"], ["cuda"]],
    "warp-to-cuda": [["python", "cuda"], ["cuda"]],
    "cuda-to-warp": [["cuda"], ["python"]],
    "forward-to-backward": [["cuda"], ["cuda"]],
    "completion": [["python"], ["python"]],
}


def tokens(text):
    """The estimate, as docs/records.md says it."""
    runs = re.findall(r"([A-Za-z]+)|([^A-Za-z0-9\s]+)|[0-9\n]", text.encode().decode("latin-1"), re.A)
    return sum((len(letters) + 7) // 8 if letters else (len(signs) + 1) // 2 if signs else 1 for letters, signs in runs)


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

    def test_without_backward(self):
        """A kernel that has no gradient may say so: no backward text then, and none is missed. Where another
        kernel has none, that is found; sets of proven gradients have no such kernel."""
        text = self.generate("--count", COUNT, "--device", "both")
        records = [json.loads(line) for line in text.splitlines()]
        seen = 0
        for record in records:
            forward = "enable_backward=False" in record["python_source"]
            seen += forward
            texts = [record[key] for key in ("cuda_ir_backward", "cpp_backward")]
            self.assertEqual([not text for text in texts], [forward] * 2, record["id"])
            self.assertEqual(record["metadata"]["verification"]["status"] == "forward", forward, record["id"])
        self.assertIn(seen, range(1, COUNT // 8))
        code, said = self.validate(text)
        self.assertEqual(code, 0, said)
        first = next(r for r in records if r["cpp_backward"])
        first["cuda_ir_backward"] = first["cpp_backward"] = ""
        for key in ("cuda_ir_backward", "cpp_backward"):
            del first["metadata"]["sha256"][key]
        code, said = self.validate(*records)
        self.assertEqual((code, "backward texts, other than" in said), (1, True), said)
        self.assertNotIn("enable_backward", self.generate("--count", "60", "--gradients", "exact"))

    def test_levels(self):
        for level in range(1, 6):
            with self.subTest(level):
                text = self.generate("--count", "60", "--difficulty", str(level))
                self.assertEqual({json.loads(line)["difficulty"] for line in text.splitlines()}, {level})
                code, said = self.validate(text)
                self.assertEqual(code, 0, said)
        hard = [json.loads(line) for line in text.splitlines()]
        for record in hard:
            self.assertIn("level=5", record["metadata"]["target"].split())
            self.assertRegex(record["python_source"], r"(?m)^ +(for|while) ")
        self.assertNotIn("arithmetic", {record["metadata"]["category"] for record in hard})

    def test_lines(self):
        text = self.generate("--count", "60", "--min-lines", "18", "--max-lines", "24", "--no-verify")
        for line in text.splitlines():
            self.assertIn(json.loads(line)["metadata"]["counts"]["kernel_lines"], range(18, 25))
        code, said = self.validate(text)
        self.assertEqual(code, 0, said)
        done = weft("generate", "--kind", "purpose", "--count", "9", "--min-lines", "70", "--output", "-")
        self.assertEqual((done.returncode, "mostly 15 to 40 lines" in done.stderr), (1, True))
        done = weft("generate", "--kind", "purpose", "--count", "9", "--difficulty", "1", "--min-lines", "10", "--no-verify", "--output", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = weft("generate", "--kind", "purpose", "--count", "9", "--difficulty", "5", "--categories", "arithmetic", "--output", "-")
        self.assertEqual((done.returncode, "category arithmetic have none" in done.stderr), (2, True))

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
                self.assertNotRegex(prompt, r"[{}%$&]|``|(?<!\n)  |(?<!\.)\.\.(?!\.)|None|\bof each \.")
                # Nothing hangs in the air: results without a name, functions behind the last item of a list.
                self.assertNotRegex(prompt, r"Of the result|(?m:^\d\. .*The `wp\.func`)")
                self.assertIn(f"`{record['metadata']['kernel_name']}`", prompt)
                self.assertLessEqual(len(record["metadata"]["kernel_name"]), 64)
                numbered = re.findall(r"\b[a-z]\w{2,}[a-z](?<!vec)(?<!mat)[2-9]\b", source)
                self.assertEqual([name for name in numbered if name not in LIBRARY], [])  # such as velocities2
                head = source[source.index("@wp.kernel") :]
                arguments, _, constants = prompt.partition("\nConstants:\n")
                constants = re.findall(r"^- `(.*?)`: the ", constants, re.M)
                self.assertEqual(constants, [f"{name} = {value}" for name, value in re.findall(r"^(\w+) = wp\.constant\((-?\d+\.\d+)\)$", source, re.M)])
                for constant in constants:
                    self.assertGreater(source.count(constant.split()[0]), 1)
                listed = re.findall(r"^- `(.*?)`: ", arguments, re.M)
                self.assertEqual(listed, [line.strip()[:-1] for line in head[: head.index("\n):")].splitlines()[2:]])
                body = [line.strip() for line in head[head.index("\n):") :].splitlines()]
                shown = [line for line in body if "=" in line and line in prompt]
                self.assertEqual(shown, [])  # no statement of the answer
                for function in re.findall(r"^@wp.func\ndef (\w+)", source, re.M):
                    self.assertTrue(f"`{function}`" in prompt or source.count(function) > 1)
        sources = "".join(r["python_source"] for r in self.records)
        self.assertNotRegex(re.sub(r"(?ms)^wp\.overload\(.*?^\)$", "", sources), r"\{|\}")

    def test_random_states(self):
        """The index of a random state is one that the prompt speaks of, whatever the kernel calls it."""
        for record in self.records:
            prompt = record["prompt"]
            for call, index in re.findall(r"(`wp\.rand_init\([^,]*, (.*?)\)`)", prompt):
                rest = prompt.replace(call, "")
                for name in re.findall(r"(?<![\w.])[a-z]\w*", index):
                    with self.subTest(prompt, name=name):
                        self.assertRegex(rest, rf"(?<![\w.]){name}(?![\w.])")

    def test_cases(self):
        """A case in which a term is zero is said of the term, not of a letter of its formula."""
        for record in self.records:
            text = " ".join((record["prompt"] + record["python_source"]).split())
            with self.subTest(text):
                self.assertNotRegex(text, r", where (\w) is [^.:;,]*, or (zero|0) (if|beyond)")

    def test_docstrings(self):
        """Indices in docstrings are those of the kernel; masked elements are left before the work begins."""
        for record in self.records:
            source = record["python_source"]
            for said in re.findall(r'""".*?"""', source, re.S):
                code = source.replace(said, "")
                for name in re.findall(r"\[(?:\w+(?: \+|,) )?([a-z]\w*)\]", " ".join(said.split())):
                    with self.subTest(source, name=name):
                        self.assertRegex(code, rf"\b{name}\b")
            masked = re.search(r"or zero where `(\w+)(?:\[[^]]*\])?` is 0", record["prompt"])
            before = source[source.index("@wp.kernel") :].partition(f"{masked[1]}[")[0] if masked else ""
            with self.subTest(source):
                self.assertNotRegex(before, r"(?m)^ *(for|while) ")

    def test_names(self):
        """No word twice in what is said, one letter for one thing, and new values named in one way."""
        for record in self.records:
            prompt, source = record["prompt"], record["python_source"]
            with self.subTest(source):
                said = " ".join(re.findall(r'""".*?"""|(?m:^ *#[^\n]*$)', source, re.S))
                self.assertNotRegex(" ".join(said.split()), r"(?i)\b(?!that\b)([a-z]{3,}?)s? \1s?\b")
                listed = dict(re.findall(r"^ *- `(\w+): .*?`: (.*)", prompt, re.M))
                shapes = set(re.findall(r"\b[a-z]\b", " ".join(re.findall(r"of shape \((.*?)\)", prompt))))
                self.assertFalse(shapes & set(listed), "an argument is called as a size is")
                new = [name for name, text in listed.items() if text.startswith("output: the new ")]
                ways = {re.sub(r"^(out|new|next|updated)_.*|.*(_out)$|.*", r"\1\2", name) for name in new}
                self.assertLessEqual(len(ways), 1, new)
                self.assertNotRegex(source, r"\bNUM_\w*[^AEIOU]YS\b")  # NUM_ENTRIES

    def test_products(self):
        """Names side by side are a product with its sign, in prompts and in docstrings."""
        for record in self.records:
            task = record["prompt"].partition("\nArguments, ")[0].replace("`wp.func` ", "")
            said = " ".join(re.findall(r'""".*?"""', record["python_source"], re.S))
            with self.subTest(task):
                self.assertNotRegex(re.sub(r"`[^`]*`", "`", task), r"` `|` \((?!nothing)|\) `|\d [b-wy-z][,.;)]")
                self.assertNotRegex(" ".join(said.split()), r"\d\) \([a-z] [-+] [a-z]\)")
                self.assertNotIn("Write both", task)
                self.assertNotRegex(task, r"\([a-z]+ [a-z]+\) \* |\([a-z]+\) \* ")  # "(a call)" is no factor

    def test_indices(self):
        """Indices of a kernel are named in one style, and a summand is no `f_j` where nothing is `j`."""
        for record in self.records:
            source = record["python_source"]
            body = source[source.index("\n):", source.index("@wp.kernel")) :]
            with self.subTest(body):
                bound = re.findall(r"\w+", " ".join(map(" ".join, re.findall(r"(?m)^ *([\w, ]+) = wp\.tid|for (\w+) in", body))))
                styles = {style for name in bound for style in ("_id", "_idx", "_index") if name.endswith(style)}
                self.assertLessEqual(len(styles), 1, bound)
                if re.search(r"\b(\w+_j) = (?s:.*)\+=? \1$", body, re.M):
                    self.assertRegex(body, r"\bj\b")

    def test_reach(self):
        """A query reaches as far as the formula does: no cutoff beside a smoothing length."""
        for record in self.records:
            with self.subTest(prompt := record["prompt"]):
                self.assertFalse("the smoothing length, in m" in prompt and re.search("the cutoff radius|the reach of the query", prompt))
                self.assertNotRegex(prompt, r"(?m)^- `\w+ = .*: the norm of the gradient$")

    def test_sizes(self):
        """Each letter of a shape is a size of the launch, or said to be a size."""
        for record in self.records:
            with self.subTest(prompt := record["prompt"]):
                shapes = " ".join(re.findall(r"of shape \((.*?)\)(?! for n )", prompt))
                known = " ".join(map("".join, re.findall(r"`dim=(.*?)`|In the shapes, (.*?) stand", prompt)))
                self.assertLessEqual(set(re.findall(r"\b[a-zA-Z]\b", shapes)), set(re.findall(r"\b[a-zA-Z]\b", known)))
                launch = set(re.findall(r"[a-z]", "".join(re.findall(r"`dim=(.*?)`", prompt))))
                self.assertLessEqual(launch, set(re.findall(r"[a-z]", shapes)), "a launch over sizes of no array")

    def test_alike(self):
        """Of the values at the corners of an element all have locals, or none of them does."""
        for record in self.records:
            with self.subTest(source := record["python_source"]):
                for array in set(re.findall(r"\b(\w+)\[(?:\w+, )?v[0-3]\]", source)):
                    used = set(re.findall(rf"\b{array}\[(?:\w+, )?(v[0-3])\]", source))
                    loaded = set(re.findall(rf"(?m:^ +\w+ = {array}\[(?:\w+, )?(v[0-3])\]$)", source))
                    self.assertIn(loaded, (set(), used), array)

    def test_plain_cuda(self):
        for record in self.records:
            with self.subTest(record["id"]):
                self.assertIn(f"__global__ void {record['metadata']['kernel_name']}(", record["cuda_source"])
                self.assertNotIn("wp::", record["cuda_source"])

    def test_columns(self):
        license = self.generate("--count", "3", "--license", "cc0-1.0")
        self.assertEqual([json.loads(line)["license"] for line in license.splitlines()], 3 * ["cc0-1.0"])
        tested = 0
        for record in self.records:
            with self.subTest(record["id"]):
                info, tests = json.loads(record["verification_info"]), json.loads(record["tests"])
                self.assertEqual(record["problem_id"], hashlib.sha256(record["prompt"].encode()).hexdigest()[:32])
                self.assertEqual((record["difficulty"], record["license"]), (record["metadata"]["difficulty"], "apache-2.0"))
                self.assertEqual(record["tokens"], {key: tokens(record[key]) for key in record["tokens"]})
                self.assertEqual((info["language"], info["kernel_name"]), ("python", record["metadata"]["kernel_name"]))
                self.assertEqual(info["tests"], tests)
                self.assertEqual(bool(tests), not info["no_tests_because"])
                names = [argument["name"] for argument in info["arguments"]]
                for test in tests:
                    self.assertEqual(list(test["inputs"]), names)
                    self.assertTrue(test["expected"] and set(test["expected"]) <= set(names))
                    for name, value in test["expected"].items():
                        self.assertNotEqual(value, test["inputs"][name])
                tested += bool(tests)
        self.assertGreater(tested, COUNT * 0.8)

    def test_tasks(self):
        """Each new task: its blocks, what the question must not show, and that damage is found."""
        text = self.generate("--count", "240", "--style", "messages", "--tasks", ",".join(TASKS))
        self.assertEqual(self.validate(text)[0], 0)
        rows = [json.loads(line) for line in text.splitlines()]
        seen = collections.Counter(row["task"] for row in rows)
        self.assertEqual(set(seen), set(TASKS))
        self.assertGreater(min(seen.values()), 20)
        for row in rows:
            with self.subTest(row["id"]):
                question, answer = (row["messages"][i]["content"] for i in (-2, -1))
                self.assertEqual([[language for language, _ in BLOCK.findall(part)] for part in (question, answer)], TASKS[row["task"]])
                for _, code in BLOCK.findall(question + "\n" + answer):
                    self.assertFalse(code.startswith("\n") or code.endswith("\n\n"))
                self.assertNotRegex(question, r"\{\w*\}.*\?\?|\{(function|name|kernel)\}|\?\?")
                name, [_, code] = row["metadata"]["kernel_name"], BLOCK.findall(answer)[0]
                shown = [line.strip() for line in re.sub(r'""".*?"""', "", code, flags=re.S).splitlines() if re.search(r"\w+(\[.*\])? [-+*]?= .{8}", line)]
                if row["task"] in ("text-to-warp", "text-to-cuda", "completion"):
                    # Other functions of the file, which a completion shows, may have the same line.
                    asked = BLOCK.sub("", question) if row["task"] == "completion" else question
                    self.assertEqual([line for line in shown if line in asked], [])
                info = json.loads(row["verification_info"])
                self.assertEqual(info["language"], "cuda" if row["task"] in ("text-to-cuda", "warp-to-cuda", "forward-to-backward") else "python")
                if row["task"] in ("text-to-cuda", "warp-to-cuda"):
                    declared = BLOCK.findall(question)[-1][1].rstrip()
                    self.assertTrue(declared.endswith(");") and declared[declared.index("__global__") : -1] in code)
                    for struct in re.findall(r"^struct [^;]*?^\};", declared, re.M | re.S):
                        self.assertIn(struct, code)
                    self.assertNotIn("wp.", re.sub(r"`wp\.rand.*?`", "", question) if row["task"] == "text-to-cuda" else "")
                if row["task"] == "completion":
                    self.assertEqual(question.count("    ...\n"), 1)
                    self.assertRegex(code, r"\A(@wp\.\w+(\((module=\"unique\"|grid_stride=False|enable_backward=False|, )+\))?\n)+def \w+")
                    file = BLOCK.findall(question)[0][1]
                    dots = file.index("    ...\n")
                    head = file[file.rindex("\n\n\n", 0, dots) + 3 : dots]
                    whole = file[:dots] + code[len(head) :] + file[dots + 8 :]
                    self.assertTrue(code.startswith(head))
                    self.assertEqual(hashlib.sha256(whole.encode()).hexdigest(), row["metadata"]["sha256"]["python_source"])
                else:
                    self.assertIn(name, question)
        for row in rows[:60]:
            damaged = json.loads(json.dumps(row))
            damaged["messages"][-1]["content"] = re.sub(r"(.*)=", r"\1= 1 +", row["messages"][-1]["content"], count=1, flags=re.S)
            self.assertEqual(self.validate(damaged)[0], 1, row["id"])
            damaged = {**row, "tokens": {"messages": row["tokens"]["messages"] + 1}}
            self.assertEqual(self.validate(damaged)[0], 1, row["id"])

    def test_struct_names(self):
        """Where Warp's text names a struct with a hash, the question says so."""
        told = 0
        for line in self.generate("--count", "360", "--style", "messages", "--tasks", "forward,backward,both").splitlines():
            row = json.loads(line)
            question, answer = (row["messages"][i]["content"] for i in (-2, -1))
            for found in set(re.findall(r"\b(?!adj_)(\w+)_[0-9a-f]{8}\b", answer)):
                self.assertRegex(question, rf"Warp calls the struct `{found}` `{found}_[0-9a-f]{{8}}`\.")
                told += 1
        self.assertGreater(told, 3)

    def test_repairs(self):
        text = self.generate("--count", "48", "--task", "repair", "--style", "messages", "--tasks", "repair,repair-untold,repair-two")
        self.assertEqual(self.validate(text)[0], 0)
        for row in map(json.loads, text.splitlines()):
            languages = [language for turn in row["messages"] for language, _ in BLOCK.findall(turn["content"])]
            self.assertEqual(languages, ["python", "python"] if row["task"] == "repair-untold" else ["python", "text", "python"])
            self.assertEqual(len(row["defect"].split(", ")), 2 if row["task"] == "repair-two" else 1)
            if row["task"] == "repair-two":
                first, second = row["defect"].split(", ")
                for other in (f"{second}, {first}", first, f"{first}, {second}, {first}"):
                    self.assertEqual(self.validate({**row, "defect": other})[0], 1, other)
                twice = json.loads(json.dumps(row))
                broken, right = (BLOCK.findall(turn["content"])[0][1] for turn in row["messages"][-2:])
                at = next(i for i, (a, b) in enumerate(zip(broken, right)) if a != b)
                twice["messages"][-2]["content"] = twice["messages"][-2]["content"].replace(broken, broken[:at] + "x" + broken[at:])
                self.assertEqual(self.validate(twice)[0], 1)
        out = self.folder / "untold"
        done = weft("generate", "--quiet", "--count", "12", "--task", "repair", "--style", "messages", "--tasks", "repair-untold", "--output", out)
        self.assertEqual((done.returncode, weft("validate", out).returncode), (0, 0), done.stderr)
        self.assertIn("--tasks repair-untold", json.loads((out / "manifest.json").read_text())["command"])

    def test_max_tokens(self):
        pairs = self.generate("--count", "24", "--max-tokens", "4096")
        chats = self.generate("--count", "24", "--max-tokens", "700", "--style", "messages", "--tasks", "text-to-warp,text-to-cuda")
        self.assertEqual((self.validate(pairs)[0], self.validate(chats)[0]), (0, 0))
        self.assertGreater(max(max(row["tokens"].values()) for row in self.records), 4096)
        self.assertLessEqual(max(max(json.loads(line)["tokens"].values()) for line in pairs.splitlines()), 4096)
        self.assertLessEqual(max(json.loads(line)["tokens"]["messages"] for line in chats.splitlines()), 700)
        done = weft("generate", "--kind", "purpose", "--count", "24", "--max-tokens", "4096", "--output", self.folder / "short")
        self.assertRegex(done.stderr, r"made anew: .*too_long \d+")
        self.assertEqual(weft("validate", self.folder / "short").returncode, 0)

    def test_without_tests(self):
        for option, why in (("--no-tests", "--no-tests"), ("--no-verify", "it was not executed")):
            text = self.generate("--count", "6", option)
            self.assertEqual(self.validate(text)[0], 0)
            for record in map(json.loads, text.splitlines()):
                self.assertEqual((record["tests"], json.loads(record["verification_info"])["no_tests_because"]), ("[]", why))
        out = self.folder / "untested"
        done = weft("generate", "--quiet", "--kind", "purpose", "--count", "6", "--no-tests", "--output", out)
        self.assertEqual((done.returncode, weft("validate", out).returncode), (0, 0), done.stderr)
        done = weft("generate", "--quiet", "--kind", "exercise", "--count", "6", "--no-tests", "--output", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--no-tests is for kernels with a purpose", done.stderr)

    def test_damaged_columns(self):
        good = next(r for r in self.records if "float32" in r["metadata"]["arguments"][-1]["type"] and len(json.loads(r["tests"])) > 1)
        tests, info = json.loads(good["tests"]), json.loads(good["verification_info"])
        other = json.loads(good["tests"])
        name = next(iter(other[0]["expected"]))
        other[0]["expected"][name] = json.loads(re.sub(r"\d(?=[,\]])", lambda m: str((int(m[0]) + 1) % 10), json.dumps(other[0]["expected"][name]), count=1))
        cases = {
            "tests": json.dumps(other),
            "tests ": json.dumps(tests[:-1]),
            "tests  ": "[]",
            "verification_info": json.dumps({**info, "language": "cuda"}),
            "verification_info ": json.dumps({**info, "tests": other}),
            "problem_id": good["problem_id"][::-1],
            "difficulty": good["difficulty"] % 5 + 1,
            "license": "Some License!",
            "tokens": {**good["tokens"], "prompt": good["tokens"]["prompt"] + 1},
            "tokens ": {key: value for key, value in good["tokens"].items() if key != "prompt"},
        }
        for key, value in cases.items():
            key = key.strip()
            with self.subTest(key):
                code, said = self.validate({**good, key: value})
                self.assertEqual(code, 1, said)
                self.assertIn(key, said)
        for key in ("tests", "problem_id", "difficulty", "verification_info", "tokens", "license"):
            code, said = self.validate({k: value for k, value in good.items() if k != key})
            self.assertEqual(code, 1)
            self.assertIn(f"{key} is missing, which", said)

    def test_damaged_sets(self):
        """Tests that are left out, and another licence, are found by the manifest."""
        untested = self.generate("--count", "6", "--no-tests").splitlines(keepends=True)
        licensed = self.generate("--count", "6", "--license", "mit").splitlines(keepends=True)
        for name, lines, says in (("t", untested, "no tests for --no-tests"), ("l", licensed, "another license")):
            out = self.folder / f"set-{name}"
            done = weft("generate", "--quiet", "--kind", "purpose", "--seed", "11", "--count", "6", "--output", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            shard = next(out.glob("data/*.jsonl"))
            mine = shard.read_text().splitlines(keepends=True)
            shard.write_text("".join([*mine[:3], lines[3], *mine[4:]]))
            self.assertIn(says, weft("validate", out).stdout)

    def test_values_too_large(self):
        """A number of 2^32 is refused; as 32 bits it would be 0, and numbers are drawn below it."""
        record = next(r for r in map(json.loads, self.text.splitlines()) if any(a["type"].startswith("array(dtype=int32") for a in r["metadata"]["arguments"]))
        for argument in record["metadata"]["arguments"]:
            if argument["type"].startswith("array(dtype=int32"):
                argument["values"] = "distinct:4294967296"
        code, said = self.validate(record)
        self.assertEqual(code, 1, said)

    def inputs_by_values(self):
        """The inputs of tests, by what the values of their arguments begin with: (values, id)."""
        for line in self.generate("--count", "600", "--seed", "3").splitlines():
            record = json.loads(line)
            values = {a.get("values", "").split(":")[0] + " off" * (" off " in a.get("values", "")): a["name"] for a in record["metadata"]["arguments"]}
            for test in json.loads(record["tests"]):
                yield {key: test["inputs"][name] for key, name in values.items() if name in test["inputs"]}, record["id"]

    def test_relations(self):
        """An element is within the bounds of the world that it is said to be in; none is its own neighbor."""
        worlds = tables = rows = 0
        for inputs, name in self.inputs_by_values():
            if "starts" in inputs and "part" in inputs and inputs["starts"][-1] == len(inputs["part"]):
                starts = inputs["starts"]
                self.assertEqual(starts[0], 0)
                self.assertEqual(starts, sorted(starts))
                self.assertTrue(all(starts[w] <= i < starts[w + 1] for i, w in enumerate(inputs["part"])), name)
                worlds += 1
            if "-1 off" in inputs:
                self.assertTrue(all(i not in row for i, row in enumerate(inputs["-1 off"])), name)
                tables += 1
            if "0 off" in inputs and len(inputs.get("rising", [])) > 3:
                starts, ids = inputs["rising"], inputs["0 off"]
                self.assertTrue(all(i not in ids[starts[i]:starts[i + 1]] for i in range(len(starts) - 1)), name)
                rows += 1
        self.assertGreater(min(worlds, tables, rows), 3)

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
        exercise = json.loads(weft("generate", "--quiet", "--kind", "exercise", "--count", "1", "--output", "-").stdout)
        code, said = self.validate({"id": exercise["id"], "prompt": "Write it.", **exercise})
        self.assertEqual(code, 1)
        self.assertIn("not composed", said)
        code, said = self.validate({**good, "prompt": ""})
        self.assertEqual(code, 1)
        self.assertIn("prompt is empty", said)


def keys(value):
    """The keys of a record, as a loader sees them."""
    if isinstance(value, dict):
        return {key: keys(inner) for key, inner in value.items()}
    return sorted({str(keys(inner)) for inner in value}) if isinstance(value, list) else None


class Mixed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.records = cls.lines("--count", COUNT, "--mix", "purpose=2,exercise=1")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def lines(cls, *options):
        done = weft("generate", "--quiet", "--seed", "12", *options, "--output", "-")
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def whole(self, name, *options):
        out = self.folder / name
        if not out.exists():
            done = weft("generate", "--seed", "12", "--count", COUNT, "--mix", "purpose=2,exercise=1", *options, "--output", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.said = done.stdout + done.stderr
        return out

    def good(self, path):
        done = weft("validate", path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_kinds(self):
        origins = [record["metadata"]["origin"] for record in self.records]
        self.assertEqual(set(origins), {"composed", "exercise"})
        self.assertTrue(COUNT * 0.5 < origins.count("composed") < COUNT * 0.8, origins)
        more = self.lines("--count", COUNT // 2, "--mix", "exercise=10,purpose=20", "--categories", "loop")
        self.assertEqual([record["metadata"]["origin"] for record in more], origins[: COUNT // 2])
        for record in self.records:
            self.assertEqual(record["prompt"] == "", record["metadata"]["origin"] == "exercise", record["id"])
            self.assertIn("__global__ void ", record["cuda_source"])

    def test_one_schema(self):
        for record in self.records:
            self.assertEqual(list(record), list(self.records[0]))
            self.assertEqual(keys(record), keys({**self.records[0], "metadata": {**self.records[0]["metadata"], **self.plain(record)}}))

    @staticmethod
    def plain(record):
        return {"builtins": record["metadata"]["builtins"], "arguments": record["metadata"]["arguments"]}

    def test_default(self):
        def made(*options):
            return weft("generate", "--quiet", "--count", "40", "--no-verify", "--output", "-", *options).stdout

        self.assertEqual(made(), made("--mix", "purpose=9,exercise=1"))
        origins = collections.Counter(json.loads(line)["metadata"]["origin"] for line in made().splitlines())
        self.assertEqual(set(origins), {"composed", "exercise"})
        self.assertGreater(origins["composed"], 30)

    def test_tasks_without_exercises(self):
        done = weft("generate", "--quiet", "--count", "40", "--style", "messages", "--tasks", "text-to-warp", "--output", "-")
        records = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual({record["metadata"]["origin"] for record in records}, {"composed"})
        for record in records:
            self.assertTrue(all(message["content"] for message in record["messages"]))
        done = weft("generate", "--count", "4", "--style", "messages", "--tasks", "text-to-warp", "--mix", "purpose=1,exercise=1", "--output", "-")
        self.assertEqual((done.returncode, "no exercises" in done.stderr), (2, True))

    def test_one_kind(self):
        for kind in ("purpose", "exercise"):
            one = weft("generate", "--quiet", "--count", "20", "--kind", kind, "--output", "-").stdout
            self.assertTrue(one)
            self.assertEqual(weft("generate", "--quiet", "--count", "20", "--mix", f"{kind}=5", "--output", "-").stdout, one)

    def test_forms(self):
        cases = (("--format", "files"), ("--format", "standalone"), ("--device", "both"), ("--no-backward",),
                 ("--style", "messages"), ("--task", "repair"), ("--style", "messages", "--task", "repair"))
        for options in cases:
            with self.subTest(options):
                self.good(self.whole("-".join(options), *options))

    def test_counts(self):
        out = self.whole("counts")
        composed = sum(record["metadata"]["origin"] == "composed" for record in self.records)
        kinds = {"purpose": composed, "exercise": COUNT - composed}
        self.assertIn(f"kinds: purpose {composed}, exercise {COUNT - composed}\n", self.said)
        self.assertEqual(json.loads((out / "stats.json").read_text())["kinds"], kinds)
        self.assertRegex(weft("stats", out).stdout, rf"origin .*\n  composed +{composed} ")
        self.good(out)

    def test_parts_and_sets(self):
        whole = self.whole("whole")
        parts = [self.whole(f"part{i}", "--shard", f"{i}/3") for i in (1, 2, 3)]
        for command in (("merge", *parts, "--output", self.folder / "merged"), ("split", "--ratios", "80,20", "--output", self.folder / "split", whole),
                        ("dedup", whole, "--output", self.folder / "dedup"), ("report", whole, "--output", self.folder / "page.html")):
            with self.subTest(command[0]):
                done = weft(*command)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("merged", "split", "dedup"):
            self.good(self.folder / name)
        data = "data/train-00000-of-00001.jsonl"
        self.assertEqual((self.folder / "merged" / data).read_bytes(), (whole / data).read_bytes())
        again = weft("generate", "--seed", "12", "--count", COUNT, "--mix", "purpose=1,exercise=1", "--output", whole, "--resume")
        self.assertEqual(again.returncode, 2)
        self.assertIn("with --mix purpose=2,exercise=1", again.stderr)

    def test_wrong(self):
        for mix, why in (("purpose", "needs a share"), ("purpose=1,art=2", "the kinds are"), ("purpose=1,purpose=2", "twice"), ("purpose=x", "whole number"),
                         ("purpose=1001", "up to 1000"), ("purpose=0,exercise=0", "shares are 0"), ("purpose=1,", "empty"), ("", "empty")):
            with self.subTest(mix):
                done = weft("generate", "--count", "1", "--mix", mix, "--output", "-")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(why, done.stderr)
        done = weft("generate", "--count", "1", "--mix", "purpose=1", "--kind", "exercise", "--output", "-")
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_damage(self):
        exercise = next(record for record in self.records if not record["prompt"])
        path = self.folder / "damaged.jsonl"
        without = {key: value for key, value in exercise.items() if key != "prompt"}
        for damaged, why in (({**exercise, "prompt": "Write it."}, "exercise"), (without, "prompt is missing"),
                             ({**exercise, "cuda_source": "x"}, "cuda_source")):
            path.write_text(json.dumps(exercise) + "\n" + json.dumps(damaged) + "\n")
            done = weft("validate", "--checks", "schema,source", path)
            self.assertEqual(done.returncode, 1)
            self.assertIn(why, done.stdout + done.stderr)


if __name__ == "__main__":
    part.main(PART)
