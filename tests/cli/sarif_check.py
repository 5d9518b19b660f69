#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--diagnostics sarif of check, compile and run prints one document that is valid SARIF 2.1.0 and says what the text form says.

usage: sarif_check.py WEFT

SCHEMA holds the part of the standard's schema that weft's documents use, with every property that it requires.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

WEFT = ""


class Optional:
    def __init__(self, schema):
        self.schema = schema


def positive(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def uri(value):
    """A URI reference: nothing in it that has to be escaped; absolute ones name files."""
    good = isinstance(value, str) and re.fullmatch(r"(?:[A-Za-z0-9\-._~/]|%[0-9A-F]{2})+|file:///.+", value)
    return good and not value.startswith("/")


def level(value):
    return value in ("none", "note", "warning", "error")


MESSAGE = {"text": str}
REGION = {"startLine": positive, "startColumn": positive, "endLine": positive, "endColumn": Optional(positive)}
LOCATION = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": Optional(REGION)}}
RULE = {"id": str, "help": MESSAGE}
SCHEMA = {
    "$schema": str,
    "version": lambda value: value == "2.1.0",
    "runs": [
        {
            "tool": {"driver": {"name": str, "version": str, "rules": [RULE]}},
            "columnKind": lambda value: value in ("utf16CodeUnits", "unicodeCodePoints"),
            "invocations": [
                {
                    "executionSuccessful": bool,
                    "toolExecutionNotifications": [{"level": level, "message": MESSAGE}],
                }
            ],
            "results": [{"ruleId": str, "level": level, "message": MESSAGE, "locations": Optional([LOCATION])}],
        }
    ],
}


def faults(value, schema, path="$"):
    """What of a value does not fit, as paths; other keys than the schema's do not fit either."""
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            return [path]
        found = [f"{path}.{key}: unknown" for key in value if key not in schema]
        for key, part in schema.items():
            if key in value:
                found += faults(value[key], part.schema if isinstance(part, Optional) else part, f"{path}.{key}")
            elif not isinstance(part, Optional):
                found.append(f"{path}.{key}: missing")
        return found
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [path]
        return [fault for i, item in enumerate(value) for fault in faults(item, schema[0], f"{path}[{i}]")]
    good = isinstance(value, schema) if isinstance(schema, type) else schema(value)
    return [] if good else [f"{path}: {value!r}"]


class Sarif(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def write(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.folder, name)), exist_ok=True)
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as stream:
            stream.write(text)

    def check(self, *words, code):
        done = subprocess.run([WEFT, "check", *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout, done.stderr

    def document(self, *words, code):
        stdout, stderr = self.check("--diagnostics", "sarif", *words, code=code)
        self.assertEqual(stderr, "")
        document = json.loads(stdout)
        self.assertEqual(faults(document, SCHEMA), [])
        (run,) = document["runs"]
        used = {result["ruleId"] for result in run["results"]}
        self.assertEqual([rule["id"] for rule in run["tool"]["driver"]["rules"]], sorted(used, key=list(
            dict.fromkeys(result["ruleId"] for result in run["results"])).index))
        return run

    def test_same_as_text(self):
        """Places, severities, ids, sentences and hints of the text form, in its order."""
        self.write("a b/é.py", "import warp as wp\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n    'é'; a[0] = nothing\n")
        self.write("w.cu", "__global__ void k(float *x, int n) { x[threadIdx.x] = 0; }\n")
        for words in (["a b", "w.cu"], [os.path.join(self.folder, "a b")], ["w.cu"], ["w.cu", "--quiet"]):
            with self.subTest(words):
                code = 0 if words[0] == "w.cu" else 1
                run = self.document(*words, code=code)
                text = self.check(*words, code=code)[1]
                lines = re.findall(r"^(.+?):(\d+):(\d+): (\w+): (.*) \[([\w-]+)\]$", text, re.M)
                self.assertEqual([self.line(result) for result in run["results"]], lines)
                hints = [result["message"]["text"].partition("\nhint: ")[2] for result in run["results"]]
                self.assertEqual([hint for hint in hints if hint], re.findall(r"^    hint: (.*)$", text, re.M))
                self.assertEqual(len(lines), 0 if "--quiet" in words else words.count("w.cu") + ("a b" in words[0]))

    def line(self, result):
        place = result["locations"][0]["physicalLocation"]
        path = urllib.parse.unquote(place["artifactLocation"]["uri"]).removeprefix("file://")
        region = place["region"]
        return (path, str(region["startLine"]), str(region["startColumn"]), result["level"],
                result["message"]["text"].partition("\nhint: ")[0], result["ruleId"])

    def test_end_of_region(self):
        self.write("k.py", "import warp as wp\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n    'é'; a[0] = nothing\n")
        (result,) = self.document("k.py", code=1)["results"]
        region = result["locations"][0]["physicalLocation"]["region"]
        self.assertEqual(region, {"startLine": 5, "startColumn": 17, "endLine": 5, "endColumn": 24})

    def test_nothing_found(self):
        self.write("k.py", "import warp as wp\n")
        run = self.document("k.py", code=0)
        self.assertEqual(run["results"], [])
        self.assertTrue(run["invocations"][0]["executionSuccessful"])

    def test_other_commands(self):
        """compile and run print the same document as check; their texts and arrays go elsewhere."""
        self.write("k.py", "import warp as wp\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n    a[0] = nothing\n"
                   "\n@wp.kernel\ndef good(a: wp.array(dtype=float)):\n    a[0] = 1.0\n")
        wanted = self.check("--diagnostics", "sarif", "k.py", code=1)
        self.assertIn("undefined-name", wanted[0])
        for words in (["compile", "--emit", "none"], ["compile", "-o", "out.cu"], ["compile", "-o", "texts/"],
                      ["compile", "--emit", "json", "-o", "out.json"], ["run", "--dim", "1", "--kernel", "k"]):
            done = subprocess.run([WEFT, *words, "--diagnostics", "sarif", "k.py"], cwd=self.folder,
                                  capture_output=True, text=True)
            self.assertEqual((done.stdout, done.stderr, done.returncode), (*wanted, 1), words)
        for name in ("out.cu", "texts/k.cu", "out.json"):
            self.assertTrue(os.path.getsize(os.path.join(self.folder, name)), name)

    def test_what_cannot_be_read(self):
        """A file has a result without a place; a folder without anything to check is a notification."""
        os.mkdir(os.path.join(self.folder, "empty"))
        run = self.document("no.py", "empty", code=3)
        self.assertEqual([result["ruleId"] for result in run["results"]], ["cannot-read"])
        (invocation,) = run["invocations"]
        self.assertEqual(len(invocation["toolExecutionNotifications"]), 1)
        self.assertFalse(invocation["executionSuccessful"])


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
