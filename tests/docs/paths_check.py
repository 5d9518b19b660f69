#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files that the documents name are there.

usage: paths_check.py [ROOT]

- A path in backticks that begins with a folder of the repository (`src/ir/ir.h`) exists. A word in
  capitals stands for any text: `src/builtin/rows_GROUP.def` needs one such file.
- A link to a file of the repository leads to one.
- The table of rooms in ARCHITECTURE.md has the rooms of tools/layers.txt, from top to bottom, and the
  files that a row names are in its room.
"""

import glob
import os
import re
import sys

FOLDERS = "src tests tools docs scripts assets cmake bench bindings include".split()
PATH = re.compile(r"`((?:%s)/[\w./*-]+)[^`]*`" % "|".join(FOLDERS))
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
ROOM = re.compile(r"^\| `(\w+)` \| .* \| (.*) \|$", re.M)


def documents(root):
    found = glob.glob(os.path.join(root, "*.md")) + glob.glob(os.path.join(root, "docs/**/*.md"), recursive=True)
    return sorted(found)


def pattern(path):
    """A word in capitals, alone or between underscores, stands for any text."""
    return re.sub(r"(?<![A-Za-z])[A-Z]{2,}(?![a-zA-Z])(?!\.md)", "*", path)


def lost_paths(root, text):
    for path in PATH.findall(text):
        if path.startswith("docs/samples"):
            continue  # the examples test looks at these
        if not glob.glob(os.path.join(root, pattern(path.rstrip(".")))):
            yield f"there is no {path}"


def lost_links(folder, text):
    for link in LINK.findall(text):
        if not os.path.exists(os.path.join(folder, link)):
            yield f"the link {link} leads nowhere"


def layers(root):
    with open(os.path.join(root, "tools/layers.txt")) as stream:
        return [line.split() for line in stream if line.strip() and line[0] != "#" and ":" not in line]


def lost_rooms(root, text):
    rows = ROOM.findall(text)
    order = [name for name, _ in rows]
    wanted = layers(root)
    if sorted(order) != sorted(name for level in wanted for name in level):
        yield f"the rooms of the table are not those of tools/layers.txt: {sorted(set(order) ^ {n for x in wanted for n in x})}"
    level_of = {name: i for i, level in enumerate(wanted) for name in level}
    levels = [level_of.get(name, -1) for name in order]
    if levels != sorted(levels):
        yield "the rooms of the table are not in the order of tools/layers.txt"
    for name, files in rows:
        for word in re.findall(r"`([\w.*]+\.\w+|\w+_\*\.\w+)`", files):
            inside = os.path.join(root, "include" if word == "weft.h" else f"src/{name}", word)
            if not glob.glob(inside):
                yield f"room {name}: there is no {word}"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    problems = []
    for path in documents(root):
        with open(path) as stream:
            text = stream.read()
        name = os.path.relpath(path, root)
        problems += [f"{name}: {p}" for p in lost_paths(root, text)]
        problems += [f"{name}: {p}" for p in lost_links(os.path.dirname(path), text)]
        if name == "ARCHITECTURE.md":
            problems += [f"{name}: {p}" for p in lost_rooms(root, text)]
    print("\n".join(problems) or f"{len(documents(root))} documents: every file that they name is there")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
