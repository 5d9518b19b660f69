#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where a function or table of src/ has external linkage and only its own file uses it, or nothing does.

usage: check_symbols.py BUILD

BUILD is a build folder; `nm` lists what its objects of src/ define and need. A symbol that no other
object needs should be static, or go. Sources are searched before that is reported: tests, code for
debug builds (WEFT_DEBUG) and macros may need what the objects of src/ do not. The public functions
of include/*.h have their callers elsewhere.
"""

import json
import os
import re
import subprocess
import sys

from project_files import ROOT, finish, project_files, read_text

DEFINE = re.compile(r"^[ \t]*#[ \t]*define(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
NAME = re.compile(r"\b[A-Za-z_]\w*\b")
DEFINED = "TDRBVW"  # nm's letters of global symbols that an object defines; "U": that it needs


def objects(build):
    """{object: source} of the library and the program, sources relative to the root."""
    found = {}
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as stream:
        for entry in json.load(stream):
            source = os.path.relpath(os.path.join(entry["directory"], entry["file"]), ROOT)
            output = re.search(r" -o (\S+)", entry["command"])[1]
            if source.startswith("src" + os.sep) and not output.startswith("tests"):
                found[os.path.join(entry["directory"], output)] = source
    return found


def parse_listing(listing):
    """What `nm -A` lists: {symbol: objects that define it}, {symbol: objects that need it}."""
    defined, needed = {}, {}
    for line in listing.splitlines():
        where, _, rest = line.partition(":")
        *_, letter, name = rest.split()
        if letter in DEFINED:
            defined.setdefault(name, []).append(where)
        elif letter == "U":
            needed.setdefault(name, []).append(where)
    return defined, needed


def without_declarations(header):
    """Of a header's text only macros and what stands in braces, such as inline functions."""
    depth, kept = 0, DEFINE.findall(header)
    for piece in re.split(r"([{}])", DEFINE.sub(" ", header)):
        depth += {"{": 1, "}": -1}.get(piece, 0)
        kept.append(piece if depth > 0 else " ")
    return " ".join(kept)


def names_in(path, text):
    """How often a source uses each name: comments, strings, and declarations of headers are left out."""
    text = COMMENT_OR_TEXT.sub(" ", text)
    if path.endswith(".h"):
        text = re.sub(r'#ifdef __cplusplus.*?#endif', " ", text, flags=re.DOTALL)
        text = without_declarations(text)
    counts = {}
    for name in NAME.findall(text):
        counts[name] = counts.get(name, 0) + 1
    return counts


def symbol_problems(listing, sources, names, public):
    """Symbols that one file alone needs. sources: {object: source}; names: {source: its names with
    their counts}; public: names that need no caller."""
    defined, needed = parse_listing(listing)
    for name in sorted(set(defined) - set(needed) - public):
        owner = sources[defined[name][0]]
        if any(name in counts for path, counts in names.items() if path != owner):
            continue
        uses = names[owner].get(name, 0)
        what = "nothing uses it: remove it" if uses < 2 else "only its own file uses it: make it static"
        yield f"{owner}: {name}: {what}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sources = objects(sys.argv[1])
    missing = [path for path in sources if not os.path.exists(path)]
    if missing:
        return finish("check_symbols", [f"{path}: not built" for path in missing])
    listing = subprocess.run(["nm", "-A", *sources], capture_output=True, text=True, check=True).stdout
    names = {path: names_in(path, read_text(path)) for path in project_files(".c", ".h", ".def")}
    public = set(NAME.findall("".join(read_text(path) for path in project_files(".h") if path.startswith("include/")))) | {"main"}
    return finish("check_symbols", list(symbol_problems(listing, sources, names, public)))


if __name__ == "__main__":
    sys.exit(main())
