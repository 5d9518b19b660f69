#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/diagnostics.md from assets/diagnostics.txt and the sentences in src/base/diag.def.

usage: gen_diagnostics.py [--check]

--check writes nothing and fails where the page is not what would be written.
"""

import os
import re
import sys
from collections import namedtuple

from project_files import ROOT, read_text

TABLE = "src/base/diag.def"
ENTRIES = "assets/diagnostics.txt"
PAGE = "docs/diagnostics.md"
CHECK = "weft check"
PRINTED = ", printed by"

# severity: "error" or "warning"; wrong, right: [(file, text, whether the text is a program that prints it)]
Entry = namedtuple("Entry", "id severity meaning command wrong right")
C_STRING = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(r"^DIAG\w*\((\w+),\s*" + C_STRING + r",\s*((?:" + C_STRING + r"\s*)+),\s*(NULL|(?:" + C_STRING + r"\s*)+)\)", re.M)
BLOCK = re.compile(r"^(wrong|right)(?: (\S+?))?(%s)?:$" % PRINTED)


def unquoted(text):
    """The value of C's string literals side by side; None for NULL."""
    parts = re.findall(C_STRING, text)
    return "".join(re.sub(r"\\(.)", r"\1", part) for part in parts) if parts else None


def plain(sentence):
    """A format with ... where values are put in."""
    return re.sub(r"%[-0-9.*]*(?:ll|l|z)?[sducx]", "...", sentence).replace("%%", "%")


def rows():
    """{id: [(sentence, hint or None)]} of diag.def. A hint of nothing but values is left out."""
    found = {}
    for row in ROW.finditer(read_text(TABLE)):
        hint = plain(unquoted(row[5]) or "")
        found.setdefault(row[2], []).append((plain(unquoted(row[3])), hint if hint.strip(".") else None))
    return found


def entry_of(section):
    """One entry of assets/diagnostics.txt; raises ValueError with what is wrong in it."""
    head, *paragraphs = re.split(r"\n\n(?=\S)", section.strip("\n"))
    name = re.fullmatch(r"## ([\w-]+)(?: \((warning)\))?", head)
    if not name or not paragraphs:
        raise ValueError(f"no head and meaning: {head}")
    command, texts = CHECK, {"wrong": [], "right": []}
    for paragraph in paragraphs[1:]:
        first, _, rest = paragraph.partition("\n")
        block = BLOCK.match(first)
        if first.startswith("command: ") and not rest:
            command = first[len("command: "):]
        elif block:
            text = re.sub(r"^    ", "", rest.strip("\n"), flags=re.M) + "\n"
            texts[block[1]].append((block[2] or "kernel.py", text, bool(block[3])))
        else:
            raise ValueError(f"{name[1]}: what is {first!r}?")
    if not texts["wrong"] or not texts["right"]:
        raise ValueError(f"{name[1]}: a wrong and a right example are needed")
    if command == CHECK:
        command = f"{CHECK} {texts['right'][0][0]}"
    return Entry(name[1], name[2] or "error", paragraphs[0], command, texts["wrong"], texts["right"])


def entries():
    """All entries, in the order of the file."""
    return [entry_of(section) for section in re.split(r"\n(?=## )", read_text(ENTRIES))[1:]]


def language(name):
    return {".py": "python", ".cu": "cuda", ".json": "json"}.get(os.path.splitext(name)[1], "text")


def shown_blocks(kind, blocks):
    for name, text, printed in blocks:
        file = f", `{name}`" if name != "kernel.py" else ""
        head = f"{kind}{file}{', which this program prints' if printed else ''}:"
        yield f"{head}\n```{language('.py' if printed else name)}\n{text.rstrip()}\n```"


def escaped(meaning):
    """Signs that Markdown would take for its own, but those in code spans, where it takes none."""
    return re.sub(r"(`[^`]*`)|([*_<])", lambda found: found[1] or "\\" + found[2], meaning)


def section_of(entry, sentences):
    lines = [f"## {entry.id}"]
    for sentence, hint in sentences:
        lines.append(f"> {entry.severity}: `{sentence}`" + (f"  \n> hint: `{hint}`" if hint else ""))
    lines.append(escaped(entry.meaning))
    if not entry.command.startswith(CHECK):
        lines.append(f"Found by `{entry.command}`.")
    return "\n\n".join([*lines, *shown_blocks("Wrong", entry.wrong), *shown_blocks("Right", entry.right)])


def page():
    sentences, known = rows(), entries()
    index = "\n".join(f"| [{e.id}](#{e.id}) | `{sentences[e.id][0][0]}` |" for e in known)
    head = f"""# Diagnostics

<!-- Made by tools/gen_diagnostics.py from assets/diagnostics.txt and src/base/diag.def. -->

Each message of weft about a program ends with an id in brackets:

    kernel.py:6:19: error: name 'scale' is not defined [undefined-name]

`weft explain ID` prints what stands here. Ids stay; sentences may change. `...` stands for what
differs from message to message. Every example below is compiled by the tests: the wrong one gives
this id and no other, the right one none.

| id | sentence |
|---|---|
{index}
"""
    return "\n".join([head, *(section_of(entry, sentences[entry.id]) + "\n" for entry in known)])


def main():
    text = page()
    if "--check" in sys.argv[1:]:
        if read_text(PAGE) != text:
            sys.exit(f"{PAGE} is not what tools/gen_diagnostics.py writes")
        return
    with open(os.path.join(ROOT, PAGE), "w", encoding="utf-8") as stream:
        stream.write(text)


if __name__ == "__main__":
    main()
