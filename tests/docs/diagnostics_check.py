#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each diagnostic has an entry in assets/diagnostics.txt whose examples do what they say.

usage: diagnostics_check.py WEFT [--one-in N [--seed S]] [ID...]

- Ids of src/base/diag.def and entries are the same; entries stand in alphabetical order.
- The wrong example gives this diagnostic, with this severity, and no other. The right one gives none.
- docs/diagnostics.md is what tools/gen_diagnostics.py makes.
- `weft explain ID` prints the entry.

What no command gives has the test that tries it instead of a command.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(REPO, "tools"), os.path.join(REPO, "tests")]

import gen_diagnostics  # noqa: E402
import part  # noqa: E402


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=600, stdin=subprocess.DEVNULL)


def written(blocks, folder):
    """Writes the files of an example."""
    for name, text, printed in blocks:
        data = run([sys.executable, "-c", text], folder).stdout if printed else text.encode()
        with open(os.path.join(folder, name), "wb") as stream:
            stream.write(data)


def diagnostics(weft, command, blocks):
    """({(severity, id)}, status, stderr) of the command on an example."""
    with tempfile.TemporaryDirectory() as folder:
        written(blocks, folder)
        program, *words = shlex.split(command)
        assert program == "weft", command
        form = ["--diagnostics", "json"] if words[0] in ("check", "compile") else []
        done = run([weft, words[0], *form, *words[1:]], folder)
    said = done.stderr.decode("utf-8", "replace")
    if form:
        found = {(row["severity"], row["id"]) for row in map(json.loads, said.splitlines()) if "id" in row}
    else:
        found = {("error", line.rsplit("[", 1)[1][:-1]) for line in said.splitlines() if line.endswith("]")}
    return found, done.returncode, said


def example_problems(weft, entry):
    elsewhere = re.match(r"none: (\S+)", entry.command)
    if elsewhere:
        if entry.id not in gen_diagnostics.read_text(elsewhere[1]):
            yield f"{elsewhere[1]} does not name it"
        return
    found, status, said = diagnostics(weft, entry.command, entry.wrong)
    if found != {(entry.severity, entry.id)}:
        yield f"the wrong example gives {sorted(found)}: {said[:400]}"
    found, status, said = diagnostics(weft, entry.command, entry.right)
    if said or status:
        yield f"the right example gives status {status}: {said[:400]}"


def explain_problems(weft, entry, sentences):
    """What is printed holds each sentence, hint and line of the entry, in order."""
    done = run([weft, "explain", entry.id], REPO)
    said = done.stdout.decode()
    texts = [entry.id, *(part for row in sentences for part in row if part), *entry.meaning.split("\n")]
    texts += [line for _, text, _ in entry.wrong + entry.right for line in text.splitlines() if line]
    at = 0
    for text in texts:
        place = said.find(text, at)
        if place < 0:
            yield f"weft explain {entry.id}: {text!r} is missing in {said[at:at + 200]!r}, status {done.returncode}"
            return
        at = place + len(text)


def main():
    chosen = part.take(sys.argv)
    weft, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    table, known = gen_diagnostics.rows(), gen_diagnostics.entries()
    ids = [entry.id for entry in known]
    problems = [f"{name}: no entry in assets/diagnostics.txt" for name in table if name not in ids]
    problems += [f"{name}: no such diagnostic in src/base/diag.def" for name in ids if name not in table]
    if ids != sorted(set(ids)):
        problems.append("the entries are not in alphabetical order, or one stands twice")
    for entry in chosen.of(known):
        if entry.id in table and (not only or entry.id in only):
            problems += [f"{entry.id}: {found}" for found in example_problems(weft, entry)]
            problems += explain_problems(weft, entry, table[entry.id])
    shown = gen_diagnostics.escaped("__a__ of `b_2` and `c*\nd`")
    if shown != "\\_\\_a\\_\\_ of `b_2` and `c*\nd`":
        problems.append(f"signs in code spans are escaped: {shown}")
    if not problems and gen_diagnostics.page() != gen_diagnostics.read_text(gen_diagnostics.PAGE):
        problems.append("docs/diagnostics.md is not what tools/gen_diagnostics.py writes")
    for problem in problems:
        print(problem)
    print(f"{len(table)} diagnostics, {len(known)} entries: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
