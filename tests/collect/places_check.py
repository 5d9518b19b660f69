#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft collect: files of odd names and in odd places, and the licences that packages' metadata state.

usage: places_check.py WEFT
"""

import os
import sys
import unittest

import collect_check
from collect_check import KERNEL, Collected, lines, read, records, refused, run, weft, write

MIT = """Permission is hereby granted, free of charge, to any person
The above copyright notice and this permission notice shall be included.
"""


def kernel(number):
    """Each has a structure of its own."""
    return KERNEL.replace("twice", f"k{number}").replace("2.0 * a[i]", " * ".join(["a[i]"] * number))


class Places(Collected):
    def test_names(self):
        folder = f"{self.temporary.name}/odd"
        names = ["with space/a b.py", "größe.py", "new\nline.py", 'quote".py', os.fsdecode(b"bad\xff.py")]
        for number, name in enumerate(names, 1):
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            write(f"{folder}/{name}", kernel(number))
        write(f"{folder}/LICENSE", MIT)
        os.symlink("nowhere", f"{folder}/link.py")
        os.symlink(".", f"{folder}/self")
        out, _ = self.collect("--no-verify", folder)
        self.assertEqual(sorted(r["metadata"]["provenance"]["path"] for r in records(out)),
                         sorted(n.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for n in names))
        self.assertEqual([(s["path"], s["why"]) for s in lines(f"{out}/skipped.jsonl")],
                         [("link.py", "it cannot be read: No such file or directory")])
        weft("validate", out)

    def test_a_name_that_warp_refuses(self):
        write(f"{self.project}/odd.py", KERNEL.replace("@wp.kernel", '@wp.kernel(module="unique", name="1st")').replace("2.0", "9.0 + a[i]"))
        out, _ = self.collect("--no-verify", self.project)
        self.assertEqual([s["why"] for s in lines(f"{out}/skipped.jsonl") if s["path"] == "odd.py"], ["its name is no identifier"])
        weft("validate", out)

    def test_module_that_takes_too_long(self):
        write(f"{self.project}/long.py", "import warp as wp\n\nX = [" + "1," * 1100000 + "]\n\n\n" + KERNEL.split("\n", 3)[3])
        out, _ = self.collect("--no-verify", self.project)
        (why,) = {s["why"] for s in lines(f"{out}/skipped.jsonl") if s["path"] == "long.py"}
        self.assertEqual(why, "running the module takes too many steps: it ends in line 3")

    def test_operands(self):
        output = ("--output", f"{self.temporary.name}/no")
        self.assertIn("'' is no file, folder or installed package", run("collect", "", *output, code=3).stderr)
        os.mkfifo(f"{self.project}/pipe.py")
        self.assertIn("is no Python file", refused("collect", f"{self.project}/pipe.py", *output))
        write(f"{self.project}/own.py", "# SPDX-License-Identifier: mit\n" + kernel(3))
        app = f"{self.project}/own.py"
        out, said = self.collect("--no-verify", app, self.project, app, os.path.join(self.project, ".", "own.py"))
        self.assertRegex(said, rf"files +{sum(name.endswith('.py') for _, _, names in os.walk(self.project) for name in names) - 1}\n")
        self.assertEqual({r["metadata"]["provenance"]["license"] for r in records(out)}, {"MIT"})
        self.assertNotIn("own.py", [s["path"] for s in lines(f"{out}/skipped.jsonl")])
        self.assertIn("is none of --licenses: the first has MIT", refused("collect", self.project, "--licenses", "isc", *output))


COMMONS = """
"Commons Clause" License Condition v1.0

