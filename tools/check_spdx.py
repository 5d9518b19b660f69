#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a source file whose head does not name the licence.

    /* SPDX-License-Identifier: Apache-2.0 */     the first line of C, .def and CSS files and of scripts of pages
    # SPDX-License-Identifier: Apache-2.0         the first line of Python, shell and CMake files, below #!

Inputs of tests and the examples that the documents show are left as a user would write them. LICENSE
has to name the same licence. --fix puts the line where it is missing.
"""

import os
import sys

from project_files import DATA, ROOT, finish, read_text

LICENCE = "SPDX-License-Identifier: Apache-2.0"
BLOCK = (".c", ".h", ".cuh", ".def", ".css", ".js")
HASH = (".py", ".sh", ".cmake", "CMakeLists.txt")
INPUTS = (*DATA, "tests/standalone/programs/", "docs/samples")
OUTSIDE = ("build", "out", "__pycache__")


def comment_of(path, text):
    """The line that the file needs; None: none."""
    if path.endswith(BLOCK):
        return f"// {LICENCE}" if text.startswith("//") else f"/* {LICENCE} */"
    return f"# {LICENCE}" if path.endswith(HASH) or text.startswith("#!") else None


def has_line(text, comment):
    lines = text.split("\n", 2)
    return comment in (lines[1:2] if text.startswith("#!") else lines[:1])


def with_line(text, comment):
    head, body = text.split("\n", 1) if text.startswith("#!") else ("", text)
    return f"{head}\n{comment}\n{body}" if head else f"{comment}\n{text}"


def source_files(root):
    """Paths of all files that may be sources, relative to the root, sorted."""
    for where, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in OUTSIDE and (name[0] != "." or name == ".ci"))
        for name in sorted(names):
            path = os.path.relpath(os.path.join(where, name), root)
            example = path.startswith(INPUTS) or (path.startswith("docs/") and path.endswith(".py"))
            if not example and ("." not in name or name.endswith(BLOCK + HASH)):
                yield path


def main():
    problems = []
    for path in source_files(ROOT):
        text = read_text(path)
        comment = comment_of(path, text)
        if comment and not has_line(text, comment):
            if "--fix" in sys.argv[1:]:
                with open(os.path.join(ROOT, path), "w", encoding="utf-8") as stream:
                    stream.write(with_line(text, comment))
            else:
                problems.append(f"{path}: the line {comment!r} is missing at its top (--fix puts it there)")
    if LICENCE not in read_text("LICENSE"):
        problems.append(f"LICENSE: {LICENCE} is missing")
    return finish("check_spdx", problems)


if __name__ == "__main__":
    sys.exit(main())
