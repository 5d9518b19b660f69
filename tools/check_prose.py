#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a Markdown page with prose of more than 100 columns; --fix wraps the paragraphs concerned.

Prose is paragraphs and items of lists. Tables, code, headings, quoted messages and HTML may be longer.
A paragraph is wrapped as a whole; code spans and links stay on one line:

    - A long item with `some code` goes on here          - A long item with `some code` goes
    and ends.                                        ->    on here and ends.

usage: check_prose.py [--fix]
"""

import os
import re
import sys

from project_files import ROOT, finish, read_text

WIDTH = 100
GENERATED = {"docs/diagnostics.md": "assets/diagnostics.txt, tools/gen_diagnostics.py"}  # page -> wrap there
OUTSIDE = ("build", "out")
ITEM = re.compile(r"( *)([-*+]|\d+[.)]) +")
# What ends a paragraph and is none itself: a table, heading, quotation, comment or tag.
OTHER = re.compile(r" *(\||#|>|<[!a-z/])")
# A word with the code spans and links in it. A line must not begin with a marker of a list, heading or quotation.
WORD = re.compile(r"(?:``.+?``|`[^`]*`|\[[^\]]*\]\([^)\s]*\)|[^\s`]|`)+")
MARKER = re.compile(r"([-*+>|]|#+|\d+[.)])$")


def paragraphs(lines):
    """(first, behind) of each paragraph and item: lines[first:behind]."""
    first, fence, above, inner = None, "", "", 0  # inner: the column where the text of the list's item begins
    for i, line in enumerate([*lines, ""]):
        mark, item = re.match(r" *(```+|~~~+)", line), ITEM.match(line)
        if line[:1].strip() and not item and (not above.strip() or OTHER.match(line)):
            inner = 0
        code = not above.strip() and line.startswith(" " * (inner + 4))
        plain = line.strip() and not fence and not mark and not OTHER.match(line) and not code
        if first is not None and (not plain or item):
            yield first, i
            first = None
        if plain and first is None:
            first, inner = i, len(item[0]) if item else inner
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        above = "" if code else line


def words(text):
    """The words of a paragraph; one that would look like a marker stays with the word before it."""
    found = []
    for word in WORD.findall(text):
        if found and MARKER.match(word):
            found[-1] += " " + word
        else:
            found.append(word)
    return found


def wrapped(lines):
    """The lines of one paragraph anew."""
    item = ITEM.match(lines[0])
    begin = item[0] if item else re.match(" *", lines[0])[0]
    indent = " " * len(begin)
    lines = [lines[0][len(begin):], *lines[1:]]
    out = []
    for word in words(" ".join(line.strip() for line in lines)):
        if out and len(out[-1]) + 1 + len(word) <= WIDTH:
            out[-1] += " " + word
        else:
            out.append((indent if out else begin) + word)
    return out


def rewritten(text):
    """The page with its paragraphs of long lines wrapped. One with a break by two spaces is left as it is."""
    lines, out, end = text.split("\n"), [], 0
    for first, behind in paragraphs(lines):
        part = lines[first:behind]
        if max(map(len, part)) > WIDTH and not any(line.endswith(("  ", "\\")) for line in part):
            out += [*lines[end:first], *wrapped(part)]
            end = behind
    return "\n".join([*out, *lines[end:]])


def prose_problems(path, text):
    lines = text.split("\n")
    for first, behind in paragraphs(lines):
        for number in range(first, behind):
            if len(lines[number]) > WIDTH and len(words(lines[number])) > 1:
                where = f" (in {GENERATED[path]})" if path in GENERATED else ""
                yield f"{path}:{number + 1}: {len(lines[number])} columns: tools/check_prose.py --fix wraps it{where}"


def pages(root):
    for where, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in OUTSIDE)
        yield from (os.path.relpath(os.path.join(where, name), root) for name in sorted(names) if name.endswith(".md"))


def main():
    if "--fix" in sys.argv[1:]:
        for path in (path for path in pages(ROOT) if path not in GENERATED):
            text = read_text(path)
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as stream:
                stream.write(rewritten(text))
    return finish("check_prose", [problem for path in pages(ROOT) for problem in prose_problems(path, read_text(path))])


if __name__ == "__main__":
    sys.exit(main())
