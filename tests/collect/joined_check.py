#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collected sets beside others: joined with made kernels they have the keys of all, and they are the same
wherever the code lies.

usage: joined_check.py WEFT
"""

import hashlib
import json
import os
import shutil
import sys
import unittest

import collect_check
from collect_check import KERNEL, Collected, files, read, records, refused, weft, write


def keys_of(value):
    """The keys of an object and of those in it, in their order; what is in lists is left out."""
    if isinstance(value, dict):
        return [(key, keys_of(item)) for key, item in value.items()]
    return None


def without_empty(value):
    """A record without what is empty."""
    if isinstance(value, list):
        return [without_empty(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: without_empty(item) for key, item in value.items()}
    return {key: item for key, item in kept.items() if item not in ("", 0, None, [], {})}


class Joined(Collected):
    def test_bytes_do_not_depend_on_the_place(self):
        write(f"{self.project}/secret.py", "# SPDX-License-Identifier: LicenseRef-Ours\n" + KERNEL)
        write(f"{self.project}/broken.py", "import warp as wp\n\n\n@wp.kernel\ndef k(\n")
        shutil.copytree(self.project, f"{self.temporary.name}/elsewhere/project")
        one, _ = self.collect("--no-verify", self.project, name="one")
        other, _ = self.collect("--no-verify", f"{self.temporary.name}/elsewhere/project", name="other")
        self.assertEqual(files(one), files(other))
        for text in files(one).values():
            self.assertNotIn(self.temporary.name.encode(), text)
        card = read(f"{one}/README.md")
        self.assertNotIn("synthetic", card)
        self.assertIn("\nweft collect project --device cuda --no-verify --output DIR\n", card)
        write(f"{one}/README.md", card.replace("\nlicense: other\n", "\nlicense: mit\n"))
        self.assertIn("its license is 'mit'", weft("validate", one, code=1))

    def test_folders_of_one_name(self):
        """Kernels of one name at one place in two folders of one name get two ids, which stay as they are."""
        path = lambda name: f"{self.temporary.name}/{name}"
        for name, text in (("A", KERNEL), ("B", KERNEL.replace("2.0 * a[i]", "wp.sin(a[i]) + 2.0"))):
            write(path(f"{name}/src/m.py"), text)
            write(path(f"{name}/src/LICENSE"), read(f"{self.project}/LICENSE"))
        for name, style in (("rows", ()), ("chats", ("--style", "messages")), ("programs", ("--format", "standalone"))):
            out, _ = self.collect(*style, path("A/src"), path("B/src"), name=name)
            weft("validate", out)
        ids = [r["id"] for r in records(path("rows"))]
        self.assertEqual(len(set(ids)), 2)
        for name in "AB":
            self.collect(path(f"{name}/src"), name=f"of{name}")
        weft("merge", "--output", path("merged"), path("ofA"), path("ofB"))
        weft("validate", path("merged"))
        self.assertEqual([r["id"] for r in records(path("merged"))], ids)

    def test_ids_that_two_sets_share(self):
        """What weft validate would call bad is refused before anything is written, with both places and a way out."""
        path = lambda name: f"{self.temporary.name}/{name}"
        for format, place in (("jsonl", "/data/train-00000-of-00001.jsonl:"), ("standalone", "/0-")):
            make = lambda name, *args: weft("generate", "-q", "--format", format, *args, "--output", path(f"{name}-{format}"))
            make("ex", "--count", "12", "--kind", "exercise")
            make("made", "--count", "12", "--kind", "purpose")
            make("other", "--count", "12", "--kind", "exercise", "--seed", "5")
            self.collect("--format", format, f"{self.project}/app.py", name=f"found-{format}")
            shutil.copytree(path(f"ex-{format}"), path(f"copy-{format}"))
            sets = lambda *names: [path(f"{name}-{format}") for name in names]
            commands = [("dedup",), ("split", "--ratios", "50,50")]
            if format == "jsonl":
                commands.append(("merge",))
            for command in commands:
                names = ("ex", "made", *(("found",) if command[0] == "merge" else ()))
                told = refused(*command, "--output", path("no"), *sets(*names))
                for words in ("two kernels have the id '0-0000000", f"ex-{format}{place}", f"made-{format}{place}", "--seed"):
                    self.assertIn(words, told)
                self.assertFalse(os.path.exists(path("no")))
            told = refused("split", "--ratios", "50,50", "--output", path("no"), *sets("ex", "copy"))
            self.assertRegex(told, rf"the kernel of '0-0000000\d\d' in .*{place}.* already: weft dedup leaves one of them out")
            for command, names in ((("dedup",), ("ex", "copy", "other")), (("split", "--ratios", "50,50"), ("ex", "other"))):
                out = path(f"{command[0]}-{format}")
                weft(*command, "-q", "--output", out, *sets(*names))
                weft("validate", out)

    def test_merge_of_kinds(self):
        """Rows of found, composed and other kernels get the same keys; what a row lacks is empty."""
        path = lambda name: f"{self.temporary.name}/{name}"
        weft("collect", f"{self.project}/app.py", "--no-verify", "--output", path("cc"))
        weft("generate", "--count", "8", "--no-verify", "-q", "--output", path("gg"))
        weft("generate", "--count", "2", "--kind", "exercise", "--seed", "3", "--no-verify", "-q", "--output", path("ex"))
        own = {r["id"]: r for name in ("cc", "gg", "ex") for r in records(path(name))}
        for names in (("cc", "gg"), ("gg", "cc"), ("ex", "gg", "cc")):
            both = path("_".join(names))
            weft("merge", "--output", both, *map(path, names))
            weft("validate", both)
            rows = records(both)
            self.assertEqual(len({json.dumps(keys_of(r)) for r in rows}), 1)
            self.assertEqual(len(rows), sum(len(records(path(name))) for name in names))
            for r in rows:
                repeated = {"difficulty": r["metadata"]["difficulty"]}
                if r["metadata"]["origin"] == "collected":
                    repeated["license"] = r["metadata"]["provenance"]["license"].lower()
                if "tokens" not in own[r["id"]]:
                    repeated["problem_id"] = hashlib.sha256(r["python_source"].encode()).hexdigest()[:32]
                    repeated["tokens"] = r["tokens"]
                    for name, n in r["tokens"].items():
                        self.assertEqual(n > 0, bool(r[name]), name)
                self.assertEqual(without_empty(r), without_empty(repeated | own[r["id"]]))
            card = read(f"{both}/README.md")
            for field in ("metadata.provenance.line", "verification_info", "metadata.arguments.values"):
                self.assertIn(f"\n| `{field}` |", card)
            self.assertIn("    - name: provenance\n", card)
        weft("generate", "--count", "4", "--seed", "4", "--license", "mit", "--no-verify", "-q", "--output", path("mit"))
        for names, license in (("gg mit", "other"), ("mit", "mit"), ("gg", "apache-2.0")):
            weft("dedup", "--output", path(f"of {names}"), *map(path, names.split()))
            weft("validate", path(f"of {names}"))
            self.assertIn(f"\nlicense: {license}\n", read(f"{path(f'of {names}')}/README.md"))
        weft("split", "--ratios", "50,50", "--output", path("sp"), path("cc_gg"))
        weft("validate", path("sp"))
        weft("stats", path("cc_gg"))
        shard = f"{path('cc_gg')}/data/train-00000-of-00001.jsonl"
        write(shard, read(shard).replace('"prompt": "", ', "", 1))
        self.assertIn("its keys are not those of the first record", weft("validate", path("cc_gg"), code=1))
        for old, new, words in (
            ('"problem_id": "', '"problem_id": "0', "problem_id is not"),
            ('"tokens": {"prompt": 0,', '"tokens": {"prompt": 1,', "tokens.prompt is 1, the text has 0"),
            ('"difficulty": ', '"difficulty": 1', "difficulty and metadata.difficulty do not agree"),
        ):
            weft("merge", "--output", path("bad"), path("cc"), path("gg"))
            shard = f"{path('bad')}/data/train-00000-of-00001.jsonl"
            write(shard, read(shard).replace(old, new, 1))
            self.assertIn(words, weft("validate", path("bad"), code=1))
            shutil.rmtree(path("bad"))
        weft("generate", "--count", "2", "--device", "cpu", "--no-verify", "-q", "--output", path("cpu"))
        self.assertIn("(cuda_ir_forward, cuda_ir_backward, cpp_forward,", refused("merge", "--output", path("no"), path("cc"), path("cpu")))


if __name__ == "__main__":
    collect_check.WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
