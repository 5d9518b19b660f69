#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Data sets of programs (--format standalone): validated, counted, merged and divided as records are; each damage is
found at its place.

usage: program_sets_check.py WEFT [--one-in N [--seed S]]
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import part  # noqa: E402

WEFT = ""
RUN = ("--format", "standalone", "--cpu-shim", "--count", "12", "--seed", "5", "--jobs", "1")


def weft(*args, code=0):
    done = subprocess.run([WEFT, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != code:
        raise AssertionError(f"{args}: {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Set(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.TemporaryDirectory()
        cls.clean = os.path.join(cls.made.name, "clean")
        weft("generate", "--kind", "exercise", *RUN, "-q", "-o", cls.clean)

    @classmethod
    def tearDownClass(cls):
        cls.made.cleanup()

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, *names):
        return os.path.join(self.temporary.name, *names)

    def copy(self):
        """A copy of the clean set, and a folder in it."""
        shutil.copytree(self.clean, self.path("set"))
        return self.path("set"), glob.glob(self.path("set", "*[0-9]_loop"))[0]


class Validate(Set):
    def problems(self, path, *more):
        told = json.loads(weft("validate", path, "--json", *more, code=1))
        return [(p["file"][len(path) :].lstrip("/"), p["line"], p["check"], p["reason"]) for p in told["bad"]]

    def expect(self, path, place, check, words, *more):
        found = self.problems(path, *more)
        self.assertTrue(
            any(f.endswith(place) and c == check and words in reason for f, _, c, reason in found),
            f"no {check} of {place} with {words!r} in {found}",
        )
        return found

    def test_clean(self):
        told = json.loads(weft("validate", self.clean, "--json"))
        self.assertEqual((told["records"], told["ok"], told["bad"]), (12, 12, []))
        self.assertIn("12 records", weft("validate", self.clean))

    def test_one_folder(self):
        path = glob.glob(os.path.join(self.clean, "*[0-9]_loop"))[0]
        self.assertEqual(json.loads(weft("validate", path, "--json"))["records"], 1)

    def test_built(self):
        """What make leaves beside the sources is nobody's business."""
        path, folder = self.copy()
        write(os.path.join(folder, "a.out"), "x")
        weft("validate", path)

    def test_jobs(self):
        path, folder = self.copy()
        shutil.rmtree(folder)
        one, two = (weft("validate", path, "--json", "--jobs", n, code=1) for n in "12")
        self.assertEqual(one, two)

    def damage(self, file, change):
        path, folder = self.copy()
        name = glob.glob(os.path.join(folder, file))[0]
        write(name, change(read(name)))
        return path, os.path.relpath(name, path)

    def test_cuda_changed(self):
        path, name = self.damage("*.cu", lambda text: text.replace("blockIdx.x", "blockIdx.y"))
        self.expect(path, name, "hash", "SHA-256 is not what metadata.json says")
        found = self.expect(path, name, "text", "differs from what weft emits")
        line = next(p[1] for p in found if p[2] == "text")
        self.assertIn("blockIdx.y", read(os.path.join(path, name)).split("\n")[line - 1])
        self.expect(path, "manifest.json", "hash", "SHA-256 is not the manifest's (loop)")

    def test_cuda_unbalanced(self):
        path, name = self.damage("*.cu", lambda text: text.replace("}", "", 1))
        self.expect(path, name, "text", "is never closed", "--checks", "text")

    def test_expected_value(self):
        def change(text):
            at = text.index("expected_")
            at = text.index("{", at) + 1
            digits = next(i for i in range(at, len(text)) if text[i] in "123456789")
            return text[:digits] + ("1" if text[digits] != "1" else "2") + text[digits + 1 :]

        path, name = self.damage("*.cu", change)
        self.expect(path, name, "text", "differs from what weft emits", "--checks", "text")

    def test_makefile(self):
        path, name = self.damage("Makefile", lambda text: text.replace("-O2", "-O0"))
        self.expect(path, name, "hash", "SHA-256")
        self.expect(path, name, "text", "-O0")

    def test_python(self):
        path, name = self.damage("*.py", lambda text: text + "\nx = 1\n")
        self.expect(path, "metadata.json", "schema", "source_lines")

    def test_python_same_lines(self):
        path, name = self.damage("*.py", lambda text: text.replace("import warp as wp", "import warp as  wp"))
        self.expect(path, "metadata.json", "hash", "python_source")
        self.expect(path, "metadata.json", "source", "is not what weft generates")

    def test_missing_files(self):
        for end in ("*.py", "*.cu", "Makefile"):
            path, folder = self.copy()
            name = glob.glob(os.path.join(folder, end))[0]
            os.remove(name)
            self.expect(path, os.path.relpath(name, path), "schema", "it is missing")
            shutil.rmtree(path)

    def test_missing_metadata(self):
        path, folder = self.copy()
        os.remove(os.path.join(folder, "metadata.json"))
        self.expect(path, "metadata.json", "schema", "missing, or empty")

    def test_metadata(self):
        for old, new, check, words in (
            ('"backward": true', '"backward": 3', "schema", "standalone.backward is not true or false"),
            ('"launch": [', '"launch": [7, ', "text", "standalone differs"),
            ('"makefile": "Makefile"', '"makefile": "../../x"', "hash", "files.makefile is not the name"),
            ('"category": "loop"', '"category": "math"', "schema", "not named after"),
            ('"standalone":', '"other":', "schema", "other"),
            ('"file_bytes": {"cuda": ', '"file_bytes": {"cuda": 1', "hash", "size"),
            ("{", "", "schema", "not JSON"),
            ('"kernel_name": "', '"kernel_name": "../', "schema", "missing"),
            ('"expected_values": ', '"python_source": "", "expected_values": ', "schema", "unknown key"),
            ('"files": ', '"makefile": "", "files": ', "schema", "twice"),
        ):
            path, name = self.damage("metadata.json", lambda text: text.replace(old, new, 1))
            found = self.problems(path)
            self.assertTrue(any(c == check and words in reason for _, _, c, reason in found), f"{new}: {found}")
            shutil.rmtree(path)

    def test_folders(self):
        path, folder = self.copy()
        os.rename(folder, folder.replace("_loop", "_lop"))
        self.expect(path, os.path.basename(folder), "schema", "the folder is missing")
        os.rename(folder.replace("_loop", "_lop"), folder.replace("_loop", "_math"))
        self.expect(path, os.path.basename(folder), "schema", "the folder is missing")
        self.expect(path, "_math", "schema", "the manifest does not have this record")
        self.expect(path, "_math/metadata.json", "schema", "not named after")

    def test_twice(self):
        path, folder = self.copy()
        other = os.path.join(path, "5-000000900_loop")
        shutil.copytree(folder, other)
        self.expect(path, other[len(path) + 1 :], "duplicates", "the id stands in")

    def test_card(self):
        with open(os.path.join(self.copy()[0], "README.md"), encoding="utf-8") as stream:
            card = stream.read()
        self.assertIn("Warp's texts of the kernel, which are not in this set", card)
        self.assertIn("the programs hold no text of Warp's", card)
        self.assertNotIn("lines of Warp's code templates", card)

    def test_beside(self):
        path, folder = self.copy()
        os.remove(os.path.join(path, "README.md"))
        write(os.path.join(path, "cuda_on_cpu.h"), "\n")
        self.expect(path, "README.md", "schema", "missing")
        self.expect(path, "cuda_on_cpu.h", "hash", "not what weft writes")
        os.remove(os.path.join(path, "cuda_on_cpu.h"))
        self.expect(path, "cuda_on_cpu.h", "schema", "missing")

    def test_manifest(self):
        path, folder = self.copy()
        name = os.path.join(path, "manifest.json")
        write(name, read(name).replace('"loop"', '"lop"'))
        self.expect(path, "manifest.json", "schema", "one row for each category")
        os.remove(name)
        self.expect(path, "manifest.json", "hash", "missing")

    def test_odd(self):
        path, folder = self.copy()
        cu = glob.glob(os.path.join(folder, "*.cu"))[0]
        os.remove(cu)
        os.mkdir(cu)
        self.expect(path, os.path.relpath(cu, path), "schema", "it is missing")
        os.rmdir(cu)
        write(cu, "x" * (17 << 20))
        self.expect(path, "metadata.json", "schema", "more than 16 MiB")
        with open(cu, "wb") as file:
            file.write(b"\0\xff")
        self.expect(path, "metadata.json", "schema", "NUL")
        shutil.rmtree(folder)
        write(folder, "")
        self.expect(path, "metadata.json", "schema", "missing, or empty")


class Others(Set):
    def test_stats(self):
        told = json.loads(weft("stats", self.clean, "--json"))
        self.assertEqual(told["records"], 12)
        self.assertEqual(told["bytes"], json.loads(read(os.path.join(self.clean, "stats.json")))["bytes"])
        path, folder = self.copy()
        os.remove(os.path.join(folder, "metadata.json"))
        self.assertIn("metadata.json is missing", weft("stats", path, code=1))

    def test_report(self):
        weft("report", self.clean, "-o", self.path("page.html"), "-q")
        page = read(self.path("page.html"))
        self.assertIn("<h4>Standalone CUDA", page)

    def test_split(self):
        many = ["36" if w == "12" else w for w in RUN]  # 12 may all fall into one split
        weft("generate", "--kind", "exercise", *many, "-q", "-o", self.path("many"))
        weft("split", self.path("many"), "--ratios", "60,40", "-q", "-o", self.path("two"))
        weft("validate", self.path("two"))
        self.assertTrue(os.path.exists(self.path("two", "train", "cuda_on_cpu.h")))
        split = {f: n for n in ("train", "test") for f in os.listdir(self.path("two", n)) if "_" in f and "." not in f}
        self.assertEqual(len(split), 36)
        weft("generate", "--kind", "exercise", *(w for w in many if w not in ("--format", "standalone", "--cpu-shim")), "-q", "-o", self.path("rows"))
        weft("split", self.path("rows"), "--ratios", "60,40", "-q", "-o", self.path("lines"))
        same = 0
        for name in ("train", "test"):
            for file in glob.glob(self.path("lines", "data", name + "*")):
                for line in read(file).splitlines():
                    metadata = json.loads(line)["metadata"]
                    folder = f"{json.loads(line)['id']}_{metadata['category']}"
                    program = json.loads(read(self.path("two", split[folder], folder, "metadata.json")))
                    if program["metadata"]["family"] == metadata["family"]:  # a program may be a later attempt
                        same += 1
                        self.assertEqual(split[folder], name, "the same rule as for records")
        self.assertGreater(same, 30)
        source = glob.glob(self.path("two", "train", "*_*", "metadata.json"))[0]
        write(source, read(source).replace("weft-pair-1", "weft-pair-2"))
        self.assertIn("schema is", weft("validate", self.path("two"), code=1))

    def test_split_refused(self):
        for words, code, said in (
            (("--compress", "zstd"), 1, "neither packed nor"),
            (("--ratios", "1,2"), 2, "100"),
        ):
            told = weft("split", self.clean, "--ratios", "50,50", "-o", self.path("x"), *words, code=code)
            self.assertIn(said, told)
        self.assertIn("given twice", weft("split", self.clean, self.clean, "--ratios", "50,50", "-o", self.path("x"), code=1))
        path, folder = self.copy()
        told = weft("split", self.clean, path, "--ratios", "50,50", "-o", self.path("y"), code=1)
        self.assertIn("weft dedup leaves one of them out", told)
        self.assertFalse(os.path.exists(self.path("y")))
        os.remove(glob.glob(os.path.join(folder, "*.cu"))[0])
        weft("split", path, "--ratios", "50,50", "-o", self.path("z"), code=1)
        self.assertFalse(os.path.exists(self.path("z", "train")))

    def test_dedup(self):
        path, folder = self.copy()
        weft("dedup", self.clean, path, "-q", "-o", self.path("left"))
        self.assertEqual(json.loads(weft("validate", self.path("left"), "--json"))["records"], 12)

    def merge(self, form, n, *more):
        run = ("--format", form, "--count", "30", "--seed", "8", "--max-lines", "4", "--categories", "arithmetic,atomic")
        run += ("--no-verify", "--jobs", "1", "-q", *more)
        parts = [self.path(f"{form}{i}") for i in range(n)]
        for i, part in enumerate(parts, 1):
            weft("generate", "--kind", "exercise", *run, *(("--shard", f"{i}/{n}") if n > 1 else ()), "-o", part)
        weft("generate", "--kind", "exercise", *run, "-o", self.path("one"))
        weft("merge", *reversed(parts), "-q", "-o", self.path("all"))
        subprocess.run(["diff", "-r", self.path("one"), self.path("all")], check=True)
        return parts

    def test_merge_programs(self):
        parts = self.merge("standalone", 2, "--cpu-shim")
        source = glob.glob(os.path.join(parts[1], "*_atomic", "*.py"))[0]
        write(source, read(source) + "#\n")
        self.assertIn("damaged", weft("merge", *parts, "-q", "-o", self.path("no"), code=1))
        shutil.rmtree(os.path.dirname(source))
        self.assertIn("it is missing", weft("merge", *parts, "-q", "-o", self.path("no"), code=1))

    def test_merge_files(self):
        parts = self.merge("files", 2)
        source = glob.glob(os.path.join(parts[0], "atomic", "*.json"))[0]
        os.remove(source)
        self.assertIn("it is missing", weft("merge", *parts, "-q", "-o", self.path("no"), code=1))

    def test_merge_one_part(self):
        for form in ("standalone", "files"):
            parts = self.merge(form, 1)
            source = glob.glob(os.path.join(parts[0], "*atomic*", "*.json"))[-1]
            write(source, read(source).replace("atomic", "Atomic"))
            weft("merge", *parts, "-q", "-o", self.path("no"), code=1)
            self.assertFalse(os.path.exists(self.path("no")))
            shutil.rmtree(self.path("one"))
            shutil.rmtree(self.path("all"))

    def test_empty(self):
        for form in ("jsonl", "files", "standalone"):
            weft("generate", "--kind", "exercise", "--count", "1", "--shard", "1/2", "--format", form, "-q", "-o", self.path(form))
            self.assertIn("0 records", weft("stats", self.path(form)))
            weft("report", self.path(form), "-q", "-o", self.path("page.html"))
            weft("validate", self.path(form))
        self.assertIn("no records", weft("stats", self.temporary.name, code=1))

    def test_same_for_any_jobs(self):
        weft("generate", "--kind", "exercise", *RUN[:-2], "--jobs", "2", "-q", "-o", self.path("two"))
        subprocess.run(["diff", "-r", self.clean, self.path("two")], check=True)


if __name__ == "__main__":
    WEFT = os.path.abspath(sys.argv.pop(1))
    part.main(part.take(sys.argv))
