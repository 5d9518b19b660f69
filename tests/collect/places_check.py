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


class Metadata(Collected):
    def test_licences(self):
        long = "The terms:\n        " + MIT.replace("\n", "\n        ")
        stated = {"named": ("License: The MIT License (MIT)", "MIT"), "apache": ("License: Apache License 2.0", "Apache-2.0"),
                  "long": (f"License: {long}", "MIT"), "classified": ("Classifier: License :: OSI Approved :: MIT License", "MIT"),
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
