#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/records.md has every field of records, as they are, and a record that weft makes.

usage: records_check.py WEFT [--accept]

- The table is that of src/record/record_field.def; every field that generated records of each kind
  have stands in it, with the JSON type that it says.
- The sample is what the command above it prints, with long texts cut.
- The record in README.md is a line of that data set, where `...` stands for anything.

--accept writes both into the page.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(REPO, "docs", "records.md")
TEXT = 72  # characters of a text that the sample shows

FIELD = re.compile(r'^FIELD\(\w+, (\d), "(\w+)", (\w+), ([\w| ]+), "(.*)"\)$', re.M)
PTX_FIELD = re.compile(r'^PTX_FIELD\(\w+, "(\w+)", .*, "([^"]*)"\)$', re.M)
MACRO = re.compile(r'^#define PTX_FIELD\(ID, name, value, what\) FIELD\((\w+)##ID, 3, name, INT, ([\w| ]+), what\)\n.*\n.*\n', re.M)
WHEN = {"ANY": "", "CUDA": "cuda", "CPU": "cpu", "ADJOINT": "backward", "TEXTS": "", "PAIR": "pair", "CHAT": "conversation",
        "PROGRAM": "program", "JOINED": "program, as a line", "REPAIR": "repair", "PTX": "`--with-ptx`", "COLLECTED": "collected",
        "ORIGIN": "collected, composed", "COMPOSED": "composed", "GRADED": "graded", "SCRIPT": "script"}
TYPES = {"STRING": "text", "INT": "whole number", "SIGNED": "whole number, signed", "FLOAT": "number or null", "BOOL": "true or false",
         "NAMES": "list of texts", "INTS": "list of numbers", "STRUCT": "object", "LIST": "list of objects"}
JSON = {"text": str, "whole number": int, "whole number, signed": int, "number or null": (int, float, type(None)),
        "true or false": bool, "list of texts": list, "list of numbers": list, "object": dict, "list of objects": list}
RUNS = ("--device both --kind exercise", "--device both --kind exercise --style messages", "--device both --kind exercise --task repair", "--device both --kind purpose", "--device both --kind purpose --style messages")


def read(path):
    with open(os.path.join(REPO, path), encoding="utf-8") as stream:
        return stream.read()


def fields():
    """[(path, type, when, what)] in the order of records; a list's objects are NAME[]."""
    table = read("src/record/record_field.def")
    ptx = PTX_FIELD.findall(read("src/record/ptx_field.def"))
    table = MACRO.sub(lambda m: "".join(f'FIELD({m[1]}X, 3, "{name}", INT, {m[2]}, "{what}")\n' for name, what in ptx), table)
    found, above = [], []
    for depth, name, kind, when, what in FIELD.findall(table):
        above[int(depth):] = [name + "[]" if kind == "LIST" else name]
        words = [WHEN[word.strip()] for word in when.split("|") if WHEN[word.strip()]]
        found.append((".".join(above), TYPES[kind], ", ".join(words), what))
    return found


def table_text(rows):
    lines = ["| field | type | in records | what it is |", "|---|---|---|---|"]
    return "\n".join([*lines, *(f"| `{path}` | {kind} | {when or 'all'} | {what} |" for path, kind, when, what in rows)])


def run(weft, words):
    done = subprocess.run([weft, *words.split()], capture_output=True, text=True, cwd=REPO, timeout=300)
    if done.returncode:
        sys.exit(f"weft {words}: status {done.returncode}: {done.stderr[:300]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def shortened(value):
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    if isinstance(value, list):
        return [shortened(item) for item in value]
    return value[:TEXT] + "..." if isinstance(value, str) and len(value) > TEXT + 3 else value


def sample_text(weft, words):
    return "```json\n" + json.dumps(shortened(run(weft, words)[0]), indent=1) + "\n```"


def readme_problems(weft):
    """README's record has the lines broken and texts cut; nothing else is left out."""
    sample = re.search(r"^```json\n(.*?)^```", read("README.md"), re.M | re.S)[1]
    wanted = " ".join(line.strip() for line in sample.splitlines())
    [line] = (json.dumps(record) for record in run(weft, "generate --count 1 --seed 1 --jobs 1 -q -o -"))
    if not re.fullmatch(".*".join(re.escape(piece) for piece in wanted.split("...")), line, re.S):
        yield f"README.md: the record is not as weft writes it: {line[:200]} ..."


def leaves(value, path=""):
    """(path, value) of every field of a record, objects and lists too."""
    for name, item in value.items():
        inner = f"{path}{name}"
        if isinstance(item, list) and item and isinstance(item[0], dict):
            yield inner + "[]", item
            for one in item:
                yield from leaves(one, inner + "[].")
        else:
            yield inner, item
            if isinstance(item, dict):
                yield from leaves(item, inner + ".")


def record_problems(rows, name, record):
    kinds = {}
    for path, kind, _, _ in rows:
        kinds.setdefault(path, set()).add(kind)
    for path, value in leaves(record):
        known = kinds.get(path) or (kinds.get(path + "[]") if value == [] else None)
        if not known:
            yield f"{name}: the field {path} is not in the table"
        elif not any(isinstance(value, JSON[kind]) and (kind == "true or false") == isinstance(value, bool) for kind in known):
            yield f"{name}: {path} is {value!r}, the table says {known}"


def kinds_of_records(weft):
    for words in RUNS:
        for record in run(weft, f"generate --count 3 --jobs 1 -q -o - {words}"):
            yield words, record
    with tempfile.TemporaryDirectory() as folder:
        run(weft, f"generate --count 1 --jobs 1 -q --format standalone -o {folder}/set")
        for where, _, names in os.walk(folder):
            if "metadata.json" in names:
                yield "standalone", json.loads(read(os.path.join(where, "metadata.json")))


def main():
    weft, text, rows, problems = os.path.abspath(sys.argv[1]), read(PAGE), fields(), []
    command = re.search(r"<!-- sample: weft (.*?) -->", text)[1]
    for name, wanted in (("fields", table_text(rows)), (f"sample: weft {command}", sample_text(weft, command))):
        marks = f"(<!-- {re.escape(name)} -->\n).*?(\n<!-- end -->)"
        right = re.sub(marks, lambda m: m[1] + wanted + m[2], text, flags=re.S)
        if right != text and "--accept" not in sys.argv[2:]:
            problems.append(f"docs/records.md: the {name} is not up to date (--accept writes it)")
        text = right
    if "--accept" in sys.argv[2:]:
        with open(PAGE, "w", encoding="utf-8") as stream:
            stream.write(text)
    seen = 0
    for name, record in kinds_of_records(weft):
        problems += record_problems(rows, name, record)
        seen += 1
    if seen < 10:
        problems.append(f"only {seen} records were made")
    problems += readme_problems(weft)
    for problem in problems[:40]:
        print(problem)
    print(f"{len(rows)} fields, {seen} records: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