Without limiting other conditions in the License, the grant of rights under the License will not include, and the License does
not grant to you, the right to Sell the Software.
"""


class Licences(Collected):
    def folder(self, texts, license=None):
        """A folder with a file for each text, all with a kernel of their own."""
        place = f"{self.temporary.name}/{len(os.listdir(self.temporary.name))}/code"
        for number, (name, text) in enumerate(texts.items(), 1):
            write(f"{place}/{name}.py", (f"# SPDX-License-Identifier: {text}\n" if text else "") + kernel(number))
        if license:
            write(f"{place}/LICENSE", license)
        return place

    def known(self, place, *words):
        out, _ = self.collect("--no-verify", place, *words, name=f"set{len(os.listdir(self.temporary.name))}")
        weft("validate", out)
        return {r["metadata"]["provenance"]["path"][:-3]: r["metadata"]["provenance"]["license"] for r in records(out)}, lines(f"{out}/skipped.jsonl")

    def test_ids(self):
        place = self.folder({"a": "NotALicense", "b": "LicenseRef-Ours", "c": "mit", "d": "MIT AND NotALicense", "e": "MIT OR",
                             "f": "gpl-2.0-or-later with classpath-exception-2.0", "g": "MIT WITH no-such-exception"})
        found, skipped = self.known(place)
        self.assertEqual(found, {"c": "MIT", "f": "GPL-2.0-or-later WITH Classpath-exception-2.0"})
        self.assertEqual({s["path"]: s["why"] for s in skipped}["a.py"], "it states NotALicense, and what that allows is not known")
        self.assertEqual(len(skipped), 5)

    def test_expressions(self):
        place = self.folder({"or": "BSD-3-Clause OR MIT", "gpl": "GPL-3.0-only OR MIT", "and": "MIT AND Apache-2.0", "later": "GPL-2.0+",
                             "both": "(MIT OR GPL-2.0-only) AND Apache-2.0", "with": "Apache-2.0 WITH LLVM-exception",
                             "first": "MIT OR GPL-2.0-only AND Apache-2.0"})
        for wanted, names in (("mit,bsd-3-clause", "or gpl first"), ("mit", "or gpl first"), ("mit, Apache-2.0", "or gpl and both with first"),
                              ("apache-2.0", "with"), ("gpl-2.0-only,apache-2.0", "later both with first")):
            self.assertEqual(set(self.known(place, "--licenses", wanted)[0]), set(names.split()), wanted)
        place = self.folder({"k": "MIT OR ISC"})
        write(f"{place}/k.py", "# SPDX-License-Identifier: MIT OR ISC\nimport warp as wp\nimport part\n\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n"
              "    a[0] = part.f(a[0])\n")  # fmt: skip
        write(f"{place}/part.py", "# SPDX-License-Identifier: Apache-2.0\nimport warp as wp\n\n\n@wp.func\ndef f(x: float):\n    return 2.0 * x\n")
        self.assertEqual(self.known(place)[0], {"k": "(MIT OR ISC) AND Apache-2.0"})

    def test_texts_with_more(self):
        """A licence's text with a condition before, behind or within it is not that licence's."""
        full = read("/usr/share/common-licenses/Apache-2.0") if os.path.exists("/usr/share/common-licenses/Apache-2.0") else None
        more = {"behind": MIT + COMMONS, "before": COMMONS + MIT, "within": MIT.replace("any person", "any person for non-commercial purposes"),
                "line": "Copyright Us. Not for military use.\n" + MIT}
        fine = {"mit": ("MIT License\n\nCopyright (c) 2026 The Authors. All rights reserved.\n\n" + MIT, "MIT")}
        if full:
            fine["apache"] = (full, "Apache-2.0")
            more["apache"] = full.replace("6. Trademarks.", "5a. You may not use the Work to build bridges or boats.\n\n   6. Trademarks.")
        for name, text in more.items():
            place = self.folder({"k": None}, text)
            told = refused("collect", "--no-verify", place, "--output", f"{self.temporary.name}/no")
            self.assertIn(f"the text of '{place}/LICENSE' is not recognised", told, name)
        for name, (text, id) in fine.items():
            self.assertEqual(self.known(self.folder({"k": None}, text))[0], {"k": id})
        place = self.folder({"k": None}, MIT + COMMONS)
        write(f"{place}/LICENSE-OTHERS", MIT)
        self.assertIn("not recognised", refused("collect", place, "--output", f"{self.temporary.name}/no"))

    def test_what_is_said(self):
        place = self.folder({name: "Apache-2.0" for name in "abc"})
        for name in ("x", "y"):
            write(f"{place}/{name}/LICENSE", "Ask us.\n")
            write(f"{place}/{name}/k.py", KERNEL)
        output = ("--output", f"{self.temporary.name}/no")
        self.assertIn(f"the licence of 3 Python files is none of --licenses: the first has Apache-2.0; that of 2 others is not known: "
                      f"the texts of '{place}/x/LICENSE' and '{place}/y/LICENSE' are not recognised",
                      refused("collect", place, "--licenses", "mit,bsd-3-clause", *output))
        said = run("collect", "--no-verify", place, "--output", f"{self.temporary.name}/yes").stderr
        self.assertIn(f"2 Python files are left out: the texts of '{place}/x/LICENSE' and '{place}/y/LICENSE' are not recognised as", said)
        self.assertIn("SPDX has no id 'mti': did you mean 'mit'?", run("collect", place, "--licenses", "apache-2.0,mti", *output, code=2).stderr)


class Metadata(Collected):
    def test_licences(self):
        long = "The terms:\n        " + MIT.replace("\n", "\n        ")
        stated = {"named": ("License: The MIT License (MIT)", "MIT"), "apache": ("License: Apache License 2.0", "Apache-2.0"),
                  "long": (f"License: {long}", "MIT"),
                  "more": (f"License: {long}{COMMONS}".replace("\n", "\n        ") + "\nClassifier: License :: OSI Approved :: MIT License", None),
                  "classified": ("Classifier: License :: OSI Approved :: MIT License", "MIT"),
                  "own": ("License-Expression: LicenseRef-Ours", None), "both": ("License-Expression: MIT AND LicenseRef-X", None),
                  "closed": ("License: Proprietary", None), "described": ("Summary: x\n\nLicense: MIT", None)}
        site = f"{self.temporary.name}/site"
        for number, (name, (head, _)) in enumerate(stated.items(), 1):
            os.makedirs(f"{site}/{name}")
            os.makedirs(f"{site}/{name}-1.0.dist-info")
            write(f"{site}/{name}/k.py", kernel(number))
            write(f"{site}/{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{head}\n")
            write(f"{site}/{name}-1.0.dist-info/RECORD", f"{name}/k.py,,\n")
            if name == "own":  # its text is not that of the whole package
                write(f"{site}/{name}-1.0.dist-info/LICENSE", MIT)
        out, _ = self.collect("--no-verify", "-I", site, *stated)
        origins = [r["metadata"]["provenance"] for r in records(out)]
        self.assertEqual({o["package"]: o["license"] for o in origins}, {n: id for n, (_, id) in stated.items() if id})
        self.assertEqual({s["package"] for s in lines(f"{out}/skipped.jsonl")}, {n for n, (_, id) in stated.items() if not id})
        self.assertIn("\n| long | 1.0 | MIT | 1 |\n", read(f"{out}/README.md"))


if __name__ == "__main__":
    collect_check.WEFT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
